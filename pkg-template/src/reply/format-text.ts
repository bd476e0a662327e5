// The text of a reply by the wire format of its model: what a row reads becomes blocks, among those of the provider.
//
//     from BlockOrder   text 0 "I look.<tool_call>…</tool_call>"      tool_call 1
//     out               text 0 "I look."    tool_call 1               tool_call 2
//
// A call that can't be read, or that the end cuts off, is an incomplete block with its text, and not visible.
//
// Source: spec/reply.md, 1.

import type { BlockDraft } from '../blocks/block-draft.js'
import { randomToolId, toolIdFrom } from '../blocks/tool-id.js'
import type { ChunkType } from '../blocks/types.js'
import type { Marks } from '../blocks/writer.js'
import { betweenMessages, readableFormats } from '../formats/readable.js'
import { Joined } from '../joined.js'
import type { BlockSink } from '../native/emitter.js'
import type { TextReader } from '../native/reading.js'
import { type FormatSource, openFormat } from '../tool-calls/format-source.js'
import type { PartStream } from '../tool-calls/part-stream.js'
import type { WholeCall } from '../tool-calls/parts.js'
import { toolsOf } from '../tool-calls/tool-set.js'
import type { ToolCallErrorMetadata, ToolCallStreamPart } from '../tool-calls/types.js'
import type { Fields } from '../untrusted.js'
import type { ReplyOptions } from './options.js'

/** What of the options a format reads with. */
type Read = Pick<ReplyOptions, 'tools' | 'prefill' | 'fences' | 'generateId' | 'callsInThinking'>

/** Begins to read by a format, as soon as there is a writer of blocks. @throws TypeError for an unknown format */
export function formatText(place: string, format: FormatSource['format'], options: Read) {
  const { tools = [], prefill, fences, generateId, callsInThinking = false } = options
  // A library makes the schemas once.
  const { list } = toolsOf(place, tools)
  const source: FormatSource = { format, tools: list, prefill, ...(fences && { fences }), onMalformed: 'drop' }
  // Whatever is wrong with it is said before anything is read.
  openFormat(place, source, () => {})
  return (writer: BlockSink, failed: (error: unknown) => void): TextReader =>
    new FormatText(place, source, { generateId, callsInThinking }, writer, failed)
}

/** A part that ends what is pending, unless a call has begun in it. Nobody gets it. */
const BORDER = { type: 'file' }

/** A call in thinking, and its text. */
interface ThoughtCall extends WholeCall {
  raw?: string
}

/** What reads the thinking that the provider has marked, its calls, and whether the reply has text, or a call. */
interface Thoughts {
  reader: PartStream | undefined
  calls: ThoughtCall[]
  isSaid: boolean
}

/** Writes blocks from the parts that a format reads. */
class FormatText implements TextReader {
  /** What reads the text; a reply without text has none. */
  private parts: PartStream | undefined
  /** Whether the provider has marked something of the reply, so that its text can't begin inside thinking. */
  private isMarked = false
  /** Whether the text ends: what ends with it was cut off. */
  private isEnding = false
  /** The block that is being written, without its content, and its content. */
  private block: BlockDraft | undefined
  private readonly content = new Joined()
  /** Whether the call that is written has all of its arguments, and only its end is missing. */
  private hasInput = false
  /** What was repaired in the call that comes next. */
  private repairs: readonly string[] = []
  /** Whether there was a message. */
  private hasText = false
  /** The type of the provider's block. */
  private type: ChunkType = 'text'
  private readonly thoughts: Thoughts = { reader: undefined, calls: [], isSaid: false }

