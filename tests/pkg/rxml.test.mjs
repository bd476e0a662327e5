// rxml: the cases of tests/cases/rxml, what is true of any text and any value, what
// misuse gives, and that large texts are read in linear time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { thinned } from './support/cuts.mjs'
import fc from './support/property.mjs'
import { RXML, RXMLCoercionError, RXMLDuplicateStringTagError, RXMLParseError, RXMLStringifyError, rxml } from 'tokenweir/ai-sdk-tool-parser'
import { judgeRxml, rxmlCaseFiles } from './support/rxml-cases.mjs'

const { parse, stringify } = RXML
const files = rxmlCaseFiles()
const all = files.flatMap(([, cases]) => cases)
const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 3_000 })
const object = (properties, more = {}) => ({ type: 'object', properties, ...more })
const string = { type: 'string' }
const number = { type: 'number' }

for (const [file, cases] of files) {
  describe(file, () => {
    for (const each of cases) test(each.name, () => judgeRxml(each))
  })
}

test('there are cases, each with a name of its own', () => {
  assert.ok(all.length > 130)
  for (const [file, cases] of files) assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, file)
})

test('the judge finds other values, orders, texts and errors', () => {
  const each = (name) => all.find((one) => one.name === name)
  for (const [name, other] of [
    ['string', { value: '{"a":1}' }],
    ['string', { value: undefined, error: 'RXMLParseError', message: '' }],
    ['order-of-first-appearance', { value: '{"a":"2","b":["1","3"]}' }],
    ['string-twice', { error: 'RXMLParseError' }],
    ['string-twice', { message: 'other' }],
    ['string-twice', { error: undefined, value: '{"a":"x"}' }],
    ['formatted', { text: '<add/>' }],
    ['key-that-is-no-name', { error: 'RXMLParseError' }],
  ]) assert.throws(() => judgeRxml({ ...each(name), ...other }), undefined, `${name}: ${JSON.stringify(other)}`)
  // A parser that knows no schema.
  const naive = { parse: (text) => parse(text) }
  assert.ok(all.filter((one) => one.input !== undefined && isRefused(() => judgeRxml(one, naive))).length > 60)
})

function isRefused(act) {
  try {
    act()
    return false
  } catch {
    return true
  }
}

describe('what parse takes', () => {
  test('options that do not exist are refused by name, with those that do', () => {
    assert.throws(() => parse('<a/>', {}, { maxReparses: 2 }), { name: 'TypeError', message: 'parse has no option "maxReparses"; it takes throwOnDuplicateStringTags, onError, repair, textNodeName, noChildNodes, keepWhitespace' })
    assert.throws(() => parse('<a/>', {}, { keepComments: true }), TypeError)
  })

  test('options of wrong types are refused', () => {
    for (const options of [null, [], 'repair', { repair: 1 }, { throwOnDuplicateStringTags: 'no' }, { onError: {} }, { textNodeName: 1 }, { noChildNodes: 'br' }, { noChildNodes: [1] }, { keepWhitespace: 0 }]) {
      assert.throws(() => parse('<a/>', {}, options), TypeError, JSON.stringify(options))
    }
  })

  test('a text that is not a string is refused', () => {
    assert.throws(() => parse(undefined), { name: 'TypeError', message: 'parse takes a string, but got undefined' })
  })

  test('a schema in the wrapper of the AI SDK', () => {
    assert.deepEqual(parse('<a><b>1</b></a><c>2</c>', { jsonSchema: object({ a: string, c: number }) }), { a: '<b>1</b>', c: 2 })
  })

  test('an onError that is undefined', () => {
    assert.deepEqual(parse('<a>1</a>', object({ a: number }), { onError: undefined, repair: undefined }), { a: 1 })
  })
})

