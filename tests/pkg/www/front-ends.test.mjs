// What each parser shows, and switching between them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPage } from './page.mjs'

test('blocks are nested cards, thinking is folded', () =>
  withPage({}, async (demo) => {
    await demo.type(
      'Hi.<thinking>Hidden thought.</thinking><function_calls><invoke name="outer"><parameter name="a">1</parameter></invoke></function_calls>\n<function_results>\n<result tool_use_id="call_1">fine</result>\n<error tool_use_id="call_1">broken</error>\n</function_results>Bye.',
    )
    await demo.playAll()
    const pane = demo.pane('Blocks')
    const thinking = pane.locator('details.card-thinking')
    assert.equal(await thinking.count(), 1)
    assert.equal(await thinking.evaluate((card) => card.open), false)
    assert.equal(await thinking.locator('.text').isVisible(), false)
    await thinking.locator('summary').focus()
    await demo.page.keyboard.press('Enter')
    assert.equal(await thinking.locator('.text').innerText(), 'Hidden thought.')
    const tools = pane.locator('.card-group')
    assert.equal(await tools.count(), 1)
    assert.deepEqual(await tools.locator('.card .chip').allTextContents(), ['Call', 'Result', 'Result'])
    assert.deepEqual(await tools.locator('.card .state').allTextContents(), ['done', 'done', 'error'])
    assert.deepEqual(await pane.locator('.card-text .text').allTextContents(), ['Hi.', 'Bye.'])
    // A nested call is in the card of the outer one.
    await demo.type('<function_calls><invoke name="outer"><function_calls><invoke name="inner"><parameter name="a">x</parameter></invoke></function_calls></invoke></function_calls>')
    await demo.playAll()
    assert.equal(await pane.locator('.card-call .card-call strong').textContent(), 'inner')
  }))

test('the arguments of a call fill themselves in, input by input', () =>
  withPage({}, async (demo) => {
    await demo.type('<function_calls><invoke name="send"><parameter name="to">Ann and Bob</parameter><parameter name="count">12</parameter></invoke></function_calls>')
    await demo.chunkSize(58)
    await demo.step()
    const form = demo.page.getByRole('form', { name: 'Arguments of send' })
    const to = form.getByLabel('to')
    assert.equal(await to.inputValue(), 'A')
    assert.equal(await form.getByLabel('count').count(), 0)
    assert.equal(await to.evaluate((input) => input.readOnly), true)
    await demo.chunkSize(4)
    await demo.step()
    assert.equal(await to.inputValue(), 'Ann a')
    await demo.playAll()
    assert.equal(await to.inputValue(), 'Ann and Bob')
    assert.equal(await form.getByLabel('count').inputValue(), '12')
    // Enter in a form submits it, unless prevented.
    await form.getByLabel('count').press('Enter')
    assert.equal(await demo.visible(), '')
    assert.equal(await form.count(), 1)
  }))

test('segments: files and commands as XML, JSON and sentinels', () =>
  withPage({}, async (demo) => {
    const called = () => demo.pane('Segments').locator('.invocation p').allTextContents()
    await demo.pick('Files and commands as XML')
    assert.equal(await demo.tab('Follow an agent').getAttribute('aria-selected'), 'true')
    await demo.playAll()
    assert.deepEqual(await called(), ['Call write_file seg_2', 'Call run_bash seg_4', 'Call search_docs seg_6', 'Call edit_file seg_8'])
    const file = demo.page.getByRole('form', { name: 'write_file seg_2' })
    assert.equal(await file.getByLabel('path').inputValue(), 'tools/sum.py')
    assert.match(await file.getByLabel('content').inputValue(), /^\nimport sys\n[^]*total < 10/)
    assert.doesNotMatch(await demo.visible(), /<[^ ]|import/)

    await demo.pick('Tools as JSON')
    await demo.chunkSize(9)
    await demo.step(13)
    const tool = demo.page.getByRole('form', { name: 'tool_call seg_2' })
    assert.equal(await tool.getByLabel('function').inputValue(), 'write_fi')
    await demo.playAll()
    assert.deepEqual(await called(), ['Call write_file seg_2', 'Call read_file seg_4', 'Call search seg_6'])

    await demo.pick('Files and commands as sentinels')
    await demo.playAll()
    assert.deepEqual(await called(), ['Call write_file seg_2', 'Call run_bash seg_4', 'Call open_page seg_6'])
    assert.equal(await demo.page.getByRole('form', { name: 'run_bash seg_4' }).getByLabel('command').inputValue(), 'ls -l site && wc -c < site/main.css')
    await demo.page.getByLabel('Strategy').selectOption('XML')
    assert.deepEqual(await called(), [])
  }))

