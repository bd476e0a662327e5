// What is invoked, and what never is: in every way to write a tool, at every
// cut. Source: spec/world.md, section 7, points 1 to 6.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, registerXmlToolParsingState, streamingResponseHandlerFor, unregisterXmlToolParsingState } from 'tokenweir/segments'
import { everyCut } from './support/cuts.mjs'

/** Feeds a handler: its invocations as `[name, arguments]`, the errors, and the payloads of the ends. */
function handle(chunks, options = {}, Make = (given) => new StreamingResponseHandler(given)) {
  const errors = []
  const handler = Make({ onError: (error) => errors.push(error), ...options })
  const events = [...chunks.flatMap((chunk) => handler.feed(chunk)), ...handler.finalize()]
  return {
    events,
    errors,
    codes: errors.map(({ code }) => code),
    calls: handler.getAllInvocations().map(({ name, arguments: given }) => [name, given]),
    ends: events.filter(({ type }) => type === 'SEGMENT_END').map(({ payload }) => payload),
    types: events.filter(({ type }) => type === 'SEGMENT_START').map(({ segment_type: type }) => type),
    metadata: events.filter(({ type }) => type === 'SEGMENT_START').map(({ payload }) => payload.metadata ?? {}),
  }
}

/** Feeds a text at every cut, which must make no difference; returns the result. */
function read(text, options, Make) {
  const whole = handle([text], options, Make)
  for (const [cut, chunks] of everyCut(text)) {
    const { calls, codes, ends, types, metadata } = handle(chunks, options, Make)
    assert.deepEqual({ calls, codes, ends, types, metadata }, { calls: whole.calls, codes: whole.codes, ends: whole.ends, types: whole.types, metadata: whole.metadata }, `${JSON.stringify(text)}, ${cut}`)
  }
  return whole
}

const xml = (inside, name = 'write_file') => `<tool name="${name}"><arguments>${inside}</arguments></tool>`
const arg = (name, value) => `<arg name="${name}">${value}</arg>`
const delta = (index, argumentsDelta, more) => ({ toolCalls: [{ index, ...(argumentsDelta !== undefined && { argumentsDelta }), ...more }] })
const api = (value, name = 'write_file') => [delta(0, typeof value === 'string' ? value : JSON.stringify(value), { name })]
const json = (value, name = 'write_file') => JSON.stringify({ tool: { function: name, parameters: value } })
const JSON_TOOLS = { config: { strategy: 'json' } }
const SENTINEL = { config: { strategy: 'sentinel' } }

