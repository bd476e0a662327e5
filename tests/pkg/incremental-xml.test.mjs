// IncrementalXmlParser: what a program with membrane's class of that name
// relies on, and the cases where membrane's is wrong.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { IncrementalXmlParser, hasUnclosedXmlBlock } from 'tokenweir/membrane'
import { everyCut, pieces } from './support/cuts.mjs'
import { joined, logOf, readElements, visibleOf } from './support/reading.mjs'
import { render } from './support/render.mjs'

const SEARCH = 'Let me check.<function_calls>\n<invoke name="search">\n<parameter name="query">weather</parameter>\n</invoke>\n</function_calls><function_results>\n<result>It &lt;rains&gt;.</result>\n</function_results>So.'

describe('shapes', () => {
  test('processChunk returns three lists: emissions in order, content, blockEvents', () => {
    const parser = new IncrementalXmlParser()
    const text = { type: 'text', visible: true, blockIndex: 0, depth: 0 }
    const thinking = { type: 'thinking', visible: false, blockIndex: 1, depth: 0 }
    const started = { event: 'block_start', index: 0, block: { type: 'text' } }
    const completed = { event: 'block_complete', index: 0, block: { type: 'text', content: 'Hi ' } }
    const next = { event: 'block_start', index: 1, block: { type: 'thinking' } }
    assert.deepEqual(parser.processChunk('Hi <thinking>hm'), {
      emissions: [
        { kind: 'blockEvent', event: started },
        { kind: 'content', text: 'Hi ', meta: text },
        { kind: 'blockEvent', event: completed },
        { kind: 'blockEvent', event: next },
        { kind: 'content', text: 'hm', meta: thinking },
      ],
      content: [{ text: 'Hi ', meta: text }, { text: 'hm', meta: thinking }],
      blockEvents: [started, completed, next],
    })
    assert.deepEqual(parser.processChunk(' ok'), { emissions: [{ kind: 'content', text: ' ok', meta: thinking }], content: [{ text: ' ok', meta: thinking }], blockEvents: [] })
    assert.deepEqual(parser.processChunk(''), { emissions: [], content: [], blockEvents: [] })
    const end = { event: 'block_complete', index: 1, block: { type: 'thinking', content: 'hm ok' } }
    assert.deepEqual(parser.flush(), { emissions: [{ kind: 'blockEvent', event: end }], content: [], blockEvents: [end] })
    assert.deepEqual(parser.flush(), { emissions: [], content: [], blockEvents: [] })
  })

  test('each call returns new lists', () => {
    const parser = new IncrementalXmlParser()
    const first = parser.processChunk('a')
    parser.processChunk('b<thinking>')
    parser.flush()
    assert.equal(first.emissions.length, 2)
    assert.equal(first.content.length, 1)
    assert.equal(first.blockEvents.length, 1)
  })

  test('finish is flush, block events only', () => {
    const parser = new IncrementalXmlParser()
    parser.processChunk('a<thin')
    assert.deepEqual(parser.finish(), [{ event: 'block_complete', index: 0, block: { type: 'text', content: 'a<thin' } }])
    assert.deepEqual(parser.finish(), [])
  })

  test('push returns an empty list', () => {
    assert.deepEqual(new IncrementalXmlParser().push('a<thinking>b'), [])
  })

  test('anything but a string is rejected by name', () => {
    for (const method of ['processChunk', 'push']) {
      for (const [value, word] of [[undefined, 'undefined'], [5, 'number 5'], [null, 'null'], [['a'], 'an array of 1']]) {
        const parser = new IncrementalXmlParser()
        assert.throws(() => parser[method](value), (error) => error instanceof TypeError && error.message.includes(`IncrementalXmlParser.${method}`) && error.message.includes(word))
        assert.equal(parser.getAccumulated(), '')
      }
    }
  })
})

