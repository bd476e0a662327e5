// An independent segment parser, for tests: it reads the whole text, with no
// thought of speed or of chunks. It gives what `extractSegments` gives. It knows
// of no fences, and of the limits only the length of a tag.

const LONGEST_TAG = 4_096
const SPACE = ' \t\n\r\f'
const JSON_SPACE = ' \t\n\r'

const SIGNATURES = {
  openai: ['{"tool":', '{"tool_calls":', '{"tools":', '{"function":', '[{"tool":', '[{"function":'],
  gemini: ['{"name":', '[{"name":'],
  default: ['{"tool":', '{"function":'],
}

const FILE = { contentArg: 'content', startWhen: ['path'], startMarker: '__START_CONTENT__', endMarker: '__END_CONTENT__' }
const PATCH = { contentArg: 'patch', startWhen: ['path'], startMarker: '__START_PATCH__', endMarker: '__END_PATCH__' }
const STATES = {
  write_file: { segmentType: 'write_file', ...FILE },
  patch_file: { segmentType: 'patch_file', ...PATCH },
  edit_file: { segmentType: 'edit_file', ...PATCH },
  run_bash: { segmentType: 'run_bash', contentArg: 'command' },
}

const SENTINELS = {
  text: 'text', tool: 'tool_call', tool_call: 'tool_call', write_file: 'write_file', patch_file: 'patch_file', edit_file: 'edit_file', run_bash: 'run_bash', run_terminal_cmd: 'run_bash',
  reasoning: 'reasoning',
}

/** The segments of a text. */
export function naiveSegments(text, { strategyOrder = ['xml_tag'], jsonProfile = 'default', toolStates = {} } = {}) {
  const readers = { xml_tag: (at) => readTag(text, at, toolStates), json_tool: (at) => readJson(text, at, jsonProfile), sentinel: (at) => readSentinel(text, at) }
  const emitted = []
  let prose = ''
  const endProse = () => {
    if (prose !== '') emitted.push({ type: 'text', content: prose, metadata: {} })
    prose = ''
  }
  for (let at = 0; at < text.length; ) {
    const found = strategyOrder.map((name) => readers[name](at)).find((each) => each !== undefined)
    const end = found?.end ?? at + 1
    if (found?.segment === undefined) prose += text.slice(at, end)
    else {
      endProse()
      emitted.push(found.segment)
    }
    at = end
  }
  endProse()
  return emitted.map((segment, at) => ({ id: `seg_${at + 1}`, ...segment }))
}

// Each reader gives what it finds at a place: a segment and its end, or the end
// alone of what is text and not searched, or undefined.

const segment = (type, content, metadata, end) => ({ segment: { type, content, metadata }, end })

function pass(text, at, characters) {
  while (at < text.length && characters.includes(text[at])) at += 1
  return at
}

/** The pattern of a tag, before whose end white space may stand. */
const spaced = (pattern) => pattern.replace(/>$/, `[${SPACE}]*>`)

/** Where a closing tag begins and ends; without it, the end of the text. */
function findClosed(text, pattern, from) {
  const found = new RegExp(spaced(pattern), 'gi')
  found.lastIndex = from
  const match = found.exec(text)
  return match === null ? [text.length, text.length] : [match.index, match.index + match[0].length]
}

/** The end of a construct at a position; undefined if there is none. */
function endOf(text, pattern, at) {
  const found = new RegExp(spaced(pattern), 'iy')
  found.lastIndex = at
  return found.test(text) ? found.lastIndex : undefined
}

/** The opening tag at a position; `{ stop }`, a position, if it is invalid; 'cut' if the text ends in it; undefined if it is another tag. */
function openerAt(text, at, names) {
  const [front, name] = /^<([a-z_]+)(?=[\s/>]|$)/i.exec(text.slice(at, at + 20)) ?? []
  if (name === undefined || !names.includes(name.toLowerCase())) return undefined
  const isCut = text.length - at <= LONGEST_TAG
  const attributes = {}
  const written = []
  for (let place = at + front.length; ; ) {
    place = pass(text, place, SPACE)
    if (place >= text.length) return isCut ? 'cut' : undefined
    if (text[place] === '<') return { stop: place }
    const isEmpty = text.startsWith('/>', place)
    if (isEmpty || text[place] === '>') {
      const end = place + (isEmpty ? 2 : 1)
      return end - at > LONGEST_TAG ? undefined : { name: name.toLowerCase(), attributes, written, isEmpty, end }
    }
    if (text[place] === '/') {
      place += 1
      continue
    }
    const [key] = /[^\s/<>][^\s/<>=]*/y.exec(text.slice(place))
    const after = pass(text, place + key.length, SPACE)
    place += key.length
    if (text[after] !== '=') continue
    place = pass(text, after + 1, SPACE)
    const mark = text[place]
    if (mark === '"' || mark === "'") {
      const end = text.indexOf(mark, place + 1)
      if (end === -1) return isCut ? 'cut' : undefined
      attributes[key.toLowerCase()] ??= text.slice(place + 1, end)
      if (!written.some(([other]) => other === key)) written.push([key, text.slice(place + 1, end)])
      place = end + 1
    } else {
      const from = place
      while (place < text.length && !`${SPACE}<>`.includes(text[place])) place += 1
      // A slash before the end is the tag's.
      if (text[place] === '>' && text[place - 1] === '/') place -= 1
      const value = text.slice(from, place)
      attributes[key.toLowerCase()] ??= value
      if (!written.some(([other]) => other === key)) written.push([key, value])
    }
  }
}

