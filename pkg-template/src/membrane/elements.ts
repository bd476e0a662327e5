// The elements of a text, in order: text, thinking, blocks of calls, blocks of results.
//
// Source: membrane 0.5.78 and its versions after 0.5.86, `parseToolCalls` and `parseAccumulatedIntoBlocks` of
// src/utils/tool-parser.ts.
// Differences: what an element encloses is its content, so a call inside thinking
// is not a call; a block of calls that is never closed gives no calls, and takes none
// from the block after it; an `<invoke>` without `<function_calls>` is a block.

import { type Place, type Tag, type Tags, tagsOf } from './tag-list.js'

/** An element with tags. Places are UTF-16 code units. */
export interface Enclosed extends Place {
  readonly kind: 'thinking' | 'calls' | 'results'
  /** Where its content begins and ends. */
  readonly inside: readonly [start: number, end: number]
  readonly isClosed: boolean
  /** Whether it is calls without `<function_calls>`. */
  readonly isBare: boolean
  /** Whether the program wrote it. */
  readonly isEnvelope: boolean
  readonly tags: readonly Tag[]
  /** Whether closing tags follow it that its last value may have meant: it may have quoted those at which it ends. */
  readonly isCut: boolean
}

export type Element = { readonly kind: 'text'; readonly text: string } | Enclosed

/** Where a text comes from. */
export interface Provenance {
  /** So many units are history; none is known if undefined. */
  readonly historyLength: number | undefined
  /** The results that the program wrote; undefined if any may be such. */
  readonly envelopes: readonly Place[] | undefined
}

/** A text in its elements. */
export interface Reading extends Tags {
  readonly elements: readonly Element[]
  /** Whether it ends in a block of calls that is open. */
  readonly isUnclosed: boolean
  /** Closed blocks of calls before which one was left open. */
  readonly splicedBlocks: number
}

/**
 * Reads a text by its tags: `written` is the text without those that it quotes. White space between elements is left
 * out.
 */
export function elementsOf(text: string, written: string, { historyLength, envelopes }: Provenance): Reading {
  const own = envelopes === undefined ? undefined : harnessPlaces(text, envelopes)
  const { tags, payloads } = tagsOf(written, historyLength, own)
  const scan = new Scan(text, tags, historyLength ?? 0, own !== undefined)
  scan.read()
  const { elements, isUnclosed, splicedBlocks } = scan
  return { tags, payloads, elements, isUnclosed, splicedBlocks }
}

/** The places that are exactly one element of results, in order. */
function harnessPlaces(text: string, places: readonly Place[]): Place[] {
  const sorted = places
    .filter(({ start, end }) => start >= 0 && end <= text.length && isOneElement(text.slice(start, end)))
    .sort((a, b) => a.start - b.start)
  return sorted.filter(({ start }, at) => at === 0 || start >= (sorted[at - 1] as Place).end)
}

function isOneElement(text: string): boolean {
  const tags = tagsOf(text).tags.filter(({ role }) => role === 'function_results')
  const [first, last] = tags
  return (
    tags.length === 2 &&
    first?.kind === 'open' &&
    first.start === 0 &&
    last?.kind === 'close' &&
    last.end === text.length
  )
}

/** What the closing tags close. */
const NESTED = ['function_calls', 'function_results'] as const

class Scan {
  readonly elements: Element[] = []
  isUnclosed = false
  splicedBlocks = 0
  /** Whether a block was left open since the last that is closed. */
  private isStale = false
  /** By the place of an opening tag in the list, that of its closing tag. */
  private readonly closers = new Map<number, number>()
  /** Text outside of elements, and up to where it was taken. */
  private said = ''
  private at = 0
  private place = 0

  constructor(
    private readonly text: string,
    private readonly tags: readonly Tag[],
    private readonly historyLength: number,
    private readonly hasEnvelopes: boolean,
  ) {
    this.pair()
  }

  /** Finds the closing tag of each opening tag. Nothing crosses an envelope. */
  private pair(): void {
    const open: Record<(typeof NESTED)[number], number[]> = { function_calls: [], function_results: [] }
    for (const [at, { role, kind }] of this.tags.entries()) {
      if (kind === 'envelope') {
        for (const name of NESTED) open[name] = []
      } else if (role === 'function_calls' || role === 'function_results') {
        if (kind === 'open') open[role].push(at)
        const opened = kind === 'close' ? open[role].pop() : undefined
        if (opened !== undefined) this.closers.set(opened, at)
      }
    }
    // Thinking doesn't nest: the next closing tag of its name ends it.
    const next = new Map<string, number>()
    for (let at = this.tags.length - 1; at >= 0; at--) {
      const { role, kind, word } = this.tags[at] as Tag
      if (kind === 'envelope') next.clear()
      if (role !== 'thinking') continue
      if (kind === 'close') next.set(word, at)
      const closer = kind === 'open' ? next.get(word) : undefined
      if (closer !== undefined) this.closers.set(at, closer)
    }
  }

  read(): void {
    while (this.place < this.tags.length) this.take(this.tags[this.place] as Tag)
    this.say(this.text.length)
    this.settle()
  }

