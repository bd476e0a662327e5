// What `completion: 'order'` knows of a document and of each value in it.

import { type Step, dotSegment } from '../json/path.js'
import { type OrderList, type Place, PresentPaths, hasHalves } from './present.js'
import { Node, isContainer } from './tree.js'
import type { JsonValue } from './types.js'

/** What is true of a node or not. */
export const enum Mark {
  Closed = 1,
  /** A duplicate key replaced it, or a container around it. */
  Gone = 2,
  Done = 4,
  /** It is among the written. */
  Written = 8,
  /** Emitted as done, or inside of such, while it could still change. */
  Frozen = 16,
  /** Its own value was emitted at its path. */
  Emitted = 32,
}

/** What is known of a document. */
export class Progress {
  readonly present: PresentPaths
  /** Nodes that may be done at the next evaluation: those that are new, or changed at the last. */
  watched: OrderNode[] = []
  /** Nodes that can't be done before the furthest path changes. */
  parked: OrderNode[] = []
  parkedAt = -1
  /** Leaves that can't be done before a path comes that is longer or later than all others. */
  last: OrderNode[] = []
  lastAt = -1
  /** Values that were written since the last evaluation; the containers around them are not among them. */
  written: OrderNode[] = []
  /** Paths that were done, though their values are gone. */
  readonly donePaths = new Set<string>()

  constructor(order: OrderList) {
    this.present = new PresentPaths(order)
  }

  /** A value was written. */
  write(node: OrderNode): void {
    if (node.is(Mark.Written)) return
    node.mark(Mark.Written)
    if (this.written.length === 0) this.written = [node]
    else this.written.push(node)
  }

  /** Whether a value is done, or another was at its path. */
  isDone(node: OrderNode): boolean {
    return node.is(Mark.Done) || (this.donePaths.size > 0 && this.donePaths.has(node.path))
  }

  /** A value is gone, and another may come at its path. */
  forget(node: OrderNode): void {
    node.mark(Mark.Gone)
    if (node.is(Mark.Done)) this.donePaths.add(node.path)
  }
}

/** A value, and what was emitted of it. */
export class OrderNode extends Node implements Place {
  declare readonly parent: OrderNode | undefined
  declare progress: Progress
  /** The evaluation in which it, or something in it, last changed. */
  changedAt = 0
  /** Bits: there are many nodes. */
  private marks = 0
  /** During an evaluation: what is new of it. */
  delta: JsonValue | undefined
  /** The index of its path in the schema, or -1. */
  index = -1
  /** Whether its path has surrogates. */
  readonly hasHalf: boolean
  /** The value that was emitted at its path. */
  emitted: JsonValue | undefined
  /** The text of a string that is not in the tree yet. */
  fresh = ''
  readonly children: OrderNode[] = []
  /** The children by their keys, once a key came twice. */
  byKey: Map<Step, OrderNode> | undefined
  /** The evaluation in which it is seen first. */
  beganAt = 0
  /** What stood at its path in the evaluation before that. */
  before: OrderNode | undefined
  /** Its number among its siblings, in the order in which their keys first came. */
  number = 0
  /** Its path in dot style, by which paths are compared. */
  readonly dotPath: string

  constructor(
    parent: OrderNode | undefined,
    step: Step,
    path: string,
    wildcardPath: string,
    isIndexed: boolean,
    value: JsonValue,
  ) {
    super(parent, step, path, wildcardPath, isIndexed, value)
    // In dot style no path begins with a slash.
    const isDot =
      parent === undefined || (parent.parent === undefined ? !path.startsWith('/') : parent.dotPath === parent.path)
    this.dotPath = isDot ? path : parent.dotPath + dotSegment(step, parent.parent === undefined)
    this.hasHalf = parent?.hasHalf === true || (typeof step === 'string' && hasHalves(step))
  }

  is(mark: Mark): boolean {
    return (this.marks & mark) !== 0
  }

  mark(mark: Mark): void {
    this.marks |= mark
  }

  unmark(mark: Mark): void {
    this.marks &= ~mark
  }

  /** The child at a step. */
  child(step: Step): OrderNode | undefined {
    if (typeof step === 'number') return this.children[step]
    this.byKey ??= new Map(this.children.map((child) => [child.step, child]))
    return this.byKey.get(step)
  }

  /** Takes a child in, in place of the one that was there. */
  adopt(child: OrderNode, replaced: OrderNode | undefined): void {
    child.number = replaced?.number ?? this.children.length
    this.children[child.number] = child
    this.byKey?.set(child.step, child)
  }
}

/** Whether both are arrays, or both objects. */
export function isSameKind(a: OrderNode, b: OrderNode): boolean {
  return isContainer(a.value) && isContainer(b.value) && Array.isArray(a.value) === Array.isArray(b.value)
}

/** A value and all that is in it, containers after what is in them. */
export function* inOrder(root: OrderNode): Generator<OrderNode, void, undefined> {
  const open = [{ node: root, next: 0 }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.node.children[top.next++]
    if (child !== undefined) {
      open.push({ node: child, next: 0 })
    } else {
      open.pop()
      yield top.node
    }
  }
}

/** Orders two nodes of a document as their paths are ordered. */
export function compare(a: OrderNode, b: OrderNode): number {
  let [left, right] = [a, b]
  const deeper = depthOf(a) - depthOf(b)
  for (let more = deeper; more > 0; more--) left = left.parent as OrderNode
  for (let more = -deeper; more > 0; more--) right = right.parent as OrderNode
  if (left === right) return -deeper
  while (left.parent !== right.parent) [left, right] = [left.parent as OrderNode, right.parent as OrderNode]
  return left.number - right.number
}

function depthOf(node: OrderNode): number {
  let depth = 0
  for (let each = node.parent; each !== undefined; each = each.parent) depth++
  return depth
}
