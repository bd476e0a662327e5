// The debug build: what `npm run trace` prints of a text, and what a panic says. `npm test -- --only debug` runs it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

before(() => {
  const start = performance.now()
  const { status } = run('cargo', ['xtask', 'build', '--debug'])
  assert.equal(status, 0)
  console.log(`the debug build took ${((performance.now() - start) / 1000).toFixed(1)} s`)
})

function run(program, args, input = '') {
  return spawnSync(program, args, { cwd: root, input, encoding: 'utf8' })
}

/** The lines of a trace, by chunk. */
function trace(text, ...args) {
  const { stdout, stderr, status } = run(execPath, ['pkg-template/trace.mjs', '-', '--no-build', ...args], text)
  assert.equal(status, 0, stderr)
  return stdout.split(/^(?=\S)/m).map((chunk) => chunk.split('\n').map((line) => line.trim()))
}

/** Asserts that a chunk's part of the trace has these lines, among others. */
function has(chunk, ...lines) {
  for (const line of lines) assert.ok(chunk.includes(line), `${line} is not in ${chunk.join('\n')}`)
}

test('blocks: what waits in the fast path, and what the machine has read of a tag', () => {
  const chunks = trace('Hi <thinking>hm', '--parser', 'blocks')
  assert.equal(chunks.length, 'Hi <thinking>hm'.length + 1)
  has(chunks[1], '"i"', "event    { kind: 'content', text: 'i', meta: { type: 'text', visible: true, blockIndex: 0 } }", 'buffered ""; mode Text')
  has(chunks[3], '"<"', 'buffered "", waiting "<"; mode Read')
  assert.ok(!chunks[3].some((line) => line.startsWith('machine')), 'nothing was read')
  has(chunks[5], '"h"', 'buffered "<th"; mode Read', 'machine  tag.len = 3')
  has(chunks[12], '">"', 'buffered ""; mode Text', 'machine  open = "Thinking"', "machine  stack.runs = [ [ 'Thinking', 1 ] ]")
  has(chunks[15], 'end', "event    { kind: 'blockEvent', event: { event: 'block_complete', index: 1, block: { type: 'thinking', content: 'hm', incomplete: true } } }")
})

test('fields: a candidate is buffered until it is a document', () => {
  const chunks = trace('Sure: {"a": "x"', '--parser', 'fields', '--chunk', '10')
  has(chunks[0], '"Sure: {\\"a\\""', 'buffered "{\\"a\\""; mode Read', 'machine  phase = "Candidate"')
  // The quote may not end the string: what follows decides.
  has(chunks[1], 'buffered "\\""; mode Read', 'machine  phase = "Document"', 'machine  json.is_waiting = true')
})

test('segments: the end tag that may come', () => {
  const chunks = trace('<run_bash>ls</run', '--parser', 'segments', '--chunk', '12')
  has(chunks[0], "event    { type: 'SEGMENT_CONTENT', segment_id: 'seg_1', payload: { delta: 'ls' } }", "machine  phase = { Raw: { until: 'RunBash', matched: 0 } }")
  has(chunks[1], 'buffered "</run"; mode Read', 'machine  phase.Raw.matched = 5')
})

test('tool calls: JSON between two tags, and elements with the names of tools', () => {
  const json = trace('<tool_call>{"name": "f"}</tool_call>', '--parser', 'tool-calls', '--chunk', '18')
  has(json[0], 'buffered "<tool_call>{\\"name\\""; mode Read', 'machine  phase = "Json"', 'machine  json.call.key = "name"')
  has(json[1], "event    { type: 'tool-call', toolCallId: 'call_1', toolName: 'f', input: '{}' }", 'machine  phase = "Text"')
  const elements = trace('<get><city>Seoul</city></get>', '--parser', 'tool-calls', '--tools', 'get', '--chunk', '100')
  has(elements[0], "event    { type: 'tool-call', toolCallId: 'call_1', toolName: 'get', input: '{\"city\":\"Seoul\"}' }")
})

test('arguments that make no sense are refused', () => {
  for (const args of [[], ['-'], ['-', '--parser', 'xml'], ['-', '--parser', 'blocks', '--chunk', '0'], ['-', '--parser', 'blocks', '--what']]) {
    const { status, stderr } = run(execPath, ['pkg-template/trace.mjs', ...args])
    assert.equal(status, 2)
    assert.match(stderr, /npm run trace -- FILE --parser/)
  }
})

test('a panic says why on the console, and then all is refused', () => {
  const program = `
    import { inside, startDebug } from './pkg-template/debug.mjs'
    const { instance } = await startDebug()
    const { BlockParser } = await inside('entry/blocks.js')
    const parser = new BlockParser()
    for (const act of [() => instance.exports.panic_for_test(), () => parser.processChunk('a')]) {
      try { act() } catch (error) { console.log(error.code) }
    }`
  const { stdout, stderr } = run(execPath, ['--input-type=module', '--eval', program])
  assert.equal(stdout, 'engine-failed\nengine-failed\n')
  assert.match(stderr, /panicked at .*inspect\.rs:\d+:\d+:\npanic_for_test was called/)
})

test('the released wasm has none of this', () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL('../pkg/dist/tokenweir.wasm', import.meta.url))))
  assert.ok('block_run' in exports)
  for (const name of ['inspect', 'panic_for_test', 'start']) assert.ok(!(name in exports), name)
})
