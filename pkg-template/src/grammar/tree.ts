// What a grammar may write, as a tree that each notation prints.
//
//     all   text "<tool_call>", any (all …, all …), text "</tool_call>"
//     free  any text without some markers
//
// What follows a free text decides where it may end: so a tree is finished by `follow`.

/** Characters: one of the ranges, or one of the others. */
export interface Chars {
  readonly kind: 'chars'
  readonly isNot: boolean
  /** Pairs of first and last character. */
  readonly ranges: ReadonlyArray<readonly [string, string]>
}

/** Any text without some markers. */
export interface Free {
  readonly kind: 'free'
  readonly without: readonly string[]
  /** Characters with which it doesn't begin, after white space if that is passed over; nor end. */
  readonly notFirst: readonly string[]
  readonly skipsSpace: boolean
  readonly notLast: readonly string[]
  /** How many characters it has. */
  readonly min: number
  readonly max: number | undefined
  /** The ends of markers with which what follows it may begin: no marker may begin in the one and end in the other. */
  readonly then: readonly string[]
  /** A string between quotes: characters that must be escaped, and the escapes. */
  readonly quoted: Quoted | undefined
}

/** How a string between quotes is written. */
export interface Quoted {
  readonly quote: string
  /** The characters that may follow a backslash. */
  readonly escapes: string
  /** Letters of escapes by a number, and how many digits these have. */
  readonly numbers: ReadonlyArray<readonly [letter: string, digits: number]>
}

/** A value of a JSON schema, as JSON: engines have a word for it. `tree` is the same in full. */
interface Json {
  readonly kind: 'json'
  readonly schema: unknown
  readonly without: readonly string[]
  readonly tree: () => Tree
}

/** A part that has a name, since it stands in several places, or in itself. */
export interface Rule {
  readonly kind: 'rule'
  readonly name: string
  readonly of: () => Tree
  /** Whether it is a value that may stand without quotes: then only what follows ends it. */
  readonly isBare: boolean
}

export type Tree =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'all'; readonly of: readonly Tree[] }
  | { readonly kind: 'any'; readonly of: readonly Tree[] }
  | { readonly kind: 'many'; readonly of: Tree; readonly min: number; readonly max: number | undefined }
  | { readonly kind: 'several'; readonly of: Tree; readonly join: Tree }
  | Chars
  | Free
  | Json
  | Rule

export const text = (of: string): Tree => ({ kind: 'text', text: of })
export const NOTHING = text('')

/** One after the other; neighbouring texts are one. */
export function all(...parts: readonly Tree[]): Tree {
  const flat: Tree[] = []
  for (const part of parts.flatMap((one): readonly Tree[] => (one.kind === 'all' ? one.of : [one]))) {
    const last = flat.at(-1)
    if (part.kind === 'text' && last?.kind === 'text') flat[flat.length - 1] = text(last.text + part.text)
    else if (part.kind !== 'text' || part.text !== '') flat.push(part)
  }
  return flat.length === 1 ? (flat[0] as Tree) : flat.length === 0 ? NOTHING : { kind: 'all', of: flat }
}

/** One of several. What all begin with stands before the choice. */
export function any(...parts: readonly Tree[]): Tree {
  const flat = parts.flatMap((one): readonly Tree[] => (one.kind === 'any' ? one.of : [one]))
  if (flat.length === 1) return flat[0] as Tree
  const front = flat.map(frontOf).reduce(common)
  if (front === '') return { kind: 'any', of: flat }
  return all(text(front), { kind: 'any', of: flat.map((one) => rest(one, front.length)) })
}

export const many = (of: Tree, min = 0, max?: number): Tree =>
  max === 0 || (of.kind === 'text' && of.text === '') ? NOTHING : { kind: 'many', of, min, max }
/** One or more, with something between them. */
export const several = (of: Tree, join: Tree): Tree => ({ kind: 'several', of, join })
export const optional = (of: Tree): Tree => many(of, 0, 1)

/** What it stands for is made when it is asked for. */
export function rule(name: string, of: () => Tree, isBare = false): Rule {
  let made: Tree | undefined
  return { kind: 'rule', name, isBare, of: () => (made ??= of()) }
}

export const chars = (...ranges: readonly string[]): Chars => ({ kind: 'chars', isNot: false, ranges: pairs(ranges) })
export const charsBut = (...ranges: readonly string[]): Chars => ({
  kind: 'chars',
  isNot: true,
  ranges: pairs([...new Set(ranges)]),
})

const pairs = (ranges: readonly string[]) =>
  ranges.map((range): readonly [string, string] => {
    const [first = '', last = first] = [...range]
    return [first, last]
  })

export const HEX = chars('09', 'af', 'AF')

/** Any text without markers. */
export const free = (without: readonly string[], more: Partial<Omit<Free, 'kind' | 'without'>> = {}): Free => ({
  kind: 'free',
  without,
  notFirst: [],
  skipsSpace: false,
  notLast: [],
  min: 0,
  max: undefined,
  then: [],
  quoted: undefined,
  ...more,
})

/** The text that a tree begins with, whatever comes. */
function frontOf(tree: Tree): string {
  if (tree.kind === 'text') return tree.text
  if (tree.kind === 'any') return tree.of.map(frontOf).reduce(common)
  if (tree.kind === 'several') return frontOf(tree.of)
  return tree.kind === 'all' ? frontOf(tree.of[0] as Tree) : ''
}

