// Numbers of a document, and whole ones that a number can't hold.

/** What whole numbers become that a number can't hold. */
export type BigNumbers = 'number' | 'string' | 'bigint'

/** What is a whole number without its sign. */
const WHOLE = /^(?:\d+|0[xX][\da-fA-F]+)$/

/** The number that a text is. `Number` and `BigInt` read all but a sign before a hexadecimal one. */
export function numberOf(text: string, big: BigNumbers): number | string | bigint {
  const isNegative = text.startsWith('-')
  const size = isNegative || text.startsWith('+') ? text.slice(1) : text
  const value = isNegative ? -Number(size) : Number(size)
  if (big === 'number' || Number.isSafeInteger(value) || !WHOLE.test(size)) return value
  const exact = isNegative ? -BigInt(size) : BigInt(size)
  return big === 'bigint' ? exact : String(exact)
}
