// `npx tokenweir`: each command on raw text, in JSON, lines and colours; what
// is cut and pending, and when it comes. Recordings and bad input have separate files.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BlockParser, visibleText } from 'tokenweir/blocks'
import { StreamingJSONParser } from 'tokenweir/fields'
import { formats } from 'tokenweir/formats'
import { gbnfFor, larkFor, structuralTagFor } from 'tokenweir/grammar'
import { readReply } from 'tokenweir'
import { StreamingResponseHandler } from 'tokenweir/segments'
import { ToolCallParser, hermesProtocol, morphXmlProtocol } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { clean, json, program, run, start, until } from './support/command-line.mjs'
import { pieces } from './support/cuts.mjs'
import { all } from './support/sources.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tokenweir-cli-'))
after(() => rmSync(folder, { recursive: true }))

/** A file for an option. */
function file(name, content) {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const BLOCKS = 'Let me look. <thinking>Hm 😀</thinking><function_calls><invoke name="search"><parameter name="query">weather</parameter><parameter name="days">3</parameter></invoke></function_calls> Sunny, 3 < 4. <function_calls><invoke name="cut"><parameter name="a">1'
const SEGMENTS = 'Hi <write_file path="/a.py">x = "<b>"\n</write_file>, then <run_bash>ls</run_bash><tool name="read"><arguments><arg name="p">1</arg></arguments></tool> bye <run_bash>rm -r'
const FIELDS = 'Sure:\n```json\n{"title": "Two days in Pörto", "stops": [{"place": "Foz", "hours": 2}, {}], note: \'x\', "ok": true}\n```'
const HERMES = 'Look. <tool_call>{"name": "get_weather", "arguments": {"city": "Seoul", "days": "3",}}</tool_call> Then <tool_call>{"name": "get'
const KIMI = 'Look. <|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|><|tool_calls_section_end|> bye'
const MORPH = 'Look. <get_weather><city>Seoul</city><days>3</days></get_weather> Use <get_weather> so.'
const TOOLS = [{ name: 'get_weather', inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } } }]

function counter() {
  const counts = {}
  return (kind = 'call') => `${kind}_${(counts[kind] = (counts[kind] ?? 0) + 1)}`
}

// The package's events for chunks, in the order of their emission.
const ORACLES = {
  blocks(chunks, options) {
    const makeId = counter()
    if (options?.format !== undefined || options?.model !== undefined) return all(readReply(chunks, { generateId: () => makeId(), ...options }))
    const parser = new BlockParser({ generateId: () => makeId(), ...options })
    return [...chunks.flatMap((chunk) => parser.processChunk(chunk).emissions), ...parser.flush().emissions]
  },
  segments(chunks, { schemas, ...config } = {}) {
    const emitted = []
    const handler = new StreamingResponseHandler({
      onSegmentEvent: (event) => emitted.push(event),
      onToolInvocation: (invocation) => emitted.push({ type: 'TOOL_INVOCATION', invocation }),
      onError: (error) => emitted.push({ type: 'ERROR', error }),
      config,
      schemas,
    })
    for (const chunk of chunks) handler.feed(chunk)
    handler.finalize()
    return emitted
  },
  fields(chunks, { schema, ...options } = {}) {
    const parser = new StreamingJSONParser(schema, options)
    // The live tree is written as it is at that moment.
    const written = (events) => events.map((event) => JSON.parse(JSON.stringify(event)))
    return [...chunks.flatMap((chunk) => written(parser.parseChunk(chunk))), ...written(parser.finalize())]
  },
  'tool-calls'(chunks, { protocol = hermesProtocol(), format, tools = [], ...given } = {}) {
    const emitted = []
    let pending = []
    const options = {
      generateId: counter(),
      onError: (message, metadata) => pending.push({ type: 'error', message, metadata }),
      onRepair: (repairs, call) => pending.push({ type: 'repair', repairs, ...call }),
      ...given,
    }
    const parser = new ToolCallParser(format === undefined ? { protocol, tools, options } : { format, tools, ...options })
    // A repair goes before its call, an error after the parts of its piece.
    const take = (parts) => {
      for (const part of parts) {
        if (part.type === 'tool-call') emitted.push(...pending.filter(({ toolCallId }) => toolCallId === part.toolCallId))
        emitted.push(part)
      }
      emitted.push(...pending.filter(({ type }) => type === 'error'))
      pending = []
    }
    for (const chunk of chunks) take(parser.text(chunk))
    take(parser.finish())
    return emitted
  },
  visible: async (chunks, options) => (await all(visibleText(chunks, options))).map((text) => ({ text })),
}

