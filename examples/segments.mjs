// A coding agent's answer, as a terminal shows it while the model still writes:
// a file grows line by line, and a command waits for approval.
//
//     node examples/segments.mjs [answer.txt] [--chunk 5]
//
// A file is shown by its path and its text, a command by itself, any other tool
// by the arguments that it is called with; of their XML nothing is seen. What
// is to be run has the id of the segment that was shown. The recorded answer
// ends in the middle of a command: that one is never asked about.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, styleText } from 'node:util'
import { StreamingResponseHandler } from 'tokenweir/segments'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { chunk: { type: 'string', default: '5' } } })
const size = Number(values.chunk)
assert.ok(Number.isInteger(size) && size > 0, '--chunk takes a whole number from 1')
const answer = readFileSync(positionals[0] ?? new URL('./streams/agent-turn.txt', import.meta.url), 'utf8')
const isScreen = process.stdout.isTTY && !process.env.CI

// By a schema, `3` is a number.
const schemas = { search_notes: { properties: { limit: { type: 'integer' }, folders: { items: { type: 'string' } } } } }
/** Tools that no one is asked about. */
const harmless = ['search_notes']

/** What is drawn in front of each line of a segment. */
const GUTTERS = { text: '', run_bash: '  $ ' }
const screen = writer()
/** Segments by their ids. */
const shown = new Map()
const approvals = []
const refused = []

const handler = new StreamingResponseHandler({
  config: { strategy: 'xml' },
  schemas,
  onSegmentEvent({ type, segment_id: id, segment_type: segmentType, payload }) {
    if (type === 'SEGMENT_START') begin(id, segmentType, payload.metadata ?? {})
    else if (type === 'SEGMENT_CONTENT') grow(shown.get(id), payload.delta)
    else end(shown.get(id))
  },
  onToolInvocation({ id, name, arguments: given }) {
    if (shown.get(id).type === 'tool_call') screen.line('  → ', `${name} ${JSON.stringify(given)}`)
    if (harmless.includes(name)) return
    approvals.push({ id, name })
    screen.line('  ', paint('yellow', `[${id}] ${name} waits for approval`))
  },
  onError(error) {
    refused.push(error)
    screen.line('  ', paint('red', `[${error.segmentId ?? 'text'}] ${error.code}: ${error.message}`))
  },
})

for (let at = 0; at < answer.length; at += size) {
  handler.feed(answer.slice(at, at + size))
  // A pace that the eye can follow, where there is an eye.
  if (isScreen) await wait(15)
}
handler.finalize()

screen.line('\n', `${approvals.length} to approve, ${refused.length} not called`)
if (positionals.length === 0) judge()

function begin(id, type, { path, tool_name: name }) {
  const gutter = GUTTERS[type] ?? '  │ '
  shown.set(id, { type, gutter, content: '' })
  if (type !== 'text') screen.end()
  if (path !== undefined) screen.line('  ┌ ', paint('bold', plain(`${type} ${path}`)))
  else if (type === 'tool_call') screen.line('  ┌ ', paint('bold', plain(name)))
}

function grow(segment, delta) {
  segment.content += delta
  // The XML of an ordinary tool's arguments is nothing to read.
  if (segment.type !== 'tool_call') screen.write(segment.gutter, plain(delta), segment.type === 'text' ? undefined : 'cyan')
}

function end({ type, gutter, content }) {
  if (type === 'text') return
  screen.end()
  if (gutter === '  │ ' && type !== 'tool_call') screen.line('  └ ', `${content.match(/.*\n|.+$/g)?.length ?? 0} lines`)
}

/** Writes pieces of text, with something in front of each line. */
function writer() {
  let isLineOpen = false
  const out = (text) => process.stdout.write(text)
  return {
    write(gutter, text, style) {
      for (const [index, piece] of text.split('\n').entries()) {
        if (index > 0) {
          if (!isLineOpen) out(gutter.trimEnd())
          out('\n')
          isLineOpen = false
        }
        if (piece === '') continue
        if (!isLineOpen) out(gutter)
        out(style === undefined ? piece : paint(style, piece))
        isLineOpen = true
      }
    },
    end() {
      if (isLineOpen) out('\n')
      isLineOpen = false
    },
    line(gutter, text) {
      this.end()
      out(`${gutter}${text}\n`)
    },
  }
}

/** What a model writes must not steer the terminal. */
function plain(text) {
  return text.replace(/[^\P{Cc}\t\n]/gu, '�')
}

/** Colours where they can be seen, and nowhere else. */
function paint(style, text) {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text
}

/** What the recorded answer comes to, however it was cut. */
function judge() {
  const [file, search, command] = handler.getAllInvocations()
  assert.deepEqual(approvals, [{ id: 'seg_2', name: 'write_file' }, { id: 'seg_6', name: 'run_bash' }])
  assert.equal(file.arguments.content, shown.get('seg_2').content)
  assert.match(file.arguments.content, /^"""Counts .*<\/arg>.*"none" if n < 1 .*\n$/s)
  assert.deepEqual(search.arguments, { query: 'calls & arguments, <arg>', limit: 3, folders: ['notes', 'drafts/2026'] })
  assert.equal(command.arguments.command, 'python3 tools/count_args.py < tests/call.xml && git status --short')
  assert.deepEqual(refused.map(({ code, segmentId }) => [code, segmentId]), [['unterminated', 'seg_8']])
  assert.equal(shown.get('seg_8').content, 'git rm -r legacy/ && rm -rf bu')
  assert.equal(handler.getAllInvocations().length, 3)
}
