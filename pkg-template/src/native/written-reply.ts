// What a reply has written, before its text is read: so that a reply that was cut can go on in another one.
//
//     first     start text   chunk "Hello wor"   complete
//     goes on                chunk "ld."                       its text block is still open
//
// Source: spec/message.md, 19 to 24.

import type { BlockDraft } from '../blocks/block-draft.js'
import type { ChunkType } from '../blocks/types.js'
import type { Marks } from '../blocks/writer.js'
import { THINKING_TAGS } from '../generated/ops.js'
import { SentAgain } from '../sent-again.js'
import type { BlockSink } from './emitter.js'

/** A call of a sink. */
export type Written =
  | readonly ['start', ChunkType, number | null, Marks | null]
  | readonly ['part', 'name' | 'id', string]
  | readonly ['answers', string]
  | readonly ['chunk', string]
  | readonly ['complete', BlockDraft]

/** The end of a block of text, or of thinking. */
type TextEnd = readonly ['complete', BlockDraft & { readonly type: Open['type'] }]

/** What a continued reply has before it. */
export interface Before {
  readonly written: readonly Written[]
  /** Whether its last block goes on, if that is text or thinking. */
  readonly goesOn: boolean
  /** The text that was sent, if it was trimmed; whether its end is, at any rate. */
  readonly sent?: string | undefined
  readonly trims: boolean
  /** Whether the server is known to send the text again that it goes on from. */
  readonly repeats: boolean
}

/** Tags that end a thought in the text; `thought` is Gemini's. */
const CLOSERS = [...THINKING_TAGS, 'thought'].map((name) => `</${name}>`)

/** A block that was open where the reply was cut. */
interface Open {
  readonly type: 'text' | 'thinking'
  /** What it has of the reply before. */
  readonly content: string
}

/** A thought that goes on in the text: what of that may be a closing tag, and all of it. */
interface Thought {
  held: string
  content: string
}

/** Writes to a sink, and keeps what is written. */
export class WrittenReply implements BlockSink {
  readonly #sink: BlockSink
  readonly #written: Written[] = []
  /** The piece that grows. */
  #chunk = ''
  #open: Open | undefined
  /** Leaves out what the server sends again. */
  #again: SentAgain | undefined
  /** The thought that text goes on in. */
  #thought: Thought | undefined
  /** A thought that came where text goes on: it is one if something follows it. */
  #held: Written[] | undefined
  /** Whether it was the text: some servers take for reasoning what has no end of reasoning before it. */
  isThoughtText = false

  constructor(sink: BlockSink) {
    this.#sink = sink
  }

  get written(): readonly Written[] {
    return this.#chunk === '' ? this.#written : [...this.#written, ['chunk', this.#chunk]]
  }

  /** Writes what came before. */
  goOn({ written, goesOn, sent, trims, repeats }: Before): void {
    const calls = [...written]
    const last = calls.at(-1)
    const type = goesOn && last !== undefined && isOfText(last) ? last[1].type : undefined
    if (type !== undefined) calls.pop()
    if (sent !== undefined) trim(calls, sent)
    else if (trims && type === 'text') trim(calls, textIn(calls).trimEnd())
    let content = ''
    for (const call of calls) {
      if (call[0] === 'start') content = ''
      else if (call[0] === 'chunk') content += call[1]
      this.#write(isOfText(call) ? ['complete', { ...call[1], content }] : call)
    }
    if (type === undefined) return
    this.#open = { type, content }
    this.#again = new SentAgain(textIn(calls), repeats)
  }

  start(type: ChunkType, depth: number | undefined, marks?: Marks): void {
    this.#keepThought()
    const open = this.#open
    if (open?.type === type) return
    // A server that reads no reasoning where it goes on has the rest of the thought in the text.
    if (open?.type === 'thinking' && type === 'text') {
      this.#thought ??= { held: '', content: open.content }
      return
    }
    const call: Written = ['start', type, depth ?? null, marks ?? null]
    if (open?.type === 'text' && type === 'thinking') {
      this.#held = [call]
      return
    }
    this.#endOpen(true)
    this.#write(call)
  }

  part(part: 'name' | 'id', text: string): void {
    this.#write(['part', part, text])
  }

  answers(toolId: string): void {
    this.#write(['answers', toolId])
  }

