// A choice of tools that has to be met, in the AI SDK's three majors: which tools are
// executed, and with which arguments, whatever the model answers.
//
// Source: spec/world.md, 3, points 1 to 5.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToolMiddleware, gemmaToolMiddleware, hermesProtocol, hermesToolMiddleware, morphXmlToolMiddleware, toolCallOptions, toolChoiceStream } from 'tokenweir/ai-sdk'
import { z } from 'zod'
import { all, answering, bracketProtocol, majors } from './support/ai-sdk.mjs'
import { sampled } from './support/cuts.mjs'

const schemas = {
  add: z.object({ a: z.number(), b: z.number() }),
  write_file: z.object({ path: z.string(), content: z.string() }),
  stop: z.object({}),
}
const adding = '{"name": "add", "arguments": {"a": 1, "b": 2}}'
const encoded = '{"name": "add", "arguments": "{\\"a\\": 1, \\"b\\": 2}"}'
const added = ['add', { a: 1, b: 2 }]
const rm = '{"name": "write_file", "arguments": {"path": "all", "content": "gone"}}'
const file = (content) => ['write_file', { path: 'f', content }]
const writing = (content) => JSON.stringify({ name: 'write_file', arguments: { path: 'f', content } })
/** The result without a call: the text, then a call of no tool. */
const NOTHING = { executed: [], unknown: true }
const CUT = (reason) => ({ executed: [], reason })

/**
 * The answer, and its result: `executed`, `text` (the answer, where it isn't said), `reason` (`tool-calls`),
 * `unknown` (false), `calls` where there are others than those that are executed, `repairs`. `named` is what differs
 * where the tool `add` was asked for by its name.
 */
