// BlockParser: the contract of seed 001, prefill, tool results, options, misuse,
// parsers that feed each other, and adversarial input.
import assert from 'node:assert/strict'
import process from 'node:process'
import { describe, test } from 'node:test'
import { BlockParser, ParseError } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { NativeBlocks } from 'tokenweir'
import { cutAt, everyCut, pieces, random } from './support/cuts.mjs'
import { blocksOf, counter, joined, logOf, read, readElements, recorder, visibleOf } from './support/reading.mjs'
import { assertTiled, render } from './support/render.mjs'

const start = (index, type) => ({ event: 'block_start', index, block: { type } })
const complete = (index, block) => ({ event: 'block_complete', index, block })
const chunk = (text, meta) => ({ chunk: text, meta })

/** A complete block of text, thinking or a result. */
function plain(index, type, content, more = {}) {
  const id = more.toolId === undefined ? {} : { toolId: more.toolId }
  return [start(index, type), ...(content === '' ? [] : [chunk(content, { type, visible: type === 'text', blockIndex: index, ...id })]), complete(index, { type, content, ...more })]
}

/** A complete tool call. */
function call(index, toolName, toolId, json, more = {}) {
  const meta = { type: 'tool_call', visible: false, blockIndex: index, depth: 1, toolName }
  return [
    start(index, 'tool_call'),
    chunk(toolName, { ...meta, toolCallPart: 'name' }),
    chunk(toolId, { ...meta, toolCallPart: 'id', toolId }),
    chunk(json, { ...meta, toolCallPart: 'input', toolId, ...(more.incomplete && { incomplete: true }) }),
    complete(index, { type: 'tool_call', toolId, toolName, input: JSON.parse(json), ...more }),
  ]
}

// The two streams of the seed, "Example Stream", with the sequences it states.
// Its metas of tool calls are a part of ours.
const HELLO = 'Hello <thinking>let me think</thinking>The answer is 42.'
const HELLO_LOG = [
  { event: 'block_start', index: 0, block: { type: 'text' } },
  { chunk: 'Hello ', meta: { type: 'text', visible: true, blockIndex: 0 } },
  { event: 'block_complete', index: 0, block: { type: 'text', content: 'Hello ' } },
  { event: 'block_start', index: 1, block: { type: 'thinking' } },
  { chunk: 'let me think', meta: { type: 'thinking', visible: false, blockIndex: 1 } },
  { event: 'block_complete', index: 1, block: { type: 'thinking', content: 'let me think' } },
  { event: 'block_start', index: 2, block: { type: 'text' } },
  { chunk: 'The answer is 42.', meta: { type: 'text', visible: true, blockIndex: 2 } },
  { event: 'block_complete', index: 2, block: { type: 'text', content: 'The answer is 42.' } },
]
const CALL = 'Let me check.<function_calls>\n<invoke name="search">\n<parameter name="query">weather</parameter>\n</invoke>\n</function_calls>'
const CALL_LOG = [
  { event: 'block_start', index: 0, block: { type: 'text' } },
  { chunk: 'Let me check.', meta: { type: 'text', visible: true, blockIndex: 0 } },
  { event: 'block_complete', index: 0, block: { type: 'text', content: 'Let me check.' } },
  { event: 'block_start', index: 1, block: { type: 'tool_call' } },
  { chunk: 'search', meta: { type: 'tool_call', visible: false, blockIndex: 1, toolCallPart: 'name' } },
  { chunk: 'tool_123', meta: { type: 'tool_call', visible: false, blockIndex: 1, toolCallPart: 'id' } },
  { chunk: '{"query":"weather"}', meta: { type: 'tool_call', visible: false, blockIndex: 1, toolCallPart: 'input' } },
  { event: 'block_complete', index: 1, block: { type: 'tool_call', toolName: 'search', toolId: 'tool_123', input: { query: 'weather' } } },
]
const RESULT_LOG = [
  { event: 'block_start', index: 2, block: { type: 'tool_result' } },
  { chunk: 'Results: ...', meta: { type: 'tool_result', visible: false, blockIndex: 2, toolId: 'tool_123' } },
  { event: 'block_complete', index: 2, block: { type: 'tool_result', content: 'Results: ...', toolId: 'tool_123' } },
]
const FOUND_LOG = [
  { event: 'block_start', index: 3, block: { type: 'text' } },
  { chunk: 'Found it!', meta: { type: 'text', visible: true, blockIndex: 3 } },
  { event: 'block_complete', index: 3, block: { type: 'text', content: 'Found it!' } },
]
const SEARCH_LOG = [...CALL_LOG, ...RESULT_LOG, ...FOUND_LOG]
const RESULT = '<function_results>\n<result tool_use_id="tool_123">Results: ...</result>\n</function_results>'
const SEARCH = `${CALL}${RESULT}Found it!`
const tool123 = { generateId: () => 'tool_123' }

/** The log with the metas of tool calls as the seed has them. */
const asInSeed = (log) => log.map((entry) => (entry.meta?.toolCallPart === undefined ? entry : chunk(entry.chunk, { type: entry.meta.type, visible: entry.meta.visible, blockIndex: entry.meta.blockIndex, toolCallPart: entry.meta.toolCallPart })))

const MIXED = `Hi <b>you</b> <thinking>a < b, </b> </thinking>${SEARCH} 1 < 2 <i>ok</i>`

describe("the seed's streams", () => {
  test('text and thinking, at every cut', () => {
    for (const [cut, chunks] of everyCut(HELLO)) assert.deepEqual(joined(read(chunks)), HELLO_LOG, cut)
  })

  test('a tool call, its result and text, at every cut', () => {
    for (const [cut, chunks] of everyCut(SEARCH)) assert.deepEqual(asInSeed(joined(read(chunks, tool123))), SEARCH_LOG, cut)
  })

  test('the same where the program emits the results, at every cut of the call', () => {
    for (const [cut, chunks] of everyCut(CALL)) {
      const { log, ...callbacks } = recorder()
      const parser = new BlockParser({ ...callbacks, ...tool123 })
      for (const each of chunks) parser.processChunk(each)
      parser.flush()
      parser.emitToolResults([{ toolUseId: 'tool_123', content: 'Results: ...' }])
      parser.resetForNewIteration()
      parser.push(RESULT)
      parser.processChunk('Found it!')
      parser.flush()
      assert.deepEqual(asInSeed(joined(log)), SEARCH_LOG, cut)
    }
  })

  test('tool call chunks carry depth, name and id once they are known', () => {
    const log = joined(read([CALL], tool123))
    assert.deepEqual(log.slice(3), call(1, 'search', 'tool_123', '{"query":"weather"}'))
  })

  test('the name comes as soon as the opening tag is complete, the input as soon as it is decided', () => {
    const parser = new BlockParser(tool123)
    const emitted = (text) => logOf(parser.processChunk(text).emissions).filter(({ chunk: text }) => text !== undefined).map(({ chunk: text }) => text)
    assert.deepEqual(emitted('<function_calls><invoke name="search"'), [])
    assert.deepEqual(emitted('>'), ['search', 'tool_123'])
    assert.deepEqual(emitted('<parameter name="query">'), ['{"query":'])
    assert.deepEqual(emitted('wea'), ['"wea'])
    assert.deepEqual(emitted('ther '), ['ther'])
    assert.deepEqual(emitted('is'), [' is'])
    // It may be text of the value, until the grammar goes on.
    assert.deepEqual(emitted('</parameter>'), [])
    assert.deepEqual(emitted('</invoke>'), ['"}'])
  })
})

