// Makes parts from the records of the format machine: text, reasoning, calls, and
// segments that are not calls.
//
// Source: spec/format.md; spec/tool_call.md, "Parts".

import { FormatAnswer, FormatAsk, JsonRules, REASONS } from '../generated/ops.js'
import { Joined } from '../joined.js'
import type { Format } from '../formats/types.js'
import type { JsonHandler } from '../json/decoder.js'
import { isNoArguments } from '../json/call-arguments.js'
import { readJsonObject } from '../json/read.js'
import { jsonValue } from '../json/value.js'
import { isRecord } from '../own.js'
import { count, flag, instance, list, maybe, one, shape, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { Schema } from '../schema/schema.js'
import { eachKeyOnce } from '../schema/to-json.js'
import type { XmlFault, XmlHandler } from '../xml/decoder.js'
import { onlyStrangers } from './call-repairs.js'
import type { Catalogue } from './catalogue.js'
import type { CallHandler } from './decoder.js'
import { Hearer } from './hearer.js'
import { JsonInput } from './json-input.js'
import { missingArguments } from './missing.js'
import type { ResolvedOptions } from './options.js'
import { OPEN_CALL, type OpenCall, type PartWriter, type WholeCall } from './parts.js'
import { repairNames } from './repairs.js'
import { TaggedBody } from './tagged-body.js'
import { TaggedInput } from './tagged-input.js'
import { isCallId, toolNamed } from './tool-name.js'
import type { DropReason, Repair, ToolCallErrorMetadata } from './types.js'
import { XmlInput } from './xml-input.js'

/** Why a segment is not a call. `rejected`: by the answer to a question; `mentioned`: text follows its opener. */
type Reason = (typeof REASONS)[number]

const DROP_REASONS: Readonly<Record<Exclude<Reason, 'rejected'>, DropReason>> = {
  malformed: 'malformed-tool-call-body',
  ambiguous: 'malformed-tool-call-body',
  mentioned: 'malformed-tool-call-body',
  unfinished: 'unfinished-tool-call',
  nested: 'malformed-nested-tool-call',
  'no-name': 'unresolved-tool-name',
  'too-long': 'call-too-long',
}

const SENTENCES: Readonly<Record<Exclude<Reason, 'rejected'>, string>> = {
  malformed: 'its body can not be read',
  ambiguous: 'its name, its arguments or one of their keys is written more than once',
  mentioned: 'its body is text',
  unfinished: 'the stream ended in it',
  nested: 'another call begins in it',
  'no-name': 'it names no tool',
  'too-long': 'it is longer than maxPending',
}

/**
 * What of a call is being read: the row of its format, its name, and whether there is JSON, texts, elements in a body,
 * an element.
 */
export interface CallShape {
  readonly row: number
  readonly name: string
  readonly has: readonly boolean[]
}

/** A segment that is not a call, while its text comes. */
interface Failure {
  readonly reason: Reason
  readonly name: string
  readonly call: OpenCall | undefined
  /** Length of its opener. */
  readonly prefix: number
  readonly error: string | undefined
  /** Whether arguments are missing. */
  readonly isLacking: boolean
  /** Whether a mention of the opener is too long to be kept. */
  isText: boolean
  readonly raw: Joined
  length: number
  /** Where its text begins that was not emitted. */
  from: number | undefined
  /** Whether nothing of it comes out. */
  readonly isDropped: boolean
}

/**
 * The JSON of a text: as the argument of a tool that has no other, or alone where the tool has several, or takes a
 * text.
 */
function textInput(text: string, schema: Schema | undefined): string {
  const [name, ...others] = schema?.listed ?? []
  const isOne =
    name !== undefined &&
    others.length === 0 &&
    schema?.types.has('string') !== true &&
    schema?.property(name)?.mayBeString === true
  return isOne ? `{${JSON.stringify(name)}:${JSON.stringify(text)}}` : JSON.stringify(text)
}

/** A call that may yet turn out to be reasoning. */
interface Withheld extends WholeCall {
  /** Its text, once it is known. */
  raw: string
}

/** Emits the calls of one stream. */
export class CallEmitter implements CallHandler {
  static get saved(): SavedClass {
    return {
      skips: ['formats', 'tools', 'options', 'json', 'xml', 'onSegment', 'format', 'hasMessages', 'isMuted'],
      fields: {
        call: maybe(OPEN_CALL),
        plain: maybe(instance(Joined)),
        citedFrom: maybe(count),
        withheld: list(shape<Withheld>({ toolCallId: text, toolName: text, input: text, raw: text })),
        fixes: list(text),
        dropped: maybe(text),
        waiting: maybe(instance(Joined)),
        again: maybe(instance(Joined)),
        encoded: maybe(text),
        keys: list(text),
        error: maybe(text),
        failure: maybe(
          shape<Failure>({
            reason: one('rejected', ...Object.keys(SENTENCES)),
            name: text,
            call: maybe(OPEN_CALL),
            prefix: count,
            error: maybe(text),
            isLacking: flag,
            isText: flag,
            raw: instance(Joined),
            length: count,
            from: maybe(count),
            isDropped: flag,
          }),
        ),
      },
    }
  }
  readonly json: JsonHandler
  readonly xml: XmlHandler
  /** Gets the text of each segment that was a call. */
  onSegment: ((raw: string) => void) | undefined
  /** Whether a call was made. */
  hasCalled = false
  private readonly hearer: Hearer
  private format: Format
  private call: OpenCall | undefined
  private toolName = ''
  private callId = ''
  private input: JsonInput | undefined
  /** The arguments, where they are elements or YAML. */
  private body: TaggedBody | undefined
  /** The arguments, where they are any text. */
  private plain: Joined | undefined
  /** Where in the reply's text a citation has begun. */
  private citedFrom: number | undefined
  /** What was repaired of the call, besides what the machine says. */
  private fixes: Repair[] = []
  /** Why the call that was read is dropped. */
  private dropped: string | undefined
  /** Arguments that wait for the call's id. */
  private waiting: Joined | undefined
  /** What is written from an argument on that came again: then the last one counts. */
  private again: Joined | undefined
  private readonly repeat = (): void => {
    this.again ??= new Joined()
  }
  /** The call, where it is an element with the tool's name. */
  private element: XmlInput | undefined
  private encoded: string | undefined
  /** Whether no closer stands between a string's start and the quote that is asked about. */
  private isQuoteText = true
  /** Whether a list of calls is only checked. */
  private isChecking = false
  /** Whether the call has no arguments, and the keys besides its name. */
  private isMissing = false
  /** Whether a call in JSON was read, and may lack something. */
  private isWhole = false
  /** Whether arguments that the tool requires are missing. */
  private isLacking = false
  /** The name in a list that is checked. */
  private checkedName = ''
  private keys: string[] = []
  private rules = 0
  private isBare = false
  /** Whether the call is an object with its name. */
  private isObject = false
  /** Whether the arguments came as JSON. */
  private isJson = false
  private error: string | undefined
  /** Containers that are open in the arguments. */
  private depth = 0
  /** Arguments that are texts. */
  private tagged: TaggedInput | undefined
  /** The name of a parameter whose opener stands in a value, or of an element after a closing tag in one. */
  private opened = ''
  private isSibling = false
  private isReasoning = false
  /**
   * Whether a call ended reasoning that was not closed. Its calls are withheld up to the end of the stream, since a
   * closing marker may yet come.
   */
  private isInterrupted = false
  private readonly withheld: Withheld[] = []
  private readonly hasMessages: boolean
  /** Whether nothing comes out: the end of the prompt is read. */
  isMuted = false
  private failure: Failure | undefined
  /** Takes arguments, which wait until the call's id is known. */
  private readonly write = (json: string): void => {
    if (this.again !== undefined) this.again.add(json)
    else if (this.waiting === undefined) this.parts.addInput(json)
    else this.waiting.add(json)
  }

  constructor(
    private readonly formats: readonly Format[],
    private readonly tools: Catalogue,
    private readonly options: ResolvedOptions,
    private readonly parts: PartWriter,
  ) {
    this.hearer = new Hearer(options)
    this.format = formats[0] as Format
    this.hasMessages = formats.some(({ messages }) => messages !== undefined)
    this.json = this.jsonHandler()
    this.xml = this.xmlHandler()
  }

  text(text: string, from: number): void {
    if (text !== '' && !this.isMuted) this.parts.text(text, from)
  }

  markup(raw: () => string, to: number): void {
    if (this.isReasoning || this.isMuted) return
    // A closing marker, if the call turns out to be reasoning.
    const last = this.withheld.at(-1)
    if (last !== undefined) last.raw += raw()
    // Messages are texts of their own.
    if (this.hasMessages) this.parts.closeOpen()
    this.parts.consume(to)
  }

  cite(): void {
    this.citedFrom = this.parts.textLength
  }

  citeEnd(sources: string): void {
    const { citedFrom } = this
    this.citedFrom = undefined
    if (citedFrom !== undefined && !this.isMuted) this.parts.citation(citedFrom, sources)
  }

  /** Where text begins that may yet come out, of a segment that is not a call. */
  get keptFrom(): number | undefined {
    return this.failure?.from
  }

  begin(row: number, isBare: boolean, isJson: boolean): void {
    const { element } = this
    this.forget()
    this.format = this.formats[row] as Format
    this.isBare = isBare
    this.isObject = isJson
    if (element === undefined) return
    this.element = element
    this.toolName = element.name
    this.call = this.parts.begin(element.name)
  }

  check(row: number): void {
    this.forget()
    this.format = this.formats[row] as Format
    this.isChecking = true
  }

  noCall(): void {
    this.element = undefined
  }

  quoted(between: string): void {
    const { call, section, messages } = this.format
    const closer = [...(call?.close ?? []), ...(section?.close ?? []), ...(messages?.close ?? [])].find(
      (mark) => mark !== '',
    )
    this.isQuoteText = closer === undefined || !between.includes(closer.replace(/>$/, ''))
  }

  whole(isMissing: boolean): void {
    this.isMissing = isMissing
    this.isWhole = true
  }

  key(name: string, isFirst: boolean): void {
    if (isFirst) this.keys = []
    this.keys.push(name)
  }

  name(piece: string): void {
    this.toolName += piece
  }

  id(piece: string): void {
    this.callId += piece
  }

  arguments(): void {
    this.isJson = true
    this.depth = 0
    this.encoded = undefined
  }

  answer(ask: number): number {
    switch (ask) {
      case FormatAsk.Name:
      case FormatAsk.Alias:
        return this.takeName(ask === FormatAsk.Alias)
      case FormatAsk.Quote:
        if (!this.isQuoteText) this.error = 'a quote and an end tag stand in one string'
        return this.isQuoteText ? FormatAnswer.Accept : FormatAnswer.Malformed
      case FormatAsk.Whole:
        if (this.isWhole) return this.takeWhole()
        if (this.plain !== undefined) return this.takePlain(this.plain.toString().trim())
        return this.takeTagged(false)
      case FormatAsk.Ends:
        return this.takeTagged(true)
      case FormatAsk.Open:
        if (this.element !== undefined) return this.element.sibling(this.opened)
        if (this.body !== undefined) return this.body.answer(ask)
        if (this.plain !== undefined)
          return this.takeObject(this.plain.toString().trim()) ? FormatAnswer.Accept : FormatAnswer.Reject
        if (this.isSibling) return this.tagged?.knows(this.opened) === true ? FormatAnswer.Accept : FormatAnswer.Reject
        return this.tagged?.opens(this.opened) === true ? FormatAnswer.Accept : FormatAnswer.Reject
      case FormatAsk.Element:
        if (this.element !== undefined) return this.element.answer()
        return this.body?.answer(ask) ?? FormatAnswer.Accept
      case FormatAsk.Member:
        if (this.body !== undefined) return this.body.answer(ask)
        if (this.tagged?.isText !== true) return FormatAnswer.Accept
        this.error = 'the opening tag of a call stands in a value'
        return FormatAnswer.Malformed
      case FormatAsk.Message:
        return this.body?.answer(ask) ?? FormatAnswer.Malformed
      default:
        return this.takeEncoded()
    }
  }

  /** Whether calls are read with all repairs. */
  private get isTolerant(): boolean {
    return this.format.call?.tolerant === true
  }

  private takeName(isAlias: boolean): number {
    const { format, tools } = this
    this.collapse()
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
    const isStrict =
      format.call?.known === true || this.isBare || this.isReasoning || this.options.unknownTools === 'text'
    if (isStrict && !tools.isEmpty && !isKnown) return FormatAnswer.Reject
    const accepts = isKnown && this.isTolerant ? FormatAnswer.Known : FormatAnswer.Accept
    if (this.isChecking) {
      this.checkedName = name
      this.toolName = ''
      return accepts
    }
    if (format.call?.body === 'elements' || format.call?.body === 'yaml') {
      this.body = this.newBody(name)
      // They may come as JSON.
      this.waiting = new Joined()
      this.input = this.newInput(name)
      return FormatAnswer.Accept
    }
    // The id comes with the call, so it has to be known.
    if (format.keys?.id === undefined || this.callId !== '' || !this.isObject)
      this.call = this.parts.begin(name, this.callId)
    else this.waiting = new Joined()
    if (this.isTagged) this.tagged = this.newTagged(name)
    this.input = this.newInput(name)
    if (format.call?.body === 'text') this.plain = new Joined()
    return accepts
  }

  /**
   * An object without arguments is a call if the tool needs none; one with a repaired quote if nothing of it is
   * dropped.
   */
  private takeWhole(): number {
    this.isWhole = false
    // A name alone says little where an object counts only by its tool.
    if (this.isMissing && this.format.call?.known === true && !this.tools.has(this.toolName)) return FormatAnswer.Reject
    if (this.isMissing) this.lack(this.keys)
    else if (this.input?.hasDropped === true)
      this.error = 'a quote in a string is not escaped, and what stands after it is a key that the schema forbids'
    this.keys = []
    return this.error === undefined ? FormatAnswer.Accept : FormatAnswer.Malformed
  }

  /**
   * Arguments between tags: what is wrong with them. None, or those of a call without a closer, lack none that the tool
   * requires.
   */
  private takeTagged(isOpen: boolean): number {
    const { tagged, body, element } = this
    if (element !== undefined) this.error = element.error
    else if (body === undefined) this.error = tagged?.whole()
    else if (body.answer(FormatAsk.Whole) === FormatAnswer.Malformed) return FormatAnswer.Malformed
    const schema = this.tools.coercion(this.toolName)?.schema
    const given = (element ?? body ?? tagged)?.given ?? []
    const strange = onlyStrangers(given, this.format, schema)
    if (strange !== undefined) {
      this.error ??= strange
      this.isLacking = true
    }
    const lacking =
      isOpen || given.length === 0 ? (schema?.requiredArguments ?? []).filter((name) => !given.includes(name)) : []
    if (lacking.length > 0) {
      this.error ??= `its schema requires ${lacking.join(', ')}`
      this.isLacking = true
    }
    // What is dropped is read as a call, with all that belongs to it.
    return this.error === undefined || tagged?.isUnsafe === true ? FormatAnswer.Accept : FormatAnswer.Malformed
  }

  /** There are no arguments, and these keys besides the name. */
  private lack(keys: readonly string[]): void {
    this.error = missingArguments(this.isChecking ? this.checkedName : this.toolName, this.tools, keys)
    this.isLacking = this.error !== undefined
  }

  private newInput(name: string): JsonInput {
    return new JsonInput(this.options.coerce ? this.tools.coercion(name) : undefined, this.write)
  }

  private newTagged(name: string): TaggedInput {
    const { format, options } = this
    return new TaggedInput(
      options.coerce ? format : { ...format, typing: 'string' },
      options.coerce ? this.tools.coercion(name) : undefined,
      this.write,
      this.repeat,
    )
  }

  private newElement(name: string): XmlInput {
    const { options, tools, parts } = this
    return new XmlInput(
      tools.coercion(name),
      this.write,
      options.coerce,
      (other) => tools.has(other),
      () => parts.written + (this.again?.toString() ?? ''),
      this.repeat,
    )
  }

  /** What of a call is being read, for `prepare`. */
  get shape(): CallShape {
    const { input, tagged, body, element } = this
    return {
      row: this.formats.indexOf(this.format),
      name: element?.name ?? this.toolName,
      has: [input, tagged, body, element].map((each) => each !== undefined),
    }
  }

  /** Makes what reads such a call, before its state is restored. */
  prepare({ row, name, has }: CallShape): void {
    const [input, tagged, body, element] = has
    this.format = this.formats[row] ?? this.format
    if (input === true) this.input = this.newInput(name)
    if (tagged === true) this.tagged = this.newTagged(name)
    if (body === true) this.body = this.newBody(name)
    if (element === true) this.element = this.newElement(name)
  }

  /** What reads arguments that are elements, or YAML. */
  private newBody(name: string): TaggedBody {
    const { format } = this
    const typing = this.options.coerce ? format : (Object.create(format, { typing: { value: 'string' } }) as Format)
    return new TaggedBody(
      typing,
      this.tools.coercion(name)?.schema,
      (json) => {
        // What is inside shows that it is a call.
        this.call ??= this.parts.begin(name, this.callId)
        if (this.again === undefined) this.parts.addInput(json)
        else this.again.add(json)
      },
      this.repeat,
    )
  }

  /** `get.get`, where `get` is a tool. */
  private collapse(): void {
    const { toolName: name, format, tools } = this
    const half = name.slice(0, (name.length - 1) / 2)
    const isKnown = tools.isEmpty || (tools.has(half) && !tools.has(name))
    if (format.repairs?.includes('doubled-name') === true && name === `${half}.${half}` && isKnown) {
      this.toolName = half
      this.fixes.push('doubled-name')
    }
  }

  /** Whether the arguments are texts, which get their types here. */
  private get isTagged(): boolean {
    const { call } = this.format
    return call?.body === 'params' || call?.texts === true
  }

  /** Takes arguments that are any text: a JSON object, which a `{` begins, or a string. */
  private takePlain(text: string): number {
    if (text === '') {
      this.error = 'no text follows its name'
      return FormatAnswer.Malformed
    }
    if (text.startsWith('{')) {
      if (this.takeObject(text)) return FormatAnswer.Accept
      this.error = 'its text begins as a JSON object and is malformed'
      return FormatAnswer.Malformed
    }
    this.input = undefined
    this.parts.addInput(textInput(text, this.options.coerce ? this.tools.coercion(this.toolName)?.schema : undefined))
    return FormatAnswer.Accept
  }

  /** Takes arguments that are a JSON object; false for any other text. */
  private takeObject(text: string): boolean {
    const used = readJsonObject(text, JsonRules.Call, this.input)
    if (used === undefined) return false
    this.rules |= used
    return true
  }

  private takeEncoded(): number {
    const text = this.encoded ?? ''
    this.encoded = undefined
    if (isNoArguments(text)) {
      this.lack([])
      return this.error === undefined ? FormatAnswer.Accept : FormatAnswer.Malformed
    }
    const used = readJsonObject(text, JsonRules.Call, this.isChecking ? undefined : this.input)
    if (used === undefined) {
      this.error = 'the arguments are a string that is not a JSON object'
      return FormatAnswer.Malformed
    }
    this.rules |= used
    return FormatAnswer.Accept
  }

  param(key: string, isNameless: boolean, isElement: boolean): void {
    this.tagged?.param(key, isNameless, isElement)
  }

  paramType(type: string): void {
    this.tagged?.paramType(type)
  }

  paramIsString(is: string): void {
    this.tagged?.paramIsString(is)
  }

  elementOpen(name: string): void {
    // Parameters may be elements, by a repair.
    this.body ??= this.newBody(this.toolName)
    this.body.open(name)
  }

  elementClose(): void {
    this.body?.close()
  }

  elementSibling(name: string): void {
    this.opened = name
    this.isSibling = true
    this.body?.sibling(name)
  }

  paramText(text: string): void {
    if (this.body !== undefined) this.body.text(text)
    else if (this.plain !== undefined) this.plain.add(text)
    else this.tagged?.paramText(text)
  }

  paramEnd(isCData: boolean): void {
    this.tagged?.paramEnd(isCData)
  }

  openKey(key: string): void {
    this.opened = key
    this.isSibling = false
  }

  done(rules: number, repairs: number): void {
    if (this.tagged?.isUnsafe === true) {
      this.dropped = this.error ?? ''
      this.parts.end()
      return
    }
    if (this.element !== undefined) this.element.finish()
    else if (this.body !== undefined) {
      if (!this.takeBody(this.body)) return
    } else if (this.tagged !== undefined && !this.isJson) this.tagged.finish()
    else this.input?.finish()
    this.takeAgain()
    const { waiting } = this
    if (waiting !== undefined) {
      this.waiting = undefined
      this.call = this.parts.begin(this.toolName, this.callId)
      this.parts.addInput(waiting.toString())
    }
    const { hasRepeated = false, isWrittenTwice = false } = this.input ?? {}
    if (isWrittenTwice) this.call = this.parts.rewrite(eachKeyOnce(this.parts.written)) ?? this.call
    if (hasRepeated) this.fixes.push('repeated-argument')
    const names = [
      ...repairNames(this.rules | rules, repairs),
      ...this.fixes,
      ...(this.tagged?.fixes ?? this.element?.fixes ?? []),
    ]
    const { call } = this
    if (names.length > 0 && call !== undefined) this.hearer.repaired(names, call)
    if (this.isInterrupted) {
      const whole = this.parts.withhold()
      if (whole !== undefined) this.withheld.push({ ...whole, raw: '' })
    } else {
      this.parts.done()
      this.hasCalled = true
    }
    this.forget()
  }

  /** Writes each argument once, if one came again. */
  private takeAgain(): void {
    const { again, waiting, parts } = this
    if (again === undefined) return
    this.again = undefined
    const all = `${waiting?.toString() ?? parts.written}${again.toString()}`
    const once = this.tagged === undefined ? eachKeyOnce(all) : this.tagged.joined(all)
    if (waiting === undefined) this.call = parts.rewrite(once) ?? this.call
    else {
      waiting.clear()
      waiting.add(once)
    }
  }

  /** The stream has ended: reasoning that a call ended stays ended, and the calls are calls. */
  release(): void {
    for (const call of this.withheld.splice(0)) {
      this.parts.release(call)
      this.hasCalled = true
    }
  }

  /** Reasoning closes that a call seemed to end: what was written in it is no call. */
  private withdraw(): void {
    this.isInterrupted = false
    for (const { toolCallId, toolName, raw } of this.withheld.splice(0)) {
      if (this.options.reasoning === 'parts') {
        this.parts.reasoning(raw)
        this.parts.closeOpen()
      }
      this.hearer.failed(
        `Could not process streaming ${this.format.id} tool call ${JSON.stringify(toolName)}: the reasoning ` +
          `that it stands in ends after it; not calling it.`,
        { toolCall: raw, toolName, toolCallId, dropReason: 'inside-reasoning' },
      )
    }
  }

  /** Begins the call whose arguments were read; false if it is dropped. */
  private takeBody(body: TaggedBody): boolean {
    if (this.isJson) this.input?.finish()
    const value = this.isJson
      ? jsonValue(this.waiting?.toString() ?? '', JsonRules.Strict, { digits: true })
      : undefined
    this.waiting = undefined
    const result = isRecord(value) ? body.repaired(value) : body.result
    if (!('input' in result)) {
      this.dropped = 'dropped' in result ? result.dropped : result.malformed
      this.parts.end()
      return false
    }
    this.fixes.push(...result.fixes)
    if (isRecord(value)) body.write(result.input)
    else body.finish(result.input)
    return true
  }

  end(raw: () => string, to: number): void {
    if (this.dropped !== undefined) this.reportDropped(raw())
    const last = this.withheld.at(-1)
    // What closes a list of calls is an end, too.
    if (last !== undefined) last.raw += raw()
    this.parts.consume(to)
    this.onSegment?.(raw())
  }

  /** A call was left out with its text. */
  private reportDropped(toolCall: string): void {
    const { toolName, dropped, call } = this
    const id = call === undefined ? {} : { toolCallId: call.toolCallId }
    this.hearer.failed(
      `Could not process streaming ${this.format.id} tool call ${JSON.stringify(toolName)}: ${dropped}; dropping it.`,
      { toolCall, toolName, ...id, dropReason: 'malformed-tool-call-body', error: dropped },
    )
    this.forget()
  }

  reasoning(tag: string, from: number): void {
    this.isReasoning = true
    if (this.isMuted) return
    if (this.options.reasoning === 'parts') this.parts.beginReasoning()
    else this.text(tag, from)
  }

  reasoned(text: string, from: number): void {
    if (this.isMuted) return
    if (this.options.reasoning === 'parts') this.parts.reasoning(text)
    else this.text(text, from)
  }

  reopened(tag: string, from: number): void {
    if (this.options.reasoning !== 'parts') this.text(tag, from)
  }

  reasoningEnd(tag: string, from: number): void {
    const wasReasoning = this.isReasoning
    this.isReasoning = false
    if (this.isMuted) return
    if (!wasReasoning) this.withdraw()
    else if (tag === '' && !this.hasMessages) this.isInterrupted = true
    if (this.options.reasoning !== 'parts') this.text(tag, from)
    else if (wasReasoning) this.parts.endReasoning(from + tag.length)
    // Such a closing tag is no border of two texts.
    else this.parts.consume(from + tag.length)
  }

  fail(reason: number, prefix: number): void {
    const hasName = this.call !== undefined || this.body !== undefined
    this.failure = {
      reason: REASONS[reason] as Reason,
      name: this.element?.name ?? (hasName ? this.toolName : ''),
      call: this.call,
      prefix,
      error: this.element?.error ?? this.error ?? this.body?.error,
      isLacking: this.isLacking,
      isText: false,
      raw: new Joined(),
      length: 0,
      from: undefined,
      isDropped: this.tagged?.isUnsafe === true,
    }
    this.parts.end()
    this.forget()
  }

  failed(text: string, from: number): void {
    const { failure } = this
    if (failure === undefined) return
    if (!failure.isText) failure.raw.add(text)
    if (this.becomes(failure) === 'text') this.parts.text(text, from)
    else failure.from ??= from
    failure.length += text.length
    if (failure.reason === 'mentioned' && failure.length > this.options.maxPending) this.releaseMention(failure)
  }

  /** The opener was only mentioned: what was kept is text. */
  private releaseMention(failure: Failure): void {
    if (this.becomes(failure) !== 'text') this.parts.text(failure.raw.toString(), failure.from ?? 0)
    failure.raw.clear()
    failure.from = undefined
    failure.isText = true
  }

  failEnd(closer: number, isCut: boolean): void {
    const { failure } = this
    if (failure === undefined) return
    this.failure = undefined
    const { reason, name, call } = failure
    if (reason === 'rejected') return
    if (reason === 'mentioned' && (closer === 0 || failure.isText)) {
      this.releaseMention(failure)
      return
    }
    const raw = failure.raw.toString()
    let becomes = this.becomes(failure)
    let id = call?.toolCallId
    if (becomes === 'invalid-call' && isCut) {
      becomes = 'text'
      this.parts.text(raw, failure.from ?? 0)
    } else if (becomes === 'invalid-call') {
      id = this.parts.invalidCall(name === '' ? 'unknown' : name, id, raw.slice(failure.prefix, raw.length - closer))
      this.hasCalled = true
    }
    if (becomes !== 'text') this.parts.consume((failure.from ?? 0) + raw.length)
    const metadata: ToolCallErrorMetadata = {
      toolCall: raw,
      ...(name === '' ? {} : { toolName: name }),
      ...(id === undefined ? {} : { toolCallId: id }),
      dropReason: failure.isLacking && reason === 'malformed' ? 'missing-arguments' : DROP_REASONS[reason],
      ...(failure.error === undefined ? {} : { error: failure.error }),
    }
    const what =
      `Could not ${reason === 'unfinished' ? 'complete' : 'process'} streaming ${this.format.id} ` +
      `tool call${name === '' ? '' : ` ${JSON.stringify(name)}`}`
    const so = {
      text: 'emitting original text',
      drop: 'dropping it',
      'invalid-call': 'emitting it as an invalid call',
    }[becomes]
    this.hearer.failed(`${what}: ${failure.error ?? SENTENCES[reason]}; ${so}.`, metadata)
  }

  /** What a segment that is not a call becomes. One that was cut off, or is too long, is not an invalid call either. */
  private becomes({ reason, isDropped, isText }: Failure): 'text' | 'drop' | 'invalid-call' {
    const { onMalformed } = this.options
    if (isDropped) return 'drop'
    if (isText) return 'text'
    const isCut = reason === 'unfinished' || reason === 'too-long'
    return reason === 'rejected' || (onMalformed === 'invalid-call' && isCut) ? 'text' : onMalformed
  }

  private forget(): void {
    this.call = undefined
    this.toolName = ''
    this.callId = ''
    this.input = undefined
    this.body = undefined
    this.plain = undefined
    this.dropped = undefined
    this.waiting = undefined
    this.again = undefined
    this.encoded = undefined
    this.rules = 0
    this.error = undefined
    this.isWhole = false
    this.isLacking = false
    this.depth = 0
    this.tagged = undefined
    this.isJson = false
    this.element = undefined
    this.isChecking = false
    this.keys = []
    this.fixes = []
  }

  /** Arguments that are an object are written; a string is kept until it can be read. */
  private jsonHandler(): JsonHandler {
    return {
      open: (isObject) => {
        this.depth++
        this.input?.open(isObject)
      },
      close: () => {
        this.depth--
        this.input?.close()
      },
      piece: (text, isKey) => {
        if (this.depth > 0) this.input?.piece(text, isKey)
        else this.encoded = (this.encoded ?? '') + text
      },
      end: (isKey) => {
        if (this.depth > 0) this.input?.end(isKey)
        else this.encoded ??= ''
      },
      number: (digits) => this.input?.number(digits),
      word: (value) => {
        if (this.depth > 0) this.input?.word(value)
      },
    }
  }
  private xmlHandler(): XmlHandler {
    return {
      open: (name: string, at: number) => {
        this.element ??= this.newElement(name)
        this.element.open(name, at)
      },
      attribute: (name: string, value: string | true) => this.element?.attribute(name, value),
      opened: () => this.element?.opened(),
      dropped: () => this.element?.dropped(),
      text: (piece: string) => this.element?.text(piece),
      cdata: (piece: string) => this.element?.cdata(piece),
      close: () => this.element?.close(),
      abandon: () => this.element?.abandon(),
      fault: (fault: XmlFault) => this.element?.fault(fault),
    }
  }
}
