// The AI SDK's own providers, which read recorded or written replies instead of a network.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'

/** What the recordings leave out, since it says nothing of texts and calls, and the providers insist on. */
const LEFT_OUT = {
  anthropic(event) {
    const usage = { input_tokens: 1, output_tokens: 1 }
    if (event.type === 'message_start') return { ...event, message: { model: 'claude', usage, ...event.message } }
    return event.type === 'message_delta' ? { usage, ...event } : event
  },
  openai: (event) => ({ created: 0, model: 'gpt', ...event }),
  openaiResponses(event, index) {
    const filled = { sequence_number: index, ...event }
    if (filled.response !== undefined) filled.response = { created_at: 0, model: 'gpt', usage: { input_tokens: 1, output_tokens: 1 }, ...filled.response }
    return filled
  },
  google: (event) => event,
}

/** Whether one of the packages reads a provider's events. */
export const isRead = (provider) => provider in MODELS

/** Reads the events of a provider as a model's stream of parts. Ids and times are the same each time. */
export async function partsOf(provider, events) {
  const fetch = async () => new Response(`${events.map(LEFT_OUT[provider]).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}${provider === 'openai' ? 'data: [DONE]\n\n' : ''}`, { headers: { 'content-type': 'text/event-stream' } })
  const { stream } = await MODELS[provider](fetch).doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] })
  const parts = []
  for await (const part of stream) parts.push(part)
  return parts
}

const SETTINGS = { apiKey: 'none', baseURL: 'http://localhost/v1' }

const MODELS = {
  anthropic: (fetch) => createAnthropic({ ...SETTINGS, fetch })('claude-sonnet-4-5'),
  openai: (fetch) => createOpenAI({ ...SETTINGS, fetch }).chat('gpt-4.1'),
  openaiResponses: (fetch) => createOpenAI({ ...SETTINGS, fetch }).responses('gpt-5'),
  google: (fetch) => createGoogleGenerativeAI({ ...SETTINGS, fetch })('gemini-2.5-pro'),
}
