// How each parser that can be restored is made, fed and restored: what it emits goes to `log`.
import { BlockParser, BlockStream, VisibleTextStream } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { NativeBlocks } from 'tokenweir'
import { formats } from 'tokenweir/formats'
import { FieldStream, StreamingJSONParser } from 'tokenweir/fields'
import { StreamingParser, StreamingResponseHandler, ToolInvocationAdapter } from 'tokenweir/segments'
import { ToolCallParser, hermesProtocol, morphXmlProtocol, restoreToolCallStream, toolCallStream } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { logOf } from './reading.mjs'

/** Hands out ids from a number on. */
export function ids(from = 0) {
  const next = () => `id_${next.count++}`
  next.count = from
  return next
}

/** A stream whose chunks are read as soon as they are written: TransformStream is asynchronous, so each is awaited. */
function piped(stream, log) {
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  const done = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      log.push(value)
    }
  })()
  return {
    stream,
    feed: async (chunk) => {
      await writer.write(chunk)
      await new Promise((resolve) => setImmediate(resolve))
    },
    end: async () => {
      await writer.close()
      await done
    },
  }
}

const blockCallbacks = (log, next) => ({
  onChunk: (chunk, meta) => log.push({ chunk, meta }),
  onBlock: (event) => log.push(event),
  onMarkup: (markup, { span }) => log.push({ markup, span }),
  generateId: next,
})

const nativeCallbacks = (log) => ({
  onChunk: (chunk, meta) => log.push({ chunk, meta }),
  onBlock: (event) => log.push(event),
  onUnknown: (event) => log.push({ unknown: event }),
  onError: (error) => log.push({ error }),
})

const streamOf = (Stream, callbacks) => ({
  make: (options, log, next) => piped(new Stream({ ...callbacks(next), ...options }), log),
  restore: (snapshot, _, log, next) => piped(Stream.restore(snapshot, callbacks(next)), log),
  feed: (it, chunk) => it.feed(chunk),
  end: (it) => it.end(),
  snapshot: (it, options) => it.stream.snapshot(options),
})

const PROTOCOLS = { hermes: hermesProtocol, morph: morphXmlProtocol }

const callFunctions = (log, next) => ({
  generateId: (kind) => `${kind} ${next()}`,
  onError: (message, metadata) => log.push({ message, ...metadata }),
  onRepair: (rules, call) => log.push({ rules: [...rules], ...call }),
})

/** The source of a parser: `{ format, tools, prefill }`, or `{ protocol: { name, own }, tools, options }`. */
const sourceOf = ({ format, protocol, tools, prefill, options }, log, next) =>
  format === undefined
    ? { protocol: PROTOCOLS[protocol.name](protocol.own), tools, options: { ...options, ...callFunctions(log, next) } }
    : { format: formats[format].call?.body === 'yaml' ? withYaml(formats[format]) : format, ...(tools === undefined ? {} : { tools }), ...(prefill === undefined ? {} : { prefill }), ...callFunctions(log, next) }

/** What of it is given again: what is no data. */
const againOf = (source, log, next) => {
  const whole = sourceOf(source, log, next)
  if (source.format === undefined) return { protocol: whole.protocol, options: callFunctions(log, next) }
  return { ...(typeof whole.format === 'string' ? {} : { format: whole.format }), ...callFunctions(log, next) }
}

const handlerCallbacks = (log) => ({
  onSegmentEvent: (event) => log.push(event),
  onToolInvocation: (invocation) => log.push(invocation),
  onError: (error) => log.push(error),
  onRepair: (repairs) => log.push([...repairs]),
})

const parted = (log, parts) => log.push(...parts)

const fieldsOf = (events) => structuredClone(events.map(({ fullData: _, ...event }) => event))

