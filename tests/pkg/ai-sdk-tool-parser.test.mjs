// The entry of the names of @ai-sdk-tool/parser: what it has besides tokenweir/ai-sdk. The answers are those of 5.1.6,
// but for the wording of prompts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as sdk from 'tokenweir/ai-sdk'
import * as peer from 'tokenweir/ai-sdk-tool-parser'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { all } from './support/ai-sdk.mjs'

/** The runtime exports of 5.1.6, with K-EXAONE. */
const NAMES = `KExaone2ToolParser Qwen3CoderToolParser createDynamicIfThenElseSchema createHermesToolResponseFormatter
createKExaone2ToolResponseFormatter createMorphXmlToolResponseFormatter createQwen3CoderXmlToolResponseFormatter createToolMiddleware
createUserContentToolResponseTemplate decodeOriginalTools decodeOriginalToolsFromProviderOptions encodeOriginalTools escapeRegExp
extractOnErrorOption extractToolNamesFromOriginalTools formatToolResponseAsHermes formatToolResponseAsKExaone2
formatToolResponseAsQwen3CoderXml formatToolResponseAsYaml getDebugLevel getDroppedProviderTools getPotentialStartIndex
getToolCallMiddlewareOptions hasInputProperty hermesProtocol hermesSystemPromptTemplate hermesToolMiddleware isProtocolFactory
isTCMProtocolFactory isToolChoiceActive isToolChoiceNone isToolResultPart kExaone2Protocol kExaone2SystemPromptTemplate
kExaone2ToolMiddleware logParseFailure logParsedChunk logParsedSummary logRawChunk mergeToolCallMiddlewareOptions
morphFormatToolResponseAsXml morphXmlProtocol morphXmlSystemPromptTemplate morphXmlToolMiddleware originalToolsSchema parse
qwen3CoderProtocol qwen3CoderToolMiddleware qwen3coderSystemPromptTemplate stringify toolChoiceStream toolRoleContentToUserTextMessage
transform transformParams uiTarsXmlProtocol wrapGenerate wrapStream yamlXmlProtocol yamlXmlSystemPromptTemplate yamlXmlToolMiddleware`.split(/\s+/)

const result = (output) => ({ type: 'tool-result', toolCallId: 'call_1', toolName: 'get', output })
const VALUE = result({ type: 'json', value: { a: 1, b: 'x<y' } })
const TEXT = result({ type: 'text', value: 'hi <b>' })
const tools = [{ type: 'function', name: 'now', description: 'The time', inputSchema: { type: 'object', properties: { zone: { type: 'string' } } } }]

test('all names of 5.1.6, and all of tokenweir/ai-sdk', () => {
  for (const name of [...NAMES, 'coerce', 'community']) assert.ok(name in peer, name)
  for (const name of Object.keys(sdk)) assert.ok(name in peer, name)
  assert.equal(peer.Qwen3CoderToolParser, sdk.qwen3CoderProtocol)
  assert.equal(peer.KExaone2ToolParser, sdk.kExaone2Protocol)
  assert.equal(peer.isTCMProtocolFactory, peer.isProtocolFactory)
  assert.deepEqual(Object.keys(peer.community).sort(), ['sijawaraConciseXmlToolMiddleware', 'sijawaraDetailedXmlToolMiddleware', 'uiTarsToolMiddleware'])
  assert.deepEqual([peer.parse('{a: 1,}'), peer.stringify({ b: 1, a: 2 }), peer.transform('{a: 1}')], [{ a: 1 }, '{"a":2,"b":1}', '{"a": 1}'])
  assert.deepEqual(peer.coerce({ n: '5' }, { type: 'object', properties: { n: { type: 'number' } } }), { n: 5 })
})

