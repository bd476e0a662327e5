// The options of the middleware, checked once.

import { type OptionTable, choice, elsewhere, flag, pickOptions } from '../options.js'
import { checkCallOptions, PARSER_OPTIONS } from '../tool-calls/options.js'
import type { MiddlewareOptions, ToolCallMiddlewareOptions } from './types.js'

/** The function that errors name. */
export const NAME = 'createToolMiddleware'

/** The options of `createToolMiddleware`'s `options`. */
export const MIDDLEWARE_OPTIONS = {
  ...PARSER_OPTIONS,
  forcedToolChoice: [choice('generate', 'stream')],
  withoutCall: [choice('unknown', 'text')],
  toolResultMedia: [choice('user', 'placeholder')],
  keepResponseFormat: [flag],
} satisfies OptionTable<MiddlewareOptions>

const REQUEST_OPTIONS = {
  ...MIDDLEWARE_OPTIONS,
  debugSummary: [elsewhere],
  emitRawToolCallTextOnError: [elsewhere],
  originalTools: [elsewhere],
  toolChoice: [elsewhere],
  promptWarnings: [elsewhere],
} satisfies OptionTable<ToolCallMiddlewareOptions>

/**
 * Refuses options of a request that can't be.
 *
 * @throws TypeError that names the option.
 */
export function checkRequestOptions(place: string, options: object | undefined): void {
  checkCallOptions(place, options, REQUEST_OPTIONS)
}

/** Those that the parser takes: it refuses the others. */
export function parserOptions(options: MiddlewareOptions): MiddlewareOptions {
  return pickOptions(PARSER_OPTIONS, options)
}

/** Options over others. One that is `undefined` doesn't hide a default. */
export function mergeOptions(defaults: MiddlewareOptions | undefined, options: MiddlewareOptions): MiddlewareOptions {
  return pickOptions(MIDDLEWARE_OPTIONS, options, defaults)
}

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
