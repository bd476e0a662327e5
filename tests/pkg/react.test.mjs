// `useReply` in Chromium, in strict mode, with React 18 and 19: a reply streams from a server, and stopping, leaving and another request end it.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { useReply } from 'tokenweir/react'
import { launch, open } from './examples/running.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const PIECES = ['<thi', 'nk>Hm.</think>It is 5 <', ' 7', ' degrees', '<invoke name="now"><parameter name="a">1</parameter></invoke>', '.']

const PROGRAM = `import { createElement as h, StrictMode, version } from 'react'
import { createRoot } from 'react-dom/client'
import { useReply } from 'tokenweir/react'
globalThis.renders = []
globalThis.version = version
globalThis.frames = 0
const count = () => requestAnimationFrame(() => (frames++, count()))
count()
function Reply() {
  const reply = useReply()
  const { text, thinking, toolCalls, blocks, status, error, send, stop } = reply
  Object.assign(globalThis, { reply, stop, ask: (query) => send((signal) => fetch('/reply?' + query, { signal })), read: send })
  renders.push({ text, status, frames })
  return h('p', { role: 'status' }, [status, text, thinking, toolCalls.length, blocks.length, error?.message].join('|'))
}
const root = createRoot(document.body.firstElementChild)
root.render(h(StrictMode, null, h(Reply)))
globalThis.leave = () => root.unmount()`

// The repository has this folder's tools, and React 18 beside them.
const tools = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
const older = join(tools, '../../tests/pkg/runtimes/node_modules')
const VERSIONS = { 19: {}, 18: { react: join(older, 'react'), 'react-dom': join(older, 'react-dom') } }

let browser
let server
const ends = []