describe('1: a file tool without its content argument is not invoked', () => {
  for (const [tool, content] of [['write_file', 'content'], ['patch_file', 'patch'], ['edit_file', 'patch']]) {
    const ways = {
      xml: [xml(arg('path', 'a'), tool)],
      'xml without <arguments>': [`<tool name="${tool}">${arg('path', 'a')}</tool>`],
      json: [json({ path: 'a' }, tool), JSON_TOOLS],
      'json, null': [json({ path: 'a', [content]: null }, tool), JSON_TOOLS],
      'sentinel, a tool by name': [`[[SEG_START {"type":"tool","tool_name":"${tool}","arguments":{"path":"a"}}]][[SEG_END]]`, SENTINEL],
      'generic xml': [xml(arg('path', 'a'), tool), { config: { toolStates: { [tool]: null } } }],
    }
    for (const [way, [text, options]] of Object.entries(ways)) {
      test(`${tool}: ${way}`, () => {
        const { calls, codes, errors } = read(text, options)
        assert.deepEqual([calls, codes], [[], ['missing-arguments']])
        assert.match(errors[0].message, new RegExp(`${tool}.*"${content}"`))
      })
    }
    test(`${tool}: an API's call`, () => {
      for (const given of [{ path: 'a' }, { path: 'a', [content]: null }, { path: 'a', x: { [content]: 'no' } }]) {
        const { calls, codes, errors } = handle(api(given, tool))
        assert.deepEqual([calls, codes], [[], ['missing-arguments']])
        assert.match(errors[0].message, new RegExp(`"${tool}".*"${content}"`))
      }
    })
    test(`${tool}: empty content is content`, () => {
      const expected = [[[tool, { path: 'a', [content]: '' }]], []]
      for (const inside of [arg('path', 'a') + arg(content, ''), arg(content, '') + arg('path', 'a'), `${arg('path', 'a')}<arg name="${content}"/>`]) {
        const { calls, codes } = read(xml(inside, tool))
        assert.deepEqual([calls, codes], expected, inside)
      }
      const { calls, codes } = read(json({ path: 'a', [content]: '' }, tool), JSON_TOOLS)
      assert.deepEqual([calls, codes], expected)
      const called = handle(api({ path: 'a', [content]: '' }, tool))
      assert.deepEqual([called.calls, called.codes], expected)
      const header = read(`[[SEG_START {"type":"${tool}","path":"a"}]][[SEG_END]]`, SENTINEL)
      assert.deepEqual([header.calls, header.codes], expected)
    })
  }

  test('<write_file>: raw content is content, an empty tag has none', () => {
    assert.deepEqual(read('<write_file path="a"></write_file>').calls, [['write_file', { path: 'a', content: '' }]])
    const { calls, codes, errors, types, metadata } = read('<write_file path="a"/>')
    assert.deepEqual([calls, codes, types, metadata], [[], ['missing-arguments'], ['write_file'], [{ path: 'a' }]])
    assert.match(errors[0].message, /write_file.*"content"/)
  })

  test('text elsewhere is not content', () => {
    assert.deepEqual(read(xml(arg('path', 'a') + arg('contents', 'x'))).codes, ['missing-arguments'])
    assert.deepEqual(read(xml(`${arg('path', 'a')}<content>x</content>`)).codes, ['missing-arguments'])
  })

  test('with acceptUnterminated neither', () => {
    const { calls, codes } = read(`<tool name="write_file">${arg('path', 'a')}`, { config: { acceptUnterminated: true } })
    assert.deepEqual([calls, codes], [[], ['missing-arguments']])
    assert.deepEqual(handle([delta(0, '{"path":"a"', { name: 'write_file' })], { config: { acceptUnterminated: true } }).calls, [])
  })

  test('the path is needed with every strategy', () => {
    assert.deepEqual(read(json({ content: 'x' }), JSON_TOOLS).codes, ['missing-arguments'])
    assert.deepEqual(handle(api({ content: 'x' })).codes, ['missing-arguments'])
  })

  test('a tool of the same name whose schema has no such argument is another tool', () => {
    const schemas = { edit_file: { type: 'object', properties: { path: { type: 'string' }, old: { type: 'string' }, new: { type: 'string' } } } }
    assert.deepEqual(read(json({ path: 'a', old: 'x', new: 'y' }, 'edit_file'), { ...JSON_TOOLS, schemas }).calls, [['edit_file', { path: 'a', old: 'x', new: 'y' }]])
  })
})

