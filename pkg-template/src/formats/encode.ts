// Writes a row as the bytes that the machine reads: src/format/row.rs.
//
// Parts come one after another, in the order of their numbers: number, length in two
// bytes, content.

import { encoder } from '../platform.js'
import {
  JSON_RULES,
  FormatBody,
  FormatCloser,
  FormatFlag,
  FormatKind,
  FormatPart,
  FormatPiece,
  FormatRoute,
  FormatSlot,
  FormatTrim,
} from '../generated/ops.js'
import { hasLineParams } from './template.js'
import type { Format, HeadPiece } from './types.js'

/** A marker's bytes, with what `{suffix}` and `{bars}` in it stand for. */
const bytesOf = (marker: string) =>
  encoder().encode(marker.replaceAll('{suffix}', '\u0001').replaceAll('{bars}', '\u0002'))

const BODIES = {
  json: FormatBody.Json,
  keyed: FormatBody.Keyed,
  args: FormatBody.Args,
  params: FormatBody.Params,
  elements: FormatBody.Elements,
  brace: FormatBody.Brace,
  python: FormatBody.Python,
  yaml: FormatBody.Yaml,
  text: FormatBody.Text,
} as const
const TRIMS = { none: FormatTrim.Nothing, line: FormatTrim.Line, all: FormatTrim.All, block: FormatTrim.Block } as const
const CLOSERS = { structure: FormatCloser.Structure, first: FormatCloser.First, last: FormatCloser.Last } as const
const KINDS = {
  text: FormatKind.Text,
  reasoning: FormatKind.Reasoning,
  call: FormatKind.Call,
  calls: FormatKind.Calls,
  drop: FormatKind.Drop,
} as const
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

