// NativeBlocks: tags and stop sequences in the text that a provider sends. Each text
// block gives what a BlockParser gives for it, wherever the deltas are cut.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { NativeBlocks } from 'tokenweir'
import { everyCut, random } from './support/cuts.mjs'

const delta = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const content = (text) => delta({ content: text })
const reasoning = (text) => delta({ reasoning_content: text })
const call = (id, args) => delta({ tool_calls: [{ index: 0, id, type: 'function', function: { name: 'search', arguments: args } }] })

/** What events give: joined chunks, completed blocks, other events, and all indices. */
function readingOf(options, feed) {
  const seen = { chunks: [], blocks: [], events: [], indices: [] }
  const native = new NativeBlocks({
    generateId: () => 'made',
    ...options,
    onChunk: (text, { type, blockIndex }) => {
      const last = seen.chunks.at(-1)
      if (last?.[0] === blockIndex && last[1] === type) last[2] += text
      else seen.chunks.push([blockIndex, type, text])
    },
    onBlock: (event) => {
      if (event.event === 'block_start') seen.indices.push(event.index)
      else if (event.event === 'block_complete') seen.blocks.push([event.index, event.block])
      else seen.events.push(event)
    },
  })
  feed(native)
  return { ...seen, ignored: native.getIgnored() }
}

const ofEvents = (options, events) =>
  readingOf(options, (native) => {
    for (const event of events) native.openai(event)
    native.flush()
  })

const THINK = [0, { type: 'thinking', content: 'Hm.' }]

describe('tags', () => {
  const text = '<think>Hm.</think>Hello <b>you</b>'

  test('off by default', () => assert.deepEqual(ofEvents({}, [content(text)]).blocks, [[0, { type: 'text', content: text }]]))
  test('the default names of thinking alone', () => {
    const { blocks } = ofEvents({ tags: true }, [content('<think>Hm.</think><invoke name="a">'), content('<thinking>Oh.</thinking>')])
    assert.deepEqual(blocks, [THINK, [1, { type: 'text', content: '<invoke name="a">' }], [2, { type: 'thinking', content: 'Oh.' }]])
  })
  test('a table has all names that count', () => {
    const { blocks } = ofEvents({ tags: { b: 'thinking' } }, [content(text)])
    assert.deepEqual(blocks, [[0, { type: 'text', content: '<think>Hm.</think>Hello ' }], [1, { type: 'thinking', content: 'you' }]])
  })
  test('calls of a table are calls', () => {
    const { blocks } = ofEvents({ tags: { invoke: 'invoke', parameter: 'parameter' } }, [content('<invoke name="a"><parameter name="b">1</parameter></invoke>')])
    assert.deepEqual(blocks, [[0, { type: 'tool_call', toolId: 'made', toolName: 'a', input: { b: 1 } }]])
  })
  test('thinking and calls of the provider are not searched, and indices follow one another', () => {
    const { blocks, indices, chunks } = ofEvents({ tags: true }, [reasoning('<think>a'), content('<think>b</think>c'), call('c1', '{"q": "<think>"}'), content('d<think>e'), delta({}, 'stop')])
    assert.deepEqual(blocks, [
      [0, { type: 'thinking', content: '<think>a' }],
      [1, { type: 'thinking', content: 'b' }],
      [2, { type: 'text', content: 'c' }],
      [3, { type: 'tool_call', toolId: 'c1', toolName: 'search', input: { q: '<think>' } }],
      [4, { type: 'text', content: 'd' }],
      [5, { type: 'thinking', content: 'e', incomplete: true }],
    ])
    assert.deepEqual(indices, [0, 1, 2, 3, 4, 5])
    assert.deepEqual([...new Set(chunks.map(([index]) => index))], indices)
  })
  test('a tag does not reach from one text into the next', () => {
    const { blocks } = ofEvents({ tags: true }, [content('<think>a'), call('c1', '{}'), content('b</think>')])
    assert.deepEqual(blocks.map(([, { type, content }]) => [type, content]), [['thinking', 'a'], ['tool_call', undefined], ['text', 'b']])
  })
  test('what may become a tag is text at the end', () => assert.deepEqual(ofEvents({ tags: true }, [content('1 <thin')]).blocks, [[0, { type: 'text', content: '1 <thin' }]]))
  test('after reset', () => {
    const { blocks } = readingOf({ tags: true }, (native) => {
      native.openai(content('<think>a'))
      native.reset()
      native.message('b')
    })
    assert.deepEqual(blocks, [[0, { type: 'text', content: 'b' }]])
  })
})