describe('1: arguments other than path and content reach the invocation', () => {
  const expected = [['write_file', { path: 'a', content: 'x', append: 'true', encoding: 'utf-8' }]]
  const schemas = { write_file: { type: 'object', properties: { append: { type: 'boolean' } } } }
  const typed = [['write_file', { path: 'a', content: 'x', append: true, encoding: 'utf-8' }]]
  const others = arg('append', 'true') + arg('encoding', ' utf-8\n')
  const texts = {
    'after the content': xml(arg('path', 'a') + arg('content', 'x') + others),
    'before the path': xml(others + arg('path', 'a') + arg('content', 'x')),
    between: xml(arg('path', 'a') + others + arg('content', 'x')),
    'around the content': xml(arg('append', 'true') + arg('path', 'a') + arg('content', 'x') + arg('encoding', 'utf-8')),
    'content before the path': xml(arg('append', 'true') + arg('content', 'x') + arg('encoding', 'utf-8') + arg('path', 'a')),
    'path last': xml(arg('content', 'x') + others + arg('path', 'a')),
    'with markers': xml(`${arg('path', 'a')}${arg('content', '__START_CONTENT__\nx__END_CONTENT__')}${others}`),
    'without <arguments>': `<tool name="write_file">${arg('path', 'a')}${arg('content', 'x')}${others}</tool>`,
    'attributes of <write_file>': '<write_file append="true" path="a" encoding="utf-8">x</write_file>',
  }
  for (const [where, text] of Object.entries(texts)) {
    test(where, () => {
      assert.deepEqual(read(text).calls, expected)
      assert.deepEqual(read(text, { schemas }).calls, typed)
    })
  }

  test('JSON, sentinels and API calls have their own values', () => {
    const values = { path: 'a', content: 'x', append: true, dry_run: false, tags: ['y', { z: null }] }
    assert.deepEqual(read(json(values), JSON_TOOLS).calls, [['write_file', values]])
    assert.deepEqual(read('[[SEG_START {"type":"write_file","path":"a","append":true,"dry_run":false,"tags":["y",{"z":null}]}]]x[[SEG_END]]', SENTINEL).calls, [['write_file', values]])
    const { calls, events } = handle(api(values))
    assert.deepEqual(calls, [['write_file', values]])
    assert.deepEqual(events[0].payload, { metadata: { tool_name: 'write_file', path: 'a' } })
  })

  test('markup in them is the text, lists are lists', () => {
    assert.deepEqual(read(xml(`${arg('path', 'a')}${arg('content', 'x')}${arg('note', '<b>&amp;</b>')}${arg('tags', '<item>1</item><item>2</item>')}`)).calls, [['write_file', { path: 'a', content: 'x', note: '<b>&amp;</b>', tags: ['1', '2'] }]])
  })

  test('the closing tag of the last one may be missing; one that has swallowed another is refused', () => {
    const last = read(xml(arg('path', 'a') + arg('content', 'x') + '<arg name="dry_run">true'))
    assert.deepEqual([last.calls, last.codes], [[['write_file', { path: 'a', content: 'x', dry_run: 'true' }]], []])
    const first = read(xml('<arg name="dry_run">true' + arg('path', 'a') + arg('content', 'x')))
    assert.deepEqual([first.calls, first.codes], [[], ['bad-arguments']])
  })

  test('for tool states of your own too', () => {
    const config = { toolStates: { mail: { segmentType: 'mail', contentArg: 'body', startWhen: ['to'], metadataArgs: ['subject'] } } }
    const text = xml(arg('cc', 'bob') + arg('to', 'ann') + arg('body', 'hi') + arg('subject', 'x'), 'mail')
    assert.deepEqual(read(text, { config }).calls, [['mail', { to: 'ann', body: 'hi', cc: 'bob', subject: 'x' }]])
    assert.deepEqual(read(xml(arg('to', 'ann'), 'mail'), { config }).calls, [['mail', { to: 'ann' }]])
  })

  test("ordinary events are exactly the seed's", () => {
    const { events } = handle([xml(arg('path', 'a') + arg('content', 'x'))])
    assert.deepEqual(events, [
      { type: 'SEGMENT_START', segment_id: 'seg_1', segment_type: 'write_file', payload: { metadata: { tool_name: 'write_file', path: 'a' } } },
      { type: 'SEGMENT_CONTENT', segment_id: 'seg_1', payload: { delta: 'x' } },
      { type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} },
    ])
  })

  test('a too long call is not made', () => {
    const text = xml(arg('path', 'a') + arg('content', 'x') + arg('note', 'y'.repeat(1_048_576)))
    for (const chunks of [[text], [text.slice(0, 5_000), text.slice(5_000)]]) {
      const { calls, codes, ends, errors } = handle(chunks)
      assert.deepEqual([calls, codes, ends], [[], ['call-too-long'], [{ error: 'call-too-long' }]])
      assert.equal(errors[0].raw, text)
    }
    assert.equal(handle([xml(arg('path', 'a') + arg('content', 'x') + arg('note', 'y'.repeat(1_048_000)))]).calls.length, 1)
    assert.equal(read(xml(arg('path', 'a') + arg('content', 'x')), { config: { maxPending: 60 } }).calls.length, 1)
  })
})

