// rxml's `stringify`: a value as elements.
//
//     { a: [1, 2] }        <a>1</a><a>2</a>
//     { a: [1] }           <a><item>1</item></a>     one element alone would not be a list
//     { a: [[1], 2] }      <a><item>1</item></a><a>2</a>
//     { '@_k': 'v' }       an attribute k of the element around it
//     { '#text': 'x' }     its text
//
// Source: facts/ai-sdk-tool-parser.md, 2b. Differences, so that `parse` gives the
// value back: a list of one, an empty one and one in another stay distinct; the
// attribute of `@_k` is `k`; what has a `toJSON` is written as it says. A name that
// is invalid in XML, a cycle and a function are errors.

import { requireString } from '../errors.js'
import { Digits } from '../json/digits.js'
import { type OptionTable, checkOptions, flag } from '../options.js'
import { isRecord } from '../own.js'

/**
 * How `stringify` writes.
 *
 * @example
 * ```ts
 * import { RXML, type RXMLStringifyOptions } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const options: RXMLStringifyOptions = { declaration: true }
 * console.log(RXML.stringify('add', { a: 1, b: [2, 3] }, options))
 * ```
 * ```text
 * <?xml version="1.0" encoding="UTF-8"?>
 * <add>
 *   <a>1</a>
 *   <b>2</b>
 *   <b>3</b>
 * </add>
 * ```
 */
export interface RXMLStringifyOptions {
  /** Each element on its own line, two more spaces for each level. @defaultValue true */
  readonly format?: boolean | undefined
  /** Leave out elements with nothing in them; never the outermost. @defaultValue false */
  readonly suppressEmptyNode?: boolean | undefined
  /**
   * Write only the references that XML 1.0 asks for: `&`, `<`, the `>` of `]]>`, and `"` in attributes. @defaultValue
   * false
   */
  readonly minimalEscaping?: boolean | undefined
  /** Write an attribute whose value is null as `k="k"`, not as `k`. @defaultValue false */
  readonly strictBooleanAttributes?: boolean | undefined
  /** Begin with `<?xml version="1.0" encoding="UTF-8"?>`. @defaultValue false */
  readonly declaration?: boolean | undefined
}

const OPTIONS = {
  format: [flag],
  suppressEmptyNode: [flag],
  minimalEscaping: [flag],
  strictBooleanAttributes: [flag],
  declaration: [flag],
} satisfies OptionTable<RXMLStringifyOptions>

/** Deepest element that is written; `parse` reads no deeper one. */
const DEEPEST = 512

/** XML 1.0, productions 4 and 4a: what a name begins with, and what it is made of. */
const NAME_START =
  /^[:A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]/u
const NAME_CHARACTERS =
  /^[-.\d\u00b7\u203f\u2040:A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]+$/u

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Writes a value as one element: `RXML.stringify`. */
export function stringify(root: string, object: unknown, options?: RXMLStringifyOptions): string {
  requireString('stringify', root)
  checkOptions('stringify', options, OPTIONS)
  const writer = new Writer(options ?? {})
  const text = writer.elements(root, object, 0) || `<${root}/>`
  return options?.declaration === true ? `<?xml version="1.0" encoding="UTF-8"?>\n${text}` : text
}

class Writer {
  readonly #around = new Set<object>()
  readonly #isFormatted: boolean
  readonly #skipsEmpty: boolean
  readonly #isStrict: boolean
  readonly #inText: RegExp
  readonly #inAttribute: RegExp

  constructor({
    format = true,
    suppressEmptyNode = false,
    minimalEscaping = false,
    strictBooleanAttributes = false,
  }: RXMLStringifyOptions) {
    this.#isFormatted = format
    this.#skipsEmpty = suppressEmptyNode
    this.#isStrict = strictBooleanAttributes
    this.#inText = minimalEscaping ? /[&<]|(?<=\]\])>/g : /[&<>"']/g
    // White space other than a space becomes one where attributes are read by the book.
    this.#inAttribute = minimalEscaping ? /[&<"\t\n\r]/g : /[&<>"'\t\n\r]/g
  }

