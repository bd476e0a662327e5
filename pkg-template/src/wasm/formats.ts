// What the format machine has of its own: src/wasm/format.rs.

import { encoder } from '../platform.js'
import { LONGEST_STRETCH } from './border.js'
import { formatBorder } from './borders.js'
import { MachineKind, Session } from './machine.js'

const formats = new MachineKind(formatBorder, 'format')

/** How a machine of formats begins. */
export interface FormatStart {
  /** The bytes of the rows. */
  readonly rows: readonly Uint8Array[]
  /** The names of the tools whose tags are looked for, in the order of their bytes. */
  readonly names: readonly string[]
  /**
   * Where the stream starts, by the numbers of `FormatStart`; above them the row whose reasoning is open, and one more.
   */
  readonly start: number
  /** Whether reasoning is looked for. */
  readonly seeks: boolean
  /** Whether calls in Markdown code are text. */
  readonly skipsCode: boolean
}

/** The rows that the machine at work reads by. */
let loaded: readonly Uint8Array[] | undefined

/** The names that it looks for. */
let loadedNames: readonly string[] | undefined

/** The machine of a stream. */
export function formatSession({ rows, names, start, seeks, skipsCode }: FormatStart): Session {
  const begin = () => void formatBorder.exports.format_start(start, Number(seeks), Number(skipsCode))
  return new Session(formats, begin, () => {
    if (rows !== loaded && !areLoaded(rows)) load(rows)
    loaded = rows
    if (names !== loadedNames) loadNames(names)
    loadedNames = names
  })
}

/** The characters that may end text of modes by a row. */
export function rowStops(row: Uint8Array, modes: readonly number[]): readonly string[] {
  fitsRows([row])
  return modes.map((mode) => {
    const length = formatBorder.exports.format_stops(mode)
    return new TextDecoder().decode(formatBorder.input.subarray(0, length))
  })
}

/** Whether rows can be read; they are loaded then. */
export function fitsRows(rows: readonly Uint8Array[]): boolean {
  formats.release()
  return load(rows)
}

function areLoaded(rows: readonly Uint8Array[]): boolean {
  return loaded?.length === rows.length && rows.every((row, at) => row === loaded?.[at])
}

function load(rows: readonly Uint8Array[]): boolean {
  loaded = undefined
  formatBorder.exports.format_rows_clear()
  return rows.every((row) => {
    formatBorder.input.set(row)
    return formatBorder.exports.format_rows_add(row.length) !== 0
  })
}

/** Loads names; returns those that fit, without those that can't be names or that there is no room for. */
function loadNames(names: readonly string[]): readonly string[] {
  // The machine at work has to load its own again.
  formats.release()
  loadedNames = undefined
  formatBorder.exports.format_names_clear()
  return names.filter(
    (name) =>
      name.length <= LONGEST_STRETCH &&
      formatBorder.exports.format_names_add(formatBorder.write(name, 0, name.length)) !== 0,
  )
}

/** The last list that was made: many streams have the same tools, and share it. */
let lastNames: readonly string[] = []

/** Names of tools in the order of their bytes, as a session takes them, without those that can't be names. */
export function toolNames(names: Iterable<string>): readonly string[] {
  const sorted = [...new Set(names)]
    .map((name) => ({ name, bytes: encoder().encode(name) }))
    .sort((a, b) => compareBytes(a.bytes, b.bytes))
  const wanted: readonly string[] = sorted.map(({ name }) => name)
  if (isLast(wanted)) return lastNames
  const fitting = loadNames(wanted)
  if (!isLast(fitting)) lastNames = fitting
  return lastNames
}

function isLast(names: readonly string[]): boolean {
  return names.length === lastNames.length && names.every((name, at) => name === lastNames[at])
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const difference = (a[at] as number) - (b[at] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