describe("the seed's nine tests", () => {
  test('Visible filtering', () => {
    for (const [cut, chunks] of everyCut(HELLO)) {
      const log = read(chunks)
      assert.equal(visibleOf(log), 'Hello The answer is 42.', cut)
      for (const { meta } of log) if (meta !== undefined) assert.equal(meta.visible, meta.type === 'text')
    }
    // A chunk is visible with the chunk that brought it, not later.
    let spoken = ''
    const parser = new BlockParser({ onChunk: (text, meta) => (spoken += meta.visible ? text : '') })
    for (const [text, heard] of [['The ', 'The '], ['answer', 'The answer'], [' <', 'The answer '], ['think', 'The answer '], ['ing>no', 'The answer '], ['</thinking>is', 'The answer is']]) {
      parser.processChunk(text)
      assert.equal(spoken, heard)
    }
  })

  test('Partial tags', () => {
    const text = 'a <b>bold</b> <thinker> <thin> </think <thinkingly> 1 < 2 <'
    for (const [cut, chunks] of everyCut(text)) assert.deepEqual(joined(read(chunks)), plain(0, 'text', text), cut)
    // They come out as soon as they can't be a tag any more.
    const parser = new BlockParser()
    const emitted = (part) => logOf(parser.processChunk(part).emissions).flatMap(({ chunk: emitted }) => emitted ?? []).join('')
    assert.equal(emitted('<'), '')
    assert.equal(emitted('b'), '<b')
    assert.equal(emitted('><thinking'), '>')
    assert.equal(emitted('l'), '<thinkingl')
    assert.equal(emitted('y'), 'y')
    assert.equal(emitted('<thin<'), '<thin')
    assert.equal(emitted('thinking>x'), 'x')
  })

  test('XML tags not emitted', () => {
    for (const [cut, chunks] of everyCut(`<thinking >x</thinking\n>${SEARCH}</thinking></invoke>`)) {
      const emitted = read(chunks, tool123).map(({ chunk: text = '' }) => text).join('')
      assert.equal(emitted, 'xLet me check.searchtool_123{"query":"weather"}Results: ...Found it!', cut)
    }
  })

  test('Tool results', () => {
    const text = '<function_results><result tool_use_id="a">1 &lt; 2 <b>&amp;</b></result>\n<error tool_use_id=\'b\'>no</error></function_results>'
    const want = [...plain(0, 'tool_result', '1 < 2 <b>&</b>', { toolId: 'a' }), ...plain(1, 'tool_result', 'no', { toolId: 'b', isError: true })]
    for (const [cut, chunks] of everyCut(text)) assert.deepEqual(joined(read(chunks)), want, cut)
  })

  test('Block events', () => {
    const emitted = []
    const parser = new BlockParser({ onBlock: ({ event, index, block }) => emitted.push(`${event} ${index} ${block.type}`) })
    const steps = [
      ['', []],
      ['<thin', []],
      ['g', ['block_start 0 text']],
      ['<thinking', []],
      ['>', ['block_complete 0 text', 'block_start 1 thinking']],
      ['x</thinking', []],
      ['>', ['block_complete 1 thinking']],
      ['<function_calls>', []],
      ['<invoke name="f">', ['block_start 2 tool_call']],
      ['</invoke>', ['block_complete 2 tool_call']],
      ['</function_calls>', []],
      ['.', ['block_start 3 text']],
    ]
    for (const [text, events] of steps) {
      parser.processChunk(text)
      assert.deepEqual(emitted.splice(0), events, text)
    }
    parser.flush()
    assert.deepEqual(emitted, ['block_complete 3 text'])
  })

  test('Interleaving', () => {
    for (const [cut, chunks] of everyCut(MIXED)) {
      let open = -1
      let count = 0
      for (const { event, index, meta } of read(chunks)) {
        if (event === 'block_start') {
          assert.equal(open, -1, cut)
          open = index
          assert.equal(index, count++, cut)
        } else {
          assert.equal(index ?? meta.blockIndex, open, cut)
          if (event === 'block_complete') open = -1
        }
      }
      assert.deepEqual([open, count], [-1, 6], cut)
    }
  })

  test('Content reconstruction', () => {
    for (const [cut, chunks] of everyCut(MIXED)) {
      const log = read(chunks, tool123)
      const text = log.filter(({ meta }) => meta !== undefined && meta.toolCallPart === undefined).map(({ chunk: text }) => text).join('')
      assert.equal(text, 'Hi <b>you</b> a < b, </b> Let me check.Results: ...Found it! 1 < 2 <i>ok</i>', cut)
      render(log)
    }
  })

  test('Non-streaming fallback', () => {
    const { log, onChunk, onBlock } = recorder()
    const blocks = new NativeBlocks({ onChunk, onBlock })
    blocks.message([
      { type: 'text', text: 'Let me check.' },
      { type: 'tool_use', id: 'tool_123', name: 'search', input: { query: 'weather' } },
      { type: 'tool_result', tool_use_id: 'tool_123', content: 'Results: ...' },
      { type: 'text', text: 'Found it!' },
    ])
    blocks.flush()
    // Its output is beside it, so whoever sent the reply has run it.
    const hosted = (entry) => (entry.event === 'block_complete' && entry.block.type === 'tool_call' ? { ...entry, block: { ...entry.block, hosted: true } } : entry)
    assert.deepEqual(asInSeed(log), SEARCH_LOG.map(hosted))
    // The same reply as text, whole: each block is one chunk but for the parts of a call.
    assert.deepEqual(asInSeed(read([SEARCH], tool123)), SEARCH_LOG)
  })

  test('Chat mode parity', () => {
    const { log, onChunk, onBlock } = recorder()
    const blocks = new NativeBlocks({ onChunk, onBlock })
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'check.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'tool_123', name: 'search', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"query":' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"weather"}' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_stop' },
    ]
    for (const event of events) blocks.anthropic(event)
    blocks.emitToolResults([{ toolUseId: 'tool_123', content: 'Results: ...' }])
    blocks.message([{ type: 'text', text: 'Found it!' }])
    blocks.flush()
    assert.deepEqual(joined(log), joined(read(pieces(SEARCH, 3), tool123)))
  })
})

/** A parser with a log, with the pushed and fed text. */
function recorded(options = {}) {
  const { log, ...callbacks } = recorder()
  return { log, parser: new BlockParser({ ...callbacks, generateId: counter(), ...options }) }
}

