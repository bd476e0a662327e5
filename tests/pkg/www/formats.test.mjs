// Wire formats on the page: each by its id or a model's name, with its sample.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formats } from 'tokenweir/formats'
import { parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/yaml'
import { withPage } from './page.mjs'

test('every format of the package is there, and its sample is read as the package reads it', () =>
  withPage({}, async (demo) => {
    const { page } = demo
    await demo.tab('Formats').click()
    const select = page.getByRole('combobox', { name: 'Format' })
    assert.deepEqual(await select.locator('option').evaluateAll((options) => options.map(({ value }) => value)), Object.keys(formats))
    await demo.chunkSize(5)
    await demo.pace(9)
    let calls = 0
    for (const [id, row] of Object.entries(formats)) {
      await select.selectOption(id)
      if (row.call?.body === 'yaml') await page.locator('.choices [role=alert]:empty').waitFor({ state: 'attached' })
      await demo.button('Play').click()
      await demo.atEnd()
      const { written, tools, prefill, ...shown } = await page.evaluate(shownParts)
      assert.equal(written, row.sample ?? '', id)
      const wanted = parseReply(written, { format: withYaml(row), tools: Object.entries(tools).map(([name, inputSchema]) => ({ name, inputSchema })), ...(prefill === '' ? {} : { prefill }) })
      assert.deepEqual(shown, {
        visible: wanted.text,
        reasoning: wanted.reasoning.trim(),
        calls: wanted.toolCalls.map(({ toolName }) => `${toolName} made`),
        faults: wanted.problems.map(({ message }) => message),
        pending: 0,
      }, id)
      calls += wanted.toolCalls.length
    }
    assert.ok(calls > 80, `${calls} calls`)
  }))

test('reasoning, text and arguments appear while they are written', () =>
  withPage({}, async (demo) => {
    await demo.format('qwen3.5')
    await demo.chunkSize(18)
    await demo.step(2)
    const pane = demo.pane('Reply')
    assert.equal(await pane.locator('.card-thinking .text').textContent(), 'The user asks for the weathe')
    assert.equal(await demo.page.locator('.raw .role-thinking').count(), 1)
    await demo.playAll()
    const form = demo.page.getByRole('form', { name: 'Arguments of get_weather call_1' })
    assert.equal(await form.getByLabel('location').inputValue(), 'Paris')
    assert.equal(await demo.page.locator('.raw .role-markup').first().textContent(), '<think>\n')
    assert.match(await demo.pane('AI SDK parts').innerText(), /reasoning-delta[^]*tool-input-start[^]*tool-call/)
  }))

test('a model is found by its name, and what its format is known by is shown', () =>
  withPage({}, async (demo) => {
    await demo.tab('Formats').click()
    const name = demo.page.getByLabel("Find by a model's name")
    await name.fill('moonshotai/Kimi-K2-Instruct')
    assert.equal(await demo.page.getByRole('combobox', { name: 'Format' }).inputValue(), 'kimi-k2')
    assert.equal(await demo.text().inputValue(), formats['kimi-k2'].sample)
    assert.equal(await demo.page.getByText('It writes Kimi K2.').count(), 1)
    for (const pattern of formats['kimi-k2'].models) assert.equal(await demo.page.locator('.facts').getByText(pattern, { exact: true }).count(), 1)
    await name.fill('nobody/knows-this')
    await demo.page.getByText('No format is known for this name.').waitFor()
    assert.equal(await demo.page.getByRole('combobox', { name: 'Format' }).inputValue(), 'kimi-k2')
  }))

test("the reader's own text stays when another format is chosen, and the prompt's end counts", () =>
  withPage({}, async (demo) => {
    const own = 'It is <b>late</b>.\n</think>\n<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>'
    await demo.type(own)
    await demo.format('granite4')
    assert.equal(await demo.text().inputValue(), own)
    await demo.format('hermes')
    await demo.playAll()
    assert.match(await demo.visible(), /late/)
    assert.equal(await demo.pane('Reply').locator('.card-call').count(), 1)
    await demo.page.getByLabel('The prompt ended with').fill('<think>\\n')
    assert.equal(await demo.pane('Reply').locator('.card-thinking .text').textContent(), 'It is <b>late</b>.')
    assert.equal((await demo.visible()).trim(), '')
    await demo.button('Show its sample').click()
    assert.equal(await demo.text().inputValue(), formats.hermes.sample)
    assert.match(await demo.page.getByRole('combobox', { name: 'Sample' }).locator('option:checked').textContent(), /^Sample of Hermes/)
  }))

test('what reads YAML comes when it is needed, and a failure is reported', () =>
  withPage({ before: (page) => page.route(/yaml-[^/]*\.js$/, (route) => route.abort()), expected: /ERR_FAILED/ }, async (demo) => {
    await demo.format('yaml-xml')
    await demo.page.getByText('The library that reads YAML could not be loaded').waitFor()
    assert.equal(await demo.page.locator('.choices [role=alert]').textContent(), 'The library that reads YAML is loading.')
    await demo.format('hermes')
    await demo.playAll()
    assert.equal(await demo.pane('Reply').locator('.card-call').count(), 1)
  }))

/** What the page shows of a reply. Runs in the page. */
function shownParts() {
  const setting = (name) => [...document.querySelectorAll('label')].find(({ textContent }) => textContent.startsWith(name)).querySelector('input, textarea').value
  const texts = (selector) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)
  return {
    written: setting('What the model writes'),
    tools: JSON.parse(setting('Tools: JSON schemas by name')),
    prefill: setting('The prompt ended with').replaceAll('\\n', '\n'),
    visible: texts('[data-visible]').join(''),
    reasoning: texts('.structure .card-thinking .text').join('').trim(),
    calls: [...document.querySelectorAll('.structure .card-call')].map((card) => `${card.querySelector('strong').textContent} ${card.querySelector('.state').textContent}`),
    faults: texts('.structure .fault'),
    pending: document.querySelectorAll('.raw mark').length,
  }
}
