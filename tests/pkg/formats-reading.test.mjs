// The catalogue of wire formats, read by the package: the project's cases, at every cut, and
// random documents, which an independent reader of whole texts reads the same way.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { anyOf, defineFormat, formats } from 'tokenweir/formats'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { random, sampled } from './support/cuts.mjs'

const folder = new URL('../formats/cases/', import.meta.url)
const cases = readdirSync(folder).sort().flatMap((file) => readFileSync(new URL(file, folder), 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)))

/** Cases that the machine reads otherwise, so far. */
const DIFFERENT = new Set(['nemotron | odd-element', 'nemotron | cut-second', 'pythonic | literals', 'lfm2 | cut-second'])

const collapsed = (text) => text.trim().replace(/\s+/g, ' ')
/** What no model writes is known by its id alone. */
const INTERNAL = ['dynamo-golden', 'granite-phrases', 'qwen3-coder-peer']
const isKnown = (id) => INTERNAL.includes(id) || formats[id] !== undefined

const formatOf = (id) => (INTERNAL.includes(id) ? id : withYaml(formats[id]))
const sourceOf = ({ format, tools, prefill }) => ({ format: formatOf(format), tools: tools?.map(({ name, parameters }) => ({ name, inputSchema: parameters })), prefill })

/** What comes of the chunks of a text, whichever they are. */
function read(chunks, source) {
  let ids = 0
  const problems = []
  const options = { generateId: (kind) => `${kind} ${ids++}`, onError: (message, metadata) => problems.push([metadata.dropReason, metadata.toolCall]) }
  const parser = new ToolCallParser(source.protocol === undefined ? { ...source, ...options } : { ...source, options })
  const parts = []
  for (const { id: _, toolCallId: __, ...part } of [...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]) {
    const last = parts.at(-1)
    if ('delta' in part && last?.type === part.type) last.delta += part.delta
    else parts.push(part)
  }
  return { parts, problems }
}

test('the cases of the catalogue', () => {
  assert.ok(cases.length > 500)
  for (const each of cases) {
    if (DIFFERENT.has(`${each.format} | ${each.name}`) || !isKnown(each.format)) continue
    const { text, reasoning, toolCalls } = parseReply(each.text, sourceOf(each))
    const what = `${each.format} | ${each.name}`
    assert.deepEqual(toolCalls.map(({ toolName, args }) => ({ name: toolName, arguments: args })), each.calls.map(({ name, arguments: args }) => ({ name, arguments: args })), what)
    if (each.content !== null) assert.equal(collapsed(text), collapsed(each.content), what)
    if (each.reasoning !== null) assert.equal(collapsed(reasoning), collapsed(each.reasoning), what)
  }
})

test('cuts make no difference: one character at a time, every cut, two random cuts', () => {
  const seed = Date.now() % 1e6
  const next = random(seed)
  for (const each of sampled(cases)) {
    if (!isKnown(each.format)) continue
    const source = sourceOf(each)
    const { text } = each
    const whole = read([text], source)
    const check = (chunks, how) => assert.deepEqual(read(chunks, source), whole, `${each.format} | ${each.name}, ${how}, seed ${seed}`)
    check([...text], 'one by one')
    for (let at = 1; at < text.length; at++) check([text.slice(0, at), text.slice(at)], `cut at ${at}`)
    for (let run = 0; run < 3; run++) {
      const [a, b] = [next(text.length + 1), next(text.length + 1)].sort((x, y) => x - y)
      check([text.slice(0, a), text.slice(a, b), text.slice(b)], `cut at ${a} and ${b}`)
    }
  }
})

const tolerant = {
  json: defineFormat({ id: 'fixed-json', call: { open: ['<tool_call>'], body: 'json', close: ['</tool_call>'], tolerant: true }, reasoning: { open: ['<think>', '<thinking>'], close: ['</think>', '</thinking>'] } }),
  elements: defineFormat({ id: 'fixed-elements', call: { body: 'elements', tolerant: true }, reasoning: { open: ['<think>', '<thinking>'], close: ['</think>', '</thinking>'] } }),
}
const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' }, text: { type: 'string' } } } }, { name: 'get' }]

