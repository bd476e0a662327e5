// When the WebAssembly is compiled: not by an import, but by the first parser, or
// before in the background. Each in a process of its own, which counts.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const require = createRequire(import.meta.url)
const here = dirname(fileURLToPath(import.meta.url))
const manifest = require('tokenweir/package.json')

/** Counts what is compiled and instantiated, by what. */
const SPY = `const counts = {}
const count = (name) => {
  // Node's own, for fetch.
  if (!new Error().stack.includes('node:internal/deps/')) counts[name] = (counts[name] ?? 0) + 1
}
const real = { ...Object.getOwnPropertyDescriptors(WebAssembly) }
for (const name of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming', 'validate']) {
  const act = real[name]?.value
  if (act) WebAssembly[name] = (...given) => { count(name); return act.apply(WebAssembly, given) }
}
// What decodes the text of a WebAssembly is one too, of some hundred bytes.
const decoders = new Set()
WebAssembly.Module = new Proxy(real.Module.value, { construct: (target, given) => {
  const isDecoder = given[0].byteLength < 1000
  count(isDecoder ? 'decoder' : 'Module')
  const module = new target(...given)
  if (isDecoder) decoders.add(module)
  return module
} })
WebAssembly.Instance = new Proxy(real.Instance.value, { construct: (target, given) => { if (!decoders.has(given[0])) count('Instance'); return new target(...given) } })
// Node takes 3 ms to load its streams.
const streams = []
for (const name of ['TransformStream', 'ReadableStream', 'WritableStream']) {
  const stream = Object.getOwnPropertyDescriptor(globalThis, name)
  Object.defineProperty(globalThis, name, { configurable: true, get() { streams.push(name); return stream.get ? stream.get.call(globalThis) : stream.value }, set: (value) => Object.defineProperty(globalThis, name, { value }) })
}
const report = (value) => process.stdout.write(JSON.stringify(value))
`

const CALLS = "api.hermesProtocol().parseGeneratedText({ text: 'Hello', tools: [] })"

/** What each entry does that needs the WebAssembly. */
const FIRST = {
  // Only the engine knows which names can be tags.
  tokenweir: "api.visibleText('', { tags: { plan: 'thinking' } })",
  'tokenweir/blocks': 'new api.BlockParser()',
  'tokenweir/membrane': "api.parseToolCalls('<function_calls></function_calls>')",
  'tokenweir/args': "new api.ArgumentsReader().write('{}')",
  'tokenweir/fields': 'new api.StreamingJSONParser()',
  'tokenweir/agently': 'new api.StreamingJSONParser()',
  'tokenweir/segments': 'new api.StreamingParser()',
  'tokenweir/edits': 'new api.EditParser()',
  'tokenweir/autobyteus': 'new api.StreamingParser()',
  'tokenweir/tool-calls': CALLS,
  'tokenweir/ai-sdk': CALLS,
  'tokenweir/ai-sdk-tool-parser': CALLS,
}

/** Entries whose calls are read by a second WebAssembly, which is compiled when one comes; others have one for JSON alone, or one for values, too. */
const HAS = { tokenweir: 2, 'tokenweir/blocks': 2, 'tokenweir/membrane': 2, 'tokenweir/edits': 2, 'tokenweir/ai-sdk': 2, 'tokenweir/ai-sdk-tool-parser': 3 }

/** Entries that have no WebAssembly. */
const WITHOUT = ['tokenweir/react', 'tokenweir/formats', 'tokenweir/grammar', 'tokenweir/respond', 'tokenweir/guard', 'tokenweir/formats/kimi-k2']

/** Runs a program of one kind of module, and gives what it reports. */
async function run(kind, code) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [`--input-type=${kind}`, '--eval', SPY + code], { cwd: here })
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

const LOADS = { module: (entry) => `await import('${entry}')`, commonjs: (entry) => `require('${entry}')` }

test('each entry with WebAssembly is tested', () => {
  const entries = Object.keys(manifest.exports).filter((path) => !/\*|\.wasm$|\.json$/.test(path)).map((path) => `tokenweir${path.slice(1)}`)
  assert.deepEqual([...Object.keys(FIRST), ...WITHOUT.filter((entry) => entries.includes(entry))].sort(), entries.sort())
})

