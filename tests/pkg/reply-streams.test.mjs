// What arrives of a reply: streams that are cut off, errors in them, and sources that were read before.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ParseError, visibleText } from 'tokenweir/blocks'
import { parseFields } from 'tokenweir/fields'
import { ResponseError, readReply } from 'tokenweir'
import { SAYING } from '../policy/doors/native-text.mjs'

const chat = (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const response = (body, type = 'text/event-stream') => new Response(body, { headers: { 'content-type': type } })
const failureOf = (reply) => reply.result().then(() => assert.fail('it did not reject'), (error) => error)

describe('a stream that is cut off', () => {
  for (const [name, says] of Object.entries(SAYING)) {
    const whole = says(['Hel', 'ZYX'])
    const lines = whole.split(/(?<=\n)/)
    const first = lines.findIndex((line) => line.includes('ZYX'))
    const before = lines.slice(0, first).join('')

    test(`${name}: anywhere in an event, it rejects with what was read`, async () => {
      const line = lines[first].trimEnd()
      for (let at = 1; at < line.length; at++) {
        const error = await failureOf(readReply(response(before + line.slice(0, at), whole.startsWith('data:') ? undefined : 'text/plain')))
        assert.ok(error instanceof ParseError, `${line.slice(0, at)}: ${error}`)
        assert.equal(error.code, 'malformed-reply')
        assert.equal(error.partial.text, 'Hel', line.slice(0, at))
        assert.deepEqual(error.partial.blocks.map(({ type, content }) => [type, content]), [['text', 'Hel']])
      }
    })
    test(`${name}: between two events, the reply is interrupted`, async () => {
      const { text, finishReason } = await readReply(response(before, whole.startsWith('data:') ? undefined : 'text/plain')).result()
      assert.deepEqual([text, finishReason], ['Hel', 'interrupted'])
    })
  }
  test('an event’s name without its data', async () => {
    for (const end of ['event: content_block_delta', 'event: content_block_delta\n', 'event: content_block_delta\r\n', 'event: a\nid: 7\n', 'event: a\ndata:']) {
      const error = await failureOf(readReply(response(chat('Hel') + end)))
      assert.match(error.message, /^line \d of the reply is cut off: /, end)
      assert.equal(error.partial.text, 'Hel')
    }
    for (const end of ['event: done\n\n', ': comm', 'id: 7', 'retry: 1\n', 'data: [DONE]']) assert.equal((await readReply(response(chat('Hel') + end)).result()).text, 'Hel', end)
  })
  test('calls before it are not to be run, and the one that is open is not whole', async () => {
    const call = (index, args) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: args } }] } }] })}\n\n`
    const { partial } = await failureOf(readReply(response(`${call(0, '{"a":1}')}${call(1, '{"a"')}data: {"ch`)))
    assert.deepEqual([partial.toolCalls, partial.problems.map(({ metadata }) => [metadata.toolCallId, metadata.dropReason])], [[], [['c1', 'unfinished-tool-call'], ['c0', 'interrupted']]])
    assert.deepEqual(partial.blocks.map(({ toolId, incomplete }) => [toolId, incomplete]), [['c0', undefined], ['c1', true]])
  })
  test('the connection breaks, or the reading is aborted: the error is the same, with what was read', async () => {
    const broken = new Error('reset')
    const source = () => {
      let isFirst = true
      return new ReadableStream({ pull: (controller) => (isFirst ? ((isFirst = false), controller.enqueue(new TextEncoder().encode(`${chat('Hello')}data: {`))) : controller.error(broken)) })
    }
    const error = await failureOf(readReply(response(source())))
    assert.equal(error, broken)
    assert.deepEqual([error.partial.text, error.partial.blocks.length], ['Hello', 1])
    const stop = new AbortController()
    const reason = new Error('enough')
    const reply = readReply([chat('Hello'), new Promise(() => {})], { signal: stop.signal })
    for await (const { kind } of reply) if (kind === 'content') break
    stop.abort(reason)
    const waiting = readReply((async function* () { yield chat('Hello'); stop.abort(reason); await new Promise(() => {}) })(), { signal: stop.signal })
    assert.equal(await failureOf(waiting), reason)
    const frozen = Object.freeze(new Error('frozen'))
    assert.equal(await failureOf(readReply((async function* () { throw frozen })())), frozen)
    assert.equal(await failureOf(readReply((async function* () { throw 'a word' })())), 'a word')
  })
})

