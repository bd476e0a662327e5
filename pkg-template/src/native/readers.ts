// The providers. A new one is a file with a class of the form of `Provider`, a row
// here, and a row in ending.ts.

import type { Fields } from '../untrusted.js'
import { AgUiReader } from './ag-ui.js'
import { AiSdkReader } from './ai-sdk.js'
import { AnthropicReader } from './anthropic.js'
import { BedrockReader } from './bedrock.js'
import { CohereReader } from './cohere.js'
import { GeminiReader } from './gemini.js'
import { InteractionsReader } from './interactions.js'
import { OllamaReader } from './ollama.js'
import { OpenAIReader } from './openai.js'
import { ResponsesReader } from './openai-responses.js'
import type { BlockOrder } from './order.js'
import { PROVIDERS } from '../provider-name.js'
import type { Provider } from './provider.js'

/** By the names of their methods: the compiler asks for those of `PROVIDERS`, and refuses any other. */
export const READERS = {
  openaiResponses: ResponsesReader,
  bedrock: BedrockReader,
  interactions: InteractionsReader,
  gemini: GeminiReader,
  ollama: OllamaReader,
  cohere: CohereReader,
  aiSdk: AiSdkReader,
  agUi: AgUiReader,
  anthropic: AnthropicReader,
  openai: OpenAIReader,
  // Its chunks are those of OpenAI, as which they are recognized.
  mistral: OpenAIReader,
} satisfies Record<(typeof PROVIDERS)[number], { new (order: BlockOrder): Provider; isEvent(object: Fields): boolean }>

/** Whether an object has the shape of a stream event of any of them. */
export function isStreamEvent(object: Fields): boolean {
  return PROVIDERS.some((name) => READERS[name].isEvent(object))
}
