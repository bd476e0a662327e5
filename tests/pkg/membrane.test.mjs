// `tokenweir/membrane`: membrane's functions for whole replies.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { BlockParser } from 'tokenweir/blocks'
import { endsWithPartialToolBlock, formatToolResult, formatToolResults, hasUnclosedToolBlock, parseAccumulatedIntoBlocks, parseToolCalls } from 'tokenweir/membrane'
import { markup } from './support/block-texts.mjs'
import { counter } from './support/reading.mjs'

/** A call as a model writes it; `prefix` is that of its tags. */
const invoke = (name, parameters = {}, prefix = '') =>
  `<${prefix}invoke name="${name}">\n${Object.entries(parameters).map(([key, value]) => `<${prefix}parameter name="${key}">${value}</${prefix}parameter>\n`).join('')}</${prefix}invoke>`
const calls = (invokes, prefix = '') => `<${prefix}function_calls>\n${invokes}\n</${prefix}function_calls>`
const results = (...texts) => `<function_results>\n${texts.join('\n')}\n</function_results>`
const prefixes = ['', 'antml:']

const inputsOf = (text, options) => parseToolCalls(text, options)?.calls.map(({ name, input }) => [name, input])
const blocksOf = (text, options) => parseAccumulatedIntoBlocks(text, { generateId: counter(), ...options }).blocks

describe('parseToolCalls', () => {
  for (const prefix of prefixes) {
    describe(`with tags like <${prefix}invoke>`, () => {
      const call = (name, parameters) => invoke(name, parameters, prefix)

      test('gives the block and what stands around it', () => {
        const block = calls(call('weather', { city: 'Bern' }), prefix)
        const parsed = parseToolCalls(`Let me see.\n${block} `, { generateId: () => 'toolu_1' })
        assert.deepEqual(parsed, { calls: [{ id: 'toolu_1', name: 'weather', input: { city: 'Bern' } }], beforeText: 'Let me see.\n', afterText: ' ', fullMatch: block, notices: [] })
      })

      test('takes the calls of a block in order, self-closing ones too', () => {
        assert.deepEqual(inputsOf(calls(`${call('a')}<${prefix}invoke name="b"/>${call('c')}`, prefix)), [['a', {}], ['b', {}], ['c', {}]])
      })
    })
  }

  test('gives null without calls', () => {
    for (const text of ['', 'Hello', '<thinking>hm</thinking>', results('<result>1</result>')]) assert.equal(parseToolCalls(text), null, text)
  })

  test('takes the last block that has no results after it', () => {
    const done = calls(invoke('done')) + '\n' + results('<result>1</result>')
    assert.equal(parseToolCalls(done), null)
    assert.deepEqual(inputsOf(`${done}\n${calls(invoke('next'))}`), [['next', {}]])
    assert.deepEqual(inputsOf(`${calls(invoke('waiting'))} and ${done}`), [['waiting', {}]])
    assert.equal(parseToolCalls(`${calls(invoke('done'))}${' '.repeat(500)}<function_results><result>cut o`), null, 'results that are cut off')
    assert.deepEqual(inputsOf(`${calls(invoke('waiting'))}Hm.${results('<result>1</result>')}`), [['waiting', {}]], 'results of another call')
  })

  test('gives nothing before the block is closed', () => {
    const text = calls(invoke('rm', { path: '/tmp', force: 'true' }))
    for (let end = 0; end < text.length; end++) assert.equal(parseToolCalls(text.slice(0, end)), null, text.slice(0, end))
    assert.equal(parseToolCalls(text).calls.length, 1)
  })

  test('a block that was cut off takes no call from the block after it', () => {
    for (const stale of ['<function_calls>', '<function_calls><invoke name="rm">', '<function_calls><invoke name="rm"><parameter name="path">/ho']) {
      const before = `Bot: ${stale}\nUser: Hi\nBot: `
      const live = calls(invoke('say', { text: 'hi' }))
      const parsed = parseToolCalls(before + live)
      assert.deepEqual([parsed.calls.map(({ name }) => name), parsed.beforeText, parsed.fullMatch], [['say'], before, live], stale)
    }
  })

  test('a call that quotes a block of calls in a value is not executed, and neither is the quoted one', () => {
    const quoted = calls(invoke('rm', { path: '/' }))
    assert.deepEqual(inputsOf(calls(invoke('write', { content: `Write ${quoted}` }))), [])
  })

  test('calls inside thinking are not calls', () => {
    const thought = `<thinking>I could do ${calls(invoke('rm'))}`
    for (const text of [thought, `${thought}</thinking>`, `${thought}</thinking> But no.`]) assert.equal(parseToolCalls(text), null, text)
    assert.deepEqual(inputsOf(`${thought}</thinking>${calls(invoke('ls'))}`), [['ls', {}]])
    assert.deepEqual(inputsOf(`<thinking>As for <function_calls>...</thinking>${calls(invoke('ls'))}`), [['ls', {}]], 'a tag that thinking mentions')
  })

  test('calls inside results are not calls', () => {
    assert.equal(parseToolCalls(results(`<result>${calls(invoke('rm'))}</result>`)), null)
  })

  test('calls without a block around them are a block', () => {
    const text = `${invoke('a')}\n${invoke('b')}`
    const parsed = parseToolCalls(`So: ${text} Done.`)
    assert.deepEqual([parsed.calls.map(({ name }) => name), parsed.beforeText, parsed.fullMatch, parsed.afterText], [['a', 'b'], 'So: ', text, ' Done.'])
  })

  test('refuses what it cannot take', () => {
    assert.throws(() => parseToolCalls(5), { name: 'TypeError', message: /parseToolCalls takes a string, but got number 5/ })
    assert.throws(() => parseToolCalls('', { tool: {} }), { name: 'TypeError', message: /no option "tool"/ })
    assert.throws(() => parseToolCalls('', { startInsideBlock: 'thinking' }), TypeError)
    assert.throws(() => parseToolCalls('', { generateId: 'x' }), { name: 'TypeError', message: /generateId must be a function/ })
  })
})