const rows = [
  ['a refusal', 'I would rather not.', NOTHING],
  ['nothing', '', NOTHING],
  ['no content at all', { contents: [] }, { ...NOTHING, text: '' }],
  ['a call, and nothing else', adding, { executed: [added], text: '' }],
  ['a call cut off by length', { text: '{"name": "add", "arguments": {"a": 1, "b": 2', reason: 'length' }, CUT('length')],
  ['a call cut off by a filter', { text: '{"name": "add", "arguments": {"a": 1, "b"', reason: 'content-filter' }, CUT('content-filter')],
  ['a call cut off by an error', { text: '{"name": "add", "argum', reason: 'error' }, CUT('error')],
  ['a call in tags cut off by length', { text: '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}', reason: 'length' }, CUT('length')],
  ['a call that lacks only closing brackets, cut off by length', { text: '{"name": "add", "arguments": {"a": 1, "b": 2}', reason: 'length' }, CUT('length')],
  ['a refusal cut off by length', { text: 'I would rath', reason: 'length' }, CUT('length')],
  ['a whole call, then cut off by length', { text: `${adding} and`, reason: 'length' }, { executed: [], calls: [added], text: ' and', reason: 'length' }],
  ['a call that lacks only closing brackets', '{"name": "add", "arguments": {"a": 1, "b": 2', { executed: [added], text: '', repairs: ['missing-closer'] }],
  ['a call that lacks one of them', '{"name": "add", "arguments": {"a": 1, "b": 2}\n', { executed: [added], text: '', repairs: ['missing-closer'] }],
  ['a list that lacks them', `[${adding}, {"name": "stop", "arguments": {}`, { executed: [added, ['stop', {}]], text: '', repairs: ['missing-closer', 'list', 'missing-closer', 'list'] }],
  ['a call in a fence that lacks one of them', '```json\n{"name": "add", "arguments": {"a": 1, "b": 2}\n```', { executed: [added], text: '', repairs: ['missing-closer', 'fence'] }],
  ['a call that stops in a string', '{"name": "write_file", "arguments": {"path": "f", "content": "x', NOTHING],
  ['a call that stops after a comma', '{"name": "add", "arguments": {"a": 1, "b": 2},', NOTHING],
  ['a call that stops in a word', '{"name": "add", "arguments": {"a": 1, "b": 2, "c": tru', NOTHING],
  ['a call that stops after a colon', '{"name": "add", "arguments": {"a": 1, "b":', NOTHING],
  ['a call in tags without its end tag', `<tool_call>${adding}`, { executed: [added], text: '<tool_call>' }],
  ['arguments alone', '{"a": 1, "b": 2}', { ...NOTHING, named: { executed: [added], text: '', unknown: false } }],
  ['arguments alone, in prose', 'Here: {"a": 1, "b": 2}. Done.', { ...NOTHING, named: { executed: [added], text: 'Here: . Done.', unknown: false } }],
  ['arguments alone that lack a bracket', '{"a": 1, "b": 2', { ...NOTHING, named: { executed: [added], text: '', unknown: false, repairs: ['missing-closer'] } }],
  ['arguments alone that lack a required one', '{"a": 1}', NOTHING],
  ['arguments alone with one too many', '{"a": 1, "b": 2, "c": 3}', NOTHING],
  ['an empty object', '{}', NOTHING],
  ['arguments in prose, and a call', `With {"a": 5, "b": 6}: ${adding}`, { executed: [added], text: 'With {"a": 5, "b": 6}: ' }],
  ['prose before a fence', `I add:\n\`\`\`json\n${adding}\n\`\`\`\nDone.`, { executed: [added], text: 'I add:\n\nDone.', repairs: ['fence'] }],
  ['a fence without a language, that never closes', `\`\`\`\n${adding}\n`, { executed: [added], text: '', repairs: ['fence'] }],
  ['a fence with more than the call', `\`\`\`\n${adding} # so\n\`\`\``, { executed: [added], text: ' # so\n', repairs: ['fence'] }],
  ['two calls in a fence', `\`\`\`json\n${adding}\n${writing('x')}\n\`\`\``, { executed: [added, file('x')], text: '', repairs: ['fence'] }],
  ['prose around', `Well, ${adding} so.`, { executed: [added], text: 'Well,  so.' }],
  ['two text parts', { contents: [{ type: 'text', text: 'I add.' }, { type: 'text', text: adding }] }, { executed: [added], text: 'I add.' }],
  ['two text parts with a call each', { contents: [{ type: 'text', text: adding }, { type: 'text', text: writing('x') }] }, { executed: [added, file('x')], text: '' }],
  ['a list of calls', `[${adding}, ${writing('x')}]`, { executed: [added, file('x')], text: '', repairs: ['list', 'list'] }],
  ['a list with something else in it', `[${adding}, 5]`, NOTHING],
  ['a list that begins with something else', `[1, ${adding}]`, NOTHING],
  ['a call in a comment of a value', `{/* ${rm} */}`, NOTHING],
  ['a comment before the name', `{/* so */ ${adding.slice(1)}`, { executed: [added], text: '', repairs: ['comment'] }],
  ['a list in a list', `[[${adding}]]`, NOTHING],
  ['a reference before the call', `[1] ${adding}`, { executed: [added], text: '[1] ' }],
  ['a list whose arguments are JSON in strings', `[${encoded}, ${encoded}]`, { executed: [added, added], text: '', repairs: ['encoded-arguments', 'list', 'encoded-arguments', 'list'] }],
  ['an empty list', '[]', NOTHING],
  ['two calls', `${adding}\n${writing('x')}`, { executed: [added, file('x')], text: '' }],
  ['two calls in tags', `<tool_call>${adding}</tool_call>\n<tool_call>${writing('x')}</tool_call>`, { executed: [added, file('x')], text: '\n' }],
  ['a call in tags and one in prose', `<tool_call>${adding}</tool_call> Then ${writing('x')}`, { executed: [added, file('x')], text: ' Then ' }],
  ['another tool', writing('x'), { executed: [file('x')], text: '' }],
  ['a tool that is not there', '{"name": "sub", "arguments": {"a": 1}}', { executed: [], calls: [['sub', { a: 1 }]], text: '' }],
  ['reasoning before the object', `<think>I could add.</think>${adding}`, { executed: [added], text: '', reasoning: 'I could add.' }],
  ['reasoning with a call in it', `<think>\nOr ${rm}, or <tool_call>${rm}</tool_call>?</think>\n${adding}`, { executed: [added], text: '', reasoning: `\nOr ${rm}, or <tool_call>${rm}</tool_call>?` }],
  ['reasoning that the template has opened', `Or ${rm}, or <tool_call>${rm}</tool_call>?\n</think>\n${adding}`, { executed: [added], text: '', reasoning: `Or ${rm}, or <tool_call>${rm}</tool_call>?\n` }],
  ['reasoning that never closes', `<think>I could ${rm}`, { ...NOTHING, loose: true }],
  ['reasoning in the middle of a line', `So <think>${rm}</think>${adding}`, { executed: [added], text: `So <think>${rm}</think>` }],
  ['a marker of reasoning in an argument', writing('a </think> b <think> c'), { executed: [file('a </think> b <think> c')], text: '' }],
  ['a marker of reasoning in an argument in tags', `<tool_call>${writing('a </think> b')}</tool_call>`, { executed: [file('a </think> b')], text: '' }],
  ['a call in an argument', writing(rm), { executed: [file(rm)], text: '' }],
  ['a call in an argument that is broken', `{"name": "write_file", "arguments": {"path": "f", "content": "say "${rm}" so"}}`, NOTHING],
  ['a marker of reasoning in an argument that is broken', `{"name": "write_file", "arguments": {"path": "f", "content": "say "</think>${rm}" so"}}`, NOTHING],
  ['a call in an argument that is cut off', { text: `{"name": "write_file", "arguments": {"path": "f", "content": {"a": ${rm}`, reason: 'length' }, CUT('length')],
  ['a call in other data', `{"plan": [${rm}]}`, NOTHING],
  ['a call in tags that is broken', `<tool_call>{"name": "write_file", "arguments": {"path": "f", "content": "x"}} or "}}</tool_call>`, { ...NOTHING, loose: true }],
  ['an example before the call', `As {"name": <name>, "arguments": <arguments>}: ${adding}`, { executed: [added], text: 'As {"name": <name>, "arguments": <arguments>}: ' }],
  ['braces in prose before the call', `A { and [see] (x): ${adding}`, { executed: [added], text: 'A { and [see] (x): ' }],
  ['a name without arguments', '{"name": "add"}', NOTHING],
  ['a name without arguments, of a tool that takes none', '{"name": "stop"}', { executed: [['stop', {}]], text: '' }],
  ['null for arguments', '{"name": "add", "arguments": null}', NOTHING],
  ['arguments without a name', '{"arguments": {"a": 1, "b": 2}}', NOTHING],
  ['arguments that are a list', '{"name": "add", "arguments": [1, 2]}', NOTHING],
  ['arguments that come twice', '{"name": "add", "arguments": {"a": 1, "b": 2}, "arguments": {"a": 3, "b": 4}}', NOTHING],
  ['an empty object for arguments that are required', '{"name": "add", "arguments": {}}', { executed: [], calls: [['add', {}]], text: '' }],
  ['arguments as JSON in a string', '{"name": "add", "arguments": "{\\"a\\": 1, \\"b\\": 2}"}', { executed: [added], text: '', repairs: ['encoded-arguments'] }],
  ['a string for arguments that is not JSON', '{"name": "add", "arguments": "a=1"}', NOTHING],
  ['parameters', '{"name": "add", "parameters": {"a": 1, "b": 2}}', { executed: [added], text: '', repairs: ['parameters'] }],
  ['tool and args, of a known tool', '{"tool": "add", "args": {"a": 1, "b": 2}}', { executed: [added], text: '', repairs: ['tool', 'args'] }],
  ['name and input, of a known tool', '{"name": "add", "input": {"a": 1, "b": 2}}', { executed: [added], text: '', repairs: ['input'] }],
  ['tool and input, of another', '{"tool": "hammer", "input": {"a": 1}}', NOTHING],
  ['relaxed JSON', "{name: 'add', arguments: {a: 1, b: 2,},}", { executed: [added], text: '', repairs: ['trailing-comma', 'single-quotes', 'unquoted-key'] }],
  ['numbers as strings', '{"name": "add", "arguments": {"a": "1", "b": "2"}}', { executed: [added], text: '' }],
  ['a native call of the provider', { contents: [{ type: 'text', text: 'So.' }, { type: 'tool-call', toolCallId: 'n', toolName: 'add', input: '{"a": 1, "b": 2}' }], reason: 'tool-calls' }, { executed: [added], text: 'So.' }],
]

