// Blocks: text, thinking, tool calls and their results.

import { type BlockEmission, type BlockEvent, BlockParser, type ChunkMeta, type ChunkType, type TagRole } from 'tokenweir/blocks'
import type { JsonValue } from 'tokenweir/fields'
import type { Role, Emitted } from '../emitted'
import { LiveArguments } from './live-arguments'
import { type Reading, counter } from './reading'

export interface BlockChoice {
  /** Names of tags as typed, with commas: `plan` is thinking, `plan: invoke` has that role. */
  readonly tags: string
}

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
  isDone: boolean
  isError: boolean
  isIncomplete: boolean
}

const ROLE_OF: Readonly<Record<ChunkType, Role>> = { text: 'visible', thinking: 'thinking', tool_call: 'call', tool_result: 'result' }

export class BlockReading implements Reading {
  readonly blocks: Block[] = []
  visible = ''
  private readonly parser: BlockParser

  constructor(
    private readonly emitted: Emitted,
    { tags }: BlockChoice,
  ) {
    this.parser = new BlockParser({ spans: true, generateId: counter('call_'), tags: tagsFrom(tags) })
  }

  feed(chunk: string): void {
    this.take(this.parser.processChunk(chunk).emissions)
  }

  end(): void {
    this.take(this.parser.flush().emissions)
  }

  private take(emissions: readonly BlockEmission[]): void {
    for (const emission of emissions) {
      if (emission.kind === 'blockEvent') this.atBoundary(emission.event)
      else if (emission.kind === 'content') this.addContent(emission.text, emission.meta)
      else this.emitted.emit(...emission.span, 'markup')
    }
  }

  private atBoundary(event: BlockEvent): void {
    if (event.event === 'block_start') {
      const { type } = event.block
      this.blocks.push({ index: event.index, type, text: '', depth: 0, id: undefined, name: undefined, input: undefined, isDone: false, isError: false, isIncomplete: false })
      return
    }
    const block = this.blocks.at(-1)
    if (event.event !== 'block_complete' || block === undefined) return
    block.input?.end()
    block.isDone = true
    block.isError = event.block.isError === true
    block.isIncomplete = event.block.incomplete === true
  }

  private addContent(text: string, meta: ChunkMeta): void {
    if (meta.span) this.emitted.emit(...meta.span, ROLE_OF[meta.type])
    if (meta.visible) this.visible += text
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

/** The roles of tags as typed, by name. The parser refuses what is not a role. */
export function tagsFrom(typed: string): Record<string, TagRole> {
  const tags: Record<string, TagRole> = {}
  for (const one of typed.split(',')) {
    const [name = '', role = 'thinking'] = one.split(':').map((part) => part.trim())
    if (name !== '') tags[name] = role as TagRole
  }
  return tags
}
