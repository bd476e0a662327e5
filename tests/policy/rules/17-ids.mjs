export default {
  rule: 17,
  title: 'An id counts more than a position; whole arguments and a declared end are a call',
  *ask({ write }) {
    const expected = { calls: [['f', { p: 1 }], ['g', { p: 2 }]] }
    for (const [name, input] of Object.entries(write.pairs ?? {})) yield { name, input, expected }
  },
  atLeast: 15,
}
