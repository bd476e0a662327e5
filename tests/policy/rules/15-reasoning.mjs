// Reasoning is read whether tools are given or not.
import { TOOLS } from '../tools.mjs'

export default {
  rule: 15,
  title: 'Reasoning does not depend on tools',
  *ask(door) {
    if (door.thinking === undefined || door.isDropIn) return
    const [open = '', close] = door.thinking
    for (const [name, tools] of [['tools', TOOLS], ['no tools', []]]) {
      const input = `${open}Hm.${close}Hello`
      yield { name, input, tools, expected: { text: 'Hello', reasoning: 'Hm.', calls: [] } }
    }
  },
  atLeast: 150,
}
