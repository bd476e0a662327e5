// Makes segment events of what the reader says.
//
// Code of the user's (transforms of tool states, `onError`) runs when all of a
// chunk was read, so that what it throws leaves the parser as it should be: the
// events of the chunk then come with the next call.

import { ParseError, describe } from '../errors.js'
import { Joined } from '../joined.js'
import { placeContent } from './content-place.js'
import { markCutOff } from './cut-off.js'
import { FAULTS, messageOf } from './faults.js'
import type { SegmentIds } from './ids.js'
import { contentOf, endOf, markupOf, startOf } from './make-events.js'
import type { Settings } from './options.js'
import { put } from '../own.js'
import { SegmentReader } from './reader.js'
import { TYPES, rowOf } from './row.js'
import { type CheckedState, stateOf } from './states.js'
import type { SegmentContent, SegmentEnd, SegmentError, SegmentEvent, SegmentMetadata, SegmentValue } from './types.js'

// Attributes that are metadata, by their numbers in src/segment/machine/tags.rs.
const PATH = 0
const BACKGROUND = 1

/** The one metadata of the built-in tool states. */
const BUILT_IN_METADATA = 'path'

/** Tells the segments of a text. */
export class SegmentTeller extends SegmentReader {
  private events: SegmentEvent[] | undefined
  /** The open segment. */
  private id: string | undefined
  private segmentType = ''
  private isText = false
  /** Its state, if that is the user's. */
  private state: CheckedState | undefined
  /** Where it began with its markup, and for `onError` its text from there on. */
  private begins = 0
  private readonly raw = new Joined()
  /** Where its content stands. */
  private contentFrom = 0
  private contentTo = 0
  /** The id of the segment whose markup was read, and that begins behind it. */
  private nextId: string | undefined
  /** What is known of the segment that may begin. */
  private toolName: string | undefined
  private chosen: CheckedState | undefined
  private known: SegmentMetadata | undefined
  private lastEnd: SegmentEnd | undefined
  private errors: SegmentError[] = []
  private transforms: { readonly event: SegmentContent; readonly state: CheckedState }[] = []

  constructor(
    private readonly settings: Settings,
    private readonly ids: SegmentIds,
  ) {
    super({ ...settings.machine, machine: undefined, isPutAway: false }, settings.maxPending)
  }

  /** Reads a chunk. */
  feed(chunk: string): SegmentEvent[] {
    this.read(chunk)
    return this.give()
  }

  /** The end of the stream: what is open ends. */
  finalize(): SegmentEvent[] {
    this.finish()
    this.closeText(this.decided)
    return this.give()
  }

  /** Ends the open text, if text is open: something comes between that is no text. */
  endText(): SegmentEvent[] {
    this.closeText(this.decided)
    return this.give()
  }

  /** The start of a new stream. */
  reset(): void {
    this.restart()
    this.events = undefined
    this.errors = []
    this.transforms = []
    this.id = undefined
    this.nextId = undefined
    this.forget()
  }

  /** The open segment. */
  get open(): { readonly id: string; readonly type: string } | undefined {
    return this.id === undefined ? undefined : { id: this.id, type: this.segmentType }
  }

  protected text(text: string, from: number): void {
    if (this.id === undefined) {
      this.id = this.ids.next()
      this.segmentType = 'text'
      this.isText = true
      this.add(startOf(this.id, 'text', undefined, this.span(from, from)))
    }
    this.add(contentOf(this.id, text, this.span(from, from + text.length)))
  }

  protected content(text: string, from: number): void {
    const event = contentOf(this.id as string, text, this.span(from, from + text.length))
    this.add(event)
    if (this.state?.transform !== undefined) this.transforms.push({ event, state: this.state })
    if (this.contentFrom === this.contentTo) this.contentFrom = from
    this.contentTo = from + text.length
    if (this.settings.onError !== undefined) this.raw.add(text)
  }

  protected markup(text: string, from: number): void {
    this.closeText(from)
    const isAhead = this.id === undefined
    if (isAhead) {
      this.begins = from
      this.raw.clear()
      this.nextId = this.ids.next()
    }
    if (this.settings.onError !== undefined) this.raw.add(text)
    if (this.settings.spans) this.add(markupOf((this.id ?? this.nextId) as string, text, [from, from + text.length]))
  }

  protected start(type: number, at: number): void {
    this.closeText(at)
    if (this.nextId === undefined) {
      this.begins = at
      this.raw.clear()
    }
    this.contentFrom = at
    this.contentTo = at
    this.id = this.nextId ?? this.ids.next()
    this.nextId = undefined
    this.isText = false
    this.state = this.chosen
    this.segmentType = this.chosen?.segmentType ?? (TYPES[type] as string)
    let metadata = this.known
    if (this.toolName !== undefined) {
      const named: SegmentMetadata = { tool_name: this.toolName }
      for (const name of Object.keys(metadata ?? {})) put(named, name, (metadata as SegmentMetadata)[name] as SegmentValue)
      metadata = named
    }
    const isEmpty = metadata === undefined || Object.keys(metadata).length === 0
    this.add(startOf(this.id, this.segmentType, isEmpty ? undefined : metadata, this.span(at, at)))
    this.forget()
  }