describe('blocks, at every cut', () => {
  const mixed = ['', 'antml:'].flatMap((open) => ['', 'antml:'].map((close) => [open, close]))
  for (const [name, text, ...lines] of [
    ['text and thinking', 'Hello <thinking>let me think</thinking>The answer is 42.', 'text "Hello "', 'thinking "let me think"', 'text "The answer is 42."'],
    ['one function_calls element is one block with the text inside its parameters', '<function_calls><invoke name="a"><parameter name="x">one</parameter></invoke><invoke name="b"/><parameter name="y">two</parameter></invoke></function_calls>', 'tool_call "onetwo"'],
    ['white space is content, results are content as they are written', SEARCH, 'text "Let me check."', 'tool_call "\\n\\nweather\\n\\n"', 'tool_result "\\n<result>It &lt;rains&gt;.</result>\\n"', 'text "So."'],
    ...mixed.map(([open, close]) => [
      `tags like <${open}thinking></${close}thinking>`,
      `<${open}thinking>a</${close}thinking><${open}function_calls><${close}invoke name="f"><${open}parameter name="x">b</${close}parameter></${open}invoke></${close}function_calls><${open}function_results>c</${close}function_results>d`,
      'thinking "a"', 'tool_call "b"', 'tool_result "c"', 'text "d"',
    ]),
    ['an element without text is a block without text', '<thinking></thinking><function_calls><invoke name="x"></invoke></function_calls><function_results/>', 'thinking ""', 'tool_call ""', 'tool_result ""'],
    ['an element inside another completes it, and the text after it is a block of the outer kind', '<thinking>a<thinking>b</thinking>c</thinking>d', 'thinking "a"', 'thinking "b"', 'thinking "c"', 'text "d"'],
    ['results inside calls', '<function_calls>a<function_results>b</function_results>c</function_calls>d', 'tool_call "a"', 'tool_result "b"', 'tool_call "c"', 'text "d"'],
    ['parameter tags are swallowed anywhere', 'a<parameter name="x"><b>c</parameter>', 'text "a<b>c"'],
    ['and their content is read', '<function_calls><invoke name="f"><parameter name="x"><thinking>t</thinking></parameter></invoke></function_calls>', 'tool_call ""', 'thinking "t"'],
    ['text without tags', 'a < b <b> <thinkingly> </thinker> <Thinking> <thin', 'text "a < b <b> <thinkingly> </thinker> <Thinking> <thin"'],
    ['a closer without an opener, which membrane counts, changes nothing', 'a</thinking>b</function_calls></function_results>c', 'text "abc"'],
    ['a < that fails is read again, and not by membrane', '<thin<thinking>a</thin</thinking>b', 'text "<thin"', 'thinking "a</thin"', 'text "b"'],
    ['in an open quote too', '<thinking a="<thinking>', 'text "<thinking a=\\""', 'thinking ""'],
  ]) {
    test(name, () => {
      for (const [cut, chunks] of everyCut(text)) assert.equal(render(readElements(chunks), { face: 'elements' }), lines.join('\n'), cut)
    })
  }

  test('depth is the larger of the two function depths', () => {
    for (const [cut, chunks] of everyCut('a<function_calls>b<function_calls>c<function_results>d</function_results></function_calls><thinking>e</thinking>')) {
      const depths = readElements(chunks).filter(({ chunk }) => chunk !== undefined).map(({ chunk, meta }) => `${chunk}${meta.depth}`)
      assert.deepEqual(depths, ['a0', 'b1', 'c2', 'd2', 'e1'], cut)
    }
  })

  test('visible is true only for text', () => {
    for (const [cut, chunks] of everyCut(SEARCH)) assert.equal(visibleOf(readElements(chunks)), 'Let me check.So.', cut)
  })

  test('surrogate halves', () => {
    const text = '🙂\ude42<thinking>\ud83d🙂</thinking>\ud83d'
    for (const [cut, chunks] of everyCut(text)) {
      assert.deepEqual(joined(readElements(chunks)).filter(({ event }) => event === 'block_complete').map(({ block }) => block.content), ['🙂\ude42', '\ud83d🙂', '\ud83d'], cut)
    }
  })
})

describe('where membrane goes wrong', () => {
  test('a closer without an opener changes nothing', () => {
    const parser = new IncrementalXmlParser()
    parser.processChunk('</thinking></function_calls></function_results>')
    assert.deepEqual(parser.getDepths(), { functionCalls: 0, functionResults: 0, thinking: 0 })
    assert.equal(parser.getCurrentBlockType(), 'text')
    assert.equal(parser.isInsideBlock(), false)
    assert.deepEqual(readElements(['</thinking>']), [])
  })

  test('a prefix that cannot be a tag is released immediately', () => {
    const parser = new IncrementalXmlParser()
    assert.equal(parser.processChunk('<thinking').content.length, 0)
    assert.deepEqual(parser.processChunk('l').content.map(({ text }) => text), ['<thinkingl'])
  })

  test('no block is completed that was not started', () => {
    const parser = new IncrementalXmlParser()
    assert.deepEqual(parser.push('<thinking>a'), [])
    assert.deepEqual(parser.processChunk('</thinking>').blockEvents, [])
    assert.deepEqual(parser.flush().emissions, [])
  })
})

