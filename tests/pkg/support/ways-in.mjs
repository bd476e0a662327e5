// Every streaming API of the package in one form, so that common properties are tested for all:
// an almost valid text, the options, and a run that takes chunks and logs all events.
import fc from 'fast-check'
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { NativeBlocks } from 'tokenweir'
import { StreamingJSONParser } from 'tokenweir/fields'
import { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter } from 'tokenweir/segments'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { markup } from './block-texts.mjs'
import { garbage, setup } from './field-texts.mjs'
import { counter } from './reading.mjs'
import { anyConfig, stream } from './segment-texts.mjs'
import { PROTOCOLS } from './tool-reading.mjs'
import { TOOLS, nearly, options } from './tool-texts.mjs'

const plain = (texts) => texts.map((text) => ({ text, given: {} }))
const declared = { f: { properties: { p: { type: 'string' }, q: { type: 'object' } } } }

/**
 * An API: `texts` are texts with the `given` options; `start` makes a run. A run has `feed` and
 * `end`, and `log`, all events. Callbacks go through `hear`, which is called as `hear(name, act)`, does `act`
 * and may do more; `callbacks` are the existing ones.
 */
export const WAYS = named([
  {
    name: 'BlockParser',
    callbacks: ['onChunk', 'onBlock', 'onMarkup', 'generateId'],
    texts: fc.tuple(markup, fc.constantFrom({}, {}, { spans: true }, { tools: declared }, { trimParameters: false }, { tags: { note: 'thinking' } })).map(([text, given]) => ({ text, given })),
    start: (given, hear) => {
      const log = []
      const next = counter()
      const parser = new BlockParser({
        ...given,
        onChunk: (chunk, meta) => hear('onChunk', () => log.push({ chunk, meta })),
        onBlock: (event) => hear('onBlock', () => log.push(event)),
        onMarkup: (chunk, meta) => hear('onMarkup', () => log.push({ markup: chunk, meta })),
        generateId: () => hear('generateId', next),
      })
      return { log, parser, feed: (chunk) => parser.processChunk(chunk), end: () => parser.flush() }
    },
    reentrant: { processChunk: ['x'], flush: [], push: ['x'], reset: [], resetForNewIteration: [], emitToolResults: [[{ toolUseId: 'a', content: 'b' }]] },
  },
  {
    name: 'IncrementalXmlParser',
    callbacks: [],
    texts: plain(markup),
    start: () => {
      const log = []
      const parser = new IncrementalXmlParser()
      const take = ({ emissions }) => log.push(...emissions)
      return { log, parser, feed: (chunk) => take(parser.processChunk(chunk)), end: () => take(parser.flush()) }
    },
  },
  {
    name: 'NativeBlocks',
    callbacks: ['onChunk', 'onBlock', 'generateId'],
    texts: plain(garbage),
    start: (_, hear) => {
      const log = []
      const next = counter()
      const blocks = new NativeBlocks({ onChunk: (chunk, meta) => hear('onChunk', () => log.push({ chunk, meta })), onBlock: (event) => hear('onBlock', () => log.push(event)), generateId: () => hear('generateId', next) })
      // Text, then thinking, then a call's input, by the number of the chunk.
      let count = 0
      const kinds = ['text', 'thinking', 'tool_use']
      const deltas = [(text) => ({ type: 'text_delta', text }), (thinking) => ({ type: 'thinking_delta', thinking }), (json) => ({ type: 'input_json_delta', partial_json: json })]
      const event = (type, index, more) => blocks.anthropic({ type, index, ...more })
      return {
        log,
        parser: blocks,
        feed: (chunk) => {
          const index = Math.floor(count / 3)
          const kind = index % 3
          const isFirst = count % 3 === 0
          count += 1
          const emitted = []
          if (isFirst && index > 0) emitted.push(() => event('content_block_stop', index - 1))
          if (isFirst) emitted.push(() => event('content_block_start', index, { content_block: kind === 2 ? { type: 'tool_use', name: 'f', input: {} } : { type: kinds[kind], [kinds[kind]]: '' } }))
          emitted.push(() => event('content_block_delta', index, { delta: deltas[kind](chunk) }))
          allOf(emitted)
        },
        end: () => blocks.flush(),
      }
    },
    reentrant: { anthropic: [{ type: 'ping' }], openai: [{ choices: [] }], flush: [], reset: [] },
  },
  ...['boundary', 'order'].map((completion) => ({
    name: `StreamingJSONParser, ${completion}`,
    callbacks: [],
    texts: fc.tuple(garbage, setup).map(([text, { schema, options: more }]) => ({ text, given: { schema, options: completion === 'order' ? { completion } : { ...more, spans: more.strict } } })),
    start: ({ schema, options: more }) => {
      const log = []
      const parser = new StreamingJSONParser(schema, more)
      // `fullData` and values grow; they are checked at the end.
      const take = (events) => log.push(...events.map(({ fullData, value, ...event }) => (typeof value === 'object' ? event : { ...event, value })))
      return { log, parser, feed: (chunk) => take(parser.parseChunk(chunk)), end: () => { take(parser.finalize()); log.push(JSON.stringify(parser.data)) } }
    },
  })),
  {
    name: 'StreamingParser',
    callbacks: ['onError'],
    // An error of onError is thrown, and the events of the chunk come with the next call.
    late: true,
    texts: fc.tuple(stream, anyConfig, fc.boolean()).map(([text, config, spans]) => ({ text, given: { ...config, spans } })),
    start: (config, hear) => {
      const log = []
      const parser = new StreamingParser({ ...config, onError: (error) => hear('onError', () => log.push({ error })) })
      const { toolStates, jsonProfile } = config
      const adapter = new ToolInvocationAdapter({ ...(toolStates && { toolStates }), ...(jsonProfile && { jsonProfile }) })
      const take = (events) => {
        for (const event of events) log.push(event, ...adapter.processEventAll(event))
      }
      return { log, parser, feed: (chunk) => take(parser.feed(chunk)), end: () => take(parser.finalize()), again: () => take(parser.finalize()) }
    },
    reentrant: { feed: ['x'], finalize: [], reset: [], feedAndFinalize: ['x'] },
  },
  {
    name: 'StreamingResponseHandler',
    callbacks: ['onSegmentEvent', 'onToolInvocation', 'onError'],
    texts: fc.tuple(stream, anyConfig).map(([text, given]) => ({ text, given })),
    start: (config, hear) => {
      const log = []
      const handler = new StreamingResponseHandler({
        config,
        onSegmentEvent: (event) => hear('onSegmentEvent', () => log.push(event)),
        onToolInvocation: (invocation) => hear('onToolInvocation', () => log.push(invocation)),
        onError: (error) => hear('onError', () => log.push({ error })),
      })
      let count = 0
      // Now and then reasoning, and a piece of an API call.
      const chunkOf = (content) => (count++ % 4 === 1 ? { reasoning: 'r', content } : count % 4 === 3 ? { content, toolCalls: [{ index: count, callId: `c${count}`, name: 'write_file', argumentsDelta: '{"path": "p", "content": "x' }, { index: count, argumentsDelta: '"}' }] } : { content })
      return { log, parser: handler, feed: (chunk) => handler.feed(chunkOf(chunk)), end: () => handler.finalize() }
    },
    reentrant: { feed: ['x'], finalize: [], reset: [] },
  },
  {
    name: 'ToolCallParser',
    callbacks: ['onError', 'onRepair', 'generateId'],
    // Their errors are ignored.
    passesOver: true,
    texts: fc.tuple(nearly, options).map(([{ protocol, text }, more]) => ({ text, given: { protocol, more } })),
    start: ({ protocol, more }, hear) => {
      const log = []
      const next = counter()
      const parser = new ToolCallParser({
        protocol: PROTOCOLS[protocol.name](protocol.own),
        tools: TOOLS,
        options: { ...more, onError: (message, metadata) => hear('onError', () => log.push({ message, metadata })), onRepair: (rules, call) => hear('onRepair', () => log.push({ rules: [...rules], call })), generateId: () => hear('generateId', next) },
      })
      const take = (parts) => log.push(...parts)
      return { log, parser, feed: (chunk) => take(parser.text(chunk)), end: () => take(parser.finish()) }
    },
    reentrant: { text: ['x'], write: [{ type: 'text-delta', id: 'a', delta: 'x' }], finish: [] },
  },
])

/** fast-check prints an API by its name. */
function named(ways) {
  return ways.map((way) => ({ ...way, [fc.toStringMethod]: () => way.name }))
}

/** Does all, and throws the first error. */
function allOf(acts) {
  const errors = []
  for (const act of acts) {
    try {
      act()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

/** A callback that does nothing else. */
export const only = (_, act) => act()

/** All events of chunks. */
export function alone(way, given, chunks) {
  const run = way.start(given, only)
  for (const chunk of chunks) run.feed(chunk)
  run.end()
  return run.log
}

/** One of the APIs, a text for it, and its cuts. */
export const anyRun = fc.nat(WAYS.length - 1).chain((at) => fc.tuple(WAYS[at].texts, fc.array(fc.nat(400), { maxLength: 12, size: 'max' })).map(([{ text, given }, places]) => ({ way: WAYS[at], given, chunks: chunksOf(text, places) })))

/** A text in chunks, some of them empty. */
export function chunksOf(text, places) {
  const at = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b)
  return [...at, text.length].map((place, nth) => text.slice(nth === 0 ? 0 : at[nth - 1], place))
}
