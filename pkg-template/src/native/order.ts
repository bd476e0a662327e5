// The order of emitted blocks: one open at a time, indices from 0.
//
// A provider may start a block before the last one has ended, and may interleave
// several calls. Here a block waits until those before it have ended:
//
//     begun     A ───────────┐ B ──────┐
//     pieces    A1 B1 A2 B2  end(A)    end(B)
//     out       A1    A2     B1B2      -
//
// Source: seeds/001, "Block Boundaries and Indices" and "Chat Mode Implementation".

import { META } from '../blocks/saving.js'
import { count, flag, instance, list, maybe, one, set, shape, text } from '../snapshot/checks.js'
import { hashOf } from '../snapshot/state.js'
import type { SavedClass } from '../snapshot/saved.js'
import type { BlockDraft } from '../blocks/block-draft.js'
import type { BlockEmission, ChunkMeta, ChunkType, MembraneBlock } from '../blocks/types.js'
import { Brackets } from '../json/brackets.js'
import { repairsIn } from '../json/call-json.js'
import { endsInHalf } from '../surrogates.js'
import { isNoArguments, mayBeNoArguments, readArguments } from '../json/call-arguments.js'

/** The front of a block's text, which a snapshot has left out. */
interface Lost {
  readonly units: number
  readonly hash: number | undefined
}

const NOTHING: Lost = { units: 0, hash: undefined }

/** More units than no arguments can have. */
const FRONT = 7

/** What servers write before arguments that come later. */
const STAND_INS: ReadonlySet<string> = new Set(['{}', 'null', '""'])

/** A block that a provider has started. Readers fill it; `BlockOrder` decides when it is emitted. */
export class NativeBlock {
  static get saved(): SavedClass {
    return {
      fields: {
        name: text,
        id: text,
        mayGrow: flag,
        freeform: flag,
        hosted: flag,
        compaction: flag,
        isError: flag,
        state: one('begun', 'whole', 'cut'),
        next: (next) => next === undefined || next instanceof NativeBlock,
        meta: maybe(META),
        nameGiven: flag,
        idGiven: flag,
        pieces: list(text),
        delivered: count,
        lost: shape<Lost>({ units: count, hash: maybe(count) }),
        brackets: instance(Brackets),
        scanned: count,
        front: text,
        half: text,
        type: one('text', 'thinking', 'tool_call', 'tool_result'),
      },
      isSound: ({ pieces, delivered, scanned }: NativeBlock) => delivered <= pieces.length && scanned <= pieces.length,
    }
  }

  /** A tool call's name, or empty until it is known. */
  name = ''
  /** The id of a tool call, or of the call that a result belongs to; empty until it is known. */
  id = ''
  /** The name may come in pieces until the arguments begin. */
  mayGrow = false
  /** The call's input is free text by design, not JSON. */
  freeform = false
  /** The provider runs the tool itself. */
  hosted = false
  /** The thinking is the provider's summary of an earlier conversation. */
  compaction = false
  /** The tool failed. */
  isError = false
  /** `whole`: the provider ended it. `cut`: the reply ended before it did. */
  state: 'begun' | 'whole' | 'cut' = 'begun'

  /** @internal */
  next: NativeBlock | undefined
  /** @internal */
  meta: ChunkMeta | undefined
  /** @internal */
  nameGiven = false
  /** @internal */
  idGiven = false
  /** All pieces, in order; those from `delivered` on wait. @internal */
  readonly pieces: string[] = []
  /** @internal */
  delivered = 0
  /** Half a character, whose other half may come with the next piece. @internal */
  half = ''
  private lost = NOTHING
  private brackets = new Brackets()
  private scanned = 0
  /** The first characters of a call's input, without white space before them. */
  private front = ''

  constructor(readonly type: ChunkType) {}

  /** Adds a piece. */
  add(piece: string): void {
    this.pieces.push(piece)
    if (this.type === 'tool_call' && this.front.length < FRONT)
      this.front = (this.front + piece).trimStart().slice(0, FRONT)
  }

