// StreamingParser, SegmentStream, StreamingResponseHandler, the factory and tool
// states: the contract of seed 000, each option, misuse, and large input. What a
// text has is in tests/cases/segment, the adapter in segment-typed.test.mjs, what
// callbacks may do in promises.test.mjs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as segments from 'tokenweir/segments'
import { everyCut, pieces, random, withEmpty } from './support/cuts.mjs'
import { joinedSegments } from './support/segment-reading.mjs'
import { all, generated } from './support/sources.mjs'

const {
  ParseError, SegmentStream, StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, extractSegments, parseSegments, registerXmlToolParsingState,
  streamingResponseHandlerFor, unregisterXmlToolParsingState,
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
const joined = (events) => short(joinedSegments(events))

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

  test('of the first chunk come with the first chunk', () => {
    const parser = new StreamingParser()
    assert.equal(short(parser.feed('Hello <wr')), '+1:text 1"Hello "')
    assert.equal(short(parser.feed('ite_file path="/a.py">x=1</wri')), '-1 +2:write_file{"path":"/a.py"} 2"x=1"')
    assert.equal(short(parser.feed('te_file> bye')), '-2 +3:text 3" bye"')
    assert.equal(short(parser.finalize()), '-3')
  })

  test('are the same at every cut, and with empty chunks', () => {
    for (const [cut, chunks] of everyCut(TEXT)) assert.equal(joined(parse(chunks)), TOLD, cut)
    assert.equal(joined(parse(withEmpty(pieces(TEXT, 1)))), TOLD)
  })

  test('have ids that count from one, after the prefix', () => {
    const prefix = 'turn_7:'
    const ids = new Set(parse([TEXT], { segmentIdPrefix: prefix }).map((event) => event.segment_id))
    assert.deepEqual([...ids], [1, 2, 3, 4, 5, 6].map((number) => `turn_7:seg_${number}`))
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

  test('strategyOrder wins over strategy, except over those without markers', () => {
    assert.equal(found({ strategyOrder: ['sentinel'], strategy: 'xml' }), 's')
    for (const strategy of ['api_tool_call', 'native']) assert.equal(found({ strategyOrder: ['sentinel'], strategy }), '', strategy)
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

  test('reasoning in content emits what reasoning of a provider does', () => {
    const text = '<think>Maybe <run_bash>a</run_bash>?</think>\n<run_bash>b</run_bash>'
    const chunks = [{ reasoning: 'Maybe <run_bash>a</run_bash>?' }, '\n<run_bash>b</run_bash>']
    assert.deepEqual(parse([text]), handle(chunks).events)
    assert.deepEqual(parse(['<think>Maybe <run_bash>a</run_bash>?']), handle(chunks.slice(0, 1)).events)
    assert.deepEqual(calls(text, { eventStyle: 'autobyteus' }), [['run_bash', { command: 'b' }]])
    assert.deepEqual(parse([text], { spans: true }).filter(({ type }) => type === 'MARKUP').slice(0, 2).map(({ payload, span }) => [payload.delta, span]), [['<think>', [0, 7]], ['</think>', [36, 44]]])
    // Without tools too, but not where everything is text.
    assert.equal(parse([text], { tools: [] })[0].segment_type, 'reasoning')
    assert.equal(short(parse([text], { parseToolCalls: false })), `+1:text 1${JSON.stringify(text)} -1`)
  })

  test('acceptUnterminated: the same events, no error, and the call', () => {
    const cutOff = [
      ['a <write_file path="p">x</wri', 'write_file', { path: 'p', content: 'x</wri' }],
      ['<run_bash>ls', 'run_bash', { command: 'ls' }],
      ['<tool name="t"><arg name="x">1</arg></to', 't', { x: '1' }],
      ['<tool name="write_file"><arg name="path">p</arg><arg name="content">abc</a', 'write_file', { path: 'p', content: 'abc</a' }],
      ['<tool name="write_file"><arg name="path">p</arg><arg name="content">abc</arg> </too', 'write_file', { path: 'p', content: 'abc' }],
      ['<tool name="write_file"><arg name="path">p</arg><arg name="content">__START_CONTENT__\nabc__END_C', 'write_file', { path: 'p', content: 'abc__END_C' }],
      ['[[SEG_START {"type":"run_bash"}]]ls[[SEG_E', 'run_bash', { command: 'ls[[SEG_E' }],
    ]
    for (const [text, name, values] of cutOff) {
      const strategy = text.startsWith('[') ? 'sentinel' : 'xml'
      const { errors, events } = handle([text], { config: { strategy } })
      const accepted = handle([text], { config: { strategy, acceptUnterminated: true } })
      assert.deepEqual([accepted.codes, accepted.events], ['', events])
      assert.deepEqual(accepted.invocations, [{ id: errors[0].segmentId, name, arguments: values }])
    }
    // JSON that is cut off has no arguments.
    const { codes, invocations } = handle(['{"tool":{"function":"f","parameters":{"a":1'], { config: { strategy: 'json', acceptUnterminated: true } })
    assert.deepEqual([codes, invocations], ['bad-arguments', []])
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

describe('errors', () => {
  test('are plain objects with their place, the same for a parser and a handler', () => {
    for (const [text, code, segmentId, strategy] of [
      ['a <run_bash>ls', 'unterminated', 'seg_2'],
      ['a <tool name="write_file"><arg name="pa', 'unterminated', null],
      ['a [[SEG_START {type}]] b', 'bad-header', null, 'sentinel'],
      ['a <run_bash ', 'bad-tag', null],
    ]) {
      const own = []
      parse([text], { strategy, onError: (each) => own.push(each) })
      const { errors } = handle([text], { config: { strategy } })
      const [{ message, span, ...rest }] = errors
      assert.deepEqual([own, errors.length, Object.getPrototypeOf(own[0])], [errors, 1, Object.prototype])
      assert.deepEqual(rest, { code, raw: text.slice(...span), segmentId })
      assert.ok(message.length > 10 && rest.raw !== '')
    }
  })

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

  test('callbacks are optional', () => {
    for (const text of ['<run_bash>ls', 'a <run_bash ', '<tool name="t">run it</tool>', '<run_bash></run_bash>']) {
      const handler = new StreamingResponseHandler()
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
})

/** The chunks of an answer, its events joined, its calls as JSON without `{"id":` and arguments by name, its errors' codes. */
const ANSWERS = {
  'reasoning is a segment that ends before what follows': [
    [{ reasoning: 'h' }, { reasoning: 'm', content: '' }, { reasoning: '', content: 'Hi' }, { reasoning: 'so' }, delta(0, '{}', { name: 't', callId: 'c1' }), { reasoning: '<run_bash>x</run_bash>' }],
    '+1:reasoning 1"hm" -1 +2:text 2"Hi" -2 +3:reasoning 3"so" -3 +c1:tool_call{"tool_name":"t"} c1"{}" -c1 +4:reasoning 4"<run_bash>x</run_bash>" -4',
    ['c1 t {} c1'],
  ],
  'reasoning continues while a call has not begun': [
    [{ reasoning: 'a' }, delta(0, '{"content":"x",', { name: 'write_file', callId: 'c1' }), { reasoning: 'b' }, delta(0, '"path":"p"}')],
    '+1:reasoning 1"ab" -1 +c1:write_file{"tool_name":"write_file","path":"p"} c1"x" -c1',
    ['c1 write_file {"path":"p","content":"x"} c1'],
  ],
  'reasoning between pieces of a tool': [['<run_bash>ls', { reasoning: 'x' }, ' -la</run_bash>'], '+1:run_bash 1"ls" +2:reasoning 2"x" -2 1" -la" -1', ['seg_1 run_bash {"command":"ls -la"} ']],
  'one chunk has all three': [
    [{ reasoning: 'r', content: 'c', toolCalls: [{ index: 0, name: 't', callId: 'c1', argumentsDelta: '{}' }] }],
    '+1:reasoning 1"r" -1 +2:text 2"c" -2 +c1:tool_call{"tool_name":"t"} c1"{}" -c1', ['c1 t {} c1'],
  ],
  'a command is a call of any tool': [[delta(0, '{"command":"ls"}', { name: 'run_bash' })], '+1:tool_call{"tool_name":"run_bash"} 1"{\\"command\\":\\"ls\\"}" -1', ['seg_1 run_bash {"command":"ls"} ']],
  'a patch, and a content that is not one': [[delta(0, '{"content":"no","patch":"@@\\n-a","path":"p"}', { name: 'patch_file' })], '+1:patch_file{"tool_name":"patch_file","path":"p"} 1"@@\\n-a" -1', ['seg_1 patch_file {"path":"p","patch":"@@\\n-a","content":"no"} ']],
  'of each name the first, of the object itself': [
    [delta(0, '{"meta":{"path":"NO"},"list":[{"path":"NO"}],"path":"/a","content":"x","path":"/b","content":"y"}', { name: 'write_file', callId: 'c1' })],
    '+c1:write_file{"tool_name":"write_file","path":"/a"} c1"x" -c1', ['c1 write_file {"path":"/a","content":"x","meta":{"path":"NO"},"list":[{"path":"NO"}]} c1'],
  ],
  'a file without content': [[delta(0, '{"path":"p"}', { name: 'write_file' })], '+1:write_file{"tool_name":"write_file","path":"p"} -1', [], 'missing-arguments'],
  'a file without path': [[delta(0, '{"content":"x"}', { name: 'write_file', callId: 'c1' })], '', [], 'missing-arguments'],
  'a file whose name comes late': [
    [delta(0, '{"path":"/a",', { callId: 'c1' }), delta(0, '"content":"x"}', { name: 'write_file' })],
    '+c1:write_file{"tool_name":"write_file","path":"/a"} c1"x" -c1', ['c1 write_file {"path":"/a","content":"x"} c1'],
  ],
  'a name that comes after the arguments': [[delta(0, '{"a"', { callId: 'c1' }), delta(0, ':1}'), delta(0, null, { name: 'read' })], '+c1:tool_call{"tool_name":"read"} c1"{\\"a\\":1}" -c1', ['c1 read {"a":1} c1']],
  'an id that comes late': [[delta(0, '{"a"', { name: 'read' }), delta(0, ':1}', { callId: 'c1' })], '+1:tool_call{"tool_name":"read"} 1"{\\"a\\":1}" -1', ['seg_1 read {"a":1} c1']],
  'a file whose id comes before its path': [
    [delta(0, '{"content":"x",', { name: 'write_file' }), delta(0, '"path":"p"}', { callId: 'c1' })],
    '+c1:write_file{"tool_name":"write_file","path":"p"} c1"x" -c1', ['c1 write_file {"path":"p","content":"x"} c1'],
  ],
  'interleaved calls': [
    [
      { toolCalls: [{ index: 0, callId: 'c1', name: 't1', argumentsDelta: '{"a":1' }, { index: 1, callId: 'c2', name: 't2', argumentsDelta: '{"b"' }] },
      { toolCalls: [{ index: 1, argumentsDelta: ':2}' }, { index: 0, argumentsDelta: '}' }] },
    ],
    '+c1:tool_call{"tool_name":"t1"} c1"{\\"a\\":1" +c2:tool_call{"tool_name":"t2"} c2"{\\"b\\":2}" -c2 c1"}" -c1', ['c2 t2 {"b":2} c2', 'c1 t1 {"a":1} c1'],
  ],
  'text between': [
    ['a', delta(0, '{"a"', { name: 't', callId: 'c1' }), 'b', 'c', delta(0, ':1'), delta(0, '}'), delta(1, '{}', { name: 'u', callId: 'c2' }), 'd'],
    '+1:text 1"a" -1 +c1:tool_call{"tool_name":"t"} c1"{\\"a\\"" +2:text 2"bc" c1":1}" -c1 -2 +c2:tool_call{"tool_name":"u"} c2"{}" -c2 +3:text 3"d" -3', ['c1 t {"a":1} c1', 'c2 u {} c2'],
  ],
  'a call that is cut off': [[delta(0, '{"a":"x}', { name: 'read', callId: 'c1' })], '+c1:tool_call{"tool_name":"read"} c1"{\\"a\\":\\"x}" -c1', [], 'unterminated'],
  'a file that is cut off': [[delta(0, '{"path":"p","content":"x', { name: 'write_file', callId: 'c1' })], '+c1:write_file{"tool_name":"write_file","path":"p"} c1"x" -c1', [], 'unterminated'],
  'a file that is cut off before its path': [[delta(0, '{"content":"x","pa', { name: 'write_file', callId: 'c1' })], '', [], 'unterminated'],
  'a file that is not JSON': [[delta(0, '{"path":"p" "content":"x"}', { name: 'write_file', callId: 'c1' })], '+c1:write_file{"tool_name":"write_file","path":"p"} -c1', [], 'bad-arguments'],
  'a file that is nearly JSON': [
    [delta(0, "{'path':'p','content':'x\\d',}", { name: 'write_file', callId: 'c1' })],
    '+c1:write_file{"tool_name":"write_file","path":"p"} c1"x\\\\d" -c1', ['c1 write_file {"path":"p","content":"x\\\\d"} c1'],
  ],
  'white space after the JSON': [[delta(0, ' {"a":1} \n\t', { name: 'read' }), delta(0, '  ')], '+1:tool_call{"tool_name":"read"} 1" {\\"a\\":1}" -1', ['seg_1 read {"a":1} ']],
  'text after a file': [[delta(0, '{"path":"p","content":""}x', { name: 'write_file' }), delta(0, 'y')], '+1:write_file{"tool_name":"write_file","path":"p"} -1', ['seg_1 write_file {"path":"p","content":""} '], 'unexpected-text'],
  'calls that are never named': [
    [delta(0, '{"a":1}', { callId: 'c1' }), delta(1, null, { callId: 'c2' }), delta(2, '{}', { name: 'x' })],
    '+1:tool_call{"tool_name":"x"} 1"{}" -1', ['seg_1 x {} '], 'missing-name,missing-name',
  ],
}

for (const [name, [chunks, events, invoked, codes = '']] of Object.entries(ANSWERS)) {
  test(`an answer with ${name}`, () => {
    const found = handle(chunks)
    const shown = found.invocations.map(({ id, name: tool, arguments: values, callId = '' }) => `${id} ${tool} ${JSON.stringify(values)} ${callId}`)
    assert.deepEqual([joined(found.events), shown, found.codes], [events, invoked, codes])
    const ids = new Set(found.events.map((event) => event.segment_id))
    for (const { segmentId } of found.errors) assert.ok(ids.size === 0 || codes.startsWith('missing-name') ? segmentId === null : ids.has(segmentId))
  })
}

describe('reasoning and text', () => {
  test('lose no pending text to each other or to calls', () => {
    for (const between of [{ reasoning: 'x' }, delta(0, '{}', { name: 't', callId: 'c1' })]) {
      const { events } = handle(['a <wri', between, 'ting'])
      assert.equal(extractSegments(events).filter(({ type }) => type === 'text').map(({ content }) => content).join(''), 'a <writing')
    }
    const tool = handle(['a <run_', { reasoning: 'x' }, 'bash>ls</run_bash>'])
    assert.equal(extractSegments(tool.events).map(({ type, content }) => `${type} ${content}`).join(), 'text a ,reasoning x,run_bash ls')
    assert.equal(tool.invocations.length, 1)
  })

  test('have their own spans', () => {
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

  test('text after the JSON is dropped and reported once', () => {
    const text = '{"a":1} \n junk more'
    for (const [cut, chunks] of everyCut(text)) {
      const { events, invocations, codes, errors } = api(chunks.map((piece) => delta(0, piece, { name: 'read', callId: 'c1' })))
      assert.equal(joined(events), '+c1:tool_call{"tool_name":"read"} c1"{\\"a\\":1}" -c1', cut)
      assert.deepEqual([invocations.length, codes], [1, 'unexpected-text'], cut)
      assert.equal(errors[0].raw, text.slice(...errors[0].span), cut)
    }
    assert.equal(api([delta(0, ' {"a":1} \n\t', { name: 'read' }), delta(0, '  ')]).codes, '')
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

  test('onError of a handler overrides that of its config', () => {
    const log = []
    const onError = (where) => ({ code }) => log.push(`${where} ${code}`)
    const run = (options) => new StreamingResponseHandler(options).feed('<run_bash></run_bash>[')
    run({ config: { onError: onError('config') } })
    run({ onError: onError('handler'), config: { onError: onError('config') } })
    assert.deepEqual(log, ['config missing-arguments', 'handler missing-arguments'])
  })

  test('an adapter whose onError throws continues', () => {
    const adapter = new ToolInvocationAdapter({ onError() { throw boom } })
    const [bad, good] = ['<run_bash></run_bash>', '<run_bash>x</run_bash>'].map((text) => parse([text]))
    assert.throws(() => bad.forEach((event) => adapter.processEvent(event)), (error) => error === boom)
    assert.deepEqual(good.map((event) => adapter.processEvent(event)).at(-1), { id: 'seg_1', name: 'run_bash', arguments: { command: 'x' } })
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

  test('names of any characters', () => {
    const text = note({ 'a🙂': 'v🙂', 'b🙂': 'x🙂' }, 't🙂')
    for (const [cut, chunks] of everyCut(text)) {
      const found = extractSegments(parse(chunks, configOf({ contentArg: 'b🙂', startWhen: ['a🙂'] }, 't🙂')))
      assert.deepEqual(found, [{ id: 'seg_1', type: 'tool_call', content: 'x🙂', metadata: { tool_name: 't🙂', 'a🙂': 'v🙂' } }], cut)
    }
    for (const [cut, chunks] of everyCut('a {"🙂":1,"name":"f"}')) assert.equal(joined(parse(chunks, { strategy: 'json', jsonProfile: ['{"🙂":'] })), '+1:text 1"a " -1 +2:tool_call 2"{\\"🙂\\":1,\\"name\\":\\"f\\"}" -2', cut)
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

  test('the longest that fit', () => {
    new StreamingParser(configOf({ contentArg: 'x'.repeat(64), metadataArgs: [...'abcdefgh'], startMarker: 'é'.repeat(32), endMarker: 'b'.repeat(64) }))
  })
})

describe('adversarial input', () => {
  const MB = 1_000_000

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
})
