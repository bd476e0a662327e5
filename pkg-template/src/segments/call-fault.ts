// Why a tool's segment is not invoked.

import type { SegmentErrorCode } from './types.js'

/** What takes the place of an invocation; the adapter makes a `SegmentError` of it. */
export class CallFault {
  constructor(
    readonly code: SegmentErrorCode & ('missing-arguments' | 'missing-name' | 'bad-arguments' | 'unknown-tool'),
    readonly message: string,
  ) {}
}

/** An argument is missing that a tool needs. */
export function missing(argument: string, toolName: string): CallFault {
  return new CallFault(
    'missing-arguments',
    `${toolName} is not called without its argument ${JSON.stringify(argument)}`,
  )
}
