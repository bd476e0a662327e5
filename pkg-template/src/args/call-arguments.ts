// The calls of a stream, each with a reader of its arguments.
//
// Source: spec/args.md, "Sources".

import { requireString } from '../errors.js'
import { type OptionTable, callback, checkOptions, elsewhere } from '../options.js'
import { own } from '../own.js'
import { argumentsOf, fieldsOf, requireFields, stringOf } from '../untrusted.js'
import { ArgumentsReader } from './reader.js'
import { asFullStreamPart } from './sdk-part.js'

/**
 * A call that has begun: a tool that was given, by its name, or any other one, `dynamic`.
 *
 * @example
 * ```ts
 * import type { ArgumentsCall } from 'tokenweir/args'
 *
 * const show = ({ toolName, args }: ArgumentsCall) => console.log(toolName, args.status)
 * console.log(typeof show) // function
 * ```
 */
export type ArgumentsCall<Tools = Readonly<Record<never, never>>> =
  | {
      [Name in keyof Tools & string]: {
        /** The id of the call. */
        readonly id: string
        /** The tool that is called. */
        readonly toolName: Name
        /** Its arguments, which are being written. */
        readonly args: ArgumentsReader<Tools[Name]>
        /** Only calls of other tools have it. */
        readonly dynamic?: undefined
      }
    }[keyof Tools & string]
  | {
      /** The id of the call. */
      readonly id: string
      /** The tool that is called. */
      readonly toolName: string
      /** Its arguments, which are being written. */
      readonly args: ArgumentsReader
      /** The tool was not given. */
      readonly dynamic: true
    }

/**
 * Options of `CallArguments`.
 *
 * @example
 * ```ts
 * import type { CallArgumentsOptions } from 'tokenweir/args'
 *
 * const options: CallArgumentsOptions = { onCall: ({ toolName }) => console.log(toolName) }
 * console.log(Object.keys(options)) // [ 'onCall' ]
 * ```
 */
export interface CallArgumentsOptions<
  Tools extends Readonly<Record<string, unknown>> = Readonly<Record<never, never>>,
> {
  /** Tools by name: schemas, or tools with an `inputSchema`. They give types, and validate results. */
  tools?: Tools | undefined
  /** Called when a call begins, before anything of its arguments is read. */
  onCall: (call: ArgumentsCall<Tools>) => unknown
}

const OPTIONS = { tools: [elsewhere], onCall: [callback] } satisfies OptionTable<CallArgumentsOptions>

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

/**
 * Gives each call of a stream a reader of its arguments, from the parts of `ToolCallParser`, of the AI SDK's
 * `fullStream` and its UI messages, or from the callbacks of blocks. Calls that are not to be run, since they stand in
 * thinking or in what the model quotes, or are run by the provider, are left out.
 *
 * @typeParam Tools The tools by name.
 * @example
 * ```ts
 * import { CallArguments } from 'tokenweir/args'
 *
 * const calls = new CallArguments({
 *   onCall: ({ toolName, args }) => args.onText('content', (delta) => console.log(toolName, delta)),
 * })
 * for (const part of [
 *   { type: 'tool-input-start', id: 'call_1', toolName: 'write' },
 *   { type: 'tool-input-delta', id: 'call_1', delta: '{"content": "He' },
 *   { type: 'tool-input-delta', id: 'call_1', delta: 'llo"}' },
 * ])
 *   calls.part(part)
 * ```
 * ```text
 * write He
 * write llo
 * ```
 */
export class CallArguments<Tools extends Readonly<Record<string, unknown>> = Readonly<Record<never, never>>> {
  readonly #tools: Readonly<Record<string, unknown>>
  readonly #onCall: (call: never) => unknown
  readonly #open = new Map<string, ArgumentsReader>()

  /**
   * @throws TypeError for an unknown option.
   * @example
   * ```ts
   * import { CallArguments } from 'tokenweir/args'
   *
   * const write = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const
   * const calls = new CallArguments({
   *   tools: { write },
   *   onCall: (call) => {
   *     if (!call.dynamic) call.args.onDone('path', (path) => console.log(path.toUpperCase())) // A.TXT
   *   },
   * })
   * calls.part({ type: 'tool-call', toolCallId: 'call_1', toolName: 'write', input: '{"path": "a.txt"}' })
   * ```
   */
  constructor(options: CallArgumentsOptions<Tools>) {
    checkOptions('CallArguments', options, OPTIONS, '.')
    if (typeof fieldsOf(options)?.['onCall'] !== 'function')
      throw new TypeError('CallArguments takes { onCall }, a function')
    this.#tools = options.tools ?? {}
    this.#onCall = options.onCall
  }

  /**
   * Reads a part: of `ToolCallParser`, of the AI SDK's `fullStream`, or a chunk of its UI messages. Others are passed
   * over. A `tool-call` or `tool-input-available` writes its `input` if no delta came, and ends its call; `finish`,
   * `error` and `abort` end all.
   *
   * @throws TypeError for what isn't an object; what a handler threw.
   * @example
   * ```ts
   * import { CallArguments } from 'tokenweir/args'
   *
   * const calls = new CallArguments({ onCall: ({ args }) => args.result().then(console.log) }) // { a: 1 }
   * calls.part({ type: 'tool-input-available', toolCallId: 'call_1', toolName: 'add', input: { a: 1 } })
   * ```
   */
  part(part: object): void {
    const fields = asFullStreamPart(requireFields('CallArguments.part', part))
    const id = stringOf(fields['id'])
    switch (fields['type']) {
      case 'tool-input-start':
        // The input of a custom tool is free text.
        if (fields['inputEncoding'] !== 'text' && fields['providerExecuted'] !== true)
          this.#begin(id, stringOf(fields['toolName']))
        return
      case 'tool-input-delta':
        return this.#open.get(id)?.write(stringOf(fields['delta']))
      case 'tool-call':
        if (fields['providerExecuted'] === true) return
        return this.#whole(stringOf(fields['toolCallId']), stringOf(fields['toolName']), fields['input'])
      case 'tool-input-error':
        return this.#end(stringOf(fields['toolCallId']), undefined)
      case 'finish-step':
      case 'finish':
        return this.end(reasonOf(fields['finishReason']))
      case 'error':
      case 'abort':
        return this.end()
    }
  }

