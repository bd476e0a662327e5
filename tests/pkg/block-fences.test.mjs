// Tags in Markdown code, which are text with `fences: 'text'`.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { BlockParser, BlockStream, VisibleTextStream } from 'tokenweir/blocks'
import { NativeBlocks, readReply, visibleText } from 'tokenweir'
import { StreamingParser, extractSegments } from 'tokenweir/segments'
import { endsWithPartialToolBlock, hasUnclosedToolBlock, parseAccumulatedIntoBlocks, parseToolCalls } from 'tokenweir/membrane'
import { cuts, piece } from './support/block-texts.mjs'
import { cutAt, everyCut, pieces } from './support/cuts.mjs'
import { blocksOf, joined, read, visibleOf } from './support/reading.mjs'
import { assertTiled, render, withoutSpans } from './support/render.mjs'

const FENCES = { fences: 'text' }
const markdown = fc.constantFrom('`', '`', '``', '```', '````', '~~~', '\n```\n', '\n~~~\n', '\n> ', '\n- ', '\n1. ', '\n\n', '\n', '\r', '\\', '\\`', '      ', '\t', '# ', '***', ' code ')
const quotable = fc.array(fc.oneof(piece, markdown), { maxLength: 24, size: 'max' }).map((parts) => parts.join(''))
const chunked = fc.tuple(quotable, cuts).map(([text, places]) => ({ text, chunks: cutAt(text, places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b)) }))
const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 4_000 })
const visible = (text, options) => visibleOf(read([text], options))

