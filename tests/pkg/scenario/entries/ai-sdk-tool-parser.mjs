import { RXML, ToolCallParser, coerceBySchema, parse, stringify, withYaml, yamlXmlProtocol } from 'tokenweir/ai-sdk-tool-parser'
import { peerScenario } from '../scenario.mjs'

export const run = () => peerScenario({ RXML, ToolCallParser, coerceBySchema, parse, stringify, withYaml, yamlXmlProtocol })
