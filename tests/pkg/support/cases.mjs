// The cases of tests/cases/block, and how to check them.
import assert from 'node:assert/strict'
import { readCases } from './case-files.mjs'
import { everyCut } from './cuts.mjs'
import { read, readElements } from './reading.mjs'
import { assertTiled, render, withoutSpans } from './render.mjs'

const folder = new URL('../../cases/block/', import.meta.url)

/** Each file's name with its cases. */
export function caseFiles() {
  return readCases(folder, ['name', 'source', 'input', 'blocks'], ['face', 'trim', 'thinking', 'fences', 'tags', 'own', 'tools'])
}

/** The options of `BlockParser` for a case. */
export function optionsOf({ trim, thinking, fences, tags, own, tools }) {
  const schema = (parameters) => ({ properties: Object.fromEntries(Object.entries(parameters).map(([name, type]) => [name, { type }])) })
  return {
    ...(trim === undefined ? {} : { trimParameters: trim }),
    ...(thinking === undefined ? {} : { startWithThinking: thinking }),
    ...(fences === undefined ? {} : { fences }),
    ...(tags === undefined && own === undefined ? {} : { tags: { ...tags, ...ownTags(own ?? {}) } }),
    ...(tools === undefined ? {} : { tools: Object.fromEntries(Object.entries(tools).map(([name, parameters]) => [name, schema(parameters)])) }),
  }
}

/** Custom tags, each with those that may stand in it; the type of the first is `own1`, that of the first in it `own2`. */
function ownTags(own, next = { number: 1 }) {
  const tag = (inside) => ({ type: `own${next.number++}`, children: ownTags(inside, next) })
  return Object.fromEntries(Object.entries(own).map(([name, inside]) => [name, tag(inside)]))
}

/**
 * Throws unless the parsers read a case correctly at every cut, with and without spans. Of two cuts there are thousands: with
 * spans for every second place of the second one, without for the others.
 */
export function judge(each, parsers = {}) {
  const { input, face = 'blocks' } = each
  const expected = each.blocks.trimEnd()
  const bare = withoutSpans(expected)
  const options = optionsOf(each)
  for (const [cut, chunks] of everyCut(input)) {
    const isPair = chunks.length === 3 && chunks.every((chunk) => chunk !== '')
    const isOdd = chunks.at(-1)?.length % 2 === 1
    try {
      if (face === 'elements') {
        same(render(readElements(chunks, parsers.IncrementalXmlParser), { face }), bare)
        continue
      }
      if (!isPair || !isOdd) same(render(read(chunks, options, parsers.BlockParser)), bare)
      if (!isPair || isOdd) {
        const log = read(chunks, { ...options, spans: true }, parsers.BlockParser)
        same(render(log, { spans: true }), expected)
        assertTiled(log, input)
      }
    } catch (error) {
      throw new Error(`${each.name}, ${cut}: ${error.message}`, { cause: error })
    }
  }
}

function same(found, expected) {
  if (found !== expected) assert.equal(found, expected)
}
