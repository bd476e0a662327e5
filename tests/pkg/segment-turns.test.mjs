// What AutoByteus has had since May 2026: turns, streams that are given up, its commands and lists, its handler of native calls.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { LlmStreamingResponseHandler, decodeXmlEntitiesOnce, detectApiToolCallTextLeak, getToolSyntaxSpec } from 'tokenweir/autobyteus'
import * as segments from 'tokenweir/segments'
import { everyCut } from './support/cuts.mjs'
import { judge, judgeChunks } from './support/snapshot-judge.mjs'
import { joinedSegments } from './support/segment-reading.mjs'
import { anyConfig, cut, cuts, stream } from './support/segment-texts.mjs'

const { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter } = segments

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)

const turnId = 'turn_7'
const AUTOBYTEUS = { turnId, eventStyle: 'autobyteus' }

const plain = (value) => JSON.parse(JSON.stringify(value))

const joined = (events) => joinedSegments(plain(events))
const ends = (events) => events.filter((event) => (event.event_type ?? event.type) === 'SEGMENT_END').map(({ payload }) => payload)
const given = (calls) => calls.map(({ name, arguments: values }) => [name, values])

describe('turnId', () => {
  const text = 'Hi <write_file path="a">x</write_file>'

  test('all events have it, in the name of their style, and invocations too', () => {
    for (const event of new StreamingParser({ turnId, spans: true }).feedAndFinalize(text)) assert.deepEqual([event.turnId, 'turn_id' in event], [turnId, false])
    for (const event of new StreamingParser(AUTOBYTEUS).feedAndFinalize(text)) {
      assert.equal(event.turn_id, turnId)
      assert.equal(event.toDict().turn_id, turnId)
      assert.deepEqual(Object.keys(event.toDict()).slice(0, 3), ['type', 'turn_id', 'segment_id'])
    }
    for (const [config, key] of [[{ turnId }, 'turnId'], [AUTOBYTEUS, 'turn_id']]) {
      const handler = new StreamingResponseHandler({ config })
      handler.feed({ reasoning: 'hm', content: text, toolCalls: [{ index: 0, callId: 'c', name: 'f', argumentsDelta: '{}' }] })
      handler.finalize()
      assert.ok(handler.getAllEvents().length > 8)
      for (const event of handler.getAllEvents()) assert.equal(event[key], turnId)
      assert.deepEqual(handler.getAllInvocations().map((call) => call.turnId), [turnId, turnId])
    }
    for (const event of new StreamingParser().feedAndFinalize(text)) assert.ok(!('turnId' in event))
  })

  test('it is a string that is not empty', () => {
    for (const wrong of ['', 5, null]) assert.throws(() => new StreamingParser({ turnId: wrong }), /StreamingParser\.turnId must be a string that is not empty/)
  })
})

/** A text, what has come of it once it is read, and the payloads of the ENDs that giving it up adds. */
const GIVEN_UP = [
  ['', []],
  ['Hel', [{}]],
  ['a <run_ba', [{}]],
  ['a <', [{}]],
  ['<run_bash>ls</run_bash>', []],
  ['<run_bash>rm -rf b', [{}]],
  ['<run_bash cwd="/x">rm', [{ metadata: { cwd: '/x' } }]],
  ['<run_bash>ls</run_bas', [{}]],
  ['<write_file path="a">x', [{ metadata: { path: 'a' } }]],
  ['<tool name="read"><arg name="p">1', [{ metadata: { tool_name: 'read' } }]],
  ['<tool name="write_file"><arg name="path">a</arg><arg name="content">x</arg>', [{ metadata: { tool_name: 'write_file', path: 'a' } }]],
  ['<tool name="write_file"><arg name="path">a</arg><arg name="content">x</tool>', [{ metadata: { tool_name: 'write_file', path: 'a' } }]],
  ['<think>hm', [{}]],
  ['{"tool": {"function": "f"', [{}], { strategy: 'json' }],
  ['[[SEG_START {"type": "run_bash", "cwd": "b"}]]ls', [{ metadata: { cwd: 'b' } }], { strategy: 'sentinel' }],
]

