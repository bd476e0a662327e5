// A request's options for the middleware, in `providerOptions.toolCallMiddleware`.
//
// `transformParams` writes there what the reader of the answer has to know: the
// tools, which it took out of the request, and the choice among them. Tools that a provider has itself
// stay in the request, and the caller is warned that nothing else was done about them.

import { isRecord, own, put } from '../own.js'
import type { Tool, ToolCallOptions } from '../tool-calls/types.js'
import type { DebugSummary } from './debug.js'
import { checkRequestOptions, mergeOptions, parserOptions } from './options.js'
import { decodeOriginalTools, encodeOriginalTools } from './original-tools.js'
import type {
  CallParams,
  MiddlewareOptions,
  OriginalTool,
  ToolCallMiddlewareOptions,
  ToolChoice,
  RequestTool,
} from './types.js'

/** The key in `providerOptions`. */
const KEY = 'toolCallMiddleware'

/** Without any tool all names would be known. */
const NONE: readonly Tool[] = [{ type: 'function', name: '\0' }]

/**
 * Returns whether a request that `transformParams` made asks for one call, so that its answer isn't streamed.
 *
 * @example
 * ```ts
 * import { isToolChoiceActive } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(isToolChoiceActive({ providerOptions: { toolCallMiddleware: { toolChoice: { type: 'required' } } } }))
 * // → true
 * ```
 */
export function isToolChoiceActive({ providerOptions }: Pick<CallParams, 'providerOptions'>): boolean {
  return isOneCall(chosenIn(providerOptions))
}

/**
 * Returns whether a request that `transformParams` made asks for no call.
 *
 * @example
 * ```ts
 * import { isToolChoiceNone } from 'tokenweir/ai-sdk-tool-parser'
 *
 * console.log(isToolChoiceNone({ providerOptions: { toolCallMiddleware: { toolChoice: { type: 'none' } } } })) // true
 * ```
 */
export function isToolChoiceNone({ providerOptions }: Pick<CallParams, 'providerOptions'>): boolean {
  return chosenIn(providerOptions) === 'none'
}

/** How an answer is read. */
export interface AnswerRequest {
  /** The tools that may be called, with their original schemas. */
  readonly tools: readonly Tool[]
  readonly options: ToolCallOptions
  /** Whether the answer has to be a call, by the format of the response. */
  readonly isOneCall: boolean
  /** How an answer without one ends. */
  readonly withoutCall: MiddlewareOptions['withoutCall']
  /** How a stream of such an answer is read. */
  readonly forcedToolChoice: MiddlewareOptions['forcedToolChoice']
  /** The tool that is to be called. */
  readonly toolName: string | undefined
  /**
   * Whether calls are read: not after `none`, and not where `transformParams` found no tools. Reasoning is read in any
   * case.
   */
  readonly readsCalls: boolean
  readonly debugSummary: DebugSummary | undefined
}

/** A request's own options. `TypeError` for invalid ones. */
function requestOptions(providerOptions: CallParams['providerOptions']): ToolCallMiddlewareOptions {
  const given = own(providerOptions, KEY)
  checkRequestOptions(`providerOptions.${KEY}`, given as object | undefined)
  return isRecord(given) ? given : {}
}

/** The options of a request, over those of the middleware. */
export function optionsOf(
  { providerOptions }: Pick<CallParams, 'providerOptions'>,
  defaults: MiddlewareOptions | undefined,
): MiddlewareOptions {
  const given = requestOptions(providerOptions)
  const { emitRawToolCallTextOnError: emitsRaw } = given
  return {
    ...mergeOptions(defaults, emitsRaw === undefined ? {} : { onMalformed: emitsRaw ? 'text' : 'drop' }),
    ...mergeOptions(undefined, given),
  }
}

/**
 * Finds the listener of a request, `toolCallMiddleware.onError` of its `providerOptions`, if it has one.
 *
 * @example
 * ```ts
 * import { extractOnErrorOption } from 'tokenweir/ai-sdk-tool-parser'
 *
 * const found = extractOnErrorOption({ toolCallMiddleware: { onError: (message: string) => console.log(message) } })
 * found?.onError?.('not a call') // not a call
 * ```
 */