test('a format that is tolerant reads what hermesProtocol and morphXmlProtocol read', () => {
  for (const [format, protocol, text] of [
    [tolerant.json, hermesProtocol(), '<think>Hm.</think>One: <tool_call>{tool: "add", \'args\': {"a": "1", "text": "say "hi""}</tool_call> [<tool_call>] <tool_call>[{"name": "get", "arguments": null}]</tool_call><tool_call>no</tool_call>'],
    [tolerant.elements, morphXmlProtocol(), '<think>Hm.</think>One: <add a="1"><text>x</add></text></add> <add> is a tool <get/><add><a>1</add>'],
  ]) {
    const parts = (source) => read([text], { ...source, tools }).parts
    const found = parts({ format })
    assert.deepEqual(found, parts({ protocol }))
    assert.ok(found.filter(({ type }) => type === 'tool-call').length >= 2, JSON.stringify(found))
  }
})

test('beside other formats, too, wherever the text is cut', () => {
  const seed = Date.now() % 1e6
  const next = random(seed)
  const pieces = ['<tool_call>{"name": "get"}</tool_call>', '<add><a>5</a></add>', '<tool_call>', '</tool_call>', '{"name": "add", "arguments": {"a": 1}}', '{name: "get"', '}', '[', ']', ',', '"', ' ', '\n', 'text', '`', '<add>', '<a>', '2', '</a>', '</add>', '<get/>', '<think>', '</think>', '<|tool_calls_section_begin|>', '<|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 3}', '<|tool_call_end|>', '<|tool_calls_section_end|>', '<function=add>', '<parameter=a>4</parameter>', '</function>']
  let calls = 0
  for (let run = 0; run < 400; run++) {
    const text = Array.from({ length: 1 + next(16) }, () => pieces[next(pieces.length)]).join('')
    const format = anyOf(tolerant.json, ...[[tolerant.elements, 'kimi-k2'], ['kimi-k2'], ['qwen3-coder']][run % 3])
    const source = { format, tools, fences: run % 2 === 0 ? 'text' : 'parse' }
    const whole = read([text], source)
    calls += whole.parts.filter(({ type }) => type === 'tool-call').length
    for (let cut = 1; cut < text.length; cut += 1 + next(4)) assert.deepEqual(read([text.slice(0, cut), text.slice(cut)], source), whole, `cut at ${cut}, seed ${seed}: ${JSON.stringify(text)}`)
    assert.deepEqual(read([...text], source), whole, `one by one, seed ${seed}: ${JSON.stringify(text)}`)
  }
  assert.ok(calls > 100, `${calls} calls`)
})

const twice = [{ name: 'f', inputSchema: { type: 'object', properties: { a: { type: 'number' }, s: { type: 'string' } }, additionalProperties: false } }]
for (const [format, text, args, names] of [
  ['hermes', '<tool_call>{"name":"f","arguments":{"a":1}}}</tool_call>', { a: 1 }, ['extra-closer']],
  ['hermes', "<tool_call>{'name':'f','arguments':{'a':1,}}</tool_call>", { a: 1 }, ['trailing-comma', 'single-quotes']],
  ['deepseek-v3.2', '<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n{"a":1}\n</｜DSML｜invoke>\n</｜DSML｜function_calls>', { a: 1 }, ['json-body']],
  ['qwen3-coder-peer', '<tool_call>function=f>\n<parameter>a</parameter>1</function></tool_call>', { a: 1 }, ['missing-angle', 'nameless-params']],
  ['qwen3-coder-peer', '<tool_call>\nf\n<a>1</a><s>x</s>\n</f></tool_call>', { a: 1, s: 'x' }, ['bare-name']],
  ['qwen3-coder-peer', '<tool_call><function=f><parameter=a>\n1\n<parameter=s>x</parameter></function></tool_call>', { a: 1, s: 'x' }, ['open-params']],
  ['qwen3-coder-peer', '<tool_call><function=f><parameter=a>1</parameter><parameter=zz>x</parameter></function></tool_call>', { a: 1 }, ['drop-unknown']],
  ['gemma4', '<|tool_call>call:f{a:1,s:"x"}<tool_call|>', { a: 1, s: 'x' }, ['plain-quotes']],
  ['gemma4', '<|tool_call>call:f{a:1,s:x}<tool_call|>', { a: 1, s: 'x' }, ['bare-word']],
  ['morph-xml', 'f\n<a>1</a></f>', { a: 1 }, ['line-name']],
  ['yaml-xml', '<f><a>1</a></f>', { a: 1 }, ['yaml-elements']],
  ['yaml-xml', '<f>\na: 1\ns: "x" y: z\n</f>', { a: 1, s: '"x" y: z\n' }, ['raw-keys']],
]) {
  test(`${names.join(' and ')} of ${format} is reported, and nothing is repaired without repairs`, () => {
    const source = { format: formatOf(format), tools: twice }
    const seen = []
    const [call, ...others] = parseReply(text, { ...source, onRepair: (repairs) => seen.push(...repairs) }).toolCalls
    assert.deepEqual([call?.args, others, seen], [args, [], names])
    const plain = parseReply(text, { ...source, repairs: false, onRepair: (repairs) => seen.push(...repairs) })
    assert.deepEqual(seen, names)
    assert.notDeepEqual(plain.toolCalls[0]?.args, args)
  })
}

