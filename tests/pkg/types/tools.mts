// What a program sees of calls by its tools: names, arguments, and what sets calls of other tools apart.
import { jsonSchema, tool } from 'ai'
import { tool as toolV5 } from 'ai-v5'
import { tool as toolV7 } from 'ai-v7'
import { type } from 'arktype'
import { expectTypeOf } from 'expect-type'
import { anyOf, defineFormat, formatFor, formats, isFormatId, writeCalls } from 'tokenweir/formats'
import type { FormatId } from 'tokenweir/formats'
import { readReply } from 'tokenweir'
import { ToolCallParser, hermesProtocol, parseReply, parseToolCalls, toolCallStream } from 'tokenweir/tool-calls'
import type { AnyTools, CallToRun, DynamicCall, FormatId as OfToolCalls, Tool, ToolCallPart, ToolCallStreamPart, ToolSet, TypedToolCall } from 'tokenweir/tool-calls'
import { z } from 'zod'

const weather = { description: 'The weather', inputSchema: z.object({ city: z.string(), days: z.number().optional() }) }
type Weather = { city: string; days?: number | undefined }

// Tools of the AI SDK.
const tools = {
  weather: tool({ ...weather, execute: async ({ city }) => city }),
  weatherV5: toolV5(weather),
  weatherV7: toolV7(weather),
  add: tool({ inputSchema: jsonSchema<{ a: number }>({ type: 'object', properties: { a: { type: 'number' } } }) }),
}
const parser = new ToolCallParser({ format: 'qwen3-coder', tools })
for (const part of [...parser.text(''), ...parser.finish()]) {
  if (part.type === 'text-delta') expectTypeOf(part.delta).toEqualTypeOf<string>()
  if (part.type !== 'tool-call') continue
  expectTypeOf(part.input).toEqualTypeOf<string>()
  if (part.dynamic) {
    expectTypeOf(part.toolName).toEqualTypeOf<string>()
    expectTypeOf(part.args).toEqualTypeOf<unknown>()
    expectTypeOf(part.invalid).toEqualTypeOf<true | undefined>()
    continue
  }
  expectTypeOf(part.toolName).toEqualTypeOf<'weather' | 'weatherV5' | 'weatherV7' | 'add'>()
  switch (part.toolName) {
    case 'weather':
    case 'weatherV5':
    case 'weatherV7':
      expectTypeOf(part.args).toEqualTypeOf<Weather>()
      break
    case 'add':
      expectTypeOf(part.args).toEqualTypeOf<{ a: number }>()
      break
    default:
      part satisfies never
  }
  // @ts-expect-error There is no such tool.
  if (part.toolName === 'wheather') console.log(part)
}

