// Middlewares with a protocol and a prompt.

import { later } from './middleware.js'
import type { ToolMiddleware } from './types.js'

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
export const hermesToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made.js')).hermes([]),
)

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
export const morphXmlToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made.js')).morphXml([]),
)

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
export const gemmaToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made.js')).gemma([]),
)

/**
 * Gives tools to Qwen3-Coder and to models that write calls like it.
 *
 * @example
 * ```ts
 * import { qwen3CoderToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const text = '<tool_call>\n<function=now>\n</function>\n</tool_call>'
 * const { content } = await qwen3CoderToolMiddleware.wrapGenerate({
 *   doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }),
 *   params: { prompt: [], tools: [{ type: 'function', name: 'now' }] },
 * })
 * console.log(content.map(({ type }) => type)) // [ 'tool-call' ]
 * ```
 */
export const qwen3CoderToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made-format.js')).qwen3Coder(),
)

/**
 * Gives tools to UI-TARS.
 *
 * @example
 * ```ts
 * import { uiTarsToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * console.log(typeof uiTarsToolMiddleware.wrapStream) // function
 * ```
 */
export const uiTarsToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made-format.js')).uiTars(),
)

/**
 * Gives tools to K-EXAONE 2.
 *
 * @example
 * ```ts
 * import { kExaone2ToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * console.log(typeof kExaone2ToolMiddleware.wrapStream) // function
 * ```
 */
export const kExaone2ToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () =>
  (await import('./made-format.js')).kExaone2(),
)

/**
 * Gives tools to models that write calls best as YAML. Each tool is an element, its arguments a mapping in it. What
 * reads YAML is loaded with the first request.
 *
 * @example
 * ```ts
 * import { yamlXmlToolMiddleware } from 'tokenweir/ai-sdk'
 *
 * const { content } = await yamlXmlToolMiddleware.wrapGenerate({
 *   doGenerate: async () => ({
 *     content: [{ type: 'text', text: '<now>\nzone: UTC\n</now>' }],
 *     finishReason: 'stop',
 *     usage: {},
 *   }),
 *   params: { prompt: [], tools: [{ type: 'function', name: 'now' }] },
 * })
 * console.log(content.map(({ type }) => type)) // [ 'tool-call' ]
 * ```
 */
export const yamlXmlToolMiddleware: ToolMiddleware = /* @__PURE__ */ later(async () => {
  const [formats, { withYaml }] = await Promise.all([import('./made-format.js'), import('../yaml/reader.js')])
  return formats.yamlXml(withYaml)
})
