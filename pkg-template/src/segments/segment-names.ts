// The names of segments' types and of events, as AutoByteus' enums have them.
//
// Source: seeds/000, "Segment Types"; spec/world.md, 7.9.

/**
 * The types of segments, by AutoByteus' names. A tool state of your own may name others. `media` is AutoByteus' too,
 * and never emitted; `edit_file` is that of its TypeScript port.
 *
 * @example
 * ```ts
 * import { SegmentType, StreamingParser } from 'tokenweir/segments'
 *
 * const tools: SegmentType[] = [SegmentType.WRITE_FILE, SegmentType.RUN_BASH]
 * const parser = new StreamingParser()
 * parser.feed('<run_bash>l')
 * console.log(tools.some((type) => type === parser.currentSegmentType)) // true
 * ```
 */
export const SegmentType = Object.freeze({
  /** Text outside of tools and reasoning. */
  TEXT: 'text',
  /** A call of any other tool. */
  TOOL_CALL: 'tool_call',
  /** A file that is written. */
  WRITE_FILE: 'write_file',
  /** A patch of a file. */
  PATCH_FILE: 'patch_file',
  /** An edit of a file, in AutoByteus' TypeScript port. */
  EDIT_FILE: 'edit_file',
  /** A command. */
  RUN_BASH: 'run_bash',
  /** What the model thinks. */
  REASONING: 'reasoning',
  /** Never emitted. */
  MEDIA: 'media',
} as const)

/**
 * What a segment is: one of the values of `SegmentType`.
 *
 * @example
 * ```ts
 * import { SegmentType } from 'tokenweir/segments'
 *
 * const type: SegmentType = 'run_bash'
 * console.log(type === SegmentType.RUN_BASH) // true
 * ```
 */
export type SegmentType = (typeof SegmentType)[keyof typeof SegmentType]

/**
 * What events are, by AutoByteus' names.
 *
 * @example
 * ```ts
 * import { SegmentEventType, StreamingParser } from 'tokenweir/segments'
 *
 * for (const event of new StreamingParser().feedAndFinalize('Hello')) {
 *   if (event.type === SegmentEventType.CONTENT) console.log(event.payload.delta) // Hello
 * }
 * ```
 */
export const SegmentEventType = Object.freeze({
  /** A segment begins. */
  START: 'SEGMENT_START',
  /** Its text goes on. */
  CONTENT: 'SEGMENT_CONTENT',
  /** It has ended. */
  END: 'SEGMENT_END',
} as const)

/**
 * What an event is: one of the values of `SegmentEventType`.
 *
 * @example
 * ```ts
 * import { SegmentEventType } from 'tokenweir/segments'
 *
 * const type: SegmentEventType = 'SEGMENT_END'
 * console.log(type === SegmentEventType.END) // true
 * ```
 */
export type SegmentEventType = (typeof SegmentEventType)[keyof typeof SegmentEventType]
