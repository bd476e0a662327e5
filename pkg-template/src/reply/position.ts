// Where a reply can be read on that broke off: by the number of its last event, or the id that the server gave it.
//
// Source: spec/message.md, 17; OpenAI's Responses, `starting_after`; WHATWG, "Last-Event-ID".

import { type Fields, fieldsOf, stringOf } from '../untrusted.js'

/**
 * Where a reply that broke off can be read on.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyPosition } from 'tokenweir'
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
  /** The id of the response, where the API has one to ask by: OpenAI's Responses, Google's Interactions. */
  readonly id?: string
  /** The last event that was read: its number, or the `id` of a server-sent event. */
  readonly after?: string | number
  /** Google's continuation token, for the same request: of a reply that its server has interrupted itself. */
  readonly token?: string
}

/** Follows the events of a reply. */
export class Position {
  #id: string | undefined
  #after: string | number | undefined
  #token: string | undefined
  /** The events that have numbers: a reply that is read on has them before it. */
  #events: Fields[] = []

  get events(): readonly Fields[] {
    return this.#events
  }

  get resume(): ReplyPosition | undefined {
    const [id, after, token] = [this.#id, this.#after, this.#token]
    if (id === undefined && after === undefined && token === undefined) return undefined
    return {
      ...(id !== undefined && { id }),
      ...(after !== undefined && { after }),
      ...(token !== undefined && { token }),
    }
  }

  /** A server-sent event has an id. */
  note(id: string): void {
    if (typeof this.#after !== 'number') this.#after = id
  }

  /** An event, or a whole reply, may have a token: Gemini's, or the interaction's. */
  noteToken(event: Fields): void {
    const interaction = fieldsOf(event['interaction']) ?? event
    const token = stringOf(event['continuationToken']) || stringOf(interaction['continuation_token'])
    if (token === '') return
    this.#token = token
    this.#id = stringOf(interaction['id']) || this.#id
  }

  /** Whether an event with a number was read before: a server that is asked again may begin earlier. */
  wasRead(event: Fields): boolean {
    const { type, response, sequence_number: number } = event
    this.noteToken(event)
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

/** Whether a delta goes on with the one before it. */
function isSamePlace(one: Fields | undefined, other: Fields): boolean {
  const places = ['type', 'item_id', 'output_index', 'content_index', 'summary_index']
  return (
    typeof one?.['delta'] === 'string' &&
    typeof other['delta'] === 'string' &&
    places.every((name) => one[name] === other[name])
  )
}
