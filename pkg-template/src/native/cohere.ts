// Blocks from Cohere's Chat API, version 2.
//
//     message-start tool-plan-delta* (content-start content-delta* content-end)* (tool-call-start tool-call-delta*
// tool-call-end)* message-end
//
// Source: docs.cohere.com, "Chat with Streaming" (v2). The plan before tool calls is
// thinking. The protocol is Anthropic's in other words, but contents and calls count
// their own indices. The fields of the SDK for JavaScript (`toolCalls`) are read too.

import { fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import { MarkedBlocks } from './marked-blocks.js'
import { GROWS, OpenAIMessage } from './openai.js'
import { type Draft, type Keep, type MessageDraft, type Provider, type ProviderReader, append } from './provider.js'

const EVENTS =
  /^(message-(start|end)|content-(start|delta|end)|tool-plan-delta|tool-call-(start|delta|end)|citation-(start|end)|debug)$/

/** Reasons to stop after which the reply is whole. */
const NORMAL: ReadonlySet<unknown> = new Set([undefined, 'COMPLETE', 'STOP_SEQUENCE', 'TOOL_CALL'])

class CohereReader extends MarkedBlocks implements ProviderReader {
  private hasPlan = false

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
    if (type === 'message-start') this.startReply()
    if (type === 'message-end')
      this.finish(!NORMAL.has(delta?.['finish_reason'] ?? delta?.['finishReason'] ?? undefined))
    return true
  }

  whole(reply: Fields): void {
    const message = fieldsOf(reply['message']) ?? {}
    const plan = stringOf(message['tool_plan'] ?? message['toolPlan'])
    const { content } = message
    const calls = listOf(message['tool_calls'] ?? message['toolCalls']).map((call) => callOf(fieldsOf(call) ?? {}))
    const contents = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
    this.readWhole([...(plan === '' ? [] : [{ type: 'thinking', thinking: plan }]), ...contents, ...calls])
  }

  override forget(): void {
    this.hasPlan = false
    super.forget()
  }

  private readPlan(thinking: string): void {
    if (!this.hasPlan) this.start('plan', { type: 'thinking' })
    this.hasPlan = true
    this.add('plan', 'thinking', thinking)
  }

  private endPlan(): void {
    if (this.hasPlan) this.stop('plan')
    this.hasPlan = false
  }

  private readContent(step: string, at: unknown, content: Fields): void {
    const index = `content ${String(at)}`
    const isThought =
      content['type'] === 'thinking' || (typeof content['thinking'] === 'string' && typeof content['text'] !== 'string')
    const type = isThought ? 'thinking' : 'text'
    if (step === 'start') this.start(index, { ...content, type })
    if (step === 'delta') this.add(index, type, stringOf(content[type]))
    if (step === 'end') this.stop(index)
  }

  private readCall(step: string, at: unknown, call: Fields): void {
    const index = `call ${String(at)}`
    if (step === 'end') return this.stop(index)
    if (step === 'start') this.start(index, { ...callOf(call), input: {} })
    this.add(index, 'tool_call', stringOf(fieldsOf(call['function'])?.['arguments']))
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

/** The message of Cohere's events: a plan, content parts, calls. */
export class CohereMessage implements MessageDraft {
  readonly #message = new OpenAIMessage()
  /** Parts of the content by index, while they come. */
  readonly #parts = new Map<unknown, Draft>()

  read(event: Fields): void {
    const message = fieldsOf(fieldsOf(event['delta'])?.['message'])
    if (message === undefined) {
      if (fieldsOf(event['message']) !== undefined) this.#message.read(event)
      return
    }
    const call = fieldsOf(message['tool_calls'] ?? message['toolCalls'])
    if (call !== undefined) this.#message.read({ tool_calls: [{ ...call, index: event['index'] }] })
    const plan = message['tool_plan'] ?? message['toolPlan']
    if (typeof plan === 'string') this.#message.read({ tool_plan: plan })
    const content = fieldsOf(message['content'])
    if (content === undefined) return
    const part = this.#parts.get(event['index']) ?? {}
    this.#parts.set(event['index'], part)
    for (const [name, value] of Object.entries(content)) {
      if (GROWS.has(name)) append(part, name, value)
      else part[name] = value
    }
  }

  finish(keep: Keep): object | undefined {
    const { content, ...message } = (this.#message.finish(keep) ?? {}) as Draft
    const parts = [...this.#parts.values()].filter((part) => [...GROWS].some((name) => stringOf(part[name]) !== ''))
    const said = parts.length > 0 ? parts : content
    const isEmpty = said === undefined || said === ''
    if (isEmpty && Object.keys(message).length < 2) return undefined
    return { role: 'assistant', ...message, ...(!isEmpty && { content: said }) }
  }
}

export const cohere: Provider = {
  shapeOf(object) {
    const { type, message } = object
    if (typeof type === 'string') return EVENTS.test(type) ? 'event' : undefined
    const isReply = fieldsOf(message) !== undefined && ('finish_reason' in object || 'finishReason' in object)
    return isReply ? 'reply' : undefined
  },
  isTyped: true,
  reason: ['delta.finish_reason', 'finish_reason'],
  usage: ['delta.usage.tokens', 'usage.tokens', 'delta.usage', 'usage'],
  Reader: CohereReader,
}
