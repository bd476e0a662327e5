// The list of providers, and which of them an object is of.

import { PROVIDERS, type ProviderName } from '../provider-name.js'
import type { Fields } from '../untrusted.js'
import { agUi } from './ag-ui.js'
import { aiSdk } from './ai-sdk.js'
import { anthropic } from './anthropic.js'
import { bedrock } from './bedrock.js'
import type { NativeBlock } from './block.js'
import { cohere } from './cohere.js'
import { cohereV1 } from './cohere-v1.js'
import { Ending } from './ending.js'
import { gemini } from './gemini.js'
import { interactions } from './interactions.js'
import { ollama } from './ollama.js'
import { openai } from './openai.js'
import { openaiResponses } from './openai-responses.js'
import { ReplyDraft } from './order.js'
import type { Provider } from './provider.js'

/** By their names. */
export const ROWS = {
  openaiResponses,
  interactions,
  ollama,
  cohere,
  aiSdk,
  anthropic,
  openai,
  gemini,
  bedrock,
  // Its chunks are those of OpenAI, as which they are recognized.
  mistral: openai,
  agUi,
  cohereV1,
} as const satisfies Readonly<Record<ProviderName, Provider>>

/** What events may begin with, as text. */
export const EVENT_FRONTS = PROVIDERS.map((name) => (ROWS[name] as Provider).front)

/** Whether an object has the shape of a stream event of any of them. */
export function isStreamEvent(object: Fields): boolean {
  return PROVIDERS.some((name) => ['event', 'last'].includes(ROWS[name].shapeOf(object) ?? ''))
}

/**
 * The provider of an event: that of what was read before, if it may be and the reply has begun; else the one that names
 * its type; else the one that reads most of it. So no field that is odd decides it.
 */
export function providerOf(
  fields: Fields,
  last: ProviderName | undefined,
  hasBegun: boolean,
): ProviderName | undefined {
  if (last !== undefined && hasBegun && ROWS[last].shapeOf(fields) !== undefined) return last
  const matching = PROVIDERS.filter((name) => ROWS[name].shapeOf(fields) !== undefined)
  if (matching.length < 2) return matching[0]
  const isTyped = ({ isTyped, shapeOf }: Provider) => isTyped === true && shapeOf(fields) === 'event'
  const typed = matching.find((name) => isTyped(ROWS[name]))
  if (typed !== undefined) return typed
  const amounts = matching.map((name) => (name === last ? 0.5 : 0) + amountRead(ROWS[name], fields))
  return matching[amounts.indexOf(Math.max(...amounts))]
}

/** How much a provider's reader makes of an event: of its content above all, else of how the reply ended. */
function amountRead(provider: Provider, fields: Fields): number {
  const draft = new ReplyDraft()
  const reader = new provider.Reader(draft)
  const shape = provider.shapeOf(fields)
  if (shape === 'last' || (!reader.feed(fields) && shape !== 'event')) reader.whole(fields)
  const ending = new Ending()
  const { hasUsage } = ending.read(provider, fields)
  const hasReason = (ending.reason(false) ?? 'other') !== 'other'
  const size = ({ type, name, text }: NativeBlock) => 4 + (type === 'tool_call' ? name : text).length
  const content = draft.blocks.reduce((sum, block) => sum + size(block), 0)
  return content || (hasReason ? 2 : 0) + (hasUsage ? 1 : 0)
}
