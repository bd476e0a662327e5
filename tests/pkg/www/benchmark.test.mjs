// The benchmark against a plain JavaScript parser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPage } from './page.mjs'

test('it shows medians and ratios, and the page stays responsive', () =>
  withPage({}, async (demo) => {
    const { page } = demo
    await page.evaluate(() => {
      globalThis.longest = 0
      let last = performance.now()
      const look = (now) => {
        globalThis.longest = Math.max(globalThis.longest, now - last)
        last = now
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await demo.button('Run the benchmark').click()
    assert.equal(await demo.button('Run the benchmark').isDisabled(), true)
    await page.getByRole('table').waitFor({ timeout: 60_000 })
    const rows = await page.locator('.bench tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))
    assert.deepEqual(rows.map(([name]) => name), ['plain JavaScript', 'BlockParser', 'IncrementalXmlParser'])
    assert.equal(rows[0][3], 'x1.00')
    for (const [name, milliseconds, nanoseconds, ratio] of rows) {
      assert.ok(Number(milliseconds) > 0 && Number(nanoseconds) > 0, name)
      assert.match(ratio, /^x\d+\.\d\d$/, name)
    }
    assert.match(await page.locator('.bench [role=status]').textContent(), /All produce the same visible text\.$/)
    // The rounds last seconds; were they on the page's own thread, frames would wait for whole samples.
    const longest = await page.evaluate(() => globalThis.longest)
    assert.ok(longest < 500, `the page froze for ${longest} ms`)
  }))

test('the page reports a failure', () =>
  withPage({ before: (page) => page.route(/bench\.js$/, (route) => route.abort()), expected: /ERR_FAILED/ }, async (demo) => {
    await demo.button('Run the benchmark').click()
    await demo.page.getByRole('alert').getByText('The benchmark failed: ').waitFor()
  }))