for (const [format, text] of [
  ['morph-xml', '<f><a>1</a><__proto__>2</__proto__></f>'],
  ['minicpm5', '<function name="f"><param name="s">x</param></function>'],
  ['yaml-xml', '<f>\na: 1\n__proto__: 2\n</f>'],
]) {
  test(`without repairs ${format} still refuses what it refuses`, () => {
    const tools = [{ name: 'f', inputSchema: { ...twice[0].inputSchema, required: ['a'] } }]
    const calls = (more) => parseReply(text, { format: withYaml(formats[format]), tools, ...more }).toolCalls
    assert.deepEqual([calls({}), calls({ repairs: false })], [[], []])
  })
}

test('repairs is false or absent, and a tolerant format has them always', () => {
  assert.throws(() => parseReply('', { format: 'hermes', repairs: ['extra-closer'] }), /parseReply: repairs must be false or absent, but is an array/)
  assert.throws(() => parseReply('', { format: tolerant.json, repairs: false }), /the format "fixed-json" is tolerant, so repairs can not be false/)
})

test('what a text cites is a source, with its place in the text', () => {
  const text = '<|START_RESPONSE|>x <co>bar</co: 0:[1,2],1:[0]> and <co>no end, <co>foo</co: 2:[]><|END_RESPONSE|>'
  const source = { format: 'cohere', prefill: '' }
  const cited = (start, end, title, sources) => ({ type: 'source', sourceType: 'document', id: `citation-${start}-${end}`, mediaType: 'text/plain', title, providerMetadata: { tokenweir: { start, end, sources } } })
  const expected = [cited(2, 5, '0:[1,2],1:[0]', [{ call: 0, results: [1, 2] }, { call: 1, results: [0] }]), cited(18, 21, '2:[]', [{ call: 2, results: [] }])]
  const reply = parseReply(text, source)
  assert.equal(reply.text, 'x bar and no end, foo')
  assert.deepEqual(reply.parts.map(({ type }) => type), ['text', 'source', 'source'])
  assert.deepEqual(reply.parts.slice(1), expected)
  for (const { providerMetadata: { tokenweir } } of reply.parts.slice(1)) assert.ok(['bar', 'foo'].includes(reply.text.slice(tokenweir.start, tokenweir.end)))
  for (let cut = 0; cut <= text.length; cut++) {
    const { parts } = read([text.slice(0, cut), text.slice(cut)], source)
    assert.deepEqual(parts.filter(({ type }) => type === 'source').map((part) => ({ ...part, id: `citation-${part.providerMetadata.tokenweir.start}-${part.providerMetadata.tokenweir.end}` })), expected, `cut at ${cut}`)
  }
  const streamed = new ToolCallParser(source)
  const types = [...streamed.text(text), ...streamed.finish()].map(({ type }) => type)
  assert.deepEqual(types.filter((type, at) => type !== types[at - 1]), ['text-start', 'text-delta', 'source', 'text-delta', 'source', 'text-end'])
})
