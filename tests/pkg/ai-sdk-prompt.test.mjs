// What a model without tools gets of a request with tools.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToolMiddleware, toolChoiceStream, transformParams } from 'tokenweir/ai-sdk'
import { createDynamicIfThenElseSchema, decodeOriginalTools, extractOnErrorOption, extractToolNamesFromOriginalTools, hasInputProperty, isProtocolFactory, isToolCallContent, isToolChoiceActive, isToolChoiceNone, isToolResultPart, originalToolsSchema } from 'tokenweir/ai-sdk-tool-parser'
import { all, bracketProtocol } from './support/ai-sdk.mjs'

const add = { type: 'function', name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }
const nothing = { type: 'function', name: 'nothing', inputSchema: { type: 'object', properties: {} } }
const search = { type: 'provider', id: 'mock.search', name: 'search', args: {} }
const user = (...content) => ({ role: 'user', content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)) })
const system = (content) => ({ role: 'system', content })
const call = (toolCallId, toolName, input, more = {}) => ({ type: 'tool-call', toolCallId, toolName, input, ...more })
const result = (toolCallId, toolName, value, more = {}) => ({ type: 'tool-result', toolCallId, toolName, output: { type: 'json', value }, ...more })
const image = { type: 'file', mediaType: 'image/png', data: 'aWE=' }

const transform = (params, more = {}) => transformParams({ params: { tools: [add], ...params }, protocol: bracketProtocol(), toolSystemPromptTemplate: (tools) => `You have ${tools}.`, ...more })
/** The messages after the system prompt. */
const messages = async (prompt, more) => (await transform({ prompt }, more)).prompt.slice(1)

describe('the place of the system prompt', () => {
  const cases = [
    ['first', [user('Hi')], [system('You have add.'), user('Hi')]],
    ['first', [system('Be kind.'), user('Hi')], [system('You have add.\n\nBe kind.'), user('Hi')]],
    ['first', [user('Hi'), system('Be kind.')], [system('You have add.'), user('Hi'), system('Be kind.')]],
    ['first', [], [system('You have add.')]],
    ['last', [user('Hi')], [user('Hi'), system('You have add.')]],
    ['last', [system('Be kind.'), system('Be brief.'), user('Hi')], [system('Be kind.'), system('Be brief.\n\nYou have add.'), user('Hi')]],
  ]
  for (const [placement, prompt, expected] of cases) {
    test(`${placement}, of ${prompt.map(({ role }) => role).join() || 'nothing'}`, async () => assert.deepEqual((await transform({ prompt }, { placement })).prompt, expected))
  }

  test('first is the default', async () => assert.equal((await transform({ prompt: [user('Hi')] })).prompt[0].role, 'system'))

  test('what a system message says to the provider is kept', async () => {
    const cached = { ...system('Be kind.'), providerOptions: { anthropic: { cacheControl: 'here' } } }
    assert.deepEqual((await transform({ prompt: [cached] })).prompt, [{ ...cached, content: 'You have add.\n\nBe kind.' }])
  })

  test('without tools there is none', async () => assert.deepEqual((await transform({ prompt: [user('Hi')], tools: [] })).prompt, [user('Hi')]))
})

