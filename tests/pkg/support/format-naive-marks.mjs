// Markers and heads of a wire format's row, read at a place in a whole text:
// what the naive reader of formats (`format-naive.mjs`) and its bodies
// (`format-naive-bodies.mjs`) share.

const SPACE = ' \t\n\r\f'

export const isSpace = (character) => character !== undefined && SPACE.includes(character)

export function skipSpace(text, at) {
  while (isSpace(text[at])) at += 1
  return at
}

/** Before a marker of a row with loose tags. */
const LOOSE = '\u0002'

/** A row whose markers say themselves that they are loose, if they are. */
export function loosened(row) {
  if (!row.repairs?.includes('loose-tags')) return row
  const loose = (markers) => markers?.map((marker) => LOOSE + marker)
  const both = (markers) => markers && { ...markers, open: loose(markers.open), close: loose(markers.close) }
  return { ...row, section: both(row.section), call: { ...both(row.call), names: both(row.call.names) }, params: both(row.params), drop: loose(row.drop) }
}

/** A marker in any case, with white space where tags may have some. */
function looseAt(text, at, marker) {
  const pattern = marker.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/^<(\/?)/, (_, slash) => `<\\s{0,16}${slash === '' ? '' : '/\\s{0,16}'}`).replace(/ /g, '\\s{1,17}').replace(/=$/, '\\s{0,16}=').replace(/>$/, '\\s{0,16}>')
  const found = new RegExp(pattern, 'iy')
  found.lastIndex = at
  return found.exec(text)?.[0].length
}

/** The length of a marker at a place; undefined if it doesn't stand there. `{suffix}` is an optional `:word`. */
function markerAt(text, at, marker) {
  if (marker.startsWith(LOOSE)) return looseAt(text, at, marker.slice(1))
  if (marker.includes('{bars}')) {
    const found = new RegExp(marker.replaceAll('{bars}', '(?:\\s{0,16}[|｜‖│]){1,4}\\s{0,16}').replace(/>$/, '\\s{0,16}>'), 'y')
    found.lastIndex = at
    return found.exec(text)?.[0].length
  }
  const [before, after] = marker.split('{suffix}')
  if (!text.startsWith(before, at)) return undefined
  if (after === undefined) return before.length
  const from = at + before.length
  const suffix = /^:[A-Za-z0-9]+/.exec(text.slice(from, from + 64))?.[0].length ?? 0
  const length = [suffix, 0].find((each) => text.startsWith(after, from + each))
  return length === undefined ? undefined : before.length + length + after.length
}

/** The length of the longest of some markers at a place; undefined if none stands there. */
export function longestAt(text, at, markers = []) {
  const lengths = markers.map((marker) => markerAt(text, at, marker)).filter((length) => length !== undefined)
  return lengths.length === 0 ? undefined : Math.max(...lengths)
}

/** Where the first of some markers stands: `{ at, length }`; undefined if none does. */
export function findFirst(text, from, markers = []) {
  for (let at = from; at < text.length; at += 1) {
    const length = longestAt(text, at, markers)
    if (length) return { at, length }
  }
  return undefined
}

/** Whether the text ends within a marker that begins at a place. */
const cutAt = (text, at, marker) => at + marker.length > text.length && marker.startsWith(text.slice(at))

const VARIABLES = ['NAME', 'KEY', 'ID', 'INDEX', 'TYPE', 'STRING']

/**
 * A head: `{ at, found: { NAME, ID, … }, selfClosed?, indexEnd? }`, or
 * `{ fail: 'malformed' | 'cut', at }`. `stop(at)`: whether a name ends at a
 * place although no piece follows it (what the body begins with, a marker).
 */
