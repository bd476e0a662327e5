// examples/resumable: servers that are killed, suspended and replaced while they read, and
// readers that connect again. Whatever happens, the log has each chunk once, and each reader
// gets all of it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { kill } from 'node:process'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { createClient } from 'redis'
import { BlockParser } from 'tokenweir/blocks'
import { chunksOf, createModel, replies } from '../../../examples/resumable/model.mjs'
import { startRedis } from '../../../examples/resumable/redis.mjs'
import { StreamStore } from '../../../examples/resumable/store.mjs'
import { random } from '../support/cuts.mjs'
import { open, run, serve, served, until } from './running.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const LEASE = 400

let started
let model
let redis

before(async () => {
  started = await startRedis({ restartAfter: 100 })
  // It connects again when Redis was killed.
  redis = await createClient({ url: started.url, socket: { reconnectStrategy: 50 } }).on('error', () => {}).connect()
  model = createModel().listen(0, '127.0.0.1')
  await once(model, 'listening')
})

after(async () => {
  redis?.destroy()
  model?.closeAllConnections()
  model?.close()
  await started?.stop()
})

function startServer() {
  const env = { REDIS_URL: started.url, MODEL_URL: `http://127.0.0.1:${model.address().port}`, LEASE: String(LEASE) }
  return serve(['resumable/server.mjs'], { env })
}

/** What the log has of a reply that nothing interrupts. */
function uninterrupted({ reply, size }) {
  const parser = new BlockParser()
  const visible = ({ emissions }) => emissions.map(({ kind, text, meta }) => (kind === 'content' && meta.visible ? text : '')).join('')
  const chunks = chunksOf(reply, size).map((text, at) => ({ chunk: at + 1, text: visible(parser.processChunk(text)) }))
  return [...chunks.filter(({ text }) => text !== ''), { chunk: chunks.length + 1, text: visible(parser.flush()) }]
}

const textOf = (events) => events.map(({ text }) => text).join('')

async function begin(address, request) {
  const response = await fetch(`${address}/streams`, { method: 'POST', body: JSON.stringify(request) })
  assert.equal(response.status, 201)
  return (await response.json()).id
}

/** The log of a stream, with the server that appended each entry. */
async function logOf(id) {
  const entries = await redis.xRange(`stream:{${id}}:log`, '-', '+')
  return entries.map(({ id, message: { text, by } }) => ({ chunk: Number.parseInt(id), text, by: Number(by) }))
}

const withoutServers = (log) => log.map(({ chunk, text }) => ({ chunk, text }))

/** Reads a stream to its end, from any server; connects again when the connection is lost, and sometimes leaves. */
async function follow(id, addresses, leaves = () => false) {
  const events = []
  const late = AbortSignal.timeout(100_000)
  for (let connections = 0; ; connections += 1) {
    const last = events.at(-1)?.chunk
    assert.ok(!late.aborted, `stream ${id} stays open after chunk ${last}`)
    try {
      const headers = last === undefined ? {} : { 'last-event-id': String(last) }
      const response = await fetch(`${addresses()[connections % addresses().length]}/streams/${id}`, { headers, signal: late })
      if (response.status !== 200) throw new Error(`status ${response.status}`)
      for await (const { id, event, data } of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
        events.push({ chunk: Number(id), text: JSON.parse(data).text })
        if (event === 'end') return { events, connections }
        if (leaves()) break
      }
    } catch (error) {
      // The server was killed, or isn't there yet.
      if (error.message.startsWith('status')) throw error
    }
    await wait(20)
  }
}

describe('the store', () => {
  const request = { reply: 'anthropic-text', size: 3, pace: 0 }
  const store = (by, lease = 60_000) => new StreamStore(redis, { by, lease })

  test('a stream is claimed by one server', async () => {
    await store('A').create('one', request)
    const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => store(`S${at}`).claim('one')))
    assert.deepEqual(claims.filter(Boolean), [{ id: 'one', fence: '1', chunk: 0, snapshot: undefined, request }])
    assert.equal(await store('A').claim('none'), undefined)
  })

  test('a chunk is stored once, and none is left out', async () => {
    await store('A').create('chunks', request)
    const claim = await store('A').claim('chunks')
    const commit = (chunk) => store('A').commit(claim, { chunk, text: `${chunk}`, snapshot: { chunk } })
    assert.deepEqual([await commit(1), await commit(1), await commit(3), await commit(2)], [true, true, false, true], 'the second time it is there')
    assert.deepEqual(withoutServers(await logOf('chunks')), [{ chunk: 1, text: '1' }, { chunk: 2, text: '2' }])
    assert.equal(await store('A').end(claim, { chunk: 4, text: '' }), false)
    assert.equal(await store('A').end(claim, { chunk: 3, text: '' }), true)
    assert.equal(await store('A').end(claim, { chunk: 3, text: '' }), true, 'sent again, as its answer may be lost')
    await store('A').create('chunks', request)
    assert.equal((await logOf('chunks')).length, 3)
    assert.equal(await store('B').claim('chunks'), undefined)
    assert.ok(!(await store('A').open()).includes('chunks'))
  })

  test('a claim that is over stores nothing, even if its chunk is the next one', async () => {
    await store('A', 1).create('fence', request)
    const old = await store('A', 1).claim('fence')
    await store('A', 1).commit(old, { chunk: 1, text: 'a', snapshot: { after: 1 } })
    await wait(20)
    const claim = await store('B').claim('fence')
    assert.deepEqual([claim.fence, claim.chunk, claim.snapshot], ['2', 1, { after: 1 }])
    assert.equal(await store('A').commit(old, { chunk: 2, text: 'late', snapshot: {} }), false)
    assert.equal(await store('A').end(old, { chunk: 2, text: 'late' }), false)
    assert.equal(await store('A').renew(old), false)
    assert.equal(await store('B').commit(claim, { chunk: 2, text: 'b', snapshot: {} }), true)
    assert.equal(textOf(await logOf('fence')), 'ab')
  })

  test('a silent model does not cost the claim', async () => {
    await store('A').create('silent', request)
    const claim = await store('A', 200).claim('silent')
    for (let turn = 0; turn < 6; turn += 1) {
      await wait(50)
      assert.equal(await store('A', 200).renew(claim), true)
      assert.equal(await store('B').claim('silent'), undefined)
    }
  })
})

