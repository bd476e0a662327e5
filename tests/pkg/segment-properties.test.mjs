// What holds for any stream of segments, cut anywhere. fast-check prints the
// seed and the smallest failing text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, extractSegments } from 'tokenweir/segments'
import { pieces, withEmpty } from './support/cuts.mjs'
import { naiveSegments } from './support/segment-naive.mjs'
import { assertSegmentsTiled, joinedSegments } from './support/segment-reading.mjs'
import { anyConfig, bashTag, cut, cuts, DOCUMENTS, escaped, FILES, fileTool, generic, joinedOf, JSON_TOOLS, jsonValue, parts, piece, proseOf, sentinel, space, stream, TEXT } from './support/segment-texts.mjs'

const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 2_000 })

const CODES = ['bad-arguments', 'unterminated', 'bad-tag', 'bad-header', 'missing-arguments']

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Reads chunks with a parser and an adapter, checks the invariants of every stream, and returns the output. */
function read(chunks, config = {}) {
  // The parser's of a chunk come before the adapter's, so the cut decides how they mix.
  const errors = []
  const faults = []
  const parser = new StreamingParser({ ...config, onError: (error) => errors.push(error) })
  const { toolStates, jsonProfile, acceptUnterminated = false } = config
  const adapter = new ToolInvocationAdapter({ acceptUnterminated, onError: (error) => faults.push(error), ...(toolStates && { toolStates }), ...(jsonProfile && { jsonProfile }) })
  const emitted = []
  const invocations = []
  const take = (events) => {
    for (const event of events) {
      emitted.push(event)
      invocations.push(...adapter.processEventAll(event))
    }
  }
  for (const chunk of chunks) take(parser.feed(chunk))
  take(parser.finalize())
  checkProtocol(emitted, config)
  checkPlaces(chunks.join(''), emitted, errors, invocations)
  return { emitted, events: coalesced(emitted), errors, faults, invocations }
}

/** Errors have the text at their place; they and calls, whose ids are unique, are of segments that there are. */
function checkPlaces(text, events, errors, invocations) {
  const ids = new Set(events.map((event) => event.segment_id))
  for (const { code, message, raw, span, segmentId } of errors) {
    assert.ok(CODES.includes(code) && message.length > 0)
    assert.equal(raw, text.slice(...span))
    assert.ok(segmentId === null || ids.has(segmentId))
  }
  assert.equal(new Set(invocations.map(({ id }) => id)).size, invocations.length)
  for (const { id } of invocations) assert.ok(ids.has(id.replace(/\.\d+$/, '')))
}

/** One segment is open at a time, ids count from one, contents aren't empty, text is never next to text; only a sentinel makes separate texts. */
function checkProtocol(events, { strategy, strategyOrder }) {
  const hasOwnTexts = strategy === 'sentinel' || strategyOrder?.includes('sentinel') === true
  let open
  let last
  let count = 0
  for (const event of events) {
    const { type, segment_id: id, segment_type: kind, payload } = event
    if (type === 'SEGMENT_START') {
      count += 1
      if (open !== undefined || id !== `seg_${count}`) assert.fail(`${id} starts inside ${open}, as the ${count}th`)
      if (kind === 'text' && last === 'text' && !hasOwnTexts) assert.fail(`${id} is text after text`)
      open = id
      last = kind
    } else if (type === 'SEGMENT_CONTENT') {
      if (id !== open || payload.delta === '') assert.fail(`${JSON.stringify(event)} inside ${open}`)
    } else if (type === 'SEGMENT_END') {
      if (id !== open || Object.keys(payload).some((key) => !['incomplete', 'missing', 'arguments', 'error'].includes(key))) assert.fail(`${JSON.stringify(event)} inside ${open}`)
      open = undefined
    } else if (type !== 'MARKUP' || payload.delta === '') assert.fail(JSON.stringify(event))
  }
  if (open !== undefined) assert.fail(`${open} is never closed`)
}

/** Events without markup and spans, adjacent contents joined: which must not depend on the cuts. */
const coalesced = (events) => joinedSegments(events.filter(({ type }) => type !== 'MARKUP').map(({ span, ...event }) => event))

