// Tool calls without the AI SDK: from a stream of parts, from parts one by one, and
// from a whole text.

import { ParseError, describe, requireOptions } from '../errors.js'
import type { ToolSet } from '../schema/tool-list.js'
import { type FormatSource, openFormat } from './format-source.js'
import { builtInStream } from './protocols.js'
import type { PartStream } from './part-stream.js'
import { PartTransform } from './part-transform.js'
import { type AnyTools, type GeneratedContentOf, type StreamPartOf, toolsOf } from './tool-set.js'
import type { OtherPart, PassedPart, StreamPart, Tool, ToolCallOptions, ToolCallProtocol, ToolCallStreamPart } from './types.js'
import type { Transform } from '../platform.js'

/**
 * What tool calls are read by.
 *
 * @example
 * ```ts
 * import { type ToolCallSource, morphXmlProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const source: ToolCallSource = { protocol: morphXmlProtocol(), tools: [{ name: 'stop' }] }
 * console.log(parseToolCalls('Well <stop></stop>', source).map(({ type }) => type)) // [ 'text', 'tool-call' ]
 * ```
 */
export interface ToolCallSource<Tools extends AnyTools = readonly Tool[]> {
  /** `hermesProtocol()`, `morphXmlProtocol()`, or your own, or a function that makes one. */
  readonly protocol: ToolCallProtocol | (() => ToolCallProtocol)
  /** The tools that may be called: a list, or by name, whose calls have `args`. */
  readonly tools: Tools
  /** How calls are read; these win over the protocol's own. */
  readonly options?: ToolCallOptions
}

/**
 * Turns parts with `text-delta`s into parts with `tool-call`s, as a `TransformStream`. Parts of any other type pass.
 *
 * @throws TypeError for an unknown option, and for invalid tools or an invalid protocol.
 * @example
 * ```ts
 * import { hermesProtocol, toolCallStream } from 'tokenweir/tool-calls'
 *
 * const text = '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>'
 * const answer = new ReadableStream({
 *   start(controller) {
 *     for (const delta of [text.slice(0, 20), text.slice(20)]) controller.enqueue({ type: 'text-delta', id: '1', delta })
 *     controller.close()
 *   },
 * })
 * for await (const part of answer.pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools: [{ name: 'add' }] }))) {
 *   if (part.type === 'tool-call') console.log(part.toolName, part.input)
 * }
 * ```
 * ```text
 * add {"a":1}
 * ```
 */
export function toolCallStream<const Tools extends AnyTools>(source: ToolCallSource<Tools>): Transform<any, Tools extends ToolSet ? StreamPartOf<Tools> | OtherPart : any> {
  requireSource('toolCallStream', source)
  const { options } = source
  const protocol = protocolOf(source.protocol)
  const open = builtInStream(protocol)
  if (open !== undefined) return new PartTransform((emit) => open('toolCallStream', source.tools, options, emit)) as TransformStream<any, any>
  return protocol.createStreamParser({ tools: ownTools('toolCallStream', source.tools), ...(options === undefined ? {} : { options }) })
}

/**
 * Reads the text and the calls of a whole answer, in their order. No text raises an error.
 *
 * @throws TypeError for an unknown option, for invalid tools, an invalid protocol, and a text that is not a string.
 * @example
 * ```ts
 * import { morphXmlProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }]
 * for (const part of parseToolCalls('Sure:<add><a>1</a></add>', { protocol: morphXmlProtocol(), tools })) {
 *   console.log(part.type, part.type === 'tool-call' ? part.input : part.text)
 * }
 * ```
 * ```text
 * text Sure:
 * tool-call {"a":1}
 * ```
 */
export function parseToolCalls<const Tools extends AnyTools>(text: string, source: ToolCallSource<Tools>): GeneratedContentOf<Tools>[] {
  requireSource('parseToolCalls', source)
  const { options } = source
  const protocol = protocolOf(source.protocol)
  const tools = builtInStream(protocol) === undefined ? ownTools('parseToolCalls', source.tools) : (source.tools as readonly Tool[])
  return protocol.parseGeneratedText({ text, tools, ...(options === undefined ? {} : { options }) }) as GeneratedContentOf<Tools>[]
}

/** The tools as a protocol of a program takes them, which adds no `args`. */
function ownTools(place: string, tools: AnyTools): readonly Tool[] {
  if (!Array.isArray(tools)) throw new TypeError(`${place}: tools by name go with formats and built-in protocols; a protocol of your own takes a list`)
  return toolsOf(place, tools).list
}

function requireSource(place: string, source: ToolCallSource<AnyTools>): void {
  if (source === undefined) throw new TypeError(`${place} takes { protocol, tools, options }, but got undefined`)
  requireOptions(place, source, ['protocol', 'tools', 'options'])
}

/** The protocol, which a function may make. */
function protocolOf(protocol: ToolCallProtocol | (() => ToolCallProtocol)): ToolCallProtocol {
  const made = typeof protocol === 'function' ? protocol() : protocol
  if (typeof made !== 'object' || made === null || typeof made.createStreamParser !== 'function') {
    throw new TypeError(`protocol must be an object with createStreamParser and parseGeneratedText, or a function that makes one, but is ${describe(made)}`)
  }
  return made
}

/**
 * What a `ToolCallParser` does; `Part` is a part that it gives.
 *
 * @example
 * ```ts
 * import { ToolCallParser } from 'tokenweir/tool-calls'
 *
 * const parser: ToolCallParser = new ToolCallParser({ format: 'hermes' })
 * console.log(parser.text('Hello').length) // 2
 * ```
 */
