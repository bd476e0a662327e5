/**
 * Only the field parser, ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export { ParseError } from '../errors.js'
export { NoDocumentError } from '../fields/no-document.js'
export {
  type ContinuedFields,
  FieldEvents,
  type FieldHandler,
  type FieldsJournal,
  parseFields,
} from '../fields/parse-fields.js'
export { type FieldRestoreOptions, FieldStream, StreamingJSONParser, parsePartial } from '../fields/parser.js'
export type * from '../fields/infer.js'
export type * from '../fields/types.js'
export { SchemaError, type SchemaIssue, type SchemaIssueStep } from '../schema/validation.js'
export type { StreamEnd } from '../finish-reason.js'
export type { KeepTextOptions, Snapshot } from '../journal.js'
export type { SourceOptions, TextSource } from '../sources.js'
export type { Span } from '../span.js'
export { warm } from '../wasm/start.js'
