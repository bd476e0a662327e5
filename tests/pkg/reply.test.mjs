// `readReply`: formats, however they are cut; sources; what comes of errors; results.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ParseError, VisibleTextStream, visibleText } from 'tokenweir/blocks'
import { NativeBlocks, ResponseError, readReply } from 'tokenweir'
import { eventsOf, methodOf, names } from '../../examples/streams/recordings.mjs'
import { random } from './support/cuts.mjs'
import { REPLIES, SAID } from './support/reply-server.mjs'

const openai = (content) => ({ choices: [{ index: 0, delta: { content } }] })
const END = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const sse = (...events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const response = (body, type, status = 200) => new Response(body, { status, headers: type ? { 'content-type': type } : {} })
const bytes = (text) => new TextEncoder().encode(text)

/** A response whose bytes come in these pieces. */
function inPieces(pieces, type) {
  return { status: 200, headers: new Headers(type ? { 'content-type': type } : {}), body: (async function* () { yield* pieces })() }
}

/** Bytes, cut at places. */
function cutBytes(all, places) {
  const edges = [0, ...places, all.length]
  return edges.slice(1).map((to, index) => all.subarray(edges[index], to))
}

const said = ({ text, thinking }) => ({ text, thinking })

/** What a loop over texts shows. */
async function shownOf(texts, shown = []) {
  for await (const text of texts) shown.push(text)
  return shown
}

describe('every format, by its type or without it', () => {
  for (const [path, [type, body]] of Object.entries(REPLIES)) {
    const all = bytes(body)

    test(`${path}: cut at every byte`, async () => {
      for (let at = 0; at <= all.length; at++) assert.deepEqual(said(await readReply(inPieces(cutBytes(all, [at]), type)).result()), SAID, `cut at ${at}`)
    })

    test(`${path}: byte by byte, and in random pieces`, async () => {
      assert.deepEqual(said(await readReply(inPieces(cutBytes(all, Array.from(all, (_, at) => at).slice(1)), type)).result()), SAID)
      const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
      const next = random(seed)
      for (let round = 0; round < 30; round++) {
        const places = Array.from({ length: 1 + next(12) }, () => next(all.length)).sort((one, other) => one - other)
        assert.deepEqual(said(await readReply(inPieces(cutBytes(all, places), type)).result()), SAID, `SEED=${seed} ${places}`)
      }
    })

    // JSON that was written on several lines could be an answer of the model itself.
    if (path === '/json') continue
    test(`${path}: without a content type, as bytes, as text, and with another type`, async () => {
      for (const source of [response(body), all, [all], body, [...body], response(body, 'text/plain'), response(body, 'application/octet-stream')]) assert.deepEqual(said(await readReply(source).result()), SAID)
    })
  }
})

describe('formats', () => {
  test('text that is no event is the model’s', async () => {
    for (const text of ['data: see below', 'Hello', '{"title": "Porto"}', '[1, 2]', '[{"title": "Porto"}]', '{"id": "a"}\n{"id": "b"}', 'event: tonight\nat eight', '']) {
      assert.equal((await readReply(text).result()).text, text)
      if (text !== '') assert.equal((await readReply(response(text)).result()).text, text)
    }
    await assert.rejects(readReply(response('')).result(), { code: 'malformed-reply', message: /the response is empty/ })
  })
  test('server-sent events whose data is text', async () => {
    assert.equal((await readReply(response('data: Hel\n\ndata: "lo\\n"\n\ndata:\n\ndata: a\ndata: b\n\ndata: [DONE]\n\n', 'text/event-stream')).result()).text, 'Hello\na\nb')
  })
  test('a reply of JSON that comes as if it were streamed', async () => {
    const body = '{"content": [{"type": "text", "text": "Hello"}]}'
    for (const type of ['application/json', 'text/event-stream', 'application/problem+json']) assert.equal((await readReply(response(body, type)).result()).text, 'Hello')
  })
  test('events as JSON objects in a row', async () => {
    assert.equal((await readReply(response(`${JSON.stringify(openai('Hel'))}\n${JSON.stringify(openai('lo'))}`, 'application/json')).result()).text, 'Hello')
  })
  test('events of a JSON array come before its end', async () => {
    const seen = []
    const source = (async function* () {
      yield '[{"candidates": [{"content": {"parts": [{"text": "Hel"}]}}]}'
      seen.push('second')
      yield ',{"candidates": [{"content": {"parts": [{"text": "lo ]}\\""}]}}]}]'
    })()
    await shownOf(visibleText(source, { transport: 'json' }), seen)
    assert.deepEqual(seen, ['Hel', 'second', 'lo ]}"'])
  })
  test('the option', async () => {
    const body = sse(openai('Hello'))
    assert.equal((await readReply(body, { transport: 'text' }).result()).text, body)
    assert.equal((await readReply(response(body, 'application/json'), { transport: 'sse' }).result()).text, 'Hello')
    assert.deepEqual(await shownOf(visibleText([body], { transport: 'sse' })), ['Hello'])
  })
})

describe('recordings', () => {
  for (const name of names) {
    const events = eventsOf(name)
    const native = new NativeBlocks({ generateId: () => 'made' })
    const emissions = [...events.flatMap((event) => native[methodOf(name)](event).emissions), ...native.flush().emissions]
    const blocks = emissions.flatMap(({ event }) => (event?.event === 'block_complete' ? [event.block] : []))

    test(`${name}: events, server-sent events and JSON lines give the blocks of NativeBlocks`, async () => {
      for (const source of [events, ReadableStream.from(events), sse(...events), response(sse(...events)), events.map((event) => `${JSON.stringify(event)}\n`).join('')]) {
        const result = await readReply(source, { generateId: () => 'made' }).result()
        assert.deepEqual(result.blocks, blocks)
        assert.deepEqual(result.toolCalls.map(({ toolCallId, toolName, input, args }) => [toolCallId, toolName, JSON.parse(input), args]), blocks.filter(({ type, hosted }) => type === 'tool_call' && hosted === undefined).map(({ toolId, toolName, input }) => [toolId, toolName, input, input]))
        assert.equal(result.text, blocks.filter(({ type }) => type === 'text').map(({ content }) => content).join(''))
        assert.equal(result.finishReason, result.toolCalls.length > 0 ? 'tool-calls' : 'stop')
        assert.ok(result.usage === undefined || result.usage.inputTokens > 0)
      }
    })
  }
})

describe('the result', () => {
  test('calls that the program must not run are in blocks alone', async () => {
    const thought = await readReply('<think><invoke name="a"><parameter name="b">1</parameter></invoke></think><invoke name="c"><parameter').result()
    assert.deepEqual(thought.toolCalls, [])
    assert.deepEqual(thought.blocks.filter(({ toolName }) => toolName !== undefined).map(({ toolName }) => toolName), ['a', 'c'])
    const hosted = await readReply([{ content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, { type: 'tool_use', id: 't', name: 'add', input: {} }], type: 'message' }].map((reply) => JSON.stringify(reply)).join(''), { transport: 'json' }).result()
    assert.deepEqual(hosted.toolCalls.map(({ toolName }) => toolName), ['add'])
    assert.equal(hosted.finishReason, undefined)
  })
  test('a call in thinking is not run for the id that it shares with another one', async () => {
    const call = (name) => `<invoke name="${name}"></invoke>`
    const { toolCalls, blocks } = await readReply(`<think>${call('a')}</think>${call('b')}`, { generateId: () => 'same' }).result()
    assert.deepEqual(toolCalls.map(({ toolCallId, toolName }) => [toolCallId, toolName]), [['same', 'b']])
    assert.equal(blocks.filter(({ toolName }) => toolName !== undefined).length, 2)
  })
  test('calls that are not whole are problems, each with its reason, whatever wrote them', async () => {
    const native = (args, finish_reason, name = 'save') => [{ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name, arguments: args } }] } }] }, { choices: [{ index: 0, delta: {}, finish_reason }] }]
    const tools = { save: { inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } } }
    const invoke = '<invoke name="save"><parameter name="path">a.t'
    const hermes = '<tool_call>{"name": "save", "arguments": {"path": "a.t'
    const CASES = [
      [native('{"path": "a.t', 'length'), {}, 'unfinished-tool-call', '{"path": "a.t', /^A call of "save" was cut off, and was not run\.$/],
      [native('{"path": "a.t', 'length').slice(0, 1), {}, 'unfinished-tool-call', '{"path": "a.t'],
      [native('{"path" "a.t"}', 'tool_calls'), {}, 'malformed-tool-call-body', '{"path" "a.t"}', /^A call of "save" can not be read/],
      [native('', 'tool_calls'), { tools }, 'missing-arguments', '', /lacks arguments/],
      [native('{}', 'tool_calls', ''), {}, 'unresolved-tool-name', '{}', /^A call names no tool/],
      [invoke, {}, 'unfinished-tool-call', '{"path":"a.t"}'],
      [`<invoke name="save">{"path" "a.t"}</invoke>`, {}, 'malformed-tool-call-body', '{"path" "a.t"}'],
      [[openai(invoke)], { callsInText: true }, 'unfinished-tool-call', '{"path":"a.t"}'],
      [hermes, { format: 'hermes' }, 'unfinished-tool-call', hermes],
      [[openai(hermes)], { format: 'hermes' }, 'unfinished-tool-call', hermes],
      [`${hermes.slice(0, -6)} "a"}}</tool_call> Well.`.replace(':  "a"', ' "a"'), { format: 'hermes' }, 'malformed-tool-call-body', undefined],
    ]
    for (const [source, options, reason, text, message = /./] of CASES) {
      const { toolCalls, problems, blocks } = await readReply(source, options).result()
      const what = JSON.stringify([source, blocks])
      assert.deepEqual([toolCalls, problems.map(({ metadata }) => metadata.dropReason)], [[], [reason]], what)
      const [{ metadata, message: said }] = problems
      if (text !== undefined) assert.equal(metadata.toolCall, text, what)
      assert.match(said, message)
      assert.equal(metadata.toolCallId, blocks.find(({ type }) => type === 'tool_call').toolId)
    }
    // The program's are neither those of thinking, nor hosted ones, nor those that a text repeats.
    const others = [`<think>${invoke}`, [openai(invoke)], [{ type: 'message', content: [{ type: 'server_tool_use', id: 's', name: 'web', input: 'no' }] }], 'Hello', [{ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'save', arguments: '{}' } }] }, finish_reason: 'tool_calls' }] }]]
    for (const source of others) assert.deepEqual((await readReply(source).result()).problems, [], JSON.stringify(source))
    // A repeated argument makes a block that is not whole, and then one that is.
    const again = await readReply('<invoke name="a"><parameter name="b">1</parameter><parameter name="b">2</parameter></invoke>').result()
    assert.deepEqual([again.problems, again.toolCalls.map(({ args }) => args)], [[], [{ b: 2 }]])
    // One that is whole, and one that is cut off.
    const [whole, half] = [native('{"path": "a"}', 'length'), { choices: [{ index: 0, delta: { tool_calls: [{ index: 1, id: 'd', function: { name: 'save', arguments: '{"pa' } }] } }] }]
    const both = await readReply([whole[0], half, whole[1]]).result()
    assert.deepEqual([both.toolCalls.map(({ toolCallId }) => toolCallId), both.problems.map(({ metadata }) => metadata.toolCallId)], [['c'], ['d']])
  })
  test('of a loop that threw: it rejects with the same error', async () => {
    const call = { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'a', arguments: '{}' } }, { index: 1, id: 'd', function: { name: 'b', arguments: '{}' } }] } }] }
    const reply = readReply((async function* () { yield call; throw new TypeError('terminated') })())
    const thrown = await (async () => { for await (const _ of reply); })().catch((error) => error)
    assert.equal(thrown.message, 'terminated')
    // Whoever asks again gets them again.
    assert.deepEqual([thrown.partial.toolCalls, thrown.partial.problems.map(({ metadata }) => metadata.dropReason).sort()], [[], ['interrupted', 'unfinished-tool-call']])
    assert.equal(await reply.result().catch((error) => error), thrown)
    assert.equal(await reply.result().catch((error) => error), thrown)
    assert.deepEqual(await reply.next(), { value: undefined, done: true })
  })
  test('a call of the AI SDK that the provider ran', async () => {
    const { toolCalls, blocks } = await readReply([{ type: 'tool-input-start', id: 'a', toolName: 'web', providerExecuted: true }, { type: 'tool-call', toolCallId: 'a', toolName: 'web', input: '{}', providerExecuted: true }, { type: 'tool-result', toolCallId: 'a', output: 'x', providerExecuted: true }, { type: 'finish', finishReason: 'stop' }]).result()
    assert.deepEqual([toolCalls, blocks.map(({ hosted }) => hosted)], [[], [true, true]])
  })
  test('why it ended, and what it took, in each provider’s words', async () => {
    const endings = {
      anthropic: [{ type: 'message_start', message: { content: [], usage: { input_tokens: 3, output_tokens: 1 } } }, { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 4 } }],
      openai: [{ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] }, { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }],
      openaiResponses: [{ type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } } }],
      aiSdk: [{ type: 'finish', finishReason: { unified: 'length', raw: 'x' }, usage: { inputTokens: { total: 3 }, outputTokens: { total: 4 } } }],
      gemini: [{ candidates: [{ index: 0, content: {}, finishReason: 'MAX_TOKENS' }], usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, thoughtsTokenCount: 3, totalTokenCount: 7 } }],
      bedrock: [{ messageStop: { stopReason: 'max_tokens' } }, { metadata: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } } }],
      cohere: [{ type: 'message-end', delta: { finish_reason: 'MAX_TOKENS', usage: { billed_units: { input_tokens: 1 }, tokens: { input_tokens: 3, output_tokens: 4 } } } }],
      ollama: [{ message: { content: '' }, done: true, done_reason: 'length', prompt_eval_count: 3, eval_count: 4, total_duration: 9 }],
      mistral: [{ data: { choices: [{ index: 0, delta: { content: '' }, finishReason: 'length' }], usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 } } }],
      agUi: [{ type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: { finishReason: 'length' }, usage: [{ model: 'a', inputTokens: 1, outputTokens: 3 }, { model: 'b', inputTokens: 2, outputTokens: 1 }] }],
    }
    for (const [provider, events] of Object.entries(endings)) {
      for (const options of [{}, { provider }]) {
        const { finishReason, usage } = await readReply(events, options).result()
        assert.deepEqual([finishReason, usage.inputTokens, usage.outputTokens, usage.totalTokens], ['length', 3, 4, 7], provider)
      }
    }
  })
  test('the tokens of llama.cpp’s /completion, streamed and whole', async () => {
    const last = { content: '', stop: true, stop_type: 'eos', tokens_predicted: 51, tokens_evaluated: 30, tokens_cached: 80, timings: { predicted_n: 51 } }
    const first = { index: 0, content: 'Hi', tokens: [1], stop: false, id_slot: 0, tokens_predicted: 1, tokens_evaluated: 30 }
    for (const [source, content] of [[sse(first, last), 'Hi'], [response(JSON.stringify({ index: 0, ...last, content: 'Hello' }), 'application/json'), 'Hello']]) {
      const { text, usage, finishReason } = await readReply(source).result()
      assert.deepEqual([text, finishReason, usage], [content, 'stop', { raw: { tokens_predicted: 51, tokens_evaluated: 30, tokens_cached: 80 }, inputTokens: 30, outputTokens: 51, totalTokens: 81 }])
    }
    assert.equal((await readReply([openai('Hello')]).result()).usage, undefined)
  })
  test('text that turned out to be thinking', async () => {
    for (const source of ['Hm.</think>Hello', [openai('Hm.</th'), openai('ink>Hello')]]) {
      const { text, thinking } = await readReply(source, { unopenedThinking: 'report' }).result()
      assert.deepEqual([text, thinking], ['Hello', 'Hm.'])
    }
  })
  test('of a reply that was left', async () => {
    const reply = readReply(['Hello', ' you'])
    for await (const { kind } of reply) if (kind === 'content') break
    assert.deepEqual(await reply.result(), { text: 'Hello', thinking: '', toolCalls: [], problems: [], blocks: [] })
  })
})

