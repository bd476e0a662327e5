// The borders: one for each group of machines that a build of the WebAssembly has or hasn't.
//
// So each parser comes with a wasm that has what it needs and no more. Where a program uses several, a border stands
// on the first instance that has its machines, and what is beside them in the next ones is not used. On the edge all
// borders may stand on one instance.

import type { Exports as ArgumentsExports } from '../generated/arguments.js'
import type { Exports as BlockExports } from '../generated/blocks.js'
import type { Exports as EditExports } from '../generated/edits.js'
import type { Exports as FieldExports } from '../generated/fields.js'
import type { Exports as SegmentExports } from '../generated/segments.js'
import type { Exports as JsonExports } from '../generated/json.js'
import type { Exports as FormatExports } from '../generated/tool-calls.js'
import type { Exports as ValueExports } from '../generated/values.js'
import { Border, type BorderExports } from './border.js'

/** Of a call's arguments. */
export const argumentsBorder = new Border<ArgumentsExports>()
export const blockBorder = new Border<BlockExports>()
export const fieldBorder = new Border<FieldExports>()
export const segmentBorder = new Border<SegmentExports>()
export const editBorder = new Border<EditExports>()
/** Of tool calls, in whichever format. */
export const formatBorder = new Border<FormatExports>()
/** Of the reader of whole JSON values. */
export const jsonBorder = new Border<JsonExports>()
/** Of the reader of elements. */
export const valueBorder = new Border<ValueExports>()

/** Which borders stand on each build: pkg-template/xtask/src/wasm.rs has their features. */
const BUILDS = {
  tokenweir: [
    argumentsBorder,
    blockBorder,
    fieldBorder,
    segmentBorder,
    formatBorder,
    jsonBorder,
    valueBorder,
    editBorder,
  ],
  blocks: [blockBorder],
  json: [jsonBorder],
  arguments: [argumentsBorder],
  fields: [fieldBorder],
  segments: [segmentBorder, jsonBorder, valueBorder],
  'tool-calls': [formatBorder, jsonBorder, valueBorder],
  values: [jsonBorder, valueBorder],
  edits: [editBorder],
}

export type Build = keyof typeof BUILDS

/** The borders of a build. */
export function buildBorders(build: Build): ReadonlyArray<Border<BorderExports>> {
  return BUILDS[build] as ReadonlyArray<Border<BorderExports>>
}

/** Those that stand on no instance yet. */
export function missing(build: Build): ReadonlyArray<Border<BorderExports>> {
  return buildBorders(build).filter(({ isReady }) => !isReady)
}