export function readHead(text, at, pieces = [], stop = () => false) {
  let furthest = { fail: 'malformed', at }
  const fail = (kind, place) => {
    if (kind === 'cut' || (furthest.fail !== 'cut' && place > furthest.at)) furthest = { fail: kind, at: place }
    return undefined
  }

  /** Reads the pieces that are left; `loose`: directly before stands a name whose end nothing has marked. */
  function read([piece, ...rest], from, found, loose) {
    if (piece === undefined) {
      if (!loose || from === text.length || isSpace(text[from]) || text[from] === '<' || stop(from)) return { at: from, found }
      return fail('malformed', from)
    }
    if (VARIABLES.includes(piece)) return readVariable(piece, rest, skipSpace(text, from), found)
    if (typeof piece === 'string') return readLiteral([piece], rest, from, found, loose)
    if (Array.isArray(piece)) return readLiteral([...piece].sort((a, b) => b.length - a.length), rest, from, found, loose)
    if (piece.optional) return read([...piece.optional, ...rest], from, found, loose) ?? read(rest, from, found, loose)
    return readAttributes(piece, rest, from, found)
  }

  function readLiteral(literals, rest, from, found, loose) {
    for (const literal of literals) {
      if (literal === '') {
        const read_ = read(rest, from, found, loose)
        if (read_) return read_
        continue
      }
      for (const place of new Set([from, skipSpace(text, from)])) {
        const length = markerAt(text, place, literal)
        const selfClosed = literal === '>' && text.startsWith('/>', place)
        if (length !== undefined || selfClosed) {
          const read_ = read(rest, place + (length ?? 2), found, false)
          if (read_) return selfClosed ? { ...read_, selfClosed } : read_
        } else fail(cutAt(text, place, literal) ? 'cut' : 'malformed', place)
      }
    }
    return undefined
  }

  /** A variable ends at the first place from which the rest of the head can be read. */
  function readVariable(name, rest, from, found) {
    for (let end = from; ; end += 1) {
      if (end > from) {
        const trimmed = text.slice(from, end).trimEnd()
        const value = name === 'NAME' || name === 'KEY' ? (/^(["'])([^]+)\1$/.exec(trimmed)?.[2] ?? trimmed) : trimmed
        const read_ = read(rest, end, { ...found, [name]: value, [`${name}_END`]: from + value.length }, true)
        if (read_) return read_
      }
      if (end === text.length) return fail('cut', end)
      if (!mayHold(name, text[end]) || stop(end)) return fail('malformed', end)
    }
  }

  /** Attributes in any order, then `end`; before it `/` closes the tag itself. */
  function readAttributes({ attributes, end, entities }, rest, from, found) {
    const values = {}
    for (let place = from; ; ) {
      place = skipSpace(text, place)
      const selfClosed = text.startsWith(`/${end}`, place)
      if (selfClosed || text.startsWith(end, place)) {
        const needed = Object.values(attributes).filter((variable) => variable === 'NAME' || variable === 'KEY')
        if (needed.some((variable) => !values[variable])) return fail('malformed', place)
        const after = place + end.length + (selfClosed ? 1 : 0)
        if (selfClosed) return { at: after, found: { ...found, ...values }, selfClosed }
        return read(rest, after, { ...found, ...values }, false)
      }
      const attribute = readAttribute(place, end)
      if (attribute.fail) return fail(attribute.fail, attribute.at)
      const variable = attributes[attribute.name]
      if (variable !== undefined) values[variable] = entities ? decode(attribute.value) : attribute.value
      place = attribute.at
    }
  }

  function readAttribute(place, end) {
    const named = /([^\s=<>"'/|]+)\s*=\s*/y
    named.lastIndex = place
    const match = named.exec(text)
    if (match === null) return { fail: /^[^\s=<>"'/|]*\s*=?\s*$/.test(text.slice(place)) || cutAt(text, place, end) ? 'cut' : 'malformed', at: place }
    const start = named.lastIndex
    const quote = text[start]
    if (quote === '"' || quote === "'") {
      const close = text.indexOf(quote, start + 1)
      return close === -1 ? { fail: 'cut', at: text.length } : { name: match[1], value: text.slice(start + 1, close), at: close + 1 }
    }
    let close = start
    while (close < text.length && !isSpace(text[close]) && !text.startsWith(end, close) && !text.startsWith(`/${end}`, close)) close += 1
    return close === text.length ? { fail: 'cut', at: close } : { name: match[1], value: text.slice(start, close), at: close }
  }

  return read(pieces, at, {}, false) ?? furthest
}

/** Whether a character may stand in a variable. */
function mayHold(name, character) {
  if (name === 'INDEX') return /[0-9]/.test(character)
  if (name === 'KEY') return character !== '\n' && character !== '<'
  return !isSpace(character) && character !== '<'
}

const NAMED = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** A text with its character references read, once. */
export function decode(text) {
  return text.replace(/&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g, (whole, name, decimal, hexadecimal) => {
    if (name) return NAMED[name]
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code <= 0x10ffff && code > 0 ? String.fromCodePoint(code) : whole
  })
}
