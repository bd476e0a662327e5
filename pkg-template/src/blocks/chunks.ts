// What both parsers of blocks do with a chunk.
//
//     'Hello'    content as a whole, by the mode that the machine left: `covered`
//     'a <b'     has a tag, or what may be one: `readAll`
//     'a <'      content up to a place, and the rest waits for the next chunk: `BlockFeed.putOff`
//     'a \ud83d' half a character waits too

import { BlockMode } from '../generated/ops.js'
import { endsInHalf } from '../surrogates.js'
import type { BlockFeed } from './feed.js'

/** Reads the chunks of one stream. */
export abstract class ChunkReader<Result> {
  constructor(readonly feed: BlockFeed) {}

  /** Reads text in WebAssembly. */
  protected abstract readAll(text: string): Result
  /** Emits text that a mode covers. */
  protected abstract covered(mode: number, text: string): Result
  /** Emits nothing. */
  protected abstract nothing(): Result
  /** Ignores text after a stop sequence, if there was one. */
  protected abstract ignores(text: string): boolean

  protected readChunk(chunk: string): Result {
    return endsInHalf(chunk) ? this.readHalf(chunk) : this.readWhole(chunk)
  }

  private readWhole(chunk: string): Result {
    const { feed } = this
    if (feed.mode !== BlockMode.Read) return this.readCovered(chunk)
    if (chunk === '' && feed.hasHalf) return this.nothing()
    const text = feed.afterWaiting(chunk)
    return text === chunk || feed.mode === BlockMode.Read ? this.readAll(text) : this.readCovered(text)
  }

  /** Reads a chunk whose last character is only there in half. */
  private readHalf(chunk: string): Result {
    const { feed } = this
    const front = chunk.slice(0, -1)
    const half = chunk.slice(-1)
    try {
      // Half a character that waits, and that another one follows, is all there is of it.
      return front === '' && feed.hasHalf ? this.readAll(feed.afterWaiting('')) : this.readWhole(front)
    } finally {
      if (!this.ignores(half)) feed.waitFor(half)
    }
  }

  /** Reads a chunk that the mode may cover in part. */
  private readCovered(chunk: string): Result {
    const { feed } = this
    const { mode } = feed
    const tag = feed.path.findTag(chunk)
    // Most chunks are text alone.
    if (tag === -1 && mode === BlockMode.Text && chunk !== '') return this.covered(mode, chunk)
    const end = feed.putOff(chunk, tag)
    if (end === -1) return this.readAll(chunk)
    return end === 0 ? this.nothing() : this.covered(mode, end === chunk.length ? chunk : chunk.slice(0, end))
  }
}
