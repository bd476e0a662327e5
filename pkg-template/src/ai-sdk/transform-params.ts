// Turns a request with tools into one for a model without native tool calling.
//
//     tools        described in the system prompt; a provider's own stay
//     calls        text of the assistant
//     results      text of the user
//     toolChoice   `required` and a tool's name become a response format; `none`
//                  removes the tools
//     responseFormat  where tools are in the prompt, its schema goes there too
//
// Source: `transformParams` of `@ai-sdk-tool/parser`. Differences: a choice that
// can't be met is a `TypeError` that says why; one of a provider's tools, or of
// these alone, is left to the provider.

import { describe } from '../errors.js'
import type { Tool, ToolCallProtocol } from '../tool-calls/types.js'
import { textPrompt } from './prompt.js'
import { protocolOf } from './protocol-source.js'
import { optionsOf, withTools, isFunctionTool } from './request.js'
import { createDynamicIfThenElseSchema, schemaOfNamedTool } from './tool-choice-schema.js'
import type {
  CallParams,
  MiddlewareOptions,
  Placement,
  PromptMessage,
  PromptOptions,
  RequestTool,
  ResponseFormat,
  ToolChoice,
} from './types.js'

/**
 * Turns a request with tools into the one that the model gets: tools in the system prompt, calls and results as
 * text. `params` are not changed. `options` are those of the middleware; a request's own win. It rejects with a
 * TypeError if `toolChoice` can't be met, for an invalid protocol, and for a template that doesn't give a string.
 *
 * Source: `transformParams` of `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { hermesProtocol, transformParams } from 'tokenweir/ai-sdk'
 *
 * const params = await transformParams({
 *   params: {
 *     prompt: [{ role: 'user', content: [{ type: 'text', text: 'Stop.' }] }],
 *     tools: [{ type: 'function', name: 'stop' }],
 *   },
 *   protocol: hermesProtocol(),
 *   toolSystemPromptTemplate: () => 'You can stop.',
 * })
 * console.log(params.prompt[0], params.tools) // { role: 'system', content: 'You can stop.' } undefined
 * ```
 */
export async function transformParams<Params extends CallParams>({
  params,
  protocol,
  toolSystemPromptTemplate,
  toolResponsePromptTemplate,
  placement = 'first',
  type,
  options: defaults,
}: PromptOptions & {
  /** The request. */
  readonly params: Params
  /** What it is for. @defaultValue a stream, where that makes a difference */
  readonly type?: 'generate' | 'stream' | undefined
  /** How the middleware goes about it. */
  readonly options?: MiddlewareOptions | undefined
}): Promise<Params> {
  const written = protocolOf(protocol)
  const options = optionsOf(params, defaults)
  const warnings: string[] = []
  const { tools: given = [], toolChoice, responseFormat: format, ...others } = params
  const provided = given.filter((tool) => !isFunctionTool(tool))
  const functions = given.filter(isFunctionTool) as readonly (RequestTool & Tool)[]
  const { chosen, left } = divide(toolChoice, functions, provided)
  const tools = toolsInPrompt(functions, chosen)
  const prompt = await textPrompt(params.prompt, {
    protocol: written,
    toolResponsePromptTemplate,
    toolResultMedia: options.toolResultMedia ?? 'user',
    warn: (message) => warnings.push(message),
    providerTools: new Set(provided.map(({ name }) => name)),
  })
  const isForced = tools.length > 0 && (chosen?.type === 'required' || chosen?.type === 'tool')
  const isStreamed = isForced && options.forcedToolChoice === 'stream' && type !== 'generate'
  const isMoved = tools.length > 0 && format?.type === 'json' && options.keepResponseFormat !== true
  if (isMoved) warnings.push(MOVED)
  const system = [
    tools.length === 0 ? '' : await toolsText(written, tools, toolSystemPromptTemplate),
    isMoved ? answerText(format) : '',
    isStreamed
      ? `This time you must call ` +
        `${chosen?.type === 'tool' ? `the tool ${JSON.stringify(chosen.toolName)}` : 'one of the tools'}.`
      : '',
  ]
  const keptFormat = format === undefined || isMoved ? {} : { responseFormat: format }
  const isOurs = isForced && !isStreamed && (options.keepResponseFormat !== true || format?.type !== 'json')
  return {
    ...others,
    prompt: withSystemPrompt(prompt, system.filter((text) => text !== '').join('\n\n'), placement),
    ...(provided.length === 0 ? {} : { tools: provided }),
    ...(left === undefined ? {} : { toolChoice: left }),
    ...(isOurs ? { responseFormat: callFormat(tools, chosen) } : keptFormat),
    providerOptions: withTools(params.providerOptions, functions, chosen, warnings),
  } as unknown as Params
}

