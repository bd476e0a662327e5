// ToolCallParser, toolCallStream, parseToolCalls and the protocols: parts of a
// provider in between, how streams finish, misuse, and adversarial
// input.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { ToolCallParser, hermesProtocol, morphXmlProtocol, parseToolCalls, toolCallStream } from 'tokenweir/tool-calls'
import { chunksOf, inputsOf } from '../adversarial/inputs.mjs'
import { sampled } from './support/cuts.mjs'
import { all } from './support/sources.mjs'
import { toolsOf } from './support/tool-cases.mjs'
import { renderParts } from './support/tool-reading.mjs'

const TOOLS = toolsOf(['get_weather', 'add', 'write_file', 'ping'])
const ADD = '<tool_call>{"name":"add","arguments":{"a":1,"b":2}}</tool_call>'
const ADD_XML = '<add><a>1</a><b>2</b></add>'
const STOP = { type: 'finish', finishReason: 'stop', usage: { inputTokens: 1 } }

/** Ids that count, calls and texts apart. */
const counting = () => {
  const counts = { call: 0, text: 0 }
  return (kind) => `${kind}${(counts[kind] += 1)}`
}

const parserOf = (options = {}, protocol = hermesProtocol(), tools = TOOLS) => new ToolCallParser({ protocol, tools, options: { generateId: counting(), ...options } })
const morphOf = (options, tools) => parserOf(options, morphXmlProtocol(), tools)

/** Parts in short: `+t1` a start, `t1"x"` a delta, `-t1` an end, `!c1 add {}` a call, other parts by their type. */
function short(parts) {
  const line = (part) => {
    const id = String(part.id ?? part.toolCallId).replace('call', 'c').replace('text', 't')
    if (part.type === 'text-start') return `+${id}`
    if (part.type === 'tool-input-start') return `+${id}:${part.toolName}`
    if (part.type === 'text-delta' || part.type === 'tool-input-delta') return `${id}${JSON.stringify(part.delta)}`
    if (part.type === 'text-end' || part.type === 'tool-input-end') return `-${id}`
    if (part.type === 'tool-call') return `!${id} ${part.toolName} ${part.input}`
    return part.type
  }
  return parts.map(line).join(' ')
}

/** Writes parts, then ends. */
const written = (parser, parts) => [...parts.flatMap((part) => parser.write(part)), ...parser.finish()]
const delta = (text, id = 'p') => ({ type: 'text-delta', id, delta: text })
const start = (id = 'p', more) => ({ type: 'text-start', id, ...more })
const end = (id = 'p') => ({ type: 'text-end', id })

const typeError = (...names) => (error) => error instanceof TypeError && names.every((name) => error.message.includes(name))