describe('parseAccumulatedIntoBlocks', () => {
  for (const [name, text, expected, options] of [
    ['plain text', ' Hello \n', [{ type: 'text', text: 'Hello' }]],
    ['white space', ' \n\t', []],
    ['nothing', '', []],
    ['text that looks like markup', 'a < b <i>c</i>', [{ type: 'text', text: 'a < b <i>c</i>' }]],
    ['thinking', 'A\n<thinking> b </thinking>\nC', [{ type: 'text', text: 'A' }, { type: 'thinking', thinking: ' b ' }, { type: 'text', text: 'C' }]],
    ['thinking with a prefix', '<antml:thinking>b</antml:thinking>C', [{ type: 'thinking', thinking: 'b' }, { type: 'text', text: 'C' }]],
    ['thinking that is cut off', 'A<thinking>b</thin', [{ type: 'text', text: 'A' }, { type: 'thinking', thinking: 'b</thin', incomplete: true }]],
    ['a call in thinking', '<thinking>a<invoke name="f"/>b</thinking>', [{ type: 'thinking', thinking: 'a<invoke name="f"/>b' }]],
    ['calls that are cut off', 'A <function_calls><invoke name="f"/>', [{ type: 'text', text: 'A' }, { type: 'tool_attempt', rawXml: '<function_calls><invoke name="f"/>' }]],
    ['a call that is cut off', 'A <invoke name="f"><parameter name="p">1', [{ type: 'text', text: 'A' }, { type: 'text', text: '<invoke name="f"><parameter name="p">1', incomplete: true }]],
    ['an empty block', '<function_calls>\n</function_calls>', [{ type: 'text', text: '<function_calls>\n</function_calls>', incomplete: true }]],
    ['results that are cut off', '<function_results><result>1', [{ type: 'text', text: '<function_results><result>1', incomplete: true }]],
    ['closing tags without opening tags', 'a</function_calls></thinking> b', [{ type: 'text', text: 'a b' }]],
    ['a start in thinking', 'hm</thinking>Hi', [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'Hi' }], { startInsideBlock: 'thinking' }],
  ]) {
    test(name, () => assert.deepEqual(blocksOf(text, options), expected))
  }

  for (const prefix of prefixes) {
    test(`calls and results carry their block as written, with tags like <${prefix}invoke>`, () => {
      const written = calls(`  ${invoke('a', { x: ' 1 ' }, prefix)}${invoke('b', {}, prefix)}`, prefix)
      const answer = `<${prefix}function_results><${prefix}result tool_use_id="t1">1 &lt; 2</${prefix}result><${prefix}error tool_use_id="t2">no</${prefix}error></${prefix}function_results>`
      const { blocks, toolCalls, toolResults } = parseAccumulatedIntoBlocks(`So:${written} \n${answer} Done.`)
      assert.deepEqual(blocks, [
        { type: 'text', text: 'So:' },
        { type: 'tool_use', id: 't1', name: 'a', input: { x: 1 }, rawXml: written },
        { type: 'tool_use', id: 't2', name: 'b', input: {}, rawXml: written },
        { type: 'tool_result', toolUseId: 't1', content: '1 < 2', isError: false, rawXml: answer },
        { type: 'tool_result', toolUseId: 't2', content: 'no', isError: true, rawXml: answer },
        { type: 'text', text: 'Done.' },
      ])
      assert.deepEqual(toolCalls, [{ id: 't1', name: 'a', input: { x: 1 } }, { id: 't2', name: 'b', input: {} }])
      assert.deepEqual(toolResults, [{ toolUseId: 't1', content: '1 < 2', isError: false }, { toolUseId: 't2', content: 'no', isError: true }])
    })
  }

  test('results without ids have those of the calls before them', () => {
    const { toolCalls, toolResults } = parseAccumulatedIntoBlocks(calls(invoke('a') + invoke('b')) + results('<result>1</result>', '<result>2</result>', '<result>3</result>'), { generateId: counter() })
    assert.deepEqual(toolResults.map(({ toolUseId, content }) => [toolUseId, content]), [[toolCalls[0].id, '1'], [toolCalls[1].id, '2'], ['', '3']])
  })

  test('a start inside calls: their block includes the tag that the prefill wrote', () => {
    const rest = `${invoke('f')}\n</function_calls>Done.`
    assert.deepEqual(blocksOf(rest, { startInsideBlock: 'tool_call', generateId: () => 't' }), [
      { type: 'tool_use', id: 't', name: 'f', input: {}, rawXml: `<function_calls>${invoke('f')}\n</function_calls>` },
      { type: 'text', text: 'Done.' },
    ])
    assert.deepEqual(blocksOf('<result>1</result></function_results>', { startInsideBlock: 'tool_result' })[0].content, '1')
    assert.throws(() => blocksOf('', { startInsideBlock: 'text' }), { name: 'TypeError', message: /startInsideBlock must be thinking, tool_call or tool_result, but is "text"/ })
  })

  test('ids are made for calls alone', () => {
    let count = 0
    parseAccumulatedIntoBlocks(`<thinking>${calls(invoke('no'))}</thinking>${calls(invoke('yes'))}<invoke name="cut">`, { generateId: () => `id${(count += 1)}` })
    assert.equal(count, 1)
  })
})

