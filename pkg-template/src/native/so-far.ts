// What a reply has had so far, so that a whole reply after parts of it gives only what is new.
//
// Source: spec/policy.md, 19.

import type { ChunkType } from '../blocks/types.js'
import { NativeBlock } from './block.js'

/** How much text of a kind there was, and its end: so that a text that repeats it is recognized. */
interface Seen {
  readonly units: number
  readonly end: string
}

const UNSEEN: Seen = { units: 0, end: '' }

/** Units of a text's end that are compared. */
const COMPARED = 64

/** The texts, calls and results of one reply. */
export class SoFar {
  private texts = UNSEEN
  private thoughts = UNSEEN
  /** The calls, in order. */
  calls: NativeBlock[] = []
  /** How many results there were. */
  results = 0

  /** Whether there was anything. */
  get hasBegun(): boolean {
    return this.texts.units > 0 || this.thoughts.units > 0 || this.calls.length > 0 || this.results > 0
  }

  /** The next reply begins. */
  reset(): void {
    this.texts = this.thoughts = UNSEEN
    this.calls = []
    this.results = 0
  }

  /** Notes text that was new. */
  note(type: ChunkType, text: string): void {
    if (type === 'text') this.texts = seenWith(this.texts, text)
    if (type === 'thinking') this.thoughts = seenWith(this.thoughts, text)
  }

  /** Whether something of it is in a whole reply. */
  isIn(reply: readonly NativeBlock[]): boolean {
    const isOld = (type: 'text' | 'thinking', { units, end }: Seen) =>
      units > 0 && wholeText(reply, type).slice(0, units).endsWith(end)
    return isOld('text', this.texts) || isOld('thinking', this.thoughts) || this.knownCalls(reply).size > 0
  }

  /** So much of a whole reply's text was there before: all of it if it disagrees with what was. */
  unitsIn(type: 'text' | 'thinking', reply: readonly NativeBlock[]): number {
    const { units, end } = type === 'text' ? this.texts : this.thoughts
    const whole = wholeText(reply, type)
    return whole.slice(0, units).endsWith(end) && whole.length >= units ? units : whole.length
  }

  /** The calls of a whole reply that were there before: by their ids, else by their names, in order. */
  knownCalls(reply: readonly NativeBlock[]): Map<NativeBlock, NativeBlock> {
    const known = new Map<NativeBlock, NativeBlock>()
    const calls = reply.filter(({ type }) => type === 'tool_call')
    const ids = new Map(this.calls.map((call) => [call.id, call]))
    for (const call of calls) {
      const before = call.id === '' ? undefined : ids.get(call.id)
      if (before !== undefined) known.set(call, before)
    }
    const matched = new Set(known.values())
    const left = new Map<string, NativeBlock[]>()
    for (const call of this.calls) {
      if (matched.has(call)) continue
      const same = left.get(call.name)
      if (same === undefined) left.set(call.name, [call])
      else same.push(call)
    }
    for (const call of calls) {
      const before = known.has(call) ? undefined : left.get(call.name)?.shift()
      if (before !== undefined) known.set(call, before)
    }
    return known
  }
}

function wholeText(reply: readonly NativeBlock[], type: 'text' | 'thinking'): string {
  return reply.map((block) => (block.type === type ? block.text : '')).join('')
}

function seenWith({ units, end }: Seen, text: string): Seen {
  return { units: units + text.length, end: (end + text).slice(-COMPARED) }
}