describe('parts', () => {
  test('are exactly those of the AI SDK, keys in order', () => {
    assert.deepEqual(written(parserOf(), [delta(`Hi ${ADD}`)]).map((part) => JSON.stringify(part)), [
      '{"type":"text-start","id":"text1"}',
      '{"type":"text-delta","id":"text1","delta":"Hi "}',
      '{"type":"text-end","id":"text1"}',
      '{"type":"tool-input-start","id":"call1","toolName":"add"}',
      '{"type":"tool-input-delta","id":"call1","delta":"{\\"a\\":1,\\"b\\":2}"}',
      '{"type":"tool-input-end","id":"call1"}',
      '{"type":"tool-call","toolCallId":"call1","toolName":"add","input":"{\\"a\\":1,\\"b\\":2}"}',
    ])
  })

  test('are plain objects that can be copied', () => {
    for (const part of written(parserOf(), [delta(`Hi ${ADD} bye`), STOP])) {
      assert.equal(Object.getPrototypeOf(part), Object.prototype)
      assert.deepEqual(structuredClone(part), part)
    }
  })

  test('of text come with the chunk that has it', () => {
    const parser = parserOf()
    assert.equal(short(parser.text('Hello')), '+t1 t1"Hello"')
    assert.equal(short(parser.text(' w <tool')), 't1" w "')
    assert.equal(short(parser.text('box>')), 't1"<toolbox>"')
    assert.equal(short(parser.finish()), '-t1')
  })

  test('of a Hermes call come as soon as they are known', () => {
    const parser = parserOf()
    assert.equal(short(parser.text('a <tool_call>')), '+t1 t1"a "')
    assert.equal(short(parser.text('{"name": "write_file", "arg')), '')
    assert.equal(short(parser.text('uments"')), '')
    assert.equal(short(parser.text(': ')), '-t1 +c1:write_file')
    assert.equal(short(parser.text('{')), 'c1"{"')
    assert.equal(renderParts([{ type: 'tool-input-start', id: 'x', toolName: 'n' }, ...parser.text('"path": "a/b'), { type: 'tool-input-end', id: 'x' }]), 'start n\ndelta "\\"path\\":\\"a/b"\nend')
    assert.equal(short(parser.text('/c')), 'c1"/c"')
    assert.equal(short(parser.text('\\')), '')
    assert.equal(short(parser.text('n')), 'c1"\\\\n"')
    assert.equal(short(parser.text('", "content"')), '')
    assert.match(short(parser.text(': "')), /^c1"\\"/)
    assert.match(short(parser.text('x"}')), /x"$/)
    // Members beside the arguments may yet come.
    assert.equal(short([...parser.text('}'), ...parser.text('</tool_call')]), 'c1"\\""')
    assert.equal(short(parser.text('>')), 'c1"}" -c1 !c1 write_file {"path":"a/b/c\\n","content":"x"}')
    assert.deepEqual(parser.finish(), [])
  })

  test('of a Morph call come as soon as they are known', () => {
    const parser = morphOf()
    assert.equal(short(parser.text('a <write_file>')), '+t1 t1"a "')
    assert.equal(short(parser.text('\n ')), '')
    assert.deepEqual([...parser.text('<p'), ...parser.text('ath>')].map(({ type }) => type).filter((type) => type !== 'tool-input-delta'), ['text-end', 'tool-input-start'])
    assert.match(short(parser.text('a/b')), /a\/b"$/)
    assert.equal(short(parser.text('/c &am')), 'c1"/c "')
    assert.equal(short(parser.text('p;')), 'c1"&"')
    assert.equal(short(parser.text('</pat')), '')
    // Whether it ends the value is known by what follows.
    assert.equal(short(parser.text('h>')), '')
    assert.match(short(parser.text('<content>')), /^c1"\\"/)
    assert.match(short(parser.text('x')), /x"$/)
    assert.equal(short(parser.text('</content></write_file')), '')
    assert.match(short(parser.text('>')), /^c1"\\"}" -c1 !c1 write_file {"path":"a\/b\/c &","content":"x"}$/)
    assert.deepEqual(parser.finish(), [])
  })

  test('have ids of the AI SDK\'s form, each its own', () => {
    const parts = written(new ToolCallParser({ protocol: hermesProtocol(), tools: TOOLS }), Array.from({ length: 100 }, () => delta(`x${ADD}`)))
    const texts = parts.filter(({ type }) => type === 'text-start').map(({ id }) => id)
    const calls = parts.filter(({ type }) => type === 'tool-call').map(({ toolCallId }) => toolCallId)
    assert.equal(new Set([...texts, ...calls]).size, 200)
    for (const id of texts) assert.match(id, /^[A-Za-z0-9]{16}$/)
    for (const id of calls) assert.match(id, /^call_[A-Za-z0-9]{24}$/)
  })

  test('have ids that a program makes', () => {
    const asked = []
    const generateId = (kind) => `${kind}:${asked.push(kind)}`
    const parts = written(parserOf({ generateId }), [delta(`x${ADD}${ADD}y`)])
    assert.deepEqual(asked, ['text', 'call', 'call', 'text'])
    assert.deepEqual([...new Set(parts.map((part) => part.id ?? part.toolCallId))], ['text:1', 'call:2', 'call:3', 'text:4'])
    const own = hermesProtocol({ generateId: () => 'own' })
    assert.equal(parseToolCalls(ADD, { protocol: own, tools: TOOLS })[0].toolCallId, 'own')
  })
})

test('a Morph list is emitted element by element from the second on', () => {
  const inputSchema = { type: 'object', properties: { rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } }, last: { type: 'string' } } }
  const parser = morphOf({}, [{ type: 'function', name: 'save', inputSchema }])
  const emitted = (chunk) => parser.text(chunk).map(({ type, delta }) => delta ?? type)
  assert.deepEqual(emitted('<save><rows><id>1</id></rows>'), ['tool-input-start'])
  assert.deepEqual(emitted('<rows><id>2</id></rows>'), ['{"rows":[{"id":1},{"id":2}'])
  assert.deepEqual(emitted('<rows><id>3</id></rows>'), [',{"id":3}'])
  assert.deepEqual(emitted('<last>'), ['],"last":"'])
  assert.deepEqual(emitted('x</last></save>'), ['x"}', 'tool-input-end', 'tool-call'])
})

describe('parts of a provider', () => {
  test('other than text pass unchanged and in order; the end of a text ends a possible tag', () => {
    const others = [
      { type: 'stream-start', warnings: [] }, { type: 'response-metadata', id: 'r', modelId: 'm' }, { type: 'reasoning-delta', id: 'r', delta: ADD }, { type: 'reasoning-end', id: 'r' },
      { type: 'source', sourceType: 'url', id: 's', url: 'u' }, { type: 'raw', rawValue: { a: 1 } }, { type: 'of the future', x: 1 },
    ]
    for (const part of others) {
      const parser = parserOf()
      parser.text('a <tool_')
      const passed = parser.write(part)
      assert.equal(passed.length, 1)
      assert.equal(passed[0], part)
      assert.equal(renderParts([start('text1'), ...parser.text(`call>${ADD.slice(11)}b`), ...parser.finish()]), 'text ""\ncall add {"a":1,"b":2}\ntext "b"')
    }
    const ends = [
      { type: 'reasoning-start', id: 'r' }, { type: 'file', mediaType: 'image/png', data: 'x' }, { type: 'error', error: new Error('x') }, { type: 'tool-input-start', id: 'n', toolName: 'add' },
      { type: 'tool-call', toolCallId: 'native', toolName: 'add', input: '{}' }, { type: 'tool-result', toolCallId: 'native', toolName: 'add', result: 1 },
    ]
    for (const part of ends) {
      const parser = parserOf()
      parser.text('a <tool_')
      const passed = parser.write(part)
      assert.equal(passed.length, 2)
      assert.deepEqual(passed[0], { type: 'text-delta', id: 'text1', delta: '<tool_' })
      assert.equal(passed[1], part)
      assert.equal(short([...parser.text('call>'), ...parser.text(ADD)]).split(' ')[0], 't1"call>"')
    }
  })

  test('between the text of a call stay between its parts', () => {
    const reasoning = { type: 'reasoning-delta', id: 'r', delta: 'hm' }
    const parts = written(morphOf(), [delta('<write_file><path>a'), reasoning, delta('b</path></write_file>'), STOP])
    assert.equal(short(parts), '+c1:write_file c1"{\\"path\\":\\"a" reasoning-delta c1"b\\"}" -c1 !c1 write_file {"path":"ab"} finish')
    assert.equal(short(written(parserOf(), [delta('<tool_call>{"name":"add",'), reasoning, delta('"arguments":{"a":1,"b":2}}</tool_call>')])), 'reasoning-delta +c1:add c1"{\\"a\\":1,\\"b\\":2}" -c1 !c1 add {"a":1,"b":2}')
  })
})

describe('finish', () => {
  const reasonOf = (finishReason, text = ADD) => written(parserOf(), [delta(text), { ...STOP, finishReason }]).at(-1).finishReason

  test('is tool-calls when a call was made, in the form that it had', () => {
    for (const [reason, after, text] of [
      ['stop', 'tool-calls'],
      ['tool-calls', 'tool-calls'],
      ...['stop', 'other', 'unknown', 'length'].map((reason) => [reason, reason, 'no call']),
      [{ unified: 'stop', raw: 'end_turn' }, { unified: 'tool-calls', raw: 'end_turn' }],
      [{ unified: 'stop', raw: 'abort' }, { unified: 'stop', raw: 'abort' }],
      [{ unified: 'stop', raw: undefined }, { unified: 'tool-calls', raw: undefined }],
      [{ unified: 'stop', raw: 'stop' }, { unified: 'stop', raw: 'stop' }, 'no call'],
      ...['length', 'content-filter', 'error', 'other', 'unknown'].flatMap((other) => [other, { unified: other, raw: 'x' }].map((reason) => [reason, reason])),
    ]) assert.deepEqual(reasonOf(reason, text), after)
  })

  test('keeps all other fields of its part, unchanged', () => {
    const part = Object.freeze({ type: 'finish', finishReason: 'stop', usage: { inputTokens: 1 }, providerMetadata: { p: {} } })
    assert.deepEqual(written(parserOf(), [delta(ADD), part]).at(-1), { ...part, finishReason: 'tool-calls' })
  })

  test('ignores a failed call, but not an invalid one', () => {
    const bad = '<tool_call>{"name":"add","x":1,,}</tool_call>'
    assert.equal(reasonOf('stop', bad), 'stop')
    assert.equal(written(parserOf({ onMalformed: 'invalid-call' }), [delta(bad), STOP]).at(-1).finishReason, 'tool-calls')
  })

  test('emits pending text before it, and ends the text', () => {
    assert.equal(short(written(parserOf(), [delta('a <tool_ca'), STOP])), '+t1 t1"a " t1"<tool_ca" -t1 finish')
    assert.equal(short(written(parserOf(), [delta('<tool_call>{"name":'), STOP])), '+t1 t1"<tool_call>{\\"name\\":" -t1 finish')
    assert.equal(short(written(morphOf(), [delta('<add'), STOP])), '+t1 t1"<add" -t1 finish')
  })

  test('ends what is read: parts after it pass as they are, until the parser ends', () => {
    const parser = parserOf()
    parser.write(delta('a'))
    assert.equal(short(parser.write(STOP)), '-t1 finish')
    for (const part of [delta(''), delta(ADD), start('2'), STOP, { type: 'raw', rawValue: 1 }]) assert.deepEqual(parser.write(part), [part])
    assert.deepEqual(parser.finish(), [])
    assert.deepEqual(parser.write({ type: 'raw', rawValue: 1 }), [])
    for (const late of [() => parser.write(delta('b')), () => parser.text('c'), () => parser.text('')]) assert.throws(late, { name: 'ParseError', code: 'finished' })
  })

  test('may be missing', async () => {
    assert.equal(short(written(parserOf(), [delta('hi <tool_ca')])), '+t1 t1"hi " t1"<tool_ca" -t1')
    const parts = await all(ReadableStream.from([delta('hi <tool_ca')]).pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools: TOOLS })))
    assert.equal(renderParts(parts), 'text "hi <tool_ca"')
  })

  test('of an empty stream is the only part', () => {
    assert.deepEqual([written(parserOf(), [STOP]), written(parserOf(), [])], [[STOP], []])
  })
})