describe('a stream that is given up', () => {
  for (const [text, added, config = {}] of GIVEN_UP) {
    test(`${JSON.stringify(text)}: at every cut`, () => {
      for (const style of [{}, { eventStyle: 'autobyteus' }, AUTOBYTEUS]) {
        const whole = new StreamingParser({ ...config, ...style })
        const expected = joined([...whole.feed(text), ...whole.interrupt('stop')])
        const content = expected.map(({ payload }) => payload.delta ?? '').join('')
        for (const [how, chunks] of everyCut(text, seed, { two: 40, pairs: 20 })) {
          const errors = []
          const parser = new StreamingParser({ ...config, ...style, acceptUnterminated: true, onError: ({ code }) => errors.push(code) })
          const before = chunks.flatMap((chunk) => parser.feed(chunk))
          const last = parser.interrupt('stop')
          assert.deepEqual(joined([...before, ...last]), expected, how)
          assert.deepEqual(ends(last), added.map((more) => ({ interrupted: true, reason: 'stop', ...more })), how)
          assert.deepEqual(errors, [], how)
          assert.deepEqual([parser.interrupt('again'), parser.finalize(), parser.isFinalized], [[], [], true])
          assert.throws(() => parser.feed('x'), { code: 'finished' })
          const calls = new ToolInvocationAdapter({ acceptUnterminated: true }).processEvents([...before, ...last])
          assert.deepEqual(calls.length, text.endsWith('</run_bash>') ? 1 : 0)
        }
        assert.ok(text.includes(content))
      }
    })
  }

  test('any text, given up anywhere: nothing is lost, all that is open ends, nothing of it is invoked, and a restore changes nothing', () => {
    fc.assert(fc.property(stream, cuts, anyConfig, (text, places, config) => {
      const read = (restores) => {
        let parser = new StreamingParser({ ...config, spans: true })
        const before = cut(text, places).flatMap((chunk) => parser.feed(chunk))
        if (restores) parser = StreamingParser.restore(plain(parser.snapshot()), config.toolStates === undefined ? undefined : { toolStates: config.toolStates })
        return [before, parser.interrupt('stop')]
      }
      const [before, last] = read(false)
      const all = [...before, ...last]
      if (Object.values(config.toolStates ?? {}).every((state) => state?.transform === undefined)) assert.equal(all.map(({ payload }) => payload.delta ?? '').join('').length, text.length)
      const open = new Set()
      for (const { type, segment_id: id } of all) {
        if (type === 'SEGMENT_START') open.add(id)
        if (type === 'SEGMENT_END') assert.ok(open.delete(id))
      }
      assert.equal(open.size, 0)
      for (const payload of ends(last)) assert.deepEqual([payload.interrupted, payload.reason, payload.incomplete, payload.error], [true, 'stop', undefined, undefined])
      const adapter = new ToolInvocationAdapter({ acceptUnterminated: true })
      adapter.processEvents(before)
      assert.deepEqual(adapter.processEvents(last), [])
      assert.deepEqual(plain(read(true)[1]), plain(last))
    }), { numRuns: 1_000, seed })
  })

  test('finalizeInterrupted and finalizeFailed: the same, with what they say; nothing is invoked', () => {
    for (const [method, payload] of [['finalizeInterrupted', { interrupted: true, reason: 'why' }], ['finalizeFailed', { failed: true, error: 'why' }]]) {
      for (const [text, added, config = {}] of GIVEN_UP) {
        const handler = new StreamingResponseHandler({ config: { ...config, ...AUTOBYTEUS } })
        handler.feed(text)
        const before = handler.getAllInvocations().length
        assert.deepEqual(plain(ends(handler[method]('why'))), added.map((more) => ({ ...payload, ...more })), text)
        assert.deepEqual([handler.getAllInvocations().length, handler.finalize(), handler[method]('again'), handler.isFinalized], [before, [], [], true])
      }
    }
  })

  test('finalize with the reason of a reply that did not end on its own gives it up', () => {
    for (const [reason, isWhole] of [['stop', true], ['tool_calls', true], ['end_turn', true], [undefined, true], [null, true], ['length', false], ['max_tokens', false], ['content_filter', false], ['interrupted', false], ['error', false], ['other', false]]) {
      const handler = new StreamingResponseHandler({ config: { acceptUnterminated: true } })
      handler.feed({ content: '<run_bash>rm -rf b', toolCalls: [{ index: 0, callId: 'a', name: 'now' }] })
      const events = handler.finalize({ reason })
      assert.deepEqual(handler.getAllInvocations().map(({ name }) => name), isWhole ? ['run_bash', 'now'] : [], String(reason))
      if (!isWhole) assert.deepEqual(ends(events).map(({ interrupted, reason }) => [interrupted, reason]), [[true, reason], [true, reason]].slice(0, ends(events).length))
      const parser = new StreamingParser()
      parser.feed('<run_bash>rm -rf b')
      assert.equal(ends(parser.finalize({ reason }))[0].interrupted, isWhole ? undefined : true)
    }
  })

  test('reasoning and calls of the API that have begun; a call that is whole has ended', () => {
    const handler = new StreamingResponseHandler({ config: AUTOBYTEUS })
    handler.feed({ reasoning: 'hm' })
    assert.deepEqual(ends(handler.finalizeFailed('gone')), [{ failed: true, error: 'gone' }])
    handler.reset()
    handler.feed({ toolCalls: [
      { index: 0, callId: 'a', name: 'read', argumentsDelta: '{"p": 1' },
      { index: 1, callId: 'b', name: 'write_file', argumentsDelta: '{"path": "x", "content": "1' },
      { index: 2, callId: 'c', name: 'write_file', argumentsDelta: '{"content": "1' },
      { index: 3, callId: 'd', argumentsDelta: '{' },
      { index: 4, callId: 'e', name: 'now' },
      { index: 5, callId: 'f', name: 'whole', argumentsDelta: '{}' },
    ] })
    const said = { interrupted: true, reason: 'stop' }
    const last = handler.finalizeInterrupted('stop')
    assert.deepEqual(last.map(({ segment_id: id, payload }) => [id, payload]), [
      ['a', { ...said, metadata: { tool_name: 'read' } }],
      ['b', { ...said, metadata: { tool_name: 'write_file', path: 'x' } }],
    ])
    assert.deepEqual(handler.getAllInvocations().map(({ name }) => name), ['now', 'whole'])
  })

  test('an adapter calls nothing that an END says was given up, in its payload or in its metadata', () => {
    for (const said of [{ interrupted: true, reason: 'x' }, { failed: true, error: 'x' }, { metadata: { interrupted: true } }, { metadata: { failed: true } }]) {
      for (const acceptUnterminated of [false, true]) {
        const events = new StreamingParser().feedAndFinalize('<run_bash>ls</run_bash>')
        Object.assign(events.at(-1).payload, said)
        assert.equal(new ToolInvocationAdapter({ acceptUnterminated }).processEvents(events).length, 0)
      }
    }
  })

  test('why it is given up is a string', () => {
    assert.throws(() => new StreamingParser().interrupt(), /StreamingParser\.interrupt takes a string/)
    assert.throws(() => new StreamingResponseHandler().finalizeInterrupted(5), /finalizeInterrupted takes a string/)
    assert.throws(() => new StreamingResponseHandler().finalizeFailed(new Error('x')), /finalizeFailed takes a string/)
  })
})

