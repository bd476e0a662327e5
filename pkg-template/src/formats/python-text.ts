// Values as Python writes them: `repr`.

import { Digits } from '../json/digits.js'

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
