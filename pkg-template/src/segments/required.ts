// An argument that a tool needs by its schema.

import { Views } from '../schema/views.js'
import type { JsonSchema } from './types.js'

/** An argument without which no way to read the schema allows a call; undefined if some way needs none. */
export function requiredArgument(schema: JsonSchema | undefined): string | undefined {
  if (schema === undefined) return undefined
  const views = new Views(schema).of(schema)
  return views.every(({ required }) => required.length > 0) ? views[0]?.required[0] : undefined
}
