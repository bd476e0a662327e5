// Says what is wrong with a format, by the path of its field: each field alone, and
// then the rules about fields that can't work together.
//
// Source: spec/format.md, "The row".

import { describe } from '../errors.js'
import { Format as fields } from '../generated/format-check.js'
import { isRecord } from '../own.js'
import { CAPTURES, Misfit, refuse } from './kinds.js'
import { placeholdersOf } from './template.js'
import type { Format, HeadPiece } from './types.js'

/** Throws unless a value is a format; `place` is the function that was given it. @throws TypeError */
export function checkFormat(place: string, value: unknown): asserts value is Format {
  if (!isRecord(value)) throw new TypeError(`${place} takes a format, but got ${describe(value)}`)
  try {
    fields('', value)
    checkTogether(value as unknown as Format)
  } catch (error) {
    if (error instanceof Misfit) throw new TypeError(`${place}: ${error.message}`)
    throw error
  }
}

/** Fields that need others, and fields that exclude others. */
function checkTogether(row: Format): void {
  const { call, keys, params, elements, messages, reasoning, section, typing, write } = row
  checkHead('call.head', call?.head, ['NAME', 'ID', 'INDEX', 'TYPE'])
  checkHead('params.head', params?.head, ['KEY', 'TYPE', 'STRING'])
  if (call === undefined) {
    for (const field of ['section', 'keys', 'params', 'elements', 'typing', 'literals'] as const)
      if (row[field] !== undefined) refuse(field, 'needs `call`, which says how a call is written')
  } else {
    checkCall(row, call)
    if (call.tolerant === true) checkTolerant(row, call)
  }
  const body = call?.body
  if (keys !== undefined && body !== 'json' && call?.orJson !== true)
    refuse('keys', `is for the body "json", but call.body is ${describe(body)}`)
  if (elements !== undefined && body !== 'elements' && body !== 'yaml')
    refuse('elements', `is for the bodies "elements" and "yaml", but call.body is ${describe(body)}`)
  if (params !== undefined) checkParams(params, body)
  if (typing === 'attribute' && !hasAny(params?.head, ['TYPE', 'STRING']))
    refuse('typing', 'is "attribute", but params.head has neither TYPE nor STRING')
  if (reasoning !== undefined && reasoning.open.length === 0 && reasoning.prefilled !== 'always')
    refuse('reasoning.open', 'must have a marker unless reasoning.prefilled is "always"')
  const openers = new Set([...(section?.open ?? []), ...(call?.open ?? [])])
  for (const [at, marker] of (reasoning?.open ?? []).entries())
    if (openers.has(marker)) refuse(`reasoning.open[${at}]`, `opens a call too: ${JSON.stringify(marker)}`)
  checkReachable(row)
  if (messages !== undefined) checkRoutes(messages, call)
  if (write !== undefined) checkWriting(write, call)
}

/** Markers that are never found, or that say two things. */
function checkReachable({ call, keys, params, reasoning, section, messages }: Format): void {
  const isEnd = call?.requireClose === true && call.body !== 'text'
  // White space before these is layout, which is passed over first. Alone it may be all that there is.
  refuseSpace('call.close', call?.close, isEnd)
  refuseSpace('call.separator', call?.separator, false)
  refuseSpace('params.open', params?.open, true)
  if (params?.trim !== undefined && params.trim !== 'none') refuseSpace('params.close', params.close, true)
  refuseShared('keys.args', keys?.args, keys?.name, 'is a key of the name too')
  refuseShared(
    'keys.id',
    keys?.id,
    [...(keys?.name ?? []), ...(keys?.args ?? [])],
    'is a key of the name or the arguments too',
  )
  refuseShared('section.close', section?.close, section?.open, 'opens the section too')
  refuseShared('section.close', section?.close, call?.open, 'opens a call too')
  refuseShared('params.open', params?.open, call?.close, 'closes the call too')
  refuseShared('reasoning.close', reasoning?.close, reasoning?.open, 'opens the reasoning too')
  refuseShared('messages.open', messages?.open, call?.open, 'opens a call too')
  if (call === undefined) return
  const { body, head = [], open = [] } = call
  const isNamed = body === 'json' || body === 'keyed' || body === 'python'
  if (isNamed && hasAny(head, ['NAME'])) refuse('call.head', `has NAME, but the body "${body}" has the name itself`)
  if (!['json', 'keyed', 'args', 'brace'].includes(body)) return
  const last = head.at(-1)
  const before =
    last === undefined
      ? open
      : typeof last === 'string'
        ? [last]
        : Array.isArray(last)
          ? (last as readonly string[])
          : []
  const at = before.findIndex((marker) => marker.endsWith('{'))
  if (at !== -1)
    refuse(
      last === undefined ? `call.open[${at}]` : `call.head[${head.length - 1}]`,
      `ends in "{", with which the body "${body}" begins: leave it out`,
    )
}

