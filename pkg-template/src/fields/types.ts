// The events of fields, and the options of their parser.

import type { JsonValue } from '../json/value.js'
import type { Span } from '../span.js'

export type { JsonValue }

/**
 * How the end of a value became known.
 *
 * - `observed_boundary`: its last character was read.
 * - `final_reconciliation`: it was whole, but only at the end of the text was it known that this is the document.
 * - `synthetic_repair`: the text ended inside it. Its value is what arrived of it.
 *
 * @example
 * ```ts
 * import { StreamingJSONParser } from 'tokenweir/fields'
 *
 * const parser = new StreamingJSONParser()
 * for (const event of [...parser.parseChunk('{"a": 1, "b": "cut o'), ...parser.finalize()]) {
 *   if (event.eventType === 'done' && event.path !== '') console.log(event.path, event.completionSource)
 * }
 * ```
 * ```text
 * a observed_boundary
 * b synthetic_repair
 * ```
 */
export type CompletionSource = 'observed_boundary' | 'final_reconciliation' | 'synthetic_repair'

/**
 * What `flushFinalData` takes besides the value.
 *
 * @example
 * ```ts
 * import { type FinalDataOptions, StreamingJSONParser } from 'tokenweir/fields'
 *
 * const options: FinalDataOptions = { completionSource: 'final_reconciliation' }
 * const parser = new StreamingJSONParser({ n: 'int' })
 * console.log(parser.flushFinalData({ n: 1 }, options).map(({ completionSource }) => completionSource))
 * // → [ null, 'final_reconciliation' ]
 * ```
 */
export interface FinalDataOptions {
  /**
   * The source of what is done now. @defaultValue `'final_reconciliation'` if the text was whole, else
   * `'synthetic_repair'`
   */
  completionSource?: CompletionSource | undefined
}

/**
 * The fault of the document that an error reports. The parser goes on after each. `schema-mismatch`: for 65,536
 * characters no key of the document was the schema's. `unexpected-key`: the schema forbids a key, which is left out.
 *
 * @example
 * ```ts
 * import { type FieldErrorCode, StreamingJSONParser } from 'tokenweir/fields'
 *
 * const codes: FieldErrorCode[] = []
 * for (const event of new StreamingJSONParser().parseChunk('{"a": , "b": 1}')) {
 *   if (event.eventType === 'error') codes.push(event.code)
 * }
 * console.log(codes) // [ 'missing-value' ]
 * ```
 */
export type FieldErrorCode =
  | 'unexpected-text'
  | 'missing-value'
  | 'bad-escape'
  | 'too-deep'
  | 'too-long'
  | 'schema-mismatch'
  | 'unexpected-key'

/** What all events have. */
interface FieldEvent<Data> {
  /**
   * The value's place in the document, as in `user.emails[0]`; `''` is the root. A key that is empty or holds `.`, `[`
   * or `]` is quoted: `user["first.name"]`. With `pathStyle: 'slash'` a JSON Pointer: `/user/emails/0`.
   */
  path: string
  /**
   * The document's root, as far as it was read. It grows with the next chunk, unless `snapshot` is set: read it, don't
   * change it.
   */
  fullData: Data | undefined
  /** The path with `[*]` for each index: `user.emails[*]`, or `/user/emails/[*]`. */
  wildcardPath: string
  /** The indexes in the path, from the outermost. */
  indexes: readonly number[]
  /** Index of the document, from 0. Only with `multiple`, and not of markup. */
  documentIndex?: number
}

/**
 * A value has begun or grown.
 *
 * @example
 * ```ts
 * import { type FieldDelta, StreamingJSONParser } from 'tokenweir/fields'
 *
 * const write = ({ path, delta, value }: FieldDelta) => console.log(path, JSON.stringify(delta), JSON.stringify(value))
 * const parser = new StreamingJSONParser()
 * for (const chunk of ['{"title": "An ', 'answer']) {
 *   for (const event of parser.parseChunk(chunk)) if (event.eventType === 'delta' && event.path !== '') write(event)
 * }
 * ```
 * ```text
 * title "An " "An "
 * title "answer" "An answer"
 * ```
 */
