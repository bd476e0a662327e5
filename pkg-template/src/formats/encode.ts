// Writes a row as the bytes that the machine reads: src/format/row.rs.
//
// Parts come one after another, in the order of their numbers: number, length in two
// bytes, content.

import { encoder } from '../platform.js'
import { BODY, CLOSER, KIND, TRIM, flagsOf, markersOf } from '../generated/format-bytes.js'
import {
  JSON_RULES,
  FormatBody,
  FormatFlag,
  FormatPart,
  FormatPiece,
  FormatRoute,
  FormatSlot,
} from '../generated/ops.js'
import { hasLineParams } from './template.js'
import type { Format, HeadPiece } from './types.js'

/** A marker's bytes, with what `{suffix}` and `{bars}` in it stand for. */
const bytesOf = (marker: string) =>
  encoder().encode(marker.replaceAll('{suffix}', '\u0001').replaceAll('{bars}', '\u0002'))

const SLOTS: Readonly<Record<string, number>> = {
  NAME: FormatSlot.Name,
  ID: FormatSlot.Id,
  KEY: FormatSlot.Key,
  TYPE: FormatSlot.Type,
  STRING: FormatSlot.IsString,
  INDEX: FormatSlot.Index,
}

/** The rules of JSON by which literals of Python are read. */
const PYTHON: readonly string[] = ['single-quotes', 'python-word', 'trailing-comma', 'raw-control']

/** Among the repairs of a row: nothing is repaired, not even what is repaired in all rows. */
export const NOTHING_REPAIRED = 'none'

const encoded = new WeakMap<Format, Uint8Array>()

/** The bytes of a row, which are made once. */
export function encodeFormat(format: Format): Uint8Array {
  let bytes = encoded.get(format)
  if (bytes === undefined) encoded.set(format, (bytes = encode(format)))
  return bytes
}

function encode(format: Format): Uint8Array {
  const row = laidOut(format)
  const { call, params, messages, reasoning, repairs = [], literals = [] } = row
  const bytes: number[] = []
  const part = (number: number, content: Iterable<number>) => {
    const all = [...content]
    bytes.push(number, all.length & 0xff, all.length >> 8, ...all)
  }
  for (const [number, markers] of markersOf(row))
    markers?.filter((marker) => marker !== '').forEach((marker) => part(number, bytesOf(marker)))
  if (call?.head !== undefined) part(FormatPart.CallHead, headOf(call.head))
  if (params?.head !== undefined) part(FormatPart.ParamHead, headOf(params.head))
  for (const { has = [], lacks = [], name = [], is = [], kind } of messages?.routes ?? []) {
    const items = [
      ...is.map((text) => item(FormatRoute.Is, text)),
      ...has.map((text) => item(FormatRoute.Has, text)),
      ...lacks.map((text) => item(FormatRoute.Lacks, text)),
      ...name.map((text) => item(FormatRoute.Name, text)),
    ]
    part(FormatPart.Route, [KIND[kind], items.length, ...items.flat()])
  }
  const isTree = call?.body === 'elements' && call.tolerant === true
  const body = call === undefined ? FormatBody.Nothing : isTree ? FormatBody.Tree : BODY[call.body]
  if (body === undefined) throw new TypeError(`there is no such body: ${String(call?.body)}`)
  part(FormatPart.Body, [body])
  const flags: ReturnType<typeof flagsOf> = [
    ...flagsOf(row),
    [
      FormatFlag.Pairs,
      reasoning !== undefined &&
        reasoning.label === undefined &&
        reasoning.open.length > 1 &&
        reasoning.open.length === reasoning.close.length,
    ],
    [FormatFlag.Strict, repairs.includes(NOTHING_REPAIRED)],
    [FormatFlag.LineParams, hasLineParams(params, row.write)],
  ]
  const set = flags.reduce((all, [flag, is]) => (is === true ? all | (1 << flag) : all), 0)
  part(FormatPart.Flags, wordOf(set))
  part(FormatPart.Value, [TRIM[params?.trim ?? 'none'], CLOSER[params?.closer ?? 'structure']])
  const rules = [
    ...repairs,
    ...(literals.includes('python') && (call?.body === 'json' || call?.orJson === true) ? PYTHON : []),
  ]
  const bits = (JSON_RULES as readonly string[]).reduce(
    (all, rule, at) => (rules.includes(rule) ? all | (1 << at) : all),
    0,
  )
  part(FormatPart.Rules, wordOf(bits))
  return Uint8Array.from(bytes)
}

/**
 * A row with all markers where the machine looks for them: openers of reasoning with their label, those of frames
 * around text among what is removed, and frames that are removed with one opener and one closer each.
 */
function laidOut(row: Format): Format {
  const { reasoning, answer = [], drop = [], skip = [] } = row
  const label = reasoning?.label
  return {
    ...row,
    ...(reasoning !== undefined &&
      label !== undefined && {
        reasoning: { ...reasoning, open: reasoning.open.flatMap((open) => [open, open + label]) },
      }),
    drop: [...answer.flatMap(({ open, close }) => [...open, ...close]), ...drop],
    skip: skip.flatMap(({ open, close }) => open.map((marker) => ({ open: [marker], close: [close[0] as string] }))),
  }
}

/** The four bytes of a set of bits. */
function wordOf(bits: number): number[] {
  return [0, 8, 16, 24].map((shift) => (bits >>> shift) & 0xff)
}

function item(number: number, text: string): number[] {
  const bytes = bytesOf(text)
  return [number, bytes.length, ...bytes]
}

function headOf(pieces: readonly HeadPiece[]): number[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return pieceOf(piece)
    if (Array.isArray(piece))
      return (piece as readonly string[]).flatMap((text, at) =>
        item(at === 0 ? FormatPiece.Literal : FormatPiece.Or, text),
      )
    if ('optional' in piece)
      return [...item(FormatPiece.Optional, ''), ...headOf(piece.optional), ...item(FormatPiece.OptionalEnd, '')]
    const { attributes, end } = piece as { readonly attributes: Readonly<Record<string, string>>; readonly end: string }
    const named = Object.entries(attributes).flatMap(([name, slot]) => {
      const bytes = encoder().encode(name)
      return [FormatPiece.Attribute, bytes.length + 1, SLOTS[slot] as number, ...bytes]
    })
    return [...item(FormatPiece.Attributes, end), ...named]
  })
}

function pieceOf(text: string): number[] {
  const slot = SLOTS[text]
  return slot === undefined ? item(FormatPiece.Literal, text) : [FormatPiece.Text, 1, slot]
}
