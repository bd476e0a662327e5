// Tools that a provider has itself stay in the request, and the caller is warned
// that nothing else was done about them; and of what else was done to a request.

import { isFunctionTool } from './function-tools.js'
import { promptWarningsOf } from './request.js'
import type { CallParams, RequestTool } from './types.js'

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
