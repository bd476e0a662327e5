// `EditArguments` and `EditCalls`: edits in the arguments of calls, whatever their order and wherever they are cut.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { NativeBlocks, readReply } from 'tokenweir'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { EditArguments, EditCalls } from 'tokenweir/edits'
import { StreamingParser } from 'tokenweir/segments'
import { ARGUMENT_CASES, PATCH } from './support/argument-cases.mjs'
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

describe(`EditArguments (SEED=${seed})`, () => {
  for (const [name, text, expected, options = {}, reason = 'tool_calls'] of ARGUMENT_CASES) {
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

  test('options', () => {
    assert.throws(() => new EditArguments({ whole: true }), { name: 'TypeError', message: 'EditArguments has no option "whole"; it takes names, path, spans, keepText' })
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

  test('native events: arguments, a custom tool, and the call of OpenAI that has an operation', async () => {
    const outcome = (send) => {
      const calls = new EditCalls({ tools: ['write', 'apply_patch'] })
      const events = []
      const blocks = new NativeBlocks({ onChunk: (text, meta) => events.push(...calls.chunk(text, meta)), onBlock: (event) => events.push(...calls.block(event)) })
      send(blocks)
      blocks.flush()
      return lines([...events, ...calls.end()])
    }
    const chat = (call) => ({ choices: [{ delta: { tool_calls: [{ index: 0, ...call }] } }] })
    const chats = [chat({ id: 'c', function: { name: 'write', arguments: '' } }), ...WRITE.match(/[^]{1,5}/g).map((text) => chat({ function: { arguments: text } }))]
    assert.equal(outcome((blocks) => [...chats, { choices: [{ delta: {}, finish_reason: 'tool_calls' }] }].forEach((event) => blocks.openai(event))), DONE)
    assert.equal(outcome((blocks) => chats.slice(0, -1).forEach((event) => blocks.openai(event))), `${DONE.slice(0, DONE.indexOf('\ndone'))}\nmalformed unterminated 0.0 ${WRITE.length - (WRITE.length % 5 || 5)}..${WRITE.length - (WRITE.length % 5 || 5)}`)

    const custom = { type: 'custom_tool_call', id: 'i', call_id: 'c', name: 'apply_patch' }
    const added = { type: 'response.output_item.added', output_index: 0, item: { ...custom, input: '' } }
    const deltas = PATCH.match(/[^]{1,9}/g).map((delta) => ({ type: 'response.custom_tool_call_input.delta', item_id: 'i', output_index: 0, delta }))
    const done = { type: 'response.output_item.done', output_index: 0, item: { ...custom, input: PATCH } }
    const patched = 'file 0 update "a" v4a\nhunk 0.0 ["f"]\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\ndone 0'
    assert.equal(outcome((blocks) => [added, ...deltas, done].forEach((event) => blocks.openaiResponses(event))), patched)
    assert.equal(outcome((blocks) => [added, done].forEach((event) => blocks.openaiResponses(event))), patched)
    assert.match(outcome((blocks) => [added, ...deltas.slice(0, -1)].forEach((event) => blocks.openaiResponses(event))), /\nmalformed unterminated 0 \d+\.\.\d+$/)

    const operation = { type: 'update_file', path: 'a', diff: '@@ f\n-1\n+2\n' }
    const hosted = { type: 'apply_patch_call', id: 'i', call_id: 'c', status: 'completed', operation }
    assert.equal(outcome((blocks) => blocks.openaiResponses({ type: 'response.output_item.done', output_index: 0, item: hosted })), patched)
  })

  test('boundaries of blocks alone', () => {
    const block = (block) => lines(new EditCalls({ tools: ['write', 'apply_patch'] }).block({ event: 'block_complete', index: 0, block: { type: 'tool_call', toolId: 'c', ...block } }))
    assert.equal(block({ toolName: 'write', input: JSON.parse(WRITE) }), DONE)
    assert.match(block({ toolName: 'apply_patch', content: PATCH }), /^file 0 update "a" v4a\n.*\ndone 0$/s)
    for (const other of [{ toolName: 'write', content: WRITE, incomplete: true }, { toolName: 'other', input: {} }, { toolName: 'write', input: JSON.parse(WRITE), hosted: true }, { toolName: 'write', input: JSON.parse(WRITE), insideThinking: true }, { toolName: 'write', input: JSON.parse(WRITE), inText: true }, { toolId: undefined, content: 'x' }]) assert.equal(block(other), '', json(other))
  })

  test('a reply that is read', async () => {
    const calls = new EditCalls({ tools: ['write'] })
    const events = []
    const body = [{ index: 0, id: 'c', function: { name: 'write', arguments: WRITE } }]
    const stream = [`data: ${json({ choices: [{ delta: { tool_calls: body } }] })}\n\n`, 'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n', 'data: [DONE]\n\n']
    const response = new Response(stream.join(''), { headers: { 'content-type': 'text/event-stream' } })
    const reply = readReply(response, { onChunk: (text, meta) => events.push(...calls.chunk(text, meta)), onBlock: (event) => events.push(...calls.block(event)) })
    await reply.result()
    assert.equal(lines(events), DONE)
  })

  test('parts of `ToolCallParser`; calls in thinking are left alone', () => {
    const calls = new EditCalls({ tools: ['write'] })
    const parser = new ToolCallParser({ format: 'hermes', tools: [{ name: 'write' }] })
    const text = `Hi <tool_call>{"name": "write", "arguments": ${WRITE}}</tool_call>`
    const parts = [...text.match(/[^]{1,7}/g).flatMap((chunk) => parser.text(chunk)), ...parser.finish({ type: 'finish', finishReason: 'tool-calls' })]
    assert.equal(lines(parts.flatMap((part) => calls.part(part))), DONE)
    const chunk = (meta) => new EditCalls({ tools: ['write'] }).chunk(WRITE, { type: 'tool_call', blockIndex: 0, toolCallPart: 'input', toolId: 'c', toolName: 'write', ...meta })
    assert.notEqual(chunk({}).length, 0)
    for (const meta of [{ insideThinking: true }, { inText: true }, { hosted: true }, { type: 'text' }, { toolCallPart: 'name' }, { toolName: 'other' }]) assert.deepEqual(chunk(meta), [], json(meta))
  })

  test('a whole call may have very many events', () => {
    const input = { path: 'a', edits: Array.from({ length: 60_000 }, () => ({ old_string: 'a', new_string: 'b' })) }
    const events = new EditCalls({ tools: ['edit'] }).part({ type: 'tool-call', toolCallId: 'c', toolName: 'edit', input })
    assert.equal(events.length, 1 + 60_000 * 4 + 1)
  })

  test('a call without deltas, with its input as JSON or as an object; input that fails; an abort', () => {
    const run = (...parts) => {
      const calls = new EditCalls({ tools: ['write', 'apply_patch'] })
      return lines([...parts.flatMap((part) => calls.part(part)), ...calls.end()])
    }
    const start = { type: 'tool-input-start', toolCallId: 'c', toolName: 'write' }
    assert.equal(run({ type: 'tool-call', toolCallId: 'c', toolName: 'write', input: WRITE }), DONE)
    assert.equal(run({ type: 'tool-input-available', toolCallId: 'c', toolName: 'write', input: JSON.parse(WRITE) }), DONE)
    assert.match(run({ type: 'tool-call', toolCallId: 'c', toolName: 'apply_patch', input: PATCH }), /\ndone 0$/)
    assert.equal(run({ type: 'tool-call', toolCallId: 'c', toolName: 'write', input: WRITE, providerExecuted: true }), '')
    assert.equal(run(start), 'malformed unterminated 0..0')
    assert.equal(run(start, { type: 'tool-input-error', toolCallId: 'c', toolName: 'write', input: {}, errorText: 'no' }), 'malformed unterminated 0..0')
    assert.equal(run(start, { type: 'abort' }), 'malformed unterminated 0..0')
    assert.equal(run({ type: 'tool-call', toolCallId: 'c', toolName: 'write', input: '' }), 'malformed missing-argument 0..0')
  })

  test('segments', () => {
    const run = (text) => {
      const calls = new EditCalls({ tools: [] })
      return lines(new StreamingParser().feedAndFinalize(text).flatMap((event) => calls.segment(event)))
    }
    assert.equal(run('Hi <write_file path="a">x</write_file>'), DONE)
    assert.equal(run('<write_file path="a">x'), 'file 0 add "a" arguments\nhunk 0.0 []\nnew 0.0 "x"\nmalformed unterminated 0.0 1..1')
    const patch = (text) => `<tool name="patch_file"><arguments><arg name="path">a</arg><arg name="patch">${text}</arg></arguments></tool>`
    assert.equal(run(patch('<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n')), 'file 0 update "a" search-replace\nhunk 0.0 []\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\ndone 0')
    assert.equal(run('<run_bash>ls</run_bash>'), '')
    for (const tool of ['patch_file', 'edit_file']) {
      const text = patch('<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n<<<<<<< SEARCH\n3\n=======\n4\n').replace('patch_file', tool)
      const cut = run(text.slice(0, text.indexOf('</arg></arguments>')))
      assert.equal(cut, 'file 0 update "a" search-replace\nhunk 0.0 []\nold 0.0 "1\\n"\nnew 0.0 "2\\n"\ndone 0.0 "1\\n" "2\\n"\nhunk 0.1 []\nold 0.1 "3\\n"\nnew 0.1 "4\\n"\nmalformed unterminated 0.1 70..70')
      assert.equal(run(text), cut, 'the block has no end, though the segment has')
    }
  })

  test('a segment that never ends is cut off, by the next one and by the end', () => {
    const start = (id) => ({ type: 'SEGMENT_START', segment_id: id, segment_type: 'write_file', payload: { metadata: { path: id } } })
    const calls = new EditCalls({ tools: [] })
    calls.segment(start('a'))
    const events = calls.segment(start('b'))
    assert.deepEqual(events.map(({ type, callId, code }) => [type, callId, code]), [['malformed', 'a', 'unterminated'], ['file', 'b', undefined], ['hunk', 'b', undefined]])
    assert.deepEqual(calls.segment({ type: 'SEGMENT_CONTENT', segment_id: 'a', payload: { delta: 'x' } }), [])
    assert.deepEqual(calls.end('stop').map(({ type, callId }) => [type, callId]), [['malformed', 'b']])
    assert.deepEqual(calls.end('stop'), [])
  })

  test('options', () => {
    for (const options of [undefined, {}, { tools: 'write' }, { tools: [1] }, { tools: {}, tool: 1 }, { tools: { a: { path: 5 } } }]) assert.throws(() => new EditCalls(options), { name: 'TypeError' }, json(options))
    assert.throws(() => new EditCalls({ tools: [] }).part(5), { name: 'TypeError' })
  })
})
