// Parsers are saved and restored: at every place of all cases, what is refused, and how large a snapshot is.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { describe, test } from 'node:test'
import { BlockParser, ParseError, VisibleTextStream } from 'tokenweir/blocks'
import { StreamingJSONParser } from 'tokenweir/fields'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { NativeBlocks } from 'tokenweir'
import { StreamingParser, StreamingResponseHandler, registerXmlToolParsingState, unregisterXmlToolParsingState } from 'tokenweir/segments'
import { ToolCallParser, hermesProtocol, morphXmlProtocol } from 'tokenweir/tool-calls'
import { caseFiles, optionsOf } from './support/cases.mjs'
import { fieldCaseFiles, setupOf } from './support/field-cases.mjs'
import { sampled, thinned } from './support/cuts.mjs'
import { recorder } from './support/reading.mjs'
import { configOf, segmentCaseFiles } from './support/segment-cases.mjs'
import { joined, judge, judgeChunks } from './support/snapshot-judge.mjs'
import { WAYS, ids } from './support/snapshot-ways.mjs'

const seed = Number(env.SEED ?? Date.now() % 1_000_000)
console.log(`SEED=${seed}`)

const copy = (snapshot) => JSON.parse(JSON.stringify(snapshot))
const code = (code) => (error) => error instanceof ParseError && error.code === code
const size = (snapshot) => JSON.stringify(snapshot).length
const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'array', items: { type: 'string' } } } } }]

describe('restored at every place, a parser goes on as if nothing had been', () => {
  for (const [file, cases] of caseFiles())
    test(`blocks: ${file}`, async () => {
      for (const [index, each] of cases.entries()) {
        const options = optionsOf(each)
        if (each.face === 'elements') await judge('IncrementalXmlParser', {}, each.input, seed, each.name)
        else for (const more of [{}, { spans: true }]) await judge('BlockParser', { ...options, ...more }, each.input, seed, each.name)
        // Streams are slower to feed.
        if (each.face !== 'elements' && index % 8 === 0) await judge('BlockStream', { ...options, spans: true }, each.input, seed, each.name, thinned(30))
        if (each.face !== 'elements' && index % 8 === 1) await judge('VisibleTextStream', options, each.input, seed, each.name, thinned(30))
      }
    })

  for (const [file, cases] of fieldCaseFiles())
    test(`fields: ${file}`, async () => {
      for (const [index, each] of cases.entries()) {
        const { schema, options } = setupOf(each)
        for (const more of [{ spans: true }, { completion: 'order' }]) await judge('StreamingJSONParser', { schema, options: { ...options, ...more } }, each.input, seed, each.name)
        if (index % 8 === 0) await judge('FieldStream', { schema, options }, each.input, seed, each.name, thinned(20))
      }
    })

  for (const [file, cases] of segmentCaseFiles())
    test(`segments: ${file}`, async () => {
      for (const each of cases) {
        const config = configOf(each)
        await judge('StreamingParser', { ...config, spans: true }, each.input, seed, each.name)
        await judge('StreamingResponseHandler', config, each.input, seed, each.name)
        const events = new StreamingParser(config).feedAndFinalize(each.input).map((event) => JSON.stringify(event))
        await judgeChunks('ToolInvocationAdapter', {}, events, () => true, each.name)
      }
    })

  test('calls of an API, with reasoning and content between them', async () => {
    const call = (index, more) => `json ${JSON.stringify({ toolCalls: [{ index, ...more }] })}`
    const letters = (index, json) => json.split('').map((argumentsDelta) => call(index, { argumentsDelta }))
    const chunks = [
      'json {"reasoning":"hm"}', 'json {"reasoning":"hm"}', 'Look: <run_ba', 'sh>ls</run_bash>',
      call(0, { callId: 'a', name: 'write_file' }), ...letters(0, '{"path": "/a.py", "mode": 1, "content": "x = \\"1\\"\\n\\ud83d\\ude42"}'),
      call(1, { callId: 'b', name: 'add' }), call(2, { argumentsDelta: '{"a"' }), ...letters(1, ' {"a": [1, "}"]} x'), call(2, { name: 'late', argumentsDelta: ': 1}' }), call(3, { name: 'now' }), 'end',
    ]
    for (const config of [{}, { spans: true }, { acceptUnterminated: true }]) await judgeChunks('StreamingResponseHandler', config, chunks, () => true, 'calls')
  })

  test('prefill, results of tools, the next reply, and a stop', () => {
    const run = (isRestored) => {
      const log = []
      const options = { stopSequences: ['END'], onChunk: (text, { type, blockIndex }) => log.push([type, blockIndex, text]), onBlock: (event) => log.push(event), generateId: () => 'id' }
      let parser = new BlockParser(options)
      const step = (act) => {
        act(parser)
        if (isRestored) parser = BlockParser.restore(copy(parser.snapshot()), options)
      }
      step((it) => it.push('<thinking>hm</thinking><function_calls><invoke name="add"><parameter name="a">'))
      step((it) => it.processChunk('1</par'))
      step((it) => it.processChunk('ameter></invoke></function_calls>'))
      step((it) => it.emitToolResults([{ toolUseId: 'id', content: '3' }]))
      step((it) => it.resetForNewIteration())
      step((it) => it.incrementBlockIndex())
      step((it) => it.push('<thin'))
      step((it) => it.processChunk('king>x</thinking>yEN'))
      step((it) => it.processChunk('D and more'))
      step((it) => it.processChunk('!'))
      step((it) => it.flush())
      return [log, parser.getAccumulated(), parser.getIgnored()]
    }
    assert.deepEqual(run(true), run(false))
  })

  test('ids that JavaScript made, also where the program gives none', () => {
    const before = new BlockParser()
    const { emissions } = before.processChunk('<invoke name="add"><parameter name="a">1')
    const id = emissions.find(({ meta }) => meta?.toolCallPart === 'id').text
    const after = BlockParser.restore(copy(BlockParser.restore(copy(before.snapshot())).snapshot()))
    assert.equal(after.processChunk('</parameter></invoke>').emissions.at(-1).event.block.toolId, id)
  })

  test('the judge sees a character that is missing', async () => {
    const forge = (snapshot) => ({ ...snapshot, calls: snapshot.calls.map((call) => (typeof call === 'string' ? call.slice(0, -1) : call)), checksum: undefined })
    const text = 'Hi <thinking>h</thinking>!'
    const whole = checksum(copy(new BlockParser().snapshot()))
    assert.equal(whole, new BlockParser().snapshot().checksum)
    await assert.rejects(judgeChunks('BlockParser', {}, text.split(''), () => true, 'forged', (snapshot) => { const changed = forge(snapshot); return { ...changed, checksum: checksum(changed) } }), /restored at/)
  })
})

