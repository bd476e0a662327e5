// What a program sees of fields by its schema: results, partial results, paths and their values.
import { type } from 'arktype'
import { expectTypeOf } from 'expect-type'
import { FieldStream, SchemaError, StreamingJSONParser, parseFields, parsePartial } from 'tokenweir/fields'
import type { DeepPartial, FieldAt, FieldHandler, FieldPath, FieldSchema, InferFields, InferResult, JsonValue, StreamingData } from 'tokenweir/fields'
import * as v from 'valibot'
import { z } from 'zod'

// A shape, written in the call.
const plan = parseFields('', { title: 'str', stops: [{ place: 'str', hours: 'int' }], note: ['str', 'one sentence'], tags: ['str'], open: 'bool', any: 'any' })
expectTypeOf(await plan.result()).toEqualTypeOf<{ title: string; stops: { place: string; hours: number }[]; note: string; tags: string[]; open: boolean; any: JsonValue }>()
expectTypeOf(plan.data?.stops?.[0]?.hours).toEqualTypeOf<number | undefined>()
plan
  .on('title', (event) => {
    if (event.eventType === 'delta') expectTypeOf(event.delta).toEqualTypeOf<string>()
    if (event.eventType === 'done') expectTypeOf(event.value).toEqualTypeOf<string>()
    if (event.eventType === 'reset') expectTypeOf(event.value).toEqualTypeOf<null>()
    expectTypeOf(event.fullData?.title).toEqualTypeOf<string | undefined>()
  })
  .on('stops[*].hours', ({ eventType, value }) => eventType === 'done' && expectTypeOf(value).toEqualTypeOf<number>())
  .on('stops[1]', (event) => event.isComplete && expectTypeOf(event.value).toEqualTypeOf<{ place?: string; hours?: number }>())
  .onAny('/stops/0', (event) => event.isComplete && expectTypeOf(event.value).toEqualTypeOf<JsonValue>())
for await (const event of plan) expectTypeOf(event.fullData?.tags).toEqualTypeOf<string[] | undefined>()

// The paths that an editor offers.
type Plan = { title: string; stops: { place: string; hours: number }[]; meta: { by: string | null } | null }
expectTypeOf<FieldPath<Plan>>().toEqualTypeOf<'title' | 'stops' | `stops[${'*' | number}]` | `stops[${'*' | number}].place` | `stops[${'*' | number}].hours` | 'meta' | 'meta.by'>()
expectTypeOf<FieldPath<{ 'a.b': { '/c': number; '': 1 }; '/d': string }>>().toEqualTypeOf<'["a.b"]' | '["a.b"]./c' | '["a.b"][""]' | '["/d"]'>()
expectTypeOf<FieldPath<{ kind: 'a'; size?: number } | { kind: 'b'; open: JsonValue }>>().toEqualTypeOf<'kind' | 'size' | 'open' | `open.${string}` | `open[${string}`>()
expectTypeOf<FieldPath<JsonValue>>().toEqualTypeOf<string>()
expectTypeOf<FieldAt<{ 'a.b': { '/c': number } }, '["a.b"]./c'>>().toEqualTypeOf<number>()
expectTypeOf<FieldAt<{ kind: 'a'; size?: number } | { kind: 'b' }, 'size'>>().toEqualTypeOf<number>()
expectTypeOf<FieldPath<{ id: number }[]>>().toEqualTypeOf<`[${'*' | number}]` | `[${'*' | number}].id`>()
expectTypeOf<FieldAt<Plan, 'meta.by'>>().toEqualTypeOf<string | null>()
expectTypeOf<FieldAt<Plan, '*'>>().toEqualTypeOf<Plan[keyof Plan]>()
expectTypeOf<FieldAt<Plan, 'nothing.here'>>().toEqualTypeOf<JsonValue>()
expectTypeOf<DeepPartial<Plan>>().toEqualTypeOf<{ title?: string; stops?: { place?: string; hours?: number }[]; meta?: { by?: string | null } | null }>()