describe('an error in the stream', () => {
  const ERRORS = {
    'an error field': 'data: {"error": {"message": "Slow", "code": "busy"}}\n\n',
    'beside choices': 'data: {"id": "x", "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}], "error": {"message": "Slow", "code": "busy"}}\n\n',
    'an error field of a typed event': 'data: {"type": "chunk", "error": {"message": "Slow", "code": "busy"}}\n\n',
    'a name alone': 'event: error\ndata: {"message": "Slow", "code": "busy"}\n\n',
    'a name, and a type of its own': 'event: error\ndata: {"type": "busy", "message": "Slow"}\n\n',
    'a name, and an error field': 'event: error\ndata: {"error": {"message": "Slow", "type": "busy"}}\n\n',
    'an object that is an error': 'data: {"object": "error", "message": "Slow", "type": "busy", "code": 503}\n\n',
    'a line that is no event': '{"error": {"message": "Slow", "code": "busy"}}\n\n',
    'Gemini’s': 'data: {"error": {"code": 503, "message": "Slow", "status": "busy"}}\n\n',
  }
  for (const [name, sent] of Object.entries(ERRORS)) {
    test(`${name} goes to onError, after the text before it`, async () => {
      for (const [, says] of Object.entries(SAYING).filter(([, says]) => says(['a']).startsWith('data:'))) {
        const [first, ...rest] = says(['Hello']).split(/(?<=\n\n)/)
        const said = rest.findIndex((event) => event.includes('Hello'))
        const body = [first, ...rest.slice(0, said + 1), sent].join('')
        const reported = []
        const { text } = await readReply(response(body), { onError: ({ code, message }) => reported.push([code, message]), onUnknown: () => {} }).result()
        assert.deepEqual([text, reported], ['Hello', [['busy', 'Slow']]], body)
        const error = await failureOf(readReply(response(body)))
        assert.ok(error instanceof ResponseError)
        assert.deepEqual([error.code, error.message, error.partial.text], ['busy', 'the provider reported an error: busy: Slow', 'Hello'])
      }
    })
  }
  test('a name, and data that is text', async () => {
    for (const [data, message] of [['upstream timed out', 'upstream timed out'], ['"Slow"', 'Slow'], ['', 'no reason given']]) {
      const { text, reported } = await reading(`${chat('Hello')}event: error\ndata: ${data}\n\n`)
      assert.deepEqual([text, reported], ['Hello', [['error', message]]])
    }
    assert.deepEqual((await reading('event: error\ndata: Oh\n\ndata: Hello\n\n')).reported, [['error', 'Oh']])
  })
  test('what is no error of the provider', async () => {
    for (const none of [null, '', false]) assert.deepEqual((await reading(chat('Hello').replace('{', `{"error": ${JSON.stringify(none)}, `))).reported, [])
    assert.deepEqual((await reading('data: {"type": "tool-output-error", "toolCallId": "a", "errorText": "no"}\n\ndata: {"type": "tool-error", "toolCallId": "a", "error": "no"}\n\n')).reported, [])
    const own = '{"type": "result", "error": "none found"}'
    assert.equal((await readReply(own).result()).text, own)
  })

  async function reading(body) {
    const reported = []
    const { text } = await readReply(response(body), { onError: ({ code, message }) => reported.push([code, message]) }).result()
    return { text, reported }
  }
})

describe('a source that can’t be read', () => {
  const asks = [
    ['readReply', (source) => readReply(source).result()],
    ['visibleText', async (source) => { for await (const text of visibleText(source)) assert.fail(text) }],
  ]
  for (const [name, read] of asks) {
    test(`${name}: a response that was read before`, async () => {
      const used = response(chat('Hello'))
      await used.text()
      await assert.rejects(read(used), { name: 'TypeError', message: `${name}: the response was read before, and can be read once: read its clone(), or what was read of it` })
      const locked = response(chat('Hello'))
      locked.body.getReader()
      await assert.rejects(read(locked), { name: 'TypeError', message: `${name}: the stream is locked: something else reads it, or has read it` })
      await assert.rejects(read(Promise.resolve(used)), /was read before/)
    })
    test(`${name}: a stream that is locked`, async () => {
      const stream = ReadableStream.from(['Hello'])
      stream.getReader()
      await assert.rejects(read(stream), { name: 'TypeError', message: `${name}: the stream is locked: something else reads it, or has read it` })
    })
    test(`${name}: no body`, async () => {
      for (const body of [null, undefined]) await assert.rejects(read({ status: 200, headers: new Headers(), body }), { name: 'TypeError', message: `${name}: the response has no body that can be read` })
      await assert.rejects(read(new Response(null)), /no body/)
    })
  }
  test('an error by its status says so, even if its body was read', async () => {
    const used = new Response('Sorry', { status: 503 })
    await used.text()
    for (const each of [used, new Response(null, { status: 503 })]) assert.equal((await failureOf(readReply(each))).status, 503)
  })
  test('an empty body is not a reply', async () => {
    for (const source of [new Response(''), response('')]) await assert.rejects(readReply(source).result(), { code: 'malformed-reply', message: /^the response is empty/ })
  })
})

describe('the reply of visibleText', () => {
  const END = 'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}\n\n'
  const read = async (source, options) => {
    const text = visibleText(source, options)
    for await (const _ of text);
    return text.reply.result()
  }
  test('is that of readReply, after the loop or instead of it, whatever is read', async () => {
    const call = '<tool_call>{"name": "now"}</tool_call>'
    for (const [make, options] of [[() => response(`${chat('<think>hm</think>Hello')}${END}`)], [() => response(`${chat(`Hello${call}`)}${END}`), { format: 'hermes' }], [() => '<think>hm</think>Hello<invoke name="now"></invoke>'], [() => ['<think>hm</think>Hel', 'lo<invoke name="now"></invoke>'], { onBlock() {} }]]) {
      const given = { generateId: () => 'made', ...options }
      const expected = await readReply(make(), given).result()
      assert.deepEqual(await read(make(), given), expected)
      assert.deepEqual(await visibleText(make(), given).reply.result(), expected)
    }
  })
  test('rejects with the error of the loop, and what was read', async () => {
    const text = visibleText(response(`${chat('Hello')}data: {"cho`))
    await assert.rejects(async () => { for await (const _ of text); }, { code: 'malformed-reply' })
    const error = await failureOf(text.reply)
    assert.deepEqual([error.code, error.partial.text], ['malformed-reply', 'Hello'])
  })
})

describe('what can not be read says what to do', () => {
  test('a loop over a reply that was looped before', async () => {
    const reply = readReply('Hello')
    for await (const _ of reply);
    await assert.rejects(async () => { for await (const _ of reply); }, /^TypeError: a reply is read once/)
    assert.equal((await reply.result()).text, 'Hello')
  })
  test('an invalid source', () => {
    for (const read of [visibleText, readReply]) assert.throws(() => read(undefined), /takes a Response, an async iterable, .*but got undefined$/)
    assert.throws(() => parseFields(response(''), {}), /parseFields\(visibleText\(response\)\)$/)
  })
})