  /** Nothing more comes: half a character is all there is of it. */
  addHalf(): void {
    if (this.half !== '') this.add(this.half)
    this.half = ''
  }

  /** Whether the input, as far as it is there, may turn out to be absent: it is kept back until that is known. */
  get mayBeNothing(): boolean {
    return !this.freeform && this.isNothingSoFar
  }

  private get isNothingSoFar(): boolean {
    const front = this.front.trimEnd()
    return front === '{' || front === '{}' || mayBeNoArguments(front)
  }

  /** Joins the pieces that were delivered and need no reading any more. */
  fold(): void {
    const { pieces, delivered, scanned } = this
    const count = scanned > 0 ? Math.min(delivered, scanned) : delivered
    if (count < 2) return
    pieces.splice(0, count, pieces.slice(0, count).join(''))
    this.delivered -= count - 1
    this.scanned = Math.max(0, scanned - count + 1)
  }

  /** It was emitted: a reader may know of it until the reply ends. */
  forgetText(): void {
    const { text } = this
    if (this.type === 'tool_call') this.lost = { units: text.length, hash: hashOf(text) }
    this.meta = this.next = undefined
    this.front = ''
    this.pieces.length = this.delivered = this.scanned = 0
  }

  /** All that came of it, but for what a snapshot has left out. */
  get text(): string {
    return this.pieces.join('')
  }

  /** Whether it has this text, now or when it was emitted. */
  hasText(text: string): boolean {
    const { units, hash } = this.lost
    return this.pieces.length > 0 ? this.text === text : units === text.length && hash === hashOf(text)
  }

  /** Whether the input is what servers write before arguments that come later, and was not emitted. */
  get isStandIn(): boolean {
    return !this.freeform && this.state === 'begun' && this.delivered === 0 && STAND_INS.has(this.text.trim())
  }

  /** Takes back such a beginning: what follows are the arguments. */
  startOver(): boolean {
    if (!this.isStandIn) return false
    this.front = ''
    this.pieces.length = this.scanned = 0
    this.brackets = new Brackets()
    return true
  }

  /** True until the first non-empty piece. */
  get isEmpty(): boolean {
    return this.pieces.length === 0 && !this.isPartial
  }

  /** Whether a snapshot has left out the front of it. */
  get isPartial(): boolean {
    return this.lost.units > 0
  }

  /** Leaves out what was delivered, while `act` runs. Calls and results keep it: a call is run by all of its input. */
  withoutText<Result>(act: () => Result): Result {
    const { pieces, lost } = this
    if (this.delivered === 0 || (this.type !== 'text' && this.type !== 'thinking')) return act()
    this.fold()
    const text = pieces.shift() as string
    this.lost = { units: lost.units + text.length, hash: hashOf(text, lost.hash) }
    this.delivered = 0
    try {
      return act()
    } finally {
      pieces.unshift(text)
      this.delivered = 1
      this.lost = lost
    }
  }

  /** What a provider's final text adds to the pieces so far; nothing if it disagrees with them. */
  restOf(text: string): string {
    const soFar = this.pieces.join('') + this.half
    const { units, hash } = this.lost
    const end = units + soFar.length
    const agrees =
      text.length > end && text.startsWith(soFar, units) && (units === 0 || hashOf(text.slice(0, units)) === hash)
    return agrees ? text.slice(end) : ''
  }

  /** Whether nothing of it can come any more: it has ended, or its arguments are whole. */
  get isWhole(): boolean {
    return this.state !== 'begun' || this.isClosed
  }

  /** Whether the arguments have begun, and are not whole: more of them may come. */
  get isOpen(): boolean {
    return this.state === 'begun' && !this.isClosed && this.brackets.depth > 0
  }

  /**
   * True once the pieces are one closed JSON object or array, or stand for none. Reads each character only once,
   * however often it is called.
   */
  get isClosed(): boolean {
    if (this.freeform || this.front === '') return false
    if (this.mayBeNothing) return isNoArguments(this.front) || this.front.trimEnd() === '{}'
    for (; this.scanned < this.pieces.length; this.scanned++) this.brackets.read(this.pieces[this.scanned] as string)
    return this.brackets.isClosed
  }
}

