// The middleware in the AI SDK itself, in each of its majors, with a protocol as a
// user writes one. Our own protocols: ai-sdk-protocols.test.mjs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToolMiddleware } from 'tokenweir/ai-sdk'
import { z } from 'zod'
import { all, answering, bracketProtocol, majors } from './support/ai-sdk.mjs'

const add = { description: 'Adds two numbers.', inputSchema: z.object({ a: z.number(), b: z.number() }) }
const adding = { ...add, execute: ({ a, b }) => a + b }
const middlewareOf = (protocol = bracketProtocol(), more = {}) => createToolMiddleware({ protocol, toolSystemPromptTemplate: (tools) => `You have ${tools}.`, ...more })

for (const major of majors) {
  const { ai } = major
  const modelOf = (model, middleware = middlewareOf()) => ai.wrapLanguageModel({ model, middleware })
  const ask = (answers, { middleware, ...settings } = {}) => {
    const model = answering(major, answers)
    return { model, settings: { model: modelOf(model, middleware), tools: { add }, prompt: 'What is 1 + 2?', ...settings } }
  }

  describe(major.name, () => {
    test('a stream has its text and its call', async () => {
      const { model, settings } = ask(['I add. [[add {"a":1,"b":2}]] Done.'])
      const result = ai.streamText(settings)
      assert.equal((await all(result.textStream)).join(''), 'I add.  Done.')
      assert.deepEqual((await result.toolCalls).map(({ toolName, input, invalid }) => [toolName, input, invalid]), [['add', { a: 1, b: 2 }, undefined]])
      assert.equal(await result.finishReason, 'tool-calls')
      assert.equal((await result.usage).outputTokens, 10)
      assert.equal((await result.response).headers['x-answered'], 'yes')
      const [{ tools, toolChoice, prompt }] = model.doStreamCalls
      assert.deepEqual([tools, toolChoice], [undefined, undefined])
      assert.deepEqual(prompt.map(({ role }) => role), ['system', 'user'])
      assert.equal(prompt[0].content, 'You have add.')
    })

    test('a whole answer has the same text and call', async () => {
      const { settings } = ask(['I add. [[add {"a":1,"b":2}]] Done.'])
      const result = await ai.generateText(settings)
      assert.deepEqual(result.content.map(({ type, text, toolName, input }) => text ?? [type, toolName, input]), ['I add. ', ['tool-call', 'add', { a: 1, b: 2 }], ' Done.'])
      assert.equal(result.finishReason, 'tool-calls')
    })

    for (const way of ['streamText', 'generateText']) {
      test(`${way}: a tool is called, its result goes back as text, and the model answers`, async () => {
        const { model, settings } = ask(['Wait. [[add {"a":1,"b":2}]]', 'It is 3.'], { tools: { add: adding }, stopWhen: ai.stepCountIs(4) })
        const result = await ai[way](settings)
        const steps = await result.steps
        assert.equal(await result.text, 'It is 3.')
        assert.equal(steps.length, 2)
        assert.deepEqual(steps[0].toolResults.map(({ toolName, output }) => [toolName, output]), [['add', 3]])
        const calls = way === 'streamText' ? model.doStreamCalls : model.doGenerateCalls
        assert.deepEqual(calls[1].prompt.map(({ role, content }) => [role, typeof content === 'string' ? content : content.map(({ type, text }) => [type, text])]), [
          ['system', 'You have add.'],
          ['user', [['text', 'What is 1 + 2?']]],
          ['assistant', [['text', 'Wait. \n[[add {"a":1,"b":2}]]']]],
          ['user', [['text', '{{add 3}}']]],
        ])
      })
    }

    test('what the interface hears is in order, and goes by its schema', async () => {
      const { settings } = ask(['Wait. [[add {"a":1,"b":2}]] So', 'It is 3.'], { tools: { add: adding }, stopWhen: ai.stepCountIs(4) })
      const chunks = await all(uiStream(ai, ai.streamText(settings)))
      for (const chunk of chunks) {
        const { success, error } = await ai.uiMessageChunkSchema().validate(chunk)
        assert.ok(success, `${JSON.stringify(chunk)}: ${error}`)
      }
      judgeOrder(chunks)
      const messages = await all(ai.readUIMessageStream({ stream: ReadableStream.from(chunks) }))
      const parts = messages.at(-1).parts.filter(({ type }) => type !== 'step-start')
      assert.deepEqual(parts.map(({ type, text, state, output }) => [type, text ?? output, state]), [['text', 'Wait. ', 'done'], ['tool-add', 3, 'output-available'], ['text', ' So', 'done'], ['text', 'It is 3.', 'done']])
    })

    for (const way of ['streamText', 'generateText']) {
      describe(`${way}, a choice of tools`, () => {
        const choose = async (toolChoice, answer, more = {}) => {
          const { model, settings } = ask([answer], { toolChoice, tools: { add, nothing: { inputSchema: z.object({}) } }, ...more })
          const result = await ai[way](settings)
          const calls = (await result.toolCalls).map(({ toolName, input }) => [toolName, input])
          return { model, calls, text: await result.text, finishReason: await result.finishReason, usage: await result.usage, request: model.doGenerateCalls[0] ?? model.doStreamCalls[0] }
        }

        test('required: one call, generated as a whole', async () => {
          const { model, calls, text, finishReason, usage, request } = await choose('required', '{"name":"add","arguments":{"a":"1","b":2}}')
          assert.deepEqual([calls, text, finishReason, usage.outputTokens], [[['add', { a: 1, b: 2 }]], '', 'tool-calls', 10])
          assert.deepEqual([model.doGenerateCalls.length, model.doStreamCalls.length], [1, 0])
          assert.equal(request.responseFormat.type, 'json')
          assert.deepEqual(request.responseFormat.schema.properties.name.enum, ['add', 'nothing'])
          assert.deepEqual([request.tools, request.toolChoice], [undefined, undefined])
        })

        test('a named tool: its schema, and its name where the answer is its arguments', async () => {
          const { calls, request } = await choose({ type: 'tool', toolName: 'add' }, '{"a":1,"b":2}')
          assert.deepEqual(calls, [['add', { a: 1, b: 2 }]])
          assert.equal(request.responseFormat.schema.properties.name.const, 'add')
          assert.equal(request.prompt[0].content, 'You have add.')
        })

        test('none: no tools in the prompt, and text is text', async () => {
          const { calls, text, finishReason, request } = await choose('none', 'See [[add {"a":1,"b":2}]].')
          assert.deepEqual([calls, text, finishReason], [[], 'See [[add {"a":1,"b":2}]].', 'stop'])
          assert.deepEqual(request.prompt.map(({ role }) => role), ['user'])
          assert.deepEqual([request.tools, request.toolChoice, request.responseFormat?.type ?? 'text'], [undefined, undefined, 'text'])
        })

        test('an answer without a call: no arguments, and it is reported to the listener', async () => {
          const heard = []
          const { calls } = await choose('required', 'I would rather not.', { providerOptions: { toolCallMiddleware: { onError: (...error) => heard.push(error) } } })
          assert.deepEqual(calls, [['unknown', {}]])
          assert.equal(heard.length, 1)
          assert.equal(heard[0][1].toolCall, 'I would rather not.')
          assert.equal(heard[0][1].dropReason, 'malformed-tool-call-body')
        })
      })
    }

    for (const toolInputDeltas of [true, false]) {
      test(`a choice of tools, as a stream ${toolInputDeltas ? 'with' : 'without'} deltas`, async () => {
        const { settings } = ask([{ text: '{"name":"add","arguments":{"a":1,"b":2}}', content: [{ type: 'reasoning', text: 'Hm.' }] }], {
          toolChoice: 'required',
          providerOptions: { toolCallMiddleware: { toolInputDeltas } },
        })
        const chunks = await all(uiStream(ai, ai.streamText(settings)))
        judgeOrder(chunks)
        const seen = chunks.map(({ type }) => type).filter((type) => type.startsWith('tool') || type.startsWith('reasoning'))
        const deltas = toolInputDeltas ? ['tool-input-start', 'tool-input-delta'] : []
        assert.deepEqual(seen, ['reasoning-start', 'reasoning-delta', 'reasoning-end', ...deltas, 'tool-input-available'])
      })
    }

    test("a provider's own tool stays, with a warning", async () => {
      const search = { type: major.providerTool, id: 'mock.search', name: 'search', args: {}, inputSchema: z.object({}) }
      for (const way of ['streamText', 'generateText']) {
        for (const start of way === 'streamText' ? [true, false] : [true]) {
          const { model, settings } = ask([{ text: 'Nothing.', start }], { tools: { add, search } })
          const result = await ai[way](settings)
          assert.equal(await result.text, 'Nothing.')
          const [warning, ...others] = await result.warnings
          const { type, ...words } = major.warning('search')
          assert.deepEqual([warning.type, others], [type, []])
          for (const [name, text] of Object.entries(words)) assert.match(warning[name], text)
          const [{ tools, prompt }] = way === 'streamText' ? model.doStreamCalls : model.doGenerateCalls
          assert.deepEqual(tools.map(({ name }) => name), ['search'])
          assert.equal(prompt[0].content, 'You have add.')
        }
      }
    })

    test("a provider's stream may begin without a start", async () => {
      const result = ai.streamText(ask([{ text: 'Well. [[add {"a":1,"b":2}]]', start: false }]).settings)
      assert.equal((await result.toolCalls).length, 1)
      assert.equal(await result.text, 'Well. ')
      assert.deepEqual((await result.warnings) ?? [], [])
    })

    test('a rejected call is reported to the listener of the request', async () => {
      for (const way of ['streamText', 'generateText']) {
        const heard = []
        const { settings } = ask(['See [[add {1}]].'], { providerOptions: { toolCallMiddleware: { onError: (...error) => heard.push(error) } } })
        const result = await ai[way](settings)
        assert.equal(await result.text, 'See [[add {1}]].')
        assert.deepEqual(heard, [['no JSON', { toolCall: '[[add {1}]]', toolName: 'add', dropReason: 'malformed-tool-call-body' }]])
      }
    })

    test('a listener of the middleware hears of all requests, but for those that have their own', async () => {
      const heard = []
      const middleware = middlewareOf(bracketProtocol(), { options: { onError: () => heard.push('middleware') } })
      await ai.generateText(ask(['[[add {1}]]'], { middleware }).settings)
      await ai.generateText(ask(['[[add {1}]]'], { middleware, providerOptions: { toolCallMiddleware: { onError: () => heard.push('request') } } }).settings)
      assert.deepEqual(heard, ['middleware', 'request'])
    })

    test('a protocol that is a function is made once for each request', async () => {
      let made = 0
      const middleware = middlewareOf(() => {
        made += 1
        return bracketProtocol()
      })
      const { settings } = ask(['[[add {"a":1,"b":2}]]', 'It is 3.'], { middleware, tools: { add: adding }, stopWhen: ai.stepCountIs(4) })
      const result = ai.streamText(settings)
      await result.consumeStream()
      assert.equal((await result.steps).length, 2)
      assert.equal(made, 2)
    })

    test('the parser gets the tools, their first schemas, and the options', async () => {
      for (const way of ['streamText', 'generateText']) {
        const heard = []
        const onRepair = () => {}
        const { model, settings } = ask(['Well.'], { middleware: middlewareOf(bracketProtocol(heard)), providerOptions: { toolCallMiddleware: { onRepair, coerce: false }, other: { kept: true } } })
        const result = await ai[way](settings)
        assert.equal(await result.text, 'Well.')
        const [{ tools, options }] = heard
        assert.deepEqual(tools.map(({ type, name, inputSchema }) => [type, name, Object.keys(inputSchema.properties)]), [['function', 'add', ['a', 'b']]])
        assert.deepEqual(Object.keys(options.originalToolSchemas), ['add'])
        assert.deepEqual(options.originalToolSchemas.add, tools[0].inputSchema)
        assert.deepEqual([options.onRepair, options.coerce], [onRepair, false])
        const [{ providerOptions }] = way === 'streamText' ? model.doStreamCalls : model.doGenerateCalls
        assert.deepEqual(providerOptions.other, { kept: true })
      }
    })

    test('schemas that were packed before another middleware reach the parser', async () => {
      const heard = []
      const spoil = { ...versions, transformParams: async ({ params }) => ({ ...params, tools: params.tools.map((tool) => ({ ...tool, inputSchema: { type: 'object', properties: {} } })) }) }
      const originalTools = [{ name: 'add', inputSchema: '{"type":"object","properties":{"a":{"type":"integer"}}}' }]
      const { settings } = ask(['Well.'], { middleware: [spoil, middlewareOf(bracketProtocol(heard))], providerOptions: { toolCallMiddleware: { originalTools } } })
      await ai.generateText(settings)
      assert.deepEqual(heard[0].options.originalToolSchemas, { add: { type: 'object', properties: { a: { type: 'integer' } } } })
    })

    test('schemas that a request gives win over those of its tools', async () => {
      const heard = []
      const originalToolSchemas = { add: { type: 'object', title: 'mine' } }
      const { settings } = ask(['Well.'], { middleware: middlewareOf(bracketProtocol(heard)), providerOptions: { toolCallMiddleware: { originalToolSchemas } } })
      await ai.generateText(settings)
      assert.deepEqual(heard[0].options.originalToolSchemas, originalToolSchemas)
    })

    test('what the provider says beside its stream is passed on', async () => {
      const { request, response } = await modelOf(answering(major, ['Well.'])).doStream({ prompt: [], tools: [] })
      assert.deepEqual([request, response], [{ body: 'asked' }, { headers: { 'x-answered': 'yes' } }])
    })

    test('an option that does not exist is refused', async () => {
      const { settings } = ask(['Well.'], { providerOptions: { toolCallMiddleware: { onMalfromed: 'drop' } }, maxRetries: 0 })
      await assert.rejects(ai.generateText(settings), /providerOptions\.toolCallMiddleware has no option "onMalfromed"/)
    })

    test('a model that fails fails as without the middleware', async () => {
      const model = new major.Model({
        doGenerate: async () => assert.fail('no answer'),
        doStream: async () => assert.fail('no stream'),
      })
      await assert.rejects(ai.generateText({ model: modelOf(model), tools: { add }, prompt: '?', maxRetries: 0 }), /no answer/)
      await assert.rejects(ai.generateText({ model: modelOf(model), tools: { add }, prompt: '?', maxRetries: 0, toolChoice: 'required' }), /no answer/)
      await assert.rejects(modelOf(model).doStream({ prompt: [], tools: [] }), /no stream/)
    })

    test('who stops reading stops the model', async () => {
      let stopped
      const endless = new ReadableStream({
        pull: (controller) => controller.enqueue({ type: 'text-delta', id: 't', delta: '[[add' }),
        cancel: (reason) => {
          stopped = reason
        },
      })
      const model = new major.Model({ doStream: async () => ({ stream: endless }) })
      const { stream } = await modelOf(model).doStream({ prompt: [], tools: [{ type: 'function', name: 'add', inputSchema: {} }] })
      await stream.cancel('enough')
      assert.equal(stopped, 'enough')
    })
  })
}

