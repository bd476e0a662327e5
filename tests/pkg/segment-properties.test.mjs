// What holds for any stream of segments, cut anywhere. fast-check prints the
// seed and the smallest text of what fails.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, extractSegments } from 'tokenweir'
import { cutAt, pieces, withEmpty } from './support/cuts.mjs'
import { naiveSegments } from './support/segment-naive.mjs'

const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 4_000 })
const cuts = fc.array(fc.nat(600), { maxLength: 16, size: 'max' })
const cut = (text, places) => cutAt(text, places.map((place) => place % (text.length + 1)).sort((a, b) => a - b))
const joinedOf = (unit, maxLength = 8) => fc.array(unit, { maxLength }).map((parts) => parts.join(''))

/** Reads chunks by a parser and an adapter, checks what every stream keeps to, and gives what was told. */
function read(chunks, config = {}) {
  // The parser's of a chunk come before the adapter's, so the cut decides how they mix.
  const errors = []
  const faults = []
  const parser = new StreamingParser({ ...config, onError: (error) => errors.push(error) })
  const { toolStates, jsonProfile } = config
  const adapter = new ToolInvocationAdapter({ onError: (error) => faults.push(error), ...(toolStates && { toolStates }), ...(jsonProfile && { jsonProfile }) })
  const told = []
  const invocations = []
  const take = (events) => {
    for (const event of events) {
      told.push(event)
      invocations.push(...adapter.processEventAll(event))
    }
  }
  for (const chunk of chunks) take(parser.feed(chunk))
  take(parser.finalize())
  checkProtocol(told, config)
  return { told, events: coalesced(told), errors, faults, invocations }
}

/** One segment is open at a time, ids count from one, contents aren't empty, text has no text beside it; only a sentinel makes texts of its own. */
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
      if (kind === 'text' && last === 'text' && !hasOwnTexts) assert.fail(`${id} is text behind text`)
      open = id
      last = kind
    } else if (type === 'SEGMENT_CONTENT') {
      if (id !== open || payload.delta === '') assert.fail(`${JSON.stringify(event)} inside ${open}`)
    } else if (type === 'SEGMENT_END') {
      if (id !== open || Object.keys(payload).length > 0) assert.fail(`${JSON.stringify(event)} inside ${open}`)
      open = undefined
    } else if (type !== 'MARKUP' || payload.delta === '') assert.fail(JSON.stringify(event))
  }
  if (open !== undefined) assert.fail(`${open} is never closed`)
}

/** Events without markup and spans, neighbouring contents joined: what cuts must not change. */
function coalesced(events) {
  const entries = []
  for (const { span, ...event } of events) {
    const last = entries.at(-1)
    if (event.type === 'MARKUP') continue
    if (event.type === 'SEGMENT_CONTENT' && last?.type === 'SEGMENT_CONTENT') last.payload = { delta: last.payload.delta + event.payload.delta }
    else entries.push(event)
  }
  return entries
}

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

function assertTiled(events, text) {
  let at = 0
  for (const { type, payload, span } of events) {
    if (type === 'SEGMENT_START' || type === 'SEGMENT_END') {
      if (span[0] !== span[1]) assert.fail(`${type} at ${span}`)
      continue
    }
    if (span[0] !== at || payload.delta !== text.slice(...span)) assert.fail(`${JSON.stringify(payload.delta)} is said to stand at ${span}, where ${JSON.stringify(text.slice(...span))} does; the one before it ended at ${at}`)
    at = span[1]
  }
  assert.equal(at, text.length, 'contents and markup reach the end of the text')
}

function same(found, expected) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) assert.deepEqual(found, expected)
}

// Documents whose segments are known: each part has its text, its segment and
// the calls that it makes. The model knows nothing of parsing.

const TEXT = Symbol('text')
const space = fc.constantFrom('', '', ' ', '\n', '\n  ', '\t')
const quote = fc.constantFrom('"', "'")
const anyCase = (text) => fc.constantFrom(text, text, text.toUpperCase(), text[0] + text.slice(1, 2).toUpperCase() + text.slice(2))
const isFree = (content, closer) => (content + closer).toLowerCase().indexOf(closer.toLowerCase()) === content.length
const withCase = (text, pattern) => fc.boolean().map((isUpper) => (isUpper ? text.replaceAll(pattern, (name) => name.toUpperCase()) : text))

