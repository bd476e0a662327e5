// rjson: the cases of tests/cases/rjson, what is true of any text, what misuse
// gives, and that large texts are read in linear time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { thinned } from './support/cuts.mjs'
import fc from './support/property.mjs'
import { RJSON, RjsonError, parse, rjson, stringify, transform } from 'tokenweir/ai-sdk-tool-parser'
import { judgeRjson, optionsOf, rjsonCaseFiles } from './support/rjson-cases.mjs'

const files = rjsonCaseFiles()
const all = files.flatMap(([, cases]) => cases)
const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 5_000 })

for (const [file, cases] of files) {
  describe(file, () => {
    for (const each of cases) test(each.name, () => judgeRjson(each))
  })
}

test('there are cases, each with a name of its own', () => {
  assert.ok(all.length > 150)
  for (const [file, cases] of files) assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, file)
})

test('the judge finds other values, messages, lines and texts', () => {
  const each = (name) => all.find((one) => one.name === name)
  for (const [name, other] of [
    ['unquoted-key', { value: '{"a":2}' }],
    ['keys-that-are-numbers', { value: '{"1":2,"2":1,"b":"3"}' }],
    ['doubled-comma', { error: 'Unexpected token' }],
    ['doubled-comma', { line: 2 }],
    ['doubled-comma', { error: undefined, value: '[1,2]' }],
    ['unquoted-key', { value: undefined, error: 'Unexpected token', line: 1 }],
    ['missing-comma-tolerant', { warnings: [] }],
    ['missing-comma-tolerant', { obj: '{"a":1}' }],
    ['layout', { transformed: '{}' }],
    ['sorted-keys', { stringified: '{}' }],
  ]) assert.throws(() => judgeRjson({ ...each(name), ...other }), undefined, `${name}: ${JSON.stringify(other)}`)
})

test('messages say what the ones of the reference say', () => {
  for (const { name, error, line } of all) {
    if (error === undefined) continue
    assert.match(error, /^(?:\d+ parse warnings, the first: )?(?:Duplicate key: |Unexpected (?:token|character): .* (?:was|were) expected )/, name)
    assert.ok(error.endsWith(`[line ${line}]`), name)
  }
})

describe('any value', () => {
  const json = fc.jsonValue({ maxDepth: 6, noUnicodeString: false })
  // `-0` is 0 in JSON, and keys that are `__proto__` come too.
  const withProto = fc.oneof(json, fc.tuple(json, json).map(([value, other]) => JSON.parse(`{"__proto__":${JSON.stringify(value)},"b":[{"__proto__":${JSON.stringify(other)}}]}`)))

  test('parse gives it back from the text that JSON.stringify makes', () => {
    holds(withProto, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, undefined, space)
      for (const options of [undefined, { relaxed: false }, { tolerant: true }]) {
        assert.deepEqual(parse(text, options), JSON.parse(text))
        assert.equal(JSON.stringify(parse(text, options)), JSON.stringify(value))
      }
      assert.equal(transform(text), text)
    })
  })

  test('stringify makes the same text for any order of its keys, and JSON.parse gives it back', () => {
    const reversed = (value) => {
      if (Array.isArray(value)) return value.map(reversed)
      if (typeof value !== 'object' || value === null) return value
      return JSON.parse(`{${Object.keys(value).reverse().map((key) => `${JSON.stringify(key)}:${JSON.stringify(reversed(value[key]))}`).join(',')}}`)
    }
    holds(withProto, (value) => {
      const text = stringify(value)
      assert.equal(stringify(reversed(value)), text)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      JSON.parse(text, function (_key, inner) {
        if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !Object.keys(inner).some((key) => String(Number(key)) === key)) assert.deepEqual(Object.keys(inner), Object.keys(inner).sort())
        return inner
      })
    })
  })

  test('a reviver gets what the one of JSON.parse gets', () => {
    holds(withProto, fc.integer({ min: 2, max: 5 }), (value, deleted) => {
      const text = JSON.stringify(value)
      const heard = (read) => {
        const calls = []
        const result = read(text, function (key, inner) {
          calls.push([key, JSON.stringify(inner), JSON.stringify(this)])
          return calls.length % deleted === 0 ? undefined : calls.length % 7 === 0 ? [key] : inner
        })
        return { calls, result }
      }
      assert.deepEqual(heard(parse), heard(JSON.parse))
    })
  })
})