function encode({
  section,
  call,
  keys,
  params,
  elements,
  reasoning,
  answer,
  drop,
  skip,
  citations,
  messages,
  turn,
  repairs = [],
  literals = [],
  write,
}: Format): Uint8Array {
  const has = (repair: string) => repairs.includes(repair)
  const bytes: number[] = []
  const part = (number: number, content: Iterable<number>) => {
    const all = [...content]
    bytes.push(number, all.length & 0xff, all.length >> 8, ...all)
  }
  const list = (number: number, markers: readonly string[] | undefined) =>
    markers?.filter((marker) => marker !== '').forEach((marker) => part(number, bytesOf(marker)))
  list(FormatPart.SectionOpen, section?.open)
  list(FormatPart.SectionClose, section?.close)
  list(FormatPart.CallOpen, call?.open)
  list(FormatPart.CallClose, call?.close)
  list(FormatPart.Separator, call?.separator)
  list(FormatPart.NameKey, keys?.name)
  list(FormatPart.ArgsKey, keys?.args)
  list(FormatPart.IdKey, keys?.id)
  list(FormatPart.ParamOpen, params?.open)
  list(FormatPart.ParamClose, params?.close)
  const label = reasoning?.label
  list(
    FormatPart.ReasoningOpen,
    reasoning?.open.flatMap((open) => (label === undefined ? [open] : [open, open + label])),
  )
  list(FormatPart.ReasoningClose, reasoning?.close)
  list(FormatPart.Drop, [...(answer ?? []).flatMap(({ open, close }) => [...open, ...close]), ...(drop ?? [])])
  list(FormatPart.MessageOpen, messages?.open)
  const begins = messages?.begins?.filter((marker) => marker !== '')
  list(FormatPart.MessageBegin, begins)
  list(FormatPart.HeadEnd, messages?.headEnd)
  list(FormatPart.MessageClose, messages?.close)
  list(FormatPart.Quote, call?.quote === undefined ? undefined : [call.quote])
  list(FormatPart.Prefix, elements?.prefix === undefined ? undefined : [elements.prefix])
  const skipped = (skip ?? []).flatMap(({ open, close }) => open.map((marker) => [marker, close[0] as string] as const))
  list(
    FormatPart.SkipOpen,
    skipped.map(([open]) => open),
  )
  list(
    FormatPart.SkipClose,
    skipped.map(([, close]) => close),
  )
  if (citations !== undefined) {
    list(FormatPart.CiteOpen, [citations.open])
    list(FormatPart.CiteClose, [citations.close])
    list(FormatPart.CiteEnd, [citations.end])
  }
  list(FormatPart.NameOpen, call?.names?.open)
  list(FormatPart.NameClose, call?.names?.close)
  list(FormatPart.TurnEnd, turn?.end)
  list(FormatPart.OtherTurn, turn?.other)
  if (call?.head !== undefined) part(FormatPart.CallHead, headOf(call.head))
  if (params?.head !== undefined) part(FormatPart.ParamHead, headOf(params.head))
  for (const { has: some = [], lacks = [], name = [], is = [], kind } of messages?.routes ?? []) {
    const items = [
      ...is.map((text) => item(FormatRoute.Is, text)),
      ...some.map((text) => item(FormatRoute.Has, text)),
      ...lacks.map((text) => item(FormatRoute.Lacks, text)),
      ...name.map((text) => item(FormatRoute.Name, text)),
    ]
    part(FormatPart.Route, [KINDS[kind], items.length, ...items.flat()])
  }
  const isTree = call?.body === 'elements' && call.tolerant === true
  const body = call === undefined ? FormatBody.Nothing : isTree ? FormatBody.Tree : BODIES[call.body]
  if (body === undefined) throw new TypeError(`there is no such body: ${String(call?.body)}`)
  part(FormatPart.Body, [body])
  const flags: ReadonlyArray<readonly [number, boolean | undefined]> = [
    [FormatFlag.SectionOptional, section?.optional],
    [FormatFlag.BareAtStart, call?.bare === 'start'],
    [FormatFlag.BareAnywhere, call?.bare === 'anywhere'],
    [FormatFlag.BareOnLine, call?.bare === 'line'],
    [FormatFlag.RequireClose, call?.requireClose],
    [FormatFlag.EndsAtCall, reasoning?.endsAtCall],
    [FormatFlag.Anywhere, reasoning?.where === 'anywhere'],
    [FormatFlag.CData, params?.cdata],
    [FormatFlag.Entities, params?.entities],
    [
      FormatFlag.Pairs,
      reasoning !== undefined &&
        label === undefined &&
        reasoning.open.length > 1 &&
        reasoning.open.length === reasoning.close.length,
    ],
    [FormatFlag.Texts, call?.texts],
    [FormatFlag.HeaderAtStart, messages?.begins?.includes('')],
    [FormatFlag.CloseOptional, call?.close?.includes('')],
    [FormatFlag.OrJson, call?.orJson],
    [FormatFlag.NamelessParams, has('nameless-params')],
    [FormatFlag.OpenParams, has('open-params')],
    [FormatFlag.LooseTags, has('loose-tags')],
    [FormatFlag.ElementParams, has('element-params')],
    [FormatFlag.MissingAngle, has('missing-angle')],
    [
      FormatFlag.AsksWhole,
      ['drop-unknown', 'drop-unsafe', 'require-arguments', 'unwrap-arguments'].some(has) ||
        params?.duplicate === 'reject',
    ],
    [FormatFlag.ExtraCloser, has('extra-closer')],
    [FormatFlag.JsonBody, has('json-body')],
    [FormatFlag.BareName, has('bare-name')],
    [FormatFlag.PlainQuotes, has('plain-quotes')],
    [FormatFlag.Strict, has(NOTHING_REPAIRED)],
    [FormatFlag.MessageText, has('message-text')],
    [FormatFlag.YamlElements, has('yaml-elements')],
    [FormatFlag.Fences, call?.fences],
    [FormatFlag.LineNames, has('line-name')],
    [FormatFlag.LineParams, hasLineParams(params, write)],
    [FormatFlag.Tolerant, call?.tolerant],
  ]
  const set = flags.reduce((all, [flag, is]) => (is === true ? all | (1 << flag) : all), 0)
  part(FormatPart.Flags, wordOf(set))
  part(FormatPart.Value, [TRIMS[params?.trim ?? 'none'], CLOSERS[params?.closer ?? 'structure']])
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
