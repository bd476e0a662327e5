// Decodes the records of the edit machine.

import { EDIT_STOPS, EditBits, EditMode } from '../generated/ops.js'
import { type EditRecords, decodeEdit } from '../generated/edit-records.js'
import type { Decoder, Mode, Reader } from '../reader.js'
import { stopsOf } from '../stops.js'

/** What ends each mode's text. */
const MODES: readonly (Mode | undefined)[] = EDIT_STOPS.map((stops, mode) =>
  mode === EditMode.Read ? undefined : { stops: stopsOf(stops) },
)

/** Decodes the records of one stream. */
export class EditDecoder implements Decoder {
  readonly modes = MODES

  constructor(private readonly emitter: EditRecords) {}

  plain(mode: number, chunk: string, from: number): void {
    if (mode === EditMode.Text) this.emitter.prose(chunk, from)
    else if (mode === EditMode.Skip) this.emitter.markup(() => chunk, from, from + chunk.length)
    else this.emitter.delta(mode - EditMode.Old, chunk, from)
  }

  record(word: number, from: number, to: number, text: Reader): void {
    decodeEdit(word & EditBits.OpMask, word, from, to, text, this.emitter)
  }
}
