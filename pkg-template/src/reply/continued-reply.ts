// What a reply that was cut leaves, for another one that goes on with it.

import type { ReplyUsage } from '../native/ending.js'
import type { ProviderName } from '../provider-name.js'
import type { ReplyPosition } from './position.js'

/**
 * What a reply that was cut leaves for the one that goes on: what the model wrote, and the options by which it was
 * read. It is JSON, and nothing but `continues` reads it.
 *
 * @example
 * ```ts
 * import { readReply, type ReplyJournal } from 'tokenweir'
 *
 * const said = (content: string, finish_reason: string) => {
 *   return { choices: [{ index: 0, delta: { content }, finish_reason }] }
 * }
 * const first = await readReply([said('Hello wor', 'length')]).result()
 * const journal: ReplyJournal | undefined = first.journal
 * const stored = JSON.stringify({ journal })
 * const { text } = await readReply([said('ld.', 'stop')], { continues: JSON.parse(stored) }).result()
 * console.log(text) // Hello world.
 * ```
 */
export interface ReplyJournal {
  /** What was written: the calls of what reads text, or the text alone. */
  readonly written: readonly unknown[] | string
  /** The events, of a response that has numbers: it goes on with the next one. */
  readonly events?: readonly object[]
  /** The message, with all of its whole calls. */
  readonly message?: object
  /** Whether its last block goes on. */
  readonly goesOn: boolean
  /** The options that are data. */
  readonly options: object
}

/**
 * A reply that another one goes on with: a result, JSON of it, or the `partial` of an error.
 *
 * @example
 * ```ts
 * import { type ContinuedReply, readReply } from 'tokenweir'
 *
 * const cut = { choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: 'length' }] }
 * const first: ContinuedReply = await readReply([cut]).result()
 * const rest = { choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] }
 * console.log((await readReply([rest], { continues: first }).result()).text) // Hello
 * ```
 */
export interface ContinuedReply {
  /** What was written. */
  readonly journal?: ReplyJournal
  /** Its tokens, which are added up. */
  readonly usage?: ReplyUsage
  /** The provider's word for why it was cut. */
  readonly rawFinishReason?: string
  /** Whose events it came as. */
  readonly provider?: ProviderName
  /** Where it broke off. */
  readonly resume?: ReplyPosition
}
