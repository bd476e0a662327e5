// A field is done when the schema's later fields have begun and its value stood
// still.
//
// Source: seeds/002, sections 3 to 5, as Agently 4.0.7 does it, which reads all
// of the text again at each chunk and compares. Here a chunk costs what is new in
// it: what the records say is put off until the text could be closed, and then
// those values are looked at that changed or may be done now.
//
// Differences: NaN is equal to itself; numbers are doubles, so a whole number
// beyond 2^53 is equal to its neighbours; a string whose end is held counts as
// changed; paths that a duplicate key took away count as present. Documents are
// found as everywhere here.

import { OrderList, PresentPaths } from './present.js'
import { type Step, dotSegment } from './path.js'
import { FieldTeller, type Spare } from './teller.js'
import { type Container, Node, isContainer, put } from './tree.js'
import type { Settings } from './options.js'
import type { CompletionSource, JsonValue } from './types.js'

/** A value, and what was told of it. */
class OrderNode extends Node {
  /** The evaluation in which it, or something in it, last changed. */
  changedAt = 0
  isClosed = false
  /** A duplicate key replaced it, or what it is in. */
  isGone = false
  /** Told as done, or inside of such, while it could still change. */
  isFrozen = false
  /** The value that was told at its path. */
  told: JsonValue | undefined
  /** Whether that was its own. */
  isToldItself = false
  /** Of a string: what is not in the tree yet. */
  fresh = ''
  readonly children: OrderNode[] = []
  /** Of an object in which a key came twice: the children by their keys. */
  byKey: Map<Step, OrderNode> | undefined
  /** The evaluation in which it is seen first. */
  beganAt = 0
  /** What stood at its path in the evaluation before that. */
  before: OrderNode | undefined
  /** Its number among its siblings, in the order in which their keys first came. */
  number = 0
  readonly depth: number
  /** Its path in dot style, by which paths are compared. */
  readonly dotPath: string

