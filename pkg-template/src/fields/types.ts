// The shapes that fields are told in, and what a parser of fields takes.

import type { Span } from '../types.js'

/** A value of a JSON document. Numbers may be `NaN` or infinite, where the model wrote JSON5. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/**
 * How the end of a value was seen.
 *
 * - `observed_boundary`: its last character was read.
 * - `final_reconciliation`: it was whole, but only the end of the text told that this is the document.
 * - `synthetic_repair`: the text ended inside it. What came of it is its value.
 */
export type CompletionSource = 'observed_boundary' | 'final_reconciliation' | 'synthetic_repair'

/** Which fault of the document an error tells of. The parser goes on after each. */
export type FieldErrorCode = 'unexpected-text' | 'missing-value' | 'bad-escape' | 'too-deep' | 'too-long'

/** What each event has, whatever it tells. */
interface FieldEvent {
  /**
   * Where in the document, as in `user.emails[0]`; `''` is the root. A key that is
   * empty or holds `.`, `[` or `]` is quoted: `user["first.name"]`. With
   * `pathStyle: 'slash'` a JSON Pointer: `/user/emails/0`.
   */
  path: string
  /** The document's root, as far as it was read. It grows with the next chunk, unless `snapshot` is set: read it, don't change it. */
  fullData: JsonValue | undefined
  /** The path with `[*]` for each index: `user.emails[*]`, or `/user/emails/[*]`. */
  wildcardPath: string
  /** The indexes in the path, from the outermost. */
  indexes: readonly number[]
  /** Index of the document, from 0. Only with `multiple`, and not of markup. */
  documentIndex?: number
}

/** A value has begun or grown. */
export interface FieldDelta extends FieldEvent {
  eventType: 'delta'
  /** All of the value that was read. */
  value: JsonValue
  /**
   * What is new. Of a string the text that was added: the deltas of a path joined
   * are its value. A number, a boolean or `null` comes whole in one delta.
   */
  delta: JsonValue
  isComplete: false
  completionSource: null
  /** The key came again after it was done, and this is its whole new value. No second `done` follows. */
  replaced?: true
  /** Where the delta was read, from its first character to its last. Only with `spans`. */
  span?: Span
}

/** A value is whole. Told once for each path, after its deltas and after all that is in it. */
export interface FieldDone extends FieldEvent {
  eventType: 'done'
  /** The value. An object or array is the one that is in `fullData`, unless `snapshot` is set. */
  value: JsonValue
  delta: null
  isComplete: true
  completionSource: CompletionSource
}

/** What was told of this document is withdrawn: it was an example or a thought, and another one is the answer. */
export interface FieldReset extends FieldEvent {
  eventType: 'reset'
  path: ''
  value: null
  delta: null
  isComplete: false
  fullData: undefined
  wildcardPath: ''
  completionSource: null
}

/** A fault in the document, passed over. `path` is the innermost object or array. Not with `completion: 'order'`. */
export interface FieldError extends FieldEvent {
  eventType: 'error'
  value: null
  delta: null
  isComplete: false
  completionSource: null
  code: FieldErrorCode
  /** What is wrong and where, in a sentence. */
  message: string
  /** The text that is at fault. */
  span: Span
}

/** Text that is part of no value: prose, keys, brackets, commas, comments, layout. Only with `spans`. */
export interface FieldMarkup extends FieldEvent {
  eventType: 'markup'
  path: ''
  value: null
  delta: null
  isComplete: false
  wildcardPath: ''
  completionSource: null
  /** The text as it was written. */
  text: string
  /** Where it stands. */
  span: Span
}

/**
 * One thing that happened, in the order in which it happened.
 *
 * ```js
 * for (const event of parser.parseChunk(chunk)) {
 *   if (event.eventType === 'delta' && event.path === 'summary') process.stdout.write(event.delta)
 *   if (event.eventType === 'done' && event.wildcardPath === 'items[*]') addRow(event.value)
 * }
 * ```
 */
export type StreamingData = FieldDelta | FieldDone | FieldReset | FieldError | FieldMarkup

/**
 * What the document will look like. It tells the document from other brackets in
 * the text, and with `completion: 'order'` what comes before what; values are not checked.
 *
 * - Objects of fields, to any depth: `{ title: 'str', meta: { pages: 'int' } }`. A leaf is a type's name.
 * - Arrays, with what an element looks like: `{ items: [{ id: 'int' }], tags: ['str'] }`, also as the root.
 *   Several objects or arrays are several kinds of elements: `[{ id: 'int' }, { name: 'str' }]`.
 * - `[type, description]` or `[type, description, ensure]`, as in Agently: `['str', 'one sentence']`, `[{ id: 'int' }, 'the owner']`.
 * - A JSON schema: `{ type: 'object', properties: { … } }`, `{ type: 'array', items: … }`, one with `$schema`, `$ref`, `anyOf`, `oneOf` or `allOf`.
 * - A schema of Zod 4.2 or newer, ArkType, or another library whose schemas give their JSON schema
 *   (`~standard.jsonSchema`, `toJSONSchema()` or `toJsonSchema()`).
 *
 * Each form can stand inside the first two.
 */
export type FieldSchema = object

/** What a parser of fields can be given. All of it is optional. */
export interface FieldOptions {
  /**
   * When a value is done: `boundary` when its last character was read; `order` as
   * Agently 4.0.7 guesses it, from the order of the schema's fields. @defaultValue 'boundary'
   */
  completion?: 'boundary' | 'order' | undefined
  /** How paths are written: `dot` is `a.b[0].c`, `slash` is `/a/b/0/c`. @defaultValue 'dot' */
  pathStyle?: 'dot' | 'slash' | undefined
  /** Whether only JSON is read: no JSON5, and nothing of what models do to it. @defaultValue false */
  strict?: boolean | undefined
  /** Whether documents that follow the first are told too, with their `documentIndex`. @defaultValue false */
  multiple?: boolean | undefined
  /** Whether `fullData`, and values that are objects or arrays, are copies of their own in each event. Costs time and memory. @defaultValue false */
  snapshot?: boolean | undefined
  /** Most objects and arrays in each other, from 1 to 4,096; what lies deeper is left out with the error `too-deep`. @defaultValue 512 */
  maxDepth?: number | undefined
  /** Whether events carry their `span`, and markup is told. @defaultValue false */
  spans?: boolean | undefined
}

/** The same options, by the name of their class. */
export type StreamingJSONParserOptions = FieldOptions

/** What `parsePartial` can be given. All of it is optional. */
export interface PartialOptions {
  /** As in `FieldOptions`. @defaultValue false */
  strict?: boolean | undefined
  /** As in `FieldOptions`. @defaultValue 512 */
  maxDepth?: number | undefined
  /** What the document looks like. */
  schema?: FieldSchema | null | undefined
}

/** What a parser has met. */
export interface FieldReport {
  /** How many documents were told and not withdrawn. */
  readonly documents: number
  /** Whether the last document was read to its closing bracket. */
  readonly isComplete: boolean
  /** How many documents were told and then withdrawn. */
  readonly resets: number
  /** How many faults there were, by code. Codes that did not occur are absent. */
  readonly errors: Readonly<Partial<Record<FieldErrorCode, number>>>
  /** Names of the rules by which text that is no JSON was read all the same, sorted: `trailing-comma`, `single-quotes` … */
  readonly tolerated: readonly string[]
}
