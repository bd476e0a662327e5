// The site: it builds, its links and anchors lead somewhere, its search finds words,
// and in Chromium it opens without an error, searches, plays, and shows the demo.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { after, before, describe, test } from 'node:test'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import sirv from 'sirv'
import { findChromium } from '../pkg-template/setup.mjs'
import { buildSite, site } from '../site/build.mjs'
import { sidebar } from '../site/pages.mjs'

before(() => buildSite())

/** The built pages, without the demo, which has tests of its own. */
function pages() {
  return readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html') && !name.startsWith(`demo${sep}`))
}

const read = (name) => readFileSync(join(site, name), 'utf8')

/** Whether a link of a page leads to a built file, and to an id in it. */
function leads(page, link) {
  const [path, anchor] = link.split('#')
  const decoded = decodeURIComponent(path)
  const target = decoded === '' ? page : relative(site, resolve(site, decoded.startsWith('/') ? `.${decoded}` : join(dirname(page), decoded)))
  const file = [target, `${target}.html`, join(target, 'index.html')].find((name) => /\.\w+$/.test(name) && existsSync(join(site, name)))
  if (file === undefined) return false
  return !anchor || !file.endsWith('.html') || read(file).includes(` id="${decodeURIComponent(anchor)}"`)
}

const linksOf = (html) => [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, link]) => link.replaceAll('&amp;', '&')).filter((link) => !/^\w+:/.test(link))

test('each page of docs/ and the reference are there, named with a capital', () => {
  for (const { text: group, items } of sidebar()) {
    for (const { link, text } of items) {
      assert.ok(leads('index.html', link), link)
      for (const name of [group, text]) assert.match(name, /^[A-Z@]/)
    }
  }
  assert.ok(existsSync(join(site, 'api/tokenweir/blocks.html')))
})

test('no page shows the comments around figures, or HTML of GitHub as text', () => {
  for (const page of pages()) assert.doesNotMatch(read(page), /(?:<|&lt;)!--figure|&lt;\/?(?:details|summary)&gt;/, page)
})

test('links and anchors lead somewhere', () => {
  const all = pages().flatMap((page) => linksOf(read(page)).map((link) => ({ page, link })))
  assert.ok(all.length > 1000, `${all.length} links`)
  const dead = all.filter(({ page, link }) => !leads(page, link)).map(({ page, link }) => `${page}: ${link}`)
  assert.deepEqual([...new Set(dead)], [])
})

test('the judge of links finds a page and an anchor that are not there', () => {
  for (const link of ['/nothing', './nothing.html', '#nothing', '/fields.html#nothing']) assert.ok(!leads('index.html', link), link)
  for (const link of ['/fields', '/api/', '/formats.html#all-formats', '/formats.html#qwen3']) assert.ok(leads('index.html', link), link)
})

test('the search index has words of pages and of the reference', () => {
  const folder = join(site, 'assets/chunks')
  const index = readdirSync(folder).filter((name) => name.includes('localSearchIndex')).map((name) => readFileSync(join(folder, name), 'utf8')).join('')
  for (const word of ['chunk boundaries', 'visibletext', 'StreamingJSONParser', 'unsafe']) assert.ok(index.toLowerCase().includes(word.toLowerCase()), word)
})

