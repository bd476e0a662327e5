// One tool call of a provider's API, from the pieces of its arguments' text.
//
// A call streams its arguments as they are written. One that writes a file
// streams the decoded text for the file, and begins when its path is known.
//
// Source: spec/segment.md, "API tool calls". Differences from AutoByteus, which
// decodes no `\uXXXX`, takes a `path` at any depth, forgets a name that comes
// late, and invokes with `{}` what isn't JSON: here the whole text says whether a
// call is one, read as every call's arguments are (`json/call-arguments.ts`).

import { isNoArguments, mayBeNoArguments, readArguments } from '../json/call-arguments.js'
import { Brackets } from '../json/brackets.js'
import { Joined } from '../joined.js'
import { own, put } from '../own.js'
import type { CallRecords } from '../generated/call-records.js'
import { WrittenArguments } from './written-arguments.js'
import { FileArguments } from './file-arguments.js'
import { NATIVE_CONTEXT, invocationOf } from './invoker.js'
import type { CallArguments } from './json-calls.js'
import { type EventSpan, contentOf, endOf, markupOf, startOf } from './make-events.js'
import { readerOf, requiredArguments } from '../schema/reader.js'
import { type StateTable, stateOf } from './states.js'
import type { KnownTools } from './tool-list.js'
import type {
  JsonSchema,
  SegmentEndPayload,
  SegmentErrorCode,
  SegmentError,
  SegmentEvent,
  SegmentMetadata,
  SegmentValue,
  ToolCallDelta,
  ToolInvocation,
} from './types.js'

/** Receives what happens to calls, in order. */
export interface CallOutlet {
  /** Ends what a new segment ends. */
  beforeStart(): void
  /** The id of the segment that begins, given the provider's id of the call, or `''`. */
  idFor(callId: string): string
  event(event: SegmentEvent): void
  /** `rules`: those by which the arguments were read, a bit each. */
  invocation(invocation: ToolInvocation, rules: number): void
  error(error: SegmentError): void
}

/** What calls are read with. */
export interface CallSettings {
  readonly spans: boolean
  readonly acceptUnterminated: boolean
  readonly maxPending: number
  readonly states: StateTable | undefined
  readonly tools: KnownTools | undefined
  readonly schemas: { readonly [toolName: string]: JsonSchema }
  readonly turnId: string | undefined
  readonly asAutobyteus: boolean
  /** Whether calls that are whole wait for the end of the stream. */
  readonly waits: boolean
}

/** The text of the arguments. */
class Written {
  /** They as they are written, and how much came, including what follows their end. */
  readonly text = new Joined()
  length = 0
  /** Up to where the text was emitted, as content or as markup. */
  emitted = 0
  /** Whether text after the arguments need not be reported any more. */
  isRestReported = false
}

export class ApiCall {
  /** Whether its segment has ended, or will never begin. */
  isOver = false
  name = ''
  private callId = ''
  private reader: WrittenArguments | undefined
  private file: FileArguments | undefined
  private isUnknown = false
  /** The arguments, while they may be absent: white space, or the front of what stands for none. */
  private front: string | undefined = ''
  /** The segment's id, once it has begun. */
  private segment: string | undefined
  /** What the provider says of it besides, and whether that came after its START. */
  private context: ToolInvocation['nativeToolCallContext']
  private isLate = false
  /** What its START says. */
  private known: SegmentMetadata = {}
  private readonly written = new Written()

  /** `place`: how many calls there were before. */
  constructor(
    private readonly settings: CallSettings,
    private readonly outlet: CallOutlet,
    readonly place: number,
  ) {}

  /** Whether it is named, and no arguments came. */
  get isEmpty(): boolean {
    return this.name !== '' && !this.isOver && this.front?.trim() === ''
  }

  /** Whether a name and an id are those of another call. Some servers give every call the index 0. */
  isOther(name: string, callId: string): boolean {
    return name !== '' && callId !== '' && this.callId !== '' && callId !== this.callId
  }

