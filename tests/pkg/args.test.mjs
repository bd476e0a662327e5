// `tokenweir/args`: what of a call's arguments is done, whatever the deltas are; and that nothing that is open counts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { ArgumentsReader, CutOffError, ParseError, SchemaError, parseStreaming } from 'tokenweir/args'
import { z } from 'zod'
import { naive } from './support/args-naive.mjs'
import { everyCut, pieces, random } from './support/cuts.mjs'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
console.log(`# SEED=${SEED}`)

const PATTERNS = ['', '*', '*.*', '*.*.*']

/** A reader that has a text, and its end if there is a reason. */
function after(text, reason, options) {
  const call = new ArgumentsReader(undefined, options)
  call.write(text)
  if (reason !== undefined) call.end(reason)
  return call
}

/** All that a reader says of a text in pieces: texts joined, faults, the end. */
function saidOf(chunks, { reason, options } = {}) {
  const call = new ArgumentsReader(undefined, options)
  const log = []
  const texts = new Map()
  // As an escape without its other half: JSON.parse takes it.
  const hasHalves = /\\u[dD][89a-fA-F]/.test(chunks.join(''))
  for (const pattern of PATTERNS) {
    call.onText(pattern, (delta, path) => {
      assert.notEqual(delta, '')
      assert.ok(hasHalves || delta.isWellFormed(), 'no half of a character')
      const key = JSON.stringify(path)
      texts.set(key, (texts.get(key) ?? '') + delta)
    })
    call.onDone(pattern, (value, path) => {
      const key = JSON.stringify(path)
      if (typeof value === 'string') assert.equal(texts.get(key) ?? '', value, 'its text came before')
      log.push([key, JSON.stringify(value)])
    })
  }
  call.onFault((fault) => log.push(['fault', fault]))
  for (const chunk of chunks) call.write(chunk)
  call.end(reason)
  return { log, texts: [...texts], status: call.status, partial: JSON.stringify(call.partial()), tolerated: call.tolerated, length: call.length }
}

const NESTED = '{"path": "a\\tb\\u00e9\\ud83d\\ude00.txt", "n": -12.50e2, "edits": [{"old": "x", "k": [true, null, {}]}, []], "": "", "__proto__": {"a": 1}, "big": 12345678901234567890}'

const TEXTS = [
  NESTED,
  ' [ 1 , 2 ]\n',
  '"a \\" b"',
  'true',
  '-0.5 ',
  '{"a": {"b": {"c": {"d": "deep"}}}}',
  '{"keywords": Dave, "a": 1}',
  '{"a":1,"a":2}',
  '{"a\\u0062": 1, "\\u0061b": 2}',
  '{"a": }',
  '["\\q"]',
  '["\\ud83d x", "\\ud83d\\n", "\\ude00"]',
  '{"a": "x\ny"}',
  '{"a": 1}{"b": 2}',
  '{"a": 1} and more',
  '[1 2]',
  '{"a" 1}',
  '[01]',
  '[1.e5]',
  '[tru]',
  '[nul',
  '{"a": 12',
  '{"a": "/etc/pass',
  '{"a": [{"b": "😀',
  '',
  ' \n',
  '12',
  '😀',
]

describe('wherever the text is cut', () => {
  for (const text of TEXTS)
    test(JSON.stringify(text), () => {
      for (const reason of [undefined, 'stop']) {
        const whole = saidOf([text], { reason })
        for (const [name, chunks] of everyCut(text, SEED, { two: 80 })) assert.deepEqual(saidOf(chunks, { reason }), whole, name)
      }
    })

  test('random documents, and what is wrong with them', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', '\\', '0', '\u0001', 'x', '-'), fc.nat(), (json, at, added, seed) => {
        const place = at % (json.length + 1)
        const text = json.slice(0, place) + added + json.slice(place)
        const whole = saidOf([text])
        const next = random(seed)
        for (let round = 0; round < 5; round++) {
          const places = Array.from({ length: 1 + next(6) }, () => next(text.length + 1)).sort((a, b) => a - b)
          assert.deepEqual(saidOf([0, ...places].map((from, index) => text.slice(from, places[index]))), whole)
        }
      }),
    )
  })
})

