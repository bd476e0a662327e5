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
  /** The source's text has ended: what comes is another text. */
  private isBroken = false
  /** Text or input that was told in this chunk. */
  private pending = ''
  private call: OpenCall | undefined
  private readonly input = new Joined()

  constructor(
    private readonly emit: Emit,
    private readonly tellsInput: boolean,
    private readonly generateId: (kind: 'call' | 'text') => string,
  ) {}

  /** More text. */
  text(text: string): void {
    if (text === '') return
    if (this.isBroken) this.closeText()
    if (this.textId === undefined) {
      const id = this.generateId('text')
      this.textId = id
      this.emit(this.providerMetadata === undefined ? { type: 'text-start', id } : { type: 'text-start', id, providerMetadata: this.providerMetadata })
    }
    this.pending += text
  }

  /** The source has ended its text; what is `held` of it may still come. */
  breakText(isHeld: boolean): void {
    this.isBroken = true
    if (!isHeld) this.closeText()
  }

  /** The open text ends. */
  closeText(): void {
    this.flush()
    this.isBroken = false
    if (this.textId === undefined) return
    this.emit({ type: 'text-end', id: this.textId })
    this.textId = undefined
  }

  /** A call begins. */
  start(toolName: string): OpenCall {
    this.closeText()
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

  /** The call is whole. */
  done(): void {
    const { call } = this
    if (call === undefined) return
    this.end()
    this.emit({ type: 'tool-call', toolCallId: call.toolCallId, toolName: call.toolName, input: this.input.toString() })
    this.input.clear()
  }

  /** There are no more arguments. */
  end(): void {
    const { call } = this
    if (call === undefined) return
    this.flush()
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
    if (this.call !== undefined) this.emit({ type: 'tool-input-delta', id: this.call.toolCallId, delta })
    else if (this.textId !== undefined) this.emit({ type: 'text-delta', id: this.textId, delta })
  }
}
