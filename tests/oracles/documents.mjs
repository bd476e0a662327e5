// Random JSON, valid and with a few places changed.
import { choices } from './choices.mjs'

const SPACE = ['', '', '', ' ', '\n', '\t', '\r\n', '  \r']
const NAMES = ['a', 'b', '', '__proto__', 'constructor', 'a.b', '[0]', '1', '0', 'toString', 'é', '🙂', 'k"\\']
const TEXT = ['a', 'é', '水', '🙂', '\\n', '\\"', '\\\\', '\\/', '\\b', '\\f', '\\r', '\\t', '\\u0041', '\\u00e9', '\\uD83D\\uDE42', '\\ud83d', '\\ude42', '\ud83d', '\ude42', '\\u0000', '\\u0022', '\\uFFFF', '\u2028', '\u007f', '\ufeff', '{"x":1}', '[1, 2]', '// no', '/*', ' ', 'null', 'plain words: and more, '.repeat(3)]
const SCRAPS = [
  ...TEXT, '{', '}', '[', ']', ',', ':', '"', "'", '\\', '\\q', '\\x41', '\\u00', '\\u00g0', '\n', '\t', '\r', '\u0000', '\u0001', '\u00a0', '\v', '\f', '0', '1', '-', '+', '.', 'e', 'E5', '1e+', '-0', '0x', '01', '5.', '.5', '1e999', 'true', 'tru', 'True', 'None', 'NaN', 'Infinity', 'undefined', '//', '/*', '*/', '/', '```', '""', '"""', '"a":', '{"a":1}', ',,', '[]', '{}',
]

/** The `nth` document of a seed: valid, or with up to three places changed. */
export function jsonDocument(seed, nth) {
  const choose = choices(seed, nth)
  const text = new Writer(choose).document()
  return choose.chance(2, 5) ? text : damaged(text, choose)
}

function damaged(text, { below, among, chance }) {
  let damaged = text
  for (let times = 1 + below(3); times > 0; times--) {
    const at = below(damaged.length + 1)
    const size = chance(1, 4) ? below(damaged.length + 1) : below(3)
    damaged = damaged.slice(0, at) + (chance(2, 3) ? among(SCRAPS) : '') + damaged.slice(at + size)
  }
  return damaged
}

class Writer {
  constructor(choose) {
    this.choose = choose
  }

  document() {
    const isContainer = this.choose.chance(9, 10)
    return this.space() + (isContainer ? this.container(0) : this.value(9)) + this.space()
  }

  space() {
    return this.choose.chance(1, 3) ? this.choose.among(SPACE) + this.choose.among(SPACE) : ''
  }

  value(depth) {
    const kind = this.choose.below(8)
    if (kind < 2) return this.choose.among(['null', 'true', 'false'])
    if (kind < 4) return this.number()
    if (kind < 6 || depth > 6) return this.string()
    return this.container(depth)
  }

  container(depth) {
    const isObject = this.choose.chance(1, 2)
    const item = () => `${this.space()}${isObject ? `${this.key()}${this.space()}:${this.space()}` : ''}${this.value(depth + 1)}${this.space()}`
    const inside = this.choose.many(5, item).join(',') || this.space()
    return isObject ? `{${inside}}` : `[${inside}]`
  }

  key() {
    return this.choose.chance(1, 5) ? this.string() : JSON.stringify(this.choose.among(NAMES))
  }

  string() {
    return `"${this.choose.many(6, () => this.choose.among(TEXT)).join('')}"`
  }

  number() {
    const { among, many, below, chance } = this.choose
    const digits = (most) => `${below(10)}${many(most, () => below(10)).join('')}`
    const whole = among(['0', '1', '9', '12', '9007199254740993', '12345678901234567890123', `${1 + below(9)}${digits(6)}`])
    return `${among(['', '-'])}${whole}${chance(1, 2) ? `.${digits(18)}` : ''}${chance(1, 3) ? `${among(['e', 'E'])}${among(['', '+', '-', '0', '-0'])}${digits(2)}` : ''}`
  }
}