describe('errors', () => {
  test('have classes, names, places and causes', () => {
    const error = caught(() => parse('<a>\n  <b>1</c>', object({ a: object({}) })))
    assert.ok(error instanceof RXMLParseError && error instanceof Error)
    assert.deepEqual([error.name, error.line, error.column], ['RXMLParseError', 2, 7])
    const repeated = caught(() => parse('<a>x</a><a>y</a>', object({ a: string }), { repair: true }))
    assert.ok(repeated instanceof RXMLParseError)
    assert.ok(repeated.cause instanceof RXMLDuplicateStringTagError)
    assert.equal(repeated.line, undefined)
  })

  test('can be made as those of the reference', () => {
    const cause = new Error('x')
    assert.deepEqual({ ...new RXMLParseError('m', cause, 1, 2) }, { name: 'RXMLParseError', line: 1, column: 2 })
    assert.equal(new RXMLParseError('m', cause).cause, cause)
    assert.equal(new RXMLCoercionError('m', cause).cause, cause)
    assert.equal(new RXMLStringifyError('m', cause).cause, cause)
    assert.equal(new RXMLDuplicateStringTagError('m').name, 'RXMLDuplicateStringTagError')
  })

  test('512 elements inside each other are read, more are an error', () => {
    const nested = (depth) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
    let value = parse(nested(512))
    for (let depth = 0; depth < 512; depth++) value = value.a
    assert.equal(value, '')
    for (const options of [{}, { repair: true }]) {
      const error = caught(() => parse(`\n${nested(513)}`, undefined, options))
      assert.deepEqual([error.name, error.line, error.column], ['RXMLParseError', 2, 512 * 3 + 1])
    }
  })

  test('JSON that is nested too deeply is text', () => {
    const json = '['.repeat(600) + ']'.repeat(600)
    assert.deepEqual(parse(`<a>${json}</a>`, object({ a: { type: 'array', items: {} } })), { a: [json] })
  })

  test('lists of objects in lists are levels too, and too many of them an RXMLCoercionError', () => {
    const nested = (depth) => '<a>1</a><a>'.repeat(depth) + '</a>'.repeat(depth)
    assert.equal(isRefused(() => parse(nested(255))), false)
    const error = caught(() => parse(nested(300)))
    assert.ok(error instanceof RXMLCoercionError)
    assert.ok(error.cause instanceof RangeError)
  })
})

