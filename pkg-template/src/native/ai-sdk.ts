// Blocks from the AI SDK: parts of `fullStream`, and of a result's `content`.
//
//     text-start text-delta* text-end     tool-input-start tool-input-delta* tool-input-end tool-call tool-result
//
// Source: ai-sdk.dev, versions 5 and 6, `TextStreamPart`; and the parts that a
// provider's `doStream` gives, which name some fields differently (`delta` for
// `text`, `result` for `output`, the input as JSON text).

import { asFullStreamPart } from '../args/sdk-part.js'
import { argumentsOf, fieldsOf, listOf, resultOf, stringOf, type Fields, fieldsIn } from '../untrusted.js'
import { AI_SDK_CONTENT } from './anthropic.js'
import { NativeBlock } from './block.js'
import type { BlockOrder } from './order.js'
import { type Provider, type ProviderReader, type Draft, type Keep, type MessageDraft, append } from './provider.js'

/** Parts of `fullStream`, of a provider's `doStream` and of the UI message stream. */
const PARTS = [
  /^((stream-)?start|(start|finish)-step|finish|abort|(response|message)-metadata|(text|reasoning)-(start|delta|end))$/,
  /^(tool-(call|result|error|input-[a-z]+|output-[a-z]+|approval-[a-z]+)|source(-url|-document)?|file|raw|data-.+)$/,
]

/** Reads the AI SDK's parts. */
class AiSdkReader implements ProviderReader {
  /** Text and reasoning by `text 0`, `reasoning 0`: each kind has its own ids. */
  private readonly texts = new Map<string, NativeBlock>()
  private readonly calls = new Map<string, NativeBlock>()

  constructor(private readonly order: BlockOrder) {}

  feed(part: Fields): boolean {
    if (!isPart(part)) return false
    this.read(asFullStreamPart(part))
    return true
  }

  /** A result's `content`. */
  whole(reply: Fields): void {
    for (const item of listOf(reply['content'])) {
      const part = fieldsOf(item) ?? {}
      if (part['type'] === 'text') this.order.whole('text', stringOf(part['text']))
      else if (part['type'] === 'reasoning') this.order.whole('thinking', stringOf(part['text']))
      else this.read(part)
    }
  }

  private read(part: Fields): void {
    const id = stringOf(part['id'])
    switch (part['type']) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        return this.readText(part['type'], id, stringOf(part['text']) || stringOf(part['delta']))
      case 'tool-input-start': {
        const call = this.beginCall(id, stringOf(part['toolName']), part['providerExecuted'] === true)
        // A custom tool: its input is free text.
        if (part['inputEncoding'] === 'text') call.freeform = true
        return
      }
      case 'tool-input-delta': {
        const call = this.calls.get(id) ?? this.beginCall(id, '', false)
        this.order.append(call, stringOf(part['delta']))
        return
      }
      case 'tool-input-end': {
        // Without deltas the input comes with `tool-call`, if the call is complete.
        const call = this.calls.get(id)
        if (call !== undefined && !call.isEmpty) this.order.end(call)
        return
      }
      case 'tool-call':
        return this.readCall(part)
      case 'tool-result':
        // A preliminary result is replaced by the one after it.
        if (part['preliminary'] !== true)
          this.order.result(
            resultOf(part['output'] ?? part['result']),
            stringOf(part['toolCallId']),
            part['isError'] === true,
            part['providerExecuted'] === true,
          )
        return
      case 'tool-error':
        return this.order.result(
          errorText(part['error']),
          stringOf(part['toolCallId']),
          true,
          part['providerExecuted'] === true,
        )
      case 'finish-step':
        this.finish()
        return this.order.settle(false)
      case 'finish':
        return this.finish()
      case 'start-step':
        return this.order.startStep()
      case 'start':
        this.endReply()
        return this.order.startReply()
      case 'abort':
        return this.endReply()
    }
  }

  /**
   * The reply, or a step of it, has ended as it should: a call whose arguments are whole is one, whatever did not come
   * after them.
   */
  private finish(): void {
    for (const call of this.calls.values()) if (call.isWhole) this.order.end(call)
    this.endReply()
  }

  /** The reply, or a step of it, has ended: open blocks were cut off. */
  endReply(): void {
    for (const block of this.texts.values()) this.order.cut(block)
    for (const block of this.calls.values()) this.order.cut(block)
    this.forget()
  }

  /** Drops the current reply. */
  forget(): void {
    this.texts.clear()
    this.calls.clear()
  }

  private readText(partType: string, id: string, text: string): void {
    const [kind = '', what] = partType.split('-')
    const key = `${kind} ${id}`
    let block = this.texts.get(key)
    if (what === 'end') {
      this.texts.delete(key)
      if (block !== undefined) this.order.end(block)
      return
    }
    if (block !== undefined && what === 'start') {
      this.order.cut(block)
      block = undefined
    }
    if (block === undefined) {
      if (what === 'delta' && text === '') return
      this.texts.set(key, (block = this.order.begin(kind === 'text' ? 'text' : 'thinking')))
    }
    this.order.append(block, text)
  }

  private beginCall(id: string, name: string, hosted: boolean): NativeBlock {
    const before = this.calls.get(id)
    if (before !== undefined) this.order.cut(before)
    const call = this.order.begin('tool_call', name, id, hosted)
    this.calls.set(id, call)
    return call
  }

  private readCall(part: Fields): void {
    const id = stringOf(part['toolCallId'])
    const call = this.calls.get(id) ?? this.beginCall(id, stringOf(part['toolName']), part['providerExecuted'] === true)
    this.order.identify(call, stringOf(part['toolName']), '')
    if (call.isEmpty) this.order.append(call, argumentsOf(part['input']))
    this.order.end(call)
    this.calls.delete(id)
  }
}

