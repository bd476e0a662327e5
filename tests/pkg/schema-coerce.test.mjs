// Values by JSON schemas: cases as data, the plan that streams follow, and what is true
// for any value and any schema.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { coerceBySchema, getSchemaType, schemaIsUnconstrained, unwrapJsonSchema } from 'tokenweir/ai-sdk-tool-parser'
import { readCases } from './support/case-files.mjs'
import { anySchema as any, plainSchema as plain, value } from './support/coerce-values.mjs'

// Not public: what tool calls are made by while they come.
const inside = (path) => import(new URL(`../../target/pkg-src/js/${path}`, import.meta.url))
const { makeCoercion } = await inside('rxml/xml-in-strings.js')
const { Digits, numberOf } = await inside('json/digits.js')
const { toJson } = await inside('schema/to-json.js')
// The one that knows this `Digits`.
const { coerceBySchema: coerceInside } = await inside('rxml/coerce-by-schema.js')
const { withWasm } = await inside('start/inline.js')
withWasm(coerceInside)

const string = { type: 'string' }
const number = { type: 'number' }
const objectOf = (properties, more) => ({ type: 'object', properties, ...more })

describe('cases', () => {
  for (const [file, cases] of readCases(new URL('../cases/coerce/', import.meta.url), ['name', 'source', 'value', 'gives'], ['schema', 'reference', 'why', 'digits'])) {
    describe(file, () => {
      for (const { name, value, schema, gives, reference, why, digits } of cases) {
        test(name, () => {
          assert.equal(reference === undefined, why === undefined, 'a difference has its reason')
          const read = schema === undefined ? undefined : JSON.parse(schema)
          const given = JSON.parse(value)
          const result = digits === undefined ? coerceBySchema(given, read) : makeCoercion(read, { keepsDigits: true }).value(given)
          assert.equal(toJson(result), gives)
          assert.notEqual(gives, reference)
          assert.deepEqual(given, JSON.parse(value), 'the argument is as it was')
          assert.equal(toJson(byPlan(makeCoercion(read, { keepsDigits: digits !== undefined }), given)), gives, 'by the plan')
        })
      }
    })
  }
})

/** The value as it would be made while it comes. */
function byPlan(coercion, value, schema = coercion.root) {
  const plan = coercion.plan(schema)
  const whole = () => coercion.value(value, schema)
  if (typeof value === 'string') return plan.keepsStrings ? value : whole()
  if (typeof value === 'number') return plan.keepsNumbers ? value : whole()
  if (typeof value === 'boolean' || value === null) return plan.keepsWords ? value : whole()
  if (Array.isArray(value)) return plan.array === undefined ? whole() : value.map((element, at) => member(coercion, element, plan.array.element(at)))
  if (plan.object === undefined) return whole()
  const members = []
  const waiting = new Map()
  for (const [key, inner] of Object.entries(value)) {
    const { schema, action } = plan.object.member(key)
    if (action === 'keep') members.push([key, member(coercion, inner, schema)])
    else if (action === 'wait') waiting.set(key, inner)
  }
  return Object.fromEntries([...members, ...plan.object.leftovers(waiting, new Set(members.map(([key]) => key)))])
}

/** `undefined` is a schema here, and not the root. */
function member(coercion, value, schema) {
  return schema === undefined ? coercion.value(value, undefined) : byPlan(coercion, value, schema)
}

describe('the plan', () => {
  const plan = (schema) => {
    const { object, array, ...kept } = makeCoercion(schema).plan(schema)
    return [...Object.keys(kept).filter((what) => kept[what]), ...(object === undefined ? [] : ['object']), ...(array === undefined ? [] : ['array'])].join(' ')
  }
  for (const [schema, expected] of [
    [undefined, 'keepsNumbers keepsWords guesses object array'],
    [{}, 'keepsStrings keepsNumbers keepsWords object array'],
    [string, 'keepsStrings array'],
    [{ type: ['string', 'null'] }, 'keepsStrings array'],
    [{ type: ['string', 'number'] }, 'keepsNumbers array'],
    [number, 'keepsNumbers keepsWords array'],
    [{ type: 'boolean' }, 'keepsNumbers keepsWords array'],
    [objectOf({}), 'keepsNumbers keepsWords object array'],
    [{ type: 'array' }, 'array'],
    [{ type: ['array', 'null'] }, 'array'],
    [{ enum: ['a'] }, 'array'],
    [{ enum: [1] }, 'keepsNumbers keepsWords array'],
    [{ anyOf: [string, number] }, 'keepsStrings keepsNumbers array'],
    [{ anyOf: [string, objectOf({})] }, 'keepsStrings object array'],
    [{ anyOf: [objectOf({}), { type: 'array' }, { type: 'null' }] }, 'object array'],
    [{ anyOf: [objectOf({ a: number }), objectOf({ b: number })] }, 'keepsNumbers keepsWords array'],
    [{ anyOf: [{ type: 'array', items: string }, { type: 'array', items: number }] }, ''],
    // Alternatives that treat a value alike don't delay it.
    [{ ...objectOf({ a: number }), anyOf: [{ required: ['a'] }, { description: 'x' }] }, 'keepsNumbers keepsWords object array'],
  ]) {
    test(JSON.stringify(schema) ?? 'undefined', () => assert.equal(plan(schema), expected))
  }
})

