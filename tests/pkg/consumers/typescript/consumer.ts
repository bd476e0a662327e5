// A user's program, as strictly typed as TypeScript allows. It is compiled but
// never run, once for each module resolution (see typescript.test.mjs). tests/pkg/types has what each union narrows to.
import { NativeBlocks, visibleText } from 'tokenweir'
import { createToolMiddleware } from 'tokenweir/ai-sdk'
import type { ToolMiddleware } from 'tokenweir/ai-sdk'
import * as values from 'tokenweir/ai-sdk-tool-parser'
import { ArgumentsReader, CallArguments, CutOffError, inputCallbacks, parseStreaming } from 'tokenweir/args'
import type { ArgumentsCall, ArgumentsFault } from 'tokenweir/args'
import { BlockParser, BlockStream, ParseError, VisibleTextStream } from 'tokenweir/blocks'
import type { BlockEmission, BlockEvent, ChunkMeta, MembraneBlock, OnBlock, OnChunk, Span, ToolResult } from 'tokenweir/blocks'
import { EditCalls, EditParser, parseEdits } from 'tokenweir/edits'
import type { CallEditEvent, EditEvent } from 'tokenweir/edits'
import { parseFields, parsePartial, StreamingJSONParser } from 'tokenweir/fields'
import type { FieldReport, JsonValue, StreamingData } from 'tokenweir/fields'
import * as membrane from 'tokenweir/membrane'
import * as segments from 'tokenweir/segments'
import * as toolCalls from 'tokenweir/tool-calls'

const onChunk: OnChunk = (chunk: string, meta: ChunkMeta) => {
  const span: Span | undefined = meta.span
  console.log(chunk.length, meta.toolName?.length, span?.[0])
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
const results: ToolResult[] = [{ toolUseId: 'id', content: 'text', isError: true }, { toolUseId: 'id', content: [{ type: 'text', text: 'text' }] }]
parser.emitToolResults(results)
const pending: membrane.ParsedToolCalls | null = membrane.parseToolCalls('text', { tools: { f: { properties: { x: { type: 'string' } } } }, generateId: () => 'id' })
const answers: membrane.ToolResult[] = (pending?.calls ?? []).map(({ id }) => ({ toolUseId: id, content: [{ type: 'image', source: { type: 'base64', data: '', mediaType: 'image/png' } }] }))
console.log(membrane.formatToolResults(answers), parser.emitToolResults(answers))
for (const block of membrane.parseAccumulatedIntoBlocks('text', { startInsideBlock: 'thinking' } satisfies membrane.BlockParseOptions).blocks) {
  const xml: string | undefined = block.type === 'tool_use' || block.type === 'tool_result' ? block.rawXml : undefined
  // @ts-expect-error Text has no name.
  if (block.type === 'text') console.log(block.name)
  console.log(xml, block.type === 'tool_use' && block.input['x'], block.type === 'text' && block.incomplete)
}
const { content, blockEvents } = new membrane.IncrementalXmlParser().processChunk('text')
console.log(content.length, blockEvents.length)
new NativeBlocks({ onChunk, onBlock }).flush()

// @ts-expect-error There is no such option.
new BlockParser({ onChnk: onChunk })
// @ts-expect-error A chunk is a string.
parser.processChunk(1)

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
  if (event.eventType === 'delta') return event.replaced === true ? event.value : event.delta
  return event.eventType === 'error' ? `${event.code} ${event.span[0]}` : event.eventType
}

export async function fill(source: ReadableStream<string>): Promise<{ title: string }> {
  // Before TypeScript 5.3 types in words need `as const`.
  return parseFields(source, { title: 'str' } as const)
    .on('title', (event) => emit(event))
    .result()
}

const note: segments.ToolState = { segmentType: 'memo', contentArg: 'text', startWhen: ['to'], startMarker: '<<<', endMarker: '>>>', transform: (delta) => delta.trim() }
const config: segments.SegmentConfig = { strategy: 'xml', segmentIdPrefix: 'turn_1:', jsonProfile: ['{"call":'], toolStates: { note, write_file: null }, fences: 'text', spans: true, onError: reportError }
const search: segments.JsonSchema = { type: 'object', properties: { limit: { type: 'integer' } } }

const segmentParser = new segments.StreamingParser(config)
const found: segments.Segment[] = segments.extractSegments(segmentParser.feedAndFinalize('text'))
const openType: segments.SegmentType | (string & {}) | null = segmentParser.currentSegmentType
console.log(found[0]?.metadata['path'], segmentParser.currentSegmentId?.length, openType === 'run_bash')

// @ts-expect-error There is no such option.
new segments.StreamingParser({ stategy: 'xml' })
// @ts-expect-error There is no such strategy.
new segments.StreamingParser({ strategy: 'yaml' })
// @ts-expect-error An argument's name is a string.
new segments.StreamingParser({ toolStates: { note: { contentArg: 1 } } })

