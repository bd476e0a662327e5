// StreamingParser, SegmentStream, StreamingResponseHandler, the adapter, the
// factory and both registries: the contract of seed 000, each option, misuse,
// and adversarial input.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as segments from 'tokenweir/segments'
import { everyCut, pieces, random, sampled, withEmpty } from './support/cuts.mjs'
import { all, counted, generated, settled } from './support/sources.mjs'

const {
  ParseError, SegmentStream, StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, extractSegments, parseSegments, registerToolSyntax,
  registerXmlToolParsingState, streamingResponseHandlerFor, toolSyntaxOf, unregisterToolSyntax, unregisterXmlToolParsingState,
} = segments

const VARIABLE = 'AUTOBYTEUS_STREAM_PARSER'
delete process.env[VARIABLE]

const TEXT = 'Hi <write_file path="/a.py">x = "<b>"\n</write_file>, then <run_bash timeout_seconds="30">ls</run_bash><tool name="read"><arguments><arg name="p">1</arg></arguments></tool> bye'
const TOLD = '+1:text 1"Hi " -1 +2:write_file{"path":"/a.py"} 2"x = \\"<b>\\"\\n" -2 +3:text 3", then " -3 +4:run_bash{"timeout_seconds":30} 4"ls" -4 '
  + '+5:tool_call{"tool_name":"read"} 5"<arguments><arg name=\\"p\\">1</arg></arguments>" -5 +6:text 6" bye" -6'

/** Events in short: `+1:run_bash{…}` a start, `1"ls"` content, `-1` an end, `~1"<b>"` markup. */
function short(events) {
  const line = ({ type, segment_id: id, segment_type: kind, payload: { delta, metadata } }) => {
    const name = String(id ?? '').replace(/^seg_/, '')
    if (type === 'SEGMENT_START') return `+${name}:${kind}${metadata === undefined ? '' : JSON.stringify(metadata)}`
    if (type === 'SEGMENT_END') return `-${name}`
    return `${type === 'MARKUP' ? '~' : ''}${name}${JSON.stringify(delta)}`
  }
  return events.map(line).join(' ')
}

/** The same with adjacent contents of a segment joined: which must not depend on the cuts. */
function joined(events) {
  const entries = []
  for (const event of events) {
    const last = entries.at(-1)
    if (event.payload.delta !== undefined && last?.type === event.type && last.segment_id === event.segment_id) last.payload = { delta: last.payload.delta + event.payload.delta }
    else entries.push({ ...event })
  }
  return short(entries)
}

/** All events of chunks, by a parser. */
function parse(chunks, config) {
  const parser = new StreamingParser(config)
  return [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.finalize()]
}

/** Feeds a handler, and logs all its output. */
function handle(chunks, options = {}) {
  const errors = []
  const handler = new StreamingResponseHandler({ onError: (error) => errors.push(error), ...options })
  const events = [...chunks.flatMap((chunk) => handler.feed(chunk)), ...handler.finalize()]
  return { handler, events, errors, codes: errors.map(({ code }) => code).join(), invocations: handler.getAllInvocations() }
}

/** What tools a text calls: name and arguments. */
const calls = (text, config, schemas) => handle([text], { config, ...(schemas && { schemas }) }).invocations.map(({ name, arguments: values }) => [name, values])

/** A delta of an API's tool call. */
const delta = (index, argumentsDelta, more) => ({ toolCalls: [{ index, ...(argumentsDelta !== undefined && { argumentsDelta }), ...more }] })

function withVariable(value, act) {
  process.env[VARIABLE] = value
  try {
    return act()
  } finally {
    delete process.env[VARIABLE]
  }
}

const typeError = (...names) => (error) => error instanceof TypeError && names.every((name) => error.message.includes(name))

describe('events', () => {
  test("are exactly the seed's JSON, keys in order", () => {
    const events = parse(['Hi <write_file path="/tmp/a.py">print(\'hi\')\\n</write_file>'])
    assert.deepEqual(events.map((event) => JSON.stringify(event)), [
      '{"type":"SEGMENT_START","segment_id":"seg_1","segment_type":"text","payload":{}}',
      '{"type":"SEGMENT_CONTENT","segment_id":"seg_1","payload":{"delta":"Hi "}}',
      '{"type":"SEGMENT_END","segment_id":"seg_1","payload":{}}',
      '{"type":"SEGMENT_START","segment_id":"seg_2","segment_type":"write_file","payload":{"metadata":{"path":"/tmp/a.py"}}}',
      '{"type":"SEGMENT_CONTENT","segment_id":"seg_2","payload":{"delta":"print(\'hi\')\\\\n"}}',
      '{"type":"SEGMENT_END","segment_id":"seg_2","payload":{}}',
    ])
  })

  test('are plain objects that can be copied', () => {
    for (const event of parse([TEXT], { spans: true })) {
      assert.equal(Object.getPrototypeOf(event), Object.prototype)
      assert.equal(Object.getPrototypeOf(event.payload), Object.prototype)
      assert.deepEqual(structuredClone(event), event)
      assert.deepEqual(JSON.parse(JSON.stringify(event)), event)
    }
  })

  test('of the first chunk come with the first chunk', () => {
    const parser = new StreamingParser()
    assert.equal(short(parser.feed('Hello <wr')), '+1:text 1"Hello "')
    assert.equal(short(parser.feed('ite_file path="/a.py">x=1</wri')), '-1 +2:write_file{"path":"/a.py"} 2"x=1"')
    assert.equal(short(parser.feed('te_file> bye')), '-2 +3:text 3" bye"')
    assert.equal(short(parser.finalize()), '-3')
  })

  test('of a start come with the `>` that makes it one', () => {
    const parser = new StreamingParser()
    assert.equal(short(parser.feed('a <run_bash')), '+1:text 1"a "')
    assert.equal(short(parser.feed('>')), '-1 +2:run_bash')
    assert.equal(short(parser.feed('l')), '2"l"')
    assert.equal(short(parser.feed('s</run_bash>')), '2"s" -2')
    assert.deepEqual(parser.finalize(), [])
  })

  test('are the same at every cut', () => {
    for (const [cut, chunks] of everyCut(TEXT)) assert.equal(joined(parse(chunks)), TOLD, cut)
  })

  test('have ids that count from one, after the prefix', () => {
    const prefix = 'turn_7:'
    const ids = new Set(parse([TEXT], { segmentIdPrefix: prefix }).map((event) => event.segment_id))
    assert.deepEqual([...ids], [1, 2, 3, 4, 5, 6].map((number) => `turn_7:seg_${number}`))
  })

  test('adjacent text is one segment, including invalid tags', () => {
    const text = 'a<write_file>x</write_file> <tool>b</tool> <toolbar> <write_files path="p"> if a < b </run_bash> {"a":1} [[SEG_START {"type":"run_bash"}]]'
    for (const [cut, chunks] of everyCut(text)) assert.equal(joined(parse(chunks)), `+1:text 1${JSON.stringify(text)} -1`, cut)
  })

  test('a lone < hides no tool after it', () => {
    for (const [cut, chunks] of everyCut('if a < b: <run_bash>ls</run_bash>')) assert.equal(joined(parse(chunks)), '+1:text 1"if a < b: " -1 +2:run_bash 2"ls" -2', cut)
  })
})

describe('StreamingParser', () => {
  test('feed returns a new list each time', () => {
    const parser = new StreamingParser()
    const lists = [...TEXT].map((unit) => parser.feed(unit))
    const lengths = lists.map(({ length }) => length)
    lists.push(parser.finalize(), parser.finalize())
    assert.ok(lengths.includes(0) && lengths.some((length) => length > 0))
    assert.deepEqual(lists.slice(0, -2).map(({ length }) => length), lengths)
    assert.equal(new Set(lists).size, lists.length)
    assert.equal(joined(lists.flat()), TOLD)
  })

  test("feed('') is []", () => {
    const parser = new StreamingParser()
    assert.deepEqual(parser.feed(''), [])
    parser.feed('a <run_b')
    assert.deepEqual(parser.feed(''), [])
    assert.equal(joined(parse(withEmpty(pieces(TEXT, 1)))), TOLD)
  })

  test('feedAndFinalize is feed and finalize', () => {
    const parser = new StreamingParser()
    assert.equal(joined(parser.feedAndFinalize(TEXT)), TOLD)
    assert.equal(parser.isFinalized, true)
    assert.throws(() => parser.feed('x'), { code: 'finished' })
    assert.throws(() => parser.feedAndFinalize('x'), { code: 'finished' })
    const second = new StreamingParser()
    assert.equal(short([...second.feed('a <run_b'), ...second.feedAndFinalize('ash>ls')]), '+1:text 1"a " -1 +2:run_bash 2"ls" -2')
    assert.deepEqual(new StreamingParser().feedAndFinalize(''), [])
  })

  test('after finalize only reset helps', () => {
    const parser = new StreamingParser()
    parser.feed('a')
    assert.equal(parser.isFinalized, false)
    assert.equal(short(parser.finalize()), '-1')
    assert.equal(parser.isFinalized, true)
    assert.throws(() => parser.feed('b'), (error) => error instanceof ParseError && error.code === 'finished' && /reset/.test(error.message))
    assert.deepEqual(parser.finalize(), [])
    parser.reset()
    assert.equal(parser.isFinalized, false)
    assert.equal(short([...parser.feed('b'), ...parser.finalize()]), '+1:text 1"b" -1')
  })

  test('finalize of nothing is []', () => {
    assert.deepEqual(new StreamingParser().finalize(), [])
  })

  test('currentSegmentId and currentSegmentType are those of the open segment', () => {
    const parser = new StreamingParser({ segmentIdPrefix: 'p:' })
    const now = () => [parser.currentSegmentId, parser.currentSegmentType]
    assert.deepEqual(now(), [null, null])
    parser.feed('<run')
    assert.deepEqual(now(), [null, null])
    parser.feed('ny a')
    assert.deepEqual(now(), ['p:seg_1', 'text'])
    parser.feed(' <run_bash')
    assert.deepEqual(now(), ['p:seg_1', 'text'])
    parser.feed('>')
    assert.deepEqual(now(), ['p:seg_2', 'run_bash'])
    parser.feed('ls</run_bash')
    assert.deepEqual(now(), ['p:seg_2', 'run_bash'])
    parser.feed('>')
    assert.deepEqual(now(), [null, null])
    parser.feed('<tool name="write_file"><arg name="content">x')
    assert.deepEqual(now(), [null, null])
    parser.feed('</arg><arg name="path">a</arg>')
    assert.deepEqual(now(), ['p:seg_3', 'write_file'])
    parser.finalize()
    assert.deepEqual(now(), [null, null])
    parser.reset()
    parser.feed('x')
    assert.deepEqual(now(), ['p:seg_1', 'text'])
    parser.reset()
    assert.deepEqual(now(), [null, null])
  })

  test('reset forgets pending text and events, at any position', () => {
    const texts = {
      xml: 'a <tool name="write_file"><arg name="content">__START_CONTENT__\nx</arg>__END_CONTENT__</arg><arg name="path">p</arg></tool> <run_bash>l<s</run_b',
      json: 'a {"tool": {"function": "f", "parameters": {"s": "}\\""}}} {"x": "y',
      sentinel: 'a [[SEG_START {"type": "tool", "arguments": {"a": "]]"}}]] x [[SEG_E',
    }
    for (const [strategy, text] of Object.entries(texts)) {
      for (const [cut, [front]] of everyCut(text)) {
        const parser = new StreamingParser({ strategyOrder: ['xml_tag', 'json_tool', 'sentinel'] })
        parser.feed(front)
        parser.reset()
        assert.equal(joined([...parser.feed(TEXT), ...parser.finalize()]), TOLD, `${strategy}, ${cut}`)
      }
    }
  })

  test('many may work in parallel', () => {
    const parsers = Array.from({ length: 50 }, () => new StreamingParser())
    const logs = parsers.map(() => [])
    for (const unit of TEXT) parsers.forEach((parser, at) => logs[at].push(...parser.feed(unit)))
    for (const [at, parser] of parsers.entries()) assert.equal(joined([...logs[at], ...parser.finalize()]), TOLD)
  })

  test('a chunk that is not a string is rejected, and the parser continues', () => {
    const parser = new StreamingParser()
    const log = parser.feed('a <run_b')
    for (const value of [undefined, null, 5, {}, [], Buffer.from('x'), new String('x')]) {
      assert.throws(() => parser.feed(value), TypeError)
      assert.throws(() => parser.feedAndFinalize(value), TypeError)
    }
    assert.equal(joined([...log, ...parser.feed('ash>ls</run_bash>'), ...parser.finalize()]), '+1:text 1"a " -1 +2:run_bash 2"ls" -2')
  })

  test('must be called with new', () => {
    for (const each of [StreamingParser, SegmentStream, StreamingResponseHandler, ToolInvocationAdapter]) assert.throws(() => each(), TypeError)
  })
})

