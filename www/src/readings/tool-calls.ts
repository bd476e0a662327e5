// Tool calls in the text of a model without native tool calling.

import { hermesProtocol, morphXmlProtocol } from 'tokenweir/tool-calls'
import { type PartSource, toolsFrom } from './parts'

export interface ToolCallChoice {
  readonly protocol: 'hermes' | 'morph'
  /** The tools as typed: JSON schemas by name. */
  readonly tools: string
}

export function protocolSource({ protocol, tools }: ToolCallChoice): PartSource {
  return { protocol: protocol === 'hermes' ? hermesProtocol() : morphXmlProtocol(), tools: toolsFrom(tools) }
}
