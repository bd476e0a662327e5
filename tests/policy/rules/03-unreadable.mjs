// Arguments that can't be read, and those that the repairs of tool calls read.
const UNREADABLE = ['nul', 'nullx', '"nul"', '[]', '[1', '1', '"a"', '{"command":', '{"command": "l', '{"command" "ls"}', '{{}', 'Hello']

const REPAIRED = {
  'a line end in a string': ['{"command": "a\nb"}', { command: 'a\nb' }],
  'a trailing comma': ['{"command": "a",}', { command: 'a' }],
  'a word of Python': ['{"command": "a", "ok": True}', { command: 'a', ok: true }],
  'a comment': ['{"command": "a" /* so */}', { command: 'a' }],
  'single quotes': ["{'command': 'a'}", { command: 'a' }],
  'a backslash that stays': ['{"command": "\\d"}', { command: '\\d' }],
}

export default {
  rule: 3,
  title: "Arguments that can't be read are never {}, and those of tool calls are read with their repairs",
  *ask(door) {
    const { write, family } = door
    if (door.isDropIn || door.onlyText) return
    const says = (text) => (family === 'native' || family === 'blocks' ? { refused: [text] } : {})
    for (const text of UNREADABLE) {
      const input = write.json?.('run', text)
      if (input !== undefined) yield { name: `unreadable: ${text}`, input, expected: { calls: [], ...says(text) } }
    }
    for (const [name, [text, value]] of Object.entries(REPAIRED)) {
      const input = write.json?.('run', text)
      if (input !== undefined) yield { name, input, expected: { calls: [['run', value]] } }
    }
    const fenced = family === 'blocks' ? write.json('run', '```json\n{"command": "a"}\n```') : undefined
    if (fenced !== undefined) yield { name: 'a fence', input: fenced, expected: { calls: [['run', { command: 'a' }]] } }
  },
  exceptions: [
    {
      door: /^row (json-bare|llama3-json|llama4-json|xlam)$/,
      case: 'a comment',
      why: 'the call may be prose, in which `/*` is text',
      expected: { calls: [] },
    },
    {
      door: 'segments api of AutoByteus',
      case: /^unreadable: (nullx|"nul"|\[\]|1|"a"|\{"command" "ls"\}|Hello)$/,
      why: "AutoByteus' programs get such a call, whose arguments came to their end, with `argumentsParseError`, by which they refuse it",
      expected: { calls: [['run', {}]] },
    },
  ],
  atLeast: 400,
}
