// A field is done when the schema's later fields have begun and its value stood
// still.
//
// Source: seeds/002, sections 3 to 5, as Agently 4.0.7 does it, which reads all
// of the text again at each chunk and compares. Here a chunk costs what is new in
// it: delay.ts puts records off until the text could be closed, and then those
// values are looked at that changed or may be done now.
//
// Differences: NaN is equal to itself; numbers are doubles, so a whole number
// beyond 2^53 is equal to its neighbours; a string whose end is pending counts as
// changed; paths that a duplicate key took away count as present. Documents are
// found as everywhere here.

import { put } from '../own.js'
import type { StreamReader } from '../stream-reader.js'
import { isHighHalf } from '../surrogates.js'
import type { Completion, FieldEvents, Scalar } from './completion.js'
import type { Settings } from './options.js'
import { Mark, OrderNode, Progress, compare, inOrder, isSameKind } from './order-node.js'
import type { Step } from '../json/path.js'
import { OrderList } from './present.js'
import { type Container, Tree, isContainer, place } from './tree.js'
import type { CompletionSource, JsonValue } from './types.js'

/** Fields that are done by the schema's order. */
export class Order implements Completion {
  readonly tree: Tree<OrderNode>
  private readonly order: OrderList
  /** The number that may go on. */
  private number: OrderNode | undefined
  private evaluation = 1

  constructor(
    private readonly emitter: FieldEvents,
    settings: Settings,
    order: readonly string[],
  ) {
    this.tree = new Tree(settings.pathStyle, OrderNode)
    this.order = new OrderList(order)
  }

  start(): void {
    this.tree.clear()
    this.number = undefined
  }

  push(isArray: boolean): void {
    this.tree.at = this.begin(isArray ? [] : {})
  }

  pop(): void {
    const node = this.tree.at as OrderNode
    node.mark(Mark.Closed)
    this.tree.at = node.parent
  }

  text(text: string): void {
    const node = (this.tree.leaf ??= this.begin(''))
    if (text === '') return
    node.fresh += text
    node.progress.write(node)
  }

  plain(text: string): void {
    this.text(text)
  }

  wholeText(text: string): void {
    this.text(text)
    ;(this.tree.leaf as OrderNode).mark(Mark.Closed)
    this.tree.leaf = undefined
  }

  scalar(value: Scalar, _from: number, _to: number, isWhole: boolean): void {
    const node = this.set(value)
    if (isWhole) node.mark(Mark.Closed)
    this.number = isWhole ? undefined : node
  }

  /** What looked like a number is not one. */
  stumble(): void {
    const node = this.number
    const parent = node?.parent
    if (node === undefined || parent === undefined) return
    this.number = undefined
    node.progress.write(parent)
    thaw(parent)
    node.progress.forget(node)
    parent.children.splice(node.number, 1)
    parent.byKey = undefined
    if (Array.isArray(parent.value)) parent.count = parent.value.length -= 1
    else delete (parent.value as { [key: string]: JsonValue })[node.step]
  }

  settle(from: number, text: StreamReader): void {
    // Half a pair that nothing follows: it is settled at the end of the stream.
    if (isHighHalf(text.slice(text.end - 1, text.end).charCodeAt(0))) return
    // Half an escape or half a pair of the open string is more of it, though not yet known.
    const first = from < text.end ? text.slice(from, from + 1) : text.half
    const isMore = first !== '' && first !== '"'
    this.evaluate(isMore ? this.tree.leaf : undefined)
  }

  notDone(): readonly OrderNode[] {
    this.evaluate()
    const document = this.emitter.document as OrderNode | undefined
    return document === undefined ? [] : [...inOrder(document)].filter((node) => !node.progress.isDone(node))
  }

  get donePaths(): Iterable<string> {
    return (this.emitter.document as OrderNode | undefined)?.progress.donePaths ?? []
  }

  /** With `multiple` and at the end: what is not done is done now. */
  leave(): void {
    const { document, isWhole } = this.emitter
    if (document === undefined) return
    for (const node of inOrder(document as OrderNode)) {
      if (node.parent === undefined || node.progress.isDone(node)) continue
      this.done(
        node,
        isWhole ? 'final_reconciliation' : node.is(Mark.Closed) ? 'observed_boundary' : 'synthetic_repair',
      )
    }
  }

