// What ended a reply decides whether a call that lacks its own end is one. Policy 25 cuts the calls of every format everywhere.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseEdits } from 'tokenweir/edits'
import { StreamingJSONParser } from 'tokenweir/fields'
import { readReply } from 'tokenweir'
import { ToolCallParser, parseReply } from 'tokenweir/tool-calls'

const text = { type: 'string' }
const tools = [{ name: 'write_file', inputSchema: { type: 'object', properties: { path: text, content: text } } }]

const sse = (texts, last = '') =>
  new Response(texts.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`).join('') + last, { headers: { 'content-type': 'text/event-stream' } })

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
    for (const [format, reply] of [['hermes', '<tool_call>{"name": "write_file", "arguments": {"path": "a.py"}}'], ['qwen3-coder', `${QWEN}</function>`]])
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