for (const major of majors) {
  const { ai } = major
  const ask = (answer, { toolChoice, middleware = hermesToolMiddleware, more = {}, ...options }) => {
    const executed = []
    const heard = []
    const repaired = []
    const model = answering(major, [answer])
    const tools = Object.fromEntries(Object.entries(schemas).map(([name, inputSchema]) => [name, { inputSchema, execute: (input) => (executed.push([name, input]), 'done') }]))
    const toolCallMiddleware = { onError: (message, metadata) => heard.push(metadata.dropReason), onRepair: (repairs) => repaired.push(...repairs), ...options }
    const settings = { model: ai.wrapLanguageModel({ model, middleware }), tools, toolChoice, prompt: '?', providerOptions: { toolCallMiddleware }, ...more }
    return { model, executed, heard, repaired, settings }
  }
  /** Since version 6 the SDK refuses answers that don't meet the choice, once it has them. */
  const guards = { 'ai 5': [], 'ai 6': ['generateText'], 'ai 7': ['generateText', 'streamText'] }[major.name]
  const outcome = async (way, { settings, ...settled }) => {
    try {
      const result = await ai[way]({ ...settings, onError() {} })
      const calls = (await result.toolCalls).map(({ toolName, input }) => [toolName, input])
      return { ...settled, calls, text: await result.text, reason: await result.finishReason, reasoning: (await result.reasoningText) ?? '' }
    } catch (error) {
      assert.equal(error.name, 'AI_ToolChoiceViolationError', error.stack)
      return { ...settled, isGuarded: true }
    }
  }
  /** What comes out of the model itself, before the SDK judges it. */
  const answered = async (way, { settings: { model }, ...others }, toolChoice) => {
    const tools = Object.entries(schemas).map(([name, schema]) => ({ type: 'function', name, inputSchema: z.toJSONSchema(schema) }))
    const params = { prompt: [{ role: 'user', content: [{ type: 'text', text: '?' }] }], tools, toolChoice: typeof toolChoice === 'string' ? { type: toolChoice } : toolChoice, providerOptions: others.providerOptions }
    let { content, finishReason, stream } = await model[way](params)
    if (stream !== undefined) {
      const parts = await all(stream)
      finishReason = parts.at(-1).finishReason
      content = parts.filter(({ type }) => ['text-delta', 'reasoning-delta', 'tool-call'].includes(type)).map((part) => ({ ...part, type: part.type.replace('-delta', ''), text: part.delta }))
    }
    const textOf = (kind) => content.filter(({ type }) => type === kind).map(({ text }) => text).join('')
    const calls = content.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => [toolName, JSON.parse(input)])
    return { calls, text: textOf('text'), reasoning: textOf('reasoning'), reason: finishReason.unified ?? finishReason }
  }

  describe(major.name, () => {
    for (const way of ['generateText', 'streamText']) {
      for (const choice of ['required', 'named']) {
        describe(`${way}, ${choice}`, () => {
          const toolChoice = choice === 'named' ? { type: 'tool', toolName: 'add' } : 'required'
          for (const [name, answer, { named = {}, ...rest }] of sampled(rows)) {
            test(name, async () => {
              const expected = choice === 'named' ? { ...rest, ...named } : rest
              const contents = answer.contents ?? [{ type: 'text', text: answer.text ?? answer }]
              const text = contents.map((part) => part.text ?? part.input).join('')
              const calls = expected.calls ?? (expected.unknown ? [['unknown', {}]] : expected.executed)
              const meets = choice === 'named' ? calls.some(([tool]) => tool === 'add') : calls.length > 0
              const judge = (seen) => {
                assert.deepEqual(seen.calls, calls)
                assert.equal(seen.reason, expected.reason ?? 'tool-calls')
                if (!expected.loose) assert.equal(seen.text, expected.text ?? text)
                if (expected.reasoning !== undefined) assert.equal(seen.reasoning, expected.reasoning)
              }
              const seen = await outcome(way, ask(answer, { toolChoice }))
              if (meets || !guards.includes(way)) {
                assert.deepEqual(seen.executed, expected.executed)
                judge(seen)
              } else {
                assert.ok(seen.isGuarded || seen.reason === 'error')
                assert.deepEqual(seen.executed, [])
              }
              for (const [tool, input] of seen.executed) {
                for (const value of Object.values(input)) assert.ok(text.includes(JSON.stringify(value).replace(/^"|"$/g, '')), `${tool} is executed with ${value}, which the model did not write`)
              }
              assert.equal(seen.heard.includes('malformed-tool-call-body') || seen.heard.includes('unresolved-tool-name'), expected.unknown === true)
              assert.deepEqual(seen.repaired, expected.repairs ?? [])
              judge(await answered(way === 'streamText' ? 'doStream' : 'doGenerate', ask(answer, { toolChoice }), toolChoice))
            })
          }
        })
      }

      test(`${way}: without a call the text alone, by request`, async () => {
        for (const toolChoice of ['required', { type: 'tool', toolName: 'add' }]) {
          const { executed, heard, ...seen } = await outcome(way, ask('I would rather not.', { toolChoice, withoutCall: 'text' }))
          assert.deepEqual([executed, heard], [[], ['malformed-tool-call-body']])
          if (guards.includes(way)) assert.ok(seen.isGuarded || seen.reason === 'error')
          else assert.deepEqual([seen.calls, seen.text, seen.reason], [[], 'I would rather not.', 'stop'])
        }
      })

      test(`${way}: an empty object is the arguments of a tool that requires none`, async () => {
        const { executed, text } = await outcome(way, ask('So {}.', { toolChoice: { type: 'tool', toolName: 'stop' } }))
        assert.deepEqual([executed, text], [[['stop', {}]], 'So .'])
        assert.deepEqual((await outcome(way, ask('So.', { toolChoice: { type: 'tool', toolName: 'stop' } }))).executed, [])
      })

      test(`${way}: other protocols`, async () => {
        const bracket = createToolMiddleware({ protocol: bracketProtocol(), toolSystemPromptTemplate: (tools) => tools })
        for (const [middleware, answer, text] of [
          [morphXmlToolMiddleware, 'So: <add><a>1</a><b>2</b></add>', 'So: '],
          [gemmaToolMiddleware, `So:\n\`\`\`tool_call\n${adding}\n\`\`\``, 'So:\n'],
          [gemmaToolMiddleware, `So:\n\`\`\`json\n${adding}\n\`\`\``, 'So:\n'],
          [bracket, 'So: [[add {"a":"1","b":2}]]', 'So: '],
          [bracket, `Or [[write_file {"path":"f","content":"x"}]]</think>So: ${adding}`, 'So: '],
        ]) {
          const seen = await outcome(way, ask(answer, { toolChoice: 'required', middleware }))
          assert.deepEqual([seen.executed, seen.text], [[added], text], answer)
        }
      })

      test(`${way}: what the provider says of a text is kept`, async () => {
        const providerMetadata = { mock: { signature: 's' } }
        for (const [text, expected] of [[adding, [['text', ''], ['tool-call', undefined]]], [`So ${adding} then`, [['text', 'So '], ['tool-call', undefined], ['text', ' then']]], ['', [['text', ''], ['tool-call', undefined]]]]) {
          const contents = [{ type: 'text', text, providerMetadata }]
          const parts = (await (await ai[way](ask({ contents }, { toolChoice: 'required' }).settings)).content).filter(({ type }) => type === 'text' || type === 'tool-call')
          assert.deepEqual(parts.map(({ type, text }) => [type, text]), expected, text)
          assert.deepEqual(parts[0].providerMetadata, providerMetadata)
        }
      })
    }

    test('by request a stream is read as usual', async () => {
      const ways = ask(`I add. <tool_call>${adding}</tool_call>`, { toolChoice: 'required', forcedToolChoice: 'stream' })
      const { model, executed, calls, text, reason } = await outcome('streamText', ways)
      assert.deepEqual([executed, calls, text, reason], [[added], [added], 'I add. ', 'tool-calls'])
      assert.deepEqual([model.doStreamCalls.length, model.doGenerateCalls.length], [1, 0])
      const [{ responseFormat, prompt }] = model.doStreamCalls
      assert.equal(responseFormat?.type ?? 'text', 'text')
      assert.match(prompt[0].content, /\nThis time you must call one of the tools\.$/)
      const named = await outcome('streamText', ask('I would rather not.', { toolChoice: { type: 'tool', toolName: 'add' }, forcedToolChoice: 'stream' }))
      assert.deepEqual([named.executed, named.calls, named.text, named.reason], [[], [], 'I would rather not.', guards.includes('streamText') ? 'error' : 'stop'])
      assert.match(named.model.doStreamCalls[0].prompt[0].content, /\nThis time you must call the tool "add"\.$/)
      // A whole answer is the same with it.
      assert.deepEqual((await outcome('generateText', ask(adding, { toolChoice: 'required', forcedToolChoice: 'stream' }))).executed, [added])
    })
  })
}

