// What a snapshot costs, in each parser in the middle of a stream of 100 KB: its bytes as
// JSON, and the microseconds of `snapshot()` and of `restore`. Prints the table of
// docs/benchmarks.md, "Snapshots".
import { performance } from 'node:perf_hooks'
import { BlockParser, VisibleTextStream } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { StreamingJSONParser } from 'tokenweir/fields'
import { StreamingParser, StreamingResponseHandler } from 'tokenweir/segments'
import { ToolCallParser } from 'tokenweir/tool-calls'

const PROSE = 'The quick brown fox jumps over the lazy dog, and then it rests for a while.\n'
const text = PROSE.repeat(Math.ceil(100_000 / PROSE.length)).slice(0, 100_000)
const document = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id, name: `Name ${id}`, tags: ['one', 'two'], about: PROSE.slice(0, 40) }))).slice(0, 100_000)
const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } } } }]

/** In pieces of about the size of a token. */
const chunks = (whole) => whole.match(/[^]{1,5}/g)

async function streamed() {
  const stream = new VisibleTextStream()
  const writer = stream.writable.getWriter()
  void stream.readable.pipeTo(new WritableStream())
  for (const chunk of chunks(text)) await writer.write(chunk)
  await new Promise((resolve) => setTimeout(resolve, 20))
  return stream
}

const fed = (parser, feed, whole) => {
  for (const chunk of chunks(whole)) parser[feed](chunk)
  return parser
}

const rows = [
  ['`VisibleTextStream`, in text', await streamed(), VisibleTextStream],
  ['`BlockParser`, in text', fed(new BlockParser(), 'processChunk', text), BlockParser],
  ['the same, `keepText: false`', fed(new BlockParser(), 'processChunk', text), BlockParser, { keepText: false }],
  ['`BlockParser` in a call, `keepText: false`', fed(new BlockParser(), 'processChunk', `${text}<invoke name="add"><parameter name="a">12`), BlockParser, { keepText: false }],
  ['`IncrementalXmlParser`, `keepText: false`', fed(new IncrementalXmlParser(), 'processChunk', text), IncrementalXmlParser, { keepText: false }],
  ['`ToolCallParser`, in text', fed(new ToolCallParser({ format: 'hermes', tools }), 'text', text), ToolCallParser],
  ['`ToolCallParser`, in a call', fed(new ToolCallParser({ format: 'hermes', tools }), 'text', `${text}<tool_call>{"name": "add", "arguments": {"a": 1, "b": "some text`), ToolCallParser],
  ['`ToolCallParser`, in a call of 100 KB', fed(new ToolCallParser({ format: 'hermes', tools }), 'text', `<tool_call>{"name": "add", "arguments": {"a": 1, "b": ${JSON.stringify(text).slice(0, -1)}`), ToolCallParser],
  ['`StreamingJSONParser`, a document of 100 KB', fed(new StreamingJSONParser(), 'parseChunk', document), StreamingJSONParser],
  ['`StreamingParser`, in a tool', fed(new StreamingParser(), 'feed', `${text}<run_bash>ls`), StreamingParser],
  ['`StreamingResponseHandler`, in a tool, `keepEvents: false`', fed(new StreamingResponseHandler({ keepEvents: false }), 'feed', `${text}<run_bash>ls`), StreamingResponseHandler],
]

/** The median of the microseconds of one call, after warming up. */
function median(act) {
  const times = []
  const end = performance.now() + 400
  while (performance.now() < end || times.length < 20) {
    const start = performance.now()
    act()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return times[times.length >> 1] * 1_000
}

const micro = (time) => (time < 100 ? time.toFixed(0) : (Math.round(time / 10) * 10).toLocaleString('en'))
console.log('| parser | bytes | snapshot | restore |')
console.log('| --- | ---: | ---: | ---: |')
for (const [name, parser, Parser, options] of rows) {
  const snapshot = parser.snapshot(options)
  const bytes = Buffer.byteLength(JSON.stringify(snapshot))
  console.log(`| ${name} | ${bytes.toLocaleString('en')} | ${micro(median(() => parser.snapshot(options)))} µs | ${micro(median(() => Parser.restore(snapshot)))} µs |`)
}
