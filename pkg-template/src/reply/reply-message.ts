// The message of a reply, and of the one that it goes on with.

import { MESSAGES, asReply } from '../native/messages.js'
import type { Keep, MessageDraft } from '../native/provider.js'
import type { ProviderName } from '../provider-name.js'
import { type Fields, fieldsOf } from '../untrusted.js'
import { joinedMessages, withThoughtAsText, withoutSpace } from './continuation.js'
import type { ReplyJournal } from './continued-reply.js'
import type { ReplyReadingOptions } from './options.js'

/** Keeps all calls of a message. */
export const ALL: Keep = (call) => call

/** Puts a message together, as its provider takes it back. */
export class ReplyMessage {
  /** Whose events were read. */
  provider: ProviderName | undefined
  /** The model that answers, as its provider names it. */
  model: string | undefined
  #draft: MessageDraft | undefined
  /** Whether the thought of the reply is the rest of its text. */
  isThoughtText = false

  constructor(
    private readonly before: ReplyJournal | undefined,
    private readonly options: ReplyReadingOptions,
  ) {}

  /** Reads an event, or a whole reply, that was recognized as this provider's. */
  read(event: Fields, provider: ProviderName | undefined): void {
    this.provider ??= this.options.provider ?? provider
    this.model ??= modelIn(event)
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
    if (before?.message === undefined || provider === undefined) return this.#draft?.finish(keep)
    const came = this.#draft?.finish(ALL)
    const next = came !== undefined && this.isThoughtText ? withThoughtAsText(came) : came
    const trims = sent !== undefined || provider === 'anthropic'
    const how = { goesOn: before.goesOn, trims, repeats: provider === 'mistral' }
    const joined = next === undefined ? before.message : joinedMessages(before.message as object, next, how)
    const draft = new MESSAGES[provider]()
    draft.read(asReply(provider, joined as object))
    return draft.finish(keep)
  }
}

/** Where providers name the model. */
function modelIn(event: Fields): string | undefined {
  const about = fieldsOf(event['message']) ?? fieldsOf(event['response']) ?? fieldsOf(event['interaction'])
  const places = [event['modelVersion'], event['model'], about?.['model'], event['modelId'], about?.['modelId']]
  return places.find((name) => typeof name === 'string' && name !== '') as string | undefined
}
