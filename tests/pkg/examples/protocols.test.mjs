// The examples that answer in another protocol, asked by clients of that protocol; and the page with a guard.
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { build } from 'esbuild'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { launch, open, serve, until } from './running.mjs'

const ANSWER = 'Neither: it is 12 °C in both.'
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const sse = (...events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

let browser
const closing = []

before(async () => {
  browser = await launch()
})

after(async () => {
  await browser?.close()
  for (const close of closing) await close()
})

/** Starts an example's server; returns its address. */
async function start(...args) {
  const server = await serve(args, { env: { PORT: '0' } })
  closing.push(() => server.stop())
  return server.address
}

/** A server of this test; returns its address, and the questions that came. */
async function listen(answer) {
  const asked = []
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
    if (request.method === 'POST') asked.push(await json(request))
    answer(response, request, asked.at(-1))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${server.address().port}`, asked }
}

const post = (url, body) => fetch(url, { method: 'POST', body: JSON.stringify(body) })

describe('use-chat-server.mjs', () => {
  /** What `useChat` is made of: `Chat` of @ai-sdk/react adds only that React shows its state. */
  const CHAT = `
    import { AbstractChat, DefaultChatTransport } from 'ai'
    class Chat extends AbstractChat {
      constructor(api) {
        const state = { messages: [], status: 'ready', error: undefined, snapshot: (value) => structuredClone(value) }
        state.pushMessage = (message) => state.messages.push(message)
        state.popMessage = () => state.messages.pop()
        state.replaceMessage = (at, message) => (state.messages[at] = structuredClone(message))
        super({ state, transport: new DefaultChatTransport({ api }) })
      }
    }
    globalThis.Chat = Chat`
  let script

  before(async () => {
    const { outputFiles } = await build({ stdin: { contents: CHAT, resolveDir: fileURLToPath(new URL('.', import.meta.url)) }, bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' })
    script = outputFiles[0].text
  })

  /** Asks in a page of another origin; returns the messages and the error. */
  async function chat(api, ...questions) {
    const { url } = await listen((response, request) => (request.url === '/' ? response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:,"><script type="module" src="/chat.js"></script>') : response.setHeader('content-type', 'text/javascript').end(script)))
    const { page, complaints } = await open(browser, url)
    try {
      await page.waitForFunction(() => globalThis.Chat)
      const found = await page.evaluate(async ([api, questions]) => {
        const chat = new globalThis.Chat(api)
        for (const text of questions) await chat.sendMessage({ text })
        return { messages: chat.messages, error: chat.error?.message, status: chat.status }
      }, [api, questions])
      return { ...found, complaints }
    } finally {
      await page.close()
    }
  }

  test('the tools run on the server, and the chat has the answer', async () => {
    const { messages, error, status, complaints } = await chat(await start('use-chat-server.mjs'), 'Is it warmer in Porto or in Oslo?', 'Sure?')
    assert.deepEqual([error, status, complaints], [undefined, 'ready', []])
    assert.deepEqual(messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant'])
    const shown = messages[1].parts.map(({ type, state, text, input, output }) => (text === undefined ? [type, ...(state ? [state, input.city, output] : [])] : [type, text.trim()]))
    assert.deepEqual(shown, [
      ['step-start'],
      ['reasoning', 'Two cities, so two calls.'],
      ['text', 'I look at both.'],
      ['tool-weather', 'output-available', 'Porto', 'Porto: rain, 12 °C'],
      ['tool-weather', 'output-available', 'Oslo', 'Oslo: rain, 12 °C'],
      ['step-start'],
      ['reasoning', 'They are equal.'],
      ['text', ANSWER],
    ])
  })

  test('a model that is away is an error of the chat', async () => {
    const { error, status } = await chat(await start('use-chat-server.mjs', 'http://127.0.0.1:1', 'none'), 'Well?')
    assert.equal(status, 'error')
    assert.ok(error.length > 0)
  })

  test('a reply that breaks off is an error after what came', async () => {
    const { url } = await listen((response) => response.end(sse({ choices: [{ index: 0, delta: { content: 'It ra' } }] })))
    const { messages, error, status } = await chat(await start('use-chat-server.mjs', url, 'm'), 'Well?')
    assert.equal(status, 'error')
    assert.ok(error.length > 0)
    assert.equal(messages.at(-1).parts.at(-1).text, 'It ra')
  })

  test('a page that leaves ends the request to the model', async () => {
    let left = false
    const { url } = await listen((response) => {
      response.on('close', () => (left = true)).write(sse({ choices: [{ index: 0, delta: { content: 'It ra' } }] }))
    })
    const api = await start('use-chat-server.mjs', url, 'm')
    const leaving = new AbortController()
    const response = await fetch(api, { method: 'POST', body: '{"messages": [{"role": "user", "parts": []}]}', signal: leaving.signal })
    await response.body.getReader().read()
    leaving.abort()
    await until('the model is left', () => left)
  })

  test('what is no question is refused', async () => {
    const api = await start('use-chat-server.mjs')
    for (const body of ['', '{', 'null', '{}', '{"messages": [{}]}']) assert.ok((await fetch(api, { method: 'POST', body })).status >= 400, body)
    assert.equal((await fetch(api, { method: 'OPTIONS' })).status, 200, 'it goes on')
  })
})

describe('openai-proxy.mjs', () => {
  /** A loop of the AI SDK with a tool, over its provider for OpenAI's API. */
  const asking = (baseURL, ran) => ({
    model: createOpenAI({ baseURL, apiKey: 'key' }).chat('m'),
    tools: { weather: tool({ inputSchema: jsonSchema(CITY), execute: ({ city }) => ran.push(city) && `${city}: rain, 12 °C` }) },
    system: 'Be short.',
    prompt: 'Is it warmer in Porto or in Oslo?',
    stopWhen: stepCountIs(4),
    maxRetries: 0,
  })

  test('a client runs the calls that a model wrote as text, streamed or not', async () => {
    const url = await start('openai-proxy.mjs')
    for (const ask of [streamText, generateText]) {
      const ran = []
      const result = await ask(asking(url, ran))
      assert.deepEqual([(await result.text).trim(), ran, await result.finishReason, (await result.steps).length], [ANSWER, ['Porto', 'Oslo'], 'stop', 2])
      assert.equal((await result.steps)[0].text.trim(), 'I look at both.')
    }
  })

  test('the prompt has the tools, and the calls and results of earlier turns, in the model’s own format', async () => {
    const call = (city) => `<tool_call>\n<function=weather>\n<parameter=city>\n${city}\n</parameter>\n</function>\n</tool_call>`
    const texts = [`I look.\n\n${call('Porto')}\n${call('Oslo')}`, ANSWER]
    const { url, asked } = await listen((response) => response.setHeader('content-type', 'text/event-stream').end(sse({ content: texts[asked.length - 1], stop: false }, { content: '', stop: true, stop_type: 'eos' })))
    const ran = []
    const { text } = await generateText(asking(await start('openai-proxy.mjs', url, 'qwen3-coder'), ran))
    assert.deepEqual([text, ran, asked.length], [ANSWER, ['Porto', 'Oslo'], 2])
    const [system, ...turns] = asked[1].prompt.split('<|im_start|>').slice(1)
    assert.match(system, /^system\nBe short\.\n[^]*weather/)
    assert.deepEqual(turns, [
      'user\nIs it warmer in Porto or in Oslo?<|im_end|>\n',
      `assistant\n${texts[0]}<|im_end|>\n`,
      'user\n<tool_response>\nPorto: rain, 12 °C\n</tool_response>\n<tool_response>\nOslo: rain, 12 °C\n</tool_response><|im_end|>\n',
      'assistant\n',
    ])
  })

  test('a call that was cut off before does not end the conversation', async () => {
    const { url, asked } = await listen((response) => response.end(sse({ content: ANSWER, stop: false }, { content: '', stop: true, stop_type: 'eos' })))
    const proxy = await start('openai-proxy.mjs', url)
    for (const args of ['{"city":"Po', '"{"']) {
      const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: args } }
      const response = await post(`${proxy}/chat/completions`, { model: 'm', messages: [{ role: 'user', content: '?' }, { role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: 'c', content: 'It was cut off.' }] })
      const { choices: [{ message, finish_reason: reason }] } = await response.json()
      assert.deepEqual([message.content, reason], [ANSWER, 'stop'])
    }
    assert.match(asked[0].prompt, /"arguments": \{\}[^]*It was cut off\./)
  })

  test('errors of the model’s server, and what is no question', async () => {
    const { url } = await listen((response) => response.writeHead(503, { 'retry-after': '3' }).end('{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}'))
    const proxy = await start('openai-proxy.mjs', url)
    const response = await post(`${proxy}/chat/completions`, { model: 'm', stream: true, messages: [{ role: 'user', content: '?' }] })
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '3'])
    assert.equal(typeof (await response.json()).error.message, 'string')
    for (const [path, body, status] of [['/chat/completions', {}, 400], ['/chat/completions', { messages: [null] }, 400], ['/models', { messages: [] }, 404]]) assert.equal((await post(proxy + path, body)).status, status)
  })
})

describe('ag-ui-ollama.mjs', () => {
  const weather = { name: 'weather', description: 'The weather of a city', parameters: CITY }
  const user = { id: 'u', role: 'user', content: 'Is it warmer in Porto or in Oslo?' }
  const input = (messages, tools = [weather]) => ({ threadId: 'thread', runId: 'run', messages, tools, context: [], state: {}, forwardedProps: {} })

  /** The events of a run: as the clients split them, so that anything else fails. */
  async function run(url, body) {
    const response = await post(url, body)
    assert.match(response.headers.get('content-type'), /^text\/event-stream/)
    const events = (await response.text()).split('\n\n').filter(Boolean).map((block) => JSON.parse(/^data: (.+)$/.exec(block)[1]))
    assert.deepEqual([events[0].type, events.at(-1).type, events[0].threadId, events[0].runId], ['RUN_STARTED', 'RUN_FINISHED', 'thread', 'run'])
    const joined = (type, delta = 'delta') => events.filter((event) => event.type === type).map((event) => event[delta]).join('')
    const calls = events.filter(({ type }) => type === 'TOOL_CALL_START').map(({ toolCallId: id, toolCallName: name }) => ({ id, type: 'function', function: { name, arguments: events.filter((event) => event.type === 'TOOL_CALL_ARGS' && event.toolCallId === id).map(({ delta }) => delta).join('') } }))
    return { text: joined('TEXT_MESSAGE_CONTENT'), thinking: joined('REASONING_MESSAGE_CONTENT'), calls, result: events.at(-1).result }
  }

  test('the client runs the calls, and comes back with their results', async () => {
    const url = await start('ag-ui-ollama.mjs')
    const { text, thinking, calls, result } = await run(url, input([user]))
    assert.deepEqual([text, thinking, result], ['I look at both.', 'Two cities, so two calls.', { finishReason: 'tool-calls' }])
    assert.deepEqual(calls.map(({ function: call }) => [call.name, JSON.parse(call.arguments)]), [['weather', { city: 'Porto' }], ['weather', { city: 'Oslo' }]])
    const results = calls.map(({ id }) => ({ id: `${id}-result`, role: 'tool', toolCallId: id, content: 'rain, 12 °C' }))
    const last = await run(url, input([user, { id: 'r', role: 'reasoning', content: thinking }, { id: 'a', role: 'assistant', content: text, toolCalls: calls }, ...results]))
    assert.deepEqual([last.text, last.calls, last.result], [ANSWER, [], { finishReason: 'stop' }])
    assert.equal((await run(url, input([user], []))).text, 'I have no way to know.')
  })

  test('Ollama gets messages and tools in its own form', async () => {
    const { url, asked } = await listen((response) => response.setHeader('content-type', 'application/x-ndjson').end(`${JSON.stringify({ model: 'm', message: { role: 'assistant', content: 'Hi' }, done: true, done_reason: 'stop' })}\n`))
    const call = (args) => ({ id: 'c', type: 'function', function: { name: 'weather', arguments: args } })
    for (const args of ['{"city":"Porto"}', '{"city":"Po'])
      await run(await start('ag-ui-ollama.mjs', url, 'm'), input([{ id: 'd', role: 'developer', content: 'Be short.' }, { ...user, content: [{ type: 'text', text: 'Well?' }] }, { id: 'a', role: 'assistant', toolCalls: [call(args)] }, { id: 't', role: 'tool', toolCallId: 'c', content: 'rain' }]))
    const messages = (args) => [{ role: 'system', content: 'Be short.' }, { role: 'user', content: 'Well?' }, { role: 'assistant', content: '', tool_calls: [{ function: { name: 'weather', arguments: args } }] }, { role: 'tool', content: 'rain', tool_name: 'weather' }]
    assert.deepEqual(asked.map(({ messages }) => messages), [messages({ city: 'Porto' }), messages({})])
    assert.deepEqual(asked[0].tools, [{ type: 'function', function: weather }])
  })

  test('Ollama’s errors are errors, and what is no question is refused', async () => {
    const { url } = await listen((response) => response.writeHead(404, { 'content-type': 'application/json' }).end('{"error": "model \\"none\\" not found, try pulling it first"}'))
    const agent = await start('ag-ui-ollama.mjs', url, 'none')
    assert.equal((await post(agent, input([user]))).status, 404)
    for (const body of [{}, { messages: [null] }]) assert.equal((await post(agent, body)).status, 400)
  })
})

describe('guarded-chat.html', () => {
  const KEY = 'sk-live-9f8e7d6c5b'
  const CARD = '4242 4242 4242 4242'

  /** Asks on the page; returns what it showed at each time. */
  async function chat(question, server = '') {
    const { page, complaints } = await open(browser, new URL('guarded-chat.html', await start('serve.mjs', '--port', '0')).href)
    try {
      await page.evaluate(() => {
        globalThis.seen = []
        new MutationObserver(() => seen.push(document.querySelector('#log').textContent)).observe(document.querySelector('#log'), { childList: true, subtree: true, characterData: true })
      })
      await page.fill('#server', server)
      await page.fill('#question', question)
      await page.click('button')
      await page.waitForFunction(() => /\.$/.test(document.querySelector('#log p:nth-child(2)')?.textContent))
      const paragraphs = await page.locator('#log p').allTextContents()
      assert.deepEqual(complaints, [])
      return { paragraphs, seen: await page.evaluate(() => seen) }
    } finally {
      await page.close()
    }
  }

  test('neither keys nor card numbers are ever shown, whoever wrote them', async () => {
    const { paragraphs, seen } = await chat(`My key is ${KEY}, my card ${CARD}, my order 1234 5678 9012 3456.`)
    assert.deepEqual(paragraphs, ['My key is [key], my card [card], my order 1234 5678 9012 3456.', 'You wrote: My key is [key], my card [card], my order 1234 5678 9012 3456.\nMine are [key] and [card].'])
    assert.ok(seen.length > 10, `it came in ${seen.length} pieces`)
    for (const text of seen) assert.doesNotMatch(text, /sk-|4242/)
  })

  test('a model never gets them, and what it makes up is not shown', async () => {
    const delta = (content, finish_reason = null) => ({ choices: [{ index: 0, delta: { content }, finish_reason }] })
    const { url, asked } = await listen((response, { method }) => {
      if (method !== 'POST') return response.end()
      response.setHeader('content-type', 'text/event-stream').end(sse(delta('<think>A key: sk-'), delta(`0123456789.</think>Use ${KEY.slice(0, 9)}`), delta(`${KEY.slice(9)} and ${CARD.slice(0, 7)}`), delta(`${CARD.slice(7)}.`, 'stop')))
    })
    const { paragraphs, seen } = await chat(`Is ${KEY} mine?`, url)
    assert.deepEqual(paragraphs, ['Is [key] mine?', 'Use [key] and [card].'])
    assert.deepEqual(asked[0].messages, [{ role: 'user', content: 'Is [key] mine?' }])
    for (const text of seen) assert.doesNotMatch(text, /sk-|4242/)
  })
})
