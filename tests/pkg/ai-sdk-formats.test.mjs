// Every wire format in the AI SDK, in each of its majors: a model that writes calls in the
// format, the tools, the prompt that the model gets after them, and its answer. What the
// model writes is made by the format's own writer, and what a format can't express is left
// out by its data (`write`).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anyOf, formats, writeCalls } from 'tokenweir/formats'
import { createToolMiddleware, kExaone2Protocol, kExaone2ToolMiddleware, protocolFor, qwen3CoderProtocol, qwen3CoderToolMiddleware, transformParams, uiTarsToolMiddleware, uiTarsXmlProtocol, yamlXmlProtocol, yamlXmlToolMiddleware } from 'tokenweir/ai-sdk'
import { parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { z } from 'zod'
import { answering, majors } from './support/ai-sdk.mjs'
import { sampled } from './support/cuts.mjs'

const all = Object.values(formats).filter(({ write }) => write?.call !== undefined).map(withYaml)

/** What a format says that its writer can't express. */
const cannot = ({ write }, what) => write.limits?.some((limit) => limit.startsWith(what)) === true

/** The text and the reasoning of a turn, as far as a format has them before calls. */
function turnOf(format) {
  const { call, messages, write } = format
  const hasText = call.bare !== 'start' && !cannot(format, 'text before calls') && (messages === undefined || write.text !== undefined)
  const hasReasoning = write.reasoning !== undefined && !cannot(format, 'reasoning')
  // In ReAct nothing ends a thought but the call.
  const isEnded = !hasReasoning || messages !== undefined || format.reasoning.close.some((marker) => write.reasoning[1].includes(marker.trim()))
  return { ...(hasText && isEnded ? { text: 'I look both up.' } : {}), ...(hasReasoning ? { reasoning: 'Two places.' } : {}) }
}

/** Two calls: with nested arguments, or with strings alone. */
function callsOf(format) {
  const more = cannot(format, 'arguments other than strings') ? {} : { days: 2, wind: true, in: { units: ['km', 'h'] } }
  return [
    { toolName: 'get_weather', input: { location: 'Paris', ...more } },
    { toolName: 'get_time', input: { zone: 'Europe/Rome' } },
  ]
}

const RESULTS = { get_weather: 'Sunny <b>& dry</b>', get_time: { hour: 12 } }
const tools = {
  get_weather: {
    description: 'The weather.',
    inputSchema: z.object({ location: z.string(), days: z.number().int().optional(), wind: z.boolean().optional(), in: z.object({ units: z.array(z.string()) }).optional() }),
    execute: async () => {
      // The results come in another order than the calls.
      await new Promise((resolve) => setTimeout(resolve, 2))
      return RESULTS.get_weather
    },
  },
  get_time: { description: 'The time.', inputSchema: z.object({ zone: z.string() }), execute: async () => RESULTS.get_time },
}
const plainTools = [
  { name: 'get_weather', inputSchema: z.toJSONSchema(tools.get_weather.inputSchema) },
  { name: 'get_time', inputSchema: z.toJSONSchema(tools.get_time.inputSchema) },
]

/** A whole turn as the model writes it. */
const written = (format, calls, turn) => writeCalls(calls, { format, ...turn })

/** What stands around results and between them. Where a format doesn't say it, each result is a turn of its own: a line. */
const around = ({ write: { resultJoin, results } }) => ({ join: resultJoin ?? (results === undefined ? '\n' : ''), markers: results ?? ['', ''] })

/** The results in a text, by the template of a format: what stands where `{result}` is. */
function resultsIn(text, format, count) {
  const { join, markers: [open, close] } = around(format)
  const { result } = format.write
  const literal = (part) => part.replace(/[^\w\s]/g, '\\$&')
  const one = result.split(/(\{(?:result|name|id|index)(?::\w+)?\})/).map((part) => (part.startsWith('{result') ? '([^]+?)' : /^\{(?:name|id|index)\b/.test(part) ? '[^]+?' : literal(part))).join('')
  const found = new RegExp(`^${literal(open)}${Array(count).fill(one).join(literal(join))}${literal(close)}$`).exec(text)
  assert.ok(found, `${JSON.stringify(text)} has no results like ${JSON.stringify(result)}`)
  return found.slice(1).map((value) => {
    const written = result.includes('{result:json}') ? JSON.parse(value) : value
    return written === RESULTS.get_weather ? written : JSON.parse(written)
  })
}

const textOf = ({ content }) => (typeof content === 'string' ? content : content.filter(({ type }) => type === 'text').map(({ text }) => text).join(''))

/** Asks with tools, up to the answer; and compares each step with what was written. */
async function loop(major, way, format, middleware) {
  const { ai } = major
  const calls = callsOf(format)
  const turn = turnOf(format)
  const answer = 'text' in turn ? written(format, [], { ...turn, text: 'Sunny at noon.' }) : 'Sunny at noon.'
  const model = answering(major, [written(format, calls, turn), answer], { size: 5 })
  const result = await ai[way]({ model: ai.wrapLanguageModel({ model, middleware }), tools, prompt: 'Weather and time?', stopWhen: ai.stepCountIs(3) })
  const [first, last, ...others] = await result.steps
  assert.deepEqual(others, [])
  assert.deepEqual(first.toolCalls.map(({ toolName, input, invalid }) => ({ toolName, input, invalid })), calls.map((call) => ({ ...call, invalid: undefined })))
  assert.equal(first.finishReason, 'tool-calls')
  assert.equal(first.text.trim(), turn.text ?? '')
  assert.equal((first.reasoningText ?? '').trim(), turn.reasoning ?? '')
  assert.equal(first.toolResults.length, 2)
  assert.equal(last.text.trim(), 'Sunny at noon.')
  assert.equal((last.reasoningText ?? '').trim(), 'text' in turn ? (turn.reasoning ?? '') : '')

  // The model has no tools of its own: calls and results are text of the prompt, in its format.
  const { prompt, tools: given } = (way === 'streamText' ? model.doStreamCalls : model.doGenerateCalls)[1]
  assert.equal(given, undefined)
  assert.deepEqual(prompt.map(({ role }) => role), ['system', 'user', 'assistant', 'user'])
  const [system, , assistant, user] = prompt
  for (const name of Object.keys(tools)) assert.ok(system.content.includes(name))
  const history = parseReply(textOf(assistant), { format, tools: plainTools, prefill: '' })
  assert.deepEqual(history.toolCalls.map(({ toolName, args }) => ({ toolName, input: args })), calls)
  assert.equal(history.text.trim(), turn.text ?? '')
  assert.deepEqual(resultsIn(textOf(user), format, 2), Object.values(RESULTS))
  const ids = first.toolCalls.map(({ toolCallId }) => toolCallId)
  const again = calls.map((call, at) => ({ ...call, toolCallId: ids[at] }))
  assert.equal(textOf(assistant).trim(), writeCalls(again, { format, ...(turn.text === undefined ? {} : { text: turn.text }) }).trim())
}

const asked = all.flatMap((format) => majors.flatMap((major) => ['streamText', 'generateText'].map((way) => [format, major, way])))
for (const [format, major, way] of sampled(asked)) test(`${format.id}, ${major.name}: ${way}`, () => loop(major, way, format, createToolMiddleware({ format })))

test('most formats have text and reasoning before calls, and arguments of any type', () => {
  const turns = all.map(turnOf)
  assert.ok(turns.filter(({ text }) => text !== undefined).length > 70)
  assert.ok(turns.filter(({ reasoning }) => reasoning !== undefined).length > 30)
  assert.ok(all.filter((format) => callsOf(format)[0].input.in !== undefined).length > 85)
})

/** What reads YAML is not in the package's own formats. */
const isPlain = ({ call }) => call.body !== 'yaml'

describe('by its id', () => {
  for (const format of sampled(all.filter(isPlain))) test(format.id, () => loop(majors[1], 'generateText', format, createToolMiddleware({ format: format.id })))
})

describe('as a protocol with a prompt of the user', () => {
  for (const format of sampled(all)) test(format.id, () => loop(majors[2], 'streamText', format, createToolMiddleware({ protocol: protocolFor(format), toolSystemPromptTemplate: (tools) => `Tools: ${tools}` })))
})

describe('by the names of @ai-sdk-tool/parser', () => {
  const peers = [
    ['qwen3-coder', qwen3CoderToolMiddleware, () => qwen3CoderProtocol()],
    ['ui-tars', uiTarsToolMiddleware, () => uiTarsXmlProtocol()],
    ['k-exaone', kExaone2ToolMiddleware, () => kExaone2Protocol()],
    ['yaml-xml', yamlXmlToolMiddleware, () => yamlXmlProtocol({ withYaml })],
  ]
  for (const [id, middleware, protocol] of peers) {
    const format = withYaml(formats[id])
    for (const major of majors) {
      for (const way of ['streamText', 'generateText']) {
        test(`${id}, ${major.name}: ${way}`, () => loop(major, way, format, middleware))
        test(`${id}, ${major.name}: ${way} with its protocol`, () => loop(major, way, format, createToolMiddleware({ protocol, toolSystemPromptTemplate: (tools) => `Tools: ${tools}` })))
      }
    }
  }
})

/** Makes the first request, which loads what reads calls. */
const asks = (options) => createToolMiddleware(options).transformParams({ params: { prompt: [] }, type: 'generate' })

test('YAML needs what reads it', async () => {
  const message = 'protocolFor: the calls of "yaml-xml" are YAML, which withYaml of tokenweir/ai-sdk-tool-parser reads: protocolFor(withYaml(format))'
  for (const format of ['yaml-xml', formats['yaml-xml'], anyOf('hermes', 'yaml-xml')]) {
    assert.throws(() => protocolFor(format), { name: 'TypeError', message })
    for (const time of [1, 2]) await assert.rejects(asks({ format }), { name: 'TypeError', message }, String(time))
  }
  const both = protocolFor(anyOf('hermes', withYaml(formats['yaml-xml'])))
  assert.deepEqual(both.parseGeneratedText({ text: '<now>\nzone: 7\n</now>', tools: [{ name: 'now' }] }).map(({ input }) => input), ['{"zone":7}'])
  for (const options of [undefined, {}, { withYaml: true }]) assert.throws(() => yamlXmlProtocol(options), { name: 'TypeError', message: /^yamlXmlProtocol needs \{ withYaml \} of tokenweir\/ai-sdk-tool-parser, which reads YAML, but withYaml is / })
  assert.throws(() => yamlXmlProtocol({ withYaml, other: 1 }), { name: 'TypeError', message: /no option "other"/ })
})

test('a format that can only be read is refused with the first request, an unknown one when the middleware is made', async () => {
  assert.throws(() => createToolMiddleware({ format: 'hermess' }), { name: 'TypeError', message: 'createToolMiddleware: there is no format "hermess"; is it "hermes"?' })
  const { write, ...read } = formats.hermes
  const format = { ...read, id: 'mine' }
  await assert.rejects(asks({ format }), {
    name: 'TypeError',
    message:
      'createToolMiddleware: the format "mine" doesn\'t say how calls are written, which earlier turns need: give it write.call with defineFormat. Where a server writes tools and calls, toolCallStream reads its replies',
  })
  for (const given of [{ ...format, write: { call: write.call } }, read, formats['anthropic-thinking']]) assert.ok(await asks({ format: given }))
})

describe('a conversation in a prompt', () => {
  const call = (toolCallId, toolName, input, more) => ({ type: 'tool-call', toolCallId, toolName, input, ...more })
  const result = (toolCallId, toolName, value, more) => ({ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value }, ...more })
  const promptOf = async (protocol, prompt, more = {}) => (await transformParams({ params: { prompt, tools: [{ type: 'function', name: 'f' }] }, protocol, toolSystemPromptTemplate: () => 'Tools.', ...more })).prompt.slice(1).map((message) => [message.role, textOf(message)])
  const conversation = [
    { role: 'assistant', content: [{ type: 'text', text: 'Look.' }, call('a', 'f', { x: 1 }), { type: 'text', text: '\n' }, call('b', 'f', { x: 2 })] },
    { role: 'tool', content: [result('b', 'f', 'B'), result('a', 'f', 'A')] },
    { role: 'assistant', content: [call('c', 'f', { x: 3 })] },
    { role: 'tool', content: [result('c', 'f', 'C')] },
  ]

  test('calls are counted through it, and results are in the order of their calls', async () => {
    assert.deepEqual(await promptOf(protocolFor('kimi-k2'), conversation), [
      ['assistant', 'Look.<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"x": 1}<|tool_call_end|><|tool_call_begin|>functions.f:1<|tool_call_argument_begin|>{"x": 2}<|tool_call_end|><|tool_calls_section_end|>'],
      ['user', '## Return of functions.f:0\nA\n## Return of functions.f:1\nB'],
      ['assistant', '<|tool_calls_section_begin|><|tool_call_begin|>functions.f:2<|tool_call_argument_begin|>{"x": 3}<|tool_call_end|><|tool_calls_section_end|>'],
      ['user', '## Return of functions.f:2\nC'],
    ])
  })

  test('a method that the user replaced writes each call alone', async () => {
    const protocol = { ...protocolFor('kimi-k2'), formatToolCall: ({ toolName }) => `[${toolName}]`, formatToolResponse: ({ toolCallId }) => `(${toolCallId})` }
    assert.deepEqual((await promptOf(protocol, conversation)).slice(0, 2), [['assistant', 'Look.\n[f]\n\n\n[f]'], ['user', '(b)\n(a)']])
    const template = { toolResponsePromptTemplate: ({ toolCallId }) => `(${toolCallId})` }
    assert.deepEqual((await promptOf(protocolFor('kimi-k2'), conversation, template)).at(1), ['user', '(b)\n(a)'])
  })

  test('text that the format has no way to mark stands before the calls as it is', async () => {
    const [[, text]] = await promptOf(protocolFor('harmony'), [{ role: 'assistant', content: [{ type: 'text', text: 'A <|end|> is a marker.' }, call('a', 'f', {})] }])
    assert.equal(text, `A <|end|> is a marker.\n${writeCalls([{ toolName: 'f', input: {} }], { format: 'harmony' })}`)
  })

  test('white space that ends the text as its calls begin is not doubled', async () => {
    const [[, text]] = await promptOf(protocolFor('qwen3-coder'), [{ role: 'assistant', content: [{ type: 'text', text: 'Look.\n\n' }, call('a', 'f', {}), { type: 'text', text: 'More.' }] }])
    assert.equal(text, `${writeCalls([{ toolName: 'f', input: {} }], { format: 'qwen3-coder', text: 'Look.' })}\nMore.`)
  })

  test('what each part said to the provider is kept, and so are files', async () => {
    const providerOptions = (name) => ({ providerOptions: { [name]: { cache: true } } })
    const file = { type: 'content', value: [{ type: 'text', text: 'Here:' }, { type: 'media', mediaType: 'image/png', data: 'AAAA' }] }
    const { prompt } = await transformParams({
      params: {
        prompt: [
          { role: 'assistant', content: [call('a', 'f', {}, providerOptions('one')), call('b', 'f', {}, providerOptions('two'))] },
          { role: 'tool', content: [{ ...result('a', 'f', ''), output: file }, result('b', 'f', 'B', providerOptions('three'))] },
        ],
        tools: [{ type: 'function', name: 'f' }],
      },
      protocol: protocolFor('deepseek-v3'),
      toolSystemPromptTemplate: () => 'Tools.',
    })
    assert.deepEqual(prompt[1].content.map(({ type, providerOptions: said }) => [type, said]), [['text', { one: { cache: true }, two: { cache: true } }]])
    assert.deepEqual(prompt[2].content.map(({ type, text, providerOptions: said }) => [type, text, said]), [
      ['text', '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>Here:\n[image/png]<｜tool▁output▁end｜>\n<｜tool▁output▁begin｜>B<｜tool▁output▁end｜><｜tool▁outputs▁end｜>', { three: { cache: true } }],
      ['file', undefined, undefined],
    ])
  })
})
