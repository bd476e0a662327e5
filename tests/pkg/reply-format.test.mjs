// `readReply` and `visibleText` with a wire format: the same calls, thinking and text as `parseReply`, whatever the
// server sends them in, and however that is cut.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readReply, visibleText } from 'tokenweir'
import { anyOf, formats } from 'tokenweir/formats'
import { parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { SAYING, sse } from '../policy/doors/native-text.mjs'
import { pieces, random } from './support/cuts.mjs'
import { all } from './support/sources.mjs'

const folder = new URL('../formats/cases/', import.meta.url)
const cases = readdirSync(folder)
  .sort()
  .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)))
  .filter(({ format }) => formats[format] !== undefined)

const chat = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const response = (body, type) => new Response(body, { headers: { 'content-type': type } })

/** What servers send a text in. */
const SERVERS = {
  'chat completions': (pieces) => response(SAYING.openai(pieces), 'text/event-stream'),
  completions: (pieces) => response(SAYING.completions(pieces), 'text/event-stream'),
  'llama.cpp’s /completion': (pieces) => response(sse([...pieces.map((content) => ({ index: 0, content, tokens: [], stop: false, id_slot: 0 })), { index: 0, content: '', tokens: [], stop: true, stop_type: 'eos', id_slot: 0 }]), 'text/event-stream'),
  'Ollama’s /api/generate': (pieces) => response(SAYING['ollama generate'](pieces), 'application/x-ndjson'),
  text: (pieces) => response(ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))), 'text/plain'),
}

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const next = random(seed)
const randomPieces = (text) => {
  const edges = [0, ...Array.from({ length: 1 + next(6) }, () => next(text.length + 1)), text.length].sort((a, b) => a - b)
  return edges.slice(1).map((to, at) => text.slice(edges[at], to))
}
const options = ({ format, tools, prefill }) => ({ format: withYaml(formats[format]), tools: tools?.map(({ name, parameters }) => ({ name, parameters })), prefill, generateId: () => 'made' })
const said = ({ text, thinking, toolCalls }) => ({ text, thinking, toolCalls })

for (const [server, send] of Object.entries(SERVERS))
  test(`${server}: the cases of all formats, as parseReply reads them`, async () => {
    for (const each of cases) {
      // Half a character is no UTF-8, and a byte order mark at its start none of the text.
      if (server === 'text' && new TextDecoder().decode(new TextEncoder().encode(each.text)) !== each.text) continue
      const what = `${each.format} | ${each.name}, SEED=${seed}`
      const source = options(each)
      const expected = parseReply(each.text, { ...source, fences: 'text' })
      const given = server === 'text' ? { ...source, transport: 'text' } : source
      const whole = await readReply(send([each.text]), { ...given, trimMarkup: false }).result()
      assert.deepEqual(whole.toolCalls, expected.toolCalls, what)
      assert.equal(whole.thinking, expected.reasoning, what)
      if (expected.problems.length === 0) assert.equal(whole.text, expected.text, what)
      for (const cut of [pieces(each.text, 3), randomPieces(each.text)])
        assert.deepEqual(await readReply(send(cut), { ...given, trimMarkup: false }).result(), whole, `${what}, ${JSON.stringify(cut)}`)
    }
  })

const hermes = (call) => `<tool_call>${JSON.stringify(call)}</tool_call>`
const ADD = { name: 'add', arguments: { a: 1 } }

