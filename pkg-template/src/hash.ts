// FNV-1a over UTF-16 units: a text with one unit changed always has another one.

/** The hash of a text, or of one after another whose hash is given: 32 bits. */
export function hashOf(text: string, before = 0x811c9dc5): number {
  let hash = before
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** The hash of a text as a short text. */
export function checksum(text: string): string {
  return hashOf(text).toString(36)
}
