// A server that answers as five providers do, on a bad day: it is overloaded, breaks off, and cuts its last reply. A
// request that breaks a provider's rules is answered with status 400 and the rule.
import { createServer } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

/** @typedef {{ id: string, city: string }} Call */
/** @typedef {{ name: string, calls: Call[], text: string, isCut?: boolean }} Turn A reply, whose name signs it. */

const one = { name: 'one', calls: [{ id: 'c1', city: 'Porto' }, { id: 'c2', city: 'Oslo' }], text: '' }
const two = { name: 'two', calls: [{ id: 'c3', city: 'Bergen' }, { id: 'c4', city: 'Faro' }], text: 'Two more.' }
const three = { name: 'three', calls: [], text: 'It is warmest in Faro.' }

/** @type {Turn[]} */
const TURNS = [one, two, three]

/** What happens to each request. @type {Array<{ turn: Turn, fault?: 'status' | 'error' | 'broken' }>} */
const DAY = [
  { turn: one, fault: 'status' },
  { turn: one, fault: 'error' },
  { turn: one },
  { turn: two, fault: 'broken' },
  { turn: two },
  { turn: { ...three, text: 'It is warm', isCut: true } },
  { turn: three },
]

/** @typedef {any} Json */
/** @param {unknown} condition @param {string} rule @returns {asserts condition} */
function must(condition, rule) {
  if (!condition) throw new RangeError(rule)
}

/** Each call has its result, right after it, in their order. @param {unknown} found @param {Turn} turn */
const answers = (found, { calls }) => must(isDeepStrictEqual(found, calls.map(({ id, city }) => [id, `${city}: rain`])), 'each call needs its result')

/**
 * Results that come one by one. `pair` gives the id and the output of one.
 * @param {(result: Json) => boolean} is @param {string} rule @param {(result: Json) => [string, string]} pair
 * @returns {(messages: Json[], turn: Turn) => number} How many there are.
 */
const oneByOne = (is, rule, pair) => (messages, turn) => {
  const found = messages.slice(0, turn.calls.length)
  must(found.every(is), rule)
  answers(found.map(pair), turn)
  return found.length
}

/** @param {Json} found @param {object} sent @param {string} rule */
const same = (found, sent, rule) => must(isDeepStrictEqual(found, sent), `${rule}: ${JSON.stringify(found)} is not ${JSON.stringify(sent)}`)

/**
 * The protocols by their paths: the events of a turn, the error in a stream, what must come back of a turn, and how many
 * of the messages after that are its results.
 *
 * @type {Record<string, {
 *   events(turn: Turn): object[], error: object, list: string, isLines?: boolean, goesOn?: boolean,
 *   said(turn: Turn): object[], results(found: Json[], turn: Turn): number,
 * }>}
 */
