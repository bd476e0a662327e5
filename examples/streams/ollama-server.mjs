// Answers like Ollama, with what a model of the Qwen3 family writes: first two calls, then, once their results are in the
// request, the answer. Without the tool `weather` it can't say.
import { createServer } from 'node:http'

const call = (city) => ({ content: '', tool_calls: [{ function: { name: 'weather', arguments: { city } } }] })
const pieces = (name, text) => (text.match(/[^]{1,4}/gu) ?? []).map((piece) => ({ content: '', [name]: piece }))

/** Starts one on a free port. @returns {Promise<{ url: string, close(): void }>} */
export async function recordedOllama() {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { model, messages, tools = [] } = JSON.parse(body)
    const line = (/** @type {object} */ more) => `${JSON.stringify({ model, created_at: '2026-11-30T12:00:00Z', ...more })}\n`
    const results = messages.filter((/** @type {{ role: string }} */ { role }) => role === 'tool').length
    const canLook = tools.some((/** @type {any} */ tool) => tool.function.name === 'weather')
    const said = canLook && results < 2
      ? [...pieces('thinking', 'Two cities, so two calls.'), ...pieces('content', 'I look at both.'), call('Porto'), call('Oslo')]
      : pieces('content', results < 2 ? 'I have no way to know.' : 'Neither: it is 12 °C in both.')
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const message of said) response.write(line({ message: { role: 'assistant', ...message }, done: false }))
    response.end(line({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 12 }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}
