// What is invoked, and what never is: API calls, schemas, lists of tools, states
// of a program's own. Source: spec/world.md, section 7, points 1 to 6. The texts
// that say the same are cases, tests/cases/segment, with that as their source.
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
describe('1: a file tool without its content argument is not invoked', () => {
  for (const [tool, content] of [['write_file', 'content'], ['patch_file', 'patch'], ['edit_file', 'patch']]) {
    test(tool, () => {
      for (const given of [{ path: 'a' }, { path: 'a', [content]: null }, { path: 'a', x: { [content]: 'no' } }]) {
        const { calls, codes, errors } = handle(api(given, tool))
        assert.deepEqual([calls, codes], [[], ['missing-arguments']])
        assert.match(errors[0].message, new RegExp(`"${tool}".*"${content}"`))
      }
      const empty = handle(api({ path: 'a', [content]: '' }, tool))
      assert.deepEqual([empty.calls, empty.codes], [[[tool, { path: 'a', [content]: '' }]], []])
      const generic = read(xml(arg('path', 'a'), tool), { config: { toolStates: { [tool]: null } } })
      assert.deepEqual([generic.calls, generic.codes], [[], ['missing-arguments']])
      assert.match(generic.errors[0].message, new RegExp(`${tool}.*"${content}"`))
    })
  }

  test('<write_file/> says what is missing', () => {
    assert.match(handle(['<write_file path="a"/>']).errors[0].message, /write_file.*"content"/)
  })

  test('with acceptUnterminated neither', () => {
    const { calls, codes } = read(`<tool name="write_file">${arg('path', 'a')}`, { config: { acceptUnterminated: true } })
    assert.deepEqual([calls, codes], [[], ['missing-arguments']])
    assert.deepEqual(handle([delta(0, '{"path":"a"', { name: 'write_file' })], { config: { acceptUnterminated: true } }).calls, [])
  })

  test('a tool of the same name whose schema has no such argument is another tool', () => {
    const schemas = { edit_file: { type: 'object', properties: { path: { type: 'string' }, old: { type: 'string' }, new: { type: 'string' } } } }
    assert.deepEqual(read(json({ path: 'a', old: 'x', new: 'y' }, 'edit_file'), { ...JSON_TOOLS, schemas }).calls, [['edit_file', { path: 'a', old: 'x', new: 'y' }]])
  })
})

