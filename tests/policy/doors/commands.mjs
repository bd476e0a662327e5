// The command line: a text goes in by standard input, objects come out, a line each. A program starts for each text, so
// a few formats stand for all, and each is asked a few rules: what is asked here is whether a command reads as its parser does.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { json } from '../../pkg/support/command-line.mjs'
import { valueOf } from '../json.mjs'
import { TOOLS } from '../tools.mjs'
import blocks from './blocks.mjs'
import rows from './rows.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tokenweir-policy-'))
after(() => rmSync(folder, { recursive: true }))

/** The option of tools; a file of them for each list. */
const files = new Map()
function given(tools) {
  const text = JSON.stringify(tools)
  if (tools.length === 0) return []
  if (!files.has(text)) {
    files.set(text, join(folder, `${files.size}.json`))
    writeFileSync(files.get(text), text)
  }
  return ['--tools', files.get(text)]
}

async function readCalls(format, text, { tools = TOOLS }) {
  const parts = await json(['tool-calls', '--format', format, ...given(tools)], text)
  const joined = (type) => parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join('')
  return {
    text: joined('text-delta'),
    reasoning: joined('reasoning-delta'),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, valueOf(part.input)]] : [])),
    problems: parts.flatMap(({ type, metadata = {} }) => (type === 'error' ? [metadata.code ?? metadata.dropReason] : [])),
    repairs: parts.flatMap(({ type, repairs }) => (type === 'repair' ? repairs : [])),
  }
}

async function readBlocks(text, { tools = TOOLS }) {
  const emissions = await json(['blocks', ...given(tools)], text)
  const whole = emissions.flatMap(({ event }) => (event?.event === 'block_complete' ? [event.block] : []))
  const of = (wanted) => emissions.flatMap(({ kind, text, meta }) => (kind === 'content' && meta.type === wanted ? [text] : [])).join('')
  const calls = whole.flatMap(({ type, toolName, input, incomplete, insideThinking }) => (type === 'tool_call' && input !== undefined && !incomplete && !insideThinking ? [[toolName, input]] : []))
  return { text: of('text'), reasoning: of('thinking'), calls, problems: [], repairs: whole.flatMap(({ repairs = [] }) => repairs) }
}

const common = { family: 'commands', cuts: 'none', together: 4, open: undefined, whole: undefined }
const ofRow = (id, asked) => ({ ...rows.find(({ name }) => name === `row ${id}`), ...common, name: `tool-calls --format ${id}`, asked, read: ([text], more) => readCalls(id, text, more) })
const { write, thinking } = blocks.find(({ name }) => name === 'BlockParser')

export default [
  ofRow('hermes', [1, 2, 10, 11, 12]),
  ofRow('qwen3-coder', [4]),
  ofRow('kimi-k2', [8]),
  { ...common, name: 'blocks', body: 'blocks', write, thinking, asked: [1, 7, 15], read: ([text], more) => readBlocks(text, more) },
  { ...common, name: 'visible', body: 'blocks', write, thinking, asked: [16], onlyText: true, read: async ([text]) => ({ text: (await json(['visible'], text)).map(({ text }) => text).join('') }) },
]