describe('config', () => {
  const takers = {
    StreamingParser: (config) => new StreamingParser(config),
    SegmentStream: (config) => new SegmentStream(config),
    StreamingResponseHandler: (config) => new StreamingResponseHandler({ config }),
    streamingResponseHandlerFor: (config) => streamingResponseHandlerFor({ config }),
  }

  for (const [name, make] of Object.entries(takers)) {
    test(`${name} rejects options that don't exist, by name, and lists those that do`, () => {
      for (const key of ['stratgy', 'strategy_order', 'onSegmentEvent', 'schemas']) assert.throws(() => make({ [key]: true }), typeError(`"${key}"`, 'strategyOrder', 'segmentIdPrefix'), key)
    })

    test(`${name} rejects values of the wrong type, by name`, () => {
      const wrong = {
        strategy: ['yaml', 1, null, ['xml']], strategyOrder: ['xml_tag', [1], ['xml'], null, {}], parseToolCalls: [1, 'yes', null], segmentIdPrefix: [1, null, {}],
        jsonProfile: ['claude', 1, null, [1], {}, ['{'], ['tool']], fences: ['yes', true, null], reasoning: ['part', 'toString', true, null, ['parts']], acceptUnterminated: [1, null], maxPending: [0, -1, 1.5, Number.NaN, '9', null], spans: ['x', 0, null], onError: ['x', {}, null], toolStates: ['x', 1, null],
      }
      for (const [key, values] of Object.entries(wrong)) for (const value of values) assert.throws(() => make({ [key]: value }), typeError(key), `${key}: ${JSON.stringify(value)}`)
    })

    test(`${name} rejects a config that is not an object`, () => {
      for (const value of [null, 5, 'x', [], true]) assert.throws(() => make(value), TypeError)
    })

    test(`${name} takes options that are undefined`, () => {
      make(undefined)
      make(Object.fromEntries(['strategy', 'strategyOrder', 'parseToolCalls', 'segmentIdPrefix', 'jsonProfile', 'toolStates', 'fences', 'reasoning', 'acceptUnterminated', 'maxPending', 'spans', 'onError'].map((key) => [key, undefined])))
    })
  }

  test('parseSegments rejects the same', async () => {
    await assert.rejects(async () => all(parseSegments(['a'], { stratgy: 'xml' })), typeError('"stratgy"'))
  })

  const MIXED = '<run_bash>x</run_bash>{"tool":{"function":"j"}}[[SEG_START {"type":"run_bash"}]]s[[SEG_END]]'
  const found = (config) => calls(MIXED, config).map(([name, { command }]) => command ?? name).join()

  test('strategy', () => {
    for (const [strategy, tools] of [['xml', 'x'], ['json', 'j'], ['sentinel', 's'], ['api_tool_call', ''], ['native', '']]) {
      assert.equal(found({ strategy }), tools, strategy)
      assert.equal(found({ strategy: ` ${strategy.toUpperCase()}\n` }), tools, strategy)
    }
    assert.equal(found({}), 'x')
  })

  test('a strategy that is unknown is rejected, and the known ones are listed', () => {
    assert.throws(() => new StreamingParser({ strategy: 'yaml' }), typeError('"yaml"', 'xml', 'json', 'sentinel', 'api_tool_call'))
    assert.throws(() => new StreamingParser({ strategyOrder: ['xml_tag', 'xml'] }), typeError('"xml"', 'xml_tag', 'json_tool', 'sentinel'))
    assert.throws(() => new StreamingParser({ jsonProfile: 'claude' }), typeError('"claude"', 'openai', 'gemini', 'default'))
  })

  test(`${VARIABLE} is the default of strategy`, () => {
    for (const [value, tools] of [['json', 'j'], [' Sentinel ', 's'], ['XML', 'x'], ['native', ''], ['api_tool_call', '']]) {
      withVariable(value, () => {
        assert.equal(found({}), tools, value)
        assert.equal(found({ strategy: 'xml' }), 'x')
        assert.equal(found({ strategyOrder: ['sentinel'] }), 's')
      })
    }
    withVariable('yaml', () => {
      assert.throws(() => new StreamingParser(), typeError('"yaml"', VARIABLE, 'sentinel'))
      assert.equal(found({ strategy: 'json' }), 'j')
    })
    assert.equal(found({}), 'x')
  })

  test('strategyOrder: of all that are there the earliest marker wins', () => {
    assert.equal(found({ strategyOrder: ['xml_tag', 'json_tool', 'sentinel'] }), 'x,j,s')
    assert.equal(found({ strategyOrder: ['sentinel', 'json_tool', 'xml_tag'] }), 'x,j,s')
    assert.equal(found({ strategyOrder: ['sentinel', 'json_tool'] }), 'j,s')
    assert.equal(found({ strategyOrder: [] }), '')
    assert.equal(found({ strategyOrder: ['sentinel'], strategy: 'xml' }), 's')
    for (const strategy of ['api_tool_call', 'native']) assert.equal(found({ strategyOrder: ['sentinel'], strategy }), '', strategy)
  })

  test('strategyOrder: inside a segment of one strategy, the others find nothing', () => {
    const order = ['xml_tag', 'json_tool', 'sentinel']
    const inside = '{"tool":{"function":"<run_bash>a</run_bash>[[SEG_START {\\"type\\":\\"run_bash\\"}]]b[[SEG_END]]"}}'
    for (const [cut, chunks] of everyCut(`${inside}<write_file path="p">${inside}</write_file>`)) {
      assert.equal(joined(parse(chunks, { strategyOrder: order })), `+1:tool_call 1${JSON.stringify(inside)} -1 +2:write_file{"path":"p"} 2${JSON.stringify(inside)} -2`, cut)
    }
  })

  test('strategyOrder: a bracket that begins no tool is not a marker', () => {
    const text = '[[SEG_START {"type":"run_bash"}]]ls'
    for (const strategyOrder of [['json_tool', 'sentinel'], ['sentinel', 'json_tool']]) assert.equal(joined(parse([text], { strategyOrder })), '+1:run_bash 1"ls" -1')
  })

  test('parseToolCalls: false makes all text', () => {
    for (const strategy of ['xml', 'json', 'sentinel']) {
      assert.equal(joined(parse([MIXED], { strategy, parseToolCalls: false })), `+1:text 1${JSON.stringify(MIXED)} -1`)
      assert.equal(parse([MIXED], { strategy, parseToolCalls: true }).length > 3, true)
    }
    assert.equal(joined(parse([MIXED], { strategyOrder: ['xml_tag', 'sentinel'], parseToolCalls: false })), `+1:text 1${JSON.stringify(MIXED)} -1`)
  })

  test('jsonProfile: which objects are tools', () => {
    const starts = {
      '{"tool":{"function":"f"}}': 'openai default', '{"tool_calls":[]}': 'openai', '{"tools":[]}': 'openai', '{"function":"f"}': 'openai default', '[{"tool":{}}]': 'openai',
      '[{"function":"f"}]': 'openai', '{"name":"f"}': 'gemini', '[{"name":"f"}]': 'gemini', '{"names":"f"}': '', '{"id":1,"tool":{}}': 'openai default', '{"ids":1,"tool":{}}': '', '[1,2]': '', '{}': '', '[{}]': '',
    }
    for (const [text, profiles] of Object.entries(starts)) {
      for (const jsonProfile of ['openai', 'gemini', 'default']) {
        for (const spaced of [text, text.replaceAll(/[{[:\]}]/g, '$& '), ` \n${text.replaceAll(/[{[:]/g, '$&\r\n\t')}`]) {
          const found = extractSegments(parse([spaced], { strategy: 'json', jsonProfile })).some(({ type, content }) => type === 'tool_call' && content === spaced.trim())
          assert.equal(found, profiles.split(' ').includes(jsonProfile), `${jsonProfile}, ${JSON.stringify(spaced)}`)
        }
      }
    }
  })

  test('jsonProfile: signatures of your own', () => {
    const text = '{"tool":{"function":"f"}} {"id":1,"name":"g","arguments":{"a":1}} [{"id":2,"name":"h"}]'
    const jsonProfile = ['{"id":', '[{"id":']
    assert.deepEqual(calls(text, { strategy: 'json', jsonProfile }), [['g', { a: 1 }], ['h', {}]])
    assert.deepEqual(calls('{ "id" : 1, "name": "g" }', { strategy: 'json', jsonProfile }), [['g', {}]])
    assert.deepEqual(calls(text, { strategy: 'json', jsonProfile: [] }), [])
  })

  test('fences', () => {
    const tool = (command) => `<run_bash>${command}</run_bash>`
    const fenced = {
      'a fence': ['```xml\n', '\n```\n'],
      'a fence of tildes': ['~~~\n', '\n~~~\n'],
      'a long fence with a short one in it': ['````\n```\n', '\n```\n````\n'],
      'a fence of tildes with backticks in it': ['~~~\n```\n', '\n~~~\n'],
      'inline code': ['Use `', '`: '],
      'inline code of two backticks': ['Use ``a ` ', ' `` then '],
    }
    for (const [name, [before, after]] of Object.entries(fenced)) {
      const text = `So:\n${before}${tool('a')}${after}${tool('b')} ${tool('c')}`
      assert.deepEqual(calls(text, { fences: 'text' }).map(([, { command }]) => command), ['b', 'c'], name)
      assert.deepEqual(calls(text, { fences: 'parse' }).map(([, { command }]) => command), ['a', 'b', 'c'], name)
      assert.deepEqual(calls(text).map(([, { command }]) => command), ['a', 'b', 'c'], name)
      const expected = joined(parse([text], { fences: 'text' }))
      for (const [cut, chunks] of everyCut(text)) assert.equal(joined(parse(chunks, { fences: 'text' })), expected, `${name}, ${cut}`)
    }
    const others = { json: ['{"tool":{"function":"f"}}', 'json'], sentinel: ['[[SEG_START {"type":"run_bash"}]]x[[SEG_END]]', 'sentinel'] }
    for (const [text, strategy] of Object.values(others)) assert.equal(calls(`\`\`\`\n${text}\n\`\`\`\n${text}`, { strategy, fences: 'text' }).length, 1, strategy)
  })

  test('reasoning', () => {
    const text = '<think>Maybe <run_bash>a</run_bash>?</think>\n<run_bash>b</run_bash>'
    const names = (config) => calls(text, config).map(([, { command }]) => command).join()
    assert.deepEqual([{}, { reasoning: 'parts' }, { reasoning: 'text' }, { reasoning: 'search' }, { eventStyle: 'autobyteus' }].map(names), ['b', 'b', 'b', 'a,b', 'b'])
    const fed = new StreamingResponseHandler()
    const native = [...fed.feed({ reasoning: 'Maybe <run_bash>a</run_bash>?' }), ...fed.feed('\n<run_bash>b</run_bash>'), ...fed.finalize()]
    assert.deepEqual(parse([text]), native)
    assert.equal(extractSegments(parse([text], { reasoning: 'text' }))[0].content, '<think>Maybe <run_bash>a</run_bash>?</think>\n')
    const cut = parse(['<think>Maybe <run_bash>a</run_bash>?'])
    const other = new StreamingResponseHandler()
    assert.deepEqual(cut, [...other.feed({ reasoning: 'Maybe <run_bash>a</run_bash>?' }), ...other.finalize()])
    assert.deepEqual(cut.at(-1).payload, { incomplete: true })
    assert.deepEqual(parse([text], { spans: true }).filter(({ type }) => type === 'MARKUP').slice(0, 2).map(({ payload, span }) => [payload.delta, span]), [['<think>', [0, 7]], ['</think>', [36, 44]]])
    // Without tools too, but not where everything is text.
    for (const config of [{ tools: [] }, { strategy: 'api_tool_call' }]) assert.equal(parse([text], config)[0].segment_type, 'reasoning')
    assert.equal(short(parse([text], { parseToolCalls: false })), `+1:text 1${JSON.stringify(text)} -1`)
  })

  test('fences: the text of a segment opens none', () => {
    const text = '<run_bash>echo `date</run_bash> <run_bash>a</run_bash>\n<write_file path="a.md">\n```\n</write_file>\n<run_bash>b</run_bash>'
    assert.deepEqual(calls(text, { fences: 'text' }).map(([name]) => name), ['run_bash', 'run_bash', 'write_file', 'run_bash'])
  })

  const CUT_OFF = {
    xml: ['a <write_file path="p">x</wri', 'write_file', { path: 'p', content: 'x</wri' }],
    'xml, run_bash': ['<run_bash>ls', 'run_bash', { command: 'ls' }],
    'xml, tool': ['<tool name="t"><arg name="x">1</arg></to', 't', { x: '1' }],
    'xml, write_file tool': ['<tool name="write_file"><arg name="path">p</arg><arg name="content">abc</a', 'write_file', { path: 'p', content: 'abc</a' }],
    'xml, after the content': ['<tool name="write_file"><arg name="path">p</arg><arg name="content">abc</arg> </too', 'write_file', { path: 'p', content: 'abc' }],
    'xml, in markers': ['<tool name="write_file"><arg name="path">p</arg><arg name="content">__START_CONTENT__\nabc__END_C', 'write_file', { path: 'p', content: 'abc__END_C' }],
    sentinel: ['[[SEG_START {"type":"run_bash"}]]ls[[SEG_E', 'run_bash', { command: 'ls[[SEG_E' }],
  }

  for (const [name, [text, tool, values]] of Object.entries(CUT_OFF)) {
    test(`acceptUnterminated: ${name}`, () => {
      const strategy = name.startsWith('xml') ? 'xml' : name
      const { codes, errors, events, invocations } = handle([text], { config: { strategy } })
      assert.deepEqual([codes, invocations], ['unterminated', []])
      assert.equal(events.at(-1).type, 'SEGMENT_END')
      assert.deepEqual(events.at(-1).payload, { incomplete: true })
      assert.equal(errors[0].segmentId, events.at(-1).segment_id)
      const accepted = handle([text], { config: { strategy, acceptUnterminated: true } })
      assert.equal(accepted.codes, '')
      assert.deepEqual(accepted.events, events)
      assert.deepEqual(accepted.invocations, [{ id: errors[0].segmentId, name: tool, arguments: values }])
    })
  }

  test('acceptUnterminated: JSON that is cut off has no arguments', () => {
    const text = '{"tool":{"function":"f","parameters":{"a":1'
    assert.deepEqual(handle([text], { config: { strategy: 'json' } }).codes, 'unterminated')
    const accepted = handle([text], { config: { strategy: 'json', acceptUnterminated: true } })
    assert.deepEqual([accepted.codes, accepted.invocations], ['bad-arguments', []])
  })

  test('spans: positions of everything, and markup', () => {
    const text = 'a 🙂<tool name="write_file">\n<arg name="path"> p </arg><arg name="content">__START_CONTENT__\nx</arg>\n__END_CONTENT__\n</arg></tool>z'
    for (const [cut, chunks] of everyCut(text)) {
      const events = parse(chunks, { spans: true })
      assert.equal(joined(events.filter(({ type }) => type !== 'MARKUP')), '+1:text 1"a 🙂" -1 +2:write_file{"tool_name":"write_file","path":"p"} 2"x</arg>\\n" -2 +3:text 3"z" -3', cut)
      let at = 0
      for (const { type, segment_id: id, payload, span } of events) {
        if (type === 'SEGMENT_START' || type === 'SEGMENT_END') {
          assert.equal(span[0], span[1], 'starts and ends are empty')
          continue
        }
        assert.equal(span[0], at, cut)
        assert.equal(text.slice(...span), payload.delta, cut)
        if (type === 'MARKUP') assert.ok(id === null || id === 'seg_2', cut)
        at = span[1]
      }
      assert.equal(at, text.length, cut)
    }
  })

  test('spans: the keys of events', () => {
    const keys = {
      SEGMENT_START: ['type', 'segment_id', 'segment_type', 'payload', 'span'], SEGMENT_CONTENT: ['type', 'segment_id', 'payload', 'span'],
      SEGMENT_END: ['type', 'segment_id', 'payload', 'span'], MARKUP: ['type', 'segment_id', 'payload', 'span'],
    }
    const seen = new Set()
    for (const event of parse([TEXT], { spans: true })) {
      seen.add(event.type)
      assert.deepEqual(Object.keys(event), keys[event.type])
    }
    assert.equal(seen.size, 4)
    for (const event of parse([TEXT])) assert.ok(!('span' in event) && event.type !== 'MARKUP')
  })

  test('spans: of a start and an end', () => {
    const text = 'ab<run_bash>ls</run_bash>c'
    const at = Object.fromEntries(parse([text], { spans: true }).filter(({ type }) => /START|END/.test(type)).map((event) => [short([event]), event.span]))
    assert.deepEqual(at['+1:text'], [0, 0])
    assert.deepEqual(at['-1'], [2, 2])
    assert.ok(at['+2:run_bash'][0] === 2 || at['+2:run_bash'][0] === 12, 'at its tag')
    assert.ok(at['-2'][0] === 14 || at['-2'][0] === 25, 'at its closing tag')
    assert.deepEqual([at['+3:text'], at['-3']], [[25, 25], [26, 26]])
  })
})

describe('states', () => {
  // The result of each text at every cut: events, calls, errors.
  const table = {
    'a tag in any case, quotes of both kinds, `>` and spaces in them': ['<WRITE_FILE mode=\'w\' PATH = \'/a>b "c".py\' >x</Write_File>', '+1:write_file{"path":"/a>b \\"c\\".py","mode":"w"} 1"x" -1'],
    'filepath= is not path=': ['<write_file filepath="a">x</write_file>', '+1:text 1"<write_file filepath=\\"a\\">x</write_file>" -1'],
    'an empty path is invalid': ['<write_file path="">x</write_file>', '+1:text 1"<write_file path=\\"\\">x</write_file>" -1'],
    'tags that close themselves': ['<run_bash/><write_file path="a"/>x', '+1:run_bash -1 +2:write_file{"path":"a"} -2 +3:text 3"x" -3', [], 'missing-arguments,missing-arguments'],
    'attributes and contents of tags are raw': ['<write_file path="a&amp;b">x &lt; y</write_file>', '+1:write_file{"path":"a&amp;b"} 1"x &lt; y" -1', [['write_file', { path: 'a&amp;b', content: 'x &lt; y' }]]],
    'run_bash: background and timeout_seconds': [
      '<run_bash background="TRUE" timeout_seconds="30">a</run_bash><run_bash background="no" timeoutSeconds="5">b</run_bash><run_bash background="maybe" timeout_seconds="0" x="1">c</run_bash>',
      '+1:run_bash{"background":true,"timeout_seconds":30} 1"a" -1 +2:run_bash{"background":false,"timeout_seconds":5} 2"b" -2 +3:run_bash{"x":"1"} 3"c" -3',
      [['run_bash', { command: 'a', background: true, timeout_seconds: 30 }], ['run_bash', { command: 'b', background: false, timeout_seconds: 5 }], ['run_bash', { command: 'c', x: '1' }]],
    ],
    'U+0130, which is longer in lower case': ['<write_file path="a">\u0130x</write_file>AFTER', '+1:write_file{"path":"a"} 1"\u0130x" -1 +2:text 2"AFTER" -2'],
    'a tool keeps the case of its name': ['<tool name="ReadFile"><X>1</X></TOOL>x', '+1:tool_call{"tool_name":"ReadFile"} 1"<X>1</X>" -1 +2:text 2"x" -2', [['ReadFile', { X: '1' }]]],
    'a tool without arguments': ['<tool name="t"></tool><tool name="u"/>', '+1:tool_call{"tool_name":"t"} -1 +2:tool_call{"tool_name":"u"} -2', [['t', {}], ['u', {}]]],
    'write_file: content before path': [
      '<tool name="write_file"><arguments><arg name="content">X<b></arg><arg name="path"> /a </arg></arguments></tool>z',
      '+1:write_file{"tool_name":"write_file","path":"/a"} 1"X<b>" -1 +2:text 2"z" -2', [['write_file', { path: '/a', content: 'X<b>' }]],
    ],
    'write_file: no content': ['<tool name="write_file"><arg name="path">/a</arg></tool>T<run_bash>x</run_bash>', '+1:write_file{"tool_name":"write_file","path":"/a"} -1 +2:text 2"T" -2 +3:run_bash 3"x" -3', [['run_bash', { command: 'x' }]], 'missing-arguments'],
    'write_file: the end marker missing': [
      '<tool name="write_file"><arguments><arg name="path">/a</arg><arg name="content">__START_CONTENT__\nx</arg>y\n  </arg></arguments></tool>z',
      '+1:write_file{"tool_name":"write_file","path":"/a"} 1"x</arg>y" -1 +2:text 2"z" -2',
    ],
    'write_file: an end marker that is content': [
      '<tool name="write_file"><arg name="path">/a</arg><arg name="content"> \n__START_CONTENT__\r\nx__END_CONTENT__y\n__END_CONTENT__\n</arg> </tool>',
      '+1:write_file{"tool_name":"write_file","path":"/a"} 1"x__END_CONTENT__y\\n" -1',
    ],
    'patch_file and edit_file': [
      '<tool name="Patch_File"><arg name="path">a</arg><arg name="patch">__START_PATCH__\n@@\n__END_PATCH__</arg></tool><tool name="edit_file"><arg name="path">b</arg><arg name="patch">-x\n</arg></tool>',
      '+1:patch_file{"tool_name":"Patch_File","path":"a"} 1"@@\\n" -1 +2:edit_file{"tool_name":"edit_file","path":"b"} 2"-x\\n" -2',
      [['patch_file', { path: 'a', patch: '@@\n' }], ['edit_file', { path: 'b', patch: '-x\n' }]],
    ],
    'run_bash as a tool: the content is the command alone': [
      '<tool name="run_bash"><arguments><arg name="background">true</arg><arg name="command" >ls &lt; x</ARG><arg name="why">no</arg></arguments></TOOL>done',
      '+1:run_bash{"tool_name":"run_bash"} 1"ls &lt; x" -1 +2:text 2"done" -2', [['run_bash', { command: 'ls &lt; x', background: true, why: 'no' }]],
    ],
    'two specialised tools in a row': [
      '<tool name="run_bash"><arg name="command">a</arg></tool><tool name="run_bash"><arg name="command">b</arg></tool>',
      '+1:run_bash{"tool_name":"run_bash"} 1"a" -1 +2:run_bash{"tool_name":"run_bash"} 2"b" -2', [['run_bash', { command: 'a' }], ['run_bash', { command: 'b' }]],
    ],
    'JSON: a string with brackets and quotes in it': [
      'Sure: {"tool": {"function": "f", "parameters": {"a": "}{\\"["}}} ok', '+1:text 1"Sure: " -1 +2:tool_call 2"{\\"tool\\": {\\"function\\": \\"f\\", \\"parameters\\": {\\"a\\": \\"}{\\\\\\"[\\"}}}" -2 +3:text 3" ok" -3',
      [['f', { a: '}{"[' }]], '', { strategy: 'json' },
    ],
    'JSON: an object that is not a tool is not searched': ['{"foo": {"tool": 1}} [1]', '+1:text 1"{\\"foo\\": {\\"tool\\": 1}} [1]" -1', [], '', { strategy: 'json' }],
    'JSON: the search continues at the first invalid character': ['{"foo": {x {"tool":{"function":"f"}}', '+1:text 1"{\\"foo\\": {x " -1 +2:tool_call 2"{\\"tool\\":{\\"function\\":\\"f\\"}}" -2', [['f', {}]], '', { strategy: 'json' }],
    'JSON: a list around a tool without a signature': ['[{"tool":{"function":"f"}}]', '+1:text 1"[" -1 +2:tool_call 2"{\\"tool\\":{\\"function\\":\\"f\\"}}" -2 +3:text 3"]" -3', [['f', {}]], '', { strategy: 'json' }],
    'sentinel: brackets in the header': [
      'a[[SEG_START {"type":"Tool","tool_name":"t]]","arguments":{"m":[[1]]}}]]x[[seg_end]]b',
      '+1:text 1"a" -1 +2:tool_call{"tool_name":"t]]","arguments":{"m":[[1]]}} 2"x" -2 +3:text 3"b" -3', [['t]]', { m: [[1]] }]], '', { strategy: 'sentinel' },
    ],
    'sentinel: a text is a separate segment': ['q[[SEG_START{"type":"text","k":1}]]x[[SEG_END]]r', '+1:text 1"q" -1 +2:text{"k":1} 2"x" -2 +3:text 3"r" -3', [], '', { strategy: 'sentinel' }],
    'sentinel: a header that is bad': ['[[SEG_START {type:write_file}]]x[[SEG_END]]', '+1:text 1"[[SEG_START {type:write_file}]]x[[SEG_END]]" -1', [], 'bad-header', { strategy: 'sentinel' }],
  }

  for (const [name, [text, expected, invoked, codes, config]] of Object.entries(table)) {
    test(name, () => {
      for (const [cut, chunks] of everyCut(text)) {
        const emitted = handle(chunks, { config })
        assert.equal(joined(emitted.events), expected, cut)
        if (invoked !== undefined) assert.deepEqual(emitted.invocations.map(({ name: tool, arguments: values }) => [tool, values]), invoked, cut)
        assert.equal(emitted.codes, codes ?? '', cut)
      }
    })
  }

  test('every type of a sentinel', () => {
    const types = { text: 'text', tool: 'tool_call', tool_call: 'tool_call', write_file: 'write_file', patch_file: 'patch_file', edit_file: 'edit_file', run_bash: 'run_bash', run_terminal_cmd: 'run_bash', reasoning: 'reasoning', ' Run_Bash ': 'run_bash' }
    for (const [type, segment] of Object.entries(types)) {
      assert.equal(joined(parse([`[[SEG_START ${JSON.stringify({ path: 'p', type })} ]]x[[SEG_END]]`], { strategy: 'sentinel' })), `+1:${segment}{"path":"p"} 1"x" -1`, type)
    }
  })

  test('tools by sentinel', () => {
    const call = (header, body) => calls(`[[SEG_START ${JSON.stringify(header)}]]${body}[[SEG_END]]`, { strategy: 'sentinel' })
    assert.deepEqual(call({ type: 'write_file', path: 'a' }, 'x'), [['write_file', { path: 'a', content: 'x' }]])
    assert.deepEqual(call({ type: 'patch_file', path: 'a' }, '@@'), [['patch_file', { path: 'a', patch: '@@' }]])
    assert.deepEqual(call({ type: 'edit_file', path: 'a' }, '@@'), [['edit_file', { path: 'a', patch: '@@' }]])
    assert.deepEqual(call({ type: 'run_bash' }, 'ls'), [['run_bash', { command: 'ls' }]])
    assert.deepEqual(call({ type: 'run_terminal_cmd', command: 'pwd' }, ''), [['run_bash', { command: 'pwd' }]])
    assert.deepEqual(call({ type: 'run_bash', cmd: 'pwd' }, ''), [['run_bash', { command: 'pwd' }]])
    assert.deepEqual(call({ type: 'tool', tool_name: 't', arguments: { a: 1 } }, ''), [['t', { a: 1 }]])
    assert.deepEqual(call({ type: 'tool', name: 't' }, '{"a":[1]}'), [['t', { a: [1] }]])
    assert.deepEqual(call({ type: 'tool', tool_name: 't', name: 'n' }, '<arg name="a">1</arg>'), [['t', { a: '1' }]])
    assert.deepEqual(call({ type: 'tool_call', tool_name: 't' }, ''), [['t', {}]])
    assert.deepEqual(call({ type: 'text', tool_name: 't' }, '{}'), [])
    assert.deepEqual(call({ type: 'reasoning', tool_name: 't' }, '{}'), [])
  })

  test('a tag may be 4,096 units long, and no longer', () => {
    const tag = (size) => `<run_bash a="${'x'.repeat(size - 15)}">`
    for (const size of [1, 1_000, 10_000]) {
      assert.match(joined(parse(pieces(`${tag(4_096)}ls</run_bash>`, size))), /^\+1:run_bash\{"a":"x+"\} 1"ls" -1$/)
      const long = `${tag(4_097)}ls</run_bash>`
      const { codes, events } = handle(pieces(long, size))
      assert.equal(joined(events), `+1:text 1${JSON.stringify(long)} -1`)
      assert.equal(codes, 'bad-tag')
    }
    const parser = new StreamingParser()
    const emitted = pieces(`<tool ${'x'.repeat(5_000)}`, 10).flatMap((chunk) => parser.feed(chunk))
    assert.ok(emitted.length > 0, 'text is emitted before the end')
  })
})