/** What may stand in any content: fronts of every closer, of every marker, markup of the other strategies. */
const scrap = fc.constantFrom(
  'a', 'b', ' ', '\n', '\r\n', 'é', '水', '🙂', '\u0130', '\ud83d', '"', "'", '\\', '&', '&lt;', '<', '</', '</t', '</tool', '</too>', '</run_bas', '</write_file', '<b>', '<run_bash>', '<write_file path="p">', '<tool name="t">', '</a',
  '</arg', '</arg>', '</ARG>', '</arguments>', '__START_CONTENT__', '__END_CONTENT__', '__END_CON', '__END_', '[', '[[', '[[SEG_E', '[[SEG_START {"type":"tool"}]]', ']]', '{', '}', '{"tool":{"function":"f"}}', '```\n', '`', 'x = 1',
)
const content = joinedOf(scrap)

const path = fc.tuple(fc.constantFrom('/', 'a', 'é', '🙂'), joinedOf(fc.constantFrom('a', '/', '.', ' ', 'é', '🙂', '>'), 5)).map((parts) => parts.join('').trim())

const bash = (command, more) => (command.trim() === '' ? [] : [['run_bash', { command, ...more }]])

const bashTag = fc.tuple(anyCase('run_bash'), fc.constantFrom(['', {}], [' background="true"', { background: true }], [" timeout_seconds = '12' background='0' other=\"a>b\"", { background: false, timeout_seconds: 12 }]), space, content)
  .filter(([, , , command]) => isFree(command, '</run_bash>'))
  .map(([name, [attributes, more], end, command]) => ({ text: `<${name}${attributes}${end}>${command}</${name}>`, segment: ['run_bash', command, more], calls: bash(command, more) }))

const fileTag = fc.tuple(anyCase('write_file'), quote, path, content)
  .filter(([, , , body]) => isFree(body, '</write_file>'))
  .map(([name, mark, file, body]) => ({ text: `<${name} x="1" path=${mark}${file}${mark}>${body}</${name}>`, segment: ['write_file', body, { path: file }], calls: [['write_file', { path: file, content: body }]] }))

const argument = fc.tuple(fc.constantFrom('p', 'q', 'some name', '__proto__'), fc.array(scrap, { maxLength: 5 }).map((parts) => parts.join('').trim()))
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const generic = fc.tuple(fc.constantFrom('read', 'Read File', 'write_files'), fc.uniqueArray(argument, { maxLength: 3, selector: ([name]) => name }), space, fc.boolean())
  .map(([name, values, between, isWrapped]) => {
    const inside = values.map(([key, value]) => `${between}<arg name="${key}">${between}${escaped(value)}${between}</arg>`).join('')
    const body = isWrapped ? `${between}<arguments>${inside}</arguments>${between}` : inside
    return { text: `<tool name="${name}">${body}</tool>`, segment: ['tool_call', body, { tool_name: name }], calls: [[name, Object.fromEntries(values)]] }
  })

const FILES = { write_file: ['content', 'CONTENT'], patch_file: ['patch', 'PATCH'], edit_file: ['patch', 'PATCH'] }

/** What is content with and without markers. */
const marked = fc.tuple(content, fc.constantFrom('', '\n', '\r\n'), space, space).filter(([body, newline]) => {
  const isEnded = /__END_CONTENT__\s*<\/arg>/i.test(body) || /<\/arg>\s*<\/(arguments|tool)>/i.test(body)
  return !isEnded && (newline !== '' || !/^(\n|\r\n)/.test(body))
})
const unmarked = content.filter((body) => isFree(body, '</arg>') && !body.trimStart().startsWith('__START_'))

