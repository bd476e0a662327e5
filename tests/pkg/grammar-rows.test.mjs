// The promise of grammars, for every format, in both directions: what `writeCalls` writes is accepted, what a grammar
// derives is read as valid calls of these tools, and wrong turns are refused. The judges are a strict reader of GBNF, and
// web-xgrammar, which web-llm has; those in Python are in tests/oracles/grammar.mjs.
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { formats } from 'tokenweir/formats'
import { gbnfFor, structuralTagFor } from 'tokenweir/grammar'
import { random, sampled } from './support/cuts.mjs'
import { readGbnf } from './support/gbnf.mjs'
import { broken, grammarsOf, mutated, turnsOf, wrongTurns } from './support/grammar-cases.mjs'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const COUNT = Number(process.env.RUNS ?? 4)

/** Turns that are no grammar's: `write.limits` says so, or that a call counts only where the turn starts. */
const WITHOUT_TEXT = Object.values(formats).filter(({ call, write }) => call?.bare === 'start' && (write?.before ?? '').trim() === '')

const refusals = new Map()

/** Whether a text has characters outside of ASCII that are in no marker: web-xgrammar reads no class with one. */
const hasOthers = (text, format) => [...text].some((character) => character > '\x7f' && !JSON.stringify(format).includes(character))

describe(`GBNF (SEED=${seed})`, () => {
  for (const [id, format] of Object.entries(formats)) {
    test(id, () => {
      const { made, refused } = grammarsOf(id, gbnfFor)
      refusals.set(id, { made: made.filter(({ options }) => options.toolChoice !== 'none'), refused })
      const next = random(seed)
      for (const grammar of made) {
        const judge = readGbnf(grammar.grammar)
        const what = () => `${id} ${JSON.stringify(grammar.options)}`
        const has = WITHOUT_TEXT.includes(format) ? grammar.has.filter((one) => one !== 'text') : grammar.has
        const written = [...turnsOf(id, { ...grammar, has }, next, COUNT)]
        for (const turn of written) {
          assert.ok(judge.accepts(turn), `${what()} refuses ${JSON.stringify(turn)}`)
          assert.equal(broken(turn, format, grammar), undefined, `${what()}: ${JSON.stringify(turn)}`)
        }
        for (const turn of wrongTurns(id, grammar)) assert.ok(!judge.accepts(turn), `${what()} accepts ${JSON.stringify(turn)}`)
        const derived = Array.from({ length: COUNT }, () => judge.write(next, { length: 20 + next(120) }))
        const others = [...written, ...derived].flatMap((turn) => [mutated(turn, next), mutated(turn, next)]).filter((turn) => judge.accepts(turn))
        for (const turn of [...derived, ...others]) assert.equal(broken(turn, format, grammar), undefined, `${what()}: ${JSON.stringify(turn)}`)
      }
    })
  }

  test('how many formats have one, and why others have none', (t) => {
    // Without calls, text is all that there is.
    const none = [...refusals].filter(([, { made }]) => made.length === 0)
    t.diagnostic(`${refusals.size - none.length} of ${refusals.size} formats; none: ${none.map(([id, { refused }]) => `${id} (${refused.join(', ')})`).join(', ')}`)
    assert.deepEqual(none.map(([id, { refused }]) => [id, ...refused]).sort(), [['anthropic-thinking', 'calls'], ['kimi-think-lens', 'calls'], ['yaml-xml', 'yaml']])
    const partly = [...refusals].filter(([id, { made, refused }]) => made.length > 0 && refused.length > 0).flatMap(([, { refused }]) => refused)
    assert.deepEqual([...new Set(partly)].sort(), ['reasoning', 'types'])
  })
})

describe(`structural tags in web-xgrammar (SEED=${seed})`, () => {
  // Its file is CommonJS in a package of modules.
  const folder = mkdtempSync(join(tmpdir(), 'tokenweir-xgrammar-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'engine.cjs')
  copyFileSync(fileURLToPath(import.meta.resolve('@mlc-ai/web-xgrammar')), file)
  const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = createRequire(import.meta.url)(file)

  /** A judge of texts. */
  async function judgeOf(tag) {
    const compiler = await GrammarCompiler.createGrammarCompiler(await TokenizerInfo.createTokenizerInfo(['a', '</s>'], 'raw', false))
    const compiled = await compiler.compileStructuralTag(tag)
    const matcher = await GrammarMatcher.createGrammarMatcher(compiled, undefined, true)
    return {
      accepts(turn) {
        matcher.reset()
        return (turn === '' || matcher._acceptString(turn)) && matcher.isTerminated()
      },
      dispose: () => [matcher, compiled, compiler].forEach((handle) => handle.dispose()),
    }
  }

  for (const [id, format] of sampled(Object.entries(formats))) {
    test(id, async () => {
      const next = random(seed)
      const make = (name, tools, options) => structuralTagFor(name, tools, { ...options, target: 'web-llm' })
      for (const grammar of grammarsOf(id, make).made) {
        const has = WITHOUT_TEXT.includes(format) ? grammar.has.filter((one) => one !== 'text') : grammar.has
        const judge = await judgeOf(grammar.grammar)
        for (const turn of turnsOf(id, { ...grammar, has }, next, COUNT)) {
          assert.ok(judge.accepts(turn) || hasOthers(turn, format), `${id} refuses ${JSON.stringify(turn)}`)
          const other = mutated(turn, next)
          if (judge.accepts(other)) assert.equal(broken(other, format, grammar), undefined, `${id}: ${JSON.stringify(other)}`)
        }
        for (const turn of wrongTurns(id, grammar)) assert.ok(!judge.accepts(turn), `${id} accepts ${JSON.stringify(turn)}`)
        judge.dispose()
      }
    })
  }
})
