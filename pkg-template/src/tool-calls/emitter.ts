// Makes parts from the machine's records: text, calls, and segments that are not calls.
//
// Source: spec/tool_call.md, "Parts" and "When it goes wrong".

import { ToolCallAnswer, ToolCallAsk } from '../generated/ops.js'
import { Joined } from '../joined.js'
import type { JsonHandler } from '../json/decoder.js'
import type { XmlFault, XmlHandler } from '../xml/decoder.js'
import type { Catalogue } from './catalogue.js'
import { readEncoded } from './encoded.js'
import { Hearer } from './hearer.js'
import { JsonInput } from './json-input.js'
import type { ResolvedOptions } from './options.js'
import { type OpenCall, PartWriter } from './parts.js'
import type { ProtocolSpec } from './protocol-spec.js'
import type { CallHandler, Reason } from './decoder.js'
import { missingArguments } from './missing.js'
import { repairNames } from './repairs.js'
import type { DropReason, ToolCallErrorMetadata } from './types.js'
import { XmlInput } from './xml-input.js'

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

/** A segment that is not a call, while its text comes. */
interface Failure {
  readonly reason: Reason
  readonly name: string
  readonly call: OpenCall | undefined
  /** Length of its start tag. */
  readonly prefix: number
  readonly error: string | undefined
  /** Whether a mention of the tag is too long to be kept. */
  isText: boolean
  readonly raw: Joined
  length: number
  /** Where its text begins that was not emitted. */
  from: number | undefined
}

/** Emits the calls of one stream. */
export class CallEmitter implements CallHandler {
  readonly json: JsonHandler
  readonly xml: XmlHandler
  /** Gets the text of each segment that was a call. */
  onSegment: ((raw: string) => void) | undefined
  /** Whether a call was made. */
  hasCalled = false
  private readonly hearer: Hearer
  private call: OpenCall | undefined
  private toolName = ''
  private input: JsonInput | undefined
  private encoded: string | undefined
  /** Containers that are open in the arguments. */
  private depth = 0
  private hasName = false
  private isQuoteText = true
  /** Whether a list is only checked. */
  private isChecking = false
  /** The name in a list that is being checked. */
  private checkedName = ''
  /** Whether the call has no arguments, and the keys beside its name. */
  private isMissing = false
  private keys: string[] = []
  private element: XmlInput | undefined
  /** The rules by which arguments in a string were read. */
  private rules = 0
  private error: string | undefined
  private failure: Failure | undefined

  constructor(
    private readonly spec: ProtocolSpec,
    private readonly tools: Catalogue,
    private readonly options: ResolvedOptions,
    private readonly parts: PartWriter,
  ) {
    this.hearer = new Hearer(options)
    this.json = this.jsonHandler()
    this.xml = this.xmlHandler()
  }

  text(text: string, from: number): void {
    if (text !== '') this.parts.text(text, from)
  }

  check(): void {
    this.isChecking = true
    this.toolName = ''
    this.hasName = false
    this.error = undefined
  }

  /** Where text begins that may yet come out, of a segment that is not a call. */
  get keptFrom(): number | undefined {
    return this.failure?.from
  }

  quoted(between: string): void {
    const tag = this.spec.end.replace(/>$/, '')
    this.isQuoteText = !between.includes(tag)
  }

  begin(): void {
    this.isChecking = false
    this.toolName = ''
    this.hasName = false
    this.rules = 0
    this.keys = []
    this.error = undefined
    const { element } = this
    if (element === undefined) return
    this.toolName = element.name
    this.call = this.parts.begin(element.name)
  }

  name(piece: string): void {
    this.toolName += piece
  }

  whole(isMissing: boolean): void {
    this.isMissing = isMissing
  }

  key(name: string, isFirst: boolean): void {
    if (isFirst) this.keys = []
    this.keys.push(name)
  }

  arguments(): void {
    this.depth = 0
    this.encoded = undefined
  }

  noCall(): void {
    this.element = undefined
  }

  answer(ask: number): number {
    switch (ask) {
      case ToolCallAsk.Element:
        return this.element?.answer() ?? ToolCallAnswer.Accept
      case ToolCallAsk.Name:
      case ToolCallAsk.Alias:
        return this.takeName(ask === ToolCallAsk.Alias)
      case ToolCallAsk.Whole:
        return this.takeWhole()
      case ToolCallAsk.Quote:
        if (!this.isQuoteText) this.error = 'a quote and an end tag stand in one string'
        return this.isQuoteText ? ToolCallAnswer.Accept : ToolCallAnswer.Malformed
      default:
        return this.takeEncoded()
    }
  }

  private takeName(isAlias: boolean): number {
    const name = this.toolName
    const isKnown = this.tools.has(name)
    if (isAlias && !isKnown) {
      this.toolName = ''
      return ToolCallAnswer.Other
    }
    if (name === '') return ToolCallAnswer.Malformed
    this.hasName = !this.isChecking
    if (!this.tools.isEmpty && !isKnown && this.options.unknownTools === 'text') return ToolCallAnswer.Reject
    if (this.isChecking) {
      this.checkedName = name
      this.toolName = ''
      return isKnown ? ToolCallAnswer.Known : ToolCallAnswer.Accept
    }
    this.call = this.parts.begin(name)
    const coercion = this.options.coerce ? this.tools.coercion(name) : undefined
    this.input = new JsonInput(coercion, (json) => this.parts.addInput(json))
    return isKnown ? ToolCallAnswer.Known : ToolCallAnswer.Accept
  }

