// Runs of text, for providers that don't mark where a block begins or ends: text
// and thinking end where anything else begins.

import type { NativeBlock } from './block.js'
import type { BlockOrder } from './order.js'

/** The text block that is open, and whole blocks between texts. */
export class Runs {
  private open: { readonly kind: string; readonly block: NativeBlock } | undefined

  constructor(private readonly order: BlockOrder) {}

  /** The thinking that is open. */
  get thought(): NativeBlock | undefined {
    return this.open?.block.type === 'thinking' ? this.open.block : undefined
  }

  /** Adds text to the open block of this kind, or begins one. */
  say(type: 'text' | 'thinking', text: string, kind: string = type): void {
    if (text === '') return
    if (this.open?.kind !== kind) {
      this.end()
      this.open = { kind, block: this.order.begin(type) }
    }
    this.order.append(this.open.block, text)
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
    if (this.open !== undefined) this.order.end(this.open.block)
    this.open = undefined
  }

  /** The reply was cut off in the open text. */
  cut(): void {
    if (this.open !== undefined) this.order.cut(this.open.block)
    this.open = undefined
  }

  /** Drops the open text. */
  forget(): void {
    this.open = undefined
  }
}
