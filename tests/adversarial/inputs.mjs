// Generates the texts of tests/cases/adversarial in chunks, so that a hundred megabytes are never in memory together.
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'

const folder = new URL('../cases/adversarial/', import.meta.url)

/** The parsers, and the readers of whole texts. */
export const FRONT_ENDS = ['block', 'segment', 'edit', 'field', 'tool_call', 'rjson', 'rxml']

/** Whether it reads only whole texts. */
export const isWhole = (frontEnd) => frontEnd === 'rjson' || frontEnd === 'rxml'

/** The adversarial inputs of a parser. */
export function inputsOf(frontEnd) {
  return parse(readFileSync(new URL(`${isWhole(frontEnd) ? 'whole/' : ''}${frontEnd}.toml`, folder), 'utf8')).case.map((each) => ({ open: '', close: '', codes: [], numbered: false, ...each, frontEnd, unit: typeof each.unit === 'string' ? each.unit : each.unit.map(([text, times]) => text.repeat(times)).join('') }))
}

/** An input's text, about `length` units long, in pieces of `size` units; the last may be shorter. */
export function* chunksOf({ open, unit, close, numbered }, length, size) {
  const count = Math.ceil(length / unit.length)
  const perBlock = Math.ceil(Math.max(size, 65_536) / unit.length)
  const block = numbered ? undefined : unit.repeat(Math.min(perBlock, count))
  let text = open
  for (let number = 0; number < count; number += perBlock) {
    const units = Math.min(perBlock, count - number)
    text += block === undefined ? Array.from({ length: units }, (_, at) => unit.replaceAll('#', String(number + at))).join('') : block.slice(0, units * unit.length)
    let at = 0
    for (; at + size <= text.length; at += size) yield text.slice(at, at + size)
    text = text.slice(at)
  }
  text += close
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
