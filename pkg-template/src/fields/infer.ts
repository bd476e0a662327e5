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

type OfName<Name extends string> = string extends Name
  ? JsonValue
  : Name extends 'string' | 'str' | 'text'
    ? string
    : Name extends 'number' | 'int' | 'integer' | 'float' | 'double'
      ? number
      : Name extends 'boolean' | 'bool'
        ? boolean
        : Name extends 'null' | 'none'
          ? null
          : Name extends 'array' | 'list'
            ? JsonValue[]
            : Name extends 'object' | 'dict' | 'map' | 'record'
              ? { [key: string]: JsonValue }
              : JsonValue

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
 * The paths of a document, as `on` of `parseFields` takes them, down to six levels: `title`, `stops[*].hours`,
 * `stops[0]`.
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
    ? never
    : Value extends ReadonlyArray<infer Item>
      ? `[${'*' | number}]${PathAfter<Item, 6>}`
      : PathOf<Value, 6>

type PathOf<Value, Depth extends number> = Value extends Scalar | readonly unknown[]
  ? never
  : Value extends object
    ? { [Key in keyof Value & string]: `${Key}${PathAfter<Value[Key], Depth>}` }[keyof Value & string]
    : never

type PathAfter<Value, Depth extends number> =
  | ''
  | (Depth extends 0
      ? never
      : IsOpen<Value> extends true
        ? never
        : Value extends Scalar
          ? never
          : Value extends ReadonlyArray<infer Item>
            ? `[${'*' | number}]${PathAfter<Item, Less[Depth]>}`
            : `.${PathOf<Value, Less[Depth]>}`)

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
  ? Value extends Scalar | readonly unknown[]
    ? JsonValue
    : Key extends keyof Value
      ? FieldAt<Exclude<Value[Key], undefined>, Rest>
      : Key extends '*'
        ? FieldAt<Exclude<Value[keyof Value], undefined>, Rest>
        : JsonValue
  : JsonValue