const handlerOptions: segments.StreamingResponseHandlerOptions = { onSegmentEvent: label, onToolInvocation: approve, onError: reportError, config, schemas: { search } }
const handler = new segments.StreamingResponseHandler(handlerOptions)
const chunk: segments.ResponseChunk = { content: null, reasoning: 'Hm.', toolCalls: [{ index: 0, name: 'search', argumentsDelta: '{}' }] }
handler.feed('text')
handler.feed(chunk)
// @ts-expect-error A call has a place in the answer.
handler.feed({ toolCalls: [{ name: 'search' }] })

const adapterOptions: segments.ToolInvocationAdapterOptions = { schemas: { search, anything: true }, jsonProfile: 'gemini', toolStates: { note } }
const first: segments.ToolInvocation | null = new segments.ToolInvocationAdapter(adapterOptions).processEvent({ type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} })
console.log(first?.arguments['query'])

const definition: segments.ToolDefinition = { type: 'function', function: { name: 'f', parameters: {} } }
const tools: segments.ToolList = ['search', { name: 'run', input_schema: search }, definition]
const chosen: segments.HandlerFactoryOptions = { provider: 'openai', parser: 'native', tools, onToolInvocation: approve }
segments.streamingResponseHandlerFor(chosen)
segments.streamingResponseHandlerFor({ tools: { search } }).feed('text')
// @ts-expect-error There is no such parser.
segments.streamingResponseHandlerFor({ parser: 'yaml' })

segments.registerXmlToolParsingState('note', note)
const syntax: segments.ToolSyntax = { toolName: 'remember', contentArgument: 'text', metadataArguments: ['to'], required: ['to'] }
segments.registerToolSyntax('memo', syntax)
console.log(segments.toolSyntaxOf('memo')?.toolName)

function label(event: segments.SegmentEvent): string {
  if (event.type === 'SEGMENT_START') return `${event.segment_type} ${event.payload.metadata?.['path'] ?? ''}`
  // @ts-expect-error An end has no content.
  if (event.type === 'SEGMENT_END') return event.payload.delta ?? event.segment_id
  return event.type === 'SEGMENT_CONTENT' ? event.payload.delta : `${event.span[0]}`
}

function reportError({ code, span: [start, end], raw, segmentId }: segments.SegmentError): void {
  if (code === 'unterminated') console.log(start, end, raw.length, segmentId?.length)
}

function approve({ id, name, arguments: given, callId }: segments.ToolInvocation): segments.SegmentValue | undefined {
  return callId === undefined ? given[name] : id
}

export async function follow(source: ReadableStream<string>, more: AsyncIterable<string>): Promise<number> {
  let events = 0
  for await (const event of segments.parseSegments(more, { acceptUnterminated: true })) events += label(event).length
  const stream: ReadableStream<segments.SegmentEvent> = source.pipeThrough(new segments.SegmentStream({ strategyOrder: ['xml_tag', 'json_tool'] }))
  await stream.cancel()
  return events
}

const failed: toolCalls.DropReason[] = []
const callOptions: toolCalls.ToolCallOptions = { onError: (_, metadata) => metadata?.dropReason !== undefined && failed.push(metadata.dropReason) }
const callable: toolCalls.Tool[] = [{ name: 'search', inputSchema: search }]
const called: toolCalls.ToolCallSource = { protocol: toolCalls.hermesProtocol({ toolCallStart: '<call>', toolCallEnd: '</call>' }), tools: callable, options: callOptions }
const calls = new toolCalls.ToolCallParser(called)
const parts: toolCalls.StreamPart[] = [...calls.text('text'), ...calls.write({ type: 'finish' }), ...calls.finish()]
const whole: toolCalls.GeneratedContent[] = toolCalls.parseToolCalls('text', { protocol: toolCalls.morphXmlProtocol, tools: callable })
const protocol: toolCalls.ToolCallProtocol = toolCalls.morphXmlProtocol()
const middleware: ToolMiddleware = createToolMiddleware({ protocol, toolSystemPromptTemplate: (tools) => tools })
console.log(parts.length, whole.map((part) => (part.type === 'tool-call' ? part.input : part.text)), middleware.transformParams)
// @ts-expect-error Tools are required.
toolCalls.toolCallStream({ protocol })

export function readWhole(text: string, options: values.ParseOptions, xml: values.RXMLParseOptions, written: values.RXMLStringifyOptions): string {
  try {
    const value: unknown = values.coerceBySchema(values.parse(text, options), values.unwrapJsonSchema(search))
    const element: Record<string, unknown> = values.RXML.parse(text, search, xml)
    return values.stringify(value) + values.RXML.stringify('root', element, written) + (values.getSchemaType(search) ?? '')
  } catch (error) {
    if (error instanceof values.RXMLParseError) return error.message
    const warnings: readonly values.RjsonWarning[] | undefined = error instanceof values.RjsonError ? error.warnings : []
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
