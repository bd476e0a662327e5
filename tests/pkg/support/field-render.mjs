// Formats field events as lines, one per path in the order of done: the form of
// tests/cases/field. It also checks the invariants of every log: events of the
// documented form, one done per path and no delta after it, children before their
// parents, deltas that join to the value, no surrogate pair split between deltas,
// and at the end a done for everything.
import assert from 'node:assert/strict'
import { dotPath, stepsOf, valueAt, valuesBelow } from './field-paths.mjs'

const KEYS = ['path', 'value', 'delta', 'isComplete', 'eventType', 'fullData', 'wildcardPath', 'indexes', 'completionSource']
const OWN_KEYS = { delta: [], done: [], reset: [], error: ['code', 'message', 'span'], markup: ['text', 'span'] }
const SUFFIX = { observed_boundary: '', synthetic_repair: ' cut', final_reconciliation: ' late' }
const CODES = ['unexpected-text', 'missing-value', 'bad-escape', 'too-deep', 'too-long']

/** @param options the parser's options; `pathStyle` must be 'dot' and `snapshot` false */
export function renderFields(log, { spans = false, multiple = false } = {}) {
  const lines = []
  let document = new Document(0)
  for (const [at, event] of log.entries()) {
    checkForm(event, spans, multiple)
    if (multiple && event.eventType !== 'markup' && event.documentIndex !== document.index) {
      document.end()
      // An empty document has no events.
      if (!(event.documentIndex > document.index)) assert.fail(`document ${event.documentIndex} follows ${document.index}`)
      document = new Document(event.documentIndex)
      lines.push(`document ${document.index}`)
    }
    if (event.eventType === 'reset') {
      lines.push('reset')
      document = new Document(document.index)
    } else if (event.eventType === 'error') lines.push(`error ${event.code} ${event.span[0]}..${event.span[1]}`)
    else if (event.eventType === 'delta') {
      document.delta(event, lines)
      // A number that may have been to go on is not done: the cases call it cut.
      if (typeof event.delta === 'number' && !event.replaced && !isDoneLater(log, at)) document.done({ ...event, completionSource: 'synthetic_repair' }, lines)
    }
    else if (event.eventType === 'done') document.done(event, lines)
  }
  document.end()
  return lines.join('\n')
}

/** Whether what the event at a place emits is done later, in the same document. */
function isDoneLater(log, at) {
  const { path, documentIndex } = log[at]
  for (let next = at + 1; next < log.length; next++) {
    const event = log[next]
    if (event.eventType === 'reset' || (event.eventType !== 'markup' && event.documentIndex !== documentIndex)) return false
    if (event.eventType === 'done' && event.path === path) return true
  }
  return false
}

function checkForm(event, spans, multiple) {
  const { eventType, path, value, delta, isComplete, fullData, wildcardPath, indexes, completionSource, span } = event
  const has = (condition, what) => condition || assert.fail(`${what}: ${JSON.stringify({ ...event, fullData: undefined })}`)
  has(Object.hasOwn(OWN_KEYS, eventType), 'an event of an unknown type')
  const keys = [...KEYS, ...OWN_KEYS[eventType]]
  if (event.replaced !== undefined) keys.push('replaced')
  if (multiple && eventType !== 'markup') keys.push('documentIndex')
  if (spans && eventType === 'delta') keys.push('span')
  const found = Object.keys(event)
  if (found.length !== keys.length || !keys.every((key) => found.includes(key))) has(false, `the keys should be ${keys}`)
  has(event.replaced === undefined || (event.replaced === true && eventType === 'delta'), 'replaced')
  has(isComplete === (eventType === 'done') && (eventType === 'done') === (completionSource !== null), 'isComplete or completionSource')
  has(eventType === 'delta' || delta === null, 'a delta')
  if (span !== undefined) has(span.length === 2 && Number.isInteger(span[0]) && span[0] >= 0 && span[0] <= span[1], 'the span')
  if (eventType === 'reset') has(path === '' && fullData === undefined && value === null, 'a reset')
  if (eventType === 'markup') has(path === '' && value === null && event.text.length === span[1] - span[0] && event.text !== '', 'markup')
  if (eventType === 'error') has(value === null && CODES.includes(event.code) && typeof event.message === 'string' && event.message !== '', 'an error')
  const steps = stepsOf(path)
  has(dotPath(steps) === path && wildcardPath === dotPath(steps, '*'), 'the path')
  const numbers = steps.filter((step) => typeof step === 'number')
  has(indexes.length === numbers.length && numbers.every((number, at) => indexes[at] === number), 'the indexes')
}

/** The events of one document. */
class Document {
  #open = new Map()
  #done = new Map()
  /** Done containers with a later change below them; each must be replaced too. */
  #stale = new Set()
  /** Something was replaced, so the done values are not the whole tree. */
  #isRevised = false
  #root

  constructor(index) {
    this.index = index
  }

