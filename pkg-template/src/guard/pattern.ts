// Reads a regular expression, and builds its part of the automaton.
//
//     pattern  ::= sequence ('|' sequence)*
//     sequence ::= (term quantifier?)*
//     term     ::= '(' pattern ')' | '^' | '$' | '\b' | '\B' | an atom, which matches one code unit
//
// Counts are written out: `a{1,3}` is `a(a(a)?)?`. An iteration that is not required must not be empty (ECMA-262,
// RepeatMatcher). So a part is built with two places to go on: one after it has consumed something, the other if it
// hasn't; that is a dead end for such an iteration.
//
// Source: ECMA-262, 22.2.1 and B.1.2, without the flags `u` and `v`.

import type { Make, Node, Shape } from './node.js'
import { LINE_END, NONE, WORD, edgesOf, isIn } from './units.js'

type Place = Node | undefined

/** Builds a part that leads to these places; returns where it begins. */
type Build = (consumed: Place, empty: Place) => Place

const GROUP = /\((?:\?(?:<?[=!]|:|<[^>]*>|[^)]?))?/
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/
/** A `\` before a `c` that names no control character stands for itself. */
const ESCAPE = /\\(?:c[a-z]|x[\da-f]{2}|u[\da-f]{4}|0[0-7]{0,2}|(?=c)|[^])/
const TOKEN = new RegExp(`${GROUP.source}|${CLASS.source}|${ESCAPE.source}|[^]`, 'iy')
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})(\??)/y

/** What can't be decided while text comes. */
const REFUSED: ReadonlyArray<readonly [pattern: RegExp, what: string]> = [
  [/^\(\?<?[=!]/, 'lookaround'],
  [/^\(\?[^:<]?$/, 'modifiers'],
  [/^\\[1-9k]/, 'a backreference'],
]

/** Builds a pattern. `place` names it in errors. */
export function buildPattern(place: string, pattern: RegExp, make: Make): Build {
  return new PatternReader(place, pattern, make).read()
}

class PatternReader {
  readonly #place: string
  readonly #source: string
  readonly #flags: string
  readonly #make: Make
  readonly #assertions: Readonly<Record<string, Shape>>
  #at = 0

  constructor(place: string, { source, flags }: RegExp, make: Make) {
    this.#place = place
    this.#source = source
    this.#flags = flags
    this.#make = make
    this.#assertions = assertionsOf(flags.includes('m'))
  }

  read(): Build {
    const [flag] = /[^gims]/.exec(this.#flags) ?? []
    if (flag !== undefined) this.#refuse('the flag', flag)
    return this.#pattern()
  }

  /** Reads to the end, or over the parenthesis that closes a group. */
  #pattern(): Build {
    const parts: Build[] = []
    do parts.push(this.#sequence())
    while (this.#source[this.#at++] === '|')
    return (...places) => parts.map((part) => part(...places)).reduceRight((later, first) => this.#split(first, later))
  }

  #sequence(): Build {
    const terms: Build[] = []
    while (!'|)'.includes(this.#source.charAt(this.#at))) terms.unshift(this.#quantified(this.#term()))
    return (...places) => terms.reduce((places, build) => both(build, places), places)[1]
  }

  #term(): Build {
    const [token = ''] = this.#take(TOKEN) ?? []
    for (const [part, what] of REFUSED) if (part.test(token)) this.#refuse(what, token)
    if (token[0] === '(') return this.#pattern()
    const assertion = this.#assertions[token]
    if (assertion !== undefined) return (_, next) => this.#make({ ...assertion, next })
    const edges = edgesOf(token === '\\' ? '\\\\' : token, this.#flags.replace(/[^is]/g, ''))
    return (next) => this.#make({ edges, next })
  }

  #quantified(build: Build): Build {
    const found = this.#take(QUANTIFIER)
    if (found === null) return build
    const [mark, count, comma, limit, lazy] = found
    const min = Number(count ?? mark[0] === '+')
    const max = comma === '' ? min : Number(limit || (mark[0] === '?' ? 1 : Infinity))
    const choose = (body: Place, exit: Place) => (lazy === '' ? this.#split(body, exit) : this.#split(exit, body))
    return (consumed, empty) => {
      let places: [Place, Place] = [consumed, empty]
      const add = (body: Place) => {
        const after = choose(body, consumed)
        places = [after, consumed === empty ? after : choose(body, empty)]
      }
      if (max === Infinity) {
        const loop = this.#split(undefined, undefined)
        add(build(loop, undefined))
        Object.assign(loop, { next: places[0]?.next, other: places[0]?.other })
      } else for (let left = max - min; left > 0; left--) add(build(places[0], undefined))
      for (let left = min; left > 0; left--) places = both(build, places)
      return places[1]
    }
  }

  #split(next: Place, other: Place): Node {
    return this.#make({ isSplit: true, next, other })
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    this.#at += found?.[0].length ?? 0
    return found
  }

  #refuse(what: string, part: string): never {
    throw new TypeError(`${this.#place} must not have ${what} ${part}, but is /${this.#source}/${this.#flags}`)
  }
}

function assertionsOf(isMultiline: boolean): Readonly<Record<string, Shape>> {
  const isEdge = (unit: number) => unit === NONE || (isMultiline && isIn(edgesOf(LINE_END), unit))
  const isBoundary = (before: number, after: number) => isIn(edgesOf(WORD), before) !== isIn(edgesOf(WORD), after)
  return {
    '^': { holds: isEdge },
    $: { holds: (_, after) => isEdge(after), looksAhead: true },
    '\\b': { holds: isBoundary, looksAhead: true },
    '\\B': { holds: (before, after) => !isBoundary(before, after), looksAhead: true },
  }
}

/** Builds a part after something was consumed, and before. */
function both(build: Build, [consumed, empty]: [Place, Place]): [consumed: Place, empty: Place] {
  const after = build(consumed, consumed)
  return [after, consumed === empty ? after : build(consumed, empty)]
}
