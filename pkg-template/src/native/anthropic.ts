// Blocks from Anthropic's Messages API: stream events, and complete content blocks.
//
//     message_start (content_block_start content_block_delta* content_block_stop)* message_delta message_stop
//
// Source: docs.anthropic.com, "Streaming Messages"; seeds/001, "Chat Mode Implementation".
// A `tool_use` block is a tool call; so are a server's and an MCP one, and they and their results are `hosted`.
// Signatures,
// citations, pings and unknown block types are ignored.

import { argumentsOf, fieldsOf, jsonOf, listOf, resultOf, stringOf, type Fields } from '../untrusted.js'
import { NativeBlock } from './block.js'
import type { BlockOrder } from './order.js'
import { Places } from './places.js'
import type { Provider, ProviderReader } from './provider.js'

/** The block kind of a delta, and the field with its text. */
const DELTAS = new Map<unknown, readonly [type: 'text' | 'thinking' | 'tool_call', field: string]>([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['input_json_delta', ['tool_call', 'partial_json']],
  ['compaction_delta', ['thinking', 'content']],
])

/** Blocks without text. */
const SILENT: ReadonlySet<string> = new Set(['fallback', 'container_upload'])

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

/** A content block. */
interface Part {
  /** Undefined if it is ignored. */
  block: NativeBlock | undefined
  /** The input that came with the start of a call, used if no delta follows. */
  input: string
  /** Whether its end has come. */
  isStopped: boolean
}

class Parts extends Places<Part> {}

/** Reads Anthropic's events and content blocks. */
export class AnthropicReader implements ProviderReader {
  /** By index: deltas have no other name for a block. */
  private readonly parts = new Parts()

  constructor(private readonly order: BlockOrder) {}

  feed(event: Fields): boolean {
    switch (event['type']) {
      case 'message_start':
        this.endReply()
        this.order.startReply()
        this.readBlocks(listOf(fieldsOf(event['message'])?.['content']))
        return true
      case 'message_stop':
        this.finish()
        return true
      case 'content_block_start':
        return this.start(event['index'], fieldsOf(event['content_block']))
      case 'content_block_delta':
        return this.delta(event['index'], fieldsOf(event['delta']))
      case 'content_block_stop':
        this.stop(event['index'])
        return true
      case 'message_delta': {
        const reason = fieldsOf(event['delta'])?.['stop_reason']
        if (stringOf(reason) !== '') this.finish(reason)
        return true
      }
      default:
        return event['type'] === 'ping'
    }
  }

  whole(reply: Fields): void {
    this.readWhole(listOf(reply['content']))
  }

  /** Reads complete content blocks, from a reply that was not streamed. */
  readWhole(content: readonly unknown[]): void {
    this.readBlocks(content)
    this.endReply()
  }

  /** The reply has ended, and nobody said why: open blocks were cut off. */
  endReply(): void {
    for (const { block } of this.parts) if (block !== undefined) this.order.cut(block)
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.parts.clear()
  }

  /** The reply is over. Some servers leave out the ends of its blocks: what is whole by then has ended. */
  private finish(reason?: unknown): void {
    for (const part of this.parts) {
      if (part.block === undefined || part.isStopped) continue
      if (isWhole(part.block) || !CUTS.has(reason)) this.end(part, part.block)
      else this.order.cut(part.block)
    }
  }

  private readBlocks(content: readonly unknown[]): void {
    const answered = new Set(content.map((block) => stringOf(fieldsOf(block)?.['tool_use_id'])))
    for (const [index, item] of content.entries()) {
      const block = fieldsOf(item)
      if (!this.start(index, block, answered.has(stringOf(block?.['id'])))) this.order.notUnderstood()
      this.stop(index)
    }
  }

  private start(index: unknown, content: Fields | undefined, isAnswered = false): boolean {
    this.endOthers(index)
    const block = content === undefined ? undefined : this.begin(content)
    if (block !== undefined && isAnswered && block.id !== '') block.hosted = true
    this.parts.put('', index, {
      block,
      input: block?.type === 'tool_call' ? wholeInput(content?.['input']) : '',
      isStopped: false,
    })
    const type = stringOf(content?.['type'])
    return block !== undefined || isResult(type) || SILENT.has(type)
  }

  /** A block begins: one before it whose end was left out has ended, as far as it is whole. */
  private endOthers(index: unknown): void {
    const here = this.parts.find('', index)
    for (const part of this.parts) {
      if (part.block === undefined || part.isStopped) continue
      if (isWhole(part.block)) this.end(part, part.block)
      else if (part === here) this.order.cut(part.block)
    }
  }

  private begin(content: Fields): NativeBlock | undefined {
    const type = stringOf(content['type'])
    if (type === 'text' || type === 'thinking') {
      const block = this.order.begin(type)
      const { signature, citations } = content
      if (stringOf(signature) !== '') block.note({ signature: stringOf(signature) })
      if (listOf(citations).length > 0) block.note({ citations: listOf(citations) as object[] })
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
    if (type === 'redacted_thinking') {
      const block = this.order.begin('thinking')
      block.note({ data: stringOf(content['data']) })
      return block
    }
    if (type === 'tool_use' || type.endsWith('_tool_use')) {
      return this.order.begin('tool_call', stringOf(content['name']), stringOf(content['id']), type !== 'tool_use')
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
    if (delta === undefined || target === undefined) {
      const part = this.parts.find('', index)
      if (delta?.['type'] === 'redacted_delta' && part === undefined)
        return this.start(index, { ...delta, type: 'redacted_thinking' })
      this.note(part?.block, delta ?? {})
      return TEXTLESS.has(delta?.['type'])
    }
    const [type, field] = target
    const part = this.parts.find('', index)
    if (part !== undefined && part.block === undefined) return false
    let block = part?.block
    // The start was lost, or belonged to a block of another kind: the text is still the model's.
    if (block === undefined || block.type !== type || block.state !== 'begun') {
      if (stringOf(delta[field]) === '') return true
      this.endOthers(index)
      block = this.order.begin(type)
      this.parts.put('', index, { block, input: '', isStopped: false })
    }
    this.order.append(block, stringOf(delta[field]))
    return true
  }

  private note(block: NativeBlock | undefined, { type, signature, citation, data }: Fields): void {
    if (type === 'signature_delta') block?.note({ signature: stringOf(signature) })
    if (type === 'redacted_delta') block?.note({ data: stringOf(block.about?.data) + stringOf(data) })
    const cited = fieldsOf(citation)
    if (type === 'citations_delta' && cited !== undefined)
      block?.note({ citations: [...(block.about?.citations ?? []), cited] })
  }

  private stop(index: unknown): void {
    const part = this.parts.find('', index)
    if (part?.block === undefined || part.isStopped) return
    this.end(part, part.block)
  }

  /** Without any input only why the reply ended sets apart a call that takes none from one that was cut off. */
  private end(part: Part, block: NativeBlock): void {
    part.isStopped = true
    if (block.isEmpty) this.order.append(block, part.input)
    this.order.end(block)
  }
}

/**
 * Whether a block can have ended where its end was left out. One that has nothing yet may be written beside the next.
 */
function isWhole(block: NativeBlock): boolean {
  return block.type === 'tool_call' ? block.isWhole : !block.isEmpty
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