describe('toolCallStream', () => {
  const through = (stream, parts) => all(ReadableStream.from(parts).pipeThrough(stream))

  test('is a TransformStream, as the parser of a protocol is', async () => {
    for (const stream of [toolCallStream({ protocol: hermesProtocol(), tools: TOOLS }), hermesProtocol().createStreamParser({ tools: TOOLS }), morphXmlProtocol().createStreamParser({ tools: TOOLS })]) assert.ok(stream instanceof TransformStream)
    const parts = await through(toolCallStream({ protocol: morphXmlProtocol(), tools: TOOLS }), [delta(ADD_XML), STOP])
    assert.equal(renderParts(parts.slice(0, -1)), 'call add {"a":1,"b":2}')
    assert.equal(parts.at(-1).finishReason, 'tool-calls')
  })

  test('takes a protocol of one\'s own, and one that a function makes', async () => {
    assert.equal(renderParts(await through(toolCallStream({ protocol: hermesProtocol, tools: TOOLS }), [delta(ADD)])), 'call add {"a":1,"b":2}')
    const own = {
      formatTools: () => '',
      formatToolCall: () => '',
      formatToolResponse: () => '',
      parseGeneratedText: ({ text }) => [{ type: 'text', text: text.toUpperCase() }],
      createStreamParser: () => new TransformStream({ transform: (part, controller) => controller.enqueue({ ...part, delta: part.delta.toUpperCase() }) }),
    }
    assert.deepEqual(await through(toolCallStream({ protocol: own, tools: TOOLS }), [delta('a')]), [delta('A')])
    assert.deepEqual(parseToolCalls('a', { protocol: () => own, tools: TOOLS }), [{ type: 'text', text: 'A' }])
  })

  test('has the parts of a chunk immediately, and reads nothing ahead', async () => {
    let pulls = 0
    const chunks = ['a', 'b <tool_call>{"name":"ping"', ',"arguments":{}}', '</tool_call>c']
    const source = new ReadableStream({ pull: (controller) => (pulls < chunks.length ? controller.enqueue(delta(chunks[pulls++])) : controller.close()) }, { highWaterMark: 0 })
    const reader = source.pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools: TOOLS })).getReader()
    assert.equal((await reader.read()).value.type, 'text-start')
    assert.equal((await reader.read()).value.delta, 'a')
    assert.ok(pulls <= 3, `${pulls}`)
    await reader.cancel()
  })

  test('of one protocol are apart', () => {
    const protocol = hermesProtocol()
    const [one, other] = [parserOf({}, protocol), parserOf({}, protocol)]
    one.text('<tool_call>{"name":"add",')
    assert.equal(short(other.text('x')), '+t1 t1"x"')
    assert.match(short(one.text('"arguments":{}}</tool_call>')), /!c1 add {}$/)
  })

  test('options of the stream come before those of the protocol', () => {
    const protocol = hermesProtocol({ coerce: false, onMalformed: 'drop' })
    const text = '<tool_call>{"name":"add","arguments":{"a":"1"}}</tool_call><tool_call>{,}</tool_call>'
    assert.deepEqual(parseToolCalls(text, { protocol, tools: TOOLS }).map((each) => each.input ?? each.text), ['{"a":"1"}'])
    assert.deepEqual(parseToolCalls(text, { protocol, tools: TOOLS, options: { coerce: true } }).map((each) => each.input ?? each.text), ['{"a":1}'])
    assert.deepEqual(parseToolCalls(text, { protocol, tools: TOOLS, options: { onMalformed: 'text' } }).map((each) => each.input ?? each.text), ['{"a":"1"}', '<tool_call>{,}</tool_call>'])
  })
})

