// Where the open block and its tags stand, with `spans: true`.

import type { Span } from '../span.js'
import { TAG_ROLES } from '../generated/ops.js'
import type { BlockDraft } from './block-draft.js'
import type { MarkupEmission, TagRole } from './types.js'

type TagAt = Pick<MarkupEmission, 'role' | 'tagKind' | 'name'>

const LAYOUT: TagAt = { tagKind: 'layout' }

/** The spans of one stream. */
export class Spans {
  /** Where the open block begins. */
  from = 0
  /** Where it does after its opening tag. */
  contentFrom = 0
  /** The last tag. */
  private tagAt = LAYOUT

  /** `isOn`: whether emissions have spans. */
  constructor(readonly isOn: boolean) {}

  /** A block's opening tag stands from one place to another. */
  opened(from: number, to: number): void {
    this.from = from
    this.contentFrom = to
  }

  /** The span of a piece, where spans are asked for. */
  of(from: number, to: number): Span | undefined {
    return this.isOn ? [from, to] : undefined
  }

  /** Puts a block's spans on it; its closing tag stands from one place to another. */
  closed(block: BlockDraft, from: number, to: number): void {
    if (!this.isOn) return
    block.span = [this.from, to]
    block.contentSpan = [this.contentFrom, from]
  }

  /** A tag, whose text follows as markup; a custom tag has no role. */
  tag(name: string, role: number | undefined, isCloser: boolean, isEmpty: boolean): void {
    const tagKind = isCloser ? 'close' : isEmpty ? 'self-closing' : 'open'
    this.tagAt = role === undefined ? { tagKind, name } : { role: TAG_ROLES[role] as TagRole, tagKind, name }
  }

  /** The emission of markup of the last tag, or of layout. */
  markup(text: string, isLayout: boolean, from: number, to: number): MarkupEmission {
    return { kind: 'markup', text, span: [from, to], ...(isLayout ? LAYOUT : this.tagAt) }
  }
}
