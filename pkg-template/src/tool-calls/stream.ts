// Tool calls without the AI SDK: from a stream of parts, from parts one by one, and
// from a whole text.

import { ParseError, describe } from '../errors.js'
import { type StreamEnd, endedByItself } from '../finish-reason.js'
import { checkOptions, elsewhere } from '../options.js'
import type { ToolSet } from '../schema/tool-list.js'
import { type FormatSource, openFormat } from './format-source.js'
import { type OpenStream, builtInStream } from './protocols.js'
import type { PartStream } from './part-stream.js'
import { PartTransform } from './part-transform.js'
import { type About, Journal, type Kind, type Restoring, type Snapshot } from '../journal.js'
import { type AnyTools, type GeneratedContentOf, type StreamPartOf, toolsOf } from './tool-set.js'
import type {
  OtherPart,
  PassedPart,
  StreamPart,
  Tool,
  ToolCallOptions,
  ToolCallProtocol,
  ToolCallStreamPart,
} from './types.js'
import type { Transform } from '../platform.js'

const PARSER: Kind = {
  parser: 'tool-calls',
  place: 'ToolCallParser',
  text: 'text',
  calls: ['write', 'finish'],
  hearers: ['onError', 'onRepair'],
}
const STREAM: Kind = {
  parser: 'tool-call-stream',
  place: 'toolCallStream',
  restore: 'restoreToolCallStream',
  text: 'write',
  calls: ['finish'],
  hearers: ['onError', 'onRepair'],
}

/** Options by their names: those of a protocol's parser stand in `options`. */
function flat(source: object | undefined): object | undefined {
  const { options, ...rest } = (source ?? {}) as { readonly options?: object }
  return source && { ...rest, ...options }
}

const RESTORING: Pick<Restoring<unknown>, 'unflat'> = {
  unflat(given) {
    if (!('protocol' in given)) return given
    const { protocol, tools, ...options } = given
    return { protocol, tools, ...(Object.keys(options).length === 0 ? {} : { options }) }
  },
}

