// The fuzz target of what is TypeScript: coercion by a schema, and the values of robust JSON
// and XML.
//
//     node tests/fuzz/coerce.mjs 60       so many seconds
//     SEED=12345 node tests/fuzz/coerce.mjs 60
//
// Random schemas, values, texts and cuts, near to what models write, by fast-check; what is
// found is made as small as may be and printed with its seed. Not by a fuzzer that is led by
// coverage: that of Jazzer.js needs a glibc of 2024.
//
// For each input: nothing is thrown but what is documented; what was given is not changed;
// the result is a value of JSON; arguments that stream are those of the whole, at any cut; no prototype is touched; and the work grows with
// the value, counted in reads of it.
import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { anySchema, key, objectSchema, value } from '../pkg/support/coerce-values.mjs'
import { cutAt, pieces } from '../pkg/support/cuts.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
if (!existsSync(new URL('../../pkg/package.json', import.meta.url))) {
  const { status } = spawnSync('cargo', ['xtask', 'build'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}
const { RJSON, RjsonError, RXML, RXMLCoercionError, RXMLDuplicateStringTagError, RXMLParseError, coerceBySchema } = await import('tokenweir/ai-sdk-tool-parser')
const { ToolCallParser, hermesProtocol, morphXmlProtocol } = await import('tokenweir/tool-calls')

const seconds = Number(process.argv[2])
if (!Number.isInteger(seconds) || seconds <= 0) {
  console.error('The seconds are needed: node tests/fuzz/coerce.mjs 60')
  process.exit(2)
}
const firstSeed = Number(process.env.SEED ?? Date.now() % 1_000_000_000)

/** Longest time of a thousand inputs, in seconds. An input that takes for ever has no other end. */
const PATIENCE = 300

// The inputs are tried in a process of their own, which says what it begins with.
if (process.send === undefined) {
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), { env: { ...process.env, SEED: String(firstSeed) } })
  let timer
  const wait = (message) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      console.error(`no end of it: ${message}`)
      child.kill('SIGKILL')
    }, PATIENCE * 1_000)
  }
  child.on('message', wait)
  process.exit(await new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1))))
}

const inherited = Object.getOwnPropertyNames(Object.prototype).join()

/** What JSON can hold, as it would be read again. */
function assertJson(made) {
  const text = JSON.stringify(made)
  assert.deepEqual(JSON.parse(text), made)
  assertPlain(made)
}

/** Objects are plain objects, whatever their keys are called. */
function assertPlain(made) {
  if (typeof made !== 'object' || made === null) return
  const prototype = Object.getPrototypeOf(made)
  if (prototype !== (Array.isArray(made) ? Array.prototype : Object.prototype)) assert.fail(`a prototype was changed: ${JSON.stringify(made)}`)
  for (const inner of Object.values(made)) assertPlain(inner)
}

function assertClean() {
  if (Object.getOwnPropertyNames(Object.prototype).join() !== inherited) assert.fail('Object.prototype was changed')
}

/** A result, or undefined where a documented error was thrown. */
function tried(act, isDocumented) {
  try {
    return { result: act() }
  } catch (error) {
    if (!isDocumented(error)) throw error
    return { error }
  }
}

const copy = (json) => (json === undefined ? undefined : JSON.parse(JSON.stringify(json)))

// Texts that are nearly JSON or XML.

const scrap = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', "'", '\\', '\\u00', '\\ud83d', '//', '/*', '*/', ' ', '\n', 'a', 'true', 'nul', '-', '1e', '12345678901234567890', '__proto__:', '"constructor":', '\ud83d', '🙂', '\u0000')
const markup = fc.constantFrom('<', '>', '</', '/>', '<a>', '</a>', '<b>', '</b>', '<item>', '</item>', '<__proto__>', '</__proto__>', '<constructor>', '</constructor>', '<0>', '</0>', '<tags>', '</tags>', '<f>', '</f>', '<a k="v">', '&lt;', '&#', '<![CDATA[', ']]>', '<!--', '-->', '5', 'true', ' ', '\n', '[1]', 'x', '🙂', '\ud83d')
const soup = (unit) => fc.array(unit, { maxLength: 16 }).map((parts) => parts.join(''))

