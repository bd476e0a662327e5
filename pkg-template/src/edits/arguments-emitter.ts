// Emits the edits of a call: what is placed in its JSON, and which files are whole only if the arguments are.

import { EditEmitter } from './emitter.js'
import { messageOf } from './faults.js'
import { Places } from './places.js'
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
