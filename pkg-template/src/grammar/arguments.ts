// The arguments of a tool, as a format writes them one by one: `write.param`, with text or a literal in it.
//
// A text is whatever stands between the markers; which type it has the reader knows by the schema, or by an attribute.
// So where a string may be, a number would be read as one, and only null and what has brackets can stand beside it.

import { Arguments, Unwritable } from '../formats/arguments.js'
import { templateParts } from '../formats/template.js'
import type { Format } from '../formats/types.js'
import { isRecord } from '../own.js'
import { typesOf, valuesOf } from '../schema/keywords.js'
import { withEnds } from './automaton.js'
import { GrammarError } from './grammar-error.js'
import type { HeldSchema } from './held-schema.js'
import { SPACES } from './markers.js'
import { valueMarkers } from './marks.js'
import { REFERENCES, braceNotation, jsonNotation, otherName, pythonNotation } from './notation.js'
import { NOTHING, type Tree, all, any, charsBut, free, many, rule, text } from './tree.js'
import { type Part, Values, inOrder, membersOf } from './values.js'

const CDATA = '<![CDATA['
const CDATA_END = ']]>'

/** One kind of value that an argument may be. */
interface Way {
  readonly kind: string
  readonly part: unknown
}

type Items = { readonly items?: unknown; readonly minItems?: number; readonly maxItems?: number }

/** The arguments of one tool. */
export class Params {
  readonly #format: Format
  readonly #schema: HeldSchema
  readonly #writer: Arguments
  readonly #values: Values
  /** The same in CDATA. */
  readonly #inCdata: Values
  readonly #without: readonly string[]
  readonly #inside = new Map<unknown, Tree | undefined>()

  constructor(format: Format, schema: HeldSchema) {
    this.#format = format
    this.#schema = schema
    this.#writer = new Arguments(format)
    this.#without = valueMarkers(format, schema.names)
    this.#values = this.#valuesWithout(this.#without)
    this.#inCdata = this.#valuesWithout(CDATA_ONLY)
  }