function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  return stringOf(fieldsOf(error)?.['message']) || resultOf(error)
}

function isPart(object: Fields): boolean {
  return PARTS.some((known) => known.test(stringOf(object['type'])))
}

/** The message of a stream's parts, or of a result's content. */
export class AiSdkMessage implements MessageDraft {
  readonly #parts: Draft[] = []
  /** Texts and reasoning that are open, by `text 0`. */
  readonly #open = new Map<string, Draft>()

  read(event: Fields): void {
    if (Array.isArray(event['content'])) return event['content'].forEach((part) => this.#add(fieldsOf(part) ?? {}))
    const part = asFullStreamPart(event)
    const [, kind = '', step] = /^(text|reasoning)-(start|delta|end)$/.exec(stringOf(part['type'])) ?? []
    if (step === undefined) return void this.#add(part)
    const key = `${kind} ${stringOf(part['id'])}`
    const isNew = step === 'start' || !this.#open.has(key)
    const open = isNew ? this.#add({ type: kind, text: '' }) : (this.#open.get(key) as Draft)
    append(open, 'text', part['text'] ?? part['delta'])
    about(open, part)
    if (step === 'end') this.#open.delete(key)
    else this.#open.set(key, open)
  }

  finish(keep: Keep): object | undefined {
    const content = this.#parts.flatMap((part) => sent(part, keep))
    return content.length === 0 ? undefined : { role: 'assistant', content }
  }

  #add(part: Fields): Draft {
    const { type, toolCallId, toolName, providerExecuted } = part
    const isResult = type === 'tool-result' && providerExecuted === true && part['preliminary'] !== true
    const draft: Draft = { type }
    if (type === 'text' || type === 'reasoning') draft['text'] = stringOf(part['text'])
    else if (type === 'tool-call')
      Object.assign(
        draft,
        { toolCallId, toolName, input: part['input'] },
        providerExecuted === true && { providerExecuted },
      )
    else if (isResult)
      Object.assign(draft, { toolCallId, toolName, output: outputOf(part['output'] ?? part['result']) })
    else if (type === 'file') {
      const file = fieldsOf(part['file']) ?? part
      Object.assign(draft, { data: file['base64'] ?? file['data'], mediaType: file['mediaType'] })
    } else return draft
    about(draft, part)
    this.#parts.push(draft)
    return draft
  }
}

/** What a part says of itself, for its provider; the last of each counts. */
function about(draft: Draft, part: Fields): void {
  const options = fieldsOf(part['providerMetadata'] ?? part['providerOptions'])
  if (options !== undefined) draft['providerOptions'] = { ...fieldsOf(draft['providerOptions']), ...options }
}

function outputOf(output: unknown): object {
  const fields = fieldsOf(output)
  if (fields !== undefined && 'type' in fields && 'value' in fields) return fields
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output ?? null }
}

/** A part as it goes back; none, if it can't. */
function sent(part: Draft, keep: Keep): object[] {
  const { type, text, toolCallId, toolName } = part
  if ((type === 'text' || type === 'reasoning') && text === '')
    return part['providerOptions'] === undefined ? [] : [part]
  if (type !== 'tool-call') return [part]
  const written = part['input']
  const input = typeof written === 'string' ? fieldsIn(written) : written
  if (input === undefined) return []
  if (part['providerExecuted'] === true) return [{ ...part, input }]
  return keep({ id: stringOf(toolCallId), name: stringOf(toolName), input }) === undefined ? [] : [{ ...part, input }]
}

export const aiSdk: Provider = {
  shapeOf(object) {
    if (isPart(object)) return 'event'
    const isOfSdk = (block: unknown) => AI_SDK_CONTENT.test(stringOf(fieldsOf(block)?.['type']))
    return listOf(object['content']).some(isOfSdk) ? 'reply' : undefined
  },
  isTyped: true,
  reason: ['finishReason.unified', 'finishReason'],
  usage: ['totalUsage', 'usage', 'messageMetadata.usage'],
  Reader: AiSdkReader,
}
