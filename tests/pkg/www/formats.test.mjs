// Wire formats on the page: each by its id or a model's name, with its sample.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formats } from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { withPage } from './page.mjs'

test('every format of the package is there, and its sample is read as the package reads it', () =>
  withPage({}, async (demo) => {
    const { page } = demo
    await demo.tab('Show the text').click()
    const select = page.getByRole('combobox', { name: 'Format' })
    assert.deepEqual(await select.locator('option').evaluateAll((options) => options.map(({ value }) => value)), Object.keys(formats))
    await demo.chunkSize(5)
    await demo.pace(9)
    let calls = 0
    for (const [id, row] of Object.entries(formats)) {
      await select.selectOption(id)
      const own = demo.button('Show its own sample')
      if ((await own.count()) > 0) await own.click()
      if (row.call?.body === 'yaml') await page.locator('.choices [role=alert]:empty').waitFor({ state: 'attached' })
      await demo.button('Play').click()
      await demo.atEnd()
      const { written, tools, prefill, ...shown } = await page.evaluate(shownParts)
      assert.equal(written, row.sample ?? '', id)
      const wanted = await readReply(written, { format: withYaml(row), tools: Object.entries(tools).map(([name, inputSchema]) => ({ name, inputSchema })), ...(prefill === '' ? {} : { prefill }) }).result()
      assert.deepEqual(shown, {
        visible: wanted.text,
        thinking: wanted.thinking.trim(),
        calls: wanted.blocks.filter(({ type }) => type === 'tool_call').map(({ toolName = '', incomplete }) => `${toolName} ${incomplete ? 'cut off' : 'done'}`),
        pending: 0,
      }, id)
      calls += wanted.toolCalls.length
      const content = (await demo.response()).map((event) => event.choices[0].delta.content ?? '').join('')
      assert.equal(content, written, id)
    }
    assert.ok(calls > 80, `${calls} calls`)
  }))

test('reasoning, text and arguments appear while they are written', () =>
  withPage({}, async (demo) => {
    await demo.format('qwen3.5')
    await demo.button('Show its own sample').click()
    await demo.chunkSize(18)
    await demo.step(2)
    const pane = demo.pane('Reply')
    assert.equal(await pane.locator('.card-thinking .text').textContent(), 'The user asks for the weathe')
    assert.equal(await demo.page.locator('.raw .role-thinking').count(), 1)
    await demo.playAll()
    const form = demo.page.getByRole('form', { name: 'Arguments of get_weather call_1' })
    assert.equal(await form.getByLabel('location').inputValue(), 'Paris')
    assert.equal(await demo.page.locator('.raw .role-markup').first().textContent(), '<think>\n')
    assert.equal(await demo.pane('Reply').locator('.card-thinking').evaluate((card) => card.open), false)
  }))

test('a reply with thinking, text and calls is read from a response', () =>
  withPage({}, async (demo) => {
    await demo.pick('Qwen3.5: thinking, text, calls')
    await demo.chunkSize(6)
    await demo.step(40)
    assert.match(await demo.visible(), /^I look up both cities/)
    assert.match((await demo.page.locator('.response .text').first().textContent()) ?? '', /^data: \{"choices":\[\{"index":0,"delta":\{"content":"<think"\}\}\]\}$/)
    await demo.playAll()
    assert.doesNotMatch(await demo.visible(), /<[a-z/]|user hates rain|\n\n\n/)
    assert.deepEqual(await demo.pane('Reply').locator('.card-call strong').allTextContents(), ['get_weather', 'get_weather', 'search'])
    assert.equal((await demo.response()).at(-1).choices[0].finish_reason, 'stop')
    for (const [label, visible] of [['Gemma 4: thinking, text, calls', /^The settings are in one file.*retries < 3\.$/], ['gpt-oss: channels', /^I'll check the weather in Paris first; for 2 < 3 degrees I would take a coat\.$/]]) {
      await demo.pick(label)
      await demo.playAll()
      assert.match(await demo.visible(), visible)
      assert.ok((await demo.pane('Reply').locator('.card-call').count()) > 0, label)
    }
  }))

test('a model is found by its name, and what its format is known by is shown', () =>
  withPage({}, async (demo) => {
    await demo.tab('Show the text').click()
    const name = demo.page.getByLabel("Find by a model's name")
    await name.fill('moonshotai/Kimi-K2-Instruct')
    assert.equal(await demo.page.getByRole('combobox', { name: 'Format' }).inputValue(), 'kimi-k2')
    assert.equal(await demo.text().inputValue(), formats['kimi-k2'].sample)
    await name.fill('gpt-oss-20b')
    assert.match(await demo.text().inputValue(), /<\|channel\|>commentary<\|message\|>I'll check/)
    await name.fill('moonshotai/Kimi-K2-Instruct')
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
    await demo.settled()
    assert.equal(await demo.pane('Reply').locator('.card-thinking .text').textContent(), 'It is <b>late</b>.')
    assert.equal((await demo.visible()).trim(), '')
    await demo.button('Show its own sample').click()
    assert.equal(await demo.text().inputValue(), formats.hermes.sample)
    assert.match(await demo.page.getByRole('combobox', { name: 'Sample' }).locator('option:checked').textContent(), /^The format's own sample$/)
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
    thinking: texts('.structure .card-thinking .text').join('').trim(),
    calls: [...document.querySelectorAll('.structure .card-call')].map((card) => `${card.querySelector('strong')?.textContent ?? ''} ${card.querySelector('.state').textContent}`),
    pending: document.querySelectorAll('.raw mark').length,
  }
}
