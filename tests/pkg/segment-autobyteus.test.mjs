// What programs of AutoByteus use: its names, its events, its readers of JSON tools, its registry.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getToolSyntaxSpec } from 'tokenweir/autobyteus'
import * as segments from 'tokenweir/segments'
import { joinedSegments } from './support/segment-reading.mjs'

const { SegmentEventType, SegmentStream, SegmentType, StreamingParser, StreamingResponseHandler, ToolInvocationAdapter } = segments
const { extractSegments, parseSegments, registerToolSyntax, streamingResponseHandlerFor, toolSyntaxOf, unregisterToolSyntax } = segments

const eventStyle = 'autobyteus'
const TEXT = 'Hello <write_file path="/a.py">x=1</write_file><tool name="read"><arg name="p">1</arg></tool> bye'

/** What AutoByteus 1.4.4 gives for `TEXT` in one chunk, as `to_dict` has it. */
const DICTS = [
  { type: 'SEGMENT_START', segment_id: 'seg_1', payload: {}, segment_type: 'text' },
  { type: 'SEGMENT_CONTENT', segment_id: 'seg_1', payload: { delta: 'Hello ' } },
  { type: 'SEGMENT_END', segment_id: 'seg_1', payload: {} },
  { type: 'SEGMENT_START', segment_id: 'seg_2', payload: { metadata: { path: '/a.py' } }, segment_type: 'write_file' },
  { type: 'SEGMENT_CONTENT', segment_id: 'seg_2', payload: { delta: 'x=1' } },
  { type: 'SEGMENT_END', segment_id: 'seg_2', payload: { metadata: { path: '/a.py' } } },
  { type: 'SEGMENT_START', segment_id: 'seg_3', payload: { metadata: { tool_name: 'read' } }, segment_type: 'tool_call' },
  { type: 'SEGMENT_CONTENT', segment_id: 'seg_3', payload: { delta: '<arg name="p">1</arg>' } },
  { type: 'SEGMENT_END', segment_id: 'seg_3', payload: { metadata: { tool_name: 'read' } } },
  { type: 'SEGMENT_START', segment_id: 'seg_4', payload: {}, segment_type: 'text' },
  { type: 'SEGMENT_CONTENT', segment_id: 'seg_4', payload: { delta: ' bye' } },
  { type: 'SEGMENT_END', segment_id: 'seg_4', payload: {} },
]

const CALLS = [
  { id: 'seg_2', name: 'write_file', arguments: { path: '/a.py', content: 'x=1' } },
  { id: 'seg_3', name: 'read', arguments: { p: '1' } },
]

describe('names', () => {
  test('are those of AutoByteus, and frozen', () => {
    const { EDIT_FILE, ...types } = SegmentType
    assert.deepEqual(types, { TEXT: 'text', TOOL_CALL: 'tool_call', WRITE_FILE: 'write_file', PATCH_FILE: 'patch_file', RUN_BASH: 'run_bash', REASONING: 'reasoning', MEDIA: 'media' })
    assert.equal(EDIT_FILE, 'edit_file')
    assert.deepEqual({ ...SegmentEventType }, { START: 'SEGMENT_START', CONTENT: 'SEGMENT_CONTENT', END: 'SEGMENT_END' })
    assert.ok(Object.isFrozen(SegmentType) && Object.isFrozen(SegmentEventType))
  })
})

