// BlockParser: the contract of seed 001, prefill, tool results, options, misuse, and adversarial input. How texts are read at
// every cut is in tests/cases/block; what callbacks may do to the same and to other parsers is in promises.test.mjs.
import assert from 'node:assert/strict'
import process from 'node:process'
import { describe, test } from 'node:test'
import { BlockParser, ParseError } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { NativeBlocks } from 'tokenweir'
import { cutAt, everyCut, pieces } from './support/cuts.mjs'
import { blocksOf, call, complete, counter, joined, logOf, plain, read, recorder, start, visibleOf } from './support/reading.mjs'
import { assertTiled, render } from './support/render.mjs'

/** A parser with a log, with the pushed and fed text. */
function recorded(options = {}) {
  const { log, ...callbacks } = recorder()
  return { log, parser: new BlockParser({ ...callbacks, generateId: counter(), ...options }) }
}

/** Feeds a text, and gives the chunks that come with it. */
const emitting = (parser) => (text) => logOf(parser.processChunk(text).emissions).flatMap(({ chunk: emitted }) => emitted ?? [])

// The two streams of the seed, "Example Stream", with the sequences it states.
// Its metas of tool calls are a part of ours.
const HELLO = 'Hello <thinking>let me think</thinking>The answer is 42.'
const HELLO_LOG = [...plain(0, 'text', 'Hello '), ...plain(1, 'thinking', 'let me think'), ...plain(2, 'text', 'The answer is 42.')]
const CALL = 'Let me check.<function_calls>\n<invoke name="search">\n<parameter name="query">weather</parameter>\n</invoke>\n</function_calls>'
const RESULT = '<function_results>\n<result tool_use_id="tool_123">Results: ...</result>\n</function_results>'
const SEARCH = `${CALL}${RESULT}Found it!`
const SEARCH_LOG = [
  ...plain(0, 'text', 'Let me check.'),
  ...call(1, 'search', 'tool_123', '{"query":"weather"}'),
  ...plain(2, 'tool_result', 'Results: ...', { toolId: 'tool_123' }),
  ...plain(3, 'text', 'Found it!'),
]
const tool123 = { generateId: () => 'tool_123' }
const MIXED = `Hi <b>you</b> <thinking>a < b, </b> </thinking>${SEARCH} 1 < 2 <i>ok</i>`

