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

/** The members of a union by the name that sets each apart: what a `switch` narrows to, and nothing is left. */
type Cases<Union, Key extends keyof Union> = { [Name in Union[Key] & string]: Extract<Union, Readonly<Record<Key, Name>>> }

expectTypeOf<Cases<BlockEvent, 'event'>>().toEqualTypeOf<{ block_start: BlockStartEvent; block_complete: BlockCompleteEvent; stop: StopEvent; reclassify: ReclassifyEvent }>()
expectTypeOf<Cases<MembraneBlock, 'type'>>().toEqualTypeOf<{ text: TextBlock; thinking: ThinkingBlock; tool_call: ToolCallBlock; tool_result: ToolResultBlock }>()
expectTypeOf<Cases<BlockEmission, 'kind'>['content' | 'markup']>().toEqualTypeOf<BlockDelta | MarkupEmission>()
expectTypeOf<Cases<BlockEmission, 'kind'>['blockEvent']['event']>().toEqualTypeOf<BlockEvent>()
expectTypeOf<BlockEmission['kind']>().toEqualTypeOf<'content' | 'blockEvent' | 'markup'>()
expectTypeOf<ChunkMeta['type']>().toEqualTypeOf<'text' | 'thinking' | 'tool_call' | 'tool_result'>()
expectTypeOf<Cases<SegmentEvent, 'type'>>().toEqualTypeOf<{ SEGMENT_START: SegmentStart; SEGMENT_CONTENT: SegmentContent; SEGMENT_END: SegmentEnd; MARKUP: SegmentMarkup }>()
expectTypeOf<Cases<StreamingData<string>, 'eventType'>>().toEqualTypeOf<{ delta: FieldDelta<string>; done: FieldDone<string>; reset: FieldReset; error: FieldError; markup: FieldMarkup }>()
expectTypeOf<Cases<ToolCallStreamPart | CitationPart, 'type'>>().toEqualTypeOf<{
  'text-start': TextStartPart
  'text-delta': TextDeltaPart
  'text-end': TextEndPart
  'reasoning-start': ReasoningStartPart
  'reasoning-delta': ReasoningDeltaPart
  'reasoning-end': ReasoningEndPart
  'tool-input-start': ToolInputStartPart
  'tool-input-delta': ToolInputDeltaPart
  'tool-input-end': ToolInputEndPart
  'tool-call': ToolCallPart
  source: CitationPart
}>()
expectTypeOf<GeneratedContent['type']>().toEqualTypeOf<'text' | 'reasoning' | 'tool-call'>()
expectTypeOf<Cases<GeneratedContent, 'type'>>().toExtend<{ text: { text: string }; reasoning: { text: string }; 'tool-call': { toolName: string } }>()
expectTypeOf<ContentBlock['type']>().toEqualTypeOf<'text' | 'thinking' | 'tool_use' | 'tool_result' | 'tool_attempt' | 'tool_notice'>()
expectTypeOf<Cases<ContentBlock, 'type'>>().toExtend<{ text: { text: string }; thinking: { thinking: string }; tool_use: { name: string }; tool_result: { toolUseId: string }; tool_attempt: { rawXml: string }; tool_notice: { notices: readonly { message: string }[] } }>()

/** As a program writes it. */
export function blockEvent(event: BlockEvent): number {
  switch (event.event) {
    case 'block_start':
      return event.index
    case 'block_complete':
      return event.block.content?.length ?? 0
    case 'stop':
      return event.offset
    case 'reclassify':
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

export function streamed(emission: StreamEmission): void {
  if (emission.kind === 'content') expectTypeOf(emission.text).toEqualTypeOf<string>()
  else expectTypeOf(emission.kind).toEqualTypeOf<'blockEvent'>()
}

export function resultContent(content: ToolResultContentBlock): string {
  return content.type === 'text' ? content.text : content.source.data
}

/** By the names of AutoByteus, and taken apart. */
export function segmentEventInParts({ type, segment_type, payload }: SegmentEvent): void {
  if (type === SegmentEventType.START) expectTypeOf(segment_type).toEqualTypeOf<SegmentStart['segment_type']>()
  if (type === 'SEGMENT_CONTENT') expectTypeOf(payload.delta).toEqualTypeOf<string>()
  if (type === 'SEGMENT_END') expectTypeOf(segment_type).toEqualTypeOf<undefined>()
}

export function jsonValue(value: JsonValue): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) expectTypeOf(value).toEqualTypeOf<{ [key: string]: JsonValue }>()
}

export function piece(piece: HeadPiece): readonly unknown[] {
  if (typeof piece === 'string') return [piece]
  if ('attributes' in piece) return [piece.end, piece.entities]
  return 'optional' in piece ? piece.optional : piece
}
