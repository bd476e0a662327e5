// Where a stream takes back what it said: a step or a reply is asked again, and its events come in the same stream.
//
//     start-step  text-delta "Hel"  reset-step  text-delta "Hello"      what the step had is void
//     start "m1"  text-delta "Hel"  start "m1"  text-delta "Hello"      all of the message is
//
// Source: spec/message.md, 16; AI SDK 7, `WorkflowAgent`; OpenAI's Responses, `response.created`.

import type { Meaning, Role } from '../blocks/custom-types.js'
import type { BlockEmission } from '../blocks/types.js'
import { type Fields, fieldsOf } from '../untrusted.js'

/**
 * What came so far of a step, or of the reply, is void, since it is asked again: the loop has it no more, nor has
 * `soFar`.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyReset } from 'tokenweir'
 *
 * const resets: ReplyReset[] = []
 * const said = (delta: string) => ({ type: 'text-delta', id: '1', delta })
 * const step = [{ type: 'start-step' }, said('Hel'), { type: 'reset-step' }, said('Hello'), { type: 'finish' }]
 * const reply = readReply(step)
 * for await (const emission of reply) if (emission.kind === 'reset') resets.push(emission)
 * console.log(resets, reply.soFar.text) // [ { kind: 'reset', blocks: 0 } ] Hello
 * ```
 */
export interface ReplyReset {
  /** What sets it apart. */
  kind: 'reset'
  /** How many blocks stay: the next one has this index. */
  blocks: number
}

/**
 * What the loop over a reply gives.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyEmission } from 'tokenweir'
 *
 * const show = (emission: ReplyEmission) => emission.kind === 'content' && console.log(emission.text)
 * for await (const emission of readReply('Hello')) show(emission) // Hello
 * ```
 */
export type ReplyEmission<Custom extends Meaning = Role> = BlockEmission<Custom> | ReplyReset

/** Finds where a reply is asked again, and keeps the events that stay then. */
export class Attempts {
  /** The events of a stream with steps, and how many of them stay where its step is asked again. */
  #events: Fields[] = []
  #step: number | undefined
  /** The message, or the response, that is read. */
  #id = ''

  /** The events that stay, if one says that those after them are void. */
  read(event: Fields): readonly Fields[] | undefined {
    const { type } = event
    const id =
      type === 'start' ? event['messageId'] : type === 'response.created' && fieldsOf(event['response'])?.['id']
    const isAgain = id === this.#id && id !== ''
    const kept = type === 'reset-step' ? this.#events.slice(0, this.#step ?? 0) : isAgain ? [] : undefined
    if (kept !== undefined) this.#events = [...kept]
    if (typeof id === 'string') this.#id = id
    if (type === 'start' || type === 'start-step') this.#step = this.#events.length
    // Only streams with steps take back less than all.
    if (this.#step !== undefined && kept === undefined) this.#events.push(event)
    return kept
  }
}
