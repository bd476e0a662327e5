// Arguments that aren't JSON: those that the repairs of tool calls read, and those that nothing reads.
const REPAIRED = {
  'a comma at the end': '{"command": "a", }',
  'words of Python': '{"command": "a", "list": [], "count": None}',
  'single quotes': "{'command': 'a'}",
  'a line end in a string': '{"command": "a\nb"}',
  'a comment': '{"command": "a" /* so */}',
}
const MEANT = { 'words of Python': { command: 'a', list: [], count: null }, 'a line end in a string': { command: 'a\nb' } }

const UNREAD = { 'a list': '["a"]', 'a word': 'nope', 'a string': '"a"', 'a number': '5', 'a colon that is missing': '{"command" "a"}' }

export default {
  rule: 3,
  title: 'Arguments that can not be read are never {}',
  *ask({ family, write }) {
    if (family !== 'segments' || write.json === undefined) return
    for (const [name, text] of Object.entries(REPAIRED)) yield { name, input: write.json('run', text), expected: { calls: [['run', MEANT[name] ?? { command: 'a' }]] } }
    for (const [name, text] of Object.entries(UNREAD)) yield { name, input: write.json('now', text), expected: { calls: [], problems: ['bad-arguments'] } }
  },
  exceptions: [],
  atLeast: 30,
}
