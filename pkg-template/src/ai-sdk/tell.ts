// Tells a listener what went wrong, whatever the listener does.

import type { ToolCallErrorMetadata, ToolCallOptions } from '../tool-calls/types.js'

/** What the middleware itself tells: of a call, or of a tool that it was given. */
type Metadata = ToolCallErrorMetadata | { readonly originalTool: unknown }

/** Calls `onError`. What it throws goes to the console: an answer must not end because its listener failed. */
export function tell(onError: ToolCallOptions['onError'], message: string, metadata: Metadata | undefined): void {
  try {
    onError?.(message, metadata as Parameters<NonNullable<typeof onError>>[1])
  } catch (error) {
    console.error('onError of a tool-call middleware threw', error)
  }
}
