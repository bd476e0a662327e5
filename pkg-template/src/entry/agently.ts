/**
 * The parser that programs of Agently use, on the field parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export { ParseError } from '../errors.js'
export { type FieldRestoreOptions, StreamingJSONParser } from '../fields/parser.js'
export type * from '../fields/infer.js'
export type * from '../fields/types.js'
export type { KeepTextOptions, Snapshot } from '../journal.js'
export type { SourceOptions, TextSource } from '../sources.js'
export type { Span } from '../span.js'
export { warm } from '../wasm/start.js'
