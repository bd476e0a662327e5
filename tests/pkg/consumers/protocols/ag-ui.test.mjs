// Runs that `respond` writes, read by the AG-UI clients of 1.0 and of 0.0.59, which CopilotKit has.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { guard } from 'tokenweir/guard'
import { respond } from 'tokenweir/respond'
import { AG_UI, eventsIn, refusedByAgUi, runAgent, served, until } from './clients.mjs'
import { BROKEN, counting, doubled, endlessReply, HERMES, hermesReply, looped, refused, replyOf, shared, silentReply } from './sources.mjs'

/** What a client has after a run, and what was sent. */
async function run(t, HttpAgent, source, options) {
  const { url, sent } = await served(t, ({ threadId, runId }) => respond(source, 'agUi', { threadId, runId, ...options }))
  const found = await runAgent(t, HttpAgent, url)
  const events = eventsIn(sent[0])
  if (events.length > 0) {
    assert.deepEqual(refusedByAgUi(events), [])
    assert.deepEqual([events[0].type, events[0].threadId, events[0].runId], ['RUN_STARTED', 'thread', 'run'])
    assert.ok(events.every(({ delta }) => delta !== ''))
    assert.doesNotMatch(sent[0], /\r|\[DONE\]|^id:/m)
  }
  const shown = found.messages.map(({ role, content, toolCalls, toolCallId }) => {
    const text = content === undefined ? [] : [content.trim()]
    return [role, ...text, ...(toolCalls ?? []).map(({ id }) => id), ...(toolCallId ? [toolCallId] : [])]
  })
  return { ...found, shown, events, text: sent[0] }
}

/** By reply: the messages, the calls to run, and the reason. */
const READ = {
  text: [[['assistant', 'It rains in Porto. 🌧']], [], 'stop'],
  thinking: [[['reasoning', 'Hm, rain?'], ['assistant', 'It rains.']], [], 'stop'],
  calls: [[['assistant', 'I look.', 'call_1', 'call_2']], [['weather', '{"city":"Porto"}'], ['weather', '{"city":"Oslo"}']], 'tool-calls'],
}

