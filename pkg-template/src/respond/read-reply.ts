// From the emissions of a reply to what clients hear of it.

import type { BlockEmission, ChunkMeta, ToolCallBlock } from '../blocks/types.js'
import type { ReplyEmission } from '../reply/attempts.js'
import { jsonOrText } from '../untrusted.js'
import { Arguments } from './arguments.js'
import { answerError } from './faults.js'
import type { AnyReply, Call, Operation } from './operations.js'

/** How calls are written. */
export interface CallWriting {
  /** Whether a call is written once it is whole. */
  readonly isWhole: boolean
  /** Whether clients join the pieces of a call's arguments: they have no other place for them. */
  readonly joins: boolean
}

/** A call, and what became of it once clients have heard of it. */
export interface HeardCall {
  readonly args: Arguments
  call?: Call
  reply?: AnyReply
  /** The provider's id, by which its result comes. Other calls may have it too. */
  givenId?: string
  state?: 'open' | 'whole' | 'failed' | 'answered'
}

/** The calls of an answer by the ids that clients know, each of one call only. */
export type HeardCalls = Map<string, HeardCall>

/**
 * What a result adds; undefined without a call of this id, which is the provider's. It is of a call that has none, the
 * first one in the latest reply, since results come in the order of the calls.
 */
export function resultOf(calls: HeardCalls, id: string, output: unknown, isError: boolean): Operation[] | undefined {
  const same = [...calls.values()].filter(({ givenId }) => givenId === id)
  const waiting = same.filter(({ state }) => state === 'whole')
  const heard = waiting.find(({ reply }) => reply === waiting.at(-1)?.reply) ?? same.at(-1)
  if (heard?.call === undefined) return undefined
  if (heard.state === 'failed') return []
  heard.state = 'answered'
  return [{ kind: 'result', call: heard.call, output, isError }]
}

/** Reads one reply. */
export class ReplyReader {
  /** Why a call failed that clients have heard nothing of. */
  lost: string | undefined
  readonly #reply: AnyReply
  readonly #calls: HeardCalls
  readonly #writing: CallWriting
  readonly #shows: ((emission: BlockEmission<string>) => string) | undefined
  /** What clients have heard. */
  readonly #said = { text: '', thinking: '' }
  readonly #heard: HeardCall[] = []
  /** Whether the reply has more than its emissions: it goes on with another one, or has taken something back. */
  #hasMore: boolean | undefined
  /** The call that is open. */
  #open: HeardCall = { args: new Arguments() }
  #out: Operation[] = []

  /** `calls` are those of all replies. */
  constructor(reply: AnyReply, calls: HeardCalls, writing: CallWriting) {
    this.#reply = reply
    this.#calls = calls
    this.#writing = writing
    this.#shows = reply.reading?.shows()
  }

  /** Whether clients have heard of a whole call. */
  get hasCalls(): boolean {
    return this.#heard.some(({ state }) => state !== 'failed')
  }

  /** What an emission adds. @throws Error `reset` if it takes back what clients have heard. */
  read(emission: ReplyEmission<string>): Operation[] {
    if (emission.kind === 'reset') this.#reset()
    else {
      this.#say(emission)
      if (emission.kind === 'content') this.#content(emission.text, emission.meta)
      else if (emission.kind === 'blockEvent') {
        const { event, block } = emission.event
        if (event === 'block_start') this.#open = { args: new Arguments() }
        else if (event === 'block_complete') {
          if (block.type === 'tool_call') this.#call(block as ToolCallBlock)
          if (block.type === 'tool_result') this.#result(block)
        }
      }
    }
    return this.#take()
  }

  /** The reply is over: what it has besides. `isBroken`: it ended too early. */
  finish(isBroken: boolean): Operation[] {
    const { text, toolCalls } = this.#reply.soFar
    this.#add('text', added(this.#said.text, text))
    if (isBroken) return this.#take()
    for (const { toolCallId, toolName, input } of toolCalls)
      if (!this.#heard.some(({ givenId }) => givenId === toolCallId)) {
        const heard = { args: new Arguments() }
        this.#begin(heard, toolCallId, toolName, false)
        this.#end(heard, input, jsonOrText(input))
      }
    // A reply that was stopped has no calls.
    for (const heard of this.#gone()) {
      this.#out.push({ kind: 'result', call: heard.call as Call, output: this.#whyNot(heard), isError: true })
      heard.state = 'failed'
    }
    return this.#take()
  }

  /** The reply is not read on. */
  break(): Operation[] {
    if (this.#open.state === 'open') this.#fail(this.#open)
    return this.#take()
  }

  #take(): Operation[] {
    return this.#out.splice(0)
  }

