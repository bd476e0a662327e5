// The bodies `params`, `elements` and `yaml` of a wire format's row, for an independent reader of whole texts.
//
//     bodies[kind](text, at, { row, name, tools, ends }) → { calls: [{ name, arguments }], at } | { fail: 'malformed' | 'cut', at }
//
// `at` is where the body starts: after the call's head. The `at` of an answer is where the body ends, before the
// white space that follows it. A body never reads the call's closing marker (`closers` below names it): that the
// reader of the whole text does. `ends(text, at)` says whether at a place stands, after white space, something
// that may follow a call. `tools` are `{ name, parameters }`, `parameters` being a JSON Schema.
import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { decode, findFirst, loosened, isSpace, longestAt, readHead, skipSpace } from './format-naive-marks.mjs'
import { readJson, readPython } from './format-naive-values.mjs'

const UNSAFE = ['__proto__', 'constructor', 'prototype']

/** The place after the longest of the markers that stands at a place, or -1. */
function afterMarker(text, at, markers) {
  const length = longestAt(text, at, markers)
  return length ? at + length : -1
}

/** The first place from which one of the markers stands: `{ at, end }`, or undefined. */
function findMarker(text, from, markers) {
  const found = findFirst(text, from, markers)
  return found && { at: found.at, end: found.at + found.length }
}

/** Whether the text ends, from a place on, within one of the markers. */
function isFront(text, at, markers) {
  const rest = text.slice(at)
  return rest.length < 64 && markers.some((marker) => marker.length > rest.length && marker.startsWith(rest))
}

/** The markers that close a call. */
function closers({ call }, name) {
  return call.open?.length || call.body === 'params' ? (call.close ?? []) : [`</${name}>`]
}

// ---- schemas and values

/** A schema with its `$ref` followed. */
function resolved(schema, root, depth = 0) {
  if (schema && typeof schema === 'object' && schema.jsonSchema) return resolved(schema.jsonSchema, root, depth)
  if (typeof schema?.$ref !== 'string' || depth > 16) return schema
  if (schema.$ref === '#') return root
  if (!schema.$ref.startsWith('#/')) return undefined
  const target = schema.$ref.slice(2).split('/').reduce((value, step) => value?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], root)
  return resolved(target, root, depth + 1)
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf']

