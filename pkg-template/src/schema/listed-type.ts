// The type of a parameter by a schema that lists it, for the blocks: their entry is small.

import { own } from '../own.js'

/** Whether a schema lists a parameter as a string, or as an array or object. Only `type` is read. */
export function listedType(schema: unknown, name: string): 'string' | 'container' | undefined {
  const type = own(own(own(schema, 'properties'), name), 'type')
  return type === 'string' ? type : type === 'object' || type === 'array' ? 'container' : undefined
}