export interface FieldDelta<Value = JsonValue, Data = JsonValue> extends FieldEvent<Data> {
  /** A value has begun or grown. */
  eventType: 'delta'
  /** The value, as far as it was read. */
  value: Value
  /**
   * The new part. Of a string the text that was added: the deltas of a path joined are its value. A number, a boolean
   * or `null` comes whole in one delta.
   */
  delta: Value
  /** More may come. */
  isComplete: false
  /** There is no end yet. */
  completionSource: null
  /**
   * This is the whole new value of a path that had another: its key came again after it was done, or `flushFinalData`
   * changed it. If it was done, no second `done` follows.
   */
  replaced?: true
  /** Where the delta was read, from its first character to its last. Only with `spans`. */
  span?: Span
}

/**
 * A value is whole. Emitted once for each path, after its deltas and after all values in it.
 *
 * @example
 * ```ts
 * import { type FieldDone, StreamingJSONParser } from 'tokenweir/fields'
 *
 * const save = ({ path, value }: FieldDone) => console.log(JSON.stringify(path), JSON.stringify(value))
 * for (const event of new StreamingJSONParser().parseChunk('{"title": "An answer"}')) {
 *   if (event.eventType === 'done') save(event)
 * }
 * ```
 * ```text
 * "title" "An answer"
 * ```
 */
export interface FieldDone<Value = JsonValue, Data = JsonValue> extends FieldEvent<Data> {
  /** A value is whole. */
  eventType: 'done'
  /** The value. An object or array is the one that is in `fullData`, unless `snapshot` is set. */
  value: Value
  /** Always null: the deltas came before. */
  delta: null
  /** Nothing more comes. */
  isComplete: true
  /** How the end was seen. */
  completionSource: CompletionSource
}

/**
 * The events of this document are withdrawn: it was an example or a thought, and another one is the answer.
 *
 * @example
 * ```ts
 * import { StreamingJSONParser } from 'tokenweir/fields'
 *
 * const parser = new StreamingJSONParser()
 * for (const { eventType, path, value } of parser.parseChunk('So {"a": 9}.</think>{"a": 1}')) {
 *   if (eventType === 'reset' || path === 'a') console.log(eventType, value)
 * }
 * ```
 * ```text
 * delta 9
 * done 9
 * reset null
 * delta 1
 * done 1
 * ```
 */
export interface FieldReset extends FieldEvent<never> {
  /** The events of the document are withdrawn. */
  eventType: 'reset'
  /** The root. */
  path: ''
  /** Always null. */
  value: null
  /** Always null. */
  delta: null
  /** Another document comes. */
  isComplete: false
  /** There is no document now. */
  fullData: undefined
  /** The root. */
  wildcardPath: ''
  /** There is no end. */
  completionSource: null
}

/**
 * A fault in the document, passed over. `path` is the innermost object or array. Not with `completion: 'order'`.
 *
 * @example
 * ```ts
 * import { StreamingJSONParser } from 'tokenweir/fields'
 *
 * for (const event of new StreamingJSONParser().parseChunk('{"a": , "b": 1}')) {
 *   if (event.eventType === 'error') console.log(event.code, event.span)
 * }
 * ```
 * ```text
 * missing-value [ 6, 6 ]
 * ```
 */
export interface FieldError<Data = JsonValue> extends FieldEvent<Data> {
  /** The document has a fault. */
  eventType: 'error'
  /** Always null. */
  value: null
  /** Always null. */
  delta: null
  /** The parser goes on. */
  isComplete: false
  /** There is no end. */
  completionSource: null
  /** Which fault it is. */
  code: FieldErrorCode
  /** The fault and its place, in a sentence. */
  message: string
  /** Where the text at fault is. */
  span: Span
}

/**
 * Text outside of values: prose, keys, brackets, commas, comments, layout. Only with `spans`.
 *
 * @example
 * ```ts
 * import { StreamingJSONParser } from 'tokenweir/fields'
 *
 * const parser = new StreamingJSONParser(undefined, { spans: true })
 * for (const event of parser.parseChunk('Here: {"a": 1}')) {
 *   if (event.eventType === 'markup') console.log(JSON.stringify(event.text), event.span)
 * }
 * ```
 * ```text
 * "Here: " [ 0, 6 ]
 * "{\"a\": " [ 6, 12 ]
 * "}" [ 13, 14 ]
 * ```
 */
