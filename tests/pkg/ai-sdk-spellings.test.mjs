// How models write Qwen3-Coder's calls otherwise: what `qwen3CoderProtocol` and `kExaone2Protocol` read, whole, cut anywhere
// and saved anywhere. Each case was seen in @ai-sdk-tool/parser 5.1.6.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToolMiddleware, kExaone2Protocol, qwen3CoderProtocol, uiTarsXmlProtocol } from 'tokenweir/ai-sdk'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { cutAt, random, thinness } from './support/cuts.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const string = { type: 'string' }
const tools = [{ type: 'function', name: 'a', inputSchema: { type: 'object', properties: { x: string, n: { type: 'number' }, l: { type: 'array', items: string } } } }]

const section = (text) => `<tool_call>${text}</tool_call>`
const X = ['a', { x: '1' }]
/** Each text, the calls in it, and the text beside them. */
const TABLE = [
  [section(`<function="a"><parameter='x'>1</parameter></function>`), [X]],
  ...['call', 'tool', 'invoke'].flatMap((tag) => [`<${tag}=a><parameter=x>1</parameter></${tag}>`, `<${tag} name="a"><parameter=x>1</parameter></${tag}>`].flatMap((call) => [[section(call), [X]], [call, [X]]])),
  [section('<function name="a"><parameter=x>1</parameter></function>'), [X]],
  ['<function name="a"><parameter=x>1</parameter></function>', [X]],
  ...['<parameter name="x">1</parameter>', '<param=x>1</param>', '<argument=x>1</argument>', '<arg name="x">1</arg>'].map((param) => [section(`<function=a>${param}</function>`), [X]]),
  ...['name', 'tool_name', 'function'].map((tag) => [section(`<${tag}>a</${tag}><parameter=x>1</parameter>`), [X]]),
  [section('\na\n<parameter=x>1</parameter>\n'), [X]],
  [section('<function=a><x>1</x><N>2</N></function>'), [['a', { x: '1', n: 2 }]]],
  [section('<function=a><parameter=n><value>7</value></parameter></function>'), [['a', { n: 7 }]]],
  [section('<function=a><parameter=x><value>7</value> more</parameter></function>'), [['a', { x: '<value>7</value> more' }]]],
  [section('<function=a><parameter=x><![CDATA[q]]></parameter></function>'), [['a', { x: 'q' }]]],
  [section('<function=a><parameter=x>\n<![CDATA[q]]>\n</parameter></function>'), [['a', { x: 'q' }]]],
  [section('<function=a><parameter=x>1</parameter><parameter=x>2</parameter></function>'), [['a', { x: ['1', '2'] }]]],
  [section('<function=a><x>1</x><parameter=n>2</parameter><x>3</x><parameter=x>4</parameter></function>'), [['a', { x: ['1', '3', '4'], n: 2 }]]],
  [section('<function=a><parameter=n>1</parameter><parameter=n>2</parameter></function>'), [['a', { n: [1, 2] }]]],
  [section('<function=a><parameter=l>1</parameter><parameter=l>2</parameter><parameter=l>3</parameter></function>'), [['a', { l: ['1', '2', '3'] }]]],
  [section('<function=a><parameter=l>1</parameter><parameter=x>2</parameter><parameter=l>["3"]</parameter></function>'), [['a', { l: ['1', '3'], x: '2' }]]],
  ...['<function=a/>', '<function=a />', '<call name="a"/>'].flatMap((call) => [[section(call), [['a', {}]]], [call, [['a', {}]]]]),
  [section('<function = a ><parameter = x >1</parameter></function>'), [X]],
  ['<TOOL_CALL><FUNCTION=a><PARAMETER=x>1</PARAMETER></FUNCTION></TOOL_CALL>', [X]],
  ['x <tool_call>\nhello\n</tool_call> y', [], 'x <tool_call>\nhello\n</tool_call> y'],
  [`${section('<call=a><x>1</x></call>')}${section('hello')}`, [X], section('hello')],
  ['Use <tool=hammer> or <call=me> now.', [], 'Use <tool=hammer> or <call=me> now.'],
]

/** Calls and text of parts. */
function read(parts) {
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, JSON.parse(part.input)]] : []))
  const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : part.type === 'text' ? [part.text] : [])).join('')
  const inputs = new Map()
  for (const part of parts) {
    if (part.type === 'tool-input-start') inputs.set(part.id, '')
    if (part.type === 'tool-input-delta') inputs.set(part.id, inputs.get(part.id) + part.delta)
    if (part.type === 'tool-call' && inputs.has(part.toolCallId)) assert.equal(inputs.get(part.toolCallId), part.input, 'the deltas are the input')
  }
  return { calls, text }
}

for (const [name, protocol] of Object.entries({ qwen3CoderProtocol, kExaone2Protocol, uiTarsXmlProtocol })) {
  describe(`${name} (SEED=${seed})`, () => {
    const middleware = createToolMiddleware({ protocol: protocol(), toolSystemPromptTemplate: () => '' })
    for (const [text, calls, shown = ''] of TABLE) {
      test(JSON.stringify(text), async () => {
        const expected = { calls, text: shown }
        assert.deepEqual(read(protocol().parseGeneratedText({ text, tools })), expected, 'as a whole')
        const params = await middleware.transformParams({ params: { prompt: [], tools } })
        const { content } = await middleware.wrapGenerate({ doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }), params })
        assert.deepEqual(read(content), expected, 'by the middleware')
        const next = random(seed)
        const some = Array.from({ length: 10 }, () => cutAt(text, Array.from({ length: 5 }, () => next(text.length + 1)).sort((a, b) => a - b)))
        for (const chunks of [[text], [...text], ...some]) {
          const parser = new ToolCallParser({ protocol: protocol(), tools })
          assert.deepEqual(read([...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]), expected, JSON.stringify(chunks))
        }
        for (let cut = 0; cut <= text.length; cut += thinness) {
          const parser = new ToolCallParser({ protocol: protocol(), tools })
          const parts = parser.text(text.slice(0, cut))
          const again = ToolCallParser.restore(JSON.parse(JSON.stringify(parser.snapshot())), { protocol: protocol() })
          for (const each of [parser, again]) assert.deepEqual(read([...parts, ...each.text(text.slice(cut)), ...each.finish()]), expected, `cut at ${cut}`)
        }
      })
    }
  })
}

test('a format keeps the last of the values of an argument that is not a list', () => {
  const text = section('<function=a><parameter=x>1</parameter><parameter=x>2</parameter></function>')
  for (const format of ['qwen3-coder-peer', 'k-exaone']) {
    const parser = new ToolCallParser({ format, tools })
    assert.deepEqual(read([...parser.text(text), ...parser.finish()]).calls, [['a', { x: '2' }]])
  }
})

test('repairs are reported by their names', () => {
  const seen = []
  const parser = new ToolCallParser({ format: 'qwen3-coder-peer', tools, onRepair: (repairs) => seen.push(...repairs) })
  parser.text('<tool_call>\na\n<X><value>1</value></X></tool_call>')
  parser.finish()
  assert.deepEqual(seen, ['bare-name', 'value-tag'])
})