test('fields are a tree that grows', () =>
  withPage({}, async (demo) => {
    await demo.pick('JSON answer in prose and a fence')
    await demo.chunkSize(16)
    const leaves = demo.pane('Fields').locator('.leaf')
    const counts = []
    for (let turn = 0; turn < 7; turn++) {
      await demo.step(5)
      counts.push(await leaves.count())
    }
    assert.deepEqual(counts, [...counts].sort((a, b) => a - b))
    assert.ok(new Set(counts).size >= 5, counts.join())
    await demo.button('Restart').click()
    await demo.step(5)
    assert.deepEqual(await leaves.allTextContents(), ['title “Two days in P” growing'])
    await demo.playAll()
    assert.equal(await leaves.first().textContent(), 'title “Two days in Porto” done')
    assert.equal(await leaves.count(), 19)
    assert.equal(await demo.pane('Fields').locator('.state-growing').count(), 0)
    const stops = demo.pane('Fields').locator('details', { hasText: 'stops' }).locator('details').filter({ hasText: 'Foz' }).last()
    await stops.locator('summary').first().click()
    assert.equal(await stops.locator('.leaf').first().isVisible(), false)
  }))

test('what is cut off, and invalid JSON, are reported', () =>
  withPage({}, async (demo) => {
    await demo.pick('Coding agent, cut off in a command')
    await demo.playAll()
    assert.equal(await demo.pane('Segments').locator('.state').last().textContent(), 'not called')
    assert.match(await demo.pane('Segments').locator('.fault').textContent(), /^run_bash not closed/)
    await demo.pick('Broken JSON answer, cut off')
    await demo.playAll()
    const pane = demo.pane('Fields')
    assert.equal(await pane.locator('summary').first().textContent(), 'answer 8 fields cut off')
    assert.match(await pane.innerText(), /python-word/)
  }))

test('tool calls: Hermes as forms, and the parts of an AI SDK stream', () =>
  withPage({}, async (demo) => {
    await demo.type('Hi <tool_call>{"name": "get_weather", "arguments": {"city": "Porto", "days": "2"}}</tool_call> bye')
    await demo.tab('Use the AI SDK').click()
    await demo.chunkSize(64)
    await demo.step()
    assert.equal(await demo.page.getByRole('form', { name: 'Arguments of get_weather call_1' }).getByLabel('city').inputValue(), 'Por')
    await demo.playAll()
    const form = demo.page.getByRole('form', { name: 'Arguments of get_weather call_1' })
    assert.equal(await form.getByLabel('city').inputValue(), 'Porto')
    assert.equal(await form.getByLabel('days').inputValue(), '2')
    const parts = await demo.pane('AI SDK parts').locator('li').evaluateAll((lines) => lines.map((line) => line.querySelector('.type').textContent))
    assert.deepEqual(parts.filter((type, index) => type !== parts[index - 1]), ['text-start', 'text-delta', 'text-end', 'tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call', 'text-start', 'text-delta', 'text-end'])
    assert.match(await demo.pane('AI SDK parts').locator('.part-tool-call .detail').textContent(), /^get_weather \{"city":"Porto","days":2\}$/)
    assert.equal(await demo.visible(), 'Hi bye')
  }))

test('tool calls: pending text is marked, and a rejected call is text', () =>
  withPage({}, async (demo) => {
    await demo.type('Hi <tool_call>{"name": "x", "arguments": {"a": "b"}}</tool_call> <tool_call>no</tool_call>')
    await demo.tab('Use the AI SDK').click()
    await demo.chunkSize(11)
    for (const [steps, pending] of [[1, '<tool_ca'], [2, '<tool_call>{"name": "x", "argu'], [1, '"a'], [1, '}</t']]) {
      await demo.step(steps)
      assert.equal(await demo.pending(), pending)
    }
    await demo.playAll()
    assert.equal(await demo.page.locator('.raw .role-call').textContent(), '<tool_call>{"name": "x", "arguments": {"a": "b"}}</tool_call>')
    assert.equal(await demo.visible(), 'Hi <tool_call>no</tool_call>')
  }))

test('tool calls: Morph', () =>
  withPage({}, async (demo) => {
    await demo.pick('Morph XML tool calls')
    await demo.playAll()
    const form = demo.page.getByRole('form', { name: 'Arguments of plan_trip call_3' })
    assert.equal(await form.getByLabel('title').inputValue(), 'Two days & a night')
    assert.equal(await form.getByRole('group', { name: 'stops' }).getByLabel('2').inputValue(), 'Foz')
    assert.equal(await form.getByRole('group', { name: 'budget' }).getByLabel('amount').inputValue(), '240.5')
  }))

