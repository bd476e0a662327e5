// Writes the input of one call: JSON without layout, while its arguments come.
//
//     member a, text x      {"a":"x"
//     member b, value 1     {"a":"x","b":1
//     member a, value 2     aside: ,"a":2
//     settle                {"a":2,"b":1}, which replaces what was written
//
// What was written can't be taken back. So from a member on that was written before all goes aside, and at the end the
// input comes again, with each key once.
//
// Source: spec/policy.md, 7.

import { Joined } from '../joined.js'
import { eachKeyOnce } from '../schema/to-json.js'
import { isHighHalf } from '../surrogates.js'

/** Takes the input of a call. */
export interface InputSink {
  /** More of it. */
  addInput(json: string): void
  /** All that was added. */
  readonly written: string
  /** It is another one than was added. */
  rewrite(json: string): void
}

/** What can't stand in a JSON string as it is, and halves of surrogate pairs, which may stand alone. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

const NO_KEYS: ReadonlySet<string> = new Set()

/** An object or a list that is open. */
export class Level {
  /** Its keys, if it is an object. */
  readonly keys = new Set<string>()
  hasValues = false

  constructor(readonly isObject: boolean) {}
}

/** Writes the input of one call. */
export class ArgumentWriter {
  /** Whether a string is open. */
  isInText = false
  private readonly levels: Level[] = []
  /** The first half of a surrogate pair at the end of that string: the other half may be an escape. */
  private half = ''
  /** Units that were written, and those before the string that is open. */
  private length = 0
  private textFrom = 0
  /** What is written before it may go out. */
  private held: Joined | undefined
  /** Whether a member came again; what is written from it on. */
  private isRepeated = false
  private again: Joined | undefined

  constructor(private readonly sink: InputSink) {}

  /** The keys of the innermost object. */
  get keys(): ReadonlySet<string> {
    return this.levels.at(-1)?.keys ?? NO_KEYS
  }

  /** The string that is open, as it is written so far. */
  get textSoFar(): string {
    return (this.sink.written + (this.again?.toString() ?? '')).slice(this.textFrom)
  }

  /** Nothing goes out before `settle` or `takeHeld`. */
  hold(): void {
    this.held = new Joined()
  }

  /** What did not go out, and will not. */
  takeHeld(): string {
    const held = this.held?.toString() ?? ''
    this.held = undefined
    return held
  }

  /** An object or a list opens. */
  open(isObject: boolean): void {
    this.levels.push(new Level(isObject))
    this.put(isObject ? '{' : '[')
  }

  /** The innermost closes. */
  close(): void {
    this.put(this.levels.pop()?.isObject === true ? '}' : ']')
  }

  /**
   * A member begins: of the innermost object, or of the one that opens with it. False if its key came before; then it
   * goes aside, unless it `stays` with the others up to the end.
   */
  member(key: string, stays = false): boolean {
    if (this.levels.length === 0) this.open(true)
    const { keys } = this.levels.at(-1) as Level
    const isNew = !keys.has(key)
    if (!isNew && stays) this.isRepeated = true
    else if (!isNew) this.repeat()
    keys.add(key)
    this.item()
    // Not by a template, which turns each part into a string first.
    this.put((ESCAPED.test(key) ? JSON.stringify(key) : '"' + key + '"') + ':')
    return isNew
  }

  /** An item of the innermost list begins. */
  item(): void {
    const level = this.levels.at(-1) as Level
    if (level.hasValues) this.put(',')
    level.hasValues = true
  }

  /** A string begins. */
  beginText(): void {
    this.isInText = true
    this.put('"')
    this.textFrom = this.length
  }

  /** More of it. */
  text(piece: string): void {
    const whole = this.half + piece
    const isCut = isHighHalf(whole.charCodeAt(whole.length - 1))
    this.half = isCut ? whole.slice(-1) : ''
    this.put(escaped(isCut ? whole.slice(0, -1) : whole))
  }

  /** It ends. */
  endText(): void {
    this.isInText = false
    const { half } = this
    this.half = ''
    this.put(escaped(half) + '"')
  }

  /** JSON as it is: a value, or a part of one. */
  put(json: string): void {
    if (json === '') return
    this.length += json.length
    if (this.again !== undefined) this.again.add(json)
    else if (this.held === undefined) this.sink.addInput(json)
    else this.held.add(json)
  }

  /** A member comes again: what is written from here on goes aside. */
  repeat(): void {
    this.isRepeated = true
    this.again ??= new Joined()
  }

  /** Closes what is open; an object without members if nothing was written. */
  finish(): void {
    while (this.levels.length > 0) this.close()
    if (this.length === 0) this.put('{}')
  }

  /** The input is whole: gives what did not go out, and all again where a member came again. `once` joins members. */
  settle(once: (json: string) => string = eachKeyOnce): void {
    const { again, held, sink } = this
    const written = () => (held?.toString() ?? sink.written) + (again?.toString() ?? '')
    const whole = this.isRepeated ? once(written()) : undefined
    this.isRepeated = false
    this.again = this.held = undefined
    if (held !== undefined) sink.addInput(whole ?? held.toString())
    else if (whole !== undefined) sink.rewrite(whole)
  }
}

/** A text as it stands between the quotes, as `JSON.stringify` writes it. */
function escaped(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
