// Reads chunks with a field parser, and logs its events.
import assert from 'node:assert/strict'
import { StreamingJSONParser } from 'tokenweir/fields'

/**
 * All events of a stream, and the parser. This checks the properties of chunks: at
 * most one delta per value and chunk, unless an error or markup splits it, and no
 * sign of the end before the end.
 */
export function readFields(chunks, { schema, options, Parser = StreamingJSONParser } = {}) {
  const parser = new Parser(schema, options)
  const log = []
  for (const chunk of chunks) {
    const events = parser.parseChunk(chunk)
    checkChunk(events)
    for (const event of events) log.push(event)
  }
  const events = parser.finalize()
  checkOnce(events)
  for (const event of events) log.push(event)
  return { log, parser }
}

function checkChunk(events) {
  checkOnce(events)
  for (const { eventType, path, completionSource } of events) {
    const expected = eventType === 'done' ? 'observed_boundary' : null
    if (completionSource !== expected) assert.fail(`${eventType} of ${path} has the completionSource ${completionSource} before the end`)
  }
}

function checkOnce(events) {
  let emitted = new Set()
  let document
  for (const { eventType, path, replaced, documentIndex } of events) {
    if (eventType === 'reset' || eventType === 'error' || eventType === 'markup' || documentIndex !== document) emitted = new Set()
    document = documentIndex
    if (eventType !== 'delta' || replaced) continue
    if (emitted.has(path)) assert.fail(`two deltas of ${path} come with one chunk`)
    emitted.add(path)
  }
}

/** The document that a consumer can build from the events alone. */
export function folded(log, stepsOf) {
  let root
  const put = (steps, value) => {
    let at = (root ??= typeof steps[0] === 'number' ? [] : {})
    for (const [nth, step] of steps.entries()) {
      const isLast = nth === steps.length - 1
      const isList = typeof steps[nth + 1] === 'number'
      const old = Object.hasOwn(at, step) ? at[step] : undefined
      const fits = typeof old === 'object' && old !== null && Array.isArray(old) === isList
      if (isLast || !fits) Object.defineProperty(at, step, { value: isLast ? value : isList ? [] : {}, writable: true, enumerable: true, configurable: true })
      at = at[step]
    }
    return at
  }
  const texts = new Map()
  for (const { eventType, path, value, delta, replaced } of log) {
    if (eventType === 'reset') {
      root = undefined
      texts.clear()
    } else if (eventType === 'delta' && replaced) put(stepsOf(path), structuredClone(value))
    else if (eventType === 'delta') {
      if (typeof delta === 'string') texts.set(path, (texts.get(path) ?? '') + delta)
      put(stepsOf(path), typeof delta === 'string' ? texts.get(path) : delta)
    } else if (eventType === 'done' && value === '') put(stepsOf(path), '')
    else if (eventType === 'done' && typeof value === 'object' && value !== null && Object.keys(value).length === 0) put(stepsOf(path), Array.isArray(value) ? [] : {})
  }
  return root
}
