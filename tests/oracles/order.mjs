// `completion: 'order'` compared with Agently, on newly generated documents: the same
// events, chunk for chunk.
import { StreamingJSONParser } from 'tokenweir/fields'
import { line, plain, read } from '../pkg/support/field-order.mjs'
import { recorded, recordedAgain } from './python.mjs'

export const order = {
  name: 'order',
  needsPython: true,
  // The reference takes at least a sixth of a second for each.
  count: 78,

  async *documents(seed, count) {
    yield* await recorded('agently.py', '--count', String(count), '--seed', String(seed))
  },

  /** The reference's events for documents. */
  complete: (documents) => recordedAgain('agently.py', '--documents', documents),

  compare(document) {
    const { emitted, parser } = read(document)
    // An unread document is {} there and undefined here.
    return { ours: shown(emitted, parser.data ?? {}), theirs: shown(document.events, document.data) }
  },

  rules: {
    // Integers beyond 2^53 keep all their digits there, so `….` is a new value. Everything else is the same.
    'long-integer': ({ chunks, ...document }) => {
      const { emitted } = read({ chunks, ...document })
      const isLong = (value) => (typeof value === 'number' ? Math.abs(value) > Number.MAX_SAFE_INTEGER : typeof value === 'object' && value !== null && Object.values(value).some(isLong))
      const others = (events) => JSON.stringify(events.map((chunk) => chunk.filter(({ value }) => !isLong(value)).map(line)))
      return /\d{16}/.test(chunks.join('')) && others(emitted) === others(document.events)
    },
    // Paths that a duplicate key removed count as present, so a value may be done earlier. Everything else is the same.
    // A backslash before anything but what JSON knows.
    'kept-escape': ({ chunks }) => /(?:^|[^\\])(?:\\\\)*\\[^"\\/bfnrtu]/.test(chunks.join('')),
    'gone-path': (document) => {
      const { emitted } = read(document)
      const deltas = (events) => JSON.stringify(events.map((chunk) => chunk.filter(({ eventType }) => eventType === 'delta').map(line)))
      const theirs = doneAt(document.events)
      const ours = doneAt(emitted)
      return hasDuplicate(document.chunks) && deltas(emitted) === deltas(document.events) && ours.size === theirs.size && [...ours].every(([path, at]) => at <= theirs.get(path))
    },
  },
}

/** The chunk in which each path is done. */
function doneAt(events) {
  return new Map(events.flatMap((chunk, at) => chunk.filter(({ eventType }) => eventType === 'done').map(({ path }) => [path, at])))
}

function hasDuplicate(chunks) {
  const parser = new StreamingJSONParser()
  return parser.parseChunk(chunks.join('')).some(({ replaced }) => replaced)
}

function shown(events, data) {
  return JSON.stringify([events.map((chunk) => chunk.map(line)), plain(data)])
}
