// What a server or a provider reports instead of a reply, or in the middle of one.

import type { ProviderError } from '../native/provider-error.js'

/**
 * The server answered with an error, or the provider reported one in its stream.
 *
 * @example
 * ```ts
 * import { readReply, ResponseError } from 'tokenweir'
 *
 * const body = '{"error": {"type": "rate_limit_error", "message": "Slow down"}}'
 * const response = new Response(body, { status: 429, headers: { 'retry-after': '7' } })
 * await readReply(response).result().catch((error) => {
 *   if (!(error instanceof ResponseError)) throw error
 *   console.log(error.status, error.code, error.headers?.get('retry-after'))
 *   console.log(error.message)
 * })
 * ```
 * ```text
 * 429 rate_limit_error 7
 * the server answered with status 429: rate_limit_error: Slow down
 * ```
 */
export class ResponseError extends Error {
  /** The name of the class. */
  override readonly name = 'ResponseError'
  /** The response's HTTP status; of an error that came in the stream that which it names, if it names one. */
  readonly status: number | undefined
  /** The response's headers, such as `retry-after`; undefined for an error that came in the stream. */
  readonly headers:
    | {
        /** Gives a header's value. */
        get(name: string): string | null
      }
    | undefined
  /** The response's body, at most its first 65,536 characters; of an error in the stream, its event as JSON. */
  readonly body: string
  /** The provider's code, such as `context_length_exceeded`; else its type. Undefined if it gave none. */
  readonly code: string | undefined
  /** The provider's type of the error, such as `overloaded_error`; undefined if it gave none. */
  readonly type: string | undefined

  /** @internal */
  constructor(
    response: Pick<ResponseError, 'status' | 'headers'> | undefined,
    body: string,
    reported: ProviderError | undefined,
  ) {
    const status = response?.status
    // A provider's error has this code if it has none.
    const code = reported?.code === 'error' ? undefined : reported?.code
    const what = status === undefined ? 'the provider reported an error' : `the server answered with status ${status}`
    const message = reported?.message ?? body.trim().replace(/\s+/g, ' ').slice(0, 200)
    super([what, code, message].filter(Boolean).join(': '))
    this.status = status ?? reported?.status
    this.type = reported?.type
    this.headers = response?.headers
    this.body = body
    this.code = code
  }
}
