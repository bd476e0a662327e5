// The programs of docs/resumable-streams.md and docs/internals/snapshots.md, whose model fails at a random chunk until the reply is whole.
// Redis is real; Cloudflare's storage and Temporal's heartbeats are the few functions that the programs call.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Context, asyncLocalStorage } from '@temporalio/activity'
import { simulateReadableStream, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createClient } from 'redis'
import { z } from 'zod'
import { visibleText } from 'tokenweir'
import { hermesToolMiddleware } from 'tokenweir/ai-sdk'
import { BlockParser } from 'tokenweir/blocks'
import { chunksOf } from '../../../examples/resumable/model.mjs'
import { startRedis } from '../../../examples/resumable/redis.mjs'
import { random } from '../support/cuts.mjs'
import { transpiled } from './running.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const next = random(seed)
const page = ['resumable-streams', 'internals/snapshots'].map((name) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')).join('\n')
const chunks = chunksOf('all', 7)
const expected = uninterrupted()
/** All of the text. */
const whole = expected.map(({ text }) => text).join('')

function uninterrupted() {
  const parser = new BlockParser()
  const visible = ({ emissions }) => emissions.map(({ kind, text, meta }) => (kind === 'content' && meta.visible ? text : '')).join('')
  const texts = [...chunks.map((chunk) => visible(parser.processChunk(chunk))), visible(parser.flush())]
  return texts.map((text, at) => ({ id: at + 1, text })).filter(({ text }) => text !== '')
}

/** The program of the pages that has this line, with changes. */
async function program(line, ...changes) {
  const [, found] = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([whole, code]) => [whole, code]).find(([, code]) => code.includes(line)) ?? assert.fail(line)
  let code = found
  for (const [from, to] of changes) {
    assert.ok(code.includes(from), from)
    code = code.replace(from, to)
  }
  const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'resumable-'))
  try {
    const file = join(folder, 'program.mjs')
    writeFileSync(file, transpiled(code))
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A model that fails after some chunks, `failures` times in all. */
function failing(failures) {
  const left = { failures }
  const model = async function* (from) {
    let until = left.failures > 0 ? 1 + next(40) : Infinity
    for (const chunk of chunks.slice(from - 1)) {
      if (until-- === 0) {
        left.failures -= 1
        throw new Error('the process is gone')
      }
      yield chunk
    }
  }
  return { model, left }
}

/** Calls again until it doesn't throw. */
async function again(act, left) {
  for (;;) {
    const failures = left.failures
    try {
      return await act()
    } catch (error) {
      assert.equal(error.message, 'the process is gone', `SEED=${seed}: ${error.stack}`)
      assert.equal(left.failures, failures - 1)
    }
  }
}

async function all(stream) {
  const texts = []
  for await (const text of stream) texts.push(text)
  return texts
}

describe(`docs/resumable-streams.md, SEED=${seed}`, () => {
  let started

  before(async () => {
    started = await startRedis()
    process.env.REDIS_URL = started.url
  })

  after(() => started?.stop())

  test('a server with Redis', async () => {
    const { readInto, eventsAfter, redis } = await program('export async function readInto', ['const redis =', 'export const redis ='])
    try {
      const { model, left } = failing(8)
      assert.equal(await again(() => readInto('one', model), left), true)
      assert.equal(left.failures, 0)
      const shown = (await all(visibleText(chunks))).join('')
      for (const has of [0, 1 + next(shown.length - 1), shown.length]) {
        const events = (await all(eventsAfter('one', has))).map((event) => /^(?:(event: end)\ndata:|id: (\d+)\ndata: (.*))\n\n$/.exec(event))
        assert.deepEqual(events.flatMap(([, end], at) => (end ? [at] : [])), [events.length - 1], 'one end, at the end')
        let length = has
        for (const [, , id, data] of events.slice(0, -1)) {
          const text = JSON.parse(data)
          assert.deepEqual([shown.slice(length, Number(id)), text.length], [text, Number(id) - length], `SEED=${seed}: after ${has}`)
          length = Number(id)
        }
        assert.equal(length, shown.length)
      }
      assert.equal(await readInto('one', model), false, 'it has ended')
      await assertOneWriter(readInto, redis)
    } finally {
      redis.destroy()
    }
  })

  /** A server that another one has overtaken, at some chunk, stores nothing more. */
  async function assertOneWriter(readInto, redis) {
    const [model, stopAt] = [failing(0).model, 1 + next(chunks.length)]
    const overtaken = readInto('two', async function* (from) {
      for await (const chunk of model(from)) {
        if (from++ === stopAt) assert.equal(await readInto('two', model), true)
        yield chunk
      }
    })
    await assert.rejects(overtaken, /equal or smaller/, `SEED=${seed}`)
    const stored = await redis.xRange('reply:two', '-', '+')
    assert.deepEqual(stored.map(({ message }) => message.text), [...chunks, undefined])
  }

  test('Cloudflare Durable Objects', async () => {
    const { ReplyObject } = await program('export class ReplyObject')
    const stored = new Map()
    let alarms = 0
    const storage = {
      put: async (key, value) => void stored.set(key, structuredClone(value)),
      list: async ({ prefix }) => new Map([...stored].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1))),
      setAlarm: async () => void (alarms += 1),
    }
    const { model, left } = failing(8)
    const object = () => new ReplyObject({ storage }, { model })
    const texts = async (last) => (await object().fetch(new Request('https://reply.example', { headers: { 'last-event-id': String(last) } }))).json()
    assert.deepEqual([await texts(0), alarms], [{ text: '', id: 0 }, 1])
    await again(() => object().alarm(), left)
    assert.equal(left.failures, 0)
    // An alarm may run again after all is done.
    await object().alarm()
    assert.deepEqual([await texts(0), await texts(5), alarms], [{ text: whole, id: whole.length }, { text: whole.slice(5), id: whole.length }, 1])
  })

  test('Temporal, whose heartbeats are throttled', async () => {
    const { createActivities } = await program('export const createActivities')
    const { model, left } = failing(8)
    const shown = new Map()
    const show = async (id, chunk, text) => {
      assert.equal(id, 'workflow/1')
      assert.equal(shown.get(chunk) ?? text, text)
      if (text !== '') shown.set(chunk, text)
    }
    const { readReply } = createActivities((_, from) => model(from), show)
    let recorded
    let beats = 0
    let latest = 0
    let old = 0
    const attempt = () => {
      if ((recorded?.chunk ?? 0) < latest) old += 1
      const info = { activityId: '1', workflowExecution: { workflowId: 'workflow', runId: '1' }, heartbeatDetails: recorded }
      const heartbeat = (details) => {
        beats += 1
        latest = details.chunk
        if (beats % 7 === 0) recorded = JSON.parse(JSON.stringify(details))
      }
      return asyncLocalStorage.run(new Context(info, new Promise(() => {}), new AbortController().signal, heartbeat), () => readReply('Hello'))
    }
    assert.deepEqual(await again(attempt, left), { chunks: chunks.length + 1 })
    assert.equal(left.failures, 0)
    assert.ok(old > 0, 'no heartbeat was old')
    assert.deepEqual([...shown].map(([id, text]) => ({ id, text })).sort((a, b) => a.id - b.id), expected)
  })

  /** Runs with clients that end; the page's programs let the package make its own. */
  async function withClients(line, act) {
    const clients = await Promise.all([0, 1].map(() => createClient({ url: started.url }).connect()))
    globalThis.resumableClients = { publisher: clients[0], subscriber: clients[1] }
    try {
      await act(await program(line, ['{ waitUntil: null }', '{ waitUntil: null, ...globalThis.resumableClients }'], ['const streams =', 'export const streams =']))
    } finally {
      await Promise.all(clients.map((client) => client.close()))
    }
  }

  test('the AI SDK: a reader who comes later gets the parsed stream', () =>
    withClients('export function post', async ({ post, streams }) => {
      const text = 'Look. <tool_call>{"name": "find", "arguments": {"q": "a < b"}}</tool_call>'
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const parts = [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: '1' }, ...text.match(/.{1,4}/g).map((delta) => ({ type: 'text-delta', id: '1', delta })), { type: 'text-end', id: '1' }, { type: 'finish', finishReason: { unified: 'stop' }, usage }]
      const model = new MockLanguageModelV3({ doStream: { stream: simulateReadableStream({ chunks: parts, initialDelayInMs: 20, chunkDelayInMs: 10 }) } })
      const response = post(wrapLanguageModel({ model, middleware: hermesToolMiddleware }), { find: tool({ inputSchema: z.object({ q: z.string() }) }) }, 'Find it.', 'one')
      const sent = response.text()
      let resumed
      while (!(resumed = await streams.resumeExistingStream('one'))) await wait(1)
      assert.equal((await all(resumed)).join(''), await sent)
      assert.match(await sent, /"type":"tool-input-available",.*"toolName":"find","input":{"q":"a < b"}/)
      assert.doesNotMatch(await sent, /tool_call>/)
    }))
})
