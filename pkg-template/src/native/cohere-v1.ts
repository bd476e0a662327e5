// Blocks from Cohere's Chat API, version 1.
//
//     stream-start (tool-calls-chunk* tool-calls-generation)? text-generation* stream-end
//
// Source: docs.cohere.com, "Chat with Streaming" (v1); cohere-ai 7, `StreamedChatResponse`. An event's type is its
// `event_type`, which the SDK for JavaScript calls `eventType`. What is said before calls is their plan, as thinking.
// Calls have no ids; `tool-calls-generation` and `stream-end` have all of them again.

import { argumentsOf, fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import type { Provider, ProviderReader, Draft, Keep, MessageDraft } from './provider.js'
import { asOnWire } from './said.js'
import { UnmarkedBlocks } from './unmarked-blocks.js'

const EVENTS =
  /^(stream-(start|end)|text-generation|tool-calls-(chunk|generation)|citation-generation|search-(queries-generation|results))$/

/** Reasons to stop after which the reply is whole. */
const NORMAL: ReadonlySet<unknown> = new Set([undefined, 'COMPLETE', 'STOP_SEQUENCE'])

class CohereV1Reader extends UnmarkedBlocks implements ProviderReader {
  feed(event: Fields): boolean {
    const { event_type: type, text, tool_call_delta, response, finish_reason } = asOnWire(event)
    if (type === 'stream-start') {
      this.endReply()
      this.order.startReply()
    } else if (type === 'text-generation') this.say('content', stringOf(text))
    else if (type === 'tool-calls-chunk') {
      this.say('reasoning', stringOf(text))
      const { index: position, name, parameters } = fieldsOf(tool_call_delta) ?? {}
      this.readCall({ id: '', position, name: stringOf(name), text: argumentsOf(parameters), hasNoId: true })
    } else if (type === 'tool-calls-generation') this.complete(event)
    else if (type === 'stream-end') {
      this.complete(fieldsOf(response) ?? {})
      this.finish(!NORMAL.has(finish_reason))
    }
    return isEvent(event)
  }

  whole(reply: Fields): void {
    const { text, tool_calls } = asOnWire(reply)
    const calls = listOf(tool_calls).map((call) => fieldsOf(call) ?? {})
    this.say(calls.length > 0 ? 'reasoning' : 'content', stringOf(text))
    for (const { name, parameters } of calls) this.wholeCall(stringOf(name), '', argumentsOf(parameters))
    this.endText()
  }

  /** What came before again: its texts only if nothing did. */
  private complete(reply: Fields): void {
    this.order.completeBy(CohereV1Reader, this.order.hasBegun ? { ...reply, text: '' } : reply)
  }
}

/** The message of the events, or of a whole reply, as `chat_history` has it. */
export class CohereV1Message implements MessageDraft {
  #text = ''
  #calls: readonly unknown[] = []

  read(event: Fields): void {
    const { event_type: type, text, message, tool_calls, response } = asOnWire(event)
    if (type === 'text-generation') this.#text += stringOf(text)
    // A whole reply has a text, a message that is read again a message.
    if (type === undefined) this.#text = stringOf(text ?? message)
    const calls = listOf(tool_calls ?? asOnWire(fieldsOf(response) ?? {})['tool_calls'])
    if (calls.length > 0) this.#calls = calls
  }

  finish(keep: Keep): object | undefined {
    const calls = this.#calls.filter((call) => {
      const { name, parameters } = fieldsOf(call) ?? {}
      return keep({ id: '', name: stringOf(name), input: parameters }) !== undefined
    })
    const message: Draft = { role: 'CHATBOT', message: this.#text, ...(calls.length > 0 && { tool_calls: calls }) }
    return this.#text === '' && calls.length === 0 ? undefined : message
  }
}

function isEvent(object: Fields): boolean {
  return EVENTS.test(stringOf(object['event_type'] ?? object['eventType']))
}

export const cohereV1: Provider = {
  shapeOf(object) {
    if (isEvent(object)) return 'event'
    const isReply = typeof object['text'] === 'string' && ('generation_id' in object || 'generationId' in object)
    return isReply ? 'reply' : undefined
  },
  isTyped: true,
  front: { is_finished: /[tf]/, event_type: /"/ },
  reason: ['finish_reason', 'finishReason'],
  usage: ['response.meta.tokens', 'meta.tokens', 'response.meta.billed_units', 'meta.billed_units'],
  words: { error_limit: 'length', user_cancel: 'interrupted' },
  Reader: CohereV1Reader,
}
