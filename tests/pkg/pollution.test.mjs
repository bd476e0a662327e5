// Objects made from a model's text: a key is a key, whatever its name.
// Its value is an own property, the prototype stays, and nothing shared changes. Lookups by a
// model's word never find inherited members.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { NativeBlocks } from 'tokenweir'
import { StreamingJSONParser, parsePartial } from 'tokenweir/fields'
import { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter, extractSegments, registerXmlToolParsingState, streamingResponseHandlerFor, toolSyntaxOf, unregisterXmlToolParsingState } from 'tokenweir/segments'
import { RJSON, RXML, coerceBySchema } from 'tokenweir/ai-sdk-tool-parser'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, parseToolCalls } from 'tokenweir/tool-calls'
import { pieces } from './support/cuts.mjs'
import { blocksOf, read } from './support/reading.mjs'

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

/** The original state of the base prototypes. */
const SHARED = { object: Object.prototype, array: Array.prototype, function: Function.prototype, string: String.prototype, map: Map.prototype, constructor: Object }
const shot = () => Object.entries(SHARED).flatMap(([name, shared]) => Reflect.ownKeys(shared).map((key) => {
  const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(shared, key)
  return [name, key, value, get, set, JSON.stringify(flags), Object.getPrototypeOf(shared)]
}))
const before = shot()
function assertUntouched() {
  const after = shot()
  assert.equal(after.length, before.length, 'a shared object has another number of keys')
  for (const [at, entry] of after.entries()) assert.ok(entry.every((part, nth) => Object.is(part, before[at][nth])), `${String(entry[0])}.${String(entry[1])} was changed`)
  assert.equal({}.polluted, undefined)
}

/** All objects in a value are plain. */
function assertPlain(value, place = 'it') {
  if (typeof value !== 'object' || value === null) return
  const prototype = Object.getPrototypeOf(value)
  assert.ok(prototype === null || prototype === (Array.isArray(value) ? Array.prototype : Object.prototype), `${place} has another prototype`)
  for (const key of Object.keys(value)) assertPlain(Object.getOwnPropertyDescriptor(value, key).value, `${place}.${key}`)
}

/** Asserts a value exactly, including the order of its keys. */
function assertIs(value, json, place) {
  assertPlain(value, place)
  assert.equal(JSON.stringify(value), json, place)
  assertUntouched()
}

/** A test with each name, and a harmful value. */
const testEach = (title, act) =>
  test(title, () => {
    for (const name of NAMES) act(name, `{"polluted":1,"${name}":{"polluted":2}}`)
  })

