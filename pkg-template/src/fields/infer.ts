// The types of a document by its schema, for the compiler alone.

import type { OfJsonSchema, Typed } from '../schema/infer.js'
import type { JsonValue } from './types.js'

/** A type that says nothing of a document: `JsonValue`, `any`, `unknown`. */
type IsOpen<Value> = JsonValue extends Value ? true : false

/**
 * The document that a model writes by a schema: a shape, a JSON schema, or a schema of Zod, Valibot, ArkType and
 * others.
 * Shapes and JSON schemas that are written in the call need no `as const`. Where nothing is known it is `JsonValue`.
 *
 * @example
 * ```ts
 * import type { InferFields } from 'tokenweir/fields'
 *
 * const schema = { title: 'str', stops: [{ place: 'str', hours: 'int' }] } as const
 * type Plan = InferFields<typeof schema>
 * const plan: Plan = { title: 'Two days', stops: [{ place: 'Foz', hours: 2 }] }
 * console.log(plan.stops[0]?.hours) // 2
 * ```
 */
export type InferFields<Schema> = unknown extends Schema
  ? JsonValue
  : Schema extends null | undefined
    ? JsonValue
    : Schema extends Typed<infer Input, unknown>
      ? Input
      : OfShape<Schema>

/**
 * What `result` of `parseFields` gives by a schema: the same, but of a library's schema what its validation makes of
 * it.
 *
 * @example
 * ```ts
 * import type { InferResult } from 'tokenweir/fields'
 *
 * const answer: InferResult<{ ok: 'bool' }> = { ok: true }
 * console.log(answer.ok) // true
 * ```
 */
export type InferResult<Schema> = unknown extends Schema
  ? JsonValue
  : Schema extends Typed<unknown, infer Output>
    ? Output
    : InferFields<Schema>

type OfShape<Schema> = Schema extends string
  ? OfName<Lowercase<Schema>>
  : Schema extends readonly unknown[]
    ? OfList<Schema>
    : object extends Schema
      ? JsonValue
      : Schema extends JsonSchemaLike
        ? OfJsonSchema<Schema, JsonValue>
        : Schema extends object
          ? { -readonly [Key in keyof Schema]: InferFields<Schema[Key]> }
          : JsonValue

/** The values of the types' names. */
interface Named {
  string: string
  str: string
  text: string
  number: number
  int: number
  integer: number
  float: number
  double: number
  boolean: boolean
  bool: boolean
  null: null
  none: null
  array: JsonValue[]
  list: JsonValue[]
  object: { [key: string]: JsonValue }
  dict: { [key: string]: JsonValue }
  map: { [key: string]: JsonValue }
  record: { [key: string]: JsonValue }
  any: JsonValue
}

type OfName<Name extends string> = Name extends keyof Named ? Named[Name] : JsonValue

/** What a word that is no type's name must be too, so that the compiler names the place. */
interface NotATypesName {
  readonly 'is not the name of a type; use one of': keyof Named
}

/**
 * A schema whose types' names are known: where one is not, nothing fits. `parseFields` takes a schema that is this too.
 *
 * @example
 * ```ts
 * import type { KnownTypes } from 'tokenweir/fields'
 *
 * const schema: KnownTypes<{ title: 'string' }> = { title: 'string' }
 * console.log(schema.title) // string
 * ```
 */
export type KnownTypes<Schema> = unknown extends Schema
  ? Schema
  : Schema extends string
    ? string extends Schema
      ? Schema
      : Lowercase<Schema> extends keyof Named
        ? Schema
        : NotATypesName
    : Schema extends readonly [infer Type, string, ...infer More]
      ? readonly [KnownTypes<Type>, string, ...More]
      : Schema extends Typed<unknown, unknown> | JsonSchemaLike | JsonSchemaOfScalar | ((...args: never) => unknown)
        ? Schema
        : Schema extends object
          ? { readonly [Key in keyof Schema]: KnownTypes<Schema[Key]> }
          : Schema

/** `[type, description, …]` is the type; any other list is an array of its elements. */
type OfList<List extends readonly unknown[]> = List extends readonly [infer Type, string, ...unknown[]]
  ? InferFields<Type>
  : List extends readonly []
    ? JsonValue[]
    : Array<InferFields<List[number]>>

/** How a JSON schema is recognised. */
type JsonSchemaLike =
  | { readonly $schema: string }
  | { readonly $ref: string }
  | { readonly anyOf: readonly unknown[] }
  | { readonly oneOf: readonly unknown[] }
  | { readonly allOf: readonly unknown[] }
  | { readonly type: 'object' | readonly string[]; readonly properties: object }
  | { readonly type: 'object' | readonly string[]; readonly additionalProperties: object | boolean }
  | { readonly type: 'array' | readonly string[]; readonly items: object | boolean }
  | { readonly type: 'array' | readonly string[]; readonly prefixItems: readonly unknown[] }
  | { readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'null'; readonly enum: readonly unknown[] }
  | { readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'null'; readonly description: string }

/** As the root it describes a single value, as long as it has no member of another name. */
interface JsonSchemaOfScalar {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'null'
  readonly [keyword: string]: unknown
}

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
 * levels, and where the type says nothing of a value, any path is one.
 *
 * @example
 * ```ts
 * import type { FieldPath } from 'tokenweir/fields'
 *
 * const path: FieldPath<{ stops: { hours: number }[] }> = 'stops[*].hours'
 * console.log(path) // stops[*].hours
 * ```
 */
export type FieldPath<Value> =
  IsOpen<Value> extends true
    ? string
    : Value extends ReadonlyArray<infer Item>
      ? `[${'*' | number}]${PathAfter<Item, 6>}`
      : Value extends Scalar
        ? never
        : Value extends object
          ? { [Key in keyof Value & string]: `${FirstStep<Key>}${PathAfter<Value[Key], 6>}` }[keyof Value & string]
          : never

/** A key that is quoted in a path, wherever it stands. */
type QuotedKey = '' | '*' | `${string}${'.' | '[' | ']'}${string}`

type FirstStep<Key extends string> = Key extends QuotedKey | `/${string}` ? `["${Key}"]` : Key

type FurtherStep<Key extends string> = Key extends QuotedKey ? `["${Key}"]` : `.${Key}`

type AnyPathAfter = '' | `.${string}` | `[${string}`

type PathAfter<Value, Depth extends number> = Depth extends 0
  ? AnyPathAfter
  : IsOpen<Value> extends true
    ? AnyPathAfter
    :
        | ''
        | (Value extends Scalar
            ? never
            : Value extends ReadonlyArray<infer Item>
              ? `[${'*' | number}]${PathAfter<Item, Less[Depth]>}`
              : Value extends object
                ? {
                    [Key in keyof Value & string]: `${FurtherStep<Key>}${PathAfter<Value[Key], Less[Depth]>}`
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