describe("eventStyle: 'autobyteus'", () => {
  const read = (chunks, config = {}) => {
    const parser = new StreamingParser({ eventStyle, ...config })
    return [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.finalize()]
  }

  test('events are what AutoByteus has', () => {
    const events = read([TEXT])
    assert.deepEqual(events.map((event) => event.toDict()), DICTS)
    assert.deepEqual(events.map((event) => Object.keys(event.toDict())), DICTS.map((dict) => Object.keys(dict)))
    for (const [at, event] of events.entries()) {
      assert.ok(!('type' in event))
      assert.deepEqual(JSON.parse(JSON.stringify(event)), (({ type, ...rest }) => ({ event_type: type, ...rest }))(DICTS[at]))
      assert.equal(event.event_type, DICTS[at].type)
      assert.equal(event.segment_type, DICTS[at].segment_type)
    }
  })

  test('at every cut they are the same', () => {
    for (let cut = 1; cut < TEXT.length; cut++) {
      const dicts = read([TEXT.slice(0, cut), TEXT.slice(cut)]).map((event) => event.toDict())
      assert.deepEqual(joinedSegments(dicts), DICTS, `cut at ${cut}`)
    }
  })

  test('what decides about an invocation is on the END', () => {
    const ends = (text) => read([text]).filter(({ event_type: type }) => type === SegmentEventType.END).map(({ payload }) => payload)
    assert.deepEqual(ends('<write_file path="a">x'), [{ metadata: { path: 'a' }, incomplete: true }])
    assert.deepEqual(ends('<tool name="write_file"><arg name="path">a</arg></tool>'), [{ metadata: { tool_name: 'write_file', path: 'a' }, missing: 'content' }])
  })

  test('the metadata of an END is a copy', () => {
    const [start, , end] = read(['<write_file path="a">x</write_file>'])
    start.payload.metadata.path = 'b'
    assert.equal(end.payload.metadata.path, 'a')
  })

  test('a handler emits and keeps the same objects', () => {
    const seen = []
    const handler = new StreamingResponseHandler({ config: { eventStyle }, onSegmentEvent: (event) => seen.push(event) })
    const given = [...handler.feed(TEXT), ...handler.finalize()]
    assert.deepEqual(seen.map((event) => event.toDict()), DICTS)
    for (const events of [given, handler.getAllEvents()]) assert.ok(events.length === seen.length && events.every((event, at) => event === seen[at]))
    assert.deepEqual(handler.getAllInvocations(), CALLS)
    handler.reset()
    assert.deepEqual(handler.feed('Hello ').map((event) => event.toDict()), DICTS.slice(0, 2))
  })

  test('reasoning and API calls too', () => {
    const handler = streamingResponseHandlerFor({ config: { eventStyle } })
    const events = [
      ...handler.feed({ reasoning: 'hm', toolCalls: [{ index: 0, callId: 'c', name: 'add', argumentsDelta: '{"a":1}' }] }),
      ...handler.finalize(),
    ]
    assert.deepEqual(events.map(({ event_type: type, segment_id: id, segment_type: kind }) => [type.slice(8), id, kind]), [
      ['START', 'seg_1', 'reasoning'],
      ['CONTENT', 'seg_1', undefined],
      ['END', 'seg_1', undefined],
      ['START', 'c', 'tool_call'],
      ['CONTENT', 'c', undefined],
      ['END', 'c', undefined],
    ])
    assert.deepEqual(events.at(-1).payload, { metadata: { tool_name: 'add' } })
  })

  test('streams and loops have it', async () => {
    const piped = []
    for await (const event of new Blob([TEXT]).stream().pipeThrough(new TextDecoderStream()).pipeThrough(new SegmentStream({ eventStyle }))) piped.push(event.toDict())
    const looped = []
    for await (const event of parseSegments([TEXT], { eventStyle })) looped.push(event.toDict())
    assert.deepEqual([piped, looped], [DICTS, DICTS])
  })

  test('adapter and extractSegments take events of either style, copies of them, and their dicts', () => {
    const events = read([TEXT])
    const forms = [events, events.map((event) => ({ ...event })), JSON.parse(JSON.stringify(events)), structuredClone(events.map((event) => event.toDict())), new StreamingParser().feedAndFinalize(TEXT)]
    for (const form of forms) {
      assert.deepEqual(new ToolInvocationAdapter().processEvents(form), CALLS)
      assert.deepEqual(extractSegments(form).map(({ type, content }) => [type, content]), [['text', 'Hello '], ['write_file', 'x=1'], ['tool_call', '<arg name="p">1</arg>'], ['text', ' bye']])
    }
    const cutOff = read(['<run_bash>rm -rf b'])
    for (const form of [cutOff, JSON.parse(JSON.stringify(cutOff))]) assert.deepEqual(new ToolInvocationAdapter().processEvents(form), [])
  })

  test('spans and other styles are refused by name', () => {
    assert.throws(() => new StreamingParser({ eventStyle, spans: true }), /StreamingParser\.spans must be false with eventStyle "autobyteus"/)
    assert.throws(() => new StreamingParser({ eventStyle: 'python' }), /StreamingParser\.eventStyle must be "plain" or "autobyteus", but is/)
  })
})