/** The parsers. `restore` gets the options too: those of them that are no data. */
export const WAYS = {
  BlockParser: {
    make: (options, log, next) => new BlockParser({ ...blockCallbacks(log, next), ...options }),
    restore: (snapshot, _, log, next) => BlockParser.restore(snapshot, blockCallbacks(log, next)),
    feed: (parser, chunk) => parser.processChunk(chunk),
    end: (parser) => parser.flush(),
    more: (parser, log) => log.push(parser.getAccumulated(), parser.getBlockIndex(), parser.getContext(), parser.getIgnored()),
  },
  IncrementalXmlParser: {
    make: (_, log) => ({ parser: new IncrementalXmlParser(), log }),
    restore: (snapshot, _, log) => ({ parser: IncrementalXmlParser.restore(snapshot), log }),
    feed: ({ parser, log }, chunk) => log.push(...logOf(parser.processChunk(chunk).emissions)),
    end: ({ parser, log }) => log.push(...logOf(parser.flush().emissions)),
    snapshot: ({ parser }, options) => parser.snapshot(options),
    more: ({ parser }, log) => log.push(parser.getAccumulated(), parser.getBlockIndex(), parser.getContext()),
  },
  ToolCallParser: {
    make: (source, log, next) => ({ parser: new ToolCallParser(sourceOf(source, log, next)), log }),
    restore: (snapshot, source, log, next) => ({ parser: ToolCallParser.restore(snapshot, againOf(source, log, next)), log }),
    feed: ({ parser, log }, chunk) => parted(log, parser.text(chunk)),
    end: ({ parser, log }) => parted(log, parser.finish()),
    snapshot: ({ parser }) => parser.snapshot(),
  },
  /** The same with parts of two texts, and parts of other kinds between them. */
  ToolCallParts: {
    make: (source, log, next) => ({ parser: new ToolCallParser(sourceOf(source, log, next)), log }),
    restore: (snapshot, source, log, next) => ({ parser: ToolCallParser.restore(snapshot, againOf(source, log, next)), log }),
    feed: ({ parser, log }, chunk) => parted(log, parser.write(JSON.parse(chunk))),
    end: ({ parser, log }) => parted(log, parser.write({ type: 'finish', finishReason: 'stop', usage: {} })),
    snapshot: ({ parser }) => parser.snapshot(),
  },
  toolCallStream: {
    make: (source, log, next) => piped(toolCallStream(sourceOf(source, log, next)), log),
    restore: (snapshot, source, log, next) => piped(restoreToolCallStream(snapshot, againOf(source, log, next)), log),
    feed: (it, chunk) => it.feed({ type: 'text-delta', id: '1', delta: chunk }),
    end: (it) => it.end(),
    snapshot: (it) => it.stream.snapshot(),
  },
  StreamingJSONParser: {
    make: ({ schema, options }, log) => ({ parser: new StreamingJSONParser(schema, options), log }),
    restore: (snapshot, _, log) => ({ parser: StreamingJSONParser.restore(snapshot), log }),
    // A copy, since values grow: how much of them there is depends on the cut.
    feed: ({ parser, log }, chunk) => parted(log, fieldsOf(parser.parseChunk(chunk))),
    end: ({ parser, log }) => parted(log, fieldsOf(parser.finalize())),
    snapshot: ({ parser }) => parser.snapshot(),
    more: ({ parser }, log) => log.push(parser.data, parser.documents, parser.report),
  },
  FieldStream: {
    make: ({ schema, options }, log) => piped(new FieldStream(schema, { ...options, snapshot: true }), log),
    restore: (snapshot, _, log) => piped(FieldStream.restore(snapshot), log),
    feed: (it, chunk) => it.feed(chunk),
    end: (it) => it.end(),
    snapshot: (it) => it.stream.snapshot(),
  },
  StreamingParser: {
    make: (config, log) => ({ parser: new StreamingParser({ ...config, onError: (error) => log.push(error) }), log }),
    restore: (snapshot, _, log) => ({ parser: StreamingParser.restore(snapshot, { onError: (error) => log.push(error) }), log }),
    feed: ({ parser, log }, chunk) => parted(log, parser.feed(chunk)),
    end: ({ parser, log }) => parted(log, parser.finalize()),
    snapshot: ({ parser }) => parser.snapshot(),
    more: ({ parser }, log) => log.push(parser.currentSegmentId, parser.isFinalized),
  },
  /** Chunks are texts, or JSON of chunks of another kind. */
  StreamingResponseHandler: {
    make: (config, log) => ({ parser: new StreamingResponseHandler({ config, ...handlerCallbacks(log) }), log }),
    restore: (snapshot, _, log) => ({ parser: StreamingResponseHandler.restore(snapshot, handlerCallbacks(log)), log }),
    feed: ({ parser }, chunk) => void parser.feed(chunk.startsWith('json ') ? JSON.parse(chunk.slice(5)) : chunk),
    end: ({ parser }) => void parser.finalize(),
    snapshot: ({ parser }) => parser.snapshot(),
    more: ({ parser }, log) => log.push(parser.getAllEvents(), parser.getAllInvocations()),
  },
  /** Chunks are events. */
  ToolInvocationAdapter: {
    make: (_, log) => ({ parser: new ToolInvocationAdapter(), log }),
    restore: (snapshot, _, log) => ({ parser: ToolInvocationAdapter.restore(snapshot), log }),
    feed: ({ parser, log }, chunk) => parted(log, parser.processEventAll(JSON.parse(chunk))),
    end: ({ parser, log }) => log.push(parser.getActiveSegmentIds()),
    snapshot: ({ parser }) => parser.snapshot(),
  },
  /** Chunks are events. */
  NativeBlocks: {
    make: (options, log, generateId) => new NativeBlocks({ ...nativeCallbacks(log), generateId, ...options }),
    restore: (snapshot, _, log, generateId) => NativeBlocks.restore(snapshot, { ...nativeCallbacks(log), generateId }),
    feed: (blocks, chunk) => void blocks.event(JSON.parse(chunk)),
    end: (blocks) => void blocks.flush(),
    snapshot: (blocks) => blocks.snapshot(),
    more: (blocks, log) => log.push(blocks.getFinishReason() ?? null, blocks.getUsage() ?? null, blocks.getIgnored()),
  },
  VisibleTextStream: streamOf(VisibleTextStream, (generateId) => ({ generateId })),
  BlockStream: streamOf(BlockStream, (generateId) => ({ generateId })),
}

/** Takes a snapshot with a way. */
export const snapshotOf = (way, parser, options) => (way.snapshot ?? ((it) => it.snapshot(options)))(parser, options)
