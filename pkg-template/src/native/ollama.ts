// Blocks from Ollama: chunks and replies of `/api/chat`, and the text of `/api/generate`.
//
//     { message: { role, content, thinking, tool_calls: [{ function: { name, arguments: {} } }] }, done, done_reason }
//
// Source: docs.ollama.com, "Generate a chat message". Each line is an object of the
// same form; the last has `done: true`. Calls come whole, mostly without an id.

import { argumentsOf, fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import { type Draft, type Keep, type MessageDraft, type Provider, type ProviderReader, append } from './provider.js'
import { partsIn, thoughtsIn } from './said.js'
import { UnmarkedBlocks } from './unmarked-blocks.js'

class OllamaReader extends UnmarkedBlocks implements ProviderReader {
  feed(chunk: Fields): boolean {
    const message = fieldsOf(chunk['message']) ?? { content: chunk['response'], thinking: chunk['thinking'] }
    for (const { form, text, isSummary } of thoughtsIn(message)) this.think(form, text, isSummary)
    for (const { kind, text } of partsIn(message['content'], () => this.order.notUnderstood()))
      this.say(kind === 'reasoning' ? kind : 'content', text)
    for (const item of listOf(message['tool_calls'])) {
      const call = fieldsOf(item)
      const body = fieldsOf(call?.['function'])
      if (call !== undefined && body !== undefined)
        this.wholeCall(stringOf(body['name']), stringOf(call['id']), argumentsOf(body['arguments']))
    }
    if (chunk['done'] === true) this.endText()
    return isChunk(chunk)
  }

  whole(reply: Fields): void {
    this.feed(reply)
    this.endText()
  }
}

function isChunk(object: Fields): boolean {
  return (
    typeof object['done'] === 'boolean' &&
    (fieldsOf(object['message']) !== undefined || typeof object['response'] === 'string')
  )
}

/** The message of Ollama's chunks: arguments are an object, and a call has no type. */
export class OllamaMessage implements MessageDraft {
  readonly #fields: Draft = { content: '' }
  readonly #calls: Fields[] = []

  read(event: Fields): void {
    const message = fieldsOf(event['message'])
    if (message === undefined) return
    append(this.#fields, 'content', message['content'])
    if (message['thinking'] !== '') append(this.#fields, 'thinking', message['thinking'])
    for (const call of listOf(message['tool_calls'])) this.#calls.push(fieldsOf(call) ?? {})
  }

  finish(keep: Keep): object | undefined {
    const calls = this.#calls.filter((call) => {
      const body = fieldsOf(call['function']) ?? {}
      return keep({ id: stringOf(call['id']), name: stringOf(body['name']), input: body['arguments'] }) !== undefined
    })
    const message = { role: 'assistant', ...this.#fields, ...(calls.length > 0 && { tool_calls: calls }) }
    return this.#fields['content'] !== '' || Object.keys(message).length > 2 ? message : undefined
  }
}

export const ollama: Provider = {
  shapeOf: (object) => (isChunk(object) ? 'event' : undefined),
  front: { created_at: /"/, response: /[{"]/ },
  reason: ['done_reason'],
  usage: ['.'],
  Reader: OllamaReader,
}
