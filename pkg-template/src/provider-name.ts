// The providers whose events are read.

/**
 * The providers, by the methods of `NativeBlocks` that read their events.
 *
 * @example
 * ```ts
 * import { NativeBlocks, type ProviderName } from 'tokenweir'
 *
 * const read = (provider: ProviderName, event: object) =>
 *   new NativeBlocks({ onChunk: (text) => console.log(text) })[provider](event)
 * read('ollama', { message: { role: 'assistant', content: 'Hello' }, done: false }) // Hello
 * ```
 */
export type ProviderName =
  | 'anthropic'
  | 'openai'
  | 'openaiResponses'
  | 'aiSdk'
  | 'gemini'
  | 'interactions'
  | 'bedrock'
  | 'cohere'
  | 'cohereV1'
  | 'ollama'
  | 'mistral'
  | 'agUi'

/** Their names. Of those that read as much of an event the first one counts. */
export const PROVIDERS = [
  ...(['openaiResponses', 'interactions', 'ollama', 'cohere', 'aiSdk'] as const),
  ...(['anthropic', 'openai', 'gemini', 'bedrock', 'mistral', 'agUi', 'cohereV1'] as const),
] as const satisfies readonly ProviderName[]
