// Logical blocks from prefill-mode XML: the seed's contract.
//
// Source: seeds/001, "Streaming Enhancements for Membrane", and spec/block.md.

import { BlockFace } from './block-face.js'
import { type BlockParserOptions, requireBlockOptions, tagTable } from './block-options.js'
import { ParseError, requireString } from './errors.js'
import { ASK, DECODED, KINDS, NO_BLOCK, PLAIN, TRIMMED_JSON, UNKNOWN, asInput, escapeJson, hasEscaped } from './events.js'
import { resultOf } from './native/fields.js'
import { randomToolId, toolIdFrom } from './native/tool-id.js'
import { declaredType } from './schema/declared-type.js'
import { requireResults } from './tool-results.js'
import type { BlockEmission, BlockEvent, ChunkMeta, MarkupEmission, MembraneBlock, MembraneBlockType, OnBlock, OnChunk, Span, ToolResult } from './types.js'
import { declare, restartStream, setOpen, blockBorder } from './wasm/blocks.js'

export type { BlockParserOptions, TagRole, ToolSchema } from './block-options.js'

/**
 * What a call gave.
 *
 * @example
 * ```ts
 * import { BlockParser, type BlockResult } from 'tokenweir/blocks'
 *
 * const { emissions }: BlockResult = new BlockParser().processChunk('Hello')
 * console.log(emissions.map(({ kind }) => kind)) // [ 'blockEvent', 'content' ]
 * ```
 */
export interface BlockResult {
  /** The events in the order in which they happened, the same as the callbacks got. */
  readonly emissions: BlockEmission[]
}

/** Flags of `block_start`. */
const TRIMS = 2
const ASKS = 4
const MARKS = 8

/** An open tool call. */
interface Call {
  name: string | undefined
  id: string
  depth: number
  /** Whether its input chunks carry this one meta. */
  inputMeta: ChunkMeta | undefined
}

/**
 * Turns chunks of a model's text into blocks: text, thinking, tool calls and
 * tool results, with what a reader may see marked as visible.
 *
 * Text that may still become a tag is held back; everything else comes out with
 * the chunk that brought it. Where the text was cut makes no difference. No
 * text is ever refused.
 *
 * A callback may feed other parsers, but not this one. If it throws, the rest of
 * the chunk's events are still delivered, and then its first error is thrown.
 *
 * @example
 * ```ts
 * import { BlockParser } from 'tokenweir/blocks'
 *
 * const parser = new BlockParser({
 *   onChunk: (text, meta) => console.log(meta.visible ? 'say' : 'hide', text),
 *   onBlock: (event) => event.event === 'block_complete' && console.log('done', event.block.type),
 * })
 * for (const chunk of ['<thin', 'king>Say hello.</thinking>', 'Hello']) parser.processChunk(chunk)
 * parser.flush()
 * ```
 * ```text
 * hide Say hello.
 * done thinking
 * say Hello
 * done text
 * ```
 */
export class BlockParser extends BlockFace {
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
  private isFinished = false
  private emissions: BlockEmission[] = []
  private failure: { error: unknown } | undefined

  // Input of the open call that was not told yet, and where it was read.
  private inputText = ''
  private inputFrom = 0
  private inputTo = 0

  // Text inside a call, outside its parameters: a block of its own behind the
  // call's, by the places where it stands.
  private strays: Array<{ text: string; from: number; to: number }> = []

  // Prefill: nothing is told while it is read. What is owed of blocks that were
  // told before comes with the next chunk.
  private isSilent = false
  private isTold = false
  private owed: BlockEmission[] = []

  /** @throws TypeError that names the option, if one is unknown or of the wrong type. */
  constructor(options?: BlockParserOptions) {
    const given = requireBlockOptions('BlockParser', options)
    blockBorder.requireReady('BlockParser')
    const flags = (given.trimParameters === false ? 0 : TRIMS) | (given.tools === undefined ? 0 : ASKS) | (given.spans === true ? MARKS : 0)
    super({ flags, tags: tagTable('BlockParser', given.tags), machine: undefined, isPutAway: false })
    this.onChunk = given.onChunk
    this.onBlock = given.onBlock
    this.onMarkup = given.onMarkup
    this.generateId = given.generateId ?? randomToolId
    this.tools = given.tools
    this.spans = given.spans === true
  }

