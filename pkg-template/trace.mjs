// Shows what a parser does with each chunk of a text: the events, what JavaScript
// buffers, and what changed in the machine's state.
//
//     npm run trace -- FILE --parser blocks                      a chunk for each UTF-16 unit
//     npm run trace -- - --parser fields --chunk 16              standard input, 16 units a chunk
//     npm run trace -- FILE --parser tool-calls --tools add,get  elements with these names, not JSON in <tool_call>
//     npm run trace -- FILE --parser segments --no-build         with the last debug build
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { inspect as written, isDeepStrictEqual, parseArgs } from 'node:util'
import { inside, startDebug } from './debug.mjs'

const USAGE = 'npm run trace -- FILE --parser blocks|fields|segments|tool-calls [--chunk N] [--tools NAME,NAME] [--no-build]'

/** For each parser: the name of its machine, of its modes, and how to make it; `feed` and `end` give events. */
const PARSERS = {
  blocks: {
    machine: 'block',
    modes: 'BlockMode',
    async make() {
      const { BlockParser } = await inside('entry/blocks.js')
      let calls = 0
      const parser = new BlockParser({ generateId: () => `call_${++calls}` })
      const { feed } = parser.reading
      // What was cut from the last chunk waits for the next one.
      const buffered = () => ({ waiting: feed.cut, mode: feed.mode })
      return { feed: (chunk) => parser.processChunk(chunk).emissions, end: () => parser.flush().emissions, buffered }
    },
  },
  fields: {
    machine: 'field',
    modes: 'FieldMode',
    async make() {
      const { StreamingJSONParser } = await inside('entry/fields.js')
      const parser = new StreamingJSONParser()
      return { feed: (chunk) => parser.parseChunk(chunk), end: () => parser.finalize() }
    },
  },
  segments: {
    machine: 'segment',
    modes: 'SegmentMode',
    async make() {
      const { StreamingParser } = await inside('entry/segments.js')
      const parser = new StreamingParser({ strategyOrder: ['xml_tag', 'json_tool', 'sentinel'] })
      return { feed: (chunk) => parser.feed(chunk), end: () => parser.finalize() }
    },
  },
  'tool-calls': {
    machine: 'format',
    modes: 'FormatMode',
    async make(names) {
      const { ToolCallParser, hermesProtocol, morphXmlProtocol } = await inside('entry/tool-calls.js')
      let ids = 0
      const tools = (names ?? []).map((name) => ({ name, inputSchema: { type: 'object' } }))
      const protocol = names === undefined ? hermesProtocol() : morphXmlProtocol()
      const parser = new ToolCallParser({ protocol, tools, options: { generateId: (kind) => `${kind}_${++ids}` } })
      return { feed: (chunk) => parser.text(chunk), end: () => parser.finish() }
    },
  },
}

await main()

async function main() {
  const { parser, chunk, tools, build, file } = readArguments()
  if (build) makeDebug()
  const { inspect } = await startDebug()
  const modes = (await inside('generated/ops.js'))[parser.modes]
  const reader = await watchReader()
  const text = readFileSync(file === '-' ? 0 : file, 'utf8')
  const { feed, end, buffered } = await parser.make(tools)
  let before = inspect(parser.machine)
  const show = (what, events) => {
    console.log(what)
    for (const event of events) console.log(`  event    ${oneLine(event)}`)
    const { waiting = '', mode } = { ...reader(), ...buffered?.() }
    console.log(`  buffered ${oneLine(reader().pending)}${waiting === '' ? '' : `, waiting ${oneLine(waiting)}`}; mode ${modes[mode]}`)
    const state = inspect(parser.machine)
    for (const [place, value] of changes(before, state)) console.log(`  machine  ${place} = ${oneLine(value)}`)
    before = state
  }
  for (let at = 0; at < text.length; at += chunk) {
    const part = text.slice(at, at + chunk)
    show(oneLine(part), feed(part))
  }
  show('end', end())
}

function readArguments() {
  try {
    const options = { parser: { type: 'string' }, chunk: { type: 'string', default: '1' }, tools: { type: 'string' }, 'no-build': { type: 'boolean' } }
    const { values, positionals } = parseArgs({ args: argv.slice(2), options, allowPositionals: true })
    const chunk = Number(values.chunk)
    if (positionals.length !== 1 || !Object.hasOwn(PARSERS, values.parser ?? '') || !(Number.isInteger(chunk) && chunk > 0)) throw new Error('trace takes one file, a parser, and chunks of at least one unit')
    return { parser: PARSERS[values.parser], chunk, tools: values.tools?.split(','), build: !values['no-build'], file: positionals[0] }
  } catch ({ message }) {
    console.error(`${message}\n${USAGE}`)
    exit(2)
  }
}

/** Makes the debug package; what is printed of it is no part of the trace. */
function makeDebug() {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { status } = spawnSync('cargo', ['xtask', 'build', '--debug'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) exit(1)
}

/** Gives what the reader buffers that was used last: parsers keep theirs to themselves. */
async function watchReader() {
  const { StreamReader } = await inside('stream-reader.js')
  let last
  const { read } = StreamReader.prototype
  StreamReader.prototype.read = function (chunk) {
    last = this
    return read.call(this, chunk)
  }
  return () => (last === undefined ? { pending: '', mode: 0 } : { pending: last.text.far + last.text.near + last.text.half, mode: last.mode })
}

/** The places in a state whose values changed, each with its value. */
function* changes(before, after, place = '') {
  if (isDeepStrictEqual(before, after)) return
  if (!areAlike(before, after)) return yield [place, after]
  for (const key of Object.keys(after)) yield* changes(before[key], after[key], place === '' ? key : `${place}.${key}`)
}

/** Whether both are structs, or the same variant of an enum. */
function areAlike(before, after) {
  const keys = [before, after].map((value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : undefined))
  return keys[0] !== undefined && isDeepStrictEqual(keys[0], keys[1])
}

function oneLine(value) {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'bigint' ? String(value) : written(value, { breakLength: Infinity, compact: true, depth: null })
}