  /**
   * Reads a chunk of blocks: `onChunk` of `BlockParser`, `NativeBlocks` and others. The last chunk of a call that was
   * cut off (`meta.incomplete`) is left out, since it closes what the model left open.
   *
   * @throws What a handler threw.
   * @example
   * ```ts
   * import { CallArguments } from 'tokenweir/args'
   * import { BlockParser } from 'tokenweir/blocks'
   *
   * const calls = new CallArguments({ onCall: ({ args }) => args.get('a').then(console.log) }) // 1
   * const parser = new BlockParser({
   *   onChunk: (text, meta) => calls.chunk(text, meta),
   *   onBlock: (event) => calls.block(event),
   * })
   * parser.processChunk('<invoke name="add"><parameter name="a">1</parameter></invoke>')
   * ```
   */
  chunk(text: string, meta: CallChunkMeta): void {
    requireString('CallArguments.chunk', text)
    const { type, toolCallPart, toolId, toolName = '', incomplete, insideThinking, inText, hosted } = meta
    if (type !== 'tool_call' || toolCallPart === 'name' || toolId === undefined) return
    if (insideThinking || inText || hosted) return
    const key = keyOf(meta.blockIndex)
    const args = this.#open.get(key) ?? this.#begin(toolId, toolName, key)
    if (toolCallPart === 'input' && !incomplete) args.write(text)
  }

  /**
   * Reads the boundary of a block: `onBlock`. A whole call has ended with it; one that is `incomplete` was cut off.
   *
   * @throws What a handler threw.
   * @example
   * ```ts
   * import { CallArguments } from 'tokenweir/args'
   * import { NativeBlocks } from 'tokenweir/reply'
   *
   * const calls = new CallArguments({ onCall: ({ toolName }) => console.log(toolName) }) // add
   * const blocks = new NativeBlocks({
   *   onChunk: (text, meta) => calls.chunk(text, meta),
   *   onBlock: (event) => calls.block(event),
   * })
   * const call = { index: 0, id: 'call_1', function: { name: 'add', arguments: '{}' } }
   * blocks.openai({ choices: [{ delta: { tool_calls: [call] } }] })
   * ```
   */
  block(event: CallBlockEvent): void {
    const block = fieldsOf(event.block)
    if (event.event !== 'block_complete' || block?.['type'] !== 'tool_call') return
    const key = keyOf(event.index ?? -1)
    // Text between calls has no input.
    const isWhole = block['incomplete'] !== true && block['input'] !== undefined
    if (isWhole && !isLeftOut(block))
      this.#whole(stringOf(block['toolId']), stringOf(block['toolName']), block['input'], key)
    else this.#end(key, undefined)
  }

  /**
   * The stream has ended: so have all calls that are open.
   *
   * @throws What a handler threw.
   * @example
   * ```ts
   * import { CallArguments } from 'tokenweir/args'
   *
   * const calls = new CallArguments({
   *   onCall: ({ args }) => args.result().catch(({ code }) => console.log(code)), // cut-off
   * })
   * calls.part({ type: 'tool-input-start', id: 'call_1', toolName: 'write' })
   * calls.part({ type: 'tool-input-delta', id: 'call_1', delta: '{"path": "/etc/pass' })
   * calls.end('length')
   * ```
   */
  end(finishReason?: string): void {
    for (const key of [...this.#open.keys()]) this.#end(key, finishReason)
  }

  #begin(id: string, toolName: string, key = id): ArgumentsReader {
    // One id twice: the first of them doesn't go on.
    this.#end(key, undefined)
    const isKnown = Object.hasOwn(this.#tools, toolName)
    const args = new ArgumentsReader<unknown>(isKnown ? own(this.#tools, toolName) : undefined) as ArgumentsReader
    this.#open.set(key, args)
    this.#onCall({ id, toolName, args, ...(isKnown ? {} : { dynamic: true }) } as never)
    return args
  }

  #whole(id: string, toolName: string, input: unknown, key = id): void {
    const args = this.#open.get(key) ?? this.#begin(id, toolName, key)
    if (args.length === 0) args.write(argumentsOf(input))
    this.#end(key, 'tool-calls')
  }

  #end(key: string, finishReason: string | undefined): void {
    const args = this.#open.get(key)
    this.#open.delete(key)
    args?.end(finishReason)
  }
}

/** A block's key, which no id of a call is. */
function keyOf(index: number): string {
  return `\0${index}`
}

function isLeftOut(block: Readonly<Record<string, unknown>>): boolean {
  return block['insideThinking'] === true || block['inText'] === true || block['hosted'] === true
}

/** A finish reason, which providers of version 3 have as an object. */
function reasonOf(reason: unknown): string | undefined {
  return typeof reason === 'string' ? reason : stringOf(fieldsOf(reason)?.['unified']) || undefined
}
