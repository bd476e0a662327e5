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

/** Rows of a name, options, events and the blocks that they give. */
function tests(rows) {
  for (const [name, options, events, ...blocks] of rows) test(name, () => assert.deepEqual(ofEvents(options, events).blocks, blocks.map((block, index) => [index, block])))
}

const text = (content) => ({ type: 'text', content })
const thinking = (content) => ({ type: 'thinking', content })
const called = (toolId, toolName, input) => ({ type: 'tool_call', toolId, toolName, input })

describe('tags', () => {
  const reply = '<think>Hm.</think>Hello <b>you</b>'

  tests([
    ['off by default', {}, [content(reply)], text(reply)],
    ['the default names of thinking alone', { tags: true }, [content('<think>Hm.</think><invoke name="a">'), content('<thinking>Oh.</thinking>')], thinking('Hm.'), text('<invoke name="a">'), thinking('Oh.')],
    ['a table has all names that count', { tags: { b: 'thinking' } }, [content(reply)], text('<think>Hm.</think>Hello '), thinking('you')],
    ['calls of a table are calls', { tags: { invoke: 'invoke', parameter: 'parameter' } }, [content('<invoke name="a"><parameter name="b">1</parameter></invoke>')], called('made', 'a', { b: 1 })],
    ['a tag does not reach from one text into the next', { tags: true }, [content('<think>a'), call('c1', '{}'), content('b</think>')], { ...thinking('a'), incomplete: true }, called('c1', 'search', {}), text('b')],
    ['what may become a tag is text at the end', { tags: true }, [content('1 <thin')], text('1 <thin')],
  ])

  test('thinking and calls of the provider are not searched, and indices follow one another', () => {
    const { blocks, indices, chunks } = ofEvents({ tags: true }, [reasoning('<think>a'), content('<think>b</think>c'), call('c1', '{"q": "<think>"}'), content('d<think>e'), delta({}, 'stop')])
    assert.deepEqual(blocks.map(([, block]) => block), [thinking('<think>a'), thinking('b'), text('c'), called('c1', 'search', { q: '<think>' }), text('d'), { ...thinking('e'), incomplete: true }])
    assert.deepEqual(blocks.map(([index]) => index), indices)
    assert.deepEqual(indices, [0, 1, 2, 3, 4, 5])
    assert.deepEqual([...new Set(chunks.map(([index]) => index))], indices)
  })
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
    assert.deepEqual(blocks, [[0, thinking('Hm.')], [1, text('a')], [2, thinking('Hm.')], [3, text('b')]])
  })
  tests([
    ['not if the provider marks the thinking itself', { startWithThinking: true }, [reasoning('Hm.'), content('Hello')], thinking('Hm.'), text('Hello')],
    ['not after a call', { startWithThinking: true }, [content('Hm.</think>'), call('c1', '{}'), content('Hello')], thinking('Hm.'), called('c1', 'search', {}), text('Hello')],
  ])
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
  tests([
    ['thinking, in tags or not, is not searched by default', { stopSequences, tags: true }, [reasoning('a\nAlice:'), content('<think>b\nAlice:</think>c')], thinking('a\nAlice:'), thinking('b\nAlice:'), text('c')],
    ['a call is never cut', { stopSequences: ['"q"'], stopIn: 'anywhere' }, [call('c1', '{"q": 1}'), delta({}, 'stop')], called('c1', 'search', { q: 1 })],
  ])
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
