// What both ways to tell "done" have in common: which document is told, what is
// withheld and withdrawn, what stands between values, and how an event looks.

import { rulesUsed } from '../wasm/fields.js'
import type { Settings } from './options.js'
import { FIELD_FAULTS } from '../generated/ops.js'
import { ruleNames } from './rules.js'
import { FieldTree, Node, copyOf, isContainer } from './tree.js'
import type { CompletionSource, FieldErrorCode, FieldReport, JsonValue, StreamingData } from './types.js'

/** What a fault means, for people. */
const MEANINGS: Readonly<Record<FieldErrorCode, string>> = {
  'unexpected-text': 'text that can not stand here was passed over',
  'missing-value': 'a key has no value',
  'bad-escape': 'a backslash stands before what it can not escape; it was taken as text',
  'too-deep': 'objects and arrays are nested beyond maxDepth; this one was left out',
  'too-long': 'a number has more than 4,096 characters; it was left out',
}

/** What is the document if nothing better comes. */
export interface Spare {
  readonly root: Node
  readonly events: readonly StreamingData[]
  readonly isWhole: boolean
}

/** The root, and what is outside of documents. */
const NOWHERE = { path: '', wildcardPath: '', indexes: [] } as const

/** Tells a stream's documents. */
export abstract class FieldTeller extends FieldTree {
  /** For who asks for them: the nodes that events tell of. */
  nodes: WeakMap<StreamingData, Node> | undefined

  /** Events of the call at work. */
  private events: StreamingData[] = []
  /** Events of what may be a document, until it is known to be one. */
  protected withheld: StreamingData[] | undefined
  /** What is the document if nothing better comes. */
  private spare: Spare | undefined

  /** The root of the last document. */
  protected document: Node | undefined
  /** Whether it was read to its closing bracket. */
  protected isWhole = false
  /** Whether something of it was told. */
  private hasTold = false
  /** With `multiple`: the documents before it. */
  private before: JsonValue[] = []
  private resets = 0
  private errors: Partial<Record<FieldErrorCode, number>> = {}

  /** Where what can't be read begins. */
  private stumbledAt = -1

  // With spans: up to where the stream was told; what is behind that and not at
  // hand any more; and up to where it was told when the candidate began.
  protected told = 0
  private kept = ''
  private toldBefore = 0

  constructor(protected readonly settings: Settings) {
    super({ ...settings.machine, machine: undefined, isPutAway: false }, settings.pathStyle, settings.keys)
  }

  /** What is open is done: the end of the stream, perhaps before what is read is a document. */
  protected abstract closeOpen(): void

  /** Reads a chunk. */
  parseChunk(chunk: string): StreamingData[] {
    this.read(chunk)
    return this.take()
  }

  /** The end of the stream. */
  finalize(): StreamingData[] {
    this.finish()
    if (this.settings.isBare) this.document = this.root
    if (this.document === undefined && this.spare !== undefined) this.useSpare(this.spare)
    if (this.document !== undefined) this.closeDocument()
    if (this.settings.spans) this.markUpTo(this.endOfText)
    return this.take()
  }

  /** The start of a new stream. */
  reset(): void {
    this.restart()
    this.plant()
    this.events = []
    this.withheld = this.spare = this.document = undefined
    this.isWhole = this.hasTold = false
    this.before = []
    this.resets = this.told = this.toldBefore = 0
    this.errors = {}
    this.stumbledAt = -1
    this.kept = ''
  }

  /** The last document. */
  get value(): JsonValue | undefined {
    return this.document?.value
  }

  /** All documents. */
  get values(): JsonValue[] {
    return this.document === undefined ? [...this.before] : [...this.before, this.document.value]
  }

  get report(): FieldReport {
    const documents = this.before.length + (this.document === undefined ? 0 : 1)
    return { documents, isComplete: this.document !== undefined && this.isWhole, resets: this.resets, errors: { ...this.errors }, tolerated: ruleNames(rulesUsed(this.session)) }
  }

  /** The document ends with the stream. */
  protected closeDocument(): void {
    this.closeOpen()
  }

  private take(): StreamingData[] {
    const events = this.events
    // Whoever has a list keeps it as it is, an empty one too.
    this.events = []
    return events
  }

  protected candidate(at: number): void {
    this.plant()
    if (this.settings.spans) this.markUpTo(at)
    this.withheld = []
    this.toldBefore = this.told
  }

  protected confirm(): void {
    if (this.document !== undefined) {
      if (this.settings.multiple) this.before.push(this.document.value)
      else this.withdraw()
    }
    this.document = this.root
    this.isWhole = false
    this.spare = undefined
    const withheld = this.withheld ?? []
    this.withheld = undefined
    this.kept = ''
    this.hasTold = withheld.some(({ eventType }) => eventType !== 'markup')
    for (const event of withheld) this.events.push(event)
  }

  protected drop(): void {
    if (this.withheld !== undefined) {
      this.withheld = undefined
      this.told = this.toldBefore
    } else {
      this.withdraw()
      this.document = undefined
    }
    this.plant()
  }

  protected fallback(): void {
    const isWhole = this.at === undefined
    this.closeOpen()
    const root = this.root
    const events = this.withheld
    this.withheld = undefined
    if (this.settings.spans) {
      // As it may never be told, its text is prose.
      this.told = this.toldBefore
    }
    if (this.document === undefined && root !== undefined && events !== undefined) this.spare = { root, events, isWhole }
    this.plant()
  }

