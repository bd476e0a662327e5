// The open tool call: its id, its input member by member, and the block that it becomes.
//
//     <invoke name="add">                         part: name, part: id
//     <parameter name="a">1</parameter>           chunk: {"a":1
//     <parameter name="a">2</parameter>           complete, incomplete; the call starts over as the next block
//     </invoke>                                   chunk: {"a":2}, complete
//
// Source: spec/block.md; spec/policy.md, 2, 3 and 7.

import type { CallPlace } from './options.js'
import { Declared, Limit } from '../generated/ops.js'
import { readArguments } from '../json/call-arguments.js'
import { type CallJson, callJsonIn, repairsIn } from '../json/call-json.js'
import { Members } from '../json/members.js'
import { isRecord } from '../own.js'
import type { Declarations } from '../schema/declared-type.js'
import type { Span } from '../span.js'
import { jsonIn } from '../untrusted.js'
import type { BlockDraft } from './block-draft.js'
import { Gathered, Repeats } from './input.js'
import type { Spans } from './spans.js'
import { type Stray, Strays, textOf } from './strays.js'
import type { BlockText } from './text.js'
import type { BlockWriter } from './writer.js'

/** An open tool call. */
interface Call {
  readonly name: string | undefined
  readonly id: string
  /** Where its tag begins. */
  readonly offset: number
  /** Whether its body can't be read, or lacks what the tool requires. */
  isMalformed: boolean
  /** What was repaired in its body. */
  repairs: readonly string[]
  /** Whether it has lists and objects, in which a key may come twice. */
  hasJson: boolean
}

/** What a call needs of the stream that it stands in. */
export interface CallHost {
  readonly writer: BlockWriter
  readonly text: BlockText
  readonly spans: Spans
  readonly declarations: Declarations | undefined
  newId(call: CallPlace): string
  /** Ends the open block, and starts another one like it. */
  startOver(block: BlockDraft, at: number): void
  /** A part of the call that is not in its input. */
  leaveOut(text: string, isLayout: boolean, from: number, to: number): void
}

/** Writes the tool calls of one stream. */
export class CallWriter {
  private call: Call | undefined
  /** The name of the last parameter. */
  private key = ''
  private readonly gathered = new Gathered()
  private readonly repeats = new Repeats()
  private readonly strays = new Strays()
  private readonly members = new Members({
    write: (json, from, to) => this.write(json, from, to),
    begin: (key, isAgain, from) => this.member(key, isAgain, from),
    leaveOut: (bracket, from, to) => this.host.leaveOut(bracket, true, from, to),
  })

  constructor(private readonly host: CallHost) {}

  /** Whether a call is open, and its name is known. */
  get isOpen(): boolean {
    return this.call !== undefined
  }

  /** How the last parameter is declared, or an element of the call, or whether a parameter may begin in a value. */
  declared(element: string | undefined, isOpener: boolean): number {
    const { declarations } = this.host
    if (element !== undefined && isOpener) {
      const mayBegin = !this.members.has(element) && declarations?.mayHave(this.call?.name ?? '', element) !== false
      return mayBegin ? Declared.Named : Declared.Unknown
    }
    return declarations?.of(this.call?.name ?? '', element ?? this.key, element !== undefined) ?? Declared.Unknown
  }

  /** A call begins at a place. */
  begin(name: string | undefined, offset: number, span: Span): void {
    this.members.reset()
    this.repeats.reset()
    this.open(name, offset, span)
  }

  private open(name: string | undefined, offset: number, span: Span): Call {
    const { host } = this
    const id = host.newId({ name, offset })
    const call: Call = { name, id, offset, isMalformed: false, repairs: [], hasJson: false }
    this.call = call
    if (host.writer.isEmitted) this.emitParts(call, host.spans.isOn ? span : undefined)
    return call
  }

  private emitParts({ name, id }: Call, span?: Span): void {
    const { writer } = this.host
    if (name !== undefined) writer.part('name', name, span)
    writer.part('id', id, span && [span[1], span[1]])
  }

  /** Emits the open call so far, if that was not done: prefill left it open. */
  show(): void {
    const { call } = this
    const { writer, text } = this.host
    if (call === undefined || writer.isEmitted) return
    writer.show()
    this.emitParts(call)
    const input = text.content.toString()
    if (input !== '') writer.chunk(input)
  }

  /** A parameter begins. */
  parameter(key: string, decoded: string, from: number, to: number): void {
    this.key = decoded
    const listing = this.host.declarations?.listing(this.call?.name ?? '', decoded)
    if (!this.members.begin(decoded, listing, from, to)) this.host.leaveOut(key, false, from, to)
  }

  /** A piece of its value as JSON. */
  add(piece: string, from?: number, to?: number): void {
    this.members.add(piece, from, to)
  }

  /** A piece that comes alone. */
  addWhole(piece: string): void {
    this.members.add(piece)
    this.settle()
  }

  /** It has a list or an object, in which a key may come twice. */
  addJson(piece: string, from: number, to: number): void {
    if (this.call !== undefined) this.call.hasJson = true
    this.members.add(piece, from, to)
  }

