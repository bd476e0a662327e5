// examples/providers-loop: one loop with five providers; each is overloaded, breaks off and cuts a reply.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer } from '../../../examples/providers-loop/loop.mjs'
import { REQUESTS } from '../../../examples/providers-loop/requests.mjs'
import { badDay } from '../../../examples/providers-loop/server.mjs'
import { run } from './running.mjs'

const CITIES = ['Porto', 'Oslo', 'Bergen', 'Faro']

/** The conversation of a provider, and the bodies of its requests. */
async function conversation(t, provider) {
  const server = await badDay()
  const { fetch } = globalThis
  t.after(() => {
    server.close()
    globalThis.fetch = fetch
  })
  const bodies = []
  globalThis.fetch = (url, init) => {
    bodies.push(JSON.parse(init.body))
    return fetch(url, init)
  }
  const ran = []
  const text = await answer(provider, server.url, 'Where is it warmest?', (name, { city }) => {
    ran.push([name, city])
    return `${city}: rain`
  })
  globalThis.fetch = fetch
  return { text, ran, bodies, requests: server.requests() }
}

const listOf = (body) => body.messages ?? body.input ?? body.contents
const limitOf = (body) => body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens ?? body.generationConfig?.maxOutputTokens ?? body.options?.num_predict

test('the program ends well', () => {
  const { status, stdout, stderr } = run('providers-loop/start.mjs')
  const lines = [...CITIES.map((city) => `  weather {"city":"${city}"}`), '  It is warmest in Faro. (7 requests)']
  assert.deepEqual([status, stderr, stdout], [0, '', Object.keys(REQUESTS).flatMap((provider) => [`${provider}:`, ...lines, '']).join('\n').replaceAll('\n\n', '\n')])
})

for (const provider of Object.keys(REQUESTS))
  describe(provider, () => {
    test('each tool ran once, and the answer came', async (t) => {
      const { text, ran, bodies, requests } = await conversation(t, provider)
      assert.deepEqual(ran, CITIES.map((city) => ['weather', city]))
      assert.equal(text, 'It is warmest in Faro.')
      assert.equal(requests, 7)
      // What was cut goes on, or is asked again with more room.
      const [cut, last] = bodies.slice(-2)
      const goesOn = provider === 'ollama'
      assert.deepEqual([listOf(last).length - listOf(cut).length, limitOf(last) / limitOf(cut)], goesOn ? [1, 1] : [0, 2])
    })

    test('the server refuses what breaks the rules', async (t) => {
      const { bodies } = await conversation(t, provider)
      const question = bodies[0]
      const good = bodies[3]
      const [list] = ['messages', 'input', 'contents'].filter((name) => name in good)
      const messages = good[list]
      const changed = (at, change) => messages.map((message, index) => (index === at ? JSON.parse(change(JSON.stringify(message))) : message))
      const bad = {
        'another id': messages.map((message) => JSON.parse(JSON.stringify(message).replace('"c2"', '"c9"'))),
        'a call without its result': provider === 'anthropic' || provider === 'gemini' ? changed(2, (text) => text.replace(/,\{[^[]*\]/, ']')) : messages.slice(0, -1),
        'the assistant as the last one': messages.slice(0, provider === 'responses' ? 4 : 2),
        ...(['anthropic', 'responses', 'gemini'].includes(provider) && { 'another signature': messages.map((message) => JSON.parse(JSON.stringify(message).replace('"one"', '"two"'))) }),
        ...(provider === 'anthropic' && { 'no thinking': changed(1, (text) => text.replace(/\{"type":"thinking"[^}]*\},/, '')) }),
        ...(provider === 'responses' && { 'a call without its reasoning': messages.filter(({ type }) => type !== 'reasoning') }),
        ...(provider === 'ollama' && { 'arguments that are text': changed(1, (text) => text.replace('{"city":"Porto"}', '"{}"')) }),
      }
      for (const [what, broken] of Object.entries({ ...bad, good: messages })) {
        const server = await badDay()
        t.after(() => server.close())
        const ask = async (body) => {
          const response = await fetch(server.url + REQUESTS[provider].path, { method: 'POST', body: JSON.stringify(body) })
          await response.text().catch(() => {})
          return response.status
        }
        for (let at = 0; at < 3; at++) await ask(question)
        assert.notDeepEqual(broken, what === 'good' ? [] : messages, what)
        assert.equal(await ask({ ...good, [list]: broken }), what === 'good' ? 200 : 400, what)
      }
    })
  })
