// Reads the parts of a stream: text is searched for calls, all else passes.
//
// A text that is open has a parser; texts that follow each other have the same, so
// that a call may go on from one to the next, and texts that are open at the same time
// have one each.
//
// Source: spec/tool_call.md, "Parts"; spec/world.md, AI SDK middleware 6 to 9.

import { ParseError } from '../errors.js'
import { calledReason, endedByItself } from '../finish-reason.js'
import type { StreamReader } from '../stream-reader.js'
import { Catalogue } from './catalogue.js'
import type { ResolvedOptions } from './options.js'
import { PartWriter } from './parts.js'
import { CallsOnce } from './calls-once.js'
import type { EmitPart } from './tool-set.js'
import type { StreamPart, Tool } from './types.js'

/** Parts that end a run of text: what is pending there isn't part of a tag. */
const RUN_ENDS: ReadonlySet<string> = new Set([
  'finish',
  'error',
  'abort',
  'file',
  'reasoning-file',
  'reasoning-start',
  'tool-input-start',
  'tool-call',
  'tool-result',
  'tool-approval-request',
])

/** What emits the calls of one text. */
interface TextCalls {
  /** Gets the text of each segment that was a call. */
  onSegment: ((raw: string) => void) | undefined
  /** Whether a call was made. */
  readonly hasCalled: boolean
  /** Where text begins that may yet come out, of a segment that is not a call. */
  readonly keptFrom: number | undefined
  /** The stream has ended: emits what was withheld. */
  release(): void
}

/** How text is read. */
export interface TextReading {
  /** The ids of the formats, and a checksum of their rows. */
  readonly formats: string
  /** Begins to read a text; `isFirst` of the reply. So many units before it were read already: `passed`. */
  open(
    catalogue: Catalogue,
    options: ResolvedOptions,
    writer: PartWriter,
    isFirst: boolean,
  ): { readonly calls: TextCalls; readonly reader: StreamReader; readonly passed?: number }
}

/** Reads the texts of a stream that follow each other. */
class TextParser {
  readonly calls: TextCalls
  private readonly writer: PartWriter
  private readonly reader: StreamReader
  /** Units of text that came. */
  private fed = 0

  constructor(reading: TextReading, catalogue: Catalogue, options: ResolvedOptions, emit: EmitPart, isFirst: boolean) {
    this.writer = new PartWriter(emit, options.toolInputDeltas, options.generateId)
    const { calls, reader, passed = 0 } = reading.open(catalogue, options, this.writer, isFirst)
    this.calls = calls
    this.reader = reader
    this.fed = passed
  }

  get isInCall(): boolean {
    return this.reader.isInCall()
  }

  start(part: StreamPart): void {
    this.writer.add(part, this.fed, this.fed)
    this.writer.decided(this.decidedTo)
  }

  delta(part: StreamPart, text: string): void {
    this.writer.add(part, this.fed, this.fed + text.length)
    this.read(text)
  }

  end(part: StreamPart): void {
    this.writer.add(part, this.fed, this.fed)
    this.settle()
  }

  read(text: string): void {
    if (text !== '') {
      this.fed += text.length
      this.reader.read(text)
    }
    this.writer.decided(this.decidedTo)
  }

  /** A run of text has ended: what is pending is text, unless a call has begun in it. */
  settle(): void {
    this.reader.settle()
    this.writer.decided(this.decidedTo)
  }

  /** A part of another kind comes here. */
  announce(): void {
    this.writer.announce()
  }

  finish(isCutOff: boolean): void {
    this.reader.finish(isCutOff)
    this.writer.decided(this.fed)
    this.writer.closeOpen()
    this.calls.release()
  }

  /** Up to where it is known what is text. */
  private get decidedTo(): number {
    return this.calls.keptFrom ?? this.fed - this.reader.pending
  }
}

