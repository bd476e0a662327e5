// The options of the middleware, checked once.

import { describe, requireBoolean } from '../errors.js'
import { own } from '../own.js'
import { checkOptions, PARSER_OPTIONS } from '../tool-calls/options.js'
import type { MiddlewareOptions } from './types.js'

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  forcedToolChoice: ['generate', 'stream'],
  withoutCall: ['unknown', 'text'],
  toolResultMedia: ['user', 'placeholder'],
}

/** Those that are the middleware's own. */
const OWN_OPTIONS: readonly string[] = [...Object.keys(CHOICES), 'keepResponseFormat']

/** The options of `createToolMiddleware`'s `options`. */
export const MIDDLEWARE_OPTIONS: readonly string[] = [...PARSER_OPTIONS, ...OWN_OPTIONS]

/**
 * Refuses options that can't be.
 *
 * @throws TypeError that names the option.
 */
export function checkMiddlewareOptions(place: string, options: object | undefined, known: readonly string[]): void {
  checkOptions(place, options, known)
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = own(options, name)
    if (value !== undefined && !choices.includes(value as string))
      throw new TypeError(`${place}: ${name} must be one of ${choices.join(', ')}, but is ${describe(value)}`)
  }
  requireBoolean(`${place}: keepResponseFormat`, own(options, 'keepResponseFormat'))
}

/** Those that the parser takes: it refuses the others. */
export function parserOptions(options: MiddlewareOptions): MiddlewareOptions {
  return picked(options, PARSER_OPTIONS)
}

/** Options over others. One that is `undefined` doesn't hide a default. */
export function mergeOptions(defaults: MiddlewareOptions | undefined, options: MiddlewareOptions): MiddlewareOptions {
  return { ...picked(defaults, MIDDLEWARE_OPTIONS), ...picked(options, MIDDLEWARE_OPTIONS) }
}

function picked(options: object | undefined, names: readonly string[]): MiddlewareOptions {
  const found: Record<string, unknown> = {}
  for (const name of names) {
    const value = own(options, name)
    if (value !== undefined) found[name] = value
  }
  return found
}
