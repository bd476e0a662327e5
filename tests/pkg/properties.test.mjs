// What holds for any text in any cut. fast-check prints the seed and the
// smallest failing text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { BlockParser, visibleText } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { chunked, chunkedOwn, cuts, markup, piece, words } from './support/block-texts.mjs'
import { cutAt, pieces } from './support/cuts.mjs'
import { decode, naive } from './support/naive.mjs'
import { blocksOf, counter, joined, logOf, read, readElements, visibleOf } from './support/reading.mjs'
import { assertTiled, render, withoutSpans } from './support/render.mjs'

/** Most kinds of open things that are distinguished when they alternate. */
const MOST_CHANGES = 16

const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 4_000 })

// An opening tag of none of the names that blocks know.
const OTHER_TAG = /<(?:antml:)?(?!antml:)(?!(?:think|thinking|function_calls|function_results|invoke|parameter|result|error)[\s/>])[A-Za-z_\u0080-\uffff]/

describe('any text, cut anywhere', () => {
  test('cuts make no difference, nor do spans', () => {
    holds(chunked, ({ text, chunks }) => {
      const whole = read([text])
      assert.deepEqual(joined(read(chunks)), joined(whole))
      assert.deepEqual(joined(read(pieces(text, 1))), joined(whole))
      const lines = render(read([text], { spans: true }), { spans: true })
      const log = read(chunks, { spans: true })
      assert.equal(render(log, { spans: true }), lines)
      assert.equal(withoutSpans(lines), render(whole))
      assertTiled(log, text)
    })
  })

  test('with custom tags too', () => {
    const tags = { artifact: { type: 'own1', children: { action: { type: 'own2', visible: false, children: { artifact: { type: 'own3' } } }, mention: { type: 'own4' } } }, mention: { type: 'own5' }, b: { type: 'own6' } }
    holds(chunkedOwn, fc.constantFrom('parse', 'text'), ({ text, chunks }, fences) => {
      const options = { tags, fences }
      const whole = read([text], options)
      assert.deepEqual(joined(read(chunks, options)), joined(whole))
      assert.deepEqual(joined(read(pieces(text, 1), options)), joined(whole))
      const log = read(chunks, { ...options, spans: true })
      assertTiled(log, text)
      assert.equal(withoutSpans(render(log, { spans: true })), render(whole))
    })
  })

  test('cuts make no difference to elements', () => {
    holds(chunked, ({ text, chunks }) => {
      const whole = readElements([text])
      assert.deepEqual(joined(readElements(chunks)), joined(whole))
      render(whole, { face: 'elements' })
    })
  })

  test('visible text is the same where nobody hears of calls, which are read past then', async () => {
    const text = async (chunks, options) => {
      let all = ''
      for await (const piece of visibleText(chunks, options)) all += piece
      return all
    }
    const options = fc.record({ stopSequences: fc.constantFrom([], ['lice', '<b>', 'a']), stopIn: fc.constantFrom('text', 'anywhere'), fences: fc.constantFrom('text', 'parse'), unopenedThinking: fc.constantFrom('ignore', 'report') })
    await fc.assert(
      fc.asyncProperty(chunked, options, async ({ text: whole, chunks }, given) => {
        const heard = await text([whole], { ...given, onBlock: () => {} })
        assert.equal(await text(chunks, given), heard)
        assert.equal(await text(chunks, { ...given, onBlock: () => {} }), heard)
      }),
      { numRuns: 2_000 },
    )
  })

  test('the blocks are those of a second reading', () => {
    holds(chunked, ({ text, chunks }) => {
      const { lines, visible, changes, isSure } = naive(text)
      fc.pre(changes <= MOST_CHANGES && isSure)
      const log = read(chunks)
      assert.equal(render(log), lines)
      assert.equal(visibleOf(log), visible)
    })
  })

  test('long texts too, where one chunk makes more records than one call returns', () => {
    const long = fc.array(piece, { minLength: 400, maxLength: 1_500, size: 'max' }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(long, fc.array(fc.nat(20_000), { maxLength: 6 }), (text, places) => {
        const chunks = cutAt(text, places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b))
        const log = read([text], { spans: true })
        assertTiled(log, text)
        const lines = render(log, { spans: true })
        assert.equal(render(read(chunks, { spans: true }), { spans: true }), lines)
        assert.equal(render(read(pieces(text, 1))), withoutSpans(lines))
        const { lines: second, changes, isSure } = naive(text)
        if (changes <= MOST_CHANGES && isSure) assert.equal(withoutSpans(lines), second)
      }),
      { numRuns: 60 },
    )
  })

  test('only possible markup is pending', () => {
    holds(chunked, ({ text, chunks }) => {
      let out = 0
      const parser = new BlockParser({
        spans: true,
        onChunk: (_, { span }) => (out = Math.max(out, span[1])),
        onMarkup: (_, { span }) => (out = Math.max(out, span[1])),
      })
      let fed = 0
      for (const chunk of chunks) {
        parser.processChunk(chunk)
        fed += chunk.length
        // Half a character waits for the other half. Of several, how many wait depends on the cut.
        const { heldFrom, changes } = naive(text.slice(0, fed).replace(/[\uD800-\uDBFF]$/, ''))
        if (/[\uD800-\uDBFF]{2}$/.test(text.slice(0, fed))) continue
        if (heldFrom !== undefined && changes <= MOST_CHANGES) assert.equal(out, heldFrom, `of ${JSON.stringify(text.slice(0, fed))}`)
      }
    })
  })

  test('the input of a call is the JSON of its chunks, for any declared tools', () => {
    const tools = { f: { properties: { p: { type: 'string' }, q: { type: 'object' } } } }
    holds(chunked, ({ text, chunks }) => {
      const log = read(chunks, { tools })
      assert.equal(render(log), render(read([text], { tools })))
      // A declared string is emitted as written, and an element with its name is a parameter; nothing else may change.
      // In thinking any element after a call's tag says that a call begins.
      if (/<[pq][\s/>]/.test(text) || (/<(?:antml:)?think/.test(text) && OTHER_TAG.test(text))) return
      assert.equal(log.filter(({ event }) => event === 'block_start').length, read([text]).filter(({ event }) => event === 'block_start').length)
    })
  })

  test('white space at the ends of values stays when it is not trimmed', () => {
    holds(fc.tuple(words, words).map(([a, b]) => `x${a}<${b}`), fc.array(fc.nat(60), { maxLength: 4 }), (written, places) => {
      const text = `<invoke name="f"><parameter name="p">${written}</parameter></invoke>`
      fc.pre(!written.includes('</'))
      const chunks = cutAt(text, places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b))
      assert.deepEqual(blocksOf(read(chunks, { trimParameters: false })), [{ type: 'tool_call', toolId: 'id_0', toolName: 'f', input: { p: written } }])
      assert.deepEqual(blocksOf(read(chunks))[0].input, { p: written.trim() })
    })
  })

  test('values come back that were written as JSON', () => {
    holds(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }), cuts, (input, places) => {
      const values = Object.entries(input).map(([key, member]) => `<parameter name="${key}">${JSON.stringify(member).replaceAll('</parameter', '<\\/parameter')}</parameter>`)
      const text = `<function_calls><invoke name="f">${values.join('\n')}</invoke></function_calls>`
      fc.pre(!Object.values(input).some((member) => typeof member === 'number' && /^\d{16,}$/.test(JSON.stringify(member))))
      const chunks = cutAt(text, places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b))
      assert.deepEqual(blocksOf(read(chunks)), [{ type: 'tool_call', toolId: 'id_0', toolName: 'f', input: JSON.parse(JSON.stringify(input)) }])
    })
  })

  test('results come back that were escaped', () => {
    const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    holds(words, words, cuts, (content, id, places) => {
      const text = `<function_results><result tool_use_id="${escape(id).replaceAll('"', '&quot;')}">${escape(content)}</result></function_results>`
      const chunks = cutAt(text, places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b))
      assert.deepEqual(blocksOf(read(chunks)), [{ type: 'tool_result', content, toolId: id }])
      assert.equal(decode(escape(content)), content)
    })
  })
})

