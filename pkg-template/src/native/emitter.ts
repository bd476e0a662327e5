// Writes the block whose turn it is: its start with its first text, a call's name before its id before its input, and
// the block that it becomes.

import type { BlockDraft } from '../blocks/block-draft.js'
import type { BlockWriter } from '../blocks/writer.js'
import { isNoArguments, readArguments } from '../json/call-arguments.js'
import { repairsIn } from '../json/call-json.js'
import { canonical } from '../json/canonical.js'
import { checksum } from '../hash.js'
import type { NativeBlock } from './block.js'

/** Takes what is written: the writer itself, or a search of the texts before it. */
export type BlockSink = Pick<BlockWriter, 'start' | 'part' | 'answers' | 'chunk' | 'complete'>

/** Writes blocks one after the other. */
export class NativeEmitter {
  /** The ids of the calls that the program is to run. */
  readonly toRun = new Set<string>()
  /** The whole calls of the reply by their ids: name, and a digest of the arguments. */
  private readonly calls = new Map<string, string>()

  /**
   * `newId` is called once for each call that ends without an id, `requiredOf` gives the arguments that a tool's
   * schema requires.
   */
  constructor(
    private readonly sink: BlockSink,
    private readonly newId: () => string,
    private readonly requiredOf: (name: string) => readonly string[],
  ) {}

  /** The next reply begins: its ids are its own. */
  startReply(): void {
    this.calls.clear()
  }

  /** Emits of the block what is decided: of one that may be a call that was emitted before, nothing. */
  release(block: NativeBlock): void {
    if (block.emitted === 'nothing' && block.type === 'tool_call' && this.calls.has(block.id)) return
    this.write(block)
  }

  private write(block: NativeBlock): void {
    // A text block starts at its first character: empty text makes no block.
    if (block.emitted === 'nothing') {
      if (block.type === 'text' && block.isEmpty) return
      this.start(block)
    }
    if (block.type === 'tool_call') {
      const isGrowing = block.mayGrow && block.state === 'begun' && block.isEmpty
      if (block.emitted === 'start' && block.name !== '' && !isGrowing) {
        this.sink.part('name', block.name)
        block.emitted = 'name'
      }
      if (block.emitted === 'name' && block.id !== '') this.giveId(block)
      if (block.emitted !== 'id' || block.mayBeNothing) return
    }
    this.giveText(block)
  }

  /** Emits that the block is complete. */
  complete(block: NativeBlock): void {
    if (block.type === 'tool_call') return this.completeCall(block)
    if (block.emitted === 'nothing') return
    const whole: BlockDraft = { type: block.type, content: block.text }
    if (block.type === 'tool_result' && block.id !== '') whole.toolId = block.id
    if (block.isError) whole.isError = true
    if (block.hosted) whole.hosted = true
    if (block.compaction) whole.compaction = true
    if (block.type === 'thinking' && block.state === 'cut') whole.incomplete = true
    this.finish(block, whole)
  }

  private completeCall(block: NativeBlock): void {
    const { text } = block
    const read = block.freeform ? undefined : readArguments(text, block.hosted ? [] : this.requiredOf(block.name))
    const input = read !== undefined && 'input' in read ? read.input : undefined
    const args = input === undefined ? text : canonical(input, text)
    const said = `${block.name} ${args.length} ${checksum(args)}`
    const before = block.id === '' ? undefined : this.calls.get(block.id)
    if (before === said && block.emitted === 'nothing') return block.forgetText()
    // Another tool is another call.
    const isRepeated = before?.startsWith(`${block.name} `) === true
    if (before !== undefined && !isRepeated && block.emitted === 'nothing') block.id = this.newId()
    this.write(block)
    // An id comes after the name, if there is one.
    const isNamed = block.emitted !== 'start'
    if (block.emitted !== 'id') {
      if (block.id === '') block.id = this.newId()
      this.giveId(block)
    }
    const whole: BlockDraft = { type: 'tool_call', toolId: block.id }
    if (block.hosted) whole.hosted = true
    if (isNamed) whole.toolName = block.name
    // No arguments are an empty object, also in the chunks.
    if (input !== undefined && isNoArguments(text)) this.sink.chunk('{}')
    else this.giveText(block)
    if (read !== undefined && 'input' in read) {
      whole.input = read.input
      const repairs = repairsIn(read)
      if (repairs.length > 0) whole.repairs = repairs
    } else {
      whole.content = text
      if (read !== undefined) whole.incomplete = true
      if (read?.problem === 'missing-arguments') whole.problem = read.problem
    }
    if (block.state === 'cut' || !isNamed) whole.incomplete = true
    if (isRepeated) {
      whole.incomplete = true
      whole.problem = 'repeated-id'
    } else if (whole.incomplete === undefined) {
      this.calls.set(block.id, said)
      if (!block.hosted) this.toRun.add(block.id)
    }
    this.finish(block, whole)
  }

  private start(block: NativeBlock): void {
    const { type, id, hosted } = block
    this.sink.start(type, type === 'tool_call' ? 1 : undefined, hosted ? { hosted } : undefined)
    if (type === 'tool_result' && id !== '') this.sink.answers(id)
    block.emitted = 'start'
  }

  private giveId(block: NativeBlock): void {
    this.sink.part('id', block.id)
    block.emitted = 'id'
  }

  private giveText(block: NativeBlock): void {
    const text = block.pieces.take()
    if (text !== '') this.sink.chunk(text)
  }

  private finish(block: NativeBlock, whole: BlockDraft): void {
    this.sink.complete(block.about === undefined ? whole : { ...whole, ...block.about })
    block.forgetText()
  }
}