/** How much text of a kind a reply has had, and its end: so that a text that repeats it is recognized. */
interface Seen {
  readonly units: number
  readonly end: string
}

const UNSEEN: Seen = { units: 0, end: '' }

/** Units of a text's end that are compared. */
const COMPARED = 64

/** Puts blocks in order and records their callbacks as emissions. */
export class BlockOrder {
  static get saved(): SavedClass {
    const seen = shape<Seen>({ units: count, end: text })
    return {
      skips: ['emissions', 'generateId', 'requiredOf'],
      fields: {
        head: maybe(instance(NativeBlock)),
        tail: maybe(instance(NativeBlock)),
        toRun: set(text),
        texts: seen,
        thoughts: seen,
        calls: list(instance(NativeBlock)),
      },
      tidy: ({ head }: BlockOrder) => {
        for (let block = head; block !== undefined; block = block.next) block.fold()
      },
    }
  }
  /** The emissions since the caller last took them. */
  emissions: BlockEmission[] = []
  /** The ids of the calls that the program is to run. */
  private readonly toRun = new Set<string>()
  private index = 0
  private head: NativeBlock | undefined
  private tail: NativeBlock | undefined
  /** Whether it is known why the reply ended: until then, what ended last may have been cut off. */
  private isSettled = false
  /** What the reply has had so far. */
  private texts = UNSEEN
  private thoughts = UNSEEN
  private calls: NativeBlock[] = []
  private results = 0

  /**
   * `generateId` is called once for each call that ends without an id, `requiredOf` gives the arguments that a tool's
   * schema
   * requires.
   */
  constructor(
    private readonly generateId: () => string,
    private readonly requiredOf: (name: string) => readonly string[] = () => [],
  ) {}

  /** Whether there is a call that the program is to run. */
  get hasCalls(): boolean {
    return this.toRun.size > 0
  }

  /** Whether the reply has had anything. */
  get hasBegun(): boolean {
    return this.texts !== UNSEEN || this.thoughts !== UNSEEN || this.calls.length > 0 || this.results > 0
  }

  /** The next reply begins: nothing of it was there before. */
  startReply(): void {
    this.isSettled = false
    this.texts = this.thoughts = UNSEEN
    this.calls = []
    this.results = 0
  }

  /** An id for a call without one. */
  newId(): string {
    return this.generateId()
  }

  /** Starts a block after the existing ones. */
  begin(type: ChunkType, name = '', id = '', hosted = false, mayGrow = false): NativeBlock {
    const block = new NativeBlock(type)
    block.hosted = hosted
    block.mayGrow = mayGrow
    block.name = name
    block.id = id
    this.enqueue(block)
    return block
  }

  /** Adds text to a block, and emits it if it is the block's turn. */
  append(block: NativeBlock, text: string): void {
    if (text === '' || block.state !== 'begun') return
    const whole = block.half + text
    block.half = endsInHalf(whole) ? whole.slice(-1) : ''
    const piece = block.half === '' ? whole : whole.slice(0, -1)
    if (piece === '') return
    this.note(block, piece)
    block.add(piece)
    this.advance()
  }

  /**
   * Sets a call's late name or id. The first non-empty one stays; a name that comes in pieces grows until it is
   * emitted.
   */
  identify(block: NativeBlock, name: string, id: string): void {
    if (block.state !== 'begun') return
    if (block.name === '') block.name = name
    else if (block.mayGrow && block.isEmpty && block.name !== name) block.name += name
    if (block.id === '') block.id = id
    this.advance()
  }

  /** The provider ended the block. */
  end(block: NativeBlock): void {
    if (block.state !== 'begun') return
    block.addHalf()
    block.state = 'whole'
    this.advance()
  }