describe('errors', () => {
  const cases = {
    'unterminated xml': ['a <run_bash>ls', 'unterminated', 'seg_2'],
    'unterminated before the start': ['a <tool name="write_file"><arg name="pa', 'unterminated', null],
    'unterminated JSON': ['{"tool":{"x', 'unterminated', 'seg_1', 'json'],
    'unterminated sentinel': ['[[SEG_START {"type":"reasoning"}]]ls', 'unterminated', 'seg_1', 'sentinel'],
    'missing-arguments': ['a <tool name="write_file"><arg name="content"><run_bash>x</run_bash></arg></tool> b', 'missing-arguments', null],
    'bad-header, no JSON': ['a [[SEG_START {type}]] b', 'bad-header', null, 'sentinel'],
    'bad-header, no type': ['a [[SEG_START {"path":"p"}]] b', 'bad-header', null, 'sentinel'],
    'bad-header, a type that is unknown': ['a [[SEG_START {"type":"nope"}]] b', 'bad-header', null, 'sentinel'],
    'bad-header, cut': ['a [[SEG_START {"type":"to', 'bad-header', null, 'sentinel'],
    'bad-tag, cut': ['a <tool name="x', 'bad-tag', null],
    'bad-tag, write_file': ['a <write_file path="x"', 'bad-tag', null],
    'bad-tag, run_bash': ['a <run_bash ', 'bad-tag', null],
  }

  for (const [name, [text, code, segmentId, strategy]] of Object.entries(cases)) {
    test(name, () => {
      const expected = handle([text], { config: { strategy } })
      assert.equal(expected.codes, code)
      const [error] = expected.errors
      assert.equal(Object.getPrototypeOf(error), Object.prototype)
      assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'raw', 'segmentId', 'span'])
      assert.ok(error.message.length > 10)
      assert.equal(error.raw, text.slice(...error.span))
      assert.ok(error.raw !== '')
      assert.equal(error.segmentId, segmentId)
      assert.deepEqual(expected.invocations, [])
      for (const [cut, chunks] of everyCut(text)) assert.deepEqual(handle(chunks, { config: { strategy } }).errors, [error], cut)
      const own = []
      parse([text], { strategy, onError: (each) => own.push(each) })
      assert.deepEqual(own, [error])
    })
  }

  test('come after the end of their segment', () => {
    const log = []
    const handler = new StreamingResponseHandler({ onSegmentEvent: (event) => log.push(short([event])), onError: ({ code }) => log.push(code) })
    handler.feed('<run_bash>ls')
    handler.finalize()
    assert.deepEqual(log, ['+1:run_bash', '1"ls"', '-1', 'unterminated'])
  })

  test('text, reasoning and partial tags that are text make no call', () => {
    for (const text of ['a', 'a <', 'a <wri', '<tool', '<tools x', '</tool', 'a [[SEG_', '{"a', '{"to', '```\n', '&am', '[[SEG_START']) {
      for (const strategyOrder of [['xml_tag'], ['json_tool'], ['xml_tag', 'json_tool']]) assert.equal(handle([text], { config: { strategyOrder } }).codes, '', text)
    }
    assert.equal(handle([{ reasoning: 'hm' }]).codes, '')
  })

  const adapterCases = {
    'bad-arguments, text': ['<tool name="t">run it</tool>', 'bad-arguments'],
    'bad-arguments, text after an argument': ['<tool name="t"><arguments><arg name="a">1</arg> x</arguments></tool>', 'bad-arguments'],
    'bad-arguments, no JSON object': ['<tool name="t">[1]</tool>', 'bad-arguments'],
    'bad-arguments, bad JSON': ['<tool name="t">{"a":}</tool>', 'bad-arguments'],
    'bad-arguments, JSON tool': ['{"tool":{"function":"f" "x"}}', 'bad-arguments', 'json'],
    'bad-arguments, no object': ['{"tool":{"function":"f","parameters":5}}', 'bad-arguments', 'json'],
    'bad-arguments, a string that is not JSON': ['{"tool":{"function":"f","parameters":"x"}}', 'bad-arguments', 'json'],
    'missing-name, no name': ['{"tool":{"parameters":{}}}', 'missing-name', 'json'],
    'missing-name, an invalid name': ['{"tool":{"function":5}}', 'missing-name', 'json'],
    'missing-name, sentinel': ['[[SEG_START {"type":"tool"}]]{}[[SEG_END]]', 'missing-name', 'sentinel'],
    'missing-arguments, no path': ['[[SEG_START {"type":"write_file"}]]x[[SEG_END]]', 'missing-arguments', 'sentinel'],
    'missing-arguments, no command': ['<run_bash></run_bash>', 'missing-arguments'],
    'missing-arguments, a blank command': ['<run_bash> \n</run_bash>', 'missing-arguments'],
    'missing-arguments, a tool': ['<tool name="run_bash"><arg name="background">true</arg></tool>', 'missing-arguments'],
  }

  for (const [name, [text, code, strategy]] of Object.entries(adapterCases)) {
    test(name, () => {
      const { codes, errors: [error], invocations } = handle([text], { config: { strategy } })
      assert.deepEqual([codes, invocations], [code, []])
      assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'raw', 'segmentId', 'span'])
      assert.equal(error.segmentId, 'seg_1')
      assert.equal(typeof error.raw, 'string')
      assert.ok(error.span.length === 2 && error.span[0] <= error.span[1])
      const own = []
      const adapter = new ToolInvocationAdapter({ onError: (each) => own.push(each.code) })
      for (const event of parse([text], { strategy })) assert.equal(adapter.processEvent(event), null)
      assert.deepEqual(own, [code])
    })
  }

  test('callbacks are optional', () => {
    for (const [text, , strategy] of [...Object.values(adapterCases), ...Object.values(cases).map(([text, code, , strategy]) => [text, code, strategy])]) {
      const handler = new StreamingResponseHandler({ config: { strategy } })
      handler.feed(text)
      handler.finalize()
      assert.deepEqual(handler.getAllInvocations(), [])
    }
  })
})

const roads = {
  'parseStream of an array': (chunks, config) => new StreamingParser(config).parseStream(chunks),
  'parseStream of a generator': (chunks, config) => new StreamingParser(config).parseStream(chunks.values()),
  'parseStream of an async generator': (chunks, config) => new StreamingParser(config).parseStream(generated(chunks)),
  'parseStream of a stream': (chunks, config) => new StreamingParser(config).parseStream(ReadableStream.from(chunks)),
  'parseSegments of an array': (chunks, config) => parseSegments(chunks, config),
  'parseSegments of an async generator': (chunks, config) => parseSegments(generated(chunks), config),
  'parseSegments of a stream': (chunks, config) => parseSegments(ReadableStream.from(chunks), config),
  SegmentStream: (chunks, config) => ReadableStream.from(chunks).pipeThrough(new SegmentStream(config)),
}

describe('streams', () => {
  for (const [name, road] of Object.entries(roads)) {
    test(`${name} yields the parser's events, at every size of chunk`, async () => {
      for (const size of [1, 2, 3, 5, 8, 13, 1_000]) {
        const events = await all(road(pieces(TEXT, size)))
        assert.deepEqual(events, parse(pieces(TEXT, size)), `chunks of ${size}`)
        assert.equal(joined(events), TOLD)
      }
    })

    test(`${name} finalizes at the end`, async () => {
      const errors = []
      const onError = ({ code }) => errors.push(code)
      assert.equal(short(await all(road(['a <wri']))), '+1:text 1"a " 1"<wri" -1')
      assert.equal(joined(await all(road(['<run_bash>ls</r'], { onError }))), '+1:run_bash 1"ls</r" -1')
      assert.deepEqual(errors, ['unterminated'])
      assert.deepEqual(await all(road([])), [])
      assert.deepEqual(await all(road(['', ''])), [])
    })

    test(`${name} takes a config`, async () => {
      const config = { strategy: 'sentinel', segmentIdPrefix: 'p:' }
      assert.equal(short(await all(road(['[[SEG_START {"type":"run_bash"}]]x[[SEG_END]]'], config))), '+p:seg_1:run_bash p:seg_1"x" -p:seg_1')
    })

    test(`${name} rejects a chunk that is not a string`, async () => {
      await assert.rejects(all(road(['a', 7])), (error) => error instanceof TypeError && /number 7/.test(error.message))
    })
  }

  const loops = { parseStream: (source) => new StreamingParser().parseStream(source), parseSegments: (source) => parseSegments(source) }
  for (const [name, loop] of Object.entries(loops)) {
    test(`${name}: a string is one chunk`, async () => {
      assert.equal(joined(await all(loop(TEXT))), TOLD)
    })

    test(`${name}: an invalid source is rejected`, async () => {
      for (const value of [undefined, null, 7, {}, Promise.resolve([])]) await assert.rejects(async () => all(loop(value)), TypeError)
    })

    test(`${name}: events come with the chunk that decides them, and nothing is read ahead`, async () => {
      const given = []
      async function* source() {
        for (const chunk of ['a <', 'run_bash>', 'ls']) {
          given.push(chunk)
          yield chunk
        }
      }
      const events = loop(source())
      assert.equal(short([(await events.next()).value, (await events.next()).value]), '+1:text 1"a "')
      assert.equal(given.length, 1)
      assert.equal(short([(await events.next()).value, (await events.next()).value]), '-1 +2:run_bash')
      assert.equal(given.length, 2)
      assert.equal(short([(await events.next()).value, (await events.next()).value]), '2"ls" -2')
      assert.deepEqual(await events.next(), { done: true, value: undefined })
    })

    test(`${name}: leaving the loop stops the source`, async () => {
      let ended = 0
      async function* source() {
        try {
          for (;;) yield 'a'
        } finally {
          ended += 1
        }
      }
      for await (const { type } of loop(source())) {
        assert.equal(type, 'SEGMENT_START')
        break
      }
      assert.equal(ended, 1)
      const { stream, seen } = counted(['a', 'b', 'c'])
      for await (const { type } of loop(stream)) {
        assert.equal(type, 'SEGMENT_START')
        break
      }
      assert.ok(seen.cancelled)
      assert.equal(stream.locked, false)
    })

    test(`${name}: an error of the source is thrown, after the events before it`, async () => {
      async function* broken() {
        yield 'a'
        throw new Error('line down')
      }
      for (const source of [broken(), ReadableStream.from(broken())]) {
        const got = []
        await assert.rejects(async () => {
          for await (const event of loop(source)) got.push(event)
        }, /line down/)
        assert.equal(short(got), '+1:text 1"a"')
      }
    })
  }

  test('parseStream leaves the parser finalized', async () => {
    const parser = new StreamingParser()
    await all(parser.parseStream(pieces(TEXT, 4)))
    assert.equal(parser.isFinalized, true)
    assert.deepEqual(parser.finalize(), [])
    assert.throws(() => parser.feed('x'), { code: 'finished' })
    parser.reset()
    assert.equal(joined(await all(parser.parseStream([TEXT]))), TOLD)
  })

  test('SegmentStream: cancelling the output cancels the source', async () => {
    const { stream, seen } = counted(['a', 'b', 'c'])
    const reader = stream.pipeThrough(new SegmentStream()).getReader()
    assert.equal((await reader.read()).value.type, 'SEGMENT_START')
    await reader.cancel('enough')
    await settled()
    assert.deepEqual(seen.cancelled, { reason: 'enough' })
  })

  test('SegmentStream is a TransformStream and can be piped on', async () => {
    assert.ok(new SegmentStream() instanceof TransformStream)
    const types = new TransformStream({ transform: ({ type, segment_type: kind }, controller) => type === 'SEGMENT_START' && controller.enqueue(kind) })
    assert.deepEqual(await all(ReadableStream.from(pieces(TEXT, 3)).pipeThrough(new SegmentStream()).pipeThrough(types)), ['text', 'write_file', 'text', 'run_bash', 'tool_call', 'text'])
  })
})

describe('extractSegments', () => {
  test('puts segments together', () => {
    for (const config of [{}, { spans: true }]) {
      assert.deepEqual(extractSegments(parse(pieces(TEXT, 2), config)), [
        { id: 'seg_1', type: 'text', content: 'Hi ', metadata: {} },
        { id: 'seg_2', type: 'write_file', content: 'x = "<b>"\n', metadata: { path: '/a.py' } },
        { id: 'seg_3', type: 'text', content: ', then ', metadata: {} },
        { id: 'seg_4', type: 'run_bash', content: 'ls', metadata: { timeout_seconds: 30 } },
        { id: 'seg_5', type: 'tool_call', content: '<arguments><arg name="p">1</arg></arguments>', metadata: { tool_name: 'read' } },
        { id: 'seg_6', type: 'text', content: ' bye', metadata: {} },
      ])
    }
    assert.deepEqual(extractSegments([]), [])
  })

  test('takes segments that are open, empty, or interleaved', () => {
    const parser = new StreamingParser()
    assert.deepEqual(extractSegments(parser.feed('<run_bash/><run_bash>l')), [{ id: 'seg_1', type: 'run_bash', content: '', metadata: {} }, { id: 'seg_2', type: 'run_bash', content: 'l', metadata: {} }])
    const { events } = handle([delta(0, '{"a"', { name: 't', callId: 'c1' }), { content: 'hm' }, delta(0, ':1}')])
    assert.deepEqual(extractSegments(events), [{ id: 'c1', type: 'tool_call', content: '{"a":1}', metadata: { tool_name: 't' } }, { id: 'seg_1', type: 'text', content: 'hm', metadata: {} }])
  })
})

