// What a call's arguments are, by the schema of its tool, for the compiler alone.

import type { JsonValue } from '../json/json-value.js'
import type { DeepPartial, FieldAt, FieldPath } from '../schema/paths.js'
import type { OfInput } from '../schema/infer.js'

/**
 * What a model writes by a schema: a schema of Zod, Valibot, ArkType and others, a JSON schema `as const`, a tool with
 * one of these (`tool()` of the AI SDK). Where nothing is known it is `JsonValue`.
 *
 * @example
 * ```ts
 * import type { ArgumentsOf } from 'tokenweir/args'
 *
 * const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const
 * const args: ArgumentsOf<typeof schema> = { path: 'a.txt' }
 * console.log(args.path) // a.txt
 * ```
 */
export type ArgumentsOf<Schema> = OfEither<Schema, 'input'>

/**
 * What `result` gives by a schema: the same, but of a library's schema what its validation makes of it.
 *
 * @example
 * ```ts
 * import type { ResultOf } from 'tokenweir/args'
 *
 * const args: ResultOf<{ type: 'object'; properties: { n: { type: 'number' } } }> = { n: 1 }
 * console.log(args.n) // 1
 * ```
 */
export type ResultOf<Schema> = OfEither<Schema, 'output'>

type OfEither<Schema, Side extends 'input' | 'output'> = unknown extends Schema
  ? JsonValue
  : Schema extends null | undefined
    ? JsonValue
    : Schema extends { readonly inputSchema: infer Inner } | { readonly parameters: infer Inner }
      ? OfInput<Inner, JsonValue, Side>
      : OfInput<Schema, JsonValue, Side>

/**
 * The path of one value of arguments: `path`, `edits[0].text`; `''` is all of them.
 *
 * @example
 * ```ts
 * import type { ValuePath } from 'tokenweir/args'
 *
 * const path: ValuePath<{ edits: { text: string }[] }> = 'edits[0].text'
 * console.log(path) // edits[0].text
 * ```
 */
export type ValuePath<Args> = '' | FieldPath<Args, number>

/**
 * The path of one value or, with `[*]`, of many.
 *
 * @example
 * ```ts
 * import type { ValuePattern } from 'tokenweir/args'
 *
 * const pattern: ValuePattern<{ edits: { text: string }[] }> = 'edits[*].text'
 * console.log(pattern) // edits[*].text
 * ```
 */
export type ValuePattern<Args> = '' | FieldPath<Args>

/**
 * Arguments as far as they have come: any member may be missing yet. They are not to be changed.
 *
 * @example
 * ```ts
 * import type { PartialOf } from 'tokenweir/args'
 *
 * const soFar: PartialOf<{ path: string; lines: string[] }> = { lines: ['a'] }
 * console.log(soFar.path, soFar.lines?.length) // undefined 1
 * ```
 */
export type PartialOf<Args> = DeepPartial<Args>

/**
 * What `items` yields of a list.
 *
 * @example
 * ```ts
 * import type { ItemOf } from 'tokenweir/args'
 *
 * const item: ItemOf<{ line: number }[]> = { line: 1 }
 * console.log(item.line) // 1
 * ```
 */
export type ItemOf<Value> = Value extends ReadonlyArray<infer Item> ? Item : JsonValue

/**
 * What stands at a path: if that is a text, what the schema says of it; at a list of steps, any value.
 *
 * @example
 * ```ts
 * import type { ValueAt } from 'tokenweir/args'
 *
 * const line: ValueAt<{ edits: { line: number }[] }, 'edits[0].line'> = 1
 * console.log(line) // 1
 * ```
 */
export type ValueAt<Args, Path> = Path extends string ? FieldAt<Args, Path> : JsonValue

export type { DeepPartial, FieldAt, FieldPath, JsonValue }
