// The only decoder of tool-call records. The loop that feeds the machine is in
// holding-reader.ts.

import { REASONS, Reasoning, TOOL_CALL_STOPS, ToolCallBits, ToolCallMode, ToolCallOp, TreeOp } from '../generated/ops.js'
import { HoldingReader } from '../holding-reader.js'
import { type JsonTeller, tellJson } from '../json-ops.js'
import { anyOf } from '../stops.js'
import { isHighHalf } from '../surrogates.js'
import { COUNT } from '../wasm/border.js'
import { engine } from '../wasm/engine.js'
import { type ToolCallSession, WAITS, answerToolCall, finishToolCalls, giveUpToolCall, isInToolCall, passToolCalls, restartToolCalls, runToolCalls, settleToolCalls } from '../wasm/tool-calls.js'
import { XmlRecords, type XmlTeller } from '../xml-ops.js'

/** What ends the plain text of a string, and of an element. */
const STRING_ENDS = anyOf(TOOL_CALL_STOPS[ToolCallMode.String])
const ELEMENT_ENDS = anyOf(TOOL_CALL_STOPS[ToolCallMode.Element])

/** Why a segment makes no call. `rejected`: by the answer to a question; `mentioned`: text follows its start tag. */
export type Reason = (typeof REASONS)[number]

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
    this.hasLines = session.reasoning !== Reasoning.Search
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
      case ToolCallMode.Text:
        return !chunk.includes(this.startsWith) && !this.endsLine(chunk)
      case ToolCallMode.Reasoning:
        return !chunk.includes('<')
      case ToolCallMode.String:
      case ToolCallMode.Silent:
        // Half a surrogate pair that stands alone there is the machine's to hold.
        return !STRING_ENDS.test(chunk) && !isHighHalf(chunk.charCodeAt(chunk.length - 1))
      case ToolCallMode.Element:
        return !ELEMENT_ENDS.test(chunk)
      case ToolCallMode.Failed:
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
      case ToolCallMode.Text:
        this.teller.text(chunk, from)
        return false
      case ToolCallMode.Failed:
        this.teller.failed(chunk, from)
        return false
      case ToolCallMode.Reasoning:
        this.teller.reasoned(chunk, from)
        return false
      case ToolCallMode.String:
        this.teller.json.piece(chunk, false, 0, 0)
        return true
      case ToolCallMode.Element:
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
      const kind = word & ToolCallBits.OpMask
      if (kind >= ToolCallOp.Text) {
        this.tellOwn(kind, word, start, end, origin)
        continue
      }
      const from = origin + start
      const to = origin + end
      const text = to > from ? this.slice(from, to) : ''
      if (kind >= TreeOp.Open) this.elements.tell(word, text, from)
      else tellJson(word, text, from, to, this.teller.json)
    }
  }

  private tellOwn(kind: number, word: number, start: number, end: number, origin: number): void {
    const { teller } = this
    const slice = () => this.slice(origin + start, origin + end)
    switch (kind) {
      case ToolCallOp.Text:
        teller.text(slice(), this.offset + origin + start)
        break
      case ToolCallOp.Begin:
        teller.begin()
        break
      case ToolCallOp.Name:
        teller.name(slice())
        break
      case ToolCallOp.NameCharacter:
        teller.name(String.fromCodePoint(word >>> ToolCallBits.NameCharacterCodeShift))
        break
      case ToolCallOp.NameEnd:
        teller.nameEnd((word & ToolCallBits.NameEndIsAlias) !== 0)
        break
      case ToolCallOp.Arguments:
        teller.arguments()
        break
      case ToolCallOp.Done:
        teller.done(start, word >>> ToolCallBits.DoneRepairsShift)
        break
      case ToolCallOp.End:
        teller.end(slice, this.offset + origin + end)
        break
      case ToolCallOp.Fail:
        teller.fail(REASONS[word >>> ToolCallBits.FailReasonShift] as Reason, end - start)
        break
      case ToolCallOp.Failed:
        teller.failed(slice(), this.offset + origin + start)
        break
      case ToolCallOp.FailEnd:
        teller.failEnd(end - start, (word & ToolCallBits.FailEndIsCut) !== 0)
        break
      case ToolCallOp.NoCall:
        teller.noCall()
        break
      case ToolCallOp.Check:
        teller.check()
        break
      case ToolCallOp.Quoted:
        teller.quoted(slice())
        break
      case ToolCallOp.Reasoning:
        teller.reasoning(slice(), this.offset + origin + start)
        break
      case ToolCallOp.Reasoned:
        teller.reasoned(slice(), this.offset + origin + start)
        break
      case ToolCallOp.Reopened:
        teller.reopened(slice(), this.offset + origin + start)
        break
      case ToolCallOp.ReasoningEnd:
        teller.reasoningEnd(slice(), this.offset + origin + start)
        break
      case ToolCallOp.Whole:
        teller.whole((word & ToolCallBits.WholeIsMissing) !== 0)
        break
      case ToolCallOp.Key:
        teller.key(slice(), (word & ToolCallBits.KeyIsFirst) !== 0)
        break
    }
  }
}
