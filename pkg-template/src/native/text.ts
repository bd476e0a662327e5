// What a provider's text is searched for: tags, such as those of thinking, and stop
// sequences.
//
//     from BlockOrder   text 0 "<think>a</think>b"       tool_call 1
//     out               thinking 0 "a"    text 1 "b"     tool_call 2
//
// Each text block is read on its own: neither a tag nor a stop sequence reaches into
// the next one. Calls are never searched, thinking only for stop sequences. Where all tags
// are known, a call that is found in a text is marked: nobody but the program knows
// whether the model meant it.

import type { BlockDraft } from '../blocks/block-draft.js'
import type { BlockReading } from '../blocks/reading.js'
import { typedReading } from '../blocks/typed-reading.js'
import { TAGS, type BlockParserOptions, type Tags, STOP_OPTIONS, TEXT_OPTIONS, tagTable } from '../blocks/options.js'
import { type StopOptions, StopSearch } from '../blocks/stop-sequences.js'
import type { ChunkType, TagRole } from '../blocks/types.js'
import type { BlockWriter, Marks } from '../blocks/writer.js'
import type { OptionTable } from '../options.js'
import { THINKING_TAGS, TagSet } from '../generated/ops.js'
import { blockBorder } from '../wasm/borders.js'
import type { BlockSink } from './emitter.js'

/**
 * What is searched for in a provider's text.
 *
 * @example
 * ```ts
 * import { NativeBlocks, type NativeTextOptions } from 'tokenweir'
 *
 * const options: NativeTextOptions = { tags: true, stopSequences: ['\nAlice:'] }
 * const blocks = new NativeBlocks({ ...options, onChunk: (text, { type }) => console.log(type, text) })
 * blocks.message('<think>hm</think>Hello.\nAlice: Hi!')
 * ```
 * ```text
 * thinking hm
 * text Hello.
 * ```
 */
export interface NativeTextOptions
  extends StopOptions,
    Pick<BlockParserOptions, 'startWithThinking' | 'unopenedThinking' | 'fences'> {
  /**
   * Tags in the text that a provider sends, for a server that leaves a model's `<think>` in it: `true` for `think`
   * and `thinking`, or a table of all names that count. What the provider marks itself, thinking and calls, is not
   * searched.
   * @defaultValue false
   *
   * @example
   * ```ts
   * import { NativeBlocks } from 'tokenweir'
   *
   * const blocks = new NativeBlocks({ tags: true, onChunk: (text, { type }) => console.log(type, text) })
   * blocks.openai({ choices: [{ index: 0, delta: { content: '<think>hm</think>Hello' } }] })
   * ```
   * ```text
   * thinking hm
   * text Hello
   * ```
   */
  tags?: boolean | Tags | undefined
}

/** How the text of a stream is read. */
export const NATIVE_TEXT_OPTIONS = {
  tags: [TAGS],
  ...TEXT_OPTIONS,
  ...STOP_OPTIONS,
} satisfies OptionTable<NativeTextOptions>

/** What else a text is read with where it is read as `BlockParser` reads it, with all of its tags. */
export type WholeText = Pick<BlockParserOptions, 'tools' | 'trimParameters'> & {
  /** What the prompt has of the reply. */
  readonly prefill?: string | undefined
  /** Keeps what is written, for a reply that goes on with it. */
  readonly continued?: ((sink: BlockSink) => BlockSink & { end(isCut: boolean): void }) | undefined
}

/** The search that options ask for, if they do. @throws TypeError for an invalid name of a tag. */
export function textSearch(
  place: string,
  options: NativeTextOptions,
  generateId: () => string,
  writer: BlockWriter,
  whole?: WholeText,
): NativeText | undefined {
  const { tags, startWithThinking, unopenedThinking, stopSequences = [] } = options
  const isSearched =
    (tags ?? false) !== false || startWithThinking === true || unopenedThinking === 'report' || stopSequences.length > 0
  return isSearched ? new NativeText(place, options, generateId, writer, whole) : undefined
}

/** The default names of thinking. */
function thinkingTags(): Readonly<Record<string, TagRole>> {
  return Object.fromEntries(THINKING_TAGS.map((name) => [name, 'thinking']))
}

/** Replaces text blocks by the blocks that their tags make, up to a stop sequence. */
export class NativeText implements BlockSink {
  private readonly startsInThinking: boolean
  private readonly prefill: string
  private readonly make: (startWithThinking: boolean) => BlockReading
  /** Reads text blocks, each as a stream of its own; all but the first one if that begins inside thinking. */
  private readonly texts: BlockReading
  private text: BlockReading
  /** For stop sequences in thinking. */
  private readonly thoughts: ThoughtStops | undefined
  /** The type of the open block. */
  private type: string | undefined
  /** Whether the reply has no block yet. */
  private isStart = true
  /** Units that were searched. */
  private searched = 0
  isStopped = false
  private ignoredUnits = 0

