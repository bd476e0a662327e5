// An answer while it is written: what its source yields, in order, as events of a protocol.
//
//     source   reply ──────────── [results]  reply ── return
//     events   … text … call …    output     … text …  finish

import type { Meaning } from '../blocks/custom-types.js'
import { describe } from '../errors.js'
import type { FinishReason } from '../finish-reason.js'
import type { LoopResult } from '../formats/loop.js'
import { isRecord, own } from '../own.js'
import type { Reply } from '../reply/reply.js'
import type { GivenTools } from '../schema/tool-list.js'
import { agUiWriter } from './ag-ui.js'
import { aiSdkWriter } from './ai-sdk.js'
import { answerError, faultOf } from './faults.js'
import { openAiWriter } from './open-ai.js'
import type { AnyReply, Emit, Usage, Writer } from './operations.js'
import { type Protocol, type RespondOptions, requireOptions } from './options.js'
import { type HeardCalls, addResult, replyReader } from './read-reply.js'

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
 *   yield { type: 'data-source', data: 'memory' }
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
  | Reply<GivenTools, Meaning>
  | LoopResult
  | readonly LoopResult[]
  | {
      /** That of an event of the protocol. */
      readonly type: string
    }
  | {
      /** That of an event that is written in place. */
      readonly type: string
      /** What else the event has. */
      readonly [field: string]: unknown
    }

const WRITERS = { openai: openAiWriter, aiSdk: aiSdkWriter, agUi: agUiWriter }

/** One answer. */
export interface Answer {
  /** Leaving them stops the source, also while it is silent. */
  readonly events: AsyncGenerator<object, void>
  /** What it failed with. */
  readonly failure: { readonly error: unknown } | undefined
}

/** @throws TypeError for an unknown protocol or option, and for an invalid source. */
export function answerOf(place: string, source: unknown, protocol: Protocol, options: RespondOptions): Answer {
  requireOptions(place, protocol, options)
  const isOne = isReply(source)
  const steps = isOne
    ? [source].values()
    : (source as Partial<AsyncIterable<unknown>> | undefined)?.[Symbol.asyncIterator]?.()
  if (steps === undefined)
    throw new TypeError(`${place} takes a Reply or an async iterable of steps, but got ${describe(source)}`)
  const { signal, thinking, errorText } = options
  const writer: Writer = WRITERS[protocol](options, !isOne)
  const writing = { isWhole: options.calls === 'whole', joins: protocol !== 'aiSdk' }
  const calls: HeardCalls = new Map()
  /** What is written, and not out. */
  const out: object[] = []
  let usage: Usage | undefined
  /** Why the last reply ended; why its call failed, if it has no other one. */
  let reason: FinishReason = 'stop'
  let lost: string | undefined
  let reply: AnyReply | undefined = isOne ? source : undefined
  let failure: { readonly error: unknown } | undefined
  /** Who has stopped it. */
  let stopped: 'reader' | 'signal' | undefined
  let interrupt: (_: undefined) => void
  const whenStopped = new Promise<undefined>((resolve) => (interrupt = resolve))

  if (thinking === false) writer.thinking = () => []
  const emit: Emit = (kind, ...what) => {
    out.push(...(writer[kind] as (...what: unknown[]) => object[])(...what))
  }

  /** Nobody waits for a source that hangs, nor hears of its error. */
  const stop = (by: typeof stopped = 'reader') => {
    if (stopped !== undefined) return
    stopped = by
    signal?.removeEventListener('abort', abort)
    interrupt(undefined)
    for (const each of [reply, steps]) Promise.resolve(each?.return?.()).catch(() => undefined)
  }
  const abort = () => stop('signal')
  if (signal?.aborted === true) abort()
  else signal?.addEventListener('abort', abort)

  const requireGoing = () => {
    if (stopped !== undefined) throw signal?.reason
  }

  /** Reads a reply to its end. */
  async function* read(step: AnyReply): AsyncGenerator<object, void> {
    const reader = replyReader(step, calls, writing, emit)
    const emissions = step[Symbol.asyncIterator]()
    reply = step
    emit('step')
    try {
      for (;;) {
        yield* out.splice(0)
        const next = await emissions.next()
        requireGoing()
        if (next.done === true) break
        reader.read(next.value)
      }
    } catch (error) {
      reader.break()
      throw error
    }
    reply = undefined
    const { finishReason = 'stop', usage: counts = {} } = step.soFar
    const isBroken = /^(error|interrupted)$/.test(finishReason)
    reader.finish(isBroken)
    if (isBroken) throw answerError(finishReason)
    for (const [name, count] of Object.entries(counts) as Array<[keyof Usage, unknown]>)
      if (typeof count === 'number') (usage ??= {})[name] = (usage[name] ?? 0) + count
    reason = finishReason
    // Where the limit or a filter has ended the reply, its reason says why no call is left.
    lost = /^(length|content-filter)$/.test(reason) ? undefined : reader.lost()
  }

  const addOutput = (result: unknown) => {
    const { output, isError } = outputIn(own(result, 'output'))
    if (!addResult(calls, emit, String(own(result, 'toolCallId')), output, isError))
      throw new TypeError(`an answer has replies, results of their calls and events, but got ${describe(result)}`)
  }

  async function* write(): AsyncGenerator<object, void> {
    try {
      for (;;) {
        const next = await Promise.race([steps?.next(), whenStopped])
        requireGoing()
        if (next === undefined || next.done === true) break
        const step: unknown = next.value
        if (isReply(step)) yield* read(step)
        else if (typeof own(step, 'type') === 'string') {
          // One that is no JSON is an error here, not of the body.
          JSON.stringify(step)
          emit('event', step as object)
        } else [step].flat().forEach(addOutput)
        yield* out.splice(0)
      }
      if (lost !== undefined) throw answerError(lost)
      const isOpen = [...calls.values()].some(({ state, isHosted }) => state === 'whole' && !isHosted)
      emit('finish', isOpen ? 'tool-calls' : reason === 'tool-calls' ? 'stop' : reason, usage)
      yield* out
    } catch (error) {
      if (stopped === 'reader') return
      failure = { error }
      const isAborted = stopped === 'signal' || Object(error).name === 'AbortError'
      stop()
      emit(isAborted ? 'abort' : 'error', faultOf(error, isAborted, errorText))
      yield* out
    } finally {
      stop()
    }
  }

  const events = write()
  const end = events.return.bind(events)
  events.return = (value) => {
    stop()
    return end(value)
  }
  return {
    events,
    get failure() {
      return failure
    },
  }
}

/** Whether a value is a `Reply`, of whatever copy of the package, or an object that goes on with one. */
function isReply(value: unknown): value is AnyReply {
  return isRecord(value) && 'soFar' in value
}

/** What a tool gave, as JSON: the AI SDK's `{ type, value }`, or any value. */
function outputIn(given: unknown): { readonly output: unknown; readonly isError: boolean } {
  const [type, error] = /^(error-)?(?:text|json|content)$/.exec(String(own(given, 'type'))) ?? []
  const value = type === undefined ? given : own(given, 'value')
  return { output: JSON.parse(JSON.stringify(value) ?? 'null'), isError: error !== undefined }
}
