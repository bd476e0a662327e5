// A bracket that is missing before the closing marker of a call in JSON or Python; and a value that is cut off.

export default {
  rule: 6,
  title: 'A bracket that is missing before the closing marker is repaired, a value that is open is not',
  *ask(door) {
    const { row, write, body } = door
    const closes = row?.call?.close ?? []
    if (!['json', 'args', 'python'].includes(body) || closes.length === 0 || closes.includes('') || row.call.requireClose === true) return
    const whole = write.call?.('run', { command: 'ls' })
    const at = Math.max(...closes.map((close) => whole.lastIndexOf(close)))
    // The payload's last bracket stands directly before the marker.
    const bracket = whole.slice(0, at).trimEnd().length - 1
    if (at === -1 || ![']', '}'].includes(whole[bracket]) || /^\s/.test(whole.slice(at))) return
    const value = whole.lastIndexOf('ls', bracket)
    yield { name: 'missing', input: whole.slice(0, bracket) + whole.slice(bracket + 1), expected: { calls: [['run', { command: 'ls' }]] } }
    if (whole[bracket] === '}') yield { name: 'cut off', input: whole.slice(0, bracket), expected: { calls: [] } }
    // What models leave between a payload and its end marker.
    if (body !== 'python') yield { name: 'a stray closing tag of thinking', input: `${whole.slice(0, bracket + 1)}</think>\n${whole.slice(at)}`, expected: { calls: [['run', { command: 'ls' }]] } }
    yield { name: 'cut in a value', input: whole.slice(0, value + 1) + whole.slice(at), expected: { calls: [] } }
  },
  atLeast: 40,
}
