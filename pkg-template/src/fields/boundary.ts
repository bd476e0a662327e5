// A field is done when its own last character was read.
//
// Source: spec/field.md, "Two ways to tell done".

import { Joined } from '../joined.js'
import type { Reader } from '../reader.js'
import { isHighHalf } from '../surrogates.js'
import type { Completion, FieldEvents, Scalar } from './completion.js'
import type { Settings } from './options.js'
import { Replacements, isAnother, isReplacing, sameAsOld } from './replacements.js'
import { type Container, Node, Tree, isContainer, place } from './tree.js'
import type { CompletionSource, JsonValue } from './types.js'

/** Fields that are done at their boundaries. */
export class Boundary implements Completion {
  readonly tree: Tree<Node>
  /** Text of the open string, and what of it was not emitted yet. */
  private readonly string = new Joined()
  private fresh = ''
  private freshFrom = 0
  private freshTo = 0
  /** How often something of it was emitted, or kept for the end. */
  private pieces = 0
  /** Whether its last piece is as it was written. */
  private isRaw = false
  /** Read to flatten V8's rope. */
  protected unit = 0

  private replacements: Replacements | undefined

  constructor(
    private readonly emitter: FieldEvents,
    private readonly settings: Settings,
  ) {
    this.tree = new Tree(settings.pathStyle, Node)
  }

  start(): void {
    this.tree.clear()
    this.string.clear()
    this.fresh = ''
    this.replacements = undefined
  }

  push(isArray: boolean): void {
    const node = this.begin(isArray ? [] : {})
    place(node, node.value)
    this.tree.at = node
  }

  pop(): void {
    const node = this.tree.at as Node
    this.tree.at = node.parent
    this.done(node, 'observed_boundary')
  }

  text(text: string, from: number, to: number): void {
    const { tree, emitter } = this
    let { leaf } = tree
    if (leaf === undefined) this.open((leaf = this.begin('')))
    if (from === to) return
    if (emitter.markup !== undefined && !isReplacing(leaf)) {
      if (this.fresh !== '' && from !== this.freshTo) this.passGap(from)
      emitter.markup.value(from, to)
    }
    if (this.fresh === '' && !(this.pieces > 0 && isReplacing(leaf))) this.freshFrom = from
    this.fresh += text
    this.freshTo = to
    this.isRaw = text.length === to - from
  }

  plain(text: string, from: number, to: number): void {
    const { leaf } = this.tree
    // Nothing waits, so it is emitted immediately.
    if (leaf === undefined || this.fresh !== '' || this.emitter.markup !== undefined || isReplacing(leaf))
      return this.text(text, from, to)
    this.isRaw = true
    this.string.add(text)
    this.pieces++
    place(leaf, this.string.toString())
    this.emitter.delta(leaf, text, from, to)
  }

  /** With spans: what is between two pieces is markup, except inside a surrogate pair. */
  private passGap(from: number): void {
    const { markup } = this.emitter
    if (markup !== undefined && isHighHalf(this.fresh.charCodeAt(this.fresh.length - 1))) markup.at = from
    else this.flush()
  }

  wholeText(text: string, from: number, to: number): void {
    const { emitter, tree } = this
    if (tree.leaf === undefined && from !== to && emitter.markup === undefined) {
      const node = this.begin('')
      if (node.replacement === undefined) {
        place(node, text)
        emitter.delta(node, text, from, to)
        emitter.done(node, 'observed_boundary')
        return
      }
      this.open(node)
    }
    this.text(text, from, to)
    this.endText('observed_boundary')
  }

  private open(node: Node): void {
    this.tree.leaf = node
    this.string.clear()
    this.pieces = 0
    // The old value stands until the new one is known.
    if (!isReplacing(node)) place(node, '')
  }

  private endText(source: CompletionSource): void {
    const node = this.tree.leaf as Node
    this.flush()
    if (isReplacing(node)) {
      this.replace(node, this.string.toString(), this.freshFrom, this.pieces === 0 ? this.freshFrom : this.freshTo)
    } else {
      // Reading a character makes V8 copy a rope into a flat string: the tree keeps a fifth of the memory.
      if (this.pieces > 1) this.unit = (node.value as string).charCodeAt(0)
      this.done(node, source)
    }
    this.tree.leaf = undefined
  }

