// Hugging Face's `response_template`, which a checkpoint brings along, as a format.
//
//     { fields: { thinking: { open, close }, content: { … }, tool_calls: { open_pattern, content: 'json', transform } }
// }
//
// Source: facts/formats-json.md, 5; transformers 5.23.0, utils/chat_parsing.
// Differences: a payload ends where it ends, not at the first closing marker in it; text
// outside of all regions stays; a second region is added to the first, also without
// `repeats`. Anchors are about the prompt, which `prefill` is for.

import { describe } from '../errors.js'
import { checkOptions, elsewhere } from '../options.js'
import { isRecord } from '../own.js'
import { defineFormat } from './define.js'
import { type PatternPiece, readPattern } from './pattern.js'
import type { Format, FormatRow, HeadPiece } from './types.js'

type Fields = Readonly<Record<string, unknown>>

/** The keys that a template, and a field of it, may have. */
const TEMPLATE_KEYS = ['version', 'defaults', 'fields', 'start_anchor', 'start_anchor_pattern']
const FIELD_KEYS = [
  'open',
  'open_pattern',
  'close',
  'close_pattern',
  'content',
  'content_args',
  'repeats',
  'join',
  'optional',
  'transform',
  'transform_each',
]
/** What a checkpoint may call its thinking. */
const THINKING = ['thinking', 'reasoning_content', 'reasoning']
const FIELD_NAMES = [...THINKING, 'content', 'tool_calls']

/**
 * Makes a format of a `response_template` of Hugging Face, as newer checkpoints have it in their tokenizer's
 * configuration. It has `thinking`, `content` and `tool_calls`; a payload is JSON, JSON with bare keys, or tagged
 * values.
 *
 * Markers are literal texts; a pattern may also have white space and named groups, whose text is a run of characters.
 *
 * @param template The template, or its JSON text.
 * @param options `id` names the format, `response-template` by default.
 * @throws TypeError for anything else. It names the field: `fields.tool_calls.open_pattern`.
 * @example
 * ```ts
 * import { fromResponseTemplate } from 'tokenweir/formats'
 *
 * const format = fromResponseTemplate({
 *   fields: {
 *     thinking: { open: '<think>', close: '</think>', content: 'text' },
 *     tool_calls: {
 *       open_pattern: '<call:(?P<name>\\w+)>',
 *       close: '</call>',
 *       repeats: true,
 *       content: 'json',
 *       transform: { type: 'function', function: { name: '{name}', arguments: '{content}' } },
 *     },
 *     content: { close: '<eos>', content: 'text' },
 *   },
 * })
 * console.log(format.call?.open, format.call?.head) // [ '<call:' ] [ 'NAME', '>' ]
 * ```
 */
export function fromResponseTemplate(
  template: unknown,
  options: {
    /** Names the format. */
    readonly id?: string
  } = {},
): Format {
  checkOptions('fromResponseTemplate', options, { id: [elsewhere] })
  const given = typeof template === 'string' ? parsed(template) : template
  const root = record('', given, TEMPLATE_KEYS)
  if (root['version'] !== undefined && root['version'] !== 1)
    refuse('version', `must be 1, but is ${describe(root['version'])}`)
  if (root['start_anchor'] !== undefined && root['start_anchor_pattern'] !== undefined)
    refuse('start_anchor_pattern', 'excludes start_anchor')
  const fields = record('fields', root['fields'], FIELD_NAMES)
  const read = Object.fromEntries(
    FIELD_NAMES.map((name) => [
      name,
      fields[name] === undefined ? undefined : record(`fields.${name}`, fields[name], FIELD_KEYS),
    ]),
  )
  const { content, tool_calls: calls } = read
  const [name = 'thinking', other] = THINKING.filter((name) => read[name] !== undefined)
  if (other !== undefined) refuse(`fields.${other}`, `excludes ${name}`)
  const thinking = read[name]
  const id = options.id ?? 'response-template'
  const routed = calls === undefined ? undefined : routedRow(root, calls, thinking, content)
  return defineFormat({
    id,
    title: id,
    ...(routed ?? merged(reasoningRow(`fields.${name}`, thinking), contentRow(content), callRow(calls))),
  })
}

