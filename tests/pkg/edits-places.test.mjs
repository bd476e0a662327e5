// Spans and snapshots of `EditArguments` and `EditCalls`: the same wherever the arguments are cut.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { EditArguments, EditCalls, EditParser, ParseError } from 'tokenweir/edits'
import { ARGUMENT_CASES, PATCH } from './support/argument-cases.mjs'
import { cutAt, everyCut, pieces, random, thinned } from './support/cuts.mjs'
import { editLines } from './support/edit-reading.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const json = JSON.stringify
const TILES = ['text', 'delta', 'markup', 'malformed']
const copy = (snapshot) => JSON.parse(json(snapshot))

function read(options, chunks, reason) {
  const call = new EditArguments(options)
  return [...chunks.flatMap((chunk) => call.feed(chunk)), ...call.finish(reason)]
}

/** Neighbouring events that go on are one. */
function joined(events) {
  const all = []
  for (const event of events) {
    const last = all.at(-1)
    const isMore = 'delta' in event && last?.type === event.type && last.side === event.side && last.file === event.file && last.hunk === event.hunk
    if (isMore) all[all.length - 1] = { ...last, delta: last.delta + event.delta, span: [last.span[0], event.span[1]] }
    else all.push(event)
  }
  return all
}

/** Throws unless spans tile the JSON, each with what is written there. */
function assertTiled(events, text) {
  let at = 0
  const begun = new Map()
  for (const { type, span, delta, file, hunk } of events) {
    const [start, end] = span
    if (TILES.includes(type)) {
      assert.equal(start, at, `${type} ${json(delta)}`)
      const written = text.slice(start, end)
      if (type === 'markup') assert.equal(delta, written)
      else if (type !== 'malformed') assert.equal(delta, JSON.parse(`"${written}"`))
      at = end
    } else if (type === 'file' || type === 'hunk') {
      assert.deepEqual([start, end], [at, at])
      begun.set(`${file} ${hunk}`, start)
    } else assert.deepEqual(span, [begun.get(`${file} ${hunk}`), type === 'file-done' ? text.length : at])
  }
  assert.equal(at, text.length)
}

