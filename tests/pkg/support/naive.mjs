// An independent block parser, for tests: it reads the whole text, with
// no thought of speed or of chunks. It gives the lines of render.mjs without
// spans, what a reader may see, and what may have to be held.

const ROLES = { thinking: 'thinking', think: 'thinking', function_calls: 'calls', function_results: 'results', invoke: 'invoke', parameter: 'parameter', result: 'result', error: 'error' }
const EVERYWHERE = ['thinking', 'think', 'function_calls', 'function_results', 'invoke']
const IN_CALLS = [...EVERYWHERE, 'parameter']
const IN_RESULTS = [...EVERYWHERE, 'result', 'error']

const ATTRIBUTE = /([^ \t\n\r/<>][^ \t\n\r/<>=]*)([ \t\n\r]*=[ \t\n\r]*(?:"([^"]*)"|'([^']*)'|([^ \t\n\r<>"'][^ \t\n\r<>]*)|(?=>)))?/y
const LONGEST = 4_096

/** What could still become a tag of these names: a front of its name, or a name and an end that is not there yet. */
function isFront(text, names, isCloser) {
  const name = /^<\/?(?<name>[^ \t\n\r/<>=&"']*)$/.exec(text)?.groups.name
  return name !== undefined && text.startsWith('</') === isCloser && names.some((known) => known.startsWith(name) || `antml:${known}`.startsWith(name))
}

/** The tag at a `<`: the tag, 'pending' if more text could make it one, or undefined. */
function tagAt(text, at, openers, closers) {
  const rest = text.slice(at, at + LONGEST)
  const isCut = at + LONGEST >= text.length
  const start = /^<(\/?)(?:antml:)?([a-z_]+)(?=[ \t\n\r/>])/.exec(rest)
  if (!start) return isCut && text.length - at < LONGEST && (isFront(rest, openers, false) || isFront(rest, closers, true) || (rest === '<' && closers.length > 0)) ? 'pending' : undefined
  const [front, slash, name] = start
  if (!(slash ? closers : openers).includes(name)) return undefined
  if (slash) {
    const end = /^[ \t\n\r]*(>?)/.exec(rest.slice(front.length))
    if (end[1]) return { name, isCloser: true, size: front.length + end[0].length }
    return front.length + end[0].length === rest.length && rest.length < LONGEST ? 'pending' : undefined
  }
  const attributes = {}
  let isEmpty = false
  for (let place = front.length; place < rest.length; ) {
    const next = rest[place]
    if (next === '>') return { name, isEmpty, attributes, size: place + 1 }
    if (next === '<') return undefined
    if (next === '/' || ' \t\n\r'.includes(next)) {
      isEmpty = next === '/'
      place += 1
      continue
    }
    ATTRIBUTE.lastIndex = place
    const [whole, key, hasValue, double, single, bare] = ATTRIBUTE.exec(rest)
    // A quote that isn't closed: all that follows is in it, for now.
    if (!hasValue && /^[ \t\n\r]*=[ \t\n\r]*["']/.test(rest.slice(place + key.length))) return rest.length < LONGEST ? 'pending' : undefined
    const value = double ?? single ?? bare
    if (value !== undefined) attributes[key] ??= value
    isEmpty = false
    place += whole.length
  }
  return rest.length < LONGEST ? 'pending' : undefined
}

const NAMED = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** A text with its character references read. */
export function decode(text) {
  return text.replace(/&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g, (whole, name, decimal, hexadecimal) => {
    if (name) return NAMED[name]
    const code = decimal ? Number(decimal) : parseInt(hexadecimal, 16)
    const isCharacter = (code >= 0x20 || [9, 10, 13].includes(code)) && code < 0x110000 && !(code >= 0xd800 && code < 0xe000)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}

const escaped = (text) => `"${text.replace(/["\\\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1))}"`

/** A parameter's value as JSON text. */
function typed(written) {
  const text = written.trim()
  if (/^[0-9]{16,}$/.test(text)) return escaped(text)
  try {
    JSON.parse(text)
    return text
  } catch {
    return escaped(text)
  }
}

function isObject(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * Reads a text.
 *
 * @returns `lines`; `visible`, all visible text; `heldFrom`, where text begins
 * that more text could turn into markup, but undefined inside a tool call; and
 * `changes`, how often the kind of what is open changes, at most
 */
export function naive(text) {
  const lines = []
  const stack = []
  let changes = 0
  let visible = ''
  let leaf // 'invoke', 'parameter', 'result' or 'error'
  let block
  let heldFrom
  let isHeldInCall
  let at = 0

  const top = () => stack.at(-1)
  const complete = (isCut, isEnd = false) => {
    if (block === undefined) return
    const { kind, content, name, id, members, stray } = block
    if (kind === 'call') {
      const isBody = members.length === 0 && isObject(stray)
      lines.push(`call ${name ? JSON.stringify(name) : '-'} ${isBody ? stray : `{${members.join(',')}}`}${isCut || !name ? ' incomplete' : ''}`)
      if (stray !== '' && !isBody) lines.push(`stray ${JSON.stringify(stray)}`)
    } else if (kind === 'result' || kind === 'error') lines.push(`${kind} ${id === undefined ? '-' : JSON.stringify(id)} ${JSON.stringify(content)}${isEnd ? ' incomplete' : ''}`)
    else lines.push(`${kind} ${JSON.stringify(content)}${isEnd && kind === 'thinking' ? ' incomplete' : ''}`)
    block = undefined
  }
  const addText = (written) => {
    const isLayout = leaf === 'invoke' || (leaf === undefined && block === undefined && (top() === 'calls' || top() === 'results'))
    const run = isLayout ? written.replace(/^[ \t\n\f\r]+/, '') : written
    if (run === '') return
    if (leaf === 'invoke') {
      block.stray += run
      return
    }
    block ??= { kind: { undefined: 'text', thinking: 'thinking', calls: 'stray', results: 'result' }[top()], content: '' }
    block.content += leaf === 'result' || leaf === 'error' || (leaf === undefined && top() === 'results') ? decode(run) : run
    if (block.kind === 'text') visible += run
  }
  const close = (kind) => {
    if (!stack.includes(kind)) return
    complete(true)
    leaf = undefined
    while (stack.pop() !== kind);
  }
  const closer = (role) => {
    if (['thinking', 'calls', 'results'].includes(role)) close(role)
    else if (leaf === role || (role === 'result' && leaf === 'error') || (role === 'error' && leaf === 'result')) {
      complete(false)
      leaf = undefined
    }
  }
  const opener = ({ attributes, isEmpty }, role) => {
    if (role === 'parameter') {
      if (leaf !== 'invoke') return
      block.members.push(`${escaped(decode(attributes.name ?? ''))}:`)
      if (isEmpty) block.members[block.members.length - 1] += '""'
      else leaf = 'parameter'
      return
    }
    complete(true)
    leaf = undefined
    if (role === 'invoke') {
      block = { kind: 'call', name: decode(attributes.name ?? ''), members: [], stray: '' }
      leaf = role
    } else if (role === 'result' || role === 'error') {
      const id = attributes.tool_use_id
      block = { kind: role, content: '', id: id === undefined ? undefined : decode(id) }
      leaf = role
    } else {
      if (top() !== role) changes += 1
      stack.push(role)
      if (role === 'thinking') block = { kind: role, content: '' }
    }
    if (isEmpty) closer(role)
  }

  while (at < text.length) {
    if (leaf === 'parameter') {
      const end = /<\/(?:antml:)?parameter[ \t\n\r]*>/.exec(text.slice(at))
      block.members[block.members.length - 1] += typed(end === null ? text.slice(at) : text.slice(at, at + end.index))
      if (end === null) break
      leaf = 'invoke'
      at += end.index + end[0].length
      continue
    }
    const [openers, closers] =
      leaf === 'result' || leaf === 'error' ? [[], [leaf, 'function_results']]
      : leaf === undefined && top() === 'results' ? [IN_RESULTS, IN_RESULTS]
      : leaf === 'invoke' ? [IN_CALLS, IN_CALLS]
      : [EVERYWHERE, EVERYWHERE]
    let end = at
    let tag
    for (; end < text.length; end++) {
      if (text[end] !== '<') continue
      tag = tagAt(text, end, openers, closers)
      if (tag === 'pending') {
        isHeldInCall ??= leaf === 'invoke'
        heldFrom ??= end
        tag = undefined
      }
      if (tag !== undefined) break
    }
    addText(text.slice(at, end))
    at = end
    if (tag === undefined) break
    at += tag.size
    if (tag.isCloser) closer(ROLES[tag.name])
    else opener(tag, ROLES[tag.name])
  }
  if (leaf === undefined ? top() === 'results' : leaf === 'result' || leaf === 'error') {
    const reference = /&(?:[a-z]*|#[0-9]*|#[xX][0-9a-fA-F]*)$/.exec(text)
    if (reference !== null && isReferenceFront(reference[0])) heldFrom ??= reference.index
  }
  if (leaf === 'parameter' && block.members.at(-1).endsWith(':')) block.members[block.members.length - 1] += '""'
  const isInCall = isHeldInCall ?? (leaf === 'invoke' || leaf === 'parameter')
  complete(true, true)
  return { lines: lines.join('\n'), visible, heldFrom: isInCall ? undefined : heldFrom ?? text.length, changes }
}

function isReferenceFront(text) {
  if (/^&#([0-9]{0,7}|[xX][0-9a-fA-F]{0,6})$/.test(text)) return true
  return Object.keys(NAMED).some((name) => `&${name}`.startsWith(text))
}
