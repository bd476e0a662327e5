// What clients hear of an error: its code, and nothing that a provider has said.

import { fieldsOf } from '../untrusted.js'
import type { Fault } from './operations.js'

/** What codes look like. Anything else may say more than clients should read. */
const CODE = /^[\w.:-]{1,80}$/

/** An error of an answer, by its code. */
export function answerError(code: string): Error {
  return Object.assign(new Error(`the answer failed: ${code}`), { code })
}

/** Whether an error is that of a signal. */
export function isAbort(error: unknown): boolean {
  return fieldsOf(error)?.['name'] === 'AbortError'
}

/** What clients hear of an error, by a code of ours or its own; `said` says more. */
export function faultOf(error: unknown, ours: string | undefined, said?: (error: unknown) => string): Fault {
  const { code, type } = fieldsOf(error) ?? {}
  const known = ours ?? codeIn(code)
  return { code: known, type: codeIn(type), message: said?.(error) ?? `The answer failed${known ? `: ${known}` : ''}.` }
}

function codeIn(code: unknown): string | undefined {
  return typeof code === 'string' && CODE.test(code) ? code : undefined
}
