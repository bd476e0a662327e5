// ToolInvocationAdapter on events made by hand: the types of arguments by their
// schema, rejected calls, and the two registries. What a text calls without a
// schema is in tests/cases/segment: tools.toml, json.toml and sentinel.toml.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { type } from 'arktype'
import * as segments from 'tokenweir/segments'
import { z } from 'zod'

const { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, registerToolSyntax, registerXmlToolParsingState, toolSyntaxOf, unregisterToolSyntax, unregisterXmlToolParsingState } = segments

const start = (type, metadata, id = 'seg_1') => ({ type: 'SEGMENT_START', segment_id: id, segment_type: type, payload: metadata === undefined ? {} : { metadata } })
const content = (delta, id = 'seg_1') => ({ type: 'SEGMENT_CONTENT', segment_id: id, payload: { delta } })
const end = (id = 'seg_1') => ({ type: 'SEGMENT_END', segment_id: id, payload: {} })

/** What one segment makes: invocations, and the errors' codes. */
function read(type, metadata, text, options = {}) {
  const errors = []
  const adapter = new ToolInvocationAdapter({ onError: (error) => errors.push(error), ...options })
  const events = [start(type, metadata), ...(text === '' ? [] : [content(text)]), end()]
  const invocations = events.flatMap((event) => adapter.processEventAll(event))
  return { invocations, errors, codes: errors.map(({ code }) => code) }
}

/** The arguments that are written in an XML tool, or the code of what is wrong. */
function argumentsOf(text, schema) {
  const { invocations, codes } = read('tool_call', { tool_name: 't' }, text, schema === undefined ? {} : { schemas: { t: schema } })
  assert.equal(invocations.length + codes.length, 1, text)
  return invocations[0]?.arguments ?? codes[0]
}

/** One argument, `x`, of a schema. */
const typed = (value, schema, more = {}) => argumentsOf(`<arg name="x">${value}</arg>`, { properties: { x: schema }, ...more }).x

describe('arguments in XML', () => {
  // No parser emits these: it rejects the tags itself.
  for (const text of ['<arg name="p">1</arg><arg name="q', '<arg name="c">a <arg name="d"> b</arg>']) {
    test(JSON.stringify(text), () => assert.deepEqual(argumentsOf(text), 'bad-arguments'))
  }

  test('keys of every object are ordinary', () => {
    const given = argumentsOf('<arg name="__proto__"><arg name="polluted">1</arg></arg><constructor>c</constructor><toString>s</toString>')
    assert.deepEqual(Object.entries(given), [['__proto__', { polluted: '1' }], ['constructor', 'c'], ['toString', 's']])
    assert.equal(Object.getPrototypeOf(given), Object.prototype)
    assert.equal({}.polluted, undefined)
    const { invocations } = read('tool_call', undefined, '{"tool":{"function":"f","parameters":{"__proto__":{"polluted":1}}}}')
    assert.deepEqual(Object.entries(invocations[0].arguments), [['__proto__', { polluted: 1 }]])
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"integer"},"x":{"properties":{"__proto__":{"type":"integer"}}}}}')
    const whole = argumentsOf('<arg name="__proto__">1</arg><x><arg name="__proto__">2</arg></x>', schema)
    assert.deepEqual(Object.entries(whole)[0], ['__proto__', 1])
    assert.deepEqual(Object.entries(whole.x), [['__proto__', 2]])
  })

  test('an inherited schema is ignored', () => {
    const schemas = Object.create({ t: { properties: { x: { type: 'integer' } } } })
    assert.deepEqual(read('tool_call', { tool_name: 't' }, '<x>1</x>', { schemas }).invocations[0].arguments, { x: '1' })
    assert.deepEqual(read('tool_call', { tool_name: 'constructor' }, '<x>1</x>').invocations, [{ id: 'seg_1', name: 'constructor', arguments: { x: '1' } }])
    const properties = Object.create({ x: { type: 'integer' } })
    assert.deepEqual(argumentsOf('<x>1</x><toString>2</toString>', { properties }), { x: '1', toString: '2' })
  })
})

