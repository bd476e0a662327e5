// Types a value, whatever it is: text never makes a parser throw.

import type { Coercion } from '../schema/coercion.js'

/** The value by the schema, or as it is where it is nested too deep to be typed. */
export function typed(coercion: Coercion, value: unknown, schema: unknown): unknown {
  try {
    return coercion.value(value, schema)
  } catch (error) {
    if (error instanceof RangeError) return value
    throw error
  }
}