  protected end(): void {
    this.isWhole = true
  }

  protected stumble(from: number): void {
    this.stumbledAt = from
  }

  protected fault(fault: number, from: number, to: number): void {
    const code = this.countFault(fault)
    const start = this.stumbledAt === -1 ? from : this.stumbledAt
    this.stumbledAt = -1
    const node = this.at
    const { path, wildcardPath, indexes } = node ?? NOWHERE
    const message = `${code} at ${start}: ${MEANINGS[code]}`
    this.emit({ path, value: null, delta: null, isComplete: false, eventType: 'error', fullData: this.fullData(), wildcardPath, indexes, completionSource: null, code, message, span: [start, to] }, node)
  }

  protected countFault(fault: number): FieldErrorCode {
    const code = FIELD_FAULTS[fault] as FieldErrorCode
    this.errors[code] = (this.errors[code] ?? 0) + 1
    return code
  }

  /** What was told of the document isn't true any more. */
  private withdraw(): void {
    if (!this.hasTold) return
    this.hasTold = false
    this.resets++
    this.events.push(this.dated({ path: '', value: null, delta: null, isComplete: false, eventType: 'reset', fullData: undefined, wildcardPath: '', indexes: [], completionSource: null }))
  }

  /** Nothing better came. Its text was told as prose, so its events have no place. */
  protected useSpare(spare: Spare): void {
    this.document = this.root = spare.root
    this.isWhole = spare.isWhole
    this.spare = undefined
    for (const event of spare.events) {
      const node = this.nodes?.get(event)
      if (event.eventType === 'done' && event.completionSource === 'observed_boundary') this.emit({ ...event, completionSource: 'final_reconciliation' }, node)
      else if (event.eventType === 'delta' && event.span !== undefined) this.emit({ ...event, span: [this.endOfText, this.endOfText] }, node)
      else if (event.eventType !== 'markup') this.emit(event, node)
    }
  }

  /** A value has grown. */
  protected tellDelta(node: Node, delta: JsonValue, from: number, to: number, isReplaced: boolean): void {
    const { path, value, wildcardPath, indexes } = node
    const isShared = this.settings.snapshot && isContainer(value)
    const event: StreamingData = { path, value: isShared ? copyOf(value) : value, delta: isShared ? copyOf(delta) : delta, isComplete: false, eventType: 'delta', fullData: this.fullData(), wildcardPath, indexes, completionSource: null }
    if (isReplaced) event.replaced = true
    if (this.settings.spans) event.span = [from, to]
    this.emit(event, node)
  }

  /** A value is whole. */
  protected tellDone(node: Node, completionSource: CompletionSource): void {
    const { path, value, wildcardPath, indexes } = node
    this.emit({ path, value: this.settings.snapshot ? copyOf(value) : value, delta: null, isComplete: true, eventType: 'done', fullData: this.fullData(), wildcardPath, indexes, completionSource }, node)
  }

  /** The document that events tell of: while they are withheld, what may be the next one. */
  private fullData(): JsonValue | undefined {
    const value = (this.withheld === undefined ? this.document : this.root)?.value
    return this.settings.snapshot && value !== undefined ? copyOf(value) : value
  }

  private emit(event: StreamingData, node: Node | undefined): void {
    if (this.nodes !== undefined && node !== undefined) this.nodes.set(event, node)
    this.dated(event)
    if (this.withheld !== undefined) {
      this.withheld.push(event)
    } else {
      this.hasTold = true
      this.events.push(event)
    }
  }

  /** With `multiple`, of which document an event tells. */
  private dated<E extends StreamingData>(event: E): E {
    if (this.settings.multiple) event.documentIndex = this.before.length + (this.withheld === undefined || this.document === undefined ? 0 : 1)
    return event
  }

  /** With spans: what stands between values, up to a place. */
  protected markUpTo(place: number): void {
    const from = this.told
    if (place <= from) return
    this.told = place
    const offset = this.offset
    const text = from >= offset ? this.data.slice(from - offset, place - offset) : this.textFrom(from, place)
    const event: StreamingData = { path: '', value: null, delta: null, isComplete: false, eventType: 'markup', fullData: this.fullData(), wildcardPath: '', indexes: [], completionSource: null, text, span: [from, place] }
    ;(this.withheld ?? this.events).push(event)
  }

  /** With spans: a value's text stands there. */
  protected markValue(from: number, to: number): void {
    this.markUpTo(from)
    this.told = Math.max(this.told, to)
  }

  /** With spans: text up to `held` leaves the text at hand; what is behind `upTo` is told later. */
  protected settleSpans(held: number, upTo: number): void {
    this.markUpTo(upTo)
    // Should the candidate fail, all of its text is prose.
    const keepFrom = this.withheld === undefined ? this.told : this.toldBefore
    const offset = this.offset
    this.kept = keepFrom < offset ? this.kept + this.data.slice(0, held - offset) : this.data.slice(keepFrom - offset, held - offset)
  }

  private textFrom(from: number, to: number): string {
    const base = this.offset - this.kept.length
    return (this.kept + this.data).slice(from - base, to - base)
  }
}
