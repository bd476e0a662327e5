// Stop sequences: where a reply ends, at every cut; what may be one is never emitted.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { BlockParser, BlockStream, VisibleTextStream } from 'tokenweir/blocks'
import { visibleText } from 'tokenweir'
import { everyCut } from './support/cuts.mjs'
import { counter, joined, read } from './support/reading.mjs'

const inside = (path) => import(new URL(`../../target/pkg-src/js/${path}`, import.meta.url))

/** The earliest match, and the longest there. */
function naive(text, sequences) {
  for (let at = 0; at < text.length; at++) {
    const [sequence] = sequences.filter((each) => text.startsWith(each, at)).sort((a, b) => b.length - a.length)
    if (sequence !== undefined) return { sequence, offset: at }
  }
  return undefined
}

/** What of a log is visible, and where it stops. */
const seen = (log) => ({
  text: log.map(({ chunk, meta }) => (meta?.visible ? chunk : '')).join(''),
  stop: log.find(({ event }) => event === 'stop'),
})

const ALICE = ['\nAlice:', '\nBob:']

describe('stop sequences', () => {
  for (const [name, input, options, expected] of [
    ['in the middle', 'Hi.\nAlice: Hello.', {}, ['text "Hi."', 'stop "\\nAlice:" 3 0']],
    ['none', 'Hi.\nAli', {}, ['text "Hi.\\nAli"']],
    ['at the start', '\nBob:x', {}, ['stop "\\nBob:" 0 0']],
    ['directly after thinking', '<thinking>a</thinking>\nBob:x', {}, ['thinking "a"', 'stop "\\nBob:" 22 1']],
    ['not in thinking', '<thinking>a\nBob:b</thinking>c\nBob:d<thinking>', {}, ['thinking "a\\nBob:b"', 'text "c"', 'stop "\\nBob:" 29 1']],
    ['not in a parameter', '<invoke name="f"><parameter name="x">\nBob:</parameter></invoke>a', {}, ['tool_call {"x":"Bob:"}', 'text "a"']],
    ['in thinking, anywhere', '<thinking>a\nBob:b</thinking>c', { stopIn: 'anywhere' }, ['thinking "a" incomplete', 'stop "\\nBob:" 11 0']],
    ['a tag, anywhere', 'a<function_calls><invoke name="f"></invoke></function_calls> b', { stopIn: 'anywhere', stopSequences: ['</function_calls>'] }, ['text "a"', 'tool_call {}', 'stop "</function_calls>" 43 2']],
    ['the longest at the earliest', 'abcdef', { stopSequences: ['bc', 'bcd', 'cdef'] }, ['text "a"', 'stop "bcd" 1 0']],
    ['the earliest, although a later one is seen first', 'abcdef', { stopSequences: ['c', 'abcd'] }, ['stop "abcd" 0 0']],
    ['a longer one that fails', 'abcx', { stopSequences: ['b', 'bcd'] }, ['text "a"', 'stop "b" 1 0']],
    ['a longer one that the end cuts off', 'abc', { stopSequences: ['b', 'bcd'] }, ['text "a"', 'stop "b" 1 0']],
    ['over a tag that is left out', 'a\nAl</thinking>ice: b', {}, ['text "a"', 'stop "\\nAlice:" 1 0']],
    ['a tag between two blocks ends a beginning', 'a\nAl<thinking>b</thinking>ice:', {}, ['text "a\\nAl"', 'thinking "b"', 'text "ice:"']],
    ['a beginning before a tag', 'a\n<thinking>b</thinking>c', {}, ['text "a\\n"', 'thinking "b"', 'text "c"']],
  ]) {
    test(name, () => {
      for (const spans of [false, true]) {
        for (const [cut, chunks] of everyCut(input)) {
          const log = read(chunks, { stopSequences: ALICE, generateId: counter(), spans, ...options })
          const lines = log.flatMap((entry) => {
            if (entry.event === 'stop') return [`stop ${JSON.stringify(entry.sequence)} ${entry.offset} ${entry.block}`]
            const { block } = entry
            return entry.event === 'block_complete' ? [`${block.type} ${JSON.stringify(block.input ?? block.content)}${block.incomplete ? ' incomplete' : ''}`] : []
          })
          assert.deepEqual(lines, expected, cut)
        }
      }
    })
  }

  test('no cut emits a part of one, and all cuts the same', () => {
    const piece = fc.constantFrom('\n', 'A', 'Al', 'ice:', '\nAlice:', '\nB', 'ob:', 'x', ' <', '<b>', '<thinking>', '</thinking>', '🙂')
    const sequences = fc.uniqueArray(fc.constantFrom('\nAlice:', '\nAl', 'ice:\n', 'ob', 'x\nA', '<b>', '🙂x', 'xx', 'x'), { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), sequences, fc.constantFrom('text', 'anywhere'), fc.array(fc.nat(), { maxLength: 4 }), (pieces, stopSequences, stopIn, places) => {
        const text = pieces.join('')
        const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
        const chunks = [...cuts, text.length].map((to, at) => text.slice(cuts[at - 1] ?? 0, to))
        const whole = joined(read([text], { stopSequences, stopIn }))
        const parts = joined(read(chunks, { stopSequences, stopIn }))
        assert.deepEqual(parts, whole)
        const { text: visible, stop } = seen(whole)
        if (stopIn === 'anywhere') {
          const match = naive(text, stopSequences)
          assert.deepEqual(stop && { sequence: stop.sequence, offset: stop.offset }, match)
          return
        }
        // What is seen of each block is what stands before the first match in it.
        const blocks = joined(read([text])).filter(({ event, block }) => event === 'block_complete' && block.type === 'text')
        let expected = ''
        let match
        for (const { block } of blocks) {
          match = naive(block.content, stopSequences)
          expected += match === undefined ? block.content : block.content.slice(0, match.offset)
          if (match !== undefined) break
        }
        assert.equal(visible, expected)
        assert.equal(stop?.sequence, match?.sequence)
      }),
      { numRuns: 2_000 },
    )
  })

  test('after a stop, text is ignored and counted until the next iteration', () => {
    const parser = new BlockParser({ stopSequences: ALICE })
    parser.processChunk('Hi.\nAlice: a')
    assert.deepEqual(parser.processChunk('<thinking>more'), { emissions: [] })
    assert.deepEqual([parser.getIgnored(), parser.getAccumulated(), parser.getContext()], [16, 'Hi.', 'none'])
    assert.deepEqual(parser.flush().emissions, [])
    parser.resetForNewIteration()
    assert.equal(parser.getIgnored(), 0)
    const log = parser.processChunk(' Next.\nBob:').emissions
    assert.deepEqual(log.find(({ event }) => event?.event === 'stop').event, { event: 'stop', sequence: '\nBob:', offset: 9, block: 1 })
    assert.equal(parser.getAccumulated(), 'Hi. Next.')
    parser.reset()
    assert.deepEqual([parser.getIgnored(), parser.getAccumulated()], [0, ''])
  })

  test('text that waits for a stop sequence comes before a prefill', () => {
    for (const stopIn of ['text', 'anywhere']) {
      const texts = []
      const parser = new BlockParser({ stopSequences: ALICE, stopIn, onChunk: (text) => texts.push(text) })
      parser.processChunk('a\nAl')
      assert.equal(parser.getAccumulated(), 'a\nAl')
      parser.push('ice: sent ')
      parser.processChunk('b')
      parser.flush()
      assert.equal(texts.join('|'), 'a|\nAl|b', stopIn)
    }
  })

  test('the streams stop too', async () => {
    const chunks = ['Hi.\nAli', 'ce: ', 'more']
    const options = { stopSequences: ALICE }
    const all = async (source) => {
      const found = []
      for await (const each of source) found.push(each)
      return found
    }
    assert.equal((await all(visibleText(chunks, options))).join(''), 'Hi.')
    assert.equal((await all(ReadableStream.from(chunks).pipeThrough(new VisibleTextStream(options)))).join(''), 'Hi.')
    const emissions = await all(ReadableStream.from(chunks).pipeThrough(new BlockStream(options)))
    assert.equal(emissions.at(-1).event.event, 'stop')
  })

  test('64 sequences of 256 units take at most two moves a unit', async () => {
    const { StopSearch } = await inside('blocks/stop-sequences.js')
    const sequences = Array.from({ length: 64 }, (_, at) => 'a'.repeat(255 - at) + 'b')
    for (const text of ['a'.repeat(100_000), 'ab'.repeat(100), `${'a'.repeat(100)}c`.repeat(1_000)]) {
      const search = new StopSearch(sequences)
      search.read(text)
      assert.ok(search.steps <= 2 * text.length, `${search.steps} steps for ${text.length} units`)
    }
  })

  test('options are refused by name', () => {
    for (const [options, ...words] of [
      [{ stopSequences: 'x' }, 'stopSequences', 'array'],
      [{ stopSequences: [1] }, 'stopSequences[0]', 'number'],
      [{ stopSequences: ['a', ''] }, 'stopSequences[1]', 'empty'],
      [{ stopSequences: ['x'.repeat(257)] }, 'stopSequences[0]', '256'],
      [{ stopSequences: Array(1025).fill('x') }, 'stopSequences', '1024'],
      [{ stopIn: 'thinking' }, 'stopIn', '"anywhere"'],
    ]) {
      assert.throws(() => new BlockParser(options), (error) => error instanceof TypeError && words.every((word) => error.message.includes(word)), JSON.stringify(options).slice(0, 80))
    }
    new BlockParser({ stopSequences: Array.from({ length: 1024 }, (_, at) => String(at).padEnd(256, 'x')) })
  })
})
