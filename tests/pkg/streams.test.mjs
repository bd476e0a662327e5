// visibleText, VisibleTextStream and BlockStream: the output, when it is
// requested, and how each end stops the other.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as blocks from 'tokenweir/blocks'
import { NativeBlocks } from 'tokenweir'
import { pieces as equalPieces } from './support/cuts.mjs'
import { all, counted, generated, settled } from './support/sources.mjs'

const { BlockParser, BlockStream, VisibleTextStream, visibleText } = blocks

const REPLY = 'Hi <thinking>not <b>this</b></thinking>there, a < b.<function_calls><invoke name="f"><parameter name="x">1</parameter></invoke></function_calls> Bye <b>now</b> <thin'
const VISIBLE = 'Hi there, a < b. Bye <b>now</b> <thin'

const pieces = (size) => equalPieces(REPLY, size)

const roads = {
  'visibleText of an array': (chunks) => visibleText(chunks),
  'visibleText of an async generator': (chunks) => visibleText(generated(chunks)),
  'visibleText of a generator': (chunks) => visibleText(chunks.values()),
  'visibleText of a stream': (chunks) => visibleText(ReadableStream.from(chunks)),
  VisibleTextStream: (chunks) => ReadableStream.from(chunks).pipeThrough(new VisibleTextStream()),
}

describe('visible text', () => {
  for (const [name, road] of Object.entries(roads)) {
    test(`${name} yields only the visible text, at every size of chunk`, async () => {
      for (const size of [1, 2, 3, 5, 8, 13, 21, 1_000]) {
        const got = await all(road(pieces(size)))
        assert.equal(got.join(''), VISIBLE, `chunks of ${size}`)
        assert.ok(got.every((text) => typeof text === 'string' && text !== ''))
      }
    })

    test(`${name} of nothing is nothing`, async () => {
      assert.deepEqual(await all(road([])), [])
      assert.deepEqual(await all(road(['', ''])), [])
    })
  }

  test('pending text is emitted at the end', async () => {
    assert.deepEqual(await all(visibleText(['a <thin'])), ['a', ' <thin'])
    assert.deepEqual(await all(ReadableStream.from(['a <thin']).pipeThrough(new VisibleTextStream())), ['a ', '<thin'])
  })

  test('text comes with the chunk that decides it, not later', async () => {
    const given = []
    async function* source() {
      for (const chunk of ['one ', 'two <', 'b> three']) {
        given.push(chunk)
        yield chunk
      }
    }
    const texts = visibleText(source())
    assert.deepEqual(await texts.next(), { done: false, value: 'one' })
    assert.deepEqual(given, ['one '])
    assert.deepEqual(await texts.next(), { done: false, value: ' two' })
    assert.deepEqual(given, ['one ', 'two <'])
    assert.equal((await texts.next()).value, ' <b> three')
    assert.deepEqual(await texts.next(), { done: true, value: undefined })
  })

  test('a string is one chunk', async () => {
    assert.deepEqual(await all(visibleText('Hello 🥶')), ['Hello 🥶'])
  })

  test('options are the parser\'s', async () => {
    const chunks = ['a<thought>b</thought>c']
    assert.equal((await all(visibleText(chunks, { tags: { thought: 'thinking' } }))).join(''), 'ac')
    assert.equal((await all(ReadableStream.from(chunks).pipeThrough(new VisibleTextStream({ tags: { thought: 'thinking' } })))).join(''), 'ac')
    const seen = []
    await all(visibleText(chunks, { onChunk: (text) => seen.push(text) }))
    assert.equal(seen.join(''), 'a<thought>b</thought>c')
    for (const make of [() => visibleText([], { onchunk() {} }), () => new VisibleTextStream({ onchunk() {} }), () => new BlockStream({ onchunk() {} })]) {
      assert.throws(make, (error) => error instanceof TypeError && error.message.includes('"onchunk"'))
    }
  })

  test('think and thinking are thinking', async () => {
    const chunks = ['a<think>b</think>', 'c<thinking>d</thinking>e']
    assert.equal((await all(visibleText(chunks))).join(''), 'ace')
    assert.equal((await all(visibleText(['b</think>c'], { startWithThinking: true }))).join(''), 'c')
  })

  test('a callback that throws ends the loop with its error', async () => {
    const { stream, seen } = counted(['a', 'b'])
    await assert.rejects(all(visibleText(stream, { onChunk() { throw new Error('mine') } })), /mine/)
    assert.ok(seen.cancelled)
  })
})

