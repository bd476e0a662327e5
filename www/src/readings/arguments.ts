// The arguments of one call: what of them is done, and what they change in files.

import { ArgumentsReader } from 'tokenweir/args'
import { EditArguments } from 'tokenweir/edits'
import type { Emitted } from '../emitted'
import { ChangedFiles } from './changed-files'
import type { Reading } from './reading'

/** What strings are looked for in: as deep as arguments usually are. */
const PATTERNS = ['', '*', '*.*', '*.*.*', '*.*.*.*', '*.*.*.*.*']

/** Why the model stopped, as most providers say it. */
const REASON = 'tool_calls'

export class ArgumentReading implements Reading {
  readonly call = new ArgumentsReader()
  readonly changed = new ChangedFiles()
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
    this.changed.take(this.edits.feed(chunk))
  }

  end(): void {
    this.places.end()
    this.call.end(REASON)
    this.changed.take(this.edits.finish(REASON))
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
