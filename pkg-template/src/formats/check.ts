// Says what is wrong with a format, by the path of its field: a table of fields, and
// then the rules about fields that can't work together.
//
// Source: spec/format.md, "The row".

import { describe } from '../errors.js'
import { JSON_RULES } from '../generated/ops.js'
import { isRecord } from '../own.js'
import { placeholdersOf } from './template.js'
import type { Format, HeadPiece } from './types.js'

/** Most bytes of a marker, and most markers of a list. */
const LONGEST_MARKER = 128
const MOST_MARKERS = 32
/** Most names of models. */
const MOST_MODELS = 64

/** Throws unless a value is as expected; `path` names it. */
type FieldCheck = (path: string, value: unknown) => void

const ID = /^[a-z0-9]+(?:[.:-][a-z0-9]+)*$/i
/** Pieces of a head that have a value. */
const CAPTURES = ['NAME', 'KEY', 'ID', 'INDEX', 'TYPE', 'STRING']

const flag: FieldCheck = (path, value) => {
  if (typeof value !== 'boolean') fail(path, 'true or false', value)
}

const text: FieldCheck = (path, value) => {
  if (typeof value !== 'string') fail(path, 'a string', value)
}

const marker: FieldCheck = (path, value) => {
  if (typeof value !== 'string' || value === '' || bytes(value) > LONGEST_MARKER)
    fail(path, `a marker of 1 to ${LONGEST_MARKER} bytes`, value)
}

const id: FieldCheck = (path, value) => {
  if (typeof value !== 'string' || !ID.test(value))
    fail(path, 'a name of letters, digits and single dots, colons or hyphens', value)
}

const texts = listOf(text, 0)
const markers = listOf(marker, 0)
const someMarkers = listOf(marker, 1)
/** `''` is a marker where it may be absent. */
const markersOrNone = listOf((path, value) => value === '' || marker(path, value), 0)
const someMarkersOrNone = listOf((path, value) => value === '' || marker(path, value), 1)
const keys = listOf(marker, 1)
const around: FieldCheck = (path, value) => {
  if (!Array.isArray(value) || value.length !== 2 || value.some((side) => typeof side !== 'string'))
    fail(path, 'two strings', value)
}

const piece: FieldCheck = (path, value) => {
  if (typeof value === 'string') {
    if (/^[A-Z]{2,}$/.test(value) && !CAPTURES.includes(value))
      fail(path, `a literal text or one of ${CAPTURES.slice(0, -1).join(', ')}`, value)
    marker(path, value)
  } else if (Array.isArray(value)) {
    someMarkersOrNone(path, value)
  } else if (isRecord(value) && 'attributes' in value) {
    attributes(path, value)
  } else if (isRecord(value) && 'optional' in value) {
    optional(path, value)
  } else {
    fail(path, 'a text, a list of texts, { attributes, end } or { optional }', value)
  }
}
const pieces = listOf(piece, 0)
const optional = object({ optional: listOf(piece, 1) }, ['optional'])
const attributes = object({ attributes: mapOf(word(CAPTURES), 0), end: marker, entities: flag }, ['attributes', 'end'])

const WRITING = {
  call: text,
  param: text,
  paramJoin: text,
  item: text,
  join: text,
  section: around,
  before: text,
  text: around,
  json: word(['spaced', 'compact', 'indent4']),
  values: word(['json', 'python', 'brace', 'elements']),
  id: text,
  firstIndex: (path, value) => {
    if (!Number.isInteger(value) || (value as number) < 0) fail(path, 'a whole number from 0', value)
  },
  result: text,
  resultJoin: text,
  results: around,
  role: text,
  tools: word(['json-lines', 'json-array']),
  reasoning: around,
  limits: texts,
} satisfies Record<keyof NonNullable<Format['write']>, FieldCheck>

/** Repairs of formats besides rules of JSON. */
const REPAIRS = [
  'extra-closer',
  'missing-angle',
  'line-name',
  'bare-name',
  'loose-tags',
  'element-params',
  'value-tag',
  'json-body',
  'yaml-elements',
  'plain-quotes',
  'end-closes',
  'open-params',
  'nameless-params',
  'message-text',
  'doubled-name',
  'unwrap-arguments',
  'drop-unknown',
  'raw-keys',
  'null-text',
  'drop-unsafe',
  'drop-unsafe-markup',
  'require-arguments',
]

