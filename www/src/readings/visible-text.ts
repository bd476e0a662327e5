// The visible text of a stream that a parser has read, without the holes that hidden
// markup leaves. `readReply` decides what stays of the white space, as for any reply:
// it gets text, and thinking where something is hidden, as parts of the AI SDK.

import { readReply } from 'tokenweir'
import type { Changed, Reading } from './reading'

export class VisibleText {
  text = ''
  readonly over: Promise<void>
  private parts!: ReadableStreamDefaultController<object>
  private isHiding = false

  constructor(changed: Changed) {
    const parts = new ReadableStream<object>({ start: (controller) => void (this.parts = controller) })
    this.over = this.read(parts, changed)
  }

  /** Text that a reader may see. */
  show(delta: string): void {
    if (delta === '') return
    this.isHiding = false
    this.parts.enqueue({ type: 'text-delta', id: 'text', delta })
  }

  /** Something that a reader doesn't see. */
  hide(): void {
    if (this.isHiding) return
    this.isHiding = true
    for (const type of ['text-end', 'reasoning-start', 'reasoning-end']) this.parts.enqueue({ type, id: type.split('-')[0] })
  }

  end(): void {
    this.parts.close()
  }

  private async read(parts: ReadableStream<object>, changed: Changed): Promise<void> {
    const reply = readReply(parts, { tags: false })
    const take = (): void => {
      const { text } = reply.soFar
      if (text === this.text) return
      this.text = text
      changed()
    }
    for await (const _ of reply) take()
    take()
  }
}

/** A stream whose visible text is what was shown of it. */
export abstract class ShownReading implements Reading {
  protected abstract readonly shown: VisibleText

  get visible(): string {
    return this.shown.text
  }

  get over(): Promise<void> {
    return this.shown.over
  }

  abstract feed(chunk: string): void
  abstract end(): void
}
