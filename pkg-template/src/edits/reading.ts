// Reads the edits of one text.

import { endedByItself } from '../finish-reason.js'
import { type EditRecords, decodeEdit } from '../generated/edit-records.js'
import { EDIT_STOPS, EditBits, EditMode } from '../generated/ops.js'
import type { Decoder, Mode, Reader } from '../reader.js'
import { characterSetOf } from '../character-set.js'
import { StreamReader } from '../stream-reader.js'
import { editSession } from '../wasm/edits.js'
import { EditEmitter } from './emitter.js'
import type { Settings } from './options.js'
import type { EditEvent } from './types.js'

/** The edits of one text. */
export class Edits {
  private readonly reader: StreamReader
  isFinished = false

  /** `emitter`: what has emitted before, of the same stream. */
  constructor(
    settings: Settings,
    readonly emitter = new EditEmitter(settings),
  ) {
    this.reader = new StreamReader(editSession(settings.flags), new EditDecoder(this.emitter))
  }

  /** Up to where the text is decided. */
  get decided(): number {
    return this.reader.offset
  }

  /** The events of a chunk. */
  read(chunk: string): EditEvent[] {
    this.write(chunk)
    return this.emitter.take()
  }

  /** The events of the end. */
  finish(finishReason: string | null | undefined): EditEvent[] {
    this.end(finishReason)
    return this.emitter.take()
  }

  /** Reads a chunk; the emitter has its events. */
  write(chunk: string): void {
    this.reader.read(chunk)
  }

  /** The end: the emitter has its events. */
  end(finishReason: string | null | undefined): void {
    if (this.isFinished) return
    this.isFinished = true
    const { emitter, reader } = this
    emitter.hasFinished = typeof finishReason === 'string' && endedByItself(finishReason)
    reader.finish()
    emitter.fileDone(reader.offset)
  }
}

/** What ends each mode's text. */
const MODES: readonly (Mode | undefined)[] = EDIT_STOPS.map((stops, mode) =>
  mode === EditMode.Read ? undefined : { stops: characterSetOf(stops) },
)

/** Decodes the records of one stream. */
class EditDecoder implements Decoder {
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
