// The arguments of one call: what of them is done, and what they change in files.

import { ArgumentsReader } from 'tokenweir/args'
import { EditArguments, type EditEvent, type EditSide } from 'tokenweir/edits'
import type { Emitted } from '../emitted'
import type { Reading } from './reading'

export interface ArgumentChoice {
  /** Throws while this module is not loaded: one tab needs it, so the page begins without it. */
  open(emitted: Emitted): ArgumentReading
}

/** A file that the call changes: its texts in the order in which they are written. */
export interface ChangedFile {
  readonly op: string
  readonly path: string
  readonly runs: Array<{ readonly hunk: number; readonly side: EditSide; text: string }>
  state: 'open' | 'done' | 'malformed'
}

/** What strings are looked for in: as deep as arguments usually are. */
const PATTERNS = ['', '*', '*.*', '*.*.*', '*.*.*.*', '*.*.*.*.*']

/** Why the model stopped, as most providers say it. */
const REASON = 'tool_calls'

export class ArgumentReading implements Reading {
  readonly call = new ArgumentsReader()
  readonly files: ChangedFile[] = []
  /** What is wrong with the edits. */
  readonly faults: string[] = []
  /** The names in the schema. */
  readonly names: readonly string[]
  visible = ''
  readonly over = Promise.resolve()
  private readonly edits = new EditArguments({ keepText: false })
  private readonly places: Places

  /** `schema`: of the tool, as typed; blank means none. */
  constructor(emitted: Emitted, schema: string) {
    this.names = namesIn(schema)
    this.places = new Places(emitted)
    let last: string | undefined
    for (const pattern of PATTERNS) {
      this.call.onText(pattern, (delta, path) => {
        const place = JSON.stringify(path)
        if (last !== undefined && last !== place) this.visible += '\n'
        last = place
        this.visible += delta
      })
    }
  }

  feed(chunk: string): void {
    this.places.feed(chunk)
    this.call.write(chunk)
    this.take(this.edits.feed(chunk))
  }

  end(): void {
    this.places.end()
    this.call.end(REASON)
    this.take(this.edits.finish(REASON))
  }

  private take(events: readonly EditEvent[]): void {
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

/** Which characters have been emitted: a second reader gets one at a time. The others are pending: keys, half an escape, a number that may go on. */
class Places {
  private readonly call = new ArgumentsReader()
  private at = 0
  private settled = 0

  constructor(private readonly emitted: Emitted) {
    this.call.subscribe(() => {
      if (this.call.status !== 'faulty') this.settle('value')
    })
  }

  feed(chunk: string): void {
    for (const character of chunk) {
      this.at += character.length
      this.call.write(character)
    }
  }

  end(): void {
    this.settle('markup')
  }

  private settle(role: 'value' | 'markup'): void {
    this.emitted.emit(this.settled, this.at, role)
    this.settled = this.at
  }
}

function namesIn(schema: string): string[] {
  if (schema.trim() === '') return []
  try {
    return Object.keys((JSON.parse(schema) as { properties?: object }).properties ?? {})
  } catch (error) {
    throw new TypeError(`The schema is not valid JSON: ${(error as Error).message}`)
  }
}
