// Where a reply can be read on that broke off: by the number of its last event, or the id that the server gave it.
//
// Source: spec/message.md, 17; OpenAI's Responses, `starting_after`; WHATWG, "Last-Event-ID".

import { type Fields, fieldsOf, stringOf } from '../untrusted.js'
import { isSamePlace } from './continuation.js'

/**
 * Where a reply that broke off can be read on.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyPosition } from 'tokenweir/reply'
 *
 * const { resume } = await readReply([
 *   { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', output: [] } },
 *   { type: 'response.output_text.delta', sequence_number: 1, output_index: 0, content_index: 0, delta: 'Hel' },
 * ]).result()
 * const position: ReplyPosition | undefined = resume
 * console.log(position) // { id: 'resp_1', after: 1 }
 * ```
 */
export interface ReplyPosition {
  /** The id of the response, where the API has one to ask by: OpenAI's Responses. */
  readonly id?: string
  /** The last event that was read: its number, or the `id` of a server-sent event. */
  readonly after?: string | number
}

/** Follows the events of a reply. */
export class Position {
  #id: string | undefined
  #after: string | number | undefined
  /** The events that have numbers: a reply that is read on has them before it. */
  #events: Fields[] = []

  get events(): readonly Fields[] {
    return this.#events
  }

  get resume(): ReplyPosition | undefined {
    const [id, after] = [this.#id, this.#after]
    if (id === undefined && after === undefined) return undefined
    return { ...(id !== undefined && { id }), ...(after !== undefined && { after }) }
  }

  /** A server-sent event has an id. */
  note(id: string): void {
    if (typeof this.#after !== 'number') this.#after = id
  }

  /** Whether an event with a number was read before: a server that is asked again may begin earlier. */
  wasRead({ type, response, sequence_number: number }: Fields): boolean {
    const id = type === 'response.created' ? stringOf(fieldsOf(response)?.['id']) : ''
    if (id !== '' && id !== this.#id) {
      this.#id = id
      this.#after = undefined
    }
    if (typeof number !== 'number') return false
    if (typeof this.#after === 'number' && number <= this.#after) return true
    this.#after = number
    return false
  }

  /** Keeps an event that has a number; deltas that go on are one. */
  keep(event: Fields): void {
    if (typeof event['sequence_number'] !== 'number') return
    const last = this.#events.at(-1)
    if (last !== undefined && isSamePlace(last, event))
      this.#events[this.#events.length - 1] = { ...event, delta: stringOf(last['delta']) + stringOf(event['delta']) }
    else this.#events.push(event)
  }

  /** What was kept is void. */
  forget(): void {
    this.#events = []
  }
}