describe('BlockStream', () => {
  test('yields the parser\'s emissions, in order', async () => {
    for (const size of [1, 4, 1_000]) {
      const parser = new BlockParser({ generateId: () => 'id' })
      const want = pieces(size).flatMap((chunk) => parser.processChunk(chunk).emissions).concat(parser.flush().emissions)
      const got = await all(ReadableStream.from(pieces(size)).pipeThrough(new BlockStream({ generateId: () => 'id' })))
      assert.deepEqual(got, want)
      assert.ok(want.length > 10)
    }
  })

  test('can be piped on', async () => {
    const types = new TransformStream({ transform: (emission, controller) => emission.kind === 'blockEvent' && emission.event.event === 'block_complete' && controller.enqueue(emission.event.block.type) })
    assert.deepEqual(await all(ReadableStream.from(pieces(3)).pipeThrough(new BlockStream()).pipeThrough(types)), ['text', 'thinking', 'text', 'tool_call', 'text'])
  })
})

describe('misuse', () => {
  test('an invalid source is rejected immediately, by name', () => {
    for (const [value, name] of [[undefined, 'undefined'], [null, 'null'], [7, 'number 7'], [{}, 'an object of Object']]) {
      assert.throws(() => visibleText(value), (error) => error instanceof TypeError && error.message.includes(name), name)
    }
  })

  test('a chunk that is not a string is a TypeError that names it, and the source is stopped', async () => {
    const isNamed = (error) => error instanceof TypeError && error.message.includes('number 7')
    let returned = 0
    const source = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 7 }), return: () => ({ done: (returned += 1) > 0 }) }) }
    await assert.rejects(all(visibleText(source)), isNamed)
    assert.equal(returned, 1)

    for (const through of [(stream) => visibleText(stream), (stream) => stream.pipeThrough(new VisibleTextStream()), (stream) => stream.pipeThrough(new BlockStream())]) {
      const { stream, seen } = counted(['a', 7, 'b'])
      await assert.rejects(all(through(stream)), isNamed)
      await settled()
      assert.ok(seen.cancelled, 'the source continues')
    }
  })
})

// Of each source, at each place: promises.test.mjs.
describe('stopping', () => {
  test('leaving the loop cancels a stream and unlocks it', async () => {
    const { stream, seen } = counted(['a', 'b', 'c'])
    for await (const text of visibleText(stream)) {
      assert.equal(text, 'a')
      break
    }
    assert.ok(seen.cancelled)
    assert.equal(seen.pulls, 1)
    assert.equal(stream.locked, false)
  })

  test('a stream that ends is not cancelled, and is unlocked', async () => {
    const { stream, seen } = counted(['a'])
    assert.deepEqual(await all(visibleText(stream)), ['a'])
    assert.equal(seen.cancelled, undefined)
    assert.equal(stream.locked, false)
  })

  test('an error of the source is thrown, after all that came before it', async () => {
    async function* broken() {
      yield 'a <thin'
      throw new Error('line down')
    }
    const sources = { iterable: broken, stream: () => ReadableStream.from(broken()) }
    for (const source of Object.values(sources)) {
      const got = []
      await assert.rejects(async () => {
        for await (const text of visibleText(source())) got.push(text)
      }, /line down/)
      assert.deepEqual(got, ['a', ' <thin'])
    }
    for (const Through of [VisibleTextStream, BlockStream]) await assert.rejects(all(ReadableStream.from(broken()).pipeThrough(new Through())), /line down/)
  })

  for (const Through of [VisibleTextStream, BlockStream]) {
    test(`${Through.name}: cancelling the output cancels the source with the reason`, async () => {
      const { stream, seen } = counted(['a', 'b', 'c'])
      const reader = stream.pipeThrough(new Through()).getReader()
      await reader.read()
      await reader.cancel('enough')
      await settled()
      assert.deepEqual(seen.cancelled, { reason: 'enough' })
    })
  }
})

describe('backpressure', () => {
  test('visibleText asks for a chunk when the last one was taken', async () => {
    const { stream, seen } = counted(['a', 'b', 'c'])
    const texts = visibleText(stream)
    await settled()
    assert.equal(seen.pulls, 0)
    await texts.next()
    await settled()
    assert.equal(seen.pulls, 1)
    await texts.next()
    await settled()
    assert.equal(seen.pulls, 2)
  })

  for (const Through of [VisibleTextStream, BlockStream]) {
    test(`${Through.name} doesn't read ahead of its consumer`, async () => {
      const { stream, seen } = counted(Array.from({ length: 1_000 }, () => 'x'))
      const reader = stream.pipeThrough(new Through()).getReader()
      await settled()
      const before = seen.pulls
      assert.ok(before <= 3, `${before} chunks were read ahead`)
      await reader.read()
      await settled()
      assert.ok(seen.pulls - before <= 2, `${seen.pulls - before} chunks were read for one`)
      await reader.cancel()
    })
  }
})

test('the streams and NativeBlocks agree on what is visible', async () => {
  let visible = ''
  const blocks = new NativeBlocks({ onChunk: (text, meta) => (visible += meta.visible ? text : '') })
  blocks.message([{ type: 'text', text: 'Hi ' }, { type: 'thinking', thinking: 'no' }, { type: 'text', text: 'there' }])
  assert.equal(visible, (await all(visibleText(['Hi <thinking>no</thinking>there']))).join(''))
})
