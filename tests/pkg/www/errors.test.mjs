// Errors are sentences in the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPage } from './page.mjs'

test('an invalid schema and invalid tools are reported next to them, and the page continues once they are valid', () =>
  withPage({}, async (demo) => {
    await demo.type('{"a": 1}')
    await demo.tab('Fill a form').click()
    const schema = demo.page.getByLabel('Schema of the answer')
    const alert = demo.page.locator('.choices [role=alert]')
    await schema.fill('{"a": ')
    assert.match(await alert.textContent(), /^The schema is not valid JSON: /)
    assert.equal(await schema.getAttribute('aria-invalid'), 'true')
    await schema.fill('{"a": 5}')
    assert.match(await alert.textContent(), /schema.*5/)
    await schema.fill('{"a": "int"}')
    assert.equal(await alert.textContent(), '')
    await demo.playAll()
    assert.equal(await demo.pane('Fields').locator('.leaf').textContent(), 'a 1 done')
    await demo.tab('Use the AI SDK').click()
    await demo.page.getByLabel('Tools: JSON schemas by name').fill('[]')
    assert.match(await alert.textContent(), /^The tools must be an object/)
  }))

test('uncaught errors are reported', () =>
  withPage({ expected: /lost|adrift/ }, async (demo) => {
    await demo.page.evaluate(() => {
      setTimeout(() => {
        throw new Error('lost')
      })
      void Promise.reject(new Error('adrift'))
    })
    await demo.page.getByText('Something failed in this page: lost').waitFor()
    await demo.page.getByText('Something failed in this page: adrift').waitFor()
    assert.equal(await demo.page.locator('#problems').getAttribute('role'), 'alert')
    await demo.button('Close this message').first().click()
    assert.equal((await demo.problems()).split('\n').length, 1)
  }))

test('a browser without WebAssembly gets a message', () =>
  withPage({ before: (page) => page.addInitScript(() => delete globalThis.WebAssembly), isReady: false }, async (demo) => {
    await demo.page.getByText('This browser has no WebAssembly').waitFor()
  }))

test('a page whose policy forbids WebAssembly says so', () =>
  withPage(
    {
      before: (page) =>
        page.route(/folder\/\?/, async (route) => {
          const answer = await route.fetch()
          await route.fulfill({ response: answer, body: (await answer.text()).replace("'wasm-unsafe-eval'", '') })
        }),
      isReady: false,
      expected: /Content Security Policy|unsafe-eval/,
    },
    async (demo) => {
      await demo.page.getByText(/^The parser can not run here: .*wasm-unsafe-eval/).waitFor()
      assert.equal(await demo.page.getByRole('tab').count(), 0)
    },
  ))

test('a program that can not be loaded is reported', () =>
  withPage({ before: (page) => page.route(/app-.*\.js$/, (route) => route.abort()), isReady: false, expected: /ERR_FAILED/ }, async (demo) => {
    await demo.page.getByText('The parser can not run here: ').waitFor()
  }))

test('a text that is too long is rejected, and the previous one stays', () =>
  withPage({}, async (demo) => {
    await demo.type('short')
    await demo.type('x'.repeat(100_001))
    await demo.page.getByRole('alert').getByText('That text is too long for this page').waitFor()
    assert.equal(await demo.text().inputValue(), 'short')
    await demo.type('x'.repeat(100_000))
    await demo.chunkSize(64)
    await demo.playAll()
    assert.equal((await demo.visible()).length, 100_000)
  }))
