/**
 * What a model changes in files, while it writes it; ready immediately after a plain import.
 *
 * @packageDocumentation
 */
export { ParseError } from '../errors.js'
export { EditArguments } from '../edits/arguments.js'
export { EditCalls } from '../edits/calls.js'
export { EditParser, extractEdits, parseEdits } from '../edits/parser.js'
export type * from '../edits/types.js'
export type { Snapshot } from '../journal.js'
export type { SourceOptions, TextSource } from '../sources.js'
export type { Span } from '../span.js'
export { warm } from '../wasm/start.js'
