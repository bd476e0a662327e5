// A reply with patches: the files that it changes, and the text around them.

import { EditParser, type EditEvent } from 'tokenweir/edits'
import type { Emitted } from '../emitted'
import { ChangedFiles } from './changed-files'
import type { Changed } from './reading'
import { ShownReading, VisibleText } from './visible-text'

/** Why the model stopped, as most providers say it. */
const REASON = 'stop'

export class EditReading extends ShownReading {
  readonly changed = new ChangedFiles()
  private readonly parser = new EditParser()
  private readonly places: Places
  protected readonly shown: VisibleText

  constructor(emitted: Emitted, changed: Changed) {
    super()
    this.places = new Places(emitted)
    this.shown = new VisibleText(changed)
  }

  feed(chunk: string): void {
    this.places.feed(chunk)
    this.take(this.parser.feed(chunk))
  }

  end(): void {
    this.places.end()
    this.take(this.parser.finish(REASON))
    this.shown.end()
  }

  private take(events: readonly EditEvent[]): void {
    this.changed.take(events)
    for (const event of events) {
      if (event.type === 'text') this.shown.show(event.delta)
      else this.shown.hide()
    }
  }
}

/** Which characters have been emitted: a second parser gets one at a time. */
class Places {
  private readonly parser = new EditParser()
  private at = 0
  private settled = 0

  constructor(private readonly emitted: Emitted) {}

  feed(chunk: string): void {
    for (const character of chunk) {
      this.at += character.length
      this.take(this.parser.feed(character))
    }
  }

  end(): void {
    this.take(this.parser.finish(REASON))
    this.settle(this.at, 'markup')
  }

  private take(events: readonly EditEvent[]): void {
    for (const event of events) {
      if (event.type === 'text') {
        // Text is emitted as written; what it passes over is markup.
        const from = this.emitted.text.indexOf(event.delta, this.settled)
        if (from !== -1) this.settle(from, 'markup')
        this.settle(this.settled + event.delta.length, 'visible')
      } else this.settle(this.at, event.type === 'delta' ? 'call' : 'markup')
    }
  }

  private settle(to: number, role: 'visible' | 'call' | 'markup'): void {
    if (to <= this.settled) return
    this.emitted.emit(this.settled, to, role)
    this.settled = to
  }
}