/** The checksum of a snapshot, as the package makes it. */
function checksum({ v, parser, format = null, engine, options, given, keepText, calls, ids }) {
  const text = JSON.stringify([v, parser, format, engine, Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)), given, keepText, calls, ids])
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}

test('a snapshot is plain JSON, whose keys may come in another order', () => {
  for (const [name, options, before] of [
    ['BlockParser', { tags: { thought: 'thinking' }, stopSequences: ['\nAlice:'] }, 'Hi <invoke name="add"><parameter name="a">1 &am'],
    ['ToolCallParser', { format: 'hermes', tools }, 'Sure <tool_call>{"name": "add", "arguments": {"a": "1", "b": ["x'],
    ['StreamingJSONParser', { schema: { a: 'str', b: ['str'] }, options: { completion: 'order' } }, '{"a": "x", "b": ["y'],
    ['StreamingResponseHandler', { strategy: 'xml' }, 'Look: <run_bash>l'],
  ]) {
    const way = WAYS[name]
    const parser = way.make(options, [], ids())
    way.feed(parser, before)
    const snapshot = way.snapshot?.(parser) ?? parser.snapshot()
    assert.deepEqual(copy(snapshot), snapshot)
    const turned = Object.fromEntries(Object.entries(structuredClone(snapshot)).reverse())
    turned.options = Object.fromEntries(Object.entries(turned.options).reverse())
    way.restore(turned, options, [], ids())
  }
})

