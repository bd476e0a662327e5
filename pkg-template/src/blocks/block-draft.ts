// A whole block while it is put together; then it is one of the kinds of `MembraneBlock`.

import type { Span } from '../span.js'
import type { MembraneBlockType, ToolCallBlock } from './types.js'

/** What a provider says of a block besides its text: it goes back with the message. */
export interface BlockAbout {
  signature?: string
  data?: string
  citations?: readonly object[]
}

/** What any block may have. */
export interface BlockDraft extends BlockAbout {
  type: MembraneBlockType
  content?: string
  toolId?: string
  toolName?: string
  input?: Record<string, unknown>
  isError?: boolean
  incomplete?: true
  problem?: NonNullable<ToolCallBlock['problem']>
  repairs?: readonly string[]
  partial?: true
  insideThinking?: true
  inText?: true
  hosted?: true
  compaction?: true
  attributes?: Readonly<Record<string, string>>
  parent?: number
  span?: Span
  contentSpan?: Span
}
