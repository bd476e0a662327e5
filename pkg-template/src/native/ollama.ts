// Blocks from Ollama: chunks and replies of `/api/chat`, and the text of `/api/generate`.
//
//     { message: { role, content, thinking, tool_calls: [{ function: { name, arguments: {} } }] }, done, done_reason }
//
// Source: docs.ollama.com, "Generate a chat message". Each line is an object of the
// same form; the last has `done: true`. Calls come whole, mostly without an id.

import { argumentsOf, fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import type { BlockOrder } from './order.js'
import type { Provider, ProviderReader } from './provider.js'
import { Runs } from './runs.js'
import { partsIn, thoughtsIn } from './said.js'
import { Thoughts } from './thoughts.js'

/** Reads Ollama's chunks and replies. */
export class OllamaReader implements ProviderReader {
  private readonly runs: Runs
  private readonly thoughts = new Thoughts()

  constructor(private readonly order: BlockOrder) {
    this.runs = new Runs(order)
  }

  feed(chunk: Fields): boolean {
    const message = fieldsOf(chunk['message']) ?? { content: chunk['response'], thinking: chunk['thinking'] }
    for (const { form, text, isSummary } of thoughtsIn(message))
      this.runs.say('thinking', this.thoughts.take(form, text, isSummary))
    for (const { kind, text } of partsIn(message['content'], () => this.order.notUnderstood()))
      this.runs.say(kind === 'reasoning' ? 'thinking' : 'text', text)
    for (const item of listOf(message['tool_calls'])) {
      const call = fieldsOf(item)
      const body = fieldsOf(call?.['function'])
      if (call !== undefined && body !== undefined)
        this.runs.call(stringOf(body['name']), stringOf(call['id']), argumentsOf(body['arguments']))
    }
    if (chunk['done'] === true) this.runs.end()
    return isChunk(chunk)
  }

  whole(reply: Fields): void {
    this.feed(reply)
    this.runs.end()
  }

  endReply(): void {
    this.thoughts.clear()
    this.runs.cut()
  }

  forget(): void {
    this.thoughts.clear()
    this.runs.forget()
  }
}

function isChunk(object: Fields): boolean {
  return (
    typeof object['done'] === 'boolean' &&
    (fieldsOf(object['message']) !== undefined || typeof object['response'] === 'string')
  )
}

export const ollama: Provider = {
  shapeOf: (object) => (isChunk(object) ? 'event' : undefined),
  front: { created_at: /"/, response: /[{"]/ },
  reason: ['done_reason'],
  usage: ['.'],
  Reader: OllamaReader,
}
