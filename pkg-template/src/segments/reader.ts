// The only decoder of segment records. The loop that feeds the machine is in
// holding-reader.ts.

import { SEGMENT_PROSE_STOPS, SEGMENT_STOPS, SegmentBits, SegmentFlag, SegmentMode, SegmentOp } from '../generated/ops.js'
import { HoldingReader } from '../holding-reader.js'
import { anyOf } from '../stops.js'
import { COUNT } from '../wasm/border.js'
import { engine } from '../wasm/engine.js'
import { type SegmentSession, answerState, finishSegments, giveUpTool, isInTool, passSegments, restartSegments, runSegments } from '../wasm/segments.js'

/** What may end each mode's text, but for prose, which depends on the markers that are looked for. */
const ENDS = SEGMENT_STOPS.map(anyOf)

/** Feeds one machine and tells what it says. Places are UTF-16 code units from the start of the stream. */
export abstract class SegmentReader extends HoldingReader {
  private readonly textEnds: RegExp

  protected constructor(
    protected readonly session: SegmentSession,
    most: number,
  ) {
    super(most)
    const looksFor = session.flags & (SegmentFlag.Xml | SegmentFlag.Json | SegmentFlag.Sentinel)
    this.textEnds = anyOf(SEGMENT_PROSE_STOPS[looksFor] as string)
  }

  protected abstract text(text: string, from: number): void
  protected abstract content(text: string, from: number): void
  protected abstract markup(text: string, from: number): void
  /** A segment begins; `type` is the number of its type. */
  protected abstract start(type: number, at: number): void
  protected abstract end(at: number): void
  /** The name of a tool whose segment may begin. */
  protected abstract name(name: string): void
  /** A value for the metadata, by its place in the tool's row. */
  protected abstract metadata(index: number, value: string): void
  /** The same, of an attribute, by its number. */
  protected abstract attribute(number: number, value: string): void
  /** The name of another attribute, and its value after it. */
  protected abstract otherName(name: string): void
  protected abstract otherValue(value: string): void
  /** The segment that ends next was never given a content. */
  protected abstract missing(): void
  /** What a JSON text or a sentinel calls, as it stands in a JSON string; `type` is the number of the segment's type. */
  protected abstract called(type: number, name: string): void
  /** The header of a sentinel. */
  protected abstract header(json: string): void
  /** No segment begins. */
  protected abstract drop(): void
  /** Something is wrong with the text at a place. */
  protected abstract fault(fault: number, raw: string, from: number, to: number): void
  /** The row of the tool whose name came last: null for a generic one, `undefined` for a built-in row, false if the tool is unknown. */
  protected abstract choose(): Uint8Array | null | undefined | false

  protected run(part: string, from: number, to: number, held: number): number {
    return runSegments(this.session, part, from, to, held)
  }

  protected finishRun(held: number): number {
    return finishSegments(this.session, held)
  }

  isInCall(): boolean {
    return isInTool(this.session)
  }

  protected giveUpRun(held: number): number {
    return giveUpTool(this.session, held)
  }

  protected pass(units: number): void {
    passSegments(this.session, units)
  }

  protected restartRun(): void {
    restartSegments(this.session)
  }

  protected answer(): void {
    answerState(this.session, this.choose())
  }

  protected plain(mode: number, chunk: string, from: number): boolean {
    if (mode === SegmentMode.Text) this.text(chunk, from)
    else if (mode === SegmentMode.Markup) this.markup(chunk, from)
    else this.content(chunk, from)
    return false
  }

  protected isPlain(mode: number, chunk: string): boolean {
    switch (mode) {
      case SegmentMode.Text:
        return !this.textEnds.test(chunk)
      case SegmentMode.Element:
      case SegmentMode.Markup:
        return !chunk.includes('<')
      case SegmentMode.Sentinel:
        return !chunk.includes('[')
      case SegmentMode.Marked:
      case SegmentMode.Json:
      case SegmentMode.JsonString:
        return !(ENDS[mode] as RegExp).test(chunk)
      default:
        return false
    }
  }

  protected tell(packed: number, origin: number): void {
    const { offset } = this
    const words = (packed & COUNT) * 3
    for (let at = 0; at < words; at += 3) {
      const word = engine.records[at] as number
      const from = origin + (engine.records[at + 1] as number)
      const to = origin + (engine.records[at + 2] as number)
      switch (word & SegmentBits.OpMask) {
        case SegmentOp.Text:
          this.text(this.slice(from, to), offset + from)
          break
        case SegmentOp.Content:
          this.content(this.slice(from, to), offset + from)
          break
        case SegmentOp.Markup:
          this.markup(this.slice(from, to), offset + from)
          break
        case SegmentOp.Start:
          this.start(word >>> SegmentBits.StartKindShift, offset + from)
          break
        case SegmentOp.End:
          this.end(offset + from)
          break
        case SegmentOp.Name:
          this.name(this.slice(from, to))
          break
        case SegmentOp.Metadata:
          this.metadata(word >>> SegmentBits.MetadataIndexShift, this.slice(from, to))
          break
        case SegmentOp.Attribute:
          this.attribute(word >>> SegmentBits.AttributeNumberShift, this.slice(from, to))
          break
        case SegmentOp.Header:
          this.header(this.slice(from, to))
          break
        case SegmentOp.OtherName:
          this.otherName(this.slice(from, to))
          break
        case SegmentOp.OtherValue:
          this.otherValue(this.slice(from, to))
          break
        case SegmentOp.Missing:
          this.missing()
          break
        case SegmentOp.Called:
          this.called(word >>> SegmentBits.CalledKindShift, this.slice(from, to))
          break
        case SegmentOp.Drop:
          this.drop()
          break
        case SegmentOp.Fault:
          this.fault(word >>> SegmentBits.FaultCodeShift, this.slice(from, to), offset + from, offset + to)
          break
      }
    }
  }
}
