// What the world needs of blocks besides their tags: tools as they are declared, places, thinking that nobody opened.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { everyCut } from './support/cuts.mjs'
import { blocksOf, joined, logOf, read } from './support/reading.mjs'
import { assertTiled, render } from './support/render.mjs'

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

describe('elements that are named like properties of the tool', () => {
  const tools = { f: { properties: { city: { type: 'string' }, days: { type: 'number' }, where: { type: 'object' }, any: {} }, additionalProperties: { type: 'string' }, patternProperties: { '^p_': { type: 'string' } } } }
  const written = { city: 'Paris < Bern, </town>', days: ' 3 ', where: '{"at": [1]}', any: 'true' }
  const expected = { city: 'Paris < Bern, </town>', days: 3, where: { at: [1] }, any: true }
  const call = (write) => `<invoke name="f">\n${Object.entries(written).map(([name, value]) => write(name, value)).join('\n')}\n</invoke>`
  const elements = call((name, value) => `<${name}>${value}</${name}>`)
  const parameters = call((name, value) => `<parameter name="${name}">${value}</parameter>`)
  const pieceOf = (log) => joined(log).map(({ chunk, meta, event, block }) => [chunk, meta, event, block])

  test('are emitted as parameters are', () => {
    const asParameters = pieceOf(read([parameters], { tools }))
    for (const [cut, chunks] of everyCut(elements, 1, { two: 0, pairs: 200 })) {
      const log = read(chunks, { tools })
      assert.deepEqual(blocksOf(log)[0].input, expected, cut)
      assert.deepEqual(pieceOf(log), asParameters, cut)
    }
  })

  test('as soon as parameters are', () => {
    const shown = (text) => {
      let input = ''
      const parser = new BlockParser({ tools, onChunk: (piece, { toolCallPart }) => toolCallPart === 'input' && (input += piece) })
      for (const unit of text) parser.processChunk(unit)
      return input
    }
    for (const [element, input] of [
      ['<city>Par', '{"city":"Par'],
      ['<city>Par ', '{"city":"Par '],
      ['<city>Par </', '{"city":"Par '],
      ['<city>Par </t', '{"city":"Par </t'],
      ['<city>Par </ci', '{"city":"Par '],
      ['<where>{"at": [', '{"where":{"at": ['],
      ['<days>3', '{"days":'],
      ['<any>three ', '{"any":"three'],
    ]) assert.equal(shown(`<invoke name="f">${element}`), input, element)
  })

  test('have the role of parameters, and places', () => {
    const text = '<invoke name="f"> <city>a</city><days/><town>b</town></invoke>'
    for (const [cut, chunks] of everyCut(text, 1, { two: 0, pairs: 50 })) {
      const markup = []
      const parser = new BlockParser({ tools, spans: true, onMarkup: (piece, { role, tagKind, name }) => markup.push(`${tagKind} ${role ?? '-'} ${name ?? '-'}`) })
      const emissions = [...chunks.flatMap((chunk) => parser.processChunk(chunk).emissions), ...parser.flush().emissions]
      assert.deepEqual(
        markup.filter((line, at) => line !== markup[at - 1]),
        ['open invoke invoke', 'layout - -', 'open parameter city', 'close parameter city', 'self-closing parameter days', 'close invoke invoke'],
        cut,
      )
      const spans = emissions.flatMap(({ meta }) => (meta?.toolCallPart === 'input' ? [text.slice(...meta.span)] : []))
      assert.ok(spans.join('').includes('a</city>') || spans.includes('a'), cut)
    }
  })

  test('only those that the schema lists, of the tool that is called', () => {
    for (const name of ['town', 'p_a', 'toString', '__proto__', 'constructor']) {
      assert.equal(render(read([`<invoke name="f"><parameter name="city">a</parameter><${name}>x</${name}></invoke>`], { tools })), `call "f" {"city":"a"}\nstray "<${name}>x</${name}>"`)
    }
    assert.deepEqual(blocksOf(read(['<invoke name="f"><__proto__>x</__proto__></invoke>'], { tools: { f: { properties: JSON.parse('{"__proto__":{"type":"string"}}') } } }))[0].input, JSON.parse('{"__proto__":"x"}'))
    for (const tools of [undefined, { g: { properties: { city: {} } } }, ['f'], { f: true }]) assert.deepEqual(blocksOf(read(['<invoke name="f"><city>x</city></invoke>'], { tools }))[0].content, '<city>x</city>')
  })

  test('of one name are the last one, with parameters among them', () => {
    const inputOf = (text) => {
      const [before, block] = blocksOf(read([`<invoke name="f">${text}</invoke>`], { tools }))
      assert.deepEqual([before.content, before.incomplete, before.problem, block.repairs], ['{"city":"a"', true, 'repeated-argument', ['repeated-argument']])
      return block.input
    }
    assert.deepEqual(inputOf('<city>a</city><city>b</city>'), { city: 'b' })
    assert.deepEqual(inputOf('<city>a</city><parameter name="city">b</parameter>'), { city: 'b' })
    assert.deepEqual(inputOf('<parameter name="city">a</parameter><city>b</city>'), { city: 'b' })
  })

  test('that are cut off are incomplete, at every length', () => {
    const text = elements
    for (let length = text.indexOf('>') + 1; length < text.length; length++) {
      const [block] = blocksOf(read([text.slice(0, length)], { tools }))
      assert.equal(block.incomplete, true, text.slice(0, length))
    }
  })

  test('in a prefill', () => {
    for (let length = 0; length <= elements.length; length++) {
      const parser = new BlockParser({ tools, generateId: () => 'id' })
      parser.push(elements.slice(0, length))
      const emissions = [...parser.processChunk(`${elements.slice(length)} `).emissions, ...parser.flush().emissions]
      const input = emissions.flatMap(({ event }) => (event?.event === 'block_complete' && event.block.type === 'tool_call' ? [event.block.input] : []))
      if (length < elements.length) assert.deepEqual(input, [expected], elements.slice(0, length))
    }
  })

  test('in the functions of membrane', async () => {
    const { parseToolCalls, parseAccumulatedIntoBlocks } = await import('tokenweir/membrane')
    const text = `a <function_calls><invoke name="f"><city>\n<parameter name="x"></invoke></city></invoke>${elements}</function_calls>`
    // A value that has swallowed a parameter's tag is refused.
    assert.deepEqual(parseToolCalls(text, { tools }).calls.map(({ input }) => input), [expected])
    const { blocks } = parseAccumulatedIntoBlocks(text, { tools })
    assert.deepEqual(blocks.map(({ type, input }) => [type, input]), [['text', undefined], ['tool_use', expected]])
    assert.equal(blocks[1].rawXml, text.slice(2))
  })
})

