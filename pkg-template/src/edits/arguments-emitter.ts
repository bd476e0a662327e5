// Emits the edits of a call: what is placed in its JSON, and which files are whole only if the arguments are.

import { EditEmitter } from './emitter.js'
import { messageOf } from './faults.js'
import type { EditEvent } from './types.js'

/** Emits the events of a call's arguments. The text that is read is that of a string in them. */
export class ArgumentsEmitter extends EditEmitter {
  readonly places = new Places()
  /** Files that are done if the arguments are: which, and where they begin. */
  private held: Array<readonly [file: number, from: number]> = []
  /** With spans: the JSON that no event has yet, and where it begins. */
  private json = ''
  private mark = 0

  /** Blocks without a name are of this file. */
  useFor(path: string): void {
    this.front.last = path
  }

  /** More JSON: what is neither text nor content of it becomes markup. */
  receive(json: string): void {
    if (this.settings.spans) this.json += json
  }

  /** What is before a place, and was in no event, is markup. */
  fill(to: number): void {
    if (!this.settings.spans || to <= this.mark) return
    const { mark } = this
    this.mark = to
    const delta = this.json.slice(0, to - mark)
    this.json = this.json.slice(to - mark)
    super.push({ type: 'markup', delta }, mark, to)
  }

  /** The arguments have ended, and are whole or not. */
  end(isWhole: boolean, at: number): void {
    if (isWhole) this.endFile(at)
    for (const [file, from] of this.held) {
      const code = 'unterminated'
      if (isWhole) super.close(file, from, at)
      else this.push({ type: 'malformed', code, message: messageOf(code, at), span: [at, at], file }, at, at)
    }
    this.held = []
    this.fill(at)
  }

  override markup(): void {}

  protected override at(place: number): number {
    return this.places.at(place)
  }

  protected override close(file: number, from: number): void {
    this.held.push([file, from])
  }

  protected override push(event: EditEvent, from: number, to: number): void {
    const isLater = event.type === 'hunk-done' || event.type === 'file-done'
    this.fill(isLater ? to : from)
    if (this.settings.spans && !isLater && to > this.mark) {
      this.json = this.json.slice(to - this.mark)
      this.mark = to
    }
    super.push(event, from, to)
  }
}

/** The places of one string's text. */
class Places {
  /** Where each stretch without escapes begins: in the text, and in the JSON. */
  private stretches: number[] = []
  /** How much text there is. */
  length = 0

  /** More text, and from where to where it is written. What is before a place in the text isn't asked for any more. */
  add(text: string, from: number, to: number, decided: number): void {
    this.begin(from)
    this.length += text.length
    this.begin(to)
    const { stretches } = this
    let over = 0
    while (over + 2 < stretches.length && (stretches[over + 2] as number) <= decided) over += 2
    if (over > 0) stretches.splice(0, over)
  }

  /** Where a unit of the text is written. */
  at(place: number): number {
    const { stretches } = this
    let low = 0
    let high = stretches.length / 2
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((stretches[middle * 2] as number) <= place) low = middle
      else high = middle
    }
    return (stretches[low * 2 + 1] as number) + place - (stretches[low * 2] as number)
  }

  /** The text goes on at a place. */
  private begin(json: number): void {
    const { stretches, length } = this
    if (stretches.length === 0 || this.at(length) !== json) stretches.push(length, json)
  }
}
