// Blocks out of the machine's records: the callbacks' events, and the list of each call.

import { type BlockParserOptions, tagTable } from './options.js'
import { ParseError } from '../errors.js'
import { Absent, BLOCK_KINDS, BlockFlag, BlockKind, BlockMode } from '../generated/ops.js'
import { resultOf } from '../untrusted.js'
import { randomToolId, toolIdFrom } from './tool-id.js'
import type { BlockEmission, BlockEvent, BlockResult, ChunkMeta, MarkupEmission, MembraneBlock, MembraneBlockType, OnBlock, OnChunk, ToolResult } from './types.js'
import type { Span } from '../span.js'
import { decodeReferences } from '../references.js'
import { declaredType } from '../schema/declared-type.js'
import { blockReferences } from '../wasm/blocks.js'
import type { BlockHandler } from './decoder.js'
import { BlockFeed } from './feed.js'
import { escapeJson, hasEscaped } from './json-text.js'

/** An open tool call. */
interface Call {
  name: string | undefined
  id: string
  depth: number
  /** Whether its input chunks carry this one meta. */
  inputMeta: ChunkMeta | undefined
}

/** Emits the blocks of one stream. */
export class BlockEmitter implements BlockHandler {
  readonly feed: BlockFeed
  private readonly onChunk: OnChunk | undefined
  private readonly onBlock: OnBlock | undefined
  private readonly onMarkup: ((text: string, markup: MarkupEmission) => void) | undefined
  private readonly generateId: () => string
  private readonly tools: BlockParserOptions['tools']
  private readonly spans: boolean
  private meta: ChunkMeta = NO_META
  private call: Call | undefined
  private resultId: string | undefined
  private lastKey = ''
  private isOpen = false
  private isBusy = false
  private isFinished = false
  private emissions: BlockEmission[] = []
  private failure: { error: unknown } | undefined

  // Input of the open call that was not emitted yet, and where it was read.
  private inputText = ''
  private inputFrom = 0
  private inputTo = 0

  // Text inside a call, outside its parameters: a block of its own after the
  // call's, by the places where it stands.
  private strays: Array<{ text: string; from: number; to: number }> = []

  // Prefill: nothing is emitted while it is read. What is owed of blocks that were
  // emitted before comes with the next chunk.
  private isSilent = false
  private isEmitted = false
  private owed: BlockEmission[] = []

  constructor({ onChunk, onBlock, onMarkup, generateId = randomToolId, tools, tags, trimParameters = true, spans = false }: BlockParserOptions) {
    this.onChunk = onChunk
    this.onBlock = onBlock
    this.onMarkup = onMarkup
    this.generateId = generateId
    this.tools = tools
    this.spans = spans
    const flags = (trimParameters ? BlockFlag.TrimsParameters : 0) | (tools === undefined ? 0 : BlockFlag.AsksDeclarations) | (spans ? BlockFlag.EmitsMarkup : 0)
    this.feed = new BlockFeed(this, flags, tagTable('BlockParser', tags))
  }

  processChunk(chunk: string): BlockResult {
    const { feed } = this
    feed.requireWhole()
    // Kept short, so that V8 puts it into its caller; what is rarer stands in the methods below.
    const { mode } = feed
    if (mode === BlockMode.Ask || this.isBusy) return this.readChunk(chunk)
    const tag = feed.path.findTag(chunk)
    return tag === -1 && (mode === BlockMode.Text ? chunk !== '' : this.isPlain(mode, chunk)) ? this.plainChunk(chunk) : this.readCovered(chunk, tag)
  }

  /** Whether a chunk without a tag is content as a whole, in the modes that know more than tags. */
  private isPlain(mode: number, chunk: string): boolean {
    return chunk !== '' && this.feed.path.endOfPlain(mode, chunk, chunk.length) === chunk.length && this.isVerbatim(mode, chunk)
  }

  /** Whether text that the mode covers comes out as it is written. */
  private isVerbatim(mode: number, text: string): boolean {
    return this.feed.path.isContent(mode) || (!this.feed.hasPending && (mode === BlockMode.Json || !hasEscaped(text)))
  }

