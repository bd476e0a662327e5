// A call in thinking that the provider has marked is not run. It is a problem if there is nothing else to go on with, and a
// call with `callsInThinking`.
import { readReply } from 'tokenweir'
import { parseReply } from 'tokenweir/tool-calls'

const TOOLS = [{ name: 'run', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } }]
const delta = (fields, finish_reason = null) => ({ choices: [{ index: 0, delta: fields, finish_reason }] })
const END = delta({}, 'stop')

export default {
  rule: 37,
  title: 'A call in native thinking is not lost, and not run',
  *ask(door) {
    const call = door.family === 'rows' ? door.write?.call?.('run', { command: 'ls' }) : undefined
    if (call === undefined) return
    const format = door.name.replace('row ', '')
    // Where a call begins a message, it begins the thinking.
    const thought = [`Hm.\n\n${call}`, call].find((text) => parseReply(text, { format, tools: TOOLS, prefill: '' }).toolCalls.length > 0)
    if (thought === undefined) return
    const whole = [delta({ reasoning_content: thought })]
    const pieces = [...thought].map((reasoning_content) => delta({ reasoning_content }))
    const asks = (name, events, expected, options) => ({
      name,
      check: async () => {
        const { toolCalls, problems, thinking } = await readReply([...events, END], { format, tools: TOOLS, ...options }).result()
        const found = JSON.stringify([toolCalls.map(({ toolName, args }) => [toolName, args]), problems.map(({ metadata }) => [metadata.dropReason, metadata.toolName])])
        if (thinking !== thought) return `the thinking is ${JSON.stringify(thinking)}`
        return found === JSON.stringify(expected) ? undefined : `the answer is ${found}, and should be ${JSON.stringify(expected)}`
      },
    })
    const RUN = ['run', { command: 'ls' }]
    for (const [how, events] of [['whole', whole], ['in pieces', pieces]]) {
      yield asks(`alone, ${how}`, events, [[], [['call-in-thinking', 'run']]])
      yield asks(`with callsInThinking, ${how}`, events, [[RUN], []], { callsInThinking: true })
    }
    yield asks('before a text', [...whole, delta({ content: 'Done.' })], [[], []])
    yield asks('before a native call', [...whole, delta({ tool_calls: [{ index: 0, id: 'u', function: { name: 'run', arguments: '{"command":"ls"}' } }] })], [[RUN], []])
  },
  atLeast: 300,
}