export function extractOnErrorOption(
  providerOptions: CallParams['providerOptions'],
): Pick<ToolCallOptions, 'onError'> | undefined {
  const onError = own(own(providerOptions, KEY), 'onError')
  return typeof onError === 'function' ? { onError: onError as NonNullable<ToolCallOptions['onError']> } : undefined
}

/** The provider's options with what the reader of the answer has to know. */
export function withTools(
  providerOptions: CallParams['providerOptions'],
  tools: readonly Tool[],
  toolChoice: ToolChoice | undefined,
  promptWarnings: readonly string[],
): Readonly<Record<string, unknown>> {
  const { toolChoice: _, promptWarnings: __, ...options } = requestOptions(providerOptions)
  const before = new Map((options.originalTools ?? []).map((tool) => [tool.name, tool]))
  // A schema that was packed before is older than the tool's own.
  const originalTools: OriginalTool[] = encodeOriginalTools(tools).map((tool) => before.get(tool.name) ?? tool)
  return {
    ...providerOptions,
    [KEY]: {
      ...options,
      originalTools,
      ...(toolChoice === undefined ? {} : { toolChoice }),
      ...(promptWarnings.length === 0 ? {} : { promptWarnings }),
    },
  }
}

/** What `transformParams` reports of its changes to a request. */
function promptWarningsOf({ providerOptions }: Pick<CallParams, 'providerOptions'>): readonly string[] {
  const warnings = own(own(providerOptions, KEY), 'promptWarnings')
  return Array.isArray(warnings) ? warnings : []
}

/** Reads what `withTools` wrote. A request that it didn't see is read by its own tools. */
export function readRequest(params: CallParams, defaults: MiddlewareOptions | undefined): AnswerRequest {
  const given = requestOptions(params.providerOptions)
  const all = optionsOf(params, defaults)
  const options: ToolCallOptions = parserOptions(all)
  const tools =
    given.originalTools === undefined
      ? ((params.tools ?? []).filter(isFunctionTool) as readonly Tool[])
      : decodeOriginalTools(given.originalTools, options)
  const readsCalls = given.toolChoice?.type !== 'none' && (given.originalTools === undefined || tools.length > 0)
  const originalToolSchemas: Record<string, unknown> = {}
  for (const { name, inputSchema } of tools)
    put(originalToolSchemas, name, own(options.originalToolSchemas, name) ?? inputSchema)
  return {
    // Where none may be called, what looks like a call is text: it is of no tool that there is.
    tools: readsCalls ? tools : NONE,
    options: {
      ...options,
      originalToolSchemas,
      ...(readsCalls ? {} : { unknownTools: 'text', onError: undefined, onRepair: undefined }),
    },
    isOneCall: isOneCall(given.toolChoice?.type),
    withoutCall: all.withoutCall,
    forcedToolChoice: all.forcedToolChoice,
    toolName: given.toolChoice?.type === 'tool' ? given.toolChoice.toolName : undefined,
    readsCalls,
    debugSummary: given.debugSummary,
  }
}

function chosenIn(providerOptions: CallParams['providerOptions']): unknown {
  return own(own(own(providerOptions, KEY), 'toolChoice'), 'type')
}

function isOneCall(choice: unknown): boolean {
  return choice === 'required' || choice === 'tool'
}

/** Whether a tool is one that the application executes. */
export function isFunctionTool(tool: RequestTool): boolean {
  return tool.type === 'function'
}

/** The warnings of a request that `transformParams` has been over. */
export function warningsOf(params: Pick<CallParams, 'tools' | 'providerOptions'>): object[] {
  const { tools = [] } = params
  return [
    ...tools.filter((tool) => !isFunctionTool(tool)).map(warning),
    ...promptWarningsOf(params).map((message) => ({ type: 'other', message })),
  ]
}

/** AI SDK 5 has no warning of a feature that is half there, only words. */
function warning({ type, name }: RequestTool): object {
  const details =
    'The model gets it as it is: it is not among the tools of the prompt, and calls of it are not read from text.'
  return type === 'provider-defined'
    ? { type: 'other', message: `Provider tool "${name}": ${details}` }
    : { type: 'compatibility', feature: `provider tool "${name}"`, details }
}
