// What a program sees of a call's arguments by the schema of its tool: paths, values, results, calls.
import { jsonSchema, tool } from 'ai'
import { tool as toolV5 } from 'ai-v5'
import { tool as toolV7 } from 'ai-v7'
import { type } from 'arktype'
import { expectTypeOf } from 'expect-type'
import { ArgumentsReader, CallArguments, inputCallbacks, parseStreaming } from 'tokenweir/args'
import type { ArgumentsOf, JsonValue, ResultOf, ValuePath, ValuePattern } from 'tokenweir/args'
import * as v from 'valibot'
import { z } from 'zod'

interface Edit {
  path: string
  edits: { old: string; line: number }[]
  mode?: 'a' | 'b' | undefined
}

// The same of each kind of schema.
const zod = z.object({ path: z.string(), edits: z.array(z.object({ old: z.string(), line: z.number() })), mode: z.enum(['a', 'b']).optional() })
const ark = type({ path: 'string', edits: type({ old: 'string', line: 'number' }).array() })
const valibot = v.object({ path: v.string(), n: v.pipe(v.string(), v.transform(Number)) })
const json = { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'number' } } }, required: ['path'] } as const
expectTypeOf<ArgumentsOf<typeof zod>>().toEqualTypeOf<Edit>()
expectTypeOf<ArgumentsOf<typeof ark>['edits'][number]>().toEqualTypeOf<{ old: string; line: number }>()
expectTypeOf<ArgumentsOf<typeof valibot>>().toEqualTypeOf<{ path: string; n: string }>()
expectTypeOf<ResultOf<typeof valibot>>().toEqualTypeOf<{ path: string; n: number }>()
expectTypeOf<ArgumentsOf<typeof json>>().toEqualTypeOf<{ path: string; lines?: number[] }>()
const write = tool({ inputSchema: zod, execute: async () => 'ok' })
expectTypeOf<ArgumentsOf<typeof write>['path']>().toEqualTypeOf<string>()
const other = tool({ inputSchema: jsonSchema<{ a: number }>({ type: 'object' }) })
expectTypeOf<ArgumentsOf<typeof other>>().toEqualTypeOf<{ a: number }>()
expectTypeOf<ArgumentsOf<undefined>>().toEqualTypeOf<JsonValue>()

// Paths and their values.
const call = new ArgumentsReader(zod)
expectTypeOf(await call.get('path')).toEqualTypeOf<string | undefined>()
expectTypeOf(await call.get('edits[0].line')).toEqualTypeOf<number | undefined>()
expectTypeOf(await call.get('')).toEqualTypeOf<Edit | undefined>()
expectTypeOf(await call.get(['edits', 0])).toEqualTypeOf<JsonValue | undefined>()
expectTypeOf(await call.get('edits', z.array(z.string().transform(Number)))).toEqualTypeOf<number[] | undefined>()
expectTypeOf(await call.result()).toEqualTypeOf<Edit>()
expectTypeOf(call.partial()?.edits?.[0]?.line).toEqualTypeOf<number | undefined>()
for await (const text of call.text('edits[1].old')) expectTypeOf(text).toEqualTypeOf<string>()
for await (const edit of call.items('edits')) expectTypeOf(edit).toEqualTypeOf<{ old: string; line: number }>()
for await (const edit of call.items('edits', valibot)) expectTypeOf(edit).toEqualTypeOf<{ path: string; n: number }>()
call.onDone('edits[*].line', (line) => expectTypeOf(line).toEqualTypeOf<number>())
call.onDone('mode', (mode) => expectTypeOf(mode).toEqualTypeOf<'a' | 'b'>())
call.onText('edits[*].old', (delta, path) => expectTypeOf(path).toEqualTypeOf<(string | number)[]>())
expectTypeOf(call.state('path')).toEqualTypeOf<'absent' | 'open' | 'done'>()
expectTypeOf<ValuePath<Edit>>().toEqualTypeOf<'' | 'path' | 'edits' | 'mode' | `edits[${number}]` | `edits[${number}].old` | `edits[${number}].line`>()
expectTypeOf<'edits[*].old'>().toExtend<ValuePattern<Edit>>()

