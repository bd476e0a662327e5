// A call with two arguments, cut at every place after a finish reason other than `stop` and `tool-calls`, or without the
// event that ends its stream: it is the whole call, or none, and never one with fewer arguments.
import { isDeepStrictEqual } from 'node:util'

const ARGS = { path: 'a.py', content: 'x = 1' }
const string = { type: 'string' }
const tools = [{ name: 'write_file', description: 'Writes a file', inputSchema: { type: 'object', properties: { path: string, content: string } } }]

/** What is wrong with the calls of a reply that is cut somewhere; `step`: how many units from one cut to the next. */
async function wrongCut({ read }, text, end, step, options) {
  for (let cut = 1; cut < text.length; cut += step) {
    const { calls } = await read([text.slice(0, cut)], { tools, end, ...options })
    const isRight = calls.length === 0 || (calls.length === 1 && isDeepStrictEqual({ ...calls[0][1] }, ARGS))
    if (!isRight) return `${JSON.stringify(text.slice(0, cut))} after ${JSON.stringify(end)}: ${JSON.stringify(calls)}`
  }
  return undefined
}

const QWEN = `<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n<parameter=content>\nx = 1\n</parameter>\n</function>\n</tool_call>`

export default {
  rule: 25,
  title: 'What ended the reply decides what its end repairs',
  *ask(door) {
    if (door.onlyText || door.isDropIn) return
    // A provider's events around the model's text; a program or a wrapped model for each text takes longer.
    if (door.says !== undefined) {
      for (const end of [{ reason: 'length' }, { reason: undefined }]) yield { name: `cut after ${end.reason}`, check: () => wrongCut(door, QWEN, end, 9, { options: { format: 'qwen3-coder' } }) }
      return
    }
    const text = door.write.call?.('write_file', ARGS)
    // Events that end in the middle are another question.
    if (text === undefined || door.write.ends !== undefined) return
    yield { name: 'cut', check: () => wrongCut(door, text, { reason: 'length' }, ['middleware', 'commands'].includes(door.family) ? 17 : 1, {}) }
  },
  exceptions: [],
  atLeast: 100,
}