describe('any text', () => {
  test('nothing throws, and the places are right', () => {
    fc.assert(
      fc.property(markup, (text) => {
        const { blocks, toolCalls, toolResults } = parseAccumulatedIntoBlocks(text)
        assert.deepEqual(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id), toolCalls.map(({ id }) => id))
        assert.equal(blocks.filter(({ type }) => type === 'tool_result').length, toolResults.length)
        for (const { rawXml } of blocks) if (rawXml !== undefined) assert.ok(text.includes(rawXml))
        for (const block of blocks) if (block.type === 'text') assert.equal(block.text, block.text.trim())
        const parsed = parseToolCalls(text)
        if (parsed !== null) {
          assert.equal(parsed.beforeText + parsed.fullMatch + parsed.afterText, text)
          assert.ok(parsed.calls.length <= toolCalls.length)
        }
        hasUnclosedToolBlock(text)
        endsWithPartialToolBlock(text)
      }),
      { numRuns: 2_500 },
    )
  })

  const tags = ['thinking', 'function_calls', 'function_results', 'invoke name="f"', 'parameter name="p"', 'result tool_use_id="t"', 'error'].flatMap((tag) => [`<${tag}>`, `<${tag}>`, `</${tag.split(' ')[0]}>`, `</${tag.split(' ')[0]}>`, `<${tag}/>`])

  test('each word that is not in a tag is in one block, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('word', 'word', ' ', ...tags), { maxLength: 30, size: 'max' }), (parts) => {
        let count = 0
        const text = parts.map((part) => (part === 'word' ? `w${(count += 1)}.` : part)).join('')
        const { blocks } = parseAccumulatedIntoBlocks(text)
        const shared = blocks.map(({ rawXml }, index) => rawXml !== undefined && rawXml === blocks[index - 1]?.rawXml)
        const covered = blocks.map((block, index) => (shared[index] ? '' : (block.rawXml ?? block.thinking ?? block.text)))
        assert.deepEqual(covered.join('').match(/w\d+\./g) ?? [], text.match(/w\d+\./g) ?? [], text)
      }),
      { numRuns: 4_000 },
    )
  })

  test('a call is one that `BlockParser` gives whole', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', ...tags.filter((tag) => !/function|thinking|parameter/.test(tag))), { maxLength: 20 }), (parts) => {
        const text = `<function_calls>${parts.join('')}</function_calls>`
        const whole = []
        const parser = new BlockParser({ onBlock: ({ event, block }) => event === 'block_complete' && block.toolName !== undefined && block.incomplete !== true && whole.push([block.toolName, block.input]) })
        parser.processChunk(text)
        parser.flush()
        const { toolCalls } = parseAccumulatedIntoBlocks(text)
        const given = whole.map((call) => JSON.stringify(call))
        for (const { name, input } of toolCalls) assert.ok(given.includes(JSON.stringify([name, input])), text)
        assert.ok(toolCalls.length <= whole.length)
      }),
      { numRuns: 2_500 },
    )
  })

  test('the time is linear', () => {
    // The time of this process on the processor: other programs may be running.
    const time = (text) => Math.min(...[1, 2, 3, 4, 5].map(() => {
      const { user } = process.cpuUsage()
      parseAccumulatedIntoBlocks(text)
      return (process.cpuUsage().user - user) / 1_000
    }))
    for (const piece of ['<function_calls>', '<function_calls><invoke name="f"><parameter name="p">', '<thinking>', calls(invoke('f', { p: '1' })), '<invoke name="f">', 'a <', '</thinking>', `${calls('<thinking></thinking>').slice(0, -17)}`, `${calls(invoke('f', { p: '1</parameter>' }))}`, `${calls(invoke('f'))}<function_results><tool_call_notice>`, '<function_calls><invoke name="f"><parameter name="p"><![CDATA[']) {
      const small = time(piece.repeat(1_000))
      const large = time(piece.repeat(8_000))
      assert.ok(large < 8 * small * 4 + 120, `${piece}: ${small} ms, and ${large} ms for eight times the text`)
    }
  })
})