/** Options on the command line, and the same for the package. */
const CASES = [
  ['blocks', [], BLOCKS],
  ['blocks', ['--spans'], BLOCKS, { spans: true }],
  ['blocks', ['--tags', 'think=thinking,thinking=false', '--tags', 'r=function_results'], 'a <think>b</think><thinking>c</thinking>', { tags: { think: 'thinking', thinking: false, r: 'function_results' } }],
  ['blocks', ['--tools', file('search.json', [{ name: 'search', input_schema: { properties: { days: { type: 'string' } } } }])], BLOCKS, { tools: { search: { properties: { days: { type: 'string' } } } } }],
  ['blocks', ['--fences', 'text'], 'a `<thinking>b</thinking>` <thinking>c', { fences: 'text' }],
  ['segments', [], SEGMENTS],
  ['segments', ['--spans', '--accept-unterminated'], SEGMENTS, { spans: true, acceptUnterminated: true }],
  ['segments', ['--strategy', 'json', '--profile', 'gemini'], 'a {"name": "add", "args": {"a": 1}} b', { strategy: 'json', jsonProfile: 'gemini' }],
  ['segments', ['--strategy', 'sentinel'], 'a [[SEG_START {"type": "run_bash"}]]ls[[SEG_END]] b', { strategy: 'sentinel' }],
  ['segments', ['--fences', 'text'], 'a `<run_bash>ls</run_bash>` b', { fences: 'text' }],
  ['segments', ['--tools', file('read.json', { tools: [{ type: 'function', function: { name: 'read', parameters: { properties: { p: { type: 'integer' } } } } }] })], SEGMENTS, { schemas: { read: { properties: { p: { type: 'integer' } } } } }],
  ['fields', ['--full'], FIELDS],
  ['fields', ['--full', '--spans', '--path-style', 'slash'], FIELDS, { spans: true, pathStyle: 'slash' }],
  ['fields', ['--full', '--strict'], FIELDS, { strict: true }],
  ['fields', ['--full', '--multiple'], '{"a": 1} {"b": 2}', { multiple: true }],
  ['fields', ['--full', '--schema', file('schema.json', { b: 'int', c: 'str' })], '{"a": 1} {"b": 2, "c": "x"}', { schema: { b: 'int', c: 'str' } }],
  ['fields', ['--full', '--completion', 'order', '--schema', file('plan.json', { title: 'str', stops: [{ place: 'str' }] })], FIELDS, { completion: 'order', schema: { title: 'str', stops: [{ place: 'str' }] } }],
  ['tool-calls', [], HERMES],
  ['tool-calls', ['--tools', file('tools.json', TOOLS)], HERMES, { tools: TOOLS }],
  ['tool-calls', ['--protocol', 'morph-xml', '--tools', file('tools.json', TOOLS)], MORPH, { protocol: morphXmlProtocol(), tools: TOOLS }],
  ['tool-calls', ['--format', 'kimi-k2'], KIMI, { format: 'kimi-k2' }],
  ['tool-calls', ['--format', 'qwq', '--prefill', '<think>\n'], 'Hm.</think>Yes.', { format: 'qwq', prefill: '<think>\n' }],
  ['tool-calls', ['--format', 'yaml-xml', '--tools', file('tools.json', TOOLS)], '<add>\na: 1\n</add>', { format: withYaml(formats['yaml-xml']), tools: TOOLS }],
  ['tool-calls', ['--on-malformed', 'drop'], HERMES, { onMalformed: 'drop' }],
  ['tool-calls', ['--unknown-tools', 'text', '--tools', file('other.json', ['add'])], HERMES, { unknownTools: 'text', tools: [{ name: 'add' }] }],
  ['visible', [], BLOCKS],
  ['visible', ['--start-with-thinking'], 'Hm.</think>Yes.', { startWithThinking: true }],
  ['blocks', ['--start-with-thinking'], 'Hm.</think>Yes.', { startWithThinking: true }],
  ['fields', ['--full', '--start-with-thinking'], '{"a": 1}</think>{"b": 2}', { startWithThinking: true }],
  ['tool-calls', ['--start-with-thinking'], `${HERMES}}</tool_call></think>${HERMES}`, { startWithThinking: true }],
  ['visible', ['--tags', 'think=thinking'], 'a <think>b</think>c', { tags: { think: 'thinking' } }],
  ['visible', ['--fences', 'text'], 'a `<thinking>b</thinking>` <thinking>c', { fences: 'text' }],
  ['visible', ['--fences', 'parse'], 'a `<thinking>b</thinking>` <thinking>c', { fences: 'parse' }],
  ['visible', ['--no-trim-markup'], ` <thinking>b</thinking>\n\n\n${BLOCKS}`, { trimMarkup: false }],
  ['visible', ['--format', 'kimi-k2'], KIMI, { format: 'kimi-k2' }],
  ['visible', ['--model', 'Qwen/QwQ-32B', '--prefill', '<think>\n'], 'Hm.</think>\n\nYes. `<tool_call>`', { model: 'Qwen/QwQ-32B', prefill: '<think>\n' }],
  ['visible', ['--model', 'nobody-knows'], BLOCKS, { model: 'nobody-knows' }],
  ['visible', ['--format', 'morph-xml', '--tools', file('tools.json', TOOLS)], MORPH, { format: 'morph-xml', tools: TOOLS }],
  ['blocks', ['--format', 'kimi-k2'], KIMI, { format: 'kimi-k2' }],
  ['blocks', ['--model', 'qwen3:8b'], `<think>\nHm.\n</think>\n\n${HERMES}`, { model: 'qwen3:8b' }],
  ['blocks', ['--model', 'qwen3:8b', '--fences', 'parse'], `\`${HERMES}`, { model: 'qwen3:8b', fences: 'parse' }],
  ['blocks', ['--format', 'yaml-xml', '--tools', file('tools.json', TOOLS)], '<get_weather>\ncity: Seoul\ndays: "3"\n</get_weather>', { format: withYaml(formats['yaml-xml']), tools: TOOLS }],
]

