// Two calls whose ids and positions servers write in their own ways.
export default {
  rule: 17,
  title: 'An id counts more than a position',
  *ask({ write }) {
    const expected = { calls: [['f', { p: 1 }], ['g', { p: 2 }]] }
    for (const [name, input] of Object.entries(write.pairs ?? {})) yield { name, input, expected }
  },
  atLeast: 20,
}
