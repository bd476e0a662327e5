// The automaton of a free text: which markers have begun, after each character.
//
//     without "</a>":   0 ─<─▶ 1 ─/─▶ 2 ─a─▶ 3 ─>─▶ never       any other character leads back to 0, and "<" to 1
//
// With a length there is a place for each state and count.
//
// Source: Aho and Corasick, Efficient string matching, 1975.

import type { Free } from './tree.js'

/** White space that is passed over. */
export const SPACES = [' ', '\t', '\n', '\r']

/** A place in a free text. */
export interface Place {
  /** Characters that lead to other places. */
  readonly next: ReadonlyMap<number, readonly string[]>
  /** Where any other character leads, if there may be one: all but those. */
  readonly others: number | undefined
  /** Characters that may not stand here, or lead elsewhere. */
  readonly not: readonly string[]
  /** Whether the text may end here. */
  readonly mayEnd: boolean
}

/** The front of a marker. */
class Front {
  readonly longer = new Map<string, Front>()
  isMarker = false
  /** Whether the text may not end with it. */
  isOpen = false
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

  add(text: string): Front {
    let front: Front = this
    for (const character of text) {
      let longer = front.longer.get(character)
      if (longer === undefined) front.longer.set(character, (longer = new Front(front.length + 1)))
      front = longer
    }
    return front
  }
}

/** The fronts of some markers, the empty one first. */
function frontsOf(without: readonly string[], notLast: readonly string[]): readonly Front[] {
  const root = new Front(0)
  for (const marker of without)
    if (!without.some((other) => other !== marker && marker.includes(other))) root.add(marker).isMarker = true
  for (const character of notLast) root.add(character).isOpen = true
  const fronts = [root]
  // The list grows while it is read, shorter ones first.
  for (const front of fronts)
    for (const [character, longer] of front.longer) {
      longer.ending = front === root ? root : front.ending.after(character)
      longer.isOpen ||= longer.ending.isOpen
      fronts.push(longer)
    }
  return fronts
}

/** Whether the markers alone say what the text may be: it may end anywhere. */
export function isPlain({ without, then, quoted, notFirst, notLast, min, max }: Free): boolean {
  if (quoted !== undefined || notFirst.length + notLast.length + min > 0 || max !== undefined) return false
  if (then.length === 0) return true
  const fronts = frontsOf(without, [])
  return then.every((text) => fronts.every((front) => front.isMarker || !front.straddles(text)))
}

/** Most places of a text. Of markers that take more only the beginnings are followed, of so many characters. */
const MOST_PLACES = 300
const FOLLOWED = [Infinity, 12, 8, 4, 2]

/** The places of a free text, from its first; undefined if they are too many. */
export function placesOf(free: Free): readonly Place[] | undefined {
  const { max = Infinity, then } = free
  // One that is longer than the text may only end in what follows it.
  const without = free.without.filter((marker) => [...marker].length <= max || then.some((text) => meets(marker, text)))
  for (const length of FOLLOWED) {
    const places = placesBelow({ ...free, without: without.map((marker) => [...marker].slice(0, length).join('')) })
    if (places !== undefined) return places
  }
  return undefined
}

/** Whether a marker may end with the beginning of a text. */
function meets(marker: string, text: string): boolean {
  return [...marker].some((_, at) => at > 0 && text.startsWith(marker.slice(at)))
}

function placesBelow(free: Free): readonly Place[] | undefined {
  const { without, notFirst, notLast, skipsSpace, min, max, then } = free
  const fronts = frontsOf(without, notLast)
  const root = fronts[0] as Front
  const characters = [...new Set(fronts.flatMap(({ longer }) => [...longer.keys()]))].sort()
  /** A front, or nothing before the first character, and how many characters there were. */
  type Spot = readonly [front: Front | undefined, count: number]
  const numbers = new Map<Front | undefined, Map<number, number>>()
  const spots: Spot[] = []
  const numberOf = (front: Front | undefined, count: number): number => {
    const counts = numbers.get(front) ?? new Map<number, number>()
    numbers.set(front, counts)
    let number = counts.get(count)
    if (number === undefined) counts.set(count, (number = spots.push([front, count]) - 1))
    return number
  }
  const isOpenOf = (front: Front | undefined) =>
    front !== undefined && (front.isOpen || then.some((text) => front.straddles(text)))
  const openOnes = new Map<Front | undefined, boolean>()
  numberOf(notFirst.length > 0 ? undefined : root, 0)
  const places: Place[] = []
  // The list grows while it is read.
  for (const [front, count] of spots) {
    if (spots.length > MOST_PLACES) return undefined
    if (!openOnes.has(front)) openOnes.set(front, isOpenOf(front))
    const mayEnd = count >= min && openOnes.get(front) !== true
    if (count === max) {
      places.push({ next: new Map(), others: undefined, not: [], mayEnd })
      continue
    }
    const after = max === undefined ? Math.min(count + 1, min) : count + 1
    const next = new Map<number, string[]>()
    const not: string[] = []
    const lead = (character: string, to: number) => next.set(to, [...(next.get(to) ?? []), character])
    const barred = front === undefined ? [...notFirst, ...(skipsSpace ? SPACES : [])] : []
    for (const character of barred)
      if (skipsSpace && SPACES.includes(character)) lead(character, numberOf(undefined, after))
    not.push(...barred)
    for (const character of characters) {
      const reached = (front ?? root).after(character)
      if (reached === root || barred.includes(character)) continue
      not.push(character)
      if (!reached.isMarker) lead(character, numberOf(reached, after))
    }
    places.push({ next, others: numberOf(root, after), not, mayEnd })
  }
  return alive(places)
}

/** Places without the ways to those from which no end is reached. */
function alive(places: readonly Place[]): readonly Place[] {
  const ends = new Set<number>()
  for (let before = -1; before !== ends.size; ) {
    before = ends.size
    for (let at = places.length - 1; at >= 0; at--) {
      const { next, others, mayEnd } = places[at] as Place
      if (mayEnd || (others !== undefined && ends.has(others)) || [...next.keys()].some((to) => ends.has(to)))
        ends.add(at)
    }
  }
  if (ends.size === places.length) return places
  return places.map(({ next, others, not, mayEnd }) => ({
    next: new Map([...next].filter(([to]) => ends.has(to))),
    others: others !== undefined && ends.has(others) ? others : undefined,
    not,
    mayEnd,
  }))
}
