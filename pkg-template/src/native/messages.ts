// The list of the messages that go back, by provider, in a list of their own: who reads only blocks has none of them.
//
// Source: spec/message.md, 1 to 8.

import { type Fields, fieldsOf, listOf } from '../untrusted.js'
import type { ProviderName } from '../provider-name.js'
import { AgUiMessage } from './ag-ui.js'
import { AiSdkMessage } from './ai-sdk.js'
import { AnthropicMessage } from './anthropic.js'
import { BedrockMessage } from './bedrock.js'
import { CohereMessage } from './cohere.js'
import { CohereV1Message } from './cohere-v1.js'
import { GeminiMessage } from './gemini.js'
import { InteractionsMessage } from './interactions.js'
import { OllamaMessage } from './ollama.js'
import { OpenAIMessage } from './openai.js'
import { ResponsesMessage } from './openai-responses.js'
import type { MessageDraft } from './provider.js'

/** By the names of providers. */
export const MESSAGES: Readonly<Record<ProviderName, new () => MessageDraft>> = {
  openaiResponses: ResponsesMessage,
  bedrock: BedrockMessage,
  interactions: InteractionsMessage,
  gemini: GeminiMessage,
  ollama: OllamaMessage,
  cohere: CohereMessage,
  cohereV1: CohereV1Message,
  aiSdk: AiSdkMessage,
  agUi: AgUiMessage,
  anthropic: AnthropicMessage,
  openai: OpenAIMessage,
  mistral: OpenAIMessage,
}

/** A message as the whole reply of its provider, which a draft reads. */
export function asReply(provider: ProviderName, message: object): Fields {
  switch (provider) {
    case 'gemini':
      return { candidates: [{ content: message }] }
    case 'bedrock':
      return { output: { message } }
    case 'openaiResponses':
      return { output: message }
    case 'interactions':
      return { steps: message }
    case 'agUi':
      return { messages: message }
    case 'ollama':
    case 'cohere':
      return { message }
    case 'aiSdk': {
      const content = listOf((message as Fields)['content']).map((part) => fieldsOf(part) ?? {})
      // Only results of tools that the provider has run are in it.
      return {
        content: content.map((part) => (part['type'] === 'tool-result' ? { ...part, providerExecuted: true } : part)),
      }
    }
    default:
      return message as Fields
  }
}
