// With the option `spans`: the text that is part of no value.

import type { Reader } from '../reader.js'
import type { Span } from '../span.js'

/** Passes on what of the stream is not the text of a value, in order and without a gap. */
export class Markup {
  /** Up to here the stream was emitted. */
  at = 0
  /** That place when the candidate began. */
  private candidateAt = 0
  /** Text from there on that is no longer at hand. */
  private kept = ''
  private isCandidate = false

  constructor(
    private readonly text: Reader,
    private readonly emitter: { addMarkup(text: string, span: Span): void },
  ) {}

  /** The text up to a place is markup. */
  upTo(place: number): void {
    const { at: from, text, kept } = this
    if (place <= from) return
    this.at = place
    const { offset } = text
    const start = offset - kept.length
    const markup =
      from >= offset
        ? text.slice(from - offset, place - offset)
        : kept.slice(from - start, place - start) + text.slice(0, Math.max(0, place - offset))
    this.emitter.addMarkup(markup, [from, place])
  }

  /** A value's text stands there. */
  value(from: number, to: number): void {
    this.upTo(from)
    this.at = Math.max(this.at, to)
  }

  /** A candidate begins: should it fail, its text is prose. */
  begin(at: number): void {
    this.upTo(at)
    this.candidateAt = this.at
    this.isCandidate = true
  }

  /** The candidate is a document. */
  confirm(): void {
    this.isCandidate = false
    this.kept = ''
  }

  /** It is not one, or perhaps not one: its text is emitted as prose. */
  rewind(): void {
    if (this.isCandidate) this.at = this.candidateAt
    this.isCandidate = false
  }

  /** Text up to `from` leaves the text at hand; what comes after `upTo` is emitted later. */
  settle(from: number, upTo: number): void {
    this.upTo(upTo)
    const keepFrom = this.isCandidate ? this.candidateAt : this.at
    const { text } = this
    const { offset } = text
    this.kept =
      keepFrom < offset ? this.kept + text.slice(0, from - offset) : text.slice(keepFrom - offset, from - offset)
  }
}
