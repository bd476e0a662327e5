// The messages of other providers as the AI SDK's: what they sign or encrypt is in `providerOptions`, under the names
// that the AI SDK's providers look for.
//
// Source: @ai-sdk/anthropic, amazon-bedrock, google, openai: what they make of `providerOptions`.

import type { ProviderName } from '../provider-name.js'
import { type Fields, fieldsOf, listOf, stringOf } from '../untrusted.js'
import { SHAPES, partsOf, sdkCall } from './loop-shapes.js'
import type { AnsweredCall } from './loop-turn.js'

/** Options that have a value, by the provider whose they are; undefined if none has. */
function optionsOf(provider: string, options: Fields): object | undefined {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return given.length === 0 ? undefined : { [provider]: Object.fromEntries(given) }
}

/** A part of the AI SDK. */
function part(type: 'text' | 'reasoning', text: unknown, provider: string, options: Fields): object {
  const providerOptions = optionsOf(provider, options)
  return { type, text: stringOf(text), ...(providerOptions && { providerOptions }) }
}

/** The texts of a list of parts, as one. */
const joined = (parts: unknown) => textsIn(parts).join('')
const textsIn = (parts: unknown) => listOf(parts).map((each) => stringOf(fieldsOf(each)?.['text']))

/** What an element of a message is in the AI SDK. Calls are not. */
type Reader = (element: Fields) => object[]

/** By provider, and the options that a call has. */
const READERS: Readonly<
  Partial<Record<ProviderName, { readonly parts: Reader; readonly call?: (element: Fields) => [string, Fields] }>>
> = {
  anthropic: {
    parts: ({ type, text, thinking, signature, data }) =>
      type === 'text'
        ? [part('text', text, 'anthropic', {})]
        : type === 'thinking'
          ? [part('reasoning', thinking, 'anthropic', { signature })]
          : type === 'redacted_thinking'
            ? [part('reasoning', '', 'anthropic', { redactedData: data })]
            : [],
  },
  bedrock: {
    parts: ({ text, reasoningContent }) => {
      if (typeof text === 'string') return [part('text', text, 'bedrock', {})]
      const reasoning = fieldsOf(reasoningContent)
      if (reasoning === undefined) return []
      const { text: thinking, signature } = fieldsOf(reasoning['reasoningText']) ?? {}
      return [part('reasoning', thinking, 'bedrock', { signature, redactedData: reasoning['redactedContent'] })]
    },
  },
  gemini: {
    parts: ({ text, thought, thoughtSignature }) =>
      typeof text === 'string'
        ? [part(thought === true ? 'reasoning' : 'text', text, 'google', { thoughtSignature })]
        : [],
    call: ({ thoughtSignature }) => ['google', { thoughtSignature }],
  },
  interactions: {
    parts: ({ type, content, summary, signature }) =>
      type === 'model_output'
        ? [part('text', joined(content), 'google', {})]
        : type === 'thought'
          ? [part('reasoning', joined(summary), 'google', { signature })]
          : [],
    call: ({ signature }) => ['google', { signature }],
  },
  openaiResponses: {
    parts: ({ type, id, phase, content, summary, encrypted_content }) => {
      if (type === 'message') return textsIn(content).map((text) => part('text', text, 'openai', { itemId: id, phase }))
      if (type !== 'reasoning') return []
      const thoughts = [...textsIn(summary), ...textsIn(content)]
      const options = { itemId: id, reasoningEncryptedContent: encrypted_content }
      return (thoughts.length === 0 ? [''] : thoughts).map((text) => part('reasoning', text, 'openai', options))
    },
    call: ({ id }) => ['openai', { itemId: id }],
  },
}

/** The AI SDK's message for that of another provider; undefined if this provider signs nothing. */
export function sdkMessages(
  provider: ProviderName,
  sent: object,
  calls: readonly AnsweredCall[],
  isWanted: (part: object) => boolean,
): object[] | undefined {
  const reader = READERS[provider]
  if (reader === undefined) return undefined
  const content = partsOf(SHAPES[provider], sent).flatMap((each) => {
    const element = fieldsOf(each) ?? {}
    const call = calls.find((call) => call.sent === element)
    if (call === undefined) return reader.parts(element).filter(isWanted)
    const options = reader.call?.(element)
    return [sdkCall(call, options && optionsOf(...options))]
  })
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}