  private take(tag: Tag): void {
    const { role, kind } = tag
    if (kind === 'envelope') {
      this.isStale = false
      return this.enclosed('results', this.place, this.place + 1, { isClosed: true, isEnvelope: true })
    }
    if (role === 'function_results' && this.hasEnvelopes) return this.pass()
    if (kind === 'close' || kind === 'empty') {
      if (kind === 'empty' && role === 'invoke') return this.bare()
      return role === 'parameter' ? this.pass() : this.leaveOut(tag)
    }
    if (role === 'thinking') return this.level('thinking', tag)
    if (role === 'function_results') return this.level('results', tag)
    if (role === 'function_calls') return this.calls()
    if (role === 'invoke') return this.bare()
    this.pass()
  }

  /** The tag is text. */
  private pass(): void {
    this.place++
  }

  /** The tag is no text: what it would close or open isn't there. */
  private leaveOut({ start, end }: Tag): void {
    this.say(start)
    this.at = end
    this.place++
  }

  /** Text up to a place was said. */
  private say(to: number): void {
    if (to > this.at) this.said += this.text.slice(this.at, to)
    this.at = Math.max(this.at, to)
  }

  private level(kind: 'thinking' | 'results', tag: Tag): void {
    const closer = this.closers.get(this.place)
    // What history has left open is somebody else's.
    if (closer === undefined && tag.start < this.historyLength) return this.pass()
    this.enclosed(kind, this.place, closer === undefined ? this.borderAfter(this.place) : closer + 1, {
      isClosed: closer !== undefined,
    })
  }

  private calls(): void {
    const closer = this.closers.get(this.place)
    if (closer !== undefined) {
      if (this.isStale) this.splicedBlocks++
      this.isStale = false
      return this.enclosed('calls', this.place, closer + 1, { isClosed: true })
    }
    this.isStale = true
    // It ends where the next one opens.
    let end = this.place + 1
    let hasCall = false
    for (; end < this.tags.length; end++) {
      const { role, kind } = this.tags[end] as Tag
      if (kind === 'envelope' || (role === 'function_calls' && kind === 'open')) break
      hasCall ||= role === 'invoke' && kind !== 'close'
    }
    if (end === this.tags.length) this.isUnclosed = true
    // The tag alone is a mention.
    if (!hasCall) return this.pass()
    this.enclosed('calls', this.place, end, { isClosed: false })
  }

  /** A call without a block around it. */
  private bare(): void {
    const { end, isClosed } = callAt(this.tags, this.place)
    this.enclosed('calls', this.place, end, { isClosed, isBare: true })
  }

  /** Where the next envelope stands in the list, or its end. */
  private borderAfter(place: number): number {
    let border = place + 1
    while (border < this.tags.length && this.tags[border]?.kind !== 'envelope') border++
    return border
  }

  /** The tags of an element, from one to before another. */
  private enclosed(
    kind: Enclosed['kind'],
    first: number,
    last: number,
    { isClosed, isBare = false, isEnvelope = false }: { isClosed: boolean; isBare?: boolean; isEnvelope?: boolean },
  ): void {
    const { tags, text } = this
    const opener = tags[first] as Tag
    const closer = tags[last - 1] as Tag
    const end = isClosed ? closer.end : (tags[last]?.start ?? text.length)
    this.say(opener.start)
    this.settle()
    const isPlain = isBare || isEnvelope
    const inside = [isPlain ? opener.start : opener.end, isClosed && !isPlain ? closer.start : end] as const
    const within = isBare ? tags.slice(first, last) : tags.slice(first + 1, isClosed ? last - 1 : last)
    const before = this.elements.at(-1)
    // Calls that follow each other are one block.
    if (isBare && isClosed && before !== undefined && before.kind !== 'text' && before.isBare && before.isClosed) {
      this.elements[this.elements.length - 1] = {
        ...before,
        end,
        inside: [before.start, end],
        tags: [...before.tags, ...within],
      }
    } else {
      this.elements.push({
        kind,
        start: opener.start,
        end,
        inside,
        isClosed,
        isBare,
        isEnvelope,
        tags: within,
        isCut: kind === 'calls' && isClosed && this.isCutBefore(last),
      })
    }
    this.at = end
    this.place = last
  }

  /** Whether the tags from a place on close a value, its call, and its block. */
  private isCutBefore(place: number): boolean {
    return ['parameter', 'invoke', 'function_calls'].every((role, at) => {
      const tag = this.tags[place + at]
      return tag !== undefined && tag.kind === 'close' && tag.role === role
    })
  }

  /** The text so far is an element, unless it is white space. */
  private settle(): void {
    const text = this.said.trim()
    this.said = ''
    if (text !== '') this.elements.push({ kind: 'text', text })
  }
}

/** The call that begins with a tag of a list: where it ends there, and whether that is its own closing tag. */
export function callAt(tags: readonly Tag[], first: number): { end: number; isClosed: boolean } {
  if (tags[first]?.kind === 'empty') return { end: first + 1, isClosed: true }
  let isInValue = false
  for (let at = first + 1; at < tags.length; at++) {
    const { role, kind } = tags[at] as Tag
    if (role === 'invoke' && kind === 'close') return { end: at + 1, isClosed: true }
    // In a value an opening tag is text.
    if (kind === 'envelope' || (!isInValue && kind !== 'close' && (role === 'invoke' || role === 'function_calls')))
      return { end: at, isClosed: false }
    if (role === 'parameter' && kind !== 'empty') isInValue = kind === 'open'
  }
  return { end: tags.length, isClosed: false }
}
