// Writes arguments as JSON while they come: a text piece by piece, anything else when
// another argument comes after it.
//
//     <path>a.py</path>        "path":"a.py"
//     <n>1</n><n>2</n><x/>     "n":[1,2],"x":…
//
// An argument that comes again after others is written again: if a key comes twice, the
// last one counts.

import { toJson } from '../schema/to-json.js'
import { escaped } from './escaped.js'

/** Writes the arguments of one call. */
export class ArgumentWriter {
  readonly #written = new Set<string>()
  readonly #again = new Set<string>()
  /** The argument that may get more values. */
  #open: string | undefined

  /** `valueOf` gives the value of an argument that came. */
  constructor(
    private readonly write: (json: string) => void,
    private readonly valueOf: (name: string) => unknown,
  ) {}

  /** A text begins that is an argument; false if it came before, and is written at the end. */
  begin(name: string): boolean {
    if (this.#written.has(name) || this.#open === name) return false
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
    if (this.#written.has(name)) this.#again.add(name)
    else if (this.#open !== name) {
      this.#flush()
      this.#open = name
    }
  }

  /** There are no more arguments. */
  finish(): void {
    this.#flush()
    for (const name of this.#again) this.#member(name)
    this.write(this.#written.size === 0 ? '{}' : '}')
  }

  #flush(): void {
    const name = this.#open
    this.#open = undefined
    if (name !== undefined) this.#member(name)
  }

  #member(name: string): void {
    this.#key(name)
    this.write(toJson(this.valueOf(name)))
  }

  #key(name: string): void {
    this.write(`${this.#written.size === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    this.#written.add(name)
  }
}