describe('results', () => {
  for (const [made, format, value, text] of [
    [peer.createHermesToolResponseFormatter, peer.formatToolResponseAsHermes, '<tool_response>{"name":"get","content":{"a":1,"b":"x<y"}}</tool_response>', '<tool_response>{"name":"get","content":"hi <b>"}</tool_response>'],
    [peer.createQwen3CoderXmlToolResponseFormatter, peer.formatToolResponseAsQwen3CoderXml, /^<tool_response>\n\{"a": ?1, ?"b": ?"x<y"\}\n<\/tool_response>$/, '<tool_response>\nhi <b>\n</tool_response>'],
    [peer.createKExaone2ToolResponseFormatter, peer.formatToolResponseAsKExaone2, /^<tool_result>\{"a": ?1, ?"b": ?"x<y"\}<\/tool_result>$/, '<tool_result>hi <b></tool_result>'],
    [peer.createMorphXmlToolResponseFormatter, peer.morphFormatToolResponseAsXml, /<tool_name>get<\/tool_name>\s*<result>\s*<a>1<\/a>\s*<b>x(<|&lt;)y<\/b>/, /<tool_name>get<\/tool_name>\s*<result>hi (<|&lt;)b>/],
    [undefined, peer.formatToolResponseAsYaml, /<tool_name>get<\/tool_name>[^]*1[^]*x<y/, /<tool_name>get<\/tool_name>\s*<result>hi <b><\/result>/],
  ]) {
    test(format.name, () => {
      for (const [part, expected] of [[VALUE, value], [TEXT, text]]) {
        for (const write of made === undefined ? [format] : [format, made(), made({})]) {
          if (typeof expected === 'string') assert.equal(write(part), expected)
          else assert.match(write(part), expected)
        }
      }
      if (made !== undefined) assert.throws(() => made({ mediaStrategy: { mode: 'model' } }), /TypeError: create\w+ has no option "mediaStrategy"/)
    })
  }

  test('as a template of the middleware', async () => {
    const middleware = peer.createToolMiddleware({ protocol: peer.hermesProtocol(), toolSystemPromptTemplate: (text) => text, toolResponsePromptTemplate: peer.createHermesToolResponseFormatter() })
    const { prompt } = await middleware.transformParams({ params: { prompt: [{ role: 'tool', content: [VALUE, TEXT] }] } })
    assert.deepEqual(prompt, [{ role: 'user', content: [{ type: 'text', text: `${peer.formatToolResponseAsHermes(VALUE)}\n${peer.formatToolResponseAsHermes(TEXT)}` }] }])
  })

  test("a tool's message as a user's", () => {
    const file = result({ type: 'content', value: [{ type: 'text', text: 'seen' }, { type: 'image-data', data: 'AAAA', mediaType: 'image/png' }] })
    const texts = { toolContent: [TEXT, { type: 'tool-approval-response' }, VALUE], toolResponsePromptTemplate: ({ toolName }) => `[${toolName}]` }
    assert.deepEqual(peer.toolRoleContentToUserTextMessage(texts), { role: 'user', content: [{ type: 'text', text: '[get]\n[get]' }] })
    const parts = { toolContent: [TEXT, file], toolResponsePromptTemplate: peer.createUserContentToolResponseTemplate() }
    const { content } = peer.toolRoleContentToUserTextMessage(parts)
    assert.deepEqual(content.map(({ type }) => type), ['text', 'file'])
    assert.match(content[0].text, /^hi <b>\nseen/)
  })
})

test('options of a request', () => {
  assert.deepEqual([undefined, {}, { toolCallMiddleware: 5 }, { toolCallMiddleware: { a: 1 } }].map(peer.getToolCallMiddlewareOptions), [{}, {}, {}, { a: 1 }])
  assert.deepEqual(peer.mergeToolCallMiddlewareOptions({ x: { y: 1 }, toolCallMiddleware: { a: 0, b: 2 } }, { a: 1 }), { x: { y: 1 }, toolCallMiddleware: { a: 1, b: 2 } })
  assert.deepEqual(peer.mergeToolCallMiddlewareOptions(undefined, { a: 1 }), { toolCallMiddleware: { a: 1 } })
  const originalTools = peer.encodeOriginalTools(tools)
  assert.deepEqual(peer.decodeOriginalToolsFromProviderOptions({ toolCallMiddleware: { originalTools } }).map(({ name, inputSchema }) => [name, inputSchema]), [['now', tools[0].inputSchema]])
  const errors = []
  assert.deepEqual(peer.decodeOriginalToolsFromProviderOptions({ toolCallMiddleware: { originalTools: [{ name: 'a', inputSchema: '{' }] } }, { onError: (message) => errors.push(message) }).map(({ inputSchema }) => inputSchema), [{ type: 'object' }])
  assert.equal(errors.length, 1)
  assert.deepEqual(peer.decodeOriginalToolsFromProviderOptions(undefined), [])
  assert.deepEqual([undefined, { toolCallMiddleware: { droppedProviderTools: 'x' } }, { toolCallMiddleware: { droppedProviderTools: ['a', 1, 'b'] } }].map(peer.getDroppedProviderTools), [[], [], ['a', 'b']])
  assert.equal(peer.escapeRegExp('a.b*c/[]-'), 'a\\.b\\*c/\\[\\]-')
})