describe('prefill', () => {
  /** The log of a stream after a prefill, at every cut of the stream; the prefill goes in whole and by units. */
  function after(prefill, text, want, options = {}) {
    for (const pushed of [[prefill], pieces(prefill, 1)]) {
      for (const [cut, chunks] of everyCut(text)) {
        const { log, parser } = recorded(options)
        for (const part of pushed) assert.equal(parser.push(part), undefined)
        assert.deepEqual(log, [])
        for (const each of chunks) parser.processChunk(each)
        parser.flush()
        assert.deepEqual(joined(log), want, `${pushed.length} pushed, ${cut}`)
        assert.equal(parser.getAccumulated(), prefill + text)
      }
    }
  }

  test('text continues in its own block', () => after('Once upon ', 'a time', plain(0, 'text', 'a time')))

  test('inside thinking', () => after('Well. <thinking>I', ' see.</thinking>Yes', [...plain(0, 'thinking', ' see.'), ...plain(1, 'text', 'Yes')]))

  test('inside thinking that ends immediately', () => after('<thinking>I see', '</thinking>Yes', plain(0, 'text', 'Yes')))

  test('in the middle of a tag that becomes one', () => after('Well. <thin', 'king>I see', plain(0, 'thinking', 'I see', { incomplete: true })))

  test('in the middle of a tag that turns out to be text: sent text is not sent again', () => after('Well. <thin', 'g>', plain(0, 'text', 'g>')))

  test('in the middle of a tag, and nothing follows', () => after('Well. <thin', '', []))

  test('inside an open value: the call is emitted whole', () => {
    after('<function_calls><invoke name="search"><parameter name="query">wea', 'ther</parameter></invoke></function_calls>', call(0, 'search', 'id_0', '{"query":"weather"}'))
  })

  test('inside a value that is not decided', () => {
    after('<invoke name="f"><parameter name="x"> [1,', ' 2] </parameter></invoke>', call(0, 'f', 'id_0', '{"x":[1, 2]}'))
  })

  test('between two parameters', () => {
    after('<invoke name="f"><parameter name="a">1</parameter>', '<parameter name="b">x y</parameter></invoke>', call(0, 'f', 'id_0', '{"a":1,"b":"x y"}'))
  })

  test('a declared string', () => {
    const tools = { f: { properties: { x: { type: 'string' } } } }
    after('<invoke name="f"><parameter name="x"> 1', '2 </parameter></invoke>', call(0, 'f', 'id_0', '{"x":" 12 "}'), { tools })
  })

  test('text inside the open call is emitted whole, after the call', () => {
    after('<invoke name="f"><parameter name="a"/>one <', 'b> two</invoke>', [...call(0, 'f', 'id_0', '{"a":""}'), start(1, 'tool_call'), chunk('one <b> two', { type: 'tool_call', visible: false, blockIndex: 1, depth: 1 }), complete(1, { type: 'tool_call', content: 'one <b> two' })])
  })

  test('in the middle of a tag that fails at the end: its text was sent before', () => {
    after("<thinking name='</thinking></result>", '', [])
    after("<thinking name='</thinking><thinking name=\"\">aa<thinking>", 'b', plain(0, 'thinking', 'b', { incomplete: true }))
    after("<function_results><thinking a='&lt;", '&gt;', plain(0, 'tool_result', '>', { incomplete: true }))
  })

  test('a call is announced by the next chunk, be it empty', () => {
    const { log, parser } = recorded()
    parser.push('<invoke name="f"><parameter name="x">a')
    parser.processChunk('')
    assert.deepEqual(log.map(({ chunk: text, event }) => text ?? event), ['block_start', 'f', 'id_0', '{"x":"a'])
  })

  test('a call that was complete in the prefill is not emitted, and takes no index', () => {
    after('<function_calls><invoke name="f"><parameter name="x">1</parameter></invoke>', '</function_calls>ok', plain(0, 'text', 'ok'))
  })

  test('a block that was open before ends with the next chunk', () => {
    const { log, parser } = recorded()
    parser.processChunk('abc')
    const emitted = log.length
    parser.push('def')
    assert.equal(log.length, emitted)
    parser.processChunk('ghi')
    parser.flush()
    assert.deepEqual(log, [...plain(0, 'text', 'abc'), ...plain(1, 'text', 'ghi')])
  })

  test('a call that was open before continues', () => {
    const { log, parser } = recorded()
    parser.processChunk('<invoke name="f"><parameter name="x">a')
    parser.push('b')
    parser.processChunk('c</parameter></invoke>')
    parser.flush()
    assert.deepEqual(joined(log), call(0, 'f', 'id_0', '{"x":"abc"}'))
  })

  test('a call that was open before and ended in the prefill is completed by the next chunk', () => {
    const { log, parser } = recorded()
    parser.processChunk('<invoke name="f"><parameter name="x">a')
    parser.push('b</parameter></invoke>text')
    parser.processChunk(' more')
    parser.flush()
    assert.deepEqual(joined(log), [...call(0, 'f', 'id_0', '{"x":"ab"}'), ...plain(1, 'text', ' more')])
  })

  test('spans count from the start of the prefill', () => {
    const prefill = 'Well. <thin'
    const text = 'king>I see</thinking>, yes'
    for (const [cut, chunks] of everyCut(text)) {
      const { log, parser } = recorded({ spans: true })
      parser.push(prefill)
      for (const each of chunks) parser.processChunk(each)
      parser.flush()
      for (const { chunk: emitted, markup, meta, span = meta?.span } of log) {
        if (span === undefined) continue
        assert.equal((prefill + text).slice(...span), emitted ?? markup, cut)
        assert.ok(span[0] >= prefill.length, cut)
      }
      assert.equal(log.map(({ chunk: emitted = '', markup = '' }) => emitted + markup).join(''), text, cut)
    }
  })

  test('depths and context are those of the prefill', () => {
    const { parser } = recorded()
    parser.push('<function_calls><function_calls><thinking><thinking>')
    assert.deepEqual(parser.getDepths(), { functionCalls: 2, functionResults: 0, thinking: 1 })
    assert.equal(parser.getContext(), 'function_calls(2) > thinking(1)')
    assert.equal(parser.getBlockIndex(), 0)
  })
})

describe('emitToolResults', () => {
  test('an open block is completed first, pending text is emitted', () => {
    const { log, parser } = recorded()
    parser.processChunk('abc<thin')
    const { emissions } = parser.emitToolResults([{ toolUseId: 't', content: 'r' }])
    assert.deepEqual(joined(log), [...plain(0, 'text', 'abc<thin'), ...plain(1, 'tool_result', 'r', { toolId: 't' })])
    assert.deepEqual(logOf(emissions), log.slice(2))
    parser.processChunk('more')
    parser.flush()
    assert.deepEqual(joined(log).slice(6), plain(2, 'text', 'more'))
  })

  test('an open call is incomplete', () => {
    const { log, parser } = recorded()
    parser.processChunk('<function_calls><invoke name="f"><parameter name="x">a')
    parser.emitToolResults([{ toolUseId: 't', content: 'r' }])
    assert.deepEqual(joined(log), [...call(0, 'f', 'id_0', '{"x":"a"}', { incomplete: true }), ...plain(1, 'tool_result', 'r', { toolId: 't' })])
  })

  test('after flush, and several together', () => {
    const { log, parser } = recorded()
    parser.processChunk('abc')
    parser.flush()
    parser.emitToolResults([{ toolUseId: 'a', content: '1' }, { toolUseId: 'b', content: '2', isError: true }, { toolUseId: 'c', content: '3', isError: false }])
    assert.deepEqual(log, [...plain(0, 'text', 'abc'), ...plain(1, 'tool_result', '1', { toolId: 'a' }), ...plain(2, 'tool_result', '2', { toolId: 'b', isError: true }), ...plain(3, 'tool_result', '3', { toolId: 'c' })])
    assert.equal(parser.getBlockIndex(), 4)
    assert.throws(() => parser.processChunk('x'), { code: 'finished' })
  })

  test('content blocks: text is joined, anything else is JSON', () => {
    const { log, parser } = recorded()
    parser.emitToolResults([{ toolUseId: 'a', content: [{ type: 'text', text: 'one ' }, { type: 'text', text: 'two' }] }, { toolUseId: 'b', content: [{ type: 'image', source: 's' }] }])
    assert.deepEqual(blocksOf(log).map(({ content }) => content), ['one two', '[{"type":"image","source":"s"}]'])
  })

  test('none and empty ones are the same as those of NativeBlocks', () => {
    for (const results of [[], [{ toolUseId: 't', content: '' }], [{ toolUseId: 't', content: [] }]]) {
      const one = recorder()
      const two = recorder()
      new BlockParser({ onChunk: one.onChunk, onBlock: one.onBlock }).emitToolResults(results)
      new NativeBlocks({ onChunk: two.onChunk, onBlock: two.onBlock }).emitToolResults(results)
      assert.deepEqual(one.log, two.log)
    }
  })

  test('anything but a list of results is rejected by name, and changes nothing', () => {
    const { log, parser } = recorded()
    parser.processChunk('abc')
    for (const [results, words] of [[undefined, /undefined/], ['x', /string "x"/], [[1], /result 0.*number 1/], [[{ content: 'x' }], /toolUseId of result 0.*undefined/], [[{ toolUseId: 't', content: 'x' }, { toolUseId: 't', content: 7 }], /content of result 1.*number 7/]]) {
      assert.throws(() => parser.emitToolResults(results), (error) => error instanceof TypeError && words.test(error.message) && error.message.startsWith('BlockParser.emitToolResults'))
    }
    parser.flush()
    assert.deepEqual(log, plain(0, 'text', 'abc'))
  })
})

