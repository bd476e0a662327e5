// Middlewares with a protocol and a prompt.

import { hermesProtocol, morphXmlProtocol } from '../tool-calls/protocols.js'
import { protocolMiddleware } from './protocol-middleware.js'
import { gemmaSystemPromptTemplate, hermesSystemPromptTemplate, morphXmlSystemPromptTemplate } from './templates.js'
import type { ToolMiddleware } from './types.js'

/** How Gemma writes calls and results. */
export const GEMMA_TAGS = {
  toolCallStart: '```tool_call',
  toolCallEnd: '```',
  toolResponseStart: '```tool_response',
  toolResponseEnd: '```',
}

/**
 * Gives tools to models that write calls as JSON between `<tool_call>` tags: Hermes, Qwen and many others.
 *
 * In the AI SDK: `wrapLanguageModel({ model, middleware: hermesToolMiddleware })`.
 *
 * @example
 * ```ts
 * import { hermesToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const text = '<tool_call>{"name": "stop", "arguments": {}}</tool_call>'
 * const { content } = await hermesToolMiddleware.wrapGenerate({
 *   doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }),
 *   params: { prompt: [], tools: [{ type: 'function', name: 'stop' }] },
 * })
 * console.log(content.map(({ type }) => type)) // [ 'tool-call' ]
 * ```
 */
export const hermesToolMiddleware: ToolMiddleware = /* @__PURE__ */ protocolMiddleware({
  protocol: /* @__PURE__ */ hermesProtocol(),
  toolSystemPromptTemplate: hermesSystemPromptTemplate,
})

/**
 * Gives tools to models that write calls best as XML. Each tool is an element, each argument one inside of it.
 *
 * In the AI SDK: `wrapLanguageModel({ model, middleware: morphXmlToolMiddleware })`.
 *
 * @example
 * ```ts
 * import { morphXmlToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const { content } = await morphXmlToolMiddleware.wrapGenerate({
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
export const morphXmlToolMiddleware: ToolMiddleware = /* @__PURE__ */ protocolMiddleware({
  protocol: /* @__PURE__ */ morphXmlProtocol(),
  toolSystemPromptTemplate: morphXmlSystemPromptTemplate,
})

/**
 * Gives tools to Gemma, which writes calls as JSON in code blocks of the language `tool_call`.
 *
 * In the AI SDK: `wrapLanguageModel({ model, middleware: gemmaToolMiddleware })`.
 *
 * @example
 * ```ts
 * import { gemmaToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const text = '```tool_call\n{"name": "stop", "arguments": {}}\n```'
 * const { content } = await gemmaToolMiddleware.wrapGenerate({
 *   doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }),
 *   params: { prompt: [], tools: [{ type: 'function', name: 'stop' }] },
 * })
 * console.log(content.map(({ type }) => type)) // [ 'tool-call' ]
 * ```
 */
export const gemmaToolMiddleware: ToolMiddleware = /* @__PURE__ */ protocolMiddleware({
  protocol: /* @__PURE__ */ hermesProtocol(GEMMA_TAGS),
  toolSystemPromptTemplate: gemmaSystemPromptTemplate,
})

/**
 * Gives tools as `morphXmlToolMiddleware` does; its older name.
 *
 * @example
 * ```ts
 * import { morphXmlToolMiddleware, xmlToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * console.log(xmlToolMiddleware === morphXmlToolMiddleware) // true
 * ```
 */
export const xmlToolMiddleware: ToolMiddleware = morphXmlToolMiddleware
