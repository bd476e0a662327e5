// What elements mean as values.
//
//     <a>x</a>                              a: 'x'
//     <a>x</a><a>y</a>                      a: ['x', 'y']
//     <a><item>1</item><item>2</item></a>   a: [1, 2]
//     <a><0>x</0><1>y</1></a>               a: ['x', 'y']
//     <a k="v"><b>1</b></a>                 a: { b: '1', '@_k': 'v' }
//     <a k="v">x</a>                        a: { '#text': 'x', '@_k': 'v' }
//
// With a schema only the shape is made here (lists stay `{ item: … }`), and the
// coercion gives the types: it alone knows whether `<item>007</item>` is a string.
//
// Source: seeds/003…, "Coercion heuristics"; facts/ai-sdk-tool-parser.md, 2b.
// Differences: a list of one is a list; text next to elements is `#text` and loses
// neither; a number of a list stays a string where it would become another one
// (`007`, 20 digits); attributes are kept at any depth; every name is an own key.

import { put } from '../own.js'
import { numberOf } from '../json/digits.js'
import type { Schema } from '../schema/schema.js'
import { plainNumberIn } from '../schema/texts.js'
import { PLACE, type XmlElement } from './element.js'

export { ElementBuilder, XmlElement } from './element.js'

/** How values are made from elements. */
export interface ValueRules {
  /** The key of the text besides attributes and elements. @defaultValue '#text' */
  readonly textNodeName?: string
  /**
   * Whether an element without content is an empty object or list, where the schema leaves nothing else. @defaultValue
   * false
   */
  readonly fillsEmpty?: boolean
  /**
   * Whether white space at the ends of texts is kept where no schema says that they are strings. @defaultValue false
   */
  readonly keepWhitespace?: boolean
}

/** The value of an element without a schema. Texts stay texts, but for numbers in lists of `<item>`. */
export function valueOf(element: XmlElement, rules: ValueRules = {}): unknown {
  return heuristic(element, rules)
}

/** The value of the elements of one name, by their schema; their parts have no types yet. */
export function shapedValue(elements: readonly XmlElement[], schema: Schema, rules: ValueRules = {}): unknown {
  const [first] = elements
  if (elements.length === 1 && first !== undefined) return shaped(first, schema, rules)
  // Each is an element of the list, which may be a string with white space around it.
  const areStrings = schema.mayBeArray && !schema.isAnything && schema.element(0).isText
  return elements.map((element) =>
    areStrings && element.children.length === 0 ? element.text : shaped(element, schema, rules),
  )
}

/** The fields of an object, in the order in which they first came. */
export function fieldsOf(elements: readonly XmlElement[], rules: ValueRules = {}): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, group] of byName(elements))
    put(fields, name, shapedValue(group, (group[0] as XmlElement).schema, rules))
  return fields
}

function shaped(element: XmlElement, schema: Schema, rules: ValueRules): unknown {
  if (schema.isText) return element.text
  if (schema.isAnything) return heuristic(element, rules)
  const { children } = element
  const hasAttributes =
    element.attributes !== undefined && (schema.mayBeObject || (schema.mayBeArray && schema.element(0).mayBeObject))
  if (children.length === 0 && !hasAttributes) {
    if (schema.mayBeString) return element.text
    const text = element.trimmed
    return text === '' && rules.fillsEmpty === true ? (emptyOf(schema) ?? text) : text
  }
  const fields = fieldsOf(children, rules)
  // Text next to the elements of a list is not an element of it.
  if (schema.mayBeObject || !schema.mayBeArray || children.length === 0) addText(fields, element, rules)
  if (hasAttributes) addAttributes(fields, element)
  return fields
}

/** The only value without content that the schema leaves. */
function emptyOf(schema: Schema): object | undefined {
  if (schema.mayBeString || schema.mayBeObject === schema.mayBeArray || schema.mayBeNull) return undefined
  return schema.mayBeObject ? {} : []
}

function heuristic(element: XmlElement, rules: ValueRules): unknown {
  const { children, attributes } = element
  if (children.length === 0 && attributes === undefined)
    return rules.keepWhitespace === true ? element.text : element.trimmed
  const groups = byName(children)
  const isPlain = attributes === undefined && element.text.trim() === ''
  if (isPlain && groups.size === 1 && groups.has('item')) return children.map((child) => item(heuristic(child, rules)))
  const value = (group: readonly XmlElement[]) =>
    group.length === 1 ? heuristic(group[0] as XmlElement, rules) : group.map((one) => heuristic(one, rules))
  if (isPlain && isTuple(groups)) return Array.from(groups.keys(), (_, at) => value(groups.get(String(at)) ?? []))
  const fields: Record<string, unknown> = {}
  for (const [name, group] of groups) put(fields, name, value(group))
  addText(fields, element, rules)
  addAttributes(fields, element)
  return fields
}

/** Whether the names are 0, 1, 2 … in any order. */
function isTuple(groups: ReadonlyMap<string, unknown>): boolean {
  for (const name of groups.keys()) if (!PLACE.test(name) || Number(name) >= groups.size) return false
  return groups.size > 0
}

/** A number in a list of items, if it stays the one that was written. */
function item(value: unknown): unknown {
  if (typeof value !== 'string' || plainNumberIn(value) === undefined) return value
  const number = numberOf(value.trim())
  return typeof number === 'number' ? number : value
}

function byName(elements: readonly XmlElement[]): Map<string, XmlElement[]> {
  const groups = new Map<string, XmlElement[]>()
  for (const element of elements) {
    const group = groups.get(element.name)
    if (group === undefined) groups.set(element.name, [element])
    else group.push(element)
  }
  return groups
}

function addText(
  fields: Record<string, unknown>,
  element: XmlElement,
  { textNodeName = '#text', keepWhitespace = false }: ValueRules,
): void {
  const text = keepWhitespace ? element.text : element.trimmed
  if (text.trim() !== '') put(fields, textNodeName, text)
}

function addAttributes(fields: Record<string, unknown>, { attributes }: XmlElement): void {
  for (const [name, value] of attributes ?? []) put(fields, `@_${name}`, value === true ? null : value)
}
