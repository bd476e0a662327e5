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
  /** How often something of it was told, or put by. */
  private pieces = 0
  /** Whether its last piece is as it was written. */
  private isRaw = false
  /** Of no use but for what reading it does. */
  protected unit = 0

  // A duplicate key's value is not done twice: the paths that were done before,
  // and of each node at or below such a key what stood there.
  private donePaths: Set<string> | undefined
  private replacements: Map<Node, Replacement> | undefined

  constructor(settings: Settings) {
    super(settings)
  }

  protected override plant(): void {
    super.plant()
    this.string.clear()
    this.fresh = ''
    this.donePaths = this.replacements = undefined
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
    if (this.settings.spans && !this.isReplacing(this.leaf)) {
      if (this.fresh !== '' && from !== this.freshTo) this.tellFresh(false)
      this.markValue(from, to)
    }
    if (this.fresh === '' && !(this.pieces > 0 && this.isReplacing(this.leaf))) this.freshFrom = from
    this.fresh += text
    this.freshTo = to
    this.isRaw = text.length === to - from
  }

  protected textEnd(): void {
    this.endText('observed_boundary')
  }

  private endText(source: CompletionSource): void {
    const node = this.leaf as Node
    this.tellFresh(false)
    if (this.isReplacing(node)) {
      this.replace(node, this.string.toString(), this.freshFrom, this.pieces === 0 ? this.freshFrom : this.freshTo)
    } else {
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
    this.tellFresh(false)
    super.fault(fault, from, to)
  }

  protected override drop(): void {
    // Cut elsewhere, it had been told.
    this.tellFresh(false)
    super.drop()
  }

  protected settle(held: number): void {
    this.tellFresh(true)
    if (!this.settings.spans) return
    const isHeldBack = this.leaf !== undefined && (this.pieces > 0 || this.fresh !== '') && this.isReplacing(this.leaf)
    this.settleSpans(held, isHeldBack ? this.freshFrom : held)
  }

  protected close(): void {
    this.closeOpen()
  }

  protected closeOpen(): void {
    if (this.leaf !== undefined) this.endText('synthetic_repair')
    for (let node = this.at; node !== undefined; node = node.parent) this.done(node, 'synthetic_repair')
    this.at = undefined
  }

  private leafValue(value: number | boolean | null, from: number, to: number, source: CompletionSource): void {
    const node = this.begin(value)
    if (this.isReplacing(node)) {
      this.replace(node, value, from, to)
      return
    }
    if (this.settings.spans) this.markValue(from, to)
    this.place(node, value)
    this.tellDelta(node, value, from, to, false)
    this.done(node, source)
  }

  /** Tells what came of the open string. With `isOpen` half a surrogate pair at its end stays back: an escape may be its other half. */
  private tellFresh(isOpen: boolean): void {
    const node = this.leaf
    let fresh = this.fresh
    if (fresh === '' || node === undefined) return
    this.fresh = ''
    let to = this.freshTo
    if (isOpen && this.isRaw && isHighHalf(fresh.charCodeAt(fresh.length - 1))) {
      this.fresh = fresh.slice(-1)
      fresh = fresh.slice(0, -1)
      if (fresh === '') return
      to--
    }
    const from = this.freshFrom
    this.string.add(fresh)
    this.pieces++
    if (this.isReplacing(node)) return
    if (this.fresh !== '') this.freshFrom = to
    this.place(node, this.string.toString())
    this.tellDelta(node, fresh, from, to, false)
  }

  /** The root has no path, and so no event. */
  private done(node: Node, source: CompletionSource): void {
    const replacement = this.replacements?.get(node)
    if (replacement !== undefined && isContainer(node.value)) this.closeReplacement(node, replacement)
    if (node.parent !== undefined && !this.isReplacing(node)) this.tellDone(node, source)
  }

  /** A value begins, perhaps behind a key that was there before. */
  private begin(value: JsonValue): Node {
    const parent = this.at
    const node = this.enter(value)
    if (parent === undefined) return node
    const { key } = this
    const isAgain = !Array.isArray(parent.value) && Object.hasOwn(parent.value as Container, key)
    if (isAgain) {
      const old = (parent.value as { [key: string]: JsonValue })[key] as JsonValue
      this.donePaths ??= new Set()
      this.replacements ??= new Map()
      addPaths(this.donePaths, this.settings.pathStyle, node, old)
      this.replacements.set(node, { old, isChanged: !isSameKind(old, value), size: 0 })
    } else if (this.replacements !== undefined) {
      this.inherit(this.replacements, node, parent, value)
    }
    return node
  }

  /** A value begins in one that replaces another. */
  private inherit(replacements: Map<Node, Replacement>, node: Node, parent: Node, value: JsonValue): void {
    const above = replacements.get(parent)
    if (above === undefined) return
    above.size++
    const isThere = isContainer(above.old) && isSameKind(above.old, parent.value) && Object.hasOwn(above.old, node.step)
    const old = isThere ? (above.old as { [key: string]: JsonValue })[node.step] : undefined
    if (!isThere) above.isChanged = true
    replacements.set(node, { old, isChanged: !isThere || !isSameKind(old, value), size: 0 })
  }

  /** Whether the node's path was done before. */
  private isReplacing(node: Node): boolean {
    return this.replacements !== undefined && this.replacements.has(node) && (this.donePaths as Set<string>).has(node.path)
  }

  /** A string, number or word at a path that was done: one more delta, unless it is the same. */
  private replace(node: Node, value: JsonValue, from: number, to: number): void {
    const replacement = this.replacements?.get(node) as Replacement
    this.place(node, value)
    if (Object.is(replacement.old, value)) return
    if (this.settings.spans) this.markValue(from, to)
    this.markChanged(node)
    this.tellDelta(node, value, from, to, true)
  }

  /** The same of an object or array, whose text is that of what is in it. */
  private closeReplacement(node: Node, replacement: Replacement): void {
    const { old } = replacement
    if (isContainer(old) && Object.keys(old).length !== replacement.size) replacement.isChanged = true
    if (!replacement.isChanged) {
      // What was told stays what is in the tree.
      this.place(node, old as JsonValue)
      return
    }
    this.markChanged(node)
    if (this.isReplacing(node)) this.tellDelta(node, node.value, this.told, this.told, true)
  }

  /** What is around it isn't what it was. */
  private markChanged(node: Node): void {
    const above = node.parent === undefined ? undefined : this.replacements?.get(node.parent)
    if (above !== undefined) above.isChanged = true
  }
}

/** What a value replaces. */
interface Replacement {
  readonly old: JsonValue | undefined
  /** Whether it is another value, as far as is known. */
  isChanged: boolean
  /** Members or elements so far. */
  size: number
}

/** Whether both are objects, both arrays, or neither is a container. */
function isSameKind(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return isContainer(a) === isContainer(b) && Array.isArray(a) === Array.isArray(b)
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
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
