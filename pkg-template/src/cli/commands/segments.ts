// `tokenweir segments`

import { Option } from 'commander'
import type { BlockEmission } from 'tokenweir/blocks'
import type {
  ResponseChunk,
  SegmentConfig,
  SegmentError,
  SegmentEvent,
  StreamingResponseHandler,
  ToolInvocation,
} from 'tokenweir/segments'
import { byOptions } from '../cli-error.js'
import type { CommandSpec, Front } from '../front.js'
import { schemasOf, toolsIn } from '../tools.js'
import { fencesOption } from '../options.js'
import type { Screen } from '../views/screen.js'
import { columns, json, place, sentence, short } from '../views/short.js'

export const segments: CommandSpec = {
  name: 'segments',
  summary: "an agent's files and commands, and the tools to call",
  details: `Parses the text of a recording for tools too, according to --strategy; its reasoning and native calls
are segments with every strategy. Tool results, and calls that the provider runs itself, are left out.
--json prints the events of StreamingResponseHandler, and also
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
    new Option(
      '--strategy <name>',
      'how tools are written; the default is AUTOBYTEUS_STREAM_PARSER, or else xml',
    ).choices(['xml', 'json', 'sentinel', 'api_tool_call', 'native']),
    new Option('--profile <name>', 'how JSON tools start').choices(['default', 'openai', 'gemini']).default('default'),
    fencesOption(),
    new Option('--tools <file>', 'JSON file of the tools; their schemas give XML arguments their types'),
    new Option('--accept-unterminated', 'treat a segment that the end of the input cuts off as complete'),
    new Option('--spans', 'print spans, and markup as events'),
  ],
  async load(options) {
    const { StreamingResponseHandler } = await import('tokenweir/segments')
    const schemas = schemasOf(toolsIn(options['tools'] as string | undefined))
    const config: SegmentConfig = {
      ...(options['strategy'] === undefined
        ? {}
        : { strategy: options['strategy'] as NonNullable<SegmentConfig['strategy']> }),
      jsonProfile: options['profile'] as 'default',
      fences: options['fences'] as 'parse',
      acceptUnterminated: options['acceptUnterminated'] === true,
      spans: options['spans'] === true,
    }
    const front = new SegmentFront((callbacks) =>
      byOptions(
        () =>
          new StreamingResponseHandler({
            ...callbacks,
            config,
            schemas,
            keepEvents: false,
          }),
      ),
    )
    return { front, readsText: true }
  },
}

/** Events, invocations and errors, in order. */
type Emitted =
  | SegmentEvent
  | { readonly type: 'TOOL_INVOCATION'; readonly invocation: ToolInvocation }
  | { readonly type: 'ERROR'; readonly error: SegmentError }

interface Callbacks {
  onSegmentEvent(event: SegmentEvent): void
  onToolInvocation(invocation: ToolInvocation): void
  onError(error: SegmentError): void
}

class SegmentFront implements Front<Emitted> {
  readonly #handler: StreamingResponseHandler
  #emitted: Emitted[] = []
  /** Types of the open segments, by id. */
  readonly #types = new Map<string, string>()

  constructor(make: (callbacks: Callbacks) => StreamingResponseHandler) {
    this.#handler = make({
      onSegmentEvent: (event) => this.#emitted.push(event),
      onToolInvocation: (invocation) => this.#emitted.push({ type: 'TOOL_INVOCATION', invocation }),
      onError: (error) => this.#emitted.push({ type: 'ERROR', error }),
    })
  }

  text(chunk: string): Emitted[] {
    return this.#feed({ content: chunk })
  }

  native(emission: BlockEmission): Emitted[] {
    if (emission.kind !== 'content') return []
    const { text, meta } = emission
    if (meta.type === 'text') return this.text(text)
    if (meta.type === 'thinking') return this.#feed({ reasoning: text })
    // What the provider runs itself, the program must not.
    if (meta.type !== 'tool_call' || meta.hosted === true) return []
    const index = meta.blockIndex
    // The name is repeated with the id, so both are known when the segment starts.
    if (meta.toolCallPart === 'name') return []
    if (meta.toolCallPart === 'id')
      return this.#feed({ toolCalls: [{ index, callId: text, name: meta.toolName ?? null }] })
    return this.#feed({ toolCalls: [{ index, argumentsDelta: text }] })
  }

  finish(): Emitted[] {
    this.#handler.finalize()
    return this.#take()
  }

  json(emitted: Emitted): unknown {
    return emitted
  }

  line(emitted: Emitted): string {
    switch (emitted.type) {
      case 'SEGMENT_START': {
        this.#types.set(emitted.segment_id, emitted.segment_type)
        const { metadata } = emitted.payload
        return this.#row(
          emitted.segment_id,
          emitted.segment_type,
          sentence(['start', metadata === undefined ? '' : short(metadata)]) + place(emitted.span),
        )
      }
      case 'SEGMENT_CONTENT':
        return this.#row(
          emitted.segment_id,
          this.#types.get(emitted.segment_id) ?? '',
          json(emitted.payload.delta) + place(emitted.span),
        )
      case 'SEGMENT_END': {
        const type = this.#types.get(emitted.segment_id) ?? ''
        this.#types.delete(emitted.segment_id)
        return this.#row(emitted.segment_id, type, `end${place(emitted.span)}`)
      }
      case 'MARKUP':
        return this.#row(emitted.segment_id ?? '-', 'markup', short(emitted.payload.delta) + place(emitted.span))
      case 'TOOL_INVOCATION':
        return this.#row(
          emitted.invocation.id,
          'call',
          `${emitted.invocation.name} ${short(emitted.invocation.arguments)}`,
        )
      case 'ERROR':
        return this.#row(emitted.error.segmentId ?? '-', 'error', `${emitted.error.code}: ${emitted.error.message}`)
    }
  }

  paint(emitted: Emitted, screen: Screen): void {
    switch (emitted.type) {
      case 'SEGMENT_START': {
        const { segment_id: id, segment_type: type, payload } = emitted
        this.#types.set(id, type)
        if (type === 'text') return
        screen.endLine()
        if (type === 'reasoning') return
        const { tool_name: tool, path } = payload.metadata ?? {}
        screen.write(
          sentence([
            type === 'tool_call' && typeof tool === 'string' ? tool : type,
            typeof path === 'string' ? path : '',
          ]),
          'name',
        )
        if (path === undefined) screen.write(' ')
        else screen.endLine()
        return
      }
      case 'SEGMENT_CONTENT': {
        const type = this.#types.get(emitted.segment_id)
        screen.write(emitted.payload.delta, type === 'text' ? undefined : type === 'reasoning' ? 'dim' : 'yellow')
        return
      }
      case 'SEGMENT_END':
        if (this.#types.get(emitted.segment_id) !== 'text') screen.endLine()
        this.#types.delete(emitted.segment_id)
        return
      case 'MARKUP':
        return
      case 'TOOL_INVOCATION':
        screen.line(`call ${emitted.invocation.name} ${short(emitted.invocation.arguments)}`, 'green')
        return
      case 'ERROR':
        screen.line(`${emitted.error.code}: ${emitted.error.message}`, 'red')
    }
  }

  #feed(chunk: ResponseChunk): Emitted[] {
    this.#handler.feed(chunk)
    return this.#take()
  }

  #take(): Emitted[] {
    const emitted = this.#emitted
    this.#emitted = []
    return emitted
  }

  #row(id: string, type: string, rest: string): string {
    return columns(
      [
        [id, 7],
        [type, 12],
      ],
      rest,
    )
  }
}
