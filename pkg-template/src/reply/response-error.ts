// What a server or a provider reports instead of a reply, or in the middle of one.

import type { ProviderError } from '../native/provider-error.js'

/**
 * The server answered with an error, or the provider reported one in its stream.
 *
 * @example
 * ```ts
 * import { readReply, ResponseError } from 'tokenweir/reply'
 *
 * const response = new Response('{"error": {"type": "rate_limit_error", "message": "Slow down"}}', { status: 429 })
 * await readReply(response).result().catch((error) => {
 *   if (error instanceof ResponseError) console.log(error.status, error.code, error.message)
 * })
 * ```
 * ```text
 * 429 rate_limit_error the server answered with status 429: rate_limit_error: Slow down
 * ```
 */
export class ResponseError extends Error {
  /** The name of the class. */
  override readonly name = 'ResponseError'
  /** The response's HTTP status; undefined for an error that came in the stream. */
  readonly status: number | undefined
  /** The response's body, at most its first 65,536 characters; of an error in the stream, its event as JSON. */
  readonly body: string
  /** The provider's name for the error, such as `overloaded_error`; undefined if the body has none. */
  readonly code: string | undefined

  /** @internal */
  constructor(status: number | undefined, body: string, reported: ProviderError | undefined) {
    const what = status === undefined ? 'the provider reported an error' : `the server answered with status ${status}`
    const said =
      reported === undefined ? body.trim().replace(/\s+/g, ' ').slice(0, 200) : `${reported.code}: ${reported.message}`
    super(said === '' ? what : `${what}: ${said}`)
    this.status = status
    this.body = body
    this.code = reported?.code
  }
}
