// The UI message stream that `respond` writes, read as `useChat` reads it, by AI SDK 5, 6 and 7.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readReply } from 'tokenweir'
import { guard } from 'tokenweir/guard'
import { respond } from 'tokenweir/respond'
import { eventsIn, readUI, served, UI, unknownFields, until } from './clients.mjs'
import { BROKEN, counting, doubled, endlessReply, HERMES, hermesReply, looped, refused, replyOf, shared, silentReply } from './sources.mjs'

/** What a client has of a reply: the parts without what differs between versions, the error texts, and the events. */
async function read(t, ai, source, options) {
  const { url, sent } = await served(t, () => respond(source, 'aiSdk', options))
  const response = await fetch(url, { method: 'POST', body: '{}' })
  const { parts, errors, message, states } = await readUI(ai, response)
  const events = eventsIn(sent[0])
  assert.deepEqual(unknownFields(events), [])
  assert.match(sent[0], /data: \[DONE\]\n\n$/)
  assert.doesNotMatch(sent[0], /^id:|\r/m)
  const starts = events.filter(({ type }) => /^(text|reasoning)-start$/.test(type)).map(({ id }) => id)
  assert.equal(new Set(starts).size, starts.length)
  const steps = events.map(({ type }) => type).filter((type) => /^(start|finish|error|abort|(start|finish)-step)$/.test(type)).join(' ')
  assert.match(steps, /^start( start-step finish-step)*( finish|( start-step)? (error|abort))$/)
  const shown = parts.map(({ type, text, state, toolName, input, output, errorText, providerExecuted }) =>
    JSON.parse(JSON.stringify({ type, text, state, toolName, input, output, errorText: errorText && 'error', providerExecuted })))
  // What breaks the next request is refused here.
  if (parts.length > 0) await ai.convertToModelMessages([{ role: 'user', parts: [{ type: 'text', text: '?' }] }, message])
  return { response, parts: shown, errors: errors.map(({ message }) => message), events, message, states, text: sent[0], reason: events.findLast(({ type }) => type === 'finish')?.finishReason }
}

const text = (text) => ({ type: 'text', text, state: 'done' })
const weather = (city, state = 'input-available', more = {}) => ({ type: 'tool-weather', state, input: { city }, ...more })

/** By reply: the parts of the message, and the reason. */
const READ = {
  text: [[text('It rains in Porto. 🌧')], 'stop'],
  thinking: [[{ type: 'reasoning', text: 'Hm, rain?', state: 'done' }, text('It rains.')], 'stop'],
  calls: [[text('I look.'), weather('Porto'), weather('Oslo')], 'tool-calls'],
}