describe('what is done', () => {
  test('each prefix says as much as it determines', () => {
    const check = (text) => {
      const call = new ArgumentsReader()
      for (let end = 0; end <= text.length; end++) {
        if (end > 0) call.write(text[end - 1])
        const expected = naive(text.slice(0, end))
        const place = `${JSON.stringify(text.slice(0, end))}`
        assert.deepEqual(call.partial(), expected.partial, place)
        assert.deepEqual(call.openPath, expected.open, place)
        for (const path of expected.done) assert.equal(call.state(JSON.parse(path)), 'done', `${place} ${path}`)
        if (expected.open !== undefined) assert.equal(call.state(expected.open), 'open', place)
        assert.equal(JSON.stringify(parseStreaming(text.slice(0, end)) ?? null), JSON.stringify((end === text.length ? JSON.parse(text) : expected.partial) ?? null), place)
      }
    }
    check(NESTED)
    check(' {"a" : [ 1 , 20 , "x" ] , "b" : false } ')
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1), (value, indent) => {
        if (typeof value !== 'number') check(JSON.stringify(value, null, indent))
      }),
      { numRuns: 60 },
    )
  })

  test('what another continuation would change is not done', () => {
    for (const [text, path, state] of [
      ['{"n": 10', 'n', 'open'],
      ['{"n": 10 ', 'n', 'done'],
      ['{"n": true', 'n', 'done'],
      ['{"n": -', 'n', 'open'],
      ['{"n"', 'n', 'absent'],
      ['{"n": ', 'n', 'absent'],
      ['{"a": [1, {"b": "', ['a', 2], 'absent'],
      ['{"a.b": 1}', '["a.b"]', 'done'],
      ['{"a": {"b": 1}}', 'a.b.c', 'absent'],
    ]) assert.equal(after(text).state(path), state, `${text} ${path}`)
  })

  test('done means the same object everywhere; what was given never changes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 9 }), (value, size) => {
        const call = new ArgumentsReader()
        const given = []
        call.onDone('*', (done, [step]) => given.push([() => call.partial()?.[step], done]))
        let before
        for (const chunk of pieces(JSON.stringify(value), size)) {
          call.write(chunk)
          const now = call.partial()
          given.push([() => now, now, JSON.stringify(now)])
          if (before !== undefined && JSON.stringify(before) === JSON.stringify(now)) assert.equal(now, before)
          before = now
        }
        for (const [get, same, json] of given) {
          assert.equal(get(), same)
          if (json !== undefined) assert.equal(JSON.stringify(same), json)
        }
      }),
    )
  })
})