describe('2: run_bash keeps background and timeout_seconds', () => {
  const expected = [['run_bash', { command: 'ls', background: true, timeout_seconds: 5 }]]
  const command = arg('command', 'ls')
  for (const [text, metadata] of [
    [xml(command + arg('background', 'true') + arg('timeout_seconds', '5'), 'run_bash'), {}],
    [xml(arg('background', 'TRUE') + arg('timeoutSeconds', ' 5 ') + command, 'run_bash'), {}],
    [xml(arg('background', 'yes') + command + arg('timeoutSeconds', '5'), 'run_bash'), {}],
    [`<tool name="run_bash" background="true" timeout_seconds="5">${command}</tool>`, { background: true, timeout_seconds: 5 }],
    [`<tool timeoutSeconds='5' name="run_bash" background="1">${command}</tool>`, { background: true, timeout_seconds: 5 }],
    [`<tool name="run_bash" background="true">${command}${arg('timeout_seconds', '5')}</tool>`, { background: true }],
    ['<run_bash background="true" timeoutSeconds="5">ls</run_bash>', { background: true, timeout_seconds: 5 }],
  ]) {
    test(text, () => {
      const emitted = read(text)
      assert.deepEqual(emitted.calls, expected)
      const { tool_name: _, ...rest } = emitted.metadata[0]
      assert.deepEqual(Object.entries(rest).sort(), Object.entries(metadata).sort())
      assert.deepEqual(emitted.codes, [])
    })
  }

  test('START comes with the tag', () => {
    const parser = new StreamingParser()
    assert.equal(parser.feed('<tool name="run_bash">').length, 1)
  })

  test('in a sentinel', () => {
    assert.deepEqual(read('[[SEG_START {"type":"run_bash","background":true,"timeoutSeconds":5}]]ls[[SEG_END]]', SENTINEL).calls, expected)
  })

  test('another argument is not lost, nor is a value that cannot be read', () => {
    assert.deepEqual(read(xml(arg('cwd', '/tmp') + command + arg('timeout_seconds', 'soon'), 'run_bash')).calls, [['run_bash', { command: 'ls', cwd: '/tmp', timeout_seconds: 'soon' }]])
    assert.deepEqual(read('<run_bash cwd="/tmp">ls</run_bash>').calls, [['run_bash', { command: 'ls', cwd: '/tmp' }]])
  })
})

