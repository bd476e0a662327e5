// Blocks from the AI SDK: parts of `fullStream`, and of a result's `content`.
//
//     text-start text-delta* text-end     tool-input-start tool-input-delta* tool-input-end tool-call tool-result
//
// Source: ai-sdk.dev, versions 5 and 6, `TextStreamPart`; and the parts that a
// provider's `doStream` gives, which name some fields differently (`delta` for
// `text`, `result` for `output`, the input as JSON text).

import { argumentsOf, fieldsOf, resultOf, stringOf, type Fields } from '../untrusted.js'
import type { BlockOrder, NativeBlock } from './order.js'

/** Reads the AI SDK's parts. */
export class AiSdkReader {
  /** Text and reasoning by `text 0`, `reasoning 0`: each kind has its own ids. */
  private readonly texts = new Map<string, NativeBlock>()
  private readonly calls = new Map<string, NativeBlock>()
  /** Calls whose deltas are not JSON; the whole input comes with `tool-call`. */
  private readonly withoutDeltas = new Set<NativeBlock>()

  constructor(private readonly order: BlockOrder) {}

  /** Reads one part of a stream. */
  read(part: Fields): void {
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
        const call = this.beginCall(id, stringOf(part['toolName']))
        if (part['inputEncoding'] === 'text') this.withoutDeltas.add(call)
        return
      }
      case 'tool-input-delta': {
        const call = this.calls.get(id) ?? this.beginCall(id, '')
        if (!this.withoutDeltas.has(call)) this.order.append(call, stringOf(part['delta']))
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
        if (part['preliminary'] !== true) this.order.result(resultOf(part['output'] ?? part['result']), stringOf(part['toolCallId']), part['isError'] === true)
        return
      case 'tool-error':
        return this.order.result(errorText(part['error']), stringOf(part['toolCallId']), true)
      case 'start':
      case 'finish-step':
      case 'finish':
      case 'abort':
      case 'error':
        return this.endReply()
    }
  }

  /** Reads one complete part of a result's `content`. */
  readWhole(part: Fields): void {
    if (part['type'] === 'reasoning') this.order.whole('thinking', stringOf(part['text']))
    else this.read(part)
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
    this.withoutDeltas.clear()
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

  private beginCall(id: string, name: string): NativeBlock {
    const before = this.calls.get(id)
    if (before !== undefined) this.order.cut(before)
    const call = this.order.begin('tool_call', name, id)
    this.calls.set(id, call)
    return call
  }

  private readCall(part: Fields): void {
    const id = stringOf(part['toolCallId'])
    const call = this.calls.get(id) ?? this.beginCall(id, stringOf(part['toolName']))
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
