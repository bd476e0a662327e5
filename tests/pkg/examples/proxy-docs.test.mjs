// The proxy of docs/from-fetch-to-screen.md, as a Worker and with node:http: what comes of a reply, of errors, and of a client that leaves.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { ResponseError, readReply, visibleText } from 'tokenweir'
import { transpiled, until } from './running.mjs'

const page = readFileSync(new URL('../../../docs/from-fetch-to-screen.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'proxy-'))
const sse = (...events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const delta = (content) => ({ choices: [{ index: 0, delta: { content } }] })

/** What the provider answers to each question. */
const ANSWERS = {
  ok: (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sse(delta('<think>hm</think>Hel'), delta('lo'))),
  limit: (response) => response.writeHead(429, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'retry-after': '7' }).end(gzipSync('{"error": {"message": "Slow down, sk-1", "type": "rate_limit_error"}}')),
  early: (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}}\n\n'),
  middle: async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(sse(delta('Half')))
    await wait(50)
    response.end(sse({ error: { code: 'server_error', message: 'Oh' } }))
  },
  endless: (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(sse(delta('On'))),
}
let provider
let proxy
let worker
let left = 0
const realFetch = globalThis.fetch

before(async () => {
  provider = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.on('close', () => (left += response.writableFinished ? 0 : 1))
    ANSWERS[JSON.parse(body).messages[0].content](response)
  })
  await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address()
  globalThis.fetch = (url, options) => realFetch(String(url).replace('https://api.openai.com', `http://127.0.0.1:${port}`), options)
  for (const [, code] of page.matchAll(/^```ts\n([^]*?)^```$/gm)) {
    const [, name] = /^\/\/ (\w+)\.ts$/m.exec(code.split('\n', 1)[0]) ?? []
    if (name !== undefined) writeFileSync(join(folder, `${name}.mjs`), transpiled(code).replace("'./answer.ts'", "'./answer.mjs'"))
  }
  worker = (await import(pathToFileURL(join(folder, 'answer.mjs')).href)).default
  proxy = (await import(pathToFileURL(join(folder, 'server.mjs')).href)).server
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
after(() => {
  globalThis.fetch = realFetch
  rmSync(folder, { recursive: true })
  for (const server of [provider, proxy]) {
    server?.closeAllConnections()
    server?.close()
  }
})

const DOORS = {
  'as a Worker': (question, signal) => worker.fetch(new Request('http://proxy/', { method: 'POST', body: question, signal }), { KEY: 'k' }),
  'with node:http': (question, signal) => realFetch(`http://127.0.0.1:${proxy.address().port}/`, { method: 'POST', body: question, signal }),
}

for (const [how, ask] of Object.entries(DOORS)) {
  describe(how, () => {
    test('a reply is its visible text', async () => {
      const response = await ask('ok')
      assert.deepEqual([response.status, response.headers.get('content-type'), await response.text()], [200, 'text/plain; charset=utf-8', 'Hello'])
    })
    test('an error keeps its status, its name and when to come again, and nothing else', async () => {
      for (const [question, status, code, retryAfter] of [['limit', 429, 'rate_limit_error', '7'], ['early', 502, 'overloaded_error', null]]) {
        const response = await ask(question)
        assert.deepEqual([response.headers.get('content-encoding'), response.headers.get('retry-after')], [null, retryAfter])
        const error = await readReply(response).result().catch((error) => error)
        assert.ok(error instanceof ResponseError)
        assert.deepEqual([error.status, error.code, error.body.includes('sk-1')], [status, code, false])
      }
    })
    test('a reply that breaks off breaks off', async () => {
      const texts = []
      await assert.rejects(async () => { for await (const text of visibleText(await ask('middle'))) texts.push(text) })
      assert.deepEqual(texts.join(''), 'Half')
    })
    test('a client that leaves ends the request to the provider', async () => {
      const before = left
      const leaving = new AbortController()
      const reader = (await ask('endless', leaving.signal)).body.getReader()
      assert.equal(new TextDecoder().decode((await reader.read()).value), 'On')
      leaving.abort()
      await until('the provider is left', () => left === before + 1)
    })
  })
}