describe('--json prints the events of the package', { concurrency: 4 }, () => {
  for (const [command, args, text, options] of CASES) {
    for (const size of [1, 64, undefined]) {
      test(`${[command, ...args.map((arg) => arg.replace(folder, ''))].join(' ')}, in chunks of ${size}`, async () => {
        const emitted = await json([command, ...args, ...(size === undefined ? [] : ['--chunk', String(size)])], text)
        const expected = JSON.parse(JSON.stringify(await ORACLES[command](pieces(text, size ?? text.length), options)))
        assert.ok(expected.length > 0)
        assert.deepEqual(emitted, expected)
      })
    }
  }

  test('fields without --full leave out the growing properties', async () => {
    const all = ORACLES.fields(pieces(FIELDS, 5))
    const emitted = await json(['fields', '--chunk', '5'], FIELDS)
    assert.ok(emitted.every((event) => !('fullData' in event)))
    assert.deepEqual(emitted, all.map(({ fullData: _, value, ...rest }) => (rest.eventType === 'delta' && typeof rest.delta === 'string' ? rest : { ...rest, value })))
  })

  test('a strategy of the environment is taken', async () => {
    const emitted = await json(['segments'], 'a <run_bash>ls</run_bash>', { env: { AUTOBYTEUS_STREAM_PARSER: 'json' } })
    assert.deepEqual(emitted.map(({ type, payload }) => payload?.delta ?? type), ['SEGMENT_START', 'a <run_bash>ls</run_bash>', 'SEGMENT_END'])
  })
})

describe('cuts', { concurrency: 4 }, () => {
  /** What is printed of parts that arrive one after the other. */
  async function arriving(args, parts) {
    const { child, ended } = start(args)
    for (const part of parts) {
      child.stdin.write(part)
      await new Promise((resolve) => setTimeout(resolve, 120))
    }
    child.stdin.end()
    return (await ended).stdout
  }

  test('pieces have their size however the input arrives', async () => {
    const stdout = await arriving(['blocks', '--json', '--chunk', '4'], ['a', 'bcd', 'efghi', '😀j'])
    const texts = stdout.split('\n').filter((line) => line.includes('"content","text"')).map((line) => JSON.parse(line).text)
    assert.deepEqual(texts, ['abcd', 'efgh', 'i😀j'])
  })

  test('a character that is split between two chunks is written whole', async () => {
    assert.equal((await run(['visible', '--chunk', '1'], 'a😀b')).stdout, 'a😀b')
    assert.equal((await run(['blocks', '--color', '--chunk', '2'], 'a😀b')).stdout, 'a😀b\n')
    assert.deepEqual((await json(['visible', '--chunk', '2'], 'a😀b')).map(({ text }) => text), ['a', '😀b'])
  })

  test('a character that is split between two reads is whole', async () => {
    assert.equal(await arriving(['visible'], Array.from(Buffer.from('ö😀'), (byte) => Buffer.of(byte))), 'ö😀')
  })
})

