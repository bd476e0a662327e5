/**
 * What a snapshot costs, in each parser in the middle of a stream of 100 KB: its bytes as JSON, and the microseconds of
 * `snapshot()` and of `restore`.
 *
 *     npm run bench:snapshot [-- --json file --md]
 */

import { performance } from 'node:perf_hooks'
import { BlockParser } from 'tokenweir/blocks'
import { StreamingJSONParser } from 'tokenweir/fields'
import { StreamingParser } from 'tokenweir/segments'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { finish, machine, printerFor, readOptions } from './measure.mjs'

const options = readOptions(`npm run bench:snapshot -- [options]
  --json file    write all figures
  --md           print Markdown tables`)
const { printTable } = printerFor(options)

const PROSE = 'The quick brown fox jumps over the lazy dog, and then it rests for a while.\n'
const text = PROSE.repeat(Math.ceil(100_000 / PROSE.length)).slice(0, 100_000)
const document = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id, name: `Name ${id}`, tags: ['one', 'two'], about: PROSE.slice(0, 40) }))).slice(0, 100_000)
const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } } } }]

/** In pieces of about the size of a token. */
const chunks = (whole) => whole.match(/[^]{1,5}/g)

const fed = (parser, feed, whole) => {
  for (const chunk of chunks(whole)) parser[feed](chunk)
  return parser
}

const PARSERS = [
  ['`BlockParser`', fed(new BlockParser(), 'processChunk', text), BlockParser],
  ['`BlockParser`, `keepText: false`', fed(new BlockParser(), 'processChunk', text), BlockParser, { keepText: false }],
  ['`ToolCallParser`, in a call of 100 KB', fed(new ToolCallParser({ format: 'hermes', tools }), 'text', `<tool_call>{"name": "add", "arguments": {"a": 1, "b": ${JSON.stringify(text).slice(0, -1)}`), ToolCallParser],
  ['`StreamingJSONParser`', fed(new StreamingJSONParser(), 'parseChunk', document), StreamingJSONParser],
  ['`StreamingParser`', fed(new StreamingParser(), 'feed', `${text}<run_bash>ls`), StreamingParser],
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

const rows = PARSERS.map(([name, parser, Parser, kept]) => {
  const snapshot = parser.snapshot(kept)
  return {
    name,
    bytes: Buffer.byteLength(JSON.stringify(snapshot)),
    snapshot: median(() => parser.snapshot(kept)),
    restore: median(() => Parser.restore(snapshot)),
  }
})
printTable(['parser', 'bytes', 'snapshot, µs', 'restore, µs'], rows.map(({ name, bytes, snapshot, restore }) => [name, String(bytes), snapshot.toFixed(0), restore.toFixed(0)]))
finish(options, { ...machine(), rows }, [])
