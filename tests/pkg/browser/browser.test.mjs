// The installed package in headless Chromium: no bundler, an import map alone.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sirv from 'sirv'

const PAGE = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<script type="importmap">
{
  "imports": {
    "tokenweir": "/tokenweir/dist/esm/entry/index.js",
    "tokenweir/blocks": "/tokenweir/dist/esm/entry/blocks.js",
    "tokenweir/fields": "/tokenweir/dist/esm/entry/fields.js",
    "tokenweir/segments": "/tokenweir/dist/esm/entry/segments.js",
    "tokenweir/tool-calls": "/tokenweir/dist/esm/entry/tool-calls.js",
    "tokenweir/ai-sdk": "/tokenweir/dist/esm/entry/ai-sdk.js",
    "tokenweir/rjson": "/tokenweir/dist/esm/entry/rjson.js",
    "tokenweir/rxml": "/tokenweir/dist/esm/entry/rxml.js",
    "tokenweir/schema-coerce": "/tokenweir/dist/esm/entry/schema-coerce.js",
    "tokenweir/slim": "/tokenweir/dist/esm/entry/slim.js"
  }
}
</script>`

let browser
let server
let origin

before(async () => {
  const files = (path) => sirv(fileURLToPath(new URL(path, import.meta.url)), { dev: true })
  const mounted = { '/tokenweir/': files('../../../node_modules/tokenweir/'), '/scenario/': files('../scenario/') }
  server = createServer((request, response) => {
    const [prefix, serve] = Object.entries(mounted).find(([prefix]) => request.url.startsWith(prefix)) ?? []
    if (serve) {
      request.url = request.url.slice(prefix.length - 1)
      serve(request, response)
    } else {
      response.setHeader('content-type', 'text/html')
      response.end(PAGE)
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${server.address().port}`
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
})

after(async () => {
  await browser?.close()
  server?.close()
})

/** Runs a function in a new page; the page must print nothing and throw nothing. */
async function inPage(act, argument) {
  const page = await browser.newPage()
  const complaints = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(origin)
  const result = await page.evaluate(act, argument)
  await page.close()
  assert.deepEqual(complaints, [])
  return result
}

for (const entry of ['tokenweir', 'tokenweir/blocks']) {
  test(`${entry} works after a plain import`, async () => {
    const checks = await inPage(async (entry) => (await import('/scenario/scenario.mjs')).scenario(await import(entry)), entry)
    assert.ok(checks > 20)
  })
}

for (const entry of ['tokenweir', 'tokenweir/fields']) {
  test(`the fields of ${entry} work after a plain import`, async () => {
    const checks = await inPage(async (entry) => (await import('/scenario/scenario.mjs')).fieldScenario(await import(entry)), entry)
    assert.ok(checks > 20)
  })
}

for (const entry of ['tokenweir', 'tokenweir/segments']) {
  test(`the segments of ${entry} work after a plain import`, async () => {
    const checks = await inPage(async (entry) => (await import('/scenario/scenario.mjs')).segmentScenario(await import(entry)), entry)
    assert.ok(checks > 20)
  })
}

for (const entry of ['tokenweir', 'tokenweir/tool-calls', 'tokenweir/ai-sdk']) {
  test(`the tool calls of ${entry} work after a plain import`, async () => {
    const checks = await inPage(async (entry) => (await import('/scenario/scenario.mjs')).toolCallScenario(await import(entry)), entry)
    assert.ok(checks > 20)
  })
}

test('robust JSON, robust XML and coercion work after a plain import', async () => {
  const values = await inPage(async () => {
    const [rjson, rxml, { coerceBySchema }] = await Promise.all([import('tokenweir/rjson'), import('tokenweir/rxml'), import('tokenweir/schema-coerce')])
    const schema = { type: 'object', properties: { a: { type: 'number' } } }
    return [rjson.parse("{a:'x',}"), rxml.parse('<a>1</a>', schema), coerceBySchema('{a:"1"}', schema)]
  })
  assert.deepEqual(values, [{ a: 'x' }, { a: 1 }, { a: 1 }])
})

test('tokenweir/slim works after init with the address of the .wasm file', async () => {
  const checks = await inPage(async () => {
    const slim = await import('tokenweir/slim')
    await slim.init(new URL('/tokenweir/dist/tokenweir.wasm', location.href))
    return (await import('/scenario/scenario.mjs')).scenario(slim)
  })
  assert.ok(checks > 20)
})

test('tokenweir/slim works after init with a response', async () => {
  const checks = await inPage(async () => {
    const slim = await import('tokenweir/slim')
    await slim.init(await fetch('/tokenweir/dist/tokenweir.wasm'))
    return (await import('/scenario/scenario.mjs')).scenario(slim)
  })
  assert.ok(checks > 20)
})
