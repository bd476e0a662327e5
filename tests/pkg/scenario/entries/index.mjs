// Named imports, as in a program: a bundler drops the rest, but must keep the start of the WebAssembly.
import { BlockParser, hasUnclosedXmlBlock, IncrementalXmlParser, ParseError } from 'tokenweir/blocks'
import { coerceBySchema } from 'tokenweir/schema-coerce'
import { extractSegments, parseSegments, registerToolSyntax, registerXmlToolParsingState, SegmentStream, StreamingParser, StreamingResponseHandler, streamingResponseHandlerFor, ToolInvocationAdapter, toolSyntaxOf, unregisterToolSyntax, unregisterXmlToolParsingState } from 'tokenweir/segments'
import { FieldStream, parseFields, parsePartial, StreamingJSONParser } from 'tokenweir/fields'
import { getPotentialStartIndex, hermesProtocol, morphXmlProtocol, parseToolCalls, ToolCallParser, toolCallStream } from 'tokenweir/tool-calls'
import { NativeBlocks } from 'tokenweir/reply'
import { RJSON } from 'tokenweir/rjson'
import { RXML } from 'tokenweir/rxml'
import { visibleText } from 'tokenweir'
import { everything } from '../by-entry.mjs'

export const run = () =>
  everything({
    BlockParser,
    coerceBySchema,
    extractSegments,
    FieldStream,
    getPotentialStartIndex,
    hasUnclosedXmlBlock,
    hermesProtocol,
    IncrementalXmlParser,
    morphXmlProtocol,
    NativeBlocks,
    ParseError,
    parseFields,
    parsePartial,
    parseSegments,
    parseToolCalls,
    registerToolSyntax,
    registerXmlToolParsingState,
    RJSON,
    RXML,
    SegmentStream,
    StreamingJSONParser,
    StreamingParser,
    StreamingResponseHandler,
    streamingResponseHandlerFor,
    ToolCallParser,
    toolCallStream,
    ToolInvocationAdapter,
    toolSyntaxOf,
    unregisterToolSyntax,
    unregisterXmlToolParsingState,
    visibleText,
  })