/** A text with some of it taken out or put in. */
const damaged = (text, unit) => fc.tuple(text, fc.array(fc.tuple(fc.nat(300), fc.nat(5), fc.oneof(fc.constant(''), unit)), { maxLength: 2 })).map(([whole, changes]) => changes.reduce((all, [at, size, put]) => {
  const place = at % (all.length + 1)
  return all.slice(0, place) + put + all.slice(place + size)
}, whole))

const jsonText = value.map((each) => JSON.stringify(each))
const anyJsonText = fc.oneof(damaged(jsonText, scrap), soup(scrap))

/** Elements of a value, as a model may write them. */
function elementsOf(each, name) {
  if (Array.isArray(each)) return each.map((inner) => elementsOf(inner, name)).join('')
  const inside = typeof each === 'object' && each !== null ? Object.entries(each).map(([name, inner]) => elementsOf(inner, /^[a-z_]\w*$/i.test(name) ? name : 'item')).join('') : String(each)
  return `<${name}>${inside}</${name}>`
}
const record = fc.uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name }).map((members) => Object.fromEntries(members))
const anyXmlText = fc.oneof(damaged(record.map((each) => elementsOf(each, 'f')), markup), soup(markup).map((text) => `<f>${text}</f>`), soup(markup))
const cuts = fc.array(fc.nat(500), { maxLength: 6 })
const cut = (text, places) => cutAt(text, places.map((place) => place % (text.length + 1)).sort((a, b) => a - b))