  /** Emits a chunk that is content of the open block as a whole. */
  private plainChunk(chunk: string): BlockResult {
    this.feed.plain.add(chunk)
    const meta = this.meta
    const onChunk = this.onChunk
    if (onChunk === undefined) return { emissions: [{ kind: 'content', text: chunk, meta }] }
    this.isBusy = true
    try {
      onChunk(chunk, meta)
    } finally {
      this.isBusy = false
    }
    return new PlainResult(chunk, meta)
  }

  /** Emits a piece of a parameter's value that needs no reading, but has to be written as JSON or comes after pending white space. */
  private plainInput(mode: number, piece: string): BlockResult {
    const { feed } = this
    feed.gather(piece)
    this.enter()
    this.inputText = feed.path.asInput(mode, feed.takePending() + piece)
    this.settle()
    this.isBusy = false
    return this.leave()
  }

  private readChunk(chunk: string): BlockResult {
    if (this.isBusy || this.isFinished) this.refuse('processChunk')
    const { feed } = this
    const text = feed.afterWaiting(chunk)
    return text === chunk ? this.readAll(chunk) : this.readCovered(text, feed.path.findTag(text))
  }

  /** A chunk that the mode may cover in part, up to `tag`, where the first tag may begin. */
  private readCovered(chunk: string, tag: number): BlockResult {
    const { feed } = this
    const { mode } = feed
    const end = feed.putOff(chunk, tag)
    if (end === -1) return this.readAll(chunk)
    if (end === 0) return { emissions: [] }
    const text = end === chunk.length ? chunk : chunk.slice(0, end)
    return this.isVerbatim(mode, text) ? this.plainChunk(text) : this.plainInput(mode, text)
  }

