// Gemini's `partialArgs`: pieces of arguments, each with the path of its place, as the JSON text that they stand for.
//
//     { jsonPath: '$.city', stringValue: 'Zü', willContinue: true }        {"city":"Zü
//     { jsonPath: '$.city', stringValue: 'rich' }                          rich"
//     { jsonPath: '$.days[0]', numberValue: 2 }                            ,"days":[2
//
// Source: docs.cloud.google.com, "Function calling", `partialArgs` and `willContinue`.

import { stepsOfJsonPath, type Step } from '../json/path.js'
import { fieldsOf, stringOf } from '../untrusted.js'
import type { Frame } from './document.js'
import type { Reading } from './reading.js'

/**
 * A piece of a call's arguments, as Gemini streams them.
 *
 * @example
 * ```ts
 * import type { PartialArg } from 'tokenweir/args'
 *
 * const piece: PartialArg = { jsonPath: '$.city', stringValue: 'Por', willContinue: true }
 * console.log(piece.jsonPath) // $.city
 * ```
 */
export interface PartialArg {
  /** Where it belongs: `$.city`, `$.days[0]`. */
  readonly jsonPath?: string | undefined
  /** A piece of a string. */
  readonly stringValue?: string | undefined
  /** A number. */
  readonly numberValue?: number | undefined
  /** A word. */
  readonly boolValue?: boolean | undefined
  /** Null. */
  readonly nullValue?: unknown
  /** Whether the string goes on in a later piece. */
  readonly willContinue?: boolean | undefined
}

/** Writes pieces as JSON; without any, what closes all that is open. */
export function writePieces(reading: Reading, pieces: readonly PartialArg[] | undefined): void {
  for (const piece of pieces ?? []) writePiece(reading, piece)
  if (pieces !== undefined) return
  closeString(reading)
  closeTo(reading, 0)
}

function writePiece(reading: Reading, given: PartialArg): void {
  const { document } = reading
  const piece = fieldsOf(given) ?? {}
  const path = stringOf(piece['jsonPath'])
  const steps = stepsOfJsonPath(path)
  const text = textOf(piece)
  if (steps === undefined || text === undefined)
    return reading.refuse(`the piece ${JSON.stringify(given)} has no path or no value`)
  const isString = text.startsWith('"')
  const end = isString && piece['willContinue'] !== true ? '"' : ''
  const isMore = document.isInText && isSame(document.path(), steps)
  if (isMore && isString) return reading.write(text.slice(1) + end)
  closeString(reading)
  if (!goTo(reading, steps)) return reading.refuse(`${path} is in what has closed, or isn't the next element`)
  // White space ends a number.
  reading.write(text + (isString ? end : ' '))
}

/** A value as JSON; of a string, without its closing quote. */
function textOf(piece: Readonly<Record<string, unknown>>): string | undefined {
  if ('nullValue' in piece) return 'null'
  const value = piece['stringValue'] ?? piece['numberValue'] ?? piece['boolValue']
  if (typeof value === 'string') return JSON.stringify(value).slice(0, -1)
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : undefined
}

function isSame(path: readonly Step[], other: readonly Step[]): boolean {
  return path.length === other.length && path.every((step, at) => step === other[at])
}

function closeString(reading: Reading): void {
  if (reading.document.isInText) reading.write('"')
}

/** Closes containers until so many are open. */
function closeTo(reading: Reading, count: number): void {
  const { frames } = reading.document
  while (frames.length > count) reading.write(Array.isArray((frames.at(-1) as Frame).value) ? ']' : '}')
}

/** Writes what leads to a place. False if there is no way. */
function goTo(reading: Reading, steps: readonly Step[]): boolean {
  const { document } = reading
  const { frames } = document
  let shared = 0
  // The innermost container's step is of what is done, or comes next.
  while (shared < frames.length - 1 && frames[shared]?.step === steps[shared]) shared++
  if (document.isDone || (frames.length > 0 && steps.length <= shared)) return false
  closeTo(reading, shared + 1)
  if (frames.length === 0 && steps.length > 0) reading.write(opening(steps[0]))
  for (let at = Math.max(0, frames.length - 1); at < steps.length; at++) {
    const step = steps[at] as Step
    const { value, step: next } = frames[at] as Frame
    if (Array.isArray(value) ? step !== next : typeof step !== 'string') return false
    const comma = Object.keys(value).length > 0 ? ',' : ''
    reading.write(comma + (typeof step === 'string' ? `${JSON.stringify(step)}:` : ''))
    if (at + 1 < steps.length) reading.write(opening(steps[at + 1]))
    if (reading.fault !== undefined) return true
  }
  return true
}

function opening(step: Step | undefined): string {
  return typeof step === 'number' ? '[' : '{'
}
