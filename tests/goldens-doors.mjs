// The doors of tests/goldens.mjs: which cases each of them reads, and how. A reading says what was emitted and when: a line
// of JSON for each event, and an empty line after each chunk.
//
// `every` doors read at every cut, `few` at some (they are asynchronous, and slower), `whole` ones take whole texts. What has
// both takes the whole text besides, at the first cut. Spans are on at every second cut.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import * as recordings from '../examples/streams/recordings.mjs'
import { ARGUMENT_CASES } from './pkg/support/argument-cases.mjs'
import { readCases } from './pkg/support/case-files.mjs'
import { caseFiles, optionsOf } from './pkg/support/cases.mjs'
import { editCaseFiles, optionsOf as editOptionsOf } from './pkg/support/edit-reading.mjs'
import { fieldCaseFiles, setupOf } from './pkg/support/field-cases.mjs'
import { schemaOf } from './pkg/support/field-order.mjs'
import { recordedStreams } from './pkg/support/real-streams.mjs'
import { rjsonCaseFiles, optionsOf as rjsonOptionsOf } from './pkg/support/rjson-cases.mjs'
import { rxmlCaseFiles } from './pkg/support/rxml-cases.mjs'
import { configOf, recordedSegmentCases, segmentCaseFiles } from './pkg/support/segment-cases.mjs'
import { caseOf, toolCaseFiles } from './pkg/support/tool-cases.mjs'

