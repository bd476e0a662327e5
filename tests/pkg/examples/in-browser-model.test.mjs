// examples/in-browser-model.html in Chromium, with a module that has transformers.js' names and writes given replies.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { open, served } from './running.mjs'

const library = readFileSync(new URL('transformers.mjs', import.meta.url), 'utf8')

/** The template of Qwen3 in TRL 1.17, trl/chat_template_utils.py. */
const response_template = {
  defaults: { role: 'assistant' },
  start_anchor: '<|im_start|>assistant\n',
  fields: {
    reasoning_content: { open: '<think>', close_pattern: '</think>\\s*', content: 'text' },
    tool_calls: { open: '<tool_call>', close_pattern: '</tool_call>\\s*', repeats: true, content: 'json', transform: { type: 'function', function: '{content}' } },
    content: { close_pattern: '<\\|im_end\\|>\\s*', content: 'text' },
  },
}
const id = 'onnx-community/Qwen3-0.6B-ONNX'
const call = '<tool_call>\n{"name": "multiply", "arguments": {"a": 1234, "b": 5678}}\n</tool_call>'
const asks = `<think>\nI multiply.\n</think>\n\nA moment.\n${call}<|im_end|>`
const answers = '<think>\n\n</think>\n\nIt is 7006652.<|im_end|>'

const examples = served()

/** Opens the page with models and their replies, asks, and returns what it shows, as it came, and what it asked. */
async function asked({ configs = { [id]: { response_template, chat_template: '' } }, replies, model = id, use = async () => {} }) {
  const context = await examples.browser.newContext()
  await context.route('https://cdn.jsdelivr.net/**', (route) => route.fulfill({ contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' }, body: library }))
  await context.addInitScript(([configs, replies]) => Object.assign(globalThis, { configs, replies, asked: [] }), [configs, replies])
  const { page, complaints } = await open(context, new URL('in-browser-model.html', examples.server.address).href)
  try {
    await page.evaluate(() => {
      globalThis.seen = []
      const log = document.querySelector('#log')
      new MutationObserver(() => seen.push(log.textContent)).observe(log, { childList: true, subtree: true })
    })
    await page.fill('#model', model)
    await page.click('#ask')
    await use(page)
    await page.waitForFunction(() => /^(Done|Failed|The reply)/.test(document.querySelector('#status').textContent) && !document.querySelector('#ask').disabled)
    assert.deepEqual(complaints, [])
    return await page.evaluate(() => ({
      shown: [...document.querySelectorAll('#log p')].map(({ className, textContent }) => [className, textContent.trim()]).filter(([, text]) => text !== ''),
      status: document.querySelector('#status').textContent,
      seen,
      asked,
    }))
  } finally {
    await context.close()
  }
}

describe('in-browser-model.html', () => {
  const turn = [['thinking', 'I multiply.'], ['text', 'A moment.'], ['tool_call', 'multiply {"a":1234,"b":5678}'], ['tool_result', '= 7006652'], ['text', 'It is 7006652.']]

  test('shows what the model writes by its response_template, runs its call, and sends the result', async () => {
    const { shown, status, seen, asked: requests } = await asked({ replies: [asks, answers] })
    assert.deepEqual(shown, turn)
    assert.equal(status, 'Done.')
    assert.deepEqual(requests.map(({ messages }) => messages), [
      [{ role: 'user', content: 'What is 1234 times 5678?' }],
      [
        { role: 'user', content: 'What is 1234 times 5678?' },
        { role: 'assistant', content: 'A moment.', tool_calls: [{ type: 'function', function: { name: 'multiply', arguments: { a: 1234, b: 5678 } } }] },
        { role: 'tool', name: 'multiply', content: '7006652' },
      ],
    ])
    assert.ok(seen.some((text) => /multiply \{"a":1234$/.test(text.trimEnd().replace(/,$/, ''))), 'a call grows')
    for (const text of seen) assert.doesNotMatch(text, /[<>]/)
  })

  test('a reply that the chat template begins', async () => {
    const configs = { [id]: { response_template, chat_template: '', opens: '<think>\n' } }
    const { shown } = await asked({ configs, replies: [asks.replace('<think>\n', ''), answers.replace('<think>\n', '')] })
    assert.deepEqual(shown, turn)
  })

  test('without a template, and with one that can not be streamed, a known format counts: by the chat template, or by the name', async () => {
    const patterns = { fields: { content: { close_pattern: '\\n|$' } } }
    const chat_template = '<think>…</think> <tool_call> {"name": …, "arguments": …} </tool_call> <tool_response> …'
    for (const [model, config] of [[id, { chat_template: '' }], [id, { response_template: patterns, chat_template: '' }], ['mine', { chat_template }]])
      assert.deepEqual((await asked({ configs: { [model]: config }, replies: [asks, answers], model })).shown, turn)
  })

  test('a call that is cut off does not run', async () => {
    const cut = asks.slice(0, asks.indexOf('5678'))
    const { shown, status, asked: requests } = await asked({ replies: [cut] })
    assert.equal(status, 'The reply was cut off.')
    assert.equal(requests.length, 1)
    assert.deepEqual(shown.map(([type]) => type), ['thinking', 'text', 'tool_call', 'problem'])
  })

  test('Stop ends the reply', async () => {
    const replies = [`<think>\n${'and on '.repeat(3000)}`]
    const { shown, status } = await asked({ replies, use: async (page) => {
      await page.waitForFunction(() => document.querySelector('#log').textContent.includes('and on'))
      await page.click('#stop')
    } })
    assert.equal(status, 'The reply was cut off.')
    assert.equal(shown.length, 1)
    assert.ok(shown[0][1].length < replies[0].length)
  })

  test('shows an error on the page', async () => {
    assert.equal((await asked({ configs: {}, replies: [] })).status, `Failed: There is no ${id}.`)
    const unknown = await asked({ configs: { mine: { chat_template: '' } }, replies: [], model: 'mine' })
    assert.equal(unknown.status, 'Failed: fromResponseTemplate: the template must be an object, but is undefined')
  })
})
