// What a stranger meets: the page plays on its own, beside a regex, and a link shows the same.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { formatFor } from 'tokenweir/formats'
import { TABS, withPage } from './page.mjs'

// The page is in the repository, where this folder's tools are too.
const root = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), '../..')
const { linksOf } = await import(pathToFileURL(join(root, 'www/links.mjs')).href)

/** The address; the one that Playwright keeps comes later. */
const query = (demo) => demo.page.evaluate(() => location.search)

const taken = async (demo, which) => Number(await demo.page.locator(`[data-taken=${which}]`).textContent())

test('it plays when it is opened, and each tab plays a sample of its own', () =>
  withPage({ plays: true, address: '?pace=200' }, async (demo) => {
    await demo.atEnd()
    const texts = new Set()
    for (const tab of [...TABS.slice(1), TABS[0]]) {
      await demo.tab(tab).click()
      texts.add(await demo.text().inputValue())
      await demo.page.waitForFunction(() => Number(/\d+/.exec(document.querySelector('.progress .count').textContent)[0]) > 40)
      await demo.atEnd()
    }
    assert.equal(texts.size, TABS.length)
    // Whoever has used a button decides when the next sample begins.
    await demo.button('Restart').click()
    await demo.tab('Fill a form').click()
    await demo.page.waitForTimeout(200)
    assert.equal(await demo.fed(), 0)
  }))