const at = (path) => new URL(path, import.meta.url)
const linesOf = (path) => readFileSync(path, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
/** Cases of files, with the file in the name. */
const named = (files, make) => files.flatMap(([file, cases]) => cases.map((each) => ({ name: `${file}: ${each.name}`, text: each.input, ...make(each) })))
const ids = () => {
  let next = 0
  return () => `id-${next++}`
}

// The cases.
const blocks = [
  ...named(caseFiles(), (each) => ({ options: optionsOf(each) })),
  ...recordings.names.map((name) => ({ name: `examples/streams/${name}.xml`, text: recordings.xmlOf(name), options: {} })),
  { name: 'examples/streams/agent-turn.txt', text: readFileSync(at('../examples/streams/agent-turn.txt'), 'utf8'), options: {} },
]
const fields = named(fieldCaseFiles(), setupOf)
const orderOf = (path) => linesOf(path).slice(1).map(({ name, schema, chunks }) => ({ name, text: chunks.join(''), chunks, schema: schemaOf(schema), options: {} }))
const orders = ['', '-more', '-roots', '-differs'].flatMap((more) => orderOf(at(`cases/field-order${more}.jsonl`)))
const recordedSegment = ({ name, text, ...each }) => ({ name, text, config: { ...configOf(each), ...(each.jsonProfile && { jsonProfile: each.jsonProfile }) } })
const segments = [...named(segmentCaseFiles(), (each) => ({ config: configOf(each) })), ...['segments.jsonl', 'segments-more.jsonl'].flatMap((file) => recordedSegmentCases(file).map(recordedSegment))]
/** The entry of the names of `@ai-sdk-tool/parser`. */
const PEER = 'ai-sdk-tool-parser'

const tools = named(toolCaseFiles(), (each) => {
  const { input, options, arg } = caseOf(each)
  return { text: input, options, protocol: arg.protocol, tools: arg.tools }
})
const rows = readdirSync(at('formats/cases/')).sort().flatMap((file) => linesOf(at(`formats/cases/${file}`)).map((each) => rowCase(`${file}: ${each.format} | ${each.name}`, each)))
const edits = named(editCaseFiles(), (each) => ({ options: editOptionsOf(each), reason: each.finish }))
const editArguments = ARGUMENT_CASES.map(([name, text, , options = {}, reason]) => ({ name, text, options, reason }))
const streams = [...recordedStreams(), ...recordings.names.map((name) => ({ name, provider: recordings.methodOf(name), events: recordings.eventsOf(name) }))]
const sse = recordings.names.map((name) => ({ name: `${name}.sse`, text: readFileSync(at(`../examples/streams/${name}.sse`), 'latin1'), bytes: true }))
const values = [
  ...named(rjsonCaseFiles(), (each) => ({ act: (api) => [() => api[PEER].parse(each.input, rjsonOptionsOf(each)), () => api[PEER].transform(each.input), ...(each.stringified === undefined ? [] : [() => api[PEER].stringify(JSON.parse(each.input))])] })),
  ...named(rxmlCaseFiles(), ({ input, schema, properties, root, object, options: given }) => {
    const options = given && JSON.parse(given)
    const read = schema ? JSON.parse(schema) : properties && { type: 'object', properties: JSON.parse(properties) }
    return { act: (api) => [() => (object === undefined ? api[PEER].RXML.parse(input, read, options) : api[PEER].RXML.stringify(root, JSON.parse(object), options))] }
  }),
  ...named(readCases(at('cases/coerce/'), ['name', 'value'], ['source', 'gives', 'schema', 'reference', 'why', 'digits']), ({ value, schema }) => ({ act: (api) => [() => api[PEER].coerceBySchema(JSON.parse(value), schema && JSON.parse(schema))] })),
]

function rowCase(name, { format, reasoningFormat, text, tools: given, prefill }) {
  return { name, text, format: reasoningFormat ?? format, prefill, tools: given?.map(({ name: tool, parameters }) => ({ name: tool, inputSchema: parameters })) }
}

/** What a parser of wire formats or of a protocol is given: made once for a case, as a program does. */
function sourceOf(api, each) {
  if (made.get(each)?.api !== api) made.set(each, { api, source: each.protocol === undefined ? rowOf(api, each) : protocolOf(api, each) })
  return made.get(each).source
}

const made = new WeakMap()

/** Rows that no model writes are known by their id alone. */
function rowOf({ formats: { formats }, [PEER]: { withYaml } }, { format, tools: given, prefill }) {
  const row = formats[format]
  return { format: row ? withYaml(row) : format, tools: given, prefill: prefill === 'open' ? row?.reasoning?.open[0].replace('{suffix}', '') : prefill }
}

function protocolOf({ 'tool-calls': { hermesProtocol, morphXmlProtocol } }, { protocol, tools: given }) {
  return { protocol: { hermes: hermesProtocol, morph: morphXmlProtocol }[protocol.name](protocol.own), tools: given }
}

// How they are read.
const readBlocks = (api, { options }, chunks, say, spans) => {
  const parser = new api.blocks.BlockParser({ ...options, spans, generateId: ids() })
  drive(chunks, say, (chunk) => parser.processChunk(chunk).emissions, () => parser.flush().emissions)
}
const readElements = (api, _, chunks, say) => {
  const parser = new api.membrane.IncrementalXmlParser()
  drive(chunks, say, (chunk) => parser.processChunk(chunk).emissions, () => parser.flush().emissions)
}
/** The tree grows, so that it is written once a chunk. */
const readFields = (api, { text, schema, options }, chunks, say, spans, nth) => {
  const parser = new api.fields.StreamingJSONParser(schema, options.completion ? options : { ...options, spans })
  const seen = (events) => [...events.map(({ fullData: _, ...event }) => event), ...(events.length > 0 ? [{ fullData: events.at(-1).fullData }] : [])]
  drive(chunks, say, (chunk) => seen(parser.parseChunk(chunk)), () => seen(parser.finalize()))
  say({ data: options.multiple ? parser.documents : parser.data, report: parser.report })
  if (nth === 0 && !options.completion && !options.multiple) attempt(say, () => api.fields.parsePartial(text, { ...options, schema }))
}
const readSegments = (api, { config }, chunks, say, spans) => {
  const parser = new api.segments.StreamingParser({ ...config, spans, onError: (error) => say({ error }) })
  drive(chunks, say, (chunk) => parser.feed(chunk), () => parser.finalize())
}
const handleSegments = (api, { config }, chunks, say, spans) => {
  const handler = new api.segments.StreamingResponseHandler({ config: { ...config, spans }, onSegmentEvent: say, onToolInvocation: say, onError: (error) => say({ error }), onRepair: (repairs) => say({ repairs }) })
  drive(chunks, say, (chunk) => void handler.feed(chunk), () => void handler.finalize())
}
const heard = (say) => ({ generateId: ids(), onError: (message, more) => say({ message, ...more }), onRepair: (repairs, call) => say({ repairs, ...call }) })
const readTools = (api, each, chunks, say, _, nth) => {
  const given = sourceOf(api, each)
  const parser = new api['tool-calls'].ToolCallParser({ ...given, options: { ...each.options, ...heard(say) } })
  drive(chunks, say, (chunk) => parser.text(chunk), () => parser.finish())
  if (nth === 0) attempt(say, () => api['tool-calls'].parseToolCalls(each.text, { ...given, options: { ...each.options, ...heard(say) } }))
}
const readRows = (api, each, chunks, say, _, nth) => {
  const source = sourceOf(api, each)
  const parser = new api['tool-calls'].ToolCallParser({ ...source, ...heard(say) })
  drive(chunks, say, (chunk) => parser.text(chunk), () => parser.finish())
  if (nth === 0) attempt(say, () => api['tool-calls'].parseReply(each.text, { ...source, ...heard(say) }))
}
const readEdits = (name) => (api, { text, options, reason }, chunks, say, spans, nth) => {
  const parser = new api.edits[name]({ ...options, spans })
  drive(chunks, say, (chunk) => parser.feed(chunk), () => parser.finish(reason))
  if (nth === 0 && name === 'EditParser') attempt(say, () => api.edits.extractEdits(text, options))
}
/** All texts and values of a call's arguments. */
const hear = (call, say) => {
  for (const pattern of ['', '*', '*.*']) {
    call.onText(pattern, (delta, path) => say({ pattern, path, delta }))
    call.onDone(pattern, (value, path) => say({ pattern, path, value }))
  }
  call.onFault((fault) => say({ fault }))
}
const readArguments = (api, { schema, reason }, chunks, say) => {
  const call = new api.args.ArgumentsReader(schema && typeof schema === 'object' && 'type' in schema ? schema : undefined)
  hear(call, say)
  drive(chunks, say, (chunk) => void call.write(chunk), () => void call.end(reason))
  say({ status: call.status, partial: call.partial(), tolerated: call.tolerated })
}
const readCalls = async (api, each, chunks, say) => {
  const results = []
  const calls = new api.args.CallArguments({ onCall: ({ args, ...call }) => { say(call); hear(args, say); results.push(args.result()) } })
  const parser = new api['tool-calls'].ToolCallParser({ ...sourceOf(api, each), options: { ...each.options, generateId: ids() } })
  const take = (parts) => parts.forEach((part) => calls.part(part))
  drive(chunks, say, (chunk) => take(parser.text(chunk)), () => take([...parser.finish(), { type: 'finish', finishReason: 'stop' }]))
  for (const result of await Promise.allSettled(results)) say(result)
}
const readNative = (api, { provider, events }, _, say) => {
  const native = new api.index.NativeBlocks({ generateId: ids() })
  drive(events, say, (event) => native[provider](event).emissions, () => native.flush().emissions)
}
/** A server's bytes, each a character of `text`, so that characters are cut too; a provider's events; or a text. */
const readReply = async (api, each, chunks, say) => {
  const body = each.bytes ? new Response(ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk, 'latin1'))), { headers: { 'content-type': each.type ?? 'text/event-stream' } }) : (each.events ?? chunks)
  const options = { generateId: ids(), onChunk: (chunk, meta) => say({ chunk, meta }), onBlock: say, onError: (error) => say({ error }), onUnknown: (unknown) => say({ unknown }), ...each.options, ...(each.format && sourceOf(api, each)) }
  await attempt(say, () => api.index.readReply(body, options).result())
}
const readVisible = (api, each, chunks, say) => attempt(say, async () => {
  for await (const delta of api.index.visibleText(chunks, each.format ? { ...sourceOf(api, each), tools: undefined } : {})) say({ delta })
})
const readParts = async (api, each, chunks, say) => {
  const { format, protocol, tools: given = [] } = sourceOf(api, each)
  const parts = [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: 't' }, ...chunks.map((delta) => ({ type: 'text-delta', id: 't', delta })), { type: 'text-end', id: 't' }, { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: { inputTokens: {}, outputTokens: {} } }]
  await attempt(say, async () => {
    const middleware = api['ai-sdk'].createToolMiddleware({ ...(format ? { format } : { protocol, toolSystemPromptTemplate: () => '' }), options: heard(say) })
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }]
    const params = await middleware.transformParams({ type: 'stream', params: { prompt, tools: given.map((tool) => ({ type: 'function', inputSchema: { type: 'object' }, ...JSON.parse(JSON.stringify(tool)) })) } })
    const { stream } = await middleware.wrapStream({ doStream: async () => ({ stream: ReadableStream.from(parts) }), params, model: {} })
    for await (const part of stream) say(part)
  })
}
const readParseFields = (api, { schema, options }, chunks, say) => attempt(say, async () => {
  for await (const { fullData: _, ...event } of api.fields.parseFields(chunks, schema, options)) say(event)
})

