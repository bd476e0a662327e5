// Prints a tree in the Lark of llguidance.
//
// A lexer comes before the grammar there, and takes what is longest: so a text without markers is one terminal with the
// text that ends it, as short as may be (`lazy`), and strings and numbers are terminals, too.
//
// Source: llguidance 1.9.1, docs/syntax.md.

import { isRecord } from '../own.js'
import { GrammarError } from './grammar-error.js'
import { ABOUT } from './held-schema.js'
import { Rules, classOf, times } from './printer.js'
import type { Free, Quoted, Tree } from './tree.js'
import { all, many, partsOf } from './tree.js'

/** A tree as a grammar whose first rule is `start`. @throws GrammarError for what the lexer can't tell apart */
export function larkText(format: string, tree: Tree): string {
  return new Lark(format).text(tree)
}

class Lark {
  /** Rules, and terminals in capitals. */
  readonly #rules = new Rules('start', '_')

  constructor(private readonly format: string) {}

  text(tree: Tree): string {
    const start = this.#sequence([tree])
    const rules = [...this.#rules.names].map(([expression, name]) => name + expression)
    return this.#rules.text(['%llguidance {}', `start: ${start}`, ...rules])
  }

  /** Parts one after the other. */
  #sequence(given: readonly Tree[]): string {
    const parts = inRow(given)
    const [first, ...rest] = parts
    if (first === undefined) return '""'
    if (first.kind === 'free' && first.quoted === undefined) return this.#free(first, rest)
    if (rest.length > 0 && endsFree(first)) {
      const [next, ...others] = rest
      // What ends it is a part of each way; the rest stands once.
      const [inside, after] = next?.kind === 'text' ? [[next], others] : [rest, []]
      const ways = waysOf(first).map((way) => this.#sequence([...way, ...inside]))
      return [`(${ways.join(' | ')})`, ...(after.length === 0 ? [] : [this.#sequence(after)])].join(' ')
    }
    const [second, ...last] = rest
    // A literal that only begins as another one does would be taken for it.
    if (first.kind === 'text' && second?.kind === 'any' && !isRegular(second, new Set()))
      return this.#sequence([
        { kind: 'any', of: second.of.flatMap(openedOf).map((way) => all(first, ...way)) },
        ...last,
      ])
    if (first.kind === 'rule' && first.isBare && second?.kind === 'text') {
      const ways = waysOf(first).map((way) =>
        way.every((part) => isRegular(part, new Set()))
          ? this.#lazy(`/${way.map(regexOf).join('')}/`, second.text)
          : this.#sequence([...way, second]),
      )
      return [`(${ways.join(' | ')})`, ...(last.length === 0 ? [] : [this.#sequence(last)])].join(' ')
    }
    const string = stringOf(parts)
    if (string !== undefined) return this.#terminal('STRING', string)
    return [this.#part(first), ...(rest.length === 0 ? [] : [this.#sequence(rest)])].join(' ')
  }

  /** A text without markers, with what ends it. */
  #free(free: Free, rest: readonly Tree[]): string {
    const [next, ...others] = inRow(rest)
    // No terminal is empty, but a part of one may be.
    if (next === undefined)
      return `${this.#terminal('TEXT', textOf({ ...free, min: Math.max(1, free.min) }))}${free.min === 0 ? '?' : ''}`
    const [choice, ...last] = others
    if (next.kind === 'text' && choice !== undefined && !hasMarker(next.text, free) && isChoice(choice))
      return `(${waysOf(choice)
        .map((way) => this.#free(free, [next, ...way, ...last]))
        .join(' | ')})`
    if (next.kind === 'text')
      return [this.#lazy(textOf(free), next.text), ...(others.length === 0 ? [] : [this.#sequence(others)])].join(' ')
    if (next.kind === 'free' || next.kind === 'chars' || next.kind === 'json') this.#refuse()
    return `(${waysOf(next)
      .map((way) => this.#sequence([free, ...way, ...others]))
      .join(' | ')})`
  }

  /** A terminal up to the first text that ends it. */
  #lazy(expression: string, end: string): string {
    return this.#rules.named('free', `[lazy]: ${this.#terminal('TEXT', expression)} ${quoted(end)}`)
  }

  #part(tree: Tree): string {
    if (tree.kind === 'text') return quoted(tree.text)
    // A schema says nothing of markers in its strings.
    if (tree.kind === 'json') return tree.without.length === 0 ? this.#json(tree.schema) : this.#sequence([tree.tree()])
    if (tree.kind !== 'any' && isRegular(tree, new Set())) return this.#regular(tree)
    switch (tree.kind) {
      case 'any':
        return `(${tree.of.map((way) => this.#sequence([way])).join(' | ')})`
      case 'many':
        return `(${this.#sequence([tree.of])})${times(tree.min, tree.max)}`
      case 'several':
        return this.#sequence(severalOf(tree.of, tree.join))
      case 'rule':
        return this.#rules.rule(tree, () => `: ${this.#sequence([tree.of()])}`)
      default:
        return this.#sequence([tree])
    }
  }

  /** What is regular is a terminal, and no terminal is empty. */
  #regular(tree: Tree): string {
    if (tree.kind === 'many' && tree.min === 0)
      return `(${this.#terminal('PART', `/${regexOf({ ...tree, min: 1 })}/`)})?`
    return this.#terminal('PART', `/${regexOf(tree)}/`)
  }

  #json(schema: unknown): string {
    return this.#rules.named('json', `: %json ${JSON.stringify(closed(schema))}`)
  }

  #terminal(wanted: string, expression: string): string {
    return this.#rules.named(wanted, `: ${expression}`)
  }

  #refuse(): never {
    throw new GrammarError(this.format, 'lexing', 'a lexer can not tell where a text of it ends')
  }
}