describe("the seed's streams", () => {
  for (const [name, text, want] of [
    ['text and thinking', HELLO, HELLO_LOG],
    ['a tool call, its result and text', SEARCH, SEARCH_LOG],
  ]) {
    test(`${name}, at every cut`, () => {
      for (const [cut, chunks] of everyCut(text)) assert.deepEqual(joined(read(chunks, tool123)), want, cut)
    })
  }

  test('the same where the program emits the results, at every cut of the call', () => {
    for (const [cut, chunks] of everyCut(CALL)) {
      const { log, parser } = recorded(tool123)
      for (const each of chunks) parser.processChunk(each)
      parser.flush()
      parser.emitToolResults([{ toolUseId: 'tool_123', content: 'Results: ...' }])
      parser.resetForNewIteration()
      parser.push(RESULT)
      parser.processChunk('Found it!')
      parser.flush()
      assert.deepEqual(joined(log), SEARCH_LOG, cut)
    }
  })

  test('the same from a reply that is not streamed, whose sender has run the call', () => {
    const { log, onChunk, onBlock } = recorder()
    const blocks = new NativeBlocks({ onChunk, onBlock })
    blocks.message([
      { type: 'text', text: 'Let me check.' },
      { type: 'tool_use', id: 'tool_123', name: 'search', input: { query: 'weather' } },
      { type: 'tool_result', tool_use_id: 'tool_123', content: 'Results: ...' },
      { type: 'text', text: 'Found it!' },
    ])
    blocks.flush()
    assert.deepEqual(log, SEARCH_LOG.with(7, complete(1, { ...SEARCH_LOG[7].block, hosted: true })))
  })

  test('the name comes as soon as the opening tag is complete, the input as soon as it is decided', () => {
    const emitted = emitting(new BlockParser(tool123))
    for (const [text, chunks] of [
      ['<function_calls><invoke name="search"', []],
      ['>', ['search', 'tool_123']],
      ['<parameter name="query">', ['{"query":']],
      ['wea', ['"wea']],
      ['ther ', ['ther']],
      ['is', [' is']],
      // It may be text of the value, until the grammar goes on.
      ['</parameter>', []],
      ['</invoke>', ['"}']],
    ]) assert.deepEqual(emitted(text), chunks, text)
  })

  test("a partial tag comes out as soon as it can't be a tag any more", () => {
    const emitted = emitting(new BlockParser())
    for (const [text, shown] of [['<', ''], ['b', '<b'], ['><thinking', '>'], ['l', '<thinkingl'], ['y', 'y'], ['<thin<', '<thin'], ['thinking>x', 'x']]) assert.equal(emitted(text).join(''), shown, text)
  })

  test('block events', () => {
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
})

describe('prefill', () => {
  const THINKING = "<thinking name='</thinking><thinking name=\"\">aa<thinking>"
  // The log of a stream after a prefill, at every cut of the stream; the prefill goes in whole and by units.
  for (const [name, prefill, text, want, options] of [
    ['text continues in its own block', 'Once upon ', 'a time', plain(0, 'text', 'a time')],
    ['inside thinking', 'Well. <thinking>I', ' see.</thinking>Yes', [...plain(0, 'thinking', ' see.'), ...plain(1, 'text', 'Yes')]],
    ['inside thinking that ends immediately', '<thinking>I see', '</thinking>Yes', plain(0, 'text', 'Yes')],
    ['in the middle of a tag that becomes one', 'Well. <thin', 'king>I see', plain(0, 'thinking', 'I see', { incomplete: true })],
    ['in the middle of a tag that turns out to be text: sent text is not sent again', 'Well. <thin', 'g>', plain(0, 'text', 'g>')],
    ['in the middle of a tag, and nothing follows', 'Well. <thin', '', []],
    ['inside an open value: the call is emitted whole', '<function_calls><invoke name="search"><parameter name="query">wea', 'ther</parameter></invoke></function_calls>', call(0, 'search', 'id_0', '{"query":"weather"}')],
    ['inside a value that is not decided', '<invoke name="f"><parameter name="x"> [1,', ' 2] </parameter></invoke>', call(0, 'f', 'id_0', '{"x":[1, 2]}')],
    ['between two parameters', '<invoke name="f"><parameter name="a">1</parameter>', '<parameter name="b">x y</parameter></invoke>', call(0, 'f', 'id_0', '{"a":1,"b":"x y"}')],
    ['a declared string', '<invoke name="f"><parameter name="x"> 1', '2 </parameter></invoke>', call(0, 'f', 'id_0', '{"x":" 12 "}'), { tools: { f: { properties: { x: { type: 'string' } } } } }],
    [
      'text inside the open call is emitted whole, after the call',
      '<invoke name="f"><parameter name="a"/>one <',
      'b> two</invoke>',
      [...call(0, 'f', 'id_0', '{"a":""}'), start(1, 'tool_call'), { chunk: 'one <b> two', meta: { type: 'tool_call', visible: false, blockIndex: 1, depth: 1 } }, complete(1, { type: 'tool_call', content: 'one <b> two' })],
    ],
    ['in the middle of a tag that fails at the end: its text was sent before', "<thinking name='</thinking></result>", '', []],
    ['such a tag, with another in it', THINKING, 'b', plain(0, 'thinking', 'b', { incomplete: true })],
    ['such a tag, with a reference in it', "<function_results><thinking a='&lt;", '&gt;', plain(0, 'tool_result', '>', { incomplete: true })],
    ['a call that was complete in the prefill is not emitted, and takes no index', '<function_calls><invoke name="f"><parameter name="x">1</parameter></invoke>', '</function_calls>ok', plain(0, 'text', 'ok')],
  ]) {
    test(name, () => {
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
    })
  }

  test('a call is announced by the next chunk, be it empty', () => {
    const { log, parser } = recorded()
    parser.push('<invoke name="f"><parameter name="x">a')
    parser.processChunk('')
    assert.deepEqual(log.map(({ chunk: text, event }) => text ?? event), ['block_start', 'f', 'id_0', '{"x":"a'])
  })

  const OPEN = '<invoke name="f"><parameter name="x">a'
  for (const [name, before, pushed, after, want] of [
    ['a block that was open before ends with the next chunk', 'abc', 'def', 'ghi', [...plain(0, 'text', 'abc'), ...plain(1, 'text', 'ghi')]],
    ['a call that was open before continues', OPEN, 'b', 'c</parameter></invoke>', call(0, 'f', 'id_0', '{"x":"abc"}')],
    ['a call that was open before and ended in the prefill is completed by the next chunk', OPEN, 'b</parameter></invoke>text', ' more', [...call(0, 'f', 'id_0', '{"x":"ab"}'), ...plain(1, 'text', ' more')]],
  ]) {
    test(name, () => {
      const { log, parser } = recorded()
      parser.processChunk(before)
      const emitted = log.length
      parser.push(pushed)
      assert.equal(log.length, emitted)
      parser.processChunk(after)
      parser.flush()
      assert.deepEqual(joined(log), want)
    })
  }

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

  test('text blocks of content are joined, anything else is JSON, as in NativeBlocks', () => {
    for (const [content, emitted] of [
      [[{ type: 'text', text: 'one ' }, { type: 'text', text: 'two' }], 'one two'],
      [[{ type: 'image', source: 's' }], '[{"type":"image","source":"s"}]'],
      ['', ''],
      [[], ''],
    ]) {
      for (const Parser of [BlockParser, NativeBlocks]) {
        const { log, onChunk, onBlock } = recorder()
        const parser = new Parser({ onChunk, onBlock })
        assert.deepEqual(parser.emitToolResults([]), { emissions: [] })
        const { emissions } = parser.emitToolResults([{ toolUseId: 't', content, isError: true }])
        assert.deepEqual(log, plain(0, 'tool_result', emitted, { toolId: 't', isError: true }), Parser.name)
        assert.deepEqual(logOf(emissions), log)
      }
    }
  })

  test('anything but a list of results is rejected by name, and changes nothing', () => {
    for (const Parser of [BlockParser, NativeBlocks]) {
      const { log, onChunk, onBlock } = recorder()
      const parser = new Parser({ onChunk, onBlock })
      if (Parser === BlockParser) parser.processChunk('abc')
      else parser.openai({ choices: [{ index: 0, delta: { content: 'abc' } }] })
      for (const [results, words] of [[undefined, /undefined/], ['x', /string "x"/], [[null], /null/], [[1], /result 0.*number 1/], [[{ content: 'x' }], /toolUseId of result 0.*undefined/], [[{ toolUseId: 't', content: 'x' }, { toolUseId: 't', content: 7 }], /content of result 1.*number 7/]]) {
        assert.throws(() => parser.emitToolResults(results), (error) => error instanceof TypeError && words.test(error.message) && error.message.startsWith(`${Parser.name}.emitToolResults`))
      }
      parser.flush()
      assert.deepEqual(log, plain(0, 'text', 'abc'))
    }
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

test("room for somebody else's block never divides one: all of a block has its index, wherever the stream was", () => {
  for (const options of [{}, { stopSequences: ['you</c>', 'STOP'] }])
    for (const prefill of ['', '<function_calls>\n<invoke name="search">\n<parameter name="query">', '<thinking>'])
      for (let at = 0; at <= MIXED.length; at++) {
        const parser = new BlockParser({ generateId: counter(), ...options })
        if (prefill !== '') parser.push(prefill)
        const { emissions } = parser.processChunk(MIXED.slice(0, at))
        parser.incrementBlockIndex()
        emissions.push(...parser.processChunk(MIXED.slice(at)).emissions, ...parser.flush().emissions)
        let last = -1
        for (const { kind, event, meta } of emissions) {
          const index = kind === 'content' ? meta.blockIndex : event.index
          assert.ok(event?.event === 'block_start' ? index > last : index === last, `${at} ${prefill}`)
          last = index
        }
      }
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

  test('own names of all roles', () => {
    const tags = { thinking: false, calls: 'function_calls', tool: 'invoke', arg: 'parameter', outs: 'function_results', out: 'result', bad: 'error' }
    const text = '<thinking>c<calls><tool name="f"><arg name="x">1</parameter></tool></calls><outs><out tool_use_id="t">d</out><bad>e</bad></outs>'
    assert.equal(render(read([text], { tags })), 'text "<thinking>c"\ncall "f" {"x":1}\nresult "t" "d"\nerror - "e"')
  })

  test('a tool or parameter of an inherited name is not declared', () => {
    const schema = { properties: { s: { type: 'string' } } }
    const inherited = Object.create({ s: { type: 'string' } })
    for (const tools of [Object.create({ f: schema }), { f: Object.create(schema) }, { f: { properties: inherited } }, { f: { properties: { s: Object.create({ type: 'string' }) } } }]) {
      assert.deepEqual(blocksOf(read(['<invoke name="f"><parameter name="s"> 1 </parameter></invoke>'], { tools }))[0].input, { s: 1 })
    }
  })

  test('a declared string is emitted from its first character, an object as it arrives', () => {
    for (const [type, steps] of [
      ['string', [['{', '"{'], [' ', ' '], ['"\n', '\\"\\n']]],
      ['object', [[' {"a', '{"a'], ['":1', '":1']]],
    ]) {
      const emitted = emitting(new BlockParser({ tools: { f: { properties: { p: { type } } } } }))
      emitted('<invoke name="f"><parameter name="p">')
      for (const [text, piece] of steps) assert.deepEqual(emitted(text), [piece])
    }
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

  test('push calls generateId too, which can not feed there', () => {
    const parser = new BlockParser({
      generateId() {
        for (const act of [() => parser.push('x'), () => parser.processChunk('x'), () => parser.reset()]) assert.throws(act, { name: 'ParseError', code: 'reentrant' })
        return 'id'
      },
    })
    parser.push('<invoke name="f"><parameter name="x">1')
    assert.equal(parser.getAccumulated(), '<invoke name="f"><parameter name="x">1')
  })
})

describe('a callback that throws', () => {
  const boom = (name) => {
    throw new Error(name)
  }

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
  const want = joined(read([WIDE]))

  test('a callback may feed other parsers, three levels deep', () => {
    for (const size of [1, 3, 40, 1_000]) {
      const logs = []
      // Each callback of a level feeds some more to a parser of the next level.
      const level = (depth) => {
        const next = depth < 3 ? level(depth + 1) : { feed: () => {}, end: () => {} }
        const { log, ...callbacks } = recorder()
        logs.push(log)
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
      for (const log of logs) assert.deepEqual(joined(log), want, `chunks of ${size}`)
    }
  })

  test('a callback may make parsers with their own tables, and push to, ask, flush and reset others', () => {
    const other = new BlockParser()
    const elements = new IncrementalXmlParser()
    let count = 0
    const meddle = () => {
      const name = `tag${count++ % 50}`
      assert.equal(render(read([`<${name}>a</${name}>&<invoke name="&lt;"/>`], { tags: { [name]: 'thinking' } })), 'thinking "a"\ntext "&"\ncall "<" {}')
      other.push('<thinking>')
      elements.push('<thinking>')
      assert.equal(other.isInsideBlock() && elements.isInsideBlock(), true)
      other.processChunk('x</thinking><thin')
      other.flush()
      other.reset()
      elements.finish()
      elements.reset()
    }
    for (const size of [1, 1_000]) {
      const { log, ...callbacks } = recorder()
      const parser = new BlockParser({ onChunk: (text, meta) => (callbacks.onChunk(text, meta), meddle()), onBlock: (event) => (callbacks.onBlock(event), meddle()), generateId: counter() })
      for (const part of pieces(WIDE, size)) parser.processChunk(part)
      parser.flush()
      assert.deepEqual(joined(log), want)
    }
    assert.ok(count > 50)
  })
})

describe('surrogate halves', () => {
  const high = '\ud83d'
  const low = '\ude42'

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

// Time, memory and what is pending of more inputs: tests/cases/adversarial/block.toml.
describe('adversarial input: bounded, and nothing is lost', { timeout: 120_000 }, () => {
  const TAG = 4_096
  const text = (content) => [{ type: 'text', content }]
  const value = (written) => `<invoke name="f"><parameter name="x">${written}</parameter></invoke>`
  const input = (x) => [{ type: 'tool_call', toolId: 'id_0', toolName: 'f', input: { x } }]
  const results = (written) => `<function_results><result>${written}</result></function_results>`
  const spaces = ' '.repeat(1_000_000)
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const json = (size) => `["${'x'.repeat(size)}"]`
  const tail = 'y'.repeat(5_000)
  const short = `<thinking ${'a=b '.repeat(1_000)}></thinking>`
  const long = `<invoke ${'name="f" '.repeat(100_000)}>`
  const array = { tools: { f: { properties: { x: { type: 'array' } } } } }
  const MB = 1_048_576

  // A text, its blocks, the most that is pending (or else a tag), the sizes of chunks (or else 1,000 and all of it), and how many
  // events of text there are: so many a chunk, and so many more.
  for (const [name, written, blocks, { most: limit = TAG, sizes = [1_000, written.length], events: [each, more] = [2, 300], options } = {}] of [
    ...['<thinking ', '<thinking a="', '<invoke name=', '</thinking '].map((front) => {
      const written = front + (front === '</thinking ' ? ' ' : 'a').repeat(10_000_000)
      return [`10 MB of ${front} that never closes`, written, text(written), { sizes: [10_000], events: [1, 10] }]
    }),
    ['a tag that never closes, a unit at a time', `<thinking a="${'b'.repeat(100_000)}`, text(`<thinking a="${'b'.repeat(100_000)}`), { sizes: [1] }],
    ...['<', '</', '<t', '<thinking', '&', '&#', '<>', '"<'].map((unit) => [`1 MB of ${unit}`, unit.repeat(1_000_000 / unit.length), text(unit.repeat(1_000_000 / unit.length)), { most: 9, sizes: [1_000, 65_536, 1_000_000], events: [2, 10] }]),
    ...['<', '&', '&lt', '&#1'].map((unit) => {
      const content = unit.repeat(1_000_000 / unit.length)
      return [`1 MB of ${unit} in results`, results(content), [{ type: 'tool_result', content }]]
    }),
    ['1 MB of references in results', results('&lt;'.repeat(250_000)), [{ type: 'tool_result', content: '<'.repeat(250_000) }]],
    ['100,000 attributes in tags', short.repeat(100), Array(100).fill({ type: 'thinking', content: '' })],
    ['100,000 attributes in one', long, text(long)],
    ['JSON of 1 MB', value(json(1_000_000)), input(['x'.repeat(1_000_000)]), { most: MB }],
    ['of 2 MB undeclared, which is a string', value(json(2_000_000)), input(json(2_000_000)), { most: MB + 1_000, sizes: [1_000] }],
    ['of 2 MB declared', value(json(2_000_000)), input(['x'.repeat(2_000_000)]), { sizes: [1_000], options: array }],
    ['JSON that is nested 100,000 deep, which is a string', value(nested), input(nested), { most: MB }],
    ['1 MB of spaces inside a value', value(`a${spaces}b`), input(`a${spaces}b`), { most: MB }],
    ['1 MB of spaces after a value', value(`a${spaces}`), input('a'), { most: MB }],
    ['1 MB of spaces around a number', value(`${spaces}1${spaces}`), input(1), { most: MB }],
    ['1 MB of spaces alone', value(spaces), input(''), { most: MB }],
    ['2 MB of spaces, beyond the bound of pending text', value(`a${spaces}${spaces}b`), input(`a${spaces}${spaces}b`), { most: MB + 1_000, sizes: [1_000] }],
    ['1 MB of < in a value', value('</parameter '.repeat(80_000)), input('</parameter '.repeat(80_000).trim()), { sizes: [1, 10_000] }],
    ["a quoted < that fails because the tag is too long", `<invoke a="<b" c='<thinking>${tail}`, [...text(`<invoke a="<b" c='`), { type: 'thinking', content: tail, incomplete: true }], { sizes: [1, 31, 1_000, 4_096, 4_097, 10_000] }],
    ['tags inside the quotes of tags that are all too long', `<invoke a='"'b="`.repeat(12_500), text(`<invoke a='"'b="`.repeat(12_500))],
  ]) {
    test(name, () => {
      for (const size of sizes) {
        const { log, most } = drive(written, size, options)
        assert.deepEqual(blocksOf(log), blocks)
        assert.ok(most <= limit, `${most} units were held`)
        if (blocks[0].type === 'text') assert.ok(log.length < Math.floor(each * written.length / size) + more, `${log.length} events`)
      }
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

  test('a tag of 4,096 units is a tag, one more is text', () => {
    for (const [size, isTag] of [[TAG, true], [TAG + 1, false]]) {
      const tag = `<thinking ${'x'.repeat(size - 11)}>`
      for (const chunks of [[tag], pieces(tag, 1), cutAt(tag, [4_000])]) assert.equal(blocksOf(read([...chunks, 'y']))[0].type === 'thinking', isTag)
    }
  })

  test('100,000 nested tags', () => {
    const ended = (text) => {
      const { log, parser } = drive(text, 10_000)
      assert.deepEqual(blocksOf(log).at(-1), { type: 'text', content: 'y' })
      assert.equal(parser.isInsideBlock(), false)
      return blocksOf(log).length
    }
    for (const name of ['function_calls', 'function_results']) assert.equal(ended(`${`<${name}>`.repeat(100_000)}x${`</${name}>`.repeat(100_000)}y`), 2)
    ended(`${'<thinking><function_calls>'.repeat(50_000)}x${'</function_calls></thinking>'.repeat(50_000)}y`)
    assert.equal(blocksOf(drive('<invoke name="f"><parameter name="x">'.repeat(50_000), 10_000).log).length, 1)
    const parser = new BlockParser()
    parser.push('<thinking>'.repeat(100_000))
    assert.equal(parser.getDepths().thinking, 1)
  })

  test('100,000 calls and 100,000 parameters', () => {
    const many = drive('<invoke name="f"/>'.repeat(100_000), 10_000)
    assert.equal(blocksOf(many.log).length, 100_000)
    const text = `<invoke name="f">${Array.from({ length: 100_000 }, (_, index) => `<parameter name="p${index}">${index}</parameter>`).join('')}</invoke>`
    const [block] = blocksOf(read(pieces(text, 10_000)))
    assert.equal(Object.keys(block.input).length, 100_000)
    assert.equal(block.input.p99999, 99_999)
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

  test('16 MB of text, in large chunks and small', () => {
    const text = 'The quick brown fox, 水曜日. '.repeat(650_000)
    for (const size of [100, 1_000_000, text.length]) assert.equal(visibleOf(read(pieces(text, size))), text)
  })
})