  finish(isSpare: boolean): void {
    if (isSpare) this.evaluate()
    this.leave()
  }

  /** A value begins. */
  private begin(value: JsonValue): OrderNode {
    const node = this.tree.begin(value)
    const { parent } = node
    const progress = (node.progress = parent?.progress ?? new Progress(this.order))
    node.beganAt = this.evaluation
    progress.write(node)
    if (parent === undefined) return node
    const isAgain = !Array.isArray(parent.value) && Object.hasOwn(parent.value as Container, node.step)
    const replaced = isAgain ? parent.child(node.step) : undefined
    node.before = replaced === undefined ? this.childBefore(parent, node.step) : this.asSeen(replaced)
    if (!isContainer(value)) node.emitted = node.before?.emitted
    if (replaced !== undefined) for (const gone of inOrder(replaced)) progress.forget(gone)
    parent.adopt(node, replaced)
    placeThawed(node, value)
    node.index = progress.present.indexOf(node.dotPath)
    progress.present.add(node)
    if (value !== null) progress.watched.push(node)
    return node
  }

  /** What was at a step of a container that was seen last, if nothing is there now. */
  private childBefore(parent: OrderNode, step: Step): OrderNode | undefined {
    const before = this.asSeen(parent)
    if (before === parent || before === undefined) return undefined
    return isSameKind(before, parent) ? before.child(step) : undefined
  }

  /** What was seen last where a node is now. */
  private asSeen(node: OrderNode): OrderNode | undefined {
    return node.beganAt === this.evaluation ? node.before : node
  }

  /** A number or a word, or more of a number. */
  private set(value: Scalar): OrderNode {
    const open = this.number
    if (open === undefined) return this.begin(value)
    if (!isEqual(open.value, value)) {
      placeThawed(open, value)
      open.progress.write(open)
    }
    return open
  }

  /** A value isn't what it was, and so nothing around it. */
  private change(node: OrderNode): void {
    for (
      let each: OrderNode | undefined = node;
      each !== undefined && each.changedAt !== this.evaluation;
      each = each.parent
    )
      each.changedAt = this.evaluation
  }

  /** Whether a value is the one that was seen last at its path. */
  private isAsBefore(node: OrderNode): boolean {
    const before = node.beganAt === this.evaluation ? node.before : undefined
    if (before === undefined) return false
    if (!isContainer(node.value))
      return isEqual(before.emitted, typeof node.value === 'string' ? node.value + node.fresh : node.value)
    if (!isSameKind(before, node)) return false
    // Each child is among the written, and compared for itself.
    return before.children.filter((child) => this.asSeen(child) !== undefined).length === node.children.length
  }

  /**
   * Emits what is new since the last evaluation, in the order of the document. An open string may be known to go on.
   */
  private evaluate(unfinished?: OrderNode): void {
    const document = this.emitter.document as OrderNode | undefined
    if (document === undefined) return
    const { progress } = document
    // What came again may be the same.
    for (const node of progress.written) if (!node.is(Mark.Gone) && !this.isAsBefore(node)) this.change(node)
    if (unfinished !== undefined) this.change(unfinished)
    const { written } = progress
    progress.written = []
    const nodes = new Found()
    for (const node of written) {
      node.unmark(Mark.Written)
      // Nothing asks for it any more, and it keeps all alive that was there before.
      node.before = undefined
      node.delta = node.is(Mark.Gone) || isContainer(node.value) ? undefined : this.deltaOf(node)
      if (node.delta !== undefined) nodes.add(node)
    }
    this.findDone(progress, nodes)
    for (const node of nodes.inOrder()) {
      const { delta } = node
      node.delta = undefined
      if (delta !== undefined) this.emitter.delta(node, delta, 0, 0)
      else this.done(node, node.is(Mark.Closed) ? 'observed_boundary' : 'synthetic_repair')
    }
    this.evaluation++
  }