  /** `{params}`. */
  all(): Tree {
    const { write = {}, params, call } = this.#format
    const ways = this.#objects(this.#schema.root).map((object) => {
      const { members, others } = membersOf(object)
      const names = members.map(({ name }) => name)
      const isOpen = others !== false && call?.body !== 'elements' && (names.length === 0 || call?.body === 'brace')
      const other = isOpen
        ? this.#param(
            '',
            rule('key', () => otherName(names)),
            others,
            false,
          )
        : undefined
      // A call with one that comes twice is no call.
      const most = params?.duplicate === 'reject' ? 1 : undefined
      return inOrder(this.#parts(members), other, text(write.paramJoin ?? ''), most)
    })
    return any(...ways)
  }

  #parts(members: ReturnType<typeof membersOf>['members']): readonly Part[] {
    return members.flatMap(({ name, part, isRequired }) => {
      const tree = this.#param(name, text(this.#keyText(name)), part, isRequired)
      return tree === undefined ? [] : [{ tree, isRequired }]
    })
  }

  /** One argument; undefined if none of its values can be written, and it need not be there. */
  #param(name: string, key: Tree, part: unknown, isRequired: boolean): Tree | undefined {
    const template = this.#format.write?.param ?? ''
    const ways = this.#waysOf(name, part)
    if (ways.length === 0) {
      if (isRequired || part !== false) this.#refuse('types', `the argument ${JSON.stringify(name)} can't be read back`)
      return undefined
    }
    return any(
      ...ways.map(({ type, isString, value }) =>
        all(
          ...templateParts(template).map((piece) => {
            if (typeof piece === 'string') return text(piece)
            if (piece.word === 'key') return key
            if (piece.word === 'type') return text(type)
            return piece.word === 'string' ? text(String(isString)) : value
          }),
        ),
      ),
    )
  }

  /** The values of an argument, and what the template says of each. */
  #waysOf(
    name: string,
    part: unknown,
  ): Array<{ readonly type: string; readonly isString: boolean; readonly value: Tree }> {
    const { call, typing, write } = this.#format
    if (call?.body === 'python' || (call?.body === 'brace' && call.texts !== true))
      return part === false
        ? []
        : [{ type: '', isString: false, value: rule('value', () => this.#values.of(part), true) }]
    const words = new Set(
      templateParts(write?.param ?? '').flatMap((piece) => (typeof piece === 'string' ? [] : [piece.word])),
    )
    const ways = this.#kinds(part, 0)
    const isAttribute = typing === 'attribute' && (words.has('string') || words.has('type'))
    if (!isAttribute) {
      const value = this.#untold(name, ways)
      return value === undefined ? [] : [{ type: '', isString: false, value }]
    }
    const each = ways.flatMap((way) =>
      way.kind === 'any' ? ALL_KINDS.map((kind) => ({ kind, part: { type: kind } })) : [way],
    )
    const strings = each.filter(({ kind }) => kind === 'string')
    const others = each.filter(({ kind }) => kind !== 'string')
    const typed = words.has('type') ? others.map((way) => [way]) : others.length === 0 ? [] : [others]
    return [
      ...(strings.length === 0 ? [] : [{ type: 'string', isString: true, value: this.#text(name, strings, '') }]),
      ...typed.map((some) => ({ type: typeName(some[0]?.kind), isString: false, value: this.#literal(some) })),
    ]
  }

  /** A value whose type only the schema says. */
  #untold(name: string, ways: readonly Way[]): Tree | undefined {
    const { typing, call, repairs } = this.#format
    const kinds = new Set(ways.map(({ kind }) => kind))
    const strings = ways.filter(({ kind }) => kind === 'string' || kind === 'any')
    const isElement = call?.body === 'elements'
    if (typing === 'string') return strings.length === 0 ? undefined : this.#text(name, strings, '')
    // Where nothing is said, a text is a string.
    if (kinds.has('any')) return this.#text(name, [{ kind: 'string', part: {} }], '')
    if (strings.length === 0) {
      const some = isElement
        ? ways.flatMap((way) => this.#element(name, way) ?? [])
        : ways.length === 0
          ? []
          : [this.#literal(ways)]
      return some.length === 0 ? undefined : any(...some)
    }
    const brackets = (kinds.has('object') ? '{' : '') + (kinds.has('array') ? '[' : '')
    const others = ways.filter(
      ({ kind }) =>
        (!isElement && (kind === 'object' || kind === 'array')) ||
        (kind === 'null' && repairs?.includes('null-text') !== true),
    )
    return any(this.#text(name, strings, brackets), ...(others.length === 0 ? [] : [this.#literal(others)]))
  }

  /** Strings as they are. */
  #text(name: string, strings: readonly Way[], notFirst: string): Tree {
    const ways = strings.flatMap(({ part }): Tree[] => {
      const listed = isRecord(part) ? valuesOf(part) : undefined
      if (listed === undefined) return [this.#anyText(part, notFirst)]
      return listed.flatMap((value) => {
        const written = this.#written(name, value)
        return written === undefined || (notFirst !== '' && notFirst.includes(written.trimStart().charAt(0)))
          ? []
          : [text(written)]
      })
    })
    if (ways.length === 0) this.#refuse('markers', `no text of the argument ${JSON.stringify(name)} can be written`)
    return rule('text', () => any(...ways), true)
  }

  #anyText(part: unknown, brackets: string): Tree {
    const { minLength: min = 0, maxLength: max } = (isRecord(part) ? part : {}) as {
      minLength?: number
      maxLength?: number
    }
    const { cdata = false, entities = false, trim = 'none' } = this.#format.params ?? {}
    // What a reader leaves out at the ends doesn't count.
    const isCut = min > 0 && trim !== 'none'
    const edge = isCut && trim !== 'line' ? SPACES : []
    const notLast = isCut && trim === 'line' ? ['\r'] : edge
    const length = { min, max, notFirst: [...brackets, ...edge], notLast, skipsSpace: brackets !== '' && !isCut }
    // In CDATA nothing is left out.
    const section = all(text(CDATA), free([CDATA_END], { min, max, skipsSpace: false }), text(CDATA_END))
    const inCdata = rule('cdata', () => (min === 0 && max === undefined ? many(section, 1) : section))
    const character = (...but: readonly string[]) =>
      any(charsBut('<', '>', '&', ...(cdata ? ['\n'] : []), ...but), ...REFERENCES.map(text))
    const plain = entities ? withEnds(character, length) : free(this.#without, length)
    return this.#format.call?.body === 'brace' ? plain : any(plain, inCdata)
  }

  /** What is no string, as a literal. */
  #literal(ways: readonly Way[]): Tree {
    const { cdata = false } = this.#format.params ?? {}
    const plain = ways.map(({ part }) => this.#values.of(part))
    const inside = cdata ? ways.map(({ part }) => all(text(CDATA), this.#inCdata.of(part), text(CDATA_END))) : []
    return rule('literal', () => any(...plain, ...inside))
  }

  /** What is no string, in elements; undefined if it can't be written. */
  #element(name: string, { kind, part }: Way): Tree | undefined {
    if (kind !== 'array' && kind !== 'object') return this.#literal([{ kind, part }])
    if (!isRecord(part) || 'enum' in part || 'const' in part) return undefined
    let made: Tree | undefined
    // One that stands in itself leads to itself.
    if (!this.#inside.has(part)) {
      this.#inside.set(
        part,
        rule(name, () => made ?? NOTHING),
      )
      made = kind === 'array' ? this.#items(part) : this.#members(part)
      if (made === undefined) this.#inside.set(part, undefined)
    }
    return this.#inside.get(part)
  }

  #items({ items = {}, minItems: min = 0, maxItems: max }: Items): Tree | undefined {
    const item = this.#param('item', text('item'), items, false)
    return item === undefined ? (min === 0 ? NOTHING : undefined) : many(item, min, max)
  }

  /** Without a member it would be a text. */
  #members(part: Readonly<Record<string, unknown>>): Tree | undefined {
    const parts = this.#parts(membersOf(part).members)
    return parts.length === 0 ? undefined : filled(parts)
  }

  /** The kinds of a part; `any`, where nothing is said. */
  #kinds(part: unknown, depth: number): readonly Way[] {
    if (depth > 64) this.#refuse('schema', 'an argument refers to itself')
    const { write } = this.#format
    if (part === false) return []
    if (!isRecord(part)) return [{ kind: 'any', part: {} }]
    if (typeof part['$ref'] === 'string') return this.#kinds(this.#schema.resolve(part), depth + 1)
    const { anyOf: ways } = part
    if (Array.isArray(ways)) return ways.flatMap((way) => this.#kinds(way, depth + 1))
    const values = valuesOf(part)
    const types = typesOf(part)
    const kinds =
      values !== undefined
        ? [...new Set(values.map(kindOf))].map((kind) => ({
            kind,
            part: { enum: values.filter((value) => kindOf(value) === kind) },
          }))
        : types.length === 0
          ? [{ kind: 'any', part: {} }]
          : types.map((type) => ({ kind: String(type), part: types.length === 1 ? part : { ...part, type } }))
    return kinds.filter(({ kind }) => kind !== 'null' || write?.limits?.includes('arguments that are null') !== true)
  }

  /** The objects that the arguments may be. */
  #objects(part: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> {
    return this.#kinds(part, 0).map((way) => way.part as Readonly<Record<string, unknown>>)
  }

  #written(name: string, value: unknown): string | undefined {
    try {
      return this.#writer.inBody(name, value, name)
    } catch (error) {
      if (error instanceof Unwritable) return undefined
      throw error
    }
  }

  #keyText(name: string): string {
    try {
      return this.#writer.keyText(name, `input.${name}`)
    } catch (error) {
      if (error instanceof Unwritable) this.#refuse('names', `it ${error.message}`)
      throw error
    }
  }

  #valuesWithout(without: readonly string[]): Values {
    const { id, call, write, params } = this.#format
    const isPython = write?.values === 'python' || (write?.values === undefined && call?.body === 'python')
    const markers = params?.entities === true && without !== CDATA_ONLY ? ['<', '>', '&'] : without
    const notation =
      call?.body === 'brace' && call.texts !== true
        ? braceNotation(call.quote ?? '', without)
        : isPython
          ? pythonNotation(call?.body === 'python' ? [] : markers)
          : jsonNotation(write?.json ?? 'spaced', markers)
    return new Values(id, this.#schema, notation)
  }

  #refuse(feature: string, why: string): never {
    throw new GrammarError(this.#format.id, feature, why)
  }
}

const CDATA_ONLY: readonly string[] = [CDATA_END]
const ALL_KINDS = ['string', 'number', 'boolean', 'null', 'array', 'object']

/** Parts in their order, at least one of them. */
function filled(parts: readonly Part[]): Tree {
  if (parts.some(({ isRequired }) => isRequired)) return inOrder(parts, undefined, text(''))
  return any(...parts.map(({ tree }, at) => all(tree, inOrder(parts.slice(at + 1), undefined, text('')))))
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** JSON's name of a type. */
function typeName(kind: string | undefined): string {
  return kind === 'integer' ? 'number' : (kind ?? '')
}