describe('1: arguments other than path and content reach the invocation', () => {
  test('typed by their schema', () => {
    const schemas = { write_file: { type: 'object', properties: { append: { type: 'boolean' } } } }
    const others = arg('append', 'true') + arg('encoding', ' utf-8\n')
    for (const text of [xml(arg('path', 'a') + arg('content', 'x') + others), xml(others + arg('content', 'x') + arg('path', 'a')), '<write_file append="true" path="a" encoding="utf-8">x</write_file>']) {
      assert.deepEqual(read(text, { schemas }).calls, [['write_file', { path: 'a', content: 'x', append: true, encoding: 'utf-8' }]])
    }
  })

  test('of API calls as they are', () => {
    const values = { path: 'a', content: 'x', append: true, dry_run: false, tags: ['y', { z: null }] }
    const { calls, events } = handle(api(values))
    assert.deepEqual(calls, [['write_file', values]])
    assert.deepEqual(events[0].payload, { metadata: { tool_name: 'write_file', path: 'a' } })
  })

  test('for tool states of your own too', () => {
    const config = { toolStates: { mail: { segmentType: 'mail', contentArg: 'body', startWhen: ['to'], metadataArgs: ['subject'] } } }
    const text = xml(arg('cc', 'bob') + arg('to', 'ann') + arg('body', 'hi') + arg('subject', 'x'), 'mail')
    assert.deepEqual(read(text, { config }).calls, [['mail', { to: 'ann', body: 'hi', cc: 'bob', subject: 'x' }]])
    assert.deepEqual(read(xml(arg('to', 'ann'), 'mail'), { config }).calls, [['mail', { to: 'ann' }]])
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

test('3: nor is a text without arguments a call if the schema needs one', () => {
  const tools = [{ name: 'look', inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } }]
  for (const [text, strategy] of [
    ...['', ', "parameters": null', ', "parameters": ""', ', "parameters": "null"'].map((written) => [`{"tool": {"function": "look"${written}}}`, 'json']),
    ...['', 'null', '""', '<arguments></arguments>', '<arguments>\nnull\n</arguments>'].map((written) => [`<tool name="look">${written}</tool>`, 'xml']),
  ]) {
    const { calls, codes } = read(text, { config: { strategy, tools } })
    assert.deepEqual([calls, codes], [[], ['missing-arguments']], text)
  }
})

describe('4: with a list of tools an unknown one is not a call', () => {
  const factory = (options) => streamingResponseHandlerFor(options)
  const tools = ['search', { name: 'write_file', parameters: { type: 'object', properties: { path: {}, content: {} } } }]
  const allText = (text, options) => {
    const emitted = read(text, options)
    assert.deepEqual([emitted.calls, emitted.codes, emitted.types, emitted.ends], [[], [], ['text'], [{}]], text)
    assert.equal(emitted.events.filter(({ type }) => type === 'SEGMENT_CONTENT').map(({ payload }) => payload.delta).join(''), text)
  }

  test('given to the factory too', () => {
    for (const [parser, unknown, known, calls] of [
      ['xml', '<tool name="find"><write_file path="p">x</write_file>', '<tool name="find"></tool><tool name="Search"></tool>', [['Search', {}]]],
      ['json', '{"tool":{"function":"find","parameters":{"a":1}}}', '{"function":{"arguments":"{\\"name\\":1}","name":"search"}}', [['search', { name: 1 }]]],
      ['sentinel', '[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]', '[[SEG_START {"type":"tool","tool_name":"search"}]]{"a":1}[[SEG_END]]', [['search', { a: 1 }]]],
    ]) {
      assert.deepEqual(read(unknown, { parser, tools }, factory).calls, [])
      assert.deepEqual(read(known, { parser, tools }, factory).calls, calls)
    }
  })

  test('a known JSON tool streams from its name on', () => {
    const parser = new StreamingParser({ strategy: 'json', tools })
    assert.deepEqual(parser.feed('{"tool":{"function":"search'), [])
    assert.deepEqual(parser.feed('","parameters":{"a"').map(({ type }) => type), ['SEGMENT_START', 'SEGMENT_CONTENT'])
  })

  test('of several calls in one JSON text the unknown one is named', () => {
    const { errors } = handle(['{"tool_calls":[{"name":"search"},{"name":"find"}]}'], { config: { strategy: 'json', jsonProfile: 'openai', tools } })
    assert.match(errors[0].message, /"find"/)
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

  test('anything but a list is rejected', () => {
    for (const bad of [5, 'x', [5], [{}]]) {
      assert.throws(() => new StreamingParser({ tools: bad }), { name: 'TypeError', message: /StreamingParser\.tools/ })
      assert.throws(() => new ToolInvocationAdapter({ tools: bad }), { name: 'TypeError', message: /ToolInvocationAdapter\.tools/ })
    }
  })
})

test('5: a schema makes objects of other elements, and a string is the string as written', () => {
  const value = (inside, schema) => read(`<tool name="t">${arg('v', inside)}</tool>`, { schemas: { t: { type: 'object', properties: { v: schema } } } }).calls[0][1].v
  assert.deepEqual(value('<k>3</k>', { type: 'object', properties: { k: { type: 'integer' } } }), { k: 3 })
  assert.equal(value('<k>&amp;</k>', { type: 'string' }), '<k>&amp;</k>')
  assert.equal(value('<k>&amp;</k>', {}), '<k>&amp;</k>')
  assert.deepEqual(value('<k><l>&amp;</l></k>', { type: 'object' }), { k: '<l>&amp;</l>' })
})

describe('6: the end of a truncated segment is marked', () => {
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
