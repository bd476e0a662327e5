// A call that the text of a reply repeats: one that equals a native call by its name, and its arguments as values.
//
// Source: spec/policy.md, 27.

import { canonical } from '../json/canonical.js'
import { own } from '../own.js'
import { set, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'

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

/** The calls of a stream of parts: one that came from the other side before, text or provider, is not to be run again. */
export class CallsOnce {
  static get saved(): SavedClass {
    return { fields: { inText: set(text), native: set(text) } }
  }
  private readonly inText = new Set<string>()
  private readonly native = new Set<string>()

  /** Whether a part repeats a call of the other side. What the provider runs is its own. */
  repeats(part: object, isNative: boolean): boolean {
    const input = own(part, 'input')
    if (own(part, 'type') !== 'tool-call' || typeof input !== 'string' || own(part, 'providerExecuted') === true)
      return false
    const key = `${String(own(part, 'toolName'))} ${canonical(valueOf(input), input)}`
    const [side, other] = isNative ? [this.native, this.inText] : [this.inText, this.native]
    side.add(key)
    return other.has(key)
  }
}

/** What arguments say; text that is no JSON itself. */
function valueOf(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
