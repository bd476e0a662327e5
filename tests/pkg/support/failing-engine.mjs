// A program: `node failing-engine.mjs HOW PARSER [BYTE]` makes parsers of every kind, lets the
// WebAssembly fail while one of them reads, and prints the results of all later calls.
//
// HOW is 'trap' (the engine traps, like a panic in Rust), 'stuck' (it returns, but makes no
// progress), or 'bytes' (the parser's state is overwritten by BYTE, which may cause one of both).
const [, , how, victim, byte] = process.argv

/** The instances of the WebAssembly: their exports, which this program can change. */
const instances = []
const broken = new Map()
/** The instances that have failed, and how often one of them was called after that. */
const failed = new Set()
let isOver = false
let late = 0
const { Instance } = WebAssembly
WebAssembly.Instance = class {
  constructor(module) {
    const real = new Instance(module).exports
    instances.push(real)
    const call = (name) => (...args) => {
      if (isOver && failed.has(real)) late++
      const change = broken.get(name)
      if (change === undefined) return real[name](...args)
      failed.add(real)
      return change(real)
    }
    this.exports = Object.fromEntries(Object.entries(real).map(([name, value]) => [name, typeof value === 'function' ? call(name) : value]))
  }
}
const entries = ['', '/blocks', '/membrane', '/fields', '/segments', '/tool-calls', '/ai-sdk-tool-parser'].map((entry) => import(`tokenweir${entry}`))
const api = Object.assign({}, ...(await Promise.all(entries)))

const tools = [{ name: 'f', inputSchema: { type: 'object' } }]
const hermes = (options) => new api.ToolCallParser({ protocol: api.hermesProtocol(), tools, options })

/** Each parser: its exports, how to make, feed and end it, a text that needs no engine, and one that does. */
const WAYS = {
  BlockParser: { run: 'block_run', machine: 'block_pointer', make: () => new api.BlockParser(), feed: (it, text) => it.processChunk(text), plain: 'plain text', text: 'a<thinking>b</thinking>', end: (it) => it.flush(), more: { push: (it) => it.push('<thinking>') } },
  IncrementalXmlParser: { run: 'block_run', machine: 'block_pointer', make: () => new api.IncrementalXmlParser(), feed: (it, text) => it.processChunk(text), plain: 'plain text', text: 'a<thinking>b</thinking>', end: (it) => it.flush(), more: { push: (it) => it.push('<thinking>') } },
  StreamingJSONParser: { run: 'field_run', machine: 'field_pointer', make: () => new api.StreamingJSONParser(), feed: (it, text) => it.parseChunk(text), plain: 'plain text', text: '{"a": ["b"]}', end: (it) => it.finalize() },
  StreamingParser: { run: 'segment_run', machine: 'segment_pointer', make: () => new api.StreamingParser(), feed: (it, text) => it.feed(text), plain: 'plain text', text: 'a<run_bash>ls</run_bash>', end: (it) => it.finalize() },
  StreamingResponseHandler: { run: 'segment_run', machine: 'segment_pointer', make: () => new api.StreamingResponseHandler(), feed: (it, text) => it.feed(text), plain: 'plain text', text: 'a<run_bash>ls</run_bash>', end: (it) => it.finalize() },
  'calls of an API': { run: 'call_run', machine: 'call_pointer', make: () => new api.StreamingResponseHandler(), feed: (it, text) => it.feed({ toolCalls: [{ index: 0, callId: 'c', name: 'f', argumentsDelta: text }] }), plain: '{"a": "plain', text: '{"a": "text"}', end: (it) => it.finalize() },
  ToolCallParser: { run: 'format_run', machine: 'format_pointer', make: () => hermes(), feed: (it, text) => it.text(text), plain: 'plain text', text: 'a<tool_call>{"name":"f","arguments":{}}</tool_call>', end: (it) => it.finish() },
}