describe('ToolInvocationAdapter', () => {
  test('getActiveSegmentIds: tools that have begun', () => {
    const adapter = new ToolInvocationAdapter()
    const parser = new StreamingParser()
    assert.deepEqual(adapter.processEvents(parser.feed('text <run_bash>ls')), [])
    assert.deepEqual(adapter.getActiveSegmentIds(), ['seg_2'])
    assert.equal(adapter.processEvents(parser.feed('</run_bash>')).length, 1)
    assert.deepEqual(adapter.getActiveSegmentIds(), [])
  })

  test('processEvents gives all calls of one text', () => {
    const events = new StreamingParser({ strategy: 'json', jsonProfile: 'openai' }).feedAndFinalize('{"tools": [{"name": "a"}, {"name": "b"}]}')
    assert.deepEqual(new ToolInvocationAdapter({ jsonProfile: 'openai' }).processEvents(events).map(({ id, name }) => [id, name]), [['seg_1', 'a'], ['seg_1.2', 'b']])
    assert.throws(() => new ToolInvocationAdapter().processEvents([null]), TypeError)
  })
})

describe('jsonToolParser', () => {
  const jsonToolParser = { parse: (json) => Object.entries(JSON.parse(json).tool).map(([name, given]) => ({ name, arguments: given })) }
  const text = ' {"tool": {"a": {"x": 1}, "b": {}}} '

  test('of a handler, of an adapter, and alone in its place', () => {
    const handler = new StreamingResponseHandler({ config: { strategy: 'json', jsonToolParser } })
    handler.feed(text)
    const expected = [['seg_2', 'a', { x: 1 }], ['seg_2.2', 'b', {}]]
    const shown = (calls) => calls.map(({ id, name, arguments: given }) => [id, name, given])
    assert.deepEqual(shown(handler.getAllInvocations()), expected)
    const events = new StreamingParser({ strategy: 'json' }).feedAndFinalize(text)
    for (const given of [{ jsonToolParser }, jsonToolParser]) assert.deepEqual(shown(new ToolInvocationAdapter(given).processEvents(events)), expected)
  })

  test('it is called as a method, with the text from its bracket on, once', () => {
    const seen = []
    class Strategy {
      calls = []
      parse(json) {
        seen.push(json)
        return this.calls
      }
    }
    const errors = []
    const handler = new StreamingResponseHandler({ config: { strategy: 'json', jsonToolParser: new Strategy() }, onError: ({ code }) => errors.push(code) })
    handler.feed('x {"tool": 1} <tool name="f">{"a": 1}</tool>')
    handler.finalize()
    assert.deepEqual([seen, errors, handler.getAllInvocations()], [['{"tool": 1}'], ['missing-name'], []])
  })

  test('what it returns is checked', () => {
    const codes = []
    const run = (calls) => {
      const handler = new StreamingResponseHandler({ config: { strategy: 'json', jsonToolParser: { parse: () => calls } }, onError: ({ code }) => codes.push(code) })
      handler.feed('{"tool": 1}')
      return handler.getAllInvocations().map(({ name }) => name)
    }
    assert.deepEqual(run([{ name: '', arguments: {} }, { name: 'f' }, null, { name: 'g', arguments: {} }]), ['g'])
    assert.deepEqual(codes, ['missing-name', 'bad-arguments', 'missing-name'])
    assert.throws(() => run(undefined), /jsonToolParser\.parse must return an array/)
    assert.throws(() => new StreamingParser({ jsonToolParser: {} }), /StreamingParser\.jsonToolParser must be an object with a method parse/)
  })

  test('what it throws is thrown when the chunk was emitted', () => {
    const invoked = []
    const jsonToolParser = { parse() { throw new Error('mine') } }
    const handler = new StreamingResponseHandler({ config: { strategyOrder: ['xml_tag', 'json_tool'], jsonToolParser }, onToolInvocation: ({ name }) => invoked.push(name) })
    assert.throws(() => handler.feed('{"tool": 1}<run_bash>ls</run_bash>'), /^Error: mine$/)
    assert.deepEqual(invoked, ['run_bash'])
    assert.equal(handler.getAllEvents().length, 6)
    assert.equal(handler.feed('on').length, 2)
  })

  test('a tool that is not listed is not called', () => {
    const codes = []
    const handler = new StreamingResponseHandler({ config: { strategy: 'json', tools: ['f'], jsonToolParser: { parse: () => [{ name: 'rm', arguments: {} }] } }, onError: ({ code }) => codes.push(code) })
    handler.feed('{"tool": "f"}')
    assert.deepEqual([codes, handler.getAllInvocations()], [['unknown-tool'], []])
  })
})

