// Schemas of libraries, and the JSON schemas that they give: Standard JSON Schema, and the methods of
// Zod (`toJSONSchema`) and ArkType (`toJsonSchema`).

import { describe } from '../errors.js'

/** Whether a value is a schema of a library. */
export function isLibrarySchema(schema: unknown): schema is object {
  return isStandard(schema) || hasMethod(schema, 'toJSONSchema') || hasMethod(schema, 'toJsonSchema')
}

/** The JSON schema that a library's schema gives of what it takes, which is what the model writes. */
export function jsonSchemaOf(schema: object, place: string): Readonly<Record<string, unknown>> {
  const standard = isStandard(schema) ? schema['~standard'] : undefined
  const ways: Array<() => unknown> = []
  const convert = standard?.jsonSchema
  if (typeof convert?.input === 'function') ways.push(() => convert.input({ target: 'draft-2020-12' }))
  // What JSON can't hold, such as a Date, makes Zod throw, unless it is asked to skip it.
  if (hasMethod(schema, 'toJSONSchema')) ways.push(() => schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }))
  if (hasMethod(schema, 'toJsonSchema')) ways.push(() => schema.toJsonSchema())
  const library = standard === undefined ? 'its library' : `its library (${String(standard.vendor)})`
  if (ways.length === 0)
    throw new TypeError(`${place} is a schema that does not give its JSON schema; pass ${instead(standard?.vendor)}`)

  let cause: unknown
  for (const way of ways) {
    try {
      const json = way()
      if (isPlain(json)) return json
      cause ??= new TypeError(`${library} gave ${describe(json)}`)
    } catch (error) {
      cause ??= error
    }
  }
  throw new TypeError(
    `${place} must be a schema that has a JSON schema, but ${library} could not make one: ` +
      `${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  )
}

/** Whether a schema is no library's, or gives its JSON schema. */
export function givesJsonSchema(schema: unknown): boolean {
  if (hasMethod(schema, 'toJSONSchema') || hasMethod(schema, 'toJsonSchema')) return true
  return !isStandard(schema) || typeof schema['~standard'].jsonSchema?.input === 'function'
}

/** What to pass for a schema that can't be asked. */
function instead(vendor: unknown): string {
  if (vendor === 'zod') return 'z.toJSONSchema(schema), or with Zod 3 zodToJsonSchema(schema) of zod-to-json-schema'
  if (vendor === 'valibot') return 'toJsonSchema(schema) of @valibot/to-json-schema'
  return 'the JSON schema that its library makes of it'
}

interface Standard {
  readonly '~standard': {
    readonly vendor?: unknown
    readonly jsonSchema?: { input(options: { target: string }): unknown }
  }
}

function isStandard(value: unknown): value is Standard {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    '~standard' in value &&
    typeof value['~standard'] === 'object' &&
    value['~standard'] !== null
  )
}

function hasMethod<Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, (options?: object) => unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    name in value &&
    typeof (value as Record<string, unknown>)[name] === 'function'
  )
}

/** Whether a value is an object as `{}` makes it, of this realm or another. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
