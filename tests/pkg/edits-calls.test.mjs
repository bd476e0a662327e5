// `EditArguments` and `EditCalls`: edits in the arguments of calls, whatever their order and wherever they are cut.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { EditArguments, EditCalls } from 'tokenweir/edits'
import { StreamingParser } from 'tokenweir/segments'
import { everyCut } from './support/cuts.mjs'
import { editLines } from './support/edit-reading.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

function read(options, chunks, reason) {
  const call = new EditArguments(options)
  const events = chunks.flatMap((chunk) => call.feed(chunk))
  events.push(...call.finish(reason))
  assert.deepEqual(call.finish(reason), [])
  assert.throws(() => call.feed('x'), { code: 'finished' })
  assert.equal(call.isComplete, events.every(({ type }) => type !== 'malformed'))
  return events
}

const json = JSON.stringify
const PATCH = '*** Begin Patch\n*** Update File: a\n@@ f\n-1\n+2\n*** End Patch'

/** Name, arguments, what comes of them; options and the reason. */
const CASES = [
  ['old and new', json({ path: 'a', old_string: 'A\n', new_string: 'B' }), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "A\\n"\nnew 0.0 "B"\ndone 0.0 "A\\n" "B"\ndone 0'],
  ['in another order (spec/edits.md, cases)', '{"new_string":"B","path":"a","old_string":"A"}', 'file 0 update "a" arguments\nhunk 0.0 []\nnew 0.0 "B"\nold 0.0 "A"\ndone 0.0 "A" "B"\ndone 0'],
  ['cut off before the bracket (spec/edits.md, cases)', '{"new_string":"B","path":"a","old_string":"A"', 'file 0 update "a" arguments\nhunk 0.0 []\nnew 0.0 "B"\nold 0.0 "A"\nmalformed unterminated 0.0 45..45', {}, 'tool_calls'],
  ['an empty side', '{"filePath":"a","oldString":"","newString":"B"}', 'file 0 update "a" arguments\nhunk 0.0 []\nnew 0.0 "B"\ndone 0.0 "" "B"\ndone 0'],
  ['escapes', String.raw`{"path":"a","content":"x\n\u00e9\ud83d\ude42\""}`, 'file 0 add "a" arguments\nhunk 0.0 []\nnew 0.0 "x\\né🙂\\""\ndone 0.0 "" "x\\né🙂\\""\ndone 0'],
  ['content alone, cut off', '{"path":"a","content":"x', 'file 0 add "a" arguments\nhunk 0.0 []\nnew 0.0 "x"\nmalformed unterminated 0.0 24..24', {}, 'stop'],
  ['a list', json({ path: 'a', edits: [{ old_text: '1', new_text: '2' }, { newText: '4', oldText: '3' }] }), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "1"\nnew 0.0 "2"\ndone 0.0 "1" "2"\nhunk 0.1 []\nnew 0.1 "4"\nold 0.1 "3"\ndone 0.1 "3" "4"\ndone 0'],
  ['a list before its path', json({ edits: [{ search: '1', replace: '2' }], file: 'a' }), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "1"\nnew 0.0 "2"\ndone 0.0 "1" "2"\ndone 0'],
  ['a list of files', json({ changes: [{ path: 'a', old_str: '1', new_str: '2' }, { new_str: '4', path: 'b', old_str: '3' }] }), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "1"\nnew 0.0 "2"\ndone 0.0 "1" "2"\nfile 1 update "b" arguments\nhunk 1.0 []\nnew 1.0 "4"\nold 1.0 "3"\ndone 1.0 "3" "4"\ndone 1\ndone 0'],
  ['a list of files, cut off', json({ changes: [{ path: 'a', old_str: '1', new_str: '2' }, { path: 'b', old_str: '3', new_str: '4' }] }).slice(0, -2), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "1"\nnew 0.0 "2"\ndone 0.0 "1" "2"\nfile 1 update "b" arguments\nhunk 1.0 []\nold 1.0 "3"\nnew 1.0 "4"\ndone 1.0 "3" "4"\nmalformed unterminated 1 93..93\nmalformed unterminated 0 93..93'],
  ['no new', json({ path: 'a', old_string: 'x' }), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "x"\nmalformed missing-argument 0.0 29..29'],
  ['no new in a list', json({ path: 'a', edits: [{ old_string: 'x' }, { old_string: 'y', new_string: 'z' }] }), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "x"\nmalformed missing-argument 0.0 39..39'],
  ['nothing', json({ path: 'a', dry: true }), 'malformed missing-argument 23..23'],
  ['null is nothing', json({ path: 'a', content: null, old_string: '1', new_string: '2' }), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "1"\nnew 0.0 "2"\ndone 0.0 "1" "2"\ndone 0'],
  ['no path', json({ old_string: '1', new_string: '2' }), 'malformed missing-path 35..35'],
  ['the path of the option', json({ old_string: '1', new_string: '2' }), 'file 0 update "p" arguments\nhunk 0.0 []\nold 0.0 "1"\nnew 0.0 "2"\ndone 0.0 "1" "2"\ndone 0', { path: 'p' }],
  ['a patch', json({ input: PATCH }), 'file 0 update "a" v4a\nhunk 0.0 ["f"]\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\ndone 0'],
  ['a patch of blocks', json({ path: 'a', diff: '<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE' }), 'file 0 update "a" search-replace\nhunk 0.0 []\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\ndone 0'],
  ['a patch of blocks, cut off after one', json({ path: 'a', diff: '<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n' }).slice(0, -2), 'file 0 update "a" search-replace\nhunk 0.0 []\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\nmalformed unterminated 0 43..43', {}, 'tool_calls'],
  ['a diff without counts, whole', json({ patch: '--- a\n+++ a\n@@ ... @@\n-1\n+2' }), 'file 0 update "a" unified\nhunk 0.0 []\nold 0.0 "1\\n"\nnew 0.0 "2"\ndone 0.0 "1\\n" "2"\ndone 0'],
  ['an update of apply_patch', json({ operation: { type: 'update_file', path: 'a', diff: '@@ f\n-1\n+2\n' } }), 'file 0 update "a" v4a\nhunk 0.0 ["f"]\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\ndone 0'],
  ['an update of apply_patch, diff first', json({ operation: { diff: '-1\n+2\n', path: 'a', type: 'update_file' } }), 'file 0 update "a" v4a\nhunk 0.0 []\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\ndone 0'],
  ['a new file of apply_patch', json({ operation: { type: 'create_file', path: 'a', diff: '+1\n+2' } }), 'file 0 add "a" v4a\nhunk 0.0 []\nnew 0.0 "1\\n2"\ndone 0.0 "" "1\\n2"\ndone 0'],
  ['a file of apply_patch that goes', json({ operation: { type: 'delete_file', path: 'a' } }), 'file 0 delete "a" v4a\ndone 0'],
  ['an update of apply_patch, cut off', json({ operation: { type: 'update_file', path: 'a', diff: '-1\n+2' } }).slice(0, -3), 'file 0 update "a" v4a\nhunk 0.0 []\nold 0.0 "1\\n"\nnew 0.0 "2"\nmalformed unterminated 0.0 5..5'],
  ['sent twice', json({ path: 'a', content: 'x' }).repeat(2), 'file 0 add "a" arguments\nhunk 0.0 []\nnew 0.0 "x"\ndone 0.0 "" "x"\nmalformed bad-arguments 0 26..26'],
  ['not JSON', 'path: a', 'malformed bad-arguments 0..0'],
  ['names of one\'s own', json({ datei: 'a', alt: '1', neu: '2', old_string: 'x' }), 'file 0 update "a" arguments\nhunk 0.0 []\nold 0.0 "1"\nnew 0.0 "2"\ndone 0.0 "1" "2"\ndone 0', { names: { path: ['datei'], old: ['alt'], new: ['neu'] } }],
]

describe(`EditArguments (SEED=${seed})`, () => {
  for (const [name, text, expected, options = {}, reason = 'tool_calls'] of CASES) {
    test(name, () => {
      for (const [cut, chunks] of everyCut(text, seed, { two: 60, pairs: 60 })) assert.equal(editLines(read(options, chunks, reason)), expected, cut)
    })
  }

  test('a flag replaces all', () => {
    for (const text of [json({ path: 'a', old_string: '1', new_string: '2', replace_all: true }), json({ replace_all: true, path: 'a', new_string: '2', old_string: '1' })]) {
      assert.equal(read({}, [text]).find(({ type }) => type === 'hunk-done').all, true)
    }
    const [done] = read({}, [json({ path: 'a', old_string: '1', new_string: '2', replace_all: false })]).filter(({ type }) => type === 'hunk-done')
    assert.deepEqual(done, { type: 'hunk-done', file: 0, hunk: 0, old: '1', new: '2' })
  })

  test('another type, another root and another path are bad-arguments', () => {
    for (const text of ['[1]', '{"path": 5}', '{"path": "a", "content": {}}', '{"path": "a", "old_string": "x", "path_": 1, "file": "b"}', '{"path": "a", "content": "x", "old_string": "y"}']) {
      const whole = editLines(read({}, [text]))
      assert.match(whole, /malformed bad-arguments/, text)
      for (const [cut, chunks] of everyCut(text, seed, { two: 60 })) assert.equal(editLines(read({}, chunks)), whole, cut)
    }
  })

  test('what waits for the path is bounded', () => {
    const call = new EditArguments()
    call.feed('{"content": "')
    const events = []
    for (let count = 0; count < 1_100; count++) events.push(...call.feed('x'.repeat(1_000)))
    assert.deepEqual(events.map(({ code }) => code), ['too-long'])
    assert.deepEqual(call.feed('", "path": "a"}'), [])
    assert.deepEqual(call.finish('stop'), [])
  })

  test('options', () => {
    assert.throws(() => new EditArguments({ spans: true }), { name: 'TypeError', message: 'EditArguments has no option "spans"; it takes names, path, keepText' })
    assert.throws(() => new EditArguments({ names: { route: ['x'] } }), { name: 'TypeError', message: /^EditArguments\.names must be an object of lists of names/ })
    assert.throws(() => new EditArguments().feed(5), { name: 'TypeError' })
    assert.equal('old' in read({ keepText: false }, [json({ path: 'a', content: 'x' })]).find(({ type }) => type === 'hunk-done'), false)
  })
})

const lines = (events) => editLines(events)
const WRITE = json({ path: 'a', content: 'x' })
const DONE = 'file 0 add "a" arguments\nhunk 0.0 []\nnew 0.0 "x"\ndone 0.0 "" "x"\ndone 0'

describe('EditCalls', () => {
  test('parts of the AI SDK and of its UI messages', () => {
    for (const [start, delta] of [
      [{ type: 'tool-input-start', id: 'c', toolName: 'write' }, (text) => ({ type: 'tool-input-delta', id: 'c', delta: text })],
      [{ type: 'tool-input-start', toolCallId: 'c', toolName: 'write' }, (text) => ({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: text })],
    ]) {
      const calls = new EditCalls({ tools: ['write'] })
      const events = [start, delta(WRITE.slice(0, 9)), delta(WRITE.slice(9)), { type: 'tool-input-end', id: 'c' }, { type: 'tool-call', toolCallId: 'c', toolName: 'write', input: WRITE }].flatMap((part) => calls.part(part))
      assert.equal(lines(events), DONE)
      assert.ok(events.every(({ callId, toolName }) => callId === 'c' && toolName === 'write'))
      assert.deepEqual(calls.end('stop'), [])
    }
  })

  test('custom tools have patches, other tools are left alone, calls that end early are cut off', () => {
    const calls = new EditCalls({ tools: { apply_patch: {} } })
    const part = (id, toolName, text) => [{ type: 'tool-input-start', id, toolName, inputEncoding: 'text' }, { type: 'tool-input-delta', id, delta: text }].flatMap((each) => calls.part(each))
    assert.equal(lines(part('c', 'apply_patch', ` \n${PATCH}`)), 'text " \\n"\nfile 0 update "a" v4a\nhunk 0.0 ["f"]\nold 0.0 "1\\n"\nnew 0.0 "2\\n"')
    assert.deepEqual(part('d', 'bash', '{"path": "a", "content": "x"}'), [])
    assert.equal(lines(calls.part({ type: 'tool-call', toolCallId: 'c', toolName: 'apply_patch', input: PATCH })), 'done 0.0 "1\\n" "2\\n"\ndone 0')
    part('e', 'apply_patch', '{"path": "a", "content": "x"')
    assert.equal(lines(calls.part({ type: 'finish', finishReason: 'tool-calls' })), 'malformed unterminated 0.0 28..28')
  })

  test('chunks of blocks; a call in tags that was cut off is malformed', () => {
    const run = (text) => {
      const calls = new EditCalls({ tools: ['write'] })
      const events = []
      const parser = new BlockParser({ onChunk: (chunk, meta) => events.push(...calls.chunk(chunk, meta)), onBlock: (event) => events.push(...calls.block(event)) })
      for (const unit of text) parser.processChunk(unit)
      parser.flush()
      return lines(events)
    }
    const call = '<function_calls><invoke name="write"><parameter name="path">a</parameter><parameter name="content">x</parameter></invoke></function_calls>'
    assert.equal(run(call), DONE)
    assert.match(run(call.slice(0, call.indexOf('</parameter></invoke>'))), /^file 0 add "a" arguments\nhunk 0\.0 \[\]\nnew 0\.0 "x"\nmalformed unterminated 0\.0 \d+\.\.\d+$/)
  })

  test('segments', () => {
    const run = (text) => {
      const calls = new EditCalls({ tools: [] })
      return lines(new StreamingParser().feedAndFinalize(text).flatMap((event) => calls.segment(event)))
    }
    assert.equal(run('Hi <write_file path="a">x</write_file>'), DONE)
    assert.equal(run('<write_file path="a">x'), 'file 0 add "a" arguments\nhunk 0.0 []\nnew 0.0 "x"\nmalformed unterminated 0.0 0..0')
    const patch = (text) => `<tool name="patch_file"><arguments><arg name="path">a</arg><arg name="patch">${text}</arg></arguments></tool>`
    assert.equal(run(patch('<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n')), 'file 0 update "a" search-replace\nhunk 0.0 []\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\ndone 0')
    assert.equal(run('<run_bash>ls</run_bash>'), '')
  })

  test('options', () => {
    for (const options of [undefined, {}, { tools: 'write' }, { tools: [1] }, { tools: {}, tool: 1 }, { tools: { a: { path: 5 } } }]) assert.throws(() => new EditCalls(options), { name: 'TypeError' }, json(options))
    assert.throws(() => new EditCalls({ tools: [] }).part(5), { name: 'TypeError' })
  })
})
