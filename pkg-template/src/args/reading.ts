// Reads one document from its text: what the reader of a call and `parseStreaming` have in common.

import { DOCUMENT_STOPS, DocumentMode, JSON_FAULTS, JSON_PLACES, JsonBits, JsonOp } from '../generated/ops.js'
import type { BigNumbers } from '../json/digits.js'
import type { Decoder, Reader } from '../reader.js'
import { CharacterSet } from '../character-set.js'
import { StreamReader } from '../stream-reader.js'
import { isHighHalf } from '../surrogates.js'
import { ArgumentsSession } from '../wasm/arguments.js'
import { argumentsBorder } from '../wasm/borders.js'
import { Document, type DocumentEvents } from './document.js'

const MODES = DOCUMENT_STOPS.map((stops) => (stops === '' ? undefined : { stops: new CharacterSet(stops) }))

/**
 * Why a model's text can't be read on: an event, not an error.
 *
 * | code | |
 * | --- | --- |
 * | `unexpected-text` | what can't stand there |
 * | `missing-value` | a member without a value |
 * | `bad-escape` | a backslash with something that it can't escape |
 * | `raw-control` | a control character in a string |
 * | `too-deep`, `too-long` | a limit is passed: `maxDepth`, `maxLength`, 4,096 digits |
 * | `duplicate-key` | a second member of a name |
 *
 * @example
 * ```ts
 * import { type ArgumentsFault, ArgumentsReader } from 'tokenweir/args'
 *
 * const call = new ArgumentsReader()
 * call.onFault(({ code, offset }: ArgumentsFault) => console.log(code, offset)) // duplicate-key 9
 * call.write('{"a": 1, "a": 2}')
 * ```
 */
export interface ArgumentsFault {
  /** Stable, kebab-case. */
  readonly code: FaultCode
  /** What is wrong and where, for a person. */
  readonly message: string
  /** Where what can't be read begins: a token, an escape or a name, in UTF-16 code units from the text's start. */
  readonly offset: number
}

/**
 * The code of a fault.
 *
 * @example
 * ```ts
 * import type { FaultCode } from 'tokenweir/args'
 *
 * const code: FaultCode = 'duplicate-key'
 * console.log(code) // duplicate-key
 * ```
 */
export type FaultCode =
  | 'unexpected-text'
  | 'missing-value'
  | 'bad-escape'
  | 'raw-control'
  | 'too-deep'
  | 'too-long'
  | 'duplicate-key'

/** How a document is read. */
export interface ReadingOptions {
  readonly maxDepth: number
  readonly maxLength: number
  readonly bigNumbers: BigNumbers
  /** Tolerated errors, a bit each. */
  readonly rules: number
  /** Whether a second member of a name is read, and counts. */
  readonly takesRepeated: boolean
}

/** What a document says, and why it can't be read on. */
export interface ReadingEvents extends Omit<DocumentEvents, 'repeated'> {
  fault(fault: ArgumentsFault): void
}

/** The document of one text. */
export class Reading implements Decoder {
  readonly modes = MODES
  readonly document: Document
  private readonly session: ArgumentsSession
  private readonly reader: StreamReader
  fault: ArgumentsFault | undefined
  /** How much text was written, in UTF-16 code units. */
  length = 0
  /** Where what was understood last begins and ends. */
  from = 0
  place = 0
  isOver = false
  finishReason: string | undefined

  constructor(
    private readonly options: ReadingOptions,
    private readonly events: ReadingEvents,
  ) {
    const { begin, grow, done } = events
    this.document = new Document({ begin, grow, done, repeated: (at) => this.repeated(at) }, options.bigNumbers)
    this.session = new ArgumentsSession(options.rules, options.maxDepth)
    this.reader = new StreamReader(this.session, this)
  }

  /** Reads more of the text. After a fault nothing is read. */
  write(text: string): void {
    const room = this.options.maxLength - this.length
    this.length += text.length
    if (this.fault !== undefined) return
    argumentsBorder.requireReady('tokenweir/args')
    this.reader.read(text.slice(0, room))
    if (text.length > room)
      this.fail('too-long', `the text is longer than ${this.options.maxLength} units`, this.options.maxLength)
  }