  /** What a piece says of the call, or `''`. The first name, the first id and the last context count. */
  identify(name: string, callId: string, context: ToolCallDelta['native_context']): void {
    if (this.callId === '') this.callId = callId
    if (context && !this.isOver) {
      this.context = { ...context }
      this.isLate = this.segment !== undefined
    }
    if (this.name !== '' || name === '' || this.isOver) return
    const reader = this.readAs(name)
    if (this.file === undefined) this.start('tool_call', { tool_name: name })
    if (this.written.length > 0) this.read(reader, this.written.text.toString())
  }

  private readAs(name: string): WrittenArguments {
    this.name = name
    const { tools } = this.settings
    this.isUnknown = tools !== undefined && !tools.hasExactly(name)
    const file = (this.file = this.isUnknown ? undefined : FileArguments.of(name, this.schema))
    return (this.reader = new WrittenArguments(file ?? NOBODY, file?.names ?? []))
  }

  add(delta: string): void {
    const room = this.isOver ? delta.length : this.settings.maxPending - this.written.length
    if (delta.length <= room) return this.addPart(delta)
    this.addPart(delta.slice(0, room))
    if (!this.isOver)
      this.fail(
        'call-too-long',
        `API call ${this.quoted} is not invoked: its arguments are longer than maxPending, ` +
          `${this.written.length} characters`,
      )
    this.addPart(delta.slice(room))
  }

  private addPart(delta: string): void {
    if (delta === '') return
    this.written.length += delta.length
    if (this.isOver) return this.readRest(delta)
    if (this.front !== undefined) this.front = frontOf(this.front + delta)
    this.written.text.add(delta)
    if (this.reader !== undefined) this.read(this.reader, delta)
  }

  finish(): void {
    if (this.isOver) return
    const { reader, file } = this
    if (reader === undefined)
      return this.fail('missing-name', 'an API call is not invoked: no piece of it named its tool')
    if (this.front !== undefined && isNoArguments(this.front)) return this.finishEmpty()
    if (reader.isClosed) return this.close(reader.endsAt)
    reader.finish()
    if (file !== undefined) this.emitFile(file)
    if (reader.isBad || this.isUnknown)
      return this.failAsJson(undefined, this.front === undefined && !isCutOff(this.written.text.toString()))
    if (!this.settings.acceptUnterminated) {
      return this.fail(
        'unterminated',
        `API call ${this.quoted} is not invoked: it ended inside its arguments, after ${this.written.length} ` +
          'characters of them',
      )
    }
    if (file === undefined || this.segment === undefined) return this.failAsJson(INCOMPLETE)
    if (!file.hasContent) return this.failWithout(file.contentName, { ...INCOMPLETE, missing: file.contentName })
    this.end(fileOf(file, {}), INCOMPLETE)
  }

  /** The program gives up the stream: its segment ends with a payload, and it isn't invoked. */
  abandon(payload: SegmentEndPayload): void {
    if (this.isOver) return
    const { file, segment } = this
    this.reader?.finish()
    if (file !== undefined && segment !== undefined) this.emitFile(file)
    this.isLate = true
    this.emitEnd(segment ?? null, payload)
  }

  /** No arguments came, and none will: the call has none, unless the tool needs some. */
  private finishEmpty(): void {
    const needed = this.file === undefined ? requiredArguments(readerOf(this.schema).ways(this.schema))[0] : 'path'
    if (this.isUnknown) return this.failAsJson()
    if (needed !== undefined) return this.failWithout(needed)
    this.end({})
  }

  /** Reads the last piece of the text. What the reader emits is only noted, so that user code runs after it. */
  private read(reader: WrittenArguments, delta: string): void {
    const from = this.written.length - delta.length
    reader.read(delta)
    const to = reader.isClosed ? reader.endsAt : this.written.length
    if (this.file !== undefined) this.emitFile(this.file)
    else if (to > from) this.emit(to === this.written.length ? delta : delta.slice(0, to - from), from, to)
    if (reader.isClosed && !this.settings.waits) this.close(reader.endsAt)
  }

