// The options of tool-call parsers, checked once.

import { describe, requireBoolean, requireFunction, requireOptions } from '../errors.js'
import { maxPendingOf, requireMaxPending } from '../max-pending.js'
import { own } from '../own.js'
import type { HermesProtocolOptions, ToolCallOptions } from './types.js'

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  onMalformed: ['text', 'drop', 'invalid-call'],
  unknownTools: ['call', 'text'],
  reasoning: ['parts', 'text', 'search'],
  fences: ['parse', 'text'],
}

/** The options of a protocol. */
export const PROTOCOL_OPTIONS: readonly string[] = [
  'toolInputDeltas',
  'onMalformed',
  'unknownTools',
  'coerce',
  'generateId',
  'maxPending',
  'reasoning',
  'startWithThinking',
  'fences',
]

/** The options of a parser. */
export const PARSER_OPTIONS: readonly string[] = [...PROTOCOL_OPTIONS, 'onError', 'onRepair', 'originalToolSchemas']

const TAG_OPTIONS = ['toolCallStart', 'toolCallEnd', 'toolResponseStart', 'toolResponseEnd'] as const

/** The options of `hermesProtocol`. */
export const HERMES_OPTIONS: readonly string[] = [...PROTOCOL_OPTIONS, ...TAG_OPTIONS]

/** The options of `morphXmlProtocol`. */
export const MORPH_OPTIONS: readonly string[] = [...PROTOCOL_OPTIONS, 'linePrefixed']

/** Options with their defaults. */
export type ResolvedOptions = Required<
  Pick<
    ToolCallOptions,
    | 'toolInputDeltas'
    | 'onMalformed'
    | 'unknownTools'
    | 'coerce'
    | 'generateId'
    | 'maxPending'
    | 'reasoning'
    | 'startWithThinking'
    | 'fences'
  >
> &
  Pick<ToolCallOptions, 'onError' | 'onRepair' | 'originalToolSchemas'>

/**
 * Refuses options that can't be; `checkedElsewhere` are those that have other values here.
 *
 * @throws TypeError that names the option.
 */
export function checkOptions(
  place: string,
  options: object | undefined,
  known: readonly string[],
  checkedElsewhere: readonly string[] = [],
): void {
  requireOptions(place, options, known)
  const option = (name: string) => own(options, name)
  for (const name of ['toolInputDeltas', 'coerce', 'startWithThinking', 'linePrefixed'])
    requireBoolean(`${place}: ${name}`, option(name))
  for (const name of ['generateId', 'onError', 'onRepair']) requireFunction(`${place}: ${name}`, option(name))
  for (const [name, choices] of Object.entries(CHOICES)) {
    if (checkedElsewhere.includes(name)) continue
    const value = option(name)
    if (value !== undefined && !choices.includes(value as string))
      throw new TypeError(`${place}: ${name} must be one of ${choices.join(', ')}, but is ${describe(value)}`)
  }
  if (option('startWithThinking') === true && option('reasoning') === 'search')
    throw new TypeError(
      `${place}: startWithThinking goes with reasoning 'parts' or 'text', but reasoning is 'search', which ` +
        `looks for none`,
    )
  requireMaxPending(`${place}: maxPending`, option('maxPending'))
  const schemas = option('originalToolSchemas')
  if (schemas !== undefined && (typeof schemas !== 'object' || schemas === null))
    throw new TypeError(
      `${place}: originalToolSchemas must be an object of schemas by tool name, but is ${describe(schemas)}`,
    )
  for (const name of TAG_OPTIONS) {
    const value = known.includes(name) ? option(name) : undefined
    if (value !== undefined && typeof value !== 'string')
      throw new TypeError(`${place}: ${name} must be a string, but is ${describe(value)}`)
  }
}

/**
 * The options of one parser: its own, then the protocol's, then the defaults. An option that is `undefined` isn't
 * given.
 */
export function resolveOptions(own: ToolCallOptions = {}, protocol: HermesProtocolOptions = {}): ResolvedOptions {
  return {
    toolInputDeltas: own.toolInputDeltas ?? protocol.toolInputDeltas ?? true,
    onMalformed: own.onMalformed ?? protocol.onMalformed ?? 'text',
    unknownTools: own.unknownTools ?? protocol.unknownTools ?? 'call',
    coerce: own.coerce ?? protocol.coerce ?? true,
    generateId: safeId(own.generateId ?? protocol.generateId),
    maxPending: maxPendingOf(own.maxPending ?? protocol.maxPending),
    reasoning: own.reasoning ?? protocol.reasoning ?? 'parts',
    startWithThinking: own.startWithThinking ?? protocol.startWithThinking ?? false,
    fences: own.fences ?? protocol.fences ?? 'parse',
    onError: own.onError,
    onRepair: own.onRepair,
    originalToolSchemas: own.originalToolSchemas,
  }
}

/**
 * A program's generator of ids. Where it throws, or gives no id, a random one lets the call out, and it is said once.
 */
function safeId(generateId: ToolCallOptions['generateId']): (kind: 'call' | 'text' | 'reasoning') => string {
  if (generateId === undefined) return randomId
  let hasThrown = false
  return (kind) => {
    try {
      const id: unknown = generateId(kind)
      if (typeof id === 'string' && id !== '') return id
      throw new TypeError(`generateId must return a string that is not empty, but returned ${describe(id)}`)
    } catch (error) {
      if (!hasThrown) console.error('tokenweir: generateId threw an error, which is passed over:', error)
      hasThrown = true
      return randomId(kind)
    }
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `call_` and 24 letters and digits for a call, 16 for a text and for reasoning. */
function randomId(kind: 'call' | 'text' | 'reasoning'): string {
  let id = kind === 'call' ? 'call_' : ''
  for (let left = kind === 'call' ? 24 : 16; left > 0; left--)
    id += LETTERS[Math.floor(Math.random() * LETTERS.length)] as string
  return id
}
