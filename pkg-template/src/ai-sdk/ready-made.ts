// Middlewares with a protocol and a prompt.

import { hermesProtocol, morphXmlProtocol } from '../tool-calls/protocols.js'
import { createToolMiddleware } from './middleware.js'
import { gemmaSystemPromptTemplate, hermesSystemPromptTemplate, morphXmlSystemPromptTemplate } from './templates.js'
import type { ToolMiddleware } from './types.js'

/** For models that write calls as JSON between `<tool_call>` tags: Hermes, Qwen and many others. */
export const hermesToolMiddleware: ToolMiddleware = /* @__PURE__ */ createToolMiddleware({
  protocol: /* @__PURE__ */ hermesProtocol(),
  toolSystemPromptTemplate: hermesSystemPromptTemplate,
})

/** For models that write calls best as XML. Each tool is an element, each argument one inside of it. */
export const morphXmlToolMiddleware: ToolMiddleware = /* @__PURE__ */ createToolMiddleware({
  protocol: /* @__PURE__ */ morphXmlProtocol(),
  toolSystemPromptTemplate: morphXmlSystemPromptTemplate,
})

/** For Gemma, which writes calls as JSON in code blocks of the language `tool_call`. */
export const gemmaToolMiddleware: ToolMiddleware = /* @__PURE__ */ createToolMiddleware({
  protocol: /* @__PURE__ */ hermesProtocol({ toolCallStart: '```tool_call', toolCallEnd: '```', toolResponseStart: '```tool_response', toolResponseEnd: '```' }),
  toolSystemPromptTemplate: gemmaSystemPromptTemplate,
})

/** `morphXmlToolMiddleware` by its older name. */
export const xmlToolMiddleware: ToolMiddleware = morphXmlToolMiddleware
