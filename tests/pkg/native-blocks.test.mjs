// NativeBlocks: each provider's events give the callbacks of BlockParser.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BlockParser } from 'tokenweir/blocks'
import * as api from 'tokenweir'
import { blocksOf, eventsOf, idsOf, methodOf, names, xmlOf } from '../../examples/streams/recordings.mjs'

const { NativeBlocks, ParseError } = api

/** Callbacks that write everything down, adjacent chunks joined. */
function recorder() {
  const log = []
  const blocks = []
  return {
    log,
    blocks,
    callbacks: {
      onChunk(text, meta) {
        assert.notEqual(text, '', 'a chunk is never empty')
        const last = log.at(-1)
        if (last?.chunk !== undefined && last.meta.blockIndex === meta.blockIndex && last.meta.toolCallPart === meta.toolCallPart) last.chunk += text
        else log.push({ chunk: text, meta: { ...meta } })
      },
      onBlock(event) {
        log.push(event)
        if (event.event === 'block_complete') blocks.push(event.block)
      },
    },
  }
}

/** A call's JSON without the white space that a provider puts between its tokens. */
function compact(log) {
  return log.map((entry) => (entry.meta?.toolCallPart === 'input' ? { ...entry, chunk: JSON.stringify(JSON.parse(entry.chunk)) } : entry))
}

/** What XML has no place for: the mark of a tool that the provider runs itself, signatures, citations. */
const NATIVE = ['hosted', 'signature', 'data', 'citations']

/** The same without it. */
function unmarked(log) {
  const without = (value) => value && Object.fromEntries(Object.entries(value).filter(([key]) => !NATIVE.includes(key)))
  return log.map((entry) => (entry.meta ? { ...entry, meta: without(entry.meta) } : entry.block ? { ...entry, block: without(entry.block) } : entry))
}

function handOut(ids) {
  let next = 0
  return () => {
    assert.ok(next < ids.length, 'generateId was asked once too often')
    return ids[next++]
  }
}

function never() {
  throw new Error('this call has an id of its own')
}

/** Feeds events and flushes. The log's form is checked on the way: indices from 0, one block open, nothing outside. */
function play(method, events, options = {}) {
  const seen = recorder()
  const blocks = new NativeBlocks({ ...seen.callbacks, ...options })
  const emissions = events.flatMap((event) => blocks[method](event).emissions).concat(blocks.flush().emissions)
  assertOrder(seen.log)
  assertSameEmissions(emissions, seen.log)
  return seen
}

function assertOrder(log) {
  let open = -1
  let next = 0
  for (const entry of log) {
    if (entry.event === 'block_start') {
      assert.equal(open, -1, 'two blocks are open')
      assert.equal(entry.index, next++)
      open = entry.index
    } else {
      assert.equal(entry.index ?? entry.meta.blockIndex, open)
      if (entry.event === 'block_complete') open = -1
    }
  }
  assert.equal(open, -1, 'a block was left open')
}

function assertSameEmissions(emissions, log) {
  const again = recorder()
  for (const emission of emissions) {
    if (emission.kind === 'content') again.callbacks.onChunk(emission.text, emission.meta)
    else again.callbacks.onBlock(emission.event)
  }
  assert.deepEqual(again.log, log)
}

/** The events of a complete tool call. */
function call(index, toolName, toolId, text, input = JSON.parse(text), hosted = {}) {
  const meta = { type: 'tool_call', visible: false, blockIndex: index, depth: 1, ...hosted }
  return [
    { event: 'block_start', index, block: { type: 'tool_call' } },
    { chunk: toolName, meta: { ...meta, toolCallPart: 'name', toolName } },
    { chunk: toolId, meta: { ...meta, toolCallPart: 'id', toolName, toolId } },
    { chunk: text, meta: { ...meta, toolCallPart: 'input', toolName, toolId } },
    { event: 'block_complete', index, block: { type: 'tool_call', toolId, toolName, input, ...hosted } },
  ]
}

/** The events of a complete text or thinking block. */
function plain(index, type, content) {
  return [
    { event: 'block_start', index, block: { type } },
    ...(content === '' ? [] : [{ chunk: content, meta: { type, visible: type === 'text', blockIndex: index } }]),
    { event: 'block_complete', index, block: { type, content } },
  ]
}

function result(index, toolId, content, more = {}) {
  return [
    { event: 'block_start', index, block: { type: 'tool_result' } },
    { chunk: content, meta: { type: 'tool_result', visible: false, blockIndex: index, toolId, ...(more.hosted && { hosted: true }) } },
    { event: 'block_complete', index, block: { type: 'tool_result', content, toolId, ...more } },
  ]
}

// Events of the providers, in short.
const anthropic = {
  start: (index, content_block) => ({ type: 'content_block_start', index, content_block }),
  use: (index, id, name, input = {}) => anthropic.start(index, { type: 'tool_use', id, name, input }),
  delta: (index, delta) => ({ type: 'content_block_delta', index, delta }),
  text: (index, text) => anthropic.delta(index, { type: 'text_delta', text }),
  json: (index, partial_json) => anthropic.delta(index, { type: 'input_json_delta', partial_json }),
  stop: (index) => ({ type: 'content_block_stop', index }),
  end: (stop_reason) => [{ type: 'message_delta', delta: { stop_reason } }, { type: 'message_stop' }],
}
const chat = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const piece = (index, text, more = {}) => chat({ tool_calls: [{ index, ...more, function: { arguments: text, ...more.function } }] })

