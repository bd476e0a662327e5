// The document as a live tree.

import { put } from '../own.js'
import { knownKey } from './keys.js'
import { type PathStyle, type Step, pathSegment, wildcardSegment } from '../json/path.js'
import { type Check, count, either, flag, instance, list, maybe, set, shape, text, value } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { JsonValue } from './types.js'

/** What was where a value is now. */
export interface Replacement {
  readonly old: JsonValue | undefined
  /** Whether the path was done before. */
  readonly wasDone: boolean
  /** Whether it is another value, as far as is known. */
  isChanged: boolean
  /** Members or elements so far. */
  size: number
}

/** A value of the document, and its place. */
export class Node {
  static get saved(): SavedClass {
    return {
      skips: ['within'],
      fields: {
        count,
        lost: maybe(set(text)),
        replacement: maybe(shape<Replacement>({ old: value, wasDone: flag, isChanged: flag, size: count })),
        parent: (parent) => parent === undefined || parent instanceof Node,
        step: either(text, count),
        path: text,
        wildcardPath: text,
        indexes: list(count),
        value,
      },
    }
  }

  /** Elements so far. */
  count = 0
  /** What stood in its place before, if a key came twice. */
  replacement: Replacement | undefined
  /** If a snapshot left out something of it: the keys of what it had. */
  lost: ReadonlySet<string> | undefined
  /** The wildcard path of its elements, once there is one. */
  within: string | undefined

  constructor(
    readonly parent: Node | undefined,
    readonly step: Step,
    readonly path: string,
    readonly wildcardPath: string,
    readonly indexes: readonly number[],
    public value: JsonValue,
  ) {}
}

/** An object or an array. */
export type Container = JsonValue[] | { [key: string]: JsonValue }

const NO_INDEXES: readonly number[] = []

/** The tree of what is being read, which may turn out not to be a document. */
export class Tree<Kind extends Node> {
  static get saved(): SavedClass {
    return {
      skips: ['pathStyle', 'kind'],
      fields: { root: maybe(instance(Node)), at: maybe(instance(Node)), leaf: maybe(instance(Node)) },
    }
  }
  root: Kind | undefined
  /** The innermost open container. */
  at: Kind | undefined
  /** The open string. */
  leaf: Kind | undefined
  /** The key before the place. */
  key = ''

  constructor(
    private readonly pathStyle: PathStyle,
    protected readonly kind: new (
      parent: Kind | undefined,
      ...rest: [step: Step, path: string, wildcardPath: string, indexes: readonly number[], value: JsonValue]
    ) => Kind,
  ) {}

  /** The start of another document. */
  clear(): void {
    this.root = this.at = this.leaf = undefined
  }

  /** A value begins at the place. It isn't in the tree yet. */
  begin(value: JsonValue): Kind {
    const { at: parent } = this
    if (parent === undefined) return (this.root = new this.kind(undefined, '', '', '', NO_INDEXES, value))
    return this.child(parent, Array.isArray(parent.value) ? parent.count++ : this.key, value)
  }

  /** A value in a container. */
  protected child(parent: Kind, step: Step, value: JsonValue): Kind {
    const { pathStyle: style, kind: Kind } = this
    const isFirst = parent.parent === undefined
    if (typeof step === 'number') {
      const path = parent.path + pathSegment(style, step, isFirst)
      parent.within ??= parent.wildcardPath + wildcardSegment(style, step, isFirst)
      return new Kind(parent, step, path, parent.within, parent.indexes.concat(step), value)
    }
    const known = knownKey(style, step)
    const segment = known === undefined ? pathSegment(style, step, isFirst) : isFirst ? known.first : known.further
    const path = parent.path + segment
    return new Kind(
      parent,
      known?.text ?? step,
      path,
      parent.indexes === NO_INDEXES ? path : parent.wildcardPath + segment,
      parent.indexes,
      value,
    )
  }
}

/** What a snapshot has of a node that is open: its path follows from those above it, and its value stands in theirs. */
type Open = readonly [
  step: Step,
  count: number,
  replacement: Replacement | undefined,
  lost: ReadonlySet<string> | undefined,
]

const NODE = Node.saved.fields as Readonly<Record<keyof Node, Check>>
const OPEN: Check = (open) =>
  Array.isArray(open) &&
  open.length === 4 &&
  NODE.step(open[0]) &&
  NODE.count(open[1]) &&
  NODE.replacement(open[2]) &&
  NODE.lost(open[3])

