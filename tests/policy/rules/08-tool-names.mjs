// Names that become a tool's by what the row writes around names.
const CALLED = { calls: [['run', { command: 'ls' }]] }

const SPACED = 'apply tags to it'

export default {
  rule: 8,
  title: 'Names are matched against the tools that were given',
  *ask(door) {
    const { row, write, body } = door
    if (row === undefined) return
    const call = (name) => write.call?.(name, { command: 'ls' })
    const written = call('run')
    if (written === undefined) return
    const named = (name) => written.replace(/(?<![a-z])run(?![a-z])/g, name)
    // Where only a marker ends a name; a word of Python and a tag have none.
    const isWord = body === 'python' || ((body === 'elements' || body === 'yaml') && row.call.open === undefined)
    if (!isWord) yield { name: 'spaces', input: named(SPACED), expected: { calls: [[SPACED, { command: 'ls' }]] } }
    // Quotes around a name that a tag has, and the `/` of an empty one.
    const tag = body === 'params' ? /^(\s*(?:<tool_call>\s*)?)(<function=)run>/.exec(written) : null
    if (tag !== null) {
      for (const quote of ['"', "'"]) yield { name: `between ${quote}`, input: named(`${quote}run${quote}`).replace('=command>', `=${quote}command${quote}>`), expected: CALLED }
      const [, before, opener] = tag
      const after = before.includes('<tool_call>') ? '</tool_call>' : ''
      for (const end of ['/>', ' />']) yield { name: `empty, ${end}`, input: `${before}${opener}now${end}${after}`, expected: { calls: [['now', {}]] } }
    }
    if (!['json', 'keyed', 'args'].includes(body)) return
    if (body === 'args' && row.call.orJson !== true && named('x') !== written) yield { name: 'quotes', input: named('"run"'), expected: CALLED }
    if (row.id === 'kimi-k2') {
      for (const id of ['functions.run:0', 'run:0', 'functions.run', 'functions_run_1', 'functionsrun1', 'functions.run5', 'run']) yield { name: id, input: written.replace('functions.run:0', id), expected: CALLED }
      yield { name: 'call_1', input: written.replace('functions.run:0', 'call_1'), expected: { calls: [] } }
    }
    if (row.id === 'harmony') yield { name: 'json', input: written.replace('to=functions.run', 'to=functions.runjson'), expected: CALLED }
  },
  exceptions: [{ door: 'row glm-4', case: /^(spaces|quotes)$/, why: 'its calls have no marker but the name on a line of its own, as it was given' }],
  atLeast: 90,
}
