// WebAssembly as text in a JavaScript file: pkg-template/xtask/src/wasm_text.rs writes it.
//
// The most frequent bytes are one character each, all others two, of which the
// first is a space or `!`. So the text is hardly longer than the bytes, and
// compresses as well as they do, which base64 and hex don't. Its characters are
// those of ASCII that need no escape in any quotes, in a template or in HTML.

const ALPHABET = ' !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~'
/** How many of its characters begin a pair. */
const PAIRS = 2

/**
 * The bytes that a text stands for.
 *
 * @param frequent - 64 hexadecimal digits: a bit for each byte that is one character, from the highest of the first digit on.
 */
export function bytesOf(text: string, frequent: string): Uint8Array<ArrayBuffer> {
  const single: number[] = []
  const paired: number[] = []
  for (let byte = 0; byte < 256; byte++) {
    const isSingle = (parseInt(frequent[byte >> 2] as string, 16) << (byte & 3)) & 8
    ;(isSingle ? single : paired).push(byte)
  }
  const number = new Uint8Array(128)
  for (let at = 0; at < ALPHABET.length; at++) number[ALPHABET.charCodeAt(at)] = at
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const first = number[text.charCodeAt(at)] as number
    bytes[length++] = (first < PAIRS ? paired[first * ALPHABET.length + (number[text.charCodeAt(++at)] as number)] : single[first - PAIRS]) as number
  }
  return bytes.subarray(0, length)
}