/**
 * A tree of nodes that are not compared: a snapshot has the root, and of the open ones only what doesn't follow from
 * it.
 */
export class OpenTree extends Tree<Node> {
  static override get saved(): SavedClass {
    return {
      skips: ['pathStyle', 'kind', 'at', 'leaf'],
      fields: { root: maybe(instance(Node)), open: maybe(list(OPEN)) },
      tidy: (tree: OpenTree) => tree.list(),
      isSound: (tree: OpenTree) => tree.unlist(),
    }
  }
  /** In a snapshot: what is open in the root, if it is open itself; and whether the last is a string. */
  private open: Open[] | undefined
  private isString = false

  private list(): void {
    const { at, leaf } = this
    this.isString = leaf !== undefined
    this.open = at === undefined && leaf === undefined ? undefined : []
    for (let node = leaf ?? at; node?.parent !== undefined; node = node.parent)
      this.open?.push([node.step, node.count, node.replacement, node.lost])
    this.open?.reverse()
  }

  /** Makes the nodes that were listed; false if they don't fit together. */
  private unlist(): boolean {
    const { open, isString } = this
    this.open = undefined
    this.isString = false
    if (open === undefined) return true
    let node = this.root
    if (node === undefined) return false
    for (const [at, [step, count, replacement, lost]] of open.entries()) {
      const above: JsonValue = node.value
      if (!isContainer(above) || Array.isArray(above) !== (typeof step === 'number')) return false
      const isLeaf = isString && at === open.length - 1
      // A string that replaces another value stands nowhere yet.
      const value: JsonValue | undefined =
        isLeaf && replacement?.wasDone === true
          ? ''
          : Object.hasOwn(above, step)
            ? (above as { [key: Step]: JsonValue })[step]
            : undefined
      if (isLeaf ? typeof value !== 'string' : !isContainer(value)) return false
      node = Object.assign(this.child(node, step, value as JsonValue), { count, replacement, lost })
    }
    this.leaf = isString ? node : undefined
    this.at = isString ? node.parent : node
    return isString ? typeof node.value === 'string' : isContainer(node.value)
  }
}

/**
 * The node without what came of its value, except the open child; `child` is that one, without what came of it.
 */
export function withoutText(node: Node, child: Node | undefined): Node {
  const { value } = node
  const empty = emptyOf(value)
  const bare: Node = Object.assign(Object.create(Object.getPrototypeOf(node) as object) as Node, node, { value: empty })
  if (!isContainer(value)) {
    if (value !== empty) bare.lost = new Set()
    return bare
  }
  const lost = new Set(node.lost)
  if (!Array.isArray(value)) for (const key of Object.keys(value)) if (key !== child?.step) lost.add(key)
  const hasLost =
    lost.size > 0 ||
    node.lost !== undefined ||
    child?.lost !== undefined ||
    (Array.isArray(value) && value.length > (child === undefined ? 0 : 1))
  bare.lost = hasLost ? lost : undefined
  if (child !== undefined) putIn(empty as Container, child.step, child.value)
  return bare
}

function emptyOf(value: JsonValue): JsonValue {
  if (!isContainer(value)) return typeof value === 'string' ? '' : value
  return Array.isArray(value) ? [] : {}
}

/** Puts a value where its node is. */
export function place(node: Node, value: JsonValue): void {
  node.value = value
  const { parent } = node
  if (parent !== undefined) putIn(parent.value as Container, node.step, value)
}

/** Whether a value is an object or an array. */
export function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null
}

/** Puts a value into a container. */
function putIn(container: Container, step: Step, value: JsonValue): void {
  put(container as Record<Step, JsonValue>, step as string, value)
}

/** A copy that shares nothing. Not recursive: a document may be deeper than the stack. */
export function copyOf<Value extends JsonValue | null | undefined>(value: Value): Value {
  if (!isContainer(value)) return value
  const root: Container = Array.isArray(value) ? [] : {}
  const waiting: Array<readonly [from: Container, to: Container]> = [[value, root]]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [from, to] = pair
    for (const [key, child] of Object.entries(from)) {
      const copy = !isContainer(child) ? child : Array.isArray(child) ? [] : {}
      putIn(to, key, copy)
      if (isContainer(child)) waiting.push([child, copy as Container])
    }
  }
  return root as Value
}
