// A free text as a tree: a rule for each place of its automaton, whose last part is the rule of the next place.

import { type Place, SPACES, placesOf } from './markers.js'
import { type Free, HEX, NOTHING, type Tree, all, any, chars, charsBut, many, rule, text } from './tree.js'

/** The tree of a free text, and a text that is the same for the same automaton. */
export function automatonOf(free: Free): readonly [same: string, tree: Tree] {
  const places = placesOf(free)
  if (places === undefined) {
    // It has no character with which a marker begins.
    const firsts = free.without.map((marker) => [...marker][0] as string)
    return [JSON.stringify(free), withEnds((...but) => charsBut(...firsts, ...but), free)]
  }
  const same = JSON.stringify([free.quoted, places.map(({ next, ...place }) => [[...next], place])])
  const [first] = places
  if (places.length === 1 && free.quoted === undefined && first?.mayEnd === true)
    return [same, many(charsBut(...first.not))]
  const name = free.quoted === undefined ? 'free' : 'inside'
  const rules: Tree[] = places.map((place, at) =>
    rule(at === 0 ? name : `${name}-s${at}`, () => oneOf(waysFrom(place, free, first?.not ?? [], rules))),
  )
  return [same, rules[0] as Tree]
}

/** A choice of what differs with the first character. */
const oneOf = (ways: readonly Tree[]): Tree => (ways.length < 2 ? (ways[0] ?? NOTHING) : { kind: 'any', of: ways })

function waysFrom(
  { next, others, not, mayEnd }: Place,
  { quoted }: Free,
  begins: readonly string[],
  rules: readonly Tree[],
): readonly Tree[] {
  const ways: Tree[] = mayEnd ? [NOTHING] : []
  const lead = (to: number, ...parts: readonly Tree[]) => ways.push({ kind: 'all', of: [...parts, rules[to] as Tree] })
  if (others !== undefined)
    lead(
      others,
      charsBut(
        ...(quoted === undefined ? [] : ['\0\x1f']),
        ...not,
        ...(quoted === undefined ? [] : [quoted.quote, '\\']),
      ),
    )
  for (const [to, some] of next) lead(to, some.length === 1 ? text(some[0] as string) : chars(...some))
  if (quoted === undefined) return ways
  // No marker begins with what stands in an escape.
  lead(0, text('\\'), chars(...[...quoted.escapes].filter((letter) => !begins.includes(letter))))
  const digits = [...'0123456789abcdefABCDEF'].filter((digit) => !begins.includes(digit))
  for (const [letter, count] of quoted.numbers)
    if (!begins.includes(letter))
      lead(0, text(`\\${letter}`), many(digits.length === 22 ? HEX : chars(...digits), count, count))
  return ways
}

/** A text of characters, of some length, that neither begins nor ends with some of them. */
export function withEnds(
  character: (...but: readonly string[]) => Tree,
  { min, max, notFirst, notLast, skipsSpace }: Pick<Free, 'min' | 'max' | 'notFirst' | 'notLast' | 'skipsSpace'>,
): Tree {
  if (notFirst.length + notLast.length === 0) return many(character(), min, max)
  const spaces = skipsSpace ? SPACES : []
  const most = max === undefined ? undefined : Math.max(0, max - 2)
  const inside = many(character(), Math.max(0, min - 2), most)
  const front = (...but: readonly string[]) =>
    all(max === undefined ? many(chars(...spaces)) : NOTHING, character(...notFirst, ...spaces, ...but))
  return any(
    ...(min === 0 ? [NOTHING] : []),
    ...(min < 2 ? [front(...notLast)] : []),
    ...(max === 1 ? [] : [all(front(), inside, character(...notLast))]),
  )
}