const inputsOf = (parts) => parts.filter(({ type }) => type === 'tool-call').map(({ input }) => input)
const partsOf = (protocol, text, tools, options) => {
  const parser = new ToolCallParser({ protocol, tools, options })
  return [...pieces(text, 3).flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
}
const hermes = (text, options = {}, tools = [{ name: 'f', inputSchema: {} }]) => partsOf(hermesProtocol(), text, tools, options)
const morph = (text, tools, options = {}) => partsOf(morphXmlProtocol(), text, tools, options)
const called = (text, config = {}, options = {}) => {
  const adapter = new ToolInvocationAdapter(options)
  return new StreamingParser(config).feedAndFinalize(text).flatMap((event) => adapter.processEventAll(event))
}

describe('fields', () => {
  for (const [how, options, schema] of [
    ['JSON', {}],
    ['snapshots', { snapshot: true }],
    ['strict', { strict: true }],
    ['by a schema', {}, { a: 'any', ...JSON.parse('{"__proto__":"any","constructor":"any"}') }],
    ['order mode', { completion: 'order' }],
    ['order mode, snapshots', { completion: 'order', snapshot: true }],
    ['slash paths', { pathStyle: 'slash' }],
  ]) {
    testEach(how, (name, value) => {
      const same = [`{"a":"x","${name}":${value}}`, `{"a":"x","b":[{"${name}":${value}},{"${name}":[1]}]}`, `{"a":{"${name}":1,"c":2}}`].map((text) => [text, text])
      // A key that comes twice; and JSON5, which strict reading refuses.
      const twice = [`{"a":1,"${name}":{"polluted":3},"${name}":${value}}`]
      const loose = [`{a: 1, ${name}: ${value}, }`, `{a: 1, '${name}': ${value}}`, `{a: 1, "\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}": ${value}`]
      for (const [text, expected] of [...same, ...[...twice, ...(options.strict ? [] : loose)].map((text) => [text, `{"a":1,"${name}":${value}}`])]) {
        if (!options.strict) assertIs(parsePartial(text), expected, text)
        for (const chunks of [[text], pieces(text, 1)]) {
          const parser = new StreamingJSONParser(schema, options)
          const events = [...chunks.flatMap((chunk) => parser.parseChunk(chunk)), ...parser.finalize()]
          assertIs(parser.data, expected, `${name} in data`)
          for (const event of events) {
            assertPlain(event.value, event.path)
            assertPlain(event.fullData, 'fullData')
          }
          // The last one emitted is the whole document.
          assert.equal(JSON.stringify(events.at(-1).fullData), expected)
        }
      }
    })
  }

  testEach('a truncated document, several documents, and the report', (name, value) => {
    assertIs(parsePartial(`{"${name}":{"${name}":"x`), `{"${name}":{"${name}":"x"}}`, name)
    const parser = new StreamingJSONParser(undefined, { multiple: true })
    parser.parseChunk(`{"${name}":${value}} {"${name}":[1]} {"${name}":!}`)
    parser.finalize()
    assert.deepEqual(parser.documents.slice(0, 2).map((document) => JSON.stringify(document)), [`{"${name}":${value}}`, `{"${name}":[1]}`])
    for (const document of parser.documents) assertPlain(document)
    assertPlain({ ...parser.report })
    assertUntouched()
  })

  testEach("a schema's keys are its own: a document that has none of them is prose", (name) => {
    const parser = new StreamingJSONParser({ a: 'str' })
    parser.parseChunk(`So: {"${name}": 1} and {"a": "x"}`)
    parser.finalize()
    assertIs(parser.data, '{"a":"x"}', name)
    const other = new StreamingJSONParser(JSON.parse(`{"${name}":"int"}`))
    other.parseChunk(`So: {"a": "x"} and {"${name}": 1}`)
    other.finalize()
    assertIs(other.data, `{"${name}":1}`, name)
  })
})

describe('blocks', () => {
  testEach('parameters, and JSON in them', (name, value) => {
    for (const tools of [undefined, { f: { properties: JSON.parse(`{"${name}":{"type":"object"}}`) } }, JSON.parse(`{"${name}":{"properties":{"${name}":{"type":"object"}}}}`)]) {
      const text = `<function_calls><invoke name="f"><parameter name="${name}">${value}</parameter><parameter name="a">1</parameter></invoke></function_calls>`
      for (const chunks of [[text], pieces(text, 1)]) {
        const [{ input }] = blocksOf(read(chunks, tools === undefined ? {} : { tools }))
        assertIs(input, `{"${name}":${value},"a":1}`, name)
      }
    }
  })

  testEach('a parameter twice, names of tools, ids of results, attributes', (name, value) => {
    const text = `<function_calls><invoke name="${name}" ${name}="x"><parameter name="${name}">{"polluted":3}</parameter><parameter name="${name}">${value}</parameter></invoke></function_calls><function_results><result tool_use_id="${name}" ${name}="x">y</result></function_results>`
    const [first, call, result] = blocksOf(read(pieces(text, 2)))
    assert.deepEqual([first.toolName, first.incomplete], [name, true])
    assert.equal(call.toolName, name)
    assertIs(call.input, `{"${name}":${value}}`, name)
    assert.deepEqual([result.toolId, result.content], [name, 'y'])
  })

  testEach('a tool that is called so has its own declarations, and no other', (name) => {
    const text = `<invoke name="${name}"><parameter name="${name}"> 1 </parameter></invoke>`
    assertIs(blocksOf(read([text], { tools: {} }))[0].input, `{"${name}":1}`, name)
    assertIs(blocksOf(read([text], { tools: { f: { properties: { s: { type: 'string' } } } } }))[0].input, `{"${name}":1}`, name)
    const tools = JSON.parse(`{"${name}":{"properties":{"${name}":{"type":"string"}}}}`)
    assertIs(blocksOf(read([text], { tools }))[0].input, `{"${name}":" 1 "}`, name)
  })

  testEach('tags that are called so are text', (name) => {
    const text = `a<${name}>b</${name}>c`
    assert.deepEqual(blocksOf(read([text])), [{ type: 'text', content: text }])
    assert.equal(blocksOf(read([text], { tags: { reasoning: 'thinking' } }))[0].content, text)
  })

  const replies = {
    anthropic: (name, json) => [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: name, name, input: {} } },
      ...pieces(json, 4).map((piece) => ({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: piece } })),
      { type: 'content_block_stop', index: 0 },
    ],
    openai: (name, json) => [{ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: name, function: { name, arguments: json } }] } }] }, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }],
    aiSdk: (name, json) => [{ type: 'tool-input-start', id: name, toolName: name }, { type: 'tool-input-delta', id: name, delta: json }, { type: 'tool-input-end', id: name }, { type: 'tool-call', toolCallId: name, toolName: name, input: json }],
  }
  for (const [provider, eventsOf] of Object.entries(replies))
    testEach(`inputs of calls of ${provider}`, (name, value) => {
      const log = []
      const blocks = new NativeBlocks({ onBlock: (event) => log.push(event) })
      for (const event of eventsOf(name, `{"${name}":${value}}`)) blocks[provider](event)
      blocks.flush()
      const [call, ...others] = blocksOf(log)
      assert.deepEqual([call.toolName, others], [name, []])
      assertIs(call.input, `{"${name}":${value}}`, `${provider}: ${name}`)
    })
})

