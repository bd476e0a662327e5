/**
 * Answers with one tool call, in each protocol of the tool-call parser, and the arguments of the call.
 *
 * The arguments are one long string, a file to write, or an array of small objects. A file is source code that
 * keeps a parser busy: `<` and `&` that start nothing, quotes, backslashes, brackets, and in one line of twenty some
 * non-ASCII characters. No tags: @ai-sdk-tool/parser sometimes mistakes tags inside an argument for its own.
 */

import { stringify } from 'yaml'
import { random, WORDS } from './corpus.mjs'

const FOREIGN = ['café', 'naïve', 'Zürich', '東京', '天気予報', 'Привет', '🙂', '🚀', '—']
const CODE = [
  'if (a < b && b <= c) {', '}', 'for (let i = 0; i < n; i++) {', 'return x << 4', 'const s = "a\\tb\\n"', "print('done')",
  'cout << x;', 'a &= b & 0xff', 'const pairs = [[1, 2], [3]]', '{ "key": "value", "n": [1, 2] }', 'while (x > 0 || y >= 1) x--',
]

function writer(seed) {
  const next = random(seed)
  const below = (n) => Math.floor(next() * n)
  const pick = (list) => list[below(list.length)]
  const words = (count) => Array.from({ length: count }, () => pick(WORDS)).join(' ')
  return { below, next, pick, words }
}

/** About `size` units of code, without white space at the ends, which not all formats keep. */
function code(size, seed) {
  const { below, next, pick, words } = writer(seed)
  const lines = []
  let length = 0
  while (length < size) {
    const indent = '  '.repeat(below(4))
    let line = `${indent}${pick(WORDS)}_${pick(WORDS)} = ${words(1 + below(4))}(${below(1000)})\n`
    if (next() < 0.4) line = `${indent}${pick(CODE)}\n`
    else if (next() < 0.05) line = `${indent}// ${words(3)} ${pick(FOREIGN)} ${words(2)}\n`
    lines.push(line)
    length += line.length
  }
  return lines.join('').trim()
}

/** Objects whose JSON is about `size` units. */
function rows(size, seed) {
  const { below, next, words } = writer(seed)
  const all = []
  for (let length = 0; length < size; length += JSON.stringify(all.at(-1)).length + 1) {
    all.push({ id: all.length + 1, name: words(1 + below(3)), price: below(100_000) / 100, ok: next() < 0.5 })
  }
  return all
}

/** The tools' schemas are like those that AI SDK users write with zod: no additional properties. */
function tool(name, description, properties) {
  const inputSchema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  return { type: 'function', name, description, inputSchema }
}

const ROW = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, price: { type: 'number' }, ok: { type: 'boolean' } },
  required: ['id', 'name', 'price', 'ok'],
  additionalProperties: false,
}

/** The model's tools. One of them is called. */
export const TOOLS = [
  tool('get_weather', 'Weather of a city', { city: { type: 'string' }, days: { type: 'integer' } }),
  tool('write_file', 'Writes a file', { path: { type: 'string' }, content: { type: 'string' } }),
  tool('save_rows', 'Saves rows in a table', { table: { type: 'string' }, rows: { type: 'array', items: ROW } }),
]

/** The shapes of arguments, by name. */
export const SHAPES = {
  string: { label: 'one long string', name: 'write_file', make: (size, seed) => ({ path: 'src/app.py', content: code(size, seed) }) },
  rows: { label: 'an array of objects', name: 'save_rows', make: (size, seed) => ({ table: 'prices', rows: rows(size, seed) }) },
}

/** An element for each entry, repeated for each further element of an array. */
function elements(object) {
  let text = ''
  for (const [key, value] of Object.entries(object)) {
    for (const one of Array.isArray(value) ? value : [value]) text += `<${key}>${typeof one === 'object' ? elements(one) : one}</${key}>`
  }
  return text
}

/** A parameter for each entry; what is no string is JSON. */
function parameters(object) {
  return Object.entries(object).map(([key, value]) => `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`).join('')
}

/** How each protocol writes a call. */
const CALLS = {
  hermes: (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  morph: (name, args) => `<${name}>${elements(args)}</${name}>`,
  'qwen3-coder': (name, args) => `<tool_call>\n<function=${name}>\n${parameters(args)}</function>\n</tool_call>`,
  yaml: (name, args) => `<${name}>\n${stringify(args, { lineWidth: 0 })}</${name}>`,
}

/** An answer whose call's text is about `size` units: `{ text, name, args }`. */
export function answer(protocol, shape, size, seed = 1) {
  const { name, make } = SHAPES[shape]
  // JSON needs escapes, and XML an additional tag per value: the overhead is measured with arguments of that size.
  const first = make(size, seed)
  const args = make(Math.ceil(size ** 2 / CALLS[protocol](name, first).length), seed)
  return { text: `I do it now.\n${CALLS[protocol](name, args)}\nDone.`, name, args }
}
