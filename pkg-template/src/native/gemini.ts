// Blocks from Gemini's `generateContent` and its stream.
//
//     { candidates: [{ content: { parts: [{ text, thought }, { functionCall: { id, name, args } }] }, finishReason }] }
//
// Source: ai.google.dev, "Generating content", `GenerateContentResponse`.
//
// A stream's chunks have the form of a reply. Nothing marks the end of a text: it
// ends where another kind of part begins. Calls come whole. The parts of a call
// whose arguments are streamed (`willContinue`) are not put together: such a call
// is incomplete. Only the first candidate is read.

import { fieldsOf, jsonOf, listOf, stringOf, type Fields } from '../untrusted.js'
import type { BlockOrder } from './order.js'
import type { Provider } from './provider.js'
import { Runs } from './runs.js'

/** Reads Gemini's replies and chunks. */
export class GeminiReader implements Provider {
  private readonly runs: Runs

  constructor(private readonly order: BlockOrder) {
    this.runs = new Runs(order)
  }

  /** Whether an object has the shape of a reply or a chunk. */
  static isEvent(object: Fields): boolean {
    return Array.isArray(object['candidates']) || fieldsOf(object['promptFeedback']) !== undefined || fieldsOf(object['usageMetadata']) !== undefined
  }

  matches(object: Fields): boolean {
    return GeminiReader.isEvent(object)
  }

  feed(chunk: Fields): boolean {
    for (const item of listOf(chunk['candidates'])) {
      const candidate = fieldsOf(item)
      if (candidate === undefined || (candidate['index'] ?? 0) !== 0) continue
      for (const part of listOf(fieldsOf(candidate['content'])?.['parts'])) this.readPart(fieldsOf(part) ?? {})
      if (stringOf(candidate['finishReason']) !== '') this.endReply()
    }
    return GeminiReader.isEvent(chunk)
  }

  whole(reply: Fields): void {
    this.feed(reply)
    this.endReply()
  }

  endReply(): void {
    this.runs.end()
  }

  forget(): void {
    this.runs.forget()
  }

  private readPart(part: Fields): void {
    const call = fieldsOf(part['functionCall'])
    const code = fieldsOf(part['executableCode'])
    const result = fieldsOf(part['codeExecutionResult'])
    const answer = fieldsOf(part['functionResponse'])
    if (call !== undefined) {
      const isStreamed = call['willContinue'] === true || call['partialArgs'] !== undefined
      // The last piece of a streamed call is empty.
      if (stringOf(call['name']) === '' && !isStreamed && call['args'] === undefined) return
      const input = isStreamed ? jsonOf(call['partialArgs'] ?? []) : jsonOf(call['args'] ?? {})
      this.runs.call(stringOf(call['name']), stringOf(call['id']), input, { isWhole: !isStreamed })
    } else if (code !== undefined) {
      this.runs.call('code_execution', stringOf(code['id']), jsonOf(code), { hosted: true })
    } else if (result !== undefined) {
      this.runs.end()
      this.order.result(stringOf(result['output']), stringOf(result['id']), result['outcome'] !== 'OUTCOME_OK', true)
    } else if (answer !== undefined) {
      this.runs.end()
      this.order.result(jsonOf(answer['response']), stringOf(answer['id']), false)
    } else this.runs.say(part['thought'] === true ? 'thinking' : 'text', stringOf(part['text']))
  }
}
