// Calls that are JSON in an answer's text: `{ "name": …, "arguments": { … } }`, or a
// list of such objects, in prose or in a fence.
//
// Source: spec/world.md, 3, points 1 and 4. Values are located here, and read
// in Rust. Differences to a search for anything that looks like a call:
// text inside a value that isn't a call, or inside one that can't be read, is
// never a call; nor is text between reasoning markers.

import { ARGUMENT_KEYS, JsonRules, THINKING_TAGS } from '../generated/ops.js'
import { type FoundValue, type JsonHandler, readJsonValue } from '../json/read.js'
import { JsonBuilder, jsonValue } from '../json/value.js'
import { isRecord, own } from '../own.js'
import { coercionBy } from '../rxml/xml-in-strings.js'
import type { Coercion } from '../schema/coercion.js'
import { repairBit } from '../arguments/repairs.js'
import type { Repair, Tool, ToolCallOptions } from '../tool-calls/types.js'

export interface CallSearch {
  /** The tools that may be called. */
  readonly tools: readonly Tool[]
  readonly options: Pick<ToolCallOptions, 'originalToolSchemas' | 'unknownTools'>
  /** The tool that was asked for by its name: an object that is its arguments is a call, too. */
  readonly toolName: string | undefined
  /** Whether closing brackets that are missing at the end are added. */
  readonly mayClose: boolean
}

/** A call that was found. */
export interface JsonCall {
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
  /** Rules of JSON by which it was read, a bit each. */
  readonly rules: number
  /** Repairs by which it was read, a bit each. */
  readonly repairs: number
}

/** Calls of one object or list, at their place. */
export interface FoundCalls {
  readonly start: number
  readonly end: number
  readonly calls: readonly JsonCall[]
  /** Whether it is the arguments without a name. */
  readonly isBare: boolean
}

/** A place in a text. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** Text that a protocol took for a call, and that failed. */
export interface FailedPlace extends Place {
  /** Whether the text ended in it. */
  readonly isUnfinished: boolean
}

/** The findings in a text. */
export interface SearchedText {
  readonly found: readonly FoundCalls[]
  /**
   * The first marker that ends reasoning which nothing began. It is looked for by request alone, and ends the search.
   */
  readonly unopened: Place | undefined
}

/** How much is looked at: so many units, and so many for each unit of the text. */
const BUDGET = 65_536
const BUDGET_OF_UNIT = 4

/** Searches a text. `failed` are places that may have no call in them, `skipped` are passed over. */
export function findJsonCalls(
  text: string,
  search: CallSearch,
  failed: readonly FailedPlace[] = [],
  skipped?: readonly Place[],
): SearchedText {
  const finder = new Finder(text)
  const found: FoundCalls[] = []
  const limit = endWithoutFence(text)
  const closings = skipped !== undefined
  let budget = BUDGET + BUDGET_OF_UNIT * text.length
  let nextFailed = 0
  let nextSkipped = 0
  for (let at = 0; budget > 0; ) {
    const bracket = Math.min(finder.next('{', at), finder.next('[', at))
    const opening = firstMarker(finder, '<', at)
    const closing = closings ? firstMarker(finder, '</', at) : undefined
    const next = Math.min(bracket, opening?.start ?? Infinity, closing?.start ?? Infinity)
    if (next >= limit) break
    while ((skipped?.[nextSkipped]?.end ?? Infinity) <= next) nextSkipped++
    const skip = skipped?.[nextSkipped]
    if (skip !== undefined && skip.start <= next) {
      at = skip.end
      continue
    }
    if (closing?.start === next) return { found, unopened: closing }
    if (opening?.start === next) {
      const end = finder.next(`</${opening.name}>`, next)
      if (end === Infinity && startsLine(text, next)) break
      at = end === Infinity ? opening.end : end + opening.name.length + 3
      continue
    }
    while ((failed[nextFailed]?.end ?? Infinity) <= next) nextFailed++
    const failure = failed[nextFailed]
    const isInFailure = failure !== undefined && failure.start <= next
    if (isInFailure && !failure.isUnfinished) {
      at = failure.end
      continue
    }
    const builder = new CallBuilder()
    const value = readJsonValue(text, next, limit, builder)
    budget -= value.cost
    const end = value.end ?? limit
    // A call that the stream ended in must be complete, except for its end tag.
    const mayCall = !isInFailure || text.slice(end, limit).trim() === ''
    const calls = mayCall ? callsOf(value, builder, search) : undefined
    if (calls !== undefined) {
      found.push({ start: next, end, ...calls })
      at = end
    } else if (value.state === 'other') {
      at = next + 1
    } else {
      // Its inside is data, except for a marker: a draft may be broken off by the end of reasoning.
      at = Math.min(end, (closings ? firstMarker(finder, '</', next)?.start : undefined) ?? Infinity)
    }
  }
  return { found, unopened: undefined }
}