type Row = Omit<FormatRow, 'id'>

function merged(...rows: readonly Row[]): Row {
  const drop = rows.flatMap((row) => row.drop ?? [])
  return Object.assign({}, ...rows, drop.length === 0 ? {} : { drop }) as Row
}

/** `thinking`. Without a marker that opens it, a reply begins inside it. */
function reasoningRow(path: string, field: Fields | undefined): Row {
  if (field === undefined) return {}
  isText(path, field)
  const open = opensOf(path, field)
  const close = closesOf(path, field)
  if (close.length === 0) refuse(`${path}.close`, 'must be given')
  return { reasoning: { open, close, prefilled: open.length === 0 ? 'always' : 'sometimes', where: 'anywhere' } }
}

/** `content`: frames around text; without a marker that opens it, markers that end it. */
function contentRow(field: Fields | undefined): Row {
  if (field === undefined) return {}
  isText('fields.content', field)
  const open = opensOf('fields.content', field)
  const close = closesOf('fields.content', field)
  if (open.length > 0) return { answer: [{ open, close }] }
  return close.length === 0 ? {} : { drop: close }
}

function callRow(field: Fields | undefined): Row {
  if (field === undefined) return {}
  const path = 'fields.tool_calls'
  const { open, rest } = openingOf(path, field)
  const close = closesOf(path, field)
  const { name, args, id } = transformOf(path, field, groupsOf(rest))
  const head = rest
    .map((piece) => headPiece(path, piece, { NAME: name.group, ID: id?.group }))
    .filter((piece) => piece !== undefined)
  const call = { open: [open].flat(), ...(close.length === 0 ? {} : { close }), ...(head.length === 0 ? {} : { head }) }
  if (name.group === undefined) {
    if (field['content'] !== 'json')
      refuse(`${path}.content`, `must be "json" where the name is in the payload, but is ${describe(field['content'])}`)
    if (args.key === undefined)
      refuse(`${path}.transform`, 'takes the name from the payload, so that the arguments must be a member of it')
    json(path, field, false)
    return {
      call: { ...call, body: 'json' },
      keys: {
        name: [name.key as string],
        args: [args.key as string],
        ...(id?.key === undefined ? {} : { id: [id.key] }),
      },
    }
  }
  if (args.key !== undefined || id?.key !== undefined)
    refuse(`${path}.transform`, 'takes the name from the marker, so that the arguments must be "{content}"')
  if (field['content'] === 'xml-inline') {
    // `<tool_call><function=f>…</function></tool_call>`: what the marker opens besides may be closed first.
    const inner = rest
      .map((piece) => (piece.kind === 'text' ? /<([\w-]+)[^<>]*$/.exec(piece.text)?.[1] : undefined))
      .find((name) => name !== undefined)
    const isNested = inner !== undefined && close.length > 0 && !close.includes(`</${inner}>`)
    const nested = isNested ? { close: [`</${inner}>`, ...close] } : {}
    return {
      ...inlineRow(path, field),
      call: { ...call, ...nested, body: 'params' },
      ...(isNested ? { drop: close } : {}),
    }
  }
  if (field['content'] !== 'json')
    refuse(`${path}.content`, `must be "json" or "xml-inline", but is ${describe(field['content'])}`)
  const quote = json(path, field, true)
  return { call: { ...call, ...(quote === undefined ? { body: 'args' as const } : { body: 'brace' as const, quote }) } }
}

/** What opens a call, and the rest of the pattern. */
function openingOf(
  path: string,
  field: Fields,
): { readonly open: string | readonly string[]; readonly rest: readonly PatternPiece[] } {
  if (field['open_pattern'] === undefined) {
    const open = opensOf(path, field)
    if (open.length === 0) refuse(`${path}.open`, 'must be given')
    return { open, rest: [] }
  }
  if (field['open'] !== undefined) refuse(`${path}.open_pattern`, 'excludes open')
  const [first, ...rest] = patternOf(`${path}.open_pattern`, field['open_pattern'])
  if (first?.kind !== 'text') return refuse(`${path}.open_pattern`, 'must begin with a literal text')
  return { open: first.text, rest }
}