describe('servers', () => {
  const servers = []
  const addresses = () => servers.map(({ address }) => address)

  before(async () => servers.push(...(await Promise.all([startServer(), startServer()]))))

  after(() => Promise.all(servers.map((server) => server.stop('SIGKILL'))))

  /** Replies that take long enough for all to be killed meanwhile; `kill(number, next)` does it until all are read, or often enough. */
  async function interrupted(t, count, most, kill) {
    t.diagnostic(`SEED=${seed}`)
    const next = random(seed)
    const streams = await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const request = { reply: at % 2 === 0 ? 'all' : replies[next(replies.length)], size: 4 + next(12) }
        request.pace = Math.ceil((3000 + next(1000)) / chunksOf(request.reply, request.size).length)
        return { id: await begin(addresses()[at % 2], request), request }
      }),
    )
    let done = false
    const killing = (async () => {
      const restarts = []
      let kills = 0
      for (; !done && kills < most; kills += 1) await kill(kills, next, restarts)
      await Promise.all(restarts)
      return kills
    })()
    const reading = await Promise.allSettled(streams.map(({ id }) => follow(id, addresses, () => next(50) === 0)))
    done = true
    const kills = await killing
    for (const [at, stream] of streams.entries()) {
      stream.where = `SEED=${seed}, stream ${at}, ${JSON.stringify(stream.request)}`
      const { value, reason } = reading[at]
      const expected = uninterrupted(stream.request)
      assert.deepEqual(withoutServers(await logOf(stream.id)), expected, stream.where)
      assert.deepEqual((value ?? assert.fail(`${stream.where}: ${reason.message}`)).events, expected, stream.where)
    }
    t.diagnostic(`${kills} kills; readers connected again ${reading.reduce((sum, { value }) => sum + value.connections, 0)} times`)
    return { streams, kills }
  }

  test('50 streams, whose servers are killed at random places', async (t) => {
    const { streams } = await interrupted(t, 50, 8, async (kills, next, restarts) => {
      const place = kills % 2
      await restarts[place]
      await wait(100 + next(700))
      await servers[place].stop('SIGKILL')
      restarts[place] = wait(next(300)).then(async () => (servers[place] = await startServer()))
    })
    for (const { id, where } of streams) assert.ok(Number(await redis.hGet(`stream:{${id}}`, 'fence')) > 1, `${where}: it was never interrupted`)
    const open = await redis.sMembers('streams')
    assert.deepEqual(streams.filter(({ id }) => open.includes(id)), [])
  })

  test('Redis itself is killed at random moments, and servers too', async (t) => {
    const { kills } = await interrupted(t, 12, 6, async (kills, next) => {
      await wait(100 + next(500))
      await started.kill()
      if (kills % 3 !== 2) return
      // A server too, while there is no Redis.
      await servers[kills % 2].stop('SIGKILL')
      servers[kills % 2] = await startServer()
    })
    assert.ok(kills >= 4, `${kills} kills`)
  })

  test('a suspended server that wakes up appends nothing to a stream that another one has taken over', async () => {
    const request = { reply: 'anthropic-text', size: 2, pace: 8 }
    const id = await begin(servers[0].address, request)
    const appended = async () => (await logOf(id)).map(({ by }) => by)
    // Mostly the server that was asked, but the other one may look for open streams before that one claims it.
    await until('a server reads', async () => (await appended()).length > 0)
    const [reads] = await appended()
    const first = servers.find(({ pid }) => pid === reads)
    const second = servers.find(({ pid }) => pid !== reads)
    kill(first.pid, 'SIGSTOP')
    try {
      await until('the second one takes over', async () => (await appended()).includes(second.pid))
    } finally {
      kill(first.pid, 'SIGCONT')
    }
    const { events } = await follow(id, addresses)
    assert.deepEqual(events, uninterrupted(request))
    const log = await logOf(id)
    assert.deepEqual(withoutServers(log), uninterrupted(request))
    const turns = log.map(({ by }) => by).filter((pid, at, all) => pid !== all[at - 1])
    assert.deepEqual(turns.slice(0, 2), [first.pid, second.pid])
    // On a busy machine a server may lose its lease again; then another one claims the stream.
    const claims = Number(await redis.hGet(`stream:{${id}}`, 'fence'))
    assert.ok(turns.length <= claims, `${turns} append, after ${claims} claims`)
  })

  test('a snapshot of another version of the package: the reply is read again, and nothing is appended twice', async () => {
    const request = { reply: 'all', size: 5, pace: 0 }
    const chunk = 150
    const parser = new BlockParser()
    for (const text of chunksOf(request.reply, request.size).slice(0, chunk)) parser.processChunk(text)
    const snapshot = { ...parser.snapshot({ keepText: false }), engine: 'another' }
    for (const { chunk: number, text } of uninterrupted(request)) if (number <= chunk) await redis.xAdd('stream:{version}:log', `${number}-0`, { text, by: '1' })
    await redis.hSet('stream:{version}', { request: JSON.stringify(request), chunk, snapshot: JSON.stringify(snapshot) })
    await redis.sAdd('streams', 'version')
    assert.deepEqual((await follow('version', addresses)).events, uninterrupted(request))
    assert.deepEqual(withoutServers(await logOf('version')), uninterrupted(request))
  })

  test('a reader of a stream that has ended, or that is not there', async () => {
    const request = { reply: 'anthropic-thinking', size: 20, pace: 0 }
    const id = await begin(servers[0].address, request)
    const { events } = await follow(id, addresses)
    assert.equal(textOf(events), 'The letter \'r\' appears 3 times in the word "strawberry".')
    const get = async (path, last) => (await fetch(`${servers[1].address}${path}`, { headers: { 'last-event-id': last } })).status
    assert.deepEqual([await get(`/streams/${id}`, events.at(-1).chunk), await get('/streams/none', 0), await get(`/streams/${id}`, 'x'), await get('/other', 0)], [204, 404, 400, 404])
    assert.equal((await fetch(`${servers[1].address}/streams`, { method: 'POST', body: '{"reply":"none"}' })).status, 400)
    // From the middle.
    const response = await fetch(`${servers[1].address}/streams/${id}`, { headers: { 'last-event-id': events.at(-3).chunk } })
    assert.deepEqual([...(await response.text()).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)), events.slice(-2).map(({ chunk }) => chunk))
  })
})

