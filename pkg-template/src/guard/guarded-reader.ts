// Reads the emissions of a reply, and guards its blocks.

import type { Meaning } from '../blocks/custom-types.js'
import type { BlockCompleteEvent, BlockDelta, ToolCallBlock } from '../blocks/types.js'
import { must } from '../options.js'
import type { ReplyEmission } from '../reply/attempts.js'
import { interrupted } from '../reply/problems.js'
import type { Reply, ReplyResult } from '../reply/reply.js'
import { compile } from './program.js'
import { type Scan, scanBy } from './scan.js'
import type { GuardOptions, Stopped } from './types.js'

/** The reply that is guarded. */
export type Source = Pick<Reply, 'reading' | 'return' | 'soFar'>

type Options = GuardOptions & { readonly in?: readonly string[] | undefined }
type Delta = BlockDelta<Meaning>
type Block = BlockCompleteEvent<Meaning>['block']
type Emission = ReplyEmission<Meaning>

/** A block that is guarded, while it is open. */
interface Part {
  last: Delta
  scan: Scan
  /** What is out of it; of a call nothing, since the arguments wait. */
  text: string
  readonly isCall: boolean
}

const KINDS: readonly unknown[] = ['text', 'thinking', 'arguments']
const IN = must(
  `an array of ${KINDS.join(', ')}`,
  (value) => Array.isArray(value) && value.every((kind) => KINDS.includes(kind)),
)

