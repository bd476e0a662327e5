// Blocks narrow to the types of custom tags, which follow from the option `tags`.
import { expectTypeOf } from 'expect-type'
import { BlockParser, BlockStream, VisibleTextStream, visibleText } from 'tokenweir/blocks'
import { useReply } from 'tokenweir/react'
import { readReply } from 'tokenweir'
import type { Reply, ReplyResult, ReplyEmission } from 'tokenweir'
import type { BlockCompleteEvent, BlockEmission, BlockEvent, BlockParserOptions, BlockResult, BlockStartEvent, ChunkMeta, ChunkType, MembraneBlock, MembraneBlockType, OnBlock, OwnBlock, OwnTag } from 'tokenweir/blocks'

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
      expectTypeOf(event.block).toEqualTypeOf<OwnBlock<'artifact'>>()
      expectTypeOf(event.block.content).toEqualTypeOf<string>()
      expectTypeOf(event.block.attributes).toExtend<Record<string, string>>()
      expectTypeOf(event.block.parent).toEqualTypeOf<number | undefined>()
    } else if (event.block.type === 'tool_call') expectTypeOf(event.block.input).toEqualTypeOf<Record<string, unknown> | undefined>()
  },
})
expectTypeOf(parser).toEqualTypeOf<BlockParser<'artifact' | 'action'>>()
expectTypeOf(parser.processChunk('')).toEqualTypeOf<BlockResult<'artifact' | 'action'>>()
expectTypeOf(parser.finish()).toEqualTypeOf<Array<BlockEvent<'artifact' | 'action'>>>()
expectTypeOf(parser.getCurrentBlockType()).toEqualTypeOf<ChunkType<'artifact' | 'action'>>()

export function all({ event, block }: BlockCompleteEvent<'artifact' | 'action'>): unknown {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'tool_result':
    case 'tool_call':
      return event
    case 'artifact':
      return expectTypeOf(block).toEqualTypeOf<OwnBlock<'artifact'>>()
    case 'action':
      return expectTypeOf(block).toEqualTypeOf<OwnBlock<'action'>>()
    default:
      return block satisfies never
  }
}

export const inReact = () => {
  const { blocks, toolCalls, finishReason } = useReply({ tags: { artifact: { type: 'artifact' } }, tools: { now: {} } })
  expectTypeOf(blocks).toEqualTypeOf<ReplyResult<readonly [], 'artifact'>['blocks']>()
  expectTypeOf(finishReason).toEqualTypeOf<ReplyResult['finishReason']>()
  for (const { toolName, dynamic } of toolCalls) if (!dynamic) expectTypeOf(toolName).toEqualTypeOf<'now'>()
}

// Without custom tags there are none.
expectTypeOf(new BlockParser()).toEqualTypeOf<BlockParser>()
expectTypeOf(new BlockParser({ tags: { thought: 'thinking', error: false } })).toEqualTypeOf<BlockParser>()
expectTypeOf<BlockParser>().toEqualTypeOf<BlockParser<never>>()
expectTypeOf<ChunkType>().toEqualTypeOf<MembraneBlockType>()
expectTypeOf<ChunkMeta['type']>().toEqualTypeOf<MembraneBlockType>()
expectTypeOf<BlockCompleteEvent['block']>().toEqualTypeOf<MembraneBlock>()
expectTypeOf<BlockStartEvent['block']>().toEqualTypeOf<{ type: MembraneBlockType; insideThinking?: true; inText?: true }>()

// A definition that is made elsewhere, and handlers of all blocks.
const artifact: OwnTag<'artifact'> = { type: 'artifact' }
const onBlock: OnBlock<'artifact'> = ({ event, block }) => event === 'block_complete' && block.type === 'artifact' && block.attributes
const options: BlockParserOptions<'artifact'> = { tags: { artifact }, onBlock }
const { emissions } = new BlockParser(options).processChunk('')
expectTypeOf(emissions).toEqualTypeOf<Array<BlockEmission<'artifact'>>>()
expectTypeOf(BlockParser.restore(parser.snapshot(), options)).toEqualTypeOf<BlockParser<'artifact'>>()
// @ts-expect-error A handler that doesn't know the artifact would get one.
void new BlockParser({ tags: { artifact }, onBlock: (event: BlockEvent) => void event })
// @ts-expect-error There is no such field.
void new BlockParser({ tags: { artifact: { type: 'artifact', visibel: true } } })
// @ts-expect-error There is no such role.
void new BlockParser({ tags: { artifact: 'artifact' } })

export async function streams(): Promise<void> {
  for await (const emission of new Response('').body!.pipeThrough(new TextDecoderStream()).pipeThrough(new BlockStream({ tags: { artifact } })))
    if (emission.kind === 'content') expectTypeOf(emission.meta.type).toEqualTypeOf<ChunkType<'artifact'>>()
  const reply = readReply('', { tags: { artifact, thought: 'thinking' }, onBlock: ({ event, block }) => event === 'block_complete' && block.type === 'artifact' && block.attributes })
  expectTypeOf(reply).toEqualTypeOf<Reply<readonly [], 'artifact'>>()
  for await (const emission of reply) expectTypeOf(emission).toEqualTypeOf<ReplyEmission<'artifact'>>()
  expectTypeOf(await reply.result()).toEqualTypeOf<ReplyResult<readonly [], 'artifact'>>()
  expectTypeOf<ReplyResult['blocks']>().toEqualTypeOf<MembraneBlock[]>()
  expectTypeOf(readReply('', { tags: false })).toEqualTypeOf<Reply>()
  new VisibleTextStream({ tags: { artifact: { type: 'artifact', visible: true } } })
  for await (const text of visibleText('', { tags: { artifact: { type: 'artifact' } } })) expectTypeOf(text).toEqualTypeOf<string>()
}
