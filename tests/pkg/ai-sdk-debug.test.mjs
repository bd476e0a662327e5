// Debugging of the tool-call middleware: levels and styles, what is printed, and the summary.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createToolMiddleware, getDebugLevel, hermesProtocol, wrapGenerate, wrapStream } from 'tokenweir/ai-sdk'
import { logParsedChunk, logParsedSummary, logRawChunk } from 'tokenweir/ai-sdk-tool-parser'
import { all, answering, majors, pieces } from './support/ai-sdk.mjs'

const VARIABLES = ['DEBUG_PARSER_MW', 'DEBUG_PARSER_MW_STYLE', 'NO_COLOR']
const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]))

beforeEach(() => {
  for (const name of VARIABLES) delete process.env[name]
})
afterEach(() => {
  for (const name of VARIABLES) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
})

/** All that is printed by `act`, and what is said on the console meanwhile. */
function printed(t, act) {
  const lines = []
  const warn = t.mock.method(console, 'warn', () => {})
  const error = t.mock.method(console, 'error', () => {})
  act((...data) => lines.push(data.join(' ')))
  const said = { lines, warnings: warn.mock.calls.map(({ arguments: [text] }) => text), errors: error.mock.calls.map(({ arguments: [text] }) => text) }
  warn.mock.restore()
  error.mock.restore()
  return said
}

describe('level', () => {
  for (const [value, level, count = 0] of [
    ['off', 'off'], ['stream', 'stream'], ['parse', 'parse'], ['PARSE', 'parse'], ['Stream', 'stream'], [' parse ', 'parse'],
    ['1', 'stream'], ['true', 'stream'], ['yes', 'stream'], ['0', 'off'], ['false', 'off'], ['no', 'off'], ['', 'off'], [undefined, 'off'],
    // An unknown word is off, and is complained of once; names that every object has are unknown words.
    ['everything', 'off', 1], ['constructor', 'off', 1],
  ]) {
    test(`DEBUG_PARSER_MW=${value}`, (t) => {
      if (value !== undefined) process.env.DEBUG_PARSER_MW = value
      const { warnings } = printed(t, () => assert.deepEqual([getDebugLevel(), getDebugLevel()], [level, level]))
      assert.deepEqual(warnings, Array(count).fill(`tokenweir: DEBUG_PARSER_MW must be off, stream or parse, but is string "${value}"; it is taken for off`))
    })
  }

  test('an option wins over the variable', () => {
    process.env.DEBUG_PARSER_MW = 'parse'
    assert.equal(getDebugLevel({ level: 'off' }), 'off')
    assert.equal(getDebugLevel({ style: 'bold' }), 'parse')
  })

  test('options that do not exist are refused', () => {
    assert.throws(() => getDebugLevel({ level: 'all' }), new TypeError('getDebugLevel: debug.level must be off, stream or parse, but is string "all"'))
    assert.throws(() => getDebugLevel({ style: 'red' }), new TypeError('getDebugLevel: debug.style must be bg, inverse, underline or bold, but is string "red"'))
    assert.throws(() => getDebugLevel({ levels: 'off' }), /has no option "levels"/)
    assert.throws(() => logRawChunk({}, { log: 'console' }), new TypeError('logRawChunk: debug.log must be a function, but is string "console"'))
    assert.throws(() => getDebugLevel('parse'), /takes an options object/)
  })

  test('without an environment an option turns it on', () => {
    const program = `
      import { getDebugLevel } from 'tokenweir/ai-sdk'
      const { log } = console
      globalThis.process = undefined
      log(getDebugLevel(), getDebugLevel({ level: 'parse' }))
      globalThis.process = { get env() { throw new Error('not allowed') } }
      log(getDebugLevel())`
    const folder = fileURLToPath(new URL('.', import.meta.url))
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8', env: { DEBUG_PARSER_MW: 'stream' } })
    assert.equal(stdout, 'off parse\noff\n', stderr)
  })
})

