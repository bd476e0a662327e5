// The programs of docs/resumable-streams.md, whose model fails at a random chunk until the reply is whole.
// Redis is real; Cloudflare's storage and Temporal's heartbeats are the few functions that the programs call.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Context, asyncLocalStorage } from '@temporalio/activity'
import { simulateReadableStream, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createClient } from 'redis'
import ts from 'typescript'
import { z } from 'zod'
import { BlockParser } from 'tokenweir/blocks'
import { chunksOf } from '../../../examples/resumable/model.mjs'
import { startRedis } from '../../../examples/resumable/redis.mjs'
import { random } from '../support/cuts.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const next = random(seed)
const page = readFileSync(new URL('../../../docs/resumable-streams.md', import.meta.url), 'utf8')
const chunks = chunksOf('all', 7)
const expected = uninterrupted()

function uninterrupted() {
  const parser = new BlockParser()
  const visible = ({ emissions }) => emissions.map(({ kind, text, meta }) => (kind === 'content' && meta.visible ? text : '')).join('')
  const texts = [...chunks.map((chunk) => visible(parser.processChunk(chunk))), visible(parser.flush())]
  return texts.map((text, at) => ({ id: at + 1, text })).filter(({ text }) => text !== '')
}

/** The program of the page that has this line, with changes. */
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
    writeFileSync(file, ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } }).outputText)
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
    const { readInto, eventsAfter, redis } = await program('export async function readInto', ["'2000'", "'50'"], ['const redis =', 'export const redis ='])
    try {
      const { model, left } = failing(8)
      let whole = false
      while (!whole) {
        whole = await again(() => readInto('one', model), left)
        if (!whole) await wait(10)
      }
      assert.equal(left.failures, 0)
      const events = []
      let ended = 0
      for await (const event of eventsAfter('one', expected[2].id)) {
        const [, end, id, data] = /^(event: end\n)?id: (\d+)\ndata: (.*)\n\n$/.exec(event)
        if (end) ended += 1
        // The end has a number of its own, and the text that was pending.
        if (!end || data !== '""') events.push({ id: Number(id), text: JSON.parse(data) })
      }
      assert.deepEqual([events, ended], [expected.slice(3), 1])
      assert.equal(await readInto('one', model), false, 'it has ended')
    } finally {
      redis.destroy()
    }
  })

  test('Cloudflare Durable Objects', async () => {
    const { ReplyObject } = await program('export class ReplyObject')
    const stored = new Map()
    let alarms = 0
    const storage = {
      get: async (key) => structuredClone(stored.get(key)),
      put: async (entries) => Object.entries(structuredClone(entries)).forEach(([key, value]) => stored.set(key, value)),
      list: async ({ prefix, startAfter }) => new Map([...stored].filter(([key]) => key.startsWith(prefix) && key > startAfter).sort(([a], [b]) => (a < b ? -1 : 1))),
      setAlarm: async () => void (alarms += 1),
    }
    const { model, left } = failing(8)
    const object = () => new ReplyObject({ storage }, { model })
    const texts = async (last) => (await object().fetch(new Request('https://reply.example', { headers: { 'last-event-id': String(last) } }))).json()
    assert.deepEqual([await texts(0), alarms], [[], 1])
    await again(() => object().alarm(), left)
    assert.equal(left.failures, 0)
    // An alarm may run again after all is done.
    await object().alarm()
    assert.deepEqual([await texts(0), await texts(expected[2].id), alarms], [expected, expected.slice(3), 1])
  })

  test('Temporal, whose heartbeats are throttled', async () => {
    const { createActivities } = await program('export const createActivities')
    const { model, left } = failing(8)
    const shown = new Map()
    const show = async (id, chunk, text) => {
      assert.equal(id, 'workflow/1')
      assert.equal(shown.get(chunk) ?? text, text)
      shown.set(chunk, text)
    }
    const { readReply } = createActivities({ model: (_, from) => model(from), show })
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
    withClients('export async function post', async ({ post, streams }) => {
      const text = 'Look. <tool_call>{"name": "find", "arguments": {"q": "a < b"}}</tool_call>'
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const parts = [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: '1' }, ...text.match(/.{1,4}/g).map((delta) => ({ type: 'text-delta', id: '1', delta })), { type: 'text-end', id: '1' }, { type: 'finish', finishReason: { unified: 'stop' }, usage }]
      const model = new MockLanguageModelV3({ doStream: { stream: simulateReadableStream({ chunks: parts, initialDelayInMs: 20, chunkDelayInMs: 10 }) } })
      let resumed
      const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Find it.' }] }]
      const response = await post(model, { find: tool({ inputSchema: z.object({ q: z.string() }) }) }, messages, async (streamId) => void (resumed = streams.resumeExistingStream(streamId).then((stream) => all(stream))))
      const sent = await response.text()
      assert.equal((await resumed).join(''), sent)
      assert.match(sent, /"type":"tool-input-available",.*"toolName":"find","input":{"q":"a < b"}/)
      assert.doesNotMatch(sent, /tool_call>/)
    }))

  test('resumable-stream: a reader who stops and goes on', () =>
    withClients('export async function readOn', async ({ readOn, streams }) => {
      let release
      const open = new Promise((resolve) => (release = resolve))
      const reply = async function* () {
        for (const chunk of chunks) {
          yield chunk
          await wait(1)
        }
        // A stream that has ended can't be resumed.
        await open
      }
      await streams.createNewResumableStream('one', () => ReadableStream.from(reply()))
      let place
      let text = ''
      for (const stopAt of [2 + next(40), 2 + next(40), 2 + next(40), 0]) {
        let saves = 0
        const reading = readOn('one', place, async (more, after) => {
          saves += 1
          text += more
          place = JSON.parse(JSON.stringify(after))
          if (saves === stopAt) throw new Error('the process is gone')
        })
        if (stopAt > 0) await assert.rejects(reading, { message: 'the process is gone' })
        else {
          await wait(50)
          release()
          await reading
        }
      }
      assert.equal(place.characters, chunks.join('').length)
      assert.equal(text, expected.map(({ text }) => text).join(''))
    }))
})
