// Text of a parameter's value as it stands in the JSON of a call's input.

const ESCAPED = /["\\\u0000-\u001f]/
const ALL_ESCAPED = /["\\\u0000-\u001f]/g

/**
 * Text as the inside of a JSON string. Half a surrogate pair stays as it is, since its other half may come with the
 * next chunk.
 */
export function escapeJson(text: string): string {
  if (!ESCAPED.test(text)) return text
  const quoted = JSON.stringify(text)
  // It writes half a pair as an escape; the search may find what only looks like one, and the slow way is right for
  // that too.
  return quoted.indexOf('\\ud') === -1
    ? quoted.slice(1, -1)
    : text.replace(ALL_ESCAPED, (character) => JSON.stringify(character).slice(1, -1))
}
