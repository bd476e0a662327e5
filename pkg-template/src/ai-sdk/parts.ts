// Streams of parts. A `TransformStream` would do, but each costs as much as the
// parser itself; reading on demand costs a third of that.

import type { StreamPart } from '../tool-calls/types.js'

export function makePart(type: string, fields: object): StreamPart {
  return { type, ...fields }
}

export function partsStream(parts: readonly StreamPart[]): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** Each part as `change` returns it, and `end` called after the last. Nothing is read before it is asked for. */
export function mapParts(
  stream: ReadableStream<StreamPart>,
  change: (part: StreamPart) => readonly StreamPart[],
  end?: () => readonly StreamPart[],
): ReadableStream<StreamPart> {
  const reader = stream.getReader()
  return new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read()
          const parts = done ? (end?.() ?? []) : change(value)
          for (const part of parts) controller.enqueue(part)
          if (done) return controller.close()
          if (parts.length > 0) return
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
