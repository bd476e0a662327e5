// Reads the elements of a whole text. Rust reads the markup; it is passed on here.

import { TreeFlag } from '../generated/ops.js'
import { type Decoder, Reader } from '../reader.js'
import { treeSession } from '../wasm/xml.js'
import { XmlRecords, type XmlHandler } from './decoder.js'

export type { XmlFault, XmlHandler } from './decoder.js'

/**
 * Passes the elements of a text to a handler, up to its end or to an element that is too deep.
 * `isRaw` is asked at each opening tag, after `open`: the inside of a raw element is text, up to
 * its first own closing tag. Both may read other texts in between.
 */
export function readXml(text: string, handler: XmlHandler, isRaw: () => boolean): void {
  new Reader(treeSession(), new TreeDecoder(handler, isRaw)).readText(text)
}

class TreeDecoder implements Decoder {
  readonly modes = []
  private readonly elements = new XmlRecords()

  constructor(
    private readonly handler: XmlHandler,
    private readonly isRaw: () => boolean,
  ) {}

  record(word: number, from: number, to: number, text: Reader): void {
    this.elements.decode(word, from, to, text, this.handler)
  }

  after(text: Reader): void {
    if ((text.flags & TreeFlag.Over) !== 0) text.stop()
  }

  answer(): number {
    return Number(this.isRaw())
  }
}
