// The arguments of a call, as a format writes them, and what of them it can't.
//
// A value that a reader would end too early, or would not give back as it was, is escaped; and refused where the format
// has no way to: a prompt that shows the model a broken call is worse than an error.
//
// Source: spec/format.md, "Writing".

import { Digits } from '../json/digits.js'
import { isRecord } from '../own.js'
import { capturesOf } from './check.js'
import { jsonText, pythonText } from './json-text.js'
import { fillTemplate, hasLineParams } from './template.js'
import type { Format, HeadPiece } from './types.js'

/** What can't be written, and at which argument. */
export class Unwritable extends Error {
  /** @param field The argument: `input.path`; or another field of the call. */
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message)
  }
}

/** Names that stand without quotes: what would end them is left out. */
export const TAG_NAME = /^[^\s<>/&"'=]+$/
const PYTHON_NAME = /^[^\s=,()[\]{}'"<>]+$/
const BRACE_NAME = /^[^\s:,{}[\]"'<>|]+$/

type Members = Readonly<Record<string, unknown>>

/** Writes the arguments of calls in a format. */
export class Arguments {
  private readonly layout
  private readonly isPython: boolean
  private readonly body

  constructor(private readonly format: Format) {
    this.layout = format.write?.json ?? 'spaced'
    this.body = format.call?.body
    // Python has no `true`.
    this.isPython = format.write?.values === 'python' || (format.write?.values === undefined && this.body === 'python')
  }

  /** `{args}`: all of them, as the body has them. */
  all(input: Members): string {
    switch (this.body) {
      case 'brace':
        return this.braces(input, 'input')
      case 'python':
        return Object.entries(input)
          .map(([key, value]) => `${named(key, PYTHON_NAME)}=${this.literal(value)}`)
          .join(', ')
      default:
        return this.unmarked(jsonText(input, this.layout))
    }
  }

  /** JSON without the markers that end a body of any text: they stand in its strings. */
  private unmarked(json: string): string {
    const closers = this.body === 'text' ? (this.format.call?.close ?? []) : []
    return closers.reduce((text, closer) => {
      const code = closer.charCodeAt(0).toString(16).padStart(4, '0')
      return closer === '' ? text : text.replaceAll(closer, `\\u${code}${closer.slice(1)}`)
    }, json)
  }

  /** `{yaml}`: a mapping, a line each. */
  yaml(input: Members): string {
    return Object.entries(input)
      .map(([key, value]) => `${yamlText(key)}: ${yamlText(value)}\n`)
      .join('')
  }

  /** `{params}`: one after the other. */
  each(input: Members): string {
    return Object.entries(input)
      .map(([key, value]) => this.param(key, value, `input.${key}`))
      .join(this.format.write?.paramJoin ?? '')
  }

  private param(key: string, value: unknown, field: string): string {
    const name = this.keyText(key, field)
    const text = this.inBody(key, value, field)
    return fillTemplate(this.format.write?.param ?? '', (word) => {
      if (word === 'key') return name
      if (word === 'value') return text
      if (word === 'type') return typeName(value)
      return word === 'string' ? String(typeof value === 'string') : undefined
    })
  }

  /** `{value}`. */
  inBody(key: string, value: unknown, field: string): string {
    switch (this.body) {
      case 'elements':
        return isContainer(value) ? this.nested(value, field) : this.value(key, value)
      case 'brace':
        return this.braces(value, field)
      case 'python':
        return this.literal(value)
      default:
        return this.value(key, value)
    }
  }

  /** Objects and lists as elements. */
  private nested(value: object, field: string): string {
    if (Array.isArray(value)) return value.map((item, at) => this.param('item', item, `${field}[${at}]`)).join('')
    return Object.entries(value)
      .map(([key, item]) => this.param(key, item, `${field}.${key}`))
      .join('')
  }

  /**
   * A value between its markers. A text that a reader would not give back stands in CDATA, which every row reads; in
   * JSON and Python `<` has an escape, and `&` and `>` have one where entities are read.
   */
  private value(key: string, value: unknown): string {
    const { cdata = false, entities = false } = this.format.params ?? {}
    if (typeof value !== 'string') {
      const text = this.literal(value)
      if (!entities && !this.hasMarker(key, text)) return text
      const escape = this.isPython ? '\\x' : '\\u00'
      return text.replace(entities ? /[&<>]/g : /</g, (each) => escape + each.charCodeAt(0).toString(16))
    }
    const isLost = entities || cdata ? cdata && /[<&\n]/.test(value) : this.hasMarker(key, value)
    if (isLost || this.isTrimmed(value)) return `<![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
    return entities
      ? value.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;')
      : value
  }

  /** Whether a text begins or ends with white space that a reader would take for layout. */
  private isTrimmed(text: string): boolean {
    const { trim = 'none' } = this.format.params ?? {}
    if (trim !== 'line') return trim !== 'none' && text.trim() !== text
    const [before = '', after = ''] = (this.format.write?.param ?? '').split('{value}')
    return (
      (/^\r?\n/.test(text) && !before.endsWith('\n')) ||
      (text.endsWith('\n') && !/^\r?\n/.test(after)) ||
      (text.endsWith('\r') && after.startsWith('\n'))
    )
  }

  /**
   * Whether a reader may take a part of a text for markup: CDATA, a closing marker where the grammar goes on after it,
   * the opening marker of a parameter where the format writes one, that of a call that goes on.
   */
  private hasMarker(key: string, text: string): boolean {
    const { elements, params, section, call, messages, write } = this.format
    const prefix = elements?.prefix ?? ''
    const found = [/^\s*<!\[CDATA\[/.source]
    if (this.body === 'elements') found.push(prefix === '' ? `${oneOf([`</${key}>`])}\\s*<` : oneOf([prefix]))
    else {
      const open = oneOf(params?.open)
      const ends = oneOf(
        [section, call, messages].flatMap((marks) => [...(marks?.open ?? []), ...(marks?.close ?? [])]),
      )
      // A call that needs no closing marker may end anywhere.
      const endsAnywhere = params?.closer === 'first' || (call?.close ?? []).length === 0
      found.push(`${oneOf(params?.close)}${endsAnywhere ? '' : `\\s*(?:${open}|${ends})`}`)
      found.push(`${hasLineParams(params, write) ? '(?:^|\\n)[ \\t]*' : ''}${open}`)
      found.push(`${oneOf(call?.open)}[^]*?(?:${open}|${oneOf(section?.close)})`)
    }
    return found.some((source) => new RegExp(source).test(text))
  }

  /** An argument's name. */
  keyText(key: string, field: string): string {
    const { params } = this.format
    if (this.body === 'elements') return named(key, TAG_NAME, field)
    if (this.body === 'python') return named(key, PYTHON_NAME, field)
    if (this.body === 'brace') return named(key, BRACE_NAME, field)
    const text = attributeText(params?.head, 'KEY', key)
    const ends = ['\n', '<', ...endsOf(params?.head, 'KEY'), ...(params?.close ?? [])]
    if (text === '' || text.trim() !== text || ends.some((end) => text.includes(end)))
      throw new Unwritable(field, `is an argument whose name can't be written: ${JSON.stringify(key)}`)
    return text
  }

  /** `{key:value}` without quotes around keys. */
  private braces(value: unknown, field: string): string {
    const { quote = '', texts = false } = this.format.call ?? {}
    if (texts && field !== 'input')
      return this.inQuotes(typeof value === 'string' ? value : this.literal(value), quote, field)
    if (typeof value === 'string') return this.inQuotes(value, quote, field)
    if (Array.isArray(value)) return `[${value.map((item, at) => this.braces(item, `${field}[${at}]`)).join(',')}]`
    if (!isContainer(value)) return jsonText(value, 'compact')
    return `{${Object.entries(value)
      .map(([key, item]) => `${named(key, BRACE_NAME, `${field}.${key}`)}:${this.braces(item, `${field}.${key}`)}`)
      .join(',')}}`
  }

  private inQuotes(text: string, quote: string, field: string): string {
    if (text.includes(quote)) throw new Unwritable(field, `has ${JSON.stringify(quote)}, where a reader would end it`)
    // The template of an argument may have them.
    return this.format.write?.param?.includes(quote) === true ? text : quote + text + quote
  }

  /** A value that is no string, or one in the notation of such values. */
  private literal(value: unknown): string {
    return this.isPython ? pythonText(value) : jsonText(value, this.layout)
  }
}

/** A name in a head: in an attribute whose references are decoded, with those. */
export function attributeText(head: readonly HeadPiece[] | undefined, capture: string, text: string): string {
  const piece = head?.find((one) => capturesOf(one).includes(capture))
  const isDecoded = typeof piece === 'object' && 'attributes' in piece && piece.entities === true
  return isDecoded ? text.replaceAll('&', '&amp;').replaceAll('"', '&quot;') : text
}

/** Texts at which a head's NAME, KEY or ID would end: those of the next piece, and what ends an attribute. */
export function endsOf(head: readonly HeadPiece[] | undefined, capture: string): readonly string[] {
  const list = head ?? []
  const at = list.findIndex((piece) => capturesOf(piece).includes(capture))
  if (at < 0) return []
  const piece = list[at]
  if (typeof piece === 'object' && 'attributes' in piece) return ['"', '\n']
  if (typeof piece === 'object' && 'optional' in piece)
    return [...endsOf(piece.optional, capture), ...startsOf(list.slice(at + 1))]
  return startsOf(list.slice(at + 1))
}

/** What the rest of a head may begin with. As the last piece, a capture ends at white space and `<`. */
function startsOf(rest: readonly HeadPiece[]): readonly string[] {
  const [next, ...others] = rest
  if (next === undefined) return ['<', '{']
  if (typeof next === 'string') return [next]
  if ('attributes' in next) return [' ', next.end]
  if ('optional' in next) return [...startsOf(next.optional), ...startsOf(others)]
  return [...next.filter((text) => text !== ''), ...(next.includes('') ? startsOf(others) : [])]
}

function named(key: string, form: RegExp, field = `input.${key}`): string {
  if (!form.test(key)) throw new Unwritable(field, `is an argument whose name can't be written: ${JSON.stringify(key)}`)
  return key
}

/** A value as YAML: plain where that is safe, else JSON, which YAML contains. */
function yamlText(value: unknown): string {
  if (
    typeof value === 'string' &&
    /^[A-Za-z_][\w ./-]*$/.test(value) &&
    value.trim() === value &&
    !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value)
  )
    return value
  // So that no closing tag is in it.
  return jsonText(value, 'spaced').replaceAll('</', '<\\/')
}

function isContainer(value: unknown): value is object {
  return (isRecord(value) && !(value instanceof Digits)) || Array.isArray(value)
}

/** JSON's name of a value's type. */
function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Digits) return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}

/** One of some markers as a regular expression, or nothing; `{suffix}` in them may be a colon and a word, `{bars}` are any. */
function oneOf(markers: readonly string[] = []): string {
  const sources = markers.flatMap((marker) => {
    const source = marker
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('\\{suffix\\}', '(?::[A-Za-z0-9]+)?')
      .replaceAll('\\{bars\\}', '(?:\\s*[|｜‖│])+\\s*')
    return marker === '' ? [] : [source]
  })
  return sources.length === 0 ? '(?!)' : `(?:${sources.join('|')})`
}