describe('views', { concurrency: 4 }, () => {
  test('lines of blocks', async () => {
    assert.equal(
      (await run(['blocks', '--spans'], 'a <thinking>b\u009b</thinking><function_results><result>r</result></function_results>')).stdout,
      `0 text         start
0 text         "a "  0..2
0 text         complete
1 thinking     start
- markup       "<thinking>"  2..12
1 thinking     "b\\u009b"  12..14
1 thinking     complete
- markup       "</thinking>"  14..25
- markup       "<function_results>"  25..43
2 tool_result  start
- markup       "<result>"  43..51
2 tool_result  "r"  51..52
2 tool_result  complete
- markup       "</result>"  52..61
- markup       "</function_results>"  61..80
`,
    )
  })

  test('lines of a call that was cut off', async () => {
    const { stdout } = await run(['blocks'], '<function_calls><invoke name="f"><parameter name="a">1</parameter>')
    assert.match(stdout, /^0 tool_call {4}complete \{"a":1\} \(incomplete\)$/m)
  })

  test('lines of segments', async () => {
    assert.equal(
      (await run(['segments'], '<write_file path="a">b</write_file><run_bash>c')).stdout,
      `seg_1   write_file   start {"path":"a"}
seg_1   write_file   "b"
seg_1   write_file   end
seg_1   call         write_file {"path":"a","content":"b"}
seg_2   run_bash     start
seg_2   run_bash     "c"
seg_2   run_bash     end
seg_2   error        unterminated: run_bash not closed before the end of the text, opened at 35: it is not called; see the option acceptUnterminated
`,
    )
  })

  test('lines of fields', async () => {
    assert.equal(
      (await run(['fields'], '[{"a": [1, NaN], "b": "' + 'x'.repeat(200))).stdout,
      `delta  [0].a[0]         1
done   [0].a[0]         1
delta  [0].a[1]         NaN
done   [0].a[1]         NaN
done   [0].a            [1,null]
delta  [0].b            "${'x'.repeat(200)}"
done   [0].b            "${'x'.repeat(79)} … ${'x'.repeat(16)}" (cut off)
done   [0]              {"a":[1,null],"b":"${'x'.repeat(61)} … ${'x'.repeat(15)}"} (cut off)
`,
    )
  })

  test('lines of tool calls', async () => {
    assert.equal(
      (await run(['tool-calls'], "Hi <tool_call>{'name': 'a', 'arguments': {}}</tool_call><tool_call>{")).stdout,
      `text-start        text_1
text-delta        text_1 "Hi "
text-end          text_1
tool-input-start  call_1 a
tool-input-delta  call_1 "{}"
tool-input-end    call_1
repair            call_1 a single-quotes
tool-call         call_1 a {}
text-start        text_2
text-delta        text_2 "<tool_call>{"
text-end          text_2
error             unfinished-tool-call Could not complete streaming JSON tool call: the stream ended in it; emitting original text.
`,
    )
  })

  test('visible text is written unchanged', async () => {
    assert.equal((await run(['visible'], 'a\x1b[31m <thinking>b</thinking>c')).stdout, 'a\x1b[31m c')
  })

  const dim = (text) => `\x1b[2m${text}\x1b[22m`
  const name = (text) => `\x1b[1m\x1b[36m${text}\x1b[39m\x1b[22m`
  const yellow = (text) => `\x1b[33m${text}\x1b[39m`
  const COLOURED = [
    ['blocks', 'Hi <thinking>Hm\n</thinking>you', `Hi \n${dim('Hm\n')}you\n`],
    ['blocks', '<function_calls><invoke name="f"><parameter name="a">1', `${name('f ')}${yellow('{"a":')}${yellow('1}')}\x1b[31m (incomplete)\x1b[39m\n`],
    ['blocks', 'bell\x07 \x1b[31m \x9b', 'bell\u2407 \u241b[31m \ufffd\n'],
    ['segments', 'a <write_file path="p">x\n</write_file><run_bash>ls</run_bash>', `a \n${name('write_file p')}\n${yellow('x\n')}\x1b[32mcall write_file {"path":"p","content":"x\\n"}\x1b[39m\n${name('run_bash')} ${yellow('ls')}\n\x1b[32mcall run_bash {"command":"ls"}\x1b[39m\n`],
    ['fields', '{"a": "x", "b": [1, {}], "c": "y', `\x1b[36ma: \x1b[39mx\n\x1b[36mb[0]: \x1b[39m${yellow('1')}\n\x1b[36mb[1]: \x1b[39m${yellow('{}')}\n\x1b[36mc: \x1b[39my\x1b[31m (cut off)\x1b[39m\n`],
    ['tool-calls', 'a <tool_call>{"name":"f","arguments":{"a":1}}</tool_call>', `a \n${name('f ')}${yellow('{"a":1}')}\n`],
    ['visible', 'a <thinking>b</thinking>c', 'a c\n'],
  ]
  for (const [command, text, expected] of COLOURED) {
    test(`colours of ${command}: ${JSON.stringify(text)}`, async () => {
      assert.equal((await run([command, '--color'], text)).stdout, expected)
    })
  }

  const IS_COLOURED = [
    [[], {}, false],
    [['--color'], {}, true],
    [['--color'], { NO_COLOR: '1' }, true],
    [['--no-color'], { FORCE_COLOR: '1' }, false],
    [[], { FORCE_COLOR: '1' }, true],
    [[], { FORCE_COLOR: '' }, true],
    [[], { FORCE_COLOR: '0' }, false],
    [[], { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [[], { FORCE_COLOR: '1', NO_COLOR: '' }, true],
    [['--json'], { FORCE_COLOR: '1' }, false],
  ]
  for (const [args, env, isColoured] of IS_COLOURED) {
    test(`${isColoured ? 'colours' : 'no colours'} with ${[...args, JSON.stringify(env)].join(' ')}`, async () => {
      const { stdout, stderr } = await run(['blocks', ...args], '<thinking>b</thinking>', { env })
      assert.equal(stdout.includes('\x1b[2m'), isColoured)
      assert.equal(stderr, '')
    })
  }

  // util-linux's `script` runs a program in a terminal.
  const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
  for (const [env, expected] of [[{}, dim('b')], [{ NO_COLOR: '1' }, '1 thinking     "b"']]) {
    test(`in a terminal, with ${JSON.stringify(env)}`, { skip: !hasTerminal && 'there is no program `script`' }, async () => {
      const path = file('terminal.txt', 'a <thinking>b</thinking>')
      const command = [...program, 'blocks', path].map((word) => `'${word}'`).join(' ')
      const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env: { ...clean, TERM: 'xterm', ...env } })
      assert.ok(stdout.includes(expected), stdout)
    })
  }
})