describe('complete texts', () => {
  test('have the segments of their calls', () => {
    const spaced = ADD.replace('</tool_call>', '\n</tool_call >')
    assert.deepEqual(hermesProtocol().extractToolCallSegments({ text: `a ${ADD} <tool_call> ${spaced}<tool_call>{,}</tool_call>${ADD.slice(0, -1)}`, tools: TOOLS }), [ADD, spaced])
    assert.deepEqual(hermesProtocol().extractToolCallSegments({ text: '<tool_call>[{"name":"ping"},{"name":"ping"}]</tool_call>', tools: TOOLS }), ['<tool_call>[{"name":"ping"},{"name":"ping"}]</tool_call>'])
    assert.deepEqual(hermesProtocol().extractToolCallSegments({ text: `${ADD.replace('</tool_call>', '\n')}${ADD}`, tools: TOOLS }).join(''), `${ADD.replace('</tool_call>', '\n')}${ADD}`)
    assert.deepEqual(morphXmlProtocol().extractToolCallSegments({ text: `a ${ADD_XML}<ping />b<add></x>x</add><add>`, tools: TOOLS }), [ADD_XML, '<ping />'])
    assert.deepEqual(morphXmlProtocol().extractToolCallSegments({ text: 'nothing', tools: TOOLS }), [])
  })
})