  scalar(value: Scalar, from: number, to: number, isWhole: boolean): void {
    const node = this.begin(value)
    if (isReplacing(node)) return this.replace(node, value, from, to)
    this.emitter.markup?.value(from, to)
    place(node, value)
    this.emitter.delta(node, value, from, to)
    // More of a number may have been to come, unless it is all of the document.
    const isFinal = isWhole || (typeof value !== 'number' && typeof value !== 'bigint')
    if (isFinal || (node.parent === undefined && !this.emitter.isCutOff))
      this.done(node, isWhole ? 'observed_boundary' : 'synthetic_repair')
  }

  settle(from: number, text: Reader): void {
    // At the end of the stream more of it may come immediately.
    if (!text.isEnding) this.emitFresh(true)
    const { markup } = this.emitter
    if (markup === undefined) return
    const { leaf } = this.tree
    const settled = text.offset + from
    const waits = leaf !== undefined && isReplacing(leaf) && (this.pieces > 0 || this.fresh !== '')
    markup.settle(settled, waits ? this.freshFrom : this.fresh === '' ? settled : markup.at)
  }

  flush(): void {
    this.emitFresh(false)
  }

  close(): void {
    const { tree } = this
    if (tree.leaf !== undefined) this.endText('synthetic_repair')
    for (let node = tree.at; node !== undefined; node = node.parent) this.done(node, 'synthetic_repair')
    tree.at = undefined
  }

  finish(): void {
    this.close()
  }

  notDone(): readonly Node[] {
    const open: Node[] = []
    const { leaf, at } = this.tree
    for (let node = leaf ?? at; node !== undefined; node = node.parent) open.push(node)
    return open
  }

  get donePaths(): Iterable<string> {
    return this.replacements?.paths ?? []
  }

  /**
   * Emits what has arrived of the open string. With `isOpen` half a surrogate pair at its end waits: an escape may be
   * its other half.
   */
  private emitFresh(isOpen: boolean): void {
    const node = this.tree.leaf
    let { fresh, freshTo: to } = this
    if (fresh === '' || node === undefined) return
    this.fresh = ''
    if (isOpen && this.isRaw && isHighHalf(fresh.charCodeAt(fresh.length - 1))) {
      this.fresh = fresh.slice(-1)
      fresh = fresh.slice(0, -1)
      if (fresh === '') return
      to--
    }
    const from = this.freshFrom
    this.string.add(fresh)
    this.pieces++
    if (isReplacing(node)) return
    if (this.fresh !== '') this.freshFrom = to
    place(node, this.string.toString())
    this.emitter.delta(node, fresh, from, to)
  }

  /** A value is whole. A root that is a container has no path, and so no event. */
  private done(node: Node, source: CompletionSource): void {
    if (node.replacement !== undefined && isContainer(node.value)) {
      const same = sameAsOld(node)
      const at = this.emitter.markup?.at ?? 0
      // What was emitted stays what is in the tree.
      if (same !== undefined) place(node, same)
      else if (isReplacing(node)) this.emitter.delta(node, node.value, at, at, true)
    }
    const hasEvents = node.parent !== undefined || !isContainer(node.value)
    if (hasEvents && !isReplacing(node)) this.emitter.done(node, source)
  }

  /** A value begins, perhaps after a key that was there before. */
  private begin(value: JsonValue): Node {
    const { tree } = this
    const parent = tree.at
    const node = tree.begin(value)
    if (parent === undefined) return node
    const container = parent.value as Container
    const { step } = node
    if (!Array.isArray(container) && Object.hasOwn(container, step)) {
      this.replacements ??= new Replacements(this.settings.pathStyle)
      this.replacements.begin(node, container[step])
    } else {
      this.replacements?.beginInside(parent, node)
    }
    return node
  }

  /** A string, number or word at a path that was done: one more delta, unless it is the same. */
  private replace(node: Node, value: JsonValue, from: number, to: number): void {
    place(node, value)
    if (!isAnother(node)) return
    this.emitter.markup?.value(from, to)
    this.emitter.delta(node, value, from, to, true)
  }
}
