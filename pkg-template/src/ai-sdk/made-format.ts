// What makes the middlewares of wire formats, with their tables: middleware.ts loads it with the first request.

import type { FormatId } from '../generated/format-ids.js'
import { requireWritten } from '../formats/prompt.js'
import type { Format } from '../formats/types.js'
import { writableFormat } from '../formats/writable.js'
import { protocolFor } from '../tool-calls/format-protocol.js'
import type { ToolCallProtocol } from '../tool-calls/types.js'
import {
  YAML_XML,
  kExaone2Protocol,
  qwen3CoderProtocol,
  uiTarsXmlProtocol,
  systemPromptTemplateFor,
} from './format-protocols.js'
import { NAME } from './options.js'
import { protocolMiddleware } from './protocol-middleware.js'
import type { FormatMiddlewareOptions, ToolMiddleware } from './types.js'

/** The middleware of Qwen3-Coder's, as its peer reads them. */
export function qwen3Coder(): ToolMiddleware {
  return ofPeer(qwen3CoderProtocol, 'qwen3-coder')
}

export function uiTars(): ToolMiddleware {
  return ofPeer(uiTarsXmlProtocol, 'ui-tars')
}

export function kExaone2(): ToolMiddleware {
  return ofPeer(kExaone2Protocol, 'k-exaone')
}

/** The middleware of calls in YAML, by what reads it. */
export function yamlXml(withYaml: (format: Format) => Format): ToolMiddleware {
  return ofFormat({ format: withYaml(writableFormat('yamlXmlToolMiddleware', YAML_XML)) })
}

function ofPeer(protocol: () => ToolCallProtocol, id: FormatId): ToolMiddleware {
  return protocolMiddleware({ protocol: () => protocol(), toolSystemPromptTemplate: systemPromptTemplateFor(id) })
}

/** The middleware of a format. @throws TypeError for one that can't be read, or not written */
export function ofFormat({ format, toolSystemPromptTemplate, ...others }: FormatMiddlewareOptions): ToolMiddleware {
  const protocol = protocolFor(format)
  requireWritten(NAME, format)
  const template = toolSystemPromptTemplate ?? systemPromptTemplateFor(format)
  return protocolMiddleware({ ...others, protocol, toolSystemPromptTemplate: template })
}