/** Throws for a marker that begins with white space; for one that is nothing else, if `evenAlone`. */
function refuseSpace(path: string, markers: readonly string[] | undefined, evenAlone: boolean): void {
  const at = (markers ?? []).findIndex((marker) => /^\s/.test(marker) && (evenAlone || marker.trim() !== ''))
  if (at !== -1)
    refuse(
      `${path}[${at}]`,
      `begins with white space, which is passed over before it, so that it is never found: ${describe(markers?.[at])}`,
    )
}

function refuseShared(
  path: string,
  markers: readonly string[] | undefined,
  others: readonly string[] | undefined,
  why: string,
): void {
  const at = (markers ?? []).findIndex((marker) => others?.includes(marker) === true)
  if (at !== -1) refuse(`${path}[${at}]`, `${why}: ${describe(markers?.[at])}`)
}

function checkCall({ keys, params, messages, section }: Format, call: NonNullable<Format['call']>): void {
  const { open = [], bare, body, quote, head, close = [] } = call
  const hasOwnTag = body === 'elements' || body === 'yaml'
  const isRouted = messages?.routes.some(({ kind }) => kind === 'call') === true
  if (open.length === 0 && bare === undefined && !hasOwnTag && !isRouted && section === undefined)
    refuse('call.open', 'must have a marker, unless `bare` says where a call stands without one')
  if (open.length === 0 && head !== undefined && head.length > 0 && !isRouted && typeof head[0] !== 'string')
    refuse('call.head', 'needs `call.open`, which it follows')
  if (call.requireClose === true && close.length === 0) refuse('call.requireClose', 'needs a marker in `call.close`')
  if (body === 'json' && keys === undefined && call.tolerant !== true)
    refuse('keys', 'must be given for the body "json"')
  if (body === 'params' && (params?.open === undefined || params.close === undefined))
    refuse('params', 'must have `open` and `close` for the body "params"')
  if (body === 'brace' && quote === undefined) refuse('call.quote', 'must be given for the body "brace"')
  if (body !== 'brace' && (quote !== undefined || call.texts !== undefined))
    refuse(
      quote === undefined ? 'call.texts' : 'call.quote',
      `is for the body "brace", but call.body is ${describe(body)}`,
    )
  const isNamed = hasAny(head, ['NAME']) || messages?.routes.some(({ name }) => name !== undefined) === true
  const needsName =
    body === 'args' || body === 'text' || body === 'params' || body === 'brace' || (hasOwnTag && open.length > 0)
  if (needsName && !isNamed) refuse('call.head', `must have NAME for the body "${body}"`)
  if (bare === 'line' && body !== 'python' && body !== 'args') {
    refuse('call.bare', `is "line", which is for the bodies "python" and "args", but call.body is ${describe(body)}`)
  }
  if (bare === 'anywhere' && body === 'args' && open.length === 0)
    refuse('call.bare', 'is "anywhere", but a call of this body is found by `call.open`')
}

/** A call that is read with all repairs has one way to be written. */
function checkTolerant(row: Format, call: NonNullable<Format['call']>): void {
  const { body, open = [], close = [] } = call
  if (body !== 'json' && body !== 'elements')
    refuse('call.tolerant', `is for the bodies "json" and "elements", but call.body is ${describe(body)}`)
  const most = body === 'json' ? 1 : 0
  for (const [field, markers] of [
    ['open', open],
    ['close', close],
  ] as const) {
    if (markers.length !== most || markers.includes(''))
      refuse(
        `call.${field}`,
        most === 1
          ? 'must have one marker, as `call.tolerant` is true'
          : 'must be absent, as `call.tolerant` is true and the tag is the name of the tool',
      )
  }
  for (const field of ['section', 'keys', 'params', 'elements', 'messages', 'typing', 'literals'] as const)
    if (row[field] !== undefined) refuse(field, 'must be absent, as `call.tolerant` is true')
  for (const field of ['head', 'orJson', 'requireClose', 'separator', 'bare'] as const)
    if (call[field] !== undefined) refuse(`call.${field}`, 'must be absent, as `call.tolerant` is true')
}

