// Reads the emissions of a reply, and guards its blocks.

import type { BlockCompleteEvent, BlockDelta, ToolCallBlock } from '../blocks/types.js'
import type { ReplyEmission } from '../reply/attempts.js'
import { interrupted } from '../reply/problems.js'
import type { ReplyResult } from '../reply/reply.js'
import type { Program } from './program.js'
import { type Scan, scanBy } from './scan.js'
import type { Stopped } from './types.js'

type Delta = BlockDelta<string>
type Block = BlockCompleteEvent<string>['block']
type Emission = ReplyEmission<string>

/** A block that is guarded, while it is open. */
interface Part {
  scan: Scan
  last: Delta
  /** What is out of it; of a call nothing, since the arguments wait. */
  text: string
}

/** What a guarded reply reads by: it takes the emissions of another one, whose calls are checked already. */
export class GuardedReader {
  /** Whether the reply has a tool. */
  readonly names: { readonly has: (toolName: string) => boolean }
  /** What has ended the reply. */
  stopped: Stopped | undefined
  /** What stays after a reset. */
  kept: Emission[] = []
  readonly #program: Program
  readonly #kinds: readonly string[]
  readonly #leave: () => void
  readonly #parts = new Map<number, Part>()
  /** What has stopped a block: it ends the reply with the emission that is read. */
  #found: Stopped | undefined
  /** Whether the reply ended by an error: what it has completed then was not emitted. */
  #isBroken = false

  constructor(program: Program, kinds: readonly string[], has: (toolName: string) => boolean, leave: () => void) {
    this.#program = program
    this.#kinds = kinds
    this.names = { has }
    this.#leave = leave
  }

  takePrimed(): Emission[] {
    return []
  }

  message(): undefined {
    return undefined
  }

  typed(_: string, args: object): object {
    return args
  }

  isNative(): boolean {
    return true
  }

  isWaiting(): boolean {
    return false
  }

  finish(hasFailed: boolean): Emission[] {
    this.#isBroken = hasFailed
    return []
  }