describe('buildArguments', () => {
  const build = (metadata, content) => (metadata['to'] === undefined ? null : { ...metadata, body: content })
  const call = (metadata, content = 'hi') => {
    const errors = []
    const adapter = new ToolInvocationAdapter({ onError: ({ code }) => errors.push(code) })
    const made = adapter.processEvents([
      { type: 'SEGMENT_START', segment_id: 's', segment_type: 'mail', payload: { metadata } },
      { type: 'SEGMENT_CONTENT', segment_id: 's', payload: { delta: content } },
      { type: 'SEGMENT_END', segment_id: 's', payload: {} },
    ])
    return [made, errors]
  }

  test('makes the arguments; null calls nothing', () => {
    registerToolSyntax('mail', { toolName: 'send', buildArguments: build })
    assert.deepEqual(call({ to: 'ada' }), [[{ id: 's', name: 'send', arguments: { to: 'ada', body: 'hi' } }], []])
    assert.deepEqual(call({}), [[], ['missing-arguments']])
    assert.equal(toolSyntaxOf('mail').toolName, 'send')
    assert.deepEqual(getToolSyntaxSpec('mail').buildArguments({ to: 'ada' }, 'x'), { to: 'ada', body: 'x' })
    registerToolSyntax('mail', toolSyntaxOf('mail'))
    assert.deepEqual(call({ to: 'ada' })[0].length, 1)
    registerToolSyntax('mail', { toolName: 'send', buildArguments: () => 'no' })
    assert.throws(() => call({}), /buildArguments of send must return an object or null/)
    unregisterToolSyntax('mail')
  })

  test('a file that was cut off, or has no content, is not given to it', () => {
    const before = toolSyntaxOf('write_file')
    const seen = []
    registerToolSyntax('write_file', { toolName: 'write_file', buildArguments: (metadata, content) => (seen.push(content), { ...metadata, content }) })
    const adapter = new ToolInvocationAdapter()
    for (const text of ['<write_file path="a">x', '<write_file path="a"/>']) adapter.processEvents(new StreamingParser().feedAndFinalize(text))
    assert.deepEqual(seen, [])
    assert.deepEqual(adapter.processEvents(new StreamingParser().feedAndFinalize('<write_file path="a"></write_file>')).map(({ arguments: given }) => given), [{ path: 'a', content: '' }])
    registerToolSyntax('write_file', before)
  })

  test('is refused next to what it replaces', () => {
    assert.throws(() => registerToolSyntax('mail', { toolName: 'send', contentArgument: 'body', buildArguments: build }), /has buildArguments, which makes all of the arguments, and contentArgument/)
    assert.throws(() => registerToolSyntax('mail', { toolName: 'send', buildArguments: 5 }), /buildArguments/)
  })

  test('getToolSyntaxSpec has those of AutoByteus', () => {
    const built = (type, metadata, content) => getToolSyntaxSpec(type)?.buildArguments(metadata, content)
    assert.deepEqual(built('write_file', { path: 'a' }, 'x'), { path: 'a', content: 'x' })
    assert.deepEqual(built('write_file', { path: 'a' }, ''), { path: 'a', content: '' })
    assert.equal(built('write_file', {}, 'x'), null)
    assert.deepEqual(built('patch_file', { path: 'a' }, 'x'), { path: 'a', patch: 'x' })
    assert.deepEqual(built('run_bash', { cmd: 'ls' }, ''), { command: 'ls' })
    assert.equal(built('run_bash', {}, ''), null)
    assert.equal(getToolSyntaxSpec('text'), undefined)
    assert.throws(() => getToolSyntaxSpec(5), /getToolSyntaxSpec/)
  })
})