describe('whether a text ends inside calls', () => {
  const open = ['<function_calls>', '<function_calls>\n', `<function_calls>${invoke('f')}`, '<function_calls><invoke name="f"><parameter name="p">', '<function_calls><invoke name="f"><parameter name="p">the tag </function_calls> is', '<invoke name="f">', 'Hi <function_calls>x</function_calls><function_calls>']
  const closed = ['', 'Hi', calls(invoke('f')), calls(invoke('f'), 'antml:'), '</function_calls>', '<thinking>hm', '<thinking>the tag <function_calls></thinking>', '<invoke name="f"/>', '<function_results>', 'I <3 you', '<b', '<functional']
  const partial = ['<func', 'Hi <function_calls', '<invo', '<invoke name="f', '<']

  test('hasUnclosedToolBlock', () => {
    for (const text of open) assert.ok(hasUnclosedToolBlock(text), text)
    for (const text of [...closed, ...partial]) assert.ok(!hasUnclosedToolBlock(text), text)
    assert.throws(() => hasUnclosedToolBlock(), TypeError)
  })

  test('endsWithPartialToolBlock, in every tag of calls at every cut', () => {
    for (const prefix of ['', 'antml:']) {
      for (const name of ['function_calls', 'invoke', 'parameter']) {
        for (const slash of ['', '/']) {
          const tag = `<${slash}${prefix}${name}`
          for (let to = 1; to <= tag.length; to++) assert.ok(endsWithPartialToolBlock(`Hi ${tag.slice(0, to)}`), tag.slice(0, to))
        }
      }
    }
    for (const text of ['<parameter name="x">', '<parameter name="x"> a', 'a</parameter>', '<param>', '<parameters', '</thinking']) assert.ok(!endsWithPartialToolBlock(text), text)
  })

  test('endsWithPartialToolBlock', () => {
    for (const text of [...open, ...partial]) assert.ok(endsWithPartialToolBlock(text), text)
    for (const text of closed) assert.ok(!endsWithPartialToolBlock(text), text)
    assert.throws(() => endsWithPartialToolBlock(null), TypeError)
  })
})

