// The elements of a text, in order: text, thinking, blocks of calls, blocks of results.
//
// Source: membrane 0.5.78, `parseToolCalls` and `parseAccumulatedIntoBlocks` of
// src/utils/tool-parser.ts, on the events of `BlockParser`.
// Differences: what an element encloses is its content, so a call inside thinking
// is not a call; a block of calls that is never closed gives no calls, and takes none
// from the block after it; an `<invoke>` without `<function_calls>` is a block.

import type { Depths } from '../blocks/face.js'
import type { MembraneBlock } from '../blocks/types.js'
import { type Outline, outlineOf } from './outline.js'
import type { ToolTextOptions } from './types.js'
import { unquoted } from './unquoted.js'
import { lastTag, type Step, Walk } from './walk.js'

/** The kinds of elements that enclose text. */
type Kind = 'thinking' | 'calls' | 'results'

/** An element with tags. Places are UTF-16 code units. */
export interface Enclosed {
  readonly kind: Kind
  readonly start: number
  readonly end: number
  /** Where its content begins and ends. */
  readonly inside: readonly [start: number, end: number]
  readonly isClosed: boolean
  /** Whether it is calls without `<function_calls>`. */
  readonly isBare: boolean
  /** The calls or results in it that are whole. */
  readonly blocks: readonly MembraneBlock[]
}

/** An element of a text. */
export type Element = { readonly kind: 'text'; readonly text: string } | Enclosed

/** Reads a text. White space between elements is left out. */
export function elementsOf(text: string, options: ToolTextOptions): Element[] {
  const outline = outlineOf(unquoted(text, options))
  const reading = new Reading(text, options, outline)
  for (const { start, end, isCutOff } of outline.sections) {
    if (isCutOff && reading.isOutside) reading.cutOff(start, end)
    else reading.read(start, end)
  }
  reading.endWalk(text.length)
  return reading.elements
}

/** The element that is open. */
interface Open {
  readonly kind: Kind
  /** What must close for it to close. Undefined if it is one call or result, without an element around it. */
  readonly level: keyof Depths | undefined
  readonly start: number
  /** Where its content begins. */
  readonly inside: number
  readonly blocks: MembraneBlock[]
  /** Whether its call or result is complete. Only without a level. */
  isDone: boolean
}

const LEVELS = [
  ['functionCalls', 'calls'],
  ['functionResults', 'results'],
  ['thinking', 'thinking'],
] as const

class Reading {
  readonly elements: Element[] = []
  private walk: Walk
  /** Where the walk began. */
  private base = 0
  private depths: Depths = { functionCalls: 0, functionResults: 0, thinking: 0 }
  private open: Open | undefined
  /** Text outside of elements. */
  private said = ''
  /** The kind of a block that starts with the next tag. */
  private starting: Kind | undefined
  /** Where the open call begins. */
  private callStart = 0
  /** How many openings of the outline come before it. */
  private passed = 0

  constructor(
    private readonly text: string,
    private readonly options: ToolTextOptions,
    private readonly outline: Outline,
  ) {
    this.walk = this.newWalk()
  }

  private newWalk(): Walk {
    const { tools, fences } = this.options
    return new Walk({ tools, fences })
  }

  /** Whether no element is open. */
  get isOutside(): boolean {
    return LEVELS.every(([level]) => this.depths[level] === 0)
  }

  read(start: number, end: number): void {
    for (const step of this.walk.feed(this.text.slice(start, end))) this.take(step, end)
  }

  /** A block of calls that is never closed: the text after it is read without it. */
  cutOff(start: number, end: number): void {
    this.endWalk(start)
    this.push({ kind: 'calls', start, end, inside: [start, end], isClosed: false, isBare: false, blocks: [] })
    this.walk = this.newWalk()
    this.base = end
  }

  endWalk(end: number): void {
    const last = this.walk.end()
    for (const [at, step] of last.entries()) this.take(step, end, at === last.length - 1)
    if (this.open !== undefined) this.close(end, end, false)
    this.settle()
  }

  /** `place`: where the step ends if it has no tag, or is the last: its tags came before. */
  private take({ emissions, open: depths }: Step, place: number, isLast = false): void {
    let start = place
    const tag = lastTag(emissions)
    const end = tag === undefined || isLast ? place : this.base + tag[1]
    for (const emission of emissions) {
      if (emission.kind === 'content') {
        if (emission.meta.visible && this.open === undefined) this.said += emission.text
      } else if (emission.kind === 'markup') {
        start = this.base + emission.span[0]
        this.starts(start)
      } else if (emission.event.event === 'block_start') {
        this.starting = KINDS[emission.event.block.type]
      } else if (emission.event.event === 'block_complete') {
        this.starting = undefined
        this.completes(emission.event.block, end)
      }
    }
    this.moved(depths, start, end)
  }

  /** The tag at `start` may be that of a block. */
  private starts(start: number): void {
    const kind = this.starting
    this.starting = undefined
    if (kind === undefined) return
    this.callStart = start
    if (this.open?.isDone) this.close(start, start, true)
    this.open ??= { kind, level: undefined, start, inside: start, blocks: [], isDone: false }
  }

  /** A block is complete; its last tag ends at `end`. */
  private completes(block: MembraneBlock, end: number): void {
    const { open } = this
    if (open === undefined || KINDS[block.type] !== open.kind) return
    if (open.level === undefined) open.isDone = true
    const isWhole = block.incomplete !== true && (block.type === 'tool_result' || (block.toolName !== undefined && !this.holdsOpening(this.callStart, end)))
    if (isWhole) open.blocks.push(block)
  }

  /** Whether a block of calls opens between two places. Calls come in order, so earlier openings are passed for good. */
  private holdsOpening(from: number, to: number): boolean {
    const { openings } = this.outline
    while ((openings[this.passed] ?? Infinity) <= from) this.passed++
    return (openings[this.passed] ?? Infinity) < to
  }

  /** After a tag, elements may have opened or closed. */
  private moved(depths: Depths, start: number, end: number): void {
    this.depths = depths
    const opened = LEVELS.find(([level]) => depths[level] > 0)
    if (this.open?.isDone) this.close(opened === undefined ? end : start, opened === undefined ? end : start, true)
    const { open } = this
    if (open === undefined) {
      if (opened !== undefined) this.open = { kind: opened[1], level: opened[0], start, inside: end, blocks: [], isDone: false }
    } else if (open.level !== undefined && depths[open.level] === 0) {
      this.close(start, end, true)
    }
  }

  private close(inside: number, end: number, isClosed: boolean): void {
    const { kind, level, start, inside: from, blocks } = this.open as Open
    this.open = undefined
    const isBare = level === undefined
    this.push({ kind, start, end, inside: [from, inside], isClosed: isClosed && (!isBare || blocks.length > 0), isBare, blocks })
  }

  private push(element: Enclosed): void {
    this.settle()
    const last = this.elements.at(-1)
    // Calls that follow each other are one block.
    if (last !== undefined && last.kind !== 'text' && last.isBare && element.isBare && last.isClosed && element.isClosed) {
      this.elements[this.elements.length - 1] = { ...element, start: last.start, blocks: [...last.blocks, ...element.blocks] }
    } else {
      this.elements.push(element)
    }
  }

  /** The text so far is an element, unless it is white space. */
  private settle(): void {
    const text = this.said.trim()
    this.said = ''
    if (text !== '') this.elements.push({ kind: 'text', text })
  }
}

const KINDS: Readonly<Record<MembraneBlock['type'], Kind | undefined>> = { text: undefined, thinking: undefined, tool_call: 'calls', tool_result: 'results' }