/** A piece of a pattern in a head. White space between markers is passed over anyway. */
function headPiece(
  path: string,
  piece: PatternPiece,
  groups: Readonly<Record<string, string | undefined>>,
): HeadPiece | undefined {
  if (piece.kind === 'space') return undefined
  if (piece.kind === 'text') return piece.text
  const capture =
    piece.kind === 'group' ? Object.entries(groups).find(([, group]) => group === piece.name)?.[0] : undefined
  return (
    capture ??
    refuse(
      `${path}.open_pattern`,
      piece.kind === 'group'
        ? `has the group ${piece.name}, which the transform doesn't use as name or id`
        : "passes over any text, which a head can't",
    )
  )
}

/** Tagged values: a pattern with the groups `key` and `value`. */
function inlineRow(path: string, field: Fields): Row {
  const at = `${path}.content_args`
  const args = record(at, field['content_args'], ['tag_pattern', 'value_parser', 'merge_duplicates'])
  const pieces = patternOf(`${at}.tag_pattern`, args['tag_pattern'])
  const isGroup = (piece: PatternPiece, name: string) => piece.kind === 'group' && piece.name === name
  const key = pieces.findIndex((piece) => isGroup(piece, 'key'))
  const value = pieces.findIndex((piece) => isGroup(piece, 'value'))
  const spaces = pieces.filter((piece, index) => piece.kind === 'space' && Math.abs(index - value) === 1)
  const texts = (from: number, to: number) =>
    pieces
      .slice(from, to)
      .filter((piece) => piece.kind === 'text')
      .map(({ text }) => text)
  const [open, ...between] = texts(0, key)
  const close = texts(value + 1, pieces.length)
  const isWrong =
    key < 1 ||
    value < key + 2 ||
    open === undefined ||
    between.length > 0 ||
    close.length !== 1 ||
    groupsOf(pieces).length !== 2 ||
    pieces.some(({ kind }) => kind === 'gap')
  if (isWrong || open === undefined)
    refuse(
      `${at}.tag_pattern`,
      'must be a literal text, the group key, a literal text, the group value and a literal text',
    )
  const given = args['value_parser'] ?? 'text'
  const parser = isRecord(given) ? given['name'] : given
  if (parser !== 'text' && parser !== 'json')
    refuse(`${at}.value_parser`, `must be "text" or "json", or have it as its name, but is ${describe(given)}`)
  const trim =
    spaces.length === 0
      ? {}
      : { trim: spaces.every((piece) => piece.kind === 'space' && piece.isLine) ? ('line' as const) : ('all' as const) }
  const duplicate = args['merge_duplicates'] === true ? { duplicate: 'list' as const } : {}
  return {
    params: { open: [open as string], head: ['KEY', ...texts(key + 1, value)], close, ...trim, ...duplicate },
    ...(parser === 'json' ? { untyped: 'json' as const } : {}),
  }
}

/**
 * Where a value of a call comes from: a group of the marker, or a member of the payload; neither is the whole payload.
 */
interface Place {
  readonly group?: string
  readonly key?: string
}

