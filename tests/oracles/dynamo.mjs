// Wire formats compared with the parsers of NVIDIA's Dynamo (crate dynamo-parsers-v2) on random replies:
// calls as `writeCalls` writes them, with text around them, whole and cut.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { formats, writeCalls } from 'tokenweir/formats'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { choices, readAtCuts } from './choices.mjs'
import { exact } from './exact.mjs'

/** The formats, and what that crate calls them. */
const FAMILIES = { 'deepseek-v4': 'deepseek_v4', 'qwen3-coder': 'qwen3_coder', 'minimax-m2': 'minimax_m2', 'minimax-m3': 'minimax_m3', gemma4: 'gemma4', 'glm-4.7': 'glm47', 'kimi-k2': 'kimi_k2', 'kimi-k3': 'kimi_k3' }

const TOOLS = [
  { name: 'get_weather', parameters: { type: 'object', properties: { location: { type: 'string' }, days: { type: 'integer' }, exact: { type: 'boolean' } } } },
  { name: 'write', parameters: { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'string' } }, options: { type: 'object', properties: { mode: { type: 'string' }, at: { type: 'number' } } } } } },
]

const tools = TOOLS.map(({ name, parameters }) => ({ name, inputSchema: parameters }))

const TEXTS = ['Paris', 'I look it up.', 'a < b', '{', '}', '[1]', '"', 'é', '💩', '<b>x</b>', 'null', '42', ': ', ', ', ' ']

/** Text, calls, and perhaps an end that is missing. */
function document(seed, nth) {
  const { among, chance, many, below } = choices(seed, nth)
  const format = among(Object.keys(FAMILIES))
  const said = () => ['x', ...many(3, () => among(TEXTS)), 'y'].join('')
  const some = (properties) => Object.fromEntries(Object.entries(properties).filter(() => chance(2, 3)).map(([key, make]) => [key, make()]))
  const calls = many(2, () =>
    chance(1, 2)
      ? { toolName: 'get_weather', args: some({ location: said, days: () => below(9), exact: () => chance(1, 2) }) }
      : { toolName: 'write', args: some({ path: said, lines: () => [said(), ...many(2, said)], options: () => ({ mode: said(), at: among([0, -2.5, 7]) }) }) },
  )
  let text = (chance(1, 2) ? `${said()}\n` : '') + (calls.length > 0 ? writeCalls(calls, { format }) : '')
  if (chance(1, 3)) text = text.slice(0, below(text.length + 1)).replace(/[\ud800-\udbff]$/, '')
  return { format, text }
}

function readHere(format, chunks) {
  const parser = new ToolCallParser({ format, tools })
  const parts = [...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
  return exact(parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => ({ name: toolName, args: JSON.parse(input) })))
}

/** Replies with what the reference reads in them. */
function answered(documents) {
  if (documents.length === 0) return []
  const input = documents.map(({ format, text }) => `${JSON.stringify({ family: FAMILIES[format], text, tools: TOOLS })}\n`).join('')
  const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
  const { stdout, status, stderr } = spawnSync('cargo', ['run', '--quiet', '--manifest-path', path('dynamo/Cargo.toml'), '--target-dir', path('../../target/dynamo')], { input, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['pipe', 'pipe', 'pipe'] })
  if (status !== 0) throw new Error(`the reference ended with exit code ${status}:\n${stderr}`)
  const lines = stdout.trimEnd().split('\n').map((line) => JSON.parse(line))
  return documents.map((document, at) => ({ ...document, theirs: lines[at].error ?? exact(lines[at].calls) }))
}

export const dynamo = {
  name: 'formats-dynamo',
  isHeavy: true,
  count: 4_000,

  documents: (seed, count) => answered(Array.from({ length: count }, (_, nth) => document(seed, nth))),

  complete: answered,

  compare({ format, text, theirs }) {
    return { ours: readAtCuts(text, (chunks) => readHere(format, chunks)), theirs }
  },

  rules: {
    // A call that is closed is one, wherever the reply breaks off after it; there one without arguments is lost.
    'lost-empty-call': (_, { ours, theirs }) => hasMoreEmpty(ours, theirs),
    // A call without its closing marker isn't one; there one without arguments is.
    'open-empty-call': ({ format }, { ours, theirs }) => format === 'kimi-k2' && hasMoreEmpty(theirs, ours),
  },
}

/** Whether an answer has the calls of another and then more, all without arguments. */
function hasMoreEmpty(answer, other) {
  const [calls, others] = [answer, other].map((text) => JSON.parse(text))
  const more = calls.slice(others.length)
  return more.length > 0 && more.every(({ args }) => Object.keys(args).length === 0) && exact(calls.slice(0, others.length)) === exact(others)
}
