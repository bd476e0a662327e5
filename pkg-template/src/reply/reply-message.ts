// The message of a reply, and of the one that it goes on with.

import { MESSAGES, asReply } from '../native/message/drafts.js'
import type { Keep, MessageDraft } from '../native/message/draft.js'
import type { ProviderName } from '../provider-name.js'
import type { Fields } from '../untrusted.js'
import { joinedMessages, withoutSpace } from './continuation.js'
import type { ReplyJournal } from './continued-reply.js'
import type { ReplyReadingOptions } from './options.js'

/** Keeps all calls of a message. */
export const ALL: Keep = (call) => call

/** Puts a message together, as its provider takes it back. */
export class ReplyMessage {
  /** Whose events were read. */
  provider: ProviderName | undefined
  #draft: MessageDraft | undefined

  constructor(
    private readonly before: ReplyJournal | undefined,
    private readonly options: ReplyReadingOptions,
  ) {}

  /** Reads an event, or a whole reply, that was recognized as this provider's. */
  read(event: Fields, provider: ProviderName | undefined): void {
    this.provider ??= this.options.provider ?? provider
    if (this.provider !== undefined) (this.#draft ??= new MESSAGES[this.provider]()).read(event)
  }

  /** What came is void. */
  forget(): void {
    this.#draft = undefined
  }

  /** The message; of a reply that was cut as it can be sent to be continued. */
  finish(keep: Keep, isCut: boolean): object | undefined {
    const message = this.whole(keep)
    return message !== undefined && this.provider === 'anthropic' && isCut ? withoutSpace(message) : message
  }

  /** The message as it came. */
  whole(keep: Keep): object | undefined {
    const { before } = this
    const { continues, sent } = this.options
    const provider = this.provider ?? continues?.provider
    const goesOn = before?.message !== undefined && provider !== undefined && provider === continues?.provider
    if (!goesOn) return this.#draft?.finish(keep)
    const next = this.#draft?.finish(ALL)
    const trims = sent !== undefined || provider === 'anthropic'
    const how = { goesOn: before.goesOn, trims, repeats: provider === 'mistral' }
    const joined = next === undefined ? before.message : joinedMessages(before.message as object, next, how)
    const draft = new MESSAGES[provider]()
    draft.read(asReply(provider, joined as object))
    return draft.finish(keep)
  }
}
