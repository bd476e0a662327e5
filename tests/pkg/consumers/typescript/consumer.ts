// A user's program, as strictly typed as TypeScript allows. It is compiled but
// never run, once for each module resolution (see typescript.test.mjs).
import { BlockParser, BlockStream, ParseError, VisibleTextStream } from 'tokenweir/blocks'
import { hasUnclosedXmlBlock, IncrementalXmlParser } from 'tokenweir/membrane'
import { NativeBlocks, visibleText } from 'tokenweir'
import type { BlockEmission, BlockEvent, ChunkMeta, ChunkType, MembraneBlock, OnBlock, OnChunk, Span, ToolResult } from 'tokenweir/blocks'
import { BlockParser as OfBlocks } from 'tokenweir/blocks'
import { ArgumentsReader, CallArguments, CutOffError, inputCallbacks, parseStreaming } from 'tokenweir/args'
import type { ArgumentsCall, ArgumentsFault } from 'tokenweir/args'
import { EditCalls, EditParser, parseEdits } from 'tokenweir/edits'
import type { CallEditEvent, EditEvent } from 'tokenweir/edits'
import { parseFields, parsePartial, StreamingJSONParser } from 'tokenweir/fields'
import type { FieldReport, JsonValue, StreamingData } from 'tokenweir/fields'
import {
  extractSegments,
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
import type { HandlerFactoryOptions, StreamingResponseHandlerOptions, ToolDefinition, ToolInvocationAdapterOptions, ToolList, ToolSyntax } from 'tokenweir/segments'
import type { JsonSchema, ResponseChunk, Segment, SegmentConfig, SegmentError, SegmentEvent, SegmentType, SegmentValue, ToolInvocation, ToolState } from 'tokenweir/segments'
import { formatToolResults, parseAccumulatedIntoBlocks, parseToolCalls as parseMembraneCalls } from 'tokenweir/membrane'
import type { BlockParseOptions, ContentBlock, ParsedToolCalls, ToolResult as MembraneToolResult } from 'tokenweir/membrane'
import { createToolMiddleware } from 'tokenweir/ai-sdk'
import type { ToolMiddleware } from 'tokenweir/ai-sdk'
import { coerceBySchema, getSchemaType, parse as parseJson, RjsonError, RXML, RXMLParseError, stringify as writeJson, unwrapJsonSchema } from 'tokenweir/ai-sdk-tool-parser'
import type { ParseOptions, RjsonWarning, RXMLParseOptions, RXMLStringifyOptions } from 'tokenweir/ai-sdk-tool-parser'
import {
  hermesProtocol,
  morphXmlProtocol,
  parseToolCalls,
  ToolCallParser,
  toolCallStream,
} from 'tokenweir/tool-calls'
import { getPotentialStartIndex } from 'tokenweir/ai-sdk-tool-parser'
import type { DropReason, GeneratedContent, StreamPart, Tool, ToolCallOptions, ToolCallProtocol, ToolCallSource } from 'tokenweir/tool-calls'

const onChunk: OnChunk = (chunk: string, meta: ChunkMeta) => {
  const type: ChunkType = meta.type
  const span: Span | undefined = meta.span
  console.log(chunk.length, type, meta.visible, meta.blockIndex, meta.toolName?.length, span?.[0])
  // @ts-expect-error One meta may be shared by many chunks: it is read-only.
  meta.visible = true
}

const onBlock: OnBlock = (event: BlockEvent) => {
  if (event.event === 'block_start') {
    // @ts-expect-error A block that starts has no content yet.
    console.log(event.block.content)
    return
  }
  if (event.event !== 'block_complete') return
  const block: MembraneBlock = event.block
  const input: unknown = block.input?.['query']
  console.log(event.index, block.content?.length, input, block.incomplete === true)
}

const parser = new BlockParser({ onChunk, onBlock, generateId: () => 'id', trimParameters: false, tags: { think: 'thinking', result: false } })
for (const emission of parser.processChunk('text').emissions) name(emission)
for (const emission of parser.flush().emissions) name(emission)
const results: ToolResult[] = [{ toolUseId: 'id', content: 'text', isError: true }, { toolUseId: 'id', content: [{ type: 'text', text: 'text' }] }]
parser.emitToolResults(results)
parser.resetForNewIteration()

const pending: ParsedToolCalls | null = parseMembraneCalls('text', { tools: { f: { properties: { x: { type: 'string' } } } }, generateId: () => 'id' })
const answers: MembraneToolResult[] = (pending?.calls ?? []).map(({ id }) => ({ toolUseId: id, content: [{ type: 'image', source: { type: 'base64', data: '', mediaType: 'image/png' } }] }))
console.log(formatToolResults(answers))
parser.emitToolResults(answers)
const startInside: BlockParseOptions = { startInsideBlock: 'thinking' }
for (const block of parseAccumulatedIntoBlocks('text', startInside).blocks) {
  const xml: string | undefined = block.type === 'tool_use' || block.type === 'tool_result' ? block.rawXml : undefined
  // @ts-expect-error Text has no name.
  if (block.type === 'text') console.log(block.name)
  console.log(block satisfies ContentBlock, xml, block.type === 'tool_use' && block.input['x'], block.type === 'text' && block.incomplete)
}
parser.reset()

// @ts-expect-error There is no such option.
new BlockParser({ onChnk: onChunk })
// @ts-expect-error A chunk is a string.
parser.processChunk(1)

function name(emission: BlockEmission): string {
  switch (emission.kind) {
    case 'content':
      return emission.meta.type
    case 'blockEvent':
      return emission.event.event
    case 'markup':
      return emission.text
  }
}

const { content, blockEvents } = new IncrementalXmlParser().processChunk('text')
console.log(content.length, blockEvents.length, hasUnclosedXmlBlock('<thinking>'))
new NativeBlocks({ onChunk, onBlock }).flush()
new OfBlocks()

export async function show(source: AsyncIterable<string>): Promise<string> {
  let shown = ''
  for await (const text of visibleText(source)) shown += text
  return shown
}

export function pipe(source: ReadableStream<string>): ReadableStream<BlockEmission> {
  const visible: ReadableStream<string> = source.pipeThrough(new VisibleTextStream())
  return visible.pipeThrough(new BlockStream())
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof ParseError ? error.code : undefined
}

const fields = new StreamingJSONParser({ title: ['str', 'one line'], items: [{ id: 'int' }] }, { completion: 'order', pathStyle: 'slash', maxDepth: 64 })
for (const event of [...fields.parseChunk('{"title":'), ...fields.finalize()]) emit(event)
const report: FieldReport = fields.report
console.log(report.documents, report.errors['too-deep'], fields.data, parsePartial('[1', { strict: true }))

// @ts-expect-error There is no such option.
new StreamingJSONParser(null, { compltion: 'order' })
// @ts-expect-error There is no such way to emit "done".
new StreamingJSONParser(undefined, { completion: 'guess' })

function emit(event: StreamingData): JsonValue {
  switch (event.eventType) {
    case 'delta':
      return event.replaced === true ? event.value : event.delta
    case 'done':
      return event.completionSource
    case 'reset':
      return event.isComplete
    case 'error':
      return `${event.code} ${event.span[0]}`
    case 'markup':
      return event.text
  }
}

export async function fill(source: ReadableStream<string>): Promise<{ title: string }> {
  // Before TypeScript 5.3 types in words need `as const`.
  return parseFields(source, { title: 'str' } as const)
    .on('title', (event) => emit(event))
    .result()
}

const note: ToolState = { segmentType: 'memo', contentArg: 'text', startWhen: ['to'], startMarker: '<<<', endMarker: '>>>', transform: (delta) => delta.trim() }
const config: SegmentConfig = { strategy: 'xml', segmentIdPrefix: 'turn_1:', jsonProfile: ['{"call":'], toolStates: { note, write_file: null }, fences: 'text', spans: true, onError: reportError }
const search: JsonSchema = { type: 'object', properties: { limit: { type: 'integer' } } }

const segments = new StreamingParser(config)
for (const event of [...segments.feed('text'), ...segments.finalize()]) label(event)
const found: Segment[] = extractSegments(new StreamingParser().feedAndFinalize('text'))
const openId: string | null = segments.currentSegmentId
const openType: SegmentType | (string & {}) | null = segments.currentSegmentType
console.log(found[0]?.content.length, found[0]?.metadata['path'], openId?.length, openType === 'run_bash', segments.isFinalized)
segments.reset()

// @ts-expect-error There is no such option.
new StreamingParser({ stategy: 'xml' })
// @ts-expect-error There is no such strategy.
new StreamingParser({ strategy: 'yaml' })
// @ts-expect-error An argument's name is a string.
new StreamingParser({ toolStates: { note: { contentArg: 1 } } })

const options: StreamingResponseHandlerOptions = {
  onSegmentEvent: (event) => label(event),
  onToolInvocation: (invocation) => approve(invocation),
  onError: reportError,
  config,
  schemas: { search },
}
const handler = new StreamingResponseHandler(options)
const chunk: ResponseChunk = { content: null, reasoning: 'Hm.', toolCalls: [{ index: 0, name: 'search', argumentsDelta: '{}' }] }
handler.feed('text')
handler.feed(chunk)
for (const event of handler.finalize()) label(event)
const invocations: ToolInvocation[] = handler.getAllInvocations()
console.log(invocations.length, handler.getAllEvents().length)
// @ts-expect-error A call has a place in the answer.
handler.feed({ toolCalls: [{ name: 'search' }] })

const adapterOptions: ToolInvocationAdapterOptions = { schemas: { search, anything: true }, jsonProfile: 'gemini', toolStates: { note } }
const adapter = new ToolInvocationAdapter(adapterOptions)
const first: ToolInvocation | null = adapter.processEvent({ type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} })
console.log(first?.arguments['query'], adapter.processEventAll({ type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} }).length)

