// The document as a live tree.

import { put } from '../own.js'
import { knownKey } from './keys.js'
import { type PathStyle, type Step, pathSegment, wildcardSegment } from '../json/path.js'
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
  /** Elements so far. */
  count = 0
  /** What stood in its place before, if a key came twice. */
  replacement: Replacement | undefined
  /** The wildcard path of its elements, once there is one. */
  within: string | undefined

  constructor(
    readonly parent: Node | undefined,
    readonly step: Step,
    readonly path: string,
    readonly wildcardPath: string,
    /** Whether an index is in the path. */
    readonly isIndexed: boolean,
    public value: JsonValue,
  ) {}

  /** The indexes in the path, from the outermost. No node keeps them: a document may be deep. */
  get indexes(): readonly number[] {
    const indexes: number[] = []
    if (!this.isIndexed) return indexes
    for (let node: Node | undefined = this; node !== undefined; node = node.parent)
      if (typeof node.step === 'number') indexes.push(node.step)
    return indexes.reverse()
  }
}

/** An object or an array. */
export type Container = JsonValue[] | { [key: string]: JsonValue }

/** The tree of what is being read, which may turn out not to be a document. */
export class Tree<Kind extends Node> {
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
      ...rest: [step: Step, path: string, wildcardPath: string, isIndexed: boolean, value: JsonValue]
    ) => Kind,
  ) {}

  /** The start of another document. */
  clear(): void {
    this.root = this.at = this.leaf = undefined
  }

  /** A value begins at the place. It isn't in the tree yet. */
  begin(value: JsonValue): Kind {
    const { at: parent } = this
    if (parent === undefined) return (this.root = new this.kind(undefined, '', '', '', false, value))
    return this.child(parent, Array.isArray(parent.value) ? parent.count++ : this.key, value)
  }

  /** A value in a container. */
  protected child(parent: Kind, step: Step, value: JsonValue): Kind {
    const { pathStyle: style, kind: Kind } = this
    const isFirst = parent.parent === undefined
    if (typeof step === 'number') {
      const path = parent.path + pathSegment(style, step, isFirst)
      parent.within ??= parent.wildcardPath + wildcardSegment(style, step, isFirst)
      return new Kind(parent, step, path, parent.within, true, value)
    }
    const known = knownKey(style, step)
    const segment = known === undefined ? pathSegment(style, step, isFirst) : isFirst ? known.first : known.further
    const path = parent.path + segment
    const { isIndexed } = parent
    const wildcardPath = isIndexed ? parent.wildcardPath + segment : path
    return new Kind(parent, known?.text ?? step, path, wildcardPath, isIndexed, value)
  }
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
