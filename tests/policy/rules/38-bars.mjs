// The bars around DSML, in every version.

const BARS = ['｜', '|', '‖', '｜｜', '||', '｜ ', '| |', ' ｜ ｜ ']
const SECTIONS = ['function_calls', 'tool_calls', 'calls']

export default {
  rule: 38,
  title: 'Bars of DSML are bars, whatever their kind',
  *ask({ family, row, write }) {
    if (family !== 'rows' || row.call?.open?.some((marker) => marker.includes('DSML')) !== true) return
    const call = write.call('run', { command: 'ls' })
    const section = /DSML｜ ?(\w+)>/.exec(call)[1]
    for (const [at, bars] of BARS.entries())
      for (const name of SECTIONS) {
        const other = BARS[(at + 3) % BARS.length]
        const input = call.replaceAll(`${section}>`, `${name}>`).replaceAll(/｜DSML｜ ?/g, () => `${bars}DSML${other}`)
        yield { name: `${JSON.stringify(bars)} and ${name}`, input: `I run it.\n\n${input}`, options: { prefill: '' }, expected: { calls: [['run', { command: 'ls' }]], text: 'I run it.', problems: [], repairs: [] } }
      }
  },
  atLeast: 60,
}