  /** Emits what is new of a file's content, once its path is known. */
  private emitFile(file: FileArguments): void {
    if (this.segment === undefined) {
      const { path } = file
      if (path === undefined) return
      this.start(file.segmentType, { tool_name: this.name, path })
    }
    const content = file.takeFresh()
    if (content !== '') this.emit(content, file.freshFrom, file.freshTo)
  }

  private start(type: string, metadata: SegmentMetadata): void {
    this.outlet.beforeStart()
    this.segment = this.outlet.idFor(this.callId)
    this.known = metadata
    const event = startOf(this.segment, type, this.metadata, this.span(0, 0))
    if (stateOf(this.name, this.settings.states) != null) event.payload.api = true
    this.outlet.event(event)
  }

  private emit(delta: string, from: number, to: number): void {
    this.emitMarkup(from)
    this.written.emitted = to
    this.outlet.event(contentOf(this.segment as string, delta, this.span(from, to)))
  }

  /** Emits what was skipped up to a place: what comes before a file's content, and after it. */
  private emitMarkup(to: number): void {
    const from = this.written.emitted
    if (!this.settings.spans || to <= from) return
    this.written.emitted = to
    this.outlet.event(markupOf(this.segment ?? null, this.written.text.toString().slice(from, to), [from, to]))
  }

  /** The JSON text is closed: its segment ends, and it is invoked. */
  private close(end: number): void {
    const text = this.written.text.toString()
    const rest = text.slice(end)
    this.written.length = end
    this.invoke(text.slice(0, end))
    this.written.length += rest.length
    this.readRest(rest)
  }

  private invoke(text: string): void {
    const { file } = this
    const read = readArguments(text)
    if ('problem' in read || this.isUnknown) return this.failAsJson(undefined, true)
    const { rules } = read
    const given = read.input as CallArguments
    if (file === undefined) return this.end(given, {}, rules)
    if (this.segment === undefined)
      return this.fail(
        'missing-arguments',
        `API call ${this.quoted} is not invoked: its "path" must be a string that is not blank`,
      )
    const { contentName } = file
    const content = own(given, contentName) ?? undefined
    if (content !== undefined && typeof content !== 'string')
      return this.fail('bad-arguments', `API call ${this.quoted} is not invoked: its "${contentName}" must be a string`)
    if (!file.hasContent) return this.failWithout(contentName, { missing: contentName })
    const others: CallArguments = {}
    for (const name of Object.keys(given))
      if (name !== 'path' && name !== contentName) put(others, name, given[name] as SegmentValue)
    // If a key comes twice, `given` has the last one, but the first one was emitted.
    this.end(fileOf(file, others), Object.keys(others).length === 0 ? {} : { arguments: JSON.stringify(others) }, rules)
  }

  private end(given: CallArguments, payload: SegmentEndPayload = {}, rules = 0): void {
    const id = this.segment as string
    this.emitEnd(id, payload)
    this.invokeAs(id, given, rules)
  }

  private invokeAs(id: string, given: CallArguments, rules: number, error: string | null = null): void {
    const invocation = invocationOf(id, this.name, given, { ...this.settings, context: this.context }, error)
    if (this.callId !== '') invocation.callId = this.callId
    this.outlet.invocation(invocation, rules)
  }

  private failWithout(argument: string, payload?: SegmentEndPayload): void {
    this.fail(
      'missing-arguments',
      `API call ${this.quoted} is not invoked: it has no argument ${JSON.stringify(argument)}`,
      payload,
    )
  }

  /** `isWhole`: the arguments came to their end. */
  private failAsJson(payload?: SegmentEndPayload, isWhole = false): void {
    if (this.isUnknown)
      return this.fail('unknown-tool', `API call ${this.quoted} is not invoked: no tool of this name is in \`tools\``)
    if (isWhole && this.settings.asAutobyteus) return this.markAsJson()
    this.fail(
      'bad-arguments',
      `API call ${this.quoted} is not invoked: its arguments are not a JSON object, or one that is nested ` +
        `deeper than 512`,
      payload,
    )
  }