/** A text, its call by default, and its call with a turn and AutoByteus' events. */
const CALLS = [
  ['<run_bash>a &amp;amp; b &lt; &#99; &#x64; &quot;&apos;&gt;</run_bash>', ['run_bash', { command: 'a &amp;amp; b &lt; &#99; &#x64; &quot;&apos;&gt;' }], ['run_bash', { command: 'a &amp; b < c d "\'>' }]],
  ['<run_bash>&nbsp; &amp &#xD800; &x;</run_bash>', ['run_bash', { command: '&nbsp; &amp &#xD800; &x;' }], ['run_bash', { command: '&nbsp; &amp &#xD800; &x;' }]],
  ['<tool name="run_bash"><arg name="command">a &amp;&amp; b</arg></tool>', ['run_bash', { command: 'a &amp;&amp; b' }], ['run_bash', { command: 'a && b' }]],
  ['<run_bash><![CDATA[a &amp; b]]></run_bash>', ['run_bash', { command: 'a &amp; b' }], ['run_bash', { command: 'a &amp; b' }]],
  ['<tool name="run_bash"><arg name="command"> <![CDATA[a &lt; b]]> </arg></tool>', ['run_bash', { command: 'a &lt; b' }], ['run_bash', { command: 'a &lt; b' }]],
  [
    '<run_bash cwd="/x" background="true" timeout_seconds="30">ls</run_bash>',
    ['run_bash', { command: 'ls', cwd: '/x', background: true, timeout_seconds: 30 }],
    ['run_bash', { command: 'ls', cwd: '/x', timeout_seconds: 30 }],
  ],
  ['<run_bash cwd=" " timeoutSeconds="5">ls</run_bash>', ['run_bash', { command: 'ls', cwd: ' ', timeout_seconds: 5 }], ['run_bash', { command: 'ls', timeout_seconds: 5 }]],
  [
    '<tool name="run_bash"><arg name="command">ls</arg><arg name="cwd">/y</arg><arg name="background">true</arg><arg name="timeoutSeconds">7</arg></tool>',
    ['run_bash', { command: 'ls', cwd: '/y', background: true, timeout_seconds: 7 }],
    ['run_bash', { command: 'ls', cwd: '/y', timeout_seconds: 7 }],
  ],
  [
    '[[SEG_START {"type": "run_bash", "cmd": "a &lt; b", "background": true, "timeoutSeconds": 3}]][[SEG_END]]',
    ['run_bash', { command: 'a &lt; b', background: true, timeout_seconds: 3 }],
    ['run_bash', { command: 'a < b', timeout_seconds: 3 }],
    { strategy: 'sentinel' },
  ],
  ['<write_file path="a">x &lt; y</write_file>', ['write_file', { path: 'a', content: 'x &lt; y' }], ['write_file', { path: 'a', content: 'x &lt; y' }]],
  ['<tool name="t"><arg name="a">1</arg><arg name="b">2</arg><arg name="a">3</arg></tool>', ['t', { a: '3', b: '2' }], ['t', { a: ['1', '3'], b: '2' }]],
  ['<tool name="t"><arguments><x>1</x><x>2</x><x>3 &lt;</x></arguments></tool>', ['t', { x: '3 <' }], ['t', { x: ['1', '2', '3 <'] }]],
  ['<tool name="t"><arg name="o"><arg name="k">1</arg><arg name="k">2</arg></arg></tool>', ['t', { o: { k: '2' } }], ['t', { o: { k: ['1', '2'] } }]],
  ['<tool name="t"><arg name="l"><item>1</item></arg></tool>', ['t', { l: ['1'] }], ['t', { l: ['1'] }]],
  ['<tool name="n"><arg name="k">1</arg><arg name="k">2</arg></tool>', ['n', { k: 2 }], ['n', { k: 2 }]],
  ['<tool name="n"><arg name="free">1</arg><arg name="free">2</arg></tool>', ['n', { free: '2' }], ['n', { free: ['1', '2'] }]],
  ['<tool name="t">{"a": 1}</tool>', ['t', { a: 1 }], ['t', { a: 1 }]],
]

