// The literals of wire formats, read at a place in a whole text: JSON, Python,
// and the brace literals of Gemma. Each reader gives `{ value, at }`, or
// `{ fail: 'malformed' | 'cut', at }` with the place where it failed.

import { skipSpace } from './format-naive-marks.mjs'

const WORDS = { true: true, false: false, null: null }
const PYTHON_WORDS = { True: true, False: false, None: null }
const JSON_ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const PYTHON_ESCAPES = { '\\': '\\', "'": "'", '"': '"', a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '' }
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const PADDED_NUMBER = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const PYTHON_NUMBER = /[+-]?(?:0[xX][0-9a-fA-F]+|(?:[0-9][0-9_]*)?\.?[0-9][0-9_]*\.?(?:[eE][+-]?[0-9]+)?)/y

/** JSON as calls have it: with the errors that are tolerated in all of them, unless `rules` has `none`. */
export const readJson = (text, at, rules = []) =>
  readValue(text, at, rules.includes('none') ? { quotes: ['"'], string: (place) => readJsonString(text, place, false), words: WORDS, number: NUMBER, key: 'string' } : {
    quotes: ['"', "'"],
    string: (place) => readJsonString(text, place, true),
    words: { ...WORDS, ...PYTHON_WORDS },
    number: PADDED_NUMBER,
    trailing: true,
    key: 'bare',
    bareWord: true,
  })

/** A Python literal; JSON's words count too. */
export const readPython = (text, at) =>
  readValue(text, at, {
    quotes: ['"', "'"],
    string: (place) => readPythonString(text, place),
    words: { ...WORDS, ...PYTHON_WORDS },
    number: PYTHON_NUMBER,
    trailing: true,
    key: 'string',
    tuples: true,
  })

/**
 * A brace literal: strings between `quote` markers, keys without quotes. `rules`: `plain-quotes`
 * (JSON's strings count too), `bare-word` (a value without quotes).
 */
export const readBrace = (text, at, quote, rules = []) =>
  readValue(text, at, {
    quotes: rules.includes('plain-quotes') ? [quote, '"'] : [quote],
    string: (place) => (text.startsWith(quote, place) ? readBetween(text, place, quote) : readJsonString(text, place, true)),
    words: { ...WORDS, ...PYTHON_WORDS },
    number: NUMBER,
    trailing: false,
    key: 'bare',
    bareWord: rules.includes('bare-word'),
  })

function readValue(text, from, dialect) {
  const at = skipSpace(text, from)
  if (at === text.length) return { fail: 'cut', at }
  if (dialect.quotes.some((quote) => text.startsWith(quote, at))) return dialect.string(at)
  if (text[at] === '{') return readMembers(text, at + 1, dialect)
  if (text[at] === '[') return readElements(text, at + 1, ']', dialect)
  if (text[at] === '(' && dialect.tuples) return readElements(text, at + 1, ')', dialect)
  return readWord(text, at, dialect) ?? (dialect.bareWord ? readBareWord(text, at) : undefined) ?? { fail: isCut(text, at, dialect) ? 'cut' : 'malformed', at }
}

/** Whether the text ends within a quote or a word. */
const isCut = (text, at, { quotes, words }) => [...quotes, ...Object.keys(words), '-'].some((each) => each.startsWith(text.slice(at)))

function readWord(text, at, { words, number }) {
  const word = Object.keys(words).find((each) => text.startsWith(each, at) && !/[A-Za-z0-9_]/.test(text[at + each.length] ?? ''))
  if (word !== undefined) return { value: words[word], at: at + word.length }
  number.lastIndex = at
  const match = number.exec(text)
  if (match === null || /[A-Za-z0-9_.]/.test(text[number.lastIndex] ?? '')) return undefined
  return { value: Number(match[0].replaceAll('_', '')), at: number.lastIndex }
}

