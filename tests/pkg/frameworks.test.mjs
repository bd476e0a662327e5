// The code of docs/frameworks.md, mounted in Chromium by Vue and Svelte: the
// reply streams from a server, text is only added, and the request ends on unmount.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { compile } from 'svelte/compiler'
import { compileScript, parse } from 'vue/compiler-sfc'
import { launch, open } from './examples/running.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const page = readFileSync(new URL('../../docs/frameworks.md', import.meta.url), 'utf8')
const named = [...page.matchAll(/^```\w+\n(?:\/\/|<!--) (\w+\.\w+)(?: -->)?\n([^]*?)^```$/gm)].map(([, name, code]) => ({ name, code }))

const PIECES = ['<thi', 'nk>Hm.</think>It is 5 <', ' 7', ' degrees: take a <b>co', 'at</b>.']
const TEXT = 'It is 5 < 7 degrees: take a <b>coat</b>.'

/** Svelte's runes are for components, so its program has one. */
const APP = `<script>
  import Reply from './Reply.svelte'
  let url = $state('/reply' + location.search)
  globalThis.turnTo = (next) => (url = next)
</script>
<Reply {url} />`

/** Programs that mount the page's component, give it another reply, and unmount it. */
const programs = {
  vue: `import { createApp, h, ref } from 'vue'
    import Reply from './Reply.vue'
    const url = ref('/reply' + location.search)
    const app = createApp({ render: () => h(Reply, { url: url.value }) })
    app.mount(document.body.firstElementChild)
    globalThis.turnTo = (next) => (url.value = next)
    globalThis.leave = () => app.unmount()`,
  svelte: `import { mount, unmount } from 'svelte'
    import App from './App.svelte'
    const app = mount(App, { target: document.body.firstElementChild })
    globalThis.leave = () => unmount(app)`,
}

/** Vue's and Svelte's components, by their own compilers. */
const components = {
  name: 'components',
  setup({ onLoad }) {
    onLoad({ filter: /\.vue$/ }, ({ path }) => ({ contents: compileScript(parse(readFileSync(path, 'utf8')).descriptor, { id: 'page', inlineTemplate: true }).content, loader: 'ts' }))
    onLoad({ filter: /\.svelte$/ }, ({ path }) => ({ contents: compile(readFileSync(path, 'utf8'), { generate: 'client', filename: path }).js.code, loader: 'js' }))
  },
}

let folder
let browser

before(async () => {
  folder = mkdtempSync(join(here, 'frameworks-'))
  for (const { name, code } of named) writeFileSync(join(folder, name), code)
  writeFileSync(join(folder, 'App.svelte'), APP)
  browser = await launch()
})

after(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

async function bundled(program) {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"development"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
    conditions: ['browser', 'development'],
    plugins: [components],
    logLevel: 'error',
  })
  return outputFiles[0].text
}

/** Serves the program and a reply; with `?slow` the reply waits after its second piece. */
async function serve(script) {
  const ends = []
  const server = createServer(async (request, response) => {
    if (request.url.startsWith('/program.js')) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    if (!request.url.startsWith('/reply')) return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><link rel="icon" href="data:,"><body><div></div><script type="module" src="/program.js"></script>')
    if (request.url.includes('fault')) return response.writeHead(500).end('no model')
    response.on('close', () => ends.push(response.writableFinished ? 'sent' : 'stopped'))
    response.writeHead(200, { 'content-type': 'text/plain' })
    for (const [at, piece] of PIECES.entries()) {
      response.write(piece)
      if (at === 1 && request.url.includes('slow')) return
      await wait(150)
    }
    response.end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${server.address().port}/`, ends, close: () => server.closeAllConnections() ?? server.close() }
}

for (const [name, program] of Object.entries(programs)) {
  describe(name, () => {
    let server
    before(async () => (server = await serve(await bundled(program))))
    after(() => server?.close())

    const status = (page, wanted) => page.waitForFunction((wanted) => document.querySelector('[role=status]')?.textContent.includes(wanted), wanted, { timeout: 10_000 })

    test('the reply streams, and text is only added', async () => {
      const { page, complaints } = await open(browser, 'about:blank')
      await page.addInitScript(() => {
        globalThis.seen = []
        new MutationObserver(() => seen.push(document.querySelector('.text')?.textContent ?? '')).observe(document, { childList: true, subtree: true, characterData: true })
      })
      await page.goto(server.address)
      await status(page, 'done')
      assert.equal(await page.textContent('.text'), TEXT)
      const seen = await page.evaluate(() => seen.filter((text, at) => text !== seen[at - 1]))
      assert.ok(seen.length > 3, JSON.stringify(seen))
      for (const [at, text] of seen.entries()) assert.ok(TEXT.startsWith(text) && text.length >= (seen[at - 1] ?? '').length, text)
      assert.deepEqual(complaints, [])
      await page.close()
    })

    for (const [what, act] of [
      ['unmounting', (page) => page.evaluate(() => leave())],
      ['the button', (page) => page.click('text=Stop').then(() => status(page, 'stopped'))],
    ]) {
      test(`${what} ends the request`, async () => {
        server.ends.length = 0
        const { page, complaints } = await open(browser, `${server.address}?slow`)
        await page.waitForFunction(() => document.querySelector('.text')?.textContent.startsWith('It is 5'))
        assert.deepEqual(server.ends, [])
        await act(page)
        for (let turn = 0; turn < 200 && server.ends.length === 0; turn += 1) await wait(25)
        assert.deepEqual(server.ends, ['stopped'])
        assert.deepEqual(complaints, [])
        await page.close()
      })
    }

    test('another reply stops the one before, which is not shown any more', async () => {
      server.ends.length = 0
      const { page, complaints } = await open(browser, `${server.address}?slow`)
      await page.waitForFunction(() => document.querySelector('.text')?.textContent.startsWith('It is 5'))
      await page.evaluate(() => {
        globalThis.statuses = []
        const note = () => statuses.push(document.querySelector('[role=status]').textContent)
        new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true })
        turnTo('/reply')
      })
      await status(page, 'done')
      assert.equal(await page.textContent('.text'), TEXT)
      assert.deepEqual(await page.evaluate(() => [...new Set(statuses)]), ['streaming', 'done'])
      assert.deepEqual(server.ends, ['stopped', 'sent'])
      assert.deepEqual(complaints, [])
      await page.close()
    })

    test('an error is shown', async () => {
      const { page } = await open(browser, `${server.address}?fault`)
      await status(page, '500')
      await page.close()
    })
  })
}
