// What is known of a value before it comes: the one form into which schemas of
// all kinds are compiled, and what a parser asks of it.
//
// It is a graph, not a tree: a `$ref` leads back to the node that it names.

import { dotSegment } from './path.js'

/** A kind of JSON value. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

export const ALL_KINDS: ReadonlySet<JsonKind> = new Set(['object', 'array', 'string', 'number', 'boolean', 'null'])

/** What a value may be. Fields that say nothing are left out. */
export interface SchemaNode {
  /** Which kinds of value fit. */
  kinds: ReadonlySet<JsonKind>
  /** An object's fields, in their order. */
  fields?: ReadonlyMap<string, SchemaNode>
  /** Whether keys fit that are not in `fields`. */
  isOpen?: boolean
  /** What an array's elements may be. */
  items?: readonly SchemaNode[]
  /** What its first element may be, when that is not the same. */
  firstItems?: readonly SchemaNode[]
  /** Nodes that the value must fit too: `$ref`, `allOf`. */
  all?: readonly SchemaNode[]
  /** Of each group it must fit one: `anyOf`, `oneOf`. */
  groups?: ReadonlyArray<readonly SchemaNode[]>
}

/** What a document must look like to be taken. Where `keys` is undefined, any key fits. */
export type RootShape =
  | { readonly kind: 'any' }
  | { readonly kind: 'object'; readonly keys: ReadonlySet<string> | undefined }
  | {
      readonly kind: 'array'
      /** What an element is; `any` also where several kinds fit. */
      readonly item: 'any' | 'string' | 'number' | 'object'
      /** The keys of an element that is an object. */
      readonly keys: ReadonlySet<string> | undefined
      /** Whether an element may be `null` instead. */
      readonly isNullable: boolean
    }

/** What a node asks of the document. */
export function rootShape(node: SchemaNode): RootShape {
  const { kinds, keys, first } = summary(node)
  if (kinds.has('object') && kinds.has('array')) return { kind: 'any' }
  if (kinds.has('object')) return { kind: 'object', keys: told(keys) }
  if (!kinds.has('array')) return { kind: 'any' }
  const items = told(first)
  if (items === undefined) return { kind: 'array', item: 'any', keys: undefined, isNullable: true }
  const item = either([...items].map((item) => summary(item)), false)
  const [kind, ...others] = [...item.kinds].filter((kind) => kind !== 'null')
  const isOne = others.length === 0 && (kind === 'string' || kind === 'number' || kind === 'object')
  return { kind: 'array', item: isOne ? kind : 'any', keys: kind === 'object' && isOne ? told(item.keys) : undefined, isNullable: item.kinds.has('null') }
}

/** Which kinds of value a node allows, everything considered. */
export function kindsOf(node: SchemaNode): ReadonlySet<JsonKind> {
  return summary(node).kinds
}

/** A set of what fits; `open` when anything else fits too; undefined when nothing was said. */
type Said<T> = ReadonlySet<T> | 'open' | undefined

function told<T>(said: Said<T>): ReadonlySet<T> | undefined {
  return said === 'open' || said?.size === 0 ? undefined : said
}

/** A node with its `$ref`s, alternatives and so on taken together. */
interface Summary {
  readonly kinds: ReadonlySet<JsonKind>
  readonly keys: Said<string>
  readonly first: Said<SchemaNode>
}

/** `above` are the nodes that asked for this one: one of them says nothing new. */
function summary(node: SchemaNode, above: readonly SchemaNode[] = []): Summary {
  const within = [...above, node]
  const parts = (nodes: readonly SchemaNode[]) => nodes.filter((part) => !within.includes(part)).map((part) => summary(part, within))
  const first = node.firstItems ?? node.items
  let result: Summary = {
    kinds: node.kinds,
    keys: node.isOpen === true ? 'open' : node.fields && new Set(node.fields.keys()),
    first: first && new Set(first),
  }
  for (const part of parts(node.all ?? [])) result = both(result, part)
  for (const group of node.groups ?? []) {
    const alternatives = parts(group)
    if (alternatives.length > 0) result = both(result, either(alternatives, result.keys !== undefined || result.first !== undefined))
  }
  return result
}

function both(a: Summary, b: Summary): Summary {
  return { kinds: new Set([...a.kinds].filter((kind) => b.kinds.has(kind))), keys: bothSaid(a.keys, b.keys), first: bothSaid(a.first, b.first) }
}

/** Each may tell a part of the keys, so it is their union: `allOf` puts objects together. */
function bothSaid<T>(a: Said<T>, b: Said<T>): Said<T> {
  if (a === undefined || b === undefined) return a ?? b
  return a === 'open' || b === 'open' ? 'open' : new Set([...a, ...b])
}

/** `isSaid`: whether what stands beside the alternatives speaks, so that one of them may be silent. */
function either(parts: readonly Summary[], isSaid: boolean): Summary {
  const of = <T>(kind: JsonKind, said: (part: Summary) => Said<T>) => eitherSaid(parts.filter(({ kinds }) => kinds.has(kind)).map(said), isSaid)
  return { kinds: new Set(parts.flatMap(({ kinds }) => [...kinds])), keys: of('object', ({ keys }) => keys), first: of('array', ({ first }) => first) }
}

function eitherSaid<T>(parts: ReadonlyArray<Said<T>>, isSaid: boolean): Said<T> {
  if (parts.every((part) => part === undefined)) return undefined
  const union = new Set<T>()
  for (const part of parts) {
    if (part === 'open' || (part === undefined && !isSaid)) return 'open'
    for (const value of part ?? []) union.add(value)
  }
  return union
}

/** Beyond these a list of paths serves nobody, and references that cross could make it endless. */
const MOST_PATHS = 65_536
const MOST_NODES_DEEP = 2_048
const TOO_LARGE = `schema is too large for completion by order: it has more than ${MOST_PATHS} paths, or is more than ${MOST_NODES_DEEP} schemas deep`

/**
 * The wildcard paths of all that a node tells of, in dot style and in the order of
 * Agently 4.0.7's `extract_parsing_key_orders`: a container after what is in it,
 * the root, `''`, last; a path that comes twice stands where it came first.
 *
 * A `$ref` back to a node above is not followed. Keys that look like integers come
 * first in a JavaScript object, wherever they were written.
 */
export function keyOrder(node: SchemaNode): readonly string[] {
  const order = new Set<string>()
  const visit = (node: SchemaNode, path: string, above: readonly SchemaNode[]) => {
    if (order.size >= MOST_PATHS || above.length > MOST_NODES_DEEP) throw new TypeError(TOO_LARGE)
    if (!above.includes(node)) visitInside(node, path, [...above, node])
    order.add(path)
  }
  const visitInside = (node: SchemaNode, path: string, above: readonly SchemaNode[]) => {
    for (const [key, field] of node.fields ?? []) visit(field, path + dotSegment(key, path === ''), above)
    for (const item of node.items ?? []) visit(item, `${path}[*]`, above)
    for (const part of [...(node.all ?? []), ...(node.groups ?? []).flat()]) {
      if (!above.includes(part)) visitInside(part, path, [...above, part])
    }
  }
  visit(node, '', [])
  return [...order]
}
