// `respond`: errors, what is read and when, and tools that run on the server.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ResponseError, readReply } from 'tokenweir'
import { guard } from 'tokenweir/guard'
import { protocolEvents, respond } from 'tokenweir/respond'
import { PROTOCOLS, rowsOf } from './support/respond.mjs'

const IDS = { threadId: 't', runId: 'r' }
const chunk = (delta, reason = null) => ({ choices: [{ index: 0, delta, finish_reason: reason }] })
const said = (content) => chunk({ content })
const called = (id, input = '{}', name = 'now') => chunk({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: input } }] })
const SECRET = { error: { message: 'key sk-1 is over its limit', type: 'rate_limit_error', code: 'quota' } }

async function all(events) {
  const list = []
  for await (const event of events) list.push(event)
  return list
}
const written = async (source, protocol, options) => rowsOf(protocol, await all(protocolEvents(source, protocol, { ...IDS, ...options })))

/** The rows of a response's body. */
function rowsIn(protocol, text) {
  const data = text.split('\n\n').filter((block) => block.startsWith('data: ')).map((block) => block.slice('data: '.length))
  return [...rowsOf(protocol, data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one))), ...data.filter((one) => one === '[DONE]')]
}

/** A source that counts what was asked of it, and waits where there is nothing more. */
function counted(items) {
  const seen = { asked: 0, isStopped: false }
  const source = {
    [Symbol.asyncIterator]: () => source,
    next: () => {
      seen.asked++
      return items.length > 0 ? Promise.resolve({ value: items.shift(), done: false }) : new Promise(() => {})
    },
    return: () => {
      seen.isStopped = true
      return Promise.resolve({ value: undefined, done: true })
    },
  }
  return [source, seen]
}

const ticks = async () => {
  for (let i = 0; i < 50; i++) await null
}

describe('errors before the first piece', () => {
  const refused = () => readReply(new Response(JSON.stringify(SECRET), { status: 429, headers: { 'retry-after': '7' } }))
  const bodies = {
    openai: '{"error":{"message":"The answer failed: quota.","type":"rate_limit_error","code":"quota","param":null}}',
    aiSdk: 'The answer failed: quota.',
    agUi: '{"type":"RUN_ERROR","message":"The answer failed: quota.","code":"quota"}',
  }
  for (const protocol of PROTOCOLS) {
    test(`${protocol}: they are the status`, async () => {
      for (const source of [refused(), (async function* () { yield refused() })()]) {
        const response = await respond(source, protocol)
        assert.deepEqual([response.status, response.headers.get('retry-after'), await response.text()], [429, '7', bodies[protocol]])
        assert.equal(response.headers.get('content-type'), protocol === 'aiSdk' ? 'text/plain;charset=UTF-8' : 'application/json')
      }
    })

    test(`${protocol}: 502 for errors without a status: clients hear the code alone`, async () => {
      for (const error of [new Error('sk-1'), Object.assign(new Error('sk-1'), { status: 200, headers: { 'retry-after': '1' } }), null, 'sk-1', undefined, Object.assign(new Error('sk-1'), { code: 'sk-1 is a key' })]) {
        const response = await respond((async function* () { throw error })(), protocol)
        assert.equal(response.status, 502)
        assert.ok(!(await response.text()).includes('sk-1'))
      }
      const response = await respond((async function* () { throw Object.assign(new Error('sk-1'), { code: 'ECONNREFUSED' }) })(), protocol)
      assert.match(await response.text(), /ECONNREFUSED/)
      const page = await respond(readReply(new Response('<html>sk-1', { headers: { 'content-type': 'text/html' } })), protocol)
      assert.deepEqual([page.status, (await page.text()).includes('sk-1')], [502, false])
    })

    test(`${protocol}: errorText says more`, async () => {
      const response = await respond(refused(), protocol, { errorText: (error) => `Wait ${error.headers.get('retry-after')} s.` })
      assert.match(await response.text(), /Wait 7 s\./)
    })
  }

  test('with keepAlive they are in the stream after that time', async () => {
    let fail
    const source = (async function* () { await new Promise((_, reject) => { fail = reject }) })()
    const response = await respond(source, 'openai', { keepAlive: 5 })
    assert.equal(response.status, 200)
    fail(new ResponseError({ status: 429, headers: new Headers() }, '', undefined))
    assert.deepEqual(rowsIn('openai', await response.text()), ['error null', '[DONE]'])
  })

  test('a completion is never half of one', async () => {
    const response = await respond(readReply([said('Hi.'), SECRET]), 'openai', { stream: false })
    assert.deepEqual([response.status, await response.text()], [502, bodies.openai])
  })
})

