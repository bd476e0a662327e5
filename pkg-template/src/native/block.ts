// A block that a provider has started. Readers fill it; `BlockOrder` decides when it is emitted.

import type { BlockAbout } from '../blocks/block-draft.js'
import type { ChunkType } from '../blocks/types.js'
import { Pieces } from './pieces.js'

/** What servers write before arguments that come later. */
const STAND_INS: ReadonlySet<string> = new Set(['{}', 'null', '""'])

/** A block of a native stream. */
export class NativeBlock {
  /** A tool call's name, or empty until it is known. */
  name = ''
  /** The id of a tool call, or of the call that a result belongs to; empty until it is known. */
  id = ''
  /** The name may come in pieces until the arguments begin. */
  mayGrow = false
  /** The call's input is free text by design, not JSON. */
  freeform = false
  /** The provider runs the tool itself. */
  hosted = false
  /** The thinking is the provider's summary of an earlier conversation. */
  compaction = false
  /** What its provider says of it besides its text. */
  about: BlockAbout | undefined
  /** The tool failed. */
  isError = false
  /** `whole`: the provider ended it. `cut`: the reply ended before it did. */
  state: 'begun' | 'whole' | 'cut' = 'begun'
  /** What was emitted of it, before its text: its start, and a call's name and id. @internal */
  emitted: 'nothing' | 'start' | 'name' | 'id' = 'nothing'
  /** @internal */
  next: NativeBlock | undefined
  readonly pieces: Pieces

  constructor(readonly type: ChunkType) {
    this.pieces = new Pieces(type === 'tool_call')
  }

  /** Whether the input, as far as it is there, may turn out to be absent: it is kept back until that is known. */
  get mayBeNothing(): boolean {
    return !this.freeform && this.pieces.mayBeNoInput
  }

  /** Notes what its provider says of it; the last of each counts. */
  note(about: BlockAbout): void {
    this.about = { ...this.about, ...about }
  }

  /** It was emitted: a reader may know of it until the reply ends. */
  forgetText(): void {
    this.next = undefined
    this.about = undefined
    this.emitted = 'nothing'
    this.pieces.forget()
  }

  /** The text that came. */
  get text(): string {
    return this.pieces.toString()
  }

  /** Whether the input is what servers write before arguments that come later, and was not emitted. */
  get isStandIn(): boolean {
    return !this.freeform && this.state === 'begun' && this.pieces.isWaiting && STAND_INS.has(this.text.trim())
  }

  /** Takes back such a beginning: what follows are the arguments. */
  startOver(): boolean {
    if (!this.isStandIn) return false
    this.pieces.clear()
    return true
  }

  /** True until the first non-empty piece. */
  get isEmpty(): boolean {
    return this.pieces.isEmpty
  }

  /** Whether nothing of it can come any more: it has ended, or its arguments are whole. */
  get isWhole(): boolean {
    return this.state !== 'begun' || this.isClosed
  }

  /** Whether the arguments have begun, and are not whole: more of them may come. */
  get isOpen(): boolean {
    return this.state === 'begun' && !this.isClosed && this.pieces.isInBrackets
  }

  private get isClosed(): boolean {
    return !this.freeform && this.pieces.isClosed
  }
}