describe('tags', () => {
  const text = '<think>Hm.</think>a<x>b</x>'
  test('in text and in events, besides those that are known', async () => {
    for (const source of [text, [openai(text)]]) {
      assert.equal((await readReply(source).result()).text, 'a<x>b</x>')
      assert.equal((await readReply(source, { tags: { x: 'thinking' } }).result()).text, 'a')
      assert.equal((await readReply(source, { tags: { think: false } }).result()).text, text)
      assert.equal((await readReply(source, { tags: false }).result()).text, text)
      assert.equal((await readReply(source, { tags: true, startWithThinking: true }).result()).thinking, 'Hm.')
    }
  })
  test('calls that are written with tags are hidden; in a provider’s text they are marked, and not to be run', async () => {
    const call = '<invoke name="a"><parameter name="b">1</parameter></invoke>'
    assert.deepEqual((await readReply(call).result()).toolCalls.map(({ args }) => args), [{ b: 1 }])
    const emitted = []
    const { text, toolCalls, blocks } = await readReply([openai(`Hm.${call}`)], { generateId: () => 'made', onChunk: (_, meta) => emitted.push(meta.inText), onBlock: (event) => emitted.push(event.block.inText) }).result()
    assert.deepEqual([text, toolCalls], ['Hm.', []])
    assert.deepEqual(blocks, [{ type: 'text', content: 'Hm.' }, { type: 'tool_call', toolId: 'made', toolName: 'a', input: { b: 1 }, inText: true }])
    assert.deepEqual(emitted, [undefined, undefined, undefined, true, true, true, true, true])
    assert.deepEqual((await readReply([openai(call), END], { callsInText: true }).result()).toolCalls.map(({ args }) => args), [{ b: 1 }])
    assert.equal((await readReply([openai(call)], { tags: false }).result()).text, call)
  })
  test('`tools` types parameters, in a provider’s text too', async () => {
    const call = '<invoke name="a"><parameter name="b"> 1 </parameter></invoke>'
    for (const source of [call, [openai(call), END]]) {
      const options = { callsInText: typeof source !== 'string', trimParameters: false, tools: { a: { properties: { b: { type: 'string' } } } } }
      assert.deepEqual((await readReply(source, options).result()).toolCalls[0].args, { b: ' 1 ' })
    }
  })
  test('markup in Markdown code is text, unless it is to be parsed', async () => {
    const quoted = 'Write `<think>` first.'
    for (const source of [() => quoted, () => [openai(quoted)]]) {
      assert.equal((await readReply(source()).result()).text, quoted)
      assert.equal((await readReply(source(), { fences: 'parse' }).result()).text, 'Write `')
    }
    const shown = (options) => new Response(new Response(quoted).body.pipeThrough(new TextDecoderStream()).pipeThrough(new VisibleTextStream(options)).pipeThrough(new TextEncoderStream())).text()
    assert.deepEqual([await shown(), await shown({ fences: 'parse' })], [quoted, 'Write `'])
  })
})

