// The pages of examples/, opened as a user opens them: served by examples/serve.mjs, in Chromium.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { open, served } from './running.mjs'

const examples = served()

/** Opens a page, uses it, and closes it; it must report no errors. */
async function onPage(name, act) {
  const { page, complaints } = await open(examples.browser, new URL(name, examples.server.address).href)
  try {
    await act(page)
    assert.deepEqual(complaints, [])
  } finally {
    await page.close()
  }
}

const status = (page, text) => page.waitForFunction((text) => document.querySelector('#status').textContent === text, text)

describe('serve.mjs', () => {
  test('redirects to the package by its public names', async () => {
    const at = (path) => new URL(path, examples.server.address).href
    for (const entry of ['tokenweir', 'tokenweir/blocks', 'tokenweir/fields']) {
      const reply = await fetch(at(`/${entry}`))
      assert.ok(reply.redirected)
      assert.match(reply.headers.get('content-type'), /javascript/)
      assert.match(await reply.text(), /export/)
    }
    for (const path of ['/tokenweir/nothing', '/nothing.html', '/package/nothing', '/package/../../package.json']) assert.equal((await fetch(at(path))).status, 404, path)
    assert.ok((await fetch(at('/'))).url.endsWith('/visible-filter.html'))
  })
})

describe('visible-filter.html', () => {
  const visible = 'Let me look. I will ask the weather service. It is 5 < 7 degrees, so take a <b>coat</b> 🧥.'

  test('shows only the visible text, as it arrives', () =>
    onPage('visible-filter.html', async (page) => {
      await page.evaluate(() => {
        globalThis.seen = []
        const output = document.querySelector('#visible')
        new MutationObserver(() => seen.push(output.textContent)).observe(output, { childList: true })
      })
      await page.fill('#pace', '1')
      await page.click('#play')
      await status(page, 'Done.')
      assert.equal(await page.textContent('#visible'), visible)
      const seen = await page.evaluate(() => seen)
      assert.ok(seen.length > 20, `it came in ${seen.length} pieces`)
      for (const text of seen) assert.ok(visible.startsWith(text), text)
      assert.equal(await page.locator('#visible b').count(), 0, 'markup of the model is text')
    }))

  test('played again before the end, it starts over', () =>
    onPage('visible-filter.html', async (page) => {
      await page.fill('#pace', '5')
      await page.click('#play')
      await page.waitForFunction(() => document.querySelector('#visible').textContent.length > 5)
      await page.click('#play')
      await page.fill('#pace', '0')
      await status(page, 'Done.')
      assert.equal(await page.textContent('#visible'), visible)
    }))

  test('shows an error on the page', () =>
    onPage('visible-filter.html', async (page) => {
      await page.evaluate(() => {
        ReadableStream.prototype.pipeThrough = () => ({ pipeTo: () => Promise.reject(new Error('the line is dead')) })
      })
      await page.click('#play')
      await status(page, 'Failed: the line is dead')
    }))
})

describe('fields-form.html', () => {
  const values = {
    'guest.name': 'Zoë Okafor',
    'guest.email': 'zoe@example.org',
    nights: '3',
    'rooms[0].number': '12',
    'rooms[0].view': 'garden',
    'rooms[1].number': '14',
    'rooms[1].view': 'sea 🌊 <east>',
    note: 'Late arrival,\n"after ten".',
  }

  /** Records the form continuously. */
  const watch = (page) =>
    page.evaluate(() => {
      globalThis.shown = []
      const form = document.querySelector('form')
      const note = () => {
        shown.push({
          values: Object.fromEntries(new FormData(form)),
          locked: [...form.querySelectorAll('input, textarea')].filter((control) => control.readOnly).map(({ name }) => name),
          canSend: !form.querySelector('button').disabled,
          status: document.querySelector('#status').textContent,
        })
        setTimeout(note)
      }
      note()
    })

  test('fills itself in as the answer arrives, and can be sent when it is complete', () =>
    onPage('fields-form.html', async (page) => {
      await page.fill('#pace', '2')
      await watch(page)
      await page.click('#play')
      await status(page, 'Please check it and send it.')
      const shown = await page.evaluate(() => shown)
      const reading = shown.filter(({ status }) => status === 'Reading …')
      assert.ok(reading.length > 20)
      for (const { values: now } of shown) for (const [name, value] of Object.entries(now)) assert.ok(values[name].startsWith(value), `${name}: ${value}`)
      assert.ok(reading.every(({ canSend }) => !canSend), 'nothing can be sent before the end')
      assert.ok(reading.some(({ values }) => values['guest.name'] !== '' && values['guest.name'] !== 'Zoë Okafor'), 'a name grows')
      assert.ok(reading.some(({ locked }) => locked.includes('note') && !locked.includes('guest.name')), 'what is done can be changed, what is not cannot')
      const rows = reading.map(({ values }) => Object.keys(values).filter((name) => name.endsWith('].number')).length)
      assert.deepEqual([...new Set(rows)], [0, 1, 2], 'a row for each element, when it comes')

      await page.fill('[name="guest.name"]', 'Zoë A. Okafor')
      await page.click('form button')
      assert.deepEqual(JSON.parse(await page.textContent('#sent')), { ...values, 'guest.name': 'Zoë A. Okafor' })
    }))

  test('for a truncated answer the form shows the text so far, and sends nothing', () =>
    onPage('fields-form.html', async (page) => {
      await page.fill('#pace', '0')
      const answer = await page.inputValue('#answer')
      await page.fill('#answer', answer.slice(0, answer.indexOf('after ten')))
      await page.click('#play')
      await status(page, 'The answer was cut off: play it again.')
      assert.equal(await page.inputValue('[name="note"]'), 'Late arrival,\n"')
      assert.ok(await page.isDisabled('form button'))
      await page.press('[name="guest.name"]', 'Enter')
      assert.equal(await page.textContent('#sent'), '')
    }))

  test('an example before the answer is withdrawn', () =>
    onPage('fields-form.html', async (page) => {
      await page.fill('#pace', '0')
      await page.fill('#answer', `Like {"guest": {"name": "Nobody"}, "rooms": [{"number": 1}, {"number": 2}, {"number": 3}]}:\n${await page.inputValue('#answer')}`)
      await page.click('#play')
      await status(page, 'Please check it and send it.')
      await page.click('form button')
      assert.deepEqual(JSON.parse(await page.textContent('#sent')), values)
    }))

  test('played again before the end, it starts over; names that the form does not have are ignored', () =>
    onPage('fields-form.html', async (page) => {
      await page.fill('#pace', '5')
      await page.click('#play')
      await page.waitForFunction(() => document.querySelector('[name="guest.email"]').value.length > 3)
      await page.fill('#answer', '{"guest": {"name": "Al", "email": "al@example.org"}, "length": 1, "nights": 1, "rooms": [], "item": {"x": "y"}, "note": null}')
      await page.click('#play')
      await status(page, 'Please check it and send it.')
      await page.click('form button')
      assert.deepEqual(JSON.parse(await page.textContent('#sent')), { 'guest.name': 'Al', 'guest.email': 'al@example.org', nights: '1', note: '' })
    }))
})
