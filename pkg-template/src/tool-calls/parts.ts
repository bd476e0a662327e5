// Makes the parts of a stream: one text or reasoning open at a time, calls between them.
//
// Text comes out in the parts that it came in, with all that these carry: a text
// without a call passes as it is. Of a text with calls in it the first piece has what
// was on the source's start, each delta what was on the source's, and the last piece
// what was on its end. What came without text of its own comes out empty.
//
// Within a chunk neighbouring deltas of arguments and of reasoning are joined.
//
// Source: spec/tool_call.md, "Parts"; spec/world.md, AI SDK middleware 7.

import { Joined } from '../joined.js'
import { isHighHalf } from '../surrogates.js'
import { SourceTexts, type SourcePart, hasFields } from './source-texts.js'
import type {
  CitationPart,
  StreamPart,
  TextDeltaPart,
  TextEndPart,
  TextStartPart,
  ToolCallStreamPart,
} from './types.js'

/** Takes a part; a call may be malformed. */
export type Emit = (part: ToolCallStreamPart | CitationPart, isMalformed?: boolean) => void

/** A call that is being emitted. */
export interface OpenCall {
  readonly toolCallId: string
  readonly toolName: string
}

/** A call with all of its arguments. */
export interface WholeCall extends OpenCall {
  readonly input: string
}

/** What comes out: nothing that the prompt has of the reply, but all of a call that it has begun. */
class Output {
  /** The arguments of the call. */
  readonly input = new Joined()
  /** Whether nothing comes out: what the prompt has of the reply is read. */
  isSilent = false
  /** Where what comes out begins, and the call that the prompt has begun, until its start comes out. */
  from = 0
  owed: OpenCall | undefined

  constructor(
    private readonly emitted: Emit,
    readonly generateId: (kind: 'call' | 'text' | 'reasoning') => string,
  ) {}

  newId(kind: 'text' | 'reasoning'): string {
    return this.isSilent ? kind : this.generateId(kind)
  }

  emit(part: Parameters<Emit>[0], isMalformed?: boolean): void {
    if (this.isSilent) return
    const { owed } = this
    if (owed !== undefined && part.type.startsWith('tool-input-') && (part as { id?: string }).id === owed.toolCallId) {
      this.owed = undefined
      const { toolCallId: id, toolName } = owed
      this.emitted({ type: 'tool-input-start', id, toolName })
      this.emitted({ type: 'tool-input-delta', id, delta: this.input.toString() })
      if (part.type === 'tool-input-delta') return
    }
    this.emitted(part, isMalformed)
  }

  /** What of a text that stands at a place comes out. */
  after(text: string, from: number): string {
    return from < this.from ? text.slice(this.from - from) : text
  }
}

/** Writes parts. */
export class PartWriter {
  private readonly source = new SourceTexts()
  /** What the source's text began with, until a piece has it. */
  private start: TextStartPart | undefined
  /** Deltas whose text did not come out, but which have to: they carry something, or were empty. */
  private kept: SourcePart[] = []
  /** Whether there is a call or reasoning in the source's text. */
  private isSplit = false
  private openId: string | undefined
  private isReasoning = false
  /** Text or input that was read in this chunk, and its place. */
  private pending = ''
  private pendingFrom = 0
  private call: OpenCall | undefined
  /** Units of text that came out. */
  textLength = 0
  private readonly out: Output

  constructor(
    emitted: Emit,
    private readonly emitsInput: boolean,
    generateId: Output['generateId'],
  ) {
    this.out = new Output(emitted, generateId)
  }

  /** A part of a text of the source, whose text is from one place to another. */
  add(part: StreamPart, from: number, to: number): void {
    this.source.add(part, from, to)
  }

  /** Reads what the prompt has of the reply, up to a place: nothing of it comes out. */
  silently(read: () => void, to: number): void {
    this.out.isSilent = true
    read()
    this.flush()
    this.out.isSilent = this.isReasoning = this.isSplit = false
    this.openId = undefined
    this.textLength = 0
    this.out.from = to
    if (this.emitsInput) this.out.owed = this.call
  }

  /** More text, which stands at `start` in the stream. */
  text(written: string, start: number): void {
    const text = this.out.after(written, start)
    const from = start + written.length - text.length
    if (text === '') return
    if (this.isReasoning || from !== this.pendingFrom + this.pending.length) this.flush()
    if (this.pending === '') this.pendingFrom = from
    this.pending += text
    this.textLength += text.length
  }

