// The middleware by its options: tools for models that have none, in a format that they write as text. Its parser,
// WebAssembly and tables come with the first request.

import { READING } from '../generated/formats/reading.js'
import { rowOf } from '../formats/names.js'
import { type OptionTable, callback, checkOptions, elsewhere, must } from '../options.js'
import { checkCallOptions } from '../tool-calls/options.js'
import { requireDebug } from './debug.js'
import { MIDDLEWARE_OPTIONS, NAME } from './options.js'
import { isProtocolFactory, protocolOf } from './protocol-source.js'
import type { FormatMiddlewareOptions, ToolMiddleware, ToolMiddlewareOptions } from './types.js'
import { loadLater } from '../wasm/start.js'

const OPTIONS = {
  format: [elsewhere],
  protocol: [elsewhere],
  toolSystemPromptTemplate: [callback],
  toolResponsePromptTemplate: [callback],
  placement: [must('first or last', (value) => value === 'first' || value === 'last')],
  options: [elsewhere],
  debug: [elsewhere],
} satisfies OptionTable<ToolMiddlewareOptions & FormatMiddlewareOptions>

/**
 * Makes a middleware for `wrapLanguageModel` of the AI SDK 5, 6 or 7, which gives tools to a model that has none: they
 * are described in the system prompt, and what the model writes by the protocol becomes `tool-call` parts, while it
 * writes.
 *
 * It takes a protocol and a system prompt, or the wire format of the model: `{ format: 'qwen3-coder' }`.
 *
 * A protocol that is given as a function is made once for each request. Requests have options of their own in
 * `providerOptions.toolCallMiddleware`. What reads calls is loaded with the first request.
 *
 * Source: `createToolMiddleware` of `@ai-sdk-tool/parser`.
 *
 * @throws TypeError for options that don't exist, for an invalid protocol, and for an unknown format; the first request
 * rejects with one for a format that says how calls are read, but not how they are written.
 * @example
 * ```ts
 * import { wrapLanguageModel } from 'ai'
 * import { MockLanguageModelV3 } from 'ai/test'
 * import { createToolMiddleware, hermesProtocol } from 'tokenweir/ai-sdk'
 *
 * const model = wrapLanguageModel({
 *   model: new MockLanguageModelV3({ modelId: 'your-model' }),
 *   middleware: createToolMiddleware({
 *     protocol: hermesProtocol(),
 *     toolSystemPromptTemplate: (tools) => `Tools:\n${tools}`,
 *   }),
 * })
 * console.log(model.modelId) // your-model
 * ```
 */
export function createToolMiddleware(
  middlewareOptions: ToolMiddlewareOptions | FormatMiddlewareOptions,
): ToolMiddleware {
  checkOptions(NAME, middlewareOptions, OPTIONS)
  const given = (middlewareOptions ?? {}) as {
    readonly [Option in keyof (ToolMiddlewareOptions & FormatMiddlewareOptions)]?:
      | (ToolMiddlewareOptions & FormatMiddlewareOptions)[Option]
      | undefined
  }
  const { format, protocol, options, debug } = given
  if (format !== undefined && protocol !== undefined)
    throw new TypeError(`${NAME} takes a format or a protocol, but got both`)
  if (format === undefined && !isProtocolFactory(protocol as ToolMiddlewareOptions['protocol']))
    protocolOf(protocol as ToolMiddlewareOptions['protocol'])
  if (typeof format === 'string') rowOf(NAME, format, READING)
  if (format === undefined) callback(`${NAME}: toolSystemPromptTemplate`, given.toolSystemPromptTemplate)
  checkCallOptions(`${NAME}: options`, options, MIDDLEWARE_OPTIONS)
  requireDebug(NAME, debug)
  if (format === undefined)
    return later(async () => {
      const { protocolMiddleware } = await import('./protocol-middleware.js')
      return protocolMiddleware(given as ToolMiddlewareOptions)
    })
  return later(async () => (await import('./made-format.js')).ofFormat(given as FormatMiddlewareOptions))
}

/** A middleware that is made with the first request, and again if that failed. */
export function later(make: () => Promise<ToolMiddleware>): ToolMiddleware {
  let made: Promise<ToolMiddleware> | undefined
  const middleware = () =>
    (made ??= loadLater('tool-calls')
      .then(make)
      .catch((error: unknown) => {
        made = undefined
        throw error
      }))
  return {
    specificationVersion: 'v3',
    middlewareVersion: 'v2',
    transformParams: async (given) => (await middleware()).transformParams(given),
    wrapGenerate: async (given) => (await middleware()).wrapGenerate(given),
    wrapStream: async (given) => (await middleware()).wrapStream(given),
  }
}
