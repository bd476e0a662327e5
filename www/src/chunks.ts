// How a text is cut into chunks.

/** Where a chunk of about `size` units ends that begins at `from`: never between the halves of a surrogate pair, as a stream of decoded text never does. */
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
