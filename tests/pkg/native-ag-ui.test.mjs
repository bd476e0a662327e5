// AG-UI's events: as they should be, as producers write them, and what isn't part of a reply. The events are those of the
// schemas of @ag-ui/core 1.0.0 and 0.0.59; where a producer leaves something out, the test says so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loopMessages } from 'tokenweir/formats'
import { NativeBlocks, ResponseError, readReply, visibleText } from 'tokenweir'
import { all } from './support/sources.mjs'

const run = { threadId: 't', runId: 'r' }
const STARTED = { type: 'RUN_STARTED', ...run }
const finished = (more) => ({ type: 'RUN_FINISHED', ...run, ...more })
const said = (messageId, ...deltas) => [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }, ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })), { type: 'TEXT_MESSAGE_END', messageId }]
const thought = (messageId, ...deltas) => [
  { type: 'REASONING_START', messageId },
  { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
  ...deltas.map((delta) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta })),
  { type: 'REASONING_MESSAGE_END', messageId },
  { type: 'REASONING_END', messageId },
]
const start = (toolCallId, toolCallName = 'f', more) => ({ type: 'TOOL_CALL_START', toolCallId, toolCallName, ...more })
const args = (toolCallId, delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
const end = (toolCallId) => ({ type: 'TOOL_CALL_END', toolCallId })
const called = (id, name, ...deltas) => [start(id, name, { parentMessageId: 'm' }), ...deltas.map((delta) => args(id, delta)), end(id)]
const result = (toolCallId, content, more) => ({ type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}-said`, toolCallId, content, role: 'tool', ...more })
const textChunk = (more) => ({ type: 'TEXT_MESSAGE_CHUNK', ...more })
const thoughtChunk = (more) => ({ type: 'REASONING_MESSAGE_CHUNK', ...more })
const callChunk = (more) => ({ type: 'TOOL_CALL_CHUNK', ...more })
/** An event as a producer writes it that has no ids. */
const withoutIds = ({ messageId: _, toolCallId: __, parentMessageId: ___, ...event }) => event

const sseOf = (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const response = (body) => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
const never = (event) => assert.fail(`unknown: ${JSON.stringify(event)}`)
const read = (source, options) => readReply(source, { onUnknown: never, ...options }).result()
const inRun = (...events) => read([STARTED, ...events, finished()])
const callsOf = ({ toolCalls }) => toolCalls.map(({ toolCallId, toolName, input }) => [toolCallId, toolName, input])
const blocksOf = ({ blocks }) => blocks.map(({ type, content, toolId, toolName }) => (type === 'tool_call' ? [type, toolId, toolName] : [type, content]))

const RUN = [
  STARTED,
  { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
  { type: 'STEP_STARTED', stepName: 'think' },
  ...thought('r', 'Hm', ' – ', 'rain?'),
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r', encryptedValue: 'SEALED' },
  ...said('m', 'Let ', 'me see 🌧', '.'),
  ...called('a', 'weather', '{"city"', ': "Pörto"}'),
  ...called('b', 'time', '{}'),
  result('a', 'Rain.'),
  ...said('n', 'It rains.'),
  { type: 'STEP_FINISHED', stepName: 'think' },
  finished({ result: { finishReason: 'stop' }, usage: [{ provider: 'x', model: 'y', inputTokens: 3, outputTokens: 4, reasoningTokens: 1 }] }),
]

describe('a run', () => {
  const want = {
    text: 'Let me see 🌧.It rains.',
    thinking: 'Hm – rain?',
    toolCalls: [['b', 'time', '{}']],
    finishReason: 'tool-calls',
    blocks: [
      ['thinking', 'Hm – rain?'],
      ['text', 'Let me see 🌧.'],
      ['tool_call', 'a', 'weather'],
      ['tool_call', 'b', 'time'],
      ['tool_result', 'Rain.'],
      ['text', 'It rains.'],
    ],
  }
  const assertWhole = (reply) => {
    const { text, thinking, finishReason, provider, problems } = reply
    assert.deepEqual({ text, thinking, toolCalls: callsOf(reply), finishReason, blocks: blocksOf(reply) }, want)
    assert.deepEqual([provider, problems], ['agUi', []])
  }

  test('as a response, as text, as an array of events, as an iterable of them, whole and by its name', async () => {
    const events = async function* () {
      yield* RUN
    }
    for (const source of [() => response(sseOf(RUN)), () => sseOf(RUN), () => RUN, events, () => JSON.stringify(RUN), () => RUN.map((event) => `${JSON.stringify(event)}\n`).join('')])
      for (const options of [{}, { provider: 'agUi' }]) assertWhole(await read(source(), options))
  })

  test('cut at any byte it is the same', async () => {
    const bytes = new TextEncoder().encode(sseOf(RUN))
    const whole = await read(response(bytes))
    assertWhole(whole)
    const one = await read(response(ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)))))
    assert.deepEqual(one, whole)
    for (let at = 1; at < bytes.length; at++) assert.deepEqual(await read(response(ReadableStream.from([bytes.slice(0, at), bytes.slice(at)]))), whole, String(at))
  })

  test('wherever its events are cut, each delta goes on where the one before it ended', async () => {
    const pieces = (text) => [...text].map((letter) => letter)
    const spread = [STARTED, ...thought('r', ...pieces('Hm – rain?')), ...said('m', ...pieces('Let me see.')), ...called('a', 'f', ...pieces('{"p":"ü"}')), finished()]
    const { text, thinking, toolCalls } = await read(spread)
    assert.deepEqual([text, thinking, toolCalls[0].input], ['Let me see.', 'Hm – rain?', '{"p":"ü"}'])
  })

  test('its text is visible text', async () => {
    assert.equal((await all(visibleText(response(sseOf(RUN))))).join(''), want.text)
  })

  test('restored after any event, NativeBlocks goes on as if nothing had been', () => {
    const heard = (log) => ({ onChunk: (text, { type }) => log.push([type, text]), onBlock: ({ event, block }) => log.push([event, block]) })
    const whole = []
    const blocks = new NativeBlocks(heard(whole))
    for (const event of RUN) blocks.agUi(event)
    blocks.flush()
    assert.ok(whole.length > 20)
    for (let at = 0; at <= RUN.length; at++) {
      const log = []
      const before = new NativeBlocks(heard(log))
      for (const event of RUN.slice(0, at)) before.agUi(event)
      const after = NativeBlocks.restore(JSON.parse(JSON.stringify(before.snapshot())), heard(log))
      for (const event of RUN.slice(at)) after.agUi(event)
      after.flush()
      assert.deepEqual(log, whole, String(at))
      assert.deepEqual([after.getFinishReason(), after.getUsage()?.totalTokens], ['tool-calls', 7])
    }
  })

  test('what it says of a thought and of a call is in its blocks', async () => {
    const { blocks } = await inRun(...thought('r', 'Hm.'), { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r', encryptedValue: 'S' }, ...called('a', 'f', '{}'), { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 'a', encryptedValue: 'T' })
    assert.deepEqual(blocks, [{ type: 'thinking', content: 'Hm.', data: 'S' }, { type: 'tool_call', toolId: 'a', toolName: 'f', input: {}, signature: 'T' }])
  })
})

describe('text and thinking', () => {
  test('thinking has two names', async () => {
    const old = [{ type: 'THINKING_START', title: 'Thinking' }, { type: 'THINKING_TEXT_MESSAGE_START' }, ...['Hm', '.'].map((delta) => ({ type: 'THINKING_TEXT_MESSAGE_CONTENT', delta })), { type: 'THINKING_TEXT_MESSAGE_END' }, { type: 'THINKING_END' }]
    for (const events of [old, thought('r', 'Hm', '.'), [thoughtChunk({ messageId: 'r', delta: 'Hm' }), thoughtChunk({ delta: '.' })]]) {
      const reply = await inRun(...events, ...said('m', 'Hi'))
      assert.deepEqual(blocksOf(reply), [['thinking', 'Hm.'], ['text', 'Hi']])
    }
  })

  test('nothing said is no block', async () => {
    assert.deepEqual((await inRun(...said('m'), ...thought('r'), ...said('n', ''), textChunk({ messageId: 'o' }))).blocks, [])
  })

  test('messages that are not the model’s are not its text', async () => {
    for (const role of ['user', 'system', 'developer']) {
      const [first, ...rest] = said('u', 'Ask')
      assert.equal((await inRun({ ...first, role }, ...rest, ...said('m', 'Answer'))).text, 'Answer', role)
      assert.equal((await inRun(textChunk({ messageId: 'u', role, delta: 'As' }), textChunk({ delta: 'k' }), textChunk({ messageId: 'm', delta: 'Answer' }))).text, 'Answer', role)
    }
    const { role: _, ...first } = said('m')[0]
    assert.equal((await inRun(first, ...said('m', 'Answer').slice(1))).text, 'Answer')
  })

  test('messages at the same time stay apart, and one that is begun again goes on', async () => {
    const [a, b] = [said('a', 'A1', 'A2'), said('b', 'B1', 'B2')]
    assert.equal((await inRun(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])).text, 'A1A2B1B2')
    assert.deepEqual(blocksOf(await inRun(...said('m', 'One.'), ...called('a', 'f', '{}'), ...said('m', ' Two.'))), [['text', 'One.'], ['tool_call', 'a', 'f'], ['text', ' Two.']])
  })

  test('an end that is missing is where something else begins', async () => {
    const open = (events) => events.filter(({ type }) => !type.endsWith('END'))
    const reply = await inRun(...open(thought('r', 'Hm.')), ...open(said('m', 'Hi')), ...open(called('a', 'f', '{"p":1}')), ...open(called('b', 'g', '{"p":2}')), ...open(said('m', ' there')))
    assert.deepEqual(blocksOf(reply), [['thinking', 'Hm.'], ['text', 'Hi'], ['tool_call', 'a', 'f'], ['tool_call', 'b', 'g'], ['text', ' there']])
    assert.equal(reply.toolCalls.length, 2)
    const [first, content] = said('m', 'Hi')
    assert.deepEqual(blocksOf(await inRun(first, content, ...called('a', 'f', '{}'), content)), [['text', 'Hi'], ['tool_call', 'a', 'f'], ['text', 'Hi']])
    const chunks = [['m', 'One. '], ['n', 'Two. '], ['m', 'Three.']].map(([messageId, delta]) => textChunk({ messageId, delta }))
    assert.equal((await inRun(...chunks)).text, 'One. Two. Three.')
  })

  test('what comes is emitted immediately, whatever lacks its end before it', () => {
    for (const [events, last] of [
      [[...said('m', 'Hi').slice(0, 2), start('a'), args('a', '{"p"')], '{"p"'],
      [[textChunk({ messageId: 'm', delta: 'Hi' }), textChunk({ messageId: 'n', delta: 'there' })], 'there'],
      [[...thought('r', 'Hm.').slice(0, 3), ...said('m', 'Hi').slice(0, 2)], 'Hi'],
      [[start('a'), args('a', '{"p":1}'), start('b'), args('b', '{"p":2}')], '{"p":2}'],
      [[start('a'), args('a', '{"p"'), result('a', 'Cut off.')], 'Cut off.'],
    ]) {
      const heard = []
      const blocks = new NativeBlocks({ onChunk: (text) => heard.push(text) })
      for (const event of events) blocks.agUi(event)
      assert.equal(heard.at(-1), last)
    }
  })
})

describe('events without ids go on with the last', () => {
  test('chunks', async () => {
    const reply = await inRun(
      thoughtChunk({ messageId: 'r', delta: 'H' }),
      thoughtChunk({ delta: 'm' }),
      textChunk({ messageId: 'm', role: 'assistant', delta: 'Hel' }),
      textChunk({ delta: 'lo' }),
      callChunk({ toolCallId: 'a', toolCallName: 'f', parentMessageId: 'm', delta: '{"p"' }),
      { type: 'STATE_DELTA', delta: [] },
      callChunk({ delta: ':1}' }),
      callChunk({ toolCallId: 'b', toolCallName: 'g' }),
      callChunk({ delta: '{"p":' }),
      callChunk({ delta: '2}' }),
      textChunk({ messageId: 'n', delta: 'By' }),
      textChunk({ delta: 'e' }),
    )
    assert.deepEqual(blocksOf(reply), [['thinking', 'Hm'], ['text', 'Hello'], ['tool_call', 'a', 'f'], ['tool_call', 'b', 'g'], ['text', 'Bye']])
    assert.deepEqual(callsOf(reply), [['a', 'f', '{"p":1}'], ['b', 'g', '{"p":2}']])
  })

  test('chunks that never have one: a name after whole arguments is another call', async () => {
    const { toolCalls, text } = await inRun(textChunk({ delta: 'Hel' }), textChunk({ delta: 'lo' }), callChunk({ toolCallName: 'f', delta: '{"p"' }), callChunk({ delta: ':1}' }), callChunk({ toolCallName: 'g', delta: '{"p":2}' }), callChunk({ toolCallName: 'g', delta: '{"p":3}' }))
    assert.deepEqual([text, toolCalls.map(({ toolName, input }) => [toolName, input])], ['Hello', [['f', '{"p":1}'], ['g', '{"p":2}'], ['g', '{"p":3}']]])
    assert.equal(new Set(toolCalls.map(({ toolCallId }) => toolCallId)).size, 3)
  })

  test('starts, contents and ends too, and a result', async () => {
    const events = [...thought('r', 'Hm.'), ...said('m', 'Hel', 'lo'), ...called('a', 'f', '{"p"', ':1}'), ...called('b', 'g', '{"p":2}')]
    const reply = await inRun(...events.map(withoutIds))
    assert.deepEqual([reply.thinking, reply.text, reply.toolCalls.map(({ toolName, input }) => [toolName, input])], ['Hm.', 'Hello', [['f', '{"p":1}'], ['g', '{"p":2}']]])
    const answered = await inRun(...[...events, result('b', 'x')].map(withoutIds))
    assert.deepEqual(answered.toolCalls.map(({ toolName }) => toolName), ['f'])
  })

  test('agents at the same time have a last one each', async () => {
    const by = (subagentRunId, event) => ({ ...event, subagentRunId })
    const reply = await inRun(
      { type: 'SUBAGENT_STARTED', subagentRunId: 'x', name: 'helper' },
      by('x', callChunk({ toolCallId: 'a', toolCallName: 'f', delta: '{"p"' })),
      by('y', callChunk({ toolCallId: 'b', toolCallName: 'g', delta: '{"p"' })),
      by('x', callChunk({ delta: ':1}' })),
      by('y', callChunk({ delta: ':2}' })),
      { type: 'SUBAGENT_FINISHED', subagentRunId: 'x', outcome: { type: 'success' } },
    )
    assert.deepEqual(callsOf(reply), [['a', 'f', '{"p":1}'], ['b', 'g', '{"p":2}']])
  })
})

describe('calls', () => {
  test('at the same time: each delta belongs to the call of its id', async () => {
    const events = [start('a', 'f'), start('b', 'g'), args('b', '{"p"'), args('a', '{"p":'), args('b', ':2}'), end('b'), args('a', '1}'), end('a')]
    assert.deepEqual(callsOf(await inRun(...events)), [['a', 'f', '{"p":1}'], ['b', 'g', '{"p":2}']])
  })

  test('without arguments have none', async () => {
    for (const events of [called('a', 'f'), [start('a')], [callChunk({ toolCallId: 'a', toolCallName: 'f' })], called('a', 'f', '')]) assert.deepEqual(callsOf(await inRun(...events)), [['a', 'f', '{}']])
  })

  test('with a result were run: they are not to be run, and no problem', async () => {
    for (const order of [
      [...called('a', 'f', '{"p":1}'), result('a', 'x'), ...called('b', 'g', '{}')],
      [...called('a', 'f', '{"p":1}'), ...called('b', 'g', '{}'), result('a', 'x')],
      [...called('a', 'f', '{"p":1}').slice(0, 2), result('a', 'x'), ...called('b', 'g', '{}')],
      [callChunk({ toolCallId: 'a', toolCallName: 'f', delta: '{"p":1}' }), result('a', 'x'), ...called('b', 'g', '{}')],
    ]) {
      const { toolCalls, problems, finishReason, blocks } = await inRun(...order)
      assert.deepEqual([toolCalls.map(({ toolCallId }) => toolCallId), problems, finishReason], [['b'], [], 'tool-calls'])
      assert.deepEqual(blocks.find(({ type }) => type === 'tool_result'), { type: 'tool_result', content: 'x', toolId: 'a', hosted: true })
    }
    const { finishReason, toolCalls } = await inRun(...called('a', 'f', '{}'), result('a', 'x'), ...said('m', 'Done.'))
    assert.deepEqual([finishReason, toolCalls], ['stop', []])
  })

  test('a call that says that it could not be read is no problem if the agent has answered it', async () => {
    const { toolCalls, problems } = await inRun(start('a'), args('a', '{"p"'), end('a'), result('a', 'The call was cut off.'))
    assert.deepEqual([toolCalls, problems], [[], []])
  })

  test('the parts of a result are its text, and its error is no error of the run', async () => {
    const { blocks } = await inRun(...called('a', 'f', '{}'), result('a', [{ type: 'text', text: 'Ra' }, { type: 'text', text: 'in' }], { error: 'no' }))
    assert.deepEqual([blocks[0].hosted, blocks[1]], [true, { type: 'tool_result', content: 'Rain', toolId: 'a', isError: true, hosted: true }])
  })

  test('that are cut off are problems', async () => {
    for (const events of [[start('a'), args('a', '{"p"')], [start('a'), args('a', '{"p"'), finished({ result: { finishReason: 'length' } })], [callChunk({ toolCallId: 'a', toolCallName: 'f', delta: '{"p"' }), finished()]]) {
      const { toolCalls, problems } = await read([STARTED, ...events])
      assert.deepEqual([toolCalls, problems.map(({ metadata: { toolCallId, toolCall } }) => [toolCallId, toolCall])], [[], [['a', '{"p"']]])
    }
  })

  test('that come again by their id count once, and with other arguments are a problem', async () => {
    for (const twice of [(delta) => called('a', 'f', delta), (delta) => [callChunk({ toolCallId: 'a', toolCallName: 'f', delta })]]) {
      const same = await inRun(...twice('{"p":1}'), ...twice('{ "p": 1 }'))
      assert.deepEqual([callsOf(same).length, same.problems], [1, []])
      const other = await inRun(...twice('{"p":1}'), ...twice('{"p":2}'))
      assert.deepEqual([callsOf(other), other.problems.map(({ metadata }) => metadata.dropReason)], [[['a', 'f', '{"p":1}']], ['repeated-id']])
    }
  })
})

describe('how it ended', () => {
  const ends = (last, events = said('m', 'Hi')) => read([STARTED, ...events, ...last])

  test('the reason is that of the result, and stop without one', async () => {
    for (const [more, reason, raw] of [
      [{}, 'stop', 'stop'],
      [{ result: 'all done' }, 'stop', 'stop'],
      [{ result: { finishReason: null } }, 'stop', 'stop'],
      [{ result: { finishReason: 'length' } }, 'length', 'length'],
      [{ result: { finishReason: 'content_filter' } }, 'content-filter', 'content_filter'],
      [{ outcome: { type: 'success', pendingToolCallIds: [] }, result: { finishReason: 'end_turn' } }, 'stop', 'end_turn'],
      [{ outcome: null }, 'stop', 'stop'],
      [{ outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'approval' }] } }, 'other', 'interrupt'],
      [{ outcome: { type: 'cancelled' } }, 'interrupted', 'cancelled'],
    ]) {
      const { finishReason, rawFinishReason, text } = await ends([finished(more)])
      assert.deepEqual([finishReason, rawFinishReason, text], [reason, raw, 'Hi'], JSON.stringify(more))
    }
  })

  test('a stream without RUN_FINISHED is interrupted, and has no calls to run', async () => {
    const { finishReason, toolCalls, problems } = await ends([], called('a', 'f', '{}'))
    assert.deepEqual([finishReason, toolCalls, problems.map(({ metadata }) => metadata.dropReason)], ['interrupted', [], ['interrupted']])
    const second = await ends([finished(), { ...STARTED, runId: 's' }, ...said('n', 'Hel').slice(0, 2)])
    assert.deepEqual([second.text, second.finishReason], ['HiHel', 'interrupted'])
  })

  test('a call that waits for a person is whole, and not to be run; others are', async () => {
    const interrupt = (...ids) => finished({ outcome: { type: 'interrupt', interrupts: ids.map((toolCallId) => ({ id: 'i', reason: 'approval', ...(toolCallId && { toolCallId }) })) } })
    const two = [...called('a', 'f', '{"p":1}'), ...called('b', 'g', '')]
    for (const [ids, toRun] of [[['a'], ['b']], [['b'], ['a']], [['a', 'b'], []], [['c'], ['a', 'b']], [[''], ['a', 'b']]]) {
      const { toolCalls, problems, blocks, finishReason, message } = await ends([interrupt(...ids)], two)
      assert.deepEqual(toolCalls.map(({ toolCallId }) => toolCallId), toRun, ids.join())
      assert.deepEqual([problems, finishReason], [[], 'other'])
      assert.deepEqual(blocks.map(({ toolId, input, incomplete }) => [toolId, input, incomplete]), [['a', { p: 1 }, undefined], ['b', {}, undefined]])
      // The next run, which has the answer, goes on with all of them.
      assert.deepEqual(message.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)), ['a', 'b'])
    }
  })

  test('a run that was stopped has no calls to run', async () => {
    assert.deepEqual((await ends([finished({ outcome: { type: 'cancelled' } })], called('a', 'f', '{"p":1}'))).toolCalls, [])
  })

  test('the tokens are those of all models', async () => {
    const usageOf = async (usage) => (await ends([finished({ usage })])).usage
    const counts = ({ inputTokens, outputTokens, totalTokens }) => [inputTokens, outputTokens, totalTokens]
    const [one, two] = [{ provider: 'x', model: 'y', inputTokens: 3, outputTokens: 4, totalTokens: 7, cachedInputTokens: 2 }, { model: 'z', inputTokens: 10, outputTokens: 20 }]
    assert.deepEqual(await usageOf([one]), { raw: one, inputTokens: 3, outputTokens: 4, totalTokens: 7 })
    assert.deepEqual(counts(await usageOf([one, one])), [6, 8, 14])
    assert.deepEqual(counts(await usageOf([one, two])), [13, 24, 37])
    assert.deepEqual((await usageOf([one, one])).raw, { ...one, inputTokens: 6, outputTokens: 8, totalTokens: 14, cachedInputTokens: 4 })
    for (const usage of [undefined, []]) assert.equal(await usageOf(usage), undefined)
  })

  test('RUN_ERROR is a ResponseError, before and after text', async () => {
    const error = (more) => ({ type: 'RUN_ERROR', message: 'Slow down', ...more })
    for (const [events, partial] of [[[error({ code: 'rate_limit' })], ''], [[STARTED, error({ code: 'rate_limit' })], ''], [[STARTED, ...said('m', 'Hel', 'lo'), error({ code: 'rate_limit' })], 'Hello'], [[STARTED, ...said('m', 'Hel').slice(0, 2), error({ code: 'rate_limit' })], 'Hel']]) {
      for (const source of [events, response(sseOf(events)), sseOf(events), JSON.stringify(events)]) {
        const failed = await readReply(source).result().catch((thrown) => thrown)
        assert.ok(failed instanceof ResponseError, String(failed))
        assert.deepEqual([failed.code, failed.type, failed.status, failed.partial.text, failed.partial.finishReason], ['rate_limit', undefined, undefined, partial, 'error'])
        assert.match(failed.message, /rate_limit: Slow down$/)
      }
    }
    for (const [more, code, status] of [[{}, undefined, undefined], [{ code: '429' }, '429', 429], [{ code: null }, undefined, undefined]]) {
      const failed = await readReply([STARTED, error(more)]).result().catch((thrown) => thrown)
      assert.deepEqual([failed.code, failed.status], [code, status])
    }
    const { usage } = (await readReply([STARTED, error({ usage: [{ inputTokens: 1, outputTokens: 2 }] })]).result().catch((thrown) => thrown)).partial
    assert.equal(usage.totalTokens, 3)
    const heard = []
    const { finishReason, toolCalls } = await readReply([STARTED, ...called('a', 'f', '{}'), error()], { onError: ({ code, message }) => heard.push([code, message]) }).result()
    assert.deepEqual([finishReason, toolCalls, heard], ['error', [], [['error', 'Slow down']]])
  })

  test('the error of a helping agent is not the run\'s', async () => {
    assert.equal((await inRun({ type: 'SUBAGENT_ERROR', subagentRunId: 'x', message: 'no', code: 'c' }, ...said('m', 'Hi'))).text, 'Hi')
  })
})

describe('what is no part of a reply', () => {
  const SILENT = [
    { type: 'STATE_SNAPSHOT', snapshot: { text: 'no' } },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1 }] },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'x', activityType: 'plan', content: { text: 'no' }, replace: true },
    { type: 'ACTIVITY_DELTA', messageId: 'x', activityType: 'plan', patch: [{ op: 'remove', path: '/text' }] },
    { type: 'STEP_STARTED', stepName: 's' },
    { type: 'STEP_FINISHED', stepName: 's' },
    { type: 'RAW', event: { type: 'text-delta', text: 'no' }, source: 'x' },
    { type: 'CUSTOM', name: 'x', value: { content: 'no', error: { message: 'no' } } },
    { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'h', role: 'user', content: 'Ask' }, { id: 'm', role: 'assistant', content: 'Hello' }] },
    { type: 'SUBAGENT_STARTED', subagentRunId: 'x', name: 'helper' },
    { type: 'SUBAGENT_FINISHED', subagentRunId: 'x' },
    { type: 'THINKING_START', title: 'no' },
    { type: 'THINKING_END' },
    { type: 'REASONING_START', messageId: 'q' },
    { type: 'REASONING_END', messageId: 'q' },
  ]

  test('is known, and changes nothing, wherever it comes', async () => {
    const parts = [...said('m', 'Hel', 'lo'), ...called('a', 'f', '{"p"', ':1}')]
    const want = await inRun(...parts)
    assert.deepEqual([want.text, callsOf(want)], ['Hello', [['a', 'f', '{"p":1}']]])
    for (const event of SILENT) for (let at = 0; at <= parts.length; at++) assert.deepEqual(await inRun(...parts.slice(0, at), event, ...parts.slice(at)), want, `${event.type} at ${at}`)
    const { problems, finishReason, blocks } = await inRun(...SILENT.filter(({ type }) => type !== 'MESSAGES_SNAPSHOT'))
    assert.deepEqual([problems, finishReason, blocks], [[], 'stop', []])
  })

  test('what is new in the protocol goes to onUnknown', async () => {
    const unknown = []
    const odd = { type: 'TEXT_MESSAGE_SUNG', messageId: 'm' }
    const { text } = await read([STARTED, ...said('m', 'Hi'), odd, finished()], { provider: 'agUi', onUnknown: (event) => unknown.push(event) })
    assert.deepEqual([text, unknown], ['Hi', [odd]])
  })
})

describe('a snapshot of messages', () => {
  const messages = [
    { id: '1', role: 'user', content: 'Earlier?' },
    { id: '2', role: 'assistant', content: 'Earlier.' },
    { id: '3', role: 'user', content: 'Now?' },
    { id: '4', role: 'reasoning', content: 'Hm.' },
    { id: '5', role: 'assistant', content: 'Let me see.', toolCalls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"p":1}' } }, { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }] },
    { id: '6', role: 'tool', toolCallId: 'a', content: 'x' },
  ]
  const snapshot = { type: 'MESSAGES_SNAPSHOT', messages }

  test('is read if the run says nothing else: what follows the last message of the user', async () => {
    for (const events of [[snapshot], [...said('m'), snapshot], [{ ...snapshot, messages: messages.slice(0, 3) }, snapshot]]) {
      const reply = await inRun(...events)
      assert.deepEqual(blocksOf(reply), [['thinking', 'Hm.'], ['text', 'Let me see.'], ['tool_call', 'a', 'f'], ['tool_call', 'b', 'g'], ['tool_result', 'x']])
      assert.deepEqual([callsOf(reply), reply.finishReason, reply.message], [[['b', 'g', '{}']], 'tool-calls', messages.slice(3)])
    }
    assert.equal((await read([STARTED, snapshot])).finishReason, 'interrupted')
  })

  test('that comes beside events, or before a run, is not of its text', async () => {
    for (const events of [[snapshot, ...said('m', 'Hi')], [...said('m', 'Hi'), snapshot]]) assert.deepEqual(blocksOf(await inRun(...events)), [['text', 'Hi']])
    assert.deepEqual((await inRun({ ...snapshot, messages: messages.slice(0, 3) })).blocks, [])
    assert.equal((await read([snapshot, STARTED, ...said('m', 'Hi'), finished()])).text, 'Hi')
  })

  test('is a whole reply for NativeBlocks.message', () => {
    const blocks = []
    new NativeBlocks({ onBlock: ({ event, block }) => event === 'block_complete' && blocks.push(block.type) }).message(snapshot)
    assert.deepEqual(blocks, ['thinking', 'text', 'tool_call', 'tool_call', 'tool_result'])
  })
})

describe('what goes back', () => {
  const fn = (id, name, text) => ({ id, type: 'function', function: { name, arguments: text } })
  const sent = async (...events) => {
    const reply = await inRun(...events)
    return loopMessages(reply, reply.toolCalls.map(({ toolCallId }) => ({ toolCallId, output: 'done' })))
  }
  const done = (id) => ({ id: `${id}-result`, role: 'tool', toolCallId: id, content: 'done' })

  test('messages by their ids: thoughts with what is encrypted, calls with results of those that were run', async () => {
    const { message } = await read(RUN)
    assert.deepEqual(message, [
      { id: 'r', role: 'reasoning', content: 'Hm – rain?', encryptedValue: 'SEALED' },
      { id: 'm', role: 'assistant', content: 'Let me see 🌧.', toolCalls: [fn('a', 'weather', '{"city": "Pörto"}'), fn('b', 'time', '{}')] },
      { id: 'a-said', role: 'tool', toolCallId: 'a', content: 'Rain.' },
      { id: 'n', role: 'assistant', content: 'It rains.' },
    ])
    assert.deepEqual((await sent(...RUN.slice(1, -1))).slice(4), [done('b')])
  })

  test('a thought that can\'t be read', async () => {
    const sealed = { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r', encryptedValue: 'S' }
    assert.deepEqual((await inRun(sealed)).message, [{ id: 'r', role: 'reasoning', content: '', encryptedValue: 'S' }])
  })

  test('calls without a parent are one message with what was said last', async () => {
    const alone = ({ parentMessageId: _, ...event }) => event
    const events = [...called('a', 'f', '{"p":1}'), ...called('b', 'g')].map(alone)
    const toolCalls = [fn('a', 'f', '{"p":1}'), fn('b', 'g', '{}')]
    assert.deepEqual(await sent(...events), [{ id: 'a', role: 'assistant', content: '', toolCalls }, done('a'), done('b')])
    assert.deepEqual(await sent(...said('m', 'Hi'), ...events), [{ id: 'm', role: 'assistant', content: 'Hi', toolCalls }, done('a'), done('b')])
  })

  test('every message has an id, and a call the one that it got', async () => {
    const messages = await sent(...[...thought('r', 'Hm.'), ...said('m', 'Hel', 'lo'), ...called('a', 'f', '{"p":1}')].map(withoutIds))
    assert.deepEqual(messages.map(({ role, content }) => [role, content]), [['reasoning', 'Hm.'], ['assistant', 'Hello'], ['tool', 'done']])
    const [, said_, answer] = messages
    assert.ok(messages.every(({ id }) => typeof id === 'string' && id !== ''))
    assert.equal(new Set(messages.map(({ id }) => id)).size, 3)
    assert.equal(said_.toolCalls[0].id, answer.toolCallId)
  })

  test('neither calls that are cut off nor messages that are empty', async () => {
    assert.equal((await read([STARTED, ...said('m'), start('a'), args('a', '{"p"')])).message, undefined)
    assert.deepEqual((await inRun(...said('m', 'Hi'), start('a'), args('a', '{"p"'))).message, [{ id: 'm', role: 'assistant', content: 'Hi' }])
    assert.equal((await inRun(...thought('r'), result('z', 'x'))).message, undefined)
  })

  test('without thinking, and in the shape of others', async () => {
    const reply = await inRun(...thought('r', 'Hm.'), ...said('m', 'Hi'), ...called('a', 'f', '{}'))
    const results = [{ toolCallId: 'a', output: 'done' }]
    assert.deepEqual(loopMessages(reply, results, { thinking: false }).map(({ role }) => role), ['assistant', 'tool'])
    assert.deepEqual(loopMessages(reply, results, { as: 'openai' }), [{ role: 'assistant', content: 'Hi', tool_calls: [fn('a', 'f', '{}')] }, { role: 'tool', tool_call_id: 'a', content: 'done' }])
    assert.deepEqual(loopMessages(reply, results, { as: 'ai-sdk' }).map(({ role }) => role), ['assistant', 'tool'])
    const sealed = await read(RUN)
    assert.deepEqual(loopMessages(sealed, [{ toolCallId: 'b', output: 'done' }], { thinking: false })[0].role, 'reasoning')
  })

  test('a tool that failed, and what is wrong with a call, have ids of their own', async () => {
    const reply = await inRun(...called('a', 'f', '{}'))
    assert.deepEqual(loopMessages(reply, [{ toolCallId: 'a', output: { type: 'error-text', value: 'no' } }])[1], { id: 'a-result', role: 'tool', toolCallId: 'a', content: '{"error":"no"}', error: 'no' })
    const cut = await inRun(...said('m', 'Hi'), start('a'), args('a', '{"p"'))
    const [, user] = loopMessages(cut, [])
    assert.deepEqual([user.role, typeof user.id], ['user', 'string'])
    assert.match(user.content, /can not be read/)
  })
})
