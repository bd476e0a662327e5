// `tokenweir/membrane` by the contract of membrane after 0.5.86: values, refusals, where texts come from, results,
// notices and attempts. What 0.5.78 did and the newest has not changed is in the last table, with both answers.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { encodeParameterValue, endsWithPartialToolBlock, formatToolCallNotice, formatToolResults, hasUnclosedToolBlock, parseAccumulatedIntoBlocks, parseToolCalls } from 'tokenweir/membrane'
import { blocksOf as readBlocks, counter, read } from './support/reading.mjs'

const [O, C, II, PP, R, RR, T, TT, D, E] = ['<function_calls>', '</function_calls>', '</invoke>', '</parameter>', '<function_results>', '</function_results>', '<thinking>', '</thinking>', '<![CDATA[', ']]>']
const I = (name) => `<invoke name="${name}">`
const P = (name) => `<parameter name="${name}">`
const call = (name, body = '') => `${I(name)}${body}${II}`
const block = (...calls) => `${O}\n${calls.join('\n')}\n${C}`
const value = (text) => `${P('a')}${text}${PP}`
const prefixed = (text) => text.replaceAll(/<(\/?)(?=(?:function|invoke|parameter|thinking|result|error))/g, `<$1${['ant', 'ml'].join('')}:`)

/** Tools of one name, in membrane's own list. */
const tool = (properties, required = [], name = 'f') => [{ name, description: '', inputSchema: { type: 'object', properties, required } }]
const namesOf = (text, options) => parseToolCalls(text, options)?.calls.map(({ name }) => name)
const blocksOf = (text, options) => parseAccumulatedIntoBlocks(text, { generateId: counter(), ...options })

describe('values', () => {
  const string = { type: 'string' }
  const nullable = { type: ['string', 'null'] }
  for (const [written, declared, expected] of [
    [`${D}8${E}`, undefined, '8'],
    [`${D}8${E}`, string, '8'],
    [`${D} null ${E}`, undefined, ' null '],
    [`${D} null ${E}`, string, ' null '],
    [`${D} null ${E}`, nullable, ' null '],
    [`${D}null${E}`, nullable, 'null'],
    [`${D}null${E}`, { anyOf: [string, { type: 'null' }] }, 'null'],
    [`${D}8${E}`, { type: ['string', 'integer'] }, '8'],
    [`${D}&lt;${E}`, undefined, '&lt;'],
    [`${D}a]]${E}${D}>b${E}`, undefined, 'a]]>b'],
    [`\n${D}x${E}\n`, undefined, 'x'],
    [`${D}\nx\n${E}`, string, '\nx\n'],
    [`${D}8${E}`, { type: 'integer' }, 8],
    [`${D}[2]${E}`, { type: 'array' }, [2]],
    [`${D}{"a": "<b>"}${E}`, { type: 'object' }, { a: '<b>' }],
    [`${D}null${E}`, { type: ['integer', 'null'] }, null],
    [`${D}true${E}`, { type: 'boolean' }, true],
    ['\nv\n', string, 'v'],
    ['\n\nv\n\n', string, '\nv\n'],
    [' v ', string, ' v '],
    ['8', string, '8'],
    ['null', nullable, null],
    ['null', string, 'null'],
    ['v', nullable, 'v'],
    [' v ', undefined, 'v'],
    ['8', undefined, 8],
    ['1234567890123456', undefined, '1234567890123456'],
    ['123456789012345', undefined, 123456789012345],
    ['{"a":1}', undefined, { a: 1 }],
  ]) {
    test(`${JSON.stringify(written)}, ${JSON.stringify(declared) ?? 'undeclared'}`, () => {
      const tools = declared === undefined ? undefined : tool({ a: declared })
      for (const text of [block(call('f', value(written))), prefixed(block(call('f', value(written))))]) {
        assert.deepEqual(parseToolCalls(text, { tools })?.calls.map(({ input }) => input), [{ a: expected }])
        assert.deepEqual(blocksOf(text, { tools }).toolCalls[0]?.input, { a: expected })
      }
    })
  }

  // How it reads them: the cases cdata-… of tests/cases/block/policy-values.toml.
  test('BlockParser streams payloads', () => {
    const chunks = []
    const parser = new BlockParser({ onChunk: (chunk, { toolCallPart }) => toolCallPart === 'input' && chunks.push(chunk) })
    parser.processChunk(`${O}${I('f')}${P('a')}${D}one `)
    parser.processChunk('two')
    assert.deepEqual(chunks, ['{"a":"one ', 'two'])
  })

  test('after a payload only what ends it is a tag, and the call is refused', () => {
    for (const rest of [`n${T}${D}${PP}${II}${C}`, `n${P('b')}${II}${C}`, `n${I('g')}${C}`, `${E}${C}`]) {
      const text = `${O}${I('f')}${P('a')}${D}m${E}${rest}after`
      const blocks = readBlocks(read([...text]))
      assert.deepEqual([blocks[0].toolName, blocks[0].incomplete, blocks.at(-1)], ['f', true, { type: 'text', content: 'after' }], text)
      assert.deepEqual([namesOf(text), parseToolCalls(text).notices.map(({ kind }) => kind), parseToolCalls(text).afterText], [[], ['refused'], 'after'], text)
    }
  })
})

