/**
 * Texts for the segment bench, with their expected results.
 *
 * A model writes a file, calls a tool, or writes text that looks a little like it. A body is source code
 * or prose of the wanted length, made from a seed. Bodies have text that keeps a parser busy: `<` and `</`
 * that close nothing, brackets, backslashes, starts of end markers, and in one line of twenty some
 * non-ASCII characters.
 *
 * A text is made by `make(size, seed)`: `text` is what the model writes (of an API call: the text of its arguments),
 * `segments` the expected segments, as `[type, metadata, content]`, `invocations` the expected
 * calls, as `[name, arguments]`. `errors` has the expected codes of `onError`; without it errors are not checked.
 */

import { random, WORDS } from './corpus.mjs'
import { document } from './documents.mjs'

const FOREIGN = ['café', 'naïve', 'Zürich', '東京', '天気予報', 'Привет', '🙂', '🚀', '—']
const CODE = [
  'if (a < b && b <= c) {', '}', 'for (let i = 0; i < n; i++) {', 'return x << 4', 'const s = "a\\tb\\n"', "print('done')",
  'const list: Array<Map<string, T>> = []', '<div class="note">', '</div>', '<arg>', '</argument>', '</tools>', '</write_files>',
  '__END__', '[[1, 2], [3]]', '[[SEGMENT]]', '{ "key": "value", "n": [1, 2] }', 'cout << x;', 'a &= b & 0xff', '// __END_CONTENT',
]
const NEAR = [
  'if (a < b && b <= c)', 'x<y', 'i < n', '<div class="note">', '</div>', '<b>bold</b>', 'Map<string, Array<T>>', 'cout << x', '<!-- note -->',
  '<T>', '<=>', '<', '<<', '<t', '<to', '<tool', '<tool>', '<toolbar>', '<tools name="x">', '</tool>', '<write', '<write_file>', '</write_file>',
  '<write_files path="a">', '<run_', '<run_bashful>', '<tool names=x>', '<tool note="<b>">',
]
const BRACES = [
  'if (x) { return [a, b] }', '{ a: 1, b: { c: 2 } }', '{"id": 7, "name": "x", "tags": ["a", {"b": null}]}', '[[1, 2], [3]]', '${name}', '{}', '[]',
  '{', '[', '}', ']', '{"id": 1, "open', '[{', '[{"id": 2}]', '{{ name }}', 'f({', '{"toolbox": 1}', '{"quoted"}', 'x[i]',
]

const FALSE_ENDS = [
  '__END_CONTENT__', '__END_CONTENT__   ', '__END_CONTENT__\n\n</ar', '</arg>', '</arg>\n', '</arg>   </argument>', '</arg></too', '__END_CONTENT', '__', '<',
  '</tool>',
]
const HEADERS = [
  '[[SEG_START', '[[SEG_START {', '[[SEG_START {}]]', '[[SEG_START {"type":"nothing"}]]', '[[SEG_START {"', '[[SEG_START [[', '[[', '[[[', ']]',
  '[[SEG_END]]', '{"a":',
]

/** The first `size` units of a text. A full stop replaces half a surrogate pair, which no model writes. */
function start(text, size) {
  return /[\ud800-\udbff]/.test(text[size - 1]) ? `${text.slice(0, size - 1)}.` : text.slice(0, size)
}

/** A prefix of a text whose escaped form is as long as the text. */
function shorter(text, write) {
  return start(text, Math.floor(text.length ** 2 / write(text).length))
}

