// Reads the calls of an answer while it streams.
//
//     model's parts → debugging, types of native calls → protocol → warnings, debugging,
//     and for a protocol of the user's: types of calls, reason of `finish`

import { calledReason } from '../finish-reason.js'
import { own } from '../own.js'
import { isBuiltIn } from '../tool-calls/protocols.js'
import type { StreamPart } from '../tool-calls/types.js'
import { coercedCall } from './coerced-call.js'
import { type DebugOptions, DebugTap } from './debug.js'
import { makePart, mapParts } from './parts.js'
import { protocolOf } from './protocol-source.js'
import { readRequest, warningsOf } from './request.js'
import { toolChoiceStream } from './tool-choice.js'
import type { CallParams, GenerateResult, MiddlewareOptions, ProtocolSource, StreamResult } from './types.js'

/**
 * The options of `wrapStream`.
 *
 * @example
 * ```ts
 * import {
 *   type GenerateResult,
 *   type StreamResult,
 *   type WrapStreamOptions,
 *   morphXmlProtocol,
 *   wrapStream,
 * } from 'tokenweir/ai-sdk'
 *
 * const options: WrapStreamOptions<StreamResult, GenerateResult> = {
 *   protocol: morphXmlProtocol(),
 *   doStream: async () => ({ stream: new ReadableStream() }),
 *   doGenerate: async () => ({ content: [], finishReason: 'stop', usage: {} }),
 *   params: { prompt: [] },
 * }
 * console.log(Object.keys(await wrapStream(options))) // [ 'stream' ]
 * ```
 */
export interface WrapStreamOptions<Streamed extends StreamResult, Generated extends GenerateResult> {
  /** How calls are written. */
  readonly protocol: ProtocolSource
  /** Asks the model for a stream. */
  readonly doStream: () => PromiseLike<Streamed>
  /** Called instead of `doStream` where one call was asked for. */
  readonly doGenerate: () => PromiseLike<Generated>
  /** The result of `transformParams`. */
  readonly params: CallParams
  /** How calls are read. Those of the request win. */
  readonly options?: MiddlewareOptions | undefined
  /** What is printed; wins over the environment's `DEBUG_PARSER_MW`. */
  readonly debug?: DebugOptions | undefined
}

/**
 * Reads the model's answer while it streams, with its calls as `tool-call` parts. It rejects as the model does, and
 * with a TypeError if the protocol or an option of the request is invalid.
 *
 * Source: `wrapStream` of `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { morphXmlProtocol, wrapStream } from 'tokenweir/ai-sdk'
 *
 * const answer = new ReadableStream({
 *   start(controller) {
 *     for (const delta of ['So: <st', 'op></stop>']) controller.enqueue({ type: 'text-delta', id: '1', delta })
 *     controller.close()
 *   },
 * })
 * const { stream } = await wrapStream({
 *   protocol: morphXmlProtocol(),
 *   doStream: async () => ({ stream: answer }),
 *   doGenerate: async () => ({ content: [], finishReason: 'stop', usage: {} }),
 *   params: { prompt: [], tools: [{ type: 'function', name: 'stop' }] },
 * })
 * for await (const part of stream) if (part.type === 'tool-call') console.log(part.toolName, part.input)
 * ```
 * ```text
 * stop {}
 * ```
 */
export async function wrapStream<Streamed extends StreamResult, Generated extends GenerateResult>({
  protocol: source,
  doStream,
  doGenerate,
  params,
  options: defaults,
  debug,
}: WrapStreamOptions<Streamed, Generated>): Promise<Streamed> {
  const protocol = protocolOf(source)
  const request = readRequest(params, defaults)
  const { tools, options } = request
  const tap = new DebugTap(debug, request.debugSummary)
  const warnings = warningsOf(params)
  if (request.isOneCall && request.forcedToolChoice !== 'stream') {
    const { toolName, withoutCall } = request
    return (await toolChoiceStream({
      doGenerate,
      tools,
      options,
      toolName,
      protocol,
      withoutCall,
      extraWarnings: warnings,
      tap,
    })) as StreamResult as Streamed
  }
  const result = await doStream()
  const { readsCalls } = request
  /** Ids of the calls that the provider made itself. */
  const native = new Set<unknown>()
  let stream: ReadableStream<StreamPart> = result.stream
  if (tap.isOn || readsCalls) {
    stream = mapParts(stream, (part) => {
      if (tap.isOn) tap.raw(part)
      if (part.type !== 'tool-call' || !readsCalls) return [part]
      native.add(own(part, 'toolCallId'))
      return [coercedCall(part, { tools, options })]
    })
  }
  // Reasoning does not depend on tools; a protocol of the user's may know none.
  const isOurs = isBuiltIn(protocol.createStreamParser)
  if (readsCalls || isOurs) stream = stream.pipeThrough(protocol.createStreamParser({ tools, options }))
  // Our own parsers do both.
  const isOwnParser = readsCalls && !isOurs
  const outgoing = new Outgoing(
    warnings,
    isOwnParser
      ? (call) => (native.has(own(call, 'toolCallId')) ? undefined : coercedCall(call, { tools, options }))
      : () => undefined,
  )
  stream = mapParts(
    stream,
    (part) => {
      const parts = outgoing.take(part)
      if (tap.isOn) parts.forEach((one) => tap.parsed(one))
      if (tap.isOn && part.type === 'finish') tap.end(protocol, tools)
      return parts
    },
    () => {
      if (tap.isOn) tap.end(protocol, tools)
      return outgoing.finish()
    },
  )
  return { ...result, stream }
}

/** Changes to the parts that the protocol has made. */
class Outgoing {
  private hasStarted = false
  private hasCalls = false

  /** `written` gives a call that the protocol found in text as it should be; nothing for any other. */
  constructor(
    private readonly warnings: readonly object[],
    private readonly written: (call: StreamPart) => StreamPart | undefined,
  ) {}

  take(part: StreamPart): readonly StreamPart[] {
    if (!this.hasStarted) {
      this.hasStarted = true
      if (this.warnings.length > 0) return this.start(part)
    }
    if (part.type === 'tool-call') {
      const call = this.written(part)
      this.hasCalls ||= call !== undefined
      return [call ?? part]
    }
    if (part.type === 'finish' && this.hasCalls)
      return [makePart('finish', { ...part, finishReason: calledReason(own(part, 'finishReason')) })]
    return [part]
  }

  /** An empty answer has warnings, too. */
  finish(): readonly StreamPart[] {
    return this.hasStarted || this.warnings.length === 0 ? [] : [startWith(this.warnings)]
  }

  private start(part: StreamPart): readonly StreamPart[] {
    if (part.type !== 'stream-start') return [startWith(this.warnings), ...this.take(part)]
    const warnings = own(part, 'warnings')
    return [{ ...part, ...startWith([...(Array.isArray(warnings) ? warnings : []), ...this.warnings]) }]
  }
}

function startWith(warnings: readonly unknown[]): StreamPart {
  return makePart('stream-start', { warnings })
}