describe('types', () => {
  const list = '<item>1</item><item>2</item>'
  const shape = { oneOf: [{ properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] }, { properties: { kind: { const: 'box' }, r: { type: 'string' } }, required: ['kind', 'r'] }] }
  const tree = { $defs: { node: { type: 'object', properties: { v: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#/$defs/node' } } } } } }
  for (const [what, value, schema, expected, root] of [
    ['integer', ' 3 ', { type: 'integer' }, 3],
    ['integer written as a number', '3.0', { type: 'integer' }, 3],
    ['not an integer', '3.5', { type: 'integer' }, '3.5'],
    ['integer that JSON has not', '007', { type: 'integer' }, '007'],
    ['integer that JavaScript has not', '12345678901234567890', { type: 'integer' }, '12345678901234567890'],
    ['large integer that JavaScript has', '18014398509481984', { type: 'integer' }, 18014398509481984],
    ['number', '-1.5e3', { type: 'number' }, -1500],
    ['number beyond all', '1e999', { type: 'number' }, '1e999'],
    ['number that is a word', 'NaN', { type: 'number' }, 'NaN'],
    ['empty number', '', { type: 'number' }, ''],
    ['boolean', 'true', { type: 'boolean' }, true],
    ["Python's boolean", 'False', { type: 'boolean' }, false],
    ['not a boolean', 'yes', { type: 'boolean' }, 'yes'],
    ['null', 'null', { type: 'null' }, null],
    ['string stays', '3', { type: 'string' }, '3'],
    ['string of markup', '<p>a</p>', { type: 'string' }, '<p>a</p>'],
    ['string of a list', list, { type: 'string' }, list],
    ['string of JSON', '{"a":1}', { type: 'string' }, '{"a":1}'],
    ['array', list, { type: 'array', items: { type: 'integer' } }, [1, 2]],
    ['array without items', list, { type: 'array' }, ['1', '2']],
    ['array of JSON', '[1, "2", [3]]', { type: 'array', items: { type: 'string' } }, [1, '2', [3]]],
    ['array of bad JSON', '[1, ]', { type: 'array' }, '[1, ]'],
    ['array of a JSON object', '{"a":1}', { type: 'array' }, '{"a":1}'],
    ['array of nothing', '', { type: 'array' }, []],
    ['array of one text', 'a', { type: 'array' }, 'a'],
    ['array of an object', '<a>1</a>', { type: 'array' }, '<a>1</a>'],
    ['array with one bad element', '<item>1</item><item>b</item>', { type: 'array', items: { type: 'integer' } }, [1, 'b']],
    ['items only', list, { items: { type: 'number' } }, [1, 2]],
    ['prefixItems', list + '<item>3</item>', { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: { type: 'boolean' } }, ['1', 2, '3']],
    ["draft 4's items", list + '<item>true</item>', { items: [{ type: 'integer' }], additionalItems: { type: 'boolean' } }, [1, '2', true]],
    ['items of two schemas', list, { items: { type: ['integer', 'string'] }, allOf: [{ items: { type: 'integer' } }] }, [1, 2]],
    ['object', '<a>1</a><b>2</b>', { type: 'object', properties: { a: { type: 'integer' } } }, { a: 1, b: '2' }],
    ['object of JSON', '{"a": "1"}', { type: 'object', properties: { a: { type: 'integer' } } }, { a: '1' }],
    ['object of nothing', '', { type: 'object' }, {}],
    ['object of a list', list, { type: 'object' }, list],
    ['object with a field "item"', list, { type: 'object', properties: { item: { type: 'array', items: { type: 'integer' } } } }, { item: [1, 2] }],
    ['object of text', 'a b', { type: 'object' }, 'a b'],
    ['integer of an object', '<a>1</a>', { type: 'integer' }, '<a>1</a>'],
    ['additionalProperties', '<a>1</a>', { additionalProperties: { type: 'integer' } }, { a: 1 }],
    ['patternProperties', '<n_1>1</n_1><m>1</m>', { type: 'object', patternProperties: { '^n_': { type: 'integer' }, '(': { type: 'null' } } }, { n_1: 1, m: '1' }],
    ['fields that come again', '<a>1</a><a>2</a>', { properties: { a: { type: 'array', items: { type: 'integer' } } } }, { a: [1, 2] }],
    ['fields that come again, and no array', '<a>1</a><a>2</a>', { properties: { a: { type: 'integer' } } }, { a: 2 }],
    ['type list', '3', { type: ['integer', 'null'] }, 3],
    ['type list, null', 'null', { type: ['string', 'null'] }, null],
    ['type list, the rest', 'x', { type: ['integer', 'string'] }, 'x'],
    ['type list, a number before a string', '3', { type: ['string', 'integer'] }, 3],
    ['type list, an empty string before an empty list', '', { type: ['array', 'string'] }, ''],
    ['nullable', 'null', { type: 'integer', nullable: true }, null],
    ['not nullable', 'null', { type: 'integer' }, 'null'],
    ['nullable enum', 'null', { enum: ['a'], nullable: true }, null],
    ['enum of strings', '1', { enum: ['1', '2'] }, '1'],
    ['enum of numbers', '1.0', { enum: [1, 2] }, 1],
    ['enum of anything', 'null', { enum: ['a', null, false] }, null],
    ['enum without it', '3', { type: 'integer', enum: [1, 2] }, '3'],
    ['enum of objects says nothing but the type', '{"a":2}', { type: 'object', enum: [{ a: 1 }] }, { a: 2 }],
    ['const', 'true', { const: true }, true],
    ['const of a string', 'true', { const: 'true' }, 'true'],
    ['anyOf', '3', { anyOf: [{ type: 'boolean' }, { type: 'integer' }] }, 3],
    ['anyOf, an enum before a number', '3', { anyOf: [{ type: 'integer' }, { enum: ['3'] }] }, '3'],
    ['anyOf of nothing that fits', 'x', { anyOf: [{ type: 'boolean' }, { type: 'integer' }] }, 'x'],
    ['anyOf with false', '3', { anyOf: [false, { type: 'integer' }] }, 3],
    ['anyOf beside properties', '<a>1</a><b>2</b>', { properties: { a: { type: 'integer' } }, anyOf: [{ properties: { b: { type: 'integer' } } }] }, { a: 1, b: 2 }],
    ['oneOf by a const', '<kind>box</kind><r>1</r>', shape, { kind: 'box', r: '1' }],
    ['oneOf by another', '<kind>circle</kind><r>1</r>', shape, { kind: 'circle', r: 1 }],
    ['oneOf by what is required', '<b>1</b>', { oneOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: { type: 'integer' } }, required: ['b'] }] }, { b: 1 }],
    ['oneOf by what is refused', '<b>1</b>', { oneOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { b: { type: 'integer' } } }] }, { b: 1 }],
    ['allOf', '<a>1</a><b>2</b>', { allOf: [{ properties: { a: { type: 'integer' } } }, { properties: { b: { type: 'integer' } } }] }, { a: 1, b: 2 }],
    ['allOf of one type', '3', { allOf: [{ type: 'number' }, { type: ['integer', 'string'] }] }, 3],
    ['allOf of what excludes itself', '3', { allOf: [{ type: 'number' }, { type: 'string' }] }, '3'],
    ['true', '3', true, '3'],
    ['false', '3', false, '3'],
    ['nothing said', '3', { description: 'any' }, '3'],
    ['a type that there is not', '3', { type: 'decimal' }, '3'],
    ['a type by the name that Python has for it', '3', { type: 'int' }, 3],
    ['$ref', '3', { $ref: '#/$defs/a~1b%20c' }, 3, { $defs: { 'a/b c': { type: 'integer' } } }],
    ['$ref to $ref', '3', { $ref: '#/$defs/a' }, 3, { $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'integer' } } }],
    ['$ref to itself', '3', { $ref: '#/$defs/a' }, '3', { $defs: { a: { $ref: '#/$defs/a' } } }],
    ['$ref to what is not there', '3', { $ref: '#/$defs/toString' }, '3', { $defs: {} }],
    ['$ref to another document', '3', { $ref: 'https://example.com/a' }, '3'],
    ['$ref with a broken escape', '3', { $ref: '#/$defs/%' }, 3, { $defs: { '%': { type: 'integer' } } }],
    ['$ref in a circle', '3', { $ref: '#/$defs/a' }, 3, { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'integer' }] }, b: { allOf: [{ $ref: '#/$defs/a' }] } } }],
    ['a tree', '<v>1</v><kids><item><v>2</v><kids></kids></item></kids>', { $ref: '#/$defs/node' }, { v: 1, kids: [{ v: 2, kids: [] }] }, tree],
    ['the root again', '<x>3</x>', { $ref: '#' }, { x: '3' }],
  ]) {
    test(`${what}: ${JSON.stringify(value)}`, () => assert.deepEqual(typed(value, schema, root), expected))
  }

  test('of all arguments', () => {
    assert.deepEqual(argumentsOf('<a>1</a><b>2</b>', { anyOf: [{ properties: { a: { type: 'integer' } }, additionalProperties: false }, { properties: { b: { type: 'integer' }, a: { type: 'string' } } }] }), { a: '1', b: 2 })
    assert.deepEqual(argumentsOf('<item>1</item>', { properties: { item: { type: 'integer' } } }), { item: 1 })
    for (const schema of [true, false, {}, { type: 'array' }, { $ref: '#' }]) assert.deepEqual(argumentsOf('<a>1</a>', schema), { a: '1' }, JSON.stringify(schema))
  })

  test('JSON has its types already', () => {
    const schemas = { f: { properties: { x: { type: 'integer' } } } }
    assert.deepEqual(read('tool_call', undefined, '{"tool":{"function":"f","parameters":{"x":"1"}}}', { schemas }).invocations[0].arguments, { x: '1' })
    assert.deepEqual(read('tool_call', { tool_name: 'f' }, '{"x":"1"}', { schemas }).invocations[0].arguments, { x: '1' })
  })

  test('a schema that contains itself ends, however deep the text', () => {
    const expression = { properties: { op: { type: 'string' } }, anyOf: [{ properties: { left: { $ref: '#' }, right: { $ref: '#' } } }, { properties: { left: { $ref: '#' }, value: { type: 'integer' } } }] }
    let text = '<value>1</value>'
    for (let depth = 0; depth < 60; depth++) text = `<op>+</op><left>${text}</left>`
    let value = argumentsOf(text, expression)
    for (let depth = 0; depth < 60; depth++) value = value.left
    assert.deepEqual(value, { value: 1 })
    const self = { additionalProperties: { anyOf: [{ type: 'string' }, { $ref: '#' }] } }
    for (const [deep, expected] of [[62, 62], [2_000, 64]]) {
      for (const schema of [undefined, self]) {
        let depth = 0
        for (let value = argumentsOf(schema === undefined ? `${'<arg name="a">'.repeat(deep)}x${'</arg>'.repeat(deep)}` : `${'<a>'.repeat(deep)}x${'</a>'.repeat(deep)}`, schema); typeof value === 'object'; value = value.a) depth++
        assert.equal(depth, expected)
      }
    }
  })

  test('alternatives of alternatives do not multiply', () => {
    const many = { anyOf: Array.from({ length: 30 }, (_, at) => ({ properties: { [`p${at}`]: { $ref: '#/$defs/many' } }, required: [`p${at}`] })) }
    const bits = { allOf: Array.from({ length: 24 }, () => ({ anyOf: [{ type: 'string' }, { type: 'integer' }] })) }
    let text = 'leaf'
    for (let depth = 0; depth < 20; depth++) text = `<p${depth}>${text}</p${depth}>`
    const before = performance.now()
    const found = argumentsOf(`<many>${text}</many><bits>3</bits>`, { properties: { many: { $ref: '#/$defs/many' }, bits }, $defs: { many } })
    assert.equal(JSON.stringify(found.many).match(/"p\d+"/g).length, 20)
    assert.equal(found.bits, 3)
    assert.ok(performance.now() - before < 2_000)
  })
})

