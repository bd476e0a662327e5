// membrane's streaming loop with this package's IncrementalXmlParser in the
// place of membrane's own.
//
// In prefill mode a request ends at a stop sequence: the closing tag of the
// calls, or the name of the next speaker. A speaker's name inside a block is a
// false stop: the model is quoting. Then the sequence is put back and the model
// goes on from there.
import assert from 'node:assert/strict'
import { IncrementalXmlParser, hasUnclosedXmlBlock } from 'tokenweir'

/** What the model writes, request by request, and the stop sequence that ended each. */
const requests = [
  { chunks: ['Let me check. <thin', 'king>The log says:\n'], stop: 'User:' },
  { chunks: [' is it cold?</thinking><function_', 'calls>\n<invoke name="search">\n<parameter name="query">weather', '</parameter>\n</invoke>\n'], stop: '</function_calls>' },
  { chunks: ['It is <b>cold</b>', ' today.\n'], stop: 'User:' },
]

const parser = new IncrementalXmlParser()
const blocks = []
let spoken = ''
let falseStops = 0
let toolRuns = 0

for (const { chunks, stop } of requests) {
  for (const chunk of chunks) take(parser.processChunk(chunk))
  if (stop === '</function_calls>' && parser.isInsideFunctionCalls()) {
    // The stop sequence is not part of what the model sent, but it closes the calls.
    take(parser.processChunk(stop))
    toolRuns += 1
    console.log('run the tools, and go on behind their results')
    // The results are context: they move the parser on and are not shown.
    parser.push('\n<function_results>\n<result>5 degrees</result>\n</function_results>\n')
    parser.resetForNewIteration()
  } else if (parser.isInsideBlock()) {
    falseStops += 1
    console.log(`false stop in ${parser.getContext()}: go on`)
    take(parser.processChunk(stop))
  } else break
}
take(parser.flush())

console.log(`spoken: ${JSON.stringify(spoken)}`)
for (const { type, content } of blocks) console.log(`${type}: ${JSON.stringify(content)}`)

assert.equal(falseStops, 1)
assert.equal(toolRuns, 1)
assert.equal(spoken, 'Let me check. It is <b>cold</b> today.\n')
assert.deepEqual(blocks.map(({ type }) => type), ['text', 'thinking', 'tool_call', 'text'])
assert.equal(blocks[1].content, 'The log says:\nUser: is it cold?')
assert.equal(hasUnclosedXmlBlock(parser.getAccumulated()), false)

function take({ emissions }) {
  for (const emission of emissions) {
    if (emission.kind === 'content' && emission.meta.visible) spoken += emission.text
    if (emission.kind === 'blockEvent' && emission.event.event === 'block_complete') blocks.push(emission.event.block)
  }
}