describe('who waits for a value', () => {
  const settled = (promise) => promise.then((value) => ({ value }), (error) => ({ error }))

  test('asked before or after, it gets the same', async () => {
    const text = '{"a": {"b": [1, "x"]}, "n": 12, "s": "hello"}'
    const paths = ['', 'a', 'a.b', 'a.b[0]', 'a.b[1]', 'a.b[2]', 'n', 's', 's.x', 'n[0]', 'no', 'a["0"]', 'a.b["0"]']
    const value = JSON.parse(text)
    const expected = [value, value.a, value.a.b, 1, 'x', undefined, 12, 'hello', undefined, undefined, undefined, undefined, undefined]
    for (const at of [0, 1, 9, 17, text.length]) {
      const call = after(text.slice(0, at))
      const asked = paths.map((path) => call.get(path))
      call.write(text.slice(at))
      assert.deepEqual(await Promise.all(asked), expected, `asked at ${at}`)
    }
  })

  test('a value is given with the character that makes it done', async () => {
    for (const [before, character, path] of [['{"a": 1', '2', 'a'], ['{"a": "x', '"', 'a'], ['[[1', ']', '[0]'], ['{"b": 1', '}', 'a']]) {
      const call = after(before)
      let isGiven = false
      call.get(path).then(() => (isGiven = true))
      await null
      assert.equal(isGiven, false)
      call.write(character)
      await Promise.resolve().then(() => {})
      assert.equal(isGiven, character !== '2', before)
    }
  })

  test('the stream ends first', async () => {
    const call = after('{"path": "a", "content": "/etc/pass')
    const waiting = call.get('content')
    call.end('length')
    const { error } = await settled(waiting)
    assert.ok(error instanceof CutOffError && error instanceof ParseError)
    assert.deepEqual([error.code, error.path, error.finishReason, error.name], ['cut-off', 'content', 'length', 'ParseError'])
    assert.equal(await call.get('path'), 'a')
    assert.ok((await settled(call.get(['more', 0]))).error instanceof CutOffError)
    assert.equal((await settled(call.result())).error.path, '')
    assert.equal(call.status, 'cut-off')
  })

  test('a fault', async () => {
    const call = after('{"a": 1, "b": "x')
    const waiting = call.get('b')
    call.write('\n"}')
    const { error } = await settled(waiting)
    assert.ok(error instanceof ParseError && !(error instanceof CutOffError))
    assert.deepEqual([error.code, error.offset], ['raw-control', 16])
    assert.equal(await call.get('a'), 1)
    assert.equal((await settled(call.get('c'))).error.code, 'raw-control')
    assert.deepEqual(call.partial(), { a: 1, b: 'x' })
    call.write('anything')
    call.end('stop')
    assert.equal(call.status, 'faulty')
    assert.equal((await settled(call.result())).error.code, 'raw-control')
  })

  test('a text, as it grows', async () => {
    const call = new ArgumentsReader()
    const seen = []
    const read = (async () => {
      for await (const delta of call.text('s')) seen.push(delta)
      seen.push('end')
    })()
    for (const delta of ['{"s": "a\\ud83d', '\\ude00', 'b', '"}']) {
      call.write(delta)
      await new Promise(setImmediate)
    }
    await read
    assert.deepEqual(seen, ['a', '😀', 'b', 'end'])
    const late = []
    for await (const delta of call.text('s')) late.push(delta)
    assert.deepEqual(late, ['a😀b'])
    const all = async (text, path, reason) => {
      const seen = []
      try {
        for await (const delta of after(text, reason).text(path)) seen.push(delta)
      } catch (error) {
        seen.push(error.name, error.code ?? error.issues[0].message)
      }
      return seen
    }
    assert.deepEqual(await all('{"s": "ab', 's', 'length'), ['ab', 'ParseError', 'cut-off'])
    assert.deepEqual(await all('{"s": 1}', 's'), ['SchemaError', 's must be a string, but is number 1'])
    assert.deepEqual(await all('{"s": {', 's'), ['SchemaError', 's must be a string, but is an object'])
    assert.deepEqual(await all('{}', 's'), [])
    assert.deepEqual(await all('"x"', ''), ['x'])
  })

  test('elements, each when it is done', async () => {
    const call = new ArgumentsReader()
    const seen = []
    const read = (async () => {
      for await (const item of call.items('edits')) seen.push(item)
    })()
    for (const delta of ['{"edits": [{"a": 1', '}, 2', ', "x', '"]']) {
      call.write(delta)
      await new Promise(setImmediate)
      seen.push('|')
    }
    await read
    assert.deepEqual(seen, ['|', { a: 1 }, '|', 2, '|', 'x', '|'])
    const one = after('{"edits": [1, "two"]}').items('edits', z.number())
    assert.equal((await one.next()).value, 1)
    await assert.rejects(one.next(), SchemaError)
    await assert.rejects(after('{"edits": {}}').items('edits').next(), SchemaError)
    assert.deepEqual(await after('{}').items('edits').next(), { value: undefined, done: true })
    const left = after('{"edits": [1, 2').items('edits')
    for await (const item of left) {
      assert.equal(item, 1)
      break
    }
    assert.deepEqual(await left.next(), { value: undefined, done: true })
  })

  test('a schema of a library', async () => {
    const schema = z.object({ n: z.string().transform(Number) })
    const of = async (text, given = schema) => {
      const call = new ArgumentsReader(given)
      call.write(text)
      call.end()
      return settled(call.result())
    }
    for (const given of [schema, { inputSchema: schema }]) assert.deepEqual(await of('{"n": "12"}', given), { value: { n: 12 } })
    const { error } = await of('{"n": 12}')
    assert.ok(error instanceof SchemaError)
    assert.deepEqual(error.value, { n: 12 })
    assert.ok((await of('{"n": "12"')).error instanceof CutOffError)
    assert.equal(await after('{"n": "12"}').get('n', z.coerce.number()), 12)
    assert.ok((await settled(after('{"n": "x"}').get('n', z.number()))).error instanceof SchemaError)
  })

  test('a rejection that nobody handles ends no process', async () => {
    const unhandled = []
    const note = (reason) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const call = after('{"a": "x')
    call.get('a')
    call.get('a', z.number())
    call.result()
    call.text('a')
    call.items('b')
    call.end()
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })
})

