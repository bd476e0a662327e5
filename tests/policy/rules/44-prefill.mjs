// What the prompt has of a reply is read as if the reply had begun there: each reply, divided at every place.
import { visibleText } from 'tokenweir/blocks'
import * as formats from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { ToolCallParser, parseReply } from 'tokenweir/tool-calls'
import { all } from '../../pkg/support/sources.mjs'

const TOOLS = [{ name: 'run', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } }]
const markup = (text) => [text, 'markup']
const said = (text) => [text, 'text']
const thought = (text) => [text, 'reasoning']

/** What a row may write, with what its pieces are. */
function* repliesOf(id, call) {
  const { open = [], close = [], prefilled } = Object.values(formats).find((format) => format?.id === id)?.reasoning ?? {}
  const thinking = prefilled !== 'always' && open[0] && close[0] && !`${open[0]}${close[0]}`.includes('{') ? [markup(open[0]), thought('\nHm < 3.\n'), markup(close[0])] : []
  if (thinking.length > 0) yield ['thinking', [...thinking, said('\n\nI look.')]]
  yield ['a call', [...thinking, said('\nI look.\n'), markup(call), said('\nDone.')]]
  yield ['a call alone', [markup(call)]]
  yield ['code', [...thinking, said('So:\n```\n'), said(call), said('\n```\nDone.')], 'text']
}

/** What a server of chat completions sends for a reply. */
const events = (rest) => [...[...rest].map((content) => ({ choices: [{ index: 0, delta: { content } }] })), { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }]

const READERS = {
  parseReply: async (rest, options) => {
    const { text, reasoning, toolCalls } = parseReply(rest, options)
    return { text, reasoning, calls: toolCalls.length }
  },
  ToolCallParser: async (rest, options) => {
    const parser = new ToolCallParser(options)
    const parts = [...[...rest].flatMap((piece) => parser.text(piece)), ...parser.finish()]
    const of = (type) => parts.filter((part) => part.type === type)
    const text = (type) => of(type).map(({ delta }) => delta).join('')
    for (const { toolCallId, input } of of('tool-call'))
      if (of('tool-input-delta').filter(({ id }) => id === toolCallId).map(({ delta }) => delta).join('') !== input || of('tool-input-start').filter(({ id }) => id === toolCallId).length !== 1) return { problem: JSON.stringify(parts) }
    return { text: text('text-delta'), reasoning: text('reasoning-delta'), calls: of('tool-call').length }
  },
  readReply: async (rest, options) => {
    const { text, thinking, toolCalls } = await readReply(events(rest), { fences: 'parse', trimMarkup: false, ...options }).result()
    return { text, reasoning: thinking, calls: toolCalls.length }
  },
}

const squeezed = (text) => text.replaceAll(/\s+/g, '')

/** Where two readings differ. */
async function wrongAt(pieces, read, options, places) {
  const whole = pieces.map(([text]) => text).join('')
  for (const at of places) {
    let from = 0
    const want = { text: '', reasoning: '', calls: options.calls(at) }
    for (const [text, kind] of pieces) {
      if (kind !== 'markup') want[kind] += text.slice(Math.max(0, at - from))
      from += text.length
    }
    const { calls: _, ...given } = options
    const found = await read(whole.slice(at), { ...given, prefill: whole.slice(0, at) })
    for (const key of ['text', 'reasoning']) if (found[key] !== undefined && squeezed(found[key]) !== squeezed(want[key])) return `after ${JSON.stringify(whole.slice(0, at))} the ${key} is ${JSON.stringify(found[key])}, not ${JSON.stringify(want[key])}`
    if ('calls' in found && found.calls !== want.calls) return `after ${JSON.stringify(whole.slice(0, at))} there are ${found.calls} calls, not ${want.calls}`
    if (found.problem !== undefined) return found.problem
  }
}

export default {
  rule: 44,
  title: 'What the prompt has of a reply is read as its beginning',
  *ask(door) {
    const call = door.family === 'rows' && !door.name.includes('yaml') ? door.write?.call?.('run', { command: 'ls' }) : undefined
    if (call !== undefined) {
      const format = door.name.replace('row ', '')
      for (const [name, pieces, fences] of repliesOf(format, call)) {
        const whole = pieces.map(([text]) => text).join('')
        const options = { format, tools: TOOLS, ...(fences && { fences }) }
        // The row has to read it so in one piece.
        const reads = parseReply(whole, { ...options, prefill: '' })
        const of = (kind) => squeezed(pieces.filter((piece) => piece[1] === kind).map(([text]) => text).join(''))
        const total = fences ? 0 : 1
        if (name === 'thinking' ? reads.toolCalls.length > 0 : reads.toolCalls.length !== total) continue
        if (squeezed(reads.text) !== of('text') || squeezed(reads.reasoning) !== of('reasoning')) continue
        const made = new ToolCallParser({ ...options, prefill: '' })
        const before = [0]
        for (const piece of whole) before.push(before.at(-1) + made.text(piece).filter(({ type }) => type === 'tool-call').length)
        const places = Array.from({ length: whole.length + 1 }, (_, at) => at)
        for (const [reader, read] of Object.entries(READERS)) {
          // `ToolCallParser` is fed in pieces, and readReply is slower.
          const some = reader === 'readReply' ? places.filter((at) => at % 5 === 0 && at < whole.length) : places
          yield { name: `${name}, ${reader}`, check: () => wrongAt(pieces, read, { ...options, calls: (at) => reads.toolCalls.length - before[at] }, some) }
        }
      }
    }
    const CALL = '<function_calls>\n<invoke name="run">\n<parameter name="command">ls</parameter>\n</invoke>\n</function_calls>'
    const pieces = [markup('<think>'), thought('Hm < 3.'), markup('</think>'), said('\n\nI look.'), markup(CALL), said('Done: `'), said('<think>'), said('`.')]
    const whole = pieces.map(([text]) => text).join('')
    const places = Array.from({ length: whole.length + 1 }, (_, at) => at)
    const end = whole.indexOf('</invoke>') + '</invoke>'.length
    const shown = async (rest, options) => ({ text: (await all(visibleText([...rest], { ...options, tools: undefined }))).join('') })
    const result = (source) => async (rest, options) => {
      const { text, thinking, toolCalls } = await readReply(source(rest), { callsInText: true, ...options }).result()
      return { text, reasoning: thinking, calls: toolCalls.length }
    }
    const plain = result((rest) => [...rest])
    const native = result(events)
    for (const [name, read] of [['visibleText', shown], ['readReply', plain], ['readReply, of events', native]])
      if (name.startsWith(door.name)) yield { name, check: () => wrongAt(pieces, read, { calls: (at) => (at < end ? 1 : 0) }, places) }
  },
  atLeast: 300,
}
