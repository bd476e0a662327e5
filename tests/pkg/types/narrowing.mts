// Every public union narrows by what sets its members apart, and a `switch` over all of them leaves nothing.
import { expectTypeOf } from 'expect-type'
import type { BlockCompleteEvent, BlockDelta, BlockEmission, BlockEvent, BlockStartEvent, ChunkMeta, MarkupEmission, MembraneBlock, ReclassifyEvent, StopEvent, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock } from 'tokenweir/blocks'
import type { StreamEmission } from 'tokenweir/membrane'
import type { FieldDelta, FieldDone, FieldError, FieldMarkup, FieldReset, JsonValue, StreamingData } from 'tokenweir/fields'
import type { HeadPiece } from 'tokenweir/formats'
import type { ContentBlock, ToolResultContentBlock } from 'tokenweir/membrane'
import { SegmentEventType } from 'tokenweir/segments'
import type { SegmentContent, SegmentEnd, SegmentEvent, SegmentMarkup, SegmentStart } from 'tokenweir/segments'
import type { CitationPart, GeneratedContent, ReasoningDeltaPart, ReasoningEndPart, ReasoningStartPart, TextDeltaPart, TextEndPart, TextStartPart, ToolCallPart, ToolCallStreamPart, ToolInputDeltaPart, ToolInputEndPart, ToolInputStartPart } from 'tokenweir/tool-calls'

export function blockEvent(event: BlockEvent): number {
  switch (event.event) {
    case 'block_start':
      expectTypeOf(event).toEqualTypeOf<BlockStartEvent>()
      return event.index
    case 'block_complete':
      expectTypeOf(event).toEqualTypeOf<BlockCompleteEvent>()
      return event.block.content?.length ?? 0
    case 'stop':
      expectTypeOf(event).toEqualTypeOf<StopEvent>()
      return event.offset
    case 'reclassify':
      expectTypeOf(event).toEqualTypeOf<ReclassifyEvent>()
      return event.to
    default:
      return event satisfies never
  }
}

/** Taken apart, too. */
export function blockEventInParts({ event, block }: BlockEvent): void {
  if (event === 'block_complete') expectTypeOf(block).toEqualTypeOf<MembraneBlock>()
  if (event === 'stop') expectTypeOf(block).toEqualTypeOf<number>()
}

export function block(block: MembraneBlock): string {
  switch (block.type) {
    case 'text':
      expectTypeOf(block).toEqualTypeOf<TextBlock>()
      return block.content
    case 'thinking':
      expectTypeOf(block).toEqualTypeOf<ThinkingBlock>()
      return block.content
    case 'tool_call':
      expectTypeOf(block).toEqualTypeOf<ToolCallBlock>()
      return block.content ?? JSON.stringify(block.input)
    case 'tool_result':
      expectTypeOf(block).toEqualTypeOf<ToolResultBlock>()
      return block.content
    default:
      return block satisfies never
  }
}

export function emission(emission: BlockEmission): unknown {
  switch (emission.kind) {
    case 'content':
      return expectTypeOf(emission).toEqualTypeOf<BlockDelta>()
    case 'blockEvent':
      return expectTypeOf(emission.event).toEqualTypeOf<BlockEvent>()
    case 'markup':
      return expectTypeOf(emission).toEqualTypeOf<MarkupEmission>()
    default:
      emission satisfies never
  }
}

export function chunk(meta: ChunkMeta): unknown {
  switch (meta.type) {
    case 'text':
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
      return
    default:
      meta.type satisfies never
  }
}

export function streamed(emission: StreamEmission): void {
  if (emission.kind === 'content') expectTypeOf(emission.text).toEqualTypeOf<string>()
  else expectTypeOf(emission.kind).toEqualTypeOf<'blockEvent'>()
}

export function membraneBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'thinking':
      return block.thinking
    case 'tool_use':
      return block.name
    case 'tool_result':
      return block.toolUseId
    case 'tool_attempt':
      return block.rawXml
    case 'tool_notice':
      return block.notices.map(({ message }) => message).join()
    default:
      return block satisfies never
  }
}

