// Makes segment events from the machine's records.

import { SEGMENT_ATTRIBUTES, SEGMENT_FAULTS, SEGMENT_TYPES } from '../generated/ops.js'
import { keptValue } from '../json/value.js'
import { put } from '../own.js'
import { StreamReader } from '../stream-reader.js'
import { jsonIn } from '../untrusted.js'
import { segmentSession } from '../wasm/segments.js'
import { BUILT_IN, stateOf } from './states.js'
import { commandValue } from './command-arguments.js'
import { SegmentDecoder, type SegmentHandler } from './decoder.js'
import { messageOf } from './faults.js'
import type { SegmentIds } from './ids.js'
import { objectIn } from './json-calls.js'
import { isKnownTool, isKnownType } from './tool-list.js'
import { contentOf, endOf, markupOf, startOf } from './make-events.js'
import { NextSegment, OpenSegment } from './next-segment.js'
import type { Settings } from './options.js'
import { asideOf, keepAside } from './other-arguments.js'
import { rowOf } from './row.js'
import { SegmentEvents } from './segment-events.js'
import type { SegmentEnd, SegmentEndPayload, SegmentEvent, SegmentMetadata, SegmentValue } from './types.js'

/** The one metadata of the built-in tool states. */
const BUILT_IN_METADATA = 'path'

/** Emits the segments of a text. */
export class SegmentEmitter implements SegmentHandler {
  private readonly reader: StreamReader
  private segment = new OpenSegment()
  private next = new NextSegment()
  private events: SegmentEvents
  /** What the END of what is open says, while a stream is given up. */
  private abandoned: SegmentEndPayload | undefined

  /** `places` gets where contents stand, by their segments' ids. */
  constructor(
    private readonly settings: Settings,
    private readonly ids: SegmentIds,
    readonly places?: Map<string, readonly [from: number, to: number]>,
  ) {
    const { machine, maxPending } = settings
    this.reader = new StreamReader(segmentSession(machine), new SegmentDecoder(this, machine.flags), maxPending)
    this.events = new SegmentEvents(settings)
  }

  /** Reads a chunk. */
  feed(chunk: string): SegmentEvent[] {
    this.reader.read(chunk)
    return this.events.give()
  }

  /** The end of the stream: what is open ends. */
  finalize(): SegmentEvent[] {
    this.reader.finish()
    return this.endText()
  }

  /**
   * The end of a stream that is given up: what is pending comes out, and what is open ends with a payload. Nothing is
   * wrong with it.
   */
  abandon(payload: SegmentEndPayload): SegmentEvent[] {
    this.abandoned = payload
    try {
      return this.finalize()
    } finally {
      this.abandoned = undefined
    }
  }

  /** Ends the open text, if text is open: what comes next isn't text. */
  endText(): SegmentEvent[] {
    this.closeText(this.reader.offset)
    return this.events.give()
  }

  /** The start of a new stream. */
  reset(): void {
    this.reader.reset()
    this.places?.clear()
    this.segment = new OpenSegment()
    this.next = new NextSegment()
    this.events = new SegmentEvents(this.settings)
  }

  /** The open segment. */
  get open(): { readonly id: string; readonly type: string } | undefined {
    const { id, type } = this.segment
    return id === undefined ? undefined : { id, type }
  }

  text(text: string, from: number): void {
    const { segment } = this
    if (segment.id === undefined) {
      segment.id = this.ids.next()
      segment.type = 'text'
      segment.isText = true
      this.events.add(startOf(segment.id, 'text', undefined, this.span(from, from)))
    }
    this.events.add(contentOf(segment.id, text, this.span(from, from + text.length)))
  }

  content(text: string, from: number): void {
    const { segment, events } = this
    const event = contentOf(segment.id as string, text, this.span(from, from + text.length))
    events.add(event)
    if (segment.state?.transform !== undefined) events.transforms.push({ event, state: segment.state })
    segment.isLiteral ||= segment.isAfterCdata
    if (segment.isEmpty) segment.contentFrom = from
    segment.contentTo = from + text.length
    if (this.settings.onError !== undefined) segment.raw.add(text)
  }

  markup(text: string, from: number): void {
    this.closeText(from)
    const { segment, next } = this
    const isAhead = segment.id === undefined
    if (isAhead) {
      segment.begin(from)
      next.id = this.ids.next()
      next.ahead.add(text)
    } else if (segment.aside !== undefined) {
      keepAside(segment.aside, text)
    }
    if (this.settings.onError !== undefined) segment.raw.add(text)
    segment.isAfterCdata = !isAhead && segment.isEmpty && text.endsWith('<![CDATA[')
    if (this.settings.spans)
      this.events.add(markupOf((segment.id ?? next.id) as string, text, [from, from + text.length]))
  }

  stray(text: string, from: number): void {
    if (this.settings.spans) this.events.add(markupOf(null, text, [from, from + text.length]))
  }