const PROTOCOLS = {
  '/v1/messages': {
    list: 'messages',
    error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    events: ({ name, calls, text, isCut }) => {
      const blocks = [
        { start: { type: 'thinking', thinking: '', signature: '' }, deltas: [{ type: 'thinking_delta', thinking: 'Hm.' }, { type: 'signature_delta', signature: name }] },
        ...(text === '' ? [] : [{ start: { type: 'text', text: '' }, deltas: [...text].map((text) => ({ type: 'text_delta', text })) }]),
        ...calls.map(({ id, city }) => ({ start: { type: 'tool_use', id, name: 'weather', input: {} }, deltas: [{ type: 'input_json_delta', partial_json: '{"city": "' }, { type: 'input_json_delta', partial_json: `${city}"}` }] })),
      ]
      return [
        { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [] } },
        ...blocks.flatMap(({ start, deltas }, index) => [{ type: 'content_block_start', index, content_block: start }, ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })), { type: 'content_block_stop', index }]),
        { type: 'message_delta', delta: { stop_reason: isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn' } },
        { type: 'message_stop' },
      ]
    },
    said: ({ name, calls, text }) => [{
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: name },
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...calls.map(({ id, city }) => ({ type: 'tool_use', id, name: 'weather', input: { city } })),
      ],
    }],
    results: ([message], turn) => {
      must(message?.role === 'user', 'all results are in one message of the user')
      answers(message.content.map((/** @type {Json} */ { tool_use_id, content }) => [tool_use_id, content]), turn)
      return 1
    },
  },
  '/v1/chat/completions': {
    list: 'messages',
    error: { error: { code: 503, message: 'Overloaded' } },
    events: ({ calls, text, isCut }) => {
      const chunk = (/** @type {object} */ delta, /** @type {string | null} */ finish_reason = null) => ({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
      return [
        chunk({ role: 'assistant', content: null }),
        ...[...text].map((content) => chunk({ content })),
        ...calls.flatMap(({ id, city }, index) => [
          chunk({ tool_calls: [{ index, id, type: 'function', function: { name: 'weather', arguments: '' } }] }),
          ...['{"city": "', `${city}"}`].map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
        ]),
        chunk({}, isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
      ]
    },
    said: ({ calls, text }) => [{
      role: 'assistant',
      content: text,
      tool_calls: calls.map(({ id, city }) => ({ id, type: 'function', function: { name: 'weather', arguments: `{"city": "${city}"}` } })),
    }],
    results: oneByOne(({ role }) => role === 'tool', 'each result is a message of the role tool', ({ tool_call_id, content }) => [tool_call_id, content]),
  },
  '/v1/responses': {
    list: 'input',
    error: { type: 'error', code: 'server_is_overloaded', message: 'Overloaded' },
    events: (turn) => {
      const status = turn.isCut ? 'incomplete' : 'completed'
      const output = itemsOf(turn)
      const response = { id: 'resp', status, output, incomplete_details: turn.isCut ? { reason: 'max_output_tokens' } : null }
      const events = [
        { type: 'response.created', response: { id: 'resp', output: [] } },
        ...output.flatMap((/** @type {Json} */ item, output_index) => [
          { type: 'response.output_item.added', output_index, item: { ...item, content: [], arguments: '' } },
          ...[...(item.content?.[0]?.text ?? '')].map((delta) => ({ type: 'response.output_text.delta', output_index, content_index: 0, item_id: item.id, delta })),
          ...(item.type === 'function_call' ? [{ type: 'response.function_call_arguments.delta', output_index, item_id: item.id, delta: item.arguments }] : []),
          { type: 'response.output_item.done', output_index, item },
        ]),
        { type: `response.${status}`, response },
      ]
      return events.map((event, sequence_number) => ({ ...event, sequence_number }))
    },
    said: itemsOf,
    results: oneByOne(({ type }) => type === 'function_call_output', 'each result is a function_call_output', ({ call_id, output }) => [call_id, output]),
  },
  '/v1beta/models/gemini-3-flash:streamGenerateContent': {
    list: 'contents',
    error: { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
    events: (turn) => {
      const parts = partsOf(turn).flatMap((/** @type {Json} */ part) => (part.text ? [...part.text].map((text) => ({ text })) : [part]))
      const chunks = parts.map((part) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] }))
      return [...chunks, { candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: turn.isCut ? 'MAX_TOKENS' : 'STOP' }] }]
    },
    said: (turn) => [{ role: 'model', parts: partsOf(turn) }],
    results: ([message], turn) => {
      must(message?.role === 'user', 'all results are in one message of the user')
      answers(message.parts.map((/** @type {Json} */ { functionResponse: { id, response } }) => [id, response.output]), turn)
      return 1
    },
  },
  '/api/chat': {
    list: 'messages',
    isLines: true,
    goesOn: true,
    error: { error: 'the server is overloaded' },
    events: ({ calls, text, isCut }) => {
      const line = (/** @type {object} */ message, done = false) => ({ model: 'qwen3', message: { role: 'assistant', content: '', ...message }, done })
      return [
        line({ thinking: 'Hm.' }),
        ...[...text].map((content) => line({ content })),
        ...calls.map(({ id, city }) => line({ tool_calls: [{ id, function: { name: 'weather', arguments: { city } } }] })),
        { ...line({}, true), done_reason: isCut ? 'length' : 'stop' },
      ]
    },
    said: ({ calls, text }) => [{
      role: 'assistant',
      content: text,
      thinking: 'Hm.',
      ...(calls.length > 0 && { tool_calls: calls.map(({ id, city }) => ({ id, function: { name: 'weather', arguments: { city } } })) }),
    }],
    results: oneByOne(({ role, tool_name }) => role === 'tool' && tool_name === 'weather', 'each result is a message of the role tool with the name of its tool', ({ tool_call_id, content }) => [tool_call_id, content]),
  },
}

