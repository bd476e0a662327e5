// The guarantees through JavaScript, for every API: what callbacks may do, many parsers
// in parallel, streams that are left early, options from anywhere, a growing memory. The property
// tests of each parser cover the texts.
//
// SEED= and a number runs the same again.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import fc from './support/property.mjs'
import { BlockParser, BlockStream, VisibleTextStream } from 'tokenweir/blocks'
import { FieldStream, StreamingJSONParser, parseFields, parsePartial } from 'tokenweir/fields'
import { SegmentStream, StreamingParser, parseSegments } from 'tokenweir/segments'
import { visibleText } from 'tokenweir'
import { createToolMiddleware, hermesProtocol, morphXmlProtocol, toolCallStream } from 'tokenweir/ai-sdk'
import { RJSON, RXML, coerceBySchema } from 'tokenweir/ai-sdk-tool-parser'
import { WAYS, alone, anyRun, chunksOf, only } from './support/ways-in.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const holds = (numRuns, ...args) => fc.assert(fc.property(...args), { numRuns, seed, includeErrorInReport: true })
const holdsLater = (numRuns, ...args) => fc.assert(fc.asyncProperty(...args), { numRuns, seed, includeErrorInReport: true })
const places = fc.array(fc.nat(400), { maxLength: 12, size: 'max' })
const runOf = (way) => fc.tuple(way.texts, places).map(([{ text, given }, cuts]) => ({ given, chunks: chunksOf(text, cuts) }))

function same(found, expected, why) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) assert.deepEqual(found, expected, why)
}

describe(`many parsers (SEED=${seed})`, () => {
  test('fed in turn, chunk by chunk in any order, emit what each emits alone', () => {
    holds(600, fc.array(anyRun, { minLength: 2, maxLength: 6 }), fc.infiniteStream(fc.nat(60)), (list, turns) => {
      const runs = list.map(({ way, given, chunks }) => ({ ...way.start(given, only), left: [...chunks] }))
      for (let open = [...runs]; open.length > 0; open = open.filter(({ isOver }) => isOver !== true)) {
        const run = open[turns.next().value % open.length]
        if (run.left.length > 0) run.feed(run.left.shift())
        else {
          run.end()
          run.isOver = true
        }
      }
      for (const [at, { way, given, chunks }] of list.entries()) same(runs[at].log, alone(way, given, chunks), way.name)
    })
  })

  test('10,000 of them, alive together', () => {
    const samples = WAYS.flatMap((way, at) => fc.sample(runOf(way), { numRuns: 40, seed: seed + at }).map((run) => ({ way, ...run })))
    const expected = samples.map(({ way, given, chunks }) => JSON.stringify(alone(way, given, chunks)))
    const runs = Array.from({ length: 10_000 }, (_, at) => samples[at % samples.length]).map(({ way, given, chunks }) => ({ run: way.start(given, only), chunks }))
    const longest = Math.max(...runs.map(({ chunks }) => chunks.length))
    for (let at = 0; at <= longest; at++) {
      for (const { run, chunks } of runs) {
        if (at < chunks.length) run.feed(chunks[at])
        else if (at === chunks.length) run.end()
      }
    }
    for (const [at, { run }] of runs.entries()) if (JSON.stringify(run.log) !== expected[at % samples.length]) assert.deepEqual(run.log, JSON.parse(expected[at % samples.length]), `the ${at}th`)
  })
})

