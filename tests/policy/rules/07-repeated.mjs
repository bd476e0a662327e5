// A key of JSON that comes twice.

/** Options of a row whose reply begins inside thinking. */
const optionsOf = ({ row, family }) => (family === 'rows' && row.reasoning?.prefilled === 'always' ? { options: { prefill: '' } } : {})

export default {
  rule: 7,
  title: 'Of a key that comes twice the last counts, and it is reported',
  *ask(door) {
    if (door.row === undefined) return
    const text = door.write.json?.('run', '{"command": "a", "count": 1, "command": "b"}')
    if (text !== undefined) yield { name: 'twice', input: text, expected: { calls: [['run', { command: 'b', count: 1 }]], repairs: ['repeated-argument'] }, ...optionsOf(door) }
  },
  exceptions: [],
  atLeast: 20,
}
