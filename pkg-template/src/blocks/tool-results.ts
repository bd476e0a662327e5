import { describe } from '../errors.js'
import { fieldsOf } from '../untrusted.js'
import type { ToolResult } from './types.js'

/** Throws for anything but a list of tool results, naming the result and the field. */
export function requireResults(place: string, results: unknown): readonly ToolResult[] {
  if (!Array.isArray(results)) throw new TypeError(`${place} takes an array of results, but got ${describe(results)}`)
  for (const [index, value] of results.entries()) {
    const result = fieldsOf(value)
    if (result === undefined)
      throw new TypeError(`${place}: result ${index} must be an object, but is ${describe(value)}`)
    if (typeof result['toolUseId'] !== 'string')
      throw new TypeError(
        `${place}: toolUseId of result ${index} must be a string, but is ${describe(result['toolUseId'])}`,
      )
    if (typeof result['content'] !== 'string' && !Array.isArray(result['content'])) {
      throw new TypeError(
        `${place}: content of result ${index} must be a string or an array, but is ${describe(result['content'])}`,
      )
    }
  }
  return results as readonly ToolResult[]
}
