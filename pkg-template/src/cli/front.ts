// The interface of the commands.

import type { Option } from 'commander'
import type { BlockEmission } from 'tokenweir/blocks'
import type { TextFormat } from './format.js'
import type { Screen } from './views/screen.js'

/** Reads a model's text or a recording, and formats its events. */
export interface Front<Event> {
  /** Reads a chunk of the model's text. */
  text(chunk: string): Event[]
  /** Reads an emission of a recording. */
  native(emission: BlockEmission): Event[]
  /** The end of the input; `reason`: why the reply ended, as a recording says it. */
  finish(reason?: string): Event[]
  /** The value that `--json` prints for an event. */
  json(event: Event): unknown
  /** An event on one line. */
  line(event: Event): string
  /** An event in the coloured view. */
  paint(event: Event, screen: Screen): void
}

/** A command of the program. */
export interface CommandSpec {
  readonly name: string
  readonly summary: string
  /** Follows the summary in the command's help. */
  readonly details: string
  /** A command line and its output. */
  readonly example: string
  readonly options: readonly Option[]
  /** Loads the command's parser. */
  load(options: Readonly<Record<string, unknown>>): Promise<Loaded>
}

/** A parser with its options. */
export interface Loaded {
  readonly front: Front<any>
  /** Whether the text of a recording is parsed. */
  readonly readsText: boolean
  /** What reads the model's text, wherever it comes from: `native` gets all of its blocks. */
  readonly format?: TextFormat | undefined
  /** Whether the output is plain text, not events. */
  readonly isText?: true
}

/** Text in a recording, which most parsers read like raw text. */
export function textIn(emission: BlockEmission): string {
  return emission.kind === 'content' && emission.meta.type === 'text' ? emission.text : ''
}
