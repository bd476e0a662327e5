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

/** A call of a reply. */
interface Entry<Call> {
  call: Call
  readonly key: string
  isNative: boolean
}

/** The calls of a reply that are to be run: each once, as the provider has it. */
export class CallsToRun<Call extends { readonly toolName: string; readonly args: unknown; readonly input: string }> {
  #entries: Array<Entry<Call>> = []

  get all(): Call[] {
    return this.#entries.map(({ call }) => call)
  }

  add(call: Call, isNative: boolean): void {
    const key = `${call.toolName} ${canonical(call.args, call.input)}`
    const same = this.#entries.filter((entry) => entry.key === key && entry.isNative !== isNative)
    const [first] = same
    if (first === undefined) this.#entries.push({ call, key, isNative })
    else if (isNative) {
      // Its id is the one that the provider expects an answer for.
      Object.assign(first, { call, isNative })
      this.#entries = this.#entries.filter((entry) => entry === first || !same.includes(entry))
    }
  }
}