  protected end(at: number): void {
    const event = endOf(this.id as string, this.span(at, at))
    placeContent(event, this.contentFrom, this.contentTo)
    this.add(event)
    this.lastEnd = event
    this.id = undefined
    this.state = undefined
  }

  protected name(name: string): void {
    this.forget()
    this.toolName = name
  }

  protected metadata(index: number, value: string): void {
    const name = this.chosen === undefined ? BUILT_IN_METADATA : (this.chosen.metadataArgs[index] as string)
    put((this.known ??= {}), name, value.trim())
  }

  protected attribute(number: number, value: string): void {
    const known = (this.known ??= {})
    if (number === PATH) {
      known['path'] = value
    } else if (number === BACKGROUND) {
      const isOn = booleanOf(value)
      if (isOn !== undefined) known['background'] = isOn
    } else if (/^\s*\d+\s*$/.test(value) && Number(value) > 0) {
      known['timeout_seconds'] = Number(value)
    }
  }

  protected header(json: string): void {
    const header = JSON.parse(json) as SegmentMetadata
    const known: SegmentMetadata = {}
    for (const name of Object.keys(header)) if (name !== 'type') put(known, name, header[name] as SegmentValue)
    this.known = known
  }

  protected drop(): void {
    this.forget()
  }

  protected fault(fault: number, raw: string, from: number, to: number): void {
    const code = FAULTS[fault] as (typeof FAULTS)[number]
    const { settings } = this
    // Behind an END, which it is about.
    const ended = code === 'unterminated' && from === to ? this.lastEnd : undefined
    if (code === 'unterminated' && settings.acceptUnterminated) return
    if (ended !== undefined) markCutOff(ended)
    if (settings.onError === undefined) return
    const begins = ended === undefined ? from : this.begins
    const message = messageOf(code, begins, to, ended === undefined ? null : this.segmentType)
    this.errors.push({ code, message, span: [begins, to], raw: ended === undefined ? raw : this.raw.toString(), segmentId: ended?.segment_id ?? null })
  }

  protected choose(): Uint8Array | null | undefined {
    const state = stateOf(this.toolName as string, this.settings.states)
    this.chosen = state ?? undefined
    return state === undefined || state === null ? state : rowOf(state)
  }

  /** Most chunks make one event, and an array of one costs less than an empty one that grows. */
  private add(event: SegmentEvent): void {
    if (this.events === undefined) this.events = [event]
    else this.events.push(event)
  }

  private forget(): void {
    this.toolName = undefined
    this.chosen = undefined
    this.known = undefined
  }

  private closeText(at: number): void {
    if (this.id === undefined || !this.isText) return
    this.add(endOf(this.id, this.span(at, at)))
    this.id = undefined
    this.isText = false
  }

  private span(from: number, to: number): [number, number] | undefined {
    return this.settings.spans ? [from, to] : undefined
  }

  /** Runs what is the user's, and gives the events. What throws keeps them for the next call. */
  private give(): SegmentEvent[] {
    if (this.transforms.length > 0 || this.errors.length > 0) this.runUserCode()
    const events = this.events ?? []
    this.events = undefined
    return events
  }

  private runUserCode(): void {
    const { transforms, errors } = this
    this.transforms = []
    this.errors = []
    let failure: { readonly error: unknown } | undefined
    for (const { event, state } of transforms) {
      try {
        event.payload.delta = transformed(state, event.payload.delta)
      } catch (cause) {
        failure ??= { error: stateFailed(state, cause) }
      }
    }
    if (transforms.length > 0 && !this.settings.spans) {
      this.events = this.events?.filter((event) => event.type !== 'SEGMENT_CONTENT' || event.payload.delta !== '')
    }
    for (const error of errors) {
      try {
        this.settings.onError?.(error)
      } catch (thrown) {
        failure ??= { error: thrown }
      }
    }
    if (failure !== undefined) throw failure.error
  }
}

function transformed(state: CheckedState, delta: string): string {
  const changed: unknown = state.transform?.(delta)
  if (typeof changed !== 'string') throw new TypeError(`transform must return a string, but returned ${describe(changed)}`)
  return changed
}

function stateFailed(state: CheckedState, cause: unknown): ParseError {
  const said = cause instanceof Error ? cause.message : String(cause)
  return new ParseError('state-failed', `tool state ${JSON.stringify(state.name)}: transform threw: ${said}`, { cause })
}

function booleanOf(value: string): boolean | undefined {
  const word = value.trim().toLowerCase()
  if (word === 'true' || word === '1' || word === 'yes') return true
  return word === 'false' || word === '0' || word === 'no' ? false : undefined
}