  /** The reply ended before the block did: a tool call must not be run. */
  cut(block: NativeBlock): void {
    if (block.state !== 'begun') return
    block.addHalf()
    block.state = 'cut'
    this.advance()
  }

  /** A complete block: one chunk. */
  whole(type: ChunkType, text: string): void {
    const block = this.begin(type)
    this.append(block, text)
    this.end(block)
  }

  /** A tool's complete result. A call that it answers is not to be run any more. */
  result(text: string, id: string, isError: boolean, hosted = false): void {
    this.results++
    if (this.calls.length > 0) this.toRun.delete(id)
    for (let call = this.head; call !== undefined; call = call.next)
      if (call.type === 'tool_call' && call.id === id && id !== '') call.hosted = true
    const block = new NativeBlock('tool_result')
    block.hosted = hosted
    block.id = id
    block.isError = isError
    block.state = 'whole'
    if (text !== '') block.pieces.push(text)
    this.enqueue(block)
  }

  /** It is known why the reply ended: whether what ended last was cut off. */
  settle(isCut: boolean): void {
    const { tail } = this
    if (
      isCut &&
      tail !== undefined &&
      this.mayChange(tail) &&
      (tail.type === 'thinking' || (!tail.freeform && tail.isEmpty))
    )
      tail.state = 'cut'
    this.isSettled = true
    this.advance()
  }

  /** The blocks that were begun, and not emitted. */
  get blocks(): NativeBlock[] {
    const blocks: NativeBlock[] = []
    for (let block = this.head; block !== undefined; block = block.next) blocks.push(block)
    return blocks
  }

  /** Whether a whole reply is the one that is being read: it is not, if that has ended and nothing of it is in it. */
  isSameReply(reply: readonly NativeBlock[]): boolean {
    if (!this.isSettled) return true
    const isOld = (type: 'text' | 'thinking', { units, end }: Seen) =>
      units > 0 && wholeText(reply, type).slice(0, units).endsWith(end)
    return isOld('text', this.texts) || isOld('thinking', this.thoughts) || this.knownCalls(reply).size > 0
  }

  /** Takes a whole reply after parts of it: what is new of it is emitted, and what is open ends. */
  complete(reply: readonly NativeBlock[]): void {
    const old = { text: this.oldUnits('text', reply), thinking: this.oldUnits('thinking', reply) }
    const known = this.knownCalls(reply)
    let { results } = this
    for (const block of reply) {
      const { type } = block
      if (type === 'tool_result') {
        if (results-- <= 0) this.addWhole(block)
      } else if (type === 'tool_call') {
        const call = known.get(block)
        if (call === undefined) this.addWhole(block)
        else this.endKnown(call, block)
      } else {
        const { text } = block
        const rest = text.slice(old[type])
        old[type] = Math.max(0, old[type] - text.length)
        this.addText(block, rest, old[type] === 0)
      }
    }
    for (let block = this.head; block !== undefined; ) {
      const { next, type }: NativeBlock = block
      if (type !== 'tool_call') this.end(block)
      block = next
    }
  }

  /** Drops open and waiting blocks. Indices restart at 0. */
  forget(): void {
    this.head = this.tail = undefined
    this.index = 0
    this.forgetCalls()
    this.startReply()
  }

  /** Of the next reply's calls none is to be run yet. */
  forgetCalls(): void {
    this.toRun.clear()
  }

  /** Leaves out the text of blocks that was emitted, while `act` runs. */
  withoutText<Result>(act: () => Result): Result {
    const from = (block: NativeBlock | undefined): Result =>
      block === undefined ? act() : block.withoutText(() => from(block.next))
    return from(this.head)
  }

  private enqueue(block: NativeBlock): void {
    if (block.type === 'tool_call') this.calls.push(block)
    if (this.tail === undefined) this.head = block
    else this.tail.next = block
    this.tail = block
    this.advance()
  }