/** The items of the Responses API: reasoning stands right before what it led to. @param {Turn} turn @returns {object[]} */
function itemsOf({ name, calls, text }) {
  return [
    { type: 'reasoning', id: `rs_${name}`, summary: [], encrypted_content: name },
    ...(text === '' ? [] : [{ type: 'message', id: `msg_${name}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }]),
    ...calls.map(({ id, city }) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'weather', arguments: `{"city": "${city}"}`, status: 'completed' })),
  ]
}

/** The parts of Gemini: of parallel calls the first has the signature. @param {Turn} turn @returns {object[]} */
function partsOf({ name, calls, text }) {
  const signed = calls.map(({ id, city }, at) => ({ functionCall: { id, name: 'weather', args: { city } }, ...(at === 0 && { thoughtSignature: name }) }))
  return [...(text === '' ? [] : [{ text }]), ...signed]
}

/** Starts one for one conversation, on a free port. */
export async function badDay() {
  let requests = 0
  const server = createServer(async (request, response) => {
    let sent = ''
    for await (const chunk of request.setEncoding('utf8')) sent += chunk
    const protocol = PROTOCOLS[request.url?.split('?')[0] ?? '']
    const { turn, fault } = DAY[requests++] ?? {}
    if (protocol === undefined || turn === undefined) return void response.writeHead(404).end()
    const { events, error, isLines } = protocol
    const write = (/** @type {Json} */ event) => response.write(isLines ? `${JSON.stringify(event)}\n` : `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    if (fault === 'status') return void response.writeHead(request.url === '/v1/messages' ? 529 : 503, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(error))
    let goesOn = false
    try {
      goesOn = check(protocol, JSON.parse(sent)[protocol.list], TURNS.findIndex(({ name }) => name === turn.name))
    } catch (error) {
      return void response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { type: 'invalid_request_error', message: String(error) } }))
    }
    response.writeHead(200, { 'content-type': isLines ? 'application/x-ndjson' : 'text/event-stream' })
    const all = events(goesOn ? { ...turn, text: turn.text.slice('It is warm'.length) } : turn)
    // What breaks off has a whole call by then.
    const some = fault === undefined ? all : all.slice(0, -2)
    some.forEach(write)
    if (fault === 'error') write(error)
    // The connection is gone once all of this has arrived.
    if (fault === 'broken') setTimeout(() => response.destroy(), 50)
    else response.end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  return { url: urlOf(server.address()), close: () => server.close(), requests: () => requests }
}

/** @param {ReturnType<import('node:net').Server['address']>} address */
const urlOf = (address) => (typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '')

/**
 * Checks that the messages repeat the turns before this one, each followed by its results. Returns whether the last one
 * is a text to go on with.
 *
 * @param {typeof PROTOCOLS[string]} protocol @param {Json[]} messages @param {number} before
 */
function check({ said, results, goesOn = false }, messages, before) {
  must(messages[0]?.role === 'user', 'the question comes first')
  let at = 1
  for (const turn of TURNS.slice(0, before)) {
    for (const message of said(turn)) same(messages[at++], message, 'what the model said must come back unchanged')
    at += results(messages.slice(at), turn)
  }
  if (at === messages.length) return false
  must(goesOn, 'a message of the assistant can not be the last one')
  const [cut] = said({ ...three, text: 'It is warm' })
  same(messages[at], cut ?? {}, 'what goes on must come back unchanged')
  must(messages.length === at + 1, 'nothing follows what goes on')
  return true
}
