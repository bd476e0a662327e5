// The parsers that the page can switch between.

import type { Emitted } from '../emitted'
import type { ArgumentChoice, ArgumentReading } from './arguments'
import { type BlockChoice, BlockReading } from './blocks'
import { type FieldChoice, FieldReading } from './fields'
import { type FormatChoice, formatSource } from './formats'
import { PartReading } from './parts'
import type { Changed } from './reading'
import { ReplyReading } from './replies'
import { type SegmentChoice, SegmentReading } from './segments'
import { type ToolCallChoice, protocolSource } from './tool-calls'

export type FrontEnd = 'blocks' | 'segments' | 'fields' | 'tool-calls' | 'formats' | 'arguments'

export const FRONT_ENDS: readonly FrontEnd[] = ['blocks', 'segments', 'fields', 'tool-calls', 'formats', 'arguments']

/** The name of a parser, and what it reads. */
export const ABOUT: Readonly<Record<FrontEnd, { readonly label: string; readonly what: string }>> = {
  blocks: { label: 'Blocks', what: 'Thinking, tool calls and results, written as XML tags.' },
  segments: { label: 'Segments', what: 'Agent files, commands and tools, as XML, JSON or sentinels.' },
  fields: { label: 'Fields', what: 'A JSON answer, value by value, with prose and fences around it.' },
  'tool-calls': { label: 'Tool calls', what: 'Calls written as text, parsed to parts of an AI SDK stream.' },
  formats: { label: 'Formats', what: 'The reply of a local model: thinking and calls in its own format, in a stream of chat completions.' },
  arguments: { label: 'Arguments', what: 'The JSON arguments of one call: which values are done, and what they change in files.' },
}

/** The settings of each parser. */
export interface Choices {
  readonly blocks: BlockChoice
  readonly segments: SegmentChoice
  readonly fields: FieldChoice
  readonly 'tool-calls': ToolCallChoice
  readonly formats: FormatChoice
  readonly arguments: ArgumentChoice
}

export type AnyReading =
  | { readonly frontEnd: 'blocks'; readonly reading: BlockReading }
  | { readonly frontEnd: 'segments'; readonly reading: SegmentReading }
  | { readonly frontEnd: 'fields'; readonly reading: FieldReading }
  | { readonly frontEnd: 'tool-calls'; readonly reading: PartReading }
  | { readonly frontEnd: 'formats'; readonly reading: ReplyReading }
  | { readonly frontEnd: 'arguments'; readonly reading: ArgumentReading }

/** Opens a parser. Throws if a setting is invalid. */
export function open(frontEnd: FrontEnd, emitted: Emitted, choices: Choices, changed: Changed): AnyReading {
  switch (frontEnd) {
    case 'blocks':
      return { frontEnd, reading: new BlockReading(emitted, choices.blocks, changed) }
    case 'segments':
      return { frontEnd, reading: new SegmentReading(emitted, choices.segments, changed) }
    case 'fields':
      return { frontEnd, reading: new FieldReading(emitted, choices.fields) }
    case 'tool-calls':
      return { frontEnd, reading: new PartReading(emitted, protocolSource(choices['tool-calls']), changed) }
    case 'formats':
      return { frontEnd, reading: new ReplyReading(emitted, formatSource(choices.formats), changed) }
    case 'arguments':
      return { frontEnd, reading: choices.arguments.open(emitted) }
  }
}
