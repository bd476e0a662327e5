// The segments of an agent's answer, by the handler: what it shows, and what it invokes.
import { StreamingParser, StreamingResponseHandler } from 'tokenweir/segments'
import { TOOLS } from '../tools.mjs'
import { asText } from './blocks.mjs'

const argument = (key, text) => `<arg name="${key}">${text}</arg>`
const tool = (name, args) => `<tool name="${name}">\n<arguments>\n${args}\n</arguments>\n</tool>`

const WRITING = {
  xml: {
    call: (name, args) => tool(name, Object.entries(args).map(([key, value]) => argument(key, asText(value))).join('\n')),
    json: (name, text) => tool(name, text),
    value: (name, key, text) => tool(name, argument(key, text)),
  },
  // A tool whose content streams, and the same as a tag of its own.
  state: { value: (name, key, text) => (key === 'command' ? `<tool name="run_bash">${argument(key, text)}</tool>` : undefined) },
  alone: { value: (name, key, text) => (key === 'command' ? `<run_bash>${text}</run_bash>` : undefined) },
  json: {
    call: (name, args) => `{"tool": {"function": ${JSON.stringify(name)}, "parameters": ${JSON.stringify(args)}}}`,
    json: (name, text) => `{"tool": {"function": ${JSON.stringify(name)}, "parameters": ${text}}}`,
  },
  // A call of an API: its name on the first line, and its arguments.
  api: {
    call: (name, args) => `${name}\n${JSON.stringify(args)}`,
    json: (name, text) => `${name}\n${text}`,
  },
}

/** The pieces of a call's arguments, as an API sends them. */
function deltasOf(pieces) {
  const [name] = pieces.join('').split('\n', 1)
  let before = name.length + 1
  const deltas = pieces.map((piece) => {
    const argumentsDelta = piece.slice(before)
    before = Math.max(0, before - piece.length)
    return { toolCalls: [{ index: 0, argumentsDelta }] }
  })
  return [{ toolCalls: [{ index: 0, name }] }, ...deltas]
}

const STRATEGIES = { xml: ['xml_tag'], json: ['json_tool'], api: ['xml_tag'], state: ['xml_tag'], alone: ['xml_tag'] }

/** The calls of AutoByteus since May 2026. */
const TURN = { turnId: 'turn', eventStyle: 'autobyteus' }

function readSegments(strategy, pieces, tools, options, style) {
  const result = { text: '', reasoning: '', calls: [], problems: [], repairs: [] }
  const types = new Map()
  const handler = new StreamingResponseHandler({
    config: { parseToolCalls: true, strategyOrder: STRATEGIES[strategy], tools: [...tools.map(({ name, inputSchema }) => ({ name, inputSchema })), 'run_bash'], ...options, ...style },
    onSegmentEvent(event) {
      const kind = event.type ?? event.event_type
      if (kind === 'SEGMENT_START') types.set(event.segment_id, event.segment_type)
      const type = types.get(event.segment_id)
      if (kind === 'SEGMENT_CONTENT' && type === 'text') result.text += event.payload.delta
      if (kind === 'SEGMENT_CONTENT' && type === 'reasoning') result.reasoning += event.payload.delta
    },
    onToolInvocation: ({ name, arguments: args }) => result.calls.push([name === 'run_bash' ? 'run' : name, args]),
    onError: ({ code }) => result.problems.push(code),
    onRepair: (rules) => result.repairs.push(...rules),
  })
  for (const piece of strategy === 'api' ? deltasOf(pieces) : pieces) handler.feed(piece)
  handler.finalize()
  return result
}

const doorOf = ([strategy, write], style) => ({
  name: `segments ${strategy}${style === undefined ? '' : ' of AutoByteus'}`,
  family: 'segments',
  body: strategy,
  ...(write.call === undefined || strategy === 'api' ? {} : { thinking: ['<think>', '</think>'] }),
  write,
  open: strategy === 'api' ? undefined : ({ options } = {}) => {
    const parser = new StreamingParser({ strategyOrder: STRATEGIES[strategy], ...options, ...style })
    return { feed: (piece) => parser.feed(piece), end: () => parser.finalize() }
  },
  read: (pieces, { tools = TOOLS, options } = {}) => readSegments(strategy, pieces, tools, options, style),
})

export default [undefined, TURN].flatMap((style) => Object.entries(WRITING).map((each) => doorOf(each, style)))
