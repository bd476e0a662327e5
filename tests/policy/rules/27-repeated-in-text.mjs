// A call that the text repeats is the native call that it equals, whichever comes first: it is run once.
import { readReply } from 'tokenweir'

const TOOLS = [{ name: 'run', inputSchema: { type: 'object', properties: { command: { type: 'string' }, list: { type: 'string' } } } }]
const delta = (fields) => ({ choices: [{ index: 0, delta: fields }] })
const native = (args, id = 'u', index = 0) => delta({ tool_calls: [{ index, id, type: 'function', function: { name: 'run', arguments: args } }] })
const END = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
const ARGS = { command: 'git status', list: 'a' }
const OTHER = '{"list": "a", "command": "git status"}'

export default {
  rule: 27,
  title: 'A call that the text repeats counts once',
  *ask(door) {
    const options = door.name === 'readReply' ? { callsInText: true } : door.family === 'rows' ? { format: door.name.replace('row ', '') } : undefined
    const text = options && door.write?.call?.('run', ARGS)
    // YAML has an entry of its own.
    if (text === undefined || door.name.includes('yaml')) return
    const say = delta({ content: text })
    const pieces = [...text].map((content) => delta({ content }))
    const asks = (name, events, ids) => ({
      name,
      check: async () => {
        const { toolCalls } = await readReply([...events, END], { tools: TOOLS, generateId: () => 'text', ...options }).result()
        const found = toolCalls.map(({ toolCallId: id }) => (id === 'u' || id === 'v' ? id : 'text')).sort().join()
        return found === ids ? undefined : `the calls are ${JSON.stringify(toolCalls)}, and should be ${ids}`
      },
    })
    yield asks('the text first', [say, native(OTHER)], 'u')
    yield asks('the text first, in pieces', [...pieces, native(OTHER)], 'u')
    yield asks('the native call first', [native(OTHER), say], 'u')
    yield asks('another call', [native('{"command": "git push"}'), say], 'text,u')
    yield asks('two native calls', [native(OTHER, 'u'), native(OTHER, 'v', 1), say], 'u,v')
  },
  atLeast: 200,
}
