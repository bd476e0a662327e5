// The AI SDK, in three majors, with the providers' own packages, and a server whose connection breaks after each event: a call in the text
// that was cut is not run, and neither is a whole one of an attempt that broke off.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import * as ai from 'ai'
import { createOpenAI as openai5 } from 'ai-openai-v5'
import { createOpenAI as openai7 } from 'ai-openai-v7'
import * as ai5 from 'ai-v5'
import * as ai7 from 'ai-v7'
import { createToolMiddleware } from 'tokenweir/ai-sdk'
import { readReply } from 'tokenweir'

const TEXT = 'I save.\n<tool_call>\n<function=save>\n<parameter=path>\na.md\n</parameter>\n<parameter=note>\nx\n</parameter>\n</function>\n</tool_call>'
const pieces = TEXT.match(/[^]{1,12}/g)
const schema = { type: 'object', properties: { path: { type: 'string' }, note: { type: 'string' } }, required: ['path'] }
const ARGS = { path: 'a.md', note: 'x' }

const chat = (delta, finish_reason = null) => ({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })
const CHAT = [...pieces.map((content) => chat({ role: 'assistant', content })), chat({}, 'stop')]
/** Events of each provider, its model, and the major of the AI SDK that it is for. */
const PROVIDERS = {
  'openai, ai 5': [CHAT, (baseURL) => openai5({ baseURL, apiKey: 'k' }).chat('m'), ai5],
  'openai, ai 6': [CHAT, (baseURL) => createOpenAI({ baseURL, apiKey: 'k' }).chat('m'), ai],
  'openai, ai 7': [CHAT, (baseURL) => openai7({ baseURL, apiKey: 'k' }).chat('m'), ai7],
  anthropic: [
    [
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ],
    (baseURL) => createAnthropic({ baseURL, apiKey: 'k' })('claude-3-5-haiku-latest'),
    ai,
  ],
  google: [[...pieces.map((text) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] })), { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }] }], (baseURL) => createGoogleGenerativeAI({ baseURL, apiKey: 'k' })('gemini-2.5-flash'), ai],
}

/** What the server sends, and how it ends: after so many events it closes the response, or breaks the connection. */
let sends = { events: [], count: 0, breaks: false }
const server = createServer((request, response) => {
  request.resume()
  request.on('end', async () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of sends.events.slice(0, sends.count)) response.write(`event: ${event.type ?? 'message'}\ndata: ${JSON.stringify(event)}\n\n`)
    if (sends.breaks) setTimeout(() => response.destroy(), 20)
    else response.end()
  })
})
before(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => server.close())

for (const [name, [events, modelOf, sdk]] of Object.entries(PROVIDERS)) {
  test(name, async () => {
    const url = `http://127.0.0.1:${server.address().port}`
    const model = sdk.wrapLanguageModel({ model: modelOf(url), middleware: createToolMiddleware({ format: 'qwen3-coder' }) })
    for (const breaks of [false, true]) {
      for (let count = 1; count <= events.length; count++) {
        sends = { events, count, breaks }
        const ran = []
        const save = sdk.tool({ inputSchema: sdk.jsonSchema(schema), execute: async (args) => ran.push(args) })
        try {
          for await (const _ of sdk.streamText({ model, tools: { save }, prompt: 'x', maxRetries: 0, onError() {} }).fullStream);
        } catch {
          // The connection broke.
        }
        const hasReason = events.slice(0, count).some((event) => /"(finish_reason|stop_reason|finishReason)":"/.test(JSON.stringify(event)))
        assert.ok(ran.length === 0 || (hasReason && ran.length === 1), `${name}, ${count}, ${breaks}: ${JSON.stringify(ran)}`)
        for (const args of ran) assert.deepEqual(args, ARGS)
        const reply = await readReply(fetch(url, { method: 'POST' }), { format: 'qwen3-coder', tools: { save: { inputSchema: schema } } }).result().catch(({ partial }) => partial)
        const calls = reply?.toolCalls ?? []
        assert.deepEqual(calls.map(({ args }) => args), hasReason && !breaks ? [ARGS] : [], `readReply, ${name}, ${count}, ${breaks}`)
      }
    }
  })
}
