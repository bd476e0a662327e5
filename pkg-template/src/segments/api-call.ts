// One tool call of a provider's API, from the pieces of its arguments' text.
//
// A call streams its arguments as they are written. One that writes a file
// streams the decoded text for the file, and begins when its path is known.
//
// Source: spec/segment.md, "API tool calls". Differences from AutoByteus, which
// decodes no `\uXXXX`, takes a `path` at any depth, forgets a name that comes
// late, and invokes with `{}` what is no JSON: here `JSON.parse` of the whole
// text says whether a call is one.

import { Joined } from '../joined.js'
import { markApiStart } from './api-start.js'
import { CallReader, type CallTeller } from './call-reader.js'
import { markCutOff } from './cut-off.js'
import { FileArguments } from './file-arguments.js'
import { objectIn } from './json-calls.js'
import { type EventSpan, contentOf, endOf, markupOf, startOf } from './make-events.js'
import type { SegmentErrorCode, SegmentError, SegmentEvent, SegmentMetadata, SegmentValue, ToolInvocation } from './types.js'

/** Who is told of calls, in order. */
export interface CallOutlet {
  /** Ends what a new segment ends. */
  beforeStart(): void
  /** The id of the segment that begins, given the provider's id of the call, or `''`. */
  idFor(callId: string): string
  event(event: SegmentEvent): void
  invocation(invocation: ToolInvocation): void
  error(error: SegmentError): void
}

/** What calls are read with. */
export interface CallSettings {
  readonly spans: boolean
  readonly acceptUnterminated: boolean
  readonly maxPending: number
}

/** One call. */
export class ApiCall {
  /** Whether its segment has ended, or will never begin. */
  isOver = false
  private name = ''
  private callId = ''
  private reader: CallReader | undefined
  private file: FileArguments | undefined
  /** The segment's id, once it has begun. */
  private segment: string | undefined
  /** The arguments as they are written, and how much came, with what is behind their end. */
  private readonly text = new Joined()
  private length = 0
  /** Up to where the text was told, as content or as markup. */
  private told = 0
  /** Whether text behind the arguments is nothing to tell of any more. */
  private isBehindKnown = false

  constructor(
    private readonly settings: CallSettings,
    private readonly outlet: CallOutlet,
  ) {}

  /** Whether a name and an id are those of another call. Some servers give every call the index 0. */
  isOther(name: string, callId: string): boolean {
    return name !== '' && callId !== '' && this.callId !== '' && callId !== this.callId
  }

  /** What a piece says of the call, or `''`. The first name and the first id count. */
  identify(name: string, callId: string): void {
    if (this.callId === '') this.callId = callId
    if (this.name !== '' || name === '' || this.isOver) return
    this.name = name
    const file = (this.file = FileArguments.of(name))
    this.reader = new CallReader(file ?? NOBODY, file?.names ?? [])
    if (file === undefined) this.start('tool_call', { tool_name: name })
    if (this.length > 0) this.read(this.reader, this.text.toString())
  }

  /** More of the arguments' text. */
  add(delta: string): void {
    const room = this.isOver ? delta.length : this.settings.maxPending - this.length
    if (delta.length <= room) return this.addPart(delta)
    this.addPart(delta.slice(0, room))
    if (!this.isOver) this.fail('call-too-long', `API call ${this.quoted} is not invoked: its arguments are longer than maxPending, ${this.length} characters`)
    this.addPart(delta.slice(room))
  }

  private addPart(delta: string): void {
    if (delta === '') return
    this.length += delta.length
    if (this.isOver) return this.readBehind(delta)
    this.text.add(delta)
    if (this.reader !== undefined) this.read(this.reader, delta)
  }

  /** The stream is over. */
  finish(): void {
    if (this.isOver) return
    const { reader, file } = this
    if (reader === undefined) return this.fail('missing-name', 'an API call is not invoked: no piece of it named its tool')
    reader.finish()
    if (file !== undefined) this.tellFile(file)
    const { acceptUnterminated } = this.settings
    if (acceptUnterminated && !reader.isBad && file !== undefined && this.segment !== undefined) return this.end(fileOf(file))
    if (acceptUnterminated || reader.isBad) return this.failAsJson()
    this.fail('unterminated', `API call ${this.quoted} is not invoked: the stream ended inside its arguments, after ${this.length} characters of them`)
  }

  /** Reads the last piece of the text. What the reader tells is only noted, so that user code runs after it. */
  private read(reader: CallReader, delta: string): void {
    const from = this.length - delta.length
    reader.read(delta)
    const to = reader.isClosed ? reader.end : this.length
    if (this.file !== undefined) this.tellFile(this.file)
    else if (to > from) this.tell(to === this.length ? delta : delta.slice(0, to - from), from, to)
    if (reader.isClosed) this.close(reader.end)
  }

