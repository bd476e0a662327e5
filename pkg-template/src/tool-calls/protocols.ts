// The protocols that are built in: a row of data each.
//
// Source: seeds/003, "JSON-mix protocol", "Morph-XML protocol".

import { describe } from '../errors.js'
import { areTags } from '../wasm/tool-calls.js'
import { formatHermesCall, formatHermesResponse, formatHermesTools, formatMorphCall, formatMorphResponse, formatMorphTools } from './format.js'
import { HERMES_OPTIONS, MORPH_OPTIONS, PARSER_OPTIONS, checkOptions, resolveOptions } from './options.js'
import { PartStream } from './part-stream.js'
import type { ProtocolSpec } from './protocol-spec.js'
import { engine } from '../wasm/engine.js'
import type { FormattedCall, FormattedResult, GeneratedContent, HermesProtocolOptions, MorphXmlProtocolOptions, ProtocolOptions, StreamPart, Tool, ToolCallOptions, ToolCallProtocol } from './types.js'

/** Parts that may wait for their reader. */
const READ_AHEAD = 16

/** A protocol whose text is read by the machine. */
export abstract class BuiltInProtocol implements ToolCallProtocol {
  /** @internal */
  constructor(
    /** @internal */
    readonly spec: ProtocolSpec,
    private readonly defaults: ProtocolOptions,
  ) {}

  abstract formatTools(arg: { tools: readonly Tool[]; toolSystemPromptTemplate: (tools: string) => string }): string
  abstract formatToolCall(call: FormattedCall): string
  abstract formatToolResponse(result: FormattedResult): string

  /** @internal */
  stream(place: string, tools: readonly Tool[], options: ToolCallOptions | undefined, emit: (part: StreamPart) => void, tellsInput?: false): PartStream {
    engine.requireReady(place)
    checkTools(place, tools)
    checkOptions(place, options, PARSER_OPTIONS)
    const resolved = resolveOptions(options, this.defaults)
    return new PartStream(this.spec, tools, tellsInput === undefined ? resolved : { ...resolved, toolInputDeltas: tellsInput }, emit)
  }

  createStreamParser({ tools, options }: { tools: readonly Tool[]; options?: ToolCallOptions }): TransformStream<any, any> {
    let enqueue: (part: StreamPart) => void = () => {}
    const stream = this.stream('createStreamParser', tools, options, (part) => enqueue(part))
    return new TransformStream<StreamPart, StreamPart>(
      {
        start(controller) {
          enqueue = (part) => controller.enqueue(part)
        },
        transform(part) {
          stream.write(part)
        },
        flush() {
          stream.finish()
        },
      },
      undefined,
      // Some parts wait for a slow reader, so that not each of them costs a turn of backpressure.
      { highWaterMark: READ_AHEAD },
    )
  }

  parseGeneratedText({ text, tools, options }: { text: string; tools: readonly Tool[]; options?: ToolCallOptions }): GeneratedContent[] {
    requireText('parseGeneratedText', text)
    const content: GeneratedContent[] = []
    const stream = this.stream('parseGeneratedText', tools, options, (part) => addContent(content, part), false)
    stream.text(text)
    stream.finish()
    return content
  }

  extractToolCallSegments({ text, tools }: { text: string; tools: readonly Tool[] }): string[] {
    requireText('extractToolCallSegments', text)
    const segments: string[] = []
    const stream = this.stream('extractToolCallSegments', tools, undefined, () => {})
    stream.onSegment = (raw) => segments.push(raw)
    stream.text(text)
    stream.finish()
    return segments
  }
}

function requireText(place: string, text: unknown): void {
  if (typeof text !== 'string') throw new TypeError(`${place} takes { text: string, tools }, but text is ${describe(text)}`)
}

function checkTools(place: string, tools: unknown): void {
  if (!Array.isArray(tools)) throw new TypeError(`${place} takes { tools: [{ name, inputSchema }] }, but tools is ${describe(tools)}`)
  for (const tool of tools as unknown[]) {
    const name = (tool as { readonly name?: unknown } | null)?.name
    if (typeof name !== 'string') throw new TypeError(`${place}: each of tools has a name, but one has ${describe(name)}`)
  }
}

/** Text and calls, as a whole answer has them. */
function addContent(content: GeneratedContent[], part: StreamPart): void {
  if (part.type === 'tool-call') {
    content.push(part as GeneratedContent)
  } else if (part.type === 'text-start') {
    content.push({ type: 'text', text: '' })
  } else if (part.type === 'text-delta') {
    const last = content.pop() as { readonly text: string }
    content.push({ type: 'text', text: last.text + (part as unknown as { readonly delta: string }).delta })
  }
}

