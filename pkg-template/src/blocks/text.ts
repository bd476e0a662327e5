// The text of a stream of blocks, and the content of the open block.

import { Joined } from '../joined.js'

/** Text that came and was read, or needed no reading. */
export class BlockText {
  /** All of it, except what is in `plain`. */
  readonly all = new Joined()
  /** Content of the open block, or a call's input as JSON; except what is in `plain`. */
  readonly content = new Joined()
  /** Chunks that were content as a whole, and belong after both of the above. */
  readonly plain = new Joined()
  /** Where the text begins that is kept. */
  from = 0
  /** Whether text of the open block was left out. */
  isPartial = false

  /** Where it ends, in units from the start of the stream. */
  get end(): number {
    return this.from + this.all.length + this.plain.length
  }

  /** Puts plain chunks where they belong, and a chunk after them. */
  gather(chunk: string): void {
    if (!this.plain.isEmpty) {
      const plain = this.plain.take(chunk.length)
      this.all.add(plain)
      this.content.add(plain)
    }
    this.all.add(chunk)
  }

  /** A block starts, without content. */
  startBlock(): void {
    this.isPartial = false
    this.content.clear()
  }

  /** A block goes on that has content already. */
  goOn(content: string, isPartial: boolean): void {
    this.content.clear()
    this.content.add(content)
    this.isPartial = isPartial
  }

  /** The text ended at a place: what came after it is no part of it, and no block is open. */
  cutAt(place: number): void {
    this.gather('')
    const text = this.all.toString().slice(0, Math.max(0, place - this.from))
    this.all.clear()
    this.all.add(text)
    this.content.clear()
  }

  /** Forgets all text, and that of the open block unless it is a call. */
  drop(isCall: boolean): void {
    this.gather('')
    this.from += this.all.length
    this.all.clear()
    if (isCall) return
    this.isPartial ||= !this.content.isEmpty
    this.content.clear()
  }

  /** A new stream, whose places are counted from one on. */
  reset(from: number): void {
    this.all.clear()
    this.content.clear()
    this.plain.clear()
    this.from = from
    this.isPartial = false
  }
}
