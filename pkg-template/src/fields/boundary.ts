// A field is done when its own last character was read.
//
// Source: spec/field.md, "Two ways to tell done".

import { Joined } from '../joined.js'
import { FieldTeller } from './teller.js'
import { type Container, Node, isContainer } from './tree.js'
import { type PathStyle, type Step, pathSegment } from './path.js'
import type { Settings } from './options.js'
import type { CompletionSource, JsonValue } from './types.js'

/** Tells fields by their boundaries. */
export class BoundaryFields extends FieldTeller {
  /** Text of the open string, and what of it was not told yet. */
  private readonly string = new Joined()
  private fresh = ''
  private freshFrom = 0
  private freshTo = 0
  private pieces = 0
  /** Of no use but for what reading it does. */
  protected unit = 0

  // A duplicate key's value is not done twice. Paths below it that were done
  // before, and nodes at or below such keys with the value that they replace.
  private donePaths: Set<string> | undefined
  private replacing: Map<Node, JsonValue | undefined> | undefined

  constructor(settings: Settings) {
    super(settings)
  }

  protected override plant(): void {
    super.plant()
    this.string.clear()
    this.fresh = ''
    this.donePaths = this.replacing = undefined
  }

  protected push(isArray: boolean): void {
    const node = this.begin(isArray ? [] : {})
    this.place(node, node.value)
    this.at = node
  }

  protected pop(): void {
    const node = this.at as Node
    this.at = node.parent
    this.done(node, 'observed_boundary')
  }

  protected text(text: string, from: number, to: number): void {
    if (this.leaf === undefined) {
      this.leaf = this.begin('')
      this.string.clear()
      this.pieces = 0
      // The old value stands until the new one is known.
      if (!this.isReplacing(this.leaf)) this.place(this.leaf, '')
    }
    if (from === to) return
    if (this.settings.spans) {
      if (this.fresh !== '' && from !== this.freshTo) this.tellFresh()
      this.markValue(from, to)
    }
    if (this.fresh === '') this.freshFrom = from
    this.fresh += text
    this.freshTo = to
  }

  protected textEnd(): void {
    this.endText('observed_boundary')
  }

  private endText(source: CompletionSource): void {
    const node = this.leaf as Node
    if (this.isReplacing(node)) {
      this.string.add(this.fresh)
      this.fresh = ''
      this.replace(node, this.string.toString(), this.freshFrom, this.freshTo)
    } else {
      this.tellFresh()
      // Reading a character makes V8 copy a rope into a flat string: the tree keeps a fifth of the memory.
      if (this.pieces > 1) this.unit = (node.value as string).charCodeAt(0)
      this.done(node, source)
    }
    this.leaf = undefined
  }

  protected scalar(value: number | boolean | null, from: number, to: number): void {
    // At the end of the stream nothing shows that it is whole.
    this.leafValue(value, from, to, this.isAtEnd ? 'synthetic_repair' : 'observed_boundary')
  }

  protected cutNumber(value: number, from: number, to: number): void {
    this.leafValue(value, from, to, 'synthetic_repair')
  }

  protected override fault(fault: number, from: number, to: number): void {
    this.tellFresh()
    super.fault(fault, from, to)
  }

  protected settle(held: number): void {
    this.tellFresh()
    if (this.settings.spans) this.settleSpans(held)
  }

  protected close(): void {
    if (this.isWhole) return
    if (this.leaf !== undefined) this.endText('synthetic_repair')
    for (let node = this.at; node !== undefined; node = node.parent) this.done(node, 'synthetic_repair')
    this.at = undefined
  }

  private leafValue(value: number | boolean | null, from: number, to: number, source: CompletionSource): void {
    if (this.settings.spans) this.markValue(from, to)
    const node = this.begin(value)
    if (this.isReplacing(node)) {
      this.replace(node, value, from, to)
      return
    }
    this.place(node, value)
    this.tellDelta(node, value, from, to, false)
    this.done(node, source)
  }

  /** Tells what came of the open string. */
  private tellFresh(): void {
    const node = this.leaf
    const fresh = this.fresh
    if (fresh === '' || node === undefined) return
    this.fresh = ''
    this.string.add(fresh)
    this.pieces++
    if (this.isReplacing(node)) return
    this.place(node, this.string.toString())
    this.tellDelta(node, fresh, this.freshFrom, this.freshTo, false)
  }

  /** The root has no path, and so no event. */
  private done(node: Node, source: CompletionSource): void {
    if (node.parent !== undefined && !this.isReplacing(node)) this.tellDone(node, source)
  }

  /** A value begins, perhaps behind a key that was there before. */
  private begin(value: JsonValue): Node {
    const parent = this.at
    const node = this.enter(value)
    if (parent === undefined) return node
    const isAgain = !Array.isArray(parent.value) && Object.hasOwn(parent.value as Container, this.key)
    if (isAgain) {
      const old = (parent.value as { [key: string]: JsonValue })[this.key] as JsonValue
      this.donePaths ??= new Set()
      addPaths(this.donePaths, this.settings.pathStyle, node, old)
      this.replacing ??= new Map()
      this.replacing.set(node, old)
    } else if (this.replacing?.has(parent)) {
      // Not an old value of its own, but the path may have been done with another.
      this.replacing.set(node, undefined)
    }
    return node
  }

  /** Whether the node's path was done before. */
  private isReplacing(node: Node): boolean {
    return this.replacing !== undefined && this.replacing.has(node) && (this.donePaths as Set<string>).has(node.path)
  }

  /** A value at a path that was done: one more delta, unless it is the same. */
  private replace(node: Node, value: JsonValue, from: number, to: number): void {
    const isSame = Object.is(this.replacing?.get(node), value)
    this.place(node, value)
    if (!isSame) this.tellDelta(node, value, from, to, true)
  }
}

/** Adds the paths of a value, and of all that is in it. */
function addPaths(paths: Set<string>, style: PathStyle, node: Node, value: JsonValue): void {
  const waiting: Array<readonly [path: string, value: JsonValue]> = [[node.path, value]]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [path, inner] = pair
    paths.add(path)
    if (!isContainer(inner)) continue
    const isArray = Array.isArray(inner)
    for (const [key, child] of Object.entries(inner)) {
      const step: Step = isArray ? Number(key) : key
      waiting.push([path + pathSegment(style, step, false), child])
    }
  }
}