describe(`spans (SEED=${seed})`, () => {
  for (const [name, text, expected, options = {}, reason = 'tool_calls'] of ARGUMENT_CASES) {
    test(name, () => {
      const whole = joined(read({ ...options, spans: true }, [text], reason))
      assert.equal(editLines(whole), expected)
      assertTiled(whole, text)
      for (const [cut, chunks] of everyCut(text, seed, { two: 50, pairs: 60 })) {
        const events = read({ ...options, spans: true }, chunks, reason)
        assertTiled(events, text)
        assert.deepEqual(joined(events), whole, cut)
      }
      const bare = read(options, [text], reason)
      assert.ok(bare.every(({ type, span }) => (span === undefined) === (type !== 'malformed') && type !== 'markup'))
    })
  }

  const TEXTS = ['a', 'b.py', '', 'x\n', '🙂', 'create_file', 'update_file', 'delete_file', '@@ f\n-1\n+2', '+1\n+"2"\n', `${PATCH}\n`, '<<<<<<< SEARCH\n1\n=======\n🙂2\n>>>>>>> REPLACE\n', '--- a\n+++ b\n@@ -1 +1 @@\n-\t1\n+2\n', '*** Begin Patch\n*** Update File: a\n\n\n oops', '*** Begin Patch\n*** Add File: a\n+1\n*** Delete File: b\noops\n*** Delete File: c\n*** End Patch\n']
  const KEYS = ['path', 'file', 'old_string', 'oldText', 'new_string', 'content', 'patch', 'diff', 'replace_all', 'note']
  const TYPES = ['create_file', 'update_file', 'delete_file', 'other']
  const inJson = (texts) => fc.constantFrom(...texts.map((text) => json(text)))

  /** JSON of members that are mostly what they should be; some come twice, are of another type, or end too early or too late. */
  const member = (key, value) => fc.tuple(fc.constant(json(key)), fc.oneof({ weight: 15, arbitrary: value }, fc.constantFrom('null', 'true', '5', '{}', '["x"]'))).map((pair) => pair.join(': '))
  const unit = (...more) => {
    const path = member('path', inJson(['a', 'a', 'b.py', '']))
    const old = fc.oneof({ weight: 6, arbitrary: member('old_string', inJson(TEXTS)) }, ...KEYS.map((key) => member(key, inJson(TEXTS))))
    const now = fc.oneof({ weight: 6, arbitrary: member('new_string', inJson(TEXTS)) }, member('content', inJson(TEXTS)), member('patch', inJson(TEXTS)))
    const one = fc.tuple(path, old, now).chain((all) => fc.shuffledSubarray(all, { minLength: 2 }))
    const alone = fc.tuple(path, fc.oneof(...['content', 'patch', 'diff'].map((key) => member(key, inJson(TEXTS))))).chain((all) => fc.shuffledSubarray(all, { minLength: 2 }))
    return fc.oneof(one, alone, ...more).map((all) => `{${all.join(',')}}`)
  }
  const list = fc.tuple(fc.constantFrom('edits', 'changes'), fc.array(unit(), { maxLength: 3 })).map(([key, all]) => `"${key}":[${all.join(' ,')}]`)
  const operation = fc.tuple(member('type', inJson(TYPES)), member('path', inJson(['a'])), member('diff', inJson(TEXTS))).chain((all) => fc.shuffledSubarray(all, { minLength: 2 })).map((all) => `"operation":{${all.join(',')}}`)
  const whole = unit(fc.tuple(list, member('path', inJson(['a']))).chain((all) => fc.shuffledSubarray(all, { minLength: 1 })), fc.array(list, { maxLength: 2 }), fc.tuple(operation))
  const documents = fc.tuple(whole, fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, fc.nat(200)), fc.constantFrom('', '', '', '', '\n', '}', ' 🙂')).map(([text, to, more]) => text.slice(0, to) + more)

  test('random arguments: they tile, each hunk and each file has one end, and cuts and snapshots change nothing', () => {
    let done = 0
    fc.assert(
      fc.property(documents, fc.nat(), fc.constantFrom('stop', 'length'), fc.boolean(), (text, nth, reason, hasPath) => {
        const options = { spans: true, ...(hasPath && { path: 'p' }) }
        const whole = joined(read(options, [text], reason))
        assertTiled(whole, text)
        for (const [began, ended, key] of [['file', 'file-done', ({ file }) => file], ['hunk', 'hunk-done', ({ file, hunk }) => `${file}.${hunk}`]]) {
          const begun = whole.filter(({ type }) => type === began).map(key)
          const ends = whole.filter(({ type }) => type === ended).map(key)
          const spoiled = new Set(whole.filter(({ type, hunk }) => type === 'malformed' && (began === 'file' || hunk !== undefined)).map(key))
          assert.deepEqual([...begun].sort(), [...new Set([...ends, ...spoiled])].filter((each) => each !== undefined).sort(), began)
          assert.ok(ends.every((each) => !spoiled.has(each)), ended)
          done += ends.length
        }
        const next = random(nth + 1)
        const places = Array.from({ length: 4 }, () => next(text.length + 1)).sort((a, b) => a - b)
        for (const chunks of [pieces(text, 1), cutAt(text, places)]) assert.deepEqual(joined(read(options, chunks, reason)), whole)
        let call = new EditArguments(options)
        const events = cutAt(text, places).flatMap((chunk) => {
          const found = call.feed(chunk)
          call = EditArguments.restore(copy(call.snapshot()))
          return found
        })
        assert.deepEqual(joined([...events, ...call.finish(reason)]), whole)
      }),
      { numRuns: 1_500 },
    )
    assert.ok(done > thinned(100), `${done} ends`)
  })

  test('what is wrong in a patch has its place in the JSON, without spans too', () => {
    const text = json({ patch: '*** Begin Patch\n*** Update File: a\n\toops' })
    const [event] = read({}, [text]).filter(({ type }) => type === 'malformed')
    assert.deepEqual(event.span, [text.indexOf('\\toops'), text.indexOf('\\toops')])
    assert.match(event.message, new RegExp(`; at ${event.span[0]}$`))
  })

  test('text that waits for too long is too long at the same place', () => {
    const text = `{"content":"${'x'.repeat(500_000)}\\n${'y'.repeat(600_000)}","path":"a"}`
    const at = 12 + 500_000 + 2 + (1_048_576 - 500_001)
    for (const size of [text.length, 100_001, 7_777]) {
      const chunks = text.match(new RegExp(`[^]{1,${Math.min(size, 60_000)}}`, 'g'))
      const events = read({ spans: true }, size === text.length ? [text] : chunks)
      assert.deepEqual(events.filter(({ type }) => type === 'malformed').map(({ code, span }) => [code, ...span]), [['too-long', at, at]])
      assertTiled(events, text)
    }
  })

  test('a parser with markup in every event is linear', () => {
    const patch = (lines) => json({ patch: `*** Begin Patch\n*** Add File: a\n${'+the "quick" brown fox\n'.repeat(lines)}*** End Patch\n` })
    const took = (lines) => {
      const chunks = patch(lines).match(/[^]{1,4}/g)
      const begin = performance.now()
      read({ spans: true }, chunks)
      return performance.now() - begin
    }
    took(1_000)
    const [few, many] = [4_000, 32_000].map((lines) => Math.min(took(lines), took(lines), took(lines)))
    assert.ok(many < few * 8 * 3, `${few} ms grow to ${many} ms with 8 times the text`)
  })

  test('of calls, in the input of each', () => {
    const calls = new EditCalls({ tools: { write: { spans: true }, patch: { spans: true } } })
    const events = []
    const texts = { c: ` ${json({ path: 'a', content: 'x\n' })}`, d: `\n ${PATCH}\n` }
    for (const [id, toolName] of [['c', 'write'], ['d', 'patch']]) events.push(...calls.part({ type: 'tool-input-start', id, toolName }))
    for (let at = 0; at < 100; at++) for (const id of ['c', 'd']) events.push(...calls.part({ type: 'tool-input-delta', id, delta: texts[id][at] ?? '' }))
    for (const [toolCallId, toolName] of [['c', 'write'], ['d', 'patch']]) events.push(...calls.part({ type: 'tool-call', toolCallId, toolName, input: '' }))
    assertTiled(events.filter(({ callId }) => callId === 'c'), texts.c)
    const tiles = events.filter(({ callId, type }) => callId === 'd' && TILES.includes(type))
    assert.equal(tiles.map(({ delta }) => delta).join(''), texts.d)
    assert.deepEqual(tiles.at(-1).span[1], texts.d.length)
    const blank = new EditCalls({ tools: { write: { spans: true } } })
    blank.part({ type: 'tool-input-start', id: 'c', toolName: 'write' })
    blank.part({ type: 'tool-input-delta', id: 'c', delta: ' \n' })
    assert.deepEqual(blank.end().map(({ type, span }) => [type, ...span]), [['markup', 0, 2], ['malformed', 2, 2]])
  })
})

