// Formats a value without losing anything: -0, infinities, halves of surrogate
// pairs, `undefined`, own keys in order.

/** The text. */
export function exact(value) {
  if (Array.isArray(value)) return `[${value.map(exact).join()}]`
  if (typeof value === 'object' && value !== null) {
    if (Object.getPrototypeOf(value) !== Object.prototype) return 'an object with another prototype'
    return `{${Object.keys(value).map((key) => `${JSON.stringify(key)}:${exact(value[key])}`).join()}}`
  }
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return value === undefined ? 'undefined' : JSON.stringify(value)
}
