// What the text of a parameter stands for. One that may be a string is its text; any other is read when it is whole: as
// JSON, as a literal of Python where the format has these.
//
// Source: spec/format.md, rule 4.

import type { Listing } from '../json/members.js'
import type { Kind } from '../schema/keywords.js'
import type { Schema } from '../schema/schema.js'
import {
  type Fixes,
  type Typing,
  containerText,
  isNull,
  mayBeContainer,
  mayBeOther,
  typedText,
  valueText,
} from './typing.js'

const NO_TYPES: ReadonlySet<Kind> = new Set()

/** A parameter, while it comes. */
export class Param {
  /** Whether it came before, and is a list of its values. */
  isMore = false
  /** Its type, and whether it is a string, as the model wrote them. */
  type: string | undefined
  isString: string | undefined
  /** Its text, as long as that isn't written while it comes. */
  text = ''
  /** All of its text, where markup in it makes the call unsafe. */
  searched = ''
  /** Whether it is CDATA, and so never anything else than a text. */
  isCdata = false
  /** Whether it is left out. */
  isDropped = false

  /** `isNameless`: it may end in a closing marker, which is not part of it. */
  constructor(
    readonly key: string,
    readonly isNameless: boolean,
  ) {}
}

/** Reads the texts of one call's parameters. */
export class ParamValues {
  /** `schema` is the tool's, if it has one; `fixes` takes what is repaired. */
  constructor(
    readonly format: Typing,
    private readonly schema: Schema | undefined,
    private readonly fixes: Fixes,
  ) {}

  /** What a parameter is if it comes again. */
  listing(key: string): Listing {
    return this.format.typing === 'string' ? undefined : this.schema?.property(key)?.listing
  }

  /** Whether the value is its text. */
  mayBeText({ key, type, isString }: Param): boolean {
    const { typing, untyped } = this.format
    if (typing === 'string') return true
    if (typing === 'attribute') {
      if (isString !== undefined) return isString === 'true'
      if (type !== undefined) return type === 'string'
    }
    if (this.schema === undefined) return untyped !== 'json'
    const types = this.#types(key)
    return types.size === 0 || types.has('string')
  }

  /** Whether a text that may be a string may still become another value. */
  mayBeOther(param: Param): boolean {
    const { format } = this
    const front = param.text.trimStart().slice(0, 7).toLowerCase()
    if (format.repairs?.includes('value-tag') === true && '<value>'.startsWith(front)) return true
    return !this.#isTyped(param) && mayBeOther(param.text, format, this.#types(param.key))
  }

  /** The value of a parameter that is whole. */
  of(param: Param): unknown {
    const { format, fixes, schema } = this
    const { text, key } = param
    const types = this.#types(key)
    const isTyped = this.#isTyped(param)
    if (param.isCdata && !isTyped && (schema === undefined || this.mayBeText(param))) return text
    if (schema === undefined && !isTyped) return typedText(text, format, undefined, fixes)
    const isOpen = !isTyped && format.typing !== 'string'
    if (isOpen && isNull(text, format, types)) return null
    if (!this.mayBeText(param)) return this.#item(param, valueText(text, format, types, fixes))
    return isOpen && mayBeContainer(text, types) ? containerText(text, format, types, fixes) : text
  }

  /** A value where its schema is a list, and it isn't one: an item of it. */
  #item({ key, text }: Param, value: unknown): unknown {
    if (this.listing(key) === undefined || Array.isArray(value)) return value
    const items = this.schema?.property(key)?.element(0)
    const item = items === undefined || items.types.size === 0 ? value : typedText(text, this.format, items, this.fixes)
    return this.format.params?.duplicate === 'list' ? [item] : item
  }

  /** The types that the schema gives a parameter; none if it gives none. */
  #types(key: string): ReadonlySet<Kind> {
    return this.schema?.property(key)?.types ?? NO_TYPES
  }

  /** Whether the model wrote its type. */
  #isTyped({ type, isString }: Param): boolean {
    return this.format.typing === 'attribute' && (isString !== undefined || type !== undefined)
  }
}
