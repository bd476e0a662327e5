// The cases of tests/cases/edit, and edits as the lines that they are written in: tests/edit/reading.rs says how.
import assert from 'node:assert/strict'
import { EditParser } from 'tokenweir/edits'
import { readCases } from './case-files.mjs'

const folder = new URL('../../cases/edit/', import.meta.url)

/** Each file's name with its cases. */
export function editCaseFiles() {
  return readCases(folder, ['name', 'source', 'input', 'events'], ['formats', 'path', 'whole', 'finish'])
}

/** What a parser is given for a case. */
export function optionsOf({ formats, path, whole }) {
  return { ...(formats && { formats }), ...(path !== undefined && { path }), ...(whole && { whole }) }
}

/** The events of chunks. */
export function readEdits(options, chunks, finish) {
  const parser = new EditParser(options)
  const events = []
  for (const chunk of chunks) {
    const emitted = parser.feed(chunk)
    assert.ok(chunk !== '' || emitted.length === 0, 'an empty chunk has events')
    events.push(...emitted)
  }
  events.push(...parser.finish(finish))
  assert.deepEqual(parser.finish(finish), [], 'a second end')
  assert.equal(parser.isComplete, events.every(({ type }) => type !== 'malformed'))
  return events
}

/** The events as lines; text and deltas are joined. */
export function editLines(events) {
  const lines = []
  let last = ['', '']
  const json = JSON.stringify
  for (const event of events) {
    const { type, file, hunk } = event
    if (type === 'markup') continue
    if (type === 'text' || type === 'delta') {
      const front = type === 'text' ? 'text' : `${event.side} ${file}.${hunk}`
      if (last[0] === front) lines.pop()
      else last = [front, '']
      last[1] += event.delta
      lines.push(`${front} ${json(last[1])}`)
      continue
    }
    last = ['', '']
    lines.push(line(event))
  }
  return lines.join('\n')
}

function line({ type, file, hunk, op, path, moveTo, format, context, range, old, new: now, atEnd, code, span }) {
  const json = JSON.stringify
  if (type === 'file') return `file ${file} ${op} ${json(path)}${moveTo === undefined ? '' : ` ${json(moveTo)}`} ${format}`
  if (type === 'hunk') return `hunk ${file}.${hunk} ${json(context)}${range === undefined ? '' : ` ${range.join(',')}`}`
  if (type === 'hunk-done') return `done ${file}.${hunk} ${json(old)} ${json(now)}${atEnd ? ' at-end' : ''}`
  if (type === 'file-done') return `done ${file}`
  assert.equal(type, 'malformed')
  return `malformed ${code}${file === undefined ? '' : ` ${file}`}${hunk === undefined ? '' : `.${hunk}`} ${span[0]}..${span[1]}`
}

/** Throws unless the spans of events tile a text, each with its piece. */
export function assertEditsTiled(events, text) {
  let at = 0
  for (const event of events) {
    const [start, end] = event.span
    assert.ok(start <= end, JSON.stringify(event))
    if (!['text', 'delta', 'markup', 'malformed'].includes(event.type)) continue
    assert.equal(start, at, JSON.stringify(event))
    if (event.type !== 'malformed') assert.equal(text.slice(start, end), event.delta)
    at = end
  }
  assert.equal(at, text.length)
}