test('arguments: what is absent, open and done, and the edits while they are written', () =>
  withPage({}, async (demo) => {
    await demo.pick('Edits: old text and new text')
    const json = await demo.text().inputValue()
    const readTo = async (text) => {
      await demo.button('Restart').click()
      await demo.chunkSize(1)
      await demo.step(json.indexOf(text) + text.length)
    }
    const states = () => demo.pane('Arguments').locator('.leaf, summary').evaluateAll((rows) => rows.map((row) => [row.querySelector('.key').textContent, row.querySelector('.state').textContent].join(' ')))
    const places = () => demo.pane('Arguments').locator('.places').allTextContents()
    const lines = (side) => demo.pane('Edits').locator(`.line-${side}`).allTextContents()
    await readTo('"src/gre')
    assert.deepEqual(await states(), ['arguments open', 'path open'])
    assert.deepEqual(await places(), ['open: path', 'absent: edits, reason'])
    assert.equal(await demo.pane('Edits').textContent(), 'No path of a file yet.')
    await readTo('return \\"He')
    assert.deepEqual(await states(), ['arguments open', 'path done', 'edits open', '0 open', 'old_string open'])
    assert.deepEqual(await places(), ['open: edits › 0 › old_string', 'absent: reason'])
    assert.deepEqual([await lines('old'), await lines('new')], [['def greet(name):', '    return "He'], []])
    assert.match(await demo.pane('Edits').locator('.card-head').textContent(), /^updatesrc\/greet.pyopen$/)
    await demo.playAll()
    assert.deepEqual(await places(), ['open: nothing', 'absent: nothing'])
    assert.ok((await states()).every((state) => state.endsWith(' done')))
    assert.deepEqual(await lines('old'), ['def greet(name):', '    return "Helo " + name', 'if len(sys.argv) < 1:'])
    assert.match(await demo.pane('Edits').locator('.card-head').textContent(), /done$/)
    assert.match(await demo.page.locator('.structure .pane-head').textContent(), /complete: run the call/)
    assert.match(await demo.visible(), /^src\/greet.py\ndef greet/)
  }))

test('arguments: a patch is files, numbers are shown when they are done', () =>
  withPage({}, async (demo) => {
    await demo.pick('A patch of several files')
    await demo.playAll()
    assert.deepEqual(await demo.pane('Edits').locator('.card-head').allTextContents(), ['updatesrc/greet.pydone', 'addtests/test_greet.pydone', 'deleteold_greet.pydone'])
    await demo.type('{"n": 10')
    await demo.playAll()
    const leaf = demo.pane('Arguments').locator('.leaf')
    assert.equal(await leaf.count(), 0)
    assert.equal(await demo.page.locator('.structure .wrong').textContent(), "cut off: don't run it")
    await demo.type('{"n": 10 }')
    await demo.playAll()
    assert.equal(await leaf.first().textContent(), 'n 10 done')
  }))

test('arguments that are cut off, or are not JSON, are not to be run', () =>
  withPage({}, async (demo) => {
    await demo.pick('Cut off in the text of a file')
    await demo.playAll()
    const note = demo.page.locator('.structure .pane-head .wrong')
    assert.equal(await note.textContent(), "cut off: don't run it")
    assert.match(await demo.pane('Edits').locator('.card-head').textContent(), /malformed$/)
    await demo.type('{"path": Dave}')
    await demo.playAll()
    assert.equal(await note.textContent(), "faulty: don't run it")
    assert.match(await demo.pane('Arguments').locator('.fault').textContent(), /where a value is expected, at 9$/)
  }))

test('what reads two tabs is loaded when one is chosen, and plays then', () =>
  withPage({ plays: true, before: (page) => page.route(/late-\w+\.js$/, (route) => setTimeout(() => route.continue(), 300)) }, async (demo) => {
    await demo.tab('Show a call').click()
    assert.equal(await demo.button('Play').isDisabled(), true)
    await demo.pane('Arguments').getByText('src/greet.py').waitFor()
    assert.equal(await demo.problems(), '')
  }))

test('edits: the files of a patch while it is written, and the text around it', () =>
  withPage({}, async (demo) => {
    await demo.pick('A patch of three files')
    const edits = demo.pane('Edits')
    await demo.chunkSize(1)
    await demo.step((await demo.text().inputValue()).indexOf('Helo') + 2)
    assert.equal(await edits.locator('.card-head').textContent(), 'updatesrc/greet.pyopen')
    assert.deepEqual([await edits.locator('.line-old').allTextContents(), await demo.pending()], [['    return "He'], ''])
    await demo.playAll()
    assert.deepEqual(await edits.locator('.card-head').allTextContents(), ['updatesrc/greet.pydone', 'addtests/test_greet.pydone', 'deleteold_greet.pydone'])
    assert.match(await demo.visible(), /^The greeting .* I change two files and remove one:\n\nNow greet\(" Ann "\) returns Hello, Ann\. A line such as \*\*\* Begin is text\.$/)
    await demo.pick('A block to search and replace')
    await demo.playAll()
    assert.deepEqual([await edits.locator('.line-old').count(), await edits.locator('.line-new').count()], [2, 3])
  }))

test('switching keeps the position in the stream', () =>
  withPage({}, async (demo) => {
    await demo.type('One <run_bash>ls</run_bash> two <thinking>three')
    await demo.chunkSize(10)
    await demo.step(4)
    assert.equal(await demo.visible(), 'One <run_bash>ls</run_bash> two')
    await demo.tab('Follow an agent').click()
    assert.equal(await demo.fed(), 40)
    assert.equal(await demo.visible(), 'One two <thinkin')
    await demo.tab('Read XML tags').click()
    assert.equal(await demo.pending(), '<thinkin')
    await demo.playAll()
    await demo.tab('Follow an agent').click()
    assert.equal(await demo.visible(), 'One two <thinking>three')
  }))
