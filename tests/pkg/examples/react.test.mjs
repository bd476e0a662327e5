// examples/react in Chromium: with Vite's dev server, where StrictMode mounts each
// component twice, and built.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { after, before, describe, test } from 'node:test'
import { folder, launch, open, serve, until } from './running.mjs'

const app = join(folder, 'react')
const require = createRequire(import.meta.url)

const text = 'Let me look. I will ask two services.\n\nIt is 5 < 7 degrees: take a <b>coat</b> 🧥.'
const thinking = 'The user wants to know whether to take a coat. First the weather, then the calendar.'
const tools = ['weather (ready) {"city":"Zürich","days":2}', 'calendar (ready) {"query":"walks & trips, 5 < 7 pm"}']

let browser
let vite

before(async () => {
  // In the project of the tarball the tools are links, and tokenweir isn't among
  // them: it is resolved above, as it was installed.
  if (!existsSync(join(app, 'node_modules'))) {
    const installed = join(dirname(realpathSync(join(folder, 'node_modules'))), 'examples/react/node_modules')
    mkdirSync(join(app, 'node_modules'))
    for (const name of readdirSync(installed)) if (!name.startsWith('.') && name !== 'tokenweir') symlinkSync(join(installed, name), join(app, 'node_modules', name), 'junction')
  }
  vite = join(app, 'node_modules/vite/bin/vite.js')
  browser = await launch()
})

after(() => browser?.close())

