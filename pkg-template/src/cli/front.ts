// What each command is to the rest of the program.

import type { Option } from 'commander'
import type { BlockEmission } from 'tokenweir/blocks'
import type { Screen } from './views/screen.js'

/** Reads a model's text, or a recording, and says how its events look. */
export interface Front<Event> {
  /** Reads a piece of the model's text. */
  text(chunk: string): Event[]
  /** Reads what a recording tells. */
  native(emission: BlockEmission): Event[]
  /** The end of the input. */
  finish(): Event[]
  /** What `--json` writes of an event. */
  json(event: Event): unknown
  /** An event on one line. */
  line(event: Event): string
  /** An event in the coloured view. */
  paint(event: Event, screen: Screen): void
}

/** How far the events tell of the text: what lies behind is held. */
export interface Told {
  /** Reads a piece of the text, and gives the number of UTF-16 units from its start that were told. */
  feed(chunk: string): number
}

/** A command of the program. */
export interface CommandSpec {
  readonly name: string
  readonly summary: string
  /** Behind the summary, in the command's own help. */
  readonly details: string
  /** A command line and what it prints. */
  readonly example: string
  readonly options: readonly Option[]
  /** Loads the front-end that the command is about. */
  load(options: Readonly<Record<string, unknown>>): Promise<Loaded>
}

/** A front-end with its options. */
export interface Loaded {
  readonly front: Front<any>
  /** Whether a recording goes in by its text: only then a part of it can be held. */
  readonly readsText: boolean
  /** Whether output is text as it is, and not a row of events. */
  readonly isText?: true
  /** For `--held`: a reader of the same text that tells places. */
  told(): Told
}

/** Text in a recording, which most front-ends read as they read raw text. */
export function textIn(emission: BlockEmission): string {
  return emission.kind === 'content' && emission.meta.type === 'text' ? emission.text : ''
}
