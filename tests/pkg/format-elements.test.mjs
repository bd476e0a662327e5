// Bodies of elements and YAML in wire formats: what an independent reader of whole texts
// gives, whole and at every cut, for seeded texts and schemas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolCallParser } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { loadRows } from '../formats/rows.mjs'
import { random } from './support/cuts.mjs'
import { readReply } from './support/format-naive.mjs'

const rows = loadRows()
const SEEDS = 400

/** What a row's parser gives for the chunks of a text. */
function read(row, chunks, tools) {
  const parser = new ToolCallParser({ format: row, tools: tools.map(({ name, parameters }) => ({ name, inputSchema: parameters })) })
  const parts = [...chunks.flatMap((chunk) => parser.text(chunk)), ...parser.finish()]
  const text = parts.filter(({ type }) => type === 'text-delta').map(({ delta }) => delta).join('')
  const inputs = new Map()
  for (const part of parts) if (part.type === 'tool-input-delta') inputs.set(part.id, (inputs.get(part.id) ?? '') + part.delta)
  const calls = parts.filter(({ type }) => type === 'tool-call')
  for (const { toolCallId, input } of calls) assert.equal(inputs.get(toolCallId), input, 'the deltas of a call are its input')
  return { calls: calls.map(({ toolName, input }) => ({ name: toolName, arguments: JSON.parse(input) })), text }
}

/** The same by the independent reader. */
function naive(row, text, tools) {
  const reply = readReply(text, { row, tools })
  return { calls: JSON.parse(JSON.stringify(reply.calls.map(({ name, arguments: input }) => ({ name, arguments: input })))), text: reply.text }
}

const spaceless = ({ calls, text }) => ({ calls, text: text.replace(/\s+/g, '') })

function checkCuts(row, text, tools) {
  const whole = read(row, [text], tools)
  for (let at = 1; at < text.length; at += 1) assert.deepEqual(read(row, [text.slice(0, at), text.slice(at)], tools), whole, `cut at ${at}: ${JSON.stringify(text)}`)
  assert.deepEqual(read(row, [...text], tools), whole)
  return whole
}

const NAMES = ['a', 'b', 'item', 'message', 'k', 'zz']
const TEXTS = ['1', '007', '-2.5', 'true', 'null', 'x', ' ', '\n', 'a b', '&lt;', '&#65;', '<', '</', '[1,2]', '{"a":1}', 'é😀', '</p>', '<p>', '</a>', '<item>', '__proto__', '12345678901234567890']
const VALUES = ['1', 'yes', 'null', '"q"', "'x: y'", '[1, 2]', '{a: 1}', '|\n  line\n  </f>', '\n  - 1\n  - x', '\n  a: 1\n  k: 2', 'text # c', '~', '', 'a: b', '</f> x']
const PARTS = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  {},
  { type: 'array', items: { type: 'integer' } },
  { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' }, k: { type: 'string' } } } },
  { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'array', items: { type: 'number' } }, k: { type: 'string' } } },
  { type: 'object' },
]

/** Seeded texts of calls, with what breaks them now and then. */
class Texts {
  constructor(seed) {
    this.below = random(seed)
  }

  one(list) {
    return list[this.below(list.length)]
  }

  is(percent) {
    return this.below(100) < percent
  }

  some(most, make) {
    return Array.from({ length: this.below(most + 1) }, make).join('')
  }

  space() {
    return this.one(['', '', ' ', '\n', '\n  '])
  }

  tool(name) {
    return { name, parameters: this.is(10) ? undefined : { type: 'object', properties: Object.fromEntries(NAMES.filter(() => this.is(60)).map((key) => [key, this.one(PARTS)])) } }
  }

  element(prefix, depth) {
    const name = this.one(NAMES)
    const inside = depth > 0 && this.is(40) ? this.some(3, () => this.space() + this.element(prefix, depth - 1)) + this.space() : this.some(3, () => this.one(TEXTS))
    return `${prefix}<${name}>${inside}${this.is(4) ? '' : `${prefix}</${this.is(3) ? this.one(NAMES) : name}>`}`
  }

  call(id) {
    const prefix = id === 'minimax-m3' ? ']<]minimax[>[' : ''
    const name = this.one(['f', 'g'])
    const isYaml = id === 'yaml-xml' && this.is(85)
    const body = isYaml ? `\n${this.some(4, () => `${this.one(NAMES)}: ${this.one(VALUES)}\n`)}` : this.some(3, () => this.space() + (this.is(4) ? this.one(TEXTS) : this.element(prefix, 2)))
    if (prefix !== '') return `${prefix}<tool_call>${prefix}<invoke name="${name}">${body}${prefix}</invoke>${prefix}</tool_call>`
    return `<${name}>${body}${isYaml ? '' : this.space()}</${name}>`
  }

  reply(id) {
    const text = this.some(3, () => this.one(['', 'hi ', '\n```\n', '\nf\n']) + this.call(id)) + this.one(['', ' end'])
    return this.is(20) ? text.slice(0, this.below(text.length + 1)) : text
  }
}

for (const id of ['cline', 'morph-xml', 'yaml-xml', 'minimax-m3']) {
  test(`${id}: seeded texts are read as an independent reader reads them`, () => {
    const row = withYaml(rows.get(id))
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const texts = new Texts(seed * 7919)
      const tools = [texts.tool('f'), texts.tool('g')]
      const text = texts.reply(id)
      const about = `seed ${seed}: ${JSON.stringify(text)} ${JSON.stringify(tools)}`
      assert.deepEqual(spaceless(read(row, [text], tools)), spaceless(naive(row, text, tools)), about)
      if (seed % 20 === 0) checkCuts(row, text, tools)
    }
  })
}

test('without a reader of YAML the error says what is missing', () => {
  const errors = []
  const parser = new ToolCallParser({ format: rows.get('yaml-xml'), tools: [{ name: 'f' }], onError: (message) => errors.push(message) })
  const parts = [...parser.text('<f>\na: 1\n</f>'), ...parser.finish()]
  assert.equal(parts.filter(({ type }) => type === 'tool-call').length, 0)
  assert.match(errors[0], /withYaml of tokenweir\/ai-sdk-tool-parser/)
})
