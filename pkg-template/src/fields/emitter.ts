// Events out of what the decoder says: which document they are about, what is
// withheld and withdrawn. When a field is done is up to boundary.ts or order.ts.

import { FIELD_FAULTS } from '../generated/ops.js'
import type { Reader } from '../reader.js'
import type { Span } from '../span.js'
import { Boundary } from './boundary.js'
import type { Markup } from './markup.js'
import type { Settings } from './options.js'
import { Order } from './order.js'
import { type Node, type Tree, copyOf } from './tree.js'
import type { CompletionSource, FieldErrorCode, JsonValue, StreamingData } from './types.js'

/** What a fault means, for people. */
const MEANINGS: Readonly<Record<FieldErrorCode, string>> = {
  'unexpected-text': 'text that can not stand here was passed over',
  'missing-value': 'a key has no value',
  'bad-escape': 'a backslash stands before what it can not escape; it was taken as text',
  'too-deep': 'objects and arrays are nested beyond maxDepth; this one was left out',
  'too-long': 'a number has more than 4,096 characters; it was left out',
}

/** The values of a document, and when each is done. Places count from the start of the stream. */
export interface Completion {
  readonly tree: Pick<Tree<Node>, 'root' | 'at' | 'key'>
  /** The start of what may be another document. */
  start(): void
  push(isArray: boolean): void
  pop(): void
  /** Text of a string. */
  text(text: string, from: number, to: number): void
  /** The open string ends. */
  textEnd(): void
  /** A number or a word, or with `isWhole` false what there is of it. */
  scalar(value: number | boolean | null, from: number, to: number, isWhole: boolean): void
  /** What looked like a value can't be read on. */
  stumble?(): void
  /** A chunk was read; the text at hand is pending from `from` on. */
  settle(from: number, text: Reader): void
  /** What has not been emitted of the open value is emitted. */
  flush?(): void
  /** What is open is done, though the document may not be one. */
  close?(): void
  /** Another document follows. */
  leave?(): void
  /** The stream ends. `isSpare`: only now it is known that this is the document. */
  finish(isSpare: boolean): void
}

/** An event, and what it is about. */
export interface Emitted {
  readonly type: StreamingData['eventType']
  /** The value; of an error the innermost container. */
  readonly node: Node | undefined
  readonly value: JsonValue
  readonly delta: JsonValue
  readonly fullData: JsonValue | undefined
  readonly source: CompletionSource | null
  readonly isReplaced: boolean
  readonly span: Span | undefined
  /** Of an error. */
  readonly code?: FieldErrorCode
  /** Of markup. */
  readonly text?: string
  /** With `multiple`. */
  documentIndex?: number
}

/** Outside of all values. */
const NOWHERE = { path: '', wildcardPath: '', indexes: [] } as const

/** The event as users get it. */
export function publicEvent({ type, node, value, delta, fullData, source, isReplaced, span, code, text, documentIndex }: Emitted): StreamingData {
  const { path, wildcardPath, indexes } = node ?? NOWHERE
  const event = { path, value, delta, isComplete: type === 'done', eventType: type, fullData, wildcardPath, indexes, completionSource: source } as StreamingData
  if (isReplaced) Object.assign(event, { replaced: true })
  if (code !== undefined) Object.assign(event, { code, message: `${code} at ${span?.[0]}: ${MEANINGS[code]}` })
  if (text !== undefined) Object.assign(event, { text })
  if (span !== undefined) (event as { span: Span }).span = span
  if (documentIndex !== undefined) event.documentIndex = documentIndex
  return event
}

/** What is the document if nothing better comes. */
interface Spare {
  readonly root: Node
  readonly events: readonly Emitted[]
  readonly isWhole: boolean
}

/** Emits a stream's documents. */
export class Emitter {
  readonly fields: Completion
  /** With `spans`. */
  markup: Markup | undefined
  /** The root of the last document. */
  document: Node | undefined
  /** Whether it was read to its closing bracket. */
  isWhole = false
  /** Whether something of it was emitted. */
  private hasEmitted = false
  /** Events since the last call of `take`. */
  private events: Emitted[] = []
  /** Events of what may be a document, until it is known to be one. */
  private withheld: Emitted[] | undefined
  private spare: Spare | undefined
  /** With `multiple`: the documents before the last one. */
  private readonly before: JsonValue[] = []
  resets = 0
  readonly errors: Partial<Record<FieldErrorCode, number>> = {}
  /** Where what can't be read begins. */
  private stumbledAt = -1

  constructor(private readonly settings: Settings) {
    this.fields = settings.order === undefined ? new Boundary(this, settings) : new Order(this, settings, settings.order)
  }

  /** The events since the last call. */
  take(): Emitted[] {
    const { events } = this
    this.events = []
    return events
  }

  /** All documents. */
  get values(): JsonValue[] {
    return this.document === undefined ? [...this.before] : [...this.before, this.document.value]
  }

  /** What may be a document begins; until it is confirmed nothing of it is emitted. */
  candidate(at: number): void {
    this.fields.start()
    this.markup?.begin(at)
    this.withheld = []
  }

