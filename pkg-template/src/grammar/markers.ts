// The automaton of a free text: which markers have begun, after each character.
//
//     without "</a>":   0 ─<─▶ 1 ─/─▶ 2 ─a─▶ 3 ─>─▶ never       any other character leads back to 0, and "<" to 1
//
// Source: Aho and Corasick, Efficient string matching, 1975.

import type { Free } from './tree.js'

/** How much of a marker the text ends with. */
export interface State {
  /** The states that characters lead to; one that isn't here leads to the first state. */
  readonly next: ReadonlyMap<string, number>
  /** Characters that would complete a marker. */
  readonly never: readonly string[]
  /** Whether the text may end here. */
  readonly mayEnd: boolean
}

/** The front of a marker. */
class Front {
  readonly longer = new Map<string, Front>()
  isMarker = false
  /** The longest other front with which this one ends; itself, for the empty one. */
  ending: Front = this

  constructor(readonly length: number) {}

  /** The front with which a text ends that ended with this one before the character. */
  after(character: string): Front {
    const longer = this.longer.get(character)
    return longer ?? (this.ending === this ? this : this.ending.after(character))
  }

  /** Whether a marker begins in what ends with this front, and ends in the text that follows. */
  straddles(then: string): boolean {
    let front: Front = this
    let read = 0
    for (const character of then) {
      if (front.length <= read) return false
      front = front.after(character)
      read++
      if (front.isMarker && front.length > read) return true
    }
    return false
  }
}

/** The fronts of some markers, the empty one first. */
function frontsOf(without: readonly string[]): readonly Front[] {
  const root = new Front(0)
  const fronts = [root]
  for (const marker of without.filter((one) => !without.some((other) => other !== one && one.includes(other)))) {
    let front = root
    for (const character of marker) {
      let longer = front.longer.get(character)
      if (longer === undefined) front.longer.set(character, (longer = new Front(front.length + 1)))
      front = longer
    }
    front.isMarker = true
  }
  // The list grows while it is read, shorter ones first.
  for (const front of fronts)
    for (const [character, longer] of front.longer) {
      longer.ending = front === root ? root : front.ending.after(character)
      fronts.push(longer)
    }
  return fronts
}

/** The states of a free text, from its first. */
export function statesOf({ without, then }: Free): readonly State[] {
  const fronts = frontsOf(without)
  const characters = [...new Set(without.flatMap((marker) => [...marker]))].sort()
  const whole = fronts.filter(({ isMarker }) => !isMarker)
  const numbers = new Map(whole.map((front, at) => [front, at]))
  return whole.map((front) => {
    const next = new Map<string, number>()
    const never: string[] = []
    for (const character of characters) {
      const reached = front.after(character)
      if (reached.isMarker) never.push(character)
      else if (reached.length > 0) next.set(character, numbers.get(reached) as number)
    }
    return { next, never, mayEnd: !then.some((text) => front.straddles(text)) }
  })
}

/** Whether the markers alone say what the text may be: it may end anywhere. */
export function isPlain({ without, then, quoted, notFirst }: Free): boolean {
  if (quoted !== undefined || notFirst !== '') return false
  return then.every((text) => text === '' || frontsOf(without).every((front) => front.isMarker || !front.straddles(text)))
}
