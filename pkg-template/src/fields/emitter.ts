// Events out of what the decoder says: which document they are about, what is
// withheld and withdrawn. When a field is done is up to boundary.ts or order.ts.

import { FIELD_FAULTS } from '../generated/ops.js'
import type { Span } from '../span.js'
import { Boundary } from './boundary.js'
import type { Completion, FieldEvents } from './completion.js'
import type { Markup } from './markup.js'
import type { Settings } from './options.js'
import { Order } from './order.js'
import { DonePaths, reconcile } from './reconcile.js'
import { type Node, copyOf } from './tree.js'
import type { CompletionSource, FieldErrorCode, JsonValue, StreamingData } from './types.js'

/** What a fault means, for people. */
const MEANINGS: Readonly<Record<FieldErrorCode, string>> = {
  'unexpected-text': 'text that can not stand here was passed over',
  'missing-value': 'a key has no value',
  'bad-escape': 'a backslash stands before what it can not escape; it was taken as text',
  'too-deep': 'objects and arrays are nested beyond maxDepth; this one was left out',
  'too-long': 'a number has more than 4,096 characters; it was left out',
  'schema-mismatch':
    'after 65,536 characters no key of the document is one of the schema; it is emitted as if there were no schema',
  'unexpected-key': 'the schema forbids this key; it was left out',
}

/** An event, and what it is about. */
export interface Emitted {
  readonly event: StreamingData
  /** The value; of an error the innermost container. */
  node: Node | undefined
}

/** Outside of all values. */
const NOWHERE = { path: '', wildcardPath: '', indexes: [] } as const

/** What is the document if nothing better comes. */
interface Spare {
  readonly root: Node
  readonly events: readonly Emitted[]
  readonly isWhole: boolean
}

/** That of the text, and one that stands in thinking, which is taken only if no other came. */
interface Spares {
  readonly text: Spare | undefined
  readonly thought: Spare | undefined
}

const NO_SPARES: Spares = { text: undefined, thought: undefined }

/** What is counted. */
class Tally {
  resets = 0
  readonly errors: Partial<Record<FieldErrorCode, number>> = {}

  count(code: FieldErrorCode): void {
    this.errors[code] = (this.errors[code] ?? 0) + 1
  }
}

/** An event that is about no value, at the place of a container or outside of all. */
function withoutValue<Type extends StreamingData['eventType']>(
  eventType: Type,
  fullData: JsonValue | undefined,
  { path, wildcardPath, indexes }: Pick<Node, 'path' | 'wildcardPath' | 'indexes'> = NOWHERE,
) {
  return {
    path,
    value: null,
    delta: null,
    isComplete: false,
    eventType,
    fullData,
    wildcardPath,
    indexes,
    completionSource: null,
  } as const
}

/** Adds more of a string to its last delta, which is withheld; whether it could. */
function isMore(last: Emitted | undefined, event: StreamingData): boolean {
  const before = last?.event
  if (
    before?.eventType !== 'delta' ||
    event.eventType !== 'delta' ||
    before.path !== event.path ||
    before.span?.[1] !== event.span?.[0]
  )
    return false
  if (typeof before.delta !== 'string' || typeof event.delta !== 'string' || event.replaced === true) return false
  before.delta += event.delta
  before.value = event.value
  if (before.span !== undefined && event.span !== undefined) before.span = [before.span[0], event.span[1]]
  return true
}

/** Emits a stream's documents. `make` gives what goes out of each event, and of the node that it is about. */
export class Emitter<Event = unknown> implements FieldEvents {
  readonly fields: Completion
  /** With `spans`. */
  markup: Markup | undefined
  /** The root of the last document. */
  document: Node | undefined
  /** Whether it was read to its closing bracket. */
  isWhole = false
  /** Whether the stream is cut off where it ends. */
  isCutOff = false
  /** Whether something of it was emitted. */
  private hasEmitted = false
  /** Events since the last call of `take`. */
  private events: Event[] | undefined
  /** Events of what may be a document, until it is known to be one. */
  private withheld: Emitted[] | undefined
  private spares = NO_SPARES
  /** With `multiple`: the documents before the last one. */
  private readonly before: JsonValue[] = []
  /** What was done, once the document was made to be a value. */
  private reconciled: DonePaths | undefined
  readonly tally = new Tally()
  /** Where what can't be read begins. */
  private stumbledAt = -1

