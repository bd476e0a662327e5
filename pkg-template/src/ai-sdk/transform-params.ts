// Makes a request with tools one that a model without tools of its own understands.
//
//     tools        described in the system prompt; a provider's own stay
//     calls        text of the assistant
//     results      text of the user
//     toolChoice   `required` and a tool's name become a response format; `none`
//                  takes the tools away
//
// Source: `transformParams` of `@ai-sdk-tool/parser`. Differences: a choice that
// can't be met is a `TypeError` that says why; one of a provider's tools, or of
// these alone, is left to the provider.

import type { Tool } from '../tool-calls/types.js'
import { textPrompt } from './prompt.js'
import { protocolOf } from './protocol-source.js'
import { withTools } from './request.js'
import { withSystemPrompt } from './system-prompt.js'
import { createDynamicIfThenElseSchema, schemaOfNamedTool } from './tool-choice-schema.js'
import type { CallParams, PromptOptions, RequestTool, ToolChoice } from './types.js'
import { isFunctionTool } from './warnings.js'

/**
 * Makes of a request with tools the one that the model gets: tools in the system prompt, calls and results as
 * text. Nothing of `params` is changed. It rejects with a TypeError if `toolChoice` can't be met, or the protocol is none.
 *
 * Source: `transformParams` of `@ai-sdk-tool/parser`.
 *
 * @example
 * ```ts
 * import { hermesProtocol, transformParams } from 'tokenweir/ai-sdk'
 *
 * const params = await transformParams({
 *   params: { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Stop.' }] }], tools: [{ type: 'function', name: 'stop' }] },
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
}: PromptOptions & { readonly params: Params }): Promise<Params> {
  const written = protocolOf(protocol)
  const { tools: given = [], toolChoice, ...others } = params
  const provided = given.filter((tool) => !isFunctionTool(tool))
  const functions = given.filter(isFunctionTool) as readonly (RequestTool & Tool)[]
  const { chosen, left } = divide(toolChoice, functions, provided)
  const tools = toolsInPrompt(functions, chosen)
  const prompt = textPrompt(params.prompt, { protocol: written, toolResponsePromptTemplate, providerTools: new Set(provided.map(({ name }) => name)) })
  const system = tools.length === 0 ? '' : written.formatTools({ tools, toolSystemPromptTemplate })
  return {
    ...others,
    prompt: withSystemPrompt(prompt, system, placement),
    ...(provided.length === 0 ? {} : { tools: provided }),
    ...(left === undefined ? {} : { toolChoice: left }),
    ...responseFormat(tools, chosen),
    providerOptions: withTools(params.providerOptions, functions, chosen),
  } as unknown as Params
}

/** Tells the choice that is ours from the one that is left to the provider. */
function divide(choice: ToolChoice | undefined, functions: readonly RequestTool[], provided: readonly RequestTool[]): { chosen?: ToolChoice; left?: ToolChoice } {
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
      throw new TypeError(`toolChoice names the tool ${JSON.stringify(choice.toolName)}, which is not among the tools: ${[...functions, ...provided].map(({ name }) => name).join(', ') || 'there are none'}`)
    default:
      return {}
  }
}

/** Of a tool that has to be called no other need be described. */
function toolsInPrompt(functions: readonly (RequestTool & Tool)[], chosen: ToolChoice | undefined): readonly Tool[] {
  if (chosen?.type === 'none') return []
  return chosen?.type === 'tool' ? functions.filter(({ name }) => name === chosen.toolName) : functions
}

function responseFormat(tools: readonly Tool[], chosen: ToolChoice | undefined): object {
  const [first] = tools
  if (first === undefined || (chosen?.type !== 'required' && chosen?.type !== 'tool')) return {}
  return { responseFormat: { type: 'json', schema: chosen.type === 'tool' ? schemaOfNamedTool(first) : createDynamicIfThenElseSchema(tools) } }
}