function readTag(text, at, toolStates) {
  if (text[at] !== '<') return undefined
  const tag = openerAt(text, at, ['tool', 'write_file', 'run_bash'])
  if (tag?.end === undefined) return undefined
  const { name, attributes, isEmpty } = tag
  const whole = (type, metadata) => {
    const [to, end] = isEmpty ? [tag.end, tag.end] : findClosed(text, `</${name}>`, tag.end)
    return segment(type, text.slice(tag.end, to), metadata, end)
  }
  // Attributes in quotes that have no meaning are emitted as they are.
  const others = Object.fromEntries(tag.written.filter(([key]) => !(name === 'write_file' ? ['path'] : ['background', 'timeout_seconds', 'timeoutseconds']).includes(key.toLowerCase())))
  if (name === 'write_file') return attributes.path ? whole(name, { path: attributes.path, ...others }) : undefined
  if (name === 'run_bash') return whole(name, { ...commandMetadata(attributes), ...others })
  if (!attributes.name) return undefined
  const tool = attributes.name.toLowerCase()
  const state = [toolStates, STATES].find((states) => Object.hasOwn(states, tool))?.[tool]
  return state === undefined ? whole('tool_call', { tool_name: attributes.name }) : readTool(text, tag, state)
}

function commandMetadata({ background, timeout_seconds: seconds }) {
  const flag = { true: true, 1: true, yes: true, false: false, 0: false, no: false }[background?.toLowerCase()]
  return { ...(flag !== undefined && { background: flag }), ...(/^\d+$/.test(seconds ?? '') && Number(seconds) > 0 && { timeout_seconds: Number(seconds) }) }
}

function readTool(text, { attributes, isEmpty, end: from }, { segmentType, contentArg, startWhen = [], metadataArgs = [], startMarker, endMarker }) {
  const wanted = [...startWhen, ...metadataArgs]
  const metadata = { tool_name: attributes.name }
  let hasBegun = wanted.length === 0
  let content
  const begin = () => {
    hasBegun ||= startWhen.every((name) => name in metadata)
  }
  const over = (end) => (hasBegun ? segment(segmentType, content ?? '', metadata, end) : { end })
  const closed = (end) => {
    begin()
    return over(end)
  }
  if (isEmpty) return closed(from)
  for (let at = from; ; ) {
    at = text.indexOf('<', at)
    if (at === -1) return over(text.length)
    const end = endOf(text, '</tool>', at)
    if (end !== undefined) return closed(end)
    const tag = hasBegun && content !== undefined ? undefined : openerAt(text, at, ['arg'])
    if (tag === 'cut') return over(text.length)
    if (tag?.end === undefined) {
      at = tag?.stop ?? at + 1
      continue
    }
    at = tag.end
    const name = tag.attributes.name?.trim()
    if (name === contentArg && content === undefined) {
      begin()
      const read = tag.isEmpty ? { content: '', end: at } : startMarker === undefined ? readPlain(text, at) : readContent(text, at, startMarker, endMarker)
      content = read.content
      if (read.end === undefined) return over(text.length)
      at = read.end
    } else if (!hasBegun && wanted.includes(name) && !(name in metadata) && !tag.isEmpty) {
      const to = text.indexOf('<', at)
      const value = text.slice(at, to).trim()
      if (to === -1) return over(text.length)
      at = endOf(text, '</arg>', to) ?? to
      if (at === to || value === '') continue
      metadata[name] = value
      if (startWhen.length > 0) begin()
    }
  }
}

function readPlain(text, from) {
  const [to, end] = findClosed(text, '</arg>', from)
  return { content: text.slice(from, to), end: end === to ? undefined : end }
}