  /** A value as elements of one name: as many as it has elements, if it is a list of several. */
  elements(name: string, given: unknown, depth: number): string {
    requireName('element', name)
    const value = plain(given)
    if (!Array.isArray(value) || value.length < 2) return this.#element(name, value, depth)
    const parts = this.#inside(value, depth, () => value.map((element) => this.#element(name, plain(element), depth)))
    return parts.filter((part) => part !== '').join(this.#isFormatted ? `\n${'  '.repeat(depth)}` : '')
  }

  #element(name: string, value: unknown, depth: number): string {
    if (value === undefined || value === null) return this.#empty(name)
    if (Array.isArray(value)) return this.#inside(value, depth, () => this.#list(name, value, depth))
    if (isRecord(value)) return this.#inside(value, depth, () => this.#object(name, value, depth))
    const text = textOf(value, name)
    if (text === '' && this.#skipsEmpty) return ''
    return `<${name}>${escaped(text, this.#inText)}</${name}>`
  }

  #list(name: string, list: readonly unknown[], depth: number): string {
    return this.#tag(
      name,
      '',
      list.map((element) => this.#element('item', plain(element), depth + 1)),
      depth,
    )
  }

  #object(name: string, object: Readonly<Record<string, unknown>>, depth: number): string {
    let attributes = ''
    let text = ''
    const parts: string[] = []
    for (const [key, value] of Object.entries(object)) {
      if (key.startsWith('@')) attributes += this.#attribute(key.slice(key[1] === '_' ? 2 : 1), value)
      else if (key === '#text') text = escaped(textOf(plain(value) ?? '', key), this.#inText)
      else parts.push(this.elements(key, value, depth + 1))
    }
    if (text !== '' && parts.length === 0) return `<${name}${attributes}>${text}</${name}>`
    return this.#tag(name, attributes, [text, ...parts], depth)
  }

  #tag(name: string, attributes: string, parts: readonly string[], depth: number): string {
    const inner = parts.filter((part) => part !== '')
    if (inner.length === 0) return attributes === '' ? this.#empty(name) : `<${name}${attributes}/>`
    const line = this.#isFormatted ? `\n${'  '.repeat(depth)}` : ''
    const indent = this.#isFormatted ? '  ' : ''
    return `<${name}${attributes}>${inner.map((part) => `${line}${indent}${part}`).join('')}${line}</${name}>`
  }

  #attribute(name: string, given: unknown): string {
    requireName('attribute', name)
    const value = plain(given)
    if (value === undefined) return ''
    if (value === null) return this.#isStrict ? ` ${name}="${name}"` : ` ${name}`
    return ` ${name}="${escaped(textOf(value, name), this.#inAttribute)}"`
  }

  #empty(name: string): string {
    return this.#skipsEmpty ? '' : `<${name}/>`
  }

  /** Writes what is in a container that must not be in itself. */
  #inside<Written>(container: object, depth: number, write: () => Written): Written {
    if (this.#around.has(container)) throw new RXMLStringifyError('a value that contains itself has no end')
    if (depth >= DEEPEST) throw new RXMLStringifyError(`more than ${DEEPEST} levels`)
    this.#around.add(container)
    const written = write()
    this.#around.delete(container)
    return written
  }
}

/** What a value is without its class. */
function plain(value: unknown): unknown {
  if (value instanceof Digits) return value.text
  if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function')
    return (value.toJSON as () => unknown)()
  return value instanceof Number || value instanceof String || value instanceof Boolean ? value.valueOf() : value
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new RXMLStringifyError(`${JSON.stringify(name)} is a ${typeof value}, which has no text`)
  if (typeof value === 'object')
    throw new RXMLStringifyError(
      `${JSON.stringify(name)} must be a text, but is ${Array.isArray(value) ? 'a list' : 'an object'}`,
    )
  return String(value)
}

function requireName(what: string, name: string): void {
  if (!NAME_START.test(name) || !NAME_CHARACTERS.test(name))
    throw new RXMLStringifyError(`${JSON.stringify(name)} is not a name of an XML ${what}`)
}

function escaped(text: string, what: RegExp): string {
  return text.replace(what, (character) => REFERENCES[character] as string)
}

/**
 * A value that can't be written as elements.
 *
 * @example
 * ```ts
 * import { RXML, RXMLStringifyError } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   RXML.stringify('no name', {})
 * } catch (error) {
 *   if (error instanceof RXMLStringifyError) console.log(error.message)
 * }
 * ```
 * ```text
 * "no name" is not a name of an XML element
 * ```
 */
export class RXMLStringifyError extends Error {
  /** The name of the class. */
  override readonly name: string = 'RXMLStringifyError'

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }
}
