// `completion: 'order'` against Agently, on documents that its recorder writes
// anew: chunk for chunk the same events.
import { StreamingJSONParser } from 'tokenweir/fields'
import { line, plain, read } from '../pkg/support/field-order.mjs'
import { recorded, recordedAgain } from './python.mjs'

export const order = {
  name: 'order',
  needsPython: true,
  // Each takes the reference a sixth of a second and more.
  count: 78,

  async *documents(seed, count) {
    yield* await recorded('agently.py', '--count', String(count), '--seed', String(seed))
  },

  /** What the reference tells of documents. */
  complete: (documents) => recordedAgain('agently.py', '--documents', documents),

  compare(document) {
    const { told, parser } = read(document)
    // A document of which nothing was read is {} there and undefined here.
    return { ours: shown(told, parser.data ?? {}), theirs: shown(document.events, document.data) }
  },

  rules: {
    // Whole numbers beyond 2^53 have all their digits there, so `….` is a new value. All else is the same.
    'long-integer': ({ chunks, ...document }) => {
      const { told } = read({ chunks, ...document })
      const isLong = (value) => (typeof value === 'number' ? Math.abs(value) > Number.MAX_SAFE_INTEGER : typeof value === 'object' && value !== null && Object.values(value).some(isLong))
      const others = (events) => JSON.stringify(events.map((chunk) => chunk.filter(({ value }) => !isLong(value)).map(line)))
      return /\d{16}/.test(chunks.join('')) && others(told) === others(document.events)
    },
    // Paths that a duplicate key took away count as present, so a value may be done earlier. All else is the same.
    'gone-path': (document) => {
      const { told } = read(document)
      const deltas = (events) => JSON.stringify(events.map((chunk) => chunk.filter(({ eventType }) => eventType === 'delta').map(line)))
      const theirs = doneAt(document.events)
      const ours = doneAt(told)
      return hasDuplicate(document.chunks) && deltas(told) === deltas(document.events) && ours.size === theirs.size && [...ours].every(([path, at]) => at <= theirs.get(path))
    },
    // The value of a duplicate key, and what is in it: the same again counts as changed here, and there it is told again once an
    // empty container was seen. Of all other paths the deltas are the same, and nothing is done later.
    'duplicate-again': (document) => {
      const again = duplicatesIn(document.chunks.join(''))
      const isInside = (path, outer) => path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)
      const others = (events) => events.map((chunk) => chunk.filter(({ path }) => !again.some((each) => isInside(path, each) || isInside(each, path))))
      const [ours, theirs] = [others(read(document).told), others(document.events)]
      const deltas = (events) => JSON.stringify(events.map((chunk) => chunk.filter(({ eventType }) => eventType === 'delta').map(line)))
      return again.length > 0 && deltas(ours) === deltas(theirs) && [...doneAt(ours)].every(([path, at]) => at <= (doneAt(theirs).get(path) ?? -1))
    },
  },
}

/** The paths of keys that come twice in a JSON text. */
function duplicatesIn(text) {
  const found = []
  const open = []
  let path = ''
  const tokens = text.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  for (const [at, token] of tokens.entries()) {
    const top = open.at(-1)
    if (token === '{' || token === '[') {
      if (top?.count !== undefined) path = `${top.path}[${top.count}]`
      open.push({ path, keys: new Set(), ...(token === '[' && { count: 0 }) })
    } else if (token === '}' || token === ']') path = open.pop()?.path ?? ''
    else if (token === ',' && top?.count !== undefined) top.count += 1
    else if (tokens[at + 1] === ':' && top !== undefined) {
      const key = JSON.parse(token)
      path = top.path === '' ? key : `${top.path}.${key}`
      if (top.keys.has(key)) found.push(path)
      top.keys.add(key)
    }
  }
  return found
}

/** In which chunk each path is done. */
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
