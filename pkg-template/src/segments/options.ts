// Options of the segment parser, checked.

import { describe, requireBoolean, requireFunction, requireOptions, requireString } from '../errors.js'
import { Absent, Limit, SEGMENT_PROFILES, SegmentFlag } from '../generated/ops.js'
import { maxPendingOf, requireMaxPending } from '../max-pending.js'
import { segmentBorder } from '../wasm/borders.js'
import { isSignature } from '../wasm/segments.js'
import { MARKERS_OF, checkJsonProfile, checkMarkers, environmentStrategy, namedStrategy } from './profiles.js'
import { type StateTable, checkStates } from './states.js'
import { isKnownType } from './known-tools.js'
import { type KnownTools, knownTools } from './tool-list.js'
import type {
  JsonProfile,
  JsonToolParser,
  SegmentConfig,
  SegmentError,
  SegmentEventStyle,
  SegmentMarker,
} from './types.js'

/** What a parser needs to know. */
export interface Settings {
  /** How the machine begins: see `segment_start` in src/wasm/segment.rs. */
  readonly machine: { readonly flags: number; readonly profile: number; readonly signatures: readonly string[] }
  readonly states: StateTable | undefined
  /** Undefined: any tool may be called. */
  readonly tools: KnownTools | undefined
  readonly jsonProfile: JsonProfile
  readonly prefix: string
  readonly acceptUnterminated: boolean
  readonly maxPending: number
  readonly spans: boolean
  /** Whether events are objects as AutoByteus' are. */
  readonly hasObjects: boolean
  readonly turnId: string | undefined
  /** Whether calls are made as AutoByteus makes them since May 2026: with objects and a turn. */
  readonly asAutobyteus: boolean
  readonly jsonToolParser: JsonToolParser | undefined
  readonly onError: ((error: SegmentError) => void) | undefined
}

const OPTIONS = [
  'strategy',
  'strategyOrder',
  'parseToolCalls',
  'segmentIdPrefix',
  'jsonProfile',
  'toolStates',
  'tools',
  'fences',
  'reasoning',
  'acceptUnterminated',
  'maxPending',
  'spans',
  'eventStyle',
  'turnId',
  'jsonToolParser',
  'onError',
]

const FLAG_OF: Readonly<Record<SegmentMarker, number>> = {
  xml_tag: SegmentFlag.Xml,
  json_tool: SegmentFlag.Json,
  sentinel: SegmentFlag.Sentinel,
}

/** How reasoning in the text is read. */
const REASONING_FLAGS: Readonly<Record<NonNullable<SegmentConfig['reasoning']>, number>> = {
  parts: SegmentFlag.ReasoningParts,
  text: SegmentFlag.ReasoningText,
  search: 0,
}