function caught(act) {
  try {
    act()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}

describe('onError', () => {
  const heard = (text, schema, options) => {
    const calls = []
    const value = parse(text, schema, { ...options, onError: (...call) => calls.push(call) })
    return { value, calls }
  }

  test('hears of strings that were passed over', () => {
    const { value, calls } = heard('<a>x</a><a>y</a><a>z</a>', object({ a: string }), { throwOnDuplicateStringTags: false })
    assert.deepEqual(value, { a: 'x' })
    assert.deepEqual(calls, Array(2).fill(['Duplicate string tags for <a> detected; the first counts', { tag: 'a' }]))
  })

  test('hears of what was repaired, with its place', () => {
    const { calls } = heard('<o>1 < 2\n<b>1</c></o></p><q', object({ o: object({ b: number }) }), { repair: true })
    assert.deepEqual(
      calls.map(([message, { line, column }]) => `${message} ${line}:${column}`),
      ['Repaired XML: a `<` that begins no tag 1:6', 'Repaired XML: a closing tag that nothing opened 2:5', 'Repaired XML: <b> is not closed 2:1', 'Repaired XML: a closing tag that nothing opened 2:13', 'Repaired XML: the text ends in a tag 2:17'],
    )
  })

  test('hears nothing of what is well-formed', () => {
    assert.deepEqual(heard('<a>x<br>y</a><!-- < --><?x <?>', object({ a: object({}) }), { repair: true }).calls, [])
  })
})

describe('coercion of XML in strings', () => {
  const schema = object({ o: object({ a: number, s: string, l: { type: 'array', items: number } }) })
  const read = (inner) => parse(`<o><![CDATA[${inner}]]></o>`, schema).o

  test('elements from end to end are an object', () => {
    assert.deepEqual(read('\n<a>1</a> <s><i>x</i></s><!-- c --><l><item>1</item></l>\n'), { a: 1, s: '<i>x</i>', l: [1] })
  })

  test('anything else is text', () => {
    for (const text of ['x <a>1</a>', '<a>1</a> x', '<a>1', '<a>1</b></a>', '<a>1</a></o>', '<!-- c -->', '<a', '<a>1 < 2</a>']) assert.equal(read(text), text)
  })

  test('escaped elements are read as those in CDATA', () => {
    assert.deepEqual(parse('<o>&lt;a&gt;2&lt;/a&gt;</o>', schema), { o: { a: 2 } })
  })
})

describe('stringify', () => {
  test('options that do not exist are refused by name, with those that do', () => {
    assert.throws(() => stringify('a', {}, { indent: 2 }), { name: 'TypeError', message: 'stringify has no option "indent"; it takes format, suppressEmptyNode, minimalEscaping, strictBooleanAttributes, declaration' })
    assert.throws(() => stringify('a', {}, { format: 1 }), TypeError)
    assert.throws(() => stringify(1, {}), TypeError)
  })

  test('values that JSON does not have', () => {
    assert.equal(stringify('r', { u: undefined, n: NaN, b: 12345678901234567890n, d: new Date(0), s: new String('x'), k: [undefined, 1] }, { format: false }), '<r><u/><n>NaN</n><b>12345678901234567890</b><d>1970-01-01T00:00:00.000Z</d><s>x</s><k/><k>1</k></r>')
    assert.equal(stringify('r', undefined), '<r/>')
    assert.equal(stringify('r', 'a<b'), '<r>a&lt;b</r>')
    for (const value of [() => 1, Symbol('x')]) assert.throws(() => stringify('r', { value }), RXMLStringifyError)
  })

  test('a value that contains itself is an error, one that occurs twice is not', () => {
    const twice = { x: 1 }
    assert.equal(stringify('r', { a: twice, b: [twice, twice] }, { format: false }), '<r><a><x>1</x></a><b><x>1</x></b><b><x>1</x></b></r>')
    const circle = {}
    circle.list = [1, [circle]]
    assert.throws(() => stringify('r', circle), RXMLStringifyError)
  })

  test('512 elements inside each other are written, more are an error', () => {
    const nested = (depth) => Array.from({ length: depth - 1 }).reduce((inner) => ({ a: inner }), 'x')
    assert.deepEqual(parse(stringify('a', nested(512))), { a: nested(512) })
    assert.throws(() => stringify('a', nested(514)), { name: 'RXMLStringifyError', message: 'more than 512 levels' })
    let list = []
    for (let depth = 0; depth < 10_000; depth++) list = [list]
    assert.throws(() => stringify('a', list), RXMLStringifyError)
  })
})

test('RXML and rxml are the two functions', () => {
  assert.deepEqual(RXML, { parse, stringify })
  assert.equal(rxml, RXML)
})

/** Text with everything in it that means something. */
const pieces = fc.oneof(
  fc.constantFrom('<', '>', '</', '/>', '&', '&amp;', '&#', '&#x41;', ';', '<![CDATA[', ']]>', '<!--', '-->', '<?', '?>', '<!', '"', "'", '=', ' ', '\n', '\r'),
  fc.constantFrom('<a>', '</a>', '<b>', '</b>', '<s>', '</s>', '<item>', '</item>', '<l>', '</l>', '<0>', '</0>', '<1>', '</1>', '<br>', '<o k="v">', '</o>', '<o/>', '</ s>', '</s >', '<__proto__>', '</__proto__>'),
  fc.constantFrom('1', '007', 'true', 'null', '1e999', '[1, 2]', '{"a": 1}', "{'a':", 'x, y', '12345678901234567890', '🙂', '\ud83d', '水'),
  fc.string({ maxLength: 4, unit: 'binary' }),
)
const texts = fc.array(pieces, { maxLength: 24, size: 'max' }).map((parts) => parts.join(''))
const schemas = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, fc.constantFrom(undefined, true, false, {}, string, number, { type: 'integer' }, { type: 'boolean' }, { type: ['string', 'null'] }, { type: ['number', 'null'] }, { enum: ['x', 'y', 1] }, { $ref: '#' }, { $ref: '#/properties/a' }, { type: 'object' }, { type: 'array' }), tie('object'), tie('array'), tie('union')),
  object: fc.record({ type: fc.constant('object'), properties: fc.dictionary(fc.constantFrom('a', 'b', 's', 'l', 'o', 'item', '0', '__proto__'), tie('any'), { maxKeys: 4 }), additionalProperties: fc.constantFrom(undefined, true, false, string), required: fc.constantFrom(undefined, ['a'], ['s']) }, { requiredKeys: ['type'] }),
  array: fc.record({ type: fc.constant('array'), items: tie('any'), prefixItems: fc.array(tie('any'), { maxLength: 2 }) }, { requiredKeys: ['type'] }),
  union: fc.record({ anyOf: fc.array(tie('any'), { maxLength: 3 }) }),
}))

/** Elements that are well-formed. */
const elements = fc.letrec((tie) => ({
  content: fc.array(fc.oneof({ maxDepth: 4, depthSize: 'medium' }, fc.constantFrom('x', ' ', '1', 'true', '&lt;', '<![CDATA[<s>]]>', '<!-- c -->'), tie('element')), { maxLength: 4 }).map((parts) => parts.join('')),
  element: fc.tuple(fc.constantFrom('a', 'b', 's', 'l', 'o', 'item', '0', '1', '__proto__'), fc.constantFrom('', ' k="v"', ' k'), tie('content')).map(([name, attributes, content]) => `<${name}${attributes}>${content}</${name}>`),
}))

