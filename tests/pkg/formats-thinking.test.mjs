// A call in reasoning is not one, in any format: between `<think>` and `</think>`, which every format knows, and between
// the format's own markers. Where a call may end reasoning, it is one only if the reasoning is not closed after it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formats, writeCalls } from 'tokenweir/formats'
import { ToolCallParser, parseReply } from 'tokenweir/tool-calls'

const tools = [{ name: 'rm', inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } }]

/** The formats that can write the call, with it. What a message is decides its header there, and no tag. */
const written = Object.keys(formats).flatMap((id) => {
  try {
    return formats[id].messages === undefined ? [{ id, call: writeCalls([{ toolName: 'rm', input: { path: '/' } }], { format: id }) }] : []
  } catch {
    return []
  }
})

/** Text, reasoning and calls of a stream in pieces. */
function read(format, pieces) {
  const parser = new ToolCallParser({ format, tools, generateId: () => 'id' })
  const parts = [...pieces.flatMap((piece) => parser.text(piece)), ...parser.finish()]
  const joined = (type) => parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join('')
  return { text: joined('text-delta'), reasoning: joined('reasoning-delta'), calls: parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => [toolName, JSON.parse(input)]), order: parts.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]) }
}

/** The reasoning of a format that has markers of its own; of any format without. */
function markersOf(id) {
  const { open = [], close = [], prefilled } = formats[id].reasoning ?? {}
  const opener = open.find((marker) => !/\s/.test(marker) && !marker.includes('{'))
  const at = open.indexOf(opener)
  const closer = close.length === open.length ? close[at] : close.find((marker) => !/\s/.test(marker))
  return opener === undefined || closer === undefined || closer.includes('{') || prefilled === 'always' ? ['<think>', '</think>'] : [opener, closer]
}

test('most formats can be asked', () => assert.ok(written.length > 70, String(written.length)))

// What ReAct takes for an argument goes on to the end of the line, or of the reply: nothing closes it.
for (const { id, call } of written.filter(({ id }) => id !== 'react')) {
  test(`${id}: a call in reasoning that is closed is not a call`, () => {
    const own = formats[id].reasoning?.prefilled === 'always' ? [] : [['<think>', '</think>'], ['<thinking>', '</thinking>']]
    for (const [open, close] of [...own, markersOf(id)]) {
      if (formats[id].reasoning?.prefilled === 'always' && !formats[id].reasoning.close.includes(close)) continue
      const reply = `${open}\nShould I?\n${call}\nNo, I don't.\n${close}\nI left it.`
      const { calls, text, reasoning } = read(id, [reply])
      assert.deepEqual(calls, [], reply)
      assert.match(text, /I left it\.$/)
      assert.ok(!text.includes(close), text)
      assert.match(reasoning, /Should I\?/)
      for (let at = 1; at < reply.length; at++) {
        const cut = read(id, [reply.slice(0, at), reply.slice(at)])
        assert.deepEqual([cut.calls, cut.text, cut.reasoning], [[], text, reasoning], `${reply}\ncut at ${at}`)
      }
    }
  })
}

for (const { id, call } of written.filter(({ id }) => formats[id].reasoning?.endsAtCall === true)) {
  test(`${id}: a call that ends reasoning is one if nothing closes it, and comes when the reply ends`, () => {
    const { prefilled, open: [open = ''] } = formats[id].reasoning
    if (prefilled === 'always') assert.equal(read(id, [`I remove it.\n${call}`]).calls.length, 1)
    const reply = `${open}\nI remove it.\n${call}`
    const { calls, order } = read(id, [reply])
    assert.deepEqual(calls, [['rm', { path: '/' }]], reply)
    assert.equal(order.at(-1), 'tool-call')
    for (let at = 1; at < reply.length; at++) assert.deepEqual(read(id, [reply.slice(0, at), reply.slice(at)]).calls, calls, `cut at ${at}`)
  })
}

test('after reasoning that was closed a call comes immediately, and one that was withdrawn is named', () => {
  const reasons = []
  const parser = new ToolCallParser({ format: 'qwen3', tools, onError: (_, { dropReason, toolName, toolCall }) => reasons.push([dropReason, toolName, toolCall]) })
  const call = written.find(({ id }) => id === 'qwen3').call
  const types = (text) => parser.text(text).map(({ type }) => type)
  assert.ok(!types(`<think>\n${call}`).includes('tool-call'))
  assert.ok(!types('\nno\n</think>\n\n').includes('tool-call'))
  assert.deepEqual(reasons, [['inside-reasoning', 'rm', call]])
  assert.ok(types(`\n${call}\n`).includes('tool-call'))
  assert.ok(!parser.finish().some(({ type }) => type === 'tool-call'))
})

test("with reasoning: 'search' and false a call is one wherever it stands", () => {
  const { call } = written.find(({ id }) => id === 'llama4-json')
  for (const reasoning of ['search', false]) assert.equal(parseReply(`<think>\n${call}\n</think>`, { format: 'llama4-json', tools, reasoning }).toolCalls.length, 1)
  assert.equal(parseReply(`<think>\n${call}\n</think>`, { format: 'llama4-json', tools, reasoning: 'text' }).toolCalls.length, 0)
})
