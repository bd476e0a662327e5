/**
 * The arguments of a call while they are written: which values are done, and what there is of the others.
 *
 * @packageDocumentation
 */
export { ArgumentsReader, type ArgumentsOptions, type ReplayOptions } from '../args/reader.js'
export type { ArgumentsFault, FaultCode } from '../args/reading.js'
export { CutOffError } from '../args/hooks.js'
export type { PartialArg } from '../args/pieces.js'
export { type ParseStreamingOptions, parseStreaming } from '../args/parse-streaming.js'
export type { Step } from '../args/steps.js'
export type * from '../args/reader.js'
export { ParseError } from '../errors.js'
export { SchemaError, type SchemaIssue, type SchemaIssueStep } from '../schema/validation.js'
export {
  type ArgumentsCall,
  CallArguments,
  type CallArgumentsOptions,
} from '../args/call-arguments.js'
export { type InputCallbacks, inputCallbacks } from '../args/input-callbacks.js'
export type { Snapshot } from '../journal.js'
export type { CallBlockEvent, CallChunkMeta } from '../args/stream-calls.js'
export { warm } from '../wasm/start.js'
