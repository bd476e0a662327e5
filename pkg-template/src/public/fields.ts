// The public names of the field parser.
export { ParseError } from '../errors.js'
export { FieldEvents, parseFields } from '../fields/parse-fields.js'
export type { FieldHandler } from '../fields/parse-fields.js'
export { FieldStream, StreamingJSONParser, parsePartial } from '../fields/parser.js'
export type * from '../fields/types.js'
export type { SourceOptions, TextSource } from '../sources.js'
export type { Span } from '../span.js'