describe('3: an API call without arguments', () => {
  const call = (more) => [delta(0, undefined, { name: 'now', callId: 'c1', ...more })]
  const calledAfter = (chunks, last) => {
    const handler = new StreamingResponseHandler()
    for (const chunk of chunks) handler.feed(chunk)
    assert.deepEqual(handler.getAllInvocations(), [])
    handler.feed(last)
    return handler.getAllInvocations().map(({ name, arguments: given }) => [name, given])
  }

  test('is invoked with {} when content or another call follows, when it is done, or at finalize', () => {
    for (const chunks of [call(), call({ argumentsDelta: '' }), call({ argumentsDelta: ' \n' })]) {
      assert.deepEqual(calledAfter(chunks, 'text'), [['now', {}]])
      assert.deepEqual(calledAfter(chunks, { content: 'text' }), [['now', {}]])
      assert.deepEqual(calledAfter(chunks, delta(1, '{"a":1}', { name: 'b' })), [['now', {}], ['b', { a: 1 }]])
      assert.deepEqual(calledAfter(chunks, delta(0, undefined, { done: true })), [['now', {}]])
      const { calls, codes, ends } = handle(chunks)
      assert.deepEqual([calls, codes, ends], [[['now', {}]], [], [{}]])
    }
    assert.deepEqual(handle(call({ done: true })).calls, [['now', {}]])
  })

  test('ends in its place', () => {
    const { events } = handle([...call(), delta(1, '{}', { name: 'b', callId: 'c2' }), 'x'])
    assert.equal(events.map(({ type, segment_id: id }) => `${type.slice(8)} ${id}`).join(), 'START c1,END c1,START c2,CONTENT c2,END c2,START seg_1,CONTENT seg_1,END seg_1')
  })

  test('may still get them while only names of others follow', () => {
    const { calls } = handle([delta(0, '', { name: 'a' }), delta(1, '', { name: 'b' }), delta(0, '{"x":1}'), delta(1, '{"y":2}')])
    assert.deepEqual(calls, [['a', { x: 1 }], ['b', { y: 2 }]])
  })

  test('is a missing argument if its schema needs one', () => {
    const needs = (schema) => ({ schemas: { now: schema } })
    for (const schema of [{ type: 'object', required: ['zone'] }, { allOf: [{ required: ['zone'] }] }, { $ref: '#/$defs/a', $defs: { a: { required: ['zone'] } } }]) {
      for (const chunks of [call(), [...call(), 'x'], call({ done: true })]) {
        const { calls, codes, errors } = handle(chunks, needs(schema))
        assert.deepEqual([calls, codes], [[], ['missing-arguments']])
        assert.match(errors[0].message, /"now".*"zone"/)
      }
      assert.deepEqual(handle([delta(0, '{}', { name: 'now' })], needs(schema)).calls, [['now', {}]])
    }
    for (const schema of [{ type: 'object', properties: { zone: {} } }, { anyOf: [{ required: ['zone'] }, {}] }, true]) assert.deepEqual(handle(call(), needs(schema)).calls, [['now', {}]])
  })

  test('of a file tool is not invoked', () => {
    const { calls, codes } = handle([delta(0, '', { name: 'write_file' }), 'x'])
    assert.deepEqual([calls, codes], [[], ['missing-arguments']])
  })

  test('that are cut off are never repaired', () => {
    for (const text of ['{', '{"a":', '{"a":1']) {
      for (const chunks of [[delta(0, text, { name: 'now' })], [delta(0, text, { name: 'now', done: true })], [delta(0, text, { name: 'now' }), 'x']]) {
        const { calls, codes, events } = handle(chunks)
        assert.deepEqual([calls, codes], [[], ['unterminated']], text)
        const [{ segment_id: id }] = events
        assert.deepEqual(events.find((event) => event.type === 'SEGMENT_END' && event.segment_id === id).payload, { incomplete: true })
      }
    }
  })

  test('done must be a boolean', () => {
    assert.throws(() => handle(call({ done: 1 })), { name: 'TypeError', message: /toolCalls\[0\]\.done/ })
    assert.deepEqual(handle(call({ done: null })).calls, [['now', {}]])
  })
})

