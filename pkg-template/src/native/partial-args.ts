// Arguments of a call of Gemini that come in pieces, each with the path of its place.
//
//     { jsonPath: '$.city', stringValue: 'Zü' }  { jsonPath: '$.city', stringValue: 'rich' }  { jsonPath: '$.days[0]',
// numberValue: 2 }
//
// Source: docs.cloud.google.com, "Function calling", `partialArgs` and `willContinue`.

import { stepsOfJsonPath } from '../json/path.js'
import { put } from '../own.js'
import { fieldsOf, jsonOf, stringOf } from '../untrusted.js'

/** Puts the pieces together. */
export class PartialArgs {
  /** Whether each piece had a place. */
  isWhole = true
  private readonly args: Record<string, unknown> = {}

  /** Takes a piece. */
  add(item: unknown): void {
    const piece = fieldsOf(item) ?? {}
    const value = 'nullValue' in piece ? null : (piece['stringValue'] ?? piece['numberValue'] ?? piece['boolValue'])
    if (!this.addAt(stringOf(piece['jsonPath']), value)) this.isWhole = false
  }

  /** Takes arguments that are not in pieces. */
  addAll(args: unknown): void {
    for (const [name, value] of Object.entries(fieldsOf(args) ?? {})) put(this.args, name, value)
  }

  /** The arguments so far. */
  toString(): string {
    return jsonOf(this.args)
  }

  /** Puts a value in its place; text is added to the text there. False if there is no such place. */
  private addAt(path: string, value: unknown): boolean {
    const steps = stepsOfJsonPath(path)
    const last = steps?.pop()
    if (steps === undefined || last === undefined || value === undefined) return false
    let place: object = this.args
    for (const [at, step] of steps.entries()) {
      if (!hasPlace(place, step)) return false
      if (!Object.hasOwn(place, step))
        put(place as Record<string, unknown>, String(step), typeof (steps[at + 1] ?? last) === 'number' ? [] : {})
      const inner = (place as Record<string | number, unknown>)[step]
      if (typeof inner !== 'object' || inner === null) return false
      place = inner
    }
    if (!hasPlace(place, last)) return false
    const before = Object.hasOwn(place, last) ? (place as Record<string | number, unknown>)[last] : undefined
    put(
      place as Record<string, unknown>,
      String(last),
      typeof before === 'string' && typeof value === 'string' ? before + value : value,
    )
    return true
  }
}

/** A list grows by one element at a time, and has no names. */
function hasPlace(place: object, step: string | number): boolean {
  return Array.isArray(place) ? typeof step === 'number' && step <= place.length : typeof step === 'string'
}
