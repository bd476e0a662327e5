// Prefixes of JSON texts, compared with `parse` of partial-json, whose place
// `parseStreaming` takes: the same value, with numbers as far as they have come.
import { Allow, parse } from 'partial-json'
import { parseStreaming } from 'tokenweir/args'
import { choices } from './choices.mjs'
import { jsonDocument } from './documents.mjs'
import { exact } from './exact.mjs'

/** Without open words: `tr` is `true` there, and here it is not there yet. */
const ALLOWED = Allow.STR | Allow.NUM | Allow.ARR | Allow.OBJ

/** What the two differ about, each cut out or replaced. */
const FIXES = {
  'proto-key': (text) => text.replaceAll('__proto__', '__other__'),
  'white-space': (text) => text.trim().replaceAll(/\[\s+\]/g, '[]'),
  'half-character': (text) => text.replace(/(\\u[dD][89abAB][\da-fA-F]{2}|[\ud800-\udbff])*(\\(u[\da-fA-F]{0,3})?)?$/, ''),
  'open-number': (text) => text.replace(/-?\d*\.?\d*([eE][+-]?\d*)?$/, ''),
}

export const args = {
  name: 'args',
  count: 30_000,

  *documents(seed, count) {
    for (let nth = 0; nth < count; nth++) {
      const text = jsonDocument(seed, nth)
      if (isValid(text)) yield text.slice(0, choices(seed, nth).below(text.length + 1))
    }
  },

  // A text that is made small may be the beginning of none: that is not compared.
  compare: (prefix) => (isPrefix(prefix) ? { ours: ours(prefix), theirs: theirs(prefix) } : { ours: '', theirs: '' }),

  rules: Object.fromEntries(Object.entries(FIXES).map(([name, fix]) => [name, (prefix) => fix(prefix) !== prefix && isSame(prefix)])),
}

/** Whether both read the text without what they differ about alike; one thing cut out may leave another at the end. */
function isSame(prefix) {
  const text = Object.values(FIXES).reduce((text, fix) => fix(text), prefix)
  return text === prefix ? ours(text) === theirs(text) : isSame(text)
}

function ours(prefix) {
  return exact(parseStreaming(prefix, { numbers: 'open' }))
}

function theirs(prefix) {
  try {
    return exact(parse(prefix, ALLOWED))
  } catch {
    // Nothing yet.
    return exact(undefined)
  }
}

function isPrefix(text) {
  let isIt = true
  parseStreaming(text, { onFault: () => (isIt = false) })
  return isIt
}

function isValid(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