describe('push', () => {
  test('only counts tags', () => {
    const parser = new IncrementalXmlParser()
    parser.push('<thinking>'.repeat(5))
    assert.deepEqual(parser.getDepths(), { functionCalls: 0, functionResults: 0, thinking: 5 })
    assert.equal(parser.getContext(), 'thinking(5)')
    parser.push('</thinking></thinking>')
    assert.equal(parser.getContext(), 'thinking(3)')
    assert.equal(parser.getBlockIndex(), 0)
  })

  test('a tag may be cut between two calls, and between push and processChunk', () => {
    for (const [cut, chunks] of everyCut('<function_calls>\n<thinking a="b>">')) {
      const parser = new IncrementalXmlParser()
      for (const chunk of chunks) parser.push(chunk)
      assert.equal(parser.getContext(), 'function_calls(1) > thinking(1)', cut)
    }
    const parser = new IncrementalXmlParser()
    parser.push('a<thin')
    assert.deepEqual(parser.processChunk('king>b').content, [{ text: 'b', meta: { type: 'thinking', visible: false, blockIndex: 0, depth: 0 } }])
    const other = new IncrementalXmlParser()
    other.push('a<thin')
    assert.deepEqual(other.processChunk('g').content.map(({ text }) => text), ['g'])
  })

  test('content continues in its own block, of the open kind', () => {
    const parser = new IncrementalXmlParser()
    parser.push('x<function_calls>y')
    assert.deepEqual(logOf(parser.processChunk('z').emissions), [
      { event: 'block_start', index: 0, block: { type: 'tool_call' } },
      { chunk: 'z', meta: { type: 'tool_call', visible: false, blockIndex: 0, depth: 1 } },
    ])
    assert.deepEqual(parser.finish(), [{ event: 'block_complete', index: 0, block: { type: 'tool_call', content: 'z' } }])
  })

  test('leaves an open block open', () => {
    const parser = new IncrementalXmlParser()
    parser.processChunk('a')
    parser.push('b')
    parser.processChunk('c')
    assert.deepEqual(parser.finish(), [{ event: 'block_complete', index: 0, block: { type: 'text', content: 'ac' } }])
  })
})

