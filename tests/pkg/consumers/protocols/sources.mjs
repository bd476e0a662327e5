// Replies as providers send them, one of each kind, to be answered in another protocol.
import { readReply } from 'tokenweir'
import { handwritten } from './clients.mjs'

const tools = { weather: { description: 'The weather of a city', inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } } }

const chat = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const USAGE = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 } }
const said = (...texts) => texts.map((content) => chat({ content }))
const call = (index, id, ...pieces) => [
  chat({ tool_calls: [{ index, id, type: 'function', function: { name: 'weather', arguments: '' } }] }),
  ...pieces.map((piece) => chat({ tool_calls: [{ index, function: { arguments: piece } }] })),
]
const whole = (index, id, args) => chat({ tool_calls: [{ index, id, type: 'function', function: { name: 'weather', arguments: args } }] })
const block = (index, start, ...deltas) => [{ type: 'content_block_start', index, content_block: start }, ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })), { type: 'content_block_stop', index }]
const FOUND = [{ type: 'web_search_result', url: 'https://example.org', title: 'Rain' }]

/** By name: the events of a provider. */
const EVENTS = {
  text: [...said('It ra', 'ins', ' in Porto. 🌧'), chat({}, 'stop'), USAGE, 'data: [DONE]'],
  thinking: [chat({ reasoning_content: 'Hm,' }), chat({ reasoning_content: ' rain?' }), ...said('It ra', 'ins.'), chat({}, 'stop')],
  calls: [...said('I look', '. '), ...call(0, 'call_1', '{"city":', '"Porto"}'), ...call(1, 'call_2', '{"city":"Os', 'lo"}'), chat({}, 'tool_calls'), USAGE],
  hosted: [
    { type: 'message_start', message: { id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 9, output_tokens: 1 } } },
    ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'I look.' }),
    ...block(1, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }, { type: 'input_json_delta', partial_json: '{"query":' }, { type: 'input_json_delta', partial_json: '"rain"}' }),
    ...block(2, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: FOUND }),
    ...block(3, { type: 'text', text: '' }, { type: 'text_delta', text: ' It rains.' }),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 12 } },
    { type: 'message_stop' },
  ],
  cut: [...said('I look.'), ...call(0, 'call_1', '{"city":', '"Po'), chat({}, 'length')],
  error: [...said('It ra'), { error: { message: 'Busy with sk-secret', type: 'server_error', code: 'overloaded' } }],
  'an error in a call': [...said('I look.'), ...call(0, 'call_1', '{"city":', '"Po'), { error: { message: 'Busy with sk-secret', type: 'server_error', code: 'overloaded' } }],
  'a mere end': said('It ra', 'ins'),
  'a mere end in a call': [...said('I look.'), ...call(0, 'call_1', '{"city":', '"Po')],
  secret: [...said('The key is sk-', 'se', 'cret', ' today.'), chat({}, 'stop')],
  'secret call': [chat({ reasoning_content: 'sk-se' }), chat({ reasoning_content: 'cret' }), ...call(0, 'call_1', '{"city":"sk-se', 'cret', '"}'), chat({}, 'tool_calls')],
  answer: [...said('It rains in', ' both.'), chat({}, 'stop'), USAGE],
}

/** The reply to a question, read from a response. */
export const replyOf = (name, options = { tools }) => readReply(handwritten(EVENTS[name]), options)

/** What a model without calls of its own writes: one with the mistakes that are repaired, and one that is cut off. */
export const HERMES = 'I look. <tool_call>\n{\'name\': "weather", "arguments": {"city": "Porto",}}\n</tool_call>'
export const hermesReply = (text = HERMES) => readReply([text.slice(0, 30), text.slice(30)], { format: 'hermes', tools })

/** A reply that is refused before its first piece. */
export const refused = () => readReply(new Response('{"error": {"message": "Slow down, sk-secret", "type": "rate_limit_error", "code": "rate_limit_exceeded"}}', { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '7' } }), { tools })

/** Answers that break off after their first piece, by how. */
export const BROKEN = { ...Object.fromEntries(['error', 'an error in a call', 'a mere end', 'a mere end in a call'].map((kind) => [kind, () => replyOf(kind)])), 'a throw': thrown }

async function* thrown() {
  yield replyOf('answer')
  throw new Error('The key is sk-secret.')
}

/** A reply whose source is silent at the start until `go` is called. */
export function silentReply() {
  let go
  const isTime = new Promise((resolve) => (go = resolve))
  async function* events() {
    await isTime
    yield* EVENTS.text.slice(0, -1)
  }
  return { reply: readReply(events()), go }
}

/** A reply that never ends, and whether its source was left. */
export function endlessReply() {
  const seen = { left: false }
  const source = new ReadableStream({
    pull(controller) {
      if (seen.said) return new Promise(() => {})
      seen.said = true
      controller.enqueue(said('It rains.')[0])
    },
    cancel: () => void (seen.left = true),
  }, { highWaterMark: 0 })
  return { reply: readReply(source), seen }
}

/** A server that runs one of two calls, and leaves the other one to the client. */
export async function* shared() {
  const reply = replyOf('calls')
  yield reply
  await reply.result()
  yield { toolCallId: 'call_1', output: { rain: true } }
}

/** A server that runs calls whose ids come again in the next reply. */
export async function* counting() {
  for (const city of ['Porto', 'Oslo']) {
    const reply = readReply([...call(0, 'call_0', JSON.stringify({ city })), chat({}, 'tool_calls')], { tools })
    yield reply
    await reply.result()
    yield { toolCallId: 'call_0', output: `${city}: rain` }
  }
  yield replyOf('answer')
}

/** Two calls that the provider gave the same id: the first one counts. */
export const doubled = () => readReply([whole(0, 'call_0', '{"city":"Porto"}'), whole(1, 'call_0', '{"city":"Oslo"}'), chat({}, 'tool_calls')], { tools })

/** A server that runs the tools itself: two calls, their results, the answer. */
export async function* looped() {
  const reply = replyOf('calls')
  yield reply
  const { toolCalls } = await reply.result()
  yield toolCalls.map(({ toolCallId, args }) => ({ toolCallId, output: args.city === 'Oslo' ? { type: 'error-text', value: 'No such city.' } : { rain: true } }))
  yield replyOf('answer')
}