describe('calls and results', () => {
  test('calls are text of the assistant, a line each; what else it said is kept', async () => {
    const reasoning = { type: 'reasoning', text: 'Hm.' }
    const assistant = { role: 'assistant', content: [reasoning, { type: 'text', text: 'I add.' }, call('1', 'add', { a: 1 }), call('2', 'add', { a: 2 }), image, call('3', 'add', {})] }
    const text = 'I add.\n[[add {"a":1}]]\n[[add {"a":2}]]'
    assert.deepEqual(await messages([assistant]), [{ role: 'assistant', content: [reasoning, { type: 'text', text }, image, { type: 'text', text: '[[add {}]]' }] }])
  })

  test('results are text of the user', async () => {
    assert.deepEqual(await messages([user('Go'), { role: 'tool', content: [result('1', 'add', 3), result('2', 'add', 4)] }]), [user('Go\n{{add 3}}\n{{add 4}}')])
  })

  test('neighbouring messages of the user are one, and no part of them is lost', async () => {
    const prompt = [{ role: 'tool', content: [result('1', 'add', 3)] }, user('And', image), user(image, 'this?')]
    assert.deepEqual(await messages(prompt), [user('{{add 3}}\nAnd', image, image, 'this?')])
  })

  test('a message that is neither changed nor merged is the same', async () => {
    const prompt = [user('One', 'two'), { role: 'assistant', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] }]
    const after = await messages(prompt)
    assert.equal(after[0], prompt[0])
    assert.equal(after[1], prompt[1])
  })

  test('what parts say to the provider is kept', async () => {
    const point = { providerOptions: { anthropic: { cacheControl: 'here' } } }
    const prompt = [{ role: 'tool', content: [result('1', 'add', 3), result('2', 'add', 4, point)] }]
    assert.deepEqual(await messages(prompt), [{ role: 'user', content: [{ type: 'text', text: '{{add 3}}\n{{add 4}}', ...point }] }])
  })

  test('an empty text makes no empty line', async () => {
    assert.deepEqual(await messages([{ role: 'assistant', content: [{ type: 'text', text: '' }, call('1', 'add', {})] }]), [{ role: 'assistant', content: [{ type: 'text', text: '[[add {}]]' }] }])
  })

  test('a template writes results, as text or as parts', async () => {
    const prompt = [{ role: 'tool', content: [result('1', 'add', 3)] }]
    assert.deepEqual(await messages(prompt, { toolResponsePromptTemplate: ({ toolName, output }) => `${toolName}: ${output.value}` }), [user('add: 3')])
    assert.deepEqual(await messages(prompt, { toolResponsePromptTemplate: () => [{ type: 'text', text: 'See' }, image] }), [user('See', image)])
  })

  test('what the provider executed itself stays', async () => {
    const assistant = { role: 'assistant', content: [call('1', 'web', {}, { providerExecuted: true }), result('1', 'web', 'found')] }
    const approval = { type: 'tool-approval-response', approvalId: 'a', approved: true }
    assert.deepEqual(await messages([assistant, { role: 'tool', content: [approval] }]), [assistant, { role: 'tool', content: [approval] }])
    const late = { role: 'tool', content: [result('1', 'web', 'found')] }
    assert.deepEqual(await messages([assistant, late]), [assistant, late])
  })

  test("calls of a provider's own tool stay, and so do their results", async () => {
    const assistant = { role: 'assistant', content: [call('1', 'search', { q: 'x' }), call('2', 'add', { a: 1 })] }
    const tool = { role: 'tool', content: [result('1', 'search', []), result('2', 'add', 3)] }
    const { prompt } = await transform({ prompt: [assistant, tool], tools: [add, search] })
    assert.deepEqual(prompt.slice(1), [
      { role: 'assistant', content: [call('1', 'search', { q: 'x' }), { type: 'text', text: '[[add {"a":1}]]' }] },
      { role: 'tool', content: [result('1', 'search', [])] },
      user('{{add 3}}'),
    ])
  })

  test('a request is never changed itself', async () => {
    const params = { prompt: [system('Be kind.'), user('Go'), { role: 'tool', content: [result('1', 'add', 3)] }], tools: [add], toolChoice: { type: 'required' }, providerOptions: { toolCallMiddleware: { coerce: false } } }
    const before = structuredClone(params)
    await transform(params)
    assert.deepEqual(params, before)
  })
})

describe('tools and the choice among them', () => {
  const options = async (params) => {
    const { tools, toolChoice, responseFormat, providerOptions } = await transform({ prompt: [user('Hi')], ...params })
    return { tools, toolChoice, schema: responseFormat?.schema, mine: providerOptions.toolCallMiddleware }
  }
  const packed = { name: 'add', inputSchema: '{"type":"object","properties":{"a":{"type":"number"}}}' }

  test('auto: the tools ride in the options', async () => {
    assert.deepEqual(await options({ toolChoice: { type: 'auto' } }), { tools: undefined, toolChoice: undefined, schema: undefined, mine: { originalTools: [packed] } })
  })

  test('a choice is one of a request that was made here', async () => {
    const required = await transform({ prompt: [], toolChoice: { type: 'required' } })
    const none = await transform({ prompt: [], toolChoice: { type: 'none' } })
    const auto = await transform({ prompt: [], providerOptions: { toolCallMiddleware: { toolChoice: { type: 'required' } } } })
    assert.deepEqual([required, none, auto].map(isToolChoiceActive), [true, false, false])
    assert.deepEqual([required, none, auto].map(isToolChoiceNone), [false, true, false])
  })

  test('required: the schema of any call', async () => {
    const { schema } = await options({ tools: [add, nothing], toolChoice: { type: 'required' } })
    assert.deepEqual(schema, createDynamicIfThenElseSchema([add, nothing]))
    assert.deepEqual(schema.properties.name.enum, ['add', 'nothing'])
    assert.deepEqual([schema.if.properties.name.const, schema.then.properties.arguments], ['add', add.inputSchema])
    assert.deepEqual([schema.else.if.properties.name.const, schema.else.then.properties.arguments, schema.else.else], ['nothing', nothing.inputSchema, undefined])
  })

  test('a named tool: its schema, and no other tool in the prompt', async () => {
    const { prompt, responseFormat } = await transform({ prompt: [], tools: [add, nothing], toolChoice: { type: 'tool', toolName: 'nothing' } })
    assert.deepEqual([responseFormat.schema.properties, prompt], [{ name: { const: 'nothing' }, arguments: nothing.inputSchema }, [system('You have nothing.')]])
  })

  test("a choice of a provider's tools is left to the provider", async () => {
    assert.deepEqual((await options({ tools: [add, search], toolChoice: { type: 'tool', toolName: 'search' } })).toolChoice, { type: 'tool', toolName: 'search' })
    assert.deepEqual((await options({ tools: [search], toolChoice: { type: 'required' } })).toolChoice, { type: 'required' })
    const none = await options({ tools: [add, search], toolChoice: { type: 'none' } })
    assert.deepEqual([none.tools, none.toolChoice], [[search], { type: 'none' }])
  })

  test('a choice that cannot be met is refused', async () => {
    await assert.rejects(options({ toolChoice: { type: 'tool', toolName: 'sub' } }), { name: 'TypeError', message: 'toolChoice names the tool "sub", which is not among the tools: add' })
    await assert.rejects(options({ tools: [], toolChoice: { type: 'required' } }), { name: 'TypeError', message: 'toolChoice is "required", but there are no tools' })
    assert.throws(() => createDynamicIfThenElseSchema([]), TypeError)
  })
})