describe('refusals', () => {
  const ab = (required = []) => tool({ a: { type: 'string' }, b: { type: 'string' } }, required)
  const one = `${P('a')}one ${PP}`
  for (const [name, body, tools, expected, input] of [
    ['a value cut at a literal closer', `${one}two ${PP}`, undefined, 'refused'],
    ['text after the last parameter', `${one}two`, undefined, 'refused'],
    ['text between parameters', `${one}two${P('b')}1${PP}`, undefined, 'refused'],
    ['a parameter that is not closed', `${P('a')}one`, undefined, 'refused'],
    ['a closer with another prefix, and a declared parameter lost', `${P('a')}one </z:parameter> ${P('b')}two ${PP}`, ab(), 'refused'],
    ['a required parameter lost', `${P('a')}one${P('b')}two ${PP}`, ab(['b']), 'refused'],
    ['an optional parameter lost', `${P('a')}one${P('b')}two ${PP}`, ab(), 'warning', { a: `one${P('b')}two ` }],
    ['a parameter quoted, or lost, of a tool that is not known', `${P('a')}one${P('b')}two ${PP}`, undefined, 'none', { a: `one${P('b')}two` }],
    ['a parameter quoted that is there', `${P('a')}one${P('b')}two ${PP}${P('b')}3${PP}`, ab(['b']), 'none', { a: `one${P('b')}two `, b: '3' }],
    ['another call in a value', `${P('a')}one${I('g')}${P('b')}two ${PP}`, ab(), 'refused'],
    ['prose before the first parameter', `So be it: ${one}`, undefined, 'warning', { a: 'one' }],
    ['prose with markup there', `So <b>be</b> it: ${one}`, undefined, 'refused'],
    ['prose with a tag there', `So ${T}be${TT} it: ${one}`, undefined, 'refused'],
    ['text and no parameter', 'one', undefined, 'refused'],
    ['text after a payload', `${P('a')}${D}one${E} two${PP}`, undefined, 'refused'],
    ['markup after a payload', `${P('a')}${D}one${E}${T}${PP}`, undefined, 'refused'],
    ['a payload that holds all of it', `${P('a')}${D}${one}two ${PP}${I('g')}${T}${R}${C}${O}${E}${PP}`, undefined, 'none', { a: `${one}two ${PP}${I('g')}${T}${R}${C}${O}` }],
    ['no parameters', '', undefined, 'none', {}],
    ['a body that is JSON', '{"a": 1}', undefined, 'none', { a: 1 }],
    ['elements that the schema names', '<a>one</a>', ab(), 'none', { a: 'one' }],
  ]) {
    test(name, () => {
      for (const write of [(text) => text, prefixed]) {
        // Beside whole calls, whose places are counted too.
        const text = `Hi ${write(block(call('before'), call('f', body), call('after')))}.`
        const written = input && Object.fromEntries(Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? write(value) : value]))
        const { calls, notices } = parseToolCalls(text, { tools })
        assert.deepEqual(calls.map(({ name }) => name), expected === 'refused' ? ['before', 'after'] : ['before', 'f', 'after'])
        assert.deepEqual(notices.map(({ invoke, toolName, kind }) => [invoke, toolName, kind]), expected === 'none' ? [] : [[1, 'f', expected]])
        for (const { message } of notices) assert.match(message, /^The call of "f" was .*: .+\.$/)
        assert.deepEqual(calls.find(({ name }) => name === 'f')?.input, written)
        const parsed = blocksOf(text, { tools })
        assert.deepEqual(parsed.toolCalls.map(({ name }) => name), calls.map(({ name }) => name))
        assert.deepEqual(parsed.notices, notices.map((notice) => ({ ...notice, block: 0, answered: false })))
        // And alone.
        const alone = write(block(call('f', body)))
        assert.deepEqual(namesOf(alone, { tools }), expected === 'refused' ? [] : ['f'])
        assert.deepEqual(blocksOf(alone, { tools }).blocks.map(({ type }) => type), [expected === 'refused' ? 'tool_attempt' : 'tool_use'])
      }
    })
  }

  test('a value that has all the closing tags of its block', () => {
    const text = block(call('f', value(`a${PP}${II}${C} b`)))
    assert.deepEqual([namesOf(text), parseToolCalls(text).notices.map(({ invoke, kind }) => [invoke, kind])], [[], [[0, 'refused']]])
    assert.deepEqual(namesOf(`${block(call('f', value('a')))} The tag ${PP} ends it.`), ['f'])
  })

  test('calls that are not closed, or have no name', () => {
    for (const [text, names, refused] of [
      [block(I('rm'), call('ls')), ['ls'], [[0, 'rm']]],
      [block(`${I('rm')}${P('a')}1`), [], [[0, 'rm']]],
      [block('<invoke>' + II, call('ls')), ['ls'], [[0, '']]],
      [block(`${I('f')}${P('a')}one${II}`, call('g')), ['g'], [[0, 'f']]],
    ]) {
      assert.deepEqual([namesOf(text), parseToolCalls(text).notices.map(({ invoke, toolName }) => [invoke, toolName])], [names, refused], text)
    }
  })
})