export interface ToolCallParser<Part extends StreamPart = ToolCallStreamPart> {
  /**
   * Reads a part; all but text pass. After `finish` nothing is read.
   *
   * @throws TypeError if it is not a part, or a `text-delta` without a text; ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
   *
   * const parser = new ToolCallParser({ protocol: hermesProtocol(), tools: [] })
   * const part = { type: 'text-delta', id: '1', delta: 'Hello' }
   * console.log(parser.write(part).map(({ type }) => type)) // [ 'text-start', 'text-delta' ]
   * ```
   */
  write<const Given extends StreamPart>(part: Given): (Part | PassedPart<Given>)[]

  /**
   * Reads a piece of text.
   *
   * @throws TypeError if it is not a string; ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
   *
   * const parser = new ToolCallParser({ protocol: hermesProtocol(), tools: [] })
   * console.log(parser.text('<tool_').length) // 0
   * console.log(parser.text('box>').map(({ type }) => type)) // [ 'text-start', 'text-delta' ]
   * ```
   */
  text(chunk: string): Part[]

  /**
   * Ends the stream, if no part `finish` did: what is pending comes out.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
   *
   * const parser = new ToolCallParser({ protocol: hermesProtocol(), tools: [] })
   * parser.text('Hello <tool_')
   * console.log(parser.finish().map(({ type }) => type)) // [ 'text-delta', 'text-end' ]
   * ```
   */
  finish(): Part[]
}

/**
 * What makes a `ToolCallParser`, whose parts have the types of its tools.
 *
 * @example
 * ```ts
 * import { ToolCallParser, type ToolCallParserClass } from 'tokenweir/tool-calls'
 *
 * const read = (Parser: ToolCallParserClass, text: string) => new Parser({ format: 'hermes' }).text(text).length
 * console.log(read(ToolCallParser, 'Hello')) // 2
 * ```
 */
export interface ToolCallParserClass {
  /** @throws TypeError for invalid options and tools, and for a protocol that isn't built in. */
  new <const Tools extends AnyTools = readonly Tool[]>(source: ToolCallSource<Tools> | FormatSource<Tools>): ToolCallParser<StreamPartOf<Tools>>
  /** What parsers have in common. */
  readonly prototype: ToolCallParser
}

/**
 * Reads tool calls without streams: parts go in one by one, and each immediately returns a list of parts.
 * It takes the wire format of a model (`{ format: 'kimi-k2' }`), or a protocol that is built in; one of your own has its
 * `createStreamParser`.
 *
 * @example
 * ```ts
 * import { ToolCallParser, hermesProtocol } from 'tokenweir/tool-calls'
 *
 * const parser = new ToolCallParser({ protocol: hermesProtocol(), tools: [{ name: 'add' }] })
 * const chunks = ['Sure: <tool_', 'call>{"name": "add", "arguments": {}}', '</tool_call>']
 * const parts = [...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
 * for (const { type } of parts) console.log(type)
 * ```
 * ```text
 * text-start
 * text-delta
 * text-end
 * tool-input-start
 * tool-input-delta
 * tool-input-end
 * tool-call
 * ```
 */
export const ToolCallParser = class ToolCallParser {
  readonly #stream: PartStream
  #parts: StreamPart[] = []
  #isBusy = false

  constructor(source: ToolCallSource<AnyTools> | FormatSource<AnyTools>) {
    const emit = (part: StreamPart) => void this.#parts.push(part)
    if (source !== undefined && 'format' in source) {
      this.#stream = openFormat('ToolCallParser', source, emit)
      return
    }
    requireSource('ToolCallParser', source)
    const open = builtInStream(protocolOf(source.protocol))
    if (open === undefined) throw new TypeError('ToolCallParser takes hermesProtocol() or morphXmlProtocol(); a protocol of your own has its createStreamParser')
    this.#stream = open('ToolCallParser', source.tools, source.options, emit)
  }

  write<const Given extends StreamPart>(part: Given): (ToolCallStreamPart | PassedPart<Given>)[] {
    if (typeof part !== 'object' || part === null || typeof part.type !== 'string') throw new TypeError(`ToolCallParser.write takes a part with a type, but got ${describe(part)}`)
    const { delta } = part as { readonly delta?: unknown }
    if (part.type === 'text-delta' && typeof delta !== 'string') throw new TypeError(`ToolCallParser.write: the delta of a text-delta is a string, but got ${describe(delta)}`)
    return this.#collect('write', () => this.#stream.write(part)) as (ToolCallStreamPart | PassedPart<Given>)[]
  }

  text(chunk: string): ToolCallStreamPart[] {
    if (typeof chunk !== 'string') throw new TypeError(`ToolCallParser.text takes a string, but got ${describe(chunk)}`)
    return this.#collect('text', () => this.#stream.text(chunk)) as ToolCallStreamPart[]
  }

  finish(): ToolCallStreamPart[] {
    return this.#collect('finish', () => this.#stream.finish()) as ToolCallStreamPart[]
  }

  #collect(method: string, read: () => void): StreamPart[] {
    if (this.#isBusy) throw new ParseError('reentrant', `ToolCallParser.${method} was called from inside a callback of the same parser: call it after write, text or finish has returned`)
    this.#isBusy = true
    try {
      read()
    } finally {
      this.#isBusy = false
    }
    const parts = this.#parts
    this.#parts = []
    return parts
  }
} as ToolCallParserClass
