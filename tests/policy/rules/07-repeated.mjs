// A key of JSON that comes twice, and an argument between tags that does.

const STRING = { type: 'string' }
const properties = {
  command: STRING,
  count: { type: 'integer' },
  list: { type: 'array', items: STRING },
  lists: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
  map: { type: 'object' },
}
const tools = [{ name: 'run', description: 'Runs', inputSchema: { type: 'object', properties } }]

/** Writes a call with several arguments between tags, by what a door writes of one and of two; undefined if there are no tags. */
function writerOf({ write }) {
  if (write.value?.('run', 'command', '') === undefined) return undefined
  const [before, back] = write.call('run', { zother: 'M5RK' })?.split('M5RK') ?? []
  const between = write.call('run', { zfirst: 'M4RK', zother: 'M5RK' })?.split(/M4RK|M5RK/)[1]
  if (before === undefined || between === undefined) return undefined
  let size = 0
  while (size < before.length && between.at(-1 - size) === before.at(-1 - size)) size++
  const [open, close, front] = [before.slice(before.length - size), between.slice(0, between.length - size), before.slice(0, before.length - size)]
  if (!open.includes('zother') || close === '') return undefined
  const names = (text, name) => text.replaceAll(/zfirst|zother/g, name)
  return (...args) => front + args.map(([name, text], at) => names(open, name) + text + names(at === args.length - 1 ? back : close, name)).join('')
}

/** The cases between tags: what is written, the input, and whether something is reported. */
const TAGGED = [
  ['twice', [['command', 'a'], ['command', 'b']], { command: 'b' }, true],
  ['twice, with others between', [['command', 'a'], ['count', '1'], ['command', 'b']], { command: 'b', count: 1 }, true],
  ['three times', [['command', 'a'], ['command', 'b'], ['count', '1'], ['command', 'c']], { command: 'c', count: 1 }, true],
  ['two keys twice', [['command', 'a'], ['count', '1'], ['command', 'b'], ['count', '2']], { command: 'b', count: 2 }, true],
  ['items of a list', [['list', 'a'], ['list', 'b'], ['list', '["c", "d"]']], { list: ['a', 'b', 'c', 'd'] }, false],
  ['lists that are one', [['list', '["a", "b"]'], ['list', '[]'], ['list', '["c"]'], ['count', '1']], { list: ['a', 'b', 'c'], count: 1 }, false],
  ['a list alone', [['list', '["a"]'], ['count', '1']], { list: ['a'], count: 1 }, false],
  ['a list of lists', [['lists', '[1]'], ['lists', '[2, 3]']], { lists: [[1], [2, 3]] }, false],
  ['items with others between', [['list', '["a"]'], ['count', '1'], ['list', 'b'], ['list', 'c']], { list: ['a', 'b', 'c'], count: 1 }, undefined],
  ['a key in an object', [['map', '{"a": 1, "b": 2, "a": 3}'], ['count', '1']], { map: { a: 3, b: 2 }, count: 1 }, true],
]

export default {
  rule: 7,
  title: 'Of a key that comes twice the last counts, and it is reported',
  *ask(door) {
    if (door.isDropIn || door.onlyText) return
    // What a peer's events have no place for isn't asked.
    const reported = (is) => (is === undefined || door.name === 'readReply' ? {} : { repairs: is ? ['repeated-argument'] : [] })
    const json = door.write.json?.('run', '{"command": "a", "count": 1, "command": "b"}')
    const once = { calls: [['run', { command: 'b', count: 1 }]], ...reported(true) }
    if (json !== undefined) yield { name: 'twice in JSON', input: json, expected: once }
    const inside = door.write.json?.('run', '{"map": {"a": 1, "a": 2}, "count": "1"}')
    if (inside !== undefined && (door.family !== 'native')) yield { name: 'twice in an object in JSON', input: inside, tools, expected: { shows: [], ...reported(true) } }
    if (['string', 'attribute'].includes(door.row?.typing) || door.family === 'segments') return
    const write = writerOf(door)
    if (write === undefined) return
    for (const [name, args, input, isReported] of TAGGED) yield { name: `${name}, between tags`, input: write(...args), tools, expected: { calls: [['run', input]], ...reported(isReported) } }
  },
  exceptions: [
    { door: 'row minicpm5', case: /^(twice|three times|two keys twice)(, with others between)?, between tags/, why: "an argument that comes twice makes a call malformed, as in the model's own parser", expected: { calls: [] } },
    { door: 'row minimax-m3', case: /^(twice|three times|two keys twice)(, with others between)?, between tags/, why: 'its template writes the items of a list as elements of one name, whatever the schema is' },
    { door: /^row (minimax-m3|morph-xml)$/, case: /^a list of lists/, why: 'an element with a list is as many items' },
    { door: 'morphXmlProtocol', case: /^(two keys twice|items|lists that are one)/, why: 'elements of one name are a list of texts, unless they are strings, as in the parser that it replaces' },
    { door: /^(qwen3Coder|kExaone2)Protocol$/, case: /^(twice|three times|two keys twice)(, with others between)?, between tags/, why: 'a list of the values, whatever the schema says, as in the parser that it replaces' },
    { door: 'morphXmlProtocol', case: /^a key in an object/, why: 'not yet: what its coercion reads of a text is not reported', expected: { calls: [['run', { map: { a: 3, b: 2 }, count: 1 }]] } },
    { door: /^segments /, why: 'not yet: it is not reported', expected: { repairs: [] } },
  ],
  atLeast: 450,
}
