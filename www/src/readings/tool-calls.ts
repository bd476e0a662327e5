// Tool calls in the text of a model without native tool calling, as parts of an AI SDK stream.

import { type Tool, type ToolCallSource, ToolCallParser, type ToolCallStreamPart, hermesProtocol, morphXmlProtocol } from 'tokenweir/tool-calls'
import type { Emitted } from '../emitted'
import { CallPlaces } from './call-places'
import { LiveArguments } from './live-arguments'
import { type Reading, counter } from './reading'

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

export interface ToolCallChoice {
  readonly protocol: 'hermes' | 'morph'
  /** The tools as typed: JSON schemas by name. */
  readonly tools: string
}

export class ToolCallReading implements Reading {
  readonly calls: Call[] = []
  readonly parts: TimedPart[] = []
  readonly faults: string[] = []
  visible = ''
  private readonly parser: ToolCallParser
  private readonly places: CallPlaces
  private readonly repairs = new Map<string, readonly string[]>()

  constructor(
    private readonly emitted: Emitted,
    choice: ToolCallChoice,
  ) {
    const source = { protocol: choice.protocol === 'hermes' ? hermesProtocol() : morphXmlProtocol(), tools: toolsFrom(choice.tools) }
    this.places = new CallPlaces(emitted, source)
    this.parser = new ToolCallParser({ ...source, options: this.options() })
  }

  private options(): NonNullable<ToolCallSource['options']> {
    const nextCall = counter('call_')
    const nextText = counter('text_')
    return {
      generateId: (kind) => (kind === 'call' ? nextCall() : nextText()),
      onError: (message) => this.faults.push(message),
      onRepair: (repairs, { toolCallId }) => this.repairs.set(toolCallId, repairs),
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
    if (part.type === 'text-delta') {
      this.visible += part.delta
      return
    }
    if (part.type === 'tool-input-start') {
      this.calls.push({ id: part.id, name: part.toolName, input: new LiveArguments(), state: 'open', repairs: [] })
      return
    }
    const call = this.calls.at(-1)
    if (call === undefined) return
    if (part.type === 'tool-input-delta') call.input.add(part.delta)
    else if (part.type === 'tool-input-end') call.input.end()
    else if (part.type === 'tool-call') {
      call.state = 'made'
      call.repairs = this.repairs.get(call.id) ?? []
    } else if (call.state === 'open') call.state = 'failed'
  }
}

/** The parsed tools. */
function toolsFrom(typed: string): Tool[] {
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