/** Calls of the tool `f`, and what failed. */
function read(chunks, protocol, inputSchema, coerce = true) {
  let ids = 0
  const errors = []
  const parser = new ToolCallParser({ protocol, tools: [{ name: 'f', inputSchema }], options: { coerce, generateId: () => `id-${++ids}`, onError: (message, { dropReason }) => errors.push(dropReason) } })
  const parts = [...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
  const inputs = parts.filter(({ type }) => type === 'tool-call').map(({ input }) => input)
  const text = parts.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')
  return { inputs, text, errors }
}

function assertCutsDontMatter(text, places, protocol, schema) {
  const whole = read([text], protocol, schema)
  for (const chunks of [cut(text, places), pieces(text, 1)]) assert.deepEqual(read(chunks, protocol, schema), whole)
  for (const input of whole.inputs) {
    const given = JSON.parse(input)
    assert.ok(typeof given === 'object' && given !== null && !Array.isArray(given), input)
    assertPlain(given)
  }
  return whole
}

/** More digits than JavaScript's numbers have: arguments keep them, values can't. */
const hasManyDigits = (text) => /\d{16}|\de[+-]?\d/i.test(text)

const isRange = (error) => error instanceof RangeError && /512 levels/.test(error.message)
const isRjson = (error) => error instanceof RjsonError || isRange(error)
const isRxml = (error) => error instanceof RXMLParseError || error instanceof RXMLDuplicateStringTagError || error instanceof RXMLCoercionError

/** How often a value is read while it is coerced: the work, without a clock. */
function readsOf(given, schema) {
  let reads = 0
  // What a value became is remembered by the object that it is.
  const proxies = new WeakMap()
  const counted = (inner) => {
    if (typeof inner !== 'object' || inner === null) return inner
    if (!proxies.has(inner)) proxies.set(inner, proxy(inner))
    return proxies.get(inner)
  }
  const proxy = (inner) =>
    new Proxy(inner, {
      get(target, name) {
        reads++
        return counted(target[name])
      },
      ownKeys(target) {
        reads += Reflect.ownKeys(target).length
        return Reflect.ownKeys(target)
      },
      getOwnPropertyDescriptor(target, name) {
        reads++
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
      has(target, name) {
        reads++
        return name in target
      },
    })
  coerceBySchema(counted(given), schema)
  return reads
}

const PROPERTIES = {
  'a value by a schema': fc.property(value, anySchema, (given, schema) => {
    const before = JSON.stringify([given, schema])
    const { result } = tried(() => coerceBySchema(given, schema), isRange)
    assert.equal(JSON.stringify([given, schema]), before)
    assertJson(result)
    assert.deepEqual(coerceBySchema(copy(given), copy(schema)), result)
  }),
  'robust JSON': fc.property(anyJsonText, fc.record({ relaxed: fc.boolean(), tolerant: fc.boolean(), duplicate: fc.boolean() }, { requiredKeys: [] }), fc.option(anySchema, { nil: undefined }), (text, options, schema) => {
    const { result, error } = tried(() => RJSON.parse(text, options), isRjson)
    if (error !== undefined) return assertPlain(error.obj)
    assertPlain(result)
    // A number may be too large for JSON.
    if (JSON.stringify(result) !== undefined) assertPlain(coerceBySchema(result, schema))
    const strict = tried(() => JSON.parse(text), () => true)
    if (strict.error === undefined && options.duplicate === true) assert.deepEqual(result, strict.result)
  }),
  'a string by a schema': fc.property(fc.oneof(anyJsonText, anyXmlText), fc.option(anySchema, { nil: undefined }), (text, schema) => {
    const { result } = tried(() => coerceBySchema(text, schema), isRange)
    assertPlain(result)
    JSON.stringify(result)
  }),
  'robust XML': fc.property(anyXmlText, fc.option(objectSchema, { nil: undefined }), fc.record({ repair: fc.boolean(), keepWhitespace: fc.boolean(), throwOnDuplicateStringTags: fc.boolean() }, { requiredKeys: [] }), (text, schema, options) => {
    const { result } = tried(() => RXML.parse(text, schema, options), isRxml)
    if (result === undefined) return
    assertPlain(result)
    assert.deepEqual(RXML.parse(text, copy(schema), options), result)
    JSON.stringify(result)
  }),
  'arguments in JSON': fc.property(record, objectSchema, cuts, fc.boolean(), (given, schema, places, coerce) => {
    const written = JSON.stringify(given)
    fc.pre(!hasManyDigits(written) && !written.includes('tool_call>'))
    const text = `<tool_call>{"name":"f","arguments":${written}}</tool_call>`
    const { inputs } = coerce ? assertCutsDontMatter(text, places, hermesProtocol(), schema) : read(cut(text, places), hermesProtocol(), schema, false)
    assert.deepEqual(inputs, [coerce ? JSON.stringify(coerceBySchema(given, schema)) : written])
  }),
  'nearly arguments in JSON': fc.property(anyJsonText, objectSchema, cuts, (text, schema, places) => {
    assertCutsDontMatter(`<tool_call>{"name":"f","arguments":${text}}</tool_call>`, places, hermesProtocol(), schema)
  }),
  'nearly arguments in elements': fc.property(anyXmlText, objectSchema, cuts, (text, schema, places) => {
    assertCutsDontMatter(text, places, morphXmlProtocol(), schema)
  }),
  'the work grows with a list': fc.property(value, anySchema, (given, schema) => {
    const listed = { type: 'array', items: schema, ...(typeof schema === 'object' && { $defs: schema.$defs }) }
    const [few, more, many] = [8, 16, 32].map((count) => readsOf(Array.from({ length: count }, () => given), listed))
    assert.ok(many - more <= 3 * (more - few) + 64, `${few}, ${more}, ${many} reads`)
  }),
  'the work grows with the depth': fc.property(value, anySchema, fc.constantFrom('next', 'a', 'tags'), (given, schema, name) => {
    const nested = { anyOf: [{ type: 'object', properties: { [name]: { $ref: '#' } } }, schema, { type: 'array', items: { $ref: '#' } }], ...(typeof schema === 'object' && { $defs: schema.$defs }) }
    const [few, more, many] = [6, 12, 24].map((depth) => {
      let deep = given
      for (let level = 0; level < depth; level++) deep = level % 3 === 2 ? [deep] : { [name]: deep }
      return readsOf(deep, nested)
    })
    // Twice as deep is at most four times the work.
    assert.ok(many - more <= 8 * (more - few) + 256, `${few}, ${more}, ${many} reads`)
  }),
}

const end = Date.now() + seconds * 1_000
let executions = 0
let seed = firstSeed
console.log(`seed ${firstSeed}`)
while (Date.now() < end) {
  for (const [name, property] of Object.entries(PROPERTIES)) {
    const left = end - Date.now()
    if (left <= 0) break
    process.send(`${name}, SEED=${seed}`)
    const details = fc.check(property, { numRuns: 1_000, seed, interruptAfterTimeLimit: left, markInterruptAsFailure: false, maxSkipsPerRun: 1_000 })
    executions += details.numRuns
    assertClean()
    if (!details.failed) continue
    console.error(`${name}: failed, SEED=${seed}\n${fc.defaultReportMessage(details)}\n${details.errorInstance?.stack}`)
    console.log(`executions: ${executions}`)
    process.exit(1)
  }
  seed = (seed + 1) % 2 ** 31
}
console.log(`executions: ${executions}`)
