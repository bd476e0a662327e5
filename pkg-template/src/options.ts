// Options as tables: a row for each, with what its value must be, and what counts where it isn't given.
//
//     const OPTIONS = { strict: [flag, false], fences: [word('parse', 'text'), 'parse'] } satisfies OptionTable<…>
//
// The type asks for a row for each option, so that one that is new can't be forgotten.

import { describe } from './errors.js'
import { isRecord } from './own.js'

/** Throws unless a value is what an option takes; `name` is the option's, after its place. */
export type Check = (name: string, value: unknown) => void

/** A row for each option. One without a default is `undefined` where it isn't given. */
export type OptionTable<Options = Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof Options]-?: readonly [check: Check, otherwise?: Options[Name]]
}

/** What `resolveOptions` gives: an option that has a default is never `undefined`. */
export type Resolved<Options, Table> = {
  readonly [Name in keyof Options & keyof Table]: Table[Name] extends readonly [Check, unknown]
    ? Exclude<Options[Name], undefined>
    : Options[Name]
}

/** Makes a check; `expected` is what its error says a value must be. */
export const must =
  (expected: string, fits: (value: unknown) => boolean): Check =>
  (name, value) => {
    if (!fits(value)) throw new TypeError(`${name} must be ${expected}, but is ${describe(value)}`)
  }

export const flag = must('true or false', (value) => typeof value === 'boolean')
export const callback = must('a function', (value) => typeof value === 'function')
export const text = must('a string', (value) => typeof value === 'string')

export const abortSignal = must(
  'an AbortSignal',
  (value) => isRecord(value) && 'aborted' in value && typeof value['addEventListener'] === 'function',
)

/** One of some words, which its error quotes. */
export const word = (...words: readonly string[]): Check =>
  must(words.map((one) => JSON.stringify(one)).join(' or '), (value) => words.includes(value as string))

/** One of some values, which its error lists. */
export const choice = (...values: readonly unknown[]): Check =>
  must(`one of ${values.join(', ')}`, (value) => values.includes(value))

/** Anything: who reads the option checks it too. */
export const elsewhere: Check = () => {}

/** Refuses unknown options, and values that an option can't have; `mark` stands between place and option in errors. */
export function checkOptions(place: string, options: unknown, table: OptionTable, mark = ': '): void {
  if (options === undefined) return
  if (!isRecord(options)) throw new TypeError(`${place} takes an options object, but got ${describe(options)}`)
  for (const name of Object.keys(options))
    if (!Object.hasOwn(table, name))
      throw new TypeError(`${place} has no option ${JSON.stringify(name)}; it takes ${Object.keys(table).join(', ')}`)
  for (const [name, [check]] of Object.entries(table))
    if (options[name] !== undefined) check(place + mark + name, options[name])
}

/** The options of a table that are given, each by the first source that has it. */
export function pickOptions<Options extends object>(
  table: object,
  ...sources: ReadonlyArray<Options | undefined>
): Partial<Options> {
  const picked: Partial<Options> = {}
  for (const name of Object.keys(table) as Array<keyof Options>)
    for (const source of sources) {
      const value = source?.[name]
      if (value === undefined) continue
      picked[name] = value
      break
    }
  return picked
}

/** The options of a table, each by the first source that has it; else its default. */
export function resolveOptions<Options extends object, Table extends OptionTable<Options>>(
  table: Table,
  ...sources: ReadonlyArray<Options | undefined>
): Resolved<Options, Table> {
  const resolved = pickOptions(table, ...sources) as Record<string, unknown>
  for (const [name, row] of Object.entries(table as OptionTable))
    if (row.length > 1 && resolved[name] === undefined) resolved[name] = row[1]
  return resolved as Resolved<Options, Table>
}
