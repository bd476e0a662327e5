// A server that streams recorded replies, one a request, and answers a request with status 400, as its provider would, where what
// goes back breaks a rule: a signature that is missing or changed, thinking that isn't first, a call without its result right
// after it, results out of order or in several messages, empty content.
//
// Source: facts of the providers' documentation and of their clients' reports, as docs/agent-loop.md has them.
import { createServer } from 'node:http'

/** What a provider signs or encrypts. It differs in each round; the early value of an item is not its last. */
const SECRETS = ['SIG', 'RED', 'ENC', 'END']

/** A reply's events in a round. */
const eventsIn = ({ events }, round) => JSON.parse(JSON.stringify(events).replace(/"(SIG|RED|ENC|END|EARLY)"/g, `"$1${round}"`))

/** The objects in a value, in order, outer ones first. */
function* objectsIn(value) {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value
  for (const each of Object.values(value)) yield* objectsIn(each)
}

/** The id of a call, or of the result of one. */
const callId = (o) => (o.type === 'tool_use' ? o.id : o.type === 'function_call' ? o.call_id : o.type === 'tool-call' ? o.toolCallId : (o.functionCall?.id ?? o.toolUse?.toolUseId ?? (o.function && o.id)))
const resultId = (o) => (o.type === 'tool_result' ? o.tool_use_id : o.type === 'function_call_output' ? o.call_id : o.type === 'tool-result' ? o.toolCallId : (o.functionResponse?.id ?? o.toolResult?.toolUseId ?? (o.role === 'tool' ? (o.tool_call_id ?? o.toolCallId) : undefined)))
const isThought = (o) => /^(redacted_)?(thinking|reasoning)$/.test(o.type) || o.reasoningContent !== undefined

/** What is wrong with the messages of one round; undefined if nothing is. */
function wrongIn(messages, reply, round) {
  const text = JSON.stringify(messages)
  const sent = JSON.stringify(eventsIn(reply, round))
  for (const secret of SECRETS.map((name) => `"${name}${round}"`))
    if (sent.includes(secret) && text.split(secret).length !== 2) return `${secret} must come back once, unchanged`
  if (text.includes('EARLY')) return 'a value that another one has replaced'
  const objects = [...objectsIn(messages)]
  const calls = objects.map(callId).filter((id) => id !== undefined)
  const results = objects.map(resultId).filter((id) => id !== undefined)
  if (calls.length !== 2 || String(calls) !== String(results)) return `each call needs its result, in order: ${calls} and ${results}`
  const first = objects.findIndex((o) => resultId(o) !== undefined)
  if (objects.slice(first).some((o) => callId(o) !== undefined)) return 'a call after results'
  for (const { content, parts, text, thoughtSignature, tool_calls: listed } of objects) {
    if ((Array.isArray(content) && content.length === 0) || (Array.isArray(parts) && parts.length === 0)) return 'no content'
    if (content === '' && listed === undefined) return 'empty content'
    if (text === '' && thoughtSignature === undefined) return 'an empty text'
  }
  for (const { role, content = [] } of messages) {
    const blocks = Array.isArray(content) ? content : []
    if (role === 'assistant' && blocks.some(isThought) && !isThought(blocks[0])) return 'thinking comes first'
    if (blocks.some((block) => resultId(block) !== undefined) && resultId(blocks[0]) === undefined) return 'results come first'
    if (blocks.some((block) => resultId(block) !== undefined) && blocks.length < 2) return 'all results are in one message'
  }
  // A call of Gemini's is signed where it is the first; an item of Responses has its reasoning right before it.
  const part = objects.find((o) => o.functionCall !== undefined)
  if (part !== undefined && part.thoughtSignature === undefined) return 'the first call lacks its signature'
  const reasoning = messages.findIndex(({ type }) => type === 'reasoning')
  if (reasoning >= 0 && messages[reasoning + 1]?.type !== 'function_call') return 'reasoning stands before its item'
  return undefined
}

/** Starts it. `replies` by name; a request's body is the messages after the user's, of each round a list. */
export async function startStrictServer(replies) {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => (body += text)).on('end', () => {
      const reply = replies.find(({ name }) => name === decodeURIComponent(request.url.slice(1)))
      const rounds = JSON.parse(body)
      const wrong = rounds.map((messages, round) => wrongIn(messages, reply, round)).find((each) => each !== undefined)
      if (wrong !== undefined) return response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: wrong } }))
      const isLines = reply.name === 'ollama'
      response.writeHead(200, { 'content-type': isLines ? 'application/x-ndjson' : 'text/event-stream' })
      response.end(eventsIn(reply, rounds.length).map((event) => (isLines ? `${JSON.stringify(event)}\n` : `data: ${JSON.stringify(event)}\n\n`)).join(''))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}
