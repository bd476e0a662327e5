// What ToolCallParser gives narrows by its type.
import type { MockLanguageModelV3 } from 'ai/test'
import { expectTypeOf } from 'expect-type'
import type { MembraneBlock } from 'tokenweir/blocks'
import { ToolCallParser, hermesProtocol, parseToolCalls } from 'tokenweir/tool-calls'
import type { ToolCallStreamPart } from 'tokenweir/tool-calls'

const parser = new ToolCallParser({ protocol: hermesProtocol(), tools: [] })

// narrowing.mts has what these narrow to.
expectTypeOf([...parser.text('Hi'), ...parser.finish()]).toEqualTypeOf<ToolCallStreamPart[]>()
for (const part of parser.text('Hi')) {
  // @ts-expect-error A delta has no tool's name.
  if (part.type === 'text-delta') part.toolName
}

// A part that passes keeps its type; a part with only a known `type` is one of the AI SDK's.
declare const any: { readonly type: string }
for (const part of parser.write({ type: 'finish', finishReason: 'stop' })) if (part.type === 'finish') part.finishReason satisfies string
for (const part of parser.write(any)) {
  if (part.type === 'text-delta') part.delta satisfies string
  // @ts-expect-error There is no such part.
  if (part.type === 'text-dleta') console.log(part)
}
type Streamed = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream']
declare const ofModel: Streamed extends ReadableStream<infer Part> ? Part : never
for (const part of parser.write(ofModel)) {
  if (part.type === 'file') part.mediaType satisfies string
  if (part.type === 'tool-call') part.input satisfies string
}

for (const content of parseToolCalls('Hi', { protocol: hermesProtocol(), tools: [] })) {
  if (content.type === 'tool-call') content.input satisfies string
  else content.text satisfies string
}

const block: MembraneBlock = { type: 'tool_result', content: '', isError: false }
block.isError satisfies boolean | undefined