describe('calls of AutoByteus, with a turn and its events alone', () => {
  const schemas = { n: { type: 'object', properties: { k: { type: 'integer' } } } }
  const configs = (own) => [[{ ...own }, 1], [{ ...own, turnId }, 1], [{ ...own, eventStyle: 'autobyteus' }, 1], [{ ...own, ...AUTOBYTEUS }, 2]]

  for (const each of CALLS) {
    const [text, , , own = {}] = each
    test(text, () => {
      for (const [config, which] of configs(own)) {
        for (const [how, chunks] of everyCut(text, seed, { two: 40, pairs: 20 })) {
          const handler = new StreamingResponseHandler({ config, schemas })
          for (const chunk of chunks) handler.feed(chunk)
          handler.finalize()
          assert.deepEqual(given(handler.getAllInvocations()), [each[which]], how)
          for (const call of handler.getAllInvocations()) assert.equal(call.argumentsParseError, which === 2 ? null : undefined)
          // The events say which they are, and so do their dicts and copies of them.
          const events = handler.getAllEvents()
          for (const form of [events, plain(events), ...(config.eventStyle === undefined ? [] : [events.map((event) => event.toDict())])]) {
            const calls = new ToolInvocationAdapter({ schemas }).processEvents(form)
            assert.deepEqual(calls, handler.getAllInvocations(), how)
          }
        }
      }
    })
  }

  test('they are saved and restored', async () => {
    for (const [text, , , own = {}] of CALLS) await judge('StreamingResponseHandler', { ...own, ...AUTOBYTEUS }, text, seed, 'calls', 12)
    await judge('StreamingParser', AUTOBYTEUS, CALLS[4][0], seed, 'parser', 12)
    const events = new StreamingParser(AUTOBYTEUS).feedAndFinalize(CALLS[0][0]).map((event) => JSON.stringify(event))
    await judgeChunks('ToolInvocationAdapter', {}, events, () => true, 'adapter')
  })

  test('decodeXmlEntitiesOnce', () => {
    assert.equal(decodeXmlEntitiesOnce('a &amp;amp; b'), 'a &amp; b')
    assert.equal(decodeXmlEntitiesOnce('&lt;&gt;&quot;&apos;&amp;&#65;&#x42;&#X43; &nbsp; &'), '<>"\'&ABC &nbsp; &')
    assert.throws(() => decodeXmlEntitiesOnce(5), /decodeXmlEntitiesOnce takes a string/)
  })

  test('buildArguments of run_bash', () => {
    const { buildArguments } = getToolSyntaxSpec('run_bash')
    assert.deepEqual(buildArguments({ command: 'b', cmd: 'c' }, 'a'), { command: 'a' })
    assert.deepEqual(buildArguments({ command: 'b', cmd: 'c' }, ''), { command: 'b' })
    assert.deepEqual(buildArguments({ cmd: 'c', cwd: '/x', timeout_seconds: 3 }, ''), { command: 'c', cwd: '/x', timeout_seconds: 3 })
    assert.deepEqual(buildArguments({ cwd: '  ', timeoutSeconds: 4 }, 'a'), { command: 'a', timeout_seconds: 4 })
    assert.deepEqual(buildArguments({ timeout_seconds: 3, timeoutSeconds: 4 }, 'a'), { command: 'a', timeout_seconds: 3 })
    assert.equal(buildArguments({ cwd: '/x' }, ''), null)
  })
})

