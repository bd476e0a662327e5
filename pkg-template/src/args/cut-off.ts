// The error of what the stream ended before.

import { ParseError } from '../errors.js'

/**
 * The stream ended before a value was whole. What it had so far is not a value: it must not be used as one.
 *
 * @example
 * ```ts
 * import { ArgumentsReader, CutOffError } from 'tokenweir/args'
 *
 * const call = new ArgumentsReader()
 * call.write('{"path": "/etc/pass')
 * call.end('length')
 * try {
 *   await call.get('path')
 * } catch (error) {
 *   if (error instanceof CutOffError) console.log(error.code, error.path, error.finishReason) // cut-off path length
 * }
 * ```
 */
export class CutOffError extends ParseError {
  /** The path of the value; empty for the whole document. */
  readonly path: string
  /** Why the model stopped, as `end` got it. */
  readonly finishReason: string | undefined

  /** @internal */
  constructor(path: string, finishReason: string | undefined) {
    const reason = finishReason === undefined ? '' : ` (finish reason ${JSON.stringify(finishReason)})`
    super('cut-off', `the text was cut off before ${path === '' ? 'its end' : path}${reason}: don't run the call`)
    this.path = path
    this.finishReason = finishReason
  }
}