/** Text without quotes, up to what may follow a value. */
function readBareWord(text, at) {
  const word = /[^,:{}[\]"<>\n]+(?=[,}\]])/y
  word.lastIndex = at
  const match = word.exec(text)
  return match === null ? undefined : { value: match[0].trim(), at: word.lastIndex }
}

/** What comes after a member or an element: the next place, or the end. */
function next(text, from, close, { trailing }) {
  const at = skipSpace(text, from)
  if (at === text.length) return { fail: 'cut', at }
  if (text[at] === close) return { end: at + 1 }
  if (text[at] !== ',') return { fail: 'malformed', at }
  const after = skipSpace(text, at + 1)
  return trailing && text[after] === close ? { end: after + 1 } : { at: after }
}

function readElements(text, from, close, dialect) {
  const value = []
  let at = skipSpace(text, from)
  if (text[at] === close) return { value, at: at + 1 }
  for (;;) {
    const element = readValue(text, at, dialect)
    if (element.fail) return element
    value.push(element.value)
    const after = next(text, element.at, close, dialect)
    if (after.fail) return after
    if (after.end) return { value, at: after.end }
    at = after.at
  }
}

function readMembers(text, from, dialect) {
  const value = {}
  let at = skipSpace(text, from)
  if (text[at] === '}') return { value, at: at + 1 }
  for (;;) {
    const key = readKey(text, at, dialect)
    if (key.fail) return key
    const colon = skipSpace(text, key.at)
    if (text[colon] !== ':') return { fail: colon === text.length ? 'cut' : 'malformed', at: colon }
    const member = readValue(text, colon + 1, dialect)
    if (member.fail) return member
    set(value, key.value, member.value)
    const after = next(text, member.at, '}', dialect)
    if (after.fail) return after
    if (after.end) return { value, at: after.end }
    at = after.at
  }
}

function readKey(text, at, dialect) {
  if (at >= text.length) return { fail: 'cut', at }
  if (dialect.quotes.some((quote) => text.startsWith(quote, at))) return dialect.string(at)
  if (dialect.key !== 'bare') return { fail: isCut(text, at, dialect) ? 'cut' : 'malformed', at }
  const bare = /[^\s:,{}[\]<]+/y
  bare.lastIndex = at
  const match = bare.exec(text)
  return match === null ? { fail: 'malformed', at } : { value: match[0], at: bare.lastIndex }
}

/** A member of an object, also if its name is `__proto__`. */
export const set = (object, key, value) => Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })

function readBetween(text, at, quote) {
  const end = text.indexOf(quote, at + quote.length)
  return end === -1 ? { fail: 'cut', at: text.length } : { value: text.slice(at + quote.length, end), at: end + quote.length }
}

function readJsonString(text, from, rawControl) {
  const quote = text[from]
  let value = ''
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at]
    if (character === quote) return { value, at: at + 1 }
    if (character < ' ' && !rawControl) return { fail: 'malformed', at }
    if (character !== '\\') {
      value += character
      continue
    }
    at += 1
    if (at === text.length) break
    const escaped = text[at] === quote ? quote : JSON_ESCAPES[text[at]]
    if (escaped !== undefined) value += escaped
    else if (text[at] === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) {
      value += String.fromCharCode(parseInt(text.slice(at + 1, at + 5), 16))
      at += 4
    } else if (text[at] === 'u' && /^[0-9a-fA-F]{0,3}$/.test(text.slice(at + 1))) break
    else if (rawControl) value += `\\${text[at]}`
    else return { fail: 'malformed', at }
  }
  return { fail: 'cut', at: text.length }
}

const PYTHON_CODES = [/x([0-9a-fA-F]{2})/y, /u([0-9a-fA-F]{4})/y, /U([0-9a-fA-F]{8})/y]

function readPythonString(text, from) {
  const quote = text.startsWith(text[from].repeat(3), from) ? text[from].repeat(3) : text[from]
  let value = ''
  for (let at = from + quote.length; at < text.length; at += 1) {
    if (text.startsWith(quote, at)) return { value, at: at + quote.length }
    if (text[at] !== '\\') {
      value += text[at]
      continue
    }
    at += 1
    if (at === text.length) break
    const escaped = PYTHON_ESCAPES[text[at]]
    if (escaped !== undefined) value += escaped
    else {
      const code = PYTHON_CODES.map((pattern) => {
        pattern.lastIndex = at
        return pattern.exec(text)
      }).find((match) => match !== null)
      if (code !== undefined && parseInt(code[1], 16) <= 0x10ffff) {
        value += String.fromCodePoint(parseInt(code[1], 16))
        at += code[0].length - 1
      } else value += `\\${text[at]}`
    }
  }
  return { fail: 'cut', at: text.length }
}
