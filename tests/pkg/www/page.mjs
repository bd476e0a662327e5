// The browser demo in headless Chromium, for the tests in this folder: served as
// a static folder below a path, and from nowhere else.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sirv from 'sirv'

const FOLDER = '/some/folder/'

/** The tabs, in order. */
export const TABS = ['Show the text', 'Fill a form', 'Show a call', 'Show file changes', 'Follow an agent', 'Read XML tags', 'Use the AI SDK']

let browser
let server
let origin

before(async () => {
  const serve = sirv(fileURLToPath(new URL('../../../www/dist/', import.meta.url)), { dev: true })
  server = createServer((request, response) => {
    if (request.url.startsWith(FOLDER)) {
      request.url = request.url.slice(FOLDER.length - 1)
      return serve(request, response)
    }
    response.statusCode = 404
    response.end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${server.address().port}`
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
})

after(async () => {
  await browser?.close()
  server?.close()
})

/**
 * Opens the demo in a new window and acts there. Whatever the page writes on its
 * console, throws, or asks of another place fails the test, but for what `expected` fits.
 * `before(page)` runs before the page is loaded; `isReady: false` where it never is. The page
 * plays when it is opened: it is set back to the start, but for `plays: true`. Most tests
 * type a text with tags, so they begin with the tab that reads tags.
 */
export async function withPage({ before, expected, isReady = true, plays = false, address = '?tab=blocks', ...options }, act) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const complaints = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => !request.url().startsWith(`${origin}${FOLDER}`) && !request.url().startsWith('data:') && complaints.push(`asked for ${request.url()}`))
  page.on('response', (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`))
  try {
    await before?.(page)
    await page.goto(`${origin}${FOLDER}${address}`)
    if (isReady) await page.getByRole('tab').first().waitFor()
    if (isReady && !plays) await page.getByRole('button', { name: 'Restart', exact: true }).evaluate((button) => button.click())
    await act(new Demo(page))
  } finally {
    await context.close()
  }
  assert.deepEqual(complaints.filter((complaint) => !expected?.test(complaint)), [])
}

/** The page, by what a reader does and sees. */
class Demo {
  constructor(page) {
    this.page = page
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true })
  }

  tab(name) {
    return this.page.getByRole('tab', { name })
  }

  pane(title) {
    return this.page.getByRole('region', { name: title })
  }

  text() {
    return this.page.getByLabel('What the model writes')
  }

  async type(text) {
    await this.text().fill(text)
  }

  /** Picks a sample, from its tab. */
  async pick(label) {
    for (const tab of [...TABS, TABS[0]]) {
      const labels = await this.samples()
      if (labels.includes(label)) return this.page.getByLabel('Sample').selectOption({ label })
      await this.tab(tab).click()
    }
    throw new Error(`no sample "${label}"`)
  }

  /** The samples of the tab. */
  samples() {
    return this.page.locator('.source optgroup option').allTextContents()
  }

  /** Chooses a wire format by its id, with its sample. */
  async format(id) {
    await this.tab('Show the text').click()
    await this.page.getByRole('combobox', { name: 'Format' }).selectOption(id)
  }

  async chunkSize(size) {
    await this.page.getByRole('slider', { name: 'Chunk size' }).fill(String(size))
  }

  /** A place of the slider: 9 is as fast as possible. */
  async pace(place) {
    await this.page.getByRole('slider', { name: 'Pace' }).fill(String(place))
  }

  async step(times = 1) {
    const step = this.button('Step')
    for (let time = 0; time < times; time++) await step.click()
    await this.settled()
  }

  /** Until what was fed is read and shown. */
  settled() {
    return this.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  }

  /** Plays to the end, as fast as possible unless it is said otherwise. */
  async playAll({ pace = 9 } = {}) {
    await this.pace(pace)
    await this.button('Play').click()
    await this.atEnd()
  }

  async atEnd() {
    await this.page.getByText('At the end').waitFor()
  }

  /** How many characters were fed. */
  async fed() {
    return Number(/\d+/.exec(await this.page.locator('.progress .count').textContent())[0])
  }

  async visible() {
    await this.settled()
    return this.page.locator('[data-visible]').innerText()
  }

  /** The events of the response that the Formats tab reads, the last 200. */
  async response() {
    const lines = await this.page.locator('.response .text').allTextContents()
    return lines.filter((line) => line !== 'data: [DONE]').map((line) => JSON.parse(line.slice('data: '.length)))
  }

  async raw() {
    return this.page.locator('.raw .text').textContent()
  }

  /** The characters that are marked as pending. */
  async pending() {
    return (await this.page.locator('.raw mark').allTextContents()).join('')
  }

  /** What the page says went wrong. */
  async problems() {
    return (await this.page.locator('#problems p > span').allTextContents()).join('\n')
  }
}
