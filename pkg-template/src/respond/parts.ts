// What the streams of the AI SDK and AG-UI have in common: texts are parts that start and end, one at a time.
//
//     start  [step  part* call* …]*  finish

import type { FinishReason } from '../finish-reason.js'
import type { CallWriter, Fault, Usage, Writer } from './operations.js'

type PartKind = 'text' | 'thinking'

/** How a protocol says it. */
export interface Words extends CallWriter {
  readonly start: object
  /** A step starts, or ends. */
  around(isStart: boolean): object[]
  newId(kind: PartKind): string
  part(kind: PartKind, id: string, what: 'start' | 'delta' | 'end', delta?: string): object[]
  end(reason: FinishReason, usage: Usage | undefined): object
  fault(kind: 'error' | 'abort', fault: Fault): object
}

/** Writes in a protocol's words. */
export function inParts(words: Words): Writer {
  let hasStarted = false
  let isInStep = false
  let open: { readonly kind: PartKind; readonly id: string } | undefined
  const start = () => {
    const events = hasStarted ? [] : [words.start]
    hasStarted = true
    return events
  }
  const close = () => {
    const events = open ? words.part(open.kind, open.id, 'end') : []
    open = undefined
    return events
  }
  /** Starts a step unless it has started, or ends it. */
  const step = (isStart: boolean) => {
    const events = isStart ? start() : close()
    if (isInStep !== isStart) events.push(...words.around(isStart))
    isInStep = isStart
    return events
  }
  const say = (kind: PartKind) => (text: string) => {
    const events = step(true)
    if (open?.kind !== kind) events.push(...close())
    if (open === undefined) {
      open = { kind, id: words.newId(kind) }
      events.push(...words.part(kind, open.id, 'start'))
    }
    return [...events, ...words.part(kind, open.id, 'delta', text)]
  }
  const alone =
    <What extends unknown[]>(write: (...what: What) => object[]) =>
    (...what: What) => [...step(true), ...close(), ...write(...what)]
  const fault = (kind: 'error' | 'abort') => (fault: Fault) => [...close(), words.fault(kind, fault)]
  return {
    step: () => step(false),
    text: say('text'),
    thinking: say('thinking'),
    event: (event) => [...start(), event],
    call: alone(words.call),
    input: alone(words.input),
    called: alone(words.called),
    failed: alone(words.failed),
    result: alone(words.result),
    finish: (reason, usage) => [...step(true), ...step(false), words.end(reason, usage)],
    error: fault('error'),
    abort: fault('abort'),
  }
}
