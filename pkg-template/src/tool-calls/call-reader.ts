// Reads one call, from the records of the format machine: its name, its id and its arguments; and answers what the
// machine asks about it.

import { type BodyKind, CallBody } from '../arguments/body.js'
import { ElementArguments } from '../arguments/elements.js'
import { JsonArguments } from '../arguments/json.js'
import { ParamArguments } from '../arguments/params.js'
import {
  ENVELOPE,
  type Repair,
  missingArguments,
  onlyStrangers,
  repairNames,
  unsafeName,
} from '../arguments/repairs.js'
import { TextArguments } from '../arguments/text.js'
import { TreeArguments } from '../arguments/tree.js'
import { ArgumentWriter, type InputSink } from '../arguments/writer.js'
import type { Format } from '../formats/types.js'
import type { CallRecords } from '../generated/format-records.js'
import { FormatAnswer, FormatAsk } from '../generated/ops.js'
import type { Schema } from '../schema/schema.js'
import { fromJson } from '../schema/to-json.js'
import type { Catalogue } from './catalogue.js'
import type { ResolvedOptions } from './options.js'
import type { OpenCall, PartWriter } from './parts.js'
import { isCallId, toolNamed } from './tool-name.js'

/** What all calls of a stream share. */
export interface CallContext {
  readonly formats: readonly Format[]
  readonly tools: Catalogue
  readonly options: ResolvedOptions
  readonly parts: PartWriter
  /** Whether reasoning is open. */
  readonly reasoning: { readonly isOpen: boolean }
}

/** What is wrong with a call. */
interface Fault {
  readonly error: string
  /** Whether arguments are missing. */
  readonly isLacking: boolean
}

/** What is known of a call besides its name, its id and its arguments. */
interface CallFacts {
  /** Whether it has begun, if only to be checked. */
  hasBegun: boolean
  /** Whether it has no opening marker. */
  isBare: boolean
  /** Whether it is an object with its name. */
  isObject: boolean
  /** Whether it is one of a list that is only checked, one after the other. */
  readonly isCheck: boolean
  /** The keys of that object besides its name, where no arguments were written so far. */
  keys: string[]
  /** Once the object is whole: whether no arguments were written. */
  isMissing: boolean | undefined
  /** Whether no closing marker stands between a string's start and the quote that is asked about. */
  isQuoteText: boolean
}

/** Reads one call. */
export class CallReader implements CallRecords, InputSink {
  /** The call as it is emitted, once it is. */
  open: OpenCall | undefined
  fault: Fault | undefined
  toolName = ''
  /** Its arguments in JSON. */
  json: JsonArguments
  /** Its arguments written in any other way. */
  body = new CallBody()
  private readonly writer = new ArgumentWriter(this)
  private readonly facts: CallFacts
  private callId = ''
  /** The last name in a list that is checked. */
  private checkedName = ''
  /** Whether its arguments came as JSON. */
  private isJson = false
  /** What stands beside the arguments of an object, as JSON. */
  private readonly members = new Map<string, string>()
  /** What was repaired besides what the machine says; and the rules of JSON by which a string was read. */
  private readonly fixes: Repair[] = []
  private rules = 0

  constructor(
    private readonly context: CallContext,
    public format: Format,
    isCheck: boolean,
  ) {
    this.facts = {
      hasBegun: isCheck,
      isBare: false,
      isObject: false,
      isCheck,
      keys: [],
      isMissing: undefined,
      isQuoteText: true,
    }
    // What is only checked is not emitted.
    if (isCheck) this.writer.hold()
    this.json = new JsonArguments(undefined, this.writer)
  }

  /** It begins; the name of an element with the tool's came before. */
  begin(format: Format, isBare: boolean, isObject: boolean): void {
    this.format = format
    this.facts.isBare = isBare
    this.facts.isObject = isObject
    this.facts.hasBegun = true
    if (this.body.kind === 'tree') this.#emit()
    // Arguments alone are those of the one tool that there is.
    if (this.#isAlone) this.#expectArguments((this.toolName = this.context.tools.names[0] ?? ''))
  }

  /** Whether it is an object or a list in prose. */
  get #isProse(): boolean {
    return this.facts.isBare && this.format.call?.tolerant === true
  }

