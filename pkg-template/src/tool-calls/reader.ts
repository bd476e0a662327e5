// The only decoder of tool-call records. The loop that feeds the machine is in
// holding-reader.ts.
//
// The numbers here are those of src/tool_call/op.rs and src/tool_call/machine/mod.rs.

import { HoldingReader } from '../holding-reader.js'
import { type JsonTeller, tellJson } from '../json-ops.js'
import { isHighHalf } from '../surrogates.js'
import { COUNT, WAITS } from '../wasm/border.js'
import { engine } from '../wasm/engine.js'
import { REASONING_SEARCH, type ToolCallSession, answerToolCall, finishToolCalls, giveUpToolCall, isInToolCall, passToolCalls, restartToolCalls, runToolCalls, settleToolCalls } from '../wasm/tool-calls.js'
import { XmlRecords, type XmlTeller } from '../xml-ops.js'

/** The first number of elements, and the first of calls; below them are those of JSON. */
const XML = 16
const OWN = 32

const TEXT = 32
const BEGIN = 33
const NAME = 34
const NAME_CHARACTER = 35
const NAME_END = 36
const ARGUMENTS = 37
const DONE = 38
const END = 39
const FAIL = 40
const FAILED = 41
const FAIL_END = 42
const NO_CALL = 43
const CHECK = 44
const QUOTED = 45
const REASONING = 46
const REASONED = 47
const REOPENED = 48
const REASONING_END = 49
const WHOLE = 50
const KEY = 51

const MODE_TEXT = 1
const MODE_STRING = 2
const MODE_SILENT = 3
const MODE_ELEMENT = 4
const MODE_FAILED = 5
const MODE_REASONING = 6

