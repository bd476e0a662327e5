// From the emissions of a reply to what clients hear of it.

import type { Meaning } from '../blocks/custom-types.js'
import type { ChunkMeta, ToolCallBlock } from '../blocks/types.js'
import type { ReplyEmission } from '../reply/attempts.js'
import { jsonOrText } from '../untrusted.js'
import { type Arguments, addPiece, restOf } from './arguments.js'
import { answerError } from './faults.js'
import type { AnyReply, Call, Emit } from './operations.js'

/** How calls are written. */
export interface CallWriting {
  /** Whether a call is written once it is whole. */
  readonly isWhole: boolean
  /** Whether clients join the pieces of a call's arguments: they have no other place for them. */
  readonly joins: boolean
}

/** A call, and what became of it once clients have heard of it: until then it has no state, and no id. */
interface HeardCall extends Call, Arguments {
  id: string
  name: string
  isDynamic: boolean
  isHosted: boolean
  readonly reply: AnyReply
  /** The provider's id, by which its result comes. Other calls may have it too. */
  givenId: string
  state: '' | 'open' | 'whole' | 'failed' | 'answered'
}

/** The calls of an answer by the ids that clients know, each of one call only. */
export type HeardCalls = Map<string, HeardCall>

/**
 * Adds a result; returns whether there is a call of this id, which is the provider's. It is of a call that has none,
 * the first one in the latest reply, since results come in the order of the calls.
 */
export function addResult(calls: HeardCalls, emit: Emit, id: string, output: unknown, isError: boolean): boolean {
  const same = [...calls.values()].filter(({ givenId }) => givenId === id)
  const waiting = same.filter(({ state }) => state === 'whole')
  const call = waiting.find(({ reply }) => reply === waiting.at(-1)?.reply) ?? same.at(-1)
  if (call !== undefined && call.state !== 'failed') {
    call.state = 'answered'
    emit('result', call, output, isError)
  }
  return call !== undefined
}

/** Reads one reply. */
export interface ReplyReader {
  /** What an emission adds. @throws Error `reset` if it takes back what clients have heard. */
  read(emission: ReplyEmission<Meaning>): void
  /** The reply is over: what it has besides. `isBroken`: it ended too early. */
  finish(isBroken: boolean): void
  /** The reply is not read on. */
  break(): void
  /** Why a call failed, if clients have heard of no whole one. */
  lost(): string | undefined
}