/** A JSON schema that says at each depth that what isn't declared is not there. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isRecord(schema)) return schema
  const inner = Object.entries(schema).flatMap(([keyword, part]): Array<readonly [string, unknown]> => {
    if (ABOUT.includes(keyword)) return []
    if (keyword === 'enum' || keyword === 'const') return [[keyword, part]]
    const isMap = keyword === 'properties' || keyword === '$defs'
    return [
      [
        keyword,
        isMap
          ? Object.fromEntries(Object.entries(part as object).map(([name, one]) => [name, closed(one)]))
          : closed(part),
      ],
    ]
  })
  const isClosed = 'properties' in schema && !('additionalProperties' in schema)
  return Object.fromEntries([...inner, ...(isClosed ? [['additionalProperties', false] as const] : [])])
}

/** Parts without such as have parts; neighbouring texts are one. */
function inRow(given: readonly Tree[]): readonly Tree[] {
  const row = all(...given)
  return row.kind === 'all' ? row.of : row.kind === 'text' && row.text === '' ? [] : [row]
}

const hasMarker = (of: string, { without }: Free) => without.some((marker) => of.includes(marker))
const isChoice = ({ kind }: Tree) => ['any', 'several', 'many', 'rule'].includes(kind)

/** The ways of what may be absent; anything else as it is. */
const openedOf = (tree: Tree): ReadonlyArray<readonly Tree[]> =>
  tree.kind === 'any' || (tree.kind === 'many' && tree.max === 1) ? waysOf(tree) : [[tree]]

/** One, and more with what stands between them. */
function severalOf(of: Tree, join: Tree): readonly Tree[] {
  return [of, many(all(join, of))]
}

/** The ways in which a part may go on. */
function waysOf(tree: Tree): ReadonlyArray<readonly Tree[]> {
  switch (tree.kind) {
    case 'any':
      return tree.of.flatMap(waysOf)
    case 'rule':
      return waysOf(tree.of())
    case 'several':
      return [severalOf(tree.of, tree.join)]
    case 'many':
      if (tree.max === 1) return [...(tree.min === 0 ? [[]] : []), [tree.of]]
      return [
        ...(tree.min === 0 ? [[]] : []),
        [tree.of, many(tree.of, Math.max(0, tree.min - 1), tree.max === undefined ? undefined : tree.max - 1)],
      ]
    default:
      return [[tree]]
  }
}

