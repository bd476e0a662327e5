// Decodes the records of the format machine, which are its own, those of JSON, and those of elements.

import { type BodyRecords, type FormatRecords, decodeFormat } from '../generated/format-records.js'
import { CODE_STOPS, FORMAT_STOPS, FormatBits, FormatMode, FormatOp, TreeOp } from '../generated/ops.js'
import { type JsonHandler, decodeJson } from '../json/decoder.js'
import type { Decoder, Mode, Reader } from '../reader.js'
import { characterSetOf } from '../character-set.js'
import { rowStops } from '../wasm/formats.js'
import { XmlRecords, type XmlHandler } from '../xml/decoder.js'

/** Receives a stream's calls. Places are UTF-16 code units from the start of the stream. */
export interface CallHandler extends FormatRecords {
  /** Answers a question of the machine, both by their numbers. */
  answer(ask: number): number
  readonly json: JsonHandler
  readonly body: BodyRecords & XmlHandler
}

/** The modes whose text goes out as it comes or stays pending, and which of them does. */
const MODES = [
  [FormatMode.Text, false],
  [FormatMode.Failed, false],
  [FormatMode.Value, true],
  [FormatMode.Reasoning, false],
] as const

const found = new WeakMap<Uint8Array, readonly string[]>()

/** The characters that may end text of each of these modes by a row, which are looked up once. */
function stopsOfRow(row: Uint8Array): readonly string[] {
  let stops = found.get(row)
  if (stops === undefined)
    found.set(
      row,
      (stops = rowStops(
        row,
        MODES.map(([mode]) => mode),
      )),
    )
  return stops
}

/** Decodes the records of one stream. */
export class CallDecoder implements Decoder {
  readonly modes: readonly (Mode | undefined)[]
  private readonly elements = new XmlRecords()

  /**
   * `rows`: what is read by, as bytes. `seeks`: whether reasoning is looked for, which may begin on a new line;
   * `skipsCode`: whether calls in Markdown code are text.
   */
  constructor(
    private readonly handler: CallHandler,
    rows: readonly Uint8Array[],
    seeks: boolean,
    skipsCode: boolean,
  ) {
    const line = skipsCode ? CODE_STOPS[1] : seeks ? CODE_STOPS[0] : ''
    const all = rows.map(stopsOfRow)
    const modes: (Mode | undefined)[] = []
    MODES.forEach(([mode, isPending], at) => {
      const ofLines = mode === FormatMode.Text || mode === FormatMode.Failed ? line : ''
      modes[mode] = { stops: characterSetOf(all.map((stops) => stops[at]).join('') + ofLines), isPending }
    })
    const inString = { stops: characterSetOf(FORMAT_STOPS[FormatMode.String]), isPending: true }
    modes[FormatMode.String] = modes[FormatMode.Silent] = inString
    modes[FormatMode.Element] = { stops: characterSetOf(FORMAT_STOPS[FormatMode.Element]), isPending: true }
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
      case FormatMode.Value:
        this.handler.body.text(chunk)
        break
    }
  }

  answer(ask: number): number {
    return this.handler.answer(ask)
  }

  record(word: number, from: number, to: number, text: Reader): void {
    const op = word & FormatBits.OpMask
    if (op >= FormatOp.Text) {
      this.elements.forget()
      decodeFormat(op, word, from, to, text, this.handler)
    } else if (op >= TreeOp.Attribute) this.elements.decode(word, from, to, text, this.handler.body)
    else decodeJson(word, text.slice(from, to), from, to, this.handler.json)
  }
}
