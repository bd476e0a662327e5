// Values as Python writes them. JSON as models were trained on it (`json.dumps`), whose numbers stay as they are
// written, and literals (`repr`).

import { Digits } from '../json/digits.js'
import { MOST_LEVELS, isWithin } from '../schema/levels.js'
import { tooDeepToWrite } from '../schema/to-json.js'

/** How JSON is laid out. */
export type Layout = 'spaced' | 'compact' | 'indent4'

/** The strings and numbers of a JSON text. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/**
 * The value of a JSON text. A number that JavaScript would write otherwise is `Digits`. @throws SyntaxError if it is
 * not JSON, and TypeError if it is nested deeper than readers take it.
 */
export function readJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!isWithin(value, MOST_LEVELS)) throw tooDeepToWrite()
  let mark = 'number '
  while (text.includes(mark)) mark += '#'
  const marked = text.replace(TOKENS, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${mark}${token}"`,
  )
  if (marked === text) return value
  return JSON.parse(marked, (_, inner: unknown) =>
    typeof inner === 'string' && inner.startsWith(mark) ? new Digits(inner.slice(mark.length)) : inner,
  )
}

/** A value as JSON. */
export function jsonText(value: unknown, layout: Layout, indent = ''): string {
  if (value instanceof Digits) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const deeper = layout === 'indent4' ? `${indent}    ` : ''
  const colon = layout === 'compact' ? ':' : ': '
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((item) => jsonText(item, layout, deeper))
    : Object.entries(value).map(([key, item]) => JSON.stringify(key) + colon + jsonText(item, layout, deeper))
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (layout !== 'indent4' || items.length === 0) return open + items.join(layout === 'compact' ? ',' : ', ') + close
  return `${open}\n${deeper}${items.join(`,\n${deeper}`)}\n${indent}${close}`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A value as a literal of Python: `{'a': [1, True, None]}`. */
export function pythonText(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `${quoted(key)}: ${pythonText(item)}`)
      .join(', ')}}`
  return String(value)
}

/** Single quotes, unless only those are in the text. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  // Controls and halves of pairs have no other form.
  const escaped = text.replace(
    /[\\\n\r\t]|[\0-\x1f\x7f]|\p{Surrogate}/gu,
    (character) => ESCAPES[character] ?? numbered(character.charCodeAt(0)),
  )
  return quote + escaped.replaceAll(quote, `\\${quote}`) + quote
}

function numbered(code: number): string {
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
