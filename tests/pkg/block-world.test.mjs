// What the world needs of blocks besides their tags: tools as they are declared, places, thinking that nobody opened.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser, IncrementalXmlParser } from 'tokenweir'
import { everyCut } from './support/cuts.mjs'
import { blocksOf, joined, logOf, read } from './support/reading.mjs'

describe('declared tools', () => {
  const schema = {
    type: 'object',
    properties: {
      text: { $ref: '#/$defs/name' },
      maybe: { type: ['string', 'null'] },
      any: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      nullable: { type: 'string', nullable: true },
      kind: { enum: ['1', '2'] },
      both: { allOf: [{ minLength: 1 }, { type: 'string' }] },
      flag: { type: 'boolean' },
      list: { oneOf: [{ type: 'array' }, { type: 'object' }] },
      number: { type: ['string', 'number'] },
    },
    $defs: { name: { type: 'string' } },
  }
  const written = { text: '10001', maybe: '10001', any: '10001', nullable: '10001', kind: '1', both: '[1]', flag: 'True', list: '[1]', number: '5' }
  const expected = { ...written, flag: true, list: [1], number: 5 }
  const text = `<invoke name="f">${Object.entries(written).map(([name, value]) => `<parameter name="${name}">${value}</parameter>`).join('')}</invoke>`

  for (const [name, tools] of Object.entries({
    'a record of schemas': { f: schema },
    'AI SDK': { f: { description: 'f', inputSchema: { jsonSchema: schema } } },
    'AI SDK, a list': [{ type: 'function', name: 'f', inputSchema: schema }],
    'OpenAI chat': [{ type: 'function', function: { name: 'f', parameters: schema } }],
    'OpenAI Responses': [{ type: 'function', name: 'f', parameters: schema }, { type: 'web_search' }],
    Anthropic: [{ name: 'f', input_schema: schema }],
  })) {
    test(name, () => {
      for (const [cut, chunks] of everyCut(text, 1, { two: 0, pairs: 20 })) assert.deepEqual(blocksOf(read(chunks, { tools }))[0].input, expected, cut)
    })
  }
})

describe('thinking that was never opened', () => {
  const reported = (text, more = {}) =>
    [...everyCut(text)].map(([cut, chunks]) => [cut, read(chunks, { unopenedThinking: 'report', ...more }).filter(({ event }) => event === 'reclassify')])
  for (const [text, from, to] of [['So, hm.</think>Hello', 0, 7], ['a</thinking>b</thinking>c', 0, 1], ['<think>a</think>b</think>c', 16, 17], ['a\nAl</think>b', 0, 4]]) {
    test(JSON.stringify(text), () => {
      for (const more of [{}, { stopSequences: ['\nAlice:'] }]) {
        for (const [cut, events] of reported(text, more)) assert.deepEqual(events, [{ event: 'reclassify', as: 'thinking', from, to }], cut)
      }
    })
  }

  test('not if nobody asks, nor if it was opened, nor without text', () => {
    assert.deepEqual(read(['a</think>b']).filter(({ event }) => event === 'reclassify'), [])
    for (const [text, more] of [['<think>a</think>b'], ['</think>b'], ['a</think>b', { startWithThinking: true }]]) for (const [cut, events] of reported(text, more)) assert.deepEqual(events, [], cut)
  })

  test('once per reply', () => {
    const parser = new BlockParser({ unopenedThinking: 'report' })
    parser.processChunk('ab</think>c')
    parser.resetForNewIteration()
    const { emissions } = parser.processChunk('d</think>')
    assert.deepEqual(emissions.filter(({ event }) => event?.event === 'reclassify').map(({ event }) => event), [{ event: 'reclassify', as: 'thinking', from: 11, to: 12 }])
  })
})

