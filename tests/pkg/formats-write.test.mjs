// `writeCalls`, `writeResults`, `describeTools`: what is written is what the model's own
// template writes, and is read back as the same calls.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { thinness } from './support/cuts.mjs'
import fc from './support/property.mjs'
import { defineFormat, describeTools, formats, writeCalls, writeResults } from 'tokenweir/formats'
import { readReply } from './support/format-naive.mjs'

const paris = { toolName: 'get_weather', input: { location: 'Paris' } }
const rome = { toolName: 'get_weather', input: { location: 'Rome' } }
const nested = { q: 'say "hi"\nline2 \\ </tool_call> é', opts: { n: 3, f: 1.5, b: true, z: null, l: ['a', { k: 'v' }] } }
const search = { toolName: 'search', input: nested }
const NESTED = '{"q": "say \\"hi\\"\\nline2 \\\\ </tool_call> é", "opts": {"n": 3, "f": 1.5, "b": true, "z": null, "l": ["a", {"k": "v"}]}}'

/** Rows whose writer can't say all of this, with the reason. */
const UNREADABLE = {
  cline: 'arguments are strings',
}

/** Formats with a way to write calls. */
const written = Object.values(formats).filter(({ write }) => write?.call !== undefined)

describe('the templates of the models', () => {
  for (const [format, calls, text] of [
    ['hermes', [paris, rome], '<tool_call>\n{"name": "get_weather", "arguments": {"location": "Paris"}}\n</tool_call>\n<tool_call>\n{"name": "get_weather", "arguments": {"location": "Rome"}}\n</tool_call>'],
    ['hermes', [search], `<tool_call>\n{"name": "search", "arguments": ${NESTED}}\n</tool_call>`],
    ['kimi-k2', [paris, rome], '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"location": "Paris"}<|tool_call_end|><|tool_call_begin|>functions.get_weather:1<|tool_call_argument_begin|>{"location": "Rome"}<|tool_call_end|><|tool_calls_section_end|>'],
    ['qwen3-coder', [search], '<tool_call>\n<function=search>\n<parameter=q>\nsay "hi"\nline2 \\ </tool_call> é\n</parameter>\n<parameter=opts>\n{"n": 3, "f": 1.5, "b": true, "z": null, "l": ["a", {"k": "v"}]}\n</parameter>\n</function>\n</tool_call>'],
    ['apertus', [paris, rome], '<|tools_prefix|>[{"get_weather": {"location": "Paris"}}, {"get_weather": {"location": "Rome"}}]<|tools_suffix|>'],
    ['granite3', [paris], '<|tool_call|>[\n    {\n        "name": "get_weather",\n        "arguments": {\n            "location": "Paris"\n        }\n    }\n]'],
    ['gemma4', [search], '<|tool_call>call:search{q:<|"|>say "hi"\nline2 \\ </tool_call> é<|"|>,opts:{n:3,f:1.5,b:true,z:null,l:[<|"|>a<|"|>,{k:<|"|>v<|"|>}]}}<tool_call|>'],
    ['functiongemma', [search], "<start_function_call>call:search{q:<escape>say \"hi\"\nline2 \\ </tool_call> é<escape>,opts:<escape>{\"n\": 3, \"f\": 1.5, \"b\": true, \"z\": null, \"l\": [\"a\", {\"k\": \"v\"}]}<escape>}<end_function_call>"],
    ['lfm2', [paris, { toolName: 'f', input: { a: [1, true, null, { b: "it's" }] } }], "<|tool_call_start|>[get_weather(location='Paris'), f(a=[1, True, None, {'b': \"it's\"}])]<|tool_call_end|>"],
    ['deepseek-v3.2', [search], '<｜DSML｜function_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="q" string="true">say "hi"\nline2 \\ </tool_call> é</｜DSML｜parameter>\n<｜DSML｜parameter name="opts" string="false">{"n": 3, "f": 1.5, "b": true, "z": null, "l": ["a", {"k": "v"}]}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>'],
    ['minimax-m3', [search], ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="search">]<]minimax[>[<q>say "hi"\nline2 \\ </tool_call> é]<]minimax[>[</q>]<]minimax[>[<opts>]<]minimax[>[<n>3]<]minimax[>[</n>]<]minimax[>[<f>1.5]<]minimax[>[</f>]<]minimax[>[<b>true]<]minimax[>[</b>]<]minimax[>[<z>null]<]minimax[>[</z>]<]minimax[>[<l>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[<item>]<]minimax[>[<k>v]<]minimax[>[</k>]<]minimax[>[</item>]<]minimax[>[</l>]<]minimax[>[</opts>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>'],
    ['minicpm5', [{ toolName: 'f', input: { a: 'x < y', b: [1, 'c'], c: true } }], '<function name="f"><param name="a"><![CDATA[x < y]]></param><param name="b">[1, \'c\']</param><param name="c">True</param></function>'],
    ['kimi-k3', [paris, { toolName: 'f', input: { 'a"b': 1 } }], '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="location" type="string"<|sep|>Paris<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool="f" index="2"<|sep|><|open|>argument key="a&quot;b" type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>'],
    ['harmony', [paris], ' to=functions.get_weather<|channel|>commentary json<|message|>{"location": "Paris"}<|call|>'],
    ['mistral-v3', [paris], '[TOOL_CALLS][{"name": "get_weather", "arguments": {"location": "Paris"}, "id": "000000000"}]'],
    ['cohere', [paris, rome], '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"location": "Paris"}},\n    {"tool_call_id": "1", "tool_name": "get_weather", "parameters": {"location": "Rome"}}\n]<|END_ACTION|>'],
    ['functionary-v32', [paris, rome], 'get_weather\n{"location": "Paris"}>>>get_weather\n{"location": "Rome"}'],
    ['yaml-xml', [{ toolName: 'f', input: { a: 'Paris', b: 'yes', c: '</f>', d: [1] } }], '<f>\na: Paris\nb: "yes"\nc: "<\\/f>"\nd: [1]\n</f>'],
    ['morph-xml', [{ toolName: 'f', input: { a: '1 < 2 & 3', l: [1, 2] } }], '<f><a>1 &lt; 2 &amp; 3</a><l><item>1</item><item>2</item></l></f>'],
  ]) {
    test(`${format}: ${calls.map(({ toolName }) => toolName).join(', ')}`, () => assert.equal(writeCalls(calls, { format }), text))
  }
})

describe('text and reasoning', () => {
  test('stand before the calls', () => {
    assert.equal(writeCalls([paris], { format: 'qwen3.5', text: 'TEXT', reasoning: 'REASON' }), '<think>\nREASON\n</think>\n\nTEXT\n\n<tool_call>\n<function=get_weather>\n<parameter=location>\nParis\n</parameter>\n</function>\n</tool_call>')
    assert.equal(writeCalls([], { format: 'qwen3.5', text: 'TEXT' }), 'TEXT')
    assert.equal(writeCalls([], { format: 'qwen3.5' }), '')
  })

  test('are refused where the format has no way', () => {
    assert.throws(() => writeCalls([], { format: 'functionary-v31', reasoning: 'R' }), { name: 'TypeError', message: 'writeCalls: the format "functionary-v31" says nothing about how reasoning is written (write.reasoning)' })
    assert.throws(() => writeCalls([], { format: 'qwen3.5', reasoning: 'a</think>b' }), { name: 'TypeError', message: 'writeCalls: "qwen3.5" can\'t write the reasoning: it has "</think>", where a reader would end it' })
    assert.throws(() => writeCalls([], { format: 'qwen3.5', reasoning: 'a<tool_call>b' }), { name: 'TypeError', message: 'writeCalls: "qwen3.5" can\'t write the reasoning: it has "<tool_call>", where a reader would end it' })
    assert.throws(() => writeCalls([], { format: 'harmony', text: 'a<|end|>' }), { name: 'TypeError', message: 'writeCalls: "harmony" can\'t write the text: it has "<|end|>", where a reader would end it' })
    assert.throws(() => writeCalls([paris], { format: { ...formats.harmony, id: 'mine', write: { call: formats.harmony.write.call } }, text: 'T' }), { message: 'writeCalls: the format "mine" says nothing about how text is written (write.text)' })
  })
})

describe('input', () => {
  const args = (input, format = 'functionary-v31') => writeCalls([{ toolName: 'f', input }], { format })

  test('is an object or its text, whose digits stay', () => {
    assert.equal(args('{"id":12345678901234567890,"x":1.50,"y":1e3,"s":"1.50 \\" 2"}'), '<function=f>{"id": 12345678901234567890, "x": 1.50, "y": 1e3, "s": "1.50 \\" 2"}</function>')
    assert.equal(args('{"number 1":12345678901234567890,"number ":1.0}'), '<function=f>{"number 1": 12345678901234567890, "number ": 1.0}</function>')
    assert.match(args('{"id":12345678901234567890,"l":[1.50]}', 'qwen3-coder'), /\n12345678901234567890\n[^]*\n\[1\.50\]\n/)
    assert.match(args('{"id":12345678901234567890}', 'seed-oss'), />12345678901234567890</)
    assert.equal(args({ d: new Date(0), u: undefined }), '<function=f>{"d": "1970-01-01T00:00:00.000Z"}</function>')
    for (const empty of ['', ' ', '{}', {}, undefined, null]) assert.equal(args(empty), '<function=f>{}</function>')
    assert.equal(args('{"__proto__":1.0,"constructor":{"__proto__":2}}'), '<function=f>{"__proto__": 1.0, "constructor": {"__proto__": 2}}</function>')
  })

  test('is nothing else', () => {
    for (const [input, what] of [['[1]', 'string "[1]"'], ['{"a":', 'string "{\\"a\\":"'], [5, 'number 5'], [['a'], 'an array of 1']]) {
      assert.throws(() => args(input), { name: 'TypeError', message: `writeCalls: "functionary-v31" can't write calls[0] of "f": input must be an object or its JSON text, but is ${what}` })
    }
  })
})

describe('ids', () => {
  const one = (format, toolCallId, more) => writeCalls([{ ...paris, toolCallId }], { format, ...more })

  test('stay as they are, or are made', () => {
    assert.match(one('mistral-v3', 'abcdefghi'), /"id": "abcdefghi"/)
    assert.match(one('mistral-v11', 'abcdefghi'), /get_weather\[CALL_ID\]abcdefghi\[ARGS\]/)
    assert.match(one('solar-open'), /begin\|>call_0</)
  })

  test('of Kimi K2 count through the conversation, and have the name', () => {
    assert.match(one('kimi-k2', 'functions.get_weather:7'), /begin\|>functions\.get_weather:7</)
    assert.match(one('kimi-k2', undefined, { firstIndex: 3 }), /begin\|>functions\.get_weather:3</)
    assert.match(one('kimi-k2', 'call_abc'), /begin\|>functions\.get_weather:0</)
    assert.equal(writeResults([{ toolName: 'get_weather', toolCallId: 'call_abc', result: 'R' }], { format: 'kimi-k2', firstIndex: 2 }), '## Return of functions.get_weather:2\nR')
  })

  test('of Kimi K3 are numbers from 1', () => {
    assert.match(one('kimi-k3', '4'), /index="4"/)
    assert.match(one('kimi-k3', 'call_abc'), /index="1"/)
  })

  test('that could not be read are refused', () => {
    assert.throws(() => one('solar-open', 'a b'), { message: 'writeCalls: "solar-open" can\'t write calls[0] of "get_weather": toolCallId can\'t be written: "a b"' })
    assert.throws(() => writeCalls([{ ...paris, toolCallId: 5 }], { format: 'hermes' }), { message: 'writeCalls: calls[0].toolCallId must be a string, but is number 5' })
  })
})

describe('what would be read otherwise is refused', () => {
  for (const [format, input, message] of [
    ['qwen3-coder', { 'a>b': 1 }, 'input.a>b is an argument whose name can\'t be written: "a>b"'],
    ['qwen3-coder', { ' a': 1 }, 'input. a is an argument whose name can\'t be written: " a"'],
    ['gemma4', { a: ['x', '<|"|>'] }, 'input.a[1] has "<|\\"|>", where a reader would end it'],
    ['gemma4', { 'a:b': 1 }, 'input.a:b is an argument whose name can\'t be written: "a:b"'],
    ['functiongemma', { a: { b: '<escape>' } }, 'input.a has "<escape>", where a reader would end it'],
    ['minimax-m3', { 'a b': 1 }, 'input.a b is an argument whose name can\'t be written: "a b"'],
    ['lfm2', { 'a=b': 1 }, 'input.a=b is an argument whose name can\'t be written: "a=b"'],
  ]) {
    test(`${format}: ${JSON.stringify(input)}`, () => {
      assert.throws(() => writeCalls([paris, { toolName: 'f', input }], { format }), { name: 'TypeError', message: `writeCalls: "${format}" can't write calls[1] of "f": ${message}` })
    })
  }

  test('names', () => {
    for (const [format, toolName] of [['qwen3-coder', 'a>b'], ['qwen3-coder', ''], ['kimi-k2', 'a  b'], ['harmony', 'a<b'], ['lfm2', 'f('], ['morph-xml', 'a/'], ['deepseek-v3.2', 'a"b']]) {
      assert.throws(() => writeCalls([{ toolName, input: {} }], { format }), { name: 'TypeError', message: `writeCalls: "${format}" can't write calls[0] of ${JSON.stringify(toolName)}: toolName can't be written: ${JSON.stringify(toolName)}` })
    }
    assert.match(writeCalls([{ toolName: 'a "b"', input: {} }], { format: 'hermes' }), /"name": "a \\"b\\""/)
  })
})

describe('a text that would be read otherwise stands in CDATA', () => {
  const write = (a, format) => writeCalls([{ toolName: 'f', input: { a } }], { format })

  test('if it has a marker of the format', () => {
    assert.equal(write('x</parameter>\n<parameter=b>y', 'seed-oss'), '<seed:tool_call>\n<function=f>\n<parameter=a><![CDATA[x</parameter>\n<parameter=b>y]]></parameter>\n</function>\n</seed:tool_call>')
    for (const [format, a] of [['qwen3-coder', 'x<function=f>\n<parameter=a>y'], ['glm-4.5', '<tool_call>f\n<arg_key>'], ['hy-v3', 'x</arg_value:abc>\n</tool_call:abc>'], ['minimax-m3', ']<]minimax[>[x'], ['cline', 'x</a><b>']]) {
      assert.ok(write(a, format).includes(`<![CDATA[${a}]]>`), format)
    }
    assert.ok(write('</parameter></function>]]>', 'mimo').includes('<![CDATA[</parameter></function>]]]]><![CDATA[>]]>'))
  })

  test('or white space that would be taken for layout', () => {
    const format = defineFormat({ ...formats['qwen3-coder'], id: 'mine', write: { call: '<function={name}>{params}</function>', param: '<parameter={key}>{value}</parameter>' } })
    for (const a of ['\na', 'a\n', '\n']) assert.ok(write(a, format).includes(`<![CDATA[${a}]]>`))
    assert.equal(write('a\nb', format), '<function=f><parameter=a>a\nb</parameter></function>')
    for (const a of ['a\r', '\r']) assert.ok(write(a, 'qwen3-coder').includes(`<![CDATA[${a}]]>`))
    assert.ok(write('a\r\n', 'qwen3-coder').includes('a\r\n\n</parameter>'))
    assert.ok(write(' x', 'cline').includes('<![CDATA[ x]]>'))
  })

  test('but not a marker that a reader takes for text', () => {
    for (const a of ['</parameter>', 'a</parameter>b', '</function></tool_call>', 'x <parameter=b>', 'x<function=f>y', '<tool_call>']) {
      assert.ok(write(a, 'qwen3-coder').includes(`\n${a}\n`), a)
    }
  })

  test('in JSON `<` is escaped instead', () => {
    assert.ok(write(['</parameter></function>'], 'qwen3-coder').includes('["\\u003c/parameter>\\u003c/function>"]'))
  })

  test('and `&` and `>` where entities are read', () => {
    assert.ok(write(['&lt;'], 'minicpm5').includes("['\\x26lt;']"))
    assert.ok(write(['&lt;>'], 'k-exaone').includes('["\\u0026lt;\\u003e"]'))
    assert.ok(write(['&lt;'], 'qwen3-coder').includes('["&lt;"]'))
  })
})

describe('what is written is read back', () => {
  const tools = [
    {
      name: 'get',
      parameters: {
        type: 'object',
        properties: { s: { type: 'string' }, t: { type: 'string' }, n: { type: 'integer' }, b: { type: 'boolean' }, o: { type: 'object', properties: { k: { type: 'array', items: { type: 'string' } } } } },
      },
    },
    { name: 'now', parameters: { type: 'object', properties: {} } },
  ]
  const calls = [{ toolName: 'get', input: { s: 'x', n: 1, b: true, o: { k: ['a', 'b c'] } } }, { toolName: 'now', input: {} }, { toolName: 'get', input: { s: 'y' } }]

  /** The calls of a text, by the plain reader of rows. */
  const read = (row, text) => {
    const reply = readReply(text, { row, tools, prefill: '' })
    return { calls: reply.calls.map(({ name, arguments: input }) => ({ toolName: name, input })), text: reply.text.trim() }
  }

  for (const row of written) {
    const { id } = row
    test(id, () => {
      if (id in UNREADABLE) assert.notDeepEqual(read(row, writeCalls(calls, { format: id })), { calls, text: '' }, `${id} can be read by now`)
      else assert.deepEqual(read(row, writeCalls(calls, { format: id })), { calls, text: '' })
    })
  }

  test('also with text and reasoning before them', () => {
    for (const row of written) {
      const { id, write } = row
      // In ReAct nothing ends a thought but the call.
      if (id in UNREADABLE || id === 'react' || row.call.bare === 'start' || write.reasoning === undefined || (row.messages !== undefined && write.text === undefined)) continue
      const reply = readReply(writeCalls(calls, { format: id, text: 'TEXT', reasoning: 'REASON' }), { row, tools, prefill: '' })
      assert.deepEqual([id, reply.calls.length, reply.text.trim(), reply.reasoning.trim()], [id, 3, 'TEXT', 'REASON'])
    }
  })

  test('whatever strings are in them, or it is refused', () => {
    const markers = [...new Set(written.flatMap(({ call, params, section, write }) => [...(call.open ?? []), ...(call.close ?? []), ...(params?.open ?? []), ...(params?.close ?? []), ...(section?.open ?? []), ...(section?.close ?? []), call.quote ?? '', write.param ?? '']))].filter((marker) => marker !== '')
    const string = fc.array(fc.oneof(fc.constantFrom(...markers), fc.constantFrom(' ', '\n', '\r\n', '"', "'", '\\', '&lt;', '&', '<', ']]>', '<![CDATA[', '</s>', '<t>', '{', '}', ': ', '- ', '#', 'null', '42', '[1]', '💩'), fc.string({ maxLength: 5 })), { maxLength: 5 }).map((parts) => parts.join(''))
    const kept = new Map()
    fc.assert(
      fc.property(fc.constantFrom(...written.map(({ id }) => id).filter((id) => !(id in UNREADABLE))), string, string, (id, s, t) => {
        const row = formats[id]
        const calls = [{ toolName: 'get', input: { s, t, n: 1 } }]
        let text
        try {
          text = writeCalls(calls, { format: row.id })
        } catch (error) {
          if (error instanceof TypeError && /input\.[st] /.test(error.message)) return
          throw error
        }
        kept.set(row.id, (kept.get(row.id) ?? 0) + 1)
        assert.deepEqual(read(row, text), { calls, text: '' })
      }),
      { numRuns: Number(process.env['RUNS'] ?? 4_000) },
    )
    // It doesn't refuse everything.
    for (const { id } of written) if (!(id in UNREADABLE) && thinness === 1) assert.ok(kept.get(id) > 3, id)
    assert.ok(kept.size > 40)
  })
})

describe('samples', () => {
  /** Rows whose sample is written otherwise than `writeCalls` does, with the reason. */
  const OTHERWISE = {
    apriel: 'the writer adds the id of the call',
    'apriel-1.5': 'the same',
    'apriel-1.6': 'the same',
    'cohere-rplus': "the template breaks lines, the model doesn't",
    harmony: 'the recipient stands in the role, as the template has it',
    internlm2: "the template's key is `arguments`",
    'llama4-pythonic': 'double quotes',
    olmo3: 'two calls',
    pythonic: 'two calls',
    react: 'an argument that is a text',
    sarashina: 'Python, which is read too',
    'yaml-xml': 'two arguments',
  }

  for (const { id, sample = '' } of written) {
    test(id, () => {
      const toolCallId = /abcdefghi|call_1|(?<=")0(?=")/.exec(sample)?.[0]
      const toolName = /read_file|search/.exec(sample)?.[0] ?? 'get_weather'
      const texts = ['location', 'city', 'path'].map((key) => writeCalls([{ toolName, input: { [key]: sample.includes('Paris') ? 'Paris' : 'src/main.ts' }, ...(toolCallId === undefined ? {} : { toolCallId }) }], { format: id }))
      const isWritten = texts.some((text) => sample.includes(text))
      assert.equal(isWritten, !(id in OTHERWISE), `${JSON.stringify(sample)} is not ${JSON.stringify(texts[0])}`)
    })
  }
})

describe('writeResults', () => {
  test('writes texts as they are, and values as JSON', () => {
    const results = [{ toolName: 'a', result: 'RESULT1' }, { toolName: 'b', output: { type: 'json', value: { t: 20 } } }]
    assert.equal(writeResults(results, { format: 'hermes' }), '<tool_response>\nRESULT1\n</tool_response>\n<tool_response>\n{"t": 20}\n</tool_response>')
    assert.equal(writeResults(results, { format: 'deepseek-v3.2' }), '\n\n<function_results>\n<result>RESULT1</result>\n<result>{"t": 20}</result>\n</function_results>\n\n')
    assert.equal(writeResults(results, { format: 'harmony' }), '<|start|>functions.a to=assistant<|channel|>commentary<|message|>"RESULT1"<|end|><|start|>functions.b to=assistant<|channel|>commentary<|message|>"{\\"t\\": 20}"<|end|>')
    assert.equal(writeResults([{ toolName: 'a', output: { type: 'error-text', value: 'no' } }], { format: 'apertus' }), '[{"error": "no"}]')
    assert.equal(writeResults([{ toolName: 'a' }], { format: 'apertus' }), '[null]')
    assert.equal(writeResults([], { format: 'apertus' }), '')
  })

  test('takes braces of a result as text', () => {
    assert.match(writeResults([{ toolName: 'a', result: '{name} {result}' }], { format: 'hermes' }), /\n\{name\} \{result\}\n/)
  })

  test('needs names', () => {
    assert.throws(() => writeResults([{ result: 1 }], { format: 'hermes' }), { name: 'TypeError', message: 'writeResults: "hermes" needs results[0].toolName as a string, but it is undefined' })
    assert.throws(() => writeResults([null], { format: 'hermes' }), TypeError)
    assert.throws(() => writeResults({}, { format: 'hermes' }), { message: 'writeResults takes a list of results, but got an object of Object' })
  })
})

describe('describeTools', () => {
  const tools = [{ name: 'a', inputSchema: { type: 'object', properties: {} } }, { name: 'b', description: 'B', inputExamples: [{ input: { c: 1 } }] }]
  const lines = '{"type": "function", "function": {"name": "a", "parameters": {"type": "object", "properties": {}}}}\n{"type": "function", "function": {"name": "b", "description": "B", "parameters": {"type": "object"}, "input_examples": [{"c": 1}]}}'

  test('writes a line each, or a list', () => {
    assert.equal(describeTools(tools, { format: 'hermes' }), lines)
    assert.equal(describeTools(tools, { format: 'kimi-k2' }), `[${lines.replace('\n', ', ')}]`)
    assert.equal(describeTools([], { format: 'hermes' }), '')
  })

  test('needs names', () => {
    assert.throws(() => describeTools([{}], { format: 'hermes' }), { name: 'TypeError', message: 'describeTools: tools[0] must have a name that is a string, but it is undefined' })
    assert.throws(() => describeTools('a', { format: 'hermes' }), { message: 'describeTools: tools must be an array of tools or an object of them by name, but is string "a"' })
  })
})

test('options are checked', () => {
  for (const [name, act] of Object.entries({ writeCalls, writeResults, describeTools })) {
    assert.throws(() => act([], undefined), TypeError)
    assert.throws(() => act([], { format: 'nothing' }), { name: 'TypeError', message: new RegExp(`^${name}: there is no format "nothing"`) })
    assert.throws(() => act([], { format: 'hermes', protocol: 1 }), { name: 'TypeError', message: new RegExp(`^${name} has no option "protocol"`) })
    assert.throws(() => act([], { format: { id: 'a', call: 5 } }), { name: 'TypeError', message: `${name}: call must be an object, but is number 5` })
  }
  assert.throws(() => writeCalls([], { format: 'hermes', firstIndex: -1 }), { message: 'writeCalls: firstIndex must be a whole number from 0, but is number -1' })
  assert.throws(() => writeCalls([], { format: 'hermes', text: 5 }), { message: 'writeCalls: text must be a string, but is number 5' })
  assert.throws(() => writeCalls([paris], { format: defineFormat({ id: 'mine', reasoning: { open: ['<t>'], close: ['</t>'] } }) }), { message: 'writeCalls: the format "mine" says nothing about how calls are written (write.call)' })
})