/** Checks options; `place` names who was given them. */
export function settingsOf(place: string, config: SegmentConfig<SegmentEventStyle> | undefined): Settings {
  segmentBorder.requireReady(place)
  requireOptions(place, config, OPTIONS)
  const {
    strategy,
    strategyOrder,
    parseToolCalls = true,
    segmentIdPrefix = '',
    jsonProfile = 'default',
    toolStates,
  } = config ?? {}
  const {
    fences = 'parse',
    reasoning = 'parts',
    acceptUnterminated = false,
    maxPending,
    spans = false,
    eventStyle = 'plain',
    turnId,
    jsonToolParser,
    onError,
  } = config ?? {}
  for (const [name, value] of Object.entries({ parseToolCalls, acceptUnterminated, spans }))
    requireBoolean(`${place}.${name}`, value)
  requireString(`${place}.segmentIdPrefix`, segmentIdPrefix)
  requireFunction(`${place}.onError`, onError)
  requireMaxPending(`${place}.maxPending`, maxPending)
  if (fences !== 'parse' && fences !== 'text')
    throw new TypeError(`${place}.fences must be "parse" or "text", but is ${describe(fences)}`)
  if (typeof reasoning !== 'string' || !Object.hasOwn(REASONING_FLAGS, reasoning))
    throw new TypeError(`${place}.reasoning must be "parts", "text" or "search", but is ${describe(reasoning)}`)
  if (eventStyle !== 'plain' && eventStyle !== 'autobyteus')
    throw new TypeError(`${place}.eventStyle must be "plain" or "autobyteus", but is ${describe(eventStyle)}`)
  if (turnId !== undefined) requireTurn(`${place}.turnId`, turnId)
  if (spans && eventStyle === 'autobyteus')
    throw new TypeError(`${place}.spans must be false with eventStyle "autobyteus", whose events have none`)
  const profile = checkJsonProfile(`${place}.jsonProfile`, jsonProfile)
  const markers = markersOf(place, strategy, strategyOrder)
  const tools = config?.tools === undefined ? undefined : knownTools(`${place}.tools`, config.tools)
  // Without any tool there is nothing to look for, unless this parser has a state of its own.
  const states = checkStates(place, toolStates)
  const hasTools = tools?.isEmpty !== true || [...(states?.values() ?? [])].some((state) => state !== null)
  const looked = parseToolCalls && hasTools ? markers : []
  const flags = [
    ...looked.map((marker) => FLAG_OF[marker]),
    ...(fences === 'text' ? [SegmentFlag.SkipsCode] : []),
    parseToolCalls ? REASONING_FLAGS[reasoning] : 0,
    ...(tools === undefined ? [] : [SegmentFlag.ToolsAreListed]),
    ...(isKnownType('write_file', tools) ? [] : [SegmentFlag.LacksFile]),
    ...(isKnownType('run_bash', tools) ? [] : [SegmentFlag.LacksCommand]),
  ]
  return {
    machine: {
      flags: flags.reduce((all, flag) => all | flag, 0),
      profile: typeof profile === 'string' ? SEGMENT_PROFILES.indexOf(profile) : Absent.SegmentProfile,
      signatures: typeof profile === 'string' ? [] : checkSignatures(`${place}.jsonProfile`, profile),
    },
    states,
    tools,
    jsonProfile: profile,
    prefix: segmentIdPrefix,
    acceptUnterminated,
    maxPending: maxPendingOf(maxPending),
    spans,
    hasObjects: eventStyle === 'autobyteus',
    turnId,
    asAutobyteus: eventStyle === 'autobyteus' && turnId !== undefined,
    jsonToolParser: checkJsonToolParser(`${place}.jsonToolParser`, jsonToolParser),
    onError: onError?.bind(config),
  }
}

/** Checks the id of a turn. */
export function requireTurn(place: string, turnId: unknown): asserts turnId is string {
  if (typeof turnId !== 'string' || turnId === '')
    throw new TypeError(`${place} must be a string that is not empty, but is ${describe(turnId)}`)
}

/** Checks what reads JSON tools: an object with a method `parse`. */
export function checkJsonToolParser(place: string, parser: unknown): JsonToolParser | undefined {
  if (parser === undefined || isJsonToolParser(parser)) return parser
  throw new TypeError(`${place} must be an object with a method parse, but is ${describe(parser)}`)
}

/** Whether something reads JSON tools. */
export function isJsonToolParser(value: unknown): value is JsonToolParser {
  return typeof (value as JsonToolParser | null | undefined)?.parse === 'function'
}

/** The markers to look for. All of an order are looked for together: no two can begin at the same place. */
function markersOf(place: string, strategy: unknown, order: unknown): readonly SegmentMarker[] {
  const named = strategy === undefined ? undefined : namedStrategy(`${place}.strategy`, strategy)
  if (order === undefined) return MARKERS_OF[named ?? environmentStrategy() ?? 'xml']
  const markers = checkMarkers(`${place}.strategyOrder`, order)
  return named === 'api_tool_call' ? [] : markers
}

/** Without white space outside strings, which doesn't count in a text either. */
function checkSignatures(place: string, signatures: readonly string[]): readonly string[] {
  if (signatures.length > Limit.Signatures)
    throw new TypeError(`${place} must be at most ${Limit.Signatures} signatures, but is ${describe(signatures)}`)
  return signatures.map((signature, at) => {
    const bare = signature.replace(/("(?:[^"\\]|\\.)*"?)|[ \t\r\n]+/g, '$1')
    if (!isSignature(bare)) {
      throw new TypeError(
        `${place}[${at}] must have a quoted key and be at most ${Limit.SignatureBytes} bytes, such as ` +
          `${JSON.stringify('{"tool":')}, but is ${describe(signature)}`,
      )
    }
    return bare
  })
}
