// The assistant's message as its provider takes it back in the next request: what came, in order, with the signatures
// and encrypted parts that no block has.
//
// Source: spec/message.md, 1 to 8.

import { type Fields, stringOf } from '../../untrusted.js'

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