/** What it reads by. A format is data, but one that was made by a program is known there. */
function aboutOf({ formats }: PartStream): About {
  return { format: formats.slice(0, formats.lastIndexOf(' ')), about: formats, given: ['format'] }
}

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
 *     for (const delta of [text.slice(0, 20), text.slice(20)])
 *       controller.enqueue({ type: 'text-delta', id: '1', delta })
 *     controller.close()
 *   },
 * })
 * for await (const part of answer.pipeThrough(
 *   toolCallStream({ protocol: hermesProtocol(), tools: [{ name: 'add' }] }),
 * )) {
 *   if (part.type === 'tool-call') console.log(part.toolName, part.input)
 * }
 * ```
 * ```text
 * add {"a":1}
 * ```
 */
export function toolCallStream<const Tools extends AnyTools>(
  source: ToolCallSource<Tools>,
): ToolCallTransform<any, Tools extends ToolSet ? StreamPartOf<Tools> | OtherPart : any> {
  requireSource('toolCallStream', source)
  const { options } = source
  const protocol = protocolOf(source.protocol)
  const open = builtInStream(protocol)
  if (open !== undefined) return openStream(source, open).stream as ToolCallTransform<any, any>
  return protocol.createStreamParser({
    tools: ownTools('toolCallStream', source.tools),
    ...(options === undefined ? {} : { options }),
  }) as ToolCallTransform<any, any>
}

/** A stream by a protocol that is built in, and what it reads with. */
function openStream(
  source: ToolCallSource<AnyTools>,
  open: OpenStream,
): { readonly stream: object; readonly parts: PartStream; readonly target: object } {
  const { tools, options } = source
  const journal = Journal.of(STREAM, flat(source))
  let isBusy = false
  let parts!: PartStream
  const during = (read: () => void) => {
    isBusy = true
    try {
      read()
    } finally {
      isBusy = false
    }
  }
  const target = {
    write(part: StreamPart) {
      journal.call('write', part)
      during(() => parts.write(part))
    },
    finish(isCutOff: boolean) {
      journal.call('finish', isCutOff)
      during(() => parts.finish(isCutOff))
    },
  }
  const stream = new PartTransform((emit) => {
    const emitNew = (part: StreamPart) => {
      if (!journal.isReplaying) emit(part)
    }
    parts = open('toolCallStream', tools, journal.within(options), emitNew)
    return target
  })
  const snapshot = () => journal.snapshot(isBusy, undefined, aboutOf(parts))
  return { stream: Object.assign(stream, { snapshot }), parts, target }
}

/**
 * A stream of parts that can be saved: what `toolCallStream` makes with a protocol that is built in. A protocol of
 * your own has no `snapshot`.
 *
 * @example
 * ```ts
 * import { type ToolCallTransform, hermesProtocol, toolCallStream } from 'tokenweir/tool-calls'
 *
 * const stream: ToolCallTransform<unknown, unknown> = toolCallStream({ protocol: hermesProtocol(), tools: [] })
 * console.log(stream.snapshot().parser) // tool-call-stream
 * ```
 */
export interface ToolCallTransform<In, Out> extends Transform<In, Out> {
  /**
   * The parts that it has read, as plain JSON: for `restoreToolCallStream`. Parts that wait in the stream itself,
   * before or after they were read, are not in it.
   *
   * @throws ParseError `reentrant` from inside a callback of this stream.
   * @example
   * ```ts
   * import { hermesProtocol, toolCallStream } from 'tokenweir/tool-calls'
   *
   * console.log(toolCallStream({ protocol: hermesProtocol(), tools: [] }).snapshot().format) // JSON
   * ```
   */
  snapshot(): Snapshot
}

/**
 * Goes on from a snapshot of `toolCallStream`, in any process: the stream gives the parts that the other one would
 * have given. The protocol and all functions are given again; tools and options that are data are in the snapshot.
 *
 * @throws TypeError that names the option, if one is missing that the other stream had and that is no data, or one is
 * not the snapshot's; ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
 * @example
 * ```ts
 * import { hermesProtocol, restoreToolCallStream, toolCallStream } from 'tokenweir/tool-calls'
 *
 * const before = toolCallStream({ protocol: hermesProtocol(), tools: [{ name: 'add' }] })
 * const stored = JSON.stringify(before.snapshot())
 * const after = restoreToolCallStream(JSON.parse(stored), { protocol: hermesProtocol() })
 * console.log(after.snapshot().format) // JSON
 * ```
 */
export function restoreToolCallStream<const Tools extends AnyTools = readonly Tool[]>(
  snapshot: Snapshot,
  source?: Partial<ToolCallSource<Tools>>,
): ToolCallTransform<any, Tools extends ToolSet ? StreamPartOf<Tools> | OtherPart : any> {
  if (source !== undefined) requireSource('restoreToolCallStream', source)
  const { stream } = Journal.restore(STREAM, snapshot, flat(source), {
    ...RESTORING,
    make(given) {
      const whole = given as ToolCallSource<AnyTools>
      requireSource('restoreToolCallStream', whole)
      const open = builtInStream(protocolOf(whole.protocol))
      if (open === undefined)
        throw new TypeError('restoreToolCallStream takes a protocol that is built in, as the snapshot is of one')
      return openStream(whole, open)
    },
    targetOf: ({ target }) => target,
    aboutOf: ({ parts }) => aboutOf(parts),
  })
  return stream as ToolCallTransform<any, any>
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
export function parseToolCalls<const Tools extends AnyTools>(
  text: string,
  source: ToolCallSource<Tools>,
): GeneratedContentOf<Tools>[] {
  requireSource('parseToolCalls', source)
  const { options } = source
  const protocol = protocolOf(source.protocol)
  const tools =
    builtInStream(protocol) === undefined ? ownTools('parseToolCalls', source.tools) : (source.tools as readonly Tool[])
  return protocol.parseGeneratedText({
    text,
    tools,
    ...(options === undefined ? {} : { options }),
  }) as GeneratedContentOf<Tools>[]
}

/** The tools as a protocol of a program takes them, which adds no `args`. */
function ownTools(place: string, tools: AnyTools): readonly Tool[] {
  if (!Array.isArray(tools))
    throw new TypeError(
      `${place}: tools by name go with formats and built-in protocols; a protocol of your own takes a list`,
    )
  return toolsOf(place, tools).list
}

function requireSource(place: string, source: Partial<ToolCallSource<AnyTools>> | undefined): void {
  if (source === undefined) throw new TypeError(`${place} takes { protocol, tools, options }, but got undefined`)
  checkOptions(place, source, { protocol: [elsewhere], tools: [elsewhere], options: [elsewhere] })
}

/** The protocol, which a function may make. */
function protocolOf(protocol: ToolCallProtocol | (() => ToolCallProtocol)): ToolCallProtocol {
  const made = typeof protocol === 'function' ? protocol() : protocol
  if (typeof made !== 'object' || made === null || typeof made.createStreamParser !== 'function') {
    throw new TypeError(
      `protocol must be an object with createStreamParser and parseGeneratedText, or a function that makes one, ` +
        `but is ${describe(made)}`,
    )
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
   * Reads a part; all but text pass.
   *
   * @throws TypeError if it is not a part, or a `text-delta` without a text; ParseError `finished` for text after
   *   `finish`, `reentrant` from inside a callback of this parser.
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
   * @throws TypeError if it is not a string; ParseError `finished` after `finish`, `reentrant` from inside a callback
   *   of this parser.
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
   * Ends the stream, if no part `finish` did: what is pending comes out. A call that lacks its own end marker is one
   * only if the model stopped there: with any other `reason` it is an `unfinished-tool-call`.
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
  finish(end?: StreamEnd): Part[]

  /**
   * What the parser has read, between two parts, as plain JSON: for `ToolCallParser.restore`. It has all text so far.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { ToolCallParser } from 'tokenweir/tool-calls'
   *
   * const parser = new ToolCallParser({ format: 'hermes', tools: [{ name: 'add' }] })
   * parser.text('<tool_call>{"name": "add", "argu')
   * const { v, format } = parser.snapshot()
   * console.log(v, format) // 1 hermes
   * ```
   */
  snapshot(): Snapshot
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
  new <const Tools extends AnyTools = readonly Tool[]>(
    source: ToolCallSource<Tools> | FormatSource<Tools>,
  ): ToolCallParser<StreamPartOf<Tools>>
  /**
   * Goes on from a snapshot, in any process: what comes next gives the parts that it would have given the parser that
   * the snapshot is of. Options that are data are in the snapshot; functions, a protocol, and a format that is not one
   * by its id, are given again.
   *
   * @throws TypeError that names the option, if one is missing that the other parser had and that is no data, or one is
   * not the snapshot's; ParseError `snapshot-version`, `snapshot-parser` or `snapshot-invalid`.
   * @example
   * ```ts
   * import { ToolCallParser } from 'tokenweir/tool-calls'
   *
   * const before = new ToolCallParser({ format: 'hermes', tools: [{ name: 'add' }] })
   * before.text('<tool_call>{"name": "add", "argu')
   * const stored = JSON.stringify(before.snapshot())
   *
   * const after = ToolCallParser.restore(JSON.parse(stored))
   * const call = after.text('ments": {"a": 1}}</tool_call>').at(-1)
   * console.log(call?.type === 'tool-call' && call.input) // {"a":1}
   * ```
   */
  restore<const Tools extends AnyTools = readonly Tool[]>(
    snapshot: Snapshot,
    source?: Partial<ToolCallSource<Tools>> | Partial<FormatSource<Tools>>,
  ): ToolCallParser<StreamPartOf<Tools>>
  /** What parsers have in common. */
  readonly prototype: ToolCallParser
}