  /** Emits everything that is decided. */
  protected advance(): void {
    while (this.head !== undefined) {
      const { head } = this
      this.release(head)
      if (head.state === 'begun' || (head.next === undefined && this.mayChange(head))) return
      this.head = head.next
      this.done(head)
    }
    this.tail = undefined
  }

  /**
   * Whether a block that has ended may turn out to be cut off, or run by the provider: only what follows shows it, or
   * why the
   * reply ended.
   */
  private mayChange({ state, type, hosted }: NativeBlock): boolean {
    return !this.isSettled && state === 'whole' && (type === 'thinking' || (type === 'tool_call' && !hosted))
  }

  /** Notes text that was new. */
  private note({ type }: NativeBlock, text: string): void {
    if (type === 'text') this.texts = seenWith(this.texts, text)
    if (type === 'thinking') this.thoughts = seenWith(this.thoughts, text)
  }

  /** So much of a whole reply's text was there before: all of it if it disagrees with what was. */
  private oldUnits(type: 'text' | 'thinking', reply: readonly NativeBlock[]): number {
    const { units, end } = type === 'text' ? this.texts : this.thoughts
    const whole = wholeText(reply, type)
    return whole.slice(0, units).endsWith(end) && whole.length >= units ? units : whole.length
  }

  /** The calls of a whole reply that were there before: by their ids, else by their names, in order. */
  private knownCalls(reply: readonly NativeBlock[]): Map<NativeBlock, NativeBlock> {
    const known = new Map<NativeBlock, NativeBlock>()
    const calls = reply.filter(({ type }) => type === 'tool_call')
    const ids = new Map(this.calls.map((call) => [call.id, call]))
    for (const call of calls) {
      const before = call.id === '' ? undefined : ids.get(call.id)
      if (before !== undefined) known.set(call, before)
    }
    const matched = new Set(known.values())
    const left = new Map<string, NativeBlock[]>()
    for (const call of this.calls) {
      if (matched.has(call)) continue
      const same = left.get(call.name)
      if (same === undefined) left.set(call.name, [call])
      else same.push(call)
    }
    for (const call of calls) {
      const before = known.has(call) ? undefined : left.get(call.name)?.shift()
      if (before !== undefined) known.set(call, before)
    }
    return known
  }

  /** Adds text to the open block of its kind, or as a block of its own. */
  private addText({ type, compaction }: NativeBlock, text: string, isWhole: boolean): void {
    const { tail } = this
    let open = tail?.type === type && tail.state === 'begun' ? tail : undefined
    if (text !== '') {
      open ??= this.begin(type)
      open.compaction = compaction
      this.append(open, text)
    }
    if (isWhole && open !== undefined) this.end(open)
  }

  private addWhole(block: NativeBlock): void {
    if (block.type === 'tool_result') return this.result(block.text, block.id, block.isError, block.hosted)
    const call = this.begin(block.type, block.name, block.id, block.hosted)
    call.freeform = block.freeform
    this.endKnown(call, block)
  }

  /** Ends an open call as a whole reply has it. */
  private endKnown(call: NativeBlock, whole: NativeBlock): void {
    this.identify(call, call.name === '' ? whole.name : '', whole.id)
    this.append(call, call.restOf(whole.text))
    if (whole.state === 'whole') this.end(call)
    else this.cut(call)
  }

  private release(block: NativeBlock): void {
    // A text block starts at its first character: empty text makes no block.
    if (block.meta === undefined) {
      if (block.type === 'text' && block.isEmpty) return
      this.start(block)
    }
    if (block.type === 'tool_call') {
      const isGrowing = block.mayGrow && block.state === 'begun' && block.pieces.length === 0
      if (!block.nameGiven && block.name !== '' && !isGrowing) this.giveName(block)
      if (!block.idGiven && block.nameGiven && block.id !== '') this.giveId(block)
      if (!block.idGiven || block.mayBeNothing) return
    }
    this.giveText(block)
  }

