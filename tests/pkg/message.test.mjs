// The message that goes back, at each provider: what came, in order, byte for byte, and nothing that can't be sent.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loopMessages } from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { REPLIES } from './support/messages.mjs'

const read = (events, provider) => readReply(events, { onUnknown() {}, ...(provider && { provider }) }).result()
const json = (value) => JSON.parse(JSON.stringify(value))

describe('a reply with two calls goes back with their results', () => {
  for (const { name, events, results, messages, provider } of REPLIES) {
    test(name, async () => {
      const reply = await read(events, provider)
      assert.deepEqual(json(loopMessages(reply, results)), messages)
      // In the order of the calls, whatever was done first; and from JSON.
      assert.deepEqual(json(loopMessages(json(reply), [...results].reverse())), messages)
    })

    test(`${name}: cut anywhere, what goes back has only calls that are run`, async () => {
      for (let length = 1; length < events.length; length++) {
        const reply = await read(events.slice(0, length), provider)
        if (reply.finishReason === 'interrupted') assert.deepEqual(reply.toolCalls, [], String(length))
        const ids = JSON.stringify(reply.message ?? {})
        const { toolCalls } = reply
        for (const { toolCallId } of results) assert.equal(ids.includes(`"${toolCallId}"`), toolCalls.some((call) => call.toolCallId === toolCallId), `${toolCallId} after ${length}`)
      }
    })
  }
})

describe('what can not go back stays out', () => {
  const { events } = REPLIES.find(({ name }) => name === 'anthropic')

  test('thinking without its signature', async () => {
    const { message } = await read(events.filter(({ delta }) => delta?.type !== 'signature_delta'))
    assert.deepEqual(message.content.map(({ type }) => type), ['redacted_thinking', 'text', 'tool_use', 'tool_use'])
  })

  test('reasoning of the Responses API without its item, and an item without its end', async () => {
    const { events } = REPLIES.find(({ name }) => name === 'responses')
    assert.equal((await read([...events.slice(0, 3), events.at(-1)])).message, undefined)
  })

  test('plain text has no message', async () => {
    assert.deepEqual(Object.keys(await read('Hello')).filter((key) => ['message', 'provider'].includes(key)), [])
  })
})

describe('what servers do differently', () => {
  const chat = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
  const call = (fn, more = {}) => chat({ tool_calls: [{ index: 0, ...more, function: fn }] })
  const CALL = [{ id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Porto"}' } }]

  test('all of the reply again at the end', async () => {
    const message = { role: 'assistant', content: 'Hi', tool_calls: CALL }
    const events = [chat({ content: 'Hi' }), call({ name: 'weather', arguments: '{"city":"Porto"}' }, { id: 'c', type: 'function' }), { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }]
    assert.deepEqual((await read(events)).message, message)
  })

  test('what no reader knows has its place as it came', async () => {
    const odd = { type: 'of_tomorrow', data: { deep: [1, { a: null }] } }
    const [text, steps] = [{ type: 'text', text: 'Hi' }, (type, more) => ({ event_type: `step.${type}`, index: 1, ...more })]
    for (const [events, message] of [
      [[{ type: 'message_start', message: { content: [] } }, { type: 'content_block_start', index: 0, content_block: odd }, { type: 'content_block_stop', index: 0 }, { type: 'content_block_start', index: 1, content_block: text }, { type: 'content_block_stop', index: 1 }, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }], { role: 'assistant', content: [odd, text] }],
      [[{ candidates: [{ content: { parts: [{ text: 'Hi' }, { ofTomorrow: odd }, { executableCode: { language: 'PYTHON', code: '1' } }] }, finishReason: 'STOP' }] }], { role: 'model', parts: [{ text: 'Hi' }, { ofTomorrow: odd }, { executableCode: { language: 'PYTHON', code: '1' } }] }],
      [[{ type: 'response.created', response: { id: 'r', output: [] } }, { type: 'response.output_item.done', output_index: 0, item: odd }, { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } }], [odd]],
      [[{ event_type: 'interaction.created', interaction: { id: 'i' } }, { event_type: 'step.start', index: 0, step: odd }, { event_type: 'step.stop', index: 0 }, steps('start', { step: { type: 'model_output' } }), steps('delta', { delta: text }), steps('stop'), { event_type: 'interaction.completed', interaction: { id: 'i', status: 'completed' } }], [odd, { type: 'model_output', content: [text] }]],
      [[{ output: { message: { role: 'assistant', content: [{ ofTomorrow: odd }, { text: 'Hi' }] } }, stopReason: 'end_turn' }], { role: 'assistant', content: [{ ofTomorrow: odd }, { text: 'Hi' }] }],
      [[chat({ content: 'Hi', images: [{ type: 'image_url', image_url: { url: 'data:,a' } }] }), chat({ images: [odd] }), chat({}, 'stop')], { role: 'assistant', content: 'Hi', images: [{ type: 'image_url', image_url: { url: 'data:,a' } }, odd] }],
      [[chat({ content: [text, odd] }), chat({}, 'stop')], { role: 'assistant', content: [text, odd] }],
    ]) assert.deepEqual((await read(events)).message, message)
  })

  test('a name in pieces, an id in each chunk, no type, arguments as an object', async () => {
    for (const events of [
      [call({ name: 'wea' }, { id: 'c' }), call({ name: 'ther' }), call({ arguments: '{"city":"Porto"}' }), chat({}, 'tool_calls')],
      [call({ name: 'weather', arguments: '' }, { id: 'c' }), call({ arguments: '{"city":' }, { id: 'c' }), call({ arguments: '"Porto"}' }, { id: 'c' }), chat({}, 'tool_calls')],
      [chat({ tool_calls: [{ id: 'c', function: { name: 'weather', arguments: { city: 'Porto' } } }] }), chat({}, 'tool_calls')],
    ]) assert.deepEqual((await read(events)).message.tool_calls, CALL)
  })

  test('a whole reply of each provider, not streamed', async () => {
    for (const { name, messages, provider, results } of REPLIES) {
      // Content of the AI SDK has providerMetadata where a message has providerOptions.
      const message = JSON.parse(JSON.stringify(messages[0]).replaceAll('providerOptions', 'providerMetadata'))
      const list = messages.slice(0, { responses: 3, 'ag-ui': 2 }[name] ?? 1)
      const body = { 'ag-ui': { type: 'MESSAGES_SNAPSHOT', messages: list }, anthropic: { type: 'message', stop_reason: 'tool_use', ...message }, responses: { object: 'response', status: 'completed', output: list }, gemini: { candidates: [{ index: 0, content: message, finishReason: 'STOP' }] }, bedrock: { output: { message }, stopReason: 'tool_use' }, ollama: { model: 'q', message, done: true, done_reason: 'stop' }, cohere: { id: 'x', message, finish_reason: 'TOOL_CALL' }, 'ai sdk': { finishReason: 'tool-calls', ...message } }[name] ?? { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
      const reply = await readReply(Response.json(body), { onUnknown() {}, ...(provider && { provider }) }).result()
      assert.deepEqual(json(loopMessages(reply, results)), messages, name)
    }
  })
})