describe('what surrounds coerceBySchema', () => {
  for (const [schema, type, isUnconstrained] of [
    [undefined, undefined, true],
    [null, undefined, true],
    [true, undefined, true],
    [false, undefined, false],
    [{}, undefined, true],
    [{ description: 'x' }, undefined, false],
    [{ type: 'string' }, 'string', false],
    [{ type: 'null' }, 'null', false],
    [{ type: ['null', 'string'] }, 'string', false],
    [{ type: ['string', 'integer', 'number'] }, 'number', false],
    [{ type: ['string', 'array', 'object'] }, 'object', false],
    [{ properties: {} }, 'object', false],
    [{ additionalProperties: true }, 'object', false],
    [{ items: {} }, 'array', false],
    [{ prefixItems: [] }, 'array', false],
    [{ enum: [1] }, undefined, false],
    [{ type: 'foo' }, 'foo', false],
    [{ jsonSchema: { jsonSchema: { type: 'string' } } }, 'string', false],
    [{ jsonSchema: {} }, undefined, true],
    // Above the reference: alternatives and references.
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string', false],
    [{ anyOf: [{ type: 'string' }, {}] }, undefined, false],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'integer' } } }, 'integer', false],
    ['string', undefined, false],
  ]) {
    test(JSON.stringify(schema) ?? 'undefined', () => {
      assert.equal(getSchemaType(schema), type)
      assert.equal(schemaIsUnconstrained(schema), isUnconstrained)
    })
  }

  test('a wrapper is taken away, however often', () => {
    const schema = { type: 'string' }
    assert.equal(unwrapJsonSchema({ jsonSchema: { jsonSchema: schema } }), schema)
    assert.equal(unwrapJsonSchema(schema), schema)
    assert.equal(unwrapJsonSchema(undefined), undefined)
    const endless = {}
    endless.jsonSchema = endless
    assert.equal(unwrapJsonSchema(endless), endless)
    assert.equal(coerceBySchema('5', endless), '5')
  })

  test("the AI SDK's schemas, whose jsonSchema is a getter", () => {
    const wrapped = { get jsonSchema() { return objectOf({ a: number }) } }
    assert.deepEqual(coerceBySchema({ a: '5' }, wrapped), { a: 5 })
  })
})

describe('values that JSON has not', () => {
  const date = new Date(0)
  const map = new Map([['a', '5']])
  const call = () => 5
  for (const [what, value, schema, expected] of [
    ['undefined', undefined, { type: 'array' }, undefined],
    ['an undefined member', { a: undefined }, objectOf({ a: number }), { a: undefined }],
    ['a date', date, objectOf({}), date],
    ['a map', { a: map }, objectOf({ a: objectOf({}, { additionalProperties: false }) }), { a: map }],
    ['a function', [call], { type: 'array', items: string }, [call]],
    ['a bigint', [5n, 12345678901234567890n], { type: 'array', items: string }, ['5', '12345678901234567890']],
    ['a bigint that fits', 5n, { type: 'integer' }, 5n],
    ['digits', [new Digits('1e400')], { type: 'array', items: string }, ['1e400']],
    ['not a number', [NaN, Infinity], { type: 'array', items: { type: 'integer' } }, [NaN, Infinity]],
    ['an object without a prototype', Object.assign(Object.create(null), { a: '5' }), objectOf({ a: number }), { a: 5 }],
  ]) {
    test(what, () => {
      const result = (what === 'digits' ? coerceInside : coerceBySchema)(value, schema)
      assert.deepEqual(result, expected)
      if (typeof expected === 'object' && expected === value) assert.equal(result, value)
    })
  }

  test("inherited properties are not keywords of a schema", () => {
    const schema = Object.create({ type: 'number' })
    assert.equal(coerceBySchema('5', schema), '5')
    assert.deepEqual(coerceBySchema({ toString: '5' }, objectOf({})), { toString: 5 })
  })
})

