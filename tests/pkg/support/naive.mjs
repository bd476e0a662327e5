// An independent block parser, for tests: it reads the whole text, with
// no thought of speed or of chunks. It gives the lines of render.mjs without
// spans, what a reader may see, and what may have to be held.
import { doubled } from './render.mjs'

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

// Where a value ends, by what follows its closing tag.

const SPACE = '[ \\t\\n\\r]'
const CLOSER = new RegExp(`</(?:antml:)?parameter${SPACE}*>`, 'y')
const OWN_CLOSERS = (thinking) => new RegExp(`</(?:antml:)?(?:invoke|function_calls${thinking ? `|${thinking}` : ''})${SPACE}*>`, 'y')
const SECTIONS = ['function_calls', 'function_results']
const CALLS = /^<(?:antml:)?(?:invoke|parameter)(?=[ \t\n\r/])/
const ANY = /^<(?:antml:)?(?:invoke|parameter|function_calls|function_results)(?=[ \t\n\r/])/
const CDATA = '<![CDATA['

const isAt = (pattern, text, at) => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** Whether an opening tag of a call or a parameter with a name begins here; up to the name's value, with no `<` in it. */
function isNamed(text, at, tags = CALLS) {
  const start = tags.exec(text.slice(at, at + 100))
  if (!start) return false
  for (let place = at + start[0].length; place < text.length; ) {
    const next = text[place]
    if (next === '>' || next === '<') return false
    if (next === '/' || ' \t\n\r'.includes(next)) {
      place += 1
      continue
    }
    if (/^name[ \t\n\r]*=[ \t\n\r]*[^ \t\n\r<>]/.test(text.slice(place))) return true
    ATTRIBUTE.lastIndex = place
    const whole = ATTRIBUTE.exec(text)?.[0]
    if (whole === undefined || whole.includes('<')) return false
    if (/^[^ \t\n\r/<>=]+[ \t\n\r]*=[ \t\n\r]*["']/.test(text.slice(place)) && !/["'][^"']*$/.test(whole)) return false
    place += whole.length
  }
  return false
}

/** An opening tag of these names, whole and without a `<` in it. */
function isOpener(text, at, names) {
  const tag = tagAt(text, at, names, [])
  return typeof tag === 'object' && !text.slice(at + 1, at + tag.size).includes('<')
}

/** Whether the closing tag that ends at a place ends its value; 'at the end' if the text alone says so. */
function endsValue(text, from, thinking) {
  let isDirect = true
  for (let at = from; at < text.length; at++) {
    if (text[at] === '<') {
      if (isAt(CLOSER, text, at) > 0) return false
      if (isAt(OWN_CLOSERS(thinking), text, at) > 0) return true
      if (isNamed(text, at, ANY) || isOpener(text, at, isDirect ? [...SECTIONS, 'invoke', 'parameter'] : SECTIONS)) return true
    }
    if (!' \t\n\f\r'.includes(text[at])) isDirect = false
  }
  return 'at the end'
}

/** The text of a value, where it ends and what ended it: 'parameter', 'invoke' or nothing. */
function valueAt(text, at, thinking) {
  let from = at + /^\s*/.exec(text.slice(at))[0].length
  let literal
  while (text.startsWith(CDATA, from)) {
    const end = text.indexOf(']]>', from)
    if (end === -1) return { literal: (literal ?? '') + text.slice(from + CDATA.length), end: text.length }
    literal = (literal ?? '') + text.slice(from + CDATA.length, end)
    from = end + 3
  }
  if (literal !== undefined) {
    from += /^[ \t\n\f\r]*/.exec(text.slice(from))[0].length
    if (from === text.length) return { literal, end: from }
    const closer = tagAt(text, from, [], ['parameter', 'invoke'])
    if (typeof closer === 'object') return { literal, end: from + closer.size, by: closer.name }
  } else from = at
  for (let place = from; place < text.length; place++) {
    if (text[place] !== '<') continue
    // After CDATA the call ends at its own closing tag, too: there is no more of the value.
    const call = literal === undefined ? undefined : tagAt(text, place, [], ['invoke'])
    if (typeof call === 'object') return { written: text.slice(from, place), literal, isRefused: true, end: place + call.size, by: 'invoke' }
    const size = isAt(CLOSER, text, place)
    const ends = size > 0 && endsValue(text, place + size, thinking)
    if (ends) return { written: text.slice(from, place), literal, isRefused: literal !== undefined, end: place + size, by: 'parameter', isPending: ends === 'at the end' }
  }
  return { written: text.slice(from), literal, isRefused: literal !== undefined, end: text.length }
}

/** Whether a value has swallowed the opening tag of a parameter that begins one: a new one on a line, or after a call's. */
function hasSwallowed(written, keys) {
  let isInCall = false
  for (let at = 0; at < written.length; at++) {
    if (written[at] !== '<') continue
    if (isAt(CLOSER, written, at) > 0) isInCall = false
    const tag = tagAt(written, at, ['invoke', 'parameter'], [])
    if (typeof tag !== 'object' || !tag.attributes.name) continue
    if (tag.name === 'invoke') isInCall = true
    else if (isInCall || (/\n[ \t]*$/.test(written.slice(0, at)) && !keys.includes(decode(tag.attributes.name)))) return true
    at += tag.size - 1
  }
  return false
}

