// Writes arguments as JSON while they come: a text piece by piece, anything else when
// another argument comes after it.
//
//     <path>a.py</path>        "path":"a.py"
//     <n>1</n><n>2</n><x/>     "n":[1,2],"x":…
//
// An argument that comes again after others is written again, after `repeat` was called: then
// the last one counts.

import { maybe, set, text } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { toJson } from '../schema/to-json.js'
import { escaped } from './escaped.js'

/** Writes the arguments of one call. */
export class ArgumentWriter {
  static get saved(): SavedClass {
    return { fields: { written: set(text), again: set(text), last: maybe(text) } }
  }
  private readonly written = new Set<string>()
  private readonly again = new Set<string>()
  /** The argument that may get more values. */
  private last: string | undefined

  /** `valueOf` gives the value of an argument that came. */
  constructor(
    private readonly write: (json: string) => void,
    private readonly valueOf: (name: string) => unknown,
    private readonly repeat: () => void,
  ) {}

  /** A text begins that is an argument; false if it came before, and is written at the end. */
  begin(name: string): boolean {
    if (this.written.has(name) || this.last === name) return false
    this.#flush()
    this.#key(name)
    this.write('"')
    return true
  }

  /** More of it. */
  text(piece: string): void {
    this.write(escaped(piece))
  }

  /** It ends. */
  end(): void {
    this.write('"')
  }

  /** An argument has a value, or another one. */
  add(name: string): void {
    if (this.written.has(name)) this.again.add(name)
    else if (this.last !== name) {
      this.#flush()
      this.last = name
    }
  }

  /** There are no more arguments. */
  finish(): void {
    this.#flush()
    if (this.again.size > 0) this.repeat()
    for (const name of this.again) this.#member(name)
    this.write(this.written.size === 0 ? '{}' : '}')
  }

  #flush(): void {
    const name = this.last
    this.last = undefined
    if (name !== undefined) this.#member(name)
  }

  #member(name: string): void {
    this.#key(name)
    this.write(toJson(this.valueOf(name)))
  }

  #key(name: string): void {
    this.write(`${this.written.size === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    this.written.add(name)
  }
}