  constructor(
    place: string,
    options: NativeTextOptions,
    generateId: () => string,
    private readonly writer: BlockWriter,
    whole?: WholeText,
  ) {
    blockBorder.requireReady(place)
    const { tags = false, startWithThinking = false, unopenedThinking, fences, stopSequences = [], stopIn } = options
    const isThinking = tags === true || startWithThinking || unopenedThinking === 'report'
    const named = typeof tags === 'object' ? tags : undefined
    const isWhole = whole !== undefined && tags !== false
    const names = isWhole
      ? tagTable(place, named)
      : tagTable(place, named ?? (isThinking ? thinkingTags() : undefined), TagSet.Empty)
    this.startsInThinking = startWithThinking
    const { prefill = '', continued: _, ...ofWhole } = whole ?? {}
    this.prefill = prefill
    const reading = { ...ofWhole, generateId, unopenedThinking, fences, stopSequences, stopIn }
    const into = { writer, marksCalls: isWhole }
    this.make = (startWithThinking) => typedReading({ ...reading, startWithThinking }, { names, into })
    this.text = this.texts = this.make(false)
    if (stopIn === 'anywhere' && stopSequences.length > 0) this.thoughts = new ThoughtStops(stopSequences, writer)
  }

  /** Units that came after a stop sequence. */
  get ignored(): number {
    return this.ignoredUnits + this.text.emitter.stops.ignored
  }

  /** The next reply begins, inside thinking too if the template opens it; what a stop sequence ended is over. */
  nextReply(): void {
    if (this.isStopped) this.text.startStream()
    this.isStopped = false
    this.ignoredUnits = 0
    this.isStart = true
  }

  /** Drops the open block. */
  reset(): void {
    this.nextReply()
    this.text.startStream()
    this.searched = 0
  }

  start(type: ChunkType, depth: number | undefined, marks?: Marks): void {
    if (this.isStopped) return
    this.type = type
    if (type === 'text') {
      // A provider that has marked thinking, or a call, has not left it in the text.
      const isPrefilled = this.isStart && this.prefill !== ''
      this.text = isPrefilled || (this.isStart && this.startsInThinking) ? this.make(this.startsInThinking) : this.texts
      this.text.startStream(this.searched)
      if (isPrefilled) this.text.push(this.prefill)
    } else this.writer.start(type, depth, marks)
    this.isStart = false
    this.thoughts?.start(this.searched)
  }

  part(part: 'name' | 'id', text: string): void {
    if (this.isStopped) this.ignoredUnits += text.length
    else this.writer.part(part, text)
  }

  answers(toolId: string): void {
    if (!this.isStopped) this.writer.answers(toolId)
  }

  chunk(text: string): void {
    if (this.isStopped) {
      this.ignoredUnits += text.length
      return
    }
    if (this.type === 'text') {
      this.searched += text.length
      this.text.processChunk(text)
      this.isStopped = this.text.emitter.stops.isStopped
    } else if (this.type === 'thinking' && this.thoughts !== undefined) {
      this.searched += text.length
      this.stopsAt(this.thoughts.read(text))
    } else this.writer.chunk(text)
  }

  complete(block: BlockDraft): void {
    if (this.isStopped) return
    if (this.type === 'text') {
      const { signature, citations } = block
      if (signature !== undefined || citations !== undefined)
        this.writer.about = { ...(signature && { signature }), ...(citations && { citations }) }
      this.text.flush()
      this.writer.about = undefined
      this.isStopped = this.text.emitter.stops.isStopped
    } else if (this.type === 'thinking' && this.thoughts !== undefined) {
      if (!this.stopsAt(this.thoughts.finish())) this.writer.complete(block)
    } else this.writer.complete(block)
  }

  /** Whether thinking was stopped; so many units after the sequence are ignored. */
  private stopsAt(ignored: number | undefined): boolean {
    this.isStopped = ignored !== undefined
    this.ignoredUnits += ignored ?? 0
    return this.isStopped
  }
}

/** Emits thinking up to a stop sequence. */
class ThoughtStops {
  private readonly search: StopSearch
  /** What was emitted, and what may be a sequence. */
  private content = ''
  private pending = ''
  /** Where the block begins in all that is searched. */
  private from = 0

  constructor(
    sequences: readonly string[],
    private readonly writer: BlockWriter,
  ) {
    this.search = new StopSearch(sequences)
  }

  /** A block starts. */
  start(from: number): void {
    this.search.reset()
    this.content = this.pending = ''
    this.from = from
  }

  /** Reads more of it. At a sequence it gives how many units after it are ignored. */
  read(text: string): number | undefined {
    const match = this.search.read(text)
    this.pending += text
    this.emit(match?.start ?? this.search.pendingFrom)
    return match && this.stop(match.sequence, match.start)
  }

  /** The block has ended: what is pending is a sequence, or is emitted. */
  finish(): number | undefined {
    const match = this.search.finish()
    this.emit(match?.start ?? Infinity)
    return match && this.stop(match.sequence, match.start)
  }

  /** Emits it up to a unit. */
  private emit(to: number): void {
    const { content, pending } = this
    const piece = pending.slice(0, Math.max(0, to - content.length))
    if (piece === '') return
    this.content = content + piece
    this.pending = pending.slice(piece.length)
    this.writer.chunk(piece)
  }

  private stop(sequence: string, start: number): number {
    const { content, pending, writer } = this
    const { index } = writer
    writer.complete({ type: 'thinking', content, incomplete: true })
    writer.event({ event: 'stop', sequence, offset: this.from + start, block: index })
    return pending.length - sequence.length
  }
}
