// Blocks of protocols that mark where each begins and ends, by its index: Anthropic's, and those that say the same in
// other words.
//
//     start(0, text) add(0, 'Hi') stop(0)     start(1, tool_use) add(1, '{"q":') add(1, '1}') stop(1)     finish
//
// Servers leave such marks out. Text without a start is the model's all the same; a block without an end has ended
// where another begins, or where the reply does, as far as it is whole.

import type { ChunkType } from '../blocks/types.js'
import { argumentsOf, fieldsOf, jsonOf, listOf, resultOf, stringOf, type Fields } from '../untrusted.js'
import type { NativeBlock } from './block.js'
import type { BlockOrder } from './order.js'
import { Places } from './places.js'

/** Blocks without text. */
const SILENT: ReadonlySet<string> = new Set(['fallback', 'container_upload'])

interface Part {
  /** Undefined if it is ignored. */
  readonly block: NativeBlock | undefined
  /** The input that came with the start of a call, used if no delta follows. */
  readonly input: string
}

/** Reads content blocks, which have Anthropic's fields. */
export class MarkedBlocks {
  /** By index: deltas have no other name for a block. */
  private readonly parts = new Places<Part>()

  constructor(protected readonly order: BlockOrder) {}

  /** The reply has ended, and nobody said why: open blocks were cut off. */
  endReply(): void {
    for (const { block } of this.parts) if (block !== undefined) this.order.cut(block)
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.parts.clear()
  }

  /** Reads complete content blocks, from a reply that was not streamed. */
  protected readWhole(content: readonly unknown[]): void {
    this.readBlocks(content)
    this.endReply()
  }

  protected readBlocks(content: readonly unknown[]): void {
    const answered = new Set(content.map((block) => stringOf(fieldsOf(block)?.['tool_use_id'])))
    for (const [index, item] of content.entries()) {
      const block = fieldsOf(item)
      if (!this.start(index, block, answered.has(stringOf(block?.['id'])))) this.order.notUnderstood()
      this.stop(index)
    }
  }

  protected startReply(): void {
    this.endReply()
    this.order.startReply()
  }

  /** A block starts. False: its kind is unknown. */
  protected start(index: unknown, content: Fields | undefined, isAnswered = false): boolean {
    this.endOthers(index)
    const block = content === undefined ? undefined : this.begin(content)
    if (block !== undefined && isAnswered && block.id !== '') block.hosted = true
    this.parts.put('', index, { block, input: block?.type === 'tool_call' ? wholeInput(content?.['input']) : '' })
    const type = stringOf(content?.['type'])
    return block !== undefined || isResult(type) || SILENT.has(type)
  }

  /** Adds text to a block. If its start was lost, or belonged to a block of another kind, it begins one. */
  protected add(index: unknown, type: ChunkType, text: string): boolean {
    const part = this.parts.find('', index)
    if (part !== undefined && part.block === undefined) return false
    let block = part?.block
    if (block?.type !== type || block.state !== 'begun') {
      if (text === '') return true
      this.endOthers(index)
      block = this.order.begin(type)
      this.parts.put('', index, { block, input: '' })
    }
    this.order.append(block, text)
    return true
  }

  /** Adds to the encrypted text of a thought. */
  protected addData(index: unknown, data: string): void {
    const part = this.parts.find('', index)
    if (part === undefined) this.start(index, { type: 'redacted_thinking', data })
    else part.block?.note({ data: stringOf(part.block.about?.data) + data })
  }

  protected blockAt(index: unknown): NativeBlock | undefined {
    return this.parts.find('', index)?.block
  }

  protected stop(index: unknown): void {
    const part = this.parts.find('', index)
    if (part !== undefined) this.end(part)
  }

  /** The reply is over. Some servers leave out the ends of its blocks: what is whole by then has ended. */
  protected finish(isCut = false): void {
    for (const part of this.parts) {
      if (part.block === undefined) continue
      if (!isCut || isWhole(part.block)) this.end(part)
      else this.order.cut(part.block)
    }
  }

  /** A block begins: one before it whose end was left out has ended, as far as it is whole. */
  private endOthers(index: unknown): void {
    const here = this.parts.find('', index)
    for (const part of this.parts) {
      if (part.block === undefined) continue
      if (isWhole(part.block)) this.end(part)
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
    if (type === 'tool_use' || type.endsWith('_tool_use'))
      return this.order.begin('tool_call', stringOf(content['name']), stringOf(content['id']), type !== 'tool_use')
    if (isResult(type)) {
      const result = content['content']
      const failed = content['is_error'] === true || stringOf(fieldsOf(result)?.['type']).endsWith('_error')
      this.order.result(resultOf(result), stringOf(content['tool_use_id']), failed, type !== 'tool_result')
    }
    return undefined
  }

  /** Without any input only why the reply ended sets apart a call that takes none from one that was cut off. */
  private end({ block, input }: Part): void {
    if (block === undefined) return
    if (block.isEmpty) this.order.append(block, input)
    this.order.end(block)
  }
}

/**
 * Whether a block can have ended where its end was left out. One that has nothing yet may be written beside the next.
 */
function isWhole(block: NativeBlock): boolean {
  return block.type === 'tool_call' ? block.isWhole : !block.isEmpty
}

function isResult(type: string): boolean {
  return type === 'tool_result' || type.endsWith('_tool_result')
}

/** An empty object at the start of a stream means that the input follows. */
function wholeInput(input: unknown): string {
  const fields = fieldsOf(input)
  return fields === undefined ? argumentsOf(input) : Object.keys(fields).length === 0 ? '' : jsonOf(fields)
}
