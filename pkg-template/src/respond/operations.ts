// What an answer consists of, whatever the protocol: a reply's emissions become these, and each protocol writes them.
//
//     step  thinking*  text*  call  input*  called   result   step  text*   finish
//                             └──── or failed ──┘

import type { Meaning } from '../blocks/custom-types.js'
import type { FinishReason } from '../finish-reason.js'
import type { Reply } from '../reply/reply.js'
import type { GivenTools } from '../schema/tool-list.js'

/** A reply, whatever its tools and custom tags are. */
export type AnyReply = Reply<GivenTools, Meaning>

/** A call that clients hear of. */
export interface Call {
  readonly id: string
  readonly name: string
  /** Whether its tool was not among those that the reply was read with. */
  readonly isDynamic: boolean
  /** Whether the provider runs it. */
  readonly isHosted: boolean
}

/** The tokens of all replies. */
export interface Usage {
  inputTokens?: number
  outputTokens?: number
  totalTokens?: number
}

/** Why an answer ended too early, as clients hear it. */
export interface Fault {
  readonly code?: string | undefined
  readonly type?: string | undefined
  readonly message: string
}

/** What happens to a call: it begins, gets a piece of its arguments, ends, whole or not, and has a result. */
export type CallOperation =
  | readonly [kind: 'call', call: Call]
  | readonly [kind: 'input', call: Call, text: string]
  | readonly [kind: 'called', call: Call, input: unknown]
  | readonly [kind: 'failed', call: Call, input: unknown, why: string]
  | readonly [kind: 'result', call: Call, output: unknown, isError: boolean]

type Operation =
  | CallOperation
  /** A reply begins. */
  | readonly [kind: 'step']
  | readonly [kind: 'text' | 'thinking', text: string]
  /** An event of the protocol, as the program gave it. */
  | readonly [kind: 'event', event: object]
  | readonly [kind: 'finish', reason: FinishReason, usage: Usage | undefined]
  | readonly [kind: 'error' | 'abort', fault: Fault]

/** Writes an operation as events of one protocol. */
export type Write = (operation: Operation) => object[]

/** Takes what an answer consists of, one after the other. */
export type Emit = (...operation: Operation) => void

/** A value as text: a string as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
}
