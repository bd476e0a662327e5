// The message that goes back, at each provider: what came, in order, byte for byte, and nothing that can't be sent.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loopMessages } from 'tokenweir/formats'
import { readReply } from 'tokenweir/reply'
import { REPLIES } from './support/messages.mjs'

const read = (events, provider) => readReply(events, { onUnknown() {}, ...(provider && { provider }) }).result()
const json = (value) => JSON.parse(JSON.stringify(value))

describe('a reply with two calls goes back with their results', () => {
  for (const { name, events, results, messages, provider } of REPLIES) {
    test(name, async () => {
      const reply = await read(events, provider)
      assert.deepEqual(json(loopMessages(reply, results)), messages)
      // In the order of the calls, whatever was done first; and from JSON.
      assert.deepEqual(json(loopMessages(json(reply), [...results].reverse())), messages)
    })

    test(`${name}: cut anywhere, what goes back has only calls that are run`, async () => {
      for (let length = 1; length < events.length; length++) {
        const reply = await read(events.slice(0, length), provider)
        if (reply.finishReason === 'interrupted') assert.deepEqual(reply.toolCalls, [], String(length))
        const ids = JSON.stringify(reply.message ?? {})
        const { toolCalls } = reply
        for (const { toolCallId } of results) assert.equal(ids.includes(`"${toolCallId}"`), toolCalls.some((call) => call.toolCallId === toolCallId), `${toolCallId} after ${length}`)
      }
    })
  }
})

describe('what can not go back stays out', () => {
  const { events } = REPLIES.find(({ name }) => name === 'anthropic')

  test('thinking without its signature', async () => {
    const { message } = await read(events.filter(({ delta }) => delta?.type !== 'signature_delta'))
    assert.deepEqual(message.content.map(({ type }) => type), ['redacted_thinking', 'text', 'tool_use', 'tool_use'])
  })

  test('reasoning of the Responses API without its item, and an item without its end', async () => {
    const { events } = REPLIES.find(({ name }) => name === 'responses')
    assert.equal((await read([...events.slice(0, 3), events.at(-1)])).message, undefined)
  })

  test('plain text has no message', async () => {
    assert.deepEqual(Object.keys(await read('Hello')).filter((key) => ['message', 'provider'].includes(key)), [])
  })
})