before(async () => {
  const programs = {}
  for (const [version, alias] of Object.entries(VERSIONS)) {
    const { outputFiles } = await build({ stdin: { contents: PROGRAM, resolveDir: here }, alias, bundle: true, write: false, format: 'esm', define: { 'process.env.NODE_ENV': '"development"' }, logLevel: 'error' })
    programs[`/program-${version}.js`] = outputFiles[0].text
  }
  server = createServer(async (request, response) => {
    if (request.url in programs) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(programs[request.url])
    if (!request.url.startsWith('/reply')) return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><link rel="icon" href="data:,"><body><div></div><script type="module" src="/program-' + request.url.slice(2) + '.js"></script>')
    if (request.url.includes('fault')) return response.writeHead(500).end('no model')
    response.on('close', () => ends.push(`${request.url.slice(7)} ${response.writableFinished ? 'sent' : 'stopped'}`))
    response.writeHead(200, { 'content-type': 'text/plain' })
    for (const [at, piece] of PIECES.entries()) {
      response.write(piece)
      if (at === 1 && request.url.includes('slow')) return
      await wait(40)
    }
    response.end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await launch()
})

after(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

/** Opens the page with a version of React, acts, and returns what it shows then; nothing may complain. */
async function shown(version, act) {
  ends.length = 0
  const { page, complaints } = await open(browser, `http://127.0.0.1:${server.address().port}/?${version}`)
  try {
    const until = (start) => page.waitForFunction((start) => document.querySelector('[role=status]')?.textContent.startsWith(start), start, { timeout: 10_000 })
    await until('idle')
    assert.match(await page.evaluate(() => globalThis.version), new RegExp(`^${version}\\.`))
    await act(page, until)
    const text = await page.evaluate(() => document.querySelector('[role=status]')?.textContent)
    assert.deepEqual(complaints.filter((line) => !line.includes('500')), [])
    return text
  } finally {
    await page.close()
  }
}

async function ended(expected) {
  for (let turn = 0; turn < 200 && ends.length < expected.length; turn++) await wait(25)
  assert.deepEqual(ends, expected)
}

for (const version of Object.keys(VERSIONS)) {
  describe(`React ${version}`, () => {
    test('a reply streams: text is only added, and a frame has one render at most', async () => {
      const text = await shown(version, async (page, until) => {
        await page.evaluate(() => ask('a'))
        await until('done')
        const renders = await page.evaluate(() => globalThis.renders)
        // Strict mode renders twice.
        for (const frames of new Set(renders.slice(4).map(({ frames }) => frames))) assert.ok(renders.slice(4).filter((render) => render.frames === frames).length <= 4, `frame ${frames}`)
        let before = ''
        for (const { text } of renders) {
          assert.ok(text.startsWith(before), text)
          before = text
        }
        assert.ok(new Set(renders.map(({ text }) => text)).size > 3)
      })
      assert.match(text, /^done\|It is 5 < 7 degrees\.?\|Hm\.\|1\|\d+\|$|^done\|It is 5 < 7 degrees\.\|/)
      assert.deepEqual(ends, ['a sent'])
    })

    test('a thousand chunks together are a few renders', async () => {
      await shown(version, async (page, until) => {
        await page.evaluate(() => read(Array.from({ length: 1_000 }, (_, at) => `${at} `)))
        await until('done|0 1 2')
        assert.ok((await page.evaluate(() => globalThis.renders.length)) < 40)
      })
    })

    test('the state is the whole result: also why it ended, what it took, and calls that are not whole', async () => {
      await shown(version, async (page, until) => {
        const call = { index: 0, id: 'c', function: { name: 'save', arguments: '{"pa' } }
        await page.evaluate((call) => read([{ choices: [{ index: 0, delta: { content: 'I save.', tool_calls: [call] } }] }, { choices: [{ index: 0, delta: {}, finish_reason: 'length' }], usage: { prompt_tokens: 3, completion_tokens: 4 } }]), call)
        await until('done|I save.')
        const { finishReason, usage, problems } = await page.evaluate(() => reply)
        assert.deepEqual([finishReason, usage.totalTokens, problems.map(({ metadata }) => metadata.dropReason)], ['length', 7, ['unfinished-tool-call']])
        // The next one knows nothing of it.
        await page.evaluate(() => ask('slow'))
        await until('streaming|It is 5')
        assert.deepEqual(await page.evaluate(() => [reply.finishReason, reply.usage, reply.problems]).then((all) => all.map((one) => one ?? undefined)), [undefined, undefined, []])
        await page.evaluate(() => stop())
        await ended(['slow stopped'])
      })
    })

    test('a reply that was cut goes on', async () => {
      await shown(version, async (page, until) => {
        const said = (content, finish_reason) => [{ choices: [{ index: 0, delta: { content }, finish_reason }] }]
        await page.evaluate((events) => read(events), said('Hello wor', 'length'))
        await until('done|Hello wor')
        await page.evaluate((events) => read(events, { continues: globalThis.reply }), said('ld.', 'stop'))
        await until('done|Hello world.')
      })
    })

    test('stop ends the request, and what was read stays', async () => {
      const text = await shown(version, async (page, until) => {
        await page.evaluate(() => ask('slow'))
        await until('streaming|It is 5')
        await page.evaluate(() => stop())
        await until('stopped|It is 5')
        await ended(['slow stopped'])
      })
      assert.match(text, /^stopped\|It is 5 <?\|Hm\.\|0\|/)
    })

    test('leaving ends the request', async () => {
      await shown(version, async (page, until) => {
        await page.evaluate(() => ask('slow'))
        await until('streaming|It is 5')
        await page.evaluate(() => leave())
        await ended(['slow stopped'])
      })
    })

    test('another request stops the first, which shows nothing more', async () => {
      const text = await shown(version, async (page, until) => {
        await page.evaluate(() => ask('slow'))
        await until('streaming|It is 5')
        await page.evaluate(() => ask('b'))
        await until('done|It is 5 < 7')
        const renders = await page.evaluate(() => globalThis.renders)
        assert.ok(renders.some(({ text, status }, at) => status === 'streaming' && text === '' && renders[at - 1]?.text))
        await ended(['slow stopped', 'b sent'])
      })
      assert.match(text, /^done\|It is 5 < 7 degrees/)
    })

    test('an error is shown, and the next request takes it away', async () => {
      await shown(version, async (page, until) => {
        await page.evaluate(() => ask('fault'))
        await until('error|')
        assert.match(await page.evaluate(() => globalThis.reply.error.message), /500/)
        await page.evaluate(() => read('Hello'))
        await until('done|Hello')
        assert.equal(await page.evaluate(() => globalThis.reply.error), undefined)
        await page.evaluate(() => read(5))
        await until('error|')
      })
    })
  })
}

test('on a server it is idle', () => {
  const Reply = () => createElement('p', null, useReply().status)
  assert.equal(renderToString(createElement(Reply)), '<p>idle</p>')
})
