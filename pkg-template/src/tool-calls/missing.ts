// Whether a tool may be called without arguments.
//
// Source: spec/world.md, W1: a call is emitted only if the model wrote its arguments.
// None are needed where the schema requires none, and nothing is known without a schema.

import type { Catalogue } from './catalogue.js'

/** Keys that come with a name and say nothing about the arguments. */
const ENVELOPE: readonly string[] = ['id', 'type']

/** What is wrong with a call that has no arguments; undefined if nothing is. `keys` are those besides its name. */
export function missingArguments(name: string, tools: Catalogue, keys: readonly string[]): string | undefined {
  const schema = tools.coercion(name)?.schema
  const required = schema?.requiredArguments ?? []
  if (required.length > 0) return `the arguments of ${name} are missing: its schema requires ${required.join(', ')}`
  const loose = keys.filter((key) => !ENVELOPE.includes(key) && schema?.names(key) === true)
  return loose.length === 0
    ? undefined
    : `the arguments of ${name} are missing: ${loose.join(', ')} must be in "arguments", not next to the name`
}
