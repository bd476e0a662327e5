// Makes a value of a text's tokens.
import { put } from '../own.js'
import type { TokenHandler } from './tokens.js'

/** The key of a value that has none. */
const NO_KEY = 'null'

/** At any time, `value` is what there is of the text: containers that are open have what was whole in them. */
export class ValueBuilder implements TokenHandler {
  /** `undefined` where no value has begun. */
  value: unknown
  private readonly around: (unknown[] | Record<string, unknown>)[] = []
  private key: string | undefined

  /** `onDuplicate` is called for a key that its object already has; the value that follows replaces the earlier one. */
  constructor(private readonly onDuplicate: (key: string, at: number) => void) {}

  open(isObject: boolean, start: number): void {
    const container = isObject ? {} : []
    this.add(container, start)
    this.around.push(container)
  }

  close(): void {
    this.around.pop()
  }

  string(text: string, isKey: boolean, start: number): void {
    if (isKey) this.take(text, start)
    else this.add(text, start)
  }

  number(digits: string, start: number): void {
    this.add(Number(digits), start)
  }

  word(value: true | false | null, start: number): void {
    this.add(value, start)
  }

  private take(key: string, at: number): string {
    const object = this.around.at(-1)
    if (object && Object.hasOwn(object, key)) this.onDuplicate(key, at)
    this.key = key
    return key
  }

  private add(value: unknown, at: number): void {
    const container = this.around.at(-1)
    if (container === undefined) this.value = value
    else if (Array.isArray(container)) container.push(value)
    else {
      put(container, this.key ?? this.take(NO_KEY, at), value)
      this.key = undefined
    }
  }
}