/** Arguments of a native call: those it is invoked with, and why it has none; undefined: it is not invoked. */
const NATIVE = [
  ['{"a": 1}', { a: 1 }, null],
  ['', {}, null],
  ['null', {}, null],
  ['{"a": 1,}', { a: 1 }, null],
  ['["a"]', {}, /not a JSON object/],
  ['"a"', {}, /not a JSON object/],
  ['42', {}, /not a JSON object/],
  ['{"a" 1}', {}, /not a JSON object/],
  ['{"a": }', {}, /not a JSON object/],
  ['not json', {}, /not a JSON object/],
  ['{"a": 1', undefined],
  ['{"a', undefined],
  ['{"a" 1', undefined],
  ['["a', undefined],
  ['["a", ', undefined],
  ['"a', undefined],
  ['nul', undefined],
  ['{"a" 1, "b": [2', undefined],
  ['{"a" 1, "b": "}', undefined],
]

describe('what a provider says of a call besides', () => {
  const context = { provider: 'gemini', parts: [{ signature: 'S' }] }
  const pieces = [{ name: 'read', arguments_delta: '{"path": ' }, { arguments_delta: '"a"}' }]
  const made = [
    (config) => new StreamingResponseHandler({ config }),
    () => new LlmStreamingResponseHandler({ turnId, toolCallsEnabled: true }),
  ]
  for (const at of [0, 1]) {
    for (const config of [{}, { turnId }, AUTOBYTEUS]) {
      test(`in piece ${at}, ${JSON.stringify(config)}`, () => {
        for (const make of config === AUTOBYTEUS ? made : made.slice(0, 1)) {
          const handler = make(config)
          for (const [index, piece] of pieces.entries())
            handler.feed({ tool_calls: [{ index: 0, call_id: 'c', ...piece, native_context: index === at ? context : null }] })
          handler.finalize()
          const contexts = (calls) => calls.map(({ nativeToolCallContext }) => nativeToolCallContext)
          assert.deepEqual(contexts(handler.getAllInvocations()), [context])
          const events = plain(handler.getAllEvents())
          assert.deepEqual(contexts(new ToolInvocationAdapter().processEvents(events)), [context])
          const [start] = events.map(({ payload }) => payload)
          assert.deepEqual(start.metadata.native_tool_call_context, at === 0 ? context : undefined)
          if (config === AUTOBYTEUS || at === 1) assert.deepEqual(ends(events)[0].metadata.native_tool_call_context, context)
        }
      })
    }
  }

  test('a file has it, and not as an argument', () => {
    const handler = new StreamingResponseHandler({ config: AUTOBYTEUS })
    handler.feed({ tool_calls: [{ index: 0, name: 'write_file', arguments_delta: '{"path":"a","content":"x"}', native_context: context }] })
    handler.finalize()
    for (const calls of [handler.getAllInvocations(), new ToolInvocationAdapter().processEvents(plain(handler.getAllEvents()))]) {
      assert.deepEqual(given(calls), [['write_file', { path: 'a', content: 'x' }]])
      assert.deepEqual(calls[0].nativeToolCallContext, context)
    }
  })

  test('anything but an object is refused', () => {
    assert.throws(() => new StreamingResponseHandler().feed({ tool_calls: [{ index: 0, native_context: 'x' }] }), /^TypeError: .*tool_calls\[0\]\.native_context must be an object, but is string "x"$/)
  })
})

