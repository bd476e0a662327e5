// Fields: a JSON answer, value by value.

import { type CompletionSource, type FieldSchema, type JsonValue, type StreamingData, StreamingJSONParser } from 'tokenweir/fields'
import type { Told } from '../told'
import type { Reading } from './reading'

export interface FieldChoice {
  /** As it was typed; none if that is blank. */
  readonly schema: string
}

/** How far a value is. */
export type FieldState = 'growing' | CompletionSource

export class FieldReading implements Reading {
  /** By JSON Pointer. */
  readonly states = new Map<string, FieldState>()
  /** What can't be read, in sentences. */
  readonly faults: string[] = []
  /** How many values are done. */
  done = 0
  resets = 0
  visible = ''
  private readonly parser: StreamingJSONParser
  private isOver = false
  /** The path of the string that was told last. */
  private lastString: string | undefined

  constructor(
    private readonly told: Told,
    choice: FieldChoice,
  ) {
    this.parser = new StreamingJSONParser(schemaFrom(choice.schema), { spans: true, pathStyle: 'slash' })
  }

  get data(): JsonValue | undefined {
    return this.parser.data
  }

  /** The rules by which text that is no JSON was read all the same. */
  get tolerated(): readonly string[] {
    return this.parser.report.tolerated
  }

  /** How far the document is: its root has no events. */
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
    const { told, states } = this
    for (const event of events) {
      if (event.eventType === 'delta') {
        if (event.span) told.tell(...event.span, 'value')
        states.set(event.path, 'growing')
        if (typeof event.delta === 'string') this.addString(event.path, event.delta)
      } else if (event.eventType === 'done') {
        states.set(event.path, event.completionSource)
        this.done++
      } else if (event.eventType === 'markup') {
        told.tell(...event.span, 'markup')
      } else if (event.eventType === 'error') {
        this.faults.push(event.message)
      } else {
        this.withdraw()
      }
    }
  }

  /** A reader gets the strings of the answer, each on lines of its own. */
  private addString(path: string, delta: string): void {
    if (this.lastString !== undefined && this.lastString !== path) this.visible += '\n'
    this.lastString = path
    this.visible += delta
  }

  /** What was told was an example or a thought. */
  private withdraw(): void {
    this.resets++
    this.states.clear()
    this.done = 0
    this.told.retell('value', 'markup')
    this.visible = ''
    this.lastString = undefined
  }
}

/** The schema that was typed. */
function schemaFrom(typed: string): FieldSchema | undefined {
  if (typed.trim() === '') return undefined
  let schema: unknown
  try {
    schema = JSON.parse(typed)
  } catch (error) {
    throw new TypeError(`The schema is no JSON: ${(error as Error).message}`)
  }
  return schema as FieldSchema
}