function writer(seed) {
  const next = random(seed)
  const below = (n) => Math.floor(next() * n)
  const pick = (list) => list[below(list.length)]

  function words(count) {
    let text = pick(WORDS)
    for (let i = 1; i < count; i++) text += ` ${pick(WORDS)}`
    return text
  }

  /** Exactly `size` units of pieces; the last one is cut off, and `end` follows. */
  function fill(size, end, piece) {
    const pieces = []
    let length = 0
    while (length < size) {
      const more = piece()
      pieces.push(more)
      length += more.length
    }
    return start(pieces.join(''), size - end.length) + end
  }

  const line = () => {
    const indent = '  '.repeat(below(4))
    if (next() < 0.05) return `${indent}// ${words(3)} ${pick(FOREIGN)} ${words(2)}\n`
    return next() < 0.4 ? `${indent}${pick(CODE)}\n` : `${indent}${pick(WORDS)}_${pick(WORDS)} = ${words(1 + below(4))}(${below(1000)})\n`
  }

  return {
    below,
    pick,
    next,
    words,
    code: (size) => fill(size, '\n  return end', line),
    prose: (size) =>
      fill(size, ' end.', () => {
        const foreign = next() < 0.02 ? `${pick(FOREIGN)} ` : ''
        return `${words(5 + below(12))}${pick(['. ', '. ', ', ', '? ', '.\n', '.\n\n'])}${foreign}`
      }),
    wordsOnly: (size) => fill(size, ' end.', () => `${words(12)}, `),
    /** Words with pieces of the list between them. */
    dense: (list, size, end) =>
      fill(size, end, () => `${words(1 + below(3))} ${next() < 0.6 ? pick(list) : pick(WORDS)}${next() < 0.1 ? '\n' : ' '}`),
    /** Inline code and fences that show markup, each closed. */
    markdown: (size) =>
      fill(size, ' end.', () => {
        const odds = next()
        if (odds < 0.2) return `${words(3)} \`<run_bash>${pick(WORDS)}</run_bash>\` ${words(4)}. `
        if (odds < 0.24) return `\n\`\`\`xml\n<write_file path="${pick(WORDS)}">\n${line()}</write_file>\n\`\`\`\n`
        return `${words(5 + below(12))}. `
      }),
  }
}

const PATH = 'src/app.py'
const BEFORE = 'I write it now, as a < b.\n'
const AFTER = '\nThat is all.'

/** A call between two texts. */
function around(call, segment, invocation) {
  return {
    text: BEFORE + call + AFTER,
    segments: [['text', {}, BEFORE], segment, ['text', {}, AFTER]],
    invocations: [invocation],
    errors: [],
  }
}

/** Without the sentence that the length cuts: inline code that isn't closed is no code. */
function wholeSentences(text) {
  return text.slice(0, text.lastIndexOf('. ') + 2)
}

