// Every async reader: `signal` ends it with its reason, and `return()` ends one that waits.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StreamingJSONParser, parseFields } from 'tokenweir/fields'
import { StreamingParser, parseSegments } from 'tokenweir/segments'
import { visibleText } from 'tokenweir'

/** The readers, each with the name that its errors begin with. */
const readers = {
  visibleText: (source, options) => visibleText(source, options),
  parseFields: (source, options) => parseFields(source, null, options),
  'StreamingJSONParser.parseStream': (source, options) => new StreamingJSONParser().parseStream(source, options),
  'StreamingParser.parseStream': (source, options) => new StreamingParser().parseStream(source, options),
  parseSegments: (source, options) => parseSegments(source, options),
}

const TEXT = '{"a": 1} and more '

/** Sources that give one chunk and then nothing, and whether they were stopped. */
const sources = {
  'an async generator': () => {
    const seen = { stopped: false }
    const source = (async function* () {
      yield TEXT
      await new Promise(() => undefined)
    })()
    const { return: stop } = source
    source.return = (value) => {
      seen.stopped = true
      return stop.call(source, value)
    }
    return { source, seen }
  },
  'a ReadableStream': () => {
    const seen = { stopped: false }
    const source = new ReadableStream({
      start: (controller) => controller.enqueue(TEXT),
      cancel: () => {
        seen.stopped = true
      },
    })
    return { source, seen }
  },
}

/** Fails instead of hanging. */
function soon(promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), 2_000)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Reads until an event doesn't come immediately; gives the one that is waited for. */
async function waiting(reader) {
  for (;;) {
    const next = reader.next()
    const isLate = await Promise.race([next.then(() => false), new Promise((resolve) => setTimeout(resolve, 20, true))])
    // In an object, since a promise would be waited for.
    if (isLate) return { next }
  }
}

for (const [name, read] of Object.entries(readers)) {
  for (const [kind, make] of Object.entries(sources)) {
    describe(`${name} of ${kind}`, () => {
      test('an abort rejects what waits with its reason, and stops the source', async () => {
        const { source, seen } = make()
        const stop = new AbortController()
        const reader = read(source, { signal: stop.signal })
        const { next } = await soon(waiting(reader))
        const reason = new Error('enough')
        stop.abort(reason)
        await assert.rejects(soon(next), reason)
        assert.ok(seen.stopped)
        await assert.rejects(soon(reader.next()), reason, 'and again')
        assert.deepEqual(await soon(reader.return()), { value: undefined, done: true })
        assert.deepEqual(await soon(reader.next()), { value: undefined, done: true })
      })

      test('an abort before the first event', async () => {
        const { source, seen } = make()
        await assert.rejects(soon(read(source, { signal: AbortSignal.abort('before') }).next()), (reason) => reason === 'before')
        assert.ok(seen.stopped)
      })

      test('an abort in a loop', async () => {
        const { source, seen } = make()
        const stop = new AbortController()
        const events = []
        await assert.rejects(async () => {
          for await (const event of read(source, { signal: stop.signal })) {
            events.push(event)
            stop.abort()
          }
        }, { name: 'AbortError' })
        assert.equal(events.length, 1)
        assert.ok(seen.stopped)
      })

      test('return() while next() waits stops the source and settles both', async () => {
        const { source, seen } = make()
        const reader = read(source)
        const { next } = await soon(waiting(reader))
        const done = { value: undefined, done: true }
        assert.deepEqual(await soon(Promise.all([reader.return(), next])), [done, done])
        assert.ok(seen.stopped)
        assert.deepEqual(await reader.next(), done)
      })
    })
  }

  for (const [end, last] of [['abort', 'enough'], ['return', 'done']]) {
    test(`${name}: ${end} by the source itself, as it is asked for more`, async () => {
      const stop = new AbortController()
      const asked = [() => ({ value: TEXT }), () => (end === 'abort' ? stop.abort('enough') : reader.return(), new Promise(() => undefined))]
      const reader = read({ [Symbol.asyncIterator]: () => ({ next: async () => asked.shift()() }) }, { signal: stop.signal })
      const over = async () => ((await reader.next()).done ? 'done' : over())
      assert.equal(await soon(over().catch((reason) => reason)), last)
    })
  }

  test(`${name}: after the end an abort changes nothing, and the signal is let go`, async () => {
    const stop = new AbortController()
    let listeners = 0
    const { signal } = stop
    for (const [method, by] of [['addEventListener', 1], ['removeEventListener', -1]]) {
      signal[method] = (...args) => {
        listeners += by
        return EventTarget.prototype[method].apply(signal, args)
      }
    }
    const reader = read([TEXT], { signal })
    assert.equal(listeners, 1)
    while (!(await reader.next()).done);
    assert.equal(listeners, 0)
    stop.abort()
    assert.deepEqual(await reader.next(), { value: undefined, done: true })
  })

  test(`${name}: what is not a signal is refused`, () => {
    assert.throws(() => read([''], { signal: 1 }), { name: 'TypeError', message: `${name}.signal must be an AbortSignal, but is number 1` })
    assert.throws(() => read([''], { sgnal: 1 }), { name: 'TypeError', message: /no option "sgnal"/ })
  })
}

test('result() rejects with the reason', async () => {
  const { source } = sources['an async generator']()
  await assert.rejects(soon(parseFields(source, null, { signal: AbortSignal.timeout(10) }).result()), { name: 'TimeoutError' })
})