describe('resetForNewIteration and reset', () => {
  test('a new iteration keeps index, depths and text', () => {
    const { log, parser } = recorded()
    parser.processChunk('<function_calls><invoke name="f">')
    const { emissions } = parser.resetForNewIteration()
    assert.equal(emissions.at(-1).event.block.incomplete, true)
    assert.deepEqual(parser.getDepths(), { functionCalls: 1, functionResults: 0, thinking: 0 })
    assert.equal(parser.getBlockIndex(), 1)
    parser.processChunk('</function_calls>ok')
    parser.flush()
    assert.deepEqual(joined(log).slice(-3), plain(1, 'text', 'ok'))
    assert.equal(parser.getAccumulated(), '<function_calls><invoke name="f"></function_calls>ok')
  })

  test('after flush it emits nothing more', () => {
    const { log, parser } = recorded()
    parser.processChunk('a')
    parser.flush()
    assert.deepEqual(parser.flush().emissions, [])
    assert.deepEqual(parser.resetForNewIteration().emissions, [])
    parser.processChunk('b')
    parser.flush()
    assert.deepEqual(log, [...plain(0, 'text', 'a'), ...plain(1, 'text', 'b')])
  })

  test('reset is as new, wherever the stream was', () => {
    const want = read([MIXED], { spans: true })
    const { log, parser } = recorded({ spans: true, generateId: () => 'id_0' })
    const text = `${MIXED}<function_calls><invoke name="f">x<parameter name="y">[1,<parameter`
    for (let at = 0; at <= text.length; at += 3) {
      parser.processChunk(text.slice(0, at))
      if (at % 2 === 0) parser.flush()
      parser.reset()
      assert.equal(parser.getAccumulated(), '')
      assert.equal(parser.getBlockIndex(), 0)
      assert.equal(parser.isInsideBlock(), false)
      log.length = 0
      parser.processChunk(MIXED)
      parser.flush()
      assert.deepEqual(log, want, `after ${at}`)
      parser.reset()
    }
  })

  test('reset forgets a prefill and its pending text', () => {
    const { log, parser } = recorded()
    parser.processChunk('abc')
    parser.push('<invoke name="f"><parameter name="x">a')
    parser.reset()
    log.length = 0
    parser.processChunk('x')
    parser.flush()
    assert.deepEqual(log, plain(0, 'text', 'x'))
  })
})

test('the getters say where the stream is', () => {
  const { parser } = recorded()
  const steps = [
    ['', 'none', 'text', 0, false],
    ['a', 'none', 'text', 0, false],
    ['<thinking>', 'thinking(1)', 'thinking', 1, true],
    ['<thinking>', 'thinking(1)', 'thinking', 1, true],
    ['</thinking>', 'none', 'text', 2, false],
    ['<function_calls>', 'function_calls(1)', 'tool_call', 2, true],
    ['<invoke name="f">', 'function_calls(1)', 'tool_call', 2, true],
    ['</invoke></function_calls>', 'none', 'text', 3, false],
    ['<function_results><result>', 'function_results(1)', 'tool_result', 3, true],
    ['x</result></function_results>', 'none', 'text', 4, false],
  ]
  let all = ''
  for (const [text, context, type, index, isInside] of steps) {
    parser.processChunk(text)
    all += text
    assert.deepEqual([parser.getContext(), parser.getCurrentBlockType(), parser.getBlockIndex(), parser.isInsideBlock()], [context, type, index, isInside], all)
    assert.equal(parser.isInsideFunctionCalls(), context.startsWith('function_calls'))
    assert.equal(parser.isInsideFunctionResults(), context.startsWith('function_results'))
    assert.equal(parser.getAccumulated(), all)
  }
})

describe('options', () => {
  test('all of them can be left out, or be undefined', () => {
    for (const options of [undefined, {}, { onChunk: undefined, onBlock: undefined, onMarkup: undefined, generateId: undefined, tags: undefined, tools: undefined, trimParameters: undefined, spans: undefined }]) {
      const parser = new BlockParser(options)
      assert.deepEqual(logOf([...parser.processChunk(HELLO).emissions, ...parser.flush().emissions]), HELLO_LOG)
    }
  })

  test('generateId is called once per call, and its default is random', () => {
    let asked = 0
    const log = read(['<invoke name="a"/><invoke name="b"/>'], { generateId: () => `n${asked++}` })
    assert.deepEqual(blocksOf(log).map(({ toolId }) => toolId), ['n0', 'n1'])
    const ids = new Set(Array.from({ length: 200 }, () => blocksOf(read(['<invoke name="a"/>'], { generateId: undefined }))[0].toolId))
    assert.equal(ids.size, 200)
    for (const id of ids) assert.match(id, /^toolu_[0-9A-Za-z]{24}$/)
  })

  test('own tags in addition to the default ones, or instead of them', () => {
    const tags = { think: 'thinking', reasoning: 'thinking', thinking: false, calls: 'function_calls', tool: 'invoke', arg: 'parameter', outs: 'function_results', out: 'result', bad: 'error' }
    const text = '<think>a</think><reasoning>b</reasoning><thinking>c<calls><tool name="f"><arg name="x">1</parameter></tool></calls><outs><out tool_use_id="t">d</out><bad>e</bad></outs>'
    for (const [cut, chunks] of everyCut(text)) {
      const log = read(chunks, { tags })
      render(log)
      assert.deepEqual(blocksOf(log), [
        { type: 'thinking', content: 'a' },
        { type: 'thinking', content: 'b' },
        { type: 'text', content: '<thinking>c' },
        { type: 'tool_call', toolId: 'id_0', toolName: 'f', input: { x: 1 } },
        { type: 'tool_result', content: 'd', toolId: 't' },
        { type: 'tool_result', content: 'e', isError: true },
      ], cut)
    }
  })

  test('tools declare types', () => {
    const tools = { f: { type: 'object', properties: { s: { type: 'string' }, o: { type: 'object' }, a: { type: 'array' }, n: { type: 'number' } } } }
    const input = (values, name = 'f') => blocksOf(read([`<invoke name="${name}">${Object.entries(values).map(([key, value]) => `<parameter name="${key}">${value}</parameter>`).join('')}</invoke>`], { tools }))[0]
    assert.deepEqual(input({ s: ' 1 ', o: ' {"a": 1} ', a: '[1]', n: ' 1 ', other: '2' }).input, { s: ' 1 ', o: { a: 1 }, a: [1], n: 1, other: 2 })
    assert.deepEqual(input({ s: ' 1 ' }, 'g').input, { s: 1 })
    assert.deepEqual(input({ o: 'no object' }).input, { o: 'no object' })
    assert.deepEqual(input({ o: '{"a": oops' }), { type: 'tool_call', toolId: 'id_0', toolName: 'f', content: '{"o":{"a": oops}', incomplete: true })
  })

  test('a tool or parameter of an inherited name is not declared', () => {
    const schema = { properties: { s: { type: 'string' } } }
    const inherited = Object.create({ s: { type: 'string' } })
    for (const tools of [Object.create({ f: schema }), { f: Object.create(schema) }, { f: { properties: inherited } }, { f: { properties: { s: Object.create({ type: 'string' }) } } }]) {
      assert.deepEqual(blocksOf(read(['<invoke name="f"><parameter name="s"> 1 </parameter></invoke>'], { tools }))[0].input, { s: 1 })
    }
    const tools = { f: schema }
    for (const name of ['constructor', '__proto__', 'toString']) {
      const [block] = blocksOf(read([`<invoke name="${name}"><parameter name="${name}"> 1 </parameter></invoke>`], { tools }))
      assert.equal(JSON.stringify(block.input), `{"${name}":1}`)
    }
  })

  test('a declared string is emitted from its first character', () => {
    const parser = new BlockParser({ tools: { f: { properties: { s: { type: 'string' } } } } })
    parser.processChunk('<invoke name="f"><parameter name="s">')
    const emitted = (text) => parser.processChunk(text).emissions.map(({ text }) => text)
    assert.deepEqual(emitted('{'), ['"{'])
    assert.deepEqual(emitted(' '), [' '])
    assert.deepEqual(emitted('"\n'), ['\\"\\n'])
  })

  test('a declared object is emitted as it arrives', () => {
    const parser = new BlockParser({ tools: { f: { properties: { o: { type: 'object' } } } } })
    parser.processChunk('<invoke name="f"><parameter name="o">')
    const emitted = (text) => parser.processChunk(text).emissions.map(({ text }) => text)
    assert.deepEqual(emitted(' {"a'), ['{"a'])
    assert.deepEqual(emitted('":1'), ['":1'])
  })

  test('trimParameters: false keeps the white space of strings', () => {
    const text = '<invoke name="f"><parameter name="x">\n a \n</parameter><parameter name="y"> 1 </parameter></invoke>'
    for (const [cut, chunks] of everyCut(text)) {
      assert.deepEqual(blocksOf(read(chunks, { trimParameters: false }))[0].input, { x: '\n a \n', y: 1 }, cut)
      assert.deepEqual(blocksOf(read(chunks))[0].input, { x: 'a', y: 1 }, cut)
    }
  })

  test('spans and onMarkup: each unit is emitted once, with its position', () => {
    const markup = read([HELLO], { spans: true }).filter((entry) => entry.markup !== undefined)
    assert.deepEqual(markup, [{ markup: '<thinking>', span: [6, 16] }, { markup: '</thinking>', span: [28, 39] }])
    for (const [, chunks] of everyCut(MIXED)) assertTiled(read(chunks, { spans: true }), MIXED)
  })

  test('onMarkup gets the emission, and nothing without spans', () => {
    const got = []
    const parser = new BlockParser({ spans: true, onMarkup: (text, emission) => got.push([text, emission]) })
    const { emissions } = parser.processChunk('<thinking>')
    assert.deepEqual(got, [['<thinking>', { kind: 'markup', text: '<thinking>', span: [0, 10], role: 'thinking', tagKind: 'open', name: 'thinking' }]])
    assert.equal(emissions.find(({ kind }) => kind === 'markup'), got[0][1])
    new BlockParser({ onMarkup: assert.fail }).processChunk('<thinking></thinking>')
  })
})

