// Sources of text for streams, and what is read from them.

/** The chunks, from an async generator. */
export async function* generated(chunks) {
  for (const chunk of chunks) yield chunk
}

/** A stream that says how often it was asked, and why it was cancelled. */
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

/** Everything that a source gives. */
export async function all(source) {
  const values = []
  for await (const value of source) values.push(value)
  return values
}

/** Long enough for every promise that is ready. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
