// Blocks from OpenAI's chat completions: chunks of a stream, and whole completions.
//
//     { choices: [{ index: 0, delta: { content, reasoning_content, refusal, tool_calls: [{ index, id, function }] }, finish_reason }] }
//
// Source: platform.openai.com, "Chat Completions"; the `reasoning_content` of
// DeepSeek and vLLM, the `reasoning` of OpenRouter and Groq.
//
// The protocol never says that one block ended. Text ends when something else
// begins. Calls are keyed by index and may come by turns, so a call ends when
// its arguments are a closed JSON value and something else goes on, and at
// `finish_reason`; until then the pieces of the next call wait. Of several
// choices only the first is read: one reply is one sequence of blocks.

import { argumentsOf, fieldsOf, listOf, stringOf, type Fields } from './fields.js'
import type { BlockOrder, NativeBlock } from './order.js'

/** Reasons to finish that cut off what is not closed. */
const CUTS: ReadonlySet<unknown> = new Set(['length', 'content_filter'])

/** Kinds of running text, each of which has its own field. */
type TextKind = 'reasoning' | 'content' | 'refusal'

/** Reads OpenAI's chat completions. */
export class OpenAIReader {
  private text: { kind: TextKind; block: NativeBlock } | undefined
  /** Calls by their index in the reply; the legacy `function_call` is `legacy`. */
  private readonly calls = new Map<unknown, NativeBlock>()
  /** Calls that were begun and not ended, in order. */
  private readonly open = new Set<NativeBlock>()

  constructor(private readonly order: BlockOrder) {}

  /** Reads one chunk. A whole completion is a chunk whose `message` is the `delta`. */
  read(chunk: Fields): void {
    for (const item of listOf(chunk['choices'])) {
      const choice = fieldsOf(item)
      if (choice === undefined || (choice['index'] ?? 0) !== 0) continue
      const delta = fieldsOf(choice['delta']) ?? fieldsOf(choice['message'])
      if (delta !== undefined) this.readMessage(delta)
      // The older completions API has the text here.
      this.say('content', stringOf(choice['text']))
      if (stringOf(choice['finish_reason']) !== '') this.finish(choice['finish_reason'])
    }
  }

  /** Reads a message, or what one chunk adds to it. */
  readMessage(delta: Fields): void {
    this.say('reasoning', stringOf(delta['reasoning_content']) || stringOf(delta['reasoning']))
    this.readContent(delta['content'])
    this.say('refusal', stringOf(delta['refusal']))
    for (const [position, call] of listOf(delta['tool_calls']).entries()) this.readCall(fieldsOf(call), position)
    this.readLegacy(fieldsOf(delta['function_call']))
  }

  /** The reply is over. A call is whole if its arguments are closed, or if it has none and the model came to its end. */
  finish(reason: unknown): void {
    this.endText()
    for (const block of this.open) {
      if (CUTS.has(reason) && !block.isClosed) this.order.cut(block)
      else this.order.end(block)
    }
    this.forget()
  }

  /** The stream broke off before a `finish_reason`: no call can be trusted to be whole. */
  endReply(): void {
    this.endText()
    for (const block of this.open) this.order.cut(block)
    this.forget()
  }

  /** Forgets a reply that is not wanted any more. */
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
    // Some servers give every call the index 0: a second id with a name is a second call.
    if (block !== undefined && block.id !== '' && id !== '' && id !== block.id && name !== '') {
      this.endCall(block)
      block = undefined
    }
    // Arguments after the closing bracket of a call that is out already: they belong to no call that can be run.
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

  /** The form before `tool_calls`. It has no ids, so there is none to wait for. */
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

  /** Something other than these calls goes on: those that are closed have ended. */
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
