// Cuts a text into chunks.

/** The end of a chunk of about `size` units that starts at `from`. It never splits a surrogate pair, just like a stream of decoded text. */
export function endOfChunk(text: string, from: number, size: number): number {
  const end = Math.min(text.length, from + size)
  return end < text.length && isHighHalf(text.charCodeAt(end - 1)) ? end + 1 : end
}

/** All chunks of a text. */
export function chunksOf(text: string, size: number): string[] {
  const chunks: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = endOfChunk(text, from, size)
    chunks.push(text.slice(from, end))
    from = end
  }
  return chunks
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
