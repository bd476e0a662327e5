// The value of a JSON text, strict or as models write it.

import { JsonRules } from '../generated/ops.js'
import { put } from '../own.js'
import { jsonIn } from '../untrusted.js'
import { numberOf } from './digits.js'
import { type JsonHandler, readJson } from './read.js'

/** How values are built. */
export interface JsonValueOptions {
  /** Whether numbers that JavaScript can't hold become `Digits`. @defaultValue false */
  readonly digits?: boolean
  /** Called if a key comes twice in an object: the last one counts. */
  readonly onRepeated?: () => void
}

type Container = unknown[] | Record<string, unknown>

/** Builds the value that the tokens are. If a key comes twice, the last one counts. */
export class JsonBuilder implements JsonHandler {
  /** The value, once it is whole; what there is of it before. */
  value: unknown
  /** Whether a key came twice in an object. */
  hasRepeated = false

  private readonly keepsDigits: boolean
  /** What is open, the innermost last. */
  private readonly containers: Container[] = []
  /** The key whose value comes next. */
  private key = ''
  private text = ''

  constructor({ digits = false }: JsonValueOptions = {}) {
    this.keepsDigits = digits
  }

  open(isObject: boolean): void {
    const container: Container = isObject ? {} : []
    this.add(container)
    this.containers.push(container)
  }

  close(): void {
    this.containers.pop()
  }

  piece(text: string): void {
    this.text += text
  }

  end(isKey: boolean): void {
    const text = this.text
    this.text = ''
    if (isKey) this.key = text
    else this.add(text)
  }

  number(digits: string): void {
    this.add(this.keepsDigits ? numberOf(digits) : Number(digits))
  }

  word(value: true | false | null): void {
    this.add(value)
  }

  private add(value: unknown): void {
    const container = this.containers.at(-1)
    if (container === undefined) this.value = value
    else if (Array.isArray(container)) container.push(value)
    else {
      this.hasRepeated ||= Object.hasOwn(container, this.key)
      put(container, this.key, value)
    }
  }
}

/** What a number, `true`, `false` or `null` may begin with. */
const SCALAR = /^[-\dtfn]/
/** No longer than this is a text that is tried as one of these. */
const LONGEST_SCALAR = 32

/**
 * The value of JSON whose backslashes stay where JSON has no meaning for them (`kept-escape`); undefined for any other
 * text. Strict JSON is not tried: whoever calls it has done so.
 */
export function keptValue(text: string, options?: JsonValueOptions): unknown {
  return text.includes('\\') ? jsonValue(text, JsonRules.Kept, options) : undefined
}

/** A text's value by the rules (`JsonRules`); undefined if it can't be read. */
export function jsonValue(text: string, rules: number, options?: JsonValueOptions): unknown {
  const scalar = text.length <= LONGEST_SCALAR && SCALAR.test(text) ? scalarOf(text, options) : undefined
  if (scalar !== undefined) return scalar
  const builder = new JsonBuilder(options)
  if (readJson(text, rules, builder).fault !== undefined) return undefined
  if (builder.hasRepeated) options?.onRepeated?.()
  return builder.value
}

/** The value of strict JSON that is no container, which is the same by all rules; undefined if it isn't that. */
function scalarOf(text: string, options: JsonValueOptions | undefined): unknown {
  const value = jsonIn(text)
  return typeof value === 'number' && options?.digits === true ? numberOf(text.trim()) : value
}

/**
 * A value of a JSON document. Numbers may be `NaN` or infinite, where the model wrote JSON5. With
 * `bigNumbers: 'bigint'` whole numbers beyond 2^53 are bigints.
 *
 * @example
 * ```ts
 * import { type JsonValue, parsePartial } from 'tokenweir/fields'
 *
 * const value: JsonValue | undefined = parsePartial('{"tags": ["a", "b"')
 * console.log(value) // { tags: [ 'a', 'b' ] }
 * ```
 */
export type JsonValue = string | number | bigint | boolean | null | JsonValue[] | { [key: string]: JsonValue }