  /** The text from a place on cites what is named so: `0:[1,2]` is results 1 and 2 of call 0. */
  citation(start: number, named: string): void {
    this.announce()
    const sources = [...named.matchAll(/(\d+):\[([\d, ]*)\]/g)].map(([, call, results]) => ({
      call: Number(call),
      results: (results as string)
        .split(',')
        .filter((number) => number.trim() !== '')
        .map(Number),
    }))
    const end = this.textLength
    this.out.emit({
      type: 'source',
      sourceType: 'document',
      id: `citation-${start}-${end}`,
      mediaType: 'text/plain',
      title: named.trim(),
      providerMetadata: { tokenweir: { start, end, sources } },
    })
  }

  /** Reasoning begins. */
  beginReasoning(): void {
    this.#split()
    this.isReasoning = true
    this.openId = this.out.newId('reasoning')
    this.out.emit({ type: 'reasoning-start', id: this.openId })
  }

  /** More of it. */
  reasoning(written: string, from: number): void {
    const text = this.out.after(written, from)
    if (text === '') return
    // The source's text ended in it, and another goes on with it.
    if (!this.isReasoning) this.beginReasoning()
    this.pending += text
  }

  /** It has ended; what stands before `to` is decided. */
  endReasoning(to: number): void {
    this.closeOpen()
    this.consume(to)
  }

  /** The text or reasoning that is open ends. */
  closeOpen(): void {
    this.flush()
    const id = this.openId
    if (id === undefined) return
    this.openId = undefined
    this.out.emit({ type: this.isReasoning ? 'reasoning-end' : 'text-end', id })
    this.isReasoning = false
  }

  /** A call begins, whose id is made where the text has none. */
  begin(toolName: string, id = ''): OpenCall {
    // A call that is only emitted as a whole may yet be text.
    if (this.emitsInput) this.#split()
    // The text before it has its id first, wherever it was cut.
    else this.flush()
    const call = { toolCallId: id === '' ? this.out.generateId('call') : id, toolName }
    this.call = call
    this.out.input.clear()
    if (this.emitsInput) this.out.emit({ type: 'tool-input-start', id: call.toolCallId, toolName })
    return call
  }

  /** More of its arguments. */
  addInput(json: string): void {
    if (this.emitsInput) this.pending += json
    else this.out.input.add(json)
  }

  /**
   * Its arguments are others than those that were written. Deltas can't be taken back, so these end, and the call comes
   * under another id.
   */
  rewrite(json: string): OpenCall | undefined {
    const { call } = this
    if (call === undefined) return undefined
    this.end()
    this.out.input.clear()
    const again = this.begin(call.toolName)
    this.addInput(json)
    return again
  }

  /** All of its arguments so far. */
  get written(): string {
    const written = this.out.input.toString()
    return this.call !== undefined && this.emitsInput ? written + this.pending : written
  }

  /** The call is whole. */
  done(): void {
    const call = this.withhold()
    if (call !== undefined) this.out.emit({ type: 'tool-call', ...call })
  }

  /** The call is whole, but its part comes later, if it comes. */
  withhold(): WholeCall | undefined {
    const { call } = this
    if (call === undefined) return undefined
    this.#split()
    this.end()
    const whole = { toolCallId: call.toolCallId, toolName: call.toolName, input: this.out.input.toString() }
    this.out.input.clear()
    return whole
  }

  /** A call that was withheld. */
  release({ toolCallId, toolName, input }: WholeCall): void {
    this.#split()
    this.out.emit({ type: 'tool-call', toolCallId, toolName, input })
  }

  /** There are no more arguments. */
  end(): void {
    const { call } = this
    if (call === undefined) return
    if (this.emitsInput) this.flush()
    this.call = undefined
    if (this.emitsInput) this.out.emit({ type: 'tool-input-end', id: call.toolCallId })
  }

  /** A call as it is, with whatever input. */
  invalidCall(toolName: string, toolCallId: string | undefined, input: string): string {
    this.#split()
    const id = toolCallId ?? this.out.generateId('call')
    this.out.emit({ type: 'tool-call', toolCallId: id, toolName, input }, true)
    return id
  }

  /** What stands before `to` was not text. */
  consume(to: number): void {
    this.flush()
    this.#markSplit()
    this.#reach(to, false)
  }

