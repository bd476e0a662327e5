// The middleware by its options: tools for models that have none, in a format that they write as text.

import { type OptionTable, callback, checkOptions, elsewhere, must } from '../options.js'
import { requireWritten } from '../formats/prompt.js'
import { protocolFor } from '../tool-calls/format-protocol.js'
import { systemPromptTemplateFor } from './format-prompt.js'
import { NAME, protocolMiddleware } from './protocol-middleware.js'
import type { FormatMiddlewareOptions, ToolMiddleware, ToolMiddlewareOptions } from './types.js'

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
 * `providerOptions.toolCallMiddleware`.
 *
 * Source: `createToolMiddleware` of `@ai-sdk-tool/parser`.
 *
 * @throws TypeError for options that don't exist, for an invalid protocol, and for a format that says how calls are
 * read, but not how they are written
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
  const { format, ...others } = given
  if (format !== undefined && given.protocol !== undefined)
    throw new TypeError(`${NAME} takes a format or a protocol, but got both`)
  const protocol = (format === undefined ? given.protocol : protocolFor(format)) as ToolMiddlewareOptions['protocol']
  const toolSystemPromptTemplate = (given.toolSystemPromptTemplate ??
    (format === undefined
      ? undefined
      : systemPromptTemplateFor(format))) as ToolMiddlewareOptions['toolSystemPromptTemplate']
  if (format !== undefined) requireWritten(NAME, format)
  return protocolMiddleware({ ...others, protocol, toolSystemPromptTemplate })
}