describe('any text', () => {
  const isKnown = (error) => error instanceof RXMLParseError || error instanceof RXMLDuplicateStringTagError || error instanceof RXMLCoercionError

  /** Throws unless parse gives a value of JSON, or one of its errors. */
  function check(text, schema, options) {
    try {
      JSON.stringify(parse(text, schema, options))
      return true
    } catch (error) {
      if (!isKnown(error)) throw error
      if (options.repair === true && !(error instanceof RXMLParseError)) throw error
      return false
    }
  }

  test('throws nothing but the errors of rxml', () => {
    const options = fc.record({ repair: fc.boolean(), throwOnDuplicateStringTags: fc.boolean(), keepWhitespace: fc.boolean() }, { requiredKeys: [] })
    let read = 0
    holds(fc.oneof(texts, elements.content), fc.oneof(schemas.any, schemas.object), options, (text, schema, chosen) => {
      if (check(text, schema, chosen)) read++
    })
    assert.ok(read > thinned(500), `only ${read} were read`)
  })

  test('that is well-formed is read without repair, and the same with it', () => {
    const outcome = (text, schema, options) => {
      try {
        return JSON.stringify(parse(text, schema, options))
      } catch (error) {
        return error instanceof RXMLDuplicateStringTagError || error.cause instanceof RXMLDuplicateStringTagError ? 'twice' : `${error}`
      }
    }
    holds(elements.content, (text) => assert.doesNotThrow(() => parse(text)))
    holds(elements.content, schemas.object, (text, schema) => {
      const first = outcome(text, schema, {})
      if (first[0] === '{') assert.equal(outcome(text, schema, { repair: true }), first)
    })
  })

  test('in a string comes back as it was written', () => {
    holds(texts.filter((text) => !/[&\ud800-\udfff]|<s[\s/>]|<!\[CDATA\[|<\/\s*s\s*>/.test(text)), (text) => {
      assert.deepEqual(parse(`<n>1</n><s>${text}</s>`, object({ s: string, n: number })), { n: 1, s: text })
    })
  })
})

describe('what stringify writes', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', 'item', 's', '__proto__', 'constructor', 'br', 'x-y.z', '水'), fc.stringMatching(/^[a-z_][a-z0-9_-]{0,6}$/))
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', ' x ', '\n', '<b>', '</a>', '&amp;', '&', ']]>', '<![CDATA[x]]>', '1', 'true', 'null', 'a, b', '[1]', '"', "'", '<!-- c -->'))
  const finite = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((value) => value + 0 || 0)
  /** A value with a schema that fits it. */
  const typed = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, tie('scalar'), tie('scalar'), tie('list'), tie('object')),
    scalar: fc.oneof(text.map((value) => [value, string]), finite.map((value) => [value, number]), fc.boolean().map((value) => [value, { type: 'boolean' }])),
    list: fc.oneof(
      fc.array(text, { maxLength: 4 }).map((value) => [value, { type: 'array', items: string }]),
      fc.array(finite, { maxLength: 4 }).map((value) => [value, { type: 'array', items: number }]),
      fc.array(fc.tuple(text, finite), { maxLength: 3 }).map((rows) => [rows.map(([s, n]) => ({ s, n })), { type: 'array', items: object({ s: string, n: number }, { required: ['s', 'n'] }) }]),
    ),
    object: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 4 }).map((fields) => [mapped(fields, ([value]) => value), object(mapped(fields, ([, schema]) => schema), { additionalProperties: false })]),
  }))
  const mapped = (fields, pick) => {
    const result = {}
    for (const key of Object.keys(fields)) Object.defineProperty(result, key, { value: pick(fields[key]), enumerable: true, writable: true, configurable: true })
    return result
  }

  test('parse reads back, by a schema that fits', () => {
    holds(typed.object, fc.record({ format: fc.boolean(), minimalEscaping: fc.boolean(), declaration: fc.boolean() }), ([value, schema], options) => {
      assert.equal(JSON.stringify(parse(stringify('call-of-all', value, options), schema)), JSON.stringify(value))
    })
  })

  test('parse reads back without a schema, where all are strings', () => {
    const tree = fc.letrec((tie) => ({ node: fc.oneof({ maxDepth: 4 }, text.filter((value) => value === value.trim()), fc.dictionary(name.filter((key) => key !== 'item'), tie('node'), { minKeys: 1, maxKeys: 3 })) }))
    holds(tree.node, (value) => assert.equal(JSON.stringify(parse(stringify('r', value))), JSON.stringify({ r: value })))
  })

  test('is read whatever the value was', () => {
    holds(fc.jsonValue({ maxDepth: 6 }), (value) => {
      let written
      try {
        written = stringify('r', value)
      } catch (error) {
        assert.ok(error instanceof RXMLStringifyError, `${error}`)
        return
      }
      assert.doesNotThrow(() => parse(written))
    })
  })
})

