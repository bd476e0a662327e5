// Blocks from Anthropic's Messages API: stream events, and complete content blocks.
//
//     message_start (content_block_start content_block_delta* content_block_stop)* message_delta message_stop
//
// Source: docs.anthropic.com, "Streaming Messages"; seeds/001, "Chat Mode Implementation".
// A `tool_use` block is a tool call; so are a server's and an MCP one, and they and their results are `hosted`.
// Signatures,
// citations, pings and unknown block types are ignored.

import { fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import { MarkedBlocks } from './marked-blocks.js'
import type { Provider, ProviderReader } from './provider.js'

/** The block kind of a delta, and the field with its text. */
const DELTAS = new Map<unknown, readonly [type: 'text' | 'thinking' | 'tool_call', field: string]>([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['input_json_delta', ['tool_call', 'partial_json']],
  ['compaction_delta', ['thinking', 'content']],
])

/** Deltas without text; Bedrock's redacted thinking comes as one. */
const TEXTLESS: ReadonlySet<unknown> = new Set(['signature_delta', 'citations_delta', 'redacted_delta'])

const EVENTS: ReadonlySet<unknown> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
])

/** Reasons to stop that cut the last block off. */
const CUTS: ReadonlySet<unknown> = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal'])

class AnthropicReader extends MarkedBlocks implements ProviderReader {
  feed(event: Fields): boolean {
    const { type, index } = event
    switch (type) {
      case 'message_start':
        this.startReply()
        this.readBlocks(listOf(fieldsOf(event['message'])?.['content']))
        return true
      case 'message_stop':
        this.finish()
        return true
      case 'content_block_start':
        return this.start(index, fieldsOf(event['content_block']))
      case 'content_block_delta':
        return this.readDelta(index, fieldsOf(event['delta']) ?? {})
      case 'content_block_stop':
        this.stop(index)
        return true
      case 'message_delta': {
        const reason = fieldsOf(event['delta'])?.['stop_reason']
        if (stringOf(reason) !== '') this.finish(CUTS.has(reason))
        return true
      }
      default:
        return type === 'ping'
    }
  }

  whole(reply: Fields): void {
    this.readWhole(listOf(reply['content']))
  }

  private readDelta(index: unknown, delta: Fields): boolean {
    const { type, signature, citation, data } = delta
    const [kind, field] = DELTAS.get(type) ?? []
    if (kind !== undefined && field !== undefined) return this.add(index, kind, stringOf(delta[field]))
    const block = this.blockAt(index)
    const cited = fieldsOf(citation)
    if (type === 'signature_delta') block?.note({ signature: stringOf(signature) })
    if (type === 'redacted_delta') this.addData(index, stringOf(data))
    if (type === 'citations_delta' && cited !== undefined)
      block?.note({ citations: [...(block.about?.citations ?? []), cited] })
    return TEXTLESS.has(type)
  }
}

/** Types of content blocks that only the AI SDK has. */
export const AI_SDK_CONTENT = /^(reasoning|tool-\w+)$/

export const anthropic: Provider = {
  shapeOf(object) {
    const { type, content } = object
    if (EVENTS.has(type)) return 'event'
    // The types of Anthropic's content blocks have underscores, those of the AI SDK hyphens.
    const isOfSdk = (block: unknown) => AI_SDK_CONTENT.test(stringOf(fieldsOf(block)?.['type']))
    return Array.isArray(content) && !('tool_calls' in object) && !content.some(isOfSdk) ? 'reply' : undefined
  },
  isTyped: true,
  front: { type: /"/, message: /\{/, content_block: /\{/, delta: /\{/, usage: /\{/, index: /\d/ },
  reason: ['delta.stop_reason', 'stop_reason'],
  usage: ['message.usage', 'usage'],
  Reader: AnthropicReader,
}
