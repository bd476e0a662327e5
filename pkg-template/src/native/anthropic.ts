// Blocks from Anthropic's Messages API: stream events, and complete content blocks.
//
//     message_start (content_block_start content_block_delta* content_block_stop)* message_delta message_stop
//
// Source: docs.anthropic.com, "Streaming Messages"; seeds/001, "Chat Mode Implementation".
// A `tool_use` block is a tool call; so are a server's and an MCP one, and they and their results are `hosted`.
// Signatures,
// citations, pings and unknown block types are ignored.

import { fieldsOf, listOf, stringOf, type Fields, fieldsIn } from '../untrusted.js'
import { MarkedBlocks } from './marked-blocks.js'
import { type Provider, type ProviderReader, type Draft, type Keep, type MessageDraft, append } from './provider.js'

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

/** Deltas that add text: the field of the delta, and that of the block. */
const TEXTS: ReadonlyMap<unknown, readonly [from: string, to: string]> = new Map([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['compaction_delta', ['content', 'content']],
])

/** The message of Anthropic's events, and of those that are rewritten as such. */
export class AnthropicMessage implements MessageDraft {
  /** By the index of their events, from the beginning of this message. */
  readonly #blocks: Draft[] = []
  #from = 0
  /** The input of calls as JSON text, until it is whole. */
  readonly #inputs = new Map<Draft, string>()
  readonly #ended = new Set<Draft>()

  read(event: Fields): void {
    const at = this.#from + Number(event['index'])
    switch (event['type']) {
      case 'message_start':
        this.#from = this.#blocks.length
        return this.#addWhole(listOf(fieldsOf(event['message'])?.['content']))
      case 'content_block_start':
        this.#blocks[at] = { ...fieldsOf(event['content_block']) }
        return
      case 'content_block_delta':
        return this.#delta((this.#blocks[at] ??= {}), fieldsOf(event['delta']) ?? {})
      case 'content_block_stop': {
        const block = this.#blocks[at]
        if (block !== undefined) this.#ended.add(block)
        return
      }
      default:
        if (!Array.isArray(event['content'])) return
        // Some servers send all of it again at the end.
        this.#blocks.length = this.#from
        this.#addWhole(event['content'])
    }
  }

  finish(keep: Keep): object | undefined {
    const content = this.#blocks.flatMap((block) => this.#sent(block, keep))
    return content.length === 0 ? undefined : { role: 'assistant', content }
  }

  #addWhole(content: readonly unknown[]): void {
    for (const item of content) {
      const block: Draft = { ...fieldsOf(item) }
      this.#blocks.push(block)
      this.#ended.add(block)
    }
  }

  #delta(block: Draft, delta: Fields): void {
    const { type } = delta
    const [from, to] = TEXTS.get(type) ?? []
    if (from !== undefined && to !== undefined) append(block, to, delta[from])
    // The last one counts.
    else if (type === 'signature_delta') block['signature'] = delta['signature']
    else if (type === 'citations_delta') block['citations'] = [...listOf(block['citations']), delta['citation']]
    else if (type === 'input_json_delta')
      this.#inputs.set(block, (this.#inputs.get(block) ?? '') + stringOf(delta['partial_json']))
  }

  /** A block as it goes back; none, if it can't. */
  #sent(block: Draft, keep: Keep): object[] {
    const type = stringOf(block['type'])
    if (type === 'text') return block['text'] === '' && block['citations'] === undefined ? [] : [block]
    if (type === 'thinking') return stringOf(block['signature']) === '' ? [] : [block]
    if (type !== 'tool_use' && !type.endsWith('_tool_use')) return type === '' ? [] : [block]
    const written = this.#inputs.get(block)
    const input = written === undefined ? block['input'] : fieldsIn(written)
    if (input === undefined) return []
    if (type !== 'tool_use') return this.#ended.has(block) ? [{ ...block, input }] : []
    const call = keep({ id: stringOf(block['id']), name: stringOf(block['name']), input })
    return call === undefined ? [] : [{ ...block, id: call.id, input }]
  }
}

export const anthropic: Provider = {
  shapeOf(object) {
    const { type, content } = object
    if (EVENTS.has(type)) return 'event'
    // The types of Anthropic's content blocks have underscores, those of the AI SDK hyphens.
    const isOfSdk = (block: unknown) => AI_SDK_CONTENT.test(stringOf(fieldsOf(block)?.['type']))
    return Array.isArray(content) && !('tool_calls' in object) && !content.some(isOfSdk) ? 'reply' : undefined
  },
  isTyped: true,
  front: { message: /\{/, content_block: /\{/, usage: /\{/ },
  reason: ['delta.stop_reason', 'stop_reason'],
  usage: ['message.usage', 'usage'],
  Reader: AnthropicReader,
}
