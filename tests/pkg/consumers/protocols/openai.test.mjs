// Chat completions that `respond` writes, read by OpenAI's SDK, and by AI SDK's loop over a compatible server.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { guard } from 'tokenweir/guard'
import { respond } from 'tokenweir/respond'
import { askOpenAI, COMPATIBLE, eventsIn, loopOver, OPENAI, served, until } from './clients.mjs'
import { BROKEN, doubled, endlessReply, HERMES, hermesReply, looped, refused, replyOf, shared, silentReply } from './sources.mjs'

const answered = (reply, options) => () => respond(reply, 'openai', { id: 'chatcmpl-1', model: 'm', usage: true, ...options })
const PORTO = ['call_1', 'function', 'weather', '{"city":"Porto"}']
const OSLO = ['call_2', 'function', 'weather', '{"city":"Oslo"}']

/** By reply: what OpenAI's SDK has. */
const READ = {
  text: { text: 'It rains in Porto. 🌧', calls: [], reason: 'stop' },
  thinking: { text: 'It rains.', calls: [], reason: 'stop' },
  calls: { text: 'I look. ', calls: [PORTO, OSLO], reason: 'tool_calls' },
  hosted: { text: 'I look. It rains.', calls: [], reason: 'stop' },
}

for (const [name, OpenAI] of Object.entries(OPENAI)) {
  describe(name, () => {
    for (const [kind, expected] of Object.entries(READ)) {
      test(kind, async (t) => {
        const { url, sent } = await served(t, answered(replyOf(kind)))
        const { text, calls, reason, usage, done, rest, error } = await askOpenAI(OpenAI, url)
        assert.ifError(error)
        assert.deepEqual({ text: text.trim(), calls, reason }, { ...expected, text: expected.text.trim() })
        assert.deepEqual(done, calls.map(([, , called, args]) => [called, args]))
        assert.deepEqual([rest.id, rest.model, rest.object], ['chatcmpl-1', 'm', 'chat.completion'])
        if (kind !== 'thinking') assert.ok(usage.total_tokens >= 21)
        assertChunks(sent[0])
      })
      test(`${kind}, not streamed`, async (t) => {
        const { url } = await served(t, answered(replyOf(kind), { stream: false }))
        const { text, calls, reason, rest, error } = await askOpenAI(OpenAI, url, { stream: false })
        assert.ifError(error)
        assert.deepEqual({ text: text.trim(), calls, reason }, { ...expected, text: expected.text.trim() })
        assert.deepEqual([rest.id, rest.model, rest.object], ['chatcmpl-1', 'm', 'chat.completion'])
      })
    }

    test('thinking, under both of its names', async (t) => {
      for (const [thinking, field] of [[undefined, 'reasoning_content'], [true, 'reasoning_content'], ['reasoning', 'reasoning'], [false, undefined]]) {
        const { url, sent } = await served(t, answered(replyOf('thinking'), thinking === undefined ? {} : { thinking }))
        assert.ifError((await askOpenAI(OpenAI, url)).error)
        const deltas = eventsIn(sent[0]).flatMap(({ choices }) => choices.map(({ delta }) => delta))
        const of = (name) => deltas.map((delta) => delta[name] ?? '').join('')
        assert.deepEqual([of('reasoning_content'), of('reasoning')], ['reasoning_content', 'reasoning'].map((name) => (name === field ? 'Hm, rain?' : '')), String(thinking))
      }
    })

    test('a call that is cut off stays unfinished', async (t) => {
      const { url } = await served(t, answered(replyOf('cut')))
      const { text, calls, reason, error } = await askOpenAI(OpenAI, url)
      assert.ifError(error)
      assert.deepEqual([text, calls.length, reason], ['I look.', 1, 'length'])
      assert.throws(() => JSON.parse(calls[0][3]))
    })

    test('a call that is cut off is not there, if calls come whole', async (t) => {
      const { url } = await served(t, answered(replyOf('cut'), { calls: 'whole' }))
      const { text, calls, reason, error } = await askOpenAI(OpenAI, url)
      assert.ifError(error)
      assert.deepEqual([text, calls, reason], ['I look.', [], 'length'])
    })

    test('a call in text, repaired', async (t) => {
      const { url } = await served(t, answered(hermesReply(), { calls: 'whole' }))
      const { text, calls: [[, type, called, args]], reason } = await askOpenAI(OpenAI, url)
      assert.deepEqual([text.trim(), type, called, JSON.parse(args), reason], ['I look.', 'function', 'weather', { city: 'Porto' }, 'tool_calls'])
    })

    test('a call in text that is cut off is nothing that a client could run', async (t) => {
      const cut = HERMES.slice(0, HERMES.indexOf('rto"'))
      const { url } = await served(t, answered(hermesReply(cut)), answered(hermesReply(cut), { calls: 'whole' }))
      const { calls } = await askOpenAI(OpenAI, url)
      for (const [, , , args] of calls ?? []) assert.throws(() => JSON.parse(args), args)
      assert.ok((await askOpenAI(OpenAI, url)).error, 'no call is left, and one has failed')
    })

    test('an error before the first piece is the status', async (t) => {
      const { url, sent } = await served(t, answered(refused()))
      const { error } = await askOpenAI(OpenAI, url)
      assert.deepEqual([error.status, error.code, error.headers.get('retry-after')], [429, 'rate_limit_exceeded', '7'])
      assert.doesNotMatch(sent[0], /sk-secret/)
    })

    for (const [kind, broken] of Object.entries(BROKEN)) {
      test(`${kind} after the first piece is no success`, async (t) => {
        const { url, sent } = await served(t, answered(broken()))
        const { error } = await askOpenAI(OpenAI, url)
        assert.ok(error instanceof OpenAI.APIError, String(error))
        if (kind.includes('error')) assert.equal(error.code, 'overloaded')
        assert.doesNotMatch(sent[0], /sk-secret|"finish_reason":"/)
        assert.match(sent[0], /data: \[DONE\]\n\n$/)
      })
    }

    test('tools that run on the server', async (t) => {
      const { url, sent } = await served(t, answered(looped()))
      const { text, calls, reason, usage, error } = await askOpenAI(OpenAI, url)
      assert.ifError(error)
      assert.deepEqual([text, calls, reason, usage.total_tokens], ['I look.\n\nIt rains in both.', [], 'stop', 42])
      assertChunks(sent[0])
    })

    test('of calls that the server and the client share, the client hears its own', async (t) => {
      const { url } = await served(t, answered(shared()))
      const { calls, reason, error } = await askOpenAI(OpenAI, url)
      assert.ifError(error)
      assert.deepEqual([calls, reason], [[OSLO], 'tool_calls'])
    })

    test('of two calls with one id the first one counts', async (t) => {
      const { url } = await served(t, answered(doubled()))
      const { calls, reason } = await askOpenAI(OpenAI, url)
      assert.deepEqual([calls[0], reason], [['call_0', 'function', 'weather', '{"city":"Porto"}'], 'tool_calls'])
      assert.notEqual(calls[1]?.[0], 'call_0')
      if (calls[1]) assert.throws(() => JSON.parse(calls[1][3]))
    })

    test('keep-alives are nothing, and an error after one is in the stream', async (t) => {
      const { reply, go } = silentReply()
      const { url, sent } = await served(t, answered(reply, { keepAlive: 5 }), answered((async function* () { await until(() => sent[1]); yield refused() })(), { keepAlive: 5 }))
      const asking = askOpenAI(OpenAI, url)
      await until(() => sent[0]?.startsWith(': keep-alive\n\n: keep-alive\n\n'))
      go()
      assert.equal((await asking).text, 'It rains in Porto. 🌧')
      const { error } = await askOpenAI(OpenAI, url)
      assert.equal(error.code, 'rate_limit_exceeded')
    })

    test('a client that leaves ends the request to the provider', async (t) => {
      const { reply, seen } = endlessReply()
      const { url } = await served(t, answered(reply))
      const reading = new OpenAI({ baseURL: url, apiKey: 'key', maxRetries: 0 }).chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: '?' }] })
      reading.on('content', () => reading.abort())
      await assert.rejects(reading.done(), OpenAI.APIUserAbortError)
      await until(() => seen.left)
    })

    test('a guard before it', async (t) => {
      const { url, sent } = await served(t, answered(guard(replyOf('secret'), { redact: [/sk-[a-z]+/] })))
      assert.equal((await askOpenAI(OpenAI, url)).text, 'The key is [redacted] today.')
      assert.doesNotMatch(sent[0], /sk-|cret/)
    })

    test('a guard that stops', async (t) => {
      const { url } = await served(t, answered(guard(replyOf('secret'), { stop: ['sk-'] })))
      const { text, reason } = await askOpenAI(OpenAI, url)
      assert.deepEqual([text, reason], ['The key is ', 'content_filter'])
    })
  })
}