describe('handlers', () => {
  test('children before parents, each once, after its text; what came before comes too', () => {
    const text = '{"a": {"b": "x", "c": [1]}}'
    const seen = (at, options) => {
      const call = after(text.slice(0, at))
      const log = []
      for (const path of ['a', 'a.b', 'a.c[*]', 'a.*']) {
        call.onText(path, (delta, where) => log.push(`${where} +${delta}`), options)
        call.onDone(path, (value, where) => log.push(`${where} ${JSON.stringify(value)}`), options)
      }
      call.write(text.slice(at))
      return log
    }
    const all = ['a,b +x', 'a,b +x', 'a,b "x"', 'a,b "x"', 'a,c,0 1', 'a,c [1]', 'a {"b":"x","c":[1]}']
    assert.deepEqual(seen(0), all)
    for (const at of [3, 14, 20, text.length]) assert.deepEqual(seen(at).sort(), [...all].sort(), `at ${at}`)
    assert.deepEqual(seen(text.length, { replay: false }), [])
    assert.deepEqual(seen(14, { replay: false }), ['a,b "x"', 'a,b "x"', 'a,c,0 1', 'a,c [1]', 'a {"b":"x","c":[1]}'])
  })

  test('what they throw comes out of write, after all was read', () => {
    const call = new ArgumentsReader()
    const log = []
    call.onDone('a', () => {
      throw new Error('first')
    })
    call.onDone('b', (value) => {
      log.push(value)
      throw new Error('second')
    })
    assert.throws(() => call.write('{"a": 1, "b": 2, "c": "x'), { message: 'first' })
    assert.deepEqual(log, [2])
    assert.deepEqual(call.partial(), { a: 1, b: 2, c: 'x' })
    call.write('"}')
    assert.equal(call.state('c'), 'done')
  })

  test('a handler may not write, and may add or remove handlers', () => {
    const call = new ArgumentsReader()
    const codes = []
    const log = []
    const off = call.onDone('b', () => log.push('off'))
    call.onDone('a', () => {
      for (const act of [() => call.write('x'), () => call.end(), () => call.snapshot()])
        try {
          act()
        } catch (error) {
          codes.push(error.code)
        }
      call.onDone('a', () => log.push('late a'))
      call.onDone('b', () => log.push('late b'))
      off()
    })
    call.write('{"a": 1, "b": 2}')
    assert.deepEqual(codes, ['reentrant', 'reentrant', 'reentrant'])
    assert.deepEqual(log, ['late a', 'late b'])
  })

  test('listeners hear of changes, once a write', () => {
    const call = new ArgumentsReader()
    let count = 0
    const off = call.subscribe(() => count++)
    const after = (delta) => {
      count = 0
      call.write(delta)
      return count
    }
    const counts = ['{', '"a', '": ', '1', '0', ', "b": "', 'x', 'yz", "c": tr', 'ue', ' ', '}', ' '].map(after)
    assert.deepEqual(counts, [1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0])
    off()
    // Of the end and of a fault, too: `status` is what they show.
    const statuses = (delta, reason) => {
      const call = new ArgumentsReader()
      const seen = []
      call.subscribe(() => seen.push(call.status))
      call.write(delta)
      call.end(reason)
      call.end(reason)
      return seen
    }
    assert.deepEqual(statuses('{"a": "x', 'length'), ['open', 'cut-off'])
    assert.deepEqual(statuses('{"a": "x"}', 'stop'), ['open', 'done'])
    assert.deepEqual(statuses('{"a": 1, b', 'stop'), ['faulty'])
    assert.deepEqual(statuses('no'), ['faulty'])
    const { partial, subscribe } = new ArgumentsReader()
    assert.equal(partial(), undefined)
    subscribe(() => {})()
  })
})