describe('what is printed', () => {
  test('a part, labelled and coloured', (t) => {
    const { lines } = printed(t, (log) => {
      logRawChunk({ type: 'text-delta', id: '0', delta: 'a\nb' }, { log })
      logParsedChunk('plain', { log })
    })
    assert.equal(lines.length, 2)
    assert.equal(
      lines[0].replace(/\u001b\[\d+m/g, ''),
      '[debug:mw:raw]\n{\n  "type": "text-delta",\n  "id": "0",\n  "delta": "a\\nb"\n}',
    )
    assert.equal(lines[1], '\u001b[90m[debug:mw:out]\u001b[0m\n\u001b[36mplain\u001b[0m')
  })

  test('goes to console.log', (t) => {
    const log = t.mock.method(console, 'log', () => {})
    logRawChunk('hello')
    assert.deepEqual(log.mock.calls.map(({ arguments: data }) => data), [['\u001b[90m[debug:mw:raw]\u001b[0m\n\u001b[33mhello\u001b[0m']])
  })

  test('values that JSON cannot represent are printed all the same', (t) => {
    const circle = { type: 'circle' }
    circle.self = circle
    const { lines } = printed(t, (log) => {
      for (const part of [circle, [circle].concat([[circle]]), undefined, null, 12n, { n: 12n }, { type: 'error', error: new RangeError('far') }, { data: new Uint8Array(9) }, () => 1]) {
        logRawChunk(part, { log })
      }
    })
    assert.equal(lines.length, 9)
    const text = lines.join('\n')
    for (const piece of ['[a part of type circle that isn\'t JSON]', '[a value that isn\'t JSON]', 'undefined', 'null', '"n": "12"', '"name": "RangeError"', '"message": "far"', '[9 bytes]']) {
      assert.ok(text.includes(piece), piece)
    }
  })

  test('no colours with NO_COLOR, but with an empty one', (t) => {
    const summary = { toolCalls: [{ toolName: 'a', input: '{}' }], originalText: 'x <a/> y', segments: ['<a/>'] }
    process.env.NO_COLOR = '1'
    const { lines } = printed(t, (log) => logParsedSummary(summary, { log }))
    assert.deepEqual(lines, ['[debug:mw:origin]\nx <a/> y', '[debug:mw:summary]\n[\n  {\n    "toolName": "a",\n    "input": "{}"\n  }\n]'])
    process.env.NO_COLOR = ''
    assert.match(printed(t, (log) => logParsedSummary(summary, { log })).lines[0], /\u001b\[/)
  })

  test('a model cannot steer the terminal', (t) => {
    process.env.NO_COLOR = '1'
    const text = 'a\u001b[2Jb\u0007\u009b1m\r\tc\nd'
    const { lines } = printed(t, (log) => {
      logRawChunk({ type: 'text-delta', delta: text }, { log })
      logRawChunk(text, { log })
      logParsedSummary({ toolCalls: [], originalText: text, segments: ['b\u0007'] }, { log })
    })
    for (const line of lines) assert.doesNotMatch(line, /[\0-\x08\x0b-\x1f\x7f-\x9f]/)
    assert.equal(lines[2], '[debug:mw:origin]\na\\u001b[2Jb\\u0007\\u009b1m\\r\tc\nd')
  })
})

describe('marked segments', () => {
  /** The text with what is marked between `«` and `»`. */
  function marks(t, originalText, segments) {
    const { lines } = printed(t, (log) => logParsedSummary({ toolCalls: [], originalText, segments }, { log }))
    return lines[0].slice(lines[0].indexOf('\n') + 1).replace(/\u001b\[(?!0m)[\d;]+m/g, '«').replaceAll('\u001b[0m', '»')
  }

  const long = `<a>${'y'.repeat(300_000)}</a>`
  for (const [what, text, segments, marked] of [
    ['each once, in order', 'a <x/> b <x/> c <x/>', ['<x/>', '<x/>'], 'a «<x/>» b «<x/>» c <x/>'],
    ['one inside of another, and one beside', '1 <a><b/></a> 2 <b/> 3', ['<a><b/></a>', '<b/>'], '1 «<a><b/></a>» 2 «<b/>» 3'],
    ['one inside of another', '1 <a><b/></a> 2', ['<a><b/></a>', '<b/>'], '1 «<a><b/></a>» 2'],
    ['the inner one first', '1 <a><b/></a> 2', ['<b/>', '<a><b/></a>'], '1 «<a><b/></a>» 2'],
    ['one before another that has it', '1 <b/> <a><b/></a> 2', ['<b/>', '<a><b/></a>'], '1 «<b/>» «<a><b/></a>» 2'],
    ['neighbours are one', 'xabcdx', ['ab', 'cd'], 'x«abcd»x'],
    ['those that overlap are one', 'xabcdx', ['abc', 'bcd'], 'x«abcd»x'],
    ['long ones', `1${long}2<b/>3${long}4`, [long, '<b/>', long], `1«${long}»2«<b/>»3«${long}»4`],
    ['out of order, missing and empty ones', '<a/> <b/> <c/>', ['<b/>', '', '<none/>', '<a/>', '<c/>'], '«<a/>» «<b/>» «<c/>»'],
    ['without segments all of it', 'a b', undefined, '«a b»'],
    ['without any, nothing', 'a b', [], 'a b'],
    ['each line alone', 'a\n<x>\n\n</x>\nb', ['<x>\n\n</x>'], 'a\n«<x>»\n\n«</x>»\nb'],
    ['what would be read as a pattern', 'a $& (b) [c] $1', ['$& (b) [c]'], 'a «$& (b) [c]» $1'],
  ]) test(what, (t) => assert.equal(marks(t, text, segments), marked))

  for (const [style, code] of [['bg', '42;30'], ['inverse', '7'], ['underline', '4'], ['bold', '1']]) {
    test(`style ${style}`, (t) => {
      process.env.DEBUG_PARSER_MW_STYLE = style.toUpperCase()
      const summary = { toolCalls: [], originalText: 'a', segments: ['a'] }
      const wanted = `\u001b[90m[debug:mw:origin]\u001b[0m\n\u001b[${code}ma\u001b[0m`
      assert.equal(printed(t, (log) => logParsedSummary(summary, { log })).lines[0], wanted)
      process.env.DEBUG_PARSER_MW_STYLE = style === 'bg' ? 'bold' : 'bg'
      assert.equal(printed(t, (log) => logParsedSummary(summary, { log, style })).lines[0], wanted)
    })
  }
  test('an unknown style is bg, and is complained of once', (t) => {
    process.env.DEBUG_PARSER_MW_STYLE = 'blink'
    const { lines, warnings } = printed(t, (log) => {
      for (let i = 0; i < 2; i++) logParsedSummary({ toolCalls: [], originalText: 'a', segments: ['a'] }, { log })
    })
    assert.match(lines[0], /\u001b\[42;30ma/)
    assert.deepEqual(warnings, ['tokenweir: DEBUG_PARSER_MW_STYLE must be bg, inverse, underline or bold, but is string "blink"; it is taken for bg'])
  })
})

describe('an answer', () => {
  const TOOLS = [tool('a', { x: { type: 'number' } }), tool('b', {})]
  const ANSWER = 'Hi <tool_call>{"name":"a","arguments":{"x":"1"}}</tool_call>\n<tool_call>{"name":"b"}</tool_call> bye'
  const SEGMENTS = ['<tool_call>{"name":"a","arguments":{"x":"1"}}</tool_call>', '<tool_call>{"name":"b"}</tool_call>']
  const CALLS = [{ toolName: 'a', input: '{"x":1}' }, { toolName: 'b', input: '{}' }]
  const SUMMARY = { originalText: SEGMENTS.join('\n\n'), toolCalls: JSON.stringify(CALLS) }
  const RAW = [
    { type: 'text-start', id: '0' },
    ...pieces(ANSWER, 7).map((delta) => ({ type: 'text-delta', id: '0', delta })),
    { type: 'reasoning-delta', id: '1', delta: SEGMENTS[0] },
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: 'stop', usage: {} },
  ]

  function tool(name, properties) {
    return { type: 'function', name, inputSchema: { type: 'object', properties } }
  }

  function request(debugSummary) {
    return { prompt: [], tools: TOOLS, providerOptions: { toolCallMiddleware: { debugSummary } } }
  }

  /** What the stream becomes, and what is printed. */
  async function streamed(t, { debug = {}, protocol = hermesProtocol(), params = request(), parts = RAW } = {}) {
    const lines = []
    const error = t.mock.method(console, 'error', () => {})
    const { stream } = await wrapStream({
      protocol,
      params,
      debug: { log: (...data) => lines.push(data.join(' ')), ...debug },
      doStream: async () => ({ stream: ReadableStream.from(parts) }),
      doGenerate: () => assert.fail('nothing is generated'),
    })
    const emitted = await all(stream)
    const errors = error.mock.calls.map(({ arguments: [text] }) => text)
    error.mock.restore()
    return { emitted, lines, errors }
  }

  /** The same of a whole answer. */
  async function generated({ debug = {}, params = request() } = {}) {
    const content = [{ type: 'text', text: ANSWER }, { type: 'reasoning', text: SEGMENTS[0] }]
    const lines = []
    await wrapGenerate({
      protocol: hermesProtocol(),
      params,
      debug: { log: (...data) => lines.push(data.join(' ')), ...debug },
      doGenerate: async () => ({ content, finishReason: 'stop', usage: {} }),
    })
    return { lines }
  }

  /** A protocol whose segments are what `extractToolCallSegments` says. */
  function withSegments(extractToolCallSegments) {
    const hermes = hermesProtocol()
    return {
      formatTools: () => '',
      formatToolCall: () => '',
      formatToolResponse: () => '',
      parseGeneratedText: (arg) => hermes.parseGeneratedText(arg),
      createStreamParser: (arg) => hermes.createStreamParser(arg),
      ...(extractToolCallSegments === undefined ? {} : { extractToolCallSegments }),
    }
  }

  test('off: nothing is printed, and no protocol is asked for segments', async (t) => {
    const { lines, emitted } = await streamed(t, { protocol: withSegments(() => assert.fail('asked')) })
    assert.deepEqual(lines, [])
    assert.equal(emitted.filter(({ type }) => type === 'tool-call').length, 2)
    assert.deepEqual((await generated()).lines, [])
  })

  test('stream: each part, and no summary', async (t) => {
    const { lines, emitted, errors } = await streamed(t, { debug: { level: 'stream' }, protocol: withSegments(() => assert.fail('asked')) })
    assert.deepEqual(errors, [])
    assert.equal(lines.filter((line) => line.includes('[debug:mw:raw]')).length, RAW.length)
    assert.equal(lines.filter((line) => line.includes('[debug:mw:out]')).length, emitted.length)
    assert.equal(lines.length, RAW.length + emitted.length)
  })

  test('the variable does it too', async (t) => {
    process.env.DEBUG_PARSER_MW = 'Stream'
    assert.ok((await streamed(t)).lines.length > RAW.length)
    assert.deepEqual((await streamed(t, { debug: { level: 'off' } })).lines, [])
  })

  test('parse: each part, and the summary once, at the end', async (t) => {
    process.env.NO_COLOR = '1'
    const asked = []
    const protocol = withSegments((arg) => {
      asked.push([arg.text, arg.tools.map(({ name }) => name)])
      return SEGMENTS
    })
    const { lines, emitted } = await streamed(t, { debug: { level: 'parse' }, protocol })
    assert.equal(lines.length, RAW.length + emitted.length + 2)
    assert.deepEqual(asked, [[ANSWER, ['a', 'b']]])
    assert.deepEqual(lines.slice(-2), [`[debug:mw:origin]\n${ANSWER}`, `[debug:mw:summary]\n${JSON.stringify(CALLS, null, 2)}`])
  })

  test('parse: the segments of the protocol are marked', async (t) => {
    const { lines } = await streamed(t, { debug: { level: 'parse', style: 'bold' } })
    const marked = `Hi \u001b[1m${SEGMENTS[0]}\u001b[0m\n\u001b[1m${SEGMENTS[1]}\u001b[0m bye`
    assert.equal(lines.at(-2), `\u001b[90m[debug:mw:origin]\u001b[0m\n${marked}`)
    assert.equal((await generated({ debug: { level: 'parse', style: 'bold' } })).lines.at(-2), lines.at(-2))
  })

  test('a whole answer: its parts, and the same summary', async (t) => {
    process.env.NO_COLOR = '1'
    const { lines } = await generated({ debug: { level: 'parse' } })
    assert.equal(lines.filter((line) => line.includes('[debug:mw:raw]')).length, 2)
    assert.equal(lines.filter((line) => line.includes('[debug:mw:out]')).length, 6)
    assert.deepEqual(lines.slice(-2), (await streamed(t, { debug: { level: 'parse' } })).lines.slice(-2))
  })

  test('a summary is filled at any level, in streams and whole answers, and nothing more is printed for it', async (t) => {
    for (const level of ['off', 'stream', 'parse']) {
      const inStream = {}
      const { lines } = await streamed(t, { debug: { level }, params: request(inStream) })
      assert.deepEqual(inStream, SUMMARY, level)
      assert.equal(lines.length > 0, level !== 'off')
      const inWhole = {}
      await generated({ debug: { level }, params: request(inWhole) })
      assert.deepEqual(inWhole, SUMMARY, level)
    }
  })

  const throwing = () => {
    throw new Error('no segments')
  }
  for (const [what, arg, expected, errors = 0] of [
    ['a stream without finish', { parts: RAW.slice(0, -1) }, SUMMARY],
    ['all text, of a protocol without segments', { protocol: withSegments(undefined) }, { ...SUMMARY, originalText: ANSWER }],
    ['all text, of a protocol that throws', { protocol: withSegments(throwing) }, { ...SUMMARY, originalText: ANSWER }, 1],
    ['an answer without calls', { parts: [{ type: 'text-delta', id: '0', delta: 'hi' }] }, { originalText: '', toolCalls: '[]' }],
  ]) {
    test(`a summary of ${what}`, async (t) => {
      const summary = {}
      const { errors: said, lines } = await streamed(t, { debug: { level: 'parse' }, params: request(summary), ...arg })
      assert.deepEqual(summary, expected)
      assert.equal(said.length, errors)
      assert.equal(lines.filter((line) => line.includes('[debug:mw:summary]')).length, 1)
    })
  }

  test('anything but a summary object is not filled', async (t) => {
    for (const summary of [null, 'text', 5, []]) {
      const { errors } = await streamed(t, { params: request(summary), protocol: withSegments(() => assert.fail('asked')) })
      assert.deepEqual(errors, [])
    }
  })

  test('nothing that throws gets out, and it is said once', async (t) => {
    const log = () => {
      throw new Error('disk full')
    }
    const { emitted, errors } = await streamed(t, { debug: { level: 'parse', log }, protocol: withSegments(throwing), params: request(Object.freeze({})) })
    assert.equal(emitted.filter(({ type }) => type === 'tool-call').length, 2)
    assert.deepEqual(errors, ['tokenweir: debugging a tool-call parser failed; the answer itself is not affected'])
  })
})

for (const major of majors) {
  const { name, ai } = major
  describe(name, () => {
    const answer = 'Hi <tool_call>{"name":"add","arguments":{"a":"1"}}</tool_call>'
    const summary = { originalText: '<tool_call>{"name":"add","arguments":{"a":"1"}}</tool_call>', toolCalls: '[{"toolName":"add","input":"{\\"a\\":1}"}]' }
    const tools = { add: ai.tool({ inputSchema: ai.jsonSchema({ type: 'object', properties: { a: { type: 'number' } } }) }) }
    const middleware = (debug) => createToolMiddleware({ protocol: hermesProtocol(), toolSystemPromptTemplate: (text) => text, debug })

    async function run(text, { debug, toolChoice = 'auto' } = {}) {
      const [inStream, inWhole] = [{}, {}]
      const settings = (answers, debugSummary) => ({
        model: ai.wrapLanguageModel({ model: answering(major, answers), middleware: middleware(debug) }),
        tools,
        toolChoice,
        prompt: 'x',
        providerOptions: { toolCallMiddleware: { debugSummary } },
      })
      await ai.streamText(settings([text], inStream)).consumeStream()
      await ai.generateText(settings([text], inWhole))
      return [inStream, inWhole]
    }

    test('the summary is filled by streamText and generateText', async () => assert.deepEqual(await run(answer), [summary, summary]))

    test('the option prints', async () => {
      const lines = []
      await run(answer, { debug: { level: 'parse', log: (line) => lines.push(line) } })
      assert.equal(lines.filter((line) => line.includes('[debug:mw:summary]')).length, 2)
      assert.ok(lines.some((line) => line.includes('\u001b[42;30m<tool_call>')))
    })

    test('with a tool choice', async () => {
      const text = '{"name":"add","arguments":{"a":"1"}}'
      const wanted = { ...summary, originalText: text }
      assert.deepEqual(await run(text, { toolChoice: 'required' }), [wanted, wanted])
    })
  })
}

test('createToolMiddleware refuses invalid debugging options', () => {
  const make = (debug) => () => createToolMiddleware({ protocol: hermesProtocol(), toolSystemPromptTemplate: (text) => text, debug })
  assert.throws(make({ level: 'all' }), new TypeError('createToolMiddleware: debug.level must be off, stream or parse, but is string "all"'))
  assert.throws(make({ colour: 'red' }), /createToolMiddleware: debug has no option "colour"/)
})