describe('calls in JSON', () => {
  test('with signatures of your own, `arguments` are before `args` and `parameters`', () => {
    const { invocations } = read('tool_call', undefined, '{"name":"f","args":{"a":1},"arguments":{"a":2},"parameters":{"a":3}}', { jsonProfile: ['{"name":'] })
    assert.deepEqual(invocations, [{ id: 'seg_1', name: 'f', arguments: { a: 2 } }])
  })

  test("ids are the segment's, then .2 and so on, by the place among the calls", () => {
    const { invocations, errors } = read('tool_call', undefined, '[{"name":"a","parameters":1},{"name":"b"},{"name":"c"}]')
    assert.deepEqual(invocations, [{ id: 'seg_1.2', name: 'b', arguments: {} }, { id: 'seg_1.3', name: 'c', arguments: {} }])
    assert.deepEqual(errors.map(({ code, segmentId, span }) => [code, segmentId, span]), [['bad-arguments', 'seg_1', [0, 0]]])
    const adapter = new ToolInvocationAdapter()
    for (const event of [start('tool_call'), content('[{"name":"a"},{"name":"b"}]')]) assert.equal(adapter.processEvent(event), null)
    assert.deepEqual(adapter.processEvent(end()), { id: 'seg_1', name: 'a', arguments: {} })
  })

  test('a value deeper than the stack', () => {
    const deep = `${'['.repeat(200_000)}{"name":"f"}${']'.repeat(200_000)}`
    assert.deepEqual(read('tool_call', undefined, deep).invocations, [{ id: 'seg_1', name: 'f', arguments: {} }])
    const { invocations } = read('tool_call', { tool_name: 'f' }, `<x>${deep}</x>`, { schemas: { f: { properties: { x: { type: 'array', items: { type: 'integer' } } } } } })
    assert.ok(Array.isArray(invocations[0].arguments.x))
  })
})

