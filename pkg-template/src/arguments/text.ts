// Reads arguments that are any text: a JSON object, which a `{` begins, or a string.

import { FormatAnswer, JsonRules } from '../generated/ops.js'
import { Joined } from '../joined.js'
import { readJsonObject } from '../json/read.js'
import type { Schema } from '../schema/schema.js'
import { CallBody } from './body.js'
import type { JsonArguments } from './json.js'
import { repairNames } from './repairs.js'
import type { ArgumentWriter } from './writer.js'

/** Reads a text. */
export class TextArguments extends CallBody {
  private readonly body = new Joined()
  private isString = false

  /** `schema` is the tool's, if values get its types; `json` takes an object. */
  constructor(
    private readonly schema: Schema | undefined,
    private readonly json: JsonArguments,
    private readonly writer: ArgumentWriter,
  ) {
    super('text')
  }

  override text(piece: string): void {
    this.body.add(piece)
  }

  /** Whether it is whole: an object ends with its bracket. */
  override ends(): number {
    return this.#isObject(this.body.toString().trim()) ? FormatAnswer.Accept : FormatAnswer.Reject
  }

  override whole(): string | undefined {
    const text = this.body.toString().trim()
    if (text === '') return 'no text follows its name'
    this.isString = !text.startsWith('{')
    if (this.isString) this.writer.put(this.#inputOf(text))
    else if (!this.#isObject(text)) return 'its text begins as a JSON object and is malformed'
    return undefined
  }

  override finish(): undefined {
    if (!this.isString) this.json.finish()
  }

  #isObject(text: string): boolean {
    const used = readJsonObject(text, JsonRules.Call, this.json)
    for (const name of repairNames(used ?? 0, 0)) this.fixes.add(name)
    return used !== undefined
  }

  /** The argument of a tool that has no other, or alone where the tool has several, or takes a text. */
  #inputOf(text: string): string {
    const [name, ...others] = this.schema?.listed ?? []
    const isOne =
      name !== undefined &&
      others.length === 0 &&
      this.schema?.types.has('string') !== true &&
      this.schema?.property(name)?.mayBeString === true
    return isOne ? `{${JSON.stringify(name)}:${JSON.stringify(text)}}` : JSON.stringify(text)
  }
}