export function resultContent(content: ToolResultContentBlock): string {
  return content.type === 'text' ? content.text : content.source.data
}

export function segmentEvent(event: SegmentEvent): unknown {
  switch (event.type) {
    case 'SEGMENT_START':
      return expectTypeOf(event).toEqualTypeOf<SegmentStart>()
    case 'SEGMENT_CONTENT':
      return expectTypeOf(event).toEqualTypeOf<SegmentContent>()
    case 'SEGMENT_END':
      return expectTypeOf(event).toEqualTypeOf<SegmentEnd>()
    case 'MARKUP':
      return expectTypeOf(event).toEqualTypeOf<SegmentMarkup>()
    default:
      event satisfies never
  }
}

/** By the names of AutoByteus, and taken apart. */
export function segmentEventInParts({ type, segment_type, payload }: SegmentEvent): void {
  if (type === SegmentEventType.START) expectTypeOf(segment_type).toEqualTypeOf<SegmentStart['segment_type']>()
  if (type === 'SEGMENT_CONTENT') expectTypeOf(payload.delta).toEqualTypeOf<string>()
  if (type === 'SEGMENT_END') expectTypeOf(segment_type).toEqualTypeOf<undefined>()
}

export function fieldEvent(event: StreamingData<string>): unknown {
  switch (event.eventType) {
    case 'delta':
      return expectTypeOf(event).toEqualTypeOf<FieldDelta<string>>()
    case 'done':
      return expectTypeOf(event).toEqualTypeOf<FieldDone<string>>()
    case 'reset':
      return expectTypeOf(event).toEqualTypeOf<FieldReset>()
    case 'error':
      return expectTypeOf(event).toEqualTypeOf<FieldError>()
    case 'markup':
      return expectTypeOf(event).toEqualTypeOf<FieldMarkup>()
    default:
      event satisfies never
  }
}

export function jsonValue(value: JsonValue): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) expectTypeOf(value).toEqualTypeOf<{ [key: string]: JsonValue }>()
}

export function part(part: ToolCallStreamPart | CitationPart): unknown {
  switch (part.type) {
    case 'text-start':
      return expectTypeOf(part).toEqualTypeOf<TextStartPart>()
    case 'text-delta':
      return expectTypeOf(part).toEqualTypeOf<TextDeltaPart>()
    case 'text-end':
      return expectTypeOf(part).toEqualTypeOf<TextEndPart>()
    case 'reasoning-start':
      return expectTypeOf(part).toEqualTypeOf<ReasoningStartPart>()
    case 'reasoning-delta':
      return expectTypeOf(part).toEqualTypeOf<ReasoningDeltaPart>()
    case 'reasoning-end':
      return expectTypeOf(part).toEqualTypeOf<ReasoningEndPart>()
    case 'tool-input-start':
      return expectTypeOf(part).toEqualTypeOf<ToolInputStartPart>()
    case 'tool-input-delta':
      return expectTypeOf(part).toEqualTypeOf<ToolInputDeltaPart>()
    case 'tool-input-end':
      return expectTypeOf(part).toEqualTypeOf<ToolInputEndPart>()
    case 'tool-call':
      return expectTypeOf(part).toEqualTypeOf<ToolCallPart>()
    case 'source':
      return expectTypeOf(part).toEqualTypeOf<CitationPart>()
    default:
      part satisfies never
  }
}

export function content(content: GeneratedContent): string {
  switch (content.type) {
    case 'text':
    case 'reasoning':
      return content.text
    case 'tool-call':
      return content.toolName
    default:
      return content satisfies never
  }
}

export function piece(piece: HeadPiece): readonly unknown[] {
  if (typeof piece === 'string') return [piece]
  if ('attributes' in piece) return [piece.end, piece.entities]
  return 'optional' in piece ? piece.optional : piece
}
