// What holds for any document and any text, in any cut. fast-check prints the
// seed and the smallest failing text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { StreamingJSONParser, parsePartial } from 'tokenweir/fields'
import { pieces, withEmpty } from './support/cuts.mjs'
import { naiveChunks, emittedOf } from './support/field-naive.mjs'
import { stepsOf, valueAt } from './support/field-paths.mjs'
import { folded, readFields } from './support/field-reading.mjs'
import { assertFieldsTiled, renderFields, withoutFieldSpans } from './support/field-render.mjs'
import { any, cut, cuts, garbage, setup, tidy } from './support/field-texts.mjs'

const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 2_500 })

/** JSON.stringify, which also distinguishes trees by the order of their keys. */
const inOrder = (value) => JSON.stringify(value)

describe('any JSON document, cut anywhere', () => {
  test('data equals the result of JSON.parse', () => {
    holds(any.container, cuts, (text, places) => {
      const { parser } = readFields(cut(text, places))
      const value = JSON.parse(text)
      assert.deepEqual(parser.data, value)
      assert.equal(inOrder(parser.data), inOrder(value))
      const { documents, isComplete, resets, errors, tolerated } = parser.report
      assert.deepEqual({ documents, isComplete, resets, errors: { ...errors }, tolerated: [...tolerated] }, { documents: 1, isComplete: true, resets: 0, errors: {}, tolerated: [] })
    })
  })

  test('strict gives the same events', () => {
    holds(any.container, cuts, (text, places) => {
      const strict = readFields(cut(text, places), { options: { strict: true } })
      assert.equal(renderFields(strict.log), renderFields(readFields([text]).log))
      assert.deepEqual(strict.parser.data, JSON.parse(text))
    })
  })

  test('the events keep to the protocol, and the cut makes no difference', () => {
    holds(any.container, cuts, (text, places) => {
      const options = { spans: true }
      const lines = renderFields(readFields([text], { options }).log, options)
      for (const chunks of [cut(text, places), pieces(text, 1), withEmpty(cut(text, places))]) {
        const { log } = readFields(chunks, { options })
        assert.equal(renderFields(log, options), lines)
        assertFieldsTiled(log, text)
        assert.equal(renderFields(readFields(chunks).log), withoutFieldSpans(lines))
      }
    })
  })

  test('each event comes with the chunk that decides it, in the order of a second reading', () => {
    holds(tidy.container, cuts, (text, places) => {
      for (const chunks of [cut(text, places), pieces(text, 1)]) {
        const parser = new StreamingJSONParser()
        const emitted = chunks.map((chunk) => emittedOf(parser.parseChunk(chunk)))
        assert.deepEqual(emitted, naiveChunks(text, chunks))
        assert.deepEqual(parser.finalize(), [])
      }
    })
  })

  test('the events alone are enough to build the document', () => {
    holds(any.container, cuts, (text, places) => {
      const { log } = readFields(cut(text, places))
      const value = JSON.parse(text)
      assert.deepEqual(folded(log, stepsOf) ?? (Array.isArray(value) ? [] : {}), value)
    })
  })

  test('no delta parts a pair of surrogates', () => {
    holds(any.container, (text) => {
      const last = new Map()
      for (const { eventType, path, delta, replaced } of readFields(pieces(text, 1)).log) {
        if (eventType !== 'delta' || typeof delta !== 'string' || replaced) continue
        assert.ok(!(/[\ud800-\udbff]$/.test(last.get(path) ?? '') && /^[\udc00-\udfff]/.test(delta)), path)
        last.set(path, delta)
      }
    })
  })

  test('a path is written in both styles, with the same indexes', () => {
    holds(tidy.container, (text) => {
      const { log } = readFields([text])
      const slash = new StreamingJSONParser(undefined, { pathStyle: 'slash' }).parseChunk(text)
      assert.equal(slash.length, log.length)
      for (const [at, { path, indexes, eventType }] of log.entries()) {
        const steps = stepsOf(path)
        const pointer = steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
        const wildcard = steps.map((step) => `/${typeof step === 'number' ? '[*]' : step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
        assert.deepEqual([slash[at].path, slash[at].wildcardPath, slash[at].eventType, [...slash[at].indexes]], [pointer, wildcard, eventType, [...indexes]])
        assert.notEqual(valueAt(log[at].fullData, steps), undefined)
      }
    })
  })

  test('snapshots are copies that never change', () => {
    holds(tidy.container, cuts, (text, places) => {
      const parser = new StreamingJSONParser(undefined, { snapshot: true })
      const seen = []
      for (const chunk of cut(text, places)) for (const event of parser.parseChunk(chunk)) seen.push([event, inOrder(event.fullData), inOrder(event.value)])
      const { log } = readFields(cut(text, places))
      assert.equal(seen.length, log.length)
      for (const [at, [event, fullData, value]] of seen.entries()) {
        assert.equal(inOrder(event.fullData), fullData)
        assert.equal(inOrder(event.value), value)
        assert.equal(event.path, log[at].path)
        assert.deepEqual(valueAt(event.fullData, stepsOf(event.path)), event.value)
        if (at > 0) assert.notEqual(event.fullData, seen[at - 1][0].fullData)
        // Neither is part of the parser's tree, or of the other.
        if (typeof event.value !== 'object' || event.value === null) continue
        for (const root of [event.fullData, parser.data]) assert.notEqual(event.value, valueAt(root, stepsOf(event.path)))
      }
    })
  })

  test('several documents are emitted one by one', () => {
    // An empty one in prose may be prose.
    const document = fc.oneof(tidy.value.map((value) => `{"d":${value}}`), tidy.value.map((value) => `["d",${value}]`))
    holds(fc.array(fc.tuple(document, fc.constantFrom('', '\n', ' ', ' and ')), { minLength: 1, maxLength: 4 }), cuts, (parts, places) => {
      const text = parts.flat().join('')
      const options = { multiple: true }
      const { log, parser } = readFields(cut(text, places), { options })
      assert.deepEqual(parser.documents, parts.map(([document]) => JSON.parse(document)))
      assert.equal(parser.report.documents, parts.length)
      assert.equal(renderFields(log, options), renderFields(readFields([text], { options }).log, options))
    })
  })
})

describe('a document in prose', () => {
  // It starts with a word: a number in brackets at the start would be emitted, and withdrawn.
  const prose = fc.array(
    fc.constantFrom('It', "'s ", ' "', '" ', ' [1] ', ' [23], ', '[x]', '[ ]', '[]', '{}', '{x}', '{{y}}', ' {1, 2} ', ' { to open ', ' } ', ' ] ', '(a)', '\n', ': ', '🙂', ' // ', ' /* ', ' */ ', '\\', '`code`', 'é', ', ', 'null ', '-1', '\ud83d', '<b>', '</b>', 'http://x.y/{id}'),
    { maxLength: 12 },
  ).map((parts) => `So${parts.join('')}`)
  /** An object whose first key is unlike anything in the prose. */
  const document = fc.tuple(tidy.value, tidy.value).map(([first, second]) => `{"the key":${first},"b":${second}}`)

  for (const [how, schema] of Object.entries({ 'without a schema': undefined, 'with a schema': { type: 'object', properties: { 'the key': {} } } })) {
    test(`is found, ${how}`, () => {
      holds(prose, document, prose, cuts, (before, text, after, places) => {
        const all = `${before}${text}${after}`
        const options = { spans: true }
        const { log, parser } = readFields(cut(all, places), { schema, options })
        const alone = readFields([text], { schema })
        assert.deepEqual(parser.data, JSON.parse(text))
        assert.equal(withoutFieldSpans(renderFields(log, options)), renderFields(alone.log))
        assertFieldsTiled(log, all)
        for (const { eventType, delta, span } of log) {
          if (eventType !== 'delta') continue
          assert.ok(span[0] >= before.length && span[1] <= before.length + text.length, `${JSON.stringify(delta)} is read from the prose`)
        }
        assert.deepEqual(parsePartial(all, { schema }), parser.data)
      })
    })
  }

  test('is found in a fence, regardless of the prose before it', () => {
    holds(prose, tidy.container, prose, fc.constantFrom('json', 'json', 'JSON'), cuts, (before, text, after, label, places) => {
      const example = 'So: {"example":[1,{"x":"y"}]} or\n'
      const all = `${before}${example}${before}\n\`\`\`${label}\n${text}\n\`\`\`\n${after}`
      fc.pre(Object.keys(JSON.parse(text)).length > 0)
      const { log, parser } = readFields(cut(all, places))
      assert.deepEqual(parser.data, JSON.parse(text))
      assert.equal(renderFields(log), renderFields(readFields([all]).log))
      assert.equal(parser.report.resets, 1)
    })
  })

  test('is found after a think block, regardless of its content', () => {
    holds(prose, tidy.container, tidy.container, prose, fc.constantFrom('think', 'thinking'), cuts, (thought, first, text, after, tag, places) => {
      fc.pre(!first.includes('</think>') && Object.keys(JSON.parse(text)).length > 0)
      const all = `<${tag}>${thought}${first}${thought}</${tag}>\n${text}`
      const { log, parser } = readFields(cut(`${all}${after}`, places))
      assert.deepEqual(parser.data, JSON.parse(text))
      assert.equal(renderFields(log), renderFields(readFields([`${all}${after}`]).log))
      assert.equal(parser.report.resets, 0)
    })
  })
})

describe('any text at all', () => {
  test('never throws, keeps to the protocol, and the cut makes no difference', () => {
    fc.assert(
      fc.property(garbage, cuts, setup, (text, places, { schema, options }) => {
        const spans = { ...options, spans: true }
        const whole = readFields([text], { schema, options: spans })
        const lines = renderFields(whole.log, spans)
        assertFieldsTiled(whole.log, text)
        for (const chunks of [cut(text, places), pieces(text, 1), withEmpty(cut(text, places))]) {
          const { log, parser } = readFields(chunks, { schema, options: spans })
          assert.equal(renderFields(log, spans), lines)
          assertFieldsTiled(log, text)
          assert.deepEqual(parser.data, whole.parser.data)
          assert.deepEqual({ ...parser.report }, { ...whole.parser.report })
          const plain = readFields(chunks, { schema, options })
          assert.equal(renderFields(plain.log, options), withoutFieldSpans(lines))
          assert.deepEqual(plain.parser.data, whole.parser.data)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  test('the events alone are enough to rebuild data', () => {
    holds(garbage, (text) => {
      const { log, parser } = readFields([text])
      const built = folded(log, stepsOf)
      if (built !== undefined) assert.deepEqual(parser.data, built)
      else assert.equal(Object.keys(parser.data ?? {}).length, 0)
    })
  })

  test('parsePartial never throws, and equals the data of a parser at the end', () => {
    holds(garbage, setup, (text, { schema, options: { strict, maxDepth } }) => {
      // A parser treats a comment before a value as prose, and looks for documents in it.
      fc.pre(!/^\s*\//.test(text))
      const { parser } = readFields([text], { schema, options: { strict, maxDepth } })
      const value = parsePartial(text, { schema, strict, maxDepth })
      // Only parsePartial reads a text that is a scalar, which may contain something like a document.
      if (value === undefined || (typeof value === 'object' && value !== null)) assert.deepEqual(value, parser.data)
      else assert.match(text, /^\s*["'\-+.\dtfnTFNI/\u00a0]/)
    })
  })
})

describe('a document that is cut', () => {
  /** Whether one value can be the beginning of another: where the text ended in a number, that number may differ. */
  function isFront(part, whole, isOpen, path = '') {
    if (typeof whole === 'string') return typeof part === 'string' && whole.startsWith(part) && (part === whole || isOpen(path))
    if (typeof whole === 'number') return Object.is(part, whole) || (typeof part === 'number' && isOpen(path))
    if (typeof whole !== 'object' || whole === null) return part === whole
    if (typeof part !== 'object' || part === null || Array.isArray(part) !== Array.isArray(whole)) return false
    const keys = Object.keys(part)
    const wholeKeys = Object.keys(whole)
    if (keys.length < wholeKeys.length && path !== '' && !isOpen(path)) return false
    return keys.every((key) => Object.hasOwn(whole, key) && isFront(part[key], whole[key], isOpen, `${path}/${key}`))
  }

  test('contains at any position the emitted values, and a prefix of the whole', () => {
    holds(tidy.container, fc.nat(200), cuts, (text, size, places) => {
      const prefix = text.slice(0, size)
      const options = { pathStyle: 'slash' }
      const parser = new StreamingJSONParser(undefined, options)
      const log = cut(prefix, places).flatMap((chunk) => parser.parseChunk(chunk))
      log.push(...parser.finalize())
      const value = JSON.parse(text)
      assert.deepEqual(parsePartial(prefix), parser.data)
      const open = new Set(log.filter(({ completionSource, isComplete }) => completionSource === 'synthetic_repair' || !isComplete).map(({ path }) => path))
      const unescaped = new Set([...open].map((path) => path.replaceAll('~1', '/').replaceAll('~0', '~')))
      if (parser.data === undefined) assert.ok(log.length === 0)
      else assert.ok(isFront(parser.data, value, (path) => unescaped.has(path)), `${inOrder(parser.data)} of ${inOrder(value)}`)
      renderFields(readFields(cut(prefix, places)).log)
    })
  })

  test('loses nothing that was read: each string, and each value with a boundary', () => {
    holds(tidy.container, fc.nat(200), (text, size) => {
      const prefix = text.slice(0, size)
      const parser = new StreamingJSONParser()
      parser.parseChunk(prefix)
      parser.finalize()
      const [emitted] = naiveChunks(text, [prefix])
      const texts = new Map()
      for (const { path, delta, done } of emitted) {
        if (typeof delta === 'string') texts.set(path, (texts.get(path) ?? '') + delta)
        const expected = done !== undefined ? done : (texts.get(path) ?? delta)
        const found = valueAt(parser.data, stepsOf(path))
        if (typeof expected === 'object' && expected !== null) assert.equal(Array.isArray(found), Array.isArray(expected))
        else if (typeof expected === 'string') assert.ok(typeof found === 'string' && found.startsWith(expected))
        else assert.ok(Object.is(found, expected), path)
      }
    })
  })

  test('grows with the text: an earlier result of parsePartial is a prefix of a later one', () => {
    holds(tidy.container, (text) => {
      let before
      for (let size = 0; size <= text.length; size++) {
        // A number that is cut off before a digit is no value.
        if (/\d[.eE][+-]?$/.test(text.slice(0, size))) continue
        const now = parsePartial(text.slice(0, size))
        assert.ok(before === undefined || isFront(before, now, () => true), `${inOrder(before)}, then ${inOrder(now)}`)
        before = now
      }
      assert.deepEqual(before, JSON.parse(text))
    })
  })
})

describe('limits', () => {
  test('10,000 levels are too deep, and no error', () => {
    for (const [open, close] of [['[', ']'], ['{"a":', '}']]) {
      for (const maxDepth of [1, 512, 4_096]) {
        const text = `${open.repeat(10_000)}1${close.repeat(10_000)}`
        for (const size of [7, 1_000, text.length]) {
          const parser = new StreamingJSONParser(undefined, { maxDepth })
          const log = pieces(text, size).flatMap((chunk) => parser.parseChunk(chunk))
          log.push(...parser.finalize())
          assert.deepEqual(log.filter(({ eventType }) => eventType === 'error').map(({ code }) => code), ['too-deep'])
          assert.equal(log.filter(({ eventType }) => eventType === 'done').length, maxDepth - 1)
          let depth = 0
          for (let at = parser.data; at !== undefined; at = Object.values(at)[0]) depth += 1
          assert.equal(depth, maxDepth)
        }
      }
    }
  })

  test('as many levels as may be are read', () => {
    const text = `${'[{"a":'.repeat(2_048)}"x"${'}]'.repeat(2_048)}`
    const parser = new StreamingJSONParser(undefined, { maxDepth: 4_096 })
    const log = pieces(text, 5).flatMap((chunk) => parser.parseChunk(chunk))
    assert.deepEqual(parser.finalize(), [])
    assert.equal(log.filter(({ eventType }) => eventType === 'done').length, 4_096)
    assert.deepEqual({ ...parser.report.errors }, {})
  })
})