  constructor(
    private readonly settings: Settings,
    private readonly make: (event: StreamingData, node: Node | undefined) => Event,
  ) {
    this.fields =
      settings.order === undefined ? new Boundary(this, settings) : new Order(this, settings, settings.order)
  }

  /** The root of the document so far. A text that is one value has no other. */
  get root(): Node | undefined {
    return this.document ?? (this.settings.isBare ? this.fields.tree.root : undefined)
  }

  /** The events since the last call. */
  take(): Event[] {
    const { events } = this
    if (events === undefined) return []
    this.events = undefined
    return events
  }

  get values(): JsonValue[] {
    return this.document === undefined ? [...this.before] : [...this.before, this.document.value]
  }

  /** How many documents there were. */
  get documentCount(): number {
    return this.before.length + (this.document === undefined ? 0 : 1)
  }

  /** What may be a document begins; until it is confirmed nothing of it is emitted. */
  candidate(at: number): void {
    this.fields.start()
    this.stumbledAt = -1
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
    this.spares = NO_SPARES
    this.markup?.confirm()
    this.hasEmitted = false
    for (const { event, node } of withheld) this.publish(event, node)
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
    this.spares = { ...this.spares, text: this.toSpare() ?? this.spares.text }
  }

  /** It may be one, if nothing better comes and the thinking around it never closes. */
  thought(): void {
    this.spares = { ...this.spares, thought: this.toSpare() ?? this.spares.thought }
  }

  /** That thinking has closed. */
  forget(): void {
    this.spares = { ...this.spares, thought: undefined }
  }

  private toSpare(): Spare | undefined {
    const { root, at } = this.fields.tree
    this.fields.close?.()
    const events = this.withheld
    this.withheld = undefined
    this.markup?.rewind()
    this.fields.start()
    return this.document === undefined && root !== undefined && events !== undefined
      ? { root, events, isWhole: at === undefined }
      : undefined
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
    const start = this.stumbledAt === -1 ? from : this.stumbledAt
    this.stumbledAt = -1
    this.error(FIELD_FAULTS[fault] as FieldErrorCode, start, to)
  }

  /** No key was one of the schema's for too long. */
  mismatch(at: number): void {
    this.error('schema-mismatch', at, at)
  }

  /** The key is one that the schema forbids. */
  forbid(from: number, to: number): void {
    this.error('unexpected-key', from, to)
  }

  private error(code: FieldErrorCode, start: number, to: number): void {
    this.fields.flush?.()
    // Where the reference can't read the text it is silent.
    if (this.settings.order !== undefined) return this.tally.count(code)
    const node = this.fields.tree.at
    const message = `${code} at ${start}: ${MEANINGS[code]}`
    const event = withoutValue('error', this.fullData(), node)
    this.emit({ ...event, code, message, span: [start, to] }, node)
  }

  /** A value has begun or grown. `isReplaced`: its path was done before. */
  delta(node: Node, delta: JsonValue, from: number, to: number, isReplaced = false): void {
    const { path, value, wildcardPath, indexes } = node
    const event: StreamingData = {
      path,
      value: this.own(value),
      delta: this.own(delta),
      isComplete: false,
      eventType: 'delta',
      fullData: this.fullData(),
      wildcardPath,
      indexes,
      completionSource: null,
    }
    if (isReplaced) event.replaced = true
    if (this.settings.spans) event.span = [from, to]
    this.emit(event, node)
  }

  /** A value is whole. */
  done(node: Node, completionSource: CompletionSource): void {
    const { path, value, wildcardPath, indexes } = node
    const event: StreamingData = {
      path,
      value: this.own(value),
      delta: null,
      isComplete: true,
      eventType: 'done',
      fullData: this.fullData(),
      wildcardPath,
      indexes,
      completionSource,
    }
    this.emit(event, node)
  }

  /** Text that is part of no value. */
  addMarkup(text: string, span: Span): void {
    this.emit({ ...withoutValue('markup', this.fullData()), text, span } as StreamingData, undefined)
  }