describe('state', () => {
  test('getters, step by step', () => {
    const parser = new IncrementalXmlParser()
    const steps = [
      ['', 'none', 'text', 0],
      ['a', 'none', 'text', 0],
      ['<function_results>', 'function_results(1)', 'tool_result', 1],
      ['<function_calls>', 'function_calls(1) > function_results(1)', 'tool_call', 2],
      ['<function_calls>', 'function_calls(2) > function_results(1)', 'tool_call', 3],
      ['<thinking>', 'function_calls(2) > function_results(1) > thinking(1)', 'thinking', 4],
      ['</function_calls>', 'function_calls(1) > function_results(1) > thinking(1)', 'thinking', 5],
      ['</thinking>', 'function_calls(1) > function_results(1)', 'tool_call', 5],
      ['</function_calls></function_results>', 'none', 'text', 5],
    ]
    let all = ''
    for (const [text, context, type, index] of steps) {
      parser.processChunk(text)
      all += text
      assert.deepEqual([parser.getContext(), parser.getCurrentBlockType(), parser.getBlockIndex()], [context, type, index], all)
      assert.equal(parser.getAccumulated(), all)
      assert.equal(parser.isInsideBlock(), context !== 'none')
      assert.equal(parser.isInsideFunctionCalls(), context.includes('function_calls'))
      assert.equal(parser.isInsideFunctionResults(), context.includes('function_results'))
    }
  })

  test('incrementBlockIndex makes room for a block of somebody else', () => {
    const parser = new IncrementalXmlParser()
    parser.processChunk('a')
    parser.finish()
    parser.incrementBlockIndex()
    assert.equal(parser.getBlockIndex(), 2)
    assert.equal(parser.processChunk('b').blockEvents[0].index, 2)
    assert.equal(parser.finish()[0].index, 2)
    assert.equal(parser.getBlockIndex(), 3)
  })

  test('in an open block incrementBlockIndex counts for its next chunks and for its end, as in membrane', () => {
    const parser = new IncrementalXmlParser()
    const indices = ({ emissions }) => emissions.map(({ event, meta }) => event?.index ?? meta.blockIndex)
    assert.deepEqual(indices(parser.processChunk('a')), [0, 0])
    parser.incrementBlockIndex()
    assert.deepEqual([indices(parser.processChunk('b')), indices(parser.flush())], [[1], [1]])
  })

  test('it continues after flush: depths and index stay', () => {
    const parser = new IncrementalXmlParser()
    parser.processChunk('<thinking>a')
    parser.flush()
    assert.equal(parser.getContext(), 'thinking(1)')
    assert.deepEqual(logOf(parser.processChunk('b</thinking>c').emissions), [
      { event: 'block_start', index: 1, block: { type: 'thinking' } },
      { chunk: 'b', meta: { type: 'thinking', visible: false, blockIndex: 1, depth: 0 } },
      { event: 'block_complete', index: 1, block: { type: 'thinking', content: 'b' } },
      { event: 'block_start', index: 2, block: { type: 'text' } },
      { chunk: 'c', meta: { type: 'text', visible: true, blockIndex: 2, depth: 0 } },
    ])
  })

  test('resetForNewIteration keeps depths, index and text, and forgets a pending tag', () => {
    const parser = new IncrementalXmlParser()
    parser.processChunk('a<function_calls>b<thin')
    parser.resetForNewIteration()
    assert.equal(parser.getContext(), 'function_calls(1)')
    assert.equal(parser.getBlockIndex(), 1)
    assert.equal(parser.getAccumulated(), 'a<function_calls>b<thin')
    assert.deepEqual(parser.finish(), [])
    assert.deepEqual(logOf(parser.processChunk('king>').emissions), [
      { event: 'block_start', index: 1, block: { type: 'tool_call' } },
      { chunk: 'king>', meta: { type: 'tool_call', visible: false, blockIndex: 1, depth: 1 } },
    ])
  })

  test('reset is as new', () => {
    const parser = new IncrementalXmlParser()
    for (const text of ['', 'a', 'a<thin', '<thinking>b<', SEARCH.slice(0, 60)]) {
      parser.processChunk(text)
      parser.incrementBlockIndex()
      parser.reset()
      assert.deepEqual([parser.getContext(), parser.getBlockIndex(), parser.getAccumulated()], ['none', 0, ''])
      const emissions = [...parser.processChunk(SEARCH).emissions, ...parser.flush().emissions]
      assert.deepEqual(logOf(emissions), readElements([SEARCH]))
      parser.reset()
    }
  })

  test('push and getAccumulated are cheap at any length', () => {
    const parser = new IncrementalXmlParser()
    let all = ''
    for (let count = 0; count < 50_000; count++) {
      parser.push('<thinking>水</thinking>')
      all += '<thinking>水</thinking>'
      if (count % 500 === 0) assert.equal(parser.getAccumulated().length, all.length)
    }
    assert.equal(parser.getAccumulated(), all)
    assert.equal(parser.getContext(), 'none')
  })
})

describe('hasUnclosedXmlBlock', () => {
  for (const [text, isOpen] of [
    ['', false],
    ['a < b', false],
    ['<thinking>', true],
    ['<thinking>a</thinking>', false],
    ['</thinking><thinking>', true],
    ['<thinking><thinking></thinking>', true],
    ['<function_calls><invoke name="f">', true],
    ['<function_calls></function_calls>', false],
    ['<function_results>', true],
    ['<invoke name="f"><parameter name="x">', false],
    ['<thinking', false],
    ['<thinking/>', false],
    ['<thinkingly>', false],
    ['<thinking a="</thinking>">', true],
  ]) {
    test(JSON.stringify(text), () => assert.equal(hasUnclosedXmlBlock(text), isOpen))
  }

  test('anything but a string is rejected', () => assert.throws(() => hasUnclosedXmlBlock(undefined), TypeError))
})

test('adversarial inputs: nothing is lost, little stays pending', () => {
  for (const text of [
    `<thinking ${'a'.repeat(1_000_000)}`,
    '<'.repeat(1_000_000),
    '<thinking'.repeat(100_000),
    `<invoke a='"'b="`.repeat(12_500),
  ]) {
    const parser = new IncrementalXmlParser()
    let fed = 0
    let out = 0
    let emitted = ''
    for (const chunk of pieces(text, 1_000)) {
      fed += chunk.length
      for (const { text: piece } of parser.processChunk(chunk).content) {
        emitted += piece
        out += piece.length
      }
      assert.ok(fed - out <= 4_096)
    }
    for (const { text: piece } of parser.flush().content) emitted += piece
    assert.equal(emitted, text)
  }
  const deep = new IncrementalXmlParser()
  deep.processChunk('<thinking><function_calls>'.repeat(50_000))
  assert.equal(deep.getContext(), 'function_calls(50000) > thinking(50000)')
  deep.processChunk('</thinking></function_calls>'.repeat(50_000))
  assert.equal(deep.getContext(), 'none')
})