describe('startWithThinking', () => {
  test('the text begins inside thinking, in each reply', () => {
    const { blocks } = readingOf({ startWithThinking: true }, (native) => {
      for (const text of ['Hm.</think>a', '<think>Hm.</think>b']) {
        native.openai(content(text))
        native.resetForNewIteration()
      }
    })
    assert.deepEqual(blocks, [THINK, [1, { type: 'text', content: 'a' }], [2, { type: 'thinking', content: 'Hm.' }], [3, { type: 'text', content: 'b' }]])
  })
  test('not if the provider marks the thinking itself', () => {
    assert.deepEqual(ofEvents({ startWithThinking: true }, [reasoning('Hm.'), content('Hello')]).blocks, [THINK, [1, { type: 'text', content: 'Hello' }]])
  })
  test('not after a call', () => {
    assert.deepEqual(ofEvents({ startWithThinking: true }, [content('Hm.</think>'), call('c1', '{}'), content('Hello')]).blocks.at(-1), [2, { type: 'text', content: 'Hello' }])
  })
})

test('unopenedThinking reports where the text was, in the reply', () => {
  const { events } = ofEvents({ unopenedThinking: 'report' }, [content('one'), call('c1', '{}'), content('Hm.</think>Hello')])
  assert.deepEqual(events, [{ event: 'reclassify', as: 'thinking', from: 3, to: 6 }])
})

describe('stop sequences', () => {
  const stopSequences = ['\nAlice:', '\n\nBob']

  test('end the reply: later text and calls are ignored until the next', () => {
    const { blocks, events, ignored } = readingOf({ stopSequences }, (native) => {
      for (const event of [content('one'), call('c0', '{}'), content('Hello.\nAli'), content('ce: Hi!'), call('c1', '{}'), content('x')]) native.openai(event)
      native.flush()
    })
    assert.deepEqual(blocks.map(([index, { type, content }]) => [index, type, content]), [[0, 'text', 'one'], [1, 'tool_call', undefined], [2, 'text', 'Hello.']])
    assert.deepEqual(events, [{ event: 'stop', sequence: '\nAlice:', offset: 9, block: 2 }])
    // What follows, and the name, id and input of the call.
    assert.equal(ignored, ' Hi!'.length + 'searchc1{}'.length + 'x'.length)
  })
  test('the next reply is read again', () => {
    const { blocks, indices } = readingOf({ stopSequences, tags: true }, (native) => {
      native.message('<think>a</think>b\nAlice: c')
      native.resetForNewIteration()
      native.message('d<think>e</think>')
    })
    assert.deepEqual(blocks.map(([index, { content }]) => [index, content]), [[0, 'a'], [1, 'b'], [2, 'd'], [3, 'e']])
    assert.deepEqual(indices, [0, 1, 2, 3])
  })
  test('thinking, in tags or not, is not searched by default', () => {
    assert.deepEqual(ofEvents({ stopSequences, tags: true }, [reasoning('a\nAlice:'), content('<think>b\nAlice:</think>c')]).blocks.map(([, { content }]) => content), ['a\nAlice:', 'b\nAlice:', 'c'])
  })
  for (const cut of [0, 3, 4, 11]) {
    test(`stopIn: 'anywhere' finds them in thinking, cut at ${cut}`, () => {
      const text = 'abc\nAlice: d'
      const { blocks, events, chunks, ignored } = ofEvents({ stopSequences, stopIn: 'anywhere' }, [content('z'), reasoning(text.slice(0, cut)), reasoning(text.slice(cut)), content('e')])
      assert.deepEqual(blocks, [[0, { type: 'text', content: 'z' }], [1, { type: 'thinking', content: 'abc', incomplete: true }]])
      assert.deepEqual(events, [{ event: 'stop', sequence: '\nAlice:', offset: 4, block: 1 }])
      assert.deepEqual(chunks, [[0, 'text', 'z'], [1, 'thinking', 'abc']])
      assert.equal(ignored, 3)
    })
  }
  test('thinking that only begins like one is emitted', () => {
    const { blocks, chunks } = ofEvents({ stopSequences, stopIn: 'anywhere' }, [reasoning('abc\nAli'), content('d\nAl'), delta({}, 'stop')])
    assert.deepEqual(blocks, [[0, { type: 'thinking', content: 'abc\nAli' }], [1, { type: 'text', content: 'd\nAl' }]])
    assert.deepEqual(chunks, [[0, 'thinking', 'abc\nAli'], [1, 'text', 'd\nAl']])
  })
  test('a call is never cut', () => {
    assert.deepEqual(ofEvents({ stopSequences: ['"q"'], stopIn: 'anywhere' }, [call('c1', '{"q": 1}'), delta({}, 'stop')]).blocks[0][1].input, { q: 1 })
  })
})