describe('any text', () => {
  const part = fc.constantFrom('{', '}', '[', ']', ',', ':', ' ', '\n', '"a"', '"b', '"', '\\', '\\n', '\\u00e9', '\\q', "'", "'a'", 'a', 'true', 'null', 'tru', '0', '1', '-', '.5', '1.5e3', '01', '//', '/*', '*/', '/', '\ufeff', '\u00a0', '\t', '水', '😀', '\ud83d', '"a":', 'a:', '__proto__:')
  const soup = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
  // Relaxed JSON that is mostly right.
  const space = fc.constantFrom('', '', ' ', '\n', '/*,]}*/', '//x"\n', '\u00a0')
  const word = fc.constantFrom('a', 'b-c', '/x/', '.5', '-', 'tru', 'nul', '\\n', 'a//b', '$_', '+1', '#')
  const string = fc.oneof(fc.string().map((text) => JSON.stringify(text)), fc.constantFrom("'a'", `'it\\'s "x"'`, "''", "'\\\\'", "'水\\u0041'"))
  const { relaxed } = fc.letrec((tie) => ({
    relaxed: fc.oneof({ depthSize: 'small' }, fc.oneof(string, word.map((text) => `${text} `), fc.constantFrom('1', '-0', '007', '1.50', '1e5', '123456789012345678901', 'true', 'false', 'null')), tie('array'), tie('object')),
    array: fc.tuple(fc.array(fc.tuple(space, tie('relaxed'), space), { maxLength: 4 }), fc.constantFrom('', ',', ' , ')).map(([elements, end]) => `[${elements.map((parts) => parts.join('')).join(',')}${elements.length > 0 ? end : ''}]`),
    object: fc.tuple(fc.array(fc.tuple(space, fc.oneof(string, word.filter((text) => !text.includes('/')).map((text) => `${text} `)), tie('relaxed'), space), { maxLength: 4 }), fc.constantFrom('', ',', ' , ')).map(
      ([members, end]) => `{${members.map(([before, key, value, after]) => `${before}${key}:${value}${after}`).join(',')}${members.length > 0 ? end : ''}}`,
    ),
  }))
  const outcome = (read) => {
    try {
      return { value: read() }
    } catch (error) {
      assert.ok(error instanceof SyntaxError, String(error?.stack))
      return { error }
    }
  }

  test('strict is what JSON.parse is, for texts that it reads and texts that it refuses', () => {
    holds(fc.oneof(soup, relaxed, fc.json()), (text) => {
      const [found, expected] = [outcome(() => parse(text, { relaxed: false, duplicate: true })), outcome(() => JSON.parse(text))]
      assert.equal('error' in found, 'error' in expected, found.error?.message)
      assert.deepEqual(found.value, expected.value)
    })
  })

  test('transform gives JSON of what parse gives, in as many lines, and an error where parse does', () => {
    let read = 0
    holds(fc.oneof(soup, relaxed, relaxed), (text) => {
      const [value, json] = [outcome(() => parse(text, { duplicate: true })), outcome(() => transform(text))]
      assert.equal('error' in json, 'error' in value)
      assert.equal(json.error?.message, value.error?.message)
      if (json.error) return
      read++
      assert.deepEqual(JSON.parse(json.value), value.value)
      assert.equal(json.value.split(/[\n\r]/).length, text.split(/[\n\r]/).length)
      // Another time there is nothing left to do.
      assert.equal(transform(json.value), json.value)
    })
    assert.ok(read > thinned(2_000), `only ${read} texts were relaxed JSON`)
  })

  test('tolerant gives the same value for a relaxed text, and for any other an error with what was read', () => {
    holds(fc.oneof(soup, relaxed), (text) => {
      const [plain, tolerant] = [outcome(() => parse(text)), outcome(() => parse(text, { tolerant: true }))]
      assert.equal('error' in tolerant, 'error' in plain)
      if (!plain.error) return assert.deepEqual(tolerant.value, plain.value)
      const { error } = tolerant
      assert.ok(error.warnings.length > 0 && 'obj' in error)
      assert.ok(error.warnings[0].offset <= text.length && error.warnings[0].line <= text.split('\n').length)
      assert.ok(error.warnings.every(({ line }, index) => index === 0 || line >= error.warnings[index - 1].line))
      // It may continue where the other one stopped, before a string or a number that turns out to be invalid.
      const [{ code, offset }] = error.warnings
      assert.ok(offset >= plain.error.offset)
      if (offset === plain.error.offset && code !== 'unexpected') assert.equal(error.warnings[0].message, plain.error.message)
    })
  })

  test('with options that allow more, no text is refused that was read', () => {
    holds(fc.oneof(soup, relaxed, fc.json()), (text) => {
      const strict = outcome(() => parse(text, { relaxed: false }))
      if (!strict.error) assert.deepEqual(parse(text), strict.value)
      const single = outcome(() => parse(text))
      if (!single.error) assert.deepEqual(parse(text, { duplicate: true }), single.value)
    })
  })
})