describe('4: with a list of tools an unknown one is not a call', () => {
  const factory = (options) => streamingResponseHandlerFor(options)
  const tools = ['search', { name: 'write_file', parameters: { type: 'object', properties: { path: {}, content: {} } } }]
  const allText = (text, options) => {
    const emitted = read(text, options)
    assert.deepEqual([emitted.calls, emitted.codes, emitted.types, emitted.ends], [[], [], ['text'], [{}]], text)
    assert.equal(emitted.events.filter(({ type }) => type === 'SEGMENT_CONTENT').map(({ payload }) => payload.delta).join(''), text)
  }

  const TEXTS = {
    xml: [
      '<tool name="find"><arg name="a">1</arg></tool>', '<tool name="find"/>', 'a <run_bash>ls</run_bash> b', '<run_bash/>', xml(arg('command', 'ls'), 'run_bash'), xml(arg('path', 'a') + arg('patch', 'x'), 'patch_file'),
      '<tool name="find"><arg name="a"><tool name="search"></arg></tool>', '<run_bash><tool name="search"></tool></run_bash>', '<tool name="searching"></tool>', '<tool name="find"><write_file path="p">x</write_file>',
    ],
    json: ['{"tool":{"function":"find","parameters":{"a":1}}}', '{"function":{"name":"find","arguments":"{}"}}', '{"tool":{"parameters":{"name":"search"},"function":"find"}}', '{"tool":{"parameters":{"function":"search"}}}', '{"tool":5}', '{"tool":{"x":{"name":"search"}}}', '{"tool":{"function":"find","parameters":{"x":{"tool":{"function":"search"}}}}} a', '{"tool":{"function":"fi'],
    sentinel: ['[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]', '[[SEG_START {"type":"tool","tool_name":"find"}]]{"a":1}[[SEG_END]]', '[[SEG_START {"type":"tool","name":"find","arguments":{"tool_name":"search"}}]][[SEG_END]]', '[[SEG_START {"type":"edit_file","path":"a"}]]x[[SEG_START {"type":"write_file","path":"a"}]][[SEG_END]]'],
  }
  for (const [parser, texts] of Object.entries(TEXTS)) {
    for (const text of texts) {
      test(`${parser}: ${text}`, () => {
        allText(text, { config: { strategy: parser, tools } })
        read(text, { parser, tools }, factory)
        assert.deepEqual(read(text, { parser, tools }, factory).calls, [])
      })
    }
  }

  const KNOWN = {
    xml: [['<tool name="find"></tool><tool name="search"></tool>', [['search', {}]]], ['<tool name="Search"></tool>', [['Search', {}]]], ['<run_bash>x</run_bash><write_file path="a">b</write_file>', [['write_file', { path: 'a', content: 'b' }]]], [xml(arg('path', 'a') + arg('content', 'b'), 'WRITE_file'), [['write_file', { path: 'a', content: 'b' }]]], ['<run_bash/><tool name="find"/><tool name="search"/>', [['search', {}]]]],
    json: [['{"tool":{"function":"find"}} {"tool":{"function":"search","parameters":{"a":"{\\"tool\\":1}"}}}', [['search', { a: '{"tool":1}' }]]], ['{"function":{"arguments":"{\\"name\\":1}","name":"search"}}', [['search', { name: 1 }]]], ['{"tool":{"function":"s\\u0065arch"}}', [['search', {}]]], ['{ "tool" : { "function" : { "na\\u006de" : "search" } } }', [['search', {}]]], ['[{"tool":{"function":"find"}},{"tool":{"function":"search"}}]', [['search', {}]]]],
    sentinel: [['[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]] [[SEG_START {"type":"tool","tool_name":"search"}]]{"a":1}[[SEG_END]]', [['search', { a: 1 }]]], ['[[SEG_START {"type":"write_file","path":"a"}]]x[[SEG_END]][[SEG_START {"type":"text"}]]y[[SEG_END]][[SEG_START {"type":"reasoning"}]]z[[SEG_END]]', [['write_file', { path: 'a', content: 'x' }]]]],
  }
  for (const [strategy, texts] of Object.entries(KNOWN)) {
    for (const [text, calls] of texts) {
      test(`${strategy}, known: ${text}`, () => {
        const emitted = read(text, { config: { strategy, tools } })
        assert.deepEqual([emitted.calls, emitted.codes], [calls, []])
      })
    }
  }

  test('a known JSON tool streams from its name on', () => {
    const parser = new StreamingParser({ strategy: 'json', tools })
    assert.deepEqual(parser.feed('{"tool":{"function":"search'), [])
    assert.deepEqual(parser.feed('","parameters":{"a"').map(({ type }) => type), ['SEGMENT_START', 'SEGMENT_CONTENT'])
  })

  test('of several calls in one JSON text the unknown ones are errors', () => {
    const options = { config: { strategy: 'json', jsonProfile: 'openai', tools } }
    const emitted = read('{"tool_calls":[{"name":"search"},{"name":"find"},{"name":"search","arguments":{"a":1}}]}', options)
    assert.deepEqual([emitted.calls, emitted.codes], [[['search', {}], ['search', { a: 1 }]], ['unknown-tool']])
    assert.match(emitted.errors[0].message, /"find"/)
  })

  test('a sentinel that names its tool inside is judged there', () => {
    const emitted = read('[[SEG_START {"type":"tool"}]]{"tool":{"function":"find"}}[[SEG_END]]', { config: { strategy: 'sentinel', tools } })
    assert.deepEqual([emitted.calls, emitted.codes], [[], ['unknown-tool']])
  })

  test('API calls', () => {
    for (const options of [{ config: { tools } }, { config: { tools: [] } }]) {
      for (const text of ['{"a":1}', '', '{"a"']) {
        const { calls, codes, errors, ends } = handle([delta(0, text, { name: 'find', callId: 'c1' })], options)
        assert.deepEqual([calls, codes, ends], [[], ['unknown-tool'], [{ error: 'unknown-tool' }]])
        assert.match(errors[0].message, /"find"/)
        assert.equal(errors[0].segmentId, 'c1')
      }
    }
    assert.deepEqual(handle([delta(0, '{"a":1}', { name: 'search' })], { config: { tools } }).calls, [['search', { a: 1 }]])
    assert.deepEqual(handle([delta(0, '{"path":"a","content":""}', { name: 'write_file' })], { config: { tools: ['x'] } }).codes, ['unknown-tool'])
  })

  test('an empty list makes all text, and no list changes nothing', () => {
    allText('<run_bash>ls</run_bash>{"tool":{"function":"f"}}[[SEG_START {"type":"run_bash"}]]x[[SEG_END]]', { config: { strategyOrder: ['xml_tag', 'json_tool', 'sentinel'], tools: [] } })
    assert.deepEqual(read('<tool name="find"></tool>').calls, [['find', {}]])
    assert.deepEqual(read('<tool name="find"></tool>', { schemas: { search: {} } }).calls, [['find', {}]])
  })

  test('schemas in the list type arguments, and those of `schemas` win', () => {
    const list = { search: { properties: { n: { type: 'integer' } } } }
    const text = '<tool name="search"><arg name="n">3</arg></tool>'
    assert.deepEqual(read(text, { config: { tools: list } }).calls, [['search', { n: 3 }]])
    assert.deepEqual(read(text, { config: { tools: list }, schemas: { search: { properties: { n: { type: 'string' } } } } }).calls, [['search', { n: '3' }]])
  })

  test("a state of the parser's own is a known tool, one of all parsers only if it is listed", () => {
    const state = { segmentType: 'mail', contentArg: 'body' }
    const text = xml(arg('body', 'hi'), 'Send_mail')
    assert.deepEqual(read(text, { config: { tools, toolStates: { send_mail: state } } }).calls, [['Send_mail', { body: 'hi' }]])
    registerXmlToolParsingState('send_mail', state)
    try {
      allText(text, { config: { tools } })
      assert.deepEqual(read(text, { config: { tools: ['SEND_MAIL'] } }).calls, [['Send_mail', { body: 'hi' }]])
    } finally {
      unregisterXmlToolParsingState('send_mail')
    }
  })

  test('an adapter with a list', () => {
    const errors = []
    const adapter = new ToolInvocationAdapter({ tools, onError: ({ code, message }) => errors.push(`${code} ${message}`) })
    const events = new StreamingParser().feedAndFinalize('<tool name="find"></tool><run_bash>ls</run_bash><tool name="search"></tool>')
    assert.deepEqual(events.flatMap((event) => adapter.processEventAll(event)).map(({ name }) => name), ['search'])
    assert.equal(errors.length, 2)
    for (const [at, name] of ['find', 'run_bash'].entries()) assert.match(errors[at], new RegExp(`^unknown-tool .*"${name}"`))
  })

  test('a name that is too long to wait for, and one that never comes', () => {
    const long = `{"tool":{"parameters":{"a":"${'x'.repeat(100)}"},"function":"search"}}`
    const emitted = read(`${long}{"tool":{"function":"search"}}`, { config: { strategy: 'json', tools, maxPending: 64 } })
    assert.deepEqual([emitted.calls, emitted.codes, emitted.types], [[['search', {}]], ['call-too-long'], ['text', 'tool_call']])
  })

  test('anything but a list is rejected', () => {
    for (const bad of [5, 'x', [5], [{}]]) {
      assert.throws(() => new StreamingParser({ tools: bad }), { name: 'TypeError', message: /StreamingParser\.tools/ })
      assert.throws(() => new ToolInvocationAdapter({ tools: bad }), { name: 'TypeError', message: /ToolInvocationAdapter\.tools/ })
    }
  })
})