  private done(block: NativeBlock): void {
    if (block.type === 'tool_call') return this.completeCall(block)
    if (block.meta === undefined) return
    const whole: BlockDraft = { type: block.type, content: block.text }
    if (block.type === 'tool_result' && block.id !== '') whole.toolId = block.id
    if (block.isError) whole.isError = true
    if (block.hosted) whole.hosted = true
    if (block.compaction) whole.compaction = true
    if (block.type === 'thinking' && block.state === 'cut') whole.incomplete = true
    if (block.isPartial) whole.partial = true
    this.finish(block, whole)
  }

  private completeCall(block: NativeBlock): void {
    if (!block.idGiven) {
      if (block.id === '') block.id = this.newId()
      this.giveId(block)
    }
    const whole: BlockDraft = { type: 'tool_call', toolId: block.id }
    if (block.hosted) whole.hosted = true
    if (block.nameGiven) whole.toolName = block.name
    const { text } = block
    const read = block.freeform ? undefined : readArguments(text, block.hosted ? [] : this.requiredOf(block.name))
    if (read !== undefined && 'input' in read) {
      whole.input = read.input
      const repairs = repairsIn(read)
      if (repairs.length > 0) whole.repairs = repairs
      // No arguments are an empty object, also in the chunks.
      if (isNoArguments(text)) this.give('{}', block)
      else this.giveText(block)
    } else {
      this.giveText(block)
      whole.content = text
      if (read !== undefined) whole.incomplete = true
      if (read?.problem === 'missing-arguments') whole.problem = read.problem
    }
    if (block.state === 'cut' || !block.nameGiven) whole.incomplete = true
    if (!block.hosted && whole.incomplete === undefined) this.toRun.add(block.id)
    this.finish(block, whole)
  }

  private start(block: NativeBlock): void {
    const blockIndex = this.index++
    const { type } = block
    const meta: { -readonly [Key in keyof ChunkMeta]: ChunkMeta[Key] } = { type, visible: type === 'text', blockIndex }
    if (type === 'tool_call') meta.depth = 1
    if (type === 'tool_result' && block.id !== '') meta.toolId = block.id
    if (block.hosted) meta.hosted = true
    block.meta = meta
    this.emissions.push({ kind: 'blockEvent', event: { event: 'block_start', index: blockIndex, block: { type } } })
  }

  private giveName(block: NativeBlock): void {
    block.nameGiven = true
    block.meta = { ...(block.meta as ChunkMeta), toolName: block.name, toolCallPart: 'name' }
    this.give(block.name, block)
  }

  private giveId(block: NativeBlock): void {
    block.idGiven = true
    block.meta = { ...(block.meta as ChunkMeta), toolId: block.id, toolCallPart: 'id' }
    this.give(block.id, block)
    block.meta = { ...block.meta, toolCallPart: 'input' }
  }

  private giveText(block: NativeBlock): void {
    const waiting = block.pieces.length - block.delivered
    if (waiting === 0) return
    const text =
      waiting === 1 ? (block.pieces[block.delivered] as string) : block.pieces.slice(block.delivered).join('')
    block.delivered = block.pieces.length
    this.give(text, block)
  }

  private give(text: string, block: NativeBlock): void {
    // Each event has a meta of its own.
    this.emissions.push({ kind: 'content', text, meta: { ...(block.meta as ChunkMeta) } })
  }

  private finish(block: NativeBlock, whole: BlockDraft): void {
    const index = (block.meta as ChunkMeta).blockIndex
    this.emissions.push({
      kind: 'blockEvent',
      event: { event: 'block_complete', index, block: whole as MembraneBlock },
    })
    block.forgetText()
  }
}

function wholeText(reply: readonly NativeBlock[], type: 'text' | 'thinking'): string {
  return reply.map((block) => (block.type === type ? block.text : '')).join('')
}

function seenWith({ units, end }: Seen, text: string): Seen {
  return { units: units + text.length, end: (end + text).slice(-COMPARED) }
}

/** Reads a whole reply into blocks, and emits nothing. */
export class ReplyDraft extends BlockOrder {
  constructor() {
    super(() => '')
  }

  protected override advance(): void {}
}
