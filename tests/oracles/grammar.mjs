// Grammars in the engines of servers: xgrammar reads structural tags and GBNF, llguidance reads Lark. Each grammar must
// have what `writeCalls` writes, and what an engine lets a random writer write must keep the promise of the grammar.
import { formats, writeCalls } from 'tokenweir/formats'
import { gbnfFor, larkFor, structuralTagFor } from 'tokenweir/grammar'
import { random } from '../pkg/support/cuts.mjs'
import { broken, grammarsOf, mutated, turnsOf, wrongTurns } from '../pkg/support/grammar-cases.mjs'
import { asked, hintsOf } from './grammar-engines.mjs'
import { golden } from './grammar-golden.mjs'

const ENGINES = { tag: structuralTagFor, gbnf: gbnfFor, lark: larkFor }

/** All formats, in all engines. */
async function promises(seed, count) {
  const next = random(seed)
  const cases = Object.entries(ENGINES).flatMap(([engine, make]) =>
    Object.entries(formats).flatMap(([id, format]) =>
      grammarsOf(id, make).made.map((grammar) => {
        const hasText = format.call?.bare !== 'start' || (format.write.before ?? '').trim() !== ''
        const has = hasText ? grammar.has : grammar.has.filter((one) => one !== 'text')
        const text = engine === 'tag' ? JSON.stringify(grammar.grammar) : grammar.grammar
        const [turns, wrong] = [[...turnsOf(id, { ...grammar, has }, next, count)], [...wrongTurns(id, grammar)]]
        return { engine, id, format, of: grammar, turns, wrong, asked: { engine, grammar: text, accept: [...turns, ...wrong], write: count, hints: hintsOf(format), seed: next(1_000_000) } }
      }),
    ),
  )
  const answers = await asked(cases.map((one) => one.asked))
  let documents = 0
  const differences = []
  const differs = ({ engine, id, of }, text, ours, theirs) => differences.push({ document: { engine, id, options: of.options, text }, ours, theirs })
  for (const [at, one] of cases.entries()) {
    const { error, accepted = [], texts = [] } = answers[at]
    if (error !== undefined) differs(one, '', 'a grammar', error)
    for (const [place, isAccepted] of accepted.entries()) {
      documents++
      const isRight = place < one.turns.length
      if (isAccepted !== isRight) differs(one, one.asked.accept[place], isRight ? 'written' : 'wrong', isAccepted ? 'accepted' : 'refused')
    }
    for (const text of texts.filter((text) => text !== null)) {
      documents++
      const why = broken(text, one.format, one.of)
      if (why !== undefined) differs(one, text, why, 'accepted')
    }
  }
  return { documents, differences }
}

/** Parts of patterns, each with texts of it, and how often each may stand. */
const PIECES = [['a', 'a'], ['\\.', '.'], ['\\d', '0', '7'], ['\\w', 'b', 'Z', '_', '9'], ['[a-c]', 'a', 'c'], ['[a-z0-9_-]', 'q', '5', '-'], ['[-+/]', '-', '+', '/'], ['[\\]\\^\\-]', ']', '^', '-'], ['(a|(?:bc|d)e)', 'a', 'bce', 'de'], ['(x{2}|)', 'xx', ''], ['<', '<'], ['\\/', '/'], ['\\{', '{'], ['&&', '&&'], [' ', ' ']]
const TIMES = [['', 1], ['', 1], ['*', 0, 3], ['+', 1, 4], ['?', 0, 1], ['{2}', 2], ['{1,3}', 1, 3], ['{2,}', 2, 5]]

/** Formats that engines hold, with texts that are of them, and such as are not. */
const FORMATS = {
  uuid: [['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2EB8AA08-AA98-11EA-B4AA-73B441D16380', '00000000-0000-0000-0000-000000000000'], ['2eb8aa08-aa98-11ea-b4aa-73b441d1638', '2eb8aa08aa9811eab4aa73b441d16380', '2eb8aa08-aa98-11ea-b4ga-73b441d16380', '']],
  duration: [['P4DT12H30M5S', 'PT0S', 'P2W', 'P1Y', 'PT36H', 'P1Y2M3D'], ['PT1D', '4DT12H', 'P', 'PT', 'P2D1Y', 'P1YT', 'P1Y2W', 'P1Y3D', 'PT1S1']],
}

