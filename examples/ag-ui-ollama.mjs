// An AG-UI agent over Ollama, for CopilotKit's runtime or any other AG-UI client. The client brings its tools and runs them.
//
//     node examples/ag-ui-ollama.mjs                                   the model is a recording
//     node examples/ag-ui-ollama.mjs http://localhost:11434 qwen3:8b
//
// In CopilotKit: new CopilotRuntime({ agents: { default: new HttpAgent({ url: 'http://localhost:8002' }) } })
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { readReply } from 'tokenweir'
import { respond } from 'tokenweir/respond'
import { recordedOllama } from './streams/ollama-server.mjs'

const [url = (await recordedOllama()).url, model = 'qwen3:8b'] = process.argv.slice(2)

const textOf = (content) => (Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : (content ?? ''))

/** Messages of AG-UI for Ollama, which takes arguments as values, and results by the name of their tool. */
function forOllama(messages) {
  const names = new Map(messages.flatMap(({ toolCalls = [] }) => toolCalls).map((call) => [call.id, call.function.name]))
  const known = messages.filter(({ role }) => ['system', 'developer', 'user', 'assistant', 'tool'].includes(role))
  return known.map(({ role, content, toolCalls = [], toolCallId }) => ({
    role: role === 'developer' ? 'system' : role,
    content: textOf(content),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(({ function: call }) => ({ function: { name: call.name, arguments: argumentsOf(call) } })) }),
    ...(role === 'tool' && { tool_name: names.get(toolCallId) }),
  }))
}

/** A call that was cut off has none; its result says so. */
function argumentsOf(call) {
  try {
    return { ...JSON.parse(call.arguments) }
  } catch {
    return {}
  }
}

async function answer(request, response) {
  const { threadId, runId, messages, tools = [] } = await json(request)
  const functions = tools.map((tool) => ({ type: 'function', function: tool }))
  const body = JSON.stringify({ model, stream: true, messages: forOllama(messages), tools: functions })
  const reply = readReply(fetch(`${url}/api/chat`, { method: 'POST', body }), { model, tools: functions })
  const run = await respond(reply, 'agUi', { threadId, runId })
  response.writeHead(run.status, Object.fromEntries(run.headers))
  await pipeline(Readable.fromWeb(run.body), response)
}

createServer((request, response) =>
  // A client that leaves fails here too: by then Ollama is left.
  answer(request, response).catch(({ message }) => (response.headersSent ? response.destroy() : response.writeHead(400).end(message))),
).listen(process.env.PORT ?? 8002, '127.0.0.1', function () {
  console.log(`${model} is an AG-UI agent at http://127.0.0.1:${this.address().port}`)
})
