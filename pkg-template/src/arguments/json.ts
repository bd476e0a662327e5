// Reads arguments in JSON, token by token, and gives them the types of the tool's schema.
//
// A value of the kind that its schema expects is written while it comes. Any other
// waits until it is whole, and is coerced then. Both give what `coerceBySchema`
// gives for the whole, since both go by the schema's plan.
//
// Source: spec/tool_call.md, "JSON-mix": arguments are coerced as each value closes.

import { JsonRules } from '../generated/ops.js'
import { isNoArguments } from '../json/call-arguments.js'
import { type JsonHandler, readJsonObject } from '../json/read.js'
import { JsonBuilder, jsonValue } from '../json/value.js'
import { type ArrayPlan, type Coercion, type Member, type ObjectPlan, type Plan, typed } from '../schema/coercion.js'
import { Digits, numberOf } from '../json/digits.js'
import { KEEP_ALL } from '../schema/plans.js'
import { toJson } from '../schema/to-json.js'
import { mayConvert } from './typing.js'
import type { ArgumentWriter } from './writer.js'

/** An object or an array that is being written. */
export class Frame {
  /** Of an object. */
  object: ObjectPlan | undefined
  /** Of an array. */
  array: ArrayPlan | undefined
  /** Values that came. */
  index = 0
  waiting: Map<string, unknown> | undefined

  /** `key`: where it stands, if that is in an object. */
  constructor(
    readonly isObject: boolean,
    readonly key: string,
    plan: Plan,
  ) {
    this.object = this.array = undefined
    this.planBy(plan)
  }

  planBy(plan: Plan): void {
    if (this.isObject) this.object = plan.object
    else this.array = plan.array
  }
}

const KEPT: Member = { schema: undefined, action: 'keep' }

/** Reads arguments in JSON. */
export class JsonArguments implements JsonHandler {
  private readonly frames: Frame[] = []
  /** Whether a member was left out that the schema forbids. */
  hasDropped = false
  /** Whether a key came twice in an object: the last one counts. */
  hasRepeated = false
  /** A key while it comes. */
  private key = ''
  /** Receives the value after it. */
  private member: Member = KEPT
  /** A value that is coerced when it is whole. */
  private builder: JsonBuilder | undefined
  /** Containers that are open in a value that isn't written. */
  private depth = 0
  /** A string, as long as it isn't written while it comes. */
  private waiting = ''
  /** The arguments, where all of them are a string, which may be JSON. */
  private encoded: string | undefined
  private plan: Plan | undefined
  /** Whether that start may be something other than a string. */
  private mayConvert: boolean | 'json' = true
  /** Whether no argument follows. */
  private isEnding = false

  /** `coercion` is undefined where values stay as they are. */
  constructor(
    private readonly coercion: Coercion | undefined,
    private readonly writer: ArgumentWriter,
  ) {}

  /** The keys of the arguments that came. */
  get keys(): readonly string[] {
    return [...this.writer.keys, ...(this.frames[0]?.waiting?.keys() ?? [])]
  }

  open(isObject: boolean): void {
    if (this.#isAside()) {
      this.depth++
      this.builder?.open(isObject)
      return
    }
    const plan = this.#planOfValue()
    const taken = isObject ? plan.object : plan.array
    if (taken === undefined || this.member.action !== 'keep') {
      this.#putAside()
      this.open(isObject)
      return
    }
    this.#begin()
    this.writer.open(isObject)
    this.frames.push(new Frame(isObject, this.memberKey ?? '', plan))
    this.#keep()
  }

  close(): void {
    if (this.depth > 0) {
      this.builder?.close()
      if (--this.depth === 0) this.#take()
      return
    }
    // Members of the call may be arguments, too.
    if (this.frames.length === 1 && !this.isEnding) return
    const frame = this.frames.pop()
    if (frame === undefined) return
    if (frame.object !== undefined && frame.waiting !== undefined) {
      const leftovers = frame.object.leftovers(frame.waiting, this.writer.keys)
      if (leftovers.length < frame.waiting.size) this.hasDropped = true
      for (const [key, value] of leftovers) {
        this.writer.member(key)
        this.writer.put(toJson(value))
      }
    }
    this.writer.close()
    this.#ended()
  }

  piece(text: string, isKey: boolean): void {
    if (this.depth > 0) {
      this.builder?.piece(text)
      return
    }
    if (isKey) {
      this.key += text
      return
    }
    if (this.frames.length === 0) {
      this.encoded = (this.encoded ?? '') + text
      return
    }
    if (this.writer.isInText) {
      this.writer.text(text)
      return
    }
    this.waiting += text
    if (this.member.action !== 'keep') return
    if (this.plan === undefined) this.plan = this.#planOfValue()
    else if (this.mayConvert === 'json') return
    const plan = this.plan
    if (plan.guesses) this.mayConvert = mayConvert(this.waiting)
    if (plan.keepsStrings || (plan.guesses && this.mayConvert === false)) this.#beginString()
  }

