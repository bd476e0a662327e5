// The only decoder of segment records. The loop that feeds the machine is in
// holding-reader.ts.
//
// The numbers here are those of src/segment/op.rs and src/segment/machine/mod.rs.

import { HoldingReader } from '../holding-reader.js'
import { COUNT } from '../wasm/border.js'
import { engine } from '../wasm/engine.js'
import { type SegmentSession, answerState, finishSegments, giveUpTool, isInTool, passSegments, restartSegments, runSegments } from '../wasm/segments.js'

const TEXT = 1
const CONTENT = 2
const MARKUP = 3
const START = 4
const END = 5
const NAME = 6
const METADATA = 7
const ATTRIBUTE = 8
const HEADER = 9
const DROP = 10
const FAULT = 11
const OTHER_NAME = 12
const OTHER_VALUE = 13
const MISSING = 14
const CALLED = 15

const MODE_TEXT = 1
const MODE_ELEMENT = 2
const MODE_SENTINEL = 3
const MODE_MARKED = 4
const MODE_JSON = 5
const MODE_JSON_STRING = 6
const MODE_MARKUP = 7

/** What may end each mode's text, but for that of prose, which hangs on the markers that are looked for. */
const ENDS: readonly RegExp[] = [/^/, /[<{[]/, /</, /\[/, /[\n<_]/, /["{}[\]]/, /["\\]/, /</]

/** Feeds one machine and tells what it says. Places are UTF-16 code units from the start of the stream. */
export abstract class SegmentReader extends HoldingReader {
  private readonly textEnds: RegExp

  protected constructor(
    protected readonly session: SegmentSession,
    most: number,
  ) {
    super(most)
    const { flags } = session
    const xml = (flags & 1) !== 0 ? '<' : ''
    const brackets = (flags & 2) !== 0 ? '{[' : (flags & 4) !== 0 ? '[' : ''
    const set = (xml + brackets).replace(/\[/g, '\\[')
    this.textEnds = set === '' ? /$^/ : new RegExp(`[${set}]`)
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
    if (mode === MODE_TEXT) this.text(chunk, from)
    else if (mode === MODE_MARKUP) this.markup(chunk, from)
    else this.content(chunk, from)
    return false
  }

  protected isPlain(mode: number, chunk: string): boolean {
    switch (mode) {
      case MODE_TEXT:
        return !this.textEnds.test(chunk)
      case MODE_ELEMENT:
      case MODE_MARKUP:
        return !chunk.includes('<')
      case MODE_SENTINEL:
        return !chunk.includes('[')
      case MODE_MARKED:
      case MODE_JSON:
      case MODE_JSON_STRING:
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
      switch (word & 0xff) {
        case TEXT:
          this.text(this.slice(from, to), offset + from)
          break
        case CONTENT:
          this.content(this.slice(from, to), offset + from)
          break
        case MARKUP:
          this.markup(this.slice(from, to), offset + from)
          break
        case START:
          this.start(word >>> 8, offset + from)
          break
        case END:
          this.end(offset + from)
          break
        case NAME:
          this.name(this.slice(from, to))
          break
        case METADATA:
          this.metadata(word >>> 8, this.slice(from, to))
          break
        case ATTRIBUTE:
          this.attribute(word >>> 8, this.slice(from, to))
          break
        case HEADER:
          this.header(this.slice(from, to))
          break
        case OTHER_NAME:
          this.otherName(this.slice(from, to))
          break
        case OTHER_VALUE:
          this.otherValue(this.slice(from, to))
          break
        case MISSING:
          this.missing()
          break
        case CALLED:
          this.called(word >>> 8, this.slice(from, to))
          break
        case DROP:
          this.drop()
          break
        case FAULT:
          this.fault(word >>> 8, this.slice(from, to), offset + from, offset + to)
          break
      }
    }
  }
}
