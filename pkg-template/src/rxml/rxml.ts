// The two functions as one object, by both of its names.
import { parse } from './parse.js'
import { stringify } from './stringify.js'

/** Elements as values by a schema, and back: `parse` and `stringify`. */
export const RXML = { parse, stringify } as const

/** The same as `RXML`. */
export const rxml = RXML