describe('the end', () => {
  const FINISHED = ['stop', 'tool_calls', 'tool-calls', 'tool_use', 'function_call', 'end_turn', 'stop_sequence', 'STOP', 'COMPLETE', 'TOOL_CALL', 'completed']
  const statusOf = (text, reason) => {
    const call = after(text)
    call.end(reason)
    return call.status
  }

  test('brackets decide, and the reason only of nothing and of a number', async () => {
    for (const reason of [...FINISHED, 'length', 'max_tokens', 'error', 'x', undefined]) {
      const isFinished = FINISHED.includes(reason)
      for (const text of ['{"a": 1', '["x"', '"abc', '{"a": "b', '[', 'tr', '-', '1e']) assert.equal(statusOf(text, reason), 'cut-off', `${text} ${reason}`)
      for (const text of ['{}', '[1]', '"x"', 'true', '1 ']) assert.equal(statusOf(text, reason), 'done', `${text} ${reason}`)
      for (const text of ['', ' \n', '12']) assert.equal(statusOf(text, reason), isFinished ? 'done' : 'cut-off', `${text} ${reason}`)
    }
    const call = new ArgumentsReader()
    const log = []
    call.onDone('', (value) => log.push(value))
    call.end('stop')
    assert.deepEqual([log, await call.result(), call.partial()], [[{}], {}, {}])
  })

  test('nothing changes after it', () => {
    const call = after('{"a": 1', 'length')
    assert.throws(() => call.write('}'), { code: 'finished' })
    call.end('stop')
    assert.equal(call.status, 'cut-off')
  })
})

