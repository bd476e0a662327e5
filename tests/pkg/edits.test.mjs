// `EditParser`, `parseEdits` and `extractEdits`: every case of tests/cases/edit at every cut, spans, snapshots, options.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EditParser, extractEdits, parseEdits } from 'tokenweir/edits'
import { everyCut, pieces } from './support/cuts.mjs'
import { all } from './support/sources.mjs'
import { assertEditsTiled, editCaseFiles, editLines, optionsOf, readEdits } from './support/edit-reading.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const files = editCaseFiles()
const cases = files.flatMap(([, all]) => all)

/** Throws unless a parser reads a case right at every cut, with spans and without. */
function judge(each, read = readEdits) {
  const options = optionsOf(each)
  const expected = each.events.trimEnd()
  for (const [name, chunks] of everyCut(each.input, seed, { two: 90 })) {
    const events = read({ ...options, spans: true }, chunks, each.finish)
    assertEditsTiled(events, each.input)
    assert.equal(editLines(events), expected, name)
    const bare = read(options, chunks, each.finish)
    assert.ok(bare.every(({ type, span }) => (span === undefined) === (type !== 'malformed') && type !== 'markup'))
    assert.equal(editLines(bare), expected, name)
  }
}

for (const [file, all] of files) {
  describe(`${file} (SEED=${seed})`, () => {
    for (const each of all) test(each.name, () => judge(each))
  })
}

test('there are cases of all faults', () => {
  assert.ok(cases.length > 100)
  const codes = new Set(cases.flatMap(({ events }) => [...events.matchAll(/^malformed ([\w-]+)/gm)].map(([, code]) => code)))
  const sorted = ['ambiguous-separator', 'bad-line', 'empty-update', 'marker-in-content', 'missing-path', 'missing-separator', 'stray-marker', 'unexpected-text', 'unknown-header', 'unterminated']
  assert.deepEqual([...codes].sort(), sorted)
})

test('a parser that forgets at the end of a chunk is caught', () => {
  const forgetful = (options, chunks, finish) => {
    const events = chunks.slice(0, -1).flatMap((chunk) => readEdits(options, [chunk], finish))
    return [...events, ...readEdits(options, chunks.slice(-1), finish)]
  }
  const caught = cases.filter((each) => {
    try {
      judge(each, forgetful)
      return false
    } catch {
      return true
    }
  })
  assert.ok(caught.length > cases.length * 0.75, `${caught.length} of ${cases.length}`)
})

test('content comes before its line ends, and only what may become a marker waits', () => {
  const parser = new EditParser()
  const deltas = (chunk) => parser.feed(chunk).flatMap((event) => ('delta' in event ? [event.delta] : []))
  assert.deepEqual(deltas('*** Begin Patch\n*** Add File: a.py\n+if '), ['if '])
  assert.deepEqual(deltas('x'), ['x'])
  assert.deepEqual(deltas(' == "*** End'), [' == "*** End'])
  assert.deepEqual(deltas('\n*** End'), ['\n'])
  assert.deepEqual(deltas(' Patch\n'), [])
  assert.deepEqual(deltas('Bye'), ['Bye'])
})

describe('the end', () => {
  test('the reason decides about the last hunk of a diff, and about nothing else', () => {
    const end = (text, reason) => readEdits({}, [text], reason).at(-1).type
    const diff = '--- a\n+++ a\n@@ -1,5 +1,5 @@\n-x\n'
    for (const reason of ['stop', 'tool_calls', 'tool-calls', 'tool_use', 'function_call', 'end_turn', 'stop_sequence', 'STOP', 'COMPLETE', 'TOOL_CALL', 'completed']) assert.equal(end(diff, reason), 'file-done', reason)
    for (const reason of ['length', 'max_tokens', 'error', '', 'stopped', null, undefined]) assert.equal(end(diff, reason), 'malformed', reason)
    assert.equal(end('*** Begin Patch\n*** Delete File: a\n', 'stop'), 'malformed')
    assert.equal(end('a.b\n<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n', 'length'), 'file-done')
    assert.throws(() => new EditParser().finish(5), { name: 'TypeError', message: 'EditParser.finish takes a string, but got number 5' })
  })

  test('a message has the place', () => {
    const [event] = readEdits({}, ['Hi\n>>>>>>> REPLACE\n'], 'stop').slice(-1)
    const message = 'a REPLACE marker outside of a block: the one before it ended too early; at 3'
    assert.deepEqual(event, { type: 'malformed', code: 'stray-marker', message, span: [3, 19] })
  })
})

