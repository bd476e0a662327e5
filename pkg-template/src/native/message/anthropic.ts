// Anthropic's message: its content blocks, in order. Thinking goes back with its signature, or not at all.

import { fieldsIn, fieldsOf, listOf, stringOf, type Fields } from '../../untrusted.js'
import { type Draft, type Keep, type MessageDraft, append } from './draft.js'

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
