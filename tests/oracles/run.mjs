// Compares the package's results with those of other parsers on the same documents,
// which each run generates.
//
//     npm run test:oracles                               all but the heavy one, about two minutes
//     npm run test:oracles -- --all                      all of them; Dynamo's crates are built once, in about five minutes
//     npm run test:oracles -- --only blocks --count 500
//     npm run test:oracles -- --seed 12                  the documents of that run again
//
// A difference is an error unless tests/known_differences.txt lists it; a listed
// difference that no longer occurs is an error too.
import { env, exit } from 'node:process'
import { parseArgs } from 'node:util'
import { setupOrExit } from '../../pkg-template/setup.mjs'
import { args } from './args.mjs'
import { blocks } from './blocks.mjs'
import { dynamo } from './dynamo.mjs'
import { fields } from './fields.mjs'
import { grammar } from './grammar.mjs'
import { hermes } from './hermes.mjs'
import { json } from './json.mjs'
import { knownDifferences } from './known.mjs'
import { order } from './order.mjs'
import { qwen } from './qwen.mjs'
import { responseTemplate } from './response-template.mjs'
import { rust } from './rust.mjs'
import { segments } from './segments.mjs'
import { shrink } from './shrink.mjs'

const oracles = [json, args, fields, rust, order, segments, blocks, hermes, qwen, responseTemplate, grammar, dynamo]
const names = oracles.map(({ name }) => name)

const { values } = parseArgs({ options: { seed: { type: 'string' }, count: { type: 'string' }, only: { type: 'string', multiple: true }, all: { type: 'boolean' } } })
const seed = numberOf('seed', values.seed ?? env.SEED ?? String(Date.now() % 1_000_000))
const count = values.count === undefined ? undefined : numberOf('count', values.count)
for (const name of values.only ?? []) if (!names.includes(name)) stop(`there is no oracle ${JSON.stringify(name)}. The oracles: ${names.join(', ')}.`)

const known = knownDifferences(oracles)
const asked = oracles.filter(({ name, isHeavy = false }) => values.only?.includes(name) ?? (values.all === true || !isHeavy))
if (asked.some(({ needsPython }) => needsPython)) setupOrExit({ oracles: true })
console.log(`seed ${seed}`)
let failures = 0
for (const oracle of asked) failures += await run(oracle, known.get(oracle.name) ?? [])
console.log(`oracles: ${asked.length} run, ${failures} differences that are unlisted or no longer occur`)
if (failures > 0) exit(1)

/** Runs one oracle; returns the number of errors. */
async function run(oracle, listed) {
  const start = performance.now()
  const { rules = {} } = oracle
  const met = new Map()
  const found = []
  const { documents, differences } = await (oracle.find ?? find)(seed, count ?? oracle.count, oracle)
  for (const { document, ...answers } of differences) {
    const name = await recognise(document, answers, rules, listed)
    if (name === undefined) found.push({ document, ...answers })
    else met.set(name, (met.get(name) ?? 0) + 1)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const expected = [...met].sort().map(([name, times]) => `${name} ${times}`).join(', ')
  console.log(`${oracle.name.padEnd(9)} ${String(documents).padStart(6)} documents, ${found.length} differences${expected && `, and known ones: ${expected}`} (${seconds} s)`)
  if (documents === 0) stop(`${oracle.name}: no document was compared.`)
  for (const each of found.slice(0, 5)) await show(oracle, each, listed)
  if (found.length > 5) console.log(`  and ${found.length - 5} more`)
  return found.length + (await stale(oracle, listed))
}

/** Compares document for document. */
async function find(seed, count, oracle) {
  let documents = 0
  const differences = []
  for await (const document of oracle.documents(seed, count)) {
    documents += 1
    const answers = oracle.compare(document)
    if (answers.ours !== answers.theirs) differences.push({ document, ...answers })
  }
  return { documents, differences }
}

/** The rule of a difference, or `listed` if only the text is listed. */
async function recognise(document, answers, rules, listed) {
  if (listed.some(({ rule, input }) => rule === undefined && same(input, document))) return 'listed'
  for (const name of Object.keys(rules)) if (listed.some(({ rule }) => rule === name) && (await rules[name](document, answers))) return name
  return undefined
}

/** Prints a difference, as small as it can be made. */
async function show(oracle, { document, ...answers }, listed) {
  const differs = async (text) => {
    const { ours, theirs } = oracle.compare(text)
    return ours !== theirs && (await recognise(text, { ours, theirs }, oracle.rules ?? {}, listed)) === undefined
  }
  const small = typeof document === 'string' ? await shrink(document, differs) : document
  const { ours, theirs } = small === document ? answers : oracle.compare(small)
  console.log(`  ${oracle.name}: ${JSON.stringify(small)}\n    ours   ${ours}\n    theirs ${theirs}`)
}

/** Compares the listed inputs; returns the number of outdated lines. */
async function stale(oracle, listed) {
  let failures = 0
  const documents = oracle.complete ? await oracle.complete(listed.map(({ input }) => input)) : listed.map(({ input }) => input)
  for (const [at, { rule, line }] of listed.entries()) {
    const answers = oracle.compare(documents[at])
    const isThere = answers.ours !== answers.theirs
    if (isThere && (rule === undefined || (await recognise(documents[at], answers, oracle.rules, [{ rule }])) === rule)) continue
    failures += 1
    console.log(`  tests/known_differences.txt:${line}: ${isThere ? `the rule ${rule} doesn't recognise this difference` : 'this is no longer a difference: remove the line'}\n    ours   ${answers.ours}\n    theirs ${answers.theirs}`)
  }
  return failures
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}

function numberOf(name, text) {
  if (!/^\d+$/.test(text)) stop(`--${name} takes a whole number, but got ${JSON.stringify(text)}.`)
  return Number(text)
}

function stop(message) {
  console.error(`test:oracles: ${message}`)
  exit(1)
}