describe('5: only <item> and <arg> make structure without a schema', () => {
  const value = (inside, schema) => read(`<tool name="t"><arg name="v">${inside}</arg></tool>`, schema === undefined ? {} : { schemas: { t: { type: 'object', properties: { v: schema } } } }).calls[0][1].v
  for (const [inside, expected] of [
    ['<k>v</k>', '<k>v</k>'],
    ['<div>\n  <p>a &amp; b</p>\n</div>', '<div>\n  <p>a &amp; b</p>\n</div>'],
    ['&lt; <b>&lt;</b>', '&lt; <b>&lt;</b>'],
    ['a &amp; List<String> x', 'a &amp; List<String> x'],
    ['<br/>', '<br/>'],
    [' a &amp; b ', 'a & b'],
    ['1 &lt; 2 < 3', '1 < 2 < 3'],
    ['<item>1</item><item><k>&amp;</k></item>', ['1', '<k>&amp;</k>']],
    ['<arg name="a"><i>x</i></arg><arg name="b">&amp;</arg>', { a: '<i>x</i>', b: '&' }],
    ['<arg name="a">1</arg><k>2</k>', '<arg name="a">1</arg><k>2</k>'],
    ['so <item>1</item>', 'so <item>1</item>'],
    ['<![CDATA[<b>&amp;</b>]]>', '<b>&amp;</b>'],
  ]) {
    test(inside, () => assert.deepEqual(value(inside), expected))
  }

  test('a schema makes objects of other elements, and a string is the string as written', () => {
    assert.deepEqual(value('<k>3</k>', { type: 'object', properties: { k: { type: 'integer' } } }), { k: 3 })
    assert.equal(value('<k>&amp;</k>', { type: 'string' }), '<k>&amp;</k>')
    assert.equal(value('<k>&amp;</k>', {}), '<k>&amp;</k>')
    assert.deepEqual(value('<k><l>&amp;</l></k>', { type: 'object' }), { k: '<l>&amp;</l>' })
  })
})