describe('misuse is named', () => {
  const refused = (act, ...words) => assert.throws(act, (error) => {
    assert.ok(error instanceof TypeError, `${error}`)
    for (const word of words) assert.ok(error.message.includes(word), `${error.message} names ${word}`)
    return true
  })

  for (const [options, ...words] of [
    [null, 'null'],
    [7, 'number 7'],
    ['text', 'string "text"'],
    [[], 'an array of 0'],
    [() => {}, 'a function'],
    [{ onchunk: () => {} }, '"onchunk"', 'onChunk'],
    [{ onChunk: 'x' }, 'onChunk', 'string "x"'],
    [{ onBlock: 1 }, 'onBlock', 'number 1'],
    [{ onMarkup: {} }, 'onMarkup', 'an object of Object'],
    [{ generateId: 'id' }, 'generateId', 'string "id"'],
    [{ onChunk: null }, 'onChunk', 'null'],
    [{ trimParameters: 'no' }, 'trimParameters', 'string "no"'],
    [{ spans: 1 }, 'spans', 'number 1'],
    [{ tags: [] }, 'tags', 'an array of 0'],
    [{ tags: 'think' }, 'tags', 'string "think"'],
    [{ tags: null }, 'tags', 'null'],
    [{ tags: { think: 'thought' } }, 'tags', '"think"', '"thought"', 'function_results'],
    [{ tags: { think: true } }, 'tags', '"think"', 'boolean true'],
    [{ tags: { think: '' } }, 'tags', '"think"'],
    [{ tags: { '1a': 'thinking' } }, 'tags', '"1a"'],
    [{ tags: { '': 'thinking' } }, 'tags', '""'],
    [{ tags: { 'a b': 'thinking' } }, 'tags', '"a b"'],
    [{ tags: { [`x${'y'.repeat(64)}`]: 'thinking' } }, 'tags', 'yyy'],
    [{ tags: { ['x'.repeat(5_000)]: 'thinking' } }, 'tags', 'xxx'],
    [{ tags: Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`t${index}`, 'thinking'])) }, 'tags', '64'],
    [{ tools: 'x' }, 'tools', 'string "x"'],
    [{ tools: [5] }, 'tools[0]', 'number 5'],
    [{ tools: [{ name: 'f', parameters: 'x' }] }, 'tools', '"f"', 'string "x"'],
    [{ tools: { f: 5 } }, 'tools["f"]', 'number 5'],
    [{ tools: { f: { inputSchema: { _def: {}, '~standard': {} } } } }, 'tools', '"f"', 'JSON schema'],
    [{ startWithThinking: 1 }, 'startWithThinking', 'number 1'],
    [{ unopenedThinking: 'x' }, 'unopenedThinking', '"report"'],
  ]) {
    test(`options ${JSON.stringify(options)?.slice(0, 60) ?? String(options)}`, () => refused(() => new BlockParser(options), 'BlockParser', ...words))
  }

  test('a wrong table leaves the others as they are', () => {
    refused(() => new BlockParser({ tags: { think: 'thinking', oops: 'oops' } }), '"oops"')
    assert.deepEqual(blocksOf(read(['<oops><thinking>x']))[0], { type: 'text', content: '<oops>' })
  })

  for (const method of ['processChunk', 'push']) {
    test(`${method} of anything but a string`, () => {
      const { log, parser } = recorded()
      for (const [value, word] of [[undefined, 'undefined'], [null, 'null'], [5, 'number 5'], [['a'], 'an array of 1'], [{ text: 'a' }, 'an object of Object'], [Buffer.from('a'), 'an object of Buffer'], [new String('a'), 'an object of String']]) {
        refused(() => parser[method](value), `BlockParser.${method}`, word)
      }
      parser.processChunk('a')
      parser.flush()
      assert.deepEqual(log, plain(0, 'text', 'a'))
    })
  }

  test('feeding after flush', () => {
    const { parser } = recorded()
    parser.processChunk('a')
    parser.flush()
    for (const text of ['b', '', '<thinking>']) {
      assert.throws(() => parser.processChunk(text), (error) => error instanceof ParseError && error.code === 'finished' && error.message.includes('BlockParser.processChunk') && error.message.includes('reset'))
    }
    assert.equal(parser.getAccumulated(), 'a')
    parser.resetForNewIteration()
    assert.equal(parser.processChunk('b').emissions.length, 2)
  })

  test('push after flush begins the next reply', () => {
    const { log, parser } = recorded()
    parser.processChunk('a')
    parser.flush()
    parser.push('<thinking>b')
    parser.processChunk('c')
    assert.deepEqual(parser.finish(), [complete(1, { type: 'thinking', content: 'c', incomplete: true })])
    assert.deepEqual(log, [...plain(0, 'text', 'a'), ...plain(1, 'thinking', 'c', { incomplete: true })])
  })

  for (const callback of ['onChunk', 'onBlock', 'onMarkup', 'generateId']) {
    for (const [method, ...args] of [['processChunk', 'x'], ['processChunk', '<thinking>'], ['push', 'x'], ['flush'], ['reset'], ['resetForNewIteration'], ['emitToolResults', []]]) {
      test(`${method}(${args.map((arg) => JSON.stringify(arg))}) from inside ${callback}`, () => {
        const text = `${MIXED}plain`
        const want = blocksOf(read([text], { spans: true }))
        const feeds = {
          'by processChunk': (parser) => pieces(text, 7).forEach((part) => parser.processChunk(part)),
          'plain chunks': (parser) => parser.processChunk(text.slice(0, -5)) && pieces(text.slice(-5), 1).forEach((part) => parser.processChunk(part)),
        }
        for (const [how, feed] of Object.entries(feeds)) {
          let count = 0
          const blocks = []
          const attempt = () => {
            assert.throws(() => parser[method](...args), (error) => error instanceof ParseError && error.code === 'reentrant' && error.message.includes(`BlockParser.${method === 'resetForNewIteration' ? 'flush' : method}`))
            count += 1
          }
          const parser = new BlockParser({
            spans: true,
            onChunk: () => {},
            generateId: () => 'id_0',
            ...{ [callback]: () => (attempt(), 'id_0') },
            onBlock(event) {
              if (event.event === 'block_complete') blocks.push(...blocksOf([event]))
              if (callback === 'onBlock') attempt()
            },
          })
          feed(parser)
          parser.flush()
          assert.ok(count > 0, how)
          assert.deepEqual(blocks, want, how)
        }
      })
    }
  }

  test('push calls generateId too, which can not feed there', () => {
    const codes = []
    const parser = new BlockParser({
      generateId() {
        for (const act of [() => parser.push('x'), () => parser.processChunk('x'), () => parser.reset()]) {
          try {
            act()
          } catch (error) {
            codes.push(error.code)
          }
        }
        return 'id'
      },
    })
    parser.push('<invoke name="f"><parameter name="x">1')
    assert.deepEqual(codes, ['reentrant', 'reentrant', 'reentrant'])
    assert.equal(parser.getAccumulated(), '<invoke name="f"><parameter name="x">1')
  })
})