  /**
   * Reads a chunk: calls the callbacks in order, and returns the same events.
   *
   * @throws TypeError if the chunk is no string; ParseError `finished` after `flush`, `reentrant` from inside a
   * callback of this parser; whatever a callback threw first.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({ onChunk: (text) => console.log(text) })
   * parser.processChunk('Is 1<') // Is 1
   * const { emissions } = parser.processChunk('2?') // <2?
   * console.log(emissions.length) // 1
   * ```
   */
  processChunk(chunk: string): BlockResult {
    if (typeof chunk !== 'string') requireString('BlockParser.processChunk', chunk)
    blockBorder.instance.requireWhole()
    // Kept short, so that V8 puts it into its caller; what is rarer stands in the methods below.
    if (this.mode === ASK || this.isBusy) return this.readChunk(chunk)
    const tag = this.findTag(chunk)
    return tag === -1 && (this.mode === PLAIN ? chunk !== '' : this.isPlain(chunk)) ? this.plainChunk(chunk) : this.readCovered(chunk, tag)
  }

  /** Whether a chunk without a tag is content as a whole, in the modes that know more than tags. */
  private isPlain(chunk: string): boolean {
    const mode = this.mode
    return chunk !== '' && this.endOfPlain(mode, chunk, chunk.length) === chunk.length && this.isVerbatim(mode, chunk)
  }

  /** Whether text that the mode covers comes out as it is written. */
  private isVerbatim(mode: number, text: string): boolean {
    return mode <= DECODED || (this.held === '' && (mode === TRIMMED_JSON || !hasEscaped(text)))
  }

