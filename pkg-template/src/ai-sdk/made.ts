// What makes the middlewares of the built-in protocols: middleware.ts loads it with the first request.

import { type Repairs, hermesWith, morphWith } from '../tool-calls/protocols.js'
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

/** The middleware of Hermes' calls. */
export function hermes(repairs: Repairs): ToolMiddleware {
  return protocolMiddleware({
    protocol: hermesWith(repairs, {}),
    toolSystemPromptTemplate: hermesSystemPromptTemplate,
  })
}

/** The middleware of Gemma's. */
export function gemma(repairs: Repairs): ToolMiddleware {
  return protocolMiddleware({
    protocol: hermesWith(repairs, GEMMA_TAGS),
    toolSystemPromptTemplate: gemmaSystemPromptTemplate,
  })
}

/** The middleware of calls as elements. */
export function morphXml(repairs: Repairs): ToolMiddleware {
  return protocolMiddleware({
    protocol: morphWith(repairs, {}),
    toolSystemPromptTemplate: morphXmlSystemPromptTemplate,
  })
}
