// Tokens that end the turn.

const COMMON = ['<|im_end|>', '<|eot_id|>', '<|endoftext|>']

export default {
  rule: 32,
  title: 'Tokens that end the turn never show',
  *ask({ family, row, write, body }) {
    if (!/^(?:rows|protocols)$/.test(family)) return
    const options = family === 'rows' ? { prefill: '' } : undefined
    const call = write.call('run', { command: 'ls' })
    const calls = [['run', { command: 'ls' }]]
    for (const token of [...COMMON, ...(row?.turn?.end ?? [])]) {
      yield { name: `${token} after a call`, input: call + token, options, expected: { calls, hides: [token], problems: [] } }
      yield { name: `${token} and white space after a call`, input: `${call}\n${token}\n`, options, expected: { calls, hides: [token], problems: [] } }
      yield { name: `${token} after text`, input: `It is done.${token}`, options, expected: { calls: [], text: 'It is done.', problems: [] } }
      // Where a closer stands alone after arguments that are whole, the token may stand instead.
      const close = row?.call?.close?.find((marker) => marker !== '' && call.trimEnd().endsWith(marker))
      const isWhole = row?.call?.requireClose !== true && ['json', 'keyed', 'args', 'brace'].includes(body)
      if (close !== undefined && isWhole) yield { name: `${token} for ${close}`, input: call.trimEnd().slice(0, -close.length) + token, options, expected: { calls, hides: [token], problems: [] } }
    }
  },
  exceptions: [{ door: 'row granite-pythonic', case: /after a call/, why: 'its calls have no closer: where `<` follows, nothing says that the last quote ends a string' }],
  atLeast: 500,
}