/** Readers of whole texts: the export, and a call that uses it. */
const WHOLE = {
  visibleText: ['block_run', () => all(api.visibleText(['a<thinking>b']))],
  'BlockParser, the end': ['block_finish', () => ended(new api.BlockParser(), 'processChunk', 'a<thinking', 'flush')],
  'StreamingJSONParser, the end': ['field_finish', () => ended(new api.StreamingJSONParser(), 'parseChunk', '{"a": 12', 'finalize')],
  'StreamingParser, the end': ['segment_finish', () => ended(new api.StreamingParser(), 'feed', 'a<run_b', 'finalize')],
  'StreamingResponseHandler, the end': ['call_finish', () => ended(new api.StreamingResponseHandler(), 'feed', { toolCalls: [{ index: 0, name: 'write_file', argumentsDelta: '{"path":"\\u00' }] }, 'finalize')],
  'ToolCallParser, the end': ['format_finish', () => ended(hermes(), 'text', 'a<tool_c', 'finish')],
  'a tool call that is too long': ['format_give_up', () => hermes({ maxPending: 20 }).text('<tool_call>{"name":"f","arguments":{"a":1')],
  'character references': ['references_run', () => new api.BlockParser().processChunk('<function_calls><invoke name="&lt;a">')],
  hasUnclosedXmlBlock: ['block_run', () => api.hasUnclosedXmlBlock('<thinking>')],
  parsePartial: ['field_run', () => api.parsePartial('{"a":')],
  parseSegments: ['segment_run', () => all(api.parseSegments(['a<run_bash>b']))],
  'arguments in elements': ['elements_run', () => called('<tool name="f"><arg name="a">b</arg></tool>')],
  parseToolCalls: ['format_run', () => api.parseToolCalls('<tool_call>{', { protocol: api.hermesProtocol(), tools })],
  'RJSON.parse': ['json_run', () => api.RJSON.parse('[1]')],
  'RXML.parse': ['tree_run', () => api.RXML.parse('<a>1</a>')],
  'RXML.parse, the end': ['tree_finish', () => api.RXML.parse('<a>1</a>')],
  coerceBySchema: ['json_run', () => api.coerceBySchema('{a: 1}', { type: 'object' })],
}

async function all(iterable) {
  const list = []
  for await (const each of iterable) list.push(each)
  return list
}

/** Feeds a parser and ends its stream. */
function ended(it, feed, input, end) {
  it[feed](input)
  return it[end]()
}

function called(text) {
  const adapter = new api.ToolInvocationAdapter()
  return new api.StreamingParser().feedAndFinalize(text).flatMap((event) => adapter.processEventAll(event))
}

/** The result of a call. */
async function saidOf(act) {
  try {
    await act()
    return 'nothing'
  } catch (error) {
    return error instanceof api.ParseError ? `${error.code}: ${error.message}` : `${error.name}: ${error.message}`
  }
}

function breakEngine(run, machine) {
  if (how === 'trap') broken.set(run, () => { throw new WebAssembly.RuntimeError('unreachable') })
  if (how === 'stuck') broken.set(run, (real) => {
    // Nothing was read, and there is more text.
    new Int32Array(real.memory.buffer, real.outcome_pointer(), 2).fill(0)
    return run === 'tree_finish' ? 0x800 : 0
  })
  if (how === 'bytes')
    for (const real of instances.filter((real) => machine in real)) new Uint8Array(real.memory.buffer, real[machine](), real[machine.replace('pointer', 'size')]()).fill(Number(byte))
}

const said = {}
const way = WAYS[victim]
const live = Object.entries(WAYS).flatMap(([name, each]) => [['at the start', () => {}], ['in plain text', (it) => each.feed(it, each.plain)], ['inside', (it) => each.feed(it, each.text.slice(0, -3))]].map(([where, lead]) => {
  const it = each.make()
  lead(it)
  return { name: `${name} ${where}`, each, it }
}))
if (way !== undefined) {
  const it = way.make()
  way.feed(it, way.plain)
  breakEngine(way.run, way.machine)
  said.failing = await saidOf(() => way.feed(it, way.text))
  isOver = true
  said.again = await saidOf(() => way.feed(it, 'more plain text'))
  said.end = await saidOf(() => way.end(it))
} else {
  breakEngine(WHOLE[victim][0])
  said.failing = await saidOf(WHOLE[victim][1])
  isOver = true
}
// The engine is intact again, but the failed instance is not called any more.
broken.clear()
for (const { name, each, it } of live) {
  for (const text of [each.plain, each.text]) said[`${name}: ${text}`] = await saidOf(() => each.feed(it, text))
  for (const [what, act] of Object.entries(each.more ?? {})) said[`${name}: ${what}`] = await saidOf(() => act(it))
  said[`${name}: the end`] = await saidOf(() => each.end(it))
}
for (const [name, { make }] of Object.entries(WAYS)) said[`new ${name}`] = await saidOf(make)
for (const [name, [, act]] of Object.entries(WHOLE)) said[name] = await saidOf(act)
console.log(JSON.stringify({ said, late }))