describe(`callbacks (SEED=${seed})`, () => {
  test("a call's input is read as fields while its chunks are emitted", () => {
    const input = { path: 'a.txt', tags: ['x', 'y'], text: 'one\ntwo' }
    const values = Object.entries(input).map(([name, value]) => `<parameter name="${name}">${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>`)
    const fields = new StreamingJSONParser()
    const blocks = []
    const parser = new BlockParser({
      onChunk: (chunk, { toolCallPart }) => toolCallPart === 'input' && fields.parseChunk(chunk),
      onBlock: ({ event, block }) => event === 'block_complete' && blocks.push(block.input ?? block.content),
    })
    parser.processChunk(`So: <function_calls><invoke name="f">${values.join('\n')}</invoke></function_calls> done`)
    parser.flush()
    assert.deepEqual(blocks, ['So: ', input, ' done'])
    assert.deepEqual(fields.data, input)
  })

  for (const way of WAYS.filter(({ callbacks }) => callbacks.length > 0)) {
    test(`${way.name}: one that feeds the same parser is rejected by name, and nothing changes`, () => {
      const calls = Object.entries(way.reentrant)
      const refused = new Set()
      holds(400, runOf(way), fc.nat(40), ({ given, chunks }, first) => {
        let count = first
        const run = way.start(given, (name, act) => {
          const [method, args] = calls[count++ % calls.length]
          assert.throws(
            () => run.parser[method](...args),
            (error) => error.name === 'ParseError' && error.code === 'reentrant' && error.message.includes(method === 'feedAndFinalize' ? 'StreamingParser.feed' : way.name === 'BlockParser' && method === 'resetForNewIteration' ? 'BlockParser.flush' : method),
            `${name} called ${method}`,
          )
          refused.add(name).add(method)
          return act()
        })
        for (const chunk of chunks) run.feed(chunk)
        run.end()
        same(run.log, alone(way, given, chunks))
      })
      // Else nothing was tested.
      for (const what of [...way.callbacks, ...Object.keys(way.reentrant)]) assert.ok(refused.has(what), what)
    })

    test(`${way.name}: one that feeds other parsers changes nothing for either`, () => {
      let fed = 0
      holds(400, runOf(way), anyRun, ({ given, chunks }, other) => {
        const expected = JSON.stringify(alone(other.way, other.given, other.chunks))
        // Each call of a callback makes another's next move.
        let inner
        let left
        const step = () => {
          inner ??= other.way.start(other.given, only)
          left ??= [...other.chunks]
          if (left.length > 0) return inner.feed(left.shift())
          inner.end()
          assert.equal(JSON.stringify(inner.log), expected, other.way.name)
          inner = left = undefined
          fed += 1
        }
        const run = way.start(given, (_, act) => {
          step()
          const result = act()
          step()
          return result
        })
        for (const chunk of chunks) run.feed(chunk)
        run.end()
        same(run.log, alone(way, given, chunks))
      })
      assert.ok(fed > 0, 'none was fed to its end')
    })

    test(`${way.name}: one that throws loses nothing, and its first error of a call is thrown`, () => {
      const emitted = console.error
      console.error = () => {}
      try {
        let thrown = 0
        holds(600, runOf(way), fc.infiniteStream(fc.boolean()), ({ given, chunks }, throwing) => {
          let first
          const run = way.start(given, (name, act) => {
            const result = act()
            // Of a generator that throws the id is a random one.
            if (name === 'generateId' || !throwing.next().value) return result
            thrown += 1
            const error = new Error(`the ${thrown}th`)
            first ??= error
            throw error
          })
          const attempt = (act) => {
            first = undefined
            let error
            try {
              act()
            } catch (caught) {
              error = caught
            }
            assert.equal(error, way.passesOver ? undefined : first)
            return error === undefined
          }
          for (const chunk of chunks) attempt(() => run.feed(chunk))
          let isDone = attempt(run.end)
          while (way.late && !isDone) isDone = attempt(run.again)
          const expected = alone(way, given, chunks)
          // Where events come with the next call, errors come before them.
          if (way.late) {
            same(run.log.filter(({ error }) => error === undefined), expected.filter(({ error }) => error === undefined))
            same(run.log.filter(({ error }) => error !== undefined), expected.filter(({ error }) => error !== undefined))
          } else same(run.log, expected)
        })
        assert.ok(thrown > 20, `only ${thrown} were thrown`)
      } finally {
        console.error = emitted
      }
    })
  }

  test('a generateId that throws or returns no id: everything is emitted, with another id', () => {
    const emitted = console.error
    console.error = () => {}
    try {
      const bad = [() => { throw new Error('mine') }, () => '', () => 7, () => undefined]
      for (const way of WAYS.filter(({ callbacks }) => callbacks.includes('generateId'))) {
        holds(300, runOf(way), fc.nat(3), ({ given, chunks }, at) => {
          const run = way.start(given, (name, act) => (name === 'generateId' ? bad[at]() : act()))
          for (const act of [...chunks.map((chunk) => () => run.feed(chunk)), run.end]) {
            try {
              act()
            } catch (error) {
              assert.ok(!way.passesOver && (error.message === 'mine' || /generateId must return/.test(error.message)), String(error))
            }
          }
          // Without ids, which are random.
          const bare = (log) => JSON.stringify(log, (key, value) => (['id', 'toolId', 'toolCallId', 'chunk'].includes(key) ? undefined : value))
          assert.equal(bare(run.log), bare(alone(way, given, chunks)), way.name)
        })
      }
    } finally {
      console.error = emitted
    }
  })
})

