// rxml's `parse`: elements as an object, by a schema.
//
// One element around everything is removed if the schema doesn't know it, and again
// in the rest. A property that is a string is its raw inner text. Text that isn't
// well-formed is an error, or with `repair` read as well as possible.
//
// Source: facts/ai-sdk-tool-parser.md, 2b. Differences: whether an element is raw
// depends on its place, not on its name alone; CDATA is read; instructions are
// skipped; an element such as `<img>` may be closed, and is empty only if it
// isn't; an error has its line and column; a `<` in a string is text without
// `repair`. Special to some models there, and not here: the last of repeated strings
// next to a `command` list, and lists whose elements are strings of XML.

import { requireString } from '../errors.js'
import { type OptionTable, callback, checkOptions, flag, text } from '../options.js'
import type { Coercion } from '../schema/coercion.js'
import { type XmlFault, type XmlHandler, readXml } from '../xml/read.js'
import { ElementBuilder, type XmlElement } from './element.js'
import { type ValueRules, fieldsOf } from './value.js'
import { makeCoercion } from './xml-in-strings.js'
import { valueBorder } from '../wasm/borders.js'

/**
 * How `parse` reads.
 *
 * @example
 * ```ts
 * import { RXML, type RXMLParseOptions } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const options: RXMLParseOptions = { repair: true, onError: (message) => console.log(message) }
 * console.log(RXML.parse('<a>1</a><b>2', undefined, options))
 * ```
 * ```text
 * Repaired XML: <b> is not closed
 * { a: '1', b: '2' }
 * ```
 */
export interface RXMLParseOptions {
  /**
   * Whether a property that is a string and comes more than once is an error. Otherwise the first counts. @defaultValue
   * true
   */
  readonly throwOnDuplicateStringTags?: boolean | undefined
  /** Hears of what was passed over: repeated strings, and what `repair` repaired. */
  readonly onError?: ((message: string, metadata?: Readonly<Record<string, unknown>>) => void) | undefined
  /** Read text that isn't well-formed as well as possible. @defaultValue false */
  readonly repair?: boolean | undefined
  /** The key of text besides attributes and elements. @defaultValue '#text' */
  readonly textNodeName?: string | undefined
  /** Elements that are empty if they are not closed. @defaultValue the void elements of HTML */
  readonly noChildNodes?: readonly string[] | undefined
  /** Keep white space at the ends of texts that the schema doesn't know as strings. @defaultValue false */
  readonly keepWhitespace?: boolean | undefined
}

const OPTIONS = {
  throwOnDuplicateStringTags: [flag],
  onError: [callback],
  repair: [flag],
  textNodeName: [text],
  noChildNodes: [requireNames],
  keepWhitespace: [flag],
} satisfies OptionTable<RXMLParseOptions>

/**
 * Void elements of HTML, https://html.spec.whatwg.org/multipage/syntax.html#void-elements, and those of older versions.
 */
const VOID = [
  'area',
  'base',
  'br',
  'col',
  'command',
  'embed',
  'hr',
  'img',
  'input',
  'keygen',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]

/** Most readings of one text with `repair`. */
const MOST_READINGS = 3

/** Reads the elements of a text as an object: `RXML.parse`. */
export function parse(xmlInner: string, schema?: unknown, options?: RXMLParseOptions): Record<string, unknown> {
  requireString('parse', xmlInner)
  valueBorder.requireReady('parse')
  checkOptions('parse', options, OPTIONS)
  const coercion = makeCoercion(schema)
  if (options?.repair !== true) return read(xmlInner, coercion, options ?? {})
  try {
    return read(xmlInner, coercion, options)
  } catch (error) {
    if (error instanceof RXMLDuplicateStringTagError)
      throw new RXMLParseError('Failed to parse XML with repair heuristics', error)
    throw error
  }
}

function requireNames(place: string, names: unknown): void {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new TypeError(`${place} must be a list of names`)
}

function read(text: string, coercion: Coercion, options: RXMLParseOptions): Record<string, unknown> {
  const { root } = elementsOf(text, coercion, options)
  const [first] = root.children
  const isWrapped =
    first !== undefined && root.children.length === 1 && root.text.trim() === '' && root.schema.isStranger(first.name)
  const children = unrepeated(isWrapped ? first.children : root.children, options)
  const fields = fieldsOf(children, valueRules(options))
  const [name, ...others] = Object.keys(fields)
  if (name === undefined || others.length > 0 || !root.schema.isStranger(name)) return coerced(coercion, fields)
  const value = coerced(coercion, fields[name])
  return Array.isArray(value) ? { ...value } : value
}

/** The elements of a text; with `repair`, what a string that isn't closed took with it is read again. */
function elementsOf(text: string, coercion: Coercion, options: RXMLParseOptions): ElementBuilder {
  const markupAt = new Set<number>()
  for (let reading = 1; ; reading++) {
    const reader = new Reader(text, coercion, options, markupAt)
    readXml(text, reader, () => reader.isRaw)
    const at = reader.unclosedRawAt
    if (at === undefined || options.repair !== true) return reader
    if (reading === MOST_READINGS) throw new Lines(text).error('an element that is a string is not closed', at)
    markupAt.add(at)
  }
}

/** Builds elements, and treats anything that isn't well-formed as an error. */
class Reader extends ElementBuilder implements XmlHandler {
  /** Where a raw element begins that is not closed. */
  unclosedRawAt: number | undefined
  readonly #lines: Lines
  /** How many closing tags belong to opening tags that were text. */
  #ownTags = 0

  constructor(
    source: string,
    coercion: Coercion,
    private readonly options: RXMLParseOptions,
    markupAt: ReadonlySet<number>,
  ) {
    super(coercion.root, coercion, { empty: new Set(options.noChildNodes ?? VOID), unwraps: true, markupAt })
    this.#lines = new Lines(source)
  }

