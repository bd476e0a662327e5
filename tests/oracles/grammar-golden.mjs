// Structural tags of others (grammar-golden.jsonl: see its first line for where they are from, and their licence), compared
// with ours by what they let through, in both directions: what is written along the one is in the other, or GOLDEN says
// why not, with a text that shows it.
import { readFileSync } from 'node:fs'
import { formats, writeCalls } from 'tokenweir/formats'
import { structuralTagFor } from 'tokenweir/grammar'
import { parseReply } from 'tokenweir/tool-calls'
import { broken } from '../pkg/support/grammar-cases.mjs'
import { asked, hintsOf } from './grammar-engines.mjs'

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const [{ tools }, ...LINES] = read('grammar-golden.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line))

/**
 * By model: `around`, what theirs has before and after what ours writes, and why theirs doesn't have a text of ours or
 * ours one of theirs, each with a text. Ours may not have one of theirs for three reasons:
 *
 * - `form`: it is read as calls that ours writes otherwise;
 * - `marker`: a value in it has a marker of the format;
 * - `broken`: it isn't read as calls of these tools with valid arguments, and nothing else.
 */
const GOLDEN = JSON.parse(read('grammar-golden-differences.json'))

/** Texts that begin and end something in a format. */
function markersOf({ call, params, section, messages, reasoning }) {
  const lists = [call, params, section, messages, reasoning].flatMap((part) => [part?.open, part?.close])
  return lists.flatMap((list) => list ?? []).map((marker) => marker.replaceAll('{bars}', '｜').replace(/\{suffix\}|>$/g, '').trim()).filter((marker) => marker !== '')
}

/** What is compared: each golden tag of a row, with ours. */
const PAIRS = LINES.filter(({ row }) => row !== null).map(({ model, row, case: name, tag }) => {
  const given = name === 'forced_search' ? [tools.search] : [tools.search, tools.alt]
  const options = name === 'forced_search' ? { toolChoice: { tool: 'search' } } : { toolChoice: 'required' }
  const schemas = Object.fromEntries(given.map(({ function: { name, parameters } }) => [name, parameters]))
  const { around: [before, after] = ['', ''], ...reasons } = GOLDEN[model]
  return { model, row, format: formats[row], options, tools: schemas, theirs: tag, ours: structuralTagFor(row, schemas, options), before, after, reasons }
})

/** Each pair's grammar of a side, to be asked. */
const asking = (side, more) => PAIRS.map((pair, at) => ({ engine: 'tag', grammar: JSON.stringify(pair[side]), accept: [], write: 0, hints: hintsOf(pair.format), ...more(pair, at) }))
const inside = ({ before, after }, text) => (text.startsWith(before) && text.endsWith(after) ? text.slice(before.length, text.length - after.length) : text)
const outside = ({ before, after }, text) => before + text + after

/** Why ours doesn't have a text of theirs, and its calls as ours writes them. */
function reasonOf({ row, format, ...promise }, text) {
  if (broken(text, format, promise) !== undefined) return ['broken']
  const calls = parseReply(text, { format, tools: promise.tools }).toolCalls.map(({ toolName, args }) => ({ toolName, input: args }))
  if (format.call.body === 'params' && calls.some(({ input }) => markersOf(format).some((marker) => input.q.replaceAll('｜ ', '｜').includes(marker)))) return ['marker']
  return ['form', writeCalls(calls, { format: row })]
}

/** Both directions: each text of the one side that the other one doesn't have is a difference that GOLDEN knows. */
export async function golden(seed, count) {
  const differences = []
  const differs = ({ model, options }, text, ours, theirs) => differences.push({ document: { golden: model, options, text }, ours, theirs })
  const listed = (pair, reason) => (pair.reasons[reason] === undefined ? [] : [pair.reasons[reason].text])

  // Ours in theirs, and a name that neither has.
  const written = await asked(asking('ours', () => ({ write: 4 * count, seed })))
  const texts = written.map(({ texts = [] }) => texts.filter((text) => text !== null))
  const wrong = texts.map((some) => some.map((text) => text.replaceAll(/search|alt/g, 'other')))
  const forth = await asked(asking('theirs', (pair, at) => ({ accept: [...texts[at], ...listed(pair, 'theirs'), ...wrong[at]].map((text) => outside(pair, text)) })))
  for (const [at, pair] of PAIRS.entries()) {
    const { accepted = [], error } = forth[at]
    for (const [place, isAccepted] of accepted.entries()) {
      const [isOurs, isListed] = [place < texts[at].length, place === texts[at].length && listed(pair, 'theirs').length > 0]
      if (isListed ? isAccepted : isAccepted !== isOurs && !(isOurs && pair.reasons.theirs !== undefined)) differs(pair, (isOurs ? texts[at] : wrong[at])[place] ?? listed(pair, 'theirs')[0], isOurs ? 'written' : 'wrong', String(isAccepted))
    }
    if (error !== undefined) differs(pair, '', 'a tag', error)
  }

  // Theirs in ours.
  const REASONS = ['form', 'marker', 'broken']
  const others = (await asked(asking('theirs', () => ({ write: 4 * count, seed })))).map(({ texts = [] }) => texts.filter((text) => text !== null))
  const [shown, back] = [
    await asked(asking('theirs', (pair) => ({ accept: REASONS.flatMap((reason) => listed(pair, reason)) }))),
    await asked(asking('ours', (pair, at) => ({ accept: [...others[at], ...REASONS.flatMap((reason) => listed(pair, reason))].map((text) => inside(pair, text)) }))),
  ]
  const forms = PAIRS.map(() => [])
  for (const [at, pair] of PAIRS.entries()) {
    const reasons = REASONS.filter((reason) => pair.reasons[reason] !== undefined)
    const isForced = Object.keys(pair.tools).length === 1
    // A text of the other tool is refused where one is forced.
    for (const [place, reason] of reasons.entries()) if (!shown[at].accepted[place] && (!isForced || pair.reasons[reason].text.includes('search'))) differs(pair, pair.reasons[reason].text, reason, 'refused')
    for (const [place, text] of [...others[at], ...reasons.map((reason) => pair.reasons[reason].text)].entries()) {
      const expected = reasons[place - others[at].length]
      if (expected !== undefined && !shown[at].accepted[place - others[at].length]) continue
      const [reason, form] = back[at].accepted[place] ? [] : reasonOf(pair, text)
      if (reason !== expected && (expected !== undefined || (reason !== undefined && !reasons.includes(reason)))) differs(pair, text, expected ?? reasons.join(), reason ?? 'accepted')
      if (form !== undefined) forms[at].push(form)
    }
  }

  // What they write in another form is in both as ours writes it.
  const same = [await asked(asking('ours', (_, at) => ({ accept: forms[at] }))), await asked(asking('theirs', (pair, at) => ({ accept: forms[at].map((text) => outside(pair, text)) })))]
  for (const [at, pair] of PAIRS.entries())
    for (const [place, text] of forms[at].entries()) {
      const [isOurs, isTheirs] = same.map((answers) => answers[at].accepted[place])
      if (!isOurs || (!isTheirs && pair.reasons.theirs === undefined)) differs(pair, text, String(isOurs), String(isTheirs))
    }
  return { documents: [texts, wrong, others, forms].flat(2).length, differences }
}