/** A source of chunks that knows how it was left: as an iterable, an async iterable and a stream. */
function sources(chunks) {
  const seen = { given: 0, left: 0 }
  const next = () => (seen.given < chunks.length ? { done: false, value: chunks[seen.given++] } : { done: true, value: undefined })
  const leave = () => {
    seen.left += 1
    return { done: true, value: undefined }
  }
  return {
    seen,
    iterable: () => ({ [Symbol.iterator]: () => ({ next, return: leave }) }),
    asyncIterable: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => next(), return: async () => leave() }) }),
    stream: () => new ReadableStream({ pull: (controller) => { const { done, value } = next(); if (done) controller.close(); else controller.enqueue(value) }, cancel: () => void leave() }, { highWaterMark: 0 }),
  }
}

const TOOL = [{ type: 'function', name: 'f', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }]
const SAMPLE = 'So <thinking>hm</thinking> <run_bash>ls</run_bash> {"a": ["b", {"c": 1.5}], "d": "e"} <tool_call>{"name": "f", "arguments": {"n": "5"}}</tool_call> and <f><n>5</n></f> more 🙂 text.'
const deltas = (chunks) => chunks.map((delta) => ({ type: 'text-delta', id: 't', delta }))

/** The sources of single events. */
const ITERATORS = {
  visibleText: (source) => visibleText(source),
  parseFields: (source) => parseFields(source),
  'StreamingJSONParser.parseStream': (source) => new StreamingJSONParser().parseStream(source),
  'StreamingParser.parseStream': (source) => new StreamingParser().parseStream(source),
  parseSegments: (source) => parseSegments(source),
}

/** Transform streams and their inputs. */
const STREAMS = {
  VisibleTextStream: [() => new VisibleTextStream(), (chunks) => chunks],
  BlockStream: [() => new BlockStream({ generateId: () => 'id' }), (chunks) => chunks],
  FieldStream: [() => new FieldStream(), (chunks) => chunks],
  SegmentStream: [() => new SegmentStream(), (chunks) => chunks],
  'toolCallStream, hermes': [() => toolCallStream({ protocol: hermesProtocol(), tools: TOOL, options: { generateId: () => 'id' } }), deltas],
  'toolCallStream, morph': [() => toolCallStream({ protocol: morphXmlProtocol(), tools: TOOL, options: { generateId: () => 'id' } }), deltas],
}

const settled = () => new Promise((resolve) => setTimeout(resolve))
const collected = async (iterable) => {
  const list = []
  for await (const each of iterable) list.push(JSON.stringify(each))
  return list
}

