// A call of a stream of parts that the provider has made and the text repeats, or the other way round: it comes once.
//
// Source: spec/policy.md, 27.

import { canonical } from '../json/canonical.js'
import { own } from '../own.js'
import { jsonOrText } from '../untrusted.js'

/** The calls of a stream of parts: one that came from the other side before, text or provider, is not to be run again. */
export class CallsOnce {
  private readonly inText = new Set<string>()
  private readonly native = new Set<string>()

  /** Whether a part repeats a call of the other side. What the provider runs is its own. */
  repeats(part: object, isNative: boolean): boolean {
    const input = own(part, 'input')
    if (own(part, 'type') !== 'tool-call' || typeof input !== 'string' || own(part, 'providerExecuted') === true)
      return false
    const key = `${String(own(part, 'toolName'))} ${canonical(jsonOrText(input), input)}`
    const [side, other] = isNative ? [this.native, this.inText] : [this.inText, this.native]
    side.add(key)
    return other.has(key)
  }
}