test('React is an optional peer of the package, and versions are exact', () => {
  const { dependencies, devDependencies } = require(join(app, 'package.json'))
  assert.deepEqual(dependencies, { tokenweir: 'file:../../pkg' })
  for (const [name, version] of Object.entries(devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/, name)
  const published = require('tokenweir/package.json')
  assert.deepEqual([published.dependencies, published.peerDependenciesMeta], [undefined, { react: { optional: true } }])
})

test('its types are correct', () => {
  const { status, stdout } = spawnSync(execPath, [require.resolve('typescript/bin/tsc'), '-p', app], { encoding: 'utf8' })
  assert.equal(stdout, '')
  assert.equal(status, 0)
})

/** The page's view of the reply. */
const shown = (page) =>
  page.evaluate(() => ({
    text: document.querySelector('.text').textContent,
    thinking: document.querySelector('.thinking')?.textContent ?? '',
    tools: [...document.querySelectorAll('section')].map(({ innerText }) => innerText.replace(/\s+/g, ' ')),
    status: document.querySelector('[role=status]').textContent,
  }))

const status = (page, text) => page.waitForFunction((text) => document.querySelector('[role=status]')?.textContent === text, text)

/** The tests of a server of the page. */
function pageTests(name, start, more = () => {}) {
  describe(name, () => {
    let server

    before(async () => (server = await start()))
    after(() => server?.stop())

    /** Opens the page at a pace, acts, and closes it; it must report no other errors. */
    async function onPage(pace, act, allowed = /^$/) {
      const { page, complaints } = await open(browser, new URL(`?pace=${pace}`, server.address).href)
      const before = server.said().length
      /** The outcome of each request, reported by the server. */
      const replies = () => [...server.said().slice(before).matchAll(/reply: (\w+)/g)].map(([, end]) => end)
      try {
        await page.waitForSelector('h1')
        await act(page, replies)
        assert.deepEqual(complaints.filter((text) => !allowed.test(text)), [])
      } finally {
        await page.close()
      }
    }

    test('the reply comes in chunks, completely, in one request', () =>
      onPage(5, async (page, replies) => {
        await page.evaluate(() => {
          globalThis.seen = []
          new MutationObserver(() => {
            const [text, thinking, calls] = [document.querySelector('.text'), document.querySelector('.thinking'), document.querySelectorAll('section')]
            if (text) seen.push({ text: text.textContent, thinking: thinking?.textContent ?? '', calls: [...calls].map((call) => call.querySelector('pre').textContent) })
          }).observe(document.querySelector('#root'), { childList: true, subtree: true, characterData: true })
        })
        await page.click('text=Ask the model')
        await status(page, 'done')
        assert.deepEqual(await shown(page), { text, thinking, tools, status: 'done' })
        assert.equal(await page.locator('.text b').count(), 0, 'markup of the model is text')
        const seen = await page.evaluate(() => seen)
        assert.ok(seen.length > 10, `${seen.length} renderings`)
        assert.ok(seen.every((one) => text.startsWith(one.text) && thinking.startsWith(one.thinking)))
        assert.ok(seen.some(({ thinking: now }) => now !== '' && now !== thinking), 'thinking grows')
        assert.ok(seen.some(({ calls }) => calls.some((input) => input !== '' && !input.endsWith('}'))), 'arguments grow')
        await until('the server is done', () => replies().length > 0)
        assert.deepEqual(replies(), ['sent'])
      }))

    test('Stop ends the request, and keeps the text so far', () =>
      onPage(60, async (page, replies) => {
        await page.click('text=Ask the model')
        await page.waitForFunction(() => document.querySelector('section pre')?.textContent.includes('city'))
        await page.click('text=Stop')
        await status(page, 'stopped')
        const { text: now, thinking: thought, tools: calls } = await shown(page)
        assert.deepEqual([now, thought], ['Let me look. I will ask two services.', thinking])
        assert.match(calls.at(-1), /^(weather|calendar) \(cut off\)/)
        await until('the server stops', () => replies().length > 0)
        assert.deepEqual(replies(), ['stopped'])
        assert.equal((await shown(page)).text, now)
      }))

    test('unmounting a reply ends its request', () =>
      onPage(20, async (page, replies) => {
        await page.click('text=Ask the model')
        await page.waitForFunction(() => document.querySelector('.text')?.textContent.length > 3)
        await page.click('text=Close')
        await until('the server stops', () => replies().length > 0)
        assert.deepEqual(replies(), ['stopped'])
        assert.equal(await page.locator('article').count(), 0)
      }))

    test('a new request ends the previous reply', () =>
      onPage(5, async (page, replies) => {
        await page.click('text=Ask the model')
        await page.waitForFunction(() => document.querySelector('.text')?.textContent.length > 3)
        await page.click('text=Ask the model')
        await status(page, 'done')
        assert.deepEqual((await shown(page)).text, text)
        await until('the server is done', () => replies().length > 1)
        assert.deepEqual(replies(), ['stopped', 'sent'])
      }))

    test('a stream of the page', () =>
      onPage(2, async (page, replies) => {
        await page.click('text=Play a recording')
        await status(page, 'done')
        assert.deepEqual(await shown(page), { text: 'A recording. It needs no server.', thinking: 'It was made before.', tools: [], status: 'done' })
        assert.deepEqual(replies(), [])
      }))

    test('a server that responds with an error, and one that is gone', () =>
      onPage(
        5,
        async (page) => {
          await page.route('**/api/reply*', (route) => route.fulfill({ status: 503 }))
          await page.click('text=Ask the model')
          await status(page, 'error: the server answered with status 503')
          await page.unrouteAll()
          await page.route('**/api/reply*', (route) => route.abort())
          await page.click('text=Ask the model')
          await status(page, 'error: Failed to fetch')
          await page.unrouteAll()
          await page.click('text=Ask the model')
          await status(page, 'done')
        },
        /^Failed to load resource/,
      ))

    test('a file grows while it is written, is approved before its end, and saved when its call is whole', () =>
      onPage(60, async (page) => {
        await page.evaluate(() => {
          globalThis.seen = []
          const look = () => {
            const [content, state] = ['.files pre', '.files .content-state'].map((place) => document.querySelector(place)?.textContent)
            if (content !== undefined) seen.push({ content, state })
          }
          new MutationObserver(look).observe(document.querySelector('#root'), { childList: true, subtree: true, characterData: true })
        })
        await page.click('text=Write a file')
        await page.click('.files button:text("Save it"):enabled')
        assert.equal(await page.textContent('.files b'), 'notes/zürich.md', 'the path is there before it may be approved')
        assert.equal(await page.getAttribute('.files section', 'aria-busy'), 'true', 'approved before the end')
        await page.waitForSelector('.files [role=status]:text("saved: notes/zürich.md")')
        const seen = await page.evaluate(() => seen)
        const whole = '# Zürich\n\n- 5 < 7 degrees 🧥\n- "walks" & trips\n'
        assert.deepEqual(seen.at(-1), { content: whole, state: 'done' })
        assert.ok(new Set(seen.map(({ content }) => content)).size > 8, 'it grows')
        assert.ok(seen.every(({ content, state }) => whole.startsWith(content) && (state === 'done') === (content === whole && state !== 'open')))
      }))

    test('a file that is cut off is not saved, whatever was approved', () =>
      onPage(5, async (page) => {
        const events = ['{"path": "notes.md", "content": "Hal'].map((text) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'write_file', arguments: text } }] } }] }))
        const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
        await page.route('**/api/file*', (route) => route.fulfill({ status: 200, contentType: 'text/event-stream', body }))
        await page.click('text=Write a file')
        await page.waitForSelector('.files [role=status]:text("cut-off")')
        assert.deepEqual([await page.textContent('.files pre'), await page.textContent('.files .content-state')], ['Hal', 'open'])
        await page.click('.files button:text("Save it")')
        await page.waitForSelector('.files [role=status]:text("not saved: the text was cut off")')
      }))

    more(onPage)
  })
}