/** Starts, ends and the stretches of contents and markup, neighbours joined. */
function stretches(events) {
  const entries = []
  for (const { type, segment_id: id, span } of events) {
    const last = entries.at(-1)
    if ((type === 'SEGMENT_CONTENT' || type === 'MARKUP') && last?.type === type && last.id === id) last.to = span[1]
    else entries.push({ type, id, from: span[0], to: span[1] })
  }
  return entries
}

/** Contents and markup tile the text; starts and ends are empty. */
function assertTiled(events, text) {
  for (const { type, span } of events) if (/START|END/.test(type) && span[0] !== span[1]) assert.fail(`${type} at ${span}`)
  assertSegmentsTiled(events, text)
}

function same(found, expected) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) assert.deepEqual(found, expected)
}

/** The segments of parts: adjacent text is one. */
function modelOf(list) {
  const emitted = []
  for (const { text, segment } of list) {
    if (segment !== TEXT) emitted.push(segment)
    else if (text !== '' && emitted.at(-1)?.[3] === TEXT) emitted.at(-1)[1] += text
    else if (text !== '') emitted.push(['text', text, {}, TEXT])
  }
  return emitted.map(([type, inside, metadata], at) => ({ id: `seg_${at + 1}`, type, content: inside, metadata: metadata ?? {} }))
}

const textOf = (list) => list.map(({ text }) => text).join('')

describe('a well-formed document, cut anywhere', () => {
  for (const [name, [document, config]] of Object.entries(DOCUMENTS)) {
    test(`has the segments that it was made of: ${name}`, () => {
      holds(document, cuts, (list, places) => {
        const text = textOf(list)
        const expected = modelOf(list)
        for (const chunks of [[text], cut(text, places), pieces(text, 1), withEmpty(cut(text, places))]) {
          const { events, errors, faults, invocations } = read(chunks, config)
          const found = extractSegments(events)
          same(found, expected)
          assert.deepEqual(found, expected)
          if (list.some(({ calls }) => calls === undefined)) continue
          same(invocations.map(({ name: tool, arguments: given }) => [tool, given]), list.flatMap(({ calls }) => calls))
          assert.deepEqual(errors, [])
          assert.ok(faults.every(({ code }) => code === 'missing-arguments'), JSON.stringify(faults))
        }
      })
    })
  }

  test('the content of a JSON tool parses', () => {
    holds(DOCUMENTS['JSON, openai'][0], cuts, (list, places) => {
      const { events } = read(cut(textOf(list), places), DOCUMENTS['JSON, openai'][1])
      for (const { type, content: text } of extractSegments(events)) if (type === 'tool_call') JSON.parse(text)
    })
  })

  test('with all strategies together, each tool of each is found', () => {
    const plain = proseOf('<b>', '&', '"')
    const part = fc.oneof(plain, bashTag, fileTool, generic, JSON_TOOLS.default, sentinel)
    const config = { strategyOrder: ['sentinel', 'xml_tag', 'json_tool'] }
    holds(parts(part), cuts, (list, places) => {
      for (const chunks of [[textOf(list)], cut(textOf(list), places), pieces(textOf(list), 1)]) same(extractSegments(read(chunks, config).events), modelOf(list))
    })
  })

  test('that ends too early calls nothing in its last segment, and reports it', () => {
    for (const [document, config] of Object.values(DOCUMENTS)) {
      fc.assert(
        fc.property(document, fc.nat(500), cuts, (list, size, places) => {
          const before = list.slice(0, -1)
          fc.pre(list.length > 0 && list.at(-1).segment !== TEXT)
          const last = list.at(-1).text
          const text = textOf(before) + last.slice(0, Math.min(size, last.length - 1))
          const { emitted, errors, invocations } = read(cut(text, places), config)
          const expected = modelOf(before)
          const count = before.flatMap(({ calls }) => calls ?? []).length
          if (before.every(({ calls }) => calls !== undefined)) assert.equal(invocations.length, count)
          const found = extractSegments(emitted)
          const tail = found.slice(expected.length).at(-1) ?? found.at(-1)
          const unterminated = errors.filter(({ code }) => code === 'unterminated')
          const isOpen = found.length > expected.length && tail.type !== 'text'
          if (isOpen) assert.deepEqual(unterminated.map(({ segmentId }) => segmentId), [tail.id])
          else for (const { segmentId } of unterminated) assert.ok(segmentId === null || found.some(({ id, type }) => id === segmentId && type === 'text'))
          for (const { id } of invocations) assert.ok(!unterminated.some(({ segmentId }) => segmentId === id))
        }),
        { numRuns: 2_000 },
      )
    }
  })
})

