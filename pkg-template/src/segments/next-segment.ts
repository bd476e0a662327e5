// The segment that may begin.

import { Joined } from '../joined.js'
import { put } from '../own.js'
import { commandArgument, commandValue } from './command-arguments.js'
import type { Aside } from './other-arguments.js'
import type { CheckedState } from './states.js'
import type { SegmentEnd, SegmentMetadata, SegmentValue } from './types.js'

/** What the markup that is being read says of the segment after it. */
export class NextSegment {
  id: string | undefined
  tool: string | undefined
  /** The user's tool state for the tool. */
  state: CheckedState | undefined
  known: SegmentMetadata | undefined
  /** Attributes of the tag that are not known, each after its name. */
  others: string[] = []
  /** What a JSON text or a sentinel calls. */
  callee: { readonly type: string; readonly name: string } | undefined
  /** The markup itself. */
  readonly ahead = new Joined()

  /** Forgets what was read of it. */
  forget(): void {
    this.tool = undefined
    this.state = undefined
    this.known = undefined
    this.others = []
  }

  /** What its START says of it, if anything. */
  metadata(type: string, asAutobyteus: boolean): SegmentMetadata | undefined {
    const { tool, others } = this
    if (this.known === undefined && others.length === 0) return tool === undefined ? undefined : { tool_name: tool }
    const known = (this.known ??= {})
    // The legacy tags have arguments in other attributes, and so has the tag of a command.
    for (let at = 0; at + 1 < others.length; at += 2) {
      const written = others[at] as string
      const value = others[at + 1] as string
      const argument = type === 'run_bash' ? commandArgument(written) : undefined
      if (argument === undefined ? tool !== undefined : argument === 'background' && asAutobyteus) continue
      const name = argument ?? written
      const read = argument === undefined ? value : commandValue(argument, value)
      if (read !== undefined && !Object.hasOwn(known, name)) put(known, name, read)
    }
    const metadata: SegmentMetadata = tool === undefined ? {} : { tool_name: tool }
    for (const name of Object.keys(known)) put(metadata, name, known[name] as SegmentValue)
    return Object.keys(metadata).length === 0 ? undefined : metadata
  }
}

/** The open segment; of one that has ended, what its errors say of it. */
export class OpenSegment {
  /** Undefined if no segment is open. */
  id: string | undefined
  type = ''
  isText = false
  /** The user's tool state that reads it. */
  state: CheckedState | undefined
  /** What its START knew. */
  metadata: SegmentMetadata | undefined
  /** Where it began with its markup, and for `onError` its text from there on. */
  begins = 0
  readonly raw = new Joined()
  /** Where its content stands. */
  contentFrom = 0
  contentTo = 0
  /** Whether the markup before its content opens CDATA, and whether its content is that. */
  isAfterCdata = false
  isLiteral = false
  isMissing = false
  /** The markup around its content, if it is a tool with arguments. */
  aside: Aside | undefined
  /** The END that came last. */
  end: SegmentEnd | undefined

  /** Markup or content of a new one stands there. */
  begin(at: number): void {
    this.begins = at
    this.raw.clear()
  }

  /** Whether it has no content yet. */
  get isEmpty(): boolean {
    return this.contentFrom === this.contentTo
  }
}
