// Makes the parts of a stream: one text open at a time, calls between texts.
//
// Within a chunk neighbouring deltas are joined, so that a chunk gives at most one
// of a kind at a place.
//
// Source: spec/tool_call.md, "Parts".

import { Joined } from '../joined.js'
import type { ToolCallStreamPart } from './types.js'

/** Takes a part. */
export type Emit = (part: ToolCallStreamPart) => void

/** A call that is being told. */
export interface OpenCall {
  readonly toolCallId: string
  readonly toolName: string
}

/** Writes parts. */
export class PartWriter {
  /** What is on the source's text parts, for the next text that begins. */
  providerMetadata: unknown
  private textId: string | undefined
  /** Where the source has ended a text that is not told up to there yet. */
  private readonly breaks: number[] = []
  /** Text or input that was told in this chunk. */
  private pending = ''
  private call: OpenCall | undefined
  private readonly input = new Joined()

  constructor(
    private readonly emit: Emit,
    private readonly tellsInput: boolean,
    private readonly generateId: (kind: 'call' | 'text') => string,
  ) {}

  /** More text, which stands at `from` in the stream. */
  text(text: string, from: number): void {
    let rest = text
    let at = from
    for (let end = this.breaks[0]; end !== undefined && end < at + rest.length; end = this.breaks[0]) {
      const length = Math.max(0, end - at)
      this.addText(rest.slice(0, length))
      this.closeText()
      rest = rest.slice(length)
      at += length
      this.breaks.shift()
    }
    this.addText(rest)
  }

  private addText(text: string): void {
    if (text === '') return
    if (this.textId === undefined) {
      const id = this.generateId('text')
      this.textId = id
      this.emit(this.providerMetadata === undefined ? { type: 'text-start', id } : { type: 'text-start', id, providerMetadata: this.providerMetadata })
    }
    this.pending += text
  }

  /** The source has ended a text at a place; up to `told` it was told. */
  breakText(at: number, told: number): void {
    if (told >= at) this.closeText()
    else this.breaks.push(at)
  }

  /** The open text ends. */
  closeText(): void {
    this.flush()
    if (this.textId === undefined) return
    this.emit({ type: 'text-end', id: this.textId })
    this.textId = undefined
  }

  /** A call begins. */
  start(toolName: string): OpenCall {
    // A call of which nothing is told before it is whole may yet be text.
    if (this.tellsInput) this.closeText()
    const call = { toolCallId: this.generateId('call'), toolName }
    this.call = call
    this.input.clear()
    if (this.tellsInput) this.emit({ type: 'tool-input-start', id: call.toolCallId, toolName })
    return call
  }

  /** More of its arguments. */
  add(json: string): void {
    this.input.add(json)
    if (this.tellsInput) this.pending += json
  }

  /** All of its arguments so far. */
  get written(): string {
    return this.input.toString()
  }

  /** The call is whole. */
  done(): void {
    const { call } = this
    if (call === undefined) return
    this.closeText()
    this.end()
    this.emit({ type: 'tool-call', toolCallId: call.toolCallId, toolName: call.toolName, input: this.input.toString() })
    this.input.clear()
  }

  /** There are no more arguments. */
  end(): void {
    const { call } = this
    if (call === undefined) return
    if (this.tellsInput) this.flush()
    this.call = undefined
    if (this.tellsInput) this.emit({ type: 'tool-input-end', id: call.toolCallId })
  }

  /** A call as it is, with whatever input. */
  invalidCall(toolName: string, toolCallId: string | undefined, input: string): string {
    this.closeText()
    const id = toolCallId ?? this.generateId('call')
    this.emit({ type: 'tool-call', toolCallId: id, toolName, input })
    return id
  }

  /** Gives what was told since the last part. */
  flush(): void {
    if (this.pending === '') return
    const delta = this.pending
    this.pending = ''
    if (this.call !== undefined && this.tellsInput) this.emit({ type: 'tool-input-delta', id: this.call.toolCallId, delta })
    else if (this.textId !== undefined) this.emit({ type: 'text-delta', id: this.textId, delta })
  }
}