for (const [kind, load] of Object.entries(LOADS)) {
  for (const [entry, first] of Object.entries(FIRST)) {
    test(`${load(entry)} compiles nothing, the first parser one module; neither looks up a stream of the platform`, async () => {
      const [imported, used, again, streams] = await run(kind, `const api = ${load(entry)}
const imported = { ...counts }
${first}
const used = { ...counts }
${first}
report([imported, used, counts, streams])`)
      assert.deepEqual(imported, {})
      assert.deepEqual(used, { decoder: 1, Module: 1, Instance: 1 })
      assert.deepEqual([again, streams], [used, []])
    })
  }

  for (const entry of WITHOUT) {
    test(`${load(entry)} compiles nothing, and looks up no stream`, async () => {
      assert.deepEqual(await run(kind, `${load(entry)}\nreport([counts, streams])`), [{}, []])
    })
  }
}

for (const [entry, first] of Object.entries(FIRST).filter(([name]) => name !== 'tokenweir')) {
  test(`warm of '${entry}' compiles in the background, once, and the first parser nothing`, async () => {
    const [warmed, used] = await run('module', `const api = await import('${entry}')
await Promise.all([api.warm(), api.warm()])
await api.warm()
const warmed = { ...counts }
${first}
report([warmed, counts])`)
    const count = HAS[entry] ?? 1
    // What a larger one has that was compiled before needs none.
    assert.ok(warmed.Instance > 0 && warmed.Instance <= count)
    assert.deepEqual(warmed, { decoder: count, compile: count, Instance: warmed.Instance })
    assert.deepEqual(used, warmed)
  })
}

test('warm of several entries compiles what each parser needs', async () => {
  const [warmed, used] = await run('module', `const api = Object.assign({}, ...(await Promise.all(['blocks', 'fields', 'segments', 'tool-calls'].map((entry) => import('tokenweir/' + entry)))))
await api.warm()
const warmed = { ...counts }
new api.BlockParser(), new api.StreamingJSONParser(), new api.StreamingParser(), api.hermesProtocol().parseGeneratedText({ text: 'Hello', tools: [] })
report([warmed, counts])`)
  assert.ok(warmed.compile >= 4 && warmed.Module === undefined, JSON.stringify(warmed))
  assert.deepEqual(used, warmed)
})

test('a parser that is made while warm compiles works, and so does warm after a parser', async () => {
  const [text, after] = await run('module', `const { BlockParser, warm } = await import('tokenweir/blocks')
const warming = warm()
const { emissions } = new BlockParser().processChunk('Hello')
await warming
await warm()
report([emissions.find(({ kind }) => kind === 'content').text, counts.Instance])`)
  assert.deepEqual([text, after], ['Hello', 2])
})

test('two entries use one WebAssembly where the first has what the second needs', async () => {
  const counts = await run('module', `const { StreamingParser } = await import('tokenweir/segments')
const { RJSON } = await import('tokenweir/ai-sdk-tool-parser')
new StreamingParser()
RJSON.parse('[1]')
report(counts)`)
  assert.deepEqual(counts, { decoder: 1, Module: 1, Instance: 1 })
})

/** Calls whose source is yet to come: what they print shows that they read. */
const WAITING = {
  'visibleText of a Response': ["tokenweir/blocks", "for await (const text of api.visibleText(new Response('Hello'))) out.push(text)"],
  'visibleText of a promise': ["tokenweir/blocks", "for await (const text of api.visibleText(Promise.resolve(new Response('Hello')))) out.push(text)"],
  'visibleText of a stream of text': ["tokenweir/blocks", "for await (const text of api.visibleText(new Response('Hello').body.pipeThrough(new TextDecoderStream()))) out.push(text)"],
  'readReply of a Response': ["tokenweir", "out.push((await api.readReply(new Response('Hello')).result()).text)"],
  'parseFields of a stream': ["tokenweir/fields", "out.push(await api.parseFields(new Response('\"Hello\"').body.pipeThrough(new TextDecoderStream()), 'str').result())"],
}