describe('segments of tools', () => {
  test('of an unknown type', () => {
    assert.deepEqual(read('mail', { tool_name: 't' }, '<a>1</a>').invocations, [{ id: 'seg_1', name: 't', arguments: { a: '1' } }])
  })

  test('the required argument comes first', () => {
    assert.deepEqual(Object.keys(read('run_bash', { background: true }, 'ls').invocations[0].arguments), ['command', 'background'])
    assert.deepEqual(Object.keys(read('write_file', { path: 'a' }, 'x').invocations[0].arguments), ['path', 'content'])
  })

  test('text and reasoning are not tools, and neither is markup', () => {
    const adapter = new ToolInvocationAdapter()
    for (const type of ['text', 'reasoning']) {
      for (const event of [start(type, { tool_name: 't' }), content('{"name":"f"}'), end()]) assert.deepEqual(adapter.processEventAll(event), [])
    }
    const markup = { type: 'MARKUP', segment_id: null, payload: { delta: '<tool name="t">' }, span: [0, 15] }
    const inside = { ...markup, segment_id: 'seg_1' }
    const events = [markup, start('run_bash'), inside, content('l'), inside, content('s'), end(), markup]
    assert.deepEqual(events.flatMap((event) => adapter.processEventAll(event)), [{ id: 'seg_1', name: 'run_bash', arguments: { command: 'ls' } }])
  })

  test('ids that are not open are passed over; a start takes the place of an open one; segments may overlap', () => {
    const adapter = new ToolInvocationAdapter({ onError: assert.fail })
    const events = [content('x'), end(), start('run_bash'), content('old'), start('run_bash', undefined, 'seg_2'), start('run_bash'), content('ls'), content('pwd', 'seg_2'), end(), end(), end('seg_2')]
    const invocations = events.flatMap((event) => adapter.processEventAll(event))
    assert.deepEqual(invocations.map(({ id, arguments: { command } }) => [id, command]), [['seg_1', 'ls'], ['seg_2', 'pwd']])
    adapter.processEventAll(start('run_bash'))
    adapter.processEventAll(start('text'))
    assert.deepEqual(adapter.processEventAll(end()), [])
    adapter.processEventAll(start('run_bash'))
    adapter.reset()
    assert.deepEqual(adapter.processEventAll(end()), [])
  })

  test('errors have their place if events do', () => {
    const errors = []
    const adapter = new ToolInvocationAdapter({ onError: (error) => errors.push(error) })
    const events = [{ ...start('run_bash'), span: [3, 3] }, { ...content(' '), span: [13, 14] }, { ...end(), span: [25, 25] }]
    assert.deepEqual(events.flatMap((event) => adapter.processEventAll(event)), [])
    const [{ message, ...rest }, ...others] = errors
    assert.deepEqual(rest, { code: 'missing-arguments', span: [13, 14], raw: ' ', segmentId: 'seg_1' })
    assert.match(message, /run_bash.*command/)
    assert.deepEqual(others, [])
  })

  test('an exception of onError reaches the caller, and no invocation is lost', () => {
    const failure = new Error('mine')
    const adapter = new ToolInvocationAdapter({
      onError: () => {
        throw failure
      },
    })
    adapter.processEventAll(start('tool_call'))
    adapter.processEventAll(content('[{"name":""},{"name":"b"}]'))
    assert.throws(() => adapter.processEventAll(end()), (error) => error === failure)
    assert.deepEqual(adapter.processEventAll(start('text')), [{ id: 'seg_1.2', name: 'b', arguments: {} }])
    assert.deepEqual(adapter.processEventAll(end()), [])
  })

  test('metadata is not changed by who changes the arguments', () => {
    const metadata = { tool_name: 't', arguments: JSON.parse('{"a":1,"__proto__":2}') }
    const [invocation] = read('tool_call', metadata, '').invocations
    assert.deepEqual(Object.entries(invocation.arguments), [['a', 1], ['__proto__', 2]])
    invocation.arguments.a = 5
    assert.equal(metadata.arguments.a, 1)
  })

  test('schemas of libraries give the arguments their types, in the adapter and in the handler', () => {
    for (const add of [z.object({ a: z.number() }), type({ a: 'number' })]) {
      const text = '<tool name="add"><arguments><arg name="a">1</arg></arguments></tool>'
      const adapter = new ToolInvocationAdapter({ schemas: { add } })
      const [{ arguments: typed }] = adapter.processEvents(new StreamingParser().feedAndFinalize(text))
      const handler = new StreamingResponseHandler({ schemas: { add } })
      handler.feed(text)
      handler.finalize()
      assert.deepEqual([typed, handler.getAllInvocations()[0].arguments], [{ a: 1 }, { a: 1 }])
    }
    const invalid = { '~standard': { version: 1, vendor: 'valibot' } }
    assert.throws(() => new StreamingResponseHandler({ schemas: { add: invalid } }), /schemas\["add"\] is a schema that does not give its JSON schema; pass toJsonSchema/)
  })

  test('misuse is a TypeError that names the place', () => {
    for (const [options, message] of [
      [5, /ToolInvocationAdapter takes an options object, but got number 5/],
      [{ schema: {} }, /ToolInvocationAdapter has no option "schema"; it takes schemas, jsonProfile, jsonToolParser, toolStates, tools, acceptUnterminated, onError, onRepair/],
      [{ schemas: [] }, /ToolInvocationAdapter\.schemas must be an object/],
      [{ schemas: { t: 'str' } }, /ToolInvocationAdapter\.schemas\["t"\] must be a JSON schema, but is string "str"/],
      [{ schemas: { t: { '~standard': {} } } }, /ToolInvocationAdapter\.schemas\["t"\] is a schema that does not give its JSON schema/],
      [{ jsonProfile: 'claude' }, /ToolInvocationAdapter\.jsonProfile must be openai, gemini or default, or an array/],
      [{ jsonProfile: ['{"a"', 'x'] }, /ToolInvocationAdapter\.jsonProfile\[1\] must be how a tool begins/],
      [{ toolStates: { t: { contentArg: '' } } }, /ToolInvocationAdapter\.toolStates\["t"\]\.contentArg/],
      [{ onError: 'log' }, /ToolInvocationAdapter\.onError must be a function/],
    ]) {
      assert.throws(() => new ToolInvocationAdapter(options), (error) => error instanceof TypeError && message.test(error.message), String(message))
    }
    const adapter = new ToolInvocationAdapter()
    for (const event of [undefined, null, 'x', 5]) assert.throws(() => adapter.processEvent(event), TypeError)
    assert.throws(() => adapter.processEvent({ type: 'SEGMENT_END', payload: {} }), /segment_id of an event must be a string, but is undefined/)
    assert.equal(adapter.processEvent({ type: 'SOMETHING_ELSE' }), null)
    assert.equal(adapter.processEvent({ type: 'SEGMENT_START', segment_id: 'a', segment_type: 'run_bash' }), null)
    assert.equal(adapter.processEvent({ type: 'SEGMENT_CONTENT', segment_id: 'a', payload: { delta: 5 } }), null)
  })
})

