// How to find tools, by what is asked for, by the environment, by the provider.
//
// Source: seeds/000, "Parser Strategy Selection"; spec/segment.md, "API".
// Differences: AutoByteus' factory never reaches the choice by provider, and
// calls unknown names in the environment "not set"; `native` works here as the
// seed says.

import { environmentVariable } from '../platform.js'
import { describe, requireString } from '../errors.js'
import { must } from '../options.js'
import type { JsonProfile, SegmentMarker, SegmentStrategy } from './types.js'

/** The strategies without the alias `native`. */
export type Strategy = Exclude<SegmentStrategy, 'native'>

/** The profiles that have a name. */
export type NamedJsonProfile = Extract<JsonProfile, string>

const STRATEGIES: readonly SegmentStrategy[] = ['xml', 'json', 'sentinel', 'api_tool_call', 'native']
const MARKERS: readonly SegmentMarker[] = ['xml_tag', 'json_tool', 'sentinel']
const JSON_PROFILES: readonly NamedJsonProfile[] = ['openai', 'gemini', 'default']

/** The environment variable that names a strategy. */
const VARIABLE = 'AUTOBYTEUS_STREAM_PARSER'

/** The markers that a strategy looks for. */
export const MARKERS_OF: Readonly<Record<Strategy, readonly SegmentMarker[]>> = {
  xml: ['xml_tag'],
  json: ['json_tool'],
  sentinel: ['sentinel'],
  api_tool_call: [],
}

/** Providers that are asked to write tools in another form than the rest. */
const STRATEGY_OF_PROVIDER: ReadonlyMap<string, Strategy> = new Map([['anthropic', 'xml']])
const JSON_PROFILE_OF_PROVIDER: ReadonlyMap<string, NamedJsonProfile> = new Map([
  ['openai', 'openai'],
  ['mistral', 'openai'],
  ['deepseek', 'openai'],
  ['grok', 'openai'],
  ['gemini', 'gemini'],
])

/** What a strategy is chosen by. */
export interface StrategyChoice {
  readonly provider?: string | undefined
  /** A strategy's name, in any case, white space around it. */
  readonly parser?: string | undefined
}

/**
 * The strategy that was asked for; else the one that the environment names; else the provider's; else `xml`.
 *
 * @throws TypeError if a name is unknown; `place` names who was given it.
 */
export function strategyFor({ provider, parser }: StrategyChoice, place = 'streamingResponseHandlerFor'): Strategy {
  const name = providerName(place, provider)
  if (parser !== undefined) return namedStrategy(`${place}.parser`, parser)
  return environmentStrategy() ?? (name === undefined ? 'xml' : (STRATEGY_OF_PROVIDER.get(name) ?? 'json'))
}

/** The profile of a provider's JSON tools. */
export function jsonProfileFor(provider: string | undefined, place = 'streamingResponseHandlerFor'): NamedJsonProfile {
  const name = providerName(place, provider)
  return (name === undefined ? undefined : JSON_PROFILE_OF_PROVIDER.get(name)) ?? 'default'
}

/** The strategy of a name. @throws TypeError if there is none; `place` says where the name is from. */
export function namedStrategy(place: string, name: unknown): Strategy {
  const strategy =
    typeof name === 'string' ? STRATEGIES.find((known) => known === name.trim().toLowerCase()) : undefined
  if (strategy === undefined) throw new TypeError(`${place} must be ${either(STRATEGIES)}, but is ${describe(name)}`)
  return strategy === 'native' ? 'api_tool_call' : strategy
}

/**
 * The strategy that the environment names, where there is an environment and it names one. @throws TypeError if it is
 * unknown.
 */
export function environmentStrategy(): Strategy | undefined {
  const name = environmentVariable(VARIABLE)
  return name === undefined || name.trim() === ''
    ? undefined
    : namedStrategy(`the environment variable ${VARIABLE}`, name)
}

/** Checks the markers to look for. */
export function checkMarkers(place: string, order: unknown): readonly SegmentMarker[] {
  if (!Array.isArray(order))
    throw new TypeError(`${place} must be an array of ${MARKERS.join(', ')}, but is ${describe(order)}`)
  order.forEach((name, at) => {
    if (!MARKERS.includes(name as SegmentMarker))
      throw new TypeError(`${place}[${at}] must be ${either(MARKERS)}, but is ${describe(name)}`)
  })
  return [...new Set(order as SegmentMarker[])]
}

/** Checks a profile: a known name, or texts that tools begin with. */
export function checkJsonProfile(place: string, profile: unknown): void {
  if (!Array.isArray(profile)) return profileName(place, profile)
  for (const [at, signature] of (profile as readonly unknown[]).entries()) jsonBegin(`${place}[${at}]`, signature)
}

const profileName = must(`${either(JSON_PROFILES)}, or an array of how tools begin`, (profile) =>
  JSON_PROFILES.includes(profile as NamedJsonProfile),
)
const jsonBegin = must(
  `how a tool begins, such as ${JSON.stringify('{"tool":')}, with { or [ first`,
  (signature) => typeof signature === 'string' && /^\s*[[{]/.test(signature),
)

/** `a, b or c`. */
function either(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function providerName(place: string, provider: unknown): string | undefined {
  if (provider === undefined) return undefined
  requireString(`${place}.provider`, provider)
  const name = provider.trim().toLowerCase()
  return name === '' ? undefined : name
}
