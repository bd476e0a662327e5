// What reads a model's text as blocks: the parsers, membrane's functions, and what shows text to people.
import { BlockParser, VisibleTextStream, visibleText } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { readReply } from 'tokenweir'
import { parseAccumulatedIntoBlocks, parseToolCalls } from 'tokenweir/membrane'
import { isDeepStrictEqual } from 'node:util'
import { all } from '../../pkg/support/sources.mjs'
import { valueOf } from '../json.mjs'
import { TOOLS } from '../tools.mjs'
import { declared, refusedIn } from './native.mjs'

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const invoke = (name, body) => `<function_calls>\n<invoke name="${name}">\n${body}\n</invoke>\n</function_calls>`
const parameter = (key, text) => `<parameter name="${key}">${text}</parameter>`
export const asText = (value) => (typeof value === 'string' ? escaped(value) : JSON.stringify(value))

const write = {
  call: (name, args) => invoke(name, Object.entries(args).map(([key, value]) => parameter(key, asText(value))).join('\n')),
  json: (name, text) => invoke(name, text),
  value: (name, key, text) => invoke(name, parameter(key, text)),
}

/** A call that a program would run. */
const isCall = (block) => block.type === 'tool_call' && !block.incomplete && !block.insideThinking && block.input !== undefined
const callsOf = (blocks) => blocks.filter(isCall).map(({ toolName, input }) => [toolName, input])

/** A call's chunks, which are its input as JSON, unless that was repaired. */
function requireSame(json, { input, repairs = [] }) {
  const isRepaired = repairs.some((name) => name !== 'repeated-argument')
  if (!isRepaired && !isDeepStrictEqual(valueOf(json), JSON.parse(JSON.stringify(input)))) throw new Error(`the chunks are ${json}, the input is ${JSON.stringify(input)}`)
}

/** What callbacks got. */
function readBlocks(pieces, tools, options) {
  const blocks = []
  const result = { text: '', reasoning: '', problems: [], repairs: [] }
  let json = ''
  const parser = new BlockParser({
    tools: declared(tools),
    ...options,
    onChunk(chunk, { type, toolCallPart }) {
      if (toolCallPart === 'id') json = ''
      if (toolCallPart === 'input') json += chunk
      if (type === 'text') result.text += chunk
      if (type === 'thinking') result.reasoning += chunk
    },
    onBlock({ event, block }) {
      if (event !== 'block_complete') return
      blocks.push(block)
      if (!isCall(block)) return
      requireSame(json, block)
      result.repairs.push(...(block.repairs ?? []))
    },
  })
  for (const piece of pieces) parser.processChunk(piece)
  parser.flush()
  return { ...result, blocks, refused: refusedIn(blocks), calls: callsOf(blocks) }
}

function readIncremental(pieces) {
  const parser = new IncrementalXmlParser()
  const results = [...pieces.map((piece) => parser.processChunk(piece)), parser.flush()]
  const emissions = results.flatMap((result) => result.emissions)
  const of = (wanted) => emissions.flatMap((emission) => (emission.kind === 'content' && emission.meta.type === wanted ? [emission.text] : [])).join('')
  const blocks = emissions.flatMap(({ event }) => (event?.event === 'block_complete' ? [event.block] : []))
  return { text: of('text'), reasoning: of('thinking'), calls: callsOf(blocks), blocks, problems: [], repairs: [] }
}

/** A reply that is a model's text. */
async function readWhole(pieces, tools, options) {
  const { text, thinking, toolCalls, blocks } = await readReply(ReadableStream.from(pieces), { tools: declared(tools), ...options }).result()
  return { text, reasoning: thinking, calls: toolCalls.map(({ toolName, args }) => [toolName, args]), blocks, refused: refusedIn(blocks), problems: [], repairs: [] }
}

/** A parser, as what takes pieces and gives events. */
const opened = (parser) => ({ feed: (piece) => parser.processChunk(piece).emissions, end: () => parser.flush().emissions })

const common = { family: 'blocks', body: 'blocks', thinking: ['<thinking>', '</thinking>'], write }

export default [
  { ...common, name: 'BlockParser', read: (pieces, { tools = TOOLS, options } = {}) => readBlocks(pieces, tools, options), open: ({ tools = TOOLS, options } = {}) => opened(new BlockParser({ tools: declared(tools), ...options })) },
  { ...common, name: 'IncrementalXmlParser', isDropIn: true, read: readIncremental, open: () => opened(new IncrementalXmlParser()) },
  {
    ...common,
    name: 'membrane functions',
    isDropIn: true,
    cuts: 'none',
    read(pieces, { tools = TOOLS } = {}) {
      const text = pieces.join('')
      const { blocks } = parseAccumulatedIntoBlocks(text, { tools: declared(tools) })
      const calls = parseToolCalls(text, { tools: declared(tools) })?.calls ?? []
      const of = (wanted) => blocks.flatMap((block) => (block.type === wanted ? [block.text ?? block.thinking ?? block.content] : [])).join('')
      return { text: of('text'), reasoning: of('thinking'), calls: calls.map(({ name, input }) => [name, input]), problems: [], repairs: [] }
    },
  },
  { ...common, name: 'readReply', cuts: 'few', read: (pieces, { tools = TOOLS, options } = {}) => readWhole(pieces, tools, options), events: (pieces, options) => all(readReply(ReadableStream.from(pieces), options)) },
  {
    ...common,
    name: 'visibleText',
    cuts: 'few',
    onlyText: true,
    events: (pieces, options) => all(visibleText(ReadableStream.from(pieces), options)),
    read: async (pieces, { options } = {}) => ({ text: (await all(visibleText(ReadableStream.from(pieces), options))).join('') }),
  },
  {
    ...common,
    name: 'VisibleTextStream',
    cuts: 'few',
    onlyText: true,
    events: (pieces, options) => all(ReadableStream.from(pieces).pipeThrough(new VisibleTextStream(options))),
    read: async (pieces, { options } = {}) => ({ text: (await all(ReadableStream.from(pieces).pipeThrough(new VisibleTextStream(options)))).join('') }),
  },
]
