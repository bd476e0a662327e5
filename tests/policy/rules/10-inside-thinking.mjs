// Inside thinking only its own closing tag counts.

/** A row's own marker that opens calls. */
const openerOf = ({ section, call } = {}) => [...(section?.open ?? []), ...(call?.open ?? [])].find((marker) => marker !== '')?.replace('{suffix}', '').replaceAll('{bars}', '｜')

export default {
  rule: 10,
  title: 'Inside thinking only its own closing tag counts',
  *ask({ family, thinking, row, write }) {
    if (!['rows', 'protocols', 'middleware', 'segments'].includes(family) || thinking?.[0] === undefined) return
    const [open, close] = thinking
    const think = (text) => `${open}Hm. ${text} So.${close}Done.`
    const stays = (name, text, more) => ({ name, input: think(text), expected: { text: 'Done.', reasoning: `Hm. ${text} So.`, calls: [], ...more } })
    yield stays('its own opening tag', open.trim())
    for (const other of ['</think>', '</thinking>', '[/THINK]']) if (!(row?.reasoning?.close ?? [close]).includes(other)) yield stays(`the closing tag ${other}`, `The tag is ${other}.`)
    const opener = openerOf(row)
    for (const mention of new Set(['<tool_call>', '`<function=...>`', '<｜DSML｜tool_calls> first', '<|tool_call_begin|>', '[TOOL_CALLS]', '<function_calls>', ...(opener === undefined ? [] : [opener, `\`${opener}\``, `${opener} and ${opener}`])])) {
      yield stays(`a mention of ${mention}`, `The tag is ${mention}.`)
    }
    if (opener !== undefined) {
      yield { name: 'its opener at the end of thinking', input: `${open}It is ${opener}${close}Done.`, expected: { text: 'Done.', reasoning: `It is ${opener}`, calls: [] } }
    }
    const other = write.call('nope', { command: 'ls' })
    if (other === undefined || row?.call?.body === 'text') return
    if (row?.reasoning?.endsAtCall) yield stays('a call of no tool', other.trim())
    const call = write.call('run', { command: 'ls' })
    yield { name: 'a call in thinking that is closed', input: think(call), expected: { calls: [], hides: [close] } }
    if (row?.reasoning?.endsAtCall && opener !== undefined) {
      const calls = [['run', { command: 'ls' }]]
      yield { name: 'a call that ends thinking', input: `${open}Hm.\n${call}`, expected: { reasoning: 'Hm.', text: '', calls } }
      yield { name: 'a call after a mention', input: `${open}Use ${opener} now.\n${call}`, expected: { reasoning: `Use ${opener} now.`, text: '', calls } }
    }
  },
  atLeast: 800,
}