describe('a call whose body is not parameters', () => {
  test('is JSON with the repairs of tool calls, at every cut', () => {
    for (const [body, input, ...repairs] of [
      ['{"a": "1\n2"}', { a: '1\n2' }, 'raw-control'],
      ['{"a": 1,}', { a: 1 }, 'trailing-comma'],
      ['{"a": True, "b": None}', { a: true, b: null }, 'python-word'],
      ["{'a': 'b'}", { a: 'b' }, 'single-quotes'],
      ['{"a": 1, "b": {"c": 2, "c": 3}, "a": 4}', { a: 4, b: { c: 3 } }, 'repeated-argument'],
      ['```json\n{"a": 1}\n```', { a: 1 }],
      ['\n{"a": [1]}\n', { a: [1] }],
    ]) {
      const text = `<invoke name="f">${body}</invoke>`
      for (const [cut, chunks] of everyCut(text)) {
        for (const spans of [false, true]) {
          const log = read(chunks, { spans })
          const { span, contentSpan, ...block } = blocksOf(log)[0]
          assert.deepEqual(block, { type: 'tool_call', toolId: 'id_0', toolName: 'f', input, ...(repairs.length > 0 ? { repairs } : {}) }, cut)
          render(log, { spans })
          if (spans) assertTiled(log, text)
        }
      }
    }
  })

  // What can't be read, and what is no arguments: tests/policy, rules 2 and 3.
  test('is no arguments in a tag that closes itself, unless the tool requires some', () => {
    const tools = { f: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }
    assert.equal(render(read(['<invoke name="f"/><invoke name="now"/>'], { tools })), 'call "f" broken "" incomplete\ncall "now" {}')
  })
})

