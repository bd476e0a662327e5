// Makes an OpenAI endpoint of a server that only completes text. The prompt is ChatML, the calls are those of Hermes or Qwen.
//
//     node examples/openai-proxy.mjs                                     the model is a recording
//     node examples/openai-proxy.mjs http://localhost:8080 qwen3-coder   llama.cpp's llama-server; or hermes
//
// A client's base URL is http://localhost:8001/v1
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { readReply } from 'tokenweir'
import { formats, instructionsFor, writeCalls, writeResults } from 'tokenweir/formats'
import { respond } from 'tokenweir/respond'
import { recordedServer } from './streams/llama-server.mjs'

const [url = (await recordedServer()).url, format = 'hermes'] = process.argv.slice(2)
const turn = (role, text) => `<|im_start|>${role}\n${text}<|im_end|>\n`

/** The prompt for messages of OpenAI's API. Results that follow each other are one turn. */
function promptOf(messages, tools) {
  const [system, turns, names] = [[], [], new Map()]
  for (const { role, content, tool_calls: calls = [], tool_call_id: id } of messages) {
    const text = Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : (content ?? '')
    for (const call of calls) names.set(call.id, call.function.name)
    if (role === 'system' || role === 'developer') system.push(text)
    else if (role !== 'tool') turns.push({ role, text: calls.length > 0 ? writeCalls(calls.map(asWritten), { format, text }) : text })
    else if (turns.at(-1)?.results) turns.at(-1).results.push({ toolName: names.get(id), result: text })
    else turns.push({ role: formats[format].write.role ?? 'tool', results: [{ toolName: names.get(id), result: text }] })
  }
  if (tools.length > 0) system.push(instructionsFor(tools, { format }))
  if (system.length > 0) turns.unshift({ role: 'system', text: system.join('\n\n') })
  return `${turns.map(({ role, text, results }) => turn(role, results ? writeResults(results, { format }) : text)).join('')}<|im_start|>assistant\n`
}

/** A call that was cut off has no arguments, and its result says so. */
function asWritten({ function: { name, arguments: text } }) {
  try {
    return { toolName: name, input: { ...JSON.parse(text) } }
  } catch {
    return { toolName: name, input: {} }
  }
}

async function answer(request, response) {
  if (request.url !== '/v1/chat/completions') return response.writeHead(404).end()
  const { model, messages, tools = [], stream, stream_options, temperature, max_tokens: n_predict } = await json(request)
  const completion = JSON.stringify({ prompt: promptOf(messages, tools), stream: true, stop: ['<|im_end|>'], temperature, n_predict })
  const reply = readReply(fetch(`${url}/completion`, { method: 'POST', body: completion }), { format, tools })
  const how = stream === true ? { model, usage: stream_options?.include_usage === true } : { model, stream: false }
  const { status, headers, body } = await respond(reply, 'openai', how)
  response.writeHead(status, Object.fromEntries(headers))
  await pipeline(Readable.fromWeb(body), response)
}

createServer((request, response) =>
  // A client that leaves fails here too: by then the model's server is left.
  answer(request, response).catch(({ message }) => (response.headersSent ? response.destroy() : response.writeHead(400).end(message))),
).listen(process.env.PORT ?? 8001, '127.0.0.1', function () {
  console.log(`OpenAI's API, with calls of ${format}: http://127.0.0.1:${this.address().port}/v1`)
})