describe('6: the end of a truncated segment is marked', () => {
  for (const [name, text, options] of [
    ['a command', '<run_bash>ls'],
    ['a file', '<write_file path="a">x</wri'],
    ['a tool', '<tool name="t"><arg name="a">1</arg>'],
    ['a file tool', '<tool name="write_file"><arg name="path">a</arg><arg name="content">x</arg></too'],
    ['JSON', '{"tool":{"function":"f"', JSON_TOOLS],
    ['a sentinel', '[[SEG_START {"type":"run_bash"}]]ls', SENTINEL],
    ['a text of a sentinel', '[[SEG_START {"type":"text"}]]ls', SENTINEL],
    ['reasoning of a sentinel', '[[SEG_START {"type":"reasoning"}]]ls', SENTINEL],
  ]) {
    test(name, () => {
      const { calls, codes, ends } = read(`a${text}`, options)
      assert.deepEqual([calls, codes, ends], [[], ['unterminated'], [{}, { incomplete: true }]])
    })
  }

  test('reasoning', () => {
    assert.deepEqual(handle([{ reasoning: 'hm' }]).ends, [{ incomplete: true }])
    assert.deepEqual(handle([{ reasoning: 'hm' }, 'x']).ends, [{}, {}])
    assert.deepEqual(handle([{ reasoning: 'hm' }]).codes, [])
  })

  test('the adapter reads it, and acceptUnterminated invokes despite it', () => {
    const events = new StreamingParser().feedAndFinalize('<run_bash>ls')
    assert.deepEqual(events.at(-1).payload, { incomplete: true })
    for (const copy of [events, JSON.parse(JSON.stringify(events)), structuredClone(events), events.map((event) => ({ ...event }))]) {
      assert.deepEqual(copy.flatMap((event) => new ToolInvocationAdapter().processEventAll(event)), [])
      const adapter = new ToolInvocationAdapter()
      assert.deepEqual(copy.flatMap((event) => adapter.processEventAll(event)), [])
      const accepting = new ToolInvocationAdapter({ acceptUnterminated: true })
      assert.deepEqual(copy.flatMap((event) => accepting.processEventAll(event)), [{ id: 'seg_1', name: 'run_bash', arguments: { command: 'ls' } }])
    }
    const accepted = handle(['<run_bash>ls'], { config: { acceptUnterminated: true } })
    assert.deepEqual([accepted.calls, accepted.ends], [[['run_bash', { command: 'ls' }]], [{ incomplete: true }]])
  })
})
