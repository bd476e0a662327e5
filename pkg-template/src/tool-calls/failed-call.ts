// A segment that is not a call, while its text comes: it becomes text, an invalid call, or nothing.

import { REASONS } from '../generated/ops.js'
import { Joined } from '../joined.js'
import type { CallReader, CallContext } from './call-reader.js'
import { type Hearer, failureOf } from './hearer.js'
import type { OpenCall } from './parts.js'
import type { DropReason, ToolCallErrorMetadata } from './types.js'

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
  'made-up': 'made-up-turn',
  foreign: 'foreign-message',
  'no-opener': 'missing-opener',
}

const SENTENCES: Readonly<Record<Exclude<Reason, 'rejected'>, string>> = {
  malformed: 'its body can not be read',
  ambiguous: 'its name, its arguments or one of their keys is written more than once',
  mentioned: 'its body is text',
  unfinished: 'the stream ended in it',
  nested: 'another call begins in it',
  'no-name': 'it names no tool',
  'too-long': 'it is longer than maxPending',
  'made-up': 'it is a turn of another that the model makes up',
  foreign: 'it is a message of another',
  'no-opener': 'its opening tag is missing',
}

/** Why a segment is no text of the model's turn either. */
const NO_TEXT: ReadonlySet<Reason> = new Set(['made-up', 'foreign'])

/** A segment that is not a call. */
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

/** Takes what is not a call. */
export class FailedCall {
  private failure: Failure | undefined

  constructor(
    private readonly context: CallContext,
    private readonly hearer: Hearer,
  ) {}

  /** Where text begins that may yet come out. */
  get keptFrom(): number | undefined {
    return this.failure?.from
  }

  /** What was read is not a call. */
  begin({ body, fault, open, knownName }: CallReader, reason: number, prefix: number): void {
    this.failure = {
      reason: REASONS[reason] as Reason,
      name: knownName,
      call: open,
      prefix,
      error: body.error ?? fault?.error,
      isLacking: fault?.isLacking === true,
      isText: false,
      raw: new Joined(),
      length: 0,
      from: undefined,
      isDropped: body.isUnsafe || NO_TEXT.has(REASONS[reason] as Reason),
    }
    this.context.parts.end()
  }

  /** Its text. */
  text(text: string, from: number): void {
    const { failure } = this
    if (failure === undefined) return
    if (!failure.isText) failure.raw.add(text)
    if (this.#becomes(failure) === 'text') this.context.parts.text(text, from)
    else failure.from ??= from
    failure.length += text.length
    if (failure.reason === 'mentioned' && failure.length > this.context.options.maxPending)
      this.#releaseMention(failure)
  }

  /** Its end; `closer` is the length of its closing marker. True if it is an invalid call. */
  end(closer: number, isCut: boolean, format: string): boolean {
    const { failure } = this
    this.failure = undefined
    if (failure === undefined) return false
    const { reason, name, call } = failure
    if (reason === 'rejected') return false
    if (reason === 'mentioned' && (closer === 0 || failure.isText)) {
      this.#releaseMention(failure)
      return false
    }
    const { parts } = this.context
    const raw = failure.raw.toString()
    let becomes = this.#becomes(failure)
    let id = call?.toolCallId
    if (becomes === 'invalid-call' && isCut) {
      becomes = 'text'
      parts.text(raw, failure.from ?? 0)
    } else if (becomes === 'invalid-call')
      id = parts.invalidCall(name === '' ? 'unknown' : name, id, raw.slice(failure.prefix, raw.length - closer))
    if (becomes !== 'text') parts.consume((failure.from ?? 0) + raw.length)
    const metadata: ToolCallErrorMetadata = {
      toolCall: raw,
      ...(name === '' ? {} : { toolName: name }),
      ...(id === undefined ? {} : { toolCallId: id }),
      dropReason: failure.isLacking && reason === 'malformed' ? 'missing-arguments' : DROP_REASONS[reason],
      ...(failure.error === undefined ? {} : { error: failure.error }),
    }
    const so = {
      text: 'emitting original text',
      drop: 'dropping it',
      'invalid-call': 'emitting it as an invalid call',
    }[becomes]
    const why = `${failure.error ?? SENTENCES[reason]}; ${so}`
    this.hearer.failed(failureOf(format, name, why, reason === 'unfinished' ? 'complete' : 'process'), metadata)
    return becomes === 'invalid-call'
  }

  /** The opener was only mentioned: what was kept is text. */
  #releaseMention(failure: Failure): void {
    if (this.#becomes(failure) !== 'text') this.context.parts.text(failure.raw.toString(), failure.from ?? 0)
    failure.raw.clear()
    failure.from = undefined
    failure.isText = true
  }

  /** What a segment that is not a call becomes. One that was cut off, or is too long, is not an invalid call either. */
  #becomes({ reason, isDropped, isText }: Failure): 'text' | 'drop' | 'invalid-call' {
    const { onMalformed } = this.context.options
    if (isDropped) return 'drop'
    if (isText) return 'text'
    const isCut = reason === 'unfinished' || reason === 'too-long'
    return reason === 'rejected' || (onMalformed === 'invalid-call' && isCut) ? 'text' : onMalformed
  }
}