  /** It is one. */
  confirm(): void {
    const withheld = this.withheld ?? []
    this.withheld = undefined
    if (this.document !== undefined && this.settings.multiple) {
      this.fields.leave?.()
      this.before.push(this.document.value)
    } else {
      this.withdraw()
    }
    this.document = this.fields.tree.root
    this.isWhole = false
    this.spare = undefined
    this.markup?.confirm()
    this.hasEmitted = withheld.some(({ type }) => type !== 'markup')
    for (const event of withheld) this.publish(event)
  }

  /** It is not one, or turned out not to be one. */
  drop(): void {
    // Cut elsewhere, it would have been emitted.
    this.fields.flush?.()
    if (this.withheld === undefined) {
      this.withdraw()
      this.document = undefined
    }
    this.withheld = undefined
    this.markup?.rewind()
    this.fields.start()
  }

  /** It may be one, if nothing better comes. */
  fallback(): void {
    const { root, at } = this.fields.tree
    this.fields.close?.()
    const events = this.withheld
    this.withheld = undefined
    this.markup?.rewind()
    if (this.document === undefined && root !== undefined && events !== undefined) this.spare = { root, events, isWhole: at === undefined }
    this.fields.start()
  }

  /** The document is complete. */
  end(): void {
    this.isWhole = true
  }

  /** From here on something can't be read. */
  stumble(from: number): void {
    this.stumbledAt = from
    this.fields.stumble?.()
  }

  /** The place that can't be read. */
  fault(fault: number, from: number, to: number): void {
    this.fields.flush?.()
    const code = FIELD_FAULTS[fault] as FieldErrorCode
    this.errors[code] = (this.errors[code] ?? 0) + 1
    const start = this.stumbledAt === -1 ? from : this.stumbledAt
    this.stumbledAt = -1
    // Where the reference can't read the text it is silent.
    if (this.settings.order !== undefined) return
    this.emit({ type: 'error', node: this.fields.tree.at, value: null, delta: null, fullData: this.fullData(), source: null, isReplaced: false, span: [start, to], code })
  }

  /** A value has begun or grown. `isReplaced`: its path was done before. */
  delta(node: Node, delta: JsonValue, from: number, to: number, isReplaced = false): void {
    const span: Span | undefined = this.settings.spans ? [from, to] : undefined
    this.emit({ type: 'delta', node, value: this.own(node.value), delta: this.own(delta), fullData: this.fullData(), source: null, isReplaced, span })
  }

  /** A value is whole. */
  done(node: Node, source: CompletionSource): void {
    this.emit({ type: 'done', node, value: this.own(node.value), delta: null, fullData: this.fullData(), source, isReplaced: false, span: undefined })
  }

  /** Text that is part of no value. */
  addMarkup(text: string, span: Span): void {
    const event: Emitted = { type: 'markup', node: undefined, value: null, delta: null, fullData: this.fullData(), source: null, isReplaced: false, span, text }
    ;(this.withheld ?? this.events).push(event)
  }

  /** The stream ends at a place. */
  finish(at: number): void {
    const { spare, settings } = this
    if (settings.isBare) this.document = this.fields.tree.root
    const isSpare = this.document === undefined && spare !== undefined
    if (isSpare) this.useSpare(spare, at)
    if (this.document !== undefined) this.fields.finish(isSpare)
    this.markup?.upTo(at)
  }

  /** Nothing better came. Its text was emitted as prose, so its events have no place. */
  private useSpare({ root, events, isWhole }: Spare, at: number): void {
    this.document = this.fields.tree.root = root
    this.isWhole = isWhole
    for (const event of events) {
      const source = event.source === 'observed_boundary' ? 'final_reconciliation' : event.source
      const span: Span | undefined = event.type === 'delta' && event.span !== undefined ? [at, at] : event.span
      if (event.type !== 'markup') this.emit({ ...event, source, span })
    }
  }

  /** What was emitted of the document isn't true any more. */
  private withdraw(): void {
    if (!this.hasEmitted) return
    this.hasEmitted = false
    this.resets++
    this.publish({ type: 'reset', node: undefined, value: null, delta: null, fullData: undefined, source: null, isReplaced: false, span: undefined })
  }

  /** The document of the events: while they are withheld, what may be the next one. */
  private fullData(): JsonValue | undefined {
    const root = this.withheld === undefined ? this.document : this.fields.tree.root
    return this.own(root?.value)
  }

  /** With `snapshot` a copy. */
  private own<Value extends JsonValue | undefined>(value: Value): Value {
    return this.settings.snapshot ? copyOf(value) : value
  }

  private emit(event: Emitted): void {
    if (this.withheld !== undefined) {
      this.withheld.push(event)
      return
    }
    this.hasEmitted = true
    this.publish(event)
  }

  private publish(event: Emitted): void {
    if (this.settings.multiple && event.type !== 'markup') event.documentIndex = this.before.length
    this.events.push(event)
  }
}