for (const [version, ai] of Object.entries(UI)) {
  describe(version, () => {
    for (const [kind, [parts, reason]] of Object.entries(READ)) {
      test(kind, async (t) => {
        const found = await read(t, ai, replyOf(kind), { id: 'msg-1', usage: true })
        assert.deepEqual(found.errors, [])
        assert.deepEqual(found.parts.map((part) => (part.type === 'text' ? { ...part, text: part.text.trim() } : part)), parts)
        assert.deepEqual([found.reason, found.message.id], [reason, 'msg-1'])
        assert.ok(kind === 'thinking' || found.message.metadata.usage.totalTokens === 21)
        assert.ok(found.states.length > 4, 'it comes in pieces')
      })
    }

    test('the headers of its protocol', async (t) => {
      const { response } = await read(t, ai, replyOf('text'))
      assert.match(response.headers.get('content-type'), /^text\/event-stream/)
      assert.deepEqual(['cache-control', 'x-accel-buffering', 'x-vercel-ai-ui-message-stream'].map((name) => response.headers.get(name)), ['no-cache', 'no', 'v1'])
    })

    test('calls of tools that the reader does not know are dynamic', async (t) => {
      const { parts, errors } = await read(t, ai, replyOf('calls', {}))
      assert.deepEqual(errors, [])
      assert.deepEqual(parts.slice(1), ['Porto', 'Oslo'].map((city) => ({ ...weather(city), type: 'dynamic-tool', toolName: 'weather' })))
    })

    test('hosted calls have their results', async (t) => {
      const { parts: [first, call, last], errors, reason } = await read(t, ai, replyOf('hosted'))
      assert.deepEqual([errors, reason, first.text, last.text.trim()], [[], 'stop', 'I look.', 'It rains.'])
      assert.deepEqual([call.type, call.toolName, call.state, call.input, call.providerExecuted], ['dynamic-tool', 'web_search', 'output-available', { query: 'rain' }, true])
      assert.match(JSON.stringify(call.output), /example\.org/)
    })

    test('a call that is cut off is an error that the model can read', async (t) => {
      const { parts: [, call], errors, reason } = await read(t, ai, replyOf('cut'))
      assert.deepEqual([errors, reason, call.state, call.errorText], [[], 'length', 'output-error', 'error'])
    })

    test('a call that is cut off is not there, if calls come whole', async (t) => {
      const { parts, errors, reason } = await read(t, ai, replyOf('cut'), { calls: 'whole' })
      assert.deepEqual([parts, errors, reason], [[text('I look.')], [], 'length'])
    })

    test('a call in text, repaired', async (t) => {
      for (const calls of ['pieces', 'whole']) {
        const { parts, errors, reason } = await read(t, ai, hermesReply(), { calls })
        assert.deepEqual([parts[0].text.trim(), parts[1], errors, reason], ['I look.', weather('Porto'), [], 'tool-calls'])
      }
    })

    test('a call in text that is cut off is no call to run', async (t) => {
      const { parts } = await read(t, ai, hermesReply(HERMES.slice(0, HERMES.indexOf('rto"'))))
      assert.deepEqual(parts.slice(1).map(({ state }) => state).filter((state) => state !== 'output-error'), [])
    })

    test('an error before the first piece is the status, and its text the message', async (t) => {
      const { url, sent } = await served(t, () => respond(refused(), 'aiSdk'))
      const transport = new ai.DefaultChatTransport({ api: url })
      await assert.rejects(transport.sendMessages({ chatId: 'c', messages: [], trigger: 'submit-message' }), ({ message }) => message.includes('rate_limit_exceeded'))
      const response = await respond(refused(), 'aiSdk')
      assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '7'])
      assert.doesNotMatch(sent[0], /sk-secret/)
    })

    for (const [kind, broken] of Object.entries(BROKEN)) {
      test(`${kind} after the first piece is no success`, async (t) => {
        const { parts, errors, events, text } = await read(t, ai, broken())
        assert.equal(errors.length, 1)
        if (kind.includes('error')) assert.match(errors[0], /overloaded/)
        assert.ok(parts.every(({ type, state }) => (type === 'text' ? state === 'done' : state === 'output-error')), JSON.stringify(parts))
        assert.equal(events.at(-1).type, 'error')
        assert.doesNotMatch(text, /sk-secret/)
      })
    }

    test('tools that run on the server', async (t) => {
      const { parts, errors, reason, message } = await read(t, ai, looped(), { usage: true })
      assert.deepEqual(errors, [])
      assert.deepEqual(parts.map((part) => (part.type === 'text' ? { ...part, text: part.text.trim() } : part)), [text('I look.'), weather('Porto', 'output-available', { output: { rain: true } }), weather('Oslo', 'output-error', { errorText: 'error' }), text('It rains in both.')])
      assert.deepEqual([reason, message.parts.filter(({ type }) => type === 'step-start').length, message.metadata.usage.totalTokens], ['stop', 2, 42])
    })

    test('calls that the server and the client share', async (t) => {
      const { parts, errors, reason } = await read(t, ai, shared())
      assert.deepEqual([parts.slice(1), errors, reason], [[weather('Porto', 'output-available', { output: { rain: true } }), weather('Oslo')], [], 'tool-calls'])
    })

    test('ids that come again in the next reply', async (t) => {
      const { parts, errors } = await read(t, ai, counting())
      assert.deepEqual([parts.slice(0, -1), errors], [['Porto', 'Oslo'].map((city) => weather(city, 'output-available', { output: `${city}: rain` })), []])
    })

    test('of two calls with one id the first one counts', async (t) => {
      const { parts, errors, reason } = await read(t, ai, doubled())
      assert.deepEqual([parts[0], errors, reason], [weather('Porto'), [], 'tool-calls'])
      assert.ok(parts.slice(1).every(({ state }) => state === 'output-error'))
    })

    test('keep-alives are nothing, and an error after one is in the stream', async (t) => {
      const { reply, go } = silentReply()
      const { url, sent } = await served(t, () => respond(reply, 'aiSdk', { keepAlive: 5 }), () => respond((async function* () { await until(() => sent[1]); yield refused() })(), 'aiSdk', { keepAlive: 5 }))
      const ask = async () => readUI(ai, await fetch(url, { method: 'POST', body: '{}' }))
      const asking = ask()
      await until(() => sent[0]?.startsWith(': keep-alive\n\n: keep-alive\n\n'))
      go()
      const { parts, errors } = await asking
      assert.deepEqual([parts[0].text, errors], ['It rains in Porto. 🌧', []])
      assert.match((await ask()).errors[0].message, /rate_limit_exceeded/)
    })

    test('a page that leaves ends the request to the provider', async (t) => {
      const { reply, seen } = endlessReply()
      const { url } = await served(t, () => respond(reply, 'aiSdk'))
      const leaving = new AbortController()
      const stream = await new ai.DefaultChatTransport({ api: url }).sendMessages({ chatId: 'c', messages: [], trigger: 'submit-message', abortSignal: leaving.signal })
      const reader = stream.getReader()
      while ((await reader.read()).value.type !== 'text-delta');
      leaving.abort()
      await until(() => seen.left)
    })

    test('a guard before it', async (t) => {
      const { parts, text: sent, states } = await read(t, ai, guard(replyOf('secret'), { redact: [/sk-[a-z]+/] }))
      assert.deepEqual(parts, [text('The key is [redacted] today.')])
      assert.doesNotMatch(sent, /sk-|cret/)
      assert.ok(states.length > 2)
    })

    test('a guard that stops', async (t) => {
      const { parts, reason } = await read(t, ai, guard(replyOf('secret'), { stop: ['sk-'] }))
      assert.deepEqual([parts[0].text.trim(), reason], ['The key is', 'content-filter'])
    })

    test('an abort is no error', async (t) => {
      const controller = new AbortController()
      async function* endless() {
        yield { choices: [{ index: 0, delta: { content: 'It rains.' } }] }
        controller.abort()
        await new Promise(() => {})
      }
      const { events, errors } = await read(t, ai, readReply(endless()), { signal: controller.signal })
      assert.deepEqual([events.at(-1).type, errors], ['abort', []])
    })
  })
}
