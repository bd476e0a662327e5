// `parseFields`: handlers by path over a stream of fields.
//
// Source: spec/field.md, "API"; facts/agently.md, how its users choose fields.

import { describe, requireString } from '../errors.js'
import { EventGenerator } from '../event-generator.js'
import { type SourceOptions, type TextSource, chunksOf, withReason, withSignal } from '../sources.js'
import { fieldBorder } from '../wasm/borders.js'
import { whileWarming } from '../wasm/warming.js'
import type { Emitted } from './emitter.js'
import type { DeepPartial, FieldAt, FieldPath, InferFields, InferResult, KnownTypes } from './infer.js'
import { NoDocumentError } from './no-document.js'
import { settingsOf } from './options.js'
import { Fields } from './parser.js'
import { type Pattern, type Step, matches, parsePattern } from '../json/path.js'
import { isRecord } from '../own.js'
import { SentAgain } from '../sent-again.js'
import { givesJsonSchema } from '../schema/library.js'
import type { Node } from './tree.js'
import type { FieldOptions, FieldReport, FieldSchema, JsonValue, StreamingData } from './types.js'
import { SchemaError, type Validate, validationOf } from '../schema/validation.js'

type AnyHandler = (event: StreamingData) => unknown

/**
 * A function that `on` calls with an event. A promise that it returns is awaited.
 *
 * @example
 * ```ts
 * import { type FieldHandler, parseFields } from 'tokenweir/fields'
 *
 * const show: FieldHandler = ({ path, value, isComplete }) => isComplete && console.log(path, value)
 * await parseFields('{"tags": ["a", "b"]}').on('tags[*]', show).result()
 * ```
 * ```text
 * tags[0] a
 * tags[1] b
 * ```
 */
export type FieldHandler<Event = StreamingData> = (event: Event) => unknown

/**
 * What was read of a document.
 *
 * @example
 * ```ts
 * import { type FieldsJournal, parseFields } from 'tokenweir/fields'
 *
 * const journal: FieldsJournal = { written: '{"a": [1' }
 * console.log(await parseFields(', 2]}', null, { continues: { journal } }).result()) // { a: [ 1, 2 ] }
 * ```
 */
export interface FieldsJournal {
  /** The text. */
  readonly written: string
}

/**
 * How a document goes on.
 *
 * @example
 * ```ts
 * import { type ContinuedFields, parseFields } from 'tokenweir/fields'
 *
 * const continues = parseFields('{"a": 1, ')
 * await continues.result()
 * const options: ContinuedFields = { continues }
 * console.log(await parseFields('"b": 2}', null, options).result()) // { a: 1, b: 2 }
 * ```
 */
export interface ContinuedFields {
  /**
   * The reading of a document that was cut, which this one goes on with: what `parseFields` has given, or
   * `{ journal }` of it. The result is that of both as one text; the loop gives what is new.
   */
  readonly continues?:
    | {
        /** What was read of it. */
        readonly journal: FieldsJournal
      }
    | undefined
}

/**
 * Reads fields from a source of text, for handlers by path and for a loop. After an abort of the option `signal`,
 * `next`, the loop and `result` reject with its reason.
 *
 * @throws TypeError for an invalid source, schema or option, immediately; for a chunk that is not a string, while
 *   reading.
 * @example
 * ```ts
 * import { parseFields } from 'tokenweir/fields'
 *
 * const response = ['{"title": "Ans', 'wer", "tips": ["a", "b"]}']
 * const answer = await parseFields(response, { title: 'str', tips: ['str'] })
 *   .on('title', ({ delta }) => delta && console.log('more', delta))
 *   .on('tips[*]', ({ isComplete, value }) => isComplete && console.log('tip', value))
 *   .result()
 * console.log(answer)
 * ```
 * ```text
 * more Ans
 * more wer
 * tip a
 * tip b
 * { title: 'Answer', tips: [ 'a', 'b' ] }
 * ```
 */
export function parseFields<const Schema extends FieldSchema | null | undefined = undefined>(
  source: TextSource,
  schema?: Schema & KnownTypes<Schema>,
  options?: FieldOptions & SourceOptions & ContinuedFields,
): FieldEvents<InferResult<Schema>, InferFields<Schema>> {
  const chunks = chunksOf('parseFields', source)
  const [given, signal] = withSignal<FieldOptions & ContinuedFields>('parseFields', options)
  const { continues, ...others } = given ?? {}
  // What is no object is refused as such.
  const rest = isRecord(given) ? others : given
  const before = continues === undefined ? '' : textBefore(continues)
  const validate = validationOf(schema)
  // A library's schema that says nothing of its fields validates the result all the same.
  const isOpaque = validate !== undefined && rest?.completion !== 'order' && !givesJsonSchema(schema)
  const settings = settingsOf('parseFields', isOpaque ? undefined : schema, rest)
  return new FieldEvents(
    whileWarming(fieldBorder, chunks),
    new Fields(settings, (event, node) => ({ event, node })),
    validate,
    signal,
    source,
    before,
  )
}

