// Makes parts from the records of the format machine: text, reasoning, calls, and segments that are not calls.
//
// Source: spec/format.md; spec/tool_call.md, "Parts".

import type { CallBody } from '../arguments/body.js'
import type { Format } from '../formats/types.js'
import type { JsonHandler } from '../json/decoder.js'
import { type CallContext, CallReader } from './call-reader.js'
import type { Catalogue } from './catalogue.js'
import type { CallHandler } from './decoder.js'
import { FailedCall } from './failed-call.js'
import { Hearer, failureOf } from './hearer.js'
import type { ResolvedOptions } from './options.js'
import type { PartWriter } from './parts.js'
import { ReasonedCalls } from './reasoned-calls.js'

/** Emits the calls of one stream. */
export class CallEmitter implements CallHandler {
  /** The call that is being read. */
  call: CallReader
  /** Gets the text of each segment that was a call. */
  onSegment: ((raw: string) => void) | undefined
  /** Whether a call was made. */
  hasCalled = false
  private readonly context: CallContext
  private readonly hearer: Hearer
  private readonly failedCall: FailedCall
  private readonly reasonedCalls = new ReasonedCalls()
  /** Why the call that was read is dropped. */
  private dropped: string | undefined
  /** Where in the reply's text a citation has begun. */
  private citedFrom: number | undefined
  private readonly hasMessages: boolean

  constructor(
    formats: readonly Format[],
    tools: Catalogue,
    private readonly options: ResolvedOptions,
    private readonly parts: PartWriter,
  ) {
    this.hearer = new Hearer(options)
    this.context = { formats, tools, options, parts, reasoning: this.reasonedCalls }
    this.failedCall = new FailedCall(this.context, this.hearer)
    this.call = this.#newCall(formats[0] as Format)
    this.hasMessages = formats.some(({ messages }) => messages !== undefined)
  }

  /** Reads what the prompt has of the reply, up to a place: nothing of it comes out. */
  silently(read: () => void, to: number): void {
    this.hearer.isSilent = true
    this.parts.silently(read, to)
    this.hearer.isSilent = this.hasCalled = false
    if (this.citedFrom !== undefined) this.citedFrom = 0
  }

  get json(): JsonHandler {
    return this.call.json
  }

  get body(): CallBody {
    return this.call.body
  }

  answer(ask: number): number {
    return this.call.answer(ask)
  }

  text(text: string, from: number): void {
    if (text !== '') this.parts.text(text, from)
  }

  markup(raw: () => string, to: number): void {
    if (this.reasonedCalls.isOpen) return
    // A closing marker, if the call turns out to be reasoning.
    this.reasonedCalls.addText(raw)
    // Messages are texts of their own.
    if (this.hasMessages) this.parts.closeOpen()
    this.parts.consume(to)
  }

  cite(): void {
    this.citedFrom = this.parts.textLength
  }

  citeEnd(sources: string): void {
    const { citedFrom } = this
    this.citedFrom = undefined
    if (citedFrom !== undefined) this.parts.citation(citedFrom, sources)
  }

  begin(row: number, isBare: boolean, isJson: boolean): void {
    const format = this.context.formats[row] as Format
    // The tag with a tool's name comes before it is known that it begins a call.
    if (this.call.body.kind !== 'tree') this.call = this.#newCall(format)
    this.call.begin(format, isBare, isJson)
  }

  check(row: number): void {
    this.call = this.#newCall(this.context.formats[row] as Format, true)
  }

  noCall(): void {
    this.#forget()
  }

  done(rules: number, repairs: number): void {
    const { call, parts } = this
    this.dropped = call.finish()
    if (this.dropped !== undefined) {
      parts.end()
      return
    }
    const names = call.repaired(rules, repairs)
    if (names.length > 0 && call.open !== undefined) this.hearer.repaired(names, call.open)
    if (this.reasonedCalls.isInterrupted) {
      const whole = parts.withhold()
      if (whole !== undefined) this.reasonedCalls.add(whole)
    } else {
      parts.done()
      this.hasCalled = true
    }
    this.#forget()
  }

  end(raw: () => string, to: number): void {
    if (this.dropped !== undefined) this.#reportDropped(this.dropped, raw())
    this.reasonedCalls.addText(raw)
    this.parts.consume(to)
    this.onSegment?.(raw())
  }

  /** A call was left out with its text. */
  #reportDropped(error: string, toolCall: string): void {
    const { format, toolName, open } = this.call
    const id = open === undefined ? {} : { toolCallId: open.toolCallId }
    this.hearer.failed(failureOf(format.id, toolName, `${error}; dropping it`), {
      toolCall,
      toolName,
      ...id,
      dropReason: 'malformed-tool-call-body',
      error,
    })
    this.dropped = undefined
    this.#forget()
  }

  fail(reason: number, prefix: number): void {
    this.failedCall.begin(this.call, reason, prefix)
    this.#forget()
  }

  failed(text: string, from: number): void {
    this.failedCall.text(text, from)
  }

  failEnd(closer: number, isCut: boolean): void {
    if (this.failedCall.end(closer, isCut, this.call.format.id)) this.hasCalled = true
  }

  /** Where text begins that may yet come out, of a segment that is not a call. */
  get keptFrom(): number | undefined {
    return this.failedCall.keptFrom
  }

  reasoning(tag: string, from: number): void {
    this.reasonedCalls.isOpen = true
    if (this.options.reasoning === 'parts') this.parts.beginReasoning()
    else this.text(tag, from)
  }

  reasoned(text: string, from: number): void {
    if (this.options.reasoning === 'parts') this.parts.reasoning(text, from)
    else this.text(text, from)
  }

  reopened(tag: string, from: number): void {
    if (this.options.reasoning !== 'parts') this.text(tag, from)
  }

  reasoningEnd(tag: string, from: number): void {
    const { reasonedCalls } = this
    const wasOpen = reasonedCalls.isOpen
    reasonedCalls.isOpen = false
    if (!wasOpen) reasonedCalls.withdraw(this.context, this.call.format.id, this.hearer)
    else if (tag === '' && !this.hasMessages) reasonedCalls.isInterrupted = true
    if (this.options.reasoning !== 'parts') this.text(tag, from)
    else if (wasOpen) this.parts.endReasoning(from + tag.length)
    // Such a closing tag is no border of two texts.
    else this.parts.consume(from + tag.length)
  }

  /** The stream has ended. */
  release(): void {
    if (this.reasonedCalls.release(this.context)) this.hasCalled = true
  }

  #newCall(format: Format, isCheck = false): CallReader {
    return new CallReader(this.context, format, isCheck)
  }

  #forget(): void {
    this.call = this.#newCall(this.call.format)
  }
}
