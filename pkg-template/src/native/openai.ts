// Blocks from OpenAI's chat completions: chunks of a stream, and complete completions.
//
//     { choices: [{ index: 0, delta: { content, reasoning_content, refusal, tool_calls: [{ index, id, function }] }, finish_reason }] }
//
// Source: platform.openai.com, "Chat Completions"; the `reasoning_content` of
// DeepSeek and vLLM, the `reasoning` of OpenRouter and Groq.
//
// The protocol never marks the end of a block. Text ends when something else
// starts. Calls are keyed by index and may be interleaved, so a call ends when its
// arguments are a closed JSON value and something else follows, and at
// `finish_reason`; until then the chunks of the next call wait. Only the first
// choice is read: one reply is one sequence of blocks.

import { anything, instance, map, maybe, one, set, shape } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { argumentsOf, fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import { type BlockOrder, NativeBlock } from './order.js'
import type { Provider } from './provider.js'

/** Finish reasons that cut off open blocks. */
const CUTS: ReadonlySet<unknown> = new Set(['length', 'content_filter'])

/** Kinds of text, each with its own field. */
type TextKind = 'reasoning' | 'content' | 'refusal'

/** Reads OpenAI's chat completions. */
export class OpenAIReader implements Provider {
  static get saved(): SavedClass {
    return {
      fields: { text: maybe(shape<{ kind: TextKind; block: NativeBlock }>({ kind: one('reasoning', 'content', 'refusal'), block: instance(NativeBlock) })), calls: map(anything, instance(NativeBlock)), open: set(instance(NativeBlock)) },
    }
  }
  private text: { kind: TextKind; block: NativeBlock } | undefined
  /** Calls by their index in the reply; the legacy `function_call` is `legacy`. */
  private readonly calls = new Map<unknown, NativeBlock>()
  /** Open calls, in order. */
  private readonly open = new Set<NativeBlock>()

  constructor(private readonly order: BlockOrder) {}

  /** Whether an object has the shape of a chunk. */
  static isEvent(object: Fields): boolean {
    return Array.isArray(object['choices'])
  }

  /** A chunk, a completion or its message. */
  matches(object: Fields): boolean {
    if (OpenAIReader.isEvent(object)) return true
    return isMessage(object)
  }

  /** Reads one chunk. A complete completion is a chunk whose `message` is the `delta`. */
  feed(chunk: Fields): boolean {
    for (const item of listOf(chunk['choices'])) {
      const choice = fieldsOf(item)
      if (choice === undefined || (choice['index'] ?? 0) !== 0) continue
      const delta = fieldsOf(choice['delta']) ?? fieldsOf(choice['message'])
      if (delta !== undefined) this.readMessage(delta)
      // The legacy completions API has the text here.
      this.say('content', stringOf(choice['text']))
      if (stringOf(choice['finish_reason']) !== '') this.finish(choice['finish_reason'])
    }
    if (OpenAIReader.isEvent(chunk)) return true
    // A message alone; and the events of llama.cpp's `/completion`, which have their text in the same place.
    if (!isMessage(chunk)) return false
    this.readMessage(chunk)
    if (chunk['stop'] === true) this.finish(chunk['stop_type'] === 'limit' ? 'length' : chunk['stop_type'])
    return true
  }

  whole(reply: Fields): void {
    if ('choices' in reply) this.feed(reply)
    else this.readMessage(reply)
    this.finish(undefined)
  }

  /** Reads a message, or a chunk's addition to it. */
  private readMessage(delta: Fields): void {
    this.say('reasoning', stringOf(delta['reasoning_content']) || stringOf(delta['reasoning']) || detailsOf(delta['reasoning_details']))
    this.readContent(delta['content'])
    this.say('content', stringOf(fieldsOf(delta['audio'])?.['transcript']))
    this.say('refusal', stringOf(delta['refusal']))
    for (const [position, call] of listOf(delta['tool_calls']).entries()) this.readCall(fieldsOf(call), position)
    this.readLegacy(fieldsOf(delta['function_call']))
  }

  /** The reply has ended. A call is complete if its arguments are closed, or if it has none and the model finished normally. */
  private finish(reason: unknown): void {
    this.endText()
    for (const block of this.open) {
      if (CUTS.has(reason) && !block.isClosed) this.order.cut(block)
      else this.order.end(block)
    }
    this.forget()
  }

  /** The stream ended without a `finish_reason`: no open call can be trusted to be complete. */
  endReply(): void {
    this.endText()
    for (const block of this.open) this.order.cut(block)
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.text = undefined
    this.calls.clear()
    this.open.clear()
  }

  /** Text as a string, or as the parts that Mistral sends. */
  private readContent(content: unknown): void {
    if (typeof content === 'string') return this.say('content', content)
    for (const item of listOf(content)) {
      const part = fieldsOf(item)
      if (part?.['type'] === 'text') this.say('content', stringOf(part['text']))
      if (part?.['type'] === 'refusal') this.say('refusal', stringOf(part['refusal']))
      if (part?.['type'] === 'thinking') {
        this.say('reasoning', stringOf(part['thinking']))
        for (const thought of listOf(part['thinking'])) this.say('reasoning', stringOf(fieldsOf(thought)?.['text']))
      }
    }
  }

  private say(kind: TextKind, text: string): void {
    if (text === '') return
    this.endClosedCalls()
    if (this.text?.kind !== kind) {
      this.endText()
      this.text = { kind, block: this.order.begin(kind === 'reasoning' ? 'thinking' : 'text') }
    }
    this.order.append(this.text.block, text)
  }

  private readCall(call: Fields | undefined, position: number): void {
    if (call === undefined) return
    const custom = fieldsOf(call['custom'])
    const body = custom ?? fieldsOf(call['function']) ?? {}
    const key = typeof call['index'] === 'number' ? call['index'] : position
    const name = stringOf(body['name'])
    const id = stringOf(call['id'])
    const text = argumentsOf(custom === undefined ? body['arguments'] : body['input'])
    let block = this.calls.get(key)
    // Some servers send index 0 for every call: a second id with a name is a second call.
    if (block !== undefined && block.id !== '' && id !== '' && id !== block.id && name !== '') {
      this.endCall(block)
      block = undefined
    }
    // Arguments after the closing bracket of a call that was already emitted: they belong to no executable call.
    if (block !== undefined && block.state !== 'begun') {
      if (text.trim() !== '') this.order.append(this.beginCall(key, '', ''), text)
      return
    }
    block ??= this.beginCall(key, name, id)
    if (custom !== undefined) block.freeform = true
    this.endClosedCalls(block)
    this.order.identify(block, name, id)
    this.order.append(block, text)
  }

  /** The legacy form before `tool_calls`. It has no ids to wait for. */
  private readLegacy(call: Fields | undefined): void {
    if (call === undefined) return
    const block = this.calls.get('legacy') ?? this.beginCall('legacy', '', this.order.newId())
    this.order.identify(block, stringOf(call['name']), '')
    this.order.append(block, argumentsOf(call['arguments']))
  }

  private beginCall(key: unknown, name: string, id: string): NativeBlock {
    this.endText()
    const block = this.order.begin('tool_call', name, id)
    this.calls.set(key, block)
    this.open.add(block)
    return block
  }

  /** Something other than these calls follows: the closed ones have ended. */
  private endClosedCalls(except?: NativeBlock): void {
    for (const block of this.open) {
      if (block === except || !block.isClosed) return
      this.endCall(block)
    }
  }

  private endCall(block: NativeBlock): void {
    this.open.delete(block)
    this.order.end(block)
  }

  private endText(): void {
    if (this.text !== undefined) this.order.end(this.text.block)
    this.text = undefined
  }
}

/** OpenRouter's reasoning, which it also repeats as `reasoning`; encrypted details have no text. */
function detailsOf(details: unknown): string {
  return listOf(details).map(fieldsOf).map((detail) => stringOf(detail?.['text']) || stringOf(detail?.['summary'])).join('')
}

/** Whether an object is a message, without the `choices` around it. */
function isMessage(object: Fields): boolean {
  const { type, content } = object
  return (type === undefined || type === 'message') && ('tool_calls' in object || typeof content === 'string' || content === null || Array.isArray(content))
}