describe('errors', () => {
  /** What was emitted before the error, and the error. */
  async function failing(source, options) {
    const blocks = []
    try {
      for await (const { event } of readReply(source, options)) if (event?.event === 'block_complete') blocks.push(event.block)
    } catch (error) {
      return { error, blocks }
    }
    assert.fail('nothing was thrown')
  }

  test('a malformed event is named with its line, after what came before it', async () => {
    const { error, blocks } = await failing(`${sse(openai('Hel'), openai('lo'))}data: {"choices": [{oops\n\n`)
    assert.ok(error instanceof ParseError)
    assert.equal(error.code, 'malformed-reply')
    assert.match(error.message, /^line 5 of the reply is not valid JSON: /)
    assert.deepEqual(blocks, [{ type: 'text', content: 'Hello' }])
  })
  test('faults of each format', async () => {
    for (const [body, options, message] of [
      ['{"a": ', { transport: 'json' }, /^line 1 of the reply is not valid JSON/],
      ['[{"candidates": []},\nx]', { transport: 'json' }, /^line 2 of the reply is not valid JSON/],
      ['[] 1', { transport: 'json' }, /^line 1 of the reply must be a JSON object, but is "1"/],
      ['{"a": 1}\nHello', { transport: 'ndjson', onUnknown: () => {} }, /^line 2 of the reply is not valid JSON/],
      ['Hello', { transport: 'sse' }, /^line 1 of the reply is not a server-sent event: "Hello"/],
    ]) assert.match((await failing(body, options)).error.message, message)
  })
  test('an error is reported although nothing more comes', async () => {
    const stalled = (async function* () {
      yield { error: { message: 'Oh' } }
      await new Promise(() => {})
    })()
    assert.equal((await failing(stalled)).error.message, 'the provider reported an error: Oh')
  })
  test('a body with an error and a good status', async () => {
    assert.equal((await failing(Response.json({ error: { code: 429, message: 'Slow' } }))).error.code, '429')
  })
  test('events of nobody', async () => {
    const { error } = await failing([{ foo: 1 }])
    assert.ok(error instanceof TypeError)
    assert.match(error.message, /^readReply knows no provider with such an event; .* with foo$/)
    assert.match((await failing(Response.json({ foo: 1 }))).error.message, /^readReply takes a string or a reply with content|^readReply knows no provider/)
    const unknown = []
    assert.equal((await readReply([{ foo: 1 }, openai('a')], { onUnknown: (event) => unknown.push(event) }).result()).text, 'a')
    assert.deepEqual(unknown, [{ foo: 1 }])
    assert.equal((await readReply([openai('a'), { foo: 1 }, openai('b')]).result()).text, 'ab')
    await assert.rejects(readReply(Response.json({ foo: 1 }), { onUnknown: (event) => unknown.push(event) }).result(), { code: 'malformed-reply' })
    assert.deepEqual(unknown[1], { foo: 1 })
  })
  test('the code and the message of an error, as each server writes it, and its headers', async () => {
    for (const [body, code, message] of [
      ['{"error": "model \'x\' not found"}', undefined, "model 'x' not found"],
      ['{"error": {"message": "m", "type": "invalid_request_error", "code": null}}', 'invalid_request_error', 'invalid_request_error: m'],
      ['[{"error": {"code": 429, "message": "Quota", "status": "RESOURCE_EXHAUSTED"}}]', 'RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED: Quota'],
      ['{"message": "Forbidden"}', undefined, 'Forbidden'],
      ['{"detail": "Not Found"}', undefined, 'Not Found'],
      ['{"detail": [{"loc": ["body"], "msg": "field required", "type": "missing"}]}', 'missing', 'missing: field required'],
      ['{"object": "error", "message": "m", "type": "BadRequestError"}', 'BadRequestError', 'BadRequestError: m'],
      ['{"no": 1}', undefined, '{"no": 1}'],
      ['[]', undefined, '[]'],
      ['<html>oops</html>', undefined, '<html>oops</html>'],
    ]) {
      const { error } = await failing(new Response(body, { status: 429, headers: { 'retry-after': '3' } }))
      assert.deepEqual([error.name, error.status, error.code, error.message, error.body, error.headers.get('retry-after')], ['ResponseError', 429, code, `the server answered with status 429: ${message}`, body, '3'])
    }
    assert.equal((await failing([{ error: { message: 'Oh' } }])).error.headers, undefined)
  })
  test('what a source throws comes after what is pending', async () => {
    async function* broken() {
      yield 'Hello <thin'
      throw new Error('the line is dead')
    }
    const texts = []
    await assert.rejects(async () => {
      for await (const emission of readReply(broken())) if (emission.kind === 'content') texts.push(emission.text)
    }, /the line is dead/)
    const seen = []
    await assert.rejects(shownOf(visibleText(broken()), seen), /the line is dead/)
    assert.deepEqual([texts.join(''), seen.join('')], ['Hello <thin', 'Hello <thin'])
    assert.equal((await failing(Promise.reject(new Error('no network')))).error.message, 'no network')
  })
  test('invalid sources and options', async () => {
    for (const source of [undefined, null, 7, {}]) assert.throws(() => readReply(source), /^TypeError: readReply takes a Response, an async iterable/)
    for (const [options, message] of [
      [7, /^readReply takes an options object/],
      [{ tag: {} }, /^readReply has no option "tag"; it takes .*prefill, provider, continues, sent$/],
      [{ transport: 'xml' }, /^readReply: transport must be one of text, sse, ndjson, json, but is string "xml"$/],
      [{ format: 'hermes', model: 'qwen3' }, /^readReply takes a format or a model/],
      [{ format: 'hermes', startWithThinking: true }, /^readReply: startWithThinking is for tags, .*prefill: '<think>'$/],
      [{ provider: 'me' }, /^readReply: provider must be one of openaiResponses, .*, but is string "me"$/],
      [{ tags: 7 }, /^readReply: tags must be/],
      [{ tags: { think: 'x' } }, /^readReply: tags: "think" has the unknown role/],
      [{ onError: 7 }, /^readReply: onError must be a function/],
      [{ callsInText: 'yes' }, /^readReply: callsInText must be true or false/],
      [{ signal: 7 }, /signal must be an AbortSignal/],
    ]) assert.throws(() => readReply('', options), (error) => error instanceof TypeError && message.test(error.message), String(message))
    await assert.rejects(readReply([7]).result(), /^TypeError: readReply reads text, bytes and events, but its source gave number 7$/)
    await assert.rejects(readReply(Promise.resolve(undefined)).result(), /^TypeError: readReply takes a Response/)
  })
})

describe('a stop sequence', () => {
  test('ends the source, in text and in events', async () => {
    for (const items of [['Hello.\nAli', 'ce: Hi!', 'never'], [openai('Hello.\nAli'), openai('ce: Hi!'), openai('never')]]) {
      let asked = 0
      let isStopped = false
      const source = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: items[asked++] }), return: async () => ((isStopped = true), { done: true }) }) }
      const shown = await shownOf(visibleText(source, { stopSequences: ['\nAlice:'] }))
      assert.deepEqual([shown.join(''), asked, isStopped], ['Hello.', 2, true])
    }
  })
})

describe('visibleText', () => {
  test('strings are the model’s text, whatever they look like', async () => {
    assert.equal((await shownOf(visibleText(sse(openai('a'))))).join(''), sse(openai('a')))
  })
  test('bytes, events, responses and promises are replies', async () => {
    const body = sse(openai('<think>Hm.</think>Hello'))
    for (const source of [response(body), Promise.resolve(response(body)), response(body).body, bytes(body), [openai('<think>Hm.</think>Hello')], Promise.resolve([openai('Hello')])]) assert.equal((await shownOf(visibleText(source))).join(''), 'Hello')
  })
})
