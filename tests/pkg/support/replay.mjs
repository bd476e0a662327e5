// What the README asks Ollama for, answered by a server with the text of its drawing: `node --import` starts it before a
// program, whose `fetch` of Ollama's address goes there. The call comes if the request has tools.
import { createServer } from 'node:http'

/** Ollama's address. */
const OLLAMA = 'http://localhost:11434'

const ANSWER = ['<thi', 'nk>97: try 2, 3, 5, 7.</th', 'ink>\n\nYes, 97 is pri', 'me.']
const CALL = ['<tool_c', 'all>{"name": "save", "argu', 'ments": {"number": 97}}</tool_call>']

const server = createServer(async (request, response) => {
  let text = ''
  for await (const piece of request) text += piece
  const body = JSON.parse(text)
  if (request.url !== '/v1/chat/completions' || body.stream !== true) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const pieces = [...ANSWER, ...(body.tools === undefined ? [] : CALL)]
  const events = pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
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