test('a failure is printed at the level parse', () => {
  const printed = []
  for (const level of ['off', 'stream', 'parse']) peer.logParseFailure({ phase: 'stream', reason: 'no name', snippet: '<call>', error: new Error('oh') }, { level, log: (text) => printed.push(text) })
  assert.deepEqual(printed, ['stream: no name\n<call>\nError: oh'])
})

test('system prompts show a call that their protocol reads', () => {
  for (const [template, protocol] of [[peer.qwen3coderSystemPromptTemplate, peer.qwen3CoderProtocol], [peer.kExaone2SystemPromptTemplate, peer.kExaone2Protocol]]) {
    for (const prompt of [template(tools), template('{"name": "now"}')]) {
      assert.match(prompt, /"now"/)
      const calls = protocol().parseGeneratedText({ text: prompt, tools: [] }).filter(({ type }) => type === 'tool-call')
      assert.deepEqual(calls.map(({ toolName, input }) => [toolName, input]), [['get_weather', '{"location":"Paris"}']])
    }
    assert.deepEqual([template([]), template('')], ['', ''])
  }
  assert.match(peer.yamlXmlSystemPromptTemplate(tools), /"now"[^]*<get_weather>\ncity: Paris/)
})

describe('a call with an unsafe name at any depth of its arguments is dropped and reported', () => {
  const add = [{ type: 'function', name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }]
  const json = (args) => `<tool_call>{"name": "add", "arguments": ${args}}</tool_call>`
  const qwen = (key) => `<tool_call>\n<function=add>\n<parameter=${key}>1</parameter>\n</function>\n</tool_call>`
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    for (const [name, protocol, text] of [
      ['hermesProtocol', peer.hermesProtocol, json(`{"a": 1, "${key}": 1}`)],
      ['jsonMixProtocol, inside', peer.jsonMixProtocol, json(`{"b": [{"${key}": 1}]}`)],
      ['morphXmlProtocol', peer.morphXmlProtocol, `<add><a>1</a><${key}>1</${key}></add>`],
      ['morphXmlProtocol, inside', peer.morphXmlProtocol, `<add><b><${key}>1</${key}></b></add>`],
      ['yamlXmlProtocol', () => peer.yamlXmlProtocol({ withYaml }), `<add>\na: 1\n${key}: 1\n</add>`],
      ['qwen3CoderProtocol', peer.qwen3CoderProtocol, qwen(key)],
    ]) {
      test(`${name}: ${key}`, async () => {
        const errors = []
        const options = { onError: (message) => errors.push(message) }
        assert.deepEqual(protocol().parseGeneratedText({ text, tools: add, options }), [])
        assert.equal(errors.length, 1)
        const parts = protocol().createStreamParser({ tools: add, options })
        const chunks = Array.from(text, (delta) => ({ type: 'text-delta', id: '1', delta }))
        const read = await all(ReadableStream.from(chunks).pipeThrough(parts))
        assert.deepEqual(read.filter(({ type }) => type === 'tool-call'), [])
        assert.equal(errors.length, 2)
      })
    }
    test(`tokenweir/ai-sdk keeps ${key} as a property of its own`, () => {
      for (const [protocol, text] of [[sdk.hermesProtocol, json(`{"${key}": 1}`)], [sdk.morphXmlProtocol, `<add><${key}>1</${key}></add>`]])
        assert.equal(protocol().parseGeneratedText({ text, tools: add })[0].input, `{"${key}":1}`)
    })
  }
  test('by the middlewares, too', async () => {
    for (const middleware of [peer.hermesToolMiddleware, peer.morphXmlToolMiddleware, peer.xmlToolMiddleware, peer.gemmaToolMiddleware]) {
      const text = `${json('{"prototype": 1}')}\n\`\`\`tool_call\n{"name": "add", "arguments": {"prototype": 1}}\n\`\`\`\n<add><prototype>1</prototype></add>`
      const doGenerate = async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} })
      const { content } = await middleware.wrapGenerate({ doGenerate, params: { prompt: [], tools: add } })
      assert.deepEqual(content.filter(({ type }) => type === 'tool-call'), [])
    }
  })
})