describe('segments', () => {
  const argument = (name, inside) => `<arg name="${name}">${inside}</arg>`

  testEach('arguments in XML, inside each other and twice', (name) => {
    const [{ arguments: given }] = called(`<tool name="f">${argument(name, argument('polluted', '1') + argument(name, argument('polluted', '2')))}${argument('a', 'b')}</tool>`)
    assertIs(given, `{"${name}":{"polluted":"1","${name}":{"polluted":"2"}},"a":"b"}`, name)
    const [twice] = called(`<tool name="f">${argument(name, argument('polluted', '3'))}${argument(name, 'x')}</tool>`)
    assertPlain(twice.arguments)
    assert.deepEqual(Object.keys(twice.arguments), [name])
    assertUntouched()
  })

  testEach('arguments with types', (name) => {
    const schemas = JSON.parse(`{"f":{"type":"object","properties":{"${name}":{"type":"object","properties":{"polluted":{"type":"integer"},"${name}":{"type":"integer"}}}}}}`)
    const [{ arguments: given }] = called(`<tool name="f">${argument(name, argument('polluted', '1') + argument(name, '2'))}</tool>`, {}, { schemas })
    assertIs(given, `{"${name}":{"polluted":1,"${name}":2}}`, name)
  })

  testEach('arguments in JSON, in text and by an API', (name, value) => {
    for (const json of [`{"${name}":${value}}`, `{"a":[{"${name}":${value}}]}`, `{"${name}":1,"${name}":${value}}`]) {
      const expected = JSON.stringify(JSON.parse(json))
      for (const [text, config] of [
        [`{"tool":{"function":"${name}","parameters":${json}}}`, { strategy: 'json' }],
        [`{"tool_calls":[{"function":{"name":"${name}","arguments":${JSON.stringify(json)}}}]}`, { strategy: 'json', jsonProfile: 'openai' }],
        [`[{"name":"${name}","args":${json}}]`, { strategy: 'json', jsonProfile: 'gemini' }],
        [`<tool name="${name}">${json}</tool>`, {}],
        [`[[SEG_START {"type":"tool","name":"${name}"}]]${json}[[SEG_END]]`, { strategy: 'sentinel' }],
        [`[[SEG_START {"type":"tool","tool_name":"${name}","arguments":${json}}]][[SEG_END]]`, { strategy: 'sentinel' }],
      ]) {
        const calls = called(text, config, config.jsonProfile ? { jsonProfile: config.jsonProfile } : {})
        assert.deepEqual(calls.map((call) => call.name), [name], text)
        assertIs(calls[0].arguments, expected, text)
      }
      const handler = new StreamingResponseHandler()
      for (const piece of pieces(json, 3)) handler.feed({ toolCalls: [{ index: 0, callId: name, name, argumentsDelta: piece }] })
      handler.finalize()
      const [call] = handler.getAllInvocations()
      assert.deepEqual([call.name, call.callId], [name, name])
      assertIs(call.arguments, expected, 'of an API')
    }
  })

  testEach('headers of sentinels, which are metadata', (name, value) => {
    const events = new StreamingParser({ strategy: 'sentinel' }).feedAndFinalize(`[[SEG_START {"type":"run_bash","${name}":${value},"b":{"${name}":1}}]]ls[[SEG_END]]`)
    for (const event of events) assertPlain(event)
    assertIs(extractSegments(events)[0].metadata, `{"${name}":${value},"b":{"${name}":1}}`, name)
    assert.equal(extractSegments(new StreamingParser({ strategy: 'sentinel' }).feedAndFinalize(`[[SEG_START {"type":"${name}"}]]ls[[SEG_END]]`))[0].type, 'text')
  })

  testEach('states and types with these names are the registered ones', (name) => {
    const text = `<tool name="${name}"><arg name="body">x</arg></tool>`
    assert.equal(extractSegments(new StreamingParser().feedAndFinalize(text))[0].type, 'tool_call', name)
    const [generic] = called(text)
    assert.deepEqual([generic.name, JSON.stringify(generic.arguments)], [name, '{"body":"x"}'])
    assert.equal(toolSyntaxOf(name), undefined)

    const state = { segmentType: 'note', contentArg: 'body', startWhen: [name] }
    const whole = `<tool name="${name}"><arg name="${name}">t</arg><arg name="body">x</arg></tool>`
    for (const toolStates of [JSON.parse(`{"${name}":${JSON.stringify(state)}}`), undefined]) {
      if (toolStates === undefined) registerXmlToolParsingState(name, state)
      const config = toolStates && { toolStates }
      const [segment] = extractSegments(new StreamingParser(config).feedAndFinalize(whole))
      assert.equal(segment.type, 'note', name)
      assertIs(segment.metadata, `{"tool_name":"${name}","${name}":"t"}`, name)
      const [call] = called(whole, config, config)
      assertIs(call.arguments, `{"${name}":"t","body":"x"}`, name)
      if (toolStates === undefined) unregisterXmlToolParsingState(name)
    }
  })

  testEach('tools that are called so have their own schemas, and no other', (name) => {
    const text = `<tool name="${name}"><arg name="n">1</arg></tool>`
    const schema = '{"type":"object","properties":{"n":{"type":"integer"}}}'
    assertIs(called(text, {}, { schemas: {} })[0].arguments, '{"n":"1"}', name)
    assertIs(called(text, {}, { schemas: JSON.parse(`{"${name}":${schema}}`) })[0].arguments, '{"n":1}', name)
    for (const tools of [[{ name, inputSchema: JSON.parse(schema) }], JSON.parse(`{"${name}":${schema}}`)]) {
      const handler = streamingResponseHandlerFor({ provider: 'anthropic', tools })
      handler.feed(text)
      handler.finalize()
      assertIs(handler.getAllInvocations()[0].arguments, '{"n":1}', name)
    }
  })
})

