// `respond`: what it writes of a reply in each protocol, however the reply was cut.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readUIMessageStream, uiMessageChunkSchema } from 'ai'
import { readReply } from 'tokenweir'
import { protocolEvents, respond } from 'tokenweir/respond'
import { PROTOCOLS, rowsOf } from './support/respond.mjs'

const CALL = '<tool_call>\n{"name": "weather", "arguments": {"city": "Porto"}}\n</tool_call>'
const RAW = `<think>hm</think>I look.\n\n${CALL}`
const tools = { weather: { inputSchema: { type: 'object', properties: { city: { type: 'string' } } } } }
const hermes = (text, options) => readReply(text, { format: 'hermes', generateId: () => 'c1', tools, ...options })

const chunk = (delta, reason = null) => ({ choices: [{ index: 0, delta, finish_reason: reason }] })
const END = (reason, usage) => ({ ...chunk({}, reason), ...(usage && { usage }) })
const begun = (id, index = 0, name = 'weather') => chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
const args = (text, index = 0) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })

/** A call with the id of one before it. */
const again = chunk({ tool_calls: [{ index: 1, id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Faro"}' } }] })
const REPEATED = 'A call of "weather" has the id of one before it and other arguments, and was not run.'
const MALFORMED = 'A call of "weather" can not be read, and was not run.'

/** What a source is written as. */
const written = async (source, protocol, options) => rowsOf(protocol, await all(protocolEvents(source, protocol, options)))

async function all(events) {
  const list = []
  for await (const event of events) list.push(event)
  return list
}

/** Sources, and what they are written as in each protocol. */
const TABLE = {
  'thinking, text and a call of a format': {
    source: () => hermes(RAW),
    openai: ['role', 'reasoning_content hm', 'content I look.', 'call 0 c1 weather', 'input 0 {"city":"Porto"}', 'tool_calls'],
    aiSdk: ['start', 'start-step', 'reasoning-start 1', 'reasoning-delta 1 hm', 'reasoning-end 1', 'text-start 2', 'text-delta 2 I look.', 'text-end 2', 'tool-input-start c1 weather', 'tool-input-delta c1 {"city":"Porto"}', 'tool-input-available c1 weather {"city":"Porto"}', 'finish-step', 'finish tool-calls'],
    agUi: ['RUN_STARTED t r', 'REASONING_START 1', 'REASONING_MESSAGE_START 1', 'REASONING_MESSAGE_CONTENT 1 hm', 'REASONING_MESSAGE_END 1', 'REASONING_END 1', 'TEXT_MESSAGE_START 2', 'TEXT_MESSAGE_CONTENT 2 I look.', 'TEXT_MESSAGE_END 2', 'TOOL_CALL_START c1 weather 2', 'TOOL_CALL_ARGS c1 {"city":"Porto"}', 'TOOL_CALL_END c1', 'RUN_FINISHED t r tool-calls'],
  },
  'two calls of chat chunks, and text after them': {
    source: () => readReply([begun('a'), args('{"city":'), begun('b', 1), args('"Porto"}'), args('{"city":"Faro"}', 1), chunk({ content: 'Wait.' }), END('stop')], { tools }),
    openai: ['role', 'call 0 a weather', 'input 0 {"city":"Porto"}', 'call 1 b weather', 'input 1 {"city":"Faro"}', 'content Wait.', 'tool_calls'],
    aiSdk: ['start', 'start-step', 'tool-input-start a weather', 'tool-input-delta a {"city":"Porto"}', 'tool-input-available a weather {"city":"Porto"}', 'tool-input-start b weather', 'tool-input-delta b {"city":"Faro"}', 'tool-input-available b weather {"city":"Faro"}', 'text-start 1', 'text-delta 1 Wait.', 'text-end 1', 'finish-step', 'finish tool-calls'],
    agUi: ['RUN_STARTED t r', 'TOOL_CALL_START a weather 1', 'TOOL_CALL_ARGS a {"city":"Porto"}', 'TOOL_CALL_END a', 'TOOL_CALL_START b weather 1', 'TOOL_CALL_ARGS b {"city":"Faro"}', 'TOOL_CALL_END b', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 Wait.', 'TEXT_MESSAGE_END 1', 'RUN_FINISHED t r tool-calls'],
  },
  'text, a call, and text again': {
    source: () => hermes(`One.\n${CALL}\nTwo.`),
    openai: ['role', 'content One.', 'call 0 c1 weather', 'input 0 {"city":"Porto"}', 'content \n\nTwo.', 'tool_calls'],
    aiSdk: ['start', 'start-step', 'text-start 1', 'text-delta 1 One.', 'text-end 1', 'tool-input-start c1 weather', 'tool-input-delta c1 {"city":"Porto"}', 'tool-input-available c1 weather {"city":"Porto"}', 'text-start 2', 'text-delta 2 \n\nTwo.', 'text-end 2', 'finish-step', 'finish tool-calls'],
    agUi: ['RUN_STARTED t r', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 One.', 'TEXT_MESSAGE_END 1', 'TOOL_CALL_START c1 weather 1', 'TOOL_CALL_ARGS c1 {"city":"Porto"}', 'TOOL_CALL_END c1', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 \n\nTwo.', 'TEXT_MESSAGE_END 1', 'RUN_FINISHED t r tool-calls'],
  },
  'a call that the limit cuts off': {
    source: () => readReply([begun('a'), args('{"city":"Po'), END('length')], { tools }),
    openai: ['role', 'call 0 a weather', 'input 0 {"city":"Po', 'length'],
    aiSdk: ['start', 'start-step', 'tool-input-start a weather', 'tool-input-delta a {"city":"Po', 'tool-input-error a weather "{\\"city\\":\\"Po" A call of "weather" was cut off, and was not run.', 'finish-step', 'finish length'],
    agUi: ['RUN_STARTED t r', 'TOOL_CALL_START a weather 1', 'TOOL_CALL_ARGS a {"city":"Po', 'TOOL_CALL_END a', 'TOOL_CALL_RESULT 2 a A call of "weather" was cut off, and was not run.', 'RUN_FINISHED t r length'],
  },
  'a call in tags that its end cuts off': {
    source: () => readReply('Hi.<invoke name="weather"><parameter name="city">Po', { generateId: () => 'c1', tools }),
    openai: ['role', 'content Hi.', 'call 0 c1 weather', 'input 0 {"city":"Po', 'stop'],
    aiSdk: ['start', 'start-step', 'text-start 1', 'text-delta 1 Hi.', 'text-end 1', 'tool-input-start c1 weather', 'tool-input-delta c1 {"city":"Po', 'tool-input-error c1 weather "{\\"city\\":\\"Po" A call of "weather" was cut off, and was not run.', 'finish-step', 'finish stop'],
    agUi: ['RUN_STARTED t r', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 Hi.', 'TEXT_MESSAGE_END 1', 'TOOL_CALL_START c1 weather 1', 'TOOL_CALL_ARGS c1 {"city":"Po', 'TOOL_CALL_END c1', 'TOOL_CALL_RESULT 2 c1 A call of "weather" was cut off, and was not run.', 'RUN_FINISHED t r stop'],
  },
  'a call without the arguments that its tool requires': {
    source: () => readReply([begun('a'), END('tool_calls')], { tools: { weather: { inputSchema: { ...tools.weather.inputSchema, required: ['city'] } } } }),
    openai: ['role', 'call 0 a weather', 'input 0 {', 'stop'],
    aiSdk: ['start', 'start-step', 'tool-input-start a weather', 'tool-input-error a weather "" A call of "weather" lacks arguments that its tool requires, and was not run.', 'finish-step', 'finish stop'],
    agUi: ['RUN_STARTED t r', 'TOOL_CALL_START a weather 1', 'TOOL_CALL_ARGS a {', 'TOOL_CALL_END a', 'TOOL_CALL_RESULT 2 a A call of "weather" lacks arguments that its tool requires, and was not run.', 'RUN_FINISHED t r stop'],
  },
  'a call with the id of one before it': {
    source: () => readReply([begun('a'), args('{"city":"Porto"}'), again, END('tool_calls')], { tools }),
    openai: ['role', 'call 0 a weather', 'input 0 {"city":"Porto"}', 'call 1 a-2 weather', 'input 1 {"city":"Faro"', 'tool_calls'],
    aiSdk: ['start', 'start-step', 'tool-input-start a weather', 'tool-input-delta a {"city":"Porto"}', 'tool-input-available a weather {"city":"Porto"}', 'tool-input-start a-2 weather', 'tool-input-delta a-2 {"city":"Faro"', `tool-input-error a-2 weather {"city":"Faro"} ${REPEATED}`, 'finish-step', 'finish tool-calls'],
    agUi: ['RUN_STARTED t r', 'TOOL_CALL_START a weather 1', 'TOOL_CALL_ARGS a {"city":"Porto"}', 'TOOL_CALL_END a', 'TOOL_CALL_START a-2 weather 1', 'TOOL_CALL_ARGS a-2 {"city":"Faro"', 'TOOL_CALL_END a-2', `TOOL_CALL_RESULT 2 a-2 ${REPEATED}`, 'RUN_FINISHED t r tool-calls'],
  },
  'whole calls, one with the id of one before it': {
    source: () => readReply([begun('a'), args('{"city":"Porto"}'), again, END('tool_calls')], { tools }),
    options: { calls: 'whole' },
    openai: ['role', 'call 0 a weather', 'input 0 {"city":"Porto"}', 'tool_calls'],
    aiSdk: ['start', 'start-step', 'tool-input-start a weather', 'tool-input-delta a {"city":"Porto"}', 'tool-input-available a weather {"city":"Porto"}', 'finish-step', 'finish tool-calls'],
    agUi: ['RUN_STARTED t r', 'TOOL_CALL_START a weather 1', 'TOOL_CALL_ARGS a {"city":"Porto"}', 'TOOL_CALL_END a', 'RUN_FINISHED t r tool-calls'],
  },
  'calls of a model that gives them one id': {
    source: () => readReply(`<|tool_calls_section_begin|>${['Porto', 'Faro'].map((city) => `<|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{"city":"${city}"}<|tool_call_end|>`).join('')}<|tool_calls_section_end|>`, { format: 'kimi-k2', tools }),
    openai: ['role', 'call 0 functions.weather:0 weather', 'input 0 {"city":"Porto"}', 'call 1 functions.weather:0-2 weather', 'input 1 {"city":"Faro"}', 'tool_calls'],
    aiSdk: ['start', 'start-step', 'tool-input-start functions.weather:0 weather', 'tool-input-delta functions.weather:0 {"city":"Porto"}', 'tool-input-available functions.weather:0 weather {"city":"Porto"}', 'tool-input-start functions.weather:0-2 weather', 'tool-input-delta functions.weather:0-2 {"city":"Faro"}', 'tool-input-available functions.weather:0-2 weather {"city":"Faro"}', 'finish-step', 'finish tool-calls'],
    agUi: ['RUN_STARTED t r', 'TOOL_CALL_START functions.weather:0 weather 1', 'TOOL_CALL_ARGS functions.weather:0 {"city":"Porto"}', 'TOOL_CALL_END functions.weather:0', 'TOOL_CALL_START functions.weather:0-2 weather 1', 'TOOL_CALL_ARGS functions.weather:0-2 {"city":"Faro"}', 'TOOL_CALL_END functions.weather:0-2', 'RUN_FINISHED t r tool-calls'],
  },
  'a call with the id of one that is not whole': {
    source: () => readReply([begun('a'), args('[]'), again, END('tool_calls')], { tools }),
    openai: ['role', 'call 0 a weather', 'input 0 {', 'call 1 a-2 weather', 'input 1 {"city":"Faro"}', 'tool_calls'],
    aiSdk: ['start', 'start-step', 'tool-input-start a weather', `tool-input-error a weather [] ${MALFORMED}`, 'tool-input-start a-2 weather', 'tool-input-delta a-2 {"city":"Faro"}', 'tool-input-available a-2 weather {"city":"Faro"}', 'finish-step', 'finish tool-calls'],
    agUi: ['RUN_STARTED t r', 'TOOL_CALL_START a weather 1', 'TOOL_CALL_ARGS a {', 'TOOL_CALL_END a', `TOOL_CALL_RESULT 2 a ${MALFORMED}`, 'TOOL_CALL_START a-2 weather 1', 'TOOL_CALL_ARGS a-2 {"city":"Faro"}', 'TOOL_CALL_END a-2', 'RUN_FINISHED t r tool-calls'],
  },
  'whole calls': {
    source: () => readReply([chunk({ content: 'Hi.' }), begun('a'), args('{"city": "Porto",}'), begun('b', 1), args('{"city"', 1), END('length')], { tools }),
    options: { calls: 'whole' },
    openai: ['role', 'content Hi.', 'call 0 a weather', 'input 0 {"city":"Porto"}', 'tool_calls'],
    aiSdk: ['start', 'start-step', 'text-start 1', 'text-delta 1 Hi.', 'text-end 1', 'tool-input-start a weather', 'tool-input-delta a {"city":"Porto"}', 'tool-input-available a weather {"city":"Porto"}', 'finish-step', 'finish tool-calls'],
    agUi: ['RUN_STARTED t r', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 Hi.', 'TEXT_MESSAGE_END 1', 'TOOL_CALL_START a weather 1', 'TOOL_CALL_ARGS a {"city":"Porto"}', 'TOOL_CALL_END a', 'RUN_FINISHED t r tool-calls'],
  },
  'whole calls: none is left': {
    source: () => readReply([chunk({ content: 'Hi.' }), begun('a'), args('[]'), END('tool_calls')], { tools }),
    options: { calls: 'whole' },
    openai: ['role', 'content Hi.', 'error malformed-tool-call-body'],
    aiSdk: ['start', 'start-step', 'text-start 1', 'text-delta 1 Hi.', 'text-end 1', 'error The answer failed: malformed-tool-call-body.'],
    agUi: ['RUN_STARTED t r', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 Hi.', 'TEXT_MESSAGE_END 1', 'RUN_ERROR malformed-tool-call-body The answer failed: malformed-tool-call-body.'],
  },
  'whole calls: none is left, because of the limit': {
    source: () => readReply([begun('a'), args('{"city"'), END('length')], { tools }),
    options: { calls: 'whole' },
    openai: ['role', 'length'],
    aiSdk: ['start', 'start-step', 'finish-step', 'finish length'],
    agUi: ['RUN_STARTED t r', 'RUN_FINISHED t r length'],
  },
  'a call that the provider runs': {
    source: () => readReply([
      { type: 'message_start', message: { role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"rain"}' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ type: 'text', text: 'Rain.' }] } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: 'It rains.' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]),
    openai: ['role', 'content It rains.', 'stop'],
    aiSdk: ['start', 'start-step', 'tool-input-start s1 web_search hosted dynamic', 'tool-input-delta s1 {"query":"rain"}', 'tool-input-available s1 web_search {"query":"rain"} hosted dynamic', 'tool-output-available s1 "Rain." hosted dynamic', 'text-start 1', 'text-delta 1 It rains.', 'text-end 1', 'finish-step', 'finish stop'],
    agUi: ['RUN_STARTED t r', 'TOOL_CALL_START s1 web_search 1', 'TOOL_CALL_ARGS s1 {"query":"rain"}', 'TOOL_CALL_END s1', 'TOOL_CALL_RESULT 2 s1 Rain.', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 It rains.', 'TEXT_MESSAGE_END 1', 'RUN_FINISHED t r stop'],
  },
  'calls in thinking, and in the text of a provider': {
    source: () => readReply([chunk({ content: '<think>hm<invoke name="weather"><parameter name="city">Porto</parameter></invoke></think>' }), chunk({ content: 'Hi.<invoke name="weather"><parameter name="city">Porto</parameter></invoke>' }), END('stop')], { tools }),
    openai: ['role', 'reasoning_content hm', 'content Hi.', 'stop'],
    aiSdk: ['start', 'start-step', 'reasoning-start 1', 'reasoning-delta 1 hm', 'reasoning-end 1', 'text-start 2', 'text-delta 2 Hi.', 'text-end 2', 'finish-step', 'finish stop'],
    agUi: ['RUN_STARTED t r', 'REASONING_START 1', 'REASONING_MESSAGE_START 1', 'REASONING_MESSAGE_CONTENT 1 hm', 'REASONING_MESSAGE_END 1', 'REASONING_END 1', 'TEXT_MESSAGE_START 2', 'TEXT_MESSAGE_CONTENT 2 Hi.', 'TEXT_MESSAGE_END 2', 'RUN_FINISHED t r stop'],
  },
  'a call in thinking that follows text': {
    source: () => readReply('Hi.<think><invoke name="weather"><parameter name="city">Porto</parameter></invoke></think>', { tools }),
    openai: ['role', 'content Hi.', 'stop'],
    aiSdk: ['start', 'start-step', 'text-start 1', 'text-delta 1 Hi.', 'text-end 1', 'finish-step', 'finish stop'],
    agUi: ['RUN_STARTED t r', 'TEXT_MESSAGE_START 1', 'TEXT_MESSAGE_CONTENT 1 Hi.', 'TEXT_MESSAGE_END 1', 'RUN_FINISHED t r stop'],
  },
  'a call in thinking after which nothing comes': {
    source: () => hermes(`<think>hm ${CALL}</think>`),
    options: { thinking: false },
    openai: ['role', 'stop'],
    aiSdk: ['start', 'start-step', 'finish-step', 'finish stop'],
    agUi: ['RUN_STARTED t r', 'RUN_FINISHED t r stop'],
  },
  'an empty reply': {
    source: () => readReply([END('stop')]),
    openai: ['role', 'stop'],
    aiSdk: ['start', 'start-step', 'finish-step', 'finish stop'],
    agUi: ['RUN_STARTED t r', 'RUN_FINISHED t r stop'],
  },
}

describe('what is written', () => {
  for (const [name, { source, options, ...rows }] of Object.entries(TABLE))
    for (const protocol of PROTOCOLS) test(`${protocol}: ${name}`, async () => assert.deepEqual(await written(source(), protocol, { threadId: 't', runId: 'r', ...options }), rows[protocol]))

  for (const protocol of PROTOCOLS)
    test(`${protocol}: the same wherever the text is cut`, async () => {
      for (const text of [RAW, `One.\n${CALL}\nTwo.`]) {
        const whole = await written(hermes(text), protocol, { threadId: 't', runId: 'r' })
        for (let at = 1; at < text.length; at++) assert.deepEqual(await written(hermes([text.slice(0, at), text.slice(at)]), protocol, { threadId: 't', runId: 'r' }), whole, `cut at ${at}`)
        assert.deepEqual(await written(hermes([...text]), protocol, { threadId: 't', runId: 'r' }), whole)
      }
    })

  test('the pieces of the text join to that of the result', async () => {
    const texts = ['  Hello \n', 'a <think>b</think> c\n\n', `\n\n<think>hm</think>\n\nOne.\n\n${CALL}\n\n\nTwo. `, '<file path="a">x</file>\ny']
    for (const text of texts)
      for (const options of [{}, { trimMarkup: false }, { tags: { file: { type: 'file', visible: true } }, format: undefined }])
        for (let at = 0; at < text.length; at++) {
          const source = () => hermes([text.slice(0, at), text.slice(at)], options)
          const events = await all(protocolEvents(source(), 'openai'))
          const joined = events.map(({ choices }) => choices[0].delta.content ?? '').join('')
          assert.equal(joined, (await source().result()).text, JSON.stringify([text, at, options]))
        }
  })
})

describe('the arguments of calls', () => {
  const sources = ['{"city": "Po\\"r\\u00e9to", "days": [1, {"a": null}, -2.5e3, true]}', '{}', '{"a":{"b":[]}}', ' {"a" : "x,]}" , "b":{}} ']
  test('pieces are no valid JSON before the call is whole, and then join to its input', async () => {
    for (const text of sources)
      for (let at = 0; at <= text.length; at++) {
        const cut = await written(readReply([begun('a'), args(text.slice(0, at)), END('length')]), 'openai')
        const { toolCalls } = await readReply([begun('a'), args(text.slice(0, at)), END('length')]).result()
        const joined = cut.find((row) => row.startsWith('input'))?.slice('input 0 '.length) ?? ''
        if (toolCalls.length === 0) assert.throws(() => JSON.parse(joined), `${text} cut at ${at}`)
        else assert.equal(joined, toolCalls[0].input)
        const whole = await written(readReply([begun('a'), args(text.slice(0, at)), args(text.slice(at)), END('tool_calls')]), 'openai')
        assert.deepEqual(whole, ['role', 'call 0 a weather', `input 0 ${(await readReply([begun('a'), args(text), END('tool_calls')]).result()).toolCalls[0].input}`, 'tool_calls'], `${text} cut at ${at}`)
      }
  })

  test('what was repaired after its beginning was out is completed to the repaired input', async () => {
    for (const text of ['{"a": 1,}', '{"a": [1, 2,], }', '{"a": "\\d+ \\\\d"}', '{"a": "b\nc"}', '{\n  "a": "b",\n  "c": [\n    1, -2, true,\n  ]\n}', '{"a": "C:\\\\dir\\n"}', "'a'"]) {
      const source = (cut) => readReply([begun('a'), ...(cut ? [...text] : [text]).map((piece) => args(piece)), END('tool_calls')])
      const [call] = (await source().result()).toolCalls
      for (const protocol of ['openai', 'agUi']) {
        const rows = await written(source(true), protocol, { threadId: 't', runId: 'r' })
        assert.deepEqual(await written(source(false), protocol, { threadId: 't', runId: 'r' }), rows)
        const joined = rows.find((row) => /^input|ARGS/.test(row))?.replace(/^\S+ \S+ /, '')
        if (call === undefined) assert.throws(() => JSON.parse(joined))
        else assert.deepEqual(JSON.parse(joined), JSON.parse(call.input), text)
      }
    }
  })

  test('a call whose arguments can not be completed any more is not whole', async () => {
    const source = () => readReply([begun('a'), args('{"a": True, "b": 1}'), END('tool_calls')])
    assert.equal((await source().result()).toolCalls.length, 1)
    assert.deepEqual((await written(source(), 'openai')).slice(-2), ['input 0 {"a": True, "b": 1', 'stop'])
    assert.deepEqual(JSON.parse((await written(source(), 'openai', { calls: 'whole' }))[2].slice('input 0 '.length)), { a: true, b: 1 })
  })
})

describe('fields', () => {
  test('openai: each chunk is whole, and so is the completion', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
    const source = () => readReply([chunk({ content: 'Hi.' }), begun('a'), args('{}'), END('tool_calls', usage)])
    const events = await all(protocolEvents(source(), 'openai', { id: 'x', model: 'm', usage: true }))
    for (const { id, object, created, model } of events) assert.deepEqual([id, object, model, created], ['x', 'chat.completion.chunk', 'm', events[0].created])
    assert.ok(Number.isInteger(events[0].created))
    assert.deepEqual(events.slice(0, -1).map(({ choices }) => [choices.length, choices[0].index]), events.slice(1).map(() => [1, 0]))
    assert.deepEqual(events.map(({ choices }) => choices[0]?.finish_reason), [null, null, null, null, null, 'tool_calls', undefined])
    assert.deepEqual(events.at(-1).choices, [])
    assert.deepEqual(events.at(-1).usage, usage)
    assert.equal((await all(protocolEvents(source(), 'openai'))).length, events.length - 1)
    const response = await respond(source(), 'openai', { id: 'x', model: 'm', stream: false })
    assert.equal(response.headers.get('content-type'), 'application/json')
    const { created, ...completion } = await response.json()
    const message = { role: 'assistant', content: 'Hi.', tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }] }
    assert.deepEqual(completion, { id: 'x', object: 'chat.completion', model: 'm', choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage })
    const [{ created: later, ...again }] = await all(protocolEvents(source(), 'openai', { id: 'x', model: 'm', stream: false }))
    assert.deepEqual([again, later - created <= 1], [completion, true])
    assert.match((await all(protocolEvents(source(), 'openai')))[0].id, /^chatcmpl-/)
  })

  test('reasons', async () => {
    const reasons = [['stop', 'stop', 'stop'], ['length', 'length', 'length'], ['content_filter', 'content_filter', 'content-filter'], ['pause_turn', 'stop', 'other'], ['tool_calls', 'stop', 'stop']]
    for (const [word, openai, other] of reasons) {
      const source = () => readReply([chunk({ content: 'Hi.' }), END(word)])
      assert.equal((await written(source(), 'openai')).at(-1), openai)
      assert.equal((await written(source(), 'aiSdk')).at(-1), `finish ${other}`)
      assert.equal((await written(source(), 'agUi', { threadId: 't', runId: 'r' })).at(-1), `RUN_FINISHED t r ${other}`)
    }
  })

  test('tokens', async () => {
    const source = () => readReply([chunk({ content: 'Hi.' }), END('stop', { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 })])
    const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 }
    assert.deepEqual((await all(protocolEvents(source(), 'aiSdk', { usage: true, id: 'm1' }))).at(-1), { type: 'finish', finishReason: 'stop', messageMetadata: { usage } })
    assert.deepEqual((await all(protocolEvents(source(), 'aiSdk'))).at(-1), { type: 'finish', finishReason: 'stop' })
    assert.deepEqual((await all(protocolEvents(source(), 'aiSdk', { id: 'm1' })))[0], { type: 'start', messageId: 'm1' })
    assert.deepEqual((await all(protocolEvents(source(), 'agUi', { threadId: 't', runId: 'r' }))).at(-1), { type: 'RUN_FINISHED', threadId: 't', runId: 'r', usage: [usage], result: { finishReason: 'stop' } })
    // What was written is read again.
    for (const protocol of PROTOCOLS) {
      const { inputTokens, outputTokens, totalTokens } = (await readReply(await respond(source(), protocol, { usage: true })).result()).usage
      assert.deepEqual({ inputTokens, outputTokens, totalTokens }, usage, protocol)
    }
  })

  test('a call that waits for a person is no call to run', async () => {
    const run = [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, { type: 'TOOL_CALL_START', toolCallId: 'a', toolCallName: 'weather' }, { type: 'TOOL_CALL_ARGS', toolCallId: 'a', delta: '{"city":"Porto"}' }, { type: 'TOOL_CALL_END', toolCallId: 'a' }]
    const end = { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'approval', toolCallId: 'a' }] } }
    const [openai, aiSdk, agUi] = await Promise.all(PROTOCOLS.map((protocol) => written(readReply([...run, end], { tools }), protocol, { threadId: 't', runId: 'r' })))
    assert.equal(openai.at(-1), 'stop')
    assert.deepEqual(aiSdk.slice(-3), ['tool-input-error a weather {"city":"Porto"} The call was not run.', 'finish-step', 'finish other'])
    assert.deepEqual(agUi.slice(-2), ['TOOL_CALL_RESULT 2 a The call was not run.', 'RUN_FINISHED t r other'])
  })

  test('thinking: another field, or none', async () => {
    const source = () => readReply('<think>hm</think>Hi.')
    assert.deepEqual(await written(source(), 'openai', { thinking: 'reasoning' }), ['role', 'reasoning hm', 'content Hi.', 'stop'])
    for (const protocol of PROTOCOLS) assert.ok(!JSON.stringify(await written(source(), protocol, { thinking: false })).includes('hm'))
  })

  test('aiSdk: calls of tools that were not given are dynamic, with their outputs', async () => {
    async function* answer() {
      yield hermes(CALL, { tools: undefined })
      yield { toolCallId: 'c1', output: undefined }
      yield readReply('Done.')
    }
    const rows = await written(answer(), 'aiSdk')
    assert.deepEqual(rows.filter((row) => row.startsWith('tool-')), ['tool-input-start c1 weather dynamic', 'tool-input-delta c1 {"city":"Porto"}', 'tool-input-available c1 weather {"city":"Porto"} dynamic', 'tool-output-available c1 null dynamic'])
  })

  test('aiSdk: the chunks are those of `ai`, which reads the message', async () => {
    const chunks = await all(protocolEvents(hermes(RAW), 'aiSdk', { usage: true }))
    const schema = uiMessageChunkSchema()
    for (const one of chunks) assert.ok((await schema.validate(one)).success, JSON.stringify(one))
    let message
    for await (const next of readUIMessageStream({ stream: ReadableStream.from(chunks) })) message = next
    assert.deepEqual(message.parts.map(({ type, text, state, input }) => [type, text ?? input, state]), [['step-start', undefined, undefined], ['reasoning', 'hm', 'done'], ['text', 'I look.', 'done'], ['tool-weather', { city: 'Porto' }, 'input-available']])
  })

  test('the response: headers, framing and the end', async () => {
    for (const protocol of PROTOCOLS) {
      const response = await respond(readReply('Hel\r\nlo'), protocol, { headers: { 'x-own': '1', 'cache-control': 'no-store' } })
      const text = await response.text()
      assert.equal(response.status, 200)
      assert.deepEqual(['content-type', 'x-own', 'cache-control', 'x-accel-buffering', 'x-vercel-ai-ui-message-stream'].map((name) => response.headers.get(name)), ['text/event-stream', '1', 'no-store', 'no', protocol === 'aiSdk' ? 'v1' : null])
      const blocks = text.split('\n\n')
      assert.equal(blocks.pop(), '')
      assert.equal(blocks.at(-1) === 'data: [DONE]', protocol !== 'agUi')
      for (const block of blocks.filter((block) => block !== 'data: [DONE]')) assert.equal(typeof JSON.parse(/^data: ([^\r\n]*)$/.exec(block)[1]), 'object')
    }
  })
})

test('mistakes are TypeErrors immediately', () => {
  const reply = () => readReply('Hello')
  for (const call of [respond, protocolEvents]) {
    assert.throws(() => call(reply(), 'anthropic'), { name: 'TypeError', message: `${call.name}: the protocol must be one of openai, aiSdk, agUi, but is string "anthropic"` })
    assert.throws(() => call(reply(), 'openai', { colour: 1 }), { name: 'TypeError', message: new RegExp(`^${call.name} has no option "colour"`) })
    for (const options of [{ calls: 'some' }, { stream: true }, { keepAlive: 0 }, { keepAlive: '1' }, { thinking: 'yes' }, { usage: 1 }, { id: 1 }, { model: 1 }, { threadId: 1 }, { runId: 1 }, { errorText: 'x' }, { signal: {} }]) assert.throws(() => call(reply(), 'openai', options), { name: 'TypeError', message: new RegExp(`^${call.name}: ${Object.keys(options)[0]} must be`) })
    assert.throws(() => call(reply(), 'aiSdk', { stream: false }), { name: 'TypeError', message: /stream/ })
    for (const source of ['Hello', undefined, null, {}, [reply()], reply().result()]) assert.throws(() => call(source, 'openai'), { name: 'TypeError', message: new RegExp(`^${call.name} takes a Reply or an async iterable`) })
  }
})
