// examples/sse-filter.mjs between well-behaved and misbehaving servers and readers.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createFilter } from '../../../examples/sse-filter.mjs'
import { run, until } from './running.mjs'

async function listen(t, server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${server.address().port}`
}

/** The filter for a model with these answers; returns the filter's URL. */
async function filtered(t, answer) {
  return `${await listen(t, createFilter(`${await listen(t, createServer(answer))}/v1`))}/v1/chat/completions`
}

const post = (address, options) => fetch(address, { method: 'POST', body: '{"stream":true}', ...options })

/** A model that sends these as data, and ends. */
function sending(...all) {
  return (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (const data of all) response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
    response.end()
  }
}

const piece = (content, more) => ({ id: 'c1', model: 'm', choices: [{ index: 0, delta: { content, ...more }, finish_reason: null }] })
const stop = { id: 'c1', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

/** The events of a reply: their data, with the event's name if it has one. */
async function eventsOf(reply) {
  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('content-type'), /^text\/event-stream/)
  return (await reply.text()).split('\n\n').filter(Boolean).map((text) => {
    const [, name, data] = /^(?:event: (.*)\n)?data: (.*)$/.exec(text) ?? assert.fail(text)
    const value = data === '[DONE]' ? data : JSON.parse(data)
    return name ? { [name]: value.error } : value
  })
}

test('the output: visible text passes while the model still writes', () => {
  const { status, stdout, stderr } = run('sse-filter.mjs')
  assert.deepEqual([status, stderr], [0, ''])
  const lines = stdout.trimEnd().split('\n')
  assert.deepEqual(lines.filter((line) => line.startsWith('reader')).map((line) => line.slice(8)), ['"assistant"', '"Let me"', '" look. "', '"It is"', '" <b>true</b>"', '". "', '"Noted, 5 "', '"< 7."', '"stop"', '[DONE]'])
  assert.equal(lines.filter((line) => line.startsWith('model')).length, 10)
  assert.ok(lines.indexOf('reader  "Let me"') < lines.indexOf('model   " for 5 < 7.</thi"'), stdout)
})

describe('events', () => {
  test('keep their position, id and name; hidden text is removed', async (t) => {
    const events = await eventsOf(await post(await filtered(t, sending(
      { id: 'c1', model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
      { id: 'c1', model: 'm', choices: [{ index: 0, delta: { reasoning_content: 'secret' }, finish_reason: null }] },
      piece('Hi <think>sec'), piece('ret</think>'), piece('you', { tool_calls: [{ index: 0, function: { arguments: 'secret' } }] }),
      stop, { id: 'c1', model: 'm', choices: [], usage: { total_tokens: 9 } }, '[DONE]',
    ))))
    assert.deepEqual(events, [
      { id: 'c1', model: 'm', choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] },
      piece('Hi '), piece('you'), stop,
      { id: 'c1', model: 'm', choices: [], usage: { total_tokens: 9 } }, '[DONE]',
    ])
  })

  test('choices are parsed separately, and a refusal is visible', async (t) => {
    const both = (first, second, finish_reason = null) => ({ choices: [{ index: 0, delta: first, finish_reason }, { index: 1, delta: second, finish_reason }] })
    const events = await eventsOf(await post(await filtered(t, sending(
      both({ content: 'a<thin' }, { content: 'b</thinking>' }), both({ content: 'king>x' }, { refusal: 'no' }), both({}, {}, 'stop'), '[DONE]',
    ))))
    assert.deepEqual(events, [both({ content: 'a' }, { content: 'b' }), both({}, { refusal: 'no' }), both({}, {}, 'stop'), '[DONE]'])
  })

  test('pending text is emitted before the end: with finish_reason, and without', async (t) => {
    assert.deepEqual(await eventsOf(await post(await filtered(t, sending(piece('5 <'), stop, '[DONE]')))), [piece('5 '), { ...stop, choices: [{ ...stop.choices[0], delta: { content: '<' } }] }, '[DONE]'])
    assert.deepEqual(await eventsOf(await post(await filtered(t, sending(piece('5 <thin'), '[DONE]')))), [piece('5 '), piece('<thin'), '[DONE]'])
  })

  test('the request is passed on unchanged', async (t) => {
    const asked = []
    const address = await filtered(t, async (request, response) => {
      let body = ''
      for await (const text of request.setEncoding('utf8')) body += text
      asked.push([request.method, request.url, request.headers.authorization, request.headers['content-type'], body])
      sending('[DONE]')(request, response)
    })
    await (await post(address, { body: '{"model":"ü","stream":true}', headers: { authorization: 'Bearer key' } })).text()
    assert.deepEqual(asked, [['POST', '/v1/chat/completions', 'Bearer key', 'application/json', '{"model":"ü","stream":true}']])
  })
})

describe('errors of the model', () => {
  for (const [what, sent, message] of [
    ['a stream that ends early', [], 'the stream ended before [DONE]'],
    ['an error of the model', [{ error: { message: 'overloaded' } }, piece('lost')], 'overloaded'],
    ['data that is not JSON', ['{nonsense'], /JSON/],
    ['a connection that breaks', undefined, 'terminated'],
  ]) {
    test(what, async (t) => {
      const breaking = async (request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${JSON.stringify(piece('Hi'))}\n\n`)
        await wait(50)
        response.destroy()
      }
      const [first, { error }, ...rest] = await eventsOf(await post(await filtered(t, sent ? sending(piece('Hi'), ...sent) : breaking)))
      assert.deepEqual([first, error.type, rest], [piece('Hi'), 'upstream_error', []])
      if (typeof message === 'string') assert.equal(error.message, message)
      else assert.match(error.message, message)
    })
  }

  test('an error response passes unchanged', async (t) => {
    const reply = await post(await filtered(t, (request, response) => response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"slow down"}}')))
    assert.deepEqual([reply.status, await reply.json()], [429, { error: { message: 'slow down' } }])
  })

  test('an answer that is not a stream is rejected', async (t) => {
    const reply = await post(await filtered(t, (request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[{"message":{"content":"<thinking>secret</thinking>"}}]}')))
    assert.deepEqual([reply.status, await reply.json()], [502, { error: { type: 'upstream_error', message: 'it sent no event stream; request one with "stream": true' } }])
  })

  test('an unreachable model', async (t) => {
    const reply = await post(`${await listen(t, createFilter('http://127.0.0.1:1/v1'))}/v1/chat/completions`)
    assert.equal(reply.status, 502)
    assert.equal((await reply.json()).error.type, 'upstream_error')
  })

  test('another path', async (t) => {
    const filter = await listen(t, createFilter('http://127.0.0.1:1'))
    assert.deepEqual([(await fetch(filter)).status, (await post(`${filter}/v1/models`)).status], [404, 404])
  })
})

