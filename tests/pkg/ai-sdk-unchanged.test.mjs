// docs/migration-from-ai-sdk-tool-parser.md, "Programs that run unchanged": each row of its table, with the parser that is
// installed and with the entry of its name. Only the import differs.
import * as installed from '@ai-sdk-tool/parser'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as tokenweir from 'tokenweir/ai-sdk-tool-parser'

const tools = [{ type: 'function', name: 'weather', description: 'The weather', inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'number' } }, required: ['city'] } }]
const CALL = ['weather', { city: 'Porto', days: 3 }]
const QWEN = 'I look.\n<tool_call>\n<function=weather>\n<parameter=city>\nPorto\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>'
const HERMES = 'I look.\n<tool_call>{"name": "weather", "arguments": {"city": "Porto", "days": 3}}</tool_call>'
const MORPH = 'I look.\n<weather><city>Porto</city><days>3</days></weather>'
const YAML = 'I look.\n<weather>\ncity: Porto\ndays: 3\n</weather>'

/** What a middleware makes of an answer, whole and as a stream. */
async function runMiddleware(middleware, text, providerOptions) {
  const params = await middleware.transformParams({ type: 'stream', params: { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Rain?' }] }], tools, providerOptions } })
  assert.match(JSON.stringify(params.prompt), /weather/)
  const finishReason = { unified: 'stop', raw: 'stop' }
  const doGenerate = async () => ({ content: [{ type: 'text', text }], finishReason, usage: {}, warnings: [] })
  const parts = [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: '1' }, ...(text.match(/[^]{1,4}/g) ?? []).map((delta) => ({ type: 'text-delta', id: '1', delta })), { type: 'text-end', id: '1' }, { type: 'finish', finishReason, usage: {} }]
  const doStream = async () => ({ stream: ReadableStream.from(parts) })
  const whole = await middleware.wrapGenerate({ doGenerate, doStream, params, model: {} })
  const { stream } = await middleware.wrapStream({ doGenerate, doStream, params, model: { specificationVersion: 'v3' } })
  const streamed = []
  for await (const part of stream) streamed.push(part)
  return [shown(whole.content, whole.finishReason), shown(streamed, streamed.at(-1).finishReason)]
}

/** Calls, text without white space, and why it ended. */
function shown(parts, { unified }) {
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, typeof part.input === 'string' ? JSON.parse(part.input) : part.input]] : []))
  const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : part.type === 'text' ? part.text : '')).join('').replace(/\s+/g, '')
  return { calls, text, unified }
}

const EXPECTED = { calls: [CALL], text: 'Ilook.', unified: 'tool-calls' }

/** The parser leaves the reason of a whole answer as it was. */
const check = (api, { unified, ...answer }) => assert.deepEqual({ ...answer, unified: api === installed ? EXPECTED.unified : unified }, EXPECTED)

const whole = (name, text) => async (api) => {
  for (const each of await runMiddleware(api[name], text)) check(api, each)
}
const made = (name, text) => async (api) => {
  const middleware = api.createToolMiddleware({ protocol: api[name], toolSystemPromptTemplate: (given) => `Tools: ${typeof given === 'string' ? given : JSON.stringify(given)}`, toolResponsePromptTemplate: ({ toolName }) => `${toolName} said` })
  for (const each of await runMiddleware(middleware, text)) check(api, each)
}

/** A program for each row, by the first name in it. */
const PROGRAMS = {
  hermesToolMiddleware: whole('hermesToolMiddleware', HERMES),
  morphXmlToolMiddleware: whole('morphXmlToolMiddleware', MORPH),
  gemmaToolMiddleware: whole('gemmaToolMiddleware', 'I look.\n```tool_call\n{"name": "weather", "arguments": {"city": "Porto", "days": 3}}\n```'),
  xmlToolMiddleware: whole('xmlToolMiddleware', MORPH),
  qwen3CoderToolMiddleware: whole('qwen3CoderToolMiddleware', QWEN),
  kExaone2ToolMiddleware: whole('kExaone2ToolMiddleware', QWEN),
  yamlXmlToolMiddleware: whole('yamlXmlToolMiddleware', YAML),
  hermesProtocol: made('hermesProtocol', HERMES),
  morphXmlProtocol: made('morphXmlProtocol', MORPH),
  qwen3CoderProtocol: made('qwen3CoderProtocol', QWEN),
  uiTarsXmlProtocol: made('uiTarsXmlProtocol', QWEN),
  kExaone2Protocol: made('kExaone2Protocol', QWEN),
  onError: async (api) => {
    const seen = []
    await runMiddleware(api.hermesToolMiddleware, '<tool_call>{"name": oh no}</tool_call>', { toolCallMiddleware: { onError: (message) => seen.push(typeof message) } })
    assert.ok(seen.length >= 1 && seen.every((type) => type === 'string'), String(seen))
  },
  'a protocol object': async (api) => {
    const own = { ...api.hermesProtocol(), formatToolResponse: () => 'said' }
    const middleware = api.createToolMiddleware({ protocol: own, toolSystemPromptTemplate: (given) => `Tools: ${typeof given === 'string' ? given : JSON.stringify(given)}` })
    for (const each of await runMiddleware(middleware, HERMES)) check(api, each)
  },
}

const page = readFileSync(new URL('../../docs/migration-from-ai-sdk-tool-parser.md', import.meta.url), 'utf8')
const [, table] = /## Programs that run unchanged\n[^]*?\n\| --- \| --- \|\n([^]*?)\n\n/.exec(page)
const rows = table.split('\n').map((row) => /^\| (?:`(\w+)`|(a protocol object))/.exec(row)).map(([, name, other]) => name ?? other)

test('the page has a row for each program', () => {
  assert.deepEqual(rows, Object.keys(PROGRAMS))
})

for (const [name, program] of Object.entries(PROGRAMS)) {
  test(`${name} runs with the import changed`, () => program(tokenweir))
  // What the installed version, 4.1.26, doesn't have, is in 2 or 5.
  if (name in installed || name === 'onError' || name === 'a protocol object') test(`${name} runs with the parser`, () => program(installed))
}
