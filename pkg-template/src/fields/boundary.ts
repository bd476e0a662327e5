// A field is done when its own last character was read.
//
// Source: spec/field.md, "Two ways to tell done".

import { Joined } from '../joined.js'
import { isHighHalf } from '../surrogates.js'
import type { Settings } from './options.js'
import { Replacements } from './replacements.js'
import { FieldTeller } from './teller.js'
import { type Container, Node, isContainer } from './tree.js'
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

  private replacements: Replacements | undefined

  constructor(settings: Settings) {
    super(settings)
  }

  protected override plant(): void {
    super.plant()
    this.string.clear()
    this.fresh = ''
    this.replacements = undefined
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
      if (this.fresh !== '' && from !== this.freshTo) this.passGap(from)
      this.markValue(from, to)
    }
    if (this.fresh === '' && !(this.pieces > 0 && this.isReplacing(this.leaf))) this.freshFrom = from
    this.fresh += text
    this.freshTo = to
    this.isRaw = text.length === to - from
  }

  /** With spans: what stands between two pieces is markup, but for what is inside a surrogate pair. */
  private passGap(from: number): void {
    if (isHighHalf(this.fresh.charCodeAt(this.fresh.length - 1))) this.told = from
    else this.tellFresh(false)
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
    // At the end of the stream more may come of it at once.
    if (!this.isFinishing) this.tellFresh(true)
    if (!this.settings.spans) return
    const isReplacing = this.leaf !== undefined && this.isReplacing(this.leaf)
    if (isReplacing && (this.pieces > 0 || this.fresh !== '')) this.settleSpans(held, this.freshFrom)
    else this.settleSpans(held, this.fresh === '' ? held : this.told)
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

  /** A value is whole. The root has no path, and so no event. */
  private done(node: Node, source: CompletionSource): void {
    if (this.replacements !== undefined && isContainer(node.value)) {
      const same = this.replacements.close(node)
      // What was told stays what is in the tree.
      if (same !== undefined) this.place(node, same)
      else if (this.isReplacing(node)) this.tellDelta(node, node.value, this.told, this.told, true)
    }
    if (node.parent !== undefined && !this.isReplacing(node)) this.tellDone(node, source)
  }

  /** A value begins, perhaps behind a key that was there before. */
  private begin(value: JsonValue): Node {
    const parent = this.at
    const node = this.enter(value)
    if (parent === undefined) return node
    const container = parent.value as Container
    if (!Array.isArray(container) && Object.hasOwn(container, this.key)) {
      this.replacements ??= new Replacements(this.settings.pathStyle)
      this.replacements.begin(node, value, container[this.key] as JsonValue)
    } else {
      this.replacements?.beginInside(parent, node, value)
    }
    return node
  }

  /** Whether the node's path was done before. */
  private isReplacing(node: Node): boolean {
    return this.replacements !== undefined && this.replacements.has(node)
  }

  /** A string, number or word at a path that was done: one more delta, unless it is the same. */
  private replace(node: Node, value: JsonValue, from: number, to: number): void {
    this.place(node, value)
    if (this.replacements?.isAnother(node, value) !== true) return
    if (this.settings.spans) this.markValue(from, to)
    this.tellDelta(node, value, from, to, true)
  }
}