  /** The text and the thinking of an emission. */
  #say(emission: BlockEmission<string>): void {
    const delta = emission.kind === 'content' ? emission : undefined
    const text = this.#shows?.(emission)
    const thinking = delta?.meta.type === 'thinking' ? delta.text : ''
    if (this.#hasMore !== false) {
      const { soFar } = this.#reply
      this.#hasMore ??= soFar.text !== text || soFar.thinking !== thinking
      this.#add('thinking', added(this.#said.thinking, soFar.thinking))
      this.#add('text', added(this.#said.text, soFar.text))
    } else {
      this.#add('thinking', thinking)
      this.#add('text', text ?? '')
    }
  }

  #add(kind: 'text' | 'thinking', text: string): void {
    if (text !== '') this.#out.push({ kind, text })
    this.#said[kind] += text
  }

  /** @throws Error if clients have heard of what is void. */
  #reset(): void {
    const { text, thinking } = this.#reply.soFar
    const isHeard = this.#open.state === 'open' || this.#gone().length > 0
    if (isHeard || !text.startsWith(this.#said.text) || !thinking.startsWith(this.#said.thinking))
      throw answerError('reset')
    this.#hasMore = true
  }

  #content(text: string, { type, toolCallPart, toolId, toolName, ...meta }: ChunkMeta<string>): void {
    // What closes the JSON of a call that was cut off is not the model's.
    if (type !== 'tool_call' || meta.insideThinking || meta.inText || meta.incomplete) return
    const open = this.#open
    const piece = toolCallPart === 'input' ? open.args.push(text) : ''
    if (this.#waits || !toolId || !toolName) return
    // One that stands alone in thinking comes after it, as a call that is not whole: it doesn't begin with a brace.
    const mayBeThought = this.#said.thinking !== '' && this.#said.text === '' && this.#heard.length === 0
    if (open.state === undefined && (!mayBeThought || piece !== ''))
      this.#begin(open, toolId, toolName, meta.hosted === true)
    if (open.state === 'open') this.#input(open, piece)
  }

  /** Whether calls are written once they are whole. */
  get #waits(): boolean {
    return this.#writing.isWhole || this.#hasMore === true
  }

  #call(block: ToolCallBlock): void {
    const { toolId, toolName, problem, hosted = false } = block
    const open = this.#open
    // Whether those in the text count is known at the end.
    if (block.insideThinking || block.inText) return
    const begin = () =>
      open.state !== undefined || !toolId || !toolName ? undefined : this.#begin(open, toolId, toolName, hosted)
    if (block.incomplete) {
      if (open.state === undefined && problem === 'call-in-thinking') return
      if (!this.#waits) begin()
      if (open.state !== undefined) this.#fail(open)
      else if (problem !== 'repeated-argument')
        this.lost ??= this.#reply.soFar.problems.at(-1)?.metadata.dropReason ?? 'error'
      return
    }
    const call = this.#reply.soFar.toolCalls.findLast(({ toolCallId }) => toolCallId === toolId)
    const whole =
      call !== undefined && block.input !== undefined ? call.input : JSON.stringify(block.input ?? block.content)
    const rest = open.state === undefined ? whole : open.args.rest(whole)
    // What comes again, in the text and as an event, is not run twice: the first one counts.
    const [first] = this.#gone()
    if (first !== undefined && toolId !== undefined) first.givenId = toolId
    const isToRun = call !== undefined && first === undefined && !(rest === undefined && this.#writing.joins)
    if (!hosted && !isToRun) {
      if (open.state !== undefined) this.#fail(open)
      return
    }
    begin()
    if (open.call === undefined) return
    open.call.isHosted = hosted
    this.#end(open, rest ?? '', block.input ?? block.content)
  }

  /** Calls that were whole, and are not to be run any more. */
  #gone(): HeardCall[] {
    const toRun = new Set(this.#reply.soFar.toolCalls.map(({ toolCallId }) => toolCallId))
    return this.#heard.filter(
      ({ call, state, givenId = '' }) => state === 'whole' && !call?.isHosted && !toRun.has(givenId),
    )
  }

  #result(block: { toolId?: string | undefined; content?: string; isError?: boolean | undefined }): void {
    const { toolId = '', content = '', isError = false } = block
    const output = /^\s*[{[]/.test(content) ? jsonOrText(content) : content
    this.#out.push(...(resultOf(this.#calls, toolId, output, isError) ?? []))
  }

  #begin(heard: HeardCall, givenId: string, name: string, isHosted: boolean): void {
    let id = givenId
    for (let count = 2; this.#calls.has(id); count++) id = `${givenId}-${count}`
    const call = { id, name, isHosted, isDynamic: !this.#reply.reading?.isGiven(name) }
    Object.assign(heard, { call, givenId, reply: this.#reply, state: 'open' })
    this.#heard.push(heard)
    this.#calls.set(id, heard)
    this.#out.push({ kind: 'call', call })
  }

  #input({ call }: HeardCall, text: string): void {
    if (text !== '') this.#out.push({ kind: 'input', call: call as Call, text })
  }

  #end(heard: HeardCall, rest: string, input: unknown): void {
    this.#input(heard, rest)
    heard.state = 'whole'
    this.#out.push({ kind: 'called', call: heard.call as Call, input })
  }

  #fail(heard: HeardCall): void {
    const { args } = heard
    const call = heard.call as Call
    const why = this.#whyNot(heard)
    heard.state = 'failed'
    // No arguments would be those of a tool that takes none.
    if (this.#writing.joins && args.out === 0) this.#input(heard, '{')
    this.#out.push({ kind: 'failed', call, input: jsonOrText(args.text), why })
  }

  /** Why a call is not run; one that was whole, since the reply ended too early. */
  #whyNot({ givenId, state }: HeardCall): string {
    const problem = this.#reply.soFar.problems.findLast(
      ({ metadata: { toolCallId, dropReason } }) =>
        toolCallId === givenId && (dropReason === 'interrupted') === (state === 'whole'),
    )
    return problem?.message ?? 'The call was not run.'
  }
}

/** What a text has more than what was said of it; nothing, if that was taken back. */
function added(said: string, whole: string): string {
  return whole.startsWith(said) ? whole.slice(said.length) : ''
}
