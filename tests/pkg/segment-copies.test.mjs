// An event is self-contained: a copy of it through a separate adapter
// invokes exactly the same tools as the original and the handler.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from './support/property.mjs'
import { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter } from 'tokenweir/segments'
import { configOf, recordedSegmentCases, segmentCaseFiles } from './support/segment-cases.mjs'
import { joinedSegments } from './support/segment-reading.mjs'
import { anyConfig, cut, cuts, stream } from './support/segment-texts.mjs'

const COPIES = {
  original: (event) => event,
  'by JSON': (event) => JSON.parse(JSON.stringify(event)),
  'by structuredClone': (event) => structuredClone(event),
  'by spreading': (event) => ({ ...event, payload: { ...event.payload } }),
}

/** What an adapter is given of a parser's options. */
const adapterOptions = ({ jsonProfile, toolStates, tools, acceptUnterminated }) =>
  Object.fromEntries(Object.entries({ jsonProfile, toolStates, tools, acceptUnterminated }).filter(([, value]) => value !== undefined))

/** Feeds chunks to a handler, and its events, in each kind of copy, to adapters; all invoke the same. */
function check(chunks, config = {}, schemas = {}) {
  const handler = new StreamingResponseHandler({ config, schemas })
  for (const chunk of chunks) handler.feed(chunk)
  handler.finalize()
  // The provider's id of an API call is the segment's.
  const expected = handler.getAllInvocations().map(({ id, name, arguments: given }) => ({ id, name, arguments: given }))
  for (const [how, copy] of Object.entries(COPIES)) {
    const adapter = new ToolInvocationAdapter({ ...adapterOptions(config), schemas })
    const invoked = handler.getAllEvents().flatMap((event) => adapter.processEventAll(copy(event)))
    if (JSON.stringify(invoked) !== JSON.stringify(expected)) assert.deepEqual(invoked, expected, how)
  }
  return expected
}

const LISTS = [undefined, ['f', 'search', 'read', 'write_file'], ['run_bash', 'x']]
const SCHEMAS = [{}, { f: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }, write_file: { properties: { content: {}, append: { type: 'boolean' } } } }]

describe('every case', () => {
  const files = [...segmentCaseFiles(), ...['segments.jsonl', 'segments-more.jsonl'].map((name) => [name, recordedSegmentCases(name)])]
  for (const [file, cases] of files) {
    test(file, () => {
      let count = 0
      for (const each of cases) {
        const text = each.input ?? each.text
        for (const acceptUnterminated of [false, true]) {
          for (const tools of each.tools === undefined ? LISTS : [each.tools]) {
            const config = { ...configOf(each), ...(each.jsonProfile && { jsonProfile: each.jsonProfile }), acceptUnterminated, ...(tools && { tools }) }
            for (const schemas of SCHEMAS) count += check([text], config, schemas).length
            check([text.slice(0, text.length / 2), text.slice(text.length / 2)], config)
            check([text.slice(0, (text.length * 2) / 3)], config)
          }
        }
      }
      if (file !== 'text.toml') assert.ok(count > 0)
    })
  }
})

const holds = (...args) => fc.assert(fc.property(...args), { numRuns: 6_000 })
const lists = fc.constantFrom(...LISTS)

/** API calls, complete, truncated and invalid, in pieces and interleaved, with text and reasoning between them. */
const given = fc.constantFrom('{}', '', ' ', '{"a":1}', '{"a":1,"b":{"path":"no"}}', '{"path":"p","content":"x"}', '{"content":"x","path":"p","append":true,"z":[1]}', '{"path":"p"}', '{"path":"p","content":""}', '{"path":"p","content":null}', '{"path":"p","patch":"é\\n\\ud83d\\ude00"}', '{"content":"x"}', '{"path":5,"content":6}', '[1]', '{"a":1}x', '{"command":"ls","timeoutSeconds":3}', '{"body":"b"}', '<arg name="a">1</arg>', '{"a":,}', '{"path":"p","path":"q","content":"x","content":"y","content2":1}')
const apiCall = fc.record({ name: fc.constantFrom('f', 'search', 'note', 'memo', 'write_file', 'patch_file', 'edit_file', 'run_bash', 'Write_File', undefined), text: given, size: fc.nat(60), isCut: fc.boolean(), done: fc.boolean(), callId: fc.constantFrom(undefined, 'c1', 'c2', 'seg_2') })
const chunkOf = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.nat(3), apiCall, fc.array(fc.nat(40), { maxLength: 2 })).map(([index, { name, text, size, isCut, done, callId }, places]) => {
    const pieces = cut(isCut ? text.slice(0, size) : text, places)
    return pieces.map((argumentsDelta, at) => ({ toolCalls: [{ index, argumentsDelta, ...(at === 0 && { name, callId }), ...(done && at === pieces.length - 1 && { done }) }] }))
  }) },
  { weight: 1, arbitrary: fc.constantFrom('', 'text', '<run_bash>ls</run_bash>', '<tool name="note"><arg name="title">t</arg><arg name="body">b</arg></tool>').map((content) => [{ content }]) },
  { weight: 1, arbitrary: fc.constantFrom('', 'hm').map((reasoning) => [{ reasoning }]) },
)

describe('any stream', () => {
  test('of text', () => {
    holds(stream, cuts, anyConfig, fc.boolean(), lists, fc.constantFrom(...SCHEMAS), (text, places, config, acceptUnterminated, tools, schemas) => {
      const all = { ...config, acceptUnterminated, ...(tools && { tools }) }
      const whole = check([text], all, schemas)
      assert.deepEqual(check(cut(text, places), all, schemas), whole)
    })
  })

  test('of API calls', () => {
    holds(fc.array(chunkOf, { maxLength: 8 }), anyConfig, fc.boolean(), lists, fc.constantFrom(...SCHEMAS), (chunks, config, acceptUnterminated, tools, schemas) => {
      check(chunks.flat(), { ...config, acceptUnterminated, ...(tools && { tools }) }, schemas)
    })
  })

  test('with a list of tools the result is the same at every cut, and only listed tools are called', () => {
    holds(stream, cuts, anyConfig, fc.constantFrom(...LISTS.slice(1)), (text, places, config, tools) => {
      const all = { ...config, tools }
      const emitted = (chunks) => {
        const errors = []
        const parser = new StreamingParser({ ...all, onError: (error) => errors.push(error) })
        return { events: joinedSegments([...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.finalize()]), errors }
      }
      const whole = emitted([text])
      assert.deepEqual(emitted(cut(text, places)), whole)
      assert.deepEqual(emitted([...text]), whole)
      const states = Object.keys(config.toolStates ?? {})
      for (const { name } of check([text], all)) assert.ok([...tools, ...states].includes(name.toLowerCase()), name)
    })
  })
})
