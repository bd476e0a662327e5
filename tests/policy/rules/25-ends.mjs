// Calls cut at every place after a finish reason other than `stop` and `tool-calls`, or without the event that ends their
// stream: they are the whole calls up to there, and never one with fewer arguments.
import { isDeepStrictEqual } from 'node:util'
import { readReply } from 'tokenweir'

const string = { type: 'string' }
const integer = { type: 'integer' }
const CALLS = [['write_file', { path: 'a.py', content: 'print(1)\nprint(2)' }], ['add', { a: 12, b: 34 }]]
const tools = [
  { name: 'write_file', description: 'Writes a file', inputSchema: { type: 'object', properties: { path: string, content: string } } },
  { name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: { a: integer, b: integer } } },
]
const plain = (calls) => calls.map(([name, args]) => [name, { ...args }])

/** What is wrong with the calls of a reply that is cut somewhere; `step`: how many units from one cut to the next. */
async function wrongCut(read, text, end, step, options, whole) {
  whole ??= plain((await read([text], { tools, end: { reason: 'stop' }, ...options })).calls)
  if (!isDeepStrictEqual(whole[0], CALLS[0])) return `${JSON.stringify(text)}: ${JSON.stringify(whole)}`
  for (let cut = 1; cut < text.length; cut += step) {
    const calls = plain((await read([text.slice(0, cut)], { tools, end, ...options })).calls)
    if (!isDeepStrictEqual(calls, whole.slice(0, calls.length))) return `${JSON.stringify(text.slice(0, cut))} after ${JSON.stringify(end)}: ${JSON.stringify(calls)}`
  }
  return undefined
}

/** A model's text in events of a chat: its calls. */
const inEvents = (format) => async ([text], { tools, end }) => {
  const events = [text.slice(0, text.length >> 1), text.slice(text.length >> 1)].map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
  const body = [...events, ...(end === undefined ? [] : [{ choices: [{ index: 0, delta: {}, finish_reason: end.reason }] }])].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const { toolCalls } = await readReply(new Response(body.join(''), { headers: { 'content-type': 'text/event-stream' } }), { format, tools, prefill: format.reasoning?.prefilled === 'always' ? '' : undefined }).result()
  return { calls: toolCalls.map(({ toolName, args }) => [toolName, args]) }
}

const QWEN = `<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n<parameter=content>\nprint(1)\nprint(2)\n</parameter>\n</function>\n</tool_call>`

export default {
  rule: 25,
  title: 'What ended the reply decides what its end repairs',
  *ask(door) {
    if (door.onlyText || door.isDropIn) return
    // A provider's events around the model's text; a program or a wrapped model for each text takes longer.
    if (door.says !== undefined) {
      for (const end of [{ reason: 'length' }, { reason: undefined }]) yield { name: `cut after ${end.reason}`, check: () => wrongCut(door.read, QWEN, end, 9, { options: { format: 'qwen3-coder' } }, CALLS.slice(0, 1)) }
      return
    }
    const text = door.write.calls?.(CALLS) ?? door.write.call?.(...CALLS[0])
    // Events that end in the middle are another question.
    if (text === undefined || door.write.ends !== undefined) return
    yield { name: 'cut', check: () => wrongCut(door.read, text, { reason: 'length' }, ['middleware', 'commands'].includes(door.family) ? 17 : 1, {}) }
    if (door.family === 'rows') yield { name: 'cut in a stream of events', check: () => wrongCut(inEvents(door.format), text, undefined, 7, {}, plain(door.whole(text, { tools }).calls)) }
  },
  atLeast: 180,
}
