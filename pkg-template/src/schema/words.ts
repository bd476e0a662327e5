// Texts that are JSON values: a number, `true`, `null`, a whole value.

/** A longer number is too large for JavaScript. */
const LONGEST_NUMBER = 400
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The JSON number that a text is, as far as JavaScript can hold it. */
export function plainNumberIn(text: string): number | undefined {
  const trimmed = text.trim()
  const value = trimmed.length <= LONGEST_NUMBER && NUMBER.test(trimmed) ? Number(trimmed) : NaN
  return Number.isFinite(value) ? value : undefined
}

/** The boolean that a text is, in any case. */
export function booleanIn(text: string): boolean | undefined {
  const word = /^\s*(?:(true)|false)\s*$/i.exec(text)
  return word === null ? undefined : word[1] !== undefined
}

export function isNullWord(text: string): boolean {
  return /^\s*null\s*$/i.test(text)
}