describe('serve.mjs resumable', () => {
  const examples = served(['resumable'], { env: { LEASE: String(LEASE) } })

  test('a browser shows the text without a gap or a repetition, although servers are killed', async (t) => {
    t.diagnostic(`SEED=${seed}`)
    const next = random(seed)
    const { page, complaints } = await open(examples.browser, examples.server.address)
    const request = { reply: 'anthropic-text', size: 2, pace: 20 }
    await page.route('**/streams', (route) => route.continue({ postData: JSON.stringify(request) }))
    const expected = textOf(uninterrupted(request))
    await page.evaluate(() => {
      globalThis.seen = []
      const output = document.querySelector('#visible')
      new MutationObserver(() => seen.push(output.textContent)).observe(output, { childList: true })
    })
    await page.click('#ask')
    for (const length of [20 + next(150), 300 + next(200)]) {
      await page.waitForFunction((length) => document.querySelector('#visible').textContent.length >= length, length)
      await page.click('#kill')
    }
    await page.waitForFunction(() => document.querySelector('#status').textContent === 'Done.')
    assert.equal(await page.textContent('#visible'), expected)
    for (const text of await page.evaluate(() => seen)) assert.ok(expected.startsWith(text), text)
    const readBy = await page.locator('#servers li').count()
    assert.ok(readBy >= 2, `${readBy} servers`)
    // The connections that broke; the page says so, and connects again.
    assert.deepEqual(complaints.filter((complaint) => !/net::ERR_(INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_RESET)/.test(complaint)), [])

    await page.reload()
    await page.waitForFunction(() => document.querySelector('#status').textContent === 'Done.')
    assert.equal(await page.textContent('#visible'), expected, 'loaded again')
    await page.close()
  })

  test('another example, and no Redis', () => {
    assert.deepEqual(run('serve.mjs', ['nothing']).status, 2)
    const { status, stderr } = run('serve.mjs', ['resumable', '--port', '0'], { env: { REDIS_SERVER: '/no/such/program' } })
    assert.equal(status, 1)
    assert.match(stderr, /^redis-server could not be started \(ENOENT\)\. Install it .+ apt-get install redis-server/)
  })
})