test('blocks of a recording that begins inside thinking', async () => {
  const input = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hm.</think>Yes.' } }] })}\n\n`
  const blocks = (await json(['blocks', '--start-with-thinking'], input)).flatMap(({ event }) => (event?.event === 'block_complete' ? [event.block] : []))
  assert.deepEqual(blocks, [{ type: 'thinking', content: 'Hm.' }, { type: 'text', content: 'Yes.' }])
})

describe('as it comes', { concurrency: 4 }, () => {
  test('raw text is emitted before its line ends', async () => {
    const { child, out, ended } = start(['blocks'])
    child.stdin.write('Hello')
    await until(() => out.stdout.includes('"Hello"'), 'the text is emitted')
    child.stdin.end(' you')
    assert.match((await ended).stdout, /" you"/)
  })

  test('a JSON document is emitted before its line ends', async () => {
    const { child, out, ended } = start(['fields'])
    child.stdin.write('{"title": "Por')
    await until(() => out.stdout.includes('"Por"'), 'the field is emitted')
    child.stdin.end('to"}')
    assert.match((await ended).stdout, /^done {3}title {12}"Porto"$/m)
  })

  test('a file is read, and so is standard input by the name -', async () => {
    const path = file('text.txt', '\ufeffOne <thinking>x</thinking>two')
    assert.equal((await run(['visible', path])).stdout, 'One two')
    assert.equal((await run(['visible', '-'], 'One')).stdout, 'One')
    assert.equal((await run(['visible'], '')).stdout, '')
  })

  test('a reader that has had enough ends it quietly', async () => {
    const [path, ...first] = program
    const child = spawn(path, [...first, 'blocks', '--chunk', '1'])
    let stderr = ''
    child.stderr.on('data', (text) => (stderr += text))
    child.stdin.on('error', () => {})
    const feed = setInterval(() => child.stdin.write('Hello <b> '.repeat(1_000)), 5)
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)))
    clearInterval(feed)
    assert.deepEqual([code, stderr], [0, ''])
  })

  test('Ctrl-C ends it quietly', async () => {
    const { child, out, ended } = start(['blocks', '--color'])
    child.stdin.write('Hello <thinking>hm')
    await until(() => out.stdout.includes('hm'), 'it reads')
    child.kill('SIGINT')
    const { signal, stderr } = await ended
    assert.deepEqual([signal, stderr], ['SIGINT', ''])
  })
})