describe('the timeout of a command', () => {
  for (const text of ['<tool name="run_bash"><arg name="command">ls</arg><arg name="timeoutSeconds">30</arg></tool>', '<run_bash timeout_seconds="30">ls</run_bash>']) {
    test(text, () => {
      const events = new StreamingParser(AUTOBYTEUS).feedAndFinalize(text)
      assert.equal(ends(events)[0].metadata.timeout_seconds, 30)
      assert.deepEqual(given(new ToolInvocationAdapter().processEvents(plain(events))), [['run_bash', { command: 'ls', timeout_seconds: 30 }]])
    })
  }
})

describe('argumentsParseError', () => {
  for (const [written, values, error] of NATIVE) {
    test(JSON.stringify(written), () => {
      for (const name of ['read', 'write_file']) {
        if (name === 'write_file' && error === null) continue
        for (const [how, chunks] of everyCut(written, seed)) {
          const make = [
            () => new StreamingResponseHandler({ config: AUTOBYTEUS }),
            () => new LlmStreamingResponseHandler({ turnId, toolCallsEnabled: true }),
          ]
          for (const handler of make.map((each) => each())) {
            handler.feed({ tool_calls: [{ index: 0, call_id: 'c', name }] })
            for (const chunk of chunks) handler.feed({ tool_calls: [{ index: 0, arguments_delta: chunk }] })
            handler.finalize()
            const calls = handler.getAllInvocations()
            if (values === undefined) assert.deepEqual(calls, [], how)
            else {
              assert.deepEqual(calls.map(({ argumentsParseError, ...call }) => call), [{ id: 'c', name, arguments: values, callId: 'c', turnId }], how)
              if (error === null) assert.equal(calls[0].argumentsParseError, null)
              else assert.match(calls[0].argumentsParseError, error)
            }
            assert.deepEqual(new ToolInvocationAdapter().processEvents(handler.getAllEvents()).map(({ id, name: tool, arguments: args, argumentsParseError }) => [id, tool, args, argumentsParseError]),
              calls.map(({ id, name: tool, arguments: args, argumentsParseError }) => [id, tool, args, argumentsParseError]), how)
          }
          const usual = new StreamingResponseHandler({ config: { turnId } })
          usual.feed({ toolCalls: [{ index: 0, callId: 'c', name, argumentsDelta: written }] })
          usual.finalize()
          assert.deepEqual(usual.getAllInvocations().length, error === null ? 1 : 0)
        }
      }
    })
  }
})