/** `transform`: `{ type, id, function: { name, arguments } }`, or these without `function`. */
function transformOf(
  path: string,
  field: Fields,
  groups: readonly string[],
): { readonly name: Place; readonly args: Place; readonly id: Place | undefined } {
  const at = `${path}.transform`
  const isEach = field['transform_each'] === true
  if (field['transform'] === undefined) {
    if (groups.length > 0) refuse(at, 'must be given, as the marker has groups')
    return { name: { key: 'name' }, args: { key: 'arguments' }, id: undefined }
  }
  // As a whole, the payload is a function, with a name and arguments.
  const partsOf = (where: string, given: unknown, keys: readonly string[]) =>
    given === '{content}' ? { name: '{content.name}', arguments: '{content.arguments}' } : record(where, given, keys)
  const outer: Fields = partsOf(at, field['transform'], ['type', 'id', 'function', 'name', 'arguments'])
  const inFunction = outer['function'] !== undefined
  const inner: Fields = inFunction ? partsOf(`${at}.function`, outer['function'], ['name', 'arguments']) : outer
  const place = (where: string, value: unknown): Place => {
    const path = /^\{([\w.-]+)\}$/.exec(typeof value === 'string' ? value : '')?.[1]
    if (path === undefined) return refuse(where, `must be one placeholder like "{name}", but is ${describe(value)}`)
    if (groups.includes(path)) return { group: path }
    if (path === 'content' && !isEach) return {}
    const key = isEach ? path : /^content\.([^.]+)$/.exec(path)?.[1]
    if (key === undefined || key.includes('.'))
      return refuse(where, `has {${path}}, which is neither a group of the marker nor a member of the payload`)
    return { key }
  }
  const inside = inFunction ? `${at}.function` : at
  const name = place(`${inside}.name`, inner['name'])
  if (name.group === undefined && name.key === undefined) refuse(`${inside}.name`, 'is the whole payload')
  return {
    name,
    args: place(`${inside}.arguments`, inner['arguments']),
    id: outer['id'] === undefined ? undefined : place(`${at}.id`, outer['id']),
  }
}

/**
 * Messages with headers, as gpt-oss has them: what opens a call passes over any text up to what ends a header, and all
 * other fields end with that, too.
 */
function routedRow(
  root: Fields,
  calls: Fields,
  thinking: Fields | undefined,
  content: Fields | undefined,
): Row | undefined {
  const path = 'fields.tool_calls'
  const pattern = calls['open_pattern']
  const pieces = typeof pattern === 'string' ? (readPattern(pattern) ?? []) : []
  const [first, group, gap, end] = pieces
  if (!pieces.some(({ kind }) => kind === 'gap')) return undefined
  if (
    pieces.length !== 4 ||
    first?.kind !== 'text' ||
    group?.kind !== 'group' ||
    gap?.kind !== 'gap' ||
    end?.kind !== 'text'
  )
    return refuse(
      `${path}.open_pattern`,
      'passes over any text, which only a header of a literal text, a name, any text and a literal text may',
    )
  const open = list('start_anchor', root['start_anchor'])
  if (open.length === 0) refuse('start_anchor', 'must be a literal text where fields are messages with headers')
  const { name, args } = transformOf(path, calls, [group.name])
  if (name.group === undefined || args.key !== undefined || calls['content'] !== 'json')
    refuse(`${path}.transform`, 'must take the name from the header, and the arguments from the payload as a whole')
  json(path, calls, false)
  const others = [['thinking', 'reasoning', thinking] as const, ['content', 'text', content] as const].flatMap(
    ([at, kind, field]) =>
      field === undefined ? [] : opensOf(`fields.${at}`, field).map((marker) => ({ at, kind, marker })),
  )
  for (const { at, marker } of others)
    if (!marker.endsWith(end.text))
      refuse(`fields.${at}.open`, `must end with ${JSON.stringify(end.text)}, as the marker of tool_calls does`)
  const begins = others.reduce((prefix, { marker }) => common(prefix, marker), first.text)
  if (begins === '') refuse(`${path}.open_pattern`, 'must begin as the markers of the other fields do')
  const close = [
    ...new Set(
      [['tool_calls', calls] as const, ['thinking', thinking] as const, ['content', content] as const].flatMap(
        ([at, field]) => (field === undefined ? [] : closesOf(`fields.${at}`, field)),
      ),
    ),
  ]
  const routes = [
    { has: [first.text], name: [first.text], kind: 'call' as const },
    ...others.map(({ kind, marker }) => ({ has: [marker], kind })),
  ]
  return { call: { body: 'args' }, messages: { open, begins: [begins], headEnd: [end.text], close, routes } }
}

