import { readReply } from 'tokenweir/reply'

// Ollama's events.
const call = { message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'pay', arguments: { euros: 5 } } }] }, done: false }
const end = { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }
const attempts = [[call, { error: 'the server is busy' }], [call], [call, end]]

for (const attempt of attempts) {
  const reply = await readReply(attempt).result().catch((error) => error.partial)
  console.log(reply.finishReason, reply.toolCalls.length, reply.problems.map(({ metadata }) => metadata.dropReason))
}
