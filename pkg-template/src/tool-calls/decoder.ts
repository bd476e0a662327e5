// Decodes the records of the tool-call machine, which are its own, those of JSON, and those of elements.

import { CODE_STOPS, REASONS, TOOL_CALL_STOPS, Reasoning, ToolCallBits, ToolCallMode, ToolCallOp, TreeOp } from '../generated/ops.js'
import { type JsonHandler, decodeJson } from '../json/decoder.js'
import type { Decoder, Mode, Reader } from '../reader.js'
import { Stops } from '../stops.js'
import { XmlRecords, type XmlHandler } from '../xml/decoder.js'
import type { ToolCallStart } from '../wasm/tool-calls.js'

/** Why a segment is not a call. `rejected`: by the answer to a question; `mentioned`: text follows its start tag. */
export type Reason = (typeof REASONS)[number]

/** Receives a stream's calls. Places are UTF-16 code units from the start of the stream. */
export interface CallHandler {
  /** Text outside of calls, which stands at `from` in the stream. */
  text(text: string, from: number): void
  /** A call begins. */
  begin(): void
  /** A piece of the tool's name. */
  name(piece: string): void
  /** The arguments begin, as JSON: the tokens of an object, of a string, or null. */
  arguments(): void
  /** What came since the tool's tag was not a call. */
  noCall(): void
  /** The object of a call was read. With `isMissing` it has no arguments. Whether it is a call will be asked. */
  whole(isMissing: boolean): void
  /** The key of a member besides the name, before any arguments; `isFirst` of its call. */
  key(name: string, isFirst: boolean): void
  /** The call is whole; `rules` of JSON and `repairs` are the tolerated errors by which it was read, a bit each. */
  done(rules: number, repairs: number): void
  /** The segment is whole, up to `to` in the stream. `raw` is all of it. */
  end(raw: () => string, to: number): void
  /** The segment is not a call. Its text comes from here on. `prefix` is how long its start tag is. */
  fail(reason: Reason, prefix: number): void
  /** Text of that segment, which stands at `from` in the stream. */
  failed(text: string, from: number): void
  /** That segment has ended, by an end tag of so many units; or the stream has. */
  failEnd(endTag: number, isCut: boolean): void
  /** A list of calls is checked: what comes up to `begin` is only asked about. */
  check(): void
  /** Whether a string goes on after a quote will be asked. `between` is what stands in it. */
  quoted(between: string): void
  /** Reasoning begins with a tag, which stands at `from` in the stream; it is empty where the stream starts inside. */
  reasoning(tag: string, from: number): void
  /** Text of it. */
  reasoned(text: string, from: number): void
  /** Its opening tag, repeated. */
  reopened(tag: string, from: number): void
  /** It ends with a tag; that is empty at the end of the stream. */
  reasoningEnd(tag: string, from: number): void
  /** Answers a question of the machine, both by their numbers. */
  answer(ask: number): number
  readonly json: JsonHandler
  readonly xml: XmlHandler
}

/** Decodes the records of one stream. */
export class CallDecoder implements Decoder {
  readonly modes: readonly (Mode | undefined)[]
  private readonly elements: XmlRecords

  constructor(
    private readonly handler: CallHandler,
    start: ToolCallStart,
  ) {
    this.elements = new XmlRecords(handler.xml)
    this.modes = modesOf(start)
  }

  plain(mode: number, chunk: string, from: number): void {
    switch (mode) {
      case ToolCallMode.Text:
        this.handler.text(chunk, from)
        break
      case ToolCallMode.Failed:
        this.handler.failed(chunk, from)
        break
      case ToolCallMode.Reasoning:
        this.handler.reasoned(chunk, from)
        break
      case ToolCallMode.String:
        this.handler.json.piece(chunk, false, 0, 0)
        break
      case ToolCallMode.Element:
        this.handler.xml.text(chunk)
        break
    }
  }

  answer(ask: number): number {
    return this.handler.answer(ask)
  }

  record(word: number, from: number, to: number, text: Reader): void {
    const op = word & ToolCallBits.OpMask
    if (op >= ToolCallOp.Text) this.own(op, word, from, to, text)
    else if (op >= TreeOp.Open) this.elements.decode(word, text.slice(from, to), from)
    else decodeJson(word, text.slice(from, to), from, to, this.handler.json)
  }

  private own(op: number, word: number, from: number, to: number, text: Reader): void {
    const { handler } = this
    const { offset } = text
    switch (op) {
      case ToolCallOp.Text:
        handler.text(text.slice(from, to), offset + from)
        break
      case ToolCallOp.Begin:
        handler.begin()
        break
      case ToolCallOp.Name:
        handler.name(text.slice(from, to))
        break
      case ToolCallOp.NameCharacter:
        handler.name(String.fromCodePoint(word >>> ToolCallBits.NameCharacterCodeShift))
        break
      case ToolCallOp.Arguments:
        handler.arguments()
        break
      case ToolCallOp.Done:
        // Its start is not a place, but a set of rules.
        handler.done(from - text.origin, word >>> ToolCallBits.DoneRepairsShift)
        break
      case ToolCallOp.End:
        handler.end(() => text.slice(from, to), offset + to)
        break
      case ToolCallOp.Fail:
        handler.fail(REASONS[word >>> ToolCallBits.FailReasonShift] as Reason, to - from)
        break
      case ToolCallOp.Failed:
        handler.failed(text.slice(from, to), offset + from)
        break
      case ToolCallOp.FailEnd:
        handler.failEnd(to - from, (word & ToolCallBits.FailEndIsCut) !== 0)
        break
      case ToolCallOp.NoCall:
        handler.noCall()
        break
      case ToolCallOp.Check:
        handler.check()
        break
      case ToolCallOp.Quoted:
        handler.quoted(text.slice(from, to))
        break
      case ToolCallOp.Reasoning:
        handler.reasoning(text.slice(from, to), offset + from)
        break
      case ToolCallOp.Reasoned:
        handler.reasoned(text.slice(from, to), offset + from)
        break
      case ToolCallOp.Reopened:
        handler.reopened(text.slice(from, to), offset + from)
        break
      case ToolCallOp.ReasoningEnd:
        handler.reasoningEnd(text.slice(from, to), offset + from)
        break
      case ToolCallOp.Whole:
        handler.whole((word & ToolCallBits.WholeIsMissing) !== 0)
        break
      case ToolCallOp.Key:
        handler.key(text.slice(from, to), (word & ToolCallBits.KeyIsFirst) !== 0)
        break
    }
  }
}

/** What ends each mode depends on the tags, and, where reasoning may begin on a new line or code counts, on what decides about these. */
function modesOf({ start, end, reasoning, skipsCode }: ToolCallStart): readonly (Mode | undefined)[] {
  const line = skipsCode ? CODE_STOPS[1] : reasoning === Reasoning.Search ? '' : CODE_STOPS[0]
  const first = (start || '<').charAt(0)
  const modes: (Mode | undefined)[] = []
  modes[ToolCallMode.Text] = { stops: new Stops(first + line) }
  modes[ToolCallMode.Failed] = { stops: new Stops(first + (end || '<').charAt(0) + line) }
  modes[ToolCallMode.Reasoning] = { stops: new Stops(TOOL_CALL_STOPS[ToolCallMode.Reasoning]) }
  modes[ToolCallMode.String] = modes[ToolCallMode.Silent] = { stops: new Stops(TOOL_CALL_STOPS[ToolCallMode.String]), isPending: true }
  modes[ToolCallMode.Element] = { stops: new Stops(TOOL_CALL_STOPS[ToolCallMode.Element]), isPending: true }
  return modes
}