/** JSON, or with bare keys and quotes of its own, if it may; the quote of such. */
function json(path: string, field: Fields, mayBeBare: boolean): string | undefined {
  const at = `${path}.content_args`
  if (field['content_args'] === undefined) return undefined
  const args = record(at, field['content_args'], ['unquoted_keys', 'string_delims', 'allow_non_json'])
  if (args['allow_non_json'] === true) refuse(`${at}.allow_non_json`, "must be false: what isn't JSON is text")
  if (args['unquoted_keys'] !== true && args['string_delims'] === undefined) return undefined
  if (!mayBeBare) refuse(`${at}.unquoted_keys`, 'is only for arguments whose name is in the marker')
  const delims = args['string_delims']
  const [pair] = Array.isArray(delims) && delims.length === 1 ? (delims as unknown[]) : []
  if (
    args['unquoted_keys'] !== true ||
    !Array.isArray(pair) ||
    pair.length !== 2 ||
    typeof pair[0] !== 'string' ||
    pair[0] !== pair[1]
  )
    return refuse(`${at}.string_delims`, 'must be one pair of the same marker, with unquoted_keys')
  return pair[0]
}

function isText(path: string, field: Fields): void {
  const { content = 'text' } = field
  if (content !== 'text') refuse(`${path}.content`, `must be "text", but is ${describe(content)}`)
  for (const key of ['transform', 'transform_each'] as const)
    if (field[key] !== undefined) refuse(`${path}.${key}`, 'is only for tool_calls')
}

function opensOf(path: string, field: Fields): readonly string[] {
  if (field['open'] !== undefined && field['open_pattern'] !== undefined)
    refuse(`${path}.open_pattern`, 'excludes open')
  return field['open_pattern'] === undefined
    ? list(`${path}.open`, field['open'])
    : [literal(`${path}.open_pattern`, field['open_pattern'])]
}

function closesOf(path: string, field: Fields): readonly string[] {
  if (field['close'] !== undefined && field['close_pattern'] !== undefined)
    refuse(`${path}.close_pattern`, 'excludes close')
  return field['close_pattern'] === undefined
    ? list(`${path}.close`, field['close'])
    : [literal(`${path}.close_pattern`, field['close_pattern'])]
}

/** A pattern of one literal text, next to which white space may stand. */
function literal(path: string, pattern: unknown): string {
  const pieces = patternOf(path, pattern).filter(({ kind }) => kind !== 'space')
  const [first] = pieces
  return pieces.length === 1 && first?.kind === 'text' ? first.text : refuse(path, 'must be a literal text')
}

function patternOf(path: string, pattern: unknown): readonly PatternPiece[] {
  if (typeof pattern !== 'string') return refuse(path, `must be a string, but is ${describe(pattern)}`)
  return (
    readPattern(pattern) ??
    refuse(
      path,
      `may have literal texts, white space and named groups of a run of characters, but is ${JSON.stringify(pattern)}`,
    )
  )
}

function groupsOf(pieces: readonly PatternPiece[]): readonly string[] {
  return pieces.flatMap((piece) => (piece.kind === 'group' ? [piece.name] : []))
}

/** A marker or a list of markers. */
function list(path: string, value: unknown): readonly string[] {
  const markers = value === undefined || value === null ? [] : [value].flat()
  if (markers.some((marker) => typeof marker !== 'string' || marker === ''))
    refuse(path, `must be a text or a list of texts, but is ${describe(value)}`)
  return markers as string[]
}

function record(path: string, value: unknown, keys: readonly string[]): Fields {
  if (!isRecord(value)) return refuse(path, `must be an object, but is ${describe(value)}`)
  const inside = path === '' ? '' : `${path}.`
  for (const key of Object.keys(value))
    if (!keys.includes(key)) refuse(inside + key, `is not known; here are ${keys.join(', ')}`)
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TypeError(`fromResponseTemplate takes a template or its JSON text, but got ${describe(text)}`)
  }
}

/** What two texts begin with. */
function common(first: string, second: string): string {
  let length = 0
  while (length < first.length && first[length] === second[length]) length++
  return first.slice(0, length)
}

function refuse(path: string, why: string): never {
  throw new TypeError(`fromResponseTemplate: ${path === '' ? 'the template' : path} ${why}`)
}
