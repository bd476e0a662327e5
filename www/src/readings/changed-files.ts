// The files that a model changes, as far as its edits have been emitted.

import type { EditEvent, EditSide } from 'tokenweir/edits'

/** A file that is changed: its texts in the order in which they are written. */
export interface ChangedFile {
  readonly op: string
  readonly path: string
  readonly runs: Array<{ readonly hunk: number; readonly side: EditSide; text: string }>
  state: 'open' | 'done' | 'malformed'
}

export class ChangedFiles {
  readonly files: ChangedFile[] = []
  /** What is wrong with the edits. */
  readonly faults: string[] = []

  take(events: readonly EditEvent[]): void {
    for (const event of events) {
      if (event.type === 'file') this.files.push({ op: event.op, path: event.path, runs: [], state: 'open' })
      else if (event.type === 'delta') this.grow(event.file, event.hunk, event.side, event.delta)
      else if (event.type === 'file-done') this.settle(event.file, 'done')
      else if (event.type === 'malformed') {
        this.faults.push(event.message)
        if (event.file !== undefined) this.settle(event.file, 'malformed')
      }
    }
  }

  private grow(file: number, hunk: number, side: EditSide, delta: string): void {
    const runs = this.files[file]?.runs
    const run = runs?.at(-1)
    if (run?.hunk === hunk && run.side === side) run.text += delta
    else runs?.push({ hunk, side, text: delta })
  }

  private settle(file: number, state: ChangedFile['state']): void {
    const changed = this.files[file]
    if (changed !== undefined) changed.state = state
  }
}
