// The front-ends that the page can switch between.

import type { Told } from '../told'
import { BlockReading } from './blocks'
import { type FieldChoice, FieldReading } from './fields'
import { type SegmentChoice, SegmentReading } from './segments'
import { type ToolCallChoice, ToolCallReading } from './tool-calls'

export type FrontEnd = 'blocks' | 'segments' | 'fields' | 'tool-calls'

export const FRONT_ENDS: readonly FrontEnd[] = ['blocks', 'segments', 'fields', 'tool-calls']

/** What a front-end is called, what it reads, and where it comes from. */
export const ABOUT: Readonly<Record<FrontEnd, { readonly label: string; readonly what: string }>> = {
  blocks: { label: 'Blocks', what: 'Thinking, tool calls and results, written as XML tags.' },
  segments: { label: 'Segments', what: 'Files, commands and tools of an agent, as XML, JSON or sentinels.' },
  fields: { label: 'Fields', what: 'A JSON answer, value by value, with prose and fences around it.' },
  'tool-calls': { label: 'Tool calls', what: 'Calls written as text, read as parts of an AI SDK stream.' },
}

/** What was chosen for each. */
export interface Choices {
  readonly segments: SegmentChoice
  readonly fields: FieldChoice
  readonly 'tool-calls': ToolCallChoice
}

export type AnyReading =
  | { readonly frontEnd: 'blocks'; readonly reading: BlockReading }
  | { readonly frontEnd: 'segments'; readonly reading: SegmentReading }
  | { readonly frontEnd: 'fields'; readonly reading: FieldReading }
  | { readonly frontEnd: 'tool-calls'; readonly reading: ToolCallReading }

/** Begins to read. Throws where a choice is wrong. */
export function open(frontEnd: FrontEnd, told: Told, choices: Choices): AnyReading {
  switch (frontEnd) {
    case 'blocks':
      return { frontEnd, reading: new BlockReading(told) }
    case 'segments':
      return { frontEnd, reading: new SegmentReading(told, choices.segments) }
    case 'fields':
      return { frontEnd, reading: new FieldReading(told, choices.fields) }
    case 'tool-calls':
      return { frontEnd, reading: new ToolCallReading(told, choices['tool-calls']) }
  }
}
