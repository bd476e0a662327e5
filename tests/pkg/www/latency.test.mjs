// How long characters were pending: as a strip, and in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPage } from './page.mjs'

test('the strip shows the pending characters, and so does the sentence', () =>
  withPage({}, async (demo) => {
    const strip = demo.page.locator('.latency [role=img]')
    const words = demo.page.locator('.latency .words')
    await demo.type(`${'a'.repeat(60)}<thinking>${'b'.repeat(40)}</thinking>`)
    await demo.chunkSize(60)
    await demo.step()
    assert.equal(await words.textContent(), 'Of 60 visible characters, 100 % were emitted with the chunk that brought them. Nothing had to wait for a later chunk. Pending now: 0.')
    await demo.chunkSize(1)
    await demo.step(9)
    assert.match(await words.textContent(), /Pending now: 9\.$/)
    // 121 characters in 120 bars: the tag's first character is in bar 59 or 60, and 8 have come since.
    const heights = () => demo.page.locator('.latency .bar').evaluateAll((bars) => bars.map((bar) => new DOMMatrix(getComputedStyle(bar).transform).d))
    const waiting = await heights()
    assert.equal(waiting.length, 120)
    assert.ok(Math.abs(waiting[60] - Math.sqrt(8 / 16)) < 0.1, `${waiting[60]}`)
    assert.ok(waiting[10] < 0.1)
    assert.equal(waiting[100], 0)
    assert.ok((await demo.page.locator('.latency .bar-pending').count()) >= 8)
    await demo.step()
    assert.match(await words.textContent(), /The longest wait: 9 characters \(9 chunks\), at 60\. Pending now: 0\.$/)
    assert.equal(await demo.page.locator('.latency .bar-pending').count(), 0)
    assert.equal(await strip.getAttribute('aria-label'), await words.textContent())
  }))
