// Guards a text that comes in chunks.

import { ParseError, requireString } from '../errors.js'
import { compile } from './program.js'
import { type Scan, scanBy } from './scan.js'
import type { GuardOptions, Stopped } from './types.js'

/**
 * Keeps out of a text what must not be shown, while it comes. The result is what `replace` makes of the whole text: at
 * each place the first rule counts that matches, `stop` before `redact`. What `push` returns is certain, whatever
 * follows, and nothing that is certain waits.
 *
 * Patterns are JavaScript's, as far as they can be decided while text comes: without lookaround, backreferences and the
 * flags `u`, `v` and `y`. None may match nothing at all, as `a*` does.
 *
 * @example
 * ```ts
 * import { TextGuard } from 'tokenweir/guard'
 *
 * const guard = new TextGuard({ redact: [/\bsk-\w{8,}\b/] })
 * const shown = ['The key is s', 'k-abcd', 'efgh', '1234, so', ' keep it.'].map((chunk) => guard.push(chunk))
 * console.log([...shown, guard.end()])
 * // → [ 'The key is ', '', '[redacted]', ', so', ' keep it.', '' ]
 * ```
 */
export class TextGuard {
  readonly #scan: Scan
  #isEnded = false

  /** @throws TypeError for an unknown option, and for a pattern that can't be decided while text comes */
  constructor(options: GuardOptions) {
    this.#scan = scanBy(compile('TextGuard', options))
  }

  /**
   * Takes a chunk of the text, and returns what is certain now: nothing after a stop.
   *
   * What a function of `redact` throws, this throws. The match is not shown then, and the next call goes on after it.
   *
   * @throws ParseError `finished` after `end`
   * @example
   * ```ts
   * import { TextGuard } from 'tokenweir/guard'
   *
   * const guard = new TextGuard({ redact: ['hunter2'] })
   * console.log([guard.push('It is hunt'), guard.push('er2'), guard.push('.')]) // [ 'It is ', '[redacted]', '.' ]
   * ```
   */
  push(text: string): string {
    requireString('TextGuard.push', text)
    if (this.#isEnded) throw new ParseError('finished', 'TextGuard.push was called after end: make one for each text')
    return this.#scan.push(text)
  }

  /**
   * Ends the text, and returns the rest of the result.
   *
   * @example
   * ```ts
   * import { TextGuard } from 'tokenweir/guard'
   *
   * const guard = new TextGuard({ redact: ['hunter2'] })
   * console.log([guard.push('A hunt'), guard.end()]) // [ 'A ', 'hunt' ]
   * ```
   */
  end(): string {
    if (this.#isEnded) return ''
    const rest = this.#scan.end()
    this.#isEnded = true
    return rest
  }

  /**
   * How many UTF-16 code units wait for what follows: they are neither out, nor part of a match whose replacement is.
   *
   * @example
   * ```ts
   * import { TextGuard } from 'tokenweir/guard'
   *
   * const guard = new TextGuard({ redact: ['hunter2'] })
   * guard.push('It is hunt')
   * console.log(guard.pending) // 4
   * ```
   */
  get pending(): number {
    return this.#isEnded ? 0 : this.#scan.pending
  }

  /**
   * What has ended the text, if something has.
   *
   * @example
   * ```ts
   * import { TextGuard } from 'tokenweir/guard'
   *
   * const guard = new TextGuard({ stop: ['\nUser:'] })
   * console.log(guard.push('Hello.\nUser: Hi!'), guard.stopped?.offset) // Hello. 6
   * ```
   */
  get stopped(): Stopped | undefined {
    return this.#scan.stopped
  }
}