function callsOf(
  { state, used }: FoundValue,
  builder: CallBuilder,
  search: CallSearch,
): Pick<FoundCalls, 'calls' | 'isBare'> | undefined {
  if (builder.isAmbiguous || state === 'broken' || state === 'other' || (state === 'unclosed' && !search.mayClose))
    return undefined
  const repairs = state === 'unclosed' ? repairBit('missing-closer') : 0
  const { value } = builder
  if (Array.isArray(value)) {
    const calls = value.map((element) => namedCall(element, search))
    if (calls.length === 0 || !calls.every((call) => call !== undefined)) return undefined
    return {
      calls: calls.map((call) => ({ ...call, rules: used, repairs: call.repairs | repairs | repairBit('list') })),
      isBare: false,
    }
  }
  const call = namedCall(value, search)
  const bare = bareArguments(value, search)
  // An object with a name alone may be either, and is what was asked for.
  const isBare = bare !== undefined && (call === undefined || call.isNameAlone)
  const chosen = isBare ? bare : call
  return chosen === undefined
    ? undefined
    : { calls: [{ ...chosen, rules: used, repairs: chosen.repairs | repairs }], isBare }
}

type ReadCall = Omit<JsonCall, 'rules'>

interface NamedCall extends ReadCall {
  readonly isNameAlone: boolean
}

/** The call that an object is by its members. */
function namedCall(value: unknown, search: CallSearch): NamedCall | undefined {
  if (!isRecord(value)) return undefined
  const isNamed = Object.hasOwn(value, 'name')
  const toolName = own(value, isNamed ? 'name' : 'tool')
  if (typeof toolName !== 'string' || toolName === '') return undefined
  const coercion = coercionOf(toolName, search)
  const isKnown = coercion !== undefined
  if (!isKnown && (!isNamed || search.options.unknownTools === 'text')) return undefined
  const keys = (isKnown ? ARGUMENT_KEYS : SAFE_KEYS).filter((key) => Object.hasOwn(value, key))
  const [key] = keys
  if (keys.length > 1) return undefined
  const given = key === undefined ? undefined : own(value, key)
  const renamed = [...(isNamed ? [] : ['tool']), ...(key === undefined || key === 'arguments' ? [] : [key])] as Repair[]
  const make = (input: Readonly<Record<string, unknown>>, ...more: Repair[]): NamedCall => ({
    toolName,
    input,
    repairs: [...renamed, ...more].reduce((bits, name) => bits | repairBit(name), 0),
    isNameAlone: key === undefined,
  })
  if (given === undefined || given === null || (typeof given === 'string' && given.trim() === ''))
    return isKnown && coercion.schema.requiredArguments.length === 0 ? make({}) : undefined
  if (isRecord(given)) return make(given)
  const decoded = typeof given === 'string' ? jsonValue(given, JsonRules.Call, { digits: true }) : undefined
  return isRecord(decoded) ? make(decoded, 'encoded-arguments') : undefined
}

/** The call that an object is as the arguments of the tool that was asked for. */
function bareArguments(value: unknown, search: CallSearch): ReadCall | undefined {
  const { toolName } = search
  if (toolName === undefined || !isRecord(value)) return undefined
  const looksLikeCall = typeof own(value, 'name') === 'string' && SAFE_KEYS.some((key) => Object.hasOwn(value, key))
  const coercion = coercionOf(toolName, search)
  return looksLikeCall || coercion === undefined || !coercion.schema.isOf(Object.keys(value))
    ? undefined
    : { toolName, input: value, repairs: 0 }
}