describe('tool calls', () => {
  const OBJECT = { type: 'object' }

  testEach('arguments of Hermes, with types and without', (name, value) => {
    const schemas = [
      {},
      JSON.parse(`{"type":"object","properties":{"${name}":{"type":"object","properties":{"polluted":{"type":"integer"},"${name}":{"type":"object"}}}}}`),
      { type: 'object', additionalProperties: OBJECT },
      { anyOf: [JSON.parse(`{"type":"object","properties":{"${name}":{"type":"object"}}}`), { type: 'object', properties: { other: {} } }] },
    ]
    for (const inputSchema of schemas) {
      const tools = [{ name: 'f', inputSchema }]
      const [input] = inputsOf(hermes(`<tool_call>{"name":"f","arguments":{"${name}":${value}}}</tool_call>`, {}, tools))
      assertIs(JSON.parse(input), `{"${name}":${value}}`, input)
      const [{ input: whole }] = parseToolCalls(`<tool_call>{"name":"f","arguments":{"${name}":${value}}}</tool_call>`, { protocol: hermesProtocol(), tools }).filter(({ type }) => type === 'tool-call')
      assert.equal(typeof whole === 'string' ? whole : JSON.stringify(whole), input)
    }
    // A string that is an object by the schema.
    const [typed] = inputsOf(hermes(`<tool_call>{"name":"f","arguments":{"a":${JSON.stringify(`{"${name}":${value}}`)}}}</tool_call>`, {}, [{ name: 'f', inputSchema: { type: 'object', properties: { a: OBJECT } } }]))
    assertIs(JSON.parse(typed), `{"a":{"${name}":${value}}}`, typed)
  })

  testEach('arguments of Morph: elements, elements in elements, attributes', (name) => {
    const element = (inside) => `<${name}>${inside}</${name}>`
    const schema = JSON.parse(`{"type":"object","properties":{"${name}":{"type":"object","properties":{"polluted":{"type":"integer"},"${name}":{"type":"integer"}}},"a":{"type":"string"}}}`)
    for (const [inputSchema, expected] of [[schema, `{"${name}":{"polluted":1,"${name}":2},"a":"x"}`], [{}, undefined], [OBJECT, undefined]]) {
      const [input] = inputsOf(morph(`<f>${element(`<polluted>1</polluted>${element('2')}`)}<a>x</a></f>`, [{ name: 'f', inputSchema }]))
      const made = JSON.parse(input)
      assertPlain(made)
      assert.deepEqual(Object.keys(made), [name, 'a'])
      if (expected !== undefined) assert.equal(input, expected)
      assertUntouched()
    }
    const [attributes] = inputsOf(morph(`<f ${name}="5"/>`, [{ name: 'f', inputSchema: JSON.parse(`{"type":"object","properties":{"${name}":{"type":"integer"}}}`) }]))
    assertIs(JSON.parse(attributes), `{"${name}":5}`, 'an attribute')
    const repeated = morph(`<f>${element('<polluted>3</polluted>')}${element('<polluted>4</polluted>')}</f>`, [{ name: 'f', inputSchema: {} }])
    for (const input of inputsOf(repeated)) assertPlain(JSON.parse(input))
    assertUntouched()
  })

  testEach('a tool with such a name exists only if it was given, with its own schema', (name) => {
    const call = `<tool_call>{"name":"${name}","arguments":{"n":"5"}}</tool_call>`
    const inherited = [{ name: 'f', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }]
    assert.deepEqual(inputsOf(hermes(call, { unknownTools: 'text' }, inherited)), [], name)
    assert.deepEqual(inputsOf(hermes(call, {}, inherited)), ['{"n":"5"}'], name)
    assert.deepEqual(inputsOf(morph(`<${name}><n>5</n></${name}>`, inherited)), [], name)

    const tools = [{ name, inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }]
    const parts = hermes(call, { unknownTools: 'text' }, tools)
    assert.deepEqual(inputsOf(parts), ['{"n":5}'], name)
    assert.equal(parts.find(({ type }) => type === 'tool-call').toolName, name)
    assert.deepEqual(inputsOf(morph(`<${name}><n>5</n></${name}>`, tools)), ['{"n":5}'], name)
    // Schemas that the AI SDK middleware passes on by name.
    assert.deepEqual(inputsOf(hermes(call, { originalToolSchemas: {} }, tools)), ['{"n":5}'], name)
    assert.deepEqual(inputsOf(hermes(call, { originalToolSchemas: JSON.parse(`{"${name}":{"type":"object","properties":{"n":{"type":"string"}}}}`) }, tools)), ['{"n":"5"}'], name)
    assertUntouched()
  })
})