describe('errors later', () => {
  const ends = {
    openai: (code) => ['role', 'content Hi.', `error ${code}`, '[DONE]'],
    aiSdk: (code) => ['start', 'start-step', 'text-start 1', 'text-delta 1 Hi.', 'text-end 1', `error The answer failed: ${code}.`, '[DONE]'],
    agUi: (code) => ['RUN_STARTED t r', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 Hi.', 'TEXT_MESSAGE_END 1', `RUN_ERROR ${code} The answer failed: ${code}.`],
  }
  const sources = {
    quota: () => readReply([said('Hi.'), SECRET]),
    interrupted: () => readReply([said('Hi.')]),
    error: () => readReply([said('Hi.'), chunk({}, 'error')]),
    'malformed-reply': () => readReply('data: {"choices": [{"index": 0, "delta": {"content": "Hi."}}]}\n\ndata: {"cho'),
    reset: () => readReply([{ type: 'start-step' }, { type: 'text-delta', id: '1', delta: 'Hi.' }, { type: 'reset-step' }, { type: 'text-delta', id: '1', delta: 'Hello.' }, { type: 'finish' }]),
    E1: () => readReply((async function* () { yield said('Hi.'); throw Object.assign(new Error('sk-1'), { code: 'E1' }) })()),
  }
  for (const protocol of PROTOCOLS)
    for (const [code, source] of Object.entries(sources))
      test(`${protocol}: ${code}`, async () => assert.deepEqual(rowsIn(protocol, await (await respond(source(), protocol, IDS)).text()), ends[protocol](code)))

  test('text that ends is whole, and so are events with [DONE]', async () => {
    for (const source of ['Hi.', 'data: {"choices": [{"index": 0, "delta": {"content": "Hi."}}]}\n\ndata: [DONE]\n\n']) assert.deepEqual(await written(readReply(source), 'openai'), ['role', 'content Hi.', 'stop'])
  })

  test('a step that is asked again before clients have heard of it goes on', async () => {
    const steps = [{ type: 'start-step' }, { type: 'text-delta', id: '1', delta: 'One. ' }, { type: 'finish-step' }, { type: 'start-step' }, { type: 'reset-step' }, { type: 'text-delta', id: '1', delta: 'Two.' }, { type: 'finish', finishReason: 'stop' }]
    assert.deepEqual(await written(readReply(steps), 'openai'), ['role', `content ${(await readReply(steps).result()).text}`, 'stop'])
  })

  test('a step that is asked again within a call that clients have heard of', async () => {
    const steps = [{ type: 'start-step' }, { type: 'tool-input-start', toolCallId: 'a', toolName: 'now' }, { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"n":' }, { type: 'reset-step' }, { type: 'text-delta', id: '1', delta: 'Hi.' }, { type: 'finish', finishReason: 'stop' }]
    const rows = await written(readReply(steps), 'aiSdk')
    assert.match(rows.at(-2), /^tool-input-error a now/)
    assert.equal(rows.at(-1), 'error The answer failed: reset.')
  })

  test('an open call ends before the error', async () => {
    const source = () => readReply([called('a', '{"city": "Po')])
    const why = 'A call of "now" was cut off, and was not run.'
    assert.deepEqual(await written(source(), 'aiSdk'), ['start', 'start-step', 'tool-input-start a now dynamic', 'tool-input-delta a {"city": "Po', `tool-input-error a now "{\\"city\\": \\"Po" ${why} dynamic`, 'error The answer failed: interrupted.'])
    assert.deepEqual((await written(source(), 'agUi')).slice(-3), ['TOOL_CALL_END a', `TOOL_CALL_RESULT 2 a ${why}`, 'RUN_ERROR interrupted The answer failed: interrupted.'])
  })

  test('of two calls with one id, each says why it was not run', async () => {
    const format = 'kimi-k2'
    const begin = (input) => `<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>${input}`
    const controller = new AbortController()
    const broken = readReply((async function* () { yield `<|tool_calls_section_begin|>${begin('{"n":1}')}<|tool_call_end|>${begin('{"n":')}`; controller.abort() })(), { format, signal: controller.signal })
    const both = readReply(`<|tool_calls_section_begin|>${begin('{"n" 1 x')}<|tool_call_end|>${begin('{"n":')}`, { format })
    const why = async (source) => (await written(source, 'aiSdk')).filter((row) => row.startsWith('tool-input-error')).map((row) => row.replace(/^.*(A call of.*), and.*$/, '$1'))
    assert.deepEqual(await why(broken), ['A call of "now" was cut off'])
    assert.deepEqual(await why(both), ['A call of "now" can not be read', 'A call of "now" was cut off'])
  })

  test('an error of a reply ends the iterable', async () => {
    let isOver = false
    const source = (async function* () {
      try {
        yield readReply([said('Hi.')])
      } finally {
        isOver = true
      }
    })()
    for await (const event of protocolEvents(source, 'openai')) {
      if (event.error === undefined) continue
      assert.equal(event.error.code, 'interrupted')
      await ticks()
      assert.ok(isOver)
      return
    }
    assert.fail('no error')
  })
})

describe('flow', () => {
  for (const protocol of PROTOCOLS) {
    test(`${protocol}: nothing is read ahead`, async () => {
      const [source, seen] = counted([said('a'), said('b'), said('c'), said('d')])
      const response = await respond(readReply(source), protocol)
      const reader = response.body.getReader()
      await ticks()
      assert.equal(seen.asked, 1)
      const decoder = new TextDecoder()
      for (const [at, letter] of ['a', 'b', 'c'].entries()) {
        let text = ''
        while (!text.includes(`"${letter}"`)) text += decoder.decode((await reader.read()).value)
        await ticks()
        assert.equal(seen.asked, at + 1)
      }
      await reader.cancel()
      assert.ok(seen.isStopped)
    })

    test(`${protocol}: cancelling stops a silent source, and the iterable`, async () => {
      const [source, seen] = counted([said('a')])
      let isOver = false
      const steps = (async function* () {
        try {
          yield readReply(source)
        } finally {
          isOver = true
        }
      })()
      const reader = (await respond(steps, protocol)).body.getReader()
      while (!new TextDecoder().decode((await reader.read()).value).includes('"a"'));
      const silent = reader.read()
      await ticks()
      await reader.cancel()
      assert.deepEqual(await silent, { value: undefined, done: true })
      await ticks()
      assert.deepEqual([seen.isStopped, isOver], [true, true])
    })

    test(`${protocol}: leaving the events stops a silent source`, async () => {
      const [source, seen] = counted([said('a')])
      const events = protocolEvents(readReply(source), protocol)
      while (!JSON.stringify((await events.next()).value).includes('"a"'));
      const silent = events.next()
      await ticks()
      await events.return()
      assert.deepEqual([await silent, seen.isStopped], [{ value: undefined, done: true }, true])
      const [unread, never] = counted([])
      await protocolEvents(readReply(unread), protocol).return()
      assert.ok(never.isStopped)
    })
  }

  test('keepAlive: comments in silence, where somebody reads', async () => {
    let next
    const source = (async function* () {
      yield said('a')
      yield await new Promise((resolve) => { next = resolve })
      yield chunk({}, 'stop')
    })()
    const reader = (await respond(readReply(source), 'openai', { keepAlive: 5 })).body.getReader()
    const decoder = new TextDecoder()
    const read = async () => decoder.decode((await reader.read()).value)
    while (!(await read()).includes('"content":"a"'));
    assert.equal(await read(), ': keep-alive\n\n')
    assert.equal(await read(), ': keep-alive\n\n')
    await new Promise((resolve) => setTimeout(resolve, 30))
    next(said('b'))
    let rest = ''
    for (let piece; (piece = await read()) !== ''; ) rest += piece
    assert.deepEqual(rowsIn('openai', rest.replaceAll(': keep-alive\n\n', '')), ['content b', 'stop', '[DONE]'])
  })

  test('signal: the source is stopped, and clients hear of it', async () => {
    const ends = { openai: 'error aborted', aiSdk: 'abort', agUi: 'RUN_ERROR abort The answer failed: aborted.' }
    for (const protocol of PROTOCOLS) {
      const [source, seen] = counted([said('a')])
      const controller = new AbortController()
      const events = all(protocolEvents(readReply(source), protocol, { ...IDS, signal: controller.signal }))
      await ticks()
      await new Promise((resolve) => setTimeout(resolve, 20))
      controller.abort(new Error('sk-1'))
      assert.equal(rowsOf(protocol, await events).at(-1), ends[protocol])
      assert.ok(seen.isStopped)
      const given = new AbortController()
      const read = readReply(counted([said('a')])[0], { signal: given.signal })
      const own = all(protocolEvents(read, protocol, IDS))
      await new Promise((resolve) => setTimeout(resolve, 20))
      given.abort()
      assert.equal(rowsOf(protocol, await own).at(-1), ends[protocol])
      const late = await respond(readReply('a'), protocol, { signal: AbortSignal.abort() })
      assert.equal(late.status, protocol === 'aiSdk' ? 200 : 502)
    }
  })
})

describe('replies that go on, and those of others', () => {
  test('a reply that goes on with another one is written from its beginning', async () => {
    const before = await readReply([said('<think>hm</think>It is '), chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'now', arguments: '{"a' } }] })]).result()
    const text = await readReply([said('It is ')]).result()
    const source = () => readReply([said('12:00.'), chunk({}, 'stop')], { continues: text })
    assert.deepEqual(await written(source(), 'openai'), ['role', `content ${(await source().result()).text}`, 'stop'])
    assert.equal((await source().result()).text, 'It is 12:00.')
    const goesOn = () => readReply([said('12:00.'), chunk({}, 'stop')], { continues: before })
    const { thinking, text: shown } = await goesOn().result()
    assert.deepEqual(await written(goesOn(), 'openai'), ['role', `reasoning_content ${thinking}`, `content ${shown}`, 'stop'])
  })

  test('calls in the text of a provider come at the end, each once', async () => {
    const inText = '<invoke name="now"><parameter name="a">1</parameter></invoke>'
    const source = (...more) => readReply([said(`Hi.${inText}`), ...more, chunk({}, 'stop')], { callsInText: true, generateId: () => 'c1' })
    assert.deepEqual(await written(source(), 'openai'), ['role', 'content Hi.', 'call 0 c1 now', `input 0 ${(await source().result()).toolCalls[0].input}`, 'tool_calls'])
    assert.deepEqual(await written(source(called('a', '{"a":1}')), 'openai'), ['role', 'content Hi.', 'call 0 a now', 'input 0 {"a":1}', 'tool_calls'])
  })

  test('a call that the text repeats is not run twice', async () => {
    const inFormat = '<tool_call>{"name": "now", "arguments": {"a": 1}}</tool_call>'
    const source = () => readReply([said(inFormat), called('a', '{"a":1}'), chunk({}, 'stop')], { format: 'hermes', generateId: () => 'c1' })
    const { toolCalls } = await source().result()
    assert.equal(toolCalls.length, 1)
    const rows = await written(source(), 'aiSdk')
    assert.equal(rows.filter((row) => row.startsWith('tool-input-available')).length, 1)
    assert.equal(rows.filter((row) => row.startsWith('tool-input-error')).length, 1)
    assert.equal(rows.at(-1), 'finish tool-calls')
    assert.ok(!rows.some((row) => row.startsWith('tool-output')))
    const run = async function* () {
      const reply = source()
      yield reply
      yield (await reply.result()).toolCalls.map(({ toolCallId }) => ({ toolCallId, output: 'done' }))
    }
    assert.deepEqual((await written(run(), 'aiSdk')).slice(-3), ['tool-output-available c1 "done" dynamic', 'finish-step', 'finish stop'])
  })

  test('an object that goes on with a reply is one: its calls and its text count', async () => {
    const reply = readReply([said('Hi. Secret.'), called('a'), chunk({}, 'tool_calls')], { tools: { now: {} } })
    const guarded = Object.create(reply, {
      soFar: { get: () => ({ ...reply.soFar, finishReason: 'content-filter', toolCalls: [], text: reply.soFar.text.replace('Secret', '***') }) },
      next: { value: async () => {
        const { value, done } = await reply.next()
        return { value: value?.kind === 'content' ? { ...value, text: value.text.replace('Secret', '***') } : value, done }
      } },
      return: { value: () => reply.return() },
      result: { value: () => reply.result() },
      [Symbol.asyncIterator]: { value() { return this } },
    })
    assert.deepEqual(await written(guarded, 'aiSdk'), ['start', 'start-step', 'text-start 1', 'text-delta 1 Hi. ***.', 'text-end 1', 'tool-input-start a now', 'tool-input-delta a {', 'tool-input-error a now {} The call was not run.', 'finish-step', 'finish content-filter'])
  })

  test('a call that was whole when a guard stopped the reply says so', async () => {
    const source = () => guard(readReply([called('a'), said('Hi. STOP'), chunk({}, 'tool_calls')], { tools: { now: {} } }), { stop: ['STOP'] })
    const why = 'A call of "now" was whole, but the reply broke off, and it was not run.'
    const rows = await written(source(), 'aiSdk')
    assert.deepEqual([rows.find((row) => row.startsWith('tool-output')), rows.at(-1)], [`tool-output-error a ${why}`, 'finish content-filter'])
    assert.ok((await written(source(), 'agUi')).some((row) => row.endsWith(`a {"error":"${why.replaceAll('"', '\\"').replaceAll('\\', '\\')}"}`)))
  })
})

