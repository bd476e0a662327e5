/** Whether a UTF-16 unit is the first half of a surrogate pair. */
export function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/** Whether it is the second half. */
export function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}

/** Whether a text ends in the first half of a pair, whose second one may follow. */
export function endsInHalf(text: string): boolean {
  return isHighHalf(text.charCodeAt(text.length - 1))
}