describe('the options', () => {
  test('one that does not exist is refused by name', () => {
    assert.throws(() => parse('1', { lenient: true }), { name: 'TypeError', message: /no option "lenient"; it takes relaxed, tolerant, warnings, duplicate, reviver/ })
  })

  test('one of another type is refused by name', () => {
    for (const name of ['relaxed', 'tolerant', 'warnings', 'duplicate']) assert.throws(() => parse('1', { [name]: 'yes' }), { name: 'TypeError', message: new RegExp(`${name} must be true or false`) })
    assert.throws(() => parse('1', { reviver: true }), { name: 'TypeError', message: /reviver must be a function/ })
    for (const second of [null, 'x', 1, []]) assert.throws(() => parse('1', second), { name: 'TypeError', message: /^parse takes an options object/ })
  })

  test('undefined is an option that was not given', () => {
    assert.deepEqual(parse('{a:1}', { relaxed: undefined, tolerant: undefined, warnings: undefined, duplicate: undefined, reviver: undefined }), { a: 1 })
  })

  test('a text that is not a string is refused', () => {
    for (const text of [undefined, null, 1, {}, ['1']]) {
      assert.throws(() => parse(text), { name: 'TypeError', message: /^parse takes a string/ })
      assert.throws(() => transform(text), { name: 'TypeError', message: /^transform takes a string/ })
    }
  })
})

describe('the reviver', () => {
  test('is not called where nothing was read', () => {
    const called = []
    assert.throws(() => parse('', { tolerant: true, reviver: (key) => called.push(key) }), ({ obj }) => obj === undefined)
    assert.deepEqual(called, [])
  })

  test('may replace the whole', () => {
    assert.equal(parse('[1]', () => undefined), undefined)
    assert.equal(parse('1', (key, value) => `${key}${value}`), '1')
  })

  test('gets own keys only, even where it deleted one', () => {
    const seen = []
    parse('{"a":1,"__proto__":2}', function (key, value) {
      if (key === 'a') delete this.__proto__
      seen.push([key, value === this ? 'this' : typeof value])
      return value
    })
    assert.deepEqual(seen, [['a', 'number'], ['__proto__', 'undefined'], ['', 'object']])
  })

  test('a tree that it makes ever deeper is an error with a name', () => {
    assert.throws(() => parse('{"a":1,"b":2}', function (key, value) {
      if (key !== 'b' && typeof value === 'number') this.b = { a: value + 1, b: 0 }
      return value
    }), { name: 'RangeError', message: /more than 512 levels/ })
  })

  test('what it throws comes out', () => {
    const own = new Error('mine')
    assert.throws(() => parse('{"a":1}', () => { throw own }), own)
  })
})