/** What a middleware says of itself, so that any major takes it. */
const versions = { specificationVersion: 'v3', middlewareVersion: 'v2' }

/** What goes to the interface: a function of its own in ai 7. */
function uiStream(ai, result) {
  return ai.toUIMessageStream === undefined ? result.toUIMessageStream() : ai.toUIMessageStream({ stream: result.stream ?? result.fullStream })
}

/** Every start has its end, nothing is emitted for what hasn't started, and one text is open at a time. */
function judgeOrder(chunks) {
  const open = new Map()
  const inputs = new Map()
  for (const { type, id, toolCallId, inputTextDelta, input } of chunks) {
    const [, kind, what] = /^(text|reasoning)-(start|delta|end)$/.exec(type) ?? []
    if (what === 'start') {
      assert.ok(!open.has(id) && open.size === 0, `${type} ${id} while another is open`)
      open.set(id, kind)
    } else if (what !== undefined) {
      assert.equal(open.get(id), kind, `${type} ${id} without a start`)
      if (what === 'end') open.delete(id)
    } else if (type === 'tool-input-start') {
      assert.ok(!inputs.has(toolCallId), `two calls ${toolCallId}`)
      assert.equal(open.size, 0, 'a call inside of a text')
      inputs.set(toolCallId, '')
    } else if (type === 'tool-input-delta') {
      assert.ok(inputs.has(toolCallId), `${type} without a start`)
      inputs.set(toolCallId, inputs.get(toolCallId) + inputTextDelta)
    } else if (type === 'tool-input-available' && inputs.has(toolCallId)) {
      assert.deepEqual(JSON.parse(inputs.get(toolCallId)), input)
    }
  }
  assert.deepEqual([...open], [])
}
