// Reads parameters, one by one: the model wrote every value as text, and the schema says what it stands for.
// One that may be a string is written while it comes, any other when it is whole.
//
// Source: spec/format.md, rule 4.

import { FormatAnswer } from '../generated/ops.js'
import { Members } from '../json/members.js'
import { isRecord } from '../own.js'
import type { Schema } from '../schema/schema.js'
import { fromJson, toJson } from '../schema/to-json.js'
import { CallBody } from './body.js'
import { Param, ParamValues } from './param-values.js'
import { UNSAFE_NAMES, unsafeName } from './repairs.js'
import { type Typing, literalText } from './typing.js'
import type { ArgumentWriter } from './writer.js'

/** Names under which models wrap all arguments. */
const WRAPPERS: readonly string[] = ['arguments', 'input', 'parameters', 'properties']

/** A value between tags that say that it is one, and nothing else. */
const VALUE_TAG = /^\s*<value>(?:\r?\n)?((?:(?!<\/?value>)[^])*?)(?:\r?\n)?<\/value>\s*$/i

/** A tag with such a name, or one that names such a parameter. */
const UNSAFE_MARKUP =
  /<\/?(?:__proto__|constructor|prototype)[\s/>]|<[A-Za-z_][\w.-]*(?:=|\s+name\s*=\s*)["']?(?:__proto__|constructor|prototype)["']?[\s/>]/

/** Reads parameters. */
export class ParamArguments extends CallBody {
  /** What texts stand for. */
  private readonly values: ParamValues
  /** What is wrong with the call, if it is whole. */
  private mistake: string | undefined
  /** Whether the value that was read last is a text. */
  private isText = false
  /** The row's repairs. */
  private readonly rules: ReadonlySet<string>
  private readonly seen = new Set<string>()
  private readonly members: Members
  private param = new Param('', false)
  /** The JSON of the values after the first, where all are a list. */
  private readonly more = new Map<string, string[]>()
  /** The only argument, which may hold all of them. */
  private wrapped: unknown
  /** The marker or the tag that is asked about: the name in it, and whether that is an element's. */
  private opened = ''
  private isSibling = false
  /** How the parameter is named that opens next. */
  private isNameless = false
  private isElement = false

  /** `schema` is the tool's, if it has one. */
  constructor(
    format: Typing,
    private readonly schema: Schema | undefined,
    private readonly writer: ArgumentWriter,
  ) {
    super('params')
    this.values = new ParamValues(format, schema, this.fixes)
    this.members = new Members({
      write: (json) => writer.put(json),
      begin: (_, isAgain) => isAgain && writer.repeat(),
    })
    this.rules = new Set(format.repairs)
  }

  override get given(): readonly string[] {
    return [...this.seen]
  }

  override named(isNameless: boolean, isElement: boolean): void {
    this.isNameless = isNameless
    this.isElement = isElement
  }

  /** A parameter begins. An element has its name in any case. */
  override open(written: string): void {
    const key = this.isElement ? (this.#listed(written) ?? written) : written
    this.#giveWrapped()
    const open = (this.param = new Param(key, this.isNameless))
    this.isNameless = this.isElement = false
    if (this.seen.has(key) && this.values.listing(key) === undefined) {
      const { duplicate } = this.values.format.params ?? {}
      if (duplicate === 'reject') this.mistake = `the argument ${key} is written twice`
      else this.fixes.add('repeated-argument')
      open.isMore = duplicate === 'list'
      if (open.isMore) this.writer.repeat()
    }
    this.seen.add(key)
    if (this.rules.has('drop-unsafe') && UNSAFE_NAMES.includes(key)) this.isUnsafe = true
    open.isDropped = !this.#mayWrap && this.#drops(key)
  }

  override typed(type: string, isFlag: boolean): void {
    if (isFlag) this.param.isString = type
    else this.param.type = type
  }

  override cdata(text: string): void {
    this.param.isCdata = true
    this.text(text)
  }

  override text(text: string): void {
    const { param: open, writer } = this
    if (this.rules.has('drop-unsafe-markup')) open.searched += text
    if (open.isDropped) return
    if (writer.isInText) {
      writer.text(text)
      return
    }
    open.text += text
    const mayWait = open.text === '' || open.isNameless || open.isMore || this.#mayWrap
    if (mayWait || !this.values.mayBeText(open) || this.values.mayBeOther(open)) return
    this.members.begin(open.key, undefined)
    writer.beginText()
    writer.text(open.text)
    open.text = ''
  }

  override close(): void {
    const { param: open, writer } = this
    this.isText = open.isDropped || writer.isInText
    if (this.isText) this.#search(open.searched)
    if (open.isDropped) return
    if (writer.isInText) {
      writer.endText()
      return
    }
    if (open.isNameless) this.#endNameless(open)
    if (!open.isCdata) this.#leaveValueTag(open)
    const value = this.values.of(open)
    this.isText = typeof value === 'string'
    if (this.rules.has('drop-unsafe') && unsafeName(value) !== undefined) this.isUnsafe = true
    this.#search(value)
    if (this.#mayWrap && this.#wraps(value)) return
    if (open.isMore) {
      this.more.set(open.key, [...(this.more.get(open.key) ?? []), toJson(value)])
      return
    }
    this.members.begin(open.key, this.values.listing(open.key))
    this.members.add(toJson(value))
  }

  override next(name: string, isParam: boolean): void {
    this.opened = name
    this.isSibling = !isParam
  }

  /** Whether a parameter's opener in a value begins another one, or an element of its name may be one. */
  override ends(): number {
    const { opened, schema } = this
    if (!this.isSibling && schema?.listed === undefined && !this.seen.has(opened)) return FormatAnswer.Malformed
    const isOther = this.isSibling
      ? schema?.listed === undefined || this.#listed(opened) !== undefined
      : !this.seen.has(opened) && schema?.names(opened) === true
    return isOther ? FormatAnswer.Accept : FormatAnswer.Reject
  }

  override member(): number {
    if (!this.isText) return FormatAnswer.Accept
    this.error = 'the opening tag of a call stands in a value'
    return FormatAnswer.Malformed
  }

  override whole(): string | undefined {
    const wrapped = this.wrapped
    this.wrapped = undefined
    if (isRecord(wrapped)) {
      this.fixes.add('unwrap-arguments')
      this.seen.clear()
      for (const [key, value] of Object.entries(wrapped)) {
        this.param = new Param(key, false)
        this.seen.add(key)
        this.#write(key, toJson(value))
      }
    }
    if (this.isUnsafe) return 'an argument has the name of an inherited property, or markup that names one'
    const missing = this.rules.has('require-arguments')
      ? (this.schema?.requiredArguments ?? []).filter((name) => !this.seen.has(name))
      : []
    if (missing.length > 0) return `its schema requires ${missing.join(', ')}`
    return this.mistake
  }

  override finish(): undefined {
    this.#giveWrapped()
    this.members.finish()
    this.writer.settle((input) => this.#joined(input))
  }

  #write(key: string, json: string): void {
    this.members.begin(key, undefined)
    this.writer.put(json)
  }

  /** All arguments, with each that came again as a list. */
  #joined(input: string): string {
    const all = fromJson(input)
    if (this.more.size === 0 || !isRecord(all)) return toJson(all)
    const pairs = Object.entries(all).map(([key, value]) => [
      key,
      this.more.has(key) ? [value, ...(this.more.get(key) ?? []).map(fromJson)] : value,
    ])
    return toJson(Object.fromEntries(pairs))
  }

  /** The name of a property that the schema lists, in whatever case it is written. */
  #listed(name: string): string | undefined {
    const listed = this.schema?.listed ?? []
    return listed.includes(name) ? name : listed.find((each) => each.toLowerCase() === name.toLowerCase())
  }

  /** What was thought to hold all arguments is one of several. */
  #giveWrapped(): void {
    if (this.wrapped === undefined) return
    this.wrapped = undefined
    const { key, text } = this.param
    if (!this.#drops(key)) this.#write(key, text)
  }

  /** Whether an argument is left out. */
  #drops(key: string): boolean {
    const drops = this.rules.has('drop-unknown') && this.schema?.keeps(key) === false
    if (drops) this.fixes.add('drop-unknown')
    return drops
  }

  get #mayWrap(): boolean {
    const { key } = this.param
    return (
      this.members.isEmpty &&
      this.seen.size === 1 &&
      this.rules.has('unwrap-arguments') &&
      WRAPPERS.includes(key) &&
      this.schema?.names(key) !== true
    )
  }

  /** Whether a value holds all arguments: then it waits, since another parameter may follow. */
  #wraps(value: unknown): boolean {
    const inside = typeof value === 'string' ? literalText(value, this.values.format, this.fixes) : value
    if (!isRecord(inside)) return false
    const keys = Object.keys(inside)
    if (keys.length === 0 || !keys.every((key) => this.schema?.names(key) === true)) return false
    this.wrapped = inside
    this.param.text = toJson(value)
    return true
  }

  /** Without the closing marker that a model wrote after the value, if the tool knows the parameter. */
  #endNameless(open: Param): void {
    const { close = [], trim } = this.values.format.params ?? {}
    const text = open.text.trimEnd()
    const closer = this.schema?.names(open.key) === true ? close.find((marker) => text.endsWith(marker)) : undefined
    if (closer !== undefined) open.text = text.slice(0, -closer.length)
    if (trim === 'line') open.text = open.text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
    if (trim === 'all') open.text = open.text.trim()
  }

  /** Without the tags around a value that is nothing else. */
  #leaveValueTag(open: Param): void {
    const inner = this.rules.has('value-tag') ? VALUE_TAG.exec(open.text)?.[1] : undefined
    if (inner === undefined) return
    open.text = inner
    this.fixes.add('value-tag')
  }

  /** Looks for markup in a string that names what objects inherit. */
  #search(value: unknown): void {
    if (typeof value === 'string' && this.rules.has('drop-unsafe-markup') && UNSAFE_MARKUP.test(value))
      this.isUnsafe = true
  }
}
