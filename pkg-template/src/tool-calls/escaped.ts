// Text inside a JSON string.

/** What can't stand in a JSON string as it is, and halves of surrogate pairs, which may stand alone. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/** The text as it stands between the quotes, as `JSON.stringify` writes it. */
export function escaped(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