describe('a callback that throws', () => {
  const boom = (name) => {
    throw new Error(name)
  }

  test('the rest is emitted, the first error is thrown, the parser continues', () => {
    for (const [cut, chunks] of everyCut(HELLO)) {
      for (const callback of ['onChunk', 'onBlock']) {
        const { log, ...callbacks } = recorder()
        let calls = 0
        const parser = new BlockParser({
          ...callbacks,
          [callback](...args) {
            callbacks[callback](...args)
            boom(`${callback} ${calls++}`)
          },
        })
        const attempt = (act) => {
          const before = calls
          let error
          try {
            act()
          } catch (thrown) {
            error = thrown
          }
          assert.equal(error?.message, before === calls ? undefined : `${callback} ${before}`, cut)
        }
        for (const each of chunks) attempt(() => parser.processChunk(each))
        attempt(() => parser.flush())
        assert.deepEqual(joined(log), HELLO_LOG, cut)
        assert.equal(parser.getAccumulated(), HELLO)
        attempt(() => parser.flush())
      }
    }
  })

  test('any value can be thrown, undefined too', () => {
    for (const value of [undefined, null, 0, '', 'text', { code: 'x' }]) {
      const parser = new BlockParser({ onChunk() { throw value } })
      let thrown = 'nothing'
      try {
        parser.processChunk('a<thinking>b')
      } catch (error) {
        thrown = error
      }
      assert.equal(thrown, value)
    }
  })

  test('emitToolResults and onMarkup', () => {
    const { log, ...callbacks } = recorder()
    const parser = new BlockParser({ ...callbacks, spans: true, onMarkup: () => boom('markup'), onChunk: (text, meta) => callbacks.onChunk(text, meta) && meta.type === 'tool_result' && boom(text) })
    assert.throws(() => parser.processChunk('<thinking>a'), /^Error: markup$/)
    assert.throws(() => parser.emitToolResults([{ toolUseId: 'a', content: 'one' }, { toolUseId: 'b', content: 'two' }]), /^Error: one$/)
    assert.deepEqual(blocksOf(log).map(({ content }) => content), ['a', 'one', 'two'])
  })

  test('generateId: the call is still emitted, with a random id', () => {
    for (const [generateId, message] of [[() => boom('no id'), /^no id$/], [() => 5, /generateId.*number 5/], [() => undefined, /generateId.*undefined/]]) {
      const { log, parser } = recorded({ generateId })
      assert.throws(() => parser.processChunk('<invoke name="f"><parameter name="x">1</parameter></invoke>ok'), { message })
      parser.flush()
      const [block, text] = blocksOf(log)
      assert.match(block.toolId, /^toolu_/)
      assert.deepEqual([block.input, text], [{ x: 1 }, { type: 'text', content: 'ok' }])
    }
  })

  test('generateId while prefill is pushed: push throws, and the state is right', () => {
    const { log, parser } = recorded({ generateId: () => boom('no id') })
    assert.throws(() => parser.push('<invoke name="f"><parameter name="x">a'), /no id/)
    parser.processChunk('b</parameter></invoke>')
    parser.flush()
    assert.deepEqual(blocksOf(log)[0].input, { x: 'ab' })
  })
})

describe('parsers among parsers', () => {
  const WIDE = `水${MIXED}<function_results><result tool_use_id="a&amp;b">1 &lt; 2 &#x1F642;</result></function_results><invoke name="a&amp;b"><parameter name="&lt;">x &lt; <b></parameter></invoke>🙂`

  test('a callback may feed other parsers, three levels deep', () => {
    const want = joined(read([WIDE]))
    const wantElements = joined(readElements([WIDE]))
    for (const size of [1, 3, 40, 1_000]) {
      const logs = []
      // Each callback of a level feeds some more to a parser of the next level.
      const level = (depth) => {
        const { log, ...callbacks } = recorder()
        logs.push(log)
        if (depth === 3) {
          const parser = new IncrementalXmlParser()
          return { feed: (text) => void log.push(...logOf(parser.processChunk(text).emissions)), end: () => void log.push(...logOf(parser.flush().emissions)) }
        }
        const next = level(depth + 1)
        let at = 0
        const feedNext = () => {
          next.feed(WIDE.slice(at, at + 2 + depth))
          at += 2 + depth
        }
        const ids = counter()
        const parser = new BlockParser({
          onChunk: (text, meta) => (callbacks.onChunk(text, meta), feedNext()),
          onBlock: (event) => (callbacks.onBlock(event), feedNext()),
          generateId: () => (feedNext(), ids()),
        })
        return {
          feed: (text) => parser.processChunk(text),
          end() {
            parser.flush()
            next.feed(WIDE.slice(at))
            next.end()
          },
        }
      }
      const top = level(0)
      for (const part of pieces(WIDE, size)) top.feed(part)
      top.end()
      assert.equal(logs.length, 4)
      for (const log of logs.slice(0, 3)) assert.deepEqual(joined(log), want, `chunks of ${size}`)
      assert.deepEqual(joined(logs[3]), wantElements, `chunks of ${size}`)
    }
  })

  test('a callback may make parsers with their own tables', () => {
    const want = joined(read([WIDE]))
    let count = 0
    const makeOther = () => {
      const name = `tag${count++ % 50}`
      const other = read([`<${name}>a</${name}>&<invoke name="&lt;"/>`], { tags: { [name]: 'thinking' } })
      assert.equal(render(other), 'thinking "a"\ntext "&"\ncall "<" {}')
    }
    for (const size of [1, 1_000]) {
      const { log, ...callbacks } = recorder()
      const parser = new BlockParser({ onChunk: (text, meta) => (callbacks.onChunk(text, meta), makeOther()), onBlock: (event) => (callbacks.onBlock(event), makeOther()), generateId: counter() })
      for (const part of pieces(WIDE, size)) parser.processChunk(part)
      parser.flush()
      assert.deepEqual(joined(log), want)
    }
    assert.ok(count > 50)
  })

  test('a callback may ask, push, flush and reset other parsers', () => {
    const other = new BlockParser()
    const elements = new IncrementalXmlParser()
    const meddle = () => {
      other.push('<thinking>')
      elements.push('<thinking>')
      assert.equal(other.isInsideBlock() && elements.isInsideBlock(), true)
      other.processChunk('x</thinking><thin')
      other.flush()
      other.reset()
      elements.finish()
      elements.reset()
    }
    const { log, ...callbacks } = recorder()
    const parser = new BlockParser({ onChunk: (text, meta) => (callbacks.onChunk(text, meta), meddle()), onBlock: (event) => (callbacks.onBlock(event), meddle()), generateId: counter() })
    parser.processChunk(WIDE)
    parser.flush()
    assert.deepEqual(joined(log), joined(read([WIDE])))
  })

  test('thousands of interleaved parsers, a unit at a time, some with their own tables', () => {
    const kinds = [
      { text: HELLO, options: {} },
      { text: SEARCH, options: {} },
      { text: HELLO.replaceAll('thinking', 'think'), options: { tags: { think: 'thinking' } } },
      { text: SEARCH.replaceAll('invoke', 'tool'), options: { tags: { tool: 'invoke', invoke: false } } },
      { text: WIDE, options: { trimParameters: false } },
      { text: SEARCH, options: { tools: { search: { properties: { query: { type: 'string' } } } } } },
    ]
    const wanted = kinds.map(({ text, options }) => render(read([text], options)))
    const next = random(7)
    const all = Array.from({ length: 3_000 }, () => {
      const kind = next(kinds.length)
      return { kind, at: 0, ...recorded(kinds[kind].options) }
    })
    for (let isFed = true; isFed; ) {
      isFed = false
      for (const each of all) {
        const { text } = kinds[each.kind]
        if (each.at >= text.length) continue
        each.parser.processChunk(text[each.at++])
        isFed = true
      }
    }
    for (const { kind, parser, log } of all) {
      parser.flush()
      assert.equal(render(log), wanted[kind])
    }
  })

  test('alternating elements and blocks', () => {
    const elements = new IncrementalXmlParser()
    const { log, parser } = recorded()
    const elementsLog = []
    for (const unit of WIDE) {
      parser.processChunk(unit)
      elementsLog.push(...logOf(elements.processChunk(unit).emissions))
    }
    parser.flush()
    elementsLog.push(...logOf(elements.flush().emissions))
    assert.deepEqual(joined(log), joined(read([WIDE])))
    assert.deepEqual(joined(elementsLog), joined(readElements([WIDE])))
  })
})