describe('any text in Markdown, cut anywhere', () => {
  test('cuts make no difference, nor do spans', () => {
    holds(chunked, fc.boolean(), ({ text, chunks }, startWithThinking) => {
      const options = { ...FENCES, startWithThinking }
      const whole = read([text], options)
      assert.deepEqual(joined(read(chunks, options)), joined(whole))
      assert.deepEqual(joined(read(pieces(text, 1), options)), joined(whole))
      const log = read(chunks, { ...options, spans: true })
      assert.equal(render(log, { spans: true }), render(read([text], { ...options, spans: true }), { spans: true }))
      assert.equal(withoutSpans(render(log, { spans: true })), render(whole))
      assertTiled(log, text)
    })
  })

  test('long lines and short ones, in chunks of all lengths', () => {
    const line = fc.oneof(fc.constantFrom('', '```', '~~~', '> a', '- b', 'a `b', 'c` d'), fc.stringMatching(/^[a-z <]{0,300}$/), piece)
    const long = fc.array(line, { minLength: 30, maxLength: 120, size: 'max' }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(long, fc.constantFrom(1, 2, 5, 16, 33, 100, 1_000), (text, size) => {
        const lines = render(read([text], FENCES))
        assert.equal(render(read(pieces(text, size), FENCES)), lines)
      }),
      { numRuns: 300 },
    )
  })

  test('text in a fence has no blocks', () => {
    holds(chunked, fc.constantFrom('```', '~~~~', '```xml'), ({ chunks }, mark) => {
      const inside = chunks.map((chunk) => chunk.replace(/[`~]/g, ''))
      const text = `${mark}\n${inside.join('')}`
      assert.deepEqual(blocksOf(read([`${mark}\n`, ...inside], FENCES)), [{ type: 'text', content: text }])
    })
  })

  test('prefill: what was pushed has its code too', () => {
    holds(quotable, chunked, (before, { text, chunks }) => {
      const emitted = (pushed, parts) => {
        const parser = new BlockParser({ ...FENCES, generateId: () => 'id' })
        for (const part of pushed) parser.push(part)
        const emissions = [...parts.flatMap((chunk) => parser.processChunk(chunk).emissions), ...parser.flush().emissions]
        assert.equal(parser.getAccumulated(), before + text)
        return joined(emissions.map((emission) => (emission.kind === 'content' ? { chunk: emission.text, meta: emission.meta } : emission.event)))
      }
      const whole = emitted([before], [text])
      assert.deepEqual(emitted([before], chunks), whole)
      assert.deepEqual(emitted(pieces(before, 3), chunks), whole)
    })
  })

  test('the same tags count as in segments', () => {
    const word = fc.oneof(markdown, fc.constantFrom('@', '@', 'a', ' b ', '2. '))
    holds(fc.array(word, { maxLength: 20, size: 'max' }).map((parts) => parts.join('')), (text) => {
      const blocks = blocksOf(read([text.replaceAll('@', '<invoke name="a"/>')], FENCES))
      const found = blocks.map(({ type, content }) => (type === 'text' ? content.replaceAll('<invoke name="a"/>', '@') : '!'))
      const parser = new StreamingParser({ strategy: 'xml', ...FENCES })
      const segments = extractSegments(parser.feedAndFinalize(text.replaceAll('@', '<run_bash>x</run_bash>')))
      const expected = segments.map(({ type, content }) => (type === 'text' ? content.replaceAll('<run_bash>x</run_bash>', '@') : '!'))
      assert.equal(found.join(''), expected.join(''))
    })
  })
})

describe('what waits', () => {
  // The text, and what of it was emitted.
  for (const [text, out] of [
    ['a ` b', 'a ` b'],
    ['a ` <', 'a ` '],
    ['a ` <b', 'a ` <b'],
    ['a ` <thin', 'a ` '],
    ['a ` <thinx', 'a ` <thinx'],
    ['a ` <thinking> b', 'a ` '],
    ['a ` <thinking> b`', 'a ` '],
    ['a ` <thinking> b` ', 'a ` <thinking> b` '],
    ['```\n<thinking> b', '```\n<thinking> b'],
    ['``` <thinking> b', '``` '],
    ['a\n', 'a\n'],
  ]) {
    test(JSON.stringify(text), () => {
      for (const [cut, chunks] of everyCut(text)) {
        let shown = ''
        const parser = new BlockParser({ ...FENCES, onChunk: (piece) => (shown += piece) })
        for (const chunk of chunks) parser.processChunk(chunk)
        assert.equal(shown, out, cut)
      }
    })
  }

  test('at most 1,024 units after the backticks', () => {
    const types = (filler) => blocksOf(read([`\`${' '.repeat(filler)}<thinking>`, ...pieces('x'.repeat(2_000), 1)], FENCES)).map(({ type }) => type)
    let waited = 0
    const parser = new BlockParser(FENCES)
    parser.processChunk('a `<thinking>')
    while (parser.processChunk('x').emissions.length === 0) waited++
    assert.equal(waited, 1_024 - '<thinking>'.length)
    assert.deepEqual(types(10), ['text', 'thinking'])
  })
})

describe('the other options', () => {
  test('a value that is not one is refused by name', () => {
    const message = 'BlockParser: fences must be "parse" or "text", but is string "no"'
    for (const Class of [BlockParser, VisibleTextStream, BlockStream]) assert.throws(() => new Class({ fences: 'no' }), { name: 'TypeError', message: message.replace('BlockParser', Class.name) })
    assert.throws(() => visibleText([], { fences: 'no' }), { name: 'TypeError', message: message.replace('BlockParser', 'visibleText') })
    for (const [name, call] of Object.entries({ parseToolCalls, parseAccumulatedIntoBlocks, hasUnclosedToolBlock, endsWithPartialToolBlock })) {
      assert.throws(() => call('a', { fences: 'no' }), { name: 'TypeError', message: `${name}: fences must be "parse" or "text", but is string "no"` })
    }
  })

  test('streams', async () => {
    const text = 'a `<thinking>b</thinking>` <thinking>c</thinking>d'
    let shown = ''
    for await (const each of visibleText(pieces(text, 3), FENCES)) shown += each
    assert.equal(shown, 'a `<thinking>b</thinking>` d')
    const all = async (stream) => {
      const read = []
      for await (const each of ReadableStream.from(pieces(text, 3)).pipeThrough(stream)) read.push(each)
      return read
    }
    assert.equal((await all(new VisibleTextStream(FENCES))).join(''), shown)
    const emissions = await all(new BlockStream(FENCES))
    assert.deepEqual(emissions.flatMap(({ event }) => (event?.event === 'block_start' ? event.block.type : [])), ['text', 'thinking', 'text'])
  })

  test('replies of providers', async () => {
    const chunk = (content) => ({ choices: [{ index: 0, delta: { content } }] })
    const reply = () => pieces('a `<think>b</think>` <think>c</think>d', 5).map(chunk)
    const { text, thinking } = await readReply(reply(), FENCES).result()
    assert.deepEqual([text, thinking], ['a `<think>b</think>` d', 'c'])
    let shown = ''
    for await (const each of visibleText(reply(), FENCES)) shown += each
    assert.equal(shown, text)
    const blocks = new NativeBlocks({ ...FENCES, tags: true })
    const emissions = [...reply().flatMap((event) => blocks.openai(event).emissions), ...blocks.flush().emissions]
    assert.equal(emissions.filter(({ meta }) => meta?.visible).map(({ text }) => text).join(''), text)
    assert.throws(() => new NativeBlocks({ tags: true, fences: 'no' }), { name: 'TypeError', message: 'NativeBlocks: fences must be "parse" or "text", but is string "no"' })
  })

  test('stop sequences are looked for in code too', () => {
    const text = 'a `<thinking>\nAlice:` b'
    for (const [cut, chunks] of everyCut(text)) {
      const log = read(chunks, { ...FENCES, stopSequences: ['\nAlice:'] })
      assert.equal(visibleOf(log), 'a `<thinking>', cut)
      assert.equal(log.at(-1).event, 'stop', cut)
    }
  })

  test('after a stop sequence the next reply is not in code', () => {
    const parser = new BlockParser({ ...FENCES, stopSequences: ['STOP'] })
    parser.processChunk('```\nSTOP')
    parser.resetForNewIteration()
    assert.equal(parser.processChunk('<thinking>a').emissions.at(-1).meta.type, 'thinking')
  })

  test('a reply that ends in code, and the next one', () => {
    const parser = new BlockParser(FENCES)
    for (const begin of [() => parser.resetForNewIteration(), () => parser.reset()]) {
      parser.processChunk('```\n<thinking>')
      assert.equal(parser.isInsideBlock(), false)
      begin()
      parser.processChunk('<thinking>')
      assert.equal(parser.isInsideBlock(), true)
      parser.reset()
    }
  })

  test('a tool call inside thinking, next to code', () => {
    const text = '`<thinking>` <thinking>```<invoke name="f"/></thinking>```<invoke name="g"/>```'
    for (const [cut, chunks] of everyCut(text)) {
      const blocks = blocksOf(read(chunks, FENCES))
      assert.deepEqual(blocks.map(({ type, toolName = '', insideThinking = false }) => [type, toolName, insideThinking]), [['text', '', false], ['thinking', '', false], ['tool_call', 'f', true], ['text', '', false]], cut)
    }
  })

  test('without it, and with parse, code is read', () => {
    for (const options of [{}, { fences: 'parse' }, { fences: undefined }]) assert.equal(visible('`<thinking>a</thinking>`', options), '``')
  })
})

describe('the functions of membrane', () => {
  const call = '<function_calls><invoke name="f"/></function_calls>'
  test('parseToolCalls', () => {
    assert.equal(parseToolCalls(`Write \`${call}\`.`, FENCES), null)
    assert.deepEqual(parseToolCalls(`\`\`\`\n${call}\n\`\`\`\n${call} b \`${call}\``, FENCES)?.beforeText, `\`\`\`\n${call}\n\`\`\`\n`)
    assert.equal(parseToolCalls(`Write \`${call}\`.`)?.beforeText, 'Write `')
  })

  test('parseAccumulatedIntoBlocks', () => {
    const { blocks } = parseAccumulatedIntoBlocks(`Write \`<function_calls>\`, then: ${call} and \`<thinking>\`. <thinking>\`\`\`</thinking>${call}`, { ...FENCES, generateId: () => 'id' })
    assert.deepEqual(
      blocks.map(({ type, text, thinking, name }) => [type, text ?? thinking ?? name]),
      [['text', 'Write `<function_calls>`, then:'], ['tool_use', 'f'], ['text', 'and `<thinking>`.'], ['thinking', '```'], ['tool_use', 'f']],
    )
  })

  test('hasUnclosedToolBlock and endsWithPartialToolBlock', () => {
    for (const [text, isUnclosed, isPartial] of [
      ['`<function_calls>` ', false, false],
      ['```\n<function_calls>\n```\n<func', false, true],
      ['```\n<function_calls>\n```\n<function_calls>', true, true],
      ['` <function_calls>', true, true],
      ['`a` <function_calls><invoke name="f">', true, true],
      ['`<func` a', false, false],
    ]) {
      assert.equal(hasUnclosedToolBlock(text, FENCES), isUnclosed, text)
      assert.equal(endsWithPartialToolBlock(text, FENCES), isPartial, text)
    }
  })
})
