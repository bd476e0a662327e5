// The tool calls of a provider's API, by their index in the answer.
//
//     { index: 0, callId: 'call_1', name: 'read' }   { index: 0, argumentsDelta: '{"p":1}' }
//
// Their pieces come in any order and by turns; the name and the id may be late.
//
// Source: spec/segment.md, "API tool calls". Difference from AutoByteus: a call
// ends, and is invoked, when its JSON closes, not at the end of the stream.

import { ApiCall, type CallOutlet, type CallSettings } from './api-call.js'
import type { ToolCallDelta } from './types.js'

/** Reads the pieces of API calls. */
export class ApiCalls {
  /** The last call of each index. A closed one stays, for what may be written behind it. */
  private readonly byIndex = new Map<number, ApiCall>()
  /** Those that are not over, in the order in which they came. */
  private readonly open = new Set<ApiCall>()

  constructor(
    private readonly settings: CallSettings,
    private readonly outlet: CallOutlet,
  ) {}

  /** Reads a piece. */
  read(delta: ToolCallDelta): void {
    const name = delta.name ?? ''
    const callId = delta.callId ?? ''
    let call = this.byIndex.get(delta.index)
    if (call === undefined || call.isOther(name, callId)) {
      call = new ApiCall(this.settings, this.outlet)
      this.byIndex.set(delta.index, call)
      this.open.add(call)
    }
    call.identify(name, callId)
    call.add(delta.argumentsDelta ?? '')
    if (call.isOver) this.open.delete(call)
  }

  /** The end of the stream: what is open ends, and isn't invoked. */
  finish(): void {
    for (const call of this.open) call.finish()
    this.forget()
  }

  /** For a new stream. */
  forget(): void {
    this.byIndex.clear()
    this.open.clear()
  }
}