describe('help', { concurrency: 4 }, () => {
  test('of the program names each command and the exit codes', async () => {
    const { stdout, stderr, code } = await run(['--help'])
    assert.deepEqual([stderr, code], ['', 0])
    for (const command of Object.keys(ORACLES)) assert.match(stdout, new RegExp(`^  ${command} `, 'm'))
    assert.match(stdout, /^Exit codes: 0 .*; 1 .*; 2 /m)
  })

  for (const command of Object.keys(ORACLES)) {
    test(`of ${command} has an example that is true`, async () => {
      const { stdout, stderr, code } = await run([command, '--help'])
      assert.deepEqual([stderr, code], ['', 0])
      const [, input, args, shown] = /\nExample:\n {2}\$ printf '(.*)' \| npx tokenweir (.*)\n([^]*?)\n\n/.exec(stdout)
      assert.equal((await run(args.split(' '), input)).stdout.trimEnd(), shown.replace(/^ {2}/gm, ''))
    })
  }

  test('`help` prints it too', async () => {
    for (const [args, same] of [[['help'], ['--help']], [['help', 'fields'], ['fields', '--help']]]) assert.deepEqual(await run(args), await run(same))
  })

  const installed = fileURLToPath(new URL('../../node_modules/.bin/tokenweir', import.meta.url))
  test('npx finds it where it is installed', { skip: !existsSync(installed) && 'not a project with the tarball' }, () => {
    // Offline, so that no other program of this name can be fetched.
    const { stdout, status } = spawnSync('npx', ['tokenweir', 'visible'], { input: 'One <thinking>x</thinking>two', encoding: 'utf8', env: { ...clean, npm_config_offline: 'true' }, shell: process.platform === 'win32', cwd: fileURLToPath(new URL('../..', import.meta.url)) })
    assert.deepEqual([stdout, status], ['One two', 0])
  })

  test('--version is the version of the package', async () => {
    const { version } = createRequire(import.meta.url)('tokenweir/package.json')
    assert.deepEqual(await run(['--version']), { stdout: `${version}\n`, stderr: '', code: 0, signal: null })
  })
})

describe('grammar: it writes what the functions give', { concurrency: 4 }, () => {
  const tools = [{ name: 'look', inputSchema: { type: 'object', properties: { q: { type: 'string', pattern: 'a' } }, required: ['q'] } }]
  const path = file('look.json', tools)

  test('writes each notation, with the options of the functions', async () => {
    const options = { toolChoice: 'required', parallel: false, reasoning: 'optional' }
    for (const [as, expected] of [['gbnf', gbnfFor('hermes', tools, options)], ['lark', larkFor('hermes', tools, options)], ['tag', JSON.stringify(structuralTagFor('hermes', tools, options))]]) {
      const { stdout, stderr, code } = await run(['grammar', '--format', 'hermes', '--tools', path, '--as', as, '--tool-choice', 'required', '--no-parallel', '--reasoning', 'optional'])
      assert.deepEqual([stdout, code], [`${expected}\n`, 0])
      assert.equal(stderr, 'tokenweir: the grammar of "look" doesn\'t check "pattern" of /properties/q\n')
    }
  })

  test('one tool, and none', async () => {
    const { stdout } = await run(['grammar', '--format', 'hermes', '--tools', path, '--tool-choice', 'look'])
    assert.equal(stdout, `${gbnfFor('hermes', tools, { toolChoice: { tool: 'look' } })}\n`)
    assert.equal((await run(['grammar', '--format', 'hermes'])).stdout, `${gbnfFor('hermes', [])}\n`)
  })
})
