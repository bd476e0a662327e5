// A server whose streams outlive it. It reads a model's reply with `BlockParser`, and after
// each chunk it stores three things in Redis in one step: the visible text of the chunk, the
// parser's snapshot, and the chunk's number. Readers get what is stored, and nothing else.
// So a server that is killed leaves no text that was shown and isn't stored, and any server
// can go on from the last chunk: it restores the parser, and asks the model for the rest.
//
//     POST /streams            begins a stream: {"reply":"all","size":3,"pace":20}; answers {"id":"…"}
//     GET  /streams/<id>       its visible text as server-sent events, after Last-Event-ID if there is one
//     GET  /                   the page
//
// node examples/serve.mjs resumable starts two of them, with Redis and a model.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { env, pid } from 'node:process'
import { text as textOf } from 'node:stream/consumers'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { createClient } from 'redis'
import { BlockParser } from 'tokenweir/blocks'
import { replies } from './model.mjs'
import { StreamStore } from './store.mjs'

const { REDIS_URL, MODEL_URL, PORT = '0', LEASE = '2000' } = env
const lease = Number(LEASE)
// It connects again when Redis was killed and has started again.
const redis = await createClient({ url: REDIS_URL, socket: { reconnectStrategy: 100 } }).on('error', (error) => console.error(`Redis: ${error.message}`)).connect()
const store = new StreamStore(redis, { by: pid, lease })

/** The streams that this server reads. */
const reading = new Set()

/** Reads a stream from where the last server has left it, up to the end or until another server has claimed it. */
async function read(id) {
  if (reading.has(id)) return
  reading.add(id)
  let renewing
  try {
    const claim = await store.claim(id)
    if (claim === undefined) return
    renewing = setInterval(() => store.renew(claim).catch(() => {}), lease / 3)
    const { parser, read: already } = resume(claim)
    let chunk = already
    for await (const text of modelReply(claim.request, chunk + 1)) {
      chunk += 1
      const visible = visibleIn(parser.processChunk(text))
      if (chunk <= claim.chunk) continue
      if (!(await store.commit(claim, { chunk, text: visible, snapshot: parser.snapshot({ keepText: false }) }))) return
    }
    // Text that was pending, because it could have become markup, is visible now.
    await store.end(claim, { chunk: chunk + 1, text: visibleIn(parser.flush()) })
  } finally {
    clearInterval(renewing)
    reading.delete(id)
  }
}

/** The parser of a claimed stream, and the chunks that it has read. */
function resume({ snapshot, chunk }) {
  try {
    if (snapshot !== undefined) return { parser: BlockParser.restore(snapshot), read: chunk }
  } catch (error) {
    // Another version of the package made it, before a deploy: the reply is read again from its beginning.
    if (error.code !== 'snapshot-version') throw error
  }
  return { parser: new BlockParser(), read: 0 }
}

/** The chunks of a model's reply, from the one with this number on. */
async function* modelReply({ reply, size, pace }, from) {
  const response = await fetch(`${MODEL_URL}/replies/${reply}?${new URLSearchParams({ size, pace, from })}`)
  if (!response.ok) throw new Error(`the model answered ${response.status}`)
  for await (const { data } of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
    if (data === '[DONE]') return
    yield JSON.parse(data)
  }
  throw new Error('the model ended before [DONE]')
}

function visibleIn({ emissions }) {
  return emissions.map(({ kind, text, meta }) => (kind === 'content' && meta.visible ? text : '')).join('')
}

/** Reads a stream; one that fails stays open, and is claimed again when its lease is over. */
function readOn(id) {
  read(id).catch((error) => console.error(`stream ${id}: ${error.message}`))
}

// Streams that nobody reads: those of a server that has gone.
setInterval(() => store.open().then((ids) => ids.forEach(readOn), (error) => console.error(error.message)), lease / 4)

/** Begins a stream. */
async function begin(request, response) {
  const { reply = 'all', size = 3, pace = 20 } = JSON.parse(await textOf(request))
  if (!replies.includes(reply) || !(size >= 1) || !(pace >= 0)) return response.writeHead(400).end('The model has no such reply.')
  const id = randomUUID()
  await store.create(id, { reply, size, pace })
  readOn(id)
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id }))
}

/** Sends a stream's text, and what follows. */
async function send(id, request, response) {
  const after = Number(request.headers['last-event-id'] ?? 0)
  if (!Number.isSafeInteger(after) || after < 0) return response.writeHead(400).end('Last-Event-ID is not the id of an event.')
  const status = await store.status(id, after)
  if (status === 'unknown') return response.writeHead(404).end('There is no such stream.')
  // A browser that gets 204 doesn't connect again.
  if (status === 'complete') return response.writeHead(204).end()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  // How long a browser waits before it connects again, in milliseconds.
  response.write('retry: 200\n\n')
  for await (const { chunk, text, by, ended } of store.follow(id, after, gone.signal)) {
    const event = `${ended ? 'event: end\n' : ''}id: ${chunk}\ndata: ${JSON.stringify({ text, by })}\n\n`
    if (!response.write(event)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  response.end()
}

async function answer(request, response) {
  const [, id] = /^\/streams\/([\w-]+)$/.exec(request.url) ?? []
  if (request.method === 'POST' && request.url === '/streams') return begin(request, response)
  if (request.method === 'GET' && id !== undefined) return send(id, request, response)
  if (request.method === 'GET' && request.url === '/') return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(await readFile(new URL('index.html', import.meta.url)))
  response.writeHead(404).end('There is no such page.')
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error.message)
    // A reader whose connection breaks comes again.
    if (response.headersSent) response.destroy()
    else response.writeHead(500).end(error.message)
  })
}).listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${server.address().port}`)