/** Feeds chunks; each has its empty line. */
function drive(chunks, say, feed, finish) {
  for (const chunk of chunks) {
    feed(chunk)?.forEach(say)
    say()
  }
  finish()?.forEach(say)
}

/** Says what is returned, or thrown. */
function attempt(say, act) {
  const failed = (error) => say({ thrown: error })
  try {
    const result = act()
    return typeof result?.then === 'function' ? Promise.resolve(result).then((value) => say({ result: value }), failed) : say({ result })
  } catch (error) {
    failed(error)
  }
}

export const DOORS = {
  blocks: { cuts: 'every', cases: blocks, read: readBlocks },
  elements: { cuts: 'every', cases: blocks, read: readElements },
  fields: { cuts: 'every', cases: fields, read: readFields },
  agently: { cuts: 'every', cases: [...orders, ...fields].map((each) => ({ ...each, options: { completion: 'order' } })), read: readFields },
  'parse-fields': { cuts: 'few', cases: fields, read: readParseFields },
  segments: { cuts: 'every', cases: segments, read: readSegments },
  'segment-calls': { cuts: 'few', cases: segments, read: handleSegments },
  'tool-calls': { cuts: 'every', cases: tools, read: readTools },
  formats: { cuts: 'every', cases: rows, read: readRows },
  edits: { cuts: 'every', cases: edits, read: readEdits('EditParser') },
  'edit-arguments': { cuts: 'every', cases: editArguments, read: readEdits('EditArguments') },
  args: { cuts: 'every', cases: [...editArguments, ...fields], read: readArguments },
  'call-arguments': { cuts: 'few', cases: tools, read: readCalls },
  native: { cuts: 'whole', cases: streams, read: readNative },
  reply: { cuts: 'few', cases: [...sse, ...streams, ...blocks.map(({ name, text }) => ({ name, text })), ...rows], read: readReply },
  'visible-text': { cuts: 'few', cases: [...blocks.map(({ name, text }) => ({ name, text })), ...rows], read: readVisible },
  'ai-sdk': { cuts: 'few', cases: [...tools, ...rows], read: readParts },
  values: { cuts: 'whole', cases: values, read: (api, each, _, say) => each.act(api).forEach((act) => attempt(say, act)) },
}