/** The text of the document that goes on. @throws TypeError */
function textBefore(continues: unknown): string {
  const written = isRecord(continues) && isRecord(continues['journal']) ? continues['journal']['written'] : undefined
  if (typeof written !== 'string')
    throw new TypeError(
      `parseFields: continues takes what parseFields has given, or { journal } of it, but got ${describe(continues)}`,
    )
  return written
}

/**
 * Passes the events of fields to handlers by path, and then to a loop. `parseFields` returns it. The source is read
 * once.
 *
 * @example
 * ```ts
 * import { parseFields } from 'tokenweir/fields'
 *
 * for await (const event of parseFields(['{"a": ', '1}'])) {
 *   if (event.eventType === 'done') console.log(JSON.stringify(event.path), event.value)
 * }
 * ```
 * ```text
 * "a" 1
 * ```
 */
export class FieldEvents<Result = JsonValue, Document = Result>
  implements AsyncIterableIterator<StreamingData<JsonValue, DeepPartial<Document>>>
{
  readonly #fields: Fields<Emitted>
  readonly #validate: Validate | undefined
  /** What `next` rejected with first. */
  #failure: { readonly error: unknown } | undefined
  readonly #events: EventGenerator<Emitted>
  readonly #handlers: Array<{ readonly pattern: Pattern; readonly handler: AnyHandler }> = []
  /** Handlers of the last node: a string's deltas follow one another. */
  #last: { readonly node: Node; readonly handlers: readonly AnyHandler[] } | undefined
  /** What was read before the document began. */
  #text = ''
  /** All that was read. */
  #written: string

  /** @internal */
  constructor(
    chunks: AsyncIterable<string> | Iterable<string>,
    fields: Fields<Emitted>,
    validate: Validate | undefined,
    signal: AbortSignal | undefined,
    source: TextSource,
    before = '',
  ) {
    this.#fields = fields
    this.#validate = validate
    this.#written = before
    const again = new SentAgain(before, false)
    const read = (text: string) => {
      const events = fields.read(text)
      this.#text = fields.value === undefined ? this.#text + text : ''
      return events
    }
    let isNew = before !== ''
    const parse = (chunk: string) => {
      fieldBorder.requireReady('parseFields')
      requireString('parseFields', chunk)
      // The program has heard of it.
      if (isNew) read(before)
      isNew = false
      const text = again.read(chunk)
      this.#written += text
      return read(text)
    }
    const finish = (reason: string | null | undefined) => {
      if (isNew) read(before)
      const held = again.finish()
      this.#written += held
      return [...(held === '' ? [] : read(held)), ...fields.finish(reason)]
    }
    this.#events = new EventGenerator(chunks, parse, () => withReason(source, finish), signal)
  }

  /**
   * What was read: what `parseFields` needs to go on with a document that was cut, as its option `continues`. It is
   * JSON.
   *
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * const cut = parseFields('{"place": "Foz", "tips": ["swi')
   * await cut.result()
   * const { journal } = cut
   * const whole = await parseFields('m"]}', null, { continues: JSON.parse(JSON.stringify({ journal })) }).result()
   * console.log(whole) // { place: 'Foz', tips: [ 'swim' ] }
   * ```
   */
  get journal(): FieldsJournal {
    return { written: this.#written }
  }

  /**
   * Calls `handler` with each event of a path of the schema: `title`, `tips[0].text`, `tips[*].text`. Without a schema
   * any path is one. A `reset`, which withdraws all earlier events, goes to every handler. An error in a handler comes
   * out of the loop, or out of `result`.
   *
   * A path that the schema doesn't have is a warning on the console, once.
   *
   * @throws TypeError if the path can't be read, saying where.
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * const events = parseFields('{"tips": [{"text": "a"}, {"text": "b"}]}', { tips: [{ text: 'str' }] })
   * await events
   *   .on('tips[*].text', ({ isComplete, value, indexes }) => isComplete && console.log(indexes, value))
   *   .result()
   * ```
   * ```text
   * [ 0 ] a
   * [ 1 ] b
   * ```
   */
  on<Path extends FieldPath<Document>>(
    path: Path,
    handler: FieldHandler<StreamingData<DeepPartial<FieldAt<Document, Path>>, DeepPartial<Document>>>,
  ): this {
    return this.#listen('on', path, handler as AnyHandler)
  }

  /**
   * Calls `handler` as `on` does, with any path: one that the schema doesn't list, one of another style
   * (`/tips/[*]/text`, whatever style events have), one with `*` for any key (`*.text`), or one that is not known
   * before the program runs.
   *
   * @throws TypeError if the path can't be read, saying where.
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * const events = parseFields('{"title": "a", "note": "b"}', { title: 'str' })
   * await events.onAny('*', ({ isComplete, path, value }) => isComplete && console.log(path, value)).result()
   * ```
   * ```text
   * title a
   * note b
   * ```
   */
  onAny<Path extends string>(
    path: Path,
    handler: FieldHandler<StreamingData<DeepPartial<FieldAt<Document, Path>>, DeepPartial<Document>>>,
  ): this {
    return this.#listen('onAny', path, handler as AnyHandler)
  }

  /**
   * Makes `for await` work. Leaving the loop early stops the source.
   *
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * for await (const { eventType, path } of parseFields('{"a": 1}')) {
   *   if (path === 'a') console.log(eventType)
   * }
   * ```
   * ```text
   * delta
   * done
   * ```
   */
  [Symbol.asyncIterator](): this {
    return this
  }

  /**
   * Gives the next event, after its handlers were called. It rejects with what a handler or the source threw, and with
   * a TypeError if a chunk is not a string.
   *
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * const { done, value } = await parseFields('{"a": 1}').next()
   * console.log(done, value?.eventType, value?.path === '') // false delta false
   * ```
   */
  async next(): Promise<IteratorResult<StreamingData<JsonValue, DeepPartial<Document>>, void>> {
    try {
      const next = await this.#events.next()
      if (next.done === true) return next
      await this.#handle(next.value)
      return { value: next.value.event as StreamingData<JsonValue, DeepPartial<Document>>, done: false }
    } catch (error) {
      this.#failure ??= { error }
      throw error
    }
  }

  /**
   * Stops the source; a `next` that still waits for it, and what follows, is `done`.
   *
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * const events = parseFields('{"a": 1}')
   * await events.return()
   * console.log(await events.next()) // { value: undefined, done: true }
   * ```
   */
  async return(): Promise<IteratorResult<StreamingData<JsonValue, DeepPartial<Document>>, void>> {
    await this.#events.return()
    return { value: undefined, done: true }
  }

  /**
   * Reads to the end, and returns the document. It rejects as `next` does or did, with a `SchemaError` if a library's
   * schema does not fit, and with a `NoDocumentError` if there is no document, unless that schema takes `undefined`.
   *
   * A document that was cut off is completed with what there is of it, and may fit its schema: `{"age": 4` is 4, though
   * the model was about to write 41. `report.isComplete` says whether it is whole.
   *
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * console.log(await parseFields(['{"a": ', '1}']).result()) // { a: 1 }
   * ```
   */
  async result(): Promise<Result> {
    while (!(await this.next()).done);
    if (this.#failure !== undefined) throw this.#failure.error
    const { value } = this.#fields
    if (value === undefined && this.#validate === undefined) throw new NoDocumentError(this.#text)
    try {
      return (this.#validate === undefined ? value : await this.#validate(value)) as Result
    } catch (error) {
      throw value === undefined && error instanceof SchemaError ? new NoDocumentError(this.#text) : error
    }
  }

  /**
   * Gives the document as far as it was read. It grows: read it, don't change it.
   *
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * const events = parseFields(['{"a": 1, ', '"b": 2}'])
   * for await (const { path } of events) if (path === 'a') break
   * console.log(events.data) // { a: 1 }
   * ```
   */
  get data(): DeepPartial<Document> | undefined {
    return this.#fields.value as DeepPartial<Document> | undefined
  }

  /**
   * Gives all documents so far, in order.
   *
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * const events = parseFields('{"a": 1} and {"b": 2}', null, { multiple: true })
   * await events.result()
   * console.log(events.documents) // [ { a: 1 }, { b: 2 } ]
   * ```
   */
  get documents(): JsonValue[] {
    return this.#fields.values
  }

  /**
   * Reports what was read so far.
   *
   * @example
   * ```ts
   * import { parseFields } from 'tokenweir/fields'
   *
   * const events = parseFields('{"a": [1')
   * await events.result()
   * console.log(events.report.isComplete) // false
   * ```
   */
  get report(): FieldReport {
    return this.#fields.report
  }

  #listen(name: 'on' | 'onAny', path: string, handler: AnyHandler): this {
    const place = `parseFields.${name}`
    const pattern = parsePattern(path, place)
    if (typeof handler !== 'function')
      throw new TypeError(`${place} takes a path and a function, but got ${describe(handler)}`)
    this.#handlers.push({ pattern, handler })
    this.#last = undefined
    return this
  }

  async #handle(emitted: Emitted): Promise<void> {
    try {
      for (const handler of this.#handlersOf(emitted)) await handler(emitted.event)
    } catch (error) {
      await this.#events.return()
      throw error
    }
  }

  #handlersOf({ event, node }: Emitted): readonly AnyHandler[] {
    if (event.eventType === 'reset') return this.#handlers.map(({ handler }) => handler)
    if (node === undefined || this.#handlers.length === 0) return []
    if (this.#last?.node !== node) {
      const steps = stepsOf(node)
      this.#last = {
        node,
        handlers: this.#handlers.filter(({ pattern }) => matches(pattern, steps)).map(({ handler }) => handler),
      }
    }
    return this.#last.handlers
  }
}

function stepsOf(node: Node): Step[] {
  const steps: Step[] = []
  for (let each = node; each.parent !== undefined; each = each.parent) steps.unshift(each.step)
  return steps
}
