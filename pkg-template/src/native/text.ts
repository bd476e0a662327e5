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

import { maybe, shape, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { BlockEmitter } from '../blocks/emitter.js'
import { type BlockParserOptions, requireUnopened, tagTable } from '../blocks/options.js'
import { type StopOptions, StopSearch, requireStops } from '../blocks/stop-sequences.js'
import type {
  BlockCompleteEvent,
  BlockEmission,
  BlockEvent,
  BlockStartEvent,
  ChunkMeta,
  StopEvent,
  TagRole,
} from '../blocks/types.js'
import { describe, requireBoolean, requireWord } from '../errors.js'
import { THINKING_TAGS, TagSet } from '../generated/ops.js'
import { blockBorder } from '../wasm/borders.js'

/**
 * What is searched for in a provider's text.
 *
 * @example
 * ```ts
 * import { NativeBlocks, type NativeTextOptions } from 'tokenweir/blocks'
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
   * import { NativeBlocks } from 'tokenweir/blocks'
   *
   * const blocks = new NativeBlocks({ tags: true, onChunk: (text, { type }) => console.log(type, text) })
   * blocks.openai({ choices: [{ index: 0, delta: { content: '<think>hm</think>Hello' } }] })
   * ```
   * ```text
   * thinking hm
   * text Hello
   * ```
   */
  tags?: boolean | Readonly<Record<string, TagRole | false>> | undefined
}

export const TEXT_OPTIONS = [
  'tags',
  'startWithThinking',
  'unopenedThinking',
  'fences',
  'stopSequences',
  'stopIn',
] as const

/** What else a text is read with where it is read as `BlockParser` reads it, with all of its tags. */
export type WholeText = Pick<BlockParserOptions, 'tools' | 'trimParameters'>

/** The search that options ask for, if they do. @throws TypeError that names the option, if one is invalid. */
export function textSearch(
  place: string,
  options: NativeTextOptions,
  generateId: () => string,
  whole?: WholeText,
): NativeText | undefined {
  const { tags, startWithThinking, unopenedThinking, fences, stopSequences = [] } = options
  if (
    tags !== undefined &&
    typeof tags !== 'boolean' &&
    (typeof tags !== 'object' || tags === null || Array.isArray(tags))
  ) {
    throw new TypeError(`${place}: tags must be true, false or an object of names, but is ${describe(tags)}`)
  }
  requireBoolean(`${place}: startWithThinking`, startWithThinking)
  requireUnopened(place, unopenedThinking)
  requireWord(`${place}: fences`, fences, ['parse', 'text'])
  requireStops(place, options)
  const isSearched =
    (tags ?? false) !== false || startWithThinking === true || unopenedThinking === 'report' || stopSequences.length > 0
  return isSearched ? new NativeText(place, options, generateId, whole) : undefined
}

/** The default names of thinking. */
function thinkingTags(): Readonly<Record<string, TagRole>> {
  return Object.fromEntries(THINKING_TAGS.map((name) => [name, 'thinking']))
}

/** Replaces text blocks by the blocks that their tags make, up to a stop sequence. */
export class NativeText {
  static get saved(): SavedClass {
    return {
      skips: ['startsInThinking', 'marksCalls', 'make', 'out'],
      fields: {
        thought: shape<{ content: string; pending: string }>({ content: text, pending: text }),
        type: maybe(text),
      },
    }
  }
  private readonly startsInThinking: boolean
  private readonly marksCalls: boolean
  private readonly make: (startWithThinking: boolean) => BlockEmitter
  /** Reads text blocks, each as a stream of its own; all but the first one if that begins inside thinking. */
  private readonly texts: BlockEmitter
  private text: BlockEmitter
  /** For stop sequences in thinking, and what of it may be one. */
  private readonly thoughts: StopSearch | undefined
  private thought = { content: '', pending: '' }
  /** The type of the open block. */
  private type: string | undefined
  /** Whether the reply has no block yet. */
  private isStart = true
  /** The index of the next block, or of the open one; and that of the first block of the open text. */
  private next = 0
  private first = 0
  /** Units that were searched, and those of them before the open block. */
  private searched = 0
  private base = 0
  isStopped = false
  private ignoredUnits = 0
  private out: BlockEmission[] = []

  constructor(place: string, options: NativeTextOptions, generateId: () => string, whole?: WholeText) {
    blockBorder.requireReady(place)
    const { tags = false, startWithThinking = false, unopenedThinking, fences, stopSequences = [], stopIn } = options
    const isThinking = tags === true || startWithThinking || unopenedThinking === 'report'
    const named = typeof tags === 'object' ? tags : undefined
    const isWhole = whole !== undefined && tags !== false
    const table = isWhole
      ? tagTable(place, named)
      : tagTable(place, named ?? (isThinking ? thinkingTags() : undefined), TagSet.Empty)
    this.startsInThinking = startWithThinking
    this.marksCalls = isWhole
    const reading = { ...whole, generateId, unopenedThinking, fences, stopSequences, stopIn }
    this.make = (startWithThinking) => new BlockEmitter({ ...reading, startWithThinking }, table)
    this.text = this.texts = this.make(false)
    this.thoughts = stopIn === 'anywhere' && stopSequences.length > 0 ? new StopSearch(stopSequences) : undefined
  }

  /** Whether the text that is read began inside thinking. */
  get isFirst(): boolean {
    return this.text !== this.texts
  }

  /** Reads such a text, before the state is restored. */
  prepare(): void {
    this.text = this.make(true)
  }

