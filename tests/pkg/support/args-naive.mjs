// What the beginning of a JSON text determines, by a plain reader that begins anew with each prefix. It knows nothing
// of faults: the texts that it gets are valid, or cut off.

/** Nothing more of the prefix. */
const CUT = Symbol('cut')

/**
 * Reads a prefix: `partial`, as far as it has come; `done`, the paths that no later text can change, each as JSON;
 * `open`, the path of the innermost value that has begun and isn't done.
 */
export function naive(text) {
  let at = 0
  const done = []
  let open
  const space = () => {
    while (' \t\n\r'.includes(text[at] ?? 'x')) at++
  }
  const string = (sofar) => {
    at++
    let value = ''
    for (;;) {
      const character = text[at]
      if (character === undefined) break
      if (character === '"') {
        at++
        return value
      }
      if (character !== '\\') {
        value += character
        at++
        continue
      }
      const length = text[at + 1] === 'u' ? 6 : 2
      if (at + length > text.length) break
      let escape = text.slice(at, at + length)
      // A high half waits for its other half.
      if (/^\\u[dD][89abAB]/.test(escape)) {
        const low = text.slice(at + 6, at + 12)
        if (/^\\u[dD][c-fC-F]..$/.test(low)) escape += low
        else if (low === '' || '\\u'.startsWith(low.slice(0, 2)) && (low.length < 3 || /^\\u[dD]?$/.test(low) || (/^\\u[dD][c-fC-F]/.test(low) && low.length < 6) || (/^\\u/.test(low) && low.length < 6))) break
      }
      value += JSON.parse(`"${escape}"`)
      at += escape.length
    }
    at = text.length
    // Half a pair at the end waits, too.
    sofar(/[\ud800-\udbff]$/.test(value) && /[\ud800-\udbff]$/.test(text) ? value.slice(0, -1) : value)
    return CUT
  }
  const value = (path, put) => {
    space()
    const first = text[at]
    if (first === undefined) return CUT
    open = path
    const finish = (whole) => {
      put(whole)
      done.push(path)
      open = path.length === 0 ? undefined : path.slice(0, -1)
      return whole
    }
    if (first === '"') {
      const whole = string(put)
      return whole === CUT ? CUT : finish(whole)
    }
    if (first === '{' || first === '[') return container(first === '{', path, put, finish)
    const scalar = /^[-\w.+]+/.exec(text.slice(at))[0]
    const isWord = /^[tfn]/.test(scalar)
    if (at + scalar.length === text.length && !(isWord && ['true', 'false', 'null'].includes(scalar))) return CUT
    at += scalar.length
    return finish(JSON.parse(scalar))
  }
  const container = (isObject, path, put, finish) => {
    at++
    const made = isObject ? {} : []
    put(made)
    for (let index = 0; ; index++) {
      space()
      if (text[at] === ',') at++
      space()
      if (text[at] === undefined) return CUT
      if (text[at] === '}' || text[at] === ']') {
        at++
        return finish(made)
      }
      let step = index
      if (isObject) {
        step = string(() => {})
        if (step === CUT) return CUT
        space()
        if (text[at] === undefined) return CUT
        at++
      }
      const set = (inner) => Object.defineProperty(made, step, { value: inner, writable: true, enumerable: true, configurable: true })
      if (value([...path, step], set) === CUT) return CUT
    }
  }
  let partial
  value([], (made) => (partial = made))
  return { partial, done: done.map((path) => JSON.stringify(path)), open }
}
