// Calls in reasoning that was not closed before them. A closing marker may yet come, and shows that they were part of
// it: up to then, or to the end of the stream, they are withheld.

import type { CallContext } from './call-reader.js'
import { type Hearer, failureOf } from './hearer.js'
import type { WholeCall } from './parts.js'

/** A call that may yet turn out to be reasoning. */
interface Withheld extends WholeCall {
  /** Its text, once it is known. */
  raw: string
}

/** Withholds the calls of one stream. */
export class ReasonedCalls {
  /** Whether reasoning is open. */
  isOpen = false
  /** Whether a call ended reasoning that was not closed. */
  isInterrupted = false
  private readonly calls: Withheld[] = []

  /** A call is whole. */
  add(call: WholeCall): void {
    this.calls.push({ ...call, raw: '' })
  }

  /** Text of the segment that a call is in: its own, a closing marker, or what closes a list of calls. */
  addText(raw: () => string): void {
    const last = this.calls.at(-1)
    if (last !== undefined) last.raw += raw()
  }

  /** The stream has ended: reasoning that a call ended stays ended, and the calls are calls. True if there are any. */
  release({ parts }: CallContext): boolean {
    const calls = this.calls.splice(0)
    for (const call of calls) parts.release(call)
    return calls.length > 0
  }

  /** The reasoning closes that a call seemed to end: what was written in it is no call. */
  withdraw({ parts, options }: CallContext, format: string, hearer: Hearer): void {
    this.isInterrupted = false
    for (const { toolCallId, toolName, raw } of this.calls.splice(0)) {
      if (options.reasoning === 'parts') {
        parts.reasoning(raw, Infinity)
        parts.closeOpen()
      }
      hearer.failed(failureOf(format, toolName, 'the reasoning that it stands in ends after it; not calling it'), {
        toolCall: raw,
        toolName,
        toolCallId,
        dropReason: 'inside-reasoning',
      })
    }
  }
}
