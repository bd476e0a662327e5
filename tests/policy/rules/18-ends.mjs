// Two calls with whole arguments, whose own ends are missing, or whose reply ends too early or too late.
export default {
  rule: 18,
  title: 'Whole arguments and a declared end are a call',
  *ask({ write }) {
    const expected = { calls: [['f', { p: 1 }], ['g', { p: 2 }]] }
    for (const [name, input] of Object.entries(write.ends ?? {})) yield { name, input, expected }
  },
  exceptions: [],
  atLeast: 18,
}
