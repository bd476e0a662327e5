// Calls without arguments, in each way to write none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamingResponseHandler } from 'tokenweir/segments'

const tools = [
  { name: 'now', inputSchema: { type: 'object', properties: {} } },
  { name: 'look', inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } },
]

function outcome(text, marker) {
  const log = []
  const handler = new StreamingResponseHandler({
    config: { parseToolCalls: true, strategyOrder: [marker], tools },
    onToolInvocation: ({ name, arguments: given }) => log.push([name, given]),
    onError: ({ code }) => log.push(code),
  })
  handler.feed(text)
  handler.finalize()
  return log
}

const JSON_TOOLS = ['', ', "parameters": null', ', "parameters": ""', ', "parameters": " "', ', "parameters": "null"']
const XML_TOOLS = ['', ' \n', 'null', '"null"', '""', '<arguments></arguments>', '<arguments>\nnull\n</arguments>']

test('no arguments are an empty object, unless the tool requires some', () => {
  const ways = [
    ...JSON_TOOLS.map((written) => [(name) => `{"tool": {"function": "${name}"${written}}}`, 'json_tool']),
    ...XML_TOOLS.map((written) => [(name) => `<tool name="${name}">${written}</tool>`, 'xml_tag']),
  ]
  for (const [write, marker] of ways) {
    assert.deepEqual(outcome(write('now'), marker), [['now', {}]], write('now'))
    assert.deepEqual(outcome(write('look'), marker), ['missing-arguments'], write('look'))
  }
  assert.deepEqual(outcome('{"tool": {"function": "now", "parameters": "x"}}', 'json_tool'), ['bad-arguments'])
})
