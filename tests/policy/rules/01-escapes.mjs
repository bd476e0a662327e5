const UNKNOWN = String.raw`{"command": "grep \d+ C:\Users"}`

export default {
  rule: 1,
  title: 'A backslash before a character that JSON does not know stays',
  *ask({ write }) {
    const expected = { command: String.raw`grep \d+ C:\Users` }
    const call = write.json?.('run', UNKNOWN)
    if (call !== undefined) yield { name: 'unknown escape', input: call, expected: { calls: [['run', expected]] } }
    if (write.document) yield { name: 'unknown escape', input: UNKNOWN, expected: { value: expected } }
  },
  exceptions: [{ door: 'RJSON', why: 'JSON5 reads it without the backslash', expected: { value: { command: 'grep d+ C:Users' } } }],
}
