// Reads an object that is written as XML in a string.
//
// How XML is read is rxml's business, which itself gives types by the coercion. So
// it is handed in, once, by the entries that have both.

import { isRecord } from '../own.js'
import type { Coercion } from './coercion.js'

/**
 * Reads the elements of a text as an object of still untyped values, strings in it as
 * the schema's strings; undefined if the text isn't elements from end to end.
 */
export type XmlObjectReader = (text: string, schema: unknown, coercion: Coercion) => unknown

let reader: XmlObjectReader | undefined

/** Sets what `<a>1</a><b>2</b>` is read by where an object is expected. Without it such a text stays a text. */
export function setXmlObjectReader(read: XmlObjectReader): void {
  reader = read
}

/** The object that a text's elements make. */
export function xmlObject(text: string, schema: unknown, coercion: Coercion): Readonly<Record<string, unknown>> | undefined {
  if (reader === undefined || !text.startsWith('<') || !text.endsWith('>')) return undefined
  const value = reader(text, schema, coercion)
  return isRecord(value) ? value : undefined
}