  chunk(written: string): void {
    if (this.#held !== undefined) return void this.#held.push(['chunk', written])
    const isText = this.#open?.type === 'text' || this.#thought !== undefined
    this.#add(isText ? (this.#again?.read(written) ?? written) : written)
  }

  #add(text: string): void {
    if (text === '') return
    if (this.#thought !== undefined) this.#think(text)
    else this.#write(['chunk', text])
  }

  complete(block: BlockDraft): void {
    if (this.#held !== undefined) return void this.#held.push(['complete', block])
    this.#release()
    const open = this.#open
    if (this.#thought !== undefined) return this.#endOpen(true)
    this.#open = undefined
    this.#write(['complete', open === undefined ? block : { ...block, content: open.content + (block.content ?? '') }])
  }

  /** The end of the reply: what is still open was not gone on with. */
  end(isCut: boolean): void {
    const held = this.#held ?? []
    const isSigned = held.some((call) => call[0] === 'complete' && (call[1].signature ?? call[1].data) !== undefined)
    if (held.length === 0 || isCut || isSigned) this.#keepThought()
    else {
      this.#held = undefined
      this.isThoughtText = true
      for (const call of held) if (call[0] === 'chunk') this.chunk(call[1])
    }
    this.#release()
    this.#endOpen(true)
  }

  /** A thought is one. */
  #keepThought(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.#endOpen(true)
    for (const call of held) this.#write(call)
  }

  #release(): void {
    const held = this.#again?.finish() ?? ''
    this.#again = undefined
    this.#add(held)
  }

  /** Text of an open thought, up to its closing tag. */
  #think(text: string): void {
    const thought = this.#thought as Thought
    const all = thought.held + text
    const found = CLOSERS.map((closer) => [all.indexOf(closer), closer.length] as const).filter(([at]) => at >= 0)
    const [at, length] = found.sort(([one], [other]) => one - other)[0] ?? [-1, 0]
    if (at >= 0) {
      this.#say(thought, all.slice(0, at))
      this.#thought = undefined
      this.#open = undefined
      this.#write(['complete', { type: 'thinking', content: thought.content }])
      this.#write(['start', 'text', null, null])
      const rest = all.slice(at + length).trimStart()
      if (rest !== '') this.#write(['chunk', rest])
      return
    }
    const held = Math.max(...CLOSERS.map((closer) => frontAtEnd(all, closer)))
    thought.held = all.slice(all.length - held)
    this.#say(thought, all.slice(0, all.length - held))
  }

  #say(thought: Thought, text: string): void {
    if (text === '') return
    thought.content += text
    this.#write(['chunk', text])
  }

  /** The block of the reply before ends. */
  #endOpen(isCut: boolean): void {
    const open = this.#open
    const thought = this.#thought
    if (open === undefined) return
    if (thought !== undefined) this.#say(thought, thought.held)
    this.#open = this.#thought = undefined
    const incomplete = isCut && open.type === 'thinking' ? { incomplete: true as const } : {}
    this.#write(['complete', { type: open.type, content: thought?.content ?? open.content, ...incomplete }])
  }

  #write(call: Written): void {
    const sink = this.#sink
    if (call[0] === 'chunk') this.#chunk += call[1]
    else {
      if (this.#chunk !== '') this.#written.push(['chunk', this.#chunk])
      this.#chunk = ''
      this.#written.push(withoutText(call))
    }
    switch (call[0]) {
      case 'start':
        return sink.start(call[1], call[2] ?? undefined, call[3] ?? undefined)
      case 'part':
        return sink.part(call[1], call[2])
      case 'answers':
        return sink.answers(call[1])
      case 'chunk':
        return sink.chunk(call[1])
      case 'complete':
        return sink.complete(call[1])
    }
  }
}

/** A text block has its text in its chunks: it is not kept twice. */
function withoutText(call: Written): Written {
  if (!isOfText(call)) return call
  const { content: _, ...block } = call[1]
  return ['complete', block]
}

/** Whether a block of text, or of thinking, ends. */
function isOfText(call: Written): call is TextEnd {
  return call[0] === 'complete' && (call[1].type === 'text' || call[1].type === 'thinking')
}

/** The text that was written. */
function textIn(calls: readonly Written[]): string {
  let text = ''
  let at: ChunkType = 'text'
  for (const call of calls) {
    if (call[0] === 'start') at = call[1]
    else if (call[0] === 'chunk' && at === 'text') text += call[1]
  }
  return text
}

/** Takes white space off the end that was not sent. */
function trim(calls: Written[], sent: string): void {
  const last = calls.at(-1)
  const all = textIn(calls)
  if (last?.[0] !== 'chunk' || !all.startsWith(sent) || all.slice(sent.length).trim() !== '')
    throw new TypeError(
      'readReply: sent must be the text of the reply that is continued, with or without white space at its end',
    )
  calls[calls.length - 1] = ['chunk', last[1].slice(0, last[1].length - (all.length - sent.length))]
}

/** How much of a text's end may begin a marker. */
function frontAtEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--)
    if (marker.startsWith(text.slice(text.length - length))) return length
  return 0
}
