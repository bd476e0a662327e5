// A document while it is written: what there is of it, and what of it is done.
//
//     {"a": 1, "list": [{"b": "te|          frames   {a, list → 1}   [0 →]   {b →}       text  "te"
//
// What is open is on one path, a frame for each container; everything else is done, since no later text can change
// it. A container that `partial` gave is copied before it changes, so that what was given stays as it is.

import { type BigNumbers, numberAs } from '../json/digits.js'
import { decodeJson, type JsonHandler } from '../json/decoder.js'
import type { JsonValue } from '../json/value.js'
import type { Step } from '../json/path.js'
import { Joined } from '../joined.js'
import { put } from '../own.js'

type Container = JsonValue[] | { [key: string]: JsonValue }

/** What a document says while it is read. */
export interface DocumentEvents {
  /** A string, an object or an array begins at the document's path. */
  begin(kind: 'string' | 'object' | 'array'): void
  /** The open string has grown. */
  grow(text: string): void
  /** A value at the document's path is done. */
  done(value: JsonValue): void
  /** A member has the name of one before it; its name begins at a place. False: the last one counts. */
  repeated(at: number): void
}

/** A container that is open. */
export class Frame {
  value: Container = {}
  /** Whether it was given away, and has to be copied before it changes. */
  isGiven = false
  /** The member or the element that is open, was the last, or comes next. */
  step: Step = ''

  static of(isObject: boolean): Frame {
    const frame = new Frame()
    if (!isObject) Object.assign(frame, { value: [], step: 0 })
    return frame
  }

  /** Sets the value of the member or the element. */
  set(value: JsonValue): void {
    const { step } = this
    const had = this.value as Record<Step, JsonValue>
    if (Object.hasOwn(had, step) && Object.is(had[step], value)) return
    if (this.isGiven) this.value = copied(this.value)
    this.isGiven = false
    putIn(this.value, step, value)
  }
}

function copied(container: Container): Container {
  return Array.isArray(container) ? [...container] : { ...container }
}

function putIn(container: Container, step: Step, value: JsonValue): void {
  if (typeof step === 'number') (container as JsonValue[])[step] = value
  else put(container as Record<string, JsonValue>, step, value)
}

/** Takes the tokens of one text. */
export class Document implements JsonHandler {
  /** What is open, the innermost last. */
  readonly frames: Frame[] = []
  /** The whole value, once it is done. */
  value: JsonValue | undefined
  isDone = false
  /** Whether a string is open; what has come of it, and that as one text, once it was asked for. */
  isInText = false
  private readonly joined = new Joined()
  private shown: string | undefined
  /** The name of a member as far as it has come, and where it began. */
  key = ''
  private keyStart = -1
  /** Whether `partial` has changed, or a value was completed, since this was last set to false. */
  hasChanged = false

  constructor(
    private readonly events: DocumentEvents,
    private readonly bigNumbers: BigNumbers = 'number',
  ) {}

  /** The open string as far as it has come. */
  get text(): string | undefined {
    return this.isInText ? (this.shown ??= this.joined.toString()) : undefined
  }

  /** A record of JSON, with the text at its place. */
  record(word: number, written: string, start: number, end: number): void {
    decodeJson(word, written, start, end, this)
  }

  /** A string begins, unless it has. */
  beginString(): void {
    if (this.isInText) return
    this.isInText = true
    this.hasChanged = true
    this.events.begin('string')
  }

  open(isObject: boolean): void {
    this.events.begin(isObject ? 'object' : 'array')
    this.frames.push(Frame.of(isObject))
    this.hasChanged = true
  }

  close(): void {
    this.complete((this.frames.pop() as Frame).value)
  }

  piece(piece: string, isKey: boolean, start = 0): void {
    if (isKey) {
      if (this.keyStart < 0) this.keyStart = start - 1
      this.key += piece
      return
    }
    this.beginString()
    this.joined.add(piece)
    this.shown = undefined
    this.hasChanged = true
    this.events.grow(piece)
  }

  end(isKey: boolean, end: number): void {
    if (isKey) return this.endKey(end)
    this.beginString()
    const value = this.text as string
    this.isInText = false
    this.joined.clear()
    this.shown = undefined
    this.complete(value)
  }

  number(digits: string): void {
    this.complete(numberAs(digits, this.bigNumbers))
  }

  word(value: true | false | null): void {
    this.complete(value)
  }

  private endKey(end: number): void {
    const frame = this.frames.at(-1) as Frame
    const start = this.keyStart < 0 ? end - 1 : this.keyStart
    frame.step = this.key
    this.key = ''
    this.keyStart = -1
    if (Object.hasOwn(frame.value, frame.step)) this.events.repeated(start)
  }

  /** A value is done. */
  private complete(value: JsonValue): void {
    const frame = this.frames.at(-1)
    this.hasChanged = true
    if (frame === undefined) {
      this.value = value
      this.isDone = true
    } else frame.set(value)
    this.events.done(value)
    if (typeof frame?.step === 'number') frame.step++
  }

  /** The steps to the value that is open, was the last, or comes next. */
  path(): Step[] {
    return this.frames.map(({ step }) => step)
  }

  /** The steps to what is open, the innermost; `isScalar`: a number or a word is. */
  openPath(isScalar: boolean): Step[] | undefined {
    const isInside = isScalar || this.isInText
    if (this.isDone || (this.frames.length === 0 && !isInside)) return undefined
    const path = this.path()
    if (!isInside) path.pop()
    return path
  }

  /** The document as far as it has come, without open numbers and words. */
  partial(): JsonValue | undefined {
    if (this.isDone) return this.value
    let inner: JsonValue | undefined = this.text
    for (let at = this.frames.length - 1; at >= 0; at--) {
      const frame = this.frames[at] as Frame
      if (inner !== undefined) frame.set(inner)
      frame.isGiven = true
      inner = frame.value
    }
    return inner
  }

  /** `partial` with an open number, which leaves no trace in later results. */
  partialWith(digits: string): JsonValue {
    let inner: JsonValue = numberAs(digits, this.bigNumbers)
    for (let at = this.frames.length - 1; at >= 0; at--) {
      const { value, step } = this.frames[at] as Frame
      const container = copied(value)
      putIn(container, step, inner)
      inner = container
    }
    return inner
  }
}