/** Turns the parts of one stream into parts with calls. */
export class PartStream {
  private readonly catalogue: Catalogue
  private readonly texts: TextParser[]
  private readonly open = new Map<unknown, TextParser>()
  private readonly calls = new CallsOnce()
  private readonly emitOfText: EmitPart = (part, isMalformed) => {
    if (isMalformed === true || !this.calls.repeats(part, false)) this.emit(part, isMalformed)
  }
  private isOver = false
  /** Whether the part `finish` has ended it. */
  private hasFinishPart = false

  constructor(
    private readonly reading: TextReading,
    tools: readonly Tool[],
    private readonly options: ResolvedOptions,
    private readonly emit: EmitPart,
  ) {
    this.catalogue = new Catalogue(tools, options)
    this.texts = [new TextParser(reading, this.catalogue, options, this.emitOfText, true)]
  }

  /** Names the formats that it reads, and what else changes how. */
  get formats(): string {
    return this.reading.formats
  }

  /** Receives the text of each segment that was a call. */
  set onSegment(hear: (raw: string) => void) {
    this.main.calls.onSegment = hear
  }

  /** Reads a part. What follows the part `finish` passes as it is; after the end text is refused. */
  write(part: StreamPart): void {
    const { id, delta } = part as { readonly id?: unknown; readonly delta?: unknown }
    if (this.isOver && !this.hasFinishPart && part.type === 'text-delta' && delta !== '') this.#refuse()
    if (this.isOver) return this.hasFinishPart ? this.emit(part) : undefined
    switch (part.type) {
      case 'text-delta':
        // A part without text is not known here.
        if (typeof delta === 'string') this.#turn(this.open.get(id) ?? this.main).delta(part, delta)
        else this.#pass(part)
        break
      case 'text-start':
        {
          const text = this.open.get(id) ?? this.#idleText()
          this.open.set(id, text)
          this.#turn(text).start(part)
        }
        break
      case 'text-end':
        this.#turn(this.open.get(id) ?? this.main).end(part)
        this.open.delete(id)
        break
      case 'finish':
        this.finish(!endedByItself((part as { readonly finishReason?: unknown }).finishReason))
        this.hasFinishPart = true
        this.emit(this.texts.some(({ calls }) => calls.hasCalled) ? withCalls(part) : part)
        break
      default:
        this.#pass(part)
    }
  }

  /** Reads text. */
  text(chunk: string): void {
    if (this.isOver) this.#refuse()
    if (chunk !== '') this.main.read(chunk)
  }

  /** The end of the stream, or where it was cut off: what is pending comes out, what is open ends. */
  finish(isCutOff = false): void {
    if (!this.isOver) for (const text of this.texts) text.finish(isCutOff)
    this.isOver = true
    this.hasFinishPart = false
  }

  #refuse(): never {
    throw new ParseError('finished', 'text came after finish: calls of another text need a new parser or stream')
  }

  /** What has a part now: the other texts that are open stand before it. */
  #turn(text: TextParser): TextParser {
    for (const other of this.texts) if (other !== text) other.announce()
    return text
  }

  /** A part of another kind. */
  #pass(part: StreamPart): void {
    const endsRun = RUN_ENDS.has(part.type)
    for (const text of this.texts) {
      if (endsRun) text.settle()
      text.announce()
    }
    if (!this.calls.repeats(part, true)) this.emit(part)
  }

  private get main(): TextParser {
    return this.texts[0] as TextParser
  }

  /** A parser whose text has ended: preferably one that is in a call. */
  #idleText(): TextParser {
    const inUse = new Set(this.open.values())
    const idle = this.texts.filter((text) => !inUse.has(text))
    const text = idle.find(({ isInCall }) => isInCall) ?? idle[0]
    if (text !== undefined) return text
    const another = this.#another()
    this.texts.push(another)
    return another
  }

  #another(): TextParser {
    return new TextParser(this.reading, this.catalogue, this.options, this.emitOfText, false)
  }
}

/** A `finish` whose reason says that tools are called, in the form that it had. */
function withCalls(part: StreamPart): StreamPart {
  const reason = (part as { readonly finishReason?: unknown }).finishReason
  return { ...part, finishReason: calledReason(reason) } as StreamPart
}