describe('history and provenance', () => {
  const f = block(call('f'))
  const results = formatToolResults([{ toolUseId: 't', toolName: 'f', content: 'x' }])
  const place = (text) => [{ start: text.indexOf(results), end: text.indexOf(results) + results.length }]

  test('results answer a block', () => {
    const text = f + results
    assert.equal(parseToolCalls(text), null)
    assert.deepEqual(namesOf(text, { harnessEnvelopes: [] }), ['f'])
    assert.equal(parseToolCalls(text, { harnessEnvelopes: place(text) }), null)
    assert.deepEqual(namesOf(text, { harnessEnvelopes: [{ start: f.length + 1, end: text.length }] }), ['f'], 'a place that is no element')
    assert.deepEqual(namesOf(text, { harnessEnvelopes: [{ start: 0, end: text.length }] }), ['f'], 'a place that is more')
    assert.deepEqual(blocksOf(text, { harnessEnvelopes: [] }).blocks.map(({ type }) => type), ['tool_use', 'text'])
  })

  test('results of the model swallow nothing', () => {
    const text = `see ${R}${f}${results}`
    const { blocks, toolResults } = blocksOf(text, { harnessEnvelopes: place(text) })
    assert.deepEqual(blocks.map(({ type, text }) => text ?? type), [`see ${R}`, 'tool_use', 'tool_result'])
    assert.deepEqual(toolResults.map(({ toolUseId, toolName, content }) => [toolUseId, toolName, content]), [['id_0', 'f', 'x']])
    assert.equal(parseToolCalls(text, { harnessEnvelopes: place(text) }), null)
    assert.equal(parseToolCalls(text), null)
  })

  test('no element crosses an envelope', () => {
    const text = `${O}${I('a')}${P('x')}one${results}${PP}${II}${C}${f}`
    assert.deepEqual(namesOf(text, { harnessEnvelopes: place(text) }), ['f'])
    const thought = `${T}hm${results}${TT}${f}`
    assert.deepEqual(namesOf(thought, { harnessEnvelopes: place(thought) }), ['f'])
  })

  test('historyLength', () => {
    const history = `${O}${I('a')}${P('x')}${D}old`
    const b = `${O}${I('b')}${II}${C}`
    assert.deepEqual(namesOf(history + b, { historyLength: history.length }), ['b'])
    assert.equal(parseToolCalls(history + b), null)
    assert.equal(parseToolCalls(`${f} more`, { historyLength: f.length }), null, 'a block that ends in it')
    assert.deepEqual(namesOf(`${f} more`, { historyLength: f.length - 1 }), ['f'])
    const started = `${O}${I('a')}`
    assert.deepEqual(namesOf(`${started}${II}${C}`, { historyLength: started.length }), ['a'], 'a block that begins in it')
    assert.throws(() => parseToolCalls('', { historyLength: -1 }), TypeError)
    assert.throws(() => parseToolCalls('', { harnessEnvelopes: [{ start: 0 }] }), TypeError)
  })

  test('thinking that the prefill leaves open hides nothing of the turn', () => {
    const prefill = `Alice: ${T}I wonder\n`
    assert.deepEqual(namesOf(prefill + f, { historyLength: prefill.length }), ['f'])
    const warnings = []
    assert.equal(parseToolCalls(prefill + f, { onWarning: (message) => warnings.push(message) }), null)
    assert.match(warnings.join('\n'), /^parseToolCalls: thinking .* historyLength$/)
    assert.deepEqual(blocksOf(prefill + f, { historyLength: prefill.length }).blocks.map(({ type }) => type), ['text', 'tool_use'])
    assert.equal(parseToolCalls(`${prefill}${TT}x${T}${f}`, { historyLength: prefill.length, onWarning: () => assert.fail() }), null, 'of the turn')
  })

  test('places count in the text that was given', () => {
    const rest = `${call('f')}${C}`
    const { blocks } = blocksOf(`${rest}${results}`, { startInsideBlock: 'tool_call', historyLength: 0, harnessEnvelopes: [{ start: rest.length, end: rest.length + results.length }] })
    assert.deepEqual(blocks.map(({ type }) => type), ['tool_use', 'tool_result'])
  })
})