describe('what is refused', () => {
  const given = { generateId: () => 'x', onChunk() {}, onBlock() {}, onMarkup() {} }
  const first = new BlockParser({ ...given, tags: { thought: 'thinking' }, stopSequences: ['\nAlice:'] })
  first.processChunk('Hi <invoke name="add">')
  first.incrementBlockIndex()
  const snapshot = first.snapshot()
  const restore = (changed, options = given) => BlockParser.restore({ ...copy(snapshot), ...changed }, options)
  const forged = (changed) => restore({ ...changed, checksum: checksum({ ...snapshot, ...changed }) })

  test('another version, another engine, another parser', () => {
    restore({})
    assert.throws(() => restore({ v: 2 }), code('snapshot-version'))
    assert.throws(() => forged({ engine: '0.0.1' }), code('snapshot-version'))
    assert.throws(() => restore({ parser: 'fields' }), code('snapshot-parser'))
    assert.throws(() => StreamingJSONParser.restore(snapshot), code('snapshot-parser'))
  })

  test('what was changed or cut', () => {
    for (const changed of [{ checksum: 'x' }, { checksum: undefined }, { calls: [] }, { ids: ['other'] }, { options: {} }, { given: [] }, { keepText: false }, { more: 1 }, { format: 'hermes' }])
      assert.throws(() => restore(changed), code('snapshot-invalid'), JSON.stringify(changed))
    for (const nothing of [undefined, null, 1, 'text', []]) assert.throws(() => BlockParser.restore(nothing, given), code('snapshot-invalid'))
  })

  test('malformed calls, with a checksum that fits', () => {
    for (const calls of [[1], [['flush']], [['flush', 'x']], [['constructor', '[]']], [['snapshot', '[]']], [['push', '{"first":[]}']], [['skip', '[-1e9]']], [['startAt', '["x"]']], [['startAt', '[1e99, 0, 0]']]]) assert.throws(() => forged({ calls }), code('snapshot-invalid'), JSON.stringify(calls))
    for (const calls of [[['push', '[1]']], [['emitToolResults', '[[{}]]']], [['incrementBlockIndex', '["x"]']]]) forged({ calls }).processChunk('and <thinking>more')
    assert.throws(() => forged({ options: { tags: '{' } }), code('snapshot-invalid'))
  })

  test('a function that is missing, by its name; an option that is another, with both values; an unknown one', () => {
    assert.throws(() => restore({}, { ...given, onBlock: undefined }), /TypeError: BlockParser\.restore: onBlock was given/)
    assert.throws(() => restore({}, { ...given, stopSequences: ['END'] }), /stopSequences is \["END"\], but the snapshot has \["\\nAlice:"\]/)
    assert.throws(() => restore({}, { ...given, fences: 'text' }), /fences is string "text", but the snapshot has undefined/)
    assert.throws(() => restore({}, { ...given, nonsense: () => {} }), /no option "nonsense"/)
    restore({}, { ...given, stopSequences: ['\nAlice:'] })
    const call = new ToolCallParser({ format: 'hermes', tools }).snapshot()
    assert.throws(() => ToolCallParser.restore(call, { format: 'kimi-k2' }), /format is string "kimi-k2", but the snapshot has string "hermes"/)
    const protocol = new ToolCallParser({ protocol: hermesProtocol(), tools }).snapshot()
    assert.throws(() => ToolCallParser.restore(protocol), /protocol was given/)
    assert.throws(() => ToolCallParser.restore(protocol, { protocol: morphXmlProtocol() }), /it reads the format string "XML", but the snapshot is of string "JSON"/)
    assert.throws(() => ToolCallParser.restore(protocol, { protocol: hermesProtocol({ toolCallStart: '<call>', toolCallEnd: '</call>' }) }), code('snapshot-version'))
    assert.throws(() => new BlockParser().snapshot({ keep: true }), /no option "keep"/)
  })

  test('where other tool states are registered', () => {
    registerXmlToolParsingState('send_mail', { contentArg: 'body' })
    const parser = new StreamingParser()
    parser.feed('<tool name="send_mail">')
    const snapshot = parser.snapshot()
    StreamingParser.restore(snapshot)
    unregisterXmlToolParsingState('send_mail')
    assert.throws(() => StreamingParser.restore(snapshot), code('snapshot-version'))
  })

  test('a snapshot from inside a callback', () => {
    const errors = []
    const attempt = (act) => {
      try {
        act()
      } catch (error) {
        errors.push(error.code)
      }
    }
    const parser = new BlockParser({ onChunk: () => attempt(() => parser.snapshot()) })
    parser.processChunk('Hello')
    const calls = new ToolCallParser({ format: 'hermes', onError: () => attempt(() => calls.snapshot()) })
    calls.text('<tool_call>{"name": }</tool_call>')
    const segments = new StreamingParser({ onError: () => attempt(() => segments.snapshot()) })
    segments.feed('<run_bash>ls')
    segments.finalize()
    const handler = new StreamingResponseHandler({ onSegmentEvent: () => attempt(() => handler.snapshot()) })
    handler.feed('Hello')
    assert.ok(errors.length >= 4)
    assert.deepEqual([...new Set(errors)], ['reentrant'])
  })
})