// A JSON schema, with references, alternatives and what need not be there.
const schema = {
  type: 'object',
  properties: { kind: { enum: ['a', 'b'] }, size: { type: ['integer', 'null'] }, list: { type: 'array', items: { $ref: '#/$defs/item' } }, either: { anyOf: [{ type: 'string' }, { type: 'boolean' }] }, one: { const: 1 }, map: { type: 'object', additionalProperties: { type: 'number' } } },
  required: ['kind', 'list'],
  $defs: { item: { type: 'object', properties: { id: { type: 'number' }, in: { $ref: '#/$defs/item' } }, required: ['id'] } },
} as const
type Item = { id: number; in?: Item }
expectTypeOf<InferFields<typeof schema>>().branded.toEqualTypeOf<{ kind: 'a' | 'b'; size?: number | null; list: Item[]; either?: string | boolean; one?: 1; map?: { [key: string]: number } }>()
const byJson = parseFields('', { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } })
expectTypeOf(await byJson.result()).toEqualTypeOf<{ id: number }[]>()
byJson.on('[*].id', (event) => event.isComplete && expectTypeOf(event.value).toEqualTypeOf<number>())

// Schemas of libraries: what the model writes, and what the validation gives.
const zod = z.object({ title: z.string(), at: z.string().transform((text) => new Date(text)), note: z.string().optional() })
const byZod = parseFields('', zod)
expectTypeOf(await byZod.result()).toEqualTypeOf<{ title: string; at: Date; note?: string | undefined }>()
expectTypeOf(byZod.data?.at).toEqualTypeOf<string | undefined>()
byZod.on('at', (event) => event.isComplete && expectTypeOf(event.value).toEqualTypeOf<string>())
expectTypeOf(await parseFields('', v.object({ title: v.string(), hours: v.optional(v.number()) })).result()).toEqualTypeOf<{ title: string; hours?: number | undefined }>()
expectTypeOf(await parseFields('', type({ title: 'string', 'hours?': 'number' })).result()).toEqualTypeOf<{ title: string; hours?: number }>()
expectTypeOf(await parseFields('', { rows: [z.object({ id: z.number() })] }).result()).toEqualTypeOf<{ rows: { id: number }[] }>()
expectTypeOf<InferResult<{ ok: 'bool' }>>().toEqualTypeOf<{ ok: boolean }>()

// Without a schema, or with one that says nothing to the compiler.
expectTypeOf(await parseFields('').result()).toEqualTypeOf<JsonValue>()
expectTypeOf(await parseFields('', null, { multiple: true }).result()).toEqualTypeOf<JsonValue>()
const unknown: FieldSchema = { title: 'str' }
expectTypeOf(await parseFields('', unknown).result()).toEqualTypeOf<JsonValue>()
expectTypeOf(await parseFields('', 'int').result()).toEqualTypeOf<number>()

// One handler for any path of any document.
const log: FieldHandler = ({ path, value }) => console.log(path, value)
plan.on('title', log).on('stops[*]', log)
byZod.on('at', log)
parseFields('').on('a', log)
const show = (event: StreamingData) => console.log(event.path)
for (const event of new StreamingJSONParser({ title: 'str' }).parseChunk('')) show(event)
for await (const event of plan) show(event)
console.log(new FieldStream(), parsePartial(''))

const failed = await byZod.result().catch((error: unknown) => error)
if (failed instanceof SchemaError) expectTypeOf(failed.value).toEqualTypeOf<JsonValue | undefined>()

// @ts-expect-error A title is no number.
plan.on('title', (event: { value: number }) => event)
// @ts-expect-error A path that the schema doesn't have.
plan.on('titel', log)
// @ts-expect-error The same checks, deeper.
plan.on('stops[*].hour', log)
// @ts-expect-error A title has no members.
byZod.on('title.first', log)
plan.onAny('titel', log).onAny('*.place' as string, log).on('any.thing[0].else', log)
plan.onAny('stops[*].hours', (event) => event.isComplete && expectTypeOf(event.value).toEqualTypeOf<number>())

// Words that are no type's name.
// @ts-expect-error
parseFields('', { title: 'sting' })
// @ts-expect-error
parseFields('', { stops: [{ hours: ['itn', 'from 1'] }] })
// @ts-expect-error
parseFields('', 'nmuber')
const word: string = 'str'
parseFields('', { a: 'Str', b: word, c: ['any', 'what you like', true], d: [{ e: 'list' }, 'sting'], f: z.string(), g: { type: 'array', items: {} }, h: { type: 'object', properties: { i: { type: 'string', format: 'date' } } } })
parseFields('', { type: 'string', format: 'date' })
parseFields('', { type: 'str', format: 'text' })

// @ts-expect-error A schema is no number.
parseFields('', 5)
