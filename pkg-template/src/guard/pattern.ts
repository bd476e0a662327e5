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

import type { Make, Node, Shape, Take } from './node.js'
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
export function buildPattern(place: string, { source, flags }: RegExp, make: Make, take: Take): Build {
  let at = 0

  const refuse = (what: string, part: string) => {
    throw new TypeError(`${place} must not have ${what} ${part}, but is /${source}/${flags}`)
  }

  const read = (token: RegExp) => {
    token.lastIndex = at
    const found = token.exec(source)
    at += found?.[0].length ?? 0
    return found
  }

  const split = (next: Place, other: Place) => make({ isSplit: true, next, other })

  const isEdge = (unit: number) => unit === NONE || (flags.includes('m') && isIn(edgesOf(LINE_END), unit))
  const isWord = (unit: number) => isIn(edgesOf(WORD), unit)
  const assertions: Readonly<Record<string, Shape>> = {
    '^': { passes: isEdge, looksBack: true },
    $: { passes: (_, unit) => isEdge(unit) },
    '\\b': { passes: (before, unit) => isWord(before) !== isWord(unit) },
    '\\B': { passes: (before, unit) => isWord(before) === isWord(unit) },
  }

  /** Reads to the end, or over the parenthesis that closes a group. */
  const pattern = (): Build => {
    const parts: Build[] = []
    do parts.push(sequence())
    while (source[at++] === '|')
    return (...places) => parts.map((part) => part(...places)).reduceRight((later, first) => split(first, later))
  }

  const sequence = (): Build => {
    const terms: Build[] = []
    while (!'|)'.includes(source.charAt(at))) terms.unshift(quantified(term()))
    return (...places) => terms.reduce((places, build) => both(build, places), places)[1]
  }

  const term = (): Build => {
    const [token = ''] = read(TOKEN) ?? []
    for (const [part, what] of REFUSED) if (part.test(token)) refuse(what, token)
    if (token[0] === '(') return pattern()
    const assertion = assertions[token]
    if (assertion !== undefined) return (_, next) => make({ ...assertion, next })
    const edges = edgesOf(token === '\\' ? '\\\\' : token, flags.replace(/[^is]/g, ''))
    return (next) => take(edges, next)
  }

  const quantified = (build: Build): Build => {
    const found = read(QUANTIFIER)
    if (found === null) return build
    const [mark, count, comma, limit, lazy] = found
    const min = Number(count ?? mark[0] === '+')
    const max = comma === '' ? min : Number(limit || (mark[0] === '?' ? 1 : Infinity))
    const choose = (body: Place, exit: Place) => (lazy === '' ? split(body, exit) : split(exit, body))
    return (consumed, empty) => {
      let places: [Place, Place] = [consumed, empty]
      const add = (body: Place) => {
        const after = choose(body, consumed)
        places = [after, consumed === empty ? after : choose(body, empty)]
      }
      if (max === Infinity) {
        const loop = split(undefined, undefined)
        add(build(loop, undefined))
        Object.assign(loop, { next: places[0]?.next, other: places[0]?.other })
      } else for (let left = max - min; left > 0; left--) add(build(places[0], undefined))
      for (let left = min; left > 0; left--) places = both(build, places)
      return places[1]
    }
  }

  const [flag] = /[^gims]/.exec(flags) ?? []
  if (flag !== undefined) refuse('the flag', flag)
  return pattern()
}

/** Builds a part after something was consumed, and before. */
function both(build: Build, [consumed, empty]: [Place, Place]): [consumed: Place, empty: Place] {
  const after = build(consumed, consumed)
  return [after, consumed === empty ? after : build(consumed, empty)]
}