// Schemas alone, JSON schemas written in the call, other definitions.
const reply = parseReply('', {
  format: 'hermes',
  tools: {
    zod: z.object({ at: z.string().transform((text) => new Date(text)) }),
    ark: type({ 'hours?': 'number' }),
    json: { type: 'object', properties: { kind: { enum: ['a', 'b'] }, tags: { type: 'array', items: { type: 'string' } } }, required: ['kind'] },
    anthropic: { input_schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
    openai: { type: 'function', function: { name: 'openai', parameters: { type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'] } } },
    lazy: { inputSchema: () => z.object({ c: z.string() }) },
    free: {},
  },
})
for (const call of reply.toolCalls) {
  if (call.dynamic) continue
  if (call.toolName === 'zod') expectTypeOf(call.args).toEqualTypeOf<{ at: string }>()
  if (call.toolName === 'ark') expectTypeOf(call.args).toEqualTypeOf<{ hours?: number }>()
  if (call.toolName === 'json') expectTypeOf(call.args).toEqualTypeOf<{ kind: 'a' | 'b'; tags?: string[] }>()
  if (call.toolName === 'anthropic') expectTypeOf(call.args).toEqualTypeOf<{ a: number }>()
  if (call.toolName === 'openai') expectTypeOf(call.args).toEqualTypeOf<{ b: boolean }>()
  if (call.toolName === 'lazy') expectTypeOf(call.args).toEqualTypeOf<{ c: string }>()
  if (call.toolName === 'free') expectTypeOf(call.args).toEqualTypeOf<unknown>()
}
for (const part of reply.parts) if (part.type === 'tool-call' && !part.dynamic && part.toolName === 'anthropic') expectTypeOf(part.args.a).toEqualTypeOf<number>()

for (const part of parseToolCalls('', { protocol: hermesProtocol(), tools })) if (part.type === 'tool-call') expectTypeOf(part).toEqualTypeOf<TypedToolCall<typeof tools>>()
const piped = new ReadableStream<ToolCallStreamPart>().pipeThrough(toolCallStream({ protocol: hermesProtocol(), tools }))
for await (const part of piped) if (part.type === 'tool-call' && part.dynamic === undefined && part.toolName === 'add') expectTypeOf(part.args).toEqualTypeOf<{ a: number }>()

// A list says nothing of its calls.
const listed = new ToolCallParser({ protocol: hermesProtocol(), tools: [{ name: 'add' }] })
expectTypeOf(listed.finish()).toEqualTypeOf<ToolCallStreamPart[]>()
for (const part of parseToolCalls('', { protocol: hermesProtocol(), tools: [] })) if (part.type === 'tool-call') expectTypeOf(part).toEqualTypeOf<ToolCallPart>()
// The id of a format: a typo doesn't compile, and a text that comes from elsewhere is checked.
expectTypeOf<keyof typeof formats>().toEqualTypeOf<FormatId>()
expectTypeOf<OfToolCalls>().toEqualTypeOf<FormatId>()
expectTypeOf(formats.hermes.id).toEqualTypeOf<string>()
// @ts-expect-error
parseReply('', { format: 'hermse' })
// @ts-expect-error
anyOf('hermes', 'kimi')
// @ts-expect-error
defineFormat({ id: 'mine', like: 'kimi' })
// @ts-expect-error
parseReply('', { format: 'none', reasoning: 'hermse' })
const setting: string = 'hermes'
// @ts-expect-error
writeCalls([], { format: setting })
if (isFormatId(setting)) parseReply(writeCalls([], { format: setting }), { format: setting, reasoning: 'kimi-k2' })
parseReply('', { format: formatFor('qwen3-coder:30b') ?? 'none' })
parseReply('', { format: anyOf(formats.hermes, 'kimi-k2', defineFormat({ id: 'mine', like: 'hermes' })) })

expectTypeOf(parseReply('', { format: 'hermes' }).toolCalls).toEqualTypeOf<ReadonlyArray<CallToRun<readonly Tool[]>>>()

// One shape of a call to run: of a reply, by an object of tools or a list of them.
const asked = await readReply('', { tools: { add: { inputSchema: z.object({ a: z.number() }) }, now: {} } }).result()
for (const call of asked.toolCalls) {
  expectTypeOf(call.input).toEqualTypeOf<string>()
  expectTypeOf(call.toolCallId).toEqualTypeOf<string>()
  if (call.dynamic) expectTypeOf(call).toEqualTypeOf<DynamicCall>()
  else if (call.toolName === 'add') expectTypeOf(call.args).toEqualTypeOf<{ a: number }>()
  else expectTypeOf(call.toolName).toEqualTypeOf<'now'>()
}
const asList = await readReply('', { tools: [{ type: 'function', function: { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } } }, 'now'] }).result()
for (const call of asList.toolCalls) {
  if (!call.dynamic && call.toolName === 'add') expectTypeOf(call.args.a).toEqualTypeOf<number>()
  if (!call.dynamic && call.toolName !== 'add') expectTypeOf(call.toolName).toEqualTypeOf<'now'>()
}
expectTypeOf((await readReply('').result()).toolCalls).toEqualTypeOf<DynamicCall[]>()
// @ts-expect-error An unknown format.
void readReply('', { format: 'hermess' })
const either: AnyTools = tools
expectTypeOf(parseReply('', { format: 'hermes', tools: either as ToolSet }).toolCalls[0]?.toolName).toEqualTypeOf<string | undefined>()
new ToolCallParser({ format: 'hermes', tools: [{ type: 'function', function: { name: 'add' } }] })

// @ts-expect-error A tool has a name.
new ToolCallParser({ format: 'hermes', tools: [{ inputSchema: {} }] })
