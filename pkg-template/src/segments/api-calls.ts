// The tool calls of a provider's API, by their index in the answer.
//
//     { index: 0, callId: 'call_1', name: 'read' }   { index: 0, argumentsDelta: '{"p":1}' }
//
// Their pieces come in any order and may be interleaved; the name and the id may be late.
//
// Source: spec/segment.md, "API tool calls"; spec/world.md, 7.3. Difference from
// AutoByteus: a call ends, and is invoked, when its JSON closes, not at the end of
// the stream. One without arguments ends when something follows, or at the end.

import { ApiCall, type CallOutlet, type CallSettings } from './api-call.js'
import type { SegmentEndPayload, ToolCallDelta } from './types.js'

const NOT_WHITE = /\S/

/** Reads the pieces of API calls. */
export class ApiCalls {
  /** The last call of each index. A closed one stays, for what may be written after it. */
  private readonly byIndex = new Map<number, ApiCall>()
  /** Calls that are not over, in the order in which they came. */
  private readonly open = new Set<ApiCall>()
  /** Open calls that are named and have no arguments yet. */
  private readonly empty = new Set<ApiCall>()
  private count = 0

  constructor(
    private readonly settings: CallSettings,
    private readonly outlet: CallOutlet,
  ) {}

  /** Reads a piece. */
  read(delta: ToolCallDelta): void {
    const name = delta.name ?? ''
    const callId = delta.callId ?? ''
    const text = delta.argumentsDelta ?? ''
    let call = this.byIndex.get(delta.index)
    if (call?.isOther(name, callId) === true) call = undefined
    // A name alone is not what follows: some servers name all calls first.
    if (this.empty.size > 0 && (NOT_WHITE.test(text) || delta.done === true)) this.settle(call)
    if (call === undefined) {
      call = new ApiCall(this.settings, this.outlet, this.count++)
      this.byIndex.set(delta.index, call)
      this.open.add(call)
    }
    call.identify(name, callId, delta.native_context ?? undefined)
    call.add(text)
    if (delta.done === true && !this.settings.waits) call.finish()
    if (call.isEmpty) this.empty.add(call)
    else this.empty.delete(call)
    if (call.isOver) this.open.delete(call)
  }

  /** Something follows, so that the calls before it that have no arguments will have none: they end. */
  settle(before?: ApiCall): void {
    if (this.empty.size === 0 || this.settings.waits) return
    for (const call of this.empty) {
      if (before !== undefined && call.place >= before.place) break
      this.empty.delete(call)
      this.open.delete(call)
      call.finish()
    }
  }

  /** The end of the stream: what is open ends, and isn't invoked. */
  finish(): void {
    for (const call of this.open) call.finish()
    this.forget()
  }

  /** The program gives up the stream: what has begun and not ended ends with a payload. */
  abandon(payload: SegmentEndPayload): void {
    for (const call of this.open) call.abandon(payload)
    this.forget()
  }

  /** The tools that all calls name, in the order in which they came. */
  get names(): string[] {
    const calls = [...new Set([...this.byIndex.values(), ...this.open])].sort((a, b) => a.place - b.place)
    return calls.map(({ name }) => name).filter((name) => name !== '')
  }

  /** For a new stream. */
  forget(): void {
    this.byIndex.clear()
    this.open.clear()
    this.empty.clear()
    this.count = 0
  }
}