describe('StreamingResponseHandler', () => {
  test('takes the chunks of AutoByteus, and refuses objects that it knows no key of', () => {
    const handler = new StreamingResponseHandler()
    handler.feed({ content: '', tool_calls: [{ index: 0, call_id: 'c1', name: 'add', arguments_delta: null }], is_complete: false })
    handler.feed({ content: null, reasoning: null, tool_calls: [{ index: 0, arguments_delta: '{"a": 1}' }], toolCalls: null })
    assert.deepEqual(handler.feed({ usage: { total: 3 } }), [])
    assert.deepEqual(handler.feed({ isComplete: true }), [])
    handler.finalize()
    assert.deepEqual(handler.getAllInvocations().map((each) => JSON.stringify(each)), ['{"id":"c1","name":"add","arguments":{"a":1},"callId":"c1"}'])
    const bad = [
      [{}, /takes a string or an object with content, .* or is_complete, but got an object without any of them/],
      [{ text: 'x', delta: 'y' }, /but got one with text, delta/],
      [{ is_complete: 'yes' }, /isComplete must be a boolean/],
      [{ tool_calls: {} }, /tool_calls must be an array/],
      [{ tool_calls: [{ index: 0, call_id: 7 }] }, /tool_calls\[0\]\.call_id must be a string/],
      [{ tool_calls: [{ index: 0, arguments_delta: {} }] }, /tool_calls\[0\]\.arguments_delta must be a string/],
    ]
    for (const [chunk, message] of bad) assert.throws(() => new StreamingResponseHandler().feed(chunk), { name: 'TypeError', message })
  })

  test('feeds text, emits events and calls', () => {
    const log = []
    const handler = new StreamingResponseHandler({ onSegmentEvent: (event) => log.push(event), onToolInvocation: (invocation) => log.push(invocation) })
    const given = [...handler.feed('Hi <run_b'), ...handler.feed({ content: 'ash>ls</run_bash>' }), ...handler.finalize()]
    assert.deepEqual(given, log.filter(({ type }) => type !== undefined))
    assert.deepEqual(handler.getAllEvents(), given)
    assert.equal(short(given), '+1:text 1"Hi " -1 +2:run_bash 2"ls" -2')
    assert.deepEqual(handler.getAllInvocations().map((each) => JSON.stringify(each)), ['{"id":"seg_2","name":"run_bash","arguments":{"command":"ls"}}'])
    assert.deepEqual(log.at(-1), handler.getAllInvocations()[0])
    assert.deepEqual(log.at(-2), given.at(-1))
  })

  test('an invocation is emitted right after the end of its segment', () => {
    const log = []
    const handler = new StreamingResponseHandler({ onSegmentEvent: (event) => log.push(short([event])), onToolInvocation: ({ id }) => log.push(`call ${id}`) })
    handler.feed('<run_bash>a</run_bash><run_bash>b</run_bash>c')
    assert.deepEqual(log, ['+1:run_bash', '1"a"', '-1', 'call seg_1', '+2:run_bash', '2"b"', '-2', 'call seg_2', '+3:text', '3"c"'])
  })

  test('keeps nothing if it needn\'t', () => {
    const emitted = []
    const called = []
    const options = { onSegmentEvent: (event) => emitted.push(event), onToolInvocation: ({ name }) => called.push(name) }
    for (const handler of [new StreamingResponseHandler({ ...options, keepEvents: false }), streamingResponseHandlerFor({ ...options, keepEvents: false })]) {
      assert.equal(short(handler.feed('<run_bash>a</run_bash>')), '+1:run_bash 1"a" -1')
      assert.deepEqual([handler.getAllEvents(), handler.getAllInvocations()], [[], []])
    }
    assert.deepEqual([emitted.length, called], [6, ['run_bash', 'run_bash']])
    assert.throws(() => new StreamingResponseHandler({ keepEvents: 1 }), typeError('keepEvents', 'number 1'))
  })

  test('after finalize only reset helps', () => {
    const handler = new StreamingResponseHandler()
    handler.feed('<run_bash>a</run_bash>b')
    assert.equal(handler.isFinalized, false)
    assert.equal(short(handler.finalize()), '-2')
    assert.equal(handler.isFinalized, true)
    assert.deepEqual(handler.finalize(), [])
    for (const chunk of ['c', { content: 'c' }, { reasoning: 'c' }, delta(0, '{}', { name: 't' })]) assert.throws(() => handler.feed(chunk), (error) => error instanceof ParseError && error.code === 'finished')
    assert.equal(handler.getAllInvocations().length, 1)
    handler.reset()
    assert.equal(handler.isFinalized, false)
    assert.deepEqual([handler.getAllEvents(), handler.getAllInvocations()], [[], []])
    assert.equal(short([...handler.feed('x'), ...handler.finalize()]), '+1:text 1"x" -1')
  })

  test('reset forgets calls, reasoning and text that are open', () => {
    const handler = new StreamingResponseHandler()
    for (const chunk of ['a <run_b', { reasoning: 'hm' }, delta(0, '{"a":', { name: 't', callId: 'c1' }), delta(1, '{"path":"x"', { name: 'write_file' })]) {
      handler.feed(chunk)
      handler.reset()
      const again = handle([TEXT, { reasoning: 'x' }, delta(0, '{}', { name: 'u', callId: 'c1' })])
      assert.deepEqual([...handler.feed(TEXT), ...handler.feed({ reasoning: 'x' }), ...handler.feed(delta(0, '{}', { name: 'u', callId: 'c1' })), ...handler.finalize()], again.events)
      assert.deepEqual(handler.getAllInvocations(), again.invocations)
      handler.reset()
    }
  })

  test('an empty chunk emits nothing', () => {
    const handler = new StreamingResponseHandler()
    for (const chunk of ['', { usage: null }, { content: null }, { content: '' }, { reasoning: null, content: undefined }, { reasoning: '', toolCalls: [] }, { toolCalls: null }, { content: '', reasoning: '', toolCalls: [] }]) assert.deepEqual(handler.feed(chunk), [])
    assert.deepEqual(handler.finalize(), [])
  })

  test('rejects malformed input, and continues', () => {
    const handler = new StreamingResponseHandler()
    handler.feed('a <run_b')
    for (const chunk of [undefined, null, 5, true, {}, { content: 5 }, { content: {} }, { reasoning: 5 }, { toolCalls: 'x' }, { toolCalls: [5] }, { toolCalls: [null] }, { toolCalls: [{}] }, { toolCalls: [{ index: '0' }] }, { toolCalls: [{ index: NaN }] }, delta(0, 5), delta(0, '{}', { name: 5 }), delta(0, '{}', { callId: 5 })]) {
      assert.throws(() => handler.feed(chunk), TypeError, JSON.stringify(chunk))
    }
    assert.equal(short([...handler.feed('ash>ls</run_bash>'), ...handler.finalize()]), '-1 +2:run_bash 2"ls" -2')
  })

  test('rejects unknown options and invalid callbacks', () => {
    assert.throws(() => new StreamingResponseHandler({ onSegmentEvents() {} }), typeError('"onSegmentEvents"', 'onSegmentEvent'))
    for (const key of ['onSegmentEvent', 'onToolInvocation', 'onError']) for (const value of ['x', 5, {}]) assert.throws(() => new StreamingResponseHandler({ [key]: value }), typeError(key))
    for (const value of [null, 5, 'x', []]) assert.throws(() => new StreamingResponseHandler(value), TypeError)
    for (const value of [null, 5, 'x']) assert.throws(() => new StreamingResponseHandler({ schemas: value }), TypeError)
  })

  test('schemas type arguments', () => {
    const schemas = { add: { properties: { n: { type: 'integer' }, s: { type: 'string' } } } }
    const { invocations } = handle(['<tool name="add"><arg name="n">3</arg><arg name="s">3</arg></tool><tool name="other"><arg name="n">3</arg></tool>'], { schemas })
    assert.deepEqual(invocations.map(({ arguments: values }) => values), [{ n: 3, s: '3' }, { n: '3' }])
  })

  test('config.jsonProfile reaches the arguments', () => {
    const text = '{"name":"f","args":{"a":1},"arguments":{"b":1}}'
    assert.deepEqual(calls(text, { strategy: 'json', jsonProfile: 'gemini' }), [['f', { a: 1 }]])
  })
})

describe('reasoning', () => {
  test('is a segment that ends before what follows', () => {
    const { codes, events, invocations } = handle([{ reasoning: 'h' }, { reasoning: 'm', content: '' }, { reasoning: '', content: 'Hi' }, { reasoning: 'so' }, delta(0, '{}', { name: 't', callId: 'c1' }), { reasoning: '<run_bash>x</run_bash>' }])
    assert.equal(short(events), '+1:reasoning 1"h" 1"m" -1 +2:text 2"Hi" -2 +3:reasoning 3"so" -3 +c1:tool_call{"tool_name":"t"} c1"{}" -c1 +4:reasoning 4"<run_bash>x</run_bash>" -4')
    assert.equal(codes, '')
    assert.equal(invocations.length, 1)
  })

  test('continues while a call has not begun', () => {
    const { events } = handle([{ reasoning: 'a' }, delta(0, '{"content":"x",', { name: 'write_file', callId: 'c1' }), { reasoning: 'b' }, delta(0, '"path":"p"}')])
    assert.equal(joined(events), '+1:reasoning 1"ab" -1 +c1:write_file{"tool_name":"write_file","path":"p"} c1"x" -c1')
  })

  test('may come between pieces of a tool', () => {
    const { events, invocations } = handle(['<run_bash>ls', { reasoning: 'x' }, ' -la</run_bash>'])
    assert.equal(joined(events), '+1:run_bash 1"ls" +2:reasoning 2"x" -2 1" -la" -1')
    assert.deepEqual(invocations, [{ id: 'seg_1', name: 'run_bash', arguments: { command: 'ls -la' } }])
  })

  test('loses no pending text', () => {
    const { events } = handle(['a <wri', { reasoning: 'x' }, 'ting'])
    assert.equal(extractSegments(events).filter(({ type }) => type === 'text').map(({ content }) => content).join(''), 'a <writing')
    const tool = handle(['a <run_', { reasoning: 'x' }, 'bash>ls</run_bash>'])
    assert.equal(extractSegments(tool.events).map(({ type, content }) => `${type} ${content}`).join(), 'text a ,reasoning x,run_bash ls')
    assert.equal(tool.invocations.length, 1)
  })

  test('one chunk may have all three', () => {
    const { events } = handle([{ reasoning: 'r', content: 'c', toolCalls: [{ index: 0, name: 't', callId: 'c1', argumentsDelta: '{}' }] }])
    assert.equal(short(events), '+1:reasoning 1"r" -1 +2:text 2"c" -2 +c1:tool_call{"tool_name":"t"} c1"{}" -c1')
  })

  test('has its own spans', () => {
    const { events } = handle([{ reasoning: 'ab' }, 'text', { reasoning: 'cde' }], { config: { spans: true } })
    assert.deepEqual(events.filter(({ type }) => type === 'SEGMENT_CONTENT').map(({ span }) => span), [[0, 2], [0, 4], [2, 5]])
  })
})

