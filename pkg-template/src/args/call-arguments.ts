// The calls of a stream, each with a reader of its arguments.
//
// Source: spec/args.md, "Sources".

import { type OptionTable, callback, checkOptions, elsewhere } from '../options.js'
import { isRecord, own } from '../own.js'
import { isLibrarySchema } from '../schema/library.js'
import { fieldsOf } from '../untrusted.js'
import { ArgumentsReader } from './reader.js'
import { type CallBlockEvent, type CallChunkMeta, type OpenCall, StreamCalls } from './stream-calls.js'

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
export type ArgumentsCall<Tools = Readonly<Record<never, never>>> = Tools extends OneTool
  ? {
      /** The id of the call. */
      readonly id: string
      /** The tool that is called. */
      readonly toolName: string
      /** Its arguments, which are being written. */
      readonly args: ArgumentsReader<Tools>
      /** No call has it. */
      readonly dynamic?: undefined
    }
  : CallOf<Tools>

/** A tool or a schema alone, of a library or of JSON. */
type OneTool =
  | { readonly inputSchema: unknown }
  | { readonly '~standard': unknown }
  | { readonly toJSONSchema: unknown }
  | { readonly type: string }

/** A call of one of some tools, or of another one. */
type CallOf<Tools> =
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
export interface CallArgumentsOptions<Tools extends object = Readonly<Record<never, never>>> {
  /**
   * Tools by name: schemas, or tools with an `inputSchema`. They give types, and validate results. A schema or tool
   * alone is that of every call.
   *
   * @example
   * ```ts
   * import { CallArguments } from 'tokenweir/args'
   * import { z } from 'zod'
   *
   * const schema = z.object({ city: z.string() })
   * const calls: CallArguments<typeof schema> = new CallArguments({
   *   tools: schema,
   *   onCall: async ({ args }) => console.log((await args.result()).city), // Porto
   * })
   * calls.part({ type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: '{"city": "Porto"}' })
   * ```
   */
  tools?: Tools | undefined
  /** Called when a call begins, before anything of its arguments is read. */
  onCall: (call: ArgumentsCall<Tools>) => unknown
}

const OPTIONS = { tools: [elsewhere], onCall: [callback] } satisfies OptionTable<CallArgumentsOptions>

/**
 * Gives each call of a stream a reader of its arguments, from the parts of `ToolCallParser`, of the AI SDK's
 * `fullStream` and its UI messages, or from the callbacks of blocks. Calls that are not to be run, since they stand in
 * thinking or in what the model quotes, or are run by the provider, are left out.
 *
 * @typeParam Tools The tools by name, or the schema or tool of every call.
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
export class CallArguments<Tools extends object = Readonly<Record<never, never>>> {
  readonly #calls: StreamCalls<OpenCall>

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
    const { onCall } = options as { onCall: (call: unknown) => unknown }
    const tools: object = options.tools ?? {}
    const isOne = isOneTool(tools)
    this.#calls = new StreamCalls('CallArguments', (id, toolName, isText) => {
      if (isText) return undefined
      const isKnown = isOne || Object.hasOwn(tools, toolName)
      const tool = isOne ? tools : isKnown ? own(tools, toolName) : undefined
      const args = new ArgumentsReader<unknown>(tool)
      return {
        get length() {
          return args.length
        },
        begin: () => onCall({ id, toolName, args, ...(isKnown ? {} : { dynamic: true }) }),
        write: (delta) => args.write(delta),
        end: (finishReason) => args.end(finishReason),
      }
    })
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
    this.#calls.part(part)
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
    this.#calls.chunk(text, meta)
  }

  /**
   * Reads the boundary of a block: `onBlock`. A whole call has ended with it; one that is `incomplete` was cut off.
   *
   * @throws What a handler threw.
   * @example
   * ```ts
   * import { CallArguments } from 'tokenweir/args'
   * import { NativeBlocks } from 'tokenweir'
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
    this.#calls.block(event)
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
    this.#calls.end(finishReason)
  }
}

/** Whether it is a tool or a schema, not an object of them: that has no text as `type`. */
function isOneTool(tools: object): boolean {
  return isLibrarySchema(tools) || (isRecord(tools) && ('inputSchema' in tools || typeof tools['type'] === 'string'))
}