const definition: ToolDefinition = { type: 'function', function: { name: 'f', parameters: {} } }
const tools: ToolList = ['search', { name: 'run', input_schema: search }, definition]
const chosen: HandlerFactoryOptions = { provider: 'openai', parser: 'native', tools, onToolInvocation: approve }
streamingResponseHandlerFor(chosen)
streamingResponseHandlerFor({ tools: { search } }).feed('text')
// @ts-expect-error There is no such parser.
streamingResponseHandlerFor({ parser: 'yaml' })

registerXmlToolParsingState('note', note)
const syntax: ToolSyntax = { toolName: 'remember', contentArgument: 'text', metadataArguments: ['to'], required: ['to'] }
registerToolSyntax('memo', syntax)
console.log(toolSyntaxOf('memo')?.toolName, unregisterToolSyntax('memo'), unregisterXmlToolParsingState('note'))

function label(event: SegmentEvent): string {
  switch (event.type) {
    case 'SEGMENT_START':
      return `${event.segment_type} ${event.payload.metadata?.['path'] ?? ''}`
    case 'SEGMENT_CONTENT':
      return event.payload.delta
    case 'SEGMENT_END':
      // @ts-expect-error An end has no content.
      return event.payload.delta ?? event.segment_id
    case 'MARKUP':
      return `${event.segment_id ?? ''} ${event.span[0]}`
  }
}

