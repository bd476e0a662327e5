// The middleware of a protocol.

import type { ToolCallProtocol } from '../tool-calls/types.js'
import { protocolOf } from './protocol-source.js'
import { transformParams } from './transform-params.js'
import type { ToolMiddleware, ToolMiddlewareOptions } from './types.js'
import { wrapGenerate } from './wrap-generate.js'
import { wrapStream } from './wrap-stream.js'

/** Makes a middleware by options that were checked. */
export function protocolMiddleware({ protocol, options, debug, ...prompts }: ToolMiddlewareOptions): ToolMiddleware {
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
