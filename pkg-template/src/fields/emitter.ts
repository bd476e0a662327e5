// Events out of what the decoder says: which document they are about, what is
// withheld and withdrawn. When a field is done is up to boundary.ts or order.ts.

import { FIELD_FAULTS } from '../generated/ops.js'
import type { Reader } from '../reader.js'
import type { Span } from '../types.js'
import { Boundary } from './boundary.js'
import type { Markup } from './markup.js'
import type { Settings } from './options.js'
import { Order } from './order.js'
import { type Node, type Tree, copyOf } from './tree.js'
import type { CompletionSource, FieldErrorCode, FieldDelta, JsonValue, StreamingData } from './types.js'

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

/** An event, with all that is known of it. */
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
  readonly code: FieldErrorCode | undefined
  /** Of markup. */
  readonly text: string | undefined
  /** With `multiple`. */
  documentIndex: number | undefined
}

/** Outside of all values. */
const NOWHERE = { path: '', wildcardPath: '', indexes: [] } as const

/** What the public events of all types have between them. */
type PublicEvent = Omit<FieldDelta, 'eventType' | 'isComplete' | 'completionSource'> & { eventType: string; isComplete: boolean; completionSource: CompletionSource | null; code?: FieldErrorCode; message?: string; text?: string }

/** The event as users get it. */
export function publicEvent({ type, node, value, delta, fullData, source, isReplaced, span, code, text, documentIndex }: Emitted): StreamingData {
  const { path, wildcardPath, indexes } = node ?? NOWHERE
  const event = { path, value, delta, isComplete: type === 'done', eventType: type, fullData, wildcardPath, indexes, completionSource: source } as PublicEvent
  if (isReplaced) event.replaced = true
  if (code !== undefined) {
    event.code = code
    event.message = `${code} at ${span?.[0]}: ${MEANINGS[code]}`
  }
  if (text !== undefined) event.text = text
  if (span !== undefined) event.span = span
  if (documentIndex !== undefined) event.documentIndex = documentIndex
  return event as StreamingData
}

/** What is the document if nothing better comes. */
interface Spare {
  readonly root: Node
  readonly events: readonly Emitted[]
  readonly isWhole: boolean
}

/** Emits a stream's documents, each event as `make` turns it out. */
export class Emitter<Event = unknown> {
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
  private events: Event[] = []
  /** Events of what may be a document, until it is known to be one. */
  private withheld: Emitted[] | undefined
  private spare: Spare | undefined
  /** With `multiple`: the documents before the last one. */
  private readonly before: JsonValue[] = []
  resets = 0
  readonly errors: Partial<Record<FieldErrorCode, number>> = {}
  /** Where what can't be read begins. */
  private stumbledAt = -1

  constructor(
    private readonly settings: Settings,
    private readonly make: (event: Emitted) => Event,
  ) {
    this.fields = settings.order === undefined ? new Boundary(this, settings) : new Order(this, settings, settings.order)
  }

  /** The events since the last call. */
  take(): Event[] {
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
    this.hasEmitted = false
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
    this.emit('error', this.fields.tree.at, null, null, null, false, [start, to], code)
  }

  /** A value has begun or grown. `isReplaced`: its path was done before. */
  delta(node: Node, delta: JsonValue, from: number, to: number, isReplaced = false): void {
    const { snapshot, spans } = this.settings
    this.emit('delta', node, node.value, snapshot ? copyOf(delta) : delta, null, isReplaced, spans ? [from, to] : undefined)
  }

  /** A value is whole. */
  done(node: Node, source: CompletionSource): void {
    this.emit('done', node, node.value, null, source, false)
  }

  /** Text that is part of no value. */
  addMarkup(text: string, span: Span): void {
    this.emit('markup', undefined, null, null, null, false, span, undefined, text)
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
      if (event.type !== 'markup') this.publish({ ...event, source, span })
    }
  }

  /** What was emitted of the document isn't true any more. */
  private withdraw(): void {
    if (!this.hasEmitted) return
    this.resets++
    this.publish({ type: 'reset', node: undefined, value: null, delta: null, fullData: undefined, source: null, isReplaced: false, span: undefined, code: undefined, text: undefined, documentIndex: undefined })
    this.hasEmitted = false
  }

  private emit(type: Emitted['type'], node: Node | undefined, of: JsonValue, delta: JsonValue, source: CompletionSource | null, isReplaced: boolean, span?: Span, code?: FieldErrorCode, text?: string): void {
    const { withheld, settings } = this
    // While events are withheld, they are about what may be the next document.
    const data = (withheld === undefined ? this.document : this.fields.tree.root)?.value
    const value = settings.snapshot ? copyOf(of) : of
    const fullData = settings.snapshot ? copyOf(data) : data
    // Two literals: V8 then leaves out the one that only `make` reads.
    if (withheld === undefined) this.publish({ type, node, value, delta, fullData, source, isReplaced, span, code, text, documentIndex: undefined })
    else withheld.push({ type, node, value, delta, fullData, source, isReplaced, span, code, text, documentIndex: undefined })
  }

  private publish(event: Emitted): void {
    if (event.type !== 'markup') {
      this.hasEmitted = true
      if (this.settings.multiple) event.documentIndex = this.before.length
    }
    this.events.push(this.make(event))
  }
}