describe('options', () => {
  test('unknown and wrong ones are named', () => {
    const refused = (options, message) => assert.throws(() => new EditParser(options), { name: 'TypeError', message })
    refused({ format: [] }, 'EditParser has no option "format"; it takes formats, path, whole, spans, keepText')
    refused({ formats: ['diff'] }, 'EditParser.formats must be a list of v4a, search-replace, unified, but is an array of 1')
    refused({ formats: 'v4a' }, 'EditParser.formats must be a list of v4a, search-replace, unified, but is string "v4a"')
    refused({ path: 5 }, 'EditParser.path must be a string, but is number 5')
    refused({ whole: 'yes' }, 'EditParser.whole must be true or false, but is string "yes"')
    refused(5, 'EditParser takes an options object, but got number 5')
    assert.throws(() => extractEdits('', { spans: true }), { name: 'TypeError', message: 'extractEdits has no option "spans"; it takes formats, path, whole' })
    assert.throws(() => parseEdits('', { keep: true }), { name: 'TypeError', message: /^parseEdits has no option "keep"/ })
    assert.throws(() => new EditParser().feed(5), { name: 'TypeError', message: 'EditParser.feed takes a string, but got number 5' })
  })

  test('keepText: false leaves out the text of hunks that are done', () => {
    const text = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n'
    const done = (options) => readEdits(options, [text]).find(({ type }) => type === 'hunk-done')
    assert.deepEqual(done({ keepText: false }), { type: 'hunk-done', file: 0, hunk: 0 })
    assert.deepEqual(done({}), { type: 'hunk-done', file: 0, hunk: 0, old: '', new: 'x\n' })
  })

  test('no formats: all is text', () => {
    const text = '*** Begin Patch\n--- a\n+++ b\n>>>>>>> REPLACE\n'
    assert.equal(editLines(readEdits({ formats: [] }, pieces(text, 1))), `text ${JSON.stringify(text)}`)
  })
})

describe('snapshots', () => {
  test('each case goes on from every place', () => {
    for (const each of cases) {
      const options = { ...optionsOf(each), spans: true }
      for (let at = 0; at <= each.input.length; at++) {
        const before = new EditParser(options)
        const events = before.feed(each.input.slice(0, at))
        const after = EditParser.restore(JSON.parse(JSON.stringify(before.snapshot())))
        events.push(...after.feed(each.input.slice(at)), ...after.finish(each.finish))
        assert.equal(editLines(events), each.events.trimEnd(), `${each.name} at ${at}`)
        assertEditsTiled(events, each.input)
      }
    }
  })

  test('a parser that has ended stays so, and other options are refused', () => {
    const parser = new EditParser({ path: 'a' })
    parser.feed('oops\n>>>>>>> REPLACE\n')
    parser.finish('stop')
    const restored = EditParser.restore(parser.snapshot())
    assert.equal(restored.isComplete, false)
    assert.throws(() => restored.feed('x'), { code: 'finished' })
    assert.throws(() => EditParser.restore(parser.snapshot(), { path: 'b' }), { name: 'TypeError', message: /path is string "b"/ })
  })
})

describe('parseEdits', () => {
  const TEXT = 'a.b\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n'

  test('any source', async () => {
    const expected = editLines(readEdits({}, [TEXT]))
    const stream = () => new Response(TEXT).body.pipeThrough(new TextDecoderStream())
    for (const source of [TEXT, pieces(TEXT, 3), stream()]) assert.equal(editLines(await all(parseEdits(source))), expected)
  })

  test('leaving the loop stops the source, an abort does, and what is wrong is thrown', async () => {
    let isStopped = false
    async function* source() {
      try {
        for (;;) yield TEXT
      } finally {
        isStopped = true
      }
    }
    for await (const event of parseEdits(source())) if (event.type === 'file') break
    assert.ok(isStopped)
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await assert.rejects(parseEdits(source(), { signal: stop.signal }).next(), { message: 'enough' })
    await assert.rejects(parseEdits([5]).next(), { name: 'TypeError', message: 'parseEdits takes a string, but got number 5' })
    assert.throws(() => parseEdits(5), { name: 'TypeError' })
  })
})

describe('extractEdits', () => {
  test('files that are whole', () => {
    const text = `Look:
*** Begin Patch
*** Update File: a
*** Move to: b
@@ f
-1
+2
*** End of File
*** Update File: c
oops
*** Delete File: d
*** End Patch
e.py
<<<<<<< SEARCH
=======
3
>>>>>>> REPLACE
`
    assert.deepEqual(extractEdits(text), [
      { op: 'move', path: 'a', moveTo: 'b', hunks: [{ context: ['f'], old: '1\n', new: '2\n', atEnd: true }] },
      { op: 'delete', path: 'd', hunks: [] },
      { op: 'update', path: 'e.py', hunks: [{ context: [], old: '', new: '3\n' }] },
    ])
    assert.deepEqual(extractEdits(text, { formats: ['search-replace'] }).map(({ path }) => path), ['e.py'])
    assert.deepEqual(extractEdits('<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE', { path: 'p' }), [{ op: 'update', path: 'p', hunks: [{ context: [], old: '', new: '' }] }])
    assert.deepEqual(extractEdits(''), [])
    assert.throws(() => extractEdits(5), { name: 'TypeError' })
  })
})