describe('the guarantee: same blocks in, same callbacks out, in every form', () => {
  assert.ok(names.length >= 5, 'there are recordings')
  for (const name of names) {
    const ids = idsOf(name)
    const native = play(methodOf(name), eventsOf(name), { generateId: never })

    test(`${name}: the events give the blocks that are in the recording`, () => {
      const said = native.blocks.map(({ signature, data, citations, ...block }) => block)
      assert.deepEqual(said, blocksOf(name))
    })

    for (const size of [1, 3, 17, 1_000_000]) {
      test(`${name}: the XML in chunks of ${size} gives the same callbacks`, () => {
        const xml = recorder()
        const parser = new BlockParser({ ...xml.callbacks, generateId: handOut(ids) })
        const text = xmlOf(name)
        for (let at = 0; at < text.length; at += size) parser.processChunk(text.slice(at, at + size))
        parser.flush()
        assert.deepEqual(compact(xml.log), unmarked(compact(native.log)))
      })
    }
  }

  test('the XML is what convert.mjs writes', () => {
    const script = fileURLToPath(new URL('../../examples/streams/convert.mjs', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.equal(stdout.trim().split('\n').length, names.length)
  })

  test('a recording that was changed is noticed', () => {
    const xml = recorder()
    const parser = new BlockParser({ ...xml.callbacks, generateId: handOut(idsOf('anthropic-tools')) })
    parser.processChunk(xmlOf('anthropic-tools').replace('fahrenheit', 'celsius'))
    parser.flush()
    assert.notDeepEqual(compact(xml.log), compact(play('anthropic', eventsOf('anthropic-tools')).log))
  })

  test('the same reply from four providers, streamed and complete', () => {
    const want = [...plain(0, 'thinking', 'Hm.'), ...plain(1, 'text', 'Let me see.'), ...call(2, 'search', 'id_1', '{"q":"rain"}')]
    const streams = {
      anthropic: [
        { type: 'message_start', message: { content: [] } },
        anthropic.start(0, { type: 'thinking', thinking: '', signature: '' }),
        anthropic.delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
        anthropic.delta(0, { type: 'thinking_delta', thinking: '.' }),
        anthropic.stop(0),
        anthropic.start(1, { type: 'text', text: '' }),
        { type: 'ping' },
        anthropic.text(1, 'Let me '),
        anthropic.text(1, 'see.'),
        anthropic.stop(1),
        anthropic.use(2, 'id_1', 'search'),
        anthropic.json(2, ''),
        anthropic.json(2, '{"q":'),
        anthropic.json(2, '"rain"}'),
        anthropic.stop(2),
        ...anthropic.end('tool_use'),
      ],
      openai: [
        chat({ role: 'assistant', content: '' }),
        chat({ reasoning_content: 'Hm' }),
        chat({ reasoning_content: '.', content: null }),
        chat({ content: 'Let me ' }),
        chat({ content: 'see.' }),
        piece(0, '', { id: 'id_1', type: 'function', function: { name: 'search' } }),
        piece(0, '{"q":'),
        piece(0, '"rain"}'),
        chat({}, 'tool_calls'),
        { choices: [], usage: { total_tokens: 9 } },
      ],
      openaiResponses: [
        { type: 'response.created', response: { output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', summary: [] } },
        { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0 },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Hm' },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: '.' },
        { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text: 'Hm.' },
        { type: 'response.output_item.done', output_index: 0, item: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] } },
        { type: 'response.output_item.added', output_index: 1, item: { type: 'message', content: [] } },
        { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Let me ' },
        { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'see.' },
        { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'Let me see.' },
        { type: 'response.output_item.done', output_index: 1, item: { type: 'message', content: [{ type: 'output_text', text: 'Let me see.' }] } },
        { type: 'response.output_item.added', output_index: 2, item: { type: 'function_call', id: 'fc_1', call_id: 'id_1', name: 'search', arguments: '' } },
        { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"q":' },
        { type: 'response.function_call_arguments.delta', output_index: 2, delta: '"rain"}' },
        { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{"q":"rain"}' },
        { type: 'response.output_item.done', output_index: 2, item: { type: 'function_call', call_id: 'id_1', name: 'search', arguments: '{"q":"rain"}', status: 'completed' } },
        { type: 'response.completed', response: { output: [] } },
      ],
      aiSdk: [
        { type: 'start' },
        { type: 'start-step', request: {} },
        { type: 'reasoning-start', id: '0' },
        { type: 'reasoning-delta', id: '0', text: 'Hm' },
        { type: 'reasoning-delta', id: '0', text: '.' },
        { type: 'reasoning-end', id: '0' },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', text: 'Let me ' },
        { type: 'text-delta', id: '0', delta: 'see.' },
        { type: 'text-end', id: '0' },
        { type: 'tool-input-start', id: 'id_1', toolName: 'search' },
        { type: 'tool-input-delta', id: 'id_1', delta: '{"q":' },
        { type: 'tool-input-delta', id: 'id_1', delta: '"rain"}' },
        { type: 'tool-input-end', id: 'id_1' },
        { type: 'tool-call', toolCallId: 'id_1', toolName: 'search', input: { q: 'rain' } },
        { type: 'finish-step', finishReason: 'tool-calls' },
        { type: 'finish', finishReason: 'tool-calls' },
      ],
    }
    for (const [method, events] of Object.entries(streams)) assert.deepEqual(play(method, events, { generateId: never }).log, want, method)

    const input = { q: 'rain' }
    const whole = {
      'an Anthropic message': { type: 'message', content: [{ type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'Let me see.' }, { type: 'tool_use', id: 'id_1', name: 'search', input }], stop_reason: 'tool_use' },
      'its content': [{ type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'Let me see.' }, { type: 'tool_use', id: 'id_1', name: 'search', input }],
      'an OpenAI completion': { choices: [{ index: 0, finish_reason: 'tool_calls', message: { reasoning_content: 'Hm.', content: 'Let me see.', tool_calls: [{ id: 'id_1', type: 'function', function: { name: 'search', arguments: '{"q":"rain"}' } }] } }] },
      'its message': { role: 'assistant', reasoning: 'Hm.', content: 'Let me see.', tool_calls: [{ id: 'id_1', type: 'function', function: { name: 'search', arguments: '{"q":"rain"}' } }] },
      'a response': { object: 'response', output: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }, { type: 'message', content: [{ type: 'output_text', text: 'Let me see.' }] }, { type: 'function_call', call_id: 'id_1', name: 'search', arguments: '{"q":"rain"}', status: 'completed' }] },
      'an AI SDK result': { content: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text', text: 'Let me see.' }, { type: 'tool-call', toolCallId: 'id_1', toolName: 'search', input }], get output() { throw new Error('no output was asked for') } },
    }
    for (const [what, reply] of Object.entries(whole)) assert.deepEqual(play('message', [reply], { generateId: never }).log, want, what)
  })
})

describe('complete replies', () => {
  test('a string is one block with one chunk', () => {
    assert.deepEqual(play('message', ['The answer is 42.']).log, plain(0, 'text', 'The answer is 42.'))
  })

  test('each block is one chunk', () => {
    const { emissions } = new NativeBlocks().message([{ type: 'text', text: 'one two three' }])
    assert.equal(emissions.filter(({ kind }) => kind === 'content').length, 1)
  })

  test('empty text, an empty list and an empty reply make no block', () => {
    for (const reply of ['', [], { content: '' }, { content: null }, { choices: [] }, { output: [] }, { content: [{ type: 'text', text: '' }] }]) {
      assert.deepEqual(play('message', [reply]).log, [])
    }
  })

  test('an invalid reply is rejected by name', () => {
    for (const [value, name] of [[undefined, 'undefined'], [7, 'number 7'], [{}, 'an object of Object'], [Promise.resolve({ content: '' }), 'an object of Promise']]) {
      assert.throws(() => new NativeBlocks().message(value), (error) => error instanceof TypeError && error.message.includes(name), name)
    }
  })

  test('several replies go on with the indices', () => {
    const seen = recorder()
    const blocks = new NativeBlocks(seen.callbacks)
    blocks.message('one')
    blocks.emitToolResults([{ toolUseId: 't', content: 'r' }])
    blocks.openai(chat({ content: 'two' }, 'stop'))
    blocks.anthropic(anthropic.start(0, { type: 'text', text: 'three' }))
    blocks.anthropic(anthropic.stop(0))
    blocks.flush()
    assertOrder(seen.log)
    assert.deepEqual(seen.blocks.map(({ content }) => content), ['one', 'r', 'two', 'three'])
  })
})

describe('Anthropic', () => {
  test('redacted thinking and thinking without text are empty thinking blocks', () => {
    const want = [...plain(0, 'thinking', ''), ...plain(1, 'thinking', '')]
    const content = [{ type: 'redacted_thinking', data: 'c2VjcmV0' }, { type: 'thinking', thinking: '', signature: 'x' }]
    assert.deepEqual(unmarked(play('message', [content]).log), want)
    assert.deepEqual(unmarked(play('anthropic', content.flatMap((block, index) => [anthropic.start(index, block), anthropic.stop(index)])).log), want)
  })

  test('a call without input is {}, once it is known that it was not cut off', () => {
    const events = [anthropic.use(0, 'a', 'now'), anthropic.json(0, ''), anthropic.stop(0)]
    assert.deepEqual(play('anthropic', [...events, ...anthropic.end('tool_use')]).log, call(0, 'now', 'a', '{}'))
    assert.deepEqual(play('anthropic', events).log, call(0, 'now', 'a', '{}'))
    const two = [...events, anthropic.use(1, 'b', 'now'), anthropic.stop(1), ...anthropic.end('tool_use')]
    assert.deepEqual(play('anthropic', two).log, [...call(0, 'now', 'a', '{}'), ...call(1, 'now', 'b', '{}')])

    const cut = play('anthropic', [...events, ...anthropic.end('max_tokens')])
    assert.deepEqual(cut.blocks, [{ type: 'tool_call', toolId: 'a', toolName: 'now', input: {}, incomplete: true }])
    const whole = play('message', [{ content: [{ type: 'tool_use', id: 'a', name: 'now', input: {} }], stop_reason: 'max_tokens' }])
    assert.deepEqual(whole.log, cut.log)
  })

  test('input that came with the start is used if no delta follows', () => {
    assert.deepEqual(play('anthropic', [anthropic.use(0, 'a', 'f', { x: 1 }), anthropic.stop(0)]).log, call(0, 'f', 'a', '{"x":1}'))
    assert.deepEqual(play('anthropic', [anthropic.use(0, 'a', 'f', { x: 1 }), anthropic.json(0, '{"x":2}'), anthropic.stop(0)]).log, call(0, 'f', 'a', '{"x":2}'))
  })

  test('text that came with the start is a chunk', () => {
    const events = [anthropic.start(0, { type: 'text', text: 'a' }), anthropic.text(0, 'b'), anthropic.stop(0)]
    assert.deepEqual(play('anthropic', events).log, plain(0, 'text', 'ab'))
  })

  test('two text blocks in a row stay two', () => {
    const events = [0, 1].flatMap((index) => [anthropic.start(index, { type: 'text', text: '' }), anthropic.text(index, 'x'), anthropic.stop(index)])
    assert.deepEqual(play('anthropic', events).log, [...plain(0, 'text', 'x'), ...plain(1, 'text', 'x')])
  })

  test('server and MCP tools are hosted calls, and their results are hosted results', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'u' }] },
      { type: 'code_execution_tool_result', tool_use_id: 's', content: { type: 'code_execution_tool_result_error', error_code: 'unavailable' } },
      { type: 'mcp_tool_use', id: 'm', name: 'echo', server_name: 'n', input: { a: 1 } },
      { type: 'mcp_tool_result', tool_use_id: 'm', is_error: true, content: [{ type: 'text', text: 'no' }, { type: 'text', text: 'pe' }] },
    ]
    const want = [
      ...call(0, 'web_search', 's', '{"query":"q"}', { query: 'q' }, { hosted: true }),
      ...result(1, 's', '[{"type":"web_search_result","url":"u"}]', { hosted: true }),
      ...result(2, 's', '{"type":"code_execution_tool_result_error","error_code":"unavailable"}', { isError: true, hosted: true }),
      ...call(3, 'echo', 'm', '{"a":1}', { a: 1 }, { hosted: true }),
      ...result(4, 'm', 'nope', { isError: true, hosted: true }),
    ]
    assert.deepEqual(play('message', [{ content }]).log, want)
    assert.deepEqual(play('anthropic', content.flatMap((block, index) => [anthropic.start(index, block), anthropic.stop(index)])).log, want)
  })

  test('unknown events, blocks and deltas are passed over', () => {
    const events = [
      { type: 'future_event', index: 0 },
      anthropic.stop(0),
      anthropic.start(0, { type: 'fallback' }),
      anthropic.text(0, 'of a block that we do not know'),
      anthropic.stop(0),
      anthropic.start(1, { type: 'text', text: '' }),
      anthropic.delta(1, { type: 'citations_delta', citation: null }),
      anthropic.delta(1, { type: 'future_delta', text: 'x' }),
      anthropic.text(1, 'Hello'),
      anthropic.stop(1),
    ]
    assert.deepEqual(play('anthropic', events).log, plain(0, 'text', 'Hello'))
  })

  test('a delta whose start was lost is not lost', () => {
    assert.deepEqual(play('anthropic', [anthropic.text(3, 'Hel'), anthropic.text(3, 'lo')]).log, plain(0, 'text', 'Hello'))
    const [block] = play('anthropic', [anthropic.json(3, '{}')], { generateId: () => 'made' }).blocks
    assert.deepEqual(block, { type: 'tool_call', toolId: 'made', input: {}, incomplete: true })
  })

  test('a delta of another kind than its block makes a separate block', () => {
    const events = [anthropic.use(0, 'a', 'f'), anthropic.json(0, '{"x":1}'), anthropic.text(0, 'Hello'), anthropic.stop(0)]
    assert.deepEqual(play('anthropic', events).blocks, [{ type: 'tool_call', toolId: 'a', toolName: 'f', input: { x: 1 } }, { type: 'text', content: 'Hello' }])
    const cut = [anthropic.use(0, 'a', 'f'), anthropic.json(0, '{"x":'), anthropic.text(0, 'Hello'), anthropic.stop(0)]
    assert.deepEqual(play('anthropic', cut).blocks, [{ type: 'tool_call', toolId: 'a', toolName: 'f', content: '{"x":', incomplete: true }, { type: 'text', content: 'Hello' }])
  })

  test('interleaved blocks wait for each other', () => {
    const events = [
      anthropic.start(0, { type: 'text', text: '' }), anthropic.use(1, 'a', 'f'),
      anthropic.json(1, '{"x":'), anthropic.text(0, 'Hel'), anthropic.json(1, '1}'), anthropic.text(0, 'lo'),
      anthropic.stop(1), anthropic.stop(0),
    ]
    assert.deepEqual(play('anthropic', events).log, [...plain(0, 'text', 'Hello'), ...call(1, 'f', 'a', '{"x":1}')])
  })

  test('a reply that ends in the middle: the call is not to be run', () => {
    const events = [anthropic.start(0, { type: 'text', text: 'ok' }), anthropic.stop(0), anthropic.use(1, 'a', 'make_file'), anthropic.json(1, '{"name": "taxes'), ...anthropic.end('max_tokens')]
    const want = [{ type: 'text', content: 'ok' }, { type: 'tool_call', toolId: 'a', toolName: 'make_file', content: '{"name": "taxes', incomplete: true }]
    assert.deepEqual(play('anthropic', events).blocks, want)
    assert.deepEqual(play('anthropic', events.slice(0, 4)).blocks, want)
    assert.deepEqual(play('anthropic', [...events.slice(0, 4), { type: 'error', error: { type: 'overloaded_error' } }]).blocks, want)
    assert.deepEqual(play('anthropic', [...events.slice(0, 4), anthropic.stop(1)]).blocks, want)
  })
})

