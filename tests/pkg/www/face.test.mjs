// What the page is like to use: it doesn't move, fits small screens, can be read,
// and works by keyboard alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TABS, withPage } from './page.mjs'

/** Samples by their names; of a wire format, by its id. */
const SAMPLES = ['Agent turn: thinking, calls, results', 'Files and commands as XML', 'JSON answer in prose and a fence', 'Hermes tool calls', 'Edits: old text and new text', 'A patch of several files', { format: 'qwen3.5' }, { format: 'anthropic-xml' }]

const show = (demo, sample) => (typeof sample === 'string' ? demo.pick(sample) : demo.format(sample.format))
const nameOf = (sample) => sample.format ?? sample

// They wait for the page most of the time, so both at a time.
describe('nothing moves while text streams', { concurrency: true }, () => {
  for (const width of [360, 1280]) {
    test(`${width} px wide`, () =>
      withPage({ viewport: { width, height: 900 } }, async (demo) => {
        const { page } = demo
        await page.evaluate(() => {
          globalThis.shift = 0
          new PerformanceObserver((list) => {
            for (const { value } of list.getEntries()) globalThis.shift += value
          }).observe({ type: 'layout-shift', buffered: false })
        })
        await demo.chunkSize(9)
        for (const sample of SAMPLES) {
          await show(demo, sample)
          await demo.pace(7)
          for (const place of ['.naive', '.raw', '.structure', '.latency']) {
            await demo.button('Restart').click()
            await page.locator(place).evaluate((pane) => pane.scrollIntoView({ block: 'center' }))
            await page.waitForTimeout(100)
            await page.evaluate(() => (globalThis.shift = 0))
            // By script: a click would scroll to the button.
            await page.evaluate(() => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Play').click())
            await demo.atEnd()
            await page.waitForTimeout(50)
            const shift = await page.evaluate(() => globalThis.shift)
            // A tenth of what counts as good: on a busy machine a run in four had 0.0055.
            assert.ok(shift < 0.01, `${nameOf(sample)}, ${place}: ${shift}`)
          }
        }
      }))
  }
})

test('on a small screen the buttons stay in view, on a wide one nothing covers the settings', async () => {
  const place = (demo, selector) => demo.page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON())
  await withPage({ viewport: { width: 360, height: 740 } }, async (demo) => {
    await demo.page.evaluate(() => scrollTo(0, 1500))
    assert.equal((await place(demo, '.transport')).top, 0)
  })
  await withPage({ viewport: { width: 1280, height: 500 } }, async (demo) => {
    await demo.page.evaluate(() => scrollTo(0, 600))
    const [buttons, side] = [await place(demo, '.transport'), await place(demo, '.side')]
    assert.ok(buttons.right <= side.left, `${buttons.right} and ${side.left}`)
  })
})

test('360 px is wide enough', () =>
  withPage({ viewport: { width: 360, height: 740 } }, async (demo) => {
    for (const sample of SAMPLES) {
      await show(demo, sample)
      await demo.playAll()
      const [inner, outer] = await demo.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      assert.ok(inner <= outer, `${nameOf(sample)}: ${inner} px`)
      const wide = await demo.page.locator('.pane-body').evaluateAll((panes) => panes.filter((pane) => pane.scrollWidth > pane.clientWidth).map((pane) => pane.getAttribute('aria-labelledby')))
      assert.deepEqual(wide, [], nameOf(sample))
    }
    await demo.button('Run the benchmark').click()
    await demo.page.getByRole('table').waitFor({ timeout: 60_000 })
    assert.ok((await demo.page.evaluate(() => document.documentElement.scrollWidth)) <= 360)
  }))