describe('prefill', () => {
  /** The log of chunks after a prefill. */
  const emitted = (pushed, chunks) => {
    const parser = new BlockParser({ generateId: counter() })
    for (const part of pushed) parser.push(part)
    const emissions = [...chunks.flatMap((chunk) => parser.processChunk(chunk).emissions), ...parser.flush().emissions]
    assert.equal(parser.getAccumulated(), [...pushed, ...chunks].join(''))
    return logOf(emissions)
  }

  test('indices, depths and text go on after any prefill, at any cut', () => {
    holds(markup, chunked, (before, { text, chunks }) => assert.equal(render(emitted([before], chunks)), render(emitted([before], [text]))))
  })

  test('a prefill may be pushed in pieces', () => {
    holds(chunked, markup, ({ text: before, chunks: parts }, text) => assert.deepEqual(joined(emitted(parts, [text])), joined(emitted([before], [text]))))
  })

  test('white space after a prefill that is read again, in stretches of any length', () => {
    const emitted = (length) => {
      const parser = new BlockParser({ generateId: counter() })
      parser.push(`<thinking a='<function_calls>${'a'.repeat(length)}`)
      const emissions = [...parser.processChunk('\n{').emissions, ...parser.flush().emissions]
      return emissions.filter(({ kind }) => kind === 'content').map(({ text }) => text)
    }
    for (let length = 1; length < 1_200; length++) assert.deepEqual(emitted(length), ['{'], `${length} units`)
  })

  test('elements: depths after a prefill are those after reading it', () => {
    holds(chunked, ({ text, chunks }) => {
      const pushed = new IncrementalXmlParser()
      for (const chunk of chunks) assert.deepEqual(pushed.push(chunk), [])
      const fed = new IncrementalXmlParser()
      fed.processChunk(text)
      assert.deepEqual(pushed.getDepths(), fed.getDepths())
      assert.equal(pushed.getContext(), fed.getContext())
      assert.equal(pushed.getAccumulated(), text)
      assert.equal(pushed.getCurrentBlockType(), fed.getCurrentBlockType())
    })
  })
})
