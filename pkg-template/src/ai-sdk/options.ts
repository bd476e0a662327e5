// The options of the middleware, checked once.

import { type OptionTable, choice, elsewhere, flag, pickOptions } from '../options.js'
import { checkCallOptions, PARSER_OPTIONS } from '../tool-calls/options.js'
import type { MiddlewareOptions, ToolCallMiddlewareOptions } from './types.js'

/** The function that errors name. */
export const NAME = 'createToolMiddleware'

/** The options of `createToolMiddleware`'s `options`. */
export const MIDDLEWARE_OPTIONS = {
  ...PARSER_OPTIONS,
  forcedToolChoice: [choice('generate', 'stream')],
  withoutCall: [choice('unknown', 'text')],
  toolResultMedia: [choice('user', 'placeholder')],
  keepResponseFormat: [flag],
} satisfies OptionTable<MiddlewareOptions>

const REQUEST_OPTIONS = {
  ...MIDDLEWARE_OPTIONS,
  debugSummary: [elsewhere],
  emitRawToolCallTextOnError: [elsewhere],
  originalTools: [elsewhere],
  toolChoice: [elsewhere],
  promptWarnings: [elsewhere],
} satisfies OptionTable<ToolCallMiddlewareOptions>

/**
 * Refuses options of a request that can't be.
 *
 * @throws TypeError that names the option.
 */
export function checkRequestOptions(place: string, options: object | undefined): void {
  checkCallOptions(place, options, REQUEST_OPTIONS)
}

/** Those that the parser takes: it refuses the others. */
export function parserOptions(options: MiddlewareOptions): MiddlewareOptions {
  return pickOptions(PARSER_OPTIONS, options)
}

/** Options over others. One that is `undefined` doesn't hide a default. */
export function mergeOptions(defaults: MiddlewareOptions | undefined, options: MiddlewareOptions): MiddlewareOptions {
  return pickOptions(MIDDLEWARE_OPTIONS, options, defaults)
}
