// What reads arguments in YAML, and where a format has it: it comes with the format, so
// that only those who use such a format have it.

import type { Format } from '../formats/types.js'
import type { Digits } from '../json/digits.js'
import type { Schema } from '../schema/schema.js'
import type { Repair } from './repairs.js'

/** What the reader asks: it may come from another copy of the package. */
export interface YamlTyping {
  /** A text as a value, by the part of the schema that is its. */
  typed(text: string, part: Schema | undefined): unknown
  /** A number, with the digits that JavaScript can't hold. */
  number(digits: string): number | Digits
  /** The body was repaired. */
  fixed(repair: Repair): void
}

/** Reads the arguments in a body, or says what is wrong with it. `schema` is the tool's, if it has one. */
export type YamlReader = (
  body: string,
  format: Format,
  schema: Schema | undefined,
  typing: YamlTyping,
) => Readonly<Record<string, unknown>> | string

/** Where a format has the reader, as `withYaml` of `tokenweir/ai-sdk-tool-parser` puts it there. */
export const YAML_READER: unique symbol = Symbol.for('tokenweir.yaml') as never

/** What reads the YAML of a format; undefined if nothing does. */
export function yamlReader(format: Format): YamlReader | undefined {
  return (format as { readonly [YAML_READER]?: YamlReader })[YAML_READER]
}

/** Whether a format's calls are YAML, and nothing reads it. */
export function needsYaml(format: Format): boolean {
  return format.call?.body === 'yaml' && yamlReader(format) === undefined
}