describe('API tool calls', () => {
  const api = (chunks, options) => {
    const { events, ...others } = handle(chunks, options)
    return { events, emitted: short(events), ...others }
  }

  test('of any tool', () => {
    const handler = new StreamingResponseHandler()
    const steps = [{ content: 'hi', toolCalls: [] }, delta(0, null, { callId: 'c1', name: 'read' }), delta(0, '{"p":', { callId: null, name: null }), delta(0, '1}'), { content: ' more' }]
    assert.deepEqual(steps.map((chunk) => short(handler.feed(chunk))), ['+1:text 1"hi"', '-1 +c1:tool_call{"tool_name":"read"}', 'c1"{\\"p\\":"', 'c1"1}" -c1', '+2:text 2" more"'])
    assert.equal(short(handler.finalize()), '-2')
    assert.deepEqual(handler.getAllInvocations().map((each) => JSON.stringify(each)), ['{"id":"c1","name":"read","arguments":{"p":1},"callId":"c1"}'])
  })

  test('of write_file, with escapes that are cut', () => {
    const handler = new StreamingResponseHandler()
    const steps = [delta(0, '{"pa', { callId: 'c1', name: 'write_file' }), delta(0, 'th":"/a","content":"a\\'), delta(0, 'nb\\u00e'), delta(0, '9\\ud83d\\ude00\\b\\/"}')]
    assert.deepEqual(steps.map((chunk) => short(handler.feed(chunk))), ['', '+c1:write_file{"tool_name":"write_file","path":"/a"} c1"a"', 'c1"\\nb"', 'c1"é😀\\b/" -c1'])
    assert.deepEqual(handler.getAllInvocations(), [{ id: 'c1', name: 'write_file', arguments: { path: '/a', content: 'a\nbé😀\b/' }, callId: 'c1' }])
  })

  test('of write_file, content before path', () => {
    const handler = new StreamingResponseHandler()
    assert.deepEqual(handler.feed(delta(0, '{"content":"abc",', { callId: 'c1', name: 'write_file' })), [])
    assert.equal(short(handler.feed(delta(0, '"path":"/a"'))), '+c1:write_file{"tool_name":"write_file","path":"/a"} c1"abc"')
    assert.equal(short(handler.feed(delta(0, '}'))), '-c1')
  })

  test('read only own keys of the object, and the first of each name', () => {
    const text = '{"meta":{"path":"WRONG","content":"WRONG"},"list":[{"path":"WRONG"}],"path":"/a","content":"x","path":"/b","content":"y"}'
    for (const [cut, chunks] of everyCut(text)) {
      const { events, invocations, codes } = api(chunks.map((piece) => delta(0, piece, { name: 'write_file', callId: 'c1' })))
      assert.equal(joined(events), '+c1:write_file{"tool_name":"write_file","path":"/a"} c1"x" -c1', cut)
      assert.deepEqual(invocations, [{ id: 'c1', name: 'write_file', arguments: { path: '/a', content: 'x', meta: { path: 'WRONG', content: 'WRONG' }, list: [{ path: 'WRONG' }] }, callId: 'c1' }], cut)
      assert.equal(codes, '', cut)
    }
  })

  test('decode every escape, at every cut', () => {
    const text = ' {\n"cont\\u0065nt" : "caf\\u00e9 ok\\nline2 \\u003cb\\u003e\\ud83d\\ude00🙂\\"\\\\\\/\\b\\f\\r\\t\\u0000 水" , "p\\u0061th":"/\\u00e9 \\ud83d\\ude00.py" }\n'
    const { content, path } = JSON.parse(text)
    for (const [cut, chunks] of everyCut(text)) {
      const { events, invocations, codes } = api(chunks.map((piece) => delta(0, piece, { name: 'write_file' })))
      assert.equal(joined(events), `+1:write_file${JSON.stringify({ tool_name: 'write_file', path })} 1${JSON.stringify(content)} -1`, cut)
      assert.deepEqual(invocations, [{ id: 'seg_1', name: 'write_file', arguments: { path, content } }], cut)
      assert.equal(codes, '', cut)
    }
  })

  test('emit no half of a surrogate pair before the other', () => {
    const text = '{"path":"p","content":"\\ud83d\\ude00🙂\\ud83d\ude42x\\ud83d🙂\\ud83dy\ude00"}'
    const { content } = JSON.parse(text)
    for (const [cut, chunks] of everyCut(text)) {
      const { events } = api(chunks.map((piece) => delta(0, piece, { name: 'write_file' })))
      const deltas = events.filter(({ type }) => type === 'SEGMENT_CONTENT').map(({ payload }) => payload.delta)
      assert.equal(deltas.join(''), content, cut)
      for (const [at, each] of deltas.entries()) if (/[\ud800-\udbff]$/.test(each)) assert.ok(!/^[\udc00-\udfff]/.test(deltas[at + 1] ?? ''), cut)
    }
  })

  test('of patch_file and edit_file', () => {
    for (const name of ['patch_file', 'edit_file']) {
      const { emitted, invocations } = api([delta(0, '{"content":"no","patch":"@@\\n-a","path":"p"}', { name })])
      assert.equal(emitted, `+1:${name}{"tool_name":"${name}","path":"p"} 1"@@\\n-a" -1`)
      assert.deepEqual(invocations, [{ id: 'seg_1', name, arguments: { path: 'p', patch: '@@\n-a', content: 'no' } }])
    }
  })

  test('of write_file, without content', () => {
    const { emitted, invocations, codes } = api([delta(0, '{"path":"p"}', { name: 'write_file' })])
    assert.equal(emitted, '+1:write_file{"tool_name":"write_file","path":"p"} -1')
    assert.deepEqual([invocations, codes], [[], 'missing-arguments'])
  })

  test('of write_file, without path', () => {
    const { emitted, invocations, codes, errors } = api([delta(0, '{"content":"x"}', { name: 'write_file', callId: 'c1' })])
    assert.deepEqual([emitted, invocations, codes], ['', [], 'missing-arguments'])
    assert.equal(errors[0].segmentId, null)
  })

  test('of run_bash are calls of any tool', () => {
    const { emitted, invocations } = api([delta(0, '{"command":"ls"}', { name: 'run_bash' })])
    assert.equal(emitted, '+1:tool_call{"tool_name":"run_bash"} 1"{\\"command\\":\\"ls\\"}" -1')
    assert.deepEqual(invocations, [{ id: 'seg_1', name: 'run_bash', arguments: { command: 'ls' } }])
  })

  test('whose name comes late', () => {
    const file = api([delta(0, '{"path":"/a",', { callId: 'c1' }), delta(0, '"content":"x"}', { name: 'write_file' })])
    assert.equal(joined(file.events), '+c1:write_file{"tool_name":"write_file","path":"/a"} c1"x" -c1')
    assert.deepEqual(file.invocations, [{ id: 'c1', name: 'write_file', arguments: { path: '/a', content: 'x' }, callId: 'c1' }])
    const any = api([delta(0, '{"a"', { callId: 'c1' }), delta(0, ':1}'), delta(0, null, { name: 'read' })])
    assert.equal(joined(any.events), '+c1:tool_call{"tool_name":"read"} c1"{\\"a\\":1}" -c1')
    assert.deepEqual(any.invocations, [{ id: 'c1', name: 'read', arguments: { a: 1 }, callId: 'c1' }])
    assert.deepEqual([file.codes, any.codes], ['', ''])
  })

  test('whose id comes late', () => {
    const late = api([delta(0, '{"a"', { name: 'read' }), delta(0, ':1}', { callId: 'c1' })])
    assert.equal(joined(late.events), '+1:tool_call{"tool_name":"read"} 1"{\\"a\\":1}" -1')
    assert.deepEqual(late.invocations, [{ id: 'seg_1', name: 'read', arguments: { a: 1 }, callId: 'c1' }])
    const file = api([delta(0, '{"content":"x",', { name: 'write_file' }), delta(0, '"path":"p"}', { callId: 'c1' })])
    assert.equal(joined(file.events), '+c1:write_file{"tool_name":"write_file","path":"p"} c1"x" -c1')
  })

  test('whose ids are not unique', () => {
    const { events, invocations } = api([delta(0, '{}', { name: 'a', callId: 'c1' }), delta(1, '{}', { name: 'b', callId: 'c1' }), 'x', delta(2, '{}', { name: 'c', callId: 'seg_1' }), delta(3, '{}', { name: 'd', callId: 'seg_4' }), 'y', 'z', delta(4, '{}', { name: 'e' })])
    const ids = events.filter(({ type }) => type === 'SEGMENT_START').map((event) => event.segment_id)
    assert.equal(new Set(ids).size, ids.length, ids.join())
    assert.deepEqual(invocations.map(({ name, callId }) => [name, callId]), [['a', 'c1'], ['b', 'c1'], ['c', 'seg_1'], ['d', 'seg_4'], ['e', undefined]])
    assert.ok(!('callId' in invocations[4]))
    assert.equal(new Set(invocations.map(({ id }) => id)).size, 5)
  })

  test('ids of an own have the prefix, those of a provider have none', () => {
    const { events } = api(['x', delta(0, '{}', { name: 'a' }), delta(1, '{}', { name: 'b', callId: 'c1' })], { config: { segmentIdPrefix: 'p:' } })
    assert.deepEqual([...new Set(events.map((event) => event.segment_id))], ['p:seg_1', 'p:seg_2', 'c1'])
  })

  test('that are interleaved', () => {
    const { events, invocations } = api([
      { toolCalls: [{ index: 0, callId: 'c1', name: 't1', argumentsDelta: '{"a":1' }, { index: 1, callId: 'c2', name: 't2', argumentsDelta: '{"b"' }] },
      { toolCalls: [{ index: 1, argumentsDelta: ':2}' }, { index: 0, argumentsDelta: '}' }] },
    ])
    assert.equal(short(events), '+c1:tool_call{"tool_name":"t1"} c1"{\\"a\\":1" +c2:tool_call{"tool_name":"t2"} c2"{\\"b\\"" c2":2}" -c2 c1"}" -c1')
    assert.deepEqual(invocations, [{ id: 'c2', name: 't2', arguments: { b: 2 }, callId: 'c2' }, { id: 'c1', name: 't1', arguments: { a: 1 }, callId: 'c1' }])
  })

  test('with text between', () => {
    const { events } = api(['a', delta(0, '{"a"', { name: 't', callId: 'c1' }), 'b', 'c', delta(0, ':1'), delta(0, '}'), delta(1, '{}', { name: 'u', callId: 'c2' }), 'd'])
    assert.equal(joined(events), '+1:text 1"a" -1 +c1:tool_call{"tool_name":"t"} c1"{\\"a\\"" +2:text 2"bc" c1":1}" -c1 -2 +c2:tool_call{"tool_name":"u"} c2"{}" -c2 +3:text 3"d" -3')
  })

  test('lose no pending text', () => {
    const { events } = api(['a <wri', delta(0, '{}', { name: 't', callId: 'c1' }), 'ting'])
    assert.equal(extractSegments(events).filter(({ type }) => type === 'text').map(({ content }) => content).join(''), 'a <writing')
  })

  test('thousands in parallel, their indexes in no order', () => {
    const count = 3_000
    const next = random(7)
    const order = Array.from({ length: count }, (_, index) => index)
    const shuffle = () => {
      for (let at = count - 1; at > 0; at--) {
        const other = next(at + 1)
        ;[order[at], order[other]] = [order[other], order[at]]
      }
      return [...order]
    }
    const texts = order.map((index) => (index % 3 === 0 ? `{"path":"/${index}","content":"é\\n${index}"}` : `{"n":${index},"s":"}"}`))
    const handler = new StreamingResponseHandler()
    for (const part of [0, 1, 2]) {
      const deltas = shuffle().map((index) => {
        const third = Math.ceil(texts[index].length / 3)
        const more = part === 0 ? { callId: `call_${index}`, name: index % 3 === 0 ? 'write_file' : 't' } : {}
        return { index: index * 7, argumentsDelta: texts[index].slice(part * third, part * third + third), ...more }
      })
      for (let at = 0; at < count; at += 50) handler.feed({ toolCalls: deltas.slice(at, at + 50) })
    }
    handler.finalize()
    const invocations = handler.getAllInvocations()
    assert.equal(invocations.length, count)
    for (const { id, arguments: values } of invocations) assert.deepEqual(values, JSON.parse(texts[Number(id.slice(5))]))
    assert.equal(new Set(invocations.map(({ id }) => id)).size, count)
  })

  test('that are cut off', () => {
    for (const text of ['{"a":', '{"a":1', '{', '{"a":"x}']) {
      const { events, invocations, codes, errors } = api([delta(0, text, { name: 'read', callId: 'c1' })])
      assert.equal(joined(events), `+c1:tool_call{"tool_name":"read"} c1${JSON.stringify(text)} -c1`)
      assert.deepEqual([invocations, codes], [[], 'unterminated'], text)
      assert.equal(errors[0].segmentId, 'c1')
    }
    const file = api([delta(0, '{"path":"p","content":"x', { name: 'write_file', callId: 'c1' })])
    assert.deepEqual([joined(file.events), file.invocations, file.codes], ['+c1:write_file{"tool_name":"write_file","path":"p"} c1"x" -c1', [], 'unterminated'])
    const early = api([delta(0, '{"content":"x","pa', { name: 'write_file', callId: 'c1' })])
    assert.deepEqual([early.emitted, early.invocations, early.codes], ['', [], 'unterminated'])
  })

  test('that are longer than maxPending', () => {
    for (const [name, emitted] of [['read', '+c1:tool_call{"tool_name":"read"} c1"{\\"a\\":\\"01234" -c1'], ['write_file', ''], [null, '']]) {
      const text = '{"a":"0123456789🙂","path":"p"}'
      for (const [cut, chunks] of everyCut(text)) {
        const { events, invocations, codes, errors } = api([{ toolCalls: [{ index: 0, callId: 'c1', name }] }, ...chunks.map((piece) => delta(0, piece)), delta(0, ' x'), delta(0, '', { name: 'late' })], { config: { maxPending: 11 } })
        assert.deepEqual([joined(events), invocations, codes], [emitted, [], 'call-too-long'], `${name}, ${cut}`)
        assert.deepEqual([errors[0].span, errors[0].raw], [[0, 11], text.slice(0, 11)])
      }
    }
    const whole = api([delta(0, '{"a":"x"}', { name: 'read', callId: 'c1' })], { config: { maxPending: 9 } })
    assert.deepEqual([whole.codes, whole.invocations.length], ['', 1])
  })

  test('that are cut off in a string lose nothing of it', () => {
    for (const [text, content] of [['ab\\n', 'ab\n'], ['a\\ud83d', 'a\ud83d'], ['a\ud83d', 'a\ud83d']]) {
      const { events } = api([delta(0, `{"path":"p","content":"${text}`, { name: 'write_file' })])
      assert.equal(extractSegments(events)[0].content, content)
    }
  })

  test('whose arguments are not a JSON object', () => {
    for (const text of ['[1]', '"x"', '5 ', 'true', 'nope', '{"a" 1}', '{,}']) {
      for (const [cut, chunks] of everyCut(text)) {
        const { events, invocations, codes } = api(chunks.map((piece) => delta(0, piece, { name: 'read', callId: 'c1' })))
        assert.deepEqual([invocations, codes], [[], 'bad-arguments'], `${text}, ${cut}`)
        const [{ type, content }, ...others] = extractSegments(events)
        assert.deepEqual([type, content, others], ['tool_call', text, []], `${text}, ${cut}`)
        assert.equal(events.at(-1).type, 'SEGMENT_END')
      }
    }
  })

  test('whose arguments are not JSON, of write_file', () => {
    const text = '{"path":"p" "content":"x"}'
    const { events, invocations, codes } = api([delta(0, text, { name: 'write_file', callId: 'c1' })])
    assert.deepEqual([invocations, codes], [[], 'bad-arguments'])
    assert.equal(events.at(-1).type, 'SEGMENT_END')
  })

  test('whose arguments are nearly JSON are read with the repairs of tool calls', () => {
    for (const [text, given, names] of [
      ['{"a": nope}', { a: 'nope' }, ['bare-word']],
      ['{"a":1,}', { a: 1 }, ['trailing-comma']],
      ["{'a':True}", { a: true }, ['single-quotes', 'python-word']],
      ['{"a":"\\d"}', { a: '\\d' }, ['kept-escape']],
      ['null', {}, []],
      ['"null"', {}, []],
      [' "" ', {}, []],
    ]) {
      for (const [cut, chunks] of everyCut(text)) {
        const repaired = []
        const log = []
        const handler = new StreamingResponseHandler({ onRepair: (repairs) => repaired.push(...repairs), onToolInvocation: (call) => log.push(call.arguments) })
        for (const piece of chunks) handler.feed({ toolCalls: [{ index: 0, name: 'read', argumentsDelta: piece }] })
        handler.finalize()
        assert.deepEqual([log, repaired], [[given], names], `${text}, ${cut}`)
      }
    }
  })

  test('a file whose arguments are nearly JSON is written as it streams', () => {
    const { events, invocations, codes } = api([delta(0, "{'path':'p','content':'x\\d',}", { name: 'write_file', callId: 'c1' })])
    assert.deepEqual([invocations.map((call) => call.arguments), codes], [[{ path: 'p', content: 'x\\d' }], ''])
    assert.equal(joined(events), '+c1:write_file{"tool_name":"write_file","path":"p"} c1"x\\\\d" -c1')
  })

  test('whose backslash JSON has no meaning for keep it', () => {
    const { invocations, codes } = api([delta(0, '{"path":"p","content":"\\x"}', { name: 'write_file', callId: 'c1' })])
    assert.deepEqual([invocations.map((call) => call.arguments), codes], [[{ path: 'p', content: '\\x' }], ''])
  })

  test('text after the JSON is dropped and reported once', () => {
    const text = '{"a":1} \n junk more'
    for (const [cut, chunks] of everyCut(text)) {
      const { events, invocations, codes, errors } = api(chunks.map((piece) => delta(0, piece, { name: 'read', callId: 'c1' })))
      assert.equal(joined(events), '+c1:tool_call{"tool_name":"read"} c1"{\\"a\\":1}" -c1', cut)
      assert.deepEqual([invocations.length, codes], [1, 'unexpected-text'], cut)
      assert.equal(errors[0].raw, text.slice(...errors[0].span), cut)
    }
    assert.equal(api([delta(0, ' {"a":1} \n\t', { name: 'read' }), delta(0, '  ')]).codes, '')
    assert.equal(api([delta(0, '{"path":"p","content":""}x', { name: 'write_file' }), delta(0, 'y')]).codes, 'unexpected-text')
  })

  test('that are never named', () => {
    const { emitted, invocations, codes, errors } = api([delta(0, '{"a":1}', { callId: 'c1' }), delta(1, null, { callId: 'c2' }), delta(2, '{}', { name: 'x' })])
    assert.equal(emitted, '+1:tool_call{"tool_name":"x"} 1"{}" -1')
    assert.deepEqual([invocations.map(({ name }) => name), codes], [['x'], 'missing-name,missing-name'])
    assert.deepEqual(errors.map(({ segmentId }) => segmentId), [null, null])
  })

  test('with keys of the prototype', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":2}'
    const { invocations } = api([delta(0, text, { name: '__proto__', callId: '__proto__' })])
    assert.equal(JSON.stringify(invocations), `[{"id":"__proto__","name":"__proto__","arguments":${text},"callId":"__proto__"}]`)
    assert.deepEqual(invocations[0].arguments, JSON.parse(text))
    assert.equal({}.polluted, undefined)
  })

  test('are emitted with every strategy', () => {
    for (const config of [{ strategy: 'api_tool_call' }, { strategy: 'json' }, { parseToolCalls: false }, { strategyOrder: [] }]) {
      assert.equal(api(['<run_bash>x</run_bash>', delta(0, '{}', { name: 'x' })], { config }).invocations.at(-1).name, 'x')
    }
  })

  test('spans are positions in the arguments', () => {
    const { events } = api(['text', delta(0, ' {"path":"p",', { name: 'write_file', callId: 'c1' }), delta(1, '{"a"', { name: 't', callId: 'c2' }), delta(0, '"content":"x\\n'), delta(1, ':1}'), delta(0, 'y"}')], { config: { spans: true } })
    const spans = (id) => events.filter(({ type, segment_id: each }) => type === 'SEGMENT_CONTENT' && each === id).map(({ span }) => span)
    assert.deepEqual(spans('c2'), [[0, 4], [4, 7]])
    const text = ' {"path":"p","content":"x\\ny"}'
    assert.deepEqual([spans('c1')[0][0], spans('c1').at(-1)[1]], [text.indexOf('x\\n'), text.indexOf('"}')])
  })
})

describe('callbacks that throw', () => {
  const boom = new Error('mine')

  test('every event and every call is still emitted, and the first error is thrown', () => {
    const text = '<run_bash>a</run_bash>b<run_bash>c</run_bash>'
    const expected = handle([text])
    for (const thrower of ['onSegmentEvent', 'onToolInvocation']) {
      for (const first of [1, 2]) {
        const log = { onSegmentEvent: [], onToolInvocation: [] }
        const record = (name) => (value) => {
          log[name].push(value)
          if (name === thrower && log[name].length >= first) throw log[name].length === first ? boom : new Error('not the first')
        }
        const handler = new StreamingResponseHandler({ onSegmentEvent: record('onSegmentEvent'), onToolInvocation: record('onToolInvocation') })
        assert.throws(() => handler.feed(text), (error) => error === boom)
        assert.deepEqual(log.onSegmentEvent, expected.events)
        assert.deepEqual(log.onToolInvocation, expected.invocations)
        assert.deepEqual(handler.getAllEvents(), expected.events)
        assert.deepEqual(handler.getAllInvocations(), expected.invocations)
        assert.deepEqual(handler.finalize(), [])
      }
    }
  })

  test('in finalize too, and the handler continues after reset', () => {
    const handler = new StreamingResponseHandler({ onSegmentEvent: ({ type }) => type === 'SEGMENT_END' && assert.fail(boom) })
    handler.feed('a')
    assert.throws(() => handler.finalize(), (error) => error === boom)
    assert.equal(handler.isFinalized, true)
    assert.equal(short(handler.getAllEvents()), '+1:text 1"a" -1')
    assert.deepEqual(handler.finalize(), [])
    handler.reset()
    assert.equal(short(handler.feed('b')), '+1:text 1"b"')
  })

  test('with API calls and reasoning', () => {
    const chunk = { reasoning: 'r', content: 'c', toolCalls: [{ index: 0, name: 't', argumentsDelta: '{}' }, { index: 1, name: 'u', argumentsDelta: '{' }] }
    const expected = handle([chunk])
    const handler = new StreamingResponseHandler({ onSegmentEvent() { throw boom }, onToolInvocation() { throw boom } })
    assert.throws(() => handler.feed(chunk), (error) => error === boom)
    assert.throws(() => handler.finalize(), (error) => error === boom)
    assert.deepEqual(handler.getAllEvents(), expected.events)
    assert.deepEqual(handler.getAllInvocations(), expected.invocations)
  })

  test('onError of a handler', () => {
    const handler = new StreamingResponseHandler({ onError() { throw boom } })
    assert.throws(() => handler.feed('<run_bash></run_bash><run_bash>x</run_bash>y'), (error) => error === boom)
    assert.equal(short(handler.getAllEvents()), '+1:run_bash -1 +2:run_bash 2"x" -2 +3:text 3"y"')
    assert.equal(handler.getAllInvocations().length, 1)
    assert.equal(short(handler.finalize()), '-3')
  })

  test('onError of a handler overrides that of its config', () => {
    const log = []
    const onError = (where) => ({ code }) => log.push(`${where} ${code}`)
    const run = (options) => new StreamingResponseHandler(options).feed('<run_bash></run_bash>[')
    run({ config: { onError: onError('config') } })
    run({ onError: onError('handler'), config: { onError: onError('config') } })
    assert.deepEqual(log, ['config missing-arguments', 'handler missing-arguments'])
  })

  test('onError of a parser in finalize', () => {
    const parser = new StreamingParser({ onError() { throw boom } })
    parser.feed('<run_bash>ls')
    assert.throws(() => parser.finalize(), (error) => error === boom)
    assert.equal(parser.isFinalized, true)
    assert.equal(short(parser.finalize()), '-1')
    assert.deepEqual(parser.finalize(), [])
  })

  test('onError of a parser, which loses no event', () => {
    const parser = new StreamingParser({ strategy: 'sentinel', onError() { throw boom } })
    const text = 'a [[SEG_START 5]] b [[SEG_START {"type":"run_bash"}]]x[[SEG_END]]'
    assert.throws(() => parser.feed(text), (error) => error === boom)
    assert.equal(joined([...parser.feed('!'), ...parser.finalize()]), '+1:text 1"a [[SEG_START 5]] b " -1 +2:run_bash 2"x" -2 +3:text 3"!" -3')
  })

  test('an adapter whose onError throws continues', () => {
    const adapter = new ToolInvocationAdapter({ onError() { throw boom } })
    const [bad, good] = ['<run_bash></run_bash>', '<run_bash>x</run_bash>'].map((text) => parse([text]))
    assert.throws(() => bad.forEach((event) => adapter.processEvent(event)), (error) => error === boom)
    assert.deepEqual(good.map((event) => adapter.processEvent(event)).at(-1), { id: 'seg_1', name: 'run_bash', arguments: { command: 'x' } })
  })
})