// Arguments of a tool: a value, its schema, and the markup that means it.

const word = fc.array(fc.constantFrom('a', 'b c', 'é', '🙂', '<', '>', '&', '<b>', '</arg>', '</tool>', '&lt;', '"', '{', '[1]', '\n', '3', 'true', '-'), { maxLength: 5 }).map((all) => all.join('').trim())
const scalar = fc.oneof(
  word.map((value) => ({ value, schema: { type: 'string' }, inside: escaped(value) })),
  fc.oneof(fc.integer(), fc.constant(0)).map((value) => ({ value, schema: { type: 'integer' }, inside: ` ${value}\n` })),
  fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((value) => ({ value: value + 0, schema: { type: 'number' }, inside: JSON.stringify(value + 0) })),
  fc.boolean().map((value) => ({ value, schema: { type: 'boolean' }, inside: String(value) })),
)
const { tree } = fc.letrec((tie) => ({
  list: fc.array(scalar, { minLength: 1, maxLength: 3 }).chain(([first, ...more]) => {
    const items = [first, ...more.filter(({ schema }) => schema.type === first.schema.type)]
    const value = items.map((each) => each.value)
    return space.map((between) => ({ value, schema: { type: 'array', items: first.schema }, inside: items.map(({ inside }) => `${between}<item>${inside}</item>`).join('') }))
  }),
  member: fc.tuple(fc.constantFrom('a', 'b', 'some name', '__proto__', 'constructor'), tie('tree')),
  object: fc.tuple(fc.uniqueArray(tie('member'), { minLength: 1, maxLength: 3, selector: ([name]) => name }), space).map(([members, between]) => ({
    value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
    schema: { type: 'object', properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])) },
    inside: members.map(([name, { inside }]) => `${between}<arg name="${name}">${inside}</arg>`).join(''),
  })),
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('list'), tie('object')),
}))

/** A value as it is without a schema: texts alone. */
const asText = (value) => (Array.isArray(value) ? value.map(asText) : typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asText(each)])) : String(value))

test('arguments of a tool are the values that were written, by their schema or as texts', () => {
  const invoked = (text, schemas) => {
    const handler = new StreamingResponseHandler({ ...(schemas && { schemas }) })
    handler.feed(text)
    return handler.getAllInvocations()[0]?.arguments
  }
  holds(fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__'), tree), { minLength: 1, maxLength: 3, selector: ([name]) => name }), fc.boolean(), (members, isWrapped) => {
    const inside = members.map(([name, each]) => `<arg name="${name}">${each.inside}</arg>`).join('')
    const text = `<tool name="t">${isWrapped ? `<arguments>${inside}</arguments>` : inside}</tool>`
    const expected = Object.fromEntries(members.map(([name, { value }]) => [name, value]))
    const schema = { type: 'object', properties: Object.fromEntries(members.map(([name, each]) => [name, each.schema])) }
    same(invoked(text, { t: schema }), expected)
    same(invoked(text), asText(expected))
  })
})

// Streams that are nearly right: documents with something missing or in
// between, and scraps of markup in any order.

const many = (...args) => fc.assert(fc.property(...args), { numRuns: 5_000 })

/**
 * A closing tag after which the arguments don't go on, a value that has one of another element in it, or a name with a
 * bracket in it, whose quote may never close.
 */