  constructor(readonly above: OrderNode | undefined, step: Step, path: string, wildcardPath: string, indexes: readonly number[], value: JsonValue) {
    super(above, step, path, wildcardPath, indexes, value)
    this.depth = above === undefined ? 0 : above.depth + 1
    this.dotPath = above === undefined ? '' : above.dotPath + dotSegment(step, above.parent === undefined)
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

/** What is known of a document. */
class Progress {
  readonly present: PresentPaths
  /** Nodes that may be done at any evaluation. */
  watched: OrderNode[] = []
  /** Nodes that can't be done before the furthest path changes. */
  parked: OrderNode[] = []
  parkedAt = -1
  /** Values that were written since the last evaluation; what they are in isn't among them. */
  readonly written = new Set<OrderNode>()
  readonly donePaths = new Set<string>()

  constructor(order: OrderList) {
    this.present = new PresentPaths(order)
  }
}

/** Tells fields by the schema's order. */
export class OrderFields extends FieldTeller {
  private readonly order: OrderList
  /** What the records said since the last evaluation. */
  private waiting: Array<() => void> = []
  /** Where in it the candidate begins that is not taken yet; -1 if there is none. */
  private candidateAt = -1
  /** The last key as it was read, which may be asked for before it is told. */
  private readKey = ''
  private isReadKeyOpen = false
  /** Of what is being read, of the document, and of what is the document if nothing better comes. */
  private reading: Progress
  private progress: Progress
  private spareProgress: Progress | undefined
  /** The number that may go on. */
  private number: OrderNode | undefined
  private evaluation = 1

  constructor(settings: Settings, order: readonly string[]) {
    super(settings)
    this.order = new OrderList(order)
    this.reading = this.progress = new Progress(this.order)
  }

  override reset(): void {
    super.reset()
    this.waiting = []
    this.candidateAt = -1
    this.isReadKeyOpen = false
    this.progress = this.reading
    this.spareProgress = undefined
  }

  // What the records say waits until the text could be closed.

  protected override candidate(at: number): void {
    this.candidateAt = this.waiting.length
    this.waiting.push(() => super.candidate(at))
  }

  protected override confirm(): void {
    this.candidateAt = -1
    this.waiting.push(() => {
      // Nothing of the candidate was told yet, and so nothing is withheld.
      this.withheld = undefined
      if (this.settings.multiple) this.doneAtEnd()
      super.confirm()
      this.progress = this.reading
    })
  }

  protected override drop(): void {
    // What was not taken is as if it had not been there.
    if (this.candidateAt === -1) this.waiting.push(() => super.drop())
    else this.waiting.length = this.candidateAt
    this.candidateAt = -1
  }

  protected override fallback(): void {
    this.candidateAt = -1
    this.waiting.push(() => {
      this.spareProgress = this.reading
      super.fallback()
    })
  }

  protected override end(): void {
    this.waiting.push(() => super.end())
  }

  protected override keyText(text: string, isLast: boolean): void {
    this.readKey = this.isReadKeyOpen ? this.readKey + text : text
    this.isReadKeyOpen = !isLast
    this.waiting.push(() => super.keyText(text, isLast))
  }

  protected override agrees(): boolean {
    const keys = this.settings.keys
    return keys === undefined || keys.has(this.readKey)
  }

  protected push(isArray: boolean): void {
    this.waiting.push(() => {
      this.at = this.begin(isArray ? [] : {})
    })
  }

  protected pop(): void {
    this.waiting.push(() => {
      const node = this.at as OrderNode
      node.isClosed = true
      this.at = node.parent
    })
  }

  protected text(text: string): void {
    this.waiting.push(() => {
      const node = (this.leaf ??= this.begin('')) as OrderNode
      if (text === '') return
      node.fresh += text
      this.reading.written.add(node)
    })
  }

  protected textEnd(): void {
    this.waiting.push(() => {
      ;(this.leaf as OrderNode).isClosed = true
      this.leaf = undefined
    })
  }

  protected scalar(value: number | boolean | null): void {
    this.waiting.push(() => {
      this.set(value).isClosed = true
      this.number = undefined
    })
  }

  protected cutNumber(value: number): void {
    this.waiting.push(() => {
      this.number = this.set(value)
    })
  }

  protected override stumble(): void {
    this.waiting.push(() => this.forgetNumber())
  }

  /** Faults aren't told: where the reference can't read it is silent. */
  protected override fault(fault: number): void {
    this.countFault(fault)
  }

  protected override plant(): void {
    super.plant()
    this.number = undefined
    this.reading = new Progress(this.order)
  }

  protected settle(held: number, isClosable: boolean): void {
    if (!isClosable) return
    this.catchUp()
    const rest = this.data.slice(held - this.offset)
    // Half an escape or half a pair of the open string is more of it, though not yet known.
    const isMore = this.leaf !== undefined && rest !== '' && !rest.startsWith('"')
    this.evaluate(isMore ? (this.leaf as OrderNode) : undefined)
  }

  /** What waits at the end of the stream was never whole, so the reference doesn't know of it. */
  protected override finish(): void {
    super.finish()
    if (this.document === undefined) this.catchUp()
    this.waiting = []
  }

  protected override closeDocument(): void {
    this.doneAtEnd()
  }

  protected override useSpare(spare: Spare): void {
    super.useSpare(spare)
    this.progress = this.spareProgress ?? this.progress
    this.evaluate()
  }

  /** Nothing is told of it before it is a document. */
  protected closeOpen(): void {}

  private catchUp(): void {
    const waiting = this.waiting
    if (waiting.length === 0) return
    this.waiting = []
    for (const step of waiting) step()
    if (this.candidateAt !== -1) this.candidateAt = 0
  }

  protected override nodeOf(parent: Node | undefined, step: Step, path: string, wildcardPath: string, indexes: readonly number[], value: JsonValue): OrderNode {
    return new OrderNode(parent as OrderNode | undefined, step, path, wildcardPath, indexes, value)
  }

  /** A value begins. */
  private begin(value: JsonValue): OrderNode {
    const node = this.enter(value) as OrderNode
    const parent = node.above
    node.beganAt = this.evaluation
    this.reading.written.add(node)
    if (parent === undefined) return node
    const isAgain = !Array.isArray(parent.value) && Object.hasOwn(parent.value as Container, node.step)
    const replaced = isAgain ? parent.child(node.step) : undefined
    node.before = replaced === undefined ? this.childBefore(parent, node.step) : this.asSeen(replaced)
    if (!isContainer(value)) node.told = node.before?.told
    if (replaced !== undefined) for (const gone of inOrder(replaced)) gone.isGone = true
    parent.adopt(node, replaced)
    this.place(node, value)
    const { present, watched } = this.reading
    present.add(node.dotPath)
    if (value !== null) watched.push(node)
    return node
  }

  /** What stood at a step of a container that was seen last, if nothing stands there now. */
  private childBefore(parent: OrderNode, step: Step): OrderNode | undefined {
    const before = this.asSeen(parent)
    if (before === parent || before === undefined) return undefined
    return isSameKind(before, parent) ? before.child(step) : undefined
  }

  /** What was seen last where a node stands now. */
  private asSeen(node: OrderNode): OrderNode | undefined {
    return node.beganAt === this.evaluation ? node.before : node
  }

  /** A number or a word, or more of a number. */
  private set(value: number | boolean | null): OrderNode {
    const open = this.number
    if (open === undefined) return this.begin(value)
    if (!isEqual(open.value, value)) {
      this.place(open, value)
      this.reading.written.add(open)
    }
    return open
  }

  /** What looked like a number is none. */
  private forgetNumber(): void {
    const node = this.number
    const parent = node?.above
    if (node === undefined || parent === undefined) return
    this.number = undefined
    this.reading.written.add(parent)
    this.thaw(parent)
    node.isGone = true
    parent.children.splice(node.number, 1)
    parent.byKey = undefined
    if (Array.isArray(parent.value)) parent.count = (parent.value.length -= 1)
    else delete (parent.value as { [key: string]: JsonValue })[node.step]
  }

  /** A value isn't what it was, and so nothing around it. */
  private change(node: OrderNode): void {
    for (let each: OrderNode | undefined = node; each !== undefined && each.changedAt !== this.evaluation; each = each.above) each.changedAt = this.evaluation
  }

  /** Whether a value is the one that was seen last at its path. */
  private isAsBefore(node: OrderNode): boolean {
    const before = node.beganAt === this.evaluation ? node.before : undefined
    if (before === undefined) return false
    if (!isContainer(node.value)) return isEqual(before.told, typeof node.value === 'string' ? node.value + node.fresh : node.value)
    if (!isSameKind(before, node)) return false
    // Each child is among the written, and compared for itself.
    return before.children.filter((child) => this.asSeen(child) !== undefined).length === node.children.length
  }

  /** Tells what is new since the last evaluation, in the order of the document. Of an open string more may be known to follow. */
  private evaluate(unfinished?: OrderNode): void {
    if (this.document === undefined) return
    const progress = this.progress
    // What came again may be the same.
    for (const node of progress.written) if (!node.isGone && !this.isAsBefore(node)) this.change(node)
    if (unfinished !== undefined) this.change(unfinished)
    const deltas = new Map<OrderNode, JsonValue>()
    for (const node of progress.written) {
      // Nothing asks for it any more, and it holds all that was there before.
      node.before = undefined
      const delta = node.isGone || isContainer(node.value) ? undefined : this.deltaOf(node)
      if (delta !== undefined) deltas.set(node, delta)
    }
    progress.written.clear()
    const nodes = [...deltas.keys(), ...this.findDone(progress)]
    if (nodes.length > 1) nodes.sort(compare)
    for (const node of nodes) {
      const delta = deltas.get(node)
      if (delta !== undefined) this.tellDelta(node, delta, 0, 0, false)
      else this.done(node, node.isClosed ? 'observed_boundary' : 'synthetic_repair')
    }
    this.evaluation++
  }

  /** What a leaf's value has that was not told, if it has. */
  private deltaOf(node: OrderNode): JsonValue | undefined {
    const { told, fresh, isToldItself } = node
    node.isToldItself = true
    if (typeof node.value !== 'string') {
      node.told = node.value
      return node.value === null || isEqual(told, node.value) ? undefined : node.value
    }
    const value = node.value + fresh
    node.fresh = ''
    this.place(node, value)
    node.told = value
    if (isToldItself) return fresh === '' ? undefined : fresh
    // With a duplicate key the old value may be the new one's front.
    const isMore = typeof told === 'string' && told !== '' && value.startsWith(told)
    const delta = isMore ? value.slice(told.length) : value
    return delta === '' || value === told ? undefined : delta
  }

  /** The values that are done now by the reference's rule, in no order. */
  private findDone(progress: Progress): OrderNode[] {
    const { present, donePaths } = progress
    const found: OrderNode[] = []
    const isFurther = present.furthest !== progress.parkedAt
    const candidates = isFurther ? [...progress.watched, ...progress.parked] : progress.watched
    const watched: OrderNode[] = []
    const parked = isFurther ? [] : progress.parked
    for (const node of candidates) {
      if (node.isGone || donePaths.has(node.path)) continue
      const isStill = node.changedAt !== this.evaluation
      const isLeaf = !isContainer(node.value)
      if (isStill && (isLeaf ? present.isBeforeAny(node.dotPath) : present.isBeforeFurthest(node.dotPath))) found.push(node)
      else if (isStill && !isLeaf) parked.push(node)
      else watched.push(node)
    }
    progress.watched = watched
    progress.parked = parked
    progress.parkedAt = present.furthest
    return found
  }

  private done(node: OrderNode, source: CompletionSource): void {
    this.progress.donePaths.add(node.path)
    this.tellDone(node, source)
    if (node.isClosed || !isContainer(node.value)) return
    // It may grow yet; what was told may not.
    for (let open = this.at as OrderNode | undefined; open !== undefined && open !== node.above; open = open.above) open.isFrozen = true
  }

  /** What is not done by the end is done there. */
  private doneAtEnd(): void {
    if (this.document === undefined) return
    for (const node of inOrder(this.document as OrderNode)) {
      if (node.above === undefined || this.progress.donePaths.has(node.path)) continue
      this.done(node, this.isWhole ? 'final_reconciliation' : node.isClosed ? 'observed_boundary' : 'synthetic_repair')
    }
  }

  protected override place(node: OrderNode, value: JsonValue): void {
    if (node.above !== undefined) this.thaw(node.above)
    super.place(node, value)
  }

  /** A container that was told as done goes on as a copy. */
  private thaw(node: OrderNode): void {
    const frozen: OrderNode[] = []
    for (let each: OrderNode | undefined = node; each !== undefined && each.isFrozen; each = each.above) frozen.push(each)
    for (const each of frozen.reverse()) {
      each.isFrozen = false
      super.place(each, shallowCopy(each.value as Container))
    }
  }
}

/** Whether both are lists, or both objects. */
function isSameKind(a: OrderNode, b: OrderNode): boolean {
  return isContainer(a.value) && isContainer(b.value) && Array.isArray(a.value) === Array.isArray(b.value)
}

/** Whether values count as equal: `true` is 1, as in Python; NaN is NaN, which it isn't there. */
function isEqual(a: JsonValue | undefined, b: JsonValue): boolean {
  const isPlain = (value: JsonValue | undefined) => typeof value === 'number' || typeof value === 'boolean'
  if (!isPlain(a) || !isPlain(b)) return a === b
  return Number(a) === Number(b) || (Number.isNaN(a) && Number.isNaN(b))
}

function shallowCopy(container: Container): Container {
  if (Array.isArray(container)) return container.slice()
  const copy = {}
  for (const [key, value] of Object.entries(container)) put(copy, key, value)
  return copy
}

/** A value and all that is in it, containers behind what is in them. */
function* inOrder(root: OrderNode): Generator<OrderNode, void, undefined> {
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

/** The same order, for two nodes of a document. */
function compare(a: OrderNode, b: OrderNode): number {
  let [left, right]: [OrderNode, OrderNode] = [a, b]
  while (left.depth > right.depth) left = left.above as OrderNode
  while (right.depth > left.depth) right = right.above as OrderNode
  if (left === right) return b.depth - a.depth
  while (left.above !== right.above) [left, right] = [left.above as OrderNode, right.above as OrderNode]
  return left.number - right.number
}
