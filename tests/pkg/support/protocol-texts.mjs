// Random texts of models for wire formats: thinking, prose and calls, whole or broken in ways that are repaired or refused.

const of = (properties, required = []) => ({ type: 'object', properties, required })
const string = { type: 'string' }
export const tools = [
  { type: 'function', name: 'run', inputSchema: of({ command: string, list: { type: 'array', items: string }, count: { type: 'integer' } }) },
  { type: 'function', name: 'now', inputSchema: of({}) },
  { type: 'function', name: 'write_file', inputSchema: of({ path: string, content: string }, ['path', 'content']) },
]

/** Text of a model: what stands between calls, and inside values. */
const PROSE = ['Hello', ' ', '\n', 'C:\\Users\\x', 'grep \\d+', '`code`', '{"a": 1}', '<b>', '</b>', '🌦', '&amp;', 'a < b', '"', "it's", ' 7 ', 'null', '}', ']']
/** Bodies of calls, whole or broken in ways that are repaired or refused. */
const BODIES = {
  hermes: ['{"name": "run", "arguments": {"command": "ls"}}', '{"name": "now", "arguments": {}}', "{'name': 'now', 'arguments': {}}", '{"name": "run", "arguments": {"command": "a\\d C:\\Users"}}', '{"name": "now"}', '{"name": "now", "arguments": null}', '{"arguments": {"list": [1, "b"]}, "name": "run"}', '{"name": "run", "parameters": {"command": "line\nend"}}', '{"name": "run", "arguments": "{\\"count\\": 1}"}', '{"name": "run", "input": {"command": "ls"}}', '{"args": {"command": "ls"}, "name": "run"}', '{"name": "run", "arguments": {"count": "7",}}', '{"name": "run", "arguments": {"ok": True, "command": "</tool_call>"}}', '{"name": "other", "arguments": {"a": {"b": [1, {"c": null}]}}}', 'Hello', '', '[1]', '{"arguments": {}}'],
  'morph-xml': ['<now/>', '<now></now>', ...['<command>ls</command>', '<count>7</count>', '<count> 7 </count>', '<list>a</list><list>b</list>', '<command>a &lt; b</command>', '<command>a\\d</command>', '<list><item>1</item><item>2</item></list>', 'x', '\n<command>ls</command>\n'].map((body) => `<run>${body}</run>`), '<write_file><path>p</path><content>c</content></write_file>'],
  'qwen3-coder': ['<function=run>\n<parameter=command>\nls\n</parameter>\n</function>', '<function="now">\n</function>', '<function=run>\n<parameter=count>\n7\n</parameter>\n<parameter=command>\n<b>\n</parameter>\n</function>', '<function=run>\n<parameter=list>\n["\\d", "b"]\n</parameter>\n</function>', '<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nclose with </parameter> then\n</parameter>\n</function>', '<function=other>\n<parameter=a>\n1\n</parameter>\n</function>', 'Hello'],
}

const pick = (next, list) => list[next(list.length)]
const some = (next, list, most) => Array.from({ length: 1 + next(most) }, () => pick(next, list)).join('')
const thinking = (next) => `\n<think>${some(next, [...PROSE, '<tool_call>', '<run>', '<think>'], 4)}</think>`
const prose = (next) => some(next, PROSE, 4)
const around = (next, text) => (next(6) === 0 ? thinking(next) : next(2) === 0 ? prose(next) : text)

/** What models leave between a body and its end tag, and what may be a marker in prose. */
const LEFT = ['', '', '', '\n', '}', ']\n', '</think>', '</thinking>\n', ' x', '<b>', '"', ',', '<think>']
const STRAY = ['y<think>', '</think>', '<tool_call>', '</tool_call>', 'y<think>\n', '\n</think>\n\n']

/** Texts of each format: thinking, prose and calls. One object stands in a section of Hermes: see the peers' defaults. */
const TEXTS = {
  hermes: (next) => {
    if (next(4) === 0) return pick(next, STRAY)
    const end = next(8) === 0 ? `\n<tool_call>\n${pick(next, BODIES.hermes)}</tool_call>` : '</tool_call>'
    return around(next, `<tool_call>${pick(next, ['', '\n'])}${pick(next, BODIES.hermes)}${pick(next, LEFT)}${end}`)
  },
  'morph-xml': (next) => around(next, pick(next, BODIES['morph-xml'])),
  'qwen3-coder': (next) => around(next, `<tool_call>\n${pick(next, BODIES['qwen3-coder'])}\n</tool_call>`),
}
/** As other models write them. */
const SPELLINGS = ['<call=run><param=command>ls</param></call>', '<invoke name="run">\n<parameter name="command">\nls\n</parameter>\n</invoke>', '<Function = "run" ><Command>ls</command><count>7</count></Function>', '<name>run</name><arg=list>a</arg><arg=list>b</arg>', '\nrun\n<parameter=count><value>7</value></parameter>', '<function>now</function>', '<tool name="now"/>', '<tool=run><command><b>x</b></command><parameter=count>7</parameter></tool>', '<function=run><parameter=command>a</param></parameter></function>', '<name>run</name>', 'run', '<run>']
TEXTS['k-exaone'] = (next) => around(next, `<tool_call>\n${pick(next, [...BODIES['qwen3-coder'], ...SPELLINGS])}\n</tool_call>`)
/**
 * A text of a format. An end tag of Hermes is its last word: at the end of a reply without one a row has a call, and
 * the peer has none.
 */
export function textOf(id, next) {
  const text = Array.from({ length: 1 + next(4) }, () => TEXTS[id](next)).join('')
  return id === 'hermes' && text.includes('<tool_call>') ? `${text}</tool_call>` : text + (next(2) === 0 ? '.' : '')
}
