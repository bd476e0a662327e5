// Validates a document by the schema of a library: Standard Schema, as Zod, Valibot and ArkType have it.

import { isRecord } from '../own.js'
import { dotSegment } from '../json/path.js'
import type { JsonValue } from '../json/value.js'

/** Gives what a schema makes of a document. Rejects with a `SchemaError`. */
export type Validate = (value: JsonValue | undefined) => Promise<unknown>

/**
 * What of a document does not fit a schema.
 *
 * @example
 * ```ts
 * import { type SchemaIssue, SchemaError } from 'tokenweir/fields'
 *
 * const issue: SchemaIssue = { message: 'must be a number', path: ['stops', 0, 'hours'] }
 * console.log(new SchemaError([issue], {}).message)
 * ```
 * ```text
 * the document does not fit its schema: stops[0].hours: must be a number
 * ```
 */
export interface SchemaIssue {
  /** What the library says of it. */
  readonly message: string
  /** Where it is, if it is in a part of the document. */
  readonly path?: ReadonlyArray<PropertyKey | SchemaIssueStep> | undefined
}

/**
 * A step of the path of a `SchemaIssue`, as libraries write it that say more of it than its key.
 *
 * @example
 * ```ts
 * import { SchemaError, type SchemaIssueStep } from 'tokenweir/fields'
 *
 * const step: SchemaIssueStep = { key: 'hours' }
 * console.log(new SchemaError([{ message: 'is missing', path: [step] }], {}).message)
 * ```
 * ```text
 * the document does not fit its schema: hours: is missing
 * ```
 */
export interface SchemaIssueStep {
  /** The name of a member, or the index of an item. */
  readonly key: PropertyKey
}

/**
 * A document does not fit the schema of a library. `result` of `parseFields` rejects with it.
 *
 * @example
 * ```ts
 * import { SchemaError, parseFields } from 'tokenweir/fields'
 *
 * const noText = {
 *   '~standard': { version: 1, vendor: 'mine', validate: () => ({ issues: [{ message: 'must be a text' }] }) },
 * }
 * try {
 *   await parseFields('{"a": 1}', noText).result()
 * } catch (error) {
 *   if (error instanceof SchemaError) console.log(error.issues.length, error.value) // 1 { a: 1 }
 * }
 * ```
 */
export class SchemaError extends Error {
  /** The name of the class. */
  override readonly name = 'SchemaError'

  /** What is wrong, as the library says it. */
  readonly issues: readonly SchemaIssue[]
  /** The document as it was read; `undefined` if there was none. */
  readonly value: JsonValue | undefined

  /**
   * @param issues What is wrong, as the library says it.
   * @param value The document as it was read; `undefined` if there was none.
   */
  constructor(issues: readonly SchemaIssue[], value: JsonValue | undefined) {
    const [first, ...others] = issues
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`
    super(`the document does not fit its schema: ${first === undefined ? 'no reason is given' : written(first)}${more}`)
    this.issues = issues
    this.value = value
  }
}

/** How a schema validates, if it can. */
export function validationOf(schema: unknown): Validate | undefined {
  const standard =
    (typeof schema === 'object' || typeof schema === 'function') && schema !== null
      ? (schema as { readonly '~standard'?: unknown })['~standard']
      : undefined
  if (!isRecord(standard) || typeof standard['validate'] !== 'function') return undefined
  const validate = standard['validate'] as (value: unknown) => unknown
  return async (value) => {
    const outcome = await validate(value)
    const { issues, value: valid } = (isRecord(outcome) ? outcome : {}) as {
      readonly issues?: readonly SchemaIssue[]
      readonly value?: unknown
    }
    if (issues !== undefined) throw new SchemaError(issues, value)
    return valid
  }
}

function written({ message, path = [] }: SchemaIssue): string {
  const steps = path.map((step) => (typeof step === 'object' ? step.key : step))
  const place = steps.map((step, at) => dotSegment(typeof step === 'number' ? step : String(step), at === 0)).join('')
  return place === '' ? message : `${place}: ${message}`
}
