// The cases of tests/cases/segment and what was recorded of AutoByteus, and the
// judges of them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readCases } from './case-files.mjs'
import { everyCut } from './cuts.mjs'
import { assertSegmentsTiled, handleSegments, readSegments, recordedSegments, renderErrors, renderSegments, withElements, withoutOtherArguments } from './segment-reading.mjs'

const folder = new URL('../../cases/segment/', import.meta.url)

/** Each file's name with its cases. */
export function segmentCaseFiles() {
  return readCases(folder, ['name', 'source', 'input', 'events'], ['strategy', 'order', 'json_profile', 'fences', 'reasoning', 'max_pending', 'tools', 'errors', 'call_errors', 'invocations', 'repairs'])
}

/** The texts of a file of records. */
export function recordedSegmentCases(name) {
  const [about, ...cases] = readFileSync(new URL(`../../cases/${name}`, import.meta.url), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
  assert.equal(cases.length, about.count, name)
  return cases
}

/** What a parser is given for a case. */
export function configOf({ strategy, order, json_profile: jsonProfile, fences, reasoning, max_pending: maxPending, tools }) {
  return {
    ...(order === undefined ? { strategy: strategy ?? 'xml' } : { strategyOrder: order }),
    ...(jsonProfile && { jsonProfile }),
    ...(fences && { fences }),
    ...(reasoning && { reasoning }),
    ...(maxPending && { maxPending }),
    ...(tools && { tools }),
  }
}

/** Throws unless parser and handler read a case right at every cut, with spans and without. */
export function judgeSegments(each, { seed = 1, ...classes } = {}) {
  const { input, errors = [], call_errors: callErrors = [], repairs = [] } = each
  const config = configOf(each)
  const expected = written(each.events)
  const bare = expected.replace(/ \d+\.\.\d+$/gm, '')
  const invocations = JSON.parse(each.invocations ?? '[]')
  atEveryCut(each.name, input, seed, (chunks, isTwoCuts) => {
    const read = readSegments(chunks, { config: { ...config, spans: true }, ...classes })
    same(renderSegments(read.log), expected)
    same(renderErrors(read.errors).join('\n'), errors.join('\n'))
    assertSegmentsTiled(read.log, input)
    // Two cuts find no more of the rest than one.
    if (isTwoCuts) return
    for (const spans of chunks.length === 1 ? [false, true] : [false]) {
      const handled = handleSegments(chunks, { config: { ...config, spans }, ...classes })
      same(renderSegments(handled.log), spans ? expected : bare)
      assert.deepEqual(handled.invocations.map(({ name, arguments: given }) => ({ name, arguments: given })), invocations)
      const [own, others] = apart(handled.errors, errors)
      same(own.join('\n'), errors.join('\n'))
      same(others.map(({ code }) => code).join('\n'), callErrors.join('\n'))
      same(handled.repairs.join('\n'), repairs.join('\n'))
    }
  })
}

/** Throws unless the events of a text are AutoByteus' events, at every cut. */
export function judgeRecorded(each, { seed = 1 } = {}) {
  const { text } = each
  const config = { ...configOf(each), ...(each.jsonProfile && { jsonProfile: each.jsonProfile }) }
  // On purpose not as there: tests/known_differences.txt says which arguments, and why.
  const theirs = [each.events, each.invocations]
  const expected = JSON.stringify(theirs)
  const expectedEvents = JSON.stringify(each.events)
  // Lines that were compared before need no second comparison: what AutoByteus is compared by is in them.
  let right
  atEveryCut(each.name, text, seed, (chunks, isTwoCuts) => {
    const read = readSegments(chunks, { config: { ...config, spans: true } })
    const lines = renderSegments(read.log)
    if (lines !== right) same(JSON.stringify(withoutOtherArguments([recordedSegments(read.log), []], theirs)[0]), expectedEvents)
    right = lines
    assertSegmentsTiled(read.log, text)
    if (isTwoCuts) return
    const handled = handleSegments(chunks, { config })
    const ours = [recordedSegments(handled.log), handled.invocations.map(({ name, arguments: given }) => ({ name, arguments: given }))]
    same(JSON.stringify(withElements(withoutOtherArguments(ours, theirs), theirs)), expected)
  })
}

function atEveryCut(name, text, seed, check) {
  for (const [cut, chunks] of everyCut(text, seed)) {
    try {
      check(chunks, chunks.length === 3)
    } catch (error) {
      throw new Error(`${name}, ${cut}: ${error.message}`, { cause: error })
    }
  }
}

/** Lines of a case with texts and metadata as JavaScript writes them. */
function written(events) {
  const lines = events.trimEnd().split('\n').map((line) => {
    const [, front, json, span = ''] = /^(content|start \S+)(?: (.*?))?( \d+\.\.\d+)?$/s.exec(line) ?? [null, line]
    return json === undefined ? line : `${front} ${JSON.stringify(JSON.parse(json))}${span}`
  })
  return lines.join('\n')
}

/** The errors that a parser emits, as lines, and those that the calls have. */
function apart(errors, expected) {
  const left = [...expected]
  const others = []
  const own = []
  for (const error of errors) {
    const [line] = renderErrors([error])
    const at = left.indexOf(line)
    if (at < 0) others.push(error)
    else own.push(...left.splice(at, 1))
  }
  return [own, others]
}

function same(found, expected) {
  if (found !== expected) assert.equal(found, expected)
}
