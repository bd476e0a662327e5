// What the README asks Ollama for, answered by a server with the events of a thinking model: `node --import` starts it
// before a program, whose `fetch` of Ollama's address goes there.
import { createServer } from 'node:http'

/** Ollama's address. */
const OLLAMA = 'http://localhost:11434'

const THOUGHTS = ['Divide by 2, 3', ', 5 and 7.']
const WORDS = ['Yes, 97 is prime: none', ' of 2, 3, 5 and 7 divides it.', '\n']

const server = createServer(async (request, response) => {
  let text = ''
  for await (const piece of request) text += piece
  const body = JSON.parse(text)
  if (request.url !== '/v1/chat/completions' || body.stream !== true) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = [...THOUGHTS.map((reasoning) => ({ content: '', reasoning })), ...WORDS.map((content) => ({ content }))].map((delta) => ({ choices: [{ index: 0, delta }] }))
  events.push({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  // Cut inside the events.
  for (const piece of [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('').match(/[^]{1,50}/g)) {
    response.write(piece)
    await new Promise(setImmediate)
  }
  response.end()
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
server.unref()

const fetchFrom = globalThis.fetch
globalThis.fetch = (url, options) => fetchFrom(String(url).replace(OLLAMA, `http://127.0.0.1:${server.address().port}`), options)
