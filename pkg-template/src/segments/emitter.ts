// Makes segment events from the machine's records.
//
// User code (transforms of tool states, `onError`) runs when all of a
// chunk was read, so that what it throws leaves the parser intact: the events of
// the chunk then come with the next call.

import { count, flag, instance, json, list, maybe, set, shape, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { ParseError, describe } from '../errors.js'
import { SEGMENT_ATTRIBUTES, SEGMENT_FAULTS, SEGMENT_TYPES } from '../generated/ops.js'
import { Joined } from '../joined.js'
import { keptValue } from '../json/value.js'
import { put } from '../own.js'
import { StreamReader } from '../reader.js'
import { jsonIn } from '../schema/words.js'
import { segmentSession } from '../wasm/segments.js'
import { commandArgument, commandValue } from './command-arguments.js'
import { CallFault } from './call-fault.js'
import { messageOf } from './faults.js'
import type { SegmentIds } from './ids.js'
import { objectIn } from './json-calls.js'
import { contentOf, endOf, markupOf, startOf } from './make-events.js'
import { isKnownTool, isKnownType } from './known-tools.js'
import type { Settings } from './options.js'
import { otherArguments } from './other-arguments.js'
import { SegmentDecoder, type SegmentHandler } from './decoder.js'
import { rowOf } from './row.js'
import { type CheckedState, asciiLower, stateOf } from './states.js'
import type {
  SegmentContent,
  SegmentEnd,
  SegmentEndPayload,
  SegmentError,
  SegmentErrorCode,
  SegmentEvent,
  SegmentMetadata,
  SegmentValue,
} from './types.js'

/** The one metadata of the built-in tool states. */
const BUILT_IN_METADATA = 'path'

/** The argument that is the content, by the types of the built-in tool states. */
const BUILT_IN_CONTENT: ReadonlyMap<string, string> = new Map([
  ['write_file', 'content'],
  ['patch_file', 'patch'],
  ['edit_file', 'patch'],
  ['run_bash', 'command'],
])

/** Most of it that is kept, in UTF-16 code units. */
const LONGEST_ASIDE = 1_048_576

/** What a tool has besides its content: its other arguments are in it. */
interface Aside {
  readonly text: Joined
  /** The arguments that are emitted otherwise, in lower case. */
  readonly emitted: ReadonlySet<string>
  size: number
  isTooLong: boolean
  /** Once its segment has ended: the type, where it stands, and its text if someone wants it. */
  type: string
  span: [number, number]
  raw: string | undefined
}

/** Emits the segments of a text. */
export class SegmentEmitter implements SegmentHandler {
  static get saved(): SavedClass {
    return {
      skips: ['settings', 'places', 'state', 'chosen', 'transforms', 'asides', 'abandoned'],
      fields: {
        events: maybe(json),
        id: maybe(text),
        nextId: maybe(text),
        toolName: maybe(text),
        known: maybe(json),
        openMetadata: maybe(json),
        others: list(text),
        callee: maybe(shape<{ type: string; name: string }>({ type: text, name: text })),
        aside: maybe(
          shape<Aside>({
            text: instance(Joined),
            emitted: set(text),
            size: count,
            isTooLong: flag,
            type: text,
            span: list(count),
            raw: maybe(text),
          }),
        ),
        lastEnd: maybe(json),
        errors: json,
      },
    }
  }
  private readonly reader: StreamReader
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
  /** What its START knew. */
  private openMetadata: SegmentMetadata | undefined
  /** Whether the markup before its content opens CDATA, and whether its content is that. */
  private isAfterCdata = false
  private isLiteral = false
  /** Where its content stands. */
  private contentFrom = 0
  private contentTo = 0
  /** The id of the segment whose markup was read, and that begins after it. */
  private nextId: string | undefined
  /** What is known of the segment that may begin. */
  private toolName: string | undefined
  private chosen: CheckedState | undefined
  private known: SegmentMetadata | undefined
  /** Attributes of the tag that are not known, each after its name. */
  private others: string[] = []
  /** What a JSON text or a sentinel calls. */
  private callee: { readonly type: string; readonly name: string } | undefined
  /** The markup before the segment that may begin, and of the open one if it is a tool with arguments. */
  private readonly ahead = new Joined()
  private aside: Aside | undefined
  private isMissing = false
  private lastEnd: SegmentEnd | undefined
  /** What is said at the end of what is open, while a stream is given up. */
  private abandoned: SegmentEndPayload | undefined
  private errors: SegmentError[] = []
  private transforms: { readonly event: SegmentContent; readonly state: CheckedState }[] = []
  /** `errors`: how many there were before the end. */
  private asides: { readonly end: SegmentEnd; readonly aside: Aside; readonly errors: number }[] = []

  /** `places` gets where contents stand, by their segments' ids. */
  constructor(
    private readonly settings: Settings,
    private readonly ids: SegmentIds,
    private readonly places?: Map<string, readonly [from: number, to: number]>,
  ) {
    const { machine, maxPending } = settings
    this.reader = new StreamReader(segmentSession(machine), new SegmentDecoder(this, machine.flags), maxPending)
  }

  /** The names of the tool states that the open segment has, and the one that may begin. */
  get states(): readonly string[] {
    return [this.state?.name ?? '', this.chosen?.name ?? '']
  }

  /** Takes tool states by their names, before its state is restored; gives a name that there is no state of. */
  prepare([state = '', chosen = '']: readonly string[]): string | undefined {
    const { states } = this.settings
    this.state = stateOf(state, states) ?? undefined
    this.chosen = stateOf(chosen, states) ?? undefined
    if (state !== '' && this.state === undefined) return state
    return chosen !== '' && this.chosen === undefined ? chosen : undefined
  }

  /** Reads a chunk. */
  feed(chunk: string): SegmentEvent[] {
    this.reader.read(chunk)
    return this.give()
  }

  /** The end of the stream: what is open ends. */
  finalize(): SegmentEvent[] {
    this.reader.finish()
    this.closeText(this.reader.offset)
    return this.give()
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
    return this.give()
  }

  /** The start of a new stream. */
  reset(): void {
    this.reader.restart()
    this.events = undefined
    this.errors = []
    this.transforms = []
    this.asides = []
    this.places?.clear()
    this.aside = undefined
    this.ahead.clear()
    this.isMissing = false
    this.id = undefined
    this.nextId = undefined
    this.forget()
  }

  /** The open segment. */
  get open(): { readonly id: string; readonly type: string } | undefined {
    return this.id === undefined ? undefined : { id: this.id, type: this.segmentType }
  }

  text(text: string, from: number): void {
    if (this.id === undefined) {
      this.id = this.ids.next()
      this.segmentType = 'text'
      this.isText = true
      this.add(startOf(this.id, 'text', undefined, this.span(from, from)))
    }
    this.add(contentOf(this.id, text, this.span(from, from + text.length)))
  }

  content(text: string, from: number): void {
    const event = contentOf(this.id as string, text, this.span(from, from + text.length))
    this.add(event)
    this.isLiteral ||= this.isAfterCdata
    if (this.state?.transform !== undefined) this.transforms.push({ event, state: this.state })
    if (this.contentFrom === this.contentTo) this.contentFrom = from
    this.contentTo = from + text.length
    if (this.settings.onError !== undefined) this.raw.add(text)
  }

  markup(text: string, from: number): void {
    this.closeText(from)
    const isAhead = this.id === undefined
    if (isAhead) {
      this.begins = from
      this.raw.clear()
      this.nextId = this.ids.next()
    }
    if (this.settings.onError !== undefined) this.raw.add(text)
    this.isAfterCdata = !isAhead && this.contentFrom === this.contentTo && text.endsWith('<![CDATA[')
    if (isAhead || this.aside !== undefined) this.keepMarkup(text)
    if (this.settings.spans) this.add(markupOf((this.id ?? this.nextId) as string, text, [from, from + text.length]))
  }

  stray(text: string, from: number): void {
    if (this.settings.spans) this.add(markupOf(null, text, [from, from + text.length]))
  }

  start(type: number, at: number): void {
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
    this.segmentType = this.chosen?.segmentType ?? (SEGMENT_TYPES[type] as string)
    if (this.others.length > 0) this.takeOthers()
    let metadata = this.known
    if (this.toolName !== undefined) {
      const named: SegmentMetadata = { tool_name: this.toolName }
      for (const name of Object.keys(metadata ?? {}))
        put(named, name, (metadata as SegmentMetadata)[name] as SegmentValue)
      metadata = named
    }
    const contentArg = this.contentArgument()
    this.aside =
      contentArg === undefined || this.toolName === undefined
        ? undefined
        : asideOf(contentArg, Object.keys(metadata ?? {}))
    if (this.aside !== undefined && !this.ahead.isEmpty) this.keepMarkup(this.ahead.toString())
    this.ahead.clear()
    const isEmpty = metadata === undefined || Object.keys(metadata).length === 0
    this.openMetadata = isEmpty ? undefined : metadata
    this.isAfterCdata = this.isLiteral = false
    this.add(startOf(this.id, this.segmentType, this.openMetadata, this.span(at, at)))
    this.forget()
  }

  end(at: number): void {
    const event = endOf(this.id as string, this.span(at, at), this.abandonedWith(this.openMetadata))
    if (this.isLiteral && this.segmentType === 'run_bash' && this.settings.asAutobyteus) event.payload.literal = true
    if (this.abandoned !== undefined) this.isMissing = false
    if (this.isMissing)
      event.payload.missing = this.state?.contentArg ?? BUILT_IN_CONTENT.get(this.segmentType) ?? 'content'
    if (this.abandoned !== undefined) this.aside = undefined
    if (this.aside?.isTooLong === true) this.failLong(event, at)
    else if (this.aside !== undefined) {
      const { segmentType: type, begins, settings } = this
      this.asides.push({
        end: event,
        aside: { ...this.aside, type, span: [begins, at], raw: settings.onError && this.raw.toString() },
        errors: this.errors.length,
      })
    }
    this.places?.set(event.segment_id, [this.contentFrom, this.contentTo])
    this.add(event)
    this.lastEnd = event
    this.isMissing = false
    this.aside = undefined
    this.id = undefined
    this.state = undefined
  }

  name(name: string): void {
    this.chosen = undefined
    this.known = undefined
    this.toolName = name
  }

  metadata(index: number, value: string): void {
    const name = this.chosen === undefined ? BUILT_IN_METADATA : (this.chosen.metadataArgs[index] as string)
    put((this.known ??= {}), name, value.trim())
  }

  attribute(number: number, value: string): void {
    const name = SEGMENT_ATTRIBUTES[number] as (typeof SEGMENT_ATTRIBUTES)[number]
    if (name === 'background' && this.settings.asAutobyteus) return
    const read = name === 'path' ? value : commandValue(name, value)
    if (read !== undefined) (this.known ??= {})[name] = read
  }

  otherName(name: string): void {
    this.others.push(name)
  }

  otherValue(value: string): void {
    this.others.push(value)
  }

  missing(): void {
    this.isMissing = true
  }

  called(type: number, name: string): void {
    this.callee = { type: SEGMENT_TYPES[type] as string, name }
  }

  header(json: string): void {
    const header: SegmentMetadata = objectIn(json) ?? {}
    const known: SegmentMetadata = {}
    for (const name of Object.keys(header)) if (name !== 'type') put(known, name, header[name] as SegmentValue)
    this.known = known
  }

  drop(): void {
    this.forget()
  }

  fault(fault: number, raw: string, from: number, to: number): void {
    if (this.abandoned !== undefined) return
    const code = SEGMENT_FAULTS[fault] as (typeof SEGMENT_FAULTS)[number]
    const { settings } = this
    // It comes after the END that it is about.
    const ended = (code === 'unterminated' || code === 'bad-arguments') && from === to ? this.lastEnd : undefined
    if (ended !== undefined) {
      if (code === 'unterminated') ended.payload.incomplete = true
      else ended.payload.error = code
    }
    if (code === 'unterminated' && settings.acceptUnterminated) return
    if (settings.onError === undefined) return
    const begins = ended === undefined ? from : this.begins
    const message = messageOf(code, begins, to, ended === undefined ? null : this.segmentType)
    this.errors.push({
      code,
      message,
      span: [begins, to],
      raw: ended === undefined ? raw : this.raw.toString(),
      segmentId: ended?.segment_id ?? null,
    })
  }

  isKnown(): boolean {
    const { tools, states } = this.settings
    const { type, name } = this.callee as { readonly type: string; readonly name: string }
    return type === 'tool_call' ? isKnownTool(decoded(name), tools, states) : isKnownType(type, tools)
  }

  row(): Uint8Array | null | undefined | false {
    const { tools, states } = this.settings
    if (!isKnownTool(this.toolName as string, tools, states)) return false
    const state = stateOf(this.toolName as string, states)
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
    this.others = []
  }

  /** The argument that is the content of the segment that begins, if its tool has one. */
  private contentArgument(): string | undefined {
    if (this.chosen !== undefined) return this.chosen.contentArg
    return BUILT_IN_CONTENT.get(this.segmentType)
  }

  /** Other attributes: the legacy tags have arguments there, and so has the tag of a command. */
  private takeOthers(): void {
    for (let at = 0; at + 1 < this.others.length; at += 2) {
      const written = this.others[at] as string
      const value = this.others[at + 1] as string
      const argument = this.segmentType === 'run_bash' ? commandArgument(written) : undefined
      if (
        argument === undefined ? this.toolName !== undefined : argument === 'background' && this.settings.asAutobyteus
      )
        continue
      const name = argument ?? written
      const read = argument === undefined ? value : commandValue(argument, value)
      if (read !== undefined && !Object.hasOwn(this.known ?? {}, name)) put((this.known ??= {}), name, read)
    }
  }

  /** Keeps markup in which arguments may be. */
  private keepMarkup(text: string): void {
    const { aside } = this
    if (aside === undefined) return this.ahead.add(text)
    aside.size += text.length
    aside.isTooLong ||= aside.size > LONGEST_ASIDE
    if (!aside.isTooLong) aside.text.add(text)
  }

  /** A tool has more arguments than may be kept. */
  private failLong(end: SegmentEnd, at: number): void {
    end.payload.error = 'call-too-long'
    if (this.settings.onError === undefined) return
    const message =
      `${this.segmentType} opened at ${this.begins} has more than ${LONGEST_ASIDE} characters ` +
      `besides its content: it is not called`
    this.errors.push({
      code: 'call-too-long',
      message,
      span: [this.begins, at],
      raw: this.raw.toString(),
      segmentId: end.segment_id,
    })
  }

  /** The arguments of a tool can't be what the model meant. */
  private failArguments(end: SegmentEnd, { code, message }: CallFault, { type, span, raw }: Aside, at: number): void {
    if (end.payload.incomplete === true || end.payload.error !== undefined) return
    end.payload.error = code as SegmentErrorCode
    const error = {
      code,
      message: `${type} is not called: ${message}`,
      span,
      raw: raw ?? '',
      segmentId: end.segment_id,
    }
    if (this.settings.onError !== undefined) this.errors.splice(at, 0, error)
  }

  /** Adds the other arguments, besides the content, to the ends of tools. */
  private addArguments(): void {
    const { asides } = this
    this.asides = []
    // From the last on, so that the places of the others stay.
    for (const { end, aside, errors } of asides.reverse()) {
      const rest = otherArguments(aside.text.toString(), aside.emitted)
      if (rest instanceof CallFault) this.failArguments(end, rest, aside, errors)
      else if (rest !== '') end.payload.arguments = rest
    }
  }

  private closeText(at: number): void {
    if (this.id === undefined || !this.isText) return
    this.add(endOf(this.id, this.span(at, at), this.abandonedWith(undefined)))
    this.id = undefined
    this.isText = false
  }

  /** The payload of an END: of a stream that is given up that it is so, with what the START knew. */
  private abandonedWith(metadata: SegmentMetadata | undefined): SegmentEndPayload {
    return {
      ...this.abandoned,
      ...(this.abandoned === undefined || metadata === undefined ? {} : { metadata: { ...metadata } }),
    }
  }

  private span(from: number, to: number): [number, number] | undefined {
    return this.settings.spans ? [from, to] : undefined
  }

  /** Runs the user's code, and gives the events. If that throws, they come with the next call. */
  private give(): SegmentEvent[] {
    if (this.asides.length > 0) this.addArguments()
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
  if (typeof changed !== 'string')
    throw new TypeError(`transform must return a string, but returned ${describe(changed)}`)
  return changed
}

function stateFailed(state: CheckedState, cause: unknown): ParseError {
  const said = cause instanceof Error ? cause.message : String(cause)
  return new ParseError('state-failed', `tool state ${JSON.stringify(state.name)}: transform threw: ${said}`, { cause })
}

function asideOf(contentArg: string, metadata: readonly string[]): Aside {
  return {
    text: new Joined(),
    emitted: new Set([contentArg, ...metadata].map(asciiLower)),
    size: 0,
    isTooLong: false,
    type: '',
    span: [0, 0],
    raw: undefined,
  }
}

/** The name in a JSON string; as it is written if that is not valid JSON. */
function decoded(name: string): string {
  const text = `"${name}"`
  return ((jsonIn(text) ?? keptValue(text)) as string | undefined) ?? name
}