function common(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  // Not half of a pair.
  if (/[\ud800-\udbff]/.test(one[at - 1] ?? '')) at--
  return one.slice(0, at)
}

/** A tree without the first characters, which are a text in it. */
function rest(tree: Tree, length: number): Tree {
  if (tree.kind === 'text') return text(tree.text.slice(length))
  if (tree.kind === 'any') return { kind: 'any', of: tree.of.map((one) => rest(one, length)) }
  const [first, ...others] = (tree as { readonly of: readonly Tree[] }).of
  return all(rest(first as Tree, length), ...others)
}

/** A tree in which each free text knows what may follow it, as far as markers are long. */
export function follow(tree: Tree): Tree {
  return new Followed(longestMarker(tree, new Set())).tree(tree, [''])
}

function longestMarker(tree: Tree, seen: Set<unknown>): number {
  const what = tree.kind === 'free' ? tree.without : tree
  if (seen.has(what)) return 0
  seen.add(what)
  const lengths =
    tree.kind === 'free'
      ? tree.without.map((marker) => marker.length)
      : partsOf(tree).map((part) => longestMarker(part, seen))
  return Math.max(0, ...lengths)
}

class Followed {
  readonly #known = new Map<Rule, Map<string, Rule>>()
  /** The ends of lists of markers. */
  readonly #endsBy = new Map<string, ReadonlySet<string>>()

  constructor(private readonly longest: number) {}

  tree(tree: Tree, then: readonly string[]): Tree {
    switch (tree.kind) {
      case 'free':
        return { ...tree, then: this.#ends(tree.without, then) }
      case 'any':
        return { kind: 'any', of: tree.of.map((part) => this.tree(part, then)) }
      case 'all': {
        const parts: Tree[] = []
        let after = then
        for (const part of [...tree.of].reverse()) {
          parts.unshift(this.tree(part, after))
          after = this.#fronts(part, after)
        }
        return { kind: 'all', of: parts }
      }
      case 'many':
        return { ...tree, of: this.tree(tree.of, tree.max === 1 ? then : ['']) }
      case 'several': {
        // What follows one is what follows all, or what stands between them.
        const after = [...new Set([...then, ...this.#fronts(tree.join, this.#fronts(tree.of, ['']))])]
        return { ...tree, of: this.tree(tree.of, after) }
      }
      case 'rule':
        return this.#rule(tree, then)
      default:
        return tree
    }
  }

  /** The ends of markers with which one of the texts begins. */
  #ends(without: readonly string[], then: readonly string[]): readonly string[] {
    const key = without.join('\0')
    let ends = this.#endsBy.get(key)
    if (ends === undefined) this.#endsBy.set(key, (ends = new Set(without.flatMap(endsOf))))
    const fronts = new Set(then.flatMap(frontsOf))
    return [...fronts].filter((front) => ends.has(front)).sort()
  }

  /** A rule that stands in itself leads to itself. */
  #rule(tree: Rule, next: readonly string[]): Rule {
    const then = endsFree(tree, new Set()) ? next : ['']
    const key = then.join('\0')
    const ways = this.#known.get(tree) ?? new Map<string, Rule>()
    this.#known.set(tree, ways)
    let found = ways.get(key)
    if (found === undefined) ways.set(key, (found = rule(tree.name, () => this.tree(tree.of(), then), tree.isBare)))
    return found
  }

  /** The texts that a tree may begin with, as far as they are known, where `after` are those of what follows it. */
  #fronts(tree: Tree, after: readonly string[]): readonly string[] {
    switch (tree.kind) {
      case 'text':
        return [...new Set(after.map((next) => (tree.text + next).slice(0, this.longest)))]
      case 'all':
        return tree.of.reduceRight((next, part) => this.#fronts(part, next), after)
      case 'any':
        return [...new Set(tree.of.flatMap((part) => this.#fronts(part, after)))]
      case 'several':
        return this.#fronts(tree.of, [''])
      case 'many':
        return [...new Set([...this.#fronts(tree.of, tree.max === 1 ? after : ['']), ...(tree.min === 0 ? after : [])])]
      default:
        return ['']
    }
  }
}

const endsOf = (marker: string) => Array.from({ length: marker.length }, (_, at) => marker.slice(at)).slice(1)
const frontsOf = (text: string) => Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1))

/** Whether a tree may end with a free text. */
function endsFree(tree: Tree, seen: Set<Tree>): boolean {
  if (seen.has(tree)) return false
  seen.add(tree)
  switch (tree.kind) {
    case 'all': {
      const last = tree.of.findLast((part) => part.kind !== 'many' || part.min > 0)
      return tree.of.slice(last === undefined ? 0 : tree.of.lastIndexOf(last)).some((part) => endsFree(part, seen))
    }
    case 'any':
      return tree.of.some((part) => endsFree(part, seen))
    case 'many':
    case 'several':
      return endsFree(tree.of, seen)
    case 'rule':
      return endsFree(tree.of(), seen)
    default:
      return tree.kind === 'free'
  }
}

/** The parts of a tree. */
export function partsOf(tree: Tree): readonly Tree[] {
  if (tree.kind === 'all' || tree.kind === 'any') return tree.of
  if (tree.kind === 'several') return [tree.of, tree.join]
  return tree.kind === 'many' ? [tree.of] : tree.kind === 'rule' ? [tree.of()] : []
}