const fileTool = fc.tuple(fc.constantFrom(...Object.keys(FILES)), fc.oneof(unmarked.map((body) => ({ body })), marked.map(([body, newline, before, behind]) => ({ body, newline, before, behind }))), path, space, fc.constantFrom('path first', 'content first', 'others too', 'no content'), fc.boolean())
  .chain(([name, { body, newline, before, behind }, file, between, order, isWrapped]) => {
    const [contentName, marker] = FILES[name]
    const isEmpty = order === 'no content'
    const value = newline === undefined ? body : `${before}__START_${marker}__${newline}${body.replaceAll('_CONTENT__', `_${marker}__`)}__END_${marker}__${behind}`
    const real = isEmpty ? '' : newline === undefined ? body : body.replaceAll('_CONTENT__', `_${marker}__`)
    const args = { path: `<arg name="path">${between}${file}${between}</arg>`, content: `<arg name='${contentName}' >${value}</arg>`, other: '<arg name="other">x</arg>' }
    const listed = { 'path first': [args.path, args.content], 'content first': [args.content, args.path], 'others too': [args.other, args.path, args.other, args.content, args.other], 'no content': [args.other, args.path] }[order]
    const inside = listed.map((each) => each + between).join('')
    return anyCase(name).map((written) => ({
      text: `<tool name="${written}">${between}${isWrapped ? `<arguments>${inside}</arguments>` : inside}</tool>`,
      segment: [name, real, { tool_name: written, path: file }],
      calls: [[name, { path: file, [contentName]: real }]],
    }))
  })

const bashTool = fc.tuple(content, space, fc.boolean())
  .filter(([command]) => isFree(command, '</arg>'))
  .map(([command, between, hasOther]) => ({
    text: `<tool name="run_bash">${between}<arg name="command">${command}</arg>${between}${hasOther ? '<arg name="background">true</arg>' : ''}</tool>`,
    segment: ['run_bash', command, { tool_name: 'run_bash' }],
    calls: bash(command),
  }))

const STATES = {
  note: { segmentType: 'note', contentArg: 'body', startWhen: ['title'], metadataArgs: ['tag'], startMarker: '[[[', endMarker: ']]]' },
  // Its markers begin with halves of pairs that other characters have too.
  memo: { segmentType: 'memo', contentArg: 'body', startMarker: '🙂é', endMarker: '🙃é' },
}
const own = fc.tuple(path, unmarked.filter((body) => !body.trimStart().startsWith('[')), fc.boolean(), fc.boolean()).map(([title, body, hasTag, isMarked]) => ({
  text: `<tool name="note">${hasTag ? '<arg name="tag">t</arg>' : ''}<arg name="title">${title}</arg><arg name="body">${isMarked ? `[[[\n${body}]]]` : body}</arg></tool>`,
  segment: ['note', body, { tool_name: 'note', title, ...(hasTag && { tag: 't' }) }],
  calls: [['note', { title, ...(hasTag && { tag: 't' }), body }]],
}))

const proseOf = (...units) => joinedOf(fc.constantFrom('a', ' ', '\n', '. ', 'é', '🙂', '\ud83d', '> ', '(x)', ...units), 6).map((text) => ({ text, segment: TEXT, calls: [] }))
const xmlProse = proseOf('<', '< ', '</', '</tool>', '</run_bash>', '<b>', '<b a="<">', '<toolbar>', '<tools name="x">', '<write_files path="y">', '<run_bashful>', '<write_file>', '<tool>', '<tool x="name">', '&lt;', '{"a":1}', '{"tool":{}}', '[[', '"', "'", '`', '```\n')
const memo = fc.tuple(joinedOf(fc.oneof(scrap, fc.constantFrom('🙂', '🙃', '🙃🙃', '🙃e', '</arg>'))), space).filter(([body]) => !/🙃é\s*<\/arg>/i.test(body) && !/<\/arg>\s*<\/(arguments|tool)>/i.test(body)).map(([body, between]) => ({
  text: `<tool name="memo">${between}<arg name="body">${between}🙂é\n${body}🙃é${between}</arg>${between}</tool>`,
  segment: ['memo', body, { tool_name: 'memo' }],
  calls: [['memo', { body }]],
}))
const xmlPart = fc.oneof(memo, xmlProse, bashTag, fileTag, generic, { weight: 3, arbitrary: fileTool }, bashTool, own)

