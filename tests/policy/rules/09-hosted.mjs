// Calls that the provider runs itself, and its own ones that the program is to run.
export default {
  rule: 9,
  title: 'A call that the provider runs itself is never to be run',
  *ask({ write, family }) {
    if (family !== 'native') return
    for (const [name, input] of Object.entries(write.hosted ?? {})) yield { name, input, expected: { calls: [], hosted: true } }
    yield { name: "a call of the program's", input: write.call('run', { command: 'ls' }), expected: { calls: [['run', { command: 'ls' }]], hosted: false } }
  },
  atLeast: 20,
}
