// The types of a document by its schema, for the compiler alone.

import type { JsonValue } from '../json/value.js'
import type { OfJsonSchema, Typed } from '../schema/infer.js'

export type * from '../schema/paths.js'

/**
 * The document that a model writes by a schema: a shape, a JSON schema, or a schema of Zod, Valibot, ArkType and
 * others. Shapes and JSON schemas that are written in the call need no `as const`. Where nothing is known it is
 * `JsonValue`.
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
