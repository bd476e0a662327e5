// Blocks of a text with tags.

import { type BlockEmission, BlockParser, type ChunkType, type TagRole } from 'tokenweir/blocks'
import type { Role, Emitted } from '../emitted'
import { BlockList } from './block-list'
import { type Changed, counter } from './reading'
import { ShownReading, VisibleText } from './visible-text'

export interface BlockChoice {
  /** Names of tags as typed, with commas: `plan` is thinking, `plan: invoke` has that role. */
  readonly tags: string
}

const ROLE_OF: Readonly<Record<ChunkType, Role>> = { text: 'visible', thinking: 'thinking', tool_call: 'call', tool_result: 'result' }

export class BlockReading extends ShownReading {
  private readonly list = new BlockList()
  readonly blocks = this.list.blocks
  protected readonly shown: VisibleText
  private readonly parser: BlockParser

  constructor(
    private readonly emitted: Emitted,
    { tags }: BlockChoice,
    changed: Changed,
  ) {
    super()
    this.parser = new BlockParser({ spans: true, generateId: counter('call_'), tags: tagsFrom(tags) })
    this.shown = new VisibleText(changed)
  }

  feed(chunk: string): void {
    this.take(this.parser.processChunk(chunk).emissions)
  }

  end(): void {
    this.take(this.parser.flush().emissions)
    this.shown.end()
  }

  private take(emissions: readonly BlockEmission[]): void {
    for (const emission of emissions) {
      this.list.take(emission)
      if (emission.kind === 'markup') {
        this.emitted.emit(...emission.span, 'markup')
      } else if (emission.kind === 'content') {
        const { text, meta } = emission
        if (meta.span) this.emitted.emit(...meta.span, ROLE_OF[meta.type])
        if (meta.visible) this.shown.show(text)
        else this.shown.hide()
      }
    }
  }
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