const jsonValue = fc.oneof(fc.constantFrom(1, -0.5e-9, true, null, 'x', '}]"\\', '🙂', [], {}, [1, ['a']], { a: { b: [null] } }, '\ud83d'), fc.string({ maxLength: 4 }))
const values = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'path'), fc.string({ maxLength: 3 })), jsonValue, { maxKeys: 3 }).map((value) => JSON.parse(JSON.stringify(value)))
const toolName = fc.constantFrom('f', 'read_file', 'g"}]', '__proto__')
const oneCall = fc.tuple(toolName, values, fc.boolean())
const indent = fc.constantFrom(undefined, 1, '\t')
const jsonProse = (...units) => proseOf('{', '}', ']', '[1, 2]', '{x}', '{ }', "'", '<run_bash>', '```json\n', ':', ',', '{"foo": {"tool": {"function": 1}}}', '{"id":1,"tool":{}}', ...units)

/** Tools of each profile. */
const JSON_TOOLS = {
  openai: fc.tuple(fc.array(oneCall, { minLength: 1, maxLength: 3 }), fc.constantFrom('tool', 'tool_calls', 'tools', 'function', 'list'), indent).map(([all, shape, step]) => {
    const used = shape === 'tool' || shape === 'function' ? all.slice(0, 1) : all
    const inner = used.map(([name, given, isString]) => ({ name, arguments: isString ? JSON.stringify(given) : given }))
    const wrapped = inner.map((each) => ({ function: each }))
    const value = { tool: { tool: inner[0] }, function: { function: inner[0] }, tool_calls: { tool_calls: wrapped }, tools: { tools: inner }, list: wrapped }[shape]
    return jsonTool(value, used, step)
  }),
  gemini: fc.tuple(fc.array(oneCall, { minLength: 1, maxLength: 3 }), fc.boolean(), indent).map(([all, isList, step]) => {
    const used = isList ? all : all.slice(0, 1)
    const list = used.map(([name, args]) => ({ name, args }))
    return jsonTool(isList ? list : list[0], used, step)
  }),
  default: fc.tuple(oneCall, fc.boolean(), indent).map(([call, isNamed, step]) => {
    const [name, parameters] = call
    return jsonTool({ tool: { function: isNamed ? { name } : name, parameters } }, [call], step)
  }),
}

function jsonTool(value, used, step) {
  const text = JSON.stringify(value, null, step)
  return { text, segment: ['tool_call', text, undefined], calls: used.map(([name, given]) => [name, given]) }
}

const header = fc.tuple(fc.constantFrom('write_file', 'patch_file', 'edit_file', 'run_bash', 'reasoning', 'text', 'tool', 'tool_call'), fc.dictionary(fc.constantFrom('path', 'k', '__proto__', 'segment_id', 'type]]', '1'), fc.oneof(jsonValue, fc.constantFrom(']]', '[[SEG_END]]', [[[1]]])), { maxKeys: 3 }), indent)
const sentinel = fc.tuple(header, content, space, space).filter(([, body]) => isFree(body, '[[SEG_END]]')).map(([[type, more, step], body, before, behind]) => {
  const written = JSON.stringify({ type, ...more }, null, step)
  const { type: kind, ...metadata } = JSON.parse(written)
  return { text: `[[SEG_START${before}${written}${behind}]]${body}[[SEG_END]]`, segment: [kind === 'tool' ? 'tool_call' : kind, body, metadata], calls: undefined }
})
const sentinelProse = proseOf('[', '[[', '[[SEG', '[[SEG_', '[[SEG_END]]', ']]', '{"a":1}', '<tool name="x">', '<run_bash>')

const parts = (part) => fc.array(part, { maxLength: 6 })
const DOCUMENTS = {
  xml: [parts(xmlPart), { toolStates: STATES }],
  'JSON, openai': [parts(fc.oneof(jsonProse(), JSON_TOOLS.openai)), { strategy: 'json', jsonProfile: 'openai' }],
  'JSON, gemini': [parts(fc.oneof(jsonProse(), JSON_TOOLS.gemini)), { strategy: 'json', jsonProfile: 'gemini' }],
  'JSON, default': [parts(fc.oneof(jsonProse('[', '[ '), JSON_TOOLS.default)), { strategy: 'json', jsonProfile: 'default' }],
  sentinel: [parts(fc.oneof(sentinelProse, sentinel)), { strategy: 'sentinel' }],
}

