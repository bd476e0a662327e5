// Arguments as JSON, or as a string that is JSON: an object is written while it comes, a string is kept until it can
// be read.

import { JsonRules } from '../generated/ops.js'
import { isNoArguments } from '../json/call-arguments.js'
import type { JsonHandler } from '../json/decoder.js'
import { readJsonObject } from '../json/read.js'
import { maybe, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { JsonArguments } from './json.js'

/** Takes the arguments of one call. */
export class JsonOrText implements JsonHandler {
  static get saved(): SavedClass {
    return { fields: { string: maybe(text) } }
  }
  /** Containers that are open. */
  private depth = 0
  private string: string | undefined

  /** `input` takes an object; without it arguments are only checked. */
  constructor(readonly input: JsonArguments | undefined) {}

  /** The arguments begin. */
  begin(): void {
    this.depth = 0
    this.string = undefined
  }

  open(isObject: boolean): void {
    this.depth++
    this.input?.open(isObject)
  }

  close(): void {
    this.depth--
    this.input?.close()
  }

  piece(text: string, isKey: boolean): void {
    if (this.depth > 0) this.input?.piece(text, isKey)
    else this.string = (this.string ?? '') + text
  }

  end(isKey: boolean): void {
    if (this.depth > 0) this.input?.end(isKey)
    else this.string ??= ''
  }

  number(digits: string): void {
    this.input?.number(digits)
  }

  word(value: true | false | null): void {
    if (this.depth > 0) this.input?.word(value)
  }

  /** Reads the string. `none`: there are no arguments in it; else the rules of JSON that it takes, undefined if none do. */
  readString(): 'none' | number | undefined {
    const text = this.string ?? ''
    this.string = undefined
    return isNoArguments(text) ? 'none' : readJsonObject(text, JsonRules.Call, this.input)
  }
}