describe('feeding from inside a callback', () => {
  const isReentrant = (error) => error instanceof ParseError && error.code === 'reentrant'

  test('the same handler is rejected', () => {
    for (const name of ['onSegmentEvent', 'onToolInvocation', 'onError']) {
      for (const act of [(handler) => handler.feed('x'), (handler) => handler.finalize(), (handler) => handler.reset()]) {
        let count = 0
        const handler = new StreamingResponseHandler({
          [name]() {
            count += 1
            assert.throws(() => act(handler), isReentrant)
          },
        })
        handler.feed('<run_bash>a</run_bash><run_bash></run_bash>')
        assert.ok(count > 0, name)
        assert.equal(short(handler.feed('b')), '+3:text 3"b"')
      }
    }
  })

  test('the same parser is rejected', () => {
    let count = 0
    const parser = new StreamingParser({
      strategy: 'sentinel',
      onError() {
        count += 1
        for (const act of [() => parser.feed('x'), () => parser.finalize(), () => parser.reset(), () => parser.feedAndFinalize('x')]) assert.throws(act, isReentrant)
      },
    })
    assert.equal(joined(parser.feed('[[SEG_START 5]]')), '+1:text 1"[[SEG_START 5]]"')
    assert.equal(count, 1)
  })

  test('another handler and another parser may be fed', () => {
    const inner = new StreamingResponseHandler()
    const parser = new StreamingParser()
    const log = []
    const outer = new StreamingResponseHandler({
      onSegmentEvent({ payload }) {
        if (payload.delta === undefined) return
        inner.feed(payload.delta)
        log.push(...parser.feed(payload.delta))
      },
    })
    for (const chunk of pieces(TEXT, 3)) outer.feed(chunk)
    const visible = extractSegments(outer.getAllEvents()).map(({ content }) => content).join('')
    assert.equal(joined(inner.getAllEvents()), `+1:text 1${JSON.stringify(visible)}`)
    assert.equal(joined(log), joined(inner.getAllEvents()))
  })
})

describe('streamingResponseHandlerFor', () => {
  const PROBE = '<run_bash>x</run_bash>{"tool":{"function":"d"}}{"tool_calls":[{"name":"o"}]}{"name":"g"}[[SEG_START {"type":"run_bash"}]]s[[SEG_END]]'
  const found = (options) => {
    const handler = streamingResponseHandlerFor(options)
    assert.ok(handler instanceof StreamingResponseHandler)
    handler.feed(PROBE)
    handler.finalize()
    return handler.getAllInvocations().map(({ name, arguments: { command } }) => command ?? name).join()
  }

  test('takes the parser by provider', () => {
    const providers = { anthropic: 'x', Anthropic: 'x', openai: 'd,o', OpenAI: 'd,o', mistral: 'd,o', DEEPSEEK: 'd,o', grok: 'd,o', gemini: 'g', Gemini: 'g', ollama: 'd', kimi: 'd', qwen: 'd', 'what is new': 'd' }
    for (const [provider, tools] of Object.entries(providers)) assert.equal(found({ provider }), tools, provider)
    assert.equal(found({}), 'x')
    assert.equal(found(), 'x')
  })

  test('parser wins over the environment, which wins over the provider', () => {
    for (const [parser, tools] of [['xml', 'x'], ['json', 'd'], ['sentinel', 's'], ['api_tool_call', ''], ['native', ''], [' XML ', 'x']]) {
      assert.equal(found({ parser }), tools, parser)
      assert.equal(found({ parser, provider: 'anthropic' }), tools, parser)
      withVariable('sentinel', () => assert.equal(found({ parser, provider: 'anthropic' }), tools, parser))
      withVariable(parser, () => {
        assert.equal(found({ provider: 'anthropic' }), tools, parser)
        assert.equal(found({}), tools, parser)
      })
    }
    assert.equal(found({ provider: 'gemini', parser: 'json' }), 'g')
    withVariable('json', () => assert.equal(found({ provider: 'openai' }), 'd,o'))
  })

  test('config is respected, and its jsonProfile wins', () => {
    assert.equal(found({ provider: 'openai', config: { jsonProfile: 'gemini' } }), 'g')
    assert.equal(found({ parser: 'xml', config: { parseToolCalls: false } }), '')
    const handler = streamingResponseHandlerFor({ config: { segmentIdPrefix: 'p:' } })
    assert.equal(short(handler.feed('x')), '+p:seg_1:text p:seg_1"x"')
  })

  test('no tools: markup is text, and API calls are emitted and not invoked', () => {
    for (const tools of [[], {}]) {
      for (const parser of [undefined, 'json', 'sentinel']) {
        const handler = streamingResponseHandlerFor({ tools, ...(parser && { parser }) })
        const events = [...handler.feed(PROBE), ...handler.feed(delta(0, '{}', { name: 't', callId: 'c1' })), ...handler.finalize()]
        assert.equal(joined(events), `+1:text 1${JSON.stringify(PROBE)} -1 +c1:tool_call{"tool_name":"t"} c1"{}" -c1`)
        assert.equal(handler.getAllInvocations().length, 0)
      }
    }
  })

  test('tools in any form type the arguments', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } }
    const typed = [
      [{ name: 'add', parameters: schema }], [{ name: 'add', inputSchema: schema }], [{ name: 'add', input_schema: schema }], [{ type: 'function', function: { name: 'add', parameters: schema } }],
      { add: schema }, { add: { parameters: schema } }, { add: { inputSchema: schema, description: 'adds' } }, { add: { input_schema: schema } }, ['other', { name: 'add', parameters: schema }],
    ]
    const run = (tools) => {
      const handler = streamingResponseHandlerFor({ tools, provider: 'anthropic' })
      handler.feed('<tool name="add"><arg name="n">3</arg></tool>')
      return handler.getAllInvocations()[0].arguments
    }
    for (const tools of typed) assert.deepEqual(run(tools), { n: 3 }, JSON.stringify(tools))
    for (const tools of [undefined, ['add'], [{ name: 'add' }], [{ type: 'function', function: { name: 'add' } }], ['other', 'ADD'], { other: schema, add: true }]) assert.deepEqual(run(tools), { n: '3' }, JSON.stringify(tools))
  })

  test('callbacks are emitted', () => {
    const log = []
    const handler = streamingResponseHandlerFor({ parser: 'xml', onSegmentEvent: ({ type }) => log.push(type), onToolInvocation: ({ name }) => log.push(name), onError: ({ code }) => log.push(code) })
    handler.feed('<run_bash>x</run_bash><run_bash>')
    handler.finalize()
    assert.deepEqual(log, ['SEGMENT_START', 'SEGMENT_CONTENT', 'SEGMENT_END', 'run_bash', 'SEGMENT_START', 'SEGMENT_END', 'unterminated'])
  })

  test('rejects unknown input', () => {
    assert.throws(() => streamingResponseHandlerFor({ parser: 'yaml' }), typeError('"yaml"', 'xml', 'json', 'sentinel', 'api_tool_call'))
    assert.throws(() => streamingResponseHandlerFor({ providers: 'x' }), typeError('"providers"', 'provider'))
    withVariable('yaml', () => assert.throws(() => streamingResponseHandlerFor({ provider: 'openai' }), typeError('"yaml"', VARIABLE)))
    for (const options of [{ provider: 5 }, { parser: 5 }, { tools: 5 }, { tools: 'add' }, { tools: [5] }, { tools: [{}] }, { onError: 5 }, null, 5]) assert.throws(() => streamingResponseHandlerFor(options), TypeError, JSON.stringify(options))
  })
})

describe('ToolInvocationAdapter', () => {
  /** The result of a tool's body: its arguments, or the codes of errors. */
  function argumentsOf(body, schema) {
    const { codes, invocations: [invocation] } = handle([`<tool name="t">${body}</tool>`], { ...(schema && { schemas: { t: { type: 'object', properties: schema } } }) })
    return invocation === undefined ? codes : codes === '' ? invocation.arguments : `${codes} all the same`
  }

  const bodies = [
    ['', {}],
    [' \n ', {}],
    ['<arguments></arguments>', {}],
    ['<arguments/>', {}],
    ['<arguments><arg name="p">a &amp; b</arg><arg name="n">3</arg></arguments>', { p: 'a & b', n: '3' }],
    ['<arg name="p">1</arg>', { p: '1' }],
    ['<p>1</p><q> x </q>', { p: '1', q: 'x' }],
    ['<ARGUMENTS><ARG NAME="p">1</ARG></ARGUMENTS>', { p: '1' }],
    ['<arg name=" p ">1</arg>', { p: '1' }],
    ["<arg name='p' >1</arg >", { p: '1' }],
    ['<arg name="p"></arg><arg name="q"/>', { p: '', q: '' }],
    ['<arg name="p">1</arg><arg name="p">2</arg>', { p: '2' }],
    ['so <arguments><p>1</p></arguments> it is', { p: '1' }],
    ['<p>&lt;&gt;&quot;&apos;&#65;&#x1F642;&amp;lt;</p>', { p: '<>"\'A🙂&lt;' }],
    ['<p>&bogus; & a</p>', { p: '&bogus; & a' }],
    ['<p>generic List<String> x</p>', { p: 'generic List<String> x' }],
    ['<p><br></p>', { p: '<br>' }],
    ['<p>a <b>bold</b> c</p>', { p: 'a <b>bold</b> c' }],
    ['<p>if a < b && c: x=<div>hi</div></p>', { p: 'if a < b && c: x=<div>hi</div>' }],
    ['<p><a href="y">z</a></p>', { p: '<a href="y">z</a>' }],
    ['<o><arg name="k">v</arg><arg name="m"> w </arg></o>', { o: { k: 'v', m: 'w' } }],
    ['<arg name="o"><k>v</k></arg>', { o: '<k>v</k>' }],
    ['<arg name="o"><arg name="k"><arg name="l">v</arg></arg></arg>', { o: { k: { l: 'v' } } }],
    ['<arg name="l"><item>1</item><item><arg name="z">2</arg></item></arg>', { l: ['1', { z: '2' }] }],
    ['<l>\n  <item>1</item>\n  <ITEM>2</ITEM>\n</l>', { l: ['1', '2'] }],
    ['<l><item><item>1</item></item><item/></l>', { l: [['1'], ''] }],
    ['<p><![CDATA[<b>&amp;</b>]]></p>', { p: '<b>&amp;</b>' }],
    ['<p><![CDATA[a </p> b]]></p><q>1</q>', { p: 'a </p> b', q: '1' }],
    ['{"a":1,"b":[true,null]}', { a: 1, b: [true, null] }],
    [' \n{"a":"<b>"} ', { a: '<b>' }],
    ['<arg name="__proto__">x</arg><arg name="constructor">y</arg>', JSON.parse('{"__proto__":"x","constructor":"y"}')],
    ['<arg name="o"><arg name="__proto__"><a>1</a></arg></arg>', { o: JSON.parse('{"__proto__":"<a>1</a>"}') }],
    ['{"__proto__":{"polluted":1}}', JSON.parse('{"__proto__":{"polluted":1}}')],
    ['just do it', 'bad-arguments'],
    ['[1]', 'bad-arguments'],
    ['{"a":1', 'bad-arguments'],
    ['{"a":1} x', 'bad-arguments'],
    ['<arg name="p">1', { p: '1' }],
    ['<arg name="p">1<arg name="q">2</arg>', 'bad-arguments'],
    ['<p>1</p><q>2', 'bad-arguments'],
    ['<arguments><p>1</p><q>2</arguments>', 'bad-arguments'],
    ['<arguments><p>1</p>', 'bad-arguments'],
  ]

  for (const [body, expected] of bodies) {
    test(`<tool>${body}</tool>`, () => {
      const found = argumentsOf(body)
      assert.deepEqual(found, expected)
      assert.equal(JSON.stringify(found), JSON.stringify(expected))
      assert.equal({}.polluted, undefined)
    })
  }

  const typed = [
    ['<n>3</n><f> 1.5 </f><b>true</b><s>3</s>', { n: { type: 'integer' }, f: { type: 'number' }, b: { type: 'boolean' }, s: { type: 'string' } }, { n: 3, f: 1.5, b: true, s: '3' }],
    ['<o><k>3</k><l>3</l></o>', { o: { type: 'object', properties: { k: { type: 'integer' } } } }, { o: { k: 3, l: '3' } }],
    ['<l><item>1</item><item>2</item></l>', { l: { type: 'array', items: { type: 'number' } } }, { l: [1, 2] }],
    ['<l>1</l><l>2</l>', { l: { type: 'array', items: { type: 'integer' } } }, { l: [1, 2] }],
    ['<l>1</l><l>2</l>', { l: { type: 'string' } }, { l: '2' }],
    ['<l>[1,"x"]</l>', { l: { type: 'array' } }, { l: [1, 'x'] }],
    ['<o>{"a":{"b":1}}</o>', { o: { type: 'object' } }, { o: { a: { b: 1 } } }],
    ['<s><b>1</b></s>', { s: { type: 'string' } }, { s: '<b>1</b>' }],
    ['<s>{"a":1}</s>', { s: { type: 'string' } }, { s: '{"a":1}' }],
    ['<s><item>1</item></s>', { s: { type: 'string' } }, { s: '<item>1</item>' }],
    ['<arg name="__proto__">3</arg>', JSON.parse('{"__proto__":{"type":"integer"}}'), JSON.parse('{"__proto__":3}')],
    ['<toString>3</toString>', {}, { toString: '3' }],
  ]

  for (const [body, schema, expected] of typed) {
    test(`<tool>${body}</tool> by ${JSON.stringify(schema)}`, () => {
      const found = argumentsOf(body, schema)
      assert.equal(JSON.stringify(found), JSON.stringify(expected))
    })
  }

  // JSON tools: the profile, the text, each call's name and arguments; or codes.
  const shapes = [
    ['default', '{"tool":{"function":"f","parameters":{"a":1}}}', [['f', { a: 1 }]]],
    ['default', '{"tool":{"function":"f","arguments":{"a":1}}}', [['f', { a: 1 }]]],
    ['default', '{"tool":{"function":"f","arguments":{"a":1},"parameters":{"b":1}}}', [['f', { b: 1 }]]],
    ['default', '{"tool":{"function":{"name":"f"},"parameters":{"a":1}}}', [['f', { a: 1 }]]],
    ['default', '{"tool":{"name":"f","args":{"a":1}}}', [['f', { a: 1 }]]],
    ['default', '{"tool":"f","parameters":{"a":1}}', [['f', { a: 1 }]]],
    ['default', '{"function":{"name":"f","arguments":"{\\"a\\":1}"}}', [['f', { a: 1 }]]],
    ['default', '{"function":"f","parameters":{}}', [['f', {}]]],
    ['default', '{"tool":{"function":"f"}}', [['f', {}]]],
    ['openai', '{"tool":{"function":"f","arguments":{"a":1},"parameters":{"b":1}}}', [['f', { a: 1 }]]],
    ['openai', '{"tool_calls":[{"function":{"name":"a","arguments":"{\\"x\\":1}"}},{"function":{"name":"b","arguments":{}}}]}', [['a', { x: 1 }], ['b', {}]]],
    ['openai', '{"tools":[{"name":"a","arguments":""},{"name":"b","parameters":{"y":2}},{"function":"c","args":{"z":3}}]}', [['a', {}], ['b', { y: 2 }], ['c', { z: 3 }]]],
    ['openai', '[{"function":{"name":"a","arguments":{}}},{"function":{"name":"b"}}]', [['a', {}], ['b', {}]]],
    ['openai', '[{"tool":{"name":"a"}},{"tool":"b"}]', [['a', {}], ['b', {}]]],
    ['openai', '{"function":{"name":"f","arguments":"{\\"a\\":\\"\\\\u00e9\\"}"}}', [['f', { a: 'é' }]]],
    ['openai', '{"function":"f","arguments":{"__proto__":{"x":1}}}', [['f', JSON.parse('{"__proto__":{"x":1}}')]]],
    ['gemini', '{"name":"f","args":{"x":[1,{"y":2}]}}', [['f', { x: [1, { y: 2 }] }]]],
    ['gemini', '{"name":"f","arguments":{"a":1}}', [['f', { a: 1 }]]],
    ['gemini', '{"name":"f","parameters":{"a":1}}', [['f', { a: 1 }]]],
    ['gemini', '{"name":"f","parameters":{"c":1},"arguments":{"b":1},"args":{"a":1}}', [['f', { a: 1 }]]],
    ['gemini', '[{"name":"f","args":{"a":1}},{"name":"g"}]', [['f', { a: 1 }], ['g', {}]]],
    ['openai', '{"tool_calls":[{"name":"a","arguments":5},{"name":"b"},{"arguments":{}},{"name":"c"}]}', [['b', {}], ['c', {}]], 'bad-arguments,missing-name'],
    ['openai', '{"tool_calls":[{"name":"a","arguments":"[1]"}]}', [], 'bad-arguments'],
    ['gemini', '{"name":5}', [], 'missing-name'],
    ['gemini', '{"name":"f","args":[1]}', [], 'bad-arguments'],
    ['default', '{"tool":{"function":"f" x}}', [], 'bad-arguments'],
  ]

  for (const [jsonProfile, text, expected, codes = ''] of shapes) {
    test(`${jsonProfile}: ${text}`, () => {
      const emitted = handle([text], { config: { strategy: 'json', jsonProfile } })
      assert.deepEqual(emitted.invocations.map(({ name, arguments: values }) => [name, values]), expected)
      assert.equal(emitted.codes, codes)
      assert.equal(joined(emitted.events), `+1:tool_call 1${JSON.stringify(text)} -1`)
    })
  }

  test('parallel calls of one segment have their own ids', () => {
    const text = '{"tool_calls":[{"name":"a"},{"name":"b"},{"name":"c"}]}'
    const events = parse([text], { strategy: 'json', jsonProfile: 'openai' })
    const each = new ToolInvocationAdapter({ jsonProfile: 'openai' })
    const lists = events.map((event) => each.processEventAll(event))
    assert.deepEqual(lists.slice(0, -1), events.slice(0, -1).map(() => []))
    assert.deepEqual(lists.at(-1), [{ id: 'seg_1', name: 'a', arguments: {} }, { id: 'seg_1.2', name: 'b', arguments: {} }, { id: 'seg_1.3', name: 'c', arguments: {} }])
    const first = new ToolInvocationAdapter({ jsonProfile: 'openai' })
    assert.deepEqual(events.map((event) => first.processEvent(event)), [...events.slice(0, -1).map(() => null), lists.at(-1)[0]])
    const emitted = []
    const handler = new StreamingResponseHandler({ config: { strategy: 'json', jsonProfile: 'openai' }, onToolInvocation: ({ id }) => emitted.push(id) })
    handler.feed(text)
    assert.deepEqual(emitted, ['seg_1', 'seg_1.2', 'seg_1.3'])
  })

  test('takes interleaved events of several segments, and of two parsers one by one', () => {
    const adapter = new ToolInvocationAdapter()
    const events = parse(pieces(TEXT, 3))
    assert.deepEqual(events.flatMap((event) => adapter.processEventAll(event)).map(({ id, name }) => `${id} ${name}`), ['seg_2 write_file', 'seg_4 run_bash', 'seg_5 read'])
    const [a, b] = ['a', 'b'].map((name) => parse([`<tool name="${name}"><x>1</x></tool>`], { segmentIdPrefix: `${name}:` }))
    const mixed = a.flatMap((event, at) => [event, b[at]])
    assert.deepEqual(mixed.flatMap((event) => adapter.processEventAll(event)).map(({ id, name }) => `${id} ${name}`), ['a:seg_1 a', 'b:seg_1 b'])
  })

  test('reset forgets open segments; ends and contents without a start are ignored', () => {
    const adapter = new ToolInvocationAdapter()
    const events = parse(['<run_bash>ls</run_bash>'])
    adapter.processEvent(events[0])
    adapter.reset()
    assert.deepEqual(events.slice(1).map((event) => adapter.processEvent(event)), [null, null])
    assert.deepEqual(events.map((event) => adapter.processEvent(event)), [null, null, { id: 'seg_1', name: 'run_bash', arguments: { command: 'ls' } }])
    assert.equal(adapter.processEvent(events.at(-1)), null)
  })

  test('markup changes nothing', () => {
    const adapter = new ToolInvocationAdapter()
    assert.deepEqual(parse([TEXT], { spans: true }).flatMap((event) => adapter.processEventAll(event)).map(({ name }) => name), ['write_file', 'run_bash', 'read'])
  })

  test('calls nothing that was cut off', () => {
    const adapter = new ToolInvocationAdapter()
    for (const text of ['<run_bash>ls', '<tool name="t">', '<write_file path="p">x']) for (const event of parse([text])) assert.deepEqual(adapter.processEventAll(event), [])
    const accepting = new ToolInvocationAdapter({ acceptUnterminated: true })
    const [, , end] = parse(['<run_bash>ls']).map((event) => accepting.processEvent(event))
    assert.deepEqual(end, { id: 'seg_1', name: 'run_bash', arguments: { command: 'ls' } })
  })

  test('rejects invalid options', () => {
    assert.throws(() => new ToolInvocationAdapter({ schema: {} }), typeError('"schema"', 'schemas'))
    for (const options of [{ jsonProfile: 'claude' }, { schemas: 5 }, { onError: 5 }, { toolStates: 5 }, null, 5]) assert.throws(() => new ToolInvocationAdapter(options), TypeError, JSON.stringify(options))
  })
})

