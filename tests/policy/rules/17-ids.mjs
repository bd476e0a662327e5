// Two calls with whole arguments: whose ids and positions servers write in their own ways; and whose own ends are missing, or
// whose reply ends too early or too late.
const BOTH = { calls: [['f', { p: 1 }], ['g', { p: 2 }]] }

const of = (rule, title, written, atLeast) => ({
  rule,
  title,
  *ask({ write }) {
    for (const [name, input] of Object.entries(write[written] ?? {})) yield { name, input, expected: BOTH }
  },
  atLeast,
})

export default [of(17, 'An id counts more than a position', 'pairs', 20), of(18, 'Whole arguments and a declared end are a call', 'ends', 18)]
