// Reasoning in a model's text, alone and with the AI SDK's own `extractReasoningMiddleware`
// in both orders: no call inside of it is executed, and no tag of it is shown.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToolMiddleware, hermesProtocol, hermesToolMiddleware } from 'tokenweir/ai-sdk'
import { z } from 'zod'
import { answering, majors } from './support/ai-sdk.mjs'

const call = (a) => `<tool_call>{"name":"add","arguments":{"a":${a},"b":1}}</tool_call>`

/** An answer, the calls in it that are meant, its reasoning and its text: what is between them counts nothing. */
const ANSWERS = [
  { name: 'a call inside', text: `<think>Maybe ${call(1)}</think>No.`, executed: [], reasoning: /^Maybe/, shown: 'No.' },
  { name: 'a call inside and one after', text: `<think>\nMaybe ${call(1)}\n</think>\n\n${call(2)}`, executed: [2], reasoning: /Maybe/, shown: '' },
  { name: 'never closed', text: `<think>Maybe ${call(1)} or so`, executed: [], reasoning: /^Maybe.* or so$/s, shown: '' },
  { name: 'half a closing tag at the end', text: `<think>Maybe ${call(1)}</thi`, executed: [], reasoning: /^Maybe/, shown: '' },
  { name: 'text between', text: `<think>One ${call(1)}</think>Well. ${call(2)} So.`, executed: [2], reasoning: /One/, shown: 'Well. So.' },
  { name: 'reasoning after a call', text: `${call(1)}<think>Next ${call(2)}</think>Done.`, executed: [1], reasoning: /Next/, shown: 'Done.' },
  { name: 'twice', text: `<think>a ${call(1)}</think>x\n<think>b ${call(2)}</think>y ${call(3)}`, executed: [3], reasoning: /a .*b /s, shown: 'x y' },
  { name: 'empty', text: `<think>\n\n</think>\n\n${call(1)}`, executed: [1], reasoning: /^\s*$/, shown: '' },
]

const words = (text) => text.trim().split(/\s+/).join(' ')

for (const major of majors) {
  const { ai } = major
  const extract = (options) => ai.extractReasoningMiddleware({ tagName: 'think', ...options })
  const orders = {
    alone: () => hermesToolMiddleware,
    // The first transforms the request first, and the answer last.
    'before extractReasoningMiddleware': () => [hermesToolMiddleware, extract()],
    'after extractReasoningMiddleware': () => [extract(), hermesToolMiddleware],
  }

  const run = async (middleware, text, isStream, size) => {
    const executed = []
    const tools = { add: ai.tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: ({ a }) => (executed.push(a), a) }) }
    const model = ai.wrapLanguageModel({ model: answering(major, [text], { size }), middleware })
    const asked = isStream ? ai.streamText({ model, tools, prompt: 'x' }) : await ai.generateText({ model, tools, prompt: 'x' })
    if (isStream) await asked.consumeStream()
    const reasoning = (await asked.reasoning).map(({ text }) => text).join('')
    return { executed, reasoning, shown: words(await asked.text) }
  }

  describe(major.name, () => {
    for (const [order, middleware] of Object.entries(orders)) {
      for (const { name, text, executed, reasoning, shown } of ANSWERS) {
        for (const size of [0, 1, 3, 7, text.length]) {
          test(`${order}: ${name}, ${size === 0 ? 'as a whole' : `in pieces of ${size}`}`, async () => {
            const seen = await run(middleware(), text, size > 0, size || 1)
            assert.deepEqual(seen.executed, executed)
            assert.doesNotMatch(`${seen.shown}${seen.reasoning}`, /<\/?think>/)
            // The SDK's own middleware knows the end of reasoning by its whole tag alone, and closed reasoning alone in whole answers.
            if (!(order.startsWith('after') || /never|half/.test(name))) assert.equal(seen.shown, shown)
            if (order === 'alone') assert.match(seen.reasoning, reasoning)
          })
        }
      }
    }

    test('reasoning that the prompt has opened', async () => {
      const text = `Maybe ${call(1)}</think>Well. ${call(2)}`
      const inside = createToolMiddleware({ protocol: hermesProtocol(), toolSystemPromptTemplate: (tools) => tools, options: { startWithThinking: true } })
      const before = extract({ startWithReasoning: true })
      for (const [middleware, isWhole] of [[inside, true], [[inside, extract()], true], [[hermesToolMiddleware, before], false]]) {
        for (const size of [0, 1, 5]) {
          const seen = await run(middleware, text, size > 0, size || 1)
          assert.deepEqual(seen.executed, [2], JSON.stringify({ isWhole, size }))
          assert.equal(seen.shown, 'Well.')
          assert.match(seen.reasoning, /Maybe/)
        }
      }
    })
  })
}