describe('surrogate halves', () => {
  const high = '\ud83d'
  const low = '\ude42'

  test('a split pair is emitted whole, at every position', () => {
    const text = `🙂<thinking>🙂</thinking><invoke name="🙂"><parameter name="🙂">🙂 🙂</parameter></invoke><function_results><result tool_use_id="🙂">🙂&lt;🙂</result></function_results>`
    const want = joined(read([text], { spans: true }))
    for (const [cut, chunks] of everyCut(text)) assert.deepEqual(joined(read(chunks, { spans: true })).map(({ meta, ...rest }) => ({ ...rest, type: meta?.type })), want.map(({ meta, ...rest }) => ({ ...rest, type: meta?.type })), cut)
  })

  test('a lone half stays unchanged, at every position', () => {
    const text = `${low}a${high}<thinking>${high}</thinking>${low}<invoke name="${high}"><parameter name="${low}">${high} ${high}</parameter><parameter name="j">["${high}"]</parameter></invoke><function_results><result tool_use_id="${low}">${high}&lt;${low}</result></function_results>${high}`
    for (const [cut, chunks] of everyCut(text)) {
      const log = read(chunks)
      render(log)
      assert.deepEqual(blocksOf(log), [
        { type: 'text', content: `${low}a${high}` },
        { type: 'thinking', content: high },
        { type: 'text', content: low },
        { type: 'tool_call', toolId: 'id_0', toolName: high, input: { [low]: `${high} ${high}`, j: [high] } },
        { type: 'tool_result', content: `${high}<${low}`, toolId: low },
        { type: 'text', content: high },
      ], cut)
      assertTiled(read(chunks, { spans: true }), text)
    }
  })

  test('long stretches of halves and pairs', () => {
    const text = `${high.repeat(20_000)}<thinking>${'🙂'.repeat(20_000)}</thinking>${low.repeat(40_000)}`
    for (const size of [1, 7, 4_097, text.length]) {
      assert.deepEqual(blocksOf(read(pieces(text, size))), [{ type: 'text', content: high.repeat(20_000) }, { type: 'thinking', content: '🙂'.repeat(20_000) }, { type: 'text', content: low.repeat(40_000) }])
    }
  })
})

/** Feeds chunks of a size with spans, and returns the log, the maximum pending text, and the parser's output. */
function drive(text, size, options = {}) {
  const { log, parser } = recorded({ spans: true, ...options })
  let fed = 0
  let out = 0
  let most = 0
  let seen = 0
  for (const part of pieces(text, size)) {
    parser.processChunk(part)
    fed += part.length
    for (; seen < log.length; seen++) out = Math.max(out, (log[seen].meta ?? log[seen]).span?.[1] ?? 0)
    most = Math.max(most, fed - out)
  }
  parser.flush()
  assertTiled(log, text)
  return { log, most, parser }
}

