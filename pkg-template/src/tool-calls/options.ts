// The options of tool-call parsers, checked once.

import { describe } from '../errors.js'
import { maxPendingOf, pendingUnits } from '../max-pending.js'
import { type OptionTable, callback, checkOptions, choice, flag, must, resolveOptions, text } from '../options.js'
import type { HermesProtocolOptions, MorphXmlProtocolOptions, ProtocolOptions, ToolCallOptions } from './types.js'

/** The options of a protocol. */
export const PROTOCOL_OPTIONS = {
  toolInputDeltas: [flag, true],
  onMalformed: [choice('text', 'drop', 'invalid-call'), 'text'],
  unknownTools: [choice('call', 'text'), 'call'],
  coerce: [flag, true],
  generateId: [callback],
  maxPending: [pendingUnits],
  reasoning: [choice('parts', 'text', 'search'), 'parts'],
  startWithThinking: [flag, false],
  fences: [choice('parse', 'text'), 'parse'],
} satisfies OptionTable<ProtocolOptions>

/** The options of a parser. */
export const PARSER_OPTIONS = {
  ...PROTOCOL_OPTIONS,
  onError: [callback],
  onRepair: [callback],
  originalToolSchemas: [
    must('an object of schemas by tool name', (schemas) => typeof schemas === 'object' && schemas !== null),
  ],
} satisfies OptionTable<ToolCallOptions>

/** The options of `hermesProtocol`. */
export const HERMES_OPTIONS = {
  ...PROTOCOL_OPTIONS,
  toolCallStart: [text],
  toolCallEnd: [text],
  toolResponseStart: [text],
  toolResponseEnd: [text],
} satisfies OptionTable<HermesProtocolOptions>

/** The options of `morphXmlProtocol`. */
export const MORPH_OPTIONS = {
  ...PROTOCOL_OPTIONS,
  linePrefixed: [flag],
} satisfies OptionTable<MorphXmlProtocolOptions>

/** Options with their defaults. */
export type ResolvedOptions = Required<ProtocolOptions> &
  Pick<ToolCallOptions, 'onError' | 'onRepair' | 'originalToolSchemas'>

/**
 * Refuses options that can't be.
 *
 * @throws TypeError that names the option.
 */
export function checkCallOptions(place: string, options: object | undefined, table: OptionTable): void {
  checkOptions(place, options, table)
  const { startWithThinking, reasoning } = (options ?? {}) as ToolCallOptions
  if (startWithThinking === true && reasoning === 'search')
    throw new TypeError(
      `${place}: startWithThinking goes with reasoning 'parts' or 'text', but reasoning is 'search', which ` +
        `looks for none`,
    )
}

/**
 * The options of one parser: its own, then the protocol's, then the defaults. An option that is `undefined` isn't
 * given.
 */
export function resolveCallOptions(own: ToolCallOptions = {}, protocol: ProtocolOptions = {}): ResolvedOptions {
  const options = resolveOptions<ToolCallOptions, typeof PARSER_OPTIONS>(PARSER_OPTIONS, own, protocol)
  const { generateId, maxPending } = options
  return { ...options, generateId: safeId(generateId), maxPending: maxPendingOf(maxPending) } as ResolvedOptions
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
  // Joined, and not added one by one: the journal keeps ids, and V8 would keep each addition.
  const letters = Array.from({ length: kind === 'call' ? 24 : 16 }, () =>
    LETTERS.charAt(Math.floor(Math.random() * LETTERS.length)),
  )
  return (kind === 'call' ? 'call_' : '') + letters.join('')
}