describe('OpenAI chat completions', () => {
  test('reasoning, refusals and legacy completions', () => {
    assert.deepEqual(play('openai', [chat({ reasoning: 'a' }), chat({ content: 'b' }), chat({ reasoning: 'c' }), chat({ content: 'd' }, 'stop')]).log, [
      ...plain(0, 'thinking', 'a'), ...plain(1, 'text', 'b'), ...plain(2, 'thinking', 'c'), ...plain(3, 'text', 'd'),
    ])
    // Some servers send the same reasoning under both names.
    assert.deepEqual(play('openai', [chat({ reasoning: 'a', reasoning_content: 'a' }, 'stop')]).log, plain(0, 'thinking', 'a'))
    assert.deepEqual(play('openai', [chat({ refusal: 'I can' }), chat({ refusal: 'not.' }, 'stop')]).log, plain(0, 'text', 'I cannot.'))
    assert.deepEqual(play('openai', [{ choices: [{ text: 'a', index: 0 }] }, { choices: [{ text: 'b', index: 0, finish_reason: 'stop' }] }]).log, plain(0, 'text', 'ab'))
    const parts = [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }, { type: 'text', text: 'b' }]
    assert.deepEqual(play('openai', [chat({ content: parts }, 'stop')]).log, [...plain(0, 'thinking', 'a'), ...plain(1, 'text', 'b')])
  })

  test('of several choices the first is read', () => {
    const chunk = { choices: [{ index: 1, delta: { content: 'no' } }, { index: 0, delta: { content: 'yes' } }] }
    assert.deepEqual(play('openai', [chunk]).log, plain(0, 'text', 'yes'))
  })

  test('parallel calls one after the other: the second streams as soon as the first is closed', () => {
    const seen = recorder()
    const blocks = new NativeBlocks(seen.callbacks)
    blocks.openai(piece(0, '{"x":1}', { id: 'a', function: { name: 'f' } }))
    blocks.openai(piece(1, '{"y":', { id: 'b', function: { name: 'g' } }))
    assert.equal(seen.blocks.length, 1)
    assert.equal(seen.log.at(-1).chunk, '{"y":')
    blocks.openai(piece(1, '2}'))
    blocks.openai(chat({}, 'tool_calls'))
    assert.deepEqual(seen.log, [...call(0, 'f', 'a', '{"x":1}'), ...call(1, 'g', 'b', '{"y":2}')])
  })

  test('interleaved calls: the second waits until the first is closed', () => {
    const seen = recorder()
    const blocks = new NativeBlocks(seen.callbacks)
    blocks.openai(chat({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":"}' } }, { index: 1, id: 'b', function: { name: 'g', arguments: '{"y":' } }] }))
    assert.equal(seen.blocks.length, 0, 'a bracket in a string closes nothing')
    blocks.openai(piece(0, '\\"'))
    blocks.openai(piece(1, '[2]'))
    blocks.openai(piece(0, '"}'))
    blocks.openai(piece(1, '}'))
    assert.equal(seen.blocks.length, 1)
    blocks.openai(chat({}, 'tool_calls'))
    assert.deepEqual(seen.log, [...call(0, 'f', 'a', '{"x":"}\\""}'), ...call(1, 'g', 'b', '{"y":[2]}')])
  })

  test('a name and an id that come late are given before the input', () => {
    const log = (events) => play('openai', events, { generateId: never }).log
    const want = call(0, 'f', 'a', '{"x":1}')
    assert.deepEqual(log([piece(0, '{"x"'), piece(0, ':1}', { id: 'a' }), piece(0, '', { function: { name: 'f' } }), chat({}, 'tool_calls')]), want)
    assert.deepEqual(log([piece(0, '', { function: { name: 'f' } }), piece(0, '{"x"'), piece(0, ':1}', { id: 'a' }), chat({}, 'tool_calls')]), want)
    assert.deepEqual(log([piece(0, '{"x"', { id: 'a', function: { name: 'f' } }), piece(0, ':1}', { id: 'a', function: { name: 'f' } }), chat({}, 'tool_calls')]), want, 'repeated')
  })

  test('the name, which may come in pieces, is emitted when the arguments begin', () => {
    const seen = recorder()
    const blocks = new NativeBlocks(seen.callbacks)
    blocks.openai(piece(0, '', { function: { name: 'f' } }))
    assert.deepEqual(seen.log, call(0, 'f', 'a', '{}').slice(0, 1))
    blocks.openai(piece(0, '{'))
    assert.deepEqual(seen.log, call(0, 'f', 'a', '{}').slice(0, 2))
  })

  test('a call without an id gets one when it ends; one without a name is incomplete', () => {
    const named = play('openai', [piece(0, '{"x":1}', { id: '', function: { name: 'f' } }), chat({}, 'tool_calls')], { generateId: () => 'made' })
    assert.deepEqual(named.log, call(0, 'f', 'made', '{"x":1}'))
    const { blocks, log } = play('openai', [piece(0, '{"x":1}', { id: 'a' }), chat({}, 'tool_calls')])
    assert.deepEqual(blocks, [{ type: 'tool_call', toolId: 'a', input: { x: 1 }, incomplete: true }])
    assert.deepEqual(log.map(({ meta }) => meta?.toolCallPart).filter(Boolean), ['id', 'input'])
  })

  test('the id that is made by default', () => {
    const made = new Set()
    for (let count = 0; count < 100; count++) {
      const [{ toolId }] = play('openai', [piece(0, '{}', { function: { name: 'f' } }), chat({}, 'tool_calls')]).blocks
      assert.match(toolId, /^toolu_[0-9A-Za-z]{24}$/)
      made.add(toolId)
    }
    assert.equal(made.size, 100)
  })

  test('the legacy function_call streams immediately', () => {
    const events = [chat({ function_call: { name: 'f', arguments: '' } }), chat({ function_call: { arguments: '{"x"' } }), chat({ function_call: { arguments: ':1}' } }), chat({}, 'function_call')]
    assert.deepEqual(play('openai', events, { generateId: () => 'made' }).log, call(0, 'f', 'made', '{"x":1}'))
  })

  test('servers without an index, or with the same for all', () => {
    const calls = [{ id: 'a', function: { name: 'f', arguments: '{"x":1}' } }, { id: 'b', function: { name: 'g', arguments: '{"y":2}' } }]
    const want = [...call(0, 'f', 'a', '{"x":1}'), ...call(1, 'g', 'b', '{"y":2}')]
    assert.deepEqual(play('openai', [chat({ tool_calls: calls }, 'tool_calls')]).log, want)
    assert.deepEqual(play('openai', [...calls.map((one) => chat({ tool_calls: [{ index: 0, ...one }] })), chat({}, 'tool_calls')]).log, want)
    // A changed id without a name starts nothing.
    assert.deepEqual(play('openai', [piece(0, '{"x"', { id: 'a', function: { name: 'f' } }), piece(0, ':1}', { id: 'z' }), chat({}, 'tool_calls')]).log, call(0, 'f', 'a', '{"x":1}'))
  })

  test('custom tools take free text', () => {
    const { blocks } = play('openai', [chat({ tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'select' } }] }), chat({ tool_calls: [{ index: 0, custom: { input: ' 1' } }] }), chat({}, 'tool_calls')])
    assert.deepEqual(blocks, [{ type: 'tool_call', toolId: 'a', toolName: 'sql', content: 'select 1' }])
    // A closed bracket ends no free text.
    const custom = (index, input, more) => ({ index, ...more, custom: { input, ...more?.custom } })
    const turns = [custom(0, '[a]', { id: 'a', custom: { name: 'f' } }), custom(1, '(b)', { id: 'b', custom: { name: 'g' } }), custom(0, ' or [c]')]
    const { blocks: two } = play('openai', [...turns.map((one) => chat({ tool_calls: [one] })), chat({}, 'tool_calls')])
    assert.deepEqual(two.map(({ content }) => content), ['[a] or [c]', '(b)'])
  })

  test('text in the middle of a call waits for it', () => {
    const events = [piece(0, '{"x":', { id: 'a', function: { name: 'f' } }), chat({ content: 'So' }), piece(0, '1}'), chat({ content: '.' }, 'stop')]
    assert.deepEqual(play('openai', events).log, [...call(0, 'f', 'a', '{"x":1}'), ...plain(1, 'text', 'So.')])
  })

  test('arguments after a closed call make no call that could be run', () => {
    const events = [piece(0, '{}', { id: 'a', function: { name: 'f' } }), chat({ content: 'x' }), piece(0, ' \n'), piece(0, '', { id: 'a', function: { name: 'f' } }), chat({ content: 'y' }), piece(0, '{"more":1}'), chat({}, 'stop')]
    const [first, text, stray] = play('openai', events, { generateId: () => 'made' }).blocks
    assert.deepEqual([first, text], [{ type: 'tool_call', toolId: 'a', toolName: 'f', input: {} }, { type: 'text', content: 'xy' }])
    assert.deepEqual(stray, { type: 'tool_call', toolId: 'made', input: { more: 1 }, incomplete: true })
  })

  test('cut off by length, by the filter or by the end of the stream', () => {
    const begun = [piece(0, '{"x":1}', { id: 'a', function: { name: 'f' } }), piece(1, '', { id: 'b', function: { name: 'g' } })]
    const first = { type: 'tool_call', toolId: 'a', toolName: 'f', input: { x: 1 } }
    const second = { type: 'tool_call', toolId: 'b', toolName: 'g', input: {} }
    const blocks = (...events) => play('openai', [...begun, ...events]).blocks
    assert.deepEqual(blocks(chat({}, 'tool_calls')), [first, second])
    for (const reason of ['length', 'content_filter']) assert.deepEqual(blocks(chat({}, reason)), [first, { ...second, incomplete: true }])
    assert.deepEqual(blocks(), [first, { ...second, incomplete: true }])
    assert.deepEqual(blocks(piece(1, '{"y":2}')), [first, { ...second, input: { y: 2 }, incomplete: true }], 'no finish_reason: the end may be missing')
    assert.deepEqual(blocks(piece(1, '{"y"')).at(-1), { type: 'tool_call', toolId: 'b', toolName: 'g', content: '{"y"', incomplete: true })
  })
})