/** What ends the plain text of a string, and of an element. */
const STRING_ENDS = /["\\\u0000-\u001f]/
const ELEMENT_ENDS = /[<&]/

/** Why a segment makes no call, by the numbers of `Why`. */
const REASONS = ['malformed', 'unfinished', 'nested', 'no-name', 'too-long', 'rejected', 'ambiguous', 'mentioned'] as const

/** Why a segment makes no call. `rejected`: by the answer to a question; `mentioned`: text follows its start tag. */
export type Reason = (typeof REASONS)[number]

/** What becomes of what is asked about, by the numbers of `Answer`. */
export const ACCEPT = 0
export const RAW = 1
export const REJECT = 2
export const MALFORMED = 3
export const NESTED = 4
export const KNOWN = 5
export const OTHER = 6

/** What is heard of a stream's calls. */
export interface CallTeller {
  /** Text outside of calls, which stands at `from` in the stream. */
  text(text: string, from: number): void
  /** A call begins. */
  begin(): void
  /** A piece of the tool's name. */
  name(piece: string): void
  /** The name is whole. With `isAlias` its key is `tool`, and it is a name only if such a tool is known. */
  nameEnd(isAlias: boolean): void
  /** The arguments begin, as JSON: the tokens of an object, of a string, or null. */
  arguments(): void
  /** What was told since the tool's tag was no call. */
  noCall(): void
  /** The object of a call was read. With `isMissing` it has no arguments. Whether it is a call is asked. */
  whole(isMissing: boolean): void
  /** The key of a member beside the name, in front of any arguments; `isFirst` of its call. */
  key(name: string, isFirst: boolean): void
  /** The call is whole; `rules` of JSON and `repairs` are the departures by which it was read, a bit each. */
  done(rules: number, repairs: number): void
  /** The segment is whole, up to `to` in the stream. `raw` is all of it. */
  end(raw: () => string, to: number): void
  /** The segment is no call. Its text comes from here on. `prefix` is how long its start tag is. */
  fail(reason: Reason, prefix: number): void
  /** Text of that segment, which stands at `from` in the stream. */
  failed(text: string, from: number): void
  /** That segment has ended, by an end tag of so many units; or the stream has. */
  failEnd(endTag: number, isCut: boolean): void
  /** A list of calls is looked over: what is told up to `begin` is only asked about. */
  check(): void
  /** Whether a string goes on behind a quote is asked. `between` is what stands in it. */
  quoted(between: string): void
  /** Reasoning begins with a tag, which stands at `from` in the stream; it is empty where the stream starts inside. */
  reasoning(tag: string, from: number): void
  /** Text of it. */
  reasoned(text: string, from: number): void
  /** Its opening tag, repeated. */
  reopened(tag: string, from: number): void
  /** It ends with a tag; that is empty at the end of the stream. */
  reasoningEnd(tag: string, from: number): void
  /** Answers what the machine asks. */
  answer(): number
  readonly json: JsonTeller
  readonly xml: XmlTeller
}

/** Feeds one machine, and tells what it says. */
export class CallReader extends HoldingReader {
  private readonly elements: XmlRecords
  private readonly startsWith: string
  private readonly endsWith: string
  /** Whether it matters where a line ends, since reasoning may begin there. */
  private readonly hasLines: boolean

  /** `most`: how long a segment may be, in UTF-16 code units. */
  constructor(
    private readonly session: ToolCallSession,
    private readonly teller: CallTeller,
    most: number,
  ) {
    super(most)
    this.elements = new XmlRecords(teller.xml)
    this.startsWith = (session.start || '<').charAt(0)
    this.endsWith = (session.end || '<').charAt(0)
    this.hasLines = session.reasoning !== REASONING_SEARCH
  }

  /** How much of the text is held. */
  get holding(): number {
    return this.held + this.waitingHalf
  }

  override read(chunk: string): void {
    super.read(chunk)
  }

  override settle(): void {
    super.settle()
  }

  override finish(): void {
    super.finish()
  }

  protected run(part: string, from: number, to: number, held: number): number {
    return runToolCalls(this.session, part, from, to, held)
  }

  protected finishRun(held: number): number {
    return finishToolCalls(this.session, held)
  }

  protected override settleRun(held: number): number {
    return settleToolCalls(this.session, held)
  }

  override isInCall(): boolean {
    return isInToolCall(this.session)
  }

  protected giveUpRun(held: number): number {
    return giveUpToolCall(this.session, held)
  }

  protected pass(units: number): void {
    passToolCalls(this.session, units)
  }

  protected restartRun(): void {
    restartToolCalls(this.session)
  }

  protected answer(): void {
    answerToolCall(this.session, this.teller.answer())
  }

  protected override waits(packed: number): boolean {
    return (packed & WAITS) !== 0
  }

  protected isPlain(mode: number, chunk: string): boolean {
    switch (mode) {
      case MODE_TEXT:
        return !chunk.includes(this.startsWith) && !this.endsLine(chunk)
      case MODE_REASONING:
        return !chunk.includes('<')
      case MODE_STRING:
      case MODE_SILENT:
        // Half a surrogate pair that stands alone there is the machine's to hold.
        return !STRING_ENDS.test(chunk) && !isHighHalf(chunk.charCodeAt(chunk.length - 1))
      case MODE_ELEMENT:
        return !ELEMENT_ENDS.test(chunk)
      case MODE_FAILED:
        return !chunk.includes(this.startsWith) && !chunk.includes(this.endsWith) && !this.endsLine(chunk)
      default:
        return false
    }
  }

  private endsLine(chunk: string): boolean {
    return this.hasLines && chunk.includes('\n')
  }

  protected plain(mode: number, chunk: string, from: number): boolean {
    switch (mode) {
      case MODE_TEXT:
        this.teller.text(chunk, from)
        return false
      case MODE_FAILED:
        this.teller.failed(chunk, from)
        return false
      case MODE_REASONING:
        this.teller.reasoned(chunk, from)
        return false
      case MODE_STRING:
        this.teller.json.piece(chunk, false, 0, 0)
        return true
      case MODE_ELEMENT:
        this.teller.xml.text(chunk)
        return true
      default:
        return true
    }
  }

  protected tell(packed: number, origin: number): void {
    const words = (packed & COUNT) * 3
    for (let at = 0; at < words; at += 3) {
      const word = engine.records[at] as number
      const start = engine.records[at + 1] as number
      const end = engine.records[at + 2] as number
      const kind = word & 0xff
      if (kind >= OWN) {
        this.tellOwn(kind, word >>> 8, start, end, origin)
        continue
      }
      const from = origin + start
      const to = origin + end
      const text = to > from ? this.slice(from, to) : ''
      if (kind >= XML) this.elements.tell(word, text, from)
      else tellJson(word, text, from, to, this.teller.json)
    }
  }

  private tellOwn(kind: number, detail: number, start: number, end: number, origin: number): void {
    const { teller } = this
    const slice = () => this.slice(origin + start, origin + end)
    switch (kind) {
      case TEXT:
        teller.text(slice(), this.offset + origin + start)
        break
      case BEGIN:
        teller.begin()
        break
      case NAME:
        teller.name(slice())
        break
      case NAME_CHARACTER:
        teller.name(String.fromCodePoint(detail))
        break
      case NAME_END:
        teller.nameEnd(detail !== 0)
        break
      case ARGUMENTS:
        teller.arguments()
        break
      case DONE:
        teller.done(start, detail)
        break
      case END:
        teller.end(slice, this.offset + origin + end)
        break
      case FAIL:
        teller.fail(REASONS[detail] as Reason, end - start)
        break
      case FAILED:
        teller.failed(slice(), this.offset + origin + start)
        break
      case FAIL_END:
        teller.failEnd(end - start, detail !== 0)
        break
      case NO_CALL:
        teller.noCall()
        break
      case CHECK:
        teller.check()
        break
      case QUOTED:
        teller.quoted(slice())
        break
      case REASONING:
        teller.reasoning(slice(), this.offset + origin + start)
        break
      case REASONED:
        teller.reasoned(slice(), this.offset + origin + start)
        break
      case REOPENED:
        teller.reopened(slice(), this.offset + origin + start)
        break
      case REASONING_END:
        teller.reasoningEnd(slice(), this.offset + origin + start)
        break
      case WHOLE:
        teller.whole(detail !== 0)
        break
      case KEY:
        teller.key(slice(), detail !== 0)
        break
    }
  }
}