/** `calls` are those of all replies. */
export function replyReader(
  reply: AnyReply,
  calls: HeardCalls,
  { isWhole, joins }: CallWriting,
  emit: Emit,
): ReplyReader {
  const shows = reply.reading.shows()
  /** What clients have heard. */
  const said = { text: '', thinking: '' }
  const heard: HeardCall[] = []
  /** Why a call failed that clients have heard nothing of. */
  let lost: string | undefined
  /** Whether the reply has more than its emissions: it goes on with another one, or has taken something back. */
  let hasMore: boolean | undefined
  const newCall = () => ({ text: '', out: 0, isHeld: false, reply, state: '' }) as HeardCall
  /** The call that is open. */
  let open = newCall()

  const add = (kind: 'text' | 'thinking', text: string) => {
    if (text !== '') emit(kind, text)
    said[kind] += text
  }

  /** Adds what the reply has more than what was said of it; nothing, if that was taken back. */
  const addRest = (kind: 'text' | 'thinking') => {
    const whole = reply.soFar[kind]
    if (whole.startsWith(said[kind])) add(kind, whole.slice(said[kind].length))
  }

  const begin = (call: HeardCall, givenId: string, name: string, isHosted: boolean) => {
    let id = givenId
    for (let count = 2; calls.has(id); count++) id = `${givenId}-${count}`
    const isDynamic = !reply.reading.isGiven(name)
    Object.assign(call, { id, givenId, name, isHosted, isDynamic, state: 'open' })
    heard.push(call)
    calls.set(id, call)
    emit('call', call)
  }

  const input = (call: HeardCall, text: string) => {
    if (text !== '') emit('input', call, text)
  }

  const end = (call: HeardCall, rest: string, value: unknown) => {
    input(call, rest)
    call.state = 'whole'
    emit('called', call, value)
  }

  /** Why a call is not run; one that was whole, since the reply ended too early. */
  const whyNot = ({ givenId, state }: HeardCall) =>
    reply.soFar.problems.findLast(
      ({ metadata: { toolCallId, dropReason } }) =>
        toolCallId === givenId && (dropReason === 'interrupted') === (state === 'whole'),
    )?.message ?? 'The call was not run.'

  const fail = (call: HeardCall) => {
    const why = whyNot(call)
    call.state = 'failed'
    // No arguments would be those of a tool that takes none.
    if (joins && call.out === 0) input(call, '{')
    emit('failed', call, jsonOrText(call.text), why)
  }

  /** Calls that were whole, and are not to be run any more. */
  const gone = () => {
    const toRun = new Set(reply.soFar.toolCalls.map(({ toolCallId }) => toolCallId))
    return heard.filter(({ state, isHosted, givenId }) => state === 'whole' && !isHosted && !toRun.has(givenId))
  }

  /** Whether calls are written once they are whole. */
  const waits = () => isWhole || hasMore === true

  const readContent = (text: string, { type, toolCallPart, toolId, toolName, ...meta }: ChunkMeta<Meaning>) => {
    // What closes the JSON of a call that was cut off is not the model's.
    if (type !== 'tool_call' || meta.insideThinking || meta.inText || meta.incomplete) return
    const piece = toolCallPart === 'input' ? addPiece(open, text) : ''
    if (waits() || !toolId || !toolName) return
    // One that stands alone in thinking comes after it, as a call that is not whole: it doesn't begin with a brace.
    const mayBeThought = said.thinking !== '' && said.text === '' && heard.length === 0
    if (open.state === '' && (!mayBeThought || piece !== '')) begin(open, toolId, toolName, meta.hosted === true)
    if (open.state === 'open') input(open, piece)
  }

  const readCall = (block: ToolCallBlock) => {
    const { toolId, toolName, problem, hosted = false } = block
    const call = open
    // Whether those in the text count is known at the end.
    if (block.insideThinking || block.inText) return
    const ensure = () => {
      if (call.state === '' && toolId && toolName) begin(call, toolId, toolName, hosted)
      return call.state !== ''
    }
    if (block.incomplete) {
      if (call.state === '' && problem === 'call-in-thinking') return
      if (waits() ? call.state !== '' : ensure()) fail(call)
      else if (problem !== 'repeated-argument') lost ??= reply.soFar.problems.at(-1)?.metadata.dropReason ?? 'error'
      return
    }
    const value = block.input ?? block.content
    const toRun = reply.soFar.toolCalls.findLast(({ toolCallId }) => toolCallId === toolId)
    const whole = toRun !== undefined && block.input !== undefined ? toRun.input : JSON.stringify(value)
    const rest = call.state === '' ? whole : restOf(call, whole)
    // What comes again, in the text and as an event, is not run twice: the first one counts.
    const [first] = gone()
    if (first !== undefined && toolId !== undefined) first.givenId = toolId
    if (!hosted && (toRun === undefined || first !== undefined || (rest === undefined && joins))) {
      if (call.state !== '') fail(call)
    } else if (ensure()) {
      call.isHosted = hosted
      end(call, rest ?? '', value)
    }
  }

  return {
    read(emission) {
      if (emission.kind === 'reset') {
        const { text, thinking } = reply.soFar
        const isHeard = open.state === 'open' || gone().length > 0
        if (isHeard || !text.startsWith(said.text) || !thinking.startsWith(said.thinking)) throw answerError('reset')
        hasMore = true
        return
      }
      const text = shows(emission)
      const isContent = emission.kind === 'content'
      const thinking = isContent && emission.meta.type === 'thinking' ? emission.text : ''
      hasMore ??= reply.soFar.text !== text || reply.soFar.thinking !== thinking
      if (hasMore) {
        addRest('thinking')
        addRest('text')
      } else {
        add('thinking', thinking)
        add('text', text)
      }
      if (isContent) readContent(emission.text, emission.meta)
      else if (emission.kind === 'blockEvent') {
        const { event, block } = emission.event
        if (event === 'block_start') open = newCall()
        else if (event === 'block_complete') {
          if (block.type === 'tool_call') readCall(block as ToolCallBlock)
          if (block.type === 'tool_result') {
            const { toolId = '', content = '', isError = false } = block as ToolCallBlock & { isError?: boolean }
            addResult(calls, emit, toolId, /^\s*[{[]/.test(content) ? jsonOrText(content) : content, isError)
          }
        }
      }
    },
    finish(isBroken) {
      addRest('text')
      if (isBroken) return
      for (const { toolCallId, toolName, input } of reply.soFar.toolCalls)
        if (!heard.some(({ givenId }) => givenId === toolCallId)) {
          const call = newCall()
          begin(call, toolCallId, toolName, false)
          end(call, input, jsonOrText(input))
        }
      // A reply that was stopped has no calls.
      for (const call of gone()) {
        emit('result', call, whyNot(call), true)
        call.state = 'failed'
      }
    },
    break() {
      if (open.state === 'open') fail(open)
    },
    lost: () => (heard.some(({ state }) => state !== 'failed') ? undefined : lost),
  }
}
