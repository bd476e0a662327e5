// Complete JSON texts, compared with `JSON.parse`: strict `tokenweir/ai-sdk-tool-parser` returns
// the same value or rejects the text too, and strict `parsePartial` returns the same
// value.
import { parsePartial } from 'tokenweir/fields'
import { parse } from 'tokenweir/ai-sdk-tool-parser'
import { jsonDocument } from './documents.mjs'
import { exact } from './exact.mjs'

const REFUSED = 'refused'

export const json = {
  name: 'json',
  count: 60_000,

  *documents(seed, count) {
    for (let nth = 0; nth < count; nth++) yield jsonDocument(seed, nth)
  },

  compare(text) {
    const theirs = orRefused(() => JSON.parse(text))
    const ours = orRefused(() => parse(text, { relaxed: false, duplicate: true }))
    if (ours !== theirs || theirs === REFUSED) return { ours, theirs }
    return { ours: `${ours}, partial ${exact(parsePartial(text, { strict: true }))}`, theirs: `${theirs}, partial ${theirs}` }
  },
}

function orRefused(read) {
  try {
    return exact(read())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return REFUSED
  }
}