  /** A part of another kind comes here, in the text that is open. */
  announce(): void {
    this.flush()
    if (this.isSplit || this.isReasoning) return
    if (this.start !== undefined && this.openId === undefined) this.#openText()
    this.#giveKept()
  }

  /** All text before `to` is decided. */
  decided(to: number): void {
    this.flush()
    this.#reach(to, true)
    // Those that are empty and carry nothing come with what comes next: a call may begin here.
    if (this.call === undefined && !this.isReasoning && this.kept.some(({ part }) => hasFields(part))) this.#giveKept()
  }

  /** Emits what was read since the last part. */
  flush(): void {
    const { pending } = this
    if (pending === '') return
    this.pending = ''
    if (this.call !== undefined && this.emitsInput) {
      // Joined once for a chunk, not token by token.
      this.out.input.add(pending)
      this.out.emit({ type: 'tool-input-delta', id: this.call.toolCallId, delta: pending })
    } else if (this.isReasoning) this.out.emit({ type: 'reasoning-delta', id: this.openId as string, delta: pending })
    else this.#flushText(pending, this.pendingFrom)
  }

  /** Gives text in the deltas that it came in. */
  #flushText(pending: string, from: number): void {
    let text = pending
    for (let at = from; text !== ''; ) {
      this.#reach(at, true)
      this.#giveKept()
      let delta = this.source.over(at)
      let length = this.#lengthIn(delta, at, text)
      if (length === 0) {
        // A surrogate pair is not cut: it comes with its second half.
        delta = this.source.over(at + 1)
        length = Math.max(2, this.#lengthIn(delta, at, text))
      }
      this.#delta(text.slice(0, length), delta)
      text = text.slice(length)
      at += length
    }
  }

  /** How much of a text that stands at a place is of a delta of the source, without half a surrogate pair. */
  #lengthIn(delta: SourcePart | undefined, at: number, text: string): number {
    const end = delta?.to ?? this.source.first?.from ?? Infinity
    const length = end > at ? Math.min(end - at, text.length) : text.length
    return length < text.length && isHighHalf(text.charCodeAt(length - 1)) ? length - 1 : length
  }

  #delta(text: string, source: SourcePart | undefined): void {
    const id = this.openId ?? this.#openText()
    if (source === undefined) {
      this.out.emit({ type: 'text-delta', id, delta: text })
      return
    }
    source.isEmitted = true
    const part = source.part as TextDeltaPart
    this.out.emit(part.delta === text && part.id === id ? part : { ...part, id, delta: text })
  }

  #giveKept(): void {
    if (this.kept.length === 0) return
    const { kept } = this
    this.kept = []
    for (const delta of kept) this.#delta('', delta)
  }

  /** Takes what the source said up to a place. `isText`: not inside of a call or of reasoning. */
  #reach(to: number, isText: boolean): void {
    for (let { first } = this.source; first !== undefined && first.to <= to; { first } = this.source) {
      this.source.take()
      const { part } = first
      if (part.type === 'text-start') {
        this.start = part as TextStartPart
        this.isSplit = !isText && first.from < to
      } else if (part.type === 'text-end') this.#endText(part as TextEndPart)
      else if (!first.isEmitted && (hasFields(part) || (isText && first.from === first.to && !this.isSplit)))
        this.kept.push(first)
    }
  }

  /** The source's text ends. */
  #endText(part: TextEndPart): void {
    if (this.isReasoning) this.closeOpen()
    if (this.openId === undefined && this.start === undefined && !this.isSplit) {
      // Nothing has begun that it could end.
      this.out.emit(part)
      return
    }
    if (this.openId === undefined && (!this.isSplit || hasFields(this.start) || hasFields(part))) this.#openText()
    this.#giveKept()
    const id = this.openId
    this.openId = undefined
    this.start = undefined
    if (id !== undefined) this.out.emit(part.id === id ? part : { ...part, id })
  }

  #openText(): string {
    const { start } = this
    this.start = undefined
    this.openId = start?.id ?? this.out.newId('text')
    this.out.emit(start ?? { type: 'text-start', id: this.openId })
    return this.openId
  }

  /** Something that isn't text comes in the source's text. */
  #split(): void {
    this.closeOpen()
    this.#markSplit()
  }

  /** Deltas that were empty and carry nothing are of no text that passes as it is. */
  #markSplit(): void {
    this.isSplit = true
    if (this.kept.length > 0) this.kept = this.kept.filter(({ part }) => hasFields(part))
  }
}
