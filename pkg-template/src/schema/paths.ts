// Paths of a document and the values at them, for the compiler alone.

import type { JsonValue } from '../json/value.js'

/** A type that says nothing of a document: `JsonValue`, `any`, `unknown`. */
type IsOpen<Value> = JsonValue extends Value ? true : false

type Scalar = string | number | bigint | boolean | null | undefined

/**
 * A document as far as it was read: any member of it may be missing yet.
 *
 * @example
 * ```ts
 * import type { DeepPartial } from 'tokenweir/fields'
 *
 * const soFar: DeepPartial<{ title: string; stops: { hours: number }[] }> = { stops: [{}] }
 * console.log(soFar.title, soFar.stops?.[0]?.hours) // undefined undefined
 * ```
 */
export type DeepPartial<Value> =
  IsOpen<Value> extends true
    ? JsonValue
    : Value extends Scalar
      ? Value
      : Value extends ReadonlyArray<infer Item>
        ? Array<DeepPartial<Item>>
        : Value extends object
          ? { [Key in keyof Value]?: DeepPartial<Exclude<Value[Key], undefined>> }
          : Value

/** One less than a depth. */
type Less = [never, 0, 1, 2, 3, 4, 5]

/**
 * The paths of a document, as `on` of `parseFields` takes them: `title`, `stops[*].hours`, `stops[0]`. Below six
 * levels, and where the type says nothing of a value, any path is one. `Index`: what may stand in brackets.
 *
 * @example
 * ```ts
 * import type { FieldPath } from 'tokenweir/fields'
 *
 * const path: FieldPath<{ stops: { hours: number }[] }> = 'stops[*].hours'
 * console.log(path) // stops[*].hours
 * ```
 */
export type FieldPath<Value, Index extends string | number = '*' | number> =
  IsOpen<Value> extends true
    ? string
    : Value extends ReadonlyArray<infer Item>
      ? `[${Index}]${PathAfter<Item, 6, Index>}`
      : Value extends Scalar
        ? never
        : Value extends object
          ? { [Key in keyof Value & string]: `${FirstStep<Key>}${PathAfter<Value[Key], 6, Index>}` }[keyof Value &
              string]
          : never

/** A key that is quoted in a path, wherever it stands. */
type QuotedKey = '' | '*' | `${string}${'.' | '[' | ']'}${string}`

type FirstStep<Key extends string> = Key extends QuotedKey | `/${string}` ? `["${Key}"]` : Key

type FurtherStep<Key extends string> = Key extends QuotedKey ? `["${Key}"]` : `.${Key}`

type AnyPathAfter = '' | `.${string}` | `[${string}`

type PathAfter<Value, Depth extends number, Index extends string | number> = Depth extends 0
  ? AnyPathAfter
  : IsOpen<Value> extends true
    ? AnyPathAfter
    :
        | ''
        | (Value extends Scalar
            ? never
            : Value extends ReadonlyArray<infer Item>
              ? `[${Index}]${PathAfter<Item, Less[Depth], Index>}`
              : Value extends object
                ? {
                    [Key in keyof Value & string]: `${FurtherStep<Key>}${PathAfter<Value[Key], Less[Depth], Index>}`
                  }[keyof Value & string]
                : never)

/**
 * The value at a path of a document; `JsonValue` where the path or the type says nothing.
 *
 * @example
 * ```ts
 * import type { FieldAt } from 'tokenweir/fields'
 *
 * const hours: FieldAt<{ stops: { hours: number }[] }, 'stops[*].hours'> = 2
 * console.log(hours) // 2
 * ```
 */
export type FieldAt<Value, Path extends string> =
  IsOpen<Value> extends true
    ? JsonValue
    : string extends Path
      ? JsonValue
      : Path extends ''
        ? Value
        : Path extends `["${infer Key}"]${infer Rest}`
          ? KeyAt<Exclude<Value, null>, Key, Rest>
          : Path extends `[${string}]${infer Rest}`
            ? ItemAt<Exclude<Value, null>, Rest>
            : Path extends `.${infer Rest}`
              ? FieldAt<Exclude<Value, null>, Rest>
              : MemberAt<Value, FirstKey<Path>, Path>

type FirstKey<Path extends string> = Path extends `${infer Front}.${string}`
  ? BeforeBracket<Front>
  : BeforeBracket<Path>

type BeforeBracket<Path extends string> = Path extends `${infer Front}[${string}` ? Front : Path

type ItemAt<Value, Rest extends string> = Value extends ReadonlyArray<infer Item> ? FieldAt<Item, Rest> : JsonValue

type MemberAt<Value, Key extends string, Path extends string> = Path extends `${Key}${infer Rest}`
  ? Key extends '*'
    ? FieldAt<Exclude<Value[keyof Value], undefined>, Rest>
    : KeyAt<Value, Key, Rest>
  : JsonValue

/** Of alternatives, those that have the key count. */
type KeyAt<Value, Key extends string, Rest extends string> = [Extract<Value, { [Name in Key]?: unknown }>] extends [
  never,
]
  ? JsonValue
  : Value extends Scalar | readonly unknown[]
    ? never
    : Key extends keyof Value
      ? FieldAt<Exclude<Value[Key], undefined>, Rest>
      : never