  /** Tells what is new of a file's content, when its path is known. */
  private tellFile(file: FileArguments): void {
    if (this.segment === undefined) {
      const { path } = file
      if (path === undefined) return
      this.start(file.segmentType, { tool_name: this.name, path })
    }
    const content = file.takeFresh()
    if (content !== '') this.tell(content, file.freshFrom, file.freshTo)
  }

  private start(type: string, metadata: SegmentMetadata): void {
    this.outlet.beforeStart()
    this.segment = this.outlet.idFor(this.callId)
    const event = startOf(this.segment, type, metadata, this.span(0, 0))
    markApiStart(event)
    this.outlet.event(event)
  }

  private tell(delta: string, from: number, to: number): void {
    this.tellMarkup(from)
    this.told = to
    this.outlet.event(contentOf(this.segment as string, delta, this.span(from, to)))
  }

  /** Tells what was passed over up to a place. That is in front of a file's content, and behind it. */
  private tellMarkup(to: number): void {
    const from = this.told
    if (!this.settings.spans || to <= from) return
    this.told = to
    this.outlet.event(markupOf(this.segment ?? null, this.text.toString().slice(from, to), [from, to]))
  }

  /** The JSON text is closed: its segment ends, and it is invoked. */
  private close(end: number): void {
    const text = this.text.toString()
    const behind = text.slice(end)
    this.length = end
    this.invoke(text.slice(0, end))
    this.length += behind.length
    this.readBehind(behind)
  }

  private invoke(text: string): void {
    const { file } = this
    const given = objectIn(text)
    if (given === undefined) return this.failAsJson()
    if (file === undefined) return this.end(given)
    if (this.segment === undefined) return this.fail('missing-argument', `API call ${this.quoted} is not invoked: its "path" must be a string that is not blank`)
    const content = given[file.contentName] ?? ''
    if (typeof content !== 'string') return this.fail('bad-arguments', `API call ${this.quoted} is not invoked: its "${file.contentName}" must be a string`)
    // Of a key that is there twice `given` has the last one, but the first one was told.
    this.end(fileOf(file))
  }

  private end(given: Record<string, SegmentValue>): void {
    const id = this.segment as string
    this.tellEnd(id, false)
    const invocation: ToolInvocation = { id, name: this.name, arguments: given }
    if (this.callId !== '') invocation.callId = this.callId
    this.outlet.invocation(invocation)
  }

  private failAsJson(): void {
    this.fail('bad-arguments', `API call ${this.quoted} is not invoked: its arguments are no JSON object, or one that is nested deeper than 512`)
  }

  /** The call can't be invoked. */
  private fail(code: SegmentErrorCode, message: string): void {
    const raw = this.text.toString().slice(0, this.length)
    const segmentId = this.segment ?? null
    this.isBehindKnown = true
    this.tellEnd(segmentId, true)
    this.outlet.error({ code, message, span: [0, this.length], raw, segmentId })
  }

  private tellEnd(id: string | null, isCutOff: boolean): void {
    this.tellMarkup(this.length)
    this.isOver = true
    this.text.clear()
    this.file = undefined
    if (id === null) return
    const event = endOf(id, this.span(this.length, this.length))
    if (isCutOff) markCutOff(event)
    this.outlet.event(event)
  }

  /** Text behind the arguments: white space is nothing, anything else is told once, by where it begins. */
  private readBehind(text: string): void {
    if (text === '') return
    const from = this.length - text.length
    const segmentId = this.segment ?? null
    if (this.settings.spans) this.outlet.event(markupOf(segmentId, text, [from, this.length]))
    const at = this.isBehindKnown ? -1 : text.search(NOT_WHITE)
    if (at === -1) return
    this.isBehindKnown = true
    const message = `text behind the arguments of API call ${this.quoted} is left out, from ${from + at} on`
    this.outlet.error({ code: 'unexpected-text', message, span: [from + at, from + at + 1], raw: text.charAt(at), segmentId })
  }

  private span(from: number, to: number): EventSpan {
    return this.settings.spans ? [from, to] : undefined
  }

  private get quoted(): string {
    return JSON.stringify(this.name)
  }
}

/** Anything but JSON's white space. */
const NOT_WHITE = /[^ \t\r\n]/

/** Is told of no argument: none is asked for. */
const NOBODY: CallTeller = { argument() {}, argumentEnd() {} }

function fileOf(file: FileArguments): Record<string, SegmentValue> {
  return { path: file.path ?? '', [file.contentName]: file.content }
}