for (const [name, HttpAgent] of Object.entries(AG_UI)) {
  describe(name, () => {
    for (const [kind, [messages, toRun, reason]] of Object.entries(READ)) {
      test(kind, async (t) => {
        const found = await run(t, HttpAgent, replyOf(kind))
        assert.deepEqual([found.shown, found.toRun, found.failures], [messages, toRun, []])
        assert.deepEqual(found.finished.result, { finishReason: reason })
        if (kind !== 'thinking') assert.ok(Array.isArray(found.finished.usage))
      })
    }

    test('hosted calls have their results, and none is to run', async (t) => {
      const { shown, toRun, failures, finished } = await run(t, HttpAgent, replyOf('hosted'))
      assert.deepEqual([failures, toRun, finished.result], [[], [], { finishReason: 'stop' }])
      const [assistant, result] = shown
      assert.deepEqual([shown.length, assistant[0], assistant[2], result[0], result[2]], [2, 'assistant', 'srv_1', 'tool', 'srv_1'])
      assert.equal(assistant[1], 'I look. It rains.')
      assert.match(result[1], /example\.org/)
    })

    test('a call that is cut off has a result, so that it never runs', async (t) => {
      const { toRun, calls, shown, failures, finished } = await run(t, HttpAgent, replyOf('cut'))
      assert.deepEqual([calls.length, toRun, failures, finished.result], [1, [], [], { finishReason: 'length' }])
      assert.match(shown.at(-1)[1], /weather/)
    })

    test('a call that is cut off is not there, if calls come whole', async (t) => {
      const { shown, failures, finished } = await run(t, HttpAgent, replyOf('cut'), { calls: 'whole' })
      assert.deepEqual([shown, failures, finished.result], [[['assistant', 'I look.']], [], { finishReason: 'length' }])
    })

    test('a call in text, repaired; none that is cut off', async (t) => {
      for (const calls of ['pieces', 'whole']) {
        const { toRun, failures } = await run(t, HttpAgent, hermesReply(), { calls })
        assert.deepEqual([toRun.map(([called, args]) => [called, JSON.parse(args)]), failures], [[['weather', { city: 'Porto' }]], []])
        const cut = await run(t, HttpAgent, hermesReply(HERMES.slice(0, HERMES.indexOf('rto"'))), { calls })
        assert.deepEqual(cut.toRun, [])
      }
    })

    test('an error before the first piece is the status', async (t) => {
      const { failures, text } = await run(t, HttpAgent, refused())
      assert.match(String(failures[0].message), /429/)
      assert.doesNotMatch(text, /sk-secret/)
    })

    for (const [kind, broken] of Object.entries(BROKEN)) {
      test(`${kind} after the first piece is RUN_ERROR, the last event`, async (t) => {
        const { failures, toRun, events, text } = await run(t, HttpAgent, broken())
        assert.ok(failures.length > 0)
        assert.equal(events.at(-1).type, 'RUN_ERROR')
        if (kind.includes('error')) assert.equal(events.at(-1).code, 'overloaded')
        assert.deepEqual(toRun, [])
        assert.doesNotMatch(text, /sk-secret/)
      })
    }

    test('tools that run on the server', async (t) => {
      const { shown, toRun, failures, finished } = await run(t, HttpAgent, looped())
      assert.deepEqual([failures, toRun, finished.result], [[], [], { finishReason: 'stop' }])
      assert.deepEqual(shown, [['assistant', 'I look.', 'call_1', 'call_2'], ['tool', '{"rain":true}', 'call_1'], ['tool', '{"error":"No such city."}', 'call_2'], ['assistant', 'It rains in both.']])
    })

    test('of calls that the server and the client share, the client runs its own', async (t) => {
      const { toRun, failures, finished } = await run(t, HttpAgent, shared())
      assert.deepEqual([toRun, failures, finished.result], [[['weather', '{"city":"Oslo"}']], [], { finishReason: 'tool-calls' }])
    })

    test('ids that come again in the next reply are other ids here', async (t) => {
      const { messages, calls, toRun, failures } = await run(t, HttpAgent, counting())
      assert.deepEqual([calls.map(({ function: called }) => called.arguments), toRun, failures], [['{"city":"Porto"}', '{"city":"Oslo"}'], [], []])
      assert.deepEqual(messages.map(({ role }) => role), ['assistant', 'tool', 'assistant', 'tool', 'assistant'])
      assert.deepEqual(messages.filter(({ role }) => role === 'tool').map(({ toolCallId, content }) => [toolCallId, content]), [[calls[0].id, 'Porto: rain'], [calls[1].id, 'Oslo: rain']])
    })

    test('of two calls with one id the first one counts', async (t) => {
      const { toRun, failures, finished } = await run(t, HttpAgent, doubled())
      assert.deepEqual([toRun, failures, finished.result], [[['weather', '{"city":"Porto"}']], [], { finishReason: 'tool-calls' }])
    })

    test('keep-alives are nothing, and an error after one is in the stream', async (t) => {
      const { reply, go } = silentReply()
      const options = { threadId: 'thread', runId: 'run', keepAlive: 5 }
      const { url, sent } = await served(t, () => respond(reply, 'agUi', options), () => respond((async function* () { await until(() => sent[1]); yield refused() })(), 'agUi', options))
      const running = runAgent(t, HttpAgent, url)
      await until(() => sent[0]?.startsWith(': keep-alive\n\n: keep-alive\n\n'))
      go()
      const { messages, failures } = await running
      assert.deepEqual([messages[0].content, failures], ['It rains in Porto. 🌧', []])
      assert.equal((await runAgent(t, HttpAgent, url)).failures[0].code, 'rate_limit_exceeded')
    })

    test('a client that leaves ends the request to the provider', async (t) => {
      const { reply, seen } = endlessReply()
      const { url } = await served(t, () => respond(reply, 'agUi', { threadId: 'thread', runId: 'run' }))
      const agent = new HttpAgent({ url, threadId: 'thread' })
      await agent.runAgent({ runId: 'run' }, { onTextMessageContentEvent: () => agent.abortRun() }).catch(() => {})
      await until(() => seen.left)
    })

    test('a guard before it', async (t) => {
      const { shown, text } = await run(t, HttpAgent, guard(replyOf('secret'), { redact: [/sk-[a-z]+/] }))
      assert.deepEqual(shown, [['assistant', 'The key is [redacted] today.']])
      assert.doesNotMatch(text, /sk-|cret/)
    })

    test('a guard that stops', async (t) => {
      const { shown, finished } = await run(t, HttpAgent, guard(replyOf('secret'), { stop: ['sk-'] }))
      assert.deepEqual([shown, finished.result], [[['assistant', 'The key is']], { finishReason: 'content-filter' }])
    })
  })
}
