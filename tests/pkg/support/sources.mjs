// Text sources for streams, and their readers.

/** The chunks, from an async generator. */
export async function* generated(chunks) {
  for (const chunk of chunks) yield chunk
}

/** A stream that records its reads and the reason of its cancellation. */
export function counted(chunks, highWaterMark = 0) {
  const seen = { pulls: 0, cancelled: undefined }
  const rest = [...chunks]
  const stream = new ReadableStream({
    pull(controller) {
      seen.pulls += 1
      if (rest.length === 0) return controller.close()
      controller.enqueue(rest.shift())
    },
    cancel(reason) {
      seen.cancelled = { reason }
    },
  }, { highWaterMark })
  return { stream, seen }
}

/** Everything that a source yields. */
export async function all(source) {
  const values = []
  for await (const value of source) values.push(value)
  return values
}

/** Waits long enough for every resolved promise. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
