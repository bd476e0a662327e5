// Content other than calls from text: a provider's own calls, texts with
// what they carry, and reasons to finish.
//
// Source: spec/world.md, 3, points 6, 7, 14 and 15.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ToolCallParser, createToolMiddleware, hermesProtocol, hermesToolMiddleware, morphXmlProtocol, parseToolCalls } from 'tokenweir/ai-sdk'
import { z } from 'zod'
import { all, answering, bracketProtocol, majors } from './support/ai-sdk.mjs'

const bracket = createToolMiddleware({ protocol: bracketProtocol(), toolSystemPromptTemplate: (tools) => tools })
const add = { type: 'function', name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] } }
const user = { role: 'user', content: [{ type: 'text', text: '?' }] }
const written = '<tool_call>{"name":"add","arguments":{"a":"1","b":2}}</tool_call>'
const native = { type: 'tool-call', toolCallId: 'n', toolName: 'add', input: '{"a":"1","b":2}' }
const typed = { ...native, input: '{"a":1,"b":2}' }
const hosted = { type: 'tool-call', toolCallId: 'h', toolName: 'add', input: '{"a":"1"}', providerExecuted: true }
const wordOf = (reason) => reason.unified ?? reason

for (const major of majors) {
  const { ai } = major
  const wrap = (middleware, answer) => ai.wrapLanguageModel({ model: answering(major, [answer]), middleware })
  const request = (options) => ({ prompt: [user], tools: [add], ...(options === undefined ? {} : { providerOptions: { toolCallMiddleware: options } }) })
  const generate = async (middleware, answer, options) => {
    const { content, finishReason } = await wrap(middleware, answer).doGenerate(request(options))
    return { content, reason: wordOf(finishReason) }
  }
  const stream = async (middleware, answer, options) => {
    const parts = await all((await wrap(middleware, answer).doStream(request(options))).stream)
    return { content: parts, reason: wordOf(parts.at(-1).finishReason) }
  }
  const ways = { generate, stream }

  describe(major.name, () => {
    for (const [name, middleware, call] of [['hermes', hermesToolMiddleware, written], ["a user's own protocol", bracket, '[[add {"a":"1","b":2}]]']]) {
      for (const [way, read] of Object.entries(ways)) {
        describe(`${name}, ${way}`, () => {
          const calls = async (answer, options) => {
            const { content, reason } = await read(middleware, answer, options)
            return [content.filter(({ type }) => type === 'tool-call'), reason]
          }

          test('a call of the provider has the types of the schema, and the reason stays', async () => {
            assert.deepEqual(await calls({ text: 'So.', content: [native] }), [[typed], 'stop'])
            assert.deepEqual(await calls({ text: 'So.', content: [native], reason: 'tool-calls' }), [[typed], 'tool-calls'])
          })

          test('by request its arguments stay as they are', async () => {
            assert.deepEqual(await calls({ text: 'So.', content: [native] }, { coerce: false }), [[native], 'stop'])
          })

          test('what the provider executes stays as it is', async () => {
            assert.deepEqual(await calls({ text: 'So.', content: [hosted] }), [[hosted], 'stop'])
          })

          test('arguments that are not JSON, and tools that are not there, stay as they are', async () => {
            for (const part of [{ ...native, input: '{"a":' }, { ...native, input: '' }, { ...native, toolName: 'sub' }]) assert.deepEqual(await calls({ text: '', content: [part] }), [[part], 'stop'])
          })

          test('a call from text has the types of the schema, and says the reason', async () => {
            const [[{ input }], reason] = await calls(call)
            assert.deepEqual([JSON.parse(input), reason], [{ a: 1, b: 2 }, 'tool-calls'])
            const [[raw]] = await calls(call, { coerce: false })
            assert.deepEqual(JSON.parse(raw.input), { a: '1', b: 2 })
          })

          for (const reason of ['length', 'content-filter', 'error']) {
            test(`${reason} stays beside a call from text`, async () => {
              const [found, seen] = await calls({ text: `${call} and`, reason })
              assert.deepEqual([found.length, seen], [1, reason])
            })
          }
        })
      }
    }

    describe('texts of a whole answer', () => {
      const providerMetadata = { mock: { signature: 's' } }
      const contentOf = async (contents) => (await generate(hermesToolMiddleware, { contents })).content
      const brief = (content) => content.map(({ type, text, ...more }) => (type === 'tool-call' ? type : { text, ...more }))

      test('without a call they are the same objects', async () => {
        const contents = [{ type: 'text', text: 'One <b', providerMetadata, more: 1 }, { type: 'text', text: '' }, { type: 'text', text: '', providerMetadata }, { type: 'reasoning', text: written, providerMetadata }, { type: 'text', text: 'See <tool_call>{]</tool_call>' }]
        const content = await contentOf(contents)
        assert.equal(content.length, contents.length)
        for (const [at, part] of content.entries()) assert.equal(part, contents[at])
      })

      test('split by calls, the first piece has what it carries', async () => {
        const content = await contentOf([{ type: 'text', text: `One ${written} two ${written} three`, providerMetadata, more: 1 }])
        assert.deepEqual(brief(content), [{ text: 'One ', providerMetadata, more: 1 }, 'tool-call', { text: ' two ' }, 'tool-call', { text: ' three' }])
        assert.deepEqual(brief(await contentOf([{ type: 'text', text: `${written} two`, providerMetadata }])), ['tool-call', { text: ' two', providerMetadata }])
      })

      test('where only calls are left, an empty text has what it carries', async () => {
        assert.deepEqual(brief(await contentOf([{ type: 'text', text: written, providerMetadata }])), [{ text: '', providerMetadata }, 'tool-call'])
        assert.deepEqual(brief(await contentOf([{ type: 'text', text: written }])), ['tool-call'])
      })

      test('a text whose call is dropped has what it carries', async () => {
        const { content } = await generate(hermesToolMiddleware, { contents: [{ type: 'text', text: 'See <tool_call>{]</tool_call>', providerMetadata }] }, { onMalformed: 'drop' })
        assert.deepEqual(brief(content), [{ text: 'See ', providerMetadata }])
      })
    })

    test('protocols that are spread, taken apart and wrapped work in the middleware', async () => {
      const { formatTools, formatToolCall, parseGeneratedText, createStreamParser } = hermesProtocol()
      for (const protocol of [{ ...hermesProtocol() }, { formatTools, formatToolCall, parseGeneratedText, createStreamParser }, { ...hermesProtocol(), parseGeneratedText: (arg) => parseGeneratedText(arg), createStreamParser: (arg) => createStreamParser(arg) }]) {
        const middleware = createToolMiddleware({ protocol, toolSystemPromptTemplate: (tools) => tools })
        for (const read of Object.values(ways)) {
          const { content, reason } = await read(middleware, `So ${written}`)
          assert.deepEqual([content.filter(({ type }) => type === 'tool-call').map(({ input }) => input), reason], [['{"a":1,"b":2}'], 'tool-calls'])
        }
      }
    })
  })
}