describe('errors', () => {
  test('come once, when the segment has ended, with all that is known', () => {
    const errors = []
    const parser = parserOf({ onError: (...error) => errors.push(error) })
    parser.text('<tool_call>{"name":"add","x":1,,')
    parser.text('}</tool_ca')
    assert.deepEqual(errors, [])
    parser.text('ll> x')
    const [[message, metadata]] = errors
    assert.match(message, /.{10}/)
    assert.deepEqual(metadata, { toolCall: '<tool_call>{"name":"add","x":1,,}</tool_call>', dropReason: 'malformed-tool-call-body', toolName: 'add', toolCallId: 'call1' })
    parser.finish()
    assert.equal(errors.length, 1)
  })

  test('emit the text immediately and as it comes', () => {
    const parser = parserOf()
    assert.equal(short(parser.text('<tool_call>{"name":"add","arguments":{"a":1,,')), '+c1:add c1"{\\"a\\":1" -c1 +t1 t1"<tool_call>{\\"name\\":\\"add\\",\\"arguments\\":{\\"a\\":1,,"')
    assert.equal(short(parser.text('b')), 't1"b"')
    assert.equal(short(parser.text('}</too')), 't1"}"')
    assert.equal(short(parser.text('l_call> c')), 't1"</tool_call> c"')
  })

  test('in prose are not calls, and the text comes as soon as that is known', () => {
    const parser = parserOf({ onError: () => assert.fail('no error') })
    assert.equal(short(parser.text('the <tool_call>')), '+t1 t1"the "')
    assert.equal(short(parser.text(' ')), '')
    assert.equal(short(parser.text('t')), 't1"<tool_call> t"')
    const morph = morphOf({ onError: () => assert.fail('no error') })
    assert.equal(short(morph.text('the <add>')), '+t1 t1"the "')
    assert.equal(short(morph.text('\n')), '')
    assert.equal(short(morph.text('t')), 't1"<add>\\nt"')
  })

  test('in a handler that feeds another parser stay separate', () => {
    const inner = []
    const parser = parserOf({ onError: (message, { toolCall }) => inner.push(renderParts(written(parserOf(), [delta(`x${ADD}${toolCall}`)]))) })
    assert.equal(renderParts([...parser.text(`<tool_call>{,}</tool_call>${ADD}`), ...parser.finish()]), 'text "<tool_call>{,}</tool_call>"\ncall add {"a":1,"b":2}')
    assert.deepEqual(inner, ['text "x"\ncall add {"a":1,"b":2}\ntext "<tool_call>{,}</tool_call>"'])
  })

  test('repairs are emitted before the call', () => {
    const emitted = []
    const parser = parserOf({ onRepair: (repairs, call) => emitted.push([repairs, call]) })
    const parts = parser.text("<tool_call>{'name':'add','parameters':{'a':1}</tool_call>")
    assert.deepEqual(emitted.map(([repairs, call]) => [[...repairs].sort(), call]), [[['missing-closer', 'parameters', 'single-quotes'], { toolCallId: 'call1', toolName: 'add' }]])
    assert.match(short(parts), /!c1 add {"a":1}$/)
    parser.text(ADD)
    assert.equal(emitted.length, 1, 'a valid call needs none')
  })
})

