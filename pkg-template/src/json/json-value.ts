// The values of JSON.

/**
 * A value of a JSON document. Numbers may be `NaN` or infinite, where the model wrote JSON5. With
 * `bigNumbers: 'bigint'` whole numbers beyond 2^53 are bigints.
 *
 * @example
 * ```ts
 * import { type JsonValue, parsePartial } from 'tokenweir/fields'
 *
 * const value: JsonValue | undefined = parsePartial('{"tags": ["a", "b"')
 * console.log(value) // { tags: [ 'a', 'b' ] }
 * ```
 */
export type JsonValue = string | number | bigint | boolean | null | JsonValue[] | { [key: string]: JsonValue }
