// The value of a text in relaxed JSON. Numbers that JavaScript can't hold keep
// their digits, and of a key that comes twice the last counts.

import { type JsonTeller, readJson, RELAXED } from '../json-reader.js'
import { put } from '../own.js'
import { numberOf } from '../schema/digits.js'

/** The value; throws a `SyntaxError` with the place for a text that has none. */
export function jsonValue(text: string): unknown {
  const builder = new ValueBuilder()
  const { fault } = readJson(text, RELAXED, builder)
  if (fault !== undefined) throw new SyntaxError(`no JSON: ${fault.code} at ${fault.at}, ${fault.place} in ${fault.inside}`)
  return builder.value
}

class ValueBuilder implements JsonTeller {
  value: unknown
  private readonly containers: (unknown[] | Record<string, unknown>)[] = []
  private readonly keys: string[] = []
  private text = ''

  open(isObject: boolean): void {
    const container = isObject ? {} : []
    this.add(container)
    this.containers.push(container)
  }

  close(): void {
    this.containers.pop()
  }

  piece(text: string): void {
    this.text += text
  }

  end(isKey: boolean): void {
    const { text } = this
    this.text = ''
    if (isKey) this.keys.push(text)
    else this.add(text)
  }

  number(digits: string): void {
    this.add(numberOf(digits))
  }

  word(value: true | false | null): void {
    this.add(value)
  }

  private add(value: unknown): void {
    const container = this.containers.at(-1)
    if (container === undefined) this.value = value
    else if (Array.isArray(container)) container.push(value)
    else put(container, this.keys.pop() ?? '', value)
  }
}
