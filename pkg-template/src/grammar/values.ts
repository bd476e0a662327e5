// The values of a schema, in a notation.

import { isRecord } from '../own.js'
import { type Keywords, othersOf, propertiesOf, requiredOf, typesOf, valuesOf } from '../schema/keywords.js'
import { GrammarError } from './grammar-error.js'
import type { HeldSchema } from './held-schema.js'
import { INTEGER, NUMBER, type Notation } from './notation.js'
import { NOTHING, type Tree, all, any, many, optional, rule, text } from './tree.js'

const ALL_KINDS = ['object', 'array', 'string', 'number', 'boolean', 'null']

/** Values of one tool. */
export class Values {
  readonly #rules = new Map<unknown, Tree>()
  readonly #any: Tree

  constructor(
    private readonly format: string,
    private readonly schema: HeldSchema,
    private readonly notation: Notation,
  ) {
    this.#any = rule('value', () => any(...ALL_KINDS.map((kind) => this.of({ type: kind }))))
  }

  /** A value of a part of the schema. */
  of(part: unknown): Tree {
    const { notation } = this
    if (!isRecord(part)) return this.#any
    const { $ref: reference, anyOf: ways } = part
    if (typeof reference === 'string') return this.#named(part, reference)
    if (Array.isArray(ways)) return this.#some(ways.map((way) => this.of(way)))
    const values = valuesOf(part)
    if (values !== undefined) return this.#some(values.map((value) => this.#literal(value)))
    const types = typesOf(part)
    if (types.length === 0) return this.#any
    if (types.length > 1) return this.#some(types.map((type) => this.of({ ...part, type })))
    switch (types[0]) {
      case 'string': {
        const { minLength = 0, maxLength } = part as { minLength?: number; maxLength?: number }
        return notation.string(minLength, maxLength)
      }
      case 'integer':
        return INTEGER
      case 'number':
        return NUMBER
      case 'boolean':
        return any(text(notation.words[0]), text(notation.words[1]))
      case 'null':
        return text(notation.words[2])
      case 'array':
        return rule('array', () => this.#array(part))
      default:
        return rule('object', () => this.object(part))
    }
  }

  /** An object, with its braces. */
  object(part: Keywords): Tree {
    const { edge } = this.notation
    const members = this.members(part)
    return all(text('{'), edge, members === NOTHING ? NOTHING : all(members, edge), text('}'))
  }

  /** The members of an object, in the schema's order. */
  members(part: Keywords): Tree {
    const { notation } = this
    const { members, others } = membersOf(part)
    return inOrder(
      members
        .filter(({ part: inner, isRequired }) => this.#mayBe(inner, isRequired))
        .map(({ name, part: inner, isRequired }) => ({
          tree: all(text(notation.key(name)), notation.colon, this.of(inner)),
          isRequired,
        })),
      others === false
        ? undefined
        : all(notation.otherKey(members.map(({ name }) => name)), notation.colon, this.of(others)),
      notation.comma,
    )
  }

  #array(part: Keywords): Tree {
    const { edge, comma } = this.notation
    const {
      items = {},
      minItems: min = 0,
      maxItems: max,
    } = part as { items?: unknown; minItems?: number; maxItems?: number }
    const open = all(text('['), edge)
    if (max === 0 || items === false) return all(open, text(']'))
    const item = this.of(items)
    const more = many(all(comma, item), Math.max(0, min - 1), max === undefined ? undefined : max - 1)
    const filled = all(item, more, edge)
    return all(open, min === 0 ? optional(filled) : filled, text(']'))
  }

  #literal(value: unknown): Tree | undefined {
    const { notation } = this
    const { edge, comma, colon } = notation
    if (typeof value === 'string') {
      const quoted = notation.quoted(value)
      return quoted === undefined ? undefined : text(quoted)
    }
    if (typeof value === 'boolean') return text(notation.words[value ? 0 : 1])
    if (value === null) return text(notation.words[2])
    if (!isRecord(value) && !Array.isArray(value)) return text(JSON.stringify(value))
    const parts = Object.entries(value).map(([key, inner]) => {
      const literal = this.#literal(inner)
      return literal === undefined || Array.isArray(value) ? literal : all(text(notation.key(key)), colon, literal)
    })
    if (parts.some((part) => part === undefined)) return undefined
    const inside = parts.flatMap((part, at) => (at === 0 ? [part as Tree] : [comma, part as Tree]))
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
    return all(text(open as string), edge, ...inside, parts.length === 0 ? NOTHING : edge, text(close as string))
  }

  #some(ways: ReadonlyArray<Tree | undefined>): Tree {
    const some = ways.filter((way) => way !== undefined)
    if (some.length === 0) throw new GrammarError(this.format, 'schema', 'no value of a part of it can be written')
    return any(...some)
  }

  /** Whether a property can be written; one that nothing fits is left out. */
  #mayBe(part: unknown, isRequired: boolean): boolean {
    if (part !== false) return true
    if (isRequired) throw new GrammarError(this.format, 'schema', 'a required property of it may not be there')
    return false
  }

  #named(part: unknown, reference: string): Tree {
    let named = this.#rules.get(reference)
    if (named === undefined)
      this.#rules.set(
        reference,
        (named = rule(reference.split('/').at(-1) ?? 'part', () => this.of(this.schema.resolve(part)))),
      )
    return named
  }
}

/** The properties of an object, and what it says of others: a schema, or false. */
export function membersOf(schema: Keywords) {
  const [properties, required] = [propertiesOf(schema), requiredOf(schema)]
  const members = Object.entries(properties ?? {}).map(([name, part]) => ({
    name,
    part,
    isRequired: required.includes(name),
  }))
  return { members, others: othersOf(schema) ?? (properties === undefined ? {} : false) }
}

/** A part of several, which must be there or may be. */
export interface Part {
  readonly tree: Tree
  readonly isRequired: boolean
}

/** Parts in their order with something between them, then any number of others. */
export function inOrder(parts: readonly Part[], others: Tree | undefined, comma: Tree, most?: number): Tree {
  if (comma === NOTHING || (comma.kind === 'text' && comma.text === ''))
    return all(
      ...parts.map(({ tree, isRequired }) => (isRequired ? tree : optional(tree))),
      others === undefined ? NOTHING : many(others, 0, most),
    )
  /** What may follow a part. */
  const tails: Tree[] = [others === undefined ? NOTHING : many(all(comma, others), 0, most)]
  for (const { tree, isRequired } of [...parts].reverse()) {
    const [next] = tails as [Tree]
    const after = isRequired ? all(comma, tree, next) : all(optional(all(comma, tree)), next)
    tails.unshift(rule('more', () => after))
  }
  /** What the first part may be. */
  let first: Tree =
    others === undefined
      ? NOTHING
      : optional(all(others, many(all(comma, others), 0, most === undefined ? undefined : most - 1)))
  for (const [at, { tree, isRequired }] of [...parts.entries()].reverse()) {
    const whole = all(tree, tails[at + 1] as Tree)
    first = isRequired ? whole : first === NOTHING ? optional(whole) : any(whole, first)
  }
  return first
}
