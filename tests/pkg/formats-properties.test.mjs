// What `writeCalls` writes is read back as the same calls, in every format that can say them,
// whole and in cuts. Both are the package's. fast-check prints the smallest calls that are not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { formats, writeCalls } from 'tokenweir/formats'
import { ToolCallParser, parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { loadRows } from '../formats/rows.mjs'
import { cutAt, random, thinned } from './support/cuts.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const numRuns = Number(process.env.RUNS ?? 80)

/** What the limits of a row take out of the calls. Of the other limits, the writer refuses what it can't write, or they are the template's. */
const LIMITS = {
  'arguments that are null': { lacks: ['null'] },
  'arguments other than strings': { lacks: ['integer', 'number', 'boolean', 'null', 'object', 'array'] },
  'text before calls': { lacksText: true },
}

/** Limits that take nothing out: of the model's template, and what the writer refuses. */
const REFUSED = [/^several calls \(/, /^ids \(/, /^reasoning$/, /^the marker .* in a string$/, /^white space at the ends of strings$/, /^types without the tools$/]

/** Defects: an element without content is not an object, so `{}` inside arguments is read as `''`. */
const LOSES_EMPTY_OBJECTS = ['minimax-m3', 'morph-xml']

const rows = loadRows()
const limitsOf = (id) => rows.get(id).write?.limits ?? []

/** Markers of all formats: each is a string that a value may hold. */
const markers = [...new Set(Object.values(formats).flatMap(({ call, params, section, messages, reasoning, drop }) => [call, params, section, messages, reasoning].flatMap((part) => [...(part?.open ?? []), ...(part?.close ?? [])]).concat(drop ?? [])))].filter((marker) => marker !== '')

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Paris', 'a b', '<', '>', '"', "'", '\\', '\n', '\r\n', '\t', '{', '}', '[', ']', ',', ':', '&', '&lt;', ']]>', '- ', '#', 'null', 'true', '42', 'é', '水', '💩', '\u2028') },
  { weight: 1, arbitrary: fc.constantFrom(...markers) },
  { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
)
const string = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
const key = fc.constantFrom('a', 'b', 'c_d', 'key', 'path', 'n0')
const some = (value) => fc.array(value, { maxLength: 3 })

/** A value with its schema, of some types. */
function typed(types, least, depth = 2) {
  const simple = {
    string: string.map((value) => [value, { type: 'string' }]),
    integer: fc.integer().map((value) => [value, { type: 'integer' }]),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => [value + 0, { type: 'number' }]),
    boolean: fc.boolean().map((value) => [value, { type: 'boolean' }]),
    null: fc.constant([null, { type: ['integer', 'null'] }]),
  }
  const nested = () => ({
    object: members(types, least, depth - 1, least).map(objectOf),
    array: fc.constantFrom('string', 'integer', 'boolean').chain((type) => some(simple[type]).map((items) => [items.map(([value]) => value), { type: 'array', items: { type } }])),
  })
  const all = { ...simple, ...(depth > 0 ? nested() : {}) }
  return fc.oneof(...Object.entries(all).filter(([type]) => types.includes(type)).map(([, value]) => value))
}

/** Names with values: `least` of them in objects inside. */
const members = (types, least, depth = 2, minLength = 0) => fc.uniqueArray(fc.tuple(key, typed(types, least, depth)), { selector: ([name]) => name, minLength, maxLength: 4 })

/** An object with its schema. */
const objectOf = (all) => [Object.fromEntries(all.map(([name, [value]]) => [name, value])), { type: 'object', properties: Object.fromEntries(all.map(([name, [, schema]]) => [name, schema])) }]

/** Calls of tools, each tool with the schema of its call. */
const turn = (types, least) => fc.tuple(fc.array(members(types, least).map(objectOf), { minLength: 1, maxLength: 3 }), fc.constantFrom('', 'I look it up.', 'a < b, {c}: [d]\n\nso'), fc.nat())

const ALL_TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array']

/** The calls of chunks. */
function read(chunks, source) {
  const parser = new ToolCallParser(source)
  const parts = [...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
  const calls = parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => ({ toolName, input: JSON.parse(input) }))
  return { calls, text: parts.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('') }
}

test('every limit is known', () => {
  for (const [id] of rows) for (const limit of limitsOf(id)) assert.ok(limit in LIMITS || REFUSED.some((known) => known.test(limit)), `${id}: ${limit}`)
})

test('the defects are there', () => {
  const tools = [{ name: 'f', inputSchema: { type: 'object', properties: { a: { type: 'object', properties: {} } } } }]
  for (const format of LOSES_EMPTY_OBJECTS) {
    const [{ args }] = parseReply(writeCalls([{ toolName: 'f', input: { a: {} } }], { format }), { format, tools }).toolCalls
    assert.deepEqual(args, { a: '' }, `${format} reads it by now`)
  }
})

describe(`parse(write(calls)) = calls (SEED=${seed})`, () => {
  for (const [id, format] of Object.entries(formats)) {
    if (format.write?.call === undefined || format.call?.body === 'text') continue
    const limits = limitsOf(id).flatMap((limit) => LIMITS[limit] ?? [])
    const types = ALL_TYPES.filter((type) => !limits.some(({ lacks }) => lacks?.includes(type)))
    // Without an opener a call counts where the turn starts.
    const hasText = !limits.some(({ lacksText }) => lacksText) && format.call.bare !== 'start' && (format.messages === undefined || format.write.text !== undefined)
    test(id, () => {
      let written = 0
      const property = fc.property(turn(types, LOSES_EMPTY_OBJECTS.includes(id) ? 1 : 0), ([objects, text, cuts]) => {
        const tools = objects.map(([, inputSchema], at) => ({ name: `tool_${at}`, inputSchema }))
        const calls = objects.map(([input], at) => ({ toolName: `tool_${at}`, input }))
        const said = hasText ? text : ''
        let reply
        try {
          reply = writeCalls(calls, { format: id, text: said })
        } catch (error) {
          // It says which value it can't write.
          if (error instanceof TypeError && /^writeCalls: .* can't write (calls\[\d\] of "tool_\d": input\.|the text: )/.test(error.message)) return
          throw error
        }
        written++
        const source = { format: withYaml(format), tools, prefill: '' }
        const whole = parseReply(reply, source)
        const found = whole.toolCalls.map(({ toolName, args }) => ({ toolName, input: args }))
        assert.deepEqual(found, calls, JSON.stringify(reply))
        assert.equal(whole.text.trim(), said.trim(), JSON.stringify(reply))
        const next = random(cuts)
        const places = Array.from({ length: 1 + next(8) }, () => next(reply.length + 1)).sort((a, b) => a - b)
        for (const chunks of [cutAt(reply, places), [...reply]]) {
          const again = read(chunks, source)
          assert.deepEqual(again.calls, found, JSON.stringify(chunks))
          assert.equal(again.text, whole.text, JSON.stringify(chunks))
        }
      })
      fc.assert(property, { numRuns, seed })
      assert.ok(written > thinned(numRuns) / 4, `${written} of ${numRuns} are written`)
    })
  }
})
