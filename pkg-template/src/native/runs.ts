// Runs of text, for providers that don't mark where a block begins or ends: text
// and thinking end where anything else begins.

import { NativeBlock } from './block.js'
import type { BlockOrder } from './order.js'

/** The text block that is open, and whole blocks between texts. */
export class Runs {
  private open: NativeBlock | undefined

  constructor(private readonly order: BlockOrder) {}

  /** Adds text to the open block of this type, or begins one. */
  say(type: 'text' | 'thinking', text: string): void {
    if (text === '') return
    if (this.open?.type !== type) {
      this.end()
      this.open = this.order.begin(type)
    }
    this.order.append(this.open, text)
  }

  /** A complete call. */
  call(name: string, id: string, input: string, hosted = false): void {
    this.end()
    const block = this.order.begin('tool_call', name, id, hosted)
    this.order.append(block, input)
    this.order.end(block)
  }

  /** Ends the open text. */
  end(): void {
    if (this.open !== undefined) this.order.end(this.open)
    this.open = undefined
  }

  /** The reply was cut off in the open text. */
  cut(): void {
    if (this.open !== undefined) this.order.cut(this.open)
    this.open = undefined
  }

  /** Drops the open text. */
  forget(): void {
    this.open = undefined
  }
}