  constructor(
    private readonly place: string,
    private readonly source: FormatSource,
    private readonly options: Pick<Read, 'generateId' | 'callsInThinking'>,
    private readonly writer: BlockSink,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(type: ChunkType, depth: number | undefined, marks?: Marks): void {
    this.type = type
    if (type === 'text') return
    this.settle()
    this.isMarked = true
    this.writer.start(type, depth, marks)
  }

  part(part: 'name' | 'id', text: string): void {
    this.writer.part(part, text)
  }

  answers(toolId: string): void {
    this.writer.answers(toolId)
  }

  chunk(text: string): void {
    if (this.type === 'text') (this.parts ??= this.makeParts()).text(text)
    else {
      if (this.type === 'thinking') (this.thoughts.reader ??= this.makeThoughts()).text(text)
      this.writer.chunk(text)
    }
  }

  complete(block: BlockDraft): void {
    if (this.type === 'text') return
    this.writer.complete(block)
    if (block.type === 'tool_call' && block.incomplete !== true) this.thoughts.isSaid = true
    this.thoughts.reader?.finish(block.incomplete === true)
    this.thoughts.reader = undefined
    if (this.options.callsInThinking === true) this.giveThoughtCalls()
  }

  /** The reply has ended, or was cut off. */
  endReply(isCutOff: boolean): void {
    this.endText(isCutOff)
    if (!this.thoughts.isSaid) this.giveThoughtCalls('call-in-thinking')
    this.thoughts.calls = []
    this.thoughts.isSaid = false
  }

  /** Writes the calls that stand in thinking, as such that are to be run unless there is a problem. */
  private giveThoughtCalls(problem?: 'call-in-thinking'): void {
    for (const { toolName, toolCallId, input, raw: content = input } of this.thoughts.calls) {
      this.openCall(toolName, toolCallId)
      this.add(problem === undefined ? input : content)
      this.finish(
        problem === undefined ? { input: JSON.parse(input) as Fields } : { content, incomplete: true, problem },
      )
      this.thoughts.isSaid = true
    }
    this.thoughts.calls = []
  }

  private endText(isCutOff: boolean): void {
    this.isEnding = true
    this.parts?.finish(isCutOff)
    this.close()
    this.parts = undefined
    this.isEnding = this.isMarked = this.hasText = false
  }

  /** The provider's next block is no text. A call that goes on after it would stand in two places: it is cut off. */
  private settle(): void {
    this.parts?.write(BORDER)
    if (this.block?.type === 'tool_call' && !this.hasInput) this.endText(true)
    this.close()
  }

  private makeParts(): PartStream {
    return this.openSource(
      {
        prefill: this.source.prefill ?? (this.isMarked ? '' : undefined),
        onError: (_, metadata) => this.fail(metadata),
        onRepair: (repairs) => (this.repairs = repairs),
      },
      (part) => this.take(part),
    )
  }

  /** Reads the thinking as if it were text. */
  private makeThoughts(): PartStream {
    const parts = this.openSource({ prefill: '', reasoning: false }, (part) => {
      if (part.type === 'tool-call') this.thoughts.calls.push({ ...part })
    })
    parts.onSegment = (raw) => {
      const call = this.thoughts.calls.at(-1)
      if (call !== undefined) call.raw ??= raw
    }
    return parts
  }

  private openSource(options: Partial<FormatSource>, take: (part: ToolCallStreamPart) => void): PartStream {
    const { generateId } = this.options
    const newId = () =>
      generateId === undefined
        ? randomToolId()
        : toolIdFrom(this.place, () => generateId({ name: undefined, offset: 0 }), this.failed)
    return openFormat(
      this.place,
      { ...this.source, ...options, generateId: (kind) => (kind === 'call' ? newId() : kind) },
      (part) => take(part as ToolCallStreamPart),
    )
  }

  private take(part: ToolCallStreamPart): void {
    switch (part.type) {
      case 'text-start':
        this.close()
        return
      case 'text-delta':
        if (part.delta === '') return
        this.thoughts.isSaid ||= part.delta.trim() !== ''
        if (this.block?.type !== 'text') {
          this.open('text')
          if (this.hasText) this.add(betweenMessages(readableFormats(this.place, this.source.format)))
          this.hasText = true
        }
        this.add(part.delta)
        return
      case 'reasoning-start':
        this.open('thinking')
        return
      case 'reasoning-delta':
        this.add(part.delta)
        return
      case 'tool-input-start':
        this.openCall(part.toolName, part.id)
        return
      case 'tool-input-delta':
        this.add(part.delta)
        return
      case 'tool-input-end':
        this.hasInput = true
        return
      case 'tool-call':
        if (this.block?.toolId !== part.toolCallId) {
          this.openCall(part.toolName, part.toolCallId)
          this.add(part.input)
        }
        this.finish({
          input: JSON.parse(part.input) as Fields,
          ...(this.repairs.length > 0 && { repairs: this.repairs }),
        })
        this.thoughts.isSaid = true
        this.repairs = []
        return
      case 'text-end':
      case 'reasoning-end':
        this.close()
    }
  }

  /** What looked like a call is not one. */
  private fail(metadata: ToolCallErrorMetadata | undefined): void {
    // In thinking its text is thinking.
    if (metadata === undefined || metadata.dropReason === 'inside-reasoning') return
    const { toolCall, toolName, toolCallId, dropReason } = metadata
    if (toolCallId === undefined || this.block?.toolId !== toolCallId) {
      this.openCall(toolName, toolCallId)
      this.add(toolCall)
    }
    const problem = dropReason === 'missing-arguments' ? dropReason : undefined
    this.finish({ content: toolCall, incomplete: true, ...(problem && { problem }) })
  }

  private open(type: ChunkType): void {
    this.close()
    this.block = { type }
    this.writer.start(type, type === 'tool_call' ? 1 : undefined)
  }

  private openCall(name: string | undefined, id: string | undefined): void {
    this.open('tool_call')
    for (const [part, text] of [
      ['name', name],
      ['id', id],
    ] as const)
      if (text !== undefined) this.writer.part(part, text)
    this.block = {
      type: 'tool_call',
      ...(id !== undefined && { toolId: id }),
      ...(name !== undefined && { toolName: name }),
    }
  }

  private add(text: string): void {
    if (text === '') return
    this.content.add(text)
    this.writer.chunk(text)
  }

  /** The open block ends as it is: of a call, that is cut off. */
  private close(): void {
    const { block, isEnding } = this
    if (block === undefined) return
    const isCut = block.type === 'tool_call' || (block.type === 'thinking' && isEnding)
    this.finish({ content: this.content.toString(), ...(isCut && { incomplete: true }) })
  }

  private finish(rest: Partial<BlockDraft>): void {
    const { block } = this
    if (block !== undefined) this.writer.complete({ ...block, ...rest })
    this.block = undefined
    this.hasInput = false
    this.content.clear()
  }
}
