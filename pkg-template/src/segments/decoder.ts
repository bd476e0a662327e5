// Decodes the records of the segment machine.

import { type SegmentRecords, decodeSegment } from '../generated/segment-records.js'
import {
  SEGMENT_FRONTS,
  SEGMENT_PROSE_STOPS,
  SEGMENT_STOPS,
  SegmentAsk,
  SegmentBits,
  SegmentChoice,
  SegmentMode,
} from '../generated/ops.js'
import type { Decoder, Mode, Reader } from '../reader.js'
import { CharacterSet, characterSetOf } from '../character-set.js'

/** Receives segments. Places are UTF-16 code units from the start of the stream. */
export interface SegmentHandler extends SegmentRecords {
  /**
   * The row of the tool whose name came last: null for a generic one, `undefined` for a built-in row, false if the tool
   * is unknown.
   */
  row(): Uint8Array | null | undefined | false
  /** Whether what was called last is known. */
  isKnown(): boolean
}

/** What ends each mode's text, but for that of prose, which depends on the markers that are looked for. */
const MODES: readonly (Mode | undefined)[] = SEGMENT_STOPS.map((stops, mode) =>
  mode === SegmentMode.Read || mode === SegmentMode.JsonToken
    ? undefined
    : { stops: new CharacterSet(stops, SEGMENT_FRONTS[mode]), isPending: mode === SegmentMode.Pending },
)

/** Decodes the records of one stream. */
export class SegmentDecoder implements Decoder {
  readonly modes: readonly (Mode | undefined)[]

  /** `flags`: the machine's. */
  constructor(
    private readonly emitter: SegmentHandler,
    flags: number,
  ) {
    const modes = [...MODES]
    modes[SegmentMode.Text] = {
      stops: characterSetOf(SEGMENT_PROSE_STOPS[flags & (SEGMENT_PROSE_STOPS.length - 1)] as string),
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

  record(word: number, from: number, to: number, text: Reader): void {
    decodeSegment(word & SegmentBits.OpMask, word, from, to, text, this.emitter)
  }
}