describe('levels', () => {
  const nested = (levels, inner, isArray) => {
    let value = inner
    for (let level = 0; level < levels; level++) value = isArray ? [value] : { a: value }
    return value
  }
  const trees = objectOf({ a: { $ref: '#' }, n: number })
  const schemas = [
    ['no schema', undefined],
    ['a schema of anything', {}],
    ['another type', string],
    ['a recursive object', trees],
    ['a recursive list', { type: 'array', items: { $ref: '#' } }],
    ['recursive alternatives', { anyOf: [objectOf({ a: { $ref: '#' } }), { type: 'array', items: { $ref: '#' } }, number] }],
    ['recursive alternatives that are alike', { anyOf: [trees, objectOf({ a: { $ref: '#' }, b: {} }), objectOf({ a: { $ref: '#' } }, { required: ['b'] }), { type: 'array', items: { $ref: '#' } }] }],
  ]
  for (const [what, schema] of schemas) {
    for (const isArray of [false, true]) {
      test(`${what}, ${isArray ? 'arrays' : 'objects'}: 512 are taken, 513 are not`, () => {
        assert.doesNotThrow(() => coerceBySchema(nested(512, 5, isArray), schema))
        for (const levels of [513, 514, 100_000]) assert.throws(() => coerceBySchema(nested(levels, 5, isArray), schema), { name: 'RangeError', message: /512 levels/ })
      })
    }
  }

  test('a value that contains itself', () => {
    const value = {}
    value.a = value
    for (const [, schema] of schemas) assert.throws(() => coerceBySchema(value, schema), RangeError)
  })

  test('JSON in a string that is deeper stays a string', () => {
    for (const schema of [undefined, { type: 'array' }, { anyOf: [{ type: 'array' }, number] }]) {
      const text = (levels) => '['.repeat(levels) + ']'.repeat(levels)
      assert.equal(typeof coerceBySchema(text(512), schema), 'object')
      // A list of a text is what is left of it.
      for (const levels of [513, 100_000]) assert.deepEqual([coerceBySchema(text(levels), schema)].flat(), [text(levels)])
    }
    assert.deepEqual(coerceBySchema({ a: '[[]]' }, objectOf({ a: { type: 'array', items: { type: 'array' } } })), { a: [[]] })
  })

  test('what is only kept is given back as it is', () => {
    const value = nested(512, 5, true)
    assert.equal(coerceBySchema(value, {}), value)
  })
})

