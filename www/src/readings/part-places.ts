// The positions of parts in the text. Parts of the AI SDK have no spans, so a second
// parser reads the same text one character at a time: after each character, all text
// so far is either emitted or pending. The parts on the page come from the first
// parser, which gets the original chunks.

import { type FormatSource, ToolCallParser, type ToolCallSource, type ToolCallStreamPart } from 'tokenweir/tool-calls'
import type { Emitted, Role } from '../emitted'

export class PartPlaces {
  private readonly parser: ToolCallParser
  /** Up to here, everything is emitted text, reasoning, markup or complete calls. */
  private settled = 0
  private at = 0

  constructor(
    private readonly emitted: Emitted,
    source: ToolCallSource | FormatSource,
  ) {
    this.parser = new ToolCallParser(source)
  }

  feed(chunk: string): void {
    for (const character of chunk) {
      this.at += character.length
      this.take(this.parser.text(character) as ToolCallStreamPart[], character)
    }
  }

  end(): void {
    this.take(this.parser.finish() as ToolCallStreamPart[], '')
    this.settleMarkup(this.at)
  }

  private take(parts: readonly ToolCallStreamPart[], character: string): void {
    for (const part of parts) {
      if (part.type === 'text-delta') {
        this.settle(part.delta, 'visible')
      } else if (part.type === 'reasoning-delta') {
        this.settle(part.delta, 'thinking')
      } else if (part.type === 'reasoning-end') {
        this.settleMarkup(this.at)
      } else if (part.type === 'tool-input-start') {
        this.emitted.emit(this.settled, this.at, 'call')
      } else if (part.type === 'tool-input-delta') {
        this.emitted.emit(this.settled, isIn(part.delta, character) ? this.at : this.at - character.length, 'call')
      } else if (part.type === 'tool-call') {
        this.emitted.emit(this.settled, this.at, 'call')
        this.settled = this.at
      }
    }
  }

  /** Text is emitted as written. What it passes over is markup. A call without an end tag ends at the start of the next call. */
  private settle(text: string, role: Role): void {
    if (!this.emitted.text.startsWith(text, this.settled)) {
      const after = this.emitted.text.indexOf(text, this.settled)
      const before = this.emitted.text.lastIndexOf(text, this.settled)
      if (after !== -1 && after + text.length <= this.at) this.settleMarkup(after)
      else if (before !== -1) this.settled = before
    }
    this.emitted.emit(this.settled, this.settled + text.length, role)
    this.settled += text.length
  }

  private settleMarkup(to: number): void {
    this.emitted.emit(this.settled, to, 'markup')
    this.settled = to
  }
}

/** Whether a delta of JSON text ends with the current character; otherwise the character only completed pending text. */
function isIn(delta: string, character: string): boolean {
  return delta.endsWith(JSON.stringify(character).slice(1, -1))
}
