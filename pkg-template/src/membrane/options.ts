// The options of membrane's functions.

import { type Check, type OptionTable, callback, elsewhere, must, word } from '../options.js'
import { fieldsOf } from '../untrusted.js'
import type { BlockParseOptions, ToolParseOptions, ToolTextOptions } from './types.js'

/** The options of functions that look for calls. */
export const TEXT_OPTIONS = {
  tools: [elsewhere],
  fences: [word('parse', 'text')],
} satisfies OptionTable<ToolTextOptions>

const isPlace = (value: unknown) => Number.isInteger(value) && (value as number) >= 0

const envelopes: Check = (place, value) => {
  list(place, value)
  for (const [at, envelope] of (value as readonly unknown[]).entries()) {
    const { start, end } = fieldsOf(envelope) ?? {}
    if (!isPlace(start) || !isPlace(end))
      throw new TypeError(`${place}[${at}] must have start and end, which are whole numbers`)
  }
}
const list = must('an array of places', Array.isArray)

/** The options of functions that give calls. */
export const PARSE_OPTIONS = {
  ...TEXT_OPTIONS,
  generateId: [callback],
  historyLength: [must('a whole number', isPlace)],
  harnessEnvelopes: [envelopes],
  onWarning: [callback],
} satisfies OptionTable<ToolParseOptions>

/** The options of `parseAccumulatedIntoBlocks`. */
export const TO_BLOCKS_OPTIONS = {
  ...PARSE_OPTIONS,
  startInsideBlock: [elsewhere],
} satisfies OptionTable<BlockParseOptions>
