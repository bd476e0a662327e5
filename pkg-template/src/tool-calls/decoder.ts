// Decodes the records of the format machine, which are its own, those of JSON, and those of elements.

import type { SavedClass } from '../snapshot/saved.js'
import { CODE_STOPS, FORMAT_STOPS, FormatBits, FormatMode, FormatOp, REASONS, TreeOp } from '../generated/ops.js'
import { type JsonHandler, decodeJson } from '../json/decoder.js'
import type { Decoder, Mode, Reader } from '../reader.js'
import { stopsOf } from '../stops.js'
import { XmlRecords, type XmlHandler } from '../xml/decoder.js'

/** Why a segment is not a call. `rejected`: by the answer to a question; `mentioned`: text follows its opener. */
export type Reason = (typeof REASONS)[number]

/** Receives a stream's calls. Places are UTF-16 code units from the start of the stream. */
export interface CallHandler {
  /** Text outside of calls, which stands at `from` in the stream. */
  text(text: string, from: number): void
  /** What stands before `to` was neither text nor a call. `raw` is all of it. */
  markup(raw: () => string, to: number): void
  /** Text that cites something begins; it ends, with what names its sources. */
  cite(): void
  citeEnd(sources: string): void
  /**
   * A call begins, which is written by the row with this number; without an opener if it is bare. With `isJson` it is
   * an object with its name.
   */
  begin(row: number, isBare: boolean, isJson: boolean): void
  /** A piece of the tool's name. */
  name(piece: string): void
  /** A piece of the call's id. */
  id(piece: string): void
  /** The arguments begin, as JSON: the tokens of an object, of a string, or null. */
  arguments(): void
  /** What came since the tool's tag was not a call. */
  noCall(): void
  /** The object of a call was read. With `isMissing` it has no arguments. Whether it is a call will be asked. */
  whole(isMissing: boolean): void
  /** The key of a member besides the name, before any arguments; `isFirst` of its call. */
  key(name: string, isFirst: boolean): void
  /** A list of calls is checked, by the row with this number: what comes up to `begin` is only asked about. */
  check(row: number): void
  /** Whether a string goes on after a quote will be asked. `between` is what stands in it. */
  quoted(between: string): void
  /** A parameter begins. A nameless one has its name between opener and closer, and goes up to the next. */
  param(key: string, isNameless: boolean, isElement: boolean): void
  /** Its type, or whether it is a string, as it is written. */
  paramType(type: string): void
  paramIsString(is: string): void
  /** More of its text. */
  paramText(text: string): void
  /** It ends; it may have been CDATA. */
  paramEnd(isCData: boolean): void
  /** An element opens, whose text is a parameter's. */
  elementOpen(name: string): void
  elementClose(): void
  /** The name of the element that may follow the one that is open. */
  elementSibling(name: string): void
  /** The name of a parameter whose opener stands in a value. Whether it ends the value will be asked. */
  openKey(key: string): void
  /** The call is whole; `rules` of JSON and `repairs` are the tolerated errors by which it was read, a bit each. */
  done(rules: number, repairs: number): void
  /** The segment is whole, up to `to` in the stream. `raw` is all of it. */
  end(raw: () => string, to: number): void
  /** The segment is not a call. Its text comes from here on. `prefix` is how long its opener is. */
  fail(reason: Reason, prefix: number): void
  /** Text of that segment, which stands at `from` in the stream. */
  failed(text: string, from: number): void
  /** That segment has ended, by a closer of so many units; or the stream has. */
  failEnd(closer: number, isCut: boolean): void
  /**
   * Reasoning begins with a marker, which stands at `from` in the stream; it is empty where the stream starts inside.
   */
  reasoning(tag: string, from: number): void
  reasoned(text: string, from: number): void
  reopened(tag: string, from: number): void
  reasoningEnd(tag: string, from: number): void
  /** Answers a question of the machine, both by their numbers. */
  answer(ask: number): number
  readonly json: JsonHandler
  readonly xml: XmlHandler
}

/** The first characters of what may stand in text, in a segment that is not a call, in a value and in reasoning. */
export interface FirstCharacters {
  readonly text: string
  readonly failed: string
  readonly value: string
  readonly reasoning: string
}

/** Decodes the records of one stream. */
export class CallDecoder implements Decoder {
  static get saved(): SavedClass {
    return { skips: ['modes'] }
  }
  readonly modes: readonly (Mode | undefined)[]
  private readonly elements: XmlRecords

  /**
   * `seeks`: whether reasoning is looked for, which may begin on a new line; `skipsCode`: whether calls in Markdown
   * code are text.
   */
  constructor(
    private readonly handler: CallHandler,
    firsts: FirstCharacters,
    seeks: boolean,
    skipsCode: boolean,
  ) {
    this.elements = new XmlRecords(handler.xml)
    const line = skipsCode ? CODE_STOPS[1] : seeks ? CODE_STOPS[0] : ''
    const modes: (Mode | undefined)[] = []
    modes[FormatMode.Text] = { stops: stopsOf(firsts.text + line) }
    modes[FormatMode.Failed] = { stops: stopsOf(firsts.failed + line) }
    modes[FormatMode.String] = modes[FormatMode.Silent] = {
      stops: stopsOf(FORMAT_STOPS[FormatMode.String]),
      isPending: true,
    }
    modes[FormatMode.Element] = { stops: stopsOf(FORMAT_STOPS[FormatMode.Element]), isPending: true }
    modes[FormatMode.Value] = { stops: stopsOf(firsts.value), isPending: true }
    modes[FormatMode.Reasoning] = { stops: stopsOf(firsts.reasoning) }
    this.modes = modes
  }

