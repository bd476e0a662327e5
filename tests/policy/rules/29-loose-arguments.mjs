// Members beside the arguments of a call in JSON.
export default {
  rule: 29,
  title: 'Members beside the arguments that are parameters of the tool are arguments, others are reported',
  *ask(door) {
    if (door.isDropIn || door.onlyText || door.family === 'native') return
    const whole = door.write.json?.('run', '{"command": "M4RK"}')
    // Its arguments stand in an object with the name.
    if (whole === undefined || door.body === 'args' || door.body === 'keyed' || !/"\s*:\s*\{"command": "M4RK"\}/.test(whole)) return
    const beside = (args, members) => whole.replace('{"command": "M4RK"}', `${args}, ${members}`)
    const repairs = (name) => (door.family === 'segments' || door.name === 'readReply' ? {} : { repairs: [name] })
    for (const [name, args, members, input] of [
      ['one of two', '{"command": "ls"}', '"count": 3', { command: 'ls', count: 3 }],
      ['all', '{}', '"command": "a \\"b\\"", "list": ["x", "y"]', { command: 'a "b"', list: ['x', 'y'] }],
    ])
      yield { name, input: beside(args, members), expected: { calls: [['run', input]], ...repairs('loose-arguments') } }
    yield { name: 'one that came', input: beside('{"command": "ls"}', '"command": "rm"'), expected: { calls: [['run', { command: 'ls' }]], ...repairs('unknown-member') } }
    yield { name: 'a stranger', input: beside('{"command": "ls"}', '"zz": {"a": [1]}'), expected: { calls: [['run', { command: 'ls' }]], ...repairs('unknown-member') } }
  },
  atLeast: 100,
}