  /** The stream ends at a place. */
  finish(at: number): void {
    const { settings } = this
    const spare = this.spares.text ?? this.spares.thought
    if (settings.isBare) this.document = this.fields.tree.root
    // A number has no end of its own.
    this.isWhole ||= settings.isBare && /^(number|bigint)$/.test(typeof this.document?.value) && !this.isCutOff
    const isSpare = this.document === undefined && spare !== undefined
    if (isSpare) this.useSpare(spare, at)
    if (this.document !== undefined) this.fields.finish(isSpare)
    this.markup?.upTo(at)
  }

  /** The document becomes a value; what it had that is pending gives way to it. */
  reconcile(final: JsonValue, given: CompletionSource | undefined): void {
    const { fields, settings } = this
    const { pathStyle } = settings
    const before = this.root
    this.withheld = undefined
    this.spares = NO_SPARES
    const isKnown = this.reconciled !== undefined
    const open =
      isKnown ||
      before === undefined ||
      (this.document !== undefined && settings.order === undefined && fields.tree.root !== before)
        ? []
        : fields.notDone()
    const isWhole = this.document === undefined ? before !== undefined && open.length === 0 : this.isWhole
    const { paths } = (this.reconciled ??= new DonePaths())
    if (!isKnown && before !== undefined) {
      this.reconciled.add(before, open, pathStyle)
      for (const path of fields.donePaths ?? []) paths.add(path)
    }
    const { at } = this.markup ?? { at: 0 }
    reconcile(before, final, paths, pathStyle, given ?? (isWhole ? 'final_reconciliation' : 'synthetic_repair'), {
      replace: (document) => {
        fields.start()
        this.document = document
      },
      delta: (node, delta, isReplaced) => this.delta(node, delta, at, at, isReplaced),
      done: (node, source) => this.done(node, source),
    })
  }

  /** Takes the spare document, as no better one came. Its text was emitted as prose, so its events have no place. */
  private useSpare({ root, events, isWhole }: Spare, at: number): void {
    this.document = this.fields.tree.root = root
    this.isWhole = isWhole
    const moved: Emitted[] = []
    for (const { event, node } of events) {
      const here =
        event.eventType === 'delta' && event.span !== undefined ? { ...event, span: [at, at] as const } : event
      if (event.eventType !== 'markup' && !isMore(moved.at(-1), here)) moved.push({ event: here, node })
    }
    for (const { event, node } of moved) {
      const isAssumed = event.eventType === 'done' && event.completionSource === 'observed_boundary'
      this.publish(isAssumed ? { ...event, completionSource: 'final_reconciliation' } : event, node)
    }
  }

  /** What was emitted of the document isn't true any more. */
  private withdraw(): void {
    if (!this.hasEmitted) return
    this.tally.resets++
    this.publish(withoutValue('reset', undefined) as StreamingData, undefined)
    this.hasEmitted = false
  }

  /** The document of the events: while they are withheld, what may be the next one. */
  private get current(): Node | undefined {
    return this.withheld === undefined ? this.root : this.fields.tree.root
  }

  private fullData(): JsonValue | undefined {
    return this.own(this.current?.value)
  }

  /** With `snapshot` a copy. */
  private own<Value extends JsonValue | undefined>(value: Value): Value {
    return this.settings.snapshot ? copyOf(value) : value
  }

  private emit(event: StreamingData, node: Node | undefined): void {
    const { withheld } = this
    if (withheld === undefined) this.publish(event, node)
    else if (!isMore(withheld[withheld.length - 1], event)) withheld.push({ event, node })
  }

  private publish(event: StreamingData, node: Node | undefined): void {
    if (event.eventType === 'error') this.tally.count(event.code as FieldErrorCode)
    if (event.eventType !== 'markup') {
      this.hasEmitted = true
      if (this.settings.multiple) event.documentIndex = this.before.length
    }
    const made = this.make(event, node)
    // A list of one, since most chunks have one event: V8 makes room for many when one is added to an empty list.
    if (this.events === undefined) this.events = [made]
    else this.events.push(made)
  }
}
