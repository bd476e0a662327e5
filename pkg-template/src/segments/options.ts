// Options of the segment front-end, checked.

import { describe, requireBoolean, requireFunction, requireOptions, requireString } from '../errors.js'
import { maxPendingOf, requireMaxPending } from '../max-pending.js'
import { engine } from '../wasm/engine.js'
import { NO_PROFILE, isSignature } from '../wasm/segments.js'
import { MARKERS_OF, checkJsonProfile, checkMarkers, environmentStrategy, namedStrategy } from './profiles.js'
import { type StateTable, checkStates } from './states.js'
import type { JsonProfile, SegmentConfig, SegmentError, SegmentMarker } from './types.js'

/** What a parser needs to know. */
export interface Settings {
  /** How the machine begins: see `segment_start` in src/wasm/segment.rs. */
  readonly machine: { readonly flags: number; readonly profile: number; readonly signatures: readonly string[] }
  readonly states: StateTable | undefined
  readonly jsonProfile: JsonProfile
  readonly prefix: string
  readonly acceptUnterminated: boolean
  readonly maxPending: number
  readonly spans: boolean
  readonly onError: ((error: SegmentError) => void) | undefined
}

const OPTIONS = [
  'strategy',
  'strategyOrder',
  'parseToolCalls',
  'segmentIdPrefix',
  'jsonProfile',
  'toolStates',
  'fences',
  'acceptUnterminated',
  'maxPending',
  'spans',
  'onError',
]

// The flags of `segment_start`.
const FLAG_OF: Readonly<Record<SegmentMarker, number>> = { xml_tag: 1, json_tool: 2, sentinel: 4 }
const SKIPS_CODE = 8

// The numbers of `Profile` in src/segment/signature.rs.
const PROFILES = { default: 0, openai: 1, gemini: 2 } as const

const MOST_SIGNATURES = 16

/** Checks options; `place` names who was given them. */
export function settingsOf(place: string, config: SegmentConfig | undefined): Settings {
  engine.requireReady(place)
  requireOptions(place, config, OPTIONS)
  const { strategy, strategyOrder, parseToolCalls = true, segmentIdPrefix = '', jsonProfile = 'default', toolStates } = config ?? {}
  const { fences = 'parse', acceptUnterminated = false, maxPending, spans = false, onError } = config ?? {}
  for (const [name, value] of Object.entries({ parseToolCalls, acceptUnterminated, spans })) requireBoolean(`${place}.${name}`, value)
  requireString(`${place}.segmentIdPrefix`, segmentIdPrefix)
  requireFunction(`${place}.onError`, onError)
  requireMaxPending(`${place}.maxPending`, maxPending)
  if (fences !== 'parse' && fences !== 'text') throw new TypeError(`${place}.fences must be "parse" or "text", but is ${describe(fences)}`)
  const profile = checkJsonProfile(`${place}.jsonProfile`, jsonProfile)
  const markers = markersOf(place, strategy, strategyOrder)
  const looked = parseToolCalls ? markers : []
  return {
    machine: {
      flags: looked.reduce((flags, marker) => flags | FLAG_OF[marker], 0) | (fences === 'text' ? SKIPS_CODE : 0),
      profile: typeof profile === 'string' ? PROFILES[profile] : NO_PROFILE,
      signatures: typeof profile === 'string' ? [] : checkSignatures(`${place}.jsonProfile`, profile),
    },
    states: checkStates(place, toolStates),
    jsonProfile: profile,
    prefix: segmentIdPrefix,
    acceptUnterminated,
    maxPending: maxPendingOf(maxPending),
    spans,
    onError: onError?.bind(config),
  }
}

/** The markers to look for. All of an order are looked for at once: no two can begin at the same place. */
function markersOf(place: string, strategy: unknown, order: unknown): readonly SegmentMarker[] {
  const named = strategy === undefined ? undefined : namedStrategy(`${place}.strategy`, strategy)
  if (order === undefined) return MARKERS_OF[named ?? environmentStrategy() ?? 'xml']
  const markers = checkMarkers(`${place}.strategyOrder`, order)
  return named === 'api_tool_call' ? [] : markers
}

/** Without white space outside strings, which doesn't count in a text either. */
function checkSignatures(place: string, signatures: readonly string[]): readonly string[] {
  if (signatures.length > MOST_SIGNATURES) throw new TypeError(`${place} must be at most ${MOST_SIGNATURES} signatures, but is ${describe(signatures)}`)
  return signatures.map((signature, at) => {
    const bare = signature.replace(/("(?:[^"\\]|\\.)*"?)|[ \t\r\n]+/g, '$1')
    if (!isSignature(bare)) {
      throw new TypeError(`${place}[${at}] must have a quoted key and be at most 64 bytes, such as ${JSON.stringify('{"tool":')}, but is ${describe(signature)}`)
    }
    return bare
  })
}
