// Arguments that a model wrote as JSON in a string.

import { CALL, type JsonTeller, readJson } from '../json-reader.js'

/** Tells the tokens of an object that is written as a text, if a teller is given; undefined if it is none. Gives the departures it was read by. */
export function readEncoded(text: string, teller: JsonTeller | undefined): number | undefined {
  if (text.trim() === '') return 0
  const first = new FirstToken()
  // Nothing is told of a text that turns out to be none.
  const { fault, used } = readJson(text, CALL, first)
  if (fault !== undefined || !first.isObject) return undefined
  if (teller !== undefined) readJson(text, CALL, teller)
  return used
}

class FirstToken implements JsonTeller {
  isObject = false
  #isFirst = true

  open(isObject: boolean): void {
    if (this.#isFirst) this.isObject = isObject
    this.#isFirst = false
  }

  close(): void {}

  piece(): void {
    this.#isFirst = false
  }

  end(): void {
    this.#isFirst = false
  }

  number(): void {
    this.#isFirst = false
  }

  word(): void {
    this.#isFirst = false
  }
}