describe('tool syntax', () => {
  const events = (type, content, metadata) => [
    { type: 'SEGMENT_START', segment_id: 'x', segment_type: type, payload: metadata === undefined ? {} : { metadata } },
    ...(content === '' ? [] : [{ type: 'SEGMENT_CONTENT', segment_id: 'x', payload: { delta: content } }]),
    { type: 'SEGMENT_END', segment_id: 'x', payload: {} },
  ]
  const invoke = (type, content, metadata) => {
    const errors = []
    const adapter = new ToolInvocationAdapter({ onError: ({ code }) => errors.push(code) })
    const [invocation] = events(type, content, metadata).flatMap((event) => adapter.processEventAll(event))
    return invocation === undefined ? errors.join() : [invocation.name, invocation.arguments]
  }

  test('a row of your own', () => {
    assert.equal(toolSyntaxOf('note'), undefined)
    registerToolSyntax('note', { toolName: 'save_note', contentArgument: 'text', metadataArguments: ['title', 'tag'], required: ['title'] })
    try {
      assert.equal(toolSyntaxOf('note').toolName, 'save_note')
      assert.deepEqual(invoke('note', 'hi', { title: 'T', other: 1 }), ['save_note', { title: 'T', text: 'hi' }])
      assert.deepEqual(invoke('note', '', { title: 'T', tag: 'x' }), ['save_note', { title: 'T', tag: 'x', text: '' }])
      assert.equal(invoke('note', 'hi', { tag: 'x' }), 'missing-arguments')
      assert.equal(invoke('note', 'hi'), 'missing-arguments')
      registerToolSyntax('note', { toolName: 'other' })
      assert.deepEqual(invoke('note', 'hi', { title: 'T' }), ['other', {}])
    } finally {
      assert.equal(unregisterToolSyntax('note'), true)
    }
    assert.equal(unregisterToolSyntax('note'), false)
    assert.equal(toolSyntaxOf('note'), undefined)
    assert.equal(typeof invoke('note', 'hi', { title: 'T' }), 'string', 'no call')
  })

  test('the rows that are there', () => {
    const rows = {
      write_file: ['write_file', 'content', ['path'], ['path']], patch_file: ['patch_file', 'patch', ['path'], ['path']], edit_file: ['edit_file', 'patch', ['path'], ['path']],
      run_bash: ['run_bash', 'command', ['background', 'timeout_seconds'], ['command']],
    }
    for (const [type, [toolName, contentArgument, metadataArguments, required]] of Object.entries(rows)) {
      const row = toolSyntaxOf(type)
      assert.deepEqual([row.toolName, row.contentArgument, [...row.metadataArguments], [...row.required]], [toolName, contentArgument, metadataArguments, required])
    }
    for (const type of ['text', 'reasoning', '__proto__', 'toString']) assert.equal(toolSyntaxOf(type), undefined, type)
    assert.equal(invoke('text', 'hi'), '')
  })

  test('rejects invalid rows', () => {
    for (const row of [undefined, null, 5, {}, { toolName: '' }, { toolName: 5 }, { toolName: 'x', contentArgument: 5 }, { toolName: 'x', metadataArguments: 'path' }, { toolName: 'x', required: [5] }, { toolName: 'x', wrong: 1 }]) {
      assert.throws(() => registerToolSyntax('note', row), TypeError, JSON.stringify(row))
    }
    for (const type of [undefined, 5, '']) assert.throws(() => registerToolSyntax(type, { toolName: 'x' }), TypeError)
    assert.equal(toolSyntaxOf('note'), undefined)
  })
})

describe('tool states of your own', () => {
  const NOTE = { segmentType: 'note', contentArg: 'body', startWhen: ['title'], metadataArgs: ['tag'], startMarker: '<<<', endMarker: '>>>' }
  const note = (args, name = 'save_note') => `<tool name="${name}"><arguments>${Object.entries(args).map(([key, value]) => `<arg name="${key}">${value}</arg>`).join('')}</arguments></tool>`
  const configOf = (spec, name = 'save_note') => ({ toolStates: { [name]: spec } })
  const segmentsOf = (text, config) => extractSegments(parse([text], config)).filter(({ type }) => type !== 'text').map(({ type, content, metadata }) => ({ type, content, metadata }))

  test('start when, metadata, markers and a type', () => {
    const text = `a${note({ tag: 'x', title: ' T ', other: 'o', body: '<<<\nhi</arg>\n>>>', late: 'l' })}b`
    for (const [cut, chunks] of everyCut(text)) {
      const { events, invocations, codes } = handle(chunks, { config: configOf(NOTE) })
      const [, { metadata, ...others }] = extractSegments(events)
      assert.deepEqual(others, { id: 'seg_2', type: 'note', content: 'hi</arg>\n' }, cut)
      assert.deepEqual(metadata, { tool_name: 'save_note', title: 'T', tag: 'x' }, cut)
      assert.deepEqual(invocations, [{ id: 'seg_2', name: 'save_note', arguments: { title: 'T', tag: 'x', body: 'hi</arg>\n', other: 'o', late: 'l' } }], cut)
      assert.equal(codes, '', cut)
    }
  })

  test('content before the awaited arguments is emitted whole; later arguments are not metadata', () => {
    const text = note({ body: 'hi', title: 'T', tag: 'x' })
    const parser = new StreamingParser(configOf(NOTE))
    const at = text.indexOf('T</arg>') + 'T</arg>'.length
    assert.deepEqual(parser.feed(text.slice(0, at - 1)), [])
    assert.equal(short(parser.feed(text[at - 1])), '+1:note{"tool_name":"save_note","title":"T"} 1"hi"')
    assert.equal(short(parser.feed(text.slice(at))), '-1')
  })

  test('the awaited argument never comes: everything is text', () => {
    const text = note({ body: '<run_bash>x</run_bash>', tag: 'x' })
    const { events, codes, invocations } = handle([text, 'z'], { config: configOf(NOTE) })
    assert.equal(joined(events), `+1:text 1${JSON.stringify(`${text}z`)} -1`)
    assert.deepEqual([codes, invocations], ['missing-arguments', []])
  })

  test('markers of any characters', () => {
    for (const [startMarker, endMarker] of [['«', '»'], ['🙂é', '🙃é'], ['é🙂', 'é🙃'], ['<', '>'], ['</arg', '<'], ['a', 'a']]) {
      const text = note({ title: 'T', body: ` ${startMarker}\nhi ${endMarker}x</arg>é🙂🙃🙂${endMarker}\n` })
      for (const [cut, chunks] of everyCut(text)) {
        const [{ content }, ...others] = extractSegments(parse(chunks, configOf({ ...NOTE, startMarker, endMarker })))
        assert.deepEqual([content, others], [`hi ${endMarker}x</arg>é🙂🙃🙂`, []], `${startMarker}, ${cut}`)
      }
    }
  })

  test('names of any characters', () => {
    const text = note({ 'a🙂': 'v🙂', 'b🙂': 'x🙂' }, 't🙂')
    for (const [cut, chunks] of everyCut(text)) {
      const found = extractSegments(parse(chunks, configOf({ contentArg: 'b🙂', startWhen: ['a🙂'] }, 't🙂')))
      assert.deepEqual(found, [{ id: 'seg_1', type: 'tool_call', content: 'x🙂', metadata: { tool_name: 't🙂', 'a🙂': 'v🙂' } }], cut)
    }
    for (const [cut, chunks] of everyCut('a {"🙂":1,"name":"f"}')) assert.equal(joined(parse(chunks, { strategy: 'json', jsonProfile: ['{"🙂":'] })), '+1:text 1"a " -1 +2:tool_call 2"{\\"🙂\\":1,\\"name\\":\\"f\\"}" -2', cut)
  })

  test('several to wait for', () => {
    const spec = { contentArg: 'body', startWhen: ['a', 'b'] }
    assert.deepEqual(segmentsOf(note({ b: '2', body: 'x', a: '1' }), configOf(spec)), [{ type: 'tool_call', content: 'x', metadata: { tool_name: 'save_note', a: '1', b: '2' } }])
    assert.deepEqual(segmentsOf(note({ b: '2', body: 'x' }), configOf(spec)), [])
  })

  test('nothing to wait for: it starts with the tag', () => {
    const parser = new StreamingParser(configOf({ segmentType: 'note', contentArg: 'body' }))
    assert.equal(short(parser.feed('<tool name="save_note">')), '+1:note{"tool_name":"save_note"}')
    assert.equal(joined([...parser.feed('<arg name="title">T</arg><arg name="body">x'), ...parser.feed('y</arg></tool>')]), '1"xy" -1')
  })

  test('metadata only: it starts with the content, or with the end if there is no content', () => {
    const config = configOf({ segmentType: 'note', contentArg: 'body', metadataArgs: ['tag'] })
    const emitted = (chunks) => {
      const parser = new StreamingParser(config)
      return chunks.map((chunk) => short(parser.feed(chunk)))
    }
    assert.deepEqual(emitted(['<tool name="save_note"><arg name="tag">x</arg>', '<arg name="body">', 'b</arg><arg name="tag">y</arg></tool>']), ['', '+1:note{"tool_name":"save_note","tag":"x"}', '1"b" -1'])
    assert.deepEqual(emitted(['<tool name="save_note">', '<arg name="tag">x</arg>', '</tool>']), ['', '', '+1:note{"tool_name":"save_note","tag":"x"} -1'])
  })

  test('without contentArg the content is everything between the tags', () => {
    assert.deepEqual(segmentsOf(note({ a: 'x' }), configOf({ segmentType: 'raw' })), [{ type: 'raw', content: '<arguments><arg name="a">x</arg></arguments>', metadata: { tool_name: 'save_note' } }])
    const { invocations } = handle([note({ a: 'x' })], { config: configOf({}) })
    assert.deepEqual(invocations, [{ id: 'seg_1', name: 'save_note', arguments: { a: 'x' } }])
  })

  test('names are compared in any case, and emitted as written', () => {
    for (const [name, written] of [['Save_Note', 'save_note'], ['save_note', 'SAVE_NOTE'], ['SAVE_NOTE', 'Save_Note']]) {
      assert.deepEqual(segmentsOf(note({ title: 'T', body: 'x' }, written), configOf(NOTE, name)), [{ type: 'note', content: 'x', metadata: { tool_name: written, title: 'T' } }])
    }
    // Only ASCII letters have a case here: U+212A is not a k.
    assert.equal(segmentsOf(note({ title: 'T', body: 'x' }, '\u212aeep'), configOf(NOTE, 'keep'))[0].type, 'tool_call')
  })

  test('transform changes each delta, and only its own content', () => {
    const spec = { ...NOTE, transform: (each) => each.toUpperCase() }
    const text = `a${note({ title: 'title', body: 'straße\n' })}b${note({ p: 'q' }, 'other')}`
    for (const [cut, chunks] of everyCut(text)) {
      const { events, invocations } = handle(chunks, { config: configOf(spec) })
      assert.deepEqual(extractSegments(events).map(({ content }) => content), ['a', 'STRASSE\n', 'b', '<arguments><arg name="p">q</arg></arguments>'], cut)
      assert.deepEqual(invocations[0].arguments, { title: 'title', body: 'STRASSE\n' }, cut)
    }
  })

  test('transform receives the deltas, and an empty result is not emitted', () => {
    const seen = []
    const transform = (each) => {
      seen.push(each)
      return ''
    }
    const { events, invocations } = handle(['<tool name="save_note"><arg name="title">T</arg><arg name="body">ab', 'cd', '</arg></tool>'], { config: configOf({ ...NOTE, transform }) })
    assert.deepEqual(seen, ['ab', 'cd'])
    assert.equal(short(events), '+1:note{"tool_name":"save_note","title":"T"} -1')
    assert.deepEqual(invocations[0].arguments, { title: 'T', body: '' })
  })

  test('spans of transformed deltas are those of the source', () => {
    const text = note({ title: 'T', body: 'x' })
    const content = parse([text], { ...configOf({ ...NOTE, transform: (each) => each.repeat(3) }), spans: true }).find(({ type }) => type === 'SEGMENT_CONTENT')
    assert.deepEqual([content.payload.delta, text.slice(...content.span)], ['xxx', 'x'])
  })

  test('transform that throws: the error is thrown, the events come with the next call', () => {
    const cause = new Error('mine')
    const spec = { ...NOTE, transform: () => assert.fail(cause) }
    const isIt = (error) => error instanceof ParseError && error.code === 'state-failed' && error.message.includes('tool state "save_note": transform threw: mine') && error.cause === cause
    const parser = new StreamingParser(configOf(spec))
    assert.throws(() => parser.feed(`a${note({ title: 'T', body: 'x' })}b`), isIt)
    assert.equal(joined(parser.feed('c')), '+1:text 1"a" -1 +2:note{"tool_name":"save_note","title":"T"} 2"x" -2 +3:text 3"bc"')
    assert.throws(() => parser.feed(`${note({ title: 'T', body: 'y' })}`), isIt)
    assert.equal(joined(parser.finalize()), '-3 +4:note{"tool_name":"save_note","title":"T"} 4"y" -4')
    parser.reset()
    assert.equal(short(parser.feed('c')), '+1:text 1"c"')
  })

  test('transform that throws inside a handler', () => {
    const log = []
    const handler = new StreamingResponseHandler({ config: configOf({ ...NOTE, transform: () => assert.fail(new Error('mine')) }), onSegmentEvent: (event) => log.push(event) })
    assert.throws(() => handler.feed(`a${note({ title: 'T', body: 'x' })}`), { code: 'state-failed' })
    handler.feed('b')
    handler.finalize()
    assert.equal(joined(log), '+1:text 1"a" -1 +2:note{"tool_name":"save_note","title":"T"} 2"x" -2 +3:text 3"b" -3')
    assert.deepEqual(handler.getAllEvents(), log)
    assert.deepEqual(handler.getAllInvocations(), [{ id: 'seg_2', name: 'save_note', arguments: { title: 'T', body: 'x' } }])
  })

  test('transform that returns no string', () => {
    for (const value of [undefined, null, 5, {}]) {
      const parser = new StreamingParser(configOf({ ...NOTE, transform: () => value }))
      assert.throws(() => parser.feed(note({ title: 'T', body: 'x' })), (error) => error.code === 'state-failed' && error.cause instanceof TypeError)
      assert.equal(joined(parser.finalize()), '+1:note{"tool_name":"save_note","title":"T"} 1"x" -1')
    }
  })

  test('transform may feed another parser, not its own', () => {
    const other = new StreamingParser()
    const log = []
    const parser = new StreamingParser(configOf({
      ...NOTE,
      transform(each) {
        log.push(...other.feed(each))
        assert.throws(() => parser.feed('x'), { code: 'reentrant' })
        return each
      },
    }))
    const events = parser.feed(`${note({ title: 'T', body: '<<<<run_bash>ls</run_bash>>>>' })}z`)
    assert.equal(joined(events), '+1:note{"tool_name":"save_note","title":"T"} 1"<run_bash>ls</run_bash>" -1 +2:text 2"z"')
    assert.equal(joined(log), '+1:run_bash 1"ls" -1')
  })

  test('two parsers with different states in parallel', () => {
    const first = new StreamingParser(configOf({ segmentType: 'one', contentArg: 'body' }))
    const second = new StreamingParser(configOf({ segmentType: 'two', contentArg: 'title' }))
    const third = new StreamingParser()
    const logs = [[], [], []]
    for (const unit of note({ title: 'T', body: 'x' })) [first, second, third].forEach((parser, at) => logs[at].push(...parser.feed(unit)))
    assert.deepEqual(logs.map((log) => extractSegments(log).map(({ type, content }) => `${type} ${content}`).join()), ['one x', 'two T', 'tool_call <arguments><arg name="title">T</arg><arg name="body">x</arg></arguments>'])
  })

  test('registered for all parsers, until unregistered', () => {
    const text = note({ title: 'T', body: 'x' }, 'SAVE_note')
    assert.equal(unregisterXmlToolParsingState('save_note'), false)
    registerXmlToolParsingState('Save_Note', NOTE)
    try {
      assert.deepEqual(segmentsOf(text).map(({ type }) => type), ['note'])
      assert.equal(handle([text]).invocations.length, 1)
      // Those of one parser go before.
      assert.deepEqual(segmentsOf(text, configOf({ segmentType: 'own' })).map(({ type }) => type), ['own'])
      assert.deepEqual(segmentsOf(text, configOf(null)).map(({ type }) => type), ['tool_call'])
      registerXmlToolParsingState('save_note', { segmentType: 'again' })
      assert.deepEqual(segmentsOf(text).map(({ type }) => type), ['again'])
    } finally {
      assert.equal(unregisterXmlToolParsingState('SAVE_NOTE'), true)
    }
    assert.deepEqual(segmentsOf(text).map(({ type }) => type), ['tool_call'])
  })

  test('toolStates: null makes a built-in tool generic for one parser', () => {
    const text = note({ path: 'p', content: 'x' }, 'write_file')
    const { events, invocations } = handle([text], { config: configOf(null, 'Write_File') })
    assert.equal(extractSegments(events)[0].type, 'tool_call')
    assert.deepEqual(invocations, [{ id: 'seg_1', name: 'write_file', arguments: { path: 'p', content: 'x' } }])
    assert.equal(segmentsOf(text)[0].type, 'write_file')
  })

  test('toolStates: a built-in tool is overridden for one parser', () => {
    const text = note({ path: 'p', content: 'x' }, 'write_file')
    const spec = { segmentType: 'file', contentArg: 'content', metadataArgs: ['path'], transform: (each) => `${each}!` }
    const { events, invocations } = handle([text], { config: configOf(spec, 'write_file') })
    assert.equal(joined(events), '+1:file{"tool_name":"write_file","path":"p"} 1"x!" -1')
    assert.deepEqual(invocations, [{ id: 'seg_1', name: 'write_file', arguments: { path: 'p', content: 'x!' } }])
  })

  test('an unregistered built-in tool is generic, and registering it again restores it', () => {
    const text = note({ path: 'p', content: '__START_CONTENT__\nx</arg>__END_CONTENT__' }, 'write_file')
    const before = parse([text])
    assert.equal(unregisterXmlToolParsingState('write_file'), true)
    try {
      assert.deepEqual(segmentsOf(text).map(({ type }) => type), ['tool_call'])
    } finally {
      registerXmlToolParsingState('write_file', { segmentType: 'write_file', contentArg: 'content', startWhen: ['path'], startMarker: '__START_CONTENT__', endMarker: '__END_CONTENT__' })
    }
    assert.deepEqual(parse([text]), before)
    assert.deepEqual(calls(text), [['write_file', { path: 'p', content: 'x</arg>' }]])
  })

  test('names of the prototype are names', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const text = note({ body: 'x' }, name)
      assert.deepEqual(segmentsOf(text), [{ type: 'tool_call', content: '<arguments><arg name="body">x</arg></arguments>', metadata: { tool_name: name } }])
      const config = { toolStates: JSON.parse(`{"${name}":{"segmentType":"${name}","contentArg":"body"}}`) }
      const { events, invocations } = handle([text], { config })
      assert.deepEqual(extractSegments(events).map(({ type, content }) => [type, content]), [[name, 'x']])
      assert.deepEqual(invocations, [{ id: 'seg_1', name, arguments: { body: 'x' } }])
    }
    const spec = { segmentType: 'note', contentArg: 'body', startWhen: ['__proto__'] }
    const { events, invocations } = handle([`<tool name="save_note"><arg name="__proto__">p</arg><arg name="body">x</arg></tool>`], { config: configOf(spec) })
    assert.equal(JSON.stringify(events[0].payload), '{"metadata":{"tool_name":"save_note","__proto__":"p"}}')
    assert.equal(JSON.stringify(invocations[0].arguments), '{"__proto__":"p","body":"x"}')
  })

  test('rejects invalid specs', () => {
    const nine = Array.from({ length: 9 }, (_, at) => `a${at}`)
    const wrong = [
      undefined, 5, 'x', [], { wrong: 1 }, { segmentType: 5 }, { contentArg: 5 }, { startWhen: 'path', contentArg: 'x' }, { startWhen: [5], contentArg: 'x' }, { metadataArgs: [5], contentArg: 'x' },
      { startWhen: ['path'] }, { metadataArgs: ['path'] }, { startMarker: 'a', endMarker: 'b' }, { contentArg: 'x', startMarker: 'a' }, { contentArg: 'x', endMarker: 'a' },
      { contentArg: 'x', startMarker: ' a', endMarker: 'b' }, { contentArg: 'x', startMarker: 'a', endMarker: '\nb' }, { contentArg: 'x', startMarker: 'é'.repeat(33), endMarker: 'b' },
      { contentArg: 'x', startMarker: 'a', endMarker: 'b'.repeat(65) }, { contentArg: 'x'.repeat(65) }, { contentArg: 'x', metadataArgs: ['é'.repeat(33)] }, { contentArg: 'x', metadataArgs: nine },
      { contentArg: 'x', startWhen: nine.slice(0, 5), metadataArgs: nine.slice(4) }, { contentArg: 'x', transform: 'x' },
    ]
    for (const spec of wrong) {
      assert.throws(() => registerXmlToolParsingState('save_note', spec), TypeError, JSON.stringify(spec))
      if (spec !== undefined) assert.throws(() => new StreamingParser(configOf(spec)), TypeError, JSON.stringify(spec))
    }
    for (const name of [undefined, 5, '']) assert.throws(() => registerXmlToolParsingState(name, {}), TypeError, String(name))
    assert.throws(() => registerXmlToolParsingState('save_note', { contentArgs: 'x' }), typeError('"contentArgs"', 'contentArg'))
    assert.equal(unregisterXmlToolParsingState('save_note'), false)
    new StreamingParser(configOf({ contentArg: 'x'.repeat(64), metadataArgs: nine.slice(1), startMarker: 'é'.repeat(32), endMarker: 'b'.repeat(64) }))
  })
})