/** Whether a part ends with a text that only what follows ends. */
function endsFree(tree: Tree): boolean {
  if (tree.kind === 'free') return tree.quoted === undefined
  if (tree.kind === 'all') {
    const [before, last] = tree.of.slice(-2)
    if (before?.kind === 'free' && last?.kind === 'text' && !hasMarker(last.text, before)) return true
    return endsFree(tree.of.at(-1) as Tree)
  }
  if (tree.kind === 'any') return tree.of.some(endsFree)
  if (tree.kind === 'many') return tree.max === 1 && endsFree(tree.of)
  return tree.kind === 'rule' && tree.isBare && endsFree(tree.of())
}

/** Whether a tree is regular, and has no text without markers. */
function isRegular(tree: Tree, inside: Set<Tree>): boolean {
  if (tree.kind === 'free' || tree.kind === 'json' || inside.has(tree)) return false
  const deeper = new Set([...inside, tree])
  return partsOf(tree).every((part) => isRegular(part, deeper))
}

/** A string between quotes as a terminal, if these parts are one. */
function stringOf(parts: readonly Tree[]): string | undefined {
  const [open, inside, close] = parts
  if (parts.length !== 3 || open?.kind !== 'text' || close?.kind !== 'text') return undefined
  if (inside?.kind !== 'free' || inside.quoted === undefined) return undefined
  const { quote, escapes, numbers } = inside.quoted as Quoted
  const numbered = numbers.map(([letter, digits]) => `\\\\${letter}[0-9a-fA-F]{${digits}}`)
  const one = [`[^${inClass(quote)}\\\\\\x00-\\x1f]`, `\\\\[${[...escapes].map(inClass).join('')}]`, ...numbered].join(
    '|',
  )
  return `/${literal(open.text)}(?:${one})*${literal(close.text)}/${butMarkers(inside.without)}`
}

/** A text without markers as a terminal. */
function textOf({ without, notFirst, skipsSpace, notLast, min, max }: Free): string {
  const some = (characters: readonly string[]) => `[${characters.map(inClass).join('')}]`
  return [
    min === 0 && max === undefined ? '/(?s:.*)/' : `/(?s:.{${min},${max ?? ''}})/`,
    ...(notFirst.length === 0 ? [] : [` & ~/${skipsSpace ? '[ \\t\\n\\r]*' : ''}${some(notFirst)}(?s:.*)/`]),
    ...(notLast.length === 0 ? [] : [` & ~/(?s:.*)${some(notLast)}/`]),
    butMarkers(without),
  ].join('')
}

const butMarkers = (markers: readonly string[]) =>
  markers.length === 0 ? '' : ` & ~/(?s:.*)(?:${markers.map(literal).join('|')})(?s:.*)/`

/** A regular tree as a regular expression. */
function regexOf(tree: Tree): string {
  switch (tree.kind) {
    case 'text':
      return literal(tree.text)
    case 'all':
      return tree.of.map(regexOf).join('')
    case 'any':
      return `(?:${tree.of.map(regexOf).join('|')})`
    case 'many':
      return `(?:${regexOf(tree.of)})${times(tree.min, tree.max)}`
    case 'several':
      return `${regexOf(tree.of)}(?:${regexOf(tree.join)}${regexOf(tree.of)})*`
    case 'chars':
      return classOf(tree, '(?s:.)', inClass)
    case 'rule':
      return regexOf(tree.of())
    default:
      return ''
  }
}

const quoted = (of: string) => JSON.stringify(of)
const literal = (of: string) => of.replaceAll(/[.*+?^${}()|[\]\\/]|[\0-\x1f\x7f]/g, escaped)
const inClass = (of: string) => of.replaceAll(/[-^[\]\\/&~]|[\0-\x1f\x7f]/g, escaped)

function escaped(character: string): string {
  return /[\0-\x1f\x7f]/.test(character)
    ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
    : `\\${character}`
}
