// The protocols that are built in: a row of data each.
//
// Source: seeds/003, "JSON-mix protocol", "Morph-XML protocol".

import { describe } from '../errors.js'
import { endedByItself } from '../finish-reason.js'
import { THINKING } from '../formats/readable.js'
import type { Format } from '../formats/types.js'
import { recorded } from '../journal.js'
import { formatReading } from './format-reading.js'
import {
  formatHermesCall,
  formatHermesResponse,
  formatHermesTools,
  formatMorphCall,
  formatMorphResponse,
  formatMorphTools,
} from './format.js'
import { HERMES_OPTIONS, MORPH_OPTIONS, PARSER_OPTIONS, checkCallOptions, resolveCallOptions } from './options.js'
import { PartStream, type TextReading } from './part-stream.js'
import { PartTransform } from './part-transform.js'
import { encoder } from '../platform.js'
import { formatBorder } from '../wasm/borders.js'
import { type AnyTools, toolsOf } from './tool-set.js'
import type {
  CitationPart,
  GeneratedContent,
  HermesProtocolOptions,
  MorphXmlProtocolOptions,
  ProtocolOptions,
  StreamPart,
  ToolCallOptions,
  ToolCallProtocol,
} from './types.js'

/** Longest tag of Hermes, in bytes of UTF-8. */
const LONGEST_TAG = 128

/** What a tool's result begins with in the prompts of both. */
const RESULTS = { other: ['<tool_response>'] }

/** What a row repairs, or drops, besides. */
export type Repairs = NonNullable<Format['repairs']>

/** How Hermes is read: JSON between two tags. */
const hermesRow = (start: string, end: string, repairs: Repairs): Format => ({
  id: 'JSON',
  call: { open: [start], close: [end], body: 'json', tolerant: true },
  keys: { name: ['name'], args: ['arguments'] },
  reasoning: THINKING,
  turn: RESULTS,
  repairs,
})

/** How Morph is read: elements with the names of the tools, which may stand on lines of their own. */
const morphRow = (lines: boolean, repairs: Repairs): Format => ({
  id: 'XML',
  call: { body: 'elements', tolerant: true },
  reasoning: THINKING,
  turn: RESULTS,
  repairs: lines ? ['line-name', ...repairs] : repairs,
})

/** Begins to read parts; `place` names who does. */
export type OpenStream = (
  place: string,
  tools: AnyTools,
  options: ToolCallOptions | undefined,
  emit: (part: StreamPart) => void,
  emitsInput?: false,
) => PartStream

/**
 * By the `createStreamParser` of each protocol that is built in, so that one that was spread or taken apart is known,
 * too.
 */
const streams = /* @__PURE__ */ new WeakMap<object, OpenStream>()
/** Their methods whose calls have the types of the tools' schemas. */
const typing = /* @__PURE__ */ new WeakSet<object>()

/** How a protocol's parts are read without a `TransformStream`, if it is built in. */
export function builtInStream({ createStreamParser }: ToolCallProtocol): OpenStream | undefined {
  return streams.get(createStreamParser)
}

/** Whether a method of a protocol is built in, and so gives calls that have the types of the tools' schemas. */
export function isBuiltIn(method: object): boolean {
  return typing.has(method)
}

/** Begins to read parts by a reading, with the options of a protocol. */
export function streamOf(reading: TextReading, defaults: ProtocolOptions): OpenStream {
  return (place, tools, options, emit, emitsInput) => {
    formatBorder.requireReady(place)
    const { list, typed } = toolsOf(place, tools)
    checkCallOptions(place, options, PARSER_OPTIONS)
    const given = resolveCallOptions(options, defaults)
    const resolved = { ...given, generateId: recorded(options, given.generateId) }
    return new PartStream(
      reading,
      list,
      emitsInput === undefined ? resolved : { ...resolved, toolInputDeltas: emitsInput },
      typed(emit),
    )
  }
}

/** Reads a whole text. */
export function contentOf(
  open: OpenStream,
  { text, tools, options, finishReason }: Parameters<ToolCallProtocol['parseGeneratedText']>[0],
): GeneratedContent[] {
  requireText('parseGeneratedText', text)
  const content: Array<GeneratedContent | CitationPart> = []
  const stream = open('parseGeneratedText', tools, options, (part) => addContent(content, part), false)
  stream.text(text)
  stream.finish(!endedByItself(finishReason))
  // Few formats have citations: their types would stand in everybody's way.
  return content as GeneratedContent[]
}