describe('adversarial input', () => {
  const MB = 1_000_000

  test('keys of the prototype, and names that are ours, are keys of a header', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).sort()
    for (const header of ['{"type":"tool","tool_name":"t","__proto__":{"polluted":1}}', '{"__proto__":"x","type":"tool","tool_name":"t","constructor":{"prototype":1}}', '{"type":"tool","tool_name":"t","segment_id":"x","segment_type":"y","self":1,"payload":{},"delta":"d"}']) {
      const { events, invocations } = handle([`[[SEG_START ${header}]]{"a":1}[[SEG_END]]`], { config: { strategy: 'sentinel' } })
      const { type, ...metadata } = Object.fromEntries(Object.entries(JSON.parse(header)))
      assert.equal(type, 'tool')
      assert.equal(JSON.stringify(events[0]), `{"type":"SEGMENT_START","segment_id":"seg_1","segment_type":"tool_call","payload":{"metadata":${JSON.stringify(metadata)}}}`)
      assert.equal(JSON.stringify(invocations), '[{"id":"seg_1","name":"t","arguments":{"a":1}}]')
    }
    const { invocations } = handle(['[[SEG_START {"type":"tool","tool_name":"t","arguments":{"__proto__":{"polluted":1}}}]][[SEG_END]]'], { config: { strategy: 'sentinel' } })
    assert.equal(JSON.stringify(invocations[0].arguments), '{"__proto__":{"polluted":1}}')
    assert.equal({}.polluted, undefined)
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), before)
  })

  test('headers of any JSON', () => {
    for (const header of ['5', '"x"', 'null', 'true', '[]', '[1]', '{}', '{"type":5}', '{"type":null}', '{"type":["tool"]}', '{"type":{"tool":1}}', '{"type":""}', '{"type":"__proto__"}', '{"type":"toString"}', '', '{"type":"tool"', '{"type":"tool"}}', '{"type":"tool",}', "{'type':'tool'}", '{"type":"tool"} x', '{"type":"to\\x"}']) {
      const text = `[[SEG_START ${header}]]x[[SEG_END]]`
      for (const [cut, chunks] of everyCut(text)) {
        const { events, codes } = handle(chunks, { config: { strategy: 'sentinel' } })
        assert.equal(joined(events), `+1:text 1${JSON.stringify(text)} -1`, `${text}, ${cut}`)
        assert.equal(codes, 'bad-header', `${text}, ${cut}`)
      }
    }
  })

  test('a type twice, and a type that is an escape', () => {
    assert.equal(joined(parse(['[[SEG_START {"t\\u0079pe":"\\u0074ool","k":"\\ud83d\\ude00"}]]x[[SEG_END]]'], { strategy: 'sentinel' })), '+1:tool_call{"k":"😀"} 1"x" -1')
  })

  test('a file that waits for its path for 16,777,216 units is text', () => {
    const front = '<tool name="write_file"><arg name="content">'
    const text = `${front}${'x'.repeat(16_777_216)}</arg><arg name="path">p</arg></tool>`
    for (const size of [65_536, text.length]) {
      const { events, codes, errors, invocations } = handle(pieces(`${text}<run_bash>ls</run_bash>`, size))
      assert.deepEqual([codes, errors[0].span, invocations.map(({ name }) => name)], ['call-too-long', [0, 16_777_216], ['run_bash']])
      assert.equal(extractSegments(events)[0].content, text)
    }
    const [fits] = handle([front, 'x'.repeat(16_777_216 - 100), '</arg><arg name="path">p</arg></tool>']).invocations
    assert.equal(fits.arguments.content.length, 16_777_216 - 100)
  })

  test('the extent of a repeated search doesn\'t depend on text that needed no reading', () => {
    // Each tag in quotes is nothing, and is searched again, as far as the text before it has earned.
    const nothing = "<tool a=' \" ' b=\" "
    const text = `${'x'.repeat(400_000)}${nothing.repeat(216)}<${nothing.repeat(100)}<run_bash>ls</run_bash>${nothing.repeat(100)}<`
    const chunks = Array.from({ length: Math.ceil(text.length / 4) }, (_, at) => text.slice(at * 4, at * 4 + 4))
    const types = (pieces) => extractSegments(parse(pieces)).map(({ type }) => type)
    assert.deepEqual(types([text]), ['text', 'run_bash', 'text'])
    assert.deepEqual(types(chunks), ['text', 'run_bash', 'text'])
  })

  test('half a surrogate pair is emitted unchanged', () => {
    for (const text of ['a\ud83db', '\ude00', 'a\ud83d', '<run_bash>\ud83d</run_bash>\ude00', '<tool name="\ud83d">x</tool>', '<write_file path="\ud83d">\ude00x</write_file>']) {
      const expected = joined(parse([text]))
      assert.ok(!expected.includes('\ufffd'))
      assert.equal(joined(parse([text], { spans: true }).filter(({ type }) => type !== 'MARKUP')), expected)
      for (const [cut, chunks] of everyCut(text)) assert.equal(joined(parse(chunks)), expected, cut)
    }
    assert.equal(joined(parse(['a\ud83d', '\ude42b'])), '+1:text 1"a🙂b" -1')
  })

  test('markers that never end', () => {
    const body = 'x</arg> __END_CONTENT__ y\n'.repeat(2_000)
    const text = `<tool name="write_file"><arg name="path">p</arg><arg name="content">__START_CONTENT__\n${body}`
    const { events, codes, invocations } = handle(pieces(text, 100))
    assert.equal(extractSegments(events)[0].content, body)
    assert.deepEqual([codes, invocations], ['unterminated', []])
    const parser = new StreamingParser()
    const emitted = extractSegments(pieces(text, 100).flatMap((chunk) => parser.feed(chunk)))[0].content
    assert.ok(emitted.length > body.length - 200, 'the content does not wait for its end')
  })

  test('text between is emitted immediately', () => {
    const parser = new StreamingParser({ strategyOrder: ['xml_tag', 'json_tool', 'sentinel'] })
    parser.feed('a')
    for (const text of ['hello', ' a > b', 'x = 1; ', '🙂', '\n', '))', '</', 'tool> <b']) assert.equal(short(parser.feed(text)), `1${JSON.stringify(text)}`, text)
  })

  // Each of these begins something again and again that never ends.
  const scraps = ['<', '<t', '<tool', '<tool ', '<tool name="', '<tool name="a', "<tool name='", '<tool name="t">', '<tool name="write_file">', '<tool name="write_file"><arg name="path">', '<tool name="write_file"><arg name="path">p</arg><arg name="content">', '<arg name="content">__START_CONTENT__', '__END_CONTENT__', '</arg>', '</arg> ', '<run_bash>', '<run_bash ', '<run_bash/>', '<write_file path="', '<write_file path="p">', '</write_file', '</tool', '{', '[', '{"', '{"a":', '{"tool":', '{"tool":{', '{"tool":"', '{"tool":"\\', '{ ', '[ ', '[[', '[[SEG_START', '[[SEG_START {', '[[SEG_START {"type":"', '[[SEG_START {"type":"tool"}', '[[SEG_START {"type":"tool"}]]', '[[SEG_END', '[[SEG_END]]', ']]', '"', '`', '``` ', '\n```\n', '~~~\n', '&', '<![CDATA[', '\ud83d', '\u0130']
  for (const scrap of sampled(scraps)) {
    test(`150 KB of ${JSON.stringify(scrap)}`, () => {
      const text = scrap.repeat(Math.ceil(150_000 / scrap.length))
      const order = ['xml_tag', 'json_tool', 'sentinel']
      for (const config of [{}, { strategy: 'json', jsonProfile: 'openai' }, { strategy: 'sentinel' }, { strategyOrder: order, fences: 'text', spans: true }]) {
        for (const size of [16, text.length]) {
          for (const before of ['', '<tool name="write_file"><arg name="path">p</arg><arg name="content">__START_CONTENT__']) {
            const parser = new StreamingParser(config)
            let emitted = 0
            const count = ({ type, span, payload }) => {
              if (payload.delta !== undefined) emitted += config.spans ? span[1] - span[0] : type === 'SEGMENT_CONTENT' ? payload.delta.length : 0
            }
            for (const chunk of pieces(before + text, size)) parser.feed(chunk).forEach(count)
            parser.finalize().forEach(count)
            if (config.spans) assert.equal(emitted, before.length + text.length)
            else assert.ok(emitted <= before.length + text.length)
          }
        }
      }
    })
  }

  test('1 MB of content, in one chunk and in chunks of four', () => {
    const body = 'print("x < y") # </arg\n'.repeat(Math.ceil(MB / 23))
    const texts = [`<write_file path="p">${body}</write_file>`, `<tool name="write_file"><arg name="path">p</arg><arg name="content">${body}</arg></tool>`, `<tool name="write_file"><arg name="content">${body}</arg><arg name="path">p</arg></tool>`]
    for (const text of texts) {
      const [[name, { content }]] = calls(text).slice(-1)
      assert.deepEqual([name, content], ['write_file', body])
      const [cut] = handle(pieces(text, 4)).invocations.slice(-1)
      assert.deepEqual([cut.name, cut.arguments], [name, { path: 'p', content: body }])
    }
    const json = JSON.stringify({ path: 'p', content: body })
    const { invocations } = handle(pieces(json, 4).map((piece) => delta(0, piece, { name: 'write_file' })))
    assert.deepEqual(invocations[0].arguments, { path: 'p', content: body })
  })

  test('100,000 tools in one chunk', () => {
    const { invocations } = handle(['<run_bash>x</run_bash>'.repeat(100_000)])
    assert.equal(invocations.length, 100_000)
    assert.equal(invocations.at(-1).id, 'seg_100000')
  })

  test('100,000 arguments, and arguments 10,000 deep', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `<a${at}>${at}</a${at}>`).join('')
    const [[, values]] = calls(`<tool name="t">${many}</tool>`)
    assert.equal(Object.keys(values).length, 100_000)
    // Whatever is made of them, the stack holds.
    const deep = `<tool name="t">${'<a>'.repeat(10_000)}1${'</a>'.repeat(10_000)}</tool>`
    const { codes, invocations } = handle([deep])
    assert.equal(codes === 'bad-arguments', invocations.length === 0)
    const nested = `{"tool":{"function":"f","parameters":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}}`
    assert.equal(joined(parse([nested], { strategy: 'json' })), `+1:tool_call 1${JSON.stringify(nested)} -1`)
  })

  test('100,000 parsers and handlers', () => {
    for (let count = 0; count < 100_000; count++) {
      const parser = new StreamingParser()
      const events = parser.feed('<run_bash>x')
      if (count % 10_000 === 0) assert.equal(short([...events, ...parser.finalize()]), '+1:run_bash 1"x" -1')
    }
    for (let count = 0; count < 20_000; count++) new StreamingResponseHandler().feed('<run_bash>x')
  })
})