/** Begins to read by a format or a protocol. */
function openParts(
  source: ToolCallSource<AnyTools> | FormatSource<AnyTools>,
  journal: Journal,
  emit: (part: StreamPart) => void,
): PartStream {
  if (source !== undefined && 'format' in source) return openFormat('ToolCallParser', journal.within(source), emit)
  requireSource('ToolCallParser', source)
  if (source.protocol === undefined)
    throw new TypeError("ToolCallParser needs the format of the model, { format: 'hermes', tools }, or a protocol")
  const open = builtInStream(protocolOf(source.protocol))
  if (open === undefined)
    throw new TypeError(
      'ToolCallParser takes hermesProtocol() or morphXmlProtocol(); a protocol of your own has its createStreamParser',
    )
  return open('ToolCallParser', source.tools, journal.within(source.options), emit)
}

/**
 * Reads tool calls without streams: parts go in one by one, and each immediately returns a list of parts. It takes the
 * wire format of a model (`{ format: 'kimi-k2' }`), or a protocol that is built in; one of your own has its
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
  readonly #journal: Journal
  #parts: StreamPart[] = []
  #isBusy = false

  constructor(source: ToolCallSource<AnyTools> | FormatSource<AnyTools>) {
    this.#journal = Journal.of(PARSER, flat(source))
    this.#stream = openParts(source, this.#journal, (part) => void this.#parts.push(part))
  }

  static restore(
    snapshot: Snapshot,
    source?: Partial<ToolCallSource<AnyTools> | FormatSource<AnyTools>>,
  ): ToolCallParser {
    if (source !== undefined && (typeof source !== 'object' || source === null))
      throw new TypeError(`ToolCallParser.restore takes an options object, but got ${describe(source)}`)
    return Journal.restore(PARSER, snapshot, flat(source), {
      ...RESTORING,
      make: (whole) => new ToolCallParser(whole as FormatSource<AnyTools>),
      aboutOf: (parser) => aboutOf(parser.#stream),
    })
  }

  snapshot(): Snapshot {
    return this.#journal.snapshot(this.#isBusy, undefined, aboutOf(this.#stream))
  }

  write<const Given extends StreamPart>(part: Given): (ToolCallStreamPart | PassedPart<Given>)[] {
    if (typeof part !== 'object' || part === null || typeof part.type !== 'string')
      throw new TypeError(`ToolCallParser.write takes a part with a type, but got ${describe(part)}`)
    const { delta } = part as { readonly delta?: unknown }
    if (part.type === 'text-delta' && typeof delta !== 'string')
      throw new TypeError(`ToolCallParser.write: the delta of a text-delta is a string, but got ${describe(delta)}`)
    return this.#collect('write', part, () => this.#stream.write(part)) as (ToolCallStreamPart | PassedPart<Given>)[]
  }

  text(chunk: string): ToolCallStreamPart[] {
    if (typeof chunk !== 'string') throw new TypeError(`ToolCallParser.text takes a string, but got ${describe(chunk)}`)
    return this.#collect('text', chunk, () => this.#stream.text(chunk)) as ToolCallStreamPart[]
  }

  finish(end?: StreamEnd): ToolCallStreamPart[] {
    return this.#collect('finish', end, () => this.#stream.finish(!endedByItself(end?.reason))) as ToolCallStreamPart[]
  }

  #collect(method: string, given: unknown, read: () => void): StreamPart[] {
    if (this.#isBusy)
      throw new ParseError(
        'reentrant',
        `ToolCallParser.${method} was called from inside a callback of the same parser: call it after write, ` +
          `text or finish has returned`,
      )
    this.#isBusy = true
    if (typeof given === 'string') this.#journal.read(given)
    else this.#journal.call(method, given)
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
