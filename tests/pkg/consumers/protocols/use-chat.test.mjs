// `useChat` of each major of @ai-sdk/react, rendered in Chromium, over what `respond` writes.
import { build } from 'esbuild'
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readReply } from 'tokenweir'
import { respond } from 'tokenweir/respond'
import { useBrowser, useServer } from '../support/browser.mjs'
import { until } from './clients.mjs'
import { BROKEN, endlessReply, looped, refused, replyOf } from './sources.mjs'

/** The majors: of the hook, and of `ai` with it. */
const HOOKS = { '@ai-sdk/react 2': ['ai-react-v5', 'ai-v5'], '@ai-sdk/react 3': ['ai-react-v6', 'ai'], '@ai-sdk/react 4': ['ai-react-v7', 'ai-v7'] }

/** A chat: each part as a line with its type, its state, and what it has; the calls of `weather` run in the page. */
const chat = (hook, ai) => `
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useChat } from ${JSON.stringify(hook)}
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls } from ${JSON.stringify(ai)}

const runs = location.search === '?runs'
const line = ({ type, state, text, input, output, errorText }) => [type, state, text?.trim(), input?.city, output && (output.rain ? JSON.stringify(output) : output), errorText].filter((said) => said !== undefined).join(' ')

function Chat() {
  const chat = useChat({
    transport: new DefaultChatTransport({ api: '/' }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall: ({ toolCall: { toolCallId, toolName: tool, input } }) => void (runs && chat.addToolOutput({ tool, toolCallId, output: input.city + ': rain' })),
  })
  return h('main', { 'data-status': chat.status },
    chat.messages.map(({ id, role, parts }) => h('section', { key: id, className: role }, parts.map((part, at) => h('p', { key: at }, line(part))))),
    h('output', null, chat.error?.message),
    h('button', { id: 'ask', onClick: () => chat.sendMessage({ text: 'Well?' }) }),
    h('button', { id: 'stop', onClick: () => chat.stop() }))
}
createRoot(document.body).render(h(Chat))
`

