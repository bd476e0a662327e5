// Objects that are written as XML in a string, for the coercion.
//
//     "<a>1</a><b>2</b>"                where an object is expected: { a: '1', b: '2' }
//     "<item>1</item><item>2</item>"    where a list is expected: { item: ['1', '2'] }
//
// The coercion can't import rxml, which needs it: so coercions that read XML are made here.
// Source: facts/ai-sdk-tool-parser.md, 2c. Differences: elements from end to end, and
// well-formed, or the string stays one.

import { isRecord } from '../own.js'
import { Coercion, type CoercionOptions } from '../schema/coercion.js'
import { type XmlFault, readXml as readElements } from '../xml/read.js'
import { ElementBuilder } from './element.js'
import { fieldsOf } from './value.js'

export function makeCoercion(schema: unknown, options: CoercionOptions = {}): Coercion {
  return new Coercion(schema, { ...options, readXml })
}

const coercions = { digits: new WeakMap<object, Coercion>(), plain: new WeakMap<object, Coercion>() }

/** The coercion by a schema, which is read once however often it is used. */
export function coercionBy(schema: unknown, options: CoercionOptions = {}): Coercion {
  const known = coercions[options.keepsDigits === true ? 'digits' : 'plain']
  let coercion = isRecord(schema) ? known.get(schema) : undefined
  if (coercion === undefined) coercion = makeCoercion(schema, options)
  if (isRecord(schema)) known.set(schema, coercion)
  return coercion
}

function readXml(text: string, schema: unknown, coercion: Coercion): unknown {
  const builder = new StrictBuilder(schema, coercion)
  readElements(text, builder, () => builder.isRaw)
  const { children, text: beside } = builder.root
  return builder.isWellFormed && children.length > 0 && beside.trim() === '' ? fieldsOf(children) : undefined
}

/** Builds elements, and knows whether all were well-formed. */
class StrictBuilder extends ElementBuilder {
  isWellFormed = true

  override abandon(): void {
    this.isWellFormed = false
    super.abandon()
  }

  fault(_fault: XmlFault, _at: number): void {
    this.isWellFormed = false
  }
}
