// The options of membrane's functions, checked by name.

import { describe, requireFunction, requireOptions, requireWord } from '../errors.js'
import { fieldsOf } from '../untrusted.js'
import type { ToolParseOptions, ToolTextOptions } from './types.js'

/** Refuses options of functions that give calls. */
export function requireParseOptions(place: string, options: ToolParseOptions, more: readonly string[]): void {
  requireTextOptions(place, options, ['generateId', 'historyLength', 'harnessEnvelopes', 'onWarning', ...more])
  requireFunction(`${place}: generateId`, options.generateId)
  requireFunction(`${place}: onWarning`, options.onWarning)
  const { historyLength, harnessEnvelopes } = options
  if (historyLength !== undefined && !isPlace(historyLength))
    throw new TypeError(`${place}: historyLength must be a whole number, but is ${describe(historyLength)}`)
  if (harnessEnvelopes === undefined) return
  if (!Array.isArray(harnessEnvelopes))
    throw new TypeError(`${place}: harnessEnvelopes must be an array of places, but is ${describe(harnessEnvelopes)}`)
  for (const [at, envelope] of (harnessEnvelopes as readonly unknown[]).entries()) {
    const { start, end } = fieldsOf(envelope) ?? {}
    if (!isPlace(start) || !isPlace(end))
      throw new TypeError(`${place}: harnessEnvelopes[${at}] must have start and end, which are whole numbers`)
  }
}

function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0
}

/** Refuses options that don't exist or have the wrong type. */
export function requireTextOptions(place: string, options: ToolTextOptions, more: readonly string[] = []): void {
  requireOptions(place, options, ['tools', 'fences', ...more])
  requireWord(`${place}: fences`, options.fences, ['parse', 'text'])
}
