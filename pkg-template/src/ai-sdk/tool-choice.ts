// Answers that are to be one call: they are generated as a whole, by the format
// of the response, and told as a stream.
//
//     stream-start  response-metadata?  (what else was generated)  tool-input-*  tool-call  finish
//
// Source: `toolChoiceStream` of `@ai-sdk-tool/parser`. Difference: what the answer
// has besides its text (reasoning, sources, files) is kept, in its order.

import { isRecord, own } from '../own.js'
import type { StreamPart, ToolCallPart } from '../tool-calls/types.js'
import { type ChosenCallReader, chosenCall } from './chosen-call.js'
import type { DebugTap } from './debug.js'
import { toolCalls } from './finish-reason.js'
import { makePart, partsStream } from './parts.js'
import type { GenerateResult, StreamResult } from './types.js'

/**
 * What `toolChoiceStream` takes.
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
export interface ToolChoiceStreamOptions extends Partial<ChosenCallReader> {
  /** Asks the model for a whole answer. */
  readonly doGenerate: () => PromiseLike<GenerateResult>
  /** Warnings behind those of the answer. */
  readonly extraWarnings?: readonly object[] | undefined
  /** @internal */
  readonly tap?: DebugTap | undefined
}

/**
 * Streams one call that was generated as a whole. It rejects as `doGenerate` does.
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
    /** What was sent, where the model tells it. */
    readonly request?: unknown
    /** What came back, where the model tells it. */
    readonly response?: unknown
  }
> {
  // Not in the head of the function, since declarations would name what is internal.
  const { doGenerate, extraWarnings = [], tap, ...reader } = options
  const result: GenerateResult & { readonly [key in 'warnings' | 'request' | 'response' | 'providerMetadata']?: unknown } = await doGenerate()
  const content = contentWithCall(result.content, { tools: [], options: {}, ...reader }, tap)
  const parts: StreamPart[] = [
    makePart('stream-start', { warnings: [...listOf(result.warnings), ...extraWarnings] }),
    ...responseMetadata(result.response),
    ...content.flatMap((part, index) => streamed(part, index, reader.options?.toolInputDeltas !== false)),
    finish(result),
  ]
  return {
    stream: partsStream(parts),
    ...(result.request === undefined ? {} : { request: result.request }),
    ...(result.response === undefined ? {} : { response: result.response }),
  }
}

/** The content with the call in the place of its first text; other text is left out. Without any text it has to have a call already. */
export function contentWithCall(content: readonly StreamPart[], reader: ChosenCallReader, tap?: DebugTap): StreamPart[] {
  const first = content.find((part) => part.type === 'text' && own(part, 'text') !== '')
  const hasCall = first === undefined && content.some((part) => part.type === 'tool-call')
  if (tap?.isOn) content.forEach((part) => tap.raw(part))
  const read = content.flatMap((part): StreamPart[] => (part === first ? [chosenCall(String(own(part, 'text')), reader)] : part.type === 'text' ? [] : [part]))
  if (first === undefined && !hasCall) read.push(chosenCall('', reader))
  if (tap?.isOn) {
    read.forEach((part) => tap.parsed(part))
    tap.end({}, reader.tools)
  }
  return read
}

/** A part of an answer's content, as parts of a stream. Most are the same in both. */
function streamed(part: StreamPart, index: number, hasDeltas: boolean): StreamPart[] {
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
  return [makePart('tool-input-start', { id, toolName }), makePart('tool-input-delta', { id, delta: input }), makePart('tool-input-end', { id }), part]
}

function responseMetadata(response: unknown): StreamPart[] {
  const { id, modelId, timestamp } = (isRecord(response) ? response : {}) as Readonly<Record<'id' | 'modelId' | 'timestamp', unknown>>
  const known = Object.entries({ id, modelId, timestamp }).filter(([, value]) => value !== undefined)
  return known.length === 0 ? [] : [makePart('response-metadata', Object.fromEntries(known))]
}

function finish({ usage, finishReason, providerMetadata }: GenerateResult & { readonly providerMetadata?: unknown }): StreamPart {
  return makePart('finish', { usage, finishReason: toolCalls(finishReason), ...(providerMetadata === undefined ? {} : { providerMetadata }) })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