describe('OpenAI responses', () => {
  const done = (output_index, item) => ({ type: 'response.output_item.done', output_index, item })
  const items = [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }, { type: 'summary_text', text: 'b' }], content: [{ type: 'reasoning_text', text: 'c' }] },
    { type: 'message', content: [{ type: 'output_text', text: 'd' }, { type: 'refusal', refusal: 'e' }] },
    { type: 'function_call', call_id: 'f', name: 'now', arguments: '' },
    { type: 'function_call_output', call_id: 'f', output: [{ type: 'input_text', text: 'noon' }] },
    { type: 'custom_tool_call', call_id: 'g', name: 'sql', input: 'select 1' },
    { type: 'mcp_call', id: 'h', name: 'echo', arguments: '{"x":1}', output: 'i' },
    { type: 'mcp_call', id: 'j', name: 'echo', arguments: '{}', error: { message: 'k' }, output: null },
    { type: 'web_search_call', id: 'ws', status: 'completed' },
  ]
  const want = [
    { type: 'thinking', content: 'c' },
    { type: 'text', content: 'd' }, { type: 'text', content: 'e' },
    { type: 'tool_call', toolId: 'f', toolName: 'now', input: {}, hosted: true },
    { type: 'tool_result', toolId: 'f', content: 'noon', hosted: true },
    { type: 'tool_call', toolId: 'g', toolName: 'sql', content: 'select 1' },
    { type: 'tool_call', toolId: 'h', toolName: 'echo', input: { x: 1 }, hosted: true },
    { type: 'tool_result', toolId: 'h', content: 'i', hosted: true },
    { type: 'tool_call', toolId: 'j', toolName: 'echo', input: {}, hosted: true },
    { type: 'tool_result', toolId: 'j', content: '{"message":"k"}', isError: true, hosted: true },
    { type: 'tool_call', toolId: 'ws', toolName: 'web_search', input: {}, hosted: true },
  ]

  test('items that are not streamed: complete, in their done events, or only at the end', () => {
    assert.deepEqual(play('message', [{ output: items }]).blocks, want)
    assert.deepEqual(play('openaiResponses', items.map((item, index) => done(index, item))).blocks, want)
    assert.deepEqual(play('openaiResponses', [{ type: 'response.completed', response: { output: items } }]).blocks, want)
    const twice = items.flatMap((item, index) => [done(index, item), done(index, item)])
    assert.deepEqual(play('openaiResponses', [...twice, { type: 'response.completed', response: { output: items } }]).blocks, want)
  })

  test('every part streamed', () => {
    const delta = (type, output_index, delta, more) => ({ type: `response.${type}.delta`, output_index, delta, ...more })
    const events = [
      delta('reasoning_summary_text', 0, 'a', { summary_index: 0 }),
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text: 'a' },
      delta('reasoning_summary_text', 0, 'b', { summary_index: 1 }),
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 1, text: 'b' },
      delta('reasoning_text', 0, 'c', { content_index: 0 }),
      done(0, items[0]),
      delta('output_text', 1, 'd', { content_index: 0 }),
      { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'd' },
      delta('refusal', 1, 'e', { content_index: 1 }),
      done(1, items[1]),
      { type: 'response.output_item.added', output_index: 2, item: { ...items[2], arguments: '' } },
      { type: 'response.function_call_arguments.done', output_index: 2, arguments: '' },
      done(2, items[2]),
      done(3, items[3]),
      { type: 'response.output_item.added', output_index: 4, item: { ...items[4], input: '' } },
      delta('custom_tool_call_input', 4, 'select'),
      delta('custom_tool_call_input', 4, ' 1'),
      { type: 'response.custom_tool_call_input.done', output_index: 4, input: 'select 1' },
      done(4, items[4]),
      { type: 'response.output_item.added', output_index: 5, item: { ...items[5], arguments: '', output: null } },
      delta('mcp_call_arguments', 5, '{"x":1}'),
      done(5, items[5]),
      { type: 'response.mcp_call_arguments.done', output_index: 6, arguments: '{}' },
      done(6, items[6]),
      done(7, items[7]),
      { type: 'response.completed', response: { output: items } },
    ]
    // A summary that was emitted can't be taken back: the thinking in full is left out.
    const summary = ['a', 'b'].map((content) => ({ type: 'thinking', content }))
    assert.deepEqual(play('openaiResponses', events).blocks, [...summary, ...want.slice(1)])
  })

  test('incomplete, failed and broken off', () => {
    const added = { type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', call_id: 'a', name: 'f', arguments: '' } }
    const delta = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"x":1}' }
    const item = { ...added.item, arguments: '{"x":1}', status: 'incomplete' }
    const cut = [{ type: 'tool_call', toolId: 'a', toolName: 'f', input: { x: 1 }, incomplete: true }]
    assert.deepEqual(play('openaiResponses', [added, delta, done(0, item)]).blocks, [{ type: 'tool_call', toolId: 'a', toolName: 'f', input: { x: 1 } }], 'an item that is done is complete')
    for (const end of [[], [{ type: 'response.incomplete', response: { output: [item] } }], [{ type: 'response.failed', response: { output: [] } }], [{ type: 'error' }], [{ type: 'response.created' }]]) {
      assert.deepEqual(play('openaiResponses', [added, delta, ...end]).blocks, cut)
    }
  })
})