describe('limits and options', () => {
  const faultOf = (text, options, size = text.length) => {
    const call = new ArgumentsReader(undefined, options)
    for (const chunk of pieces(text, Math.max(1, size))) call.write(chunk)
    return call.fault && [call.fault.code, call.fault.offset]
  }

  test('depth, length and numbers', () => {
    assert.equal(faultOf('['.repeat(512)), undefined)
    assert.deepEqual(faultOf('['.repeat(513)), ['too-deep', 512])
    assert.deepEqual(faultOf('[[1]]', { maxDepth: 1 }), ['too-deep', 1])
    assert.equal(faultOf('['.repeat(4096), { maxDepth: 4096 }), undefined)
    for (const size of [1, 7, 99]) {
      assert.deepEqual(faultOf('{"a": "xyz"}', { maxLength: 9 }, size), ['too-long', 9])
      assert.equal(faultOf('{"a": 1}', { maxLength: 8 }, size), undefined)
      assert.deepEqual(faultOf(`[${'1'.repeat(4097)}]`, undefined, size * 50), ['too-long', 1])
    }
    assert.equal(faultOf(`[${'1'.repeat(4096)}]`), undefined)
  })

  test('errors that are tolerated are named', () => {
    const read = (text, tolerate) => {
      const call = after(text, undefined, { tolerate })
      return [call.status, call.partial(), call.tolerated]
    }
    assert.deepEqual(read('[1,]', ['trailing-comma']), ['open', [1], ['trailing-comma']])
    assert.deepEqual(read('["a\nb"]', ['raw-control']), ['open', ['a\nb'], ['raw-control']])
    assert.deepEqual(read('["\\x41\\q"]', ['json5-escape']), ['open', ['Aq'], ['json5-escape']])
    assert.deepEqual(read('[True, None]', ['python-word', 'trailing-comma']), ['open', [true, null], ['python-word']])
    for (const text of ['[1,]', '["a\nb"]', '["\\x41"]', '[True]', "['a']", '{a: 1}', '[1 /**/]', '[+1]', '[.5]', '[NaN]', '[0x1]']) assert.notEqual(faultOf(text), undefined, text)
    const all = ['raw-control', 'trailing-comma', 'json5-escape', 'python-word']
    for (const text of ["['a']", '{a: 1}', '[1 /**/]', '[+1]', '[.5]', '[NaN]', '[0x1]', '[1,,2]', '[undefined]', '“a”']) assert.notEqual(faultOf(text, { tolerate: all }), undefined, text)
  })

  test('big numbers', () => {
    const of = (bigNumbers) => after('[9007199254740993, -9007199254740993, 12, 1.5, 1e400]', undefined, { bigNumbers }).partial()
    assert.deepEqual(of('string'), ['9007199254740993', '-9007199254740993', 12, 1.5, Infinity])
    assert.deepEqual(of('bigint'), [9007199254740993n, -9007199254740993n, 12, 1.5, Infinity])
    assert.deepEqual(of(undefined), [9007199254740992, -9007199254740992, 12, 1.5, Infinity])
  })

  test('what is wrong is named', () => {
    const refused = (act, message) => assert.throws(act, { name: 'TypeError', message })
    refused(() => new ArgumentsReader(undefined, { depth: 1 }), /has no option "depth"; it takes maxDepth, maxLength, bigNumbers, tolerate/)
    refused(() => new ArgumentsReader(undefined, { maxDepth: 5000 }), /maxDepth must be a whole number from 1 to 4096, but is number 5000/)
    refused(() => new ArgumentsReader(undefined, { tolerate: ['comment'] }), /tolerate must be a list of raw-control, trailing-comma, json5-escape, python-word/)
    const call = new ArgumentsReader()
    refused(() => call.write(5), /ArgumentsReader.write takes a string, but got number 5/)
    refused(() => call.end(5), /ArgumentsReader.end takes a string/)
    refused(() => call.get('a['), /a "\[" without its "\]"/)
    refused(() => call.get('a[*]'), /takes the path of one value, but "a\[\*\]" is a pattern/)
    refused(() => call.get(['a', -1]), /or a list of keys and indices/)
    refused(() => call.onDone('a', 5), /onDone takes a function/)
    refused(() => parseStreaming(5), /parseStreaming takes a string/)
    refused(() => parseStreaming('', { number: 'open' }), /has no option "number"/)
  })
})

test('a snapshot at each place goes on as the reader would', () => {
  for (const text of TEXTS) {
    for (const reason of [undefined, 'stop']) {
      const before = new ArgumentsReader(undefined, { maxDepth: 20 })
      for (let at = 0; at <= text.length; at++) {
        const restored = ArgumentsReader.restore(JSON.parse(JSON.stringify(before.snapshot())))
        const straight = after(text.slice(0, at), undefined, { maxDepth: 20 })
        for (const call of [restored, straight]) {
          call.write(text.slice(at))
          call.end(reason)
        }
        const told = (call) => [call.status, call.fault, call.partial(), call.openPath, call.length, call.state('a'), call.tolerated]
        assert.deepEqual(told(restored), told(straight), `${JSON.stringify(text)} at ${at}`)
        if (at < text.length) before.write(text[at])
      }
      before.end(reason)
      const ended = ArgumentsReader.restore(before.snapshot())
      assert.equal(ended.status, before.status)
      assert.throws(() => ended.write('x'), { code: 'finished' })
    }
  }
})

