// The segment that may begin.

import { Joined } from '../joined.js'
import { put } from '../own.js'
import { commandArgument, commandValue } from './command-arguments.js'
import type { CheckedState } from './states.js'
import type { SegmentMetadata, SegmentValue } from './types.js'

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
