// Blocks narrow to the types of custom tags, which follow from the option `tags`.
import { expectTypeOf } from 'expect-type'
import { BlockParser, BlockStream, VisibleTextStream, visibleText } from 'tokenweir/blocks'
import { useReply } from 'tokenweir/react'
import { readReply } from 'tokenweir'
import { guard, type GuardedReply } from 'tokenweir/guard'
import { respond } from 'tokenweir/respond'
import type { Reply, ReplyResult, ReplyEmission } from 'tokenweir'
import type { BlockCompleteEvent, BlockEmission, BlockEvent, BlockParserOptions, BlockResult, BlockStartEvent, ChunkMeta, ChunkType, CustomBlock, CustomTag, MembraneBlock, MembraneBlockType, OnBlock } from 'tokenweir/blocks'

const parser = new BlockParser({
  tags: { artifact: { type: 'artifact', children: { action: { type: 'action', visible: true } } }, thought: 'thinking', error: false },
  onChunk: (_, { type, attributes, parent }) => {
    if (type === 'artifact' || type === 'action') expectTypeOf(attributes).toEqualTypeOf<Readonly<Record<string, string>>>()
    expectTypeOf(type).toEqualTypeOf<'text' | 'thinking' | 'tool_call' | 'tool_result' | 'artifact' | 'action'>()
    expectTypeOf(attributes).toEqualTypeOf<Readonly<Record<string, string>> | undefined>()
    expectTypeOf(parent).toEqualTypeOf<number | undefined>()
  },
  onBlock: (event) => {
    if (event.event === 'block_start' && event.block.type === 'artifact') expectTypeOf(event.block.attributes).toEqualTypeOf<Readonly<Record<string, string>>>()
    if (event.event !== 'block_complete') return
    if (event.block.type === 'artifact') {
      expectTypeOf(event.block).toEqualTypeOf<CustomBlock<'artifact'>>()
      expectTypeOf(event.block.content).toEqualTypeOf<string>()
      expectTypeOf(event.block.attributes).toExtend<Record<string, string>>()
      expectTypeOf(event.block.parent).toEqualTypeOf<number | undefined>()
    } else if (event.block.type === 'tool_call') expectTypeOf(event.block.input).toEqualTypeOf<Record<string, unknown> | undefined>()
  },
})
type Artifact = CustomTag<'artifact', string, CustomTag<'action'>>
expectTypeOf(parser.processChunk('')).toExtend<BlockResult<Artifact>>()
expectTypeOf(parser.finish()).toExtend<Array<BlockEvent<Artifact>>>()
expectTypeOf(parser.getCurrentBlockType()).toEqualTypeOf<ChunkType<Artifact>>()
expectTypeOf(parser.getCurrentBlockType()).toEqualTypeOf<'text' | 'thinking' | 'tool_call' | 'tool_result' | 'artifact' | 'action'>()

export function all({ event, block }: BlockCompleteEvent<Artifact>): unknown {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'tool_result':
    case 'tool_call':
      return event
    case 'artifact':
      return expectTypeOf(block).toEqualTypeOf<CustomBlock<'artifact'>>()
    case 'action':
      return expectTypeOf(block).toEqualTypeOf<CustomBlock<'action'>>()
    default:
      return block satisfies never
  }
}

export const inReact = () => {
  const { blocks, toolCalls, finishReason } = useReply({ tags: { artifact: { type: 'artifact' } }, tools: { now: {} } })
  expectTypeOf(blocks).toEqualTypeOf<ReplyResult<readonly [], CustomTag<'artifact'>>['blocks']>()
  expectTypeOf(finishReason).toEqualTypeOf<ReplyResult['finishReason']>()
  for (const { toolName, dynamic } of toolCalls) if (!dynamic) expectTypeOf(toolName).toEqualTypeOf<'now'>()
}

// Without custom tags there are none.
expectTypeOf(new BlockParser()).toEqualTypeOf<BlockParser>()
export const roles: BlockParser = new BlockParser({ tags: { thought: 'thinking', error: false } })
const byRoles = new BlockParser({ tags: { thought: 'thinking', error: false }, onBlock: (event) => expectTypeOf(event).toExtend<BlockEvent>() })
expectTypeOf(byRoles.getCurrentBlockType()).toEqualTypeOf<MembraneBlockType>()
expectTypeOf(byRoles.finish()).toExtend<BlockEvent[]>()
// @ts-expect-error Its events have blocks that this type doesn't know.
export const withoutCustomTags: BlockParser = parser
expectTypeOf<ChunkType>().toEqualTypeOf<MembraneBlockType>()
expectTypeOf<ChunkMeta['type']>().toEqualTypeOf<MembraneBlockType>()
expectTypeOf<BlockCompleteEvent['block']>().toEqualTypeOf<MembraneBlock>()
expectTypeOf<BlockStartEvent['block']>().toEqualTypeOf<{ type: MembraneBlockType; insideThinking?: true; inText?: true }>()