function nameOfType(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** The JSON types that a schema allows; empty if it says nothing. */
function kinds(given, root, depth = 0) {
  const schema = resolved(given, root)
  const found = new Set()
  if (!schema || typeof schema !== 'object' || depth > 16) return found
  if (schema.type !== undefined) for (const type of [schema.type].flat()) found.add(type)
  else if (Array.isArray(schema.enum)) for (const value of schema.enum) found.add(nameOfType(value))
  else if ('const' in schema) found.add(nameOfType(schema.const))
  else if (schema.properties || schema.patternProperties || typeof schema.additionalProperties === 'object') found.add('object')
  else if (schema.items || schema.prefixItems) found.add('array')
  if (found.size === 0) for (const word of ALTERNATIVES) for (const part of schema[word] ?? []) for (const kind of kinds(part, root, depth + 1)) found.add(kind)
  return found
}

/** The schema of an object's member: by name, by pattern, by `additionalProperties`, through alternatives. */
function memberSchema(given, key, root, depth = 0) {
  const schema = resolved(given, root)
  if (!schema || typeof schema !== 'object' || depth > 16) return undefined
  if (schema.properties && Object.hasOwn(schema.properties, key)) return schema.properties[key]
  for (const word of ALTERNATIVES) {
    for (const part of schema[word] ?? []) {
      const found = memberSchema(part, key, root, depth + 1)
      if (found !== undefined) return found
    }
  }
  const pattern = Object.keys(schema.patternProperties ?? {}).find((source) => matches(source, key))
  if (pattern !== undefined) return schema.patternProperties[pattern]
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

function matches(source, key) {
  try {
    return new RegExp(source, 'u').test(key)
  } catch {
    return false
  }
}

function itemSchema(given, root, depth = 0) {
  const schema = resolved(given, root)
  if (!schema || typeof schema !== 'object' || depth > 16) return undefined
  if (schema.items && !Array.isArray(schema.items)) return schema.items
  for (const word of ALTERNATIVES) {
    for (const part of schema[word] ?? []) {
      const found = itemSchema(part, root, depth + 1)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The names that a schema declares, or undefined if it declares none. */
function declared(given, root) {
  const schema = resolved(given, root)
  if (!schema || typeof schema !== 'object') return undefined
  const names = Object.keys(schema.properties ?? {})
  for (const word of ALTERNATIVES) for (const part of schema[word] ?? []) names.push(...(declared(part, root) ?? []))
  return names.length > 0 || schema.properties ? names : undefined
}

const NUMBER = /^([+-]?)0*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

const FAILED = Symbol('not read')

function json(text) {
  try {
    return JSON.parse(text)
  } catch {
    return FAILED
  }
}

function literal(text, row) {
  const trimmed = text.trim()
  const found = json(trimmed)
  if (found !== FAILED || !(row.literals ?? ['json']).includes('python')) return found
  // Python's numbers have no leading zeros.
  if (/^[-+]?0\d/.test(trimmed)) return FAILED
  const read = readPython(trimmed, 0)
  return read.fail || read.at !== trimmed.length ? FAILED : read.value
}

/** A parameter's text as its value: by the schema's types. `isKnown`: the tool has a schema. */
export function typed(text, { row, schema, root = schema, isKnown = schema !== undefined }) {
  if (row.typing === 'string') return text
  if (!isKnown) return untyped(text, row)
  const types = kinds(schema, root)
  const trimmed = text.trim()
  if (types.has('null') && !row.repairs?.includes('null-text') && (trimmed === 'null' || ((row.literals ?? []).includes('python') && trimmed === 'None'))) return null
  if (types.size === 0 || types.has('string')) {
    // With a list or an object beside the string, JSON is that.
    const kind = trimmed[0] === '[' ? 'array' : trimmed[0] === '{' ? 'object' : undefined
    const found = kind !== undefined && (types.size === 0 || types.has(kind)) ? literal(text, row) : FAILED
    return found === FAILED ? text : found
  }
  const found = literal(text, row)
  if (found !== FAILED) return found
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  const number = types.has('integer') || types.has('number') ? NUMBER.exec(trimmed) : null
  return number ? Number(number[1] + number[2]) : text
}

/** The value of a parameter that no schema speaks of. */
function untyped(text, row) {
  if (row.untyped !== 'json') return text
  const found = json(text.trim())
  if (found === FAILED) return text
  return typeof found === 'number' && Number.isInteger(found) && !Number.isSafeInteger(found) ? text.trim() : found
}

/** A value's text without what its format adds: line ends or white space next to its tags, CDATA, references. */
function unframed(raw, { trim = 'none', cdata = false, entities = false } = {}) {
  let text = raw
  if (trim === 'all') text = text.trim()
  if (trim === 'block') text = text.trimEnd().replace(/^\s*\n(?=[^\n]*$|[ \t]*\S)|^\s+/, '')
  if (trim === 'line') text = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
  const read = (part) => (entities ? decode(part) : part)
  if (!cdata) return read(text)
  return text.split(/(<!\[CDATA\[[^]*?\]\]>)/).map((part) => (part.startsWith('<![CDATA[') ? part.slice(9, -3) : read(part))).join('')
}

// ---- what a call comes to

/** The tool of a call, and its name: `x.x` is `x` where the row says so. */
function toolOf({ row, name, tools }) {
  const known = tools?.find((tool) => tool.name === name)
  if (known || !row.repairs?.includes('doubled-name')) return { name, tool: known }
  const half = name.slice(0, (name.length - 1) / 2)
  const tool = tools?.find(({ name: other }) => other === half)
  return name === `${half}.${half}` && (tool || !tools?.length) ? { name: half, tool } : { name, tool: undefined }
}

const UNSAFE_MARKUP = /<\/?(?:__proto__|constructor|prototype)[\s/>]|<[A-Za-z_][\w.-]*(?:=|\s+name\s*=\s*)["']?(?:__proto__|constructor|prototype)["']?[\s/>]/

function hasUnsafe(value) {
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([key, inner]) => (!Array.isArray(value) && UNSAFE.includes(key)) || hasUnsafe(inner))
}

/** Whether a schema's policy keeps a member that it may not declare. */
function keeps(given, key, root) {
  const schema = resolved(given, root)
  if (!schema || typeof schema !== 'object') return true
  if (declared(schema, root)?.includes(key)) return true
  const patterns = Object.entries(schema.patternProperties ?? {}).filter(([source]) => matches(source, key))
  if (patterns.length > 0) return patterns.every(([, part]) => part !== false)
  if (schema.additionalProperties === true || typeof schema.additionalProperties === 'object') return true
  return declared(schema, root) === undefined && schema.patternProperties === undefined
}

/** Members as an object, own members whatever their names. */
const objectOf = (members) => Object.fromEntries(members)

/** Calls of a body: one, or none where the row's repairs drop it; undefined if they make it text. */
function finish({ row }, { name, tool }, members) {
  const schema = tool?.parameters
  const repairs = row.repairs ?? []
  let args = members
  if (repairs.includes('unwrap-arguments')) args = unwrapped(args, schema, row)
  if (repairs.includes('drop-unsafe') && (args.some(([key]) => UNSAFE.includes(key)) || hasUnsafe(objectOf(args)))) return []
  if (repairs.includes('drop-unsafe-markup') && args.some(([, value]) => typeof value === 'string' && UNSAFE_MARKUP.test(value))) return []
  if (repairs.includes('drop-unknown')) {
    const kept = args.filter(([key]) => keeps(schema, key, schema))
    if (args.length > 0 && kept.length === 0 && declared(schema, schema)?.length !== 0) return undefined
    args = kept
  }
  if (repairs.includes('require-arguments') && (resolved(schema, schema)?.required ?? []).some((key) => !args.some(([given]) => given === key))) return undefined
  return [{ name, arguments: objectOf(args) }]
}

/** The calls, none or one, that the row's repairs make of one; undefined if the call is text. */
export function repaired({ name, arguments: input }, context) {
  const { row } = context
  const callee = toolOf({ ...context, name })
  const root = callee.tool?.parameters
  const members = Object.entries(input).map(([key, value]) => [key, typeof value === 'string' && root ? typed(value, { row, schema: memberSchema(root, key, root), root }) : value])
  return finish(context, callee, members)
}

/** A body's answer. */
function answer(context, callee, members, at) {
  if (members.length === 0 && lacks(members, callee.tool?.parameters)) return { fail: 'malformed', at }
  const calls = finish(context, callee, members)
  return calls === undefined ? { fail: 'malformed', at } : { calls, at }
}

const WRAPPERS = ['arguments', 'input', 'parameters', 'properties']

/** The members inside a single `arguments`, `input`, … that the tool doesn't declare, if it declares all that is inside. */
function unwrapped(members, schema, row) {
  const names = declared(schema, schema)
  if (!names || members.length !== 1 || !WRAPPERS.includes(members[0][0]) || names.includes(members[0][0])) return members
  const [[, value]] = members
  const inner = typeof value === 'string' ? literal(value, row) : value
  if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return members
  const keys = Object.keys(inner)
  return keys.length > 0 && keys.every((key) => names.includes(key)) ? Object.entries(inner) : members
}

/** Adds a member by the row's rule for names that come twice; false if the rule rejects the call. */
function add(members, key, value, rule = 'last') {
  const before = members.find(([name]) => name === key)
  if (!before) members.push([key, value])
  else if (rule === 'reject') return false
  else if (rule === 'list') before[1] = before.isList ? [...before[1], value] : [before[1], value]
  else before[1] = value
  if (before && rule === 'list') before.isList = true
  return true
}

/** Whether the schema requires a member that didn't come. */
const lacks = (members, schema) => (schema?.required ?? []).some((key) => !members.some(([name]) => name === key))

// ---- body `params`

function params(text, from, context) {
  const { row, ends } = context
  const { params: spec, repairs = [] } = row
  const callee = toolOf(context)
  const schema = callee.tool?.parameters
  const close = closers(row, context.name)
  const nameless = repairs.includes('nameless-params') ? [`${spec.open[0].slice(0, -1)}>`] : []
  const members = []
  if (repairs.includes('json-body') && text[skipSpace(text, from)] === '{') return jsonBody(text, from, context, callee)
  for (let at = from; ; ) {
    const place = skipSpace(text, at)
    if (place === text.length && at === from) return { fail: 'cut', at: text.length }
    // The end of the turn, or of a closer that came in part, closes the call after a parameter.
    const isEnd = place === text.length || isFront(text, place, [...close, ...(row.section?.close ?? [])])
    if (isEnd && at > from && !row.call.requireClose) return lacks(members, schema) ? { fail: 'cut', at: text.length } : answer(context, callee, members, place === text.length ? at : text.length)
    if (afterMarker(text, place, close) >= 0 || ends(text, at)) return answer(context, callee, members, at)
    const opened = afterMarker(text, place, spec.open)
    const unnamed = opened < 0 ? afterMarker(text, place, nameless) : -1
    const element = opened < 0 && unnamed < 0 ? elementParam(text, place, context, schema) : undefined
    if (opened < 0 && unnamed < 0 && !element) return isFront(text, place, [...spec.open, ...close, ...nameless]) ? { fail: 'cut', at: text.length } : { fail: 'malformed', at: place }
    const number = spec.open.findIndex((open) => afterMarker(text, place, [open]) === opened)
    const own = repairs.includes('loose-tags') ? [spec.close[number]] : spec.close
    const read = element ? elementValue(text, element, context, schema, members) : opened >= 0 ? namedParam(text, opened, context, schema, members, own) : namelessParam(text, unnamed, context, schema, nameless)
    if (read.fail) return read
    const value = valueOf(read, schema, context, Boolean(schema))
    if (!add(members, read.key, value, spec.duplicate)) return { fail: 'malformed', at: read.at }
    at = read.at
  }
}

/** Repair `json-body`: the arguments as one JSON object. */
function jsonBody(text, from, context, callee) {
  const read = readJson(text, skipSpace(text, from))
  return read.fail ? read : answer(context, callee, Object.entries(read.value), read.at)
}

/** Repair `element-params`: the tag of an element at a place. */
function elementParam(text, place, context, schema) {
  const { row } = context
  if (!row.repairs?.includes('element-params') || afterMarker(text, place, [...(row.section?.open ?? []), ...row.call.open]) >= 0) return undefined
  const opener = new Elements(text, context, schema).opener(place)
  return opener === undefined || opener.fail ? undefined : opener
}

/** The name that a schema declares, in whatever case it is written. */
function declaredName(schema, key) {
  const names = (schema && declared(schema, schema)) ?? []
  return names.includes(key) ? key : names.find((name) => name.toLowerCase() === key.toLowerCase())
}

function elementValue(text, { key: written, at, isClosed }, context, schema, members) {
  const key = declaredName(schema, written) ?? written
  if (isClosed) return { key, raw: '', at }
  const { params: { close } } = loosened({ repairs: ['loose-tags'], params: { close: [`</${written}>`] } , call: {} })
  const value = readValue(text, at, key, context, schema, members, close)
  return value.fail ? value : { key, raw: value.raw, literal: value.literal, at: value.at }
}

/** A parameter from after its opener: `{ key, raw, type, string, at }` or a failure. */
function namedParam(text, from, context, schema, members, own) {
  const { row } = context
  const head = readHead(text, from, row.params.head)
  if (head.fail) return head
  const { KEY: key, TYPE: type, STRING: string } = head.found
  if (head.selfClosed) return { key, raw: '', type, string, at: head.at }
  const value = readValue(text, head.at, key, context, schema, members, own)
  return value.fail ? value : { key, raw: value.raw, literal: value.literal, type, string, at: value.at }
}

/** CDATA that a value begins with: its text, and the place after it. */
function cdata(text, from) {
  const begins = /\s*<!\[CDATA\[/y
  begins.lastIndex = from
  if (!begins.test(text)) return undefined
  const sections = /\s*((?:<!\[CDATA\[[^]*?\]\]>)+)/y
  sections.lastIndex = from
  const found = sections.exec(text)
  return found === null ? { fail: 'cut', at: text.length } : { literal: found[1].slice(9, -3).replaceAll(']]><![CDATA[', ''), at: sections.lastIndex }
}

/** Where a value's text ends and what its closer leaves. */
function readValue(text, from, key, context, schema, members, own) {
  const { row, ends } = context
  const { params: spec, repairs = [], call } = row
  const section = spec.cdata ? undefined : cdata(text, from)
  if (section?.fail) return section
  if (section !== undefined) {
    const place = skipSpace(text, section.at)
    const end = afterMarker(text, place, own)
    if (end >= 0) return { literal: section.literal, at: end }
    return isFront(text, place, own) ? { fail: 'cut', at: text.length } : { fail: 'malformed', at: place }
  }
  const close = closers(row, context.name)
  const names = schema ? declared(schema, schema) : undefined
  const given = members.map(([name]) => name)
  const isOther = (name) => name !== key && !given.includes(name) && Boolean(names?.includes(name))
  const follows = (end) => {
    const place = skipSpace(text, end)
    const element = elementParam(text, place, context, schema)
    if (element && (!schema || declaredName(schema, element.key))) return true
    return place === text.length || isFront(text, place, [...close, ...(row.section?.close ?? [])]) || afterMarker(text, place, spec.open) >= 0 || afterMarker(text, place, close) >= 0 || ends(text, end)
  }
  let last
  for (let at = from; ; ) {
    const closer = findMarker(text, at, own)
    const data = spec.cdata ? text.indexOf('<![CDATA[', at) : -1
    if (data >= 0 && (!closer || data < closer.at)) {
      const end = text.indexOf(']]>', data)
      if (end < 0) return { fail: 'cut', at: text.length }
      at = end + 3
      continue
    }
    if (repairs.includes('open-params')) {
      const isLine = spec.trim === 'line' || /^\n|\n$/.test((row.write?.param ?? '') + (row.write?.paramJoin ?? ''))
      const mayBegin = (place) => !isLine || /\n[ \t]*$/.test(text.slice(from, place))
      const next = nextParam(text, at, closer?.at, spec, isOther, mayBegin)
      if (next >= 0) return { raw: text.slice(from, next), at: next }
    }
    if (!closer) return last ?? { fail: 'cut', at: text.length }
    const found = { raw: text.slice(from, closer.at), at: closer.end }
    if (spec.closer === 'first') return found
    if (spec.closer === 'last') {
      const end = findMarker(text, closer.end, call.close)
      if (last && end === undefined) return last
      last = found
      if (!findMarker(text.slice(0, end?.at), closer.end, spec.close)) return last
    } else if (follows(closer.end)) return found
    at = closer.end
  }
}

/** Repair `open-params`: the opener, before a place, of another parameter that the tool declares and the call doesn't have yet; or -1. */
function nextParam(text, from, before, spec, isOther, mayBegin) {
  for (let at = from; ; ) {
    const opener = findMarker(text, at, spec.open)
    if (!opener || (before !== undefined && opener.at >= before)) return -1
    const head = readHead(text, opener.end, spec.head)
    if (!head.fail && isOther(head.found.KEY) && mayBegin(opener.at)) return opener.at
    at = opener.end
  }
}

/** Repair `nameless-params`: `<parameter>key</parameter>value`, the value up to the next parameter or the call's end. */
function namelessParam(text, from, context, schema, nameless) {
  const { row } = context
  const { params: spec } = row
  const end = findMarker(text, from, spec.close)
  if (!end) return { fail: 'cut', at: text.length }
  const key = text.slice(from, end.at).trim()
  if (!/^[A-Za-z_][\w.-]*$/.test(key)) return { fail: 'malformed', at: from }
  const stop = findMarker(text, end.end, [...spec.open, ...nameless, ...closers(row, context.name), ...(row.section?.close ?? [])])
  if (!stop) return { fail: 'cut', at: text.length }
  let raw = text.slice(end.end, stop.at)
  if (schema && declared(schema, schema)?.includes(key)) {
    const closer = spec.close.find((marker) => raw.trimEnd().endsWith(marker))
    if (closer) raw = raw.trimEnd().slice(0, -closer.length)
  }
  return { key, raw, at: stop.at }
}

/** The value of a parameter that was read. */
function valueOf({ key, raw, literal: section, type, string }, schema, { row }, isKnown) {
  const valueTag = row.repairs?.includes('value-tag') && /^\s*<value>(?:\r?\n)?((?:(?!<\/?value>)[^])*?)(?:\r?\n)?<\/value>\s*$/i
  const plain = section ?? unframed(raw, row.params)
  const text = (valueTag && section === undefined ? valueTag.exec(plain)?.[1] : undefined) ?? plain
  const how = row.typing === 'attribute' && (string !== undefined || type !== undefined)
  if (!how) return typed(text, { row, schema: isKnown ? memberSchema(schema, key, schema) : undefined, root: schema, isKnown })
  if (string === 'true' || type === 'string') return text
  const found = literal(text, row)
  return found === FAILED ? text : found
}

// ---- body `elements`

function elements(text, from, context) {
  const { row } = context
  const callee = toolOf(context)
  const schema = callee.tool?.parameters
  const tree = new Elements(text, context, schema)
  const read = tree.members(from, { schema, isKnown: Boolean(schema), close: closers(row, context.name), isCall: true })
  if (!read.fail) return answer(context, callee, read.members, read.at)
  if (read.fail === 'malformed' && row.repairs?.includes('message-text')) return messageText(text, from, context, callee) ?? read
  return read
}

/** Repair `message-text`: a body that isn't elements is the `message` of a tool that declares such a string, without tags. */
function messageText(text, from, context, callee) {
  const { row, name } = context
  const schema = callee.tool?.parameters
  const end = findMarker(text, from, closers(row, name))
  if (!end || !kinds(memberSchema(schema, 'message', schema), schema).has('string')) return undefined
  const message = text.slice(from, end.at).replace(/<\/?[A-Za-z][^<>]*>/g, '').trim()
  return message === '' ? undefined : answer(context, callee, [['message', message]], end.at)
}

class Elements {
  constructor(text, { row, ends }, root) {
    this.text = text
    this.row = row
    this.ends = ends
    this.root = root
    this.prefix = row.elements?.prefix ?? ''
  }

  /** The opening tag at a place: `{ key, at, isClosed }`, a cut, or undefined. */
  opener(place) {
    const { text, prefix } = this
    if (!text.startsWith(`${prefix}<`, place)) return isFront(text, place, [`${prefix}<`]) ? { fail: 'cut' } : undefined
    const start = place + prefix.length + 1
    if (prefix) {
      const found = /([^</>\n\r][^<>\n\r]*)>/y
      found.lastIndex = start
      const key = found.exec(text)?.[1]
      if (key !== undefined) return { key, at: found.lastIndex, isClosed: false }
      return /^[^<>\n\r]*$/.test(text.slice(start)) && text[start] !== '/' ? { fail: 'cut' } : undefined
    }
    const found = /[A-Za-z_][\w.:-]*/y
    found.lastIndex = start
    const key = found.exec(text)?.[0]
    if (key === undefined) return start === text.length ? { fail: 'cut' } : undefined
    const head = readHead(text, found.lastIndex, [{ attributes: {}, end: '>' }])
    if (head.fail) return head.fail === 'cut' ? { fail: 'cut' } : undefined
    return { key, at: head.at, isClosed: Boolean(head.selfClosed) }
  }

  /** The members of an object, up to one of its closing tags, which stays unread. */
  members(from, { schema, isKnown, close, isCall }) {
    const { text, row } = this
    const members = []
    for (let at = from; ; ) {
      const place = skipSpace(text, at)
      if (afterMarker(text, place, close) >= 0) return { members, at: isCall ? at : place }
      const isEnd = place === text.length || isFront(text, place, [...close, ...(row.section?.close ?? [])])
      if (isEnd && isCall && at > from && !row.call.requireClose && !lacks(members, schema)) return { members, at: place === text.length ? at : text.length }
      if (place === text.length) return { fail: 'cut', at: place }
      const opener = this.opener(place)
      if (opener?.fail || isFront(text, place, close)) return { fail: 'cut', at: text.length }
      if (!opener) return { fail: 'malformed', at: place }
      const inner = isKnown ? memberSchema(schema, opener.key, this.root) : undefined
      const read = this.element(opener, inner, { schema, isKnown: isKnown && inner !== undefined, close, isCall })
      if (read.fail) return read
      const types = isKnown ? kinds(inner, this.root) : new Set()
      const isList = types.has('array') && (read.isList || !(types.has('string') || types.has('object')))
      const rule = isCall && isKnown && !isList && inner !== undefined ? row.params?.duplicate : 'list'
      if (isList) this.extend(members, opener.key, read.value, read.isList)
      else if (!add(members, opener.key, read.value, rule)) return { fail: 'malformed', at: read.at }
      at = read.at
    }
  }

  /** Adds to a member that is a list: items, or a list of items. */
  extend(members, key, value, isList) {
    const before = members.find(([name]) => name === key)
    const items = isList ? value : [value]
    if (before) before[1] = [...(Array.isArray(before[1]) ? before[1] : [before[1]]), ...items]
    else members.push([key, [...items]])
  }

  /** The value of an element from after its opening tag, and the place after its closing tag. */
  element(opener, schema, parent) {
    const { text, root } = this
    const { key, at: from, isClosed } = opener
    const types = parent.isKnown ? kinds(schema, root) : new Set()
    const close = `${this.prefix}</${key}>`
    if (isClosed) return { value: this.empty(types), isList: types.has('array'), at: from }
    const start = skipSpace(text, from)
    const mayHold = types.size === 0 || types.has('object') || types.has('array')
    // Without a prefix what looks like a tag may be a string's text.
    const child = mayHold && !(types.has('string') && this.prefix === '') ? this.opener(start) : undefined
    if (child?.fail) return { fail: 'cut', at: text.length }
    if (!child) return this.leaf(key, from, schema, parent, types)
    const end = { close: [close], isCall: false }
    const items = itemSchema(schema, root)
    const isList = types.has('array') && (!types.has('object') || child.key === 'item')
    const isItem = isList && child.key !== 'item' && kinds(items, root).has('object') && declared(items, root)?.includes(child.key)
    const read = isList && !isItem
      ? this.items(from, { items, isKnown: parent.isKnown, ...end })
      : this.members(from, { schema: isItem ? items : schema, isKnown: parent.isKnown && (isItem || types.has('object')), ...end })
    if (read.fail) return read
    return { value: read.items ?? objectOf(read.members), isList: Boolean(read.items), at: afterMarker(text, read.at, [close]) }
  }

  empty(types) {
    if (types.has('string') || types.size === 0) return ''
    if (types.has('array')) return []
    return types.has('object') ? {} : ''
  }

  /** The items of a list: elements of any name. */
  items(from, { items, isKnown, close }) {
    const { text } = this
    const read = []
    for (let at = from; ; ) {
      const place = skipSpace(text, at)
      if (afterMarker(text, place, close) >= 0) return { items: read, at: place }
      const opener = this.opener(place)
      if (place === text.length || opener?.fail || isFront(text, place, close)) return { fail: 'cut', at: text.length }
      if (!opener) return { fail: 'malformed', at: place }
      const item = this.element(opener, items, { isKnown: isKnown && items !== undefined, close })
      if (item.fail) return item
      read.push(item.value)
      at = item.at
    }
  }

  /** An element that holds text, up to the first closing tag after which the parent goes on or ends. */
  leaf(key, from, schema, parent, types) {
    const { text, row, root } = this
    const found = this.leafText(key, from, parent)
    if (found.fail) return found
    {
      const { end } = found
      const raw = found.literal ?? unframed(text.slice(from, found.at), row.params)
      const isItem = types.has('array') && !types.has('string')
      const value = typed(raw, { row, schema, root, isKnown: parent.isKnown })
      if (!isItem) return { value, isList: false, at: end }
      if (Array.isArray(value)) return { value, isList: true, at: end }
      if (raw.trim() === '') return { value: [], isList: true, at: end }
      return { value: typed(raw, { row, schema: itemSchema(schema, root), root, isKnown: true }), isList: false, at: end }
    }
  }

  /** Where a leaf's text ends: `at`, and `end` after its closing tag; `literal` is that of CDATA. */
  leafText(key, from, parent) {
    const { text, row } = this
    const close = `${this.prefix}</${key}>`
    const data = cdata(text, from)
    if (data?.fail) return data
    if (data) {
      const place = skipSpace(text, data.at)
      if (text.startsWith(close, place) && this.follows(place + close.length, key, parent)) return { ...data, end: place + close.length }
      return this.endsCall(place, parent) >= 0 ? { ...data, end: data.at } : { fail: 'malformed', at: data.at }
    }
    let isStray = false
    let ended
    for (let at = from; at < text.length; ) {
      if (ended !== undefined && (at - ended >= 4096 || (!isSpace(text[at]) && this.ends(text, at)))) break
      const after = ended === undefined ? this.endsCall(at, parent) : -1
      if (after >= 0) {
        if (isStray) return { fail: 'malformed', at }
        ended = at
        at = after
      } else if (text.startsWith(close, at)) {
        if (this.follows(at + close.length, key, parent)) return { at, end: at + close.length }
        isStray = true
        at += close.length
      } else at += 1
    }
    return ended === undefined ? { fail: 'cut', at: text.length } : { at: ended, end: ended }
  }

  /** The place after the call's closing tag, which stands at a place or after the white space that is layout, if the grammar goes on there; or -1. */
  endsCall(at, { close, isCall }) {
    const { text, row } = this
    if (!isCall) return -1
    const { trim } = row.params ?? {}
    const gap = trim === 'all' || trim === 'block' ? skipSpace(text, at) : at + /^(?:\r?\n)?/.exec(text.slice(at, at + 2))[0].length
    const after = afterMarker(text, gap, close)
    return after >= 0 && (this.ends(text, after) || isFront(text, skipSpace(text, after), row.section?.close ?? [])) ? after : -1
  }

  /** Whether what stands after a closing tag lets it close: the parent's closing tag, another of the parent's elements, the end. */
  follows(end, key, { schema, isKnown, close, isCall }) {
    const { text } = this
    const place = skipSpace(text, end)
    if (place === text.length || afterMarker(text, place, close) >= 0) return true
    if (isCall && this.prefix && this.ends(text, end)) return true
    const opener = this.opener(place)
    if (!opener || opener.fail) return Boolean(opener?.fail)
    const names = isKnown && schema ? declared(schema, this.root) : undefined
    return names === undefined || opener.key === key || names.includes(opener.key)
  }
}

// ---- body `yaml`

function yaml(text, from, context) {
  const { row, name } = context
  const callee = toolOf(context)
  const schema = callee.tool?.parameters
  const start = text.lastIndexOf('>', from - 1) + 1
  if (row.repairs?.includes('yaml-elements') && /^[ \t\n\r]*<[A-Za-z_]/.test(text.slice(start))) return elements(text, from, context)
  const end = closingTag(text, start, name)
  if (end < 0) return { fail: 'cut', at: text.length }
  const body = text.slice(start, end)
  const document = parseDocument(unindented(body), { version: '1.2', schema: 'core', strict: true, uniqueKeys: true, logLevel: 'silent' })
  if (document.errors.length > 0) {
    const members = row.repairs?.includes('raw-keys') ? rawMembers(body, schema, row) : undefined
    return members === undefined ? { fail: 'malformed', at: end } : answer(context, callee, members, end)
  }
  if (document.contents === null || (isScalar(document.contents) && body.trim() === '')) return answer(context, callee, [], end)
  if (!isMap(document.contents)) return { fail: 'malformed', at: end }
  const value = fromYaml(document.contents, schema, schema, { row, isKnown: Boolean(schema), document })
  return answer(context, callee, Object.entries(value), end)
}

/**
 * The place of the closing tag: the first one on the opening tag's line, or, on a line that is indented no more
 * than the least indented one before, at the line's start or end. Elsewhere it is data.
 */
function closingTag(text, from, name) {
  const tag = `</${name}>`
  const first = text.indexOf('\n', from)
  const onFirst = text.slice(from, first === -1 ? undefined : first).indexOf(tag)
  if (onFirst >= 0) return from + onFirst
  let least = Number.MAX_SAFE_INTEGER
  for (let at = first; at >= 0; ) {
    const next = text.indexOf('\n', at + 1)
    const line = text.slice(at + 1, next === -1 ? undefined : next)
    const indent = /^[ \t]*/.exec(line)[0].length
    if (line.trim() !== '') {
      if (indent <= least) {
        if (line.startsWith(tag, indent)) return at + 1 + indent
        if (line.trimEnd().endsWith(tag)) return at + 1 + line.trimEnd().length - tag.length
      }
      least = Math.min(least, indent)
    }
    at = next
  }
  return -1
}

/** Repair `raw-keys`: `key: text` lines of declared arguments, each text going on to the next such line, as written. */
function rawMembers(body, schema, row) {
  const names = declared(schema, schema) ?? []
  const members = []
  for (const line of body.replace(/^[ \t]*\r?\n/, '').split(/(?<=\n)/)) {
    const key = /^([^\s:]+):(?=\s)/.exec(line)?.[1]
    if (names.includes(key) && !members.some(([name]) => name === key)) members.push([key, line.slice(key.length + 1).replace(/^ /, '')])
    else if (members.length === 0) return undefined
    else members.at(-1)[1] += line
  }
  return members.map(([key, text], index) => {
    const value = index === members.length - 1 ? text : text.replace(/\r?\n$/, '')
    return [key, typed(value, { row, schema: memberSchema(schema, key, schema), root: schema, isKnown: true })]
  })
}

/** A text without the indentation that all its lines have. */
function unindented(text) {
  const lines = text.split('\n')
  const widths = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)[0].length)
  const least = Math.min(...widths, Number.MAX_SAFE_INTEGER)
  return lines.map((line) => line.slice(Math.min(least, /^[ \t]*/.exec(line)[0].length))).join('\n')
}

/** A YAML node as a value: a scalar against a schema of strings is what was written. */
function fromYaml(node, schema, root, options) {
  const { document, row, isKnown } = options
  if (isMap(node)) return objectOf(node.items.map(({ key, value }) => {
    const name = String(isScalar(key) ? key.value : key)
    return [name, fromYaml(value, isKnown ? memberSchema(schema, name, root) : undefined, root, options)]
  }))
  if (isSeq(node)) return node.items.map((item) => fromYaml(item, isKnown ? itemSchema(schema, root) : undefined, root, options))
  if (!isScalar(node)) return node === null || node === undefined ? null : node.toJS(document)
  const types = isKnown ? kinds(schema, root) : new Set()
  if (types.has('string') && typeof node.value !== 'string' && !(node.value === null && (types.has('null') || !node.source))) return node.source ?? String(node.value)
  if (typeof node.value === 'string' && types.size > 0 && !types.has('string')) return typed(node.value, { row, schema, root, isKnown: true })
  return typeof node.value === 'bigint' ? Number(node.value) : node.value
}

export const bodies = { params, elements, yaml }
