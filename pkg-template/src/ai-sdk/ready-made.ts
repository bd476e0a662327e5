// Middlewares with a protocol and a prompt.

import { hermesProtocol, morphXmlProtocol } from '../tool-calls/protocols.js'
import { protocolMiddleware } from './protocol-middleware.js'
import { gemmaSystemPromptTemplate, hermesSystemPromptTemplate, morphXmlSystemPromptTemplate } from './templates.js'
import type { ToolMiddleware } from './types.js'

/** How Gemma writes calls and results. */
const GEMMA_TAGS = {
  toolCallStart: '```tool_call',
  toolCallEnd: '```',
  toolResponseStart: '```tool_response',
  toolResponseEnd: '```',
}

/** The middleware of a Hermes protocol. */
export function hermesMiddleware(hermes: typeof hermesProtocol): ToolMiddleware {
  return protocolMiddleware({ protocol: hermes(), toolSystemPromptTemplate: hermesSystemPromptTemplate })
}

/** The middleware of a Morph protocol. */
export function morphXmlMiddleware(morphXml: typeof morphXmlProtocol): ToolMiddleware {
  return protocolMiddleware({ protocol: morphXml(), toolSystemPromptTemplate: morphXmlSystemPromptTemplate })
}

/** The middleware of a Hermes protocol with the tags of Gemma. */
export function gemmaMiddleware(hermes: typeof hermesProtocol): ToolMiddleware {
  return protocolMiddleware({ protocol: hermes(GEMMA_TAGS), toolSystemPromptTemplate: gemmaSystemPromptTemplate })
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
export const hermesToolMiddleware: ToolMiddleware = /* @__PURE__ */ hermesMiddleware(hermesProtocol)

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
export const morphXmlToolMiddleware: ToolMiddleware = /* @__PURE__ */ morphXmlMiddleware(morphXmlProtocol)

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
export const gemmaToolMiddleware: ToolMiddleware = /* @__PURE__ */ gemmaMiddleware(hermesProtocol)

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