  private readAll(chunk: string): BlockResult {
    this.enter()
    try {
      this.feed.read(chunk)
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  flush(): BlockResult {
    this.requireIdle('BlockParser.flush')
    if (this.isFinished) return { emissions: [] }
    this.isFinished = true
    this.enter()
    try {
      this.feed.endReply()
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  push(text: string): void {
    if (this.isBusy || this.isFinished) this.refuse('push')
    const { feed } = this
    const unread = feed.afterWaiting(text)
    this.isBusy = this.isSilent = true
    try {
      feed.read(unread)
      if (this.isOpen && this.call === undefined) this.completed(false, false)
    } finally {
      this.isBusy = this.isSilent = false
    }
    feed.setOpen(Absent.BlockKind)
    // Nothing was emitted, but an id was asked for.
    this.leave()
  }

  emitToolResults(results: readonly ToolResult[]): BlockResult {
    this.requireIdle('BlockParser.emitToolResults')
    this.enter()
    try {
      if (!this.isFinished) this.feed.endReply()
      const at = this.feed.offset
      for (const { toolUseId, content, isError } of results) {
        this.started(BlockKind.ToolResult, 0)
        if (toolUseId !== '') this.answersCall(toolUseId)
        const text = resultOf(content)
        if (text !== '') this.content(text, at, at)
        this.completed(false, isError === true)
      }
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  resetForNewIteration(): BlockResult {
    const result = this.flush()
    this.isFinished = false
    return result
  }

  reset(): void {
    this.requireIdle('BlockParser.reset')
    this.feed.restart()
    this.call = undefined
    this.resultId = undefined
    this.isOpen = this.isEmitted = this.isFinished = false
    this.inputText = ''
    this.strays = []
    this.owed = []
  }

  /** Refuses a call from inside one of this parser's own callbacks. */
  private requireIdle(place: string): void {
    if (this.isBusy) throw new ParseError('reentrant', `${place} was called from inside a callback of the same parser; call it after processChunk or flush has returned`)
  }

  private refuse(method: string): never {
    this.requireIdle(`BlockParser.${method}`)
    throw new ParseError('finished', `BlockParser.${method} was called after flush; call reset() for a new stream, or resetForNewIteration() to go on with this one`)
  }

  /** Before anything is emitted. */
  private enter(): void {
    this.isBusy = true
    if (this.owed.length > 0 || (this.call !== undefined && !this.isEmitted)) this.emitOwed()
  }

  /** Gives what was emitted, or throws what a callback threw. */
  private leave(): BlockResult {
    const emissions = this.emissions
    this.emissions = []
    const failure = this.failure
    if (failure !== undefined) {
      this.failure = undefined
      throw failure.error
    }
    return { emissions }
  }

  /** Emits what prefill kept back: ends of blocks, and a tool call that it left open. */
  private emitOwed(): void {
    const owed = this.owed
    this.owed = []
    for (const emission of owed) this.deliver(emission)
    const call = this.call
    if (call === undefined || this.isEmitted) return
    this.isEmitted = true
    this.emitBlock({ event: 'block_start', index: this.feed.index, block: { type: 'tool_call' } })
    this.emitCall(call)
    this.meta = this.inputMeta(call)
    const input = this.feed.blockContent.toString()
    if (input !== '') this.emit(input, this.meta)
  }

  // What the records say.

  started(kind: number, depth: number): void {
    const type = BLOCK_KINDS[kind] as MembraneBlockType
    this.isOpen = true
    this.isEmitted = !this.isSilent
    this.call = undefined
    this.resultId = undefined
    this.feed.blockContent.clear()
    const visible = type === 'text'
    this.meta = type === 'tool_call' ? { type, visible, blockIndex: this.feed.index, depth } : { type, visible, blockIndex: this.feed.index }
    if (!this.isSilent) this.emitBlock({ event: 'block_start', index: this.feed.index, block: { type } })
  }

  content(text: string, from: number, to: number): void {
    if (this.isSilent) return
    this.feed.blockContent.add(text)
    this.emit(text, this.spans ? withSpan(this.meta, [from, to]) : this.meta)
  }

  named(name: string | undefined, from: number, to: number): void {
    const decoded = name === undefined ? undefined : decodeReferences(blockReferences, name)
    const call: Call = { name: decoded, id: toolIdFrom('BlockParser', this.generateId, (error) => (this.failure ??= { error })), depth: this.meta.depth as number, inputMeta: undefined }
    this.call = call
    if (!this.isSilent) this.emitCall(call, this.spans ? [from, to] : undefined)
  }

  answers(id: string): void {
    this.answersCall(decodeReferences(blockReferences, id))
  }

  private answersCall(id: string): void {
    this.resultId = id
    this.meta = resultMeta(this.feed.index, id)
  }

  parameter(key: string, isFirst: boolean, from: number, to: number): void {
    this.lastKey = decodeReferences(blockReferences, key)
    this.input(`${isFirst ? '{' : ','}"${escapeJson(this.lastKey)}":`, from, to)
  }

  input(piece: string, from: number, to: number): void {
    if (this.inputText === '') this.inputFrom = from
    this.inputTo = to
    this.inputText += piece
  }

  stray(text: string, from: number, to: number): void {
    const last = this.strays.at(-1)
    if (last !== undefined && (last.to === from || !this.spans)) {
      last.text += text
      last.to = to
    } else {
      this.strays.push({ text, from, to })
    }
  }

  markup(text: string, from: number, to: number): void {
    this.settle()
    if (this.isSilent) return
    this.deliver({ kind: 'markup', text, span: [from, to] })
  }

  declared(): number {
    return declaredType(this.tools, this.call?.name ?? '', this.lastKey)
  }

  /** Emits the input that was gathered, as one chunk. */
  settle(): void {
    const text = this.inputText
    const call = this.call
    if (text === '' || call === undefined) return
    this.inputText = ''
    this.feed.blockContent.add(text)
    if (this.isSilent && !this.isEmitted) return
    // What comes next and needs no reading, comes with the same.
    const meta = (this.meta = this.inputMeta(call))
    const chunk: BlockEmission = { kind: 'content', text, meta: this.spans ? withSpan(meta, [this.inputFrom, this.inputTo]) : meta }
    if (this.isSilent) this.owed.push(chunk)
    else this.deliver(chunk)
  }

  completed(isIncomplete: boolean, isError: boolean): void {
    this.settle()
    const type = this.meta.type
    const text = this.feed.blockContent.toString()
    const block: MembraneBlock = { type }
    const call = this.call
    if (call !== undefined) {
      block.toolId = call.id
      if (call.name !== undefined) block.toolName = call.name
      const input = parseInput(text)
      if (input === undefined) block.content = text
      else block.input = input
      if (isIncomplete || input === undefined) block.incomplete = true
    } else {
      block.content = text
      if (this.resultId !== undefined) block.toolId = this.resultId
      if (isError) block.isError = true
    }
    this.endBlock(block)
    const strays = this.strays
    if (strays.length === 0) return
    this.strays = []
    const depth = this.meta.depth as number
    this.started(BlockKind.ToolCall, depth)
    for (const { text, from, to } of strays) this.content(text, from, to)
    this.endBlock({ type: 'tool_call', content: strays.map(({ text }) => text).join('') })
  }

  /** Emits that a block is complete, unless its start was not emitted. */
  private endBlock(block: MembraneBlock): void {
    this.isOpen = false
    this.call = undefined
    if (!this.isEmitted) return
    const event: BlockEvent = { event: 'block_complete', index: this.feed.index, block }
    this.feed.index++
    if (this.isSilent) this.owed.push({ kind: 'blockEvent', event })
    else this.emitBlock(event)
  }

  private emitCall(call: Call, span?: Span): void {
    const { name, id } = call
    if (name !== undefined) this.emit(name, withSpan(partMeta(this.feed.index, call.depth, 'name', undefined, name), span))
    this.emit(id, withSpan(partMeta(this.feed.index, call.depth, 'id', id, name), span && [span[1], span[1]]))
  }

  private inputMeta(call: Call): ChunkMeta {
    call.inputMeta ??= partMeta(this.feed.index, call.depth, 'input', call.id, call.name)
    return call.inputMeta
  }

  private emit(text: string, meta: ChunkMeta): void {
    this.deliver({ kind: 'content', text, meta })
  }

  private emitBlock(event: BlockEvent): void {
    this.deliver({ kind: 'blockEvent', event })
  }

  private deliver(emission: BlockEmission): void {
    this.emissions.push(emission)
    try {
      if (emission.kind === 'content') {
        const onChunk = this.onChunk
        if (onChunk !== undefined) onChunk(emission.text, emission.meta)
      } else if (emission.kind === 'blockEvent') {
        const onBlock = this.onBlock
        if (onBlock !== undefined) onBlock(emission.event)
      } else {
        const onMarkup = this.onMarkup
        if (onMarkup !== undefined) onMarkup(emission.text, emission)
      }
    } catch (error) {
      this.failure ??= { error }
    }
  }
}

/** What a chunk gave that needed no reading: one piece of content, listed when somebody asks. */
class PlainResult implements BlockResult {
  private list: BlockEmission[] | undefined

  constructor(
    private readonly text: string,
    private readonly meta: ChunkMeta,
  ) {}

  get emissions(): BlockEmission[] {
    this.list ??= [{ kind: 'content', text: this.text, meta: this.meta }]
    return this.list
  }
}

const NO_META: ChunkMeta = { type: 'text', visible: true, blockIndex: 0 }

// Metas are written out, not spread together: it is several times as fast.

function partMeta(blockIndex: number, depth: number, toolCallPart: 'name' | 'id' | 'input', toolId: string | undefined, toolName: string | undefined): ChunkMeta {
  if (toolId === undefined) return { type: 'tool_call', visible: false, blockIndex, depth, toolCallPart, toolName: toolName as string }
  if (toolName === undefined) return { type: 'tool_call', visible: false, blockIndex, depth, toolCallPart, toolId }
  return { type: 'tool_call', visible: false, blockIndex, depth, toolCallPart, toolId, toolName }
}

function resultMeta(blockIndex: number, toolId: string): ChunkMeta {
  return { type: 'tool_result', visible: false, blockIndex, toolId }
}

function withSpan(meta: ChunkMeta, span: Span | undefined): ChunkMeta {
  return span === undefined ? meta : { ...meta, span }
}

/** A call's input, if its text is a JSON object. */
function parseInput(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