/** The same doors for cases outside of the repository. */
export function givenDoors(folder) {
  const of = (file, make) => (existsSync(`${folder}/${file}.jsonl`) ? linesOf(`${folder}/${file}.jsonl`) : []).flatMap((each, nth) => (each.about ? [] : [{ name: `${file}.jsonl:${nth + 1}`, ...make(each) }]))
  const reported = ['reported', 'reported-3', 'reported-3-more'].flatMap((file) => of(file, ({ input, ...each }) => ({ ...each, text: Array.isArray(input) ? undefined : each.entry === 'reply' || each.entry === 'ndjson' || each.entry === 'goeson' || each.entry === 'args-of-reply' ? Buffer.from(input).toString('latin1') : input, events: Array.isArray(input) ? input : undefined, bytes: !Array.isArray(input), options: each.options ?? {}, schema: each.schema })))
  const entry = (...names) => reported.filter((each) => names.includes(each.entry))
  const formats = [...of('formats', (each) => rowCase('', each)).map((each, nth) => ({ ...each, name: `formats.jsonl:${nth + 2}` })), ...entry('format', 'notlost').filter(({ format }) => format)]
  const messages = of('message', ({ events, format }) => ({ events: events ?? [], options: format ? { format } : {} }))
  return {
    'given-blocks': { ...DOORS.blocks, cases: entry('blocks') },
    'given-fields': { ...DOORS.fields, cases: entry('fields') },
    'given-agently': { ...DOORS.agently, cases: existsSync(`${folder}/field-order.jsonl`) ? orderOf(`${folder}/field-order.jsonl`).map((each) => ({ ...each, options: { completion: 'order' } })) : [] },
    'given-segments': { ...DOORS.segments, cases: of('segments', recordedSegment) },
    'given-formats': { ...DOORS.formats, cases: formats },
    'given-edits': { ...DOORS.edits, cases: entry('edits') },
    'given-reply': { ...DOORS.reply, cases: [...messages, ...entry('reply', 'args-of-reply', 'goeson', 'parts').map(({ format: _, ...each }) => each), ...entry('ndjson').map((each) => ({ ...each, type: 'application/x-ndjson' }))] },
  }
}