for (const width of [390, 1280]) {
  test(`no word that fits a line is broken, ${width} px wide`, () =>
    withPage({ viewport: { width, height: 900 }, plays: true, reducedMotion: 'reduce' }, async (demo) => {
      for (const tab of TABS) {
        await demo.tab(tab).click()
        await demo.atEnd()
        const { count, broken } = await demo.page.evaluate(words)
        assert.ok(count > 20, `${tab}: ${count} words`)
        assert.deepEqual(broken, [], tab)
      }
    }))
}

/** The words of the texts in panes, and those that are on two lines. Runs in the page. */
function words() {
  const broken = []
  let count = 0
  for (const text of document.querySelectorAll('.pane .text')) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      for (const { 0: word, index } of walker.currentNode.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange()
        range.setStart(walker.currentNode, index)
        range.setEnd(walker.currentNode, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        count++
        if (lines.size > 1) broken.push(word)
      }
    }
  }
  return { count, broken }
}

for (const colorScheme of ['light', 'dark']) {
  test(`all text is readable, ${colorScheme}`, () =>
    withPage({ colorScheme, reducedMotion: 'reduce' }, async (demo) => {
      const background = await demo.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      assert.equal(luminance(numbersOf(background)) > 0.5, colorScheme === 'light', background)
      for (const sample of SAMPLES) {
        await show(demo, sample)
        await demo.chunkSize(60)
        await demo.step(4)
        await requireContrast(demo, nameOf(sample))
        await demo.playAll()
        await requireContrast(demo, nameOf(sample))
      }
      await demo.tab('Fill a form').click()
      await demo.page.getByLabel('Schema of the answer').fill('{')
      await requireContrast(demo, 'a wrong schema')
    }))
}

/** Every piece of text has a contrast of 4.5 to its background. */
async function requireContrast(demo, place) {
  const pairs = await demo.page.evaluate(() => {
    const seen = new Map()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: element, data } = walker.currentNode
      if (data.trim() === '' || !element.checkVisibility({ visibilityProperty: true }) || element.closest('option, :disabled')) continue
      let background = element
      while (background !== null && /rgba\(.*, 0\)|transparent/.test(getComputedStyle(background).backgroundColor)) background = background.parentElement
      const colours = [getComputedStyle(element).color, getComputedStyle(background ?? document.documentElement).backgroundColor]
      seen.set(colours.join(), [...colours, data.trim().slice(0, 30)])
    }
    return [...seen.values()]
  })
  assert.ok(pairs.length > 5)
  for (const [text, background, words] of pairs) {
    const [light, dark] = [luminance(numbersOf(text)), luminance(numbersOf(background))].sort((a, b) => b - a)
    const contrast = (light + 0.05) / (dark + 0.05)
    assert.ok(contrast >= 4.5, `${place}: "${words}" has ${contrast.toFixed(2)} (${text} on ${background})`)
  }
}

function numbersOf(colour) {
  const numbers = /^rgba?\((\d+), (\d+), (\d+)\)$/.exec(colour)
  assert.ok(numbers, `a plain colour, not ${colour}`)
  return numbers.slice(1).map(Number)
}

