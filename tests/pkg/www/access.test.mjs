// Who can use the page: axe-core finds nothing, in light and dark, in each tab, on a screen and a phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import axe from 'axe-core'
import { TABS, withPage } from './page.mjs'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

for (const colorScheme of ['light', 'dark']) {
  for (const [name, screen] of [['1280 px', { viewport: { width: 1280, height: 900 } }], ['390 px', PHONE]]) {
    test(`axe-core finds nothing, ${name}, ${colorScheme}`, () =>
      withPage({ ...screen, colorScheme, plays: true, reducedMotion: 'reduce' }, async (demo) => {
        const { page } = demo
        await page.evaluate(axe.source)
        for (const tab of TABS) {
          await demo.tab(tab).click()
          await demo.atEnd()
          const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations', 'passes'] }))
          assert.ok(passes.length > 20, `${passes.length} rules were checked`)
          assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]), [], tab)
        }
      }))
  }
}

test('a phone has the results before the settings, all tabs, nothing wider than it is, and what a finger touches is at least 44 px high', () =>
  withPage({ ...PHONE, plays: true, reducedMotion: 'reduce' }, async (demo) => {
    const { page } = demo
    assert.equal(await page.evaluate(() => matchMedia('(pointer: coarse)').matches), true)
    for (const tab of TABS) {
      await demo.tab(tab).click()
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, tab)
      const box = (selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().toJSON())
      assert.ok((await box('.latency')).bottom <= (await box('.side')).top, tab)
      for (const one of await page.getByRole('tab').all()) {
        const { left, right, clipped } = await one.evaluate((element) => ({ ...element.getBoundingClientRect().toJSON(), clipped: element.scrollWidth > element.clientWidth }))
        assert.ok(left >= 0 && right <= 390 && !clipped, `${tab}: ${left} to ${right}`)
      }
      const targets = await page.evaluate(() =>
        [...document.querySelectorAll('button, select, a[href], summary, input:not([readonly]), .speech label')]
          .filter((element) => element.checkVisibility() && !element.matches('.skip, .speech input'))
          .map((element) => ({ name: element.textContent.slice(0, 30) || element.getAttribute('aria-label'), height: element.getBoundingClientRect().height })),
      )
      assert.ok(targets.length > 12, tab)
      assert.deepEqual(targets.filter(({ height }) => height < 44), [], tab)
    }
  }))