const MOVED =
  'The response format "json" is not sent, because a model that keeps to it cannot write tool calls; its schema ' +
  'was added to the prompt. keepResponseFormat: true sends it.'

/** The text about the tools in the prompt. */
async function toolsText(
  protocol: ToolCallProtocol,
  tools: readonly Tool[],
  template: PromptOptions['toolSystemPromptTemplate'],
): Promise<string> {
  // A protocol writes around the template's text, which may not be known yet: a mark takes its place.
  const late: Array<{ readonly mark: string; readonly text: unknown }> = []
  const toolSystemPromptTemplate = (list: string): string => {
    const text: unknown = template(list)
    if (typeof text === 'string') return text
    const mark = `[template ${Math.random()}]`
    late.push({ mark, text })
    return mark
  }
  let text: unknown = protocol.formatTools({ tools, toolSystemPromptTemplate })
  if (typeof text !== 'string')
    throw new TypeError(`The protocol's formatTools must return a string, but returned ${describe(text)}`)
  for (const { mark, text: promised } of late) {
    const instead: unknown = await promised
    if (typeof instead !== 'string')
      throw new TypeError(
        `toolSystemPromptTemplate must return a string, or a promise of one, but returned ${describe(instead)}`,
      )
    text = (text as string).replaceAll(mark, () => instead)
  }
  return text as string
}

/** The text about the form of an answer in the prompt. */
function answerText({ schema, name, description }: ResponseFormat): string {
  const said = [name, description].filter((one) => one !== undefined && one !== '').join(': ')
  const what = `When you answer without a tool, write JSON and nothing else${said === '' ? '' : ` (${said})`}`
  return schema === undefined ? `${what}.` : `${what}, by this JSON schema:\n${JSON.stringify(schema)}`
}

/** Separates our part of the choice from the part that is left to the provider. */
function divide(
  choice: ToolChoice | undefined,
  functions: readonly RequestTool[],
  provided: readonly RequestTool[],
): { chosen?: ToolChoice; left?: ToolChoice } {
  switch (choice?.type) {
    case 'none':
      return provided.length === 0 ? { chosen: choice } : { chosen: choice, left: choice }
    case 'required':
      if (functions.length > 0) return { chosen: choice }
      if (provided.length > 0) return { left: choice }
      throw new TypeError('toolChoice is "required", but there are no tools')
    case 'tool':
      if (functions.some(({ name }) => name === choice.toolName)) return { chosen: choice }
      if (provided.some(({ name }) => name === choice.toolName)) return { left: choice }
      throw new TypeError(
        `toolChoice names the tool ${JSON.stringify(choice.toolName)}, which is not among the tools: ` +
          `${[...functions, ...provided].map(({ name }) => name).join(', ') || 'there are none'}`,
      )
    default:
      return {}
  }
}

/** If one tool has to be called, no other need be described. */
function toolsInPrompt(functions: readonly (RequestTool & Tool)[], chosen: ToolChoice | undefined): readonly Tool[] {
  if (chosen?.type === 'none') return []
  return chosen?.type === 'tool' ? functions.filter(({ name }) => name === chosen.toolName) : functions
}

/** The format of an answer that is a call. */
function callFormat(tools: readonly Tool[], chosen: ToolChoice | undefined): ResponseFormat {
  return {
    type: 'json',
    schema: chosen?.type === 'tool' ? schemaOfNamedTool(tools[0] as Tool) : createDynamicIfThenElseSchema(tools),
  }
}

/** The prompt with `text` in a system message. */
function withSystemPrompt(prompt: readonly PromptMessage[], text: string, placement: Placement): PromptMessage[] {
  if (text === '') return [...prompt]
  const at = placement === 'first' ? (isSystem(prompt[0]) ? 0 : -1) : prompt.findLastIndex(isSystem)
  const message = prompt[at]
  if (message === undefined) {
    const own = { role: 'system', content: text }
    return placement === 'first' ? [own, ...prompt] : [...prompt, own]
  }
  const content = placement === 'first' ? `${text}\n\n${message.content}` : `${message.content}\n\n${text}`
  return prompt.with(at, { ...message, content })
}

function isSystem(message: PromptMessage | undefined): boolean {
  return message?.role === 'system'
}
