// Fields: a JSON answer, value by value.

import { type CompletionSource, type FieldSchema, type JsonValue, type StreamingData, StreamingJSONParser } from 'tokenweir/fields'
import type { Emitted } from '../emitted'
import type { Reading } from './reading'

export interface FieldChoice {
  /** The schema as typed; blank means none. */
  readonly schema: string
}

/** The state of a value. */
export type FieldState = 'growing' | CompletionSource

export class FieldReading implements Reading {
  /** By JSON Pointer. */
  readonly states = new Map<string, FieldState>()
  /** Error messages. */
  readonly faults: string[] = []
  /** The number of done values. */
  done = 0
  resets = 0
  visible = ''
  readonly over = Promise.resolve()
  private readonly parser: StreamingJSONParser
  private isOver = false
  /** The path of the last emitted string. */
  private lastString: string | undefined

  constructor(
    private readonly emitted: Emitted,
    choice: FieldChoice,
  ) {
    this.parser = new StreamingJSONParser(schemaFrom(choice.schema), { spans: true, pathStyle: 'slash' })
  }

  get data(): JsonValue | undefined {
    return this.parser.data
  }

  /** The names of tolerated errors. */
  get tolerated(): readonly string[] {
    return this.parser.report.tolerated
  }

  /** The state of the document: its root has no events. */
  get rootState(): FieldState {
    if (this.parser.report.isComplete) return 'observed_boundary'
    return this.isOver ? 'synthetic_repair' : 'growing'
  }

  feed(chunk: string): void {
    this.take(this.parser.parseChunk(chunk))
  }

  end(): void {
    this.take(this.parser.finalize())
    this.isOver = true
  }

  private take(events: readonly StreamingData[]): void {
    const { emitted, states } = this
    for (const event of events) {
      if (event.eventType === 'delta') {
        if (event.span) emitted.emit(...event.span, 'value')
        states.set(event.path, 'growing')
        if (typeof event.delta === 'string') this.addString(event.path, event.delta)
      } else if (event.eventType === 'done') {
        states.set(event.path, event.completionSource)
        this.done++
      } else if (event.eventType === 'markup') {
        emitted.emit(...event.span, 'markup')
      } else if (event.eventType === 'error') {
        this.faults.push(event.message)
      } else {
        this.withdraw()
      }
    }
  }

  /** The visible text is the answer's strings, each on its own lines. */
  private addString(path: string, delta: string): void {
    if (this.lastString !== undefined && this.lastString !== path) this.visible += '\n'
    this.lastString = path
    this.visible += delta
  }

  /** The earlier document was an example or a thought. */
  private withdraw(): void {
    this.resets++
    this.states.clear()
    this.done = 0
    this.emitted.relabel('value', 'markup')
    this.visible = ''
    this.lastString = undefined
  }
}

/** The parsed schema. */
function schemaFrom(typed: string): FieldSchema | undefined {
  if (typed.trim() === '') return undefined
  let schema: unknown
  try {
    schema = JSON.parse(typed)
  } catch (error) {
    throw new TypeError(`The schema is not valid JSON: ${(error as Error).message}`)
  }
  return schema as FieldSchema
}
