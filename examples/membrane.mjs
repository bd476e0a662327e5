// A whole agent turn in prefill mode, as membrane runs it: stream a reply, parse its
// calls, execute them, format the results, and continue after them. The loop is
// written as in membrane; the imports change, and the parser looks for stop sequences itself:
//
//     -import { IncrementalXmlParser } from './utils/stream-parser.js'
//     -import { formatToolResults, parseAccumulatedIntoBlocks, parseToolCalls } from './utils/tool-parser.js'
//     +import { IncrementalXmlParser, formatToolResults, parseAccumulatedIntoBlocks, parseToolCalls } from 'tokenweir/membrane'
//
//     node examples/membrane.mjs
//
// A request ends at a stop sequence, which is not part of the model's text: the
// closing tag of the calls, or the name of the next speaker. A speaker's name
// inside an open block is a false stop, because the model quotes it. Then the
// loop puts the sequence back, and the model continues from there.
import { IncrementalXmlParser, formatToolResults, parseAccumulatedIntoBlocks, parseToolCalls } from 'tokenweir/membrane'

const END_OF_CALLS = '</function_calls>'
const stops = [END_OF_CALLS, '\nUser:']
const context = 'User: Is it cold in Zürich?\nBot:'

/** The provider's answers, request by request. The last one misses a stop sequence. */
const answers = [
  { chunks: [' Let me check. <thin', 'king>The log says:'], stop: '\nUser:' },
  { chunks: [' is it cold?</thinking><function_', 'calls>\n<invoke name="weather">\n<parameter name="city">Zür', 'ich</parameter>\n</invoke>\n<invoke name="radar"/>\n'], stop: END_OF_CALLS },
  { chunks: ['It is <b>cold</b>: 5 < 7', ' degrees.\nUser: Thanks', '. And tomorrow?'] },
]

const tools = {
  weather: ({ city }) => `5 degrees in ${city}, wind < 10 km/h`,
  radar: () => {
    throw new Error('the radar is off')
  },
}

/** Sends a request that ends with `prefill`; calls back with chunks, returns the stop sequence. */
async function streamOnce(prefill, onChunk) {
  const { chunks, stop } = answers.shift()
  for (const chunk of chunks) onChunk(chunk)
  return stop
}

/** Executes a call. A failure is a result too: the model reads it. */
async function execute({ id, name, input }) {
  console.log(`run    ${name} ${JSON.stringify(input)}`)
  try {
    if (!Object.hasOwn(tools, name)) throw new Error(`there is no tool ${name}`)
    return { toolUseId: id, content: tools[name](input) }
  } catch ({ message }) {
    return { toolUseId: id, content: message, isError: true }
  }
}

let spoken = ''
function onChunk(text, meta) {
  if (meta.visible) spoken += text
  console.log(`${meta.visible ? 'show ' : 'hide '}  ${meta.blockIndex} ${JSON.stringify(text)}`)
}
function onBlock({ event, index, block }) {
  if (event === 'block_complete') console.log(`done   ${index} ${block.type}`)
}

let overlooked
const parser = new IncrementalXmlParser({ stopSequences: stops, stopIn: 'anywhere' })
parser.push(context)
parser.endHistory()
// Tags that others left open in the context were not opened by the model.
const inherited = parser.getDepths()

for (let request = 1; request <= 10; request += 1) {
  overlooked = undefined
  const stop = await streamOnce(parser.getAccumulated(), (chunk) => emit(parser.processChunk(chunk).emissions))
  emit(parser.flush().emissions)

  const reason = stop ?? overlooked
  if (reason === END_OF_CALLS) parser.push(END_OF_CALLS)
  const calls = reason === END_OF_CALLS ? (parseToolCalls(parser.getAccumulated(), { historyLength: context.length })?.calls ?? []) : []
  if (calls.length > 0) {
    const results = await Promise.all(calls.map(execute))
    parser.push(`\n${formatToolResults(results)}\n`)
    // The results are a separate block, which the loop emits, not the parser.
    onBlock({ event: 'block_complete', index: parser.getBlockIndex(), block: { type: 'tool_result' } })
    parser.incrementBlockIndex()
  } else if (reason !== undefined && isDeeper(parser.getDepths(), inherited)) {
    console.log(`resume in ${parser.getContext()}`)
    if (reason !== END_OF_CALLS) parser.push(reason)
  } else break
  parser.resetForNewIteration()
}

console.log(`spoken ${JSON.stringify(spoken)}`)
console.log(`sent   ${parser.getAccumulated().length} characters, ${parser.isInsideBlock() ? 'a block is open' : 'no block is open'}`)
// What a program stores. Calls and results carry the XML as written, for the next prefill.
for (const block of parseAccumulatedIntoBlocks(turn()).blocks) {
  const { type, text, thinking, name, input, content } = block
  console.log(`store  ${type} ${JSON.stringify(text ?? thinking ?? (name && { [name]: input }) ?? content)}`)
}

/** The text of this turn: the model's, and the results. */
function turn() {
  return parser.getAccumulated().slice(context.length)
}

/** In order. After a stop that the provider missed, nothing comes. */
function emit(emissions) {
  for (const emission of emissions) {
    if (emission.kind === 'content') onChunk(emission.text, emission.meta)
    else if (emission.event.event === 'stop') overlooked = emission.event.sequence
    else onBlock(emission.event)
  }
}

function isDeeper(depths, than) {
  return Object.keys(depths).some((kind) => depths[kind] > than[kind])
}
