// Each wire format of the catalogue that can write a call.
import { formats, writeCalls } from 'tokenweir/formats'
import { ToolCallParser, parseReply } from 'tokenweir/tool-calls'
import { withYaml } from 'tokenweir/ai-sdk-tool-parser'
import { valueOf } from '../json.mjs'
import { TOOLS } from '../tools.mjs'

const MARK = 'M4RK'

/** The bodies that are JSON, and those whose values stand between tags. */
export const JSON_BODIES = ['json', 'keyed', 'args']
export const TAGGED_BODIES = ['params', 'elements']

/** Text, reasoning, calls and what was reported of the parts of a stream. */
export function readParts(open, pieces, end) {
  const problems = []
  const repairs = []
  let ids = 0
  const parser = open({
    generateId: () => `id-${(ids += 1)}`,
    onError: (_, { dropReason, code } = {}) => problems.push(code ?? dropReason),
    onRepair: (rules) => repairs.push(...rules),
  })
  const parts = [...pieces.flatMap((piece) => parser.text(piece)), ...parser.finish(end)]
  const joined = (type) => parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join('')
  const calls = parts.filter(({ type }) => type === 'tool-call').map(({ toolName, input }) => [toolName, valueOf(input)])
  return { text: joined('text-delta'), reasoning: joined('reasoning-delta'), calls, problems, repairs }
}

/** A parser of tool calls, as what takes pieces and gives events. */
export const opened = (parser) => ({ feed: (piece) => parser.text(piece), end: () => parser.finish() })

/** Whether a format can write some calls; what it writes. */
function written(id, calls) {
  try {
    return writeCalls(calls, { format: id })
  } catch {
    return undefined
  }
}

/** The markers of thinking of a row, or of any row. */
function thinkingOf({ reasoning }) {
  if (reasoning === undefined) return ['<think>', '</think>']
  const { open = [], close = [] } = reasoning
  const plain = (marker) => !/\s|\{/.test(marker)
  const at = open.findIndex(plain)
  const closer = close.length === open.length && at !== -1 ? close[at] : close.find(plain)
  return closer === undefined ? undefined : [at === -1 ? undefined : open[at], closer]
}

export default Object.entries(formats).flatMap(([id, row]) => {
  const call = (name, args) => written(id, [{ toolName: name, input: args }])
  if (call('run', { command: 'ls' }) === undefined) return []
  const body = row.call?.body ?? 'none'
  const format = body === 'yaml' ? withYaml(row) : row
  // Some replies begin inside thinking, unless the prompt's end says otherwise.
  const begun = row.reasoning?.prefilled === 'always' ? { prefill: '' } : {}
  const parser = (tools, options) => (callbacks) => new ToolCallParser({ format, tools, ...begun, ...options, ...callbacks })
  return [
    {
      name: `row ${id}`,
      family: 'rows',
      row,
      format,
      body,
      /** The row's own pair of thinking markers; the first is undefined where only the prompt opens it. */
      thinking: row.messages === undefined ? thinkingOf(row) : undefined,
      write: {
        call,
        /** Several calls. */
        calls: (list) => written(id, list.map(([toolName, input]) => ({ toolName, input }))),
        /** A call whose arguments are a JSON text as it stands. */
        json(name, text) {
          const whole = JSON_BODIES.includes(body) ? call(name, { command: MARK }) : undefined
          const parts = whole?.split(/\{\s*"command":\s*"M4RK"\s*\}/)
          return parts?.length === 2 ? parts.join(text) : undefined
        },
        /** A call with one argument whose value is a text as it stands, between the tags of the row. */
        value(name, key, text) {
          const parts = TAGGED_BODIES.includes(body) ? call(name, { [key]: MARK })?.split(MARK) : undefined
          return parts?.length === 2 ? parts.join(text) : undefined
        },
      },
      read: (pieces, { tools = TOOLS, options, end } = {}) => readParts(parser(tools, options), pieces, end),
      open: ({ tools = TOOLS, options } = {}) => opened(parser(tools, options)({})),
      whole(input, { tools = TOOLS, options } = {}) {
        const { text, reasoning, toolCalls } = parseReply(input, { format, tools, ...begun, ...options })
        return { text, reasoning, calls: toolCalls.map(({ toolName, input }) => [toolName, valueOf(input)]) }
      },
    },
  ]
})
