// What a provider is: how its objects are recognized, where they say how the reply ended, what reads them, and the
// assistant's message as the provider takes it back in the next request: what came, in order, with the signatures and
// encrypted parts that no block has. Each has a file with a row, a reader and a draft of this form.
//
// Source: spec/message.md, 1 to 8.

import type { FinishReason } from '../finish-reason.js'
import { type Fields, stringOf } from '../untrusted.js'
import type { BlockOrder } from './order.js'

/**
 * What an object is: an event of a stream; the last of them, which some servers send with the whole reply; or a whole
 * reply alone, which a stream doesn't have.
 */
type Shape = 'event' | 'last' | 'reply'

export interface Provider {
  /** What an object is of this provider's: the one place where it is recognized. */
  shapeOf(object: Fields): Shape | undefined
  /** Whether its events name their types. */
  readonly isTyped?: true
  /** What its events may begin with, as text, besides what many begin with: a key, and how its value begins. */
  readonly front?: Readonly<Record<string, RegExp>>
  /**
   * Where an event or a reply has its reason and its usage: `a.b` is a field of a field, `a.0` the first item of a
   * list, `.` the event itself. The first that is there counts.
   */
  readonly reason: readonly string[]
  readonly usage: readonly string[]
  /** What of an event says it, where that is not among its fields. */
  readonly from?: (event: Fields) => Fields
  /** Words that mean something else than those of others. */
  readonly words?: Readonly<Record<string, FinishReason>>
  readonly Reader: new (order: BlockOrder) => ProviderReader
}

/** Reads one provider's events and replies into a `BlockOrder`. */
export interface ProviderReader {
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

/** What of a call the program is to run goes back; undefined for one that stays out: it is not whole, or repeated. */
export type Keep = (call: {
  readonly id: string
  readonly name: string
  readonly input: unknown
}) => { readonly id: string; readonly name: string; readonly input: unknown } | undefined

/** Puts a message together from the events of one provider. Each has a class of this form. */
export interface MessageDraft {
  /** Reads an event, or a whole reply. */
  read(event: Fields): void
  /** The message as far as it came; undefined if nothing of it did. */
  finish(keep: Keep): object | undefined
}

/** An object that a draft fills. */
export type Draft = Record<string, unknown>

/** Adds text to what a field has. */
export function append(draft: Draft, name: string, text: unknown): void {
  if (typeof text === 'string') draft[name] = stringOf(draft[name]) + text
}
