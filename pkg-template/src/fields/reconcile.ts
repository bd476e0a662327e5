// The document becomes a value that the program knows to be the whole one.
//
// Source: Agently 4.1.4's `flush_final_data`; facts/peers-today.md, 3. All that is new is a delta, in the order of the
// value; then what was not done is done, children before their parents. What the value leaves out goes without an
// event.

import { type PathStyle, type Step, pathSegment } from '../json/path.js'
import { type Container, Node, Tree, copyOf, isContainer } from './tree.js'
import type { CompletionSource, JsonValue } from './types.js'

/** Emits what is new. */
export interface Reconciler {
  /** Puts the new document in the place of the old one. */
  replace(document: Node): void
  delta(node: Node, delta: JsonValue, isReplaced: boolean): void
  done(node: Node, source: CompletionSource): void
}

/** The paths that were done when the document became another value. */
export class DonePaths {
  readonly paths = new Set<string>()

  /** Adds the paths of a value and of all in it, but for `open`, the nodes that are not done. */
  add(document: Node, open: readonly Node[], style: PathStyle): void {
    const isOpen = new Set(open.map(({ path }) => path))
    const isRoot = !isContainer(document.value)
    if (isRoot && !isOpen.has('')) this.paths.add('')
    const waiting: Array<readonly [path: string, value: JsonValue, isFirst: boolean]> = [['', document.value, true]]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [path, value, isFirst] = next
      if (!isContainer(value)) continue
      const isArray = Array.isArray(value)
      for (const [key, child] of Object.entries(value)) {
        const at = path + pathSegment(style, isArray ? Number(key) : key, isFirst)
        if (!isOpen.has(at)) this.paths.add(at)
        waiting.push([at, child, false])
      }
    }
  }
}

/** Makes the document be a value. */
export function reconcile(
  before: Node | undefined,
  final: JsonValue,
  done: Set<string>,
  style: PathStyle,
  source: CompletionSource,
  to: Reconciler,
): void {
  const tree = new Tree<Node>(style, Node)
  const root = tree.begin(copyOf(final))
  to.replace(root)
  const nodes: Node[] = []
  // Not recursive: the value may be deeper than the stack. The last one first, so that they come in their order.
  const waiting: Array<readonly [node: Node, before: JsonValue | undefined]> = [[root, before?.value]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, was] = next
    const { value } = node
    // A root that is a container has no path, and so no event.
    if (node.parent !== undefined || !isContainer(value)) nodes.push(node)
    if (!isContainer(value)) {
      emitNew(node, value, was, to)
      continue
    }
    tree.at = node
    const children: Array<readonly [node: Node, before: JsonValue | undefined]> = []
    for (const [key, child] of Object.entries(value)) {
      tree.key = key
      const inner = tree.begin(child)
      children.push([inner, beforeIn(was, Array.isArray(value) ? Number(key) : key)])
    }
    waiting.push(...children.reverse())
  }
  for (const node of childrenFirst(nodes)) {
    if (done.has(node.path)) continue
    done.add(node.path)
    to.done(node, source)
  }
}

/** What was emitted at a step of a value. */
function beforeIn(was: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (!isContainer(was) || Array.isArray(was) !== (typeof step === 'number')) return undefined
  return Object.hasOwn(was, step) ? (was as { [key: Step]: JsonValue })[step] : undefined
}

/** Emits what is new of a value. */
function emitNew(node: Node, value: Exclude<JsonValue, Container>, was: JsonValue | undefined, to: Reconciler): void {
  if (typeof value === 'string' && typeof was === 'string' && value.startsWith(was)) {
    if (value !== was) to.delta(node, value.slice(was.length), false)
  } else if (was === undefined ? value !== '' : !Object.is(was, value) && was !== value) {
    to.delta(node, value, was !== undefined)
  }
}

/** Nodes in the order of their starts, with what is in each before it. */
function childrenFirst(nodes: readonly Node[]): Node[] {
  const ordered: Node[] = []
  const open: Node[] = []
  for (const node of nodes) {
    while (open.length > 0 && open.at(-1) !== node.parent) ordered.push(open.pop() as Node)
    open.push(node)
  }
  return [...ordered, ...open.reverse()]
}