const onPort = ['--host', '127.0.0.1']

pageTests('dev', () => serve([vite, ...onPort, '--port', '5180'], { cwd: app }), (onPage) => {
  test('however many chunks come together, subscribers are notified once per frame', () =>
    onPage(5, async (page) => {
      const emitted = await page.evaluate(async () => {
        const { modelStream } = await import('/src/modelStream.ts')
        const log = []
        const chunks = Array.from({ length: 1_000 }, (_, index) => `${index} `)
        const stream = modelStream(chunks)
        const first = stream.getSnapshot()
        await new Promise((resolve) =>
          stream.subscribe(() => {
            log.push({ isStable: stream.getSnapshot() === stream.getSnapshot(), isNew: stream.getSnapshot() !== first, length: stream.getSnapshot().text.length })
            if (stream.getSnapshot().status === 'done') resolve()
          }),
        )
        return { log, length: chunks.join('').length }
      })
      assert.ok(emitted.log.length < 20, `${emitted.log.length} times`)
      assert.ok(emitted.log.every(({ isStable, isNew }) => isStable && isNew))
      assert.equal(emitted.log.at(-1).length, emitted.length)
    }))

  test('a broken stream: pending text and an error', () =>
    onPage(5, async (page) => {
      const replies = await page.evaluate(async () => {
        const { modelStream } = await import('/src/modelStream.ts')
        const replyOf = (source) =>
          new Promise((resolve) => {
            const stream = modelStream(source)
            stream.subscribe(() => {
              const { status, error, ...reply } = stream.getSnapshot()
              if (status !== 'streaming') resolve({ status, error: error?.message ?? null, ...reply, toolCalls: reply.toolCalls.map(({ name, input }) => ({ name, input: input ?? null })) })
            })
          })
        async function* breaking() {
          yield 'a<function_calls><invoke name="f"><parameter name="x">1</parameter></invoke><invoke name="g"><parameter name="x">2</parameter>'
          throw new Error('the line is dead')
        }
        async function* held() {
          yield '5 <thin'
          throw 'no error object'
        }
        return [await replyOf(breaking()), await replyOf(held())]
      })
      assert.deepEqual(replies, [
        { status: 'error', error: 'the line is dead', text: 'a', thinking: '', toolCalls: [{ name: 'f', input: { x: 1 } }, { name: 'g', input: null }] },
        { status: 'error', error: 'no error object', text: '5 <thin', thinking: '', toolCalls: [] },
      ])
    }))

  test('the last subscriber to leave stops the source, but not one that comes back immediately', () =>
    onPage(5, async (page) => {
      const log = await page.evaluate(async () => {
        const { modelStream } = await import('/src/modelStream.ts')
        const log = []
        const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
        const source = new ReadableStream({
          start: (controller) => controller.enqueue('Hi'),
          cancel: () => void log.push('cancelled'),
        })
        const stream = modelStream(source)
        log.push(source.locked ? 'read too early' : 'not read yet')
        stream.subscribe(() => {})()
        const unsubscribe = stream.subscribe(() => {})
        await later(100)
        log.push(stream.getSnapshot().text)
        unsubscribe()
        await later(100)
        log.push(stream.getSnapshot().status)
        return log
      })
      assert.deepEqual(log, ['not read yet', 'Hi', 'cancelled', 'stopped'])
    }))
})

pageTests('built', async () => {
  const { status, stderr } = spawnSync(execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: app, encoding: 'utf8', timeout: 120_000 })
  assert.equal(status, 0, stderr)
  assert.equal(stderr, '')
  return serve([vite, 'preview', ...onPort, '--port', '5181'], { cwd: app })
})
