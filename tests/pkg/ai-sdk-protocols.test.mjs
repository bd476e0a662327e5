// The ready-made middlewares in the AI SDK, in each of its majors, and what their
// protocols write into prompts. How they read text: tool-conformance.test.mjs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  createToolMiddleware,
  gemmaSystemPromptTemplate,
  gemmaToolMiddleware,
  hermesProtocol,
  hermesSystemPromptTemplate,
  hermesToolMiddleware,
  morphXmlProtocol,
  morphXmlSystemPromptTemplate,
  morphXmlToolMiddleware,
} from 'tokenweir/ai-sdk'
import { z } from 'zod'
import { all, answering, majors } from './support/ai-sdk.mjs'

const tools = {
  add: { description: 'Adds two numbers.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
  write_file: { description: 'Writes a file.', inputSchema: z.object({ path: z.string(), content: z.string() }) },
}
const text = 'Bold <b>text</b> & "more"\n</tool_call> or </write_file>'
const json = { name: 'write_file', arguments: { path: 'a.html', content: text } }

/** By each middleware, a text with two calls and prose around. */
const formats = [
  ['hermes', hermesToolMiddleware, `First this.\n<tool_call>{"name":"add","arguments":{"a":"1","b":2}}</tool_call> Then <tool_call>\n${JSON.stringify(json)}\n</tool_call>`],
  ['gemma', gemmaToolMiddleware, `First this.\n\`\`\`tool_call\n{"name":"add","arguments":{"a":"1","b":2}}\n\`\`\` Then \`\`\`tool_call\n${JSON.stringify(json)}\n\`\`\``],
  ['morph', morphXmlToolMiddleware, `First this.\n<add><a>1</a><b>2</b></add> Then <write_file>\n<path>a.html</path>\n<content>Bold <b>text</b> &amp; "more"\n</tool_call> or </write_file></content>\n</write_file>`],
]

for (const [format, middleware, answer] of formats) {
  describe(format, () => {
    for (const major of majors) {
      const { ai } = major
      const ask = (answers, more = {}) => ({ model: ai.wrapLanguageModel({ model: answering(major, answers), middleware }), tools, prompt: '?', ...more })

      test(`${major.name}: a stream and a whole answer have the same text and calls`, async () => {
        const streamed = ai.streamText(ask([answer]))
        const generated = await ai.generateText(ask([answer]))
        const expected = [['add', { a: 1, b: 2 }], ['write_file', json.arguments]]
        for (const result of [streamed, generated]) {
          assert.deepEqual((await result.toolCalls).map(({ toolName, input }) => [toolName, input]), expected)
          assert.equal(await result.text, 'First this.\n Then ')
          assert.equal(await result.finishReason, 'tool-calls')
        }
      })

      test(`${major.name}: arguments come while the model writes`, async () => {
        const parts = await all(ai.streamText(ask([answer])).fullStream)
        const deltas = new Map()
        for (const { type, id, toolCallId, delta, input } of parts) {
          if (type === 'tool-input-start') deltas.set(id, [])
          else if (type === 'tool-input-delta') deltas.get(id).push(delta)
          else if (type === 'tool-call') assert.deepEqual(JSON.parse(deltas.get(toolCallId).join('')), input)
        }
        assert.equal(deltas.size, 2)
        assert.ok([...deltas.values()][1].length > 5, 'a text argument of several chunks comes in several deltas')
      })

      test(`${major.name}: a rejected call is text, and is reported to the listener`, async () => {
        const heard = []
        const broken = answer.slice(0, answer.indexOf(' or '))
        const providerOptions = { toolCallMiddleware: { onError: (message, { dropReason, toolName }) => heard.push([dropReason, toolName]) } }
        const result = ai.streamText(ask([{ text: broken, reason: 'length' }], { providerOptions }))
        assert.equal(await result.text, `First this.\n Then ${broken.slice(broken.indexOf(' Then ') + 6)}`)
        assert.deepEqual([(await result.toolCalls).length, await result.finishReason, heard], [1, 'length', [['unfinished-tool-call', 'write_file']]])
      })
    }
  })
}

test('a call that fails can go to the repair of the AI SDK', async () => {
  for (const major of majors) {
    const { ai } = major
    const seen = []
    const result = ai.streamText({
      model: ai.wrapLanguageModel({ model: answering(major, ['<tool_call>{"name":"add","arguments":{"a":1 2}}</tool_call>']), middleware: hermesToolMiddleware }),
      tools: { add: tools.add },
      prompt: '?',
      providerOptions: { toolCallMiddleware: { onMalformed: 'invalid-call' } },
      [ai.isStepCount === undefined ? 'experimental_repairToolCall' : 'repairToolCall']: async ({ toolCall }) => {
        seen.push(toolCall.input)
        return { ...toolCall, input: '{"a":1,"b":2}' }
      },
    })
    assert.deepEqual((await result.toolCalls).map(({ toolName, input, invalid }) => [toolName, input, invalid]), [['add', { a: 1, b: 2 }, undefined]])
    assert.equal(seen.length, 1)
  }
})

test('emitRawToolCallTextOnError: text or nothing', async () => {
  const [{ ai }] = majors
  for (const [emitRawToolCallTextOnError, expected] of [[undefined, 'See <tool_call>{]</tool_call>.'], [true, 'See <tool_call>{]</tool_call>.'], [false, 'See .']]) {
    const model = ai.wrapLanguageModel({ model: answering(majors[0], ['See <tool_call>{]</tool_call>.']), middleware: hermesToolMiddleware })
    const result = ai.streamText({ model, tools, prompt: '?', providerOptions: { toolCallMiddleware: { emitRawToolCallTextOnError } } })
    assert.equal(await result.text, expected)
  }
})

describe('what is written into prompts', () => {
  const hermes = hermesProtocol()
  const gemma = hermesProtocol({ toolCallStart: '```tool_call', toolCallEnd: '```', toolResponseStart: '```tool_response', toolResponseEnd: '```' })
  const morph = morphXmlProtocol()

  const calls = [
    ['an object', hermes, { a: 1, b: 'x' }, '<tool_call>{"name":"add","arguments":{"a":1,"b":"x"}}</tool_call>'],
    ['JSON', hermes, '{ "id": 12345678901234567890 }', '<tool_call>{"name":"add","arguments":{ "id": 12345678901234567890 }}</tool_call>'],
    ['a text that is not JSON', hermes, '{"a":', '<tool_call>{"name":"add","arguments":"{\\"a\\":"}</tool_call>'],
    ['nothing', hermes, undefined, '<tool_call>{"name":"add","arguments":{}}</tool_call>'],
    ['an empty text', hermes, '', '<tool_call>{"name":"add","arguments":{}}</tool_call>'],
    ['an object in a fence', gemma, { a: 1 }, '```tool_call\n{"name":"add","arguments":{"a":1}}\n```'],
    ['an object', morph, { a: 1, list: [1, 2], in: { deep: true } }, '<add><a>1</a><list>1</list><list>2</list><in><deep>true</deep></in></add>'],
    ['JSON', morph, '{"a":1}', '<add><a>1</a></add>'],
    ['markup', morph, { a: '<b>x</b> & "y"' }, '<add><a>&lt;b>x&lt;/b> &amp; "y"</a></add>'],
    ['a key that is not a name', morph, { 'a b': '<' }, '<add>{"a b":"&lt;"}</add>'],
    ['a text that is not JSON', morph, 'a < b', '<add>a &lt; b</add>'],
    ['JSON that is not an object', morph, '[1,2]', '<add>[1,2]</add>'],
    ['JSON that is not an object', hermes, '[1,2]', '<tool_call>{"name":"add","arguments":"[1,2]"}</tool_call>'],
    ['nothing', morph, {}, '<add/>'],
  ]
  for (const [name, protocol, input, expected] of calls) test(`a call with ${name}: ${expected}`, () => assert.equal(protocol.formatToolCall({ toolName: 'add', input }), expected))

  const results = [
    ['a text', { type: 'text', value: 'x < y' }, '"x < y"', 'x &lt; y'],
    ['JSON', { type: 'json', value: { sum: 3 } }, '{"sum":3}', '<sum>3</sum>'],
    ['null', { type: 'json', value: null }, 'null', undefined],
    ['an error', { type: 'error-text', value: 'no' }, '{"error":"no"}', '<error>no</error>'],
    ['an error in JSON', { type: 'error-json', value: { code: 1 } }, '{"error":{"code":1}}', '<error><code>1</code></error>'],
    ['a refusal', { type: 'execution-denied', reason: 'late' }, '{"error":"The call was not allowed: late"}', '<error>The call was not allowed: late</error>'],
    ['a content', { type: 'content', value: [{ type: 'text', text: 'see' }, { type: 'media', mediaType: 'image/png', data: 'aWE=' }] }, '"see\\n[image/png]"', 'see\n[image/png]'],
  ]
  for (const [name, output, asJson, asXml] of results) {
    test(`a result: ${name}`, () => {
      const result = { toolName: 'add', toolCallId: '1', output }
      assert.equal(hermes.formatToolResponse(result), `<tool_response>{"toolName":"add","result":${asJson}}</tool_response>`)
      assert.equal(morph.formatToolResponse(result), `<tool_response><tool_name>add</tool_name>${asXml === undefined ? '<result/>' : `<result>${asXml}</result>`}</tool_response>`)
    })
  }

  test('a result that is a value', () => {
    assert.equal(hermes.formatToolResponse({ toolName: 'add', result: 3 }), '<tool_response>{"toolName":"add","result":3}</tool_response>')
    assert.equal(hermes.formatToolResponse({ toolName: 'add' }), '<tool_response>{"toolName":"add","result":null}</tool_response>')
    assert.equal(gemma.formatToolResponse({ toolName: 'add', result: 3 }), '```tool_response\n{"toolName":"add","result":3}\n```')
  })

  test('tools, one in a line', () => {
    const described = [{ type: 'function', name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }, { type: 'function', name: 'free' }]
    const lines = (protocol) => protocol.formatTools({ tools: described, toolSystemPromptTemplate: (tools) => `[${tools}]` })
    assert.equal(lines(hermes), '[{"type":"function","function":{"name":"add","description":"Adds.","parameters":{"type":"object"}}}\n{"type":"function","function":{"name":"free","parameters":{"type":"object"}}}]')
    assert.equal(lines(morph), '[{"name":"add","description":"Adds.","parameters":{"type":"object"}}\n{"name":"free","parameters":{"type":"object"}}]')
  })

  // Else a model that does as the history shows would not be understood.
  for (const [name, protocol] of Object.entries({ hermes, gemma, morph })) {
    test(`${name} reads the calls that it writes`, () => {
      const input = { path: 'a.html', content: `${text} \`\`\` ]]> &amp; <content>` }
      const schema = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } }
      const [call, ...others] = protocol.parseGeneratedText({ text: protocol.formatToolCall({ toolName: 'write_file', input }), tools: [{ name: 'write_file', inputSchema: schema }] })
      assert.deepEqual([call.toolName, JSON.parse(call.input), others], ['write_file', input, []])
    })
  }

  test('the prompts have the tools in them, and the form that is read', () => {
    for (const [template, form] of [[hermesSystemPromptTemplate, '<tool_call>{"name"'], [gemmaSystemPromptTemplate, '```tool_call\n{"name"'], [morphXmlSystemPromptTemplate, '<the_tools_name><an_argument>']]) {
      const prompt = template('{"name":"add"}')
      assert.ok(prompt.includes('\n{"name":"add"}\n'), prompt)
      assert.ok(prompt.includes(form), prompt)
    }
  })
})

test('a middleware of a protocol of ours with a prompt of one’s own', async () => {
  const middleware = createToolMiddleware({ protocol: hermesProtocol(), toolSystemPromptTemplate: (list) => `${list.split('\n').length} tools`, placement: 'last' })
  const { prompt } = await middleware.transformParams({ params: { prompt: [{ role: 'system', content: 'Be kind.' }], tools: [{ type: 'function', name: 'add', inputSchema: {} }, { type: 'function', name: 'sub', inputSchema: {} }] } })
  assert.deepEqual(prompt, [{ role: 'system', content: 'Be kind.\n\n2 tools' }])
})