  start(type: number, at: number): void {
    this.closeText(at)
    const { segment, next } = this
    const { id = this.ids.next(), state, tool, ahead } = next
    if (next.id === undefined) segment.begin(at)
    segment.id = id
    segment.type = state?.segmentType ?? (SEGMENT_TYPES[type] as string)
    segment.isText = false
    segment.state = state
    segment.metadata = next.metadata(segment.type, this.settings.asAutobyteus)
    segment.contentFrom = segment.contentTo = at
    segment.isAfterCdata = segment.isLiteral = false
    const contentArg = state === undefined ? BUILT_IN.get(segment.type)?.content : state.contentArg
    segment.aside =
      contentArg === undefined || tool === undefined
        ? undefined
        : asideOf([contentArg, ...Object.keys(segment.metadata ?? {})], ahead.toString())
    this.events.add(startOf(id, segment.type, segment.metadata, this.span(at, at)))
    next.id = undefined
    ahead.clear()
    next.forget()
  }

  end(at: number): void {
    const { segment, abandoned, settings } = this
    const { type, aside, begins } = segment
    const event = this.ending(at, segment.metadata)
    if (segment.isLiteral && type === 'run_bash' && settings.asAutobyteus) event.payload.literal = true
    if (segment.isMissing && abandoned === undefined)
      event.payload.missing = segment.state?.contentArg ?? BUILT_IN.get(type)?.content ?? 'content'
    if (aside !== undefined && abandoned === undefined)
      this.events.endTool({ end: event, aside, type, span: [begins, at], raw: segment.raw.toString() })
    this.places?.set(event.segment_id, [segment.contentFrom, segment.contentTo])
    this.events.add(event)
    segment.end = event
    segment.isMissing = false
    segment.aside = undefined
    segment.id = undefined
    segment.state = undefined
  }

  name(name: string): void {
    const { next } = this
    next.state = undefined
    next.known = undefined
    next.tool = name
  }

  metadata(index: number, value: string): void {
    const { next } = this
    const name = next.state === undefined ? BUILT_IN_METADATA : (next.state.metadataArgs[index] as string)
    put((next.known ??= {}), name, value.trim())
  }

  attribute(number: number, value: string): void {
    const name = SEGMENT_ATTRIBUTES[number] as (typeof SEGMENT_ATTRIBUTES)[number]
    if (name === 'background' && this.settings.asAutobyteus) return
    const read = name === 'path' ? value : commandValue(name, value)
    if (read !== undefined) (this.next.known ??= {})[name] = read
  }

  otherName(name: string): void {
    this.next.others.push(name)
  }

  otherValue(value: string): void {
    this.next.others.push(value)
  }

  missing(): void {
    this.segment.isMissing = true
  }

  called(type: number, name: string): void {
    this.next.callee = { type: SEGMENT_TYPES[type] as string, name }
  }

  header(json: string): void {
    const header: SegmentMetadata = objectIn(json) ?? {}
    const known: SegmentMetadata = {}
    for (const name of Object.keys(header)) if (name !== 'type') put(known, name, header[name] as SegmentValue)
    this.next.known = known
  }

  drop(): void {
    this.next.forget()
  }

  fault(fault: number, raw: string, from: number, to: number): void {
    if (this.abandoned !== undefined) return
    const code = SEGMENT_FAULTS[fault] as (typeof SEGMENT_FAULTS)[number]
    const { settings, segment } = this
    // It comes after the END that it is about.
    const ended = (code === 'unterminated' || code === 'bad-arguments') && from === to ? segment.end : undefined
    if (ended !== undefined) {
      if (code === 'unterminated') ended.payload.incomplete = true
      else ended.payload.error = code
    }
    if (code === 'unterminated' && settings.acceptUnterminated) return
    if (settings.onError === undefined) return
    const begins = ended === undefined ? from : segment.begins
    const message = messageOf(code, begins, to, ended === undefined ? null : segment.type)
    this.events.errors.push({
      code,
      message,
      span: [begins, to],
      raw: ended === undefined ? raw : segment.raw.toString(),
      segmentId: ended?.segment_id ?? null,
    })
  }

  isKnown(): boolean {
    const { tools, states } = this.settings
    const { type, name } = this.next.callee as { readonly type: string; readonly name: string }
    return type === 'tool_call' ? isKnownTool(decoded(name), tools, states) : isKnownType(type, tools)
  }

  row(): Uint8Array | null | undefined | false {
    const { tools, states } = this.settings
    const name = this.next.tool as string
    if (!isKnownTool(name, tools, states)) return false
    const state = stateOf(name, states)
    this.next.state = state ?? undefined
    return state === undefined || state === null ? state : rowOf(state)
  }

  private closeText(at: number): void {
    const { segment } = this
    if (segment.id === undefined || !segment.isText) return
    this.events.add(this.ending(at, undefined))
    segment.id = undefined
    segment.isText = false
  }

  /** The END of what is open. Of a stream that is given up it says so, with what the START knew. */
  private ending(at: number, metadata: SegmentMetadata | undefined): SegmentEnd {
    const { abandoned } = this
    const known = abandoned === undefined || metadata === undefined ? {} : { metadata: { ...metadata } }
    return endOf(this.segment.id as string, this.span(at, at), { ...abandoned, ...known })
  }

  private span(from: number, to: number): [number, number] | undefined {
    return this.settings.spans ? [from, to] : undefined
  }
}

/** The name in a JSON string; as it is written if that is not valid JSON. */
function decoded(name: string): string {
  const text = `"${name}"`
  return ((jsonIn(text) ?? keptValue(text)) as string | undefined) ?? name
}
