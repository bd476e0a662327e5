// Text and calls of a model, as parts of an AI SDK stream.

import { type Tool, ToolCallParser, type ToolCallSource, type ToolCallStreamPart } from 'tokenweir/tool-calls'
import type { Emitted } from '../emitted'
import { LiveArguments } from './live-arguments'
import { PartPlaces } from './part-places'
import { type Changed, counter } from './reading'
import { ShownReading, VisibleText } from './visible-text'

/** One call, as far as it has been emitted. */
export interface Call {
  readonly id: string
  readonly name: string
  readonly input: LiveArguments
  /** `failed`: it was emitted as text instead. */
  state: 'open' | 'made' | 'failed'
  /** Tolerated errors. */
  repairs: readonly string[]
}

/** A part, and the chunk that completed it. */
export interface TimedPart {
  readonly chunk: number
  readonly part: ToolCallStreamPart
}

type ToolPart = Extract<ToolCallStreamPart, { type: `tool-${string}` }>

/** What the parts are read by; the page adds the ids and what is reported. */
export type PartSource = Pick<ToolCallSource, 'protocol' | 'tools'>

export class PartReading extends ShownReading {
  readonly calls: Call[] = []
  readonly parts: TimedPart[] = []
  readonly faults: string[] = []
  protected readonly shown: VisibleText
  private readonly parser: ToolCallParser
  private readonly places: PartPlaces
  private readonly repairs = new Map<string, readonly string[]>()

  constructor(
    private readonly emitted: Emitted,
    source: PartSource,
    changed: Changed,
  ) {
    super()
    this.places = new PartPlaces(emitted, source)
    this.parser = new ToolCallParser({ ...source, options: this.options() })
    this.shown = new VisibleText(changed)
  }

  private options() {
    const ids = { call: counter('call_'), text: counter('text_'), reasoning: counter('reasoning_') }
    return {
      generateId: (kind: keyof typeof ids) => ids[kind](),
      onError: (message: string) => void this.faults.push(message),
      onRepair: (repairs: readonly string[], { toolCallId }: { readonly toolCallId: string }) => void this.repairs.set(toolCallId, repairs),
    }
  }

  feed(chunk: string): void {
    this.places.feed(chunk)
    this.take(this.parser.text(chunk) as ToolCallStreamPart[])
  }

  end(): void {
    this.places.end()
    this.take(this.parser.finish() as ToolCallStreamPart[])
    const open = this.calls.at(-1)
    if (open?.state === 'open') open.state = 'failed'
    this.shown.end()
  }

  private take(parts: readonly ToolCallStreamPart[]): void {
    for (const part of parts) {
      this.parts.push({ chunk: this.emitted.chunks, part })
      this.takePart(part)
    }
  }

  private takePart(part: ToolCallStreamPart): void {
    if (part.type === 'text-delta') this.shown.show(part.delta)
    else if (part.type.startsWith('tool-')) this.takeCall(part as ToolPart)
  }

  private takeCall(part: ToolPart): void {
    this.shown.hide()
    if (part.type === 'tool-input-start') {
      const call: Call = { id: part.id, name: part.toolName, input: new LiveArguments(), state: 'open', repairs: [] }
      this.calls.push(call)
      return
    }
    const call = this.calls.at(-1)
    if (call === undefined) return
    if (part.type === 'tool-input-delta') call.input.add(part.delta)
    else if (part.type === 'tool-input-end') call.input.end()
    else {
      call.state = 'made'
      call.repairs = this.repairs.get(call.id) ?? []
    }
  }
}

/** The parsed tools. */
export function toolsFrom(typed: string): Tool[] {
  if (typed.trim() === '') return []
  let schemas: unknown
  try {
    schemas = JSON.parse(typed)
  } catch (error) {
    throw new TypeError(`The tools are not valid JSON: ${(error as Error).message}`)
  }
  if (typeof schemas !== 'object' || schemas === null || Array.isArray(schemas)) throw new TypeError('The tools must be an object of JSON schemas by tool name')
  return Object.entries(schemas).map(([name, inputSchema]) => ({ name, inputSchema }))
}