  /** What a leaf's value has that was not emitted, if it has. */
  private deltaOf(node: OrderNode): JsonValue | undefined {
    const { emitted, fresh } = node
    const hasEmitted = node.is(Mark.Emitted)
    node.mark(Mark.Emitted)
    if (typeof node.value !== 'string') {
      node.emitted = node.value
      return node.value === null || isEqual(emitted, node.value) ? undefined : node.value
    }
    const value = node.value + fresh
    node.fresh = ''
    placeThawed(node, value)
    node.emitted = value
    if (hasEmitted) return fresh === '' ? undefined : fresh
    // With a duplicate key the new value may begin with the old one.
    const isMore = typeof emitted === 'string' && emitted !== '' && value.startsWith(emitted)
    const delta = isMore ? value.slice(emitted.length) : value
    return delta === '' || value === emitted ? undefined : delta
  }

  /** Adds the values that are done now by the reference's rule, in no order. */
  private findDone(progress: Progress, found: Found): void {
    const { present, watched, parked, last } = progress
    const isFurther = present.furthest !== progress.parkedAt
    const isMore = present.changes !== progress.lastAt
    progress.parkedAt = present.furthest
    progress.lastAt = present.changes
    // In their places, since at most chunks all of them stay.
    let kept = 0
    for (const node of watched) if (this.isWatched(node, progress, found)) watched[kept++] = node
    if (kept < watched.length) watched.length = kept
    if (isFurther && parked.length > 0) {
      progress.parked = []
      for (const node of parked) if (this.isWatched(node, progress, found)) watched.push(node)
    }
    if (isMore && last.length > 0) {
      progress.last = []
      for (const node of last) if (this.isWatched(node, progress, found)) watched.push(node)
    }
  }

  /**
   * Whether a value is looked at again at the next evaluation. If not, it is added as done, or put where it will be
   * looked at later.
   */
  private isWatched(node: OrderNode, progress: Progress, found: Found): boolean {
    if (node.is(Mark.Gone) || progress.isDone(node)) return false
    if (node.changedAt === this.evaluation) return true
    const { present } = progress
    const isLeaf = !isContainer(node.value)
    if (isLeaf ? present.isBeforeAny(node) : present.isBeforeFurthest(node)) found.add(node)
    else if (isLeaf) progress.last.push(node)
    else progress.parked.push(node)
    return false
  }

  private done(node: OrderNode, source: CompletionSource): void {
    node.mark(Mark.Done)
    this.emitter.done(node, source)
    if (node.is(Mark.Closed) || !isContainer(node.value)) return
    // It may grow yet; what was emitted may not.
    for (let open = this.tree.at; open !== undefined && open !== node.parent; open = open.parent) open.mark(Mark.Frozen)
  }
}

/** Nodes that have events at an evaluation: mostly one. */
class Found {
  private nodes: OrderNode[] | undefined

  add(node: OrderNode): void {
    if (this.nodes === undefined) this.nodes = [node]
    else this.nodes.push(node)
  }

  /** In the order of the document. */
  inOrder(): readonly OrderNode[] {
    const { nodes = NONE } = this
    return nodes.length > 1 ? (nodes as OrderNode[]).sort(compare) : nodes
  }
}

const NONE: readonly OrderNode[] = []

/** Whether values count as equal: `true` is 1, as in Python; NaN is NaN, which it isn't there. */
function isEqual(a: JsonValue | undefined, b: JsonValue): boolean {
  const isPlain = (value: JsonValue | undefined) => typeof value === 'number' || typeof value === 'boolean'
  if (!isPlain(a) || !isPlain(b)) return a === b
  return Number(a) === Number(b) || (Number.isNaN(a) && Number.isNaN(b))
}

function shallowCopy(container: Container): Container {
  if (Array.isArray(container)) return container.slice()
  const copy = {}
  for (const [key, value] of Object.entries(container)) put<JsonValue>(copy, key, value)
  return copy
}

/** Puts a value where its node is, in a container that may still change. */
function placeThawed(node: OrderNode, value: JsonValue): void {
  if (node.parent?.is(Mark.Frozen) === true) thaw(node.parent)
  place(node, value)
}

/** A container that was emitted as done goes on as a copy. */
function thaw(node: OrderNode): void {
  const frozen: OrderNode[] = []
  for (let each: OrderNode | undefined = node; each !== undefined && each.is(Mark.Frozen); each = each.parent)
    frozen.push(each)
  for (const each of frozen.reverse()) {
    each.unmark(Mark.Frozen)
    place(each, shallowCopy(each.value as Container))
  }
}