/** A reply, a delta in 100 ms. */
const slowly = (deltas, reason) => readReply((async function* () {
  for (const delta of deltas) {
    yield { choices: [{ index: 0, delta, finish_reason: null }] }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  yield { choices: [{ index: 0, delta: {}, finish_reason: reason }] }
})(), { tools: { weather: {} } })
const call = (index, args, id) => ({ tool_calls: [{ index, ...(id && { id, type: 'function' }), function: { ...(id && { name: 'weather' }), arguments: args } }] })

const open = useBrowser()
let script
/** What is answered in turn, the last one again and again, and what was asked. */
let answers
let asked
const address = useServer(async (request, response) => {
  if (request.url === '/chat.js') return response.setHeader('content-type', 'text/javascript').end(script)
  if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:,"><body></body><script type="module" src="/chat.js"></script>')
  asked.push(await json(request))
  const { status, headers, body } = await respond(answers[Math.min(asked.length, answers.length) - 1], 'aiSdk')
  response.writeHead(status, Object.fromEntries(headers))
  // A page that leaves destroys the response.
  await pipeline(Readable.fromWeb(body), response).catch(() => {})
})

/** Asks in a page; returns it, what it shows and has shown of the answer, and how to wait for its status. */
async function ask(t, sources, query = '') {
  answers = sources
  asked = []
  const { page, complaints } = await open.show(address(`/${query}`))
  t.after(() => page.close())
  await page.waitForSelector('#ask')
  await page.evaluate(() => {
    globalThis.seen = []
    new MutationObserver(() => globalThis.seen.push(...[...document.querySelectorAll('.assistant p')].map((line) => line.textContent))).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await page.click('#ask')
  return {
    page,
    complaints,
    is: (status) => page.waitForSelector(`[data-status=${status}]`, { timeout: 10_000 }),
    shown: async () => [await page.$$eval('.assistant p', (lines) => lines.map((line) => line.textContent)), await page.$eval('output', (output) => output.textContent)],
    seen: () => page.evaluate(() => globalThis.seen),
  }
}

for (const [name, packages] of Object.entries(HOOKS)) {
  describe(name, () => {
    before(async () => {
      const { outputFiles } = await build({ stdin: { contents: chat(...packages), resolveDir: fileURLToPath(new URL('.', import.meta.url)) }, bundle: true, format: 'esm', platform: 'browser', define: { 'process.env.NODE_ENV': '"production"' }, write: false, logLevel: 'error' })
      script = outputFiles[0].text
    })

    test('text and thinking come in pieces', async (t) => {
      const { is, shown, seen, complaints } = await ask(t, [slowly([{ reasoning_content: 'Hm,' }, { reasoning_content: ' rain?' }, { content: 'It ra' }, { content: 'ins.' }], 'stop')])
      await is('ready')
      assert.deepEqual(await shown(), [['step-start', 'reasoning done Hm, rain?', 'text done It rains.'], ''])
      const lines = await seen()
      assert.ok(lines.includes('text streaming It ra'), lines.join())
      assert.deepEqual(complaints, [])
    })

    test('calls that run in the page, and the answer after their results', async (t) => {
      const { is, shown, seen } = await ask(t, [slowly([{ content: 'I look.' }, call(0, '{"city":', 'call_1'), call(0, '"Porto"'), call(0, '}'), call(1, '{"city":"Oslo"}', 'call_2')], 'tool_calls'), replyOf('answer')], '?runs')
      await until(() => asked.length === 2)
      await is('ready')
      assert.deepEqual(await shown(), [['step-start', 'text done I look.', 'tool-weather output-available Porto Porto: rain', 'tool-weather output-available Oslo Oslo: rain', 'step-start', 'text done It rains in both.'], ''])
      assert.deepEqual(asked[1].messages.at(-1).parts.map(({ type }) => type), ['step-start', 'text', 'tool-weather', 'tool-weather'])
      const lines = await seen()
      assert.ok(lines.some((line) => line.startsWith('tool-weather input-streaming')), lines.join())
    })

    test('calls that run on the server', async (t) => {
      const { is, shown } = await ask(t, [looped()])
      await is('ready')
      assert.deepEqual(await shown(), [['step-start', 'text done I look.', 'tool-weather output-available Porto {"rain":true}', 'tool-weather output-error Oslo No such city.', 'step-start', 'text done It rains in both.'], ''])
      assert.equal(asked.length, 1)
    })

    test('a call that is cut off is an error of its part, which the model hears of', async (t) => {
      const { is, shown } = await ask(t, [replyOf('cut'), replyOf('answer')], '?runs')
      await until(() => asked.length === 2)
      await is('ready')
      const [[, text, call, , answer], error] = await shown()
      assert.deepEqual([text, answer, error], ['text done I look.', 'text done It rains in both.', ''])
      assert.match(call, /^tool-weather output-error .*was cut off/)
      assert.match(asked[1].messages.at(-1).parts.at(-1).errorText, /was cut off/)
    })

    test('an error before the first piece, and one in the middle', async (t) => {
      const before = await ask(t, [refused()])
      await before.is('error')
      assert.deepEqual(await before.shown(), [[], 'The answer failed: rate_limit_exceeded.'])
      const within = await ask(t, [BROKEN.error()])
      await within.is('error')
      assert.deepEqual(await within.shown(), [['step-start', 'text done It ra'], 'The answer failed: overloaded.'])
    })

    test('a stop ends the answer, and the source', async (t) => {
      const { reply, seen: source } = endlessReply()
      const { page, is, shown } = await ask(t, [reply])
      await page.waitForSelector('.assistant p:nth-child(2)')
      await page.click('#stop')
      await is('ready')
      const [[, text], error] = await shown()
      assert.match(text, /^text (streaming|done) It rains/)
      assert.equal(error, '')
      await until(() => source.left)
    })
  })
}