  delta(event, lines) {
    const { path, value, delta, fullData, replaced, span } = event
    this.#inTree(path, fullData)
    if (replaced) {
      if (!this.#done.has(path)) assert.fail(`${path} is replaced before it is done`)
      if (!Object.is(delta, value)) assert.fail(`the delta that replaces ${path} is not its value`)
      this.#stale.delete(path)
      this.#isRevised = true
      this.#done.set(path, value)
      lines.push(`${path} = ${written(value)}${spanText(span?.[0], span?.[1])} replaced`)
      return
    }
    if (this.#done.has(path)) assert.fail(`${path} has a delta after its done`)
    const open = this.#open.get(path)
    if (typeof delta === 'string') {
      if (delta === '') assert.fail(`an empty delta of ${path}`)
      const before = open?.text ?? ''
      if (value !== before + delta) assert.fail(`${path} is ${JSON.stringify(value)} after ${JSON.stringify(before)} and ${JSON.stringify(delta)}`)
      if (/[\ud800-\udbff]$/.test(before) && /^[\udc00-\udfff]/.test(delta)) assert.fail(`a pair of ${path} is in two deltas`)
      this.#open.set(path, { text: value, from: open?.from ?? span?.[0], to: span?.[1] })
    } else {
      const isLeaf = delta === null || typeof delta === 'boolean' || typeof delta === 'number'
      if (open !== undefined || !isLeaf || !Object.is(delta, value)) assert.fail(`a delta of ${path} that is ${JSON.stringify(delta)}`)
      this.#open.set(path, { leaf: delta, from: span?.[0], to: span?.[1] })
    }
  }

  done(event, lines) {
    const { path, value, fullData, completionSource } = event
    this.#inTree(path, fullData)
    if (path === '') assert.fail('the root has no events')
    if (this.#done.has(path)) assert.fail(`${path} is done twice`)
    const open = this.#open.get(path)
    this.#open.delete(path)
    this.#done.set(path, value)
    const end = SUFFIX[completionSource] ?? assert.fail(`completionSource ${completionSource}`)
    if (typeof value === 'object' && value !== null) {
      if (open !== undefined) assert.fail(`${path} is a container and had deltas`)
      lines.push(`${path} ${Array.isArray(value) ? '[]' : '{}'}${end}`)
      return
    }
    const isEmitted = typeof value === 'string' ? value === (open?.text ?? '') : open !== undefined && Object.is(value, open.leaf)
    if (!isEmitted) assert.fail(`${path} is done as ${JSON.stringify(value)}, and was emitted as ${JSON.stringify(open)}`)
    lines.push(`${path} = ${written(value)}${spanText(open?.from, open?.to)}${end}`)
  }

  /** What must hold when nothing more comes. */
  end() {
    if (this.#open.size > 0) assert.fail(`${[...this.#open.keys()]} were not done`)
    if (this.#stale.size > 0) assert.fail(`below ${[...this.#stale]} something came again, but they were not replaced`)
    for (const [steps, value] of valuesBelow(this.#root)) {
      const path = dotPath(steps)
      if (!this.#done.has(path)) assert.fail(`${path} is in the document and was not done`)
      if (!Object.is(this.#done.get(path), value)) assert.fail(`${path} is ${JSON.stringify(value)} and was done as ${JSON.stringify(this.#done.get(path))}`)
    }
    if (this.#isRevised) return
    for (const path of this.#done.keys()) {
      if (valueAt(this.#root, stepsOf(path)) === undefined) assert.fail(`${path} was done and is not in the document`)
    }
  }

  #inTree(path, fullData) {
    this.#root ??= fullData
    if (typeof fullData !== 'object' || fullData === null || fullData !== this.#root) assert.fail(`fullData of ${path} is not the document's tree`)
    this.#staleAbove(path)
  }

  /** A container that is done gets no new children, but for those of a key that came again. */
  #staleAbove(path) {
    const steps = stepsOf(path)
    while (steps.length > 1) {
      steps.pop()
      const above = dotPath(steps)
      if (this.#done.has(above)) this.#stale.add(above)
    }
  }
}

/** A value as the cases write it. */
function written(value) {
  if (typeof value !== 'number') return JSON.stringify(value)
  return Object.is(value, -0) ? '-0' : String(value)
}

function spanText(from, to) {
  return from === undefined || from === to ? '' : ` ${from}..${to}`
}

/** Lines without the spans of values. Errors keep theirs, which they always have. */
export function withoutFieldSpans(lines) {
  return lines.split('\n').map((line) => (line.startsWith('error ') ? line : line.replace(/ \d+\.\.\d+(?=( cut| late| replaced)?$)/, ''))).join('\n')
}

/** Checks that the spans of deltas and markup tile the text in order, each piece at its stated position. */
export function assertFieldsTiled(log, text) {
  let at = 0
  for (const { eventType, text: markup, delta, span } of log) {
    // A value that the end alone makes known has no place: its text has passed as markup.
    if ((eventType !== 'delta' && eventType !== 'markup') || span[0] === span[1]) continue
    if (span[0] !== at) assert.fail(`a piece goes from ${span[0]} to ${span[1]}, but the one before it ended at ${at}`)
    at = span[1]
    const written = text.slice(span[0], at)
    if (eventType === 'markup' && markup !== written) assert.fail(`${JSON.stringify(markup)} is stated where ${JSON.stringify(written)} does`)
    const isVerbatim = typeof delta === 'string' && !written.includes('\\')
    if (isVerbatim && delta !== written) assert.fail(`${JSON.stringify(delta)} is read from ${JSON.stringify(written)}`)
    const isDecimal = typeof delta === 'number' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(written)
    if (isDecimal && !Object.is(delta, Number(written))) assert.fail(`${delta} is read from ${written}`)
  }
  assert.equal(at, text.length, 'the pieces reach the end of the text')
}