for (const [call, [entry, code]] of Object.entries(WAITING)) {
  test(`${call} compiles in the background, while it waits for the first bytes`, async () => {
    const [out, counts] = await run('module', `const api = await import('${entry}')
const out = []
${code}
report([out, counts])`)
    assert.deepEqual(out, ['Hello'])
    assert.deepEqual(counts, { decoder: 1, compile: 1, Instance: 1 })
  })
}

test('a source that fails while the WebAssembly compiles fails the loop, and nothing else', async () => {
  const said = await run('module', `const { visibleText } = await import('tokenweir/blocks')
let unhandled = 0
process.on('unhandledRejection', () => unhandled++)
const said = []
try {
  for await (const text of visibleText({ async *[Symbol.asyncIterator]() { throw new Error('lost') } })) said.push(text)
} catch (error) { said.push(error.message) }
await new Promise((resolve) => setTimeout(resolve, 10))
report([...said, unhandled])`)
  assert.deepEqual(said, ['lost', 0])
})

test('a loop that is left while the WebAssembly compiles stops its source', async () => {
  const said = await run('module', `const { visibleText } = await import('tokenweir/blocks')
const said = []
const source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined), return: async () => { said.push('stopped'); return { done: true } } }) }
const texts = visibleText(source)
const next = texts.next()
await texts.return()
said.push((await next).done)
report(said)`)
  assert.deepEqual(said, ['stopped', true])
})

// A policy without 'wasm-unsafe-eval' refuses both.
const REFUSED = `WebAssembly.Module = class { constructor() { count('refused'); throw new WebAssembly.CompileError('refused by a policy') } }
WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('refused by a policy'))
`
for (const [kind, load] of Object.entries(LOADS)) {
  test(`where WebAssembly is refused, an import works, and parsers and warm say why: ${kind}`, async () => {
    const said = await run(kind, `${REFUSED}const api = ${load('tokenweir/blocks')}
void (async () => {
  const said = []
  for (let time = 0; time < 2; time++) try { new api.BlockParser() } catch (error) { said.push(error.code, error.message.slice(0, 12)) }
  await api.warm().catch((error) => said.push(error.code))
  try { for await (const text of api.visibleText((async function* () { yield 'Hello' })())) said.push(text) } catch (error) { said.push(error.code) }
  report([...said, counts.refused])
})()`)
    assert.deepEqual(said, ['webassembly-refused', 'BlockParser:', 'webassembly-refused', 'BlockParser:', 'webassembly-refused', 'webassembly-refused', 3])
  })
}

// Without `Response`, for which Node needs WebAssembly too.
test('without WebAssembly an import works, and parsers and warm say so', async () => {
  const said = await run('module', `delete globalThis.WebAssembly
const api = await import('tokenweir/fields')
const said = []
try { new api.StreamingJSONParser() } catch (error) { said.push(error.code) }
await api.warm().catch((error) => said.push(error.code))
await api.parseFields((async function* () { yield '1' })(), 'int').result().catch((error) => said.push(error.code))
report(said)`)
  assert.deepEqual(said, ['no-webassembly', 'no-webassembly', 'no-webassembly'])
})

test('without streams an import and a parser work; a stream does once they are there', async () => {
  const said = await run('module', `const { TransformStream } = globalThis
delete globalThis.TransformStream
const api = await import('tokenweir/blocks')
const said = [new api.BlockParser().processChunk('Hello').emissions.length > 0]
try { new api.VisibleTextStream() } catch (error) { said.push(error.message) }
globalThis.TransformStream = TransformStream
class Own extends api.VisibleTextStream {}
const stream = new Own()
said.push(stream instanceof Own, stream instanceof api.VisibleTextStream, stream instanceof TransformStream, new api.BlockStream() instanceof api.VisibleTextStream)
void new ReadableStream({ start(controller) { controller.enqueue('<thinking>hm</thinking>Hello'); controller.close() } }).pipeTo(stream.writable)
said.push((await stream.readable.getReader().read()).value)
report(said)`)
  assert.deepEqual(said, [true, 'TransformStream is not defined', true, true, true, false, 'Hello'])
})