function readContent(text, from, startMarker, endMarker) {
  const at = pass(text, from, SPACE)
  if (!text.startsWith(startMarker, at)) return readPlain(text, from)
  const after = at + startMarker.length
  const start = after + (/^\r?\n/.exec(text.slice(after, after + 2))?.[0].length ?? 0)
  for (let to = start; to < text.length; to++) {
    const end = text.startsWith(endMarker, to) ? endOf(text, '</arg>', pass(text, to + endMarker.length, SPACE)) : undefined
    if (end !== undefined) return { content: text.slice(start, to), end }
    const closed = endOf(text, '</arg>', to)
    const isLast = closed !== undefined && endOf(text, '</(arguments|tool)>', pass(text, closed, SPACE)) !== undefined
    if (isLast) return { content: text.slice(start, to).replace(/\n[ \t\n\r\f]*$/, ''), end: closed }
  }
  return { content: text.slice(start) }
}

function readJson(text, at, profile) {
  if (text[at] !== '{' && text[at] !== '[') return undefined
  const signatures = Array.isArray(profile) ? profile : SIGNATURES[profile]
  if (signatures.some((signature) => isSignature(text, at, signature))) {
    const end = endOfBrackets(text, at)
    return segment('tool_call', text.slice(at, end), {}, end)
  }
  return text[at] === '{' && text[pass(text, at + 1, JSON_SPACE)] === '"' ? { end: endOfJson(text, at) } : undefined
}

function isSignature(text, at, signature) {
  let isInside = false
  for (const character of signature) {
    if (!isInside) at = pass(text, at, JSON_SPACE)
    if (text[at] !== character) return false
    if (character === '"') isInside = !isInside
    at += 1
  }
  return true
}

function endOfBrackets(text, at) {
  let depth = 0
  for (; at < text.length; at++) {
    if (text[at] === '"') at = /"(?:[^"\\]|\\[^])*(?:"|\\?$)/y.exec(text.slice(at))[0].length + at - 1
    else if (text[at] === '{' || text[at] === '[') depth += 1
    else if ((text[at] === '}' || text[at] === ']') && (depth -= 1) === 0) return at + 1
  }
  return text.length
}

/** Where a JSON object ends, or where the text stops being the front of one. */
function endOfJson(text, from) {
  const open = []
  let wanted = 'value'
  let at = from
  while (at < text.length) {
    at = pass(text, at, JSON_SPACE)
    const character = text[at]
    if (character === undefined) break
    const isClosed = (wanted === 'next' || wanted === 'first key' || wanted === 'first value') && character === open.at(-1)
    if (isClosed) {
      open.pop()
      at += 1
      if (open.length === 0) return at
      wanted = 'next'
    } else if (wanted === 'next' || wanted === 'colon') {
      if (character !== (wanted === 'next' ? ',' : ':')) return at
      at += 1
      wanted = wanted === 'next' && open.at(-1) === '}' ? 'key' : 'value'
    } else if (character === '"') {
      const { end, isWhole } = stringAt(text, at)
      if (!isWhole) return end
      at = end
      wanted = wanted.endsWith('key') ? 'colon' : 'next'
    } else if (wanted.endsWith('key')) return at
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      at += 1
      wanted = character === '{' ? 'first key' : 'first value'
    } else {
      const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y.exec(text.slice(at, at + 100))
      if (scalar === null) return at + /t?r?u?|f?a?l?s?|n?u?l?|-?/y.exec(text.slice(at, at + 5))[0].length
      at += scalar[0].length
      wanted = 'next'
    }
  }
  return text.length
}

function stringAt(text, from) {
  const front = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*/y.exec(text.slice(from))[0].length + from
  if (text[front] === '"') return { end: front + 1, isWhole: true }
  return { end: front + /(?:\\(?:u[0-9a-fA-F]{0,3})?)?/y.exec(text.slice(front, front + 6))[0].length, isWhole: false }
}

function readSentinel(text, at) {
  if (!text.startsWith('[[SEG_START', at)) return undefined
  const from = pass(text, at + '[[SEG_START'.length, JSON_SPACE)
  if (text[from] !== '{') return undefined
  const to = endOfJson(text, from)
  const end = pass(text, to, JSON_SPACE)
  if (text[to - 1] !== '}' || !text.startsWith(']]', end)) return undefined
  let header
  try {
    header = JSON.parse(text.slice(from, to))
  } catch {
    return undefined
  }
  const { type, ...metadata } = header
  const name = typeof type === 'string' ? type.trim().toLowerCase() : ''
  if (!Object.hasOwn(SENTINELS, name)) return undefined
  const [last, closed] = findClosed(text, '\\[\\[SEG_END\\]\\]', end + 2)
  return segment(SENTINELS[name], text.slice(end + 2, last), metadata, closed)
}
