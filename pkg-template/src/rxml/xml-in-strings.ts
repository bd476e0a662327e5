// Objects that are written as XML in a string, for the coercion.
//
//     "<a>1</a><b>2</b>"                where an object is expected: { a: '1', b: '2' }
//     "<item>1</item><item>2</item>"    where a list is expected: { item: ['1', '2'] }
//
// Importing this file is enough: the coercion can't import rxml, which needs it.
// Source: facts/ai-sdk-tool-parser.md, 2c. Differences: elements from end to end, and
// well-formed, or the string stays one.

import { type Coercion, setXmlObjectReader } from '../schema/coercion.js'
import { type XmlFault, readXml } from '../xml/read.js'
import { ElementBuilder } from './element.js'
import { fieldsOf } from './value.js'

setXmlObjectReader((text: string, schema: unknown, coercion: Coercion) => {
  const builder = new StrictBuilder(schema, coercion)
  readXml(text, builder, () => builder.isRaw)
  const { children, text: beside } = builder.root
  return builder.isWellFormed && children.length > 0 && beside.trim() === '' ? fieldsOf(children) : undefined
})

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
