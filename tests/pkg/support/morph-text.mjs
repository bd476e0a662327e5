// A call as a model writes it in the Morph form: an element for each argument,
// lists as repeated <item>, objects as elements of their members.

/** The call's text. */
export function morphText({ name, arguments: given }) {
  return `<${name}>\n${membersOf(given)}\n</${name}>`
}

function membersOf(object) {
  return Object.entries(object).map(([key, value]) => `<${key}>${inside(value)}</${key}>`).join('\n')
}

function inside(value) {
  if (Array.isArray(value)) return value.map((item) => `<item>${inside(item)}</item>`).join('')
  if (typeof value === 'object' && value !== null) return membersOf(value)
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