  /** AutoByteus' programs get such a call, with a mark by which they refuse it. */
  private markAsJson(): void {
    const error = 'the arguments are not a JSON object'
    if (this.segment === undefined) this.start(this.file?.segmentType ?? 'tool_call', { tool_name: this.name })
    const id = this.segment as unknown as string
    this.fail(
      'bad-arguments',
      `API call ${this.quoted} is not to be run: ${error}, or one that is nested deeper than 512`,
      { error: 'bad-arguments', argumentsParseError: error },
    )
    this.invokeAs(id, {}, 0, error)
  }

  /** The call can't be invoked. */
  private fail(
    code: SegmentErrorCode,
    message: string,
    payload: SegmentEndPayload = code === 'unterminated' ? INCOMPLETE : { error: code },
  ): void {
    const raw = this.written.text.toString().slice(0, this.written.length)
    const segmentId = this.segment ?? null
    this.written.isRestReported = true
    this.emitEnd(segmentId, payload)
    this.outlet.error({ code, message, span: [0, this.written.length], raw, segmentId })
  }

  private emitEnd(id: string | null, payload: SegmentEndPayload): void {
    this.emitMarkup(this.written.length)
    this.isOver = true
    this.written.text.clear()
    this.file = this.reader = undefined
    if (id === null) return
    const late = this.isLate ? { metadata: this.metadata } : {}
    this.outlet.event(endOf(id, this.span(this.written.length, this.written.length), { ...payload, ...late }))
  }

  private get metadata(): SegmentMetadata {
    return withContext(this.known, this.context)
  }

  /** Text after the arguments: white space is ignored, anything else is reported once, by where it begins. */
  private readRest(text: string): void {
    if (text === '') return
    const from = this.written.length - text.length
    const segmentId = this.segment ?? null
    if (this.settings.spans) this.outlet.event(markupOf(segmentId, text, [from, this.written.length]))
    const at = this.written.isRestReported ? -1 : text.search(NOT_WHITE)
    if (at === -1) return
    this.written.isRestReported = true
    const message = `text after the arguments of API call ${this.quoted} is left out, from ${from + at} on`
    this.outlet.error({
      code: 'unexpected-text',
      message,
      span: [from + at, from + at + 1],
      raw: text.charAt(at),
      segmentId,
    })
  }

  private span(from: number, to: number): EventSpan {
    return this.settings.spans ? [from, to] : undefined
  }

  private get schema(): JsonSchema | undefined {
    const { schemas } = this.settings
    return Object.hasOwn(schemas, this.name) ? schemas[this.name] : undefined
  }

  private get quoted(): string {
    return JSON.stringify(this.name)
  }
}

/** Anything but JSON's white space. */
const NOT_WHITE = /[^ \t\r\n]/

/** The front of arguments, with one space for white space at its end; undefined once there are some. */
function frontOf(text: string): string | undefined {
  const front = text.trimStart().replace(/\s+$/, ' ')
  return mayBeNoArguments(front.trimEnd()) ? front : undefined
}

/** Receives no argument: none is asked for. */
const NOBODY: CallRecords = { argument() {}, argumentEnd() {} }

function withContext(metadata: SegmentMetadata, context: ToolInvocation['nativeToolCallContext']): SegmentMetadata {
  return context === undefined ? metadata : { ...metadata, [NATIVE_CONTEXT]: context }
}

const INCOMPLETE: SegmentEndPayload = { incomplete: true }

function fileOf(file: FileArguments, others: CallArguments): CallArguments {
  const given: CallArguments = { path: file.path ?? '', [file.contentName]: file.content }
  for (const name of Object.keys(others)) put(given, name, others[name] as SegmentValue)
  return given
}

/** Whether a text that can't be read as JSON, and so has no grammar, ends in the middle. */
function isCutOff(text: string): boolean {
  const brackets = new Brackets()
  brackets.read(text)
  return brackets.isOpen
}