describe('values', () => {
  testEach('robust JSON', (name, value) => {
    const expected = `{"${name}":${value},"a":1}`
    for (const text of [expected, `{${name}: ${value}, a: 1,}`, `{'${name}': ${value} /* c */, a: 1}`]) {
      assertIs(RJSON.parse(text), expected, text)
      assertIs(RJSON.parse(text, (_, inner) => inner), expected, `${text}, revived`)
      assertIs(JSON.parse(RJSON.transform(text)), expected, `${text}, transformed`)
      // It writes keys in their order.
      const written = RJSON.parse(RJSON.stringify(RJSON.parse(text)))
      assertPlain(written)
      assert.deepEqual(written, JSON.parse(expected))
    }
    assertIs(RJSON.parse(`{${name}: {polluted: 3}, ${name}: ${value}, a: 1}`, { duplicate: true }), expected, 'twice')
    assert.throws(() => RJSON.parse(`{${name}: 1, ${name}: 2}`), { code: 'duplicate-key' })
    assertIs(RJSON.parse(`{${name}: 1}`), `{"${name}":1}`, 'once is not twice')
    try {
      RJSON.parse(`{${name}: ${value} a: 1`, { tolerant: true })
      assert.fail('missing commas are errors')
    } catch ({ obj }) {
      assertIs(obj, expected, 'tolerant')
    }
  })

  testEach('robust XML', (name) => {
    const schema = JSON.parse(`{"type":"object","properties":{"${name}":{"type":"object","properties":{"polluted":{"type":"integer"},"${name}":{"type":"integer"}}}}}`)
    const text = `<${name} ${name}="v"><polluted>1</polluted><${name}>2</${name}></${name}>`
    assertIs(RXML.parse(`<a>x</a>${text}`, schema)[name], `{"polluted":1,"${name}":2,"@_${name}":"v"}`, name)
    assertIs(RXML.parse(`<a>x</a>${text}`)[name], `{"polluted":"1","${name}":"2","@_${name}":"v"}`, name)
    for (const repair of [true, false]) assertPlain(RXML.parse(`<o><${name}>1</${name}><${name}><polluted>2</polluted></${name}></o>`, undefined, { repair }))
    // Without a prefix for attributes there would be one name for both.
    assertPlain(RXML.parse(`<o>t<b/></o>`, undefined, { textNodeName: name }))
    assert.equal(RXML.parse('<o k="1">t</o>', undefined, { textNodeName: name }).o[name], 't')
    const written = RXML.stringify('r', JSON.parse(`{"${name}":{"polluted":"1"}}`))
    assertIs(RXML.parse(written), `{"r":{"${name}":{"polluted":"1"}}}`, written)
    assertUntouched()
  })

  testEach('coercion: of values, of JSON and XML in strings, of lists and of names that are nearly right', (name, value) => {
    const properties = JSON.parse(`{"${name}":{"type":"object","properties":{"polluted":{"type":"integer"}}}}`)
    for (const schema of [undefined, {}, { type: 'object', properties }, { type: 'object', additionalProperties: { type: 'object' } }, { type: 'object', properties, additionalProperties: false }, { anyOf: [{ type: 'object', properties, required: [name] }, { type: 'number' }] }]) {
      // An empty schema keeps a string.
      for (const given of [JSON.parse(`{"${name}":${value}}`), ...(schema && Object.keys(schema).length === 0 ? [] : [`{"${name}":${value}}`])]) assertIs(coerceBySchema(given, schema), `{"${name}":${value}}`, name)
    }
    assertIs(coerceBySchema(`<${name}><polluted>1</polluted></${name}>`, { type: 'object', properties }), `{"${name}":{"polluted":1}}`, name)
    const columns = { type: 'array', items: { type: 'object', properties: JSON.parse(`{"${name}":{"type":"integer"},"b":{"type":"integer"}}`) } }
    assertIs(coerceBySchema(JSON.parse(`{"${name}":["1","2"],"b":["3","4"]}`), columns), `[{"${name}":1,"b":3},{"${name}":2,"b":4}]`, name)
    const strict = { type: 'object', properties: JSON.parse(`{"${name}":{"type":"integer"}}`), required: [name], additionalProperties: false }
    assertIs(coerceBySchema(JSON.parse(`{"${name.toUpperCase()}":"1"}`), strict), `{"${name}":1}`, name)
    // What the schema requires is missing, however many objects inherit it.
    const choice = { anyOf: [{ type: 'object', required: [name], properties: { n: { type: 'integer' } } }, { type: 'object', properties: { n: { type: 'string' } } }] }
    assertIs(coerceBySchema({ n: '5' }, choice), '{"n":"5"}', name)
  })

  testEach('only own properties of a schema count', (name) => {
    const closed = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false }
    assertIs(coerceBySchema(JSON.parse(`{"a":"1","${name}":{"polluted":1}}`), closed), '{"a":1}', name)
    assertIs(coerceBySchema('5', { $ref: `#/$defs/${name}`, $defs: {} }), '"5"', name)
    assertIs(coerceBySchema('5', { $ref: `#/$defs/${name}`, $defs: JSON.parse(`{"${name}":{"type":"integer"}}`) }), '5', name)
    assertIs(coerceBySchema(JSON.parse(`{"k":"${name}","n":"5"}`), { oneOf: [{ type: 'object', properties: { k: { const: 'x' }, n: { type: 'integer' } } }, { type: 'object', properties: { k: { const: name }, n: { type: 'integer' } } }] }), `{"k":"${name}","n":5}`, name)
  })
})

