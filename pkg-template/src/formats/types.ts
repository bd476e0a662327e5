// A format as a program gives it. What a row has is in xtask/src/formats/fields.json5.
//
// Source: spec/format.md, "The row". The catalogue is formats/*.json5.

import type { FormatId } from '../generated/format-ids.js'
import type { Format } from '../generated/format.js'

export type { Format, FormatWriting } from '../generated/format.js'
export type { HeadPiece, Markers } from './kinds.js'

/**
 * A format for `defineFormat`, which may be like another one.
 *
 * @example
 * ```ts
 * import { type FormatRow, defineFormat } from 'tokenweir/formats'
 *
 * const row: FormatRow = { id: 'my-model', like: 'hermes', reasoning: { open: ['<reason>'], close: ['</reason>'] } }
 * console.log(defineFormat(row).call?.open) // [ '<tool_call>' ]
 * ```
 */
export type FormatRow = { readonly [Field in keyof Format]: Format[Field] | (Field extends 'id' ? never : null) } & {
  /**
   * The format, or the id of one, whose fields it has, but `title`, `models`, `template`, `sample`, `source` and
   * `write.limits`. A field of its own replaces the whole field; `null` leaves it out.
   */
  readonly like?: FormatId | Format
}

/**
 * Several formats together, which `anyOf` makes: the earliest marker decides.
 *
 * @example
 * ```ts
 * import { type AnyFormat, anyOf } from 'tokenweir/formats'
 *
 * const either: AnyFormat = anyOf('hermes', 'kimi-k2')
 * console.log(either.anyOf.map(({ id }) => id)) // [ 'hermes', 'kimi-k2' ]
 * ```
 */
export interface AnyFormat {
  /** The formats, at most 8. */
  readonly anyOf: readonly Format[]
}
