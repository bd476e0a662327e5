// Any local model for the AI SDK's `useChat`. The tools run here, and the page only shows what they gave.
//
//     node examples/use-chat-server.mjs                                   the model is a recording
//     node examples/use-chat-server.mjs http://localhost:11434 qwen3:8b   Ollama, llama.cpp, vLLM or LM Studio
//
// In the page: useChat({ transport: new DefaultChatTransport({ api: 'http://localhost:3000' }) })
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { readReply } from 'tokenweir'
import { loopMessages } from 'tokenweir/formats'
import { respond } from 'tokenweir/respond'
import { recordedServer } from './streams/llama-server.mjs'

const [url = (await recordedServer()).url, model = 'qwen3-8b'] = process.argv.slice(2)

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'weather', description: 'The weather of a city', parameters: city } }]

function run({ toolCallId, toolName, args }) {
  if (toolName !== 'weather') return { toolCallId, output: { type: 'error-text', value: `There is no tool ${toolName}.` } }
  return { toolCallId, output: `${args.city}: rain, 12 °C` }
}

/** Asks the model, and runs its calls, until it makes none. */
async function* loop(question) {
  const messages = question.map(({ role, parts }) => ({ role, content: parts.map(({ type, text }) => (type === 'text' ? text : '')).join('') }))
  for (let turn = 0; turn < 10; turn++) {
    const body = JSON.stringify({ model, stream: true, messages, tools })
    const response = fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const reply = readReply(response, { model, tools })
    yield reply
    const said = await reply.result()
    if (said.toolCalls.length + said.problems.length === 0) return
    const results = said.toolCalls.map(run)
    yield results
    messages.push(...loopMessages(said, results))
  }
  throw new Error('the model calls tools again and again')
}

async function answer(request, response) {
  // The page comes from another port.
  response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
  if (request.method !== 'POST') return response.end()
  const { messages } = await json(request)
  const { status, headers, body } = await respond(loop(messages), 'aiSdk')
  response.writeHead(status, Object.fromEntries(headers))
  await pipeline(Readable.fromWeb(body), response)
}

createServer((request, response) =>
  // A page that leaves fails here too: by then the model's server is left.
  answer(request, response).catch(({ message }) => (response.headersSent ? response.destroy() : response.writeHead(400).end(message))),
).listen(process.env.PORT ?? 3000, '127.0.0.1', function () {
  console.log(`${model} answers useChat at http://127.0.0.1:${this.address().port}`)
})
