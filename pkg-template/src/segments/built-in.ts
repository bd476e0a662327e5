// The tools that segments know without being told: those of src/segment/state.rs.

import { SEGMENT_TOOLS } from '../generated/ops.js'

/** A built-in tool, whose name is a segment type too. */
export interface BuiltIn {
  /** The argument that is the segment's content. */
  readonly content: string
  /** Whether it writes a file, whose path is the segment's metadata. */
  readonly isFile: boolean
}

/** The built-in tools by their names. */
export const BUILT_IN: ReadonlyMap<string, BuiltIn> = new Map(
  SEGMENT_TOOLS.map(([tool, content, isFile]) => [tool, { content, isFile }]),
)