  read(emission: Emission): Emission[] {
    if (this.stopped !== undefined) return []
    if (emission.kind === 'reset') {
      this.#parts.clear()
      this.kept = this.kept.filter((kept) => indexOf(kept) < emission.blocks)
      return [emission]
    }
    const emissions = this.#readEmission(emission)
    this.stopped = this.#found
    if (this.stopped !== undefined) {
      this.#leave()
      emissions.push(...this.#close())
    }
    this.kept.push(...emissions)
    return emissions
  }

  /** The result of a reply. `read` is what the emissions say of it. */
  result(reply: ReplyResult, { text, thinking, blocks }: ReplyResult): ReplyResult & { stopped?: Stopped } {
    const { message, journal, resume, rawFinishReason, ...said } = reply
    const result: ReplyResult = { ...(this.stopped === undefined ? reply : said), text, thinking, blocks }
    if (this.#isBroken)
      result.blocks = reply.blocks.map((block, at) => blocks[at] ?? (this.#whole(block).block as typeof block))
    if (this.stopped !== undefined) {
      const problems = [...reply.problems, ...reply.toolCalls.map(interrupted)]
      Object.assign(result, { stopped: this.stopped, finishReason: 'content-filter', toolCalls: [], problems })
    }
    if (this.#kinds.includes('arguments')) this.#guardCalls(result)
    return result
  }

  #guardCalls(result: ReplyResult): void {
    result.toolCalls = result.toolCalls.map((call) => {
      const args = guarded(this.#program, call.args).value
      return { ...call, args, input: typeof args === 'string' ? args : JSON.stringify(args) }
    })
    result.problems = result.problems.map(({ message, metadata }) => ({
      message,
      metadata: { ...metadata, toolCall: guarded(this.#program, metadata.toolCall).value },
    }))
  }

  #readEmission(emission: Emission): Emission[] {
    if (emission.kind === 'content') return this.#readDelta(emission)
    if (emission.kind !== 'blockEvent') return [emission]
    const { event } = emission
    // The text before is thinking, and a text of its own.
    if (event.event === 'reclassify')
      return [...[...this.#parts.values()].flatMap((part) => this.#rest(part)), emission]
    if (event.event !== 'block_complete') return [emission]
    const { index } = event
    const part = this.#parts.get(index)
    if (part === undefined) return [emission]
    if (!isOfCall(part)) {
      const deltas = this.#rest(part)
      this.#parts.delete(index)
      return [...deltas, { ...emission, event: { ...event, block: { ...event.block, content: part.text } as Block } }]
    }
    const { block, stopped } = this.#whole(event.block)
    this.#found ??= stopped
    // A call with a stop in its arguments is not whole.
    if (this.#found !== undefined) return []
    this.#parts.delete(index)
    const { input, content = JSON.stringify(input) } = block as ToolCallBlock
    return [...changed(part, content), { ...emission, event: { ...event, block } }]
  }

  #readDelta(delta: Delta): Emission[] {
    const { type, toolCallPart, blockIndex } = delta.meta
    const isCall = toolCallPart === 'input'
    if (toolCallPart !== undefined && !isCall) return [delta]
    if (!this.#kinds.includes(kindOf(type, isCall))) return [delta]
    const part = this.#parts.get(blockIndex) ?? { scan: scanBy(this.#program), last: delta, text: '' }
    this.#parts.set(blockIndex, part)
    part.last = delta
    return isCall ? [] : this.#add(part, part.scan.push(delta.text))
  }

  /** Adds what the scan of a block has given. */
  #add(part: Part, text: string): Delta[] {
    part.text += text
    this.#found ??= part.scan.stopped
    return changed(part, text)
  }

  /** Ends the scan of a block. */
  #rest(part: Part): Delta[] {
    const deltas = this.#add(part, part.scan.end())
    part.scan = scanBy(this.#program)
    return deltas
  }

  /** Guards a block that is whole. */
  #whole(block: Block): { readonly block: Block; readonly stopped?: Stopped | undefined } {
    const { type, toolName, content, input } = block as ToolCallBlock
    if (!this.#kinds.includes(kindOf(type, toolName !== undefined))) return { block }
    const { value, stopped } = guarded(this.#program, { content, input })
    return { block: { ...block, ...value } as Block, stopped }
  }

  /** Completes what a stop has left open: it is not whole. */
  #close(): Emission[] {
    return [...this.#parts].flatMap(([index, part]): Emission[] => {
      const { type, toolId, toolName } = part.last.meta
      const deltas = isOfCall(part) ? [] : this.#rest(part)
      const content = isOfCall(part) ? { toolId, toolName } : { content: part.text }
      const block = { type, ...content, ...(type !== 'text' && { incomplete: true }) } as Block
      return [...deltas, { kind: 'blockEvent', event: { event: 'block_complete', index, block } }]
    })
  }
}

const isOfCall = ({ last }: Part) => last.meta.toolCallPart !== undefined

/** The last delta of a block with another text: nobody can say where that was. */
function changed({ last }: Part, text: string): Delta[] {
  if (text === '') return []
  if (text === last.text) return [last]
  const { span, ...meta } = last.meta
  return [{ ...last, text, meta: meta as Delta['meta'] }]
}

/** A JSON value with guarded texts; a number is guarded as it is written. */
function guarded<Value>(
  program: Program,
  value: Value,
): { readonly value: Value; readonly stopped: Stopped | undefined } {
  let stopped: Stopped | undefined
  const copy = JSON.parse(JSON.stringify({ value }), (_, leaf: unknown) => {
    if (typeof leaf !== 'string' && typeof leaf !== 'number') return leaf
    const scan = scanBy(program)
    const text = scan.push(String(leaf)) + scan.end()
    stopped ??= scan.stopped
    return text === String(leaf) ? leaf : text
  })
  return { value: copy.value, stopped }
}

/** The block that an emission is of. */
function indexOf(emission: Emission): number {
  if (emission.kind === 'content') return emission.meta.blockIndex
  return emission.kind === 'blockEvent' ? (emission.event.index ?? 0) : 0
}

/** What of `in` a block is of. */
function kindOf(type: string, isCall: boolean): string {
  return isCall ? 'arguments' : type === 'thinking' || type === 'tool_result' ? type : 'text'
}
