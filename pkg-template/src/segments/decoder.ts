// Decodes the records of the segment machine.

import type { SavedClass } from '../snapshot/saved.js'
import {
  SEGMENT_CLOSERS,
  SEGMENT_FRONTS,
  SEGMENT_PROSE_STOPS,
  SEGMENT_STOPS,
  SegmentAsk,
  SegmentBits,
  SegmentChoice,
  SegmentMode,
  SegmentOp,
} from '../generated/ops.js'
import type { Decoder, Mode, StreamReader } from '../reader.js'
import { Stops, stopsOf } from '../stops.js'

/** Receives segments. Places are UTF-16 code units from the start of the stream. */
export interface SegmentHandler {
  text(text: string, from: number): void
  content(text: string, from: number): void
  markup(text: string, from: number): void
  /** Markup that belongs to no segment. */
  stray(text: string, from: number): void
  /** A segment begins; `type` is the number of its type. */
  start(type: number, at: number): void
  end(at: number): void
  /** The name of a tool whose segment may begin. */
  name(name: string): void
  /** A value for the metadata, by its place in the tool's row. */
  metadata(index: number, value: string): void
  /** The same, of an attribute, by its number. */
  attribute(number: number, value: string): void
  /** The name of another attribute, and its value after it. */
  otherName(name: string): void
  otherValue(value: string): void
  /** The segment that ends next has no content. */
  missing(): void
  /**
   * What a JSON text or a sentinel calls, as it stands in a JSON string; `type` is the number of the segment's type.
   */
  called(type: number, name: string): void
  /** The header of a sentinel. */
  header(json: string): void
  /** No segment begins. */
  drop(): void
  /** Something is wrong with the text at a place. */
  fault(fault: number, raw: string, from: number, to: number): void
  /**
   * The row of the tool whose name came last: null for a generic one, `undefined` for a built-in row, false if the tool
   * is unknown.
   */
  row(): Uint8Array | null | undefined | false
  /** Whether what was called last is known. */
  isKnown(): boolean
}

/** What ends each mode's text, but for that of prose, which depends on the markers that are looked for. */
const MODES: readonly (Mode | undefined)[] = SEGMENT_STOPS.map((stops, mode) => {
  if (mode === SegmentMode.Ask) return undefined
  const [fronts, closers] = [SEGMENT_FRONTS[mode], SEGMENT_CLOSERS[mode] as string]
  const keepsSpace = mode === SegmentMode.Marked
  return {
    stops: mode === SegmentMode.JsonToken ? undefined : new Stops(stops, fronts),
    isPending: mode === SegmentMode.Pending,
    closers: closers === '' && !keepsSpace ? undefined : new Stops(closers, fronts),
    keepsSpace,
  }
})

/** Decodes the records of one stream. */
export class SegmentDecoder implements Decoder {
  static get saved(): SavedClass {
    return { skips: ['modes'] }
  }
  readonly modes: readonly (Mode | undefined)[]

  /** `flags`: the machine's. */
  constructor(
    private readonly emitter: SegmentHandler,
    flags: number,
  ) {
    const modes = [...MODES]
    modes[SegmentMode.Text] = {
      stops: stopsOf(SEGMENT_PROSE_STOPS[flags & (SEGMENT_PROSE_STOPS.length - 1)] as string),
    }
    this.modes = modes
  }

  plain(mode: number, chunk: string, from: number): void {
    if (mode === SegmentMode.Text) this.emitter.text(chunk, from)
    else if (mode === SegmentMode.Markup) this.emitter.markup(chunk, from)
    else if (mode !== SegmentMode.Pending) this.emitter.content(chunk, from)
  }

  answer(ask: number): number | readonly [number, Uint8Array] {
    if (ask === SegmentAsk.Known) return this.emitter.isKnown() ? SegmentChoice.BuiltIn : SegmentChoice.Unknown
    const row = this.emitter.row()
    if (row === undefined) return SegmentChoice.BuiltIn
    if (row === null) return SegmentChoice.Generic
    return row === false ? SegmentChoice.Unknown : [SegmentChoice.Own, row]
  }

  record(word: number, from: number, to: number, text: StreamReader): void {
    const { emitter } = this
    const { offset } = text
    switch (word & SegmentBits.OpMask) {
      case SegmentOp.Text:
        emitter.text(text.slice(from, to), offset + from)
        break
      case SegmentOp.Content: {
        const start = Math.max(from, text.emitted)
        if (start < to) emitter.content(text.slice(start, to), offset + start)
        break
      }
      case SegmentOp.Markup:
        emitter.markup(text.slice(from, to), offset + from)
        break
      case SegmentOp.Stray:
        emitter.stray(text.slice(from, to), offset + from)
        break
      case SegmentOp.Start:
        emitter.start(word >>> SegmentBits.StartKindShift, offset + from)
        break
      case SegmentOp.End:
        emitter.end(offset + from)
        break
      case SegmentOp.Name:
        emitter.name(text.slice(from, to))
        break
      case SegmentOp.Metadata:
        emitter.metadata(word >>> SegmentBits.MetadataIndexShift, text.slice(from, to))
        break
      case SegmentOp.Attribute:
        emitter.attribute(word >>> SegmentBits.AttributeNumberShift, text.slice(from, to))
        break
      case SegmentOp.Header:
        emitter.header(text.slice(from, to))
        break
      case SegmentOp.OtherName:
        emitter.otherName(text.slice(from, to))
        break
      case SegmentOp.OtherValue:
        emitter.otherValue(text.slice(from, to))
        break
      case SegmentOp.Missing:
        emitter.missing()
        break
      case SegmentOp.Called:
        emitter.called(word >>> SegmentBits.CalledKindShift, text.slice(from, to))
        break
      case SegmentOp.Drop:
        emitter.drop()
        break
      case SegmentOp.Fault:
        emitter.fault(word >>> SegmentBits.FaultCodeShift, text.slice(from, to), offset + from, offset + to)
        break
    }
  }
}
