// Blocks from Anthropic's Messages API: stream events, and complete content blocks.
//
//     message_start (content_block_start content_block_delta* content_block_stop)* message_delta message_stop
//
// Source: docs.anthropic.com, "Streaming Messages"; seeds/001, "Chat Mode Implementation".
// A `tool_use` block is a tool call; so are a server's and an MCP one, and they and their results are `hosted`. Signatures,
// citations, pings and unknown block types are ignored.

import { anything, instance, map, maybe, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { argumentsOf, fieldsOf, jsonOf, listOf, resultOf, stringOf, type Fields } from '../untrusted.js'
import { type BlockOrder, NativeBlock } from './order.js'
import type { Provider } from './provider.js'

/** The block kind of a delta, and the field with its text. */
const DELTAS = new Map<unknown, readonly [type: 'text' | 'thinking' | 'tool_call', field: string]>([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['input_json_delta', ['tool_call', 'partial_json']],
  ['compaction_delta', ['thinking', 'content']],
])

/** Deltas without text. */
const TEXTLESS: ReadonlySet<unknown> = new Set(['signature_delta', 'citations_delta'])

const EVENTS: ReadonlySet<unknown> = new Set(['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop', 'ping'])

/** Reasons to stop that cut the last block off. */
const CUTS: ReadonlySet<unknown> = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal'])

/** Reads Anthropic's events and content blocks. */
export class AnthropicReader implements Provider {
  static get saved(): SavedClass {
    return { fields: { blocks: map(anything, maybe(instance(NativeBlock))), inputs: map(instance(NativeBlock), text), unconfirmed: maybe(instance(NativeBlock)) } }
  }
  /** Blocks by the provider's index; undefined for a block that is ignored. */
  private readonly blocks = new Map<unknown, NativeBlock | undefined>()
  /** Complete input at the start of a call, used if no delta follows. */
  private readonly inputs = new Map<NativeBlock, string>()
  /** A call that was stopped without any input. Only `stop_reason`, which comes later, distinguishes a call without parameters from one that was cut off. */
  private unconfirmed: NativeBlock | undefined

  constructor(private readonly order: BlockOrder) {}

  /** Whether an object has the shape of a stream event. */
  static isEvent(object: Fields): boolean {
    return EVENTS.has(object['type'])
  }

  /** The types of Anthropic's content blocks have underscores, those of the AI SDK hyphens. */
  matches(object: Fields): boolean {
    const { content } = object
    if (AnthropicReader.isEvent(object)) return true
    return Array.isArray(content) && !('tool_calls' in object) && !content.some((block) => AI_SDK_CONTENT.test(stringOf(fieldsOf(block)?.['type'])))
  }

  feed(event: Fields): boolean {
    switch (event['type']) {
      case 'message_start':
        this.endReply()
        this.readBlocks(listOf(fieldsOf(event['message'])?.['content']))
        return true
      case 'message_stop':
        this.endReply()
        return true
      case 'content_block_start':
        this.confirm()
        return this.start(event['index'], fieldsOf(event['content_block']))
      case 'content_block_delta':
        return this.delta(event['index'], fieldsOf(event['delta']))
      case 'content_block_stop':
        this.stop(event['index'])
        return true
      case 'message_delta':
        this.confirm(fieldsOf(event['delta'])?.['stop_reason'])
        return true
      default:
        return event['type'] === 'ping'
    }
  }

  whole(reply: Fields): void {
    this.readWhole(listOf(reply['content']), reply['stop_reason'])
  }

  /** Reads complete content blocks, from a reply that was not streamed. */
  readWhole(content: readonly unknown[], stopReason: unknown): void {
    this.readBlocks(content)
    this.confirm(stopReason)
    this.endReply()
  }

  /** The reply has ended: open blocks were cut off. */
  endReply(): void {
    this.confirm()
    for (const block of this.blocks.values()) if (block !== undefined) this.order.cut(block)
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.blocks.clear()
    this.inputs.clear()
    this.unconfirmed = undefined
  }

  private readBlocks(content: readonly unknown[]): void {
    for (const [index, block] of content.entries()) {
      this.confirm()
      this.start(index, fieldsOf(block))
      this.stop(index)
    }
  }

  private start(index: unknown, content: Fields | undefined): boolean {
    const before = this.blocks.get(index)
    if (before !== undefined) this.order.cut(before)
    const block = content === undefined ? undefined : this.begin(content)
    this.blocks.set(index, block)
    return block !== undefined || isResult(stringOf(content?.['type']))
  }

  private begin(content: Fields): NativeBlock | undefined {
    const type = stringOf(content['type'])
    if (type === 'text' || type === 'thinking') {
      const block = this.order.begin(type)
      this.order.append(block, stringOf(content[type]))
      return block
    }
    if (type === 'compaction') {
      const block = this.order.begin('thinking')
      block.compaction = true
      this.order.append(block, stringOf(content['content']))
      return block
    }
    // Its text is encrypted: the block exists, but has no content.
    if (type === 'redacted_thinking') return this.order.begin('thinking')
    if (type === 'tool_use' || type.endsWith('_tool_use')) {
      const block = this.order.begin('tool_call', stringOf(content['name']), stringOf(content['id']), type !== 'tool_use')
      this.inputs.set(block, wholeInput(content['input']))
      return block
    }
    if (isResult(type)) {
      const result = content['content']
      const failed = content['is_error'] === true || stringOf(fieldsOf(result)?.['type']).endsWith('_error')
      this.order.result(resultOf(result), stringOf(content['tool_use_id']), failed, type !== 'tool_result')
    }
    return undefined
  }

  private delta(index: unknown, delta: Fields | undefined): boolean {
    const target = DELTAS.get(delta?.['type'])
    if (delta === undefined || target === undefined) return TEXTLESS.has(delta?.['type'])
    const [type, field] = target
    if (this.blocks.has(index) && this.blocks.get(index) === undefined) return false
    let block = this.blocks.get(index)
    // The start was lost, or belonged to a block of another kind: the text is still the model's.
    if (block === undefined || block.type !== type) {
      if (stringOf(delta[field]) === '') return true
      if (block !== undefined) this.order.cut(block)
      block = this.order.begin(type)
      this.blocks.set(index, block)
    }
    this.order.append(block, stringOf(delta[field]))
    return true
  }

  private stop(index: unknown): void {
    const block = this.blocks.get(index)
    this.blocks.delete(index)
    if (block === undefined) return
    if (block.isEmpty) this.order.append(block, this.inputs.get(block) ?? '')
    this.inputs.delete(block)
    if (block.type === 'tool_call' && block.isEmpty) this.unconfirmed = block
    else this.order.end(block)
  }

  /** Ends a call that was stopped without input, once it is known whether the reply was cut off there. */
  private confirm(stopReason?: unknown): void {
    const block = this.unconfirmed
    if (block === undefined) return
    this.unconfirmed = undefined
    if (CUTS.has(stopReason)) this.order.cut(block)
    else this.order.end(block)
  }
}

/** Types of content blocks that only the AI SDK has. */
export const AI_SDK_CONTENT = /^(reasoning|tool-\w+)$/

function isResult(type: string): boolean {
  return type === 'tool_result' || type.endsWith('_tool_result')
}

/** An empty object at the start of a stream means that the input follows. */
function wholeInput(input: unknown): string {
  const fields = fieldsOf(input)
  return fields === undefined ? argumentsOf(input) : Object.keys(fields).length === 0 ? '' : jsonOf(fields)
}