export interface FieldMarkup<Data = JsonValue> extends FieldEvent<Data> {
  /** Text outside of values. */
  eventType: 'markup'
  /** It belongs to no field. */
  path: ''
  /** Always null. */
  value: null
  /** Always null. */
  delta: null
  /** It has no end of its own. */
  isComplete: false
  /** It belongs to no field. */
  wildcardPath: ''
  /** There is no end. */
  completionSource: null
  /** The text as it was written. */
  text: string
  /** Where it is. */
  span: Span
}

/**
 * One thing that happened, in the order in which it happened.
 *
 * @example
 * ```ts
 * import { type StreamingData, StreamingJSONParser } from 'tokenweir/fields'
 *
 * function show(event: StreamingData) {
 *   if (event.eventType === 'delta' && event.path === 'title') console.log('more', event.delta)
 *   if (event.eventType === 'done' && event.wildcardPath === 'tags[*]') console.log('tag', event.indexes, event.value)
 * }
 * new StreamingJSONParser().parseChunk('{"title": "Hi", "tags": ["a"]}').forEach(show)
 * ```
 * ```text
 * more Hi
 * tag [ 0 ] a
 * ```
 */
export type StreamingData<Value = JsonValue, Data = JsonValue> =
  | FieldDelta<Value, Data>
  | FieldDone<Value, Data>
  | FieldReset
  | FieldError<Data>
  | FieldMarkup<Data>

/**
 * What the document will look like. It distinguishes the document from other brackets in the text, and with
 * `completion: 'order'` what comes before what. Values are not checked; keys that `additionalProperties: false` forbids
 * are left out, each with an error.
 *
 * - Objects of fields, to any depth: `{ title: 'str', meta: { pages: 'int' } }`. A leaf is a type's name: `string`,
 *   `number`, `boolean`, `null`, `array`, `object` or `any`, or `str`, `text`, `int`, `integer`, `float`, `double`,
 *   `bool`, `none`, `list`, `dict`, `map` or `record`. Another word is refused, except by `StreamingJSONParser`, which
 *   replaces Agently's class.
 * - Arrays, with what an element looks like: `{ items: [{ id: 'int' }], tags: ['str'] }`, also as the root.
 *   Several objects or arrays are several kinds of elements: `[{ id: 'int' }, { name: 'str' }]`.
 * - `[type, description]` or `[type, description, ensure]`, as in Agently: `['str', 'one sentence']`,
 *   `[{ id: 'int' }, 'the owner']`.
 * - A JSON schema: `{ type: 'object', properties: { … } }`, `{ type: 'array', items: … }`, one with `$schema`, `$ref`,
 *   `anyOf`, `oneOf` or `allOf`.
 * - Of a single string, number or boolean: `'str'`, or `{ type: 'number' }`. The text is then this value and nothing
 *   else.
 * - A schema of Zod 4.2 or newer, ArkType, or another library whose schemas give their JSON schema
 *   (`~standard.jsonSchema`, `toJSONSchema()` or `toJsonSchema()`).
 *
 * Each form can stand inside the first two.
 *
 * @example
 * ```ts
 * import { type FieldSchema, StreamingJSONParser } from 'tokenweir/fields'
 *
 * const schema: FieldSchema = { title: ['str', 'one sentence'], tags: ['str'], meta: { pages: 'int' } }
 * const parser = new StreamingJSONParser(schema)
 * parser.parseChunk('A list [1] first, then {"title": "Hi"}')
 * console.log(parser.data) // { title: 'Hi' }
 * ```
 */
export type FieldSchema = object | string

/**
 * The options of a parser of fields.
 *
 * @example
 * ```ts
 * import { type FieldOptions, StreamingJSONParser } from 'tokenweir/fields'
 *
 * const options: FieldOptions = { pathStyle: 'slash' }
 * const events = new StreamingJSONParser(undefined, options).parseChunk('{"tags": ["a"]}')
 * console.log(events.filter(({ eventType }) => eventType === 'done').map(({ path }) => path)) // [ '/tags/0', '/tags' ]
 * ```
 */
