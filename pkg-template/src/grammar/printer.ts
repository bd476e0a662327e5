// What notations share: rules by what stands for them, characters, and how often something stands.

import type { Chars, Rule } from './tree.js'

/** Rules of a grammar, each once. */
export class Rules {
  /** Names by what they stand for, in the order of the grammar. */
  readonly names = new Map<string, string>()
  readonly #taken: Set<string>
  /** Names of rules that are known, or whose expression is being written. */
  readonly #known = new Map<Rule, string>()
  /** Marks of rules in their own expressions, and the names that they get. */
  readonly #marks = new Map<string, string>()

  /** `first` is the first rule; `join` stands between the words of a name. */
  constructor(
    first: string,
    private readonly join: string,
  ) {
    this.#taken = new Set([first])
  }

  /** The name of an expression: the one it has, or a new one. */
  named(wanted: string, expression: string): string {
    const known = this.names.get(expression)
    if (known !== undefined) return known
    const words = wanted.match(/[a-zA-Z0-9]+/g) ?? []
    const plain = words.join(this.join).replace(/^\d+/, '') || 'part'
    let name = plain
    for (let number = 2; this.#taken.has(name); number++) name = plain + this.join + number
    this.#taken.add(name)
    this.names.set(expression, name)
    return name
  }

  /** The name of a rule, which may stand in itself. */
  rule(rule: Rule, print: () => string): string {
    const known = this.#known.get(rule)
    if (known !== undefined) return known
    const mark = `\0${this.#known.size}\0`
    this.#known.set(rule, mark)
    const name = this.named(rule.name.toLowerCase(), print())
    this.#marks.set(mark, name)
    this.#known.set(rule, name)
    return name
  }

  /** The grammar of these lines. */
  text(lines: readonly string[]): string {
    return lines.join('\n').replaceAll(/\0\d+\0/g, (mark) => this.#marks.get(mark) ?? '')
  }
}

/** How often a part stands. */
export function times(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (max === 1) return min === 0 ? '?' : ''
  return min === max ? `{${min}}` : `{${min},${max}}`
}

/** A class of characters; `any` is that of all. */
export function classOf({ isNot, ranges }: Chars, any: string, escaped: (character: string) => string): string {
  if (isNot && ranges.length === 0) return any
  const inside = ranges.map(([first, last]) => escaped(first) + (first === last ? '' : `-${escaped(last)}`))
  return `[${isNot ? '^' : ''}${inside.join('')}]`
}
