// What was tolerated in a call, and what a row's repairs make of its arguments.
//
// Source: spec/format.md, "Repairs"; spec/world.md, W1: a call is emitted only if the model wrote its arguments.

import type { Format } from '../formats/types.js'
import { isRecord, put } from '../own.js'
import { JSON_RULES, REPAIRS } from '../generated/ops.js'
import type { Schema } from '../schema/schema.js'

/**
 * A tolerated error in a call's format.
 *
 * @example
 * ```ts
 * import { type Repair, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
 *
 * const seen: Repair[] = []
 * parseToolCalls("<tool_call>{'name': 'stop', 'arguments': {},}</tool_call>", {
 *   protocol: hermesProtocol(),
 *   tools: [],
 *   options: { onRepair: (repairs) => seen.push(...repairs) },
 * })
 * console.log(seen) // [ 'trailing-comma', 'single-quotes' ]
 * ```
 */
export type Repair =
  | 'comment'
  | 'trailing-comma'
  | 'single-quotes'
  | 'unquoted-key'
  | 'bare-word'
  | 'leading-zero'
  | 'json5-whitespace'
  | 'raw-control'
  | 'python-word'
  | 'unescaped-quote'
  | 'kept-escape'
  | 'missing-closer'
  | 'parameters'
  | 'encoded-arguments'
  | 'list'
  | 'missing-end-tag'
  | 'missing-close-tag'
  | 'stray-close-tag'
  | 'extra-closer'
  | 'stray-think'
  | 'fence'
  | 'tool'
  | 'args'
  | 'input'
  | FormatRepair

/**
 * A repair of a wire format (`docs/formats.md` says which format has which), besides those of `Repair` that it may
 * have, too.
 *
 * - `missing-angle`, `line-name`, `bare-name`: what opens a call lacks its first character, is the tool's name on a
 *   line, or that name after the section's opener.
 * - `json-body`, `yaml-elements`, `message-text`: the arguments are a JSON object, elements or one text instead of what
 *   the format says.
 * - `plain-quotes`: a string between `"` instead of the format's own quotes.
 * - `open-params`, `nameless-params`, `end-closes`: a parameter that the next one ends, one whose name stands between
 *   its tags, and a call that the reply's end closes.
 * - `value-tag`: a value that is all between `<value>` and `</value>`.
 * - `tool-name`: a name becomes that of a tool by what the format writes around names, such as quotes or
 *   `functions_now_1`.
 * - `repeated-argument`: a key that comes twice. The last one counts; input that was emitted as deltas ends, and the
 *   call comes under another id.
 * - `loose-arguments`, `unknown-member`: what stands beside the arguments of a call in JSON is one of them, if the tool
 *   has a parameter of that name; else it is left out.
 * - `doubled-name`, `unwrap-arguments`, `drop-unknown`, `raw-keys`: `get.get` is `get`; all arguments stand in one;
 *   arguments that the schema forbids are left out; lines of broken YAML are read one by one.
 *
 * @example
 * ```ts
 * import { type FormatRepair, ToolCallParser } from 'tokenweir/tool-calls'
 *
 * const quotes: FormatRepair = 'plain-quotes'
 * const onRepair = (repairs: readonly string[]) => console.log(repairs.includes(quotes))
 * const parser = new ToolCallParser({ format: 'gemma4', tools: [{ name: 'say' }], onRepair })
 * parser.text('<|tool_call>call:say{text:"Hi"}<tool_call|>') // true
 * ```
 */
export type FormatRepair =
  | 'missing-angle'
  | 'line-name'
  | 'bare-name'
  | 'json-body'
  | 'yaml-elements'
  | 'plain-quotes'
  | 'end-closes'
  | 'open-params'
  | 'nameless-params'
  | 'value-tag'
  | 'message-text'
  | 'missing-opener'
  | 'tool-name'
  | 'repeated-argument'
  | 'loose-arguments'
  | 'unknown-member'
  | 'doubled-name'
  | 'unwrap-arguments'
  | 'drop-unknown'
  | 'raw-keys'

/** The names of a set of rules of JSON and of one of repairs. */
export function repairNames(rules: number, repairs: number): Repair[] {
  const names = [
    ...JSON_RULES.filter((_, at) => (rules >>> at) & 1),
    ...REPAIRS.filter((_, at) => (repairs >>> at) & 1),
  ]
  return names as Repair[]
}

/** Keys that come with a name and say nothing about the arguments. */
export const ENVELOPE: readonly string[] = ['id', 'type', 'index']

/**
 * What is wrong with a call that has no arguments; undefined if nothing is: where the schema requires none, or is
 * unknown. `keys` are those next to the name.
 */
export function missingArguments(
  name: string,
  schema: Schema | undefined,
  keys: readonly string[],
): string | undefined {
  const required = schema?.requiredArguments ?? []
  if (required.length > 0) return `the arguments of ${name} are missing: its schema requires ${required.join(', ')}`
  const loose = keys.filter((key) => !ENVELOPE.includes(key) && schema?.names(key) === true)
  return loose.length === 0
    ? undefined
    : `the arguments of ${name} are missing: ${loose.join(', ')} must be in "arguments", not next to the name`
}

/** Names that an argument must not have, at any depth. */
export const UNSAFE_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Deepest nesting that is searched. Arguments are never deeper. */
const DEEPEST = 1024

/** Arguments after the repairs, or why there is no call. */
export type Repaired =
  | { readonly input: Readonly<Record<string, unknown>> }
  | { readonly dropped: string }
  | { readonly malformed: string }

/** Repairs the arguments of a call of a tool with a schema, or without one. `fixes` takes what is repaired. */
export function repaired(
  arguments_: Readonly<Record<string, unknown>>,
  format: Format,
  schema: Schema | undefined,
  fixes: Set<Repair>,
): Repaired {
  const { repairs = [] } = format
  let input = arguments_
  const unsafe = repairs.includes('drop-unsafe') ? unsafeName(input) : undefined
  if (unsafe !== undefined) return { dropped: `an argument is named ${unsafe}` }
  const strange = onlyStrangers(Object.keys(input), format, schema)
  if (strange !== undefined) return { malformed: strange }
  if (repairs.includes('drop-unknown') && schema !== undefined) input = filtered(input, (key) => schema.keeps(key))
  const missing = repairs.includes('require-arguments')
    ? schema?.requiredArguments.find((key) => !Object.hasOwn(input, key))
    : undefined
  const hasDropped = Object.keys(input).length < Object.keys(arguments_).length
  if (missing !== undefined) return { malformed: `the argument ${JSON.stringify(missing)} is missing` }
  if (hasDropped) fixes.add('drop-unknown')
  return { input }
}

/**
 * What is wrong with arguments that a row would leave out, if it would leave out all: the tool would run with nothing.
 */
export function onlyStrangers(
  names: readonly string[],
  { repairs = [] }: Format,
  schema: Schema | undefined,
): string | undefined {
  if (!repairs.includes('drop-unknown') || schema === undefined || schema.listed?.length === 0 || names.length === 0)
    return undefined
  return names.some((name) => schema.keeps(name)) ? undefined : `its schema has no ${names.join(', ')}`
}

/** The first name at any depth that an object must not have. */
export function unsafeName(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = isRecord(value) && UNSAFE_NAMES.includes(key) ? key : unsafeName(inner, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function filtered(
  input: Readonly<Record<string, unknown>>,
  keeps: (key: string) => boolean,
): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(input)) if (keeps(key)) put(kept, key, value)
  return kept
}
