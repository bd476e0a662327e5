// The text of a native block as it came, piece by piece: what was emitted of it, and whether a call's input is whole.

import { isNoArguments, mayBeNoArguments } from '../json/call-arguments.js'
import { Brackets } from '../json/brackets.js'
import { hashOf } from '../hash.js'
import { endsInHalf } from '../surrogates.js'

/** What is known of a call's input that was emitted. */
interface Digest {
  readonly units: number
  readonly hash: number | undefined
}

const NOTHING: Digest = { units: 0, hash: undefined }

/** More units than any way to write that there are no arguments: `"null"` has 6. */
const FRONT = 7

/** Text that grows. */
export class Pieces {
  private readonly all: string[] = []
  /** So many of them were emitted. */
  private emitted = 0
  /** Half a character, whose other half may come with the next piece. */
  private half = ''
  private digest = NOTHING
  private brackets = new Brackets()
  /** So many of them the brackets have read. */
  private scanned = 0
  /** The first characters of a call's input, without white space before them. */
  private front = ''

  constructor(private readonly isInput: boolean) {}

  /** Adds a piece; gives what of it is there in whole characters. */
  append(text: string): string {
    const whole = this.half + text
    this.half = endsInHalf(whole) ? whole.slice(-1) : ''
    const piece = this.half === '' ? whole : whole.slice(0, -1)
    if (piece !== '') this.add(piece)
    return piece
  }

  /** Emits half a character that waited for its other half, which no longer comes. */
  finish(): void {
    if (this.half !== '') this.add(this.half)
    this.half = ''
  }

  private add(piece: string): void {
    this.all.push(piece)
    if (this.isInput && this.front.length < FRONT) this.front = (this.front + piece).trimStart().slice(0, FRONT)
  }

  /** Takes what was not emitted yet. */
  take(): string {
    const { all, emitted } = this
    this.emitted = all.length
    return all.length - emitted === 1 ? (all[emitted] as string) : all.slice(emitted).join('')
  }

  /** Whether the text, as far as it is there, may turn out to be no arguments. */
  get mayBeNoInput(): boolean {
    const front = this.front.trimEnd()
    return front === '{' || front === '{}' || mayBeNoArguments(front)
  }

  /** True once it is one closed JSON object or array, or no arguments. Reads each character once. */
  get isClosed(): boolean {
    if (this.front === '') return false
    if (this.mayBeNoInput) return isNoArguments(this.front) || this.front.trimEnd() === '{}'
    for (; this.scanned < this.all.length; this.scanned++) this.brackets.read(this.all[this.scanned] as string)
    return this.brackets.isClosed
  }

  /** Whether a bracket is open, as far as it was read. */
  get isInBrackets(): boolean {
    return this.brackets.depth > 0
  }

  /** The block was emitted: of a call's input only a digest stays. */
  forget(): void {
    const text = this.toString()
    if (this.isInput) this.digest = { units: text.length, hash: hashOf(text) }
    this.front = ''
    this.all.length = this.emitted = this.scanned = 0
  }

  /** Takes it back: other text comes instead. */
  clear(): void {
    this.front = ''
    this.all.length = this.scanned = 0
    this.brackets = new Brackets()
  }

  toString(): string {
    return this.all.join('')
  }

  /** Whether it is this text, now or when it was emitted. */
  is(text: string): boolean {
    const { units, hash } = this.digest
    return this.all.length > 0 ? this.toString() === text : units === text.length && hash === hashOf(text)
  }

  /** Whether nothing of it was emitted. */
  get isWaiting(): boolean {
    return this.emitted === 0
  }

  /** True until the first piece. */
  get isEmpty(): boolean {
    return this.all.length === 0 && this.digest.units === 0
  }

  /** What a final text adds to the pieces so far; nothing if it disagrees with them. */
  restOf(text: string): string {
    const soFar = this.toString() + this.half
    const { units, hash } = this.digest
    const end = units + soFar.length
    const agrees =
      text.length > end && text.startsWith(soFar, units) && (units === 0 || hashOf(text.slice(0, units)) === hash)
    return agrees ? text.slice(end) : ''
  }
}
