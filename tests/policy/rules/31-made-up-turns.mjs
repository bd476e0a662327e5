// What the model makes up after a call: another's turn.

const TEXT = /^(?:rows|protocols)$/

/** What opens another's turn in a row, as the template writes it. */
const openersOf = (row) => (row?.turn?.other ?? []).map((marker) => (row.messages === undefined ? `\n${marker}` : `${marker}functions.run to=assistant<|channel|>commentary<|message|>`))

export default {
  rule: 31,
  title: 'A turn that the model makes up is not read',
  *ask({ family, row, write }) {
    if (!TEXT.test(family)) return
    const call = write.call('run', { command: 'ls' })
    const expected = { calls: [['run', { command: 'ls' }]], hides: ['m4de', 'up'], problems: ['made-up-turn'] }
    const options = family === 'rows' ? { prefill: '' } : undefined
    for (const opener of openersOf(row)) {
      const end = row.messages === undefined ? '' : '<|end|>'
      yield { name: `${opener.trim()} and a result`, input: `${call}${opener} m4de up${end}`, options, expected }
      yield { name: `${opener.trim()} and another call`, input: `${call}${opener} m4de ${call} up`, options, expected }
      if (row.messages === undefined) yield { name: `${opener.trim()}, the stop sequence`, input: `${call}${opener}\n`, options, expected: { ...expected, problems: [] } }
    }
    if (row?.messages !== undefined || row?.id === 'cline') return
    yield { name: 'a turn of the template', input: `${call}<|im_end|>\n<|im_start|>user\nm4de up ${call}<|im_end|>`, options, expected }
  },
  exceptions: [{ door: 'row granite-pythonic', why: 'its calls have no closer: where `<` follows, nothing says that the last quote ends a string' }],
  atLeast: 100,
}
