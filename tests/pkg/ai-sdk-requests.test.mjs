// What the model gets of requests with structured output, files in results, examples of
// inputs, and templates that take their time.
//
// Source: spec/world.md, 3, points 11 to 13.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToolMiddleware, gemmaToolMiddleware, hermesProtocol, hermesToolMiddleware, morphXmlToolMiddleware, transformParams } from 'tokenweir/ai-sdk'
import { z } from 'zod'
import { answering, bracketProtocol, majors } from './support/ai-sdk.mjs'

const city = z.object({ city: z.string() })
const add = { type: 'function', name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }
const user = { role: 'user', content: [{ type: 'text', text: '?' }] }
const messages = (warnings) => (warnings ?? []).map(({ message, details }) => message ?? details)

for (const major of majors) {
  const { ai } = major
  const isOld = major.name === 'ai 5'
  const weather = { inputSchema: city, execute: () => 'Rain' }

  describe(major.name, () => {
    const output = isOld ? { experimental_output: ai.Output.object({ schema: city }) } : { output: ai.Output.object({ schema: city }) }
    const read = (result) => (isOld ? result.experimental_output : result.output)
    const ask = async (answers, { options, ...more } = {}) => {
      const model = answering(major, answers)
      const settings = { model: ai.wrapLanguageModel({ model, middleware: hermesToolMiddleware }), tools: { weather }, prompt: '?', stopWhen: ai.stepCountIs(3), ...output, ...more }
      const result = await ai.generateText({ ...settings, ...(options === undefined ? {} : { providerOptions: { toolCallMiddleware: options } }) })
      return { result, requests: model.doGenerateCalls, model }
    }

    test('structured output beside tools: its schema is in the prompt, and a warning says so', async () => {
      const { result, requests } = await ask(['<tool_call>{"name": "weather", "arguments": {"city": "Porto"}}</tool_call>', '{"city": "Porto"}'])
      assert.deepEqual(read(result), { city: 'Porto' })
      assert.equal(result.steps.length, 2)
      for (const { responseFormat, prompt } of requests) {
        assert.equal(responseFormat?.type ?? 'text', 'text')
        const [, schema] = /write JSON and nothing else.*, by this JSON schema:\n(.*)$/.exec(prompt[0].content)
        assert.deepEqual(Object.keys(JSON.parse(schema).properties), ['city'])
      }
      assert.match(messages(result.steps[0].warnings).join(), /response format "json".*keepResponseFormat/)
    })

    test('by request it stays in the request', async () => {
      const { result, requests } = await ask(['{"city": "Porto"}'], { options: { keepResponseFormat: true } })
      assert.equal(requests[0].responseFormat.type, 'json')
      assert.doesNotMatch(requests[0].prompt[0].content, /nothing else/)
      assert.deepEqual(messages(result.warnings), [])
    })

    test('without tools it stays, without a word', async () => {
      for (const more of [{ tools: {} }, { toolChoice: 'none' }]) {
        const { result, requests } = await ask(['{"city": "Porto"}'], more)
        assert.deepEqual([requests[0].responseFormat.type, messages(result.warnings)], ['json', []])
      }
    })

    test('a stream has the warning, too', async () => {
      const model = answering(major, ['{"city": "Porto"}'])
      const result = ai.streamText({ model: ai.wrapLanguageModel({ model, middleware: hermesToolMiddleware }), tools: { weather }, prompt: '?', ...output })
      await result.consumeStream()
      assert.match(messages(await result.warnings).join(), /response format "json"/)
      assert.equal(model.doStreamCalls[0].responseFormat?.type ?? 'text', 'text')
    })

    /** What a tool gives the model, as each major's `toModelOutput` says it. */
    const png = 'iVBORw0KGgo='
    const given = isOld
      ? [{ type: 'text', text: 'See' }, { type: 'media', data: png, mediaType: 'image/png' }, { type: 'media', data: 'JVBERi0=', mediaType: 'application/pdf' }]
      : major.name === 'ai 6'
        ? [{ type: 'text', text: 'See' }, { type: 'image-data', data: png, mediaType: 'image/png' }, { type: 'file-data', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf' }, { type: 'image-url', url: 'https://example.org/a.png' }, { type: 'file-id', fileId: 'f-1' }]
        : [{ type: 'text', text: 'See' }, { type: 'file', data: { type: 'data', data: png }, mediaType: 'image/png' }, { type: 'file', data: { type: 'url', url: new URL('https://example.org/a.pdf') }, mediaType: 'application/pdf', filename: 'a.pdf' }]
    const snap = { inputSchema: z.object({}), execute: () => 'taken', toModelOutput: () => ({ type: 'content', value: given }) }
    const call = '<tool_call>{"name": "snap", "arguments": {}}</tool_call>'
    const snapping = async (toolResultMedia) => {
      const model = answering(major, [call, 'Seen.'], { supportedUrls: { '*/*': [/./] } })
      const options = toolResultMedia === undefined ? {} : { providerOptions: { toolCallMiddleware: { toolResultMedia } } }
      const result = await ai.generateText({ model: ai.wrapLanguageModel({ model, middleware: hermesToolMiddleware }), tools: { snap }, prompt: '?', stopWhen: ai.stepCountIs(3), ...options })
      return { content: model.doGenerateCalls[1].prompt.at(-1).content, role: model.doGenerateCalls[1].prompt.at(-1).role, warnings: messages(result.steps[1].warnings) }
    }

    test('files in results are parts of a message of the user, after the results', async () => {
      const { content, role, warnings } = await snapping()
      assert.equal(role, 'user')
      const [text, ...files] = content
      assert.match(text.text, /^<tool_response>.*"See\\n\[image\/png\]/)
      const seen = files.map(({ type, mediaType, data, filename }) => [type, mediaType, data instanceof URL ? data.href : data?.url?.href ?? data?.data ?? data, filename])
      const expected = isOld
        ? [['file', 'image/png', png, undefined], ['file', 'application/pdf', 'JVBERi0=', undefined]]
        : major.name === 'ai 6'
          ? [['file', 'image/png', png, undefined], ['file', 'application/pdf', 'JVBERi0=', 'a.pdf'], ['file', 'image/*', 'https://example.org/a.png', undefined]]
          : [['file', 'image/png', png, undefined], ['file', 'application/pdf', 'https://example.org/a.pdf', 'a.pdf']]
      assert.deepEqual(seen, expected)
      if (major.name === 'ai 7') assert.deepEqual(files.map(({ data }) => data.type), ['data', 'url'])
      assert.deepEqual(warnings.length, major.name === 'ai 6' ? 1 : 0)
      if (major.name === 'ai 6') assert.match(warnings[0], /"snap": file-id/)
    })

    test('by request only their names or media types, and a warning', async () => {
      const { content, warnings } = await snapping('placeholder')
      assert.deepEqual(content.map(({ type }) => type), ['text'])
      assert.match(content[0].text, /\[image\/png\]/)
      assert.match(warnings[0], /does not get the files in the result of the tool "snap" \(\d\)/)
    })

    if (!isOld) {
      test('examples of inputs are in the prompt', async () => {
        for (const middleware of [hermesToolMiddleware, gemmaToolMiddleware, morphXmlToolMiddleware]) {
          const model = answering(major, ['Well.'])
          await ai.generateText({ model: ai.wrapLanguageModel({ model, middleware }), tools: { weather: { ...weather, inputExamples: [{ input: { city: 'Porto' } }, { input: { city: 'Seoul' } }] } }, prompt: '?' })
          assert.ok(model.doGenerateCalls[0].prompt[0].content.includes('"input_examples":[{"city":"Porto"},{"city":"Seoul"}]'))
        }
      })
    }

    test('templates may take their time', async () => {
      const late = (text) => new Promise((resolve) => setTimeout(() => resolve(text), 1))
      const middleware = createToolMiddleware({
        protocol: hermesProtocol(),
        toolSystemPromptTemplate: (tools) => late(`Late: ${tools.length > 0}.`),
        toolResponsePromptTemplate: ({ toolName, toolCallId }) => late(`${toolName}, ${typeof toolCallId}`),
      })
      const model = answering(major, ['<tool_call>{"name": "weather", "arguments": {"city": "Porto"}}</tool_call>', 'Rain.'])
      const { text } = await ai.generateText({ model: ai.wrapLanguageModel({ model, middleware }), tools: { weather }, prompt: '?', stopWhen: ai.stepCountIs(3) })
      assert.equal(text, 'Rain.')
      const { prompt } = model.doGenerateCalls[1]
      assert.deepEqual([prompt[0].content, prompt.at(-1).content], ['Late: true.', [{ type: 'text', text: 'weather, string' }]])
    })
  })
}

describe('templates', () => {
  const result = { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'add', output: { type: 'json', value: 3 } }] }
  const transform = (more) => transformParams({ params: { prompt: [user, result], tools: [add] }, protocol: bracketProtocol(), toolSystemPromptTemplate: String, ...more })

  test('a protocol that writes around a late one', async () => {
    const protocol = { ...bracketProtocol(), formatTools: ({ toolSystemPromptTemplate }) => `[${toolSystemPromptTemplate('tools')}] ${toolSystemPromptTemplate('again')}` }
    const { prompt } = await transform({ protocol, toolSystemPromptTemplate: async (tools) => `$& ${tools}` })
    assert.equal(prompt[0].content, '[$& tools] $& again')
  })

  for (const [name, value] of [['nothing', undefined], ['a number', 3], ['an object', {}], ['a promise of a number', Promise.resolve(3)]]) {
    test(`${name} is refused`, async () => {
      await assert.rejects(transform({ toolSystemPromptTemplate: () => value }), { name: 'TypeError', message: /^toolSystemPromptTemplate must return a string/ })
      await assert.rejects(transform({ toolResponsePromptTemplate: () => value }), { name: 'TypeError', message: /^toolResponsePromptTemplate must return a string/ })
      await assert.rejects(transform({ protocol: { ...bracketProtocol(), formatTools: () => value } }), { name: 'TypeError', message: /formatTools must return a string/ })
      await assert.rejects(transform({ protocol: { ...bracketProtocol(), formatToolResponse: () => value } }), { name: 'TypeError', message: /formatToolResponse must return a string/ })
    })
  }

  test('files come after a result whose text a template writes; parts of it are all', async () => {
    const output = { type: 'content', value: [{ type: 'media', data: 'aWE=', mediaType: 'image/png' }] }
    const params = { prompt: [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'add', output }] }, user], tools: [add] }
    const kinds = async (toolResponsePromptTemplate) => (await transform({ params, toolResponsePromptTemplate })).prompt.at(-1).content.map(({ type, text }) => text ?? type)
    assert.deepEqual(await kinds(() => 'see'), ['see', 'file', '?'])
    assert.deepEqual(await kinds(() => [{ type: 'text', text: 'see' }]), ['see\n?'])
  })

  test('options that cannot be are refused', () => {
    for (const [options, message] of [[{ toolResultMedia: 'drop' }, /toolResultMedia must be one of user, placeholder/], [{ keepResponseFormat: 'yes' }, /keepResponseFormat must be true or false/]]) {
      assert.throws(() => createToolMiddleware({ protocol: bracketProtocol(), toolSystemPromptTemplate: String, options }), { name: 'TypeError', message })
    }
  })
})
