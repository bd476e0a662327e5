// Blocks as they come: text, thinking, tool calls and their results.

import type { BlockEmission, BlockEvent, ChunkMeta, ChunkType } from 'tokenweir/blocks'
import type { JsonValue } from 'tokenweir/fields'
import type { ReplyReset } from 'tokenweir'
import { LiveArguments } from './live-arguments'

/** One block, as far as it has been emitted. */
export interface Block {
  readonly index: number
  readonly type: ChunkType
  text: string
  /** For calls. */
  depth: number
  id: string | undefined
  name: string | undefined
  input: LiveArguments | undefined
  /** Tolerated errors. */
  repairs: readonly string[]
  isDone: boolean
  isError: boolean
  isIncomplete: boolean
}

export class BlockList {
  readonly blocks: Block[] = []

  take(emission: BlockEmission | ReplyReset): void {
    if (emission.kind === 'reset') this.blocks.length = emission.blocks
    else if (emission.kind === 'blockEvent') this.atBoundary(emission.event)
    else if (emission.kind === 'content') this.addContent(emission.text, emission.meta)
  }

  private atBoundary(event: BlockEvent): void {
    if (event.event === 'block_start') {
      const { type } = event.block
      this.blocks.push({ index: event.index, type, text: '', depth: 0, id: undefined, name: undefined, input: undefined, repairs: [], isDone: false, isError: false, isIncomplete: false })
      return
    }
    const block = this.blocks.at(-1)
    if (event.event !== 'block_complete' || block === undefined) return
    block.input?.end()
    block.isDone = true
    block.repairs = (event.block.type === 'tool_call' && event.block.repairs) || []
    block.isError = event.block.isError === true
    block.isIncomplete = event.block.incomplete === true
  }

  private addContent(text: string, meta: ChunkMeta): void {
    const block = this.blocks.at(-1)
    if (block === undefined) return
    block.depth = meta.depth ?? block.depth
    block.id = meta.toolId ?? block.id
    block.name = meta.toolName ?? block.name
    if (meta.toolCallPart === 'input') (block.input ??= new LiveArguments()).add(text)
    else if (meta.toolCallPart === undefined) block.text += text
  }
}

/** The arguments of a call, as far as they have been emitted. */
export function argumentsOf(block: Block): JsonValue | undefined {
  return block.input?.value
}