/** The segments of parts: neighbouring text is one. */
function modelOf(list) {
  const told = []
  for (const { text, segment } of list) {
    if (segment !== TEXT) told.push(segment)
    else if (text !== '' && told.at(-1)?.[3] === TEXT) told.at(-1)[1] += text
    else if (text !== '') told.push(['text', text, {}, TEXT])
  }
  return told.map(([type, inside, metadata], at) => ({ id: `seg_${at + 1}`, type, content: inside, metadata: metadata ?? {} }))
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
          assert.ok(faults.every(({ code }) => code === 'missing-argument'), JSON.stringify(faults))
          assert.equal(new Set(invocations.map(({ id }) => id)).size, invocations.length)
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

  test('of all strategies at once, each tool of each is found', () => {
    const plain = proseOf('<b>', '&', '"')
    const part = fc.oneof(plain, bashTag, fileTool, generic, JSON_TOOLS.default, sentinel)
    const config = { strategyOrder: ['sentinel', 'xml_tag', 'json_tool'] }
    holds(parts(part), cuts, (list, places) => {
      for (const chunks of [[textOf(list)], cut(textOf(list), places), pieces(textOf(list), 1)]) same(extractSegments(read(chunks, config).events), modelOf(list))
    })
  })

  test('that ends too early calls nothing in its last segment, and says so', () => {
    for (const [document, config] of Object.values(DOCUMENTS)) {
      fc.assert(
        fc.property(document, fc.nat(500), cuts, (list, size, places) => {
          const before = list.slice(0, -1)
          fc.pre(list.length > 0 && list.at(-1).segment !== TEXT)
          const last = list.at(-1).text
          const text = textOf(before) + last.slice(0, Math.min(size, last.length - 1))
          const { told, errors, invocations } = read(cut(text, places), config)
          const expected = modelOf(before)
          const count = before.flatMap(({ calls }) => calls ?? []).length
          if (before.every(({ calls }) => calls !== undefined)) assert.equal(invocations.length, count)
          const found = extractSegments(told)
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

const fragment = fc.constantFrom(
  '<tool name="t">', "<tool name='write_file'>", '<tool name="PATCH_FILE">', '<tool name="run_bash">', '<tool name="note">', '<tool name="memo">', '<tool>', '<tool name="t"/>', '<tool name="write_file"/>', '<tool name="', '<tool ', '</tool>', '</TOOL>',
  '<arguments>', '</arguments>', '<arg name="path">', '<arg name="content">', '<arg name="patch">', '<arg name="command">', '<arg name="title">', '<arg name="body">', '<arg name="x">', '<arg name="path"/>', '<arg name="content"/>', '<arg>', '</arg>', '</ARG >',
  '__START_CONTENT__', '__END_CONTENT__', '__START_PATCH__', '__END_PATCH__', '[[[', ']]]', '🙂é', '🙃é', '🙃', '<run_bash>', '<run_bash timeout_seconds="1">', '<run_bash/>', '</run_bash>', '<write_file path="p">', '<write_file path="">', '<write_file>', '</write_file>',
  '[[SEG_START {"type":"run_bash"}]]', '[[SEG_START {"type":"text"}]]', '[[SEG_START {"type":"nope"}]]', '[[SEG_START ', '[[SEG_START {"type":', '"tool"}]]', '[[SEG_END]]', '[[seg_end]]', '{"tool":', '{"function":"f"}', '{"name":"f"}', '[{"tool":{}}', '{"a":', '{"a":"', '\\"', '"}', '}', ']', '{', '[', ',', ':', '"', "'", '1', 'null',
  '\n', ' ', '\r\n', '```\n', '\n```', '~~~\n', '`', '``', '<', '>', '</', '&lt;', '&', '<![CDATA[', ']]>', '\ud83d', '\ude00', '🙂', '\u0130', 'path', 'x',
)
const wholePart = fc.oneof(xmlPart, JSON_TOOLS.openai, JSON_TOOLS.gemini, JSON_TOOLS.default, sentinel).map(({ text }) => text)
const piece = fc.oneof({ weight: 6, arbitrary: fragment }, { weight: 3, arbitrary: wholePart }, { weight: 2, arbitrary: fc.tuple(wholePart, fc.nat(80)).map(([text, size]) => text.slice(0, size)) }, { weight: 1, arbitrary: fc.tuple(wholePart, fc.nat(40)).map(([text, from]) => text.slice(from)) })
const nearly = fc.tuple(joinedOf(wholePart, 3), fc.nat(300), fc.nat(300), joinedOf(fragment, 3), fc.nat(300)).map(([text, from, size, between, end]) => {
  const at = Math.min(from, text.length)
  const whole = text.slice(0, at) + between + text.slice(at + (size % 12))
  return end % 3 === 0 ? whole.slice(0, end) : whole
})
const stream = fc.oneof(nearly, fc.array(piece, { maxLength: 14, size: 'max' }).map((all) => all.join('')))

const order = fc.constantFrom(['xml_tag'], ['xml_tag'], ['json_tool'], ['sentinel'], ['xml_tag', 'json_tool', 'sentinel'], ['json_tool', 'sentinel', 'xml_tag'], ['sentinel', 'json_tool'])
const anyConfig = fc.tuple(order, fc.constantFrom('openai', 'gemini', 'default', ['{"a":', '[{"a":']), fc.constantFrom('parse', 'parse', 'text'), fc.boolean()).map(([strategyOrder, jsonProfile, fences, hasStates]) => ({ strategyOrder, jsonProfile, fences, ...(hasStates && { toolStates: STATES }) }))
const many = (...args) => fc.assert(fc.property(...args), { numRuns: 15_000 })

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
      same(extractSegments(events), naiveSegments(text, config))
    })
  })

  test('long texts too, of which one chunk makes more records than one call gives', () => {
    const repeated = fc.tuple(piece, fc.integer({ min: 1, max: 60 })).map(([text, count]) => text.repeat(count))
    const long = fc.array(fc.oneof(piece, repeated), { minLength: 100, maxLength: 400, size: 'max' }).map((all) => all.join(''))
    fc.assert(
      fc.property(long, fc.array(fc.nat(100_000), { maxLength: 8 }), anyConfig, (text, places, config) => {
        const whole = read([text], { ...config, spans: true })
        assertTiled(whole.told, text)
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

  test('nothing is lost: contents and markup tile the text, whatever the cut, and spans change nothing', () => {
    many(stream, cuts, anyConfig, (text, places, config) => {
      const plain = read([text], config)
      const whole = read([text], { ...config, spans: true })
      same(whole.events, plain.events)
      same(whole.errors, plain.errors)
      assertTiled(whole.told, text)
      for (const chunks of [cut(text, places), pieces(text, 1)]) {
        const { told } = read(chunks, { ...config, spans: true })
        assertTiled(told, text)
        same(stretches(told), stretches(whole.told))
      }
    })
  })

  test('errors say what stands where', () => {
    const CODES = ['unterminated', 'bad-tag', 'bad-header', 'missing-argument']
    many(stream, cuts, anyConfig, (text, places, config) => {
      const errors = []
      const parser = new StreamingParser({ ...config, onError: (error) => errors.push(error) })
      const events = [...cut(text, places).flatMap((chunk) => parser.feed(chunk)), ...parser.finalize()]
      const ids = new Set(events.map((event) => event.segment_id))
      for (const { code, message, raw, span, segmentId } of errors) {
        assert.ok(CODES.includes(code) && message.length > 0)
        assert.equal(raw, text.slice(...span))
        assert.ok(segmentId === null || ids.has(segmentId))
      }
    })
  })

  test('what is unterminated is never called, but with acceptUnterminated it counts', () => {
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

  test('ids are the places of segments, and of their calls', () => {
    holds(stream, cuts, anyConfig, (text, places, config) => {
      const { events, invocations } = read(cut(text, places), config)
      const starts = events.filter(({ type }) => type === 'SEGMENT_START').map((event) => event.segment_id)
      assert.deepEqual(starts, starts.map((_, at) => `seg_${at + 1}`))
      const numbers = invocations.map(({ id }) => id)
      assert.equal(new Set(numbers).size, numbers.length)
      for (const id of numbers) assert.ok(starts.includes(id.replace(/\.\d+$/, '')))
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

  test('text without markup is told with the chunk it came in, but for half a character', () => {
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

  test('the handler gives the same, and the adapter what the handler gives', () => {
    holds(stream, cuts, anyConfig, (text, places, config) => {
      const { told, errors, faults, invocations } = read(cut(text, places), config)
      const seen = []
      const handler = new StreamingResponseHandler({ config, onError: (error) => seen.push(error) })
      for (const chunk of cut(text, places)) handler.feed({ content: chunk })
      handler.finalize()
      same(handler.getAllEvents(), told)
      same(handler.getAllInvocations(), invocations)
      const byPlace = (list) => list.map((each) => JSON.stringify(each)).sort()
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
const fileCall = fc.tuple(fc.constantFrom(...Object.keys(FILES)), others, string.filter(isWhole), fc.option(string, { nil: undefined }), fc.constantFrom('"path"', '"p\\u0061th"'), fc.integer({ min: 0, max: 5 })).map(([name, members, file, body, written, shift]) => {
  const [contentName] = FILES[name]
  const list = [...members]
  list.splice(shift % (list.length + 1), 0, `${written}:${file}`)
  if (body !== undefined) list.splice(shift % 2 === 0 ? 0 : list.length, 0, `"${contentName}" : ${body}`)
  return { name, text: `{${list.join(',')}}`, expected: { path: JSON.parse(file), [contentName]: body === undefined ? '' : JSON.parse(body) } }
})
const apiCall = fc.tuple(fc.oneof(anyCall, fileCall), cuts, fc.nat(3), fc.nat(3)).map(([call, places, named, identified]) => ({ ...call, pieces: cut(call.text, places), named, identified }))
const apiCalls = fc.array(apiCall, { minLength: 1, maxLength: 4 })

/** The deltas of calls, in an order that `turns` picks; indexes count down. */
function scheduled(calls, turns) {
  const rest = calls.map((call, at) => {
    const last = call.pieces.length - 1
    // The id has to be there when the call is told, which is when its JSON is closed.
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

  test('tell the same when nothing is cut', () => {
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
        const text = call.text.slice(0, size % call.text.length)
        return { ...call, text, pieces: [text.slice(0, size % 5), text.slice(size % 5)] }
      })
      const { errors, invocations } = handled(scheduled(short, picks).map((each) => ({ toolCalls: [each] })))
      assert.deepEqual(invocations, [])
      assert.deepEqual(errors.map(({ code }) => code), list.map(() => 'unterminated'))
    })
  })

  test('any arguments at all: nothing throws, what is called is JSON, and each call is called or reported', () => {
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
  /** Types, contents and metadata of what came from text, neighbouring text as one. */
  function fromText(events, foreign) {
    const told = []
    for (const { id, type, content: inside, metadata } of extractSegments(events)) {
      if (foreign(id, type)) continue
      if (type === 'text' && told.at(-1)?.[0] === 'text' && Object.keys(metadata).length === 0 && Object.keys(told.at(-1)[2]).length === 0) told.at(-1)[1] += inside
      else told.push([type, inside, metadata])
    }
    return told
  }

  test('the text is read as if it were alone', () => {
    const between = fc.constantFrom(undefined, { reasoning: 'r' }, 'call', { content: '', reasoning: null })
    holds(stream, cuts, fc.array(between, { minLength: 1, maxLength: 8 }), anyConfig, (text, places, fillers, config) => {
      // Reasoning of a sentinel is text's own; it could not be told from that of the API.
      fc.pre(!/reasoning/i.test(text))
      let calls = 0
      const chunks = cut(text, places).flatMap((chunk, at) => {
        const filler = fillers[at % fillers.length]
        if (filler === undefined) return [chunk]
        return [chunk, filler === 'call' ? { toolCalls: [{ index: calls++, name: 'api', callId: `call_${calls}`, argumentsDelta: '{}' }] } : filler]
      })
      const { events, errors, invocations } = handled(chunks, { config })
      const alone = read([text], config)
      same(fromText(events, (id, type) => id.startsWith('call_') || type === 'reasoning'), fromText(alone.told, () => false))
      const bare = (list) => list.filter(({ name }) => name !== 'api').map(({ name, arguments: given }) => [name, given])
      same(bare(invocations), bare(alone.invocations))
      assert.deepEqual(errors.map(({ code }) => code).sort(), [...alone.errors, ...alone.faults].map(({ code }) => code).sort())
      assert.equal(invocations.filter(({ name }) => name === 'api').length, calls)
    })
  })
})