test('a text gives what BlockParser gives for it, in any deltas', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const next = random(seed)
  const pieces = ['a', '\n', '<think>', '</think>', '<thinking>', '</thinking>', '<thin', '\nAlice:', '\nAl', 'ice:', '<', '>', ' b ', '</']
  const others = { invoke: false, parameter: false, function_calls: false, function_results: false, result: false, error: false }
  for (let round = 0; round < 60; round++) {
    const text = Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join('')
    const options = {
      startWithThinking: next(2) === 0,
      unopenedThinking: next(2) === 0 ? 'report' : 'ignore',
      stopSequences: next(2) === 0 ? ['\nAlice:', '\nAl'] : [],
      stopIn: next(2) === 0 ? 'text' : 'anywhere',
    }
    const want = { blocks: [], events: [] }
    const seen = (event) => (event.event === 'block_complete' ? want.blocks.push([event.index, event.block]) : event.event !== 'block_start' && want.events.push(event))
    const parser = new BlockParser({ ...options, tags: others, onBlock: seen })
    parser.processChunk(text)
    parser.flush()
    for (const [how, chunks] of everyCut(text, seed, { one: 40, two: 12, pairs: 5 })) {
      const { blocks, events, ignored } = ofEvents({ ...options, tags: true }, chunks.map(content))
      assert.deepEqual({ blocks, events, ignored }, { ...want, ignored: parser.getIgnored() }, `SEED=${seed}, ${how} ${JSON.stringify({ text, options })}`)
    }
  }
})

test('invalid options are refused by name', () => {
  for (const tags of [7, 'think', [], { think: 'thoughts' }]) assert.throws(() => new NativeBlocks({ tags }), (error) => error instanceof TypeError && /^NativeBlocks: tags/.test(error.message))
  assert.throws(() => new NativeBlocks({ startWithThinking: 1 }), /NativeBlocks: startWithThinking must be true or false/)
  assert.throws(() => new NativeBlocks({ unopenedThinking: 'no' }), /NativeBlocks: unopenedThinking must be "ignore" or "report"/)
  assert.throws(() => new NativeBlocks({ stopSequences: [''] }), /NativeBlocks: stopSequences\[0\] is empty/)
  assert.throws(() => new NativeBlocks({ stopIn: 'no' }), /NativeBlocks: stopIn/)
})
