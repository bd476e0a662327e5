// Tools that a provider has itself stay in the request, and the caller is warned
// that nothing else was done about them.

import type { CallParams, RequestTool } from './types.js'

/** Whether a tool is one that the application executes. */
export function isFunctionTool(tool: RequestTool): boolean {
  return tool.type === 'function'
}

/** The warnings of a request that `transformParams` has been over. */
export function warningsOf({ tools = [] }: Pick<CallParams, 'tools'>): object[] {
  return tools.filter((tool) => !isFunctionTool(tool)).map(warning)
}

/** AI SDK 5 has no warning of a feature that is half there, only words. */
function warning({ type, name }: RequestTool): object {
  const details = 'The model gets it as it is: it is not among the tools of the prompt, and calls of it are not read from text.'
  return type === 'provider-defined' ? { type: 'other', message: `Provider tool "${name}": ${details}` } : { type: 'compatibility', feature: `provider tool "${name}"`, details }
}