  override abandon(): void {
    const { innermost, isRaw } = this
    super.abandon()
    if (!innermost.isUnclosed) return
    if (isRaw) this.unclosedRawAt ??= innermost.at
    this.#wrong(`<${innermost.name}> is not closed`, innermost.at)
  }

  fault(fault: XmlFault, at: number): void {
    switch (fault) {
      case 'own-tag': {
        const { name } = this.innermost
        if (this.options.throwOnDuplicateStringTags !== false) throw duplicate(name)
        this.#ownTags++
        break
      }
      case 'stray-closer':
        if (this.#ownTags > 0) this.#ownTags--
        else this.#wrong('a closing tag that nothing opened', at)
        break
      case 'loose-less':
        this.#wrong('a `<` that begins no tag', at)
        break
      case 'cut-tag':
        this.#wrong('the text ends in a tag', at)
        break
      case 'too-deep':
        throw this.#lines.error('more than 512 elements inside each other', at)
      case 'text':
        break
    }
  }

  #wrong(what: string, at: number): void {
    const { repair, onError } = this.options
    if (repair === true && onError === undefined) return
    if (repair !== true) throw this.#lines.error(what, at)
    onError?.(`Repaired XML: ${what}`, this.#lines.place(at))
  }
}

/** The elements without those that are strings and came before. */
function unrepeated(
  elements: readonly XmlElement[],
  { throwOnDuplicateStringTags = true, onError }: RXMLParseOptions,
): readonly XmlElement[] {
  const seen = new Set<string>()
  return elements.filter(({ name, schema }) => {
    if (!schema.isText) return true
    if (!seen.has(name)) {
      seen.add(name)
      return true
    }
    if (throwOnDuplicateStringTags) throw duplicate(name)
    onError?.(`Duplicate string tags for <${name}> detected; the first counts`, { tag: name })
    return false
  })
}

function valueRules({ textNodeName, keepWhitespace }: RXMLParseOptions): ValueRules {
  return {
    ...(textNodeName === undefined ? {} : { textNodeName }),
    ...(keepWhitespace === undefined ? {} : { keepWhitespace }),
  }
}

/** The remaining value by the schema of the whole; it may not be an object. */
function coerced(coercion: Coercion, value: unknown): Record<string, unknown> {
  try {
    return coercion.value(value) as Record<string, unknown>
  } catch (error) {
    throw new RXMLCoercionError('The values could not be given the types of the schema', error)
  }
}

function duplicate(name: string): RXMLDuplicateStringTagError {
  return new RXMLDuplicateStringTagError(`Duplicate string tags for <${name}> detected`)
}

/** Where the lines of a text begin, found when first asked for. */
class Lines {
  #starts: readonly number[] | undefined

  constructor(private readonly text: string) {}

  /** The line and the column of a place, from 1 on. */
  place(at: number): { line: number; column: number } {
    this.#starts ??= [0, ...Array.from(this.text.matchAll(/\n/g), ({ index }) => index + 1)]
    let line = 0
    for (let end = this.#starts.length; end - line > 1; ) {
      const middle = (line + end) >> 1
      if ((this.#starts[middle] as number) <= at) line = middle
      else end = middle
    }
    return { line: line + 1, column: at - (this.#starts[line] as number) + 1 }
  }

  error(what: string, at: number): RXMLParseError {
    const { line, column } = this.place(at)
    return new RXMLParseError(`Failed to parse XML: ${what} at line ${line}, column ${column}`, undefined, line, column)
  }
}

/**
 * A text that can't be read as elements.
 *
 * @example
 * ```ts
 * import { RXML, RXMLParseError } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   RXML.parse('<a>\n<b></a>')
 * } catch (error) {
 *   if (error instanceof RXMLParseError) console.log(error.name, error.line, error.column)
 * }
 * ```
 * ```text
 * RXMLParseError 2 1
 * ```
 */
export class RXMLParseError extends Error {
  /** The name of the class. */
  override readonly name: string = 'RXMLParseError'
  /** The line of what was wrong, from 1 on, if it has a place. */
  readonly line: number | undefined
  /** The column in that line, from 1 on, in UTF-16 code units. */
  readonly column: number | undefined

  constructor(message: string, cause?: unknown, line?: number, column?: number) {
    super(message, cause === undefined ? undefined : { cause })
    this.line = line
    this.column = column
  }
}

/**
 * A property that is a string, and came more than once.
 *
 * @example
 * ```ts
 * import { RXML, RXMLDuplicateStringTagError } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   RXML.parse('<a>1</a><a>2</a>', { type: 'object', properties: { a: { type: 'string' } } })
 * } catch (error) {
 *   if (error instanceof RXMLDuplicateStringTagError) console.log(error.message)
 * }
 * ```
 * ```text
 * Duplicate string tags for <a> detected
 * ```
 */
export class RXMLDuplicateStringTagError extends Error {
  /** The name of the class. */
  override readonly name: string = 'RXMLDuplicateStringTagError'
}

/**
 * Values that could not be given the types of the schema.
 *
 * @example
 * ```ts
 * import { RXML, RXMLCoercionError } from 'tokenweir/ai-sdk-tool-parser'
 *
 * try {
 *   RXML.parse('<a>1</a><a>'.repeat(300) + '</a>'.repeat(300))
 * } catch (error) {
 *   if (error instanceof RXMLCoercionError) console.log(error.name, error.cause instanceof RangeError)
 * }
 * ```
 * ```text
 * RXMLCoercionError true
 * ```
 */
export class RXMLCoercionError extends Error {
  /** The name of the class. */
  override readonly name: string = 'RXMLCoercionError'

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }
}
