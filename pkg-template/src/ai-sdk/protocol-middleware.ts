// The middleware of a protocol, without what formats need.

import { callback } from '../options.js'
import { checkCallOptions } from '../tool-calls/options.js'
import type { ToolCallProtocol } from '../tool-calls/types.js'
import { requireDebug } from './debug.js'
import { MIDDLEWARE_OPTIONS } from './options.js'
import { isProtocolFactory, protocolOf } from './protocol-source.js'
import { transformParams } from './transform-params.js'
import type { ToolMiddleware, ToolMiddlewareOptions } from './types.js'
import { wrapGenerate } from './wrap-generate.js'
import { wrapStream } from './wrap-stream.js'

/** The function that errors name. */
export const NAME = 'createToolMiddleware'

/** Makes a middleware by options that were checked by name. @throws TypeError for invalid ones. */
export function protocolMiddleware({
  protocol,
  options,
  debug: printed,
  ...prompts
}: ToolMiddlewareOptions): ToolMiddleware {
  if (!isProtocolFactory(protocol)) protocolOf(protocol)
  callback(`${NAME}: toolSystemPromptTemplate`, prompts.toolSystemPromptTemplate)
  checkCallOptions(`${NAME}: options`, options, MIDDLEWARE_OPTIONS)
  const debug = requireDebug(NAME, printed)

  /** The protocols of requests on their way to the model, by what `transformParams` made of them. */
  const underWay = new WeakMap<object, ToolCallProtocol>()
  return {
    specificationVersion: 'v3',
    middlewareVersion: 'v2',
    async transformParams({ params, type }) {
      const made = protocolOf(protocol)
      const transformed = await transformParams({ ...prompts, params, type, protocol: made, options })
      underWay.set(transformed, made)
      return transformed
    },
    wrapGenerate: ({ doGenerate, params }) =>
      wrapGenerate({ protocol: underWay.get(params) ?? protocol, doGenerate, params, options, debug }),
    wrapStream: ({ doStream, doGenerate, params }) =>
      wrapStream({ protocol: underWay.get(params) ?? protocol, doStream, doGenerate, params, options, debug }),
  }
}
