// Answers like llama.cpp's llama-server, with what a model of the Qwen3 family writes: first two calls, then, once their
// results are in the request, the answer. The chat API leaves calls and thinking in the text, as servers do that don't
// know the model.
import { createServer } from 'node:http'

const CALLS = `<think>
Two cities, so two calls.
</think>

I look at both.

<tool_call>
{"name": "weather", "arguments": {"city": "Porto"}}
</tool_call>
<tool_call>
{"name": "weather", "arguments": {"city": "Oslo"}}
</tool_call>`
const ANSWER = '<think>\nThey are equal.\n</think>\n\nNeither: it is 12 °C in both.'

/** Starts one on a free port. @returns {Promise<{ url: string, close(): void }>} */
export async function recordedServer() {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const isChat = request.url === '/v1/chat/completions'
    const known = isChat ? JSON.stringify(JSON.parse(body).messages) : JSON.parse(body).prompt
    const text = ['Porto: rain', 'Oslo: rain'].every((result) => known.includes(result)) ? ANSWER : CALLS
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of text.match(/[^]{1,4}/gu) ?? []) response.write(`data: ${JSON.stringify(isChat ? delta({ content: piece }, null) : { content: piece, stop: false })}\n\n`)
    response.end(isChat ? `data: ${JSON.stringify(delta({}, 'stop'))}\n\ndata: [DONE]\n\n` : `data: ${JSON.stringify({ content: '', stop: true, stop_type: 'eos' })}\n\n`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

/** @param {object} delta @param {string | null} finish_reason */
const delta = (delta, finish_reason) => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
