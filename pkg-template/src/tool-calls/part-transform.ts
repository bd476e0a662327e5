// A `TransformStream` that gives all that it has before it fails: where the source
// fails, the built-in one drops what wasn't read yet, and its `flush` isn't called.
//
// Source: spec/world.md, AI SDK middleware 9.

import { TransformBase } from '../platform.js'
import type { StreamPart } from './types.js'

/** Parts that may wait for a slow reader, so that not each of them costs a turn of backpressure. */
const READ_AHEAD = 16

/** What reads parts, and gives its own to `emit`. */
export interface PartReader {
  write(part: StreamPart): void
  /** The source has ended, or failed: it was cut off, unless a part said why it ends. */
  finish(isCutOff: boolean): void
}

/** Turns parts into other parts. */
export class PartTransform extends TransformBase<StreamPart, StreamPart> {
  override readonly readable: ReadableStream<StreamPart>
  override readonly writable: WritableStream<StreamPart>

  constructor(makeReader: (emit: (part: StreamPart) => void) => PartReader) {
    super()
    let failure: { readonly error: unknown } | undefined
    let resume = () => {}
    let output!: ReadableStreamDefaultController<StreamPart>
    let input!: WritableStreamDefaultController
    /** Fails once all was read. */
    const failWhenRead = () => {
      if (failure !== undefined && output.desiredSize === READ_AHEAD) output.error(failure.error)
    }
    const reader = makeReader((part) => output.enqueue(part))
    this.readable = new ReadableStream<StreamPart>(
      {
        start(controller) {
          output = controller
        },
        pull() {
          resume()
          failWhenRead()
        },
        cancel(reason) {
          resume()
          input.error(reason)
        },
      },
      { highWaterMark: READ_AHEAD },
    )
    /** An error of ours, which is the readable side's too. */
    const attempt = (act: () => void) => {
      try {
        act()
      } catch (error) {
        output.error(error)
        throw error
      }
    }
    this.writable = new WritableStream<StreamPart>({
      start(controller) {
        input = controller
      },
      write(part) {
        attempt(() => reader.write(part))
        return (output.desiredSize ?? 0) > 0 ? undefined : new Promise<void>((resolve) => (resume = resolve))
      },
      close() {
        attempt(() => reader.finish(true))
        output.close()
      },
      abort(error) {
        attempt(() => reader.finish(true))
        failure = { error }
        failWhenRead()
      },
    })
  }
}