describe('an argument that comes again', () => {
  const tools = { f: { properties: { list: { type: 'array', items: { type: 'string' } }, lists: { type: 'array', items: { type: 'array' } }, n: { type: 'integer' } } } }
  const parameter = ([name, text]) => `<parameter name="${name}">${text}</parameter>\n`
  const invoke = (...args) => `<invoke name="f">${args.map(parameter).join('')}</invoke>`

  test('is an item of a list, at every cut', () => {
    for (const [args, inputs] of [
      [[['list', 'a'], ['list', 'b']], ['{"list":["a","b"]}']],
      [[['list', ' ["a",\n"b" ] '], ['list', '["c", ]'], ['list', '[]'], ['n', '1']], ['{"list":["a",\n"b","c"],"n":1}']],
      [[['list', '[]'], ['list', '[]']], ['{"list":[]}']],
      [[['list', '["]", "a]"]'], ['list', ']']], ['{"list":["]", "a]","]"]}']],
      [[['lists', '[1]'], ['lists', '[2]']], ['{"lists":[[1],[2]]}']],
      [[['list', '["a"]'], ['n', '1'], ['list', 'b'], ['n', '2'], ['list', '["c"]']], ['{"list":["a"],"n":1', '{"list":["a","b"],"n":2', '{"list":["a","b","c"],"n":2}']],
    ]) {
      const text = invoke(...args)
      for (const [cut, chunks] of everyCut(text)) {
        if (chunks.length === 3 && text.length > 90) continue
        for (const spans of [false, true]) {
          const log = read(chunks, { tools, spans })
          const found = blocksOf(log).map(({ content, input }) => content ?? JSON.stringify(input))
          assert.deepEqual(found, [...inputs.slice(0, -1), JSON.stringify(JSON.parse(inputs.at(-1)))], `${text}, ${cut}`)
          assert.equal(log.flatMap(({ chunk, meta }) => (meta?.toolCallPart === 'input' ? [chunk] : [])).join(''), inputs.join(''), `${text}, ${cut}`)
          render(log, { spans })
          if (spans) assertTiled(log, text)
        }
      }
    }
  })

  test('begins a call at most 64 times', () => {
    const again = (count) => blocksOf(read([invoke(...Array.from({ length: count }, (_, at) => ['n', String(at)]))], { tools }))
    assert.deepEqual([again(64).length, again(64).at(-1).input], [64, { n: 63 }])
    assert.deepEqual([again(70).length, again(70).at(-1).incomplete, again(70).at(-1).input], [64, true, undefined])
  })

  test('after a prefill, and after a snapshot without text', () => {
    const [front, back] = [invoke(['n', '1'], ['list', 'a']).slice(0, -'</invoke>'.length), parameter(['n', '2']) + '</invoke>']
    const parser = new BlockParser({ tools, generateId: () => 'id' })
    parser.push(front)
    const emissions = [...parser.processChunk(back).emissions, ...parser.flush().emissions]
    assert.deepEqual(emissions.flatMap(({ event }) => (event?.event === 'block_complete' ? [event.block.input] : [])), [undefined, { n: 2, list: 'a' }])
    const first = new BlockParser({ tools, generateId: () => 'id' })
    first.processChunk(front)
    const second = BlockParser.restore(first.snapshot({ keepText: false }), { tools, generateId: () => 'id' })
    const blocks = [...second.processChunk(back).emissions, ...second.flush().emissions].flatMap(({ event }) => (event?.event === 'block_complete' ? [event.block] : []))
    assert.deepEqual(blocks.map(({ input, incomplete }) => [input, incomplete]), [[undefined, true], [{ n: 2, list: 'a' }, undefined]])
  })
})

test('no key twice in the chunks of a call that starts over and has JSON', () => {
  const parameter = (key, value) => `<parameter name="${key}">${value}</parameter>`
  let json = ''
  const parser = new BlockParser({
    onChunk(chunk, { toolCallPart }) {
      if (toolCallPart === 'id') json = ''
      if (toolCallPart === 'input') json += chunk
    },
  })
  parser.processChunk(`<invoke name="f">${parameter('a', 1)}${parameter('b', '{"x":1,"x":2}')}${parameter('a', 3)}</invoke>`)
  parser.flush()
  assert.equal(json, '{"a":3,"b":{"x":2}}')
})