describe('in Chromium', () => {
  let browser
  let server
  let address

  before(async () => {
    browser = await chromium.launch({ executablePath: findChromium().browser, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
    server = createServer(sirv(site, { dev: true }))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${server.address().port}`
  })
  after(async () => {
    await browser?.close()
    server?.close()
  })

  /** Opens a page, acts, and asserts that it reported no error. */
  async function onPage(path, act, options) {
    const page = await browser.newPage(options)
    const complaints = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(address + path)
    await act(page)
    assert.deepEqual(complaints, [])
    await page.close()
  }

  test('the search finds a page', () =>
    onPage('/', async (page) => {
      await page.waitForLoadState('networkidle')
      await page.click('.VPNavBarSearch button')
      await page.fill('.VPLocalSearchBox input', 'quoted markup')
      await page.click('.VPLocalSearchBox .result[href*="quoted-markup"] >> nth=0')
      await page.waitForURL(/quoted-markup/)
    }))

  test('the home page plays what a regex takes back, and stands at the end without motion', async () => {
    const shown = (page, selector) => page.locator(`.played ${selector}`).allTextContents()
    const atEnd = async (page) => {
      await page.getByRole('button', { name: 'Play again' }).waitFor()
      assert.deepEqual(await shown(page, 'del'), ['<thi', '<tool_c'])
      assert.deepEqual(await shown(page, '.played-ours .played-text, .played-call'), ['Yes, 97 is prime.', 'save({"number":97})'])
      assert.deepEqual(await shown(page, '.played-count b'), ['11', '0'])
    }
    await onPage('/', async (page) => {
      await page.waitForLoadState('networkidle')
      await atEnd(page)
      await page.getByRole('button', { name: 'Play again' }).click()
      await page.locator('.played mark').first().waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('button', { name: 'Play', exact: true }).click()
      await atEnd(page)
    })
    await onPage('/', atEnd, { reducedMotion: 'reduce' })
  })

  test('the formats are found by a name, a model or a marker, on a page of a few screens', () =>
    onPage('/formats.html#kimi-k2', async (page) => {
      const { top, bottom } = await page.locator('#kimi-k2').evaluate((row) => row.getBoundingClientRect().toJSON())
      assert.ok(top > 0 && bottom < 900, `${top} to ${bottom}`)
      assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) < 6000)
      const rows = () => page.$$eval('.search-table tbody tr:not([hidden])', (all) => all.map(({ id }) => id))
      const { length } = await rows()
      assert.ok(length > 100, `${length} rows`)
      for (const [typed, wanted] of [['Qwen/Qwen3-8B', 'qwen3'], ['<|tool_call_begin|> kimi', 'kimi-k2'], ['KIMI-K3', 'kimi-k3'], ['no such model', undefined], ['', 'hermes']]) {
        await page.getByLabel('Find in the table').fill(typed)
        const found = await rows()
        assert.ok(wanted === undefined ? found.length === 0 : found.includes(wanted), `${typed}: ${found}`)
        if (typed !== '') assert.ok(found.length < 12, `${typed}: ${found}`)
      }
    }))

  for (const colorScheme of ['light', 'dark']) {
    test(`axe-core finds nothing in what the theme adds, ${colorScheme}`, async () => {
      for (const path of ['/', '/formats.html']) {
        const look = async (page) => {
          await page.evaluate(axe.source)
          const { violations } = await page.evaluate(() => globalThis.axe.run({ include: [['.played, .search-table']] }))
          assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]), [], path)
        }
        await onPage(path, look, { colorScheme, reducedMotion: 'reduce' })
      }
    })
  }

  test('the demo is one click away, and reads', () =>
    onPage('/', async (page) => {
      await page.waitForLoadState('networkidle')
      await page.click('.VPHero a:has-text("Demo")')
      await page.waitForURL(/\/demo\//)
      await page.waitForFunction(() => document.body.innerText.length > 200)
    }))

  /** The results that the search shows, by their pages. */
  const results = (page) => page.$$eval('.VPLocalSearchBox .result', (all) => all.map((link) => link.getAttribute('href').replace(/\.html|#.*/g, '').slice(1)))

  /** Asserts that a search finds this page first. It searches a while after the words were typed. */
  async function finds(page, words, wanted) {
    await page.fill('.VPLocalSearchBox input', '')
    await page.waitForFunction(() => document.querySelector('.VPLocalSearchBox .result') === null)
    await page.fill('.VPLocalSearchBox input', words)
    await page.waitForSelector('.VPLocalSearchBox .result')
    const [first, ...others] = await results(page)
    assert.equal(first, wanted, `${words}: ${[first, ...others].slice(0, 4)}`)
  }

  test('the search finds tasks before properties, and a page before the signature of a name', () =>
    onPage('/', async (page) => {
      await page.waitForLoadState('networkidle')
      await page.click('.VPNavBarSearch button')
      for (const [words, wanted] of Object.entries({
        'hide thinking': 'from-fetch-to-screen',
        'stop a stream': 'from-fetch-to-screen',
        'execute a tool call': 'agent-loop',
        'continue a reply': 'continue-retry-resume',
        'retry after an error': 'continue-retry-resume',
        'show JSON while it streams': 'fields',
        'show a file while the model writes it': 'args',
        'tool arguments streaming': 'args',
        'approve a call before its end': 'args',
        'progress of a list': 'args',
        'show a diff while it streams': 'edits',
        resume: 'continue-retry-resume',
        'use a local model': 'local-models',
        'speak a reply': 'getting-started',
        'stop button in react': 'frameworks',
        visibleText: 'from-fetch-to-screen',
        parseFields: 'fields',
        BlockParser: 'blocks',
        ReplyOptions: 'api/tokenweir',
      })) {
        await finds(page, words, wanted)
        if (/^[a-z]+[A-Z]|Block/.test(words)) assert.ok((await results(page)).some((path) => path.startsWith('api/')), words)
      }
    }))

  test('the reference begins with what most programs use', () =>
    onPage('/api/', async (page) => {
      const names = await page.$$eval('.vp-doc li a', (all) => all.map((link) => link.textContent))
      assert.deepEqual(names.slice(0, 3), ['tokenweir', 'tokenweir/blocks', 'tokenweir/fields'])
      assert.deepEqual(names.slice(-4), ['tokenweir/membrane', 'tokenweir/agently', 'tokenweir/autobyteus', 'tokenweir/ai-sdk-tool-parser'])
      assert.deepEqual(await page.$$eval('.VPSidebarItem.level-0:has(a[href*="/api/tokenweir"]) .items a', (all) => all.map((link) => link.textContent)), names)
      await page.click('.vp-doc a:text-is("tokenweir")')
      await page.waitForSelector('.vp-doc h1:has-text("tokenweir")') // the address changes before the page does
      const headings = await page.$$eval('.vp-doc h2, .vp-doc h3', (all) => all.slice(0, 2).map((heading) => heading.textContent.replace(/[^\w]/g, '')))
      assert.deepEqual(headings, ['Functions', 'readReply'])
    }))

  test('no code is cut off at 1,280 px', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    for (const name of pages().filter((name) => name !== '404.html')) {
      await page.goto(`${address}/${name}`)
      const cut = await page.$$eval('.vp-doc pre', (all) => all.filter((code) => code.scrollWidth > code.clientWidth).map((code) => code.textContent.slice(0, 80)))
      assert.deepEqual(cut, [], name)
    }
    await page.close()
  })

  test('no page is wider than a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    for (const path of ['/', '/getting-started.html', '/benchmarks.html', '/formats.html', '/api/']) {
      await page.goto(address + path)
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path)
    }
    await page.close()
  })
})
