// The public names of robust JSON.
export { RjsonError, type RjsonWarning } from '../rjson/error.js'
export type { ParseOptions, Reviver } from '../rjson/options.js'
export { parse } from '../rjson/parse.js'
export { RJSON, rjson } from '../rjson/rjson.js'
export { stringify } from '../rjson/stringify.js'
export { transform } from '../rjson/transform.js'
