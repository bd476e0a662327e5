// The calls of a stream, whoever reads them: from the parts of the AI SDK, or from the callbacks of blocks.
//
// Source: spec/args.md, "Sources"; spec/edits.md, 15.

import { requireString } from '../errors.js'
import { argumentsOf, fieldsOf, requireFields, stringOf } from '../untrusted.js'
import { isMeant } from './meant.js'
import { asFullStreamPart } from './sdk-part.js'

/**
 * What counts of a chunk's metadata, as `onChunk` of blocks gets it.
 *
 * @example
 * ```ts
 * import type { CallChunkMeta } from 'tokenweir/args'
 *
 * const meta: CallChunkMeta = { type: 'tool_call', blockIndex: 0, toolCallPart: 'input', toolName: 'add' }
 * console.log(meta.toolName) // add
 * ```
 */
export interface CallChunkMeta {
  /** Kind of the block: only calls count. */
  readonly type: string
  /** Index of the block. */
  readonly blockIndex: number
  /** The part of the call. */
  readonly toolCallPart?: 'name' | 'id' | 'input'
  /** The id of the call. */
  readonly toolId?: string
  /** The tool that is called. */
  readonly toolName?: string
  /** On what closes a call that was cut off: it is left out. */
  readonly incomplete?: true
  /** On a call in thinking, which is left out. */
  readonly insideThinking?: true
  /** On a call in the text of native events, which is left out. */
  readonly inText?: true
  /** On a call that the provider runs, which is left out. */
  readonly hosted?: true
}

/**
 * What counts of a block's boundary, as `onBlock` gets it.
 *
 * @example
 * ```ts
 * import type { CallBlockEvent } from 'tokenweir/args'
 *
 * const event: CallBlockEvent = { event: 'block_complete', index: 0, block: { type: 'tool_call', toolId: 'call_1' } }
 * console.log(event.index) // 0
 * ```
 */
export interface CallBlockEvent {
  /** Only `block_complete` counts. */
  readonly event: string
  /** Index of the block. */
  readonly index?: number | undefined
  /** The block. */
  readonly block?: unknown
}

/** A call that is open. */
export interface OpenCall {
  /** How much was written, in UTF-16 code units. */
  readonly length: number
  /** It is among the open ones now. */
  begin?(): void
  write(delta: string): void
  /** `isWhole`: it has ended as calls do; otherwise with the stream, for a reason. */
  end(finishReason: string | undefined, isWhole: boolean): void
}

/** Passes what a stream says of its calls to each of them; those that are not meant are left out. */
export class StreamCalls<Call extends OpenCall> {
  /** The calls that are open, by what they are known by. */
  readonly open = new Map<string, Call>()
  /** Those that an error has ended: the AI SDK goes on to say what became of them. */
  readonly failed = new Set<string>()
  /** Those of this step that were whole: an id that comes again is the same call, or none that can be run. */
  readonly #known = new Set<string>()

  /** `make`: the call of a tool; undefined for one that is left alone. `isText`: its input is free text. */
  constructor(
    private readonly place: string,
    private readonly make: (id: string, toolName: string, isText: boolean) => Call | undefined,
  ) {}

  /** A part of `ToolCallParser`, of `fullStream`, or a chunk of UI messages. */
  part(part: object): void {
    const fields = asFullStreamPart(requireFields(`${this.place}.part`, part))
    const id = stringOf(fields['id'])
    const callId = stringOf(fields['toolCallId'])
    if (fields['providerExecuted'] === true || this.#known.has(id) || this.#known.has(callId)) return
    switch (fields['type']) {
      case 'tool-input-start':
        this.#begin(id, id, stringOf(fields['toolName']), fields['inputEncoding'] === 'text')
        return
      case 'tool-input-delta':
        return this.open.get(id)?.write(stringOf(fields['delta']))
      case 'tool-call':
        if (this.failed.has(callId)) return
        if (callId !== '') this.#known.add(callId)
        return this.#whole(callId, callId, stringOf(fields['toolName']), fields['input'])
      case 'tool-input-error':
        return this.#end(callId)
      case 'finish-step':
      case 'finish':
        return this.end(reasonOf(fields['finishReason']))
      case 'error':
      case 'abort':
        for (const key of this.open.keys()) this.failed.add(key)
        return this.#endAll()
    }
  }

  /** A chunk of blocks. */
  chunk(text: string, meta: CallChunkMeta): void {
    requireString(`${this.place}.chunk`, text)
    const { type, toolCallPart, toolId, toolName = '', incomplete } = meta
    if (type !== 'tool_call' || toolCallPart === 'name' || toolId === undefined || !isMeant(meta)) return
    const key = keyOf(meta.blockIndex)
    const call = this.open.get(key) ?? this.#begin(key, toolId, toolName)
    if (toolCallPart === 'input' && !incomplete) call?.write(text)
  }

  /** The boundary of a block. */
  block(event: CallBlockEvent): void {
    const block = fieldsOf(event.block)
    if (event.event !== 'block_complete' || block?.['type'] !== 'tool_call') return
    const key = keyOf(event.index ?? -1)
    const { toolId, toolName, input, content, incomplete } = block
    // A custom tool has content; text between calls has no id.
    const given = input ?? content
    if (incomplete === true || toolId === undefined || given === undefined || !isMeant(block)) this.#end(key)
    else this.#whole(key, stringOf(toolId), stringOf(toolName), given, input === undefined)
  }

  /** The stream has ended, and with it all that is open. */
  end(finishReason?: string): void {
    this.failed.clear()
    this.#known.clear()
    this.#endAll(finishReason)
  }

  #endAll(finishReason?: string): void {
    for (const key of [...this.open.keys()]) this.#end(key, finishReason)
  }

  #begin(key: string, id: string, toolName: string, isText = false): Call | undefined {
    // One id twice: the first of them doesn't go on.
    this.#end(key)
    this.failed.delete(key)
    const call = this.make(id, toolName, isText)
    if (call === undefined) return undefined
    this.open.set(key, call)
    call.begin?.()
    return call
  }

  #whole(key: string, id: string, toolName: string, input: unknown, isText = false): void {
    const call = this.open.get(key) ?? this.#begin(key, id, toolName, isText)
    if (call?.length === 0) call.write(argumentsOf(input))
    this.#end(key, 'tool-calls', true)
  }

  #end(key: string, finishReason?: string, isWhole = false): void {
    const call = this.open.get(key)
    this.open.delete(key)
    call?.end(finishReason, isWhole)
  }
}

/** A block's key, which no id of a call is. */
function keyOf(index: number): string {
  return `\0${index}`
}

/** A finish reason, which providers of version 3 have as an object. */
function reasonOf(reason: unknown): string | undefined {
  return typeof reason === 'string' ? reason : stringOf(fieldsOf(reason)?.['unified']) || undefined
}