describe('packed tools', () => {
  test('come back as they were', () => {
    const tools = [add, { ...nothing, inputSchema: true }, { ...nothing, name: '__proto__' }]
    assert.deepEqual(originalToolsSchema.decode(originalToolsSchema.encode(tools)), tools)
    assert.deepEqual(originalToolsSchema.encode([{ name: 'free' }]), [{ name: 'free', inputSchema: '{"type":"object"}' }])
    assert.deepEqual(originalToolsSchema.encode(undefined), [])
    assert.deepEqual(extractToolNamesFromOriginalTools(originalToolsSchema.encode(tools)), ['add', 'nothing', '__proto__'])
  })

  test('invalid ones are reported, and leave the others alone', () => {
    const heard = []
    const tools = decodeOriginalTools([null, { name: 'a', inputSchema: 'no JSON' }, { name: 'b', inputSchema: '{"type":"object","title":"B"}' }], { onError: (message) => heard.push(message) })
    assert.deepEqual(tools.map(({ name, inputSchema }) => [name, inputSchema]), [['a', { type: 'object' }], ['b', { type: 'object', title: 'B' }]])
    assert.equal(heard.length, 2)
    assert.deepEqual(decodeOriginalTools('tools'), [])
  })
})

describe('one call, as a stream', () => {
  const generated = (text, more = {}) => async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: { outputTokens: 1 }, warnings: [{ type: 'other', message: 'w' }], ...more })
  const stream = async (text, { generated: more, ...settings } = {}) => all((await toolChoiceStream({ doGenerate: generated(text, more), tools: [add], options: { generateId: () => 'id' }, ...settings })).stream)

  test('its parts', async () => {
    assert.deepEqual(await stream('{"name":"add","arguments":{"a":"1"}}', { extraWarnings: [{ type: 'other', message: 'mine' }], generated: { response: { id: 'r', modelId: 'm', headers: {} } } }), [
      { type: 'stream-start', warnings: [{ type: 'other', message: 'w' }, { type: 'other', message: 'mine' }] },
      { type: 'response-metadata', id: 'r', modelId: 'm' },
      { type: 'tool-input-start', id: 'id', toolName: 'add' },
      { type: 'tool-input-delta', id: 'id', delta: '{"a":1}' },
      { type: 'tool-input-end', id: 'id' },
      { type: 'tool-call', toolCallId: 'id', toolName: 'add', input: '{"a":1}' },
      { type: 'finish', usage: { outputTokens: 1 }, finishReason: 'tool-calls' },
    ])
  })

  const callOf = async (text, settings) => {
    const heard = []
    const parts = await stream(text, { ...settings, options: { generateId: () => 'id', onError: (message, { dropReason }) => heard.push(dropReason), ...settings?.options } })
    const { toolName, input } = parts.find(({ type }) => type === 'tool-call')
    return [toolName, input, ...heard]
  }
  const schemaOf = (type) => ({ options: { originalToolSchemas: { add: { type: 'object', properties: { a: { type } } } } } })
  const cases = [
    ['digits beyond 2^53', '{"name":"other","arguments":{"id":12345678901234567890}}', ['other', '{"id":12345678901234567890}']],
    ['__proto__', '{"name":"other","arguments":{"__proto__":{"a":1}}}', ['other', '{"__proto__":{"a":1}}']],
    ['arguments as they are, by request', '{"name":"add","arguments":{"a":"1"}}', ['add', '{"a":"1"}'], { options: { coerce: false } }],
    ['the schema that a tool had first', '{"name":"add","arguments":{"a":1}}', ['add', '{"a":"1"}'], schemaOf('string')],
    ['digits beyond 2^53 in a string, for a whole number', '{"name":"add","arguments":{"a":"12345678901234567890"}}', ['add', '{"a":12345678901234567890}'], schemaOf('integer')],
    ['a call that the provider made itself is the call', '', ['search', '{}'], { generated: { content: [{ type: 'tool-call', toolCallId: 'p', toolName: 'search', input: '{}' }] } }],
  ]
  for (const [name, text, expected, settings] of cases) test(name, async () => assert.deepEqual(await callOf(text, settings), expected))

  // spec/world.md, 3, points 1 and 3: the tool that was asked for is called only with its arguments.
  test('the name of the tool that was asked for, only where its arguments are there', async () => {
    assert.deepEqual(await callOf('{"a":"1"}', { toolName: 'add' }), ['add', '{"a":1}'])
    assert.deepEqual(await callOf('{"arguments":{"a":"1"}}', { toolName: 'add' }), ['unknown', '{}', 'malformed-tool-call-body'])
    assert.deepEqual(await callOf('no', { toolName: 'add' }), ['unknown', '{}', 'malformed-tool-call-body'])
  })


  test('the reason in the form of the model', async () => {
    const parts = await stream('{"name":"add"}', { generated: { finishReason: { unified: 'stop', raw: 'end_turn' } } })
    assert.deepEqual(parts.at(-1).finishReason, { unified: 'tool-calls', raw: 'end_turn' })
  })

  test('an id of its own', async () => {
    const ids = new Set()
    for (let round = 0; round < 20; round++) {
      const [call] = (await stream('{"name":"add"}', { options: {} })).filter(({ type }) => type === 'tool-call')
      assert.match(call.toolCallId, /^call_[A-Za-z0-9]{24}$/)
      ids.add(call.toolCallId)
    }
    assert.equal(ids.size, 20)
  })

  test('a listener that throws does not end the answer', async (t) => {
    const { mock } = t.mock.method(console, 'error', () => {})
    const onError = () => {
      throw new Error('mine')
    }
    const parts = await stream('no', { options: { onError } })
    assert.equal(parts.at(-1).type, 'finish')
    assert.equal(mock.callCount(), 1)
  })
})

