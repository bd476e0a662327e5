// Blocks from Mistral's chat completions.
//
//     { choices: [{ index: 0, delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }, { type:
// 'text', text }], tool_calls } }] }
//
// Source: docs.mistral.ai, "Chat Completion". The form is OpenAI's. Three things are
// different: content may be a list of chunks, the SDK for JavaScript wraps an event
// in `data` and writes `toolCalls`, and a call without an id has the id "null".

import type { SavedClass } from '../snapshot/saved.js'
import { own } from '../own.js'
import { fieldsOf, listOf, type Fields } from '../untrusted.js'
import { OpenAIReader } from './openai.js'
import type { BlockOrder } from './order.js'
import type { Provider } from './provider.js'

/**
 * Reads Mistral's completions. `data` is read only as a member of the event itself: in other SDKs it is a getter, which
 * may warn.
 */
export class MistralReader implements Provider {
  static get saved(): SavedClass {
    return {}
  }
  private readonly inner: OpenAIReader
  /** A chunk without a list looks like OpenAI's, but belongs to the reply so far. */
  private hasBegun = false

  constructor(order: BlockOrder) {
    this.inner = new OpenAIReader(order)
  }

  /** Whether an object has the shape of the SDK's events; those of the wire look like OpenAI's. */
  static isEvent(object: Fields): boolean {
    return Array.isArray(fieldsOf(own(object, 'data'))?.['choices'])
  }

  matches(object: Fields): boolean {
    const choices = listOf((fieldsOf(own(object, 'data')) ?? object)['choices']).map((choice) => fieldsOf(choice) ?? {})
    return choices.some(
      (choice) =>
        this.hasBegun ||
        'finishReason' in choice ||
        Array.isArray((fieldsOf(choice['delta']) ?? fieldsOf(choice['message']))?.['content']),
    )
  }

  isReply(object: Fields): boolean {
    return OpenAIReader.isReply(fieldsOf(own(object, 'data')) ?? object)
  }

  feed(chunk: Fields): boolean {
    this.hasBegun = true
    return this.inner.feed(asOpenAI(fieldsOf(own(chunk, 'data')) ?? chunk))
  }

  whole(reply: Fields): void {
    this.inner.whole(asOpenAI(reply))
  }

  declareEnd(): void {
    this.inner.declareEnd()
  }

  endReply(): void {
    this.hasBegun = false
    this.inner.endReply()
  }

  forget(): void {
    this.hasBegun = false
    this.inner.forget()
  }
}

/** The chunk with OpenAI's names. */
function asOpenAI(chunk: Fields): Fields {
  if (!Array.isArray(chunk['choices'])) return chunk
  return {
    ...chunk,
    choices: chunk['choices'].map(fieldsOf).map(
      (choice) =>
        choice && {
          ...choice,
          delta: messageOf(choice['delta'] ?? choice['message']),
          finish_reason: choice['finish_reason'] ?? choice['finishReason'],
        },
    ),
  }
}

function messageOf(value: unknown): unknown {
  const message = fieldsOf(value)
  const calls = message?.['tool_calls'] ?? message?.['toolCalls']
  if (message === undefined || !Array.isArray(calls)) return message
  return {
    ...message,
    tool_calls: calls.map((item) => (fieldsOf(item)?.['id'] === 'null' ? { ...fieldsOf(item), id: '' } : item)),
  }
}
