// Rounds of an agent with a server that refuses, with status 400, what its provider would: each transport, two calls at the same
// time in each round.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { loopMessages } from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { REPLIES } from './support/messages.mjs'
import { startStrictServer } from './support/strict-server.mjs'

let server
before(async () => {
  server = await startStrictServer(REPLIES)
})
after(() => server.close())

const ask = (name, rounds) => fetch(`${server.address}/${encodeURIComponent(name)}`, { method: 'POST', body: JSON.stringify(rounds) })

for (const { name, provider, results } of REPLIES) {
  test(`${name}: three rounds`, async () => {
    const rounds = []
    for (let round = 0; round < 3; round++) {
      const reply = await readReply(ask(name, rounds), { onUnknown() {}, ...(provider && { provider }) }).result()
      assert.equal(reply.toolCalls.length, 2)
      rounds.push(loopMessages(reply, results))
    }
  })
}

describe('what a provider refuses, the server does', () => {
  const changed = (messages, change) => JSON.parse(change(JSON.stringify(messages)))
  const CHANGES = {
    'a signature that is missing': (text) => text.replace(/"[^"]*"(?=\s*:\s*"SIG0")/, '"other"').replace('SIG0', 'x'),
    'a signature of another round': (text) => text.replace(/(SIG|RED|ENC|END)0/, '$15'),
    'results that are missing': (text) => text.replace(/"(tool_result|function_call_output|tool-result|functionResponse|toolResult|tool)"/g, '"gone"'),
  }
  for (const { name, messages } of REPLIES) {
    for (const [what, change] of Object.entries(CHANGES)) {
      const sent = JSON.parse(JSON.stringify(messages).replace(/"(SIG|RED|ENC|END)"/g, '"$10"'))
      const wrong = changed(sent, change)
      if (JSON.stringify(wrong) === JSON.stringify(sent)) continue
      test(`${name}: ${what}`, async () => {
        assert.equal((await ask(name, [sent])).status, 200)
        const response = await ask(name, [wrong])
        assert.equal(response.status, 400)
        assert.ok((await response.json()).error.message)
      })
    }
  }

  test('results in the wrong order, thinking that is not first, an empty text', async () => {
    const { messages: [said, answer] } = JSON.parse(JSON.stringify(REPLIES.find(({ name }) => name === 'anthropic')).replace(/"(SIG|RED)"/g, '"$10"'))
    const { content } = said
    for (const wrong of [
      [said, { ...answer, content: [...answer.content].reverse() }],
      [{ ...said, content: [content[2], ...content.slice(0, 2), ...content.slice(3)] }, answer],
      [said, ...answer.content.map((block) => ({ role: 'user', content: [block] }))],
      [{ ...said, content: [...content.slice(0, 2), { type: 'text', text: '' }, ...content.slice(3)] }, answer],
    ]) assert.equal((await ask('anthropic', [wrong])).status, 400)
    assert.equal((await ask('anthropic', [[said, answer]])).status, 200)
  })
})
