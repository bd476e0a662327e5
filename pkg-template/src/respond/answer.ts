// An answer while it is written: what its source yields, in order, as events of a protocol.
//
//     source   reply ──────────── [results]  reply ── return
//     events   … text … call …    output     … text …  finish

import { describe } from '../errors.js'
import type { FinishReason } from '../finish-reason.js'
import type { LoopResult } from '../formats/loop.js'
import { isRecord, own } from '../own.js'
import type { Reply } from '../reply/reply.js'
import type { GivenTools } from '../schema/tool-list.js'
import { agUiWriter } from './ag-ui.js'
import { aiSdkWriter } from './ai-sdk.js'
import { answerError, faultOf, isAbort } from './faults.js'
import { openAiWriter } from './open-ai.js'
import type { AnyReply, Operation, Usage, Write } from './operations.js'
import { type Protocol, type RespondOptions, requireOptions } from './options.js'
import { type HeardCalls, ReplyReader, resultOf } from './read-reply.js'

/**
 * What an answer consists of: replies, results of their calls, and events of the protocol, such as `data-…` of the AI
 * SDK.
 *
 * @example
 * ```ts
 * import { readReply } from 'tokenweir'
 * import { protocolEvents, type Step } from 'tokenweir/respond'
 *
 * async function* answer(): AsyncGenerator<Step> {
 *   yield { type: 'data-source', data: 'memory' } as Step
 *   yield readReply('Hello')
 * }
 * for await (const event of protocolEvents(answer(), 'aiSdk')) console.log(JSON.stringify(event))
 * ```
 * ```text
 * {"type":"start"}
 * {"type":"data-source","data":"memory"}
 * {"type":"start-step"}
 * {"type":"text-start","id":"1"}
 * {"type":"text-delta","id":"1","delta":"Hello"}
 * {"type":"text-end","id":"1"}
 * {"type":"finish-step"}
 * {"type":"finish","finishReason":"stop"}
 * ```
 */
export type Step =
  | Reply<GivenTools, string>
  | LoopResult
  | readonly LoopResult[]
  | {
      /** That of an event of the protocol. */
      readonly type: string
    }

/** Writes one answer. */
export class Answer {
  /** What it failed with. */
  failure: { readonly error: unknown } | undefined
  readonly #write: Write
  readonly #options: RespondOptions
  readonly #steps: AsyncIterator<unknown>
  readonly #writing: { readonly isWhole: boolean; readonly joins: boolean }
  readonly #calls: HeardCalls = new Map()
  #usage: Usage | undefined
  /** Why the last reply ended; why its call failed, if it has no other one. */
  #reason: FinishReason = 'stop'
  #lost: string | undefined
  #reply: AnyReply | undefined
  /** Who has stopped it. */
  #stopped: 'reader' | 'signal' | undefined
  readonly #whenStopped: Promise<undefined>
  #sayStopped: () => void = () => {}