describe(`leaving early (SEED=${seed})`, () => {
  for (const [name, read] of Object.entries(ITERATORS)) {
    for (const kind of ['iterable', 'asyncIterable', 'stream']) {
      test(`${name} of ${kind}: the source is cancelled once, and the events are a prefix of the whole`, async () => {
        await holdsLater(80, places, fc.nat(30), fc.constantFrom('return', 'throw', 'dispose', 'break'), async (cuts, taken, how) => {
          const chunks = chunksOf(SAMPLE, cuts)
          const whole = await collected(read(chunks))
          const source = sources(chunks)
          const events = read(source[kind]())
          const iterator = events[Symbol.asyncIterator]()
          const front = []
          if (how === 'break') {
            if (taken > 0) for await (const each of events) if (front.push(JSON.stringify(each)) >= taken) break
          } else {
            for (let next; front.length < taken && !(next = await iterator.next()).done; ) front.push(JSON.stringify(next.value))
            // Not every runtime and not every iterator has the last two.
            if (how === 'throw' && iterator.throw !== undefined) await assert.rejects(iterator.throw(new Error('mine')), /^Error: mine$/)
            else if (how === 'dispose' && iterator[Symbol.asyncDispose] !== undefined) await iterator[Symbol.asyncDispose]()
            else await iterator.return()
          }
          assert.deepEqual(front, whole.slice(0, front.length))
          const isLeft = how !== 'break' || taken > 0
          if (!isLeft) return
          // All was read: there is nothing to leave.
          const isOver = front.length === whole.length && front.length < taken
          await settled()
          assert.ok(source.seen.left <= 1 && (isOver ? source.seen.left === 0 : source.seen.left === 1 || source.seen.given === chunks.length), `left ${source.seen.left} times, ${how}`)
          assert.deepEqual(await iterator.next(), { done: true, value: undefined })
        })
      })
    }
  }

  for (const [name, [make, form]] of Object.entries(STREAMS)) {
    test(`${name}: cancelled, aborted and closed`, async () => {
      await holdsLater(60, places, fc.nat(30), fc.constantFrom('cancel', 'abort', 'writer'), async (cuts, taken, how) => {
        const chunks = form(chunksOf(SAMPLE, cuts))
        const whole = await collected(ReadableStream.from(chunks).pipeThrough(make()))
        const source = sources(chunks)
        const front = []
        const read = async (reader) => {
          for (let next; front.length < taken && !(next = await reader.read()).done; ) front.push(JSON.stringify(next.value))
        }
        if (how === 'writer') {
          const transform = make()
          const writer = transform.writable.getWriter()
          const reader = transform.readable.getReader()
          const written = (async () => {
            for (const chunk of chunks) await writer.write(chunk)
            await writer.close()
          })().catch(() => {})
          await read(reader)
          await reader.cancel()
          await written
        } else {
          const { signal, abort } = aborting()
          const reader = source.stream().pipeThrough(make(), { signal }).getReader()
          await read(reader)
          if (how === 'cancel') await reader.cancel()
          else {
            abort()
            // What was made may still be read; then comes the reason.
            await assert.doesNotReject((async () => {
              try {
                while (!(await reader.read()).done);
              } catch (error) {
                assert.equal(error.message, 'aborted by the test')
              }
            })())
          }
          await settled()
          assert.ok(source.seen.left <= 1 && (source.seen.left === 1 || source.seen.given === chunks.length), `left ${source.seen.left} times`)
        }
        assert.deepEqual(front, whole.slice(0, front.length))
      })
    })
  }

  test('a middleware whose stream is cancelled cancels the model’s', async () => {
    await holdsLater(60, places, fc.nat(20), async (cuts, taken) => {
      const chunks = [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: 't' }, ...deltas(chunksOf(SAMPLE, cuts)), { type: 'text-end', id: 't' }, { type: 'finish', finishReason: 'stop', usage: {} }]
      const source = sources(chunks)
      const middleware = createToolMiddleware({ protocol: hermesProtocol({ generateId: () => 'id' }), toolSystemPromptTemplate: () => '' })
      const params = { prompt: [], providerOptions: { toolCallMiddleware: { originalTools: [{ name: 'f', inputSchema: JSON.stringify(TOOL[0].inputSchema) }] } } }
      const { stream } = await middleware.wrapStream({ doStream: async () => ({ stream: source.stream() }), params, model: {} })
      const reader = stream.getReader()
      for (let at = 0, next; at < taken && !(next = await reader.read()).done; at++);
      await reader.cancel()
      await settled()
      assert.ok(source.seen.left === 1 || source.seen.given === chunks.length)
    })
  })
})