describe('stringify', () => {
  test('what JSON has no text for is null', () => {
    for (const value of [undefined, () => 1, Symbol('a'), NaN, Infinity, -Infinity, null]) {
      assert.equal(stringify(value), 'null')
      assert.equal(stringify({ a: value }), '{"a":null}')
      assert.equal(stringify([value]), '[null]')
    }
    assert.equal(stringify([, 1]), '[null,1]')
  })

  test('toJSON and boxed values are taken as JSON.stringify takes them', () => {
    for (const value of [new Date(0), [new Date(0)], { a: new Number(5), b: Object('s'), c: new Boolean(false) }, { toJSON: (key) => ({ key }) }, { a: { toJSON: (key) => key } }, new Map([[1, 2]]), Object.create({ inherited: 1 })]) {
      assert.equal(stringify(value), JSON.stringify(value))
    }
  })

  test('only own keys that are texts and can be listed are written', () => {
    assert.equal(stringify(Object.defineProperty({ [Symbol('a')]: 1, b: 2 }, 'hidden', { value: 3, enumerable: false })), '{"b":2}')
  })

  test('a cycle and a BigInt are a TypeError that names the key', () => {
    const ring = { a: [] }
    ring.a.push({ ring })
    assert.throws(() => stringify(ring), { name: 'TypeError', message: /"ring" contains itself/ })
    assert.throws(() => stringify({ a: [1n] }), { name: 'TypeError', message: /BigInt, but there is one at key "0"/ })
    const twice = { a: 1 }
    assert.equal(stringify([twice, twice, { twice }]), '[{"a":1},{"a":1},{"twice":{"a":1}}]')
  })

  test('512 levels are written, more are a RangeError', () => {
    const nested = (levels) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    assert.equal(stringify(nested(512)), '['.repeat(512) + ']'.repeat(512))
    assert.throws(() => stringify(nested(513)), { name: 'RangeError', message: /more than 512 levels/ })
    assert.throws(() => stringify(JSON.parse('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000))), { name: 'RangeError' })
  })
})

describe('errors', () => {
  test('are RjsonErrors with code, line and place', () => {
    for (const [text, code, line, offset] of [
      ['[1,\n,2]', 'unexpected', 2, 4],
      ['{"a"\n', 'end-of-text', 2, 5],
      ['"\\q"', 'bad-escape', 1, 1],
      ['"a\u0001"', 'raw-control', 1, 2],
      ['{"a":}', 'missing-value', 1, 5],
      ['{"a":1,\n"a":2}', 'duplicate-key', 2, 8],
      ['['.repeat(513), 'too-deep', 1, 512],
      ['1'.repeat(5_000), 'too-long', 1, 0],
    ]) {
      assert.throws(() => parse(text), (error) => {
        assert.ok(error instanceof RjsonError && error instanceof SyntaxError)
        assert.deepEqual({ code: error.code, line: error.line, offset: error.offset }, { code, line, offset }, text)
        assert.ok(!('obj' in error) && !('warnings' in error))
        return true
      })
    }
  })

  test('tolerant ones have a code for each tolerated error', () => {
    assert.throws(() => parse('[1 2,,3,{:4}]', { tolerant: true }), (error) => {
      assert.deepEqual(error.warnings.map(({ code, offset }) => [code, offset]), [['missing-comma', 3], ['doubled-comma', 5], ['missing-key', 9]])
      assert.deepEqual(error.obj, [1, 2, 3, { null: 4 }])
      return true
    })
  })

  test('a long key or string is shortened in the message', () => {
    assert.throws(() => parse(`{"${'k'.repeat(100_000)}":1,"${'k'.repeat(100_000)}":2}`), ({ message }) => message.length < 200)
    assert.throws(() => parse(`[1 "${'s'.repeat(100_000)}"]`), ({ message }) => message.length < 200)
    assert.throws(() => parse(`[${'x'.repeat(100_000)} ${'y'.repeat(100_000)}]`), ({ message }) => message.length < 200)
  })
})

describe('512 levels', () => {
  for (const [name, open, inside, close] of [['arrays', '[', '', ']'], ['objects', '{a:', '1', '}']]) {
    test(`${name} are read so deep and no deeper`, () => {
      const nested = (levels) => open.repeat(levels) + inside + close.repeat(levels)
      for (const options of [undefined, { tolerant: true }]) {
        parse(nested(512), options)
        assert.throws(() => parse(nested(513), options), { name: 'SyntaxError', code: 'too-deep' })
      }
      assert.equal(stringify(parse(nested(512))), nested(512).replaceAll('a', '"a"'))
      assert.deepEqual(JSON.parse(transform(nested(512))), parse(nested(512)))
      assert.throws(() => transform(nested(513)), { name: 'SyntaxError', code: 'too-deep' })
      let calls = 0
      parse(nested(512), (_key, value) => (calls++, value))
      assert.equal(calls, name === 'arrays' ? 512 : 513)
    })
  }
})

describe('a megabyte of', () => {
  const MEGABYTE = 1_000_000
  const filled = (part, front = '', after = '') => front + part.repeat(MEGABYTE / part.length) + after
  for (const [name, text] of Object.entries({
    'opening brackets': filled('['),
    'objects that open': filled('{"a":'),
    quotes: filled('"'),
    'one string': filled('a', '"', '"'),
    'one string that is open': filled('a', '"'),
    escapes: filled('\\n', '"', '"'),
    backslashes: filled('\\', '"'),
    'line comment': filled('x', '[1] //'),
    'line comments': filled('//\n', '', '1'),
    slashes: filled('/'),
    'block comment': filled('x/*', '[1 /*'),
    'block comments': filled('/**/', '[1', ']'),
    'stars in a comment': filled('*', '/*'),
    elements: filled('1,', '[', '1]'),
    'elements without commas': filled('1 ', '[', ']'),
    commas: filled(',', '[1', ']'),
    members: `{${Array.from({ length: 80_000 }, (_, index) => `k${index}:1`).join(',')}}`,
    'the same member': filled('a:1,', '{', '}'),
    'members without keys': filled(':1,', '{', '}'),
    words: filled('ab ', '[', ']'),
    'one word': filled('ab'),
    digits: filled('1'),
    'zeros in front': `[${filled('0000001,', '', '1')}]`,
    spaces: filled(' '),
    lines: filled('\n', '[1', '2]'),
    'lines without commas': filled('1\n', '[', ']'),
    colons: filled(':'),
    'closing brackets': filled(']'),
    'empty strings': filled('"",', '[', '1]'),
    'text that is not JSON': filled('水'),
  })) {
    test(`${name} is read or refused in time`, () => {
      const start = performance.now()
      for (const act of [() => parse(text), () => parse(text, { tolerant: true }), () => parse(text, { duplicate: true, relaxed: false }), () => transform(text)]) {
        try {
          act()
        } catch (error) {
          assert.ok(error instanceof SyntaxError, String(error?.stack))
        }
      }
      // Four readings take some 100 ms; a quadratic one takes minutes.
      assert.ok(performance.now() - start < 20_000, `${performance.now() - start} ms`)
    })
  }
})

test('RJSON and rjson are the three functions', () => {
  for (const object of [RJSON, rjson]) assert.deepEqual({ ...object }, { parse, stringify, transform })
})

test('what other cases say of parse, transform says of JSON', () => {
  let count = 0
  for (const { input, value, options, reviver } of all) {
    if (value === undefined || reviver) continue
    const { relaxed, warnings, tolerant } = optionsOf({ options, reviver }) ?? {}
    if (relaxed === false || (warnings === false && tolerant === false)) continue
    assert.deepEqual(JSON.parse(transform(input)), JSON.parse(value), input)
    count++
  }
  assert.ok(count > 40)
})
