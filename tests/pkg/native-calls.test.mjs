// Which call a delta of a provider belongs to, and what it is run with: spec/policy.md, 2, 3, 17, 18, 19.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NativeBlocks } from 'tokenweir/blocks'

/** The completed blocks of events, and the joined chunks of each part of their calls. */
function blocksOf(method, events, options) {
  const blocks = []
  const inputs = []
  const native = new NativeBlocks({
    generateId: () => 'made',
    onBlock: ({ event, block }) => event === 'block_complete' && blocks.push(block),
    onChunk: (text, { blockIndex, toolCallPart }) => toolCallPart === 'input' && (inputs[blockIndex] = (inputs[blockIndex] ?? '') + text),
    ...options,
  })
  for (const event of events) native[method](event)
  native.flush()
  // A call's input is what its chunks are.
  for (const [at, block] of blocks.entries()) if (block.input !== undefined) assert.deepEqual(JSON.parse(inputs[at]), block.input)
  return blocks
}

const chat = (delta, finish_reason = null) => ({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const chatCall = (text, more) => chat({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'now', arguments: text }, ...more }] })
const end = chat({}, 'tool_calls')

describe('arguments that are none', () => {
  const FORMS = ['', ' ', '\n', 'null', ' null\n', '"null"', '""', undefined, null]
  for (const text of FORMS) {
    test(`${JSON.stringify(text)} is {}`, () => {
      const call = { type: 'tool_call', toolId: 'a', toolName: 'now', input: {} }
      assert.deepEqual(blocksOf('openai', [chatCall(text), end]), [call])
      const letters = [...(text ?? '')].map((letter) => chat({ tool_calls: [{ index: 0, function: { arguments: letter } }] }))
      assert.deepEqual(blocksOf('openai', [chatCall(''), ...letters, end]), [call])
    })
  }
  for (const text of ['nul', 'nullx', '"nul"', '[]', '1', '"a"', 'None', '{"a":', '{"a":1}}', '"{}"']) {
    test(`${JSON.stringify(text)} is not: the call is malformed, with its text`, () => {
      const [call] = blocksOf('openai', [chatCall(text), end])
      assert.deepEqual(call, { type: 'tool_call', toolId: 'a', toolName: 'now', content: text, incomplete: true })
    })
  }
})