function checkParams(params: NonNullable<Format['params']>, body: string | undefined): void {
  if (body !== 'params' && body !== 'elements' && body !== 'yaml')
    refuse('params', `is for the bodies "params", "elements" and "yaml", but call.body is ${describe(body)}`)
  if (body !== 'params') {
    for (const field of ['open', 'head', 'close'] as const)
      if (params[field] !== undefined) refuse(`params.${field}`, `is for the body "params", but call.body is "${body}"`)
  } else if (!hasAny(params.head, ['KEY'])) {
    refuse('params.head', 'must have KEY')
  }
}

/** Pieces in an order that can be read: something known stands between two that are not. */
function checkHead(path: string, head: readonly HeadPiece[] | undefined, allowed: readonly string[]): void {
  const seen = new Set<string>()
  let before: string | undefined
  for (const [at, piece] of (head ?? []).entries()) {
    const captures = capturesOf(piece)
    for (const capture of captures) {
      if (!allowed.includes(capture))
        refuse(`${path}[${at}]`, `has ${capture}, but only ${allowed.join(', ')} may be here`)
      if (seen.has(capture)) refuse(`${path}[${at}]`, `has ${capture} a second time`)
      seen.add(capture)
    }
    if (typeof piece === 'string' && captures.length === 1) {
      if (before !== undefined)
        refuse(`${path}[${at}]`, `follows ${before} directly, so that nothing says where that ends`)
      before = piece
    } else if (
      typeof piece === 'object' &&
      'optional' in piece &&
      before !== undefined &&
      capturesOf(piece.optional[0]).length > 0
    ) {
      refuse(`${path}[${at}]`, `follows ${before} directly, so that nothing says where that ends`)
    } else {
      before = undefined
    }
  }
}

function checkRoutes({ routes }: NonNullable<Format['messages']>, call: Format['call']): void {
  for (const [at, { kind, name }] of routes.entries()) {
    const path = `messages.routes[${at}]`
    if ((kind === 'call' || kind === 'calls') && call === undefined)
      refuse(`${path}.kind`, `is "${kind}", which needs \`call\``)
    if (name !== undefined && kind !== 'call')
      refuse(`${path}.name`, `is for the kind "call", but the kind is "${kind}"`)
    if (kind === 'call' && name === undefined && call?.body === 'args' && !hasAny(call.head, ['NAME']))
      refuse(`${path}.name`, 'must say what the tool\'s name follows, as the body "args" has no name')
  }
}

function checkWriting(write: NonNullable<Format['write']>, call: Format['call']): void {
  const templates = { call: write.call, item: write.item, param: write.param, result: write.result, id: write.id }
  for (const [field, template] of Object.entries(templates)) {
    if (template === undefined) continue
    for (const name of placeholdersOf(template)) {
      const known: readonly string[] = PLACEHOLDERS[field as keyof typeof PLACEHOLDERS]
      if (!known.includes(name))
        refuse(`write.${field}`, `has {${name}}, but only ${known.map((one) => `{${one}}`).join(', ')} may be here`)
    }
  }
  const used = placeholdersOf(`${write.call ?? ''}${write.item ?? ''}`)
  if (write.call !== undefined && call === undefined)
    refuse('write.call', 'needs `call`, which says how a call is written')
  if (used.includes('params') && write.param === undefined) refuse('write.param', 'must be given for {params}')
  if ((used.includes('items') || used.includes('array')) && write.item === undefined)
    refuse('write.item', 'must be given for {items} and {array}')
}

/** What templates may have. */
const PLACEHOLDERS = {
  call: ['name', 'args', 'yaml', 'id', 'index', 'params', 'items', 'array'],
  item: ['name', 'args', 'id', 'index', 'params'],
  param: ['key', 'value', 'type', 'string'],
  result: ['name', 'id', 'index', 'result'],
  id: ['name', 'index'],
} as const satisfies Record<string, readonly string[]>

/** The captures of a piece, in order. */
export function capturesOf(piece: HeadPiece | undefined): readonly string[] {
  if (piece === undefined) return []
  if (typeof piece === 'string') return CAPTURES.includes(piece) ? [piece] : []
  if (!('attributes' in piece) && !('optional' in piece)) return []
  return 'attributes' in piece ? Object.values(piece.attributes) : piece.optional.flatMap(capturesOf)
}

function hasAny(head: readonly HeadPiece[] | undefined, captures: readonly string[]): boolean {
  return (head ?? []).flatMap(capturesOf).some((capture) => captures.includes(capture))
}
