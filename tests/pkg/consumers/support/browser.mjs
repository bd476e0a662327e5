// A browser for the tests in a file, and a server for its pages.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before } from 'node:test'
import puppeteer from 'puppeteer-core'
import sirv from 'sirv'

const LAUNCH = {
  chromium: { browser: 'chrome', executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] },
  firefox: { browser: 'firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' },
}

/** Starts a browser before the tests and ends it after them; returns a function that opens a page, and one that shows it. */
export function useBrowser(name = 'chromium') {
  let browser
  before(async () => {
    browser = await puppeteer.launch({ headless: true, ...LAUNCH[name] })
  })
  after(() => browser?.close())

  /** Shows a page; returns it, and the errors of the page and the browser. */
  async function show(url) {
    const page = await browser.newPage()
    const complaints = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(String(url))
    return { page, complaints }
  }

  /** Opens a page that reports (see report.mjs); returns its outcome, and the errors. */
  async function open(url) {
    const { page, complaints } = await show(url)
    try {
      const body = await page.waitForSelector('[data-outcome]', { timeout: 30_000 }).catch((error) => assert.fail(`${url}: ${error.message} ${complaints.join(' ')}`))
      return { outcome: await body.evaluate(({ dataset }) => dataset.outcome), complaints }
    } finally {
      await page.close()
    }
  }
  return Object.assign(open, { show })
}

/** Serves while the tests run; returns a function that turns paths into URLs. */
export function useServer(handle) {
  const server = createServer(handle)
  before(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (path) => new URL(path, `http://127.0.0.1:${server.address().port}`)
}

/** Serves the files of a folder. */
export const files = (folder) => sirv(folder, { dev: true })
