// `tokenweir segments`

import { Option } from 'commander'
import type { BlockEmission } from 'tokenweir/blocks'
import type { ResponseChunk, SegmentConfig, SegmentError, SegmentEvent, StreamingResponseHandler, ToolInvocation } from 'tokenweir/segments'
import { byOptions } from '../fault.js'
import type { CommandSpec, Front } from '../front.js'
import { toldBySpans } from '../told.js'
import { schemasOf, toolsIn } from '../tools.js'
import type { Screen } from '../views/screen.js'
import { columns, json, place, sentence, short } from '../views/short.js'

export const segments: CommandSpec = {
  name: 'segments',
  summary: 'files, commands and tools of an agent, and what is to be called',
  details: `Of a recording the text is read for tools too, as --strategy says; reasoning and the API's own calls
are segments whatever the strategy. Results of tools are left out.
--json writes the events of StreamingResponseHandler, and of what else it tells
{"type":"TOOL_INVOCATION","invocation"} and {"type":"ERROR","error"}.`,
  example: `  $ printf 'Look: <run_bash>ls</run_bash>' | npx tokenweir segments
  seg_1   text         start
  seg_1   text         "Look: "
  seg_1   text         end
  seg_2   run_bash     start
  seg_2   run_bash     "ls"
  seg_2   run_bash     end
  seg_2   call         run_bash {"command":"ls"}`,
  options: [
    new Option('--strategy <name>', 'how tools are written; the default is AUTOBYTEUS_STREAM_PARSER, or else xml').choices(['xml', 'json', 'sentinel', 'api_tool_call', 'native']),
    new Option('--profile <name>', 'how JSON tools begin').choices(['default', 'openai', 'gemini']).default('default'),
    new Option('--fences <how>', 'markup in Markdown code').choices(['parse', 'text']).default('parse'),
    new Option('--tools <file>', 'JSON file of the tools, whose schemas give XML arguments their types'),
    new Option('--accept-unterminated', 'a segment that the input ends in counts as whole'),
    new Option('--spans', 'tell places, and markup too'),
  ],
  async load(options) {
    const { StreamingParser, StreamingResponseHandler } = await import('tokenweir/segments')
    const schemas = schemasOf(toolsIn(options['tools'] as string | undefined))
    const config: SegmentConfig = {
      ...(options['strategy'] === undefined ? {} : { strategy: options['strategy'] as NonNullable<SegmentConfig['strategy']> }),
      jsonProfile: options['profile'] as 'default',
      fences: options['fences'] as 'parse',
      acceptUnterminated: options['acceptUnterminated'] === true,
    }
    const front = new SegmentFront((callbacks) => byOptions(() => new StreamingResponseHandler({ ...callbacks, config: { ...config, spans: options['spans'] === true }, schemas, keepEvents: false })))
    return {
      front,
      readsText: true,
      told() {
        const shadow = new StreamingParser({ ...config, spans: true })
        return toldBySpans((chunk) => shadow.feed(chunk))
      },
    }
  },
}

/** What is told in order: events, calls, and what is wrong. */
type Told = SegmentEvent | { readonly type: 'TOOL_INVOCATION'; readonly invocation: ToolInvocation } | { readonly type: 'ERROR'; readonly error: SegmentError }

interface Callbacks {
  onSegmentEvent(event: SegmentEvent): void
  onToolInvocation(invocation: ToolInvocation): void
  onError(error: SegmentError): void
}

class SegmentFront implements Front<Told> {
  readonly #handler: StreamingResponseHandler
  #told: Told[] = []
  /** Types of the open segments, by id. */
  readonly #types = new Map<string, string>()

  constructor(make: (callbacks: Callbacks) => StreamingResponseHandler) {
    this.#handler = make({
      onSegmentEvent: (event) => this.#told.push(event),
      onToolInvocation: (invocation) => this.#told.push({ type: 'TOOL_INVOCATION', invocation }),
      onError: (error) => this.#told.push({ type: 'ERROR', error }),
    })
  }

  text(chunk: string): Told[] {
    return this.#feed({ content: chunk })
  }

  native(emission: BlockEmission): Told[] {
    if (emission.kind !== 'content') return []
    const { text, meta } = emission
    if (meta.type === 'text') return this.text(text)
    if (meta.type === 'thinking') return this.#feed({ reasoning: text })
    if (meta.type !== 'tool_call') return []
    const index = meta.blockIndex
    // The name comes again with the id, and so both are known where the segment begins.
    if (meta.toolCallPart === 'name') return []
    if (meta.toolCallPart === 'id') return this.#feed({ toolCalls: [{ index, callId: text, name: meta.toolName ?? null }] })
    return this.#feed({ toolCalls: [{ index, argumentsDelta: text }] })
  }

  finish(): Told[] {
    this.#handler.finalize()
    return this.#take()
  }

  json(told: Told): unknown {
    return told
  }

  line(told: Told): string {
    switch (told.type) {
      case 'SEGMENT_START': {
        this.#types.set(told.segment_id, told.segment_type)
        const { metadata } = told.payload
        return this.#row(told.segment_id, told.segment_type, sentence(['start', metadata === undefined ? '' : short(metadata)]) + place(told.span))
      }
      case 'SEGMENT_CONTENT':
        return this.#row(told.segment_id, this.#types.get(told.segment_id) ?? '', json(told.payload.delta) + place(told.span))
      case 'SEGMENT_END': {
        const type = this.#types.get(told.segment_id) ?? ''
        this.#types.delete(told.segment_id)
        return this.#row(told.segment_id, type, `end${place(told.span)}`)
      }
      case 'MARKUP':
        return this.#row(told.segment_id ?? '-', 'markup', short(told.payload.delta) + place(told.span))
      case 'TOOL_INVOCATION':
        return this.#row(told.invocation.id, 'call', `${told.invocation.name} ${short(told.invocation.arguments)}`)
      case 'ERROR':
        return this.#row(told.error.segmentId ?? '-', 'error', `${told.error.code}: ${told.error.message}`)
    }
  }

  paint(told: Told, screen: Screen): void {
    switch (told.type) {
      case 'SEGMENT_START': {
        const { segment_id: id, segment_type: type, payload } = told
        this.#types.set(id, type)
        if (type === 'text') return
        screen.endLine()
        if (type === 'reasoning') return
        const { tool_name: tool, path } = payload.metadata ?? {}
        screen.write(sentence([type === 'tool_call' && typeof tool === 'string' ? tool : type, typeof path === 'string' ? path : '']), 'name')
        if (path === undefined) screen.write(' ')
        else screen.endLine()
        return
      }
      case 'SEGMENT_CONTENT': {
        const type = this.#types.get(told.segment_id)
        screen.write(told.payload.delta, type === 'text' ? undefined : type === 'reasoning' ? 'dim' : 'yellow')
        return
      }
      case 'SEGMENT_END':
        if (this.#types.get(told.segment_id) !== 'text') screen.endLine()
        this.#types.delete(told.segment_id)
        return
      case 'MARKUP':
        return
      case 'TOOL_INVOCATION':
        screen.line(`call ${told.invocation.name} ${short(told.invocation.arguments)}`, 'green')
        return
      case 'ERROR':
        screen.line(`${told.error.code}: ${told.error.message}`, 'red')
    }
  }

  #feed(chunk: ResponseChunk): Told[] {
    this.#handler.feed(chunk)
    return this.#take()
  }

  #take(): Told[] {
    const told = this.#told
    this.#told = []
    return told
  }

  #row(id: string, type: string, rest: string): string {
    return columns([[id, 7], [type, 12]], rest)
  }
}
