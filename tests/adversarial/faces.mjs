// The APIs that the inputs are fed to, several for some parsers. Events are discarded where the API allows it.
import { BlockParser } from 'tokenweir/blocks'
import { IncrementalXmlParser } from 'tokenweir/membrane'
import { EditParser } from 'tokenweir/edits'
import { RJSON, RXML } from 'tokenweir/ai-sdk-tool-parser'
import { StreamingJSONParser } from 'tokenweir/fields'
import { StreamingParser } from 'tokenweir/segments'
import { ToolCallParser, hermesProtocol, morphXmlProtocol } from 'tokenweir/tool-calls'

const STRING = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } }
const TOOLS = [
  { type: 'function', name: 'write_file', inputSchema: STRING },
  { type: 'function', name: 'add', inputSchema: { type: 'object', properties: { a: {} } } },
]

/** The APIs that an input is fed to, by name: each makes a parser with `feed`, `finish` and the error codes it reported. */
export function facesOf({ frontEnd, protocol, open, unit }) {
  switch (frontEnd) {
    case 'block':
      return { BlockParser: () => blocks(new BlockParser()), IncrementalXmlParser: () => blocks(new IncrementalXmlParser()) }
    case 'segment': {
      const text = open + unit
      const found = [['xml', /<(?:tool|write_file|run_bash)/], ['json', /^[[{]|\{"/], ['sentinel', /\[\[SEG/]].filter(([, front]) => front.test(text)).map(([name]) => name)
      const strategy = found.length === 1 ? found[0] : 'all'
      return { [strategy]: () => segments(strategy) }
    }
    case 'edit':
      return { EditParser: () => edits(new EditParser()) }
    case 'field':
      return { boundary: () => fields({ completion: 'boundary' }), order: () => fields({ completion: 'order' }) }
    case 'tool_call':
      return { [protocol]: () => toolCalls(protocol === 'morph' ? morphXmlProtocol() : hermesProtocol()) }
    case 'rjson':
      return { parse: () => whole((text) => RJSON.parse(text)) }
    case 'rxml':
      return { parse: () => whole((text) => RXML.parse(text)) }
  }
}

function blocks(parser) {
  return { feed: (chunk) => void parser.processChunk(chunk), finish: () => void parser.flush(), codes: new Set() }
}

function segments(strategy) {
  const codes = new Set()
  const parser = new StreamingParser({ ...(strategy === 'all' ? { strategyOrder: ['xml_tag', 'json_tool', 'sentinel'] } : { strategy }), onError: ({ code }) => codes.add(code) })
  return { feed: (chunk) => void parser.feed(chunk), finish: () => void parser.finalize(), codes }
}

function edits(parser) {
  const codes = new Set()
  const take = (events) => events.forEach(({ type, code }) => type === 'malformed' && codes.add(code))
  return { feed: (chunk) => take(parser.feed(chunk)), finish: () => take(parser.finish()), codes }
}

/** The order mode emits no error events: both modes have the errors in their report. */
function fields(options) {
  const codes = new Set()
  const parser = new StreamingJSONParser(null, options)
  return {
    feed: (chunk) => void parser.parseChunk(chunk),
    finish() {
      parser.finalize()
      for (const code of Object.keys(parser.report.errors)) codes.add(code)
    },
    codes,
  }
}

function toolCalls(protocol) {
  const codes = new Set()
  const parser = new ToolCallParser({ protocol, tools: TOOLS, options: { onError: (_, { dropReason }) => codes.add(dropReason) } })
  return { feed: (chunk) => void parser.text(chunk), finish: () => void parser.finish(), codes }
}

/** For readers of whole texts: the chunks are joined first, outside the measurement. */
function whole(parse) {
  const codes = new Set()
  const pieces = []
  return {
    feed: (chunk) => void pieces.push(chunk),
    finish() {
      const text = pieces.join('')
      pieces.length = 0
      try {
        parse(text)
      } catch (error) {
        codes.add(error.code ?? error.name)
      }
    },
    codes,
    isWhole: true,
  }
}