describe('tools on the server', () => {
  const asks = (...calls) => readReply([said('I look.'), ...calls, chunk({}, 'tool_calls'), { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }], { tools: { now: {} } })
  async function* answer(results) {
    const reply = asks(called('a'))
    yield reply
    assert.deepEqual((await reply.result()).toolCalls.map(({ toolCallId }) => toolCallId), ['a'])
    yield results
    yield asks()
  }
  const table = {
    openai: ['role', 'content I look.\n\nI look.', 'stop', 'usage {"prompt_tokens":2,"completion_tokens":4,"total_tokens":6}'],
    aiSdk: ['start', 'start-step', 'text-start 1', 'text-delta 1 I look.', 'text-end 1', 'tool-input-start a now', 'tool-input-delta a {}', 'tool-input-available a now {}', 'tool-output-available a {"at":12}', 'finish-step', 'start-step', 'text-start 2', 'text-delta 2 I look.', 'text-end 2', 'finish-step', 'finish stop'],
    agUi: ['RUN_STARTED t r', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 I look.', 'TEXT_MESSAGE_END 1', 'TOOL_CALL_START a now 1', 'TOOL_CALL_ARGS a {}', 'TOOL_CALL_END a', 'TOOL_CALL_RESULT 2 a {"at":12}', 'TEXT_MESSAGE_START 3', 'TEXT_MESSAGE_CONTENT 3 I look.', 'TEXT_MESSAGE_END 3', 'RUN_FINISHED t r stop'],
  }
  const ui = (id, n) => [`tool-input-start ${id} now`, `tool-input-delta ${id} {"n":${n}}`, `tool-input-available ${id} now {"n":${n}}`]
  const ag = (id, n, message) => [`TOOL_CALL_START ${id} now ${message}`, `TOOL_CALL_ARGS ${id} {"n":${n}}`, `TOOL_CALL_END ${id}`]
  /** Two replies with one id: both calls get their results, both late, or the second one alone. */
  const again = {
    openai: {
      run: ['role', 'stop'],
      late: ['role', 'stop'],
      left: ['role', 'call 0 a now', 'input 0 {"n":1}', 'tool_calls'],
    },
    aiSdk: {
      run: ['start', 'start-step', ...ui('a', 1), 'tool-output-available a 1', 'finish-step', 'start-step', ...ui('a-2', 2), 'tool-output-available a-2 2', 'finish-step', 'finish stop'],
      late: ['start', 'start-step', ...ui('a', 1), 'finish-step', 'start-step', ...ui('a-2', 2), 'tool-output-available a-2 2', 'tool-output-available a 1', 'finish-step', 'finish stop'],
      left: ['start', 'start-step', ...ui('a', 1), 'finish-step', 'start-step', ...ui('a-2', 2), 'tool-output-available a-2 2', 'finish-step', 'finish tool-calls'],
    },
    agUi: {
      run: ['RUN_STARTED t r', ...ag('a', 1, 1), 'TOOL_CALL_RESULT 2 a 1', ...ag('a-2', 2, 3), 'TOOL_CALL_RESULT 4 a-2 2', 'RUN_FINISHED t r stop'],
      late: ['RUN_STARTED t r', ...ag('a', 1, 1), ...ag('a-2', 2, 2), 'TOOL_CALL_RESULT 3 a-2 2', 'TOOL_CALL_RESULT 4 a 1', 'RUN_FINISHED t r stop'],
      left: ['RUN_STARTED t r', ...ag('a', 1, 1), ...ag('a-2', 2, 2), 'TOOL_CALL_RESULT 3 a-2 2', 'RUN_FINISHED t r tool-calls'],
    },
  }
  for (const protocol of PROTOCOLS) {
    test(`${protocol}: results, one by one or as a list`, async () => {
      const result = { toolCallId: 'a', output: { at: 12 } }
      for (const results of [result, [result], [{ toolCallId: 'a', output: { type: 'json', value: { at: 12 } } }]]) assert.deepEqual(await written(answer(results), protocol, { usage: true }), table[protocol])
    })

    test(`${protocol}: a call that nobody has run is one of the client`, async () => {
      const rows = await written((async function* () { yield asks(called('a'), called('b', '{}', 'later')); yield { toolCallId: 'a', output: '12:00' } })(), protocol)
      const text = rows.join('\n')
      assert.match(rows.at(-1), /tool.calls/)
      assert.match(text, /later/)
      if (protocol === 'openai') assert.deepEqual(rows, ['role', 'content I look.', 'call 0 b later', 'input 0 {}', 'tool_calls'])
      else assert.match(text, /12:00/)
    })

    test(`${protocol}: an id that comes again is that of another call`, async () => {
      const source = (...results) =>
        (async function* () {
          for (const [at, input] of ['{"n":1}', '{"n":2}'].entries()) {
            yield readReply([called('a', input), chunk({}, 'tool_calls')], { tools: { now: {} } })
            yield results[at]
          }
        })()
      const result = (output) => ({ toolCallId: 'a', output })
      assert.deepEqual(await written(source(result(1), result(2)), protocol), again[protocol].run)
      // The latest call that has none gets a result.
      assert.deepEqual(await written(source([], [result(2), result(1)]), protocol), again[protocol].late)
      assert.deepEqual(await written(source([], result(2)), protocol), again[protocol].left)
    })

    test(`${protocol}: an error of the generator, with the call that it was to run`, async () => {
      const source = (async function* () {
        yield asks(called('a'))
        throw Object.assign(new Error('sk-1'), { code: 'E1' })
      })()
      const rows = await written(source, protocol)
      assert.match(rows.at(-1), /E1/)
      assert.ok(!rows.join().includes('sk-1'))
    })

    test(`${protocol}: events of the protocol`, async () => {
      const event = protocol === 'openai' ? { type: 'x', choices: [], usage: 1 } : { type: protocol === 'aiSdk' ? 'data-x' : 'CUSTOM' }
      const events = await all(protocolEvents((async function* () { yield event; yield readReply('Hi.'); yield event })(), protocol))
      assert.equal(events.filter((one) => one === event).length, 2)
      assert.equal(rowsOf(protocol, events)[0], { openai: 'usage 1', aiSdk: 'start', agUi: `RUN_STARTED ${events[0].threadId} ${events[0].runId}` }[protocol])
    })

    test(`${protocol}: what is no step, and a result without a call`, async () => {
      for (const step of ['Hi.', 1, {}, [1], { toolCallId: 'z', output: 1 }, [{ toolCallId: 'z', output: 1 }], { type: 'x', n: 1n }]) {
        let error
        const rows = await written((async function* () { yield readReply('Hi.'); yield step })(), protocol, { errorText: (given) => ((error = given), 'wrong') })
        assert.match(rows.at(-1), protocol === 'openai' ? /^error null/ : /wrong/)
        assert.ok(error instanceof TypeError)
      }
    })
  }

  test('outputs that failed', async () => {
    for (const [output, text] of [[{ type: 'error-text', value: 'down' }, 'down'], [{ type: 'error-json', value: { a: 1 } }, '{"a":1}']]) {
      assert.ok((await written(answer({ toolCallId: 'a', output }), 'aiSdk')).includes(`tool-output-error a ${text}`))
      assert.ok((await written(answer({ toolCallId: 'a', output }), 'agUi')).includes(`TOOL_CALL_RESULT 2 a {"error":${text === 'down' ? '"down"' : text}}`))
    }
  })

  test('results of calls of one reply with one id are in the order of the calls', async () => {
    const calls = [1, 2].map((n) => `<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{"n":${n}}<|tool_call_end|>`)
    const source = (async function* () {
      yield readReply(`<|tool_calls_section_begin|>${calls.join('')}<|tool_calls_section_end|>`, { format: 'kimi-k2', tools: { now: {} } })
      yield [1, 2].map((output) => ({ toolCallId: 'functions.now:0', output }))
    })()
    assert.deepEqual((await written(source, 'aiSdk')).filter((row) => row.startsWith('tool-output')), ['tool-output-available functions.now:0 1', 'tool-output-available functions.now:0-2 2'])
  })

  test('a result of a call that failed is not that of one before it', async () => {
    const source = (async function* () {
      yield asks(called('a'))
      yield { toolCallId: 'a', output: 1 }
      yield readReply([called('a', '[]'), chunk({}, 'tool_calls')], { tools: { now: {} } })
      yield { toolCallId: 'a', output: 2 }
    })()
    assert.deepEqual((await written(source, 'aiSdk')).filter((row) => row.startsWith('tool-output')), ['tool-output-available a 1'])
  })

  test('openai: a call that is not whole is private where the model is asked again', async () => {
    const source = (async function* () {
      yield readReply([called('a', '{"x'), chunk({}, 'length')])
      yield readReply('Hi.')
    })()
    assert.deepEqual(await written(source, 'openai'), ['role', 'content Hi.', 'stop'])
  })
})