describe('tools', () => {
  test('of a provider are ignored', () => {
    const tools = [{ type: 'provider-defined', id: 'x.search', name: 'search', args: {} }, { type: 'provider', id: 'x.find', name: 'find', args: {} }, ...TOOLS]
    assert.equal(renderParts(written(morphOf({}, tools), [delta('<search><q>x</q></search><find/>')])), 'text "<search><q>x</q></search><find/>"')
    assert.equal(renderParts(written(parserOf({ unknownTools: 'text' }, hermesProtocol(), tools), [delta('<tool_call>{"name":"search"}</tool_call>')])), 'text "<tool_call>{\\"name\\":\\"search\\"}</tool_call>"')
  })

  test('in an empty list: a Hermes call may name any tool, a Morph call none', () => {
    assert.equal(renderParts(written(parserOf({ unknownTools: 'text' }, hermesProtocol(), []), [delta(ADD)])), 'call add {"a":1,"b":2}')
    assert.equal(renderParts(written(morphOf({}, []), [delta(ADD_XML)])), `text ${JSON.stringify(ADD_XML)}`)
  })

  test('may have schemas that are wrapped, or true, or strange', () => {
    const inputSchema = { jsonSchema: { type: 'object', properties: { a: { type: 'string' } } } }
    const call = (schema) => parseToolCalls(ADD, { protocol: hermesProtocol(), tools: [{ type: 'function', name: 'add', inputSchema: schema }] })[0].input
    assert.equal(call(inputSchema), '{"a":"1","b":2}')
    for (const schema of [true, false, undefined, null, 5, 'x', [], {}]) assert.equal(call(schema), '{"a":1,"b":2}')
  })

  test('may be very many', () => {
    const tools = Array.from({ length: 500 }, (_, at) => ({ type: 'function', name: `tool_${at}`, inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }))
    assert.equal(renderParts(written(morphOf({}, tools), [delta('<tool_7><a>1</a></tool_7><tool_499/><tool_500/>')])), 'call tool_7 {"a":1}\ncall tool_499 {}\ntext "<tool_500/>"')
  })

  test('of other parsers are not known here', () => {
    const [one, other] = [morphOf({}, toolsOf(['add'])), morphOf({}, toolsOf(['ping']))]
    one.text('<ad')
    other.text('<pin')
    assert.equal(renderParts([...one.text('d/><ping/>'), ...one.finish()]), 'call add {}\ntext "<ping/>"')
    assert.equal(renderParts([...other.text('g/><add/>'), ...other.finish()]), 'call ping {}\ntext "<add/>"')
  })
})

