// Text, reasoning and calls of a model, as parts of an AI SDK stream.

import { type FormatSource, type Tool, ToolCallParser, type ToolCallSource, type ToolCallStreamPart } from 'tokenweir/tool-calls'
import type { Emitted } from '../emitted'
import { LiveArguments } from './live-arguments'
import { PartPlaces } from './part-places'
import { type Reading, counter } from './reading'

/** One call, as far as it has been emitted. */
export interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  readonly input: LiveArguments
  /** `failed`: it was emitted as text instead. */
  state: 'open' | 'made' | 'failed'
  /** Tolerated errors. */
  repairs: readonly string[]
}

/** A run of text or reasoning. */
export interface Run {
  readonly kind: 'text' | 'reasoning'
  readonly id: string
  text: string
  isDone: boolean
}

/** A part, and the chunk that completed it. */
export interface TimedPart {
  readonly chunk: number
  readonly part: ToolCallStreamPart
}

/** What the parts are read by; the page adds the ids and what is reported. */
export type PartSource = Pick<ToolCallSource, 'protocol' | 'tools'> | Pick<FormatSource, 'format' | 'tools' | 'prefill'>

export class PartReading implements Reading {
  readonly calls: Call[] = []
  /** Text, reasoning and calls, in order. */
  readonly items: Array<Call | Run> = []
  readonly parts: TimedPart[] = []
  readonly faults: string[] = []
  visible = ''
  private readonly parser: ToolCallParser
  private readonly places: PartPlaces
  private readonly repairs = new Map<string, readonly string[]>()

  constructor(
    private readonly emitted: Emitted,
    source: PartSource,
  ) {
    this.places = new PartPlaces(emitted, source)
    this.parser = new ToolCallParser('format' in source ? { ...source, ...this.options() } : { ...source, options: this.options() })
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
  }

  private take(parts: readonly ToolCallStreamPart[]): void {
    for (const part of parts) {
      this.parts.push({ chunk: this.emitted.chunks, part })
      this.takePart(part)
    }
  }

  private takePart(part: ToolCallStreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.items.push({ kind: part.type === 'text-start' ? 'text' : 'reasoning', id: part.id, text: '', isDone: false })
        break
      case 'text-delta':
      case 'reasoning-delta': {
        const run = this.runOf(part.id)
        if (run) run.text += part.delta
        if (part.type === 'text-delta') this.visible += part.delta
        break
      }
      case 'text-end':
      case 'reasoning-end': {
        const run = this.runOf(part.id)
        if (run) run.isDone = true
        break
      }
      default:
        this.takeCall(part)
    }
  }

  private runOf(id: string): Run | undefined {
    return this.items.findLast((item): item is Run => item.kind !== 'call' && item.id === id)
  }

  private takeCall(part: Extract<ToolCallStreamPart, { type: `tool-${string}` }>): void {
    if (part.type === 'tool-input-start') {
      const call: Call = { kind: 'call', id: part.id, name: part.toolName, input: new LiveArguments(), state: 'open', repairs: [] }
      this.calls.push(call)
      this.items.push(call)
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