export interface FieldOptions {
  /**
   * When a value is done: `boundary` when its last character was read; `order` as Agently 4.0.7 guesses it, from the
   * order of the schema's fields. @defaultValue 'boundary'
   */
  completion?: 'boundary' | 'order' | undefined
  /** How paths are written: `dot` is `a.b[0].c`, `slash` is `/a/b/0/c`. @defaultValue 'dot' */
  pathStyle?: 'dot' | 'slash' | undefined
  /** Whether only JSON is read: no JSON5, and nothing of what models do to it. @defaultValue false */
  strict?: boolean | undefined
  /** Whether documents after the first are emitted too, with their `documentIndex`. @defaultValue false */
  multiple?: boolean | undefined
  /**
   * Whether `fullData`, and values that are objects or arrays, are copies of their own in each event. Costs time and
   * memory. @defaultValue false
   */
  snapshot?: boolean | undefined
  /**
   * Most objects and arrays in each other, from 1 to 4,096; what lies deeper is left out with the error `too-deep`.
   * @defaultValue 512
   */
  maxDepth?: number | undefined
  /** Whether events carry their `span`, and markup is emitted. @defaultValue false */
  spans?: boolean | undefined
  /**
   * Whether the chat template has already opened the thinking: the stream begins inside it, and its first closing tag
   * ends it. An opening tag that the server repeats is accepted. @defaultValue false
   */
  startWithThinking?: boolean | undefined
  /**
   * What a whole number beyond 2^53 becomes, which a number can't hold: the nearest number, its digits as a string, or
   * a bigint. `string` and `bigint` need `completion: 'boundary'`. @defaultValue 'number'
   */
  bigNumbers?: 'number' | 'string' | 'bigint' | undefined
  /**
   * `'text'`: a document in Markdown code is text, in inline code or in a fence of another language than `json`,
   * `json5` or `jsonc`. A fence without a language is searched. @defaultValue 'parse'
   */
  fences?: 'parse' | 'text' | undefined
}

/**
 * The same options, by the name of their class.
 *
 * @example
 * ```ts
 * import { StreamingJSONParser, type StreamingJSONParserOptions } from 'tokenweir/fields'
 *
 * const options: StreamingJSONParserOptions = { multiple: true }
 * const parser = new StreamingJSONParser(undefined, options)
 * parser.parseChunk('{"a": 1} {"b": 2}')
 * console.log(parser.documents) // [ { a: 1 }, { b: 2 } ]
 * ```
 */
export type StreamingJSONParserOptions = FieldOptions

/**
 * The options of `parsePartial`.
 *
 * @example
 * ```ts
 * import { type PartialOptions, parsePartial } from 'tokenweir/fields'
 *
 * const options: PartialOptions = { schema: { title: 'str' } }
 * console.log(parsePartial('A list [1] first, then {"title": "Hi', options)) // { title: 'Hi' }
 * ```
 */
export interface PartialOptions {
  /** As in `FieldOptions`. @defaultValue false */
  strict?: boolean | undefined
  /** As in `FieldOptions`. @defaultValue 512 */
  maxDepth?: number | undefined
  /** As in `FieldOptions`. @defaultValue false */
  startWithThinking?: boolean | undefined
  /** As in `FieldOptions`. @defaultValue 'number' */
  bigNumbers?: 'number' | 'string' | 'bigint' | undefined
  /** As in `FieldOptions`. @defaultValue 'parse' */
  fences?: 'parse' | 'text' | undefined
  /** What the document looks like. */
  schema?: FieldSchema | null | undefined
}

/**
 * A report on what a parser has read.
 *
 * @example
 * ```ts
 * import { type FieldReport, StreamingJSONParser } from 'tokenweir/fields'
 *
 * const parser = new StreamingJSONParser()
 * parser.parseChunk("{'a': 1,}")
 * const report: FieldReport = parser.report
 * console.log(report.isComplete, report.tolerated) // true [ 'single-quotes', 'trailing-comma' ]
 * ```
 */
export interface FieldReport {
  /** How many documents were emitted and not withdrawn. */
  readonly documents: number
  /** Whether the last document was read to its closing bracket. */
  readonly isComplete: boolean
  /** How many documents were emitted and then withdrawn. */
  readonly resets: number
  /** How many faults there were, by code. Codes that did not occur are absent. */
  readonly errors: Readonly<Partial<Record<FieldErrorCode, number>>>
  /**
   * Names of the rules by which text that is not valid JSON was read all the same, sorted: `trailing-comma`,
   * `single-quotes` …
   */
  readonly tolerated: readonly string[]
}
