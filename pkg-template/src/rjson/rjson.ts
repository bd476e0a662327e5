// The three functions as one object, by both of its names.
import { parse } from './parse.js'
import { stringify } from './stringify.js'
import { transform } from './transform.js'

/** Relaxed JSON: `parse`, `stringify` and `transform`. */
export const RJSON = { parse, stringify, transform } as const

/** The same as `RJSON`. */
export const rjson = RJSON