describe('parseStreaming', () => {
  test('of calls in parallel, each text is read on', () => {
    const texts = Array.from({ length: 4 }, (_, index) => JSON.stringify({ index, list: [1, { a: 'x'.repeat(50) }], more: 'é'.repeat(40) }))
    const before = []
    for (let end = 0; end <= Math.max(...texts.map(({ length }) => length)); end += 3)
      for (const [index, text] of texts.entries()) {
        const value = parseStreaming(text.slice(0, end))
        if (before[index]?.list?.[1]?.a?.length === 50) assert.equal(value.list[1], before[index].list[1])
        before[index] = value
      }
    for (const text of texts) assert.deepEqual(parseStreaming(text), JSON.parse(text))
    assert.equal(parseStreaming(texts[0]), parseStreaming(texts[0]))
  })

  test('whole texts are as JSON.parse has them', () => {
    fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(parseStreaming(text), JSON.parse(text))))
    assert.deepEqual(parseStreaming('{"a": 1, "b": 2, "a": 3}'), { a: 3, b: 2 })
    assert.deepEqual(parseStreaming('12'), 12)
    assert.ok(Object.is(parseStreaming('[{"a": 0, "a": -0}')[0].a, -0), 'the last of repeated keys, also of -0')
  })

  test('open numbers leave no trace', () => {
    const open = (text) => parseStreaming(text, { numbers: 'open' })
    assert.deepEqual([open('{"a": [1, 2'), open('{"a": [1, 2.'), open('{"a": [1, 2.5'), open('{"a": [1, 2.5x')], [{ a: [1, 2] }, { a: [1] }, { a: [1, 2.5] }, { a: [1] }])
    assert.deepEqual(parseStreaming('{"a": [1, 2'), { a: [1] })
  })

  test('it never throws, and a fault says so', () => {
    const faults = []
    assert.deepEqual(parseStreaming('{"a": 1, b', { onFault: ({ code, offset }) => faults.push([code, offset]) }), { a: 1 })
    assert.deepEqual(parseStreaming('{"a": 1, b', { onFault: ({ code, offset }) => faults.push([code, offset]) }), { a: 1 })
    assert.deepEqual(faults, [['unexpected-text', 9], ['unexpected-text', 9]], 'each time')
    fc.assert(fc.property(fc.string(), (text) => void parseStreaming(text)))
  })
})

describe("Gemini's pieces", () => {
  const read = (...lists) => {
    const call = new ArgumentsReader()
    for (const list of lists) call.writePartialArgs(list)
    return call
  }
  const at = (jsonPath, value, willContinue) => ({ jsonPath, ...(typeof value === 'string' ? { stringValue: value } : typeof value === 'number' ? { numberValue: value } : value === null ? { nullValue: 'NULL_VALUE' } : { boolValue: value }), ...(willContinue && { willContinue }) })

  test('the object that the pieces are', async () => {
    const call = read([at('$.city', 'Zü', true)], [at('$.city', 'ri"ch\n'), at('$.days[0]', 1), at('$.days[1]', 2)], [at('$.a.b[0].c', true), at("$.a.b[0]['d e']", null), at('$.a.b[1]', 'x', true)], [at('$.z', 5)])
    assert.deepEqual(call.partial(), { city: 'Züri"ch\n', days: [1, 2], a: { b: [{ c: true, 'd e': null }, 'x'] }, z: 5 })
    assert.equal(call.state('a'), 'done')
    call.endPartialArgs()
    assert.deepEqual(await call.result(), { city: 'Züri"ch\n', days: [1, 2], a: { b: [{ c: true, 'd e': null }, 'x'] }, z: 5 })
  })

  test('a string is open until it ends', () => {
    const call = read([at('$.s', 'a', true)])
    assert.equal(call.state('s'), 'open')
    call.writePartialArgs([at('$.s', 'b', true)])
    assert.deepEqual(call.partial(), { s: 'ab' })
    call.writePartialArgs([at('$.s', '')])
    assert.equal(call.state('s'), 'done')
    call.end('length')
    assert.equal(call.status, 'cut-off')
  })

  test('what can be no place is a fault', () => {
    for (const lists of [
      [[at('$.s', 'a')], [at('$.s', 'b')]],
      [[at('$.a.b', 1)], [at('$.c', 1)], [at('$.a.d', 1)]],
      [[at('$.a[1]', 1)]],
      [[at('$.a[0]', 1)], [at('$.a.b', 1)]],
      [[at('$[0]', 1)], [at('$.b', 1)]],
      [[at('nothing', 1)]],
      [[{ jsonPath: '$.a' }]],
      [[5]],
    ]) assert.equal(read(...lists).status, 'faulty', JSON.stringify(lists))
  })
})
