// The AI SDK in three majors, each with a model that gives scripted answers,
// and a protocol as a user writes one.
import assert from 'node:assert/strict'
import * as ai6 from 'ai'
import * as ai6Test from 'ai/test'
import * as ai5 from 'ai-v5'
import * as ai5Test from 'ai-v5/test'
import * as ai7 from 'ai-v7'
import * as ai7Test from 'ai-v7/test'

// The warnings of providers are read from results; the console stays quiet.
globalThis.AI_SDK_LOG_WARNINGS = false

const flatUsage = { inputTokens: 3, outputTokens: 10, totalTokens: 13 }
const usage = { inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined }, outputTokens: { total: 10, text: 10, reasoning: undefined } }
const unified = (reason) => ({ unified: reason, raw: reason })

/** What is different in the majors. */
export const majors = [
  { name: 'ai 5', ai: ai5, Model: ai5Test.MockLanguageModelV2, usage: flatUsage, reason: (reason) => reason, providerTool: 'provider-defined', warning: (name) => ({ type: 'other', message: new RegExp(`"${name}"`) }) },
  { name: 'ai 6', ai: ai6, Model: ai6Test.MockLanguageModelV3, usage, reason: unified, providerTool: 'provider', warning: (name) => ({ type: 'compatibility', feature: new RegExp(`"${name}"`) }) },
  { name: 'ai 7', ai: ai7, Model: ai7Test.MockLanguageModelV4, usage, reason: unified, providerTool: 'provider', warning: (name) => ({ type: 'compatibility', feature: new RegExp(`"${name}"`) }) },
]

/**
 * A model that gives these answers one after another, streamed in pieces of `size`
 * characters or as a whole. An answer is a text, or `{ text, reason, content, start }`:
 * `content` before the text, `start: false` for a stream without `stream-start`; or
 * `{ contents, reason }`, all of its content. The SDK downloads files of URLs that aren't among `supportedUrls`.
 */
export function answering({ Model, usage, reason }, answers, { size = 3, supportedUrls = {} } = {}) {
  const left = [...answers]
  const next = () => {
    assert.ok(left.length > 0, 'the model was asked once too often')
    const answer = left.shift()
    return typeof answer === 'string' ? { text: answer } : answer
  }
  return new Model({
    supportedUrls,
    doGenerate: async () => {
      const { text, reason: why = 'stop', content = [], contents = [...content, { type: 'text', text }] } = next()
      return { content: contents, finishReason: reason(why), usage, warnings: [] }
    },
    doStream: async () => {
      const { text, reason: why = 'stop', content = [], start = true } = next()
      const parts = [...(start ? [{ type: 'stream-start', warnings: [] }] : []), ...content, { type: 'text-start', id: 't' }]
      for (const delta of pieces(text, size)) parts.push({ type: 'text-delta', id: 't', delta })
      parts.push({ type: 'text-end', id: 't' }, { type: 'finish', usage, finishReason: reason(why) })
      return { stream: ReadableStream.from(parts), request: { body: 'asked' }, response: { headers: { 'x-answered': 'yes' } } }
    },
  })
}

/** A text in pieces of some length. */
export function pieces(text, size) {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
}

/** All parts of a stream. */
export async function all(stream) {
  const parts = []
  for await (const part of stream) parts.push(part)
  return parts
}

/**
 * Calls as `[[name {"an":"argument"}]]`. It knows nothing of how our own protocols
 * are made, and streams in the plainest way: what may be a call is held.
 * `heard` gets what each parser was made with.
 */
export function bracketProtocol(heard = []) {
  let calls = 0
  const read = (text, options) => {
    const content = []
    for (const piece of text.split(/(\[\[.*?\]\])/s).filter((one) => one !== '')) {
      const [, toolName, input] = /^\[\[(\w+) (.*)\]\]$/s.exec(piece) ?? []
      if (toolName === undefined) content.push({ type: 'text', text: piece })
      else if (isJson(input)) content.push({ type: 'tool-call', toolCallId: `own-${++calls}`, toolName, input })
      else {
        options?.onError?.('no JSON', { toolCall: piece, toolName, dropReason: 'malformed-tool-call-body' })
        content.push({ type: 'text', text: piece })
      }
    }
    return content
  }
  return {
    formatTools: ({ tools, toolSystemPromptTemplate }) => toolSystemPromptTemplate(tools.map(({ name }) => name).join()),
    formatToolCall: ({ toolName, input }) => `[[${toolName} ${JSON.stringify(input)}]]`,
    formatToolResponse: ({ toolName, output }) => `{{${toolName} ${JSON.stringify(output.value)}}}`,
    parseGeneratedText({ text, tools, options }) {
      heard.push({ tools, options })
      return read(text, options)
    },
    createStreamParser({ tools, options }) {
      heard.push({ tools, options })
      let held = ''
      let texts = 0
      const emit = (controller) => {
        for (const part of read(held, options)) {
          if (part.type === 'tool-call') controller.enqueue(part)
          else {
            const id = `text-${++texts}`
            controller.enqueue({ type: 'text-start', id })
            controller.enqueue({ type: 'text-delta', id, delta: part.text })
            controller.enqueue({ type: 'text-end', id })
          }
        }
        held = ''
      }
      return new TransformStream({
        transform(part, controller) {
          if (part.type === 'text-delta') held += part.delta
          else if (part.type !== 'text-start' && part.type !== 'text-end') {
            if (part.type === 'finish') emit(controller)
            controller.enqueue(part)
          }
        },
        flush: emit,
      })
    },
    extractToolCallSegments: ({ text }) => text.match(/\[\[.*?\]\]/gs) ?? [],
  }
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
