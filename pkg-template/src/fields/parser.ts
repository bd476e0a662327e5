// `StreamingJSONParser`: fields of a JSON document while it is being written.
//
// Source: seeds/002, "StreamingJSONParser"; spec/field.md. Agently's class has
// the same methods in Python's spelling. How a field's end is told is in
// boundary.ts and order.ts.

import { ParseError, requireString } from '../errors.js'
import { EventGenerator } from '../event-generator.js'
import { type TextSource, chunksOf } from '../sources.js'
import { requireReady } from '../wasm.js'
import { BoundaryFields } from './boundary.js'
import { bare, settingsOf } from './options.js'
import { OrderFields } from './order.js'
import type { FieldTeller } from './teller.js'
import type { FieldOptions, FieldReport, FieldSchema, JsonValue, PartialOptions, StreamingData } from './types.js'

/**
 * Tells every field of a JSON document while a model writes it.
 *
 * Takes JSON, JSON5 and what models write instead, in prose or fences. Text never
 * raises an error. Cuts don't matter: any way of cutting the text gives the same
 * events, once the deltas of a path are joined.
 *
 * ```js
 * const parser = new StreamingJSONParser({ title: 'str', tags: ['str'] })
 * for await (const chunk of response) {
 *   for (const { eventType, path, delta } of parser.parseChunk(chunk)) {
 *     if (eventType === 'delta' && path === 'title') titleBox.append(delta)
 *   }
 * }
 * parser.finalize()
 * save(parser.data)
 * ```
 */
export class StreamingJSONParser {
  readonly #fields: FieldTeller
  #isFinished = false

  /**
   * @param schema What the document looks like; `undefined` or `null` if that is not known.
   * @throws TypeError for an unknown option, an option of a wrong type, or a schema that is none, naming the place.
   * @throws ParseError `not-initialised`, with `tokenweir/slim` before `init`.
   */
  constructor(schema?: FieldSchema | null, options?: FieldOptions) {
    this.#fields = fieldsOf('StreamingJSONParser', schema, options)
  }

  /**
   * Reads a chunk and gives what happened in it, in order.
   *
   * @throws TypeError if the chunk is no string.
   * @throws ParseError `finished`, after `finalize`; `reset` starts a new stream.
   */
  parseChunk(chunk: string): StreamingData[] {
    requireString('parseChunk', chunk)
    if (this.#isFinished) throw new ParseError('finished', 'parseChunk after finalize: call reset() before a new stream')
    return this.#fields.parseChunk(chunk)
  }

  /** The end of the stream: each field that is not done yet is done now, children before parents. A second call gives nothing. */
  finalize(): StreamingData[] {
    if (this.#isFinished) return []
    this.#isFinished = true
    return this.#fields.finalize()
  }

  /**
   * Reads chunks to their end, and finalizes.
   *
   * Leaving the loop early stops the source.
   *
   * @throws TypeError if the source is none, at once; if one of its chunks is no string, from the loop.
   */
  parseStream(source: TextSource): AsyncGenerator<StreamingData, void, undefined> {
    return new EventGenerator(
      chunksOf('parseStream', source),
      (chunk) => this.parseChunk(chunk),
      () => this.finalize(),
    )
  }

  /** The start of a new stream, with the same schema and options. */
  reset(): void {
    this.#fields.reset()
    this.#isFinished = false
  }

  /** The document as far as it was read, the last one with `multiple`; `undefined` before it began. It grows: read it, don't change it. */
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
}

/** What tells the fields of a stream; `place` names who was given schema and options. */
export function fieldsOf(place: string, schema: FieldSchema | null | undefined, options: FieldOptions | undefined): FieldTeller {
  requireReady(place)
  const settings = settingsOf(place, schema, options)
  return settings.order === undefined ? new BoundaryFields(settings) : new OrderFields(settings, settings.order)
}

/** A `TransformStream` from what a model writes to the events of the fields in it. */
export class FieldStream extends TransformStream<string, StreamingData> {
  /** @throws as the constructor of `StreamingJSONParser`. */
  constructor(schema?: FieldSchema | null, options?: FieldOptions) {
    const parser = new StreamingJSONParser(schema, options)
    super({
      transform(chunk, controller) {
        requireString('FieldStream', chunk)
        for (const event of parser.parseChunk(chunk)) controller.enqueue(event)
      },
      flush(controller) {
        for (const event of parser.finalize()) controller.enqueue(event)
      },
    })
  }
}

/**
 * The value of a JSON text that may be cut anywhere, as far as it goes: strings
 * and containers that are open are closed, `tru` is `true`, `-12.5e` is -12.5,
 * and a key without a value is left out. `undefined` if there is none.
 *
 * ```js
 * parsePartial('{"name": "Al') // { name: 'Al' }
 * ```
 *
 * @throws TypeError for wrong arguments. Text never raises an error.
 */
export function parsePartial(text: string, options?: PartialOptions): JsonValue | undefined {
  requireReady('parsePartial')
  requireString('parsePartial', text)
  const { schema, ...rest } = (options ?? {}) as PartialOptions
  const settings = settingsOf('parsePartial', schema, options === undefined ? undefined : rest, ['strict', 'maxDepth'])
  // A text that is one value and nothing else needs no bracket to begin.
  const isBare = (schema === undefined || schema === null) && !/^\s*[[{]/.test(text)
  if (isBare) {
    const fields = wholeOf(new BoundaryFields(bare(settings)), text)
    if (fields.value !== undefined && Object.keys(fields.report.errors).length === 0) return fields.value
  }
  return wholeOf(new BoundaryFields(settings), text).value
}

function wholeOf(fields: BoundaryFields, text: string): BoundaryFields {
  fields.parseChunk(text)
  fields.finalize()
  return fields
}
