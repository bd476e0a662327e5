// Options of the edit parser, checked.

import { EDIT_FORMATS, EditFlag } from '../generated/ops.js'
import { type OptionTable, checkOptions, flag, must, resolveOptions, text } from '../options.js'
import { editBorder } from '../wasm/borders.js'
import type { EditFormat, EditOptions } from './types.js'

/** What a parser needs to know. */
export interface Settings {
  /** `EditFlag` bits. */
  readonly flags: number
  readonly path: string | undefined
  readonly spans: boolean
  readonly keepText: boolean
}

const FLAG_OF: Readonly<Record<EditFormat, number>> = {
  v4a: EditFlag.V4a,
  'search-replace': EditFlag.SearchReplace,
  unified: EditFlag.Unified,
}

const formats = must(
  `a list of ${EDIT_FORMATS.join(', ')}`,
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string' && Object.hasOwn(FLAG_OF, one)),
)

const OPTIONS = {
  formats: [formats, EDIT_FORMATS as readonly EditFormat[]],
  path: [text],
  whole: [flag, false],
  spans: [flag, false],
  keepText: [flag, true],
} satisfies OptionTable<EditOptions>

/** How a text is read that is a patch in any notation, and nothing else; `path`: where it doesn't name its file. */
export function wholePatch(path: string | undefined): number {
  return EditFlag.V4a | EditFlag.SearchReplace | EditFlag.Unified | EditFlag.Whole | hasPath(path)
}

const hasPath = (path: string | undefined) => (path === undefined ? 0 : EditFlag.HasPath)

/** What of the options is about the reading alone. */
export const READING_OPTIONS = { formats: OPTIONS.formats, path: OPTIONS.path, whole: OPTIONS.whole }

/** Checks options. */
export function settingsOf(place: string, options: EditOptions | undefined, table: OptionTable = OPTIONS): Settings {
  editBorder.requireReady(place)
  checkOptions(place, options, table, '.')
  const given = resolveOptions<EditOptions, typeof OPTIONS>(OPTIONS, options)
  const { path, spans, keepText } = given
  const bits = given.formats.reduce((all, format) => all | FLAG_OF[format], 0)
  const flags = bits | (given.whole ? EditFlag.Whole : 0) | hasPath(path)
  return { flags, path, spans, keepText }
}
