// WebAssembly as text in a JavaScript file: pkg-template/xtask/src/wasm_text.rs writes it.
//
// The most frequent bytes are one character each; all others are two, the first a
// space or `!`. So the text is hardly longer than the bytes, and compresses as well,
// unlike base64 and hex. Its characters are the ASCII characters that need no escape
// in any quotes, in a template or in HTML. It begins with 64 characters from `@` to
// `O`, which have a bit for each byte: whether it is one character. text.wat decodes it.

import { decoder } from '../generated/decoder.js'
import { encoder } from '../platform.js'
import { instantiate } from '../wasm/instance.js'

/** Where the decoder finds the text; it puts the bytes after the first characters of it. */
const TEXT = 512
const FRONT = 64

interface Decoder {
  readonly memory: WebAssembly.Memory
  readonly decode: (end: number) => number
}

/**
 * Decodes a text to bytes.
 *
 * @throws ParseError where WebAssembly is missing or refused.
 */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const { memory, decode } = instantiate<Decoder>(Uint8Array.from(decoder)).exports
  const bytes = new Uint8Array(memory.buffer as ArrayBuffer)
  const { written } = encoder().encodeInto(text, bytes.subarray(TEXT))
  return bytes.subarray(TEXT + FRONT, decode(TEXT + written))
}
