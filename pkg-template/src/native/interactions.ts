// Blocks from Google's Interactions API: stream events, and interactions as a whole.
//
//     interaction.created (step.start step.delta* step.stop)* interaction.completed
//
// Source: ai.google.dev, "Interactions API". An event's type is its `event_type`. The protocol is Anthropic's in
// other words, so its events are rewritten for that reader; steps of a whole interaction are its content blocks.
// Steps whose type ends in `_call` are calls that Google runs itself, those in `_result` their results.

import { argumentsOf, fieldsOf, listOf, resultOf, stringOf, type Fields } from '../untrusted.js'
import { AnthropicReader } from './anthropic.js'
import { type BlockOrder, ReplyDraft } from './order.js'
import type { Provider, ProviderReader } from './provider.js'

const EVENTS =
  /^(interaction\.(created|status_update|in_progress|requires_action|completed|cancelled|failed|incomplete)|step\.(start|delta|stop)|error)$/

/** A hosted call, or its result: `google_search_call`, `code_execution_result`. */
const HOSTED = /^(.+)_(call|result)$/

/** Deltas without text, and steps of the user. */
const SILENT = /^(thought_signature|text_annotation(_delta)?|image|video|audio|document|user_input)$/

/** What the start of a result says of it. */
interface Result {
  readonly id: string
  readonly isError: boolean
}

/** Reads the Interactions API's events and interactions. */
export class InteractionsReader implements ProviderReader {
  private readonly inner: AnthropicReader
  private readonly order: BlockOrder
  /** Results that come after the start of their step, by its index. */
  private readonly results = new Map<unknown, Result>()

  constructor(order: BlockOrder) {
    this.order = order
    this.inner = new AnthropicReader(order)
  }

  feed(event: Fields): boolean {
    const type = stringOf(event['event_type'])
    const { index } = event
    if (type === 'step.start') return this.start(index, fieldsOf(event['step']) ?? {})
    if (type === 'step.delta') return this.delta(index, fieldsOf(event['delta']) ?? {})
    if (type === 'step.stop') return this.inner.feed({ type: 'content_block_stop', index })
    if (type === 'interaction.created') return this.inner.feed({ type: 'message_start' })
    if (type === 'interaction.completed') {
      const interaction = fieldsOf(event['interaction']) ?? {}
      if (Array.isArray(interaction['steps'])) this.complete(interaction)
      return this.inner.feed({ type: 'message_delta', delta: { stop_reason: reasonOf(interaction['status']) } })
    }
    return EVENTS.test(type)
  }

  whole(reply: Fields): void {
    for (const [index, step] of listOf(reply['steps']).entries()) {
      if (!this.start(index, fieldsOf(step) ?? {})) this.order.notUnderstood()
      this.inner.feed({ type: 'content_block_stop', index })
    }
    this.endReply()
  }

  endReply(): void {
    this.results.clear()
    this.inner.endReply()
  }

  forget(): void {
    this.results.clear()
    this.inner.forget()
  }

  /** The interaction at the end may have all of its steps again. */
  private complete(interaction: Fields): void {
    const draft = new ReplyDraft()
    new InteractionsReader(draft).whole(interaction)
    this.order.complete(draft.blocks)
  }

  private start(index: unknown, step: Fields): boolean {
    const type = stringOf(step['type'])
    const begin = (content_block: Fields) => this.inner.feed({ type: 'content_block_start', index, content_block })
    if (type === 'model_output') return begin({ type: 'text', text: textOf(step['content']) })
    if (type === 'thought') return begin({ type: 'thinking', thinking: textOf(step['summary']) })
    if (type === 'function_call')
      return begin({ type: 'tool_use', id: step['id'], name: step['name'], input: step['arguments'] })
    const [, name, kind] = HOSTED.exec(type) ?? []
    // The call of an MCP server has a name of its own.
    if (kind === 'call')
      return begin({
        type: 'server_tool_use',
        id: step['id'],
        name: stringOf(step['name']) || name,
        input: step['arguments'],
      })
    if (kind === 'result') {
      begin({ type: 'ignored' })
      this.results.set(index, { id: stringOf(step['call_id']), isError: step['is_error'] === true })
      this.result(index, step)
      return true
    }
    begin({ type: 'ignored' })
    return SILENT.test(type)
  }

  private delta(index: unknown, delta: Fields): boolean {
    const type = stringOf(delta['type'])
    const feed = (written: Fields) => this.inner.feed({ type: 'content_block_delta', index, delta: written })
    if (type === 'text') return feed({ type: 'text_delta', text: delta['text'] })
    if (type === 'thought_summary')
      return feed({ type: 'thinking_delta', thinking: stringOf(fieldsOf(delta['content'])?.['text']) })
    if (type === 'arguments_delta')
      return feed({ type: 'input_json_delta', partial_json: argumentsOf(delta['arguments']) })
    const [, , kind] = HOSTED.exec(type) ?? []
    // The arguments of a hosted call come whole.
    if (kind === 'call') return feed({ type: 'input_json_delta', partial_json: argumentsOf(delta['arguments']) })
    if (kind === 'result') {
      this.result(index, delta)
      return true
    }
    return SILENT.test(type)
  }

  /** A result comes with its step, or after it. */
  private result(index: unknown, { result, is_error }: Fields): void {
    const { id = '', isError = false } = this.results.get(index) ?? {}
    if (result !== undefined && result !== null)
      this.order.result(resultOf(result), id, isError || is_error === true, true)
  }
}

/** The text of content blocks. */
function textOf(content: unknown): string {
  return listOf(content)
    .map((block) => stringOf(fieldsOf(block)?.['text']))
    .join('')
}

/** Anthropic's word for a reason: one that cuts the reply off, or none that does. */
function reasonOf(status: unknown): string {
  return status === 'completed' || status === 'requires_action' ? 'tool_use' : 'refusal'
}

export const interactions: Provider = {
  shapeOf(object) {
    if (EVENTS.test(stringOf(object['event_type']))) return 'event'
    return object['object'] === 'interaction' || Array.isArray(object['steps']) ? 'reply' : undefined
  },
  isTyped: true,
  front: { event_type: /"/, interaction: /\{/, interaction_id: /"/, step: /\{/, index: /\d/ },
  reason: ['interaction.status', 'status'],
  usage: ['interaction.usage', 'usage'],
  words: { cancelled: 'other' },
  Reader: InteractionsReader,
}