  /** Tells a chunk that is content of the open block as a whole. */
  private plainChunk(chunk: string): BlockResult {
    this.plain.add(chunk)
    this.offset += chunk.length
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

  /** Tells a piece of a parameter's value that needs no reading, but has to be written as JSON or goes behind held white space. */
  private plainInput(mode: number, piece: string): BlockResult {
    this.gather(piece)
    this.enter()
    const text = this.held + piece
    this.held = ''
    this.offset += text.length
    this.inputText = asInput(mode, text)
    this.settle()
    this.isBusy = false
    return this.leave()
  }

  private readChunk(chunk: string): BlockResult {
    if (this.isBusy || this.isFinished) this.refuse('processChunk')
    if (this.waiting === '') return this.readAll(chunk, UNKNOWN)
    const text = this.takeWaiting() + chunk
    return this.readCovered(text, this.findTag(text))
  }

  /** A chunk of which the mode may cover a part: all up to `tag`, where the first tag may begin. */
  private readCovered(chunk: string, tag: number): BlockResult {
    const mode = this.mode
    const end = this.putOff(chunk, tag)
    if (end === -1) return this.readAll(chunk, tag)
    if (end === 0) return { emissions: [] }
    const text = end === chunk.length ? chunk : chunk.slice(0, end)
    return this.isVerbatim(mode, text) ? this.plainChunk(text) : this.plainInput(mode, text)
  }

  private readAll(chunk: string, tag: number): BlockResult {
    this.gather(chunk)
    this.enter()
    try {
      this.read(chunk, tag)
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  /**
   * Ends the stream: held text comes out, the open block is completed. A tool call
   * whose `</invoke>` didn't come is `incomplete`. A second time it does nothing.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser; whatever a callback threw first.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({ onChunk: (text) => console.log(text) })
   * parser.processChunk('1<') // 1
   * parser.flush() // <
   * ```
   */
  flush(): BlockResult {
    this.requireIdle('BlockParser.flush')
    if (this.isFinished) return { emissions: [] }
    this.isFinished = true
    this.enter()
    try {
      this.endReply()
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  /**
   * Reads text that was sent before, such as a prefill: moves the state, emits nothing.
   *
   * A tool call that it leaves open is told as a whole by the next chunk. A
   * block that was open before ends here; its completion comes with the next chunk.
   *
   * @throws TypeError if the text is no string; ParseError `finished` after `flush`, `reentrant` from inside a callback of
   * this parser.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const prefill = '<thinking>'
   * const parser = new BlockParser({ onChunk: (text, meta) => console.log(meta.type, text) })
   * parser.push(prefill)
   * parser.processChunk('hm</thinking>Hello')
   * ```
   * ```text
   * thinking hm
   * text Hello
   * ```
   */
  push(text: string): void {
    requireString('BlockParser.push', text)
    if (this.isBusy || this.isFinished) this.refuse('push')
    const unread = this.takeWaiting() + text
    this.gather(unread)
    this.isBusy = this.isSilent = true
    try {
      this.read(unread, UNKNOWN)
      if (this.isOpen && this.call === undefined) this.completed(false, false)
    } finally {
      this.isBusy = this.isSilent = false
    }
    setOpen(this.session, NO_BLOCK)
    this.mode = ASK
    this.clip = this.held.length
    // Nothing was told, but an id was asked for.
    this.leave()
  }

  /**
   * Reports results of tools as `tool_result` blocks: start, one chunk, complete.
   * A block that is open is completed first.
   *
   * @throws TypeError that names the result and the field, if one is malformed; ParseError `reentrant` from inside a
   * callback of this parser; whatever a callback threw first.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser({ onBlock: (event) => event.event === 'block_complete' && console.log(event.block) })
   * parser.emitToolResults([{ toolUseId: 'toolu_1', content: '3' }])
   * ```
   * ```text
   * { type: 'tool_result', content: '3', toolId: 'toolu_1' }
   * ```
   */
  emitToolResults(results: readonly ToolResult[]): BlockResult {
    const checked = requireResults('BlockParser.emitToolResults', results)
    this.requireIdle('BlockParser.emitToolResults')
    this.enter()
    try {
      if (!this.isFinished) this.endReply()
      for (const { toolUseId, content, isError } of checked) {
        this.started(KINDS.indexOf('tool_result'), 0)
        if (toolUseId !== '') this.answersCall(toolUseId)
        const text = resultOf(content)
        if (text !== '') this.content(text, 0, 0)
        this.completed(false, isError === true)
      }
    } finally {
      this.isBusy = false
    }
    return this.leave()
  }

  /**
   * Makes ready for the next reply of the same turn: ends this one as `flush` does,
   * if that was not done, and keeps what encloses the place, the block index
   * and the accumulated text.
   *
   * @throws as `flush` does.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('First reply.')
   * parser.resetForNewIteration()
   * parser.processChunk('Second.')
   * console.log(parser.getBlockIndex(), parser.getAccumulated()) // 1 First reply.Second.
   * ```
   */
  resetForNewIteration(): BlockResult {
    const result = this.flush()
    this.isFinished = false
    return result
  }

  /**
   * Starts a new stream, with the same options: what is open or held is forgotten, and indices begin at 0 again.
   *
   * @throws ParseError `reentrant` from inside a callback of this parser.
   * @example
   * ```ts
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const parser = new BlockParser()
   * parser.processChunk('<thinking>hm')
   * parser.reset()
   * console.log(parser.getContext(), parser.getBlockIndex()) // none 0
   * ```
   */
  reset(): void {
    this.requireIdle('BlockParser.reset')
    restartStream(this.session)
    this.forgetStream()
    this.call = undefined
    this.resultId = undefined
    this.isOpen = this.isTold = this.isFinished = false
    this.inputText = ''
    this.strays = []
    this.owed = []
  }

  private refuse(method: string): never {
    this.requireIdle(`BlockParser.${method}`)
    throw new ParseError('finished', `BlockParser.${method} was called after flush; call reset() for a new stream, or resetForNewIteration() to go on with this one`)
  }

  /** Before anything is told. */
  private enter(): void {
    this.isBusy = true
    if (this.owed.length > 0 || (this.call !== undefined && !this.isTold)) this.tellOwed()
  }

  /** Gives what was told, or throws what a callback threw. */
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

  /** Tells what prefill kept back: ends of blocks, and a tool call that it left open. */
  private tellOwed(): void {
    const owed = this.owed
    this.owed = []
    for (const emission of owed) this.deliver(emission)
    const call = this.call
    if (call === undefined || this.isTold) return
    this.isTold = true
    this.emitBlock({ event: 'block_start', index: this.index, block: { type: 'tool_call' } })
    this.tellCall(call)
    this.meta = this.inputMeta(call)
    const input = this.blockContent.toString()
    if (input !== '') this.emit(input, this.meta)
  }

  // What the records say.

  protected override started(kind: number, depth: number): void {
    const type = KINDS[kind] as MembraneBlockType
    this.isOpen = true
    this.isTold = !this.isSilent
    this.call = undefined
    this.resultId = undefined
    this.blockContent.clear()
    const visible = type === 'text'
    this.meta = type === 'tool_call' ? { type, visible, blockIndex: this.index, depth } : { type, visible, blockIndex: this.index }
    if (!this.isSilent) this.emitBlock({ event: 'block_start', index: this.index, block: { type } })
  }

  protected override content(text: string, from: number, to: number): void {
    if (this.isSilent) return
    this.blockContent.add(text)
    this.emit(text, this.spans ? withSpan(this.meta, this.span(from, to)) : this.meta)
  }

  protected override named(name: string | undefined, from: number, to: number): void {
    const decoded = name?.includes('&') === true ? blockBorder.decodeReferences(name) : name
    const call: Call = { name: decoded, id: toolIdFrom('BlockParser', this.generateId, (error) => (this.failure ??= { error })), depth: this.meta.depth as number, inputMeta: undefined }
    this.call = call
    if (!this.isSilent) this.tellCall(call, this.spans ? this.span(from, to) : undefined)
  }

  protected override answers(id: string): void {
    this.answersCall(id.includes('&') ? blockBorder.decodeReferences(id) : id)
  }

  private answersCall(id: string): void {
    this.resultId = id
    this.meta = resultMeta(this.index, id)
  }

  protected override parameter(key: string, isFirst: boolean, from: number, to: number): void {
    this.lastKey = key.includes('&') ? blockBorder.decodeReferences(key) : key
    this.input(`${isFirst ? '{' : ','}"${escapeJson(this.lastKey)}":`, from, to)
  }

  protected override input(piece: string, from: number, to: number): void {
    if (this.inputText === '') this.inputFrom = from
    this.inputTo = to
    this.inputText += piece
  }

  protected override stray(text: string, from: number, to: number): void {
    const start = this.offset + from
    const last = this.strays.at(-1)
    if (last !== undefined && (last.to === start || !this.spans)) {
      last.text += text
      last.to = this.offset + to
    } else {
      this.strays.push({ text, from: start, to: this.offset + to })
    }
  }

  protected override markup(text: string, from: number, to: number): void {
    this.settle()
    if (this.isSilent) return
    this.deliver({ kind: 'markup', text, span: this.span(from, to) })
  }

  protected override declare(): void {
    declare(this.session, declaredType(this.tools, this.call?.name ?? '', this.lastKey))
  }

  /** Tells the input that was gathered, as one chunk. */
  protected override settle(): void {
    const text = this.inputText
    const call = this.call
    if (text === '' || call === undefined) return
    this.inputText = ''
    this.blockContent.add(text)
    if (this.isSilent && !this.isTold) return
    // What comes next and needs no reading, comes with the same.
    const meta = (this.meta = this.inputMeta(call))
    const chunk: BlockEmission = { kind: 'content', text, meta: this.spans ? withSpan(meta, this.span(this.inputFrom, this.inputTo)) : meta }
    if (this.isSilent) this.owed.push(chunk)
    else this.deliver(chunk)
  }

  protected override completed(isIncomplete: boolean, isError: boolean): void {
    this.settle()
    const type = this.meta.type
    const text = this.blockContent.toString()
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
    this.started(KINDS.indexOf('tool_call'), depth)
    for (const { text, from, to } of strays) this.content(text, from - this.offset, to - this.offset)
    this.endBlock({ type: 'tool_call', content: strays.map(({ text }) => text).join('') })
  }

  /** Tells that a block is complete, unless nobody was told that it began. */
  private endBlock(block: MembraneBlock): void {
    this.isOpen = false
    this.call = undefined
    if (!this.isTold) return
    const event: BlockEvent = { event: 'block_complete', index: this.index, block }
    this.index++
    if (this.isSilent) this.owed.push({ kind: 'blockEvent', event })
    else this.emitBlock(event)
  }

  private tellCall(call: Call, span?: Span): void {
    const { name, id } = call
    if (name !== undefined) this.emit(name, withSpan(partMeta(this.index, call.depth, 'name', undefined, name), span))
    this.emit(id, withSpan(partMeta(this.index, call.depth, 'id', id, name), span && [span[1], span[1]]))
  }

  private inputMeta(call: Call): ChunkMeta {
    call.inputMeta ??= partMeta(this.index, call.depth, 'input', call.id, call.name)
    return call.inputMeta
  }

  private span(from: number, to: number): Span {
    return [this.offset + from, this.offset + to]
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