test('a finished parser is restored as one', () => {
  const blocks = new BlockParser()
  blocks.processChunk('Hello')
  blocks.flush()
  assert.throws(() => BlockParser.restore(blocks.snapshot()).processChunk('more'), code('finished'))
  const fields = new StreamingJSONParser()
  fields.parseChunk('{"a": 1}')
  fields.finalize()
  const again = StreamingJSONParser.restore(copy(fields.snapshot()))
  assert.deepEqual(again.data, { a: 1 })
  assert.throws(() => again.parseChunk('more'), code('finished'))
})

test('values that JSON does not have', () => {
  const final = { big: 12345678901234567890n, none: Number.NaN, least: -Infinity, zero: -0, '__proto__x': [undefined] }
  const fields = new StreamingJSONParser(null, { bigNumbers: 'bigint' })
  fields.parseChunk('{"big": 1234')
  fields.flushFinalData(final)
  const again = StreamingJSONParser.restore(copy(fields.snapshot()))
  assert.deepEqual([again.data.big, again.data.none, again.data.least, Object.is(again.data.zero, -0)], [final.big, Number.NaN, -Infinity, true])
})

test('events that a program changes afterwards, and one that holds itself', () => {
  const event = { choices: [{ index: 0, delta: { content: '' } }] }
  const odd = { type: 'start', about: {} }
  odd.about.again = [odd]
  const log = []
  const before = new NativeBlocks({ onChunk: (text) => log.push(text), onUnknown() {} })
  for (let count = 0; count < 2; count++) before.event(odd)
  for (const text of ['a ', 'b ', '<', 'c']) {
    event.choices[0].delta.content = text
    before.event(event)
  }
  const said = log.splice(0).join('')
  const after = NativeBlocks.restore(copy(before.snapshot()), { onChunk: (text) => log.push(text), onUnknown() {} })
  event.choices[0].delta.content = ' d'
  after.event(event)
  const [{ event: { block } }] = after.flush().emissions
  assert.deepEqual([said, log.join(''), block.content], ['a b <c', ' d', 'a b <c d'])
})

test('a member that throws, where that of an event like it did not', () => {
  const part = (delta) => ({ type: 'text-delta', id: '1', delta, get later() { return delta === 'b' ? assert.fail('not yet') : delta } })
  const before = new NativeBlocks()
  before.aiSdk({ type: 'text-start', id: '1' })
  for (const delta of ['a', 'b', 'c']) before.aiSdk(part(delta))
  const [{ event: { block } }] = NativeBlocks.restore(copy(before.snapshot())).flush().emissions
  assert.equal(block.content, 'abc')
})

test('a callback that threw then throws nothing now', () => {
  const before = new BlockParser({ onChunk: () => assert.fail('once') })
  assert.throws(() => before.processChunk('Hi <thi'), /once/)
  const { log, ...callbacks } = recorder()
  BlockParser.restore(copy(before.snapshot()), { onChunk: callbacks.onChunk }).processChunk('nking>hm')
  assert.deepEqual(log.map(({ chunk }) => chunk), ['hm'])
})