describe('what is to be run', () => {
  test('native calls and calls of the text, in order; tags mean nothing', async () => {
    const native = (id, name) => chat({ tool_calls: [{ index: 0, id, function: { name, arguments: '{}' } }] })
    const events = [chat({ content: `Hm. ${hermes(ADD)}` }), native('c1', 'now'), chat({ content: `${hermes(ADD)}<invoke name="x"></invoke>` }), chat({}, 'tool_calls')]
    for (const cut of [events, events.flatMap((event) => (event.choices[0].delta.content ? [...event.choices[0].delta.content].map((content) => chat({ content })) : [event]))]) {
      const { text, toolCalls, finishReason } = await readReply(cut, { format: 'hermes', generateId: () => 'made' }).result()
      assert.deepEqual(toolCalls.map(({ toolName, toolCallId }) => [toolName, toolCallId]), [['add', 'made'], ['now', 'c1'], ['add', 'made']])
      assert.equal(text, 'Hm. <invoke name="x"></invoke>')
      assert.equal(finishReason, 'tool-calls')
    }
  })
  test('a call that a native one interrupts is not run, nor one that is cut off or malformed', async () => {
    const cutOff = hermes(ADD).slice(0, 40)
    const native = chat({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'now', arguments: '{}' } }] })
    for (const [events, rest] of [[[chat({ content: cutOff }), native, chat({ content: hermes(ADD).slice(40) }), chat({}, 'stop')], ['now']], [[chat({ content: cutOff }), chat({}, 'length')], []], [[chat({ content: '<tool_call>{"name": "add", "arguments": {oh]}</tool_call>' }), chat({}, 'stop')], []]]) {
      const { toolCalls, blocks } = await readReply(events, { format: 'hermes' }).result()
      assert.deepEqual(toolCalls.map(({ toolName }) => toolName), rest)
      const [block] = blocks
      assert.deepEqual([block.type, block.toolName, block.incomplete, block.content.includes('{')], ['tool_call', 'add', true, true])
    }
  })
  test('discriminated by the tools that were given, in any of their shapes', async () => {
    const shapes = [{ add: { parameters: {} } }, [{ name: 'add' }], ['add'], [{ type: 'function', function: { name: 'add', parameters: {} } }]]
    const text = hermes(ADD) + hermes({ ...ADD, name: 'sub' })
    for (const tools of shapes) assert.deepEqual((await readReply([chat({ content: text }, 'stop')], { format: 'hermes', tools }).result()).toolCalls.map(({ dynamic }) => dynamic), [undefined, true])
    assert.deepEqual((await readReply(text, { format: 'hermes' }).result()).toolCalls.map(({ dynamic }) => dynamic), [true, true])
  })
  test('the input is the JSON text as it was written, unless it was repaired', async () => {
    const native = (text) => [chat({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: text } }] }), chat({}, 'tool_calls')]
    const inputOf = async (...given) => (await readReply(...given).result()).toolCalls[0]?.input
    assert.equal(await inputOf(native('{"a": 1.0, "1": 12345678901234567890}')), '{"a": 1.0, "1": 12345678901234567890}')
    assert.equal(await inputOf(native('{"a": 1,}')), '{"a":1}')
    assert.equal(await inputOf(native('')), '{}')
    assert.equal(await inputOf('<invoke name="f"><parameter name="a">1</parameter></invoke>'), '{"a":1}')
    assert.equal(await inputOf(hermes(ADD), { format: 'hermes' }), '{"a":1}')
  })
  test('a tool that takes free text', async () => {
    const items = [{ type: 'response.output_item.done', output_index: 0, item: { type: 'custom_tool_call', id: 'i', call_id: 'c', name: 'patch', input: '*** Begin' } }, { type: 'response.completed', response: { id: 'r', status: 'completed' } }]
    const { toolCalls } = await readReply(items).result()
    assert.deepEqual(toolCalls, [{ toolCallId: 'c', toolName: 'patch', input: '*** Begin', args: '*** Begin', dynamic: true }])
  })
})