describe('results, notices and attempts', () => {
  test('the form that is written', () => {
    const written = formatToolResults([{ toolUseId: 'a', toolName: 'f<', content: 'x < y\n' }, { toolUseId: 'b', toolName: 'g', content: 'no', isError: true }, { toolUseId: 'c', content: 'z' }], [{ invoke: 1, toolName: 'h"<', kind: 'refused', message: 'a "b" & <c>' }])
    assert.equal(written, `${R}\n<result>\n<tool_name>f&lt;</tool_name>\n<stdout>\nx &lt; y\n\n</stdout>\n</result>\n<error>\nno\n</error>\n<result tool_use_id="c">\nz\n</result>\n<tool_call_notice invoke="1" tool="h&quot;&lt;" kind="refused">a "b" &amp; &lt;c&gt;</tool_call_notice>\n${RR}`)
    for (const wrong of [undefined, {}, { invoke: 0, toolName: 'f', kind: 'x', message: '' }]) assert.throws(() => formatToolCallNotice(wrong), TypeError)
    assert.throws(() => formatToolResults([], 'x'), TypeError)
  })

  test('is read: results belong to the first call of their name that has none', () => {
    const calls = block(call('f'), call('g'), call('f'), call('h'))
    const written = formatToolResults([{ toolUseId: '', toolName: 'g', content: ' 1 \n' }, { toolUseId: '', toolName: 'f', content: '</stdout>&lt;' }, { toolUseId: '', toolName: 'f', content: '' }, { toolUseId: '', toolName: 'x', content: '' }, { toolUseId: '', toolName: 'h', content: 'no', isError: true }])
    const { toolResults, toolCalls, blocks } = blocksOf(calls + written)
    assert.deepEqual(toolCalls.map(({ id }) => id), ['id_0', 'id_1', 'id_2', 'id_3'])
    const expected = [['id_1', 'g', ' 1 \n', false], ['id_0', 'f', '</stdout>&lt;', false], ['id_2', 'f', '', false], ['', 'x', '', false], ['id_3', undefined, 'no', true]]
    assert.deepEqual(toolResults.map(({ toolUseId, toolName, content, isError }) => [toolUseId, toolName, content, isError]), expected)
    assert.deepEqual(blocks.filter(({ type }) => type === 'tool_result').map(({ toolUseId, toolName, content, isError }) => [toolUseId, toolName, content, isError]), expected)
  })

  test('a content that looks like the form is content', () => {
    const content = '\n<tool_name>f</tool_name>\n<stdout>\nx\n</stdout>\n'
    assert.deepEqual(blocksOf(formatToolResults([{ toolUseId: 't', content }])).toolResults, [{ toolUseId: 't', content, isError: false }])
    assert.deepEqual(blocksOf(`${R}<result>${content.replaceAll('<', '&lt;')}</result>${RR}`).toolResults[0].toolName, undefined)
  })

  test("an envelope's notices decide which calls were refused, a model's don't", () => {
    const calls = block(call('f'), call('g', value('1') + 'x'), call('h', value('1') + 'x'))
    const notice = { invoke: 1, toolName: 'g', kind: 'refused', message: 'It was "cut" < off.' }
    const results = formatToolResults([{ toolUseId: 't', toolName: 'f', content: 'x' }], [notice])
    const text = calls + results
    const own = blocksOf(text, { harnessEnvelopes: [{ start: calls.length, end: text.length }] })
    assert.deepEqual(own.blocks.map(({ type, name }) => name ?? type), ['f', 'h', 'tool_result', 'tool_notice'])
    assert.deepEqual(own.blocks.at(-1), { type: 'tool_notice', notices: [notice] })
    assert.deepEqual(own.notices, [{ ...notice, block: 0, answered: true }])
    const other = blocksOf(text)
    assert.deepEqual(other.blocks.map(({ type, name }) => name ?? type), ['f', 'tool_result'])
    assert.deepEqual(other.notices.map(({ invoke, block, answered }) => [invoke, block, answered]), [[1, 0, true], [2, 0, true]])
  })

  test('blocks are counted, with those that are attempts', () => {
    const { notices, blocks } = blocksOf(`${block(call('f', 'x'))}a${block(call('g'))}b${block(call('h', 'x'))}`)
    assert.deepEqual(notices.map(({ block, toolName }) => [block, toolName]), [[0, 'f'], [2, 'h']])
    assert.deepEqual(blocks.map(({ type }) => type), ['tool_attempt', 'text', 'tool_use', 'text', 'tool_attempt'])
  })

  test('attempts and mentions at the end of a text', () => {
    for (const [text, types, isUnclosed, notices = 0] of [
      [`Hi ${O}${I('f')}`, ['text', 'tool_attempt'], true, 1],
      [`Hi ${O}${call('f')}`, ['text', 'tool_attempt'], true],
      [`Hi ${O}${I('f')}${P('a')}${D}${PP}${II}${C}`, ['text', 'tool_attempt'], true, 1],
      [`The tag ${O} is used.`, ['text'], true],
      [`The tag ${O} ${T}a${TT} b`, ['text', 'thinking', 'text'], true],
      [`${T}${O}${TT} b`, ['thinking', 'text'], false],
      ['Hi <function_ca', ['text'], true],
      ['Hi <invo', ['text'], true],
      [`Hi ${block(call('f'))}`, ['text', 'tool_use'], false],
      [`Hi ${block(call('f', 'x'))}`, ['text', 'tool_attempt'], false, 1],
      ['Hi', ['text'], false],
    ]) {
      const parsed = blocksOf(text)
      assert.deepEqual([parsed.blocks.map(({ type }) => type), parsed.unclosedToolBlock, parsed.notices.length], [types, isUnclosed, notices], text)
      if (isUnclosed) assert.equal(parseToolCalls(text), null, text)
    }
  })

  test('what a cut reply has left in a text is counted', () => {
    for (const [text, counts] of [
      [block(call('f')), [0, 0, 0]],
      [`${O}${I('f')}${P('a')}x user: hi\n${block(call('g'))}`, [0, 1, 0]],
      [`${O}${C}`, [1, 0, 0]],
      [`${O}${I('f')}${P('a')}1${PP}${call('g')}${C}`, [0, 0, 1]],
      [`${O}${I('f')}${T}${O}${TT}`, [0, 0, 0]],
    ]) {
      const { emptyToolBlocks, splicedToolBlocks, unclosedInvokeHeads } = blocksOf(text)
      assert.deepEqual([emptyToolBlocks, splicedToolBlocks, unclosedInvokeHeads], counts, text)
    }
  })

  test('thinking that is not closed hides no open block', () => {
    for (const [text, isUnclosed] of [
      [`${T}hm ${O}${I('f')}`, true],
      [`${T}hm ${block(call('f'))}`, false],
      [`${T}hm`, false],
      [`${T}${O}${TT}`, false],
    ])
      assert.equal(hasUnclosedToolBlock(text), isUnclosed, text)
  })

  test('tags in payloads and after them are no tags of calls', () => {
    for (const [text, isUnclosed] of [
      [`${O}${I('f')}${P('a')}${D}${PP}${II}${C}`, true],
      [`${O}${I('f')}${P('a')}${D}x${E}${O}${I('g')}${C}`, false],
      [`${O}${I('f')}${P('a')}${D}x${E}y${C}`, false],
      [block(call('f', value(`${D}${O}${I('g')}${E}`))), false],
    ]) {
      assert.equal(hasUnclosedToolBlock(text), isUnclosed, text)
      assert.equal(endsWithPartialToolBlock(text), isUnclosed, text)
    }
  })
})

