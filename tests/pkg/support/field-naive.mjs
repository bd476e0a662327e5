// An independent field parser in boundary mode, simple and slow: the events of a
// document, and the number of text units after which each is known.
// It reads strict JSON without duplicate keys and lone surrogates.
import { dotPath } from './field-paths.mjs'

/** @returns events `{ known, path, delta }` and `{ known, path, done }` in order; containers are done as empty ones */
function naiveFields(text) {
  const events = []
  /** Whether each open container is a list. */
  const open = []
  let at = 0

  const skip = () => {
    while (' \t\r\n'.includes(text[at]) && at < text.length) at += 1
  }
  const string = (path) => {
    let value = ''
    for (at += 1; text[at] !== '"'; ) {
      const start = at
      const unit = () => {
        const size = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2
        at += size
        return JSON.parse(`"${text.slice(at - size, at)}"`)
      }
      let piece = unit()
      if (/[\ud800-\udbff]/.test(piece)) piece += unit()
      if (at <= start) throw new Error('no way on')
      if (path !== undefined) events.push({ known: at, path, delta: piece })
      value += piece
    }
    at += 1
    if (path !== undefined) events.push({ known: followed(), path, done: value })
    return value
  }
  /** How much must be read to know that the quote before `at` ends a string: up to the end, a key's colon or an element. */
  const followed = () => {
    const rest = /^([\s\]}]*)(?:,\s*(?:("(?:[^"\\\\]|\\.)*"\s*:)|(["[{])|([-+.\w]+\s*.)))?/s
    const [, closers, key = '', element = '', word = ''] = rest.exec(text.slice(at))
    let depth = open.length
    for (const [place, character] of [...closers].entries()) {
      if (!/\s/.test(character)) depth -= 1
      if (depth === 0) return at + place + 1
    }
    const [comma] = /^[^,]*,\s*/.exec(text.slice(at))
    return at + comma.length + (open[depth - 1] ? element || word : key).length
  }
  const value = (steps) => {
    const path = dotPath(steps)
    if (text[at] === '"') string(path)
    else if (text[at] === '{' || text[at] === '[') container(steps)
    else {
      const written = /^[-+.\w]+/.exec(text.slice(at))[0]
      at += written.length
      const leaf = JSON.parse(written)
      const known = typeof leaf === 'number' ? at + 1 : at
      events.push({ known, path, delta: leaf }, { known, path, done: leaf })
    }
  }
  const container = (steps) => {
    const isList = text[at] === '['
    open.push(isList)
    at += 1
    for (let index = 0; ; index += 1) {
      skip()
      if (text[at] === (isList ? ']' : '}')) break
      let step = index
      if (!isList) {
        step = string()
        skip()
        at += 1
        skip()
      }
      value([...steps, step])
      skip()
      if (text[at] === ',') at += 1
    }
    at += 1
    open.pop()
    if (steps.length > 0) events.push({ known: at, path: dotPath(steps), done: isList ? [] : {} })
  }
  skip()
  container([])
  return events
}

/** A parser's events per chunk, with the deltas of a chunk joined. */
export function naiveChunks(text, chunks) {
  const events = naiveFields(text)
  let next = 0
  let fed = 0
  return chunks.map((chunk) => {
    fed += chunk.length
    const emitted = []
    for (; next < events.length && events[next].known <= fed; next += 1) {
      const { path, delta, done } = events[next]
      const last = emitted.at(-1)
      if (done !== undefined) emitted.push({ path, done })
      else if (typeof delta === 'string' && last?.path === path && last.delta !== undefined) last.delta += delta
      else emitted.push({ path, delta })
    }
    return emitted
  })
}

/** The events of a chunk, in the same form. */
export function emittedOf(events) {
  return events.map(({ eventType, path, value, delta }) => {
    if (eventType === 'delta') return { path, delta }
    const done = typeof value === 'object' && value !== null ? (Array.isArray(value) ? [] : {}) : value
    return eventType === 'done' ? { path, done } : { eventType }
  })
}
