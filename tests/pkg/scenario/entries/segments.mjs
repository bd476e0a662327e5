import {
  extractSegments,
  ParseError,
  parseSegments,
  registerToolSyntax,
  registerXmlToolParsingState,
  SegmentStream,
  StreamingParser,
  StreamingResponseHandler,
  streamingResponseHandlerFor,
  ToolInvocationAdapter,
  toolSyntaxOf,
  unregisterToolSyntax,
  unregisterXmlToolParsingState,
} from 'tokenweir/segments'
import { segmentScenario } from '../scenario.mjs'

export const run = () =>
  segmentScenario({
    extractSegments,
    ParseError,
    parseSegments,
    registerToolSyntax,
    registerXmlToolParsingState,
    SegmentStream,
    StreamingParser,
    StreamingResponseHandler,
    streamingResponseHandlerFor,
    ToolInvocationAdapter,
    toolSyntaxOf,
    unregisterToolSyntax,
    unregisterXmlToolParsingState,
  })
