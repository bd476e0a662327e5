// WebAssembly as text in a JavaScript file: pkg-template/xtask/src/wasm_text.rs writes it.
//
// The most frequent bytes are one character each; all others are two, the first a
// space or `!`. So the text is hardly longer than the bytes, and compresses as well,
// unlike base64 and hex. Its characters are the ASCII characters that need no escape
// in any quotes, in a template or in HTML.

const ALPHABET = ' !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~'
/** How many characters start a pair. */
const PAIRS = 2

/**
 * Decodes a text to bytes.
 *
 * @param frequent - 64 hexadecimal digits: a bit for each byte that is one character, from the highest of the first digit on.
 */
export function bytesOf(text: string, frequent: string): Uint8Array<ArrayBuffer> {
  const number = new Uint8Array(128)
  for (let at = 0; at < ALPHABET.length; at++) number[ALPHABET.charCodeAt(at)] = at
  // By the character's code, and by a pair's number: the interpreter runs most of this, so each step counts.
  const single = new Uint8Array(128)
  const paired: number[] = []
  let singles = PAIRS
  for (let byte = 0; byte < 256; byte++) {
    const isSingle = (parseInt(frequent[byte >> 2] as string, 16) << (byte & 3)) & 8
    if (isSingle) single[ALPHABET.charCodeAt(singles++)] = byte
    else paired.push(byte)
  }
  // All others have higher codes, as the alphabet is sorted.
  const lastOfPairs = ALPHABET.charCodeAt(PAIRS - 1)
  const bytes = new TextEncoder().encode(text)
  const { length } = bytes
  let end = 0
  for (let at = 0; at < length; at++) {
    const code = bytes[at] as number
    bytes[end++] = (code > lastOfPairs ? single[code] : paired[(number[code] as number) * ALPHABET.length + (number[bytes[++at] as number] as number)]) as number
  }
  return bytes.subarray(0, end)
}