test("a word of the model's is not found in an Object.prototype that somebody else has changed", () => {
  const polluted = { n: { type: 'string' }, f: { properties: { n: { type: 'string' } } }, a: 2, item: 'x', tool_name: 'wrong', properties: { n: { type: 'string' } }, required: ['x'], anyOf: [{ type: 'string' }], additionalProperties: false }
  const run = () => [
    JSON.stringify(coerceBySchema({ n: '5' }, { type: 'object', properties: { n: { type: 'integer' } } })),
    JSON.stringify(RXML.parse('<n>5</n>', { type: 'object', properties: { n: { type: 'integer' } } })),
    JSON.stringify(RJSON.parse('{a: 1}')),
    inputsOf(hermes('<tool_call>{"name":"f","arguments":{"n":"5"}}</tool_call>', {}, [{ name: 'f', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } }])).join(),
    JSON.stringify(called('<tool name="f"><arg name="n">5</arg></tool>', {}, { schemas: { f: { properties: { n: { type: 'integer' } } } } })),
    JSON.stringify(blocksOf(read(['<invoke name="f"><parameter name="n"> 5 </parameter></invoke>']))),
  ]
  const expected = run()
  for (const [key, value] of Object.entries(polluted)) {
    Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true, enumerable: false })
    try {
      assert.deepEqual(run(), expected, key)
    } finally {
      delete Object.prototype[key]
    }
  }
  assertUntouched()
})
