// The JSON schema inside the AI SDK's wrapper of schemas, `{ jsonSchema }`.

import { isRecord } from '../own.js'

/** Most wrappers around each other: one may contain itself. */
const MOST_WRAPPERS = 16

/**
 * Removes the wrapper `{ jsonSchema }` from a schema, however often it is wrapped; anything else stays as it is.
 *
 * Source: `unwrapJsonSchema` of `@ai-sdk-tool/parser` 5.1.6.
 *
 * @example
 * ```ts
 * import { unwrapJsonSchema } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(unwrapJsonSchema({ jsonSchema: { type: 'string' } })) // { type: 'string' }
 * ```
 */
export function unwrapJsonSchema(schema: unknown): unknown {
  let inner = schema
  for (let wrappers = 0; wrappers < MOST_WRAPPERS; wrappers++) {
    if (!isRecord(inner) || !Object.hasOwn(inner, 'jsonSchema')) return inner
    inner = inner['jsonSchema']
  }
  return inner
}