  plain(mode: number, chunk: string, from: number): void {
    switch (mode) {
      case FormatMode.Text:
        this.handler.text(chunk, from)
        break
      case FormatMode.Failed:
        this.handler.failed(chunk, from)
        break
      case FormatMode.Reasoning:
        this.handler.reasoned(chunk, from)
        break
      case FormatMode.String:
        this.handler.json.piece(chunk, false, 0, 0)
        break
      case FormatMode.Element:
        this.handler.xml.text(chunk)
        break
      case FormatMode.Value:
        this.handler.paramText(chunk)
        break
    }
  }

  answer(ask: number): number {
    return this.handler.answer(ask)
  }

  record(word: number, from: number, to: number, text: Reader): void {
    const op = word & FormatBits.OpMask
    if (op >= FormatOp.Text) this.own(op, word, from, to, text)
    else if (op >= TreeOp.Open) this.elements.decode(word, text.slice(from, to), from)
    else decodeJson(word, text.slice(from, to), from, to, this.handler.json)
  }

  private own(op: number, word: number, from: number, to: number, text: Reader): void {
    const { handler } = this
    const { offset } = text
    switch (op) {
      case FormatOp.Text:
        handler.text(text.slice(from, to), offset + from)
        break
      case FormatOp.Markup:
        handler.markup(() => text.slice(from, to), offset + to)
        break
      case FormatOp.Begin:
        handler.begin(
          (word >>> FormatBits.BeginRowShift) & FormatBits.BeginRowMask,
          (word & FormatBits.BeginIsBare) !== 0,
          (word & FormatBits.BeginIsJson) !== 0,
        )
        break
      case FormatOp.Name:
        handler.name(text.slice(from, to))
        break
      case FormatOp.NameCharacter:
        handler.name(String.fromCodePoint(word >>> FormatBits.NameCharacterCodeShift))
        break
      case FormatOp.Id:
        handler.id(text.slice(from, to))
        break
      case FormatOp.IdCharacter:
        handler.id(String.fromCodePoint(word >>> FormatBits.IdCharacterCodeShift))
        break
      case FormatOp.Arguments:
        handler.arguments()
        break
      case FormatOp.Param:
        handler.param(
          text.slice(from, to),
          (word & FormatBits.ParamIsNameless) !== 0,
          (word & FormatBits.ParamIsElement) !== 0,
        )
        break
      case FormatOp.ParamType:
        handler.paramType(text.slice(from, to))
        break
      case FormatOp.ParamIsString:
        handler.paramIsString(text.slice(from, to))
        break
      case FormatOp.ParamText:
        handler.paramText(text.slice(from, to))
        break
      case FormatOp.ParamCharacter:
        handler.paramText(String.fromCodePoint(word >>> FormatBits.ParamCharacterCodeShift))
        break
      case FormatOp.ParamEnd:
        handler.paramEnd((word & FormatBits.ParamEndIsCdata) !== 0)
        break
      case FormatOp.Open:
        handler.elementOpen(text.slice(from, to))
        break
      case FormatOp.Close:
        handler.elementClose()
        break
      case FormatOp.Sibling:
        handler.elementSibling(text.slice(from, to))
        break
      case FormatOp.OpenKey:
        handler.openKey(text.slice(from, to))
        break
      case FormatOp.Done:
        // Its start is not a place, but a set of rules.
        handler.done(from - text.origin, word >>> FormatBits.DoneRepairsShift)
        break
      case FormatOp.End:
        handler.end(() => text.slice(from, to), offset + to)
        break
      case FormatOp.Fail:
        handler.fail(REASONS[word >>> FormatBits.FailReasonShift] as Reason, to - from)
        break
      case FormatOp.Failed:
        handler.failed(text.slice(from, to), offset + from)
        break
      case FormatOp.FailEnd:
        handler.failEnd(to - from, (word & FormatBits.FailEndIsCut) !== 0)
        break
      case FormatOp.Cite:
        handler.cite()
        break
      case FormatOp.CiteEnd:
        handler.citeEnd(text.slice(from, to))
        break
      case FormatOp.NoCall:
        handler.noCall()
        break
      case FormatOp.Check:
        handler.check((word >>> FormatBits.CheckRowShift) & FormatBits.CheckRowMask)
        break
      case FormatOp.Quoted:
        handler.quoted(text.slice(from, to))
        break
      case FormatOp.Whole:
        handler.whole((word & FormatBits.WholeIsMissing) !== 0)
        break
      case FormatOp.Key:
        handler.key(text.slice(from, to), (word & FormatBits.KeyIsFirst) !== 0)
        break
      case FormatOp.Reasoning:
        handler.reasoning(text.slice(from, to), offset + from)
        break
      case FormatOp.Reasoned:
        handler.reasoned(text.slice(from, to), offset + from)
        break
      case FormatOp.Reopened:
        handler.reopened(text.slice(from, to), offset + from)
        break
      case FormatOp.ReasoningEnd:
        handler.reasoningEnd(text.slice(from, to), offset + from)
        break
    }
  }
}