/** The schema of a tool that is there; a tool without one takes any object. */
export function coercionOf(
  name: string,
  { tools, options }: Pick<CallSearch, 'tools' | 'options'>,
): Coercion | undefined {
  const tool = tools.find((one) => one.name === name)
  return tool === undefined
    ? undefined
    : coercionBy(own(options.originalToolSchemas, name) ?? tool.inputSchema ?? ANY_OBJECT, { keepsDigits: true })
}

const ANY_OBJECT = { type: 'object' }

/** Keys of arguments that hardly any other object has. */
const SAFE_KEYS = ARGUMENT_KEYS.slice(0, 2)

/** The members by which a call is known. */
const CALL_KEYS: readonly string[] = ['name', 'tool', ...ARGUMENT_KEYS]

/** Builds a value, and notices whether it has a member of a call twice: then it can't be said what is called. */
class CallBuilder implements JsonHandler {
  isAmbiguous = false
  readonly #builder = new JsonBuilder({ digits: true })
  #depth = 0
  #isList = false
  #key = ''
  readonly #keys = new Set<string>()

  get value(): unknown {
    return this.#builder.value
  }

  open(isObject: boolean): void {
    if (this.#depth++ === 0) this.#isList = !isObject
    if (this.#isAtCall()) this.#keys.clear()
    this.#builder.open(isObject)
  }

  close(): void {
    this.#depth--
    this.#builder.close()
  }

  piece(text: string, isKey: boolean): void {
    if (isKey) this.#key += text
    this.#builder.piece(text)
  }

  end(isKey: boolean): void {
    if (isKey && this.#isAtCall()) {
      this.isAmbiguous ||= this.#keys.has(this.#key)
      if (CALL_KEYS.includes(this.#key)) this.#keys.add(this.#key)
    }
    if (isKey) this.#key = ''
    this.#builder.end(isKey)
  }

  number(digits: string): void {
    this.#builder.number(digits)
  }

  word(value: true | false | null): void {
    this.#builder.word(value)
  }

  /** Whether the innermost container may be a call. */
  #isAtCall(): boolean {
    return this.#depth === (this.#isList ? 2 : 1)
  }
}

/** Finds the next match, each time from a later place. Nothing is searched twice. */
class Finder {
  readonly #places = new Map<string, number>()

  constructor(private readonly text: string) {}

  /** Where the needle comes next; `Infinity` if it doesn't. */
  next(needle: string, from: number): number {
    const known = this.#places.get(needle)
    if (known !== undefined && known >= from) return known
    const found = this.text.indexOf(needle, from)
    const place = found === -1 ? Infinity : found
    this.#places.set(needle, place)
    return place
  }
}

/** The marker that comes next: `<think>` of any name, or `</think>`. */
function firstMarker(finder: Finder, begin: '<' | '</', from: number): (Place & { readonly name: string }) | undefined {
  let first: (Place & { readonly name: string }) | undefined
  for (const name of THINKING_TAGS) {
    const marker = `${begin}${name}>`
    const start = finder.next(marker, from)
    if (start < (first?.start ?? Infinity)) first = { start, end: start + marker.length, name }
  }
  return first
}

/** Whether there is only white space before a place in its line. */
function startsLine(text: string, at: number): boolean {
  let before = at - 1
  while (text.charAt(before) === ' ' || text.charAt(before) === '\t') before--
  return before < 0 || text.charAt(before) === '\n'
}

/** Where a text ends without the fence that ends it: a call in the fence ends before it. */
function endWithoutFence(text: string): number {
  const trimmed = text.trimEnd()
  const line = trimmed.lastIndexOf('\n') + 1
  return line > 0 && /^[ \t>]*(?:`{3,}|~{3,})$/.test(trimmed.slice(line)) ? line : text.length
}