describe('states of your own', () => {
  afterEach(() => unregisterXmlToolParsingState('my_tool'))

  const spec = { segmentType: 'note', contentArg: 'body', startWhen: ['to'], metadataArgs: ['line'] }
  const metadata = { tool_name: 'My_Tool', to: 'ann', line: '3', other: 'x' }

  test("a state's arguments are its metadata and its content, typed as any", () => {
    const schemas = { My_Tool: { properties: { line: { type: 'integer' }, body: { type: 'string' } } } }
    for (const options of [{ toolStates: { MY_TOOL: spec } }, { toolStates: { my_tool: spec }, schemas }]) {
      const { invocations } = read('note', metadata, ' 1 ', options)
      assert.deepEqual(invocations, [{ id: 'seg_1', name: 'My_Tool', arguments: { to: 'ann', line: options.schemas ? 3 : '3', body: ' 1 ' } }])
      assert.deepEqual(Object.keys(invocations[0].arguments), ['to', 'line', 'body'])
    }
  })

  test('what a state has not read is read as any tool', () => {
    const options = { toolStates: { my_tool: spec } }
    assert.deepEqual(read('tool_call', { tool_name: 'my_tool', to: 'ann' }, '{"a":1}', options).invocations[0].arguments, { a: 1 })
    assert.deepEqual(read('note', { tool_name: 'my_tool' }, '<a>1</a>', options).invocations[0].arguments, { a: '1' })
    assert.deepEqual(read('note', { tool_name: 'my_tool' }, '<a>1</a>', { toolStates: { my_tool: { segmentType: 'note' } } }).invocations[0].arguments, { a: '1' })
  })

  test('register, register again, unregister; the own ones go first', () => {
    const bodyOf = (options) => read('note', { tool_name: 'my_tool', to: 'a' }, '<z>1</z>', options).invocations[0].arguments
    registerXmlToolParsingState('My_Tool', spec)
    assert.deepEqual(bodyOf(), { to: 'a', body: '<z>1</z>' })
    registerXmlToolParsingState('my_tool', { segmentType: 'note', contentArg: 'text' })
    assert.deepEqual(bodyOf(), { text: '<z>1</z>' })
    assert.deepEqual(bodyOf({ toolStates: { MY_tool: spec } }), { to: 'a', body: '<z>1</z>' })
    assert.deepEqual(bodyOf({ toolStates: { my_tool: null } }), { z: '1' })
    assert.equal(unregisterXmlToolParsingState('MY_TOOL'), true)
    assert.equal(unregisterXmlToolParsingState('my_tool'), false)
    assert.deepEqual(bodyOf(), { z: '1' })
  })

  test('built-in tools count as registered', () => {
    const builtIn = { segmentType: 'edit_file', contentArg: 'patch', startWhen: ['path'], startMarker: '__START_PATCH__', endMarker: '__END_PATCH__' }
    assert.equal(unregisterXmlToolParsingState('Edit_File'), true)
    assert.equal(unregisterXmlToolParsingState('edit_file'), false)
    registerXmlToolParsingState('edit_file', builtIn)
    assert.deepEqual(read('edit_file', { tool_name: 'edit_file', path: 'a' }, '@@').invocations[0].arguments, { path: 'a', patch: '@@' })
  })

  test('only ASCII letters have two cases', () => {
    registerXmlToolParsingState('my_tool', spec)
    // The Kelvin sign, whose lower case is k.
    registerXmlToolParsingState('\u212Aelvin', { contentArg: 'a' })
    assert.equal(unregisterXmlToolParsingState('kelvin'), false)
    assert.equal(unregisterXmlToolParsingState('\u212AELVIN'), true)
  })

  for (const [what, bad, message] of [
    ['no spec', undefined, /takes a tool state/],
    ['null', null, /takes an options object, but got null/],
    ['unknown option', { content: 'x' }, /has no option "content"; it takes segmentType, contentArg/],
    ['segmentType', { segmentType: '' }, /\.segmentType must be a segment type/],
    ['contentArg', { contentArg: 5 }, /\.contentArg must be an argument's name, but is number 5/],
    ['blank contentArg', { contentArg: ' ' }, /\.contentArg must be an argument's name without white space/],
    ['long contentArg', { contentArg: 'é'.repeat(33) }, /\.contentArg must be at most 64 bytes/],
    ['startWhen that is not an array', { contentArg: 'a', startWhen: 'path' }, /\.startWhen must be an array/],
    ['metadataArgs', { contentArg: 'a', metadataArgs: ['b', 5] }, /\.metadataArgs\[1\] must be an argument's name/],
    ['too many', { contentArg: 'a', startWhen: ['b', 'c', 'd', 'e'], metadataArgs: ['b', 'f', 'g', 'h', 'i', 'j'] }, /\.startWhen and metadataArgs must be at most 8 .* but are 9/],
    ['content as metadata', { contentArg: 'a', startWhen: ['a'] }, /\.contentArg must not be one of startWhen/],
    ['one marker', { contentArg: 'a', startMarker: 'x' }, /\.endMarker is missing/],
    ['the other marker', { contentArg: 'a', endMarker: 'x' }, /\.startMarker is missing/],
    ['blank marker', { contentArg: 'a', startMarker: ' x', endMarker: 'y' }, /\.startMarker must not be empty or begin with white space/],
    ['long marker', { contentArg: 'a', startMarker: 'x', endMarker: 'y'.repeat(65) }, /\.endMarker must be at most 64 bytes/],
    ['startWhen without contentArg', { startWhen: ['a'] }, /\.startWhen needs contentArg/],
    ['metadataArgs without contentArg', { metadataArgs: ['a'] }, /\.metadataArgs needs contentArg/],
    ['markers without contentArg', { startMarker: 'x', endMarker: 'y' }, /\.startMarker needs contentArg/],
    ['transform', { transform: 'upper' }, /\.transform must be a function/],
  ]) {
    test(`refused: ${what}`, () => {
      const refused = (place) => (error) => error instanceof TypeError && error.message.startsWith(place) && message.test(error.message)
      assert.throws(() => registerXmlToolParsingState('my_tool', bad), refused('registerXmlToolParsingState("my_tool")'))
      if (bad !== null) assert.throws(() => new ToolInvocationAdapter({ toolStates: { my_tool: bad } }), refused('ToolInvocationAdapter.toolStates["my_tool"]'))
      assert.equal(unregisterXmlToolParsingState('my_tool'), false)
    })
  }

  test('refused: names', () => {
    for (const name of [undefined, 5, '', ' ']) {
      assert.throws(() => registerXmlToolParsingState(name, spec), TypeError)
      assert.throws(() => unregisterXmlToolParsingState(name), TypeError)
    }
    assert.throws(() => new ToolInvocationAdapter({ toolStates: { a: null, A: null } }), /toolStates\["A"\] is there in another case/)
    assert.throws(() => new ToolInvocationAdapter({ toolStates: [spec] }), /toolStates must be an object/)
  })
})

describe('tool syntax', () => {
  afterEach(() => unregisterToolSyntax('mail'))

  const syntax = { toolName: 'send_mail', contentArgument: 'body', metadataArguments: ['to', 'cc'], required: ['to'] }

  test('a type calls its tool', () => {
    registerToolSyntax('mail', syntax)
    assert.deepEqual(read('mail', { to: 'ann', bcc: 'x' }, 'Hi').invocations, [{ id: 'seg_1', name: 'send_mail', arguments: { to: 'ann', body: 'Hi' } }])
    assert.deepEqual(read('mail', { cc: 'ann' }, 'Hi').codes, ['missing-arguments'])
    assert.deepEqual(read('mail', { to: 1 }, 'Hi').codes, ['missing-arguments'])
    assert.deepEqual(read('mail', JSON.parse('{"to":"1","__proto__":{"cc":2}}'), '').invocations[0].arguments, { to: '1', body: '' })
    registerToolSyntax('mail', { toolName: 'ping' })
    assert.deepEqual(read('mail', { to: 'ann' }, 'Hi').invocations[0], { id: 'seg_1', name: 'ping', arguments: {} })
    assert.equal(unregisterToolSyntax('mail'), true)
    assert.equal(unregisterToolSyntax('mail'), false)
  })

  test('what is known can be asked for', () => {
    assert.deepEqual(toolSyntaxOf('write_file'), { toolName: 'write_file', contentArgument: 'content', metadataArguments: ['path'], required: ['path'] })
    assert.deepEqual(toolSyntaxOf('run_bash'), { toolName: 'run_bash', contentArgument: 'command', metadataArguments: ['background', 'timeout_seconds'], required: ['command'] })
    for (const type of ['patch_file', 'edit_file']) assert.deepEqual(toolSyntaxOf(type), { toolName: type, contentArgument: 'patch', metadataArguments: ['path'], required: ['path'] })
    for (const type of ['text', 'tool_call', 'mail', '__proto__', 'constructor']) assert.equal(toolSyntaxOf(type), undefined)
    registerToolSyntax('mail', { toolName: 'ping' })
    assert.deepEqual(toolSyntaxOf('mail'), { toolName: 'ping', metadataArguments: [], required: [] })
    toolSyntaxOf('write_file').required.pop()
    assert.deepEqual(toolSyntaxOf('write_file').required, ['path'])
  })

  test('refused', () => {
    for (const [type, bad, message] of [
      [5, syntax, /registerToolSyntax takes a string/],
      ['', syntax, /takes the type of a segment/],
      ['tool_call', syntax, /"tool_call" can't be given a tool/],
      ['mail', undefined, /takes a tool syntax/],
      ['mail', {}, /\.toolName must be a name, but is undefined/],
      ['mail', { ...syntax, content: 'x' }, /has no option "content"/],
      ['mail', { ...syntax, contentArgument: '' }, /\.contentArgument must be a name/],
      ['mail', { ...syntax, contentArgument: 'to' }, /\.contentArgument must not be one of metadataArguments/],
      ['mail', { ...syntax, metadataArguments: 'to' }, /\.metadataArguments must be an array/],
      ['mail', { ...syntax, metadataArguments: [''] }, /\.metadataArguments\[0\] must be a name/],
      ['mail', { ...syntax, required: ['from'] }, /\.required has "from", which is not/],
    ]) {
      assert.throws(() => registerToolSyntax(type, bad), (error) => error instanceof TypeError && message.test(error.message), String(message))
    }
    assert.equal(toolSyntaxOf('mail'), undefined)
  })
})