  /** The text has ended; `isFinished`: the model had finished, so that a number may be the document, or nothing. */
  conclude(finishReason: string | undefined, isFinished: boolean): void {
    const { document, reader } = this
    this.isOver = true
    this.finishReason = finishReason
    if (this.fault !== undefined) return
    const isNumber = isFinished && this.mode === DocumentMode.Number
    // Half a character outside of a string is no JSON.
    if (isNumber || (reader.half !== '' && !document.isInText)) reader.finish()
    if (!isFinished || this.fault !== undefined || document.isDone || document.frames.length > 0 || this.isInside)
      return
    document.open(true)
    document.close()
  }

  /** What was to be written can't be. */
  refuse(what: string): void {
    if (this.fault === undefined) this.fail('unexpected-text', what, this.length)
  }

  plain(_mode: number, chunk: string, from: number): void {
    this.from = from
    this.place = from + chunk.length
    this.document.piece(chunk, false)
  }

  record(word: number, from: number, to: number, text: Reader): void {
    if (this.fault !== undefined) return
    const op = word & JsonBits.OpMask
    const at = text.offset + from
    this.from = at
    // A fault of a name is at its start.
    if (op !== JsonOp.KeyPiece && op !== JsonOp.KeyCharacter) this.place = text.offset + to
    if (op === JsonOp.Fault) {
      const code = JSON_FAULTS[(word >>> JsonBits.FaultCodeShift) & JsonBits.FaultMask] as FaultCode | 'unexpected'
      const place = JSON_PLACES[(word >>> JsonBits.FaultPlaceShift) & JsonBits.FaultMask] as string
      // Up to the character that can't be read, so that it is the same wherever the text is cut.
      const end = code === 'raw-control' ? from + 1 : Math.max(from, text.at) + 1
      const isPair = isHighHalf(text.slice(end - 1, end).charCodeAt(0))
      const found = JSON.stringify(text.slice(from, isPair ? end + 1 : end).slice(-LONGEST_EXCERPT))
      this.fail(
        code === 'unexpected' ? 'unexpected-text' : code,
        `${REASONS[code] ?? ''}${found}, ${PLACES[place] ?? `in a ${place}`}`,
        at,
      )
    } else if (op === JsonOp.Piece && from === to) this.document.beginString()
    else this.document.record(word, text.slice(from, to), at, text.offset + to)
    if (this.fault !== undefined) text.stop()
  }

  private repeated(at: number): void {
    const { step } = this.document.frames.at(-1) as { step: unknown }
    if (!this.options.takesRepeated) this.fail('duplicate-key', `there are two members ${JSON.stringify(step)}`, at)
  }

  private fail(code: FaultCode, what: string, offset: number): void {
    this.fault = { code, message: `${what}, at ${offset}`, offset }
    this.events.fault(this.fault)
  }

  /** Whether a number or a word is open. */
  get isScalar(): boolean {
    return this.fault === undefined && (this.mode === DocumentMode.Number || this.mode === DocumentMode.Scalar)
  }

  /** The digits of an open number that could end here. */
  get openNumber(): string | undefined {
    return this.fault === undefined && this.mode === DocumentMode.Number
      ? this.reader.slice(0, this.reader.end)
      : undefined
  }

  /** The names of the rules by which text that is not valid JSON was read. */
  get tolerated(): string[] {
    return this.options.rules === 0 ? [] : this.session.tolerated
  }

  private get mode(): number {
    return this.reader.mode
  }

  private get isInside(): boolean {
    return this.isScalar || this.document.isInText
  }
}

/** Most of the text that a fault's message shows, in UTF-16 code units. */
const LONGEST_EXCERPT = 40

/** What a fault's message says first. */
const REASONS: { readonly [code: string]: string } = {
  'missing-value': 'a member has no value before ',
  'bad-escape': 'this escape has no meaning in JSON: ',
  'raw-control': 'a control character is not escaped: ',
  'too-deep': 'too many brackets in one another: ',
  'too-long': 'a number of more than 4096 units, which ends in ',
  unexpected: "JSON can't go on with ",
}

const PLACES: { readonly [place: string]: string } = {
  value: 'where a value is expected',
  'first-element': 'where an element or ] is expected',
  element: 'where an element is expected',
  'first-key': 'where a name in quotes or } is expected',
  key: 'where a name in quotes is expected',
  colon: 'where a colon is expected',
  after: 'after a value',
}