/** What all chunks of a completion have in common. */
function assertChunks(text) {
  const chunks = eventsIn(text)
  assert.equal(new Set(chunks.map(({ id, created, model, object }) => JSON.stringify([id, created, model, object]))).size, 1)
  assert.equal(chunks[0].object, 'chat.completion.chunk')
  assert.deepEqual(chunks[0].choices[0].delta, { role: 'assistant', content: '' })
  const choices = chunks.flatMap(({ choices }) => choices)
  assert.ok(choices.every(({ index }) => index === 0))
  assert.equal(choices.filter(({ finish_reason: reason }) => reason !== null).length, 1)
  assert.ok(choices.slice(1).every(({ delta }) => delta.content !== '' && delta.role === undefined))
  assert.match(text, /data: \[DONE\]\n\n$/)
  assert.doesNotMatch(text, /^id:|\r/m)
}

for (const [name, client] of Object.entries(COMPATIBLE)) {
  describe(name, () => {
    test('text and thinking', async (t) => {
      for (const thinking of [true, 'reasoning']) {
        const { url } = await served(t, answered(replyOf('thinking'), { thinking }))
        const found = await loopOver(client, url)
        assert.deepEqual([found.text, found.thinking, found.reason, found.errors], ['It rains.', 'Hm, rain?', 'stop', []])
      }
    })

    test('its loop runs parallel calls, and comes back with their results', async (t) => {
      const { url, asked } = await served(t, answered(replyOf('calls')), answered(replyOf('answer')))
      const { ran, steps, text, reason, errors, usage } = await loopOver(client, url)
      assert.deepEqual([ran, steps, text, reason, errors], [['Porto', 'Oslo'], 2, 'It rains in both.', 'stop', []])
      assert.equal(usage.totalTokens, 42)
      const results = asked[1].messages.filter(({ role }) => role === 'tool').map(({ tool_call_id: id, content }) => [id, content])
      assert.deepEqual(results, [['call_1', 'Porto: rain'], ['call_2', 'Oslo: rain']])
    })

    test('its loop runs a call that a model wrote in text', async (t) => {
      const { url } = await served(t, answered(hermesReply()), answered(replyOf('answer')))
      const { ran, text } = await loopOver(client, url)
      assert.deepEqual([ran, text], [['Porto'], 'It rains in both.'])
    })

    test('a call that is cut off never runs', async (t) => {
      for (const kind of ['cut', 'a mere end in a call', 'an error in a call']) {
        const { url } = await served(t, answered(replyOf(kind)), answered(replyOf('answer')))
        const { ran, invalid } = await loopOver(client, url)
        assert.deepEqual([ran, invalid.length], [[], 1], kind)
      }
    })

    test('a guard of arguments and thinking: its loop runs what the guard has left', async (t) => {
      const guarded = guard(replyOf('secret call'), { redact: [/sk-[a-z]+/], in: ['thinking', 'arguments'] })
      const { url, sent } = await served(t, answered(guarded), answered(replyOf('answer')))
      const { ran, errors, reason } = await loopOver(client, url)
      assert.deepEqual([ran, errors, reason], [['[redacted]'], [], 'stop'])
      assert.doesNotMatch(sent[0], /sk-|cret/)
    })

    test('errors, and ends without a reason, are error parts', async (t) => {
      for (const reply of [refused, () => replyOf('error'), () => replyOf('a mere end'), () => replyOf('a mere end in a call')]) {
        const { url } = await served(t, answered(reply()))
        const { errors } = await loopOver(client, url)
        assert.ok(errors.length > 0)
      }
    })

    test('hosted calls, and tools that run on the server, are not its business', async (t) => {
      const { url } = await served(t, answered(replyOf('hosted')), answered(looped()))
      const hosted = await loopOver(client, url)
      assert.deepEqual([hosted.ran, hosted.text, hosted.reason], [[], 'I look. It rains.', 'stop'])
      const server = await loopOver(client, url)
      assert.deepEqual([server.ran, server.text, server.reason, server.steps], [[], 'I look.\n\nIt rains in both.', 'stop', 1])
    })
  })
}
