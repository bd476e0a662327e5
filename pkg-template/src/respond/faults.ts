// What clients hear of an error: its code, and nothing that a provider has said.

import type { Fault } from './operations.js'

/** What codes look like. Anything else may say more than clients should read. */
const CODE = /^[\w.:-]{1,80}$/

/** An error of an answer, by its code. */
export function answerError(code: string): Error {
  return Object.assign(new Error(`the answer failed: ${code}`), { code })
}

/** What clients hear of an error, of the reader's or the signal's where that `isAborted`; `errorText` says more. */
export function faultOf(error: unknown, isAborted: boolean, errorText?: (error: unknown) => string): Fault {
  const { code, type } = isAborted
    ? { code: 'aborted', type: '' }
    : (Object(error) as { code?: unknown; type?: unknown })
  const known = codeIn(code)
  const message = errorText?.(error) ?? `The answer failed${known ? `: ${known}` : ''}.`
  return { code: known, type: codeIn(type), message }
}

function codeIn(code: unknown): string | undefined {
  return typeof code === 'string' && CODE.test(code) ? code : undefined
}