class HermesProtocol extends BuiltInProtocol {
  constructor(
    private readonly options: HermesProtocolOptions,
    private readonly call: { readonly start: string; readonly end: string },
  ) {
    super({ kind: 'JSON', start: call.start.trim(), end: call.end.trim(), lines: false }, options)
  }

  formatTools(arg: { tools: readonly Tool[]; toolSystemPromptTemplate: (tools: string) => string }): string {
    return formatHermesTools(arg)
  }

  formatToolCall(call: FormattedCall): string {
    return formatHermesCall(call, this.call)
  }

  formatToolResponse(result: FormattedResult): string {
    const { toolResponseStart = '<tool_response>', toolResponseEnd = '</tool_response>' } = this.options
    return formatHermesResponse(result, { start: toolResponseStart, end: toolResponseEnd })
  }
}

class MorphXmlProtocol extends BuiltInProtocol {
  constructor(options: MorphXmlProtocolOptions) {
    super({ kind: 'XML', start: '', end: '', lines: options.linePrefixed === true }, options)
  }

  formatTools(arg: { tools: readonly Tool[]; toolSystemPromptTemplate: (tools: string) => string }): string {
    return formatMorphTools(arg)
  }

  formatToolCall(call: FormattedCall): string {
    return formatMorphCall(call)
  }

  formatToolResponse(result: FormattedResult): string {
    return formatMorphResponse(result)
  }
}

/**
 * Makes the protocol of calls that are JSON between two tags: `<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>`.
 *
 * White space around the tags doesn't count; they have at most 128 bytes of UTF-8.
 *
 * Source: `hermesProtocol` of `@ai-sdk-tool/parser`, before called `jsonMixProtocol`.
 *
 * @throws TypeError for an unknown option, and for a tag that is empty or too long.
 * @throws ParseError `not-initialised`, with `tokenweir/slim` before `init`.
 * @example
 * ```ts
 * import { hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }]
 * const text = '<tool_call>{"name": "add", "arguments": {"a": "1"}}</tool_call>'
 * const [call] = hermesProtocol().parseGeneratedText({ text, tools })
 * console.log(call?.type === 'tool-call' && [call.toolName, call.input]) // [ 'add', '{"a":1}' ]
 * ```
 */
export function hermesProtocol(options: HermesProtocolOptions = {}): Required<ToolCallProtocol> {
  checkOptions('hermesProtocol', options, HERMES_OPTIONS)
  const { toolCallStart: start = '<tool_call>', toolCallEnd: end = '</tool_call>' } = options
  engine.requireReady('hermesProtocol')
  if (start.trim() === '' || end.trim() === '' || !areTags(start.trim(), end.trim())) {
    throw new TypeError(`hermesProtocol: toolCallStart and toolCallEnd must be tags of 1 to 128 bytes, but are ${describe(start)} and ${describe(end)}`)
  }
  return new HermesProtocol(options, { start, end })
}

/**
 * Makes what `hermesProtocol` makes; its older name.
 *
 * @example
 * ```ts
 * import { jsonMixProtocol } from 'tokenweir/tool-calls'
 *
 * console.log(jsonMixProtocol().parseGeneratedText({ text: 'Hello', tools: [] })) // [ { type: 'text', text: 'Hello' } ]
 * ```
 */
export const jsonMixProtocol = hermesProtocol

/**
 * Makes the protocol of calls that are elements with the tools' names: `<add><a>1</a><b>2</b></add>`.
 *
 * Source: `morphXmlProtocol` of `@ai-sdk-tool/parser`.
 *
 * @throws TypeError for an unknown option.
 * @example
 * ```ts
 * import { morphXmlProtocol } from 'tokenweir/tool-calls'
 *
 * const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }]
 * const [call] = morphXmlProtocol().parseGeneratedText({ text: '<add><a>1</a></add>', tools })
 * console.log(call?.type === 'tool-call' && [call.toolName, call.input]) // [ 'add', '{"a":1}' ]
 * ```
 */
export function morphXmlProtocol(options: MorphXmlProtocolOptions = {}): Required<ToolCallProtocol> {
  checkOptions('morphXmlProtocol', options, MORPH_OPTIONS)
  return new MorphXmlProtocol(options)
}
