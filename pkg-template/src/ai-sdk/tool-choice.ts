// Answers that have to be calls: they are generated as a whole, by the format of the
// response, and emitted as a stream.
//
//     stream-start  response-metadata?  (content in its order: text-*, tool-input-*, tool-call, …)  finish
//
// Source: `toolChoiceStream` of `@ai-sdk-tool/parser`; spec/world.md, 3. Difference: all
// that the answer has (text, reasoning, sources, files) is kept, in its order.

import { isRecord, own } from '../own.js'
import { resolveCallOptions } from '../tool-calls/options.js'
import type { StreamPart, ToolCallPart } from '../tool-calls/types.js'
import type { DebugTap } from './debug.js'
import { type ForcedAnswer, type ForcedReader, readForcedAnswer } from './forced-answer.js'
import { makePart, partsStream } from './parts.js'
import { hasFields } from './text-fields.js'
import type { GenerateResult, StreamResult } from './types.js'

/**
 * The options of `toolChoiceStream`.
 *
 * @example
 * ```ts
 * import { type ToolChoiceStreamOptions, toolChoiceStream } from 'tokenweir/ai-sdk'
 *
 * const text = '{"name": "stop", "arguments": {}}'
 * const options: ToolChoiceStreamOptions = {
 *   doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }),
 *   tools: [{ name: 'stop' }],
 * }
 * console.log(Object.keys(await toolChoiceStream(options))) // [ 'stream' ]
 * ```
 */
export interface ToolChoiceStreamOptions extends Partial<ForcedReader> {
  /** Asks the model for a whole answer. */
  readonly doGenerate: () => PromiseLike<GenerateResult>
  /** Warnings after those of the answer. */
  readonly extraWarnings?: readonly object[] | undefined
  /** @internal */
  readonly tap?: DebugTap | undefined
}

/**
 * Streams the calls of an answer that was generated as a whole, and its text. An answer without a call ends in one of
 * the tool `unknown` with `{}`; `withoutCall: 'text'` leaves that out. It rejects as `doGenerate` does.
 *
 * Source: `toolChoiceStream` of `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { toolChoiceStream } from 'tokenweir/ai-sdk'
 *
 * const text = '{"name": "stop", "arguments": {}}'
 * const { stream } = await toolChoiceStream({
 *   doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }),
 * })
 * for await (const { type } of stream) console.log(type)
 * ```
 * ```text
 * stream-start
 * tool-input-start
 * tool-input-delta
 * tool-input-end
 * tool-call
 * finish
 * ```
 */
export async function toolChoiceStream(options: ToolChoiceStreamOptions): Promise<
  StreamResult & {
    /** The request, if the model reports it. */
    readonly request?: unknown
    /** The response, if the model reports it. */
    readonly response?: unknown
  }
> {
  // Not in the head of the function, since declarations would name what is internal.
  const { doGenerate, extraWarnings = [], tap, ...reader } = options
  const result: GenerateResult & {
    readonly [key in 'warnings' | 'request' | 'response' | 'providerMetadata']?: unknown
  } = await doGenerate()
  const { content, finishReason } = readForced(
    result.content,
    result.finishReason,
    { tools: [], options: {}, ...reader },
    tap,
  )
  const { generateId } = resolveCallOptions(reader.options)
  const parts: StreamPart[] = [
    makePart('stream-start', { warnings: [...listOf(result.warnings), ...extraWarnings] }),
    ...responseMetadata(result.response),
    ...content.flatMap((part, index) => streamed(part, index, reader.options?.toolInputDeltas !== false, generateId)),
    finish({ ...result, finishReason }),
  ]
  return {
    stream: partsStream(parts),
    ...(result.request === undefined ? {} : { request: result.request }),
    ...(result.response === undefined ? {} : { response: result.response }),
  }
}

/** The content with its calls, and the reason to finish. */
export function readForced(
  content: readonly StreamPart[],
  finishReason: unknown,
  reader: ForcedReader,
  tap?: DebugTap,
): ForcedAnswer {
  if (tap?.isOn) content.forEach((part) => tap.raw(part))
  const read = readForcedAnswer(content, finishReason, reader)
  if (tap?.isOn) {
    read.content.forEach((part) => tap.parsed(part))
    // Its calls may be written in any way, so the text is all of it.
    tap.end({}, reader.tools)
  }
  return read
}

/** A part of an answer's content, as parts of a stream. Most are the same in both. */
function streamed(
  part: StreamPart,
  index: number,
  hasDeltas: boolean,
  generateId: (kind: 'text') => string,
): StreamPart[] {
  if (part.type === 'text') {
    const { type: _, text, ...fields } = part as { readonly type: string; readonly text?: unknown }
    if (text === '' && !hasFields(part)) return []
    const id = generateId('text')
    return [
      makePart('text-start', { id, ...fields }),
      ...(text === '' ? [] : [makePart('text-delta', { id, delta: text })]),
      makePart('text-end', { id }),
    ]
  }
  if (part.type === 'reasoning') {
    const { text, providerMetadata } = part as { readonly text?: unknown; readonly providerMetadata?: unknown }
    const id = `reasoning-${index}`
    const metadata = providerMetadata === undefined ? {} : { providerMetadata }
    return [
      makePart('reasoning-start', { id, ...metadata }),
      ...(text === '' ? [] : [makePart('reasoning-delta', { id, delta: text })]),
      makePart('reasoning-end', { id, ...metadata }),
    ]
  }
  if (part.type !== 'tool-call' || !hasDeltas || own(part, 'providerExecuted') === true) return [part]
  const { toolCallId: id, toolName, input } = part as ToolCallPart
  return [
    makePart('tool-input-start', { id, toolName }),
    makePart('tool-input-delta', { id, delta: input }),
    makePart('tool-input-end', { id }),
    part,
  ]
}

function responseMetadata(response: unknown): StreamPart[] {
  const { id, modelId, timestamp } = (isRecord(response) ? response : {}) as Readonly<
    Record<'id' | 'modelId' | 'timestamp', unknown>
  >
  const known = Object.entries({ id, modelId, timestamp }).filter(([, value]) => value !== undefined)
  return known.length === 0 ? [] : [makePart('response-metadata', Object.fromEntries(known))]
}

function finish({
  usage,
  finishReason,
  providerMetadata,
}: GenerateResult & { readonly providerMetadata?: unknown }): StreamPart {
  return makePart('finish', { usage, finishReason, ...(providerMetadata === undefined ? {} : { providerMetadata }) })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