/** A protocol whose text is read by the machine: a plain object, whose methods don't ask what they belong to. */
export function builtInProtocol(
  reading: TextReading,
  defaults: ProtocolOptions,
  format: Pick<Required<ToolCallProtocol>, 'formatTools' | 'formatToolCall' | 'formatToolResponse'>,
): Required<ToolCallProtocol> {
  const open = streamOf(reading, defaults)
  const protocol: Required<ToolCallProtocol> = {
    ...format,

    createStreamParser({ tools, options }) {
      return new PartTransform((emit) => open('createStreamParser', tools, options, emit))
    },

    parseGeneratedText: (given) => contentOf(open, given),

    extractToolCallSegments({ text, tools }) {
      requireText('extractToolCallSegments', text)
      const segments: string[] = []
      const stream = open('extractToolCallSegments', tools, undefined, () => {})
      stream.onSegment = (raw) => segments.push(raw)
      stream.text(text)
      stream.finish()
      return segments
    },
  }
  streams.set(protocol.createStreamParser, open)
  for (const method of [protocol.createStreamParser, protocol.parseGeneratedText]) typing.add(method)
  return protocol
}

function requireText(place: string, text: unknown): void {
  if (typeof text !== 'string')
    throw new TypeError(`${place} takes { text: string, tools }, but text is ${describe(text)}`)
}

/** Text, reasoning, calls and what text cites, as a whole answer has them. */
export function addContent(content: Array<GeneratedContent | CitationPart>, part: StreamPart): void {
  if (part.type === 'tool-call' || part.type === 'source') {
    content.push(part as GeneratedContent | CitationPart)
  } else if (part.type === 'text-start' || part.type === 'reasoning-start') {
    content.push({ type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' })
  } else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
    // What it cites may stand after it.
    const at = content.findLastIndex(({ type }) => type === 'text' || type === 'reasoning')
    const last = content[at] as Extract<GeneratedContent, { readonly text: string }>
    content[at] = { type: last.type, text: last.text + (part as unknown as { readonly delta: string }).delta }
  }
}

/**
 * Makes the protocol of calls that are JSON between two tags:
 * `<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>`.
 *
 * White space around the tags doesn't count; they have at most 128 bytes of UTF-8. The protocol is a plain object:
 * it can be spread, wrapped and taken apart.
 *
 * Source: `hermesProtocol` of `@ai-sdk-tool/parser`, before called `jsonMixProtocol`.
 *
 * @throws TypeError for an unknown option, and for a tag that is empty or too long.
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
  return hermesWith([], options)
}

/** `hermesProtocol` with repairs. */
export function hermesWith(repairs: Repairs, options: HermesProtocolOptions): Required<ToolCallProtocol> {
  checkCallOptions('hermesProtocol', options, HERMES_OPTIONS)
  const { toolCallStart: start = '<tool_call>', toolCallEnd: end = '</tool_call>' } = options
  if (!isTag(start) || !isTag(end)) {
    throw new TypeError(
      `hermesProtocol: toolCallStart and toolCallEnd must be tags of 1 to 128 bytes, but are ${describe(start)} ` +
        `and ${describe(end)}`,
    )
  }
  const { toolResponseStart = '<tool_response>', toolResponseEnd = '</tool_response>' } = options
  return builtInProtocol(formatReading([hermesRow(start.trim(), end.trim(), repairs)], undefined), options, {
    formatTools: formatHermesTools,
    formatToolCall: (call) => formatHermesCall(call, { start, end }),
    formatToolResponse: (result) => formatHermesResponse(result, { start: toolResponseStart, end: toolResponseEnd }),
  })
}

function isTag(tag: string): boolean {
  const text = tag.trim()
  // A character has at most three bytes a unit. The tags that are made while the package is imported are short.
  return text !== '' && (text.length * 3 <= LONGEST_TAG || encoder().encode(text).length <= LONGEST_TAG)
}

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
  return morphWith([], options)
}

/** `morphXmlProtocol` with repairs. */
export function morphWith(repairs: Repairs, options: MorphXmlProtocolOptions): Required<ToolCallProtocol> {
  checkCallOptions('morphXmlProtocol', options, MORPH_OPTIONS)
  return builtInProtocol(formatReading([morphRow(options.linePrefixed === true, repairs)], undefined), options, {
    formatTools: formatMorphTools,
    formatToolCall: formatMorphCall,
    formatToolResponse: formatMorphResponse,
  })
}
