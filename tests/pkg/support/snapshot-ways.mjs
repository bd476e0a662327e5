// How each parser that can be restored is made, fed and restored, in the process of
// the test and in the others (snapshot-child.mjs): what it emits goes to `log`.
import { BlockParser, BlockStream, IncrementalXmlParser, VisibleTextStream } from 'tokenweir'
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

const streamOf = (Stream, callbacks) => ({
  make: (options, log, next) => piped(new Stream({ ...callbacks(next), ...options }), log),
  restore: (snapshot, _, log, next) => piped(Stream.restore(snapshot, callbacks(next)), log),
  feed: (it, chunk) => it.feed(chunk),
  end: (it) => it.end(),
  snapshot: (it, options) => it.stream.snapshot(options),
})

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
  VisibleTextStream: streamOf(VisibleTextStream, (generateId) => ({ generateId })),
  BlockStream: streamOf(BlockStream, (generateId) => ({ generateId })),
}

/** Takes a snapshot with a way. */
export const snapshotOf = (way, parser, options) => (way.snapshot ?? ((it) => it.snapshot(options)))(parser, options)
