// Reasoning is read whether tools are given or not.
import { TOOLS } from '../tools.mjs'

export default {
  rule: 15,
  title: 'Reasoning does not depend on tools',
  *ask({ thinking, isDropIn, family }) {
    if (thinking === undefined || isDropIn) return
    const [open = '', close] = thinking
    for (const [name, tools] of [['tools', TOOLS], ['no tools', []]]) {
      const input = `${open}Hm.${close}Hello`
      yield { name, input, tools, options: family === 'rows' ? { prefill: undefined } : undefined, expected: { text: 'Hello', reasoning: 'Hm.', calls: [] } }
    }
  },
  atLeast: 150,
}