  /**
   * Leaves out text that only `block_complete` needs, unless it is kept, while `act` runs, which gets the parts without
   * it.
   */
  withoutText<Result>(keepText: boolean, act: (omitted: readonly object[]) => Result): Result {
    return this.text.withoutText(keepText ? 'all' : 'none', act)
  }

  /** Units that came after a stop sequence. */
  get ignored(): number {
    return this.ignoredUnits + this.text.ignored
  }

  /** The blocks' emissions, with what was found in texts in their place. */
  read(emissions: readonly BlockEmission[]): BlockEmission[] {
    for (const emission of emissions) {
      if (this.isStopped) this.ignoredUnits += emission.kind === 'content' ? emission.text.length : 0
      else if (emission.kind === 'content') this.content(emission.text, emission.meta)
      else if (emission.kind === 'blockEvent') this.boundary(emission.event)
    }
    const { out } = this
    this.out = []
    return out
  }

  /** The next reply begins, inside thinking too if the template opens it; what a stop sequence ended is over. */
  nextReply(): void {
    if (this.isStopped) this.text.reset()
    this.isStopped = false
    this.ignoredUnits = 0
    this.isStart = true
  }

  /** Drops the open block. Indices restart at 0. */
  reset(): void {
    this.nextReply()
    this.text.reset()
    this.next = this.searched = this.base = 0
  }

  private boundary(event: BlockEvent): void {
    if (event.event === 'block_start') this.start(event)
    else if (event.event === 'block_complete') this.complete(event)
  }

  private start(event: BlockStartEvent): void {
    const { type } = event.block
    this.type = type
    this.base = this.searched
    this.first = this.next
    // A provider that has marked thinking, or a call, has not left it in the text.
    if (type === 'text') this.text = this.isStart && this.startsInThinking ? this.make(true) : this.texts
    else this.emitBoundary(event)
    this.isStart = false
    this.thoughts?.restart()
    this.thought = { content: '', pending: '' }
  }

  private content(text: string, meta: ChunkMeta): void {
    if (this.type === 'text') {
      this.searched += text.length
      this.emitText(this.text.processChunk(text).emissions)
    } else if (this.type === 'thinking' && this.thoughts !== undefined) {
      this.searched += text.length
      this.think(this.thoughts, text, meta)
    } else this.emitContent(text, meta)
  }

  private complete(event: BlockCompleteEvent): void {
    if (this.type === 'text') {
      this.emitText(this.text.flush().emissions)
      if (!this.isStopped) this.text.reset()
    } else if (this.type === 'thinking' && this.thoughts !== undefined) {
      const match = this.thoughts.finish()
      this.emitThought(match?.start ?? Infinity)
      if (match === undefined) this.emitBoundary(event)
      else this.stopThought(match.sequence, match.start)
    } else this.emitBoundary(event)
  }

  private think(stops: StopSearch, text: string, meta: ChunkMeta): void {
    const match = stops.read(text)
    this.thought.pending += text
    this.emitThought(match?.start ?? stops.pendingFrom, meta)
    if (match !== undefined) this.stopThought(match.sequence, match.start)
  }

  /** Emits thinking up to a unit of it. */
  private emitThought(to: number, meta: ChunkMeta = { type: 'thinking', visible: false, blockIndex: this.next }): void {
    const { content, pending } = this.thought
    const piece = pending.slice(0, Math.max(0, to - content.length))
    if (piece === '') return
    this.thought = { content: content + piece, pending: pending.slice(piece.length) }
    this.emitContent(piece, meta)
  }

  private stopThought(sequence: string, start: number): void {
    const { content, pending } = this.thought
    this.ignoredUnits += pending.length - sequence.length
    const index = this.next
    this.emitBoundary({ event: 'block_complete', index, block: { type: 'thinking', content, incomplete: true } })
    this.stop({ event: 'stop', sequence, offset: this.base + start, block: index })
  }

  /** What a text gave, with the indices and offsets of the whole stream. */
  private emitText(emissions: readonly BlockEmission[]): void {
    const { first, base } = this
    for (const emission of emissions) {
      if (emission.kind === 'content')
        this.emitMeta(emission.text, { ...emission.meta, blockIndex: first + emission.meta.blockIndex })
      if (emission.kind !== 'blockEvent') continue
      const { event } = emission
      if (event.event === 'stop') this.stop({ ...event, offset: base + event.offset, block: first + event.block })
      else if (event.event === 'reclassify') this.emit({ ...event, from: base + event.from, to: base + event.to })
      else {
        this.next = first + event.index
        this.emit(this.marked({ ...event, index: this.next }))
        if (event.event === 'block_complete') this.next++
      }
    }
  }

  private emitMeta(text: string, meta: ChunkMeta): void {
    this.out.push({
      kind: 'content',
      text,
      meta: this.marksCalls && meta.type === 'tool_call' ? { ...meta, inText: true } : meta,
    })
  }

  private marked<Event extends BlockStartEvent | BlockCompleteEvent>(event: Event): Event {
    return this.marksCalls && event.block.type === 'tool_call'
      ? { ...event, block: { ...event.block, inText: true } }
      : event
  }

  private emitContent(text: string, meta: ChunkMeta): void {
    this.out.push({ kind: 'content', text, meta: { ...meta, blockIndex: this.next } })
  }

  /** Another block's start or end. */
  private emitBoundary(event: BlockStartEvent | BlockCompleteEvent): void {
    this.emit({ ...event, index: this.next })
    if (event.event === 'block_complete') this.next++
  }

  private stop(event: StopEvent): void {
    this.emit(event)
    this.isStopped = true
  }

  private emit(event: BlockEvent): void {
    this.out.push({ kind: 'blockEvent', event })
  }
}