  /** Text outside the parameters. */
  stray(text: string, from: number, to: number): void {
    this.strays.add(text, from, to, this.host.spans.isOn)
  }

  /** All parameters were read. */
  endInput(at: number): void {
    this.members.finish(at, this.repeats.members())
  }

  /** The body of a call without parameters is its input. */
  endBody(at: number): void {
    const { call, host } = this
    // No call is open where the machine's state was overwritten.
    if (call === undefined) return
    const strays = this.strays.take()
    const body = textOf(strays)
    const read = readArguments(body, host.declarations?.requiredBy(call.name ?? ''), bodyOf)
    call.isMalformed = 'problem' in read
    if ('input' in read && (strays.length === 0 || read.isRepeated || !isRecord(jsonIn(body)))) {
      const first = strays[0] ?? { from: at, to: at }
      call.repairs = repairsIn(read)
      // What tags interrupt is no one text.
      if (strays.length < 2) return this.write(body === '' ? '{}' : JSON.stringify(read.input), first.from, first.to)
      call.isMalformed = true
    }
    for (const { text, from, to } of strays) {
      // The last one waits: the call may be cut off after it.
      if (host.spans.isOn) this.settle()
      this.write(text, from, to)
    }
  }

  private write(json: string, from: number, to: number): void {
    const { gathered, host } = this
    // What is between two places is of another piece.
    if (host.spans.isOn && gathered.isApartFrom(from)) this.settle()
    gathered.add(json, from, to)
  }

  /** A member of the input is written next. */
  private member(key: string, isAgain: boolean, at: number): void {
    const { repeats, gathered, host } = this
    repeats.drop(key)
    if (isAgain) this.startOver(at, key)
    // After the brace or comma.
    repeats.begins(key, host.text.content.length + gathered.text.length + 1)
  }

  /**
   * What was emitted of a call can't be taken back: its block ends, and the call comes again as the next one, with what
   * was emitted of other arguments at its end.
   */
  private startOver(at: number, key?: string): void {
    this.settle()
    const { call, repeats, host } = this
    if (call === undefined) return
    if (repeats.times + 1 === Limit.CallStarts) {
      // More than a mistake: so that each text is emitted a few times at most.
      call.isMalformed = true
      return
    }
    const content = host.text.content.toString()
    repeats.startOver(content, key)
    this.members.startOver()
    host.startOver({ ...draftOf(call), content, incomplete: true, problem: 'repeated-argument' }, at)
    const next = this.open(call.name, call.offset, [at, at])
    next.isMalformed = call.isMalformed
    next.hasJson = call.hasJson
    next.repairs = ['repeated-argument']
  }

  /** The call ends: emits what was gathered of its input. `isIncomplete`: it was cut off, or can't be read. */
  settleLast(isIncomplete: boolean): void {
    this.settle(isIncomplete || this.call?.isMalformed === true)
  }

  /** Emits the input that was gathered, as one chunk; `isIncomplete`: it closes what the model left open. */
  settle(isIncomplete = false): void {
    const { gathered, host } = this
    if (gathered.text === '' || this.call === undefined) return
    const { from, to } = gathered
    const text = gathered.take()
    host.text.content.add(text)
    if (host.writer.isEmitted) host.writer.chunk(text, host.spans.of(from, to), isIncomplete)
  }

  /** The block of the open call, which is complete at a place; undefined if none is open. */
  whole(isIncomplete: boolean, isMalformed: boolean, at: number): BlockDraft | undefined {
    const { call, host } = this
    if (call === undefined) return undefined
    const content = host.text.content.toString()
    // Lists and objects stand in it as they were written.
    const read =
      isMalformed || call.isMalformed ? undefined : callJsonIn<Record<string, unknown>>(content, call.hasJson)
    if (read === undefined) return { ...draftOf(call), content, incomplete: true }
    if (read.isRepeated && !isIncomplete) {
      this.startOver(at)
      this.write(JSON.stringify(read.value), at, at)
      this.settle()
    }
    const repairs = [...new Set([...call.repairs, ...repairsIn(read)])]
    const block: BlockDraft = { ...draftOf(this.call ?? call), input: read.value }
    if (repairs.length > 0) block.repairs = repairs
    if (isIncomplete) block.incomplete = true
    return block
  }

  /** The call has ended; gives the text outside its parameters. */
  end(): readonly Stray[] {
    this.call = undefined
    return this.strays.take()
  }

  /** Nothing of the open call counts any more. */
  reset(): void {
    this.end()
    this.gathered.take()
  }
}

function draftOf({ id, name }: Call): BlockDraft {
  return name === undefined ? { type: 'tool_call', toolId: id } : { type: 'tool_call', toolId: id, toolName: name }
}

/** The value of a call's body, which may stand in a fence. */
function bodyOf(body: string): CallJson | undefined {
  const fenced = /^\s*```\w*\s*\n([^]*?)\n?\s*```\s*$/.exec(body)
  return callJsonIn(fenced?.[1] ?? body)
}