function reportError({ code, span: [start, end], raw, segmentId }: SegmentError): void {
  if (code === 'unterminated') console.log(start, end, raw.length, segmentId?.length)
}

function approve({ id, name, arguments: given, callId }: ToolInvocation): SegmentValue | undefined {
  return callId === undefined ? given[name] : id
}

export async function follow(source: ReadableStream<string>, more: AsyncIterable<string>): Promise<number> {
  let events = 0
  for await (const event of parseSegments(more, { acceptUnterminated: true })) events += label(event).length
  const stream: ReadableStream<SegmentEvent> = source.pipeThrough(new SegmentStream({ strategyOrder: ['xml_tag', 'json_tool'] }))
  await stream.cancel()
  return events
}

const failed: DropReason[] = []
const callOptions: ToolCallOptions = { onError: (_, metadata) => metadata?.dropReason !== undefined && failed.push(metadata.dropReason) }
const callable: Tool[] = [{ name: 'search', inputSchema: search }]
const called: ToolCallSource = { protocol: hermesProtocol({ toolCallStart: '<call>', toolCallEnd: '</call>' }), tools: callable, options: callOptions }
const calls = new ToolCallParser(called)
const parts: StreamPart[] = [...calls.text('text'), ...calls.write({ type: 'finish' }), ...calls.finish()]
const whole: GeneratedContent[] = parseToolCalls('text', { protocol: morphXmlProtocol, tools: callable })
const protocol: ToolCallProtocol = morphXmlProtocol()
const middleware: ToolMiddleware = createToolMiddleware({ protocol, toolSystemPromptTemplate: (tools) => tools })
console.log(parts.length, whole.map((part) => (part.type === 'tool-call' ? part.input : part.text)), getPotentialStartIndex('a<', '<b>')?.toFixed(), middleware.transformParams)
// @ts-expect-error Tools are required.
toolCallStream({ protocol })