const ODD_VALUE = /<(?:arg|tool)\s[^<>]*=\s*(?:"[^"<>]*|'[^'<>]*)[<>]|<\/arg\s*>(?!\s*(?:<arg\s+name\s*=\s*(?:"[^"<>]+"|'[^'<>]+'|\w+)\s*>|<\/arguments\s*>|<\/tool\s*>))|<!\[CDATA|<arg\s[^>]*>(?:(?!<\/arg\s*>)[^])*(?:<\/?tool|<\/arguments|<arg|$)/i

describe('any text at all', () => {
  test('never throws, keeps to the protocol, and the cut makes no difference', () => {
    many(stream, cuts, anyConfig, (text, places, config) => {
      const whole = read([text], config)
      for (const chunks of [cut(text, places), pieces(text, 1), withEmpty(cut(text, places))]) {
        const { events, errors, faults, invocations } = read(chunks, config)
        same(events, whole.events)
        same(errors, whole.errors)
        same(faults, whole.faults)
        same(invocations, whole.invocations)
      }
    })
  })

  test('the segments are those of a second reading', () => {
    many(stream, anyConfig, (text, config) => {
      const { events } = read([text], { ...config, fences: 'parse' })
      const segments = extractSegments(events)
      // It reads strict JSON; what is tolerated is in cases/segment/json-repairs.toml.
      fc.pre(!config.strategyOrder.includes('json_tool') || (!/['\\]/.test(text) && segments.every(({ content }) => !/^\s*[{[]/.test(content) || isJson(content))))
      // It ends a value at its first closing tag; what ends one is in cases/segment/policy-values.toml.
      fc.pre(!ODD_VALUE.test(text))
      same(segments, naiveSegments(text, config))
    })
  })

  test('long texts too, where one chunk makes more records than one call returns', () => {
    const repeated = fc.tuple(piece, fc.integer({ min: 1, max: 60 })).map(([text, count]) => text.repeat(count))
    const long = fc.array(fc.oneof(piece, repeated), { minLength: 100, maxLength: 400, size: 'max' }).map((all) => all.join(''))
    fc.assert(
      fc.property(long, fc.array(fc.nat(100_000), { maxLength: 8 }), anyConfig, (text, places, config) => {
        const whole = read([text], { ...config, spans: true })
        assertTiled(whole.emitted, text)
        for (const chunks of [cut(text, places), pieces(text, 1), pieces(text, 4_096)]) {
          const { events, errors, faults } = read(chunks, config)
          same(events, whole.events)
          same(errors, whole.errors)
          same(faults.map(({ code, segmentId }) => [code, segmentId]), whole.faults.map(({ code, segmentId }) => [code, segmentId]))
        }
      }),
      { numRuns: 60 },
    )
  })

  test('nothing is lost: contents and markup tile the text, at every cut, and spans change nothing', () => {
    many(stream, cuts, anyConfig, (text, places, config) => {
      const plain = read([text], config)
      const whole = read([text], { ...config, spans: true })
      same(whole.events, plain.events)
      same(whole.errors, plain.errors)
      assertTiled(whole.emitted, text)
      for (const chunks of [cut(text, places), pieces(text, 1)]) {
        const { emitted } = read(chunks, { ...config, spans: true })
        assertTiled(emitted, text)
        same(stretches(emitted), stretches(whole.emitted))
      }
    })
  })

  test('an unterminated tool is never called, except with acceptUnterminated', () => {
    many(stream, cuts, anyConfig, (text, places, config) => {
      const { events, errors, invocations } = read(cut(text, places), config)
      const ids = new Set(invocations.map(({ id }) => id.split('.')[0]))
      const cutOff = errors.filter(({ code, segmentId }) => code === 'unterminated' && segmentId !== null).map(({ segmentId }) => segmentId)
      assert.ok(cutOff.length <= 1)
      for (const id of cutOff) assert.ok(!ids.has(id))
      const accepted = read(cut(text, places), { ...config, acceptUnterminated: true })
      same(accepted.events, events)
      assert.ok(accepted.errors.every(({ code, segmentId }) => code !== 'unterminated' || segmentId === null))
      same(accepted.invocations.slice(0, invocations.length), invocations)
    })
  })

  test('without tools it is one text', () => {
    holds(stream, cuts, anyConfig, (text, places, config) => {
      for (const off of [{ parseToolCalls: false }, { strategy: 'api_tool_call' }]) {
        const { events } = read(cut(text, places), { ...config, ...off })
        same(extractSegments(events), text === '' ? [] : [{ id: 'seg_1', type: 'text', content: text, metadata: {} }])
      }
    })
  })

  test('text without markup is emitted with the chunk it came in, but for half a character', () => {
    const prose = joinedOf(fc.constantFrom('a', 'b. ', '\n', '>', ')', '🙂', 'é', '"', "'", ':', '&amp;', '}', ']'), 10)
    holds(prose.filter((text) => text !== ''), cuts, (text, places) => {
      const parser = new StreamingParser({ strategyOrder: ['xml_tag', 'json_tool', 'sentinel'] })
      let half = ''
      for (const chunk of cut(text, places)) {
        const given = half + chunk
        half = /[\ud83d]$/.exec(given)?.[0] ?? ''
        assert.equal(parser.feed(chunk).map(({ payload }) => payload.delta ?? '').join(''), given.slice(0, given.length - half.length))
      }
    })
  })

  test('the handler emits the same, and the adapter the same invocations', () => {
    holds(stream, cuts, anyConfig, (text, places, config) => {
      const { emitted, errors, faults, invocations } = read(cut(text, places), config)
      const seen = []
      const handler = new StreamingResponseHandler({ config, onError: (error) => seen.push(error) })
      for (const chunk of cut(text, places)) handler.feed({ content: chunk })
      handler.finalize()
      same(handler.getAllEvents(), emitted)
      same(handler.getAllInvocations(), invocations)
      // Without spans an adapter doesn't know the position of a content.
      const byPlace = (list) => list.map(({ code, message, raw, segmentId }) => JSON.stringify([code, message, raw, segmentId])).sort()
      assert.deepEqual(byPlace(seen), byPlace([...errors, ...faults]))
    })
  })
})

// Calls of an API: names and ids early or late, deltas in any order.

const inString = fc.constantFrom('a', ' ', 'é', '水', '🙂', '{', '}', '[', '</', '\\n', '\\"', '\\\\', '\\/', '\\b', '\\f', '\\r', '\\t', '\\u0041', '\\u00e9', '\\u0022', '\\u005c', '\\u0000', '\\ud83d\\ude00', '\\uD83D\ude00', '\\ud83d', '\ud83d', '\\ude00', 'u00e9')
const string = joinedOf(inString, 10).map((inside) => `"${inside}"`)
const key = fc.oneof(fc.constantFrom('"a"', '"meta"', '"__proto__"', '"paths"'), string)
const nested = fc.oneof(jsonValue.map((value) => JSON.stringify(value)), string, fc.constantFrom('{"path":"WRONG","content":"WRONG","patch":"WRONG"}', '[{"path":"WRONG"}]', '-0.5e3', 'null'))
const member = fc.tuple(key, space, nested).map(([name, between, value]) => `${between}${name}${between}:${between}${value}${between}`)
const FILE_KEYS = ['path', 'content', 'patch']
const others = fc.array(member.filter((text) => !FILE_KEYS.includes(Object.keys(JSON.parse(`{${text}}`))[0])), { maxLength: 3 })
const isWhole = (text) => JSON.parse(text).trim() !== ''

const anyCall = fc.tuple(fc.constantFrom('t', 'read file', '__proto__'), others).map(([name, members]) => ({ name, text: `{${members.join(',')}}` }))
const fileCall = fc.tuple(fc.constantFrom(...Object.keys(FILES)), others, string.filter(isWhole), string, fc.constantFrom('"path"', '"p\\u0061th"'), fc.integer({ min: 0, max: 5 })).map(([name, members, file, body, written, shift]) => {
  const [contentName] = FILES[name]
  const list = [...members]
  list.splice(shift % (list.length + 1), 0, `${written}:${file}`)
  list.splice(shift % 2 === 0 ? 0 : list.length, 0, `"${contentName}" : ${body}`)
  const { path, [contentName]: _, ...rest } = JSON.parse(`{${list.join(',')}}`)
  return { name, text: `{${list.join(',')}}`, expected: { path: JSON.parse(file), [contentName]: JSON.parse(body), ...rest } }
})
const apiCall = fc.tuple(fc.oneof(anyCall, fileCall), cuts, fc.nat(3), fc.nat(3)).map(([call, places, named, identified]) => ({ ...call, pieces: cut(call.text, places), named, identified }))
const apiCalls = fc.array(apiCall, { minLength: 1, maxLength: 4 })

/** The deltas of calls, in an order that `turns` picks; indexes count down. What begins with nothing would be a call without arguments where another follows. */
function scheduled(calls, turns) {
  const rest = calls.map((given, at) => {
    const begins = given.pieces.findIndex((_, count) => given.pieces.slice(0, count + 1).join('').trim() !== '')
    const call = { ...given, pieces: begins === 0 ? given.pieces : begins < 0 ? [given.text] : [given.pieces.slice(0, begins + 1).join(''), ...given.pieces.slice(begins + 1)] }
    const last = call.pieces.length - 1
    // The id must be known when the call is emitted, at the end of its JSON.
    const closed = call.pieces.findLastIndex((each) => each !== '')
    return call.pieces.map((argumentsDelta, place) => ({
      index: (calls.length - at) * 3,
      argumentsDelta,
      ...(place === Math.min(call.named, last) && { name: call.name }),
      ...(place === Math.max(0, Math.min(call.identified, closed)) && { callId: `call_${at}` }),
    }))
  })
  const deltas = []
  for (let turn = 0; rest.some((list) => list.length > 0); turn++) {
    const waiting = rest.filter((list) => list.length > 0)
    deltas.push(waiting[(turns[turn % turns.length] ?? 0) % waiting.length].shift())
  }
  return deltas
}

function handled(chunks, options = {}) {
  const errors = []
  const handler = new StreamingResponseHandler({ onError: (error) => errors.push(error), ...options })
  const events = [...chunks.flatMap((chunk) => handler.feed(chunk)), ...handler.finalize()]
  const open = new Set()
  const seen = new Set()
  for (const { type, segment_id: id, payload } of events) {
    if (type === 'SEGMENT_START') {
      assert.ok(!seen.has(id), `${id} starts twice`)
      open.add(id)
      seen.add(id)
    } else if (type === 'SEGMENT_CONTENT') assert.ok(open.has(id) && payload.delta !== '', `${id} has content`)
    else if (type === 'SEGMENT_END') assert.ok(open.delete(id), `${id} ends`)
  }
  assert.equal(open.size, 0)
  return { events, errors, invocations: handler.getAllInvocations() }
}

const turns = fc.array(fc.nat(7), { minLength: 1, maxLength: 30, size: 'max' })

describe('calls of an API, cut anywhere and in any order', () => {
  test('have the arguments that they were given', () => {
    holds(apiCalls, turns, (list, picks) => {
      const deltas = scheduled(list, picks)
      for (const chunks of [deltas.map((each) => ({ toolCalls: [each] })), [{ toolCalls: deltas }]]) {
        const { events, errors, invocations } = handled(chunks)
        assert.deepEqual(errors, [])
        assert.equal(invocations.length, list.length)
        const contents = new Map(extractSegments(events).map((segment) => [segment.id, segment]))
        for (const { id, callId, name, arguments: given } of invocations) {
          const call = list[Number(callId.slice(5))]
          assert.equal(name, call.name)
          same(given, call.expected ?? JSON.parse(call.text))
          const segment = contents.get(id)
          if (call.expected === undefined) assert.deepEqual([segment.type, segment.content, segment.metadata], ['tool_call', call.text, { tool_name: call.name }])
          else assert.deepEqual([segment.type, segment.content, segment.metadata], [call.name, call.expected.content ?? call.expected.patch, { tool_name: call.name, path: call.expected.path }])
        }
      }
    })
  })

  test('emit the same when the text is not cut', () => {
    holds(apiCalls, (list) => {
      const whole = list.map((call) => ({ ...call, pieces: [call.text], named: 0, identified: 0 }))
      const unit = whole.map((call) => ({ ...call, pieces: pieces(call.text, 1) }))
      const inTurn = (calls) => handled(scheduled(calls, [0]).map((each) => ({ toolCalls: [each] })))
      const expected = inTurn(whole)
      const found = inTurn(unit)
      same(coalesced(found.events), coalesced(expected.events))
      same(found.invocations, expected.invocations)
    })
  })

  test('that end too early are not called, and each is reported', () => {
    holds(apiCalls, turns, fc.nat(200), (list, picks, size) => {
      const short = list.map((call) => {
        // Without any text there is nothing that was cut off.
        const text = call.text.slice(0, Math.max(1, size % call.text.length))
        return { ...call, text, pieces: [text.slice(0, size % 5), text.slice(size % 5)] }
      })
      const { errors, invocations } = handled(scheduled(short, picks).map((each) => ({ toolCalls: [each] })))
      assert.deepEqual(invocations, [])
      assert.deepEqual(errors.map(({ code }) => code), list.map(() => 'unterminated'))
    })
  })

  test('any arguments: nothing throws, arguments are JSON, and each call is made or reported', () => {
    const junk = joinedOf(fc.oneof(inString, fc.constantFrom('"', '{"path":', '{"path":"p",', '"content":"x"', '}', '{', ':', ',', 'null', '1', ' ')), 12)
    holds(fc.array(fc.tuple(fc.constantFrom('t', 'write_file', 'edit_file'), junk, cuts), { minLength: 1, maxLength: 3 }), turns, (list, picks) => {
      const calls = list.map(([name, text, places]) => ({ name, text, pieces: cut(text, places), named: 0, identified: 0 }))
      const { events, errors, invocations } = handled(scheduled(calls, picks).map((each) => ({ toolCalls: [each] })))
      const whole = handled(scheduled(calls.map((call) => ({ ...call, pieces: [call.text] })), [0]).map((each) => ({ toolCalls: [each] })))
      const byId = (all) => [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
      same(byId(invocations), byId(whole.invocations))
      same(byId(extractSegments(events)), byId(extractSegments(whole.events)))
      assert.deepEqual(errors.map(({ code }) => code).sort(), whole.errors.map(({ code }) => code).sort())
      for (const { callId, arguments: given } of invocations) assert.ok(typeof given === 'object' && given !== null && callId !== undefined)
      assert.ok(invocations.length + errors.length >= list.length)
    })
  })
})

describe('text, reasoning and calls in one answer', () => {
  /** Types, contents and metadata of what came from text, adjacent text as one. */
  function fromText(events, foreign) {
    const emitted = []
    for (const { id, type, content: inside, metadata } of extractSegments(events)) {
      if (foreign(id, type)) continue
      if (type === 'text' && emitted.at(-1)?.[0] === 'text' && Object.keys(metadata).length === 0 && Object.keys(emitted.at(-1)[2]).length === 0) emitted.at(-1)[1] += inside
      else emitted.push([type, inside, metadata])
    }
    return emitted
  }

  test('the text is parsed as if it were alone', () => {
    const between = fc.constantFrom(undefined, { reasoning: 'r' }, 'call', { content: '', reasoning: null })
    holds(stream, cuts, fc.array(between, { minLength: 1, maxLength: 8 }), anyConfig, (text, places, fillers, config) => {
      // Reasoning in a sentinel belongs to the text; it would be indistinguishable from that of the API.
      fc.pre(!/reasoning/i.test(text))
      let calls = 0
      const chunks = cut(text, places).flatMap((chunk, at) => {
        const filler = fillers[at % fillers.length]
        if (filler === undefined) return [chunk]
        return [chunk, filler === 'call' ? { toolCalls: [{ index: calls++, name: 'api', callId: `call_${calls}`, argumentsDelta: '{}' }] } : filler]
      })
      const { events, errors, invocations } = handled(chunks, { config })
      const alone = read([text], config)
      same(fromText(events, (id, type) => id.startsWith('call_') || type === 'reasoning'), fromText(alone.emitted, () => false))
      const bare = (list) => list.filter(({ name }) => name !== 'api').map(({ name, arguments: given }) => [name, given])
      same(bare(invocations), bare(alone.invocations))
      assert.deepEqual(errors.map(({ code }) => code).sort(), [...alone.errors, ...alone.faults].map(({ code }) => code).sort())
      assert.equal(invocations.filter(({ name }) => name === 'api').length, calls)
    })
  })
})