test("it opens on README's reply, with README's program beside it", () =>
  withPage({ plays: true, address: '' }, async (demo) => {
    await demo.atEnd()
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    assert.ok(readme.includes(`\`\`\`text\n${await demo.visible()}\n`))
    const program = (await demo.page.locator('.program').textContent()).split('\n')
    for (const line of [program[0], program[2], program[4].replace(/ \{$/, '')]) assert.ok(line.length > 20 && readme.includes(line), line)
    assert.equal(await demo.page.getByRole('combobox', { name: 'Format' }).inputValue(), formatFor(/'(.*)'/.exec(program[2])[1]).id)
    for (const tab of TABS) {
      await demo.tab(tab).click()
      const [, name, entry] = /^import \{ (\w+) \} from '(.*)'$/.exec(await demo.page.locator('.program code').first().textContent().then((line) => line.trim()))
      assert.ok(name in (await import(entry)), `${name} of ${entry}`)
      if (tab === TABS[0]) await demo.pick('Gemma 4: thinking, text, calls')
      assert.equal(await demo.page.getByText("const format = 'gemma4'").count(), tab === TABS[0] ? 1 : 0)
    }
  }))

test('with reduced motion the sample is shown whole', () =>
  withPage({ plays: true, reducedMotion: 'reduce' }, async (demo) => {
    await demo.atEnd()
    assert.equal(await demo.fed(), (await demo.text().inputValue()).length)
    assert.equal(await demo.page.getByText('Your system asks for less motion').count(), 1)
  }))

test('a regex shows half a tag and takes it back, tokenweir does not', () =>
  withPage({}, async (demo) => {
    const naive = () => demo.page.locator('[data-naive]').textContent()
    await demo.type('Hello <thinking>no</thinking> <b>you</b>')
    await demo.chunkSize(9)
    await demo.step()
    assert.equal(await naive(), 'Hello <th')
    assert.deepEqual([await demo.raw(), await demo.pending()], ['Hello <th', '<th'])
    assert.match(await demo.page.locator('.raw .note').first().textContent(), /^pending: 3$/)
    // The space is shown with what comes after it.
    assert.equal(await demo.visible(), 'Hello')
    assert.equal(await demo.page.locator('[data-naive] mark').textContent(), '<th')
    assert.equal(await taken(demo, 'naive'), 0)
    await demo.step()
    // What it took back stays where it was, struck through.
    assert.equal(await demo.page.locator('[data-naive] del').textContent(), '<th')
    assert.equal(await naive(), 'Hello <th')
    assert.equal(await taken(demo, 'naive'), 3)
    assert.equal(await demo.pending(), '')
    assert.deepEqual([await demo.page.locator('.raw .role-markup').textContent(), await demo.page.locator('.raw .role-thinking').textContent()], ['<thinking>', 'no'])
    await demo.playAll()
    assert.equal(await naive(), 'Hello <th <b>you</b>')
    assert.equal(await demo.visible(), 'Hello <b>you</b>')
    // What it never finds is marked: thinking whose tag the prompt had.
    await demo.tab('Show the text').click()
    await demo.type('hm</think>Hi')
    await demo.page.getByLabel('The prompt ended with').fill('<think>')
    await demo.playAll()
    assert.deepEqual([(await demo.page.locator('.leak').allTextContents()).join(''), await demo.visible()], ['hm</think>', 'Hi'])
    for (const tab of TABS) {
      await demo.page.getByLabel('Sample').selectOption({ index: 0 })
      await demo.tab(tab).click()
      await demo.chunkSize(4)
      await demo.playAll()
      assert.ok((await taken(demo, 'naive')) > 0, tab)
      assert.equal(await taken(demo, 'ours'), 0, tab)
    }
  }))

test('Markdown is rendered, and nothing else of a text is markup', () =>
  withPage({}, async (demo) => {
    const hostile = '<img src=x onerror=alert(1)> <script>alert(2)</script> [a](javascript:alert(3)) ![b](http://x.test/b.png) [c](https://x.test)'
    await demo.type(`# One\n\n- **two**\n- \`three\`\n\n| four |\n| --- |\n| five |\n\n${hostile}`)
    await demo.playAll()
    const pane = demo.page.locator('[data-visible]')
    assert.deepEqual(await pane.locator('.heading, strong, code, th, td').allTextContents(), ['One', 'two', 'three', 'four', 'five'])
    assert.match(await demo.visible(), /<img src=x onerror=alert\(1\)> <script>alert\(2\)<\/script> a b c$/)
    assert.deepEqual(await pane.locator('a, img, script').evaluateAll((all) => all.map(({ href }) => href)), ['https://x.test/'])
    await demo.type(`${'>'.repeat(9000)} deep`)
    await demo.playAll()
    assert.match(await demo.visible(), /^>+ deep$/)
  }))

test('the regex is given no more than 20,000 characters', () =>
  withPage({}, async (demo) => {
    await demo.type('x'.repeat(20_100))
    await demo.chunkSize(64)
    await demo.playAll()
    await demo.page.getByText('the page stops it after 20,000 characters').waitFor()
    assert.equal((await demo.visible()).length, 20_100)
  }))

test('tags can be chosen, and an unknown role is reported', () =>
  withPage({}, async (demo) => {
    await demo.type('a<plan>b</plan>c')
    await demo.playAll()
    assert.equal(await demo.visible(), 'a<plan>b</plan>c')
    const tags = demo.page.getByLabel('Tags besides the known ones')
    await tags.fill('plan')
    assert.equal(await demo.visible(), 'ac')
    assert.equal(await demo.page.locator('[data-naive]').textContent(), 'a<plc')
    await tags.fill('plan: king')
    assert.match(await demo.page.locator('.choices [role=alert]').textContent(), /unknown role "king"/)
  }))

test('the address keeps the tab, the sample, the format, the tags, the chunk size and the pace', async () => {
  let address
  const state = async (demo) => ({
    tab: await demo.page.locator('[role=tab][aria-selected=true]').textContent(),
    sample: await demo.page.getByLabel('Sample').locator('option:checked').textContent(),
    text: await demo.text().inputValue(),
    size: await demo.page.getByRole('slider', { name: 'Chunk size' }).inputValue(),
    pace: await demo.page.getByRole('slider', { name: 'Pace' }).inputValue(),
  })
  const seen = []
  const addresses = []
  await withPage({}, async (demo) => {
    for (const act of [() => demo.pick('Broken JSON answer, cut off'), () => demo.format('kimi-k2'), () => demo.tab('Read XML tags').click().then(() => demo.pick('Custom tags: <scratchpad>'))]) {
      await act()
      await demo.chunkSize(7 + seen.length)
      await demo.pace(9 - seen.length)
      seen.push(await state(demo))
      addresses.push(await query(demo))
    }
    await demo.page.getByLabel('Tags besides the known ones').fill('plan, scratchpad')
    address = await query(demo)
    await demo.page.goBack()
    await demo.page.goBack()
    assert.deepEqual([await query(demo), await state(demo)], [addresses[1], seen[1]])
    await demo.page.goForward()
    await demo.page.goForward()
    assert.equal((await state(demo)).sample, seen[2].sample)
    assert.equal(await query(demo), address)
  })
  for (const [index, one] of addresses.entries()) await withPage({ address: one }, async (demo) => assert.deepEqual(await state(demo), seen[index]))
  await withPage({ address }, async (demo) => assert.equal(await demo.page.getByLabel('Tags besides the known ones').inputValue(), 'plan, scratchpad'))
  await withPage({ address: '?tab=nothing&sample=none&format=no&size=900&pace=-1' }, async (demo) => {
    const { text, ...rest } = await state(demo)
    assert.deepEqual(rest, { tab: 'Show the text', sample: 'Qwen3: is 97 prime?', size: '4', pace: '4' })
    assert.match(text, /^<think>97/)
    assert.equal(await demo.problems(), '')
  })
})

test('the install line is copied, and the links are those of the package', () =>
  withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (demo) => {
    const { page } = demo
    await demo.button('Copy the install line').click()
    await page.getByText('Copied').waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'npm install tokenweir')
    const { docs, source } = linksOf(createRequire(import.meta.url)('tokenweir/package.json'))
    const links = await page.getByRole('navigation', { name: 'Package' }).getByRole('link').evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))
    assert.deepEqual(links, [['Docs', docs], ['Source', source]])
    for (const href of [docs, source]) assert.match(href, /^https:/)
  }))

test('a repository is linked however it is written', () => {
  const url = 'git+https://example.org/a/b.git'
  for (const repository of [url, { type: 'git', url }]) assert.deepEqual(linksOf({ name: 'a', homepage: 'https://example.org/', repository }), { name: 'a', docs: 'https://example.org/', source: 'https://example.org/a/b' })
  assert.deepEqual(linksOf({ name: 'a', homepage: 'javascript:alert(1)' }), { name: 'a', docs: undefined, source: undefined })
})

/** What the page may weigh when it is opened, gzipped: all parsers, what reads a response, 106 formats, Markdown, and the samples. */
// Esbuild, which splits the page's code, loads with a file what other names of an entry load later: 401 KB since there are 16 entries.
const MOST_KB = 420

test(`the page is lighter than ${MOST_KB} KB`, async () => {
  const bodies = []
  await withPage({ before: (page) => void page.on('response', (response) => bodies.push(response.body().catch(() => Buffer.alloc(0)))) }, async () => {})
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length)
  const all = sizes.reduce((sum, size) => sum + size, 0) / 1000
  console.log(`# ${Math.round(all)} KB`)
  assert.ok(all > 50 && all < MOST_KB, `${all} KB`)
})
