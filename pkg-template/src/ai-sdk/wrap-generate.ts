// Reads the calls of a whole answer: its text goes the way of a stream that comes
// in one piece.

import { calledReason } from '../finish-reason.js'
import { own } from '../own.js'
import { isBuiltIn } from '../tool-calls/protocols.js'
import { CallsOnce } from '../tool-calls/calls-once.js'
import type { StreamPart } from '../tool-calls/types.js'
import { coercedCall } from './coerced-call.js'
import { type DebugOptions, DebugTap } from './debug.js'
import { protocolOf } from './protocol-source.js'
import { afterStart } from './forced-answer.js'
import { readRequest, warningsOf } from './request.js'
import { type ReadContent, withFieldsOf } from './text-fields.js'
import { readForced } from './tool-choice.js'
import type { CallParams, GenerateResult, MiddlewareOptions, ProtocolSource } from './types.js'

/**
 * The options of `wrapGenerate`.
 *
 * @example
 * ```ts
 * import { type GenerateResult, type WrapGenerateOptions, morphXmlProtocol, wrapGenerate } from 'tokenweir/ai-sdk'
 *
 * const options: WrapGenerateOptions<GenerateResult> = {
 *   protocol: morphXmlProtocol(),
 *   doGenerate: async () => ({ content: [{ type: 'text' }], finishReason: 'stop', usage: {} }),
 *   params: { prompt: [] },
 * }
 * console.log((await wrapGenerate(options)).finishReason) // stop
 * ```
 */
export interface WrapGenerateOptions<Generated extends GenerateResult> {
  /** How calls are written. */
  readonly protocol: ProtocolSource
  /** Asks the model for a whole answer. */
  readonly doGenerate: () => PromiseLike<Generated>
  /** The result of `transformParams`. */
  readonly params: CallParams
  /** How calls are read. Those of the request win. */
  readonly options?: MiddlewareOptions | undefined
  /** What is printed; wins over the environment's `DEBUG_PARSER_MW`. */
  readonly debug?: DebugOptions | undefined
}

/**
 * Reads the model's whole answer, with its calls as `tool-call` contents. It rejects as the model does, and with a
 * TypeError if the protocol or an option of the request is invalid.
 *
 * Source: `wrapGenerate` of `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { morphXmlProtocol, wrapGenerate } from 'tokenweir/ai-sdk'
 *
 * const { content } = await wrapGenerate({
 *   protocol: morphXmlProtocol(),
 *   doGenerate: async () => ({
 *     content: [{ type: 'text', text: 'So: <stop></stop>' }],
 *     finishReason: 'stop',
 *     usage: {},
 *   }),
 *   params: { prompt: [], tools: [{ type: 'function', name: 'stop' }] },
 * })
 * console.log(content.map(({ type }) => type)) // [ 'text', 'tool-call' ]
 * ```
 */
export async function wrapGenerate<Generated extends GenerateResult>({
  protocol: source,
  doGenerate,
  params,
  options: defaults,
  debug,
}: WrapGenerateOptions<Generated>): Promise<Generated> {
  const protocol = protocolOf(source)
  const request = readRequest(params, defaults)
  const { tools, options, toolName } = request
  const tap = new DebugTap(debug, request.debugSummary)
  const result: Generated & { readonly warnings?: unknown } = await doGenerate()
  const more = warningsOf(params)
  const warnings =
    more.length === 0 ? {} : { warnings: [...(Array.isArray(result.warnings) ? result.warnings : []), ...more] }
  if (request.isOneCall) {
    const { withoutCall } = request
    return {
      ...result,
      ...warnings,
      ...readForced(result.content, result.finishReason, { tools, options, toolName, protocol, withoutCall }, tap),
    }
  }
  const isTyped = isBuiltIn(protocol.parseGeneratedText)
  let hasCalls = false
  let left = options
  const native = new CallsOnce()
  result.content.forEach((part) => native.repeats(coercedCall(part, { tools, options }), true))
  const content = result.content.flatMap((part): readonly StreamPart[] => {
    // Reasoning does not depend on tools; a protocol of the user's may know none.
    if (!request.readsCalls && (part.type !== 'text' || !isTyped)) return [part]
    if (part.type !== 'text') return [coercedCall(part, { tools, options })]
    const text = String(own(part, 'text'))
    const pieces: readonly ReadContent[] = protocol.parseGeneratedText({
      ...{ text, tools, options: left },
      finishReason: result.finishReason,
    })
    // The reply starts inside reasoning, not each of its texts.
    left = afterStart(left)
    const typed = isTyped ? pieces : pieces.map((piece) => coercedCall(piece, { tools, options }))
    const once = typed.filter((piece) => !native.repeats(piece, false))
    // A provider's own calls say nothing of the reason: it has said it itself.
    hasCalls ||= once.some(({ type }) => type === 'tool-call')
    return withFieldsOf(part, text, once)
  })
  if (tap.isOn) {
    result.content.forEach((part) => tap.raw(part))
    content.forEach((part) => tap.parsed(part))
    tap.end(protocol, tools)
  }
  return { ...result, ...warnings, content, ...(hasCalls ? { finishReason: calledReason(result.finishReason) } : {}) }
}