describe('keepText: false', () => {
  test('at every place of all cases the pieces are the same, and blocks that began before are partial', () => {
    for (const [, cases] of caseFiles()) {
      for (const each of cases) {
        for (const settings of [{}, { spans: true }]) {
          const Parser = each.face === 'elements' ? IncrementalXmlParser : BlockParser
          const options = each.face === 'elements' ? {} : { ...optionsOf(each), ...settings, generateId: ids() }
          const text = each.input.length > 400 ? each.input.slice(0, 400) : each.input
          const feed = (parser, chunks) => [...chunks.flatMap((chunk) => parser.processChunk(chunk).emissions), ...parser.flush().emissions]
          const before = new Parser(options)
          const emitted = []
          const takes = []
          const places = new Set(sampled([...Array(text.length + 1).keys()]))
          for (let at = 0; at <= text.length; at++) {
            if (at > 0) emitted.push(...before.processChunk(text[at - 1]).emissions)
            if (places.has(at)) takes.push([at, emitted.length, copy(before.snapshot({ keepText: false })), options.generateId?.count])
          }
          emitted.push(...before.flush().emissions)
          for (const [at, from, snapshot, count] of takes) {
            const after = Parser.restore(snapshot, each.face === 'elements' ? undefined : { generateId: ids(count) })
            const shown = (emissions) => joined(emissions.map(whole))
            assert.deepEqual(shown(feed(after, text.slice(at).split(''))), shown(emitted.slice(from)), `${each.name}, restored at ${at} of ${JSON.stringify(text)}\n${JSON.stringify(snapshot)}`)
          }
        }
      }
    }
  })

  /** An emission without what a block has that began before. */
  function whole({ event, ...rest }) {
    if (event?.block === undefined || typeof event.block !== 'object') return event === undefined ? rest : { ...rest, event }
    const { content, partial: _, ...block } = event.block
    return { ...rest, event: { ...event, block: block.toolName !== undefined ? { ...block, content } : block } }
  }

  test('leaves out the text of the open block, whose end says so; an open call keeps its input', () => {
    const events = []
    const options = { onBlock: (event) => events.push(event), generateId: () => 'id' }
    const before = new BlockParser(options)
    before.processChunk('Hello <thinking>hm ')
    const after = BlockParser.restore(copy(before.snapshot({ keepText: false })), options)
    events.length = 0
    after.processChunk('so</thinking>Bye <function_calls><invoke name="add">')
    assert.deepEqual(events[0], { event: 'block_complete', index: 1, block: { type: 'thinking', content: 'so', partial: true } })
    assert.equal(after.getAccumulated(), 'so</thinking>Bye <function_calls><invoke name="add">')
    after.processChunk('<parameter name="a">[1,')
    const last = BlockParser.restore(copy(after.snapshot({ keepText: false })), options)
    last.processChunk('2]</parameter></invoke>')
    assert.deepEqual(events.at(-1).block, { type: 'tool_call', toolId: 'id', toolName: 'add', input: { a: [1, 2] } })
  })

  test('a stop sequence after it', () => {
    const before = new BlockParser({ stopSequences: ['END'] })
    before.processChunk('Hello E')
    const after = BlockParser.restore(copy(before.snapshot({ keepText: false })))
    const { emissions } = after.processChunk('ND more')
    assert.deepEqual(emissions.map(({ event }) => event.event), ['block_complete', 'stop'])
    assert.equal(emissions[1].event.offset, 6)
    assert.equal(after.getIgnored(), 5)
  })

  test('a handler keeps no events', () => {
    const before = new StreamingResponseHandler()
    before.feed('Hello <run_bash>l')
    const after = StreamingResponseHandler.restore(copy(before.snapshot({ keepText: false })))
    after.feed('s</run_bash>')
    assert.deepEqual(after.getAllInvocations().map(({ arguments: given }) => given), [{ command: 'ls' }])
    assert.equal(after.getAllEvents()[0].type, 'SEGMENT_CONTENT')
  })
})

describe('size', () => {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(2_300)
  const MOST = 2_048

  test('the text, and at most 2 KB', () => {
    for (const [Parser, feed] of [[BlockParser, 'processChunk'], [IncrementalXmlParser, 'processChunk'], [StreamingJSONParser, 'parseChunk'], [StreamingParser, 'feed'], [ToolCallParser, 'text']]) {
      const parser = new Parser(...(Parser === ToolCallParser ? [{ format: 'hermes' }] : []))
      for (const piece of text.match(/[^]{1,5}/g)) parser[feed](piece)
      assert.ok(size(parser.snapshot()) < text.length + MOST, `${Parser.name}: ${size(parser.snapshot())}`)
    }
  })

  test('as many chunks as there may be, each an event of its own', () => {
    // More than a function can be given as arguments.
    const handler = new StreamingResponseHandler()
    for (let at = 0; at < 300_000; at++) handler.feed('a')
    assert.equal(StreamingResponseHandler.restore(handler.snapshot()).getAllEvents().length, 300_001)
  })

  test('without the text: what is open, however long the stream is', async () => {
    for (const Parser of [BlockParser, IncrementalXmlParser]) {
      const parser = new Parser()
      for (const piece of `${text}<thinking>${text}<b>${text}</thin`.match(/[^]{1,5}/g)) parser.processChunk(piece)
      assert.ok(size(parser.snapshot({ keepText: false })) < MOST, `${Parser.name}: ${size(parser.snapshot({ keepText: false }))}`)
    }
    const stream = new VisibleTextStream({ fences: 'parse' })
    const writer = stream.writable.getWriter()
    void stream.readable.pipeTo(new WritableStream())
    await writer.write(text)
    await new Promise((resolve) => setTimeout(resolve, 10))
    assert.ok(size(stream.snapshot()) < MOST, `${size(stream.snapshot())}`)
  })

  test('native events: what differs from one to the next', () => {
    const blocks = new NativeBlocks()
    for (let at = 0; at < 2_000; at++) blocks.openai({ id: 'chatcmpl-1', model: 'm', choices: [{ index: 0, delta: { content: `${at} words ` } }] })
    assert.ok(size(blocks.snapshot()) < 2_000 * 25 + MOST, `${size(blocks.snapshot())}`)
  })
})
