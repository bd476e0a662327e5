// Payloads of the drop-in class: parameters' values in CDATA, history and envelopes, as membrane reads them from 0.5.86
// on. Each row is read whole, at every cut, in random pieces (SEED in the environment), and through snapshots.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { env } from 'node:process'
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser, hasUnclosedXmlBlock } from 'tokenweir/membrane'
import { cutAt, random } from './support/cuts.mjs'

const O = '<function_calls>'
const C = '</function_calls>'
const I = (name) => `<invoke name="${name}">`
const P = (name) => `<parameter name="${name}">`
const [II, PP] = ['</invoke>', '</parameter>']
const [R, RR, T, TT, D, E] = ['<function_results>', '</function_results>', '<thinking>', '</thinking>', '<![CDATA[', ']]>']
const call = `${O}${I('f')}`
const open = `${call}${P('a')}`
/** The same tags with their prefix. */
const prefixed = (text) => text.replaceAll(/<(\/?)(?=[a-z])/g, `<$1${['ant', 'ml'].join('')}:`)

const SEED = Number(env.SEED ?? Date.now() % 1e6)
console.log(`SEED=${SEED}`)

/** Some ways to cut a text. */
function* someCuts(text) {
  yield [text]
  for (let at = 1; at < text.length; at++) yield [text.slice(0, at), text.slice(at)]
  const next = random(SEED)
  for (let count = 0; count < 20; count++) yield cutAt(text, Array.from({ length: 5 }, () => next(text.length + 1)).sort((a, b) => a - b))
  yield [...text]
}

/** A parser that goes on from a snapshot of another. */
const again = (parser, options) => IncrementalXmlParser.restore(JSON.parse(JSON.stringify(parser.snapshot())), options)

/** The parser after a text, read in each way: pushed, processed, and restored after each piece. */
function* after(text) {
  for (const chunks of someCuts(text)) {
    for (const how of ['push', 'processChunk', 'saved']) {
      if (how === 'saved' && chunks.length > 8) continue
      let parser = new IncrementalXmlParser()
      for (const chunk of chunks) {
        parser[how === 'saved' ? 'processChunk' : how](chunk)
        if (how === 'saved') parser = again(parser)
      }
      yield [parser, `${how} ${JSON.stringify(chunks)}`]
    }
  }
}

/** What the calls return for a text, at each cut, with and without a snapshot before each chunk. */
function* everyResult(text, options) {
  for (const chunks of someCuts(text)) {
    for (const isSaved of [false, true]) {
      let parser = new IncrementalXmlParser(options)
      const results = chunks.map((chunk) => {
        if (isSaved && chunks.length < 8) parser = again(parser)
        return parser.processChunk(chunk)
      })
      results.push(parser.flush())
      yield { parser, results, chunks }
    }
  }
}

/** What came out: the blocks with their texts. */
function reading(results) {
  const blocks = []
  for (const { kind, event, text, meta } of results.flatMap(({ emissions }) => emissions)) {
    if (kind === 'content') {
      const last = blocks.at(-1)
      assert.equal(meta.blockIndex, last.index)
      assert.equal(meta.type, last.type)
      assert.equal(meta.visible, meta.type === 'text')
      last.text += text
    } else if (event.event === 'block_start') blocks.push({ index: event.index, type: event.block.type, text: '' })
    else if (event.event === 'block_complete') assert.equal(event.block.content, blocks.at(-1).text)
  }
  return blocks.map(({ type, text }) => [type, text])
}