/** Only text. */
function plain(text, errors = []) {
  return { text, segments: [['text', {}, text]], invocations: [], errors }
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Like JSON.stringify, but half of the non-ASCII characters are escaped. */
function written(value, next) {
  return JSON.stringify(value).replace(/[^\0-\x7f]+/g, (run) => {
    if (next() < 0.5) return run
    return Array.from({ length: run.length }, (_, at) => `\\u${run.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
  })
}

function toolFile(body, content, [first, second] = [0, 1]) {
  const args = [`<arg name="path">${PATH}</arg>`, `<arg name="content">${body}</arg>`]
  return around(
    `<tool name="write_file">\n<arguments>\n${args[first]}\n${args[second]}\n</arguments>\n</tool>`,
    ['write_file', { tool_name: 'write_file', path: PATH }, content],
    ['write_file', { path: PATH, content }],
  )
}

/** The arguments of `write_file`, in the order of `value`. */
function apiFile(value, next) {
  return {
    text: written(value, next),
    segments: [['write_file', { tool_name: 'write_file', path: value.path }, value.content]],
    invocations: [['write_file', value]],
    errors: [],
  }
}

function jsonTool(size, seed) {
  const argument = document(size, seed)
  const call = `{"tool": {"function": "save_records", "parameters": ${argument}}}`
  return around(call, ['tool_call', {}, call], ['save_records', JSON.parse(argument)])
}

/** Prose with small calls, as in an agent's answer. */
function mixed(size, seed) {
  const { below, code, pick, prose, words } = writer(seed)
  const segments = []
  const invocations = []
  const pieces = []
  let room = size
  const emit = (text, segment, invocation) => {
    pieces.push(text)
    segments.push(segment)
    if (invocation !== undefined) invocations.push(invocation)
    room -= text.length
  }
  while (room > 1500) {
    const text = `${prose(60 + below(500))}\n`
    emit(text, ['text', {}, text])
    const kind = below(4)
    if (kind === 0) {
      const command = `ls ${words(3)} && cat < ${pick(WORDS)}.txt`
      emit(`<run_bash>${command}</run_bash>`, ['run_bash', {}, command], ['run_bash', { command }])
    } else if (kind === 1) {
      const query = words(6)
      const limit = String(below(100))
      const inside = `<arguments><arg name="query">${query}</arg><arg name="limit">${limit}</arg></arguments>`
      emit(`<tool name="search">${inside}</tool>`, ['tool_call', { tool_name: 'search' }, inside], ['search', { query, limit }])
    } else {
      const content = code(60 + below(400))
      const path = `${pick(WORDS)}.py`
      emit(
        `<tool name="write_file"><arguments><arg name="path">${path}</arg><arg name="content">${content}</arg></arguments></tool>`,
        ['write_file', { tool_name: 'write_file', path }, content],
        ['write_file', { path, content }],
      )
    }
  }
  const text = prose(Math.max(room, 20))
  emit(text, ['text', {}, text])
  return { text: pieces.join(''), segments, invocations, errors: [] }
}

/**
 * The texts, by name. `config` is tokenweir's; `others` lists the other readers of the text: a plain parser
 * (straightforward), the reference (autobyteus). `api`: the name of the tool whose arguments the text is. `hostile`:
 * no model writes such a text, but its time must be linear too.
 */
export const TEXTS = {
  'write-file': {
    label: '`<write_file path>`',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make(size, seed) {
      const content = writer(seed).code(size)
      return around(
        `<write_file path="${PATH}">${content}</write_file>`,
        ['write_file', { path: PATH }, content],
        ['write_file', { path: PATH, content }],
      )
    },
  },
  'tool-write-file': {
    label: '`<tool name="write_file">`',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make(size, seed) {
      const content = writer(seed).code(size)
      return toolFile(content, content)
    },
  },
  'tool-write-file-markers': {
    label: '`<tool name="write_file">` with markers',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make(size, seed) {
      const { code, words } = writer(seed)
      const content = `${code(size >> 1)}\n// </arg> ${words(2)}\n${code(size >> 1)}\n`
      return toolFile(`\n__START_CONTENT__\n${content}__END_CONTENT__\n`, content)
    },
  },
  'path-last': {
    label: 'content before the path',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make(size, seed) {
      const content = writer(seed).code(size)
      return toolFile(content, content, [1, 0])
    },
  },
  tool: {
    label: '`<tool name>`',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make(size, seed) {
      const { code, words } = writer(seed)
      const note = shorter(code(size), escaped).trim()
      const title = words(4)
      const inside = `<arguments><arg name="title">${title}</arg><arg name="note">${escaped(note)}</arg></arguments>`
      return around(`<tool name="save_note">${inside}</tool>`, ['tool_call', { tool_name: 'save_note' }, inside], ['save_note', { title, note }])
    },
  },
  mixed: {
    label: 'prose and small calls',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make: mixed,
  },
  text: {
    label: 'plain text',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make: (size, seed) => plain(writer(seed).prose(size)),
  },
  angle: {
    label: 'text full of `<`',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make: (size, seed) => ({ ...plain(writer(seed).dense(NEAR, size, ' > end.')), errors: undefined }),
  },
  'unclosed-tag': {
    label: '`<tool` that is never closed',
    config: { strategy: 'xml' },
    others: ['straightforward', 'autobyteus'],
    make: (size, seed) => plain(`So <tool ${writer(seed).wordsOnly(size)}`, ['bad-tag']),
  },
  fences: {
    label: 'markup in code, `fences: \'text\'`',
    config: { strategy: 'xml', fences: 'text' },
    others: [],
    make: (size, seed) => plain(wholeSentences(writer(seed).markdown(size))),
  },
  json: {
    label: 'JSON tool',
    config: { strategy: 'json', jsonProfile: 'openai' },
    others: ['straightforward', 'autobyteus'],
    make: jsonTool,
  },
  'json-and-xml': {
    label: 'JSON tool, searched for tags too',
    config: { strategyOrder: ['xml_tag', 'json_tool'], jsonProfile: 'openai' },
    others: [],
    make: jsonTool,
  },
  braces: {
    label: 'text full of `{` and `[`',
    config: { strategy: 'json', jsonProfile: 'openai' },
    others: ['straightforward', 'autobyteus'],
    make: (size, seed) => plain(writer(seed).dense(BRACES, size, ' end.')),
  },
  sentinel: {
    label: 'sentinel',
    config: { strategy: 'sentinel' },
    others: ['straightforward', 'autobyteus'],
    make(size, seed) {
      const content = writer(seed).code(size)
      return around(
        `[[SEG_START {"type":"write_file","path":"${PATH}"}]]${content}[[SEG_END]]`,
        ['write_file', { path: PATH }, content],
        ['write_file', { path: PATH, content }],
      )
    },
  },
  'api-write-file': {
    label: 'API call of `write_file`',
    config: { strategy: 'api_tool_call' },
    others: ['autobyteus'],
    api: 'write_file',
    make(size, seed) {
      const { code, next } = writer(seed)
      const content = shorter(code(size), JSON.stringify)
      return apiFile({ path: PATH, content }, next)
    },
  },
  api: {
    label: 'API call',
    config: { strategy: 'api_tool_call' },
    others: ['autobyteus'],
    api: 'save_records',
    make(size, seed) {
      const text = document(size, seed)
      return { text, segments: [['tool_call', { tool_name: 'save_records' }, text]], invocations: [['save_records', JSON.parse(text)]], errors: [] }
    },
  },
  'false-ends': {
    label: 'almost end tags',
    config: { strategy: 'xml' },
    others: ['straightforward'],
    hostile: true,
    make(size, seed) {
      const content = `${writer(seed).dense(FALSE_ENDS, size, ' end.')}\n`
      return toolFile(`__START_CONTENT__\n${content}__END_CONTENT__`, content)
    },
  },
  'path-never': {
    label: 'a path that never comes',
    config: { strategy: 'xml' },
    others: [],
    hostile: true,
    make(size, seed) {
      const list = NEAR.filter((near) => near !== '</tool>')
      return plain(`Now <tool name="write_file"><arg name="content">${writer(seed).dense(list, size, ' end.')}`, ['unterminated'])
    },
  },
  ticks: {
    label: 'backticks of all lengths, `fences: \'text\'`',
    config: { strategy: 'xml', fences: 'text' },
    others: [],
    hostile: true,
    make(size, seed) {
      const { below, dense } = writer(seed)
      const runs = Array.from({ length: 60 }, (_, index) => '`'.repeat(1 + index + below(40)))
      return plain(dense(runs, size, ' end.'))
    },
  },
  header: {
    label: 'a sentinel\'s header that never ends',
    config: { strategy: 'sentinel' },
    others: [],
    hostile: true,
    make: (size, seed) => plain(`So [[SEG_START {"type": "tool", "note": "${writer(seed).wordsOnly(size)}`, ['bad-header']),
  },
  headers: {
    label: 'text full of `[[SEG_START`',
    config: { strategy: 'sentinel' },
    others: [],
    hostile: true,
    make: (size, seed) => ({ ...plain(writer(seed).dense(HEADERS, size, ' end.')), errors: undefined }),
  },
  'api-path-last': {
    label: 'API call of `write_file`, content before the path',
    config: { strategy: 'api_tool_call' },
    others: [],
    api: 'write_file',
    hostile: true,
    make(size, seed) {
      const { code, next } = writer(seed)
      return apiFile({ content: shorter(code(size), JSON.stringify), path: PATH }, next)
    },
  },
}
