// The document as a live tree, grown from records.

import type { FieldSession } from '../wasm/fields.js'
import { type PathStyle, type Step, pathSegment, wildcardSegment } from './path.js'
import { FieldReader } from './reader.js'
import type { JsonValue } from './types.js'

/** A value of the document, and where it stands. */
export class Node {
  /** Elements so far. */
  count = 0

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

/** Grows the tree. */
export abstract class FieldTree extends FieldReader {
  /** The root of what is being read, which may be no document yet. */
  protected root: Node | undefined
  /** The innermost open container. */
  protected at: Node | undefined
  /** The open string. */
  protected leaf: Node | undefined
  /** The key in front of the place. */
  protected key = ''
  private isKeyOpen = false

  protected constructor(
    session: FieldSession,
    private readonly pathStyle: PathStyle,
    private readonly keys: ReadonlySet<string> | undefined,
  ) {
    super(session)
  }

  /** In front of another document. */
  protected plant(): void {
    this.root = undefined
    this.at = undefined
    this.leaf = undefined
    this.isKeyOpen = false
  }

  protected keyText(text: string, isLast: boolean): void {
    this.key = this.isKeyOpen ? this.key + text : text
    this.isKeyOpen = !isLast
  }

  protected agrees(): boolean {
    return this.keys === undefined || this.keys.has(this.key)
  }

  /** A value begins at the place. It isn't in the tree yet. */
  protected enter(value: JsonValue): Node {
    const parent = this.at
    if (parent === undefined) {
      this.root = this.nodeOf(undefined, '', '', '', NO_INDEXES, value)
      return this.root
    }
    const style = this.pathStyle
    const isFirst = parent.parent === undefined
    if (Array.isArray(parent.value)) {
      const step = parent.count++
      const path = parent.path + pathSegment(style, step, isFirst)
      return this.nodeOf(parent, step, path, parent.wildcardPath + wildcardSegment(style, step, isFirst), [...parent.indexes, step], value)
    }
    const segment = pathSegment(style, this.key, isFirst)
    const path = parent.path + segment
    return this.nodeOf(parent, this.key, path, parent.indexes === NO_INDEXES ? path : parent.wildcardPath + segment, parent.indexes, value)
  }

  protected nodeOf(parent: Node | undefined, step: Step, path: string, wildcardPath: string, indexes: readonly number[], value: JsonValue): Node {
    return new Node(parent, step, path, wildcardPath, indexes, value)
  }

  /** Puts a value where its node stands. */
  protected place(node: Node, value: JsonValue): void {
    node.value = value
    const container = node.parent?.value as Container | undefined
    if (container !== undefined) put(container, node.step, value)
  }
}

/** Whether a value is an object or an array. */
export function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null
}

/** Puts a value into a container. `__proto__` is a key as any other. */
export function put(container: Container, step: Step, value: JsonValue): void {
  if (step === '__proto__') Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true })
  else (container as Record<Step, JsonValue>)[step] = value
}

/** A copy that shares nothing. Not recursive: a document may be deeper than the stack. */
export function copyOf(value: JsonValue): JsonValue {
  if (!isContainer(value)) return value
  const root: Container = Array.isArray(value) ? [] : {}
  const waiting: Array<readonly [from: Container, to: Container]> = [[value, root]]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [from, to] = pair
    for (const [key, child] of Object.entries(from)) {
      if (!isContainer(child)) {
        put(to, key, child)
        continue
      }
      const copy: Container = Array.isArray(child) ? [] : {}
      put(to, key, copy)
      waiting.push([child, copy])
    }
  }
  return root
}