describe('encodeParameterValue', () => {
  test('what it writes is read back', () => {
    for (const value of ['', ' a ', '8', 'null', 'a]]>b', ']]]]>>', `${D}x${E}`, '</parameter>', 8, 1.5, -3, true, false, null, [1, '<'], { a: '</parameter>', b: [null] }, 1234567890123456, -1234567890123456, 123456789012345680000, 1e300]) {
      const written = encodeParameterValue(value)
      assert.deepEqual(parseToolCalls(block(call('f', `${P('a')}${written}${PP}`)))?.calls[0]?.input, { a: value }, written)
      if (typeof value !== 'string') assert.ok(!written.includes('<'), written)
    }
    assert.equal(encodeParameterValue(undefined), undefined)
    assert.equal(encodeParameterValue('a]]>b'), `${D}a]]${E}${D}>b${E}`)
    assert.equal(encodeParameterValue(1234567890123456), '1.234567890123456e+15')
  })
})

describe('one id for a call', () => {
  test('the stream and the functions tell generateId the same call', () => {
    const text = `Hi 水 ${T}${block(call('no'))}${TT}${block(call('f', value('1')), call('g'))} and ${prefixed(block(call('f', value(`${D}${I('no')}${E}`))))}`
    const idOf = ({ name, offset }) => `${name}@${offset}`
    const all = parseAccumulatedIntoBlocks(text, { generateId: idOf }).toolCalls.map(({ id }) => id)
    assert.deepEqual(all.map((id) => id.split('@')[0]), ['f', 'g', 'f'])
    for (const id of all) assert.ok(/^<[\w:]*invoke/.test(text.slice(Number(id.split('@')[1]))))
    for (let size = 1; size < 40; size++) {
      for (const options of [{}, { spans: true }, { stopSequences: ['never'] }]) {
        const ids = []
        let parser = new BlockParser({ ...options, generateId: idOf, onBlock: (event) => event.event === 'block_complete' && event.block.type === 'tool_call' && !event.block.insideThinking && ids.push(event.block.toolId) })
        for (let at = 0; at < text.length; at += size) parser.processChunk(text.slice(at, at + size))
        parser.flush()
        assert.deepEqual(ids, all, `${size}`)
      }
    }
    assert.deepEqual(parseToolCalls(text, { generateId: idOf }).calls.map(({ id }) => id), all.slice(2))
    // After a prefill, and after a restore without text.
    const ids = []
    const options = { generateId: idOf, onBlock: (event) => event.event === 'block_complete' && event.block.type === 'tool_call' && ids.push(event.block.toolId) }
    const before = new BlockParser(options)
    before.push('Alice: Hi. ')
    before.processChunk('Bot: so, ')
    const after = BlockParser.restore(before.snapshot({ keepText: false }), options)
    after.processChunk(block(call('f')))
    assert.deepEqual(ids, [`f@${'Alice: Hi. Bot: so, '.length + O.length + 1}`])
  })
})

