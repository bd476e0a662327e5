// What the streams of the AI SDK and AG-UI have in common: texts are parts that start and end, one at a time.
//
//     start  [step  part* call* …]*  finish

import type { FinishReason } from '../finish-reason.js'
import type { CallOperation, Fault, Usage, Write } from './operations.js'

type PartKind = 'text' | 'thinking'

/** How a protocol says it. */
export interface Words {
  readonly start: object
  /** A step starts, or ends. */
  step(isStart: boolean): object[]
  newId(kind: PartKind): string
  part(kind: PartKind, id: string, what: 'start' | 'delta' | 'end', delta?: string): object[]
  call(operation: CallOperation): object[]
  finish(reason: FinishReason, usage: Usage | undefined): object
  error(kind: 'error' | 'abort', fault: Fault): object
}

/** Writes in a protocol's words. */
export function inParts(words: Words): Write {
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
    if (isInStep !== isStart) events.push(...words.step(isStart))
    isInStep = isStart
    return events
  }
  return (operation) => {
    switch (operation[0]) {
      case 'step':
        return step(false)
      case 'event':
        return [...start(), operation[1]]
      case 'finish':
        return [...step(true), ...step(false), words.finish(operation[1], operation[2])]
      case 'error':
      case 'abort':
        return [...close(), words.error(...operation)]
    }
    const events = step(true)
    if (open?.kind !== operation[0]) events.push(...close())
    if (operation[0] !== 'text' && operation[0] !== 'thinking')
      return [...events, ...words.call(operation as CallOperation)]
    const [kind, text] = operation
    if (open === undefined) {
      open = { kind, id: words.newId(kind) }
      events.push(...words.part(kind, open.id, 'start'))
    }
    return [...events, ...words.part(kind, open.id, 'delta', text)]
  }
}
