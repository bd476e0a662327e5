// A call that the text of a reply repeats: one that equals a native call by its name, and its arguments as values.
//
// Source: spec/policy.md, 27.

import { canonical } from '../json/canonical.js'

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