describe('linear time', () => {
  const deep = (depth) => {
    let schema = { type: 'object', properties: { n: number } }
    for (let level = 0; level < depth; level++) schema = { anyOf: [schema, { type: 'object', properties: { n: string, o: schema } }] }
    return schema
  }
  const row = object({ id: number, name: string, tags: { type: 'array', items: string } })
  for (const [name, text, schema, options] of [
    ['one long string', (n) => `<s>${'x <b> & '.repeat(n)}</s>`, object({ s: string })],
    ['a string of what closes others', (n) => `<s>${'</a>'.repeat(n)}</s>`, object({ s: string })],
    ['rows', (n) => `<l>${'<item><id>1</id><name>x</name><tags>a</tags><tags>b</tags></item>'.repeat(n / 8)}</l>`, object({ l: { type: 'array', items: row } })],
    ['rows that are repeated', (n) => '<l><id>1</id><name>x</name></l>'.repeat(n / 4), object({ l: { type: 'array', items: row } })],
    ['rows without a schema', (n) => `<l>${'<item><id>1</id></item>'.repeat(n / 4)}</l>`, undefined],
    ['rows of a union', (n) => `<l>${'<item><k>y</k><w>1</w></item>'.repeat(n / 8)}</l>`, object({ l: { type: 'array', items: { oneOf: [object({ k: { const: 'x' }, v: number }), object({ k: { const: 'y' }, w: string })] } } })],
    ['loose `<`', (n) => `<o>${'< '.repeat(n)}</o>`, object({ o: object({}) }), { repair: true }],
    ['loose `<` that is heard', (n) => `<o>${'\n< '.repeat(n)}</o>`, object({ o: object({}) }), { repair: true, onError() {} }],
    ['what is never closed', (n) => '<a><b>1</a>'.repeat(n / 4), object({ a: { type: 'array', items: object({ b: number }) } }), { repair: true }],
    ['strings that are never closed', (n) => `<a>1${'<s>2</s>'.repeat(n / 4)}`, object({ a: string, s: { type: 'array', items: string } }), { repair: true }],
    ['many names', (n) => Array.from({ length: n / 8 }, (_, at) => `<n${at}>1</n${at}>`).join(''), object({ z: number })],
    ['many attributes', (n) => `<a ${Array.from({ length: 200 }, (_, at) => `k${at}="v"`).join(' ')}/>`.repeat(n / 1_000), undefined],
    ['unions in unions', (n) => '<o>'.repeat(12) + '<n>1</n>'.repeat(n / 8) + '</o>'.repeat(12), object({ o: deep(12) })],
    ['depth', (n) => `${'<a>'.repeat(500)}${'<b>1</b>'.repeat(n / 8)}${'</a>'.repeat(500)}`, undefined],
    ['places of a tuple', (n) => `<t>${Array.from({ length: n / 8 }, (_, at) => `<${at}>1</${at}>`).join('')}</t>`, object({ t: { type: 'array', items: number } })],
  ]) {
    test(name, () => {
      const time = (text) => {
        const start = performance.now()
        try {
          parse(text, schema, options)
        } catch (error) {
          if (!(error instanceof RXMLParseError)) throw error
        }
        return performance.now() - start
      }
      const [small, large] = [text(8_000), text(128_000)]
      let least = Infinity
      let most = Infinity
      // Sixteen times the text; quadratic would be 256 times the time, however often. Below a few milliseconds the clock says little.
      const isLinear = () => most < 80 * Math.max(least, 2)
      for (let run = 0; run < 8 && !isLinear(); run++) {
        least = Math.min(least, time(small))
        most = Math.min(most, time(large))
      }
      assert.ok(isLinear(), `${least.toFixed(1)} ms, sixteen times as much ${most.toFixed(1)} ms`)
    })
  }
})
