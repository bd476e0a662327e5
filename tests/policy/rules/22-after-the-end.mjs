// Text after the end of a stream, whatever was open there.

/** Texts after which a parser is in the middle of something; and what comes too late. */
const FRONTS = ['', 'Hello', '<thinking>hm', '<thi', '<function_calls><invoke name="run"><parameter name="command">x', '<function_calls><invoke name="run">{"b', '<tool_call>{"name": "run", "arguments": {"command": "', '{"a": "b', '<run_bash>l']
const LATE = ['more', '<b', ' ', '']

function codeOf(act) {
  try {
    act()
    return 'nothing'
  } catch (error) {
    return error.code ?? String(error)
  }
}

function wrongAt(door, front, late) {
  const parser = door.open()
  parser.feed(front)
  parser.end()
  const first = codeOf(() => parser.feed(late))
  // A second end changes nothing, and the text was not read.
  const events = parser.end()
  const second = codeOf(() => parser.feed(late))
  const is = [first, events.length, second]
  return JSON.stringify(is) === JSON.stringify(['finished', 0, 'finished']) ? undefined : `after ${JSON.stringify(front)}, ${JSON.stringify(late)}: ${JSON.stringify(is)}`
}

export default {
  rule: 22,
  title: 'After the end every parser refuses text by name',
  *ask(door) {
    if (door.open === undefined) return
    const fronts = [...FRONTS, ...[door.write.call?.('run', { command: 'ls' })].filter((text) => text !== undefined).flatMap((text) => [text, text.slice(0, text.length >> 1)])]
    for (const front of fronts) for (const late of LATE) yield { name: `${JSON.stringify(late)} after ${JSON.stringify(front)}`, check: () => wrongAt(door, front, late) }
  },
  exceptions: [{ door: 'IncrementalXmlParser', why: "membrane's parser goes on after `flush`" }],
  atLeast: 3_000,
}
