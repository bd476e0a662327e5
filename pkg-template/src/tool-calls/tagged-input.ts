// Writes parameters, one by one, as the JSON of a call's `input`, with the types of the
// tool's schema.
//
// A parameter that may be a string is its text, and is written while it comes; any other
// is read when it is whole: as JSON, as a literal of Python where the format has these.
//
// Source: spec/format.md, rule 4. `JSON-mix` and Morph coerce by the whole schema; here the
// model wrote every value as text, and the schema says what it stands for.

import { type Listing, Members } from '../json/members.js'
import { isRecord } from '../own.js'
import { json, list, map, maybe, set, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { Coercion } from '../schema/coercion.js'
import type { Kind } from '../schema/keywords.js'
import type { Schema } from '../schema/schema.js'
import { fromJson, toJson } from '../schema/to-json.js'
import { UNSAFE_NAMES, unsafeName } from './call-repairs.js'
import { EscapedText } from './escaped.js'
import type { Repair } from './types.js'
import {
  type Typing,
  containerText,
  hasPython,
  isNull,
  literalText,
  mayBeContainer,
  typedText,
  valueText,
} from './typed-text.js'

/** Names under which models wrap all arguments. */
const WRAPPERS: readonly string[] = ['arguments', 'input', 'parameters', 'properties']

/** A value between tags that say that it is one, and nothing else. */
const VALUE_TAG = /^\s*<value>(?:\r?\n)?((?:(?!<\/?value>)[^])*?)(?:\r?\n)?<\/value>\s*$/i

const NO_TYPES: ReadonlySet<Kind> = new Set()

/** A tag with such a name, or one that names such a parameter. */
const UNSAFE_MARKUP =
  /<\/?(?:__proto__|constructor|prototype)[\s/>]|<[A-Za-z_][\w.-]*(?:=|\s+name\s*=\s*)["']?(?:__proto__|constructor|prototype)["']?[\s/>]/

/** Writes the JSON of one call's arguments. */
export class TaggedInput {
  static get saved(): SavedClass {
    return {
      skips: ['repairs', 'schema', 'format', 'write', 'repeat'],
      fields: {
        error: maybe(text),
        fixes: set(text),
        seen: set(text),
        type: maybe(text),
        isString: maybe(text),
        wrapped: maybe(json),
        more: map(text, list(text)),
      },
    }
  }
  /** What is wrong with the call; undefined if nothing is. */
  error: string | undefined
  /** What was repaired. */
  readonly fixes = new Set<Repair>()
  /** Whether the value that was read last is a text. */
  isText = false
  /** Whether it must not come out at all. */
  isUnsafe = false
  private readonly repairs: ReadonlySet<string>
  private readonly schema: Schema | undefined
  private readonly seen = new Set<string>()
  private readonly members: Members
  private key = ''
  private isNameless = false
  /** Whether the parameter came before, and is a list of its values; the JSON of those after the first. */
  private isMore = false
  private readonly more = new Map<string, string[]>()
  private type: string | undefined
  private isString: string | undefined
  private text = ''
  private readonly escaped = new EscapedText()
  /** The value so far, where markup in it makes the call unsafe. */
  private searched = ''
  /** Whether the value's text is written while it comes. */
  private isStreaming = false
  /** Whether the parameter is left out. */
  private isDropped = false
  /** The only argument, which may hold all of them. */
  private wrapped: unknown

  /** `coercion` reads the tool's schema, if it has one. */
  constructor(
    private readonly format: Typing,
    coercion: Coercion | undefined,
    private readonly write: (json: string) => void,
    private readonly repeat: () => void,
  ) {
    this.members = new Members({ write, begin: (_, isAgain) => isAgain && repeat() })
    this.repairs = new Set(format.repairs)
    this.schema = coercion?.schema
  }

  /**
   * A parameter begins. A nameless one may end in a closing marker, which is not part of it; an element has its name in
   * any case.
   */
  param(written: string, isNameless: boolean, isElement = false): void {
    const key = isElement ? (this.#listed(written) ?? written) : written
    this.#giveWrapped()
    this.key = key
    this.isMore = false
    this.isNameless = isNameless
    this.type = undefined
    this.isString = undefined
    this.text = ''
    this.searched = ''
    this.isStreaming = false
    if (this.seen.has(key) && this.#listing === undefined) {
      if (this.format.params?.duplicate === 'reject') this.error = `the argument ${key} is written twice`
      else this.fixes.add('repeated-argument')
      this.isMore = this.format.params?.duplicate === 'list'
      if (this.isMore) this.repeat()
    }
    this.seen.add(key)
    if (this.repairs.has('drop-unsafe') && UNSAFE_NAMES.includes(key)) this.isUnsafe = true
    this.isDropped = !this.#mayWrap && this.#drops(key)
  }

  paramType(type: string): void {
    this.type = type
  }

  paramIsString(is: string): void {
    this.isString = is
  }

  paramText(text: string): void {
    if (this.repairs.has('drop-unsafe-markup')) this.searched += text
    if (this.isDropped) return
    if (this.isStreaming) {
      this.write(this.escaped.add(text))
      return
    }
    this.text += text
    if (
      this.text === '' ||
      this.isNameless ||
      this.isMore ||
      this.#mayWrap ||
      !this.#isText ||
      this.#mayBeOther(this.text)
    )
      return
    this.#begin()
    this.write('"')
    this.isStreaming = true
    const all = this.text
    this.text = ''
    this.write(this.escaped.add(all))
  }

  paramEnd(isCData = false): void {
    this.isText = this.isDropped || this.isStreaming
    if (this.isText) this.#search(this.searched)
    if (this.isDropped) return
    if (this.isStreaming) {
      this.write(`${this.escaped.end()}"`)
      return
    }
    if (this.isNameless) this.#endNameless()
    if (!isCData) this.#leaveValueTag()
    const value = isCData && !this.#isTyped && (this.schema === undefined || this.#isText) ? this.text : this.#value()
    this.isText = typeof value === 'string'
    if (this.repairs.has('drop-unsafe') && unsafeName(value) !== undefined) this.isUnsafe = true
    this.#search(value)
    if (this.#mayWrap) {
      const inside = typeof value === 'string' ? literalText(value, this.format, this.fixes) : value
      if (
        isRecord(inside) &&
        Object.keys(inside).length > 0 &&
        Object.keys(inside).every((key) => this.schema?.names(key) === true)
      ) {
        this.wrapped = inside
        this.text = toJson(value)
        return
      }
    }
    if (this.isMore) {
      this.more.set(this.key, [...(this.more.get(this.key) ?? []), toJson(value)])
      return
    }
    this.members.begin(this.key, this.#listing)
    this.members.add(toJson(value))
  }

  /** What the parameter is if it comes again. */
  get #listing(): Listing {
    return this.format.typing === 'string' ? undefined : this.schema?.property(this.key)?.listing
  }

  /** Whether an element of this name may be a parameter. */
  knows(name: string): boolean {
    return this.schema?.listed === undefined || this.#listed(name) !== undefined
  }

  /** The name of a property that the schema lists, in whatever case it is written. */
  #listed(name: string): string | undefined {
    const listed = this.schema?.listed ?? []
    return listed.includes(name) ? name : listed.find((each) => each.toLowerCase() === name.toLowerCase())
  }

  /** All arguments in JSON, with each that came again as a list. */
  joined(input: string): string {
    const all = fromJson(input)
    if (this.more.size === 0 || !isRecord(all)) return toJson(all)
    const pairs = Object.entries(all).map(([key, value]) => [
      key,
      this.more.has(key) ? [value, ...(this.more.get(key) ?? []).map(fromJson)] : value,
    ])
    return toJson(Object.fromEntries(pairs))
  }

  /** Whether a parameter's opener in a value begins another one. */
  opens(key: string): boolean {
    return key !== this.key && !this.seen.has(key) && this.schema?.names(key) === true
  }

  /** All parameters came: what is wrong with the call, if something is. */
  whole(): string | undefined {
    const wrapped = this.wrapped
    this.wrapped = undefined
    if (isRecord(wrapped)) {
      this.fixes.add('unwrap-arguments')
      this.seen.clear()
      for (const [key, value] of Object.entries(wrapped)) {
        this.key = key
        this.isDropped = false
        this.seen.add(key)
        this.#begin()
        this.write(toJson(value))
      }
    }
    if (this.isUnsafe) return 'an argument has the name of an inherited property, or markup that names one'
    const missing = this.repairs.has('require-arguments')
      ? (this.schema?.requiredArguments ?? []).filter((name) => !this.seen.has(name))
      : []
    if (missing.length > 0) return `its schema requires ${missing.join(', ')}`
    return this.error
  }

  /** The names of those that came. */
  get given(): readonly string[] {
    return [...this.seen]
  }

  /** Ends the object. */
  finish(): void {
    this.#giveWrapped()
    this.members.finish()
  }

  /** What was thought to hold all arguments is one of several. */
  #giveWrapped(): void {
    if (this.wrapped === undefined) return
    this.wrapped = undefined
    if (this.#drops(this.key)) return
    this.#begin()
    this.write(this.text)
  }

  /** Whether an argument is left out. */
  #drops(key: string): boolean {
    const drops = this.repairs.has('drop-unknown') && this.schema?.keeps(key) === false
    if (drops) this.fixes.add('drop-unknown')
    return drops
  }

  get #mayWrap(): boolean {
    return (
      this.members.isEmpty &&
      this.seen.size === 1 &&
      this.repairs.has('unwrap-arguments') &&
      WRAPPERS.includes(this.key) &&
      this.schema?.names(this.key) !== true
    )
  }

  /** Without the closing marker that a model wrote after the value, if the tool knows the parameter. */
  #endNameless(): void {
    const { close = [], trim } = this.format.params ?? {}
    const text = this.text.trimEnd()
    const closer = this.schema?.names(this.key) === true ? close.find((marker) => text.endsWith(marker)) : undefined
    if (closer !== undefined) this.text = text.slice(0, -closer.length)
    if (trim === 'line') this.text = this.text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
    if (trim === 'all') this.text = this.text.trim()
  }

  /** Without the tags around a value that is nothing else. */
  #leaveValueTag(): void {
    const inner = this.repairs.has('value-tag') ? VALUE_TAG.exec(this.text)?.[1] : undefined
    if (inner === undefined) return
    this.text = inner
    this.fixes.add('value-tag')
  }

  /** The types that the schema gives the parameter; none if it gives none. */
  get #types(): ReadonlySet<Kind> {
    return this.schema?.property(this.key)?.types ?? NO_TYPES
  }

  /** Whether the value is its text. */
  get #isText(): boolean {
    const { typing, untyped } = this.format
    if (typing === 'string') return true
    if (typing === 'attribute') {
      if (this.isString !== undefined) return this.isString === 'true'
      if (this.type !== undefined) return this.type === 'string'
    }
    if (this.schema === undefined) return untyped !== 'json'
    const types = this.#types
    return types.size === 0 || types.has('string')
  }

  /**
   * Whether a text that may be a string may still become null, or a list or an object that the schema allows besides.
   */
  #mayBeOther(text: string): boolean {
    if (this.repairs.has('value-tag') && '<value>'.startsWith(text.trimStart().slice(0, 7).toLowerCase())) return true
    if (this.format.typing === 'string' || this.#isTyped) return false
    return this.#mayBeNull(text) || mayBeContainer(text, this.#types)
  }

  #mayBeNull(text: string): boolean {
    if (this.repairs.has('null-text') || !this.#types.has('null')) return false
    const word = text.trim()
    return 'null'.startsWith(word) || (hasPython(this.format) && 'None'.startsWith(word))
  }

  get #isTyped(): boolean {
    return this.format.typing === 'attribute' && (this.isString !== undefined || this.type !== undefined)
  }

  #value(): unknown {
    const { format } = this
    const [text, types] = [this.text, this.#types]
    if (this.schema === undefined && !this.#isTyped) return typedText(text, format, undefined, this.fixes)
    const isOpen = !this.#isTyped && format.typing !== 'string'
    if (isOpen && isNull(text, format, types)) return null
    if (!this.#isText) return this.#item(valueText(text, format, types, this.fixes))
    return isOpen && mayBeContainer(text, types) ? containerText(text, format, types, this.fixes) : text
  }

  /** A value where its schema is a list, and it isn't one: an item of it. */
  #item(value: unknown): unknown {
    if (this.#listing === undefined || Array.isArray(value)) return value
    const items = this.schema?.property(this.key)?.element(0)
    const item =
      items === undefined || items.types.size === 0 ? value : typedText(this.text, this.format, items, this.fixes)
    return this.format.params?.duplicate === 'list' ? [item] : item
  }

  /** Looks for markup in a string that names what objects inherit. */
  #search(value: unknown): void {
    if (typeof value === 'string' && this.repairs.has('drop-unsafe-markup') && UNSAFE_MARKUP.test(value))
      this.isUnsafe = true
  }

  #begin(): void {
    this.members.begin(this.key, undefined)
  }
}