describe('what is refused', () => {
  const good = { protocol: bracketProtocol(), toolSystemPromptTemplate: String }
  const cases = [
    [{ ...good, protocol: {} }, /A protocol has the method formatTools/],
    [{ ...good, protocol: undefined }, /A protocol has the method formatTools/],
    [{ ...good, toolSystemPromptTemplate: 'tools' }, /toolSystemPromptTemplate must be a function/],
    [{ ...good, toolResponsePromptTemplate: 'result' }, /toolResponsePromptTemplate must be a function/],
    [{ ...good, placement: 'middle' }, /placement must be first or last, but is string "middle"/],
    [{ ...good, debug: { level: 'loud' } }, /debug\.level/],
    [{ ...good, options: { onErrors() {} } }, /options has no option "onErrors"/],
    [{ ...good, template: String }, /createToolMiddleware has no option "template"/],
  ]
  for (const [options, message] of cases) test(String(message), () => assert.throws(() => createToolMiddleware(options), { name: 'TypeError', message }))

  test('a factory whose protocol is invalid, by the request', async () => {
    const { transformParams: transform } = createToolMiddleware({ ...good, protocol: () => ({}) })
    await assert.rejects(transform({ params: { prompt: [] } }), /A protocol has the method/)
  })
})

test('questions to parts', () => {
  assert.deepEqual([call('1', 'add', '{}'), call('1', 'add', {}), { type: 'text', text: '' }, null].map(isToolCallContent), [true, false, false, false])
  assert.deepEqual([result('1', 'add', 3), { type: 'tool-result' }, null].map(isToolResultPart), [true, false, false])
  assert.deepEqual([{ input: undefined }, {}, 'input'].map(hasInputProperty), [true, false, false])
  assert.deepEqual([bracketProtocol, bracketProtocol()].map(isProtocolFactory), [true, false])
  const onError = () => {}
  assert.deepEqual([{ toolCallMiddleware: { onError } }, { toolCallMiddleware: { onError: 'no' } }, undefined].map(extractOnErrorOption), [{ onError }, undefined, undefined])
})
