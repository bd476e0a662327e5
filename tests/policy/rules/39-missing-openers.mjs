// Calls whose opening tag the model left out, or wrote otherwise.

export default {
  rule: 39,
  title: 'A call without its opening tag is named, never swallowed',
  *ask({ family, row, write, body }) {
    if (!/^(?:rows|protocols)$/.test(family) || row?.messages !== undefined) return
    const options = family === 'rows' ? { prefill: '' } : undefined
    const call = write.call('run', { command: 'ls' }).trim()
    const expected = { calls: [['run', { command: 'ls' }]], text: 'So:', problems: [], repairs: ['missing-opener'] }
    const { open = [], close = [], bare } = row?.call ?? {}
    const isJson = /^[^[\]]*\{\s*"name"/.test(call) && bare === undefined && close.some((marker) => marker !== '' && call.endsWith(`}${marker}`) || call.endsWith(`}\n${marker}`))
    if (isJson) {
      const inner = call.slice(call.indexOf('{'))
      yield { name: 'JSON before the closer', input: `So:\n${inner}`, options, expected }
      // A fence alone is Markdown: it may open code.
      const problems = inner.endsWith('```') ? [] : ['missing-opener']
      yield { name: 'JSON that is too long to wait for', input: `So:\n${inner.replace('ls', 'l'.repeat(2000))}`, options, expected: { calls: [], problems } }
      yield { name: 'JSON of another tool', input: `So:\n${inner.replace('run', 'walk')}`, options, expected: { calls: [], shows: ['"walk"'] } }
      yield { name: 'JSON without a closer', input: `So:\n${inner.slice(0, inner.lastIndexOf('}') + 1)}\nis how.`, options, expected: { calls: [], shows: ['"run"', 'is how.'], problems: [] } }
    }
    const opener = open.find((marker) => call.includes(marker))
    if (body !== 'params' || !opener?.endsWith('=')) return
    const tag = `${opener}run>`
    if (!call.includes(tag)) return
    const ends = close.find((marker) => call.includes(marker))
    yield { name: 'the tool as the tag', input: `So:\n${call.replace(tag, '<run>')}`, options, expected }
    yield { name: 'the tool as both tags', input: `So:\n${call.replace(tag, '<run>').replace(ends, '</run>')}`, options, expected }
    yield { name: 'another tag', input: `So:\n${call.replace(tag, '<walk>')}`, options, expected: { calls: [], shows: ['<walk>'] } }
  },
  exceptions: [{ door: 'hermesProtocol', case: 'JSON before the closer', why: 'a call with all repairs begins with its opener: the closer is a problem', expected: { calls: [], shows: ['"run"'], problems: ['missing-opener'] } }],
  atLeast: 40,
}
