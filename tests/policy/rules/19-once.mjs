// A text that a reply has twice: in its deltas, beside them, and as a whole at the end.
export default {
  rule: 19,
  title: 'One text counts once',
  *ask({ write }) {
    for (const [how, pieces] of [['in one piece', ['Hello, you']], ['in pieces', ['Hel', 'lo, ', 'you']]]) {
      for (const [name, input] of Object.entries(write.again?.(pieces) ?? {})) yield { name: `${name}, ${how}`, input, expected: { text: 'Hello, you', reasoning: '', calls: [] } }
    }
  },
  atLeast: 20,
}
