// Fields in strict mode, cut at random, compared with `JSON.parse`: a text that
// starts with a document is parsed without an error exactly if `JSON.parse` accepts
// that document, and has its value; text after it doesn't count.
import { StreamingJSONParser } from 'tokenweir/fields'
import { choicesOf } from './choices.mjs'
import { jsonDocument } from './documents.mjs'
import { exact } from './exact.mjs'

export const fields = {
  name: 'fields',
  count: 40_000,

  *documents(seed, count) {
    for (let nth = 0, made = 0; made < count; nth++) {
      const text = jsonDocument(seed, nth)
      if (!/^[ \t\r\n]*[[{]/.test(text)) continue
      made += 1
      yield text
    }
  },

  compare(text) {
    const parser = new StreamingJSONParser(undefined, { strict: true })
    const events = [...choicesOf(text).cut(text).flatMap((chunk) => parser.parseChunk(chunk)), ...parser.finalize()]
    const { isComplete, resets, errors } = parser.report
    const hasFault = !isComplete || resets > 0 || Object.keys(errors).length > 0
    if (!hasFault) checkEvents(events)
    const document = documentAt(text, 0)
    return { ours: hasFault ? 'faults' : exact(parser.data), theirs: document === undefined ? 'faults' : exact(document.value) }
  },

  rules: {
    // An empty document, or a list of numbers, may be a reference in prose: any other document is better.
    'weak-document': (text, { theirs }) => {
      const document = documentAt(text, 0)
      const isWeak = /^(?:\{\}|\[\]|\[(?:(?:-?[\d.e+-]+|-?Infinity)(?:,|\]$))+)$/.test(theirs)
      return document !== undefined && isWeak && /[[{]/.test(text.slice(document.end))
    },
    // The first bracket starts no document, but a later one does.
    'later-document': (text, { ours, theirs }) => theirs === 'faults' && [...text.matchAll(/[[{]/g)].slice(1).some(({ index }) => {
      const document = documentAt(text, index)
      return document !== undefined && exact(document.value) === ours
    }),
  },
}

/** The document that starts at the first bracket from a position on, if no prefix of it is a document too. */
function documentAt(text, from) {
  const start = from + text.slice(from).search(/[[{]/)
  for (const { index } of text.slice(start).matchAll(/[\]}]/g)) {
    try {
      return { value: JSON.parse(text.slice(start, start + index + 1)), end: start + index + 1 }
    } catch {}
  }
  return undefined
}

/** Deltas of a path join to its value, and each value is done once. */
function checkEvents(events) {
  const texts = new Map()
  const done = new Map()
  for (const { eventType, path, delta, value, replaced } of events) {
    if (eventType === 'delta' && typeof delta === 'string') texts.set(path, replaced ? delta : (texts.get(path) ?? '') + delta)
    if (eventType === 'done') {
      if (done.has(path)) throw new Error(`${path} is done twice`)
      done.set(path, value)
    }
  }
  for (const [path, value] of done) if (typeof value === 'string' && value !== '' && !texts.has(path)) throw new Error(`${path} has no delta`)
}