describe('where a text ends in a payload', () => {
  for (const [text, isInside, depths = {}] of [
    [`${open}${D}`, true],
    [`${open}\n${D}`, true],
    [`${open} ${D}`, false],
    [`${open}\n\n${D}`, false],
    [`${open}\r\n${D}`, false],
    [`${open}k${D}`, false],
    [`${open}<![CDATA`, false],
    [`${open}<![cdata[`, false],
    [`${open}<![CDA<![CDATA[`, false],
    [`${call}${D}`, false],
    [D, false, { functionCalls: 0 }],
    [`${open}j${P('b')}${D}`, false],
    [`${open}j${PP}${P('b')}${D}`, true],
    [`${open}j${II}${I('g')}${P('b')}${D}`, true],
    [`${open}j${C}${O}${I('g')}${P('b')}${D}`, true],
    [`${open}${D}m`, true],
    [`${open}${D}m]`, true],
    [`${open}${D}m]]`, true],
    [`${open}${D}m]]]]]`, true],
    [`${open}${D}m]] >`, true],
    [`${open}${D}m${E}`, false],
    [`${open}${D}m]]]${E}`, false],
    [`${open}${D}m${E}n${T}${D}`, false],
    [`${open}${D}m${E}${D}n`, true],
    [`${open}${D}m${E} ${D}n`, false],
    [`${open}${D}m${E}${PP}${P('b')}${D}n`, true],
    [`${open}${D}m${E}${II}${P('b')}${D}n`, false],
    [`${open}${D}m${E}${C}`, false, { functionCalls: 0 }],
    [`${open}${D}${C}${TT}${T}${RR}${R}${PP}${II}${O}`, true],
    [`${open}${D}m${E}${P('b')}${I('g')}${O}${R}${T}${TT}${RR}`, false],
    [`${T}${open}${D}`, false, { thinking: 1 }],
    [`${R}${open}${D}`, false, { functionResults: 1 }],
    [`${T}${TT}${open}${D}`, true],
    [`${call}${T}${P('a')}${D}`, false, { thinking: 1 }],
    [`${call}${T}${TT}${P('a')}${D}`, true],
    [`${O}<invoke name="f"/>${P('a')}${D}`, false],
    [`${call}<parameter name="a"/>${D}`, false],
    [`${I('f')}${P('a')}${D}`, false, { functionCalls: 0 }],
    [`${O}${open}${D}`, true, { functionCalls: 2 }],
  ]) {
    for (const written of [text, prefixed(text)]) {
      test(written, () => {
        for (const [parser, how] of after(written)) {
          assert.equal(parser.isInsidePayload(), isInside, how)
          assert.deepEqual(parser.getDepths(), { functionCalls: 1, functionResults: 0, thinking: 0, ...depths }, how)
          assert.equal(parser.getAccumulated(), written)
        }
        assert.equal(hasUnclosedXmlBlock(written), Object.values({ functionCalls: 1, ...depths }).some((depth) => depth > 0))
      })
    }
  }
})

describe('what is emitted of a payload', () => {
  const end = `${PP}${II}${C}`
  for (const [text, expected] of [
    [`a${open}${D}x < ${C}${T}y ]] ]${E}${end}b`, [['text', 'a'], ['tool_call', `${D}x < ${C}${T}y ]] ]${E}`], ['text', 'b']]],
    [`${open}\n${D}x${E}${D}y${E}\n${end}b`, [['tool_call', `\n${D}x${E}${D}y${E}\n`], ['text', 'b']]],
    [`${open}${D}x${E} ${T}${O}q${end}b`, [['tool_call', `${D}x${E} ${T}${O}q`], ['text', 'b']]],
    [`${open}<![CDATAx${end}b`, [['tool_call', '<![CDATAx'], ['text', 'b']]],
    [`${open}${D}x${E}<![CDb${end}c`, [['tool_call', `${D}x${E}<![CDb`], ['text', 'c']]],
    [`${open}<![CDATA`, [['tool_call', '<![CDATA']]],
    [`${open}${D}x]]`, [['tool_call', `${D}x]]`]]],
    [`${open}${D}x${E}<![`, [['tool_call', `${D}x${E}<![`]]],
    [`${open}${D}水🙂${E}</para`, [['tool_call', `${D}水🙂${E}</para`]]],
  ]) {
    test(text, () => {
      for (const { results, chunks } of everyResult(text)) assert.deepEqual(reading(results), expected, JSON.stringify(chunks))
    })
  }

  test('flush emits a front of an opening marker, and no cut holds more', () => {
    const parser = new IncrementalXmlParser()
    assert.deepEqual(parser.processChunk(`${open}<![CDATA`).content, [])
    assert.deepEqual(parser.flush().content.map(({ text }) => text), ['<![CDATA'])
    const inside = new IncrementalXmlParser()
    inside.processChunk(`${open}${D}`)
    assert.deepEqual(inside.processChunk('a]]').content.map(({ text, meta }) => [text, meta.type, meta.visible]), [['a]]', 'tool_call', false]])
  })

  test('a new reply goes on in the payload', () => {
    for (const [front, rest, isInside] of [['x', `${C}`, true], ['x]]', '>', false], ['x]', `]>${PP}`, false]]) {
      const parser = new IncrementalXmlParser()
      parser.push(`${open}${D}${front}`)
      parser.resetForNewIteration()
      const { content } = parser.processChunk(rest)
      assert.equal(parser.isInsidePayload(), isInside)
      assert.equal(content[0].meta.type, 'tool_call')
      assert.equal(parser.getDepths().functionCalls, 1)
      parser.reset()
      assert.equal(parser.isInsidePayload(), false)
      assert.equal(parser.isPayloadAt(`${open}${D}`.length), false)
    }
  })
})