describe('what is refused', () => {
  for (const [options, message] of [
    [{ withoutCall: 'nothing' }, /withoutCall must be one of unknown, text, but is string "nothing"/],
    [{ forcedToolChoice: true }, /forcedToolChoice must be one of generate, stream, but is boolean true/],
    [{ withoutCalls: 'text' }, /has no option "withoutCalls"/],
  ]) {
    test(JSON.stringify(options), async () => {
      assert.throws(() => createToolMiddleware({ protocol: bracketProtocol(), toolSystemPromptTemplate: String, options }), { name: 'TypeError', message })
      const { ai } = majors[1]
      const model = ai.wrapLanguageModel({ model: answering(majors[1], ['Well.']), middleware: hermesToolMiddleware })
      await assert.rejects(ai.generateText({ model, prompt: '?', maxRetries: 0, providerOptions: { toolCallMiddleware: options } }), { message })
    })
  }
})

describe('hostile answers', () => {
  const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] } }]
  const stream = async (text) => all((await toolChoiceStream({ doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }), tools, toolName: 'add' })).stream)
  for (const [name, piece] of [
    ['objects that open', '{"a":'],
    ['braces', '{'],
    ['brackets', '['],
    ['braces in prose', '{ a '],
    ['brackets in prose', '[a b '],
    ['keys', '{a:1 '],
    ['empty objects', '{} '],
    ['quotes that open', "{'"],
    ['lists that fail late', '[{"a":1} 2 '],
    ['ends of reasoning', '</think>'],
    ['starts of reasoning', '<think>'],
    ['fences', '```json\n'],
    ['line ends', '\n'],
    ['spaces', ' '],
    ['tags', '<tool_call>{'],
  ]) {
    // Where the time grew with the square of the length, it would take more than that.
    test(`1 MB of ${name}`, { timeout: 120_000 }, async () => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
      const parts = await stream(text)
      assert.deepEqual(parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => [toolName, input]), [['unknown', '{}']])
      const emitted = parts.map(({ type, delta }) => (type === 'text-delta' || type === 'reasoning-delta' ? delta : '')).join('')
      assert.ok(emitted === text || piece.includes('think'), 'no text is lost')
    })
  }

  for (const onMalformed of ['text', 'drop', 'invalid-call']) {
    test(`1 MB of calls in tags that are broken: ${onMalformed}`, { timeout: 120_000 }, async () => {
      const text = `${'<tool_call>{"name": "add", "arguments": {"a": 1 2}}</tool_call> so '.repeat(15_000)}`
      const { stream } = await toolChoiceStream({ doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: 'stop', usage: {} }), tools, toolName: 'add', protocol: hermesProtocol(), options: { onMalformed } })
      const parts = await all(stream)
      assert.ok(parts.every(({ type, input }) => type !== 'tool-call' || input.includes('1 2') || input === '{}'))
    })
  }

  test('a call after much other text is found', async () => {
    const parts = await stream(`${'{ not JSON } '.repeat(2_000)}${adding}`)
    assert.deepEqual(parts.filter(({ type }) => type === 'tool-call').map(({ toolName }) => toolName), ['add'])
  })
})

test('toolCallOptions checks what it gives', () => {
  const onError = () => {}
  assert.deepEqual(toolCallOptions({ onError, withoutCall: 'text' }), { onError, withoutCall: 'text' })
  assert.throws(() => toolCallOptions({ onErrors: onError }), { name: 'TypeError', message: /toolCallOptions has no option "onErrors"/ })
  assert.throws(() => toolCallOptions({ forcedToolChoice: 'auto' }), { name: 'TypeError', message: /toolCallOptions: forcedToolChoice must be one of generate, stream/ })
})
