// Blocks from Amazon Bedrock's Converse and ConverseStream.
//
//     messageStart (contentBlockStart? contentBlockDelta* contentBlockStop)* messageStop metadata
//
// Source: docs.aws.amazon.com, "ConverseStream". An event is one member of a union:
// `{ contentBlockDelta: { contentBlockIndex, delta } }`. The protocol is Anthropic's in
// other words. A text has no start.

import { argumentsOf, fieldsOf, jsonOf, listOf, resultOf, stringOf, type Fields } from '../untrusted.js'
import { MarkedBlocks } from './marked-blocks.js'
import type { Provider, ProviderReader } from './provider.js'
import { textIn } from './said.js'

const EVENTS = [
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
] as const

/** Blocks without text. */
const SILENT = ['image', 'document', 'video', 'audio', 'guardContent', 'cachePoint', 'searchResult']

/** Reasons to stop after which the reply is whole. */
const NORMAL: ReadonlySet<unknown> = new Set(['end_turn', 'tool_use', 'stop_sequence'])

class BedrockReader extends MarkedBlocks implements ProviderReader {
  feed(event: Fields): boolean {
    for (const name of EVENTS) {
      const fields = fieldsOf(event[name])
      if (fields !== undefined) return this.read(name, fields)
    }
    return false
  }

  whole(reply: Fields): void {
    const content = listOf(fieldsOf(fieldsOf(reply['output'])?.['message'])?.['content'])
    const blocks = content.map((block) => fieldsOf(block) ?? {})
    if (blocks.some((block) => blockOf(block).length === 0 && !SILENT.some((name) => name in block)))
      this.order.notUnderstood()
    this.readWhole(blocks.flatMap(blockOf))
  }

  private read(name: (typeof EVENTS)[number], fields: Fields): boolean {
    const index = fields['contentBlockIndex']
    switch (name) {
      case 'messageStart':
        this.startReply()
        return true
      case 'contentBlockStart': {
        const start = fieldsOf(fields['start']) ?? {}
        const [block] = blockOf(start)
        // A text has an empty start, or none.
        if (block === undefined) return Object.keys(start).length === 0
        return this.start(index, block)
      }
      case 'contentBlockDelta':
        return this.readDelta(index, fieldsOf(fields['delta']) ?? {})
      case 'contentBlockStop':
        this.stop(index)
        return true
      case 'messageStop':
        this.finish(fields['stopReason'] !== undefined && !NORMAL.has(fields['stopReason']))
        return true
      case 'metadata':
        return Object.keys(fields).length > 0
    }
  }

  private readDelta(index: unknown, delta: Fields): boolean {
    const reasoning = fieldsOf(delta['reasoningContent'])
    const call = fieldsOf(delta['toolUse'])
    if (typeof delta['text'] === 'string') return this.add(index, 'text', delta['text'])
    if (call !== undefined) return this.add(index, 'tool_call', argumentsOf(call['input']))
    // Signatures and redacted reasoning have no text.
    if (reasoning !== undefined) {
      const { text, signature, redactedContent } = reasoning
      this.add(index, 'thinking', stringOf(text))
      if (signature !== undefined) this.blockAt(index)?.note({ signature: stringOf(signature) })
      if (typeof redactedContent === 'string') this.addData(index, redactedContent)
      return true
    }
    return delta['citation'] !== undefined
  }
}

/** A content block in Anthropic's words; none if its kind is unknown. */
function blockOf(block: Fields): Fields[] {
  const call = fieldsOf(block['toolUse'])
  const result = fieldsOf(block['toolResult'])
  const reasoning = fieldsOf(block['reasoningContent'])
  const cited = fieldsOf(block['citationsContent'])?.['content']
  if (typeof block['text'] === 'string' || cited !== undefined)
    return [{ type: 'text', text: textIn(block['text'] ?? cited).text }]
  if (call !== undefined)
    return [
      { type: stringOf(call['type']) || 'tool_use', id: call['toolUseId'], name: call['name'], input: call['input'] },
    ]
  if (result !== undefined)
    return [
      {
        type: 'tool_result',
        tool_use_id: result['toolUseId'],
        is_error: result['status'] === 'error',
        content: resultText(result['content']),
      },
    ]
  if (reasoning !== undefined)
    return [{ ...fieldsOf(reasoning['reasoningText']), type: 'thinking', thinking: textOf(reasoning) }]
  return []
}

/** A result's content: blocks of text are joined, anything else is JSON. */
function resultText(content: unknown): string {
  const texts = listOf(content).map((item) => fieldsOf(item)?.['text'])
  return texts.every((text) => typeof text === 'string')
    ? texts.join('')
    : Array.isArray(content)
      ? jsonOf(content)
      : resultOf(content)
}

function textOf(reasoning: Fields): string {
  return stringOf(fieldsOf(reasoning['reasoningText'])?.['text'])
}

export const bedrock: Provider = {
  shapeOf(object) {
    if (EVENTS.some((name) => fieldsOf(object[name]) !== undefined)) return 'event'
    return !('content' in object) && fieldsOf(fieldsOf(object['output'])?.['message']) !== undefined
      ? 'reply'
      : undefined
  },
  front: Object.fromEntries(EVENTS.map((name) => [name, /\{/])),
  reason: ['messageStop.stopReason', 'stopReason'],
  usage: ['metadata.usage', 'usage'],
  Reader: BedrockReader,
}
