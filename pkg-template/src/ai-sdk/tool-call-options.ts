// A request's options, in a form that the types of the AI SDK take.

import { checkRequestOptions } from './options.js'
import type { ToolCallMiddlewareOptions } from './types.js'

/**
 * The result of `toolCallOptions`. Each major of the AI SDK types the values of `providerOptions` as JSON, which
 * functions are not; this fits all of them. It is not for reading.
 *
 * @example
 * ```ts
 * import { type ToolCallProviderOptions, toolCallOptions } from 'tokenweir/ai-sdk'
 *
 * const toolCallMiddleware: ToolCallProviderOptions = toolCallOptions({ onMalformed: 'drop' })
 * console.log(toolCallMiddleware) // { onMalformed: 'drop' }
 * ```
 */
export type ToolCallProviderOptions = Record<string, never>

/**
 * Makes a request's options for the middleware. In TypeScript `providerOptions` takes them in this form only.
 *
 * In the AI SDK: `streamText({ …, providerOptions: { toolCallMiddleware: toolCallOptions({ onError }) } })`.
 *
 * @throws TypeError for options that don't exist or have the wrong type
 * @example
 * ```ts
 * import { generateText, jsonSchema, tool, wrapLanguageModel } from 'ai'
 * import { MockLanguageModelV3 } from 'ai/test'
 * import { hermesToolMiddleware, toolCallOptions } from 'tokenweir/ai-sdk'
 *
 * const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
 * const usage = { inputTokens: none, outputTokens: { total: undefined, text: undefined, reasoning: undefined } }
 * const model = new MockLanguageModelV3({
 *   doGenerate: async () => ({
 *     content: [{ type: 'text', text: '<tool_call>{oh}</tool_call>' }],
 *     finishReason: { unified: 'stop', raw: 'stop' },
 *     usage,
 *     warnings: [],
 *   }),
 * })
 * const onError = (message: string) => console.log(message.split(':')[0])
 * await generateText({
 *   model: wrapLanguageModel({ model, middleware: hermesToolMiddleware }),
 *   tools: { stop: tool({ inputSchema: jsonSchema({ type: 'object' }) }) },
 *   prompt: 'Stop.',
 *   providerOptions: { toolCallMiddleware: toolCallOptions({ onError }) },
 * })
 * ```
 * ```text
 * Could not process streaming JSON tool call
 * ```
 */
export function toolCallOptions(options: ToolCallMiddlewareOptions): ToolCallProviderOptions {
  checkRequestOptions('toolCallOptions', options)
  return { ...options } as object as ToolCallProviderOptions
}
