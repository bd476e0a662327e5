// Values on one line.

/** The longest value on a line; `--json` prints all of it. */
const LONGEST = 100

/** A value as JSON, shortened in the middle if it is long. */
export function short(value: unknown): string {
  const text = json(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 20)} … ${text.slice(-17)}`
}

/** A value as JSON; numbers without a JSON form by name. Terminal control characters are escaped too. */
export function json(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return (JSON.stringify(value) ?? 'undefined').replace(
    /[\x7f-\x9f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
}

/** Words in columns: all but the last have a width. */
export function columns(words: ReadonlyArray<readonly [word: string, width: number]>, rest: string): string {
  return (words.map(([word, width]) => `${word.padEnd(width)} `).join('') + rest).trimEnd()
}

/** The non-empty words, separated by spaces. */
export function sentence(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ')
}

/** A span, with `--spans`. */
export function place(span: readonly [start: number, end: number] | undefined): string {
  return span === undefined ? '' : `  ${span[0]}..${span[1]}`
}
