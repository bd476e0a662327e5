// Grammars in the engines of servers: xgrammar reads structural tags and GBNF, llguidance reads Lark. Each grammar must
// have what `writeCalls` writes, and what an engine lets a random writer write must keep the promise of the grammar.
//
// Structural tags of others (grammar-golden.jsonl: see its first line for where they are from, and their licence) are
// compared by what they let through.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formats } from 'tokenweir/formats'
import { gbnfFor, larkFor, structuralTagFor } from 'tokenweir/grammar'
import { random } from '../pkg/support/cuts.mjs'
import { broken, grammarsOf, turnsOf, wrongTurns } from '../pkg/support/grammar-cases.mjs'
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
    const parts = [await promises(seed, count), await golden(seed, count)]
    return { documents: parts.reduce((sum, { documents }) => sum + documents, 0), differences: parts.flatMap(({ differences }) => differences) }
  },
}