describe('a template that opens thinking', () => {
  test('reset starts inside again', () => {
    const parser = new BlockParser({ startWithThinking: true })
    const first = logOf(parser.processChunk('a</think>b').emissions)
    assert.equal(first[0].block.type, 'thinking')
    parser.reset()
    assert.equal(parser.getCurrentBlockType(), 'thinking')
    assert.deepEqual(logOf(parser.processChunk('a</think>b').emissions), first)
  })

  test('the elements of membrane do not know think', () => {
    assert.equal(new IncrementalXmlParser().processChunk('<think>a').content.map(({ text }) => text).join(''), '<think>a')
  })
})

describe('places and roles', () => {
  const text = 'a <thinking>b</thinking><function_calls> <invoke name="f"><parameter name="x">1</parameter></invoke>c</function_calls><function_results><result>d</result></function_results><thinking/>'
  test('of blocks', () => {
    for (const [cut, chunks] of everyCut(text, 1, { two: 0, pairs: 50 })) {
      const places = read(chunks, { spans: true }).filter(({ event }) => event === 'block_complete').map(({ block: { span, contentSpan } }) => [text.slice(...span), text.slice(...contentSpan)])
      assert.deepEqual(
        places,
        [
          ['a ', 'a '],
          ['<thinking>b</thinking>', 'b'],
          ['<invoke name="f"><parameter name="x">1</parameter></invoke>', '<parameter name="x">1</parameter>'],
          ['c', 'c'],
          ['<result>d</result>', 'd'],
          ['<thinking/>', ''],
        ],
        cut,
      )
    }
  })

  test('of markup', () => {
    for (const [cut, chunks] of everyCut(text, 1, { two: 0, pairs: 50 })) {
      const parser = new BlockParser({ spans: true })
      const emissions = [...chunks.flatMap((chunk) => parser.processChunk(chunk).emissions), ...parser.flush().emissions]
      const markup = emissions.filter(({ kind }) => kind === 'markup').map(({ role, tagKind, name }) => `${tagKind} ${role ?? '-'} ${name ?? '-'}`)
      assert.deepEqual(
        markup.filter((line, at) => line !== markup[at - 1]),
        [
          'open thinking thinking', 'close thinking thinking', 'open function_calls function_calls', 'layout - -', 'open invoke invoke', 'open parameter parameter', 'close parameter parameter',
          'close invoke invoke', 'close function_calls function_calls', 'open function_results function_results', 'open result result', 'close result result', 'close function_results function_results', 'self-closing thinking thinking',
        ],
        cut,
      )
    }
  })
})

describe('a call inside thinking', () => {
  const text = '<thinking>a<function_calls><invoke name="f"><parameter name="x">1</parameter></invoke></function_calls></thinking><invoke name="g"/>'
  test('says so on its metas and blocks', () => {
    for (const spans of [false, true]) {
      for (const [cut, chunks] of everyCut(text, 1, { two: 0, pairs: 50 })) {
        const log = joined(read(chunks, { spans }))
        const marked = log.flatMap(({ meta, block, event }) => {
          const { type, insideThinking } = meta ?? block
          return type === 'tool_call' ? [`${meta?.toolName ?? block?.toolName ?? event} ${insideThinking}`] : []
        })
        assert.deepEqual([...new Set(marked)], ['block_start true', 'f true', 'undefined true', 'block_start undefined', 'g undefined', 'undefined undefined'].filter((line) => marked.includes(line)), cut)
        assert.ok(marked.includes('f true') && marked.includes('g undefined') && marked.includes('block_start true'), cut)
      }
    }
  })
})

test('no two events share a meta', () => {
  for (const Parser of [BlockParser, IncrementalXmlParser]) {
    const parser = new Parser()
    const metas = ['a', 'b', '<thinking>c', 'd', '</thinking><function_calls><invoke name="f"><parameter name="x">e ', 'f', ' g'].flatMap((chunk) => parser.processChunk(chunk).emissions.flatMap(({ meta }) => meta ?? []))
    assert.ok(metas.length > 6)
    assert.equal(new Set(metas).size, metas.length)
  }
})