describe('the format', () => {
  test('by the name of a model, by its template, several, none', async () => {
    const text = `<think>hm</think>${hermes(ADD)}`
    const names = async (options) => (await readReply([chat({ content: text }, 'stop')], options).result()).toolCalls.map(({ toolName }) => toolName)
    assert.deepEqual(await names({ model: 'Qwen/Qwen3-8B' }), ['add'])
    assert.deepEqual(await names({ model: { chatTemplate: formats['kimi-k2'].template.join('') } }), [])
    assert.deepEqual(await names({ format: anyOf('hermes', 'qwen3-coder') }), ['add'])
    assert.deepEqual(await names({ model: 'my-own-model' }), [])
    assert.equal((await readReply([chat({ content: text })], { model: 'my-own-model' }).result()).thinking, 'hm')
  })
  test('a call that ends the thinking of a Qwen 3, by its name and by its template', async () => {
    const template = "{{ '<tool_call>\\n{\"name\": \"' }}{{ '\", \"arguments\": ' }}{{ '<tool_response>' }}{{ content.split('</think>') }}"
    for (const model of ['qwen3', 'Qwen/Qwen3-8B', 'qwen3:4b', { chatTemplate: template }]) {
      const result = await readReply([chat({ content: `<think>\nI add.\n${hermes(ADD)}` }, 'stop')], { model }).result()
      assert.deepEqual([result.toolCalls.map(({ toolName }) => toolName), result.thinking.trim(), result.problems], [['add'], 'I add.', []], JSON.stringify(model))
      // What was only thought of is not run.
      const thought = await readReply([chat({ content: `<think>\nI add.\n${hermes(ADD)}\n</think>\n\nHello` })], { model }).result()
      assert.deepEqual([thought.toolCalls, thought.text], [[], 'Hello'])
    }
  })
  test('what is wrong with it is said before anything is read', async () => {
    for (const [options, message] of [
      [{ format: 'hermess' }, /^readReply: there is no format "hermess"; is it "hermes"\?$/],
      [{ format: 7 }, /^readReply: format must be the id/],
      [{ model: 7 }, /^formatFor takes a model's name/],
    ]) await assert.rejects(readReply('Hello', options).result(), (error) => error instanceof TypeError && message.test(error.message), String(message))
    await assert.rejects(visibleText('Hello', { format: 'x' }).next(), /there is no format "x"/)
  })
  test('options of tags are refused beside a model too, immediately, with a way out', async () => {
    for (const given of [{ model: 'qwen3:8b' }, { model: 'my-own-model' }, { format: 'hermes' }]) {
      const [name] = Object.keys(given)
      assert.throws(() => readReply('Hello', { ...given, trimParameters: true }), { name: 'TypeError', message: `readReply: trimParameters is for tags, and with ${name} the format says what they are; read the visible text again: readReply(visibleText(source, { ${name} }), { trimParameters })` })
      assert.throws(() => readReply('Hello', { ...given, startWithThinking: true }), /say how the prompt ended instead: prefill: '<think>'$/)
    }
  })
  test('custom tags count in the text that the format leaves', async () => {
    const tags = { artifact: { type: 'artifact', visible: false }, reasoning: 'thinking' }
    const text = `<think>hm <artifact></think><reasoning>so</reasoning>I write.${hermes(ADD)}<artifact title="a">b</artifact>`
    for (const given of [{ model: 'qwen3:8b' }, { format: 'hermes' }]) {
      for (const size of [1, 3, 7, text.length]) {
        const { blocks, toolCalls, text: shown } = await readReply([...pieces(text, size).map((content) => chat({ content })), chat({}, 'stop')], { ...given, tags }).result()
        const types = blocks.map(({ type, content = '' }) => [type, content])
        assert.deepEqual([toolCalls.length, shown], [1, 'I write.'], `${size}`)
        assert.deepEqual(types.filter(([type]) => type !== 'tool_call'), [['thinking', 'hm <artifact>'], ['thinking', 'so'], ['text', 'I write.'], ['artifact', 'b']], `${size}`)
        assert.equal((await all(visibleText(pieces(text, size), { ...given, tags }))).join(''), 'I write.')
      }
    }
  })
  test('a stop sequence ends a reply in the text that the format leaves', async () => {
    const text = `<think>hm\n\nAlice: hm</think>Hello.${hermes({ ...ADD, arguments: { a: 1, b: '\n\nAlice:' } })}Done.\n\nAlice: And?`
    const options = { format: 'hermes', stopSequences: ['\n\nAlice:'] }
    for (let size = 1; size <= text.length; size += size < 12 ? 1 : 17) {
      let isOver = false
      const source = async function* () { try { yield* pieces(text, size); yield 'More' } finally { isOver = true } }
      for (const make of [source, () => SERVERS.text(pieces(text, size)), () => SERVERS['chat completions'](pieces(text, size))]) {
        const result = await readReply(make(), options).result()
        assert.deepEqual([result.text, result.thinking.trim(), result.toolCalls.length, result.problems, result.blocks.at(-1)], ['Hello.Done.', 'hm\n\nAlice: hm', 1, [], { type: 'text', content: 'Done.' }], `${size}`)
        assert.ok(isOver)
        assert.equal((await all(visibleText(make(), options))).join(''), 'Hello.Done.')
      }
    }
    const inThought = await readReply(text, { ...options, stopIn: 'anywhere' }).result()
    assert.deepEqual([inThought.text, inThought.finishReason, inThought.toolCalls], ['', 'stop', []])
    // A beginning of one at the end is text.
    assert.equal((await readReply('Hi.\n\nAli', options).result()).text, 'Hi.\n\nAli')
  })
  test('a model without a known format is named on the console, once; not one that its provider reads', async () => {
    const { warn } = console
    const said = []
    console.warn = (...words) => said.push(...words)
    try {
      for (const model of ['nobody-knows-1', 'nobody-knows-1', { chatTemplate: '{{ nothing }}' }, { chatTemplate: '{{ else }}' }, 'gpt-5', 'openai/gpt-4.1', 'us.anthropic.claude-sonnet-4', 'o3', 'models/gemini-3-pro', 'qwen3']) {
        await readReply('Hello', { model }).result()
        for await (const _ of visibleText('Hello', { model }));
      }
    } finally {
      console.warn = warn
    }
    assert.deepEqual(said, ['"nobody-knows-1"', 'with this chat template'].map((name) => `tokenweir: readReply: no format is known for the model ${name}, so only the usual tags are read, and markers of its own would show; give its format, or leave model out`))
  })
  test('thinking that the prompt has opened, and thinking that the provider has marked', async () => {
    assert.deepEqual(said(await readReply([chat({ content: 'hm</think>Hello' })], { format: 'hermes', prefill: '<think>\n' }).result()), { text: 'Hello', thinking: 'hm', toolCalls: [] })
    const always = Object.values(formats).find(({ reasoning }) => reasoning?.prefilled === 'always')
    assert.equal((await readReply([chat({ content: 'Hello' })], { format: always }).result()).text, '')
    assert.deepEqual(said(await readReply([chat({ reasoning_content: 'hm' }), chat({ content: 'Hello' })], { format: always }).result()), { text: 'Hello', thinking: 'hm', toolCalls: [] })
  })
})
