// Grammars in the engines of servers: xgrammar reads structural tags and GBNF, llguidance reads Lark. Each grammar must
// have what `writeCalls` writes, and what an engine lets a random writer write must keep the promise of the grammar.
//
// Structural tags of others (grammar-golden.jsonl: see its first line for where they are from, and their licence) are
// compared by what they let through.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formats, writeCalls } from 'tokenweir/formats'
import { gbnfFor, larkFor, structuralTagFor } from 'tokenweir/grammar'
import { random } from '../pkg/support/cuts.mjs'
import { broken, grammarsOf, mutated, turnsOf, wrongTurns } from '../pkg/support/grammar-cases.mjs'
import { recorded } from './python.mjs'

const ENGINES = { tag: structuralTagFor, gbnf: gbnfFor, lark: larkFor }

/** Texts that end what is open in a format: a random writer writes them now and then. */
function hintsOf({ write = {} }) {
  const templates = [write.call, write.item, write.param, ...(write.section ?? []), ...(write.reasoning ?? []), ...(write.text ?? [])]
  const pieces = templates.flatMap((template) => (template ?? '').split(/\{[a-z]+(?::[a-z0-9]+)?\}/))
  return [...new Set([...pieces, '"', ']', '}', '"}', ']}', '<', '</'])].filter((piece) => piece !== '')
}

/** What the engines say of grammars. */
async function asked(cases) {
  const folder = mkdtempSync(join(tmpdir(), 'tokenweir-grammar-'))
  try {
    const file = join(folder, 'cases.jsonl')
    writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const answers = await recorded('grammar.py', file)
    if (answers.length !== cases.length) throw new Error(`${answers.length} of ${cases.length} grammars were read`)
    return answers
  } finally {
    rmSync(folder, { recursive: true })
  }
}

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

/** Rows whose models others have a tag of, for one call; those of these begin with two line ends. */
const AFTER_LINES = ['deepseek-v3.2', 'deepseek-v4', 'deepseek-v4.1']
const SAME = ['llama3-json', 'kimi-k2', 'deepseek-r1', 'deepseek-v31', 'qwen3', 'qwen3.5', 'qwen3-coder', 'mimo', 'minimax-m3', 'glm-4.7', 'harmony', 'hermes', ...AFTER_LINES]

/** What is written along our tag is in theirs, which is wider: it leaves white space free, and excludes less. */
async function golden(seed, count) {
  const [{ tools }, ...lines] = readFileSync(new URL('grammar-golden.jsonl', import.meta.url), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
  const pairs = lines.filter(({ row, case: name }) => SAME.includes(row) && name === 'forced_search')
  if (pairs.length !== SAME.length) throw new Error(`${pairs.length} of ${SAME.length} tags were found`)
  const asking = (tag, row, more) => ({ engine: 'tag', grammar: JSON.stringify(tag), accept: [], write: 0, hints: hintsOf(formats[row]), seed, ...more })
  const written = await asked(pairs.map(({ row }) => asking(structuralTagFor(row, [tools.search], { toolChoice: { tool: 'search' } }), row, { write: 4 * count })))
  const texts = pairs.map(({ row }, at) => (written[at].texts ?? []).flatMap((text) => (text === null ? [] : (AFTER_LINES.includes(row) ? '\n\n' : '') + text)))
  // A name that the tag doesn't have.
  const wrong = texts.map((some) => some.map((text) => text.replace('search', 'serach')))
  const answers = await asked(pairs.map(({ row, tag }, at) => asking(tag, row, { accept: [...texts[at], ...wrong[at]] })))
  const differences = pairs.flatMap(({ row }, at) =>
    [...texts[at], ...wrong[at]].flatMap((text, place) => {
      const isOurs = place < texts[at].length
      return answers[at].accepted?.[place] === isOurs ? [] : [{ document: { golden: row, text }, ours: isOurs ? 'written' : 'wrong', theirs: answers[at].error ?? String(answers[at].accepted[place]) }]
    }),
  )
  return { documents: texts.flat().length * 2, differences }
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