describe('snapshots', () => {
  for (const [name, text, , options = {}, reason = 'tool_calls'] of ARGUMENT_CASES) {
    test(name, () => {
      for (const given of [{ ...options, spans: true }, options]) {
        const whole = json(joined(read({ ...given, spans: true }, [text], reason)))
        for (let at = 0; at <= text.length; at++) {
          const before = new EditArguments(given)
          const events = before.feed(text.slice(0, at))
          const middle = EditArguments.restore(copy(before.snapshot()))
          const half = at + ((text.length - at) >> 1)
          events.push(...middle.feed(text.slice(at, half)))
          const after = EditArguments.restore(copy(middle.snapshot()))
          events.push(...after.feed(text.slice(half)), ...after.finish(reason))
          if (given.spans) assert.equal(json(joined(events)), whole, `at ${at}`)
          else assert.equal(editLines(events), editLines(JSON.parse(whole)), `at ${at}`)
        }
      }
    })
  }

  test('one that has ended stays so', () => {
    for (const text of ['{"path": "a", "content": "x"}', '{"path": 5}']) {
      const call = new EditArguments()
      call.feed(text)
      call.finish('stop')
      const restored = EditArguments.restore(copy(call.snapshot()))
      assert.equal(restored.isComplete, call.isComplete)
      assert.throws(() => restored.feed('x'), { code: 'finished' })
    }
  })

  test('calls go on from each place, and a segment', () => {
    const parts = [
      { type: 'tool-input-start', id: 'c', toolName: 'write' },
      { type: 'tool-input-delta', id: 'c', delta: ' ' },
      { type: 'tool-input-start', id: 'd', toolName: 'patch' },
      ...(json({ path: 'a', content: 'x\n' }).match(/[^]{1,3}/g)).map((delta) => ({ type: 'tool-input-delta', id: 'c', delta })),
      ...(PATCH.match(/[^]{1,5}/g)).map((delta) => ({ type: 'tool-input-delta', id: 'd', delta })),
      { type: 'tool-input-start', id: 'e', toolName: 'write' },
      ...(json({ input: PATCH }).slice(0, -1).match(/[^]{1,5}/g)).map((delta) => ({ type: 'tool-input-delta', id: 'e', delta })),
      { type: 'tool-call', toolCallId: 'd', toolName: 'patch', input: PATCH },
      { type: 'tool-call', toolCallId: 'c', toolName: 'write', input: '' },
      { type: 'tool-input-start', id: 'f', toolName: 'write' },
      { type: 'error', error: 'x' },
      { type: 'tool-call', toolCallId: 'f', toolName: 'write', input: json({ path: 'a', content: 'x' }) },
      { type: 'finish', finishReason: 'length' },
    ]
    const segments = [
      { type: 'SEGMENT_START', segment_id: 's', segment_type: 'write_file', payload: { metadata: { path: 'b' } } },
      { type: 'SEGMENT_CONTENT', segment_id: 's', payload: { delta: 'x' } },
      { type: 'SEGMENT_CONTENT', segment_id: 's', payload: { delta: 'y' } },
      { type: 'SEGMENT_END', segment_id: 's', payload: {} },
      { type: 'SEGMENT_START', segment_id: 't', segment_type: 'patch_file', payload: { metadata: { path: 'b' } } },
      { type: 'SEGMENT_CONTENT', segment_id: 't', payload: { delta: '<<<<<<< SEARCH\n1\n====' } },
      { type: 'SEGMENT_CONTENT', segment_id: 't', payload: { delta: '===\n2\n>>>>>>> REPLACE\n' } },
      { type: 'SEGMENT_END', segment_id: 't', payload: {} },
    ]
    const steps = [...parts.map((part) => (calls) => calls.part(part)), ...segments.map((event) => (calls) => calls.segment(event))]
    for (const tools of [['write', 'patch'], { write: { spans: true }, patch: { spans: true, path: 'p' } }]) {
      const calls = new EditCalls({ tools })
      const whole = steps.flatMap((step) => step(calls))
      assert.ok(whole.some(({ type, code }) => type === 'malformed' && code === 'unterminated'))
      for (let at = 0; at <= steps.length; at++) {
        const before = new EditCalls({ tools })
        const events = steps.slice(0, at).flatMap((step) => step(before))
        const after = EditCalls.restore(copy(before.snapshot()))
        events.push(...steps.slice(at).flatMap((step) => step(after)))
        assert.deepEqual(events, whole, `at ${at}`)
      }
    }
  })

  const code = (code) => (error) => error instanceof ParseError && error.code === code
  const middle = () => {
    const call = new EditArguments({ spans: true })
    call.feed('{"edits":[{"new_string":"x🙂\\n","old_string":"y')
    return call.snapshot()
  }
  const open = () => {
    const calls = new EditCalls({ tools: ['write'] })
    calls.part({ type: 'tool-input-start', id: 'c', toolName: 'write' })
    calls.part({ type: 'tool-input-delta', id: 'c', delta: json({ input: PATCH }).slice(0, -9) })
    return calls.snapshot()
  }

  test('other options, parsers and versions, and what was changed are refused', () => {
    const snapshot = middle()
    assert.throws(() => EditArguments.restore(snapshot, { path: 'b' }), { name: 'TypeError', message: /path is string "b"/ })
    assert.throws(() => EditCalls.restore(open(), { tools: ['other'] }), { name: 'TypeError', message: /tools is/ })
    assert.throws(() => EditParser.restore(snapshot), code('snapshot-parser'))
    assert.throws(() => EditCalls.restore(snapshot), code('snapshot-parser'))
    assert.throws(() => EditArguments.restore(open()), code('snapshot-parser'))
    assert.throws(() => EditArguments.restore({ ...snapshot, v: 2 }), code('snapshot-version'))
    assert.throws(() => EditArguments.restore({ ...snapshot, calls: [] }), code('snapshot-invalid'))
    for (const nothing of [undefined, null, 1, []]) assert.throws(() => EditCalls.restore(nothing), code('snapshot-invalid'))
  })
})