/** What a guarded reply reads by: it takes the emissions of another one, whose calls are checked already. */
export function guardedReader(source: Source, options: Options) {
  const program = compile('guard', options, { in: [IN] })
  const kinds: readonly string[] = options.in ?? ['text', 'thinking']
  const parts = new Map<number, Part>()
  /** What has stopped a block: it ends the reply with the emission that is read. */
  let found: Stopped | undefined
  /** Whether the reply ended by an error: what it has completed then was not emitted. */
  let isBroken = false

  /** Whether a text is guarded: of a kind of block, or in a part of a call. */
  const isGuarded = (type: string, part?: string) =>
    kinds.includes(part ? part.replace('input', 'arguments') : /^(thinking|tool_result)$/.test(type) ? type : 'text')

  /** A JSON value with guarded texts; a number is guarded as it is written. */
  const guarded = <Value>(value: Value, stop?: (stopped: Stopped | undefined) => void): Value =>
    JSON.parse(JSON.stringify({ value }), (_, leaf: unknown) => {
      if (typeof leaf !== 'string' && typeof leaf !== 'number') return leaf
      const scan = scanBy(program)
      const text = scan.push(String(leaf)) + scan.end()
      stop?.(scan.stopped)
      return text === String(leaf) ? leaf : text
    }).value

  /** What is guarded of a block that is whole. */
  const whole = (block: Block, stop?: (stopped: Stopped | undefined) => void): ToolCallBlock => {
    const { type, toolName, content, input } = block as ToolCallBlock
    const isIn = isGuarded(type, toolName !== undefined ? 'input' : '')
    return { ...block, ...(isIn && guarded({ content, input }, stop)) } as ToolCallBlock
  }

  /** The last delta of a block with another text: nobody can say where that was. */
  const changed = ({ last }: Part, text: string): Delta[] => {
    if (text === '' || text === last.text) return text === '' ? [] : [last]
    const { span, ...meta } = last.meta
    return [{ ...last, text, meta: meta as Delta['meta'] }]
  }

  /** Adds what the scan of a block has given. */
  const add = (part: Part, text: string): Delta[] => {
    part.text += text
    found ??= part.scan.stopped
    return changed(part, text)
  }

  /** Ends the scan of a block. */
  const rest = (part: Part): Delta[] => {
    const deltas = add(part, part.scan.end())
    part.scan = scanBy(program)
    return deltas
  }

  const completed = (index: number, block: object): Emission => ({
    kind: 'blockEvent',
    event: { event: 'block_complete', index, block: block as Block },
  })

  const readEmission = (emission: Exclude<Emission, { kind: 'reset' }>): Emission[] => {
    if (emission.kind === 'content') {
      const { type, toolCallPart, blockIndex } = emission.meta
      if (!isGuarded(type, toolCallPart)) return [emission]
      const isCall = toolCallPart !== undefined
      const part = parts.get(blockIndex) ?? { last: emission, scan: scanBy(program), text: '', isCall }
      parts.set(blockIndex, part)
      part.last = emission
      return isCall ? [] : add(part, part.scan.push(emission.text))
    }
    if (emission.kind !== 'blockEvent') return [emission]
    const { event } = emission
    // The text before is thinking, and a text of its own.
    if (event.event === 'reclassify') return [...[...parts.values()].flatMap(rest), emission]
    const { index } = event
    const part = index === undefined ? undefined : parts.get(index)
    if (event.event !== 'block_complete' || part === undefined) return [emission]
    const deltas = part.isCall ? [] : rest(part)
    const block = part.isCall
      ? whole(event.block, (stopped) => (found ??= stopped))
      : { ...event.block, content: part.text }
    // A call with a stop in its arguments is not whole.
    if (part.isCall && found !== undefined) return []
    parts.delete(event.index)
    if (part.isCall) deltas.push(...changed(part, block.content ?? JSON.stringify((block as ToolCallBlock).input)))
    return [...deltas, completed(event.index, block)]
  }

  const reader = {
    stopped: undefined as Stopped | undefined,
    /** What stays after a reset. */
    kept: [] as Emission[],
    names: { has: source.reading.isGiven },
    takePrimed: () => [],
    message: () => undefined,
    typed: (_: string, args: object) => args,
    isNative: () => true,
    isWaiting: () => false,

    finish(hasFailed: boolean): Emission[] {
      isBroken = hasFailed
      return []
    },

    read(emission: Emission): Emission[] {
      if (reader.stopped !== undefined) return []
      if (emission.kind === 'reset') {
        parts.clear()
        reader.kept = reader.kept.filter((kept) => indexOf(kept) < emission.blocks)
        return [emission]
      }
      const emissions = readEmission(emission)
      reader.stopped = found
      if (found !== undefined) {
        // The source is not waited for: it may never answer.
        source.return().catch(() => undefined)
        // What is open is not whole.
        for (const [index, part] of parts) {
          const { type, toolId, toolName } = part.last.meta
          const deltas = part.isCall ? [] : rest(part)
          const content = part.isCall ? { toolId, toolName } : { content: part.text }
          emissions.push(
            ...deltas,
            completed(index, { type, ...content, ...(type !== 'text' && { incomplete: true }) }),
          )
        }
      }
      reader.kept.push(...emissions)
      return emissions
    },

    /** The result, whose emissions say what `read` has. */
    result({ text, thinking, blocks }: ReplyResult): ReplyResult & { stopped?: Stopped } {
      const reply = source.soFar as unknown as ReplyResult
      const { message, journal, resume, rawFinishReason, ...said } = reply
      const { stopped } = reader
      const result: ReplyResult & { stopped?: Stopped } = { ...(stopped ? said : reply), text, thinking, blocks }
      if (isBroken) result.blocks = reply.blocks.map((block, at) => blocks[at] ?? (whole(block) as typeof block))
      if (stopped) {
        const problems = [...reply.problems, ...reply.toolCalls.map(interrupted)]
        Object.assign(result, { stopped, finishReason: 'content-filter', toolCalls: [], problems })
      }
      if (kinds.includes('arguments')) {
        result.toolCalls = result.toolCalls.map((call) => {
          const args = guarded(call.args)
          return { ...call, args, input: typeof args === 'string' ? args : JSON.stringify(args) }
        })
        result.problems = result.problems.map(({ message, metadata }) => ({
          message,
          metadata: { ...metadata, toolCall: guarded(metadata.toolCall) },
        }))
      }
      return result
    },
  }
  return reader
}

/** The block that an emission is of. */
function indexOf(emission: Emission): number {
  if (emission.kind === 'content') return emission.meta.blockIndex
  return emission.kind === 'blockEvent' ? (emission.event.index ?? 0) : 0
}