  /** An object without arguments is a call if the tool needs none; one with a repaired quote if nothing of it is dropped. */
  private takeWhole(): number {
    if (this.isMissing) this.error = missingArguments(this.isChecking ? this.checkedName : this.toolName, this.tools, this.keys)
    else if (this.input?.hasDropped === true) this.error = 'a quote in a string is not escaped, and what stands after it is a key that the schema forbids'
    this.keys = []
    return this.error === undefined ? ToolCallAnswer.Accept : ToolCallAnswer.Malformed
  }

  private takeEncoded(): number {
    const text = this.encoded ?? ''
    this.encoded = undefined
    const used = readEncoded(text, this.isChecking ? undefined : this.input)
    if (used === undefined) {
      this.error = 'the arguments are a string that is not a JSON object'
      return ToolCallAnswer.Malformed
    }
    this.rules |= used
    return ToolCallAnswer.Accept
  }

  done(rules: number, repairs: number): void {
    const { element } = this
    element?.finish()
    this.input?.finish()
    const names = repairNames(this.rules | rules, repairs)
    const { call } = this
    if (names.length > 0 && call !== undefined) this.hearer.repaired(names, call)
    this.parts.done()
    this.hasCalled = true
    this.forget()
  }

  end(raw: () => string, to: number): void {
    this.parts.consume(to)
    this.onSegment?.(raw())
  }

  reasoning(tag: string, from: number): void {
    if (this.options.reasoning === 'parts') this.parts.beginReasoning()
    else this.text(tag, from)
  }

  reasoned(text: string, from: number): void {
    if (this.options.reasoning === 'parts') this.parts.reasoning(text)
    else this.text(text, from)
  }

  reopened(tag: string, from: number): void {
    if (this.options.reasoning !== 'parts') this.text(tag, from)
  }

  reasoningEnd(tag: string, from: number): void {
    if (this.options.reasoning === 'parts') this.parts.endReasoning(from + tag.length)
    else this.text(tag, from)
  }

  fail(reason: Reason, prefix: number): void {
    this.failure = { reason, name: this.element?.name ?? (this.hasName ? this.toolName : ''), call: this.call, prefix, error: this.element?.error ?? this.error, isText: false, length: 0, raw: new Joined(), from: undefined }
    this.parts.end()
    this.forget()
    this.toolName = ''
    this.hasName = false
    this.isChecking = false
    this.error = undefined
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

  /** The tag was only mentioned: what was kept is text. */
  private releaseMention(failure: Failure): void {
    if (this.becomes(failure) !== 'text') this.parts.text(failure.raw.toString(), failure.from ?? 0)
    failure.raw.clear()
    failure.from = undefined
    failure.isText = true
  }

  failEnd(endTag: number, isCut: boolean): void {
    const { failure } = this
    if (failure === undefined) return
    this.failure = undefined
    const { reason, name, call } = failure
    if (reason === 'rejected') return
    if (reason === 'mentioned' && (endTag === 0 || failure.isText)) {
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
      id = this.parts.invalidCall(name === '' ? 'unknown' : name, id, raw.slice(failure.prefix, raw.length - endTag))
      this.hasCalled = true
    }
    if (becomes !== 'text') this.parts.consume((failure.from ?? 0) + raw.length)
    const metadata: ToolCallErrorMetadata = {
      toolCall: raw,
      ...(name === '' ? {} : { toolName: name }),
      ...(id === undefined ? {} : { toolCallId: id }),
      dropReason: DROP_REASONS[reason],
      ...(failure.error === undefined ? {} : { error: failure.error }),
    }
    const what = `Could not ${reason === 'unfinished' ? 'complete' : 'process'} streaming ${this.spec.kind} tool call${name === '' ? '' : ` ${JSON.stringify(name)}`}`
    const so = { text: 'emitting original text', drop: 'dropping it', 'invalid-call': 'emitting it as an invalid call' }[becomes]
    this.hearer.failed(`${what}: ${failure.error ?? SENTENCES[reason]}; ${so}.`, metadata)
  }

  /** What a segment that is not a call becomes. One that was cut off, or is too long, is not an invalid call either. */
  private becomes({ reason, isText }: Failure): 'text' | 'drop' | 'invalid-call' {
    const { onMalformed } = this.options
    if (isText) return 'text'
    const isCut = reason === 'unfinished' || reason === 'too-long'
    return reason === 'rejected' || (onMalformed === 'invalid-call' && isCut) ? 'text' : onMalformed
  }

  private forget(): void {
    this.call = undefined
    this.input = undefined
    this.element = undefined
    this.encoded = undefined
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
    const { options, tools, parts } = this
    return {
      open: (name: string, at: number) => {
        this.element ??= new XmlInput(tools.coercion(name), (json) => parts.addInput(json), options.coerce, (other) => tools.has(other), () => parts.written)
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