describe('misuse', () => {
  const make = (arg) => new ToolCallParser(arg)

  test('of the parser is rejected by name', () => {
    assert.throws(() => make(), TypeError)
    for (const arg of [null, 5, 'hermes', []]) assert.throws(() => make(arg), TypeError)
    assert.throws(() => make({ tools: TOOLS }), typeError('protocol'))
    for (const protocol of [null, 5, 'hermes', {}, []]) assert.throws(() => make({ protocol, tools: TOOLS }), typeError('protocol'))
    assert.throws(() => make({ protocol: hermesProtocol(), tools: TOOLS, option: {} }), typeError('"option"'))
    for (const tools of [undefined, 5, 'add', null, [5], [null], [{}], [{ name: 5 }]]) assert.throws(() => make({ protocol: hermesProtocol(), tools }), typeError('tools'), JSON.stringify(tools))
  })

  test('of options is rejected by name', () => {
    const wrong = {
      toolInputDeltas: [1, 'yes', null], onMalformed: ['throw', 1, null, ''], unknownTools: ['drop', true, null], fences: ['code', true, null], coerce: [0, 'no', null], generateId: ['x', 1, null, {}], maxPending: [0, -1, 1.5, Number.NaN, '9', null],
      onError: [1, 'x', {}, null], onRepair: [1, 'x', {}, null], originalToolSchemas: [1, 'x', null],
    }
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        assert.throws(() => make({ protocol: hermesProtocol(), tools: TOOLS, options: { [name]: value } }), typeError(name), `${name}: ${value}`)
        assert.throws(() => toolCallStream({ protocol: morphXmlProtocol(), tools: TOOLS, options: { [name]: value } }), typeError(name), `${name}: ${value}`)
        assert.throws(() => parseToolCalls('x', { protocol: hermesProtocol(), tools: TOOLS, options: { [name]: value } }), typeError(name), `${name}: ${value}`)
        assert.throws(() => hermesProtocol().parseGeneratedText({ text: 'x', tools: TOOLS, options: { [name]: value } }), typeError(name), `${name}: ${value}`)
        if (!['onError', 'onRepair', 'originalToolSchemas'].includes(name)) for (const protocol of [hermesProtocol, morphXmlProtocol]) assert.throws(() => protocol({ [name]: value }), typeError(name), `${name}: ${value}`)
      }
      make({ protocol: hermesProtocol(), tools: TOOLS, options: { [name]: undefined } })
    }
    for (const options of [5, 'x', null, []]) assert.throws(() => make({ protocol: hermesProtocol(), tools: TOOLS, options }), TypeError)
  })

  test('of unknown options names them', () => {
    for (const act of [
      () => make({ protocol: hermesProtocol(), tools: TOOLS, options: { onMalformd: 'text' } }),
      () => toolCallStream({ protocol: hermesProtocol(), tools: TOOLS, options: { onMalformd: 'text' } }),
      () => parseToolCalls('', { protocol: hermesProtocol(), tools: TOOLS, options: { onMalformd: 'text' } }),
      () => hermesProtocol({ onMalformd: 'text' }),
      () => morphXmlProtocol({ onMalformd: 'text' }),
      () => hermesProtocol().createStreamParser({ tools: TOOLS, options: { onMalformd: 'text' } }),
    ]) assert.throws(act, typeError('"onMalformd"', 'onMalformed'))
    assert.throws(() => morphXmlProtocol({ toolCallStart: '<x>' }), typeError('"toolCallStart"'))
    assert.throws(() => hermesProtocol({ onError() {} }), typeError('"onError"'))
  })

  test('of tags is rejected by name', () => {
    for (const name of ['toolCallStart', 'toolCallEnd']) {
      for (const tag of ['', ' \n', 5, null, {}, 'x'.repeat(129), 'é'.repeat(65), '😀'.repeat(33)]) assert.throws(() => hermesProtocol({ [name]: tag }), typeError(name), JSON.stringify(tag))
      for (const tag of ['x', ` ${'x'.repeat(128)} `, '😀'.repeat(32), 'é'.repeat(64)]) assert.equal(typeof hermesProtocol({ [name]: tag }), 'object')
      hermesProtocol({ [name]: undefined })
    }
  })

  test('of text and parts is rejected, and changes nothing', () => {
    const parser = parserOf()
    parser.text('a<tool_')
    for (const value of [5, null, undefined, {}, ['x']]) assert.throws(() => parser.text(value), TypeError)
    for (const value of [5, null, undefined, 'x', {}, { type: 5 }]) assert.throws(() => parser.write(value), TypeError)
    for (const value of [5, null, undefined]) assert.throws(() => parser.write({ type: 'text-delta', id: 'p', delta: value }), TypeError)
    assert.equal(renderParts([start('text1'), ...parser.text('b'), ...parser.finish()]), 'text "<tool_b"')
    for (const value of [5, null, undefined]) {
      assert.throws(() => parseToolCalls(value, { protocol: hermesProtocol(), tools: TOOLS }), TypeError)
      assert.throws(() => hermesProtocol().parseGeneratedText({ text: value, tools: TOOLS }), TypeError)
      assert.throws(() => hermesProtocol().extractToolCallSegments({ text: value, tools: TOOLS }), TypeError)
    }
  })
})