/** WCAG 2's relative luminance. */
function luminance(numbers) {
  const [red, green, blue] = numbers.map((number) => (number / 255 <= 0.04045 ? number / 255 / 12.92 : ((number / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('light and dark can be chosen, and persist', () =>
  withPage({ colorScheme: 'light' }, async (demo) => {
    const page = () => demo.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await page()
    await demo.button('Switch to dark').click()
    assert.notEqual(await page(), light)
    await demo.page.reload()
    await demo.button('Switch to light').waitFor()
    assert.notEqual(await page(), light)
  }))

test('everything works by keyboard, with a visible focus', () =>
  withPage({}, async (demo) => {
    const { page } = demo
    const { keyboard } = page
    await demo.text().waitFor()
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        return { name: element.getAttribute('aria-label') ?? element.getAttribute('aria-labelledby') ?? element.labels?.[0]?.textContent ?? element.textContent.trim().slice(0, 30), role: element.getAttribute('role') ?? element.tagName.toLowerCase(), id: element.id, isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 }
      })
    const reach = async (name) => {
      for (let tries = 0; tries < 40; tries++) {
        await keyboard.press('Tab')
        const now = await focused()
        assert.ok(now.isSeen, `the focus on ${JSON.stringify(now)} is seen`)
        if (now.name.includes(name)) return now
      }
      assert.fail(`Tab doesn't lead to ${name}`)
    }
    /** Goes from control to control, and presses keys where there are some. */
    const walk = async (...path) => {
      for (const [name, ...keys] of path) {
        await reach(name)
        for (const key of keys) await keyboard.press(key)
      }
    }
    await walk(["To the parser's output"], ['Switch to dark'], ['Copy the install line'], ['Read XML tags'], ['Play'], ['Step', 'Space'])
    assert.equal(await demo.fed(), 4)
    await walk(['Restart', 'Enter'])
    assert.equal(await demo.fed(), 0)
    // The results come before the settings.
    await walk(['naive-title'], ['visible-title'], ['raw-title'], ['structure-title'], ['Sample', 'ArrowDown'])
    assert.match(await demo.text().inputValue(), /^Not every </)
    await walk(['What the model writes'], ['Chunk size', 'End'], ['Pace', 'End'], ['Speak the visible text'], ['Tags besides the known ones'], ['Run the benchmark'])
    await demo.tab('Read XML tags').focus()
    for (const tab of ['tool-calls', 'formats']) {
      await keyboard.press('ArrowRight')
      assert.equal((await focused()).id, `tab-${tab}`)
    }
    await walk(['Format', 'Home'], ["Find by a model's name"])
    await keyboard.type('deepseek-v3.2')
    assert.equal(await page.getByRole('combobox', { name: 'Format' }).inputValue(), 'deepseek-v3.2')
    await walk(['The prompt ended with'], ['Tools, which say', 'Enter'], ['Tools: JSON schemas'])
    await demo.tab('Show the text').focus()
    for (const key of ['Home', 'ArrowRight']) await keyboard.press(key)
    assert.equal((await focused()).id, 'tab-fields')
    assert.equal(await demo.tab('Fill a form').getAttribute('aria-selected'), 'true')
    assert.equal(await page.getByRole('tabpanel').getAttribute('aria-labelledby'), 'tab-fields')
    await keyboard.press('End')
    assert.equal((await focused()).id, 'tab-tool-calls')
    await keyboard.press('ArrowLeft')
    await walk(['Play', 'Enter'])
    await demo.atEnd()
    // Panes scroll by arrow keys, and follow the text again from their end.
    for (const title of ['Raw text', 'Regex: visible text', 'tokenweir: visible text', 'Blocks']) {
      await demo.pane(title).focus()
      assert.ok((await focused()).isSeen, title)
    }
    await demo.button('Run the benchmark').focus()
    assert.ok((await focused()).isSeen)
  }))

test('a reader who scrolls away from the end of a pane stays there', () =>
  withPage({}, async (demo) => {
    await demo.chunkSize(8)
    await demo.step(60)
    const raw = demo.pane('Raw text')
    const isAtEnd = () => raw.evaluate((pane) => pane.scrollHeight - pane.scrollTop - pane.clientHeight < 24)
    assert.equal(await isAtEnd(), true)
    await raw.evaluate((pane) => (pane.scrollTop = 0))
    await demo.page.waitForTimeout(50)
    await demo.step(5)
    assert.equal(await raw.evaluate((pane) => pane.scrollTop), 0)
  }))

test('with reduced motion, nothing moves', () =>
  withPage({ reducedMotion: 'reduce' }, async (demo) => {
    await demo.playAll()
    const moving = await demo.page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => Number.parseFloat(getComputedStyle(element).transitionDuration) > 0 || getComputedStyle(element).animationName !== 'none').length)
    assert.equal(moving, 0)
  }))
