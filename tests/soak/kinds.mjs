// The objects of the soak test: each kind of parser, stream, iterator and handler, with the objects that must be
// collected once it is dropped; and recorded texts to feed them.
import { readFileSync, readdirSync } from 'node:fs'
import { parse } from 'smol-toml'
import { BlockParser, BlockStream, VisibleTextStream } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { FieldStream, StreamingJSONParser, parseFields } from 'tokenweir/fields'
import { SegmentStream, StreamingParser, StreamingResponseHandler, parseSegments } from 'tokenweir/segments'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, toolCallStream } from 'tokenweir/tool-calls'
import { visibleText } from 'tokenweir'

const TOOLS = [
  { type: 'function', name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } } },
  { type: 'function', name: 'write_file', inputSchema: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } } },
]

const hermes = hermesProtocol()
const morph = morphXmlProtocol()

/** A callback; a throwing one throws now and then. */
const callback = (throws) => {
  let calls = 0
  return () => {
    if (throws && ++calls % 7 === 3) throw new Error('planned')
  }
}

/** The kinds by their input: how to feed and end them, and what must be collected. */
export const KINDS = [
  kind('block', ({ throws }) => of(new BlockParser({ onChunk: callback(throws), onBlock: callback(throws) }), 'processChunk', 'flush')),
  kind('block', () => of(new BlockParser({ spans: true }), 'processChunk', 'flush')),
  kind('block', () => of(new IncrementalXmlParser(), 'processChunk', 'flush')),
  kind('block', () => piped(new VisibleTextStream())),
  kind('block', () => piped(new BlockStream())),
  kind('block', () => iterated((source) => visibleText(source))),
  kind('field', () => of(new StreamingJSONParser(), 'parseChunk', 'finalize')),
  kind('field', () => of(new StreamingJSONParser(null, { completion: 'order' }), 'parseChunk', 'finalize')),
  kind('field', () => piped(new FieldStream())),
  kind('field', () => iterated((source) => parseFields(source))),
  kind('segment', ({ throws }) => of(new StreamingParser({ strategyOrder: ['xml_tag', 'json_tool', 'sentinel'], onError: callback(throws) }), 'feed', 'finalize')),
  kind('segment', ({ throws }) => of(new StreamingResponseHandler({ onSegmentEvent: callback(throws), onToolInvocation: callback(throws) }), 'feed', 'finalize')),
  kind('segment', () => piped(new SegmentStream())),
  kind('segment', () => iterated((source) => parseSegments(source))),
  kind('hermes', () => of(new ToolCallParser({ protocol: hermes, tools: TOOLS }), 'text', 'finish')),
  kind('morph', () => of(new ToolCallParser({ protocol: morph, tools: TOOLS }), 'text', 'finish')),
  kind('hermes', () => piped(toolCallStream({ protocol: hermes, tools: TOOLS }), (delta) => ({ type: 'text-delta', id: '1', delta }))),
]

function kind(texts, make) {
  return { texts, make }
}

function of(parser, feed, finish) {
  return { feed: (chunk) => void parser[feed](chunk), finish: () => void parser[finish](), objects: [parser] }
}

/** A `TransformStream`: its output is read as it comes. A dropped one is neither closed nor cancelled. */
function piped(stream, made = (chunk) => chunk) {
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  let isOver = false
  const read = () => reader.read().then(({ done }) => (done ? (isOver = true) : read()), () => (isOver = true))
  void read()
  return {
    feed: (chunk) => writer.write(made(chunk)),
    finish: () => writer.close(),
    objects: [stream],
  }
}

/** An iterator over a source that yields a chunk on request. */
function iterated(make) {
  let give
  const waiting = []
  const source = (async function* () {
    for (;;) {
      const chunk = waiting.length > 0 ? waiting.shift() : await new Promise((resolve) => (give = resolve))
      if (chunk === undefined) return
      yield chunk
    }
  })()
  const events = make(source)
  const drained = (async () => {
    for await (const event of events) void event
  })()
  const put = (chunk) => {
    if (give === undefined) waiting.push(chunk)
    else {
      give(chunk)
      give = undefined
    }
  }
  return {
    feed: (chunk) => put(chunk),
    finish: () => {
      put(undefined)
      return drained
    },
    objects: [events],
  }
}

/** Texts by their reader. */
export function textsOf() {
  const streams = new URL('../../examples/streams/', import.meta.url)
  const cases = new URL('../cases/', import.meta.url)
  const lines = (name, pick) => readFileSync(new URL(name, cases), 'utf8').trimEnd().split('\n').slice(1).map((line) => pick(JSON.parse(line)))
  const recorded = readdirSync(streams).filter((name) => name.endsWith('.xml')).map((name) => readFileSync(new URL(name, streams), 'utf8'))
  const calls = readdirSync(new URL('tool_call/', cases)).filter((name) => name.endsWith('.toml')).flatMap((name) => parse(readFileSync(new URL(`tool_call/${name}`, cases), 'utf8')).case)
  const short = (texts) => texts.filter((text) => text).flatMap(windows)
  return {
    block: short(recorded),
    segment: short(lines('segments.jsonl', ({ text }) => text)),
    field: short(lines('field-order.jsonl', ({ text, chunks }) => text ?? chunks.join(''))),
    hermes: short(calls.filter(({ protocol }) => protocol === 'hermes').map(({ input }) => input)),
    morph: short(calls.filter(({ protocol }) => protocol === 'morph').map(({ input }) => input)),
  }
}

/** Pieces of a text, so that no parser lives long. */
function windows(text) {
  const found = []
  for (let from = 0; from < text.length; from += 600) found.push(text.slice(from, from + 600))
  return found
}
