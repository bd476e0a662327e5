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
export interface CallWriter {
  call(call: Call): object[]
  input(call: Call, text: string): object[]
  called(call: Call, input: unknown): object[]
  failed(call: Call, input: unknown, why: string): object[]
  result(call: Call, output: unknown, isError: boolean): object[]
}

/** Writes what an answer consists of, one after the other, as events of one protocol. */
export interface Writer extends CallWriter {
  /** A reply begins. */
  step(): object[]
  text(text: string): object[]
  thinking(text: string): object[]
  /** An event of the protocol, as the program gave it. */
  event(event: object): object[]
  finish(reason: FinishReason, usage: Usage | undefined): object[]
  error(fault: Fault): object[]
  abort(fault: Fault): object[]
}

/** Has something written. */
export type Emit = <Kind extends keyof Writer>(kind: Kind, ...what: Parameters<Writer[Kind]>) => void

/** A value as text: a string as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
}