describe('LlmStreamingResponseHandler', () => {
  const make = (more = {}) => new LlmStreamingResponseHandler({ turnId, toolCallsEnabled: true, ...more })
  const call = (index, callId, name, text) => ({ content: '', tool_calls: [{ index, call_id: callId, name, arguments_delta: text }] })

  test('needs a turn, and to know whether there are calls', () => {
    assert.throws(() => new LlmStreamingResponseHandler(), /LlmStreamingResponseHandler\.turnId must be a string/)
    assert.throws(() => new LlmStreamingResponseHandler({ turnId: 't' }), /LlmStreamingResponseHandler\.toolCallsEnabled must be true or false, but is undefined/)
    assert.throws(() => make({ config: {} }), /LlmStreamingResponseHandler has no option "config"/)
  })

  test('text is one segment as it is, and calls end with the answer', () => {
    const seen = []
    const handler = make({ segmentIdPrefix: 'p:', onSegmentEvent: (event) => seen.push(event), onToolInvocation: ({ id }) => seen.push(id) })
    handler.feed({ content: 'a <think>b</think> ' })
    handler.feed(call(0, 'c1', 'read', '{"a": 1}'))
    handler.feed(call(1, 'c2', 'now', ''))
    handler.feed({ content: '<run_bash>ls</run_bash>' })
    assert.deepEqual(handler.getAllInvocations(), [])
    handler.finalize()
    const at = seen.map((each) => (typeof each === 'string' ? each : `${each.event_type.slice(8)} ${each.segment_id} ${each.payload.delta ?? ''}`))
    assert.deepEqual(at, [
      'START p:seg_1 ', 'CONTENT p:seg_1 a <think>b</think> ', 'START c1 ', 'CONTENT c1 {"a": 1}', 'START c2 ', 'CONTENT p:seg_1 <run_bash>ls</run_bash>',
      'END p:seg_1 ', 'END c1 ', 'c1', 'END c2 ', 'c2',
    ])
    assert.throws(() => handler.feed('x'), /LlmStreamingResponseHandler\.feed was called after finalize/)
  })

  test('without calls they are passed over', () => {
    const handler = make({ toolCallsEnabled: false })
    handler.feed(call(0, 'c', 'read', '{}'))
    assert.deepEqual([handler.finalize(), handler.getAllInvocations()], [[], []])
  })

  test('finalizeOutputLimited: text ends, all calls are given up, and their tools are named', () => {
    const error = 'the output limit was reached'
    const handler = make()
    handler.feed({ content: 'Writing.' })
    handler.feed(call(0, 'a', 'read', '{"city": "Berlin"}'))
    handler.feed(call(1, 'b', 'write_file', '{"path": "a.md", "content": "# Ti'))
    handler.feed(call(2, 'c', 'write_file', '{"content": "# Ti'))
    handler.feed(call(3, 'd', undefined, '{'))
    assert.deepEqual(handler.finalizeOutputLimited(error), ['read', 'write_file', 'write_file'])
    const last = handler.getAllEvents().filter(({ event_type: type }) => type === 'SEGMENT_END')
    assert.deepEqual(last.map(({ segment_id: id, payload }) => [id, payload]), [
      ['seg_1', {}],
      ['a', { failed: true, error, metadata: { tool_name: 'read' } }],
      ['b', { failed: true, error, metadata: { tool_name: 'write_file', path: 'a.md' } }],
    ])
    assert.deepEqual([handler.getAllInvocations(), handler.finalizeOutputLimited('again'), handler.finalize()], [[], [], []])
    assert.throws(() => handler.feed('late'), { code: 'finished' })
    handler.reset()
    handler.feed('x')
    assert.deepEqual(handler.finalizeOutputLimited(error), [])
    assert.deepEqual(ends(handler.getAllEvents()), [{}])
  })

  test('given up: text and all calls that have begun', () => {
    for (const [method, said] of [['finalizeInterrupted', { interrupted: true, reason: 'x' }], ['finalizeFailed', { failed: true, error: 'x' }]]) {
      const handler = make()
      handler.feed({ content: 'a' })
      handler.feed(call(0, 'a', 'read', '{}'))
      assert.deepEqual(plain(ends(handler[method]('x'))), [said, { ...said, metadata: { tool_name: 'read' } }])
      assert.deepEqual([handler.getAllInvocations(), handler[method]('x'), handler.isFinalized], [[], [], true])
    }
  })

  test('it is saved and restored at every chunk', () => {
    const chunks = [{ content: 'a' }, call(0, 'a', 'read', '{"a'), { content: 'b' }, call(0, null, null, '": [1]}'), call(1, 'b', 'write_file', '{"path": "x", "con'), call(1, null, null, 'tent": "\\u0'), call(1, null, null, '041"}'), call(2, 'c', 'list', '["a'), call(2, null, null, '"]')]
    const whole = make()
    for (const chunk of chunks) whole.feed(chunk)
    whole.finalize()
    assert.equal(whole.getAllInvocations().length, 3)
    for (let at = 0; at <= chunks.length; at++) {
      const before = make()
      for (const chunk of chunks.slice(0, at)) before.feed(chunk)
      const after = LlmStreamingResponseHandler.restore(plain(before.snapshot()))
      for (const chunk of chunks.slice(at)) after.feed(chunk)
      after.finalize()
      assert.deepEqual(plain(after.getAllEvents()), plain(whole.getAllEvents()))
      assert.deepEqual(after.getAllInvocations(), whole.getAllInvocations())
      assert.ok(after.getAllEvents().every((event) => typeof event.toDict === 'function'))
    }
    assert.throws(() => StreamingResponseHandler.restore(plain(make().snapshot())), { code: 'snapshot-parser' })
  })
})