describe('adversarial input: bounded, and nothing is lost', { timeout: 120_000 }, () => {
  const TAG = 4_096

  for (const front of ['<thinking ', '<thinking a="', '<invoke name=', "</thinking "]) {
    test(`10 MB of ${front} that never closes`, () => {
      const text = front + (front === '</thinking ' ? ' ' : 'a').repeat(10_000_000)
      const { log, most } = drive(text, 10_000)
      assert.deepEqual(blocksOf(log), [{ type: 'text', content: text }])
      assert.ok(most <= TAG, `${most} units were held`)
      assert.ok(log.length < 10_000_000 / 10_000 + 10, `${log.length} events`)
    })
  }

  test('many chunks of one block take about the time of one chunk', () => {
    const text = `<thinking a="${'b'.repeat(8_000_000)}`
    // The time of this process on the processor: other programs may be running.
    const time = (size) => Math.min(...[1, 2].map(() => {
      const { user } = process.cpuUsage()
      read(pieces(text, size), { spans: true })
      return (process.cpuUsage().user - user) / 1_000
    }))
    const [whole, many] = [time(text.length), time(10_000)]
    assert.ok(many < 4 * whole + 200, `${whole} ms, and ${many} ms in chunks`)
  })

  test('a tag that never closes, a unit at a time', () => {
    const text = `<thinking a="${'b'.repeat(100_000)}`
    const { log, most } = drive(text, 1)
    assert.deepEqual(blocksOf(log), [{ type: 'text', content: text }])
    assert.ok(most <= TAG, `${most} units were held`)
  })

  for (const unit of ['<', '</', '<t', '<thinking', '&', '&#', '<>', '"<']) {
    test(`1 MB of ${unit}`, () => {
      const text = unit.repeat(1_000_000 / unit.length)
      for (const size of [1_000, 65_536, text.length]) {
        const { log, most } = drive(text, size)
        assert.deepEqual(blocksOf(log), [{ type: 'text', content: text }])
        assert.ok(most < 10, `${most} units were held`)
        assert.ok(log.length < 2 * text.length / size + 10, `${log.length} events`)
      }
    })
  }

  test('1 MB of < and & in results', () => {
    for (const unit of ['<', '&', '&lt', '&#1']) {
      const content = unit.repeat(1_000_000 / unit.length)
      const { log } = drive(`<function_results><result>${content}</result></function_results>`, 10_000)
      assert.deepEqual(blocksOf(log), [{ type: 'tool_result', content }])
    }
    const { log } = drive(`<function_results><result>${'&lt;'.repeat(250_000)}</result></function_results>`, 10_000)
    assert.deepEqual(blocksOf(log), [{ type: 'tool_result', content: '<'.repeat(250_000) }])
  })

  test('100,000 attributes in tags, and as many in one', () => {
    const short = `<thinking ${'a=b '.repeat(1_000)}></thinking>`
    assert.ok(short.length <= TAG + 11)
    const { log } = drive(short.repeat(100), 1_000)
    assert.deepEqual(blocksOf(log), Array.from({ length: 100 }, (_, at) => ({ type: 'thinking', content: '' })))
    const long = `<invoke ${'name="f" '.repeat(100_000)}>`
    const { log: other, most } = drive(long, 1_000)
    assert.deepEqual(blocksOf(other), [{ type: 'text', content: long }])
    assert.ok(most <= TAG, `${most} units were held`)
  })

  test('a tag of 4,096 units is a tag, one more is text', () => {
    for (const [size, isTag] of [[TAG, true], [TAG + 1, false]]) {
      const tag = `<thinking ${'x'.repeat(size - 11)}>`
      for (const chunks of [[tag], pieces(tag, 1), cutAt(tag, [4_000])]) assert.equal(blocksOf(read([...chunks, 'y']))[0].type === 'thinking', isTag)
    }
  })

  test('100,000 nested tags of one kind', () => {
    for (const name of ['function_calls', 'function_results']) {
      const text = `${`<${name}>`.repeat(100_000)}x${`</${name}>`.repeat(100_000)}y`
      const { log, parser } = drive(text, 10_000)
      assert.deepEqual(blocksOf(log).at(-1), { type: 'text', content: 'y' })
      assert.equal(parser.isInsideBlock(), false)
      assert.equal(blocksOf(log).length, 2)
    }
    const parser = new BlockParser()
    parser.push('<thinking>'.repeat(100_000))
    assert.equal(parser.getDepths().thinking, 1)
  })

  test('100,000 nested tags of alternating kinds', () => {
    const text = `${'<thinking><function_calls>'.repeat(50_000)}x${'</function_calls></thinking>'.repeat(50_000)}y`
    const { log, parser } = drive(text, 10_000)
    assert.deepEqual(blocksOf(log).at(-1), { type: 'text', content: 'y' })
    assert.equal(parser.isInsideBlock(), false)
    const calls = drive('<invoke name="f"><parameter name="x">'.repeat(50_000), 10_000).log
    assert.equal(blocksOf(calls).length, 1)
  })

  test('100,000 calls and 100,000 parameters', () => {
    const many = drive('<invoke name="f"/>'.repeat(100_000), 10_000)
    assert.equal(blocksOf(many.log).length, 100_000)
    const text = `<invoke name="f">${Array.from({ length: 100_000 }, (_, index) => `<parameter name="p${index}">${index}</parameter>`).join('')}</invoke>`
    const [block] = blocksOf(read(pieces(text, 10_000)))
    assert.equal(Object.keys(block.input).length, 100_000)
    assert.equal(block.input.p99999, 99_999)
  })

  test('a JSON value of 1 MB is JSON; of 2 MB undeclared it is a string', () => {
    const value = (size) => `["${'x'.repeat(size)}"]`
    const wrap = (text) => `<invoke name="f"><parameter name="x">${text}</parameter></invoke>`
    const { log } = drive(wrap(value(1_000_000)), 10_000)
    assert.deepEqual(blocksOf(log)[0].input, { x: ['x'.repeat(1_000_000)] })
    const long = drive(wrap(value(2_000_000)), 10_000)
    assert.deepEqual(blocksOf(long.log)[0].input, { x: value(2_000_000) })
    assert.ok(long.most <= 1_048_576 + 10_000, `${long.most} units were held`)
    const declared = drive(wrap(value(2_000_000)), 10_000, { tools: { f: { properties: { x: { type: 'array' } } } } })
    assert.deepEqual(blocksOf(declared.log)[0].input, { x: ['x'.repeat(2_000_000)] })
    assert.ok(declared.most <= 10_000, `${declared.most} units were held`)
  })

  test('JSON that is nested 100,000 deep is a string', () => {
    const value = '['.repeat(100_000)
    for (const size of [1_000, 1_000_000]) {
      const [block] = blocksOf(drive(`<invoke name="f"><parameter name="x">${value}${value.replaceAll('[', ']')}</parameter></invoke>`, size).log)
      assert.deepEqual(block.input, { x: value + value.replaceAll('[', ']') })
    }
  })

  test('1 MB of spaces in a value', () => {
    const spaces = ' '.repeat(1_000_000)
    const value = (text, size) => blocksOf(drive(`<invoke name="f"><parameter name="x">${text}</parameter></invoke>`, size).log)[0].input.x
    for (const size of [1_000, 3_000_000]) {
      assert.equal(value(`a${spaces}b`, size), `a${spaces}b`)
      assert.equal(value(`a${spaces}`, size), 'a')
      assert.equal(value(`${spaces}1${spaces}`, size), 1)
      assert.equal(value(spaces, size), '')
      // Text beyond the bound of pending text.
      assert.equal(value(`a${spaces}${spaces}b`, size), `a${spaces}${spaces}b`)
    }
  })

  test('1 MB of < in a value', () => {
    const text = `<invoke name="f"><parameter name="x">${'</parameter '.repeat(80_000)}</parameter></invoke>`
    for (const size of [1, 10_000]) assert.deepEqual(blocksOf(read(pieces(text, size)))[0].input, { x: '</parameter '.repeat(80_000).trim() })
  })

  test('a quoted < that fails at the end of the stream', () => {
    for (const [cut, chunks] of everyCut('<invoke name="<thinking>x</thinking>')) {
      assert.deepEqual(blocksOf(read(chunks)), [{ type: 'text', content: '<invoke name="' }, { type: 'thinking', content: 'x' }], cut)
    }
  })

  test('a quoted < that fails because the tag is too long', () => {
    const tail = 'y'.repeat(5_000)
    const text = `<invoke a="<b" c='<thinking>${tail}`
    for (const size of [1, 31, 1_000, 4_096, 4_097, 10_000]) {
      const { log, most } = drive(text, size)
      assert.deepEqual(blocksOf(log), [{ type: 'text', content: `<invoke a="<b" c='` }, { type: 'thinking', content: tail, incomplete: true }])
      assert.ok(most <= TAG, `${most} units were held`)
    }
  })

  test('a tag that fails after a quoted < is read again from its second character', () => {
    for (const [cut, chunks] of everyCut('<thinking name="<thinking>"<thinking>x')) {
      assert.deepEqual(blocksOf(read(chunks)), [{ type: 'text', content: '<thinking name="' }, { type: 'thinking', content: '"<thinking>x', incomplete: true }], cut)
    }
  })

  test('references inside a tag that fails are read as those of text', () => {
    for (const tag of ['<thinking &lt;', '<thinking a&lt;=b', '<thinking a=&lt; ', '<thinking a="&lt;"', '<thinking/&lt;', '<thinking a &lt;']) {
      for (const end of ['', '<', '<b></function_results>']) {
        for (const [cut, chunks] of everyCut(`<function_results>${tag}${end}`)) {
          assert.deepEqual(blocksOf(read(chunks)), [{ type: 'tool_result', content: tag.replace('&lt;', '<') + end.replace('</function_results>', ''), ...(end === '<b></function_results>' ? {} : { incomplete: true }) }], cut)
        }
      }
    }
  })

  test('tags inside the quotes of tags that are all too long', () => {
    const unit = `<invoke a='"'b="`
    const text = unit.repeat(12_500)
    for (const size of [1_000, text.length]) {
      const { log, most } = drive(text, size)
      assert.deepEqual(blocksOf(log), [{ type: 'text', content: text }])
      assert.ok(most <= TAG, `${most} units were held`)
    }
  })

  test('16 MB of text, in large chunks and small', () => {
    const text = 'The quick brown fox, 水曜日. '.repeat(650_000)
    for (const size of [100, 1_000_000, text.length]) assert.equal(visibleOf(read(pieces(text, size))), text)
  })
})
