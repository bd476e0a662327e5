// `parseFields`: handlers by path over a stream of fields.
//
// Source: spec/field.md, "API"; facts/agently.md, how its users choose fields.

import { describe, requireString } from '../errors.js'
import { EventGenerator } from '../event-generator.js'
import { type TextSource, chunksOf } from '../sources.js'
import { fieldsOf } from './parser.js'
import { type Pattern, type Step, matches, parsePattern } from './path.js'
import type { FieldTeller } from './teller.js'
import type { Node } from './tree.js'
import type { FieldOptions, FieldReport, FieldSchema, JsonValue, StreamingData } from './types.js'

/** What `on` calls with an event. A promise that it gives is awaited. */
export type FieldHandler = (event: StreamingData) => unknown

/**
 * Reads fields from a source of text, for handlers by path and for a loop.
 *
 * ```js
 * const answer = await parseFields(response, { title: 'str', tips: ['str'] })
 *   .on('title', ({ delta }) => delta && titleBox.append(delta))
 *   .on('tips[*]', ({ isComplete, value }) => isComplete && addTip(value))
 *   .result()
 * ```
 *
 * @throws TypeError if the source, the schema or the options are none, at once; if a chunk is no string, while reading.
 */
export function parseFields(source: TextSource, schema?: FieldSchema | null, options?: FieldOptions): FieldEvents {
  const chunks = chunksOf('parseFields', source)
  return new FieldEvents(chunks, fieldsOf('parseFields', schema, options))
}

/** What `parseFields` gives: events for a loop, each of which handlers get first. The source is read once. */
export class FieldEvents implements AsyncIterableIterator<StreamingData> {
  readonly #fields: FieldTeller
  readonly #events: EventGenerator<StreamingData>
  readonly #handlers: Array<{ readonly pattern: Pattern; readonly handler: FieldHandler }> = []
  /** Handlers of the last node: a string's deltas come one behind the other. */
  #last: { readonly node: Node; readonly handlers: readonly FieldHandler[] } | undefined

  /** @internal */
  constructor(chunks: AsyncIterable<string> | Iterable<string>, fields: FieldTeller) {
    this.#fields = fields
    fields.nodes = new WeakMap()
    const parse = (chunk: string) => {
      requireString('parseFields', chunk)
      return fields.parseChunk(chunk)
    }
    this.#events = new EventGenerator(chunks, parse, () => fields.finalize())
  }

  /**
   * Calls `handler` with each event of a path: `tips[0].text`, `tips[*].text`, `*.text`,
   * or `/tips/[*]/text`, whatever style events have. A `reset`, which withdraws all
   * that was told, goes to every handler. An error in a handler comes out of the loop, or out of `result`.
   *
   * @throws TypeError if the path can't be read, saying where.
   */
  on(path: string, handler: FieldHandler): this {
    requireString('parseFields.on', path)
    const pattern = parsePattern(path, 'parseFields.on')
    if (typeof handler !== 'function') throw new TypeError(`parseFields.on takes a path and a function, but got ${describe(handler)}`)
    this.#handlers.push({ pattern, handler })
    this.#last = undefined
    return this
  }

  /** The events. Leaving the loop early stops the source. */
  [Symbol.asyncIterator](): this {
    return this
  }

  /** The next event. */
  async next(): Promise<IteratorResult<StreamingData, void>> {
    const next = await this.#events.next()
    if (next.done !== true) await this.#handle(next.value)
    return next
  }

  /** Stops the source. */
  return(): Promise<IteratorResult<StreamingData, void>> {
    return this.#events.return()
  }

  /** Reads to the end, and gives the document; `undefined` if there was none. */
  async result(): Promise<JsonValue | undefined> {
    while (!(await this.next()).done);
    return this.data
  }

  /** The document as far as it was read. It grows: read it, don't change it. */
  get data(): JsonValue | undefined {
    return this.#fields.value
  }

  /** All documents so far, in order. */
  get documents(): JsonValue[] {
    return this.#fields.values
  }

  /** What was met so far. */
  get report(): FieldReport {
    return this.#fields.report
  }

  async #handle(event: StreamingData): Promise<void> {
    try {
      for (const handler of this.#handlersOf(event)) await handler(event)
    } catch (error) {
      await this.#events.return()
      throw error
    }
  }

  #handlersOf(event: StreamingData): readonly FieldHandler[] {
    if (event.eventType === 'reset') return this.#handlers.map(({ handler }) => handler)
    const node = this.#fields.nodes?.get(event)
    if (node === undefined || this.#handlers.length === 0) return []
    if (this.#last?.node !== node) {
      const steps = stepsOf(node)
      this.#last = { node, handlers: this.#handlers.filter(({ pattern }) => matches(pattern, steps)).map(({ handler }) => handler) }
    }
    return this.#last.handlers
  }
}

function stepsOf(node: Node): Step[] {
  const steps: Step[] = []
  for (let each = node; each.parent !== undefined; each = each.parent) steps.unshift(each.step)
  return steps
}