export function readWhole(text: string, options: ParseOptions, xml: RXMLParseOptions, written: RXMLStringifyOptions): string {
  try {
    const value: unknown = coerceBySchema(parseJson(text, options), unwrapJsonSchema(search))
    const element: Record<string, unknown> = RXML.parse(text, search, xml)
    return writeJson(value) + RXML.stringify('root', element, written) + (getSchemaType(search) ?? '')
  } catch (error) {
    if (error instanceof RXMLParseError) return error.message
    const warnings: readonly RjsonWarning[] | undefined = error instanceof RjsonError ? error.warnings : []
    return warnings?.map(({ message }) => message).join() ?? ''
  }
}

const writeSchema = { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'number' } } }, required: ['path'] } as const
const args = new ArgumentsReader(writeSchema, { tolerate: ['python-word'], maxDepth: 20 })
const offPath: () => void = args.onDone('path', (path: string) => console.log(path))
args.onFault(({ code, offset }: ArgumentsFault) => console.log(code, offset))
args.write('{"path": "a"}')
args.end('tool_calls')
args.result().then(({ path, lines }) => console.log(path, lines?.[0]?.toFixed()), (error: unknown) => console.log(error instanceof CutOffError && error.path))
const lineOf: Promise<number | undefined> = args.get('lines[0]')
// @ts-expect-error There is no such path.
void args.get('line')
const readers: Array<ArgumentsReader<typeof writeSchema>> = []
const argumentCalls = new CallArguments({
  tools: { write: writeSchema },
  onCall: (call: ArgumentsCall<{ write: typeof writeSchema }>) => {
    if (!call.dynamic) readers.push(call.args)
  },
})
argumentCalls.part({ type: 'finish', finishReason: 'stop' })
const { onInputStart } = inputCallbacks(writeSchema, (reader, { toolCallId }) => console.log(reader.partial()?.path, toolCallId))
onInputStart({ toolCallId: 'call_1' })
const editParser = new EditParser({ formats: ['v4a'], whole: true })
const editEvents: EditEvent[] = [...editParser.feed(''), ...editParser.finish('stop')]
const callEvents: CallEditEvent[] = new EditCalls({ tools: { write: { path: 'a' } } }).end()
for (const event of editEvents) {
  // @ts-expect-error Only some events have a file.
  console.log(event.path)
  if (event.type === 'delta') console.log(event.side === 'old', event.delta)
  if (event.type === 'malformed') console.log(event.code, event.span[0])
}
async function readEdits(): Promise<void> {
  for await (const event of parseEdits(['text'])) console.log(event.type)
}
void readEdits()
console.log(offPath, lineOf, readers.length, callEvents[0]?.callId, parseStreaming('{', { numbers: 'open' }))
