// What a row's repairs make of a call's arguments.
//
// Source: spec/format.md, "Repairs".

import type { Format } from '../formats/types.js'
import { isRecord, put } from '../own.js'
import type { Schema } from '../schema/schema.js'
import type { Repair } from './types.js'

/** Names that an argument must not have, at any depth. */
export const UNSAFE_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Deepest nesting that is searched. Arguments are never deeper. */
const DEEPEST = 1024

/** Arguments after the repairs, or why there is no call. */
export type Repaired =
  | { readonly input: Readonly<Record<string, unknown>>; readonly fixes: readonly Repair[] }
  | { readonly dropped: string }
  | { readonly malformed: string }

/** Repairs the arguments of a call of a tool with a schema, or without one. `fixes` says what was repaired before. */
export function repaired(
  arguments_: Readonly<Record<string, unknown>>,
  format: Format,
  schema: Schema | undefined,
  fixes: readonly Repair[] = [],
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
  if (missing === undefined) return { input, fixes: hasDropped ? [...fixes, 'drop-unknown'] : fixes }
  return { malformed: `the argument ${JSON.stringify(missing)} is missing` }
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