describe('formatToolResults', () => {
  test('writes one result or more, and mentions what is not text', () => {
    assert.equal(formatToolResult({ toolUseId: 'a', content: 'x' }), formatToolResults([{ toolUseId: 'a', content: 'x' }]))
    const content = [{ type: 'text', text: 'A map:' }, { type: 'image', source: { type: 'base64', data: 'A'.repeat(4096), mediaType: 'image/png' } }, { type: 'document' }, { type: 'image' }, {}]
    assert.match(formatToolResult({ toolUseId: 'a', content }), /\nA map:\n\[Image: image\/png, ~3KB\]\n\[document\]\n\[image\]\n\[unknown content\]\n/)
  })

  test('refuses what is not a result', () => {
    for (const invalid of [undefined, {}, [5], [{ toolUseId: 1, content: '' }], [{ toolUseId: 'a' }], [{ toolUseId: 'a', content: [null] }], [{ toolUseId: 'a', content: [{ type: 'text' }] }], 'x']) assert.throws(() => formatToolResults(invalid), TypeError)
  })

  test('what it writes is read back, and is never a call', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '<', '>', '&', '"', "'", ';', '/', 'é', '🙂', '\ud83d', '</result>', '<function_calls><invoke name="rm"/></function_calls>', '&lt;', '</function_results>')
    const written = fc.array(fc.record({ toolUseId: fc.string({ unit, minLength: 1, maxLength: 8 }), content: fc.string({ unit, maxLength: 12 }), isError: fc.boolean() }, { noNullPrototype: true }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(written, (list) => {
        const xml = formatToolResults(list)
        assert.deepEqual(parseAccumulatedIntoBlocks(`Hi${xml}`), {
          blocks: [{ type: 'text', text: 'Hi' }, ...list.map((result) => ({ type: 'tool_result', ...result, rawXml: xml }))],
          toolCalls: [],
          toolResults: list,
          notices: [],
          unclosedToolBlock: false,
          emptyToolBlocks: 0,
          splicedToolBlocks: 0,
          unclosedInvokeHeads: 0,
        })
      }),
      { numRuns: 2_000 },
    )
  })
})
