// Qwen3-Coder's calls in the spellings of `docs/internals/tool-calls.md`, compared with `@ai-sdk-tool/parser`: with the
// one that is installed, or with a build of 5.1.6, which npm doesn't have, if TOOL_PARSER names its module. Only texts count for
// which its whole-text parser and its stream parser, in one piece and in single characters, agree.
//
//     TOOL_PARSER=/path/to/index.js npm run test:oracles -- --only qwen
import { env } from 'node:process'
import { ToolCallParser, parseToolCalls } from 'tokenweir/tool-calls'
import { qwen3CoderProtocol } from 'tokenweir/ai-sdk'
import { random } from '../pkg/support/cuts.mjs'
import { readAtCuts } from './choices.mjs'

const { qwen3CoderProtocol: referenceProtocol } = await import(env.TOOL_PARSER ?? '@ai-sdk-tool/parser')
/** Whether it reads elements, and values in tags of their own. */
const isNewest = env.TOOL_PARSER !== undefined
const reference = referenceProtocol()
const protocol = qwen3CoderProtocol({ reasoning: 'search' })

const string = { type: 'string' }
const properties = { x: string, n: { type: 'number' }, l: { type: 'array', items: string } }
const TOOLS = [{ type: 'function', name: 'a', inputSchema: { type: 'object', properties } }, { type: 'function', name: 'now', inputSchema: { type: 'object', properties: {} } }]

const VALUES = { x: ['1', 'two words', '\nline\n', '<b>x</b>', 'a < b', '&lt;', '{"a": 1}', '<value>q</value>', '<![CDATA[q]]>', 'C:\\d'], n: ['7', ' 7 ', '\n-2.5\n', '<value>7</value>'], l: ['p', '1', '["p", "q"]', '\n["p"]\n'] }

const pick = (next, list) => list[next(list.length)]

/** A tag's name with what it is called: `=`, or an attribute. */
function named(next, tag, name) {
  const quoted = pick(next, [name, `"${name}"`, `'${name}'`])
  return next(2) === 0 ? `<${tag}${pick(next, ['', '', ' '])}=${pick(next, ['', '', ' '])}${quoted}` : `<${tag} name=${pick(next, [`"${name}"`, `'${name}'`])}`
}

function argument(next) {
  const key = pick(next, ['x', 'n', 'l'])
  const value = pick(next, VALUES[key].filter((text) => isNewest || !text.startsWith('<value>')))
  if (isNewest && next(4) === 0) {
    const tag = pick(next, [key, key.toUpperCase()])
    return `<${tag}>${value}</${tag}>`
  }
  const tag = pick(next, ['parameter', 'parameter', 'param', 'argument', 'arg'])
  return `${named(next, tag, key)}>${value}</${tag}>`
}

function call(next) {
  const layout = pick(next, ['', '\n'])
  const args = Array.from({ length: next(4) }, () => argument(next))
  const tag = pick(next, ['function', 'function', 'call', 'tool', 'invoke'])
  if (next(8) === 0) return { text: `${named(next, tag, pick(next, ['a', 'now']))}${pick(next, ['/>', ' />'])}`, isBare: true }
  if (next(5) === 0 && args.length > 0) {
    const name = pick(next, ['<name>a</name>', '<tool_name>a</tool_name>', '<function>a</function>', 'a\n'])
    return { text: [name, ...args].join(layout), isBare: false }
  }
  return { text: `${named(next, tag, 'a')}>${layout}${args.join(layout)}${layout}</${tag}>`, isBare: true }
}

const PROSE = ['Hello. ', 'a < b ', '`code` ', '\n']

function textOf(next) {
  const pieces = Array.from({ length: 1 + next(3) }, () => {
    const { text, isBare } = call(next)
    const whole = isBare && next(3) === 0 ? text : `<tool_call>${pick(next, ['', '\n'])}${text}${pick(next, ['', '\n'])}</tool_call>`
    return next(3) === 0 ? pick(next, PROSE) + whole : whole
  })
  const text = pieces.join('')
  return next(6) === 0 ? text.replace(/<\/?(tool_call|function|parameter)\b/g, (tag) => tag.toUpperCase()) : text
}

export const qwen = {
  name: 'qwen',
  count: 1_000,

  async *documents(seed, count) {
    const next = random(seed)
    for (let made = 0; made < count; ) {
      const text = textOf(next)
      const theirs = await readByReference(text)
      if (theirs === undefined) continue
      yield { text, theirs }
      made += 1
    }
  },

  complete: (texts) => Promise.all(texts.map(async (text) => ({ text, theirs: (await readByReference(text)) ?? 'its own readings differ' }))),

  compare({ text, theirs }) {
    const whole = shown(parseToolCalls(text, { protocol, tools: TOOLS }))
    readAtCuts(text, (chunks) => {
      const parser = new ToolCallParser({ protocol, tools: TOOLS })
      return shown([...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()])
    }, whole)
    return { ours: whole, theirs }
  },

  rules: {
    // Each value has the type of its schema, one value of a list is a list, and lists are one; there some stay texts.
    typed: (_, { ours, theirs }) => untyped(ours) === untyped(theirs),
  },
}

/** An answer whose values are texts, and whose lists of one value are that. */
function untyped(answer) {
  if (!answer.startsWith('[')) return answer
  const textsOf = (value) => (Array.isArray(value) ? value.flatMap(textsOf) : /^\s*\["/.test(value) ? textsOf(JSON.parse(value)) : [String(value).trim()])
  const [text, calls] = JSON.parse(answer)
  return JSON.stringify([text, calls.map(([name, input]) => [name, Object.entries(input).map(([key, value]) => [key, textsOf(value)])])])
}

/** Calls and text, without white space, which is layout in a row. */
function shown(parts) {
  const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : part.type === 'text' ? part.text : '')).join('')
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, JSON.parse(part.input)]] : []))
  return JSON.stringify([text.replace(/\s+/g, ''), calls])
}

/** What the reference reads; undefined if its own parsers disagree. */
async function readByReference(text) {
  const whole = shown(reference.parseGeneratedText({ text, tools: TOOLS, options: {} }))
  for (const chunks of [[text], [...text]]) if (shown(await streamed(chunks)) !== whole) return undefined
  return whole
}

async function streamed(chunks) {
  const parts = [{ type: 'text-start', id: '1' }, ...chunks.map((delta) => ({ type: 'text-delta', id: '1', delta })), { type: 'text-end', id: '1' }, { type: 'finish', finishReason: { unified: 'stop' }, usage: {} }]
  const read = []
  for await (const part of ReadableStream.from(parts).pipeThrough(reference.createStreamParser({ tools: TOOLS, options: {} }))) read.push(part)
  return read
}