describe('what both versions of membrane do, and what each did', () => {
  const f = block(call('f'))
  // The text, the calls by 0.5.78, by 0.5.86 and later, and here if that is something else.
  for (const [name, text, old, now, here = now, options] of [
    ['a call', f, [['f', {}]], [['f', {}]]],
    ['values by their text', block(call('f', value(' 1 '))), [['f', { a: 1 }]], [['f', { a: 1 }]]],
    ['long numbers', block(call('f', value('1234567890123456'))), [['f', { a: '1234567890123456' }]], [['f', { a: '1234567890123456' }]]],
    ['the last block', `${block(call('g'))} ${f}`, [['f', {}]], [['f', {}]]],
    ['a block that results answer', `${f}${R}<result>1</result>${RR}`, null, null],
    ['with ids', `${f}${R}<result tool_use_id="t">1</result>${RR}`, null, null],
    ['CDATA', block(call('f', value(`${D}8${E}`))), [['f', { a: `${D}8${E}` }]], [['f', { a: '8' }]]],
    ['a closing tag in a value', block(call('f', value(`x${PP}y`))), [['f', { a: 'x' }]], []],
    ['calls in thinking', `${T}${f}${TT}`, [['f', {}]], null],
    ['a declared string', block(call('f', value('\nv\n'))), [['f', { a: 'v' }]], [['f', { a: 'v' }]], undefined, { tools: tool({ a: { type: 'string' } }) }],
    ['thinking that is not closed', `${T}${f}`, [['f', {}]], [['f', {}]], null],
    ['and that is history', `${T}${f}`, [['f', {}]], [['f', {}]], undefined, { historyLength: T.length }],
    ['a call without a block', call('f'), null, null, [['f', {}]]],
  ]) {
    test(name, () => {
      assert.notEqual(old, undefined)
      assert.deepEqual(parseToolCalls(text, options)?.calls.map(({ name, input }) => [name, input]) ?? null, here)
    })
  }
})
