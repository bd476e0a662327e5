// Every case of tests/cases/segment and every text that was recorded of
// AutoByteus through the package, at every cut, and that a parser which gets
// cuts wrong doesn't get past the judge.
//
// All texts are cut at every place, those of at most 120 units at every two,
// and all at seeded ones: support/cuts.mjs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StreamingParser, StreamingResponseHandler } from 'tokenweir/segments'
import { judgeRecorded, judgeSegments, recordedSegmentCases, segmentCaseFiles } from './support/segment-cases.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const files = segmentCaseFiles()
const records = ['segments.jsonl', 'segments-more.jsonl'].map((name) => [name, recordedSegmentCases(name)])

for (const [file, cases] of files) {
  describe(`${file} (SEED=${seed})`, () => {
    for (const each of cases) test(each.name, () => judgeSegments(each, { seed }))
  })
}

for (const [file, cases] of records) {
  describe(`${file} (SEED=${seed})`, () => {
    for (const each of cases) test(each.name, () => judgeRecorded(each, { seed }))
  })
}

test('there are cases, each with a unique name', () => {
  assert.ok(files.length > 0)
  for (const [file, cases] of [...files, ...records]) assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, file)
})

test('contents of cases are at their stated positions', () => {
  for (const [file, cases] of files) {
    for (const { name, input, events } of cases) {
      for (const [, json, from, to] of events.matchAll(/^content ([^\n]*) (\d+)\.\.(\d+)$/gm)) assert.equal(JSON.parse(json), input.slice(from, to), `${file}, ${name}`)
      assert.equal([...events.matchAll(/^content /gm)].length, [...events.matchAll(/^content [^\n]* \d+\.\.\d+$/gm)].length, `${file}, ${name}`)
    }
  }
})

test('all that the parser may report of a text has a case', () => {
  const codes = (key) => new Set(files.flatMap(([, cases]) => cases.flatMap((each) => each[key] ?? [])).map((line) => line.split(' ')[0]))
  assert.deepEqual([...codes('errors')].sort(), ['bad-arguments', 'bad-header', 'bad-tag', 'call-too-long', 'missing-arguments', 'unterminated'])
  assert.deepEqual([...codes('call_errors')].sort(), ['bad-arguments', 'missing-arguments', 'missing-name', 'unknown-tool'])
})