describe('protocols are plain objects', () => {
  for (const [name, protocol, text] of [['hermes', hermesProtocol(), written], ['morph', morphXmlProtocol(), '<add><a>1</a><b>2</b></add>']]) {
    test(name, () => {
      assert.equal(Object.getPrototypeOf(protocol), Object.prototype)
      assert.deepEqual(Object.keys(protocol).sort(), ['createStreamParser', 'extractToolCallSegments', 'formatToolCall', 'formatToolResponse', 'formatTools', 'parseGeneratedText'])
      const { parseGeneratedText, extractToolCallSegments, formatToolCall, formatToolResponse } = protocol
      assert.equal(parseGeneratedText({ text, tools: [add] })[0].input, '{"a":1,"b":2}')
      assert.deepEqual(extractToolCallSegments({ text, tools: [add] }), [text])
      assert.ok(formatToolCall({ toolName: 'add', input: {} }).includes('add') && formatToolResponse({ toolName: 'add', result: 3 }).includes('add'))
      assert.equal(parseToolCalls(text, { protocol: { ...protocol }, tools: [add] }).length, 1)
      const parser = new ToolCallParser({ protocol: { ...protocol }, tools: [add] })
      assert.equal([...parser.text(text), ...parser.finish()].at(-1).input, '{"a":1,"b":2}')
    })
  }

  test('one of a user’s own needs formatToolResponse only where results are written', async () => {
    const { formatToolResponse: _, ...protocol } = bracketProtocol()
    const middleware = createToolMiddleware({ protocol, toolSystemPromptTemplate: (tools) => tools })
    assert.equal((await middleware.transformParams({ params: { prompt: [user], tools: [add] } })).prompt.length, 2)
    const result = { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'add', output: { type: 'json', value: 3 } }] }
    await assert.rejects(middleware.transformParams({ params: { prompt: [user, result], tools: [add] } }), { name: 'TypeError', message: /formatToolResponse.*toolResponsePromptTemplate/ })
    const templated = createToolMiddleware({ protocol, toolSystemPromptTemplate: (tools) => tools, toolResponsePromptTemplate: ({ toolName, toolCallId }) => `${toolName} ${toolCallId}` })
    assert.deepEqual((await templated.transformParams({ params: { prompt: [result], tools: [add] } })).prompt[1].content, [{ type: 'text', text: 'add 1' }])
  })
})
