// The demo plays a stream: chunk by chunk, at a pace, with pending characters marked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TABS, withPage } from './page.mjs'

test('hidden markup leaves no holes, in any tab', () =>
  withPage({}, async (demo) => {
    const texts = {
      'Read XML tags': '<thinking>a</thinking>\n\nOne.\n\n\n<thinking>b</thinking>\n\n\nTwo.\n<invoke name="f"></invoke>\n\n',
      'Follow an agent': '<run_bash>a</run_bash>\n\nOne.\n\n\n<run_bash>b</run_bash>\n\n\nTwo.\n<run_bash>c</run_bash>\n\n',
      'Use the AI SDK': '<tool_call>{"name": "a"}</tool_call>\n\nOne.\n\n\n<tool_call>{"name": "a"}</tool_call>\n\n\nTwo.\n<tool_call>{"name": "a"}</tool_call>\n\n',
      'Show the text': '<think>a</think>\n\nOne.\n\n\n<tool_call>\n<function=a>\n</function>\n</tool_call>\n\n\nTwo.\n<tool_call>\n<function=a>\n</function>\n</tool_call>\n\n',
    }
    for (const [tab, text] of Object.entries(texts)) {
      await demo.tab(tab).click()
      await demo.type(text)
      await demo.chunkSize(3)
      await demo.playAll()
      assert.equal(await demo.visible(), 'One.\n\nTwo.', tab)
    }
  }))

test('a sample can be picked, and a text can be pasted', () =>
  withPage({}, async (demo) => {
    const texts = new Set()
    let count = 0
    for (const tab of TABS) {
      await demo.tab(tab).click()
      const labels = await demo.samples()
      assert.ok(labels.length >= 1, tab)
      count += labels.length
      for (const label of labels) {
        await demo.pick(label)
        texts.add(await demo.text().inputValue())
      }
    }
    assert.ok(count >= 12, `${count} samples`)
    assert.equal(texts.size, count)
    await demo.tab('Read XML tags').click()
    await demo.type('my own')
    assert.equal(await demo.page.getByLabel('Sample').locator('option:checked').textContent(), 'Your own text')
    await demo.playAll()
    assert.equal(await demo.visible(), 'my own')
  }))

test('a step feeds one chunk of the size that is set, and no half of a surrogate pair', () =>
  withPage({}, async (demo) => {
    const slider = demo.page.getByRole('slider', { name: 'Chunk size' })
    assert.deepEqual([await slider.getAttribute('min'), await slider.getAttribute('max')], ['1', '64'])
    await demo.type(`a🧳${'b'.repeat(100)}`)
    await demo.chunkSize(2)
    await demo.step()
    assert.equal(await demo.fed(), 3)
    await demo.chunkSize(64)
    await demo.step()
    assert.equal(await demo.fed(), 67)
    assert.equal(await demo.visible(), `a🧳${'b'.repeat(64)}`)
  }))

test('play goes at its pace, pauses, continues, and starts over', () =>
  withPage({}, async (demo) => {
    await demo.type('x'.repeat(4000))
    await demo.chunkSize(1)
    // 5 chunks a second.
    await demo.pace(2)
    await demo.button('Play').click()
    await demo.page.waitForTimeout(1200)
    await demo.button('Pause').click()
    const fed = await demo.fed()
    assert.ok(fed >= 3 && fed <= 9, `${fed} chunks in about 1.2 seconds`)
    await demo.page.waitForTimeout(400)
    assert.equal(await demo.fed(), fed)
    await demo.step()
    assert.equal(await demo.fed(), fed + 1)
    // 500 chunks a second.
    await demo.pace(8)
    await demo.button('Play').click()
    await demo.page.waitForFunction((fed) => Number(/\d+/.exec(document.querySelector('.progress .count').textContent)[0]) > fed + 20, fed)
    await demo.button('Restart').click()
    assert.equal(await demo.fed(), 0)
    assert.equal(await demo.visible(), '')
  }))

test('the chunk size does not change the final output', () =>
  withPage({}, async (demo) => {
    const labels = []
    for (const tab of TABS) {
      await demo.tab(tab).click()
      labels.push(...(await demo.samples()))
    }
    for (const label of labels) {
      await demo.pick(label)
      const outcomes = []
      for (const size of [1, 64]) {
        await demo.chunkSize(size)
        await demo.playAll()
        assert.equal(await demo.pending(), '', label)
        outcomes.push([await demo.visible(), await demo.pane(/^(Blocks|Segments|Fields|Calls|Reply|Arguments|Edits)$/).first().innerText()])
        await demo.button('Restart').click()
      }
      assert.deepEqual(outcomes[0], outcomes[1], label)
    }
    assert.equal(await demo.problems(), '')
  }))
