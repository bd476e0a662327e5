// Numbers that JavaScript can't hold.
//
// A model writes ids of twenty digits. As a `Number` such an id becomes a different one,
// so it is kept as written, all the way into the JSON that goes out.
// Source: spec/tool_call.md, "numbers beyond 2^53 keep their digits in `input`".

/** What JSON allows after leading zeros: whole digits, a fraction and an exponent. */
const PARTS = /^(-?)0*(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Beyond it neighbouring whole numbers are one `Number`. */
const MOST_EXACT = 0x20_0000_0000_0000
/** Below it a `Number` has fewer digits than elsewhere. */
const LEAST_EXACT = 2 ** -1022
/** Any two numbers with fewer digits are different as a `Number`, or are written the same. */
const MOST_DIGITS = 17

/** A number as it is written: one that as a `Number` would be another. */
export class Digits {
  /** @param text A JSON number. */
  constructor(readonly text: string) {}

  /** Whether it is whole: `12345678901234567890`, `1e400`, `1.50e300`. */
  get isInteger(): boolean {
    const [, , , fraction = '', exponent = '0'] = PARTS.exec(this.text) ?? []
    return Number(exponent) >= fraction.replace(/0+$/, '').length
  }

  /** The nearest `Number`. */
  valueOf(): number {
    return Number(this.text)
  }

  toString(): string {
    return this.text
  }

  /** What `JSON.stringify` takes, which knows no other numbers: the nearest one. `toJson` writes all digits. */
  toJSON(): number {
    return Number(this.text)
  }
}

/** The `Number` if it keeps the value that is written, else the digits. `007` is 7. */
export function numberOf(digits: string): number | Digits {
  const value = Number(digits)
  if (String(value) === digits) return value
  const [, , whole = '0', fraction = ''] = PARTS.exec(digits) ?? []
  const significant = (whole + fraction).replace(/^0+/, '')
  if (significant === '') return value
  const size = Math.abs(value)
  if (size < MOST_EXACT && size >= LEAST_EXACT && significant.length <= MOST_DIGITS) return value
  // JSON has no leading zeros.
  return new Digits(digits.replace(/^(-?)0+(?=\d)/, '$1'))
}

/** What whole numbers become that a number can't hold. */
export type BigNumbers = 'number' | 'string' | 'bigint'

/** What is a whole number without its sign. */
const WHOLE = /^(?:\d+|0[xX][\da-fA-F]+)$/

/** The number that a text is. `Number` and `BigInt` read all but a sign before a hexadecimal one. */
export function numberAs(text: string, big: BigNumbers): number | string | bigint {
  const isNegative = text.startsWith('-')
  const size = isNegative || text.startsWith('+') ? text.slice(1) : text
  const value = isNegative ? -Number(size) : Number(size)
  if (big === 'number' || Number.isSafeInteger(value) || !WHOLE.test(size)) return value
  const exact = isNegative ? -BigInt(size) : BigInt(size)
  return big === 'bigint' ? exact : String(exact)
}
