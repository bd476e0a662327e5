// Blocks from Cohere's Chat API, version 2.
//
//     message-start tool-plan-delta* (content-start content-delta* content-end)* (tool-call-start tool-call-delta*
// tool-call-end)* message-end
//
// Source: docs.cohere.com, "Chat with Streaming" (v2). The plan before tool calls is
// thinking. The protocol is Anthropic's in other words, so its events are rewritten
// for that reader; contents and calls count their own indices. The fields of the
// SDK for JavaScript (`toolCalls`) are read too.

import { fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import { AnthropicReader } from './anthropic.js'
import type { BlockOrder } from './order.js'
import type { Provider, ProviderReader } from './provider.js'

const EVENTS =
  /^(message-(start|end)|content-(start|delta|end)|tool-plan-delta|tool-call-(start|delta|end)|citation-(start|end)|debug)$/

/** Reasons to stop after which the reply is whole. */
const NORMAL: ReadonlySet<unknown> = new Set(['COMPLETE', 'STOP_SEQUENCE', 'TOOL_CALL'])

/** Reads Cohere's events and replies. */
export class CohereReader implements ProviderReader {
  private readonly inner: AnthropicReader
  private hasPlan = false

  constructor(order: BlockOrder) {
    this.inner = new AnthropicReader(order)
  }

  feed(event: Fields): boolean {
    const type = stringOf(event['type'])
    const delta = fieldsOf(event['delta'])
    const message = fieldsOf(delta?.['message']) ?? {}
    if (!EVENTS.test(type)) return false
    const [what = '', step = ''] = splitType(type)
    if (what === 'tool-plan') this.readPlan(stringOf(message['tool_plan'] ?? message['toolPlan']))
    else this.endPlan()
    if (what === 'content') this.readContent(step, event['index'], fieldsOf(message['content']) ?? {})
    if (what === 'tool-call')
      this.readCall(step, event['index'], fieldsOf(message['tool_calls'] ?? message['toolCalls']) ?? {})
    if (type === 'message-start') this.inner.feed({ type: 'message_start' })
    if (type === 'message-end') this.finish(delta?.['finish_reason'] ?? delta?.['finishReason'])
    return true
  }

  whole(reply: Fields): void {
    const message = fieldsOf(reply['message']) ?? {}
    const plan = stringOf(message['tool_plan'] ?? message['toolPlan'])
    const { content } = message
    const calls = listOf(message['tool_calls'] ?? message['toolCalls']).map((call) => callOf(fieldsOf(call) ?? {}))
    const contents = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
    this.inner.readWhole([...(plan === '' ? [] : [{ type: 'thinking', thinking: plan }]), ...contents, ...calls])
  }

  endReply(): void {
    this.hasPlan = false
    this.inner.endReply()
  }

  forget(): void {
    this.hasPlan = false
    this.inner.forget()
  }

  private readPlan(thinking: string): void {
    if (!this.hasPlan)
      this.inner.feed({ type: 'content_block_start', index: 'plan', content_block: { type: 'thinking', thinking: '' } })
    this.hasPlan = true
    this.inner.feed({ type: 'content_block_delta', index: 'plan', delta: { type: 'thinking_delta', thinking } })
  }

  private endPlan(): void {
    if (this.hasPlan) this.inner.feed({ type: 'content_block_stop', index: 'plan' })
    this.hasPlan = false
  }

  private readContent(step: string, at: unknown, content: Fields): void {
    const index = `content ${String(at)}`
    const type =
      content['type'] === 'thinking' || (typeof content['thinking'] === 'string' && typeof content['text'] !== 'string')
        ? 'thinking'
        : 'text'
    if (step === 'start') this.inner.feed({ type: 'content_block_start', index, content_block: { ...content, type } })
    if (step === 'delta')
      this.inner.feed({ type: 'content_block_delta', index, delta: { type: `${type}_delta`, [type]: content[type] } })
    if (step === 'end') this.inner.feed({ type: 'content_block_stop', index })
  }

  private readCall(step: string, at: unknown, call: Fields): void {
    const index = `call ${String(at)}`
    const partial_json = stringOf(fieldsOf(call['function'])?.['arguments'])
    if (step === 'start')
      this.inner.feed({ type: 'content_block_start', index, content_block: { ...callOf(call), input: {} } })
    if (step !== 'end')
      this.inner.feed({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } })
    else this.inner.feed({ type: 'content_block_stop', index })
  }

  private finish(reason: unknown): void {
    this.inner.feed({ type: 'message_delta', delta: { stop_reason: reasonOf(reason) } })
    this.inner.feed({ type: 'message_stop' })
  }
}

function splitType(type: string): [what: string, step: string] {
  const at = type.lastIndexOf('-')
  return [type.slice(0, at), type.slice(at + 1)]
}

/** A call in Anthropic's words. */
function callOf(call: Fields): Fields {
  const body = fieldsOf(call['function']) ?? {}
  return { type: 'tool_use', id: call['id'], name: body['name'], input: body['arguments'] }
}

/** Anthropic's word for a reason that cuts a reply off. */
function reasonOf(reason: unknown): unknown {
  return reason === undefined || reason === null || NORMAL.has(reason) ? undefined : 'refusal'
}

export const cohere: Provider = {
  shapeOf(object) {
    const { type, message } = object
    if (typeof type === 'string') return EVENTS.test(type) ? 'event' : undefined
    const isReply = fieldsOf(message) !== undefined && ('finish_reason' in object || 'finishReason' in object)
    return isReply ? 'reply' : undefined
  },
  isTyped: true,
  front: { type: /"/, id: /"/, delta: /\{/, index: /\d/ },
  reason: ['delta.finish_reason', 'finish_reason'],
  usage: ['delta.usage.tokens', 'usage.tokens', 'delta.usage', 'usage'],
  Reader: CohereReader,
}
