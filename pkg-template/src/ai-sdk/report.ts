// Reports errors to a listener, whatever the listener does.

import type { ToolCallErrorMetadata, ToolCallOptions } from '../tool-calls/types.js'

/** What an error is about: a call, or a tool that the middleware was given. */
type Metadata = ToolCallErrorMetadata | { readonly originalTool: unknown }

/** Calls `onError`. An error that it throws goes to the console: an answer must not end because its listener failed. */
export function report(onError: ToolCallOptions['onError'], message: string, metadata: Metadata | undefined): void {
  try {
    onError?.(message, metadata as Parameters<NonNullable<typeof onError>>[1])
  } catch (error) {
    console.error('onError of a tool-call middleware threw', error)
  }
}
