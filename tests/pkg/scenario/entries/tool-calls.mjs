import { hermesProtocol, morphXmlProtocol, parseToolCalls, ToolCallParser, toolCallStream } from 'tokenweir/tool-calls'
import { toolCallScenario } from '../scenario.mjs'

export const run = () => toolCallScenario({ hermesProtocol, morphXmlProtocol, parseToolCalls, ToolCallParser, toolCallStream })