describe('adversarial input', () => {
  const MEGABYTE = 1_000_000

  /** Reads an input of tests/cases/adversarial; returns what came out as text, and the calls. */
  function read(input, size) {
    const tools = [...TOOLS, { type: 'function', name: 'f' }]
    const parser = input.protocol === 'morph' ? morphOf({}, tools) : parserOf({}, hermesProtocol(), tools)
    const from = performance.now()
    const parts = []
    let text = ''
    for (const chunk of chunksOf(input, size, 4_096)) {
      text += chunk
      for (const part of parser.text(chunk)) parts.push(part)
      if (performance.now() - from > 60_000) assert.fail('a minute for a megabyte')
    }
    parts.push(...parser.finish())
    const emitted = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
    return { text, emitted, calls: parts.filter(({ type }) => type === 'tool-call').length }
  }

  const HEAD = '<tool_call>{"name":"write_file","arguments":{"path":"p","content":"'
  const XML = '<write_file><path>p</path><content>'

  for (const input of sampled(inputsOf('tool_call'))) {
    test(`a megabyte of ${input.name}`, () => {
      const timed = (size) => {
        const from = process.cpuUsage()
        const { text, emitted, calls } = read(input, size)
        const { user, system } = process.cpuUsage(from)
        if (size === MEGABYTE) assert.ok(calls >= (input.calls ?? 0), `${calls} calls`)
        if (calls === 0) assert.ok(emitted === text, 'all of it is text')
        return (user + system) / 1_000
      }
      // Ten times the text takes ten times the time, not a hundred; some milliseconds are noise.
      const small = Math.min(timed(MEGABYTE / 10), timed(MEGABYTE / 10), timed(MEGABYTE / 10))
      const large = timed(MEGABYTE)
      assert.ok(large < 40 * (small + 10), `${Math.round(small)} ms, then ${Math.round(large)} ms`)
    })
  }

  test('a hundred thousand chunks of a string are a hundred thousand deltas at most', () => {
    for (const [parser, head, tail] of [[parserOf(), HEAD, '"}}</tool_call>'], [morphOf(), XML, '</content></write_file>']]) {
      parser.text(head)
      let deltas = 0
      for (let at = 0; at < 100_000; at++) {
        const parts = parser.text('x')
        assert.ok(parts.length <= 1)
        deltas += parts.length
      }
      assert.ok(deltas >= 99_999, `${deltas}`)
      const last = parser.text(tail)
      assert.equal(last.at(-1).input, `{"path":"p","content":"${'x'.repeat(100_000)}"}`)
    }
  })

  test('a schema that refers to itself', () => {
    const inputSchema = { type: 'object', properties: { a: { $ref: '#/properties/a' }, b: { $ref: '#' } } }
    inputSchema.properties.c = inputSchema
    const tools = [{ type: 'function', name: 'add', inputSchema }]
    assert.equal(renderParts(written(parserOf({}, hermesProtocol(), tools), [delta('<tool_call>{"name":"add","arguments":{"a":1,"b":{"b":{"a":2}},"c":{"c":{}}}}</tool_call>')])), 'call add {"a":1,"b":{"b":{"a":2}},"c":{"c":{}}}')
  })

  test('a segment that is longer than allowed by default', () => {
    const errors = []
    const parser = parserOf({ onError: (message, { dropReason, toolCall }) => errors.push([dropReason, toolCall.length]) })
    parser.text(HEAD)
    const chunk = 'x'.repeat(MEGABYTE)
    let emitted = 0
    for (let at = 0; at < 18; at++) for (const part of parser.text(chunk)) if (part.type === 'text-delta') emitted += part.delta.length
    assert.deepEqual(errors, [['call-too-long', 16_777_216]])
    assert.equal(emitted, HEAD.length + 18 * MEGABYTE)
  })
})
