// Opening tags of a row's own parameters, mentioned in a value.
const MARKS = /M4RK|M5RK/

/** A call with one value or two, as it stands between the tags; the opening tag before a name. Undefined without tags. */
function parts({ write, family, name, row }) {
  if (write.value?.('run', 'command', '') === undefined || name === 'IncrementalXmlParser' || row?.params?.closer === 'first') return undefined
  const [before, close] = write.value('run', 'command', 'M4RK').split(MARKS)
  const two = write.call?.('run', { zfirst: 'M4RK', zother: 'M5RK' })?.split(MARKS)
  if (two === undefined || family === 'segments') return undefined
  const between = write.call('run', { command: 'M4RK', count: 7 })?.split('M4RK')[1]
  // A closer before the opener would end the value: rule 4.
  const rest = two[1].trimStart()
  const closer = row?.params?.close?.find((each) => rest.startsWith(each.trim()))?.trim() ?? ''
  const opener = /(\S*<[^/][^]*zother[^]*)$/.exec(rest.slice(closer.length))?.[1].trim()
  return opener === undefined || between === undefined ? undefined : { before, close, between, open: (key) => opener.replaceAll('zother', key) }
}

export default {
  rule: 30,
  title: "A value may mention its own row's opening tags",
  *ask(door) {
    const found = door.isDropIn || door.onlyText ? undefined : parts(door)
    if (found === undefined) return
    const { before, close, between, open } = found
    for (const [name, value] of [
      ['a stranger', `use ${open('zz')} here`],
      ['its own', `use ${open('command')} here`],
      ['a stranger on a line', `use\n${open('zz')}\nhere`],
      ['twice', `${open('zz')} ${open('command')} x`],
    ]) {
      yield { name, input: before + value + close, expected: { calls: [['run', { command: value }]] } }
      yield { name: `${name}, another follows`, input: before + value + between, expected: { calls: [['run', { command: value, count: 7 }]] } }
    }
  },
  atLeast: 200,
}
