// Reads the elements of a whole text. Rust reads the markup; here it is told.

import { readTreeText } from './wasm/xml.js'
import { XmlRecords, type XmlTeller } from './xml-ops.js'

export type { XmlFault, XmlTeller } from './xml-ops.js'

/**
 * Tells the elements of a text, up to its end or to an element that is too deep. `isRaw` is
 * asked at each opening tag, behind `opened`: the inside of a raw element is text, up to its
 * first own closing tag.
 */
export function readXml(text: string, teller: XmlTeller, isRaw: () => boolean): void {
  const elements = new XmlRecords(teller)
  const tell = (words: Int32Array) => {
    for (let at = 0; at < words.length; at += 3) {
      const start = words[at + 1] as number
      elements.tell(words[at] as number, text.slice(start, words[at + 2]), start)
    }
  }
  readTreeText(text, tell, isRaw)
}
