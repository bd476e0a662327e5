// The message of Bedrock's Converse API: its content blocks. Reasoning goes back with its signature, or not at all.

import { fieldsIn, fieldsOf, listOf, stringOf, type Fields } from '../../untrusted.js'
import { type Draft, type Keep, type MessageDraft, append } from './draft.js'

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