  /** Whether it is arguments without a name, in prose. */
  get #isAlone(): boolean {
    return this.#isProse && !this.facts.isObject && this.format.call?.body === 'args'
  }

  name(piece: string): void {
    this.toolName += piece
    // A tool's tag comes before it is known that it begins a call.
    if (!this.facts.hasBegun) this.body = this.#newBody('tree', this.toolName)
  }

  id(piece: string): void {
    this.callId += piece
  }

  arguments(): void {
    this.isJson = true
    // The row's repairs may change them as a whole.
    if (this.body.kind === 'elements') this.writer.hold()
  }

  key(name: string, isFirst: boolean): void {
    if (isFirst) {
      this.facts.keys = []
      this.members.clear()
    }
    this.facts.keys.push(name)
  }

  member(json: string): void {
    this.members.set(this.facts.keys.at(-1) ?? '', json)
  }

  whole(isMissing: boolean): void {
    this.facts.isMissing = isMissing
  }

  quoted(between: string): void {
    const { call, section, messages } = this.format
    const closer = [...(call?.close ?? []), ...(section?.close ?? []), ...(messages?.close ?? [])].find(
      (mark) => mark !== '',
    )
    this.facts.isQuoteText = closer === undefined || !between.includes(closer.replace(/>$/, ''))
  }

  /** Answers a question of the machine, both by their numbers. */
  answer(ask: number): number {
    const { body } = this
    switch (ask) {
      case FormatAsk.Name:
      case FormatAsk.Alias:
        return this.#takeName(ask === FormatAsk.Alias)
      case FormatAsk.Quote:
        return this.facts.isQuoteText ? FormatAnswer.Accept : this.#blame('a quote and an end tag stand in one string')
      case FormatAsk.Whole:
        return this.facts.isMissing === undefined ? this.#takeArguments(false) : this.#takeObject(this.facts.isMissing)
      case FormatAsk.Ends:
        return this.#takeArguments(true)
      case FormatAsk.Open:
        return body.ends()
      case FormatAsk.Element:
        return body.element()
      case FormatAsk.Member:
        return body.member()
      case FormatAsk.Message:
        return body.mayBeText()
      default:
        return this.#takeString()
    }
  }

  /** What is wrong with it. */
  #blame(error: string): number {
    this.fault = { error, isLacking: false }
    return FormatAnswer.Malformed
  }

  #takeName(isAlias: boolean): number {
    const { format, facts } = this
    const { tools, options, reasoning } = this.context
    this.#collapse()
    const written = this.toolName
    const name = (this.toolName = toolNamed(written, format, (each) => tools.has(each)))
    if (name !== written) {
      this.fixes.push('tool-name')
      // Where the head is the call's id, it goes back as it is written.
      if (format.ids === 'text' && this.callId === '' && written.startsWith('functions')) this.callId = written
    }
    const isKnown = tools.has(name)
    if (!isKnown && isCallId(name, format)) return FormatAnswer.Malformed
    if (isAlias && !isKnown) {
      this.toolName = ''
      return FormatAnswer.Other
    }
    if (name === '') return FormatAnswer.Malformed
    // In reasoning another name is a mention.
    const isStrict = (format.call?.known ?? facts.isBare) || reasoning.isOpen || options.unknownTools === 'text'
    if (isStrict && !tools.isEmpty && !isKnown) return FormatAnswer.Reject
    if (facts.isCheck) {
      this.checkedName = name
      this.toolName = ''
    } else this.#expectArguments(name)
    const isTolerant = isKnown && format.call?.tolerant === true && this.body.kind !== 'elements'
    return isTolerant ? FormatAnswer.Known : FormatAnswer.Accept
  }

  /** Its name is known: makes what reads its arguments. */
  #expectArguments(name: string): void {
    const { call, keys } = this.format
    const hasElements = call?.body === 'elements' || call?.body === 'yaml'
    // The id comes with the call, so it has to be known; elements show that it is a call, and prose has many objects.
    const waitsForId = keys?.id !== undefined && this.callId === '' && this.facts.isObject
    if ((waitsForId || this.#isProse) && !hasElements) this.writer.hold()
    else if (!hasElements) this.#emit()
    this.json = this.#newInput(name)
    const isParams = call?.body === 'params' || call?.texts === true
    this.body = this.#newBody(
      hasElements ? 'elements' : isParams ? 'params' : call?.body === 'text' ? 'text' : 'json',
      name,
    )
  }

  /** `get.get`, where `get` is a tool. */
  #collapse(): void {
    const { toolName: name, format } = this
    const { tools } = this.context
    const half = name.slice(0, (name.length - 1) / 2)
    const isKnown = tools.isEmpty || (tools.has(half) && !tools.has(name))
    if (format.repairs?.includes('doubled-name') === true && name === `${half}.${half}` && isKnown) {
      this.toolName = half
      this.fixes.push('doubled-name')
    }
  }

  /**
   * An object without arguments is a call if the tool needs none; one with a repaired quote if nothing of it is
   * dropped.
   */
  #takeObject(isMissing: boolean): number {
    const { keys } = this.facts
    this.facts.isMissing = undefined
    this.facts.keys = []
    // A name alone says little where an object counts only by its tool.
    const { format } = this
    const isNameOnly = isMissing && format.call?.known !== undefined
    if (isNameOnly && !this.context.tools.has(this.facts.isCheck ? this.checkedName : this.toolName))
      return FormatAnswer.Reject
    if (isMissing) return this.#lack(keys)
    if (this.#isAlone && this.#schemaOf(this.toolName)?.isOf(this.json.keys) === false) return FormatAnswer.Reject
    return this.json.hasDropped
      ? this.#blame('a quote in a string is not escaped, and what stands after it is a key that the schema forbids')
      : FormatAnswer.Accept
  }

  /** Arguments that came as a string. */
  #takeString(): number {
    const used = this.json.readEncoded()
    // Of a list that is checked, the next arguments may be a string, too.
    if (this.facts.isCheck) this.json = new JsonArguments(undefined, this.writer)
    if (used === 'none') return this.#lack([])
    if (used === undefined) return this.#blame('the arguments are a string that is not a JSON object')
    this.rules |= used
    return FormatAnswer.Accept
  }

  /** There are no arguments, and these keys besides the name. */
  #lack(keys: readonly string[]): number {
    const name = this.facts.isCheck ? this.checkedName : this.toolName
    const error = missingArguments(name, this.#schemaOf(name), keys)
    this.fault = error === undefined ? undefined : { error, isLacking: true }
    return error === undefined ? FormatAnswer.Accept : FormatAnswer.Malformed
  }

  /**
   * Arguments that are not JSON: what is wrong with them. None, or those of a call without a closing marker, lack none
   * that the tool requires.
   */
  #takeArguments(isOpen: boolean): number {
    const { body, format } = this
    const isText = body.kind === 'text'
    const error = isText && isOpen ? undefined : body.whole()
    if (error !== undefined && (isText || body.kind === 'elements')) return this.#blame(error)
    if (isText && !isOpen) return FormatAnswer.Accept
    const schema = this.#schemaOf(this.toolName)
    const { given } = body
    const required = isOpen || given.length === 0 ? (schema?.requiredArguments ?? []) : []
    const missing = required.filter((name) => !given.includes(name))
    const lack =
      onlyStrangers(given, format, schema) ??
      (missing.length > 0 ? `its schema requires ${missing.join(', ')}` : undefined)
    const wrong = error ?? lack
    this.fault = wrong === undefined ? undefined : { error: wrong, isLacking: lack !== undefined }
    // What is dropped is read as a call, with all that belongs to it.
    return wrong === undefined || body.isUnsafe ? FormatAnswer.Accept : FormatAnswer.Malformed
  }

  #schemaOf(name: string): Schema | undefined {
    return this.context.tools.coercion(name)?.schema
  }

  #newInput(name: string): JsonArguments {
    const { options, tools } = this.context
    return new JsonArguments(options.coerce ? tools.coercion(name) : undefined, this.writer)
  }

  #newBody(kind: BodyKind, name: string): CallBody {
    const { writer, context, json } = this
    const { tools, options } = context
    const schema = this.#schemaOf(name)
    const given = options.coerce ? schema : undefined
    const format = options.coerce
      ? this.format
      : (Object.create(this.format, { typing: { value: 'string' } }) as Format)
    switch (kind) {
      case 'params':
        return new ParamArguments(format, given, writer)
      case 'elements':
        return new ElementArguments(format, schema, writer)
      case 'tree':
        return new TreeArguments(tools.coercion(name), writer, options.coerce, (other) => tools.has(other))
      case 'text':
        return new TextArguments(given, json, writer)
      case 'json':
        return new CallBody()
    }
  }

  /** The name of the call, if that is known to be one. */
  get knownName(): string {
    const { kind } = this.body
    return this.open !== undefined || kind === 'tree' || kind === 'elements' ? this.toolName : ''
  }

  /** The call is whole: writes what is left of its arguments. Gives why it is dropped, if it is. */
  finish(): string | undefined {
    const { body, format, writer, isJson } = this
    // The end of a list has no name.
    if (this.toolName === '') return undefined
    if (body.isUnsafe) return this.fault?.error ?? ''
    if (isJson || body.kind === 'json') {
      this.#addMembers()
      this.json.finish()
    }
    const dropped = isJson ? body.takeJson() : body.finish()
    if (dropped !== undefined) return dropped
    writer.settle()
    const name = format.repairs?.includes('drop-unsafe') === true ? unsafeName(fromJson(this.written)) : undefined
    return name === undefined ? undefined : `an argument is named ${name}`
  }

  /** The members beside the arguments of an object: those that the tool has are arguments. */
  #addMembers(): void {
    const schema = this.#schemaOf(this.toolName)
    for (const [key, json] of this.members) {
      if (ENVELOPE.includes(key) && schema?.requiredArguments.includes(key) !== true) continue
      const isArgument = schema?.names(key) === true && this.json.addMember(key, json)
      this.fixes.push(isArgument ? 'loose-arguments' : 'unknown-member')
    }
  }

  /** What was repaired, with what the machine says. */
  repaired(rules: number, repairs: number): Repair[] {
    return [
      ...new Set([
        ...repairNames(this.rules | rules, repairs),
        ...this.fixes,
        ...(this.json.hasRepeated ? (['repeated-argument'] as const) : []),
        ...this.body.fixes,
      ]),
    ]
  }

  #emit(): void {
    this.open ??= this.context.parts.begin(this.toolName, this.callId)
  }

  addInput(json: string): void {
    this.#emit()
    this.context.parts.addInput(json)
  }

  get written(): string {
    return this.context.parts.written
  }

  rewrite(json: string): void {
    this.open = this.context.parts.rewrite(json) ?? this.open
  }
}
