// The other arguments of a command: `background` and `timeout_seconds`, which
// are `true` and a number, and written as text in XML.
//
// Source: spec/segment.md, "States"; spec/world.md, 7.2.

import { requireString } from '../errors.js'
import { put } from '../own.js'
import { decodeReferences } from '../references.js'
import { segmentBorder } from '../wasm/borders.js'
import { references } from '../wasm/xml.js'
import type { SegmentMetadata, SegmentValue } from './types.js'

const BACKGROUND = 'background'
const TIMEOUT = 'timeout_seconds'

/** The argument that a name means, in any case of letters: models write `timeoutSeconds` too. */
export function commandArgument(name: string): string | undefined {
  const lowered = name.trim().toLowerCase()
  if (lowered === BACKGROUND) return BACKGROUND
  return lowered === TIMEOUT || lowered === 'timeoutseconds' ? TIMEOUT : undefined
}

/** Its value, if the text is one: a boolean, or a whole number from 1 on. */
export function commandValue(argument: string, text: string): boolean | number | undefined {
  const value = text.trim().toLowerCase()
  if (argument === TIMEOUT) return /^\d+$/.test(value) && Number(value) > 0 ? Number(value) : undefined
  if (value === 'true' || value === '1' || value === 'yes') return true
  return value === 'false' || value === '0' || value === 'no' ? false : undefined
}

/**
 * A text with its references of XML decoded once: the five names, decimal and hexadecimal numbers. Anything else stays.
 * Commands are read so with `turnId` and `eventStyle: 'autobyteus'`.
 *
 * @throws TypeError if the text is not a string.
 * @example
 * ```ts
 * import { decodeXmlEntitiesOnce } from 'tokenweir/autobyteus'
 *
 * console.log(decodeXmlEntitiesOnce('a &amp;amp; b &lt; &#99;')) // a &amp; b < c
 * ```
 */
export function decodeXmlEntitiesOnce(value: string): string {
  requireString('decodeXmlEntitiesOnce', value)
  segmentBorder.requireReady('decodeXmlEntitiesOnce')
  return decodeReferences(references, value)
}

/**
 * Arguments of a command by their own names and with values of their own. A value that can't be read stays what it is.
 */
export function asCommand(given: Readonly<Record<string, unknown>>): SegmentMetadata {
  const values: SegmentMetadata = {}
  for (const name of Object.keys(given)) {
    const argument = commandArgument(name)
    const value = given[name] as SegmentValue
    if (argument === undefined) put(values, name, value)
    // The name that is right goes before the other one.
    else if (argument === name || !Object.hasOwn(given, argument))
      put(values, argument, typeof value === 'string' ? (commandValue(argument, value) ?? value) : value)
  }
  return values
}
