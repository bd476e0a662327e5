// Blocks from Amazon Bedrock's Converse and ConverseStream.
//
//     messageStart (contentBlockStart? contentBlockDelta* contentBlockStop)* messageStop metadata
//
// Source: docs.aws.amazon.com, "ConverseStream". An event is one member of a union:
// `{ contentBlockDelta: { contentBlockIndex, delta } }`. The protocol is Anthropic's in
// other words. A text has no start.

import { argumentsOf, fieldsOf, jsonOf, listOf, resultOf, stringOf, type Fields, fieldsIn } from '../untrusted.js'
import { MarkedBlocks } from './marked-blocks.js'
import { type Provider, type ProviderReader, type Draft, type Keep, type MessageDraft, append } from './provider.js'
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

/** The message of ConverseStream's events, or of a reply of Converse. */
export class BedrockMessage implements MessageDraft {
  #blocks: Draft[] = []
  #from = 0

  read(event: Fields): void {
    const [start, delta] = [fieldsOf(event['contentBlockStart']), fieldsOf(event['contentBlockDelta'])]
    if (event['messageStart'] !== undefined) this.#from = this.#blocks.length
    if (start !== undefined) this.#at(start)['toolUse'] = { ...fieldsOf(fieldsOf(start['start'])?.['toolUse']) }
    if (delta !== undefined) this.#delta(this.#at(delta), fieldsOf(delta['delta']) ?? {})
    const message = fieldsOf(fieldsOf(event['output'])?.['message'])
    for (const block of listOf(message?.['content'])) this.#blocks.push({ ...fieldsOf(block) })
  }

  finish(keep: Keep): object | undefined {
    const content = this.#blocks.flatMap((block) => sent(block, keep))
    return content.length === 0 ? undefined : { role: 'assistant', content }
  }

  #at({ contentBlockIndex }: Fields): Draft {
    return (this.#blocks[this.#from + Number(contentBlockIndex)] ??= {})
  }

  #delta(block: Draft, delta: Fields): void {
    append(block, 'text', delta['text'])
    const call = fieldsOf(delta['toolUse'])
    if (call !== undefined) append((block['toolUse'] ??= {}) as Draft, 'input', call['input'])
    const reasoning = fieldsOf(delta['reasoningContent'])
    if (reasoning === undefined) return
    const draft = (block['reasoningContent'] ??= {}) as Draft
    if (reasoning['redactedContent'] !== undefined)
      draft['redactedContent'] = joined(draft['redactedContent'], reasoning['redactedContent'])
    if (reasoning['text'] === undefined && reasoning['signature'] === undefined) return
    const text = (draft['reasoningText'] ??= { text: '' }) as Draft
    append(text, 'text', reasoning['text'])
    if (reasoning['signature'] !== undefined) text['signature'] = reasoning['signature']
  }
}

/** Bytes come as such from Amazon's SDK, and as base64 text in JSON. */
function joined(before: unknown, next: unknown): unknown {
  if (next instanceof Uint8Array && before instanceof Uint8Array) {
    const all = new Uint8Array(before.length + next.length)
    all.set(before)
    all.set(next, before.length)
    return all
  }
  return typeof next === 'string' && typeof before === 'string' ? ofBase64(before, next) : next
}

/** Each piece of base64 may have an end of its own. */
function ofBase64(before: string, next: string): string {
  return before.endsWith('=') ? btoa(atob(before) + atob(next)) : before + next
}

/** A block as it goes back; none, if it can't. */
function sent(block: Draft, keep: Keep): object[] {
  const call = fieldsOf(block['toolUse'])
  const reasoning = fieldsOf(block['reasoningContent'])
  if (reasoning !== undefined) {
    const isSigned = fieldsOf(reasoning['reasoningText'])?.['signature'] !== undefined
    return isSigned || reasoning['redactedContent'] !== undefined ? [block] : []
  }
  if (call === undefined) return block['text'] === '' || Object.keys(block).length === 0 ? [] : [block]
  const written = call['input'] ?? ''
  const input = typeof written === 'string' ? fieldsIn(written) : written
  if (input === undefined) return []
  if (stringOf(call['type']) === 'server_tool_use') return [{ toolUse: { ...call, input } }]
  const kept = keep({ id: stringOf(call['toolUseId']), name: stringOf(call['name']), input })
  return kept === undefined ? [] : [{ toolUse: { ...call, toolUseId: kept.id, input } }]
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
