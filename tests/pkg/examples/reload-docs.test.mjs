// The programs of docs/reload.md: a page in Chromium that is reloaded in the middle of a reply, and leaves and comes back.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { launch, open, transpiled, until } from './running.mjs'

const page = readFileSync(new URL('../../../docs/reload.md', import.meta.url), 'utf8')
const programs = new Map([...page.matchAll(/^```ts\n\/\/ (\w+)\.ts\n([^]*?)^```$/gm)].map(([, name, code]) => [name, code]))
const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'reload-'))
const HTML = '<!doctype html><link rel="icon" href="data:,"><p id="output"></p><script type="module" src="/program.js"></script>'
const MAIN = `import { ask, show } from './page.ts'
  const output = document.querySelector('#output')
  globalThis.ask = (question) => ask(question, output)
  show(output)`

// What forgets a reply after ten minutes keeps no process alive.
const { setTimeout: later } = globalThis
globalThis.setTimeout = (act, ms, ...more) => (ms < 600_000 ? later(act, ms, ...more) : later(act, ms, ...more).unref())

/** The requests that the model has open: what it answers to each, and whether its client has left. */
const asked = []
let model
let server
let address
let browser

before(async () => {
  browser = await launch()
  for (const [name, code] of programs) writeFileSync(join(folder, `${name}.ts`), code)
  writeFileSync(join(folder, 'replies.mjs'), transpiled(programs.get('replies')))
  const { handle } = await import(pathToFileURL(join(folder, 'replies.mjs')).href)
  const { outputFiles } = await build({ stdin: { contents: MAIN, resolveDir: folder }, bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'error' })

  model = createServer((_, response) => {
    const request = { say: (content) => response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`), end: () => response.end('data: [DONE]\n\n'), hasLeft: false }
    response.on('close', () => (request.hasLeft = !response.writableFinished))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    asked.push(request)
  })
  await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve))
  const ask = (question, signal) => fetch(`http://127.0.0.1:${model.address().port}`, { method: 'POST', body: question, signal })

  server = createServer(async (request, response) => {
    if (request.url === '/program.js') return response.writeHead(200, { 'content-type': 'text/javascript' }).end(outputFiles[0].text)
    if (!request.url.startsWith('/replies')) return response.writeHead(200, { 'content-type': 'text/html' }).end(HTML)
    const body = request.method === 'POST' ? await textOf(request) : undefined
    const answer = await handle(new Request(`${address}${request.url}`, { method: request.method, body }), ask)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    // A reader that leaves fails here, and so does one whose reply is stopped.
    await pipeline(Readable.fromWeb(answer.body), response).catch(() => response.destroy())
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${server.address().port}`
})

after(async () => {
  await browser?.close()
  for (const each of [server, model]) {
    each?.closeAllConnections()
    each?.close()
  }
  rmSync(folder, { recursive: true })
})

beforeEach(() => void (asked.length = 0))

const shows = (page, text) => page.waitForFunction((text) => document.querySelector('#output')?.textContent === text, text, { timeout: 10_000 })

describe('docs/reload.md', () => {
  test('a page that is reloaded, also inside a tag, has all of the text, and the model is asked once', async () => {
    const { page } = await open(browser, address)
    await page.evaluate(() => void ask('Is 97 prime?'))
    await until('the model is asked', () => asked.length === 1)
    const [reply] = asked
    reply.say('<think>Divide.</think>Yes, ')
    await shows(page, 'Yes,')
    reply.say('97 is pri')
    await shows(page, 'Yes, 97 is pri')
    await page.reload()
    await shows(page, 'Yes, 97 is pri')
    reply.say('me.<thi')
    await shows(page, 'Yes, 97 is prime.')
    await page.reload()
    await shows(page, 'Yes, 97 is prime.')
    reply.say('nk>Done?</think> Really.')
    reply.end()
    await shows(page, 'Yes, 97 is prime. Really.')
    await page.reload()
    await shows(page, 'Yes, 97 is prime. Really.')
    assert.deepEqual([asked.length, reply.hasLeft], [1, false])
    await page.close()
  })

  test('a page that comes back finds what the model wrote meanwhile', async () => {
    const { page } = await open(browser, address)
    await page.evaluate(() => void ask('Is 97 prime?'))
    await until('the model is asked', () => asked.length === 1)
    asked[0].say('Yes')
    await shows(page, 'Yes')
    await page.goto('about:blank')
    asked[0].say(', it is.')
    asked[0].end()
    await page.goto(address)
    await shows(page, 'Yes, it is.')
    await page.close()
  })

  const begin = async () => {
    const id = await (await fetch(`${address}/replies`, { method: 'POST', body: 'a' })).text()
    await until('the model is asked', () => asked.length === 1)
    return `${address}/replies/${id}`
  }

  test('readers at the same time get the same', async () => {
    const url = await begin()
    const readers = [fetch(url), fetch(url)]
    asked[0].say('a')
    readers.push(fetch(url))
    const leaving = await fetch(url)
    await leaving.body.cancel()
    asked[0].say('b')
    asked[0].end()
    const texts = await Promise.all(readers.map(async (reader) => (await reader).text()))
    assert.equal(new Set(texts).size, 1)
    assert.match(texts[0], /"a"[^]*"b"[^]*\[DONE\]\n\n$/)
  })

  test('DELETE stops the model, and readers see that the reply broke off; an unknown reply is 404', async () => {
    const url = await begin()
    asked[0].say('a')
    const reader = (await fetch(url)).text()
    assert.equal(asked[0].hasLeft, false)
    await Promise.allSettled([fetch(url, { method: 'DELETE' }).then((response) => response.text())])
    await until('the model is left', () => asked[0].hasLeft)
    await assert.rejects(reader)
    assert.equal((await fetch(`${address}/replies/nothing`)).status, 404)
  })
})