describe('AI SDK', () => {
  test('tools that run while the model still writes: results wait for the open block', () => {
    const events = [
      { type: 'tool-input-start', id: 'a', toolName: 'f' },
      { type: 'tool-input-delta', id: 'a', delta: '{"x":1}' },
      { type: 'tool-input-end', id: 'a' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: { x: 1 } },
      { type: 'tool-input-start', id: 'b', toolName: 'g' },
      { type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { preliminary: 1 }, preliminary: true },
      { type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { n: 5 } },
      { type: 'tool-call', toolCallId: 'b', toolName: 'g', input: {} },
      { type: 'tool-error', toolCallId: 'b', toolName: 'g', error: new Error('broken') },
      { type: 'finish-step' },
    ]
    assert.deepEqual(play('aiSdk', events).log, [...call(0, 'f', 'a', '{"x":1}'), ...call(1, 'g', 'b', '{}'), ...result(2, 'a', '{"n":5}'), ...result(3, 'b', 'broken', { isError: true })])
  })

  test('parts of a provider: input as JSON text, results as result', () => {
    const events = [
      { type: 'stream-start', warnings: [] },
      { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: '{"x":1}' },
      { type: 'tool-result', toolCallId: 'a', toolName: 'f', result: 'r', isError: true },
      { type: 'tool-input-start', id: 'b', toolName: 'g', inputEncoding: 'text' },
      { type: 'tool-input-delta', id: 'b', delta: 'free' },
      { type: 'tool-input-end', id: 'b' },
      { type: 'tool-call', toolCallId: 'b', toolName: 'g', input: 'free' },
      { type: 'finish', finishReason: 'stop' },
    ]
    assert.deepEqual(play('aiSdk', events).blocks, [
      { type: 'tool_call', toolId: 'a', toolName: 'f', input: { x: 1 }, hosted: true },
      { type: 'tool_result', toolId: 'a', content: 'r', isError: true },
      { type: 'tool_call', toolId: 'b', toolName: 'g', content: 'free' },
    ])
  })

  test('the same ids in the next step', () => {
    const step = [{ type: 'start-step' }, { type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', text: 'x' }, { type: 'text-end', id: '0' }, { type: 'finish-step' }]
    assert.deepEqual(play('aiSdk', [...step, ...step]).log, [...plain(0, 'text', 'x'), ...plain(1, 'text', 'x')])
  })

  test('a delta whose start was lost, empty reasoning, aborted calls', () => {
    assert.deepEqual(play('aiSdk', [{ type: 'text-delta', id: '9', text: 'x' }]).log, plain(0, 'text', 'x'))
    assert.deepEqual(play('aiSdk', [{ type: 'reasoning-start', id: '0' }, { type: 'reasoning-end', id: '0' }]).log, plain(0, 'thinking', ''))
    for (const end of [{ type: 'abort' }, { type: 'error', error: 'x' }, { type: 'finish' }]) {
      const { blocks } = play('aiSdk', [{ type: 'tool-input-start', id: 'a', toolName: 'f' }, { type: 'tool-input-end', id: 'a' }, end])
      assert.deepEqual(blocks, [{ type: 'tool_call', toolId: 'a', toolName: 'f', input: {}, incomplete: true }])
    }
  })

  test('two complete calls with one id are two', () => {
    const part = { type: 'tool-call', toolCallId: '', toolName: 'f', input: {} }
    const ids = ['x', 'y']
    assert.deepEqual(play('aiSdk', [part, part], { generateId: () => ids.shift() }).log, [...call(0, 'f', 'x', '{}'), ...call(1, 'f', 'y', '{}')])
  })

  test('input that the SDK could not read is no input', () => {
    const [block] = play('aiSdk', [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: '{"x":', invalid: true }]).blocks
    assert.deepEqual(block, { type: 'tool_call', toolId: 'a', toolName: 'f', content: '{"x":', incomplete: true })
  })
})

describe('input', () => {
  const of = (text) => play('openai', [piece(0, text, { id: 'a', function: { name: 'f' } }), chat({}, 'stop')]).blocks[0]

  test('the chunks are the arguments as they came, and input is their JSON', () => {
    const text = ' { "x" : [1, 2.50],\n "y": null } '
    const { log } = play('openai', [...text].map((char, index) => piece(0, char, index === 0 ? { id: 'a', function: { name: 'f' } } : {})).concat(chat({}, 'stop')))
    assert.equal(log.find(({ meta }) => meta?.toolCallPart === 'input').chunk, text)
    assert.deepEqual(log.at(-1).block.input, { x: [1, 2.5], y: null })
  })

  test('text that is not a JSON object is content, and must not be executed', () => {
    for (const text of ['{"x":1', '[1]', '"x"', 'true', '7', '{} {}', 'rm -rf /']) {
      assert.deepEqual(of(text), { type: 'tool_call', toolId: 'a', toolName: 'f', content: text, incomplete: true })
    }
  })

  test('nothing and white space are {}', () => {
    assert.deepEqual(of('').input, {})
    const { log } = play('openai', [piece(0, ' \n', { id: 'a', function: { name: 'f' } }), chat({}, 'stop')])
    assert.deepEqual(JSON.parse(log.find(({ meta }) => meta?.toolCallPart === 'input').chunk), {})
  })

  test('names like __proto__ are keys like others', () => {
    const { input } = of('{"__proto__":{"polluted":true},"constructor":1}')
    assert.deepEqual(Object.keys(input), ['__proto__', 'constructor'])
    assert.equal(Object.getPrototypeOf(input), Object.prototype)
    assert.equal({}.polluted, undefined)
    for (const id of ['__proto__', 'constructor', 'toString']) {
      assert.deepEqual(play('aiSdk', [{ type: 'text-delta', id, text: 'x' }, { type: 'text-end', id }]).log, plain(0, 'text', 'x'))
      assert.deepEqual(play('anthropic', [anthropic.start(0, { type: id })]).log, [])
      assert.deepEqual(play('openaiResponses', [{ type: id }, { type: `${id}.delta`, delta: 'x' }]).log, [])
    }
  })

  test('deep and long input', () => {
    const deep = `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    assert.ok(Array.isArray(of(deep).input.x))
    assert.equal(of(`{"x":"${'y'.repeat(5_000_000)}"}`).input.x.length, 5_000_000)
  })
})

describe('bad events', () => {
  test('an event that is not an object is rejected by name', () => {
    for (const method of ['anthropic', 'openai', 'openaiResponses', 'aiSdk']) {
      for (const [value, name] of [['data: {}', 'string "data: {}"'], [null, 'null'], [undefined, 'undefined'], [[], 'an array of 0']]) {
        assert.throws(() => new NativeBlocks()[method](value), (error) => error instanceof TypeError && error.message.includes(`NativeBlocks.${method}`) && error.message.includes(name))
      }
    }
  })

  test('fields of any type never throw', () => {
    const values = [undefined, null, 0, -1, NaN, 1n, true, '', 'x', [], [null], ['x'], {}, { type: 'text' }, Symbol('s'), () => 1, new Date(0)]
    const events = [
      ...eventsOf('anthropic-tools'), ...eventsOf('anthropic-web-search'), ...eventsOf('anthropic-thinking'), ...eventsOf('openai-parallel-tools'), ...eventsOf('openai-responses'),
      { type: 'tool-input-start', id: 'a', toolName: 'f' }, { type: 'tool-input-delta', id: 'a', delta: '{}' }, { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} },
      { type: 'tool-result', toolCallId: 'a', output: 'r' }, { type: 'tool-error', toolCallId: 'a', error: 'r' }, { type: 'text-delta', id: '0', text: 'x' },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'mcp_call', id: 'a', name: 'f', arguments: '{}', output: 'x', error: null, status: 'completed' } },
    ]
    let tried = 0
    for (const event of events) {
      for (const broken of withEachField(event, values)) {
        const method = 'choices' in broken ? 'openai' : String(broken.type).startsWith('response.') ? 'openaiResponses' : /-/.test(String(broken.type)) ? 'aiSdk' : 'anthropic'
        // What can't be an event goes to `onUnknown`.
        play(method, [broken, event, broken], { onUnknown: () => {} })
        play('message', [{ content: [broken, broken.content_block], tool_calls: [broken], stop_reason: broken }, { output: [broken, broken.item] }, { choices: [broken] }])
        tried += 1
      }
    }
    assert.ok(tried > 10_000, `${tried} events`)
  })

  test('a getter that throws reaches the caller, and the next event is read', () => {
    const seen = recorder()
    const blocks = new NativeBlocks(seen.callbacks)
    assert.throws(() => blocks.anthropic({ get type() { throw new Error('mine') } }), /mine/)
    blocks.message('ok')
    assert.deepEqual(seen.log, plain(0, 'text', 'ok'))
  })
})

/** Copies of a value, each with one field, at any depth, replaced by each of the values. */
function* withEachField(value, values) {
  for (const key of Object.keys(value)) {
    for (const other of values) yield { ...value, [key]: other }
    if (typeof value[key] !== 'object' || value[key] === null) continue
    for (const other of withEachField(value[key], values)) yield Array.isArray(value) ? value.with(key, other) : { ...value, [key]: Array.isArray(value[key]) ? Object.values(other) : other }
  }
}

describe('tool results', () => {
  test('they equal those of BlockParser', () => {
    const results = [{ toolUseId: 'a', content: 'one' }, { toolUseId: 'b', content: [{ type: 'text', text: 't' }, { type: 'text', text: 'wo' }], isError: true }]
    const seen = recorder()
    const { emissions } = new NativeBlocks(seen.callbacks).emitToolResults(results)
    assert.deepEqual(seen.log, [...result(0, 'a', 'one'), ...result(1, 'b', 'two', { isError: true })])
    assertSameEmissions(emissions, seen.log)
    const xml = recorder()
    new BlockParser(xml.callbacks).emitToolResults(results)
    assert.deepEqual(xml.log, seen.log)
  })

  test('an invalid result is rejected by name, before any event', () => {
    for (const [results, name] of [['x', 'string "x"'], [[null], 'null'], [[{ content: 'x' }], 'undefined'], [[{ toolUseId: 'a', content: 'x' }, { toolUseId: 'a', content: 7 }], 'number 7']]) {
      const seen = recorder()
      assert.throws(() => new NativeBlocks(seen.callbacks).emitToolResults(results), (error) => error instanceof TypeError && error.message.includes(name), name)
      assert.deepEqual(seen.log, [])
    }
  })
})

describe('misuse', () => {
  test('options are checked by name', () => {
    for (const [options, name] of [[7, 'number 7'], [{ onchunk() {} }, '"onchunk"'], [{ onChunk: 'x' }, 'onChunk'], [{ onBlock: {} }, 'onBlock'], [{ generateId: 'x' }, 'generateId']]) {
      assert.throws(() => new NativeBlocks(options), (error) => error instanceof TypeError && error.message.includes(name), name)
    }
    assert.ok(new NativeBlocks())
  })

  test('feeding after flush is rejected until reset', () => {
    const isFinished = (error) => error instanceof ParseError && error.code === 'finished'
    const blocks = new NativeBlocks()
    assert.deepEqual(blocks.message('one').emissions.at(-1).event.index, 0)
    blocks.flush()
    assert.deepEqual(blocks.flush(), { emissions: [] })
    for (const feed of [() => blocks.message('x'), () => blocks.anthropic({}), () => blocks.openai({}), () => blocks.openaiResponses({}), () => blocks.aiSdk({})]) assert.throws(feed, isFinished)
    blocks.resetForNewIteration()
    assert.deepEqual(blocks.message('two').emissions.at(-1).event.index, 1)
    blocks.flush()
    blocks.reset()
    assert.deepEqual(blocks.message('three').emissions.at(-1).event.index, 0)
  })

  test('reset forgets open and waiting blocks', () => {
    const blocks = new NativeBlocks()
    blocks.openai(piece(0, '{"x":', { id: 'a', function: { name: 'f' } }))
    blocks.openai(piece(1, '{}', { id: 'b', function: { name: 'g' } }))
    blocks.reset()
    assert.deepEqual(blocks.flush().emissions, [])
  })

  test('feeding from inside a callback is rejected, and the callback may go on', () => {
    const codes = []
    const attempts = ['message', 'flush', 'reset', 'resetForNewIteration', 'emitToolResults']
    const blocks = new NativeBlocks({
      onChunk() {
        for (const attempt of attempts) {
          try {
            blocks[attempt](attempt === 'emitToolResults' ? [] : 'x')
          } catch (error) {
            codes.push(error instanceof ParseError && error.code)
          }
        }
      },
    })
    assert.equal(blocks.message('ok').emissions.length, 3)
    assert.deepEqual(codes, attempts.map(() => 'reentrant'))
    assert.equal(blocks.message('ok').emissions.length, 3)
  })

  test('another NativeBlocks may be fed from inside a callback', () => {
    const inner = recorder()
    const other = new NativeBlocks(inner.callbacks)
    new NativeBlocks({ onChunk: (text) => other.message(text) }).message('ok')
    assert.deepEqual(inner.log, plain(0, 'text', 'ok'))
  })

  test('a callback that throws: the rest is delivered, then its first error is thrown', () => {
    const seen = recorder()
    let thrown = 0
    const blocks = new NativeBlocks({
      onChunk: (text, meta) => {
        seen.callbacks.onChunk(text, meta)
        throw new Error(`error ${thrown++}`)
      },
      onBlock: seen.callbacks.onBlock,
    })
    const content = [{ type: 'text', text: 'a' }, { type: 'tool_use', id: 'i', name: 'f', input: {} }]
    assert.throws(() => blocks.message(content), /^Error: error 0$/)
    const want = [...plain(0, 'text', 'a'), ...call(1, 'f', 'i', '{}')]
    assert.deepEqual(seen.log, want)
    assert.equal(thrown, 4)
    assert.throws(() => blocks.message('b'), /^Error: error 4$/)
    assert.deepEqual(seen.log, [...want, ...plain(2, 'text', 'b')])
    assert.deepEqual(blocks.flush().emissions, [], 'nothing is left over')
  })

  test('generateId that throws or returns no string: the block is emitted, then the error is thrown', () => {
    for (const [generateId, message] of [[() => { throw new Error('mine') }, /mine/], [() => 7, /generateId.*number 7/], [() => '', /generateId.*string ""/]]) {
      const seen = recorder()
      const blocks = new NativeBlocks({ ...seen.callbacks, generateId })
      assert.throws(() => blocks.message({ content: '', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }), message)
      assertOrder(seen.log)
      assert.equal(seen.blocks[0].toolName, 'f')
      assert.deepEqual(blocks.flush().emissions, [])
    }
  })
})

describe('linear', () => {
  const shapes = {
    'one call in small pieces': (count) => [piece(0, '{"x":"', { id: 'a', function: { name: 'f' } }), ...Array.from({ length: count }, () => piece(0, 'xxxx')), piece(0, '"}'), chat({}, 'stop')],
    'two calls by turns that look closed': (count) => [piece(0, '"', { id: 'a', function: { name: 'f' } }), piece(1, '"', { id: 'b', function: { name: 'g' } }), ...Array.from({ length: count }, (_, index) => piece(index % 2, '{}}}')), chat({}, 'stop')],
    'an id that never comes': (count) => [piece(0, '', { function: { name: 'f' } }), ...Array.from({ length: count }, () => piece(0, 'xxxx')), chat({}, 'stop')],
    'calls that all wait for the first': (count) => [piece(0, '{', { id: 'a', function: { name: 'f' } }), ...Array.from({ length: count }, (_, index) => piece(index + 1, '{}', { id: `b${index}`, function: { name: 'g' } })), chat({}, 'stop')],
  }
  for (const [name, shape] of Object.entries(shapes)) {
    test(name, () => {
      const time = (count) => {
        const events = shape(count)
        const start = performance.now()
        const blocks = new NativeBlocks()
        for (const event of events) blocks.openai(event)
        blocks.flush()
        return performance.now() - start
      }
      // 16 times the events take about 16 times as long; a quadratic reader takes 256 times.
      // A busy machine can only spoil a round, so the best of a few counts.
      const ratios = []
      while (ratios.length < 6 && !ratios.some((ratio) => ratio < 40)) {
        const [few, many] = [time(8_000), time(128_000)]
        ratios.push(many / few)
      }
      assert.ok(Math.min(...ratios) < 64, `16 times the events took ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')} times as long`)
    })
  }
})