  end(isKey: boolean): void {
    if (this.depth > 0) {
      this.builder?.end(isKey)
      return
    }
    if (isKey) {
      const key = this.key
      this.key = ''
      this.#setKey(key)
      return
    }
    if (this.frames.length === 0) {
      this.encoded ??= ''
      return
    }
    const plan = (this.plan ??= this.#planOfValue())
    const { writer } = this
    if (!writer.isInText && plan.keepsStrings && this.member.action === 'keep') this.#beginString()
    this.plan = undefined
    this.mayConvert = true
    const text = this.waiting
    this.waiting = ''
    if (!writer.isInText) {
      this.#whole(text)
      return
    }
    writer.endText()
    this.#ended()
  }

  number(digits: string): void {
    if (this.depth > 0) this.builder?.number(digits)
    else this.#scalar(numberOf(digits), this.#planOfValue().keepsNumbers)
  }

  word(value: true | false | null): void {
    if (this.depth > 0) this.builder?.word(value)
    else if (this.frames.length > 0) this.#scalar(value, this.#planOfValue().keepsWords)
  }

  /** Reads the string: `none` if there are no arguments in it; else the rules of JSON that it takes, if any do. */
  readEncoded(): 'none' | number | undefined {
    const text = this.encoded ?? ''
    this.encoded = undefined
    return isNoArguments(text) ? 'none' : readJsonObject(text, JsonRules.Call, this)
  }

  /** A member of the call, with its JSON, is an argument: false if that came, or can't be read. */
  addMember(key: string, json: string): boolean {
    const [frame] = this.frames
    const isKnown = this.writer.keys.has(key) || frame?.waiting?.has(key) === true
    const value = isKnown || frame?.object === undefined ? undefined : jsonValue(json, JsonRules.Call, { digits: true })
    if (value === undefined) return false
    this.#setKey(key)
    this.#whole(value)
    return true
  }

  /** Closes what is open, and writes `{}` if nothing came. */
  finish(): void {
    this.isEnding = true
    while (this.depth > 0 || this.frames.length > 0) this.close()
    this.writer.finish()
  }

  #setKey(key: string): void {
    const frame = this.frames.at(-1)
    if (frame?.object === undefined) return
    this.member = frame.object.member(key)
    if (this.member.action === 'drop') this.hasDropped = true
    this.memberKey = key
  }

  #keep(): void {
    this.member = KEPT
    this.memberKey = undefined
  }

  /** That of the value which comes next. */
  private memberKey: string | undefined

  #planOfValue(): Plan {
    const { coercion } = this
    if (coercion === undefined) return KEEP_ALL
    return coercion.plan(this.#schemaOfValue())
  }

  #schemaOfValue(): unknown {
    const frame = this.frames.at(-1)
    if (frame === undefined) return this.coercion?.root
    return frame.array === undefined ? this.member.schema : frame.array.element(frame.index)
  }

  /** A value is written now: what stands before it. */
  #begin(): void {
    const frame = this.frames.at(-1)
    if (frame === undefined) return
    if (frame.object === undefined) this.writer.item()
    else if (!this.writer.member(this.memberKey ?? '', true)) this.hasRepeated = true
  }

  #beginString(): void {
    this.#begin()
    this.writer.beginText()
    const text = this.waiting
    this.waiting = ''
    if (text !== '') this.writer.text(text)
  }

  /** A value came to its end. */
  #ended(): void {
    const frame = this.frames.at(-1)
    if (frame !== undefined) frame.index++
    this.#keep()
  }

  #scalar(value: number | Digits | boolean | null, isKept: boolean): void {
    if (isKept && this.member.action === 'keep') {
      this.#begin()
      this.writer.put(toJson(value))
      this.#ended()
    } else {
      this.#whole(value)
    }
  }

  /** A whole value that is not written as it came. */
  #whole(value: unknown): void {
    const { action } = this.member
    if (action === 'wait') {
      const { memberKey: key = '' } = this
      const frame = this.frames.at(-1)
      if (frame?.waiting?.has(key) === true) this.hasRepeated = true
      if (frame !== undefined) (frame.waiting ??= new Map()).set(key, value)
    } else if (action === 'keep') {
      const given = this.coercion === undefined ? value : typed(this.coercion, value, this.#schemaOfValue())
      this.#begin()
      this.writer.put(toJson(given))
    }
    this.#ended()
  }

  #isAside(): boolean {
    return this.depth > 0 || this.builder !== undefined
  }

  #putAside(): void {
    this.builder = new JsonBuilder({ digits: true })
  }

  #take(): void {
    const value = this.builder?.value
    if (this.builder?.hasRepeated === true) this.hasRepeated = true
    this.builder = undefined
    this.#whole(value)
  }
}