describe('readers', () => {
  /** A model that writes endlessly, as fast as it is read. */
  function endless(state) {
    return (request, response) => {
      response.once('close', () => (state.closed = true))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const data = `data: ${JSON.stringify(piece('x'.repeat(60_000)))}\n\n`
      async function* all() {
        for (;;) {
          state.sent += data.length
          yield data
        }
      }
      // It ends when the filter leaves.
      pipeline(all, response).catch(() => {})
    }
  }

  test('a slow reader slows down the model', async (t) => {
    const state = { sent: 0, closed: false }
    const address = await filtered(t, endless(state))
    const [reply] = await once(ask(address, { method: 'POST' }).end('{}'), 'response')
    reply.pause()
    // The buffers between the four fill up, and then nothing is written for half a second.
    let before = 0
    let turns = 0
    await until('the model rests', () => {
      turns = state.sent > 0 && state.sent === before ? turns + 1 : 0
      before = state.sent
      return turns === 20
    })
    let read = 0
    reply.on('data', (chunk) => (read += chunk.length)).resume()
    await until('it goes on when the reader does', () => state.sent > 2 * before && read > before)
    reply.destroy()
    await until('and stops with the reader', () => state.closed)
  })

  for (const [when, answer] of [
    ['between two events', (response) => response.write(`data: ${JSON.stringify(piece('Hi'))}\n\n`)],
    ['while the model thinks', (response) => response.write(`data: ${JSON.stringify(piece('<thinking>hm'))}\n\n`)],
    ['before the first event', (response) => response.flushHeaders()],
    ['before the model answers', undefined],
  ]) {
    test(`a reader who leaves ${when} stops the model`, async (t) => {
      const state = { open: 0, closed: 0 }
      const address = await filtered(t, (request, response) => {
        state.open += 1
        response.once('close', () => (state.closed += 1))
        answer?.(response.setHeader('content-type', 'text/event-stream'))
      })
      const reader = new AbortController()
      const asked = post(address, { signal: reader.signal })
      const text = answer ? (await asked).text() : asked
      await until('the model is asked', () => state.open === 1)
      assert.equal(state.closed, 0)
      reader.abort()
      await assert.rejects(text, { name: 'AbortError' })
      await until('the model is stopped', () => state.closed === 1)
    })
  }
})
