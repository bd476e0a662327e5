// Every case of tests/cases/block through the package, at every cut. A parser
// that mishandles cuts must fail.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { caseFiles, judge } from './support/cases.mjs'

const files = caseFiles()

for (const [file, cases] of files) {
  describe(file, () => {
    for (const each of cases) test(each.name, () => judge(each))
  })
}

test('there are cases, each with a unique name', () => {
  assert.ok(files.length > 0)
  for (const [file, cases] of files) assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, file)
})

describe('the judge', () => {
  const CASE = {
    name: 'thinking-between-text',
    input: 'Hello <thinking>let me think</thinking>The answer is 42.',
    blocks: 'text "Hello " 0..6\nthinking "let me think" 16..28\ntext "The answer is 42." 39..56\n',
  }
  const CALL = {
    name: 'a-call',
    input: '<function_calls><invoke name="f"><parameter name="x">a <b></parameter></invoke></function_calls>',
    blocks: 'call "f" {"x":"a <b>"} 30..58\n',
  }
  const ELEMENTS = { ...CASE, face: 'elements', blocks: 'text "Hello "\nthinking "let me think"\ntext "The answer is 42."' }

  /** Drops the text that would be pending at the end of a chunk. */
  const forgetful = (Parser) => class extends Parser {
    processChunk(chunk) {
      return super.processChunk(chunk.replace(/<[^>]*$/, ''))
    }
  }

  /** Buffers nothing: undecided text at the end of a chunk is emitted as text. */
  class Hasty extends BlockParser {
    processChunk(chunk) {
      const { emissions } = super.processChunk(chunk)
      return { emissions: [...emissions, ...super.resetForNewIteration().emissions] }
    }
  }

  /** Says one unit too much. */
  class Shifted extends BlockParser {
    constructor({ onChunk, ...options }) {
      super({ ...options, onChunk: (text, meta) => onChunk(text, meta.span === undefined ? meta : Object.assign(meta, { span: [meta.span[0], meta.span[1] + 1] })) })
    }
  }

  /** Emits that blocks are complete one chunk too late. */
  class Late extends BlockParser {
    #late = []
    constructor({ onBlock, ...options }) {
      super({ ...options, onBlock: (event) => (event.event === 'block_start' ? onBlock(event) : this.#late.push(() => onBlock(event))) })
    }
    processChunk(chunk) {
      const result = super.processChunk(chunk)
      for (const emit of this.#late.splice(0)) emit()
      return result
    }
  }

  const bad = { forgetful: forgetful(BlockParser), hasty: Hasty, shifted: Shifted, late: Late }

  for (const each of [CASE, CALL]) {
    test(`lets the parser pass: ${each.name}`, () => judge(each))
    for (const [how, Parser] of Object.entries(bad)) {
      test(`stops a ${how} parser: ${each.name}`, () => assert.throws(() => judge(each, { BlockParser: Parser }), { name: 'Error', message: new RegExp(`^${each.name}, `) }))
    }
  }

  test('stops a forgetful parser of elements', () => {
    judge(ELEMENTS)
    assert.throws(() => judge(ELEMENTS, { IncrementalXmlParser: forgetful(IncrementalXmlParser) }), /unit by unit|cut at/)
  })

  test('lets a forgetful parser read a text that is not cut', () => {
    // What stops it is the cuts, and nothing else.
    assert.throws(() => judge(CASE, { BlockParser: bad.forgetful }), /^Error: thinking-between-text, unit by unit:/)
  })

  for (const [what, blocks] of Object.entries({
    'another text': CASE.blocks.replace('think"', 'thinks"'),
    'another kind': CASE.blocks.replace('thinking', 'text'),
    'another place': CASE.blocks.replace('16..28', '16..29'),
    'a block less': CASE.blocks.replace(/text "The.*\n/, ''),
    'a block more': `${CASE.blocks}text "more" 56..60\n`,
  })) {
    test(`stops a case that states ${what}`, () => assert.throws(() => judge({ ...CASE, blocks }), /^Error: thinking-between-text, whole:/))
  }

  test('a forgetful parser fails most of the cases that hold a tag', () => {
    const tagged = files.flatMap(([, cases]) => cases).filter(({ input }) => /<\/?(antml:)?(thinking|function_calls|invoke)\b[^<]*>/.test(input))
    const caught = tagged.filter((each) => {
      try {
        judge(each, { BlockParser: bad.forgetful, IncrementalXmlParser: forgetful(IncrementalXmlParser) })
        return false
      } catch {
        return true
      }
    })
    assert.deepEqual(tagged.filter((each) => !caught.includes(each)).map(({ name }) => name), [])
    assert.ok(tagged.length > 0)
  })
})
