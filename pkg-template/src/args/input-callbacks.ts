// The callbacks of a tool of the AI SDK, as one reader for each call.

import { ArgumentsReader } from './reader.js'
import type { Signal } from '../platform.js'
import { fieldsOf, jsonOf, stringOf } from '../untrusted.js'

/**
 * What is spread into `tool()` of the AI SDK.
 *
 * @example
 * ```ts
 * import { type InputCallbacks, inputCallbacks } from 'tokenweir/args'
 *
 * const callbacks: InputCallbacks = inputCallbacks(undefined, (args) => args.onText('path', console.log))
 * console.log(Object.keys(callbacks)) // [ 'onInputStart', 'onInputDelta', 'onInputAvailable' ]
 * ```
 */
export interface InputCallbacks {
  /** A call has begun. */
  onInputStart(options: { toolCallId: string; abortSignal?: Signal | undefined }): void
  /** A piece of its arguments. */
  onInputDelta(options: { inputTextDelta: string; toolCallId: string }): void
  /** Its arguments are whole. */
  onInputAvailable(options: { input: unknown; toolCallId: string }): void
}

/**
 * Makes the callbacks of a tool of the AI SDK that give `on` a reader for each call when it begins. Where a model
 * doesn't stream, the reader gets the arguments at their end.
 *
 * The SDK calls none of them when it refuses a call, or when its stream breaks: `result()` then waits, unless the
 * call's `abortSignal` ends it. Run the call in `execute`; `CallArguments` sees each end.
 *
 * @param schema The tool's schema, by which the reader's values have types; or nothing.
 * @example
 * ```ts
 * import { inputCallbacks } from 'tokenweir/args'
 *
 * const schema = { type: 'object', properties: { path: { type: 'string' } } } as const
 * const callbacks = inputCallbacks(schema, (args, { toolCallId }) => {
 *   args.onText('path', (delta) => console.log(toolCallId, delta)) // call_1 a.txt
 * })
 * callbacks.onInputStart({ toolCallId: 'call_1' })
 * callbacks.onInputDelta({ toolCallId: 'call_1', inputTextDelta: '{"path": "a.txt"' })
 * ```
 */
export function inputCallbacks<const Schema>(
  schema: Schema,
  on: (args: ArgumentsReader<Schema>, call: { readonly toolCallId: string }) => unknown,
): InputCallbacks {
  if (typeof on !== 'function') throw new TypeError('inputCallbacks takes a schema and a function')
  const open = new Map<string, ArgumentsReader<Schema>>()
  const end = (id: string, finishReason?: string) => {
    const args = open.get(id)
    open.delete(id)
    args?.end(finishReason)
  }
  const begin = (options: unknown): ArgumentsReader<Schema> => {
    const fields = fieldsOf(options) ?? {}
    const toolCallId = stringOf(fields['toolCallId'])
    end(toolCallId)
    const args = new ArgumentsReader(schema)
    open.set(toolCallId, args)
    const signal = fields['abortSignal']
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => end(toolCallId), { once: true })
    on(args, { toolCallId })
    return args
  }
  return {
    onInputStart: (options) => void begin(options),
    onInputDelta: (options) => (open.get(options.toolCallId) ?? begin(options)).write(options.inputTextDelta),
    onInputAvailable: (options) => {
      const args = open.get(options.toolCallId) ?? begin(options)
      if (args.length === 0) args.write(jsonOf(options.input))
      end(options.toolCallId, 'tool-calls')
    },
  }
}