// A reader of each kind of schema: ArkType, Valibot, JSON schema, tool().
const byArk = new ArgumentsReader(ark)
expectTypeOf(await byArk.get('edits[0].old')).toEqualTypeOf<string | undefined>()
expectTypeOf(await byArk.result()).toEqualTypeOf<typeof ark.infer>()
const byValibot = new ArgumentsReader(valibot)
expectTypeOf(await byValibot.get('n')).toEqualTypeOf<string | undefined>()
expectTypeOf(await byValibot.result()).toEqualTypeOf<{ path: string; n: number }>()
expectTypeOf(byValibot.partial()?.n).toEqualTypeOf<string | undefined>()
const byJson = new ArgumentsReader({ type: 'object', properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'number' } } }, required: ['path'] })
for await (const line of byJson.items('lines')) expectTypeOf(line).toEqualTypeOf<number>()
expectTypeOf(await byJson.result()).toEqualTypeOf<{ path: string; lines?: number[] }>()
const byTool = new ArgumentsReader(write)
expectTypeOf(await byTool.get('edits[0].line')).toEqualTypeOf<number | undefined>()
expectTypeOf(await byTool.result()).toEqualTypeOf<Edit>()
expectTypeOf(await new ArgumentsReader(toolV5({ inputSchema: zod })).get('path')).toEqualTypeOf<string | undefined>()
expectTypeOf(await new ArgumentsReader(toolV7({ inputSchema: zod })).get('path')).toEqualTypeOf<string | undefined>()
// @ts-expect-error
byArk.get('edits[0].new')
// @ts-expect-error
byValibot.state('m')
// @ts-expect-error
byJson.onText('lines[*].old', () => {})
// @ts-expect-error
byTool.items('edit')

// A typo doesn't compile; a pattern is no path of one value.
// @ts-expect-error
call.get('pth')
// @ts-expect-error
call.get('edits[*].line')
// @ts-expect-error
call.onDone('edits[*].lin', () => {})
// @ts-expect-error
call.state('edits.line')
// @ts-expect-error
new ArgumentsReader(zod, { maxdepth: 1 })

// Without a schema any path is one.
const open = new ArgumentsReader()
expectTypeOf(await open.get('a.b[0]')).toEqualTypeOf<JsonValue | undefined>()
expectTypeOf(await open.result()).toEqualTypeOf<JsonValue>()
expectTypeOf(parseStreaming('')).toEqualTypeOf<JsonValue | undefined>()

// Calls: the tool's name narrows its arguments.
new CallArguments({
  tools: { write, other, json },
  onCall: async (call) => {
    if (call.dynamic) expectTypeOf(await call.args.result()).toEqualTypeOf<JsonValue>()
    else if (call.toolName === 'json') expectTypeOf(await call.args.get('lines')).toEqualTypeOf<number[] | undefined>()
    else if (call.toolName === 'write') expectTypeOf(await call.args.get('path')).toEqualTypeOf<string | undefined>()
  },
})
new CallArguments({ onCall: ({ id, toolName }) => expectTypeOf([id, toolName]).toEqualTypeOf<string[]>() })

// In tool() of the AI SDK.
tool({ inputSchema: zod, execute: async () => 'ok', ...inputCallbacks(zod, async (args) => expectTypeOf(await args.get('path')).toEqualTypeOf<string | undefined>()) })
toolV5({ inputSchema: zod, execute: async () => 'ok', ...inputCallbacks(zod, () => {}) })
toolV7({ inputSchema: zod, execute: async () => 'ok', ...inputCallbacks(zod, () => {}) })

// A reader of a tool's arguments goes to what shows it, by the tool's schema.
const file = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } } as const
const preview = (call: ArgumentsReader<typeof file>): string | undefined => call.partial()?.path
export const previewed: CallArguments<{ write: typeof file }> = new CallArguments({ tools: { write: file }, onCall: (call) => void (call.dynamic || preview(call.args)) })

// One schema, or one tool, is that of every call.
for (const calls of [
  new CallArguments({ tools: zod, onCall: async ({ args }) => expectTypeOf(await args.result()).toEqualTypeOf<Edit>() }) satisfies CallArguments<typeof zod>,
  new CallArguments({ tools: ark, onCall: async ({ args }) => expectTypeOf(await args.get('path')).toEqualTypeOf<string | undefined>() }) satisfies CallArguments<typeof ark>,
  new CallArguments({ tools: valibot, onCall: async ({ args }) => expectTypeOf(await args.result()).toEqualTypeOf<{ path: string; n: number }>() }) satisfies CallArguments<typeof valibot>,
  new CallArguments({ tools: json, onCall: async ({ args }) => expectTypeOf(await args.get('lines[0]')).toEqualTypeOf<number | undefined>() }) satisfies CallArguments<typeof json>,
  new CallArguments({ tools: write, onCall: async ({ toolName, dynamic, args }) => expectTypeOf([toolName, dynamic, await args.get('mode')]).toEqualTypeOf<(string | undefined)[]>() }) satisfies CallArguments<typeof write>,
])
  calls.part({ type: 'tool-call', toolCallId: '', toolName: '', input: '' })
export const ofEach: [CallArguments<typeof zod>, CallArguments<typeof ark>, CallArguments<typeof valibot>, CallArguments<typeof json>, CallArguments<typeof write>, CallArguments<typeof other>] | [] = []
