// Where calls stand in the text. Parts of the AI SDK have no spans, so a second
// parser reads the same text one character at a time: what has come out by then is
// told, and the rest is held. The parts that the page shows come from the first
// parser, which gets the chunks as they are.

import { ToolCallParser, type ToolCallSource, type ToolCallStreamPart } from 'tokenweir/tool-calls'
import type { Told } from '../told'

export class CallPlaces {
  private readonly parser: ToolCallParser
  /** Up to here all is text that came out, or calls that were made. */
  private settled = 0
  private at = 0

  constructor(
    private readonly told: Told,
    source: ToolCallSource,
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
  }

  private take(parts: readonly ToolCallStreamPart[], character: string): void {
    for (const part of parts) {
      if (part.type === 'text-delta') {
        this.settleText(part.delta)
      } else if (part.type === 'tool-input-start') {
        this.told.tell(this.settled, this.at, 'call')
      } else if (part.type === 'tool-input-delta') {
        this.told.tell(this.settled, isIn(part.delta, character) ? this.at : this.at - character.length, 'call')
      } else if (part.type === 'tool-call') {
        this.told.tell(this.settled, this.at, 'call')
        this.settled = this.at
      }
    }
  }

  /** Text comes out as it was written. A call without an end tag is made by the start of the next, which then isn't in it. */
  private settleText(text: string): void {
    if (!this.told.text.startsWith(text, this.settled)) {
      const before = this.told.text.lastIndexOf(text, this.settled)
      if (before !== -1) this.settled = before
    }
    this.told.tell(this.settled, this.settled + text.length, 'visible')
    this.settled += text.length
  }
}

/** Whether a delta, which is a piece of JSON text, ends with the character that brought it, or that one only ended what was held. */
function isIn(delta: string, character: string): boolean {
  return delta.endsWith(JSON.stringify(character).slice(1, -1))
}