/** Whether a call begins at an opening tag in thinking: true, false or 'pending'. */
function callBegins(text, at, tag) {
  let isCall = tag.name === 'invoke'
  if (isCall && !tag.attributes.name) return false
  if (tag.isEmpty) return isCall
  for (let place = at + tag.size; ; ) {
    place += /^[ \t\n\f\r]*/.exec(text.slice(place))[0].length
    if (place >= text.length) return 'pending'
    if (text[place] === '{') return isCall
    if (text[place] !== '<') return false
    const next = tagAt(text, place, ['invoke', 'parameter'], ['invoke'])
    if (next === 'pending' || next === undefined) return next ?? false
    if (next.name !== 'invoke') return isCall
    if (next.isCloser) return isCall
    if (isCall || !next.attributes.name) return false
    if (next.isEmpty) return true
    isCall = true
    place += next.size
  }
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
    JSON.parse(doubled(text))
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
  let thinking
  let isSure = true

  const top = () => stack.at(-1)
  const complete = (isCut, isEnd = false) => {
    if (block === undefined) return
    const { kind, content, name, id, stray } = block
    if (kind === 'call') {
      const members = [...block.members, ...block.carried.values()]
      const isBody = members.length === 0 && stray !== ''
      const isNothing = isBody && /^\s*(null|"(null)?")?\s*$/.test(stray)
      // What the repairs of tool calls come to isn't read here.
      if (isBody && !isObject(stray) && /^\s*[{\x60]/.test(stray)) isSure = false
      if (isBody && !isNothing && !isObject(stray)) block.isRefused = true
      const input = isNothing ? '{}' : isBody ? stray : `{${members.join(',')}}`
      lines.push(`call ${name ? JSON.stringify(name) : '-'} ${block.isRefused ? `broken ${JSON.stringify(input)}` : input}${isCut || !name || block.isRefused ? ' incomplete' : ''}`)
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
  const opener = ({ name, attributes, isEmpty }, role) => {
    if (role === 'parameter') {
      if (leaf !== 'invoke') return
      const key = `${JSON.stringify(decode(attributes.name ?? ''))}:`
      block.carried.delete(key)
      if (block.keys.includes(key)) {
        // The call comes again, with the other members at its end.
        lines.push(`call ${block.name ? JSON.stringify(block.name) : '-'} broken ${JSON.stringify(`{${block.members.join(',')}`)} incomplete`)
        for (const [at, name] of block.keys.entries()) if (name !== key) block.carried.set(name, block.members[at])
        block.members = []
        block.keys = []
      }
      block.keys.push(key)
      block.members.push(key)
      if (isEmpty) block.members[block.members.length - 1] += '""'
      else leaf = 'parameter'
      return
    }
    complete(true)
    leaf = undefined
    if (role === 'invoke') {
      block = { kind: 'call', name: decode(attributes.name ?? ''), members: [], keys: [], carried: new Map(), stray: '' }
      leaf = role
    } else if (role === 'result' || role === 'error') {
      const id = attributes.tool_use_id
      block = { kind: role, content: '', id: id === undefined ? undefined : decode(id) }
      leaf = role
    } else {
      if (top() !== role) changes += 1
      stack.push(role)
      if (role === 'thinking') thinking = name
      if (role === 'thinking') block = { kind: role, content: '' }
    }
    if (isEmpty) closer(role)
  }

  while (at < text.length) {
    if (leaf === 'parameter') {
      const { written, literal, isRefused, end, by, isPending } = valueAt(text, at, stack.includes('thinking') ? thinking : undefined)
      const value = literal === undefined ? typed(written) : escaped(literal + (written ?? ''))
      block.members[block.members.length - 1] += value
      if (isRefused || (written !== undefined && value.startsWith('"') && value !== written.trim() && hasSwallowed(written, block.keys))) block.isRefused = true
      if (isPending) isHeldInCall ??= true
      at = end
      if (by === undefined) break
      leaf = 'invoke'
      if (by === 'invoke') closer('invoke')
      continue
    }
    const [openers, closers] =
      leaf === 'result' || leaf === 'error' ? [[], [leaf, 'function_results']]
      : leaf === undefined && top() === 'results' ? [IN_RESULTS, IN_RESULTS]
      : leaf === 'invoke' ? [IN_CALLS, IN_CALLS]
      : top() === 'thinking' ? [['function_calls', 'invoke'], ['thinking', 'think']]
      : [EVERYWHERE, EVERYWHERE]
    const isInThinking = stack.includes('thinking')
    let end = at
    let tag
    for (; end < text.length; end++) {
      if (text[end] !== '<') continue
      tag = tagAt(text, end, isInThinking ? openers.filter((name) => !['thinking', 'think', 'function_results'].includes(name)) : openers, closers)
      if (tag === 'pending') {
        isHeldInCall ??= leaf === 'invoke'
        heldFrom ??= end
        tag = undefined
      }
      if (tag !== undefined && isInThinking && tag.isCloser && ROLES[tag.name] === 'thinking' && tag.name !== thinking) tag = undefined
      if (tag !== undefined && leaf === undefined && top() === 'thinking' && !tag.isCloser) {
        const begins = callBegins(text, end, tag)
        if (begins === 'pending') {
          isHeldInCall ??= false
          heldFrom ??= end
        }
        if (begins !== true) tag = undefined
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
  return { lines: lines.join('\n'), visible, heldFrom: isInCall ? undefined : heldFrom ?? text.length, changes, isSure }
}

function isReferenceFront(text) {
  if (/^&#([0-9]{0,7}|[xX][0-9a-fA-F]{0,6})$/.test(text)) return true
  return Object.keys(NAMED).some((name) => `&${name}`.startsWith(text))
}