const FORMAT = {
  id,
  title: text,
  models: listOf(marker, 0, MOST_MODELS),
  template: markers,
  source: text,
  sample: text,
  notes: texts,
  section: object({ open: someMarkers, close: markers, optional: flag }, ['open', 'close']),
  call: object(
    {
      open: markers,
      head: pieces,
      body: word(['json', 'keyed', 'args', 'params', 'elements', 'brace', 'python', 'yaml', 'text']),
      tolerant: flag,
      orJson: flag,
      close: markersOrNone,
      requireClose: flag,
      separator: markers,
      bare: word(['start', 'line', 'anywhere']),
      known: flag,
      fences: flag,
      quote: marker,
      texts: flag,
      names: object({ open: someMarkers, close: someMarkers }, ['open', 'close']),
    },
    ['body'],
  ),
  keys: object({ name: keys, args: keys, id: keys }, ['name', 'args']),
  params: object({
    open: someMarkers,
    head: pieces,
    close: someMarkers,
    trim: word(['none', 'line', 'all', 'block']),
    cdata: flag,
    entities: flag,
    closer: word(['structure', 'first', 'last']),
    duplicate: word(['last', 'list', 'reject']),
  }),
  elements: object({ prefix: marker }),
  typing: word(['schema', 'attribute', 'string']),
  literals: listOf(word(['json', 'python']), 1),
  untyped: word(['json']),
  ids: word(['text', 'none']),
  reasoning: object(
    {
      open: markers,
      close: someMarkers,
      label: marker,
      prefilled: word(['never', 'sometimes', 'always']),
      endsAtCall: flag,
      where: word(['line', 'anywhere']),
    },
    ['open', 'close'],
  ),
  answer: listOf(object({ open: someMarkers, close: markers }, ['open', 'close']), 1),
  drop: markers,
  turn: object({ end: markers, other: markers }),
  skip: listOf(object({ open: someMarkers, close: someMarkers }, ['open', 'close']), 1),
  citations: object({ open: marker, close: marker, end: marker }, ['open', 'close', 'end']),
  messages: object(
    {
      open: someMarkers,
      begins: markersOrNone,
      headEnd: someMarkers,
      close: markers,
      join: text,
      routes: listOf(
        object(
          {
            is: someMarkers,
            has: someMarkers,
            lacks: someMarkers,
            name: markersOrNone,
            kind: word(['call', 'calls', 'reasoning', 'text', 'drop']),
          },
          ['kind'],
        ),
        1,
      ),
    },
    ['open', 'headEnd', 'routes'],
  ),
  repairs: listOf(word([...REPAIRS, ...JSON_RULES]), 0),
  special: (path, value) => value === 'all' || markers(path, value),
  write: object(WRITING),
} satisfies Record<keyof Format, FieldCheck>

const format = object(FORMAT, ['id'])

/** Throws unless a value is a format; `place` is the function that was given it. @throws TypeError */
export function checkFormat(place: string, value: unknown): asserts value is Format {
  if (!isRecord(value)) throw new TypeError(`${place} takes a format, but got ${describe(value)}`)
  try {
    format('', value)
    checkTogether(value as unknown as Format)
  } catch (error) {
    if (error instanceof Misfit) throw new TypeError(`${place}: ${error.message}`)
    throw error
  }
}

/** What is wrong, without the function that was called. */
class Misfit extends Error {}

function fail(path: string, expected: string, value: unknown): never {
  throw new Misfit(`${path} must be ${expected}, but is ${describe(value)}`)
}

function refuse(path: string, why: string): never {
  throw new Misfit(`${path} ${why}`)
}

/** An object with these fields and no other, and some that it must have. */
function object(fields: Readonly<Record<string, FieldCheck>>, required: readonly string[] = []): FieldCheck {
  return (path, value) => {
    if (!isRecord(value)) return fail(path, 'an object', value)
    const inside = path === '' ? '' : `${path}.`
    for (const [key, field] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (check === undefined)
        return refuse(
          path === '' ? 'a format' : path,
          `has no field ${JSON.stringify(key)}; it has ${Object.keys(fields).join(', ')}`,
        )
      if (field !== undefined) check(inside + key, field)
    }
    for (const key of required) if (value[key] === undefined) fail(inside + key, 'given', undefined)
  }
}

function listOf(check: FieldCheck, least: number, most = MOST_MARKERS): FieldCheck {
  return (path, value) => {
    if (!Array.isArray(value)) return fail(path, 'a list', value)
    if (value.length < least || value.length > most)
      return refuse(path, `must have ${least} to ${most} items, but has ${value.length}`)
    for (const [at, item] of (value as unknown[]).entries()) check(`${path}[${at}]`, item)
  }
}

function mapOf(check: FieldCheck, least = 1): FieldCheck {
  return (path, value) => {
    if (!isRecord(value) || Object.keys(value).length < least)
      return fail(path, 'an object with at least one member', value)
    for (const [key, item] of Object.entries(value)) check(`${path}.${key}`, item)
  }
}

function word(words: readonly string[]): FieldCheck {
  return (path, value) => {
    if (!words.includes(value as string)) fail(path, words.map((one) => JSON.stringify(one)).join(' or '), value)
  }
}

function bytes(text: string): number {
  let count = 0
  for (const character of text) {
    const code = character.codePointAt(0) as number
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return count
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
