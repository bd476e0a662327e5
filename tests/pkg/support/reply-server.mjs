// A server with a reply of each kind, on a real socket. Each is sent in small pieces,
// so that some end inside a character or inside `\r\n`.
import { setImmediate as turn } from 'node:timers/promises'

const TEXT = 'Grüße 🌦 a < b.'
const THINKING = 'Hm, 雨?'

const openai = (delta, finish_reason = null) => JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })
const ollama = (message, more) => JSON.stringify({ model: 'm', message: { role: 'assistant', content: '', ...message }, done: false, ...more })
const gemini = (part, more) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...more }] })

/** Bodies by path, each with its content type. All say the same. */
export const REPLIES = {
  // Carriage returns, comments, names, data of several lines, and an end.
  '/sse': ['text/event-stream; charset=utf-8', `: hello\r\n\r\nid: 1\r\nevent: message\r\ndata: ${openai({ content: `<think>${THINKING}</think>Grü` })}\r\n\r\n: ping\r\ndata: {"choices": [{"index": 0,\r\ndata: "delta": {"content": "ße 🌦 a < b."}}]}\r\n\r\ndata: ${openai({}, 'stop')}\r\n\r\ndata: [DONE]\r\n\r\n`],
  '/sse-returns': ['text/event-stream', `data: ${openai({ reasoning_content: THINKING })}\r\rdata: ${openai({ content: TEXT }, 'stop')}\r\rdata: [DONE]\r\r`],
  '/sse-without-end': ['text/event-stream', `data: ${openai({ reasoning_content: THINKING })}\n\ndata: ${openai({ content: TEXT }, 'stop')}`],
  '/ndjson': ['application/x-ndjson', [ollama({ thinking: THINKING }), ollama({ content: 'Grü' }), '', ollama({ content: 'ße 🌦 a < b.' }), ollama({}, { done: true, done_reason: 'stop' })].join('\n')],
  '/text': ['text/plain; charset=utf-8', `<think>${THINKING}</think>${TEXT}`],
  '/json': ['application/json', JSON.stringify({ type: 'message', content: [{ type: 'thinking', thinking: THINKING }, { type: 'text', text: TEXT }], stop_reason: 'end_turn' }, null, 2)],
  '/array': ['application/json; charset=UTF-8', JSON.stringify([gemini({ text: THINKING, thought: true }), gemini({ text: 'Grü' }), gemini({ text: 'ße 🌦 a < b.' }, { finishReason: 'STOP' })], null, 2)],
  '/ui-messages': ['text/event-stream', [{ type: 'start' }, { type: 'reasoning-start', id: 'r' }, { type: 'reasoning-delta', id: 'r', delta: THINKING }, { type: 'reasoning-end', id: 'r' }, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: TEXT }, { type: 'text-end', id: 't' }, { type: 'finish', finishReason: 'stop' }].map((part) => `data: ${JSON.stringify(part)}\n\n`).join('') + 'data: [DONE]\n\n'],
  '/without-a-type': ['', `data: ${openai({ reasoning_content: THINKING })}\n\ndata: ${openai({ content: TEXT }, 'stop')}\n\n`],
}

/** What all of them say. */
export const SAID = { text: TEXT, thinking: THINKING }

const FAILURES = {
  '/429': [429, 'application/json', '{"error": {"type": "rate_limit_error", "message": "Slow down"}}'],
  '/500': [500, 'text/html', `<h1>Sorry</h1>${'x'.repeat(100_000)}`],
  '/404': [404, 'text/plain', ''],
}

/** Whether each stalled connection was closed, by its number. */
const closed = new Map()

/** Responds to a path of these; returns whether it is one. */
export function serveReplies(request, response) {
  const { pathname: path, searchParams } = new URL(request.url, 'http://localhost')
  response.setHeader('access-control-allow-origin', '*')
  if (path in REPLIES) {
    const [type, body] = REPLIES[path]
    if (type !== '') response.setHeader('content-type', type)
    sendIn(response, Buffer.from(body), Number(searchParams.get('size') ?? 7))
  } else if (path in FAILURES) {
    const [status, type, body] = FAILURES[path]
    response.writeHead(status, { 'content-type': type }).end(body)
  } else if (path === '/stall') {
    // An event, and then nothing: only the reader can end it.
    const id = searchParams.get('id')
    response.setHeader('content-type', 'text/event-stream')
    response.write(`data: ${openai({ content: 'Hello.\nAlice: Hi! ' })}\n\n`)
    response.on('close', () => closed.set(id, true))
  } else if (path === '/expected') {
    response.end(JSON.stringify({ paths: Object.keys(REPLIES), said: SAID }))
  } else if (path === '/closed') {
    response.end(String(closed.get(searchParams.get('id')) === true))
  } else {
    return false
  }
  return true
}

async function sendIn(response, bytes, size) {
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size))
    // So that the pieces leave apart.
    await turn()
  }
  response.end()
}