describe('time', () => {
  // Were each alternative tried again in each alternative above it, none of these would end.
  const levels = 200
  test('alternatives of alternatives', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => objectOf({ [name]: { $ref: '#' }, next: { $ref: '#' } }))
    let value = { leaf: '5' }
    for (let level = 0; level < levels; level++) value = { next: value, n: [level] }
    assert.equal(JSON.stringify(coerceBySchema(value, { anyOf: nodes })), JSON.stringify(value).replace('"5"', '5'))
  })

  test('alternatives of alternatives in JSON in strings', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => objectOf({ [name]: { $ref: '#' }, next: { $ref: '#' } }))
    let value = { leaf: 'x' }
    for (let level = 0; level < 12; level++) value = { next: JSON.stringify(value) }
    const depth = (value) => (typeof value === 'object' && 'next' in value ? 1 + depth(value.next) : 0)
    assert.equal(depth(coerceBySchema(value, { anyOf: nodes })), 12)
  })

  test('lists, in lists, that objects may replace', () => {
    let value = '5'
    for (let level = 0; level < levels; level++) value = { a: value }
    for (const items of [{ $ref: '#' }, { anyOf: [{ $ref: '#' }, number] }, objectOf({ x: { $ref: '#' } }, { required: ['x'] })]) assert.ok(coerceBySchema(value, { type: 'array', items }))
  })

  test('objects in place of lists of such objects', () => {
    for (const [schema, level] of [
      [{ type: 'array', items: objectOf({ children: { $ref: '#' } }) }, (children) => ({ children })],
      [{ type: 'array', items: objectOf({ children: { $ref: '#' } }) }, (children) => ({ child: { children } })],
      [{ type: 'array', prefixItems: [objectOf({}, { additionalProperties: { $ref: '#' } })] }, (next) => ({ next })],
      [{ type: 'array', items: objectOf({}, { additionalProperties: { $ref: '#' }, required: ['x'] }) }, (next) => ({ next, other: 1 })],
    ]) {
      let value = { n: '5' }
      for (let at = 0; at < levels; at++) value = level(value)
      assert.ok(Array.isArray(coerceBySchema(value, schema)))
    }
  })

  test('schemas that lead back to themselves in several ways', () => {
    const twice = { allOf: [{ $ref: '#' }, { $ref: '#' }] }
    for (const schema of [
      objectOf({ next: twice, n: number }),
      { type: 'array', items: twice },
      { allOf: [objectOf({ next: { $ref: '#' } }), objectOf({ next: { $ref: '#' }, n: number })] },
      { anyOf: [{ allOf: [objectOf({ next: { $ref: '#' } }), objectOf({ next: { $ref: '#' }, n: number })] }, { type: 'array', items: { $ref: '#' } }] },
    ]) {
      let value = { n: '5' }
      for (let at = 0; at < levels; at++) value = { next: value }
      const made = JSON.stringify(coerceBySchema(value, schema))
      if (schema.type !== 'array') assert.ok(made.includes('{"n":5}'), made)
    }
  })

  test('schemas that double at each level', () => {
    const $defs = {}
    for (let level = 0; level < 60; level++) $defs[level] = { anyOf: [{ allOf: [{ $ref: `#/$defs/${level + 1}` }, {}] }, { oneOf: [{ $ref: `#/$defs/${level + 1}` }, number] }] }
    $defs[60] = { type: 'boolean' }
    assert.ok(coerceBySchema(['true'], { type: 'array', items: { $ref: '#/$defs/0' }, $defs }))
  })
})

describe('any value and any schema', () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 5_000, seed })

  test(`seed ${seed}: the plan gives what the whole value gives`, () => {
    holds(value, any, fc.boolean(), (value, schema, keepsDigits) => {
      const coercion = makeCoercion(schema, { keepsDigits })
      assert.equal(toJson(byPlan(coercion, value)), toJson(coercion.value(value)))
    })
  })

  test(`seed ${seed}: the argument is not changed`, () => {
    holds(value, any, (value, schema) => {
      const before = JSON.stringify([value, schema])
      coerceBySchema(frozen(value), frozen(schema))
      assert.equal(JSON.stringify([value, schema]), before)
    })
  })

  test(`seed ${seed}: it is the same again, and by another coercion`, () => {
    holds(value, any, (value, schema) => {
      const copy = (json) => (json === undefined ? undefined : JSON.parse(JSON.stringify(json)))
      assert.deepEqual(coerceBySchema(value, schema), makeCoercion(copy(schema)).value(copy(value)))
    })
  })

  test(`seed ${seed}: without alternatives, what was made stays`, () => {
    holds(value, plain, (value, schema) => {
      const once = coerceBySchema(value, schema)
      assert.deepEqual(coerceBySchema(once, schema), once)
    })
  })

  test(`seed ${seed}: without a schema, anything but a string stays`, () => {
    holds(value, (value) => {
      const result = coerceBySchema(value)
      if (typeof value === 'string') assert.deepEqual(coerceBySchema(JSON.stringify(result)), result === null || typeof result === 'string' ? JSON.stringify(result) : result)
      else assert.equal(result, value)
    })
  })

  test(`seed ${seed}: as JSON it is what JSON.stringify writes`, () => {
    holds(value, (value) => assert.equal(toJson(value), JSON.stringify(value)))
  })

  test(`seed ${seed}: a number keeps its value`, () => {
    const digits = fc.oneof(fc.integer().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.stringMatching(/^-?[1-9]\d{0,24}(\.\d{1,24})?(e-?\d{1,3})?$/))
    holds(digits, (written) => {
      const number = numberOf(written)
      if (number instanceof Digits) assert.equal(toJson([number]), `[${written.replace('e+', 'e')}]`)
      else assert.equal(number, Number(written))
      assert.ok(number instanceof Digits || Math.abs(number) <= 2 ** 53 || String(number) === written)
    })
  })
})

function frozen(value) {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(Object.freeze(value))) frozen(inner)
  return value
}