  /** @throws TypeError for an unknown protocol or option, and for an invalid source. */
  constructor(place: string, source: unknown, protocol: Protocol, options: RespondOptions) {
    requireOptions(place, protocol, options)
    const isOne = isReply(source)
    const steps = isOne ? one(source) : (source as AsyncIterable<unknown> | null | undefined)
    if (typeof steps?.[Symbol.asyncIterator] !== 'function')
      throw new TypeError(`${place} takes a Reply or an async iterable of steps, but got ${describe(source)}`)
    this.#options = options
    this.#writing = { isWhole: options.calls === 'whole', joins: protocol !== 'aiSdk' }
    this.#write = writerOf(protocol, options, !isOne)
    this.#reply = isOne ? source : undefined
    this.#steps = steps[Symbol.asyncIterator]()
    this.#whenStopped = new Promise((resolve) => (this.#sayStopped = () => resolve(undefined)))
    const { signal } = options
    if (signal?.aborted === true) this.#abort()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** Stops the source, also while it is silent: nobody waits for one that hangs, nor hears of its error. */
  stop(isBySignal = false): void {
    if (this.#stopped !== undefined) return
    this.#stopped = isBySignal ? 'signal' : 'reader'
    this.#options.signal?.removeEventListener('abort', this.#abort)
    this.#sayStopped()
    for (const source of [this.#reply, this.#steps]) Promise.resolve(source?.return?.()).catch(() => undefined)
  }

  /** The events. */
  async *events(): AsyncGenerator<object, void> {
    try {
      for await (const operations of this.#operations())
        yield* operations
          .filter(({ kind }) => kind !== 'thinking' || this.#options.thinking !== false)
          .flatMap(this.#write)
    } catch (error) {
      if (this.#stopped !== 'reader') yield* this.#failed(error)
    } finally {
      this.stop()
    }
  }

  readonly #abort = (): void => this.stop(true)

  #failed(error: unknown): object[] {
    this.failure = { error }
    const kind = isAbort(error) || this.#stopped === 'signal' ? 'abort' : 'error'
    this.stop()
    return this.#write({
      kind,
      fault: faultOf(error, kind === 'abort' ? 'aborted' : undefined, this.#options.errorText),
    })
  }

  async *#operations(): AsyncGenerator<Operation[], void> {
    for (;;) {
      const next = await Promise.race([this.#steps.next(), this.#whenStopped])
      this.#requireGoing()
      if (next === undefined || next.done === true) break
      const step = next.value
      if (isReply(step)) yield* this.#read(step)
      else if (typeof own(step, 'type') === 'string') {
        // One that is no JSON is an error here, not of the body.
        JSON.stringify(step)
        yield [{ kind: 'event', event: step as object }]
      } else yield (Array.isArray(step) ? (step as unknown[]) : [step]).flatMap((result) => this.#result(result))
    }
    if (this.#lost !== undefined) throw answerError(this.#lost)
    const isOpen = [...this.#calls.values()].some(({ call, state }) => state === 'whole' && !call?.isHosted)
    const other = this.#reason === 'tool-calls' ? 'stop' : this.#reason
    yield [{ kind: 'finish', reason: isOpen ? 'tool-calls' : other, usage: this.#usage }]
  }

  /** Reads a reply to its end. */
  async *#read(reply: AnyReply): AsyncGenerator<Operation[], void> {
    const reader = new ReplyReader(reply, this.#calls, this.#writing)
    const emissions = reply[Symbol.asyncIterator]()
    this.#reply = reply
    yield [{ kind: 'step' }]
    try {
      for (;;) {
        const next = await emissions.next()
        this.#requireGoing()
        if (next.done === true) break
        yield reader.read(next.value)
      }
    } catch (error) {
      yield reader.break()
      throw error
    }
    this.#reply = undefined
    const { finishReason = 'stop', usage } = reply.soFar
    const isBroken = finishReason === 'error' || finishReason === 'interrupted'
    yield reader.finish(isBroken)
    if (isBroken) throw answerError(finishReason)
    if (usage !== undefined) this.#add(usage)
    this.#reason = finishReason
    this.#lost = reader.hasCalls || finishReason === 'length' ? undefined : reader.lost
  }

  #requireGoing(): void {
    if (this.#stopped !== undefined) throw this.#options.signal?.reason ?? answerError('aborted')
  }

  #add(usage: Usage): void {
    const sum = (this.#usage ??= {})
    for (const [name, count] of Object.entries(usage) as Array<[keyof Usage, unknown]>)
      if (typeof count === 'number') sum[name] = (sum[name] ?? 0) + count
  }

  #result(result: unknown): Operation[] {
    const { output, isError } = outputIn(own(result, 'output'))
    const operations = resultOf(this.#calls, String(own(result, 'toolCallId')), output, isError)
    if (operations !== undefined) return operations
    throw new TypeError(`an answer has replies, results of their calls and events, but got ${describe(result)}`)
  }
}

async function* one(reply: AnyReply): AsyncGenerator<AnyReply> {
  yield reply
}

function writerOf(protocol: Protocol, options: RespondOptions, waits: boolean): Write {
  if (protocol === 'aiSdk') return aiSdkWriter(options)
  return protocol === 'agUi' ? agUiWriter(options) : openAiWriter(options, waits)
}

/** Whether a value is a `Reply`, of whatever copy of the package, or an object that goes on with one. */
function isReply(value: unknown): value is AnyReply {
  return isRecord(value) && 'soFar' in value && typeof value['result'] === 'function'
}

/** What a tool gave, as JSON: the AI SDK's `{ type, value }`, or any value. */
function outputIn(given: unknown): { readonly output: unknown; readonly isError: boolean } {
  const type = String(own(given, 'type'))
  const isError = /^error-(text|json)$/.test(type)
  const value = isError || /^(text|json|content)$/.test(type) ? own(given, 'value') : given
  return { output: JSON.parse(JSON.stringify(value) ?? 'null'), isError }
}