/** Schemas that both engines hold though no tree does, each with values of it, and others. */
function kept(next) {
  const one = (list) => list[next(list.length)]
  const bounds = Array.from({ length: 12 }, () => {
    const [low, width] = [next(4000) - 2000, next(one([3, 30, 3000]))]
    const schema = one([{ minimum: low }, { maximum: low }, { exclusiveMinimum: low, maximum: low + 1 + width }, { minimum: low, exclusiveMaximum: low + 1 + width }, { minimum: low, exclusiveMinimum: low, maximum: low + 1 + width }])
    const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema
    const fits = (value) => value >= minimum && value > exclusiveMinimum && value <= maximum && value < exclusiveMaximum
    const values = [0, 1, -1, 10 * low, -low, 123_456].concat(...[low, low + width].map((edge) => [-11, -1, 0, 1, 2, 10].map((step) => edge + step)))
    return { schema: { type: 'integer', ...schema }, fitting: values.filter(fits), others: values.filter((value) => !fits(value)) }
  })
  const patterns = Array.from({ length: 24 }, () => {
    const parts = Array.from({ length: 1 + next(4) }, () => [one(PIECES), one(TIMES)])
    const pattern = `^${parts.map(([[piece], [times]]) => (piece.length > 1 && !/^[\\[(]/.test(piece) ? `(${piece})` : piece) + times).join('')}$`
    const sample = () => parts.map(([[, ...texts], [, ...counts]]) => Array.from({ length: one(counts) }, () => one(texts)).join('')).join('')
    const texts = Array.from({ length: 12 }, sample)
    const read = new RegExp(pattern, 'u')
    const others = texts.flatMap((text) => [`${text}a`, `\n${text}`, mutated(text, next), mutated(text, next)])
    return { schema: { type: 'string', pattern }, fitting: texts, others: others.filter((text) => !read.test(text)) }
  })
  const formatted = Object.entries(FORMATS).map(([format, [fitting, others]]) => ({ schema: { type: 'string', format }, fitting, others }))
  return [...bounds, ...patterns, ...formatted]
}

/** Keywords that engines hold themselves: no warning, no value more, and none less. */
async function keywords(seed) {
  const next = random(seed)
  const cases = ['tag', 'lark'].flatMap((engine) =>
    kept(next).map(({ schema, fitting, others }) => {
      const warnings = []
      const tools = { f: { type: 'object', properties: { v: { type: 'array', items: schema } }, required: ['v'] } }
      const made = ENGINES[engine]('hermes', tools, { toolChoice: { tool: 'f' }, onWarning: ({ message }) => warnings.push(message) })
      const accept = [...fitting, ...others].map((value) => writeCalls([{ toolName: 'f', input: { v: [value] } }], { format: 'hermes' }))
      return { engine, schema, warnings, fitting, accept, asked: { engine, grammar: engine === 'tag' ? JSON.stringify(made) : made, accept, write: 0, hints: [] } }
    }),
  )
  const answers = await asked(cases.map((one) => one.asked))
  const differences = cases.flatMap(({ engine, schema, warnings, fitting, accept }, at) => [
    ...warnings.map((theirs) => ({ document: { engine, schema }, ours: 'held', theirs })),
    ...accept.flatMap((text, place) => {
      const fits = place < fitting.length
      return answers[at].accepted?.[place] === fits ? [] : [{ document: { engine, schema, text }, ours: fits ? 'fits' : 'does not fit', theirs: answers[at].error ?? String(answers[at].accepted[place]) }]
    }),
  ])
  return { documents: cases.reduce((sum, { accept }) => sum + accept.length, 0), differences }
}

export const grammar = {
  name: 'grammar',
  needsPython: true,
  count: 2,
  async find(seed, count) {
    const parts = [await promises(seed, count), await keywords(seed), await golden(seed, count)]
    return { documents: parts.reduce((sum, { documents }) => sum + documents, 0), differences: parts.flatMap(({ differences }) => differences) }
  },
}
