// Speech of the visible text. What is spoken is recorded: a machine that runs tests
// has no voices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPage } from './page.mjs'

const TEXT = 'It is warm. <thinking>Not this. Nor this.</thinking>Take 3.5 litres of water! And a hat'

/** Puts a speech in the page's way that writes down what it is to speak. */
function recordSpeech(page, voices) {
  return page.addInitScript((voices) => {
    globalThis.spoken = []
    const speech = Object.assign(new EventTarget(), {
      getVoices: () => voices,
      speak: ({ text }) => globalThis.spoken.push(text),
      cancel: () => globalThis.spoken.push('(silence)'),
    })
    Object.defineProperty(globalThis, 'speechSynthesis', { value: speech })
  }, voices)
}

test('each sentence is spoken when it is whole', () =>
  withPage({ before: (page) => recordSpeech(page, [{ name: 'Ann' }]) }, async (demo) => {
    const spoken = () => demo.page.evaluate(() => globalThis.spoken)
    await demo.type(TEXT)
    const speech = demo.page.getByRole('switch', { name: 'Speak the visible text' })
    await speech.check()
    await demo.chunkSize(13)
    await demo.step()
    assert.deepEqual(await spoken(), [])
    await demo.step(4)
    assert.deepEqual(await spoken(), ['It is warm.'])
    await demo.playAll()
    assert.deepEqual(await spoken(), ['It is warm.', 'Take 3.5 litres of water!', 'And a hat'])
    await speech.uncheck()
    assert.equal((await spoken()).at(-1), '(silence)')
    await demo.playAll()
    assert.equal((await spoken()).length, 4)
  }))

test('a browser without voices says so in the page', () =>
  withPage({ before: (page) => recordSpeech(page, []) }, async (demo) => {
    const speech = demo.page.getByRole('switch', { name: 'Speak the visible text' })
    await speech.check()
    await demo.page.getByText('This browser has no voices, so it can not speak.').waitFor()
    assert.equal(await speech.isChecked(), false)
  }))