function aborting() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort(new Error('aborted by the test')) }
}

describe(`options and sources from anywhere (SEED=${seed})`, () => {
  const realm = createContext({})
  /** A copy that another realm has made; functions are as they are. */
  const foreign = (value) => {
    if (typeof value !== 'object' || value === null) return value
    const made = runInContext(Array.isArray(value) ? '[]' : '({})', realm)
    for (const [key, inner] of Object.entries(value)) Object.defineProperty(made, key, { value: foreign(inner), enumerable: true, writable: true, configurable: true })
    return made
  }
  const frozen = (value) => {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
    const copy = Array.isArray(value) ? value.map(frozen) : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozen(inner)]))
    return Object.freeze(copy)
  }
  /** The same by getters. */
  const got = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const made = {}
    for (const [key, inner] of Object.entries(value)) Object.defineProperty(made, key, { get: () => got(inner), enumerable: true })
    return made
  }
  const bare = (value) => (typeof value !== 'object' || value === null || Array.isArray(value) ? value : Object.assign(Object.create(null), Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, bare(inner)]))))
  const FORMS = { 'of another realm': foreign, frozen, 'by getters': got, 'without a prototype': bare }

  for (const [what, form] of Object.entries(FORMS)) {
    for (const way of WAYS) {
      test(`${way.name}: ${what}`, () => {
        holds(60, runOf(way), ({ given, chunks }) => {
          const { protocol, ...others } = given
          same(alone(way, { ...form(others), ...(protocol && { protocol: { name: protocol.name, own: form(protocol.own) } }) }, chunks), alone(way, given, chunks))
        })
      })
    }

    test(`schemas and values: ${what}`, () => {
      const schema = { type: 'object', properties: { n: { type: 'integer' }, l: { type: 'array', items: { type: 'number' } }, o: { type: 'object', properties: { b: { type: 'boolean' } } } }, required: ['n'] }
      const value = { n: '5', l: ['1', '2'], o: { b: 'true' } }
      const expected = JSON.stringify(coerceBySchema(value, schema))
      assert.equal(expected, '{"n":5,"l":[1,2],"o":{"b":true}}')
      assert.equal(JSON.stringify(coerceBySchema(form(value), form(schema))), expected)
      assert.equal(JSON.stringify(RXML.parse('<n>5</n><l>1</l><l>2</l><o><b>true</b></o>', form(schema), form({ repair: true }))), expected)
      assert.deepEqual(RJSON.parse('{a: 1,}', form({ relaxed: true, duplicate: false })), { a: 1 })
      assert.equal(RJSON.stringify(form(value)), RJSON.stringify(value))
      assert.equal(RXML.stringify('r', form(value), form({ format: true })), RXML.stringify('r', value, { format: true }))
      assert.deepEqual(parsePartial('{"a": [1', form({ strict: true })), { a: [1] })
      const parser = new StreamingJSONParser(form({ a: 'str', b: [{ c: 'int' }] }), form({ pathStyle: 'slash' }))
      assert.equal(parser.parseChunk('{"a":"x","b":[{"c":1}]}').length, new StreamingJSONParser().parseChunk('{"a":"x","b":[{"c":1}]}').length)
    })
  }

  test('chunks from another realm', async () => {
    const list = runInContext("['a<thinking>b', '</thinking>c']", realm)
    assert.equal((await collected(visibleText(list))).join(), '"a","c"')
    const generated = runInContext("(async function* () { yield 'a<thinking>b'; yield '</thinking>c' })()", realm)
    assert.equal((await collected(visibleText(generated))).join(), '"a","c"')
  })
})

test("the memory of the WebAssembly can't grow, not even inside a callback, and all continues right", async () => {
  const program = join(dirname(fileURLToPath(import.meta.url)), 'support/growing-memory.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(seed)], { timeout: 60_000 })
  const { grown, refused, compared, isDetached } = JSON.parse(stdout)
  assert.deepEqual([grown, isDetached], [0, false])
  assert.ok(refused > 100 && compared > 100, stdout)
})
