// A user's program, as strictly typed as TypeScript allows. It is compiled and
// never run: package.test.mjs compiles it once for each way of resolving.
import { BlockParser, BlockStream, hasUnclosedXmlBlock, IncrementalXmlParser, NativeBlocks, ParseError, visibleText, VisibleTextStream } from 'tokenweir'
import type { BlockEmission, BlockEvent, ChunkMeta, ChunkType, MembraneBlock, OnBlock, OnChunk, Span, ToolResult } from 'tokenweir'
import { BlockParser as OfBlocks } from 'tokenweir/blocks'
import { parseFields, parsePartial, StreamingJSONParser } from 'tokenweir/fields'
import type { FieldReport, JsonValue, StreamingData } from 'tokenweir/fields'
import { BlockParser as OfSlim, init, initSync } from 'tokenweir/slim'

const onChunk: OnChunk = (chunk: string, meta: ChunkMeta) => {
  const type: ChunkType = meta.type
  const span: Span | undefined = meta.span
  console.log(chunk.length, type, meta.visible, meta.blockIndex, meta.toolName?.length, span?.[0])
  // @ts-expect-error One meta may belong to many chunks: it is not to be written.
  meta.visible = true
}

const onBlock: OnBlock = (event: BlockEvent) => {
  if (event.event === 'block_start') {
    // @ts-expect-error A block that starts has no content yet.
    console.log(event.block.content)
    return
  }
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

export async function show(source: AsyncIterable<string>): Promise<string> {
  let shown = ''
  for await (const text of visibleText(source)) shown += text
  return shown
}

export async function start(response: Promise<Response>, bytes: Uint8Array): Promise<void> {
  await init(response)
  initSync(bytes)
  new OfSlim()
  new OfBlocks()
}

export function pipe(source: ReadableStream<string>): ReadableStream<BlockEmission> {
  const visible: ReadableStream<string> = source.pipeThrough(new VisibleTextStream())
  return visible.pipeThrough(new BlockStream())
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof ParseError ? error.code : undefined
}

const fields = new StreamingJSONParser({ title: ['str', 'one line'], items: [{ id: 'int' }] }, { completion: 'order', pathStyle: 'slash', maxDepth: 64 })
for (const event of [...fields.parseChunk('{"title":'), ...fields.finalize()]) tell(event)
const report: FieldReport = fields.report
console.log(report.documents, report.errors['too-deep'], fields.data, parsePartial('[1', { strict: true }))

// @ts-expect-error There is no such option.
new StreamingJSONParser(null, { compltion: 'order' })
// @ts-expect-error There is no such way to tell "done".
new StreamingJSONParser(undefined, { completion: 'guess' })

function tell(event: StreamingData): JsonValue {
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

export async function fill(source: ReadableStream<string>): Promise<JsonValue | undefined> {
  return parseFields(source, { title: 'str' })
    .on('title', (event) => tell(event))
    .result()
}