describe('the judge', () => {
  const CASE = {
    name: 'a-text',
    input: 'if a < b 😀: <run_bash>ls</run_bash>.<tool name="write_file"><arg name="path">a</arg><arg name="content">x\n</arg></tool>[[SEG_START {"type":5}]]',
    order: ['xml_tag', 'sentinel'],
    events: `start text
content "if a < b 😀: " 0..13
end
start run_bash
content "ls" 23..25
end
start text
content "." 36..37
end
start write_file {"tool_name":"write_file","path":"a"}
content "x\\n" 105..107
end
start text
content "[[SEG_START {\\"type\\":5}]]" 120..144
end
`,
    errors: ['bad-header 120..144'],
    invocations: '[{"name":"run_bash","arguments":{"command":"ls"}},{"name":"write_file","arguments":{"path":"a","content":"x\\n"}}]',
  }

  /** Changes the events of each chunk. */
  const changing = (change) =>
    class extends StreamingParser {
      feed(chunk) {
        return change(super.feed(chunk))
      }
      finalize() {
        return change(super.finalize())
      }
    }

  /** Drops a marker that a chunk ends in. */
  class Forgetful extends StreamingParser {
    feed(chunk) {
      return super.feed(chunk.replace(/<[^<>]{0,4}$/, ''))
    }
  }

  /** Takes the end of a chunk for the end of an incomplete marker. */
  class Hasty extends StreamingParser {
    #text = ''
    feed(chunk) {
      const isSplit = /<\/?\w*$/.test(this.#text) && /^\w/.test(chunk)
      this.#text += chunk
      return super.feed(isSplit ? ` ${chunk}` : chunk)
    }
  }

  /** Changes the arguments of a handler's callbacks. */
  const handling = (change) =>
    class extends StreamingResponseHandler {
      constructor(options) {
        super(change(options))
      }
    }

  const isContent = ({ type }) => type === 'SEGMENT_CONTENT'
  const Parsers = {
    forgetful: Forgetful,
    hasty: Hasty,
    'parser without ends': changing((events) => events.filter(({ type }) => type !== 'SEGMENT_END')),
    'parser that ends twice': changing((events) => events.flatMap((event) => (event.type === 'SEGMENT_END' ? [event, event] : [event]))),
    'parser that starts twice': changing((events) => events.flatMap((event) => (event.type === 'SEGMENT_START' ? [event, event] : [event]))),
    'parser of empty contents': changing((events) => events.flatMap((event) => (isContent(event) ? [event, { ...event, payload: { delta: '' } }] : [event]))),
    'parser that loses a content': changing((events) => events.filter((event) => !isContent(event) || event.payload.delta !== '.')),
    'parser that loses markup': changing((events) => events.filter(({ type }) => type !== 'MARKUP')),
    'parser that loses metadata': changing((events) => events.map((event) => (event.type === 'SEGMENT_START' ? { ...event, payload: {} } : event))),
    'parser of other ids': changing((events) => events.map((event) => ({ ...event, segment_id: `x${event.segment_id}` }))),
    'parser of one id': changing((events) => events.map((event) => ({ ...event, segment_id: event.segment_id && 'seg_1' }))),
    'parser of other types': changing((events) => events.map((event) => (event.segment_type === 'write_file' ? { ...event, segment_type: 'patch_file' } : event))),
    'parser of other spans': changing((events) => events.map((event) => ({ ...event, span: [event.span[0] + 1, event.span[1] + 1] }))),
    'parser with more keys': changing((events) => events.map((event) => ({ ...event, more: true }))),
    'parser with keys in another order': changing((events) => events.map(({ type, ...rest }) => ({ ...rest, type }))),
    'parser that says more at the end': changing((events) => events.map((event) => (event.type === 'SEGMENT_END' ? { ...event, payload: { metadata: {} } } : event))),
    'parser without errors': class extends StreamingParser {
      constructor({ onError, ...config }) {
        super({ ...config, onError: (error) => void (error.code === 'none' && onError(error)) })
      }
    },
    'parser of other errors': class extends StreamingParser {
      constructor({ onError, ...config }) {
        super({ ...config, onError: (error) => onError({ ...error, span: [error.span[0], error.span[1] - 1], raw: error.raw.slice(0, -1) }) })
      }
    },
  }

  const Handlers = {
    'handler without invocations': handling(({ onToolInvocation, ...options }) => ({ ...options, onToolInvocation: (call) => void (call.name === 'none' && onToolInvocation(call)) })),
    'handler that invokes twice': handling(({ onToolInvocation, ...options }) => ({ ...options, onToolInvocation: (call) => [call, call].forEach(onToolInvocation) })),
    'handler of other arguments': handling(({ onToolInvocation, ...options }) => ({ ...options, onToolInvocation: (call) => onToolInvocation({ ...call, arguments: {} }) })),
    'handler that keeps events to itself': handling(({ onSegmentEvent, ...options }) => ({ ...options, onSegmentEvent: (event) => void (event.type === 'SEGMENT_END' && onSegmentEvent(event)) })),
    'handler without errors': handling(({ onError, ...options }) => ({ ...options, onError: (error) => void (error.code === 'none' && onError(error)) })),
    'handler of more errors': handling(({ onError, ...options }) => ({ ...options, onError: (error) => [error, error].forEach(onError) })),
    'handler that invokes before the end': class extends StreamingResponseHandler {
      constructor({ onSegmentEvent, ...options }) {
        let end
        super({
          ...options,
          onSegmentEvent: (event) => {
            if (end !== undefined) onSegmentEvent(end)
            end = event.type === 'SEGMENT_END' ? event : undefined
            if (end === undefined) onSegmentEvent(event)
          },
        })
      }
    },
  }

  test('lets the parser and the handler pass', () => judgeSegments(CASE))

  for (const [how, Parser] of Object.entries(Parsers)) {
    test(`stops a ${how}`, () => assert.throws(() => judgeSegments(CASE, { Parser }), { name: 'Error', message: /^a-text, / }))
  }

  for (const [how, Handler] of Object.entries(Handlers)) {
    test(`stops a ${how}`, () => assert.throws(() => judgeSegments(CASE, { Handler }), { name: 'Error', message: /^a-text, / }))
  }

  test('lets forgetful and hasty parsers read a text that is not cut', () => {
    // What stops them is the cuts, and nothing else.
    for (const Parser of [Forgetful, Hasty]) assert.throws(() => judgeSegments(CASE, { Parser }), /^Error: a-text, unit by unit:/)
  })

  for (const [what, change] of Object.entries({
    'another content': { events: CASE.events.replace('"ls"', '"lx"') },
    'another place': { events: CASE.events.replace('23..25', '23..26') },
    'another type': { events: CASE.events.replace('start run_bash', 'start tool_call') },
    'other metadata': { events: CASE.events.replace('"path":"a"', '"path":"b"') },
    'another order of metadata': { events: CASE.events.replace('{"tool_name":"write_file","path":"a"}', '{"path":"a","tool_name":"write_file"}') },
    'a segment less': { events: CASE.events.replace('start text\ncontent "." 36..37\nend\n', '') },
    'a segment more': { events: `${CASE.events}start text\nend\n` },
    'no errors': { errors: [] },
    'another error': { errors: ['bad-tag 120..144'] },
    'an error elsewhere': { errors: ['bad-header 120..145'] },
    'errors of calls': { call_errors: ['bad-arguments'] },
    'no invocations': { invocations: '[]' },
    'other arguments': { invocations: CASE.invocations.replace('"ls"', '"lx"') },
    'other markers': { order: ['xml_tag'] },
  })) {
    test(`stops a case that states ${what}`, () => assert.throws(() => judgeSegments({ ...CASE, ...change }), /^Error: a-text, whole:/))
  }

  const record = { name: 'a-text', strategy: 'xml', text: 'a<run_bash>ls</run_bash>', events: [['start', 'text', {}], ['content', 'a'], ['end'], ['start', 'run_bash', {}], ['content', 'ls'], ['end']], invocations: [{ name: 'run_bash', arguments: { command: 'ls' } }] }

  test('lets a record pass that is right', () => judgeRecorded(record))

  for (const [what, change] of Object.entries({ events: { events: record.events.slice(3) }, invocations: { invocations: [] } })) {
    test(`stops a record of other ${what}`, () => assert.throws(() => judgeRecorded({ ...record, ...change }), /^Error: a-text, whole:/))
  }
})
