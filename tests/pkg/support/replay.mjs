// What the README and pages of docs/ ask Ollama for, answered by a server with the events of a thinking model: `node
// --import` starts it before a program, whose `fetch` of Ollama's address goes there. A request with tools gets a call of
// the first one, and its results get an answer; one with the README's tool gets the text of the README's drawing.
import { createServer } from 'node:http'

/** Ollama's address. */
const OLLAMA = 'http://localhost:11434'

const THOUGHTS = ['Divide by 2, 3', ', 5 and 7.']
const WORDS = ['Yes, 97 is prime: none', ' of 2, 3, 5 and 7 divides it.', '\n']

/** What a model writes for a server that doesn't know its format. */
const WRITTEN = ['<thi', 'nk>97: try 2, 3, 5, 7.</th', 'ink>\n\nYes, 97 is pri', 'me.<tool_c', 'all>{"name": "save", "argu', 'ments": {"number": 97}}</tool_call>']

/** @param {{ tools: any[], messages: any[] }} request */
function toolDeltas({ tools, messages }) {
  if (messages.some(({ role, content }) => role === 'tool' && content === 'Porto: rain')) return [{ content: 'It rains in Porto.' }]
  const { name } = tools[0].function
  return [{ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }] }, ...['{"city"', ': "Porto"}'].map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] }))]
}

const server = createServer(async (request, response) => {
  let text = ''
  for await (const piece of request) text += piece
  const body = JSON.parse(text)
  if (request.url !== '/v1/chat/completions' || body.stream !== true) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const isOfReadme = body.tools?.[0].function.name === 'save'
  const deltas = isOfReadme ? WRITTEN.map((content) => ({ content })) : [...THOUGHTS.map((reasoning) => ({ content: '', reasoning })), ...(body.tools ? toolDeltas(body) : WORDS.map((content) => ({ content })))]
  const events = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }))
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