describe('detectApiToolCallTextLeak', () => {
  const LONG = 'x'.repeat(239)
  const LEAKS = [
    ['[TOOL_CALL] run_bash {"command":"pwd"}', 0, '[TOOL_CALL] run_bash {"command":"pwd"}'],
    ['So:\n\n[tool_call]  read\n', 0, 'So: [tool_call] read'],
    ['[TOOL_CALL] run_bash {"command":"pwd"}', 1, null],
    ['I can help with that.', 0, null],
    ['[TOOL_CALL]', 0, null],
    ['[TOOL_CALL] {"name": "f"}', 0, null],
    ['', 0, null],
    [`[TOOL_CALL] f ${LONG}`, 0, `${`[TOOL_CALL] f ${LONG}`.slice(0, 240)}…`],
    [`[TOOL_CALL] f ${LONG.slice(0, 225)}😀`, 0, `[TOOL_CALL] f ${LONG.slice(0, 225)}…`],
  ]
  for (const [text, calls, snippet] of LEAKS) {
    test(JSON.stringify(text.slice(0, 50)), () => {
      const leak = detectApiToolCallTextLeak(text, calls)
      if (snippet === null) return assert.equal(leak, null)
      assert.deepEqual([leak.code, leak.snippet], ['api_tool_call_text_leak', snippet])
      assert.match(leak.message, /no tool was executed/)
      assert.ok(leak.details.includes(snippet))
    })
  }
})
