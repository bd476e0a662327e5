// A handler with the parser that suits a provider.
//
// Source: seeds/000, "Parser Strategy Selection"; spec/segment.md. Difference
// from AutoByteus, in which the selection by provider is never reached, and the
// JSON profile is `default` whatever the provider.

import { type OptionTable, checkOptions, elsewhere, must } from '../options.js'
import { fieldsOf } from '../untrusted.js'
import { LISTENERS, StreamingResponseHandler, type StreamingResponseHandlerOptions } from './handler.js'
import { jsonProfileFor, strategyFor } from './profiles.js'
import { knownTools } from './tool-list.js'
import type { SegmentConfig, SegmentEventStyle, SegmentStrategy, ToolList } from './types.js'

/**
 * What `streamingResponseHandlerFor` can be given.
 *
 * @example
 * ```ts
 * import { type HandlerFactoryOptions, streamingResponseHandlerFor } from 'tokenweir/segments'
 *
 * const options: HandlerFactoryOptions = {
 *   provider: 'anthropic',
 *   tools: ['read'],
 *   onToolInvocation: ({ name }) => console.log(name),
 * }
 * streamingResponseHandlerFor(options).feed('<tool name="read"><arguments></arguments></tool>') // read
 * ```
 */
export interface HandlerFactoryOptions<Style extends SegmentEventStyle = 'plain'>
  extends Omit<StreamingResponseHandlerOptions<Style>, 'schemas'> {
  /** The provider's name in any case: `'anthropic'`, `'openai'`, `'gemini'`, `'mistral'` … */
  provider?: string | undefined
  /**
   * How tools are written. @defaultValue `config.strategy`, else the environment variable `AUTOBYTEUS_STREAM_PARSER`,
   * else by the provider
   */
  parser?: SegmentStrategy | undefined
  /**
   * The tools that the model was given: see `SegmentConfig.tools`, which this goes before. With an empty list the
   * content is text as it is.
   */
  tools?: ToolList | undefined
}

const OPTIONS = {
  provider: [elsewhere],
  parser: [elsewhere],
  tools: [elsewhere],
  ...LISTENERS,
  config: [must('an object', (value) => fieldsOf(value) !== undefined)],
} satisfies OptionTable<HandlerFactoryOptions>

/**
 * Makes a handler for what a provider's model sends: tools in XML for Anthropic, in JSON for the others, in the
 * provider's own shape of it. With `tools` nothing else is called, and the tools' schemas give the arguments that are
 * written as XML their types.
 *
 * @throws TypeError for an unknown option, an option of a wrong type, and an unknown parser, here or in the
 *   environment.
 * @example
 * ```ts
 * import { streamingResponseHandlerFor } from 'tokenweir/segments'
 *
 * const handler = streamingResponseHandlerFor({
 *   provider: 'gemini',
 *   tools: ['read'],
 *   onToolInvocation: ({ name, arguments: given }) => console.log(name, given),
 * })
 * handler.feed('{"name": "read", "args": {"path": "a.txt"}}') // read { path: 'a.txt' }
 * ```
 */
export function streamingResponseHandlerFor<Style extends SegmentEventStyle = 'plain'>(
  options?: HandlerFactoryOptions<Style>,
): StreamingResponseHandler<Style> {
  const place = 'streamingResponseHandlerFor'
  checkOptions(place, options, OPTIONS)
  const { provider, parser, tools, config, ...callbacks } = options ?? {}
  if (tools !== undefined) knownTools(`${place}: tools`, tools)
  const jsonProfile = jsonProfileFor(provider)
  const chosen: SegmentConfig<Style> = {
    ...config,
    jsonProfile: config?.jsonProfile === undefined ? jsonProfile : config.jsonProfile,
  }
  // A parser that is named here goes before the config, and the config before what is guessed.
  if (parser !== undefined) delete chosen.strategyOrder
  if (parser !== undefined || (chosen.strategy === undefined && chosen.strategyOrder === undefined))
    chosen.strategy = strategyFor({ provider, parser })
  if (tools !== undefined) chosen.tools = tools
  return new StreamingResponseHandler({ ...callbacks, config: chosen })
}
