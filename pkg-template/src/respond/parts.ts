// What the streams of the AI SDK and AG-UI have in common: texts are parts that start and end, one at a time.
//
//     start  [step  part* call* …]*  finish

import type { CallOperation, Operation, Write } from './operations.js'

/** A text, or thinking, that is open. */
export interface Part {
  readonly kind: 'text' | 'thinking'
  readonly id: string
}

type Of<Kind> = Extract<Operation, { readonly kind: Kind }>

/** How a protocol says it. */
export interface Words {
  readonly start: object
  startStep(): object[]
  endStep(): object[]
  newId(kind: Part['kind']): string
  open(part: Part): object[]
  delta(part: Part, delta: string): object
  close(part: Part): object[]
  call(operation: CallOperation): object[]
  finish(operation: Of<'finish'>): object
  error(operation: Of<'error' | 'abort'>): object
}

/** Writes in a protocol's words. */
export function inParts(words: Words): Write {
  let hasStarted = false
  let isInStep = false
  let open: Part | undefined
  const start = (): object[] => {
    if (hasStarted) return []
    hasStarted = true
    return [words.start]
  }
  const startStep = (): object[] => {
    const started = start()
    if (isInStep) return started
    isInStep = true
    return [...started, ...words.startStep()]
  }
  const close = (): object[] => {
    const part = open
    open = undefined
    return part === undefined ? [] : words.close(part)
  }
  const endStep = (): object[] => {
    const closed = close()
    if (!isInStep) return closed
    isInStep = false
    return [...closed, ...words.endStep()]
  }
  const say = (kind: Part['kind'], text: string): object[] => {
    const events = open?.kind === kind ? [] : [...startStep(), ...close()]
    if (open === undefined) {
      open = { kind, id: words.newId(kind) }
      events.push(...words.open(open))
    }
    return [...events, words.delta(open, text)]
  }
  return (operation) => {
    switch (operation.kind) {
      case 'step':
        return endStep()
      case 'text':
      case 'thinking':
        return say(operation.kind, operation.text)
      case 'event':
        return [...start(), operation.event]
      case 'finish':
        return [...startStep(), ...endStep(), words.finish(operation)]
      case 'error':
      case 'abort':
        return [...close(), words.error(operation)]
      default:
        return [...startStep(), ...close(), ...words.call(operation)]
    }
  }
}
