// A server between a model and its readers. It receives an OpenAI-style event stream
// with thinking and tool calls in the text, and sends the same stream with only the
// visible text, event by event.
//
//     node examples/sse-filter.mjs                                             shows it with a mock model
//     UPSTREAM=http://localhost:11434/v1 PORT=8787 node examples/sse-filter.mjs   serves POST /v1/chat/completions
//
// The server doesn't read ahead of a slow reader, a reader who leaves stops the
// model, and an error after the first event is sent as an `error` event.
import { createServer } from 'node:http'
import { argv, env } from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { BlockParser } from 'tokenweir/blocks'

/** Yields the events of a reply, each as the text to send. */
export async function* visibleEvents(body) {
  const parsers = new Map()
  let last
  try {
    for await (const { data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
      if (data === '[DONE]') {
        // A model that was cut off may leave pending text.
        const choices = [...parsers.keys()].map((index) => ({ index, delta: { content: end(parsers, index) }, finish_reason: null })).filter(({ delta }) => delta.content !== '')
        if (choices.length > 0) yield message({ ...last, choices })
        yield 'data: [DONE]\n\n'
        return
      }
      const event = JSON.parse(data)
      if (event.error) throw new Error(event.error.message ?? 'the model failed')
      last = event
      const choices = (event.choices ?? []).map((choice) => visibleChoice(parsers, choice))
      // An event with only hidden text isn't sent.
      if (choices.length === 0 || choices.some(({ delta, finish_reason: reason }) => reason || Object.keys(delta).length > 0)) yield message({ ...event, choices })
    }
    throw new Error('the stream ended before [DONE]')
  } catch (error) {
    yield `event: error\n${message({ error: { type: 'upstream_error', message: error.message } })}`
  }
}

/** A choice with its role and its visible text; reasoning, native calls and the like stay here. */
function visibleChoice(parsers, { index, delta: { role, content, refusal } = {}, finish_reason = null }) {
  // In addition to the built-in tags, those of open reasoning models.
  if (!parsers.has(index)) parsers.set(index, new BlockParser({ tags: { think: 'thinking' } }))
  const text = visible(parsers.get(index).processChunk(content ?? '')) + (finish_reason ? end(parsers, index) : '')
  return { index, delta: { ...(role && { role }), ...(refusal && { refusal }), ...(text && { content: text }) }, finish_reason }
}

/** The pending text of a choice that has ended. */
function end(parsers, index) {
  const text = visible(parsers.get(index).flush())
  parsers.delete(index)
  return text
}

function visible({ emissions }) {
  return emissions.map(({ kind, text, meta }) => (kind === 'content' && meta.visible ? text : '')).join('')
}

function message(data) {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** The server. `upstream` is the URL of an OpenAI-compatible server, up to its `/v1`. */
export function createFilter(upstream) {
  return createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return response.writeHead(404).end()
    const reader = new AbortController()
    response.once('close', () => reader.abort())
    try {
      const { authorization = '' } = request.headers
      const reply = await fetch(`${upstream}/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json', authorization }, body: Readable.toWeb(request), duplex: 'half', signal: reader.signal })
      const type = reply.headers.get('content-type') ?? ''
      if (reply.ok && !type.startsWith('text/event-stream')) throw new Error('it sent no event stream; request one with "stream": true')
      response.writeHead(reply.status, { 'content-type': type, 'cache-control': 'no-cache' }).flushHeaders()
      // An error response is passed on unchanged.
      await pipeline(reply.ok ? visibleEvents(reply.body) : (reply.body ?? []), response)
    } catch (error) {
      // The reader has left, or nothing was sent.
      if (reader.signal.aborted || response.headersSent) response.destroy()
      else response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { type: 'upstream_error', message: error.cause?.message ?? error.message } }))
    }
  })
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  if (env.UPSTREAM === undefined) await demo()
  else createFilter(env.UPSTREAM).listen(env.PORT ?? 8787, '127.0.0.1', function () {
    console.log(`http://127.0.0.1:${this.address().port}/v1/chat/completions`)
  })
}

/** A mock model, the filter, and a reader that prints what arrives. */
async function demo() {
  const pieces = ['Let me', ' look. <thi', 'nk>The user asks', ' for 5 < 7.</thi', 'nk>It is', ' <b>true</b>', '. <function_calls><invoke name="note">', '<parameter name="text">5 < 7</parameter></invoke></function_calls>', 'Noted, 5 <', ' 7.']
  const model = createServer(async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta, finish_reason = null) => response.write(message({ id: 'played', object: 'chat.completion.chunk', model: 'played', choices: [{ index: 0, delta, finish_reason }] }))
    send({ role: 'assistant' })
    for (const content of pieces) {
      console.log(`model   ${JSON.stringify(content)}`)
      send({ content })
      await wait(30)
    }
    send({}, 'stop')
    response.end('data: [DONE]\n\n')
  })
  const filter = createFilter(`${await listen(model)}/v1`)
  const reply = await fetch(`${await listen(filter)}/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ model: 'played', stream: true, messages: [{ role: 'user', content: '5 < 7?' }] }) })
  for await (const { data } of reply.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
    const [choice] = data === '[DONE]' ? [] : JSON.parse(data).choices
    console.log(`reader  ${choice ? JSON.stringify(choice.finish_reason ?? choice.delta.content ?? choice.delta.role) : data}`)
  }
  model.close()
  filter.close()
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`)))
}
