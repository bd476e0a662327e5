// A reply that is cut off runs no call that lacks arguments: in every format that `writeCalls` can write two calls in,
// cut at every place. In JSON, and after a closed element, a call that only lacks its outer marker is whole.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseEdits } from 'tokenweir/edits'
import { StreamingJSONParser } from 'tokenweir/fields'
import { formats, writeCalls } from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { ToolCallParser, parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'

const schema = (properties) => ({ type: 'object', properties })
const text = { type: 'string' }
const tools = [
  { name: 'write_file', inputSchema: schema({ path: text, content: text }) },
  { name: 'add', inputSchema: schema({ a: { type: 'integer' }, b: { type: 'integer' } }) },
]
const written = [
  { toolName: 'write_file', input: { path: 'a.py', content: 'print(1)\nprint(2)' } },
  { toolName: 'add', input: { a: 12, b: 34 } },
]

/** Two calls as a format writes them; undefined if it can't. */
function twoCalls(id) {
  const format = formats[id].params?.body === 'yaml' || formats[id].call?.body === 'yaml' ? withYaml(formats[id]) : formats[id]
  try {
    const reply = writeCalls(written, { format: id })
    return { format, reply, whole: parseReply(reply, { format, tools }) }
  } catch {
    return undefined
  }
}

const plain = (calls) => calls.map(({ toolName, args }) => ({ toolName, input: { ...args } }))
const cases = Object.keys(formats).flatMap((id) => {
  const found = twoCalls(id)
  return found === undefined || found.whole.toolCalls.length !== 2 ? [] : [{ id, ...found, expected: plain(found.whole.toolCalls) }]
})

/** The calls are those that were written, or the first of them. */
const isFront = (calls, expected) => calls.every((call, at) => JSON.stringify(call) === JSON.stringify(expected[at]))

test('there are enough formats', () => assert.ok(cases.length >= 70, `${cases.length}`))

describe('cut at every place, with a finish reason', () => {
  for (const { id, format, reply, expected } of cases)
    test(id, () => {
      for (let cut = 0; cut < reply.length; cut++) {
        const front = reply.slice(0, cut)
        const calls = plain(parseReply(front, { format, tools, finishReason: 'length' }).toolCalls)
        assert.ok(isFront(calls, expected), `${JSON.stringify(front)}: ${JSON.stringify(calls)}`)
      }
      assert.deepEqual(plain(parseReply(reply, { format, tools, finishReason: 'stop' }).toolCalls), expected)
    })
})

const sse = (texts, last = '') =>
  new Response(texts.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`).join('') + last, { headers: { 'content-type': 'text/event-stream' } })

describe('a stream of events without a finish reason', () => {
  for (const { id, format, reply, expected } of cases)
    test(id, async () => {
      for (let cut = id.length % 7; cut < reply.length; cut += 7) {
        const front = reply.slice(0, cut)
        const { toolCalls } = await readReply(sse([front.slice(0, cut >> 1), front.slice(cut >> 1)]), { format, tools }).result()
        assert.ok(isFront(plain(toolCalls), expected), `${JSON.stringify(front)}: ${JSON.stringify(toolCalls)}`)
      }
    })
})

const QWEN = '<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n'
const namesOf = ({ toolCalls, problems }) => [toolCalls.map(({ toolName }) => toolName), problems.map(({ metadata }) => metadata.dropReason)]

describe('what ended the reply', () => {
  const run = [['write_file'], []]
  const cut = [[], ['unfinished-tool-call']]
  for (const [reason, expected] of [['stop', run], ['tool_calls', run], ['end_turn', run], ['STOP', run], [undefined, run], [null, run], ['length', cut], ['max_tokens', cut], ['content_filter', cut], ['error', cut], ['interrupted', cut], ['other', cut], ['unknown', cut], ['abort', cut], ['a word', cut]]) {
    test(`${reason}`, async () => {
      assert.deepEqual(namesOf(parseReply(QWEN, { format: 'qwen3-coder', tools, finishReason: reason })), expected)
      const errors = []
      const parser = new ToolCallParser({ format: 'qwen3-coder', tools, onError: (_, metadata) => errors.push(metadata.dropReason) })
      const parts = [...parser.text(QWEN), ...parser.finish({ reason })]
      assert.deepEqual([parts.filter(({ type }) => type === 'tool-call').map(({ toolName }) => toolName), errors], expected)
      if (typeof reason === 'string')
        assert.deepEqual(namesOf(await readReply(sse([QWEN], `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })}\n\n`), { format: 'qwen3-coder', tools }).result()), expected)
    })
  }

  test('events that break off, that `[DONE]` ends, and plain text', async () => {
    const read = async (source) => namesOf(await readReply(source, { format: 'qwen3-coder', tools }).result())
    assert.deepEqual(await read(sse([QWEN])), cut)
    assert.deepEqual(await read(sse([QWEN], 'data: [DONE]\n\n')), run)
    assert.deepEqual(await read([QWEN]), run)
    assert.deepEqual(await read(Response.json({ choices: [{ index: 0, message: { content: QWEN } }] })), run)
    assert.deepEqual(await read(Response.json({ choices: [{ index: 0, message: { content: QWEN }, finish_reason: 'length' }] })), cut)
  })

  test('a text source that fails', async () => {
    const source = (async function* () {
      yield QWEN
      throw new Error('reset')
    })()
    const error = await readReply(source, { format: 'qwen3-coder', tools }).result().catch((error) => error)
    assert.deepEqual(namesOf(error.partial), cut)
  })

  test('arguments in whole JSON, and a closed element, need no outer marker', () => {
    for (const [format, reply] of [['hermes', '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}'], ['qwen3-coder', `${QWEN}</function>`]])
      assert.equal(parseReply(reply, { format, tools, finishReason: 'length' }).toolCalls.length, 1, format)
  })
})

describe('a number at the end of a document', () => {
  const events = (text, end, schema) => {
    const parser = new StreamingJSONParser(schema)
    return [[...parser.parseChunk(text), ...parser.finalize(end)].map(({ eventType, path, value }) => `${eventType} ${path} ${value}`), parser.report.isComplete]
  }

  test('is final when something follows it', () => {
    assert.deepEqual(events('{"age": 3'), [['delta age 3'], false])
    assert.deepEqual(events('{"age": 3}'), [['delta age 3', 'done age 3'], true])
    assert.deepEqual(events('[1, 2'), [['delta [0] 1', 'done [0] 1', 'delta [1] 2'], false])
    assert.deepEqual(events('{"age": 3}', { reason: 'length' }), [['delta age 3', 'done age 3'], true])
  })

  test('the reason of a reply reaches what reads its text', async () => {
    const diff = '--- a\n+++ a\n@@ -1,5 +1,5 @@\n-x\n'
    const last = async (finishReason) => {
      const source = Object.assign(ReadableStream.from([diff]), { reply: { result: async () => ({ finishReason }) } })
      const all = []
      for await (const event of parseEdits(source)) all.push(event.type)
      return all.at(-1)
    }
    assert.deepEqual([await last('stop'), await last('length'), await last(undefined)], ['file-done', 'malformed', 'malformed'])
  })
})
