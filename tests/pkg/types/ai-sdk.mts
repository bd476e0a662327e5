// A user's program with the AI SDK in three majors, as strictly typed as TypeScript
// allows. It is compiled and never run: ai-sdk-types.test.mjs compiles it.
import { generateText as generate6, streamText as stream6, wrapLanguageModel as wrap6, type LanguageModelMiddleware as Middleware6 } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { generateText as generate5, streamText as stream5, wrapLanguageModel as wrap5, type LanguageModelMiddleware as Middleware5 } from 'ai-v5'
import { MockLanguageModelV2 } from 'ai-v5/test'
import { generateText as generate7, streamText as stream7, wrapLanguageModel as wrap7, type LanguageModelMiddleware as Middleware7 } from 'ai-v7'
import { MockLanguageModelV4 } from 'ai-v7/test'
import { createToolMiddleware, gemmaToolMiddleware, hermesProtocol, hermesToolMiddleware, morphXmlToolMiddleware, toolCallOptions, transformParams, wrapGenerate, wrapStream } from 'tokenweir/ai-sdk'
import type { CallParams, ToolCallProtocol, ToolMiddleware, ToolMiddlewareOptions } from 'tokenweir/ai-sdk'

// Each major takes the ready-made ones.
wrap5({ model: new MockLanguageModelV2(), middleware: [hermesToolMiddleware, morphXmlToolMiddleware] })
wrap6({ model: new MockLanguageModelV3(), middleware: [gemmaToolMiddleware, morphXmlToolMiddleware] })
wrap7({ model: new MockLanguageModelV4(), middleware: [hermesToolMiddleware, morphXmlToolMiddleware] })
const typed: [Middleware5, Middleware6, Middleware7] = [hermesToolMiddleware, hermesToolMiddleware, hermesToolMiddleware]
console.log(typed.length)

// A protocol of one's own, as an object and as a factory.
const own: ToolCallProtocol = {
  formatTools: ({ tools, toolSystemPromptTemplate }) => toolSystemPromptTemplate(tools.map(({ name }) => name).join()),
  formatToolCall: ({ toolName }) => toolName,
  formatToolResponse: ({ toolName }) => toolName,
  parseGeneratedText: ({ text }) => [{ type: 'text', text }],
  createStreamParser: ({ options }) => new TransformStream({ start: () => options?.onError?.('made') }),
}
const options: ToolMiddlewareOptions = {
  protocol: () => own,
  toolSystemPromptTemplate: (tools: string) => tools,
  toolResponsePromptTemplate: (result) => [{ type: 'text', text: result.toolName } as const],
  placement: 'last',
  options: { onError: (message, metadata) => console.error(message, metadata?.dropReason) },
  debug: { level: 'parse', style: 'bold', log: console.log },
}
const middleware: ToolMiddleware = createToolMiddleware(options)
wrap5({ model: new MockLanguageModelV2(), middleware })
wrap6({ model: new MockLanguageModelV3(), middleware: createToolMiddleware({ protocol: hermesProtocol(), toolSystemPromptTemplate: (tools) => tools }) })
wrap7({ model: new MockLanguageModelV4(), middleware })

// Its parts alone, in a middleware of one's own: types come back as they went in.
const parts: Middleware6 = {
  specificationVersion: 'v3',
  transformParams: ({ params }) => transformParams({ params, protocol: own, toolSystemPromptTemplate: (tools) => tools }),
  wrapGenerate: ({ doGenerate, params }) => wrapGenerate({ protocol: own, doGenerate, params }),
  wrapStream: ({ doStream, doGenerate, params }) => wrapStream({ protocol: own, doStream, doGenerate, params }),
}
wrap6({ model: new MockLanguageModelV3(), middleware: parts })
const params: CallParams = { prompt: [{ role: 'user', content: 'Hi' }], toolChoice: { type: 'tool', toolName: 'add' } }
console.log(params)

// @ts-expect-error There are two places.
createToolMiddleware({ protocol: own, toolSystemPromptTemplate: (tools) => tools, placement: 'middle' })
// @ts-expect-error A protocol has more methods.
createToolMiddleware({ protocol: { formatTools: () => '' }, toolSystemPromptTemplate: (tools) => tools })
// @ts-expect-error The system prompt is a must.
createToolMiddleware({ protocol: own })
// @ts-expect-error A word that doesn't exist.
createToolMiddleware({ protocol: own, toolSystemPromptTemplate: (tools) => tools, options: { onMalformed: 'ignore' } })

// A request's options, in each major, with callbacks: their types are those of JSON.
const toolCallMiddleware = toolCallOptions({ onError: (message, metadata) => console.error(message, metadata?.dropReason), onRepair: (repairs) => console.log(repairs.length), generateId: () => 'id', withoutCall: 'text', debugSummary: {} })
await generate5({ model: new MockLanguageModelV2(), prompt: '?', providerOptions: { toolCallMiddleware } })
await generate6({ model: new MockLanguageModelV3(), prompt: '?', providerOptions: { toolCallMiddleware: toolCallOptions({ onError: (message) => console.log(message), forcedToolChoice: 'stream' }), openai: { store: true } } })
await generate7({ model: new MockLanguageModelV4(), prompt: '?', providerOptions: { toolCallMiddleware: toolCallOptions({ originalTools: [], keepResponseFormat: true, toolResultMedia: 'placeholder' }) } })
stream5({ model: new MockLanguageModelV2(), prompt: '?', providerOptions: { toolCallMiddleware } })
stream6({ model: new MockLanguageModelV3(), prompt: '?', providerOptions: { toolCallMiddleware } })
stream7({ model: new MockLanguageModelV4(), prompt: '?', providerOptions: { toolCallMiddleware } })
// Middlewares with all options are each major's too.
const all: ToolMiddleware = createToolMiddleware({ protocol: { ...hermesProtocol() }, toolSystemPromptTemplate: async (tools) => tools, toolResponsePromptTemplate: async ({ toolName }) => toolName, options: { withoutCall: 'text', forcedToolChoice: 'generate', keepResponseFormat: false, toolResultMedia: 'user' } })
const allTyped: [Middleware5, Middleware6, Middleware7] = [all, all, all]
console.log(allTyped.length)
// Results are written by a template, or not at all.
const { formatToolResponse: _, ...brief }: ToolCallProtocol = own
createToolMiddleware({ protocol: brief, toolSystemPromptTemplate: (tools) => tools })

// @ts-expect-error An option that doesn't exist.
toolCallOptions({ onErrors: () => {} })
// @ts-expect-error There is no such way.
toolCallOptions({ withoutCall: 'nothing' })
