// `parseStreaming`: the whole prefix at each delta, as programs have it that parse again and again.
//
// The last texts and their readings are remembered; of a text that has grown, the new end is read.

import { requireString } from '../errors.js'
import type { JsonValue } from '../json/value.js'
import { type OptionTable, callback, checkOptions, word } from '../options.js'
import { type ArgumentsFault, Reading } from './reading.js'

/**
 * Options of `parseStreaming`.
 *
 * @example
 * ```ts
 * import { type ParseStreamingOptions, parseStreaming } from 'tokenweir/args'
 *
 * const options: ParseStreamingOptions = { numbers: 'open' }
 * console.log(parseStreaming('{"n": 12', options)) // { n: 12 }
 * ```
 */
export interface ParseStreamingOptions {
  /** `'open'`: a number that may go on is in the value too, as far as it has come. @defaultValue 'done' */
  numbers?: 'done' | 'open' | undefined
  /** Called if the text can't be read on: the value is what came before. */
  onFault?: ((fault: ArgumentsFault) => unknown) | undefined
}

const OPTIONS = {
  numbers: [word('done', 'open'), 'done'],
  onFault: [callback],
} satisfies OptionTable<ParseStreamingOptions>

const LIMITS = { maxDepth: 512, maxLength: 2 ** 40, bigNumbers: 'number', rules: 0, takesRepeated: true } as const

const NOBODY = { begin: () => {}, grow: () => {}, done: () => {}, fault: () => {} }

/** A text, and what was read of it. */
interface Remembered {
  text: string
  readonly reading: Reading
}

/** So many texts are remembered: those of calls in parallel. */
const MOST = 4

let remembered: Remembered[] = []

/**
 * Gives the value of the beginning of a JSON text: of a whole text what `JSON.parse` gives, of a prefix what is done,
 * open objects and arrays, and open strings as far as they have come; `undefined` of nothing. In place of
 * `parse(prefix)` of partial-json. It never throws for a string.
 *
 * A text that has grown since the last calls is read on, and not again; what hasn't changed is the same object as
 * before, so don't change it. A program that has the deltas takes an `ArgumentsReader`, which needs no prefixes.
 *
 * @throws TypeError for what isn't a string, and for an unknown option.
 * @example
 * ```ts
 * import { parseStreaming } from 'tokenweir/args'
 *
 * console.log(parseStreaming('{"path": "a.txt", "line": 1'), parseStreaming('{"path": "a.txt", "line": 12}'))
 * // → { path: 'a.txt' } { path: 'a.txt', line: 12 }
 * ```
 */
export function parseStreaming(text: string, options?: ParseStreamingOptions): JsonValue | undefined {
  requireString('parseStreaming', text)
  checkOptions('parseStreaming', options, OPTIONS, '.')
  const { reading } = read(text)
  const { document, fault, openNumber } = reading
  if (fault !== undefined) options?.onFault?.(fault)
  // A number that is all of the text is whole.
  const isOpen = openNumber !== undefined && (options?.numbers === 'open' || document.frames.length === 0)
  return isOpen ? document.partialWith(openNumber) : document.partial()
}

/** The reading of a text, from where one of its beginnings was read. */
function read(text: string): Remembered {
  let found: Remembered | undefined
  for (const each of remembered) {
    const { length } = each.text
    if (length > text.length || (found !== undefined && found.text.length >= length)) continue
    // `startsWith` compares by characters, and takes many times as long.
    if ((length === text.length ? text : text.slice(0, length)) === each.text) found = each
  }
  found ??= { text: '', reading: new Reading(LIMITS, NOBODY) }
  if (text.length > found.text.length) found.reading.write(text.slice(found.text.length))
  found.text = text
  remembered = [found, ...remembered.filter((each) => each !== found)].slice(0, MOST)
  return found
}
