// The schemas inside a schema.

import { own } from '../own.js'
import { CONDITIONS, type Keywords, listOf, propertiesOf } from './keywords.js'

/** A schema inside another. */
export interface Part {
  readonly role: 'property' | 'element' | 'same'
  /** The keyword, and the key or index after it. */
  readonly steps: ReadonlyArray<string | number>
  readonly schema: unknown
}

/**
 * The schemas directly inside another, except its `$ref`: those of properties, of elements, and those that describe the
 * same value.
 */
export function schemasIn(schema: Keywords): Part[] {
  const parts: Part[] = Object.entries(propertiesOf(schema) ?? {}).map(([key, inner]) => ({
    role: 'property',
    steps: ['properties', key],
    schema: inner,
  }))
  const list = (role: Part['role'], keyword: string) =>
    listOf(schema, keyword).forEach((inner, at) => parts.push({ role, steps: [keyword, at], schema: inner }))
  const one = (role: Part['role'], keyword: string, inner: unknown) =>
    inner !== undefined && parts.push({ role, steps: [keyword], schema: inner })
  list('element', 'prefixItems')
  list('element', 'items')
  const items = own(schema, 'items')
  if (!Array.isArray(items) && items !== false) one('element', 'items', items)
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) list('same', keyword)
  for (const keyword of CONDITIONS) one('same', keyword, own(schema, keyword))
  return parts
}
