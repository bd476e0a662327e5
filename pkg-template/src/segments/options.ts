// Options of the segment parser, checked.

import { describe } from '../errors.js'
import {
  type OptionTable,
  callback,
  checkOptions,
  elsewhere,
  flag,
  must,
  resolveOptions,
  text,
  word,
} from '../options.js'
import { Absent, Limit, SEGMENT_PROFILES, SegmentFlag } from '../generated/ops.js'
import { maxPendingOf, pendingUnits } from '../max-pending.js'
import { segmentBorder } from '../wasm/borders.js'
import { isSignature } from '../wasm/segments.js'
import { MARKERS_OF, checkJsonProfile, checkMarkers, environmentStrategy, namedStrategy } from './profiles.js'
import { type StateTable, checkStates } from './states.js'
import { isKnownType, type KnownTools, knownTools } from './tool-list.js'
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

/** The id of a turn. */
export const turn = must('a string that is not empty', (value) => typeof value === 'string' && value !== '')

/** What reads JSON tools. */
export const jsonParser = must('an object with a method parse', isJsonToolParser)

const OPTIONS = {
  strategy: [elsewhere],
  strategyOrder: [elsewhere],
  parseToolCalls: [flag, true],
  segmentIdPrefix: [text, ''],
  jsonProfile: [checkJsonProfile, 'default'],
  toolStates: [elsewhere],
  tools: [elsewhere],
  fences: [word('parse', 'text'), 'parse'],
  reasoning: [word('parts', 'text', 'search'), 'parts'],
  acceptUnterminated: [flag, false],
  maxPending: [pendingUnits],
  spans: [flag, false],
  eventStyle: [word('plain', 'autobyteus'), 'plain'],
  turnId: [turn],
  jsonToolParser: [jsonParser],
  onError: [callback],
} satisfies OptionTable<SegmentConfig<SegmentEventStyle>>

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
  checkOptions(place, config, OPTIONS, '.')
  const given = resolveOptions<SegmentConfig<SegmentEventStyle>, typeof OPTIONS>(OPTIONS, config)
  const { parseToolCalls, jsonProfile, fences, reasoning, spans, eventStyle, turnId } = given
  if (spans && eventStyle === 'autobyteus')
    throw new TypeError(`${place}.spans must be false with eventStyle "autobyteus", whose events have none`)
  const markers = markersOf(place, given.strategy, given.strategyOrder)
  const tools = given.tools === undefined ? undefined : knownTools(`${place}.tools`, given.tools)
  // Without any tool there is nothing to look for, unless this parser has a state of its own.
  const states = checkStates(place, given.toolStates)
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
      profile: typeof jsonProfile === 'string' ? SEGMENT_PROFILES.indexOf(jsonProfile) : Absent.SegmentProfile,
      signatures: typeof jsonProfile === 'string' ? [] : checkSignatures(`${place}.jsonProfile`, jsonProfile),
    },
    states,
    tools,
    jsonProfile,
    prefix: given.segmentIdPrefix,
    acceptUnterminated: given.acceptUnterminated,
    maxPending: maxPendingOf(given.maxPending),
    spans,
    hasObjects: eventStyle === 'autobyteus',
    turnId,
    asAutobyteus: eventStyle === 'autobyteus' && turnId !== undefined,
    jsonToolParser: given.jsonToolParser,
    onError: given.onError?.bind(config),
  }
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