describe('places in payloads', () => {
  /** Which places are in one. */
  const places = (parser, length) => Array.from({ length }, (_, at) => (parser.isPayloadAt(at) ? '#' : '.')).join('')
  const marked = (text) => text.replaceAll(/<!\[CDATA\[[^]*?(?:\]\]>(?:<!\[CDATA\[[^]*?\]\]>)*|$)/g, (payload) => '#'.repeat(payload.length)).replaceAll(/[^#]/g, '.')

  for (const text of [
    `a 水${open}${D}x#y${E}${PP}${P('b')}\n${D}${C}]]${E}${D}>${E}${PP}${II}${C}b`.replace('#', ''),
    `${T}x${TT} more text ${open}${D}never ends ${C}`,
    `${open}${D}${E}`,
  ]) {
    test(text, () => {
      for (const [parser, how] of after(text)) assert.equal(places(parser, text.length), marked(text), how)
    })
  }

  test('an open payload has no end; history ends it, and so do no other places count', () => {
    const parser = new IncrementalXmlParser()
    parser.processChunk(`some text ${open}${D}x`)
    assert.equal(parser.isPayloadAt(10_000), true)
    parser.endHistory()
    const { length } = parser.getAccumulated()
    assert.deepEqual([-1, 0, length - 1, length, 10_000].map((at) => parser.isPayloadAt(at)), [false, false, true, false, false])
    assert.throws(() => parser.isPayloadAt('1'), TypeError)
  })

  test('envelopes count as text of the stream', () => {
    for (const front of ['', 'text ', `${T}x${TT}<`]) {
      const parser = new IncrementalXmlParser()
      parser.processChunk(front)
      const envelope = `${R}${T}${open}${D}`
      parser.pushEnvelope(envelope)
      parser.processChunk(`more ${open}${D}y${E}`)
      const text = parser.getAccumulated()
      assert.equal(text, `${front}${envelope}more ${open}${D}y${E}`)
      assert.equal(places(parser, text.length), '.'.repeat(text.lastIndexOf(D)) + '#'.repeat(D.length + 4))
    }
  })

  test('after a snapshot without text they are places of the text that came since', () => {
    const before = new IncrementalXmlParser()
    before.processChunk(`text ${open}${D}x${E}${PP}`)
    const parser = IncrementalXmlParser.restore(before.snapshot({ keepText: false }))
    parser.processChunk(`${P('b')}${D}y`)
    const text = parser.getAccumulated()
    assert.equal(places(parser, text.length), '.'.repeat(text.indexOf(D)) + '#'.repeat(D.length + 1))
  })
})

describe('history', () => {
  for (const [history, chunk, isInside, depths = {}] of [
    [`${O}${I('a')}${P('x')}${D}old`, '', false, { functionCalls: 1 }],
    [`${O}${I('a')}${P('x')}${D}old`, C, false],
    [`${O}${I('a')}${P('x')}${D}old]]`, `>${P('b')}${D}`, false, { functionCalls: 1 }],
    [`${O}${I('a')}${P('x')}${D}old${E}${T}`, `${T}`, false, { functionCalls: 1, thinking: 1 }],
    [`${O}${I('a')}${P('x')}${D}old`, `${I('b')}${P('y')}${D}`, true, { functionCalls: 1 }],
    [`${T}old`, `${O}${I('a')}${P('x')}${D}`, true, { thinking: 1, functionCalls: 1 }],
    [`${R}old`, `${O}${I('a')}${P('x')}${D}`, true, { functionResults: 1, functionCalls: 1 }],
    [`${T}old`, `${TT}${T}new${O}${I('a')}${P('x')}${D}`, false, { thinking: 1, functionCalls: 1 }],
    [`${T}${T}old`, `${TT}${T}new${O}${I('a')}${P('x')}${D}`, false, { thinking: 2, functionCalls: 1 }],
    [`${T}${T}old`, `${TT}${O}${I('a')}${P('x')}${D}`, true, { thinking: 1, functionCalls: 1 }],
  ]) {
    test(`${history} | ${chunk}`, () => {
      for (const [parser, how] of after(history)) {
        const type = parser.getCurrentBlockType()
        const before = parser.getDepths()
        parser.endHistory()
        assert.equal(parser.isInsidePayload(), false)
        assert.deepEqual([parser.getCurrentBlockType(), parser.getDepths()], [type, before])
        const restored = again(parser)
        for (const each of [parser, restored]) {
          for (const unit of chunk) each.processChunk(unit)
          assert.equal(each.isInsidePayload(), isInside, how)
          assert.deepEqual(each.getDepths(), { functionCalls: 0, functionResults: 0, thinking: 0, ...depths }, how)
        }
      }
    })
  }

  test('without endHistory thinking of the prefill encloses its calls', () => {
    const parser = new IncrementalXmlParser()
    parser.push(`${T}old`)
    parser.processChunk(`${open}${D}`)
    assert.equal(parser.isInsidePayload(), false)
  })

  test('an envelope is not read, and changes nothing', () => {
    for (const text of [`${open}${D}x`, `${T}x`, `${R}`, `${open}`, 'plain']) {
      const parser = new IncrementalXmlParser()
      parser.processChunk(text)
      const state = () => [parser.getDepths(), parser.getBlockIndex(), parser.isInsidePayload(), parser.getCurrentBlockType()]
      const before = state()
      assert.equal(parser.pushEnvelope(`${T}${E}${C}${O}`), undefined)
      assert.deepEqual(state(), before)
      assert.equal(parser.getAccumulated(), `${text}${T}${E}${C}${O}`)
      assert.deepEqual([parser.processChunk(''), parser.flush()].flatMap(({ content }) => content), [])
    }
  })
})

describe('stop sequences of the class', () => {
  const ALICE = '\nAlice:'
  for (const [name, text, options, expected] of [
    ['in visible text', `Hi${ALICE} no`, {}, [['text', 'Hi'], [ALICE, 2, 0]]],
    ['a sequence that begins another', 'Hi\nAli', {}, [['text', 'Hi\nAli']]],
    ['the earliest and longest', 'Hi\nAlistair: no', { stopSequences: [ALICE, '\nAli', '\nAlistair:'] }, [['text', 'Hi'], ['\nAlistair:', 2, 0]]],
    ['not in thinking', `${T}${ALICE} no${TT}b${ALICE}`, {}, [['thinking', `${ALICE} no`], ['text', 'b'], [ALICE, 32, 1]]],
    ['anywhere', `a${T}${ALICE} no${TT}`, { stopIn: 'anywhere' }, [['text', 'a'], ['thinking', ''], [ALICE, 11, 1]]],
    ['a tag', `a${open}x${PP}${II}${C}b`, { stopSequences: [C, ALICE] }, [['text', 'a'], ['tool_call', 'x'], [C, `a${open}x${PP}${II}`.length, 1]]],
    ['no tag in a payload', `a${open}${D}${C}${ALICE}${E}${PP}${II}${C}b`, { stopSequences: [C, ALICE] }, [['text', 'a'], ['tool_call', `${D}${C}${ALICE}${E}`], [C, `a${open}${D}${C}${ALICE}${E}${PP}${II}`.length, 1]]],
    ['nothing in a payload, anywhere', `${open}${D}${ALICE}${E}${ALICE}`, { stopIn: 'anywhere' }, [['tool_call', `${D}${ALICE}${E}`], [ALICE, `${open}${D}${ALICE}${E}`.length, 0]]],
    ['overlapping candidates', `${T}aaaab${TT}aaab`, { stopSequences: ['aab'] }, [['thinking', 'aaaab'], ['text', 'a'], ['aab', 27, 1]]],
    ['a pending tag comes out', `a<thin${ALICE}`, {}, [['text', 'a<thin'], [ALICE, 6, 0]]],
  ]) {
    test(name, () => {
      const given = { stopSequences: [ALICE], ...options }
      for (const { parser, results, chunks } of everyResult(text, given)) {
        const emissions = results.flatMap((result) => result.emissions)
        const stop = emissions.find(({ event }) => event?.event === 'stop')?.event
        assert.deepEqual(results.flatMap(({ blockEvents }) => blockEvents.filter(({ event }) => event === 'stop')), stop === undefined ? [] : [stop])
        if (stop !== undefined) assert.equal(emissions.at(-1).event, stop, 'nothing comes after it')
        const others = emissions.filter(({ event }) => event?.event !== 'stop')
        assert.deepEqual([...reading([{ emissions: others }]), ...(stop === undefined ? [] : [[stop.sequence, stop.offset, stop.block]])], expected, JSON.stringify(chunks))
        assert.equal(parser.getAccumulated(), stop === undefined ? text : text.slice(0, stop.offset))
      }
    })
  }

  test('after a stop flush and push begin the next reply, as membrane does with the closing tag', () => {
    const parser = new IncrementalXmlParser({ stopSequences: [C, '\nUser:'] })
    parser.processChunk(`${call}${II}${C} ignored`)
    assert.deepEqual(parser.processChunk('ignored too').emissions, [])
    parser.push('ignored as well')
    parser.flush()
    parser.push(C)
    parser.resetForNewIteration()
    assert.deepEqual(parser.getContext(), 'none')
    assert.deepEqual(reading([parser.processChunk('So.\nUser: x'), parser.flush()].map(({ emissions }) => ({ emissions: emissions.filter(({ event }) => event?.event !== 'stop') }))), [['text', 'So.']])
    assert.equal(parser.getAccumulated(), `${call}${II}${C}So.`)
  })

  test('BlockParser begins the next reply so, too', () => {
    const parser = new BlockParser({ stopSequences: ['\nUser:'] })
    parser.processChunk('a\nUser: b')
    parser.flush()
    parser.push('\nBot:')
    const { emissions } = parser.processChunk('c')
    assert.equal(emissions.at(-1).text, 'c')
    assert.equal(parser.getAccumulated(), 'a\nBot:c')
  })

  test('text that may be a sequence is not lost to what is pushed, or to the next reply', () => {
    for (const next of [(parser) => parser.push('x'), (parser) => parser.resetForNewIteration()]) {
      const parser = new IncrementalXmlParser({ stopSequences: [ALICE] })
      const first = parser.processChunk('Hi\nAli')
      next(parser)
      const texts = [first, again(parser, { stopSequences: [ALICE] }).processChunk('y')].flatMap(({ content }) => content.map(({ text }) => text))
      assert.deepEqual(texts.join(''), 'Hi\nAliy')
    }
  })

  test('unknown and wrong options are refused by name', () => {
    assert.throws(() => new IncrementalXmlParser({ onChunk() {} }), /onChunk/)
    assert.throws(() => new IncrementalXmlParser({ stopSequences: [''] }), /stopSequences/)
    new IncrementalXmlParser({ stopSequences: Array.from({ length: 1024 }, (_, at) => `\nUser ${at}:`) })
    assert.throws(() => new IncrementalXmlParser({ stopSequences: Array(1025).fill('x') }), /1024/)
  })
})
