// What `NativeBlocks` needs of a provider. Each has a file with a class of this form.

import type { Fields } from '../untrusted.js'

/** Reads one provider's events and replies into a `BlockOrder`. */
export interface Provider {
  /** Whether an object has the shape of this provider's events or complete replies. */
  matches(object: Fields): boolean
  /** Whether a stream event is a whole reply, as some servers send at the end. */
  isReply?(event: Fields): boolean
  /** Reads one stream event. False: its type is unknown, and nothing was read. */
  feed(event: Fields): boolean
  /** Reads a reply that was not streamed. */
  whole(reply: Fields): void
  /** The stream says that the reply is over. */
  declareEnd?(): void
  /** The reply has ended: open blocks were cut off. */
  endReply(): void
  /** Drops the current reply. */
  forget(): void
}
