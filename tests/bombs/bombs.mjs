// The texts of tests/cases/bomb, made in chunks: a hundred megabytes are never there at once.
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'

const folder = new URL('../cases/bomb/', import.meta.url)

/** The front-ends, and what reads whole texts. */
export const FRONT_ENDS = ['block', 'segment', 'field', 'tool_call', 'rjson', 'rxml']

/** Whether it reads whole texts alone. */
export const isWhole = (frontEnd) => frontEnd === 'rjson' || frontEnd === 'rxml'

/** The bombs of a front-end. */
export function bombsOf(frontEnd) {
  return parse(readFileSync(new URL(`${isWhole(frontEnd) ? 'whole/' : ''}${frontEnd}.toml`, folder), 'utf8')).case.map((each) => ({ open: '', close: '', codes: [], numbered: false, ...each, frontEnd, unit: typeof each.unit === 'string' ? each.unit : each.unit.map(([text, times]) => text.repeat(times)).join('') }))
}

/** About so many units of a bomb's text, in pieces of at least so many; the last may be shorter. */
export function* chunksOf({ open, unit, close, numbered }, length, size) {
  const count = Math.ceil(length / unit.length)
  const atOnce = Math.ceil(Math.max(size, 65_536) / unit.length)
  const block = numbered ? undefined : unit.repeat(Math.min(atOnce, count))
  let text = open
  for (let number = 0; number < count; number += atOnce) {
    const units = Math.min(atOnce, count - number)
    text += block === undefined ? Array.from({ length: units }, (_, at) => unit.replaceAll('#', String(number + at))).join('') : block.slice(0, units * unit.length)
    let at = 0
    for (; at + size <= text.length; at += size) yield text.slice(at, at + size)
    text = text.slice(at)
  }
  text += close
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
