// Blocks from OpenAI's chat completions: chunks of a stream, and complete completions.
//
//     { choices: [{ index: 0, delta: { content, reasoning_content, refusal, tool_calls: [{ index, id, function }] },
// finish_reason }] }
//
// Source: platform.openai.com, "Chat Completions"; the `reasoning_content` of
// DeepSeek and vLLM, the `reasoning` of OpenRouter and Groq.
//
// The protocol never marks the end of a block. Text ends when something else
// starts. Calls may be interleaved (calls.ts), so a call ends when its
// arguments are a closed JSON value and something else follows, and at
// `finish_reason`; until then the chunks of the next call wait. Only the first
// choice is read: one reply is one sequence of blocks.

import { instance, maybe, one, shape } from '../snapshot/checks.js'
import type { SavedClass } from '../snapshot/saved.js'
import { type CallDelta, Calls } from './calls.js'
import { argumentsOf, fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'
import { NativeBlock } from './block.js'
import type { BlockOrder } from './order.js'
import type { Provider } from './provider.js'

/** Finish reasons that cut off open blocks. */
const CUTS: ReadonlySet<unknown> = new Set(['length', 'content_filter'])

/** Kinds of text, each with its own field. */
type TextKind = 'reasoning' | 'content' | 'refusal'

/** Reads OpenAI's chat completions. */
export class OpenAIReader implements Provider {
  static get saved(): SavedClass {
    return {
      fields: {
        text: maybe(
          shape<{ kind: TextKind; block: NativeBlock }>({
            kind: one('reasoning', 'content', 'refusal'),
            block: instance(NativeBlock),
          }),
        ),
      },
    }
  }
  private text: { kind: TextKind; block: NativeBlock } | undefined
  private readonly calls: Calls
  /** The id of the reply that the chunks belong to. */
  private id = ''

  constructor(private readonly order: BlockOrder) {
    this.calls = new Calls(order)
  }

  /** Whether an object has the shape of a chunk. */
  static isEvent(object: Fields): boolean {
    return Array.isArray(object['choices']) || object['object'] === 'chat.completion.chunk'
  }

  /** Whether an object is a completion: the message as a whole, not a delta. */
  static isReply(object: Fields): boolean {
    const choice = fieldsOf(listOf(object['choices'])[0])
    if (choice === undefined || fieldsOf(choice['delta']) !== undefined || fieldsOf(choice['message']) === undefined)
      return false
    return object['object'] === 'chat.completion' || stringOf(choice['finish_reason'] ?? choice['finishReason']) !== ''
  }

  /** A chunk, a completion or its message. */
  matches(object: Fields): boolean {
    if (OpenAIReader.isEvent(object)) return true
    return isMessage(object)
  }

  isReply(object: Fields): boolean {
    return OpenAIReader.isReply(object)
  }

  /** Reads one chunk. A complete completion is a chunk whose `message` is the `delta`. */
  feed(chunk: Fields): boolean {
    for (const item of listOf(chunk['choices'])) {
      const choice = fieldsOf(item)
      if (choice === undefined || (choice['index'] ?? 0) !== 0) continue
      const delta = fieldsOf(choice['delta']) ?? fieldsOf(choice['message'])
      this.startReply(stringOf(chunk['id']), delta?.['role'] !== undefined)
      if (delta !== undefined) this.readMessage(delta)
      // The legacy completions API has the text here; some servers repeat it here.
      if (delta === undefined || contentOf(delta) === '') this.say('content', stringOf(choice['text']))
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
    this.endReply()
  }

  /** Reads a message, or a chunk's addition to it. */
  private readMessage(delta: Fields): void {
    this.say(
      'reasoning',
      stringOf(delta['reasoning_content']) || stringOf(delta['reasoning']) || detailsOf(delta['reasoning_details']),
    )
    this.readContent(delta['content'])
    this.say('content', stringOf(fieldsOf(delta['audio'])?.['transcript']))
    this.say('refusal', stringOf(delta['refusal']))
    const calls = listOf(delta['tool_calls'])
    for (const [position, call] of calls.entries())
      this.readCall(fieldsOf(call), calls.length > 1 ? position : undefined)
    this.readLegacy(fieldsOf(delta['function_call']))
  }

  /** The next reply may begin after one that has finished; but some servers send calls after the reason to finish. */
  private startReply(id: string, hasRole: boolean): void {
    const isOther = id !== '' && this.id !== '' ? id !== this.id : hasRole
    if (id !== '') this.id = id
    if (!this.calls.hasFinished || !isOther) return
    this.endReply()
    this.id = id
    this.order.startReply()
  }

  declareEnd(): void {
    if (!this.calls.hasFinished) this.finish(undefined)
  }

  /**
   * The reply has ended. A call is complete if its arguments are closed, or if it has none and the model finished
   * normally.
   */
  private finish(reason: unknown): void {
    this.endText(false)
    this.calls.finish(CUTS.has(reason))
  }

  /** The stream has ended: without a `finish_reason` no open call can be trusted to be complete. */
  endReply(): void {
    this.endText(!this.calls.hasFinished)
    this.calls.endReply()
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.text = undefined
    this.id = ''
    this.calls.clear()
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
    this.calls.endWhole()
    if (this.text?.kind !== kind) {
      this.endText(false)
      this.text = { kind, block: this.order.begin(kind === 'reasoning' ? 'thinking' : 'text') }
    }
    this.order.append(this.text.block, text)
  }

  /** `place` is that in a list of several, which counts where there is no index. */
  private readCall(call: Fields | undefined, place: number | undefined): void {
    if (call === undefined) return
    const custom = fieldsOf(call['custom'])
    const body = custom ?? fieldsOf(call['function']) ?? {}
    const text = argumentsOf(custom === undefined ? body['arguments'] : body['input'])
    this.take({
      id: stringOf(call['id']),
      position: typeof call['index'] === 'number' ? call['index'] : place,
      name: stringOf(body['name']),
      text,
      isFreeform: custom !== undefined,
    })
  }

  /** The legacy form before `tool_calls`. It has no ids to wait for. */
  private readLegacy(call: Fields | undefined): void {
    if (call !== undefined)
      this.take({
        id: '',
        position: 'legacy',
        name: stringOf(call['name']),
        text: argumentsOf(call['arguments']),
        hasNoId: true,
      })
  }

  private take(delta: CallDelta): void {
    this.calls.read(delta, () => this.endText(false))
  }

  private endText(isCut: boolean): void {
    if (this.text !== undefined) this.order[isCut ? 'cut' : 'end'](this.text.block)
    this.text = undefined
  }
}

/** The text of a message. */
function contentOf(message: Fields): unknown {
  return message['content'] ?? ''
}

/** OpenRouter's reasoning, which it also repeats as `reasoning`; encrypted details have no text. */
function detailsOf(details: unknown): string {
  return listOf(details)
    .map(fieldsOf)
    .map((detail) => stringOf(detail?.['text']) || stringOf(detail?.['summary']))
    .join('')
}

/** Whether an object is a message, without the `choices` around it. */
function isMessage(object: Fields): boolean {
  const { type, content } = object
  return (
    (type === undefined || type === 'message') &&
    ('tool_calls' in object || typeof content === 'string' || content === null || Array.isArray(content))
  )
}