// A definition names its attributes, and each block has those; a model may leave them out.
new BlockParser({
  tags: {
    boltArtifact: { type: 'artifact', attributes: ['id', 'title'], children: { boltAction: { type: 'action', attributes: ['type', 'filePath'], visible: true } } },
    cite: { type: 'citation' },
  },
  onChunk: (_, meta) => {
    if (meta.type === 'artifact') expectTypeOf(meta.attributes).toEqualTypeOf<Readonly<{ id?: string; title?: string }>>()
    if (meta.type === 'citation') expectTypeOf(meta.attributes).toEqualTypeOf<Readonly<Record<string, string>>>()
    // @ts-expect-error It is the action's.
    if (meta.type === 'artifact') meta.attributes.filePath
  },
  onBlock: ({ event, block }) => {
    if (event === 'block_start' && block.type === 'action') expectTypeOf(block.attributes.filePath).toEqualTypeOf<string | undefined>()
    if (event !== 'block_complete') return
    if (block.type === 'artifact') expectTypeOf(block).toEqualTypeOf<CustomBlock<'artifact', 'id' | 'title'>>()
    if (block.type === 'action') expectTypeOf(block).toEqualTypeOf<CustomBlock<'action', 'type' | 'filePath'>>()
    // @ts-expect-error There is no such attribute.
    if (block.type === 'artifact') block.attributes.tilte
  },
})

// A definition that is made elsewhere, and handlers of all blocks.
const artifact: CustomTag<'artifact', 'id'> = { type: 'artifact', attributes: ['id'] }
type ById = CustomTag<'artifact', 'id'>
const onBlock: OnBlock<ById> = ({ event, block }) => event === 'block_complete' && block.type === 'artifact' && block.attributes.id
const options: BlockParserOptions<ById> = { tags: { artifact }, onBlock }
const { emissions } = new BlockParser(options).processChunk('')
expectTypeOf(emissions).toEqualTypeOf<Array<BlockEmission<ById>>>()
expectTypeOf(BlockParser.restore(parser.snapshot(), options)).toEqualTypeOf<BlockParser<ById>>()
// @ts-expect-error A handler that doesn't know the artifact would get one.
void new BlockParser({ tags: { artifact }, onBlock: (event: BlockEvent) => void event })
// @ts-expect-error There is no such field.
void new BlockParser({ tags: { artifact: { type: 'artifact', visibel: true } } })
// @ts-expect-error Not in one of several, either.
void new BlockParser({ tags: { artifact, other: { type: 'other', visibel: true } } })
// @ts-expect-error Nor in a tag inside.
void new BlockParser({ tags: { artifact: { type: 'artifact', children: { inner: { type: 'inner', visibel: true } } } } })
// @ts-expect-error There is no such role.
void new BlockParser({ tags: { artifact: 'artifact' } })

export async function streams(source: ReadableStream<string>): Promise<void> {
  for await (const emission of source.pipeThrough(new BlockStream({ tags: { artifact } })))
    if (emission.kind === 'content') expectTypeOf(emission.meta.type).toEqualTypeOf<ChunkType<ById>>()
  const reply = readReply('', { tags: { artifact, thought: 'thinking' }, onBlock: ({ event, block }) => event === 'block_complete' && block.type === 'artifact' && block.attributes.id })
  expectTypeOf(reply).toEqualTypeOf<Reply<readonly [], ById>>()
  for await (const emission of reply) expectTypeOf(emission).toEqualTypeOf<ReplyEmission<ById>>()
  expectTypeOf(await reply.result()).toEqualTypeOf<ReplyResult<readonly [], ById>>()
  expectTypeOf<ReplyResult['blocks']>().toEqualTypeOf<MembraneBlock[]>()
  expectTypeOf(readReply('', { tags: false })).toEqualTypeOf<Reply>()
  new VisibleTextStream({ tags: { artifact: { type: 'artifact', visible: true } } })
  for await (const text of visibleText('', { tags: { artifact: { type: 'artifact' } } })) expectTypeOf(text).toEqualTypeOf<string>()
  // Who takes any reply takes this one.
  await respond(reply, 'openai')
  expectTypeOf(guard(reply, { stop: ['x'] })).toEqualTypeOf<GuardedReply<readonly [], ById>>()
}
